"""A sheet of the worst errors as crops: the ground truth on the left, the reading on the right.

The sheet contains photographs, so it is for inspection only and is never shipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.evaluation.scoring import ScoredPicture
from models.labels import DieLabel
from vision.boxes import Box
from vision.frames import Picture
from vision.reading.overlay import draw
from vision.readings import Reading, SeenDie

MAX_TILES = 24
COLUMNS = 4
PANEL_PX = 280
"""Side of each of the two crops in a tile, px."""
LINE_PX, LINES = 18, 2
"""Height of a caption line, px, and the number of lines."""
TILE_WH = (2 * PANEL_PX + 8, PANEL_PX + LINE_PX * LINES + 12)
"""Width and height of a tile with its gap, px."""
AROUND = 3.0
"""Side of a crop, in sides of its die."""
MIN_PX = 96
"""Minimum side of a crop, px of the picture; more magnification shows no more detail."""
TRUTH_BGR, INK_BGR, PAPER_BGR = (230, 160, 40), (235, 235, 235), (28, 28, 28)

SURE_AND_WRONG, MISSED, WRONG, FALSE, UNSURE = range(5)
"""Kinds of error, the worst first."""


@dataclass(frozen=True, eq=False)
class Failure:
    """The worst error in a picture. box_xywh: px. weight: severity within its kind.
    description: of all errors."""

    scored: ScoredPicture
    kind: int
    weight: float
    box_xywh: Box
    description: str


def worst_failures(scored_pictures: Iterable[ScoredPicture], max_count: int = MAX_TILES) -> list[Failure]:
    """Up to `max_count` errors, one per picture, the worst kinds first.

    The worst of a kind from each source precedes the second worst from any. So one bad lamp cannot fill the
    sheet.
    """
    failures = sorted(
        (t for scored in scored_pictures if (t := failures_of(scored))), key=lambda t: (t.kind, -t.weight)
    )
    count_of_kind: Counter[tuple[str, int]] = Counter()
    ranked = []
    for t in failures:
        key = t.scored.labelled.source, t.kind
        ranked.append((count_of_kind[key], t))
        count_of_kind[key] += 1
    chosen = [t for _, t in sorted(ranked, key=lambda r: (r[0], r[1].kind))][:max_count]
    return sorted(chosen, key=lambda t: t.kind)


def failures_of(scored: ScoredPicture) -> Failure | None:
    """The worst error in the picture, with a description of all; None if every die is right and sure."""
    errors = [_of_pair(t, s) for t, s in scored.pairs] + [_of_false(s) for s in scored.false_positives]
    found = sorted((s for s in errors if s), key=lambda s: (s[0], -s[1]))
    if not found:
        return None
    counts = Counter(words for _, _, _, words in found)
    description = ", ".join(f"{n} x {words}" if n > 1 else words for words, n in counts.items())
    kind, weight, box, _ = found[0]
    return Failure(scored, kind, weight, box, description)


DieError = tuple[int, float, Box, str]


def _of_pair(t: DieLabel, s: SeenDie | None) -> DieError | None:
    if s is None:
        return MISSED, t.box_xywh[2], t.box_xywh, f"{t.face} missed"
    if s.face != t.face:
        return (
            (SURE_AND_WRONG if s.sure else WRONG),
            s.confidence,
            t.box_xywh,
            f"{t.face} read as {s.face}{'' if s.sure else '?'}",
        )
    if not s.sure or s.cocked:
        return UNSURE, 1 - s.confidence, t.box_xywh, f"{t.face} not sure"
    return None


def _of_false(s: SeenDie) -> DieError:
    kind = SURE_AND_WRONG if s.sure else FALSE
    return kind, s.confidence, s.box_xywh, f"{s.face}{'' if s.sure else '?'} without a die"


def sheet(failures: list[Failure]) -> Picture:
    """The tiles in rows of COLUMNS, (h, w, 3) uint8; one empty tile if there is no error."""
    w, h = TILE_WH
    rows = max(1, -(-len(failures) // COLUMNS))
    whole = np.full((rows * h, (COLUMNS if len(failures) > 1 else 1) * w, 3), PAPER_BGR, np.uint8)
    for n, t in enumerate(failures):
        x, y = n % COLUMNS * w, n // COLUMNS * h
        whole[y : y + h, x : x + w] = tile(t)
    return whole


def tile(t: Failure) -> Picture:
    """The crop with the ground truth and with the reading, above a caption of source, name and errors."""
    scored, view = t.scored, view_of(t)
    cut, zoom = _cut_out(scored.labelled.load_picture(), view)
    truths = [(tr, _moved(tr.box_xywh, view, zoom)) for tr in scored.labelled.truth]
    dice = tuple(
        replace(s, box_xywh=_moved(s.box_xywh, view, zoom))
        for s in scored.reading.dice
        if _meets(s.box_xywh, view)
    )
    w, h = TILE_WH
    whole = np.full((h, w, 3), PAPER_BGR, np.uint8)
    whole[:PANEL_PX, :PANEL_PX] = _with_truth(cut, truths)
    whole[:PANEL_PX, PANEL_PX + 2 : 2 * PANEL_PX + 2] = draw(cut, Reading((PANEL_PX, PANEL_PX), dice))
    for n, line in enumerate(
        (f"{scored.labelled.source.split('/')[0]} {scored.labelled.name}", t.description)
    ):
        _written(whole, line, (4, PANEL_PX + LINE_PX * (n + 1) - 4), INK_BGR)
    return whole


def view_of(t: Failure) -> Box:
    """The square crop box, px of the picture; it may extend past the border."""
    x, y, w, h = t.box_xywh
    side = max(AROUND * max(w, h), MIN_PX)
    return x + w / 2 - side / 2, y + h / 2 - side / 2, side, side


def _cut_out(picture: Picture, view: Box) -> tuple[Picture, float]:
    """The crop, (PANEL_PX, PANEL_PX, 3), and its scale. PAPER_BGR fills the area past the border."""
    zoom = PANEL_PX / view[2]
    affine = np.array([[zoom, 0, -view[0] * zoom], [0, zoom, -view[1] * zoom]], np.float64)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.4 / zoom) if zoom < 0.6 else picture
    cut = cv2.warpAffine(
        soft, affine, (PANEL_PX, PANEL_PX), borderMode=cv2.BORDER_CONSTANT, borderValue=PAPER_BGR
    )
    return np.asarray(cut, np.uint8), zoom


def _moved(box: Box, view: Box, zoom: float) -> Box:
    return (box[0] - view[0]) * zoom, (box[1] - view[1]) * zoom, box[2] * zoom, box[3] * zoom


def _meets(box: Box, view: Box) -> bool:
    return all(box[k] < view[k] + view[k + 2] and view[k] < box[k] + box[k + 2] for k in (0, 1))


def _with_truth(cut: Picture, truths: list[tuple[DieLabel, Box]]) -> Picture:
    shown = cut.copy()
    for truth, box in truths:
        x, y, w, h = (round(v) for v in box)
        cv2.rectangle(shown, (x, y), (x + w, y + h), TRUTH_BGR, 1)
        word = "ignored" if truth.ignore else "emblem" if truth.symbol else str(truth.face or "?")
        _written(shown, word, (x + 2, y + h - 3), TRUTH_BGR)
    return shown


def _written(picture: Picture, line: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    """Draws the line in place with its bottom left corner `at`, truncated at the tile's edge."""
    room = (picture.shape[1] - at[0]) // 8
    plain = line.encode("ascii", "replace").decode()
    shown = plain if len(plain) <= room else plain[: max(room - 2, 0)] + ".."
    cv2.putText(picture, shown, at, cv2.FONT_HERSHEY_SIMPLEX, 0.42, colour, 1, cv2.LINE_AA)


def write_sheet(path: Path, scored_pictures: Iterable[ScoredPicture]) -> int:
    """Writes the sheet as a PNG file and returns the number of tiles. OSError: the file cannot be written."""
    failures = worst_failures(scored_pictures)
    if not cv2.imwrite(str(path), sheet(failures)):
        raise OSError(f"the sheet cannot be written to {path}; give a .png file in an existing folder")
    return len(failures)
