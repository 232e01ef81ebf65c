"""History: what was there before the last changes of a set-up, so that each can be undone."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from table.common.errors import IllegalAnswer

State = TypeVar("State")

MAX_CHANGES = 20
"""Number of changes that can be undone, one after another: more than anybody makes in one set-up."""

NOTHING_TO_UNDO = "Nothing was changed here since the table was started, so there is nothing to undo."


class History(Generic[State]):
    """The states before the last changes since the table was started. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._before: deque[State] = deque(maxlen=MAX_CHANGES)

    def __len__(self) -> int:
        with self._lock:
            return len(self._before)

    def changed(self, before: State) -> None:
        """Remembers the state before a change."""
        with self._lock:
            self._before.append(before)

    def undo(self, put_back: Callable[[State], None]) -> None:
        """Puts back the state before the newest change; raises IllegalAnswer if there was no change.

        If `put_back` raises an error, the change can still be undone later.
        """
        with self._lock:
            if not self._before:
                raise IllegalAnswer(NOTHING_TO_UNDO)
            put_back(self._before[-1])
            self._before.pop()
