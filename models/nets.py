"""The two nets of the eyes, whole: the finder (where are dice?) and the face reader (what does this one show?).

Both take blue-green-red pictures as float 0-255 and scale them themselves, so that whoever runs them only has to hand over pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class FinderConfig:
    """Channels at strides 2, 4, 8, 16, 32. The defaults cost about 1.4 GMAC on 640 x 640."""

    widths: tuple[int, int, int, int, int] = (16, 24, 48, 96, 128)
    stride: int = 4


@dataclass(frozen=True)
class FaceConfig:
    """Channels at strides 2, 4, 8; the defaults cost about 50 MMAC a crop of 64 x 64."""

    crop_px: int = 64
    widths: tuple[int, int, int] = (32, 64, 128)
    faces: int = 7  # 1..6, then "no die"
    colours: int = 11


def conv(inside: int, outside: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))  # (B, C, H, W)


class Finder(nn.Module):
    """Picture (B, 3, H, W), H and W multiples of 32 -> (B, 5, H/4, W/4): centre logit, dx, dy, log w, log h.

    dx, dy: from the cell's corner to the die's centre, in cells. log w, log h: natural logarithms of the box in units of 32 px.
    """

    def __init__(self, config: FinderConfig | None = None) -> None:
        super().__init__()
        a, b, c, d, e = (config or FinderConfig()).widths
        self.to4 = nn.Sequential(conv(3, a, 2), conv(a, b, 2))
        self.to8 = nn.Sequential(conv(b, c, 2), Residual(c))
        self.to16 = nn.Sequential(conv(c, d, 2), Residual(d))
        self.to32 = nn.Sequential(conv(d, e, 2), Residual(e), Residual(e))
        self.from32, self.at16, self.mix16 = conv(e, 64, size=1), conv(d, 64, size=1), conv(64, 64)
        self.from16, self.at8, self.mix8 = conv(64, c, size=1), conv(c, c, size=1), conv(c, c)
        self.from8, self.at4, self.mix4 = conv(c, b, size=1), conv(b, b, size=1), conv(b, b)
        self.head = nn.Conv2d(b, 5, 1)
        nn.init.zeros_(self.head.bias)
        self.head.bias.data[0] = -4.0  # dice are rare: start by saying no

    def forward(self, picture: Tensor) -> Tensor:
        x = picture / 128 - 1  # (B, 3, H, W)
        x4 = self.to4(x)  # (B, 24, H/4, W/4)
        x8 = self.to8(x4)
        x16 = self.to16(x8)
        x32 = self.to32(x16)
        y16 = self.mix16(self.at16(x16) + up(self.from32(x32)))
        y8 = self.mix8(self.at8(x8) + up(self.from16(y16)))
        y4 = self.mix4(self.at4(x4) + up(self.from8(y8)))
        return self.head(y4)  # (B, 5, H/4, W/4)


def up(x: Tensor) -> Tensor:
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


class FaceReader(nn.Module):
    """Crops (B, 3, 64, 64) -> (B, 7 + 11 + 1): face logits (1..6, no die), colour logits, cocked logit."""

    def __init__(self, config: FaceConfig | None = None) -> None:
        super().__init__()
        config = config or FaceConfig()
        a, b, c = config.widths
        self.body = nn.Sequential(
            conv(3, a, 2), conv(a, a), conv(a, b, 2), Residual(b), conv(b, c, 2), Residual(c), nn.Dropout2d(0.1)
        )
        grid = config.crop_px // 8
        self.squeeze = conv(c, 32, size=1)
        self.hidden = nn.Sequential(nn.Linear(32 * grid * grid + c, 192), nn.ReLU(inplace=True), nn.Dropout(0.25))
        self.out = nn.Linear(192, config.faces + config.colours + 1)

    def forward(self, crops: Tensor) -> Tensor:
        x = self.body(crops / 128 - 1)  # (B, 128, 8, 8)
        flat = torch.cat([self.squeeze(x).flatten(1), x.mean((2, 3))], 1)  # (B, 32 * 64 + 128)
        return self.out(self.hidden(flat))  # (B, 19)
