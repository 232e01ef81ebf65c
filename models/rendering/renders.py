"""Rendered tables on disk: NNNNNN.jpg, and NNNNNN.json with what is true of each die in it.

Each number is its own seed: the same number always gives the same picture. What is already there is skipped, so a stopped run goes on
where it was, and several may share the work.
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
NAMED_DEG = 32.0
"""A die that leans further shows two faces alike."""
ASKEW_DEG = 9.0
"""One that leans less lies flat enough to be read from any side."""


@dataclass(frozen=True)
class Truth:
    """One rendered die. box_xywh px; seen 0-1 how much of it nothing hides; readable False for emblems and even leans (`is_named` asks
    more); colour: empty where two hues are mixed.

    pips_xy: middles of the pips of the face most nearly up, px, hidden ones too; pip_px: their radius, seen flat.
    lean_deg: how far that face looks from straight up. stacked: it lies on another die.
    normal_xy: the same face's normal as seen by an eye that looks straight at the die: its parts to the right and downwards in the
    picture, (0, 0) = it looks at the eye.
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
    """Whether anybody would name the upper face of this die, as its JSON has it: of one that leans only where that face looks within 45
    degrees of the eye, so that no other can look at it more."""
    if not t["readable"] or t.get("lean_deg", 0.0) > NAMED_DEG:
        return False
    aside = np.hypot(*(t.get("normal_xy") or (0.0, 0.0)))
    return bool(t.get("lean_deg", 0.0) <= ASKEW_DEG or aside < np.sin(np.pi / 4))


def arguments(description: str | None, count: int) -> argparse.ArgumentParser:
    """A parser for where pictures go and which; count: of how many, where nobody says."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=count, help="the first number that is not made")
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--step", type=int, default=1, help="2 with --start 0 and 1 shares the work between two processes")
    return parser


def write(args: argparse.Namespace, picture_of_seed: Callable[[int], tuple[np.ndarray, list[Truth]]]) -> None:
    """Makes and writes what these arguments ask for: a picture (h, w, 3) uint8 and its truth a number."""
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in range(args.start, args.count, args.step):
        target = args.out / f"{seed:06d}.json"
        if target.exists():
            continue
        picture, truths = picture_of_seed(seed)
        cv2.imwrite(str(target.with_suffix(".jpg")), picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        target.write_text(json.dumps([asdict(t) for t in truths]))
