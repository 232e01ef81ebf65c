"""Measures how far rest and motion are from the thresholds between them, on a recording.

Theory of operation. The thresholds of vision.settling.settle are speeds, in sides of a die a second. Three
things can go wrong with them. Each has a margin, a ratio that is over 1 while all is well:
    rest      dice at rest seem to move: the rest threshold over the fastest sample of a tray at rest;
    roll      a throw is not noticed: its fastest sample over the motion threshold;
    lull      a throw seems to be over too soon: of all its stretches that are as long as rest must be and
    that motion follows, the calmest one's fastest sample over the rest threshold.
What rested and what rolled is taken from the pipeline's own events, so no ground truth is needed. The
pipeline is biased, however: a tray that it classified as moving is not counted as rest. So a rest counts as
disturbed if motion was reported, the same dice lay there before and after it, and no hand came.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from vision.dice_reader import DiceReader
from vision.events import Settled
from vision.frames import Frame
from vision.pipeline import Pipeline
from vision.settling.motion import NOISE_LEVELS
from vision.settling.settle import MotionState, Movement, SettleDetector
from vision.tracking.tracks import TrackOutcome

RESTLESS_S = 1.0
"""Minimum duration of motion at the end of a recording that counts as restless. Throws are shorter."""

ONSET_S = 0.1
"""Motion is slow in its first frames. Those of this time, at least one, are neither rest nor roll."""

MIN_VALUE = 0.01
"""Minimum speed (sides of a die a second) and noise (grey levels), so that every margin is finite."""

ROUNDING_S = 1e-6


@dataclass(frozen=True)
class Margin:
    """The sample nearest to a threshold.

    times: its ratio to the threshold.
    value: its speed in sides of a die a second, or its noise in grey levels.
    of: the number of candidates.
    """

    times: float
    value: float
    of: int


@dataclass(frozen=True)
class Margins:
    """The margins of one recording; None where there was nothing to measure.

    looks_a_second: frames a second that showed something new while the tray was not at rest.
    die_px: side of the dice that were read, px of the recording's pictures.
    noise: sigma in the small picture, against the noise floor.
    rest, roll, lull: see the module.
    disturbed: how often motion was reported on a tray that was left alone.
    restless: the calmest stretch of motion at the end of the recording, `times` faster than rest, if this
        motion lasts RESTLESS_S.
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
    """One processed frame: its movement, and the state of the tray."""

    at_s: float
    movement: Movement
    state: MotionState

    @property
    def rest_margin(self) -> float:
        """Margin to the rest threshold."""
        return self.movement.rest_threshold / max(self.movement.speed, MIN_VALUE)

    @property
    def motion_margin(self) -> float:
        """Margin to the motion threshold."""
        return self.movement.speed / self.movement.motion_threshold


@dataclass(frozen=True)
class _Episode:
    """The time from one settled tray to the next.

    slow_s: when the tray became slow at its end.
    threw: dice were thrown.
    changed: other dice lie there, or they lie differently.
    """

    samples: Sequence[_Sample]
    slow_s: float
    threw: bool
    changed: bool

    @property
    def unsettled(self) -> Sequence[_Sample]:
        """The samples from the first that is not at rest."""
        is_rest = [sample.state is MotionState.AT_REST for sample in self.samples]
        return self.samples[is_rest.index(False) :] if False in is_rest else []

    @property
    def restless(self) -> Sequence[_Sample]:
        """The samples after the last one at rest, if they last longer than a throw."""
        rests = [n for n, sample in enumerate(self.samples) if sample.state is MotionState.AT_REST]
        last_rest = max(rests, default=-1)
        since = self.samples[last_rest + 1 :]
        return since if since and since[-1].at_s - since[0].at_s >= RESTLESS_S else []

    @property
    def rest(self) -> Sequence[_Sample]:
        """The samples before anything moved, or before the episode ended."""
        unsettled = self.unsettled
        before = self.samples[: len(self.samples) - len(unsettled)]
        ends = [*unsettled[:1], *before[-1:]]
        return [sample for sample in before[:-1] if sample.at_s < ends[0].at_s - ONSET_S]

    @property
    def roll(self) -> Sequence[_Sample]:
        """The samples of dice that were thrown, until they were slow."""
        return [sample for sample in self.unsettled if sample.at_s < self.slow_s] if self.threw else []

    @property
    def before_last_motion(self) -> Sequence[_Sample]:
        """The samples of a roll before the last one above the motion threshold, after which it slows down."""
        roll = self.roll
        last = max((n for n, sample in enumerate(roll) if sample.motion_margin > 1), default=0)
        return roll[:last]

    @property
    def disturbed(self) -> bool:
        """True if motion was reported on a tray that was left alone."""
        states = {sample.state for sample in self.samples}
        return not self.changed and MotionState.MOVING in states and MotionState.HAND not in states


