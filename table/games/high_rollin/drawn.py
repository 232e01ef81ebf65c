"""The towers and the piles as the page draws them, and the places of the towers on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from math import copysign

from table.games.colours import named
from table.games.high_rollin.towers import Round
from table.rules import words
from table.rules.answers import Die
from table.rules.board import Board, Label, Move, PaperBoard, Space
from table.rules.game import Table
from table.rules.pieces import Standing

CORNERS = ((25, 25), (75, 25), (75, 75), (25, 75))
"""The corners of the square of towers, clockwise, in the order of the towers."""


def _tower_text(number: int, tower: Sequence[Die]) -> str:
    """'2, 3 high: blue 1, green 2, red 4', from the top down."""
    return f"{number}, {len(tower)} high: {', '.join(named(d) for d in reversed(tower))}"


def show_bare(table: Table) -> None:
    """Draws the corners where the towers will stand."""
    spaces = (Space(spot_of(i), x, y, "tower", f"{i}, no die yet") for i, (x, y) in enumerate(CORNERS, 1))
    table.board = Board(100, 100, tuple(spaces), look="towers")


def show(table: Table, round_: Round) -> None:
    """Draws the towers, and lists the piles beside them."""
    spaces = [
        Space(spot_of(i), x, y, "tower", _tower_text(i, tower))
        for i, (tower, (x, y)) in enumerate(zip(round_.towers, CORNERS, strict=True), start=1)
    ]
    notes = [f"{player}'s pile: {_colour_counts_text(round_, pile)}" for player, pile in round_.piles.items()]
    if round_.out:
        notes.append(f"Out of the round: {_colour_counts_text(round_, Counter(round_.out))}")
    table.board = Board(100, 100, tuple(spaces), notes=tuple(notes), look="towers")
    stand(table, round_)
    table.pieces = partial(_standing, round_)


def _standing(round_: Round) -> Iterator[Standing]:
    """Faces are left out: where one was misread, the real die shows the right one already."""
    for number, tower in enumerate(round_.towers, start=1):
        yield from (_die(str(d.colour), f"tower {number}") for d in tower)
    for player, pile in round_.piles.items():
        yield from (_die(colour, f"{player}'s pile") for colour in pile.elements())
    yield from (_die(colour, "the dice of this turn") for colour in round_.hand)
    yield from (_die(colour, "the dice out of the round") for colour in round_.out)


def _die(colour: str, where: str) -> Standing:
    return Standing(f"a {colour} die", where, f"{colour} dice")


def on_tower(number: int, die: Die | None = None) -> Move:
    """The choice of a tower, or a die of the hand that is put on it."""
    return Move(to=spot_of(number), off=die)


def spot_of(number: int) -> str:
    """The id of the space of a tower."""
    return f"tower{number}"


def stand(table: Table, round_: Round) -> None:
    """Tells the camera which dice stand in the towers now."""
    table.towers = tuple(map(tuple, round_.towers))


def _colour_counts_text(round_: Round, pile: Counter[str]) -> str:
    return words.listed(f"{pile[c]} {c}" for c in round_.colours if pile[c]) if pile.total() else "empty"


# -- on paper ------------------------------------------------------------------------------------------------


def _numbered(number: int, x: float, y: float) -> Space:
    """The place of a tower, with its number beside it, where a die does not cover it."""
    beside = Label(x + copysign(14, x - 50), y, "middle", (str(number),))
    return Space(spot_of(number), x, y, "tower", str(number), label=beside)


PRINTED = PaperBoard(
    Board(100, 100, tuple(_numbered(i, x, y) for i, (x, y) in enumerate(CORNERS, 1)), look="towers"),
    unit_mm=1.2,
    space_mm=22,
    scale="a square is 22 mm wide, for dice of up to 20 mm. Their middles are 60 mm apart.",
    notes=(
        "Lay it where the camera sees it, beside the dice that you throw. A base goes on each square.",
        "A die fits on the same face of another colour. A 1 fits on any face, and any face on a 1.",
    ),
)
