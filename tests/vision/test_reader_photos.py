"""The reader on photographs of real dice: lower bounds of the figures in models/README.md, measured by models.evaluation.evaluate."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.evaluation.cases import CLIP_THROWS, clip_frames, photographs
from models.evaluation.evaluate import readings
from models.evaluation.scoring import Tally
from vision.reader import Reader

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"
needs_photos = pytest.mark.skipif(not (PHOTOS / "labels.jsonl").exists(), reason="the photographs are not beside the project")

EVERY = 6
"""Only every sixth photograph, to be quick."""


@needs_photos
def test_photographs_of_new_rigs_are_mostly_read_and_seldom_sure_and_wrong() -> None:
    cases = [case for n, case in enumerate(photographs(PHOTOS, train=False)) if n % EVERY == 0]
    total = Tally.of(ours for ours, _ in readings(Reader(), cases))
    assert total.right / total.dice > 0.85
    assert total.sure_wrong / total.dice < 0.02


@needs_photos
def test_the_filmed_throws_are_read_when_they_rest() -> None:
    middles = {f"frame {(a + b) // 2}" for (a, b), _ in CLIP_THROWS}
    frames = [frame for frame in clip_frames(PHOTOS) if frame[0] in middles]
    assert len(frames) == len(CLIP_THROWS)
    reader = Reader()
    for name, picture, faces in frames:
        assert sorted(reader.read(picture).faces) == sorted(faces), name


@needs_photos
def test_an_empty_table_shows_no_dice() -> None:
    bare = sorted((PHOTOS / "wiktoriakeller+dice-pips-recognition").glob("false-*.jpg"))
    assert bare
    reader = Reader()
    for path in bare:
        picture = np.asarray(cv2.imread(str(path)), np.uint8)
        assert not [d for d in reader.read(picture).dice if d.sure], path.name
