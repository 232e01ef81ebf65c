"""A table for the page without camera or threads: a real referee and dice that the test puts on the tray.

The table records the actions it received, and raises `trouble` if the test sets it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from firmware.board import ButtonState
from table.common.errors import CannotLearn
from table.common.tray import TrayState
from table.exports.archive import Archive
from table.page.api import snapshot_json
from table.referee.actions import Action
from table.referee.snapshot import Snapshot
from table.setup.health import TableHealth
from table.setup.history import History
from table.setup.lights import LightsSetup
from table.setup.place import TrayPlaceSetup
from table.setup.sticks import STICK_FACES
from tests.referee.evening import SIZE
from tests.referee.stick_evening import StickEvening
from vision.frames import Frame, Picture
from vision.health.image_quality import ImageQuality, measured
from vision.health.picture_monitor import PictureMonitor
from vision.reading.enrolled_coins import COIN_FACES
from vision.readings import SeenDie, SeenStick
from vision.simulation.cups import Cup
from vision.simulation.dice import SimDie
from vision.tray.calibration import Calibration


@dataclass(frozen=True)
class DieInTray:
    """A die of the simulated tray: its centre in px, and its colour."""

    x: float
    y: float
    colour: str
    id: int = 0
    base: int = 0
    level: int = 0
    floor_mm: tuple[float, float] = (0.0, 0.0)


class FakeHand:
    """A simulated hand that throws the faces of the test and records what it was asked to do."""

    def __init__(self, table: FakeTable, faces: Sequence[int]) -> None:
        self._table = table
        self._faces: Iterator[int] = cycle(faces)
        self.thrown: list[tuple[tuple[str, ...], tuple[int, ...]]] = []
        self.thrown_sticks: list[tuple[tuple[str, ...], ...]] = []
        self.acts: list[tuple[str | int | float, ...]] = []
        self.resting = True
        self.cups: dict[str, Cup] = {}
        self.bases: tuple[int, ...] = ()

    def lay(self) -> tuple[DieInTray, ...]:
        return tuple(
            DieInTray(*die.centre_xy, die.colour, id=place, base=place)
            for place, die in sorted(self._table.evening.lying.items())
        )

    def lay_sticks(self) -> tuple[object, ...]:
        return ()

    def push_stick(self, place: int) -> None:
        self.acts.append(("push_stick", place))

    def throw_sticks(self, sticks: Sequence[Sequence[str]]) -> None:
        self.thrown_sticks.append(tuple(tuple(faces) for faces in sticks))

    def lay_felt_for(self, colours: Iterable[str]) -> None:
        self.acts.append(("felt", *sorted(colours)))

    def throw_under_cup(self, cup: str, by: str, colours: Sequence[str]) -> None:
        self.cups[cup] = Cup(by, tuple(SimDie(next(self._faces), colour, 0.0, 0.0) for colour in colours))

    def under_cup(self, cup: str) -> Cup | None:
        return self.cups.get(cup)

    def lift_cup(
        self, cup: str, colours: Sequence[str], chosen: Sequence[int] = (), any_colour: bool = False
    ) -> None:
        self._table.throws(*(chosen or self.cups[cup].faces[: len(colours)]), colour=colours[0])

    def set_person(self, from_front_rad: float = 0.0, skin: int = 0, sleeve: int = 0) -> None:
        self.acts.append(("set_person", from_front_rad, skin, sleeve))

    def put_on(self, place: int, on: int) -> None:
        self.acts.append(("put on", place, on))

    def pick_up(self, places: Sequence[int]) -> None:
        self.acts.append(("pick up", *places))

    def lay_again(self, place: int) -> None:
        self.acts.append(("lay again", place))

    def slide(self, place: int, to_mm: tuple[float, float] | None = None) -> None:
        self.acts.append(("slide", place))

    def knock(self, place: int) -> None:
        self.acts.append(("knock", place))

    def turn(self, place: int) -> None:
        self.acts.append(("turn", place))

    def turn_back(self) -> bool:
        turned = ("turn", 0) in self.acts
        self.acts += [("turn back",)] * turned
        return turned

    def tidy(self) -> None:
        self.acts.append(("tidy",))

    def lay_down(self, face: int, colour: str, at_mm: tuple[float, float] | None = None) -> None:
        self.acts.append(("lay", face, colour))

    def cover(self) -> None:
        self.acts.append(("cover",))

    def rest_sleeve(self) -> None:
        self.acts.append(("sleeve",))

    def bump(self) -> None:
        self.acts.append(("bump",))

    def lamp(self) -> None:
        self.acts.append(("lamp",))

    def fault(self, fault: str, seconds: float) -> None:
        self.acts.append((fault, seconds))

    def throw(self, colours: Sequence[str], leaving: Sequence[int] = ()) -> None:
        self.thrown.append((tuple(colours), tuple(leaving)))
        places = sorted(self._table.evening.lying)
        faces = [next(self._faces) for _ in colours]
        self._table.throws(*faces, leaving=tuple(places[i] for i in leaving), colour=colours[0])


class FakeColours:
    """Dice colours as the test sets them.

    in_tray: what the tray shows. refuses: the sentence of a table that cannot learn.
    """

    def __init__(self) -> None:
        self.taught: list[dict[str, Any]] = []
        self.history: History[list[dict[str, Any]]] = History()
        self.in_tray: dict[str, Any] = {
            "size": list(SIZE),
            "boxes": [],
            "swatches": [],
            "colour": None,
            "plays_as": None,
        }
        self.refuses = ""

    def lays(self, colour: str, swatch: str, count: int = 1) -> None:
        boxes = [[100.0 + 90 * i, 120.0, 50.0, 50.0] for i in range(count)]
        self.in_tray = {
            "size": list(SIZE),
            "boxes": boxes,
            "swatches": [swatch] * count,
            "colour": colour,
            "plays_as": colour,
        }

    def to_json(self) -> dict[str, Any]:
        telling = len(self.taught) > 1
        return {"colours": list(self.taught), "telling": telling, "undo": len(self.history)}

    def learnable_to_json(self) -> dict[str, Any]:
        return self.in_tray

    def learn(self, name: str, plays_as: str | None) -> None:
        if self.refuses:
            raise CannotLearn(self.refuses)
        self.history.changed(self.taught)
        self.taught = [c for c in self.taught if c["name"] != name]
        plays_as = plays_as or self.in_tray["plays_as"]
        self.taught.append(
            {"name": name, "plays_as": plays_as, "swatch": self.in_tray["swatches"][0], "samples": 1}
        )

    def forget(self, name: str) -> None:
        left = [c for c in self.taught if c["name"] != name]
        if len(left) == len(self.taught):
            raise LookupError(name)
        self.history.changed(self.taught)
        self.taught = left

    def undo(self) -> None:
        self.history.undo(lambda before: setattr(self, "taught", before))


class FakeSticks:
    """Sides of sticks or coins as the test sets them. refuses: the sentence of a table that cannot learn."""

    def __init__(self, faces: Sequence[str] = STICK_FACES) -> None:
        self.faces = faces
        self.samples: dict[str, int] = {}
        self.history: History[dict[str, int]] = History()
        self.in_tray: list[SeenStick] = []
        self.refuses = ""

    def to_json(self) -> dict[str, Any]:
        faces = [{"face": face, "samples": self.samples.get(face, 0)} for face in self.faces]
        return {"faces": faces, "telling": len(self.samples) > 1, "undo": len(self.history)}

    def learnable_to_json(self) -> dict[str, Any]:
        return {"size": list(SIZE), "sticks": [stick.to_json() for stick in self.in_tray]}

    def learn(self, face: str) -> None:
        if self.refuses:
            raise CannotLearn(self.refuses)
        self.history.changed(dict(self.samples))
        self.samples[face] = self.samples.get(face, 0) + 2

    def forget(self, face: str) -> None:
        before = dict(self.samples)
        del self.samples[face]
        self.history.changed(before)

    def undo(self) -> None:
        self.history.undo(lambda before: setattr(self, "samples", before))


class FakePins:
    """Lights and two buttons as the test sets them. lit: the lights tried, None is the status light."""

    def __init__(self) -> None:
        self.present, self.reason, self.seat_lights = False, "no lights or buttons: a test table", 0
        self.lit: list[int | None] = []
        self.pressed: dict[str, ButtonState] = {}

    def connects(self, seats: int) -> None:
        self.present, self.reason, self.seat_lights = True, f"{seats} seat lights on fake pins", seats
        self.pressed = {name: ButtonState(0, False, None) for name in ("confirm", "read_again")}

    def presses(self, name: str) -> None:
        self.pressed[name] = ButtonState(self.pressed[name].presses + 1, False, time.monotonic())

    def try_light(self, seat: int | None) -> None:
        self.lit.append(seat)

    def buttons(self) -> dict[str, ButtonState]:
        return self.pressed


class FakeMonitor(PictureMonitor):
    """Measures the fake's picture, as if nothing moved. quality_is: what the test sets instead."""

    def __init__(self, frame: Callable[[], Frame | None]) -> None:
        super().__init__()
        self._frame = frame
        self.quality_is: ImageQuality | None = None

    def quality(self) -> ImageQuality | None:
        frame = self._frame()
        return self.quality_is or (None if frame is None else measured([frame, frame]))


