"""python -m tests.games.lengths: how long each game takes, in minutes, for the cards of a new game.

Simulated players play whole matches in the rules alone: the coach's best answer where the coach knows it, and
any allowed answer elsewhere. Throws and answers are counted, and each counts as long as people take for it.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import median

from table.games import GAMES
from table.rules.accounts import valued
from table.rules.answers import Answer
from table.rules.entered_prompts import StickThrow
from table.rules.game import Seat
from table.rules.prompts import Prompt, Roll
from tests.games.playing import start

THROW_S = 9.0
"""Seconds from one throw to the next: the dice go to the next hand, are shaken, thrown, come to rest,
are read, and everybody looks. An estimate; the simulated hand takes about 4 s without any of the talk."""

ANSWER_S = 5.0
"""Seconds for a choice, a bid or a bet. An estimate."""

USUAL_PLAYERS = 4
MOST_ANSWERS = 5000


def minutes(game: str, players: int, chance: Random, coached: bool = True) -> float:
    """The minutes of one match."""
    seats = tuple(Seat(f"player {i}", None) for i in range(players))
    match = start(game, seats, {})
    spent_s = 0.0
    while match.prompt is not None and match.at < MOST_ANSWERS:
        spent_s += THROW_S if isinstance(match.prompt, (Roll, StickThrow)) else ANSWER_S
        match = match.after(match.answered(_answer(match.prompt, chance, coached)))
    return spent_s / 60


def _answer(prompt: Prompt, chance: Random, coached: bool) -> Answer:
    best = valued(prompt) if coached else ()
    return best[0].answer if best else prompt.random_answer(chance)


def measured(game: str, matches: int) -> tuple[float, float]:
    """The median minutes with the fewest players and with the usual number of players."""
    fewest, usual = GAMES[game].players[0], min(USUAL_PLAYERS, GAMES[game].players[-1])
    few, many = (
        median(minutes(game, players, Random(seed)) for seed in range(matches)) for players in (fewest, usual)
    )
    return few, many


def main() -> None:
    """Prints the minutes of each game, and what the card says."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.lengths", description=__doc__)
    parser.add_argument("--matches", type=int, default=15, help="matches per game (default: %(default)s)")
    for game in GAMES:
        few, many = measured(game, parser.parse_args().matches)
        print(f"{game:22} {few:6.1f} {many:6.1f}   card: {GAMES[game].minutes}", flush=True)


if __name__ == "__main__":
    main()
