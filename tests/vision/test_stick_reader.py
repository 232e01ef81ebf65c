"""Reading throwing sticks with the nets that ship: on rendered tables, on pictures of dice, beside dice."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.evaluation.sticks import StickScore, labelled, score_of
from models.rendering.stick_scenes import Stock, rendered, stock
from tests.shared_files import PHOTOS, needs_photos, shared_file
from vision.frames import Picture
from vision.picture_files import load, read_file
from vision.reading.reader import Reader, is_mark
from vision.reading.stick_classifier import FACES
from vision.reading.stick_reader import StickReader, is_cut, judged_together
from vision.readings import SeenDie, SeenStick
from vision.simulation import SimDie, render_still
from vision.turned_box import TurnedBox, box_of_quad

TABLES = 32
"""Number of rendered tables that are read."""


@pytest.fixture(scope="module")
def reader() -> StickReader:
    return StickReader()


@pytest.fixture(scope="module")
def grounds() -> Stock:
    return stock(np.random.default_rng(77), 8, [], [])


@pytest.fixture(scope="module")
def tables(reader: StickReader, grounds: Stock) -> list[StickScore]:
    """The scores of rendered tables that no net was trained on. Hidden and nameless sticks are ignored."""
    scores = []
    for seed in range(TABLES):
        picture, labels = rendered(np.random.default_rng((seed, 99)), grounds)
        truth = [
            {"face": lab.face, "quad": lab.quad, "ignore": lab.seen < 1 or lab.crossed or not lab.face}
            for lab in labels
            if lab.face != "none"
        ]
        scores.append(score_of(reader.read(picture), truth))
    return scores


def test_most_sticks_on_rendered_tables_are_read(tables: list[StickScore]) -> None:
    total = sum(tables, StickScore())
    assert total.sticks > 48
    assert total.right >= 0.8 * total.sticks, total
    assert total.false <= 0.15 * total.sticks, total


def test_what_is_sure_is_right(tables: list[StickScore]) -> None:
    total = sum(tables, StickScore())
    assert total.sure >= 0.4 * total.sticks, total
    assert total.sure_wrong <= 0.02 * total.sticks, total


def bar(picture: Picture, box: TurnedBox, bgr: tuple[int, int, int]) -> None:
    """Draws a plain stick over its shadow."""
    corners = np.array(box.quad)
    cv2.fillConvexPoly(picture, np.rint(corners + 4).astype(np.int32), (30, 60, 30), cv2.LINE_AA)
    cv2.fillConvexPoly(picture, np.rint(corners).astype(np.int32), bgr, cv2.LINE_AA)


def felt() -> Picture:
    """A green cloth, (600, 800, 3)."""
    noise = np.random.default_rng(5).normal(0, 3, (600, 800, 1))
    return np.clip(np.array([60, 110, 50]) + noise, 0, 255).astype(np.uint8)


def test_sticks_that_cross_are_both_read_and_told(reader: StickReader) -> None:
    picture = felt()
    for box in (
        TurnedBox((400, 300), 0.2, 240, 24),
        TurnedBox((410, 305), 1.7, 240, 24),
        TurnedBox((150, 150), 0.9, 240, 24),
    ):
        bar(picture, box, (240, 244, 246))
    seen = reader.read(cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.uint8))
    assert [stick.face for stick in seen] == ["white"] * 3
    assert [stick.crossed for stick in seen] == [False, True, True]


def test_a_stick_is_read_whatever_the_size_of_the_picture(reader: StickReader) -> None:
    picture = felt()
    bar(picture, TurnedBox((380, 280), 0.5, 250, 25), (240, 244, 246))
    for size in ((640, 480), (800, 600), (1600, 1200)):
        (stick,) = reader.read(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))
        box = box_of_quad(stick.quad)
        assert stick.face == "white"
        assert box.centre_xy == pytest.approx((380 * size[0] / 800, 280 * size[0] / 800), abs=0.03 * size[0])
        assert box.length == pytest.approx(250 * size[0] / 800, rel=0.12)


def test_a_stick_has_all_faces_with_their_probability(reader: StickReader) -> None:
    picture = felt()
    bar(picture, TurnedBox((380, 280), 0.5, 250, 25), (240, 244, 246))
    (stick,) = reader.read(picture)
    assert {face for face, _ in stick.likely} == set(FACES)
    assert sum(p for _, p in stick.likely) == pytest.approx(1)
    assert stick.likely[0][0] == stick.face


def test_a_stick_that_the_border_cuts_is_never_sure(reader: StickReader) -> None:
    picture = felt()
    bar(picture, TurnedBox((60, 280), 0.1, 250, 25), (240, 244, 246))
    assert not any(stick.sure for stick in reader.read(picture))


@pytest.mark.parametrize(
    ("box", "cut"),
    [
        (TurnedBox((200, 180), 0.6, 250, 25), False),
        (TurnedBox((200, 75), 0.6, 250, 25), True),  # an end is within, one of its corners is not
        (TurnedBox((672, 300), 0.1, 250, 25), False),
        (TurnedBox((675, 300), 0.1, 250, 25), True),
    ],
)
def test_a_stick_with_a_corner_beyond_the_border_is_cut(box: TurnedBox, cut: bool) -> None:
    stick = SeenStick("round", box.quad, 0.99, True)
    assert is_cut(stick, felt()) is cut


def test_an_empty_cloth_and_tiny_pictures_have_no_sticks(reader: StickReader) -> None:
    assert reader.read(felt()) == ()
    assert reader.read(np.zeros((3, 5, 3), np.uint8)) == ()
    with pytest.raises(ValueError, match=r"expected a \(h, w, 3\) uint8 picture, got \(3, 5\) float64"):
        reader.read(np.zeros((3, 5)))  # type: ignore[arg-type]


def test_dice_on_a_tray_are_no_sticks() -> None:
    dice = [SimDie(n % 6 + 1, "white", 30.0 * n - 70, 10.0 * (n % 3), 0.3 * n) for n in range(6)]
    picture = render_still(dice, np.random.default_rng(3), (800, 600))
    reading = Reader(sticks=True).read(picture)
    assert reading.sticks == ()
    assert len(reading.dice) == 6


def test_a_reader_of_dice_alone_reads_no_sticks() -> None:
    picture = felt()
    bar(picture, TurnedBox((380, 280), 0.5, 250, 25), (240, 244, 246))
    reader = Reader()
    assert reader.read(picture).sticks == ()
    reader.sticks = True
    assert len(reader.read(picture).sticks) == 1


def test_the_nets_for_sticks_load_when_they_are_needed(tmp_path: Path) -> None:
    reader = StickReader(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"stick_detector\.onnx"):
        reader.read(felt())


def test_a_letter_on_a_stick_is_no_die_but_a_die_beside_it_is() -> None:
    stick = SeenStick("dog", TurnedBox((300, 300), math.radians(30), 200, 20).quad, 0.99, True)

    def die(x: float, y: float, side: float) -> SeenDie:
        return SeenDie(1, "black", (x - side / 2, y - side / 2, side, side), 0.6, sure=False)

    assert is_mark(die(330, 317, 12), stick)
    assert not is_mark(die(330, 317, 40), stick), "a die that lies on a stick is larger than it is wide"
    assert not is_mark(die(330, 350, 12), stick)


def test_quads_are_in_px_of_the_file_as_boxes_of_dice_are(tmp_path: Path) -> None:
    picture = felt()
    bar(picture, TurnedBox((380, 280), 0.5, 250, 25), (240, 244, 246))
    path = tmp_path / "huge.png"
    cv2.imwrite(str(path), cv2.resize(picture, None, fx=8, fy=8))
    reading = read_file(Reader(sticks=True), path)
    assert reading.size_wh == (6400, 4800)
    assert box_of_quad(reading.sticks[0].quad).centre_xy == pytest.approx((380 * 8, 280 * 8), abs=150)


def test_the_ten_pictures_of_sticks_are_read(reader: StickReader) -> None:
    folder = shared_file("photos/sticks")
    total = StickScore()
    for path, labels in labelled(folder):
        total += score_of(reader.read(load(path).picture), labels)
    assert total.sure_wrong == 0, total
    assert total.right >= 0.9 * total.sticks, total


@needs_photos
def test_nothing_in_photographs_of_dice_is_called_a_stick(reader: StickReader) -> None:
    """Every sixth photograph; models/README.md has the figure for all."""
    paths = [p for p in sorted(PHOTOS.rglob("*.jpg")) if not {"sticks", "clips"} & set(p.parts)][::6]
    assert len(paths) > 20
    assert [p.name for p in paths if reader.read(load(p).picture)] == []


@pytest.mark.parametrize(
    ("face", "confidence", "angle", "sure"),
    [
        ("cow", 0.97, 1.5, False),
        ("cow", 0.99, 1.5, True),
        ("white", 0.97, 1.5, True),
        ("cow", 0.97, 0.0, True),
    ],
)
def test_an_animal_on_a_crossing_stick_is_asked_about_unless_it_is_plain(
    face: str, confidence: float, angle: float, sure: bool
) -> None:
    """The other stick may hide strokes."""
    boxes = [TurnedBox((300, 200), 0.0, 160, 16), TurnedBox((300, 200 if angle else 260), angle, 160, 16)]
    sticks = [SeenStick(face, box.quad, confidence, sure=True) for box in boxes]
    assert [s.sure for s in judged_together(sticks)] == [sure, sure]
