"""A game of Pig, Ann to throw."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.referee.evening import Evening


@pytest.fixture
def pig(tmp_path: Path) -> Evening:
    return Evening(tmp_path, "pig", "Ann", "Ben", start="Ann")
