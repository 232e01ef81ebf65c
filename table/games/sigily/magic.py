"""The eight spells: who may cast them, what they cost, and what they do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from table.games.sigily.drawn import chosen_unit, coins_text, moved
from table.games.sigily.meeting import Meeting
from table.games.sigily.race import ROUNDS_OF_WIND, Chariot, Race, Unit, Wind, where
from table.games.sigily.topology import RING, clockwise, is_green, name, quadrant
from table.odds import sigily as odds
from table.rules import words
from table.rules.board import Move
from table.rules.prompts import Odds, Option

BLOCK = 5
"""Coins that stop a freeze."""

REACH = 2
"""How far a fireball flies, in sigils of the ring ahead or behind."""


BURNS, MISSES = (1, 2), 3
"""The throws against a fireball that burn the target, and the one that does nothing. Others send it back."""


@dataclass(frozen=True)
class Spell:
    """A spell.

    collective: paid by any chariots of the player, those at home too; else by the one that casts it (S-26).
    before, after: cast before the throw, or after the moves.
    """

    id: str
    name: str
    cost: int
    collective: bool = False
    before: bool = True
    after: bool = False


CURSE = Spell("curse", "Druid Curse", 2, after=True)
FIREBALL = Spell("fireball", "Fireball", 2)
FREE_TURN = Spell("free_turn", "Free Turn", 4)
STONE_SKIN = Spell("stone_skin", "Stone Skin", 2, before=False, after=True)
REMOVE_CURSE = Spell("remove_curse", "Remove Curse", 2, collective=True)
SPEED = Spell("winds_of_speed", "Winds of Speed", 3, collective=True)
SLOTH = Spell("winds_of_sloth", "Winds of Sloth", 3, collective=True)
FREEZE = Spell("freeze", "Freeze", 3, collective=True)
SPELLS = (CURSE, FIREBALL, FREE_TURN, STONE_SKIN, REMOVE_CURSE, SPEED, SLOTH, FREEZE)


Foul = Callable[[str], str | None]
"""Why a spell that is not offered is refused."""


async def cast_before(meeting: Meeting, player: str, foul: Foul) -> Sequence[Chariot]:
    """The chariots of the unit that a Free Turn was bought for, none without one.

    The player may cast one spell before the throw. A player who is home is offered only collective spells
    (S-30).
    """
    spells = [s for s in _allowed(meeting.race) if s.before and _castable(meeting.race, player, s)]
    return await _cast_one(
        meeting, player, spells, Option("none", "No spell"), "cast a spell before the throw", foul
    )


async def cast_after(meeting: Meeting, player: str, foul: Foul) -> None:
    """Offers a Druid Curse or a Stone Skin after the moves. Without a spell the turn is over."""
    spells = [s for s in _allowed(meeting.race) if s.after and _castable(meeting.race, player, s)]
    over = Option("over", "My turn is over")
    await _cast_one(meeting, player, spells, over, "cast a last spell, or is your turn over", foul)


async def _cast_one(
    meeting: Meeting, player: str, spells: Sequence[Spell], without: Option, text: str, foul: Foul
) -> Sequence[Chariot]:
    if not spells:
        return ()
    options = [Option(s.id, f"{s.name}, {coins_text(s.cost)}") for s in spells]
    chosen = await meeting.table.choose(player, without, *options, text=f"{player}: {text}?", foul=foul)
    spell = next((s for s in spells if s.id == chosen), None)
    return (await CASTING[spell.id](meeting, player) or ()) if spell else ()


def _allowed(race: Race) -> list[Spell]:
    return [s for s in SPELLS if s.id in race.agreed.spells]


def _castable(race: Race, player: str, spell: Spell) -> bool:
    if spell.collective:
        return race.coins_of(player) >= spell.cost and COLLECTIVE_HAS_AIM[spell.id](race, player)
    return bool(_casters(race, player, spell))


def _casters(race: Race, player: str, spell: Spell) -> list[Unit]:
    """The player's units that can pay for the spell and have a target for it."""
    return [u for u in race.units_of(player) if u.coins >= spell.cost and SPECIFIC_HAS_AIM[spell.id](race, u)]


# -- targets -------------------------------------------------------------------------------------------------


def _can_be_cursed(race: Race, unit: Unit) -> bool:
    """Whether the place can be cursed: the ring except the gates, with one curse a territory (S-34)."""
    return quadrant(unit.place) is not None and not race.quadrant_cursed(unit.place)


def targets(race: Race, caster: Unit) -> list[Unit]:
    """Enemies within reach of a fireball, along the ring (S-20).

    No fireball flies from or into a green sigil.
    """
    if is_green(caster.place):
        return []
    return [
        u
        for u in race.units
        if not race.friends(caster.owner, u.owner) and not is_green(u.place) and _in_reach(caster, u)
    ]


