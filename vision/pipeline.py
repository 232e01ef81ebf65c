"""The eyes: frames in, events out, without a thread.

A reading is believed after repeated hits: two in a row that agree and are sure, else what several say together (vision.fusion).
The first of them is taken already while the dice settle, and more where it is in doubt, so that usually only one stands between rest
and ruling.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from table.common.tray import TrayState
from vision.calibration import Calibration
from vision.drift import Drift
from vision.events import ReadFailed, Settled, StateChanged, TrayEvent
from vision.frames import Frame, Picture
from vision.fusion import consistent, fused
from vision.ground_plane import PlaneEstimator
from vision.health import Health
from vision.motion import SMALL_W, WINDOW_PX, Mask
from vision.place import Place, Zone
from vision.reading import Reading, SeenDie
from vision.settle import UNREAD_DICE, MotionState, SettleDetector
from vision.tracker import Tracker, near
from vision.tracks import Fate, Gone, Leaving, Tracks

MAX_READINGS = 6
"""Readings taken of a tray at rest before what they say together is handed on, unsure where they are; half a second on a Pi."""

MIN_READINGS, UNSURE_READINGS, BROKEN_OFF_S = 2, 4, 0.4
"""Where a hand comes before that, so many say what lay there, or, of what is not sure, so many; at first the hand may seem to be mere
movement, for so long."""

EARLY_SHARE = 0.5
"""The first reading is taken when this share of the settling time has passed."""

GAP_S = 0.5
"""Dice may be thrown unseen in a time without frames, or in doubt, as long as this."""

HAND_BLURS_S = 1.5
"""A picture that is out of focus no longer than this after a hand is so by the hand, nearer to the lens than the tray. What is so for
longer is named. A blur that comes suddenly is taken for a hand itself for some 1.3 s, and is to be named within three."""

FOLLOW_S = 1.0
"""Between two looks at where the tray lies."""

SIGHTING_S = 0.06
"""Time between two readings of a tray in motion: every frame of a camera with ten frames a second, every second of thirty."""

BESIDE_HAND_S = 1.2
"""Dice that have lain still for so long are read even while a hand moves elsewhere over the tray."""

UNDER_HAND_S = 2.0
"""Dice that have lain still for so long are read whatever seems to be at them: it may be the light."""

SIGHTINGS_KEPT = 48
"""Sightings that are looked back on for dice that lie still; at sixteen a second three seconds."""

LEANING_S = 1.0
"""A die that may lean is given so long, at rest, to tip over before anything is told."""

STEADY_SIDES = 0.15
"""Dice that lie still in an unquiet picture wander by less than this between sightings, sides of a die."""

log = logging.getLogger("brehon.watch")


class DiceReader(Protocol):
    """What the eyes need of a reader."""

    def read(self, picture: Picture) -> Reading: ...


class Pipeline:
    """Frames in, events out; one thread only.

    calibration: where the tray lies; None: everywhere.
    stills: the frames are photographs of one throw after another, so that dice which lie there anew were thrown.
    clock: seconds, for the latency alone.
    """

    def __init__(
        self,
        reader: DiceReader,
        settle: SettleDetector | None = None,
        clock: Callable[[], float] = time.perf_counter,
        *,
        calibration: Calibration | None = None,
        stills: bool = False,
    ) -> None:
        self._reader, self._settle, self._clock = reader, settle or SettleDetector(hands=not stills), clock
        self._tracker = Tracker(stills)
        self._health = Health()
        self._trouble: TrayState | None = None
        self._doubted_s = 0.0
        self._calibration = calibration
        self._looked_s: float | None = None
        self._placed: tuple[Place | None, tuple[int, int]] | None = None
        self._told: MotionState | None = None
        self._seen_s: float | None = None
        self._sighted_s: float | None = None
        self._hand_s = self._clear_s = -HAND_BLURS_S
        self._sighted: deque[tuple[float, Reading]] = deque(maxlen=SIGHTINGS_KEPT)
        self._readings: list[Reading] = []
        self._read: Frame | None = None
        self._broken_off: tuple[Reading, Frame] | None = None
        self._level = PlaneEstimator()
        self._done = self._asked = self._tried_early = self._hand_rests = False

    def see(self, frame: Frame) -> Iterator[TrayEvent]:
        """What this frame brings: a change of state, and a reading once the tray is at rest."""
        arrived = self._clock()
        gap_s = frame.at_s - self._seen_s if self._seen_s is not None else 0.0
        self._seen_s = frame.at_s
        yield from self._watched(frame, gap_s)
        if self._trouble is TrayState.FROZEN:
            self._tracker.gap()
        elif self._trouble or self._health.doubts:
            return
        state = self._settle.see(frame)
        if state is not MotionState.STILL and not self._half_settled(frame):
            self._sight(frame)
            state = self._settle.state
        if state is not self._told:
            yield from self._changed(state, frame)
        if self._hand_rests and not self._settle.hand_rests:
            self._forget()  # it went too gently to be seen going
        if state is MotionState.STILL and not self._done:
            yield from self._confirmed(frame, arrived)
        elif state is MotionState.SETTLING and self._half_settled(frame) and (not self._tried_early or self._doubts()):
            self._tried_early = True
            self._read_early(frame)

    def _watched(self, frame: Frame, gap_s: float) -> Iterator[TrayEvent]:
        """Whether the tray can be seen at all; and where it lies now."""
        movement, calm = self._settle.movement, self._settle.state is MotionState.STILL
        trouble = self._health.see(frame, calm, movement.speed < movement.resting_bound) or self._astray(frame)
        if movement.hand:
            self._hand_s = frame.at_s
        if trouble is not TrayState.BLURRED:
            self._clear_s = frame.at_s
        by_hand = self._trouble is None and frame.at_s - min(self._hand_s, self._clear_s) < HAND_BLURS_S
        hidden = trouble is TrayState.BLURRED and by_hand
        trouble = None if hidden else trouble
        self._doubted_s = self._doubted_s + gap_s if hidden or self._health.doubts or self._settle.veiled else 0.0
        if gap_s >= GAP_S or self._doubted_s >= GAP_S:
            self._tracker.gap()
        if trouble is self._trouble:
            return
        before, self._trouble, self._told = self._trouble, trouble, None
        if not {before, trouble} <= {None, TrayState.FROZEN}:  # a picture that stood still shows plainly what is new in the next one
            self._tracker.blind()
            self._forget()
        yield StateChanged(frame.at_s, trouble or TrayState.WAITING)

    def _astray(self, frame: Frame) -> TrayState | None:
        """Looks after the tray's place while the tray is at rest: MOVED while it is not found any more."""
        if self._calibration is None:
            return None
        lost = self._trouble is TrayState.MOVED
        due = self._looked_s is None or frame.at_s - self._looked_s >= FOLLOW_S
        if due and (lost or self._settle.state is MotionState.STILL):
            self._looked_s = frame.at_s
            self._calibration.look(frame.picture)
        place = self._calibration.place
        if self._placed != (place, frame.size_wh):
            self._placed = (place, frame.size_wh)
            self._settle.place(*(_small_place(place, frame.size_wh) if place else (None, None)))
        return TrayState.MOVED if place and self._calibration.drift is Drift.LOST else None

    @property
    def waits(self) -> bool:
        """True when the tray was read and nothing has moved on it for a while: fewer frames will do."""
        return self._done and self._seen_s is not None and self._settle.waits_at(self._seen_s)

    def again(self) -> None:
        """Forgets what was read: the next frame at rest is read anew, and told, its latency counted from that frame."""
        self._forget()
        self._asked = True

    def _forget(self) -> None:
        self._done = self._asked = self._tried_early = self._hand_rests = False
        self._readings, self._read, self._broken_off = [], None, None

    def _changed(self, state: MotionState, frame: Frame) -> Iterator[TrayEvent]:
        before, self._told = self._told, state
        if state is MotionState.MOVING:
            begun = self._begun() if before is MotionState.STILL else None
            self._forget()
            self._broken_off = begun
            yield StateChanged(frame.at_s, TrayState.ROLLING)
        elif state is MotionState.HAND:
            begun = self._begun() if before is MotionState.STILL else self._broken_off
            if begun is not None and frame.at_s - begun[1].at_s < BROKEN_OFF_S:
                yield self._settled(*begun, self._clock())
            self._forget()
            yield StateChanged(frame.at_s, TrayState.HAND)
        elif state is MotionState.SETTLING:
            self._forget()
            yield StateChanged(frame.at_s, TrayState.SETTLING)
        elif not self._done:
            yield StateChanged(frame.at_s, TrayState.READING)

    def _begun(self) -> tuple[Reading, Frame] | None:
        """What was read of a tray at rest and not told yet, and the frame of it; None where too little was read to say."""
        if self._done or self._read is None or len(self._readings) < MIN_READINGS:
            return None
        reading = self._level.judged(fused(self._readings))
        return (reading, self._read) if reading.sure or len(self._readings) >= UNSURE_READINGS else None

    def _half_settled(self, frame: Frame) -> bool:
        since = self._settle.slow_since
        return since is not None and frame.at_s - since >= EARLY_SHARE * self._settle.settle_s

    # -- dice in motion ------------------------------------------------------------------------------------------------

    def _sight(self, frame: Frame) -> None:
        """Follows the dice, some ten times a second; and where every die is seen to lie still, the tray is at rest."""
        if self._sighted_s is not None and 0 <= frame.at_s - self._sighted_s < SIGHTING_S:
            return
        self._sighted_s = frame.at_s
        try:
            self._follow(self._reader.read(frame.picture), frame)
        except Exception:
            log.debug("a sighting failed", exc_info=True)
            return
        if self._lie_still():
            self._settle.believe()

    def _lie_still(self) -> bool:
        """Whether the dice are at rest by what was seen of them, though the picture is not quiet or a hand is in it."""
        movement, reading = self._settle.movement, self._sighted[-1][1]
        if not movement.hand and not movement.resting:
            return movement.unread < UNREAD_DICE and self._steady(self._settle.settle_s)
        beside = self._tracker.differs(reading, self._settle.hand)
        return (beside and self._steady(BESIDE_HAND_S if movement.hand else self._settle.settle_s)) or self._steady(UNDER_HAND_S)

    def _follow(self, reading: Reading, frame: Frame) -> None:
        self._sighted.append((frame.at_s, reading))
        self._settle.read(reading.dice, reading.size_wh)
        hand = self._settle.hand_at_rest if self._settle.state is MotionState.STILL else self._settle.hand
        if self._settle.movement.hand:
            self._tracker.hand_at(hand, frame.at_s)
        self._tracker.sight(reading, hand, frame.at_s)

    def _steady(self, for_s: float) -> bool:
        """Whether the last sightings show the same dice, lying still for so long."""
        at_s, last = self._sighted[-1]
        if not last.dice:
            return False
        for seen_s, reading in reversed(self._sighted):
            if not lie_still(reading.dice, last.dice):
                return False
            if at_s - seen_s >= for_s:
                return True
        return False

    # -- dice at rest --------------------------------------------------------------------------------------------------

    def _doubts(self) -> bool:
        """Whether the early reading is in doubt and more of them help: where nothing moves at all, they need not wait for rest."""
        taken = self._readings
        return bool(taken) and not taken[-1].sure and len(taken) < MAX_READINGS - 1 and self._settle.movement.frozen

    def _read_early(self, frame: Frame) -> None:
        """A first reading; one that fails is no reading, the next will tell."""
        try:
            self._readings.append(self._level.judged(self._reader.read(frame.picture)))
            self._follow(self._readings[-1], frame)
        except Exception:
            log.debug("the early reading failed", exc_info=True)

    def _confirmed(self, frame: Frame, arrived: float) -> Iterator[TrayEvent]:
        """Reads; tells when this reading and the one before are sure and agree, or when there were enough of them."""
        try:
            reading = self._level.judged(self._reader.read(frame.picture))
        except Exception as error:
            log.exception("the reader broke on a picture")
            self._done = True
            yield ReadFailed(error)
            return
        self._readings.append(reading)
        self._read = frame
        self._follow(reading, frame)
        before = self._readings[-2] if len(self._readings) > 1 else None
        if self._may_tip(reading, frame):
            self._readings = self._readings[-MAX_READINGS:]
        elif before and before.sure and reading.sure and consistent(before, reading):
            yield self._settled(reading, frame, arrived)
        elif len(self._readings) >= MAX_READINGS:
            yield self._settled(self._level.judged(fused(self._readings)), frame, arrived)

    def _may_tip(self, reading: Reading, frame: Frame) -> bool:
        """Whether a die that came to rest only just now may lean."""
        since = self._settle.slow_since
        return since is not None and frame.at_s - since < LEANING_S and self._level.may_lean(reading)

    def _settled(self, reading: Reading, frame: Frame, arrived: float) -> Settled:
        self._done = True
        self._level.learn(reading)
        self._sighted.clear()
        self._settle.read(reading.dice, reading.size_wh, at_rest=True)
        tracks = self._tracker.settled(reading, self._settle.hand_at_rest, frame.at_s)
        place = self._calibration.place if self._calibration else None
        if place:
            reading, tracks = zoned(reading, tracks, place)
        since = None if self._asked else self._settle.slow_since
        waited_s = frame.at_s - since if since is not None else 0.0
        self._hand_rests = self._settle.hand_rests
        return Settled(reading, frame, 1000 * (waited_s + self._clock() - arrived), tracks, self._hand_rests)


