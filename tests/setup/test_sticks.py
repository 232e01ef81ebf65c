"""The household's sticks at a running table: kept in a file, taught by the camera's frames."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from table.common.errors import CannotLearn, UnreadableAnswer
from table.setup.sticks import (
    COINS_NAME,
    STICKS_NAME,
    TaughtCoins,
    TaughtSticks,
    open_coin_reader,
    open_stick_reader,
)
from tests.vision.marked_sticks import FACES, marked
from tests.vision.test_enrolled_coins import laid
from tests.vision.test_enrolled_sticks import OneStickReader
from vision.frames import Frame

LEARNED = ("round", "dog", "horse")


class Household:
    """A table in a folder, with one stick under its camera. `changes` counts the readings it asked for."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / STICKS_NAME
        self.lying = OneStickReader()
        self.reader, self.trouble = open_stick_reader(self.file, self.lying)
        self.changes = 0
        self.sticks = TaughtSticks(self.reader, self._frame, self._changed)
        self._shown = ("round", 0.0)
        self._frames = count()

    def lays(self, face: str, degrees: float) -> None:
        self._shown = (face, degrees)
        _, stick = marked(face, degrees, 3)
        self.lying.lying = (stick,)

    def _frame(self) -> Frame:
        n = next(self._frames)
        return Frame(marked(*self._shown, 3)[0], n / 30)

    def _changed(self) -> None:
        self.changes += 1

    def shows_all(self) -> None:
        for face in LEARNED:
            for degrees in (10, 70, 130):
                self.lays(face, degrees)
                self.sticks.learn(face)


@pytest.fixture
def household(tmp_path: Path) -> Household:
    return Household(tmp_path)


def test_shown_sides_are_named_after_a_restart(household: Household, tmp_path: Path) -> None:
    household.shows_all()
    assert household.changes == 3 * len(LEARNED)
    again = Household(tmp_path)
    again.reader.sticks = True
    for face in LEARNED:
        again.lays(face, 40)
        (named,) = again.reader.read(marked(face, 40, 3)[0]).sticks
        assert (named.face, named.sure) == (face, True)


def test_the_page_lists_every_side_with_its_samples(household: Household) -> None:
    assert not household.sticks.to_json()["telling"]
    household.shows_all()
    listed = household.sticks.to_json()
    assert [row["face"] for row in listed["faces"]] == list(FACES)
    assert {row["face"]: row["samples"] for row in listed["faces"] if row["samples"]} == dict.fromkeys(
        LEARNED, 6
    )
    assert listed["telling"]


def test_the_sticks_under_the_camera_are_listed(household: Household) -> None:
    household.lays("dog", 10)
    lying = household.sticks.learnable_to_json()
    assert (lying["size"], len(lying["sticks"])) == ([640, 480], 1)


def test_a_side_of_another_name_is_refused(household: Household) -> None:
    with pytest.raises(UnreadableAnswer, match="A side is round, dog, deer, cow, horse, white or black"):
        household.sticks.learn("cat")


def test_a_table_without_a_camera_learns_nothing(household: Household) -> None:
    blind = TaughtSticks(household.reader, lambda: None, lambda: None)
    assert blind.learnable_to_json() == {"size": [0, 0], "sticks": []}
    with pytest.raises(CannotLearn, match="There is no picture of the tray"):
        blind.learn("dog")


def test_a_damaged_file_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / STICKS_NAME).write_text('{"dog": [[1, 2]]}')
    household = Household(tmp_path)
    assert "Show the table your sticks again." in household.trouble
    assert not household.file.exists()


def test_the_sides_of_coins_are_kept_in_a_file_of_their_own(tmp_path: Path) -> None:
    file, frames = tmp_path / COINS_NAME, count()
    reader, trouble = open_coin_reader(file, OneStickReader())
    assert trouble == ""
    picture = laid(["heads"] * 2, 1)
    coins = TaughtCoins(reader, lambda: Frame(picture, next(frames) / 30), lambda: None)
    coins.learn("heads")
    assert coins.to_json()["faces"] == [{"face": "heads", "samples": 2}, {"face": "tails", "samples": 0}]
    assert len(coins.learnable_to_json()["sticks"]) == 2
    again, _ = open_coin_reader(file, OneStickReader())
    assert len(again.enrolled.samples["heads"]) == 2
    with pytest.raises(UnreadableAnswer, match="A side is heads or tails"):
        coins.learn("dog")


def test_a_damaged_file_of_coins_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / COINS_NAME).write_text('{"heads": [[1, 2]]}')
    assert "Show the table your coins again." in open_coin_reader(tmp_path / COINS_NAME, OneStickReader())[1]
