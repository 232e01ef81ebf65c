"""Hands, light and pushed cameras, on small drawn pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.felt import H, W, felt
from vision.settling.motion import Grey, Mask
from vision.settling.occlusion import Backgrounds, find_occlusion, light_mask, rim_mask


def coloured(hand: tuple[int, int, int] | None = None, seed: int = 0) -> Grey:
    """Green felt in a small picture, with a hand that comes in from the left."""
    picture = np.full((H, W, 3), (50, 90, 45), np.float32) + np.random.default_rng(seed).normal(
        0, 0.6, (H, W, 3)
    )
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


@pytest.mark.parametrize("gain", [0.93, 1.07, 1.3])
def test_a_bright_table_that_is_clipped_covers_nothing_when_the_exposure_changes(gain: float) -> None:
    tray = np.full((H, W, 3), (65, 112, 160), np.float32)
    tray[:, 120:] = (225, 250, 262)
    noise = np.random.default_rng(3).normal(0, 0.6, (2, H, W, 3))
    backgrounds = Backgrounds()
    backgrounds.add(np.asarray(np.clip(tray + noise[0], 0, 253), np.float32))
    later = np.asarray(np.clip(tray * gain + noise[1], 0, 253), np.float32)
    assert backgrounds.foreground(later, 0.6).mean() < 0.002


def test_bands_of_a_lamp_on_a_bright_table_cover_nothing() -> None:
    """The camera compresses the red of the bright bands."""
    rows = np.arange(H)[:, None, None]

    def lit(phase: float) -> Grey:
        light = np.array([150.0, 180.0, 205.0]) * (1 + 0.1 * np.sin(rows / 5 + phase))
        compressed = np.minimum(light, 200 + 0.6 * (light - 200))
        return np.asarray(np.broadcast_to(compressed, (H, W, 3)), np.float32)

    backgrounds = Backgrounds()
    backgrounds.add(lit(0))
    assert not backgrounds.foreground(lit(np.pi), 0.6).any()


@pytest.mark.parametrize("by_xy", [(3.0, 0.0), (-5.5, 2.5), (0.0, 9.0)])
def test_a_pushed_camera_covers_nothing_and_a_hand_is_still_detected_afterwards(
    by_xy: tuple[float, float],
) -> None:
    table = np.repeat(felt(1, 0)[..., None], 3, axis=2)
    table[10:14, :] = table[:, 20:24] = (40, 70, 120)  # a rim
    matrix = np.array([[1, 0, by_xy[0]], [0, 1, by_xy[1]]], np.float32)
    pushed = np.asarray(cv2.warpAffine(table, matrix, (W, H), borderMode=cv2.BORDER_REPLICATE), np.float32)
    backgrounds = Backgrounds()
    backgrounds.add(np.asarray(table, np.float32))
    assert backgrounds.align_and_subtract(pushed, 0.6).mean() < 0.03
    pushed[50:80, :60] = (120, 150, 210)
    assert backgrounds.align_and_subtract(pushed, 0.6)[55:75, 5:55].mean() > 0.95


@pytest.mark.parametrize("by_xy", [(-7, 8), (10, -3)])
def test_a_push_is_followed_where_only_the_rim_has_edges_and_more_of_the_table_comes_into_view(
    by_xy: tuple[int, int],
) -> None:
    """Smooth felt, a lens that darkens the corners, and a rim at the border of the picture."""
    table = np.full((H + 40, W + 40, 3), (60, 90, 40), np.float32)
    table[28:-28, 28:-28] = (60, 80, 35)
    for rim in (slice(22, 28), slice(-28, -22)):
        table[rim, 22:-22] = table[22:-22, rim] = (50, 90, 150)
    vignette = 1 - 0.3 * (np.linspace(-1, 1, H)[:, None] ** 2 + np.linspace(-1, 1, W)[None] ** 2) / 2

    def view(x: int, y: int) -> Grey:
        return np.asarray(table[20 + y : 20 + y + H, 20 + x : 20 + x + W] * vignette[..., None], np.float32)

    backgrounds = Backgrounds()
    backgrounds.add(view(0, 0))
    assert backgrounds.align_and_subtract(view(*by_xy), 0.6).mean() < 0.04


def test_a_hand_at_the_border_is_no_push_that_brings_more_of_the_table_into_view() -> None:
    """The hand covers the only die on smooth cloth: moved right and down, the die would reach its edges,
    and the rest of the hand would lie where the background shows nothing."""
    table = np.full((H, W, 3), 60, np.float32)
    picture, brown = table.copy(), (40, 80, 120)
    table[42:51, 2:11] = brown
    picture[41:68, :22] = brown
    backgrounds = Backgrounds()
    backgrounds.add(table)
    assert backgrounds.align_and_subtract(picture, 0.6)[52:68, :22].all()


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
    occlusion = find_occlusion(
        foreground, (), (rest_box,), 9.0, rim_mask((H, W), None), np.ones((H, W), bool)
    )
    assert occlusion.mask[59, 44]
    dice = [(10.0 * n, 100.0, 9.0, 9.0) for n in range(16)]
    alone = coloured(None, 2)
    alone[100:109, :150] = (230, 230, 230)
    row = find_occlusion(
        backgrounds.foreground(alone, 0.6), dice, (), 9.0, rim_mask((H, W), None), np.ones((H, W), bool)
    )
    assert row.moving_area == 0
    assert not row.mask.any()


def test_a_hand_that_fills_half_a_column_at_the_rim_is_detected_whole() -> None:
    foreground = foreground_of((slice(20, 90), slice(40)), (40, 50, 80))
    assert foreground[25:85, 3:36].all()
    assert not foreground[95:, :].any()


def test_a_small_finger_where_a_die_lay_is_a_hand() -> None:
    foreground = foreground_of((slice(55, 64), slice(25)), (60, 72, 92))
    rim, rest_box = rim_mask((H, W), None), (22.0, 55.0, 9.0, 9.0)
    assert find_occlusion(foreground, (), (), 9.0, rim, np.ones((H, W), bool)).moving_area == 0
    assert find_occlusion(foreground, (), (rest_box,), 9.0, rim, np.ones((H, W), bool)).moving_area > 1


@pytest.mark.parametrize(("x", "moves", "found"), [(12, False, True), (0, False, False), (12, True, False)])
def test_a_short_finger_that_stops_at_a_die_near_the_rim_is_a_hand(x: int, moves: bool, found: bool) -> None:
    """Most of what is seen of it lies where the die lay. With nothing between the two, the die may have
    rolled on; and what moves may be another die that lands on it."""
    lay = (float(x), 52.0, 16.0, 16.0)
    before, picture = coloured(), coloured(None, 1)
    before[52:68, x : x + 16] = picture[56:72, x : x + 16] = (225, 235, 235)
    picture[54:67, : x + 14] = (130, 160, 215)
    backgrounds = Backgrounds()
    backgrounds.add(before)
    foreground, covered = backgrounds.foreground(picture, 0.6), backgrounds.covered(picture, 0.6, (lay,))
    rim, moved = rim_mask((H, W), None), np.ones((H, W), bool)
    just_moved = np.full((H, W), moves)
    occlusion = find_occlusion(foreground, (), (lay,), 16.0, rim, moved, covered, None, just_moved)
    assert (occlusion.moving_area > 0) == found


def test_a_finger_that_pushes_a_die_on_stays_a_hand() -> None:
    rim, moving = rim_mask((H, W), None), np.ones((H, W), bool)
    lay, far_away = (22.0, 55.0, 9.0, 9.0), (70.0, 20.0, 9.0, 9.0)
    before = foreground_of((slice(55, 64), slice(25)), (60, 72, 92))
    now = foreground_of((slice(51, 60), slice(25)), (60, 72, 92))
    hands_before = find_occlusion(before, (), (lay,), 9.0, rim, moving).reaching
    assert find_occlusion(now, (), (far_away,), 9.0, rim, moving).moving_area == 0
    missing = np.zeros((H, W), bool)
    assert find_occlusion(now, (), (far_away,), 9.0, rim, moving, missing, hands_before).moving_area > 1


def test_a_finger_that_holds_still_stays_a_hand_where_it_is_hardly_large_enough() -> None:
    """It is a little smaller at rest. What it leaves behind is much smaller, and is none."""
    rim, moving = rim_mask((H, W), None), np.ones((H, W), bool)
    comes, rests, leaves = (foreground_of((slice(44, 64), slice(n)), (60, 72, 92)) for n in (20, 15, 6))
    came = find_occlusion(comes, (), (), 9.0, rim, moving)
    assert came.moving_area > 4
    assert find_occlusion(rests, (), (), 9.0, rim, moving).moving_area == 0
    held = find_occlusion(rests, (), (), 9.0, rim, moving, None, came.reaching)
    assert held.moving_area > 3
    assert find_occlusion(leaves, (), (), 9.0, rim, moving, None, held.reaching).moving_area == 0


def test_a_finger_that_pushed_a_die_is_a_hand_where_the_die_lay() -> None:
    """It reaches beyond that place, as far as the die that it pushes."""
    lay, now = (40.0, 55.0, 9.0, 9.0), (64.0, 55.0, 9.0, 9.0)
    before, picture = coloured(), coloured(None, 1)
    before[55:64, 40:49] = picture[55:64, 64:73] = (225, 235, 235)
    picture[56:63, :64] = (130, 160, 215)
    backgrounds = Backgrounds()
    backgrounds.add(before)
    occlusion = find_occlusion(
        backgrounds.foreground(picture, 0.6),
        (now,),
        (lay,),
        9.0,
        rim_mask((H, W), None),
        np.ones((H, W), bool),
        backgrounds.covered(picture, 0.6, (lay,)),
    )
    assert occlusion.mask[57:62, 2:62].mean() > 0.95
    bare = coloured(None, 2)
    assert not backgrounds.covered(bare, 0.6, (lay,)).any()


def test_light_surrounds_a_detected_die_and_a_hand_does_not() -> None:
    patch = np.zeros((H, W), bool)
    patch[30:80, 50:110] = True
    die = (70.0, 50.0, 9.0, 9.0)
    patch[50:59, 70:79] = False
    assert (light_mask(patch, [die]) == patch).all()
    patch[:, 76:] = False
    assert not light_mask(patch, [die]).any()


@pytest.mark.parametrize(
    ("times", "light"),
    [((1.4, 1.4, 1.4), True), ((0.6, 0.6, 0.6), True), ((1.2, 1.3, 1.4), True), ((0.9, 1.1, 1.9), False)],
)
def test_a_light_change_scales_all_colours_alike(times: tuple[float, float, float], light: bool) -> None:
    backgrounds, mask = Backgrounds(), np.zeros((H, W), bool)
    backgrounds.add(coloured())
    mask[30:80, 50:110] = True
    assert (
        backgrounds.is_light_change(
            mask, np.asarray(coloured(None, 1) * np.array(times, np.float32), np.float32)
        )
        is light
    )


@pytest.mark.parametrize(
    ("bgr", "covered"),
    [((30, 40, 70), True), ((52, 68, 86), False), ((76, 114, 171), False), ((50, 90, 171), True)],
    ids=["a hand on the lens", "a dimmed lamp", "a warm lamp", "a red cloth"],
)
def test_what_lies_on_the_lens_is_told_from_a_lamp_by_its_tint(
    bgr: tuple[int, int, int], covered: bool
) -> None:
    backgrounds = Backgrounds()
    backgrounds.add(np.full((120, 160, 3), 190, np.float32))
    assert backgrounds.are_covered(np.full((120, 160, 3), bgr, np.float32)) == covered
