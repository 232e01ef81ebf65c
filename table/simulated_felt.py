"""The felt of the simulated tray follows the match: the dice that play stand out from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from table.referee.snapshot import Snapshot
from table.rules.game import Seat
from table.rules.prompts import Roll
from table.simulated_hand import SPARE_COLOUR


class FeltHand(Protocol):
    """What lays the felt of a simulated tray."""

    def lay_felt_for(self, colours: Iterable[str]) -> None: ...


class FeltFollower:
    """Lays other felt when another match begins. It stays until the next one, whatever lies in the tray."""

    def __init__(self, hand: FeltHand) -> None:
        self._hand = hand
        self._laid_for: tuple[str, tuple[Seat, ...]] | None = None

    def on_snapshot(self, now: Snapshot) -> None:
        match = now.match
        if match is None or (match.game, match.seats) == self._laid_for:
            return
        self._laid_for = match.game, match.seats
        self._hand.lay_felt_for(colours_in_play(now))


def colours_in_play(now: Snapshot) -> set[str]:
    """The colours of the dice that play: those of the seats and of the awaited throw."""
    match = now.match
    seats = match.seats if match else ()
    colours = {colour for seat in seats for colour in (seat.colour or SPARE_COLOUR, seat.second) if colour}
    if match and isinstance(match.prompt, Roll):
        colours |= {g.sample_colour for g in match.prompt.dice if g.sample_colour}
    return colours
