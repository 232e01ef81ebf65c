"""The eyes on photographs of real dice: a floor under the figures in models/README.md, which come from models.evaluate."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.evaluate import CLIP_THROWS, Tally, clip_frames, photographs, tallied
from models.photos import LabelledDie
from vision.reader import Reader
from vision.reading import Reading, SeenDie

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"
needs_photos = pytest.mark.skipif(not (PHOTOS / "labels.jsonl").exists(), reason="the photographs are not beside the project")

EVERY = 6
"""Only every sixth photograph, to be quick."""


def die(face: int, x: float, sure: bool = True) -> SeenDie:
    return SeenDie(face, "white", (x, 0, 10, 10), 0.99 if sure else 0.6, sure)


def true(face: int | None, x: float, ignore: bool = False) -> LabelledDie:
    return LabelledDie((x, 0, 10, 10), face, "white", ignore, False)


def test_the_tally_counts_each_kind_of_mistake() -> None:
    tally = Tally()
    truth = [true(1, 0), true(2, 20), true(3, 40), true(None, 60, ignore=True)]
    tally.add("a", truth, Reading((100, 100), (die(1, 0), die(5, 20), die(4, 61), die(6, 80, sure=False))))
    assert (tally.dice, tally.right, tally.sure_wrong, tally.missed, tally.false) == (3, 1, 1, 1, 1)
    assert (tally.throws, tally.asked, tally.silent) == (0, 1, 0)


@needs_photos
def test_photographs_of_new_rigs_are_mostly_read_and_seldom_wrongly_believed() -> None:
    cases = [case for n, case in enumerate(photographs(PHOTOS, train=False)) if n % EVERY == 0]
    total = Tally()
    for tally in tallied(Reader(), iter(cases), None).values():
        total = total.plus(tally)
    assert total.right / total.dice > 0.85
    assert total.sure_wrong / total.dice < 0.02


@needs_photos
def test_the_filmed_throws_are_read_when_they_rest() -> None:
    wanted = {f"frame {(a + b) // 2}": sorted(faces) for (a, b), faces in CLIP_THROWS}
    reader = Reader()
    read = {name: sorted(reader.read(picture).faces) for _, name, picture, _ in clip_frames(PHOTOS) if name in wanted}
    assert read == wanted


@needs_photos
def test_an_empty_table_shows_no_dice() -> None:
    bare = sorted((PHOTOS / "wiktoriakeller+dice-pips-recognition").glob("false-*.jpg"))
    assert bare
    reader = Reader()
    for path in bare:
        picture = np.asarray(cv2.imread(str(path)), np.uint8)
        assert not [d for d in reader.read(picture).dice if d.sure], path.name
