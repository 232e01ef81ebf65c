"""Sigily: whole random races with all options."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from table.games import game
from table.rules.match import Match
from tests.games import playing

ADVANCED = ("home", "stacks", "territorial", "magic", "gambling")


@settings(max_examples=25, deadline=None)
@given(
    st.integers(2, 4),
    st.sets(st.sampled_from((*ADVANCED, "teams"))),
    st.sampled_from(("off", "12")),
    st.integers(0, 10**6),
)
def test_every_race_ends_with_52_coins_shared_out(players: int, on: set[str], cards: str, seed: int) -> None:
    settings = {name: "on" for name in sorted(on) if name != "teams" or players == 4} | {"cards": cards}
    match, rng = Match(game("sigily"), playing.make_seats(players), settings), Random(seed)
    while match.prompt is not None:
        match = match.after(match.answered(playing.random_answer(match.prompt, rng)))
        check_board(match)
    assert match.broken is None, match.broken
    assert sum(match.scores.values()) == 52


def check_board(match: Match) -> None:
    """The sheet counts the coins of players and the board loose coins; together there are always 52."""
    view = match.view()
    if view.board is None:
        return
    loose = sum(spot.coins for spot in view.board.spaces)
    assert sum(view.scores.values()) + (0 if match.outcome else loose) == 52
    assert min(view.scores.values()) >= 0
