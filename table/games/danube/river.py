"""The river: 36 squares, the pieces on them, their groups and blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

SPRING = 10
"""The last starting square."""
LANDING = 19
"""The square to which a piece goes back from the rapids."""
THIRD_ROW = 25
RAPIDS = 30
SAFE = (29, 32, 34)
SEA = 36

NICKELS = (10, 8, 6, 4, 2)
PENNIES = (9, 7, 5, 3, 1)
"""Starting squares, from the highest down."""

Squares = frozenset[int]


class Position(NamedTuple):
    """A position as one player sees it: their own pieces, the opponent's, and their own starting squares."""

    mine: Squares
    theirs: Squares
    starts: tuple[int, ...]


def blocked(pieces: Squares, start: int, end: int) -> bool:
    """Whether a block of these pieces is between the two squares, in either direction."""
    barred = blocks(pieces)
    if not barred:
        return False
    low, high = min(start, end), max(start, end)
    return any(low < square < high for square in barred)


@lru_cache(2**12)
def blocks(pieces: Squares) -> Squares:
    """The squares of all blocks of these pieces."""
    return frozenset(square for run in runs(pieces) if is_block(run) for square in run)


def is_block(run: tuple[int, ...]) -> bool:
    """Whether a run is a block: three or more pieces, or exactly two if it is wholly in the third row."""
    return len(run) == 2 if run[0] >= THIRD_ROW else len(run) >= 3  # D-4


def too_long_to_block(pieces: Squares, start: int, end: int) -> tuple[tuple[int, ...], ...]:
    """The runs of three or more in the third row, at least partly between the squares; they do not block."""
    low, high = min(start, end), max(start, end)
    between = [run for run in runs(pieces) if run[0] < high and run[-1] > low]
    return tuple(run for run in between if run[0] >= THIRD_ROW and len(run) > 2)


def runs(pieces: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """The runs of pieces side by side, each as long as possible.

    Squares are neighbours by number, so the end of a row is next to the start of the following row.
    """
    run: tuple[int, ...] = ()
    for square in sorted(pieces):  # D-12
        if run and square > run[-1] + 1:
            yield run
            run = ()
        run += (square,)
    if run:
        yield run


def grouped(pieces: Squares, square: int) -> bool:
    """Whether the piece on this square has a neighbour of its own colour."""
    return square - 1 in pieces or square + 1 in pieces


def walk_back(position: Position) -> int | None:
    """The square to which a piece goes from the rapids; None if all are taken.

    This is 19, or the player's highest free starting square.
    """
    taken = position.mine | position.theirs
    return next((square for square in (LANDING, *position.starts) if square not in taken), None)  # D-11
