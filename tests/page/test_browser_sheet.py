"""The score sheet on the page: its rows and the names above its columns."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from table.referee.snapshot import throw_text
from table.rules.match import MatchView
from table.rules.sheet import running_totals
from tests.page.browsing import KIOSK, LAPTOP, PHONE, SETTLED, TELEVISION, OpenScreen, Screen, Screens
from tests.page.conftest import ServeTable
from tests.page.serving import served
from tests.page.situations import ShowingTable, Situation, situations
from tests.paper.pages import needs_poppler, page_sizes_mm

pytestmark = pytest.mark.browser


class Pad:
    """The sheet of a played match on a screen."""

    def __init__(self, screen: Screen, table: ShowingTable, url: str) -> None:
        self.screen, self._table, self._url = screen, table, url

    def shows(
        self,
        game: str,
        size: tuple[int, int] = KIOSK,
        long_names: bool = False,
        situation: Situation | None = None,
    ) -> None:
        """situation: the end of the match if None."""
        self.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.end = situation or situations(game)[-1]
        if long_names:
            self.end = replace(self.end, match=with_long_names(self.end.match))
        seq = self._table.show(self.end.snapshot())
        self.screen.opens(self._url)
        self.screen.page.wait_for_function(SETTLED, arg=seq)
        self.screen.taps("#tab-sheet")
        self.screen.sees("main.sheet h2", self.end.match.title)


def with_long_names(match: MatchView) -> MatchView:
    """The match with names whose words are as long as the table takes them."""
    names = ("Bartholomew", "Maximilianecharlottenbur", "Wolfeschlegelsteinhausen")
    new = {seat.name: name for seat, name in zip(match.seats, names, strict=False)}
    return replace(
        match,
        seats=tuple(replace(seat, name=new.get(seat.name, seat.name)) for seat in match.seats),
        scores={new.get(name, name): score for name, score in match.scores.items()},
        sheet=tuple(replace(line, player=new.get(line.player, line.player)) for line in match.sheet),
        outcome=None,
    )


@pytest.fixture(scope="module")
def pad(screens: Screens, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pad]:
    table = ShowingTable(tmp_path_factory.mktemp("table"))
    with served(table) as server, screens.one(KIOSK, fresh=True) as screen:
        yield Pad(screen, table, server.url)
        assert screen.console_errors == []


CELLS = """[...document.querySelectorAll('#sheet tbody tr:not(.row-note)')].map(row => [
    row.querySelector('th').innerText,
    [...row.querySelectorAll('td')].map(cell => [...cell.querySelectorAll('b')].map(b => b.innerText))])"""
"""Script: the head of each row, and the points of each player in it."""


@pytest.mark.parametrize("game", ["liars_dice", "high_rollin", "sigily"])
def test_a_row_has_all_lines_of_a_turn_or_round(pad: Pad, game: str) -> None:
    pad.shows(game)
    shown = pad.screen.evaluates(CELLS)
    match = pad.end.match
    heads = [line.row_text for line in sorted(match.sheet, key=lambda line: line.row or 0)]
    assert [head for head, _ in shown] == list(dict.fromkeys(heads))
    for head, cells in shown:
        for player, cell in zip(match.seat_order, cells, strict=True):
            mine = [line for line in match.sheet if line.player == player and line.row_text == head]
            assert len(cell) == len(mine)
            written = [line.value or str(line.points) for line in mine]
            assert [text.replace("−", "-") for text in cell] == written
    totals = [total for total in running_totals(match.sheet) if total is not None]
    shown_totals = pad.screen.page.locator("#sheet tbody .sum").all_inner_texts()
    assert sorted(shown_totals) == sorted(f"({total})" for total in totals)
    assert totals


ROWS = """[...document.querySelectorAll('#sheet tbody tr')].map(
    row => (row.matches('.row-note') ? row : row.querySelector('th')).innerText.trim())"""
"""Script: the head of each row, and the notes between them."""


def test_the_bids_of_a_round_stand_below_its_row_and_the_players_in_the_order_of_seats(pad: Pad) -> None:
    pad.shows("liars_dice")
    match = pad.end.match
    texts = {str(note.row): note.text for note in match.row_notes}
    heads = [str(row) for row in sorted({line.row for line in match.sheet if line.row})]
    expected = [text for head in heads for text in ([head, texts[head]] if head in texts else [head])]
    assert pad.screen.evaluates(ROWS) == ["Start", *expected]
    assert match.seat_order != tuple(seat.name for seat in match.seats)
    names = pad.screen.page.locator("#sheet thead .name").all_inner_texts()
    assert tuple(names) == match.seat_order


WIDTHS = """(() => {
    const table = document.querySelector('#sheet'), withNotes = table.scrollWidth;
    for (const row of document.querySelectorAll('#sheet .row-note')) row.hidden = true;
    return [withNotes, table.scrollWidth];
})()"""
"""Script: the width of the table with and without the notes between its rows, px."""


@pytest.mark.parametrize("size", [KIOSK, LAPTOP, PHONE], ids=["kiosk", "laptop", "phone"])
def test_a_long_note_between_the_rows_does_not_widen_the_sheet(pad: Pad, size: tuple[int, int]) -> None:
    end = situations("liars_dice")[-1]
    note, *_ = end.match.row_notes
    raises = ", ".join(f"{seat.name} {n} 6s" for n, seat in enumerate(end.match.seats * 2, start=1))
    long = replace(end.match, row_notes=(replace(note, text=raises),))
    pad.shows("liars_dice", size, situation=replace(end, match=long))
    pad.screen.sees(".row-note", raises)
    with_notes, without = pad.screen.evaluates(WIDTHS)
    assert with_notes == without


SPLIT = """[...document.querySelectorAll('main.sheet thead .name')].flatMap(name => {
    const text = name.firstChild, words = text.data.matchAll(/[^\\s-]+/g), range = document.createRange();
    const column = name.closest('th').getBoundingClientRect();
    return [...words].filter(word => {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length > 1 || range.getBoundingClientRect().right > column.right + 1;
    }).map(([word]) => word);
})"""
"""Script: the words of names that are split, or wider than their column."""


@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])
@pytest.mark.parametrize("game", ["high_rollin", "pig", "highland"])
def test_no_word_of_a_name_is_split(pad: Pad, game: str, size: tuple[int, int]) -> None:
    pad.shows(game, size, long_names=True)
    if game == "highland":
        pad.screen.page.get_by_text("All side by side").click()
    assert pad.screen.counts("main.sheet thead .name") == len(pad.end.match.seats)
    assert pad.screen.evaluates(SPLIT) == []


def with_players(situation: Situation, n: int) -> Situation:
    """The match with its first players only."""
    match = situation.match
    seats = match.seats[:n]
    names = {seat.name for seat in seats}
    sheet = tuple(line for line in match.sheet if line.player in names)
    fewer = replace(match, seats=seats, sheet=sheet, outcome=None, rulings=(), row_notes=())
    return replace(situation, match=replace(fewer, scores={name: match.scores[name] for name in names}))


SIDEWAYS = "(wide => wide.scrollWidth - wide.clientWidth)(document.querySelector('.sheet .wide'))"
"""Script: how far the table scrolls sideways, px."""


@pytest.mark.parametrize("n", [3, 10])
@pytest.mark.parametrize("game", ["highland", "five_dice", "liars_dice"])
def test_all_players_are_side_by_side_on_a_phone(pad: Pad, game: str, n: int) -> None:
    end = situations(game)[-1]
    assert len(end.match.seats) == 10
    pad.shows(game, PHONE, situation=with_players(end, n))
    if game == "highland":
        pad.screen.taps("#all-cards")
    pad.screen.sees_count(".sheet thead .name", n)
    assert pad.screen.evaluates(SIDEWAYS) <= 0


@pytest.mark.parametrize("size", [KIOSK, (844, 390), LAPTOP], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", ["five_dice", "mia"])
def test_ten_players_are_side_by_side_on_every_screen(pad: Pad, game: str, size: tuple[int, int]) -> None:
    pad.shows(game, size, situation=situations(game)[-1])
    pad.screen.sees_count(".sheet thead .name", 10)
    assert pad.screen.evaluates(SIDEWAYS) <= 0


@pytest.mark.parametrize(("game", "table"), [("highland", "#form"), ("five_dice", "#sheet")])
def test_a_tap_on_the_head_of_a_narrow_row_says_why_for_all_players(pad: Pad, game: str, table: str) -> None:
    pad.shows(game, PHONE)
    if game == "highland":
        pad.screen.taps("#all-cards")
    head = pad.screen.page.locator(f"{table} th button").first
    box = head.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    head.click()
    told = pad.screen.page.locator(f"{table} .row-note div")
    reasons = {line.reason for line in pad.end.match.sheet}
    assert told.count() == 10
    assert all(any(text.endswith(reason) for reason in reasons) for text in told.all_inner_texts())
    head.click()
    pad.screen.sees_no(f"{table} .row-note")


WHOLE_SENTENCE = """(() => {
    const band = document.querySelector('.band').getBoundingClientRect();
    const title = document.querySelector('.where').getBoundingClientRect();
    const seen = getComputedStyle(document.querySelector('.where')).position !== 'absolute';
    const prompt = document.getElementById('prompt');
    const clear = r => r.right <= band.right && r.bottom <= band.bottom && (!seen || r.right <= title.left);
    return prompt.scrollWidth <= prompt.clientWidth && [...prompt.getClientRects()].every(clear);
})()"""
"""Script: whether the whole sentence of the band is in view, beside the title of the game."""


@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])
@pytest.mark.parametrize("game", ["five_dice", "sigily", "highland"])
def test_the_band_above_the_sheet_has_its_whole_sentence(pad: Pad, game: str, size: tuple[int, int]) -> None:
    longest = max(situations(game), key=lambda s: len(s.match.prompt.text) if s.match.prompt else 0)
    pad.shows(game, size, situation=longest)
    assert pad.screen.evaluates(WHOLE_SENTENCE)


SIZES_ON_PAPER = """['h2', '.outcome', 'h3'].map(part => {
    const [shown, text] = [part, '.record'].map(e => getComputedStyle(document.querySelector(`.sheet ${e}`)));
    return [Math.round(parseFloat(shown.fontSize) * 72 / 96), shown.fontFamily === text.fontFamily];
})"""
"""Script: the size of each heading in points, and whether it is set in the face of the text."""


def test_the_printed_headings_are_as_large_as_those_of_the_pdf(pad: Pad) -> None:
    pad.shows("midnight")
    pad.screen.page.emulate_media(media="print")
    assert pad.screen.evaluates(SIZES_ON_PAPER) == [[18, True], [11, True], [11, True]]
    pad.screen.page.emulate_media(media="null")


@pytest.mark.parametrize("game", ["five_dice", "down_the_danube"])
def test_the_page_tells_each_throw_in_the_words_of_the_pdf(pad: Pad, game: str) -> None:
    pad.shows(game)
    told = pad.screen.page.locator(".record li").all_text_contents()
    throws = [throw_text(throw) for throw in pad.end.match.throws]
    assert " and " in throws[-1]
    assert [text for text in told if text in throws] == throws


LAST_ROW = """(cell => [cell.getBoundingClientRect().bottom, document.querySelector('main').clientHeight
    + document.querySelector('main').getBoundingClientRect().top])(
        document.querySelector('main.sheet .wide :is(tfoot, table:not(:has(tfoot)) tr:last-child) td'))"""
"""Script: the lower edge of the row of totals, and that of the part that scrolls, in px of the screen."""


@pytest.mark.parametrize("size", [KIOSK, LAPTOP, TELEVISION], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", ["pig", "mia"])
def test_the_totals_of_a_long_sheet_are_in_sight_before_anybody_scrolls(
    pad: Pad, game: str, size: tuple[int, int]
) -> None:
    pad.shows(game, size)
    assert pad.screen.evaluates("document.querySelector('.wide').scrollHeight > innerHeight")
    row, edge = pad.screen.evaluates(LAST_ROW)
    assert row <= edge


def test_a_table_of_ten_players_fits_a_low_screen_with_its_totals(pad: Pad) -> None:
    pad.shows("highland", KIOSK)
    pad.screen.taps("#all-cards")
    pad.screen.sees("#form")
    third, total, chosen = map(
        pad.screen.box, ("#form tbody tr:nth-child(3) td", "#form tbody tr:last-child td", "#all-cards")
    )
    assert third["y"] + 40 <= total["y"], "there is room for some rows"
    assert total["y"] + total["height"] <= KIOSK[1]
    assert chosen["x"] + chosen["width"] <= KIOSK[0]


def test_a_printed_sheet_tells_the_match_its_settings_and_that_it_goes_on(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("five_dice", "Ann:green", "Ben:red", start="Ann", entry="500")
    looking = screen(server)
    looking.taps("#tab-sheet")
    looking.sees("#sheet")
    parts = (".date", ".unfinished")
    assert not any(looking.page.locator(part).is_visible() for part in parts), "the screen says it already"
    looking.page.emulate_media(media="print")
    about, outcome = (looking.reads(part) for part in parts)
    assert about.endswith(" · match 1 · Entry: 500; Who begins: Ann")
    assert outcome == "Not over yet."


HEADING_SIZE = """parseFloat(getComputedStyle(document.querySelector('#form .heading th')).fontSize)
    / parseFloat(getComputedStyle(document.querySelector('#form tbody td')).fontSize)"""
"""Script: how much larger the headings of a form are than its rows."""


@needs_poppler
@pytest.mark.parametrize("game", ["pig", "liars_dice"])
def test_many_players_are_printed_on_paper_that_lies_on_its_side(pad: Pad, game: str, tmp_path: Path) -> None:
    """As in the PDF. On upright paper the letters were too small to read."""
    pad.shows(game, LAPTOP, situation=situations(game)[-1])
    sheet = tmp_path / "sheet.pdf"
    sheet.write_bytes(pad.screen.page.pdf(prefer_css_page_size=True))
    assert {(round(w), round(h)) for w, h in page_sizes_mm(sheet)} == {(297, 210)}
    pad.screen.page.emulate_media(media="print")
    letters = pad.screen.evaluates("getComputedStyle(document.querySelector('#sheet td')).fontSize")
    pad.screen.page.emulate_media(media="null")
    assert letters == "12px"


def test_a_day_of_ten_players_is_printed_on_one_page_with_headings_as_small_as_its_rows(
    pad: Pad, tmp_path: Path
) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed (package poppler-utils)")
    pad.shows("highland")
    pad.screen.taps("#all-cards")
    pad.screen.page.pdf(path=tmp_path / "day.pdf", prefer_css_page_size=True)
    read = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "day.pdf", "-"], capture_output=True, check=True
    )
    first, *_ = read.stdout.decode().split("\f")
    assert "Final scoring" in first
    assert "= Final score" in first
    pad.screen.page.emulate_media(media="print")
    heading = pad.screen.evaluates(HEADING_SIZE)
    pad.screen.page.emulate_media(media="null")
    assert 1 < heading < 1.3
