"""The household's own sticks at a running table.

A file stores their sides, the camera's frames teach them, and the page lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from table.common.errors import CannotLearn, UnreadableAnswer
from table.log.json_file import read_or_set_aside, write_json
from table.rules import words
from table.setup.colours import newest_pictures
from table.setup.history import History
from vision.dice_reader import DiceReader
from vision.frames import Frame
from vision.reading.enrolled_sticks import NOTHING_ENROLLED, EnrolledStickReader, EnrolledSticks

STICKS_NAME = "sticks.json"
"""Name of the file beside the log."""
STICK_FACES = ("round", "dog", "deer", "cow", "horse", "white", "black")
"""The sides that can be shown to the table."""


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


class TaughtSticks:
    """The implementation of table.page.ports.OwnSticks.

    newest_frame: from the camera, None before the first. on_change: called when a side is learned or
    forgotten, and when that is undone.
    """

    def __init__(
        self,
        reader: EnrolledStickReader,
        newest_frame: Callable[[], Frame | None],
        on_change: Callable[[], None],
    ) -> None:
        self._reader, self._newest_frame, self._on_change = reader, newest_frame, on_change
        self._history: History[EnrolledSticks] = History()

    def to_json(self) -> dict[str, Any]:
        enrolled = self._reader.enrolled
        return {
            "faces": [{"face": face, "samples": len(enrolled.samples.get(face, ()))} for face in STICK_FACES],
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
        _check_face(face)
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

    def _changed(self, before: EnrolledSticks) -> None:
        self._history.changed(before)
        self._on_change()


def _check_face(face: str) -> None:
    if face not in STICK_FACES:
        raise UnreadableAnswer(
            f"A side is {words.listed(STICK_FACES, 'or')}; got {words.short(repr(face), 40)}."
        )
