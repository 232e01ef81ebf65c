"""Score sheets on paper: blank ones to fill by hand, and the cards of Highland, filled and blank."""

from __future__ import annotations

import re
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from table.__main__ import main
from table.exports.played import PlayedMatch
from table.games import GAMES, game
from table.paper.booklet import Booklet
from table.paper.card import Card
from table.paper.luck_table import MEANING, luck_table
from table.paper.score_sheet import pdf_of
from table.rules.accounts import Account, accounts
from table.rules.game import Game, Seat
from table.rules.match import Match
from table.rules.words import with_minus
from tests.games import playing
from tests.games.night import Night
from tests.paper.pages import PX_PER_MM, bold_texts, needs_poppler, page_sizes_mm, page_texts, printed
from vision.frames import Picture
from vision.tray.mat import SHEETS

CARD_TEXTS = (
    "Clan: Competitor:",
    "Clan colours: and",
    "Farmer's Dash: 2nd set: \N{MINUS SIGN} 1st set: =",
    "Haggis Hurl: Att #1 + Att #2 + Att #3 Total:",
    "Hammer Throw: Att #1 + Att #2 + Att #3 Total:",
    "Total of 3 events: Break - Bonus pips/points awarded:",
    "Sheaf Toss: Height cleared:",
    "Morning Total: + Bonus pips/points x5: =",
    "Shot Put: Att #1 OR Att #2 OR Att #3",
    "Caber Toss: Att #1 OR Att #2 OR Att #3",
    "Total of 2 events: Break - Bonus pips/points awarded:",
    "Weight for Height: Height cleared:",
    "Tug of War:",
    "Afternoon Total: + Bonus pips/points x5: =",
    "Final scoring: Morning Total: + Afternoon Total: =",
)
"""The lines of the printed sheet of the Games, in their order."""


def blank_sheet(folder: Path, name: str, *options: str) -> Path:
    out = folder / f"{name}.pdf"
    assert main(["export", "--blank", name, "--out", str(out), *options]) == 0
    return out


@needs_poppler
@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_blank_sheet_of_one_page(tmp_path: Path, name: str) -> None:
    (text,) = page_texts(blank_sheet(tmp_path, name))
    assert GAMES[name].title in text


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
def test_a_blank_sheet_has_room_for_the_players_and_their_turns(tmp_path: Path, paper: str) -> None:
    sheet = blank_sheet(tmp_path, "pig", "--players", "3", "--paper", paper)
    (text,) = page_texts(sheet)
    assert "first to hold 100 wins" in text
    assert text.endswith("Total")
    longer, shorter = SHEETS[paper].paper_mm
    assert page_sizes_mm(sheet) == [pytest.approx((shorter, longer), abs=0.2)]
    columns, rows = lines_mm(printed(sheet))
    assert len(columns) == 3, "one line on the left of each player's column"
    assert np.diff(columns).min() > 50
    assert len(rows) >= 25
    assert np.diff(rows) == pytest.approx(8, abs=0.3), "rows to write in"


def lines_mm(page: Picture) -> tuple[np.ndarray, np.ndarray]:
    """The places of the upright and of the level lines of a table, mm from the left and from the top."""
    dark = np.asarray(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY) < 200)
    table = dark[round(45 * PX_PER_MM) :]
    upright = np.flatnonzero(table.mean(axis=0) > 0.7)
    level = np.flatnonzero(dark.mean(axis=1) > 0.7)
    return middles(upright) / PX_PER_MM, middles(level) / PX_PER_MM


def middles(places: np.ndarray) -> np.ndarray:
    """The middle of each run of neighbouring places."""
    runs = np.split(places, np.flatnonzero(np.diff(places) > 2) + 1)
    return np.array([run.mean() for run in runs])


@needs_poppler
def test_a_sheet_for_many_players_lies_on_its_side(tmp_path: Path) -> None:
    (size,) = page_sizes_mm(blank_sheet(tmp_path, "mia", "--players", "10"))
    assert size == pytest.approx((297, 210), abs=0.2)


TALLIED = [
    (game, players)
    for game in GAMES.values()
    if game.tally
    for players in sorted({game.players[0], game.players[-1]})
]


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
@pytest.mark.parametrize(("game", "players"), TALLIED)
def test_a_game_without_points_by_turns_has_a_row_of_boxes_for_each_match(
    tmp_path: Path, game: Game, players: int, paper: str
) -> None:
    """Its sheet was a grid of turns, and nobody knew what to write there."""
    sheet = blank_sheet(tmp_path, game.name, "--players", str(players), "--paper", paper)
    (text,) = page_texts(sheet)
    assert game.tally
    heads = [game.tally.before, *game.tally.sides[:players], *game.tally.after]
    assert f"{game.tally.how} {' '.join(heads).strip()} 1 " in text
    assert all(side not in text for side in game.tally.sides[players:])
    boxes = boxes_mm(printed(sheet))
    assert len(boxes) % (players * game.tally.boxes) == 0
    assert 5 <= len(boxes) / (players * game.tally.boxes) < 30
    assert boxes.min() > 2.5, "a box is large enough to cross out"


