"""The state of the tray: one vocabulary for the camera, the referee, the page and the lights."""

from __future__ import annotations

from enum import StrEnum


class TrayState(StrEnum):
    """What the tray is doing, or what is wrong with it; shown on screen by these words."""

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
    FLICKER = "FLICKER"

    @property
    def moving(self) -> bool:
        """Dice roll, or somebody reaches in."""
        return self in (TrayState.HAND, TrayState.ROLLING)

    @property
    def coming_to_rest(self) -> bool:
        """The dice have slowed down or lie still, and are being read: no light may change, or the picture changes with it."""
        return self in (TrayState.SETTLING, TrayState.READING)

    @property
    def busy(self) -> bool:
        """A throw is not over: something moves, comes to rest or is being read."""
        return self.moving or self.coming_to_rest

    @property
    def blind(self) -> bool:
        """The tray is not watched: what happens meanwhile counts for nothing."""
        return self in BLIND

    @property
    def wrong(self) -> bool:
        """Somebody has to put something right before the game goes on."""
        return self.blind or self in WRONG_ON_THE_TRAY


BLIND = frozenset({
    TrayState.NO_CAMERA, TrayState.DARK, TrayState.COVERED, TrayState.FROZEN, TrayState.BLURRED, TrayState.MOVED, TrayState.FLICKER
})  # fmt: skip

WRONG_ON_THE_TRAY = frozenset({
    TrayState.WRONG_DICE, TrayState.OUT_OF_TURN, TrayState.COCKED, TrayState.STACKED, TrayState.OFF_THE_TRAY, TrayState.UNSURE
})  # fmt: skip
