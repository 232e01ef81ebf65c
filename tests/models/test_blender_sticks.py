"""Throws of sticks in Blender lie as bodies can lie, and their labels agree. Nothing is rendered."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest

pytest.importorskip("bpy", reason="needs the blender extra, which is built for Python 3.11 alone")

import bmesh
import bpy
from mathutils.bvhtree import BVHTree

from models.rendering import blender_sticks
from models.rendering.blender import scene_camera
from models.rendering.blender_sticks import FLAT_COSINE, SIZE_WH, PlacedStick
from models.rendering.sticks import WORDS

SEEDS = range(5000, 5008)
THROUGH = 0.02
"""Depth to which the physics engine lets bodies sink into one another, units."""


@dataclass(frozen=True)
class Lying:
    """A stick of a throw: its label, the side that is up, how upright that side is, and its lowest point."""

    label: dict[str, Any]
    face: str
    upright: float
    lowest: float
    surface: BVHTree


@pytest.fixture(scope="module")
def throws() -> list[list[Lying]]:
    result = []
    for seed in SEEDS:
        sticks, _ = blender_sticks.random_throw(np.random.default_rng((seed, 23)))
        bpy.context.view_layer.update()
        labels = blender_sticks.labels_of(sticks, scene_camera(SIZE_WH))
        result.append([lying(stick, label) for stick, label in zip(sticks, labels, strict=True)])
    return result


def lying(stick: PlacedStick, label: dict[str, Any]) -> Lying:
    lowest = min((stick.body.matrix_world @ v.co).z for v in stick.body.data.vertices)
    return Lying(label, stick.face_up, abs(stick.up), lowest, shrunk_surface(stick))


def shrunk_surface(stick: PlacedStick) -> BVHTree:
    mesh = bmesh.new()
    mesh.from_mesh(stick.body.data)
    for vertex in mesh.verts:
        vertex.co *= 1 - THROUGH / stick.kind.width
    mesh.transform(stick.body.matrix_world)
    tree = BVHTree.FromBMesh(mesh)
    mesh.free()
    return tree


def test_no_stick_runs_through_another_or_through_the_table(throws: list[list[Lying]]) -> None:
    for sticks in throws:
        assert not [1 for a, b in combinations(sticks, 2) if a.surface.overlap(b.surface)]
        assert all(stick.lowest > -THROUGH for stick in sticks)


def test_labels_tell_the_side_that_is_up(throws: list[list[Lying]]) -> None:
    sticks = [stick for lying in throws for stick in lying]
    assert all(stick.label["face"] == stick.face for stick in sticks)
    assert all(stick.upright >= FLAT_COSINE or stick.label["ignore"] for stick in sticks)
    assert {"round"} < {stick.face for stick in sticks} <= {*WORDS, "round", "white", "black"}


def test_sticks_beyond_the_border_are_ignored_and_crossing_ones_told(throws: list[list[Lying]]) -> None:
    labels = [stick.label for lying in throws for stick in lying]
    for label in labels:
        corners = np.array(label["quad"])
        assert ((corners >= 0) & (corners <= SIZE_WH)).all() or label["ignore"]
    assert 0 < sum(label["crossed"] for label in labels) < len(labels) / 2