def boxes_mm(page: Picture) -> np.ndarray:
    """(n, 2) mm: width and height of each small square."""
    light = np.asarray(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY) > 160, np.uint8)
    _, _, areas, _ = cv2.connectedComponentsWithStats(light)
    sizes = areas[1:, 2:4] / PX_PER_MM
    return np.asarray(sizes[(abs(sizes[:, 0] - sizes[:, 1]) < 0.3) & (sizes[:, 0] > 2) & (sizes[:, 0] < 9)])


# -- the cards of Highland -----------------------------------------------------------------------------------


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
def test_the_blank_cards_have_the_lines_of_the_printed_sheet(tmp_path: Path, paper: str) -> None:
    texts = page_texts(blank_sheet(tmp_path, "highland", "--players", "3", "--paper", paper))
    assert len(texts) == 2, "two cards on a page"
    cards = " ".join(texts).split("Score sheet")[1:]
    assert len(cards) == 3
    for card in cards:
        at = [card.index(line) for line in CARD_TEXTS]
        assert at == sorted(at)


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, Path]:
    """A Highland day of three that was played, and its sheet."""
    seats = (Seat("Ann", "green", "white"), Seat("Gráinne", "red", "white"), Seat("Ben", "blue", "black"))
    match = Match(game("highland"), seats, {})
    playing.play_to_end(match, Random(1), 20_000)
    now = datetime(2026, 11, 23, 20)
    sheet = tmp_path_factory.mktemp("day") / "sheet.pdf"
    sheet.write_bytes(pdf_of([PlayedMatch(7, match.game, match.view(), now, now, "")]))
    return match, sheet


@needs_poppler
def test_each_competitor_has_a_card_with_everything_in_its_place(day: tuple[Match, Path]) -> None:
    match, sheet = day
    cards = re.split(r"(?=Clan: )", " ".join(page_texts(sheet)))[1:]
    assert len(cards) == 3
    for seat, card in zip(match.view().seats, cards, strict=True):
        own = [line for line in match.view().sheet if line.player == seat.name]
        text = {line.box: line.value or str(line.points) for line in own}
        assert f"Clan: Competitor: {seat.name} Clan colours: {seat.colour} and {seat.second}" in card
        minus = f"\N{MINUS SIGN} 1st set: {text['dash_first']} = {with_minus(text['dash'])} "
        assert f"2nd set: {text['dash_second']} {minus}" in card
        assert f"Final scoring: Morning Total: {text['final_morning']} + Afternoon Total: " in card
        assert f"= {match.view().scores[seat.name]} " in f"{card} "
    assert "best of" not in cards[-1], "nothing on the cards is listed again"


@needs_poppler
def test_a_sheet_has_its_title_once_and_no_heading_alone_at_the_foot_of_a_page(tmp_path: Path) -> None:
    """Four competitors have two cards on each of two pages, of which the second one is almost full."""
    colours = ("green", "red", "blue", "black")
    match = Match(game("highland"), tuple(Seat(name, name) for name in colours), {})
    playing.play_to_end(match, Random(1), 20_000)
    now = datetime(2026, 11, 23, 20)
    sheet = tmp_path / "sheet.pdf"
    sheet.write_bytes(pdf_of([PlayedMatch(7, match.game, match.view(), now, now, "")]))
    first, *further = page_texts(sheet)
    feet = [
        f"Highland Dice Games · 23 November 2026 · match 7 · page {n}" for n in range(2, 2 + len(further))
    ]
    assert "page 1" not in first
    assert all(page.strip().endswith(foot) for page, foot in zip(further, feet, strict=True))
    pages = [first, *(page.strip().removesuffix(foot) for page, foot in zip(further, feet, strict=True))]
    assert " ".join(pages).count("Highland Dice Games") == 1
    assert [page for page in pages if page.strip().endswith("Throws and rulings")] == []
    for colour in colours:
        assert f"Clan colours: {colour} Farmer's Dash" in " ".join(pages), "one colour, and no second one"


@needs_poppler
def test_the_sheet_of_a_match_has_a_row_for_each_round(tmp_path: Path) -> None:
    match = Match(game("liars_dice"), (Seat("Ann"), Seat("Ben"), Seat("Cal")), {})
    playing.play_to_end(match, Random(1), 20_000)
    now = datetime(2026, 11, 23, 20)
    sheet = tmp_path / "sheet.pdf"
    sheet.write_bytes(pdf_of([PlayedMatch(8, match.game, match.view(), now, now, "")]))
    text = " ".join(page_texts(sheet))
    rounds = max(line.row or 0 for line in match.view().sheet)
    assert rounds > 5
    assert "Start 5 dice to begin with 5 dice to begin with 5 dice to begin with 1 −1" in text
    lost = [int(n) for n in re.findall(r" (\d+)\s−1\s\(\d\) lost a die", text)]
    assert lost == list(range(1, rounds + 1)), "one in each row, whoever lost, and how many are left"
    assert bold_texts(sheet).count("−1") == rounds, "the points are bold, as on the page; the reasons are not"


