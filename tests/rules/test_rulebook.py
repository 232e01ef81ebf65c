"""The parts of a game's docstring, and which of them are required."""

from __future__ import annotations

import pytest

from table.rules.rulebook import Rulebook

DOC = """Hearts & Dice: Throw often, and
hold in time.

Throw one die: it counts.
A 1 counts nothing.

On the tray: throw.

Source: a box of games.
Rulings: T-1 a 1 is no score; it costs nothing; T-2 two may
tie (as in T-1).
"""


def test_a_docstring_is_parsed_into_title_aim_rules_and_rulings() -> None:
    book = Rulebook.of(DOC)
    assert (book.title, book.aim) == ("Hearts & Dice", "Throw often, and hold in time.")
    assert book.rules == "Throw one die: it counts.\nA 1 counts nothing.\n\nOn the tray: throw."
    assert book.rulings == (("T-1", "a 1 is no score; it costs nothing"), ("T-2", "two may tie (as in T-1)"))


def test_the_rules_come_in_paragraphs_without_the_breaks_of_their_lines() -> None:
    rules = "Throw one die: it counts.\nA 1 counts\nnothing.\n\nOn the tray: throw\nit far."
    assert Rulebook("Hearts", "Throw.", rules, ()).paragraphs == (
        ("Throw one die:", "it counts."),
        ("", "A 1 counts nothing."),
        ("On the tray:", "throw it far."),
    )


def test_source_and_rulings_are_optional() -> None:
    assert Rulebook.of("Odds: Throw odds.\n\nThrow.\n\nSource: none.").rulings == ()
    assert Rulebook.of("Odds: Throw odds.\n\nThrow.") == Rulebook("Odds", "Throw odds.", "Throw.", ())


@pytest.mark.parametrize(
    "doc",
    [
        "",
        "Odds",
        "Odds: throw odds.",
        "Throw odds.\n\nThrow.",
        "Odds: throw.\n\nSource: none.",
        ": it.\n\nThrow.",
    ],
)
def test_a_docstring_without_title_aim_or_rules_is_refused(doc: str) -> None:
    with pytest.raises(ValueError, match=r"begins “Title: aim\.”"):
        Rulebook.of(doc)


def test_a_missing_docstring_is_refused() -> None:
    with pytest.raises(ValueError, match="without -OO, which removes docstrings"):
        Rulebook.of(None)
