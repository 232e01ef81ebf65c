"""Prompts: legal answers, refusals, JSON, and the answers that an act with the dice stands for."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from table.common.errors import IllegalAnswer
from table.rules.answers import Answer, Chosen, Die, Kept, Throw
from table.rules.prompts import Act, Choose, DiceGroup, Keep, Option, Prompt, Roll

ROLL = Roll("Ann", "Ann: throw two dice.", (DiceGroup(2),), beside=(6,))
GREEN = Roll("Ann", "Ann: throw two green dice.", (DiceGroup(2, "green"),))
MIXED = Roll("Ann", "Ann: throw.", (DiceGroup(1, "green"), DiceGroup(1, "red"), DiceGroup(1)))
EITHER = Roll("Ann", "Ann: throw.", (DiceGroup(2, either=("green", "red")), DiceGroup(1, "green")))
CHOOSE = Choose(
    "Ann", "Ann: hold 5 or throw again?", (Option("hold", "Hold 5"), Option("roll", "Throw again", throws=1))
)
KEEP = Keep("Ann", "Ann: which dice do you keep?", (1, 1, 5))


def coloured(*dice: tuple[str | None, int]) -> Throw:
    return Throw(tuple(Die(face, colour) for colour, face in dice))


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (ROLL, Throw.of(1, 6)),
        (ROLL, coloured(("red", 1), ("blue", 6))),
        (GREEN, coloured(("green", 1), ("green", 2))),
        (GREEN, coloured(("green", 1), (None, 2))),
        (GREEN, Throw.of(1, 2)),
        (MIXED, coloured(("red", 1), ("green", 2), ("blue", 3))),
        (MIXED, coloured(("red", 1), ("green", 2), ("green", 3))),
        (MIXED, coloured(("red", 1), (None, 2), ("blue", 3))),
        (EITHER, coloured(("red", 1), ("green", 2), ("green", 3))),
        (EITHER, coloured(("green", 1), ("green", 2), ("green", 3))),
        (EITHER, coloured(("red", 1), (None, 2), ("red", 3))),
        (CHOOSE, Chosen("hold")),
        (KEEP, Kept((1,))),
        (KEEP, Kept((5, 1, 1))),
    ],
)
def test_a_legal_answer_is_in_the_prompt(prompt: Prompt, answer: Answer) -> None:
    assert answer in prompt
    assert prompt.why_not(answer) is None
    prompt.check(answer)


@pytest.mark.parametrize(
    ("prompt", "answer", "sentence"),
    [
        (ROLL, Throw.of(1), "Two dice expected, one die came. Ann: throw two dice."),
        (ROLL, Throw(()), "Two dice expected, no dice came. Ann: throw two dice."),
        (ROLL, Throw.of(0, 7), "A die shows 1 to 6; 0 and 7 came. Ann: throw two dice."),
        (ROLL, Chosen("hold"), "A throw is expected, not a choice. Ann: throw two dice."),
        (ROLL, Kept((1,)), "A throw is expected, not dice to keep. Ann: throw two dice."),
        (
            GREEN,
            coloured(("green", 1), ("red", 2)),
            "Wrong colour: two green dice expected, one green die and one red die came. "
            "Ann: throw two green dice.",
        ),
        (
            MIXED,
            coloured(("red", 1), (None, 2), ("red", 3)),
            None,
        ),
        (
            MIXED,
            coloured(("red", 1), ("red", 2), ("red", 3)),
            "Wrong colour: one green die, one red die and one die expected, three red dice came. Ann: throw.",
        ),
        (
            EITHER,
            coloured(("red", 1), ("red", 2), ("red", 3)),
            "Wrong colour: two green or red dice and one green die expected, three red dice came. "
            "Ann: throw.",
        ),
        (
            EITHER,
            coloured(("green", 1), ("red", 2), ("blue", 3)),
            "Wrong colour: two green or red dice and one green die expected, "
            "one blue die, one green die and one red die came. Ann: throw.",
        ),
        (CHOOSE, Chosen("bank"), "Not “bank”: choose hold or roll. Ann: hold 5 or throw again?"),
        (CHOOSE, Throw.of(1), "A choice is expected, not a throw. Ann: hold 5 or throw again?"),
        (CHOOSE, Kept((1,)), "A choice is expected, not dice to keep. Ann: hold 5 or throw again?"),
        (KEEP, Kept(()), "Keep at least one die."),
        (
            KEEP,
            Kept((1, 1, 1)),
            "There are only two 1s to keep in 1, 1 and 5. Ann: which dice do you keep?",
        ),
        (KEEP, Kept((5, 5)), "There is only one 5 to keep in 1, 1 and 5. Ann: which dice do you keep?"),
        (
            KEEP,
            Kept((2, 5, 5)),
            "There is no 2 and there is only one 5 to keep in 1, 1 and 5. Ann: which dice do you keep?",
        ),
        (
            KEEP,
            Kept((2, 3)),
            "There is no 2 and there is no 3 to keep in 1, 1 and 5. Ann: which dice do you keep?",
        ),
        (
            KEEP,
            Kept((1,) * 400_000),
            "At most three dice can be kept, and 400,000 came. Ann: which dice do you keep?",
        ),
        (KEEP, Chosen("hold"), "Dice to keep are expected, not a choice. Ann: which dice do you keep?"),
        (KEEP, Throw.of(1), "Dice to keep are expected, not a throw. Ann: which dice do you keep?"),
        (
            CHOOSE,
            Chosen("h" * 1_000_000),
            f"Not “{'h' * 57}...”: choose hold or roll. Ann: hold 5 or throw again?",
        ),
    ],
)
def test_an_illegal_answer_is_refused_with_its_reason(
    prompt: Prompt, answer: Answer, sentence: str | None
) -> None:
    assert prompt.why_not(answer) == sentence
    assert (answer in prompt) == (sentence is None)
    if sentence:
        with pytest.raises(IllegalAnswer) as refusal:
            prompt.check(answer)
        assert str(refusal.value) == sentence


def test_a_keep_says_its_least_if_that_is_more_than_one() -> None:
    assert replace(KEEP, least=2).to_json()["least"] == 2
    assert "least" not in replace(KEEP, least=1).to_json()


def test_a_game_can_refuse_a_keep_by_its_own_rule() -> None:
    prompt = Keep("Ann", "Keep.", (1, 2), rule=lambda kept: "No 2." if 2 in kept else None)
    assert prompt.why_not(Kept((1, 2))) == "No 2."
    assert Kept((1,)) in prompt


def rule_with_a_bug(kept: tuple[int, ...]) -> str | None:
    raise KeyError(kept)


@pytest.mark.parametrize(("kept", "what"), [((1, 2), "keeping 1 and 2"), ((), "keeping none")])
def test_a_bug_in_a_keep_rule_refuses_the_answer(kept: tuple[int, ...], what: str) -> None:
    prompt = Keep("Ann", "Keep.", (1, 2), rule=rule_with_a_bug)
    assert prompt.why_not(Kept(kept)) == (
        f"The rules failed on {what} (KeyError). Keep other dice, or start a new game."
    )
    assert prompt.answers_shown_by(Act(kept, thrown=1)) == ()


def test_a_game_can_explain_why_an_option_is_missing() -> None:
    prompt = replace(CHOOSE, foul=lambda option: "There is no bank here" if option == "bank" else None)
    assert prompt.why_not(Chosen("bank")) == (
        "There is no bank here: choose hold or roll. Ann: hold 5 or throw again?"
    )
    assert prompt.why_not(Chosen("stay")) == "Not “stay”: choose hold or roll. Ann: hold 5 or throw again?"
    assert prompt.why_not(Chosen("hold")) is None


def test_a_bug_in_the_explanation_of_an_option_gives_the_plain_refusal() -> None:
    prompt = replace(CHOOSE, foul=lambda option: str(1 // 0))
    assert prompt.why_not(Chosen("bank")) == "Not “bank”: choose hold or roll. Ann: hold 5 or throw again?"


def test_a_keep_from_sixty_dice_is_checked_without_listing_all_keeps() -> None:
    faces = tuple(i % 6 + 1 for i in range(60))
    assert Kept(faces[:30]) in Keep("Ann", "Keep.", faces)


# -- answers given by an act on the tray ---------------------------------------------------------------------


def test_throwing_the_number_of_dice_of_an_option_chooses_it() -> None:
    assert CHOOSE.answers_shown_by(Act(left=(), thrown=1)) == (Chosen("roll"),)


@pytest.mark.parametrize("thrown", [0, 2])
def test_throwing_another_number_of_dice_chooses_nothing(thrown: int) -> None:
    assert CHOOSE.answers_shown_by(Act(left=(5,), thrown=thrown)) == ()


def test_options_with_the_same_number_of_dice_are_all_possible() -> None:
    prompt = Choose("Ann", "High or low?", (Option("high", "High", throws=2), Option("low", "Low", throws=2)))
    assert prompt.answers_shown_by(Act(left=(), thrown=2)) == (Chosen("high"), Chosen("low"))


def test_dice_left_on_the_tray_are_kept() -> None:
    assert KEEP.answers_shown_by(Act(left=(1, 5), thrown=1)) == (Kept((1, 5)),)
    assert KEEP.answers_shown_by(Act(left=(), thrown=3)) == ()


GREEN_OR_WHITE = Choose(
    "Ann",
    "Ann: which colour?",
    tuple(Option(c, c.capitalize(), throws=4, colour=c) for c in ("green", "white")),
)


@pytest.mark.parametrize(
    ("colours", "shown"),
    [
        (("green",) * 4, ["green"]),
        (("white", None, "white", None), ["white"]),
        ((None,) * 4, ["green", "white"]),
        (("green", "white", "green", "green"), []),
        (("red",) * 4, []),
    ],
)
def test_the_colour_of_the_thrown_dice_chooses_the_option(
    colours: tuple[str | None, ...], shown: list[str]
) -> None:
    assert GREEN_OR_WHITE.answers_shown_by(Act((), 4, colours)) == tuple(Chosen(c) for c in shown)


SECOND_KEEP = Keep(
    "Ann",
    "Ann: which dice do you keep?",
    (6, 5, 1, 3),
    lambda kept: None,
    earlier=(6, 5),
    beside=(1, 1, 2, 5),
)


@pytest.mark.parametrize(
    ("left", "thrown", "beside", "kept"),
    [
        ((1,), 1, (6, 5, 1, 1, 2, 5), (1, 6, 5)),
        ((), 3, (6, 1, 1, 2, 5), (6,)),
        ((1, 3), 2, (1, 1, 2, 5), (1, 3)),
        ((3,), 1, (6, 5), (3, 6, 5)),
        ((3,), 1, (1, 1, 2, 5), (3, 6, 5)),
        ((), 4, (), ()),
        ((), 2, (6, 1, 1, 2, 5), (6,)),
    ],
    ids=[
        "the others were left", "a 5 was picked up", "all kept before were picked up",
        "what lay beside is off the tray", "what was kept is off the tray", "an empty tray",
        "one of three thrown again fell off the tray",
    ],
)  # fmt: skip
def test_dice_kept_earlier_can_be_kept_or_thrown(
    left: tuple[int, ...], thrown: int, beside: tuple[int, ...], kept: tuple[int, ...]
) -> None:
    assert SECOND_KEEP.answers_shown_by(Act(left, thrown, (), beside)) == (Kept(kept),)


def test_the_last_die_can_only_be_kept() -> None:
    assert Keep("Ann", "Keep.", (4,)).answers_shown_by(Act(left=(), thrown=6)) == (Kept((4,)),)


def test_a_roll_prompt_is_not_answered_by_an_act() -> None:
    assert ROLL.answers_shown_by(Act(left=(), thrown=2)) == ()


# -- JSON ----------------------------------------------------------------------------------------------------


def test_prompts_are_converted_to_json() -> None:
    assert GREEN.to_json() == {
        "kind": "roll",
        "player": "Ann",
        "dice": [{"colour": "green", "count": 2}],
        "beside": [],
        "text": "Ann: throw two green dice.",
    }
    assert replace(ROLL, purpose="start").to_json() == ROLL.to_json() | {"for": "start"}
    assert CHOOSE.to_json() == {
        "kind": "choose",
        "player": "Ann",
        "options": [{"id": "hold", "text": "Hold 5"}, {"id": "roll", "text": "Throw again", "throws": 1}],
        "text": "Ann: hold 5 or throw again?",
    }
    assert KEEP.to_json() == {
        "kind": "keep",
        "player": "Ann",
        "from": [1, 1, 5],
        "text": "Ann: which dice do you keep?",
    }


def test_the_page_is_told_which_dice_can_be_kept() -> None:
    def ones_and_fives(kept: tuple[int, ...]) -> str | None:
        return None if kept and set(kept) <= {1, 5} else "Keep 1s and 5s."

    some = Keep("Ann", "Ann: keep.", (1, 3, 5, 6), ones_and_fives).shown()
    assert (some.get("all"), some["idle"]) == (None, [1, 3])
    assert some["why_idle"] == ["Keep 1s and 5s.", "Keep 1s and 5s."]
    every = Keep("Ann", "Ann: keep.", (1, 5, 5), ones_and_fives).shown()
    assert (every["all"], every.get("idle")) == (True, None)


def test_the_page_is_told_what_dice_that_can_be_kept_are_worth() -> None:
    def ones(kept: tuple[int, ...]) -> str | None:
        return None if kept and set(kept) == {1} else "Keep 1s."

    asked = Keep("Ann", "Ann: keep.", (1, 3, 1), ones, worth=lambda kept: 100 * len(kept)).shown()
    assert asked["worth"] == {"1": 100, "1-1": 200}
    assert "worth" not in Keep("Ann", "Ann: keep.", (1, 3, 1), ones).shown()


def test_the_json_of_a_keep_names_earlier_dice_and_whether_none_is_allowed() -> None:
    assert SECOND_KEEP.to_json()["earlier"] == [6, 5]
    assert SECOND_KEEP.to_json()["none"] is True
    assert not {"earlier", "none"} & set(KEEP.to_json())


def test_a_random_throw_has_the_colours_that_are_asked_for() -> None:
    groups = (DiceGroup(2, "green"), DiceGroup(1, either=("red", "blue")), DiceGroup(1))
    throw = Roll("Ann", "Ann: throw.", groups).random_answer(Random(1))
    assert [d.colour for d in throw.dice] == ["green", "green", "red", None]
