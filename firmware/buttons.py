"""DebouncedButton: one call per press of a button, even if the contact bounces."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

DEBOUNCE_S = 0.05
"""Time without an edge before a press counts, s. Datasheets of push buttons give 5 to 20 ms of bouncing; two
presses of a finger are more than 100 ms apart."""


class DebouncedButton:
    """Calls `when_pressed` once per press of a gpiozero DigitalInputDevice.

    gpiozero's Button would keep a thread for long presses. Press and release both bounce, so a press counts
    only after DEBOUNCE_S without an edge. clock: monotonic seconds.

    presses: number of presses so far. pressed_s: clock of the last one; None before the first.
    """

    def __init__(self, button: Any, clock: Callable[[], float] = time.monotonic) -> None:
        self.when_pressed: Callable[[], object] | None = None
        self.presses = 0
        self.pressed_s: float | None = None
        self._clock = clock
        self._last_edge_s = float("-inf")
        self._button = button
        button.when_activated = self._pressed
        button.when_deactivated = self._released

    @property
    def held(self) -> bool:
        """Whether it is held down now, or wired so that it always looks pressed."""
        return bool(self._button.value)

    def _pressed(self) -> None:
        if not self._settled():
            return
        self.presses += 1
        self.pressed_s = self._last_edge_s
        if self.when_pressed is not None:
            self.when_pressed()

    def _released(self) -> None:
        self._settled()

    def _settled(self) -> bool:
        """Whether this edge follows DEBOUNCE_S without one."""
        now = self._clock()
        settled = now - self._last_edge_s >= DEBOUNCE_S
        self._last_edge_s = now
        return settled
