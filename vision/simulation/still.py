"""Still pictures of the simulated tray together with what is true about them: for training, for tests and for the bench."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from table.common.colours import COLOURS
from vision.frames import Picture
from vision.ground_plane import facing_xy
from vision.simulation.dice import Body, Patch, SimDie, body_of, draw_dice
from vision.simulation.scene import Scene, varied_scene, varied_style
from vision.simulation.tray import empty_tray
from vision.simulation.view import View, view_of

TRIES = 200
"""How often a place for one more die is looked for before the tray counts as full."""
BESIDE_SHARE = 0.3
"""Share of dice laid right beside another one: touching dice are what a reader most easily takes for one."""
GAP_SHARE = 0.02
"""Least gap between two dice, of a side: they may all but touch."""
LEAN_DEG = 2.0
"""A die that leans less lies flat."""


@dataclass(frozen=True)
class TrueDie:
    """What is true about one die in a rendered picture: box in px of the picture (cut at its border), how far it leans, and how far its
    upper face is seen to look to the right and downwards (vision.ground_plane)."""

    face: int
    colour: str
    box_xywh: tuple[float, float, float, float]
    lean_deg: float = 0.0
    facing_xy: tuple[float, float] = (0.0, 0.0)

    @property
    def cocked(self) -> bool:
        """Whether it leans so much that it shows."""
        return self.lean_deg > LEAN_DEG


def render_still(
    dice: Sequence[SimDie], rng: np.random.Generator, size_wh: tuple[int, int] = (800, 600), scene: Scene | None = None
) -> Picture:
    """A picture of these dice at rest on the tray; `rng` makes the camera's noise only."""
    return render_truth(dice, rng, size_wh, scene)[0]


def render_truth(
    dice: Sequence[SimDie], rng: np.random.Generator, size_wh: tuple[int, int] = (800, 600), scene: Scene | None = None
) -> tuple[Picture, tuple[TrueDie, ...]]:
    """The picture, and what is true about it, in the order of `dice`; dice outside the picture have no truth."""
    scene = scene or Scene()
    canvas = empty_tray(scene, size_wh).copy()
    view, bodies = view_of(scene, size_wh), [body_of(die, scene) for die in dice]
    patches = draw_dice(canvas, view, scene, bodies)
    shown = zip(dice, bodies, patches, strict=True)
    truth = tuple(true for die, body, patch in shown if (true := _truth(view, die, body, patch)))
    return photographed(canvas, scene, rng), truth


def _truth(view: View, die: SimDie, body: Body, patch: Patch | None) -> TrueDie | None:
    if patch is None:
        return None
    size_wh, axis = view.size_wh, int(np.argmax(np.abs(body.turn[2])))
    facing = facing_xy(view.turn @ (body.centre - view.at_mm), view.turn @ body.turn[:, axis] * np.sign(body.turn[2, axis]))
    x, y, w, h = patch.box_xywh()
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, size_wh[0]), min(y + h, size_wh[1])
    if x0 >= x1 or y0 >= y1:
        return None
    return TrueDie(die.face, die.colour, (x0, y0, x1 - x0, y1 - y0), float(np.degrees(abs(die.lean_rad))), facing)


def photographed(canvas: Picture, scene: Scene, rng: np.random.Generator) -> Picture:
    """The canvas as the scene's camera sees it: a soft lens and a noisy sensor."""
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
    """n dice at rest in random places, colours and makes: the picture, and what is true about it.

    scene: None draws another camera, light and lining every time. Dice may all but touch, never overlap; where the tray is too
    small for n, fewer lie on it. cocked_share: 0-1, how many lean (their `face` is the one that looks most nearly up).
    """
    scene = scene or varied_scene(rng)
    dice: list[SimDie] = []
    for _ in range(n):
        look_colour = str(rng.choice(list(colours)))
        die = SimDie(int(rng.integers(1, 7)), look_colour, 0, 0, look=varied_style(rng, look_colour))
        if rng.random() < cocked_share:
            die = replace(die, lean_rad=float(rng.uniform(0.12, 0.6)))
        placed = _placed(rng, die, dice, scene)
        if placed:
            dice.append(placed)
    return render_truth(dice, rng, size_wh, scene)


def _placed(rng: np.random.Generator, die: SimDie, others: Sequence[SimDie], scene: Scene) -> SimDie | None:
    half = np.array(scene.tray_mm) / 2 - 0.72 * scene.die_mm
    beside = others[int(rng.integers(len(others)))] if others and rng.random() < BESIDE_SHARE else None
    for attempt in range(TRIES):
        x, y = _near(rng, beside, scene.die_mm) if beside and attempt < TRIES // 2 else rng.uniform(-half, half)
        there = replace(die, x_mm=float(x), y_mm=float(y), yaw_rad=float(rng.uniform(0, 2 * np.pi)))
        if abs(x) <= half[0] and abs(y) <= half[1] and all(_apart(there, other, scene.die_mm) for other in others):
            return there
    return None


def _near(rng: np.random.Generator, other: SimDie, side: float) -> tuple[float, float]:
    """A place so close to another die that the two touch or nearly do."""
    angle, away = rng.uniform(0, 2 * np.pi), side * rng.uniform(1.02, 1.45)
    return other.x_mm + away * np.cos(angle), other.y_mm + away * np.sin(angle)


def _apart(a: SimDie, b: SimDie, side: float) -> bool:
    """True when the two squares on the floor do not overlap (separating axes)."""
    between = np.array([b.x_mm - a.x_mm, b.y_mm - a.y_mm])
    if np.hypot(*between) > 1.5 * side:
        return True
    turn = b.yaw_rad - a.yaw_rad
    reach = side * (0.5 + (abs(np.cos(turn)) + abs(np.sin(turn))) / 2) + GAP_SHARE * side
    axes = [(np.cos(yaw + k * np.pi / 2), np.sin(yaw + k * np.pi / 2)) for yaw in (a.yaw_rad, b.yaw_rad) for k in (0, 1)]
    return bool(max(abs(float(between @ np.array(axis))) for axis in axes) > reach)
