"""What a game's docstring tells, and what it must not lack."""

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


def test_a_docstring_is_a_rulebook() -> None:
    book = Rulebook.of(DOC)
    assert (book.title, book.aim) == ("Hearts & Dice", "Throw often, and hold in time.")
    assert book.rules == "Throw one die: it counts.\nA 1 counts nothing.\n\nOn the tray: throw."
    assert book.rulings == (("T-1", "a 1 is no score; it costs nothing"), ("T-2", "two may tie (as in T-1)"))


def test_rules_that_leave_nothing_open_need_no_rulings() -> None:
    assert Rulebook.of("Odds: Throw odds.\n\nThrow.\n\nSource: none.").rulings == ()
    assert Rulebook.of("Odds: Throw odds.\n\nThrow.") == Rulebook("Odds", "Throw odds.", "Throw.", ())


@pytest.mark.parametrize(
    "doc", ["", "Odds", "Odds: throw odds.", "Throw odds.\n\nThrow.", "Odds: throw.\n\nSource: none.", ": it.\n\nThrow."]
)
def test_a_game_whose_docstring_lacks_a_part_is_no_game(doc: str) -> None:
    with pytest.raises(ValueError, match=r"begins “Title: aim\.”"):
        Rulebook.of(doc)


def test_a_game_without_a_docstring_is_no_game() -> None:
    with pytest.raises(ValueError, match="-OO leaves docstrings out"):
        Rulebook.of(None)
