"""Reads a picture: detects the dice and sticks, classifies each and says how sure it is."""

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
from vision.boxes import Box, iou, is_truncated
from vision.frames import Picture
from vision.reading.classifier import (
    ALL_VIEWS,
    THOROUGH_VIEW_ROUNDS,
    VIEW_ROUNDS,
    FaceClassifier,
    FacePrediction,
    likely_faces,
)
from vision.reading.detector import SCORE_THRESHOLD, Detection, DieDetector
from vision.reading.ground_plane import mark_cocked
from vision.reading.low_view import with_low_view
from vision.reading.stick_reader import StickReader
from vision.reading.upper_face import without_doubtful
from vision.readings import CONFIDENCE_THRESHOLD, Reading, SeenDie, SeenStick, on_one_another
from vision.turned_box import box_of_quad

DETECTOR_FILE, CLASSIFIER_FILE = "detector.onnx", "classifier.onnx"
"""Names of the two nets' files in a folder of weights."""
ORIGIN_FILE = "weights.json"
"""Name of the file that says which weights a folder's weights were made from."""

DIE_THRESHOLD, FACE_THRESHOLD = 0.5, 0.5
"""A detection is accepted as a die if the product of the two nets' probabilities of a die is at least
DIE_THRESHOLD, or if one face has at least FACE_THRESHOLD: a detection with a readable face is a die."""
TRUNCATED_DIE_THRESHOLD = 0.35
"""DIE_THRESHOLD for a die that the border cuts, which is never sure. Of 156 dice on photographs of new rigs,
cropped at a corner by 15 to 45 % each way, 110 are reported, instead of 88 with DIE_THRESHOLD; on 260
rendered tables there are 2 more false positives."""
FAINT_FACE_THRESHOLD, FAINT_MAX_IOU = 0.8, 0.15
"""A detection below SCORE_THRESHOLD is a die only if one face has at least FAINT_FACE_THRESHOLD and no
stronger box overlaps it by an IoU above FAINT_MAX_IOU. 22 of 27 such detections were missed dice."""
SURE_SCORE_THRESHOLD = 0.45
"""Minimum detector score of a sure die. Half of the false positives that were classified with certainty have
less; of 489 dice on photographs of new rigs one has less."""
PART_SHARE = 0.5
"""A die on or in front of another has at least this share of its side; anything smaller is a part of it."""
MAX_TRAYS, TRAY_PX, TRAY_FACE = 3, 80, 3
"""A photograph with at most MAX_TRAYS dice is searched for dice on each of them that is at least TRAY_PX wide
and shows at most TRAY_FACE: a square sheet with a die in its middle looks like a 1."""
MAX_SIZE_RATIO = 2.5
"""What is not surely a die on a table and is more than this many times as large as the largest sure die there
is none: a plain field with a die on it looks like a 1."""
MARK_WIDTHS = 1.3
"""A die within a stick has a side of more than this many widths of the stick; anything smaller is a mark on
it."""
MIN_PICTURE_PX = 8
"""A picture with a shorter side than this shows nothing that could be read."""
ROW_SHARE = 0.5
"""Dice are in one row if their centres differ in height by less than this share of a side."""


def note_origin(folder: Path, shipped: Path = WEIGHTS) -> None:
    """Records in this folder of weights that they were made from the ones that come with this Brehon."""
    (folder / ORIGIN_FILE).write_text(json.dumps({"made_from": digest(shipped)}) + "\n")


def is_current(folder: Path, shipped: Path = WEIGHTS) -> bool:
    """Whether the weights in this folder were made from the ones that come with this Brehon.

    Raises OSError, ValueError or LookupError if the folder does not say.
    """
    return bool(json.loads((folder / ORIGIN_FILE).read_text())["made_from"] == digest(shipped))


def digest(folder: Path) -> str:
    """sha256 of the two nets in this folder. Trained weights are beside a copy of the shipped detector."""
    files = (DETECTOR_FILE, CLASSIFIER_FILE)
    return hashlib.sha256(b"".join((folder / file).read_bytes() for file in files)).hexdigest()


