"""The readings of a tray at rest, until they suffice for a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from vision.frames import Frame
from vision.reading.fusion import consistent, fused
from vision.reading.ground_plane import PlaneEstimator
from vision.readings import Reading

MAX_READINGS = 6
"""Maximum number of readings of a tray at rest before they are fused and reported, unsure where they are;
half a second on a Pi."""

MIN_READINGS, MIN_UNSURE_READINGS = 2, 4
"""Where a hand interrupts the reading, MIN_READINGS are enough to report, or MIN_UNSURE_READINGS if they are
not sure."""

TIPPING_S = 1.0
"""Time at rest in which a die that may lean can still tip over; nothing is reported before."""


@dataclass
class ReadingsAtRest:
    """The readings of one rest of the tray: from when it becomes slow until it moves again.

    plane: marks the cocked dice. requested: a new reading was asked for, of a tray that rests already.
    reported: the reading was reported, or reading failed. previewed: something was shown before a reading
    sufficed. tried_early: a reading was taken before the tray was at rest. interrupted: what the rest before
    this one had read when something moved, and its frame.
    """

    plane: PlaneEstimator
    requested: bool = False
    reported: bool = False
    previewed: bool = False
    tried_early: bool = False
    interrupted: tuple[Reading, Frame] | None = None
    _readings: list[Reading] = field(default_factory=list)
    _frame: Frame | None = None
    _leaned: bool = False
    _fresh: bool = False

    def add(self, reading: Reading, frame: Frame | None = None) -> Reading:
        """Adds a reading and returns it with its cocked dice marked. frame: what was read, at rest."""
        self._readings.append(self.plane.mark_cocked(reading))
        self._frame = frame or self._frame
        return self._readings[-1]

    def add_earlier(self, readings: Sequence[Reading], frame: Frame | None = None) -> None:
        """Adds readings that showed the dice at rest while something else moved in the picture. frame: of the
        last one."""
        for reading in readings:
            self.add(reading, frame)

    def may_read_early(self, motionless: bool) -> bool:
        """Whether there is no early reading yet, or it is unsure and another one helps. It need not wait for
        rest if nothing moves at all."""
        if not self.tried_early:
            return True
        if not self._readings or self._readings[-1].sure:
            return False
        return len(self._readings) < MAX_READINGS - 1 and motionless

    def result(self, leaning: bool, rested_s: float | None) -> Reading | None:
        """What to report: the last of two sure readings in a row that agree, or MAX_READINGS fused; None:
        more readings are needed.

        leaning: a die of the last reading may lean. rested_s: for how long nothing fast has moved, s; None:
        something does, perhaps that die, which tips over.
        """
        last = self._readings[-1]
        if self._leaned and not leaning:
            self._readings = [last]  # it has just tipped over
        self._leaned = leaning
        if rested_s is not None:
            self._fresh = rested_s < TIPPING_S
        if leaning and self._fresh:
            self._readings = self._readings[-MAX_READINGS:]
            return None
        before = self._readings[-2] if len(self._readings) > 1 else None
        if before and before.sure and last.sure and consistent(before, last):
            return last
        return self._fused() if len(self._readings) >= MAX_READINGS else None

    def may_preview_early(self, before: Reading | None, reading: Reading) -> bool:
        """Whether to show a reading that was taken while the dice settled: it is sure, and agrees with that
        before, about all dice that do not lean."""
        if self.previewed or before is None:
            return False
        level = self._without_cocked(reading)
        return bool(level.dice) and level.sure and consistent(self._without_cocked(before), level)

    def may_preview(self) -> bool:
        """Whether to show the last reading although a die may still tip over: it agrees with the one before
        about the dice that lie surely flat."""
        if self.previewed or not self._leaned or len(self._readings) < MIN_READINGS:
            return False
        before, last = self._readings[-2:]
        return consistent(_surely_flat(before), _surely_flat(last))

    def partial(self) -> tuple[Reading, Frame] | None:
        """The fused, unreported reading of a rest that something interrupts, and its frame; None with too few
        readings."""
        if self.reported or self._frame is None or len(self._readings) < MIN_READINGS:
            return None
        reading = self._fused()
        enough = reading.sure or len(self._readings) >= MIN_UNSURE_READINGS
        return (reading, self._frame) if enough else None

    def _without_cocked(self, reading: Reading) -> Reading:
        dice = self.plane.mark_cocked(reading).dice
        return replace(reading, dice=tuple(d for d in dice if not d.cocked))

    def _fused(self) -> Reading:
        return self.plane.mark_cocked(fused(self._readings))


def _surely_flat(reading: Reading) -> Reading:
    return replace(reading, dice=tuple(d for d in reading.dice if d.sure and not d.cocked))
