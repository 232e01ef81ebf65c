"""The ring of the tray's last seconds: how much it keeps, how little it costs to keep, and what it must forget."""

from __future__ import annotations

import io
import time

import numpy as np
import pytest

from vision.clips import CLIP_W, LONGEST_S, MOVING_S, WAITING_S, Ring, shrunk
from vision.frames import Frame
from vision.motion_jpeg import decoded, pictures_in
from vision.simulation import random_tray

GREYS = 40


def frame(at_s: float, size_wh: tuple[int, int] = (64, 48)) -> Frame:
    """A frame as bright as its time tells."""
    grey = 20 + 4 * round(10 * at_s) % (4 * GREYS)
    return Frame(np.full((size_wh[1], size_wh[0], 3), grey, np.uint8), at_s)


def filmed(ring: Ring, since_s: float, until_s: float, fps: float = 30, waits: bool = False) -> None:
    for n in range(round((until_s - since_s) * fps)):
        ring.see(frame(since_s + n / fps), waits)


def times(clip: bytes) -> list[float]:
    return [at_s for at_s, _ in pictures_in(io.BytesIO(clip))]


def test_a_clip_has_the_pictures_of_its_seconds_from_zero_on() -> None:
    ring = Ring()
    filmed(ring, 100, 104)
    found = list(pictures_in(io.BytesIO(ring.cut(101, 103))))
    assert found[0][0] == 0
    assert found[-1][0] == pytest.approx(2, abs=0.1)
    for at_s, jpeg in found:
        assert abs(float(decoded(jpeg).mean()) - float(frame(101 + at_s).picture.mean())) < 12


def test_little_is_kept_of_a_tray_that_waits_and_enough_of_what_moves() -> None:
    ring = Ring()
    filmed(ring, 0, 4, waits=True)
    filmed(ring, 4, 6)
    gaps = np.diff(times(ring.cut(0, 6)))
    assert gaps[0] == pytest.approx(WAITING_S, abs=0.04)
    assert MOVING_S <= gaps[-1] + 1e-6 <= MOVING_S + 0.04


def test_no_more_is_kept_than_the_longest_clip() -> None:
    ring = Ring()
    filmed(ring, 0, 3 * LONGEST_S, fps=15)
    kept = times(ring.cut(0, 100))
    assert kept[-1] - kept[0] <= LONGEST_S
    assert len(kept) <= LONGEST_S / MOVING_S + 1


def test_what_goes_under_a_cup_is_in_no_clip() -> None:
    ring = Ring()
    filmed(ring, 0, 1)
    ring.shut(True)
    filmed(ring, 1, 2)
    assert ring.cut(0, 10) == b""
    ring.shut(False)
    filmed(ring, 2, 3)
    kept = times(ring.cut(0, 10))
    assert kept[-1] - kept[0] < 1


def test_a_camera_that_is_opened_again_begins_anew() -> None:
    ring = Ring()
    filmed(ring, 50, 51)
    filmed(ring, 0, 1)
    assert ring.cut(50, 51) == b""
    assert times(ring.cut(0, 1))[-1] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(("size_wh", "small"), [((1280, 960), (320, 240)), ((800, 600), (400, 300)), ((640, 480), (320, 240))])
def test_pictures_are_made_small(size_wh: tuple[int, int], small: tuple[int, int]) -> None:
    assert shrunk(frame(0, size_wh).picture).shape == (small[1], small[0], 3)
    assert shrunk(frame(0, (300, 200)).picture).shape == (200, 300, 3)
    assert small[0] >= CLIP_W


def test_a_waiting_tray_costs_under_three_hundredths_of_a_core() -> None:
    """Ten frames a second of a waiting tray, as the watch asks for them."""
    picture = random_tray(np.random.default_rng(1), 6, size_wh=(1280, 960))[0]
    ring = Ring()
    ring.see(Frame(picture, 0.0), True)
    begun, seconds = time.thread_time(), 30
    for n in range(10 * seconds):
        ring.see(Frame(picture, 1 + n / 10), True)
    assert (time.thread_time() - begun) / seconds < 0.03
