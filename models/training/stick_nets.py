"""The two nets for throwing sticks in PyTorch. Both take BGR pictures scaled to -1..1.

The classifier has two planes more: levels of the picture's brightness, on the same scale.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.training.nets import FIRST_CENTRE_LOGIT, Residual, conv, up
from vision.reading.stick_classifier import CHANNELS, CLASSES, CORRECTIONS
from vision.reading.stick_detector import ANGLES, CELL_OUTPUTS


class DilatedResidual(nn.Module):
    """Two convolutions of 3 x 3 around every second value, added to the input: it sees farther."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, 2, 2, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)
        )
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 2, 2, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))  # (B, C, H, W)


class StickDetectorNet(nn.Module):
    """Picture (B, 3, H, W), H and W multiples of 16 -> (B, 36, H/8, W/8).

    Channel 6 a + i is output i of the range a of angles, from 30 a to 30 (a + 1) degrees.
    Outputs: logit, dx, dy, angle, log length, log width.
    dx, dy: from the cell's middle to the stick's, in cells.
    angle: from the middle of the range, in halves of its width.
    log length, log width: natural logarithms of the sides in units of 64 and 6 px.
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, c = 24, 32, 48
        self.to4 = nn.Sequential(nn.Conv2d(3, a, 4, 4, bias=False), nn.BatchNorm2d(a), nn.ReLU(inplace=True))
        self.to8 = nn.Sequential(conv(a, b, 2), Residual(b))
        self.to16 = nn.Sequential(conv(b, c, 2), Residual(c), DilatedResidual(c))
        self.from16, self.at8 = conv(c, b, size=1), conv(b, b, size=1)
        self.head = nn.Sequential(conv(b, b), nn.Conv2d(b, ANGLES * CELL_OUTPUTS, 1))
        bias = self.head[1].bias
        nn.init.zeros_(bias)
        bias.data[::CELL_OUTPUTS] = FIRST_CENTRE_LOGIT

    def forward(self, picture: Tensor) -> Tensor:
        x8 = self.to8(self.to4(picture))  # (B, 32, H/8, W/8)
        x16 = self.to16(x8)  # (B, 48, H/16, W/16)
        return self.head(self.at8(x8) + up(self.from16(x16)))  # (B, 36, H/8, W/8)


class StickClassifierNet(nn.Module):
    """Crops (B, 5, 32, 256) -> logits of the seven faces and of no stick, and five corrections (B, 13).

    vision.reading.stick_classifier describes them. Strokes are counted along the stick: after the height is
    summed up, convolutions along the length see how strokes of each kind follow one another.
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = 16, 32, 40, 48
        self.to2 = nn.Sequential(conv(CHANNELS, a, 2), Residual(a))
        self.to4 = nn.Sequential(conv(a, b, 2), Residual(b))
        self.to8 = nn.Sequential(conv(b, c, 2), Residual(c))  # (B, 40, 4, 32)
        self.level = nn.Sequential(
            nn.Conv2d(c, d, (4, 3), padding=(0, 1), bias=False), nn.BatchNorm2d(d), nn.ReLU(inplace=True)
        )  # (B, 48, 1, 32)
        self.along = nn.Sequential(along(d, 1), along(d, 2))
        self.hidden = nn.Sequential(nn.Linear(3 * d, 64), nn.ReLU(inplace=True), nn.Dropout(0.1))
        self.faces = nn.Linear(64, CLASSES)
        self.squeeze = conv(d, 8, size=1)
        self.corrections = nn.Sequential(
            nn.Linear(8 * 32, 32), nn.ReLU(inplace=True), nn.Linear(32, CORRECTIONS)
        )

    def forward(self, crops: Tensor) -> Tensor:
        level = self.level(self.to8(self.to4(self.to2(crops))))
        x = self.along(level)
        seen = torch.cat([x.mean((2, 3)), x.amax((2, 3)), level.mean((2, 3))], 1)
        corrections = self.corrections(self.squeeze(x).flatten(1))
        return torch.cat([self.faces(self.hidden(seen)), corrections], 1)  # (B, 13)


def along(width: int, dilation: int) -> nn.Sequential:
    """A convolution of 5 values along the stick."""
    return nn.Sequential(
        nn.Conv2d(width, width, (1, 5), 1, (0, 2 * dilation), (1, dilation), bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(inplace=True),
    )
