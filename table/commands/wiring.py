"""The composition root: it connects camera, pipeline, desk, log, page and lights."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware import Firmware, open_firmware
from table import games
from table.common.errors import BrehonError
from table.defaults import CALIBRATION_NAME, CLIPS_NAME, LOG_NAME, WEIGHTS_NAME
from table.exports.archive import Archive
from table.log.lock import locked_folder
from table.log.opening import open_log
from table.log.store import Log
from table.recording.instant_replays import ClipStore, Replays
from table.recording.observed_referee import ObservedReferee
from table.recording.recorder import Recorder
from table.referee.actions import Action, Confirm, RereadTray
from table.referee.desk import Desk
from table.referee.events import TrayRead
from table.referee.referee import Referee
from table.referee.snapshot import Snapshot
from table.referee.tray_events import to_tray_changed
from table.setup.colours import PALETTE_NAME, TaughtColours, open_palette_reader
from table.setup.emblems import EMBLEMS_NAME, EmblemTeacher, open_emblem_reader
from table.setup.health import TableHealth
from table.setup.lights import LightsSetup
from table.setup.place import TrayPlaceSetup, open_calibration
from table.setup.sticks import (
    COINS_NAME,
    STICKS_NAME,
    TaughtCoins,
    TaughtSticks,
    open_coin_reader,
    open_stick_reader,
)
from table.simulated_coins import CoinShower
from table.simulated_felt import FeltFollower
from vision.cameras import reopener
from vision.cameras.simulated import SimulatedCamera
from vision.capture import CaptureLoop, as_jpeg
from vision.colours.palette_reader import PaletteReader
from vision.events import CameraRestored, Settled, TrayEvent
from vision.frames import Camera, Frame
from vision.health.picture_monitor import PictureMonitor
from vision.reading.emblems import EmblemReader
from vision.reading.enrolled_coins import EnrolledCoinReader
from vision.reading.enrolled_sticks import EnrolledStickReader
from vision.reading.reader import Reader, is_current
from vision.tray.calibration import Calibration

logger = logging.getLogger(__name__)

FIRST_NUMBER_RANGE = 1_000_000_000
"""Each run of the table takes a random first snapshot number below this. A tap from before a restart is then
stale."""

STOPPING_S = 5.0
"""Time to finish the current reading when the table stops, seconds."""


@dataclass(frozen=True)
class Readers:
    """The reader of the table's pictures, and the readers of sticks, of coins and of emblems in it."""

    whole: PaletteReader
    sticks: EnrolledStickReader
    coins: EnrolledCoinReader
    emblems: EmblemReader


@dataclass(frozen=True)
class RunningTable:
    """A running table for the page, a table.page.ports.TableForPage."""

    desk: Desk
    capture: CaptureLoop
    log_path: Path
    hand: SimulatedCamera | None
    colours: TaughtColours
    sticks: TaughtSticks
    coins: TaughtCoins
    replays: Replays
    place: TrayPlaceSetup
    health: TableHealth
    lights: LightsSetup

    @property
    def snapshot(self) -> Snapshot:
        return self.desk.snapshot

    @property
    def archive(self) -> Archive:
        return Archive(self.log_path)

    @property
    def closed(self) -> bool:
        return self.desk.closed

    def do(self, action: Action, timeout_s: float = 5.0) -> Snapshot:
        return self.desk.do(action, timeout_s)

    def wait_after(self, seq: int, timeout_s: float) -> Snapshot:
        return self.desk.wait_after(seq, timeout_s)

    @property
    def picture(self) -> int | None:
        return self.capture.picture_number

    def tray_jpeg(self) -> bytes | None:
        return self.capture.latest_jpeg()


