"""What no camera sees, told at the page: each kind of prompt played once, typed throws, the board, and the coach."""

from __future__ import annotations

import pytest

from table.referee import actions
from table.referee.snapshot import TrayState
from table.rules.answers import Answer, Bet, Bid, Chosen, Die, Number, Picked, Sticks, Throw
from tests.page.browsing import PHONE, SCREENS, Opens
from tests.page.conftest import Serves
from tests.page.serving import Served

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("telling")]

ANN_AND_BEN = ("Ann:green", "Ben:red")


def told(server: Served) -> list[Answer]:
    """The answers that came from the page, in their order."""
    return [action.answer for action in server.table.done if isinstance(action, actions.Give)]


# -- each kind of prompt -----------------------------------------------------------------------------------------------


def test_sticks_are_turned_until_they_lie_as_thrown(serve: Serves, screen: Opens) -> None:
    server = serve("sticks", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.sees_count("[data-shows=round]", 4)
    for stick in (1, 3, 3, 3):
        kiosk.taps(f"[data-stick='{stick}']")
    kiosk.taps("#lie-so")
    kiosk.sees("#rulings", "Ann told round deer round horse.")
    assert told(server) == [Sticks(("round", "deer", "round", "horse"))]
    kiosk.sees_count("[data-shows=round]", 4)


def test_a_throw_of_sticks_is_corrected_on_the_sheet(serve: Serves, screen: Opens) -> None:
    server = serve("sticks", *ANN_AND_BEN)
    server.table.do(actions.Give(server.table.snapshot.number, Sticks(("horse", "round", "dog", "round"))))
    kiosk = screen(server)
    kiosk.taps("#tab-sheet")
    kiosk.sees(".story", "Ann threw horse, round, dog, round.")
    kiosk.taps("[data-correct='0']")
    shown = [stick.get_attribute("data-shows") for stick in kiosk.page.locator("#face-dialog .stick").all()]
    assert shown == ["dog", "round", "round", "horse"], "each stick with what it alone can show"
    kiosk.taps("[data-stick='2']")
    kiosk.taps("#lie-so")
    kiosk.sees(".story", "Ann told dog round cow horse.")
    kiosk.sees_no("#face-dialog")


def test_nothing_of_the_tray_is_shown_while_dice_go_under_a_cup(serve: Serves, screen: Opens) -> None:
    server = serve("hidden", *ANN_AND_BEN)
    server.table.throws(5, 5)
    kiosk = screen(server)
    kiosk.sees("#cup")
    assert not kiosk.counts(".tray img, [data-place]")
    assert "5" not in kiosk.reads("main")
    kiosk.taps("[data-option=ready]")
    kiosk.sees("#rulings", "Ann told hid.")
    assert told(server) == [Chosen("ready")]


def test_a_small_number_is_tapped(serve: Serves, screen: Opens) -> None:
    server = serve("few", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.taps("[data-number='3']")
    kiosk.taps("[aria-label='one more']")
    kiosk.sees("#tell-number", "Say 4")
    kiosk.taps("#tell-number")
    kiosk.sees("#rulings", "Ann told 4.")
    kiosk.taps("[data-number='5']")
    assert kiosk.counts("[aria-label='one more']:disabled")
    kiosk.taps("#tell-number")
    kiosk.sees("#prompt", "Ann wins")
    assert told(server) == [Number(4), Number(5)]


def test_a_large_number_is_told_without_a_keyboard(serve: Serves, screen: Opens) -> None:
    server = serve("much", *ANN_AND_BEN)
    kiosk = screen(server)
    assert kiosk.counts("#tell-number:disabled")
    for key in (2, 5, 0, 0, 7, "back", 0):
        kiosk.taps(f"[data-key='{key}']")
    kiosk.sees("#tell-number", "Say 25,000")
    kiosk.taps("#tell-number")
    kiosk.sees("#rulings", "Ann told 25000.")


def test_a_number_too_large_is_refused_in_a_sentence_and_put_right(serve: Serves, screen: Opens) -> None:
    server = serve("much", *ANN_AND_BEN)
    phone = screen(server, PHONE)
    phone.page.fill(".amount .count", "1,000,001")
    phone.taps("#tell-number")
    phone.sees("#notice", "A whole number from 0 to 1,000,000 is expected, 1,000,001 came.")
    phone.taps("[aria-label='one less']")
    phone.taps("#tell-number")
    phone.sees("#rulings", "Ann told 1000000.")
    phone.troubles.clear()


def test_a_bid_starts_above_the_one_that_stands(serve: Serves, screen: Opens) -> None:
    server = serve("bid", *ANN_AND_BEN)
    kiosk = screen(server)
    assert kiosk.reads("#above").startswith("The bid: 4 ×")
    kiosk.taps("#bid")
    kiosk.sees("#rulings", "Ann told 5 of 6.")
    kiosk.taps("[data-face='2']")
    kiosk.taps("[aria-label='one more']")
    kiosk.taps("#bid")
    kiosk.sees("#rulings", "Ann told 6 of 2.")
    assert told(server) == [Bid(5, 6), Bid(6, 2)]


def test_a_bid_that_is_too_low_is_refused_in_the_rules_words_and_called_instead(serve: Serves, screen: Opens) -> None:
    server = serve("bid", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.taps("[aria-label='one less']")
    kiosk.taps("#bid")
    kiosk.sees("#notice", "Bid more dice, or a higher face.")
    kiosk.taps("[data-option=call]")
    kiosk.sees("#rulings", "Ann told call.")
    kiosk.troubles.clear()


def test_bets_are_placed_one_after_the_other_and_the_betting_is_closed(serve: Serves, screen: Opens) -> None:
    server = serve("bets", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.sees("#bet:disabled", "Tell who bets, on what, how much")
    for tap in ("[data-bettor=Ann]", "[data-on=even]", "[data-key='1']", "[data-key='2']"):
        kiosk.taps(tap)
    kiosk.sees("#bet", "Ann: 12 on Even")
    kiosk.taps("#bet")
    kiosk.sees("#so-far", "Ann 12 on even")
    kiosk.sees("#bet:disabled", "Tell how much")
    for tap in ("[data-bettor=Ben]", "[data-on=high]", "[data-key='9']", "[data-key='9']", "#bet"):
        kiosk.taps(tap)
    kiosk.sees("#notice", "The bank takes 50 at the most.")
    kiosk.taps("[data-key=back]")
    kiosk.taps("#bet")
    kiosk.sees("#so-far", "Ann 12 on even; Ben 9 on high")
    kiosk.taps("[data-option=close]")
    kiosk.sees("#rulings", "Ann told Ann 12 on even; Ben 9 on high.")
    assert told(server) == [Bet("Ann", "even", 12), Bet("Ben", "high", 99), Bet("Ben", "high", 9), Chosen("close")]
    kiosk.troubles.clear()


def test_things_are_picked_from_a_list(serve: Serves, screen: Opens) -> None:
    server = serve("pick", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.taps("[data-item='item 3']")
    kiosk.sees("#pick:disabled", "Tap 2 to 3: 1 so far")
    for item in (0, 4, 3, 2):
        kiosk.taps(f"[data-item='item {item}']")
    assert kiosk.counts("[data-item='item 1']:disabled"), "no more than three"
    kiosk.taps("#pick")
    kiosk.sees("#rulings", "Ann told item 0, item 2, item 4.")
    assert told(server) == [Picked(("item 0", "item 2", "item 4"))]


HIDDEN_OPTIONS = """[...document.querySelectorAll('[data-option]')].filter(e => { e.scrollIntoView({block: 'center'});
    const r = e.getBoundingClientRect(), there = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
    return !e.contains(there) || r.height < 48 || r.width < 90 || e.scrollWidth > e.clientWidth; }).map(e => e.innerText)"""


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_forty_options_are_all_within_a_fingers_reach(serve: Serves, screen: Opens, size: tuple[int, int]) -> None:
    server = serve("forty", *ANN_AND_BEN)
    looking = screen(server, size)
    looking.sees_count("[data-option]", 40)
    assert looking.asks(HIDDEN_OPTIONS) == []
    columns = looking.asks("new Set([...document.querySelectorAll('[data-option]')].map(e => e.getBoundingClientRect().x)).size")
    assert columns >= 2
    looking.taps("[data-option='way 39']")
    looking.sees("#rulings", "Ann told way 39.")


def test_the_dice_that_a_long_choice_is_about_are_shown_beside_it(serve: Serves, screen: Opens) -> None:
    """The options stand where the tray was, which one tap brings back."""
    kiosk = screen(serve("forty", *ANN_AND_BEN))
    kiosk.sees("[data-option='way 0']")
    assert not kiosk.counts(".tray")
    kiosk.taps("#show-tray")
    kiosk.sees(".tray")
    kiosk.sees("[data-option='way 0']")
    kiosk.taps("#show-asking")
    kiosk.sees_no(".tray")


FITS = "[document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]"
SMALL = """[...document.querySelectorAll('button, select, input')].map(e => [e, e.getBoundingClientRect()])
    .filter(([e, r]) => r.width && (r.height < 47.5 || r.width < 44)).map(([e]) => e.outerHTML)"""
CUT = """[...document.querySelectorAll('.side, .turn, .scores, .tools, .head, .answering')]
    .filter(e => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1).map(e => e.className)"""


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
@pytest.mark.parametrize("game", ["sticks", "hidden", "few", "much", "bid", "bets", "pick", "throw", "odds"])
def test_what_is_to_be_told_fits_under_fingers(serve: Serves, screen: Opens, game: str, size: tuple[int, int]) -> None:
    looking = screen(serve(game, *ANN_AND_BEN), size)
    assert looking.asks(FITS) == [True, True]
    assert looking.asks(SMALL) == []
    assert looking.asks(CUT) == []


def test_a_bid_is_made_by_keyboard_alone(serve: Serves, screen: Opens) -> None:
    server = serve("bid", *ANN_AND_BEN)
    kiosk = screen(server)
    for goal in ("[aria-label='one more']", "[data-face='3']", "#bid"):
        kiosk.page.locator(goal).focus()
        kiosk.page.keyboard.press("Enter")
    kiosk.sees("#rulings", "Ann told 6 of 3.")


def test_a_screen_reader_is_told_what_each_control_does(serve: Serves, screen: Opens) -> None:
    kiosk = screen(serve("bid", *ANN_AND_BEN))
    assert kiosk.page.get_by_role("group", name="how many dice").get_by_role("button").count() == 2
    assert kiosk.page.get_by_role("button", name="face 6", pressed=True).count() == 1
    assert kiosk.page.get_by_role("button", name="bid 5 dice of face 6").count() == 1
    kiosk = screen(serve("sticks", *ANN_AND_BEN))
    assert kiosk.page.get_by_role("button", name="stick 1 shows round: tap to turn it").count() == 1


# -- a typed throw -----------------------------------------------------------------------------------------------------


def test_a_throw_is_typed_with_its_colours(serve: Serves, screen: Opens) -> None:
    server = serve("throw", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.taps("#type-throw")
    for face in (5, 2):
        kiosk.taps(f"#face-dialog [data-say='{face}']")
    kiosk.sees("#confirm:disabled")
    kiosk.page.keyboard.press("6")
    kiosk.taps("[data-die='0']")
    kiosk.taps("#face-dialog [data-say='1']")
    kiosk.sees("#confirm:enabled", "They lie so")
    assert told(server) == [], "a throw that is typed is confirmed"
    kiosk.taps("#confirm")
    kiosk.sees("#rulings", "Ann told green 1 green 2 red 6.")
    kiosk.sees_no("#face-dialog")
    assert told(server) == [Throw((Die(1, "green"), Die(2, "green"), Die(6, "red")))]


def test_a_table_without_a_camera_offers_typing_first(serve: Serves, screen: Opens) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    kiosk.sees(".tools #type-throw")
    server.table.moves(TrayState.NO_CAMERA)
    kiosk.taps("#choices #type-throw")
    kiosk.taps("#face-dialog [data-say='4']")
    kiosk.taps("#confirm")
    kiosk.sees("#turn", "Hold 4 or throw again?")
    assert told(server) == [Throw.of(4)]


# -- the board ---------------------------------------------------------------------------------------------------------


def test_the_board_shows_what_lies_where(serve: Serves, screen: Opens) -> None:
    server = serve("board", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.sees_count("[data-spot]", 12)
    kiosk.sees_count(".joined", 12)
    kiosk.sees_count("[data-spot='spot 1'] [data-piece]", 2)
    assert kiosk.page.locator("[data-piece=Ann] text").text_content() == "×2"
    assert kiosk.page.locator("[data-piece=Ann] .piece").get_attribute("fill") == "#2fa45a"
    assert kiosk.page.locator("[data-piece=Ben] text").text_content() == "B", "a letter for those who do not tell colours apart"
    assert kiosk.page.locator("[data-spot='spot 3'] .coins text").text_content() == "3"
    assert not kiosk.counts("[data-spot='spot 0'] .coins")
    assert kiosk.page.locator("[data-kind=tower] text").all_text_contents()[:2] == ["3 red on", "2 white"]
    kiosk.sees("#notes", "The pot holds 12 coins.")
    assert "1: Ann ×2, Ben, one coin" in kiosk.page.locator("#on-board li").all_text_contents()
    kiosk.taps("[data-option='spot 5']")
    kiosk.sees("[data-spot='spot 5'] [data-piece=Ann]")
    kiosk.sees_count("[data-spot='spot 1'] [data-piece]", 1)


def test_a_tapped_spot_tells_what_lies_there(serve: Serves, screen: Opens) -> None:
    kiosk = screen(serve("board", *ANN_AND_BEN))
    kiosk.taps("[data-spot='spot 2'] .spot")
    kiosk.sees("#notes .told", "Beltane: 2 coins")
    kiosk.taps("[data-spot='spot 2'] .spot")
    kiosk.sees_no("#notes .told")


OUTSIDE = """(() => { const board = document.querySelector('#board svg').getBoundingClientRect();
    const out = r => r.left < board.left - 1 || r.right > board.right + 1 || r.top < board.top - 1 || r.bottom > board.bottom + 1;
    return [...document.querySelectorAll('#board svg text, #board svg .spot')].filter(e => out(e.getBoundingClientRect()))
        .map(e => e.outerHTML); })()"""
LETTER_PX = "Math.min(...[...document.querySelectorAll('#board .beside')].map(e => e.getBoundingClientRect().height))"


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_the_board_is_whole_and_its_names_can_be_read(serve: Serves, screen: Opens, size: tuple[int, int]) -> None:
    looking = screen(serve("board", *ANN_AND_BEN), size)
    looking.sees("#board")
    assert looking.asks(OUTSIDE) == []
    assert looking.asks(LETTER_PX) >= 11
    assert looking.asks(FITS) == [True, True]


def test_board_and_tray_are_a_tap_apart(serve: Serves, screen: Opens) -> None:
    server = serve("board", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.sees("#board")
    assert not kiosk.counts(".tray")
    kiosk.taps("#show-tray")
    kiosk.sees(".tray")
    kiosk.taps("[data-option='spot 5']")
    kiosk.sees("#board")
    kiosk.taps("#show-tray")
    kiosk.taps("#show-board")
    kiosk.sees_no(".tray")


# -- the coach ---------------------------------------------------------------------------------------------------------


def test_the_coach_speaks_when_asked_to_and_remembers_it(serve: Serves, screen: Opens) -> None:
    kiosk = screen(serve("odds", *ANN_AND_BEN))
    kiosk.sees("#switch-coach[aria-pressed=false]")
    assert not kiosk.counts("#coach")
    kiosk.taps("#switch-coach")
    assert kiosk.page.locator("#coach dd").all_inner_texts() == ["80 %", "2.8 % (1 in 36)", "8.1 points"]
    assert kiosk.page.locator("#coach dt").all_inner_texts() == ["A pair or better", "The next throw wins", "Hold now"]
    kiosk.page.reload()
    kiosk.sees("#coach")
    kiosk.taps("#switch-coach")
    kiosk.sees_no("#coach")
    kiosk.page.reload()
    kiosk.sees("#switch-coach[aria-pressed=false]")


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0, "never"), (1, "always"), (0.99999, "over 99.9 %"), (0.00001, "under 0.01 %"), (0.5, "50 % (1 in 2)"), (2 / 3, "67 %"),
        (1 / 3, "33 % (1 in 3)"), (0.4, "40 % (1 in 2.5)"), (0.996, "99.6 %"), (1 / 216, "0.46 % (1 in 216)"),
        (1 / 7776, "0.01 % (1 in 7,776)"),
    ],
)  # fmt: skip
def test_a_chance_is_never_rounded_to_certainty(serve: Serves, screen: Opens, p: float, said: str) -> None:
    kiosk = screen(serve())
    assert kiosk.asks(f"import('/static/coach.js').then(coach => coach.chance({p}))") == said
