"""Throws of sticks on the simulated tray, painted with their ground truth.

The physics engine throws them, so they come to rest as sticks do: at a rim, across one another, leaning.
Looks, linings, light and camera are random. models.training.stick_data makes training data of these pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.rendering.stick_scenes import MIN_SEEN, StickLabel, part_within
from models.rendering.sticks import (
    ANIMALS,
    StickSet,
    back_face,
    random_set,
)
from vision.frames import Picture
from vision.simulation import Scene, render_still, varied_scene
from vision.simulation.acting import Stage
from vision.simulation.scene import BGR
from vision.simulation.stick_faces import StickStyle
from vision.simulation.sticks import SimStick, stick_body
from vision.simulation.throwing import throw_sticks
from vision.simulation.view import View, view_of

SIZES, DEMO_SIZES = ((640, 480), (800, 600)), ((640, 480), (800, 600), (1280, 960))
"""Widths and heights of a picture, px."""
LENGTH_MM = (76.0, 127.0)
"""Shortest and longest stick that the games' rules ask for."""
THROW_SHARE, MAX_STICKS = 0.75, 5
"""Share of the throws that are of four sticks, and the most sticks of the others."""
STEEP = 0.5
"""Sine of a roll or of twice a pitch from which on a stick lies on its edge or stands, and shows no face."""


def simulated(rng: np.random.Generator) -> tuple[Picture, list[StickLabel]]:
    """A picture (h, w, 3) uint8 of a throw that has come to rest, and the ground truth of its sticks."""
    kind = random_set(rng)
    look, size = _style(rng, kind), SIZES[int(rng.integers(len(SIZES)))]
    scene = varied_scene(rng, replace(Scene(), rim_height_mm=float(rng.uniform(8, 30))))
    stage = Stage(scene, size, 30, rng, ())
    count = 4 if rng.random() < THROW_SHARE else int(rng.integers(1, MAX_STICKS + 1))
    sticks = tuple(SimStick(_flat(rng, kind), "round", look=look) for _ in range(count))
    return _of_throw(stage, sticks, careful=bool(rng.random() < 0.5))


def as_in_the_demo(rng: np.random.Generator) -> tuple[Picture, list[StickLabel]]:
    """The same of a throw as the demo shows it: its tray and light, and four of its sticks for one of the two
    games with sticks."""
    size = DEMO_SIZES[int(rng.integers(len(DEMO_SIZES)))]
    danube = bool(rng.random() < 0.5)
    flats = ["white" if danube else str(rng.choice(ANIMALS)) for _ in range(4)]
    sticks = tuple(SimStick(flat, "black" if danube else "round") for flat in flats)
    return _of_throw(Stage(Scene(), size, 30, rng, ()), sticks, careful=True)


def _of_throw(stage: Stage, sticks: Sequence[SimStick], careful: bool) -> tuple[Picture, list[StickLabel]]:
    """The picture and the ground truth of these sticks, thrown on this stage."""
    lying = throw_sticks(stage, sticks, careful=careful).sticks
    picture = render_still((), stage.rng, stage.size_wh, stage.scene, lying)
    view = view_of(stage.scene, stage.size_wh)
    labels = [_label(stick, view, stage.size_wh) for stick in lying if not _is_steep(stick)]
    return picture, [label for label in labels if label.seen > MIN_SEEN]


def _style(rng: np.random.Generator, kind: StickSet) -> StickStyle:
    """The household's sticks as the simulated tray draws them."""
    length = float(rng.uniform(*LENGTH_MM))
    return StickStyle(
        flat_bgr=_bgr(kind.wood_bgr),
        back_bgr=_bgr(kind.back_bgr),
        ink_bgr=_bgr(kind.ink_bgr),
        round_back=kind.half_round,
        painted=kind.danube,
        gloss=float(rng.uniform(0, 0.6)),
        length_mm=length,
        width_mm=length * kind.width_mm / kind.length_mm,
        thickness_mm=length * float(rng.uniform(0.025, 0.06)),
    )


def _flat(rng: np.random.Generator, kind: StickSet) -> str:
    return "white" if kind.danube else str(rng.choice(ANIMALS))


def _bgr(shown: np.ndarray) -> BGR:
    b, g, r = (round(float(v) * 255) for v in shown)
    return b, g, r


def _is_steep(stick: SimStick) -> bool:
    return bool(max(abs(np.sin(stick.roll_rad)), abs(np.sin(2 * stick.pitch_rad))) > STEEP)


def _label(stick: SimStick, view: View, size: tuple[int, int]) -> StickLabel:
    body, look = stick_body(stick), stick.style
    half = np.array([look.length_mm, look.width_mm]) / 2
    corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * half
    own = np.hstack([corners, np.zeros((4, 1))])
    quad = view.project(np.asarray(body.centre + own @ body.rotation.T, np.float32))
    part, seen = part_within(np.asarray(quad, float), size)
    face, dark = back_face(np.array(look.back_bgr) / 255) if stick.face == "round" else (stick.face, False)
    return StickLabel(face, tuple((float(x), float(y)) for x, y in part), dark, seen=seen)  # type: ignore[arg-type]