class Reader:
    """Reads dice with two nets, and sticks with two others; one Reader may serve many pictures and threads.

    sticks: whether sticks are read too. It may change between pictures; a reader of dice alone neither loads
    nor runs the nets for sticks.
    """

    def __init__(self, model_dir: Path = WEIGHTS, in_floats: bool = False, sticks: bool = False) -> None:
        """model_dir: holds detector.onnx and classifier.onnx. in_floats: see vision.reading.nets.Net."""
        self.sticks, self._stick_reader = sticks, StickReader()
        self._detector = DieDetector(model_dir / DETECTOR_FILE, in_floats)
        self._classifier = FaceClassifier(model_dir / CLASSIFIER_FILE, in_floats)

    def read(self, picture: Picture, thorough: bool = False) -> Reading:
        """The reading of a picture, (h, w, 3) uint8 BGR of any size; empty below MIN_PICTURE_PX.

        thorough: for a photograph with dice of any size; searches at several scales and may take longer.
        ValueError: the array has another shape or type.
        """
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            raise ValueError(f"expected a (h, w, 3) uint8 picture, got {picture.shape} {picture.dtype}")
        began = time.perf_counter()
        h, w = picture.shape[:2]
        dice: list[SeenDie] = []
        if min(h, w) >= MIN_PICTURE_PX:
            dice = self._photograph_dice(picture) if thorough else self._table_dice(picture)
        sticks = self._stick_reader.read(picture) if self.sticks else ()
        dice = [die for die in dice if not any(is_mark(die, stick) for stick in sticks)]
        return Reading((w, h), tuple(in_rows(dice)), sticks, (time.perf_counter() - began) * 1000)

    def _table_dice(self, picture: Picture) -> list[SeenDie]:
        """The dice on a table."""
        dice = self._classified(picture, self._detector.detect(picture), VIEW_ROUNDS)
        return [die for die in dice if not is_field(die, dice)]

    def _photograph_dice(self, picture: Picture) -> list[SeenDie]:
        """The dice in a photograph, which is searched at larger scales while no die is sure.

        A die that may show a side instead of its upper face is not sure, unless the picture, stretched as if
        it was taken from above, shows which. That says nothing against other doubts: whether it is a die,
        and whether it lies on a tray.
        """
        dice: list[SeenDie] = []
        clear: set[Box] = set()
        for detections in self._detector.detect_multiscale(picture):
            dice = self._classified(picture, detections, THOROUGH_VIEW_ROUNDS)
            clear = {d.box_xywh for d in detections if d.score >= SURE_SCORE_THRESHOLD}
            if any(die.sure for die in dice):
                break
        dice = dice if len(dice) > MAX_TRAYS else self._without_trays(picture, dice)
        size_wh = (picture.shape[1], picture.shape[0])
        dice = with_low_view(picture, without_doubtful(dice, size_wh), self._classifier, size_wh)
        return [replace(die, sure=die.sure and die.box_xywh in clear) for die in dice]

    def _without_trays(self, picture: Picture, dice: Sequence[SeenDie]) -> list[SeenDie]:
        """The dice, with those that are trays replaced by the dice on them."""
        dice_on = [self._dice_on(picture, die) for die in dice]
        trays = [die for die, on_it in zip(dice, dice_on, strict=True) if on_it]
        result: list[SeenDie] = []
        for die, on_it in zip(dice, dice_on, strict=True):
            if on_it:
                result += on_it
            elif not any(lies_in(die, tray) for tray in trays):
                result.append(die)
        return result

    def _dice_on(self, picture: Picture, tray: SeenDie) -> list[SeenDie]:
        """The dice on a tray, sheet or board that was read as a die with them as its pips; else none.

        They are unsure, because they may be the reflections of two lamps in a pip.
        """
        x, y, w, h = (round(v) for v in tray.box_xywh)
        if not tray.sure or tray.face > TRAY_FACE or min(w, h) < TRAY_PX:
            return []
        part = np.ascontiguousarray(picture[y : y + h, x : x + w])
        part_dice = self._classified(part, next(self._detector.detect_multiscale(part)), THOROUGH_VIEW_ROUNDS)
        moved = [
            replace(d, box_xywh=(d.box_xywh[0] + x, d.box_xywh[1] + y, *d.box_xywh[2:])) for d in part_dice
        ]
        on_it = [die for die in moved if lies_in(die, tray)]
        if not any(die.sure and die.face > 1 for die in on_it):
            return []
        size_wh = (picture.shape[1], picture.shape[0])
        return [
            replace(d, sure=False, cocked=False, cut_off=is_truncated(d.box_xywh, size_wh)) for d in on_it
        ]

    def _classified(
        self, picture: Picture, detections: Sequence[Detection], rounds: Sequence[int]
    ) -> list[SeenDie]:
        """The detections that are dice, classified, without pips, parts and trays."""
        size_wh = (picture.shape[1], picture.shape[0])
        predictions = self._classifier.classify(picture, [d.box_xywh for d in detections], rounds)
        accepted = [
            (detection, prediction)
            for detection, prediction in zip(detections, predictions, strict=True)
            if is_die(detection, prediction, is_truncated(detection.box_xywh, size_wh))
        ]
        strong = [detection for detection, _ in accepted if detection.score >= SCORE_THRESHOLD]
        dice = [
            seen_die(detection, prediction, size_wh)
            for detection, prediction in accepted
            if detection.score >= SCORE_THRESHOLD or is_separate(detection, strong)
        ]
        dice = [die for die in dice if not any(is_part(die, other) for other in dice)]
        dice = [die for die in dice if not is_tray(die, dice)]
        dice = self._with_cocked(picture, dice)
        return [replace(a, stacked=any(b is not a and on_one_another(a, b) for b in dice)) for a in dice]

    def _with_cocked(self, picture: Picture, dice: list[SeenDie]) -> list[SeenDie]:
        """The dice, with the tilted ones marked cocked; those that seem tilted get all views first."""
        size_wh = (picture.shape[1], picture.shape[0])
        seemingly_cocked = [i for i, d in enumerate(mark_cocked(dice, size_wh)) if d.cocked]
        if not seemingly_cocked:
            return dice
        all_views = self._classifier.classify(
            picture, [dice[i].box_xywh for i in seemingly_cocked], ALL_VIEWS
        )
        reclassified = {
            i: replace(dice[i], normal_xy=prediction.normal_xy, normal_error=prediction.normal_error)
            for i, prediction in zip(seemingly_cocked, all_views, strict=True)
        }
        return mark_cocked([reclassified.get(i, d) for i, d in enumerate(dice)], size_wh)


