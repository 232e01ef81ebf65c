"""Answers in JSON: which are read, and how the others are refused."""

from __future__ import annotations

from typing import Any

import pytest

from table.common.errors import UnreadableAnswer
from table.rules.answers import (
    Answer,
    Chosen,
    Die,
    Kept,
    Throw,
    answer_from_json,
    answer_to_json,
    is_encodable,
    throw_from_json,
)

GREEN_3 = Throw((Die(3, "green"), Die(1)))


@pytest.mark.parametrize(
    ("answer", "data"),
    [
        (Throw.of(3, 1), {"roll": [3, 1]}),
        (Throw(()), {"roll": []}),
        (GREEN_3, {"roll": [{"face": 3, "colour": "green"}, 1]}),
        (Chosen("hold"), {"choose": "hold"}),
        (Kept((1, 5)), {"keep": [1, 5]}),
        (Kept(()), {"keep": []}),
    ],
)
def test_an_answer_goes_to_json_and_back(answer: Answer, data: dict[str, Any]) -> None:
    assert answer_to_json(answer) == data
    assert answer_from_json(data) == answer


def test_dice_with_box_and_confidence_are_read() -> None:
    seen = {"face": 3, "colour": "green", "box": [1, 2, 3, 4], "confidence": 0.9, "sure": True}
    assert throw_from_json([seen]) == Throw((Die(3, "green"),))


ONE_OF = (
    "expected an object with one of "
    '"roll", "choose", "keep", "sticks", "number", "bid", "bet" or "pick"; got '
)
A_COLOUR = (
    "a die's colour is white, black, grey, red, orange, yellow, green, blue, purple, pink or brown; got "
)
A_DIE = 'a die is written {"face": 3, "colour": "green"}; got '


@pytest.mark.parametrize(
    ("garbage", "sentence"),
    [
        (None, ONE_OF + "null"),
        (7, ONE_OF + "7"),
        (float("nan"), ONE_OF + "NaN"),
        ("hold", ONE_OF + '"hold"'),
        ([3, 1], ONE_OF + "[3, 1]"),
        ({}, ONE_OF + "{}"),
        ({"roll": [1], "keep": [1]}, ONE_OF + '{"roll": [1], "keep": [1]}'),
        (
            {"throw": [1]},
            'expected "roll", "choose", "keep", "sticks", "number", "bid", "bet" or "pick"; got "throw"',
        ),
        ({1: 2}, 'expected "roll", "choose", "keep", "sticks", "number", "bid", "bet" or "pick"; got 1'),
        ({"roll": 3}, '"roll" takes a list of faces, such as [3, 1]; got 3'),
        ({"roll": "31"}, '"roll" takes a list of faces, such as [3, 1]; got "31"'),
        ({"roll": [0]}, "a face is a whole number from 1 to 6; got 0"),
        ({"roll": [7]}, "a face is a whole number from 1 to 6; got 7"),
        ({"roll": [True]}, "a face is a whole number from 1 to 6; got true"),
        ({"roll": [3.0]}, "a face is a whole number from 1 to 6; got 3.0"),
        ({"roll": ["3"]}, 'a face is a whole number from 1 to 6; got "3"'),
        ({"roll": [[3]]}, "a face is a whole number from 1 to 6; got [3]"),
        ({"roll": [{}]}, A_DIE + "{}"),
        ({"roll": [{"colour": "red"}]}, A_DIE + '{"colour": "red"}'),
        ({"roll": [{"face": 2, "color": "red"}]}, A_DIE + '{"face": 2, "color": "red"}'),
        ({"roll": [{"face": None}]}, "a face is a whole number from 1 to 6; got null"),
        ({"roll": [{"face": 3, "colour": 5}]}, A_COLOUR + "5"),
        ({"roll": [{"face": 3, "colour": "mauve"}]}, A_COLOUR + '"mauve"'),
        ({"roll": [{"face": 3, "colour": ["red"]}]}, A_COLOUR + '["red"]'),
        ({"roll": [{"face": 3, "colour": "\udc80"}]}, A_COLOUR + '"?"'),
        ({"choose": 1}, '"choose" takes the id of an option, such as "hold"; got 1'),
        ({"choose": None}, '"choose" takes the id of an option, such as "hold"; got null'),
        ({"choose": "\ud800"}, '"choose" takes the id of an option, such as "hold"; got "?"'),
        (
            {"\ud800": 1},
            'expected "roll", "choose", "keep", "sticks", "number", "bid", "bet" or "pick"; got "?"',
        ),
        ({"keep": {"face": 1}}, '"keep" takes a list of faces, such as [1, 5]; got {"face": 1}'),
        ({"keep": [None]}, "a face is a whole number from 1 to 6; got null"),
        ({"number": "3"}, '"number" is a whole number, such as 3; got "3"'),
        (
            {"number": -(10**15) - 1},
            '"number" is from -1,000,000,000,000,000 to 1,000,000,000,000,000; got -1000000000000001',
        ),
        (
            {"bet": {"player": "Ann", "on": "big", "stake": 1.5}},
            'the "stake" of a bet is a whole number, such as 3; got 1.5',
        ),
        (
            {"bid": {"count": 10**15 + 1, "face": 2}},
            'the "count" of a bid is from -1,000,000,000,000,000 to 1,000,000,000,000,000; '
            "got 1000000000000001",
        ),
    ],
)
def test_garbage_is_refused_with_what_was_expected_and_what_came(garbage: Any, sentence: str) -> None:
    with pytest.raises(UnreadableAnswer) as refusal:
        answer_from_json(garbage)
    assert str(refusal.value) == sentence


def nested_lists(brackets: int) -> Any:
    inside: Any = []
    for _ in range(brackets):
        inside = [inside]
    return inside


@pytest.mark.parametrize(
    "garbage",
    [
        "x" * 10_000,
        nested_lists(100),
        nested_lists(990),
        nested_lists(9999),
        {"roll": nested_lists(980)},
        {"choose": [1] * 10_000},
        {"roll": [{"colour": "x" * 99}]},
    ],
)
def test_long_or_deeply_nested_garbage_is_quoted_in_short(garbage: Any) -> None:
    with pytest.raises(UnreadableAnswer) as refusal:
        answer_from_json(garbage)
    assert len(str(refusal.value)) < 180


def test_half_of_a_surrogate_pair_is_not_readable() -> None:
    assert is_encodable("Gráinne 🐺")
    assert not is_encodable("\ud83d")
