"""Trying the lights and buttons of a running table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from table.common.errors import IllegalAnswer

OPEN_AFTER_PRESS_S = 300.0
"""Time after the press of a button at the table for which other screens may try its lights, s: somebody who
sets the table up stands beside it."""

PRESS_FIRST = (
    "Press a button at the table first: then its lights can be tried from here for five minutes."
    " The table's own screen can try them at any time."
)


class Button(Protocol):
    """What a button has done; pressed_s: the monotonic time of its last press."""

    @property
    def presses(self) -> int: ...

    @property
    def held(self) -> bool: ...

    @property
    def pressed_s(self) -> float | None: ...


class Pins(Protocol):
    """The lights and buttons, as firmware.Firmware."""

    @property
    def present(self) -> bool: ...

    @property
    def reason(self) -> str: ...

    @property
    def seat_lights(self) -> int: ...

    def try_light(self, seat: int | None) -> None: ...

    def buttons(self) -> Mapping[str, Button]: ...


class LightsSetup:
    """The implementation of table.page.ports.TableLights. clock: seconds, as of the buttons.

    A guest's phone must not switch lights in the room. So other screens than the table's own may do that only
    after a press of a button, which needs a person at the table.
    """

    def __init__(self, pins: Pins, clock: Callable[[], float] = time.monotonic) -> None:
        self._pins, self._clock = pins, clock

    def to_json(self, own: bool) -> dict[str, Any]:
        buttons = self._pins.buttons().items()
        return {
            "present": self._pins.present,
            "reason": self._pins.reason,
            "seats": self._pins.seat_lights,
            "buttons": [{"name": name, "presses": b.presses, "held": b.held} for name, b in buttons],
            "may_try": self._pins.present and (own or self._somebody_is_there()),
        }

    def try_light(self, seat: int | None, own: bool) -> None:
        if self._pins.present and not own and not self._somebody_is_there():
            raise IllegalAnswer(PRESS_FIRST)
        self._pins.try_light(seat)

    def _somebody_is_there(self) -> bool:
        pressed = [b.pressed_s for b in self._pins.buttons().values() if b.pressed_s is not None]
        return bool(pressed) and self._clock() - max(pressed) < OPEN_AFTER_PRESS_S
