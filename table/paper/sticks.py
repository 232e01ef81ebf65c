"""Drawings of faces for throwing sticks, to print and glue on: Ogham letters with an animal, white and black.

An Ogham word is read along the stick from its foot. Its letters are groups of one to five strokes: to the
right of the stem, to its left, slanting across it, or short notches on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from table.paper.page import INK, SOFT, Page
from table.rules.entered_prompts import OGHAM, TWO_COLOURED

Side = Literal["right", "left", "across", "notch"]
Letter = tuple[Side, int]
Shape = tuple[Sequence[tuple[float, float]], float]
"""Points of a line, and its width; a width of 0 is a filled shape. In tenths of a figure's height."""

StickSet = tuple[str, tuple[str, ...]]
"""Words above a column of faces, and the faces."""

LETTERS: Mapping[str, Letter] = {
    **{letter: ("right", n) for n, letter in enumerate("BLFSN", 1)},
    **{letter: ("left", n) for n, letter in enumerate("HDTCQ", 1)},
    **{letter: ("across", n) for n, letter in enumerate("MGŊZR", 1)},
    **{letter: ("notch", n) for n, letter in enumerate("AOUEI", 1)},
}
"""The side and the number of strokes of each letter."""

WORDS: Mapping[str, str] = {"dog": "CU", "deer": "FIADH", "cow": "TARBH", "horse": "EACH"}
"""The Irish name on each flat side."""

FIGURES: Mapping[str, Sequence[Shape]] = {
    "dog": (
        ([(3.4, 4.8), (8.8, 4.6), (9.8, 2.8), (10.8, 2.6), (11.6, 3.5), (13.0, 4.1), (12.8, 4.9),
          (11.2, 5.1), (10.2, 6.6), (8.6, 7.1), (5.2, 6.2), (3.6, 6.9), (2.9, 5.8)], 0),
        ([(3.5, 6.2), (3.0, 8.0), (3.4, 9.8)], 0.7),
        ([(4.4, 6.4), (4.3, 9.8)], 0.7),
        ([(8.8, 6.6), (8.7, 9.8)], 0.7),
        ([(9.7, 6.3), (9.8, 9.8)], 0.7),
        ([(3.3, 5.2), (2.0, 4.2), (1.9, 2.8), (2.8, 2.3)], 0.6),
        ([(10.0, 2.9), (9.2, 4.2)], 0.8),
    ),
    "deer": (
        ([(3.0, 4.4), (8.6, 4.4), (10.0, 2.7), (11.2, 2.1), (12.8, 3.1), (12.4, 3.7), (11.1, 3.6),
          (10.3, 5.2), (9.7, 6.3), (3.4, 6.1), (2.7, 5.1)], 0),
        ([(3.3, 5.8), (2.9, 7.6), (3.2, 9.8)], 0.5),
        ([(4.3, 5.8), (4.3, 9.8)], 0.5),
        ([(8.7, 5.8), (8.7, 9.8)], 0.5),
        ([(9.5, 5.8), (9.8, 9.8)], 0.5),
        ([(2.9, 4.6), (2.2, 4.0)], 0.6),
        ([(10.8, 2.2), (10.2, 1.2), (10.3, 0.2)], 0.4),
        ([(10.2, 1.3), (9.2, 0.7)], 0.4),
        ([(11.2, 2.2), (11.9, 1.2), (11.8, 0.2)], 0.4),
        ([(11.9, 1.3), (12.9, 0.7)], 0.4),
    ),
    "cow": (
        ([(2.4, 3.2), (9.8, 2.9), (11.0, 2.6), (12.6, 2.9), (13.6, 4.7), (13.0, 5.6), (11.6, 5.1),
          (10.7, 6.9), (6.4, 7.0), (6.1, 7.7), (5.1, 7.7), (4.9, 7.0), (2.9, 6.8), (2.2, 5.0)], 0),
        ([(3.1, 6.4), (3.0, 9.8)], 0.9),
        ([(4.4, 6.6), (4.4, 9.8)], 0.9),
        ([(8.8, 6.6), (8.8, 9.8)], 0.9),
        ([(10.2, 6.4), (10.3, 9.8)], 0.9),
        ([(2.5, 3.6), (1.6, 4.4), (1.6, 6.6)], 0.4),
        ([(1.6, 6.4), (1.6, 7.4)], 0.9),
        ([(11.3, 2.8), (10.8, 1.7), (11.3, 0.8)], 0.5),
        ([(12.3, 2.9), (13.0, 1.8), (12.6, 0.8)], 0.5),
    ),
    "horse": (
        ([(3.0, 3.6), (8.8, 3.5), (10.2, 1.3), (11.4, 0.4), (12.0, 1.0), (13.8, 2.6), (13.3, 3.4),
          (11.7, 2.9), (11.0, 4.6), (10.5, 6.1), (7.0, 5.8), (3.4, 6.2), (2.7, 5.0)], 0),
        ([(3.3, 5.8), (2.8, 7.6), (3.2, 9.8)], 0.8),
        ([(4.4, 5.8), (4.5, 9.8)], 0.8),
        ([(9.1, 5.8), (9.0, 9.8)], 0.8),
        ([(10.1, 5.6), (10.9, 7.4), (10.5, 9.6)], 0.8),
        ([(3.0, 4.0), (1.7, 4.6), (1.4, 6.2), (1.6, 8.2)], 0.9),
        ([(8.6, 3.3), (10.0, 0.9), (11.0, 0.3)], 0.8),
    ),
}  # fmt: skip
"""A figure of each animal, facing right, 15 tenths wide and 10 high."""

