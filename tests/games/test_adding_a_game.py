"""A game is one file: boston.py is a whole game, and the table plays, describes and referees it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from table.commands.games import game_to_json
from table.commands.rules import rules_text
from table.common.errors import IllegalAnswer
from table.rules.answers import Throw
from table.rules.game import Seat
from table.rules.match import Match, replay
from tests.games import boston, playing
from tests.games.boston import BOSTON

SEATS = (Seat("Ann"), Seat("Ben"))
MAX_LINES = 40


def after_throws(*throws: tuple[int, ...]) -> Match:
    """The match after these throws; Ann begins."""
    match = Match(BOSTON, SEATS, {"start": "Ann"})
    for faces in throws:
        match = match.after(match.answered(Throw.of(*faces)))
    return match


def test_the_whole_game_is_one_short_file() -> None:
    assert len(Path(boston.__file__).read_text("utf-8").splitlines()) <= MAX_LINES


def test_the_highest_die_of_each_throw_counts() -> None:
    match = after_throws((2, 5, 5), (1, 3), (6,), (1, 1, 1), (1, 1), (2,))
    assert match.scores == {"Ann": 14, "Ben": 4}
    assert [line.reason for line in match.view().sheet] == ["5, 3 and 6", "1, 1 and 2"]
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.reason) == (("Ann",), "Ann: the most with 14.")


def test_equal_scores_win_jointly() -> None:
    outcome = after_throws((1, 1, 4), (1, 1), (1,), (4, 1, 1), (1, 1), (1,)).outcome
    assert outcome is not None
    assert outcome.winners == ("Ann", "Ben")


def test_the_prompt_names_the_dice_beside_and_the_number_thrown() -> None:
    match = after_throws((2, 5, 5))
    assert match.prompt is not None
    assert match.prompt.to_json() == {
        "kind": "roll",
        "player": "Ann",
        "dice": [{"colour": None, "count": 2}],
        "beside": [5],
        "text": "Ann: throw two dice.",
    }
    with pytest.raises(IllegalAnswer, match="Two dice expected, three dice came"):
        match.answered(Throw.of(1, 2, 3))


def test_random_play_ends_and_replays() -> None:
    match = Match(BOSTON, playing.make_seats(10))
    events = playing.play_to_end(match, Random(4), 1000)
    assert match.outcome is not None
    assert replay(BOSTON, playing.make_seats(10), {}, events).view() == match.view()


def test_commands_and_scripts_show_its_docstring() -> None:
    described_game, text = game_to_json(BOSTON), rules_text(BOSTON)
    assert (described_game["title"], described_game["aim"]) == (
        "Going to Boston",
        "Three dice, three throws. The highest die of each throw counts; the highest sum wins.",
    )
    assert [setting["name"] for setting in described_game["settings"]] == ["start", "dice"]
    assert "Fouls, all void: throwing a die that is set aside" in text
    assert "  G-2  players who tie for the highest score win jointly\n" in text
