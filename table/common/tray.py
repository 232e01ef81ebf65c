"""The state of the tray: one vocabulary for the camera, the referee, the page and the lights."""

from __future__ import annotations

from enum import StrEnum


class TrayState(StrEnum):
    """The activity or the trouble at the tray; the screen shows these words."""

    EMPTY = "EMPTY"
    WAITING = "WAITING"

    HAND = "HAND"
    ROLLING = "ROLLING"
    SETTLING = "SETTLING"
    READING = "READING"

    ACCEPTED = "ACCEPTED"
    WRONG_DICE = "WRONG DICE"
    OUT_OF_TURN = "OUT OF TURN"
    COCKED = "COCKED"
    STACKED = "STACKED"
    OFF_THE_TRAY = "OFF THE TRAY"
    UNSURE = "UNSURE"

    NO_CAMERA = "NO CAMERA"
    DARK = "DARK"
    COVERED = "COVERED"
    FROZEN = "FROZEN"
    BLURRED = "OUT OF FOCUS"
    MOVED = "MOVED"

    @property
    def moving(self) -> bool:
        """Dice roll, or a hand is over the tray."""
        return self in (TrayState.HAND, TrayState.ROLLING)

    @property
    def coming_to_rest(self) -> bool:
        """The dice have slowed down or lie still, and are read.

        No light may change, or the picture changes.
        """
        return self in (TrayState.SETTLING, TrayState.READING)

    @property
    def busy(self) -> bool:
        """A throw is not over: something moves, comes to rest or is read."""
        return self.moving or self.coming_to_rest

    @property
    def blind(self) -> bool:
        """The tray is not watched: events in the meantime do not count."""
        return self in BLIND

    @property
    def wrong(self) -> bool:
        """A person has to correct something before the game continues."""
        return self.blind or self in WRONG_ON_THE_TRAY


BLIND = frozenset({
    TrayState.NO_CAMERA, TrayState.DARK, TrayState.COVERED,
    TrayState.FROZEN, TrayState.BLURRED, TrayState.MOVED,
})  # fmt: skip

WRONG_ON_THE_TRAY = frozenset({
    TrayState.WRONG_DICE, TrayState.OUT_OF_TURN, TrayState.COCKED,
    TrayState.STACKED, TrayState.OFF_THE_TRAY, TrayState.UNSURE,
})  # fmt: skip
