"""How well dice colours are told: `python -m models.colours --photos ../shared/photos --renders runs/check --households 20`.

Named colours: the face net at the dice's true boxes, on the pictures as they are, and with dim ones brightened (vision.colour).
Households: white, ivory, navy and black dice on a simulated tray, taught by day from four dice each and told apart by warm, dim
lamplight; or taught by lamplight and told apart by day. "refused" are households that were told two colours are too alike.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

import cv2
import numpy as np

from models.evaluate import TRAYS, Case, photographs, renders, simulated
from table.errors import CannotLearn
from vision.colour import brightened
from vision.faces import FaceReader
from vision.frames import Picture
from vision.palette import Palette, sampled
from vision.reader import FACES_FILE
from vision.reading import COLOURS, Reading, SeenDie
from vision.simulation import LOOKS, Look, Scene, SimDie, TrueDie, render_truth, varied_scene
from vision.simulation.scene import IVORY, NAVY, by_lamplight

HOUSE: Mapping[str, Look] = {"white": LOOKS["white"], "ivory": IVORY, "navy": NAVY, "black": LOOKS["black"]}
PLAYS_AS = {"white": "white", "ivory": "yellow", "navy": "blue", "black": "black"}
SIZE_WH = (800, 600)
FIRST_SEED = 7_000
"""Of the households; the thresholds of vision.palette were chosen on others."""


def somebodys_tray(rng: np.random.Generator) -> Scene:
    """A tray somebody may have, in daylight, under a camera that exposes so that white dice do not glare."""
    scene = varied_scene(rng)
    strength = (scene.ambient + scene.key * np.sin(scene.light_elevation_rad)) * max(scene.light_bgr)
    return replace(scene, fill=min(scene.fill, 1.0), exposure=float(rng.uniform(0.72, 0.86) / strength), die_mm=16.0)


def laid(names: Sequence[str], rng: np.random.Generator, scene: Scene) -> tuple[Picture, tuple[TrueDie, ...]]:
    """These dice of the house, at random places that do not touch; their TrueDie.colour is what they play as."""
    spots = rng.permutation([(x, y) for x in range(-90, 91, 30) for y in range(-60, 61, 30)])[: len(names)]
    dice = [
        SimDie(int(rng.integers(1, 7)), PLAYS_AS[n], float(x), float(y), float(rng.uniform(0, 6.3)), look=HOUSE[n])
        for n, (x, y) in zip(names, spots, strict=True)
    ]
    return render_truth(dice, rng, SIZE_WH, scene)


def taught(names: Iterable[str], scene: Scene, rng: np.random.Generator, palette: Palette | None = None) -> Palette:
    """A palette that was shown four dice of each; raises CannotLearn."""
    palette = palette or Palette()
    for name in names:
        picture, trues = laid([name] * 4, rng, scene)
        palette = palette.learned(name, PLAYS_AS[name], [sampled(picture, [t.box_xywh for t in trues])])
    return palette


def reading_of(trues: Sequence[TrueDie], colour: str = "grey") -> Reading:
    """What eyes would make of them that find every die and call all of them by one colour."""
    return Reading(SIZE_WH, tuple(SeenDie(t.face, colour, t.box_xywh, 0.99, True) for t in trues))


def told(palette: Palette, names: Sequence[str], scene: Scene, rng: np.random.Generator) -> list[tuple[str, SeenDie]]:
    """What each of these dice plays as, and the die as the palette tells it."""
    picture, trues = laid(names, rng, scene)
    return [(t.colour, d) for t, d in zip(trues, palette.applied(picture, reading_of(trues)).dice, strict=True)]


def households(count: int, by_day: bool) -> Counter[str]:
    """So many households, each with two throws of 24 dice in the other light than that in which it was taught."""
    tally: Counter[str] = Counter()
    for n in range(count):
        rng = np.random.default_rng(FIRST_SEED + n)
        day = somebodys_tray(rng)
        lamp = by_lamplight(day, rng)
        try:
            palette = taught(HOUSE, day if by_day else lamp, rng)
        except CannotLearn:
            tally["refused"] += 1
            continue
        for _ in range(2):
            for true, die in told(palette, list(HOUSE) * 6, by_lamplight(day, rng) if by_day else day, rng):
                tally.update(["dice", "right" if die.colour == true else "wrong"], unsure=not die.sure)
                tally["surely wrong"] += die.sure and die.colour != true
    return tally


def named(faces: FaceReader, cases: Iterable[Case]) -> dict[str, Counter[str]]:
    """By source, how many labelled dice there are, and how many the net names right as they are and with dim pictures brightened."""
    tallies: dict[str, Counter[str]] = {}
    for source, _, picture, truth in cases:
        dice = [t for t in truth if t.colour and not t.ignore]
        boxes, bright = [t.box_xywh for t in dice], brightened(picture)
        as_is = faces.look(picture, boxes)
        tally = tallies.setdefault(source, Counter())
        for t, one, other in zip(dice, as_is, as_is if bright is picture else faces.look(bright, boxes), strict=True):
            right = COLOURS.index(t.colour)
            tally.update(dice=1, as_is=int(one.colours.argmax()) == right, brightened=int(other.colours.argmax()) == right)
    return {source: tally for source, tally in tallies.items() if tally["dice"]}


def print_named(tallies: Mapping[str, Counter[str]]) -> None:
    print("| source | dice | colour % | with dim pictures brightened % |\n|---|---|---|---|")
    for source, t in sorted(tallies.items()):
        print(f"| {source} | {t['dice']} | {100 * t['as_is'] / t['dice']:.1f} | {100 * t['brightened'] / t['dice']:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="folder with labels.jsonl")
    parser.add_argument("--renders", type=Path, help="folder of tables of models.scenes that training never saw")
    parser.add_argument("--simulated", type=int, default=0, help="pictures of the simulated tray with other cameras, light and linings")
    parser.add_argument("--households", type=int, default=0)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    faces = FaceReader(Path(str(resources.files("models"))) / FACES_FILE)
    for train in (False, True) if args.photos else ():
        print(f"\n{'Seen rigs (the held-back fifth)' if train else 'New rigs'}")
        print_named(named(faces, photographs(args.photos, train)))
    if args.renders:
        print_named(named(faces, renders(args.renders)))
    if args.simulated:
        print_named(named(faces, simulated(args.simulated, TRAYS[2])))
    for by_day in (True, False) if args.households else ():
        print("taught by", "day:" if by_day else "lamplight:", dict(households(args.households, by_day)))


if __name__ == "__main__":
    main()
