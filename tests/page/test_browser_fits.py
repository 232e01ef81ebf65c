"""Every kind of prompt of every game fits every screen: nothing that is needed to decide is cut or covered.

Ten players with long names play, as many as a game allows, and the coach is on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from table.games import GAMES
from table.rules.entered_prompts import Pick
from table.rules.game import Outcome, Ruling, Seat
from table.rules.prompts import Choose
from tests.games.playing import start
from tests.page.browsing import (
    KIOSK,
    LAPTOP,
    PHONE,
    SETTLED,
    TELEVISION,
    TIMEOUT_MS,
    Screen,
    Screens,
    box_of,
)
from tests.page.serving import served
from tests.page.situations import (
    COLOURS,
    NAMES,
    SEED,
    SETTINGS,
    OfAFall,
    ShowingTable,
    Situation,
    situations,
)

pytestmark = pytest.mark.browser

LYING_PHONE = (844, 390)

SHORT_PHONE = (390, 664)
"""A phone whose browser takes the rest of the height for its bars; there the page may scroll."""

WRONG = """(scrolls => {
    const wrong = [];
    const placed = e => {
        if (scrolls) e.scrollIntoView({block: 'center', behavior: 'instant'});
        return e.getBoundingClientRect();
    };
    const shown = e => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 0;
    const clipped = (e, r) => {
        if (r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1) return true;
        for (let p = e.parentElement; p; p = p.parentElement) {
            if (getComputedStyle(p).overflow === 'visible') continue;
            const q = p.getBoundingClientRect();
            if (r.left < q.left - 1 || r.top < q.top - 1 || r.right > q.right + 1 || r.bottom > q.bottom + 1)
                return true;
        }
        return false;
    };
    const covered = (e, r) => [.15, .5, .85].some(share => {
        const there = document.elementFromPoint(r.left + r.width / 2, r.top + r.height * share);
        return !(there && (e.contains(there) || there.contains(e)));
    });
    const say = (e, why) => wrong.push(`${why}: ${(e.id || e.className || e.tagName)} “${
        (e.innerText || e.ariaLabel || '').slice(0, 40)}”`);
    for (const e of document.querySelectorAll('.head button, main button, main input, main select')) {
        if (!shown(e)) continue;
        const r = placed(e);
        if (clipped(e, r)) say(e, 'cut');
        else if (covered(e, r)) say(e, 'covered');
        if (r.width < 43.5 || r.height < 43.5) say(e, `${Math.round(r.width)} x ${Math.round(r.height)} px`);
        if (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 3) say(e, 'text cut');
    }
    const texts = '.who, #prompt, .scores .name, .scores .points, #above,'
        + ' .play:not(:has(.message)) .finish .name, .play:not(:has(.message)) .highlights b';
    for (const e of document.querySelectorAll(texts)) {
        if (!shown(e)) continue;
        const r = placed(e);
        if (clipped(e, r)) say(e, 'cut');
        else if (covered(e, r)) say(e, 'covered');
        if (e.matches('.who, #prompt') && e.scrollWidth > e.clientWidth + 1) say(e, 'text cut');
    }
    for (const e of document.querySelectorAll('.scores .points'))
        if (e.scrollWidth > e.clientWidth + 1) say(e, 'text cut');
    for (const box of document.querySelectorAll('#rulings, #notes')) {
        const b = box.getBoundingClientRect(), text = document.createRange();
        const halved = line => line.left < b.right && line.top + 3 < b.bottom && line.bottom - 3 > b.bottom;
        for (const words = document.createTreeWalker(box, NodeFilter.SHOW_TEXT); words.nextNode();) {
            text.selectNodeContents(words.currentNode);
            if ([...text.getClientRects()].some(halved)) say(box, 'cut through its letters');
        }
    }
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || (root.scrollHeight > innerHeight && !scrolls))
        wrong.push('the page scrolls');
    if (document.querySelector('.board > svg')?.getBoundingClientRect().height < 60) wrong.push('no board');
    scrollTo(0, 0);
    return wrong;
})"""
"""Function: what is wrong with the controls, the prompt and the scores, also of a page that scrolls."""


class Display:
    """A screen that shows one situation after another, each at any size."""

    def __init__(self, screen: Screen, table: ShowingTable) -> None:
        self.screen = screen
        self._table = table

    def problems(self, situation: Situation, foul: bool = False, scrolls: bool = False) -> list[str]:
        """What is wrong with the situation on this screen, with each group and each step of its controls.

        scrolls: the page may be higher than the screen.
        """
        seq = self._table.show(situation.snapshot(foul))
        self.screen.page.wait_for_function(SETTLED, arg=seq, timeout=TIMEOUT_MS)
        found = self._wrong(situation, "", scrolls)
        for name in ("data-group", "data-step", "data-tower"):
            tabs = self.screen.page.locator(f"[{name}]")
            for value in [tab.get_attribute(name) for tab in tabs.all() if tab.is_visible()]:
                self.screen.taps(f"[{name}='{value}']")
                found += self._wrong(situation, f" {value}", scrolls)
        return found

    def _wrong(self, situation: Situation, where: str, scrolls: bool) -> list[str]:
        return [f"{situation}{where}: {each}" for each in self.screen.page.evaluate(WRONG, scrolls)]


@pytest.fixture(scope="module")
def display(screens: Screens, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Display]:
    """One screen for all sizes: every further one would draw each situation as well."""
    table = ShowingTable(tmp_path_factory.mktemp("table"), hand=[1, 2])
    with served(table) as server, screens.one(KIOSK, fresh=True) as screen:
        screen.page.add_init_script("localStorage.setItem('brehon.coach', 'on')")
        yield Display(screen.opens(server.url), table)
        assert screen.console_errors == []


def check(
    display: Display, size: tuple[int, int], game: str, foul: bool = False, scrolls: bool = False
) -> None:
    assert {"over"} < {each.kind for each in situations(game)}
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    assert [wrong for each in situations(game) for wrong in display.problems(each, foul, scrolls)] == []


@pytest.mark.parametrize("size", [KIOSK, PHONE, LYING_PHONE], ids=["kiosk", "phone", "lying phone"])
@pytest.mark.parametrize("game", GAMES)
def test_every_prompt_fits(display: Display, size: tuple[int, int], game: str) -> None:
    check(display, size, game)


@pytest.mark.parametrize("game", GAMES)
def test_every_control_of_a_short_phone_is_reached_by_scrolling(display: Display, game: str) -> None:
    check(display, SHORT_PHONE, game, scrolls=True)


@pytest.mark.parametrize("foul", [False, True], ids=["", "beside a message"])
@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])
@pytest.mark.parametrize("game", ["bricrius_bluff", "liars_dice"])
def test_the_whole_form_of_a_bid_is_in_sight(
    display: Display, size: tuple[int, int], game: str, foul: bool
) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for situation in situations(game):
        if situation.kind not in ("bid", "raise"):
            continue
        assert display.problems(situation, foul) == []
        parts = [".step", ".amount .count", "[data-face]", "#bid"]
        parts += [".prompt-controls [data-option]"] * (situation.kind == "raise")
        for part in parts:
            assert display.screen.page.locator(part).first.is_visible(), f"{situation}: {part}"


def test_the_band_of_the_sheet_has_a_question_in_one_line(screens: Screens, tmp_path: Path) -> None:
    with served(table := ShowingTable(tmp_path)) as server, screens.one(KIOSK) as kiosk:
        table.show(next(each for each in situations("mia") if each.kind == "choose").snapshot())
        kiosk.opens(server.url).taps("#tab-sheet")
        kiosk.sees("#sheet")
        kiosk.sees("#prompt", "Believe it, call liar, or pass it on?")
        assert kiosk.box("#turn")["height"] < 1.5 * kiosk.box(".head .where")["height"]


def test_the_band_of_a_phone_does_not_touch_the_upper_edge(display: Display) -> None:
    display.screen.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert display.problems(situations("mia")[0]) == []
    assert display.screen.box(".head .where")["y"] >= 8


SIDEWAYS = [LYING_PHONE, (932, 430), (667, 375), (640, 400)]
"""Phones that are held sideways, and a laptop enlarged to 200 %."""

NEWEST = """(box => {
    const line = box.querySelector('li'), [b, r] = [box, line].map(e => e.getBoundingClientRect());
    return r.height > 0 && r.left < b.right && r.bottom <= b.bottom + 1 ? line.innerText : null;
})(document.querySelector('#rulings'))"""
"""Script: the newest line of what happened, or null if it is not in sight."""


@pytest.mark.parametrize("size", SIDEWAYS, ids=lambda size: f"{size[0]} x {size[1]}")
def test_a_low_window_shows_what_happened_last(display: Display, size: tuple[int, int]) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for game, happened in (("sigily", "lands on sigil"), ("mia", "loses a life")):
        display.problems(next(each for each in situations(game) if each.kind == "choose"))
        assert happened in (display.screen.evaluates(NEWEST) or "nothing in sight"), game


A_SWITCH = "Ben and Maximiliane-Charlotte switch: Maximiliane-Charlotte's piece goes from 12 to 11."


@pytest.mark.parametrize("size", [KIOSK, LYING_PHONE], ids=["kiosk", "lying phone"])
def test_what_happened_last_stands_beside_the_tools_below_a_flat_board(
    display: Display, size: tuple[int, int]
) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    told = [each for each in situations("down_the_danube") if each.kind.startswith("choose")]
    told = [
        replace(each, match=replace(each.match, rulings=(Ruling(each.match.at, A_SWITCH),))) for each in told
    ]
    assert len(told) > 1
    for choice in told:
        assert display.problems(choice) == []
        newest = display.screen.evaluates(NEWEST) or "nothing in sight"
        assert newest.replace("\N{NO-BREAK SPACE}", " ") == A_SWITCH
        board = display.screen.box(".board > svg")
        assert display.problems(choice, foul=True) == []
        assert display.screen.box(".board > svg") == board, "a message takes the same room"


@pytest.mark.parametrize(
    ("size", "game", "kind"),
    [(KIOSK, "highland", "choose"), (LYING_PHONE, "midnight", "keep")],
    ids=["kiosk", "lying phone"],
)
def test_the_coach_leaves_room_for_what_happened_last(
    display: Display, size: tuple[int, int], game: str, kind: str
) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    assert display.problems(next(each for each in situations(game) if each.kind == kind)) == []
    assert display.screen.evaluates(NEWEST)


SEEN = """[...document.querySelectorAll('#rulings li, #notes li')].filter(e => {
    const r = e.getBoundingClientRect(), b = e.parentElement.getBoundingClientRect();
    return r.height > 0 && r.left < b.right && r.bottom <= Math.min(b.bottom, innerHeight) + 1;
}).map(e => e.innerText.replaceAll(String.fromCharCode(160), ' '))"""
"""Script: the lines of what happened, and the notes beside the board, that are in sight."""


def before_a_toss() -> Situation:
    """The Highland games after the first break: a player puts dice aside and chooses the first height."""
    match, chance = start("highland", (Seat("Ann", "green"), Seat("Ben", "red")), {}), Random(3)
    while (prompt := match.prompt) is not None:
        if isinstance(prompt, Choose) and "at which height" in prompt.text:
            return Situation("highland", "choose many", match.view())
        match = match.after(match.answered(prompt.random_answer(chance)))
    raise AssertionError("no such toss")


@pytest.mark.parametrize("size", [KIOSK, PHONE, LAPTOP, TELEVISION], ids=lambda size: f"{size[0]} px wide")
def test_which_dice_are_put_aside_is_seen_where_the_height_is_chosen(
    display: Display, size: tuple[int, int]
) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    toss = before_a_toss()
    assert display.problems(toss) == []
    task = toss.match.rulings[-1].text
    assert "put one die of each colour aside" in task
    assert task in display.screen.evaluates(SEEN)


def after_a_fall() -> Situation:
    """High Rollin' after three dice fell: the next player takes five dice from a pile of sixteen."""
    chance = Random(8)
    match = start("high_rollin", (Seat("Ann", "green"), Seat("Bob", "red")), {})
    while not (view := match.view()).rulings or " fell, " not in view.rulings[-1].text:
        assert match.prompt
        match = match.after(match.answered(match.prompt.random_answer(chance)))
    assert isinstance(match.prompt, Pick)
    assert len(match.prompt.items) == 16
    return Situation("high_rollin", "pick", view)


