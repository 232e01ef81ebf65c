"""Reader: a picture in, a Reading out. Finds the dice, looks at each, and says how sure it is."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from models import WEIGHTS
from table.common.colours import COLOURS
from vision.classifier import EVERY_VIEW, THOROUGH_VIEW_ROUNDS, VIEW_ROUNDS, FaceClassifier, FacePrediction
from vision.detector import SCORE_THRESHOLD, Detection, DieDetector, iou
from vision.frames import Picture
from vision.ground_plane import judged
from vision.reading import CONFIDENCE_THRESHOLD, Reading, SeenDie, on_one_another

DETECTOR_FILE, CLASSIFIER_FILE = "finder.onnx", "faces.onnx"
ORIGIN_FILE = "weights.json"

DIE_THRESHOLD = 0.5
"""Both nets' chances of its being a die, multiplied, below which a find is dropped..."""
FACE_THRESHOLD = 0.5
"""... unless one face is as likely as this: a die that can be read is one."""
TRUNCATED_DIE_THRESHOLD = 0.35
"""DIE_THRESHOLD of one that the border cuts, which is never sure. Of 156 dice on photographs of new rigs, cut anew at a corner by 15 to
45 % each way, 110 are shown, instead of 88 with DIE_THRESHOLD; on 260 rendered tables 2 more that are none."""
FAINT_FACE_THRESHOLD, FAINT_MAX_IOU = 0.8, 0.15
"""A detection below SCORE_THRESHOLD is a die only where one face is as likely as FAINT_FACE_THRESHOLD and no stronger box overlaps it
by an IoU above FAINT_MAX_IOU. Of 27 such detections 22 were dice that had been missed."""
SURE_SCORE_THRESHOLD = 0.45
"""Chance of a die that the finder has to give before one is believed: of what is no die and was read with certainty all the same, half
has less, and of 489 dice on photographs of new rigs one."""
BORDER_SHARE, TRUNCATED_SHARE = 0.04, 0.8
"""A box is truncated that ends within this share of its side from the border and is less than TRUNCATED_SHARE as wide across as along
it."""
PART_SHARE = 0.5
"""No die lies on or before another of more than twice its side."""
MAX_TRAYS, TRAY_PX, TRAY_FACE = 3, 80, 3
"""Where a photograph shows no more dice than this, each at least so many px wide and of no higher face is searched for dice: a square
sheet with a die in its middle looks like a 1."""
MIN_PICTURE_PX = 8
"""A picture smaller than this, either way, shows nothing that could be read."""
ROW_SHARE = 0.5
"""Dice whose centres are less than this share of a side apart from top to bottom lie in one row."""


def note_origin(folder: Path, shipped: Path = WEIGHTS) -> None:
    """Writes beside weights learnt at a table that they were made from the ones that come with this Brehon."""
    (folder / ORIGIN_FILE).write_text(json.dumps({"made_from": digest(shipped)}) + "\n")


def is_current(folder: Path, shipped: Path = WEIGHTS) -> bool:
    """Whether the weights in this folder were made from the ones that come with this Brehon; OSError, ValueError or LookupError where
    the folder does not say."""
    return bool(json.loads((folder / ORIGIN_FILE).read_text())["made_from"] == digest(shipped))


def digest(folder: Path) -> str:
    """sha256 of the two nets in this folder: learnt weights stand beside a copy of the finder that comes with Brehon."""
    return hashlib.sha256(b"".join((folder / file).read_bytes() for file in (DETECTOR_FILE, CLASSIFIER_FILE))).hexdigest()


