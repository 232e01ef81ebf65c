"""Games at their start, Ann to throw."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.referee.evening import Evening


@pytest.fixture
def pig(tmp_path: Path) -> Evening:
    return Evening(tmp_path, "pig", "Ann", "Ben", start="Ann")


@pytest.fixture
def pig_with_own_dice(tmp_path: Path) -> Evening:
    """Ann throws a green die and Ben a red one."""
    return Evening(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann", dice="own")


@pytest.fixture
def midnight(tmp_path: Path) -> Evening:
    return Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")


@pytest.fixture
def midnight_thrown(midnight: Evening) -> Evening:
    """Ann has thrown 6, 6, 3, 2, 4 and 1, at places 0 to 5."""
    midnight.throws(6, 6, 3, 2, 4, 1)
    return midnight


@pytest.fixture
def crew(tmp_path: Path) -> Evening:
    """Ship, Captain, Crew."""
    return Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")


@pytest.fixture
def five_dice(tmp_path: Path) -> Evening:
    """5 Dice, in which any score puts a player on the board."""
    return Evening(tmp_path, "five_dice", "Ann", "Ben", start="Ann", entry="0")


@pytest.fixture
def hot_score(tmp_path: Path) -> Evening:
    return Evening(tmp_path, "hot_score", "Ann", "Ben", start="Ann")


@pytest.fixture
def liars_dice(tmp_path: Path) -> Evening:
    return Evening(tmp_path, "liars_dice", "Ann", "Ben", start="Ann")
