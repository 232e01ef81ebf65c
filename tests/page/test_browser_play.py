"""Playing on the page: what people see and tap, from the first throw to the next game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.common.tray import TrayState
from table.referee import actions
from table.rules.answers import Chosen, Kept, Throw
from tests.page.browsing import (
    CUT,
    FITS,
    KIOSK,
    LAPTOP,
    OUT_OF_SIGHT,
    PHONE,
    SCREENS,
    SMALL,
    OpenScreen,
    Screen,
)
from tests.page.conftest import ServeTable
from tests.page.serving import Served
from vision.tracking.tracks import TrackOutcome

pytestmark = pytest.mark.browser

ANN_AND_BEN = ("Ann:green", "Ben:red")
LONG_NAMES = [f"{name}:{colour}" for name, colour in (
    ("Maximiliane-Charlotte", "green"), ("Ben", "red"), ("Cú Chulainn Mac Sual", "blue"),
    ("Dagmar", "yellow"), ("Eoghan", "white"), ("Fionn", "purple"), ("Gráinne of the West", "orange"),
    ("Hugh", "black"), ("Isolde the Younger", "pink"), ("Jürgen", "brown"),
)]  # fmt: skip


@pytest.fixture
def five_dice(serve: ServeTable) -> Served:
    return serve("five_dice", *ANN_AND_BEN, start="Ann")


def test_the_page_says_whose_turn_it_is_and_what_to_do(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    assert kiosk.page.title() == "Pig – Brehon"
    assert (kiosk.reads(".who"), kiosk.reads("#prompt")) == ("Ann", "Throw one die.")
    assert (
        kiosk.evaluates("getComputedStyle(document.getElementById('turn')).backgroundColor")
        == "rgb(47, 164, 90)"
    )
    assert kiosk.evaluates("document.querySelector('#scores [aria-current]').dataset.player") == "Ann"


def test_a_task_is_told_until_the_next_throw(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("high_rollin", *ANN_AND_BEN)
    kiosk = screen(server)
    server.table.throws(3, 5, 1, 6, colour=("red", "green", "blue", "yellow"))
    kiosk.sees("#rulings", "Set these four dice")
    server.table.throws(4)
    kiosk.sees("#turn", "Ben")
    assert "Set these four dice" not in kiosk.reads("#rulings")


def test_what_is_needed_to_get_on_the_board_is_told_until_the_next_throw(
    five_dice: Served, screen: OpenScreen
) -> None:
    kiosk = screen(five_dice)
    aside, *_ = five_dice.table.throws(1, 5, 2, 2, 3, 4)
    five_dice.table.keeps(1)
    kiosk.sees("#rulings", "Ann has 100 of the 1,000 needed to get on the board")
    five_dice.table.throws(5, 5, 5, 2, 3, leaving=(aside,))
    kiosk.sees("#turn", "Which scoring dice")
    assert "needed" not in kiosk.reads("#rulings")


def test_a_choice_takes_one_tap(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.sees("#turn", "Hold 4 or throw again?")
    kiosk.taps("[data-option=hold]")
    kiosk.sees("#turn", "Ben")
    assert "4" in kiosk.reads("#scores [data-player=Ann]")
    assert [type(a) for a in pig_table.table.done] == [actions.SubmitAnswer]


def test_a_choice_can_be_taken_back(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    assert not kiosk.counts("#take-back")
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.taps("#take-back")
    kiosk.sees("[data-option=hold]")
    kiosk.sees("#rulings", "Ann takes back: “Hold 4”.")


def test_of_a_correction_and_a_take_back_the_last_one_is_told_first(
    pig_table: Served, screen: OpenScreen
) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(3)
    pig_table.table.do(actions.Correct(pig_table.table.snapshot.number, 0, Throw.of(4)))
    kiosk.sees("#rulings li:first-child", "Ann's throw is corrected from 3 to 4.")
    kiosk.taps("[data-option=hold]")
    kiosk.taps("#take-back")
    kiosk.sees("#rulings li:first-child", "Ann takes back: “Hold 4”.")


def test_a_score_without_a_ruling_is_listed(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.throws(1, 4, 6, 6, 5, 2)
    server.table.keeps(1, 4, 6, 6, 5, 2)
    kiosk.sees("#rulings li", "Ann: 19 (")


def test_a_turn_without_points_is_listed_once(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.sees("#turn", "Ben")
    pig_table.table.throws(1)
    kiosk.sees("#turn", "Ann")
    assert [li.inner_text() for li in kiosk.page.locator("#rulings li").all()] == [
        "Ben threw a 1: nothing lost, and the turn is over.",
        "Ann: 4 (held 4)",
    ]


LOOKS = """[...document.querySelectorAll('#rulings li')].map(e => {
    const {fontWeight, color} = getComputedStyle(e);
    return [e.textContent, fontWeight, color === getComputedStyle(document.body).color];
})"""
"""Script: each line of what happened, how bold it is, and whether it has the colour of the text."""


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_what_happened_before_the_last_answer_is_seen_as_old(
    pig_table: Served, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(pig_table, size)
    pig_table.table.throws(1)
    looking.sees("#turn", "Ben")
    lost = "Ann threw a 1: nothing lost, and the turn is over."
    assert looking.evaluates(LOOKS) == [[lost, "700", True]]
    pig_table.table.throws(4)
    looking.sees("#turn", "Hold 4 or throw again?")
    assert looking.evaluates(LOOKS) == [[lost, "500", False]]
    assert looking.page.locator("#rulings li").is_visible(), "the result of the last turn stays"


def test_the_result_of_a_turn_is_news(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.sees("#turn", "Ben")
    assert kiosk.evaluates(LOOKS) == [["Ann: 4 (held 4)", "700", True]]


def test_all_screens_show_the_same(pig_table: Served, screen: OpenScreen) -> None:
    kiosk, phone = screen(pig_table, KIOSK), screen(pig_table, PHONE)
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    phone.sees("#turn", "Ben")


def test_the_slower_of_two_taps_is_refused_and_the_page_updates(
    pig_table: Served, screen: OpenScreen
) -> None:
    phone = screen(pig_table, PHONE)
    pig_table.table.throws(4)
    phone.sees("[data-option=roll]")

    def hold_first(route: Any) -> None:
        _hold_on_another_screen(pig_table)
        route.continue_()

    phone.page.route("**/api/answer", hold_first)
    phone.taps("[data-option=roll]")
    phone.sees("#notice", "Somebody was quicker")
    phone.sees("#turn", "Ben")
    phone.expected_error("409")


def _hold_on_another_screen(server: Served) -> None:
    """Holds on another screen."""
    server.table.do(actions.SubmitAnswer(server.table.snapshot.number, Chosen("hold")))


def test_a_double_tap_counts_once(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.page.locator("[data-option=hold]").dblclick()
    kiosk.sees("#turn", "Ben")
    assert len(pig_table.table.done) == 1
    assert not kiosk.counts("#notice")


def test_a_double_tap_does_not_answer_the_next_prompt(serve: ServeTable, screen: OpenScreen) -> None:
    """After a keep, the button to stop appears under the same finger."""
    server = serve("five_dice", *ANN_AND_BEN, start="Ann", entry="0")
    kiosk = screen(server)
    server.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.taps("[data-keep='0']")
    kiosk.sees("#keep", "Keep 1")
    _click_in_the_middle(kiosk, "#keep", 1)
    kiosk.sees("[data-option=stop]")
    _click_in_the_middle(kiosk, "[data-option=stop]", 2)
    _click_in_the_middle(kiosk, "[data-option=stop]", 1)
    kiosk.sees("#turn", "Ben")
    assert [type(a) for a in server.table.done] == [actions.SubmitAnswer, actions.SubmitAnswer]
    assert not kiosk.counts("#notice")


def _click_in_the_middle(screen: Screen, selector: str, count: int) -> None:
    """Clicks the middle of an element. count: 2 for the second tap of a double tap."""
    box = screen.box(selector)
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    screen.page.mouse.down(click_count=count)
    screen.page.mouse.up(click_count=count)


# -- keeping -------------------------------------------------------------------------------------------------


def test_dice_can_be_kept_by_tapping_faces_or_the_dice_on_the_tray(
    five_dice: Served, screen: OpenScreen
) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.taps("[data-keep='0']")
    kiosk.taps("[data-place='1']")
    kiosk.sees("#keep", "Keep 1, 5 for 150")
    assert (
        kiosk.evaluates("document.querySelector('[data-place=\"1\"]').getAttribute('aria-pressed')") == "true"
    )
    kiosk.taps("#keep")
    kiosk.sees("#turn", "Throw four dice")
    assert five_dice.table.done[-1] == actions.SubmitAnswer(2, Kept((1, 5)))


def test_dice_that_were_marked_are_not_marked_once_their_throw_is_corrected(
    five_dice: Served, screen: OpenScreen
) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.taps("[data-keep='0']")
    kiosk.sees("#keep", "Keep 1")
    five_dice.table.do(actions.Correct(five_dice.table.snapshot.number, 0, Throw.of(2, 5, 1, 3, 3, 4)))
    kiosk.sees("#keep", "Tap what you keep")
    assert kiosk.counts("[data-keep][aria-pressed=true]") == 0


def test_what_was_marked_in_one_match_is_not_marked_in_the_next(
    five_dice: Served, screen: OpenScreen
) -> None:
    """A phone that sleeps meanwhile sees the same dice again, in answer to the same prompt."""
    phone, table = screen(five_dice, PHONE), five_dice.table
    table.throws(1, 5, 2, 3, 3, 4)
    phone.taps("[data-keep='0']")
    phone.sees("#keep", "Keep 1")
    before = table.snapshot_json()["match"]
    with table.frozen():
        match = table.snapshot.match
        assert match is not None
        table.do(actions.Start(table.snapshot.number, "five_dice", match.seats, {"start": "Ann"}))
        table.throws(1, 5, 2, 3, 3, 4)
    now = table.snapshot_json()["match"]
    assert (now["at"], now["prompt"]) == (before["at"], before["prompt"])
    assert now["id"] != before["id"]
    phone.sees("#keep", "Tap what you keep")
    assert phone.counts("[data-keep][aria-pressed=true]") == 0


@pytest.mark.parametrize(
    ("button", "says", "kept"), [("#keep", "Keep none", ()), ("#keep-all", "Keep all", (3, 5, 6, 1))]
)
def test_keeping_none_or_all_takes_one_tap(
    serve: ServeTable, screen: OpenScreen, button: str, says: str, kept: tuple[int, ...]
) -> None:
    server = serve("highland", "Ann:green")
    kiosk = screen(server)
    server.table.throws(3, 5, 6, 1)
    kiosk.sees(button, says)
    kiosk.taps(button)
    kiosk.sees("#prompt", "Throw")
    assert server.table.done == [actions.SubmitAnswer(2, Kept(kept))]


def test_no_two_buttons_keep_none(serve: ServeTable, screen: OpenScreen) -> None:
    """With a simulated hand, to throw all dice again is to keep none of them."""
    server = serve("highland", "Ann:green", hand=(3, 5, 6, 1))
    kiosk = screen(server)
    server.table.throws(3, 5, 6, 1)
    kiosk.sees("#throw", "Throw all again")
    assert kiosk.reads("#keep") == "Tap what you keep"
    assert kiosk.page.locator("#keep").is_disabled()
    kiosk.taps("[data-keep='3']")
    kiosk.sees("#throw", "Throw the rest")
    assert kiosk.page.locator("#keep").is_enabled()


def test_what_keeps_the_marked_dice_is_the_main_button_and_to_keep_none_is_not(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("highland", "Ann:green")
    kiosk = screen(server)
    server.table.throws(3, 5, 6, 1)
    kiosk.sees("#keep.quiet", "Keep none")
    kiosk.taps("[data-keep='3']")
    kiosk.sees("#keep:not(.quiet)", "Keep 1")
    kiosk.sees("#keep-all.quiet")


def test_to_keep_all_is_no_main_button_where_it_ends_the_turn(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.throws(6, 6, 1, 5, 3, 3)
    kiosk.sees("#keep-all.quiet", "Keep all")
    solid = kiosk.page.locator("#choices .choice:not(.quiet):enabled")
    assert solid.count() == 0, "an impatient tap ends no turn"
    kiosk.taps("[data-keep='2']")
    kiosk.sees("#keep:not(.quiet)", "Keep 1")
    assert solid.count() == 1


def test_a_keep_that_does_not_score_is_refused_with_the_reason(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 3, 2, 3, 3, 4)
    kiosk.taps("[data-keep='0']")
    kiosk.taps("[data-keep='1']")
    kiosk.taps("#keep")
    kiosk.sees("#notice", "3s score from three on: keep at least so many of them, or none.")
    assert kiosk.reads("#keep") == "Keep 1, 3", "the marks stay"
    kiosk.taps("[data-keep='1']")
    kiosk.sees("#keep", "Keep 1")
    assert not kiosk.counts("#notice"), "it is done"
    kiosk.console_errors.clear()


@pytest.mark.parametrize("die", ["[data-keep='2']", ".mark[data-face='2']"], ids=["row", "picture"])
def test_a_die_that_cannot_be_kept_is_refused_at_the_tap(
    five_dice: Served, screen: OpenScreen, die: str
) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.taps("[data-keep='0']")
    kiosk.taps(die)
    kiosk.sees("#notice", "The 2 does not score; leave it out.")
    assert kiosk.reads("#keep") == "Keep 1 for 100"
    assert kiosk.counts("[data-keep][aria-pressed=true]") == 1
    label = kiosk.page.locator(".mark[data-face='2']").get_attribute("aria-label")
    assert label == "white die showing 2, cannot be kept"
    kiosk.taps("[data-keep='1']")
    kiosk.sees("#keep", "Keep 1, 5")
    assert not kiosk.counts("#notice")


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_a_turned_die_comes_before_the_choices(
    pig_table: Served, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(pig_table, size)
    (die,) = pig_table.table.throws(4)
    looking.sees("[data-option=hold]")
    before = looking.box("[data-option=hold]")
    grounds = """[...document.querySelectorAll('#choices .choice')]
        .map(e => getComputedStyle(e).backgroundColor)"""
    clear = "rgba(0, 0, 0, 0)"
    assert clear not in looking.evaluates(grounds)
    pig_table.table.turns(die, 2)
    looking.sees("#message", "It still counts")
    assert looking.reads("#tray-state") == "Foul"
    assert set(looking.evaluates(grounds)) == {clear}
    assert looking.box("[data-option=hold]") == before
    pig_table.table.turns(die, 4)
    looking.sees_no("#message")
    assert clear not in looking.evaluates(grounds)


RING = """e => {
    const {stroke, strokeWidth} = getComputedStyle(e.querySelector('.hit'));
    return [stroke, strokeWidth];
}"""
"""Script: the ring around a die in the picture."""


def test_a_die_in_the_picture_that_has_the_focus_has_the_orange_ring(
    pig_table: Served, screen: OpenScreen
) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    die = kiosk.page.locator(".mark")
    die.wait_for()
    assert die.evaluate(RING)[0] == "none"
    kiosk.page.keyboard.press("Shift")  # the keyboard is in use
    die.focus()
    assert die.evaluate(RING) == ["rgb(255, 184, 77)", "4px"]


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_the_place_of_take_back_is_no_hole(
    pig_table: Served, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(pig_table, size)
    assert looking.reads(".tab.free") == "Take back"
    colour = looking.evaluates("getComputedStyle(document.querySelector('.tab.free')).color")
    assert colour not in ("rgba(0, 0, 0, 0)", looking.evaluates("getComputedStyle(document.body).color"))
    before = looking.box(".tab.free")
    pig_table.table.throws(4)
    looking.taps("[data-option=hold]")
    looking.sees("#take-back")
    assert looking.box("#take-back") == before


def test_a_throw_that_cannot_be_put_right_on_the_tray_can_be_typed(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann", hand=[6])
    kiosk = screen(server)
    server.table.throws(1, 1, 1, 2, 2, (5, "cocked"))
    server.table.throws(6, 6, 6, 6, 4, 1)
    kiosk.sees("#message", "throw the rest alone, or type the throw.")
    kiosk.sees("#prompt", "Throw one die again, alone.")
    kiosk.taps("#type-throw")
    for face in (1, 1, 1, 2, 2, 3):
        kiosk.taps(f"#face-dialog [data-say='{face}']")
    kiosk.taps("#confirm")
    kiosk.sees("[data-keep='5']")
    kiosk.sees_no("#message")


def test_the_throw_stays_solid_where_a_foul_asks_for_it(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann", hand=[4])
    kiosk = screen(server)
    (die,) = server.table.throws(4)
    kiosk.sees("[data-option=hold]")
    ground = "selector => getComputedStyle(document.querySelector(selector)).backgroundColor"
    before = kiosk.page.evaluate(ground, "#throw")
    server.table.picks_up(die)
    server.table.lays_down(6)
    kiosk.sees("#message", "laid down instead of thrown. Throw it.")
    assert kiosk.page.evaluate(ground, "[data-option=hold]") == "rgba(0, 0, 0, 0)"
    assert kiosk.page.evaluate(ground, "#throw") == before != "rgba(0, 0, 0, 0)"


LOOK = """selector => {
    const {backgroundColor, color, borderLeft, fontWeight, padding, alignContent} =
        getComputedStyle(document.querySelector(selector));
    return [backgroundColor, color, borderLeft, fontWeight, padding, alignContent];
}"""
"""Script: what a box with a sentence looks like."""


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_a_refusal_and_a_foul_look_alike(
    five_dice: Served, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(five_dice, size)
    five_dice.table.throws(1, 5, 2, 3, 3, 4)
    looking.taps("[data-keep='2']")
    looking.sees("#notice", "does not score")
    refusal = looking.page.evaluate(LOOK, "#notice")
    five_dice.table.throws(2, 2, 3, 4, 6)
    looking.sees("#message", "Wrong dice")
    assert looking.page.evaluate(LOOK, "#message") == refusal


def test_the_last_die_is_marked_to_be_kept(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.throws(1, 4, 6, 6, 5, 2)
    server.table.keeps(1, 4, 6, 6, 5)
    server.table.throws(3)
    kiosk.sees("#prompt", "Keep the 3, your last die.")
    kiosk.sees("#keep", "Keep 3")
    kiosk.taps("#keep")
    kiosk.sees("#turn", "Ben")


def test_a_refusal_makes_room_for_what_happens_next(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 3, 2, 3, 3, 4)
    for face in (0, 1):
        kiosk.taps(f"[data-keep='{face}']")
    kiosk.taps("#keep")
    kiosk.sees("#notice", "3s score from three on")
    five_dice.table.throws(2, 2, 3, 4, 6)
    kiosk.sees("#message", "Wrong dice")
    assert not kiosk.counts("#notice")
    kiosk.taps("[data-keep='2']")
    kiosk.sees("#notice", "does not score")
    five_dice.table.keeps(1)
    kiosk.sees("#turn", "Throw five dice")
    assert not kiosk.counts("#notice")
    kiosk.console_errors.clear()


def test_dice_of_another_throw_are_not_marked_as_kept(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.taps("[data-keep='0']")
    five_dice.table.throws(2, 2, 3, 4, 6)
    kiosk.sees("#message", "Wrong dice")
    kiosk.sees("#keep", "Tap what you keep")
    assert not kiosk.counts("[data-place][aria-pressed=true]")


def test_a_foul_does_not_repeat_what_the_band_says(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 5, 2, 3, 3, 4)
    five_dice.table.throws(2, 2, 3, 4, 6)
    kiosk.sees("#message .unseen", "Which scoring dice do you set aside?")
    assert kiosk.box("#message .unseen")["width"] <= 1, "it is only read out"
    kiosk.sees("#prompt", "Which scoring dice do you set aside?")


def test_a_screen_says_how_the_turn_stands_once(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("highland", "Ann", hand=[5, 3, 2, 6])
    kiosk = screen(server)
    kiosk.taps("#throw")
    kiosk.sees("#prompt", "First set")
    kiosk.sees_count("#so-far", 0)


def test_the_band_names_the_event_that_is_on(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("highland", "Ann"))
    assert kiosk.reads(".where h1") == "Farmer's Dash"


def test_a_large_screen_tells_more_of_what_happened(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    for _ in range(12):
        server.table.throws(1)
    laptop = screen(server, LAPTOP)
    laptop.sees("#rulings li", "Ben threw a 1")
    inside = """[...document.querySelectorAll('#rulings li')].filter(e =>
        e.getBoundingClientRect().left < innerWidth).length"""
    assert laptop.evaluates(inside) > 6
    laptop.page.set_viewport_size({"width": KIOSK[0], "height": KIOSK[1]})
    assert laptop.evaluates(inside) > 2
    assert laptop.evaluates("""[...document.querySelectorAll('#rulings li')].every(e => {
        const [line, all] = [e, e.parentElement].map(each => each.getBoundingClientRect());
        return line.left >= all.right || line.bottom <= all.bottom + 1;
    })"""), "no line is half in view"


def test_a_hint_says_that_throwing_the_rest_is_enough(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.sees("#hint", "leave them lying and throw the rest")


def test_marks_survive_a_change_on_the_tray(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    places = five_dice.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.taps("[data-keep='0']")
    five_dice.table.picks_up(places[5])
    kiosk.sees_count(".mark", 5)
    kiosk.sees("#keep", "Keep 1")


# -- correcting readings -------------------------------------------------------------------------------------


def test_a_misread_die_can_be_corrected_on_the_tray(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-place='0']")
    kiosk.sees("#face-dialog")
    assert (
        kiosk.evaluates("[...document.querySelectorAll('[data-say]')].map(b => b.dataset.say).join('')")
        == "123456"
    ), "in their order, as on the sheet"
    kiosk.taps("[data-say='6']")
    kiosk.sees("#turn", "Hold 6 or throw again?")
    assert isinstance(pig_table.table.done[-1], actions.Correct)


def test_a_tap_on_correct_opens_one_question(five_dice: Served, screen: OpenScreen) -> None:
    """After Cancel, a tap on a die of the picture keeps it again."""
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 5, 2, 3, 3, 4)
    kiosk.taps("#correct")
    kiosk.taps("[data-place='1']")
    kiosk.sees("#face-dialog h2", "what does this die show?")
    kiosk.page.keyboard.press("Escape")
    kiosk.sees_no("#face-dialog")
    kiosk.sees("#correct[aria-pressed=false]", "Correct")
    kiosk.taps("[data-place='1']")
    kiosk.sees_count("[data-keep][aria-pressed=true]", 1)


def test_a_die_of_a_dropped_throw_cannot_be_corrected(pig_table: Served, screen: OpenScreen) -> None:
    pig_table.table.throws(4)
    kiosk = screen(pig_table)
    sent = {**pig_table.table.snapshot_json(), "run": "an odd one"}
    sent["tray"]["throw_at"] = 7
    stream = f"event: snapshot\ndata: {json.dumps(sent)}\n\n"
    kiosk.page.route(
        "**/api/events", lambda route: route.fulfill(content_type="text/event-stream", body=stream)
    )
    kiosk.page.route("**/api/snapshot", lambda route: route.fulfill(json=sent))
    kiosk.page.reload()
    kiosk.taps("[data-place='0']")
    kiosk.sees("#notice", "Only a throw that counted")
    kiosk.page.unroute_all()


def test_a_tap_near_a_small_die_selects_it(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(2, 3, 4)
    pig_table.table.throws(4)
    kiosk.sees("#turn", "Hold 4")
    box = kiosk.box("[data-place='0'] .box")
    kiosk.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] + 15)
    kiosk.sees("#face-dialog")


def test_dice_can_be_reached_with_the_keyboard(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.page.locator("[data-place='0']").focus()
    kiosk.page.keyboard.press("Enter")
    kiosk.sees("#face-dialog")
    kiosk.page.keyboard.press("Escape")
    kiosk.sees_no("#face-dialog")


def test_an_older_throw_can_be_corrected_on_the_sheet(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.sees("#turn", "Ben")
    pig_table.table.throws(3)
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-correct='0']")
    kiosk.taps("[data-say='6']")
    kiosk.sees("#sheet", "held 6")
    corrected = pig_table.table.done[-1]
    assert isinstance(corrected, actions.Correct)
    assert (corrected.at, corrected.answer.faces) == (0, (6,))


def test_an_older_throw_is_corrected_beside_its_picture(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    seven_answers(pig_table)
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-correct='0']")
    kiosk.sees("#face-dialog .seen")
    image = kiosk.page.locator("#face-dialog .seen image")
    assert image.get_attribute("href") == "/api/throws/0.jpg"
    x, y, w, h = map(float, str(kiosk.page.locator(".seen").get_attribute("viewBox")).split())
    seen = pig_table.table.archive.throw_seen(1, 0)
    assert seen is not None
    left, top, width, height = seen["dice"][0]["box"]
    assert x <= left
    assert y <= top
    assert x + w >= left + width
    assert y + h >= top + height
    assert not kiosk.counts("#no-picture")


def test_a_correction_says_that_no_picture_of_the_throw_is_kept(
    pig_table: Served, screen: OpenScreen
) -> None:
    kiosk = screen(pig_table)
    seven_answers(pig_table)
    kiosk.page.route("**/api/throws/0", lambda route: route.fulfill(status=404, json={"error": "None."}))
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-correct='0']")
    kiosk.sees("#no-picture", "No picture of this throw is kept.")
    assert not kiosk.counts("#face-dialog .seen")
    kiosk.expected_error("404")


def test_the_current_face_is_framed(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.sees("#turn", "Ben")
    pig_table.table.throws(3)
    kiosk.taps("#tab-sheet")
    kiosk.sees(".story", "Ben threw 3.")
    kiosk.taps("[data-correct='0']")
    kiosk.sees("#face-dialog")
    assert kiosk.evaluates(FRAMED_FACES) == ["4"]
    assert not kiosk.counts("#no-die"), "the dice of an accepted throw are dice"


FRAMED_FACES = "[...document.querySelectorAll('[data-say][aria-current]')].map(b => b.dataset.say)"


def seven_answers(server: Served) -> None:
    """Ann throws 5 and 4 and holds, Ben throws 3 and holds, Ann throws 2."""
    for faces in ((5, 4), (3,)):
        for face in faces:
            server.table.throws(face)
        _hold_on_another_screen(server)
    server.table.throws(2)


def test_a_correction_that_drops_answers_asks_first(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    seven_answers(pig_table)
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-correct='0']")
    kiosk.taps("[data-say='1']")
    kiosk.sees("#costs", "Six later answers would no longer fit")
    kiosk.sees("#costs", "Ann's “Throw again”, throw of 4, “Hold 9”, Ben's throw of 3, “Hold 3”")
    kiosk.page.get_by_text("Cancel").click()
    kiosk.sees_no("#face-dialog")
    assert pig_table.table.evening.at == 7
    kiosk.taps("[data-correct='0']")
    kiosk.taps("[data-say='1']")
    kiosk.taps("#anyway")
    kiosk.sees(".story", "Ben's throw of 3, “Hold 3” and Ann's throw of 2.")
    kiosk.sees_no("#face-dialog")
    assert not kiosk.counts("#notice")
    assert pig_table.table.evening.at == 1
    kiosk.console_errors.clear()


@pytest.mark.parametrize(
    ("at", "said"), [("0", "Six later answers would no longer fit"), ("6", None)], ids=["drops", "fits"]
)
def test_a_dialog_may_be_closed_while_its_answer_is_on_its_way(
    pig_table: Served, screen: OpenScreen, at: str, said: str | None
) -> None:
    kiosk, held = screen(pig_table), list[Any]()
    seven_answers(pig_table)
    kiosk.page.route("**/api/correct", lambda route: held.append(route))
    kiosk.taps("#tab-sheet")
    kiosk.taps(f"[data-correct='{at}']")
    with kiosk.page.expect_request("**/api/correct"):
        kiosk.taps("[data-say='1']")
    kiosk.page.keyboard.press("Escape")
    kiosk.sees_no("#face-dialog")
    with kiosk.page.expect_response("**/api/correct"):
        held[0].continue_()
    if said:
        kiosk.sees("#notice", said)
        kiosk.expected_error("409")
    else:
        kiosk.sees(".story", "corrected from 2 to 1")
    assert kiosk.console_errors == []


def test_a_correction_that_drops_nothing_does_not_ask(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    seven_answers(pig_table)
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-correct='0']")
    kiosk.taps("[data-say='6']")
    kiosk.sees("#sheet", "held 6 and 4")
    kiosk.sees_no("#face-dialog")


def test_a_dialog_closes_when_the_game_has_ended(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-place='0']")
    kiosk.sees("#face-dialog")
    pig_table.table.do(actions.End(pig_table.table.snapshot.number))
    kiosk.sees(".who", "No game on")
    kiosk.taps("[data-say='6']")
    kiosk.sees("#notice", "Somebody was quicker")
    kiosk.sees_no("#face-dialog")
    kiosk.console_errors.clear()


def test_the_dialog_goes_through_the_unsure_dice_one_by_one(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, (5, "unsure"), 2, 3, 3, (4, "unsure"))
    kiosk.sees("#tray-state[data-state=UNSURE]")
    kiosk.taps("#say")
    kiosk.taps("[data-say='5']")
    kiosk.taps("[data-say='6']")
    kiosk.sees("#turn", "Which scoring dice")
    assert five_dice.table.done == [actions.EnterFaces(2, (5, 6))]


def test_answers_about_dice_outlive_a_reload(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, (5, "unsure"), 2, (3, "unsure"), 3, 4)
    kiosk.taps("#say")
    kiosk.taps("[data-say='5']")
    kiosk.page.reload()
    kiosk.taps("#say")
    kiosk.sees("[data-die='1'][aria-pressed=true]")
    kiosk.taps("[data-say='3']")
    kiosk.sees_no("#face-dialog")
    assert five_dice.table.evening.accepted[-1] == (1, 5, 2, 3, 3, 4)


def test_one_unsure_die_takes_one_tap(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws((4, "unsure"))
    kiosk.taps("#say")
    kiosk.sees("#face-dialog .seen")
    kiosk.taps("[data-say='3']")
    kiosk.sees("#turn", "Hold 3 or throw again?")
    assert pig_table.table.done == [actions.EnterFaces(2, (3,))]


def test_an_answer_about_an_old_throw_is_refused(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, (5, "unsure"), 2, 3, 3, 4)
    kiosk.taps("[data-place='1']")
    kiosk.sees("#face-dialog")
    five_dice.table.throws(1, 1, 2, 3, 3, 4)
    kiosk.sees("[data-place='6'][data-part=asked]")
    kiosk.taps("[data-say='5']")
    kiosk.sees("#notice", "Somebody was quicker")
    kiosk.console_errors.clear()


def test_no_die_takes_one_tap(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(3, (4, "unsure"))
    kiosk.taps("#say")
    kiosk.sees("#face-dialog")
    assert not kiosk.counts("[data-say][aria-current]"), "no face counts yet"
    kiosk.taps("#no-die")
    kiosk.sees("#turn", "Hold 3 or throw again?")
    assert pig_table.table.done == [actions.EnterFaces(2, (None,))]


def test_a_die_that_is_not_seen_to_lean_is_said_to_lean_and_thrown_again(
    five_dice: Served, screen: OpenScreen
) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, (5, "unsure"), 2, 3, 3, (4, "unsure"))
    kiosk.taps("#say")
    kiosk.taps("#leans")
    kiosk.sees("#face-dialog [aria-label='die 1, leans']")
    kiosk.taps("[data-say='4']")
    kiosk.sees("#tray-state[data-state=COCKED]")
    assert "throw it again alone, and leave the others as they lie" in kiosk.reads("#message")
    assert five_dice.table.done == [actions.EnterFaces(2, ("leans", 4))]


def test_one_of_two_unsure_dice_can_be_no_die(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, (5, "unsure"), 2, 3, 3, 4, (6, "unsure"))
    kiosk.taps("#say")
    kiosk.taps("[data-say='5']")
    kiosk.sees("#face-dialog [aria-label='die 1, 5']")
    kiosk.taps("#no-die")
    kiosk.sees("#turn", "Which scoring dice")
    assert five_dice.table.done == [actions.EnterFaces(2, (5, None))]


def test_choices_are_hidden_while_a_die_is_unsure(pig_table: Served, screen: OpenScreen) -> None:
    """The table would refuse a choice."""
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.sees("[data-option=hold]")
    pig_table.table.throws((3, "unsure"))
    kiosk.sees("#say")
    assert not kiosk.counts("[data-option]")


def throw_while_a_die_tumbles(server: Served) -> None:
    """Tumbles a die while another is thrown."""
    places = server.table.throws(1, 4, 6, 6, 2, 3)
    rolled = server.table.tumbles(places[4], 5)
    server.table.throws(6, leaving=(*places[:4], rolled))


def test_an_unclear_die_does_not_hide_the_choices(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann")
    throw_while_a_die_tumbles(server)
    kiosk = screen(server)
    kiosk.sees("#message", "Was the 5 thrown, or only knocked?")
    kiosk.taps("[data-keep='0']")
    kiosk.sees("#keep", "Keep 1")


def test_thrown_or_only_moved_takes_one_tap(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann")
    throw_while_a_die_tumbles(server)
    kiosk = screen(server)
    kiosk.sees("[data-part=doubted]")
    kiosk.taps("#was-moved")
    kiosk.sees("#message", "The 2 was knocked over: put it back as it lay.")
    assert kiosk.counts("#was-thrown") == 0
    assert server.table.evening.accepted[-1] == (6,)


def test_a_question_stands_above_its_answers_and_the_hand_below(
    serve: ServeTable, screen: OpenScreen
) -> None:
    """A throw before the answer would be a foul."""
    server = serve("midnight", *ANN_AND_BEN, start="Ann", hand=[4])
    places = server.table.throws(6, 6, 3, 2, 4, 1)
    server.table.evening.nudges(places[2], outcome=TrackOutcome.UNCLEAR)
    server.table.restarts_numbering()
    server.table.moves(TrayState.READING)
    kiosk = screen(server)
    kiosk.sees("#message", "Was the 3 thrown, or only moved?")
    order = ("#message", "#was-thrown", "#throw")
    tops = [kiosk.box(each)["y"] for each in order if kiosk.counts(each)]
    assert len(tops) == len(order)
    assert tops == sorted(tops)


def test_nothing_lies_under_what_looks_like_an_arm(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", *ANN_AND_BEN, start="Ann")
    server.table.evening.arm_rests = True
    server.table.throws(1, 5, 2, 3, 3)
    kiosk = screen(server)
    kiosk.sees("#message", "Take your arm off the tray: a die may be under it.")
    kiosk.taps("#nothing-under")
    kiosk.sees("#message", "Wrong dice: five dice came to rest")
    assert kiosk.counts("#nothing-under") == 0


def test_of_two_dice_only_the_marked_one_is_asked_about_next(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann")
    places = server.table.throws(6, 6, 3, 2, 4, 1)
    server.table.evening.nudges(*places[2:4], outcome=TrackOutcome.UNCLEAR)
    server.table.restarts_numbering()
    server.table.moves(TrayState.READING)
    kiosk = screen(server)
    kiosk.taps("#some-thrown")
    kiosk.sees("#message", "Was the marked 3 thrown, or only moved?")
    kiosk.sees_count("[data-part=doubted]", 1)
    assert kiosk.counts("#some-thrown") == 0
    kiosk.taps("#was-thrown")
    kiosk.sees_no("[data-part=doubted]")
    assert server.table.evening.accepted[-1] == (3,)


def test_a_leaning_die_is_thrown_again_unless_people_say_that_it_lies_flat(
    five_dice: Served, screen: OpenScreen
) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, (5, "cocked"), 2, 3, 3, 4)
    kiosk.sees("#message", "throw it again alone")
    kiosk.sees("#say", "It lies flat")
    kiosk.taps("[data-place='1']")
    kiosk.sees("#face-dialog h2", "It lies flat: what does it show?")
    kiosk.taps("[data-say='5']")
    kiosk.sees("#turn", "Which scoring dice")
    kiosk.sees_no("#face-dialog")


def test_dice_are_shown_while_one_of_them_may_still_tip_over(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.previews(1, (5, "cocked"), 2, 3, 3, 4)
    kiosk.sees(".label.coming .said >> nth=0", "1")
    assert kiosk.counts("[data-part=coming]") == 6
    assert kiosk.counts(".label.coming .said") == 5
    kiosk.taps("[data-place='1']")
    kiosk.sees("#notice", "not read yet")
    five_dice.table.settles()
    kiosk.sees("#message", "throw it again alone")
    assert kiosk.counts("[data-part=coming]") == 0


def test_a_button_reports_a_die_off_the_tray(five_dice: Served, screen: OpenScreen) -> None:
    kiosk = screen(five_dice)
    five_dice.table.throws(1, 5, 2, 3, 3)
    kiosk.sees("#tray-state[data-state='WRONG DICE']")
    kiosk.taps("#fell-off")
    kiosk.sees("#message", "off the tray")
    kiosk.sees("#prompt", "Throw one die again, alone.")


def test_the_band_asks_only_for_the_dice_that_the_message_asks_for(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("ship_captain_crew", *ANN_AND_BEN, start="Ann")
    kiosk, evening = screen(server), server.table.evening
    (laid,) = evening.lays(6, outcome=TrackOutcome.PLACED)
    server.table.throws(5, 4, 3, 2, leaving=(laid,))
    kiosk.sees("#message", "Throw it alone")
    kiosk.sees("#prompt", "Throw one die again, alone.")


def test_a_foul_names_its_rule_and_the_rules_view_explains_it(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(2, 3)
    kiosk.sees("#message .rule", "G5")
    kiosk.taps("#tab-rules")
    kiosk.sees("#shared dt", "G5")
    kiosk.sees("#shared dd", "A throw of the wrong dice is void")


def test_the_tray_can_be_read_again(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    with kiosk.page.expect_response("**/api/read_again"):
        kiosk.taps("#read-again")
    assert pig_table.table.evening.asked_to_read == 1


# -- fitting -------------------------------------------------------------------------------------------------

SCROLLS = "document.querySelector('main').scrollHeight > document.querySelector('main').clientHeight"


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_ten_players_with_long_names_and_six_dice_fit(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("five_dice", *LONG_NAMES, start="Maximiliane-Charlotte", hand=[1])
    server.table.throws(1, 5, 2, 3, 3, 4)
    looking = screen(server, size)
    looking.sees("#keep")
    assert looking.evaluates(FITS) == [True, True]
    assert looking.evaluates(SMALL) == []
    assert looking.evaluates(CUT) == []


@pytest.mark.parametrize("size", [KIOSK, LAPTOP], ids=("kiosk", "laptop"))
def test_playing_needs_no_scrolling(serve: ServeTable, screen: OpenScreen, size: tuple[int, int]) -> None:
    server = serve("five_dice", *ANN_AND_BEN, start="Ann", hand=[1])
    looking = screen(server, size)
    for throw in (
        (1, 5, 2, 3, 3),
        (1, (5, "cocked"), 2, 3, 3, 4),
        (1, (5, "unsure"), 2, 3, 3, 4),
        (1, 5, 2, 3, 3, 4),
    ):
        doubted = server.table.snapshot.tray.state == TrayState.UNSURE
        server.table.throws(*throw)
        looking.sees_count(".mark", len(throw) + doubted)
        assert looking.evaluates(FITS) == [True, True]
        assert looking.evaluates(SCROLLS) is False
        assert looking.evaluates(SMALL) == []
        assert looking.evaluates(CUT) == []


@pytest.mark.parametrize("names", [ANN_AND_BEN, LONG_NAMES], ids=("two", "ten"))
@pytest.mark.parametrize("game", ["five_dice", "ship_captain_crew"])
def test_a_foul_pushes_no_button_out_of_sight(
    serve: ServeTable, screen: OpenScreen, game: str, names: tuple[str, ...]
) -> None:
    server = serve(game, *names, start=names[0].split(":")[0], hand=[1])
    kiosk = screen(server)
    for _ in range(2):
        server.table.throws(*((6, 5, 4, 3, 2) if game == "ship_captain_crew" else (1, 5, 2, 3, 3, 4)))
    kiosk.sees("#message", "Wrong dice")
    assert kiosk.counts(".choices button") >= 2
    assert kiosk.evaluates(OUT_OF_SIGHT) == []
    shown = kiosk.box("#message")
    assert shown["height"] > 30, "two lines are visible, and the rest scrolls"


def test_dice_that_were_kept_before_are_chosen_in_the_picture_too(
    serve: ServeTable, screen: OpenScreen
) -> None:
    """Farmer's Dash: what was kept after the first throw may be thrown after the second."""
    server = serve("highland", "Ann:green")
    kiosk = screen(server)
    places = server.table.throws(3, 5, 6, 1)
    kiosk.taps("[data-keep='3']")
    kiosk.taps("#keep")
    kiosk.sees("#prompt", "Throw three")
    server.table.throws(4, 2, 6, leaving=(places[3],))
    kiosk.sees_count(".faces [data-keep]", 4)
    kiosk.taps(".mark[data-place='0']")
    kiosk.sees("#keep", "Keep 1")
    kiosk.sees(".mark.still.chosen[data-place='0']")