@pytest.mark.parametrize("size", [KIOSK, PHONE, (640, 400)], ids=["kiosk", "phone", "enlarged"])
def test_the_next_player_sees_who_got_points_for_a_fall(display: Display, size: tuple[int, int]) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    fall = after_a_fall()
    display.problems(fall)
    assert display.screen.evaluates(SEEN).count(fall.match.rulings[-1].text) == 1


def asked_about_a_fall() -> OfAFall:
    """The choice of High Rollin' with the most placements, where the table asks whether dice fell."""
    (choice,) = (each for each in situations("high_rollin") if each.kind == "choose many")
    return OfAFall(choice.game, choice.kind, choice.match)


@pytest.mark.parametrize("size", [KIOSK, PHONE, LYING_PHONE], ids=["kiosk", "phone", "lying phone"])
def test_a_fall_is_answered_with_one_tap(display: Display, size: tuple[int, int]) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    assert display.problems(asked_about_a_fall()) == []
    display.screen.sees("[data-option=fell]", "Yes, two dice fell")
    display.screen.sees("#nothing-fell", "No, nothing fell")
    display.screen.sees("main[data-stage=tray]")


def of_every_fall() -> tuple[Situation, ...]:
    """The question which dice of High Rollin' fell, for every number of dice that came up."""
    seats = tuple(Seat(name, colour) for name, colour in zip(NAMES[:4], COLOURS[:4], strict=True))
    found: dict[int, Situation] = {}
    for seed in range(12):
        match, chance = start("high_rollin", seats, {}), Random(seed)
        while (prompt := match.prompt) is not None:
            if isinstance(prompt, Pick) and "which dice fell" in prompt.text:
                found.setdefault(len(prompt.items), Situation("high_rollin", "pick", match.view()))
            match = match.after(match.answered(prompt.random_answer(chance)))
    return tuple(found[count] for count in sorted(found))


