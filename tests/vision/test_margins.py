"""How far rest and motion are from their thresholds: drawn dice of known speed, and clips of real ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

import cv2
import numpy as np
import pytest

from tests.shared_files import CLIPS, shared_file
from vision.cameras.video import VideoFile
from vision.frames import Frame, Picture
from vision.reading.reader import Reader
from vision.readings import Reading, SeenDie
from vision.settling.margins import Margins, margins
from vision.settling.settle import RESTING_SIDES_S, ROLLING_SIDES_S

FPS, SIDE = 30, 20
LEVELS = {1: 190, 3: 215, 5: 240}
"""Brightness of a drawn die that shows this face, grey levels."""


class BrightDice:
    """A reader that knows the face of a drawn die by its brightness."""

    def read(self, picture: Picture) -> Reading:
        bright = cv2.inRange(cv2.blur(picture[..., 1], (3, 3)), 160, 255)
        _, _, stats, centres = cv2.connectedComponentsWithStats(bright)
        large = centres[1:][stats[1:, cv2.CC_STAT_AREA] > 200]
        dice = tuple(self._die(picture, int(x), int(y)) for x, y in large)
        return Reading((picture.shape[1], picture.shape[0]), dice)

    @staticmethod
    def _die(picture: Picture, x: int, y: int) -> SeenDie:
        level = float(np.median(picture[y - 5 : y + 6, x - 5 : x + 6, 1]))
        face = min(LEVELS, key=lambda face: abs(LEVELS[face] - level))
        return SeenDie(face, "white", (x - SIDE / 2, y - SIDE / 2, SIDE, SIDE), 0.99, True)


def table(x: float, face: int, seed: int, label: bool = False) -> Picture:
    """A green table with one die and noise of 2 grey levels. label: a label is drawn into the picture."""
    picture = np.full((240, 320, 3), (60, 110, 60), np.float32)
    shift = np.array([[1, 0, x], [0, 1, 100]], np.float32)
    die = np.full((SIDE, SIDE, 3), LEVELS[face], np.float32)
    picture = cv2.warpAffine(die, shift, (320, 240), picture, borderMode=cv2.BORDER_TRANSPARENT)  # type: ignore[assignment]
    if label:
        cv2.rectangle(picture, (200, 30), (260, 45), (40, 40, 150), -1)
    return np.clip(picture + np.random.default_rng(seed).normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def at_rest(seconds: float, x: float, face: int, label: bool = False) -> list[Picture]:
    return [table(x, face, seed, label) for seed in range(round(seconds * FPS))]


def rolling(x: float, to: float, step: float) -> list[Picture]:
    """A die that rolls by `step` px a frame and shows another face in every third frame."""
    places = np.arange(x, to, step)
    return [table(float(place), (1, 3, 5)[n // 3 % 3], n) for n, place in enumerate(places)]


def margins_of(*pictures: list[Picture]) -> Margins:
    return margins((Frame(picture, n / FPS) for n, picture in enumerate(chain(*pictures))), BrightDice())


def test_a_creeping_die_is_nearer_to_the_threshold_of_rest_than_a_still_one() -> None:
    still = margins_of(at_rest(2, 60, 5))
    step = 0.7
    creeping = margins_of(at_rest(1, 60, 5), [table(60 + step * n, 5, n) for n in range(60)])
    assert still.rest
    assert creeping.rest
    sides_s = step / SIDE * FPS
    assert still.rest.times > 10
    assert sides_s < creeping.rest.value < 2 * sides_s
    assert creeping.rest.times == pytest.approx(RESTING_SIDES_S / creeping.rest.value)
    assert (still.disturbed, still.roll, still.lull, still.restless) == (0, None, None, None)


def test_throws_are_measured_one_by_one_and_the_slowest_is_reported() -> None:
    slow, fast = rolling(40, 220, 6), rolling(40, 280, 16)
    measured = margins_of(at_rest(1, 40, 1), slow, at_rest(1, 220, 3), fast[::-1], at_rest(1, 40, 5))
    alone = margins_of(at_rest(1, 40, 1), slow, at_rest(1, 220, 3))
    assert measured.roll
    assert alone.roll
    assert (measured.roll.of, alone.roll.of) == (2, 1)
    assert measured.roll.value == pytest.approx(alone.roll.value, rel=0.05)
    assert measured.roll.times == pytest.approx(measured.roll.value / ROLLING_SIDES_S)


def test_a_die_that_nearly_stops_within_a_throw_has_a_small_lull() -> None:
    steady = margins_of(at_rest(1, 40, 1), rolling(40, 260, 8), at_rest(1, 260, 3))
    slowing = [table(150 + 2.9 * n, 3, n) for n in range(10)]
    nearly = margins_of(
        at_rest(1, 40, 1), rolling(40, 150, 8), slowing, rolling(179, 260, 8), at_rest(1, 260, 3)
    )
    assert steady.lull
    assert nearly.lull
    assert 1 < nearly.lull.times < 0.7 * steady.lull.times


def test_motion_of_dice_that_nobody_touched_is_counted() -> None:
    measured = margins_of(at_rest(1, 60, 5), at_rest(1, 60, 5, label=True), at_rest(1, 60, 5))
    assert measured.disturbed == 2
    assert measured.roll is None


def test_a_tray_that_never_rests_reports_its_slowest_motion() -> None:
    measured = margins_of([table(30 + 9 * n % 240, 5, n) for n in range(round(1.6 * FPS))])
    assert measured.rest is None
    assert measured.restless
    assert measured.restless.times == pytest.approx(measured.restless.value / RESTING_SIDES_S)
    assert measured.restless.times > 1


def test_the_noise_and_the_size_of_dice_are_measured() -> None:
    measured = margins_of(at_rest(3, 60, 5))
    assert measured.noise
    assert 0.1 < measured.noise.value < 1
    assert measured.die_px == pytest.approx(SIDE)


def test_no_frames_have_no_margins() -> None:
    assert margins_of() == Margins(None, None, None, None, 0, None, None, None)


def frames_of(name: str) -> Iterator[Frame]:
    return VideoFile(shared_file(CLIPS / name), speed=None).frames()


@pytest.mark.parametrize(
    ("name", "frame_count", "step", "min_throws", "min_times"),
    [("RobertWetzler_dice_video_1.mp4", 200, 1, 5, 1.3), ("Epanemu_results_1.mp4", 1000, 2, 1, 1.1)],
)
def test_rest_and_throws_of_real_dice_are_clear_of_the_thresholds(
    name: str, frame_count: int, step: int, min_throws: int, min_times: float
) -> None:
    """In the second clip somebody drew boxes around the dice, and the boxes jump. It has each picture several
    times: every second frame is enough."""
    measured = margins(islice(frames_of(name), 0, frame_count, step), Reader())
    assert measured.rest
    assert measured.roll
    assert measured.lull
    assert measured.noise
    assert measured.roll.of >= min_throws
    assert min(measured.rest.times, measured.roll.times, measured.lull.times) > min_times
    assert measured.noise.times > 4
