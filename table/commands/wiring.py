"""Everything put together: camera, eyes, desk, log, page and lights. The one place that knows them all."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware import open_firmware
from table.common.errors import BrehonError
from table.defaults import CALIBRATION_NAME, CLIPS_NAME, LOG_NAME, WEIGHTS_NAME
from table.log.lock import alone_in
from table.log.opening import open_log
from table.log.store import Log, throw_jpeg, throw_seen
from table.recording.instant_replays import Replays, Shelf
from table.recording.noting import NotedReferee
from table.recording.recorder import Recorder
from table.referee.actions import Action, Confirm, ReadAgain
from table.referee.desk import Desk
from table.referee.events import TrayRead
from table.referee.referee import Referee
from table.referee.snapshot import Snapshot
from table.referee.tray_events import changed
from table.setup.colours import PALETTE_NAME, TaughtColours, open_palette_reader
from table.setup.place import SetPlace, open_calibration
from vision.calibration import Calibration
from vision.cameras import reopener
from vision.cameras.simulated import SimulatedCamera
from vision.capture import CaptureLoop, as_jpeg
from vision.events import CameraRestored, Settled, TrayEvent
from vision.frames import Camera, Frame
from vision.palette_reader import PaletteReader
from vision.reader import Reader, is_current

logger = logging.getLogger(__name__)

FIRST_NUMBERS = 1_000_000_000
"""Each run of the table numbers its snapshots from another of so many: a tap made before a restart is then nobody's."""

STOPPING_S = 5.0
"""How long the eyes get to finish what they are reading when the table stops."""


@dataclass(frozen=True)
class RunningTable:
    """The table as the page knows it; see table.page.ports."""

    desk: Desk
    watch: CaptureLoop
    log_path: Path
    match_id: Callable[[], int | None]
    hand: SimulatedCamera | None
    colours: TaughtColours
    replays: Replays
    place: SetPlace

    @property
    def snapshot(self) -> Snapshot:
        return self.desk.snapshot

    @property
    def closed(self) -> bool:
        return self.desk.closed

    def do(self, action: Action, timeout_s: float = 5.0) -> Snapshot:
        return self.desk.do(action, timeout_s)

    def wait_after(self, seq: int, timeout_s: float) -> Snapshot:
        return self.desk.wait_after(seq, timeout_s)

    def tray_jpeg(self) -> bytes | None:
        return self.watch.latest_jpeg()

    def throw_jpeg(self, at: int) -> bytes | None:
        match_id = self.match_id()
        return None if match_id is None else throw_jpeg(self.log_path, match_id, at)

    def throw_seen(self, at: int) -> Mapping[str, Any] | None:
        match_id = self.match_id()
        return None if match_id is None else throw_seen(self.log_path, match_id, at)


@contextmanager
def running_table(
    data: Path, open_: Callable[[], Camera], record: Path | None = None, calibration: Path | None = None
) -> Iterator[RunningTable]:
    """A table at work, until the block ends; raises BrehonError where something it cannot do without is not there.

    data: the folder of the log and of what was taught. open_: opens the camera, once everything else is known to be there.
    record: the folder that a recording is kept in. calibration: the file with the place of the tray, where it is not the one beside
    the log.
    """
    with ExitStack() as stack:
        stack.enter_context(alone_in(data))
        log, trouble = open_log(data / LOG_NAME)
        stack.callback(log.close)
        palette_reader, spoiled = open_palette_reader(data / PALETTE_NAME, reader_of(data))
        place, unplaced = open_calibration(calibration or data / CALIBRATION_NAME, given=calibration is not None)
        camera = open_()
        stack.callback(camera.close)
        settings = {PALETTE_NAME: data / PALETTE_NAME, CALIBRATION_NAME: calibration or data / CALIBRATION_NAME}
        recorder = Recorder(record, camera.name, beside=settings) if record else None
        yield _wired(stack, log, " ".join(filter(None, (trouble, spoiled, unplaced))), palette_reader, place, camera, recorder)


def reader_of(data: Path) -> Reader:
    """The reader with the weights this table learnt (models.training.tune), or else with the ones that come with Brehon.

    The latter also where those it learnt are unusable, or were made from weights that an update has replaced since.
    """
    own = data / WEIGHTS_NAME
    if not own.exists():
        return Reader()
    try:
        if not is_current(own):
            logger.warning("%s was learnt from earlier weights than this Brehon's and is left alone; let the table learn again", own)
            return Reader()
        reader = Reader(own)
    except Exception as error:  # whatever lies in that folder: the table reads dice without it
        logger.warning("the weights in %s cannot be used (%s); the ones that come with Brehon are", own, error)
        return Reader()
    logger.info("reading with the weights learnt at this table, %s", own)
    return reader


def _wired(
    stack: ExitStack,
    log: Log,
    trouble: str,
    palette_reader: PaletteReader,
    calibration: Calibration,
    camera: Camera,
    recorder: Recorder | None,
) -> RunningTable:
    referee = NotedReferee(log, lambda: watch.read_again(), secrets.randbelow(FIRST_NUMBERS), trouble)
    if recorder is not None:
        stack.callback(recorder.close)
        recorder.note(referee.opening)
        referee.listeners.append(recorder.note)
    shelf = Shelf(log.path.parent / CLIPS_NAME)
    stack.callback(shelf.close)
    replays = Replays(shelf, lambda: referee.match_id, lambda: _answers(referee))
    referee.listeners.append(replays.noted)
    keepers = [replays.frame, *([recorder.frame] if recorder else [])]
    desk = Desk(referee, camera.name)

    def seen(event: TrayEvent) -> None:
        replays.seen(event)
        tell(desk, event)

    def keep(frame: Frame, waits: bool) -> None:
        for keeper in keepers:
            keeper(frame, waits)

    watch = CaptureLoop(camera, palette_reader, seen, calibration=calibration, on_frame=keep, reopen=reopener(camera))
    firmware = stack.enter_context(open_firmware())
    firmware.on_confirm(lambda: _pressed(desk, Confirm()))
    firmware.on_read_again(lambda: _pressed(desk, ReadAgain()))
    desk.start()
    stack.callback(desk.stop)
    desk.subscribe(firmware.show)
    desk.subscribe(replays.shown)
    watch.start()
    stack.callback(watch.join, STOPPING_S)
    stack.callback(watch.stop)
    hand = camera if isinstance(camera, SimulatedCamera) else None
    colours = TaughtColours(palette_reader, lambda: watch.latest_frame, watch.read_again)
    place = SetPlace(calibration, lambda: watch.latest_frame, watch.read_again)
    return RunningTable(desk, watch, log.path, lambda: referee.match_id, hand, colours, replays, place)


def _answers(referee: Referee) -> int:
    """How many answers the match on the table has."""
    match = referee.snapshot().match
    return match.at if match else 0


def tell(desk: Desk, event: TrayEvent) -> None:
    """Hands on to the desk what the eyes saw."""
    match event:
        case Settled(reading, frame, _, tracks, hand_rests):
            desk.see(TrayRead(reading, tracks, hand_rests), as_jpeg(frame.picture))
        case CameraRestored(name):
            desk.see_camera(name)
        case _:
            desk.see(changed(event))


def _pressed(desk: Desk, action: Action) -> None:
    """A button pressed at the wrong moment does nothing; the page says what is awaited."""
    try:
        desk.do(action)
    except BrehonError as error:
        logger.info("button: %s", error)
