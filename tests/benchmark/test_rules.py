"""The cost of the rules: random matches, and matches resumed from their log."""

from __future__ import annotations

from pathlib import Path
from random import Random

from table.benchmark.rules import coached_ms, play_random_matches, resuming_figures, write
from table.games import game


def test_random_matches_end_repeat_by_seed_and_are_resumed(tmp_path: Path) -> None:
    played = play_random_matches(game("midnight"), 0.0, Random(3))
    assert played.answers >= 2000 > played.answers - played.matches[-1].at
    assert all(match.outcome for match in played.matches)
    again = play_random_matches(game("midnight"), 0.0, Random(3))
    assert [m.answers for m in again.matches] == [m.answers for m in played.matches]
    write(tmp_path / "midnight.db", played.matches)
    resume_ms = resuming_figures(tmp_path)
    assert list(resume_ms) == ["midnight"]
    assert resume_ms["midnight"] > 0


def test_the_first_answer_of_a_coach_is_the_slowest() -> None:
    cost = coached_ms(game("ship_captain_crew"), Random(3))
    assert cost["first_ms"] > cost["later_ms"] >= 0
