"""Drawings of boards for print, from the places that the games list.

The page draws the same boards for screens. Lengths that no game gives follow from the distances of the
places. Colours are light, so that coins and pieces stand out and little ink is used. What a colour says is
also said by a shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from table.paper.mat import FELT, FELT_SHADE
from table.paper.ornaments import PLAIT, draw_plait, draw_triskele
from table.paper.page import INK, PAPER, RGB, SOFT, Page
from table.rules.board import Label, Look, PaperBoard, PrintedThrow, Space, SpaceKind

RULER_MM = 50.0
"""Length of the line to measure."""

MARGIN_MM, TITLE_MM, NOTE_MM, LINE_MM = 8.0, 7.0, 2.9, 4.2
"""Unprinted margin, sizes of the title and of the notes, and distance of two notes."""

NAME_MM, COIN_MM = 3.6, 0.9
"""Sizes of a long name, and of a dot that stands for a coin."""

STICK_MM, STICK_GAP_MM = (4.0, 13.0), 1.4
"""Width and length of the sticks of a throw, and the gap between two. They are too short for the camera,
which reads longer ones as sticks that were thrown."""
WORTH_MM, THEN_MM = 8.0, 3.2
"""Sizes of the points of a throw, and of the words below them."""

STONE: RGB = (0.93, 0.91, 0.86)
GOLD: RGB = (0.72, 0.55, 0.14)
LAND: RGB = (0.89, 0.95, 0.89)
LAND_SHADE: RGB = (0.82, 0.91, 0.83)
WATER: RGB = (0.80, 0.90, 0.96)
BANK: RGB = (0.45, 0.65, 0.78)
WOOD: RGB = (0.96, 0.91, 0.83)

FELT_MM = 30.0
"""Distance of the felt from the upper and the lower edge of the page."""

FILLS: Mapping[SpaceKind, RGB] = {
    "plain": PAPER,
    "holiday": (1.0, 0.93, 0.72),
    "solar": (1.0, 0.93, 0.72),
    "gate": (0.86, 0.90, 0.94),
    "green": (0.72, 0.87, 0.74),
    "centre": (0.86, 0.80, 0.94),
    "safe": (0.74, 0.90, 0.91),
    "danger": (0.96, 0.78, 0.74),
    "home": (0.99, 0.97, 0.94),
    "white": PAPER,
    "red": (0.96, 0.74, 0.71),
    "tower": PAPER,
}
SQUARE: frozenset[SpaceKind] = frozenset({"gate", "home"})
TWO_RINGS: frozenset[SpaceKind] = frozenset({"safe", "red", "centre"})

ROAD, RIVER, WATERLINE, CLEARANCE = 1.12, 0.84, 0.78, 0.64
"""Widths of Sigily's road and of a river with and without its banks, and the distance of a table from the
middle of its track, in widths of a space."""
INNER_RING, RAYS, BRACKET = 0.86, (0.8, 0.92), 0.4
"""Radius of the inner one of two rings, ends of the rays, and length of a corner's arms, in halves of the
width of a space."""
PLAIT_REACH_MM = 1.5
FLOW = (0.42, 0.5, 0.58)
"""Where the signs of the flow stand, between two rows."""

Place = Callable[[float, float], tuple[float, float]]
"""The place on the page of a place on the board, mm."""


def draw_board(page: Page, title: str, printed: PaperBoard) -> None:
    """Draws a board in the middle of the page, with its title, its scale and a line to measure."""
    place = _placing(page, printed)
    GROUNDS[printed.board.look](page, printed, place)
    at = {space.id: place(space.x, space.y) for space in printed.board.spaces}
    for first, second in printed.board.lines:
        page.line([at[first], at[second]], *LINES.get(printed.board.look, (SOFT, 0.5)))
    for space in printed.board.spaces:
        _draw_space(page, space, at[space.id], printed.space_mm)
    for space in printed.spare:
        _draw_space(page, space, place(space.x, space.y), printed.spare_mm)
    for throw in printed.throws:
        _draw_throw(page, throw, place(throw.x, throw.y))
    for space in (*printed.board.spaces, *printed.spare):
        if space.label:
            _draw_label(page, space.label, place)
    _draw_words(page, title, printed)


def _placing(page: Page, printed: PaperBoard) -> Place:
    """The board's middle is in the middle of the page."""
    left, top, right, bottom = _extent(printed)
    middle = (left + right) / 2, (top + bottom) / 2

    def place(x: float, y: float) -> tuple[float, float]:
        across_mm, down_mm = printed.mm(x - middle[0], y - middle[1])
        return page.width / 2 + across_mm, page.height / 2 + down_mm

    return place