class Reader:
    """The eyes. Holds two nets; one Reader may serve many pictures and threads."""

    def __init__(self, model_dir: Path = WEIGHTS, in_floats: bool = False) -> None:
        """model_dir: holds finder.onnx and faces.onnx. in_floats: see vision.nets.Net."""
        self._detector = DieDetector(model_dir / DETECTOR_FILE, in_floats)
        self._classifier = FaceClassifier(model_dir / CLASSIFIER_FILE, in_floats)

    def read(self, picture: Picture, thorough: bool = False) -> Reading:
        """What lies in the picture, (h, w, 3) uint8 blue-green-red of any size; smaller than MIN_PICTURE_PX gives an empty Reading.

        thorough: for a picture nobody mounted a camera for; dice of any size are searched for, which takes longer where it has to.

        ValueError: an array of another shape or type.
        """
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            raise ValueError(f"expected a (h, w, 3) uint8 picture, got {picture.shape} {picture.dtype}")
        began = time.perf_counter()
        h, w = picture.shape[:2]
        dice: list[SeenDie] = []
        if min(h, w) >= MIN_PICTURE_PX:
            dice = self._in_photograph(picture) if thorough else self._dice(picture, self._detector.detect(picture), VIEW_ROUNDS)
        return Reading((w, h), tuple(in_rows(dice)), (), (time.perf_counter() - began) * 1000)

    def _in_photograph(self, picture: Picture) -> list[SeenDie]:
        """Looks ever closer while no die can be read for sure: what was taken for one may be a tray seen from afar."""
        dice: list[SeenDie] = []
        for found in self._detector.detect_multiscale(picture):
            dice = self._dice(picture, found, THOROUGH_VIEW_ROUNDS)
            if any(die.sure for die in dice):
                break
        if len(dice) > MAX_TRAYS:
            return dice
        trays = [(die, self._on(picture, die)) for die in dice]
        found_on = [tray for tray, there in trays if there]
        return [one for die, there in trays if there or not any(lies_in(die, tray) for tray in found_on) for one in there or [die]]

    def _on(self, picture: Picture, tray: SeenDie) -> list[SeenDie]:
        """The dice that lie on what was taken for a die, if that is a tray, sheet or board on which they look like pips; else none.
        They are asked about: in a pip two lamps may be mirrored."""
        x, y, w, h = (round(v) for v in tray.box_xywh)
        if not tray.sure or tray.face > TRAY_FACE or min(w, h) < TRAY_PX:
            return []
        part = np.ascontiguousarray(picture[y : y + h, x : x + w])
        inside = self._dice(part, next(self._detector.detect_multiscale(part)), THOROUGH_VIEW_ROUNDS)
        moved = [replace(d, box_xywh=(d.box_xywh[0] + x, d.box_xywh[1] + y, *d.box_xywh[2:])) for d in inside]
        there = [die for die in moved if lies_in(die, tray)]
        if not any(die.sure and die.face > 1 for die in there):
            return []
        size_wh = (picture.shape[1], picture.shape[0])
        return [replace(die, sure=False, cocked=False, cut_off=is_truncated(die.box_xywh, size_wh)) for die in there]

    def _dice(self, picture: Picture, found: Sequence[Detection], rounds: Sequence[int]) -> list[SeenDie]:
        looks = self._classifier.classify(picture, [f.box_xywh for f in found], rounds)
        h, w = picture.shape[:2]
        there = [(f, look) for f, look in zip(found, looks, strict=True) if is_die(f, look, is_truncated(f.box_xywh, (w, h)))]
        firm = [f for f, _ in there if f.score >= SCORE_THRESHOLD]
        dice = [seen_die(f, look, (w, h)) for f, look in there if f.score >= SCORE_THRESHOLD or is_apart(f, firm)]
        dice = [die for die in dice if not any(is_part(die, other) for other in dice)]
        dice = [die for die in dice if not is_tray(die, dice)]
        dice = self._leaning(picture, dice)
        return [replace(a, stacked=any(b is not a and on_one_another(a, b) for b in dice)) for a in dice]

    def _leaning(self, picture: Picture, dice: list[SeenDie]) -> list[SeenDie]:
        """The dice, those that lean marked cocked; the ones that seem to are looked at from every side first."""
        size_wh = (picture.shape[1], picture.shape[0])
        seeming = [i for i, d in enumerate(judged(dice, size_wh)) if d.cocked]
        if not seeming:
            return dice
        closer = self._classifier.classify(picture, [dice[i].box_xywh for i in seeming], EVERY_VIEW)
        seen_well = {
            i: replace(dice[i], facing_xy=look.facing_xy, facing_error=look.facing_error)
            for i, look in zip(seeming, closer, strict=True)
        }
        return judged([seen_well.get(i, d) for i, d in enumerate(dice)], size_wh)