SCROLLS = "(e => e.scrollHeight > e.clientHeight + 1)(document.querySelector('#prompt-controls'))"


@pytest.mark.parametrize("size", [KIOSK, PHONE, LYING_PHONE], ids=["kiosk", "phone", "lying phone"])
def test_all_dice_that_may_have_fallen_are_in_sight(display: Display, size: tuple[int, int]) -> None:
    """Also beside a message."""
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    falls = of_every_fall()
    assert isinstance(most := falls[-1].match.prompt, Pick)
    assert len(most.items) >= 14
    for fall in falls:
        for foul in (False, True):
            assert display.problems(fall, foul) == []
            assert not display.screen.evaluates(SCROLLS)


def before_a_spell() -> Situation:
    """Sigily after a fight that took three sentences, when the next player may cast several spells."""
    seats = tuple(Seat(name, colour) for name, colour in (("Ann", "green"), ("Bob", "red"), ("Cal", "blue")))
    match, chance = start("sigily", seats, SETTINGS["sigily"]), Random(3)
    while (prompt := match.prompt) is not None:
        news = [ruling for ruling in match.view().rulings if ruling.at >= match.at]
        if len(news) >= 3 and isinstance(prompt, Choose) and len(prompt.options) > 4:
            return Situation("sigily", "choose some", match.view())
        match = match.after(match.answered(prompt.random_answer(chance)))
    raise AssertionError("no such fight")


