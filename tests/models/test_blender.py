"""Blender's tables are what their truth says. Needs Blender's module; slow, for every picture is traced."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("bpy", reason="needs the blender extra, which is built for Python 3.11 alone")

import bpy

from models import blender
from models.contrast import is_told
from models.dice import GRIDS
from vision.leaning import Seen, leans_deg, lie_of
from vision.reading import SeenDie


def test_a_die_has_as_many_pips_as_its_faces_say() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rng = np.random.default_rng(2)
    cast = blender.random_cast(rng)
    assert sorted(cast.numbers) == [1, 2, 3, 4, 5, 6]
    for slot, number in enumerate(cast.numbers):
        assert len(blender.spots(cast, slot)) == number == len(GRIDS[number])
    surface, body, _ = blender.body_surface(rng, "red")
    mesh = blender.die_mesh(cast, surface, blender.pip_surface(rng, body))
    drilled = [f.center for f in mesh.polygons if f.material_index == 1]
    for slot in range(6):
        for spot in blender.spots(cast, slot):
            reach = cast.pip_radius * cast.one_scale * 1.05
            assert any(np.linalg.norm(np.array(at) - spot) < reach for at in drilled)


def test_the_truth_lies_where_the_picture_shows_it() -> None:
    told = dice = 0
    for seed in (12, 14):
        picture, truths = blender.rendered(np.random.default_rng((seed, 7)))
        h, w = picture.shape[:2]
        clear = [t for t in truths if t.seen > 0.9 and t.readable]
        for t in clear:
            x, y, bw, bh = t.box_xywh
            assert min(x, y, w - x - bw, h - y - bh) >= 0
            assert all(x <= px <= x + bw and y <= py <= y + bh for px, py in t.pips_xy)
            assert len(t.pips_xy) == t.face
            told, dice = told + is_told(picture, np.array(t.pips_xy), t.pip_px), dice + 1
        flat = [t for t in clear if not t.cocked]
        seen = Seen.of([SeenDie(t.face, "white", t.box_xywh, 1.0, True, facing_xy=t.facing_xy) for t in flat], (w, h))
        assert leans_deg(seen, lie_of(seen)).max() < 8
    assert dice >= 4
    assert told >= 0.7 * dice
