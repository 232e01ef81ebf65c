"""Coming back to a long match: a table that was switched off goes on before anybody has sat down again."""

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
MOST_S = 0.2
TRIES = 5
"""The best of so many counts: this thread's own time, and yet other programs take its caches away."""


def cautious(prompt: Prompt, rng: Random) -> Answer:
    """By chance, but nobody stops."""
    on = [o.id for o in prompt.options if o.id in ("roll", "throw_on")] if isinstance(prompt, Choose) else []
    return Chosen(on[0]) if on else prompt.by_chance(rng)


def a_long_match(name: str, players: int) -> Match:
    match, rng = Match(game(name), playing.seated(players)), Random(1)
    while match.at < ANSWERS:
        assert match.prompt is not None
        match = match.after(match.answered(cautious(match.prompt, rng)))
    return match


def best_s(what: Callable[[], object]) -> float:
    def once() -> float:
        began = time.thread_time()
        what()
        return time.thread_time() - began

    return min(once() for _ in range(TRIES))


@pytest.mark.parametrize("name", ["five_dice", "pig"])
def test_a_match_of_2000_answers_is_taken_up_within_a_fifth_of_a_second(name: str, tmp_path: Path) -> None:
    match = a_long_match(name, 10)
    with closing(Log(tmp_path / "log.db")) as log:
        log.append(log.start(name, match.seats, match.given), match.answers)
        taken_up = []

        def take_up() -> None:
            on = log.current()
            assert on is not None
            taken_up.append(replay(match.game, on.seats, on.given, on.events))

        assert best_s(take_up) < MOST_S
    assert taken_up[-1].view() == match.view()


@pytest.mark.parametrize("name", ["five_dice", "pig"])
def test_a_long_match_is_shown_and_corrected_without_a_wait(name: str) -> None:
    match = a_long_match(name, 10)
    assert best_s(lambda: match_to_json(match.view())) < MOST_S / 5
    first = next(a for a in match.answers[20:] if isinstance(a.answer, Throw))
    assert isinstance(first.answer, Throw)
    turned = Throw.of(*(7 - face for face in first.answer.faces))
    assert best_s(lambda: match.after(match.corrected(first.at, turned))) < MOST_S * 2
