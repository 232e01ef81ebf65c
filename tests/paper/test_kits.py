"""`brehon print`: the print-and-play kit of a game is whole, true to scale, and readable for the camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from table.__main__ import main
from table.games import GAMES
from table.games.sigily.drawn import PRINTED
from table.games.sigily.topology import HOLIDAYS
from table.paper.board import RULER_MM
from table.rules.board import PaperBoard
from table.rules.game import Game
from table.rules.match import Match
from tests.games import playing
from tests.paper.pages import (
    PX_PER_MM,
    letter_sizes,
    needs_poppler,
    page_sizes_mm,
    page_texts,
    photographed,
    printed,
    words_mm,
)
from vision.frames import Picture
from vision.reading.reader import Reader
from vision.tray.mat import SHEETS, find_markers
from vision.tray.quads import in_px

BOARDS = [(game, board) for game in GAMES.values() if (board := game.printed_board)]
WITH_BOARD = [game.name for game, _ in BOARDS]
LINE_MM = 0.4
"""Width of the line round a space."""
ARM_MM = 4.4
"""Length of the arms of a corner that marks the place of a tower."""
SMALL_PRINT = 7
"""Size of the smallest letters of the rules, points."""

HELVETICA = 0.925
"""Height of a word in Helvetica, as pdftotext measures it, divided by the size of its letters."""


class Kits:
    """The kits of a test run, each printed once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def pdf(self, name: str, paper: str = "a4") -> Path:
        out = self._folder / f"{name}-{paper}.pdf"
        if not out.exists():
            assert main(["print", name, "--paper", paper, "--out", str(out)]) == 0
        return out

    def page_with(self, words: str, name: str, paper: str = "a4") -> Picture:
        """The only page with these words, as printed."""
        pdf = self.pdf(name, paper)
        (number,) = pages_with(page_texts(pdf), words)
        return printed(pdf, number)


@pytest.fixture(scope="module")
def kits(tmp_path_factory: pytest.TempPathFactory) -> Kits:
    return Kits(tmp_path_factory.mktemp("kits"))


def pages_with(texts: list[str], words: str) -> list[int]:
    """The numbers of the pages with these words; the first page is 1."""
    return [number for number, text in enumerate(texts, 1) if words in text]


@needs_poppler
@pytest.mark.parametrize(
    ("name", "paper"), [*((name, "a4") for name in GAMES), *((name, "letter") for name in WITH_BOARD)]
)
def test_a_kit_has_all_that_its_game_needs(kits: Kits, name: str, paper: str) -> None:
    game, pdf = GAMES[name], kits.pdf(name, paper)
    texts = page_texts(pdf)
    assert texts[0].startswith(game.title)
    assert f"{RULER_MM:g} mm" in texts[0]
    rules = " ".join(texts)
    assert all(number in rules for number, _ in game.rulings)
    assert "G10 An extra throw is void" in rules
    headings = ("Where the printed rules leave it open", "In every game on the tray")
    assert not [text for text in texts if text.endswith(headings)], "no heading stands alone"
    board = pages_with(texts, "True to scale")
    mat = pages_with(texts, "the camera finds these squares")
    on_sheet = "Final scoring: Morning" if game.card else game.tally.how if game.tally else "Winner"
    sheet = pages_with(texts, on_sheet)
    sticks = pages_with(texts, "Faces for throwing sticks")
    assert (len(board), len(mat), len(sheet), len(sticks)) == (
        bool(game.printed_board),
        1,
        1,
        bool(game.sticks),
    )
    after_the_rules = [*board, *mat, *sheet, *sticks]
    assert after_the_rules == list(range(len(texts) - len(after_the_rules) + 1, len(texts) + 1))
    longer, shorter = SHEETS[paper].paper_mm
    sizes = [tuple(sorted(size)) for size in page_sizes_mm(pdf)]
    assert sizes == [pytest.approx((shorter, longer), abs=0.2)] * len(texts)


@needs_poppler
@pytest.mark.parametrize(
    ("name", "paper", "pages", "full_size"),
    [("sigily", "letter", 2, False), ("sigily", "a4", 2, True), ("highland", "letter", 2, True)],
)
def test_the_letters_are_smaller_only_where_that_saves_a_page(
    kits: Kits, name: str, paper: str, pages: int, full_size: bool
) -> None:
    """On Letter, the last seven lines of Sigily's rules had a page of their own."""
    pdf = kits.pdf(name, paper)
    after_the_rules = "True to scale" if GAMES[name].printed_board else "the camera finds these squares"
    assert pages_with(page_texts(pdf), after_the_rules)[0] == pages + 1
    smallest = min(letter_sizes(pdf, 1, pages))
    assert smallest > SMALL_PRINT - 0.01 if full_size else 0.93 <= smallest / SMALL_PRINT < 1


