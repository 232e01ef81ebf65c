"""`brehon run --record`: the camera's pictures and the referee's events.

With them, a ruling can be examined later.

A recording is a folder of append-only files, so that a power cut loses at most the last picture:

    recording.json       the versions of the software, and the camera
    palette.json         the household's dice colours, if known
    sticks.json          the household's own sticks, if known; coins.json: its coins
    calibration.json     the place of the tray, if known
    events.jsonl         a line for each event that reached the referee, with its result; "t" is in seconds
                         of the pictures
    frames-00001.mjpeg   the pictures with their times (vision/motion_jpeg.py), in segments; the oldest are
                         deleted to save space

Vision never waits for the recorder. Pictures pass through a short queue to a writer thread; a picture that
finds the queue full is dropped, and the recording says so. While the tray is idle only a few pictures a
second are kept, and all again from just before something moves. A disk that is full or removed ends the
recording, not the match.
"""

from __future__ import annotations

import importlib.metadata
import json
import logging
import platform
import shutil
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from types import MappingProxyType
from typing import Any, BinaryIO

import cv2
import numpy as np

from table.common.errors import BrehonError
from table.referee.effects import Announcement, Effect
from table.referee.events import Event
from vision.frames import Frame, Picture
from vision.motion_jpeg import ENDING, TIME_DIGITS, encoded, stamped

FORMAT = 1
"""Format of recordings; a Brehon that reads another format reports it."""

HEAD_NAME, EVENTS_NAME = "recording.json", "events.jsonl"

JPEG_QUALITY = 92
"""JPEG quality of the pictures: they give the same faces when read again. Each takes 250 kB and 3.5 ms of a
laptop core at 1280 x 960."""

QUEUED = 12
"""Queue size in pictures: 0.4 s of a camera, 44 MB at 1280 x 960. A card that stalls longer loses some."""

WAITING_S = 0.5
"""Interval between the kept pictures of an idle tray."""

LEAD_IN = 6
"""Pictures of an idle tray that are held back, and kept if something moves after them."""

SEGMENT_BYTES = 16_000_000
"""Size at which the next segment begins: making room deletes this much at once, some seconds."""

MAX_BYTES = 2_000_000_000
"""Size limit of all pictures in a folder of recordings: 5 minutes of movement at 1280 x 960 and 30 frames a
second, or some hours of an ordinary evening."""

REOPENED_S = 1.0
"""Time in a recording between the last picture of a lost camera and the next; the real time is unknown."""

CLOSING_S = 10.0
"""Time limit for the writer to write its queue when the table stops."""

logger = logging.getLogger(__name__)


class RecordingFailed(BrehonError, OSError):
    """The recording cannot begin."""