def _in_reach(caster: Unit, unit: Unit) -> bool:
    assert isinstance(caster.place, int)
    assert isinstance(unit.place, int)
    ahead = clockwise(caster.place, unit.place)
    return min(ahead, RING - ahead) in range(1, REACH + 1)


def freezable(race: Race, player: str) -> list[str]:
    """The other players, without those who would lose a third turn running."""
    return [p for p in race.players if p != player and race.can_freeze(p)]


SPECIFIC_HAS_AIM: dict[str, Callable[[Race, Unit], bool]] = {
    "curse": _can_be_cursed,
    "fireball": lambda race, unit: bool(targets(race, unit)),
    "free_turn": lambda race, unit: True,
    "stone_skin": lambda race, unit: not unit.skin,
}
COLLECTIVE_HAS_AIM: dict[str, Callable[[Race, str], bool]] = {
    "remove_curse": lambda race, player: bool(race.curses),
    "winds_of_speed": lambda race, player: True,
    "winds_of_sloth": lambda race, player: True,
    "freeze": lambda race, player: bool(freezable(race, player)),
}


# -- spells --------------------------------------------------------------------------------------------------


async def _paid_caster(meeting: Meeting, player: str, spell: Spell) -> Unit:
    """The unit that casts the spell, after it has paid."""
    units = _casters(meeting.race, player, spell)
    unit = await pick_unit(meeting, player, units, f"which chariot pays for the {spell.name}")
    meeting.race.pay(unit, spell.cost)
    meeting.settle(f"coins of chariot {unit.id} for {spell.name}")
    return unit


async def pick_unit(meeting: Meeting, player: str, units: Sequence[Unit], text: str) -> Unit:
    """One of the player's own units, chosen by the number of its top chariot."""
    if len(units) == 1:
        return units[0]
    options = [_unit_option(u) for u in units]
    chosen = await meeting.table.choose(player, *options, text=f"{player}: {text}?")
    return next(u for u in units if u.id == chosen)


def _unit_option(unit: Unit) -> Option:
    text = f"Chariot {unit.id} on {where(unit)}, {coins_text(unit.coins)}"
    return Option(unit.id, text, move=chosen_unit(unit))


async def _pays_from_any(meeting: Meeting, player: str, coins: int, why: str) -> None:
    """Moves coins of the player to the jackpot, one by one.

    The player says which chariot pays, or those at home, while there is a choice.
    """
    race = meeting.race
    for left in range(coins, 0, -1):
        piles = {u.id: u for u in race.units_of(player) if u.coins}
        options = [_unit_option(u) for u in piles.values()]
        if race.stored[player]:
            options.append(Option("home", f"Chariots at home, {coins_text(race.stored[player])}"))
        chosen = options[0].id
        if len(options) > 1:
            text = f"{player}: {coins_text(left)} to pay for {why}. Who pays the next one?"
            chosen = await meeting.table.choose(player, *options, text=text)
        if chosen == "home":
            race.stored[player] -= 1
            race.treasure.to_jackpot(1)
        else:
            race.pay(piles[chosen], 1)
        meeting.settle(why)


async def _curse(meeting: Meeting, player: str) -> None:
    unit = await _paid_caster(meeting, player, CURSE)
    assert isinstance(unit.place, int)
    meeting.race.curses.append(unit.place)
    meeting.says(
        f"{player} lays a druid's curse on {where(unit)}: every unit that lands there from now on dies."
    )
    meeting.settle("a curse is laid")


async def _fireball(meeting: Meeting, player: str) -> None:
    """Casts a fireball, which kills a whole unit (S-20).

    A 4 or 5 sends it back, and its new target throws.
    """
    caster = await _paid_caster(meeting, player, FIREBALL)
    target, other = await _aimed_at(meeting, player, caster), caster
    meeting.says(f"{caster} flings a fireball at {target} on {where(target)}.")
    while not target.skin:
        coach = partial(_odds_of_a_fireball, other)
        thrown = await meeting.throw(
            target.owner, f" against the fireball at chariot {target.id}", "fireball", coach
        )
        if thrown.value in BURNS:
            _burnt(meeting, target)
            return
        if thrown.value == MISSES:
            meeting.says(f"Tri: the fireball does nothing to {target}.")
            return
        meeting.says(words.sentence(f"{thrown}: the fireball flies back at {other}"))
        target, other = other, target
    meeting.says(f"{target} has a stone skin: the fireball does nothing.")


async def _aimed_at(meeting: Meeting, player: str, caster: Unit) -> Unit:
    units = targets(meeting.race, caster)
    if len(units) == 1:
        return units[0]
    options = [
        Option(
            _target_id(meeting.race, u),
            f"{u} on {where(u)}, {coins_text(u.coins)}",
            move=moved(caster, u.place),
        )
        for u in units
    ]
    coach = partial(_odds_of_a_fireball, caster)
    chosen = await meeting.table.choose(
        player, *options, text=f"{player}: who is the target of the fireball?", coach=coach
    )
    return next(u for u, option in zip(units, options, strict=True) if option.id == chosen)


