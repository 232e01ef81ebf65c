"""Answers to prompts, from the camera or from a person, and their JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from table.common.colours import COLOURS
from table.common.errors import UnreadableAnswer
from table.rules import words

FACES = range(1, 7)
"""The faces of a die."""


@dataclass(frozen=True)
class Die:
    """A die at rest: its upper face, 1 to 6, and its colour, None if unknown."""

    face: int
    colour: str | None = None


@dataclass(frozen=True)
class Throw:
    """Dice that were thrown together, in the order of the answer."""

    dice: tuple[Die, ...]

    @classmethod
    def of(cls, *faces: int) -> Throw:
        return cls(tuple(Die(f) for f in faces))

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(d.face for d in self.dice)


@dataclass(frozen=True)
class Chosen:
    """The id of one of the options of the prompt."""

    option: str


@dataclass(frozen=True)
class Kept:
    """The faces of the dice of the last throw that the player sets aside."""

    faces: tuple[int, ...]


@dataclass(frozen=True)
class Sticks:
    """Throwing sticks at rest. faces: the upper sides: "round" or an animal, "flat", "white", "black"."""

    faces: tuple[str, ...]


@dataclass(frozen=True)
class Number:
    """A whole number that a person enters, such as a stake or pips to spend."""

    value: int


@dataclass(frozen=True)
class Bid:
    """A claim about the dice under all cups together: `count` of them show `face`."""

    count: int
    face: int


@dataclass(frozen=True)
class Bet:
    """A player's stake, in whole units, on one of the bets that the prompt lists."""

    player: str
    on: str
    stake: int


@dataclass(frozen=True)
class Picked:
    """The ids of some items of the prompt, in the prompt's order."""

    items: tuple[str, ...]


Thrown = Throw | Sticks
"""The result of a throw. It is never taken back. It is corrected if it was read wrongly."""

Answer = Thrown | Chosen | Kept | Number | Bid | Bet | Picked

STICK_FACES = ("round", "flat", "dog", "deer", "cow", "horse", "white", "black")


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """The answer as JSON, as scripts send it: {"roll": [3, 1]}, {"choose": "hold"}, {"keep": [1, 5]}, ..."""
    match answer:
        case Throw(dice):
            return {
                "roll": [d.face if d.colour is None else {"face": d.face, "colour": d.colour} for d in dice]
            }
        case Sticks(faces):
            return {"sticks": list(faces)}
        case Chosen(option):
            return {"choose": option}
        case Kept(faces):
            return {"keep": list(faces)}
        case Number(value):
            return {"number": value}
        case Bid(count, face):
            return {"bid": {"count": count, "face": face}}
        case Bet(player, on, stake):
            return {"bet": {"player": player, "on": on, "stake": stake}}
        case Picked(items):
            return {"pick": list(items)}


def answer_from_json(data: Any) -> Answer:
    """The answer in this JSON; raises UnreadableAnswer with what was expected and what came."""
    if not isinstance(data, Mapping) or len(data) != 1:
        raise UnreadableAnswer(f"expected an object with one of {_kinds()}; got {quoted(data)}")
    ((kind, value),) = data.items()
    if kind not in ANSWER_READERS:
        raise UnreadableAnswer(f"expected {_kinds()}; got {quoted(kind)}")
    return ANSWER_READERS[kind](value)


def _kinds() -> str:
    return words.listed((f'"{kind}"' for kind in ANSWER_READERS), "or")


def throw_from_json(value: Any) -> Throw:
    """The throw in [3, 1] or [{"face": 3, "colour": "green"}, ...]; raises UnreadableAnswer."""
    return Throw(tuple(_die(d) for d in _list(value, '"roll" takes a list of faces, such as [3, 1]')))


def thrown_from_json(body: Mapping[str, Any]) -> Thrown:
    """The throw under "roll" or "sticks"; other keys are ignored. Raises UnreadableAnswer."""
    return _sticks(body["sticks"]) if "sticks" in body else throw_from_json(body.get("roll"))


def quoted(value: Any) -> str:
    """The value as JSON for a message: short, and safe to write to any terminal or file."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, TypeError, ValueError):  # a thousand nested brackets, or not JSON
        text = "something too deep or too long to show"
    return words.short(text).encode("utf-8", "replace").decode()


def is_encodable(text: str) -> bool:
    """Whether the text can be encoded. Half a character, which JSON can write as \\ud800, cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


