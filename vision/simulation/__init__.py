"""A tray that looks real: dice drawn in true perspective, lying still with their truth, or thrown and handled by a hand.

Still pictures come from `still`. A hand's acts are worked out beforehand: `throwing`, `handling` and `passing` ask
`physics` what dice do and give rows of poses (`acting`); `playing` queues them and keeps what is true; `painter` draws
them in the light there is (`lighting`).
"""

from vision.simulation.dice import SimDie
from vision.simulation.scene import LOOKS, DieStyle, Scene, varied_scene, varied_style
from vision.simulation.still import TrueDie, random_tray, render_still, render_truth

__all__ = [
    "LOOKS",
    "DieStyle",
    "Scene",
    "SimDie",
    "TrueDie",
    "random_tray",
    "render_still",
    "render_truth",
    "varied_scene",
    "varied_style",
]
