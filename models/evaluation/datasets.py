"""The evaluation pictures with ground truth: photographs, a clip, the simulated tray and rendered tables.

Sources that training uses contribute only their held-back fifth. The simulated tray is rendered from seeds
that training does not use.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.evaluation.scoring import LabelledPicture
from models.labels import DieLabel
from models.rendering.pip_visibility import has_visible_pips
from models.rendering.render_files import is_named
from models.training.photos import load, read_picture
from vision.boxes import touches_border
from vision.frames import Picture
from vision.simulation import LOOKS, Scene, SimDie, TrueDie, random_tray, render_truth

FLAT_DEG = 3.0
"""Maximum tilt of a rendered die that counts as flat."""
MIN_COCKED_DEG = 20.0
"""Minimum tilt of a rendered die that must be reported as cocked."""
MIN_VISIBLE_SHARE = 0.55
"""Minimum visible share of a rendered die whose face is scored; the same as in training."""
SIMULATED_SEED = 5_000_000
"""Training uses only smaller seeds."""
TRAYS = ("as played", "other makes of dice", "other cameras, light and linings")
RENDERED = "rendered tables"
BLENDER = "tables by Blender"
CLIP = "RobertWetzler_dice_video_1.mp4"
CLIP_THROWS = (
    ((0, 22), (4, 1)), ((39, 56), (3, 5)), ((72, 84), (1, 5)),
    ((106, 117), (1, 2)), ((151, 162), (2, 4)), ((184, 196), (1, 1)),
)  # fmt: skip
"""First and last settled frame of each throw, and its faces, from the clips' index.jsonl."""


def photographs(
    folder: Path, train: bool, source: str = "", whole: bool = False
) -> Iterator[LabelledPicture]:
    """The photographs whose `train` label equals train, from sources whose name contains `source`.

    Of the trainable photographs, only the held-back fifth, or all with whole=True.
    """
    for photo in load(folder):
        if (
            source.lower() in photo.source.lower()
            and photo.train == train
            and (not train or whole or photo.held_out)
        ):
            truth = photo.dice
            yield LabelledPicture(
                photo.source, photo.path.name, photo.view, truth, partial(read_picture, photo.path)
            )


def clip_frames(folder: Path) -> Iterator[tuple[str, Picture, tuple[int, ...]]]:
    """Name, picture and faces of every settled frame of the clip with known faces; its dice have no boxes."""
    capture = cv2.VideoCapture(str(folder / "clips" / CLIP))
    frames = []
    while (step := capture.read())[0]:
        frames.append(np.asarray(step[1], np.uint8))
    for (first, last), faces in CLIP_THROWS:
        for n in range(first, min(last + 1, len(frames))):
            yield f"frame {n}", frames[n], faces


def simulated(count: int, tray: str) -> Iterator[LabelledPicture]:
    """Newly rendered pictures of the simulated tray, each with 0 to 10 dice, all flat."""
    for seed in range(SIMULATED_SEED, SIMULATED_SEED + count):
        picture, trues = _simulated(seed, tray)
        size_wh = (picture.shape[1], picture.shape[0])
        truth = tuple(
            DieLabel(t.box_xywh, t.face, t.colour, touches_border(t.box_xywh, size_wh), tilted=False)
            for t in trues
        )
        yield LabelledPicture(
            simulated_source(tray), f"seed {seed}", "top", truth, partial(_simulated_picture, seed, tray)
        )


def simulated_source(tray: str) -> str:
    return f"simulated: {tray}"


def _simulated_picture(seed: int, tray: str) -> Picture:
    return _simulated(seed, tray)[0]


@lru_cache(maxsize=1)
def _simulated(seed: int, tray: str) -> tuple[Picture, Sequence[TrueDie]]:
    rng = np.random.default_rng(seed)
    if tray == TRAYS[0]:
        return _as_played(rng)
    scene = Scene() if tray == TRAYS[1] else None
    return random_tray(rng, int(rng.integers(0, 11)), size_wh=(1280, 960), scene=scene)


def _as_played(rng: np.random.Generator) -> tuple[Picture, Sequence[TrueDie]]:
    """A render of the simulated camera's own dice at its own picture size, without overlap."""
    grid = rng.permutation([(x, y) for x in range(-95, 96, 24) for y in range(-66, 67, 24)])
    grid = grid[: int(rng.integers(1, 11))]
    spots = grid + rng.uniform(-0.5, 0.5, (len(grid), 2))
    colours = list(LOOKS)
    dice = [
        SimDie(
            int(rng.integers(1, 7)), str(rng.choice(colours)), float(x), float(y), float(rng.uniform(0, 6.3))
        )
        for x, y in spots
    ]
    return render_truth(dice, rng, (800, 600))


def renders(folder: Path, source: str) -> Iterator[LabelledPicture]:
    """The tables in this folder, rendered from seeds that training does not use.

    models.rendering.scenes or models.rendering.blender renders them. Views range from the top to very
    oblique. Dice whose pips cannot be made out in the picture are ignored. Faces of dice with too much tilt
    for an unambiguous face are not scored.
    """
    for path in sorted(folder.glob("*.json")):
        load_picture = partial(read_picture, path.with_suffix(".jpg"))
        picture = load_picture()
        truth = tuple(_rendered(t, picture) for t in json.loads(path.read_text()) if t["seen"] > 0)
        yield LabelledPicture(source, path.stem, "any", truth, load_picture)


def _rendered(t: Mapping[str, Any], picture: Picture) -> DieLabel:
    in_sight = (
        t["seen"] >= MIN_VISIBLE_SHARE
        and t["readable"]
        and has_visible_pips(picture, np.array(t["pips_xy"]), t["pip_px"])
    )
    return DieLabel(
        tuple(t["box_xywh"]),
        t["face"],
        t["colour"] or None,
        not in_sight,
        tilted=_is_tilted(t["lean_deg"]),
        definite=is_named(t),
    )


def _is_tilted(deg: float) -> bool | None:
    """Whether a die with this tilt is cocked. None: ambiguous, between FLAT_DEG and COCKED_DEG."""
    return True if deg > MIN_COCKED_DEG else None if deg > FLAT_DEG else False
