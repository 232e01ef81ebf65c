"""From one screen to the next: the same again, the last sheet, names without a keyboard, and the focus."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from table.common.tray import TrayState
from table.games import GAMES
from table.referee import actions
from table.rules.answers import Chosen
from table.rules.game import Seat
from tests.games.playing import start
from tests.page.browsing import (
    KIOSK,
    LAPTOP,
    OFFERED,
    PHONE,
    SCREENS,
    SETTLED,
    TELEVISION,
    TIMEOUT_MS,
    WAITS,
    OpenScreen,
    Screen,
)
from tests.page.conftest import ServeTable, SitDown
from tests.page.serving import Served, served
from tests.page.situations import COLOURS, NAMES, ShowingTable, Situation

pytestmark = pytest.mark.browser

ANN_AND_BEN = ("Ann:green", "Ben:red")
FOCUSED = "document.activeElement.id"
WHO_PLAYS_IN_SIGHT = """() => {
    const name = document.querySelector('input[name=player-0]').getBoundingClientRect();
    return name.top >= 0 && name.bottom <= document.querySelector('#start').getBoundingClientRect().top;
}"""
EVENING = datetime(2026, 2, 7, 20, tzinfo=UTC)


def end(server: Served) -> None:
    server.table.do(actions.End(server.table.snapshot.number))


# -- between two matches -------------------------------------------------------------------------------------


def test_one_tap_starts_the_last_match_again(serve: ServeTable, screen: OpenScreen) -> None:
    """A browser that remembers nothing, such as the kiosk's after a power cut."""
    server = serve("five_dice", *ANN_AND_BEN, start="Ann", entry="500")
    end(server)
    kiosk = screen(server)
    kiosk.sees("#same-again", "Same again: 5 Dice")
    kiosk.sees("#same-again", "Ben")
    kiosk.taps("#same-again")
    kiosk.sees("h1", "5 Dice")
    again = server.started
    assert (again.game, again.seats) == ("five_dice", (Seat("Ann", "green"), Seat("Ben", "red")))
    assert again.raw_settings["entry"] == "500"


