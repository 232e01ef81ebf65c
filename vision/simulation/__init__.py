"""A tray that looks real: dice drawn in true perspective, lying still with their truth or thrown by a hand."""

from vision.simulation.dice import SimDie
from vision.simulation.scene import LOOKS, Look, Scene, varied_look, varied_scene
from vision.simulation.still import TrueDie, random_tray, render_still, render_truth

__all__ = [
    "LOOKS",
    "Look",
    "Scene",
    "SimDie",
    "TrueDie",
    "random_tray",
    "render_still",
    "render_truth",
    "varied_look",
    "varied_scene",
]
