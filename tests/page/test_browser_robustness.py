"""The page with a keyboard, with odd names, with a table that fails, and over a whole evening."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.at_work import page_of, table_at_work
from tests.page.browsing import KIOSK, OpenScreen, Screen, Screens
from tests.page.conftest import ServeTable
from tests.page.serving import Served
from vision.cameras.awaited import AwaitedCamera

pytestmark = pytest.mark.browser

STYLED_SHEET = "() => getComputedStyle(document.querySelector('.sheet .title')).display === 'flex'"
"""Script: whether the sheet has its own style."""

ODD_NAME = "<b>&\"Bob'</b>🐺"


def has_focus(screen: Screen, selector: str) -> bool:
    found: bool = screen.page.locator(selector).first.evaluate("e => e === document.activeElement")
    return found


def tab_to(screen: Screen, goal: str) -> None:
    """Presses Tab until the element has the focus, at most 30 times."""
    for _ in range(30):
        if has_focus(screen, goal):
            return
        screen.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reached {goal}")


# -- with the keyboard ---------------------------------------------------------------------------------------


def test_a_game_can_be_started_and_played_with_the_keyboard(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    tab_to(kiosk, "#new-game")
    kiosk.page.keyboard.press("Enter")
    tab_to(kiosk, "[name=player-0]")
    kiosk.page.keyboard.type("Ann")
    tab_to(kiosk, "[name=player-1]")
    kiosk.page.keyboard.type("Ben")
    tab_to(kiosk, "#start")
    kiosk.page.keyboard.press("Enter")
    kiosk.sees(".who", "Ann")
    kiosk.sees("#turn", "the highest begins")
    for face in (4, 3, 5):  # Ann begins, and throws a 5
        server.table.throws(face)
    kiosk.sees("[data-option=hold]")
    tab_to(kiosk, "[data-option=hold]")
    kiosk.page.keyboard.press("Enter")
    kiosk.sees(".who", "Ben")


def test_the_focus_returns_after_the_face_dialog(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", "Ann:green", "Ben:red", start="Ann")
    server.table.throws(1, (5, "unsure"), 2, 3, 3, (4, "unsure"))
    kiosk = screen(server)
    tab_to(kiosk, "#say")
    kiosk.page.keyboard.press("Enter")
    kiosk.sees("#face-dialog")
    kiosk.page.get_by_text("Cancel").press("Enter")
    kiosk.sees_no("#face-dialog")
    assert has_focus(kiosk, "#say")


def test_the_dialog_marks_dice_that_have_no_answer_yet(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", "Ann:green", "Ben:red", start="Ann")
    server.table.throws(1, (5, "unsure"), 2, 3, 3, (4, "unsure"))
    kiosk = screen(server)
    kiosk.taps("#say")
    kiosk.sees_count("#face-dialog [aria-label$='no answer yet']", 2)
    kiosk.taps("[data-say='5']")
    kiosk.sees_count("#face-dialog [aria-label$='no answer yet']", 1)
    kiosk.sees("#face-dialog [aria-label='die 1, 5']")


# -- with odd names ------------------------------------------------------------------------------------------


def test_a_name_is_never_read_as_html(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", f"{ODD_NAME}:green", "Ben:red", start=ODD_NAME)
    kiosk = screen(server)
    assert kiosk.reads(".who") == ODD_NAME
    server.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.sees(".who", "Ben")
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet thead", ODD_NAME)
    kiosk.sees(".story", f"{ODD_NAME} threw 4.")
    kiosk.taps("#tab-new")
    kiosk.sees("#start")
    assert kiosk.page.input_value("input[name=player-0]") == ODD_NAME
    assert not kiosk.counts(".who b, thead b, .name b")


# -- when the table fails ------------------------------------------------------------------------------------


def test_a_style_sheet_that_does_not_come_is_loaded_again(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table, fresh=True)
    kiosk.page.route("**/sheet.css", lambda route: route.abort(), times=1)
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet")
    assert not kiosk.evaluates(STYLED_SHEET), "the sheet is shown without it meanwhile"
    kiosk.page.wait_for_function(STYLED_SHEET)
    assert kiosk.counts("link[href$='sheet.css']") == 1
    kiosk.expected_error("ERR_FAILED")


def test_the_highlights_are_asked_for_again(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ann")
    kiosk = screen(server)
    kiosk.page.route("**/api/highlights", lambda route: route.abort(), times=1)
    for faces in ((1, 4, 6, 6, 5, 2), (1, 4, 6, 6, 6, 2)):
        server.table.throws(*faces)
        server.table.keeps(*faces)
    kiosk.sees("#ending")
    kiosk.sees(".highlights", "three 6s")
    kiosk.expected_error("ERR_FAILED")


def test_a_lost_list_of_games_is_fetched_again_when_the_table_is_back(
    pig_table: Served, screen: OpenScreen
) -> None:
    kiosk = screen(pig_table)
    kiosk.page.route(
        "**/api/games*",
        lambda route: route.fulfill(status=503, json={"error": "The table is busy."}),
        times=1,
    )
    kiosk.page.reload()
    kiosk.sees("#notice", "The list of games could not be loaded")
    kiosk.taps("#tab-new")
    kiosk.sees("main", "Loading the games")
    pig_table.stop()
    kiosk.sees(".banner")
    pig_table.start()
    kiosk.sees("#start", "Start Pig")
    kiosk.console_errors.clear()


def test_an_error_is_not_shown_as_a_snapshot(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    kiosk.page.route(
        "**/api/snapshot", lambda route: route.fulfill(status=500, json={"error": "The table stumbled."})
    )
    kiosk.page.route("**/api/events", lambda route: route.fulfill(status=500, body=""))
    pig_table.stop()
    kiosk.sees(".banner", "cannot be reached")
    kiosk.sees(".who", "Ann")
    kiosk.page.unroute_all()
    pig_table.start()
    kiosk.sees_no(".banner")
    kiosk.console_errors.clear()


# -- without a camera ----------------------------------------------------------------------------------------


def test_a_match_without_a_camera_says_so_once_and_offers_typing(tmp_path: Path, screens: Screens) -> None:
    """At a table that waits for its camera, from before the match to its third throw."""
    with (
        table_at_work(tmp_path, AwaitedCamera()) as table,
        page_of(table) as address,
        screens.one(KIOSK, fresh=True) as kiosk,
    ):
        kiosk.opens(address)
        kiosk.sees("#tray-state[data-state='NO CAMERA']")
        for tap in ("#new-game", "input[value=cee_lo]", "#start"):
            kiosk.taps(tap)
        kiosk.sees("#message", "No camera was found: plug in a webcam")
        for player in ("Green", "Red", "Green"):
            kiosk.sees(f"#turn[data-player='{player}']")
            kiosk.sees("#tray-state[data-blind]", "No camera")
            for tap in ("#choices #type-throw", "[data-say='5']", "#confirm"):
                kiosk.taps(tap)
        kiosk.sees_no("#message")


# -- for a whole evening -------------------------------------------------------------------------------------

COUNTS_PICTURES = """
window.pictures = new Set();
const create = URL.createObjectURL, revoke = URL.revokeObjectURL;
URL.createObjectURL = (blob) => { const url = create(blob); window.pictures.add(url); return url; };
URL.revokeObjectURL = (url) => { window.pictures.delete(url); revoke(url); };
"""


def test_old_pictures_are_released(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table, KIOSK, fresh=True)
    kiosk.page.add_init_script(COUNTS_PICTURES)
    kiosk.page.reload()
    kiosk.sees(".tray img")
    for brightness in (50, 100, 150, 200):
        with kiosk.page.expect_response("**/api/tray.jpg"):
            pig_table.table.shows = np.full((600, 800, 3), brightness, np.uint8)
    kiosk.taps("#tab-rules")
    kiosk.sees("main.text")
    kiosk.page.wait_for_function("() => window.pictures.size === 0")


SET_HIDDEN = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => %s })"


def test_a_page_in_the_background_fetches_no_pictures(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table, KIOSK, fresh=True)
    kiosk.sees(".tray img")
    kiosk.evaluates(SET_HIDDEN % "true")
    requested: list[str] = []
    kiosk.page.on("request", lambda request: requested.append(request.url))
    pig_table.table.throws(4)
    kiosk.sees("#prompt", "hold 4")
    assert requested == []
    kiosk.evaluates(SET_HIDDEN % "false")
    with kiosk.page.expect_response("**/api/tray.jpg"):
        kiosk.evaluates("document.dispatchEvent(new Event('visibilitychange'))")