def test_the_sheet_of_an_ended_match_is_one_tap_away(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    server.table.throws(4)
    server.table.do(actions.SubmitAnswer(server.table.snapshot.number, Chosen("hold")))
    end(server)
    kiosk = screen(server)
    kiosk.taps("#last-sheet")
    kiosk.sees("#sheet", "held 4")
    assert kiosk.reads(".outcome") == "Not played to the end: ended by a player."
    assert not kiosk.counts("[data-correct]"), "an ended match is not corrected"
    kiosk.taps("#tab-play")
    kiosk.sees("#same-again")


@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=lambda size: f"{size[0]} px wide")
def test_the_sheet_of_every_match_stays_on_the_page(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    server.table.throws(4)
    server.table.do(actions.SubmitAnswer(server.table.snapshot.number, Chosen("hold")))
    end(server)
    server.table.do(actions.Start(server.table.snapshot.number, "mia", (Seat("Ann"), Seat("Ben")), {}))
    looking = screen(server, size)
    looking.taps("#tab-sheet")
    looking.sees("h2", "Mia")
    looking.taps("#earlier")
    looking.sees_count("[data-match]", 2)
    looking.taps("[data-match='1']")
    looking.sees("h2", "Pig")
    looking.sees("#sheet", "held 4")
    looking.sees("h2:focus", "Pig")
    assert looking.reads(".outcome") == "Not played to the end: ended by a player."
    assert looking.page.locator("#files a").first.get_attribute("href") == "/api/matches/1.pdf"
    assert not looking.counts("[data-correct]"), "an ended match is not corrected"
    looking.taps("[data-picture='0']")
    looking.sees("#picture-dialog", "Ann threw 4.")
    looking.sees_count("#picture-dialog .boxed .box", 1)
    assert looking.counts("#picture-dialog img[src='/api/matches/1/throws/0.jpg']")
    looking.taps("#close-picture")
    looking.taps("[data-match='2']")
    looking.sees("h2", "Mia")


def test_the_list_of_matches_comes_into_sight_below_a_long_sheet(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    for _ in range(20):
        server.table.throws(4)
        server.table.do(actions.SubmitAnswer(server.table.snapshot.number, Chosen("hold")))
    kiosk = screen(server)
    kiosk.taps("#tab-sheet")
    kiosk.sees("#earlier")
    kiosk.evaluates("document.querySelector('#earlier').click()")
    kiosk.sees("[data-match='1']")
    listed = kiosk.box("[data-match='1']")
    assert listed["y"] + listed["height"] <= KIOSK[1] + 1


def test_a_match_of_another_game_is_opened_at_its_head(serve: ServeTable, screen: OpenScreen) -> None:
    """The details of that game are still to come when it is tapped."""
    server = serve("mia", *ANN_AND_BEN)
    end(server)
    server.table.do(
        actions.Start(server.table.snapshot.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"})
    )
    for _ in range(20):
        server.table.throws(4)
        server.table.do(actions.SubmitAnswer(server.table.snapshot.number, Chosen("hold")))
    phone = screen(server, PHONE)
    phone.taps("#tab-sheet")
    phone.taps("#earlier")
    phone.taps("[data-match='1']")
    phone.sees("h2:focus", "Mia")
    phone.sees("[data-match='1'][aria-current=true]")
    assert phone.box("h2")["y"] >= 0


def test_what_is_corrected_is_left_with_escape(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.taps("#correct")
    kiosk.sees("#notice", "Tap the die that was read wrongly")
    kiosk.page.keyboard.press("Escape")
    kiosk.sees("#correct[aria-pressed=false]")
    kiosk.sees_no("#notice")
    kiosk.taps("#correct")
    kiosk.sees("#notice")
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet")
    kiosk.sees_no("#notice")


def test_the_menu_of_tools_fits_a_laptop_enlarged_to_200_percent(
    serve: ServeTable, screen: OpenScreen
) -> None:
    looking = screen(serve("highland", "Ann:green", "Ben:red"), (640, 400))
    looking.taps("#more")
    looking.sees("#more-tools[data-open]")
    tops = looking.evaluates(
        "[...document.querySelectorAll('#more-tools button')].map(b => b.getBoundingClientRect().top)"
    )
    assert len(tops) >= 2
    assert min(tops) >= 0


def test_a_table_without_matches_offers_a_new_game(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve())
    kiosk.sees("#new-game", "New game")
    assert not kiosk.counts("#same-again, #last-sheet, #tab-sheet")
    assert kiosk.page.get_by_role("button", name="New game").count() == 1


@pytest.mark.parametrize("size", [KIOSK, LAPTOP, PHONE, TELEVISION], ids=lambda size: f"{size[0]} px wide")
def test_a_game_is_chosen_from_the_shelf_at_home(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(serve(), size)
    looking.sees_count("[data-game]", len(GAMES))
    assert {name: looking.reads(f"[data-game={name}]") for name in ("mia", "pig")} == {
        "mia": "Mia",
        "pig": "Pig",
    }
    looking.taps("[data-game=mia]")
    looking.sees("#start", "Start Mia")
    looking.page.wait_for_function(WHO_PLAYS_IN_SIGHT)
    looking.taps("#tab-play")
    looking.taps("#new-game")
    looking.sees("#start", "Start Mia")


def test_the_shelf_takes_the_players_of_the_last_match(serve: ServeTable, screen: OpenScreen) -> None:
    end(server := serve("pig", *ANN_AND_BEN, start="Ann"))
    kiosk = screen(server)
    kiosk.sees("#same-again")
    kiosk.taps("[data-game=midnight]")
    kiosk.taps("#start")
    kiosk.sees_no("#start")
    assert [(p.name, p.colour) for p in server.started.seats] == [("Ann", "green"), ("Ben", "red")]


@pytest.mark.parametrize("size", [KIOSK, LAPTOP, PHONE], ids=lambda size: f"{size[0]} px wide")
def test_what_was_read_moves_no_button_at_home(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(server := serve(), size)
    looking.sees("[data-game]")
    buttons = ("#new-game", "#set-up", "[data-game=cee_lo]")
    before = [looking.box(button) for button in buttons]
    server.table.throws(3, 5)
    looking.sees("#message", "Read: 3 and 5.")
    assert [looking.box(button) for button in buttons] == before


def test_who_played_before_a_game_for_fewer_players_is_offered_again(
    serve: ServeTable, screen: OpenScreen
) -> None:
    """Nobody is called Red who only has the red dice."""
    kiosk = screen(server := serve())
    kiosk.taps("[data-game=pig]")
    kiosk.sees("#start", "Start Pig")
    kiosk.taps("#add-player")
    kiosk.page.locator("[name=player-0]").fill("Ann")
    kiosk.page.locator("[name=player-2]").fill("Cy")
    for game in ("pig", "hot_score"):
        kiosk.taps("#start")
        kiosk.sees_no("#start")
        end(server)
        kiosk.taps("[data-game=hot_score]" if game == "pig" else "[data-game=pig]")
        kiosk.sees("#start")
    kiosk.sees("[data-add=Cy]")
    kiosk.sees_count("[data-add]", 1)
    names = [kiosk.page.locator(f"[name=player-{n}]").input_value() for n in range(2)]
    assert names == ["Ann", ""]


def test_the_last_match_is_told_only_between_matches(sit_down: SitDown) -> None:
    guest = sit_down("pig", *ANN_AND_BEN, start="Ann")
    assert guest.http.get("/api/last").get_json() == {"match": None}
    guest.does("end")
    last = guest.http.get("/api/last").get_json()["match"]
    assert (last["game"], [p["name"] for p in last["players"]]) == ("pig", ["Ann", "Ben"])
    assert last["id"] == 1


def test_the_end_of_a_match_shows_how_all_finished(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ben")
    for faces in ((1, 4, 6, 6, 5, 2), (1, 4, 6, 6, 6, 2)):
        server.table.throws(*faces)
        server.table.keeps(*faces)
    kiosk = screen(server)
    kiosk.sees("#ending li.won", "Ann")
    finish, told = (kiosk.page.locator(f"#ending .{part} > li") for part in ("finish", "highlights"))
    assert [" ".join(li.split()) for li in finish.all_inner_texts()] == ["★ Ann 20", "2 Ben 19"]
    told.first.wait_for()
    assert [" ".join(li.split()) for li in told.all_inner_texts()] == [
        "Most at once 20 Ann 6, 6, 6 and 2, with the 1 and the 4",
        "Most alike three 6s Ann",
        "Throws 2",
        "Minutes 1",
    ]
    kiosk.taps("#see-sheet")
    kiosk.sees("#sheet")


def test_who_lost_the_last_die_later_finished_before_the_others(screen: OpenScreen, tmp_path: Path) -> None:
    seats = [Seat(name, colour) for name, colour in zip(NAMES, COLOURS, strict=True)][:4]
    match, chance, out = start("liars_dice", seats, {}), Random(5), list[str]()
    while match.prompt is not None:
        match = match.after(match.answered(match.prompt.random_answer(chance)))
        out += [name for name, left in match.view().scores.items() if not left and name not in out]
    table = ShowingTable(tmp_path)
    with served(table) as server:
        kiosk = screen(server)
        table.show(Situation("liars_dice", "over", match.view()).snapshot())
        kiosk.sees("#ending li.won", match.outcome.winners[0] if match.outcome else "")
        others = kiosk.page.locator("#ending .finish > li:not(.won)")
        ranked = [(li.split()[0], name) for li in others.all_inner_texts() for name in out if name in li]
    assert ranked == [(str(n), name) for n, name in enumerate(reversed(out), start=2)]


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_what_many_share_is_counted_and_two_have_their_signs(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    names = ("Aoife", "Bran", "Cú Chulainn Mac Sualtam", "Dagmar")
    seats = [f"{name}:{colour}" for name, colour in zip(names, COLOURS, strict=False)]
    server = serve("midnight", *seats, start="Aoife")
    for faces in ((1, 4, 6, 6, 5, 2), (1, 4, 6, 6, 5, 2), (1, 4, 6, 5, 5, 3), (1, 4, 2, 2, 5, 5)):
        server.table.throws(*faces)
        server.table.keeps(*faces)
    looking = screen(server, size)
    most = looking.page.locator(".highlights li").first
    most.wait_for()
    assert most.locator(".name").inner_text() == "3 share it"
    assert (most.locator("small").text_content() or "").startswith("Aoife, Bran")
    number, roll = server.table.snapshot.number, [1, 4, 6, 5, 5, 2]
    looking.page.request.post(f"{server.url}api/correct", data={"number": number, "at": 4, "roll": roll})
    most.filter(has_text="Aoife and Bran").wait_for()
    assert most.locator(".token").count() == 2


def test_the_length_of_a_match_is_not_told_alone(serve: ServeTable, screen: OpenScreen) -> None:
    alone: dict[str, Any] = {"title": "Minutes", "value": "2", "player": None, "text": "", "shared": []}
    server = serve("midnight", *ANN_AND_BEN, start="Ben")
    kiosk = screen(server)
    kiosk.page.route("**/api/highlights", lambda route: route.fulfill(json={"highlights": [alone]}))
    for faces in ((1, 4, 6, 6, 5, 2), (1, 4, 6, 6, 6, 2)):
        server.table.throws(*faces)
        server.table.keeps(*faces)
    kiosk.page.locator(".highlights li").wait_for(state="attached")
    assert not kiosk.page.locator(".highlights").is_visible()


def test_the_highlights_follow_a_correction_after_the_end(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ben")
    server.table.throws(1, 4, 5, 5, 5, 2)
    server.table.keeps(1, 4)
    server.table.throws(6, 2, 3, 2)
    server.table.keeps(6, 2, 3, 2)
    server.table.throws(1, 4, 6, 6, 5, 2)
    server.table.keeps(1, 4, 6, 6, 5, 2)
    kiosk = screen(server)
    kiosk.sees("#prompt", "Ann wins with 19.")
    kiosk.sees(".highlights", "three 5s")
    number, roll = server.table.snapshot.number, [1, 4, 5, 3, 6, 2]
    kiosk.page.request.post(f"{server.url}api/correct", data={"number": number, "at": 0, "roll": roll})
    kiosk.sees_count(".highlights li:has-text('three 5s')", 0)
    kiosk.sees("#prompt", "Ann wins with 19.")


def test_large_screens_show_how_the_most_points_came(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ben")
    for faces in ((1, 4, 6, 6, 5, 2), (1, 4, 6, 6, 6, 2)):
        server.table.throws(*faces)
        server.table.keeps(*faces)
    laptop, kiosk = screen(server, LAPTOP), screen(server)
    laptop.sees(".highlights .how", "with the 1 and the 4")
    assert laptop.box(".highlights .how")["height"] > 10
    kiosk.sees(".highlights .how", "with the 1 and the 4")
    assert kiosk.box(".highlights .how")["height"] == 1, "for screen readers only"


# -- refusals, and what stands -------------------------------------------------------------------------------


def test_a_refusal_logs_no_error_in_the_browser(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", *ANN_AND_BEN, start="Ann")
    server.table.throws(1, 3, 2, 3, 3, 4)
    kiosk = screen(server)
    kiosk.taps("[data-keep='1']")
    kiosk.taps("#keep")
    kiosk.sees("#notice")
    assert kiosk.console_errors == []


def test_scripts_still_get_the_status_of_a_refusal(sit_down: SitDown) -> None:
    guest = sit_down("pig", *ANN_AND_BEN, start="Ann")
    assert guest.does("answer", choose="hold")[0] == 422
    quiet = guest.http.post(
        "/api/answer", json={"number": 1, "choose": "hold"}, headers={"Brehon-Refusals": "200"}
    )
    assert quiet.status_code == 200
    assert quiet.get_json()["error"]


def test_after_a_wrong_keep_the_page_says_which_throw_counts(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", *ANN_AND_BEN, start="Ann")
    places = server.table.throws(1, 5, 2, 3, 3, 4)
    kiosk = screen(server)
    kiosk.sees("#keep")
    assert not kiosk.counts("#stands")
    server.table.throws(2, 2, 3, 4, 6, leaving=(places[2],))
    kiosk.sees("#stands", "The throw before still counts")
    assert [face.get_attribute("aria-label") for face in kiosk.page.locator("[data-keep]").all()] == [
        f"keep {face}" + ("" if face in (1, 5) else ", which is not possible") for face in (1, 5, 2, 3, 3, 4)
    ]
    assert not kiosk.counts("#keep-all"), "all can never be right here"


def test_the_state_of_the_tray_is_told_in_peoples_words(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    words = []
    for state in TrayState:
        server.table.moves(state)
        kiosk.sees(f"#tray-state[data-state='{state.value}']")
        words.append(kiosk.reads("#tray-state"))
    assert len(set(words)) == len(TrayState)
    assert [word for word in words if word.isupper()] == []


# -- the keyboard, on the screen and before it ---------------------------------------------------------------


def letters(screen: Screen, word: str) -> None:
    for letter in word:
        screen.taps(f"[data-letter='{letter}']")


@pytest.fixture
def touched(screen: OpenScreen, serve: ServeTable) -> Screen:
    """The table's own screen, which has no keyboard, after a match of Gráinne and Ben."""
    server = serve("pig", "Gráinne:green", "Ben:red", start="Ben")
    end(server)
    kiosk = screen(server, fresh=True)
    kiosk.page.add_init_script(
        "const real = matchMedia; window.matchMedia = q => q.includes('coarse') ? {matches: true} : real(q);"
    )
    kiosk.page.reload()
    kiosk.taps("#new-game")
    return kiosk


def test_names_are_typed_on_the_screen(touched: Screen) -> None:
    touched.taps("#add-player")
    touched.taps("input[name=player-2]")
    letters(touched, "fionn")
    assert touched.page.input_value("input[name=player-2]") == "Fionn"
    touched.taps("[data-letter=back]")
    touched.taps("#typed")
    touched.sees_no(".keyboard")
    assert touched.page.input_value("input[name=player-2]") == "Fion"


def test_the_keyboard_fits_and_offers_known_names(touched: Screen) -> None:
    touched.taps("[aria-label='remove player 1']") if touched.counts(
        "[aria-label='remove player 1']"
    ) else None
    touched.taps("input[name=player-0]")
    touched.sees(".keyboard")
    touched.taps("[data-letter=back]")
    keys = touched.page.locator(".keyboard button").all()
    boxes = [key.bounding_box() for key in keys]
    assert all(box and box["height"] >= 48 and box["y"] + box["height"] <= KIOSK[1] for box in boxes)
    name, keyboard = touched.box("input[name=player-0]"), touched.box(".keyboard")
    assert name["y"] + name["height"] <= keyboard["y"], "the name stays in view"
    touched.taps("[data-known=Gráinne]")
    assert touched.page.input_value("input[name=player-0]") == "Gráinne"


def test_the_names_of_three_players_are_typed_one_after_the_other(touched: Screen) -> None:
    touched.taps("#add-player")
    touched.taps("input[name=player-0]")
    for i, name in enumerate(("ann", "bo", "fionn")):
        field = f"input[name=player-{i}]"
        touched.sees(f"{field}:focus")
        letters(touched, name)
        typed, keyboard = touched.box(field), touched.box(".keyboard")
        assert typed["y"] + typed["height"] <= keyboard["y"], "the name that is typed stays in view"
        assert typed["y"] >= touched.box(".setup")["y"]
        if i < 2:
            touched.taps("#next-name")
    assert touched.page.locator("#next-name").is_disabled(), "nobody comes after the last player"
    values = [touched.page.input_value(f"input[name=player-{i}]") for i in range(3)]
    assert values == ["Ann", "Bo", "Fionn"]
    touched.taps("#typed")
    touched.sees("#start")


def test_the_first_letter_replaces_a_name_that_stood_there(touched: Screen) -> None:
    touched.taps("input[name=player-1]")
    touched.sees("[data-letter=b]", "B")
    touched.sees_count("[data-known]", 0)
    letters(touched, "al")
    assert touched.page.input_value("input[name=player-1]") == "Al"
    touched.taps("input[name=player-0]")
    touched.taps("[data-letter=back]")
    assert touched.page.input_value("input[name=player-0]") == "", "the whole name is deleted"


def test_another_tap_on_a_name_lets_it_be_changed(touched: Screen) -> None:
    for _ in range(2):
        touched.page.locator("input[name=player-1]").tap()
        touched.sees(".keyboard")
    touched.sees("[data-letter=j]", "j")
    letters(touched, "ji")
    assert touched.page.input_value("input[name=player-1]") == "Benji"


def test_the_key_that_deletes_repeats_while_it_is_held(touched: Screen) -> None:
    name = "input[name=player-0]"
    for _ in range(2):
        touched.page.locator(name).tap()
        touched.sees(".keyboard")
    touched.sees("[data-letter=j]", "j")
    touched.page.locator("[data-letter=back]").hover()
    touched.page.mouse.down()
    touched.page.wait_for_function(
        f"() => document.querySelector('{name}').value.length < 4", timeout=TIMEOUT_MS
    )
    touched.page.mouse.up()
    left = touched.page.input_value(name)
    letters(touched, "x")
    assert touched.page.input_value(name) == f"{left}{'X' if left == '' else 'x'}", "it stops with the finger"


def test_the_name_stays_above_the_keyboard_of_a_table_held_upright(touched: Screen) -> None:
    touched.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    touched.taps("input[name=player-0]")
    touched.taps("#next-name")
    touched.sees("input[name=player-1]:focus")
    keyboard = touched.box(".keyboard")
    assert touched.box("input[name=player-1]")["y"] + 48 <= keyboard["y"]
    assert keyboard["y"] + keyboard["height"] <= PHONE[1]


def test_a_known_name_goes_on_to_the_next_player(touched: Screen) -> None:
    touched.taps("#add-player")
    for i in (0, 1):
        touched.taps(f"input[name=player-{i}]")
        touched.taps("[data-letter=back]")
        assert not touched.page.input_value(f"input[name=player-{i}]")
    touched.taps("input[name=player-0]")
    touched.taps("[data-known=Gráinne]")
    touched.sees("input[name=player-1]:focus")
    touched.taps("[data-known=Ben]")
    touched.sees("input[name=player-2]:focus")
    assert touched.page.input_value("input[name=player-1]") == "Ben"


def test_a_real_key_puts_the_keyboard_on_the_screen_away(touched: Screen) -> None:
    touched.taps("input[name=player-1]")
    touched.sees(".keyboard")
    touched.page.keyboard.press("x")
    touched.sees_no(".keyboard")


def test_after_a_throw_by_keyboard_the_next_tabs_lead_to_the_choice_and_back_to_its_die(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann", hand=[4])
    kiosk = screen(server)
    kiosk.page.route("**/api/hand", lambda route: route.fulfill(json=server.table.snapshot_json()), times=1)
    kiosk.page.locator("#throw").focus()
    kiosk.page.keyboard.press("Enter")
    kiosk.sees(f"{WAITS}:focus")
    server.table.moves(TrayState.ROLLING)
    server.table.throws(5)
    kiosk.sees(OFFERED)
    for key, goal in (("Tab", "[data-option=hold]"), ("Shift+Tab", "#throw"), ("Shift+Tab", "[data-place]")):
        kiosk.page.keyboard.press(key)
        kiosk.sees(f"{goal}:focus")


def test_arrow_keys_move_the_focus_from_button_to_button(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.sees("[data-keep='0']")
    press = kiosk.page.keyboard.press
    press("ArrowDown")
    kiosk.sees("[data-keep='0']:focus")
    press("ArrowRight")
    kiosk.sees("[data-keep='1']:focus")
    press("Enter")
    kiosk.sees("#keep", "Keep 5 for 50")
    press("ArrowDown")
    kiosk.sees("#keep:focus")
    press("ArrowUp")
    press("ArrowUp")
    kiosk.sees("#tab-rules:focus")
    press("ArrowRight")
    press("ArrowRight")
    kiosk.sees("#tab-new:focus")
    kiosk.taps("#correct")
    kiosk.taps("[data-place='1']")
    kiosk.sees("dialog[open]")
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"):
        press(key)
        assert kiosk.evaluates("!!document.activeElement.closest('dialog')"), "an open dialog keeps the focus"


PLACES_OF_FOCUS = """(() => {
    window.places = new Set();
    const look = () => {
        const now = document.activeElement;
        places.add(now === document.body ? 'body' : now.id);
        requestAnimationFrame(look);
        setTimeout(() => places.add(document.activeElement === document.body ? 'body' : now.id));
    };
    look();
})()"""
"""Script: from now on the page notes what has the focus, picture by picture."""


def test_three_throws_with_enter_keep_the_focus_on_the_button(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann", hand=[4])
    kiosk = screen(server, fresh=True)
    kiosk.page.route("**/api/hand", lambda route: route.fulfill(json=server.table.snapshot_json()))
    while kiosk.evaluates(FOCUSED) != "throw":
        kiosk.page.keyboard.press("Tab")
    kiosk.evaluates(PLACES_OF_FOCUS)
    for face in (4, 5, 6):
        kiosk.page.clock.set_fixed_time(EVENING + face * timedelta(seconds=1))  # a throw takes longer
        kiosk.page.keyboard.press("Enter")
        kiosk.sees(WAITS)
        for state in (TrayState.HAND, TrayState.ROLLING):
            server.table.moves(state)
            kiosk.sees(f"#tray-state[data-state='{state.value}']")
        server.table.throws(face)
        kiosk.sees("#prompt", "Hold")
        kiosk.sees(f"{OFFERED}:focus")
    assert kiosk.evaluates("[...places]") == ["throw"]


def test_the_focus_goes_back_to_the_button_that_throws(serve: ServeTable, screen: OpenScreen) -> None:
    """It is gone while the camera sees nothing, and drawn elsewhere while dice are kept."""
    server = serve("midnight", *ANN_AND_BEN, start="Ann", hand=[1, 4, 6, 2, 3, 5])
    kiosk = screen(server)
    kiosk.page.locator("#throw").focus()
    kiosk.evaluates(PLACES_OF_FOCUS)
    server.table.blind = True
    server.table.moves(TrayState.DARK)
    kiosk.sees("#turn:focus")
    server.table.blind = False
    server.table.moves(TrayState.WAITING)
    kiosk.sees("#throw:focus")
    kiosk.page.keyboard.press("Enter")
    kiosk.sees(f".keep-row {WAITS}:focus")
    assert "body" not in kiosk.evaluates("[...places]")


def test_the_focus_goes_from_the_kept_dice_to_the_button_that_throws(
    serve: ServeTable, screen: OpenScreen
) -> None:
    """A second Enter, as in a double tap, throws nothing."""
    server = serve("midnight", *ANN_AND_BEN, start="Ann", hand=[1, 4, 6, 2, 3, 5])
    kiosk = screen(server, fresh=True)
    server.table.throws(1, 4, 6, 2, 3, 5)
    kiosk.taps("[data-keep='0']")
    kiosk.page.locator("#keep").focus()
    kiosk.page.clock.set_fixed_time(EVENING)
    kiosk.page.keyboard.press("Enter")
    kiosk.sees("#throw:focus")
    kiosk.page.keyboard.press("Enter")
    kiosk.page.wait_for_timeout(100)
    assert server.table.hand is not None
    assert server.table.hand.thrown == []
    kiosk.page.clock.set_fixed_time(EVENING + timedelta(seconds=1))
    kiosk.page.keyboard.press("Enter")
    kiosk.sees_count("[data-keep]", 5)
    assert len(server.table.hand.thrown) == 1


def test_a_held_enter_throws_once(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann", hand=[4])
    kiosk = screen(server)
    kiosk.page.locator("#throw").focus()
    for _ in range(5):
        kiosk.page.keyboard.down("Enter")  # all but the first repeat it
        kiosk.page.wait_for_function(SETTLED, arg=server.table.snapshot.seq)
    kiosk.page.keyboard.up("Enter")
    kiosk.sees("#prompt", "Hold 4")
    assert server.table.hand is not None
    assert len(server.table.hand.thrown) == 1


def test_an_impatient_enter_answers_no_choice(serve: ServeTable, screen: OpenScreen) -> None:
    """Ship, Captain, Crew asks on the button that throws whether to throw again."""
    server = serve("ship_captain_crew", *ANN_AND_BEN, start="Ann", hand=[6, 5, 4, 2, 1])
    kiosk = screen(server, fresh=True)
    kiosk.page.locator("#throw").focus()
    for presses in range(4):
        kiosk.page.clock.set_fixed_time(EVENING + presses * timedelta(milliseconds=300))
        kiosk.page.keyboard.press("Enter")
        kiosk.sees("#throw:focus", "Throw both again")
    assert server.table.hand is not None
    assert len(server.table.hand.thrown) == 1
    assert "cargo of 3" in kiosk.reads("#prompt")
    kiosk.page.clock.set_fixed_time(EVENING + timedelta(seconds=2))
    kiosk.page.keyboard.press("Enter")
    kiosk.sees("#prompt", "cargo of 11")
    assert [len(colours) for colours, _ in server.table.hand.thrown] == [5, 2]


@pytest.mark.parametrize("key", ["Enter", "4"])
def test_a_held_key_says_what_one_die_shows(serve: ServeTable, screen: OpenScreen, key: str) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann")
    server.table.moves(TrayState.NO_CAMERA, "The plug is out.")
    kiosk = screen(server)
    kiosk.taps("#type-throw")
    kiosk.sees("#face-dialog[open] :focus")
    kiosk.page.locator("[data-say='4']").focus()
    for _ in range(3):
        kiosk.page.keyboard.down(key)
    kiosk.page.keyboard.up(key)
    kiosk.sees("[data-die='1'][aria-pressed=true]")
    dice = [kiosk.page.locator(f"[data-die='{i}']").get_attribute("aria-label") for i in range(6)]
    assert dice == ["die 1, 4", *(f"die {i}, no answer yet" for i in range(2, 7))]


def test_the_focus_stays_on_the_page_after_each_press(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server, LAPTOP)
    server.table.throws(4)
    kiosk.page.locator("[data-option=hold]").focus()
    kiosk.page.keyboard.press("Enter")
    kiosk.sees("#turn", "Ben")
    kiosk.page.wait_for_function(f"() => {FOCUSED} === 'turn'")
    kiosk.page.keyboard.press("Enter")  # a held key answers nothing
    assert len(server.table.done) == 1
    kiosk.page.locator("#read-again").focus()
    kiosk.page.keyboard.press("Enter")
    assert kiosk.evaluates(FOCUSED) == "read-again"


def test_the_focus_leaves_a_closed_menu_for_the_button_that_opens_it(
    serve: ServeTable, screen: OpenScreen
) -> None:
    kiosk = screen(serve("midnight", *ANN_AND_BEN), PHONE)
    for key in ("Escape", "Enter"):
        kiosk.taps("#more")
        kiosk.page.locator("#switch-coach").focus()
        kiosk.page.keyboard.press(key)
        kiosk.sees("#more:focus")


def test_a_throw_is_typed_with_digits_and_enter(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", *ANN_AND_BEN, start="Ann")
    server.table.blind = True
    server.table.moves(TrayState.NO_CAMERA, "No camera was found.")
    kiosk = screen(server)
    kiosk.taps("#type-throw")
    for n, face in enumerate((1, 5, 2, 2, 3, 6), start=1):
        kiosk.sees("#face-dialog [role=status]", f"Die {n} of 6")
        kiosk.page.keyboard.press(str(face))
    kiosk.sees("#confirm:focus")
    kiosk.page.keyboard.press("Enter")
    kiosk.sees("#turn", "Which scoring dice")
    assert server.table.snapshot_json()["match"]["throws"][0]["roll"] == [1, 5, 2, 2, 3, 6]


def test_each_view_has_its_title(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("pig", *ANN_AND_BEN))
    assert kiosk.page.title() == "Pig – Brehon"
    for tap, title in (("#tab-sheet", "Sheet"), ("#tab-new", "New game"), ("#tab-play", "")):
        kiosk.taps(tap)
        full = " – ".join(["Pig", *filter(None, [title]), "Brehon"])
        kiosk.page.wait_for_function("full => document.title === full", arg=full)
        assert kiosk.page.locator("h1").text_content() == (f"{title}: Pig" if title else "Pig")


def test_what_is_chosen_shows_in_the_few_colours_of_a_system(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("pig", *ANN_AND_BEN))
    kiosk.page.emulate_media(forced_colors="active")
    thick = "[...document.querySelectorAll('{}')].map(e => getComputedStyle(e).borderTopWidth)"
    assert kiosk.evaluates(thick.format(".scores [aria-current]")) == ["4px"]
    kiosk.taps("#tab-new")
    kiosk.sees(".game")
    assert kiosk.evaluates(thick.format(".game:has(:checked), .tab[aria-current]")) == ["4px", "4px"]
    assert "4px" not in kiosk.evaluates(thick.format(".game:not(:has(:checked))"))
    kiosk.page.emulate_media(forced_colors="none")


def test_rules_are_readable_before_a_game(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve())
    kiosk.taps("#new-game")
    kiosk.taps("input[value=midnight]")
    kiosk.taps("#read-rules")
    kiosk.sees("#rulebook h2", "Midnight")
    kiosk.taps("#close-rules")
    kiosk.sees_no("#rulebook")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_day_and_night_have_their_own_ground(serve: ServeTable, screen: OpenScreen, scheme: str) -> None:
    kiosk = screen(serve())
    kiosk.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    ground = kiosk.evaluates("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(ground) > 3 * 128) == (scheme == "light")
