"""Numbers, lists and sentences in the words of the referee."""

from __future__ import annotations

from table.rules import words


def test_numbers_dice_lists_and_points_are_put_in_words() -> None:
    assert [words.number(n) for n in (0, 1, 10, 11)] == ["no", "one", "ten", "11"]
    assert [words.dice(1), words.dice(4, "green"), words.dice(0)] == ["one die", "four green dice", "no dice"]
    assert [words.dice(11), words.dice(11, "red", most=99), words.dice(100, most=99)] == [
        "11 dice",
        "eleven red dice",
        "100 dice",
    ]
    assert [words.listed([]), words.listed([1]), words.listed([1, 4, 6]), words.listed("ab", "or")] == [
        "nothing",
        "1",
        "1, 4 and 6",
        "a or b",
    ]
    assert [words.points(1), words.points(25)] == ["1 point", "25 points"]
    assert [words.signed(n) for n in (1000, -5, 0)] == ["+1,000", "−5", "0"]
    assert [words.figures(n) for n in (1000, -2500, 0)] == ["1,000", "−2,500", "0"]
    assert [words.with_minus(text) for text in ("-2 in money", "-", "5-2")] == ["−2 in money", "-", "5-2"]


def test_numbers_of_two_figures_are_put_in_words() -> None:
    said = {words.number(n, words.MOST_IN_WORDS): n for n in (0, 1, 10, 11, 19, 20, 21, 99, 100, 1000)}
    assert said == {
        "no": 0, "one": 1, "ten": 10, "eleven": 11, "nineteen": 19, "twenty": 20, "twenty-one": 21,
        "ninety-nine": 99, "100": 100, "1,000": 1000,
    }  # fmt: skip


def test_one_die_lies_and_two_dice_lie() -> None:
    assert [words.as_they_lie(1), words.as_they_lie(2)] == ["as it lies", "as they lie"]


def test_a_message_becomes_a_sentence() -> None:
    assert words.sentence("no camera is found") == "No camera is found."
    assert words.sentence("Really?") == "Really?"
    assert words.lower_first("Throw again") == "throw again"
    assert words.lower_first("HOT beats NEAR") == "HOT beats NEAR"
    assert words.lower_first("A pair") == "a pair"


def test_a_text_of_over_60_characters_is_cut_to_its_beginning() -> None:
    assert words.short("x" * 60) == "x" * 60
    assert words.short("x" * 61) == "x" * 57 + "..."
