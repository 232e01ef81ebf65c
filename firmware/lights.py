"""Lights from snapshots: whose turn it is, and whether the table waits for a throw or for somebody.

Theory of operation. A snapshot has one look (`look_of`, pure): which seat is lit and what the status light does. While the dice come
to rest and are read no light may change, or the picture would change with it: such a snapshot freezes the lamps as they are, in the
middle of a blink too, until the next one that is not being read. The blinking is driven from outside by `tick`, under the same lock
as `show`: once `show` has returned with a reading under way, no edge can follow.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from table.referee.snapshot import Snapshot


class Lamp(Protocol):
    """A light that is on (1) or off (0), such as gpiozero's LED."""

    value: float


class Status(Enum):
    """What the status light says."""

    OFF = "nothing is on"
    STEADY = "a throw is awaited"
    BLINKING = "somebody has to tap or put something right"


@dataclass(frozen=True)
class Look:
    """How the lights look: the seat that is lit, counted from 0, or None; and the status light."""

    seat: int | None = None
    status: Status = Status.OFF


def look_of(snapshot: Snapshot) -> Look:
    """How the lights look at this snapshot, where no reading is under way."""
    match = snapshot.match
    if match is None or match.phase == "over":
        return Look()
    if match.prompt is None:
        return Look(status=Status.BLINKING)
    seat = [s.name for s in match.seats].index(match.prompt.player)
    waits = match.prompt.kind != "roll" or snapshot.tray.state.wrong
    return Look(seat, Status.BLINKING if waits else Status.STEADY)


class Lights:
    """The lamps of a table. Safe to use from several threads."""

    def __init__(self, seats: Iterable[Lamp], status: Lamp) -> None:
        self._seats = tuple(seats)
        self._status = status
        self._look = Look()
        self._frozen = False
        self._lock = threading.Lock()

    def show(self, snapshot: Snapshot) -> None:
        """Looks as the snapshot asks, or stands still while the dice are being read."""
        with self._lock:
            self._frozen = snapshot.tray.state.coming_to_rest
            if not self._frozen:
                self._turn_to(look_of(snapshot))

    def tick(self) -> None:
        """Half a blink has passed."""
        with self._lock:
            if self._look.status is Status.BLINKING and not self._frozen:
                _set(self._status, not self._status.value)

    def _turn_to(self, look: Look) -> None:
        """A blink that goes on is not begun anew."""
        for i, lamp in enumerate(self._seats):
            _set(lamp, i == look.seat)
        if look.status is not self._look.status:
            _set(self._status, look.status is not Status.OFF)
        self._look = look


def _set(lamp: Lamp, lit: bool) -> None:
    if bool(lamp.value) != lit:
        lamp.value = float(lit)
