"""The blob baseline reads plain dice."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.evaluation.blobs import BlobReader, colour_name
from table.common.colours import COLOURS
from tests.models.example_scores import table
from vision.boxes import iou
from vision.simulation import Scene, SimDie, render_truth


@pytest.mark.parametrize("face", range(1, 7))
def test_the_blob_baseline_reads_a_plain_white_die(face: int) -> None:
    """The simple case of the baseline: from above, where no pip of a side is visible."""
    picture, (truth,) = render_truth(
        [SimDie(face, "white", 0, 0, 0.4)], np.random.default_rng(1), (1280, 960), Scene()
    )
    (die,) = BlobReader().read(picture).dice
    assert (die.face, die.colour, die.sure) == (face, "white", True)
    assert iou(die.box_xywh, truth.box_xywh) > 0.4


def test_the_blob_baseline_reads_light_pips_too() -> None:
    picture, _ = render_truth([SimDie(5, "red", 0, 0, 0.4)], np.random.default_rng(1), (1280, 960), Scene())
    assert [(d.face, d.colour) for d in BlobReader().read(picture).dice] == [(5, "red")]


def test_the_blob_baseline_detects_nothing_on_a_bare_ground() -> None:
    assert BlobReader().read(table(120)).dice == ()


def test_the_blob_baseline_is_unsure_of_more_than_six_pips() -> None:
    picture = table(230)
    for n in range(8):
        cv2.circle(picture, (60 + 25 * n, 150), 8, (20, 20, 20), -1)
    (die,) = BlobReader().read(picture).dice
    assert not die.sure


@pytest.mark.parametrize(
    ("bgr", "name"),
    [
        ((240, 240, 240), "white"),
        ((10, 10, 10), "black"),
        ((30, 30, 200), "red"),
        ((40, 160, 40), "green"),
        ((200, 80, 30), "blue"),
    ],
)
def test_common_colours_get_their_names(bgr: tuple[int, int, int], name: str) -> None:
    assert colour_name(*bgr) == name
    assert name in COLOURS
