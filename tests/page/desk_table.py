"""A table for the page with a real desk: one thread owns the match and takes events from a queue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from table.common.tray import TrayState
from table.exports.archive import Archive
from table.referee.actions import Action
from table.referee.desk import Desk
from table.referee.events import TrayChanged
from table.referee.snapshot import Snapshot
from table.setup.health import TableHealth
from table.setup.lights import LightsSetup
from table.setup.place import TrayPlaceSetup
from table.simulated_hand import SimulatedHand
from tests.page.fake_table import FakeColours, FakePins, FakeReplays, FakeSticks
from tests.referee.evening import Evening
from vision.health.picture_monitor import PictureMonitor
from vision.tray.calibration import Calibration

JPEG = b"\xff\xd8 the tray"


class DeskTable:
    """A table.page.ports.TableForPage. The desk's thread reads the dice, as at a real table."""

    hand: SimulatedHand | None = None

    def __init__(self, folder: Path, game: str = "", *players: str, **settings: Any) -> None:
        self.evening = Evening(folder, game, *players, **settings)
        self.colours = FakeColours()
        self.sticks = FakeSticks()
        self.coins = FakeSticks()
        self.replays = FakeReplays()
        self.archive = Archive(self.evening.path)
        self.place = TrayPlaceSetup(Calibration(), lambda: None, lambda: None)
        self.lights = LightsSetup(FakePins())
        self.desk = Desk(self.evening.referee, camera="test tray")

    @property
    def snapshot(self) -> Snapshot:
        return self.desk.snapshot

    @property
    def closed(self) -> bool:
        return self.desk.closed

    @property
    def health(self) -> TableHealth:
        return TableHealth(
            lambda: self.snapshot,
            PictureMonitor(),
            self.place,
            self.colours,
            self.sticks,
            (False, ""),
            self.evening.path.parent,
        )

    def do(self, action: Action, timeout_s: float = 5.0) -> Snapshot:
        return self.desk.do(action, timeout_s)

    def wait_after(self, seq: int, timeout_s: float) -> Snapshot:
        return self.desk.wait_after(seq, timeout_s)

    @property
    def picture(self) -> int:
        return 1

    def tray_jpeg(self) -> bytes:
        return JPEG

    def throws(self, *faces: int) -> None:
        """Queues a throw and its reading for the desk."""
        self.evening.lands(*faces)
        self.desk.handle(TrayChanged(TrayState.ROLLING))
        self.desk.handle(self.evening.tray_read(), JPEG)


@contextmanager
def desk_at_work(folder: Path, game: str = "", *players: str, **settings: str) -> Iterator[DeskTable]:
    table = DeskTable(folder, game, *players, **settings)
    table.desk.start()
    try:
        yield table
    finally:
        if not table.closed:
            table.desk.stop()