class FakeReplays:
    """The clips that the test puts there, by (at, whether the clip shows a foul)."""

    def __init__(self) -> None:
        self.clips: dict[tuple[int, bool], bytes] = {}

    def clip(self, at: int, foul: bool = False) -> bytes | None:
        return self.clips.get((at, foul))

    def to_json(self) -> dict[str, list[int]]:
        return {
            "throws": [at for at, foul in self.clips if not foul],
            "fouls": [at for at, foul in self.clips if foul],
        }


class FakeTable:
    """A table.page.ports.TableForPage. Every change makes a snapshot at once. Safe from any thread."""

    def __init__(
        self, folder: Path, game: str = "", *players: str, hand: Sequence[int] = (), **settings: Any
    ) -> None:
        """hand: the faces that the simulated hand throws, again and again. Without faces there is no hand."""
        self.evening = StickEvening(folder, game, *players, **settings)
        self.hand: FakeHand | None = FakeHand(self, hand) if hand else None
        self.colours = FakeColours()
        self.sticks = FakeSticks()
        self.coins = FakeSticks(COIN_FACES)
        self.replays = FakeReplays()
        self.archive = Archive(self.evening.path)
        self._shown: list[Picture | None] = [None]
        self.looked_again = 0
        self.calibration = Calibration()
        self.place = TrayPlaceSetup(self.calibration, self._frame, self._look_again)
        self.pins, self.monitor = FakePins(), FakeMonitor(self._frame)
        self.lights = LightsSetup(self.pins)
        self.done: list[Action] = []
        self.trouble: Exception | None = None
        self.closed = False
        self.blind = False
        self.evening.take_picture = self.tray_jpeg
        self._changed = threading.Condition(threading.RLock())
        self._run = 1
        self._frozen = False
        self._snapshot = Snapshot()
        self._publish()

    # -- as the page uses it

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    @property
    def health(self) -> TableHealth:
        pins = self.pins.present, self.pins.reason
        return TableHealth(
            lambda: self._snapshot,
            self.monitor,
            self.place,
            self.colours,
            self.sticks,
            pins,
            self.evening.path.parent,
        )

    def do(self, action: Action, timeout_s: float = 5.0) -> Snapshot:
        with self._changed:
            self.done.append(action)
            if self.trouble is not None:
                raise self.trouble
            self.evening.does(action)
            return self._publish()

    def wait_after(self, seq: int, timeout_s: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.seq > seq or self.closed, timeout_s)
            self._changed.wait_for(lambda: not self._frozen)
            return self._snapshot

    @property
    def shows(self) -> Picture | None:
        """The camera's picture; None while it shows the dice that lie there."""
        return self._shown[-1]

    @shows.setter
    def shows(self, picture: Picture | None) -> None:
        self._shown.append(picture)

    @property
    def picture(self) -> int | None:
        """Another number whenever the tray looks different."""
        if self.blind:
            return None
        lying = tuple(sorted(self.evening.lying.items()))
        return hash((lying, tuple(stick for _, stick in self.evening.sticks), len(self._shown))) % 1_000_000

    def tray_jpeg(self) -> bytes | None:
        frame = self._frame()
        return None if frame is None else bytes(cv2.imencode(".jpg", frame.picture)[1])

    # -- as the test uses it

    def waits_for(self, count: int) -> list[Action]:
        """What the page did, once it did this many things: a press takes a moment to arrive."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.done) >= count, 5.0)
            return list(self.done)

    def throws(
        self,
        *faces: int | tuple[int, str],
        leaving: tuple[int, ...] = (),
        colour: str | Sequence[str] = "white",
    ) -> tuple[int, ...]:
        """Throws dice on the tray. Returns their places, for a later `leaving`. colour: of all or each."""
        with self._changed:
            places = self.evening.throws(*faces, leaving=leaving, colour=colour)
            self._publish()
            return places

    def throws_sticks(self, *faces: str | SeenStick, **how: Any) -> None:
        """Throws sticks on the tray, as StickEvening does."""
        with self._changed:
            self.evening.throws_sticks(*faces, **how)
            self._publish()

    def snapshot_json(self) -> dict[str, Any]:
        """The current snapshot as the page receives it."""
        return snapshot_json(self, self._snapshot)

    def moves(self, state: TrayState, message: str = "") -> None:
        """Sets the state of the tray or of its camera."""
        with self._changed:
            self.evening.sees(state, message)
            self._publish()

    def previews(self, *faces: int | tuple[int, str]) -> None:
        """Throws dice that are shown but not judged yet, because one may still tip over."""
        with self._changed:
            self.evening.sees(TrayState.ROLLING)
            self.evening.previews(*self.evening.lands(*faces))
            self._publish()

    def settles(self) -> None:
        """The tray is read."""
        with self._changed:
            self.evening.settle()
            self._publish()

    def picks_up(self, *places: int) -> None:
        with self._changed:
            self.evening.picks_up(*places)
            self._publish()

    def turns(self, place: int, face: int) -> None:
        """A hand turns a die."""
        with self._changed:
            self.evening.turns(place, face)
            self._publish()

    def lays_down(self, face: int) -> None:
        """A hand lays a die down without throwing it."""
        with self._changed:
            self.evening.lays_down(face)
            self._publish()

    def tumbles(self, place: int, face: int) -> int:
        """Rolls a die across the tray without lifting it. The tray is not read yet. Returns the new place."""
        return self.evening.tumbles(place, face)

    def keeps(self, *faces: int) -> None:
        """Keeps dice on another screen."""
        with self._changed:
            self.evening.keeps(*faces)
            self._publish()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """The table does not answer inside this block, although its server runs."""
        with self._changed:
            self._frozen = True
        yield
        with self._changed:
            self._frozen = False
            self._changed.notify_all()

    def restarts_numbering(self) -> None:
        """Acts like a restart: the next snapshot is number 1 of another run."""
        self._run += 1
        self._snapshot = Snapshot()

    def close(self) -> None:
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def _frame(self) -> Frame | None:
        """The camera's picture: `shows` if the test has set it."""
        sticks = [stick for _, stick in self.evening.sticks]
        picture = (
            tray_picture(tuple(self.evening.lying.values()), sticks) if self.shows is None else self.shows
        )
        return None if self.blind else Frame(picture, 0.0)

    def _look_again(self) -> None:
        self.looked_again += 1

    def _publish(self) -> Snapshot:
        with self._changed:
            seq, run = self._snapshot.seq + 1, f"run {self._run}"
            self._snapshot = replace(self.evening.now, seq=seq, run=run, camera="test tray")
            self._changed.notify_all()
            return self._snapshot


def tray_picture(dice: Sequence[SeenDie], sticks: Sequence[SeenStick] = ()) -> Picture:
    """A picture of a tray with a plain square for every die, and a bar for every stick."""
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 40), np.uint8)
    for die in dice:
        x, y, w, h = (int(v) for v in die.box_xywh)
        cv2.rectangle(picture, (x, y), (x + w, y + h), (230, 240, 240), -1)
    for stick in sticks:
        cv2.fillPoly(picture, [np.round(stick.quad).astype(np.int32)], (120, 170, 210))
    return picture
