"""The verdict on one settled tray, without a table around it."""

from __future__ import annotations

from table.referee.interpretations import Interpretation
from table.referee.judge import judge
from table.referee.verdicts import NoThrow


def test_without_a_game_a_tray_that_can_mean_only_one_thing_is_not_asked_about() -> None:
    still = Interpretation(thrown=())
    assert judge(None, [still]) == (still, NoThrow())
