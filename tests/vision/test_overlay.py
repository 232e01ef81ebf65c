"""The overlay: dice marked on a copy of the picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames import Picture
from vision.reading.overlay import caption, draw
from vision.readings import Reading, SeenDie
from vision.simulation import SimDie, render_still


@pytest.fixture(scope="module")
def tray() -> Picture:
    dice = [SimDie(5, "red", -60, 40, 0.2), SimDie(2, "green", 50, -30, 0.9)]
    return render_still(dice, np.random.default_rng(1), (800, 600))


def test_the_overlay_marks_dice_on_a_copy_of_the_picture(tray: Picture) -> None:
    saved = tray.copy()
    unsure = SeenDie(3, "white", (700.0, 5.0, 90.0, 90.0), 0.61, sure=False, cocked=True)
    shown = draw(tray, Reading((800, 600), (unsure,)))
    assert caption(unsure) == "3/? 61"
    assert np.array_equal(tray, saved)
    assert not np.array_equal(shown, tray)
