"""Simulated players, at a table without a camera."""

from __future__ import annotations

from pathlib import Path

from table.common.tray import TrayState
from table.simulated_players import SimulatedPlayers
from tests.page.fake_table import FakeHand, FakeTable


def test_a_leaning_die_is_thrown_again(tmp_path: Path) -> None:
    table = FakeTable(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    table.hand = hand = FakeHand(table, (6,))
    table.throws(1, 1, 4, 4, 2, (5, "cocked"))
    asked = table.snapshot
    assert asked.tray.state is TrayState.COCKED
    with SimulatedPlayers(table, thinking_s=0.01):
        table.wait_after(asked.seq, 5.0)
    assert [colours for colours, _ in hand.thrown] == [("white",)]
