"""Teaching dice on the page: what people see and tap."""

from __future__ import annotations

import pytest

from tests.page.browsing import OVERFLOWS, PHONE, SCREENS, OpenScreen, Screen
from tests.page.conftest import ServeTable
from tests.page.serving import Served

pytestmark = pytest.mark.browser


@pytest.fixture
def navy(serve: ServeTable) -> Served:
    """A table with three navy dice in its tray."""
    server = serve()
    server.table.throws(1, 4, 6)
    server.table.colours.lays("blue", "#203054", 3)
    return server


def open_teaching(screen: Screen) -> Screen:
    screen.taps("#new-game")
    screen.taps("#dice-colours")
    screen.sees("#lying")
    return screen


def test_dice_in_the_tray_are_shown_with_a_suggested_name(navy: Served, screen: OpenScreen) -> None:
    kiosk = open_teaching(screen(navy))
    kiosk.sees("#lying", "3 dice lie in the tray.")
    kiosk.sees_count("g.mark", 3)
    assert (
        kiosk.page.locator("#lying .swatch").first.evaluate("e => getComputedStyle(e).backgroundColor")
        == "rgb(32, 48, 84)"
    )
    assert kiosk.page.input_value("[name=colour-name]") == "blue"
    assert kiosk.page.input_value("[name=plays-as]") == "blue"


FONT_SIZE = "getComputedStyle(document.querySelector('[name=plays-as]')).fontSize"


def test_the_choice_of_a_colour_looks_the_same_whether_new_game_was_open_before(
    navy: Served, screen: OpenScreen
) -> None:
    phone = screen(navy, PHONE)
    phone.taps("#set-up")
    phone.taps("#step-colours")
    phone.sees("[name=plays-as]")
    at_first = phone.evaluates(FONT_SIZE)
    phone.taps("#tab-new")
    phone.taps("#dice-colours")
    phone.sees("[name=plays-as]")
    assert phone.evaluates(FONT_SIZE) == at_first


def test_a_colour_is_learned_under_the_typed_name(navy: Served, screen: OpenScreen) -> None:
    kiosk = open_teaching(screen(navy))
    kiosk.page.fill("[name=colour-name]", "Ann's navy")
    kiosk.page.select_option("[name=plays-as]", "purple")
    kiosk.taps("#learn")
    kiosk.sees("#learned", "Ann's navy is learned.")
    kiosk.sees("#taught li", "Ann's navy")
    kiosk.sees("#taught-hint", "Teach at least two colours")
    assert [(c["name"], c["plays_as"]) for c in navy.table.colours.taught] == [("Ann's navy", "purple")]


def test_a_colour_is_named_on_a_screen_without_a_keyboard(navy: Served, screen: OpenScreen) -> None:
    kiosk = screen(navy, fresh=True)
    kiosk.page.add_init_script(
        "const real = matchMedia; window.matchMedia = q => q.includes('coarse') ? {matches: true} : real(q);"
    )
    kiosk.page.reload()
    open_teaching(kiosk)
    kiosk.taps("[name=colour-name]")
    kiosk.sees(".keyboard")
    for key in ("back", "back", "back", "back", "n", "a", "v", "y"):
        kiosk.taps(f"[data-letter='{key}']")
    field, keyboard = kiosk.box("[name=colour-name]"), kiosk.box(".keyboard")
    assert field["y"] >= 0
    assert field["y"] + field["height"] <= keyboard["y"], "the name stays in view"
    assert keyboard["y"] + keyboard["height"] <= kiosk.page.viewport_size["height"]  # type: ignore[index]
    kiosk.taps("#typed")
    kiosk.sees_no(".keyboard")
    kiosk.taps("#learn")
    kiosk.sees("#taught li", "navy")


def test_colours_can_be_taught_with_the_keyboard(navy: Served, screen: OpenScreen) -> None:
    laptop = open_teaching(screen(navy, SCREENS["laptop"]))
    laptop.page.focus("[name=colour-name]")
    laptop.page.keyboard.press("Control+A")
    laptop.page.keyboard.type("navy")
    laptop.page.keyboard.press("Enter")
    laptop.sees("#taught li", "navy")
    laptop.page.focus("#taught button")
    laptop.page.keyboard.press("Enter")
    laptop.page.keyboard.press("Enter")
    laptop.sees_count("#taught li", 0)


def test_two_colours_cannot_play_as_the_same(navy: Served, screen: OpenScreen) -> None:
    navy.table.colours.taught = [{"name": "Ben's", "plays_as": "blue", "swatch": "#2050ff", "samples": 2}]
    kiosk = open_teaching(screen(navy))
    kiosk.sees("#taught li", "plays as blue")
    assert kiosk.page.locator("[name=plays-as] option[value=blue]").is_disabled()
    assert "Ben's" in kiosk.page.locator("[name=plays-as] option[value=blue]").inner_text()


def test_a_colour_that_cannot_be_learned_is_refused_with_one_sentence(
    navy: Served, screen: OpenScreen
) -> None:
    navy.table.colours.refuses = (
        "navy and black look too alike to tell apart: try brighter light, or take other dice for one of them."
    )
    kiosk = open_teaching(screen(navy))
    kiosk.taps("#learn")
    kiosk.sees("#notice", "too alike to tell apart")
    kiosk.sees("#learn:enabled")
    kiosk.expected_error("422")


def test_an_empty_tray_asks_for_dice(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = open_teaching(screen(serve()))
    kiosk.sees("#lying", "Put a few dice of one colour in the tray")
    assert kiosk.page.locator("#learn").is_disabled()


def test_a_warning_says_that_a_game_is_on(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    kiosk = screen(server)
    kiosk.taps("#tab-new")
    kiosk.taps("#dice-colours")
    kiosk.sees("#playing", "count as thrown")


def test_forgetting_takes_two_taps(navy: Served, screen: OpenScreen) -> None:
    navy.table.colours.taught = [{"name": "Ben's", "plays_as": "red", "swatch": "#d02020", "samples": 2}]
    kiosk = open_teaching(screen(navy))
    kiosk.taps("#taught button")
    kiosk.sees("#taught button", "Tap again")
    assert len(navy.table.colours.taught) == 1
    kiosk.taps("#taught button")
    kiosk.sees_count("#taught li", 0)
    assert navy.table.colours.taught == []


def test_a_new_game_lists_the_taught_colours(navy: Served, screen: OpenScreen) -> None:
    navy.table.colours.taught = [
        {"name": "Ann's navy", "plays_as": "blue", "swatch": "#203054", "samples": 2}
    ]
    kiosk = open_teaching(screen(navy))
    kiosk.taps("#colours-done")
    kiosk.sees("#start")
    kiosk.page.wait_for_function(
        "() => document.querySelector('.player option[value=blue]').textContent === \"blue (Ann's navy)\""
    )


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_teaching_fits_every_screen(navy: Served, screen: OpenScreen, size: tuple[int, int]) -> None:
    names = ["Gráinne of the West's ol", "white", "Wolfeschlegelsteinhausen"]
    navy.table.colours.taught = [
        {"name": n, "plays_as": c, "swatch": "#888888", "samples": 2}
        for n, c in zip(names, ("grey", "white", "red"), strict=True)
    ]
    looking = open_teaching(screen(navy, size))
    looking.sees_count("#taught li", 3)
    assert looking.evaluates(OVERFLOWS) == [False, False]
