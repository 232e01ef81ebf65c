"""A long match is resumed at once after the table was switched off: within 0.2 s on a laptop."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from table.games import game
from table.log.store import Log
from table.referee.snapshot import match_to_json
from table.rules.answers import Answer, Chosen, Throw
from table.rules.match import Match, replay
from table.rules.prompts import Choose, Prompt
from tests.games import playing

ANSWERS = 2000
MOST_TO_RESUME, MOST_TO_SHOW, MOST_TO_CORRECT = 5.0, 0.7, 6.0
"""Most processor time, as multiples of what a million squares take here.

Measured: 0.9 to 2.3 (0.13 s), 0.08 to 0.19 (0.01 s), 1.4 to 2.1 (0.12 s).
"""
TRIES = 5
"""The best of this number of runs counts.

Only time of this thread is measured, but other programs empty its caches.
"""


def never_stopping_answer(prompt: Prompt, rng: Random) -> Answer:
    """A random answer that never ends a turn by choice."""
    on = [o.id for o in prompt.options if o.id in ("roll", "throw_on")] if isinstance(prompt, Choose) else []
    return Chosen(on[0]) if on else prompt.random_answer(rng)


def long_match(name: str, players: int) -> Match:
    match, rng = Match(game(name), playing.make_seats(players)), Random(1)
    while match.at < ANSWERS:
        assert match.prompt is not None
        match = match.after(match.answered(never_stopping_answer(match.prompt, rng)))
    return match


def best_s(action: Callable[[], object]) -> float:
    def once() -> float:
        began = time.thread_time()
        action()
        return time.thread_time() - began

    return min(once() for _ in range(TRIES))


def times_squares(action: Callable[[], object]) -> float:
    """How many times as long as a million squares the action takes."""
    squares_s = best_s(lambda: sum(n * n for n in range(1_000_000)))
    return best_s(action) / squares_s


@pytest.mark.parametrize("name", ["five_dice", "pig"])
def test_a_match_of_2000_answers_is_resumed_without_delay(name: str, tmp_path: Path) -> None:
    match = long_match(name, 10)
    with closing(Log(tmp_path / "log.db")) as log:
        log.append(log.start(name, match.seats, match.raw_settings), match.answers)
        resumed = []

        def resume() -> None:
            on = log.current()
            assert on is not None
            resumed.append(replay(match.game, on.seats, on.raw_settings, on.events))

        assert times_squares(resume) < MOST_TO_RESUME
    assert resumed[-1].view() == match.view()


@pytest.mark.parametrize("name", ["five_dice", "pig"])
def test_a_long_match_is_shown_and_corrected_without_delay(name: str) -> None:
    match = long_match(name, 10)
    assert times_squares(lambda: match_to_json(match.view())) < MOST_TO_SHOW
    first = next(a for a in match.answers[20:] if isinstance(a.answer, Throw))
    assert isinstance(first.answer, Throw)
    turned = Throw.of(*(7 - face for face in first.answer.faces))
    assert times_squares(lambda: match.after(match.corrected(first.at, turned))) < MOST_TO_CORRECT
