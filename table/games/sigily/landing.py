"""What happens where a move ends, in this order (S-14): finish, curse, fights, fusing, coins, solar sigil."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from table.games.sigily.cards import Bonus, solar_bonus
from table.games.sigily.drawn import coins_text
from table.games.sigily.fights import fight
from table.games.sigily.meeting import Meeting
from table.games.sigily.moves import Course, heads_for_the_centre
from table.games.sigily.race import Chariot, Unit, names_of, where
from table.games.sigily.topology import CENTRE, fairies_watch, is_green, name
from table.rules import words


@dataclass(frozen=True)
class Landing:
    """The result of a landing. died: the turn is over (S-13). bonus: what a solar sigil adds."""

    died: bool = False
    bonus: Bonus = Bonus.NONE


async def land(meeting: Meeting, player: str, unit: Unit, course: Course, more: bool = True) -> Landing:
    """The result of moving the player's unit to the end of its course.

    more: whether an extra throw can follow in this turn.
    """
    race = meeting.race
    race.place(unit, course.place)
    progress = dict(zip(unit.chariots, course.progress, strict=True))
    arrived = [c for c, home in zip(unit.chariots, course.arrives, strict=True) if home]  # S-38
    if arrived:
        _finish(meeting, unit, arrived, course.exact)
        if not unit.chariots or race.over:
            return Landing()
    if unit.place in race.curses:
        _cursed(meeting, unit)
        return Landing(died=True)
    start = race.start_of(unit.owner)
    fought = await _fights(meeting, unit)
    if unit not in race.units:
        return Landing(died=True)
    if unit.place != course.place:  # S-10: a unit sent to a gate is placed, it does not land
        return Landing()
    for chariot in unit.chariots:
        chariot.progress = progress[chariot]
    if unit.entered_by is not None and not is_green(unit.place):
        unit.entered_by = None
        meeting.says(
            f"{unit} is out of the fairy land, "
            f"{unit.chariots[0].progress} sigils past its start (ruling S-8)."
        )
    _fuse(meeting, unit)
    if not (fought and fairies_watch(unit.place)):  # S-9
        _take_coins(meeting, unit)
    more = more and race.has_something_to_move(player)
    return Landing(bonus=await solar_bonus(meeting, player, start, unit.place, more))


def _finish(meeting: Meeting, unit: Unit, arrived: Sequence[Chariot], exact: bool) -> None:
    """Brings these chariots of the unit home.

    No exact count is needed (S-33). exact: the unit takes the coins on its sigil, because one of them stops
    on its start.
    """
    if exact:
        unit.coins += meeting.race.treasure.take(unit.place)
    whole, first = str(unit), arrived[0].number
    shares = meeting.race.finish(unit, arrived)
    meeting.says(_part_home_text(unit, arrived, shares) if unit.chariots else _home_text(whole, shares))
    for player in shares:
        if player in meeting.race.done:
            meeting.says(f"All chariots of {player} are home.")
    meeting.settle(f"chariot {first} comes home")


def _home_text(unit: str, shares: Mapping[str, int]) -> str:
    split = " and ".join(f"{n} to {player}" for player, n in shares.items())
    return f"{unit} is home with {coins_text(sum(shares.values()))}" + (
        f", split {split} (ruling S-12)." if len(shares) > 1 else "."
    )


def _part_home_text(rest: Unit, arrived: Sequence[Chariot], shares: Mapping[str, int]) -> str:
    """What people are told when riders leave a stack that goes on (S-38)."""
    are = "is" if len(arrived) == 1 else "are"
    return (
        f"{names_of(arrived)} {are} home with {coins_text(sum(shares.values()))}, and {rest} goes on "
        f"with {coins_text(rest.coins)} (ruling S-38)."
    )


def _cursed(meeting: Meeting, unit: Unit) -> None:
    """Kills the unit, even the caster's or one with a stone skin. Its coins go to the jackpot."""
    text = f"{unit} lands on the curse of {where(unit)} and dies"
    lost = unit.coins
    meeting.race.pay(unit, lost)
    meeting.race.take_off(unit, list(unit.chariots))
    meeting.says(f"{text}; {coins_text(lost)} to the jackpot." if lost else f"{text}.")
    meeting.settle("a druid's curse")


async def _fights(meeting: Meeting, unit: Unit) -> bool:
    """Whether there were enemies to fight.

    They are fought in the order they arrived (S-10), while the unit lives and stays.
    """
    race, place = meeting.race, unit.place
    enemies = [u for u in race.at(place) if not race.friends(unit.owner, u.owner)]
    if enemies:
        meeting.settle(f"on {name(place)}")
    for enemy in enemies:
        if not await fight(meeting, unit, enemy) or unit.place != place:
            break
    return bool(enemies)


def _fuse(meeting: Meeting, unit: Unit) -> None:
    """Fuses the unit with every unit of its owner or a partner there, in the order in which they arrived."""
    race = meeting.race
    for other in [u for u in race.at(unit.place) if u is not unit and race.friends(unit.owner, u.owner)]:
        race.fuse(unit, other)
        top = f", {unit.owner} on top" if len({c.owner for c in unit.chariots}) > 1 else ""
        coins = f", with {coins_text(unit.coins)}" if unit.coins else ""
        meeting.says(f"{names_of(unit.chariots)} go on as one on {where(unit)}{top}{coins}.")
        meeting.settle("chariots fuse")
    if len({c.entered_by for c in unit.chariots}) > 1:
        meeting.says(_way_on(unit))


def _way_on(unit: Unit) -> str:
    """Where a unit goes whose chariots came into the fairy land by different gates (S-37)."""
    gates = words.listed((name(gate) for gate in sorted(unit.gates_behind)), "or")
    heads = "heads for the centre and " if heads_for_the_centre(unit) and unit.place != CENTRE else ""
    return f"{unit} {heads}does not come out by {gates} (ruling S-37)."


def _take_coins(meeting: Meeting, unit: Unit) -> None:
    taken = meeting.race.treasure.take(unit.place)
    unit.coins += taken
    found = "takes the fairies' jackpot" if unit.place == CENTRE else f"lands on {name(unit.place)}"
    meeting.settle(f"chariot {unit.id} {found}")