FIGURE_WH = (15.0, 10.0)
FIGURE_SHARE = 0.8
"""Height of a figure as a share of the stick's width."""
FOOT_MM, FIGURE_GAP_MM = 6.0, 4.0
"""Bare length at the foot, and between the letters and the figure."""
LETTER_GAP = 2.2
"""Distance from the last stroke of a letter to the first of the next, in distances of strokes."""
LONGEST_WORD = 15.8
"""Length of FIADH in distances of strokes; all words have the same distance."""
STEM_MM, STROKE_MM = 0.6, 1.1
STROKE_SHARE, NOTCH_SHARE, SLANT_SHARE = 0.38, 0.11, 0.10
"""Reach of a stroke and of a notch from the stem, and of a slant along it, as shares of the stick's width."""

BACKS = ("black",) * 4
STICK_SETS: Mapping[tuple[tuple[str, ...], ...], StickSet] = {
    OGHAM: ("Sigily: letters, and dark backs", ("dog", "deer", "cow", "horse", *BACKS)),
    TWO_COLOURED: ("Down the Danube", (*("white",) * 4, *BACKS)),
}
"""The faces to print for four sticks, by their sides."""
TOP_MM, ROW_GAP_MM = 26.0, 5.5
SCALE_BAR_MM = 100.0


def draw_stick_faces(
    page: Page, length_mm: float, width_mm: float, sets: Sequence[StickSet] = tuple(STICK_SETS.values())
) -> None:
    """Draws a sheet of faces for four sticks of each set, in columns."""
    middle = page.width / 2
    page.text((middle, 9), "Faces for throwing sticks", 5, INK)
    page.text((middle, 15.5), "Cut along the dashes and glue one face on each side of a flat stick.", 3.4)
    gap = (page.width - len(sets) * length_mm) / (len(sets) + 1)
    for column, (words, faces) in enumerate(sets):
        x = gap + column * (length_mm + gap)
        page.text((x + length_mm / 2, TOP_MM - 4), words, 3.2)
        for row, face in enumerate(faces):
            y = TOP_MM + row * (width_mm + ROW_GAP_MM)
            draw_face(page, face, (x, y, x + length_mm, y + width_mm))
    page.scale_bar(((page.width - SCALE_BAR_MM) / 2, page.height - 8), SCALE_BAR_MM, level=True)


def draw_face(page: Page, face: str, rect: tuple[float, float, float, float]) -> None:
    """Draws one face in left, top, right, bottom, with its foot on the left and dashes around it."""
    x0, y0, x1, y1 = rect
    if face == "black":
        page.box(rect, INK)
    elif face in WORDS:
        _draw_animal(page, face, rect)
    page.line([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], SOFT, 0.2, (2, 1.5))


def strokes(word: str) -> Iterator[tuple[Side, float]]:
    """Side and place of each stroke, in distances of strokes from the first."""
    at = 0.0
    for letter in word:
        side, count = LETTERS[letter]
        yield from ((side, at + n) for n in range(count))
        at += count - 1 + LETTER_GAP


def _draw_animal(page: Page, animal: str, rect: tuple[float, float, float, float]) -> None:
    x0, y0, x1, y1 = rect
    width, stem = y1 - y0, (y0 + y1) / 2
    unit = FIGURE_SHARE * width / FIGURE_WH[1]
    figure_x = x1 - FIGURE_GAP_MM / 2 - FIGURE_WH[0] * unit
    begin, end = x0 + FOOT_MM, figure_x - FIGURE_GAP_MM
    page.line([(x0 + FOOT_MM / 2, stem), (end + FIGURE_GAP_MM / 2, stem)], INK, STEM_MM)
    for side, at in strokes(WORDS[animal]):
        x = begin + at * (end - begin) / LONGEST_WORD
        page.line(_stroke(side, x, stem, width), INK, STROKE_MM)
    for points, line_width in FIGURES[animal]:
        placed = [(figure_x + px * unit, stem + (py - FIGURE_WH[1] / 2) * unit) for px, py in points]
        page.line(placed, INK, line_width * unit) if line_width else page.shape(placed, INK)


def _stroke(side: Side, x: float, stem: float, width: float) -> list[tuple[float, float]]:
    """The ends of a stroke. Seen from the foot, which is on the left, the right side is below the stem."""
    reach, notch, slant = STROKE_SHARE * width, NOTCH_SHARE * width, SLANT_SHARE * width
    match side:
        case "right":
            return [(x, stem), (x, stem + reach)]
        case "left":
            return [(x, stem), (x, stem - reach)]
        case "across":
            return [(x - slant, stem + reach), (x + slant, stem - reach)]
        case "notch":
            return [(x, stem - notch), (x, stem + notch)]
