"""The river: 36 squares, the pieces on them, and where they hold together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

SPRING = 10
"""The last of the squares on which the pieces start."""
LANDING = 19
"""Where the crew of a boat lost in the rapids builds another."""
THIRD_ROW = 25
RAPIDS = 30
SAFE = (29, 32, 34)
SEA = 36

NICKELS = (10, 8, 6, 4, 2)
PENNIES = (9, 7, 5, 3, 1)
"""Starting squares, the highest first."""

Squares = frozenset[int]


class Position(NamedTuple):
    """What stands on the river, as one player sees it: their own pieces, the opponent's, and their own starting squares."""

    mine: Squares
    theirs: Squares
    starts: tuple[int, ...]


def blocked(pieces: Squares, start: int, end: int) -> bool:
    """Whether a block of these pieces bars an opponent's way between the two squares, whichever of them is the higher."""
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
    """Three or more pieces side by side; wholly in the third row two, and two only."""
    return len(run) == 2 if run[0] >= THIRD_ROW else len(run) >= 3  # D-4


def too_long_to_block(pieces: Squares, start: int, end: int) -> tuple[tuple[int, ...], ...]:
    """The runs of three and more in the third row that lie, at least in part, between the two squares, and bar nobody's way."""
    low, high = min(start, end), max(start, end)
    between = [run for run in runs(pieces) if run[0] < high and run[-1] > low]
    return tuple(run for run in between if run[0] >= THIRD_ROW and len(run) > 2)


def runs(pieces: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Pieces side by side, each run as long as it is. Squares are neighbours by their numbers, so the ends of rows are too."""
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
    """Where a piece from the rapids goes: 19, or the highest starting square of its own that is free; None where all are taken."""
    taken = position.mine | position.theirs
    return next((square for square in (LANDING, *position.starts) if square not in taken), None)  # D-11
