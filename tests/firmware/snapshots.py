"""Snapshots of a game of Pig, as the referee publishes them."""

from __future__ import annotations

from dataclasses import replace

from table.common.tray import TrayState
from table.referee.snapshot import Snapshot, TrayView
from tests.games.night import Night


def of(night: Night, tray: TrayState = TrayState.WAITING) -> Snapshot:
    return Snapshot(match=night.match.view(), tray=TrayView(state=tray))


def during(snapshot: Snapshot, tray: TrayState) -> Snapshot:
    return replace(snapshot, tray=TrayView(state=tray))


def pig(players: int = 2, first: str = "Ann") -> Night:
    return Night(
        "pig", *("Ann", "Ben", "Cal", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")[:players], start=first
    )


NOTHING_ON = Snapshot()
ANN_THROWS = of(pig())
BEN_THROWS = of(pig(first="Ben"))
ANN_CHOOSES = of(pig().throws(5))
