"""No button that is on the screen moves when a message comes or goes: an impatient tap does what it meant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from table.games import GAMES
from tests.page.browsing import (
    KIOSK,
    LAPTOP,
    PHONE,
    SETTLED,
    TELEVISION,
    TIMEOUT_MS,
    OpenScreen,
    Screen,
    Screens,
    box_of,
)
from tests.page.conftest import ServeTable
from tests.page.serving import Served, served
from tests.page.situations import ShowingTable, Situation, situations

pytestmark = pytest.mark.browser

LYING_PHONE, SHORT_PHONE = (844, 390), (390, 664)
SIZES = {"kiosk": KIOSK, "phone": PHONE, "lying phone": LYING_PHONE}
LARGE = {"laptop": LAPTOP, "television": TELEVISION}

LARGE_ABOVE = ("high_rollin", "sigily", "highland", "down_the_danube", "liars_dice")
"""Games with a board, or with a large form, above their controls."""

MOST_PX = 1
"""A place in the middle of a pixel is rounded to either side."""

PLACES = """Object.fromEntries([...document.querySelectorAll('.head button, main button, main input')]
    .filter(e => !e.closest('.board'))
    .filter(e => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 0)
    .map(e => [e, e.getBoundingClientRect()])
    .map(([e, r]) => [
        e.id || JSON.stringify({...e.dataset}) + e.innerText,
        [r.x, r.y, r.width, r.height].map(Math.round),
    ]))"""
"""Script: the left edge, top edge, width and height of each control in sight, in px.

