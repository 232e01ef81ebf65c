"""What a screen reader tells of a game: each throw and what came of it, once."""

from __future__ import annotations

import json

import pytest

from table.common.tray import TrayState
from tests.page.browsing import SETTLED, OpenScreen, Screen, module
from tests.page.conftest import Guest, ServeTable
from tests.page.serving import Served

RECORDING = """(() => {
    window.heard = [];
    const told = document.getElementById('heard');
    new MutationObserver(() => heard.push(told.textContent)).observe(told, {childList: true});
})()"""
"""Script: from now on the page notes what is put into the element that is read out."""

LATE_STATUS = """[...document.querySelectorAll('#app [role=status]')].map(e => e.id)"""
"""Script: elements that are read out and were not there from the start."""


def test_what_is_read_out_has_its_element_from_the_start(pig: Guest) -> None:
    assert '<p class="unseen" id="heard" role="status"></p>' in pig.http.get("/").get_data(as_text=True)


def listening(serve: ServeTable, screen: OpenScreen, game: str, *players: str) -> tuple[Served, Screen]:
    """A served table, and a kiosk that notes what is read out."""
    server = serve(game, *players, start=players[0].split(":")[0])
    kiosk = screen(server)
    kiosk.evaluates(RECORDING)
    return server, kiosk


def heard(server: Served, kiosk: Screen) -> list[str]:
    """What was read out since the last call."""
    kiosk.page.wait_for_function(SETTLED, arg=server.table.snapshot.seq)
    kiosk.evaluates("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    texts: list[str] = kiosk.evaluates("heard.splice(0)")
    return texts


@pytest.mark.browser
def test_a_throw_is_read_out_with_what_it_counts(serve: ServeTable, screen: OpenScreen) -> None:
    server, kiosk = listening(serve, screen, "pig", "Ann:green", "Ben:red")
    server.table.throws(4)
    assert heard(server, kiosk) == ["Ann threw 4. 4 this turn. Ann: hold 4 or throw again?"]
    kiosk.taps("[data-option=roll]")
    server.table.throws(1)
    lost = "Ann threw 1. Ann threw a 1: 4 points lost, and the turn is over."
    assert heard(server, kiosk)[-1] == f"{lost} Ben: throw one die."
    server.table.throws(6)
    heard(server, kiosk)
    kiosk.taps("[data-option=hold]")
    kiosk.sees(".who", "Ann")
    assert heard(server, kiosk) == ["Ben: 6 (held 6). Ann: throw one die."]
    assert kiosk.evaluates(LATE_STATUS) == []


@pytest.mark.browser
def test_a_foul_is_read_out_each_time_and_not_twice(serve: ServeTable, screen: OpenScreen) -> None:
    server, kiosk = listening(serve, screen, "pig", "Ann:green", "Ben:red")
    foul = "Wrong dice: two dice came to rest, one expected; the throw is void. Ann: throw one die."
    server.table.throws(3, 4)
    assert heard(server, kiosk) == [foul]
    places = server.table.throws(3, 4)
    assert heard(server, kiosk) == [foul], "the same foul again"
    server.table.picks_up(places[0])
    assert heard(server, kiosk) == []


@pytest.mark.browser
def test_the_same_prompt_is_read_out_after_another_throw(serve: ServeTable, screen: OpenScreen) -> None:
    server, kiosk = listening(serve, screen, "drop_dead", "Ann:green", "Ben:red")
    server.table.throws(5, 5, 2, 2, 1)
    first = heard(server, kiosk)[-1]
    assert first.startswith("Ann threw 5, 5, 2, 2 and 1. ")
    assert first.endswith(" Ann: throw one die.")
    for _ in range(2):
        server.table.throws(4)
        (again,) = heard(server, kiosk)
        assert again.startswith("Ann threw 4. ")
        assert again.endswith(" Ann: throw one die.")


@pytest.mark.browser
def test_a_question_about_a_die_is_read_out_in_place_of_the_order_to_throw(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server, kiosk = listening(serve, screen, "pig", "Ann:green", "Ben:red")
    server.table.throws((4, "unsure"))
    (asked,) = heard(server, kiosk)
    assert asked.endswith(" Ann: say what the die shows.")
    assert "throw one die" not in asked
    server.table.moves(TrayState.HAND)
    server.table.moves(TrayState.UNSURE, server.table.snapshot.tray.message)
    assert heard(server, kiosk) == []


@pytest.mark.browser
def test_a_typed_throw_is_read_out_once(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red")
    server.table.blind = True
    server.table.moves(TrayState.NO_CAMERA, "No camera was found.")
    kiosk = screen(server)
    kiosk.evaluates(RECORDING)
    for face in (5, 2):
        for tap in ("#type-throw", f"[data-say='{face}']", "#confirm"):
            kiosk.taps(tap)
        kiosk.sees_no("#face-dialog")
        (text,) = heard(server, kiosk)
        assert text.count(f"threw {face}") == 1


@pytest.mark.browser
def test_dice_between_games_are_read_out(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.evaluates(RECORDING)
    for _ in range(2):
        server.table.throws(3, 5)
        assert heard(server, kiosk) == ["Read: 3 and 5."]


@pytest.mark.browser
def test_a_score_is_left_out_only_if_a_ruling_names_its_player(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve())
    players = [{"name": name} for name in ("Ann", "Joann", "Mary Ann", "Élodie", "J.")]
    line = {"at": 3, "points": 0, "reason": ""}
    told = {
        "Joann scores nothing.": ["Joann"],
        "Mary Ann scores nothing.": ["Mary Ann"],
        "Ann and Mary Ann score nothing.": ["Ann", "Mary Ann"],
        "Nothing for Élodie, Annika: Ann's throw.": ["Ann", "Élodie"],
        "Éannán gets J.’s die.": ["J."],
    }
    for text, names in told.items():
        match = json.dumps({"players": players, "rulings": [{"at": 3, "text": text}]})
        ruled = kiosk.evaluates(
            f"{module('cell.js')}.then(cell => ({match}).players.map(p => p.name)"
            f".filter(player => cell.isRuled({{...{json.dumps(line)}, player}}, {match})))"
        )
        assert ruled == names, text
