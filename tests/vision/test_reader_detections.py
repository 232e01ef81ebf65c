"""Which detections the reader reports: dice at the border, on a sheet or a tray, and faint ones."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.boxes import iou
from vision.reading.detector import (
    FAINT_SCORE_THRESHOLD,
    Detection,
)
from vision.reading.reader import FAINT_MAX_IOU, Reader, is_field, is_tray
from vision.readings import SeenDie
from vision.simulation import SimDie, render_truth


def test_a_die_that_a_corner_cuts_is_unsure() -> None:
    picture, trues = render_truth(
        [SimDie(5, "red", 0, 0), SimDie(3, "blue", 60, -40)], np.random.default_rng(3), (800, 600)
    )
    x, y, w, h = min((t.box_xywh for t in trues), key=lambda box: box[0])
    reading = Reader().read(np.ascontiguousarray(picture[int(y + 0.2 * h) :, int(x + 0.2 * w) :]))
    assert sorted((d.cut_off, d.sure) for d in reading.dice) == [(False, True), (True, False)]


TRAY = SeenDie(2, "brown", (100, 100, 400, 400), 0.7, sure=False)


ON_IT = [SeenDie(3, "white", (x, 200, 60, 60), 0.99, sure=True) for x in (150, 300)]


def test_a_detection_under_two_sure_dice_is_a_tray() -> None:
    assert is_tray(TRAY, [TRAY, *ON_IT])
    assert not any(is_tray(die, [TRAY, *ON_IT]) for die in ON_IT)


@pytest.mark.parametrize(
    ("tray", "others"),
    [
        (TRAY, ON_IT[:1]),  # a pip may look like a one
        (TRAY, [replace(die, sure=False) for die in ON_IT]),
        (TRAY, [replace(die, box_xywh=(*die.box_xywh[:2], 250, 250)) for die in ON_IT]),  # dice that touch
        (TRAY, [replace(die, box_xywh=(900 * n, 200, 60, 60)) for n, die in enumerate(ON_IT)]),
        (replace(TRAY, sure=True), ON_IT),
        (replace(TRAY, cut_off=True), ON_IT),  # a large die that the border cuts is never sure
    ],
)
def test_a_detection_without_two_sure_dice_on_it_is_no_tray(tray: SeenDie, others: list[SeenDie]) -> None:
    assert not is_tray(tray, [tray, *others])


BESIDE_IT = SeenDie(4, "white", (600, 200, 60, 60), 0.99, sure=True)


def test_a_detection_far_larger_than_the_sure_dice_beside_it_is_a_field() -> None:
    """A die on it looks like its pip."""
    assert is_field(TRAY, [TRAY, BESIDE_IT])
    assert not is_field(BESIDE_IT, [TRAY, BESIDE_IT])


@pytest.mark.parametrize(
    ("field", "others"),
    [
        (TRAY, []),
        (TRAY, ON_IT[:1]),  # a pip may look like a one
        (TRAY, [replace(BESIDE_IT, sure=False)]),
        (TRAY, [replace(BESIDE_IT, box_xywh=(600, 200, 180, 180))]),  # a die nearer to the lens
        (replace(TRAY, sure=True), [BESIDE_IT]),
    ],
)
def test_a_detection_that_may_be_a_large_die_is_no_field(field: SeenDie, others: list[SeenDie]) -> None:
    assert not is_field(field, [field, *others])


def test_a_die_at_the_border_is_read_but_unsure() -> None:
    picture, (true,) = render_truth([SimDie(5, "red", 0, 0)], np.random.default_rng(3), (800, 600))
    x, _, w, _ = true.box_xywh
    whole, truncated = (
        Reader().read(picture),
        Reader().read(np.ascontiguousarray(picture[:, : int(x + 0.6 * w)])),
    )
    assert [(d.cut_off, d.sure) for d in whole.dice] == [(False, True)]
    assert [(d.cut_off, d.sure) for d in truncated.dice] == [(True, False)]


def test_dice_that_fill_the_picture_or_are_tiny_in_it_are_read_from_a_photograph() -> None:
    picture, (true,) = render_truth([SimDie(5, "red", 0, 0)], np.random.default_rng(3), (1280, 960))
    x, y, w, h = (int(v) for v in true.box_xywh)
    close = cv2.resize(
        picture[y - h // 3 : y + h + h // 3, x - w // 3 : x + w + w // 3],
        (1280, 1280),
        interpolation=cv2.INTER_CUBIC,
    )
    far = cv2.copyMakeBorder(picture, 480, 480, 640, 640, cv2.BORDER_REPLICATE)
    small = cv2.resize(picture, None, fx=44 / w, fy=44 / w, interpolation=cv2.INTER_AREA)
    room, side = ((3000 - small.shape[0]) // 2, (4000 - small.shape[1]) // 2)
    very_far = cv2.copyMakeBorder(small, room, room, side, side, cv2.BORDER_REPLICATE)
    for photograph in (close, far, very_far):
        assert Reader().read(np.asarray(photograph, np.uint8), thorough=True).faces == (5,)


@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_a_die_on_a_sheet_of_paper_is_read_and_the_sheet_is_no_1(face: int) -> None:
    picture, (true,) = render_truth([SimDie(face, "red", 0, 0)], np.random.default_rng(3), (1280, 960))
    x, y, w, h = (int(v) for v in true.box_xywh)
    photograph = np.full((960, 1280, 3), (60, 70, 50), np.uint8)
    photograph[370:590, 530:750] = 235
    photograph[465:495, 625:655] = cv2.resize(
        picture[y - 6 : y + h + 6, x - 6 : x + w + 6], (30, 30), interpolation=cv2.INTER_AREA
    )
    blurred = np.asarray(cv2.GaussianBlur(photograph, (0, 0), 0.7), np.uint8)
    reading = Reader().read(blurred, thorough=True)
    assert reading.faces == (face,)
    assert not reading.sure


def test_a_photograph_is_searched_at_larger_scales_until_a_die_is_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture, (true,) = render_truth([SimDie(4, "blue", 0, 0)], np.random.default_rng(4), (1280, 960))
    bare, die, beyond = (
        Detection((30.0, 30.0, 50.0, 50.0), 0.6),
        Detection(true.box_xywh, 0.9),
        Detection((0.0, 0.0, 9.0, 9.0), 0.9),
    )
    monkeypatch.setattr(
        "vision.reading.detector.DieDetector.detect_multiscale",
        lambda *_: iter([[bare], [bare, die], [beyond]]),
    )
    assert Reader().read(picture, thorough=True).faces == (4,)


def test_a_detection_of_low_score_is_an_unsure_die_where_its_face_is_clear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture, trues = render_truth(
        [SimDie(4, "blue", -40, 0), SimDie(6, "red", 40, 0)], np.random.default_rng(4), (1280, 960)
    )
    (x, y, w, h), other = trues[0].box_xywh, Detection(trues[1].box_xywh, 0.9)

    def seen(*detections: Detection) -> list[tuple[int, bool]]:
        monkeypatch.setattr(
            "vision.reading.detector.DieDetector.detect_multiscale", lambda *_: iter([detections])
        )
        return [(d.face, d.sure) for d in Reader().read(picture, thorough=True).dice]

    assert seen(other, Detection((x, y, w, h), FAINT_SCORE_THRESHOLD)) == [(4, False), (6, True)]
    bare_ground = Detection((30.0, 30.0, 50.0, 50.0), FAINT_SCORE_THRESHOLD)
    assert seen(other, bare_ground) == [(6, True)]
    part = Detection((x + w / 2, y, w, h), FAINT_SCORE_THRESHOLD)  # half of it lies beside the die
    assert iou(part.box_xywh, (x, y, w, h)) > FAINT_MAX_IOU
    monkeypatch.setattr("vision.reading.reader.FAINT_FACE_THRESHOLD", 0.0)
    assert seen(other, Detection((x, y, w, h), 0.9), part) == [(4, True), (6, True)]


def test_boxes_of_dice_on_a_sheet_are_px_of_the_whole_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """A die at the border of the sheet is not cut off, and a die that was detected twice is reported once."""
    picture, (true,) = render_truth([SimDie(4, "blue", 0, 0)], np.random.default_rng(4), (1280, 960))
    x, y, w, h = true.box_xywh
    on_the_sheet = SeenDie(4, "blue", (w / 2 - 4, 0.0, w, h), 0.99, True, cut_off=True)
    sheet = SeenDie(1, "white", (x - w / 2, y, 4 * w, 4 * h), 0.99, True)
    seen_before = SeenDie(4, "blue", (x, y, w, h), 1.0, True)
    monkeypatch.setattr(
        Reader,
        "_classified",
        lambda _, part, *__: [sheet, seen_before] if part.shape == picture.shape else [on_the_sheet],
    )
    (seen,) = Reader().read(picture, thorough=True).dice
    assert (seen.face, seen.sure, seen.cut_off) == (4, False, False)
    assert iou(seen.box_xywh, true.box_xywh) > 0.7
