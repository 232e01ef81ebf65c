"""The reader on photographs of real dice. models.evaluation measures it fully, for models/README.md."""

from __future__ import annotations

import cv2
import numpy as np

from models.evaluation.datasets import CLIP_THROWS, clip_frames, photographs
from models.evaluation.evaluate import readings
from models.evaluation.scoring import Tally
from tests.shared_files import PHOTOS, needs_photos
from vision.reading.reader import Reader

EVERY_NTH = 6
"""Every sixth photograph is read, which keeps the test short."""


@needs_photos
def test_most_dice_of_new_rigs_are_read_right_and_few_are_sure_and_wrong() -> None:
    cases = [case for n, case in enumerate(photographs(PHOTOS, train=False)) if n % EVERY_NTH == 0]
    total = Tally.of(ours for ours, _ in readings(Reader(), cases))
    assert total.right / total.dice > 0.85
    assert total.sure_wrong / total.dice < 0.02


@needs_photos
def test_the_throws_of_a_clip_are_read_at_rest() -> None:
    frame_names = {f"frame {(a + b) // 2}" for (a, b), _ in CLIP_THROWS}
    frames = [frame for frame in clip_frames(PHOTOS) if frame[0] in frame_names]
    assert len(frames) == len(CLIP_THROWS)
    reader = Reader()
    for name, picture, faces in frames:
        assert sorted(reader.read(picture).faces) == sorted(faces), name


@needs_photos
def test_an_empty_table_shows_no_dice() -> None:
    empty_tables = sorted((PHOTOS / "wiktoriakeller+dice-pips-recognition").glob("false-*.jpg"))
    assert empty_tables
    reader = Reader()
    for path in empty_tables:
        picture = np.asarray(cv2.imread(str(path)), np.uint8)
        assert not [d for d in reader.read(picture).dice if d.sure], path.name
