"""The household's own sticks, and coins in place of them, at a running table.

Files store their sides, the camera's frames teach them, and the page lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from table.common.errors import CannotLearn, UnreadableAnswer
from table.log.json_file import read_or_set_aside, write_json
from table.rules import words
from table.setup.colours import newest_pictures
from table.setup.history import History
from vision.dice_reader import DiceReader
from vision.frames import Frame, Picture
from vision.reading.enrolled_coins import COIN_FACES, NO_COINS, EnrolledCoinReader, EnrolledCoins
from vision.reading.enrolled_sticks import (
    NOTHING_ENROLLED,
    EnrolledStickReader,
    EnrolledSticks,
    LearnableSticks,
)

STICKS_NAME = "sticks.json"
"""Name of the file beside the log."""
STICK_FACES = ("round", "dog", "deer", "cow", "horse", "white", "black")
"""The sides that can be shown to the table."""


COINS_NAME = "coins.json"
"""Name of the file of coins beside the log."""


def open_stick_reader(path: Path, reader: DiceReader) -> tuple[EnrolledStickReader, str]:
    """The reader with the sides in this file, and a sentence for people.

    The sentence says that the file was damaged and put aside; "" if it was not.
    """
    enrolled, aside = read_or_set_aside(path, EnrolledSticks.from_json, NOTHING_ENROLLED)
    trouble = (
        f"Your sticks were damaged in the file: they were put aside as {aside}."
        " Show the table your sticks again."
    )
    return EnrolledStickReader(
        reader, enrolled, lambda new: write_json(path, new.to_json())
    ), trouble if aside else ""


def open_coin_reader(path: Path, reader: DiceReader) -> tuple[EnrolledCoinReader, str]:
    """The same with coins in place of sticks."""
    enrolled, aside = read_or_set_aside(path, EnrolledCoins.from_json, NO_COINS)
    trouble = (
        f"Your coins were damaged in the file: they were put aside as {aside}."
        " Show the table your coins again."
    )
    return EnrolledCoinReader(
        reader, enrolled, lambda new: write_json(path, new.to_json())
    ), trouble if aside else ""


class Enrolled(Protocol):
    """The sides that a reader knows."""

    @property
    def samples(self) -> Mapping[str, Any]: ...

    @property
    def active(self) -> bool: ...


Known = TypeVar("Known", bound=Enrolled)


class SideReader(Protocol[Known]):
    """A reader that learns sides: of sticks or of coins."""

    @property
    def enrolled(self) -> Known: ...

    def learnable(self, picture: Picture) -> LearnableSticks: ...

    def learn(self, face: str, pictures: Sequence[Picture]) -> None: ...

    def forget(self, face: str) -> None: ...

    def put_back(self, enrolled: Known) -> None: ...


class TaughtSides(Generic[Known]):
    """The implementation of table.page.ports.OwnSticks.

    faces: the sides that can be shown. newest_frame: from the camera, None before the first. on_change:
    called when a side is learned or forgotten, and when that is undone.
    """

    def __init__(
        self,
        reader: SideReader[Known],
        faces: Sequence[str],
        newest_frame: Callable[[], Frame | None],
        on_change: Callable[[], None],
    ) -> None:
        self._reader, self._faces = reader, faces
        self._newest_frame, self._on_change = newest_frame, on_change
        self._history: History[Known] = History()

    def to_json(self) -> dict[str, Any]:
        enrolled = self._reader.enrolled
        return {
            "faces": [{"face": face, "samples": len(enrolled.samples.get(face, ()))} for face in self._faces],
            "telling": enrolled.active,
            "undo": len(self._history),
        }

    def learnable_to_json(self) -> dict[str, Any]:
        frame = self._newest_frame()
        if frame is None:
            return {"size": [0, 0], "sticks": []}
        seen = self._reader.learnable(frame.picture)
        return {"size": list(seen.size_wh), "sticks": [stick.to_json() for stick in seen.sticks]}

    def learn(self, face: str) -> None:
        self._check_face(face)
        pictures = list(newest_pictures(self._newest_frame))
        if not pictures:
            raise CannotLearn(
                "There is no picture of the tray to learn from: see that the camera is plugged in."
            )
        before = self._reader.enrolled
        self._reader.learn(face, pictures)
        self._changed(before)

    def forget(self, face: str) -> None:
        before = self._reader.enrolled
        self._reader.forget(face)
        self._changed(before)

    def undo(self) -> None:
        self._history.undo(self._reader.put_back)
        self._on_change()

    def _changed(self, before: Known) -> None:
        self._history.changed(before)
        self._on_change()

    def _check_face(self, face: str) -> None:
        if face not in self._faces:
            raise UnreadableAnswer(
                f"A side is {words.listed(self._faces, 'or')}; got {words.short(repr(face), 40)}."
            )


class TaughtSticks(TaughtSides[EnrolledSticks]):
    """The household's sticks."""

    def __init__(
        self,
        reader: EnrolledStickReader,
        newest_frame: Callable[[], Frame | None],
        on_change: Callable[[], None],
    ) -> None:
        super().__init__(reader, STICK_FACES, newest_frame, on_change)


class TaughtCoins(TaughtSides[EnrolledCoins]):
    """The household's coins."""

    def __init__(
        self,
        reader: EnrolledCoinReader,
        newest_frame: Callable[[], Frame | None],
        on_change: Callable[[], None],
    ) -> None:
        super().__init__(reader, COIN_FACES, newest_frame, on_change)
