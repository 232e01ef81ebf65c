"""Instant replays: the seconds before each accepted throw and each foul.

They are stored beside the log and shown by the page.

A clip is cut in the vision thread when the tray has been read. It then waits for the referee's result. If
the reading leads to a throw or a foul, a separate thread writes the clip. The clip is available at once,
before it is on the disk.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from table.referee.effects import Accepted, Asked, Effect, Ruled
from table.referee.events import Event, TrayRead
from table.referee.snapshot import Snapshot
from vision.events import Settled, StateChanged, TrayEvent
from vision.frame_ring import LEAD_S, FrameRing
from vision.frames import Frame
from vision.motion_jpeg import ENDING
from vision.readings import Reading

MAX_BYTES = 200_000_000
"""Size limit of all clips, bytes: some 500 clips, or a dozen evenings."""

CUTS = 8
"""Readings whose clips wait for the referee's result; the referee is never this far behind."""

NAME = re.compile(r"(\d+)-(\d+)(-foul)?" + re.escape(ENDING))
"""File name of a clip: match, number of answers before the throw, and whether it shows a foul made then."""

FOULS = ("foul", "void")
"""Kinds of rulings that have a replay."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ClipName:
    """The throw that a clip shows: the one logged at `at` of this match, or the newest foul before it."""

    match: int
    at: int
    foul: bool = False

    @property
    def file(self) -> str:
        return f"{self.match}-{self.at}{'-foul' if self.foul else ''}{ENDING}"

    @classmethod
    def of(cls, file: str) -> ClipName | None:
        found = NAME.fullmatch(file)
        return cls(int(found[1]), int(found[2]), bool(found[3])) if found else None


class ClipStore:
    """The newest clips in a folder, written by a separate thread. Safe to use from any thread."""

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        self._folder, self._max_bytes = folder, max_bytes
        self._lock = threading.Lock()
        self._unwritten: dict[ClipName, bytes] = {}
        self._sizes = _clip_sizes(folder)
        self._inbox: SimpleQueue[ClipName | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="replays", daemon=True)
        self._thread.start()

    def put(self, name: ClipName, clip: bytes) -> None:
        """Stores a clip, and replaces one of the same name."""
        with self._lock:
            self._unwritten[name] = clip
        self._inbox.put(name)

    def get(self, name: ClipName) -> bytes | None:
        """The clip; None if there is none."""
        with self._lock:
            clip = self._unwritten.get(name)
            if clip is None and name not in self._sizes:
                return None
        try:
            return clip or (self._folder / name.file).read_bytes()
        except OSError:
            return None

    def names(self, match: int) -> tuple[ClipName, ...]:
        """The names of this match's clips, in order."""
        with self._lock:
            found = {name for name in (*self._sizes, *self._unwritten) if name.match == match}
        return tuple(sorted(found, key=lambda name: (name.at, name.foul)))

    def close(self) -> None:
        """Writes the queued clips, then ends."""
        self._inbox.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (name := self._inbox.get()) is not None:
            with self._lock:
                clip = self._unwritten.get(name)
            if clip is not None:
                self._write(name, clip)

    def _write(self, name: ClipName, clip: bytes) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            fresh = self._folder / f"{name.file}.new"
            fresh.write_bytes(clip)
            fresh.replace(self._folder / name.file)
        except OSError as error:
            logger.warning("a replay could not be kept in %s (%s)", self._folder, error.strerror or error)
        with self._lock:
            if self._unwritten.get(name) is clip:
                del self._unwritten[name]
            self._sizes.pop(name, None)
            if (self._folder / name.file).exists():
                self._sizes[name] = len(clip)
            too_many = self._drop_oldest()
        for old in too_many:
            (self._folder / old.file).unlink(missing_ok=True)

    def _drop_oldest(self) -> list[ClipName]:
        """The oldest clips beyond the size limit, which are removed from the list."""
        gone = list[ClipName]()
        while len(self._sizes) > 1 and sum(self._sizes.values()) > self._max_bytes:
            gone.append(next(iter(self._sizes)))
            del self._sizes[gone[-1]]
        return gone


