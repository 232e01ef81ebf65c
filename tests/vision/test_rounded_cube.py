"""Rays meet a rounded cube where geometry says they do."""

from __future__ import annotations

import numpy as np
import pytest

from vision.simulation.rounded_cube import Floats, RoundedCube, face_axes, lengths

TOLERANCE, STEPS = 1e-3, 24


def columns(*vectors: tuple[float, float, float]) -> Floats:
    """(3, n) from n vectors."""
    return np.array(vectors, np.float32).T


def aimed(origin: Floats, targets: Floats) -> Floats:
    """(3, n) unit rays from the origin (3,) to the targets (3, n)."""
    rays = targets - origin[:, None]
    return np.asarray(rays / lengths(rays), np.float32)


@pytest.mark.parametrize(
    ("point", "distance"),
    [
        ((2.0, 0.0, 0.0), 1.5),
        ((0.5, 0.2, -0.2), 0.0),
        ((0.4 + 0.1, 0.4 + 0.1, 0.0), np.sqrt(0.02) - 0.1),
        ((0.0, 0.0, -0.9), 0.4),
    ],
)
def test_distances_from_faces_and_rounded_edges_are_exact(
    point: tuple[float, float, float], distance: float
) -> None:
    assert RoundedCube(0.5, 0.1).distance(columns(point))[0] == pytest.approx(distance, abs=1e-6)


def test_the_ball_cuts_the_corners_off() -> None:
    corner = columns((0.5, 0.5, 0.5))
    assert RoundedCube(0.5, 0.0).distance(corner)[0] == pytest.approx(0, abs=1e-6)
    assert RoundedCube(0.5, 0.0, ball=0.7).distance(corner)[0] == pytest.approx(np.sqrt(0.75) - 0.7, abs=1e-6)


def test_a_ray_stops_at_the_face_that_it_meets() -> None:
    origin = np.array([0, 0, 3], np.float32)
    travelled, closest = RoundedCube(0.5, 0.1).march(origin, columns((0, 0, -1)), TOLERANCE, STEPS)
    assert travelled[0] == pytest.approx(2.5, abs=2e-3)
    assert closest[0] < TOLERANCE


def test_a_ray_that_misses_has_its_smallest_distance() -> None:
    origin = np.array([0.8, 0, 3], np.float32)
    _, closest = RoundedCube(0.5, 0.1).march(origin, columns((0, 0, -1)), TOLERANCE, STEPS)
    assert closest[0] == pytest.approx(0.3, abs=1e-3)


def test_rays_along_a_steep_side_meet_it_everywhere() -> None:
    origin = np.array([0.9, 0, 6], np.float32)  # sees the +x side at four degrees
    targets = np.stack([np.full(50, 0.5), np.zeros(50), np.linspace(-0.42, 0.42, 50)]).astype(np.float32)
    rays = aimed(origin, targets)
    travelled, closest = RoundedCube(0.5, 0.04, ball=0.9).march(origin, rays, 2e-3, STEPS)
    assert (closest < 2e-3).all()
    assert np.abs(origin[:, None] + travelled * rays - targets)[2].max() < 0.04


def test_normals_point_out_of_faces_edges_and_the_ball() -> None:
    normals = RoundedCube(0.5, 0.1, ball=0.75).normals(
        columns((0.5, 0.2, 0.0), (0.47, 0.47, 0.0), (0.433, 0.433, 0.433))
    )
    assert np.allclose(normals[:, 0], (1, 0, 0))
    assert np.allclose(normals[:, 1], np.array([1, 1, 0]) / np.sqrt(2), atol=1e-3)
    assert np.allclose(normals[:, 2], np.full(3, 1 / np.sqrt(3)), atol=1e-3)


def test_the_axes_of_a_face_follow_each_other() -> None:
    axis, u, v = face_axes(columns((0.5, 0.1, 0.2), (0.1, -0.5, 0.2), (0.1, 0.2, 0.5)))
    assert (axis.tolist(), u.tolist(), v.tolist()) == ([0, 1, 2], [1, 2, 0], [2, 0, 1])
