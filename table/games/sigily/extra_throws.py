"""The extra throws of a turn: why one follows, why not, and what becomes of a Free Turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table.games.sigily.cards import Bonus
from table.games.sigily.landing import Landing
from table.games.sigily.meeting import Meeting
from table.games.sigily.race import Chariot, Race, Unit
from table.games.sigily.sticks import IS_MATH_SIN, Toss

MAX_EXTRA_THROWS = 3
"""Extra throws of all kinds together, so that a turn has at most four throws for moves (S-3)."""


@dataclass
class Turn:
    """The state of a turn.

    on_gates: units that began it on a gate (S-6). free_turn: the chariots of the unit that a Free Turn was
    bought for. bound_to: these chariots, once the next throw must move them (S-22). extra: extra throws made.
    veil_shut: a veil stayed shut.
    """

    player: str
    on_gates: tuple[Unit, ...] = ()
    free_turn: Sequence[Chariot] = ()
    bound_to: Sequence[Chariot] = ()
    extra: int = 0
    veil_shut: bool = False


def check_free_turn(meeting: Meeting, it: Turn, landing: Landing) -> None:
    """Takes away a Free Turn that no throw can follow any more, and says why (S-22)."""
    why = _why_free_turn_is_lost(meeting.race, it, landing) if it.free_turn else ""
    if why:
        meeting.says(f"{it.player}'s Free Turn is lost, because {why}.")
        it.free_turn = ()


def _why_free_turn_is_lost(race: Race, it: Turn, landing: Landing) -> str:
    if landing.died:
        return "a chariot that dies ends the turn"
    if landing.bonus is Bonus.LOST:
        return "the answer was not good"
    if it.veil_shut and race.agreed.veil_takes_all:
        return "the veil stayed shut"
    unit = race.unit_with(it.free_turn)
    if unit is not None and unit.owner != it.player:
        return f"{unit.owner} moves that chariot now"
    return ""


def brings_another(meeting: Meeting, it: Turn, thrown: Toss, landing: Landing) -> bool:
    """Whether one more throw follows. There is only one, however many reasons there are (S-4)."""
    if landing.died or landing.bonus is Bonus.LOST:
        return False
    is_math_sin = thrown.value >= IS_MATH_SIN
    others = landing.bonus in (Bonus.EXTRA, Bonus.DENIED) or bool(it.free_turn)
    if not is_math_sin and not others:
        return False
    why_not = _why_no_more(meeting.race, it, others)
    if why_not:
        meeting.says(why_not)
    return not why_not


def _why_no_more(race: Race, it: Turn, others: bool) -> str:
    """Why no throw follows although one is earned, "" if one does.

    others: a solar sigil or a Free Turn earned it, not only a ceither or a coig.
    """
    if it.veil_shut and (race.agreed.veil_takes_all or not others):
        return f"No free throw for {it.player}, because the veil stayed shut."
    if it.extra == MAX_EXTRA_THROWS:
        return f"{it.player} has had three extra throws, and no more follow."
    if not race.has_something_to_move(it.player):
        return f"No free throw for {it.player}, because nothing is left to move."
    return ""


def more_can_follow(race: Race, it: Turn) -> bool:
    """Whether a solar sigil can give an extra throw now."""
    return it.extra < MAX_EXTRA_THROWS and not (it.veil_shut and race.agreed.veil_takes_all)


def bound_unit(race: Race, it: Turn) -> Unit | None:
    """The unit that a throw of a Free Turn moves, if it is still on the board (S-22)."""
    return race.unit_with(it.bound_to)
