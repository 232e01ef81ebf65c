"""Grounds under the dice: felt, wood, paper and cloth made from noise, and empty parts of the photographs."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.scenarios.cutouts import labels, photograph
from vision.frames import Picture

Floats = NDArray[np.float32]

FELTS = (
    (58, 84, 36),
    (46, 96, 40),
    (40, 36, 120),
    (110, 56, 30),
    (70, 40, 30),
    (38, 36, 36),
    (70, 40, 78),
    (120, 110, 104),
)
"""Blue, green, red of felts sold for trays."""
PAPERS = ((214, 220, 224), (196, 206, 212), (160, 186, 206), (150, 150, 148))
WOODS = ((70, 118, 168), (96, 140, 182), (48, 74, 110), (120, 164, 200))
GRID_PX = 24
"""Grid step of the search for empty parts of photographs."""
MIN_EMPTY_PX = 230
"""Least width and height of an empty part, px. It is mirrored until it fills the picture."""


def make_ground(rng: np.random.Generator, size_wh: tuple[int, int]) -> Picture:
    """Felt, woven cloth, paper or wood under even or one-sided light."""
    kind = rng.choice(["felt", "felt", "woven", "paper", "wood"])
    if kind == "wood":
        colour = _wood(rng, size_wh, WOODS[int(rng.integers(len(WOODS)))])
    elif kind == "felt":
        colour = _cloth(rng, size_wh, FELTS[int(rng.integers(len(FELTS)))], float(rng.uniform(1.5, 7)))
    elif kind == "woven":
        colour = _woven(rng, size_wh)
    else:
        colour = _cloth(rng, size_wh, PAPERS[int(rng.integers(len(PAPERS)))], float(rng.uniform(0.5, 2.5)))
    return finished(colour * _falloff(rng, size_wh)[..., None])


def _cloth(
    rng: np.random.Generator, size_wh: tuple[int, int], bgr: tuple[int, int, int], grain: float
) -> Floats:
    """Fibres and soft blotches of one colour, (h, w, 3)."""
    w, h = size_wh
    fine = cv2.GaussianBlur(rng.standard_normal((h, w), np.float32), (0, 0), 0.7)
    fibres = cv2.GaussianBlur(rng.standard_normal((h, w), np.float32), (0, 0), 2.2, sigmaY=0.6)
    texture = grain * (0.9 * fine + 1.1 * fibres) + 0.5 * grain * _blotches(rng, size_wh, 40)
    strayed = np.array(bgr, np.float32) * rng.uniform(0.85, 1.15) + rng.normal(0, 5, 3)
    return np.asarray(strayed.astype(np.float32) * (1 + texture[..., None] / 90), np.float32)


def _woven(rng: np.random.Generator, size_wh: tuple[int, int]) -> Floats:
    """Cloth of threads that cross, at times with stripes or checks of a second colour, (h, w, 3)."""
    w, h = size_wh
    thread = float(rng.uniform(2.5, 7))
    turn = float(rng.uniform(-0.15, 0.15))
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    along = (x * np.cos(turn) + y * np.sin(turn)) / thread
    across = (y * np.cos(turn) - x * np.sin(turn)) / thread
    over = (np.floor(along) + np.floor(across)) % 2  # which of the two threads lies on top
    bulge = np.where(over, np.sin(np.pi * (along % 1)), np.sin(np.pi * (across % 1)))
    uneven = rng.normal(0, 0.06, (2, max(w, h) * 2)).astype(np.float32)
    tones = np.where(
        over,
        uneven[0][np.floor(along).astype(np.intp) % uneven.shape[1]],
        uneven[1][np.floor(across).astype(np.intp) % uneven.shape[1]],
    )
    light = 1 + float(rng.uniform(0.1, 0.4)) * (bulge - 0.64) + tones
    colours = np.array([*FELTS, *PAPERS], np.float32)[rng.permutation(len(FELTS) + len(PAPERS))[:2]]
    width = float(rng.uniform(8, 40))
    stripes = (along % width < width / 2) & (rng.random() < 0.4)
    checks = (across % width < width / 2) & (rng.random() < 0.4)
    second = 0.5 * (stripes.astype(np.float32) + checks)
    ground = colours[0] + second[..., None] * (colours[1] - colours[0])
    return np.asarray(ground * light[..., None], np.float32)


def _wood(rng: np.random.Generator, size_wh: tuple[int, int], bgr: tuple[int, int, int]) -> Floats:
    """Wood with its grain along the picture, (h, w, 3)."""
    w, h = size_wh
    wavy = np.arange(h, dtype=np.float32)[:, None] + 9 * _blotches(rng, size_wh, 160)
    rings = np.interp(
        np.arange(2 * h) / 2, np.arange(0, 2 * h, 5), rng.standard_normal(len(range(0, 2 * h, 5)))
    ).astype(np.float32)
    lines = rings[np.clip(wavy + h / 2, 0, 2 * h - 1).astype(np.intp)]
    fine = cv2.GaussianBlur(rng.standard_normal((h, w), np.float32), (0, 0), 3, sigmaY=0.5)
    return np.asarray(np.array(bgr, np.float32) * (1 + 0.07 * lines + 0.05 * fine)[..., None], np.float32)


def _blotches(rng: np.random.Generator, size_wh: tuple[int, int], every_px: int) -> Floats:
    w, h = size_wh
    coarse = rng.standard_normal((h // every_px + 3, w // every_px + 3)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)


def _falloff(rng: np.random.Generator, size_wh: tuple[int, int]) -> Floats:
    """(h, w) brightness under a lamp at one side, with the vignetting of a lens."""
    w, h = size_wh
    x, y = np.meshgrid(np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32))
    angle, slope, corner = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.12)), rng.uniform(0, 0.12)
    return np.asarray(
        1 + slope * (np.cos(angle) * x + np.sin(angle) * y) - corner * (x * x + y * y), np.float32
    )


def finished(colour: Floats) -> Picture:
    return np.rint(np.clip(colour, 0, 255)).astype(np.uint8)


def photographed_ground(rng: np.random.Generator, size_wh: tuple[int, int]) -> Picture:
    """An empty part of a photograph, mirrored until it fills the picture."""
    parts = empty_parts()
    file, (x, y, w, h) = parts[int(rng.integers(len(parts)))]
    part = photograph(file)[y : y + h, x : x + w]
    scale = float(rng.uniform(1.0, 1.6)) * max(1.0, 0.5 * max(size_wh[0] / w, size_wh[1] / h))
    part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
    right, down = max(0, size_wh[0] - part.shape[1]), max(0, size_wh[1] - part.shape[0])
    filled = np.pad(part, ((0, down), (0, right), (0, 0)), mode="symmetric")[: size_wh[1], : size_wh[0]]
    return np.ascontiguousarray(filled, np.uint8)


@lru_cache(maxsize=1)
def empty_parts() -> tuple[tuple[str, tuple[int, int, int, int]], ...]:
    """The largest part without a die of every top view that has one: file, [x, y, w, h] px."""
    found = []
    for line in labels():
        if (
            line["view"] == "top"
            and line["dice"]
            and not line["source"].startswith(("Karolass", "jyu", "N3VERS"))
        ):
            part = _emptiest(photograph(line["file"]).shape[:2], [die["box"] for die in line["dice"]])
            if part:
                found.append((str(line["file"]), part))
    return tuple(found)


def _emptiest(shape: tuple[int, ...], boxes: list[list[float]]) -> tuple[int, int, int, int] | None:
    """The largest rectangle of the grid that touches no enlarged box."""
    h, w = shape[0] // GRID_PX, shape[1] // GRID_PX
    taken = np.zeros((h + 1, w + 1), np.int32)
    for x, y, bw, bh in boxes:
        grow = 0.9 * max(bw, bh)
        x0, y0 = int(max(x - grow, 0) // GRID_PX), int(max(y - grow, 0) // GRID_PX)
        x1, y1 = int((x + bw + grow) // GRID_PX) + 1, int((y + bh + grow) // GRID_PX) + 1
        taken[1:, 1:][y0:y1, x0:x1] = 1
    summed = taken.cumsum(0).cumsum(1)
    best, part, least = 0, None, MIN_EMPTY_PX // GRID_PX + 1
    for y0 in range(0, h - least, 2):
        for x0 in range(0, w - least, 2):
            for y1 in range(y0 + least, h + 1, 2):
                for x1 in range(x0 + least, w + 1, 2):
                    area = (y1 - y0) * (x1 - x0)
                    if area > best and summed[y1, x1] - summed[y0, x1] - summed[y1, x0] + summed[y0, x0] == 0:
                        best, part = (
                            area,
                            (x0 * GRID_PX, y0 * GRID_PX, (x1 - x0) * GRID_PX, (y1 - y0) * GRID_PX),
                        )
    return part
