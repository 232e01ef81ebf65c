"""Sticks through the whole pipeline, on drawn trays."""

from __future__ import annotations

from collections.abc import Sequence

from tests.vision.sticks import DrawnStickReader, drawn, stick
from tests.vision.test_stick_tracker import FIRST, SECOND
from vision.colours.palette import Palette
from vision.colours.palette_reader import PaletteReader
from vision.events import Settled
from vision.frames import Frame, Picture
from vision.pipeline import Pipeline
from vision.readings import Reading, SeenStick
from vision.tracking.stick_tracks import StickOutcome

FPS = 30
REST_FRAMES = 25


class DrawnTray:
    """A pipeline over drawn frames."""

    def __init__(self, sticks: bool = True) -> None:
        self.reader = DrawnStickReader()
        self.pipeline = Pipeline(self.reader)
        self.pipeline.watch_sticks(sticks)
        self._frames = 0

    def shows(self, pictures: Sequence[Picture]) -> list[Settled]:
        events = []
        for picture in pictures:
            self._frames += 1
            events += list(self.pipeline.process(Frame(picture, self._frames / FPS)))
        return [event for event in events if isinstance(event, Settled)]

    def rests(self, *sticks: SeenStick) -> list[Settled]:
        return self.shows([drawn(sticks, seed) for seed in range(REST_FRAMES)])

    def hand(self, *under: SeenStick, takes: bool = False) -> list[Settled]:
        """An arm comes in from below over these sticks, stays for a moment and goes, perhaps with them."""
        return self.shows(arm_over(*under, takes=takes))


def arm_over(*under: SeenStick, takes: bool = False) -> list[Picture]:
    """Pictures of an arm that comes in from below over these sticks and goes, perhaps with them."""
    came = [_with_arm(drawn(under, y), y) for y in ARM_Y]
    left = [_with_arm(drawn(() if takes else under, y), y) for y in reversed(ARM_Y)]
    return [*came, *left]


ARM_Y = (480, 400, 320, 240, 160, 100, 99, 98)
"""Upper end of the arm, px."""


def _with_arm(picture: Picture, top: int) -> Picture:
    picture = picture.copy()
    picture[top:, 60:600] = (120, 150, 210)
    return picture


def outcomes(event: Settled) -> list[StickOutcome]:
    return [track.outcome for track in event.stick_tracks.sticks]


def test_a_throw_of_sticks_is_read_once_with_its_tracks() -> None:
    tray = DrawnTray()
    (empty,) = tray.rests()
    assert empty.reading.sticks == ()
    assert not tray.hand()
    (thrown,) = tray.rests(*FIRST)
    assert sorted(s.face for s in thrown.reading.sticks) == ["black", "black", "white", "white"]
    assert outcomes(thrown) == [StickOutcome.THROWN] * 4
    assert [t.seen for t in thrown.stick_tracks.sticks] == list(thrown.reading.sticks)


def test_lying_sticks_are_no_hand_and_a_second_throw_counts() -> None:
    tray = DrawnTray()
    tray.rests()
    tray.hand()
    tray.rests(*FIRST)
    tray.hand(*FIRST, takes=True)
    (thrown,) = tray.rests(*SECOND)
    assert outcomes(thrown) == [StickOutcome.THROWN] * 4


def test_large_sticks_that_touch_are_no_thing_that_hides_the_tray() -> None:
    """Without their boxes the settle detector takes them for an object, and waits for it to go."""
    tray = DrawnTray()
    tray.rests()
    tray.hand()
    fence = [stick("white", 110 + 140 * n, 430, 90, length=220) for n in range(4)]
    fence += [stick("black", 110 + 140 * n, 330, 0, length=138) for n in range(4)]
    assert len(tray.rests(*fence)) == 1


def test_an_arm_over_lying_sticks_is_no_throw() -> None:
    tray = DrawnTray()
    tray.rests()
    tray.hand()
    tray.rests(*FIRST)
    tray.hand(*FIRST)
    (again,) = tray.rests(*FIRST)
    assert outcomes(again) == [StickOutcome.UNMOVED] * 4


def test_sticks_are_not_read_unless_they_are_watched() -> None:
    tray = DrawnTray(sticks=False)
    (empty,) = tray.rests()
    assert empty.reading.sticks == ()
    assert set(tray.reader.asked) == {False}


def test_a_tray_at_rest_is_read_anew_once_sticks_are_watched() -> None:
    tray = DrawnTray(sticks=False)
    tray.rests()
    tray.pipeline.watch_sticks(True)
    (found,) = tray.rests()
    assert outcomes(found) == []
    tray.pipeline.watch_sticks(True)
    assert not tray.rests(), "watched already: nothing new is to be said"


def test_sticks_that_lay_there_when_they_are_first_watched_were_not_thrown() -> None:
    tray = DrawnTray(sticks=False)
    tray.shows([drawn(FIRST, seed) for seed in range(REST_FRAMES)])
    tray.pipeline.watch_sticks(True)
    (found,) = tray.rests(*FIRST)
    assert outcomes(found) == [StickOutcome.UNOBSERVED] * 4


def test_watching_ends() -> None:
    tray = DrawnTray()
    tray.rests()
    tray.pipeline.watch_sticks(False)
    tray.hand()
    tray.rests()
    assert not tray.reader.asked[-1]


def test_a_new_pipeline_reads_no_sticks_although_an_earlier_one_did() -> None:
    reader = DrawnStickReader()
    Pipeline(reader).watch_sticks(True)
    Pipeline(reader)
    assert not reader.sticks


def test_a_reader_of_dice_alone_is_left_alone() -> None:
    class DiceOnly:
        def read(self, picture: Picture) -> Reading:
            return Reading((picture.shape[1], picture.shape[0]))

    pipeline = Pipeline(DiceOnly())
    pipeline.watch_sticks(True)
    settled = [
        event
        for n in range(REST_FRAMES)
        for event in pipeline.process(Frame(drawn((), n), n / FPS))
        if isinstance(event, Settled)
    ]
    assert [event.stick_tracks.sticks for event in settled] == [()]


def test_a_palette_passes_the_wish_for_sticks_on() -> None:
    reader = DrawnStickReader()
    palette_reader = PaletteReader(reader, Palette(), lambda palette: None)
    palette_reader.sticks = True
    assert reader.sticks
    assert palette_reader.sticks
    assert palette_reader.read(drawn([stick("white", 200, 200)])).sticks
