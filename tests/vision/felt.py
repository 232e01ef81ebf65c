"""Small pictures of felt, for tests of motion and occlusion."""

from __future__ import annotations

import cv2
import numpy as np

from vision.settling.motion import Grey

H, W = 120, 160
"""Height and width of the small pictures, px."""


def felt(seed: int = 0, noise: float = 0.6) -> Grey:
    """A small picture of felt, with grain and a lamp from one side; noise: sigma, grey levels."""
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 12, (H, W)).astype(np.float32), (0, 0), 1.5)
    lamp = np.linspace(60, 110, W, dtype=np.float32)[None]
    return np.asarray(lamp + grain + np.random.default_rng(seed).normal(0, noise, (H, W)), np.float32)
