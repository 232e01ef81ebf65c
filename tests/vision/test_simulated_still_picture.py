"""Still pictures of the simulated tray agree with their ground truth."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from table.common.colours import COLOURS
from vision.readings import PLAIN_BGR
from vision.simulation import Scene, SimDie, random_tray, render_still, render_truth
from vision.simulation.dice import FACE_UP, body_of, resting_rotation, top_face
from vision.simulation.geometry import Square
from vision.simulation.view import view_of

QUIET = Scene(noise_sigma=0, blur_px=0, camera_tilt_rad=0, vignette=0)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_given_face_is_up_at_any_yaw(face: int) -> None:
    for yaw in np.linspace(0, 6.2, 9):
        turn = resting_rotation(face, float(yaw))
        assert top_face(turn) == face
        assert np.allclose(turn @ turn.T, np.eye(3), atol=1e-6)
        assert np.linalg.det(turn) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("face", range(1, 7))
def test_opposite_faces_add_to_seven(face: int) -> None:
    upside_down = np.diag([1.0, -1, -1]) @ np.array(FACE_UP[face])
    assert top_face(upside_down) == 7 - face


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_shows_as_many_pips_as_its_face(face: int) -> None:
    picture = render_still([SimDie(face, "white", 0, 0, yaw_rad=0.4)], rng(), scene=QUIET)
    assert dark_spots(picture[270:330, 370:430]) == face


def dark_spots(crop: np.ndarray) -> int:
    die = crop.max(axis=2)
    spots, _, stats, middles = cv2.connectedComponentsWithStats((die < 110).astype(np.uint8))
    inside = [
        m for s, m in zip(stats[1:], middles[1:], strict=True) if 15 < s[4] < 90 and np.abs(m - 30).max() < 17
    ]
    return len(inside) if spots else 0


def test_the_box_fits_the_die_tightly() -> None:
    even = replace(QUIET, key=0.0, ambient=1.0)
    (picture, (true,)) = render_truth([SimDie(1, "white", 60, 30)], rng(), scene=even)
    x, y, w, h = (int(v) for v in true.box_xywh)
    bright = np.argwhere(picture[60:540, 70:730].min(axis=2) > 70) + np.array((60, 70))
    assert np.abs(bright.min(axis=0) - (y, x)).max() <= 2
    assert np.abs(bright.max(axis=0) - (y + h - 1, x + w - 1)).max() <= 2
    assert 0.9 < w / h < 1.25


def test_a_die_off_centre_shows_the_side_towards_the_centre() -> None:
    view = view_of(QUIET, (800, 600))
    middle = view.project(body_of(SimDie(1, "white", 100, 0), QUIET).centre[None])[0]
    top = view.project(np.array([[100, 0, QUIET.die_mm]], np.float32))[0]
    assert top[0] > middle[0]


def test_the_ray_through_a_projected_point_leads_to_the_point() -> None:
    camera = view_of(Scene(camera_tilt_rad=0.2, camera_roll_rad=0.1, aim_px=(7.0, -3.0)), (800, 600))
    points = np.array([[100, 50, 0], [-80, 20, 16], [0, -70, 5]], np.float32)
    x, y = camera.project(points).T
    towards = (points - camera.position).T
    assert np.allclose(camera.rays_through(x, y), towards / np.linalg.norm(towards, axis=0), atol=1e-6)
    row, column = round(float(y[0])), round(float(x[0]))
    assert np.abs(camera.rays[:, row, column] - camera.rays_through(x, y)[:, 0]).max() < 1 / camera.focal_px


@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_is_rendered_as_itself(colour: str) -> None:
    picture = render_still([SimDie(1, colour, 0, 0)], rng(), scene=QUIET)
    seen = picture[282:288, 382:418].reshape(-1, 3).mean(axis=0)
    nearest = min(COLOURS, key=lambda name: float(np.abs(np.array(PLAIN_BGR[name]) - seen).sum()))
    assert nearest == colour


def test_random_trays_repeat_with_their_seed_and_contain_the_requested_dice() -> None:
    (first, truth), (again, same) = (random_tray(rng(5), 8, size_wh=(320, 240)) for _ in range(2))
    assert np.array_equal(first, again)
    assert truth == same
    assert first.shape == (240, 320, 3)
    assert len(truth) <= 8
    assert {d.colour for d in random_tray(rng(6), 5, ["red", "blue"], (320, 240))[1]} <= {"red", "blue"}


def test_the_gap_between_two_squares_is_negative_if_they_overlap() -> None:
    square = Square(0, 0, 0, 16)
    assert square.gap_to(Square(15.9, 0, 0, 16)) == pytest.approx(-0.1)
    assert square.gap_to(Square(16.5, 0, 0, 16)) == pytest.approx(0.5)
    assert square.gap_to(Square(18, 0, np.pi / 4, 16)) == pytest.approx(18 - 8 - 8 * np.sqrt(2))
    assert square.gap_to(Square(18, 18, np.pi / 4, 16)) == pytest.approx(18 * np.sqrt(2) - 8 - 8 * np.sqrt(2))
    assert Square(18, 18, np.pi / 4, 8).gap_to(square) == square.gap_to(Square(18, 18, np.pi / 4, 8)) > 0


def test_dice_in_a_random_tray_never_overlap() -> None:
    for seed in range(4):
        _, truth = random_tray(rng(seed), 12, scene=QUIET)
        centres = np.array([(x + w / 2, y + h / 2) for x, y, w, h in (die.box_xywh for die in truth)])
        distances = np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1)) + 1e3 * np.eye(
            len(centres)
        )
        assert distances.min() > 0.9 * view_of(QUIET, (800, 600)).px_per_mm() * QUIET.die_mm


def test_a_leaning_die_is_cocked() -> None:
    _, truth = render_truth(
        [SimDie(3, "red", 0, 0, lean_rad=0.4), SimDie(3, "red", 50, 0)], rng(), scene=QUIET
    )
    assert [d.cocked for d in truth] == [True, False]
