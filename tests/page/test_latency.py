"""From dice at rest to their faces in the browser: that it takes a blink, and not a second of asking again."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from tests.page.latency import WANTED_S, bench, summed_up

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

THROWS = 5

BUSY = 2.0
"""How many times slower a computer may be that is busy with other things. `python -m tests.page.latency` measures on a quiet one."""


def test_the_page_shows_the_faces_soon_after_the_dice_rest(tmp_path: Path, browser: Browser) -> None:
    with bench(tmp_path, seed=1, browser=browser) as table:
        told = list(table.throws(THROWS))
    print(summed_up(told))
    assert median(each.after_s for each in told) < BUSY * WANTED_S
    assert all(each.right for each in told)
    assert all(0 < each.published_s <= each.after_s + 0.01 for each in told), "nothing is shown before the referee ruled on it"