def seen_die(found: Detection, look: FacePrediction, size_wh: tuple[int, int]) -> SeenDie:
    """A find and what the face reader made of it, as a die."""
    order = np.argsort(-look.faces, kind="stable")
    confidence = float(look.faces[order[0]])
    total = float(look.faces.sum())
    cut = is_truncated(found.box_xywh, size_wh)
    return SeenDie(
        face=int(order[0]) + 1,
        colour=COLOURS[int(look.colours.argmax())],
        box_xywh=found.box_xywh,
        confidence=confidence,
        sure=confidence >= CONFIDENCE_THRESHOLD and found.score >= SURE_SCORE_THRESHOLD and not cut,
        likely=tuple((int(i) + 1, float(look.faces[i]) / total) for i in order),
        cut_off=cut,
        facing_xy=None if cut else look.facing_xy,
        facing_error=look.facing_error,
    )


def is_die(found: Detection, look: FacePrediction, cut: bool) -> bool:
    """Whether this is shown as a die, sure or not: what a person is asked about had better be one. cut: the border cuts it."""
    least = FACE_THRESHOLD if found.score >= SCORE_THRESHOLD else FAINT_FACE_THRESHOLD
    threshold = TRUNCATED_DIE_THRESHOLD if cut else DIE_THRESHOLD
    return float(look.faces.max()) >= least or found.score * (1 - look.background) >= threshold


def is_apart(found: Detection, others: Sequence[Detection]) -> bool:
    """Whether this lies beside all the others, and is no part of one."""
    return not any(iou(found.box_xywh, other.box_xywh) > FAINT_MAX_IOU for other in others)


def is_part(die: SeenDie, other: SeenDie) -> bool:
    """Whether this is a pip or a side of the other: within it, much smaller, and no more certain."""
    return lies_in(die, other) and die.confidence <= other.confidence


def is_tray(die: SeenDie, dice: Sequence[SeenDie]) -> bool:
    """Whether this is what dice lie on: from afar they are a tray's pips. One that the border cuts is asked about instead."""
    return not die.sure and not die.cut_off and sum(other.sure and lies_in(other, die) for other in dice) > 1


def lies_in(die: SeenDie, other: SeenDie) -> bool:
    """Whether this lies within the other's box, and is much smaller."""
    (x, y, w, h), (cx, cy) = other.box_xywh, die.centre_xy
    return x < cx < x + w and y < cy < y + h and die.side < PART_SHARE * other.side


def is_truncated(box: tuple[float, float, float, float], size_wh: tuple[int, int]) -> bool:
    """Whether the picture's border cuts this die: its box ends there, and is narrower across than along the border; or it ends at a
    corner, whatever its shape."""
    x, y, w, h = box
    near = BORDER_SHARE * max(w, h)
    at_left, at_right = x < near, x + w > size_wh[0] - near
    at_top, at_bottom = y < near, y + h > size_wh[1] - near
    in_corner = at_left != at_right and at_top != at_bottom  # one that fills the picture ends at every border
    narrow = ((at_left or at_right) and w < TRUNCATED_SHARE * h) or ((at_top or at_bottom) and h < TRUNCATED_SHARE * w)
    return in_corner or narrow


def in_rows(dice: list[SeenDie]) -> list[SeenDie]:
    """In reading order: by row from the top, in a row from the left."""
    rows: list[list[SeenDie]] = []
    for die in sorted(dice, key=lambda d: (d.centre_xy[1], d.centre_xy[0])):
        if rows and die.centre_xy[1] - rows[-1][0].centre_xy[1] < ROW_SHARE * rows[-1][0].side:
            rows[-1].append(die)
        else:
            rows.append([die])
    return [die for row in rows for die in sorted(row, key=lambda d: d.centre_xy[0])]