DIE_KEYS = ("face", "colour", "box", "confidence", "sure", "cocked", "stacked", "cut_off")
"""The keys that a die may have: face and colour, and the other keys of `brehon read`, which are not used."""


def _die(value: Any) -> Die:
    if not isinstance(value, Mapping):
        return Die(_face(value))
    strange = [key for key in value if key not in DIE_KEYS]
    if strange or "face" not in value:
        raise UnreadableAnswer(f'a die is written {{"face": 3, "colour": "green"}}; got {quoted(value)}')
    return Die(_face(value["face"]), _colour(value.get("colour")))


def _colour(value: Any) -> str | None:
    if value is not None and value not in COLOURS:
        raise UnreadableAnswer(f"a die's colour is {words.listed(COLOURS, 'or')}; got {quoted(value)}")
    return value  # type: ignore[no-any-return]


def _option(value: Any) -> str:
    if not isinstance(value, str) or not is_encodable(value):
        raise UnreadableAnswer(f'"choose" takes the id of an option, such as "hold"; got {quoted(value)}')
    return value


def _kept(value: Any) -> Kept:
    return Kept(tuple(_face(f) for f in _list(value, '"keep" takes a list of faces, such as [1, 5]')))


def _sticks(value: Any) -> Sticks:
    expected = '"sticks" takes a list of sides that the prompt lists under "sticks"'
    faces = _list(value, expected)
    for face in faces:
        if face not in STICK_FACES:
            raise UnreadableAnswer(f"{expected}; got {quoted(face)}")
    return Sticks(tuple(faces))


def _number(value: Any) -> Number:
    return Number(_integer(value, '"number"'))


def _bid(value: Any) -> Bid:
    expected = '"bid" takes {"count": 5, "face": 3}'
    if not isinstance(value, Mapping) or set(value) != {"count", "face"}:
        raise UnreadableAnswer(f"{expected}; got {quoted(value)}")
    return Bid(_integer(value["count"], 'the "count" of a bid'), _face(value["face"]))


def _bet(value: Any) -> Bet:
    expected = '"bet" takes {"player": "Ann", "on": "even", "stake": 5}'
    if not isinstance(value, Mapping) or set(value) != {"player", "on", "stake"}:
        raise UnreadableAnswer(f"{expected}; got {quoted(value)}")
    player, on = value["player"], value["on"]
    if not (isinstance(player, str) and isinstance(on, str) and is_encodable(player) and is_encodable(on)):
        raise UnreadableAnswer(f"{expected}; got {quoted(value)}")
    return Bet(player, on, _integer(value["stake"], 'the "stake" of a bet'))


def _picked(value: Any) -> Picked:
    expected = '"pick" takes a list of ids, such as ["a", "b"]'
    items = _list(value, expected)
    if not all(isinstance(item, str) and is_encodable(item) for item in items):
        raise UnreadableAnswer(f"{expected}; got {quoted(value)}")
    return Picked(tuple(items))


ANSWER_READERS: Mapping[str, Callable[[Any], Answer]] = {
    "roll": throw_from_json,
    "choose": lambda value: Chosen(_option(value)),
    "keep": _kept,
    "sticks": _sticks,
    "number": _number,
    "bid": _bid,
    "bet": _bet,
    "pick": _picked,
}
"""The function that reads each kind of answer from its JSON."""


def _face(value: Any) -> int:
    if type(value) is not int or value not in FACES:
        raise UnreadableAnswer(f"a face is a whole number from 1 to 6; got {quoted(value)}")
    return value


MAX_NUMBER = 10**15
"""Upper limit, inclusive, of the absolute value of a number that a person enters."""


def _integer(value: Any, what: str) -> int:
    if type(value) is not int:
        raise UnreadableAnswer(f"{what} is a whole number, such as 3; got {quoted(value)}")
    if abs(value) > MAX_NUMBER:
        raise UnreadableAnswer(f"{what} is from {-MAX_NUMBER:,} to {MAX_NUMBER:,}; got {quoted(value)}")
    return value


def _list(value: Any, expected: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnreadableAnswer(f"{expected}; got {quoted(value)}")
    return value
