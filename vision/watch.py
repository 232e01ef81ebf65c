"""The watch over the tray: camera, settle, read, and what is told about it.

`Eyes` is the pipeline without a thread: a frame in, events out. `Watch` runs it in a thread of its own from a camera, keeps
the newest frame for the page, and comes back when a camera was lost.

A reading is believed after repeated hits: two in a row that agree. The first of them is taken already while the dice settle, so that
usually only one stands between rest and ruling.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from statistics import median
from typing import Protocol, TypeVar

import cv2

from table.errors import BrehonError, CameraUnavailable
from vision.frames import Camera, Frame, Picture
from vision.reading import Reading, SeenDie, SeenStick
from vision.settle import Settle, Stillness

MOST_READINGS = 6
"""Readings taken of a tray at rest before one is handed on with what is in dispute marked unsure; half a second on a Pi."""

SAME_DIE = 0.5
"""Two readings mean the same die when its middles are closer than this share of its shorter side."""

EARLY_SHARE = 0.5
"""The first reading is taken when this share of the settling time has passed."""

BACKOFF_S = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Waits between attempts to open a lost camera again; the last one repeats. A pulled USB plug is back within seconds."""

JPEG_QUALITY = 82
"""For the page: pips stay crisp, 60 kB at 800 x 600."""

LATENCIES_KEPT = 50

log = logging.getLogger("brehon.watch")


class Reads(Protocol):
    """What Watch needs of a reader."""

    def read(self, picture: Picture) -> Reading: ...


# --- what is told -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moving:
    """Something moves on the tray, since `at_s` on the camera's clock."""

    at_s: float


@dataclass(frozen=True)
class Settling:
    """Everything has slowed down; a reading follows if it stays so."""

    at_s: float


@dataclass(frozen=True)
class AtRest:
    """Nothing moves any more; the tray is being read."""

    at_s: float


@dataclass(frozen=True)
class Hand:
    """Somebody reaches in."""

    at_s: float


@dataclass(frozen=True, eq=False)
class Settled:
    """The tray is at rest and was read, twice alike or marked unsure; empty when nothing lies there.

    frame: the one that was read. latency_ms: from the moment the dice were slow to this event.
    """

    reading: Reading
    frame: Frame
    latency_ms: float = 0.0


@dataclass(frozen=True)
class ReadFailed:
    """The tray is at rest, but the reader broke on it; told instead of Settled."""

    error: Exception


@dataclass(frozen=True)
class Lost:
    """The camera stopped giving frames. Where it can be, it is being opened again; Found follows."""

    error: BrehonError


@dataclass(frozen=True)
class Found:
    """A camera that was lost, or waited for, is open; its frames follow. name: for people."""

    name: str


@dataclass(frozen=True)
class Ended:
    """The video or the folder of pictures is at its end."""


TrayEvent = Moving | Settling | AtRest | Hand | Settled | ReadFailed | Lost | Found | Ended


@dataclass(frozen=True)
class Latency:
    """From rest to reading, ms, over the last readings; all 0 before the first."""

    last_ms: float = 0.0
    median_ms: float = 0.0
    worst_ms: float = 0.0
    readings: int = 0


# --- two readings -------------------------------------------------------------------------------------------------------

Seen = TypeVar("Seen", SeenDie, SeenStick)


def agree(first: Reading, second: Reading) -> bool:
    """True when both readings hold the same dice and sticks: faces, colours, and places within half a die."""
    return not _unmatched(first, second) and not _unmatched(second, first)


def disputed(before: Reading, last: Reading) -> Reading:
    """The last reading with all that the one before does not confirm marked unsure, and what only that one saw added, unsure too."""
    doubted, gone = _unmatched(last, before), _unmatched(before, last)
    dice = [replace(d, sure=False) if id(d) in doubted else d for d in last.dice]
    dice += [replace(d, sure=False) for d in before.dice if id(d) in gone and not _covered(d, last.dice)]
    sticks = [replace(s, sure=False) if id(s) in doubted else s for s in last.sticks]
    sticks += [replace(s, sure=False) for s in before.sticks if id(s) in gone and not _covered(s, last.sticks)]
    return replace(last, dice=tuple(dice), sticks=tuple(sticks))


def _unmatched(one: Reading, other: Reading) -> set[int]:
    """ids of the dice and sticks of `one` that have no partner of their own in `other`."""
    return _without_partner(one.dice, other.dice, _same_die) | _without_partner(one.sticks, other.sticks, _same_stick)


