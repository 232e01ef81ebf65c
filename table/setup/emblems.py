"""The emblems of a household's dice at a running table.

A file stores them. Nobody has to set anything up: whenever a person names the face of an unsure die, the
table learns what that die looks like.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from table.common.errors import BrehonError
from table.log.json_file import read_or_set_aside, write_json
from table.referee.effects import Append
from table.rules.answers import Throw
from table.rules.match import Answered
from vision.boxes import Box
from vision.dice_reader import DiceReader
from vision.motion_jpeg import decoded
from vision.reading.emblems import NO_EMBLEMS, EmblemReader, Emblems

EMBLEMS_NAME = "emblems.json"
"""Name of the file beside the log."""

logger = logging.getLogger(__name__)


def open_emblem_reader(path: Path, reader: DiceReader) -> tuple[EmblemReader, str]:
    """The reader with the emblems in this file, and a sentence for people.

    The sentence says that the file was damaged and put aside; "" if it was not.
    """
    emblems, aside = read_or_set_aside(path, Emblems.from_json, NO_EMBLEMS)
    trouble = (
        f"The emblems of your dice were damaged in the file: they were put aside as {aside}."
        " The table asks about them again."
    )
    return EmblemReader(
        reader, emblems, lambda new: write_json(path, new.to_json())
    ), trouble if aside else ""


class EmblemTeacher:
    """Teaches a reader the unsure dice of each logged throw whose faces people named.

    run: runs the work, which takes as long as a reading; default = at once.
    """

    def __init__(
        self, reader: EmblemReader, run: Callable[[Callable[[], None]], None] = lambda work: work()
    ) -> None:
        self._reader, self._run = reader, run

    def on_throw(self, written: Append, jpeg: bytes) -> None:
        """Learns from a throw that was written to the log, and its picture."""
        if named := named_dice(written):
            self._run(lambda: self._learn(jpeg, named))

    def _learn(self, jpeg: bytes, named: list[tuple[Box, int]]) -> None:
        try:
            self._reader.learn(decoded(jpeg), named)
        except (BrehonError, OSError, ValueError) as error:  # a full disk, say: the table asks again
            logger.warning("an emblem was not learned: %s", error)


def named_dice(written: Append) -> list[tuple[Box, int]]:
    """The boxes, px, of the dice of a throw that were read unsurely, and the faces that people gave them."""
    event = written.events[-1]
    if written.seen is None or not isinstance(event, Answered) or not isinstance(event.answer, Throw):
        return []
    dice = written.seen[1]["dice"]
    if len(dice) != len(event.answer.dice):
        return []
    pairs = zip(dice, event.answer.faces, strict=True)
    return [(tuple(die["box"]), face) for die, face in pairs if not die["sure"]]
