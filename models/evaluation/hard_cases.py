"""How surely dice are read in cases known to be hard: `python -m models.evaluation.hard_cases`.

The program renders dice and prints four tables.

1. Single dice in top view, classified in their ground-truth box: for each case and face the mean confidence
   in the true face, then the percentage of dice that are unsure or wrong, as models.evaluation.layout_sweep
   does. Below it: how many are wrong, and how many of these surely.
2. Flat dice photographed from more and more oblique views: dice, those right, those sure, those that the
   classifier gets wrong with confidence, and the dice and throws that are sure and wrong. From low down the
   side in front looks like the upper face.
3. Dark cloth with lint and no dice: pictures, false dice, and how many of these are sure.
4. White, ivory and pink dice in coloured light: the share whose colour is right.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models import WEIGHTS
from models.evaluation.corruptions import with_tone
from models.evaluation.layout_sweep import SweptDie, random_in_bins, row
from models.rendering import backgrounds
from models.rendering.dice import Glint, Make, body_of_hues, random_ink, random_make
from models.rendering.pip_visibility import has_visible_pips
from models.rendering.render_files import RenderedDieLabel
from models.rendering.scenes import render_oblique, render_single_die
from table.common.colours import COLOURS
from vision.boxes import iou
from vision.reading.classifier import THOROUGH_VIEW_ROUNDS, FaceClassifier
from vision.reading.reader import CLASSIFIER_FILE, Reader
from vision.readings import CONFIDENCE_THRESHOLD, Reading

SEED = 83
SIDES_PX, SMALL_PX = (24.0, 48.0, 96.0), (17.0, 30.0, 60.0)
"""Bin edges of the sides of the dice, px, and of those of many hues."""
TILTS_DEG = (0, 15, 30, 40, 50, 55, 60, 65)
"""Angles of the camera from straight above, degrees."""
MIN_IOU, MIN_SEEN = 0.4, 0.6
"""Least overlap of a detection with its die, and least visible share of a die that is scored."""
CLOTH_PX, LINT_DIE_PX = 480, 40.0
"""Side of a picture of cloth, px, and the side of the dice that its lint is small beside, px."""
LIGHTS: Mapping[str, tuple[float, float, float]] = {
    "neutral": (1.0, 1.0, 1.0),
    "warm": (0.62, 0.86, 1.04),
    "very warm": (0.5, 0.8, 1.05),
    "green": (0.85, 1.05, 0.85),
    "dim": (0.45, 0.45, 0.45),
    "dim and warm": (0.3, 0.42, 0.5),
}
"""Gains of blue, green and red of each light."""
TINTED_COLOURS = ("white", "pink", "red", "yellow", "orange", "grey")


def plain(rng: np.random.Generator) -> Make:
    """A make with a plain body, without emblems, inks and faint pips."""
    make = random_make(rng)
    while make.translucency > 0:
        make = random_make(rng)
    return replace(
        make, pattern="plain", inked={}, emblem_face=None, engraved=False, disc=0.0, glint=None, third=None
    )


def glinting(rng: np.random.Generator) -> Make:
    """A lamp mirrors in every pip, beside its middle."""
    angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.5)
    off_xy = (float(away * np.cos(angle)), float(away * np.sin(angle)))
    return replace(plain(rng), depth=0.8, glint=Glint(off_xy, float(rng.uniform(0.3, 0.6)), 0.9))


def with_inked_one(rng: np.random.Generator) -> Make:
    """The single pip has a colour of its own."""
    return replace(plain(rng), inked={1: random_ink(rng)})


def glossy_black(rng: np.random.Generator) -> Make:
    body, pip = np.full(3, rng.uniform(0.04, 0.15), np.float32), np.full(3, rng.uniform(0.8, 1), np.float32)
    return replace(plain(rng), colour="black", body=body, pip=pip, gloss=1.0)


def marbled_gold(rng: np.random.Generator) -> Make:
    return replace(body_of_hues(rng), pip=np.array([0.3, 0.68, 0.85], np.float32) * rng.uniform(0.7, 1.1))


def marbled_pale(rng: np.random.Generator) -> Make:
    return replace(body_of_hues(rng), pip=np.full(3, rng.uniform(0.8, 1.0), np.float32))


def white(rng: np.random.Generator) -> Make:
    body, pip = np.full(3, rng.uniform(0.85, 0.98), np.float32), np.full(3, 0.06, np.float32)
    return replace(plain(rng), colour="white", body=body, pip=pip)


Case = tuple[Callable[[np.random.Generator], Make], tuple[float, ...], backgrounds.GroundKind | None]
"""The make of the dice, the bin edges of their sides in px, and what they lie on; None = anything."""
CASES: Mapping[str, Case] = {
    "plain": (plain, SIDES_PX, None),
    "a lamp in each pip": (glinting, SIDES_PX, None),
    "single pip of another colour": (with_inked_one, SIDES_PX, None),
    "glossy black": (glossy_black, SIDES_PX, None),
    "many hues, gold pips": (marbled_gold, SMALL_PX, None),
    "many hues, pale pips": (marbled_pale, SMALL_PX, None),
    "white on striped cloth": (white, SIDES_PX, backgrounds.striped),
}


def evaluate_case(classifier: FaceClassifier, case: Case, count: int) -> Iterator[SweptDie]:
    """The results for `count` dice of this case, without those whose pips a person could not count."""
    make_of, sides_px, ground_kind = case
    for seed in range(count):
        rng = np.random.default_rng((SEED, seed))
        die_px = random_in_bins(sides_px, rng)
        picture, truth = render_single_die(rng, make_of(rng), die_px, ground_kind)
        if has_visible_pips(picture, np.array(truth.pips_xy), truth.pip_px):
            faces = classifier.classify(picture, [truth.box_xywh], THOROUGH_VIEW_ROUNDS)[0].faces
            yield SweptDie(
                (), truth.face, int(faces.argmax()) + 1, float(faces.max()), float(faces[truth.face - 1])
            )


def oblique_row(reader: Reader, tilt_deg: float, count: int) -> str:
    """The row of one angle: dice, those of `_oblique_counts`, and throws that are sure and wrong."""
    dice, throws_sure_wrong, totals = 0, 0, np.zeros(4, int)
    for seed in range(count):
        picture, truths = render_oblique(np.random.default_rng((SEED, seed, int(tilt_deg))), tilt_deg)
        reading = reader.read(picture, thorough=True)
        scored = [t for t in truths if t.seen >= MIN_SEEN]
        counts = np.sum([[0] * 4, *(_oblique_counts(truth, reading) for truth in scored)], axis=0)
        dice, totals = dice + len(scored), totals + counts
        throws_sure_wrong += bool(counts[-1]) and reading.sure
    return f"| {tilt_deg:g} | {dice} | {' | '.join(map(str, totals))} | {throws_sure_wrong} |"


def _oblique_counts(truth: RenderedDieLabel, reading: Reading) -> tuple[int, int, int, int]:
    """1 or 0 for one die: right, sure, confident and wrong, sure and wrong. A cocked die is not sure."""
    die = next((d for d in reading.dice if iou(d.box_xywh, truth.box_xywh) > MIN_IOU), None)
    if die is None:
        return 0, 0, 0, 0
    right, sure = die.face == truth.face, die.sure and not die.cocked
    confident = die.confidence >= CONFIDENCE_THRESHOLD and not die.cocked and not die.cut_off
    return int(right), int(sure), int(confident and not right), int(sure and not right)


def lint_row(reader: Reader, count: int) -> str:
    """The row of dark cloth without dice: pictures, false dice, and how many of these are sure."""
    false = sure = 0
    for seed in range(count):
        rng = np.random.default_rng((SEED, seed, 1))
        cloth = backgrounds.felt(rng, CLOTH_PX)
        cloth = backgrounds.linted(cloth * (0.16 / max(float(cloth.mean()), 0.16)), rng, LINT_DIE_PX)
        reading = reader.read((np.clip(cloth, 0, 1) * 255).astype(np.uint8), thorough=True)
        false, sure = false + len(reading.dice), sure + sum(d.sure for d in reading.dice)
    return f"| {count} | {false} | {sure} |"


def light_row(classifier: FaceClassifier, name: str, count: int) -> str:
    """The row of one light: for each colour, the percentage of dice whose colour is right."""
    tone, cells = with_tone(1.0, LIGHTS[name]), []
    for at, colour in enumerate(TINTED_COLOURS):
        right = 0
        for seed in range(count):
            rng = np.random.default_rng((SEED, seed, at, 2))
            make = plain(rng)
            while make.colour != colour:
                make = plain(rng)
            picture, truth = render_single_die(rng, make, random_in_bins(SIDES_PX, rng))
            toned = tone(picture, 0.0, rng)
            colours = classifier.classify(toned, [truth.box_xywh], THOROUGH_VIEW_ROUNDS)[0].colours
            right += COLOURS[int(colours.argmax())] == colour
        cells.append(f"{100 * right / count:.0f}")
    return f"| {name} | {' | '.join(cells)} |"


def print_cases(classifier: FaceClassifier, count: int) -> None:
    print("| | dice | 1 | 2 | 3 | 4 | 5 | 6 | all |\n|---|---|---|---|---|---|---|---|---|")
    swept_dice: list[SweptDie] = []
    for name, case in CASES.items():
        of_case = list(evaluate_case(classifier, case, count))
        print(row(name, of_case), flush=True)
        swept_dice += of_case
    print(f"\n{wrongs(swept_dice)}\n")


def wrongs(swept_dice: Sequence[SweptDie]) -> str:
    """A sentence on how many dice are wrong."""
    wrong = [die for die in swept_dice if die.read != die.face]
    surely = sum(die.read_confidence >= CONFIDENCE_THRESHOLD for die in wrong)
    return f"{len(wrong)} of {len(swept_dice)} are wrong, {surely} of them sure"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--models", type=Path, default=WEIGHTS, help="folder of the weights (default: those of Brehon)"
    )
    parser.add_argument(
        "--count", type=int, default=120, help="pictures of each case and angle (default: %(default)s)"
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    classifier, reader = FaceClassifier(args.models / CLASSIFIER_FILE), Reader(args.models)
    print_cases(classifier, args.count)
    print("| degrees | dice | right | sure | confident and wrong | sure and wrong | throws sure and wrong |")
    print("|---|---|---|---|---|---|---|")
    for tilt_deg in TILTS_DEG:
        print(oblique_row(reader, tilt_deg, args.count // 4), flush=True)
    print("\n| pictures of lint | false dice | sure |\n|---|---|---|")
    print(lint_row(reader, args.count))
    print(f"\n| light | {' | '.join(TINTED_COLOURS)} |\n|---|{'---|' * len(TINTED_COLOURS)}")
    for name in LIGHTS:
        print(light_row(classifier, name, args.count // 3), flush=True)


if __name__ == "__main__":
    main()
