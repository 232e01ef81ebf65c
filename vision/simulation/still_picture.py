"""Still pictures of the simulated tray with their ground truth, for training, tests and the benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from table.common.colours import COLOURS
from vision.frames import Picture
from vision.reading.ground_plane import normal_xy
from vision.simulation.dice import DieBody, SimDie, body_of
from vision.simulation.geometry import Square
from vision.simulation.scene import Scene, varied_scene, varied_style
from vision.simulation.solids import Patch, draw_solids
from vision.simulation.sticks import SimStick, stick_body
from vision.simulation.tray import empty_tray
from vision.simulation.view import View, view_of

MAX_TRIES = 200
"""Attempts to place one more die before the tray counts as full."""
BESIDE_SHARE = 0.3
"""Share of dice placed right beside another one: a detector most easily merges touching dice."""
GAP_SHARE = 0.02
"""Minimum gap between two dice, as a share of the side: they may almost touch."""
LEAN_DEG = 2.0
"""Lean up to which a die counts as flat."""


@dataclass(frozen=True)
class TrueDie:
    """The ground truth of one die in a rendered picture.

    box_xywh: px, clipped at the picture's border.
    lean_deg: from flat.
    normal_xy: tilt of the upper face as seen, to the right and down (vision.reading.ground_plane).
    """

    face: int
    colour: str
    box_xywh: tuple[float, float, float, float]
    lean_deg: float = 0.0
    normal_xy: tuple[float, float] = (0.0, 0.0)

    @property
    def cocked(self) -> bool:
        """Whether the die visibly leans."""
        return self.lean_deg > LEAN_DEG


def render_still(
    dice: Sequence[SimDie],
    rng: np.random.Generator,
    size_wh: tuple[int, int] = (800, 600),
    scene: Scene | None = None,
    sticks: Sequence[SimStick] = (),
) -> Picture:
    """A picture of these dice and sticks at rest on the tray. rng: only for the camera's noise."""
    return render_truth(dice, rng, size_wh, scene, sticks)[0]


def render_truth(
    dice: Sequence[SimDie],
    rng: np.random.Generator,
    size_wh: tuple[int, int] = (800, 600),
    scene: Scene | None = None,
    sticks: Sequence[SimStick] = (),
) -> tuple[Picture, tuple[TrueDie, ...]]:
    """The picture and its dice, in the order of `dice`, without dice outside the picture."""
    scene = scene or Scene()
    canvas = empty_tray(scene, size_wh).copy()
    view, bodies = view_of(scene, size_wh), [body_of(die, scene) for die in dice]
    patches = draw_solids(canvas, view, scene, [*bodies, *map(stick_body, sticks)])
    rendered = zip(dice, bodies, patches[: len(dice)], strict=True)
    truth = tuple(true for die, body, patch in rendered if (true := _truth(view, die, body, patch)))
    return apply_camera(canvas, scene, rng), truth


def _truth(view: View, die: SimDie, body: DieBody, patch: Patch | None) -> TrueDie | None:
    if patch is None:
        return None
    size_wh, axis = view.size_wh, int(np.argmax(np.abs(body.rotation[2])))
    upper_normal = body.rotation[:, axis] * np.sign(body.rotation[2, axis])
    normal = normal_xy(view.rotation @ (body.centre - view.position), view.rotation @ upper_normal)
    x, y, w, h = patch.box_xywh()
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, size_wh[0]), min(y + h, size_wh[1])
    if x0 >= x1 or y0 >= y1:
        return None
    return TrueDie(
        die.face, die.colour, (x0, y0, x1 - x0, y1 - y0), float(np.degrees(abs(die.lean_rad))), normal
    )


def apply_camera(canvas: Picture, scene: Scene, rng: np.random.Generator) -> Picture:
    """The canvas with the lens blur and the sensor noise of the scene's camera."""
    soft = cv2.GaussianBlur(canvas, (0, 0), scene.blur_px) if scene.blur_px > 0.2 else canvas
    noise = rng.standard_normal(soft.shape, np.float32) * scene.noise_sigma
    return np.asarray(np.rint(np.clip(soft + noise, 0, 255)), np.uint8)


def random_tray(
    rng: np.random.Generator,
    n: int,
    colours: Sequence[str] = COLOURS,
    size_wh: tuple[int, int] = (800, 600),
    scene: Scene | None = None,
    cocked_share: float = 0.0,
) -> tuple[Picture, tuple[TrueDie, ...]]:
    """A picture of n dice at rest, with random positions, colours and styles, and its ground truth.

    scene: None takes a random camera, light and lining. Dice may almost touch but never overlap; a small tray
        may hold fewer than n.
    cocked_share: share of dice that lean, 0-1; their `face` is the one that points most nearly up.
    """
    scene = scene or varied_scene(rng)
    dice: list[SimDie] = []
    for _ in range(n):
        colour = str(rng.choice(list(colours)))
        die = SimDie(int(rng.integers(1, 7)), colour, 0, 0, look=varied_style(rng, colour))
        if rng.random() < cocked_share:
            die = replace(die, lean_rad=float(rng.uniform(0.12, 0.6)))
        placed = _place_die(rng, die, dice, scene)
        if placed:
            dice.append(placed)
    return render_truth(dice, rng, size_wh, scene)


def _place_die(
    rng: np.random.Generator, die: SimDie, others: Sequence[SimDie], scene: Scene
) -> SimDie | None:
    half = np.array(scene.tray_mm) / 2 - 0.72 * scene.die_mm
    neighbour = others[int(rng.integers(len(others)))] if others and rng.random() < BESIDE_SHARE else None
    for attempt in range(MAX_TRIES):
        beside = neighbour if attempt < MAX_TRIES // 2 else None
        x, y = _beside(rng, beside, scene.die_mm) if beside else rng.uniform(-half, half)
        placed = replace(die, x_mm=float(x), y_mm=float(y), yaw_rad=float(rng.uniform(0, 2 * np.pi)))
        if abs(x) > half[0] or abs(y) > half[1]:
            continue
        square = square_of(placed, scene.die_mm)
        if all(square.gap_to(square_of(other, scene.die_mm)) > GAP_SHARE * scene.die_mm for other in others):
            return placed
    return None


def _beside(rng: np.random.Generator, other: SimDie, side: float) -> tuple[float, float]:
    """A position next to another die, so that the two touch or nearly do."""
    angle, distance = rng.uniform(0, 2 * np.pi), side * rng.uniform(1.02, 1.45)
    return other.x_mm + distance * np.cos(angle), other.y_mm + distance * np.sin(angle)


def square_of(die: SimDie, side: float) -> Square:
    """The outline of a flat die on the tray's floor, mm."""
    return Square(die.x_mm, die.y_mm, die.yaw_rad, side)
