"""Motion, flicker and occlusion, on small drawn pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.settling.motion import FlickerDetector, Grey, Mask, difference, displacement_px, fastest_px, noise_sigma
from vision.settling.occlusion import Backgrounds, find_occlusion, light_mask, rim_mask

H, W = 120, 160
rng = np.random.default_rng(5)


def felt(seed: int = 0, noise: float = 0.6) -> Grey:
    """A small picture of felt, with grain and a lamp from one side; noise: sigma, grey levels."""
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 12, (H, W)).astype(np.float32), (0, 0), 1.5)
    lamp = np.linspace(60, 110, W, dtype=np.float32)[None]
    return np.asarray(lamp + grain + np.random.default_rng(seed).normal(0, noise, (H, W)), np.float32)


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
    before, now = np.asarray(with_die(felt(1), 60, 50) * others, np.float32), np.asarray(with_die(felt(2), 60, 50) * bands, np.float32)
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


def coloured(hand: tuple[int, int, int] | None = None, seed: int = 0) -> Grey:
    """Green felt in a small picture, with a hand that comes in from the left."""
    picture = np.full((H, W, 3), (50, 90, 45), np.float32) + np.random.default_rng(seed).normal(0, 0.6, (H, W, 3))
    if hand:
        picture[45:75, :70] = hand
    return np.asarray(picture, np.float32)


def foreground_of(where: tuple[slice, slice], colour: tuple[int, int, int]) -> Mask:
    """The foreground on bare felt where something of this colour lies."""
    backgrounds, picture = Backgrounds(), coloured(None, 1)
    backgrounds.add(coloured())
    picture[where] = colour
    return backgrounds.foreground(picture, 0.6)


def covered(hand: tuple[int, int, int] | None, moved: bool = True) -> tuple[Mask, float, float]:
    backgrounds = Backgrounds()
    backgrounds.add(coloured())
    foreground = backgrounds.foreground(coloured(hand, 1), 0.6)
    occlusion = find_occlusion(foreground, (), (), 9.0, rim_mask((H, W), None), np.full((H, W), moved))
    return occlusion.mask, occlusion.moving_area, occlusion.resting_area


@pytest.mark.parametrize("skin", [(40, 60, 95), (60, 72, 92), (130, 160, 215)])
def test_a_hand_of_any_skin_is_detected_on_green_felt(skin: tuple[int, int, int]) -> None:
    """The second is exactly as bright as the felt."""
    mask, moving_area, resting_area = covered(skin)
    assert moving_area == pytest.approx(70 * 30 / 81, rel=0.1)
    assert resting_area == 0
    assert mask[60, 30]
    assert not mask[20, 30]


def test_a_camera_that_shifts_its_white_balance_covers_nothing() -> None:
    backgrounds = Backgrounds()
    backgrounds.add(coloured())
    warmer = np.asarray(coloured(None, 3) * np.array([0.75, 1.0, 1.2], np.float32), np.float32)
    assert backgrounds.foreground(warmer, 0.6).mean() < 0.01


@pytest.mark.parametrize("by_xy", [(3.0, 0.0), (-5.5, 2.5), (0.0, 9.0)])
def test_a_pushed_camera_covers_nothing_and_a_hand_is_still_detected_afterwards(by_xy: tuple[float, float]) -> None:
    table = np.repeat(felt(1, 0)[..., None], 3, axis=2)
    table[10:14, :] = table[:, 20:24] = (40, 70, 120)  # a rim
    matrix = np.array([[1, 0, by_xy[0]], [0, 1, by_xy[1]]], np.float32)
    pushed = np.asarray(cv2.warpAffine(table, matrix, (W, H), borderMode=cv2.BORDER_REPLICATE), np.float32)
    backgrounds = Backgrounds()
    backgrounds.add(np.asarray(table, np.float32))
    assert backgrounds.foreground(pushed, 0.6).mean() < 0.03
    pushed[50:80, :60] = (120, 150, 210)
    assert backgrounds.foreground(pushed, 0.6)[55:75, 5:55].mean() > 0.95


def test_a_hand_that_did_not_move_is_at_rest() -> None:
    _, moving_area, resting_area = covered((60, 72, 92), moved=False)
    assert moving_area == 0
    assert resting_area > 20


def test_dice_are_no_hand_and_a_hand_where_a_die_lay_is_one() -> None:
    backgrounds = Backgrounds()
    backgrounds.add(coloured())
    picture = coloured((130, 160, 215), 1)
    foreground = backgrounds.foreground(picture, 0.6)
    rest_box = (40.0, 55.0, 9.0, 9.0)
    occlusion = find_occlusion(foreground, (), (rest_box,), 9.0, rim_mask((H, W), None), np.ones((H, W), bool))
    assert occlusion.mask[59, 44]
    dice = [(10.0 * n, 100.0, 9.0, 9.0) for n in range(16)]
    alone = coloured(None, 2)
    alone[100:109, :150] = (230, 230, 230)
    row = find_occlusion(backgrounds.foreground(alone, 0.6), dice, (), 9.0, rim_mask((H, W), None), np.ones((H, W), bool))
    assert row.moving_area == 0
    assert not row.mask.any()


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


def test_a_hand_that_fills_half_a_column_at_the_rim_is_detected_whole() -> None:
    foreground = foreground_of((slice(20, 90), slice(40)), (40, 50, 80))
    assert foreground[25:85, 3:36].all()
    assert not foreground[95:, :].any()


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


def test_a_small_finger_where_a_die_lay_is_a_hand() -> None:
    foreground = foreground_of((slice(55, 64), slice(25)), (60, 72, 92))
    rim, rest_box = rim_mask((H, W), None), (22.0, 55.0, 9.0, 9.0)
    assert find_occlusion(foreground, (), (), 9.0, rim, np.ones((H, W), bool)).moving_area == 0
    assert find_occlusion(foreground, (), (rest_box,), 9.0, rim, np.ones((H, W), bool)).moving_area > 1


def test_light_surrounds_a_detected_die_and_a_hand_does_not() -> None:
    patch = np.zeros((H, W), bool)
    patch[30:80, 50:110] = True
    die = (70.0, 50.0, 9.0, 9.0)
    patch[50:59, 70:79] = False
    assert (light_mask(patch, [die]) == patch).all()
    patch[:, 76:] = False
    assert not light_mask(patch, [die]).any()


@pytest.mark.parametrize(
    ("times", "light"), [((1.4, 1.4, 1.4), True), ((0.6, 0.6, 0.6), True), ((1.2, 1.3, 1.4), True), ((0.9, 1.1, 1.9), False)]
)
def test_a_light_change_scales_all_colours_alike(times: tuple[float, float, float], light: bool) -> None:
    backgrounds, mask = Backgrounds(), np.zeros((H, W), bool)
    backgrounds.add(coloured())
    mask[30:80, 50:110] = True
    assert backgrounds.is_light_change(mask, np.asarray(coloured(None, 1) * np.array(times, np.float32), np.float32)) is light