@needs_poppler
def test_short_rules_are_printed_in_large_letters(kits: Kits) -> None:
    """Half of the page was empty below letters that are hard to read."""
    pdf = kits.pdf("pig", "a4")
    assert pages_with(page_texts(pdf), "the camera finds these squares")[0] == 2
    assert min(letter_sizes(pdf, 1, 1)) > 8.5


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_what_is_printed_is_what_is_played_with(game: Game) -> None:
    assert bool(game.sticks) == game.throws_sticks
    assert bool(game.printed_board) == bool(game.board_notes)


@pytest.mark.parametrize(("game", "paper"), BOARDS, ids=WITH_BOARD)
def test_the_printed_board_is_that_of_the_page(game: Game, paper: PaperBoard) -> None:
    match = Match(game, playing.make_seats(game.players[0]), {})
    played = match.view().board
    assert played is not None
    assert [(s.id, s.x, s.y, s.kind) for s in paper.board.spaces] == [
        (s.id, s.x, s.y, s.kind) for s in played.spaces
    ]
    assert (paper.board.lines, paper.board.look) == (played.lines, played.look)
    assert f"{paper.space_mm:g} mm wide" in paper.scale


# -- true to scale -------------------------------------------------------------------------------------------


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
@pytest.mark.parametrize(("game", "board"), BOARDS, ids=WITH_BOARD)
def test_a_board_is_true_to_scale(kits: Kits, game: Game, board: PaperBoard, paper: str) -> None:
    page = kits.page_with("True to scale", game.name, paper)
    middles = np.array([board.mm(s.x, s.y) for s in board.board.spaces])
    wanted = corners_of(middles, board.space_mm) if board.board.look == "towers" else middles
    seen = corners_mm(page) if board.board.look == "towers" else spaces_mm(page, board.space_mm)
    assert len(seen) == len(wanted)
    distances = np.linalg.norm((seen - seen.mean(axis=0))[:, None] - (wanted - wanted.mean(axis=0)), axis=2)
    assert sorted(distances.argmin(axis=1)) == list(range(len(wanted))), "one for each space"
    assert distances.min(axis=1).max() < 0.3
    assert ruler_mm(page) == pytest.approx(RULER_MM, abs=0.5)
    edges = (page[:56], page[-56:], page[:, :56], page[:, -56:])
    assert min(edge.min() for edge in edges) > 250, "nothing is printed where printers leave a margin"


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
def test_danubes_board_fills_its_page(kits: Kits, paper: str) -> None:
    """It was a strip of a third of the page."""
    seen = spaces_mm(kits.page_with("True to scale", "down_the_danube", paper), 21)
    width, height = np.ptp(seen, axis=0) + 21
    longer, shorter = SHEETS[paper].paper_mm
    assert width * height > 0.58 * longer * shorter
    nearest = [sorted(np.linalg.norm(seen - middle, axis=1))[1] for middle in seen]
    assert min(nearest) > 21.5, "a nickel on each square has no other below it"


@needs_poppler
def test_danubes_board_says_where_the_pieces_start_and_what_a_throw_is_worth(kits: Kits) -> None:
    (text,) = [t for t in page_texts(kits.pdf("down_the_danube")) if "True to scale" in t]
    assert " ".join(["penny nickel"] * 5) in text
    assert text.count("throw again") == 3
    assert text.count("pass on") == 2
    assert "Nickels off the board Pennies off the board" in text
    assert "safe back to 19 safe safe the sea" in text


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
def test_sigilys_board_has_a_number_in_each_sigil_of_the_ring_and_the_names_beside(
    kits: Kits, paper: str
) -> None:
    """The gates and the suns had none, and their names were far away from them."""
    pdf = kits.pdf("sigily", paper)
    (number,) = pages_with(page_texts(pdf), "True to scale")
    at = words_mm(pdf, number)
    sigils = {s.id: np.array(PRINTED.mm(s.x, s.y)) for s in PRINTED.board.spaces}
    origin = at["C"] - sigils["C"]
    for sigil, middle in sigils.items():
        assert np.linalg.norm(at[sigil] - origin - middle) < 2.5
    for holiday, name in HOLIDAYS.items():
        first_word = name.removeprefix("the ").split(" ")[0]
        assert np.linalg.norm(at[first_word] - origin - sigils[str(holiday)]) < 29, name


@needs_poppler
@pytest.mark.parametrize("name", WITH_BOARD)
def test_all_letters_of_a_board_can_be_read(kits: Kits, name: str) -> None:
    """Those beside the line to measure had 6.8 points."""
    pdf = kits.pdf(name)
    (board,) = pages_with(page_texts(pdf), "True to scale")
    assert min(letter_sizes(pdf, board, board)) > HELVETICA * SMALL_PRINT


def spaces_mm(page: Picture, space_mm: float) -> np.ndarray:
    """(n, 2) mm: the middles of all light areas of this width and height within a line."""
    light = np.asarray(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY) > 100, np.uint8)
    return middles_mm(light, space_mm - LINE_MM)


