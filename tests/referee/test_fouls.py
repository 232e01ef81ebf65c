"""Fouls with their rules, in the words of the rulebooks, and acts that are no foul."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from table.common.tray import TrayState
from table.referee.effects import Ruled
from table.referee.fouls import FOULS, RULES
from table.rules.answers import Kept
from tests.referee.evening import Evening
from vision.readings import SeenDie
from vision.tracking.tracks import TrackOutcome


def rulings_of(table: Evening) -> list[tuple[str, str]]:
    """(kind, rule) of all rulings except those of the game itself."""
    return [(r.kind, r.rule) for r in table.effects if isinstance(r, Ruled) and r.kind != "score"]


def test_every_foul_has_a_name_a_rule_and_a_sentence() -> None:
    assert {f.rule for f in FOULS} == {"G5", "G6", "G10"}
    assert {f.rule for f in FOULS} <= RULES.keys()
    assert all(f.name and f.sentence.endswith((".", "{prompt}")) for f in FOULS)


def test_a_foul_names_its_rule_while_it_is_shown(pig: Evening) -> None:
    (die,) = pig.throws(5)
    assert pig.now.tray.rule == ""
    pig.turns(die, 6)
    assert pig.now.tray.rule == "G6"
    pig.sees(TrayState.DARK, "The picture is dark.")
    assert pig.now.tray.rule == "", "a camera fault has no rule"
    pig.settle()
    assert pig.now.tray.rule == "G6"
    pig.turns(die, 5)
    assert pig.now.tray.rule == ""
    pig.throws(2, 3)
    assert (pig.state, pig.now.tray.rule) == (TrayState.WRONG_DICE, "G5")
    pig.throws((3, "cocked"))
    assert (pig.state, pig.now.tray.rule) == (TrayState.COCKED, "G4")


def test_a_foul_beside_a_valid_throw_names_its_rule(midnight_thrown: Evening) -> None:
    midnight_thrown.turns(2, 4, settle=False)
    midnight_thrown.throws(5, 5, 1, leaving=(0, 1, 2))
    assert midnight_thrown.message.startswith("Foul: the 3 was turned by hand")
    assert midnight_thrown.now.tray.rule == "G6"


def test_throwing_again_while_in_doubt_names_its_rule(pig: Evening) -> None:
    pig.throws((4, "unsure"))
    assert (pig.state, pig.now.tray.rule) == (TrayState.UNSURE, "")
    pig.throws(3)
    assert pig.message.startswith("Foul: thrown again while in doubt.")
    assert pig.now.tray.rule == "G10"


# -- turned by hand (G6) -------------------------------------------------------------------------------------


def test_a_die_turned_from_5_to_6_still_counts_5(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.turns(die, 6)
    assert pig.fouls == ["G6"]
    assert pig.state == TrayState.WRONG_DICE
    assert pig.message == "Foul: the 5 was turned by hand. It still counts: put it back with that face up."
    assert pig.accepted == [(5,)]
    pig.settle()
    assert pig.fouls == ["G6"]
    pig.turns(die, 5)
    assert (pig.state, pig.message) == (TrayState.WAITING, "")
    pig.throws(3)
    assert pig.prompt == "Ann: hold 8 or throw again?"


@pytest.fixture
def two_turned(midnight_thrown: Evening) -> Evening:
    """A hand turned the 3 at place 2, and then the 2 at place 3."""
    midnight_thrown.turns(2, 4)
    midnight_thrown.turns(3, 5)
    assert midnight_thrown.fouls == ["G6", "G6"]
    assert midnight_thrown.message.startswith("Foul: the 3 and 2 were turned by hand. They still count")
    return midnight_thrown


def test_a_turned_die_is_still_to_be_put_back_after_another_one_was(two_turned: Evening) -> None:
    two_turned.turns(3, 2)
    assert two_turned.state == TrayState.WRONG_DICE
    assert two_turned.message.startswith("Foul: the 3 was turned by hand. It still counts")
    assert two_turned.fouls == ["G6", "G6"], "it is no new foul"
    two_turned.turns(2, 3)
    assert (two_turned.state, two_turned.message) == (TrayState.WAITING, "")
    assert [d.seen.face for d in two_turned.now.tray.dice] == [6, 6, 3, 2, 4, 1]


def test_a_turned_die_is_still_to_be_put_back_after_another_one_was_lifted(two_turned: Evening) -> None:
    two_turned.picks_up(3)
    assert two_turned.message.startswith("Foul: the 3 was turned by hand")
    two_turned.lays_down(2)
    assert two_turned.message.startswith("Foul: the 3 was turned by hand")
    assert two_turned.fouls == ["G6", "G6"], "it is no new foul"


def test_turned_dice_count_as_before_if_others_are_thrown(two_turned: Evening) -> None:
    two_turned.throws(5, 5, leaving=(0, 1, 2, 3))
    assert two_turned.accepted[-1] == (5, 5)
    assert two_turned.match.answers[1].answer == Kept((6, 6, 3, 2))


def test_a_turned_die_can_be_thrown_without_turning_it_back(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.turns(die, 6)
    pig.throws(3)
    assert pig.prompt == "Ann: hold 8 or throw again?"


def test_a_turned_die_that_was_thrown_or_only_moved_is_asked_about(pig: Evening) -> None:
    """It shows the face to which the hand turned it."""
    (die,) = pig.throws(5)
    pig.turns(die, 6)
    pig.nudges(die, outcome=TrackOutcome.UNCLEAR)
    assert (pig.state, pig.message) == (TrayState.UNSURE, "Was the 6 thrown, or only moved?")
    assert [d.part for d in pig.now.tray.dice] == ["doubted"]
    pig.says_thrown(False)
    assert pig.state == TrayState.WRONG_DICE
    assert pig.message == "Foul: the 5 was turned by hand. It still counts: put it back with that face up."
    pig.nudges(die, outcome=TrackOutcome.UNCLEAR)
    pig.says_thrown(True)
    assert pig.prompt == "Ann: hold 11 or throw again?"


def test_a_kept_die_turned_during_a_throw_keeps_its_old_face(midnight_thrown: Evening) -> None:
    midnight_thrown.turns(2, 4, settle=False)
    midnight_thrown.throws(5, 5, 1, leaving=(0, 1, 2))
    assert midnight_thrown.fouls == ["G6"]
    assert midnight_thrown.accepted[-1] == (5, 5, 1)
    assert (
        midnight_thrown.message
        == "Foul: the 3 was turned by hand. It still counts: put it back with that face up."
    )
    assert midnight_thrown.match.answers[1].answer.faces == (6, 6, 3)  # type: ignore[union-attr]


def test_a_kept_die_put_back_with_another_face_counts_as_turned(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6, 3)
    midnight_thrown.puts_back(2, 6)
    assert midnight_thrown.fouls == ["G6"]


def test_after_a_choice_a_turned_die_that_no_longer_matters_is_shown_as_it_lies(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.turns(die, 6)
    pig.chooses("hold")
    assert (pig.state, pig.message) == (TrayState.WAITING, "")
    assert [d.seen.face for d in pig.now.tray.dice] == [6]
    assert pig.scores["Ann"] == 5


def test_a_turned_die_that_was_kept_still_has_to_be_put_back(midnight_thrown: Evening) -> None:
    midnight_thrown.turns(2, 4)
    midnight_thrown.keeps(6, 3)
    assert midnight_thrown.state == TrayState.WRONG_DICE
    assert midnight_thrown.message.startswith("Foul: the 3 was turned by hand")
    assert [d.seen.face for d in midnight_thrown.now.tray.dice] == [6, 6, 4, 2, 4, 1]
    assert midnight_thrown.fouls == ["G6"], "it is the same foul"
    midnight_thrown.turns(2, 3)
    assert (midnight_thrown.state, midnight_thrown.message) == (TrayState.WAITING, "")
    assert [d.seen.face for d in midnight_thrown.now.tray.dice] == [6, 6, 3, 2, 4, 1]


def test_a_die_that_was_turned_can_be_corrected(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.turns(die, 6)
    pig.corrects(0, 4)
    assert pig.message.startswith("Foul: the 4 was turned by hand")
    pig.turns(die, 4)
    assert [d.seen.face for d in pig.now.tray.dice] == [4]
    assert (pig.state, pig.message) == (TrayState.WAITING, "")


def test_turning_dice_of_a_finished_turn_is_no_foul(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.chooses("hold")
    pig.turns(die, 6)
    assert pig.fouls == []
    assert pig.prompt == "Ben: throw one die."
    assert pig.accepted == [(5,)]


def test_an_unsure_die_turned_by_hand_keeps_its_first_reading(pig: Evening) -> None:
    (die,) = pig.throws((5, "unsure"))
    pig.turns(die, 6)
    assert pig.state == TrayState.UNSURE
    assert [d.seen.face for d in pig.now.tray.dice] == [5]


@pytest.mark.parametrize("face", [3, 6], ids=["a likely face", "another face"])
def test_a_die_in_question_that_a_hand_turned_to_a_sure_face_is_still_in_question(
    pig: Evening, face: int
) -> None:
    (die,) = pig.throws((5, "unsure"))
    asked = pig.message
    pig.turns(die, face, settle=False)
    pig.changes(die, sure=True, confidence=0.99)
    pig.sees(TrayState.HAND)
    pig.settle()
    assert (pig.state, pig.message, pig.accepted) == (TrayState.UNSURE, asked, [])


@pytest.mark.parametrize("face", [3, 6], ids=["a likely face", "another face"])
def test_a_die_in_question_is_not_read_surely_after_a_blind_time(pig: Evening, face: int) -> None:
    (die,) = pig.throws((5, "unsure"))
    asked = pig.message
    pig.loses_sight(TrayState.COVERED, "")
    pig.changes(die, face=face, sure=True, confidence=0.99)
    pig.settle()
    assert (pig.state, pig.message, pig.accepted) == (TrayState.UNSURE, asked, [])


# -- laid down instead of thrown (G6) ------------------------------------------------------------------------


def test_a_die_laid_down_is_not_a_throw(pig: Evening) -> None:
    pig.lays_down(6)
    assert pig.fouls == ["G6"]
    assert pig.message == "Foul: the 6 was laid down instead of thrown. Throw it."
    assert pig.accepted == []
    pig.throws(3)
    assert pig.accepted == [(3,)]


def passes_on(table: Evening, places: Sequence[int], *faces: int) -> None:
    """A hand takes dice from their places and puts them down elsewhere, where they show these faces."""
    table.sees(TrayState.HAND)
    table.lands(leaving=[p for p in table.lying if p not in places])
    table.lays(*faces, outcome=TrackOutcome.PLACED)
    table.settle()


def test_a_die_passed_over_the_tray_to_the_next_player_is_no_foul(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.chooses("hold")
    passes_on(pig, [die], 6)
    assert pig.fouls == []
    assert pig.message == "The 6 was moved, not thrown. If thrown, throw it again."
    assert [d.seen.face for d in pig.now.tray.dice] == [6]
    pig.throws(3)
    assert pig.accepted == [(5,), (3,)]


def test_a_die_of_ones_own_turn_is_not_passed_on(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 2, 3)
    crew.chooses("again")
    passes_on(crew, places[3:], 6, 6)
    assert (crew.accepted, crew.fouls) == ([(6, 5, 4, 2, 3)], ["G6"])


def test_a_die_held_since_the_last_turn_is_laid_down_instead_of_thrown(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.chooses("hold")
    pig.picks_up(die)
    pig.lays_down(6)
    assert pig.fouls == ["G6"]


def test_a_die_laid_down_does_not_choose_to_throw_again(pig: Evening) -> None:
    pig.throws(5)
    pig.picks_up(*pig.lying)
    pig.lays_down(6)
    assert pig.fouls == ["G6"]
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_one_of_five_dice_laid_down_is_thrown_alone(crew: Evening) -> None:
    (laid,) = crew.lays(6, outcome=TrackOutcome.PLACED)
    thrown = crew.throws(5, 4, 3, 2, leaving=(laid,))
    assert crew.fouls == ["G6"]
    assert (
        crew.message
        == "Foul: the 6 was laid down instead of thrown. Throw it alone, and leave the others as they lie."
    )
    assert crew.at == 0
    crew.throws(1, leaving=thrown)
    assert crew.accepted == [(5, 4, 3, 2, 1)]


def test_laying_down_a_number_of_dice_that_is_no_throw_is_no_foul(crew: Evening) -> None:
    crew.lays_down(6, 6)
    assert crew.fouls == []
    assert crew.state == TrayState.WAITING


def test_dice_of_a_cup_can_be_laid_down(tmp_path: Path) -> None:
    cups = Evening(tmp_path, "mia", "Ann", "Ben", start="Ann")
    cups.lays_down(5, 4)
    assert cups.fouls == []


def test_dice_laid_down_without_a_game_are_not_a_throw(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    table.lays_down(4, 1)
    assert table.now.tray.free_throws == ()
    assert table.effects == []


# -- kept dice, extra dice, dice of other players (G5) -------------------------------------------------------


def test_throwing_a_set_aside_die_again_is_a_foul(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.throws(5, 5, 5, 5, 5, leaving=(0,))
    assert rulings_of(midnight_thrown) == [("foul", "G5")]
    assert midnight_thrown.message.startswith(
        "Foul, a die set aside was thrown again (6). The throw is void: put it back as it was."
    )
    six = midnight_thrown.lays_down(6)
    midnight_thrown.throws(4, 4, 4, 4, leaving=(0, *six))
    assert midnight_thrown.accepted[-1] == (4, 4, 4, 4)


def test_the_sentence_about_several_dice_set_aside_is_in_the_plural(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.throws(5, 5, 5, 5, 5, 5)
    assert midnight_thrown.message.startswith(
        "Foul, dice set aside were thrown again (6 and 6). The throw is void: put them back as they were."
    )


def test_set_aside_dice_that_were_taken_off_the_tray_are_not_said_to_be_thrown(
    midnight_thrown: Evening,
) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.picks_up(0, 1)
    midnight_thrown.throws(5, 5, 5, 5, 5)
    assert midnight_thrown.message.startswith("Wrong dice: five dice came to rest, four expected")
    midnight_thrown.throws(5, 3, 2, 2)
    assert midnight_thrown.accepted[-1] == (5, 3, 2, 2)


def test_dice_taken_off_before_the_last_throw_are_not_said_to_be_thrown(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.picks_up(0, 1)
    five = midnight_thrown.throws(5, 3, 2, 2)[0]
    midnight_thrown.keeps(5)
    midnight_thrown.throws(4, 4, 4, 4, leaving=(five,))
    assert midnight_thrown.message.startswith("Wrong dice: four dice came to rest, three expected")


def test_a_die_that_was_taken_off_and_put_back_may_be_thrown_again_by_mistake(
    midnight_thrown: Evening,
) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.picks_up(1)
    midnight_thrown.lays_down(6)
    midnight_thrown.throws(5, 5, 5, 5, 5, leaving=(0,))
    assert midnight_thrown.message.startswith("Foul, a die set aside was thrown again (6).")


@pytest.mark.parametrize(
    ("kept", "message"),
    [((6, 6), "Foul, a die set aside was thrown again (6)."), ((6, 3), "Wrong dice: five dice came to rest")],
)
def test_of_two_set_aside_dice_that_are_gone_one_was_thrown_again(
    midnight_thrown: Evening, kept: tuple[int, ...], message: str
) -> None:
    midnight_thrown.keeps(*kept)
    midnight_thrown.throws(5, 5, 5, 5, 5)
    assert midnight_thrown.message.startswith(message)


def test_a_throw_with_extra_or_missing_dice_is_a_foul(crew: Evening) -> None:
    crew.throws(6, 5, 4, 3, 2, 1)
    crew.throws(6, 5, 4)
    assert rulings_of(crew) == [("foul", "G5"), ("foul", "G5")]
    assert crew.accepted == []


def test_throwing_dice_of_another_player_is_a_foul(pig_with_own_dice: Evening) -> None:
    pig_with_own_dice.throws(5, colour="red")
    assert rulings_of(pig_with_own_dice) == [("foul", "G5")]


def test_a_throw_out_of_turn_is_a_foul(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", *"ABCDEFG")
    five.throws(6)
    assert rulings_of(five) == [("foul", "G5")]
    assert five.state == TrayState.OUT_OF_TURN


def test_a_leaning_die_is_no_reason_to_throw_the_whole_throw_again(midnight: Evening) -> None:
    midnight.throws(1, 1, 1, 2, 2, (5, "cocked"))
    midnight.throws(6, 6, 6, 6, 4, 1)
    assert midnight.message == (
        "Foul: dice that stood were thrown again (1, 1, 1, 2 and 2). The throw is void:"
        " put them back as they lay, and throw the rest alone, or type the throw."
    )
    assert (midnight.state, midnight.fouls, midnight.accepted) == (TrayState.WRONG_DICE, ["G5"], [])
    midnight.picks_up(*midnight.lying)
    assert midnight.state == TrayState.COCKED
    stood = midnight.lays_down(1, 1, 1, 2, 2)
    assert midnight.fouls == ["G5"], "to put dice back is no foul"
    midnight.throws(3, leaving=stood)
    assert sorted(midnight.accepted[-1]) == [1, 1, 1, 2, 2, 3]


def test_a_die_that_stood_is_not_thrown_again_with_the_one_that_leaned(midnight_thrown: Evening) -> None:
    _, one, _, leaning = midnight_thrown.throws(5, 1, 2, (3, "cocked"), leaving=(0, 1))
    left = [place for place in midnight_thrown.lying if place not in (one, leaning)]
    midnight_thrown.throws(6, 4, leaving=left)
    assert midnight_thrown.fouls == ["G5"]
    assert midnight_thrown.message == (
        "Foul: dice that stood were thrown again (1). The throw is void: put it back as it lay,"
        " and throw the rest alone, or type the throw."
    )
    midnight_thrown.picks_up(*(place for place in midnight_thrown.lying if place not in left))
    midnight_thrown.throws(6, leaving=(*left, *midnight_thrown.lays_down(1)))
    assert sorted(midnight_thrown.accepted[-1]) == [1, 2, 5, 6]


@pytest.fixture
def one_held(crew: Evening) -> Evening:
    """Of a throw of five the 2 leaned. It was thrown again as a 1, while Ann held the 3 in her hand."""
    *rest, three, _ = crew.throws(6, 6, 5, 3, (2, "cocked"))
    crew.picks_up(three)
    crew.throws(1, leaving=rest)
    assert (crew.state, crew.fouls, crew.accepted) == (TrayState.WRONG_DICE, [], [])
    assert crew.message == "Lay the 3 back as it lay: then the throw counts."
    return crew


def test_the_throw_of_a_leaning_die_counts_when_a_good_one_is_laid_back(one_held: Evening) -> None:
    one_held.lays_down(3)
    assert sorted(one_held.accepted[-1]) == [1, 3, 5, 6, 6]
    assert one_held.fouls == []


def test_a_leaning_die_is_not_thrown_twice_because_a_good_one_is_held(one_held: Evening) -> None:
    last = max(one_held.lying)
    one_held.throws(4, leaving=[place for place in one_held.lying if place != last])
    assert one_held.message.startswith("Foul: dice that stood were thrown again (1). The throw is void")
    one_held.picks_up(max(one_held.lying))
    one_held.lays_down(1, 3)
    assert sorted(one_held.accepted[-1]) == [1, 3, 5, 6, 6]
    assert one_held.fouls == ["G5"]


def test_a_good_die_that_was_held_is_not_thrown_either(one_held: Evening) -> None:
    one_held.throws(6, leaving=tuple(one_held.lying))
    assert one_held.message.startswith("Foul: dice that stood were thrown again (3). The throw is void")


def test_two_leaning_dice_can_be_thrown_one_by_one_while_a_good_one_is_held(crew: Evening) -> None:
    *rest, three, _, _ = crew.throws(6, 5, 3, (2, "cocked"), (2, "cocked"))
    crew.picks_up(three)
    first = crew.throws(1, leaving=rest)
    crew.throws(4, leaving=(*rest, *first))
    assert crew.message == "Lay the 3 back as it lay: then the throw counts."
    crew.lays_down(3)
    assert sorted(crew.accepted[-1]) == [1, 3, 4, 5, 6]
    assert crew.fouls == []


def test_a_die_that_was_laid_down_does_not_free_the_others_to_be_thrown_again(crew: Evening) -> None:
    (laid,) = crew.lays(6, outcome=TrackOutcome.PLACED)
    crew.throws(1, 1, 3, 2, leaving=(laid,))
    crew.throws(6, 5, 4, 6, 6)
    assert crew.fouls == ["G6", "G5"]
    assert crew.accepted == []


def test_dice_that_stood_and_were_knocked_by_the_last_one_still_stand(midnight: Evening) -> None:
    one, *rest, _ = midnight.throws(1, 1, 1, 2, 2, (5, "cocked"))
    midnight.nudges(one, sides=0.4, settle=False)
    midnight.throws(3, leaving=(one, *rest))
    assert midnight.accepted == [(1, 1, 1, 2, 2, 3)]
    assert midnight.fouls == []


def test_keeping_none_is_void_but_no_foul(midnight_thrown: Evening) -> None:
    midnight_thrown.throws(1, 1, 1, 1, 1, 1)
    assert rulings_of(midnight_thrown) == [("void", "G9")]


def test_dice_laid_down_beside_a_throw_do_not_void_it(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.picks_up(0, 1)
    box = midnight_thrown.lays(3, 5, colour="red", outcome=TrackOutcome.PLACED)
    midnight_thrown.throws(5, 4, 2, 2, leaving=box)
    assert midnight_thrown.accepted[-1] == (5, 4, 2, 2)
    midnight_thrown.keeps(5)
    midnight_thrown.throws(1, 2, 2, leaving=box)
    assert midnight_thrown.accepted[-1] == (1, 2, 2)
    assert midnight_thrown.fouls == []


# -- too many throws, and throws in doubt (G10) --------------------------------------------------------------


def test_one_more_throw_during_a_tapped_choice_is_a_foul(hot_score: Evening) -> None:
    two = hot_score.throws(3, 6)
    hot_score.throws(2, leaving=two)
    assert hot_score.prompt == "Ann: 9 plus 2, or minus 2?"
    hot_score.throws(1, leaving=two)
    assert hot_score.fouls == ["G10"]
    assert hot_score.message == (
        "Too many throws: no throw was awaited, so this one is void; the last one stands. "
        "Ann: 9 plus 2, or minus 2?"
    )
    hot_score.chooses("plus")
    assert hot_score.accepted == [(3, 6), (2,)]


def test_a_throw_before_the_first_awaited_one_is_out_of_turn(liars_dice: Evening) -> None:
    liars_dice.throws(1, 2, 3, 4, 5)
    assert rulings_of(liars_dice) == [("foul", "G5")]


def test_stacking_dice_by_the_rules_is_no_foul(hot_score: Evening) -> None:
    """Hot Score lets players stack dice that were thrown."""
    two = hot_score.throws(3, 6)
    hot_score.throws(2, leaving=two)
    hot_score.turns(two[0], 5)
    hot_score.puts_back(two[1], 1)
    assert hot_score.fouls == []


def test_throwing_one_unsure_die_of_several_again_is_a_foul(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 3, (2, "unsure"))
    crew.throws(6, leaving=places[:4])
    assert crew.fouls == ["G10"]
    crew.names_faces(2)
    assert crew.accepted == [(6, 5, 4, 3, 2)]
    assert crew.fouls == ["G10"]


def test_a_hand_over_dice_in_doubt_is_no_foul(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 3, (2, "unsure"))
    crew.nudges(*places)
    crew.uncovers(crew.covers_all())
    assert crew.fouls == []
    crew.names_faces(2)
    assert crew.accepted == [(6, 5, 4, 3, 2)]


# -- off the tray (G4) ---------------------------------------------------------------------------------------

LEAVING = SeenDie(5, "white", (780.0, 300.0, 20.0, 40.0), 0.6, False)
"""A die that rolls over the border of the picture."""


def test_a_die_that_rolls_off_is_thrown_again_alone(crew: Evening) -> None:
    old = crew.throws(2, 2, 3, 3, 1)
    crew.rolls_off(old[0])
    good = crew.throws(6, 5, 4, 3)
    assert crew.state == TrayState.OFF_THE_TRAY
    assert (
        crew.message == "One die rolled off the tray: throw it again alone, and leave the others as they lie."
    )
    assert rulings_of(crew)[-1] == ("note", "G4")
    crew.throws(2, leaving=good)
    assert crew.accepted[-1] == (6, 5, 4, 3, 2)


def test_a_thrown_die_that_left_the_picture_is_thrown_again_alone(crew: Evening) -> None:
    crew.rolled_off = (LEAVING,)
    good = crew.throws(6, 5, 4, 3)
    assert rulings_of(crew)[-1] == ("note", "G4")
    assert (
        crew.message == "One die rolled off the tray: throw it again alone, and leave the others as they lie."
    )
    crew.throws(2, leaving=good)
    assert crew.accepted[-1] == (6, 5, 4, 3, 2)


def test_a_missing_die_that_is_thrown_alone_had_fallen_off(crew: Evening) -> None:
    short = crew.throws(6, 5, 4, 3)
    assert crew.state == TrayState.WRONG_DICE
    crew.throws(2, leaving=short)
    assert crew.accepted == [(6, 5, 4, 3, 2)]
    fell = "The missing die was thrown alone: it had fallen off the tray."
    assert Ruled("note", "G4", fell) in crew.effects


def test_a_missing_die_can_be_thrown_alone_while_an_arm_covers_another(crew: Evening) -> None:
    six, *rest = crew.throws(6, 5, 4, 3)
    under_arm = {six: crew.lying[six]}
    crew.covers(six)
    crew.throws(2, leaving=rest)
    crew.uncovers(crew.lying | under_arm)
    assert sorted(crew.accepted[-1]) == [2, 3, 4, 5, 6]


def test_of_two_missing_dice_one_may_fall_off_again(crew: Evening) -> None:
    short = crew.throws(6, 5, 4)
    crew.rolled_off = (LEAVING,)
    (two,) = crew.throws(2, leaving=short)
    assert crew.state == TrayState.OFF_THE_TRAY
    crew.throws(1, leaving=(*short, two))
    assert crew.accepted == [(6, 5, 4, 2, 1)]


def test_a_missing_die_that_is_thrown_after_the_others_were_taken_is_too_few(crew: Evening) -> None:
    crew.throws(6, 5, 4, 3)
    crew.throws(2)
    assert crew.accepted == []
    assert crew.message.startswith("Wrong dice: one die came to rest, five expected")


def test_a_whole_throw_stands_although_something_seemed_to_leave_the_picture(crew: Evening) -> None:
    crew.rolled_off = (LEAVING,)
    crew.throws(6, 5, 4, 3, 2)
    assert crew.accepted[-1] == (6, 5, 4, 3, 2)


def test_a_die_that_a_hand_lays_down_meanwhile_does_not_wipe_out_a_foul(tmp_path: Path) -> None:
    drop_dead = Evening(tmp_path, "drop_dead", "Ann", "Ben", start="Ann")
    drop_dead.throws(1, 2)
    said = "Wrong dice: two dice came to rest, five expected; the throw is void. Ann: throw five dice."
    assert drop_dead.message == said
    drop_dead.lays(2, outcome=TrackOutcome.PLACED)
    drop_dead.settle()
    assert (drop_dead.message, drop_dead.state) == (said, TrayState.WRONG_DICE)
    drop_dead.throws(1, 3, 4, 6, 6)
    assert drop_dead.accepted == [(1, 3, 4, 6, 6)]


def test_with_one_good_die_the_other_is_left_as_it_lies(tmp_path: Path) -> None:
    table = Evening(tmp_path, "hot_score", "Ann", "Ben", start="Ann")
    good, _ = table.throws(3, (5, "cocked"))
    assert table.message == (
        "One die leaning, so that no face looks up: throw it again alone, and leave the other as it lies."
    )
    table.throws(4, leaving=(good,))
    assert table.accepted[-1] == (3, 4)


def test_a_die_beside_the_tray_is_reported(crew: Evening) -> None:
    (die,) = crew.lays(2)
    crew.beside = (crew.lying.pop(die),)
    good = crew.throws(6, 5, 4, 3)
    assert (
        crew.message
        == "One die lies beside the tray: throw it again alone, and leave the others as they lie."
    )
    crew.beside = ()
    crew.throws(2, leaving=good)
    assert crew.accepted == [(6, 5, 4, 3, 2)]


def test_an_old_die_beside_the_tray_does_not_complete_a_throw(crew: Evening) -> None:
    (die,) = crew.lays(2)
    crew.beside = (crew.lying.pop(die),)
    crew.settle()
    crew.throws(6, 5, 4, 3)
    assert crew.state == TrayState.WRONG_DICE


ONE_BESIDE = "One die lies beside the tray: throw it again alone, and leave the other as it lies."


def test_a_throw_that_makes_a_choice_may_land_beside_the_tray(crew: Evening) -> None:
    """One of the two dice that were to be thrown again does."""
    *kept, _, spare = crew.throws(6, 5, 4, 3, 2)
    crew.beside = (crew.lying[spare],)
    (good,) = crew.throws(3, leaving=kept)
    assert (crew.message, crew.fouls) == (ONE_BESIDE, [])
    crew.beside = ()
    crew.throws(1, leaving=(*kept, good))
    assert crew.accepted == [(6, 5, 4, 3, 2), (3, 1)]


def test_people_say_that_a_die_of_a_throw_that_makes_a_choice_fell_off(crew: Evening) -> None:
    *kept, _, _ = crew.throws(6, 5, 4, 3, 2)
    (good,) = crew.throws(3, leaving=kept)
    assert "two or none would be right" in crew.message
    assert crew.now.tray.short
    crew.fell_off()
    assert crew.state == TrayState.OFF_THE_TRAY
    crew.throws(1, leaving=(*kept, good))
    assert crew.accepted == [(6, 5, 4, 3, 2), (3, 1)]


def test_a_die_beside_the_tray_is_reported_while_a_choice_is_awaited(pig: Evening) -> None:
    (die,) = pig.throws(4)
    pig.sees(TrayState.ROLLING)
    pig.beside = (pig.lying[die],)
    pig.lands()
    pig.settle()
    assert (pig.message, pig.fouls) == ("One die lies beside the tray. If thrown, throw it again.", [])


def test_two_dice_to_throw_again_can_be_thrown_one_by_one(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, (3, "cocked"), (2, "cocked"))
    (one,) = crew.throws(1, leaving=places[:3])
    assert crew.message == "One die is still missing: throw it again alone, and leave the others as they lie."
    crew.throws(2, leaving=(*places[:3], one))
    assert crew.accepted == [(6, 5, 4, 1, 2)]
