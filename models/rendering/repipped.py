"""Real dice with other pips: the pips of a cut-out are erased, and drawn again in another layout.

The photographs that may train show few layouts, and few sixes. What a pip adds to the plain body (its colour,
rim, shade and highlight) is cut out of the photograph, scaled and added where the new layout wants a pip. So
plastic, pips and light stay real, and only the layout is invented.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np

from models.rendering.cutout import Cutout
from models.rendering.dice import Pips, odd_pips, random_ink
from vision.simulation.dice import PIP_LAYOUT

DONOR_FACES = (4, 5, 6)
"""Faces whose pips show how the face is turned and foreshortened."""
GREY_OF_BGR = np.array([0.114, 0.587, 0.299])
MIN_CONTRAST = 25.0
"""Minimum difference of the grey levels of pips and body, 0-255."""
PIP_AREA = (0.003, 0.06)
"""Smallest and largest area of a pip, as a share of the die's."""
ALIKE = 0.45
"""Pips of one face have at least this share of the largest one's area; the others are those of a side."""
MAX_LENGTH_RATIO, MIN_FILLED = 1.7, 0.55
"""Maximum ratio of the sides of a pip's box, and minimum share of the box that the pip fills."""
MAX_RESIDUAL = 0.14
"""Maximum distance of a pip from its place in the layout, in pitches."""
PITCH_SIDES = (0.16, 0.34)
"""Smallest and largest distance of the pips along an edge of a believable face, in sides of the die."""
MAX_SHORTENED = 1.5
"""Maximum ratio of the pitches along both edges of the face; lines of a six may be closer."""
REACH = 1.5
"""What a pip changes around it reaches this far, in pip radii."""
FACE_SHARES = (0.14, 0.11, 0.13, 0.13, 0.14, 0.35)
"""Share of each face 1-6 among dice with other pips. The photographs have few sixes."""
MAX_PITCH = 0.42
"""Maximum distance of a pip's edge from the middle of the face along an edge, in sides: corners are round."""
INKED_SHARE = 0.35
"""Share of single pips with a colour of their own."""


@dataclass(frozen=True, eq=False)
class BareDie:
    """A cut-out without the pips of its upper face, and these pips.

    cut: the cut-out, its face empty. centre: (2,) of the face, px. axes: (2, 2) unit vectors along the face's
    edges as columns. side: of the face, px. added: what each pip adds to the body, (k, k, 3) float32 each.
    radii: of each, px. body, pip: median colours, (3,) 0-255.
    """

    cut: Cutout
    centre: np.ndarray
    axes: np.ndarray
    side: float
    added: tuple[np.ndarray, ...]
    radii: tuple[float, ...]
    body: np.ndarray
    pip: np.ndarray


def bare_die(cut: Cutout) -> BareDie | None:
    """The cut-out without its pips; None where they cannot be located with certainty."""
    if cut.face not in DONOR_FACES:
        return None
    cover = cv2.erode(cut.cover, np.ones((3, 3), np.uint8)) > 200
    share, contrast = pip_share(cut.picture, cover)
    if contrast < MIN_CONTRAST:
        return None
    spots = round_spots(share, cover)[: cut.face]
    if len(spots) < cut.face:
        return None
    at, radii = np.array([spot[:2] for spot in spots]), np.array([spot[2] for spot in spots])
    fitted = fitted_face(at, cut.face)
    side = float(np.sqrt((cut.cover > 128).sum()))
    if (
        fitted is None
        or not PITCH_SIDES[0] * side < np.linalg.norm(fitted[1], axis=0).max() < PITCH_SIDES[1] * side
    ):
        return None
    return without_pips(cut, fitted, side, at, radii)