def _extent(printed: PaperBoard) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the middles of all places, in the board's hundredths."""
    spaces = (*printed.board.spaces, *printed.spare)
    xs, ys = [space.x for space in spaces], [space.y for space in spaces]
    return min(xs), min(ys), max(xs), max(ys)


# -- what lies under the spaces ------------------------------------------------------------------------------


def _draw_land(page: Page, printed: PaperBoard, place: Place) -> None:
    """The road of the year round the fairy land."""
    centre = next(space for space in printed.board.spaces if space.kind == "centre")
    far = max(math.hypot(space.x - centre.x, space.y - centre.y) for space in printed.board.spaces)
    ring, half_road = far * printed.unit_mm, ROAD * printed.space_mm / 2
    middle, shore = place(centre.x, centre.y), ring - half_road
    page.circle(middle, shore, fill=LAND, edge=None)
    draw_triskele(page, middle, LAND_SHADE)
    for mist in (0.25, 0.5, 0.75):
        page.circle(middle, mist * shore, edge=PLAIT, width=0.2, dashes=(0.6, 2.4))
    page.circle(middle, ring, edge=STONE, width=2 * half_road)
    for rim in (shore, ring + half_road):
        page.circle(middle, rim, edge=GOLD, width=0.6)


def _draw_river(page: Page, printed: PaperBoard, place: Place) -> None:
    """A river through the spaces in their order, and the land in its bends."""
    course = [place(space.x, space.y) for space in printed.board.spaces]
    page.line(course, BANK, RIVER * printed.space_mm)
    page.line(course, WATER, WATERLINE * printed.space_mm)
    left, right = min(x for x, _ in course), max(x for x, _ in course)
    reach, edge = CLEARANCE * printed.space_mm, printed.space_mm / 2
    for (x, above), (_, below) in pairwise(course):
        if above < below:  # the river turns here, and the land is on the other side
            bounds = (left - edge, x - reach) if x == right else (x + reach, right + edge)
            page.framed((bounds[0], above + reach, bounds[1], below - reach), LAND, GOLD, 0.6)
            for share in FLOW:
                _draw_flow(page, (x, above + share * (below - above)), printed.space_mm)


def _draw_flow(page: Page, at: tuple[float, float], width_mm: float) -> None:
    """A sign that the river goes down."""
    (x, y), arm = at, 0.16 * width_mm
    page.line([(x - arm, y - arm / 2), (x, y + arm / 2), (x + arm, y - arm / 2)], BANK, 0.8)


def _draw_table(page: Page, printed: PaperBoard, place: Place) -> None:
    """The table inside the track, with a plaited edge."""
    xs, ys = [s.x for s in printed.board.spaces], [s.y for s in printed.board.spaces]
    (left, top), (right, bottom) = place(min(xs), min(ys)), place(max(xs), max(ys))
    edge = CLEARANCE * printed.space_mm
    page.box((left + edge, top + edge, right - edge, bottom - edge), WOOD)
    inset = edge + 2 * PLAIT_REACH_MM
    draw_plait(page, (left + inset, top + inset, right - inset, bottom - inset), PLAIT_REACH_MM, WOOD)


def _draw_felt(page: Page, printed: PaperBoard, place: Place) -> None:
    """A felt with a plaited edge as on the mat of the tray. Towers and dice stand out from it."""
    left, top, right, bottom = MARGIN_MM, FELT_MM, page.width - MARGIN_MM, page.height - FELT_MM
    page.box((left, top, right, bottom), FELT)
    draw_triskele(page, ((left + right) / 2, (top + bottom) / 2), FELT_SHADE)
    inset = 2 * PLAIT_REACH_MM
    draw_plait(page, (left + inset, top + inset, right - inset, bottom - inset), PLAIT_REACH_MM, FELT)


def _draw_nothing(page: Page, printed: PaperBoard, place: Place) -> None: ...


