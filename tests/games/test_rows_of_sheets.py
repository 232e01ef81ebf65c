"""A row of a sheet is a turn or a round of the game, as people write it on paper."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from table.games import GAMES
from table.referee.snapshot import lines_with_typed_throws
from table.rules.entered_prompts import Hidden
from table.rules.match import MatchView
from table.rules.sheet import START_ROW, Line
from tests.games import playing
from tests.games.night import Night

ROUNDS = ("bricrius_bluff", "liars_dice", "mia")
"""Games of which each round takes something from one player or from several."""


def played(game: str, seed: int = 1, most: int = 300) -> MatchView:
    """A random match with this many answers at most."""
    seats = playing.make_seats(max(2, min(3, GAMES[game].players[-1])), colours=True)
    match, chance = playing.start(game, seats, {}), Random(seed)
    while match.prompt is not None and match.at < most:
        match = match.after(match.answered(playing.random_answer(match.prompt, chance)))
    return match.view()


@pytest.mark.parametrize("game", GAMES)
def test_each_line_has_a_row_or_a_box(game: str) -> None:
    sheet = played(game).sheet
    assert all((line.row is None) == bool(line.box) for line in sheet)
    rows = [line.row for line in sheet if line.row is not None]
    assert rows == sorted(rows) or game in ("high_rollin", "sigily"), "nothing is written above"


@pytest.mark.parametrize("game", ROUNDS)
def test_a_row_is_a_round_and_begins_with_what_each_player_has(game: str) -> None:
    sheet = played(game).sheet
    assert {line.player for line in sheet if line.row == START_ROW} == {"Ann", "Ben", "Cal"}
    lost = [line for line in sheet if line.row != START_ROW]
    ends = sorted({line.at for line in lost})
    assert [line.row for line in lost] == [ends.index(line.at) + 1 for line in lost], "every round takes some"


def test_the_points_of_a_fall_stand_in_the_row_of_that_turn() -> None:
    sheet = played("high_rollin", seed=3).sheet
    falls = [line for line in sheet if "let" in line.reason]
    by_moment: dict[int, set[int | None]] = {}
    for line in falls:
        by_moment.setdefault(line.at, set()).add(line.row)
    assert len(by_moment) > 2
    assert all(len(rows) == 1 for rows in by_moment.values()), "those of all players"
    assert max(Counter((line.player, line.row) for line in falls).values()) > 1, "others fell in that round"


def test_a_row_of_the_danube_is_a_turn_though_most_turns_bring_no_piece_off() -> None:
    sheet = played("down_the_danube", seed=2, most=2000).sheet
    assert sheet[0].row
    assert sheet[0].row > 5


def test_a_tie_for_the_start_counts_for_no_line() -> None:
    pig = Night("pig", "Ann", "Ben").throws(3).throws(3).throws(5).throws(2)
    pig.throws(4).chooses("hold")
    (line,) = pig.match.view().sheet
    assert typed(pig.match.view(), *range(4)) == []
    assert typed(pig.match.view(), 4) == [line]


def test_a_typed_throw_of_a_turn_without_a_line_marks_no_line_of_another_turn() -> None:
    view = played("sigily", seed=3)
    began = {line.since for line in view.sheet}
    silent = [
        throw.at for throw in view.throws if not any(line.since <= throw.at < line.at for line in view.sheet)
    ]
    assert began
    assert silent, "some turns bring no coins"
    assert typed(view, *silent) == []
    for line in view.sheet:
        between = (t for t in view.throws if line.since <= t.at < line.at)
        own = [t.at for t in between if t.prompt["player"] == line.player]
        assert line in typed(view, *own) or not own


def test_dice_that_others_reveal_mark_the_line_of_the_round() -> None:
    view = played("liars_dice")
    (line,) = [line for line in view.sheet if line.row == 1]
    revealed = [t.at for t in view.throws if line.since <= t.at < line.at]
    assert revealed
    assert not any(t.prompt["kind"] == Hidden.kind for t in view.throws)
    assert typed(view, *revealed) == [line]


def typed(view: MatchView, *ats: int) -> list[Line]:
    """The lines that are marked if the throws with these numbers were typed."""
    throws = tuple(replace(throw, typed=throw.at in ats) for throw in view.throws)
    return [view.sheet[i] for i in sorted(lines_with_typed_throws(replace(view, throws=throws)))]