def corners_mm(page: Picture) -> np.ndarray:
    """(n, 2) mm: the middles of all corners that mark the places of towers."""
    return middles_mm(np.asarray(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY) < 150, np.uint8), ARM_MM + LINE_MM)


def middles_mm(areas: np.ndarray, side_mm: float) -> np.ndarray:
    """The middles of the connected areas with this width and height."""
    _, _, boxes, _ = cv2.connectedComponentsWithStats(areas)
    fitting = boxes[(abs(boxes[:, 2:4] / PX_PER_MM - side_mm) < 0.3).all(axis=1)]
    return np.asarray((fitting[:, :2] + fitting[:, 2:4] / 2) / PX_PER_MM)


def corners_of(middles: np.ndarray, space_mm: float) -> np.ndarray:
    """The middles of the four corners of each square."""
    reach = (space_mm - ARM_MM) / 2
    return np.array(
        [middle + reach * np.array((x, y)) for middle in middles for x in (-1, 1) for y in (-1, 1)]
    )


def ruler_mm(page: Picture, lowest_mm: int = 12) -> float:
    """The length of the only long level line in the lowest part of the page."""
    dark = np.asarray(cv2.cvtColor(page[-lowest_mm * PX_PER_MM :], cv2.COLOR_BGR2GRAY) < 170, np.uint8)
    lines = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((1, 20 * PX_PER_MM), np.uint8))
    length = np.flatnonzero(lines.any(axis=0))
    return float(length[-1] - length[0]) / PX_PER_MM


@needs_poppler
def test_the_line_before_the_rules_is_as_long_as_it_says(kits: Kits) -> None:
    page = printed(kits.pdf("pig"))
    assert ruler_mm(page[: 60 * PX_PER_MM], 60) == pytest.approx(RULER_MM, abs=0.5)


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
def test_the_mat_of_a_kit_is_found_and_true_to_scale(kits: Kits, paper: str) -> None:
    page, sheet = kits.page_with("the camera finds these squares", "sigily", paper), SHEETS[paper]
    seen = {m.id: in_px(m.corners, (page.shape[1], page.shape[0])) / PX_PER_MM for m in find_markers(page)}
    assert seen.keys() == {marker.id for marker in sheet.markers}
    for marker in sheet.markers:
        assert seen[marker.id] == pytest.approx(marker.corners_mm, abs=0.15)


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
@pytest.mark.parametrize("name", [game.name for game, _ in BOARDS if not game.sticks])
def test_no_die_is_detected_on_a_board_that_dice_are_put_on(kits: Kits, name: str, paper: str) -> None:
    page, reader = kits.page_with("True to scale", name, paper), Reader()
    rng = np.random.default_rng(1)
    for size_wh, turn in (((640, 480), 0), ((800, 600), 180), ((1280, 960), 3), ((1280, 960), 90)):
        assert reader.read(photographed(page, size_wh, turn, rng)).dice == (), (size_wh, turn)


@needs_poppler
@pytest.mark.parametrize("name", [game.name for game, _ in BOARDS if game.sticks])
def test_no_stick_is_detected_on_a_board_beside_the_tray(kits: Kits, name: str) -> None:
    """Those that the board of Down the Danube shows beside their points were, when they were longer."""
    page, reader = kits.page_with("True to scale", name), Reader(sticks=True)
    rng = np.random.default_rng(1)
    for size_wh, turn in (((640, 480), 0), ((800, 600), 180), ((800, 600), 5), ((1280, 960), 3)):
        assert reader.read(photographed(page, size_wh, turn, rng)).sticks == (), (size_wh, turn)


# -- what is refused -----------------------------------------------------------------------------------------


def test_the_command_says_how_to_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["print", "pig", "--paper", "letter"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("brehon-pig-letter.pdf is written. Print it at full size (100 %")
    assert "Each line that says its length" in said
    assert (tmp_path / "brehon-pig-letter.pdf").read_bytes().startswith(b"%PDF-")


def test_the_same_kit_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        main(["print", "pig", "--out", str(tmp_path / name)])
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("chess",), "there is no game “chess”; there are bricrius_bluff,"),
        (
            ("pig", "--out", "nowhere/kit.pdf"),
            "nowhere/kit.pdf cannot be written (No such file or directory)",
        ),
        (("pig", "--out", "folder.pdf"), "folder.pdf is a folder; give the name of a file with --out"),
        (("pig", "--out", "mine.pdf"), "mine.pdf exists already; move it, or give another name with --out"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.pdf").write_text("my own")
    Path("folder.pdf").mkdir()
    assert main(["print", *options]) == (1 if ".pdf" in why else 2)
    said = capsys.readouterr().err
    assert said.startswith(f"brehon: {why}")
    assert said.count("\n") == 1
    assert Path("mine.pdf").read_text() == "my own"


def test_another_paper_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["print", "pig", "--paper", "a3"])
    assert ended.value.code == 2
    assert "--paper: invalid choice: 'a3' (choose from" in capsys.readouterr().err
