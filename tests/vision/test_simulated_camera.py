"""The simulated tray as a camera: a hand throws, the frames show it, and the faces stay hidden."""

from __future__ import annotations

import dataclasses
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vision.cameras.simulated import MAX_DICE, ActImpossible, LyingDie, SimulatedCamera
from vision.frames import Frame
from vision.simulation import SimDie

SMALL = (320, 240)


def camera(seed: int = 1, lying: tuple[SimDie, ...] = ()) -> SimulatedCamera:
    return SimulatedCamera(SMALL, seed=seed, paced=False, lying=lying)


def frames_until_rest(cam: SimulatedCamera) -> list[Frame]:
    """Frames until the hand has finished."""
    frames = []
    for frame in itertools.islice(cam.frames(), 400):
        frames.append(frame)
        if cam.resting:
            return frames
    raise AssertionError("the hand did not finish")


def test_unpaced_frames_have_the_times_of_the_frame_rate() -> None:
    frames = list(itertools.islice(camera().frames(), 4))
    assert [f.at_s for f in frames] == pytest.approx([0, 1 / 30, 2 / 30, 3 / 30])
    assert frames[0].picture.shape == (240, 320, 3)
    assert frames[0].picture.dtype == np.uint8


def test_thrown_dice_come_to_lie_on_the_tray_in_their_colours() -> None:
    cam = camera()
    cam.throw(["red", "red", "blue"])
    before, *_, after = frames_until_rest(cam)
    assert [die.colour for die in cam.lay()] == ["red", "red", "blue"]
    assert np.abs(before.picture.astype(int) - after.picture).max() > 100


def test_the_positions_of_dice_are_known_and_their_faces_are_not() -> None:
    places = ["x", "y", "colour", "id", "base", "level", "floor_mm"]
    assert [f.name for f in dataclasses.fields(LyingDie)] == places
    cam = camera(lying=(SimDie(6, "white", 0, 0),))
    (die,) = cam.lay()
    assert (die.x, die.y) == pytest.approx((160, 120), abs=5)


def test_a_careful_hand_does_not_disturb_the_dice_it_leaves() -> None:
    for seed in range(6):
        cam = camera(seed=seed, lying=(SimDie(5, "green", -70, 50, 0.3), SimDie(2, "green", 80, 40, 1.1)))
        before = cam.answer_key()
        cam.throw(["green"] * 3, leaving=[0, 1])
        frames_until_rest(cam)
        assert cam.answer_key()[:2] == before
        assert len(cam.lay()) == 5


def test_clearing_empties_the_tray() -> None:
    cam = camera(lying=(SimDie(6, "white", 0, 0), SimDie(1, "red", 40, 0)))
    cam.clear()
    frames_until_rest(cam)
    assert cam.lay() == ()


def test_the_same_seed_throws_the_same_dice() -> None:
    keys = []
    for _ in range(2):
        cam = camera(seed=9)
        cam.throw(["red"] * 5)
        keys.append(cam.answer_key())
    assert keys[0] == keys[1]


@pytest.mark.parametrize(
    ("colours", "leaving", "why"),
    [
        (["mauve"], [], "no 'mauve' dice"),
        ([], [], "nothing to throw"),
        (["red"], [0], "no die 0"),
        (["red"] * (MAX_DICE + 1), [], "too many"),
    ],
)
def test_impossible_requests_are_refused(colours: list[str], leaving: list[int], why: str) -> None:
    with pytest.raises(ActImpossible, match=why):
        camera().throw(colours, leaving)


def test_a_hand_lays_down_more_dice_than_can_be_thrown() -> None:
    """After a fall of all towers of High Rollin'."""
    tray = camera()
    for _ in range(MAX_DICE + 8):
        tray.lay_down(3, "red")
    with pytest.raises(ActImpossible, match="too many"):
        tray.throw(["red"], range(MAX_DICE))


def test_late_frames_are_skipped() -> None:
    now = [0.0]
    frames = SimulatedCamera(SMALL, seed=1, clock=lambda: now[0]).frames()
    next(frames)
    now[0] = 0.2
    assert next(frames).at_s == pytest.approx(0.2)


def test_on_a_computer_that_is_too_slow_everything_moves_more_slowly() -> None:
    now = [0.0]
    camera = SimulatedCamera(SMALL, seed=1, clock=lambda: now[0])
    frames = camera.frames()
    next(frames)
    now[0] = 5.0
    assert next(frames).at_s == pytest.approx(0.3)
    now[0] = 5.1
    assert next(frames).at_s == pytest.approx(0.4)
    assert camera.slowed_s == pytest.approx(4.7)


def test_closing_ends_the_frames() -> None:
    cam = camera()
    frames = cam.frames()
    next(frames)
    cam.close()
    cam.close()
    assert list(frames) == []


def run_in_new_python(lines: str) -> str:
    """The output of a new Python process that runs these lines."""
    done = subprocess.run(
        [sys.executable, "-c", lines],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_table_with_a_real_camera_loads_no_physics() -> None:
    assert (
        run_in_new_python(
            "import sys, table.commands.wiring, vision.cameras.choosing; print('mujoco' in sys.modules)"
        )
        == "False\n"
    )


def test_without_the_physics_engine_frames_are_shown_and_throws_are_refused() -> None:
    output = run_in_new_python(
        "import sys; sys.modules['mujoco'] = None\n"
        "from vision.cameras.simulated import SimulatedCamera\n"
        "camera = SimulatedCamera((320, 240), paced=False); next(camera.frames())\n"
        "try: camera.throw(['red'])\n"
        "except Exception as error: print(type(error).__mro__[1].__name__, error)"
    )
    assert output.startswith("BrehonError dice cannot be simulated here: mujoco-core is not installed")
