"""Whether a tray is as it was while nobody could watch: on rendered trays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.frames import Picture
from vision.same_scene import same_scene
from vision.simulation import Scene, SimDie, render_still
from vision.simulation.scene import by_lamplight

LYING = (SimDie(5, "red", -50, 20, 0.4), SimDie(2, "white", 10, -30, 1.1), SimDie(6, "black", 60, 35, 2.0))


def picture(dice: Sequence[SimDie] = LYING, seed: int = 1, scene: Scene | None = None) -> Picture:
    return render_still(dice, np.random.default_rng(seed), (640, 480), scene or Scene())


@pytest.mark.parametrize("gain", [0.15, 0.5, 1.3])
def test_noise_and_light_change_nothing(gain: float) -> None:
    lit = np.clip(picture(seed=2) * gain, 0, 255).astype(np.uint8)
    assert same_scene(picture(), lit)
    assert same_scene(lit, picture())


def test_a_strong_noise_changes_nothing() -> None:
    assert same_scene(picture(scene=replace(Scene(), noise_sigma=8.0)), picture(seed=2, scene=replace(Scene(), noise_sigma=8.0)))


def test_a_lamp_to_one_side_changes_nothing() -> None:
    beside = np.linspace(0.5, 1.1, 640, dtype=np.float32)[None, :, None]
    assert same_scene(picture(), np.clip(picture(seed=2) * beside, 0, 255).astype(np.uint8))


def test_a_camera_that_sways_by_a_pixel_changes_nothing() -> None:
    swayed = cv2.warpAffine(picture(seed=2), np.array([[1, 0, 1.0], [0, 1, 0.6]]), (640, 480), borderMode=cv2.BORDER_REPLICATE)
    assert same_scene(picture(), np.asarray(swayed, np.uint8))


@pytest.mark.parametrize(
    "dice",
    [
        LYING[:2],
        (*LYING, SimDie(1, "green", -10, 50, 0.0)),
        (replace(LYING[0], face=4), *LYING[1:]),
        (replace(LYING[0], x_mm=-45), *LYING[1:]),
        (replace(LYING[0], yaw_rad=1.2), *LYING[1:]),
    ],
    ids=["one gone", "one more", "one turned", "one pushed by 5 mm", "one spun"],
)
@pytest.mark.parametrize("gain", [0.3, 1.0])
def test_dice_that_changed_are_seen_in_any_light(dice: Sequence[SimDie], gain: float) -> None:
    after = (picture(dice, seed=2) * gain).astype(np.uint8)
    assert not same_scene(picture(), after)
    assert not same_scene(after, picture())


def test_a_lamp_that_hangs_elsewhere_counts_as_changed_rather_than_missed() -> None:
    """Its shadows fall elsewhere; what cannot be told apart is found, not taken for what lay there."""
    evening = by_lamplight(Scene(), np.random.default_rng(3))
    assert not same_scene(picture(), picture([], scene=evening))


def test_pictures_of_other_sizes_are_not_compared() -> None:
    assert not same_scene(picture(), picture()[:400])
