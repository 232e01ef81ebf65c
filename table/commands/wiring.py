"""The composition root: it connects camera, pipeline, desk, log, page and lights."""

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
from vision.cameras import reopener
from vision.cameras.simulated import SimulatedCamera
from vision.capture import CaptureLoop, as_jpeg
from vision.colours.palette_reader import PaletteReader
from vision.events import CameraRestored, Settled, TrayEvent
from vision.frames import Camera, Frame
from vision.reading.reader import Reader, is_current
from vision.tray.calibration import Calibration

logger = logging.getLogger(__name__)

FIRST_NUMBERS = 1_000_000_000
"""Each run of the table takes a random first snapshot number below this. A tap from before a restart is then
stale."""

STOPPING_S = 5.0
"""Time to finish the current reading when the table stops, seconds."""


@dataclass(frozen=True)
class RunningTable:
    """A running table for the page, a table.page.ports.TableForPage."""

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
    """A running table, until the block ends; raises BrehonError if a necessary part is missing.

    data: the folder of the log, the taught colours and the place of the tray. open_: opens the camera, after
    everything else. record: the folder for recordings. calibration: another file for the place of the tray.
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
    """The reader with the weights that this table learned (models.training.fine_tune), else with Brehon's own.

    Brehon's own are used also if the learned weights are unusable, or come from weights that were replaced by an
    update.
    """
    own = data / WEIGHTS_NAME
    if not own.exists():
        return Reader()
    try:
        if not is_current(own):
            logger.warning("%s comes from older weights and is not used; train it again (models.training.fine_tune)", own)
            return Reader()
        reader = Reader(own)
    except Exception as error:  # the table reads dice without that folder, whatever is in it
        logger.warning("the weights in %s cannot be used (%s); Brehon uses its own weights", own, error)
        return Reader()
    logger.info("reading with the weights that this table learned, %s", own)
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
    """The number of answers in the current match; 0 without a match."""
    match = referee.snapshot().match
    return match.at if match else 0


def tell(desk: Desk, event: TrayEvent) -> None:
    """Passes an event of the tray to the desk."""
    match event:
        case Settled(reading, frame, _, tracks, hand_rests):
            desk.see(TrayRead(reading, tracks, hand_rests), as_jpeg(frame.picture))
        case CameraRestored(name):
            desk.see_camera(name)
        case _:
            desk.see(changed(event))


def _pressed(desk: Desk, action: Action) -> None:
    """Does the action of a button. A button at the wrong moment does nothing; the page shows the prompt."""
    try:
        desk.do(action)
    except BrehonError as error:
        logger.info("button: %s", error)
