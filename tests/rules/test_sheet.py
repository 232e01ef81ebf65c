"""The sheet: what is written, and what cannot be."""

from __future__ import annotations

import pytest

from table.rules.sheet import Sheet


def test_the_last_line_of_a_player_is_settled() -> None:
    sheet = Sheet(("Ann", "Ben"))
    sheet.score("Ann", -2, "the stake")
    sheet.score("Ben", -2, "the stake")
    sheet.settle("Ann", 4, "the pot of 4 is won")
    assert [(line.player, line.points, line.reason) for line in sheet.lines] == [
        ("Ann", 2, "the pot of 4 is won"),
        ("Ben", -2, "the stake"),
    ]
    assert sheet.totals == {"Ann": 2, "Ben": -2}


def test_a_player_without_a_line_has_none_to_settle() -> None:
    with pytest.raises(ValueError, match=r"^Ann has no line to settle$"):
        Sheet(("Ann",)).settle("Ann", 1, "nothing")
