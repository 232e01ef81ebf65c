"""The live sheet of the Highland Games: the card of each competitor, laid out as it is printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from table.games.highland.form import CARD
from table.rules.words import with_minus
from tests.page.browsing import KIOSK, LAPTOP, PHONE, SETTLED, TELEVISION, TIMEOUT_MS, Screen, Screens, box_of
from tests.page.serving import served
from tests.page.situations import COLOURS, ShowingTable, Situation, situations

pytestmark = pytest.mark.browser

SIZES = {"kiosk": KIOSK, "laptop": LAPTOP, "phone": PHONE, "television": TELEVISION}

CUT = """[...document.querySelectorAll('#card .blank, #card .event-name, #card .written, .card-tabs .chip')]
    .filter(e => e.checkVisibility())
    .filter(e => {
        const r = e.getBoundingClientRect(), card = e.closest('#card, .card-tabs').getBoundingClientRect();
        const hidden = e.matches('b') && e.scrollWidth > e.clientWidth + 1;
        return hidden || r.left < card.left - 1 || r.right > card.right + 1;
    }).map(e => e.textContent)"""
"""Script: what of the card or of the names reaches beyond it."""


class Sheets:
    """A screen that shows the sheet of ten competitors at the end of a day."""

    def __init__(self, screen: Screen, table: ShowingTable) -> None:
        self.screen = screen
        self.table = table
        self.day: Situation = next(each for each in situations("highland") if each.kind == "over")
        seq = table.show(self.day.snapshot())
        screen.page.wait_for_function(SETTLED, arg=seq, timeout=TIMEOUT_MS)
        screen.taps("#tab-sheet")
        screen.sees("#card")

    def written(self, box: str) -> str:
        return (self.screen.page.locator(f"#card [data-box={box}] .written").text_content() or "").strip()

    def of(self, player: str) -> dict[str, str]:
        """What the sheet has of this player, by box."""
        return {
            line.box: f"{line.points:,}" if line.value is None else line.value
            for line in self.day.match.sheet
            if line.player == player and line.box
        }


@pytest.fixture
def sheets(screens: Screens, tmp_path: Path) -> Iterator[Sheets]:
    table = ShowingTable(tmp_path)
    with served(table) as server, screens.one(LAPTOP) as screen:
        yield Sheets(screen.opens(server.url), table)
        assert screen.console_errors == []


def test_the_card_begins_with_the_clan_the_competitor_and_the_colours(sheets: Sheets) -> None:
    seat = sheets.day.match.seats[2]
    sheets.screen.taps(f"[data-card='{seat.name}']")
    top = sheets.screen.page.locator("#card .top")
    labels = top.locator(".label").all_inner_texts()
    assert labels == ["Clan:", "Competitor:", "Clan colours:"]
    clan = sheets.screen.page.locator("#card .clan .fill")
    assert clan.inner_text().strip() == "", "a line to write on"
    assert box_of(clan)["width"] > 100
    assert top.nth(0).locator(".written").inner_text() == seat.name
    assert top.nth(1).locator(".written").inner_text() == f"{COLOURS[2]} and {COLOURS[1]}"


def test_the_lines_are_those_of_the_printed_card_with_the_results(sheets: Sheets) -> None:
    page = sheets.screen.page
    events = page.locator("#card .line:not(.top) .event-name").all_inner_texts()
    assert [event for event in events if event] == [line.event for line in CARD if line.event]
    labels = page.locator("#card .line:not(.top) .label").all_inner_texts()
    assert labels == [blank.label for line in CARD for blank in line.blanks if blank.label]
    for seat in sheets.day.match.seats:
        sheets.screen.taps(f"[data-card='{seat.name}']")
        texts = sheets.of(seat.name)
        for blank in (blank for line in CARD for blank in line.blanks):
            assert sheets.written(blank.box).removesuffix(" counts") == with_minus(texts.get(blank.box, ""))


@pytest.mark.parametrize("size", [KIOSK, LAPTOP], ids=["kiosk", "laptop"])
def test_a_total_stands_beside_the_attempts_that_it_adds_up(sheets: Sheets, size: tuple[int, int]) -> None:
    sheets.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for event in ("haggis", "hammer"):
        last, total = (sheets.screen.box(f"#card [data-box={box}]") for box in (f"{event}_3", event))
        assert abs(total["y"] - last["y"]) < 2
        assert total["x"] >= last["x"] + last["width"]


UNEVEN = """[...document.querySelectorAll('#card .line')].map(line =>
    [...line.querySelectorAll('.fill')].map(e => e.getBoundingClientRect())
        .map((r, i, all) => all.map(o => o.bottom).filter(y => Math.abs(y - r.bottom) < 22).map(Math.round))
        .filter(row => new Set(row).size > 1)).flat()"""
"""Script: the lower edges of blanks side by side that are at different heights, px."""


def test_empty_blanks_stand_on_the_line_of_those_that_are_filled(sheets: Sheets) -> None:
    match = sheets.day.match
    sheet = tuple(line for line in match.sheet if line.box not in ("haggis_3", "haggis", "caber_2"))
    started = replace(sheets.day, match=replace(match, sheet=sheet))
    seq = sheets.table.show(started.snapshot())
    sheets.screen.page.wait_for_function(SETTLED, arg=seq, timeout=TIMEOUT_MS)
    assert sheets.screen.evaluates(UNEVEN) == []


def test_the_attempt_that_counts_has_a_ring(sheets: Sheets) -> None:
    for seat in sheets.day.match.seats:
        sheets.screen.taps(f"[data-card='{seat.name}']")
        texts = sheets.of(seat.name)
        for event in ("shot", "caber"):
            ringed = sheets.screen.page.locator(f"#card [data-box^={event}] [data-counts]")
            sheets.screen.sees_count(ringed, 1)
            assert (ringed.text_content() or "").removesuffix(" counts") == texts[event]


def test_a_tap_on_a_result_says_why(sheets: Sheets) -> None:
    name = sheets.day.match.seats[0].name
    sheets.screen.taps(f"[data-card='{name}']")
    reason = next(line.reason for line in sheets.day.match.sheet if (line.player, line.box) == (name, "dash"))
    sheets.screen.taps("#card [data-box=dash] button")
    sheets.screen.sees("#card .why", reason)
    sheets.screen.taps("#card [data-box=dash] button")
    sheets.screen.sees_no("#card .why")


def test_the_cards_of_all_competitors_are_printed_two_on_a_page_each_with_its_title(sheets: Sheets) -> None:
    page = sheets.screen.page
    sheets.screen.taps(f"[data-card='{sheets.day.match.seats[2].name}']")
    page.emulate_media(media="print")
    printed = page.locator(".card").filter(visible=True)
    names = [each.locator(".top .written").first.inner_text() for each in printed.all()]
    assert names == [seat.name for seat in sheets.day.match.seats]
    assert printed.first.locator("[data-box=dash] .written").inner_text()
    assert not page.locator("#form").count()
    titles = page.locator(".printed-title").filter(visible=True).all_inner_texts()
    assert len(titles) == 10
    assert all("Highland Dice Games" in each and "wins the day" in each for each in titles)
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 5
    page.evaluate(
        """[...document.querySelectorAll('.printed-title span')].forEach(e => {
            e.textContent = '30 November 2026 · match 1234 · Stone Put by the rules of 1997; three attempts; '
                + 'the clan wins with both · Maximiliane-Charlotte wins the day with 1,234 points';
        })"""
    )
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 5, "also with settings of its own"


def test_the_card_that_is_open_can_be_printed_alone(sheets: Sheets) -> None:
    page = sheets.screen.page
    name = sheets.day.match.seats[2].name
    sheets.screen.taps(f"[data-card='{name}']")
    page.evaluate("window.print = () => { window.asked = true; }")
    sheets.screen.taps("#print-one")
    assert page.evaluate("window.asked")
    page.emulate_media(media="print")
    assert page.locator("#card .top .written").first.inner_text() == name
    assert page.locator(".card").filter(visible=True).count() == 1
    assert not page.locator("#form, .record").filter(visible=True).count()
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".card").filter(visible=True).count() == 10


def test_the_table_of_all_competitors_is_printed_where_it_is_open(sheets: Sheets) -> None:
    sheets.screen.taps("#all-cards")
    sheets.screen.sees_no("#print-one")
    sheets.screen.page.emulate_media(media="print")
    assert sheets.screen.page.locator("#form").is_visible()
    assert sheets.screen.page.locator(".record").is_visible()


def test_all_competitors_can_be_seen_side_by_side(sheets: Sheets) -> None:
    assert not sheets.screen.counts("#form")
    sheets.screen.taps("#all-cards")
    sheets.screen.sees("#form")
    sheets.screen.sees_no("#card")
    assert sheets.screen.page.locator("#form .clans th").inner_text() == "Clan"
    sheets.screen.sees_count("#form .clans td", 10)


REPEATED = """[...document.querySelectorAll('#form tr[data-box]')].flatMap(row => {
    const named = [row.querySelector('th'), [...document.querySelectorAll('#form .heading th')]
        .filter(e => e.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1)]
        .map(e => e.textContent.replace(/^[=+−] /, '').toLowerCase());
    return [...row.querySelectorAll('small')].map(e => e.textContent)
        .filter(text => named.some(name => text.toLowerCase().startsWith(name)));
})"""
"""Script: the reasons beside the results that begin with the name of their row, or of its heading."""


def test_side_by_side_no_reason_repeats_what_the_row_is_called(sheets: Sheets) -> None:
    sheets.screen.taps("#all-cards")
    sheets.screen.sees("#form")
    assert sheets.screen.counts("#form [data-box=sheaf] small") == 10
    assert not sheets.screen.counts("#form [data-box=morning] small")
    assert sheets.screen.evaluates(REPEATED) == []


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_card_of_one_of_ten_is_readable_at_every_size(sheets: Sheets, size: tuple[int, int]) -> None:
    sheets.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for seat in sheets.day.match.seats[:3]:
        sheets.screen.taps(f"[data-card='{seat.name}']")
        assert sheets.screen.evaluates(CUT) == []
        assert sheets.screen.evaluates("document.querySelector('main').scrollWidth <= innerWidth")
    for control in sheets.screen.page.locator("#card button, .card-tabs button").all():
        box = box_of(control)
        assert min(box["width"], box["height"]) >= 44
    small = "parseFloat(getComputedStyle(document.querySelector('#card .written')).fontSize) >= 16"
    assert sheets.screen.evaluates(small)
