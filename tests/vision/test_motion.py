"""Motion, light and flicker, on small drawn pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.felt import H, W, felt
from vision.settling.motion import (
    FlickerDetector,
    Grey,
    difference,
    displacement_px,
    fastest_px,
    lighting_gain,
    noise_sigma,
)


def with_die(picture: Grey, x: int, y: int, side: int = 9) -> Grey:
    with_it = picture.copy()
    with_it[y : y + side, x : x + side] = 220
    with_it[y + side // 2, x + side // 2] = 30
    return np.asarray(cv2.GaussianBlur(with_it, (0, 0), 1.0), np.float32)


@pytest.mark.parametrize("depth", [0.05, 0.10, 0.15])
@pytest.mark.parametrize("along", [0, 1])
def test_bands_of_mains_light_are_no_motion_along_rows_or_columns(depth: float, along: int) -> None:
    """A rolling shutter draws them along the rows; a camera mounted on its side along the columns."""
    wave = np.linspace(0, 4 * np.pi, (H, W)[along], dtype=np.float32)
    bands = 1 + depth * np.sin(wave) if along else (1 + depth * np.sin(wave))[:, None]
    others = 2 - bands  # half a period later
    before, now = (
        np.asarray(with_die(felt(1), 60, 50) * others, np.float32),
        np.asarray(with_die(felt(2), 60, 50) * bands, np.float32),
    )
    assert fastest_px(displacement_px(before, now)) == 0


def test_a_die_that_moves_in_banded_light_moves() -> None:
    bands = (1 + 0.12 * np.sin(np.linspace(0, 9, H, dtype=np.float32)))[:, None]
    before, now = with_die(felt(1), 60, 50), np.asarray(with_die(felt(2), 64, 50) * bands, np.float32)
    assert fastest_px(displacement_px(before, now)) > 1


def test_light_that_halves_is_removed() -> None:
    before = with_die(felt(1), 60, 50)
    assert np.abs(difference(before, np.asarray(before / 2, np.float32))).max() < 1.5


@pytest.mark.parametrize("sigma", [0.5, 1.0, 2.0])
def test_noise_is_measured(sigma: float) -> None:
    assert noise_sigma(felt(1, sigma), felt(2, sigma)) == pytest.approx(sigma, rel=0.2)


def blinking(hz: float, seconds: float, fps: float = 30) -> FlickerDetector:
    """A flicker detector after an LED blinked in a corner, with nothing else in motion."""
    flicker, before = FlickerDetector(), felt(0)
    for n in range(round(seconds * fps)):
        now = felt(n + 1)
        now[5:14, 5:14] += 90.0 * (int(2 * hz * n / fps) % 2)
        flicker.update(displacement_px(before, now) > 0.5, None, n / fps)
        before = now
    return flicker


@pytest.mark.parametrize("hz", [1, 2, 4, 8])
def test_a_blinking_led_is_learned_and_a_die_beside_it_still_moves(hz: float) -> None:
    flicker = blinking(hz, 4.0)
    assert flicker.mask is not None
    assert flicker.mask[9, 9]
    assert flicker.mask.mean() < 0.05
    rolled = flicker.suppress(displacement_px(with_die(felt(1), 60, 50), with_die(felt(2), 66, 50)))
    assert fastest_px(rolled) > 1


def test_an_led_that_has_stopped_is_forgotten() -> None:
    flicker = blinking(4, 4.0)
    for n in range(120):
        flicker.update(np.zeros((H, W), bool), None, 4 + n / 30)
    assert flicker.mask is None


@pytest.mark.parametrize("blinks", [True, False])
def test_an_led_over_which_a_hand_works_for_a_moment_is_still_known(blinks: bool) -> None:
    """One that the hand switched off is forgotten."""
    flicker, rng = blinking(2, 4.0), np.random.default_rng(1)
    for n in range(60 if blinks else 120):
        changed = np.zeros((H, W), bool)
        changed[5:14, 5:14] = blinks and n % 8 == 0
        if n < 40:
            reach = int(rng.integers(0, 30))
            changed[:reach, :reach] = True
        flicker.update(changed, changed, 4 + n / 30)
    assert (flicker.mask is not None and bool(flicker.mask[9, 9])) == blinks


def test_bands_are_removed_from_the_tray_behind_an_arm() -> None:
    """An arm over three quarters of the rows moves. Bands of two percent are no motion at the other end of
    the rows."""
    bands = (1 + 0.02 * np.sin(np.linspace(0, 9, H, dtype=np.float32)))[:, None]
    before, now = felt(1), np.asarray(felt(2) * bands, np.float32)
    sleeve = np.random.default_rng(3).uniform(40, 160, (40, 130)).astype(np.float32)
    before[40:80, :120], now[40:80, :124] = sleeve[:, :120], sleeve[:, :124]
    moved = displacement_px(before, np.asarray(cv2.GaussianBlur(now, (0, 0), 0.5), np.float32))
    assert (moved[44:76, :110] > 1).mean() > 0.5
    assert not moved[:, 140:].any()


def test_a_picture_that_is_white_in_most_places_is_at_rest_under_a_lamp_on_the_mains() -> None:
    bands = (1 + 0.04 * np.sin(np.linspace(0, 9, H, dtype=np.float32)))[:, None]
    lit = felt(1) * 1.2
    lit[:, 50:] = 290
    before, now = (np.minimum(lit * b, 255).astype(np.float32) for b in (2 - bands, bands))
    assert fastest_px(displacement_px(before, now)) == 0


def test_dice_tossed_in_one_place_do_not_flicker_and_a_lamp_beside_them_does() -> None:
    flicker, before = FlickerDetector(), felt(0)
    dice = np.zeros((H, W), bool)
    dice[40:80, 40:80] = True
    for n in range(90):
        now = felt(n + 1)
        now[5:14, 100:109] += 90.0 * (n // 7 % 2)
        now[45 + 11 * (n % 3) : 54 + 11 * (n % 3), 50:59] += 90.0 * (n % 30 < 12)
        flicker.update(displacement_px(before, now) > 0.5, dice, n / 30)
        before = now
    assert flicker.mask is not None
    assert flicker.mask[9, 104]
    assert not flicker.mask[40:80, 40:80].any()


def test_a_place_where_hands_work_for_long_does_not_flicker() -> None:
    """The hand comes and goes around the place where it works."""
    flicker, rng, reach = FlickerDetector(), np.random.default_rng(1), 0
    for n in range(90):
        reach = int(rng.integers(0, 45)) if n % 8 == 0 else reach
        restless = np.zeros((H, W), bool)
        restless[40 : 60 + reach, : 20 + reach] = True
        flicker.update(restless, restless, n / 30)
    assert flicker.mask is None


def test_a_hand_over_black_felt_is_no_light() -> None:
    """Levels of black felt are 0 to 3, and their ratios say little. The hand's are all far larger."""
    noise = np.random.default_rng(1)
    before, now = (noise.uniform(0, 3, (H, W)).astype(np.float32) for _ in range(2))
    now[:, -W // 4 :] = 140
    assert 0.5 < np.median(lighting_gain(before, now)) < 1.5
    assert np.median(lighting_gain(before, before * 8 + 60)) > 2
