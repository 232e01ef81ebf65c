"""The time from dice at rest to their faces in the browser."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from tests.page.latency import WANTED_S, bench, summary

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

THROWS = 5

BUSY_FACTOR = 2.0
"""How many times slower a busy computer may be. `python -m tests.page.latency` measures on an idle one."""


def test_the_page_shows_the_faces_soon_after_the_dice_rest(tmp_path: Path, browser: Browser) -> None:
    with bench(tmp_path, seed=1, browser=browser) as table:
        timings = list(table.throws(THROWS))
    print(summary(timings))
    assert median(each.after_s for each in timings) < BUSY_FACTOR * WANTED_S
    assert [each for each in timings if not each.right] == []
    assert all(0 < each.published_s <= each.ruled_s + 0.01 for each in timings), (
        "the page shows nothing before the referee has ruled"
    )