def _without_partner(ours: Sequence[Seen], theirs: Sequence[Seen], same: Callable[[Seen, Seen], bool]) -> set[int]:
    free = list(theirs)
    alone: set[int] = set()
    for thing in ours:
        partner = next((other for other in free if same(thing, other)), None)
        if partner is None:
            alone.add(id(thing))
        else:
            free.remove(partner)
    return alone


def _same_die(a: SeenDie, b: SeenDie) -> bool:
    return a.face == b.face and a.colour == b.colour and a.cocked == b.cocked and _same_place(a, b)


def _same_stick(a: SeenStick, b: SeenStick) -> bool:
    return a.face == b.face and _same_place(a, b)


def _same_place(a: SeenDie | SeenStick, b: SeenDie | SeenStick) -> bool:
    (ax, ay, aw, ah), (bx, by, bw, bh) = a.box_xywh, b.box_xywh
    away = ((ax + aw / 2 - bx - bw / 2) ** 2 + (ay + ah / 2 - by - bh / 2) ** 2) ** 0.5
    return bool(away < SAME_DIE * min(aw, ah, bw, bh))


def _covered(thing: Seen, others: Iterable[Seen]) -> bool:
    return any(_same_place(thing, other) for other in others)


# --- the pipeline -------------------------------------------------------------------------------------------------------


class Eyes:
    """Frames in, events out; one thread only. clock: seconds, for the latency alone."""

    def __init__(self, reader: Reads, settle: Settle | None = None, clock: Callable[[], float] = time.perf_counter) -> None:
        self._reader, self._settle, self._clock = reader, settle or Settle(), clock
        self._told: Stillness | None = None
        self._candidate: Reading | None = None
        self._readings = 0
        self._done = self._asked = self._tried_early = False

    def see(self, frame: Frame) -> Iterator[TrayEvent]:
        """What this frame brings: a change of state, and a reading once the tray is at rest."""
        arrived = self._clock()
        state = self._settle.see(frame)
        if state is not self._told:
            yield from self._changed(state, frame)
        if state is Stillness.STILL and not self._done:
            yield from self._confirmed(frame, arrived)
        elif state is Stillness.SETTLING and not self._tried_early and self._half_settled(frame):
            self._tried_early, self._candidate = True, self._read_early(frame)

    def again(self) -> None:
        """Forgets what was read: the next frame at rest is read anew, and told, its latency counted from that frame."""
        self._forget()
        self._asked = True

    def _forget(self) -> None:
        self._done = self._asked = self._tried_early = False
        self._candidate, self._readings = None, 0

    def _changed(self, state: Stillness, frame: Frame) -> Iterator[TrayEvent]:
        self._told = state
        if state is Stillness.MOVING:
            self._forget()
            yield Moving(frame.at_s)
        elif state is Stillness.HAND:
            self._forget()
            yield Hand(frame.at_s)
        elif state is Stillness.SETTLING:
            self._forget()
            yield Settling(frame.at_s)
        elif not self._done:
            yield AtRest(frame.at_s)

    def _half_settled(self, frame: Frame) -> bool:
        since = self._settle.slow_since
        return since is not None and frame.at_s - since >= EARLY_SHARE * self._settle.settle_s

    def _read_early(self, frame: Frame) -> Reading | None:
        """A first reading; one that fails is no reading, the next will tell."""
        try:
            return self._reader.read(frame.picture)
        except Exception:
            log.debug("the early reading failed", exc_info=True)
            return None

    def _confirmed(self, frame: Frame, arrived: float) -> Iterator[TrayEvent]:
        """Reads; tells when this reading agrees with the one before, or when there were enough of them."""
        try:
            reading = self._reader.read(frame.picture)
        except Exception as error:
            log.exception("the reader broke on a picture")
            self._done = True
            yield ReadFailed(error)
            return
        before, self._candidate = self._candidate, reading
        self._readings += 1
        if before is not None and agree(before, reading):
            yield self._settled(reading, frame, arrived)
        elif before is not None and self._readings >= MOST_READINGS:
            yield self._settled(disputed(before, reading), frame, arrived)

    def _settled(self, reading: Reading, frame: Frame, arrived: float) -> Settled:
        self._done = True
        since = None if self._asked else self._settle.slow_since
        waited_s = frame.at_s - since if since is not None else 0.0
        return Settled(reading, frame, 1000 * (waited_s + self._clock() - arrived))


# --- the thread ---------------------------------------------------------------------------------------------------------


