"""Composites of real dice from the training photographs:

    python -m models.rendering.cutouts --out runs/cutouts --photos PHOTOS

GrabCut separates each die from its background; the mask is the convex hull of the result. The die is then
rotated, scaled, relit and pasted on a rendered ground. Half of the dice are recoloured: the luminance of
body and pips maps to the colours of a random make. The mask is randomly dilated or eroded, because no
segmentation is exact. Renders lack real plastic, real pips and real highlights. The orientation of a die
is unknown here, and so are its pips, except where the die gets other pips (models/rendering/repipped.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.rendering import backgrounds, camera_effects
from models.rendering.cutout import Cutout, cutout
from models.rendering.dice import body_texture, random_make
from models.rendering.render_files import RenderedDieLabel, arguments, write
from models.rendering.repipped import BareDie, bare_die, random_repipped
from models.training.photos import bare_patches, trainable

SIZE_WH = (640, 480)
"""Size of a picture, px."""
DIE_PX = (18.0, 150.0)
"""Smallest and largest side of a pasted die, px."""
SOURCE_SHARE = {"N3VERS4YDIE/dice-recognition": 0.12}
"""Share of the dice from a source, where it differs from the other sources'. Some labels of this source are
doubtful, and its marbled dice are not recoloured."""
RECOLOURED_SHARE = 0.5
"""Share of the dice with a plain body that get another colour."""
REPIPPED_SHARE = 0.5
"""Share of the dice of the sources with plain bodies that get other pips."""
MAX_ENLARGED = 1.5
"""Maximum enlargement of a cut-out, as a factor."""
MAX_SHAVED = 0.06
"""Maximum loss of a rough mask on one side, in sides of the die."""
MAX_DICE, MAX_TRIES = 10, 40
"""Maximum number of dice in a picture, and of attempts to find room for one more."""


def cutouts(folder: Path) -> dict[str, CutoutSource]:
    """By source, all dice of the training photographs that can be cut out cleanly."""
    found: dict[str, list[Cutout]] = defaultdict(list)
    for photo in trainable(folder):
        picture = np.asarray(cv2.imread(str(photo.path)), np.uint8)
        for die in photo.dice:
            if (cut := cutout(picture, die, photo.source not in SOURCE_SHARE)) is not None:
                found[photo.source].append(cut)
    return {name: CutoutSource(cuts, bare_dice(cuts)) for name, cuts in found.items()}


def bare_dice(cuts: Sequence[Cutout]) -> list[BareDie]:
    """The plain ones of these dice that can get other pips."""
    return [bare for cut in cuts if cut.plain and (bare := bare_die(cut)) is not None]


def recoloured(cut: Cutout, rng: np.random.Generator) -> tuple[np.ndarray, str]:
    """The cut-out in the colours of a random make, (s, s, 3) uint8, and the name of its body colour.

    The name is empty where two hues are mixed. Highlights, which are brighter than the body, stay white. The
    luminance is inverted where the pips are brighter than the body.
    """
    make = random_make(rng)
    grey = cv2.cvtColor(cut.picture, cv2.COLOR_BGR2GRAY).astype(np.float32) / 255
    inside = grey[cut.cover > 200]
    body, dark, light = np.median(inside), np.percentile(inside, 3), np.percentile(inside, 97)
    measured = dark if body - dark > light - body else light
    pip = float(measured) if cut.pip_grey is None else cut.pip_grey / 255
    share = (grey - pip) / (body - pip if abs(body - pip) > 0.1 else 0.1)
    glare = np.clip(share - 1.1, 0, 1)[..., None] if pip < body else 0.0
    body_bgr = cv2.resize(body_texture(make, rng), grey.shape[::-1], interpolation=cv2.INTER_LINEAR)
    shown = make.pip + (body_bgr - make.pip) * np.clip(share, -0.1, 1.25)[..., None]
    return (np.clip(shown + glare * (1 - shown), 0, 1) * 255).astype(np.uint8), make.colour


def lit(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(s, s, 3) uint8: the picture with a brightness gradient and with random gain and tint."""
    size = len(picture)
    v, u = np.mgrid[:size, :size].astype(np.float32) / size - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    slope = 1 + rng.uniform(0, 0.5) * (u * np.cos(angle) + v * np.sin(angle))
    gains = np.exp(rng.normal(0, 0.06, 3)) * rng.uniform(0.6, 1.2)
    return np.asarray(np.clip(picture * slope[..., None] * gains, 0, 255), np.uint8)


