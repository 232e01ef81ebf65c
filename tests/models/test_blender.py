"""Tables rendered by Blender agree with their ground truth. Slow, because every picture is traced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("bpy", reason="needs the blender extra, which is built for Python 3.11 alone")

import bpy
import cv2
from mathutils import Vector

from models.rendering import blender
from models.rendering.pip_visibility import has_visible_pips
from vision.reading.ground_plane import Normals, fit_plane, tilts_deg
from vision.readings import SeenDie
from vision.simulation.dice import PIP_LAYOUT


def test_every_face_of_a_die_has_as_many_pips_as_its_number() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rng = np.random.default_rng(2)
    shape = blender.random_shape(rng)
    assert sorted(shape.numbers) == [1, 2, 3, 4, 5, 6]
    for slot, number in enumerate(shape.numbers):
        assert len(blender.pip_positions(shape, slot)) == number == len(PIP_LAYOUT[number])
    surface, body, _ = blender.body_surface(rng, "red")
    mesh = blender.die_mesh(shape, surface, blender.pip_surface(rng, body))
    drilled = [f.center for f in mesh.polygons if f.material_index == 1]
    for slot in range(6):
        for spot in blender.pip_positions(shape, slot):
            reach = shape.pips.radius * shape.pips.one_scale * 1.05
            assert any(np.linalg.norm(np.array(at) - spot) < reach for at in drilled)


def test_boxes_pips_and_normals_agree_with_the_picture() -> None:
    visible = dice = 0
    for seed in (12, 14):
        picture, truths = blender.rendered(np.random.default_rng((seed, 7)))
        h, w = picture.shape[:2]
        clear = [t for t in truths if t.seen > 0.9 and t.readable]
        for t in clear:
            x, y, bw, bh = t.box_xywh
            assert min(x, y, w - x - bw, h - y - bh) >= 0
            assert all(x <= px <= x + bw and y <= py <= y + bh for px, py in t.pips_xy)
            assert len(t.pips_xy) == t.face
            visible, dice = visible + has_visible_pips(picture, np.array(t.pips_xy), t.pip_px), dice + 1
        flat = [t for t in clear if not t.cocked]
        normals = Normals.of(
            [SeenDie(t.face, "white", t.box_xywh, 1.0, True, normal_xy=t.normal_xy) for t in flat], (w, h)
        )
        assert tilts_deg(normals, fit_plane(normals)).max() < 8
    assert dice >= 4
    assert visible >= 0.7 * dice


def test_a_propped_die_stands_on_an_edge_and_touches_its_support() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        side = float(rng.uniform(0.7, 1.3))
        die = blender.made(blender.box(1, 1, 1), "die")
        support = blender.add_support(rng, die, side, (2.0, -1.0), float(rng.uniform(0, 6.28)))
        bpy.context.view_layer.update()
        corners = np.array([die.matrix_world @ Vector(c) for c in die.bound_box])
        heights = np.sort(corners[:, 2])
        _, lean, _ = blender.top_of(blender.PlacedDie(die, blender.random_shape(rng), side, "red"))
        assert heights[:2] == pytest.approx([0, 0], abs=1e-5)
        assert heights[2] == pytest.approx(side * np.sin(np.radians(lean)), abs=1e-5)
        assert blender.PROPPED_DEG[0] <= lean <= blender.PROPPED_DEG[1]
        inside = die.matrix_world.inverted()
        through = [
            Vector(at) for v in support.data.vertices for at in ((v.co.x, v.co.y, 0), (v.co.x, 0, v.co.z))
        ]
        # in sides of the die
        outside = np.array(
            [max(abs(c) for c in inside @ (support.matrix_world @ at)) - 0.5 for at in through]
        )
        assert -0.03 < outside.min() < 0.03
        lowest = min((support.matrix_world @ v.co).z for v in support.data.vertices)
        assert lowest == pytest.approx(0, abs=0.01)


def test_propped_dice_and_their_supports_do_not_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    footprints: list[list[np.ndarray]] = []

    def add_support_and_record(*args: Any) -> Any:
        support = add_support(*args)
        bpy.context.view_layer.update()
        bodies = (args[1], support)
        footprints[-1].append(
            np.concatenate([[(b.matrix_world @ Vector(c))[:2] for c in b.bound_box] for b in bodies])
        )
        return support

    add_support = blender.add_support
    monkeypatch.setattr(blender, "add_support", add_support_and_record)
    monkeypatch.setattr(blender, "simulate_fall", lambda dice, obstacles: None)
    monkeypatch.setattr(blender, "PROPPED_SHARE", 1.0)
    for seed in range(80):
        footprints.append([])
        blender.random_table(np.random.default_rng(seed))
    pairs = [s for s in footprints if len(s) == 2]
    assert len(pairs) > 5
    for one, other in pairs:
        hulls = [cv2.convexHull(np.array(at, np.float32)) for at in (one, other)]
        assert cv2.intersectConvexConvex(hulls[0], hulls[1])[0] == 0