class Watch:
    """Runs a camera and a reader in a thread of its own and tells what happens on the tray.

    tell: called from that thread; must not block (a queue's `put`).
    reopen: opens a lost camera again; None: a loss is final.
    pause: waits so many seconds, True when the watch was stopped meanwhile; for tests.
    """

    def __init__(
        self,
        camera: Camera,
        reader: Reads,
        tell: Callable[[TrayEvent], None],
        *,
        reopen: Callable[[], Camera] | None = None,
        pause: Callable[[float], bool] | None = None,
    ) -> None:
        self.camera = camera
        self._reader, self._tell, self._reopen = reader, tell, reopen
        self._stopping = threading.Event()
        self._pause = pause or self._stopping.wait
        self._again = threading.Event()
        self._lock, self._encoding = threading.Lock(), threading.Lock()
        self._frame: Frame | None = None
        self._jpeg: tuple[Frame, bytes] | None = None
        self._latencies: deque[float] = deque(maxlen=LATENCIES_KEPT)
        self._thread = threading.Thread(target=self.run, name="watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the watch and closes the camera; safe to call twice and from any thread."""
        self._stopping.set()
        self.camera.close()

    def join(self, timeout_s: float | None = None) -> None:
        """Waits for the thread; at once when it was never started."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)

    def run(self) -> None:
        """The thread's work, also callable without one: until stop(), the end of the source, or a loss that is final."""
        while not self._stopping.is_set():
            try:
                self._watch_through()
                if not self._stopping.is_set():
                    self._tell(Ended())
                return
            except CameraUnavailable as lost:
                if self._stopping.is_set() or not self._reopened(lost):
                    return
            except Exception as error:  # of a driver, say: the table goes on, and people are told
                if self._stopping.is_set() or not self._reopened(_stumbled(error)):
                    return

    def read_again(self) -> None:
        """Has the tray read anew and told as Settled: at once when it is at rest, otherwise as soon as it is."""
        self._again.set()

    @property
    def latest_frame(self) -> Frame | None:
        """The newest; None before the first."""
        with self._lock:
            return self._frame

    def latest_jpeg(self) -> bytes | None:
        """The newest frame as a JPEG, encoded at most once a frame and only when asked for; None before the first."""
        frame = self.latest_frame
        if frame is None:
            return None
        with self._encoding:
            if self._jpeg is None or self._jpeg[0] is not frame:
                self._jpeg = (frame, as_jpeg(frame.picture))
            return self._jpeg[1]

    @property
    def latency(self) -> Latency:
        """From rest to reading, over the last readings."""
        with self._lock:
            kept = tuple(self._latencies)
        return Latency(kept[-1], median(kept), max(kept), len(kept)) if kept else Latency()

    def _watch_through(self) -> None:
        """One opening of the camera, from its first frame to its last."""
        eyes = Eyes(self._reader)
        for frame in self.camera.frames():
            if self._stopping.is_set():
                return
            with self._lock:
                self._frame = frame
            if self._again.is_set():
                self._again.clear()
                eyes.again()
            for event in eyes.see(frame):
                self._note(event)
                self._tell(event)

    def _note(self, event: TrayEvent) -> None:
        if isinstance(event, Settled):
            with self._lock:
                self._latencies.append(event.latency_ms)

    def _reopened(self, lost: CameraUnavailable) -> bool:
        """Tells the loss once, then tries to open the camera until it is there again; False when there is no hope or no wish."""
        log.warning("the camera was lost: %s", lost)
        self._tell(Lost(lost))
        with suppress(Exception):  # a driver that is gone may fail at anything
            self.camera.close()
        attempt = 0
        while self._reopen and not self._pause(BACKOFF_S[min(attempt, len(BACKOFF_S) - 1)]):
            try:
                self.camera = self._reopen()
            except Exception as still:
                log.debug("not back yet: %s", still)
                attempt += 1
                continue
            log.info("%s is open", self.camera.name)
            self._tell(Found(self.camera.name))
            return not self._closed_meanwhile()
        return False

    def _closed_meanwhile(self) -> bool:
        """True when stop() came while the camera was being opened: then it is closed here, stop() only knew the old one."""
        if self._stopping.is_set():
            self.camera.close()
        return self._stopping.is_set()


def _stumbled(error: Exception) -> CameraUnavailable:
    log.error("the watch stumbled", exc_info=error)
    why = f"{type(error).__name__}: {error}"
    return CameraUnavailable(f"the camera's pictures cannot be used ({why}); start the table again if it stays so")


def as_jpeg(picture: Picture) -> bytes:
    """The picture as a JPEG for the page."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError(f"a picture of shape {picture.shape} could not be encoded as JPEG")
    return bytes(data.tobytes())
