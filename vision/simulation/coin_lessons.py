"""The coins of the simulated tray, and pictures in which both of their sides are shown."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.frames import Picture
from vision.simulation.coin_faces import FACES, CoinStyle
from vision.simulation.coins import SimCoin
from vision.simulation.scene import Scene
from vision.simulation.still_picture import render_still

COINS = tuple(CoinStyle(design=1, piece=n) for n in range(4))
"""The coins that the hand throws: four of one kind, each with its own wear."""
TURNS = 3
"""How often each side is shown."""
PLACE_SHARES = ((-0.3, -0.22), (0.28, -0.25), (-0.25, 0.25), (0.3, 0.2))
"""Where the coins lie, in shares of the tray."""


def thrown_coin(n: int) -> SimCoin:
    """The n-th coin of a throw."""
    return SimCoin(coin=COINS[n % len(COINS)])


def lessons(scene: Scene, size_wh: tuple[int, int]) -> Iterator[tuple[str, Picture]]:
    """Sides, and pictures of this tray in which all coins lie with that side up."""
    rng = np.random.default_rng(1)
    for _ in range(TURNS):
        for face in FACES:
            yield face, render_still([], rng, size_wh, scene, [_laid(n, face, scene, rng) for n in range(4)])


def _laid(n: int, face: str, scene: Scene, rng: np.random.Generator) -> SimCoin:
    x, y = np.array(PLACE_SHARES[n]) * scene.tray_mm
    return SimCoin(
        coin=COINS[n],
        x_mm=float(x),
        y_mm=float(y),
        yaw_rad=float(rng.uniform(0, 2 * np.pi)),
        roll_rad=0.0 if face == "heads" else float(np.pi),
    )