def _target_id(race: Race, unit: Unit) -> str:
    """The province and the number of the top chariot, as in "ulster_2"."""
    return f"{race.province(unit.owner).lower()}_{unit.id}"


def _burnt(meeting: Meeting, unit: Unit) -> None:
    """Takes the unit off the board. Its coins stay where it stood."""
    text, place = str(unit), name(unit.place)
    meeting.race.treasure.drop(unit.place, unit.coins)
    stay = "stays" if unit.coins == 1 else "stay"
    left = f"; {coins_text(unit.coins)}, slightly roasted, {stay} there" if unit.coins else ""
    unit.coins = 0
    meeting.race.take_off(unit, list(unit.chariots))
    meeting.says(f"The fireball burns {text} on {place}{left}.")
    meeting.settle(f"a fireball on {place}")


def _odds_of_a_fireball(other: Unit) -> tuple[Odds, ...]:
    """The odds of the unit that throws first and of the other one, which a stone skin protects."""
    if other.skin:
        return (Odds("the unit that throws first dies", odds.chance_of(BURNS)),)
    target, caster = odds.fireball()
    return (Odds("the unit that throws first dies", target), Odds("the other one dies", caster))


async def _free_turn(meeting: Meeting, player: str) -> Sequence[Chariot]:
    unit = await _paid_caster(meeting, player, FREE_TURN)
    meeting.says(f"{player} buys one more throw for chariot {unit.id}, after the first.")
    return tuple(unit.chariots)


async def _stone_skin(meeting: Meeting, player: str) -> None:
    unit = await _paid_caster(meeting, player, STONE_SKIN)
    unit.skin = True
    meeting.says(f"{unit} has a stone skin until it moves.")
    meeting.settle("a stone skin")


async def _remove_curse(meeting: Meeting, player: str) -> None:
    race = meeting.race
    place = race.curses[0]
    if len(race.curses) > 1:
        options = [_curse_option(p) for p in sorted(race.curses)]
        place = int(
            await meeting.table.choose(player, *options, text=f"{player}: which curse do you take off?")
        )
    await _pays_from_any(meeting, player, REMOVE_CURSE.cost, "the Remove Curse")
    race.curses.remove(place)
    meeting.says(f"{player} takes the curse off {name(place)}.")
    meeting.settle("a curse is taken off")


def _curse_option(place: int) -> Option:
    return Option(str(place), words.sentence(name(place)).rstrip("."), move=Move(to=str(place)))


async def _speed(meeting: Meeting, player: str) -> None:
    effect = "the caster's chariots move one more, and nobody moves backwards"
    await _wind(meeting, player, SPEED, "speed", effect)


async def _sloth(meeting: Meeting, player: str) -> None:
    effect = "the caster's opponents move one less, and backward moves are one longer"
    await _wind(meeting, player, SLOTH, "sloth", effect)


async def _wind(meeting: Meeting, player: str, spell: Spell, kind: str, effect: str) -> None:
    await _pays_from_any(meeting, player, spell.cost, f"the {spell.name}")
    meeting.race.winds.append(Wind(kind, player))
    meeting.says(f"{spell.name} of {player}: for {words.number(ROUNDS_OF_WIND)} rounds {effect}.")
    meeting.settle("a wind")


async def _freeze(meeting: Meeting, player: str) -> None:
    """Freezes a player. The spell costs its coins even if the target pays five to stop it (S-23)."""
    race = meeting.race
    among = freezable(race, player)
    target = among[0]
    if len(among) > 1:
        options = [Option(p, p) for p in among]
        target = await meeting.table.choose(player, *options, text=f"{player}: whom do you freeze?")
    await _pays_from_any(meeting, player, FREEZE.cost, "the Freeze")
    if race.coins_of(target) >= BLOCK and await _wards_off(meeting, target, player):
        await _pays_from_any(meeting, target, BLOCK, "stopping the freeze")
        meeting.says(f"{target} pays {BLOCK} coins and is not frozen.")
        return
    race.frost_ahead[target] += 1
    meeting.says(f"{target} is frozen and loses the next turn.")
    meeting.settle("frost")


async def _wards_off(meeting: Meeting, target: str, caster: str) -> bool:
    pay = Option("pay", f"Pay {BLOCK} coins")
    text = f"{target}: {caster} freezes you. Pay {BLOCK} coins, or lose your next turn?"
    return await meeting.table.choose(target, pay, Option("freeze", "Lose the next turn"), text=text) == "pay"


CASTING: dict[str, Callable[[Meeting, str], Awaitable[Sequence[Chariot] | None]]] = {
    "curse": _curse,
    "fireball": _fireball,
    "free_turn": _free_turn,
    "stone_skin": _stone_skin,
    "remove_curse": _remove_curse,
    "winds_of_speed": _speed,
    "winds_of_sloth": _sloth,
    "freeze": _freeze,
}
