"""Answers: what the table saw or was told, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from table.errors import UnreadableAnswer


@dataclass(frozen=True)
class Die:
    """A die at rest: the face looking up, 1-6, and its colour if anybody knows it."""

    face: int
    colour: str | None = None


@dataclass(frozen=True)
class Throw:
    """Dice thrown together, in the order they were given."""

    dice: tuple[Die, ...]

    @classmethod
    def of(cls, *faces: int) -> Throw:
        return cls(tuple(Die(f) for f in faces))

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(d.face for d in self.dice)


@dataclass(frozen=True)
class Chosen:
    """One of the options that a prompt listed, by its id."""

    option: str


@dataclass(frozen=True)
class Kept:
    """The faces of the dice that a player sets aside out of the throw just made."""

    faces: tuple[int, ...]


Answer = Throw | Chosen | Kept


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """The answer as scripts write it: {"roll": [3, 1]}, {"choose": "hold"} or {"keep": [1, 5]}."""
    match answer:
        case Throw(dice):
            return {"roll": [d.face if d.colour is None else {"face": d.face, "colour": d.colour} for d in dice]}
        case Chosen(option):
            return {"choose": option}
        case Kept(faces):
            return {"keep": list(faces)}


def answer_from_json(data: Any) -> Answer:
    """The answer that scripts wrote; raises UnreadableAnswer saying what was expected and what came."""
    if not isinstance(data, Mapping) or len(data) != 1:
        raise UnreadableAnswer(f'expected one of {{"roll": ...}}, {{"choose": ...}}, {{"keep": ...}}; got {_short(data)}')
    ((kind, value),) = data.items()
    if kind == "roll":
        return throw_from_json(value)
    if kind == "choose":
        if not isinstance(value, str):
            raise UnreadableAnswer(f'"choose" takes the id of an option, such as "hold"; got {_short(value)}')
        return Chosen(value)
    if kind == "keep":
        return Kept(tuple(_face(f) for f in _list(value, "keep")))
    raise UnreadableAnswer(f'expected "roll", "choose" or "keep"; got {_short(kind)}')


def throw_from_json(value: Any) -> Throw:
    """Dice from [3, 1] or [{"face": 3, "colour": "green"}, ...]; raises UnreadableAnswer."""
    return Throw(tuple(_die(d) for d in _list(value, "roll")))


def _die(value: Any) -> Die:
    if not isinstance(value, Mapping):
        return Die(_face(value))
    colour = value.get("colour")
    if colour is not None and not isinstance(colour, str):
        raise UnreadableAnswer(f'a die\'s colour is a word, such as "green"; got {_short(colour)}')
    return Die(_face(value.get("face")), colour)


def _face(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= 6:
        raise UnreadableAnswer(f"a face is a whole number from 1 to 6; got {_short(value)}")
    return value


def _list(value: Any, kind: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnreadableAnswer(f'"{kind}" takes a list of faces, such as [3, 1]; got {_short(value)}')
    return value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
