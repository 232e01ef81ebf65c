"""The colour of a die's body, and changes of the light on the tray."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vision.colours.colour import body_bgr, dominant_bgr, lab, light_change, tray_tones
from vision.readings import PLAIN_BGR
from vision.simulation import LOOKS, Scene, SimDie, render_truth

PLAIN = Scene(noise_sigma=1.6)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("bgr", "expected"),
    [
        ((255, 255, 255), (100, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((0, 0, 255), (53.24, 80.09, 67.2)),
        ((128, 128, 128), (53.59, 0, 0)),
    ],
)
def test_lab_is_cie_lab(bgr: tuple[int, ...], expected: tuple[float, ...]) -> None:
    assert lab(np.array(bgr)) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("colour", ["white", "black", "red", "yellow"])
def test_pips_and_glare_are_no_part_of_the_body(face: int, colour: str) -> None:
    plain = replace(LOOKS[colour], pip_bgr=LOOKS[colour].body_bgr, gloss=0.0)
    bodies = []
    for look in (plain, LOOKS[colour]):
        picture, (true,) = render_truth(
            [SimDie(face, colour, 20, 10, yaw_rad=0.6, look=look)], rng(), scene=PLAIN
        )
        body = body_bgr(picture, true.box_xywh)
        assert body is not None
        bodies.append(body)
    assert np.abs(bodies[0] - bodies[1]).max() < 16
    assert np.abs(bodies[1] - PLAIN_BGR[colour]).max() < 40


def test_a_die_of_a_few_pixels_has_no_colour() -> None:
    assert body_bgr(np.zeros((40, 40, 3), np.uint8), (10, 10, 5, 5)) is None
    assert body_bgr(np.zeros((40, 40, 3), np.uint8), (60, 60, 30, 30)) is None


def test_the_colour_of_most_pixels_is_the_dominant_one() -> None:
    pixels = np.array([[10, 10, 200]] * 60 + [[250, 250, 250]] * 40, np.uint8)
    assert dominant_bgr(pixels) == pytest.approx([10, 10, 200])


LAMP: dict[str, Any] = {"light_bgr": (0.6, 0.86, 1.05), "exposure": 0.5}


def gain_of_light(scene: Scene) -> np.ndarray:
    """The change of light from a tray with white dice to the same tray in this light with other dice."""
    tones = []
    for at, colour, x in ((PLAIN, "white", -40), (scene, "red", 50)):
        picture, trues = render_truth(
            [SimDie(n + 1, colour, x + 5 * n, 30 * n - 30) for n in range(3)], rng(), scene=at
        )
        tones.append(tray_tones(picture, [t.box_xywh for t in trues]))
    change = light_change(*tones)
    assert change is not None
    return change.gain


@pytest.mark.parametrize("felt", [(58, 84, 36), (38, 36, 36), (205, 210, 212), (30, 30, 90)])
def test_a_change_of_light_is_measured_on_felt_of_any_colour(felt: tuple[float, float, float]) -> None:
    before = replace(PLAIN, felt_bgr=felt)
    tones = [tray_tones(render_truth([], rng(), scene=s)[0], []) for s in (before, replace(before, **LAMP))]
    change = light_change(*tones)
    assert change is not None
    true = 0.5 * np.array(LAMP["light_bgr"]) / np.array(Scene.light_bgr)
    assert change.gain == pytest.approx(true, rel=0.09)


def test_other_dice_in_other_places_do_not_change_the_light() -> None:
    assert gain_of_light(PLAIN) == pytest.approx([1, 1, 1], rel=0.02)


def test_no_change_of_light_is_measured_in_the_dark() -> None:
    picture = render_truth([], rng(), scene=PLAIN)[0]
    bright, dark = tray_tones(picture, []), tray_tones(np.asarray(picture * 0.02, np.uint8), [])
    assert light_change(bright, dark) is None


def test_no_change_of_light_is_measured_on_a_tray_full_of_dice() -> None:
    covered = tray_tones(np.full((120, 160, 3), 90, np.uint8), [(0, 0, 160, 120)])
    assert np.isnan(covered).all()
    assert light_change(covered, covered) is None


def test_a_lamp_at_one_end_changes_the_light_there() -> None:
    even = np.full((240, 320, 3), 120, np.uint8)
    lamp = np.asarray(even * np.linspace(0.6, 1.4, 320)[None, :, None], np.uint8)
    change = light_change(tray_tones(even, []), tray_tones(lamp, []))
    assert change is not None
    body = np.array([100.0, 100, 100])
    assert change.reverted(body, (0.05, 0.5))[0] > 1.7 * change.reverted(body, (0.95, 0.5))[0]
