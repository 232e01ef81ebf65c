"""How long the games take."""

from __future__ import annotations

import pytest

from table.games import GAMES
from tests.games.lengths import measured

ROUNDED = 3.0
"""Minutes by which a card may differ from a measurement: by rounding to five minutes, and by chance."""


def test_every_game_says_how_long_it_takes() -> None:
    ranges = [game.minutes or (0, 0) for game in GAMES.values()]
    assert all(0 < least <= most for least, most in ranges)


@pytest.mark.parametrize("game", ["pig", "cee_lo", "mia", "hot_score"])
def test_the_minutes_are_those_of_simulated_players(game: str) -> None:
    assert sorted(measured(game, 7)) == pytest.approx(GAMES[game].minutes, abs=ROUNDED)
