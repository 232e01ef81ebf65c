"""The shipped weights: their size, and the shapes of their outputs."""

from __future__ import annotations

import numpy as np
import pytest

from models import WEIGHTS
from table.common.colours import COLOURS
from vision.reading.classifier import CROP_PX, OUTPUTS
from vision.reading.detector import PATCH_BYTES
from vision.reading.nets import Net


def test_the_weights_are_small_enough_for_a_checkout() -> None:
    assert sum(p.stat().st_size for p in (*WEIGHTS.glob("*.onnx"), *WEIGHTS.glob("*.npz"))) < 6e6


@pytest.mark.parametrize("size_hw", [(480, 640), (640, 480), (32, 640), (640, 640)])
def test_the_detector_has_four_cells_every_eight_px(size_hw: tuple[int, int]) -> None:
    output = Net(WEIGHTS / "detector.onnx")(
        np.zeros((1, size_hw[0] // 4, size_hw[1] // 4, PATCH_BYTES), np.uint8)
    )
    assert output.shape == (1, 5 * 4, size_hw[0] // 8, size_hw[1] // 8)


@pytest.mark.parametrize("n", [1, 5, 24])
def test_the_classifier_has_an_output_for_each_crop(n: int) -> None:
    output = Net(WEIGHTS / "classifier.onnx")(np.zeros((n, 3, CROP_PX, CROP_PX), np.float32))
    assert output.shape == (n, OUTPUTS) == (n, 7 + len(COLOURS) + 3)