def seen_die(detection: Detection, prediction: FacePrediction, size_wh: tuple[int, int]) -> SeenDie:
    """A detection and its prediction as a die."""
    confidence = float(prediction.faces.max())
    truncated = is_truncated(detection.box_xywh, size_wh)
    return SeenDie(
        face=int(prediction.faces.argmax()) + 1,
        colour=COLOURS[int(prediction.colours.argmax())],
        box_xywh=detection.box_xywh,
        confidence=confidence,
        sure=confidence >= CONFIDENCE_THRESHOLD and detection.score >= SURE_SCORE_THRESHOLD and not truncated,
        likely=likely_faces(prediction.faces),
        cut_off=truncated,
        normal_xy=None if truncated else prediction.normal_xy,
        normal_error=prediction.normal_error,
    )


def is_die(detection: Detection, prediction: FacePrediction, truncated: bool) -> bool:
    """Whether this is reported as a die, sure or not. truncated: the picture's border cuts it."""
    face_threshold = FACE_THRESHOLD if detection.score >= SCORE_THRESHOLD else FAINT_FACE_THRESHOLD
    threshold = TRUNCATED_DIE_THRESHOLD if truncated else DIE_THRESHOLD
    if float(prediction.faces.max()) >= face_threshold:
        return True
    return detection.score * (1 - prediction.background) >= threshold


def is_separate(detection: Detection, others: Sequence[Detection]) -> bool:
    """Whether this detection overlaps none of the others and so is no part of one."""
    return not any(iou(detection.box_xywh, other.box_xywh) > FAINT_MAX_IOU for other in others)


def is_mark(die: SeenDie, stick: SeenStick) -> bool:
    """Whether this is a letter or a figure on the stick: it lies within and is about as wide."""
    box, (x, y) = box_of_quad(stick.quad), die.centre_xy
    (cx, cy), (ux, uy) = box.centre_xy, box.axis
    along, across = (x - cx) * ux + (y - cy) * uy, (y - cy) * ux - (x - cx) * uy
    within = abs(along) < box.length / 2 and abs(across) < box.width / 2
    return within and die.side < MARK_WIDTHS * box.width


def is_part(die: SeenDie, other: SeenDie) -> bool:
    """Whether this is a pip or a side of the other die: within it, much smaller, and not more certain."""
    return lies_in(die, other) and die.confidence <= other.confidence


def is_tray(die: SeenDie, dice: Sequence[SeenDie]) -> bool:
    """Whether two or more sure dice lie on this, so that it is a tray. A truncated one is kept as unsure."""
    return not die.sure and not die.cut_off and sum(other.sure and lies_in(other, die) for other in dice) > 1


def is_field(die: SeenDie, dice: Sequence[SeenDie]) -> bool:
    """Whether this is far too large for a die beside the sure ones, and so a field with a die on it."""
    apart = [d for d in dice if d.sure and not any(lies_in(d, other) for other in dice)]  # others may be pips
    largest = max((other.side for other in apart), default=die.side)
    return not die.sure and die.side > MAX_SIZE_RATIO * largest


def lies_in(die: SeenDie, other: SeenDie) -> bool:
    """Whether this lies within the other's box and is much smaller."""
    (x, y, w, h), (cx, cy) = other.box_xywh, die.centre_xy
    return x < cx < x + w and y < cy < y + h and die.side < PART_SHARE * other.side


def in_rows(dice: list[SeenDie]) -> list[SeenDie]:
    """The dice in reading order: by row from the top, then from the left."""
    rows: list[list[SeenDie]] = []
    for die in sorted(dice, key=lambda d: (d.centre_xy[1], d.centre_xy[0])):
        if rows and die.centre_xy[1] - rows[-1][0].centre_xy[1] < ROW_SHARE * rows[-1][0].side:
            rows[-1].append(die)
        else:
            rows.append([die])
    return [die for row in rows for die in sorted(row, key=lambda d: d.centre_xy[0])]
