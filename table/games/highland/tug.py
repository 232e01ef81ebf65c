"""Tug of War: four dice against four, with two rerolls of one or two dice.

After a tie, each side throws its two highest dice again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from table.games.colours import coloured, with_colours
from table.games.highland.day import Day, set_of
from table.games.highland.sets import SET, ClanSet, Dice, choose_sets, rerolled, throw_set
from table.odds.highland import plays
from table.odds.highland import tug as odds
from table.rules import words
from table.rules.answers import Answer, Die, Throw
from table.rules.game import Table
from table.rules.prompts import Coach, DiceGroup

REROLLS = 2
FEWEST_KEPT = 2
"""Dice that stay in a reroll, so that one or two are thrown again (H-23)."""

HIGHEST = 2
"""Dice that each side throws in a sudden death."""


async def tug_of_war(day: Day, order: Sequence[str]) -> dict[str, int]:
    """Each player's points in the last event, written on the sheet. `order` is the order of play."""
    if len(order) == 1:
        return {order[0]: await _alone(day, order[0])}
    standing = sorted(order, key=lambda p: -day.table.sheet.total(p))
    totals = words.listed(f"{p} {day.table.sheet.total(p)}" for p in standing)
    day.table.rule(f"Tug of War by the totals so far: {totals}.")
    form = day.table.settings["tug_format"]
    if form == "bracket":
        pulls = await _bracket(day, standing)
    elif form == "round_robin" or len(standing) % 2:  # H-22
        pulls = [await pull(day, a, b) for a, b in combinations(standing, 2)]
    else:
        pulls = [await pull(day, a, b) for a, b in _neighbours(standing)]
    return {player: _write(day.table, player, pulls) for player in order}


# -- a lone player -------------------------------------------------------------------------------------------


async def _alone(day: Day, player: str) -> int:
    """The total of a lone player's own four dice, won or lost (H-20).

    The opponent is four dice that are never rerolled.
    """
    table = day.table
    theirs, ours = await choose_sets(table, player, "Tug of War: which colour is your opponent?")
    opponent = await throw_set(
        table, player, theirs, ", which are your opponent in the Tug of War", purpose="opponent"
    )
    table.rule(f"The opponent pulls with {set_of(opponent)}.")
    own = await _pulls(day, player, ours, opponent)
    while sum(own) == sum(opponent):
        own, opponent = await _sudden_death(
            day, Side(player, ours, own), Side("the opponent", theirs, opponent), player
        )
    won = "wins" if sum(own) > sum(opponent) else "loses"
    table.rule(f"{player} {won} the Tug of War, {sum(own)} to {sum(opponent)}.")
    table.sheet.score(player, sum(own), f"Tug of War: {set_of(own)}, {won} against {sum(opponent)}", "tug")
    day.update_so_far("")
    return sum(own)


# -- two or more players -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pull:
    """The result of one pull between two players. won, lost: their totals."""

    winner: str
    loser: str
    won: int
    lost: int


async def pull(day: Day, first: str, second: str) -> Pull:
    """The result of one pull.

    `first` has the higher total so far, and throws and rerolls before `second` (H-22).
    """
    table = day.table
    table.rule(f"Tug of War: {first} against {second}.")
    a, other = await choose_sets(table, first, f"Tug of War against {second}: which colour do you pull with?")
    dice_a = await _pulls(day, first, a)
    b, _ = await choose_sets(
        table, second, f"Tug of War against {first}: which colour do you pull with?", taken=a.colour
    )
    if b.colour is None:
        b = other
    dice_b = await _pulls(day, second, b, dice_a)
    while sum(dice_a) == sum(dice_b):
        dice_a, dice_b = await _sudden_death(day, Side(first, a, dice_a), Side(second, b, dice_b), second)
    day.update_so_far("")
    high, low = max(sum(dice_a), sum(dice_b)), min(sum(dice_a), sum(dice_b))
    winner, loser = (first, second) if sum(dice_a) == high else (second, first)
    table.rule(f"{winner} wins the pull against {loser}, {high} to {low}.")
    return Pull(winner, loser, high, low)


