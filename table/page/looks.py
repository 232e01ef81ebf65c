"""Work that a request can ask for, and that costs the table much: looks at the tray run the nets.

Nobody may ask for it at will. Screens that ask the same while the tray looks the same share one look. Beyond
that the table does it a few times at once, and then so many times a second. So it is with score sheets and
other files to print, of which one is made after another.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from table.common.errors import BrehonError

BURST = 6
"""Looks that may follow at once: some screens that open the same page."""

LOOKS_PER_S = 2.0
"""Looks per second in the long run. A person who teaches colours needs one in a few seconds, and a reading
takes a Pi about a tenth of a second."""


MAX_WAIT_S = 5.0
"""So long a request waits until the file is made that another one asked for."""

Made = TypeVar("Made")


class TooManyLooks(BrehonError, RuntimeError):
    """The table was asked too often to look at the tray, or to make a sheet."""


class Looks:
    """The looks of one table, for all its requests."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, done: str = "has looked at the tray"
    ) -> None:
        """clock: seconds. done: what the table has done, for a refusal."""
        self._clock, self._done = clock, done
        self._left, self._since_s = float(BURST), clock()
        self._lock, self._looking, self._making = threading.Lock(), threading.Lock(), threading.Lock()
        self._shared: dict[str, tuple[Hashable, Any]] = {}

    def take(self) -> None:
        """Counts one look; raises TooManyLooks if there is none left."""
        with self._lock:
            now_s = self._clock()
            self._left = min(BURST, self._left + (now_s - self._since_s) * LOOKS_PER_S)
            self._since_s = now_s
            if self._left < 1:
                raise TooManyLooks(f"The table {self._done} many times just now. Try again in a second.")
            self._left -= 1

    def made(self, make: Callable[[], Made]) -> Made:
        """What `make` makes, as one look; no two are made at once. Raises TooManyLooks after MAX_WAIT_S."""
        self.take()
        if not self._making.acquire(timeout=MAX_WAIT_S):
            raise TooManyLooks("The table is making another file. Try again when it is done.")
        try:
            return make()
        finally:
            self._making.release()

    def shared(self, what: str, moment: Hashable, look: Callable[[], Any]) -> Any:
        """What `look` sees. It looks once for all who ask for the same `what` at the same `moment`."""
        with self._looking:
            known = self._shared.get(what)
            if known is None or known[0] != moment:
                self.take()
                self._shared[what] = known = (moment, look())
            return known[1]

    def forget(self) -> None:
        """Lets the next requests look again, because the table has learned something."""
        with self._looking:
            self._shared.clear()
