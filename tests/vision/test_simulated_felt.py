"""The felt of the simulated tray contrasts with the dice that play, and the real reader reads them on it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from table.simulated_felt import FeltFollower, colours_in_play
from tests.page.fake_table import FakeTable
from vision.cameras.simulated import FELT_S, SimulatedCamera
from vision.reading.reader import Reader
from vision.simulation.felt import FELTS, MIN_CONTRAST, felt_for
from vision.simulation.scene import Scene

GREEN, BLUE = FELTS[0], FELTS[1]


@pytest.mark.parametrize(
    ("colours", "felt"),
    [
        ((), GREEN),
        (("white",), GREEN),
        (("red", "blue"), GREEN),
        (("green",), BLUE),
        (("green", "red"), BLUE),
        (("red", "green", "blue", "yellow"), FELTS[2]),
    ],
)
def test_the_first_felt_with_enough_contrast_is_laid(
    colours: tuple[str, ...], felt: tuple[float, float, float]
) -> None:
    assert felt_for(colours) == felt


def test_green_dice_never_lie_on_green_felt() -> None:
    for others in itertools.combinations(("red", "white", "blue", "yellow", "purple"), 2):
        assert felt_for(("green", *others)) != Scene.felt_bgr
    assert MIN_CONTRAST > 35


def test_the_reader_reads_green_dice_on_the_felt_for_them() -> None:
    camera = SimulatedCamera(seed=1, paced=False)
    camera.lay_felt_for(["green", "red"])
    camera.throw(["green"] * 3 + ["red"] * 2)
    picture = next(frame.picture for frame in camera.frames() if camera.resting)
    assert camera.scene.felt_bgr == BLUE
    dice = Reader().read(picture).dice
    assert sorted((d.face, d.colour) for d in dice) == sorted((d.face, d.colour) for d in camera.answer_key())


def test_the_hand_waits_until_the_camera_knows_a_new_felt() -> None:
    camera = SimulatedCamera(seed=1, paced=False)
    frames = camera.frames()
    laid_s = next(frames).at_s
    camera.lay_felt_for(["green", "red"])
    assert camera.resting
    camera.throw(["red"])
    assert not camera.resting
    (act,) = next(done for _ in frames if (done := camera.answer_log()))
    assert act.from_s >= laid_s + FELT_S


def test_the_felt_follows_the_match(tmp_path: Path) -> None:
    table = FakeTable(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann", hand=[3])
    assert table.hand is not None
    assert colours_in_play(table.snapshot) == {"green", "red"}
    follower = FeltFollower(table.hand)
    for _ in range(3):
        follower.on_snapshot(table.snapshot)
    assert table.hand.acts == [("felt", "green", "red")]


def test_the_colours_of_a_game_count_too(tmp_path: Path) -> None:
    table = FakeTable(tmp_path, "high_rollin", "Ann:pink", "Ben", hand=[3])
    assert colours_in_play(table.snapshot) == {"pink", "white", "red", "green", "blue", "yellow"}
