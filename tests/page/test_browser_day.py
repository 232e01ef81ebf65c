"""The eight events of a Highland day on the page: which are over, who won them, which is on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

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
)
from tests.page.conftest import ServeTable
from tests.page.serving import served
from tests.page.situations import ShowingTable, Situation, situations

pytestmark = pytest.mark.browser

SIZES = {"kiosk": KIOSK, "laptop": LAPTOP, "phone": PHONE, "television": TELEVISION}

UNREADABLE = """(() => {
    const wrong = [];
    const box = e => e.getBoundingClientRect();
    const within = (r, q) =>
        r.left > q.left - 1 && r.right < q.right + 1 && r.top > q.top - 1 && r.bottom < q.bottom + 1;
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (const e of document.querySelectorAll('.event-title, .event-best b, .event-picture')) {
        const say = why => wrong.push(`${e.textContent || e.className.baseVal} ${why}`);
        const r = box(e), tile = box(e.closest('li'));
        if (!within(r, tile)) say('is cut by its tile');
        if (!within(tile, box(document.querySelector('.left')))) say('is scrolled away');
        if (!within(tile, screen)) say('is out of sight');
        if (e.matches('svg') ? r.height < 24 : parseFloat(getComputedStyle(e).fontSize) < 14) say('is small');
    }
    return wrong;
})()"""
"""Script: what of the tiles is cut, or too small to read."""


class Shown:
    def __init__(self, screen: Screen, table: ShowingTable) -> None:
        self.screen = screen
        self._table = table

    def shows(self, kind: str, **first: Any) -> Situation:
        """first: what is changed of the first event."""
        situation = next(each for each in situations("highland") if each.kind == kind)
        if first:
            day = situation.match.programme
            assert day is not None
            events = (replace(day.events[0], **first), *day.events[1:])
            situation = replace(
                situation, match=replace(situation.match, programme=replace(day, events=events))
            )
        seq = self._table.show(situation.snapshot())
        self.screen.page.wait_for_function(SETTLED, arg=seq, timeout=TIMEOUT_MS)
        return situation


@pytest.fixture
def shown(screens: Screens, tmp_path: Path) -> Iterator[Shown]:
    table = ShowingTable(tmp_path)
    with served(table) as server, screens.one(KIOSK) as screen:
        yield Shown(screen.opens(server.url), table)
        assert screen.console_errors == []


def test_a_result_below_0_has_a_minus_sign(shown: Shown) -> None:
    shown.shows("over", best=-3, leaders=("Ben",))
    shown.screen.taps("#show-day")
    assert shown.screen.reads(".event-best b") == "−3"


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("winners", [2, 6])
def test_how_many_share_an_event_is_not_cut(shown: Shown, winners: int, size: tuple[int, int]) -> None:
    """Two have their marks, and more are counted."""
    shown.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    names = tuple(seat.name for seat in situations("highland")[-1].match.seats)[:winners]
    shown.shows("over", best=112, leaders=names)
    shown.screen.taps("#show-day")
    shown.screen.sees_count("[data-event=dash] .token", 2 if winners == 2 else 0)
    name = "[data-event=dash] .event-best .name"
    assert (shown.screen.page.locator(name).text_content() or "") == ("" if winners == 2 else "6 share it")
    assert shown.screen.evaluates(f"(e => e.scrollWidth <= e.clientWidth)(document.querySelector('{name}'))")


GROUND = "getComputedStyle(document.querySelector('.event-best')).backgroundColor"


def test_an_event_that_two_share_has_the_colour_of_neither(shown: Shown) -> None:
    grounds = []
    for leaders in (("Ben",), ("Hugh",), ("Ben", "Hugh"), ("Hugh", "Ben")):
        shown.shows("over", best=12, leaders=leaders)
        shown.screen.taps("#show-day")
        shown.screen.sees_count("[data-event=dash] .token", len(leaders))
        grounds.append(shown.screen.evaluates(GROUND))
        shown.screen.taps("#show-end")
    ben, hugh, both, turned = grounds
    assert both == turned
    assert len({ben, hugh, both}) == 3


def test_an_event_that_nobody_won_has_no_colour_of_a_player(shown: Shown) -> None:
    shown.shows("over")
    shown.screen.taps("#show-day")
    shown.screen.sees(".event-best")
    assert shown.screen.evaluates(GROUND) != "rgba(0, 0, 0, 0)"
    shown.shows("over", best=None, leaders=())
    shown.screen.sees(".event-best", "nobody")
    assert shown.screen.evaluates(GROUND) == "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("kind", ["choose", "over"])
def test_the_day_is_readable_at_every_size(shown: Shown, size: tuple[int, int], kind: str) -> None:
    shown.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    shown.shows(kind)
    shown.screen.taps("#show-day")
    shown.screen.sees_count(".event", 8)
    assert shown.screen.evaluates(UNREADABLE) == []


def test_each_event_says_how_it_stands(shown: Shown) -> None:
    situation = shown.shows("choose")
    shown.screen.taps("#show-day")
    assert situation.match.programme is not None
    for event in situation.match.programme.events:
        tile = shown.screen.page.locator(f"[data-event={event.id}]")
        assert tile.get_attribute("data-state") == event.state
        said = tile.locator(".unseen").text_content() or ""
        assert said.startswith(event.title)
        if event.state == "over":
            assert f"won by {' and '.join(event.leaders)} with {event.best}" in said
        assert ("now" in said, "still to come" in said) == (event.state == "on", event.state == "ahead")


def test_the_end_of_the_day_shows_who_won_each_event(shown: Shown) -> None:
    situation = shown.shows("over")
    assert situation.match.programme is not None
    shown.screen.sees_count("#ending #day-strip li", 8)
    for event in situation.match.programme.events:
        marks = shown.screen.page.locator(f"#day-strip [data-event={event.id}] .token")
        shown.screen.sees_count(marks, min(2, len(event.leaders)))


def test_the_end_of_the_day_tells_no_total_twice(shown: Shown) -> None:
    """The poster and the bars have the final scores."""
    shown.screen.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    shown.shows("over")
    shown.screen.sees("#rulings .news", "wins the pull")
    told = shown.screen.page.locator("#rulings li").all_inner_texts()
    assert [text for text in told if "final score" in text] == []
    assert len(told) == len(set(told))


def test_on_a_large_screen_the_events_are_always_in_sight(shown: Shown) -> None:
    shown.screen.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    shown.shows("keep")
    shown.screen.sees(".side > #day-strip [data-state=on]")


def test_the_band_says_that_lots_are_drawn_and_then_the_first_event(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("highland", "Ann:green+white", "Ben:red+blue")
    kiosk = screen(server)
    kiosk.sees("h1", "Drawing lots")
    for face in (5, 2):
        server.table.throws(face)
    kiosk.sees("h1", "Farmer's Dash")


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_tiles_use_the_width_that_there_is_where_the_names_are_short(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(serve("highland", "Ann:green", "Ben:red", start="Ann"), size)
    looking.taps("#show-day")
    looking.sees(".day")
    assert looking.box(".day")["width"] > 0.98 * looking.box(".left")["width"]
