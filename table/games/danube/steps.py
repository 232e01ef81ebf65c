"""What a throw can be played as: steps of single pieces, and how they add up to as many points as can be used.

A throw is played step by step. `left` are the points not used yet, `moved` the squares on which pieces stand that had their share.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from table.games.danube.river import RAPIDS, SAFE, SEA, SPRING, Position, Squares, blocked, blocks, grouped, walk_back

NONE: Squares = frozenset()
REMEMBERED = 2**14
"""Positions whose best play is kept; a throw needs a few hundred at most."""


class Step(NamedTuple):
    """One legal step of one piece.

    points: as counted, below 0 when it goes back. used: of the throw. to: where it comes to stand, SEA where it leaves the board.
    switched: the square where the opponent's piece stood that now stands on `piece`, 0 where there was none. why: "" for a plain
    step, else "falls back", "rapids" or "off".
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


# -- single steps -------------------------------------------------------------------------------------------------------


def forward(position: Position, piece: int, points: int) -> Step | None:
    """The piece goes on by so many points; None where it may not. Beyond the last square no points are used, so none are counted."""
    target = piece + points
    if target > SEA or target in position.mine or blocked(position.theirs, piece, target):
        return None
    if target == SEA:
        return _leaves(position, piece, points)
    if target in SAFE and target in position.theirs:
        return _falls_back(position, piece, points)
    return _arrives(position, piece, points, target)


def back(position: Position, piece: int, points: int) -> Step | None:
    """The piece goes back by so many points, all of the throw; None where it may not."""
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
    """On a safe square that the opponent holds: a square less, where even a grouped piece is switched, but none of a block."""
    target = piece + points - 1
    if (target in position.mine and target != piece) or target in blocks(position.theirs):  # D-5
        return None
    return _placed(position, piece, points, target, "falls back", spare=1)


def _leaves(position: Position, piece: int, points: int) -> Step | None:
    if min(position.mine) <= SPRING:  # D-6, D-8
        return None
    return Step(piece, points, points, SEA, position._replace(mine=position.mine - {piece}), why="off")


def _placed(position: Position, piece: int, points: int, target: int, why: str = "", spare: int = 0) -> Step:
    """The piece stands on the target; an opponent's piece that stood there stands where it came from."""
    mine, theirs, starts = position
    switched = target if target in theirs else 0
    after = Position(mine - {piece} | {target}, theirs - {target} | {piece} if switched else theirs, starts)
    return Step(piece, points, abs(points) - spare, target, after, switched, why)


# -- whole throws -------------------------------------------------------------------------------------------------------


def steps_forward(position: Position, left: int, moved: Squares) -> Iterator[Step]:
    """Every legal step with at most so many points of a piece that had no share of this throw yet, the longest first."""
    free = sorted(position.mine - moved)  # D-3
    for points in range(left, 0, -1):
        for piece in free:
            step = forward(position, piece, points)
            if step:
                yield step


@lru_cache(REMEMBERED)
def most_used(position: Position, left: int, moved: Squares = NONE) -> int:
    """How many of the points left can be used at most, by any order and split."""
    best = 0
    for step in steps_forward(position, left, moved):
        best = max(best, _used_with(step, left, moved))
        if best == left:
            break
    return best


def _used_with(step: Step, left: int, moved: Squares) -> int:
    """How many points can be used at most by this step and those after it."""
    rest = left - step.used
    return step.used + (most_used(step.after, rest, has_moved(moved, step)) if rest else 0)


def has_moved(moved: Squares, step: Step) -> Squares:
    return moved if step.to == SEA else moved | {step.to}


@lru_cache(REMEMBERED)
def best_steps(position: Position, left: int, moved: Squares = NONE) -> tuple[Step, ...]:
    """The steps after which still as many points can be used in all as now; by piece and then by points."""
    best = most_used(position, left, moved)
    steps = [step for step in steps_forward(position, left, moved) if _used_with(step, left, moved) == best]
    return tuple(sorted(steps, key=lambda step: (step.piece, step.points)))  # D-14


def steps_back(position: Position, points: int) -> tuple[Step, ...]:
    """Every legal step back with the whole throw."""
    return tuple(step for piece in sorted(position.mine) if (step := back(position, piece, points)))


@lru_cache(REMEMBERED)
def endings(position: Position, left: int, moved: Squares = NONE) -> frozenset[Position]:
    """What the river can look like when as many points are used as can be; two such positions at most are looked for."""
    if not left or not most_used(position, left, moved):
        return frozenset((position,))
    found: frozenset[Position] = frozenset()
    for step in sorted(best_steps(position, left, moved), key=lambda step: -step.used):  # those that end the throw are soon told apart
        found |= endings(step.after, left - step.used, has_moved(moved, step))
        if len(found) > 1:
            break
    return found


@lru_cache(REMEMBERED)
def can_leave(position: Position, left: int, moved: Squares = NONE) -> bool:
    """Whether a piece can leave the board where as many points are used as can be."""
    if all(SEA - piece > left for piece in position.mine - moved) or not most_used(position, left, moved):
        return False
    return any(
        step.to == SEA or can_leave(step.after, left - step.used, has_moved(moved, step)) for step in best_steps(position, left, moved)
    )