def test_much_news_beside_the_board_fits_the_kiosk(display: Display) -> None:
    display.screen.page.set_viewport_size({"width": KIOSK[0], "height": KIOSK[1]})
    spell = before_a_spell()
    assert display.problems(spell) == []
    assert spell.match.rulings[-1].text in display.screen.evaluates(SEEN)


def chariots_to_move() -> list[Situation]:
    """The questions of an opening of Sigily with two short names, among them which chariot comes in."""
    match, chance = start("sigily", (Seat("Ann", "green"), Seat("Ben", "red")), {}), Random(3)
    asked: list[Situation] = []
    while (prompt := match.prompt) is not None and match.at < 40:
        if isinstance(prompt, Choose):
            asked.append(Situation("sigily", "choose", match.view()))
        match = match.after(match.answered(prompt.random_answer(chance)))
    return asked


UNDER_A_PIECE = """[...document.querySelectorAll('.off .face, .board [data-can] .spot')].map(e => {
    const r = e.getBoundingClientRect();
    const there = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
    return there?.closest('[data-off], [data-spot]') === e.closest('[data-off], [data-spot]');
})"""
"""Script: whether each piece beside the board, and each spot that can be tapped, lies free."""


def test_a_round_board_takes_the_width_of_a_phone(display: Display) -> None:
    """The piece to put on the board lies in the corner beside the ring, and covers no spot."""
    display.screen.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    widths, beside, free = list[float](), 0, list[bool]()
    for question in chariots_to_move():
        assert display.problems(question) == []
        widths.append(display.screen.box(".board > svg")["width"])
        beside += display.screen.counts("[data-off]")
        free += display.screen.evaluates(UNDER_A_PIECE)
    assert beside > 5
    assert len(free) > 50
    assert all(free)
    assert sorted(widths)[len(widths) // 2] > 350
    assert min(widths) > 270


@pytest.mark.parametrize("size", [KIOSK, PHONE, LAPTOP, TELEVISION], ids=lambda size: f"{size[0]} px wide")
def test_the_tools_are_below_all_other_buttons_of_a_game_with_sticks(
    display: Display, size: tuple[int, int]
) -> None:
    """Beside the picture of the sticks and below the flat board."""
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for question in situations("down_the_danube")[:-1]:
        for foul in (False, True):
            assert display.problems(question, foul) == []
            tools = display.screen.box(".tools")["y"]
            buttons = display.screen.page.locator(".side button:not(.tool)").all()
            assert buttons
            assert max(box_of(each)["y"] for each in buttons if each.is_visible()) < tools


@pytest.mark.slow
@pytest.mark.parametrize("size", [KIOSK, PHONE, LAPTOP], ids=["kiosk", "phone", "laptop"])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 10])
@pytest.mark.parametrize("game", ["highland", "sigily"])
def test_the_end_of_a_match_fits_with_any_number_of_winners(
    display: Display, size: tuple[int, int], game: str, count: int
) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    end = situations(game)[-1]
    winners = tuple(seat.name for seat in end.match.seats)[:count]
    prizes = dict.fromkeys(winners, "speed and wealth") if game == "sigily" else {}
    outcome = Outcome(winners, "They share the prize of the day.", prizes=prizes)
    over = replace(end, match=replace(end.match, outcome=outcome))
    display.problems(over)
    display.screen.sees("#ending")  # it is loaded when it is first needed
    assert display.problems(over) == []
    told = display.screen.page.locator(".poster .prize").all_inner_texts()
    assert told == (list(prizes.values()) if count <= 3 else [])
    scrolls = "(e => e.scrollHeight > e.clientHeight)(document.querySelector('#ending'))"
    assert not display.screen.evaluates(scrolls)


