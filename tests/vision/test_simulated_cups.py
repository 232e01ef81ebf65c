"""Simulated cups: a throw under one is out of view, and a lifted one shows its dice to the real reader."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cameras.simulated import ActImpossible, SimulatedCamera
from vision.frames import Picture
from vision.reading.reader import Reader
from vision.simulation.cups import MOST_UNDER_CUP, PITCH_MM, Cup, pushed_out, under_cup
from vision.simulation.dice import SimDie


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def picture_at_rest(camera: SimulatedCamera) -> Picture:
    """The first picture after all acts."""
    for frame in camera.frames():
        if camera.resting:
            return frame.picture
    raise AssertionError("the camera has ended")


def test_a_throw_under_a_cup_shows_no_die() -> None:
    camera = SimulatedCamera(seed=3, paced=False)
    camera.throw(["white"] * 3)
    camera.throw_under_cup("Ann", "Ann", ["red"] * 5)
    picture_at_rest(camera)
    assert camera.answer_key() == ()
    cup = camera.under_cup("Ann")
    assert cup is not None
    assert (cup.by, len(cup.faces)) == ("Ann", 5)
    assert camera.under_cup("Ben") is None


@pytest.mark.parametrize(("colours", "seed"), [(["red"] * 5, 3), (["white", "blue"], 4), (["black"] * 7, 5)])
def test_the_reader_reads_what_lies_under_a_lifted_cup(reader: Reader, colours: list[str], seed: int) -> None:
    camera = SimulatedCamera(seed=seed, paced=False)
    camera.throw_under_cup("the cup", "Ann", colours)
    camera.lift_cup("the cup", colours)
    cup = camera.under_cup("the cup")
    assert cup is not None
    reading = reader.read(picture_at_rest(camera))
    assert sorted(reading.faces) == sorted(cup.faces)
    assert all(die.sure for die in reading.dice)


def test_a_cup_that_is_lifted_twice_shows_the_same_dice() -> None:
    camera = SimulatedCamera(seed=6, paced=False)
    camera.throw_under_cup("Ann", "Ann", ["green"] * 4)
    faces = []
    for _ in range(2):
        camera.lift_cup("Ann", ["green"] * 4)
        picture_at_rest(camera)
        faces.append(sorted(die.face for die in camera.answer_key()))
    assert faces[0] == faces[1]


def test_a_cup_that_goes_round_shows_the_dice_of_the_player_who_threw() -> None:
    camera = SimulatedCamera(seed=6, paced=False)
    camera.throw_under_cup("the cup", "Ann", ["green"] * 2)
    cup = camera.under_cup("the cup")
    camera.lift_cup("the cup", ["red"] * 2, any_colour=True)
    assert cup is not None
    assert camera.under_cup("the cup") == cup
    assert sorted((die.face, die.colour) for die in camera.answer_key()) == sorted(
        (face, "green") for face in cup.faces
    )


def test_a_cup_that_nobody_threw_under_is_filled_when_it_is_lifted() -> None:
    camera = SimulatedCamera(seed=7, paced=False)
    camera.lift_cup("Ann", ["green"] * 2)
    picture_at_rest(camera)
    assert len(camera.answer_key()) == 2


def test_the_most_common_faces_are_pushed_out() -> None:
    cup = Cup("Ann", tuple(SimDie(face, "red", 0, 0) for face in (1, 4, 6, 4, 1)))
    assert [die.face for die in pushed_out(cup, 3)] == [4, 4, 1]


def test_the_chosen_faces_are_pushed_out() -> None:
    cup = Cup("Ann", tuple(SimDie(face, "red", 0, 0) for face in (1, 4, 6, 4, 1)))
    assert [die.face for die in pushed_out(cup, 2, [6, 1])] == [1, 6]


def test_dice_under_a_cup_do_not_touch() -> None:
    dice = under_cup(np.random.default_rng(1), [SimDie(1, "red", 0, 0)] * MOST_UNDER_CUP, (10.0, -20.0))
    points = np.array([(die.x_mm, die.y_mm) for die in dice])
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)[~np.eye(len(dice), dtype=bool)]
    assert apart.min() == pytest.approx(PITCH_MM)
    assert points.mean(axis=0) == pytest.approx((10.0, -20.0))


def test_more_dice_than_fit_under_a_cup_are_refused() -> None:
    with pytest.raises(ActImpossible, match="8 dice do not fit under a cup: 7 do"):
        SimulatedCamera(seed=1).throw_under_cup("Ann", "Ann", ["red"] * 8)
