"""The cost of the rules: what is played, and what is resumed."""

from __future__ import annotations

from pathlib import Path
from random import Random

from table.benchmark.rules import played_by_chance, resuming_figures, write
from table.games import game


def test_the_matches_that_are_resumed_are_those_that_were_played(tmp_path: Path) -> None:
    played = played_by_chance(game("midnight"), 0.0, Random(3))
    assert played.answers >= 2000 > played.answers - played.matches[-1].at
    assert all(match.outcome for match in played.matches)
    again = played_by_chance(game("midnight"), 0.0, Random(3))
    assert [m.answers for m in again.matches] == [m.answers for m in played.matches]
    write(tmp_path / "midnight.db", played.matches)
    found = resuming_figures(tmp_path)
    assert list(found) == ["midnight"]
    assert found["midnight"] > 0
