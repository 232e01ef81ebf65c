"""The threads that answer requests, shared out so that nobody else can hold those of the table's own screen.

An answer that nobody reads holds its thread until the connection is closed. So each other address has a
number of requests in work, and so have all others together. Further requests of theirs wait, in the order in
which they came, until one of their own has been answered.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from waitress.task import ThreadedTaskDispatcher

from table.page.addresses import is_own

THREADS = 40
"""Threads of the server. Each open event stream holds one, so the limit is above stream.MAX_STREAMS."""

THREADS_OTHER = 8
"""Requests in work of one other address. A browser has six, its event streams among them."""

THREADS_OTHERS = 24
"""Requests in work of all other addresses together. The rest is for the table's own computer: as many as it
may have event streams, and some more."""


class Work(Protocol):
    """A connection with a request to answer."""

    address: str
    connected: bool

    def service(self) -> None: ...

    def cancel(self) -> None: ...


class SharedThreads(ThreadedTaskDispatcher):  # type: ignore[misc]
    """THREADS threads. add_task() lets a request wait while its address has too many in work."""

    def __init__(self) -> None:
        super().__init__()
        self.queue_logger.setLevel(logging.ERROR)  # a flood would fill the log with the length of the queue
        self._sharing = threading.Lock()
        self._in_work: Counter[str] = Counter()
        self._waiting: list[Work] = []
        self.set_thread_count(THREADS)

    def add_task(self, task: Work) -> None:
        with self._sharing:
            if not self._may_start(task.address):
                self._waiting = [each for each in self._waiting if each.connected]
                self._waiting.append(task)
                return
            self._in_work[task.address] += 1
        super().add_task(_Turn(self, task))

    def done(self, address: str) -> None:
        """A request of this address has been answered: one that waits may take its thread."""
        with self._sharing:
            self._in_work[address] -= 1
            self._in_work += Counter()  # forgets addresses without a request
            following = next((each for each in self._waiting if self._may_start(each.address)), None)
            if following is None:
                return
            self._waiting.remove(following)
            self._in_work[following.address] += 1
        super().add_task(_Turn(self, following))

    def _may_start(self, address: str) -> bool:
        if is_own(address):
            return True
        others = sum(n for each, n in self._in_work.items() if not is_own(each))
        return self._in_work[address] < THREADS_OTHER and others < THREADS_OTHERS


@dataclass(frozen=True)
class _Turn:
    """One request in work."""

    threads: SharedThreads
    work: Work

    def service(self) -> None:
        try:
            self.work.service()
        finally:
            self.threads.done(self.work.address)

    def cancel(self) -> None:
        self.work.cancel()
