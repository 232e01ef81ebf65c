"""A die that rolls where a light flickers, through the whole pipeline on drawn frames."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.events import Settled
from vision.frames import Frame, Picture
from vision.pipeline import Pipeline
from vision.readings import Reading, SeenDie

W, H, FPS, SIDE = 640, 480, 30, 48
LED_X, LED_RADIUS = 440, 110
BLINK_FRAMES = 6
"""The light is on for this long, and off for as long."""


class OneDieReader:
    """Reads the one die that lies on the tray, or none."""

    def __init__(self) -> None:
        self.die: SeenDie | None = None

    def read(self, picture: Picture) -> Reading:
        return Reading((W, H), (self.die,) if self.die else ())


def die(face: int, x: float) -> SeenDie:
    return SeenDie(face, "white", (x - SIDE / 2, H / 2 - SIDE / 2, SIDE, SIDE), 0.999, True)


def frame(n: int, seen: SeenDie | None) -> Frame:
    """A grey tray with a lamp that blinks, and a die in its light."""
    picture = np.random.default_rng(n).normal(90, 2, (H, W, 3)).clip(0, 255).astype(np.uint8)
    if n // BLINK_FRAMES % 2:
        cv2.circle(picture, (LED_X, H // 2), LED_RADIUS, (240, 240, 240), -1)
    if seen:
        x, y, w, h = (round(v) for v in seen.box_xywh)
        picture[y : y + h, x : x + w] = 200
    return Frame(picture, n / FPS)


def test_a_die_that_rolls_where_a_light_blinks_is_read_where_it_stops() -> None:
    reader = OneDieReader()
    pipeline = Pipeline(reader)
    rolling = [die(n % 6 + 1, x) for n, x in enumerate((*range(100, 340, 16), *range(340, 530, 9)))]
    seen = [*[None] * 4 * FPS, *rolling, *[die(2, 530)] * FPS]
    settled = []
    for n, reader.die in enumerate(seen):
        settled += [e for e in pipeline.process(frame(n, reader.die)) if isinstance(e, Settled)]
    faces = [[t.seen.face for t in each.tracks.dice] for each in settled if each.tracks.dice]
    assert faces == [[2]]


def plain(n: int, x: float | None) -> Frame:
    """A grey tray, and a die with its centre at this x, px."""
    picture = np.random.default_rng(n).normal(90, 2, (H, W, 3)).clip(0, 255).astype(np.uint8)
    if x is not None:
        picture[(H - SIDE) // 2 : (H + SIDE) // 2, round(x - SIDE / 2) : round(x + SIDE / 2)] = 200
    return Frame(picture, n / FPS)


@pytest.mark.parametrize(("confidence", "faces"), [(0.999, [2]), (0.7, [])])
def test_a_die_with_a_clear_face_that_is_not_detected_just_as_it_is_read_is_read(
    confidence: float, faces: list[int]
) -> None:
    """The detector hardly finds it. Without a clear face it may be a glint."""
    reader = OneDieReader()
    pipeline = Pipeline(reader)
    places = [*[None] * FPS, *(float(x) for x in range(100, 412, 12)), *[400.0] * FPS]
    stops = len(places) - FPS
    settled = []
    for n, x in enumerate(places):
        detected = x is not None and n < stops + FPS // 5
        seen = replace(die(2, x or 0.0), confidence=confidence, sure=False)
        reader.die = seen if detected else None
        settled += [e for e in pipeline.process(plain(n, x)) if isinstance(e, Settled)]
    assert [d.face for d in settled[-1].reading.dice] == faces
    assert not any(d.sure for d in settled[-1].reading.dice)


@cache
def texture() -> NDArray[np.float64]:
    return np.random.default_rng(7).normal(110, 14, (H, W, 3))


def banded(n: int, seen: SeenDie | None, from_x: int = 0) -> Frame:
    """A grey tray under a lamp whose bands move over it, right of from_x, and a die."""
    phase = 2 * np.pi * 0.31 * n
    bands = 1 + 0.3 * np.sin(np.linspace(0, 14, H) + phase)[:, None, None]
    bands = np.where(np.arange(W)[None, :, None] < from_x, 1, bands)
    picture = (texture() * bands + np.random.default_rng(n).normal(0, 2, (H, W, 3))).clip(0, 255)
    if seen:
        x, y, w, h = (round(v) for v in seen.box_xywh)
        picture[y : y + h, x : x + w] = 200
    return Frame(picture.astype(np.uint8), n / FPS)


@pytest.mark.parametrize(("x", "from_x"), [(530, 0), (130, W // 2)], ids=["everywhere", "beside the die"])
def test_a_die_that_lies_still_is_read_although_bands_look_like_motion(x: float, from_x: int) -> None:
    reader = OneDieReader()
    pipeline = Pipeline(reader)
    settled, moving = [], 0
    for n in range(4 * FPS):
        reader.die = die(2, x) if n > FPS else None
        settled += [e for e in pipeline.process(banded(n, reader.die, from_x)) if isinstance(e, Settled)]
        moving += pipeline._motion.movement.unread_area > 1
    assert moving > 2 * FPS, "the bands do not look like motion"
    assert [[d.face for d in each.reading.dice] for each in settled if each.reading.dice][:1] == [[2]]
