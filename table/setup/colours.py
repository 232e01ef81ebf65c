"""The household's dice colours at a running table.

A file stores them, the camera's frames teach them, and the page lists them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from table.common.errors import CannotLearn
from table.log.json_file import read_or_set_aside, write_json
from table.setup.history import History
from vision.colours.palette import LearnedColour, Palette, swatch
from vision.colours.palette_reader import PaletteReader
from vision.dice_reader import DiceReader
from vision.frames import Frame, Picture

PALETTE_NAME = "palette.json"
"""Name of the file beside the log."""
TAUGHT_FRAMES = 5
"""Number of frames that teach a colour: noise differs between frames, the dice do not."""
FRAMES_TIMEOUT_S = 4.0
"""Longest wait for these frames."""
FRAME_POLL_S = 0.03


def open_palette_reader(path: Path, reader: DiceReader) -> tuple[PaletteReader, str]:
    """The reader with the colours in this file, and a sentence for people.

    The sentence says that the file was damaged and put aside; "" if it was not.
    """
    palette, aside = read_or_set_aside(path, Palette.from_json, Palette())
    trouble = f"The dice colours were damaged: they were put aside as {aside}. Teach your dice again."
    return PaletteReader(
        reader, palette, lambda new: write_json(path, new.to_json())
    ), trouble if aside else ""


def _row(c: LearnedColour) -> dict[str, Any]:
    return {
        "name": c.name,
        "plays_as": c.plays_as,
        "swatch": swatch(c.samples.median),
        "samples": len(c.samples),
    }


class TaughtColours:
    """The implementation of table.page.ports.DiceColours.

    newest_frame: from the camera, None before the first. on_change: called when a colour is learned or
    forgotten, and when that is undone.
    """

    def __init__(
        self,
        palette_reader: PaletteReader,
        newest_frame: Callable[[], Frame | None],
        on_change: Callable[[], None],
    ) -> None:
        self._palette_reader, self._newest_frame, self._on_change = palette_reader, newest_frame, on_change
        self._history: History[Palette] = History()

    def to_json(self) -> dict[str, Any]:
        return {
            "colours": [_row(c) for c in self._palette_reader.palette.colours],
            "telling": self._palette_reader.is_active,
            "undo": len(self._history),
        }

    def learnable_to_json(self) -> dict[str, Any]:
        frame = self._newest_frame()
        if frame is None:
            return {"size": [0, 0], "boxes": [], "swatches": [], "colour": None, "plays_as": None}
        seen = self._palette_reader.learnable(frame.picture)
        return {
            "size": list(seen.size_wh),
            "boxes": [[round(v, 1) for v in box] for box in seen.boxes],
            "swatches": list(seen.swatches),
            "colour": seen.colour,
            "plays_as": seen.plays_as,
        }

    def learn(self, name: str, plays_as: str | None) -> None:
        pictures = list(newest_pictures(self._newest_frame))
        if not pictures:
            raise CannotLearn(
                "There is no picture of the tray to learn from: see that the camera is plugged in."
            )
        before = self._palette_reader.palette
        self._palette_reader.learn(name, plays_as, pictures)
        self._changed(before)

    def forget(self, name: str) -> None:
        before = self._palette_reader.palette
        self._palette_reader.forget(name)
        self._changed(before)

    def undo(self) -> None:
        self._history.undo(self._palette_reader.put_back)
        self._on_change()

    def _changed(self, before: Palette) -> None:
        self._history.changed(before)
        self._on_change()


def newest_pictures(newest_frame: Callable[[], Frame | None]) -> Iterator[Picture]:
    """The pictures of the newest TAUGHT_FRAMES frames, as they arrive; fewer if the camera is too slow."""
    deadline, last = time.monotonic() + FRAMES_TIMEOUT_S, None
    for _ in range(TAUGHT_FRAMES):
        while (frame := newest_frame()) is last and time.monotonic() < deadline:
            time.sleep(FRAME_POLL_S)
        if frame is None or frame is last:
            return
        last = frame
        yield frame.picture
