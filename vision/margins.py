"""How far rest and motion lie from the bounds that tell them apart, on a recording.

Theory of operation. The bounds of vision.settle are speeds, in sides of a die a second. Three things can go wrong with them, and each
has its margin, a ratio that is over 1 while all is well:
    rest      dice that lie seem to move: the bound of rest over the fastest look at a tray at rest;
    roll      a throw is not noticed: the fastest look at it over the bound of motion;
    lull      a throw seems to be over before it is: of all its spells that last as long as rest must and that movement follows, the
              calmest one's fastest look over the bound of rest.
What rested and what rolled is taken from what the eyes told, so that it needs nobody's word. The eyes are partial, though: a tray
that they took for moving is no rest. So a rest counts as disturbed where movement was told, and the same dice lay there before and
after it, and no hand had come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from vision.events import Settled
from vision.frames import Frame
from vision.motion import NOISE_LEVELS
from vision.pipeline import DiceReader, Pipeline
from vision.settle import MotionState, Movement, SettleDetector
from vision.tracks import Fate

RESTLESS_S = 1.0
"""A recording that ends with movement for so long does not just end in the middle of a throw, which are over in less."""

BEGINS_S = 0.1
"""What begins to move is slow in its first frames: those of this time, and at least one, are counted as neither rest nor roll."""

LEAST = 0.01
"""A speed, sides of a die a second, or a noise, grey levels, that stands for none, so that every margin is a number."""

ROUNDING_S = 1e-6


@dataclass(frozen=True)
class Margin:
    """What came nearest to a bound. times: its margin. value: its speed in sides of a die a second, or noise in grey levels.
    of: how many there were, of which this was the nearest."""

    times: float
    value: float
    of: int


@dataclass(frozen=True)
class Margins:
    """Of one recording; None where there was nothing to measure.

    looks_a_second: frames that showed something new while the tray was not at rest, a second. die_px: side of the dice that were read,
    px of the recording's pictures. noise: sigma in the small picture, against what counts as change.
    disturbed: times that movement was told of a tray that was left alone. restless: where the recording ends with a tray that has long
    been taken for moving, its calmest spell, `times` faster than rest.
    """

    looks_a_second: float | None
    die_px: float | None
    noise: Margin | None
    rest: Margin | None
    disturbed: int
    roll: Margin | None
    lull: Margin | None
    restless: Margin | None


@dataclass(frozen=True)
class _Sample:
    """One look at the tray: what moved, and what the tray was taken to do with it."""

    at_s: float
    movement: Movement
    state: MotionState

    @property
    def rest(self) -> float:
        """Margin to the bound of rest."""
        return self.movement.rest_threshold / max(self.movement.speed, LEAST)

    @property
    def motion(self) -> float:
        """Margin to the bound of motion."""
        return self.movement.speed / self.movement.motion_threshold


@dataclass(frozen=True)
class _Episode:
    """From one settled tray to the next. slow_s: when the tray had become slow for the next. threw: dice were thrown meanwhile.
    changed: other dice lie there, or lie otherwise."""

    looks: Sequence[_Sample]
    slow_s: float
    threw: bool
    changed: bool

    @property
    def stirred(self) -> Sequence[_Sample]:
        """From the first look that was not at rest on."""
        first = next((n for n, look in enumerate(self.looks) if look.state is not MotionState.STILL), len(self.looks))
        return self.looks[first:]

    @property
    def restless(self) -> Sequence[_Sample]:
        """The looks since the last one at rest, if they are of more than a throw."""
        rests = max((n for n, look in enumerate(self.looks) if look.state is MotionState.STILL), default=-1)
        since = self.looks[rests + 1 :]
        return since if since and since[-1].at_s - since[0].at_s >= RESTLESS_S else []

    @property
    def rest(self) -> Sequence[_Sample]:
        """The looks before anything moved, or the turn ended."""
        stirred = self.stirred
        before = self.looks[: len(self.looks) - len(stirred)]
        ends = [*stirred[:1], *before[-1:]]
        return [look for look in before[:-1] if look.at_s < ends[0].at_s - BEGINS_S]

    @property
    def roll(self) -> Sequence[_Sample]:
        """The looks at dice that were thrown, until they were slow."""
        return [look for look in self.stirred if look.at_s < self.slow_s] if self.threw else []

    @property
    def lulled(self) -> Sequence[_Sample]:
        """The looks at a roll before the last one that shows movement: after that it slows down for good."""
        roll = self.roll
        last = max((n for n, look in enumerate(roll) if look.motion > 1), default=0)
        return roll[:last]

    @property
    def disturbed(self) -> bool:
        """True where movement was told of a tray that was left alone."""
        states = {look.state for look in self.looks}
        return not self.changed and MotionState.MOVING in states and MotionState.HAND not in states


def margins(frames: Iterable[Frame], reader: DiceReader) -> Margins:
    """Of these frames, through eyes of their own."""
    watched = _Recorder(reader)
    for frame in frames:
        watched.see(frame)
    return watched.margins()


class _Recorder:
    """Eyes, and what they looked at."""

    def __init__(self, reader: DiceReader) -> None:
        self._settle = SettleDetector()
        self._pipeline = Pipeline(reader, self._settle)
        self._looks: list[_Sample] = []
        self._turns: list[_Episode] = []
        self._sides: list[float] = []
        self._began = False

    def see(self, frame: Frame) -> None:
        before = self._settle.movement
        settled = [event for event in self._pipeline.process(frame) if isinstance(event, Settled)]
        if self._settle.movement is not before:
            self._looks.append(_Sample(frame.at_s, self._settle.movement, self._settle.state))
        for event in settled:
            self._sides += [die.side for die in event.reading.dice if die.sure]
            self._close(frame.at_s, event)

    def margins(self) -> Margins:
        """Of what was seen. What became of the tray at the end is not known."""
        last = _Episode(self._looks, 0.0, threw=False, changed=True)
        turns = [*self._turns, last] if self._began else []
        gaps = [b.at_s - a.at_s for turn in turns for a, b in pairwise(turn.stirred)]
        noise = self._settle.noise
        return Margins(
            1 / median(gaps) if gaps else None,
            median(self._sides) if self._sides else None,
            Margin(NOISE_LEVELS / max(2**0.5 * noise, LEAST), noise, 1) if turns else None,
            _nearest((look.rest, look.movement.speed) for turn in turns for look in _least(turn.rest)),
            sum(turn.disturbed for turn in turns),
            _nearest((look.motion, look.movement.speed) for turn in turns for look in _fastest(turn.roll)),
            _nearest(calm for turn in turns for calm in _calmest(turn.lulled, self._settle.settle_s)),
            _nearest(_calmest(last.restless, self._settle.settle_s)),
        )

    def _close(self, at_s: float, event: Settled) -> None:
        """The tray is settled again; what was before the first time says nothing."""
        dice, slow_s = event.tracks.dice, self._settle.slow_since
        changed = bool(event.tracks.gone) or any(track.fate is not Fate.LAY for track in dice)
        threw = any(track.fate is Fate.THROWN for track in dice)
        if self._began:
            self._turns.append(_Episode(self._looks, at_s if slow_s is None else slow_s, threw, changed))
        self._began, self._looks = True, []


def _least(rest: Sequence[_Sample]) -> Iterator[_Sample]:
    """The look that came nearest to being movement, where there is any."""
    if rest:
        yield min(rest, key=lambda look: look.rest)


def _fastest(roll: Sequence[_Sample]) -> Iterator[_Sample]:
    if roll:
        yield max(roll, key=lambda look: look.motion)


def _calmest(roll: Sequence[_Sample], settle_s: float) -> Iterator[tuple[float, float]]:
    """The spell of the roll that came nearest to being rest: its margin, and the speed of its fastest look. None where a hand was in it
    all the time, or the roll is no longer than rest must be."""
    spells = [spell for n in range(len(roll)) if (spell := _spell(roll[n:], settle_s))]
    fastest = [min(spell, key=lambda look: look.rest) for spell in spells]
    if fastest:
        calmest = max(fastest, key=lambda look: look.rest)
        yield 1 / calmest.rest, calmest.movement.speed


def _spell(roll: Sequence[_Sample], settle_s: float) -> Sequence[_Sample]:
    """The looks from the first on that would be rest if all of them were slow; none where they are too few, or a hand is in them."""
    ends = next((n for n, look in enumerate(roll) if look.at_s - roll[0].at_s >= settle_s - ROUNDING_S), None)
    if ends is None or any(look.state is MotionState.HAND for look in roll[: ends + 1]):
        return ()
    return roll[: ends + 1]


def _nearest(each: Iterable[tuple[float, float]]) -> Margin | None:
    """Of (margin, value), the nearest."""
    found = list(each)
    return Margin(*min(found), len(found)) if found else None