def test_a_die_of_a_void_throw_is_not_one_that_was_kept_before(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("highland", "Ann:green")
    kiosk = screen(server)
    one = server.table.throws(3, 5, 6, 1)[3]
    server.table.keeps(1)
    server.table.throws(4, 2, 6, leaving=(one,))
    kiosk.sees_count(".faces [data-keep]", 4)
    places = server.table.throws(1, 1, 2, 3, 4, 6)
    kiosk.sees("#message", "Wrong dice")
    server.table.picks_up(*places[2:])
    kiosk.sees_count(".mark", 2)
    kiosk.taps("[data-keep='0']")
    kiosk.sees("#keep", "Keep 1")
    assert not kiosk.counts(".mark.chosen"), "neither is the 1 that was kept"


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_the_picture_shows_which_dice_stay_and_which_are_thrown_with_their_faces(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("midnight", *ANN_AND_BEN)
    server.table.throws(6)
    server.table.throws(1)
    server.table.throws(1, 4, 2, 2, 3, 5)
    looking = screen(server, size)
    assert not looking.counts("#next-signs")
    server.table.keeps(1, 4)
    looking.sees("#prompt", "Throw four dice.")
    looking.sees("#next-signs", "✓ stays, ↑ is thrown")
    signs = looking.evaluates("[...document.querySelectorAll('.tags .said')].map(e => e.textContent)")
    assert signs == ["1 ✓", "4 ✓", "2 ↑", "2 ↑", "3 ↑", "5 ↑"]
    looking.sees_count(".mark[aria-label$='stays; tap to correct']", 2)
    looking.sees_count(".mark[aria-label$='will be thrown; tap to correct']", 4)
    spoken = looking.page.locator("#next-signs").get_attribute("aria-label")
    assert spoken == "Dice that stay: 2. Dice to throw: 4."
    server.table.throws(6, 6, 6, 6, leaving=(2, 3))
    looking.sees_no("#next-signs")


def test_a_choice_to_throw_on_shows_which_dice_would_be_thrown(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", *ANN_AND_BEN, start="Ann", entry="0")
    kiosk = screen(server)
    server.table.throws(1, 2, 3, 3, 4, 6)
    server.table.keeps(1)
    kiosk.sees("#prompt", "Stop with 100 or throw five dice?")
    kiosk.sees("#next-signs", "If you throw: ✓ stays, ↑ is thrown")
    spoken = kiosk.page.locator("#next-signs").get_attribute("aria-label")
    assert spoken == "If you throw: Dice that stay: 1. Dice to throw: 5."
    kiosk.sees_count(".mark[aria-label$='would stay; tap to correct']", 1)
    kiosk.sees_count(".mark[aria-label$='would be thrown; tap to correct']", 5)


def test_of_dice_of_one_face_the_words_say_how_many_stay(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("ship_captain_crew", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.throws(6, 5, 5, 5, 2)
    kiosk.sees("#prompt", "Throw three")
    assert kiosk.reads("#next-signs") == "✓ stays, one 5 stays, ↑ is thrown"
    spoken = kiosk.page.locator("#next-signs").get_attribute("aria-label")
    assert spoken == "Dice that stay: 1. Dice to throw: 1. Also: one 5 stays."


def test_where_all_dice_show_one_face_the_words_alone_say_how_many_stay(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("ship_captain_crew", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.throws(6, 6, 6, 6, 6)
    kiosk.sees("#prompt", "Throw four")
    kiosk.sees("#next-signs")
    assert kiosk.reads("#next-signs") == "One 6 stays"
    assert kiosk.page.locator("#next-signs").get_attribute("aria-label") == "one 6 stays."


def test_a_choice_says_how_many_dice_of_one_face_would_stay(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("ship_captain_crew", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.throws(6, 5, 4, 5, 5)
    kiosk.sees("#prompt", "Keep the cargo of 10")
    assert kiosk.reads("#next-signs") == "If you throw: ✓ stays, one 5 stays"


def test_where_all_dice_are_thrown_again_none_is_said_to_stay(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("ship_captain_crew", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.throws(5, 4, 3, 3, 2)
    kiosk.sees("#so-far", "No ship yet; a 6 is needed first")
    kiosk.sees("#next-signs")
    assert kiosk.reads("#next-signs") == "↑ is thrown"


TABS = """[...document.querySelectorAll('.head nav button')].filter(e => e.id !== 'take-back')
    .map(e => [e.textContent, e.getBoundingClientRect().x, e.getBoundingClientRect().y])"""
"""Script: where each tab is."""


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_no_tab_moves_when_a_choice_can_be_taken_back(
    pig_table: Served, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(pig_table, size)
    before = looking.evaluates(TABS)
    pig_table.table.throws(4)
    looking.taps("[data-option=hold]")
    looking.sees("#take-back")
    assert looking.evaluates(TABS) == before


def test_choices_are_taken_back_only_where_they_are_seen(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    pig_table.table.throws(4)
    kiosk.taps("[data-option=hold]")
    kiosk.sees("#take-back")
    kiosk.taps("#tab-sheet")
    kiosk.sees("#tab-play")
    assert not kiosk.counts("#take-back")
    kiosk.page.dblclick("#tab-play")
    kiosk.sees("#take-back")
    assert [type(a) for a in pig_table.table.done] == [actions.SubmitAnswer]


LINES_OF_THROW = """(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('#throw').firstChild);
    return new Set([...range.getClientRects()].map(r => r.top)).size;
})()"""
"""Script: the number of lines of what the button that throws says."""


@pytest.mark.parametrize("size", [KIOSK, LAPTOP, PHONE, (360, 740)])
def test_to_throw_the_rest_is_one_line(serve: ServeTable, screen: OpenScreen, size: tuple[int, int]) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann", hand=[1, 4, 2, 2, 3, 5])
    server.table.throws(1, 4, 2, 2, 3, 5)
    looking = screen(server, size)
    looking.sees("#throw", "Throw the rest")
    assert looking.evaluates(LINES_OF_THROW) == 1
    assert looking.evaluates(FITS) == [True, True]
