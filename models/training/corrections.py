"""Training examples from a table's own log: pictures with dice that players corrected or were asked about.

The log keeps the picture of every throw and every correction, so nothing more has to be stored.
models.training.fine_tune trains on that log. Nothing leaves the machine.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from table.common.errors import BrehonError, LogUnusable
from table.games import game
from table.log.store import logged_matches
from table.rules.answers import Throw
from table.rules.match import replay
from vision.boxes import Box

HELD_OUT_ONE_IN = 3
"""One in this many pictures is kept out of training, to validate new weights."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CorrectedDie:
    """A die as it was read, and its final face after corrections."""

    box_xywh: Box
    read: int
    sure: bool
    face: int

    @property
    def is_correction(self) -> bool:
        """True if the reading was wrong or unsure."""
        return self.read != self.face or not self.sure


@dataclass(frozen=True, eq=False)
class CorrectedPicture:
    """A throw's picture (h, w, 3) uint8, its dice, and a name that is the same on every run."""

    name: str
    picture: np.ndarray
    dice: tuple[CorrectedDie, ...]

    @property
    def is_correction(self) -> bool:
        return any(d.is_correction for d in self.dice)

    @property
    def held_out(self) -> bool:
        """True if the picture is held out of training; the name decides."""
        return zlib.crc32(self.name.encode()) % HELD_OUT_ONE_IN == 0


def corrected_pictures(path: Path) -> Iterator[CorrectedPicture]:
    """Yields the throws in the log that have a picture, after all corrections. LogUnusable: no log there."""
    if not path.is_file():
        raise LogUnusable(f"there is no log at {path}; give the table's folder with --data DIR")
    for logged, seen in logged_matches(path):
        try:
            match = replay(game(logged.game), logged.seats, logged.raw_settings, logged.events)
        except BrehonError as error:
            log.warning("match %s is left out: %s", logged.id, error)
            continue
        for number, evidence in seen:
            answer = match.answers[evidence.at].answer if evidence.at < match.at else None
            dice = _dice(evidence.reading["dice"], answer) if isinstance(answer, Throw) else ()
            picture = cv2.imdecode(np.frombuffer(evidence.jpeg or b"", np.uint8), cv2.IMREAD_COLOR)
            if dice and picture is not None:
                yield CorrectedPicture(f"{logged.id}-{number}", picture, dice)


def _dice(read: Sequence[Mapping[str, Any]], answer: Throw) -> tuple[CorrectedDie, ...]:
    """The corrected dice; empty if the correction changed the number of dice, as no match is possible."""
    if len(read) != len(answer.dice):
        return ()
    pairs = zip(read, answer.faces, strict=True)
    return tuple(CorrectedDie(tuple(d["box"]), d["face"], bool(d["sure"]), face) for d, face in pairs)
