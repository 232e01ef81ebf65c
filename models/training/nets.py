"""The two nets in PyTorch: the detector (where are the dice?) and the classifier (what does a die show?).

Both take BGR pictures scaled to -1..1. `scaled` does this in training; the reader does it while it lays
pixels out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

NORMAL = "normal"
"""The submodule of the classifier that is trained last, while the rest is frozen."""
COLOUR_ROWS = "out"
"""The output layer for faces and colours. Colour training changes only the colours' rows of it."""
FLOAT_FILE = "classifier.npz"
"""The classifier's weights as floats; training cannot start from 8-bit weights."""


@dataclass(frozen=True)
class DetectorConfig:
    """Channels at strides 4, 8, 16, 32, and where strides 16 and 32 merge. About 1.1 GMAC on 640 x 480 px."""

    widths: tuple[int, int, int, int] = (32, 48, 96, 128)
    neck: int = 64
    stride: int = 4


@dataclass(frozen=True)
class ClassifierConfig:
    """Channels at strides 2, 4 and 8. The defaults cost about 61 MMAC per crop of 64 x 64 px."""

    crop_px: int = 64
    widths: tuple[int, int, int] = (32, 64, 128)
    faces: int = 7  # 1..6, then background
    colours: int = 11
    normal: int = 3  # x (right), y (down), and the logarithm of the expected error of these two


FACE_LOGITS = slice(0, ClassifierConfig.faces)
COLOUR_LOGITS = slice(FACE_LOGITS.stop, FACE_LOGITS.stop + ClassifierConfig.colours)
NORMAL_XY = slice(COLOUR_LOGITS.stop, COLOUR_LOGITS.stop + 2)
NORMAL_LOG_ERROR = NORMAL_XY.stop
"""Columns of the classifier's answers; vision.reading.classifier reads the same."""


class ClassifierOutput(NamedTuple):
    """answers: (B, 21), what the reader reads. pips: (B, 1, 16, 16), for training only."""

    answers: Tensor
    pips: Tensor

    @property
    def faces(self) -> Tensor:
        """Logits (B, 7) of the faces 1-6 and of the background."""
        return self.answers[:, FACE_LOGITS]

    @property
    def colours(self) -> Tensor:
        """Logits (B, 11)."""
        return self.answers[:, COLOUR_LOGITS]

    @property
    def normal_xy(self) -> Tensor:
        """The upper face's normal (B, 2): its components to the right and down."""
        return self.answers[:, NORMAL_XY]

    @property
    def normal_log_error(self) -> Tensor:
        """Logarithm (B,) of the expected error of the normal."""
        return self.answers[:, NORMAL_LOG_ERROR]

    @property
    def colours_and_normal(self) -> Tensor:
        """All answers but the faces (B, 14)."""
        return self.answers[:, COLOUR_LOGITS.start :]


class DetectorCells(NamedTuple):
    """The detector's output by cells of 4 x 4 px: centre logits (B, H/4, W/4) and boxes (B, 4, H/4, W/4).

    box: dx, dy, log w, log h, as `DetectorNet` describes them.
    """

    logit: Tensor
    box: Tensor


def detector_cells(out: Tensor) -> DetectorCells:
    """The cells of the detector's output (B, 20, H/8, W/8), in float32."""
    logit, box = nn.functional.pixel_shuffle(out.float(), CELLS_PER_SIDE).split([1, CELL_OUTPUTS - 1], 1)
    return DetectorCells(logit[:, 0], box)


def scale_pixels(pixels: Tensor) -> Tensor:
    """Pixels scaled from 0-255 to -1..1."""
    return pixels / 128 - 1


CELLS_PER_SIDE = 2
"""Each vector of the detector's output covers 2 x 2 cells."""
CELL_OUTPUTS = 5
"""Centre logit, dx, dy, log w, log h."""
FIRST_CENTRE_LOGIT, FIRST_PIP_LOGIT = -4.0, -3.0
"""Logits before training. Dice and pips are rare, so training starts from a low score."""


def conv(inside: int, outside: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))  # (B, C, H, W)


