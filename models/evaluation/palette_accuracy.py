"""Accuracy of a learned palette in changed light.

    python -m models.evaluation.palette_accuracy --households 20

The palette learns white, ivory, navy and black from four dice each on a simulated tray in daylight. The test
is in warm, dim lamplight. A second run swaps the two lights. "refused" counts the households where learning
fails because two colours are too similar.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from table.common.errors import CannotLearn
from vision.colours.palette import Palette, sampled
from vision.frames import Picture
from vision.readings import Reading, SeenDie
from vision.simulation import LOOKS, DieStyle, Scene, SimDie, TrueDie, render_truth, varied_scene
from vision.simulation.scene import IVORY, NAVY, by_lamplight

STYLES: Mapping[str, DieStyle] = {
    "white": LOOKS["white"],
    "ivory": IVORY,
    "navy": NAVY,
    "black": LOOKS["black"],
}
PLAYS_AS = {"white": "white", "ivory": "yellow", "navy": "blue", "black": "black"}
SIZE_WH = (800, 600)
FIRST_SEED = 7_000
"""Seed of the first household. The thresholds of vision.colours.palette were chosen on other seeds."""


def random_daylight_scene(rng: np.random.Generator) -> Scene:
    """A random realistic tray in daylight, with a camera exposure at which white dice do not saturate."""
    scene = varied_scene(rng)
    strength = (scene.ambient + scene.key * np.sin(scene.light_elevation_rad)) * max(scene.light_bgr)
    return replace(
        scene, fill=min(scene.fill, 1.0), exposure=float(rng.uniform(0.72, 0.86) / strength), die_mm=16.0
    )


def rendered_dice(
    names: Sequence[str], rng: np.random.Generator, scene: Scene
) -> tuple[Picture, tuple[TrueDie, ...]]:
    """A render of these dice at random places without contact; TrueDie.colour is the colour each plays as."""
    spots = rng.permutation([(x, y) for x in range(-90, 91, 30) for y in range(-60, 61, 30)])[: len(names)]
    dice = [
        SimDie(
            int(rng.integers(1, 7)),
            PLAYS_AS[n],
            float(x),
            float(y),
            float(rng.uniform(0, 6.3)),
            look=STYLES[n],
        )
        for n, (x, y) in zip(names, spots, strict=True)
    ]
    return render_truth(dice, rng, SIZE_WH, scene)


def learned_palette(
    names: Iterable[str], scene: Scene, rng: np.random.Generator, palette: Palette | None = None
) -> Palette:
    """A palette that has learned each colour from four dice; raises CannotLearn."""
    palette = palette or Palette()
    for name in names:
        picture, trues = rendered_dice([name] * 4, rng, scene)
        palette = palette.with_colour(name, PLAYS_AS[name], [sampled(picture, [t.box_xywh for t in trues])])
    return palette


def reading_of(trues: Sequence[TrueDie], colour: str = "grey") -> Reading:
    """The reading of a perfect detector and face classifier that gives every die the same colour."""
    return Reading(SIZE_WH, tuple(SeenDie(t.face, colour, t.box_xywh, 0.99, True) for t in trues))


def named_dice(
    palette: Palette, names: Sequence[str], scene: Scene, rng: np.random.Generator
) -> list[tuple[str, SeenDie]]:
    """The true colour each of these dice plays as, and the die with the colour the palette assigns."""
    picture, trues = rendered_dice(names, rng, scene)
    return [(t.colour, d) for t, d in zip(trues, palette.apply(picture, reading_of(trues)).dice, strict=True)]


def evaluate_palettes(count: int, by_day: bool) -> Counter[str]:
    """Counts over `count` households. Each has two throws of 24 dice in the light not used for learning."""
    tally: Counter[str] = Counter()
    for n in range(count):
        rng = np.random.default_rng(FIRST_SEED + n)
        day = random_daylight_scene(rng)
        lamp = by_lamplight(day, rng)
        try:
            palette = learned_palette(STYLES, day if by_day else lamp, rng)
        except CannotLearn:
            tally["refused"] += 1
            continue
        for _ in range(2):
            for true, die in named_dice(
                palette, list(STYLES) * 6, by_lamplight(day, rng) if by_day else day, rng
            ):
                tally.update(["dice", "right" if die.colour == true else "wrong"], unsure=not die.sure)
                tally["surely wrong"] += die.sure and die.colour != true
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--households", type=int, default=20)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for by_day in (True, False):
        print(
            "learned in",
            "daylight:" if by_day else "lamplight:",
            dict(evaluate_palettes(args.households, by_day)),
        )


if __name__ == "__main__":
    main()
