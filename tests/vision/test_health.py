"""Troubles of the camera, from its frames alone: on rendered trays, and on photographs and clips of real
dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from time import thread_time

import cv2
import numpy as np
import pytest

from table.common.tray import TrayState
from tests.vision.spoiling import FPS, Spoils, black, filmed, going_round, grey_card, out_of_focus, skin, spoilt
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.video import VideoFile
from vision.frames import Frame, Picture
from vision.health import Health
from vision.settle import MotionState, SettleDetector
from vision.simulation import Scene, random_tray

PHOTOS = Path(__file__).parents[2].parent / "shared" / "photos"
SIZE = (400, 300)
BEGINS_S, ENDS_S = 4.0, 8.0
"""When the trouble begins and ends in these films."""

MAX_DELAY_S = 3.0
"""Maximum delay until a trouble is reported, and until it is over after its end."""


def tray(seed: int = 1, dice: int = 5) -> Picture:
    return random_tray(np.random.default_rng(seed), dice, size_wh=SIZE, scene=replace(Scene(), noise_sigma=0.0))[0]


def history_of(frames: Iterable[Frame]) -> list[tuple[float, TrayState | None]]:
    """(time, trouble) of every frame."""
    health, settle = Health(), SettleDetector()
    return [(f.at_s, health.update(f, settle.update(f) is MotionState.AT_REST)) for f in frames]


def reported(history: list[tuple[float, TrayState | None]]) -> set[TrayState]:
    return {trouble for _, trouble in history if trouble}


def assert_reported_and_over(history: list[tuple[float, TrayState | None]], trouble: TrayState) -> None:
    """This trouble and no other is reported in time, stays reported as long as it lasts, and is over in
    time."""
    assert reported(history) == {trouble}
    times = [at_s for at_s, now in history if now]
    assert BEGINS_S < times[0] <= BEGINS_S + MAX_DELAY_S
    assert ENDS_S - 2 / FPS <= times[-1] <= ENDS_S + MAX_DELAY_S
    assert len(times) == round((times[-1] - times[0]) * FPS) + 1, "reported without a gap"


# --- what is wrong ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sigma", [0.0, 2.0, 6.0])
@pytest.mark.parametrize(
    ("spoils", "trouble"),
    [(black, TrayState.DARK), (skin, TrayState.COVERED), (grey_card, TrayState.COVERED), (out_of_focus(0.01), TrayState.BLURRED)],
)
def test_a_trouble_is_reported_within_three_seconds_and_over_within_three(spoils: Spoils, trouble: TrayState, sigma: float) -> None:
    film = filmed(tray(), 12, sigma)
    assert_reported_and_over(history_of(spoilt(film, BEGINS_S, ENDS_S, spoils, sigma)), trouble)


@pytest.mark.parametrize(("spoils", "trouble"), [(black, TrayState.DARK), (grey_card, TrayState.COVERED)])
def test_a_picture_that_loses_its_noise_as_well_is_not_only_frozen(spoils: Spoils, trouble: TrayState) -> None:
    assert_reported_and_over(history_of(spoilt(filmed(tray(), 12), BEGINS_S, ENDS_S, spoils, sigma=0.0)), trouble)


def test_a_lamp_that_goes_out_leaves_it_dark_and_one_that_is_dimmed_does_not() -> None:
    film = list(filmed(tray(), 12))
    off = spoilt(film, BEGINS_S, ENDS_S, lambda picture, _: (picture * 0.02).astype(np.uint8))
    assert_reported_and_over(history_of(off), TrayState.DARK)
    dimmed = spoilt(film, BEGINS_S, ENDS_S, lambda picture, _: (picture * 0.3).astype(np.uint8))
    assert reported(history_of(dimmed)) == set()


def test_noise_in_the_dark_is_no_light() -> None:
    assert reported(history_of(filmed(np.full((300, 400, 3), 3, np.uint8), 4, sigma=5.0))) == {TrayState.DARK}


def test_a_camera_that_starts_out_of_focus_is_reported_without_a_sharp_baseline() -> None:
    assert reported(history_of(filmed(out_of_focus(0.006)(tray(), 0), 4))) == {TrayState.BLURRED}


def test_a_blur_that_the_reader_tolerates_is_no_trouble() -> None:
    assert reported(history_of(spoilt(filmed(tray(), 12), BEGINS_S, ENDS_S, out_of_focus(0.0015)))) == set()


@pytest.mark.parametrize("loop", [1, 2, 7, 40])
def test_frames_that_come_again_and_again_are_frozen(loop: int) -> None:
    assert_reported_and_over(history_of(going_round(filmed(tray(), 13), BEGINS_S, ENDS_S, loop)), TrayState.FROZEN)


def test_a_second_freeze_is_reported_like_the_first() -> None:
    film = list(going_round(filmed(tray(), 26), BEGINS_S, ENDS_S, 1))
    history = history_of(going_round(film, 16, 21, 1))
    assert any(now is TrayState.FROZEN for at_s, now in history if BEGINS_S <= at_s < ENDS_S)
    assert any(now is TrayState.FROZEN for at_s, now in history if 16 <= at_s <= 16 + MAX_DELAY_S)


def test_a_source_without_noise_is_never_frozen() -> None:
    still = tray()
    assert reported(history_of(Frame(still, n / FPS) for n in range(10 * FPS))) == set()


def test_a_webcam_that_repeats_frames_in_dim_light_is_not_frozen() -> None:
    """Ten real frames a second, each given three times."""
    film = [frame.picture for frame in filmed(tray(), 14)]
    assert reported(history_of(Frame(film[n // 3], n / 30) for n in range(3 * len(film)))) == set()


def test_a_light_that_removes_the_noise_does_not_freeze_the_picture() -> None:
    dim, bright = filmed(tray(), 6, sigma=6, gain=0.3), filmed(tray(), 6, sigma=0.3, start_s=6.0)
    assert reported(history_of([*dim, *bright])) == set()


def test_frames_that_stop_for_a_while_are_frozen_and_the_tray_is_visible_again_soon_after() -> None:
    film = [*filmed(tray(), 3), *filmed(tray(), 4, start_s=8.0)]
    history = history_of(film)
    assert [at_s for at_s, now in history if now is TrayState.FROZEN and at_s < 8] == []
    assert dict(history)[8.0] is TrayState.FROZEN, "what happened until then was not observed"
    assert {now for at_s, now in history if at_s > 8 + MAX_DELAY_S} == {None}


def test_another_picture_size_resets_the_health() -> None:
    film = [*filmed(tray(), 3), *filmed(cv2.resize(tray(), (320, 240)), 3, start_s=3.0)]  # type: ignore[arg-type]
    assert reported(history_of(film)) == set()


def test_a_tray_that_never_rests_can_be_covered_too() -> None:
    health = Health()
    history = [(f.at_s, health.update(f, at_rest=False)) for f in spoilt(filmed(tray(), 12), BEGINS_S, ENDS_S, skin)]
    assert_reported_and_over(history, TrayState.COVERED)


# --- what is not ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_throws_and_clearing_up_are_no_trouble(seed: int) -> None:
    camera = SimulatedCamera(SIZE, FPS, seed, paced=False)
    film: list[Frame] = []
    for frame in camera.frames():
        film.append(frame)
        if camera.resting and len(film) % 40 == 0:
            camera.throw(("red", "white", "black")[: 1 + len(film) % 3]) if len(film) % 80 else camera.clear()
        if frame.at_s > 20:
            camera.close()
    assert reported(history_of(film)) == set()


def test_an_arm_over_half_the_tray_covers_nothing() -> None:
    def arm(picture: Picture, at_s: float) -> Picture:
        reached = picture.copy()
        cv2.ellipse(reached, (170, 330), (110, 260), at_s, 0, 360, (90, 130, 190), -1)
        return reached

    assert reported(history_of(spoilt(filmed(tray(), 12), BEGINS_S, ENDS_S, arm))) == set()


def test_a_tray_that_is_emptied_is_not_out_of_focus() -> None:
    film = [*filmed(tray(), 6), *filmed(tray(dice=0), 6, start_s=6.0)]
    assert reported(history_of(film)) == set()


def test_another_picture_of_a_folder_covers_nothing() -> None:
    pictures = [random_tray(np.random.default_rng(seed), 4, size_wh=SIZE)[0] for seed in range(5)]
    assert reported(history_of(Frame(pictures[n // 38], n / FPS) for n in range(5 * 38))) == set()


@pytest.mark.parametrize("name", ["RobertWetzler_dice_video_1.mp4", "gruzdev-as_6.gif", "nell-byler_giphy.gif"])
def test_clips_of_real_dice_show_no_trouble(name: str) -> None:
    if not (PHOTOS / "clips" / name).exists():
        pytest.skip(f"{PHOTOS / 'clips' / name} is not there")
    assert reported(history_of(VideoFile(PHOTOS / "clips" / name, speed=None).frames())) == set()


def test_photographs_of_real_dice_show_no_trouble_from_the_start_dim_ones_too() -> None:
    photographs = sorted(PHOTOS.glob("*/*.jpg"))[::24]
    if not photographs:
        pytest.skip(f"there are no photographs in {PHOTOS}")
    for path in photographs:
        picture = cv2.imread(str(path))
        assert picture is not None
        small = cv2.resize(picture, (400, round(400 * picture.shape[0] / picture.shape[1])), interpolation=cv2.INTER_AREA)
        for gain in (1.0, 0.25):
            assert reported(history_of(filmed(np.asarray(small, np.uint8), 2.5, gain=gain))) == set(), (path.name, gain)


def test_a_frame_costs_next_to_nothing() -> None:
    """Half a millisecond of a laptop core; slower ones may take three times that."""
    film = list(filmed(cv2.resize(tray(), (1280, 960)), 2))  # type: ignore[arg-type]
    health, spent_s = Health(), []
    for frame in film:
        began = thread_time()
        health.update(frame, at_rest=True)
        spent_s.append(thread_time() - began)
    assert np.mean(spent_s) < 0.0015
