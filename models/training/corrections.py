"""What a table's own log teaches: dice that people corrected or were asked about, with the pictures they were read from.

The log keeps the picture behind every throw, and every correction, so nothing more has to be kept: whoever wants their table to learn
runs models.training.tune on their log. Nothing leaves the machine.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from table.common.errors import BrehonError, LogUnusable
from table.games import game
from table.log.store import logged_matches
from table.rules.answers import Throw
from table.rules.match import replay
from vision.frames import Box

KEPT_SHARE = 3
"""One in so many pictures is never trained on: new weights are judged by those."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CorrectedDie:
    """A die as it was read, and the face that counted in the end."""

    box_xywh: Box
    read: int
    sure: bool
    face: int

    @property
    def lesson(self) -> bool:
        """True where the reader was wrong or had to ask."""
        return self.read != self.face or not self.sure


@dataclass(frozen=True, eq=False)
class CorrectedPicture:
    """A throw's picture (h, w, 3) uint8, its dice, and a name that stays the same from day to day."""

    name: str
    picture: np.ndarray
    dice: tuple[CorrectedDie, ...]

    @property
    def lesson(self) -> bool:
        return any(d.lesson for d in self.dice)

    @property
    def kept(self) -> bool:
        """Kept back from training; chosen by the name."""
        return zlib.crc32(self.name.encode()) % KEPT_SHARE == 0


def corrected_pictures(path: Path) -> Iterator[CorrectedPicture]:
    """Every throw in the log that has a picture, as it stands after all corrections; LogUnusable where there is no log."""
    if not path.is_file():
        raise LogUnusable(f"there is no log at {path}; give the folder the table was run with, --data DIR")
    for logged, seen in logged_matches(path):
        try:
            match = replay(game(logged.game), logged.seats, logged.given, logged.events)
        except BrehonError as error:
            log.warning("match %s is left out: %s", logged.id, error)
            continue
        for number, evidence in seen:
            answer = match.answers[evidence.at].answer if evidence.at < match.at else None
            dice = _dice(evidence.reading["dice"], answer) if isinstance(answer, Throw) else ()
            picture = cv2.imdecode(np.frombuffer(evidence.jpeg or b"", np.uint8), cv2.IMREAD_COLOR)
            if dice and picture is not None:
                yield CorrectedPicture(f"{logged.id}-{number}", picture, dice)


def _dice(read: list[dict], answer: Throw) -> tuple[CorrectedDie, ...]:
    """Nothing where the throw was told to have another number of dice: which is which cannot be known then."""
    if len(read) != len(answer.dice):
        return ()
    return tuple(CorrectedDie(tuple(d["box"]), d["face"], bool(d["sure"]), told) for d, told in zip(read, answer.faces, strict=True))