@pytest.mark.parametrize("size", [KIOSK, PHONE, LAPTOP], ids=["kiosk", "phone", "laptop"])
def test_where_one_of_many_loses_the_poster_is_the_loser(display: Display, size: tuple[int, int]) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    end = situations("mia")[-1]
    assert end.match.outcome
    (loser,) = {seat.name for seat in end.match.seats} - set(end.match.outcome.winners)
    assert display.problems(end) == []
    name, verdict, others = (
        display.screen.page.locator(each).all_inner_texts()
        for each in (".poster .name", ".poster .points", ".finish li:not(.poster) .name")
    )
    assert (name, verdict) == ([loser], ["loses"])
    assert sorted(others) == sorted(end.match.outcome.winners)


@pytest.mark.parametrize("size", [KIOSK, (640, 400)], ids=["kiosk", "enlarged"])
def test_the_stock_beside_the_towers_has_room_there(display: Display, size: tuple[int, int]) -> None:
    """It neither scrolls sideways nor covers what is beside and below it."""
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for question in situations("high_rollin")[1:-1]:
        assert display.problems(question, scrolls=size != KIOSK) == []
        fits = "(e => e.scrollWidth <= e.clientWidth)(document.querySelector('#notes'))"
        assert display.screen.evaluates(fits)
        rows = [box_of(each) for each in display.screen.page.locator("#notes .pile .row").all()]
        side, scores = display.screen.box(".side"), display.screen.box(".scores")
        assert rows
        assert max(row["x"] + row["width"] for row in rows) <= side["x"]
        assert max(row["y"] + row["height"] for row in rows) <= scores["y"]


