"""The cost of the rules: random matches, and matches resumed from their log."""

from __future__ import annotations

from pathlib import Path
from random import Random

from table.benchmark.rules import play_random_matches, resuming_figures, write
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
