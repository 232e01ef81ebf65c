"""The score sheet on the page: its rows and the names above its columns."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.page.browsing import KIOSK, SETTLED, Screen, Screens
from tests.page.serving import served
from tests.page.situations import ShowingTable, situations

pytestmark = pytest.mark.browser


class Pad:
    """The sheet of a played match on a screen."""

    def __init__(self, screen: Screen, table: ShowingTable, url: str) -> None:
        self.screen, self._table, self._url = screen, table, url

    def shows(self, game: str, size: tuple[int, int] = KIOSK) -> None:
        self.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.end = situations(game)[-1]
        seq = self._table.show(self.end.snapshot())
        self.screen.opens(self._url)
        self.screen.page.wait_for_function(SETTLED, arg=seq)
        self.screen.taps("#tab-sheet")
        self.screen.sees("main.sheet h2", self.end.match.title)


@pytest.fixture(scope="module")
def pad(screens: Screens, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pad]:
    table = ShowingTable(tmp_path_factory.mktemp("table"))
    with served(table) as server, screens.one(KIOSK, fresh=True) as screen:
        yield Pad(screen, table, server.url)
        assert screen.console_errors == []


CELLS = """[...document.querySelectorAll('#sheet tbody tr')].map(row => [row.querySelector('th').innerText,
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
        for seat, cell in zip(match.seats, cells, strict=True):
            mine = [line for line in match.sheet if line.player == seat.name and line.row_text == head]
            assert len(cell) == len(mine)
            written = [line.value or str(line.points) for line in mine]
            assert [text.replace("−", "-") for text in cell] == written
