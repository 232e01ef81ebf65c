"""Hands, light and a sleeve over the tray, from frame to frame, on small drawn pictures."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.felt import H, W
from vision.readings import SeenDie
from vision.settling.detected_dice import DetectedDice
from vision.settling.hands import HAND_RESTS_S, LIGHT_S, SLEEVE_PATIENCE_S, HandDetector
from vision.settling.motion import Grey, MotionHistory


def table(arm: bool = False, seed: int = 0) -> Grey:
    """Green felt with noise, (H, W, 3), and with an arm that reaches in from the left."""
    picture = np.full((H, W, 3), (50, 90, 45), np.float32)
    if arm:
        picture[45:75, :70] = (130, 160, 215)
    return np.asarray(picture + np.random.default_rng(seed).normal(0, 0.6, picture.shape), np.float32)


class Tray:
    """A hand detector over an empty tray at rest. moved: where the picture moved in the last frame."""

    def __init__(self, enabled: bool = True) -> None:
        self.dice, self.motion = DetectedDice(), MotionHistory()
        self.motion.reset((H, W), 0.0)
        self.hands = HandDetector(self.dice, self.motion, enabled)
        self.hands.add_background(table(), 0.0)

    def areas(self, picture: Grey, at_s: float, moves: bool) -> tuple[float, float]:
        self.motion.add(np.full((H, W), 9.0 * moves, np.float32), at_s)
        return self.hands.detect(picture, at_s)


ARM_DICE = 70 * 30 / DetectedDice().die_px ** 2


def test_an_arm_moves_and_rests_after_a_while() -> None:
    tray = Tray()
    assert tray.areas(table(arm=True, seed=1), 10.0, moves=True) == (pytest.approx(ARM_DICE, rel=0.1), 0)
    assert tray.hands.mask is not None
    assert tray.hands.mask[60, 30]
    later_s = 10.1 + HAND_RESTS_S
    assert tray.areas(table(arm=True, seed=2), later_s, moves=False) == (0, pytest.approx(ARM_DICE, rel=0.1))


def test_no_hand_is_detected_where_none_can_be() -> None:
    tray = Tray(enabled=False)
    assert tray.areas(table(arm=True, seed=1), 10.0, moves=True) == (0, 0)
    assert tray.hands.mask is None


def test_the_view_is_lost_in_another_picture_and_found_again() -> None:
    tray = Tray()
    blocks = np.random.default_rng(1).uniform(0, 240, (H // 10, W // 10, 3))
    other_picture = np.asarray(blocks.repeat(10, axis=0).repeat(10, axis=1), np.float32)
    tray.areas(other_picture, 1.0, moves=True)
    assert tray.hands.view_lost
    tray.areas(table(seed=1), 1.1, moves=True)
    assert not tray.hands.view_lost


def test_an_arm_that_rests_with_the_tray_is_a_sleeve_until_it_goes() -> None:
    tray = Tray()
    tray.areas(table(arm=True, seed=1), 10.0, moves=True)
    tray.hands.add_background(table(arm=True, seed=2), 20.0)
    assert tray.hands.sleeve_rests
    assert tray.areas(table(arm=True, seed=3), 20.1, moves=False) == (0, 0)
    tray.hands.update_sleeve(table(arm=True, seed=4), 20.2)
    assert tray.hands.sleeve_rests
    tray.hands.update_sleeve(table(seed=5), 21.0)
    assert not tray.hands.sleeve_rests


def test_a_sleeve_that_never_moves_becomes_part_of_the_table() -> None:
    tray = Tray()
    tray.areas(table(arm=True, seed=1), 10.0, moves=True)
    tray.hands.add_background(table(arm=True, seed=2), 20.0)
    tray.hands.update_sleeve(table(arm=True, seed=3), 10.1 + SLEEVE_PATIENCE_S)
    assert not tray.hands.sleeve_rests


def test_light_around_a_die_is_no_hand_and_becomes_background() -> None:
    tray = Tray()
    die = SeenDie(3, "white", (70.0, 50.0, 9.0, 9.0), 0.99, True)
    tray.dice.update([die], (W, H), at_rest=True)
    lit = table(seed=1)
    lit[30:80, 50:110] *= 1.5
    assert tray.areas(lit, 1.0, moves=True) == (0, 0)
    assert tray.areas(lit, 1.1 + LIGHT_S, moves=True) == (0, 0)
    tray.dice.update([], (W, H), at_rest=False)
    assert tray.areas(lit, 1.3 + LIGHT_S, moves=True) == (0, 0)


def arm_to(x: int, seed: int) -> Grey:
    """The felt under an arm from the left edge to x, px."""
    picture = table(seed=seed)
    shades = np.linspace(0.7, 1.3, W)[None, :, None] + 0.2 * np.sin(np.arange(H) / 5)[:, None, None]
    picture[:, :x] = (shades * (90.0, 120.0, 140.0))[:, :x]
    return np.asarray(picture, np.float32)


def test_a_large_hand_that_covers_nearly_all_of_the_picture_stays_a_hand_while_it_moves() -> None:
    tray = Tray()
    most = round(0.6 * W)
    assert tray.areas(arm_to(W // 2, seed=1), 1.0, moves=True)[0] > 0
    moving, resting = tray.areas(arm_to(most, seed=2), 1.1, moves=True)
    assert (moving * tray.dice.die_px**2, resting) == (pytest.approx(H * W), 0)
    assert not tray.hands.view_lost
    assert tray.hands.mask is not None
    assert tray.hands.mask.all()
    assert tray.areas(arm_to(most, seed=3), 1.2 + HAND_RESTS_S, moves=False) == (0, 0)
    assert tray.hands.view_lost


def test_another_picture_after_a_small_hand_is_no_hand() -> None:
    tray = Tray()
    assert tray.areas(arm_to(W // 8, seed=1), 1.0, moves=True)[0] > 0
    assert tray.areas(arm_to(round(0.6 * W), seed=2), 1.1, moves=True) == (0, 0)
    assert tray.hands.view_lost


def test_a_finger_that_pushes_the_only_thing_with_edges_pushes_no_camera() -> None:
    """On smooth cloth the picture shifts as the die does."""

    def pushed(x: int, finger: bool = True) -> Grey:
        picture = table(seed=x)
        picture[36:60, x - 4 : x + 20] = (25, 50, 20)  # its shadow
        picture[40:56, x : x + 16] = (30, 130, 235)
        for dy, dx in ((3, 3), (3, 11), (11, 3), (11, 11)):
            picture[40 + dy : 42 + dy, x + dx : x + dx + 2] = 245
        if finger:
            picture[44:52, : x + 4] = (50, 75, 120)
        return picture

    tray = Tray()
    tray.dice.update([SeenDie(4, "orange", (50.0, 40.0, 16.0, 16.0), 0.99, True)], (W, H), at_rest=True)
    tray.hands.add_background(pushed(50, finger=False), 1.0)
    tray.dice.update([], (W, H), at_rest=False)
    areas = [tray.areas(pushed(x), 2 + n / 25, moves=True)[0] for n, x in enumerate((50, 54, 62, 74))]
    assert min(areas) > 0
    assert tray.hands.mask is not None
    assert tray.hands.mask[48, :70].all()
