"""The desk: the single thread that owns the match, and the single queue for all its input."""

from __future__ import annotations

import logging
import queue
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace

from table.common.errors import BrehonError
from table.referee.actions import Action
from table.referee.events import Event
from table.referee.referee import Referee
from table.referee.snapshot import Snapshot

logger = logging.getLogger(__name__)

Listener = Callable[[Snapshot], None]
_Work = Callable[[], None]


class TableBusy(BrehonError, TimeoutError):
    """The referee did not answer in time."""


class Desk:
    """Runs a Referee in a separate thread. Every public method may be called from any thread."""

    def __init__(self, referee: Referee, camera: str = "") -> None:
        self._referee = referee
        self._camera, self._run_token = camera, secrets.token_hex(4)
        self._inbox: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._listeners: list[Listener] = []
        self._snapshot = replace(referee.snapshot(), seq=1, run=self._run_token, camera=camera)
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="referee", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Runs the queued work, then ends the thread and wakes all waiting threads."""
        self._inbox.put(None)
        self._thread.join()
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    @property
    def closed(self) -> bool:
        return self._closed

    def subscribe(self, listener: Listener) -> None:
        """Calls `listener` with the newest snapshot and every later one.

        It runs in the referee's thread, so it must be quick.
        """
        self._inbox.put(lambda: self._add(listener))

    def wait_after(self, seq: int, timeout_s: float) -> Snapshot:
        """The newest snapshot: returns when it is newer than `seq`, or after timeout_s."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.seq > seq or self._closed, timeout_s)
            return self._snapshot

    def handle(self, event: Event, jpeg: bytes | None = None) -> None:
        """Queues an event of the vision pipeline. jpeg: the picture that a TrayRead was read from."""
        self._inbox.put(lambda: self._handle(event, jpeg))

    def set_camera(self, name: str) -> None:
        """Sets the name of the current camera."""
        self._inbox.put(lambda: setattr(self, "_camera", name))

    def do(self, action: Action, timeout_s: float = 5.0) -> Snapshot:
        """The snapshot after the referee has done this action. Raises the referee's error, or TableBusy."""
        done: Future[Snapshot] = Future()
        self._inbox.put(lambda: self._act(action, done))
        try:
            return done.result(timeout_s)
        except FutureTimeout:
            done.cancel()  # an action that is not done now is never done
            raise TableBusy("The table is busy and did not answer. Try again.") from None

    # -- in the thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        while (work := self._inbox.get()) is not None:
            try:
                work()
            except Exception:  # the thread continues; accepted answers are in the log
                logger.exception("the referee stumbled")
            self._publish()

    def _act(self, action: Action, done: Future[Snapshot]) -> None:
        if not done.set_running_or_notify_cancel():
            return
        try:
            self._referee.act(action)
        except BaseException as error:
            done.set_exception(error)
            if not isinstance(error, BrehonError):
                raise
        else:
            done.set_result(self._publish())

    def _handle(self, event: Event, jpeg: bytes | None) -> None:
        self._referee.handle(event, jpeg)

    def _add(self, listener: Listener) -> None:
        self._listeners.append(listener)
        self._notify(listener, self._snapshot)

    def _publish(self) -> Snapshot:
        now = replace(
            self._referee.snapshot(), seq=self._snapshot.seq, run=self._run_token, camera=self._camera
        )
        if now != self._snapshot:
            now = replace(now, seq=now.seq + 1)
            with self._changed:
                self._snapshot = now
                self._changed.notify_all()
            for listener in self._listeners:
                self._notify(listener, now)
        return self._snapshot

    def _notify(self, listener: Listener, snapshot: Snapshot) -> None:
        try:
            listener(snapshot)
        except Exception:  # a broken lamp must not stop a game
            logger.exception("a listener of the table stumbled")
