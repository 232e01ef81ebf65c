"""Rendered pictures on disk: NNNNNN.jpg, and NNNNNN.json with the ground truth of each die in it.

The number is the random seed, so the same number always gives the same picture. Existing files are
skipped. A stopped run therefore resumes where it was, and several processes can share the work.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

JPEG_QUALITY = 95
"""Of the pictures on disk, 0-100."""
MAX_NAMED_DEG = 32.0
"""Tilt beyond which a die shows two faces equally, degrees."""
MAX_FLAT_DEG = 9.0
"""Tilt below which a die is flat enough to be read from any side, degrees."""


@dataclass(frozen=True)
class RenderedDieLabel:
    """The ground truth of one die in a rendered picture. The field names are the keys of the JSON files.

    box_xywh: px.
    face: 1-6, of the uppermost side.
    colour: empty where two hues are mixed.
    cocked: whether the die tilts.
    readable: False for emblems and for tilts between two faces; `is_named` is stricter.
    seen: visible share, 0-1.
    pips_xy: (n, 2) px, pip centres of the uppermost face, hidden ones too.
    pip_px: radius of these pips, seen face-on.
    lean_deg: tilt of that face from straight up.
    stacked: whether the die lies on another die.
    normal_xy: components of that face's normal to the right and down, in a view centred on the die. (0, 0) =
        the face points at the camera. None = unknown.
    """

    box_xywh: tuple[float, float, float, float]
    face: int
    colour: str
    cocked: bool
    readable: bool
    seen: float
    pips_xy: tuple[tuple[float, float], ...] = ()
    pip_px: float = 0.0
    lean_deg: float = 0.0
    stacked: bool = False
    normal_xy: tuple[float, float] | None = None


def is_named(t: Mapping[str, Any]) -> bool:
    """Whether the upper face of this die, given as its JSON, has a definite number. A tilted die has one only
    if that face points within 45 degrees of the camera, so that no other face points at it more."""
    if not t["readable"] or t.get("lean_deg", 0.0) > MAX_NAMED_DEG:
        return False
    aside = np.hypot(*(t.get("normal_xy") or (0.0, 0.0)))
    return bool(t.get("lean_deg", 0.0) <= MAX_FLAT_DEG or aside < np.sin(np.pi / 4))


def arguments(description: str | None, count: int) -> argparse.ArgumentParser:
    """A parser of the output folder and the range of numbers; count: the default number of pictures."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--count",
        type=int,
        default=count,
        help="the end of the numbers; this one is not made (default: %(default)s)",
    )
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument(
        "--step",
        type=int,
        default=1,
        help="2, with --start 0 and --start 1, shares the work between two processes",
    )
    return parser


def write(
    args: argparse.Namespace, picture_of_seed: Callable[[int], tuple[np.ndarray, list[RenderedDieLabel]]]
) -> None:
    """Renders and writes the pictures that the arguments select: a picture (h, w, 3) uint8 and its ground
    truth per number."""
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in range(args.start, args.count, args.step):
        target = args.out / f"{seed:06d}.json"
        if target.exists():
            continue
        picture, truths = picture_of_seed(seed)
        cv2.imwrite(str(target.with_suffix(".jpg")), picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        target.write_text(json.dumps([asdict(t) for t in truths]))