class Replays:
    """Cuts clips of a running table, and gives them to the page.

    Call `on_frame` and `on_tray_event` in the vision thread, `on_referee_events` and `on_snapshot` in the
    referee's. match_id: the current match. answer_count: its number of answers, called in the referee's
    thread.
    """

    def __init__(
        self, store: ClipStore, match_id: Callable[[], int | None], answer_count: Callable[[], int]
    ) -> None:
        self._store, self._match_id, self._answer_count = store, match_id, answer_count
        self._ring = FrameRing()
        self._moving_since_s: float | None = None
        self._cuts: deque[tuple[Reading, bytes]] = deque(maxlen=CUTS)
        self._latest_clip = b""
        self._question_clip = b""

    # -- from vision -----------------------------------------------------------------------------------------

    def on_frame(self, frame: Frame, waits: bool) -> None:
        self._ring.add(frame, waits)

    def on_tray_event(self, event: TrayEvent) -> None:
        """Cuts a clip after a reading. Call it before the referee gets the event."""
        match event:
            case StateChanged(at_s, state) if state.moving and self._moving_since_s is None:
                self._moving_since_s = at_s
            case Settled(reading=reading, frame=frame) if self._moving_since_s is not None:
                self._cuts.append((reading, self._ring.cut(self._moving_since_s - LEAD_S, frame.at_s)))
                self._moving_since_s = None

    # -- from the referee ------------------------------------------------------------------------------------

    def on_referee_events(self, events: Sequence[Event], effects: Iterable[Effect], refused: str) -> None:
        """Stores the clip of a throw or a foul.

        If a question came first, the clip shows the throw, not the hands that point at the dice afterwards.
        """
        fresh = next((self._clip_of(event.reading) for event in events if isinstance(event, TrayRead)), None)
        self._latest_clip = fresh or self._latest_clip
        match_id = self._match_id()
        for effect in effects:
            match effect:
                case Accepted(at=int(at)) if match_id is not None:
                    self._store_clip(
                        ClipName(match_id, at), fresh or self._question_clip or self._latest_clip
                    )
                    self._question_clip = b""
                case Ruled(kind=kind) if kind in FOULS and match_id is not None:
                    self._store_clip(
                        ClipName(match_id, self._answer_count(), foul=True), fresh or self._latest_clip
                    )
                case Asked():
                    self._question_clip = self._question_clip or self._latest_clip
                case _:
                    pass

    def on_snapshot(self, now: Snapshot) -> None:
        """Keeps no frames of the tray while dice go under a cup."""
        prompt = now.match.prompt if now.match else None
        self._ring.set_closed(prompt is not None and prompt.kind == "hidden")

    def _clip_of(self, reading: Reading) -> bytes | None:
        """The clip that was cut at this reading; None if nothing had moved."""
        return next((clip for read, clip in tuple(self._cuts) if read is reading), None)

    def _store_clip(self, name: ClipName, clip: bytes) -> None:
        if clip:
            self._store.put(name, clip)

    # -- for the page ----------------------------------------------------------------------------------------

    def clip(self, at: int, foul: bool = False) -> bytes | None:
        """The clip of the throw logged at `at` of the current match, or of the newest foul before it.

        None if there is none.
        """
        match_id = self._match_id()
        return None if match_id is None else self._store.get(ClipName(match_id, at, foul))

    def to_json(self) -> dict[str, list[int]]:
        """{"throws": [at, ...], "fouls": [at, ...]}: the clips of the current match."""
        match_id = self._match_id()
        names = () if match_id is None else self._store.names(match_id)
        return {"throws": [n.at for n in names if not n.foul], "fouls": [n.at for n in names if n.foul]}


def _clip_sizes(folder: Path) -> dict[ClipName, int]:
    """The clips in the folder with their sizes, oldest first."""
    found = [(path, name) for path in folder.glob(f"*{ENDING}") if (name := ClipName.of(path.name))]
    stats = {name: path.stat() for path, name in found}
    return {
        name: stats[name].st_size
        for name in sorted(stats, key=lambda n: (stats[n].st_mtime_ns, n.match, n.at))
    }