def lie_still(before: Sequence[SeenDie], now: Sequence[SeenDie]) -> bool:
    """Whether the same dice are seen where they were; one that is not read surely may be read now so, now so."""
    return len(before) == len(now) and all(
        any(near(was, die, STEADY_SIDES) and (was.face == die.face or not (was.sure and die.sure)) for was in before) for die in now
    )


def zoned(reading: Reading, tracks: Tracks, place: Place) -> tuple[Reading, Tracks]:
    """The reading and the tracks of the dice in the tray; those beside it are only told of."""

    def zone_of(die: SeenDie) -> Zone:
        return place.zone_at(die.centre_xy, reading.size_wh, die.side)

    zones = [(track, zone_of(track.seen)) for track in tracks.dice]
    inside = tuple(replace(t, aside=zone is Zone.ASIDE) for t, zone in zones if zone is not Zone.OUTSIDE)
    outside = [t for t, zone in zones if zone is Zone.OUTSIDE]
    left = [Gone(t.id, t.was, Leaving.LIFTED if t.fate is Fate.MOVED else Leaving.ROLLED_OUT) for t in outside if t.was]
    gone = tuple(g for g in (*tracks.gone, *left) if zone_of(g.was) is not Zone.OUTSIDE)
    tracks = replace(tracks, dice=inside, gone=gone, outside=tuple(t.seen for t in outside))
    return replace(reading, dice=tuple(t.seen for t in inside)), tracks


def _small_place(place: Place, size_wh: tuple[int, int]) -> tuple[Mask, float]:
    """Where the tray lies in the small picture, and the side of a die there, px."""
    small_wh = (SMALL_W, max(round(SMALL_W * size_wh[1] / size_wh[0]), WINDOW_PX))
    middle = (float(np.mean([x for x, _ in place.corners])) * SMALL_W, float(np.mean([y for _, y in place.corners])) * small_wh[1])
    return np.asarray(place.mask(small_wh, grow_px=1) > 0), place.die_px_at(middle, small_wh)
