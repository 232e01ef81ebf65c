"""When the tray comes to rest, on drawn frames and on simulated throws."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from table.common.colours import COLOURS
from vision.cameras.simulated import SimulatedCamera
from vision.events import Settled
from vision.frames import Frame, Picture
from vision.pipeline import Pipeline
from vision.reading.reader import Reader
from vision.readings import PLAIN_BGR, SeenDie
from vision.settling.settle import (
    FULL_CHECK_S,
    HAND_PATIENCE_S,
    IDLE_AFTER_S,
    SETTLE_S,
    MotionState,
    SettleDetector,
)
from vision.simulation import Scene, SimDie, varied_scene
from vision.tracking.tracks import TrackOutcome

MOVING, SETTLING, AT_REST, HAND = (
    MotionState.MOVING,
    MotionState.SETTLING,
    MotionState.AT_REST,
    MotionState.HAND,
)
FPS = 30

NOISE = np.random.default_rng(7).normal(0, 4, (240, 320, 3))


def table(*dice_xy: tuple[float, float], light: float = 1.0, hand: float = 0.0, seed: int = 0) -> Picture:
    """A green table with white dice of 20 px and noise of 4 grey levels.

    hand: share of the table that an arm covers from below.
    """
    picture = np.full((240, 320, 3), (60, 110, 60), np.float32)
    for x, y in dice_xy:
        cv2.rectangle(picture, (round(x), round(y)), (round(x) + 20, round(y) + 20), (230, 230, 230), -1)
        cv2.circle(picture, (round(x) + 10, round(y) + 10), 3, (20, 20, 20), -1)
    if hand:
        cv2.rectangle(picture, (100, 240 - round(240 * hand * 2)), (260, 240), (150, 170, 220), -1)
    lit = picture * light + np.roll(NOISE, seed * 31, axis=(0, 1))
    return np.clip(lit, 0, 255).astype(np.uint8)


def states_of(
    pictures: list[Picture], detector: SettleDetector | None = None, fps: float = FPS, start_s: float = 0.0
) -> list[MotionState]:
    detector = detector or SettleDetector()
    return [detector.update(Frame(picture, start_s + n / fps)) for n, picture in enumerate(pictures)]


def still(n: int, *dice: tuple[float, float], light: float = 1.0) -> list[Picture]:
    return [table(*dice, light=light, seed=k) for k in range(n)]


def rolling(n: int, step: float) -> list[Picture]:
    return [table((20 + step * k, 100), seed=k) for k in range(n)]


def test_a_still_table_is_at_rest_after_the_settling_time() -> None:
    states = states_of(still(12, (100, 100)))
    assert states.index(AT_REST) == pytest.approx(SETTLE_S * FPS, abs=1.1)
    assert set(states) == {SETTLING, AT_REST}


@pytest.mark.parametrize("fps", [10, 15, 30, 60, 120])
def test_the_settling_time_does_not_depend_on_the_frame_rate(fps: int) -> None:
    states = states_of(still(2 * fps, (100, 100)), fps=fps)
    assert SETTLE_S - 0.01 <= states.index(AT_REST) / fps <= SETTLE_S + max(2 / fps, 0.04)
    assert states[-1] is AT_REST


def test_a_rolling_die_moves_and_then_settles_once() -> None:
    frames = [*still(12, (20, 100)), *rolling(20, 9), *still(15, (191, 100))]
    states = [state for state, _ in itertools.groupby(states_of(frames))]
    assert states == [SETTLING, AT_REST, MOVING, SETTLING, AT_REST]


def test_a_creeping_die_is_at_rest() -> None:
    assert MOVING not in states_of([*still(12, (20, 100)), *rolling(20, 0.5)])


def large_creeping_die(n: int) -> Picture:
    """A die as wide as a fifth of the picture. It creeps by a fortieth of its side per frame."""
    return np.asarray(cv2.resize(table((60 + 0.5 * n, 100), seed=n)[70:150, 40:147], (320, 240)), np.uint8)


def test_dice_in_motion_give_the_first_size_of_dice() -> None:
    """Otherwise a large die that creeps, and is at rest for its size, never comes to rest."""
    creeping = [large_creeping_die(n) for n in range(FPS)]
    assert AT_REST not in states_of(creeping)
    detector = SettleDetector()
    detector.update_dice([SeenDie(5, "white", (60, 90, 60, 60), 0.99, True)], (320, 240))
    assert states_of(creeping, detector)[-1] is AT_REST


def test_dice_in_motion_do_not_change_a_size_that_is_known() -> None:
    detector = SettleDetector()
    detector.set_tray(None, 12.0)
    detector.update_dice([SeenDie(5, "white", (60, 90, 60, 60), 0.99, True)], (320, 240))
    assert detector.die_px == 12.0
    detector.update_dice([SeenDie(5, "white", (60, 90, 30, 30), 0.99, True)], (320, 240), at_rest=True)
    assert detector.die_px == pytest.approx(15.0)


def test_a_die_pushed_slowly_to_another_place_settles_again() -> None:
    detector = SettleDetector()
    states_of([*still(12, (20, 100)), *rolling(60, 1.0)], detector)
    states = states_of(still(20, (79, 100)), detector, start_s=3)
    assert SETTLING in states
    assert states[-1] is AT_REST


@pytest.mark.parametrize("light", [0.8, 1.2])
def test_slow_light_and_sudden_exposure_are_no_motion(light: float) -> None:
    slow = [table((100, 100), light=1 + (light - 1) * k / 60, seed=k) for k in range(60)]
    assert MOVING not in states_of([*still(12, (100, 100)), *slow, *still(12, (100, 100), light=light)])
    assert MOVING not in states_of([*still(12, (100, 100)), *still(12, (100, 100), light=light)])


def test_a_flickering_lamp_is_no_motion() -> None:
    """Bands a tenth brighter and darker that move down the picture."""
    rows = np.arange(240) / 240 * 6 * np.pi
    flicker = [1 + 0.1 * np.sin(rows + 1.3 * k)[:, None, None] for k in range(40)]
    lit = [
        np.clip(table((100, 100), seed=k) * bands, 0, 255).astype(np.uint8) for k, bands in enumerate(flicker)
    ]
    assert [state for state, _ in itertools.groupby(states_of(lit))] == [SETTLING, AT_REST]


IDLE_FRAMES = 75
"""Frames of a still table after which it is idle: 2.5 s."""


@pytest.mark.parametrize("grey", [230, 80])
@pytest.mark.parametrize("idle_frames", range(IDLE_FRAMES, IDLE_FRAMES + 15, 4))
def test_a_moving_die_is_detected_at_once_on_an_idle_tray(idle_frames: int, grey: int) -> None:
    """At any time since the last full update, for a white die and for one slightly darker than the table."""
    detector = SettleDetector()
    assert states_of(still(idle_frames), detector)[-1] is AT_REST
    rolling = still(3)
    for k, picture in enumerate(rolling):
        cv2.rectangle(picture, (40 + 40 * k, 100), (60 + 40 * k, 120), (grey, grey, grey), -1)
    assert states_of(rolling, detector, start_s=idle_frames / FPS) == [MOVING] * 3


def full_updates(pictures: list[Picture], detector: SettleDetector, start_s: float) -> int:
    """Number of these frames that were processed in full: each of them sets a new Movement."""
    movements = [detector.movement]
    for n, picture in enumerate(pictures):
        detector.update(Frame(picture, start_s + n / FPS))
        if detector.movement is not movements[-1]:
            movements.append(detector.movement)
    return len(movements) - 1


def test_an_idle_tray_is_seldom_processed_in_full() -> None:
    detector = SettleDetector()
    assert full_updates(still(IDLE_FRAMES, (100, 100)), detector, 0) > IDLE_AFTER_S * FPS
    assert full_updates(still(60, (100, 100)), detector, IDLE_FRAMES / FPS) == round(60 / FPS / FULL_CHECK_S)
    assert detector.state is AT_REST


def test_an_idle_tray_stays_idle_in_a_changing_light() -> None:
    dusk = [table((100, 100), light=1 - 0.4 * k / 150, seed=k) for k in range(150)]
    states = states_of([*still(IDLE_FRAMES, (100, 100)), *dusk])
    assert set(states[IDLE_FRAMES:]) == {AT_REST}


def test_a_die_pushed_slowly_on_an_idle_tray_settles_again() -> None:
    detector = SettleDetector()
    states_of([*still(IDLE_FRAMES, (20, 100)), *rolling(60, 1.0)], detector)
    states = states_of(still(20, (79, 100)), detector, start_s=6)
    assert SETTLING in states
    assert states[-1] is AT_REST


def test_a_hand_remains_a_hand_while_it_does_not_move() -> None:
    detector = SettleDetector()
    states_of(still(12, (100, 60)), detector)
    reaching = [table((100, 60), hand=share, seed=k) for k, share in enumerate((0.05, 0.1, 0.15, 0.2))]
    holding = [table((100, 60), hand=0.2, seed=k) for k in range(20)]
    states = states_of([*reaching, *holding], detector, start_s=1)
    assert states[-1] is HAND
    assert AT_REST not in states[4:]
    assert states_of(still(20, (100, 60)), detector, start_s=2)[-1] is AT_REST


def test_a_hand_that_never_moves_again_becomes_part_of_the_table() -> None:
    detector = SettleDetector()
    states_of(still(12, (100, 60)), detector)
    held = states_of(
        [table((100, 60), hand=0.2, seed=k) for k in range(round((HAND_PATIENCE_S + 3) * FPS))],
        detector,
        start_s=1,
    )
    assert held[FPS] is HAND
    assert held[-1] is AT_REST


@pytest.mark.parametrize("size_wh", [(200, 150), (320, 200)])
def test_another_picture_size_resets_the_detector(size_wh: tuple[int, int]) -> None:
    """The second size has another shape, too: the tray and hand masks of the first do not fit."""
    detector = SettleDetector()
    tray = np.zeros((120, 160), bool)
    tray[20:, 20:] = True
    detector.set_tray(tray, 10.0)
    assert (
        states_of([*still(12, (100, 60)), *[table((100, 60), hand=0.2, seed=k) for k in range(4)]], detector)[
            -1
        ]
        is HAND
    )
    others = [np.asarray(cv2.resize(p, size_wh), np.uint8) for p in still(24, (100, 60))]
    states = states_of(others, detector, start_s=1)
    assert (states[0], states[-1]) == (SETTLING, AT_REST)
    assert not {MOVING, HAND} & set(states)


def test_repeated_frames_are_no_evidence_of_rest() -> None:
    frames = [picture for picture in rolling(10, 40) for _ in range(5)]
    assert AT_REST not in states_of(frames)


@pytest.mark.parametrize("seed", range(4))
def test_simulated_throws_settle_once_and_not_before_they_rest(seed: int) -> None:
    camera = SimulatedCamera(
        (400, 300), seed=seed, paced=False, scene=Scene(noise_sigma=3), lying=(SimDie(1, "red", 0, 50),)
    )
    detector, states, resting_from = SettleDetector(), [], 0
    for n, frame in enumerate(itertools.islice(camera.frames(), 140)):
        if n == 15:
            camera.throw(["white", "black", "green"], leaving=[0])
        if n > 15 and camera.resting:
            resting_from = resting_from or n
        states.append(detector.update(frame))
    runs = [(state, len(list(run))) for state, run in itertools.groupby(states)]
    assert runs[-1][0] is AT_REST
    assert -2 <= len(states) - runs[-1][1] - resting_from <= 9
    assert [state for state, _ in runs].count(AT_REST) == 2


@pytest.mark.parametrize("seed", range(100, 103))
def test_throws_settle_once_under_any_light_on_any_lining(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = SimulatedCamera((480, 360), seed=seed, paced=False, scene=varied_scene(rng))
    pipeline, settled = Pipeline(Reader()), []
    for n, frame in enumerate(itertools.islice(camera.frames(), 120)):
        if n == 15:
            camera.throw([str(colour) for colour in rng.choice(COLOURS, 3)])
        settled += [event for event in pipeline.process(frame) if isinstance(event, Settled)]
    assert len(settled) == 2
    assert [t.outcome for t in settled[1].tracks.dice] == [TrackOutcome.THROWN] * 3


@pytest.mark.parametrize("colour", ["black", "green", "blue"])
def test_a_die_as_dark_as_its_felt_is_detected_by_its_pips_and_shadow(colour: str) -> None:
    weights = np.array((0.114, 0.587, 0.299))  # of the grey picture
    felt = np.array(Scene.felt_bgr) * (weights @ PLAIN_BGR[colour]) / (weights @ Scene.felt_bgr)
    scene = Scene(felt_bgr=(felt[0], felt[1], felt[2]), noise_sigma=2.5)
    camera = SimulatedCamera((480, 360), seed=2, paced=False, scene=scene)
    detector, states = SettleDetector(), []
    for n, frame in enumerate(itertools.islice(camera.frames(), 120)):
        if n == 15:
            camera.throw([colour])
        states.append(detector.update(frame))
    assert len(rest_frames(states)) == 2


def rest_frames(states: list[MotionState]) -> list[int]:
    """Frames in which the tray comes to rest."""
    return [n for n in range(1, len(states)) if states[n] is AT_REST and states[n - 1] is not AT_REST]
