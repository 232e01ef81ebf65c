"""Lights: lamps that follow the snapshots.

They show whose turn it is, and whether the table waits for a throw or a person.

Theory of operation. A pure function, `light_state_of`, maps a snapshot to the lit seat and the state of the
status light. No light may change while dice come to rest and are read, because the picture would change with
it. A snapshot in such a state therefore freezes the lamps, even in the middle of a blink, until the next
snapshot in another state. The caller drives the blinking with `tick`, which takes the same lock as `show`:
after `show` returns with a reading under way, no edge can follow.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from table.referee.snapshot import Snapshot

FLASHES = (True, False, True, False, False, False)
"""The status light, tick by tick, while the camera does not see the tray: two flashes and a pause."""

TRIAL_TICKS = 5
"""Ticks for which a light that a person tries stays on: two seconds."""


class Lamp(Protocol):
    """A light that is on (1) or off (0), such as gpiozero's LED."""

    value: float


class Status(Enum):
    """The state of the status light, with its meaning."""

    OFF = "nothing is on"
    STEADY = "a throw is awaited"
    BLINKING = "somebody has to tap or put something right"
    FLASHING = "the camera does not see the tray"


@dataclass(frozen=True)
class LightState:
    """The state of all lights. seat: index of the lit seat, or None."""

    seat: int | None = None
    status: Status = Status.OFF


def light_state_of(snapshot: Snapshot) -> LightState:
    """The state of the lights for this snapshot, where no reading is under way."""
    match = snapshot.match
    if match is None or match.phase == "over":
        return LightState()
    prompt = match.prompt
    seat = match.seat_order.index(prompt.player) if prompt else None
    if snapshot.tray.blind:
        return LightState(seat, Status.FLASHING)
    blinks = prompt is None or prompt.kind != "roll" or snapshot.tray.state.wrong
    return LightState(seat, Status.BLINKING if blinks else Status.STEADY)


class Lights:
    """The lamps of a table. All methods are thread-safe."""

    def __init__(self, seats: Iterable[Lamp], status: Lamp) -> None:
        """seats: in seating order."""
        self._seats = tuple(seats)
        self._status = status
        self._state = LightState()
        self._frozen = False
        self._trial_ticks = self._flash = 0
        self._lock = threading.Lock()

    @property
    def seats(self) -> int:
        """The number of seat lights."""
        return len(self._seats)

    def show(self, snapshot: Snapshot) -> None:
        """Sets the lamps for this snapshot, or freezes them while the dice are read."""
        with self._lock:
            self._frozen = snapshot.tray.state.coming_to_rest
            if not self._frozen:
                self._apply(light_state_of(snapshot))

    def try_light(self, seat: int | None) -> bool:
        """Lights this seat's lamp alone for TRIAL_TICKS, or the status light (None).

        False while the dice are read: no light may change then. A snapshot with another state ends the trial.
        """
        with self._lock:
            if self._frozen:
                return False
            self._trial_ticks = TRIAL_TICKS
            self._set_all(seat, status=seat is None)
            return True

    def tick(self) -> None:
        """Advances a blinking or flashing status light, and ends a trial; called every half period."""
        with self._lock:
            if self._frozen:
                return
            if self._trial_ticks:
                self._trial_ticks -= 1
                if not self._trial_ticks:
                    self._set_all(self._state.seat, self._state.status is not Status.OFF)
            elif self._state.status is Status.BLINKING:
                _set(self._status, not self._status.value)
            elif self._state.status is Status.FLASHING:
                self._flash = (self._flash + 1) % len(FLASHES)
                _set(self._status, FLASHES[self._flash])

    def _apply(self, state: LightState) -> None:
        """Sets the lamps. A status light that continues to blink or to flash keeps its phase."""
        if self._trial_ticks and state == self._state:
            return
        continues = state.status is self._state.status and not self._trial_ticks
        self._flash = self._flash if continues else 0
        self._trial_ticks, self._state = 0, state
        self._set_all(state.seat, bool(self._status.value) if continues else state.status is not Status.OFF)

    def _set_all(self, seat: int | None, status: bool) -> None:
        for i, lamp in enumerate(self._seats):
            _set(lamp, i == seat)
        _set(self._status, status)


def _set(lamp: Lamp, lit: bool) -> None:
    if bool(lamp.value) != lit:
        lamp.value = float(lit)
