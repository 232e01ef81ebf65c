"""What the page owes to those who use it otherwise: by keyboard, with odd names, for a whole evening, or not at all just now."""

from __future__ import annotations

import pytest

from tests.page.browsing import KIOSK, Opens, Screen
from tests.page.conftest import Serves
from tests.page.serving import Served

pytestmark = pytest.mark.browser

ODD = "<b>&\"Bob'</b>🐺"


@pytest.fixture
def pig(serve: Serves) -> Served:
    return serve("pig", "Ann:green", "Ben:red", start="Ann")


def focused(screen: Screen, selector: str) -> bool:
    found: bool = screen.page.locator(selector).first.evaluate("e => e === document.activeElement")
    return found


def tabs_to(screen: Screen, goal: str) -> None:
    """Presses Tab until the focus is there, at most once round the page."""
    for _ in range(30):
        if focused(screen, goal):
            return
        screen.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {goal}")


# -- by keyboard -------------------------------------------------------------------------------------------------------


def test_a_game_can_be_started_and_played_with_the_keyboard(serve: Serves, screen: Opens) -> None:
    server = serve()
    kiosk = screen(server)
    tabs_to(kiosk, "#new-game")
    kiosk.page.keyboard.press("Enter")
    tabs_to(kiosk, "[name=player-0]")
    kiosk.page.keyboard.type("Ann")
    tabs_to(kiosk, "[name=player-1]")
    kiosk.page.keyboard.type("Ben")
    tabs_to(kiosk, "#start")
    kiosk.page.keyboard.press("Enter")
    kiosk.sees(".who", "Ann")
    kiosk.sees("#turn", "to see who begins")
    for face in (4, 3, 5):  # Ann begins, and throws a 5
        server.table.throws(face)
    kiosk.sees("[data-option=hold]")
    tabs_to(kiosk, "[data-option=hold]")
    kiosk.page.keyboard.press("Enter")
    kiosk.sees(".who", "Ben")


def test_the_focus_returns_after_the_face_dialog(serve: Serves, screen: Opens) -> None:
    server = serve("five_dice", "Ann:green", "Ben:red", start="Ann")
    server.table.throws(1, (5, "unsure"), 2, 3, 3, (4, "unsure"))
    kiosk = screen(server)
    tabs_to(kiosk, "#say")
    kiosk.page.keyboard.press("Enter")
    kiosk.sees("#face-dialog")
    kiosk.page.get_by_text("Leave it as it is").press("Enter")
    kiosk.sees_no("#face-dialog")
    assert focused(kiosk, "#say")


def test_the_dialog_marks_dice_that_have_no_answer_yet(serve: Serves, screen: Opens) -> None:
    server = serve("five_dice", "Ann:green", "Ben:red", start="Ann")
    server.table.throws(1, (5, "unsure"), 2, 3, 3, (4, "unsure"))
    kiosk = screen(server)
    kiosk.taps("#say")
    kiosk.sees_count("#face-dialog [aria-label$='not told yet']", 2)
    kiosk.taps("[data-say='5']")
    kiosk.sees_count("#face-dialog [aria-label$='not told yet']", 1)
    kiosk.sees("#face-dialog [aria-label='die 1, 5']")


# -- with odd names ----------------------------------------------------------------------------------------------------


def test_a_name_is_never_read_as_html(serve: Serves, screen: Opens) -> None:
    server = serve("pig", f"{ODD}:green", "Ben:red", start=ODD)
    kiosk = screen(server)
    assert kiosk.reads(".who") == ODD
    server.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.sees(".who", "Ben")
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet thead", ODD)
    kiosk.sees(".story", f"{ODD} threw 4.")
    kiosk.taps("#tab-new")
    kiosk.sees("#start")
    assert kiosk.page.input_value("input[name=player-0]") == ODD
    assert not kiosk.counts(".who b, thead b, .name b")


# -- when the table stumbles -------------------------------------------------------------------------------------------


def test_a_lost_list_of_games_is_fetched_again_when_the_table_is_back(pig: Served, screen: Opens) -> None:
    kiosk = screen(pig)
    kiosk.page.route("**/api/games", lambda route: route.fulfill(status=503, json={"error": "The table is busy."}), times=1)
    kiosk.page.reload()
    kiosk.sees("#notice", "The list of games could not be fetched")
    kiosk.taps("#tab-new")
    kiosk.sees("main", "Fetching the games")
    pig.stop()
    kiosk.sees(".banner")
    pig.start()
    kiosk.sees("#start", "Start Pig")
    kiosk.troubles.clear()


def test_an_error_is_not_shown_as_a_snapshot(pig: Served, screen: Opens) -> None:
    kiosk = screen(pig)
    kiosk.page.route("**/api/snapshot", lambda route: route.fulfill(status=500, json={"error": "The table stumbled."}))
    kiosk.page.route("**/api/events", lambda route: route.fulfill(status=500, body=""))
    pig.stop()
    kiosk.sees(".banner", "cannot be reached")
    kiosk.sees(".who", "Ann")
    kiosk.page.unroute_all()
    pig.start()
    kiosk.sees_no(".banner")
    kiosk.troubles.clear()


# -- for a whole evening -----------------------------------------------------------------------------------------------

COUNTED = """
window.pictures = new Set();
const made = URL.createObjectURL, given = URL.revokeObjectURL;
URL.createObjectURL = (blob) => { const url = made(blob); window.pictures.add(url); return url; };
URL.revokeObjectURL = (url) => { window.pictures.delete(url); given(url); };
"""


def test_old_pictures_are_released(pig: Served, screen: Opens) -> None:
    kiosk = screen(pig, KIOSK)
    kiosk.page.add_init_script(COUNTED)
    kiosk.page.reload()
    for _ in range(4):
        with kiosk.page.expect_response("**/api/tray.jpg"):
            pass
    kiosk.sees(".tray img")
    kiosk.taps("#tab-rules")
    kiosk.sees("main.text")
    kiosk.page.wait_for_function("() => window.pictures.size === 0")


HIDDEN = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => %s })"


def test_a_page_in_the_background_fetches_no_pictures(pig: Served, screen: Opens) -> None:
    kiosk = screen(pig, KIOSK)
    kiosk.page.clock.install()
    kiosk.page.reload()
    kiosk.sees(".tray img")
    kiosk.asks(HIDDEN % "true")
    with kiosk.page.expect_response("**/api/read_again"):  # comes after the pictures that were on their way
        kiosk.taps("#read-again")
    asked: list[str] = []
    kiosk.page.on("request", lambda request: asked.append(request.url))
    kiosk.page.clock.run_for(3000)
    assert asked == []
    kiosk.asks(HIDDEN % "false")
    with kiosk.page.expect_response("**/api/tray.jpg"):
        kiosk.page.clock.run_for(1000)