class Recorder:
    """Writes one recording.

    `record_frame` is for the vision thread, `record_event` for the referee's; neither ever waits or raises.

    root: the folder of recordings, in which this one gets a new folder. RecordingFailed: the folder cannot
    be written.
    """

    def __init__(
        self,
        root: Path,
        camera: str = "",
        *,
        max_bytes: int = MAX_BYTES,
        segment_bytes: int = SEGMENT_BYTES,
        settings_files: Mapping[str, Path] = MappingProxyType({}),
        open_: Callable[[Path], BinaryIO] = lambda path: path.open("ab"),
    ) -> None:
        """Opens a new recording.

        settings_files: files that configure the table, under their names in the recording; existing ones are
        copied. open_: opens a file for appending; for tests.
        """
        self._root, self._max_bytes, self._segment_bytes, self._open = root, max_bytes, segment_bytes, open_
        self.trouble = ""
        try:
            self.folder = _begun_folder(root, camera, settings_files)
            self._events = open_(self.folder / EVENTS_NAME)
        except OSError as error:
            raise RecordingFailed(
                f"{root} cannot be recorded to ({error.strerror or error}); give another folder"
            ) from error
        self._segment: BinaryIO | None = None
        self._segment_count = self._written = 0
        self._camera_s = self._offset_s = self._now_s = 0.0
        self._kept_s = -WAITING_S
        self._dropped = 0
        self._lead_in: deque[tuple[float, Picture]] = deque(maxlen=LEAD_IN)
        self._queue_slots = threading.Semaphore(QUEUED)
        self._inbox: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    # -- from the vision thread ------------------------------------------------------------------------------

    def record_frame(self, frame: Frame, waits: bool) -> None:
        """Records a frame. waits: nothing has moved on the tray for a while."""
        if self.trouble:
            return
        at_s = self._now_s = round(self._recording_time_s(frame.at_s), TIME_DIGITS)
        if waits and at_s - self._kept_s < WAITING_S:
            self._lead_in.append((at_s, frame.picture))
            return
        held = () if waits else tuple(self._lead_in)
        self._lead_in.clear()
        for picture_s, picture in (*held, (at_s, frame.picture)):
            self._queue_picture(picture_s, picture)

    def _recording_time_s(self, camera_s: float) -> float:
        """The frame's time on the recording's clock, which goes on when a reopened camera restarts."""
        if camera_s < self._camera_s:
            self._offset_s = self._now_s + REOPENED_S - camera_s
            self._queue_line({"t": self._now_s, "reopened": True})
        self._camera_s = camera_s
        return camera_s + self._offset_s

    def _queue_picture(self, at_s: float, picture: Picture) -> None:
        self._kept_s = at_s
        if not self._queue_slots.acquire(blocking=False):
            if not self._dropped:
                logger.warning(
                    "the recording cannot keep up: pictures are left out of it from %.1f s on", at_s
                )
            self._dropped += 1
            return
        if self._dropped:
            self._queue_line({"t": at_s, "dropped": self._dropped})
            self._dropped = 0
        self._inbox.put(lambda: self._write_picture(at_s, picture))

    # -- from the referee's thread ---------------------------------------------------------------------------

    def record_event(
        self, events: Sequence[Event], effects: Iterable[Effect] = (), refused: str = ""
    ) -> None:
        """Records an event with its follow-up events and effects. refused: the refusal's sentence."""
        at_s, announced = self._now_s, [effect for effect in effects if isinstance(effect, Announcement)]
        self._inbox.put(lambda: self._write_line(_event_line(at_s, events, announced, refused)))

    @property
    def queued(self) -> int:
        """Number of pictures and lines that wait to be written."""
        return self._inbox.qsize()

    def close(self) -> None:
        """Writes the queue, then ends; waits at most CLOSING_S for a disk that does not respond."""
        self._inbox.put(None)
        self._thread.join(CLOSING_S)

    # -- in the writer's thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        while (work := self._inbox.get()) is not None:
            if not self.trouble:
                try:
                    work()
                except Exception as error:  # no fault of a disk or a picture may stop the table
                    self._end(error)
        for file in (self._events, self._segment):
            if file is not None:
                with suppress(OSError):  # a full disk refuses the remaining data again
                    file.close()

    def _queue_line(self, data: Mapping[str, Any]) -> None:
        self._inbox.put(lambda: self._write_line(data))

    def _write_line(self, data: Mapping[str, Any]) -> None:
        self._events.write((json.dumps(data, ensure_ascii=False) + "\n").encode())
        self._events.flush()

    def _write_picture(self, at_s: float, picture: Picture) -> None:
        data = stamped(encoded(picture, JPEG_QUALITY), at_s)
        self._queue_slots.release()
        if self._segment is None or self._written + len(data) > self._segment_bytes:
            self._next_segment()
        assert self._segment is not None
        self._segment.write(data)
        self._segment.flush()
        self._written += len(data)

    def _next_segment(self) -> None:
        if self._segment is not None:
            self._segment.close()
        _make_room(self._root, self.folder, self._max_bytes - self._segment_bytes)
        self._segment_count += 1
        self._segment, self._written = self._open(self.folder / f"frames-{self._segment_count:05}{ENDING}"), 0

    def _end(self, error: Exception) -> None:
        why = getattr(error, "strerror", None) or error
        self.trouble = f"The recording in {self.folder} ends ({why}). The table goes on without it."
        self._lead_in.clear()
        logger.warning("%s", self.trouble)


def _event_line(
    at_s: float, events: Sequence[Event], effects: Iterable[Announcement], refused: str
) -> dict[str, Any]:
    line = {
        "t": at_s,
        "events": [event.to_json() for event in events],
        "effects": [effect.to_json() for effect in effects],
    }
    return line | ({"refused": refused} if refused else {})


def _head(camera: str) -> dict[str, Any]:
    """The content of recording.json: what made the recording."""
    made_by = {
        "brehon": importlib.metadata.version("brehon"),
        "python": platform.python_version(),
        "opencv": cv2.__version__,
        "numpy": np.__version__,
        "onnxruntime": importlib.metadata.version("onnxruntime"),
        "system": f"{sys.platform} {platform.machine()}",
    }
    return {
        "format": FORMAT,
        "begun": datetime.now().astimezone().isoformat(timespec="seconds"),
        "camera": camera,
        "made_by": made_by,
    }


def _begun_folder(root: Path, camera: str, settings_files: Mapping[str, Path]) -> Path:
    """A new folder with the head of the recording and copies of the settings files that exist."""
    folder = _new_folder(root)
    (folder / HEAD_NAME).write_text(json.dumps(_head(camera), indent=2) + "\n", "utf-8")
    for name, path in settings_files.items():
        if path.exists():
            shutil.copyfile(path, folder / name)
    return folder


def _new_folder(root: Path) -> Path:
    """A new folder, named after the current time; no earlier folder has this name."""
    name, n = f"{datetime.now():%Y-%m-%d-%H%M%S}", 1
    root.mkdir(parents=True, exist_ok=True)
    while True:
        folder = root / (name if n == 1 else f"{name}-{n}")
        try:
            folder.mkdir()
        except FileExistsError:
            n += 1
            continue
        return folder


def _make_room(root: Path, current: Path, max_bytes: int) -> None:
    """Removes the oldest segments of the oldest recordings down to the limit.

    A recording without segments is removed entirely.
    """
    segments = sorted(root.glob(f"*/frames-*{ENDING}"))
    sizes = {segment: segment.stat().st_size for segment in segments}
    total = sum(sizes.values())
    for segment in segments:
        if total <= max_bytes:
            return
        segment.unlink()
        total -= sizes[segment]
        if segment.parent != current and not any(segment.parent.glob(f"frames-*{ENDING}")):
            shutil.rmtree(segment.parent)
