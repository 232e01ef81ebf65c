"""A household's dice on its tray, in one light and another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.frames import Picture
from vision.reading import Reading, SeenDie
from vision.simulation import LOOKS, Look, Scene, SimDie, TrueDie, render_truth, varied_scene
from vision.simulation.scene import IVORY, NAVY

HOUSE: Mapping[str, Look] = {"white": LOOKS["white"], "ivory": IVORY, "navy": NAVY, "black": LOOKS["black"]}
PLAYS_AS = {"white": "white", "ivory": "yellow", "navy": "blue", "black": "black"}
SIZE = (800, 600)


def laid(names: Sequence[str], rng: np.random.Generator, scene: Scene) -> tuple[Picture, tuple[TrueDie, ...]]:
    """These dice of the house, at random places that do not touch; their TrueDie.colour is what they play as."""
    spots = rng.permutation([(x, y) for x in range(-90, 91, 30) for y in range(-60, 61, 30)])[: len(names)]
    dice = [
        SimDie(int(rng.integers(1, 7)), PLAYS_AS[n], float(x), float(y), float(rng.uniform(0, 6.3)), look=HOUSE[n])
        for n, (x, y) in zip(names, spots, strict=True)
    ]
    return render_truth(dice, rng, SIZE, scene)


def somebodys_tray(rng: np.random.Generator) -> Scene:
    """A tray somebody may have, in daylight, under a camera that exposes so that white dice do not glare."""
    scene = varied_scene(rng)
    strength = (scene.ambient + scene.key * np.sin(scene.light_elevation_rad)) * max(scene.light_bgr)
    return replace(scene, fill=min(scene.fill, 1.0), exposure=float(rng.uniform(0.72, 0.86) / strength), die_mm=16.0)


def reading_of(trues: Sequence[TrueDie], colour: str = "white") -> Reading:
    """What eyes would make of them that find every die and call all of them by one colour."""
    return Reading(SIZE, tuple(SeenDie(t.face, colour, t.box_xywh, 0.99, True) for t in trues))


__all__ = ["HOUSE", "PLAYS_AS", "SIZE", "laid", "reading_of", "somebodys_tray"]
