"""Throws of sticks: what the camera saw against what the game awaited."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer, LogUnusable
from table.common.tray import TrayState
from table.log.store import throw_seen
from table.referee.actions import End
from table.referee.effects import Accepted
from table.referee.replay import event_to_line, events_from_lines, replayed
from tests.referee.stick_evening import StickEvening, seen
from tests.vision.sticks import stick
from vision.tracking.stick_tracks import StickOutcome

WHITES = ("white", "white", "black", "black")


@pytest.fixture
def danube(tmp_path: Path) -> StickEvening:
    """Ann has the nickels and throws first."""
    return StickEvening(tmp_path, "down_the_danube", "Ann", "Ben", start="Ann")


@pytest.fixture
def sigily(tmp_path: Path) -> StickEvening:
    """Ann throws first for the order of play."""
    return StickEvening(tmp_path, "sigily", "Ann", "Ben", start="highest")


@pytest.fixture
def coins(tmp_path: Path) -> StickEvening:
    return StickEvening(tmp_path, "sigily", "Ann", "Ben", sticks="coins")


def test_a_throw_answers_the_prompt_without_a_tap(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES)
    assert danube.thrown_sticks == [WHITES]
    assert danube.state is TrayState.ACCEPTED
    assert danube.at == 1
    assert danube.shown == [(face, "thrown", n) for n, face in enumerate(WHITES)]


def test_the_picture_and_the_reading_of_a_throw_are_in_the_log(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES)
    logged = throw_seen(danube.path, danube.referee.match_id or 0, 0)
    assert logged is not None
    assert [s["face"] for s in logged["sticks"]] == list(WHITES)
    assert all(len(s["quad"]) == 4 for s in logged["sticks"])


def test_a_round_back_is_black_where_sticks_are_black_and_white(danube: StickEvening) -> None:
    danube.throws_sticks("white", "round", "black", "white")
    assert danube.thrown_sticks == [("white", "black", "black", "white")]


def test_a_black_back_is_round_where_sticks_have_animals(sigily: StickEvening) -> None:
    sigily.throws_sticks("black", "dog", "round", "horse")
    assert sigily.thrown_sticks == [("round", "dog", "round", "horse")]


def test_a_stick_that_may_be_round_or_black_is_sure_where_both_are_one(sigily: StickEvening) -> None:
    either = replace(seen("round?", 3, [("round", 0.5), ("black", 0.49), ("dog", 0.01)]), confidence=0.5)
    sigily.throws_sticks("dog", "cow", "deer", either)
    assert sigily.thrown_sticks == [("dog", "cow", "deer", "round")]


def test_coins_that_are_read_answer_a_prompt_for_sticks(coins: StickEvening) -> None:
    coins.throws_sticks("heads", "tails", "heads", "heads")
    assert coins.thrown_sticks == [("flat", "round", "flat", "flat")]


def test_an_unsure_coin_is_asked_about_as_a_coin(coins: StickEvening) -> None:
    coins.throws_sticks("heads", "tails", "heads", seen("heads?", 3, [("heads", 0.6), ("tails", 0.4)]))
    assert coins.thrown_sticks == []
    assert "One coin could not be read surely: flat or round?" in coins.now.tray.message


def test_too_few_coins_are_counted_as_coins(coins: StickEvening) -> None:
    coins.throws_sticks("heads", "tails", "heads")
    assert "Three coins are seen, four expected" in coins.now.tray.message


def test_with_coins_a_side_with_anything_on_it_is_flat(coins: StickEvening) -> None:
    coins.throws_sticks("horse", "white", "round", "black")
    assert coins.thrown_sticks == [("flat", "flat", "round", "round")]


def test_an_unsure_stick_is_asked_about_with_its_likely_faces_first(sigily: StickEvening) -> None:
    unsure = seen("deer?", 1, [("deer", 0.6), ("cow", 0.3), ("white", 0.1)])
    sigily.throws_sticks("round", unsure, "round", "horse")
    assert sigily.questions == [
        "One stick could not be read surely: deer or cow? Tap it and say what it shows."
    ]
    assert sigily.state is TrayState.UNSURE
    assert sigily.shown[1] == ("deer", "asked", 0)
    assert sigily.now.tray.sticks[1].likely == ("deer", "cow")
    sigily.names_sticks("cow")
    assert sigily.thrown_sticks == [("round", "cow", "round", "horse")]


def test_a_sure_face_that_these_sticks_cannot_show_is_asked_about(danube: StickEvening) -> None:
    danube.throws_sticks("white", "dog", "black", "white")
    assert danube.questions == [
        "One stick could not be read surely: white or black? Tap it and say what it shows."
    ]
    danube.names_sticks("black")
    assert danube.thrown_sticks == [("white", "black", "black", "white")]


def test_an_animal_that_is_read_twice_is_asked_about(sigily: StickEvening) -> None:
    sigily.throws_sticks("dog", "dog", "round", "horse")
    assert [s[1] for s in sigily.shown] == ["asked", "asked", "thrown", "thrown"]
    with pytest.raises(IllegalAnswer, match="Dog came twice, but only one stick shows it"):
        sigily.names_sticks("dog", "dog")
    sigily.names_sticks("dog", "cow")
    assert sigily.thrown_sticks == [("dog", "cow", "round", "horse")]


def test_sticks_that_are_read_again_with_more_certainty_need_no_answer(sigily: StickEvening) -> None:
    sigily.throws_sticks("round", "deer?", "round", "horse")
    assert sigily.at == 0
    sigily.sticks[1] = (sigily.sticks[1][0], seen("deer", 1))
    sigily.reads_sticks()
    assert sigily.thrown_sticks == [("round", "deer", "round", "horse")]


def test_a_sure_reading_stands_when_a_later_one_is_not_sure(sigily: StickEvening) -> None:
    sigily.throws_sticks("round", "deer?", "cow", "horse")
    sigily.sticks[2] = (sigily.sticks[2][0], seen("dog?", 2))
    sigily.reads_sticks()
    assert [s[1] for s in sigily.shown] == ["thrown", "asked", "thrown", "thrown"]


def test_three_sticks_are_no_throw(danube: StickEvening) -> None:
    danube.throws_sticks("white", "black", "black")
    assert danube.message == (
        "Three sticks are seen, four expected: pull apart what lies on one another,"
        " or throw the missing one alone, or all again; or tap how they lie."
    )
    assert danube.thrown_sticks == []
    danube.types_sticks("white", "black", "black", "black")
    assert danube.thrown_sticks == [("white", "black", "black", "black")]
    assert danube.message == ""


def test_the_missing_stick_is_thrown_alone(danube: StickEvening) -> None:
    danube.throws_sticks("white", "black", "black")
    danube.throws_sticks("white", leaving=3)
    assert danube.thrown_sticks == [("white", "black", "black", "white")]


def test_a_stick_that_lay_on_another_is_pulled_off(danube: StickEvening) -> None:
    """The box of the two is that of one of them then, and the other one is new."""
    danube.throws_sticks("white", "black", "black")
    danube.sees(TrayState.HAND)
    danube.sticks[2] = (2, seen("black", 4))
    danube.sticks.append((3, seen("white", 2)))
    danube.reads_sticks([StickOutcome.UNMOVED] * 2 + [StickOutcome.MOVED, StickOutcome.THROWN])
    assert danube.thrown_sticks == [("white", "black", "black", "white")]


@pytest.mark.parametrize("under", ["black", "black?"])
def test_a_stick_that_shows_another_face_once_it_is_uncovered_is_asked_about(
    danube: StickEvening, under: str
) -> None:
    """The face that was read in its place was that of the one on it. It counted for both."""
    danube.throws_sticks("white", "black", "white")
    danube.sees(TrayState.HAND)
    danube.sticks[2] = (2, seen(under, 2, [("black", 0.6), ("white", 0.4)]))
    danube.reads_sticks()
    danube.sticks.append((3, seen("white", 3)))
    danube.reads_sticks([StickOutcome.UNMOVED] * 3 + [StickOutcome.THROWN])
    if under == "black?":
        assert danube.thrown_sticks == [("white", "black", "white", "white")], "the sure reading stands"
        return
    assert danube.questions == [
        "One stick could not be read surely: white or black? Tap it and say what it shows."
    ]
    danube.names_sticks("black")
    assert danube.thrown_sticks == [("white", "black", "black", "white")]


def test_all_sticks_are_thrown_again_after_a_throw_of_three(danube: StickEvening) -> None:
    danube.throws_sticks("white", "black", "black")
    danube.picks_up_sticks()
    assert danube.state is TrayState.WAITING
    danube.throws_sticks(*WHITES)
    assert danube.thrown_sticks == [WHITES]


def test_sticks_that_are_laid_beside_a_throw_of_others_do_not_complete_it(danube: StickEvening) -> None:
    danube.throws_sticks("white", "black", "black")
    danube.picks_up_sticks()
    danube.throws_sticks("white")
    assert danube.thrown_sticks == []
    assert danube.message.startswith("One stick is seen, four expected: throw the three missing ones alone")


def test_a_stick_in_question_is_not_read_surely_after_a_blind_time(danube: StickEvening) -> None:
    danube.throws_sticks("white", seen("black?", 1, [("black", 0.6), ("white", 0.4)]), "black", "black")
    danube.sees(TrayState.COVERED)
    danube.sticks[1] = (1, seen("white", 1))
    danube.reads_sticks()
    assert (danube.state, danube.thrown_sticks) == (TrayState.UNSURE, [])


def test_an_unsure_thing_beside_four_sure_sticks_is_no_stick(danube: StickEvening) -> None:
    danube.throws_sticks("round?", *WHITES)
    assert danube.thrown_sticks == [WHITES]
    assert [part for _, part, _ in danube.shown] == ["still", *["thrown"] * 4]


def test_a_thing_beside_sticks_that_are_not_sure_is_asked_about(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES[:3], "black?", "round?")
    assert danube.message.startswith("Five sticks are seen, four expected: tap what is marked")
    danube.names_sticks("black", None)
    assert danube.thrown_sticks == [WHITES]
    danube.sees(TrayState.HAND)
    danube.reads_sticks()
    assert len(danube.shown) == 4, "what is no stick does not come back"


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "after a pause"])
def test_a_stick_on_its_edge_is_thrown_again_alone(danube: StickEvening, at_once: bool) -> None:
    """People say that it is none; the table asks for the missing one."""
    danube.throws_sticks(*WHITES[:3], "black?")
    danube.names_sticks(None)
    assert danube.message.startswith("Three sticks are seen, four expected: pull apart what lies on")
    edge, _ = danube.sticks[3]
    danube.sees(TrayState.HAND)
    if at_once:
        danube.sticks[3] = edge, seen("black", 6)
        danube.reads_sticks([StickOutcome.UNMOVED] * 3 + [StickOutcome.MOVED])
    else:
        del danube.sticks[3]
        danube.reads_sticks()
        danube.throws_sticks("black", leaving=3)
    assert danube.thrown_sticks == [WHITES]


@pytest.mark.parametrize("outcome", [StickOutcome.MOVED, StickOutcome.UNMOVED])
def test_a_stick_that_falls_over_after_its_throw_counted_is_told_once(
    danube: StickEvening, outcome: StickOutcome
) -> None:
    """It leaned on the rim of the tray. A hand that picks it up may turn it."""
    danube.throws_sticks(*WHITES)
    leaning, _ = danube.sticks[3]
    danube.sticks[3] = leaning, seen("white", 3)
    danube.sees(TrayState.ROLLING)
    danube.reads_sticks([StickOutcome.UNMOVED] * 3 + [outcome])
    told = (
        "A stick of the throw fell over after it was counted: it showed black, now white."
        " If it had not come to rest, correct the throw."
    )
    assert danube.message == told
    assert danube.thrown_sticks == [WHITES]
    danube.sees(TrayState.HAND)
    danube.reads_sticks()
    assert danube.message == ""


def test_a_stick_that_a_hand_turns_after_its_throw_counted_did_not_fall_over(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES)
    danube.sees(TrayState.HAND)
    danube.sticks[3] = danube.sticks[3][0], seen("white", 3)
    danube.reads_sticks()
    assert danube.message == ""


def test_a_round_back_that_counted_as_black_did_not_fall_over(danube: StickEvening) -> None:
    danube.throws_sticks("white", "white", "round", "round")
    danube.sees(TrayState.ROLLING)
    danube.reads_sticks()
    assert danube.message == ""


@pytest.mark.parametrize(("confidence", "faint"), [(0.93, 0.5), (0.7, 0.23)])
def test_what_two_crossing_sticks_seem_to_make_is_no_stick(
    danube: StickEvening, confidence: float, faint: float
) -> None:
    """The stick that another one crosses is asked about, the faint one between them is not."""
    crossed = replace(seen("white?", 3), crossed=True, confidence=confidence)
    danube.throws_sticks(*WHITES[:3], crossed, replace(seen("round?", 4), crossed=True, confidence=faint))
    assert danube.message.startswith("One stick could not be read surely")
    danube.names_sticks("black")
    assert danube.thrown_sticks == [WHITES]


@pytest.mark.parametrize("sure", [True, False])
def test_a_stick_that_is_read_twice_is_one(danube: StickEvening, sure: bool) -> None:
    """Read a little shorter, and beside its place, it was a fifth one: the throw was void, or all were asked
    about."""
    *others, last = (seen(face, n) for n, face in enumerate(WHITES))
    again = stick("white", last.centre_xy[0] + 5, 196, 90, sure, length=88)
    danube.throws_sticks(*others, last, again)
    assert danube.thrown_sticks == [WHITES]
    assert danube.questions == danube.fouls == []


def test_answers_that_make_too_many_sticks_are_refused_and_asked_for_again(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES[:3], "black?", "round?")
    with pytest.raises(IllegalAnswer) as refused:
        danube.names_sticks("black", "black")
    assert str(refused.value) == (
        "Four sticks are expected, and with these answers five lie there. "
        "Say what is no stick, or throw only those of the game."
    )
    danube.names_sticks("black", None)
    assert danube.thrown_sticks == [WHITES]


def test_a_thing_that_goes_again_needs_no_answer(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES[:3], "round?", "black?")
    danube.sticks.pop()
    danube.sticks[3] = (danube.sticks[3][0], seen("black", 3))
    danube.reads_sticks()
    assert danube.thrown_sticks == [WHITES]


def test_five_sure_sticks_are_void(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES, "white")
    assert danube.message == (
        "Five sticks are seen, four expected: the throw is void. Throw only those of the game."
    )
    assert danube.thrown_sticks == []


def test_a_throw_waits_for_a_full_disk(danube: StickEvening, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise LogUnusable("the disk is full")

    with monkeypatch.context() as full:
        full.setattr(danube.log, "append", refuse)
        danube.throws_sticks(*WHITES)
        assert danube.message == "The disk is full. The throw counts once the tray is read again."
        assert danube.thrown_sticks == []
    danube.reads_sticks()
    assert danube.thrown_sticks == [WHITES]


def test_one_unsure_thing_is_more_likely_a_pencil(danube: StickEvening) -> None:
    danube.throws_sticks("round?")
    assert (danube.message, danube.state) == ("", TrayState.WAITING)


@pytest.mark.parametrize("outcome", [StickOutcome.MOVED, StickOutcome.UNMOVED])
def test_sticks_that_were_pushed_or_lie_still_are_no_throw(
    danube: StickEvening, outcome: StickOutcome
) -> None:
    danube.throws_sticks(*WHITES, outcome=outcome)
    assert danube.thrown_sticks == []
    assert danube.message == ""


def test_sticks_that_nobody_saw_thrown_do_not_count(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES, outcome=StickOutcome.UNOBSERVED)
    assert danube.thrown_sticks == []
    assert (
        danube.message == "Nobody saw these sticks thrown, so they do not count. Pick them up and throw them."
    )


@pytest.mark.parametrize(("thrown", "counted"), [(True, [WHITES]), (False, [])])
def test_one_tap_tells_whether_sticks_were_thrown(
    danube: StickEvening, thrown: bool, counted: list[tuple[str, ...]]
) -> None:
    danube.throws_sticks(*WHITES, outcome=StickOutcome.UNCLEAR)
    assert danube.questions == ["Were the sticks thrown, or only moved?"]
    assert [part for _, part, _ in danube.shown] == ["doubted"] * 4
    danube.says_thrown(thrown)
    assert danube.thrown_sticks == counted


@pytest.mark.parametrize(("thrown", "question"), [(4, False), (3, True)])
def test_a_stick_that_seems_to_lie_still_is_asked_about_only_where_it_is_missing(
    danube: StickEvening, thrown: int, question: bool
) -> None:
    faces = [seen(face, n) for n, face in enumerate((*WHITES, "round?")[: thrown + 1])]
    danube.sticks = list(enumerate(faces))
    danube.reads_sticks([*[StickOutcome.THROWN] * thrown, StickOutcome.UNCLEAR])
    assert danube.questions == (["Was the marked stick thrown, or only moved?"] if question else [])
    assert danube.thrown_sticks == ([] if question else [WHITES])


def reads_in_question(danube: StickEvening, thrown: int, unclear: int) -> None:
    """So many sticks were surely thrown, and so many more perhaps."""
    faces = (*WHITES[:thrown], *["black"] * unclear)
    danube.sticks = list(enumerate(seen(face, n) for n, face in enumerate(faces)))
    danube.reads_sticks([*[StickOutcome.THROWN] * thrown, *[StickOutcome.UNCLEAR] * unclear])


@pytest.mark.parametrize(("thrown", "then"), [(True, "Three sticks are seen"), (False, "Two sticks were")])
def test_one_stick_in_question_beside_two_sure_ones_is_asked_about(
    danube: StickEvening, thrown: bool, then: str
) -> None:
    reads_in_question(danube, 2, 1)
    assert danube.questions == ["Was the marked stick thrown, or only moved?"]
    assert [part for _, part, _ in danube.shown] == ["thrown", "thrown", "doubted"]
    danube.says_thrown(thrown)
    assert danube.message.startswith(then)


def test_sure_sticks_stand_if_the_one_in_question_only_moved(danube: StickEvening) -> None:
    reads_in_question(danube, 3, 1)
    danube.says_thrown(False)
    assert danube.message.startswith("Three sticks were thrown, four expected: throw the other one alone")
    danube.sticks[3] = (4, seen("black", 4))
    danube.reads_sticks([*[StickOutcome.UNMOVED] * 3, StickOutcome.THROWN])
    assert danube.thrown_sticks == [WHITES]


def test_two_sticks_in_question_of_which_one_is_missing_are_asked_about_one_by_one(
    danube: StickEvening,
) -> None:
    reads_in_question(danube, 3, 2)
    assert [part for _, part, _ in danube.shown] == ["thrown"] * 3 + ["doubted", "thrown"]
    danube.says_thrown(False)
    assert [part for _, part, _ in danube.shown] == ["thrown"] * 3 + ["still", "doubted"]
    danube.says_thrown(True)
    assert danube.thrown_sticks == [(*WHITES[:3], "black")]


def test_a_stick_in_question_is_shown_with_the_face_that_it_has_if_thrown(danube: StickEvening) -> None:
    """It lies where another lay before with the other side up."""
    danube.throws_sticks(*WHITES, outcome=StickOutcome.UNOBSERVED)
    danube.sticks = [*danube.sticks[:1], *enumerate((seen("white", n) for n in (4, 5, 6)), start=4)]
    danube.sticks[0] = (danube.sticks[0][0], seen("black", 0))
    danube.reads_sticks([StickOutcome.UNCLEAR, *[StickOutcome.THROWN] * 3])
    assert danube.shown[0] == ("black", "doubted", 0)
    danube.says_thrown(True)
    assert danube.thrown_sticks == [("white", "white", "white", "black")]


def test_only_one_of_two_sticks_in_question_was_thrown(danube: StickEvening) -> None:
    reads_in_question(danube, 2, 2)
    assert danube.now.tray.some
    danube.says_only_some_were_thrown()
    danube.says_thrown(False)
    assert danube.message.startswith("Three sticks were thrown, four expected: throw the other one")


def test_a_doubt_is_forgotten_when_the_sticks_are_thrown_again(danube: StickEvening) -> None:
    danube.throws_sticks("black", "black", "white", "black", outcome=StickOutcome.UNCLEAR)
    danube.picks_up_sticks()
    danube.throws_sticks(*WHITES)
    assert danube.thrown_sticks == [WHITES]


def test_sticks_in_doubt_that_are_no_whole_throw_were_moved(danube: StickEvening) -> None:
    danube.throws_sticks("white", "black", outcome=StickOutcome.UNCLEAR)
    assert danube.questions == []


def test_a_throw_in_place_of_a_choice_is_void(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES)
    danube.picks_up_sticks()
    danube.throws_sticks("white", "white", "white", "white")
    assert danube.thrown_sticks == [WHITES]
    assert danube.state is TrayState.OUT_OF_TURN
    assert danube.fouls == ["G10"]
    assert danube.message.startswith("Too many throws: no throw was awaited, so this one is void")
    danube.picks_up_sticks()
    assert danube.state is TrayState.WAITING


def test_one_stick_that_falls_while_a_choice_is_awaited_is_nothing(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES)
    danube.throws_sticks("white", leaving=3)
    assert danube.fouls == []


def test_a_throw_that_flew_when_somebody_tapped_is_void(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES)
    danube.sees(TrayState.ROLLING)
    while danube.prompt and "throw" not in danube.prompt:
        match = danube.now.match
        assert match is not None
        assert match.prompt is not None
        danube.chooses(match.prompt.to_json()["options"][0]["id"])
    danube.throws_sticks("white", "white", "white", "white", moving=False)
    assert danube.thrown_sticks == [WHITES]
    assert danube.message.startswith("Out of turn: the sticks were thrown already when somebody tapped")


def test_a_throw_in_doubt_stands(sigily: StickEvening) -> None:
    sigily.throws_sticks("round", "deer?", "round", "horse")
    sigily.throws_sticks("horse", "cow", "deer", "dog")
    assert sigily.fouls == ["G10"]
    assert sigily.message.startswith("Foul: thrown again while in doubt. The first throw stands.")
    sigily.names_sticks("deer")
    assert sigily.thrown_sticks == [("round", "deer", "round", "horse")]


def test_a_throw_is_corrected(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES)
    danube.corrects_sticks(0, "white", "black", "black", "black")
    assert danube.shown[1] == ("black", "thrown", 1)
    assert danube.match.answers[0].answer.faces == ("white", "black", "black", "black")  # type: ignore[union-attr]


def test_an_older_throw_is_corrected_while_a_new_one_is_asked_about(sigily: StickEvening) -> None:
    sigily.throws_sticks("dog", "round", "round", "round")
    sigily.throws_sticks("round", "deer?", "cow", "horse")
    sigily.corrects_sticks(0, "dog", "cow", "round", "round")
    sigily.names_sticks("deer")
    assert sigily.thrown_sticks[1] == ("round", "deer", "cow", "horse")


def test_only_what_is_asked_can_be_said(sigily: StickEvening) -> None:
    with pytest.raises(IllegalAnswer, match="No stick is being asked about now"):
        sigily.names_sticks("dog")
    sigily.throws_sticks("round", "deer?", "round", "horse?")
    with pytest.raises(IllegalAnswer, match="Two sticks asked about; one came"):
        sigily.names_sticks("dog")


def test_a_restarted_table_does_not_count_the_sticks_that_lie_there(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES)
    danube.restarts()
    danube.reads_sticks([StickOutcome.UNOBSERVED] * 4)
    assert danube.at == 1


def test_dice_in_a_game_of_sticks_are_nothing(danube: StickEvening) -> None:
    """Pennies, and drawings on sticks, can look like dice."""
    danube.throws(3, 5)
    assert danube.fouls == []
    assert danube.message == ""


def test_sticks_in_a_game_of_dice_are_nothing(tmp_path: Path) -> None:
    pig = StickEvening(tmp_path, "pig", "Ann", "Ben", start="Ann")
    pig.throws_sticks(*WHITES)
    assert pig.shown == []
    assert pig.message == ""


def test_an_evening_of_sticks_replays_to_the_same_rulings(sigily: StickEvening) -> None:
    sigily.throws_sticks("round", "deer?", "round", "horse")
    sigily.names_sticks("cow")
    sigily.throws_sticks(*("dog", "cow", "deer", "horse"), outcome=StickOutcome.UNCLEAR)
    sigily.says_thrown(True)
    events = list(events_from_lines(map(event_to_line, sigily.events)))
    assert events == sigily.events
    effects = [effect for _, _, effects in replayed(events) for effect in effects]
    assert [e.sticks for e in effects if isinstance(e, Accepted)] == sigily.thrown_sticks
    assert len(sigily.thrown_sticks) == 2


def test_the_tray_is_not_empty_while_the_sticks_of_an_ended_game_lie_there(danube: StickEvening) -> None:
    danube.throws_sticks(*WHITES)
    danube.does(End(danube.now.number))
    assert len(danube.shown) == len(WHITES)
    assert danube.state == TrayState.WAITING
    danube.picks_up_sticks()
    assert danube.state == TrayState.EMPTY
