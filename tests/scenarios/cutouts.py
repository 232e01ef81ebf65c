"""Dice as sprites: cut from the labelled photographs, or rendered by the simulation where those are missing.

A sprite is a die seen from above with a soft outline, rotated so that its sides are parallel to the axes,
with a side of SPRITE_SIDE_PX. A set contains sprites of similar appearance, because a tumbling die shows
several of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.shared_files import PHOTOS
from vision.boxes import Box
from vision.frames import Picture
from vision.simulation import LOOKS, Scene, SimDie, varied_style
from vision.simulation.dice import body_of
from vision.simulation.solids import Patch, render_solid
from vision.simulation.view import view_of

CHOSEN = Path(__file__).parent / "cutouts.json"
"""The dice to cut from the photographs, each chosen by eye."""

SPRITE_SIDE_PX, SPRITE_PX = 96, 160
"""Side of a die in its sprite, and side of the sprite. A camera beside the die also sees its walls."""
CUT_PX = 80
"""Side of a die, px, at which it is cut out: the outline needs no higher resolution."""

Bgra = NDArray[np.uint8]
"""(h, w, 4) uint8, premultiplied."""


@dataclass(frozen=True, eq=False)
class Sprite:
    """A die seen from above.

    bgra: (SPRITE_PX, SPRITE_PX, 4), premultiplied.
    sharp_px: its side in the photograph.
    squareness: 0-1, share of the die's square that the outline covers, less the share outside it.
    """

    face: int
    bgra: Bgra
    sharp_px: float
    squareness: float


@dataclass(frozen=True, eq=False)
class DieSet:
    """Dice of similar appearance. sprites: by face, at least one each for two or more faces."""

    name: str
    colour: str
    sprites: dict[int, tuple[Sprite, ...]]

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(sorted(self.sprites))

    @property
    def sharp_px(self) -> float:
        """Side up to which most of the set looks sharp, px."""
        return float(np.median([s.sharp_px for of_face in self.sprites.values() for s in of_face]))

    def one_die(self, rng: np.random.Generator) -> dict[int, Sprite]:
        """One sprite for each face."""
        return {face: of_face[int(rng.integers(len(of_face)))] for face, of_face in self.sprites.items()}


# --- from photographs ---------------------------------------------------------------------------------------


def has_photographs() -> bool:
    return (PHOTOS / "labels.jsonl").is_file() and CHOSEN.is_file()


def labels() -> list[dict[str, Any]]:
    """The lines of labels.jsonl."""
    return [json.loads(line) for line in (PHOTOS / "labels.jsonl").read_text("utf-8").splitlines()]


@lru_cache(maxsize=64)
def photograph(file: str) -> Picture:
    picture = cv2.imread(str(PHOTOS / file))
    if picture is None:
        raise FileNotFoundError(f"no picture at {PHOTOS / file}")
    return np.asarray(picture, np.uint8)


@lru_cache(maxsize=1)
def chosen_sets() -> tuple[str, ...]:
    """Names of the available sets, in order."""
    return tuple(json.loads(CHOSEN.read_text("utf-8")))


@lru_cache(maxsize=8)
def photographed_set(name: str) -> DieSet:
    """The set with all dice chosen for it, brought to the same light."""
    chosen = json.loads(CHOSEN.read_text("utf-8"))[name]
    sprites = [cut(die["file"], die["box"], die["face"]) for die in chosen["dice"]]
    return as_set(name, chosen["colour"], with_equal_colours([s for s in sprites if s is not None]))


def as_set(name: str, colour: str, sprites: Sequence[Sprite]) -> DieSet:
    by_face = {face: tuple(s for s in sprites if s.face == face) for face in range(1, 7)}
    return DieSet(name, colour, {face: of_face for face, of_face in by_face.items() if of_face})


def cut(file: str, box: Box, face: int) -> Sprite | None:
    """The die in this box as a sprite; None where no outline is found."""
    crop, scale = _around(photograph(file), box)
    mask = outline(crop, scale * max(box[2], box[3]) / 2)
    if mask is None:
        return None
    (cx, cy), (w, h), angle = cv2.minAreaRect(cv2.findNonZero((mask > 127).astype(np.uint8)))
    side = float(np.sqrt(w * h))
    premultiplied = np.dstack([crop * (mask[..., None] / 255.0), mask]).astype(np.uint8)
    k, turn = SPRITE_SIDE_PX / side, np.radians(-angle)
    c, s = k * np.cos(turn), k * np.sin(turn)
    matrix = np.array([[c, -s, SPRITE_PX / 2 - c * cx + s * cy], [s, c, SPRITE_PX / 2 - s * cx - c * cy]])
    bgra = np.asarray(
        cv2.warpAffine(premultiplied, matrix, (SPRITE_PX, SPRITE_PX), flags=cv2.INTER_CUBIC), np.uint8
    )
    filled = float((mask > 127).sum()) / (w * h)
    return Sprite(face, bgra, side / scale, filled * min(w, h) / max(w, h))


def _around(picture: Picture, box: Box) -> tuple[Picture, float]:
    """The die with half a side of ground round it, scaled to CUT_PX a side, and the scale."""
    x, y, w, h = box
    side = max(w, h)
    scale = CUT_PX / side
    if scale < 0.5:  # shrink well first
        shrink = 2 * scale
        picture = np.asarray(
            cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
        x, y, w, h, side = x * shrink, y * shrink, w * shrink, h * shrink, side * shrink
    k, half = CUT_PX / side, CUT_PX
    matrix = np.array([[k, 0, half - k * (x + w / 2)], [0, k, half - k * (y + h / 2)]])
    crop = cv2.warpAffine(
        picture, matrix, (2 * half, 2 * half), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8), scale


def outline(crop: Picture, half: float) -> NDArray[np.uint8] | None:
    """(h, w) 0-255 soft mask of the die in the centre, by GrabCut; None where it finds no die."""
    h, w = crop.shape[:2]
    marks = np.full((h, w), cv2.GC_BGD, np.uint8)
    y, x = np.mgrid[:h, :w]
    far = np.maximum(np.abs(x - w / 2), np.abs(y - h / 2))
    marks[far < half * 1.12] = cv2.GC_PR_BGD
    marks[far < half * 0.9] = cv2.GC_PR_FGD
    marks[np.hypot(x - w / 2, y - h / 2) < half * 0.62] = cv2.GC_FGD
    cv2.setRNGSeed(1)
    cv2.grabCut(crop, marks, (0, 0, w, h), np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    inside = ((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD)).astype(np.uint8)
    inside = np.asarray(
        cv2.morphologyEx(inside, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))),
        np.uint8,
    )
    contours, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))  # a die is convex
    mask = np.zeros((h, w), np.uint8)
    cv2.fillConvexPoly(mask, hull, (255,))
    mask = np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8)), np.uint8)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.1), np.uint8)


def with_equal_colours(sprites: Sequence[Sprite]) -> list[Sprite]:
    """The sprites, each scaled to the median colour of all: photographs of one die differ in their light."""
    if not sprites:
        return []
    means = [_body_bgr(s.bgra) for s in sprites]
    middle = np.median(means, axis=0)
    return [_tinted(s, middle / np.maximum(mean, 1)) for s, mean in zip(sprites, means, strict=True)]


def _body_bgr(bgra: Bgra) -> NDArray[np.float64]:
    """(3,) median colour within the outline: a die has more body than pips."""
    inside = bgra[bgra[..., 3] > 250][:, :3]
    return np.asarray(np.median(inside, axis=0) if len(inside) else np.full(3, 128.0))


def _tinted(sprite: Sprite, gain: NDArray[np.float64]) -> Sprite:
    bgr = np.minimum(sprite.bgra[..., :3] * np.clip(gain, 0.5, 2.0), sprite.bgra[..., 3:])
    return replace(sprite, bgra=np.dstack([bgr, sprite.bgra[..., 3]]).astype(np.uint8))


# --- from the simulation ------------------------------------------------------------------------------------

DRAWN_SIDE_MM = 16.0
SEEN_MM = DRAWN_SIDE_MM * SPRITE_PX / SPRITE_SIDE_PX
STRAIGHT_DOWN = Scene(
    (SEEN_MM, SEEN_MM), rim_mm=0.0, rim_height_mm=DRAWN_SIDE_MM / 2,
    camera_height_mm=900.0, camera_tilt_rad=0.0, fill=1.0, vignette=0.0,
    die_mm=DRAWN_SIDE_MM, key=0.42, ambient=0.5,
)  # fmt: skip
"""A camera high above one die, with as much ground in view as a sprite has."""


def drawn_set(rng: np.random.Generator, colour: str) -> DieSet:
    """A random style of this colour, rendered by the simulation with every face."""
    look = varied_style(rng, colour)
    scene = replace(
        STRAIGHT_DOWN,
        light_azimuth_rad=float(rng.uniform(0, 2 * np.pi)),
        light_elevation_rad=float(rng.uniform(0.9, 1.4)),
    )
    sprites = [_drawn_sprite(SimDie(face, colour, 0, 0, look=look), scene) for face in range(1, 7)]
    return as_set(f"drawn {colour}", colour, sprites)


def _drawn_sprite(die: SimDie, scene: Scene) -> Sprite:
    patch = render_solid(view_of(scene, (SPRITE_PX, SPRITE_PX)), scene, body_of(die, scene))
    assert patch is not None, "the die lies in the middle of the picture"
    return Sprite(die.face, _sprite_of(patch), SPRITE_SIDE_PX, 1.0)


def _sprite_of(patch: Patch) -> Bgra:
    bgra = np.zeros((SPRITE_PX, SPRITE_PX, 4), np.float32)
    part = (
        slice(patch.top, patch.top + patch.alpha.shape[0]),
        slice(patch.left, patch.left + patch.alpha.shape[1]),
    )
    bgra[part] = np.dstack([patch.bgr, patch.alpha * 255])
    return np.rint(np.clip(bgra, 0, 255)).astype(np.uint8)


def drawn_colours() -> tuple[str, ...]:
    return tuple(LOOKS)
