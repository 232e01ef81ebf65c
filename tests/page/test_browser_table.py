"""The page around a game: no game, a new game, sheet and rules, the simulated hand, and a lost connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from table.common.tray import TrayState
from table.games import GAMES
from table.page.stream import OWN_STREAMS
from table.referee import actions
from table.rules.answers import Chosen, Throw
from table.rules.game import Seat
from tests.page.browsing import (
    KIOSK,
    LAPTOP,
    OFFERED,
    PHONE,
    SCREENS,
    TELEVISION,
    WAITS,
    OpenScreen,
    box_of,
    module,
)
from tests.page.conftest import ServeTable
from tests.page.serving import Listener, Served

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.browser


# -- without a game, and starting one ------------------------------------------------------------------------


def test_without_a_game_throws_are_read_and_shown(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.sees(".who", "No game on")
    server.table.throws(3, 5)
    kiosk.sees("#message", "Read: 3 and 5.")
    kiosk.sees("#free-throws li", "3")
    assert kiosk.counts("[data-place]") == 2


def test_a_game_starts_with_names_colours_and_settings(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.taps("#new-game")
    kiosk.taps("input[value=five_dice]")
    kiosk.page.fill("input[name=player-0]", "Ann")
    kiosk.page.fill("input[name=player-1]", "Ben")
    kiosk.taps("#add-player")
    kiosk.page.fill("input[name=player-2]", "Cú Chulainn")
    kiosk.page.get_by_label("colour of player 3").select_option("orange")
    kiosk.page.select_option("select[name=entry]", "500")
    kiosk.page.select_option("select[name=start]", "Ben")
    kiosk.taps("#start")
    kiosk.sees(".who", "Ben")
    seats = (Seat("Ann", "green"), Seat("Ben", "red"), Seat("Cú Chulainn", "orange"))
    assert server.table.done == [actions.Start(0, "five_dice", seats, {"entry": "500", "start": "Ben"})]


def test_sigily_starts_on_the_day_of_play(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.page.clock.set_fixed_time("2026-02-07T12:00:00")
    kiosk.taps("#new-game")
    kiosk.taps("input[value=sigily]")
    kiosk.taps("#start")
    kiosk.sees("#scores")
    assert server.started.raw_settings["date"] == "02-07"


def test_players_without_names_are_called_by_their_colours(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve())
    kiosk.taps("#new-game")
    kiosk.taps("#start")
    kiosk.sees("#scores", "Green")
    kiosk.sees("#scores", "Red")


def test_the_last_players_are_remembered(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.taps("#new-game")
    kiosk.page.fill("input[name=player-0]", "Gráinne")
    kiosk.taps("#start")
    kiosk.sees(".app[data-view=play] #scores", "Gráinne")  # before, a tap on “New game” leaves the form
    kiosk.taps("#tab-new")
    before = kiosk.box("#end-game")
    kiosk.taps("#end-game")
    kiosk.sees("#end-game", "Tap again")
    now, tapped = kiosk.box("#end-game"), before["x"] + before["width"] / 2
    assert now["y"] == before["y"], "a second tap in the same place ends it"
    assert now["x"] < tapped < now["x"] + now["width"]
    kiosk.taps("#end-game")
    kiosk.sees("#new-game")
    kiosk.page.reload()
    kiosk.taps("#new-game")
    assert kiosk.page.input_value("input[name=player-0]") == "Gráinne"


def test_a_game_that_cannot_start_says_why(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve())
    kiosk.taps("#new-game")
    kiosk.page.fill("input[name=player-0]", "Ann")
    kiosk.page.fill("input[name=player-1]", "Ann")
    kiosk.taps("#start")
    kiosk.sees("#notice")
    assert kiosk.reads("#notice") == "Players need different names; got Ann and Ann."
    kiosk.console_errors.clear()


def test_enter_goes_from_name_to_name_and_then_to_the_start(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    laptop = screen(server, LAPTOP)
    laptop.taps("#new-game")
    laptop.taps("input[name=player-0]")
    for name in ("Ann", "Ben"):
        laptop.page.keyboard.type(name)
        laptop.page.keyboard.press("Enter")
    assert server.table.done == []
    laptop.sees("#start:focus")
    laptop.page.keyboard.press("Enter")
    laptop.sees(".who", "Ann")
    assert [seat.name for seat in server.started.seats] == ["Ann", "Ben"]


def test_who_had_the_colour_takes_the_one_that_was_given_up(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.taps("#new-game")
    kiosk.page.get_by_label("colour of player 1").select_option("red")
    kiosk.taps("#start")
    kiosk.sees("#scores")
    assert [seat.colour for seat in server.started.seats] == ["red", "green"]


def test_two_clans_may_share_a_colour(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve())
    kiosk.taps("#new-game")
    kiosk.taps("input[value=highland]")
    kiosk.sees("[aria-label='second colour of player 1']")
    kiosk.taps("#add-player")
    kiosk.page.get_by_label("colour of player 1", exact=True).select_option("red")
    assert kiosk.page.get_by_label("colour of player 2", exact=True).input_value() == "red"


def test_a_new_game_asks_before_it_ends_the_current_one(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.sees(".who", "Ben")
    kiosk.taps("#tab-new")
    kiosk.taps("input[value=five_dice]")
    kiosk.taps("#start")
    kiosk.sees("#costs", "Pig is still on: 4 to 0.")
    assert [type(a) for a in pig_table.table.done] == [actions.SubmitAnswer]
    kiosk.taps("input[value=midnight]")
    kiosk.sees_no("#costs")
    kiosk.taps("#start")
    kiosk.sees("#start", "End it and start Midnight")
    kiosk.taps("#start")
    kiosk.sees("h1", "Midnight")


def test_before_it_ends_a_game_of_three_the_form_says_the_highest_score(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", "Cal:blue", start="Ann")
    kiosk = screen(server)
    for face, following in ((4, "Ben"), (5, "Cal")):
        server.table.throws(face)
        kiosk.taps("[data-option=hold]")
        kiosk.sees(".who", following)
    kiosk.taps("#tab-new")
    kiosk.taps("#start")
    kiosk.sees("#costs")
    assert kiosk.reads("#costs") == "Pig is still on. The highest score is 5."


def test_after_a_finished_game_one_tap_starts_the_next(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ben")
    tie_in_midnight(server)
    kiosk = screen(server)
    kiosk.taps("#tab-new")
    kiosk.taps("#start")
    kiosk.sees("#turn", "the highest begins")


def test_a_setting_is_offered_to_those_whom_it_is_for(pig_table: Served, screen: OpenScreen) -> None:
    """What was chosen for more players is left out when one of them leaves again."""
    kiosk = screen(pig_table)
    kiosk.taps("#tab-new")
    kiosk.taps("input[value=sigily]")
    kiosk.sees_count("select[name=teams]", 0)
    for _ in range(2):
        kiosk.taps("#add-player")
    kiosk.page.select_option("select[name=teams]", "on")
    kiosk.taps("[aria-label='remove player 4']")
    kiosk.sees_count("select[name=teams]", 0)
    kiosk.taps("#start")
    kiosk.taps("#start")
    kiosk.sees("h1", "Sigily")
    assert len(pig_table.started.seats) == 3
    assert "teams" not in pig_table.started.raw_settings


def test_a_half_filled_form_survives_another_view_and_a_reload(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    kiosk.taps("#tab-new")
    kiosk.taps("input[value=five_dice]")
    kiosk.page.fill("input[name=player-0]", "Gráinne")
    kiosk.page.select_option("select[name=entry]", "500")
    kiosk.taps("#tab-sheet")
    for come_back in (lambda: kiosk.taps("#tab-new"), kiosk.page.reload):
        come_back()
        kiosk.sees("#start", "Start 5 Dice")
        assert kiosk.page.input_value("input[name=player-0]") == "Gráinne"
        assert kiosk.page.input_value("select[name=entry]") == "500"
    kiosk.taps("#start")
    kiosk.taps("#start")
    kiosk.sees("h1", "5 Dice")
    kiosk.taps("#tab-new")
    kiosk.sees("#start", "Start 5 Dice")
    assert kiosk.page.input_value("select[name=entry]") == "1000", "a game that was started clears the form"


def test_a_default_name_differs_from_every_typed_name(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.taps("#new-game")
    kiosk.page.fill("input[name=player-0]", "Red")
    kiosk.taps("#start")
    kiosk.sees("#scores", "Red 2")


def test_a_refusal_does_not_cover_the_start_button(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve())
    kiosk.taps("#new-game")
    kiosk.page.fill("input[name=player-0]", "Ann")
    kiosk.page.fill("input[name=player-1]", "ann")
    kiosk.taps("#start")
    kiosk.sees("#notice", "differ only in their capitals")
    notice, start = kiosk.box("#notice"), kiosk.box("#start")
    assert notice["y"] + notice["height"] <= start["y"]
    kiosk.page.fill("input[name=player-1]", "Ben")
    kiosk.taps("#start")
    kiosk.sees("#scores", "Ben")
    assert not kiosk.counts("#notice")
    kiosk.console_errors.clear()


def test_a_game_that_is_over_is_closed_with_one_tap(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ann")
    kiosk = screen(server)
    for faces in ((1, 4, 6, 6, 6, 6), (1, 4, 6, 6, 5, 2)):
        server.table.throws(*faces)
        server.table.keeps(*faces)
    kiosk.sees("#play-again")
    kiosk.taps("#tab-new")
    kiosk.sees("#end-game", "Close the last game")
    kiosk.taps("#end-game")
    kiosk.sees("#new-game")


def test_a_phone_shows_the_players_once_a_game_is_tapped(serve: ServeTable, screen: OpenScreen) -> None:
    from playwright.sync_api import expect

    phone = screen(serve(), PHONE)
    phone.taps("#new-game")
    phone.sees("#prompt", "Choose a game, and name the players.")
    phone.page.locator(".game", has_text="Mia").click()
    expect(phone.page.locator(".setup .players .name").last).to_be_in_viewport()


def test_one_tap_does_not_end_a_game(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    kiosk.taps("#tab-new")
    kiosk.taps("#end-game")
    kiosk.sees("#end-game", "Tap again")
    assert pig_table.table.done == []
    kiosk.taps("#end-game")
    kiosk.sees("#new-game")


# -- after a game, sheet and rules ---------------------------------------------------------------------------


def tie_in_midnight(server: Served) -> None:
    """Ann and Ben both score 19."""
    for _ in range(2):
        server.table.throws(1, 4, 6, 6, 5, 2)
        server.table.keeps(1, 4, 6, 6, 5, 2)


def test_playing_again_keeps_the_carried_stakes(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ben", stake="5")
    tie_in_midnight(server)
    kiosk = screen(server)
    kiosk.sees(".who", "Game over")
    kiosk.sees("#prompt", "no winner, 10 carried")
    kiosk.taps("#play-again")
    kiosk.sees("#turn", "Throw six dice")
    assert server.started.seats == (Seat("Ann", "green"), Seat("Ben", "red"))
    assert server.started.raw_settings == {"stake": "5", "carried": "10", "start": "Ben", "dice": "any"}


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_a_rematch_says_who_begins_and_why(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ben", stake="5")
    tie_in_midnight(server)
    looking = screen(server, size)
    looking.sees("#play-again", "Ben begins: after a tie, the same player begins again.")
    looking.taps("#play-again")
    looking.sees("#turn", "Throw six dice")
    server.table.throws(1, 4, 6, 6, 6, 6)
    server.table.keeps(1, 4, 6, 6, 6, 6)
    server.table.throws(1, 4, 6, 6, 5, 2)
    server.table.keeps(1, 4, 6, 6, 5, 2)
    looking.sees("#play-again", "Ben begins: the winner begins the next game.")
    looking.taps("#tab-new")
    looking.taps("#end-game")
    looking.sees("#same-again", "Ben begins: the winner begins the next game.")


@pytest.mark.parametrize(
    ("start", "said"), [("Ann", "Rematch Ann begins, as it is set."), ("highest", "Rematch")]
)
def test_a_rematch_says_that_the_setting_names_who_begins(
    serve: ServeTable, screen: OpenScreen, start: str, said: str
) -> None:
    server = serve("drop_dead", "Ann:green", "Ben:red", start=start)
    for face in (5, 3) * (start == "highest"):
        server.table.throws(face)
    server.table.throws(2, 5, 2, 5, 1)
    server.table.throws(2)
    server.table.throws(2, 5, 2, 5, 2)
    kiosk = screen(server)
    kiosk.sees("#play-again")
    assert " ".join(kiosk.reads("#play-again").split()) == said


def test_winners_are_marked(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ben")
    tie_in_midnight(server)
    kiosk = screen(server)
    kiosk.sees("#prompt", "joint winners")
    kiosk.sees_count(kiosk.page.get_by_role("img", name="winner"), 2)


STARS = """(signs => Object.keys(signs).filter(colour => {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', signs[colour]);
    const long = path.getTotalLength();
    const points = Array.from({length: 100}, (_, i) => path.getPointAtLength(i * long / 100));
    const middle = axis => points.reduce((sum, p) => sum + p[axis], 0) / 100;
    const far = points.map(p => Math.hypot(p.x - middle('x'), p.y - middle('y')));
    const tips = far.flatMap((r, i) => r > far.at(i - 1) && r >= far[(i + 1) % 100] ? [i] : []);
    const even = tips.every((at, n) => n === 0 || Math.abs(at - tips[n - 1] - 20) < 3);
    return tips.length === 5 && even && Math.min(...far) < .6 * Math.max(...far);
}))"""
"""Function: the colours whose sign has five tips round its middle, as the winner's star has."""