@contextmanager
def running_table(
    data: Path, open_: Callable[[], Camera], record: Path | None = None, calibration: Path | None = None
) -> Iterator[RunningTable]:
    """A running table, until the block ends; raises BrehonError if a necessary part is missing.

    data: the folder of the log, the taught colours and the place of the tray. open_: opens the camera, after
    everything else. record: the folder for recordings. calibration: another file for the place of the tray.
    """
    with ExitStack() as stack:
        stack.enter_context(locked_folder(data))
        log, trouble = open_log(data / LOG_NAME)
        stack.callback(log.close)
        emblem_reader, emblem_trouble = open_emblem_reader(data / EMBLEMS_NAME, open_reader(data))
        stick_reader, stick_trouble = open_stick_reader(data / STICKS_NAME, emblem_reader)
        coin_reader, coin_trouble = open_coin_reader(data / COINS_NAME, stick_reader)
        palette_reader, palette_trouble = open_palette_reader(data / PALETTE_NAME, coin_reader)
        calibration_file = calibration or data / CALIBRATION_NAME
        tray_calibration, calibration_trouble = open_calibration(
            calibration_file, named_by_user=calibration is not None
        )
        camera = open_()
        stack.callback(camera.close)
        settings = {
            PALETTE_NAME: data / PALETTE_NAME,
            STICKS_NAME: data / STICKS_NAME,
            COINS_NAME: data / COINS_NAME,
            EMBLEMS_NAME: data / EMBLEMS_NAME,
            CALIBRATION_NAME: calibration_file,
        }
        recorder = Recorder(record, camera.name, settings_files=settings) if record else None
        of_files = (palette_trouble, stick_trouble, coin_trouble, emblem_trouble, calibration_trouble)
        troubles = " ".join(filter(None, (trouble, *of_files)))
        readers = Readers(palette_reader, stick_reader, coin_reader, emblem_reader)
        yield _start_table(stack, log, troubles, readers, tray_calibration, camera, recorder)


def open_reader(data: Path) -> Reader:
    """The reader with the weights that this table learned (models.training.fine_tune), else Brehon's own.

    Brehon's own are used also if the learned weights are unusable, or come from weights that were replaced by
    an update.
    """
    weights = data / WEIGHTS_NAME
    if not weights.exists():
        return Reader()
    try:
        if not is_current(weights):
            logger.warning(
                "%s comes from older weights and is not used; train it again (models.training.fine_tune)",
                weights,
            )
            return Reader()
        reader = Reader(weights)
    except Exception as error:  # the table reads dice without that folder, whatever is in it
        logger.warning("the weights in %s cannot be used (%s); Brehon uses its own weights", weights, error)
        return Reader()
    logger.info("reading with the weights that this table learned, %s", weights)
    return reader


def _start_table(
    stack: ExitStack,
    log: Log,
    trouble: str,
    readers: Readers,
    calibration: Calibration,
    camera: Camera,
    recorder: Recorder | None,
) -> RunningTable:
    """The parts connected, with their threads running; `stack` stops them in reverse order."""
    referee = ObservedReferee(
        log, lambda: capture.read_again(), secrets.randbelow(FIRST_NUMBER_RANGE), trouble
    )
    referee.throw_listeners.append(EmblemTeacher(readers.emblems, run_in_background).on_throw)
    if recorder is not None:
        _record_referee(stack, referee, recorder)
    replays = _open_replays(stack, log.path.parent / CLIPS_NAME, referee)
    desk = Desk(referee, camera.name)
    monitor = PictureMonitor()
    capture = _capture_loop(camera, readers.whole, calibration, desk, replays, recorder, monitor)
    firmware = _connect_firmware(stack, desk)
    desk.subscribe(replays.on_snapshot)
    desk.subscribe(
        lambda snapshot: capture.watch_sticks(sticks_are_thrown(snapshot), coins_are_thrown(snapshot))
    )
    _start_threads(stack, desk, capture)
    hand = camera if isinstance(camera, SimulatedCamera) else None
    if hand is not None:
        desk.subscribe(FeltFollower(hand).on_snapshot)
        shower = CoinShower(readers.coins, hand, capture.read_again, run_in_background)
        desk.subscribe(shower.on_snapshot)
    colours = TaughtColours(readers.whole, lambda: capture.latest_frame, capture.read_again)
    sticks = TaughtSticks(readers.sticks, lambda: capture.latest_frame, capture.read_again)
    coins = TaughtCoins(readers.coins, lambda: capture.latest_frame, capture.read_again)
    place = TrayPlaceSetup(calibration, lambda: capture.latest_frame, capture.read_again)
    health = TableHealth(
        lambda: desk.snapshot,
        monitor,
        place,
        colours,
        sticks,
        (firmware.present, firmware.reason),
        log.path.parent,
    )
    return RunningTable(
        desk,
        capture,
        log.path,
        hand,
        colours,
        sticks,
        coins,
        replays,
        place,
        health,
        LightsSetup(firmware),
    )


