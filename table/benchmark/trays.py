"""The pictures to read: simulated trays, as from a Raspberry Pi's camera."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.frames import Picture

SIZE_WH, DICE, TRAYS = (1280, 960), 6, 12
"""Size of a picture, px; dice in each; number of pictures."""
SEED = 11


def draw(folder: Path) -> None:
    """Writes the trays, one file each, (h, w, 3) uint8."""
    import numpy as np

    from vision.simulation import random_tray

    rng = np.random.default_rng(SEED)
    for n in range(TRAYS):
        np.save(folder / f"{n:02}.npy", random_tray(rng, DICE, size_wh=SIZE_WH)[0])


def pictures_in(folder: Path) -> Iterator[Picture]:
    """The trays that were drawn, in order."""
    import numpy as np

    for file in sorted(folder.glob("*.npy")):
        yield np.load(file)
