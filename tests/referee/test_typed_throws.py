"""A throw is typed only where the camera cannot tell it, and it is marked as typed for good."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer
from table.common.tray import BLIND, TrayState
from table.referee.actions import SubmitAnswer
from table.referee.snapshot import lines_with_typed_throws, match_to_json
from table.rules.answers import Kept, Sticks, Throw
from tests.referee.evening import Evening
from tests.referee.stick_evening import StickEvening
from vision.tracking.tracks import TrackOutcome


def types(evening: Evening, *faces: int) -> None:
    evening.does(SubmitAnswer(evening.now.number, Throw.of(*faces)))


@pytest.fixture
def midnight(tmp_path: Path) -> Evening:
    return Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")


def test_a_throw_is_not_typed_while_the_camera_sees_the_tray(pig: Evening) -> None:
    for seen in (TrayState.WAITING, TrayState.HAND, TrayState.ROLLING):
        pig.sees(seen)
        assert not pig.now.can_type
        with pytest.raises(IllegalAnswer, match="throw the dice there, or cover the camera to type a throw"):
            types(pig, 5)
    assert pig.at == 0


@pytest.mark.parametrize("trouble", sorted(BLIND))
def test_a_throw_is_typed_while_the_camera_is_ill(pig: Evening, trouble: TrayState) -> None:
    pig.loses_sight(trouble)
    assert pig.now.can_type
    types(pig, 5)
    assert pig.accepted == [(5,)]


def test_a_table_that_never_had_a_camera_takes_typed_throws(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann", "Ben", settled=False, start="Ann")
    types(pig, 5)
    assert pig.accepted == [(5,)]


def test_typing_ends_once_the_camera_has_read_the_tray_again(pig: Evening) -> None:
    pig.loses_sight()
    pig.sees(TrayState.WAITING)
    assert pig.now.can_type, "the tray was not read yet"
    pig.settle()
    assert not pig.now.can_type


def test_a_throw_in_question_can_be_typed(midnight: Evening) -> None:
    midnight.throws(1, 2, 3, 4, 5, (6, "unsure"))
    assert midnight.now.can_type
    types(midnight, 1, 2, 3, 4, 5, 6)
    assert midnight.accepted == [(1, 2, 3, 4, 5, 6)]


def test_dice_of_a_typed_throw_are_kept_by_leaving_them(midnight: Evening) -> None:
    places = midnight.throws(1, 2, 3, 4, 5, (3, "unsure"))
    midnight.answers(Throw.of(1, 2, 3, 4, 5, 6))
    midnight.throws(5, 5, 5, 5, leaving=(places[0], places[5]))
    assert midnight.accepted == [(1, 2, 3, 4, 5, 6), (5, 5, 5, 5)]
    assert midnight.match.answers[1].answer == Kept((1, 6))


def test_a_typed_throw_that_the_dice_do_not_show_is_not_theirs(midnight: Evening) -> None:
    places = midnight.throws(1, 2, 3, 4, 5, (3, "unsure"))
    midnight.answers(Throw.of(1, 1, 3, 4, 5, 6))
    midnight.throws(5, 5, 5, 5, leaving=places[:2])
    assert midnight.accepted == [(1, 1, 3, 4, 5, 6)]


def test_dice_that_the_camera_does_not_see_can_be_typed(midnight: Evening) -> None:
    midnight.throws(1, 2, 3, 4, 5)
    assert midnight.message.startswith("Wrong dice")
    types(midnight, 1, 2, 3, 4, 5, 6)
    assert midnight.accepted == [(1, 2, 3, 4, 5, 6)]


def test_a_foul_of_hands_is_not_typed_away(pig: Evening) -> None:
    pig.lays(6, outcome=TrackOutcome.PLACED)
    pig.settle()
    assert pig.message.startswith("Foul")
    assert not pig.now.can_type


def test_dice_that_stood_and_were_thrown_again_and_again_can_be_typed(midnight: Evening) -> None:
    """A simulated hand cannot put them back, and throws all dice each time."""
    midnight.throws(1, 1, 1, 2, 2, (5, "cocked"))
    for _ in range(2):
        midnight.throws(6, 6, 6, 6, 4, 1)
        assert midnight.message.endswith("throw the rest alone, or type the throw.")
        assert midnight.now.can_type
    types(midnight, 1, 1, 1, 2, 2, 3)
    assert midnight.accepted == [(1, 1, 1, 2, 2, 3)]
    assert midnight.message == ""


def test_a_die_that_leans_is_thrown_and_not_typed(pig: Evening) -> None:
    pig.throws((6, "cocked"))
    assert not pig.now.can_type


def test_sticks_are_typed_only_where_they_are_not_seen(tmp_path: Path) -> None:
    danube = StickEvening(tmp_path, "down_the_danube", "Ann", "Ben", start="Ann")
    sticks = Sticks(("white", "black", "black", "black"))
    with pytest.raises(IllegalAnswer, match="throw the sticks there"):
        danube.does(SubmitAnswer(danube.now.number, sticks))
    danube.loses_sight()
    danube.does(SubmitAnswer(danube.now.number, sticks))
    assert danube.now.match is not None
    assert [t.typed for t in danube.now.match.throws] == [True]


def test_a_typed_throw_stays_marked_after_a_restart_and_a_correction(pig: Evening) -> None:
    pig.throws(4)
    pig.chooses("roll")
    pig.loses_sight()
    types(pig, 3)
    pig.chooses("hold")
    pig.restarts()
    assert marks(pig) == [False, True]
    pig.corrects(0, 5)
    assert marks(pig) == [False, True]
    pig.corrects(2, 6)
    assert marks(pig) == [False, True]


def test_the_sheet_marks_the_lines_that_count_a_typed_throw(pig: Evening) -> None:
    pig.throws(4)
    pig.chooses("hold")
    pig.loses_sight()
    types(pig, 3)
    pig.chooses("hold")
    pig.settle()
    pig.throws(2)
    pig.chooses("hold")
    match = pig.now.match
    assert match is not None
    assert [line.points for line in match.sheet] == [4, 3, 2]
    assert lines_with_typed_throws(match) == {1}
    assert [line.get("typed") for line in match_to_json(match)["sheet"]] == [None, True, None]


def marks(evening: Evening) -> list[bool]:
    """Whether each throw of the match was typed."""
    assert evening.now.match is not None
    return [throw.typed for throw in evening.now.match.throws]