class DetectorNet(nn.Module):
    """Picture (B, 3, H, W), H and W multiples of 32 -> (B, 20, H/8, W/8).

    Each 8 x 8 px have four cells of 4 x 4 px. Channel 4 a + 2 r + c is output a of the cell in row r and
    column c of the four.
    Outputs: centre logit, dx, dy, log w, log h.
    dx, dy: from the cell's corner to the die's centre, in cells.
    log w, log h: natural logarithms of the box size in units of 32 px.
    The first layer takes patches of 4 x 4 px, as layers at full size cost most and gain nothing here.
    """

    def __init__(self, config: DetectorConfig | None = None) -> None:
        super().__init__()
        config = config or DetectorConfig()
        (b, c, d, e), m = config.widths, config.neck
        self.to4 = nn.Sequential(nn.Conv2d(3, b, 4, 4, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))
        self.to8 = nn.Sequential(conv(b, c, 2), Residual(c))
        self.to16 = nn.Sequential(conv(c, d, 2), Residual(d), Residual(d))
        self.to32 = nn.Sequential(conv(d, e, 2), Residual(e), Residual(e))
        self.from32, self.at16, self.mix16 = conv(e, m, size=1), conv(d, m, size=1), conv(m, m)
        self.from16, self.at8 = conv(m, c, size=1), conv(c, c, size=1)
        cells = CELLS_PER_SIDE**2
        self.head = nn.Sequential(conv(c, c), nn.Conv2d(c, CELL_OUTPUTS * cells, 1))
        bias = self.head[1].bias
        nn.init.zeros_(bias)
        bias.data[:cells] = FIRST_CENTRE_LOGIT

    def forward(self, picture: Tensor) -> Tensor:
        x8 = self.to8(self.to4(picture))  # (B, 48, H/8, W/8)
        x16 = self.to16(x8)
        x32 = self.to32(x16)
        y16 = self.mix16(self.at16(x16) + up(self.from32(x32)))
        return self.head(self.at8(x8) + up(self.from16(y16)))  # (B, 20, H/8, W/8)


def up(x: Tensor) -> Tensor:
    """x at twice the size. Bilinear, as onnxruntime has no fast nearest-neighbour upsampling in 8 bit."""
    return nn.functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)


class NormalHead(nn.Module):
    """The upper face's normal, from the classifier's features at strides 4 and 8.

    The head is trained alone, after the rest, so that it does not lower the accuracy of faces.
    """

    def __init__(self, config: ClassifierConfig) -> None:
        super().__init__()
        _, b, c = config.widths
        self.from4 = conv(b, 64, 2)
        self.mixed = nn.Sequential(conv(64 + c, 64, size=1), conv(64, 64), conv(64, 32, 2))
        self.hidden = nn.Sequential(nn.Linear(32 * (config.crop_px // 16) ** 2, 96), nn.ReLU(inplace=True))
        self.out = nn.Linear(96, config.normal)

    def forward(self, x4: Tensor, x8: Tensor) -> Tensor:
        mixed = self.mixed(torch.cat([self.from4(x4), x8], 1))  # (B, 32, 4, 4)
        return self.out(self.hidden(mixed.flatten(1)))  # (B, 3)


class ClassifierNet(nn.Module):
    """Crops (B, 3, 64, 64) -> answers (B, 7 + 11 + 3) and pips (B, 1, 16, 16).

    answers: face logits (1..6, background), colour logits, the upper face's normal (right, down), and the
    logarithm of its expected error. pips: logits of a pip of the upper face at each cell. They are also an
    input of the face logits, so the net learns to count pips that it can locate.
    """

    def __init__(self, config: ClassifierConfig | None = None) -> None:
        super().__init__()
        config = config or ClassifierConfig()
        a, b, c = config.widths
        self.to4 = nn.Sequential(conv(3, a, 2), conv(a, b, 2), Residual(b))
        self.to8 = nn.Sequential(conv(b, c, 2), Residual(c))
        self.from8, self.at4 = conv(c, 48, size=1), conv(b, 48, size=1)
        self.pips = nn.Sequential(conv(48, 48), nn.Conv2d(48, 1, 1))
        nn.init.constant_(self.pips[1].bias, FIRST_PIP_LOGIT)
        cells8, cells4 = (config.crop_px // 8) ** 2, (config.crop_px // 4) ** 2
        self.squeeze = nn.Sequential(nn.Dropout2d(0.1), conv(c, 32, size=1))
        features = 32 * cells8 + c + cells4
        self.hidden = nn.Sequential(nn.Linear(features, 192), nn.ReLU(inplace=True), nn.Dropout(0.25))
        self.out = nn.Linear(192, config.faces + config.colours)
        self.normal = NormalHead(config)

    def forward(self, crops: Tensor) -> ClassifierOutput:
        x4 = self.to4(crops)  # (B, 64, 16, 16)
        x8 = self.to8(x4)  # (B, 128, 8, 8)
        from8 = nn.functional.interpolate(self.from8(x8), scale_factor=2.0)
        pips = self.pips(self.at4(x4) + from8)  # (B, 1, 16, 16)
        seen = [self.squeeze(x8).flatten(1), x8.mean((2, 3)), pips.sigmoid().flatten(1)]
        faces_and_colours = self.out(self.hidden(torch.cat(seen, 1)))  # (B, 18)
        return ClassifierOutput(torch.cat([faces_and_colours, self.normal(x4, x8)], 1), pips)


def load_float_classifier(folder: Path) -> tuple[ClassifierNet, float]:
    """The classifier from the float weights in this folder, in evaluation mode, and its temperature."""
    net = ClassifierNet()
    saved = np.load(folder / FLOAT_FILE)
    weights = {
        k: torch.from_numpy(np.asarray(saved[k], np.float32)) for k in saved.files if k != "temperature"
    }
    net.load_state_dict(weights, strict=False)  # the file lacks the batch norms' unused counters
    return net.eval(), float(saved["temperature"])
