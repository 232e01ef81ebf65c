"""Sphere tracing of a rounded cube, the shape of a die, for many rays at once.

Theory of operation. The cube of half side `half - corner` is swept by a small ball of radius `corner`, and
the result is cut by a large ball of radius `ball`, which gives the rounded faces of cheap dice. All rays are
in the cube's own axes, with its centre at 0. A ray starts at the bounding cube and advances by the distance
to the surface. The shape is convex, so a ray that moves away from it never returns, and the ray's closest
approach separates hit from miss. The unit of length is the caller's.

The simulated camera and the renders that train the nets both use this module.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Indices = NDArray[np.intp]

MIN_COMPONENT = np.float32(1e-6)
"""Minimum divisor: component of a direction, or length of a normal."""


@dataclass(frozen=True)
class RoundedCube:
    """half: half of the side; corner: radius of edges and corners; ball: radius of the ball that cuts the
    cube, None for flat faces."""

    half: float
    corner: float
    ball: float | None = None

    def distance(self, points: Floats) -> Floats:
        """(n,) distance of points (3, n) from the surface; at points inside, a negative number of no exact
        size."""
        inner = np.float32(self.half - self.corner)
        box = lengths(np.maximum(np.abs(points) - inner, 0)) - np.float32(self.corner)
        return box if self.ball is None else np.maximum(box, lengths(points) - np.float32(self.ball))

    def normals(self, points: Floats) -> Floats:
        """(3, n) outward unit normals at surface points (3, n)."""
        inner = np.float32(self.half - self.corner)
        normals = points - np.clip(points, -inner, inner)
        if self.ball is not None:
            box = lengths(normals) - np.float32(self.corner)
            normals = np.where(lengths(points) - np.float32(self.ball) > box, points, normals)
        return np.asarray(normals / np.maximum(lengths(normals), MIN_COMPONENT))

    def march(
        self, origin: Floats, directions: Floats, tolerance: float, steps: int, slack: float = 0.0
    ) -> tuple[Floats, Floats]:
        """(n,) distance along each ray to its point nearest to the surface, and (n,) that closest approach.

        origin: (3,), outside the shape. directions: (3, n) unit vectors.
        tolerance: closest approach at which a ray has arrived. steps: most steps per ray.
        slack: the rays start at a cube that is larger by this on each side.
        """
        travelled = _entry(origin, directions, self.half + slack)
        closest = np.full(travelled.shape, np.inf, np.float32)
        active = np.arange(travelled.size)
        for _ in range(steps):
            points = origin[:, None] + travelled[active] * directions[:, active]
            distance = self.distance(points)
            approaching = distance < closest[active]
            active, distance = active[approaching], distance[approaching]
            closest[active] = distance
            travelled[active] += distance
            active = active[distance > tolerance]
        return travelled, closest


def lengths(vectors: Floats) -> Floats:
    """(n,) Euclidean lengths of vectors (3, n)."""
    return np.asarray(np.sqrt(vectors[0] * vectors[0] + vectors[1] * vectors[1] + vectors[2] * vectors[2]))


def blinn_phong_cosine(normals: Floats, to_light: Floats, rays: Floats) -> Floats:
    """(n,) 0-1: the base of the Blinn-Phong reflection, the cosine between normal and half vector.

    normals, rays: (3, n) unit vectors, the rays from the camera to the surface. to_light: (3,) unit vector.
    """
    half = np.asarray(to_light[:, None] - rays, np.float32)
    return np.asarray(np.maximum((normals * half).sum(axis=0) / lengths(half), 0))


def face_axes(points: Floats) -> tuple[Indices, Indices, Indices]:
    """(n,) indices 0-2: the axis of the face that each surface point (3, n) lies on, then that face's u and v
    axes."""
    axis = np.abs(points).argmax(axis=0)
    return axis, (axis + 1) % 3, (axis + 2) % 3


def _entry(origin: Floats, directions: Floats, half: float) -> Floats:
    """(n,) distance along each ray to the cube of this half side, or to the last slab for rays that miss."""
    safe = np.where(np.abs(directions) < MIN_COMPONENT, MIN_COMPONENT, directions)
    near = (-origin[:, None] - np.copysign(np.float32(half), safe)) / safe
    return np.asarray(near.max(axis=0))