GROUNDS: Mapping[Look, Callable[[Page, PaperBoard, Place], None]] = {
    "land": _draw_land,
    "river": _draw_river,
    "track": _draw_table,
    "towers": _draw_felt,
    "plain": _draw_nothing,
}
LINES: Mapping[Look, tuple[RGB, float]] = {"land": (GOLD, 0.7), "river": (BANK, 0.5)}
"""Colour and width of the lines between spaces."""


# -- spaces and words ----------------------------------------------------------------------------------------


def _draw_space(page: Page, space: Space, at: tuple[float, float], width_mm: float) -> None:
    (x, y), r = at, width_mm / 2
    if space.kind == "tower":
        _draw_brackets(page, x, y, r)
    elif space.kind in SQUARE:
        page.framed((x - r, y - r, x + r, y + r), FILLS[space.kind], INK, 0.4)
    else:
        page.circle(at, r, FILLS[space.kind], width=0.4)
    if space.kind in TWO_RINGS:
        page.circle(at, INNER_RING * r, width=0.4)
    if space.kind == "solar":
        for ray in range(16):
            towards = math.cos(ray * math.pi / 8), math.sin(ray * math.pi / 8)
            page.line([(x + f * r * towards[0], y + f * r * towards[1]) for f in RAYS], GOLD, 0.7)
    if space.kind == "danger":
        for wave in (-0.55, 0.55):
            page.line(list(_wave(x, y + wave * r, 0.5 * r)), BANK, 0.6)
    if space.label is None or space.label.lines != (space.text,):
        _draw_short_name(page, space, at, r)
    for n in range(space.coins):
        page.circle((x + (n - (space.coins - 1) / 2) * 2.6 * COIN_MM, y + 0.5 * r), COIN_MM, FILLS["solar"])


def _draw_brackets(page: Page, x: float, y: float, r: float) -> None:
    """The corners of a square. A closed one on paper would look like a pip to the camera."""
    arm = BRACKET * r
    for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        corner = x + across * r, y + down * r
        page.line(
            [(corner[0] - across * arm, corner[1]), corner, (corner[0], corner[1] - down * arm)], PLAIT, 0.5
        )


def _wave(x: float, y: float, half: float) -> Iterator[tuple[float, float]]:
    return ((x + half * t / 12, y + 0.12 * half * math.sin(t * math.pi / 4)) for t in range(-12, 13))


def _draw_short_name(page: Page, space: Space, at: tuple[float, float], r: float) -> None:
    """The name of a space inside it, if it is short."""
    if len(space.text) <= 3:
        size = min(0.62 * r, 1.9 * r / max(1, len(space.text)))
        page.text((at[0], at[1] - (0.15 * r if space.coins else 0)), space.text, size, INK, bold=True)


def _draw_throw(page: Page, throw: PrintedThrow, at: tuple[float, float]) -> None:
    """Sticks side by side, and on their right what they are worth."""
    (x, y), (wide, high) = at, STICK_MM
    for n, face in enumerate(throw.faces):
        stick = x + (n - len(throw.faces)) * (wide + STICK_GAP_MM)
        page.framed(
            (stick, y - high / 2, stick + wide, y + high / 2), INK if face == "black" else PAPER, INK, 0.4
        )
    page.text((x + 2, y - 0.35 * WORTH_MM), throw.points, WORTH_MM, INK, anchor="start", bold=True)
    page.text((x + 2, y + 0.55 * WORTH_MM), throw.then, THEN_MM, INK, anchor="start")


def _draw_label(page: Page, label: Label, place: Place) -> None:
    x, y = place(label.x, label.y)
    for row, line in enumerate(label.lines):
        page.text((x, y + 1.15 * row * NAME_MM), line, NAME_MM, INK, anchor=label.anchor, bold=True)


def _draw_words(page: Page, title: str, printed: PaperBoard) -> None:
    middle = page.width / 2
    page.text((middle, MARGIN_MM + TITLE_MM / 2 + 1), title, TITLE_MM, INK, bold=True)
    page.text((middle, MARGIN_MM + TITLE_MM + 4.5), f"True to scale: {printed.scale}", NOTE_MM)
    ruler = page.height - MARGIN_MM - 1.5
    page.scale_bar((middle - RULER_MM / 2, ruler), RULER_MM, level=True)
    for row, note in enumerate(reversed(printed.notes)):
        page.text((middle, ruler - 8.5 - LINE_MM * row), note, NOTE_MM)