def cut_roughly(cover: np.ndarray, side: float, rng: np.random.Generator) -> np.ndarray:
    """The mask (s, s) float32 0-1, slightly dilated or eroded, with a soft edge."""
    wider = round(float(rng.uniform(-0.05, 0.03)) * side)
    if wider:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(wider) + 1,) * 2)
        cover = cv2.dilate(cover, kernel) if wider > 0 else cv2.erode(cover, kernel)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.5, 0.3, 0.2]))):
        cover = cover * half_plane_mask(
            len(cover), float(rng.uniform(0.5 - MAX_SHAVED, 0.52)) * side, float(rng.uniform(0, 2 * np.pi))
        )
    return (
        np.asarray(cv2.GaussianBlur(cover, (0, 0), float(rng.uniform(0.006, 0.03)) * side), np.float32) / 255
    )


def half_plane_mask(size: int, away: float, angle: float) -> np.ndarray:
    """(size, size) uint8: 1 on the inner side of a line at this distance from the middle, px."""
    v, u = np.mgrid[:size, :size].astype(np.float32) - (size - 1) / 2
    return np.asarray(u * np.cos(angle) + v * np.sin(angle) < away, np.uint8)


@dataclass(frozen=True, eq=False)
class CutoutSource:
    """The cut-outs from one source, and those that can get other pips."""

    cutouts: Sequence[Cutout]
    bare_dice: Sequence[BareDie] = ()

    def random(self, rng: np.random.Generator) -> Cutout:
        """One of these cut-outs, with all faces equally often, or one with other pips."""
        if self.bare_dice and rng.random() < REPIPPED_SHARE:
            return random_repipped(self.bare_dice[int(rng.integers(len(self.bare_dice)))], rng)
        faces = sorted({cut.face for cut in self.cutouts})
        face = faces[int(rng.integers(len(faces)))]
        alike = [cut for cut in self.cutouts if cut.face == face]
        return alike[int(rng.integers(len(alike)))]


def random_cutout(sources: Mapping[str, CutoutSource], rng: np.random.Generator) -> Cutout:
    names = sorted(sources)
    known = sum(SOURCE_SHARE.get(name, 0.0) for name in names)
    rest = (1 - known) / max(1, sum(name not in SOURCE_SHARE for name in names))
    shares = np.array([SOURCE_SHARE.get(name, rest) for name in names])
    return sources[str(rng.choice(names, p=shares / shares.sum()))].random(rng)


def table(
    rng: np.random.Generator, sources: Mapping[str, CutoutSource], patches: Sequence[np.ndarray]
) -> tuple[np.ndarray, list[RenderedDieLabel]]:
    """A picture (h, w, 3) uint8 of cut-outs on a rendered ground, and the ground truth of its dice."""
    die_px = float(np.exp(rng.uniform(*np.log(DIE_PX))))
    w, h = SIZE_WH
    kinds = [*backgrounds.GROUNDS, *([backgrounds.from_photographs(patches)] * 3 if patches else [])]
    ground = backgrounds.cluttered(kinds[int(rng.integers(len(kinds)))](rng, max(SIZE_WH)), rng, die_px)
    picture = (np.clip(ground[:h, :w], 0, 1) * 255).astype(np.float32)
    truths: list[RenderedDieLabel] = []
    placed: list[tuple[np.ndarray, float]] = []
    for _ in range(min(MAX_DICE, max(2, int(w * h / die_px**2 / 5)))):
        cut = random_cutout(sources, rng)
        side = min(die_px * float(rng.uniform(0.9, 1.1)), MAX_ENLARGED * cut.side)
        if (at := free_position(placed, side, rng)) is not None:
            placed.append((at, side))
            truths.append(paste(picture, cut, at, side, rng))
    return camera_effects.degraded(picture.astype(np.uint8), rng, min(1.0, die_px / 60)), truths


