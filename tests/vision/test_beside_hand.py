"""Dice that are thrown beside a moving hand, and taken soon, through the whole pipeline on drawn frames."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.events import Settled
from vision.frames import Frame, Picture
from vision.pipeline import BESIDE_HAND_S, TAKEN_AT_HAND_S, TAKEN_S, Pipeline
from vision.readings import Reading, SeenDie
from vision.tracking.tracks import TrackOutcome

W, H, FPS, SIDE = 640, 480, 20, 48
BEGIN_S, REST_S = 1.5, 2.3
"""When the dice come rolling, and when they lie still."""

PLACES = {2: (200, 160), 5: (230, 330)}
"""Where the two dice lie, by face: centres, px."""

SKIN = (120, 150, 200)


class DrawnDiceReader:
    """Reads the dice that were drawn."""

    def __init__(self) -> None:
        self.dice: tuple[SeenDie, ...] = ()

    def read(self, picture: Picture) -> Reading:
        return Reading((W, H), self.dice)


def die(face: int, x: float, y: float) -> SeenDie:
    return SeenDie(face, "white", (x - SIDE / 2, y - SIDE / 2, SIDE, SIDE), 0.999, True)


def dice_at(at_s: float, taken_s: dict[int, float]) -> tuple[SeenDie, ...]:
    """The dice at this time, s. taken_s: when each is covered by the hand that takes it."""
    if at_s < BEGIN_S:
        return ()
    ahead = max(REST_S - at_s, 0) * 300
    tumbles = round(ahead / 15)
    return tuple(
        die((face + tumbles - 1) % 6 + 1, x + ahead, y)
        for face, (x, y) in PLACES.items()
        if at_s < taken_s[face]
    )


def frame(n: int, dice: tuple[SeenDie, ...], taken_s: dict[int, float], hand_x: int) -> Frame:
    """A tray, a hand that fidgets right of hand_x all the time, and one that comes from the left for each die
    in turn."""
    at_s = n / FPS
    picture = np.random.default_rng(n).normal(90, 2, (H, W, 3)).clip(0, 255).astype(np.uint8)
    if at_s > 1:
        cv2.rectangle(picture, (hand_x + n % 3 * 8, 160 + n % 4 * 6), (W, 330), SKIN, -1)
    for seen in dice:
        x, y, w, h = (round(v) for v in seen.box_xywh)
        picture[y : y + h, x : x + w] = 235
    for face, taken in taken_s.items():
        x, y = PLACES[face]
        reach = x + 40 - abs(at_s - taken - 0.1) * 500
        if reach > 0:
            cv2.rectangle(picture, (0, y - 45), (round(reach), y + 45), SKIN, -1)
    return Frame(picture, at_s)


def thrown_faces(taken_s: dict[int, float], hand_x: int = W - 90) -> list[list[int]]:
    """The faces of each throw, where the dice are taken at these times, s, and another hand is right of
    hand_x."""
    reader = DrawnDiceReader()
    pipeline = Pipeline(reader)
    settled = list[Settled]()
    for n in range(round((max(taken_s.values()) + 1.0) * FPS)):
        reader.dice = dice_at(n / FPS, taken_s)
        events = pipeline.process(frame(n, reader.dice, taken_s, hand_x))
        settled += [event for event in events if isinstance(event, Settled)]
    faces = ([t.seen.face for t in s.tracks.dice if t.outcome is TrackOutcome.THROWN] for s in settled)
    return [each for each in faces if each]


@pytest.mark.parametrize("after_s", [TAKEN_S + 0.25, BESIDE_HAND_S - 0.1])
def test_a_throw_that_is_taken_soon_beside_another_hand_counts(after_s: float) -> None:
    assert thrown_faces({2: REST_S + after_s, 5: REST_S + after_s + 0.9}) == [[2, 5]]


def test_a_throw_that_comes_to_rest_at_a_hand_counts_if_it_stays_long_enough() -> None:
    at_hand = PLACES[5][0] + SIDE // 2 + 4
    taken_s = REST_S + TAKEN_AT_HAND_S + 0.25
    assert thrown_faces({2: taken_s, 5: taken_s + 0.9}, at_hand) == [[2, 5]]


def test_dice_that_are_left_of_a_throw_taken_at_once_are_not_the_throw() -> None:
    taken_s = REST_S + TAKEN_S - 0.2
    assert thrown_faces({2: taken_s, 5: taken_s + TAKEN_S + 0.4}) == []


def test_a_throw_beside_a_hand_that_covers_another_die_is_read_when_the_hand_leaves() -> None:
    """Until then, the die that rolled out may be the one that lay there."""
    from_s, until_s, lay = 1.3, REST_S + 2.0, die(3, 440, 240)
    reader = DrawnDiceReader()
    pipeline, settled = Pipeline(reader), list[Settled]()
    for n in range(round((until_s + 1.5) * FPS)):
        at_s = n / FPS
        covered = from_s < at_s < until_s
        ahead = max(REST_S - at_s, 0) * 200
        rolls = (die(round(ahead / 15 + 4) % 6 + 1, 200 + ahead, 200),) if at_s >= BEGIN_S else ()
        reader.dice = rolls if covered else (*rolls, lay)
        picture = np.random.default_rng(n).normal(90, 2, (H, W, 3)).clip(0, 255).astype(np.uint8)
        if covered:
            cv2.rectangle(picture, (410 + n % 3 * 8, 160 + n % 4 * 6), (W, 330), SKIN, -1)
        for seen in reader.dice:
            x, y, w, h = (round(v) for v in seen.box_xywh)
            picture[y : y + h, x : x + w] = 235
        settled += [event for event in pipeline.process(Frame(picture, at_s)) if isinstance(event, Settled)]
    came = [[(t.seen.face, t.outcome) for t in s.tracks.dice] for s in settled[1:]]
    assert came == [[(5, TrackOutcome.THROWN), (3, TrackOutcome.UNMOVED)]]