def pip_share(picture: np.ndarray, cover: np.ndarray) -> tuple[np.ndarray, float]:
    """(s, s) float32, 0 = body and 1 = pip, and the difference of their grey levels."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    body, dark, light = (float(np.percentile(grey[cover], p)) for p in (50, 3, 97))
    pip = dark if body - dark > light - body else light
    contrast = abs(pip - body)
    return (grey - body) / (pip - body if contrast else 1.0), contrast


def round_spots(share: np.ndarray, cover: np.ndarray) -> list[tuple[float, float, float]]:
    """x, y and radius, px, of the round spots of pip colour that are alike in size, largest first."""
    mask = ((share > 0.5) & cover).astype(np.uint8)
    count, _, stats, centres = cv2.connectedComponentsWithStats(mask)
    die_area = float(cover.sum())
    found = []
    for n in range(1, count):
        w, h, area = (float(v) for v in stats[n, 2:5])
        is_round = max(w, h) <= MAX_LENGTH_RATIO * min(w, h) and area >= MIN_FILLED * w * h
        if is_round and PIP_AREA[0] * die_area <= area <= PIP_AREA[1] * die_area:
            found.append((area, (float(centres[n, 0]), float(centres[n, 1]), float(np.sqrt(area / np.pi)))))
    found.sort(reverse=True)
    return [spot for area, spot in found if area >= ALIKE * found[0][0]]


def fitted_face(at: np.ndarray, face: int) -> tuple[np.ndarray, np.ndarray] | None:
    """The face's centre (2,) and its pitches (2, 2) px as columns, from the pips (n, 2) px; None: no fit."""
    best = min(_fits(at, face), key=lambda fit: fit[0])
    _, centre, pitches = best
    lengths = np.linalg.norm(pitches, axis=0)
    if best[0] > MAX_RESIDUAL * lengths.min() or np.linalg.det(pitches) <= 0:
        return None
    longest = MAX_SHORTENED * (1.4 if face == 6 else 1.0)
    cosine = abs(float(pitches[:, 0] @ pitches[:, 1])) / lengths.prod()
    return None if lengths.max() > longest * lengths.min() or cosine > 0.25 else (centre, pitches)


def _fits(at: np.ndarray, face: int) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Largest residual px, centre and pitches of each way in which these pips may be the face's."""
    layout = np.array(sorted(PIP_LAYOUT[face], key=lambda p: -abs(p[0] * p[1])), float)  # the corners first
    corners = _around(layout[:4])
    wanted = np.concatenate([corners, layout[4:]])
    for inner in combinations(range(face), face - 4):
        outer = _around(np.delete(at, list(inner), axis=0))
        for turn in range(4):
            given = np.concatenate([np.roll(outer, turn, axis=0), at[list(inner)]])
            for points in (given, _swapped_ends(given)):
                matrix, *_ = np.linalg.lstsq(np.column_stack([wanted, np.ones(face)]), points, rcond=None)
                residual = np.column_stack([wanted, np.ones(face)]) @ matrix - points
                yield float(np.linalg.norm(residual, axis=1).max()), matrix[2], matrix[:2].T


def _around(points: np.ndarray) -> np.ndarray:
    """The points in order around their middle."""
    off = points - points.mean(axis=0)
    return points[np.argsort(np.arctan2(off[:, 1], off[:, 0]))]


def _swapped_ends(points: np.ndarray) -> np.ndarray:
    return points if len(points) < 6 else points[[0, 1, 2, 3, 5, 4]]


def without_pips(
    cut: Cutout, fitted: tuple[np.ndarray, np.ndarray], side: float, at: np.ndarray, radii: np.ndarray
) -> BareDie:
    """The die of this cut-out without the pips at these places (n, 2) px of these radii (n,) px."""
    picture = cut.picture.astype(np.float32)
    holes = np.zeros(picture.shape[:2], np.uint8)
    for (x, y), radius in zip(at, radii, strict=True):
        cv2.circle(holes, (round(x), round(y)), round(REACH * radius), 255, -1)
    bare = filled(picture, (holes == 0) & (cut.cover > 200), 1.5 * float(radii.mean()))
    bare = np.where(holes[..., None] > 0, bare, picture)
    added = tuple(patch_at(picture - bare, x, y, radius) for (x, y), radius in zip(at, radii, strict=True))
    inside = cut.cover > 200
    pips = np.concatenate(
        [picture[_disc(holes.shape, x, y, 0.6 * r)] for (x, y), r in zip(at, radii, strict=True)]
    )
    axes = fitted[1] / np.linalg.norm(fitted[1], axis=0)
    empty = replace(cut, picture=np.clip(bare, 0, 255).astype(np.uint8))
    return BareDie(
        empty,
        fitted[0],
        axes,
        side,
        added,
        tuple(radii.tolist()),
        np.median(bare[inside], axis=0),
        np.median(pips, axis=0),
    )