def free_position(
    placed: Sequence[tuple[np.ndarray, float]], side: float, rng: np.random.Generator
) -> np.ndarray | None:
    """A position where a die of this side overlaps no other, or None; one in three nearly touches another."""
    beside = bool(placed) and rng.random() < 0.35
    for _ in range(MAX_TRIES):
        at = rng.uniform(0.6 * side, np.array(SIZE_WH) - 0.6 * side)
        if beside:
            other, far = placed[int(rng.integers(len(placed)))]
            angle = rng.uniform(0, 2 * np.pi)
            at = other + (side + far) / 2 * rng.uniform(1.0, 1.1) * np.array([np.cos(angle), np.sin(angle)])
        inside = (at > 0.6 * side).all() and (at < np.array(SIZE_WH) - 0.6 * side).all()
        if inside and all(np.hypot(*(at - other)) > 0.99 * (side + far) / 2 for other, far in placed):
            return np.asarray(at)
    return None


def paste(
    picture: np.ndarray, cut: Cutout, at: np.ndarray, side: float, rng: np.random.Generator
) -> RenderedDieLabel:
    """The ground truth of the cut-out, drawn at a random angle into the picture (h, w, 3) float32 over a soft
    shadow."""
    other = cut.plain and rng.random() < RECOLOURED_SHARE
    shown, colour = recoloured(cut, rng) if other else (cut.picture, cut.colour)
    shown, cover = lit(shown, rng), cut_roughly(cut.cover, cut.side, rng)
    k = side / cut.side
    affine = np.asarray(
        cv2.getRotationMatrix2D((len(shown) / 2 - 0.5,) * 2, float(rng.uniform(0, 360)), k), float
    )
    affine[:, 2] += at - len(shown) / 2
    if k < 0.8:
        shown = cv2.GaussianBlur(shown, (0, 0), 0.35 / k)
        cover = cv2.GaussianBlur(cover, (0, 0), 0.35 / k)
    shown = cv2.warpAffine(shown, affine, SIZE_WH, flags=cv2.INTER_LINEAR)
    cover = cv2.warpAffine(cover, affine, SIZE_WH, flags=cv2.INTER_LINEAR)
    off = rng.normal(0, 0.12, 2) * side
    shade = cv2.warpAffine(cover, np.array([[1, 0, off[0]], [0, 1, off[1]]]), SIZE_WH)
    shade = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.04, 0.2)) * side)
    dark, share = float(rng.uniform(0, 0.6)) * np.asarray(shade)[..., None], np.asarray(cover)[..., None]
    picture[:] = picture * (1 - dark) * (1 - share) + share * np.asarray(shown)
    x, y, w, h = (float(v) for v in cv2.boundingRect((cover > 0.5).astype(np.uint8)))
    pips = (np.array(cut.pips_xy).reshape(-1, 2) - 0.5) @ affine[:, :2].T + affine[:, 2] + 0.5
    pips_xy = tuple((round(float(px), 2), round(float(py), 2)) for px, py in pips)
    return RenderedDieLabel(
        (x, y, w, h), cut.face, colour, False, True, 1.0, pips_xy=pips_xy, pip_px=cut.pip_px * k
    )


def main() -> None:
    parser = arguments(__doc__, count=700)
    parser.add_argument(
        "--photos",
        type=Path,
        required=True,
        help="folder of photographs; the dice of those marked train are cut out",
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sources, patches = cutouts(args.photos), bare_patches(args.photos)
    print(
        {name: (len(source.cutouts), len(source.bare_dice)) for name, source in sources.items()}, flush=True
    )
    write(args, lambda seed: table(np.random.default_rng((seed, 5)), sources, patches))


if __name__ == "__main__":
    main()
