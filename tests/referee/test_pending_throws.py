"""A throw that waits: for a face named by a person, for dice to be thrown again, or for space on the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer, LogUnusable
from table.common.tray import TrayState
from tests.referee.evening import Evening


def test_a_hold_is_refused_while_a_die_is_unsure(pig: Evening) -> None:
    pig.throws(4)
    pig.throws((1, "unsure"))
    assert pig.now.can_confirm is None
    with pytest.raises(IllegalAnswer, match="not settled yet"):
        pig.chooses("hold")
    pig.names_faces(1)
    assert pig.prompt == "Ben: throw one die."


def test_the_question_stays_when_an_earlier_throw_is_corrected(pig: Evening) -> None:
    pig.throws(4)
    pig.throws((3, "unsure"))
    pig.corrects(0, 5)
    assert pig.state == TrayState.UNSURE
    pig.names_faces(3)
    assert pig.prompt == "Ann: hold 8 or throw again?"


def test_the_question_stays_under_a_hand_and_without_a_camera(pig: Evening) -> None:
    pig.throws((3, "unsure"))
    pig.uncovers(pig.covers_all())
    assert pig.state == TrayState.UNSURE
    pig.loses_sight()
    pig.settle()
    assert pig.state == TrayState.UNSURE
    pig.names_faces(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


def test_a_die_can_be_reported_as_fallen_after_a_hand_covered_the_throw(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 2)
    crew.uncovers(crew.covers_all())
    assert crew.now.tray.short
    crew.fell_off()
    crew.throws(3, leaving=places)
    assert crew.prompt == "Ann: keep the cargo of 5 or throw both again (throw 2 of 3)?"


def test_a_cocked_die_thrown_again_can_be_void_and_then_unsure(crew: Evening) -> None:
    *good, _ = crew.throws(6, 5, 4, 3, (2, "cocked"))
    two = crew.throws(1, 1, leaving=tuple(good))
    assert crew.message.startswith("Wrong dice: six dice came to rest, five expected")
    crew.throws((2, "unsure"), leaving=tuple(good))
    assert not set(two) & set(crew.lying)
    crew.names_faces(2)
    assert crew.prompt == "Ann: keep the cargo of 5 or throw both again (throw 2 of 3)?"


def test_a_doubtful_detection_is_asked_about_and_is_no_foul(pig: Evening) -> None:
    _, phantom = pig.throws(4, (1, "unsure"))
    assert pig.state == TrayState.UNSURE
    assert (
        pig.message
        == "Two dice seen, one expected: tap what is marked, and say what it shows or that it is no die."
    )
    pig.names_faces(None)
    assert pig.prompt == "Ann: hold 4 or throw again?"
    pig.throws(3, leaving=(phantom,))
    assert pig.prompt == "Ann: hold 7 or throw again?"


def test_a_doubtful_detection_confirmed_as_a_die_is_a_foul(pig: Evening) -> None:
    pig.throws(4, (1, "unsure"))
    pig.names_faces(1)
    assert pig.message.startswith("Wrong dice: two dice came to rest, one expected")


def test_a_single_doubtful_detection_is_asked_about_before_it_is_a_foul(crew: Evening) -> None:
    crew.throws((2, "unsure"))
    assert crew.state == TrayState.UNSURE
    assert (
        crew.message
        == "One die seen, five expected: tap what is marked, and say what it shows or that it is no die."
    )
    crew.names_faces(None)
    assert (crew.state, crew.message) == (TrayState.WAITING, "")


def test_a_doubtful_detection_is_ignored_while_a_choice_is_awaited(midnight: Evening) -> None:
    places = midnight.throws(6, 6, 3, 2, 4, 1)
    midnight.throws((2, "unsure"), leaving=places)
    assert (midnight.state, midnight.message) == (TrayState.WAITING, "")


def test_a_throw_that_could_not_be_stored_counts_at_the_next_reading(
    pig: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(pig.log, "append", refuse)
        pig.throws(4)
        assert pig.at == 0
        assert pig.message == "The disk is full. The throw counts once the tray is read again."
    pig.uncovers(pig.lying)
    assert pig.prompt == "Ann: hold 4 or throw again?"


def test_a_face_named_by_a_person_is_not_lost_when_the_disk_is_full(
    pig: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    pig.throws((5, "unsure"))
    with monkeypatch.context() as full:
        full.setattr(pig.log, "append", refuse)
        pig.names_faces(3)
        assert pig.message.startswith("The disk is full.")
    pig.settle()
    assert pig.prompt == "Ann: hold 3 or throw again?"


def refuse(*args: object) -> None:
    raise LogUnusable("the disk is full")


def test_a_cocked_die_can_be_picked_up_and_thrown_later(midnight: Evening) -> None:
    *good, leaning = midnight.throws(6, 5, 4, 2, 2, (3, "cocked"))
    midnight.picks_up(leaning)
    assert midnight.state == TrayState.COCKED
    with pytest.raises(IllegalAnswer, match="A throw was made that is not settled yet"):
        midnight.keeps(6)
    midnight.throws(1, leaving=tuple(good))
    assert midnight.state == TrayState.ACCEPTED


def test_a_die_that_people_say_leans_is_thrown_again(midnight: Evening) -> None:
    """It does not seem to lean, in this reading or the next one."""
    *good, leaning = midnight.throws(6, 5, 4, 2, 2, (3, "unsure"))
    midnight.names_faces("leans")
    assert midnight.state == TrayState.COCKED
    assert midnight.message == (
        "One die leaning, so that no face looks up: throw it again alone, and leave the others as they lie."
    )
    midnight.settle()
    assert midnight.state == TrayState.COCKED
    midnight.picks_up(leaning)
    midnight.throws(1, leaving=tuple(good))
    assert midnight.accepted == [(6, 5, 4, 2, 2, 1)]


def test_a_die_that_was_said_to_lean_can_be_said_to_lie_flat(pig: Evening) -> None:
    pig.throws((3, "unsure"))
    pig.names_faces("leans")
    pig.names_faces(3)
    assert pig.accepted == [(3,)]


def test_lifting_a_cocked_die_does_not_allow_the_old_cargo(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 6, 6)
    *_, leaning = crew.throws(1, (1, "cocked"), leaving=places[:3])
    crew.picks_up(leaning)
    with pytest.raises(IllegalAnswer, match="not settled yet"):
        crew.chooses("stay")


def test_removing_dice_does_not_make_a_void_throw_count(pig: Evening) -> None:
    _, spare = pig.throws(5, 1)
    pig.picks_up(spare)
    assert pig.at == 0
    assert pig.state == TrayState.WAITING


def test_a_hand_over_waiting_dice_is_no_foul(midnight: Evening) -> None:
    places = midnight.throws(6, 5, 4, 2, 2, (3, "unsure"))
    whole = dict(midnight.lying)
    midnight.covers(places[0])
    assert midnight.state == TrayState.UNSURE
    midnight.uncovers(whole)
    assert midnight.state == TrayState.UNSURE


def test_a_detection_named_no_die_is_not_asked_about_again(pig: Evening) -> None:
    (die,) = pig.throws(4)
    pig.throws((2, "unsure"), leaving=(die,))
    assert pig.state == TrayState.UNSURE
    pig.names_faces(None)
    assert pig.now.can_confirm == "hold"
    pig.chooses("hold")
    assert pig.prompt == "Ben: throw one die."


@pytest.mark.parametrize("away", [Evening.covers_all, lambda pig: pig.picks_up(*pig.lying)])
def test_a_hold_is_refused_after_covering_or_picking_up_an_unsure_die(
    pig: Evening, away: Callable[[Evening], object]
) -> None:
    pig.throws(4)
    pig.throws((1, "unsure"))
    away(pig)
    with pytest.raises(IllegalAnswer, match="not settled yet"):
        pig.chooses("hold")
    pig.names_faces(1)
    assert pig.prompt == "Ben: throw one die."


def test_a_face_cannot_be_named_while_dice_roll(pig: Evening) -> None:
    pig.throws((3, "unsure"))
    pig.sees(TrayState.ROLLING)
    with pytest.raises(IllegalAnswer, match="The dice are rolling"):
        pig.names_faces(3)


def test_a_tap_before_the_reading_is_refused(pig: Evening) -> None:
    pig.throws(4)
    pig.sees(TrayState.HAND)
    pig.sees(TrayState.SETTLING)
    with pytest.raises(IllegalAnswer, match="The dice are rolling"):
        pig.chooses("hold")
    pig.lying.clear()
    pig.lays(1)
    pig.settle()
    assert pig.prompt == "Ben: throw one die."


def test_a_throw_that_could_not_be_stored_survives_a_hold_and_a_correction(
    pig: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    pig.throws(4)
    with monkeypatch.context() as full:
        full.setattr(pig.log, "append", refuse)
        pig.throws(3)
    with pytest.raises(IllegalAnswer, match="not settled yet"):
        pig.chooses("hold")
    pig.corrects(0, 5)
    assert pig.prompt == "Ann: hold 8 or throw again?"


def test_a_die_of_doubtful_colour_is_asked_about_and_is_no_foul(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:red", "Ben:green", start="Ann", dice="own")
    pig.throws((4, "unsure"), colour="white")
    assert pig.state == TrayState.UNSURE
    pig.names_faces(4)
    assert pig.prompt == "Ann: hold 4 or throw again?"
