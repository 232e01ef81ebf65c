"""Time spent in methods, by nesting."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any


class Stopwatch:
    """Time spent in wrapped functions, s, by name; a nested call counts under both names, as "outer/inner".

    clock: s. On one core it is the thread's CPU time: that of an idle core, whatever else runs on it.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self.spent_s: dict[str, float] = defaultdict(float)
        self._within: list[str] = []

    def wrap(self, owner: type, method: str, name: str) -> None:
        """Measures this method from now on."""
        inner = getattr(owner, method)

        @wraps(inner)
        def timed(*args: Any, **kwargs: Any) -> Any:
            with self.timing(name):
                return inner(*args, **kwargs)

        setattr(owner, method, timed)

    @contextmanager
    def timing(self, name: str) -> Iterator[None]:
        self._within.append(name)
        path, began = "/".join(self._within), self._clock()
        try:
            yield
        finally:
            self.spent_s[path] += self._clock() - began
            self._within.pop()

    def taken_ms(self) -> dict[str, float]:
        """Time since the last call, ms, by path; functions that were not called are absent."""
        taken = {path: 1000 * spent for path, spent in self.spent_s.items()}
        self.spent_s.clear()
        return taken
