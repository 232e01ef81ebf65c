"""`brehon sticks`: the printed faces are true to scale and spell the Irish names."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from table.__main__ import main
from table.commands.sticks import LENGTHS_MM, WIDTHS_MM
from table.paper.sticks import SCALE_BAR_MM, WORDS, strokes
from tests.paper.pages import PX_PER_MM, needs_poppler, printed
from vision.frames import Picture
from vision.tray.mat import SHEETS

SPELT = {
    "dog": [("left", 4), ("notch", 3)],
    "deer": [("right", 3), ("notch", 5), ("notch", 1), ("left", 2), ("left", 1)],
    "cow": [("left", 3), ("notch", 1), ("across", 5), ("right", 1), ("left", 1)],
    "horse": [("notch", 4), ("notch", 1), ("left", 4), ("left", 1)],
}
"""The groups of strokes on each flat side, from the foot."""


def printed_page(folder: Path, *options: str) -> Picture:
    """The page as printed, at PX_PER_MM."""
    file = folder / "print.pdf"
    assert main(["sticks", *options, "--out", str(file)]) == 0
    return printed(file)


@pytest.mark.parametrize("animal", WORDS)
def test_the_strokes_spell_the_name(animal: str) -> None:
    letters: list[tuple[str, int]] = []
    last: tuple[str, float] | None = None
    for side, at in strokes(WORDS[animal]):
        if last is None or at - last[1] > 1.01:
            letters.append((side, 0))
        letters[-1] = (side, letters[-1][1] + 1)
        last = (side, at)
    assert letters == SPELT[animal]


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
def test_the_largest_faces_fit_the_paper_at_their_size(tmp_path: Path, paper: str) -> None:
    length, width = LENGTHS_MM[1], WIDTHS_MM[1]
    page = printed_page(tmp_path, "--paper", paper, "--length", str(length), "--width", str(width))
    black = cv2.inRange(page, (0, 0, 0), (40, 40, 40))
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.morphologyEx(black, cv2.MORPH_OPEN, np.ones((40, 40)))
    )
    sizes = [(w / PX_PER_MM, h / PX_PER_MM) for _, _, w, h, _ in stats[1:]]
    assert sizes == [pytest.approx((length, width), abs=0.3)] * 8
    border = np.concatenate(
        [page[:40].ravel(), page[-24:].ravel(), page[:, :40].ravel(), page[:, -40:].ravel()]
    )
    assert border.min() > 250, "nothing is printed where printers leave a margin"


@needs_poppler
def test_letters_lie_on_their_side_of_the_stem(tmp_path: Path) -> None:
    """The dog's first letter, on the left of the stem, is above it when the foot is on the left."""
    page = cv2.cvtColor(printed_page(tmp_path), cv2.COLOR_BGR2GRAY)
    x, y = (297 - 200) / 3, 26.0
    first = page[round((y + 1) * PX_PER_MM) : round((y + 11) * PX_PER_MM), :]
    dark = first[:, round((x + 5) * PX_PER_MM) : round((x + 21) * PX_PER_MM)] < 100
    above, below = dark[: 4 * PX_PER_MM].sum(), dark[6 * PX_PER_MM :].sum()
    assert above > 500
    assert below == 0


@needs_poppler
def test_the_scale_bar_is_as_long_as_its_label_says(tmp_path: Path) -> None:
    page = cv2.cvtColor(printed_page(tmp_path), cv2.COLOR_BGR2GRAY)
    rows = page[round((210 - 8.2) * PX_PER_MM) : round((210 - 7.8) * PX_PER_MM)].min(axis=0)
    dark = np.flatnonzero(rows < 160)
    assert (dark[-1] - dark[0]) / PX_PER_MM == pytest.approx(SCALE_BAR_MM, abs=0.6)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--length", "60"), "--length must be from 76 to 127 mm; got 60"),
        (("--width", "nan"), "--width must be from 10 to 15 mm; got nan"),
    ],
)
def test_a_size_that_no_stick_has_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], why: str
) -> None:
    out = tmp_path / "sticks.pdf"
    assert main(["sticks", *options, "--out", str(out)]) == 2
    assert why in capsys.readouterr().err
    assert not out.exists()


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sticks.pdf"
    out.write_text("mine")
    assert main(["sticks", "--out", str(out)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert out.read_text() == "mine"