def _neighbours(standing: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs: first against second, third against fourth, and so on."""
    return list(zip(standing[::2], standing[1::2], strict=True))


async def _bracket(day: Day, standing: Sequence[str]) -> list[Pull]:
    """All pulls of a knock-out between neighbours.

    If the number of players is not a power of two, the highest pass the first round without a pull.
    """
    left, pulls = list(standing), list[Pull]()
    while len(left) > 1:
        free = _free(len(left))
        if free:
            go = "goes" if free == 1 else "go"
            day.table.rule(f"{words.listed(left[:free])} {go} on to the next round without a pull.")
        this_round = [await pull(day, a, b) for a, b in _neighbours(left[free:])]
        left = left[:free] + [p.winner for p in this_round]
        pulls += this_round
    return pulls


def _free(players: int) -> int:
    """How many players pass without a pull, so that a power of two is left."""
    power = 1 << (players.bit_length() - 1)
    return 0 if players == power else 2 * power - players


def _write(table: Table, player: str, pulls: Sequence[Pull]) -> int:
    """The best total with which the player won a pull, 0 if none was won (H-22).

    It is written on the sheet.
    """
    won = [p for p in pulls if p.winner == player]
    best = max(won, key=lambda p: p.won, default=None)
    if best is None:
        text = words.listed(f"{p.lost} to {p.won} against {p.winner}" for p in pulls if p.loser == player)
        table.sheet.score(player, 0, f"Tug of War: lost, {text}", "tug")
        return 0
    of = f", best of {words.listed(p.won for p in won)}" if len(won) > 1 else ""
    table.sheet.score(
        player, best.won, f"Tug of War: won against {best.loser}, {best.won} to {best.lost}{of}", "tug"
    )
    return best.won


# -- one pull ------------------------------------------------------------------------------------------------


async def _pulls(day: Day, player: str, four: ClanSet, against: Dice = ()) -> Dice:
    """The four dice of one side after its rerolls. against: the dice of the other side, if they lie."""
    target = f" against {sum(against)}" if against else ""
    keeps = plays.tug_pull(against)
    advice = day.advised(None, lambda: keeps.first(REROLLS, partial(plays.tug_before, against), opens=True))
    why = f" for the Tug of War{target}"
    dice = await throw_set(day.table, player, four, why, against, "pull", advice)
    coach = partial(odds.of_keeps, against, len(day.table.players) == 1)
    return await rerolled(
        day.table, player, four, dice, REROLLS,
        lambda now: f"{set_of(now)}{target}", coach, FEWEST_KEPT, against, "pull",
        keeps if day.rules.alone else None,
    )  # fmt: skip


@dataclass(frozen=True)
class Side:
    """One side of a pull: its name, the set it pulls with and its dice."""

    name: str
    four: ClanSet
    dice: Dice

    @property
    def lowest(self) -> Dice:
        """The dice that stay in a sudden death."""
        return tuple(sorted(self.dice))[: SET - HIGHEST]

    @property
    def highest(self) -> Dice:
        return tuple(sorted(self.dice))[SET - HIGHEST :]


async def _sudden_death(day: Day, a: Side, b: Side, player: str) -> tuple[Dice, Dice]:
    """The dice of both sides after a sudden death (H-21).

    Both throw their two highest dice, and all four are compared again. If the sides have colours, `player`
    throws for both at once.
    """
    table = day.table
    table.rule(f"A tie at {sum(a.dice)}, sudden death: both sides throw their two highest dice at once.")
    stay = a.lowest + b.lowest
    if a.four.colour is None:
        coach = day.advised(None, lambda: plays.tug_own_throw(a.lowest, b.lowest))
        new_a = await _throws_highest(table, a, stay, player, coach)
        coach = day.advised(None, lambda: plays.tug_answer(a.lowest + new_a, b.lowest))
        new_b = await _throws_highest(table, b, stay + new_a, player, coach)
    else:
        new_a, new_b = await _throw_together(day, a, b, stay, player)
    table.rule(f"Now {a.name} has {sum(a.lowest + new_a)}, and {b.name} {sum(b.lowest + new_b)}.")
    return a.lowest + new_a, b.lowest + new_b


async def _throws_highest(table: Table, side: Side, beside: Dice, player: str, coach: Coach | None) -> Dice:
    """The two highest dice of one side, thrown alone.

    Without colours, one throw does not tell whose dice are whose.
    """
    by = side.name if side.name in table.players else player
    whose = "your" if side.name in table.players else "the opponent's"
    text = f"{by}: throw {whose} two highest dice ({words.listed(side.highest)})."
    return (await table.throw(by, (DiceGroup(HIGHEST),), beside, "", "sudden death", text, coach)).faces


async def _throw_together(day: Day, a: Side, b: Side, beside: Dice, player: str) -> tuple[Dice, Dice]:
    table = day.table
    groups = (DiceGroup(HIGHEST, a.four.colour), DiceGroup(HIGHEST, b.four.colour))
    highest = (f"{side.four.colour} {words.listed(side.highest)}" for side in (a, b))
    text = f"{player}: throw the two highest dice of both sides together, {words.listed(highest, 'with')}."

    def split(dice: Sequence[Die]) -> tuple[Dice, Dice]:
        new_a, new_b = (tuple(d.face for d in dice if d.colour == side.four.colour) for side in (a, b))
        return new_a, new_b

    def final(answer: Answer) -> tuple[Dice, Dice]:
        assert isinstance(answer, Throw)
        new_a, new_b = split(with_colours(groups, answer))
        return a.lowest + new_a, b.lowest + new_b

    coach = day.advised(None, lambda: plays.tug_sudden_death(a.lowest, b.lowest, final))
    throw = await table.throw(player, groups, beside, "", "sudden death", text, coach)
    return split(coloured(table, groups, throw))
