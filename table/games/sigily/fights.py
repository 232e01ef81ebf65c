"""Fights: who throws, who counts one more, who dies, and where the coins go."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

from table.games.sigily.drawn import coins_text
from table.games.sigily.meeting import Meeting
from table.games.sigily.race import Chariot, Race, Unit, names_of
from table.games.sigily.sticks import STICKS, Toss, higher, toss
from table.games.sigily.topology import Place, fairies_watch, name
from table.odds import sigily as odds
from table.rules import words
from table.rules.prompts import Coach, Odds, Option

ATTACKER, DEFENDER = "attacker", "defender"


@dataclass(frozen=True)
class Fight:
    """Two units that fight at a place. plus: the same as in `higher`."""

    attacker: Unit
    defender: Unit
    place: Place
    plus: int

    @property
    def stacks(self) -> int:
        return (len(self.attacker.chariots) > 1) + (len(self.defender.chariots) > 1)

    def __str__(self) -> str:
        return f"{self.attacker} against {self.defender} on {name(self.place)}"


def point_more(race: Race, attacker: str, defender: str, place: Place) -> int:
    """1 if the attacker counts one more, -1 if the defender does.

    A defender in its own quadrant does, and the attacker then does not (home rule).
    """
    return -1 if race.at_home(defender, place) and not race.at_home(attacker, place) else 1


async def fight(meeting: Meeting, attacker: Unit, defender: Unit) -> bool:
    """Whether the attacker, which has landed on the defender, wins.

    On return, dead chariots are off the board and the coins are where they belong.
    """
    race, place = meeting.race, defender.place
    it = Fight(attacker, defender, place, point_more(race, attacker.owner, defender.owner, place))
    fairies = fairies_watch(place)
    if fairies:
        _confiscate(meeting, it)
    dead = await _dead(meeting, it)
    winner, loser = _sides(it, dead)
    booty = loser.coins
    winner.coins += booty
    for unit in (loser, winner):
        race.take_off(unit, [c for c in unit.chariots if c in dead])
    taken = f" and takes {coins_text(booty)}" if booty else ""
    are_off = f"{names_of(dead)} {'is' if len(dead) == 1 else 'are'} off the board"
    meeting.says(f"{winner} wins on {name(place)}{taken}. {are_off}.")
    meeting.settle(f"{winner} wins on {name(place)}")
    if fairies:
        _send_to_gate(meeting, winner, came_in=winner.entered_by is not None)
    return winner is attacker


def _confiscate(meeting: Meeting, it: Fight) -> None:
    """Moves all coins of both units to the jackpot before any throw.

    The fairies punish fights on gates and green.
    """
    coins = it.attacker.coins + it.defender.coins
    meeting.race.pay(it.attacker, it.attacker.coins)
    meeting.race.pay(it.defender, it.defender.coins)
    if coins:
        meeting.says(
            f"{it.attacker} fights {it.defender} on {name(it.place)}: the fairies take {coins_text(coins)}."
        )
    meeting.settle(f"coins taken by the fairies on {name(it.place)}")


def _send_to_gate(meeting: Meeting, winner: Unit, came_in: bool) -> None:
    gate = name(meeting.race.send_to_gate(winner))
    meeting.settle(f"back to {gate}")
    goes = f"goes back to {gate}" if came_in else f"stays on {gate} (ruling S-9)"
    meeting.says(f"{winner} {goes}, and may not enter the fairy land there again.")


def _sides(it: Fight, dead: list[Chariot]) -> tuple[Unit, Unit]:
    """The winner, which has a chariot left, and the loser, which has none."""
    gone = all(c in dead for c in it.defender.chariots)
    return (it.attacker, it.defender) if gone else (it.defender, it.attacker)


# -- who dies ------------------------------------------------------------------------------------------------


async def _dead(meeting: Meeting, it: Fight) -> list[Chariot]:
    if it.defender.skin:
        meeting.says(f"{it.defender} has a stone skin: {it.attacker} loses without a throw.")
        return list(it.attacker.chariots)
    bets = await meeting.bets_on(it.attacker.owner, ON_A_FIGHT, f"{it}")
    if meeting.race.agreed.stacks and it.stacks == 2:
        dead = await _pair_off(meeting, it)
    elif meeting.race.agreed.stacks and it.stacks == 1:
        dead = await _one_against_many(meeting, it)
    else:
        won = await _duel(meeting, it, partial(_odds_of_a_duel, meeting.sticks, it.plus))
        dead = list(it.defender.chariots if won else it.attacker.chariots)
    meeting.settle_bets(bets, ATTACKER if all(c in dead for c in it.defender.chariots) else DEFENDER)
    return dead


ON_A_FIGHT = (Option(ATTACKER, "The attacker wins"), Option(DEFENDER, "The defender wins"))


async def _duel(meeting: Meeting, it: Fight, coach: Coach, whose: tuple[str, str] = ("", "")) -> bool:
    """Whether the attacker wins. Both throw until one is higher."""
    while True:
        a = await _fights(meeting, it.attacker, it.defender, whose[0], coach)
        meeting.table.so_far = _to_beat(it, [a])
        coach_of_b = partial(_odds_of_defending, meeting.sticks, it.plus, a)
        b = await _fights(meeting, it.defender, it.attacker, whose[1], coach_of_b)
        verdict = higher(a, b, it.plus)
        meeting.table.so_far = ""
        meeting.says(_compare(it, a, b, verdict))
        if verdict:
            return verdict > 0


async def _fights(meeting: Meeting, unit: Unit, other: Unit, whose: str, coach: Coach | None = None) -> Toss:
    return await meeting.throw(unit.owner, f"{whose} to fight {other}", "fight", coach, bets=False)


def _compare(it: Fight, a: Toss, b: Toss, verdict: int) -> str:
    """The two throws and their result as text, such as “Ann: tri (dog) + 1 = 4; Ben: dha (deer) = 2.”"""
    first, second = _sum_text(a, it.plus > 0), _sum_text(b, it.plus < 0)
    text = f"{it.attacker.owner}: {first}; {it.defender.owner}: {second}"
    if a.value - b.value + it.plus:
        return f"{text}."
    return f"{text}. A tie, and the higher animal wins." if verdict else f"{text}. A tie: both throw again."


def _to_beat(it: Fight, attacks: list[Toss]) -> str:
    """What the defender must beat, such as “Ann has tri (dog) + 1 = 4 to beat”."""
    more = f", and {it.defender.owner} counts one more" if it.plus < 0 else ""
    thrown = words.listed(_sum_text(a, it.plus > 0) for a in attacks)
    return f"{it.attacker.owner} has {thrown} to beat{more}"


def _sum_text(thrown: Toss, more: bool) -> str:
    """A throw with what it counts. more: with the one more of its side."""
    return f"{thrown.in_full}{' + 1' * more} = {thrown.value + more}"


async def _one_against_many(meeting: Meeting, it: Fight) -> list[Chariot]:
    """The chariots that die when one fights a stack.

    The single throw is compared with each throw of the stack, and only two that tie throw again (S-31).
    """
    sizes = len(it.attacker.chariots), len(it.defender.chariots)
    coach = partial(_odds_of_one_against_many, meeting.sticks, it.plus, *sizes)
    attacks = [await _fights(meeting, it.attacker, it.defender, w, coach) for w in _whose(it.attacker)]
    meeting.table.so_far = _to_beat(it, attacks)
    defences = [await _fights(meeting, it.defender, it.attacker, w) for w in _whose(it.defender)]
    meeting.table.so_far = ""
    dead: list[Chariot] = []
    for i, chariot in enumerate(it.attacker.chariots):
        for j, other in enumerate(it.defender.chariots):
            verdict = higher(attacks[i], defences[j], it.plus)
            meeting.says(_compare(it, attacks[i], defences[j], verdict))
            won = verdict > 0 if verdict else await _tied_two_again(meeting, it, chariot, other)
            dead.append(other if won else chariot)
    return [c for c in (*it.attacker.chariots, *it.defender.chariots) if c in dead]


async def _tied_two_again(meeting: Meeting, it: Fight, a: Chariot, b: Chariot) -> bool:
    return await _duel(
        meeting, it, partial(_odds_of_a_duel, meeting.sticks, it.plus), (_owner_text(a), _owner_text(b))
    )


async def _pair_off(meeting: Meeting, it: Fight) -> list[Chariot]:
    """The chariots that die when two stacks fight.

    They fight normal fights in pairs, from the top down. The survivors pair again, until one side is gone.
    """
    attackers, defenders = list(it.attacker.chariots), list(it.defender.chariots)
    dead: list[Chariot] = []
    while attackers and defenders:
        pairs = list(zip(attackers, defenders, strict=False))
        for i, (a, b) in enumerate(pairs):
            many, others = (sum(c not in dead for c in side) for side in (attackers, defenders))
            coach = partial(_odds_of_stacks, meeting.sticks, it.plus, many, others, len(pairs) - i)
            won = await _duel(meeting, it, coach, (_owner_text(a), _owner_text(b)))
            dead.append(b if won else a)
        attackers = [c for c in attackers if c not in dead]
        defenders = [c for c in defenders if c not in dead]
    return dead


def _whose(unit: Unit) -> list[str]:
    """Words that say for which chariot each throw is. Empty if there is only one chariot."""
    return [""] if len(unit.chariots) == 1 else [_owner_text(c) for c in unit.chariots]


def _owner_text(chariot: Chariot) -> str:
    return f" for {chariot.owner}'s chariot {chariot.number}"


# -- odds for the coach --------------------------------------------------------------------------------------


@cache
def _throws(sticks: str) -> dict[Toss, Fraction]:
    return odds.tosses(STICKS[sticks], toss)


@cache
def chance_to_win(sticks: str, plus: int) -> Fraction:
    """The chance that the attacker wins, one against one."""
    return odds.wins(_throws(sticks), partial(higher, plus=plus))


def _odds_of_a_duel(sticks: str, plus: int) -> tuple[Odds, ...]:
    return (Odds("the attacker wins", chance_to_win(sticks, plus)),)


def _odds_of_defending(sticks: str, plus: int, attack: Toss) -> tuple[Odds, ...]:
    return (
        Odds("the defender wins", 1 - odds.wins_with(attack, _throws(sticks), partial(higher, plus=plus))),
    )


def chance_of_a_side(sticks: str, plus: int, attackers: int, defenders: int) -> Fraction:
    """The chance that this many attackers win against this many defenders, if each chariot throws."""
    if attackers > 1 and defenders > 1:
        return odds.paired(chance_to_win(sticks, plus), attackers, defenders)
    if attackers == 1:
        return odds.beats_all(_throws(sticks), partial(higher, plus=plus), defenders)
    return 1 - odds.beats_all(_throws(sticks), partial(_from_the_other_side, plus), attackers)


def _odds_of_stacks(sticks: str, plus: int, attackers: int, defenders: int, pairs: int) -> tuple[Odds, ...]:
    return (
        Odds(
            "the attackers' side is left",
            odds.paired(chance_to_win(sticks, plus), attackers, defenders, pairs),
        ),
    )


def _odds_of_one_against_many(sticks: str, plus: int, attackers: int, defenders: int) -> tuple[Odds, ...]:
    """The odds of the single chariot. It lives only if it is higher than every chariot of the stack."""
    attackers_left = chance_of_a_side(sticks, plus, attackers, defenders)
    if attackers == 1:
        return (Odds("the attacker lives", attackers_left),)
    return (Odds("the defender lives", 1 - attackers_left),)


def _from_the_other_side(plus: int, defender: Toss, attacker: Toss) -> int:
    return -higher(attacker, defender, plus)