def margins(frames: Iterable[Frame], reader: DiceReader) -> Margins:
    """The margins of these frames, processed by a new pipeline."""
    recorder = _Recorder(reader)
    for frame in frames:
        recorder.process(frame)
    return recorder.margins()


class _Recorder:
    """A pipeline, and the samples of its movement."""

    def __init__(self, reader: DiceReader) -> None:
        self._motion = SettleDetector()
        self._pipeline = Pipeline(reader, self._motion)
        self._samples: list[_Sample] = []
        self._episodes: list[_Episode] = []
        self._sides: list[float] = []
        self._began = False

    def process(self, frame: Frame) -> None:
        before = self._motion.movement
        settled = [event for event in self._pipeline.process(frame) if isinstance(event, Settled)]
        if self._motion.movement is not before:
            self._samples.append(_Sample(frame.at_s, self._motion.movement, self._motion.state))
        for event in settled:
            self._sides += [die.side for die in event.reading.dice if die.sure]
            self._close(frame.at_s, event)

    def margins(self) -> Margins:
        """The margins of all frames so far. The outcome of the last episode is not known."""
        last = _Episode(self._samples, 0.0, threw=False, changed=True)
        episodes = [*self._episodes, last] if self._began else []
        gaps = [b.at_s - a.at_s for episode in episodes for a, b in pairwise(episode.unsettled)]
        noise = self._motion.noise
        return Margins(
            looks_a_second=1 / median(gaps) if gaps else None,
            die_px=median(self._sides) if self._sides else None,
            noise=Margin(NOISE_LEVELS / max(2**0.5 * noise, MIN_VALUE), noise, 1) if episodes else None,
            rest=_nearest(_rest_margins(episodes)),
            disturbed=sum(episode.disturbed for episode in episodes),
            roll=_nearest(_roll_margins(episodes)),
            lull=_nearest(_lull_margins(episodes, self._motion.settle_s)),
            restless=_nearest(_calmest_stretch(last.restless, self._motion.settle_s)),
        )

    def _close(self, at_s: float, event: Settled) -> None:
        """Ends an episode at a settled tray. What came before the first settled tray is dropped."""
        dice, slow_s = event.tracks.dice, self._motion.slow_since
        changed = bool(event.tracks.lost) or any(track.outcome is not TrackOutcome.UNMOVED for track in dice)
        threw = any(track.outcome is TrackOutcome.THROWN for track in dice)
        if self._began:
            self._episodes.append(_Episode(self._samples, at_s if slow_s is None else slow_s, threw, changed))
        self._began, self._samples = True, []


def _rest_margins(episodes: Iterable[_Episode]) -> Iterator[tuple[float, float]]:
    """Margin and speed of the fastest sample of each rest."""
    for rest in (episode.rest for episode in episodes if episode.rest):
        fastest = min(rest, key=lambda sample: sample.rest_margin)
        yield fastest.rest_margin, fastest.movement.speed


def _roll_margins(episodes: Iterable[_Episode]) -> Iterator[tuple[float, float]]:
    """Margin and speed of the fastest sample of each roll."""
    for roll in (episode.roll for episode in episodes if episode.roll):
        fastest = max(roll, key=lambda sample: sample.motion_margin)
        yield fastest.motion_margin, fastest.movement.speed


def _lull_margins(episodes: Iterable[_Episode], settle_s: float) -> Iterator[tuple[float, float]]:
    """Margin and speed of the calmest stretch of each roll."""
    for episode in episodes:
        yield from _calmest_stretch(episode.before_last_motion, settle_s)


def _calmest_stretch(roll: Sequence[_Sample], settle_s: float) -> Iterator[tuple[float, float]]:
    """The stretch of the roll that came nearest to rest: its margin, and the speed of its fastest sample.

    Nothing if a hand was in every stretch, or if the roll is no longer than rest must be.
    """
    stretches = [stretch for n in range(len(roll)) if (stretch := _stretch(roll[n:], settle_s))]
    fastest = [min(stretch, key=lambda sample: sample.rest_margin) for stretch in stretches]
    if fastest:
        calmest = max(fastest, key=lambda sample: sample.rest_margin)
        yield 1 / calmest.rest_margin, calmest.movement.speed


def _stretch(roll: Sequence[_Sample], settle_s: float) -> Sequence[_Sample]:
    """The first samples that would be rest if all of them were slow; none if too few, or with a hand."""
    ends = next(
        (n for n, sample in enumerate(roll) if sample.at_s - roll[0].at_s >= settle_s - ROUNDING_S), None
    )
    if ends is None or any(sample.state is MotionState.HAND for sample in roll[: ends + 1]):
        return ()
    return roll[: ends + 1]


def _nearest(candidates: Iterable[tuple[float, float]]) -> Margin | None:
    """The smallest margin of (margin, value) pairs; None if there is none."""
    values = list(candidates)
    return Margin(*min(values), len(values)) if values else None