def test_no_colour_has_the_sign_of_the_winner(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    signs = f"{module('players.js')}.then(({{SIGNS}}) => SIGNS)"
    assert len(kiosk.evaluates(signs)) == 11
    assert kiosk.evaluates(f"{signs}.then({STARS})") == []


def test_nobody_is_celebrated_where_all_tie_with_nothing(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ben")
    kiosk = screen(server)
    kiosk.sees("#turn", "Ben")
    for _ in range(2):
        server.table.throws(6, 6, 6, 6, 5, 2)
        server.table.keeps(6, 6, 6, 6, 5, 2)
    kiosk.sees("#prompt", "all tie with 0: joint winners.")
    kiosk.sees_count(".finish > li", 2)
    assert [li.split()[0] for li in kiosk.page.locator(".finish > li").all_inner_texts()] == ["1", "1"]
    assert not kiosk.counts("[aria-label=winner], .poster, .won, .finish .bar, .shower")
    kiosk.taps("#show-tray")
    kiosk.sees_count("#scores li", 2)
    assert not kiosk.counts("[aria-label=winner], .won")


def test_the_sheet_shows_every_award_with_its_reason_and_the_picture(
    pig_table: Served, screen: OpenScreen
) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet", "held 4")
    kiosk.sees(".story", "Ann threw 4.")
    kiosk.taps("[data-picture='0']")
    kiosk.sees("#picture-dialog img")
    kiosk.taps("#picture-dialog button")
    kiosk.sees_no("#picture-dialog")


def test_the_sheet_lists_the_newest_first(pig_table: Served, screen: OpenScreen) -> None:
    """A correction is above the rulings that follow from it."""
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    pig_table.table.do(actions.Correct(pig_table.table.snapshot.number, 0, Throw.of(1)))
    kiosk.taps("#tab-sheet")
    kiosk.sees(".story li:nth-child(1)", "Ann's throw is corrected from 4 to 1")
    kiosk.sees(".story li:nth-child(2)", "Ann threw a 1")
    kiosk.sees(".story li:nth-child(3)", "Ann threw 1.")


def test_the_printed_sheet_lists_the_oldest_first_in_9_points(pig_table: Served, screen: OpenScreen) -> None:
    """As the PDF does."""
    kiosk = screen(pig_table)
    pig_table.table.throws(1)
    kiosk.taps("#tab-sheet")
    kiosk.sees(".story li:nth-child(1)", "Ann threw a 1")
    assert not kiosk.page.locator(".record").is_visible()
    kiosk.page.emulate_media(media="print")
    assert not kiosk.page.locator(".story").is_visible()
    kiosk.sees(".record li:nth-child(1)", "Ann threw 1.")
    kiosk.sees(".record li:last-child", "Ann threw a 1")
    assert kiosk.evaluates("getComputedStyle(document.querySelector('.record')).fontSize") == "12px", "9 pt"


def test_points_below_0_have_a_minus_sign(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("cee_lo", "Ann:green", "Ben:red", start="Ann", stake="2")
    server.table.throws(1, 2, 3)
    kiosk = screen(server)
    kiosk.sees("#scores", "−2")
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet tfoot", "−2")


def test_no_picture_of_a_typed_throw_is_offered(pig_table: Served, screen: OpenScreen) -> None:
    pig_table.table.moves(TrayState.NO_CAMERA)
    kiosk = screen(pig_table)
    kiosk.evaluates("""fetch('/api/answer', {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({number: 1, roll: [5]})}).then(a => a.status)""")
    kiosk.sees("#turn", "Hold 5")
    kiosk.taps("#tab-sheet")
    kiosk.sees(".story", "Ann threw 5, typed.")
    kiosk.sees("[data-correct='0']")
    assert not kiosk.counts("[data-picture]")


def test_a_picture_that_is_not_there_is_reported(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    kiosk.page.route("**/api/throws/0.jpg", lambda route: route.fulfill(status=404))
    pig_table.table.throws(4)
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-picture='0']")
    kiosk.sees("#picture-dialog", "There is no picture of this throw")
    kiosk.expected_error("404")


def test_the_rules_are_one_tap_away(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    kiosk.taps("#tab-rules")
    kiosk.sees("main", "Throw one die. A 2 to 6 adds to your turn")
    kiosk.sees("main strong", "On the tray")
    kiosk.taps("#tab-rules")
    kiosk.sees("#turn")


def test_the_printed_sheet_is_black_on_white(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet", "held 4")
    kiosk.page.emulate_media(media="print")
    assert kiosk.evaluates(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    ) == [
        "rgb(255, 255, 255)",
        "rgb(0, 0, 0)",
    ]
    assert not kiosk.page.locator(".head").is_visible()
    assert not kiosk.page.locator("[data-correct]").first.is_visible()


# -- the simulated hand --------------------------------------------------------------------------------------


def test_a_simulated_tray_is_marked_and_has_a_throw_button(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann", hand=[4])
    kiosk = screen(server)
    kiosk.sees("#throw", "Simulated hand")
    kiosk.taps("#throw")
    kiosk.sees("#turn", "Hold 4 or throw again?")
    kiosk.taps("#throw")
    kiosk.sees("#turn", "Hold 8 or throw again?")
    kiosk.taps("[data-option=hold]")
    kiosk.sees(".who", "Ben")


def test_the_throw_button_throws_sticks_where_they_are_awaited(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("sigily", "Ann:green", "Ben:red", hand=[4])
    kiosk = screen(server)
    with kiosk.page.expect_response("**/api/hand"):
        kiosk.taps("#throw")
    assert server.table.hand is not None
    assert [len(sticks) for sticks in server.table.hand.thrown_sticks] == [4]


def test_the_menu_makes_the_hand_clumsy(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann", hand=[4])
    kiosk = screen(server)
    kiosk.taps("#throw")
    kiosk.sees("#turn", "Hold 4 or throw again?")
    for act in ("push", "tidy", "lens"):
        kiosk.taps("#clumsy")
        kiosk.sees("#clumsy-dialog", "What should the hand do?")
        with kiosk.page.expect_response("**/api/hand"):
            kiosk.taps(f"[data-act={act}]")
        kiosk.sees_no("#clumsy-dialog")
    assert server.table.hand is not None
    assert [act for act, *_ in server.table.hand.acts] == ["slide", "tidy", "covered"]


PLACES = """[...document.querySelectorAll('#choices button')].map(b => b.getBoundingClientRect())
    .map(({x, y, width, height}) => [x, y, width, height])"""


@pytest.mark.parametrize("size", [KIOSK, LAPTOP, PHONE], ids=("kiosk", "laptop", "phone"))
@pytest.mark.parametrize(("game", "faces"), [("pig", (5,)), ("midnight", (1, 4, 2, 2, 3, 5))])
def test_no_button_moves_while_the_lens_is_covered(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int], game: str, faces: tuple[int, ...]
) -> None:
    server = serve(game, "Ann:green", "Ben:red", start="Ann", hand=[4])
    server.table.throws(*faces)
    table = screen(server, size)
    table.sees("#throw")
    before = table.evaluates(PLACES)
    server.table.moves(TrayState.COVERED)
    table.sees("#tray-state[data-blind]")
    assert table.evaluates(PLACES) == before
    assert not table.counts("#throw:not([aria-disabled])"), "the hand would throw out of sight"


def test_a_covered_lens_leaves_the_choice_in_the_place_of_its_throw(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann", hand=[4])
    server.table.throws(5)
    kiosk = screen(server)
    server.table.moves(TrayState.COVERED)
    kiosk.taps("button[data-option=roll]:not(#throw)")
    kiosk.sees("#turn", "Throw one die.")
    assert server.table.hand is not None
    assert not server.table.hand.thrown


def test_a_real_tray_has_no_clumsy_hand(pig_table: Served, screen: OpenScreen) -> None:
    assert screen(pig_table).counts("#clumsy") == 0


def test_the_throw_button_waits_until_the_dice_lie_still(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann", hand=[4])
    kiosk = screen(server)
    kiosk.page.route("**/api/hand", lambda route: route.fulfill(json=server.table.snapshot_json()), times=1)
    kiosk.taps("#throw")
    kiosk.sees(WAITS)
    server.table.moves(TrayState.ROLLING)
    kiosk.sees("#tray-state[data-state=ROLLING]")
    assert kiosk.counts(WAITS)
    server.table.throws(5)
    kiosk.sees(OFFERED)


def test_the_throw_button_waits_while_the_hand_has_only_cleared_the_tray(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann", hand=[4])
    kiosk = screen(server)
    kiosk.page.route("**/api/hand", lambda route: route.fulfill(json=server.table.snapshot_json()), times=1)
    kiosk.taps("#throw")
    for state in (TrayState.HAND, TrayState.EMPTY, TrayState.WAITING):
        server.table.moves(state)
        kiosk.sees(f"#tray-state[data-state='{state.value}']")
        assert kiosk.counts(WAITS)
    server.table.moves(TrayState.WRONG_DICE)
    kiosk.sees(OFFERED)


def test_a_tap_while_a_lamp_changes_throws_when_the_picture_is_steady(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann", hand=[4])
    kiosk = screen(server)
    server.table.moves(TrayState.ROLLING)
    kiosk.sees("#tray-state[data-state=ROLLING]")
    kiosk.sees(OFFERED)
    with kiosk.page.expect_request("**/api/hand"):
        kiosk.taps("#throw")
    kiosk.sees(WAITS)
    server.table.moves(TrayState.WAITING)
    kiosk.sees("#turn", "Hold 4 or throw again?")
    assert not kiosk.counts("#notice")


def test_a_tap_during_the_throw_of_another_screen_is_refused(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann", hand=[4])
    kiosk = screen(server)
    assert server.table.hand is not None
    server.table.hand.resting = False
    server.table.moves(TrayState.ROLLING)
    kiosk.sees("#tray-state[data-state=ROLLING]")
    kiosk.taps("#throw")
    kiosk.sees("#notice", "A throw is under way")
    kiosk.sees(OFFERED)
    assert server.table.hand.thrown == []
    kiosk.console_errors.clear()


def test_the_throw_button_works_again_after_a_refusal(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann", hand=[4])
    kiosk = screen(server)
    assert server.table.hand is not None
    server.table.hand.resting = False
    kiosk.taps("#throw")
    kiosk.sees("#notice", "A throw is under way")
    kiosk.sees(OFFERED)
    kiosk.console_errors.clear()


def test_the_hand_throws_the_dice_that_a_choice_awaits(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("ship_captain_crew", "Ann", "Ben", start="Ann", hand=[6, 5, 4, 3, 2])
    kiosk = screen(server)
    kiosk.taps("#throw")
    kiosk.sees("#throw", "Throw both again (throw 2 of 3)")
    kiosk.taps("#throw")
    kiosk.sees("#prompt", "Keep the cargo of 11")
    assert server.table.hand is not None
    assert server.table.hand.thrown[-1] == (("white", "white"), (0, 1, 2))


def test_the_hand_throws_the_dice_that_are_not_kept(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", "Ann", "Ben", start="Ann", hand=[1, 4, 6, 6, 2, 3])
    kiosk = screen(server)
    kiosk.taps("#throw")
    for i in range(4):
        kiosk.taps(f"[data-keep='{i}']")
    kiosk.taps("#throw")
    kiosk.sees("#so-far", "kept 1, 4, 6 and 6")
    assert server.table.hand is not None
    assert server.table.hand.thrown[-1] == (("white", "white"), (0, 1, 2, 3))


def test_the_hand_throws_a_leaning_die_again_alone(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", "Ann", "Ben", start="Ann", hand=[5])
    kiosk = screen(server)
    server.table.throws(1, (5, "cocked"), 2, 3, 3, 4)
    kiosk.sees("#message", "throw it again alone")
    kiosk.sees("#prompt", "Throw the marked die again, alone.")
    kiosk.sees("#say", "It lies flat")
    kiosk.sees("#throw", "Throw it again")
    kiosk.taps("#throw")
    kiosk.sees("#turn", "Which scoring dice")
    assert server.table.hand is not None
    assert server.table.hand.thrown == [(("white",), (0, 2, 3, 4, 5))]


def test_the_hand_throws_a_leaning_die_again_while_others_are_kept(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("midnight", "Ann", "Ben", start="Ann", hand=[5])
    places = server.table.throws(1, 4, 6, 6, 2, 3)
    kiosk = screen(server)
    server.table.throws((2, "cocked"), (3, "cocked"), leaving=places[:4])
    kiosk.sees("#message", "throw them again alone")
    kiosk.sees("#prompt", "Throw the marked dice again, alone.")
    kiosk.sees_count("#throw", 1)
    kiosk.sees("#throw", "Throw them again")
    kiosk.taps("#throw")
    kiosk.sees("#so-far", "kept 1, 4, 6 and 6")
    assert server.table.hand is not None
    assert server.table.hand.thrown == [(("white", "white"), (0, 1, 2, 3))]


def test_the_rest_can_be_thrown_after_a_restart_that_emptied_the_tray(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("midnight", "Ann", "Ben", start="Ann", hand=[5])
    server.table.throws(1, 4, 6, 6, 2, 3)
    server.table.evening.lying.clear()
    server.table.evening.restarts()
    server.table.settles()
    kiosk = screen(server)
    kiosk.sees_count("[data-part]", 0)
    for i in range(4):
        kiosk.taps(f"[data-keep='{i}']")
    kiosk.taps("#throw")
    kiosk.sees("#so-far", "kept 1, 4, 6 and 6")
    assert server.table.hand is not None
    assert server.table.hand.thrown == [(("white", "white"), ())]


def test_the_hand_throws_all_dice_when_none_are_kept(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("highland", "Ann", hand=[5, 3, 2, 6])
    kiosk = screen(server)
    kiosk.taps("#throw")
    kiosk.sees("#keep:disabled", "Tap what you keep")
    kiosk.sees("#throw", "Throw all again")
    kiosk.taps("#throw")
    kiosk.sees("#prompt", "one reroll left")
    assert server.table.hand is not None
    assert server.table.hand.thrown[-1] == (("white",) * 4, ())


def test_a_die_that_was_kept_before_can_be_thrown_again(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("highland", "Ann", hand=[1, 6, 5, 2, 4, 3])
    kiosk = screen(server)
    kiosk.taps("#throw")
    for i in (0, 1):
        kiosk.taps(f"[data-keep='{i}']")
    kiosk.taps("#throw")
    kiosk.sees("#prompt", "one reroll left")
    kiosk.taps("[data-keep='0']")
    kiosk.taps("[data-part=thrown][data-face='3']")
    marked = [kiosk.page.locator(f"[data-keep='{i}']").get_attribute("aria-pressed") for i in range(4)]
    assert marked == ["true", "false", "false", "true"]
    kiosk.taps("#throw")
    kiosk.sees("#prompt", "other four dice")
    assert server.table.hand is not None
    assert server.table.hand.thrown[-1] == (("white", "white"), (0, 3))


def test_a_real_tray_has_no_hand(pig_table: Served, screen: OpenScreen) -> None:
    assert not screen(pig_table).counts("#throw")


# -- a lost connection ---------------------------------------------------------------------------------------


def test_a_lost_table_is_reported_and_found_again(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.sees("[data-option=hold]")
    pig_table.stop()
    kiosk.sees(".banner", "cannot be reached")
    pig_table.table.throws(5)
    pig_table.start()
    kiosk.sees_no(".banner")
    kiosk.sees("#turn", "Hold 9 or throw again?")
    kiosk.console_errors.clear()


def test_a_restarted_table_is_shown_although_its_numbers_start_again(
    pig_table: Served, screen: OpenScreen
) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.sees("[data-option=hold]")
    pig_table.stop()
    pig_table.table.restarts_numbering()
    pig_table.table.throws(5)
    pig_table.start()
    kiosk.sees("#turn", "Hold 9 or throw again?")
    kiosk.console_errors.clear()


def test_a_late_answer_does_not_show_an_older_snapshot(pig_table: Served, screen: OpenScreen) -> None:
    """The stream breaks for a moment. The answer to a poll arrives after the stream is back."""
    kiosk = screen(pig_table)
    late = pig_table.table.snapshot_json()
    waiting: list[Route] = []
    kiosk.page.route("**/api/snapshot", lambda route: waiting.append(route))
    with kiosk.page.expect_request("**/api/snapshot"):
        pig_table.stop()
    pig_table.table.throws(4)
    pig_table.start()
    kiosk.sees("#turn", "Hold 4")
    for route in waiting:
        route.fulfill(json=late)
    kiosk.page.unroute_all()
    with kiosk.page.expect_response("**/api/read_again"):
        kiosk.taps("#read-again")
    assert "Hold 4" in kiosk.reads("#turn")
    kiosk.console_errors.clear()


def test_a_frozen_table_is_reported_within_eight_seconds(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table, fresh=True)
    kiosk.page.clock.install()
    kiosk.page.reload()
    kiosk.sees("#tray-state")
    kiosk.page.route("**/api/*", lambda route: None)  # no answer at all
    with pig_table.table.frozen():
        kiosk.page.clock.run_for(6500)
        # A poll of the page times out after 1.5 s of real time.
        kiosk.page.locator(".banner").wait_for(timeout=3000)
    kiosk.page.unroute_all()
    kiosk.sees_no(".banner")
    kiosk.console_errors.clear()


def test_a_connection_error_disappears_when_the_table_is_back(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.stop()
    kiosk.sees(".banner")
    kiosk.taps("#read-again")
    kiosk.sees("#notice", "The table cannot be reached")
    pig_table.start()
    kiosk.sees_no(".banner")
    assert not kiosk.counts("#notice")
    kiosk.console_errors.clear()


def test_a_reload_loses_nothing(pig_table: Served, screen: OpenScreen) -> None:
    phone = screen(pig_table, PHONE)
    pig_table.table.throws(4)
    phone.sees("[data-option=hold]")
    phone.page.reload()
    phone.sees("#turn", "Hold 4 or throw again?")
    assert phone.counts("[data-place]") == 1


def test_a_screen_without_a_stream_polls_and_shows_no_banner(pig_table: Served, screen: OpenScreen) -> None:
    listeners = [Listener(pig_table) for _ in range(OWN_STREAMS)]
    phone = screen(pig_table, PHONE)
    pig_table.table.throws(4)
    phone.sees("[data-option=hold]")
    assert not phone.counts(".banner")
    for listener in listeners:
        listener.close()
    phone.console_errors.clear()


def test_the_live_picture_is_fetched_when_it_has_changed(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table, KIOSK)
    kiosk.sees(".tray img")
    for brightness in (50, 100, 150):
        with kiosk.page.expect_response("**/api/tray.jpg"):
            pig_table.table.shows = np.full((600, 800, 3), brightness, np.uint8)


def test_a_picture_that_stays_the_same_is_fetched_once(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table, KIOSK)
    kiosk.sees(".tray img")
    requested: list[str] = []
    kiosk.page.on("request", lambda request: requested.append(request.url))
    pig_table.table.moves(TrayState.HAND)
    kiosk.sees("#tray-state", "HAND")
    assert requested == []


def test_a_missing_picture_is_reported_and_not_asked_for(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    server.table.blind = True
    kiosk = screen(server)
    kiosk.sees(".no-picture", "No picture of the tray yet")


def test_a_picture_is_taken_away_when_dice_go_under_a_cup(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("liars_dice", "Ann", "Ben")
    kiosk = screen(server)
    server.table.throws(6)
    kiosk.sees(".tray img")
    server.table.throws(2)
    kiosk.sees("#prompt", "under your cup")
    kiosk.sees(".tray img")
    server.table.moves(TrayState.HAND)
    kiosk.sees("#cup")
    for player in ("Ann", "Ben"):
        kiosk.sees(f"#turn[data-player={player}]")
        kiosk.taps("[data-option=ready]")
    kiosk.sees("#prompt", "how many dice")
    kiosk.sees_no(".tray img")


@pytest.mark.parametrize("size", [LAPTOP, TELEVISION], ids=["laptop", "television"])
def test_the_cards_of_the_games_have_one_height_and_whole_sentences(
    pig_table: Served, screen: OpenScreen, size: tuple[int, int]
) -> None:
    """Two lines say what a game is about, so that many cards are in sight."""
    looking = screen(pig_table, size)
    looking.taps("#tab-new")
    looking.sees_count(".game", len(GAMES))
    cards = looking.page.locator(".game").all()
    assert len({round(box_of(card)["height"]) for card in cards}) == 1
    assert all(card.locator(".about").inner_text().endswith((".", "?")) for card in cards)
    line = "parseFloat(getComputedStyle(document.querySelector('.about')).lineHeight)"
    assert max(box_of(about)["height"] for about in looking.page.locator(".about").all()) < (
        2.5 * looking.evaluates(line)
    )


def test_the_printed_sheet_has_the_date_and_one_total(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet")
    assert not kiosk.page.locator(".date").is_visible()
    kiosk.page.emulate_media(media="print")
    today = kiosk.evaluates(
        "new Date().toLocaleDateString('en-GB', {day: 'numeric', month: 'long', year: 'numeric'})"
    )
    assert kiosk.reads(".title .date") == f"{today} · match 1 · Who begins: Ann"
    footer = kiosk.evaluates("getComputedStyle(document.querySelector('tfoot')).display")
    assert footer == "table-row-group", "a footer group would be printed on every page"


def test_a_long_game_prints_on_two_pages(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    for face in (4, 5) * 20:
        server.table.throws(face)
        server.table.do(actions.SubmitAnswer(server.table.snapshot.number, Chosen("hold")))
        if server.table.snapshot_json()["match"]["phase"] == "over":
            break
    kiosk = screen(server)
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet", "held 4")
    pages = kiosk.page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")
    assert 1 <= pages <= 2


def test_the_printed_sheet_of_ten_players_is_not_cut(serve: ServeTable, screen: OpenScreen) -> None:
    names = [f"Maximiliane-Charlot{i}" for i in range(10)]
    kiosk = screen(serve("pig", *names, start=names[0]))
    kiosk.taps("#tab-sheet")
    kiosk.page.emulate_media(media="print")
    kiosk.page.set_viewport_size({"width": 690, "height": 1000})  # A4 between its margins, CSS px
    kiosk.sees("#sheet")
    assert kiosk.evaluates("document.getElementById('sheet').getBoundingClientRect().right <= innerWidth")
