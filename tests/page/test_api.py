"""The HTTP interface: its addresses, its actions, and the sentence of every refusal."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from table.common.colours import COLOURS
from table.common.tray import TrayState
from table.games import GAMES
from table.page import api
from table.referee import actions
from table.referee.desk import TableBusy
from table.rules.answers import Chosen, Kept, Sticks, Throw
from table.rules.entered_prompts import OGHAM
from table.rules.game import Seat
from table.simulated_hand import LENS_S
from tests.page.conftest import Guest, SitDown
from tests.page.fake_table import FakeHand
from vision.tracking.tracks import TrackOutcome

# -- reading -------------------------------------------------------------------------------------------------


def test_the_api_lists_every_address_with_its_purpose(pig: Guest) -> None:
    listed = pig.http.get("/api").get_json()
    assert {
        "method": "POST",
        "path": "/api/take_back",
        "does": 'Takes the last choice back: {"number": 7}.',
    } in listed
    assert all(entry["does"] for entry in listed)
    assert {e["path"] for e in listed if e["method"] == "GET"} >= {
        "/api/snapshot",
        "/api/events",
        "/api/games",
        "/api/tray.jpg",
    }


def test_the_coach_says_what_best_play_is_worth_only_when_it_is_asked(pig: Guest) -> None:
    pig.table.throws(4)
    assert "best_play" not in pig.snapshot()["match"]
    coach = pig.http.get("/api/coach").get_json()
    assert coach["number"] == pig.snapshot()["number"]
    assert [answer["choose"] for answer in coach["best_play"]["answers"]] == ["roll", "hold"]


def test_after_the_game_the_coach_says_what_was_luck(sit_down: SitDown) -> None:
    guest = sit_down("midnight", "Ann", "Ben", start="Ann")
    for faces in ((6, 6, 6, 6, 4, 1), (5, 5, 5, 5, 4, 1)):
        guest.table.throws(*faces)
        guest.does("answer", answer={"keep": list(faces)})
    ann, ben = guest.http.get("/api/coach").get_json()["accounts"]
    assert (ann["player"], ann["result"], ben["result"]) == ("Ann", 1, 0)


def test_without_a_game_the_coach_knows_nothing(sit_down: SitDown) -> None:
    assert sit_down().http.get("/api/coach").get_json()["best_play"] is None


def test_the_highlights_are_told_once_the_match_is_over(sit_down: SitDown) -> None:
    guest = sit_down("midnight", "Ann", "Ben", start="Ann")
    for faces in ((6, 6, 6, 5, 4, 1), (5, 5, 3, 3, 4, 1)):
        assert guest.http.get("/api/highlights").get_json()["highlights"] == []
        guest.table.throws(*faces)
        guest.does("answer", answer={"keep": list(faces)})
    reply = guest.http.get("/api/highlights").get_json()
    assert reply["number"] == guest.snapshot()["number"]
    told = [(each["title"], each["value"], each["player"]) for each in reply["highlights"]]
    assert told == [
        ("Most at once", "23", "Ann"),
        ("Most alike", "three 6s", "Ann"),
        ("Throws", "2", None),
        ("Minutes", "1", None),
    ]


def test_a_snapshot_shows_the_whole_table(pig: Guest) -> None:
    pig.table.throws(4)
    seen = pig.snapshot()
    assert seen["match"]["prompt"]["player"] == "Ann"
    assert seen["tray"]["dice"][0]["face"] == 4
    assert seen["hand"] is False
    assert seen["number"] == pig.table.snapshot.number


def test_only_a_simulated_tray_has_a_hand(sit_down: SitDown) -> None:
    assert sit_down(hand=[1]).snapshot()["hand"] is True


def test_the_live_picture_is_not_cached(pig: Guest) -> None:
    picture = pig.http.get("/api/tray.jpg")
    assert picture.mimetype == "image/jpeg"
    assert picture.data.startswith(b"\xff\xd8")
    assert picture.headers["Cache-Control"] == "no-store"


def test_an_unchanged_picture_is_not_sent_again(pig: Guest) -> None:
    tag = pig.http.get("/api/tray.jpg").headers["ETag"]
    again = pig.http.get("/api/tray.jpg", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert pig.http.get("/api/tray.jpg", headers={"If-None-Match": '"another"'}).status_code == 200


def test_a_missing_live_picture_is_reported(pig: Guest) -> None:
    pig.table.blind = True
    answer = pig.http.get("/api/tray.jpg")
    assert (answer.status_code, answer.get_json()["error"]) == (404, "There is no picture of the tray yet.")


def test_the_picture_of_a_throw_is_served(pig: Guest) -> None:
    pig.table.throws(4)
    assert pig.http.get("/api/throws/0.jpg").data.startswith(b"\xff\xd8")
    missing = pig.http.get("/api/throws/9.jpg")
    assert (missing.status_code, missing.get_json()["error"]) == (404, "There is no picture of throw 9.")


def test_the_dice_read_in_the_picture_of_a_throw_are_served(pig: Guest) -> None:
    pig.table.throws(4)
    seen = pig.http.get("/api/throws/0").get_json()
    assert [die["face"] for die in seen["dice"]] == [4]
    assert len(seen["dice"][0]["box"]) == 4
    assert len(seen["size"]) == 2
    missing = pig.http.get("/api/throws/9")
    assert (missing.status_code, missing.get_json()["error"]) == (404, "There is no picture of throw 9.")


def test_the_replays_of_a_throw_and_of_a_foul_are_served(pig: Guest) -> None:
    pig.table.replays.clips |= {(0, False): b"a throw", (0, True): b"a foul"}
    thrown, foul = pig.http.get("/api/throws/0/clip"), pig.http.get("/api/throws/0/clip?foul=1")
    assert (thrown.data, thrown.mimetype, foul.data) == (b"a throw", "video/x-motion-jpeg", b"a foul")
    assert pig.snapshot()["replays"] == {"throws": [0], "fouls": [0]}
    missing = pig.http.get("/api/throws/1/clip")
    assert (missing.status_code, missing.get_json()["error"]) == (404, "There is no replay of throw 1.")


def test_the_games_are_listed_with_settings_and_rules(pig: Guest) -> None:
    reply = pig.http.get("/api/games?details=1").get_json()
    assert [g["name"] for g in reply["games"]] == list(GAMES)
    assert reply["colours"] == list(COLOURS)
    five_dice = next(g for g in reply["games"] if g["name"] == "five_dice")
    assert five_dice["players"] == [2, 10]
    entry = next(s for s in five_dice["settings"] if s["name"] == "entry")
    assert (entry["default"], entry["values"], entry["range"]) == ("1000", ["1000", "750", "500", "0"], None)
    assert "bust" in five_dice["rules"]
    stake = next(
        s for g in reply["games"] if g["name"] == "midnight" for s in g["settings"] if s["name"] == "stake"
    )
    assert (stake["values"], stake["range"]) == (None, [0, 1000])
    assert (stake["title"], stake["texts"]) == ("Stake", [])


def test_settings_have_their_names_for_people_and_for_scripts(pig: Guest) -> None:
    games = pig.http.get("/api/games?details=1").get_json()["games"]
    (highland,) = (g for g in games if g["name"] == "highland")
    hammer = highland["settings"][0]
    assert (hammer["name"], hammer["title"]) == ("hammer_excess", "Hammer Throw")
    assert hammer["about"] == "a hammer throw with more than three 6s"
    assert hammer["texts"] == ["Three count", "None counts"]
    assert hammer["help"].endswith("; drop_excess: three count; drop_all: none counts")


# -- actions -------------------------------------------------------------------------------------------------


def test_a_choice_can_be_answered(pig: Guest) -> None:
    pig.table.throws(4)
    number = pig.table.snapshot.number
    status, now = pig.does("answer", choose="hold")
    assert status == 200
    assert pig.table.done == [actions.SubmitAnswer(number, Chosen("hold"))]
    assert now["match"]["scores"] == {"Ann": 4, "Ben": 0}


def test_dice_can_be_kept(sit_down: SitDown) -> None:
    guest = sit_down("five_dice", "Ann", "Ben", start="Ann")
    guest.table.throws(1, 5, 2, 3, 3, 4)
    number = guest.table.snapshot.number
    status, now = guest.does("answer", keep=[1, 5])
    assert status == 200
    assert guest.table.done == [actions.SubmitAnswer(number, Kept((1, 5)))]
    assert now["match"]["prompt"]["text"].startswith("Ann: throw four dice")


def test_a_throw_can_be_typed_without_the_camera(pig: Guest) -> None:
    pig.table.moves(TrayState.NO_CAMERA)
    assert pig.snapshot()["can_type"] is True
    status, now = pig.does("answer", roll=[5])
    assert (status, now["match"]["prompt"]["text"]) == (200, "Ann: hold 5 or throw again?")
    typed = {"at": 0, "player": "Ann", "did": "threw", "roll": [5], "typed": True}
    typed["text"] = "Ann threw 5, typed."
    assert (now["match"]["throws"], now["can_type"]) == ([typed], False)


def test_no_throw_is_typed_where_the_camera_sees_the_tray(pig: Guest) -> None:
    assert pig.snapshot()["can_type"] is False
    status, reply = pig.does("answer", roll=[5])
    assert (status, reply["error"]) == (
        422,
        "The camera sees the tray: throw the dice there, or cover the camera to type a throw.",
    )
    assert reply["snapshot"]["match"]["at"] == 0


def test_a_choice_can_be_taken_back(pig: Guest) -> None:
    pig.table.throws(4)
    pig.does("answer", choose="hold")
    status, now = pig.does("take_back")
    assert (status, now["match"]["scores"]["Ann"], now["match"]["prompt"]["kind"]) == (200, 0, "choose")


def test_a_throw_can_be_corrected(pig: Guest) -> None:
    pig.table.throws(4)
    number = pig.table.snapshot.number
    status, now = pig.does("correct", at=0, roll=[6])
    assert (status, now["match"]["prompt"]["text"]) == (200, "Ann: hold 6 or throw again?")
    assert pig.table.done == [actions.Correct(number, 0, Throw.of(6))]


@pytest.mark.usefixtures("prompt_games")
def test_a_throw_of_sticks_can_be_corrected(sit_down: SitDown) -> None:
    guest = sit_down("sticks", "Ann", "Ben")
    guest.table.throws_sticks("round", "dog", "round", "horse")
    (thrown,) = guest.snapshot()["match"]["throws"]
    assert thrown == {
        "at": 0,
        "player": "Ann",
        "did": "threw",
        "text": "Ann threw round, dog, round and horse.",
        "sticks": ["round", "dog", "round", "horse"],
        "of": [list(s) for s in OGHAM],
    }
    number = guest.table.snapshot.number
    status, now = guest.does("correct", at=0, sticks=["round", "dog", "cow", "horse"])
    assert (status, now["match"]["throws"][0]["sticks"]) == (200, ["round", "dog", "cow", "horse"])
    assert guest.table.done[-1] == actions.Correct(number, 0, Sticks(("round", "dog", "cow", "horse")))
    assert now["match"]["rulings"][0]["text"] == "Ann answered round dog cow horse."


@pytest.mark.usefixtures("prompt_games")
def test_a_throw_of_sticks_cannot_be_corrected_to_dice(sit_down: SitDown) -> None:
    guest = sit_down("sticks", "Ann", "Ben")
    guest.table.throws_sticks("round", "dog", "round", "horse")
    status, reply = guest.does("correct", at=0, roll=[1, 2])
    assert (status, reply["error"].split(".")[0]) == (
        422,
        "A throw of sticks is expected, not a throw of dice",
    )


def test_a_throw_of_dice_cannot_be_corrected_to_sticks(pig: Guest) -> None:
    pig.table.throws(4)
    status, reply = pig.does("correct", at=0, sticks=["round"])
    assert (status, reply["error"].split(".")[0]) == (
        422,
        "A throw of dice is expected, not a throw of sticks",
    )


def test_people_can_say_what_an_unsure_die_shows(pig: Guest) -> None:
    pig.table.throws((4, "unsure"))
    assert pig.snapshot()["tray"]["state"] == "UNSURE"
    status, now = pig.does("settle", faces=[3])
    assert (status, now["match"]["prompt"]["text"]) == (200, "Ann: hold 3 or throw again?")


def test_people_can_say_that_a_die_leans(pig: Guest) -> None:
    pig.table.throws((3, "unsure"))
    status, now = pig.does("settle", faces=["leans"])
    assert (status, now["tray"]["state"]) == (200, "COCKED")
    assert pig.does("settle", faces=["stands"])[0] == 400


def test_people_can_say_that_it_is_no_die(pig: Guest) -> None:
    pig.table.throws(3, (4, "unsure"))
    assert "or that it is no die" in pig.snapshot()["tray"]["message"]
    number = pig.table.snapshot.number
    status, now = pig.does("settle", faces=[None])
    assert (status, now["match"]["prompt"]["text"]) == (200, "Ann: hold 3 or throw again?")
    assert pig.table.done == [actions.EnterFaces(number, (None,))]


def seven_answers(guest: Guest) -> None:
    """Ann throws 5 and 4 and holds, Ben throws 3 and holds, Ann throws 2."""
    guest.table.throws(5)
    guest.table.throws(4)
    guest.does("answer", choose="hold")
    guest.table.throws(3)
    guest.does("answer", choose="hold")
    guest.table.throws(2)


def test_a_correction_that_drops_later_answers_needs_confirmation(pig: Guest) -> None:
    seven_answers(pig)
    before = pig.snapshot()
    status, reply = pig.does("correct", at=0, roll=[1], anyway=False)
    assert (status, reply["drops"]) == (409, 6)
    assert reply["error"] == (
        "Six later answers would no longer fit and have to be given again: Ann's “Throw again”, throw of 4,"
        " “Hold 9”, Ben's throw of 3, “Hold 3” and Ann's throw of 2."
    )
    assert pig.snapshot() == before
    status, now = pig.does("correct", at=0, roll=[1], anyway=True)
    assert (status, now["match"]["at"]) == (200, 1)


def test_a_correction_that_drops_nothing_needs_no_confirmation(pig: Guest) -> None:
    seven_answers(pig)
    status, now = pig.does("correct", at=0, roll=[6], anyway=False)
    assert (status, now["match"]["at"], now["match"]["scores"]["Ann"]) == (200, 7, 10)
    assert "drops" not in pig.does("correct", at=1, roll=[6], anyway=False)[1]


def test_a_die_off_the_tray_can_be_reported(sit_down: SitDown) -> None:
    guest = sit_down("five_dice", "Ann", "Ben", start="Ann")
    guest.table.throws(1, 5, 2, 3, 3)
    assert guest.snapshot()["tray"]["short"] is True
    status, now = guest.does("fell_off")
    assert (status, now["tray"]["state"]) == (200, "OFF THE TRAY")


def test_people_can_say_that_nothing_lies_under_an_arm(sit_down: SitDown) -> None:
    guest = sit_down("five_dice", "Ann", "Ben", start="Ann")
    guest.table.evening.arm_rests = True
    guest.table.throws(1, 5, 2, 3, 3)
    assert guest.snapshot()["tray"]["under_arm"] is True
    status, now = guest.does("nothing_under_arm")
    assert (status, now["tray"]["state"], now["tray"]["under_arm"]) == (200, "WRONG DICE", False)


def test_people_can_say_whether_a_die_was_thrown(pig: Guest) -> None:
    (die,) = pig.table.throws(4)
    pig.table.evening.nudges(die, outcome=TrackOutcome.UNCLEAR)
    pig.table.restarts_numbering()
    pig.table.moves(TrayState.READING)
    assert [d["part"] for d in pig.snapshot()["tray"]["dice"]] == ["doubted"]
    assert pig.does("tell", thrown="yes")[1]["error"] == "“thrown” is true or false."
    status, now = pig.does("tell", thrown=True)
    assert (status, now["match"]["prompt"]["text"]) == (200, "Ann: hold 8 or throw again?")


def test_people_can_say_that_only_some_dice_were_thrown(sit_down: SitDown) -> None:
    guest = sit_down("midnight", "Ann", "Ben", start="Ann")
    places = guest.table.throws(6, 6, 3, 2, 4, 1)
    guest.table.evening.nudges(*places[2:4], outcome=TrackOutcome.UNCLEAR)
    guest.table.restarts_numbering()
    guest.table.moves(TrayState.READING)
    assert guest.snapshot()["tray"]["some"] is True
    status, now = guest.does("tell_apart")
    assert (status, now["tray"]["some"]) == (200, False)
    assert now["tray"]["message"] == "Was the marked 3 thrown, or only moved?"


def test_a_game_can_be_started_and_ended(sit_down: SitDown) -> None:
    guest = sit_down()
    players = [{"name": " Ann ", "colour": "green"}, {"name": "Ben", "colour": None}]
    status, now = guest.does(
        "start", game="five_dice", players=players, settings={"entry": 500, "start": "Ann"}
    )
    assert (status, now["match"]["title"]) == (200, "5 Dice")
    assert guest.table.done[-1] == actions.Start(
        0, "five_dice", (Seat("Ann", "green"), Seat("Ben")), {"entry": "500", "start": "Ann"}
    )
    status, now = guest.does("end")
    assert (status, now["match"]) == (200, None)


def test_confirm_and_read_again_need_no_snapshot_number(pig: Guest) -> None:
    pig.table.throws(4)
    assert pig.posts("read_again", {})[0] == 200
    assert pig.table.evening.asked_to_read == 1
    status, now = pig.posts("confirm", {})
    assert (status, now["match"]["scores"]["Ann"]) == (200, 4)


# -- the simulated hand --------------------------------------------------------------------------------------


UNDER_WAY = "A throw is under way. Wait until everything lies still and is read."


@pytest.fixture
def pig_by_hand(sit_down: SitDown) -> Guest:
    """A guest at a simulated tray, where the hand throws only 4s."""
    return sit_down("pig", "Ann:green", "Ben:red", start="Ann", hand=[4])


def hand_of(guest: Guest) -> FakeHand:
    assert guest.table.hand is not None
    return guest.table.hand


def test_what_lies_over_the_tray_is_no_hand_that_throws(pig_by_hand: Guest) -> None:
    """A stick on the rim reaches into the tray as an arm does."""
    pig_by_hand.table.moves(TrayState.HAND)
    hand_of(pig_by_hand).resting = False
    refused = pig_by_hand.does("hand")[1]["error"]
    assert refused == "A hand is over the tray. Wait until everything lies still and is read."
    hand_of(pig_by_hand).resting = True
    assert pig_by_hand.does("hand")[0] == 200
    assert hand_of(pig_by_hand).thrown == [(("green",), ())]


def test_the_hand_throws_the_awaited_dice(pig_by_hand: Guest) -> None:
    status, now = pig_by_hand.does("hand")
    assert (status, now["tray"]["dice"][0]["face"]) == (200, 4)
    assert hand_of(pig_by_hand).thrown == [(("green",), ())]


def test_the_hand_leaves_dice_that_were_not_picked_up(sit_down: SitDown) -> None:
    guest = sit_down("midnight", "Ann:green", "Ben", start="Ann", hand=[1, 4, 6, 6, 2, 3])
    guest.does("hand")
    status, now = guest.does("hand", picked_up=[4, 5])
    assert (status, now["match"]["so_far"]) == (200, "kept 1, 4, 6 and 6")
    assert hand_of(guest).thrown[-1] == (("green", "green"), (0, 1, 2, 3))


def test_the_hand_leaves_no_dice_that_cannot_be_kept(sit_down: SitDown) -> None:
    guest = sit_down("five_dice", "Ann:green", "Ben", start="Ann", hand=[6, 5, 3, 3, 2, 5])
    guest.does("hand")
    status, refused = guest.does("hand", picked_up=[0, 2, 3, 4, 5], keep=[5, 3])
    assert status == 422
    assert "The 3 does not score" in refused["error"]
    assert len(hand_of(guest).thrown) == 1
    assert guest.does("hand", picked_up=[0, 2, 3, 4], keep=[5, 5])[0] == 200
    assert len(hand_of(guest).thrown) == 2
    assert guest.does("hand", picked_up=[], keep="5")[0] == 400


def test_the_hand_throws_sticks_where_sticks_are_awaited(sit_down: SitDown) -> None:
    guest = sit_down("sigily", "Ann", "Ben", hand=[1])
    assert guest.does("hand")[0] == 200
    assert hand_of(guest).thrown_sticks == [OGHAM]
    assert hand_of(guest).thrown == []


@pytest.fixture
def mia_by_hand(sit_down: SitDown) -> Guest:
    """Mia on a simulated tray whose hand throws 3 and 1; Ann is to throw under the cup."""
    return sit_down("mia", "Ann:green", "Ben:red", start="Ann", hand=[3, 1])


def look_from(guest: Guest, address: str) -> tuple[int, dict[str, Any]]:
    answer = guest.http.post("/api/hand/look", json={}, environ_overrides={"REMOTE_ADDR": address})
    return answer.status_code, answer.get_json()


def test_the_hand_throws_under_the_cup_and_lifts_it(mia_by_hand: Guest) -> None:
    hand = mia_by_hand.table.hand
    assert hand is not None
    status, after = mia_by_hand.does("hand")
    assert (status, after["match"]["prompt"]["kind"], hand.thrown) == (200, "choose", [])
    assert hand.cups["the cup"].by == "Ann"
    mia_by_hand.does("answer", choose="43")
    mia_by_hand.does("answer", choose="liar")
    status, after = mia_by_hand.does("hand")
    assert status == 200
    assert "31 lay under the cup" in " ".join(r["text"] for r in after["match"]["rulings"])


def test_only_the_thrower_looks_under_the_cup_and_only_in_their_turn(mia_by_hand: Guest) -> None:
    assert mia_by_hand.snapshot()["may_look"] is False
    assert look_from(mia_by_hand, "127.0.0.1")[0] == 422
    mia_by_hand.does("hand")
    assert mia_by_hand.snapshot()["may_look"] is True
    assert look_from(mia_by_hand, "127.0.0.1") == (200, {"dice": [3, 1]})
    mia_by_hand.does("answer", choose="43")
    assert mia_by_hand.snapshot()["may_look"] is False
    status, refused = look_from(mia_by_hand, "127.0.0.1")
    assert (status, refused["error"]) == (422, "You have no dice under a cup that you may look at now.")


def test_no_other_screen_looks_under_the_cup(mia_by_hand: Guest) -> None:
    mia_by_hand.does("hand")
    status, refused = look_from(mia_by_hand, "192.168.1.20")
    assert status == 422
    assert "dice" not in refused
    assert "dice" not in mia_by_hand.snapshot()["match"]["prompt"]


def test_nobody_looks_under_the_cup_of_ho_han(sit_down: SitDown) -> None:
    guest = sit_down("ho_han", "Ann:green", "Ben:red", hand=[3, 1])
    guest.does("hand")
    assert guest.snapshot()["may_look"] is False
    assert look_from(guest, "127.0.0.1")[0] == 422


def test_each_player_has_an_own_cup_in_liars_dice(sit_down: SitDown) -> None:
    guest = sit_down("liars_dice", "Ann:green", "Ben:red", start="Ann", hand=[1, 2, 3, 4, 5, 6, 6, 6, 6, 6])
    guest.does("hand")
    guest.does("hand")
    assert look_from(guest, "127.0.0.1")[1] == {"dice": [1, 2, 3, 4, 5]}
    guest.does("answer", answer={"bid": {"count": 2, "face": 3}})
    assert look_from(guest, "127.0.0.1")[1] == {"dice": [6, 6, 6, 6, 6]}


def test_a_real_tray_has_no_hand(pig: Guest) -> None:
    status, now = pig.does("hand")
    assert (status, now["error"]) == (422, "The page can throw dice only on a simulated tray.")


def test_the_hand_throws_once_when_two_people_tap(pig_by_hand: Guest) -> None:
    number = pig_by_hand.table.snapshot.number
    assert pig_by_hand.posts("hand", {"number": number})[0] == 200
    status, reply = pig_by_hand.posts("hand", {"number": number})
    assert (status, reply["error"]) == (
        409,
        "Somebody was quicker: the table has moved on. Look again, then throw.",
    )
    assert len(hand_of(pig_by_hand).thrown) == 1


def test_the_hand_refuses_a_throw_while_it_throws(
    pig_by_hand: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "REST_TIMEOUT_S", 0.1)
    hand_of(pig_by_hand).resting = False
    status, reply = pig_by_hand.does("hand")
    assert (status, reply["error"]) == (422, UNDER_WAY)
    assert hand_of(pig_by_hand).thrown == []


def test_the_hand_throws_once_its_last_throw_is_over(pig_by_hand: Guest) -> None:
    hand = hand_of(pig_by_hand)
    hand.resting = False
    ends = threading.Timer(0.2, setattr, (hand, "resting", True))
    ends.start()
    assert pig_by_hand.does("hand")[0] == 200
    ends.join()
    assert len(hand.thrown) == 1


@pytest.mark.parametrize(("then", "status"), [(TrayState.EMPTY, 200), (TrayState.WRONG_DICE, 422)])
def test_the_hand_throws_once_the_tray_is_calm(pig_by_hand: Guest, then: TrayState, status: int) -> None:
    pig_by_hand.table.moves(TrayState.ROLLING)
    ends = threading.Timer(0.2, pig_by_hand.table.moves, (then,))
    ends.start()
    assert pig_by_hand.does("hand")[0] == status
    ends.join()
    assert len(hand_of(pig_by_hand).thrown) == (status == 200)


@pytest.mark.parametrize("state", [TrayState.ROLLING, TrayState.SETTLING, TrayState.READING])
def test_the_hand_refuses_a_throw_until_the_last_one_is_read(
    pig_by_hand: Guest, state: TrayState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "REST_TIMEOUT_S", 0.1)
    pig_by_hand.table.moves(state)
    assert pig_by_hand.does("hand")[1]["error"] == UNDER_WAY


# -- clumsy acts of the simulated hand -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "done"),
    [
        ("push", ("slide", 0)),
        ("knock", ("knock", 0)),
        ("turn", ("turn", 0)),
        ("tidy", ("tidy",)),
        ("cover", ("cover",)),
        ("sleeve", ("sleeve",)),
        ("bump", ("bump",)),
        ("lamp", ("lamp",)),
        ("lens", ("covered", LENS_S)),
    ],
)
def test_the_hand_does_every_clumsy_act(pig_by_hand: Guest, act: str, done: tuple[str | float, ...]) -> None:
    pig_by_hand.does("hand")
    assert pig_by_hand.does("hand", act=act)[0] == 200
    assert hand_of(pig_by_hand).acts == [done]


def test_the_hand_turns_a_die_back(pig_by_hand: Guest) -> None:
    pig_by_hand.does("hand")
    none = pig_by_hand.does("hand", act="turn back")[1]["error"]
    assert none == "No die was turned by hand, so none can be turned back."
    pig_by_hand.does("hand", act="turn")
    assert pig_by_hand.does("hand", act="turn back")[0] == 200
    assert hand_of(pig_by_hand).acts == [("turn", 0), ("turn back",)]


def test_the_hand_lays_a_die_down_with_some_face(pig_by_hand: Guest) -> None:
    assert pig_by_hand.does("hand", act="lay")[0] == 200
    ((act, face, colour),) = hand_of(pig_by_hand).acts
    assert (act, face in range(1, 7), colour) == ("lay", True, "white")


def test_the_hand_pushes_the_die_that_was_tapped(sit_down: SitDown) -> None:
    guest = sit_down("midnight", "Ann:green", "Ben", start="Ann", hand=[1, 4, 6, 6, 2, 3])
    guest.does("hand")
    guest.does("hand", act="push", die=4)
    (place,) = hand_of(guest).acts[0][1:]
    assert hand_of(guest).lay()[int(place)].x == guest.table.snapshot.tray.dice[4].seen.centre_xy[0]


def test_an_impossible_clumsy_act_is_refused_with_a_sentence(pig_by_hand: Guest) -> None:
    assert pig_by_hand.does("hand", act="push")[1]["error"] == "No die lies on the tray. Throw first."
    assert pig_by_hand.does("hand", act="juggle")[1]["error"].startswith(
        "“act” is one of push, knock, turn, tidy,"
    )
    assert (
        pig_by_hand.does("hand", act="push", die="the red one")[1]["error"]
        == "“die” is an index in tray.dice, such as 0."
    )
    pig_by_hand.does("hand")
    assert (
        pig_by_hand.does("hand", act="push", die=7)[1]["error"]
        == "There is no die 7 on the tray; 1 were read, counted from 0."
    )
    assert hand_of(pig_by_hand).acts == []


def test_a_busy_hand_does_no_clumsy_act_except_lamp_and_lens(pig_by_hand: Guest) -> None:
    pig_by_hand.does("hand")
    hand_of(pig_by_hand).resting = False
    status, reply = pig_by_hand.does("hand", act="tidy")
    assert (status, reply["error"]) == (422, "The hand is busy. Wait until it is done.")
    assert pig_by_hand.does("hand", act="lamp")[0] == 200
    assert pig_by_hand.does("hand", act="lens")[0] == 200
    assert hand_of(pig_by_hand).acts == [("lamp",), ("covered", LENS_S)]


def test_a_real_tray_has_no_clumsy_acts(pig: Guest) -> None:
    assert pig.does("hand", act="push")[0] == 422


# -- refusals ------------------------------------------------------------------------------------------------


def test_the_slower_of_two_answers_is_refused_with_the_current_snapshot(pig: Guest) -> None:
    pig.table.throws(4)
    number = pig.table.snapshot.number
    assert pig.posts("answer", {"number": number, "choose": "hold"})[0] == 200
    status, reply = pig.posts("answer", {"number": number, "choose": "roll"})
    assert status == 409
    assert reply["error"].startswith("Somebody was quicker")
    assert reply["snapshot"]["match"]["prompt"]["player"] == "Ben"


def test_a_keep_against_the_rules_is_refused_with_the_reason(sit_down: SitDown) -> None:
    guest = sit_down("five_dice", "Ann", "Ben", start="Ann")
    guest.table.throws(1, 5, 2, 3, 3, 4)
    status, reply = guest.does("answer", keep=[1, 2])
    assert (status, reply["error"]) == (422, "The 2 does not score in 1 and 2; leave it out.")
    assert guest.snapshot()["match"]["at"] == 1


def test_a_busy_table_answers_503(pig: Guest) -> None:
    pig.table.trouble = TableBusy("The table is busy and did not answer. Try again.")
    status, reply = pig.does("read_again")
    assert (status, reply["error"]) == (503, "The table is busy and did not answer. Try again.")


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("answer", []),
        ("answer", {}),
        ("answer", {"choose": "hold"}),
        ("answer", {"number": "0", "choose": "hold"}),
        ("answer", {"number": True, "choose": "hold"}),
        ("answer", {"number": 1}),
        ("answer", {"number": 1, "choose": 3}),
        ("answer", {"number": 1, "choose": "hold", "keep": [1]}),
        ("answer", {"number": 1, "keep": "15"}),
        ("answer", {"number": 1, "keep": [7]}),
        ("answer", {"number": 1, "roll": [True]}),
        ("answer", {"number": 1, "roll": [{"face": 3, "colour": 4}]}),
        ("answer", {"number": 1, "shout": "hold"}),
        ("take_back", {"number": None}),
        ("correct", {"number": 1, "roll": [1]}),
        ("correct", {"number": 1, "at": 0}),
        ("correct", {"number": 1, "at": 0.0, "roll": [1]}),
        ("settle", {"number": 1, "faces": [0]}),
        ("settle", {"number": 1}),
        ("settle", {"number": 1, "faces": "none"}),
        ("settle", {"number": 1, "faces": [None, 7]}),
        ("correct", {"number": 1, "at": 0, "roll": [1], "anyway": "no"}),
        ("correct", {"number": 1, "at": 0, "roll": [{"face": 1, "colour": "gold"}]}),
        ("correct", {"number": 1, "at": 0, "sticks": ["cat"]}),
        ("answer", {"number": 1, "roll": [{"face": 1, "colour": "x" * 3000}]}),
        (
            "start",
            {"number": 1, "game": "pig", "players": [{"name": "Ann", "colour": "x" * 3000}, {"name": "Ben"}]},
        ),
        ("start", {"number": 1, "game": "pig", "players": [{"name": "Ann"}, {"name": "ann"}]}),
        ("start", {"number": 1, "game": "pig", "players": [{"name": "Ann"}, {"name": "Ann\u200b"}]}),
        ("start", {"number": 1, "game": "pig", "players": [{"name": "Ann"}, {"name": "\u200b\u202e"}]}),
        ("start", {"number": 1, "game": "pig"}),
        ("start", {"number": 1, "game": "pig", "players": ["Ann", "Ben"]}),
        ("start", {"number": 1, "game": "pig", "players": [{"colour": "red"}, {"name": "Ben"}]}),
        (
            "start",
            {"number": 1, "game": "pig", "players": [{"name": "Ann", "colour": "gold"}, {"name": "Ben"}]},
        ),
        (
            "start",
            {"number": 1, "game": "pig", "players": [{"name": "Ann"}, {"name": "Ben"}], "settings": []},
        ),
        ("start", {"number": 1, "game": "chess", "players": [{"name": "Ann"}, {"name": "Ben"}]}),
        ("start", {"number": 1, "game": "pig", "players": [{"name": "Ann"}, {"name": "Ann"}]}),
        ("start", {"number": 1, "game": "pig", "players": [{"name": "Ann"}, {"name": " "}]}),
        (
            "start",
            {
                "number": 1,
                "game": "pig",
                "players": [{"name": "Ann"}, {"name": "Ben"}],
                "settings": {"entry": "500"},
            },
        ),
        ("hand", {}),
        ("hand", {"number": 1, "picked_up": 3}),
        ("hand", {"number": 1, "picked_up": ["0"]}),
    ],
)
def test_an_unreadable_body_is_refused_with_one_sentence(pig: Guest, what: str, body: Any) -> None:
    assert pig.table.snapshot.number == 1
    status, reply = pig.posts(what, body)
    assert status == 400
    assert 15 < len(reply["error"]) < 250  # the longest names every game
    assert "\n" not in reply["error"]
    assert reply["snapshot"]["match"]["at"] == 0


@pytest.mark.parametrize(
    "sent", [b"", b"{", b"\xff\xfe", b"null", b"[" * 5000, b'{"number": 1e999}', b'{"number": NaN}']
)
def test_a_body_that_is_not_json_is_refused_with_one_sentence(pig: Guest, sent: bytes) -> None:
    answer = pig.http.post("/api/answer", data=sent, content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["error"]


def test_a_huge_body_is_refused(pig: Guest) -> None:
    answer = pig.http.post("/api/answer", data=b" " * 1_000_000, content_type="application/json")
    assert answer.status_code in (400, 413)
    assert answer.get_json()["error"]


def test_an_unknown_address_and_a_wrong_method_are_reported_as_json(pig: Guest) -> None:
    assert pig.http.get("/api/nothing").get_json()["error"]
    wrong = pig.http.get("/api/answer")
    assert (wrong.status_code, bool(wrong.get_json()["error"])) == (405, True)


def test_the_faces_of_sticks_in_question_are_given(sit_down: SitDown) -> None:
    guest = sit_down("sigily", "Ann", "Ben")
    guest.table.throws_sticks("round", "deer?", "round", "horse")
    shown = guest.snapshot()["tray"]["sticks"]
    assert [(s["face"], s["part"], s["index"]) for s in shown][1] == ("deer", "asked", 0)
    assert len(shown[0]["quad"]) == 4
    status, reply = guest.does("settle", sticks=["cow"])
    assert (status, reply["match"]["throws"][0]["sticks"]) == (200, ["round", "cow", "round", "horse"])


@pytest.mark.parametrize("said", ["dog", ["die"], [4], [["dog"]]])
def test_unreadable_faces_of_sticks_are_refused(sit_down: SitDown, said: object) -> None:
    guest = sit_down("sigily", "Ann", "Ben")
    guest.table.throws_sticks("round", "deer?", "round", "horse")
    status, reply = guest.does("settle", sticks=said)
    assert status == 400
    assert "stick" in reply["error"]
