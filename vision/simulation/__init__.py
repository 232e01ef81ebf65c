"""A simulated tray: still pictures with their ground truth, and a hand that throws dice and sticks.

Still pictures come from `still_picture`. The acts of a hand are simulated in advance: `throwing`, `handling`
and `passing` run the physics engine (`physics`) and give one state per frame (`acting`). `playing` queues the
acts and keeps their ground truth. `renderer` renders the frames in the current light (`lighting`); dice,
sticks and coins are solids (`dice`, `sticks`, `coins`, `solids`).
"""

from vision.simulation.dice import SimDie
from vision.simulation.scene import LOOKS, DieStyle, Scene, varied_scene, varied_style
from vision.simulation.sticks import SimStick
from vision.simulation.still_picture import TrueDie, random_tray, render_still, render_truth

__all__ = [
    "LOOKS",
    "DieStyle",
    "Scene",
    "SimDie",
    "SimStick",
    "TrueDie",
    "random_tray",
    "render_still",
    "render_truth",
    "varied_scene",
    "varied_style",
]