def run_in_background(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="learning", daemon=True).start()


def _record_referee(stack: ExitStack, referee: ObservedReferee, recorder: Recorder) -> None:
    """Records how the referee began, and all its later events."""
    stack.callback(recorder.close)
    recorder.record_event(referee.opening)
    referee.listeners.append(recorder.record_event)


def _open_replays(stack: ExitStack, folder: Path, referee: ObservedReferee) -> Replays:
    """The instant replays of this referee's throws and fouls, in this folder."""
    store = ClipStore(folder)
    stack.callback(store.close)
    replays = Replays(store, lambda: referee.match_id, lambda: _answer_count(referee))
    referee.listeners.append(replays.on_referee_events)
    return replays


def _capture_loop(
    camera: Camera,
    palette_reader: PaletteReader,
    calibration: Calibration,
    desk: Desk,
    replays: Replays,
    recorder: Recorder | None,
    monitor: PictureMonitor,
) -> CaptureLoop:
    """The loop over the camera's frames.

    Monitor, replays and recorder get every frame; replays and desk get every event.
    """
    frame_listeners = [replays.on_frame, *([recorder.record_frame] if recorder else [])]

    def on_event(event: TrayEvent) -> None:
        replays.on_tray_event(event)
        forward(desk, event)

    def on_frame(frame: Frame, waits: bool) -> None:
        monitor.on_frame(frame)
        for listener in frame_listeners:
            listener(frame, waits)

    return CaptureLoop(
        camera, palette_reader, on_event, calibration=calibration, on_frame=on_frame, reopen=reopener(camera)
    )


def _connect_firmware(stack: ExitStack, desk: Desk) -> Firmware:
    """Connects the buttons and lights, if this computer has any, and returns them."""
    firmware = stack.enter_context(open_firmware())
    firmware.on_confirm(lambda: _do_quietly(desk, Confirm()))
    firmware.on_read_again(lambda: _do_quietly(desk, RereadTray()))
    desk.subscribe(firmware.show)
    return firmware


def _start_threads(stack: ExitStack, desk: Desk, capture: CaptureLoop) -> None:
    desk.start()
    stack.callback(desk.stop)
    capture.start()
    stack.callback(capture.join, STOPPING_S)
    stack.callback(capture.stop)


def _answer_count(referee: Referee) -> int:
    """The number of answers in the current match; 0 without a match."""
    match = referee.snapshot().match
    return match.at if match else 0


def sticks_are_thrown(snapshot: Snapshot) -> bool:
    """Whether a match is on in which sticks are thrown."""
    match = snapshot.match
    return match is not None and match.prompt is not None and games.game(match.game).throws_sticks


def coins_are_thrown(snapshot: Snapshot) -> bool:
    """Whether a match is on that is played with coins in place of sticks."""
    match = snapshot.match
    return match is not None and games.game(match.game).throws_coins(match.settings)


def forward(desk: Desk, event: TrayEvent) -> None:
    """Passes an event of the tray to the desk."""
    match event:
        case Settled(reading, frame, _, tracks, hand_rests, stick_tracks):
            desk.handle(TrayRead(reading, tracks, hand_rests, stick_tracks), as_jpeg(frame.picture))
        case CameraRestored(name):
            desk.set_camera(name)
        case _:
            desk.handle(to_tray_changed(event))


def _do_quietly(desk: Desk, action: Action) -> None:
    """Does the action of a button. A button at the wrong moment does nothing; the page shows the prompt."""
    try:
        desk.do(action)
    except BrehonError as error:
        logger.info("button: %s", error)