On a phone held upright, the board and the dice beside it have the room that is left.
"""


PAIR = ("Ann:green", "Ben:red")


def places(screen: Screen) -> dict[str, list[int]]:
    found: dict[str, list[int]] = screen.evaluates(PLACES)
    return found


def far(before: dict[str, list[int]], now: dict[str, list[int]]) -> list[str]:
    """The controls that are in both, at another place."""
    return [
        f"{control} from {place} to {now[control]}"
        for control, place in before.items()
        if control in now and any(abs(a - b) > MOST_PX for a, b in zip(now[control], place, strict=True))
    ]


class Watched:
    """A screen that shows one situation after another, and where its controls are."""

    def __init__(self, screen: Screen, table: ShowingTable) -> None:
        self._screen = screen
        self._table = table

    def moved(self, situation: Situation, size: tuple[int, int]) -> list[str]:
        """The controls that move when a long message comes. Measured again if some do: the words of the coach
        may come late, between the two measurements."""
        self._screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        return self._moved(situation) and self._moved(situation)

    def tops(self, played: list[Situation], size: tuple[int, int]) -> dict[int, str]:
        """The lower edges of the band, in px of the screen, each with one of its situations."""
        self._screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        return {self._top(situation): str(situation) for situation in played}

    def _top(self, situation: Situation) -> int:
        seq = self._table.show(situation.snapshot())
        self._screen.page.wait_for_function(SETTLED, arg=seq, timeout=TIMEOUT_MS)
        return round(self._screen.box("main")["y"])

    def _moved(self, situation: Situation) -> list[str]:
        before, beside = (self._places(situation, foul) for foul in (False, True))
        assert before
        return [f"{situation}: {each}" for each in far(before, beside)]

    def _places(self, situation: Situation, foul: bool) -> dict[str, list[int]]:
        self._show(situation, foul)
        return places(self._screen)

    def tops_of_the_picture(self, situation: Situation, size: tuple[int, int]) -> list[float]:
        """The upper edge of the picture without a message and beside one, px; [] if it is not shown."""
        self._screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        tops = []
        for foul in (False, True):
            self._show(situation, foul)
            tops += [self._screen.box(".tray")["y"]] if self._screen.counts(".tray") else []
        return tops

    def _show(self, situation: Situation, foul: bool) -> None:
        seq = self._table.show(situation.snapshot(foul))
        self._screen.page.wait_for_function(SETTLED, arg=seq, timeout=TIMEOUT_MS)


@contextmanager
def watched_screen(screens: Screens, folder: Path, coach: str) -> Iterator[Watched]:
    table = ShowingTable(folder, hand=[1, 2])
    with served(table) as server, screens.one(KIOSK, fresh=True) as screen:
        screen.page.add_init_script(f"localStorage.setItem('brehon.coach', '{coach}')")
        yield Watched(screen.opens(server.url), table)
        assert screen.console_errors == []


@pytest.fixture(scope="module")
def watched(screens: Screens, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    with watched_screen(screens, tmp_path_factory.mktemp("table"), "off") as screen:
        yield screen


@pytest.fixture(scope="module")
def coached(screens: Screens, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """The coach is on."""
    with watched_screen(screens, tmp_path_factory.mktemp("coached"), "on") as screen:
        yield screen


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_no_button_moves_when_a_message_comes(watched: Watched, size: tuple[int, int], game: str) -> None:
    played = [each for each in situations(game) if each.kind != "over"]
    assert [moved for each in played for moved in watched.moved(each, size)] == []


@pytest.mark.parametrize("size", LARGE.values(), ids=LARGE)
def test_the_band_keeps_its_height_whatever_there_is_to_do(watched: Watched, size: tuple[int, int]) -> None:
    played = [each for game in GAMES for each in situations(game) if each.kind != "over"]
    assert len(watched.tops(played, size)) == 1


@pytest.mark.parametrize("size", LARGE.values(), ids=LARGE)
def test_no_tool_moves_when_the_replay_comes(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("pig", *PAIR, start="Ann", hand=[4])
    server.table.replays.clips[0, False] = b"the page lists it, and nobody plays it"
    looking = screen(server, size)
    looking.sees("#throw")
    before = places(looking)
    assert before.keys() >= {"set-up", "read-again", "switch-coach", "clumsy"}
    looking.taps("#throw")
    looking.sees("#replay-shown")
    assert far(before, places(looking)) == []


@pytest.mark.parametrize("game", GAMES)
def test_no_button_moves_beside_the_coach(coached: Watched, game: str) -> None:
    played = [each for each in situations(game) if each.kind != "over"]
    assert [moved for each in played for moved in coached.moved(each, KIOSK)] == []


@pytest.mark.parametrize("game", LARGE_ABOVE)
def test_no_button_moves_on_a_short_phone(watched: Watched, game: str) -> None:
    played = [each for each in situations(game) if each.kind not in ("over", "roll", "sticks")]
    assert [moved for each in played for moved in watched.moved(each, SHORT_PHONE)] == []


@pytest.mark.parametrize(("game", "size"), list(zip(GAMES, cycle([PHONE, SHORT_PHONE]), strict=False)))
def test_the_picture_stays_where_it_is_when_a_message_comes(
    watched: Watched, size: tuple[int, int], game: str
) -> None:
    """Ten players with long names leave it less room below."""
    tops = {
        str(each): watched.tops_of_the_picture(each, size) for each in situations(game) if each.kind != "over"
    }
    assert {each: y for each, y in tops.items() if len(y) == 2 and abs(y[0] - y[1]) > MOST_PX} == {}


@pytest.mark.parametrize(
    ("game", "thrown"), [("pig", (4,)), ("five_dice", (1, 5, 2, 3, 3, 4)), ("midnight", (1, 4, 2, 2, 6, 6))]
)
def test_the_picture_keeps_its_size_beside_a_message_on_a_tall_phone(
    serve: ServeTable, screen: OpenScreen, game: str, thrown: tuple[int, ...]
) -> None:
    server = serve(game, *PAIR, start="Ann", hand=[4])
    phone = screen(server, PHONE)
    server.table.throws(*thrown)
    phone.sees_count(".mark.thrown", len(thrown))
    before = phone.box(".tray")
    server.table.throws(2, 2, 3)
    phone.sees("#message")
    assert phone.box(".tray") == before


def deciding(serve: ServeTable, screen: OpenScreen, size: tuple[int, int]) -> tuple[Served, Screen]:
    """A table on which Ann has thrown a 4 in Pig, and a screen that offers to hold."""
    server = serve("pig", *PAIR, start="Ann", hand=[4])
    looking = screen(server, size)
    server.table.throws(4)
    looking.sees("[data-option=hold]")
    return server, looking


@pytest.mark.parametrize("size", [*SIZES.values(), *LARGE.values()], ids=[*SIZES, *LARGE])
def test_throw_and_hold_stay_where_they_are_when_a_throw_does_not_count(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server, looking = deciding(serve, screen, size)
    before = places(looking)
    assert "throw" in before
    server.table.throws(3, 3)
    looking.sees("#message", "Two dice")
    looking.sees("[data-option=hold]")
    beside = places(looking)
    assert before.keys() <= beside.keys()
    assert far(before, beside) == []


@pytest.mark.parametrize("size", [KIOSK, PHONE, LAPTOP], ids=["kiosk", "phone", "laptop"])
def test_a_second_tap_on_throw_does_not_stop_the_turn(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    """No option comes to lie where the throw was a moment before."""
    server = serve("pig", *PAIR, start="Ann", hand=[4])
    looking = screen(server, size)
    before = looking.box("#throw")
    looking.taps("#throw")
    looking.sees("[data-option=hold]")
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    assert looking.evaluates(f"document.elementFromPoint({x}, {y}).closest('button').id") == "throw"


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_throw_and_hold_stay_where_they_are_when_a_die_leans(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    """The button that says how it lies comes beside them."""
    server, looking = deciding(serve, screen, size)
    before = places(looking)
    server.table.throws((3, "cocked"))
    looking.sees("#say", "It lies flat")
    beside = places(looking)
    assert "throw" in before.keys() & beside.keys()
    assert far(before, beside) == []


@pytest.mark.usefixtures("prompt_games")
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_form_of_a_bid_stays_where_it_is_when_a_bid_is_refused(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(serve("bid", *PAIR), size)
    looking.taps("[aria-label='one less']")
    before = places(looking)
    looking.taps("#bid")
    looking.sees("#notice", "Bid more dice")
    assert before.keys() <= places(looking).keys()
    assert far(before, places(looking)) == []
    looking.console_errors.clear()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_form_of_a_bid_stays_where_it_is_while_the_look_under_the_cup_loads(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking, held = screen(serve("liars_dice", *PAIR, start="Ann", hand=[3, 1]), size), list[Any]()
    looking.page.route("**/undercup.js", lambda route: held.append(route))
    for name in ("Ann", "Ben"):
        looking.sees(f"#turn[data-player={name}]")
        looking.taps("#throw")
    looking.sees("#bid")
    before = looking.box("#bid")
    for route in held:
        route.continue_()
    looking.sees("#look:enabled")
    assert looking.box("#bid") == before


def test_no_step_of_a_bet_moves_the_others_on_a_phone(serve: ServeTable, screen: OpenScreen) -> None:
    phone = screen(serve("chuck_a_luck", "Ann:green", "Ben:red", "Cal:blue"), PHONE)
    before = phone.box("[data-step=who]")
    for tapped in ("[data-bettor=Ben]", "[data-on]", "[data-key='5']"):
        phone.taps(tapped)
        assert phone.box("[data-step=who]") == before
    assert phone.reads("#bet").startswith("Ben: 5 on")


@pytest.mark.parametrize(
    ("game", "covering", "form"),
    [
        ("liars_dice", ("Ann", "Ben"), "#bid"),
        ("mia", ("Ann",), "#prompt-controls [data-option]"),
        ("chuck_a_luck", (), "#bet"),
    ],
    ids=["bid", "announcement", "bet"],
)
def test_a_form_stands_above_the_other_buttons_of_a_phone(
    serve: ServeTable, screen: OpenScreen, game: str, covering: tuple[str, ...], form: str
) -> None:
    """There the thumb reaches it, and what is said stands above it."""
    start = {"start": "Ann"} if covering else {}
    phone = screen(serve(game, *PAIR, **start, hand=[3, 1]), PHONE)
    for name in covering:
        phone.sees(f"#turn[data-player={name}]")
        phone.taps("#throw")
    phone.sees(form)
    lower = max(box["y"] + box["height"] for box in map(box_of, phone.page.locator(form).all()))
    buttons = phone.page.locator(".side button").all()
    below = min(box_of(each)["y"] for each in buttons if each.is_visible())
    assert 0 < below - lower < 20
