"""Prompts that a person answers on the page: legal answers, refusals and JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from table.common.errors import UnreadableAnswer
from table.rules.answers import (
    Answer,
    Bet,
    Bid,
    Chosen,
    Number,
    Picked,
    Sticks,
    Throw,
    answer_from_json,
    answer_to_json,
)
from table.rules.entered_prompts import (
    COINS,
    OGHAM,
    TWO_COLOURED,
    AskBets,
    AskBid,
    AskNumber,
    Hidden,
    Pick,
    StickThrow,
)
from table.rules.prompts import DiceGroup, Odds, Option, Prompt

STICKS = StickThrow("Ann", "Ann: throw the four sticks.", OGHAM, "start")
PIPS = AskNumber("Ann", "Ann: how many pips do you spend?", 0, 3)
CALL = Option("call", "Call it")
BID: AskBid[Any] = AskBid(
    "Ben",
    "Ben: raise or call?",
    lambda b: None if b.count > 5 else "More than five are needed.",
    Bid(5, 3),
    (CALL,),
)
OPENING: AskBid[Any] = AskBid("Ben", "Ben: bid.", lambda b: None)
PARITY = (Option("cho", "Even"), Option("han", "Odd"))
BETS = AskBets("Ann", "Ann: bets?", ("Ann", "Ben"), PARITY, (Option("close", "No more bets"),), 50)
PICK = Pick(
    "Ann", "Ann: which dice fell?", (Option("a", "Red 4"), Option("b", "Blue 2"), Option("c", "Red 6")), 1, 2
)
HIDDEN = Hidden("Ann", "Ann: throw under your cup.", (Option("ready", "They lie"),), dice=(DiceGroup(5),))

ALL = (STICKS, PIPS, BID, OPENING, BETS, PICK, HIDDEN)


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (STICKS, Sticks(("round",) * 4)),
        (STICKS, Sticks(("horse", "dog", "round", "cow"))),
        (PIPS, Number(0)),
        (PIPS, Number(3)),
        (BID, Bid(6, 1)),
        (BID, Chosen("call")),
        (OPENING, Bid(1, 6)),
        (BETS, Bet("Ben", "han", 50)),
        (BETS, Chosen("close")),
        (PICK, Picked(("c", "a"))),
        (HIDDEN, Chosen("ready")),
    ],
)
def test_a_legal_answer_is_in_the_prompt_and_survives_json(prompt: Prompt, answer: Answer) -> None:
    assert answer in prompt
    assert answer_from_json(json.loads(json.dumps(answer_to_json(answer)))) == answer


@pytest.mark.parametrize(
    ("prompt", "answer", "sentence"),
    [
        (
            STICKS,
            Throw.of(1, 2),
            "A throw of sticks is expected, not a throw of dice. Ann: throw the four sticks.",
        ),
        (STICKS, Sticks(()), "Four sticks expected, none came. Ann: throw the four sticks."),
        (STICKS, Sticks(("dog",)), "Four sticks expected, one came. Ann: throw the four sticks."),
        (
            STICKS,
            Sticks(("dog", "dog", "round", "cow")),
            "Dog came twice, but only one stick shows it. Ann: throw the four sticks.",
        ),
        (
            STICKS,
            Sticks(("horse", "dog", "horse", "dog")),
            "Horse came twice, but only one stick shows it; dog came twice, but only one stick shows it. "
            "Ann: throw the four sticks.",
        ),
        (
            STICKS,
            Sticks(("white", "flat", "round", "white")),
            "No stick shows white or flat; they show round, dog, deer, cow or horse. "
            "Ann: throw the four sticks.",
        ),
        (
            StickThrow("Ann", "Ann: throw the four coins.", COINS),
            Sticks(("dog",) * 4),
            "No coin shows dog; they show round or flat. Ann: throw the four coins.",
        ),
        (
            StickThrow("Ann", "Ann: throw the four coins.", COINS),
            Sticks(()),
            "Four coins expected, none came. Ann: throw the four coins.",
        ),
        (PIPS, Number(4), "A whole number from 0 to 3 is expected, 4 came. Ann: how many pips do you spend?"),
        (PIPS, Chosen("3"), "A number is expected, not a choice. Ann: how many pips do you spend?"),
        (BID, Bid(5, 4), "More than five are needed."),
        (
            BID,
            Bid(0, 4),
            "A bid names at least one die and a face from 1 to 6; 0 dice of face 4 came. Ben: raise or call?",
        ),
        (
            BID,
            Bid(9, 7),
            "A bid names at least one die and a face from 1 to 6; 9 dice of face 7 came. Ben: raise or call?",
        ),
        (BID, Chosen("pass"), "Not “pass”: the choice here is call. Ben: raise or call?"),
        (BID, Number(6), "A bid or a choice is expected, not a number. Ben: raise or call?"),
        (OPENING, Chosen("call"), "There is nothing to choose here. Ben: bid."),
        (OPENING, Number(6), "A bid is expected, not a number. Ben: bid."),
        (BETS, Bet("Cal", "cho", 5), "Cal is not among those who bet here: Ann and Ben. Ann: bets?"),
        (BETS, Bet("Ann", "six", 5), "Not “six”: a bet is on cho or han. Ann: bets?"),
        (BETS, Bet("Ann", "cho", 51), "A stake is a whole number from 1 to 50; 51 came. Ann: bets?"),
        (BETS, Bet("Ann", "cho", 0), "A stake is a whole number from 1 to 50; 0 came. Ann: bets?"),
        (BETS, Bid(1, 1), "A bet or a choice is expected, not a bid. Ann: bets?"),
        (PICK, Picked(()), "Pick 1 to 2, not 0. Ann: which dice fell?"),
        (PICK, Picked(("a", "b", "c")), "Pick 1 to 2, not 3. Ann: which dice fell?"),
        (PICK, Picked(("a", "a")), "Each can be picked once. Ann: which dice fell?"),
        (PICK, Picked(("d",)), "Not “d”: pick from a, b and c. Ann: which dice fell?"),
        (PICK, Bet("Ann", "cho", 1), "A pick from the list is expected, not a bet. Ann: which dice fell?"),
        (HIDDEN, Throw.of(1, 2, 3, 4, 5), "A choice is expected, not a throw. Ann: throw under your cup."),
        (HIDDEN, Picked(("a",)), "A choice is expected, not a pick from a list. Ann: throw under your cup."),
    ],
)
def test_an_illegal_answer_is_refused_with_its_reason(prompt: Prompt, answer: Answer, sentence: str) -> None:
    assert prompt.why_not(answer) == sentence


@pytest.mark.parametrize(("sticks", "noun"), [(OGHAM, "stick"), (COINS, "coin"), (TWO_COLOURED, "stick")])
def test_the_hint_for_sticks_is_a_legal_answer(sticks: tuple[tuple[str, ...], ...], noun: str) -> None:
    prompt = StickThrow("Ann", "Ann: throw.", sticks)
    example = prompt.answer_hint.removesuffix(f", the upper side of each {noun}, in any order")
    assert answer_from_json(json.loads(example)) in prompt


def test_two_coloured_sticks_can_all_show_the_same_side() -> None:
    assert Sticks(("black",) * 4) in StickThrow("Ann", "Ann: throw.", TWO_COLOURED)
    assert Sticks(("black", "round", "white", "white")) not in StickThrow("Ann", "Ann: throw.", TWO_COLOURED)


@pytest.mark.parametrize("prompt", ALL, ids=lambda p: p.kind)
def test_a_random_answer_is_legal_and_varies(prompt: Prompt) -> None:
    chance = Random(1)
    answers = [prompt.random_answer(chance) for _ in range(200)]
    assert all(answer in prompt for answer in answers)
    assert len(set(answers)) > 1 or prompt is HIDDEN


@pytest.mark.parametrize("prompt", ALL, ids=lambda p: p.kind)
def test_the_json_of_a_prompt_has_its_kind_player_and_text(prompt: Prompt) -> None:
    data = prompt.to_json()
    assert json.loads(json.dumps(data)) == data
    assert (data["kind"], data["player"], data["text"]) == (prompt.kind, prompt.player, prompt.text)


def test_the_json_of_a_prompt_names_the_possible_answers() -> None:
    assert STICKS.to_json()["sticks"] == [
        ["round", "dog"],
        ["round", "deer"],
        ["round", "cow"],
        ["round", "horse"],
    ]
    assert STICKS.to_json()["for"] == "start"
    assert (PIPS.to_json()["least"], PIPS.to_json()["most"]) == (0, 3)
    assert BID.to_json()["above"] == {"count": 5, "face": 3}
    assert OPENING.to_json()["above"] is None
    assert BETS.to_json()["bettors"] == ["Ann", "Ben"]
    assert PICK.to_json()["items"][0] == {"id": "a", "text": "Red 4"}
    assert HIDDEN.to_json()["dice"] == [{"colour": None, "count": 5}]


@pytest.mark.parametrize(
    ("prompt", "answer", "what"),
    [
        (AskBid("Ann", "Ann: bid.", lambda b: 1 // 0), Bid(1, 1), "this bid"),  # type: ignore[return-value, arg-type]
        (Pick("Ann", "Ann: pick.", PICK.items, 0, 3, lambda i: [][0]), Picked(()), "this pick"),
    ],
)
def test_a_bug_in_a_rule_of_a_game_is_a_refusal(prompt: Prompt, answer: Answer, what: str) -> None:
    why = prompt.why_not(answer)
    assert why is not None
    assert why.startswith(f"The rules failed on {what} (")


def test_random_opening_bids_can_be_of_one_die() -> None:
    chance = Random(1)
    assert {OPENING.random_answer(chance).count for _ in range(100)} == {1, 2}  # type: ignore[union-attr]


def test_the_coach_runs_once_and_its_errors_are_caught() -> None:
    asked = []

    def coach() -> list[Odds]:
        asked.append(1)
        return [Odds("a 1 next", 1 / 6)]

    prompt = AskNumber("Ann", "Ann: how many?", 0, 3, coach=coach)
    assert prompt.odds == prompt.odds == (Odds("a 1 next", 1 / 6),)
    assert asked == [1]
    assert prompt == AskNumber("Ann", "Ann: how many?", 0, 3)
    assert AskNumber("Ann", "Ann: how many?", 0, 3, coach=lambda: [][0]).odds == ()
    assert PIPS.odds == ()


@pytest.mark.parametrize(
    "garbage",
    [
        {"sticks": "dog"}, {"sticks": ["cat"]}, {"sticks": [1]},
        {"number": "3"}, {"number": True}, {"number": 10**16}, {"number": 2.0},
        {"bid": 5}, {"bid": {"count": 5}}, {"bid": {"count": "5", "face": 3}},
        {"bid": {"count": 5, "face": 7}}, {"bid": [5, 3]},
        {"bet": {"player": "Ann", "on": "cho"}}, {"bet": {"player": 1, "on": "cho", "stake": 1}},
        {"bet": {"player": "Ann", "on": "\ud800", "stake": 1}},
        {"bet": {"player": "Ann", "on": "cho", "stake": None}},
        {"pick": "a"}, {"pick": [1]}, {"pick": ["\ud800"]},
    ],
)  # fmt: skip
def test_an_unreadable_answer_is_refused_with_what_came(garbage: object) -> None:
    with pytest.raises(UnreadableAnswer, match="got "):
        answer_from_json(garbage)


def test_a_bid_has_the_chance_of_each_number_of_dice_by_faces() -> None:
    """Of two dice, one face with wild 1s, and the 1s alone. What is not certain is not rounded to 1."""
    bid = AskBid.opening(
        "Ann",
        "Ann: bid.",
        in_play=2,
        chance_of=lambda bid: Fraction(1, 3) if bid.face == 1 else 1 - Fraction(bid.count - 1, 10**9),
    )
    assert bid.shown()["chances"] == [
        {"faces": [1], "of": [0.3333, 0.3333]},
        {"faces": [2, 3, 4, 5, 6], "of": [1.0, 0.9999]},
    ]
    assert "chances" not in bid.to_json(), "the log has none"
    assert "chances" not in AskBid.opening("Ann", "Ann: bid.", in_play=2).shown()
