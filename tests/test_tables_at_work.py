"""Dice rolling on a tray, seen, read, refereed and logged, without a hand on a keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.tray import TrayState
from table.referee.actions import Start
from table.rules.answers import Throw
from table.rules.game import Seat
from table.simulated_players import SimulatedPlayers
from tests.at_work import shared, table_at_work, wait_until
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.video import VideoFile

SEATS = (Seat("Ann", "green"), Seat("Ben", "red"))

FILMED = ((3, 5), (1, 5), (1, 2), (2, 4), (1, 1))
"""The throws of the clip, from its index; which of the two dice is which is not told there. How the dice came to lie there that are in
its first frame nobody saw, so they are no throw."""


def test_filmed_throws_are_read_as_they_fall(tmp_path: Path) -> None:
    clip = VideoFile(shared("photos/clips/RobertWetzler_dice_video_1.mp4"), speed=None)
    with table_at_work(tmp_path, clip) as table:
        now = wait_until(table, lambda s: s.tray.state == TrayState.NO_CAMERA)
    assert [sorted(t) for t in now.tray.free_throws] == [sorted(t) for t in FILMED]


@pytest.mark.parametrize("game", ["ship_captain_crew", "midnight"])
def test_a_game_plays_itself_on_the_simulated_tray(tmp_path: Path, game: str) -> None:
    camera = SimulatedCamera(seed=7, paced=False)
    with table_at_work(tmp_path, camera) as table:
        table.do(Start(table.snapshot.number, game, SEATS, {}))
        with SimulatedPlayers(table, thinking_s=0.02):
            now = wait_until(table, lambda s: s.match is not None and s.match.phase != "play")
    assert now.match is not None
    assert now.match.phase == "over"
    assert all(isinstance(t.answer, Throw) and t.answer.dice[0].colour for t in now.match.throws)


def test_every_throw_is_read_as_it_lies(tmp_path: Path) -> None:
    """Each accepted throw against what really lay there, over a game's first throws."""
    camera = SimulatedCamera(seed=11, paced=False)
    with table_at_work(tmp_path, camera) as table:
        for n in range(1, 13):
            camera.throw(("white", "red", "blue", "black", "yellow", "green")[: 1 + n % 6])
            wait_until(table, lambda s, n=n: len(s.tray.free_throws) == n)
            assert sorted(table.snapshot.tray.free_throws[-1]) == sorted(d.face for d in camera.answer_key())
