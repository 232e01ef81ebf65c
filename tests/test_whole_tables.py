"""Whole tables without people: dice roll on a tray and are read, refereed and logged."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from table.commands.wiring import RunningTable
from table.common.tray import TrayState
from table.referee.actions import Start, SubmitAnswer
from table.referee.snapshot import Snapshot
from table.rules.answers import Sticks, Throw
from table.rules.game import Seat
from table.simulated_hand import plan_throw, throw_by_hand
from table.simulated_players import SimulatedPlayers
from tests.at_work import table_at_work, wait_until
from tests.shared_files import shared_file
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.video import VideoFile
from vision.simulation import SimDie
from vision.tracking.tracks import TrackOutcome

SEATS = (Seat("Ann", "green"), Seat("Ben", "red"))

CAMERA_WH, CAMERA_FPS = (640, 480), 15.0
"""A small camera, as in the tests of the hand: half of the pictures, and each with fewer pixels to draw."""

CLIP_THROWS = ((3, 5), (1, 5), (1, 2), (2, 4), (1, 1))
"""The throws of the clip, from its index, which does not say which of the two dice is which. The dice in the
first frame are no throw, because nobody saw them fall."""


def test_the_throws_of_a_clip_are_read(tmp_path: Path) -> None:
    clip = VideoFile(shared_file("photos/clips/RobertWetzler_dice_video_1.mp4"), speed=None)
    with table_at_work(tmp_path, clip) as table:
        now = wait_until(table, lambda s: s.tray.state == TrayState.NO_CAMERA)
    assert [sorted(t) for t in now.tray.free_throws] == [sorted(t) for t in CLIP_THROWS]


def has_free_throws(count: int, now: Snapshot) -> bool:
    return len(now.tray.free_throws) == count


def test_simulated_players_finish_a_game_on_the_simulated_tray(tmp_path: Path) -> None:
    camera = SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=7, paced=False)
    with table_at_work(tmp_path, camera) as table:
        table.do(Start(table.snapshot.number, "midnight", SEATS, {}))
        with SimulatedPlayers(table, thinking_s=0.02):
            now = wait_until(table, lambda s: s.match is not None and s.match.phase != "play")
    assert now.match is not None
    assert now.match.phase == "over"
    assert all(isinstance(t.answer, Throw) and t.answer.dice[0].colour for t in now.match.throws)


def test_simulated_players_play_on_after_the_camera_was_bumped(tmp_path: Path) -> None:
    camera = SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=7, paced=False)
    with table_at_work(tmp_path, camera) as table:
        table.do(Start(table.snapshot.number, "midnight", SEATS, {}))
        with SimulatedPlayers(table, thinking_s=0.02):
            wait_until(table, lambda s: s.match is not None and len(s.match.throws) >= 3)
        wait_until(table, lambda s: camera.resting and not s.tray.state.busy)
        camera.bump(12.0)
        bumped = wait_until(table, lambda s: s.tray.state is TrayState.MOVED)
        assert bumped.match is not None
        assert bumped.tray.message == "The camera was moved. The game goes on."
        with SimulatedPlayers(table, thinking_s=0.02):
            wait_until(table, partial(has_more_throws, len(bumped.match.throws)))


def has_more_throws(count: int, now: Snapshot) -> bool:
    return now.match is not None and len(now.match.throws) > count


def test_simulated_players_throw_sticks_and_say_what_unsure_ones_show(tmp_path: Path) -> None:
    camera = SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=7, paced=False)
    with table_at_work(tmp_path, camera) as table:
        table.do(Start(table.snapshot.number, "down_the_danube", SEATS, {}))
        with SimulatedPlayers(table, thinking_s=0.02):
            now = wait_until(table, lambda s: s.match is not None and len(s.match.throws) >= 4)
    assert now.match is not None
    assert all(isinstance(t.answer, Sticks) for t in now.match.throws)


def test_coins_that_the_hand_throws_are_read(tmp_path: Path) -> None:
    """The throws that the camera answered show what lies there; a person says what unsure coins show."""
    camera, right = SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=7, paced=False), 0
    with table_at_work(tmp_path, camera) as table:
        table.do(Start(table.snapshot.number, "sigily", SEATS, {"sticks": "coins"}))
        wait_for_coins(table)
        for n in range(3):
            throw_by_hand(camera, plan_throw(table.snapshot, camera.lay()))
            now = wait_until(table, partial(has_coins, n + 1))
            lying = sorted("flat" if coin.face == "heads" else "round" for coin in camera.answer_sticks())
            assert now.match is not None
            if len(now.match.throws) == n + 1:
                answer = now.match.throws[n].answer
                right += isinstance(answer, Sticks) and sorted(answer.faces) == lying
            else:
                table.do(SubmitAnswer(now.number, Sticks(tuple(lying))))
    assert right >= 2


def wait_for_coins(table: RunningTable) -> None:
    """Waits until the table knows the coins of the simulated tray, at most a minute."""
    for _ in range(300):
        if table.coins.to_json()["telling"]:
            return
        table.wait_after(table.snapshot.seq, 0.2)
    raise AssertionError("the coins were not shown")


def wait_for_hand(table: RunningTable, camera: SimulatedCamera) -> None:
    """Waits until the simulated hand rests, at most a minute. The table may have counted its throw before."""
    for _ in range(300):
        if camera.resting:
            return
        table.wait_after(table.snapshot.seq, 0.2)
    raise AssertionError("the hand did not finish")


def has_coins(throws: int, now: Snapshot) -> bool:
    """Whether so many throws were answered, or the next one is asked about."""
    asked = any(stick.part == "asked" for stick in now.tray.sticks)
    return now.match is not None and (len(now.match.throws) == throws or asked)


@pytest.mark.parametrize(("game", "backs"), [("sigily", {"round"}), ("down_the_danube", {"black"})])
def test_the_hand_throws_the_sticks_that_a_game_awaits(tmp_path: Path, game: str, backs: set[str]) -> None:
    camera = SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=7, paced=False, lying=(SimDie(5, "red", 0, 0),))
    with table_at_work(tmp_path, camera) as table:
        table.do(Start(table.snapshot.number, game, SEATS, {}))
        throw_by_hand(camera, plan_throw(table.snapshot, camera.lay()))
        wait_for_hand(table, camera)
    assert {stick.back for stick in camera.answer_sticks()} == backs
    assert (len(camera.answer_sticks()), camera.answer_key()) == (4, ())
    assert [o.outcome for o in camera.answer_log()[-1].sticks] == [TrackOutcome.THROWN] * 4


def test_every_accepted_throw_has_the_faces_that_lie_there(tmp_path: Path) -> None:
    """Compares throws of one to six dice with the answer key of the simulation."""
    camera = SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=11, paced=False)
    with table_at_work(tmp_path, camera) as table:
        for n in range(1, 7):
            camera.throw(("white", "red", "blue", "black", "yellow", "green")[:n])
            wait_until(table, partial(has_free_throws, n))
            assert sorted(table.snapshot.tray.free_throws[-1]) == sorted(d.face for d in camera.answer_key())
