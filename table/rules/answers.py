"""Answers: what the table saw or was told, and their JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from table.errors import UnreadableAnswer
from table.rules import words

COLOURS = ("white", "black", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown")
"""Of dice and seats: those that the eyes tell apart. The rules cannot import vision.reading.COLOURS; a test holds the two equal."""


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
        raise UnreadableAnswer(f'expected one of {{"roll": ...}}, {{"choose": ...}}, {{"keep": ...}}; got {shown(data)}')
    ((kind, value),) = data.items()
    if kind == "roll":
        return throw_from_json(value)
    if kind == "choose":
        return Chosen(_option(value))
    if kind == "keep":
        return Kept(tuple(_face(f) for f in _list(value, "keep")))
    raise UnreadableAnswer(f'expected "roll", "choose" or "keep"; got {shown(kind)}')


def throw_from_json(value: Any) -> Throw:
    """Dice from [3, 1] or [{"face": 3, "colour": "green"}, ...]; raises UnreadableAnswer."""
    return Throw(tuple(_die(d) for d in _list(value, "roll")))


def shown(value: Any) -> str:
    """JSON as a message quotes it: short, and such that every terminal and file takes it."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, TypeError, ValueError):  # a thousand brackets deep, or no JSON at all
        text = "something too deep or too long to show"
    return words.short(text).encode("utf-8", "replace").decode()


def readable(text: str) -> bool:
    """Whether it can be written anywhere: half a character, which JSON can spell as \\ud800, cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


DIE_KEYS = ("face", "colour", "box", "confidence", "sure", "cocked", "stacked", "cut_off")
"""What a die may come with: its face and colour, and what `brehon read` tells besides, which is not used."""


def _die(value: Any) -> Die:
    if not isinstance(value, Mapping):
        return Die(_face(value))
    strange = [key for key in value if key not in DIE_KEYS]
    if strange or "face" not in value:
        raise UnreadableAnswer(f'a die is written {{"face": 3, "colour": "green"}}; got {shown(value)}')
    return Die(_face(value["face"]), _colour(value.get("colour")))


def _colour(value: Any) -> str | None:
    if value is not None and value not in COLOURS:
        raise UnreadableAnswer(f"a die's colour is {words.listed(COLOURS, 'or')}; got {shown(value)}")
    return value  # type: ignore[no-any-return]


def _option(value: Any) -> str:
    if not isinstance(value, str) or not readable(value):
        raise UnreadableAnswer(f'"choose" takes the id of an option, such as "hold"; got {shown(value)}')
    return value


def _face(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= 6:
        raise UnreadableAnswer(f"a face is a whole number from 1 to 6; got {shown(value)}")
    return value


def _list(value: Any, kind: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnreadableAnswer(f'"{kind}" takes a list of faces, such as [3, 1]; got {shown(value)}')
    return value
