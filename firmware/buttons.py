"""Buttons: one call a press, however the contact bounces."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

QUIET_S = 0.05
"""How long a contact must have been still before a press counts, s. Makers of push buttons give 5 to 20 ms of bouncing; a finger
that presses twice takes more than 100."""


class PressOnce:
    """Calls `when_pressed` once a press of a gpiozero DigitalInputDevice (a Button would keep a thread waiting for long presses).

    Pressing and letting go both bounce, so a press counts only after QUIET_S without any edge. `clock` gives seconds that only rise.
    """

    def __init__(self, button: Any, clock: Callable[[], float] = time.monotonic) -> None:
        self.when_pressed: Callable[[], object] | None = None
        self._clock = clock
        self._last_edge_s = float("-inf")
        self._button = button
        button.when_activated = self._pressed
        button.when_deactivated = self._released

    def _pressed(self) -> None:
        if self._still() and self.when_pressed is not None:
            self.when_pressed()

    def _released(self) -> None:
        self._still()

    def _still(self) -> bool:
        """Whether the contact was still until this edge."""
        now = self._clock()
        still = now - self._last_edge_s >= QUIET_S
        self._last_edge_s = now
        return still