def test_the_poster_has_the_sign_of_the_winner_on_an_enlarged_phone(display: Display) -> None:
    display.screen.page.set_viewport_size({"width": 195, "height": 422})
    display.problems(situations("pig")[-1])
    display.screen.sees(".poster [aria-label=winner]")
    display.screen.sees(".poster .sign")
    sign, name = display.screen.box(".poster .sign"), display.screen.box(".poster .name")
    assert sign["x"] + sign["width"] <= name["x"]


TOUCHED = """[...document.querySelectorAll('.scores li')].filter(e => {
    const [arrived, points] = ['.arrived', '.points'].map(part => e.querySelector(part));
    const [a, p] = [arrived, points].map(part => part.getBoundingClientRect());
    return arrived.scrollWidth > arrived.clientWidth + 1 || (a.right > p.left && a.bottom > p.top + 4);
}).map(e => e.innerText)"""
"""Script: the places of the scoreboard where the pieces that have arrived are cut or lie on the points."""


@pytest.mark.parametrize("size", [KIOSK, PHONE, LAPTOP], ids=["kiosk", "phone", "laptop"])
def test_the_scoreboard_says_how_many_chariots_are_home(display: Display, size: tuple[int, int]) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    assert display.problems(situations("sigily")[0]) == []
    display.screen.sees_count(".scores .arrived", 4)
    assert "0/3 home" in display.screen.reads(".scores .arrived")
    assert display.screen.evaluates(TOUCHED) == []


def at_a_free_start(count: int) -> Situation:
    """Highland's question for the starting height with the most answers: all thirteen heights."""
    seats = tuple(Seat(*each) for each in zip(NAMES[:count], COLOURS, reversed(COLOURS), strict=False))
    match, chance = start("highland", seats, {}), Random(SEED)
    while (prompt := match.prompt) is not None:
        if isinstance(prompt, Choose) and len(prompt.options) == 13:
            return Situation("highland", "choose many", match.view())
        match = match.after(match.answered(prompt.random_answer(chance)))
    raise AssertionError("no such height event")


