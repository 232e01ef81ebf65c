"""While dice lie under cups, no address tells what the camera sees. These tests ask every address."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from table.common.tray import TrayState
from table.rules.answers import Bid
from tests.page.conftest import Guest
from tests.page.fake_table import FakeTable
from tests.page.serving import Listener, served
from vision.tracking.tracks import TrackOutcome

SECRET_COLOUR = "purple"
"""Colour of the secret dice. Nothing else at the table has it."""

PICTURE = b"\xff\xd8"
"""The first bytes of a JPEG."""

CLIP = PICTURE + b" a clip"


def bids_are_made(table: FakeTable) -> None:
    """Both players have dice under their cups, and the first one bids."""
    table.evening.chooses("ready")
    table.evening.chooses("ready")
    table.evening.answers(Bid(4, 3))
    table.moves(TrayState.WAITING)


def mia_is_announced(table: FakeTable) -> None:
    table.evening.chooses("ready")
    table.evening.chooses("43")


def bets_are_taken(table: FakeTable) -> None:
    table.evening.chooses("ready")


def nothing_yet(table: FakeTable) -> None:
    """The first player is about to throw under the cup."""


ROUNDS: dict[str, tuple[str, Callable[[FakeTable], None]]] = {
    "before a throw under a cup": ("mia", nothing_yet),
    "mia": ("mia", mia_is_announced),
    "liars_dice": ("liars_dice", bids_are_made),
    "bricrius_bluff": ("bricrius_bluff", bids_are_made),
    "ho_han": ("ho_han", bets_are_taken),
}


@pytest.fixture(params=ROUNDS.values(), ids=list(ROUNDS))
def table(tmp_path: Path, request: pytest.FixtureRequest) -> FakeTable:
    """A table with dice under cups, and three dice that its camera sees all the same."""
    game, plays = request.param
    start = {} if game == "ho_han" else {"start": "Ann"}
    table = FakeTable(tmp_path, game, "Ann:green", "Ben:red", hand=(1,), **start)
    plays(table)
    assert table.snapshot.match is not None
    at = table.snapshot.match.at
    table.throws(6, 4, 2, colour=SECRET_COLOUR)
    table.replays.clips = {(at, False): CLIP, (at, True): CLIP}
    table.colours.lays(SECRET_COLOUR, "#800080", 3)
    return table


def test_no_address_shows_the_tray_or_what_was_read_on_it(table: FakeTable) -> None:
    guest = Guest(table)
    assert table.evening.lying, "the camera sees dice"
    for address in addresses(guest):
        answer = guest.http.get(address)
        assert PICTURE not in answer.data, address
        assert SECRET_COLOUR not in as_told(answer.data), address
        assert not dice_in(answer.get_json(silent=True)), address


def test_no_refusal_names_a_face(table: FakeTable) -> None:
    guest = Guest(table)
    for what, body in POSTS.items():
        _, reply = guest.does(what, **body)
        assert SECRET_COLOUR not in json.dumps(reply), what
        assert not dice_in(reply), what
        assert reply.get("snapshot", reply)["tray"]["message"].count("6") == 0, what


def test_the_stream_tells_nothing(table: FakeTable) -> None:
    with served(table) as server:
        phone = Listener(server)
        _, snapshot, _ = phone.next()
        phone.close()
    assert snapshot["tray"]["hidden"] is True
    assert not dice_in(snapshot)
    assert SECRET_COLOUR not in as_told(json.dumps(snapshot).encode())


def test_dice_that_were_laid_or_moved_are_not_named(table: FakeTable) -> None:
    """The sentences of these fouls and questions have faces."""
    evening = table.evening
    for outcome in (TrackOutcome.PLACED, TrackOutcome.UNCLEAR, TrackOutcome.MOVED, TrackOutcome.TURNED):
        evening.lying.clear()
        evening.lays(6, 6, colour=SECRET_COLOUR, outcome=outcome)
        evening.settle()
        now = evening.now
        assert "6" not in now.tray.message, (outcome, now.tray.message)
        assert all(d.seen.face == 0 and not d.seen.likely for d in now.tray.dice), outcome


def test_the_tray_is_back_when_the_cups_are_lifted(tmp_path: Path) -> None:
    table = FakeTable(tmp_path, "liars_dice", "Ann:green", "Ben:red", start="Ann")
    guest = Guest(table)
    bids_are_made(table)
    assert guest.http.get("/api/tray.jpg").status_code == 422
    guest.does("answer", choose="call")
    table.throws(3, 3, 1, 5, 6)
    shown = guest.snapshot()
    assert [d["face"] for d in shown["tray"]["dice"]] == [3, 3, 1, 5, 6]
    assert shown["hidden_since"] is None
    at = shown["match"]["throws"][-1]["at"]
    for address in ("/api/tray.jpg", f"/api/throws/{at}.jpg"):
        assert guest.http.get(address).data.startswith(PICTURE), address


def test_throws_from_before_the_cups_stay_visible(tmp_path: Path) -> None:
    table = FakeTable(tmp_path, "liars_dice", "Ann:green", "Ben:red")
    guest = Guest(table)
    table.throws(6)
    table.throws(2)
    table.replays.clips = {(0, False): CLIP, (2, True): CLIP}
    assert guest.snapshot()["hidden_since"] is None  # until a hand comes
    table.moves(TrayState.HAND)
    now = guest.snapshot()
    assert (now["hidden_since"], now["replays"]) == (2, {"throws": [0], "fouls": []})
    assert guest.http.get("/api/throws/0/clip").data == CLIP
    assert guest.http.get("/api/throws/0.jpg").data.startswith(PICTURE)
    assert guest.http.get("/api/throws/2/clip?foul=1").status_code == 422


def test_the_pictures_of_earlier_matches_stay_visible_beside_the_cups(tmp_path: Path) -> None:
    """The throws of the match that is on are as secret by its number."""
    table = FakeTable(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann")
    guest = Guest(table)
    table.throws(4)
    guest.does("end")
    guest.does("start", game="mia", players=[{"name": "Ann"}, {"name": "Ben"}])
    table.throws(6)
    table.throws(2)
    table.moves(TrayState.HAND)
    assert guest.http.get("/api/matches/1/throws/0.jpg").data.startswith(PICTURE)
    assert [d["face"] for d in guest.http.get("/api/matches/1/throws/0").get_json()["dice"]] == [4]
    for address in ("/api/matches/2/throws/2.jpg", "/api/matches/2/throws/2"):
        assert guest.http.get(address).status_code == 422, address


def test_a_cup_lifted_over_the_tray_is_the_call(tmp_path: Path) -> None:
    """In Mia the dice that appear are a choice. A die that was not read surely is asked about as usual."""
    table = FakeTable(tmp_path, "mia", "Ann:green", "Ben:red", start="Ann")
    mia_is_announced(table)
    table.throws((6, "unsure"), 3)
    assert [d.part for d in table.snapshot.tray.dice] == ["asked", "thrown"]
    assert table.snapshot.hidden_since is None


def test_a_ruling_on_dice_beside_a_cup_has_its_number_only_with_its_own_sentence(tmp_path: Path) -> None:
    table = FakeTable(tmp_path, "mia", "Ann:green", "Ben:red", start="Ann")
    mia_is_announced(table)
    table.throws(6, 4, 2)
    shown = table.evening.now.tray
    assert shown.message.startswith("Wrong dice: three dice thrown; two or none would be right.")
    assert shown.rule == "G5"
    table = FakeTable(tmp_path / "other", "mia", "Ann:green", "Ben:red", start="Ann")
    mia_is_announced(table)
    table.evening.lays(6, 3, outcome=TrackOutcome.PLACED)
    table.evening.settle()
    shown = table.evening.now.tray
    assert shown.message == "Dice on the tray do not count while dice lie under cups. Cover them."
    assert shown.rule == ""


def test_dice_in_doubt_are_asked_about_without_their_faces(tmp_path: Path) -> None:
    table = FakeTable(tmp_path, "mia", "Ann:green", "Ben:red", start="Ann")
    mia_is_announced(table)
    table.evening.lays(6, 3, outcome=TrackOutcome.UNCLEAR)
    table.evening.settle()
    now = table.evening.now
    assert now.tray.message == "Were dice shown on the tray, or only moved?"
    assert [(d.part, d.seen.face) for d in now.tray.dice] == [("doubted", 0), ("doubted", 0)]
    table.evening.says_thrown(True)
    assert table.evening.accepted == [(6, 3)]


def test_a_round_that_ends_without_a_reveal_gives_the_tray_back(tmp_path: Path) -> None:
    table = FakeTable(tmp_path, "ho_han", "Ann", "Ben")
    guest = Guest(table)
    guest.does("answer", choose="ready")
    guest.does("answer", answer={"bet": {"player": "Ann", "on": "cho", "stake": 5}})
    guest.does("answer", answer={"bet": {"player": "Ben", "on": "han", "stake": 5}})
    guest.does("answer", choose="close")
    guest.does("answer", choose="void")
    assert guest.snapshot()["match"]["prompt"]["text"] == "Ann: play another round or end the game?"
    assert guest.http.get("/api/tray.jpg").data.startswith(PICTURE)


POSTS: dict[str, dict[str, Any]] = {
    "answer": {"keep": [6]},
    "settle": {"faces": [5]},
    "tell": {"thrown": False},
    "tell_apart": {},
    "fell_off": {},
    "nothing_under_arm": {},
    "nothing_fell": {},
    "correct": {"at": 0, "roll": [1]},
    "take_back": {},
    "read_again": {},
    "hand": {"picked_up": [7]},
    "colours": {"name": "plum"},
    "sticks": {"face": "dog"},
}


def addresses(guest: Guest) -> Iterator[str]:
    """Every address that answers a GET, with the numbers of all throws."""
    listed = [each["path"] for each in guest.http.get("/api").get_json() if each["method"] == "GET"]
    assert "/api/tray.jpg" in listed
    last = guest.snapshot()["match"]["at"]
    for path in listed:
        if path == "/api/events":
            continue  # it does not end; the test of the stream reads it
        for at in range(last + 1) if "<int:at>" in path else [0]:
            plain = path.replace("<int:at>", str(at))
            yield from (plain, f"{plain}?foul=1&lying=1&find=1")
    yield "/"


def as_told(data: bytes) -> str:
    """The text of an answer without the names of the colours that players may choose."""
    return data.decode("utf-8", "replace").replace(json.dumps(SECRET_COLOUR) + ",", "")


def dice_in(told: Any) -> list[Any]:
    """All dice, sticks and what can be learned of them, anywhere in the JSON."""
    if isinstance(told, dict):
        own = [told] if {"confidence", "boxes", "swatches"} & set(told) else []
        return own + [each for value in told.values() for each in dice_in(value)]
    return [each for value in told for each in dice_in(value)] if isinstance(told, list) else []