def filled(picture: np.ndarray, known: np.ndarray, sigma: float) -> np.ndarray:
    """The picture (s, s, 3) float32 smoothed from its known px, also where it is unknown."""
    weight = cv2.GaussianBlur(known.astype(np.float32), (0, 0), sigma) + 1e-4
    blurred = cv2.GaussianBlur(picture * known[..., None], (0, 0), sigma)
    return np.asarray(blurred / weight[..., None], np.float32)


def _disc(shape: tuple[int, ...], x: float, y: float, radius: float) -> np.ndarray:
    v, u = np.mgrid[: shape[0], : shape[1]]
    return np.asarray(np.hypot(u - x, v - y) <= max(radius, 1.0))


def patch_at(added: np.ndarray, x: float, y: float, radius: float) -> np.ndarray:
    """(k, k, 3) float32: what one pip adds, fading out at REACH radii."""
    k = 2 * int(np.ceil(REACH * radius)) + 3
    part = cv2.getRectSubPix(added, (k, k), (float(x), float(y)))
    v, u = np.mgrid[:k, :k] - (k - 1) / 2
    fade = np.clip((REACH * radius - np.hypot(u, v)) / (0.25 * radius), 0, 1)
    return np.asarray(part * fade[..., None], np.float32)


def random_repipped(die: BareDie, rng: np.random.Generator) -> Cutout:
    """A cut-out of this die with a random face in a random layout, sixes most often."""
    face = int(rng.choice(6, p=FACE_SHARES)) + 1
    pips = odd_pips(rng, inked=False)
    return repipped(die, replace(pips, pitch=min(pips.pitch, MAX_PITCH - pips.radius)), face, rng)


def repipped(die: BareDie, pips: Pips, face: int, rng: np.random.Generator) -> Cutout:
    """A cut-out of this die that shows this face in the layout of `pips`."""
    picture = die.cut.picture.astype(np.float32)
    quarter_turns, radius = int(rng.integers(4)), pips.radius_of(face) * die.side
    ink = random_ink(rng) * 255 if face == 1 and rng.random() < INKED_SHARE else None
    spots = np.array(pips.spots(face, quarter_turns)) * die.side
    pips_xy = (die.centre + spots @ die.axes.T).tolist()
    for x, y in pips_xy:
        n = int(rng.integers(len(die.added)))
        added = _moved(die.added[n], radius / die.radii[n], x, y, picture.shape[:2])
        picture = picture + added if ink is None else inked(picture, added, die, ink)
    shown = np.clip(picture, 0, 255).astype(np.uint8)
    return replace(
        die.cut,
        picture=shown,
        face=face,
        plain=ink is None,
        pip_grey=float(die.pip @ GREY_OF_BGR),
        pips_xy=tuple((x + 0.5, y + 0.5) for x, y in pips_xy),
        pip_px=radius,
    )


def inked(picture: np.ndarray, added: np.ndarray, die: BareDie, ink: np.ndarray) -> np.ndarray:
    """The picture with what a pip adds, in this colour (3,) 0-255 instead of its own."""
    way = die.pip - die.body
    share = np.clip(added @ way / max(float(way @ way), 1.0), 0, 1)[..., None]
    return np.asarray(picture + share * (ink - picture))


def _moved(patch: np.ndarray, scale: float, x: float, y: float, shape: Sequence[int]) -> np.ndarray:
    """The patch, scaled by this factor, with its middle at this place of an empty picture of this shape."""
    middle = (len(patch) - 1) / 2
    affine = np.array([[scale, 0, x - scale * middle], [0, scale, y - scale * middle]])
    return np.asarray(cv2.warpAffine(patch, affine, (shape[1], shape[0]), flags=cv2.INTER_LINEAR), np.float32)