@needs_poppler
def test_the_sheet_of_a_match_says_what_was_luck_and_what_was_choice(tmp_path: Path) -> None:
    night = Night("pig", "Ann", "Ben", start="Ann").throws(6)
    sheet = tmp_path / "sheet.pdf"

    def printed_text() -> str:
        now, match = datetime(2026, 11, 23, 20), night.match
        sheet.write_bytes(pdf_of([PlayedMatch(10, match.game, match.view(), now, now, "")]))
        return " ".join(page_texts(sheet))

    assert "Luck and choice" not in printed_text(), "the game is not over"
    for _ in range(16):
        night.chooses("roll").throws(6)
    night.chooses("hold")
    ann, ben = accounts(night.match.view().played)
    text = printed_text()
    assert "Luck and choice Player Best play Luck Choices The other’s choices Result" in text
    assert f"Ann {float(100 * ann.expected):.1f} % {ann.aim} +{float(100 * ann.luck):.1f} %" in text
    assert f"Ben {float(100 * ben.expected):.1f} % {ben.aim} −{float(-100 * ben.luck):.1f} %" in text
    assert "100.0 %" in bold_texts(sheet)
    assert MEANING in text


@needs_poppler
def test_luck_and_choice_are_told_in_points_where_points_are_counted(tmp_path: Path) -> None:
    account = Account("Ann", "points", True, Fraction(1234), Fraction(-7, 2), Fraction(-1, 3))
    booklet = Booklet("Luck", "a4")
    booklet.write(list(luck_table([account], booklet.frame_size()[0])))
    (tmp_path / "luck.pdf").write_bytes(booklet.pdf())
    (text,) = page_texts(tmp_path / "luck.pdf")
    assert "Ann 1,234 points in the turns for −3.5 −0.3 1,230 points points" in text
    assert list(luck_table([], 100)) == []


@needs_poppler
@pytest.mark.parametrize(("name", "count"), [("Maximiliane-Charlotte", 10), ("Wolfeschlegelsteinhausen", 5)])
def test_no_word_of_a_name_is_split_on_paper(tmp_path: Path, name: str, count: int) -> None:
    names = (name, *["Ann", "Ben", "Cal", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida"])[:count]
    match = Match(game("pig"), tuple(map(Seat, names)), {})
    now = datetime(2026, 11, 23, 20)
    sheet = tmp_path / "sheet.pdf"
    sheet.write_bytes(pdf_of([PlayedMatch(9, match.game, match.view(), now, now, "")]))
    assert " ".join(names) in page_texts(sheet)[0]


@needs_poppler
def test_the_attempt_that_counts_has_a_ring(day: tuple[Match, Path]) -> None:
    """On each of the first two cards, one shot and one caber."""
    found = rings(printed(day[1]))
    assert len(found) == 4
    assert len(set(found)) == 4, "each on its own line"


def rings(page: Picture) -> list[int]:
    """The place of each ring, mm from the top. The line of the blank cuts a ring in two."""
    grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    _, _, areas, _ = cv2.connectedComponentsWithStats(np.asarray(grey > 128, np.uint8))
    sizes = areas[:, 2:4] / PX_PER_MM
    upper_parts = areas[(sizes > (6, 3)).all(axis=1) & (sizes < (16, 5)).all(axis=1)]
    return [round(y / PX_PER_MM) for y in upper_parts[:, 1]]


@needs_poppler
def test_a_ring_is_drawn_round_a_typed_attempt_too(tmp_path: Path) -> None:
    """Its mark is on both texts or on one of them."""
    for best in ("9", "9*"):
        booklet = Booklet("A card", "a4")
        booklet.write([Card(game("highland"), *booklet.frame_size(), {"shot_2": "9*", "shot": best})])
        sheet = tmp_path / f"card {len(best)}.pdf"
        sheet.write_bytes(booklet.pdf())
        assert "OR Att #2 9*" in page_texts(sheet)[0]
        assert len(rings(printed(sheet))) == 1


def test_the_boxes_of_a_card_are_those_of_the_form() -> None:
    for each in GAMES.values():
        boxes = {row.box for row in each.form}
        blanks = [blank for line in each.card for blank in line.blanks]
        assert {blank.box for blank in blanks} | {blank.best for blank in blanks if blank.best} <= boxes
        assert len({blank.box for blank in blanks}) == len(blanks)


# -- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--blank", "chess"), "there is no game “chess”; there are "),
        (("--blank", "hot_score", "--players", "3"), "Hot Score is for 2 players; got --players 3"),
        (("--blank", "pig", "--format", "csv"), "a blank sheet is a PDF, not csv; leave --format out"),
        (
            ("--blank", "pig", "--out", "nowhere/sheet.pdf"),
            "nowhere/sheet.pdf cannot be written (No such file",
        ),
    ],
)
def test_what_cannot_be_made_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...], why: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["export", *options]) == (1 if ".pdf" in why else 2)
    said = capsys.readouterr().err
    assert said.startswith(f"brehon: {why}")
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
