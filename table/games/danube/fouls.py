"""The reason why a step is not offered: the first half of a sentence that goes on with the offered steps."""

from __future__ import annotations

import re

from table.games.danube.river import RAPIDS, SAFE, SEA, SPRING, Position, Squares, blocked
from table.games.danube.steps import NONE, back, forward
from table.rules import words

STEP = re.compile(r"([1-9]|[12][0-9]|3[0-5])([+-])([1-9])", re.ASCII)


def not_forward(position: Position, left: int, moved: Squares, option: str) -> str | None:
    """The reason why this step is not allowed while a piece can move forward; None if `option` is no step.

    left: points that are not used yet.
    """
    named = STEP.fullmatch(option)
    if not named:
        return None
    piece, points = int(named[1]), int(named[3])
    if named[2] == "-":
        return "Nobody goes back while a piece can move forward"
    return (
        _cannot_share(position, moved, piece)
        or _too_far(position, piece, points, left)
        or _fewer(position, piece, points)
    )


def not_back(position: Position, thrown: int, option: str) -> str | None:
    """The reason why this step is not allowed when one piece must go back; None if `option` is no step.

    thrown: points of the whole throw.
    """
    named = STEP.fullmatch(option)
    if not named:
        return None
    piece, points = int(named[1]), int(named[3])
    if named[2] == "+":
        return "Nothing can move forward"
    if points != thrown:
        return f"A step back takes the whole throw, {words.points(thrown)}"
    return _cannot_share(position, NONE, piece) or (
        None if back(position, piece, points) else _barred(position, piece, piece - points)
    )


def _cannot_share(position: Position, moved: Squares, piece: int) -> str | None:
    if piece not in position.mine:
        return f"No piece of yours stands on {piece}"
    return f"The piece on {piece} has already moved in this throw" if piece in moved else None  # D-3


def _too_far(position: Position, piece: int, points: int, left: int) -> str | None:
    if points > left:
        return f"There {'is' if left == 1 else 'are'} {words.points(left)} left, not {points}"
    if piece + points > SEA:
        return f"From {piece} a piece leaves the board with {words.points(SEA - piece)}"
    return None if forward(position, piece, points) else _barred(position, piece, piece + points)


def _barred(position: Position, piece: int, target: int) -> str:
    """The reason why the piece cannot reach the target, forward or back."""
    if target < 1:
        return f"No piece can go back so far from {piece}"
    if target in position.mine:
        return f"A piece of yours stands on {target}"
    if blocked(position.theirs, piece, target):
        return f"A block stands between {piece} and {target}"
    if target == SEA:
        return f"No piece leaves the board while one of yours is on 1 to {SPRING}"  # D-6
    if target == RAPIDS:
        return "No piece can land in the rapids while every square to go back to is taken"
    if target in SAFE:
        return f"{target} is safe and held{_no_falling_back(piece, target)}"
    return f"The piece on {target} has a neighbour and cannot be switched"


def _no_falling_back(piece: int, target: int) -> str:
    if target < piece:
        return ""
    if target - 1 == piece:
        return f", so the piece would fall back to {piece}, which is no move"  # D-13
    return f", and nobody can fall back to {target - 1}"


def _fewer(position: Position, piece: int, points: int) -> str | None:
    """The reason against a step that is legal by itself: it wastes points. None if the step is not legal."""
    return "You must use as many points as you can" if forward(position, piece, points) else None  # D-14
