"""Pages of a PDF, as poppler reads them and as a printer would print them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.mats import laid_page
from vision.frames import Picture

PX_PER_MM = 8
DPI = 25.4 * PX_PER_MM

needs_poppler = pytest.mark.skipif(
    shutil.which("pdftoppm") is None, reason="needs pdftoppm and pdftotext (poppler-utils) to read a PDF"
)

WORD = re.compile(r'<word xMin="([0-9.]+)" yMin="([0-9.]+)" xMax="([0-9.]+)" yMax="([0-9.]+)">(.*?)</word>')
"""Left, upper, right and lower edge of a word, points, and the word, as pdftotext -bbox writes them."""


def letter_sizes(pdf: Path, first: int = 1, last: int = 0) -> list[float]:
    """The size of the letters of each word on these pages, points; on all pages if `last` is 0."""
    return [lower - upper for (_, upper, _, lower), _ in _words(pdf, first, last)]


def words_mm(pdf: Path, page: int) -> dict[str, np.ndarray]:
    """The middle of each word of a page, mm from the left and the top; of a repeated one, the last."""
    return {
        word: np.array([left + right, upper + lower]) / 2 * 25.4 / 72
        for (left, upper, right, lower), word in _words(pdf, page, page)
    }


def _words(pdf: Path, first: int, last: int) -> Iterator[tuple[tuple[float, ...], str]]:
    done = subprocess.run(
        ["pdftotext", "-bbox", "-f", str(first), "-l", str(last), str(pdf), "-"],
        capture_output=True,
        check=True,
        text=True,
    )
    for *edges, word in WORD.findall(done.stdout):
        yield tuple(map(float, edges)), word


def page_texts(pdf: Path) -> list[str]:
    """The words of each page, with single spaces."""
    done = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, check=True)
    return [" ".join(page.split()) for page in done.stdout.decode().split("\f")[:-1]]


def bold_texts(pdf: Path) -> list[str]:
    """What is printed in bold."""
    done = subprocess.run(["pdftohtml", "-xml", "-i", "-stdout", str(pdf)], capture_output=True, check=True)
    return [text.strip() for text in re.findall(r"<b>(.*?)</b>", done.stdout.decode())]


def page_sizes_mm(pdf: Path) -> list[tuple[float, float]]:
    """Width and height of each page."""
    done = subprocess.run(["pdfinfo", "-l", "-1", str(pdf)], capture_output=True, check=True, text=True)
    sizes = [
        line.split() for line in done.stdout.splitlines() if line.startswith("Page ") and "size:" in line
    ]
    return [(float(words[3]) * 25.4 / 72, float(words[5]) * 25.4 / 72) for words in sizes]


def printed(pdf: Path, page: int = 1) -> Picture:
    """A page as printed, at PX_PER_MM."""
    out = pdf.with_suffix(f".{page}")
    subprocess.run(
        [
            "pdftoppm",
            "-r",
            str(DPI),
            "-f",
            str(page),
            "-l",
            str(page),
            "-png",
            "-singlefile",
            str(pdf),
            str(out),
        ],
        check=True,
    )
    picture = cv2.imread(f"{out}.png")
    assert picture is not None
    return np.asarray(picture, np.uint8)


def photographed(
    page: Picture, size_wh: tuple[int, int], turn_deg: float, rng: np.random.Generator
) -> Picture:
    """A photograph of the page on a table, which it nearly fills, in the light of a room."""
    height, width = page.shape[:2]
    across = (height, width) if turn_deg == 90 else (width, height)
    scale = 0.9 * min(size_wh[0] / across[0], size_wh[1] / across[1])
    to_px = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, scale), [0, 0, 1]])
    to_px[:2, 2] += np.array(size_wh) / 2 - np.array((width, height)) / 2
    soft = cv2.GaussianBlur(page, (0, 0), 0.4 / scale)
    photograph = (
        laid_page(np.asarray(soft, np.uint8), to_px @ np.diag([PX_PER_MM, PX_PER_MM, 1]), size_wh) * 0.85
    )
    return np.asarray(np.clip(photograph + rng.normal(0, 2, photograph.shape), 0, 255), np.uint8)