@pytest.mark.parametrize("size", [LAPTOP, TELEVISION], ids=["laptop", "television"])
def test_thirteen_starting_heights_leave_the_tools_in_sight(
    screens: Screens, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Also beside a message, and without the coach, where the row of events stands above the tools."""
    with served(table := ShowingTable(tmp_path)) as server, screens.one(size) as screen:
        plain = Display(screen.opens(server.url), table)
        for count in (2, 10):
            for foul in (False, True):
                assert plain.problems(at_a_free_start(count), foul) == []


OVERLAPPING = """(tiles => {
    const meet = (r, q) =>
        r.left < q.right - 1 && q.left < r.right - 1 && r.top < q.bottom - 1 && q.top < r.bottom - 1;
    return tiles.flatMap(([a, r], i) =>
        tiles.slice(i + 1).filter(([, q]) => meet(r, q)).map(([b]) => `${a.innerText} / ${b.innerText}`));
})([...document.querySelectorAll('.event, .day h3')].map(e => [e, e.getBoundingClientRect()]))"""
"""Script: the tiles of the day that lie on one another."""


@pytest.mark.parametrize("size", [KIOSK, PHONE, LAPTOP], ids=["kiosk", "phone", "laptop"])
def test_the_day_stands_beside_thirteen_starting_heights(
    screens: Screens, tmp_path: Path, size: tuple[int, int]
) -> None:
    """The tiles lie apart, and no answer is scrolled away."""
    with served(table := ShowingTable(tmp_path)) as server, screens.one(size) as screen:
        plain = Display(screen.opens(server.url), table)
        start_of_ten = at_a_free_start(10)
        assert plain.problems(start_of_ten) == []
        screen.taps("#show-day")
        screen.sees_count(".event", 8)
        assert screen.page.evaluate(WRONG, False) == []
        assert screen.evaluates(OVERLAPPING) == []


def announcements(count: int) -> Situation:
    """Mia when so many announcements are possible, while the announcer may look under the cup."""
    seats = tuple(Seat(*each) for each in zip(("Ann", "Ben", "Cat"), COLOURS, strict=False))
    for seed in range(40):
        match, chance = start("mia", seats, {}), Random(seed)
        while (prompt := match.prompt) is not None:
            view = match.view()
            if isinstance(prompt, Choose) and view.hidden_since is not None and len(prompt.options) == count:
                return Situation("mia", "choose", view)
            match = match.after(match.answered(prompt.random_answer(chance)))
    raise AssertionError(f"never {count}")


@pytest.mark.parametrize("foul", [False, True], ids=["", "beside a message"])
@pytest.mark.parametrize("count", [3, 4, 5])
def test_few_announcements_leave_the_tools_in_sight(display: Display, count: int, foul: bool) -> None:
    display.screen.page.set_viewport_size({"width": KIOSK[0], "height": KIOSK[1]})
    assert display.problems(announcements(count), foul) == []


@pytest.mark.parametrize("size", [KIOSK, PHONE, LAPTOP, TELEVISION], ids=lambda size: f"{size[0]} px wide")
def test_the_21_announcements_stand_in_three_rows(display: Display, size: tuple[int, int]) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    assert display.problems(announcements(21)) == []
    rows = [round(box_of(each)["y"]) for each in display.screen.page.locator(".many > .choice").all()]
    assert [rows.count(y) for y in sorted(set(rows))] == [7, 7, 7]


@pytest.mark.slow
@pytest.mark.parametrize("size", [KIOSK, PHONE, LYING_PHONE, LAPTOP], ids=lambda size: f"{size[0]} px wide")
@pytest.mark.parametrize("game", ["midnight", "five_dice", "highland"])
def test_the_question_which_dice_were_thrown_fits(display: Display, game: str, size: tuple[int, int]) -> None:
    display.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    asked = [replace(each, doubt=True) for each in situations(game) if each.kind in ("roll", "keep")]
    assert asked
    assert [wrong for each in asked for wrong in display.problems(each)] == []
    assert display.screen.counts("#some-thrown") == 1


@pytest.mark.parametrize("game", GAMES)
def test_every_prompt_fits_a_laptop(display: Display, game: str) -> None:
    check(display, LAPTOP, game)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["high_rollin", "sigily", "highland", "down_the_danube", "liars_dice"])
def test_every_prompt_with_a_board_or_a_large_form_fits_a_television(display: Display, game: str) -> None:
    check(display, TELEVISION, game)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_prompt_fits_the_kiosk_beside_a_foul(display: Display, game: str) -> None:
    check(display, KIOSK, game, foul=True)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "size"), list(zip(GAMES, cycle([PHONE, LYING_PHONE]), strict=False)))
def test_every_prompt_fits_a_phone_beside_a_foul(display: Display, size: tuple[int, int], game: str) -> None:
    """The games take turns with both ways to hold it."""
    check(display, size, game, foul=True)
