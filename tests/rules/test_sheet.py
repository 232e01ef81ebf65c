"""The sheet: what is written, and what cannot be."""

from __future__ import annotations

import pytest

from table.rules.sheet import Sheet, running_totals


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


def test_a_note_that_is_settled_shows_its_points() -> None:
    sheet = Sheet(("Ann",))
    sheet.note("Ann", "rank 2", "second in the race")
    sheet.settle("Ann", 3, "paid for the second place")
    assert [(line.value, line.points) for line in sheet.lines] == [(None, 3)]


def test_a_player_without_a_line_has_none_to_settle() -> None:
    with pytest.raises(ValueError, match=r"^Ann has no line to settle$"):
        Sheet(("Ann",)).settle("Ann", 1, "nothing")


def test_a_note_below_a_row_needs_a_round() -> None:
    with pytest.raises(ValueError, match=r"^no round has begun for the note “Ann bid one 6”$"):
        Sheet(("Ann",)).note_row("Ann bid one 6")


def test_a_line_stands_in_the_row_of_the_turn_that_gave_it() -> None:
    sheet = Sheet(("Ann", "Ben"))
    sheet.begin_start()
    sheet.score("Ann", 5, "to begin with")
    for player, points in (("Ann", 0), ("Ben", 3), ("Ann", 4)):
        sheet.begin_turn(player)
        if points:
            sheet.score("Ben", points, f"in a turn of {player}")
    assert [(line.row, line.row_text) for line in sheet.lines] == [(0, "Start"), (1, "1"), (2, "2")]


def test_lines_of_turns_that_nobody_began_are_numbered_for_each_player() -> None:
    sheet = Sheet(("Ann", "Ben"))
    for player in ("Ben", "Ann", "Ben"):
        sheet.score(player, 1, "a turn")
    sheet.score("Ann", 9, "an attempt", "attempt_1")
    assert [line.row for line in sheet.lines] == [1, 1, 2, None]
    assert "row" not in sheet.lines[-1].to_json()


def test_a_line_says_whether_a_ruling_tells_it_already() -> None:
    sheet = Sheet(("Ann",))
    sheet.score("Ann", -1, "lost a die", told=True)
    sheet.score("Ann", 2, "thrown")
    assert [line.to_json().get("told") for line in sheet.lines] == [True, None]


def test_the_total_stands_after_the_last_line_of_a_row() -> None:
    sheet = Sheet(("Ann", "Ben"))
    for lines in ((("Ann", 3), ("Ben", 0)), (("Ann", 2), ("Ann", 4), ("Ben", 5)), (("Ann", -1), ("Ben", 0))):
        sheet.begin_round()
        for player, points in lines:
            sheet.score(player, points, "some")
    assert running_totals(sheet.lines) == [None, None, None, 9, None, 8, None]


def test_a_first_row_of_several_lines_has_a_total_too() -> None:
    sheet = Sheet(("Ann", "Ben"))
    sheet.begin_round()
    for player, points in (("Ben", 7), ("Ann", 3), ("Ben", 4)):
        sheet.score(player, points, "some")
    assert running_totals(sheet.lines) == [None, None, 11]


def test_the_boxes_of_a_form_have_no_total_after_them() -> None:
    sheet = Sheet(("Ann",))
    for points in (3, 4):
        sheet.score("Ann", points, "some", box=f"box {points}")
    assert running_totals(sheet.lines) == [None, None]
