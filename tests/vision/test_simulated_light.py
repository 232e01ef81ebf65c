"""Light and camera faults on the simulated tray: the frames show them, and they end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from vision.cameras.simulated import SimulatedCamera
from vision.frames import Frame, Picture
from vision.simulation import LOOKS, Scene, SimDie, render_still
from vision.simulation.faults import REPEATED_FRAMES
from vision.simulation.lighting import Light
from vision.simulation.scene import Lining
from vision.simulation.things import Thing
from vision.simulation.view import view_of

SMALL = (320, 240)
QUIET = Scene(noise_sigma=0, vignette=0)
DIE = (SimDie(5, "white", 20, 10, 0.3),)


class Tray:
    def __init__(self, scene: Scene = QUIET) -> None:
        self.camera = SimulatedCamera(SMALL, seed=1, paced=False, scene=scene, lying=DIE)
        self.frames: Iterator[Frame] = self.camera.frames()
        self.even = self.next_pictures(12)[-1]

    def next_pictures(self, frames: int) -> list[Picture]:
        return [next(self.frames).picture for _ in range(frames)]


def ratio(picture: Picture, to: Picture) -> np.ndarray:
    """The gain of every row."""
    return np.asarray(picture.mean(axis=(1, 2)) / to.mean(axis=(1, 2)))


@pytest.mark.parametrize("depth", [0.05, 0.15])
@pytest.mark.parametrize("mains_hz", [50.0, 60.0])
def test_mains_flicker_makes_bands_of_its_depth(depth: float, mains_hz: float) -> None:
    tray = Tray()
    tray.camera.set_light(Light(bands=depth, mains_hz=mains_hz))
    rows = [ratio(picture, tray.even) for picture in tray.next_pictures(20)[5:]]
    assert np.mean([np.ptp(row) / 2 for row in rows]) == pytest.approx(depth, rel=0.25)
    periods = 0.026 * 2 * mains_hz
    crossings = np.mean([(np.diff(np.sign(row - row.mean())) != 0).sum() for row in rows])
    assert crossings == pytest.approx(2 * periods, abs=1.5)


def test_a_candle_flickers_and_is_warm() -> None:
    tray = Tray()
    tray.camera.set_light(Light(candle=1.0))
    pictures = tray.next_pictures(60)
    means = np.array([p.mean() for p in pictures])
    assert 0.03 < means.std() / means.mean() < 0.3
    blue, _, red = np.mean([p.mean(axis=(0, 1)) / tray.even.mean(axis=(0, 1)) for p in pictures], axis=0)
    assert blue < red


def test_an_led_blinks_at_its_position_only() -> None:
    tray = Tray()
    tray.camera.set_light(Light(led_hz=4.0, led_at=(0.9, 0.1)))
    pictures = np.array(tray.next_pictures(30)).astype(int)
    swing = np.ptp(pictures, axis=0).max(axis=2)
    assert swing[24, 288] > 100
    assert swing[:, :200].max() <= 1
    on = pictures[:, 24, 288, 1] > pictures[:, 24, 288, 1].mean()
    assert 7 <= (np.diff(on.astype(int)) != 0).sum() <= 9  # four times a second, on and off


def test_a_screen_in_view_changes_at_the_border() -> None:
    tray = Tray()
    tray.camera.set_light(Light(screen=1.0))
    swing = np.ptp(np.array(tray.next_pictures(30)).astype(int), axis=0).max(axis=2)
    assert swing[:, :8].mean() > 50
    assert swing[:, 160:].max() <= 2


def test_auto_exposure_follows_a_lamp_that_is_switched_off() -> None:
    tray = Tray()
    tray.camera.lamp()
    means = [float(p.mean()) for p in tray.next_pictures(60)]
    assert min(means) < 0.65 * float(tray.even.mean())
    assert means[-1] == pytest.approx(float(tray.even.mean()), rel=0.06)
    tray.camera.lamp()
    means = [float(p.mean()) for p in tray.next_pictures(60)]
    assert max(means) > 1.3 * float(tray.even.mean())
    assert means[-1] == pytest.approx(float(tray.even.mean()), rel=0.06)


def test_light_can_be_uneven() -> None:
    tray = Tray()
    tray.camera.set_light(Light(patchy=0.6))
    share = tray.next_pictures(4)[-1].astype(float).sum(axis=2) / np.maximum(
        tray.even.astype(float).sum(axis=2), 1
    )
    felt = share[60:180, 60:260]
    assert np.percentile(felt, 95) / np.percentile(felt, 5) > 1.15


@pytest.mark.parametrize(("fault", "darkest"), [("dark", 12), ("covered", 45)])
def test_a_dark_or_covered_camera_shows_nothing_and_recovers(fault: str, darkest: float) -> None:
    tray = Tray(Scene(noise_sigma=1.0))
    tray.camera.fault(fault, 1.0)
    pictures = tray.next_pictures(31)
    assert pictures[15].mean() < darkest
    assert np.std(pictures[15].astype(float).mean(axis=2)) < 4
    assert tray.next_pictures(3)[-1].mean() == pytest.approx(float(tray.even.mean()), rel=0.02)


def test_a_frozen_camera_repeats_one_picture_while_the_hand_continues() -> None:
    tray = Tray(Scene(noise_sigma=2.0))
    tray.camera.fault("frozen", 6.0)
    tray.camera.clear()
    pictures = tray.next_pictures(60)
    assert tray.camera.resting
    assert all(np.array_equal(p, pictures[0]) for p in pictures)
    tray.next_pictures(130)
    assert np.abs(tray.next_pictures(1)[0].astype(int) - pictures[0]).max() > 80  # the die is gone


def test_a_repeating_camera_repeats_its_last_pictures() -> None:
    tray = Tray(Scene(noise_sigma=2.0))
    tray.camera.fault("repeating", 3.0)
    pictures = tray.next_pictures(3 * REPEATED_FRAMES)
    assert np.array_equal(pictures[0], pictures[REPEATED_FRAMES])
    assert np.array_equal(pictures[5], pictures[5 + 2 * REPEATED_FRAMES])
    assert not np.array_equal(pictures[0], pictures[1])


def test_a_blurred_camera_shows_no_pips() -> None:
    tray = Tray()
    tray.camera.fault("blurred", 1.0)
    blurred = tray.next_pictures(15)[-1]
    assert (
        np.abs(np.diff(blurred.astype(int), axis=1)).max()
        < 0.35 * np.abs(np.diff(tray.even.astype(int), axis=1)).max()
    )


def test_worn_dice_keep_their_pips_but_not_their_paint() -> None:
    dice = [[SimDie(6, "red", 0, 0, look=replace(LOOKS["red"], wear=wear))] for wear in (0.0, 0.9)]
    new, worn = (
        render_still(lying, np.random.default_rng(1), scene=QUIET)[278:322, 378:422] for lying in dice
    )
    assert np.abs(new.astype(int) - worn).max() > 40
    assert np.abs(new.astype(int) - worn).mean() < 40


@pytest.mark.parametrize("kind", ["box", "phone", "tray", "domino"])
def test_things_are_put_down_and_taken_away(kind: str) -> None:
    tray = Tray(replace(QUIET, fill=0.5))
    tray.camera.put_down(Thing(kind, 0, -150))
    tray.next_pictures(60)
    assert tray.camera.resting
    with_thing = tray.next_pictures(1)[0]
    changed = np.abs(with_thing.astype(int) - tray.even).max(axis=2) > 15
    assert changed[180:].sum() > 60
    assert changed[:110].sum() == 0
    tray.camera.take_away()
    tray.next_pictures(60)
    assert np.array_equal(tray.next_pictures(1)[0], tray.even)


def test_a_printed_sheet_appears_in_the_tray_as_printed() -> None:
    """Four dark squares on white paper, one in each quarter and no two of a colour."""
    paper = np.full((500, 700, 3), 255, np.uint8)
    squares = {
        (100, 100): (200, 40, 40),
        (100, 500): (40, 160, 40),
        (300, 100): (40, 40, 200),
        (300, 500): (20, 20, 20),
    }
    for (top, left), bgr in squares.items():
        paper[top : top + 100, left : left + 100] = bgr
    scene = replace(QUIET, lining=Lining(paper, (210.0, 150.0)))
    view = view_of(scene, (800, 600))
    picture = render_still([], np.random.default_rng(1), scene=scene)
    for (top, left), bgr in squares.items():
        middle = np.array([[(left + 50 - 350) * 0.3, (250 - top - 50) * 0.3, 0.0]], np.float32)
        x, y = view.project(middle)[0].round().astype(int)
        seen = picture[y - 3 : y + 4, x - 3 : x + 4].mean(axis=(0, 1))
        assert int(np.argmax(seen)) == int(np.argmax(bgr)) or bgr == (20, 20, 20)
        assert seen.mean() < 130
    x, y = view.project(np.zeros((1, 3), np.float32))[0].round().astype(int)
    assert picture[y - 5 : y + 6, x - 5 : x + 6].min() > 170


def test_uneven_felt_shows_in_its_shading() -> None:
    even, uneven = (
        render_still([], np.random.default_rng(1), scene=replace(QUIET, uneven_mm=mm)).astype(float)
        for mm in (0.0, 2.0)
    )
    share = (uneven.sum(axis=2) / even.sum(axis=2))[100:500, 100:700]
    assert 0.02 < np.ptp(share) < 0.3
