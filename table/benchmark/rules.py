"""The cost of the rules: every game played at random, and the time to resume after 2,000 answers.

Times are this thread's CPU time, s: that of an idle core, whatever else runs on it.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from table.games import GAMES, game
from table.log.store import Log, logged_matches
from table.rules.accounts import coach_to_json
from table.rules.game import Game, Seat
from table.rules.match import Match, replay

RESUMED = 2000
"""Answers to resume from: in one long match, or in several."""
PLAYERS = 3
"""Number of players, where the game allows it."""
NAMES = tuple(f"Player {n}" for n in range(1, 13))


@dataclass(frozen=True)
class PlayedMatches:
    """Complete matches of a game, and the time to play them."""

    players: int
    matches: tuple[Match, ...]
    spent_s: float

    @property
    def answers(self) -> int:
        return sum(match.at for match in self.matches)

    def to_json(self) -> dict[str, Any]:
        return {
            "players": self.players,
            "games": len(self.matches),
            "games_a_second": round(len(self.matches) / self.spent_s, 2),
            "answers_a_game": round(self.answers / len(self.matches), 1),
            "answers_a_second": round(self.answers / self.spent_s),
        }


def playing_figures(folder: Path, seconds: float, seed: int) -> dict[str, dict[str, Any]]:
    """The cost of play, by game; the games share the seconds.

    Leaves a log with enough answers of every game in the folder.
    """
    found = {}
    for name in GAMES:
        played = play_random_matches(game(name), seconds / len(GAMES), Random(seed))
        write(folder / f"{name}.db", played.matches)
        found[name] = played.to_json()
    return found


def play_random_matches(rules: Game, seconds: float, rng: Random) -> PlayedMatches:
    """Matches played in sequence for this many seconds, or longer until they have RESUMED answers."""
    seats = [Seat(name) for name in NAMES[: sorted((PLAYERS, rules.players[0], rules.players[-1]))[1]]]
    matches, spent_s, answers = list[Match](), 0.0, 0
    while spent_s < seconds or answers < RESUMED:
        began = time.thread_time()
        match = play_random_match(rules, seats, rng)
        spent_s += time.thread_time() - began
        answers += match.at
        matches.append(match)
    return PlayedMatches(len(seats), tuple(matches), spent_s)


def play_random_match(rules: Game, seats: Sequence[Seat], rng: Random) -> Match:
    """A match played to its end, or until it breaks off."""
    match = Match(rules, seats)
    while match.prompt is not None:
        match = match.after(match.answered(match.prompt.random_answer(rng)))
    return match


def write(path: Path, matches: Sequence[Match]) -> None:
    """Writes a log of the first matches that have enough answers together."""
    written = 0
    with closing(Log(path)) as log:
        for match in matches:
            log.append(log.start(match.game.name, match.seats, match.raw_settings), match.answers)
            written += match.at
            if written >= RESUMED:
                break


def coaching_figures(seed: int) -> dict[str, dict[str, float]]:
    """By game whose coach knows best play: the slowest answer of one match, ms, and the slowest after it.

    The slowest one computes the tables. As few play as can, because that is the largest case.
    """
    return {name: coached_ms(rules, Random(seed)) for name, rules in GAMES.items() if rules.best_play}


def coached_ms(rules: Game, rng: Random) -> dict[str, float]:
    """The slowest answers of the coach at the prompts of a random match."""
    match, spent_ms = Match(rules, [Seat(name) for name in NAMES[: rules.players[0]]]), list[float]()
    while match.prompt is not None:
        began = time.thread_time()
        coach_to_json(match.view())
        spent_ms.append((time.thread_time() - began) * 1000)
        match = match.after(match.answered(match.prompt.random_answer(rng)))
    first, then, *_ = sorted(spent_ms, reverse=True)
    return {"first_ms": round(first, 1), "later_ms": round(then, 1)}


def resuming_figures(folder: Path) -> dict[str, float]:
    """By game: time to resume after 2,000 answers, ms, in a process that has played none of them."""
    return {path.stem: resumed_ms(path) for path in sorted(folder.glob("*.db"))}


def resumed_ms(path: Path) -> float:
    """Time to read the log and replay all its matches, per 2,000 answers."""
    gc.collect()  # the garbage of other games must not count for this one
    began, answers = time.thread_time(), 0
    for logged, _ in logged_matches(path):
        answers += replay(game(logged.game), logged.seats, logged.raw_settings, logged.events).at
    return round((time.thread_time() - began) * 1000 * RESUMED / answers, 1)
