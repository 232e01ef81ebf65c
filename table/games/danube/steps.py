"""The steps that a throw allows: steps of single pieces, which together use as many points as possible.

A throw is played step by step. `left`: points that are not used yet. `moved`: squares of the pieces that
already moved in this throw.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from table.games.danube.river import (
    RAPIDS,
    SAFE,
    SEA,
    SPRING,
    Position,
    Squares,
    blocked,
    blocks,
    grouped,
    walk_back,
)

NONE: Squares = frozenset()
REMEMBERED = 2**14
"""Size of the caches of positions; a throw needs a few hundred at most."""


class Step(NamedTuple):
    """One legal step of one piece.

    points: squares moved, negative for a step back. used: points of the throw that it uses. to: the square
    where the piece ends, SEA if it leaves the board. switched: the square from which the opponent's piece
    went to `piece`, 0 if none did. why: "" for a plain step, otherwise "falls back", "rapids" or "off".
    """

    piece: int
    points: int
    used: int
    to: int
    after: Position
    switched: int = 0
    why: str = ""

    @property
    def id(self) -> str:
        return f"{self.piece}{'+' if self.points > 0 else ''}{self.points}"


# -- single steps --------------------------------------------------------------------------------------------


def forward(position: Position, piece: int, points: int) -> Step | None:
    """The step of the piece forward; None if it is not allowed.

    No step goes beyond the last square, because points beyond it are not used.
    """
    target = piece + points
    if target > SEA or target in position.mine or blocked(position.theirs, piece, target):
        return None
    if target == SEA:
        return _leaves(position, piece, points)
    if target in SAFE and target in position.theirs:
        return _falls_back(position, piece, points)
    return _arrives(position, piece, points, target)


def back(position: Position, piece: int, points: int) -> Step | None:
    """The step of the piece back by the whole throw; None if it is not allowed."""
    target = piece - points
    if target < 1 or target in position.mine or blocked(position.theirs, piece, target):
        return None
    if target in SAFE and target in position.theirs:
        return None
    return _arrives(position, piece, -points, target)  # D-9


def _arrives(position: Position, piece: int, points: int, target: int) -> Step | None:
    if target == RAPIDS:
        landing = walk_back(position)
        return None if landing is None else _placed(position, piece, points, landing, "rapids")
    if target in position.theirs and grouped(position.theirs, target):
        return None
    return _placed(position, piece, points, target)


def _falls_back(position: Position, piece: int, points: int) -> Step | None:
    """The step to a safe square that the opponent holds, which ends a square before it; None if not allowed.

    It switches even with a grouped piece, but not with a piece in a block. A piece that would fall back to
    its own square does not move, so that is no step.
    """
    target = piece + points - 1
    if target in position.mine or target in blocks(position.theirs):  # D-5, D-13
        return None
    return _placed(position, piece, points, target, "falls back", spare=1)


def _leaves(position: Position, piece: int, points: int) -> Step | None:
    if min(position.mine) <= SPRING:  # D-6, D-8
        return None
    return Step(piece, points, points, SEA, position._replace(mine=position.mine - {piece}), why="off")


def _placed(position: Position, piece: int, points: int, target: int, why: str = "", spare: int = 0) -> Step:
    """The step to the target; an opponent's piece on the target goes to the square that the piece leaves."""
    mine, theirs, starts = position
    switched = target if target in theirs else 0
    after = Position(mine - {piece} | {target}, theirs - {target} | {piece} if switched else theirs, starts)
    return Step(piece, points, abs(points) - spare, target, after, switched, why)


# -- whole throws --------------------------------------------------------------------------------------------


def steps_forward(position: Position, left: int, moved: Squares) -> Iterator[Step]:
    """Every legal step of at most `left` points by a piece that has not moved yet, longest first."""
    free = sorted(position.mine - moved)  # D-3
    for points in range(left, 0, -1):
        for piece in free:
            step = forward(position, piece, points)
            if step:
                yield step


@lru_cache(REMEMBERED)
def most_used(position: Position, left: int, moved: Squares = NONE) -> int:
    """The most of the left points that any order and split can use."""
    best = 0
    for step in steps_forward(position, left, moved):
        best = max(best, _used_with(step, left, moved))
        if best == left:
            break
    return best


def _used_with(step: Step, left: int, moved: Squares) -> int:
    """The most points that this step and the steps after it can use."""
    rest = left - step.used
    return step.used + (most_used(step.after, rest, has_moved(moved, step)) if rest else 0)


def has_moved(moved: Squares, step: Step) -> Squares:
    return moved if step.to == SEA else moved | {step.to}


@lru_cache(REMEMBERED)
def best_steps(position: Position, left: int, moved: Squares = NONE) -> tuple[Step, ...]:
    """The steps that still allow the most points to be used in all, sorted by piece and then by points."""
    best = most_used(position, left, moved)
    steps = [step for step in steps_forward(position, left, moved) if _used_with(step, left, moved) == best]
    return tuple(sorted(steps, key=lambda step: (step.piece, step.points)))  # D-14


def steps_back(position: Position, points: int) -> tuple[Step, ...]:
    """Every legal step back with the whole throw."""
    return tuple(step for piece in sorted(position.mine) if (step := back(position, piece, points)))


@lru_cache(REMEMBERED)
def endings(position: Position, left: int, moved: Squares = NONE) -> frozenset[Position]:
    """The possible positions after the most points are used; the search stops at two or more."""
    if not left or not most_used(position, left, moved):
        return frozenset((position,))
    found: frozenset[Position] = frozenset()
    # Steps that end the throw come first, so that two different positions are found early.
    for step in sorted(best_steps(position, left, moved), key=lambda step: -step.used):
        found |= endings(step.after, left - step.used, has_moved(moved, step))
        if len(found) > 1:
            break
    return found


@lru_cache(REMEMBERED)
def can_leave(position: Position, left: int, moved: Squares = NONE) -> bool:
    """Whether a piece can leave the board while the most points are used."""
    if all(SEA - piece > left for piece in position.mine - moved) or not most_used(position, left, moved):
        return False
    return any(
        step.to == SEA or can_leave(step.after, left - step.used, has_moved(moved, step))
        for step in best_steps(position, left, moved)
    )
