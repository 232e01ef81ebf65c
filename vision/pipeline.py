"""Turns frames into events: settling, reading, tracking and the state of the camera. It has no thread.

A reading is reported once two in a row agree and are sure, or once several are fused (vision.reading.fusion).
The first is taken while the dice still settle, and more of them if it is uncertain. So there is usually only
one reading between rest and ruling.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from table.common.tray import TrayState
from vision.dice_reader import DiceReader, StickWatcher
from vision.events import ReadFailed, Settled, StateChanged, TrayEvent
from vision.frames import Frame
from vision.health.camera_health import Health
from vision.reading.fusion import consistent, fused
from vision.reading.ground_plane import PlaneEstimator
from vision.readings import Reading, SeenDie, SeenStick
from vision.settling.motion import SMALL_W, WINDOW_PX, Mask
from vision.settling.settle import MAX_UNREAD_AREA, MotionState, SettleDetector
from vision.stick_places import same_place, width_px
from vision.tracking.stick_tracker import StickTracker
from vision.tracking.stick_tracks import NO_STICK_TRACKS
from vision.tracking.tracker import Tracker, is_near
from vision.tracking.tracks import LossReason, LostTrack, TrackOutcome, Tracks
from vision.tray.calibration import Calibration
from vision.tray.drift import Drift
from vision.tray.region import TrayRegion, Zone

MAX_READINGS = 6
"""Maximum number of readings of a tray at rest before they are fused and reported, unsure where they are;
half a second on a Pi."""

MIN_READINGS, MIN_UNSURE_READINGS, INTERRUPTED_S = 2, 4, 0.4
"""Where a hand interrupts the reading, MIN_READINGS are enough to report, or MIN_UNSURE_READINGS if they are
not sure. The hand may first be seen as mere motion, for INTERRUPTED_S."""

EARLY_SHARE = 0.5
"""The first reading is taken when this share of the settling time has passed."""

UNSEEN_GAP_S = 0.5
"""Minimum duration of a gap, without frames or with an uncertain view, in which a throw can be missed."""

HAND_BLUR_S = 1.5
"""A blur is the hand's, which is nearer to the lens than the tray, while a hand and a sharp picture were both
seen within this time. A longer blur is reported. A sudden blur is itself classified as a hand for some 1.3 s,
and has to be reported within 3 s."""

TRAY_CHECK_S = 1.0
"""Interval at which the region of the tray is checked."""

TRACKING_INTERVAL_S = 0.06
"""Minimum time between two readings of a tray in motion: every frame of a camera with ten frames a second,
every second one of thirty."""

BESIDE_HAND_S = 1.2
"""Dice that lie still for this time are read even while a hand moves elsewhere over the tray."""

UNDER_HAND_S = 2.0
"""Dice that stay still for this time are read even under an apparent hand, unless it hides dice: it may be a
change of light."""

MAX_TRACKED_READINGS = 48
"""Readings in motion that are kept to find dice that lie still: three seconds at sixteen a second."""

TIPPING_S = 1.0
"""Time at rest in which a die that may lean can still tip over; nothing is reported before."""

MAX_JITTER_SIDES = 0.15
"""Maximum motion between readings of dice that lie still in a picture with motion, in sides of a die."""

log = logging.getLogger("brehon.vision")


class Pipeline:
    """Turns frames into events. Use it from one thread only.

    calibration: where the tray lies; None: everywhere. stills: the frames are photographs of one throw after
    another, so new dice in them were thrown. clock: seconds, used for the latency only.
    """

    def __init__(
        self,
        reader: DiceReader,
        settle_detector: SettleDetector | None = None,
        clock: Callable[[], float] = time.perf_counter,
        *,
        calibration: Calibration | None = None,
        stills: bool = False,
    ) -> None:
        self._reader, self._clock = reader, clock
        self._motion = settle_detector or SettleDetector(hands=not stills)
        self._tracker = Tracker(stills)
        self._sticks: StickTracker | None = None
        if isinstance(reader, StickWatcher):
            reader.sticks = False  # until watch_sticks; an earlier pipeline may have turned it on
        self._health = Health()
        self._trouble: TrayState | None = None
        self._uncertain_s = 0.0
        self._calibration = calibration
        self._tray_checked_s: float | None = None
        self._tray_set: tuple[TrayRegion | None, tuple[int, int]] | None = None
        self._reported_state: MotionState | None = None
        self._last_frame_s: float | None = None
        self._tracked_s: float | None = None
        self._hand_s = self._sharp_s = -HAND_BLUR_S
        self._tracked: deque[tuple[float, Reading]] = deque(maxlen=MAX_TRACKED_READINGS)
        self._readings: list[Reading] = []
        self._read_frame: Frame | None = None
        self._interrupted: tuple[Reading, Frame] | None = None
        self._plane = PlaneEstimator()
        self._reported = self._requested = self._tried_early = self._hand_rests = False

    def process(self, frame: Frame) -> Iterator[TrayEvent]:
        """The events of this frame: changes of state, and a reading once the tray is at rest."""
        started_s = self._clock()
        gap_s = frame.at_s - self._last_frame_s if self._last_frame_s is not None else 0.0
        self._last_frame_s = frame.at_s
        yield from self._check_view(frame, gap_s)
        if self._trouble is TrayState.FROZEN:
            self._mark_gap()
        elif self._trouble or self._health.uncertain:
            return
        state = self._motion.update(frame)
        if state is not MotionState.AT_REST and not self._half_settled(frame):
            self._track(frame)
            state = self._motion.state
        if state is not self._reported_state:
            yield from self._report_change(state, frame)
        if self._hand_rests and not self._motion.hand_rests:
            self._reset()  # the sleeve left too slowly to be seen leaving
        if state is MotionState.AT_REST and not self._reported:
            yield from self._read_at_rest(frame, started_s)
        elif state is MotionState.SETTLING and self._half_settled(frame) and self._may_read_early():
            self._tried_early = True
            self._read_early(frame)

    def _check_view(self, frame: Frame, gap_s: float) -> Iterator[TrayEvent]:
        """Checks the camera's health and the region of the tray; yields StateChanged when they change."""
        movement, at_rest = self._motion.movement, self._motion.state is MotionState.AT_REST
        motionless = movement.speed < movement.rest_threshold
        trouble = self._health.update(frame, at_rest, motionless) or self._check_tray(frame)
        if movement.hand_area:
            self._hand_s = frame.at_s
        if trouble is not TrayState.BLURRED:
            self._sharp_s = frame.at_s
        by_hand = self._trouble is None and frame.at_s - min(self._hand_s, self._sharp_s) < HAND_BLUR_S
        ignored = trouble is TrayState.BLURRED and by_hand
        trouble = None if ignored else trouble
        uncertain = ignored or self._health.uncertain or self._motion.view_lost
        self._uncertain_s = self._uncertain_s + gap_s if uncertain else 0.0
        if gap_s >= UNSEEN_GAP_S or self._uncertain_s >= UNSEEN_GAP_S:
            self._mark_gap()
        if trouble is self._trouble:
            return
        before, self._trouble, self._reported_state = self._trouble, trouble, None
        if not {before, trouble} <= {None, TrayState.FROZEN}:  # a frame after a frozen one shows what is new
            self._tracker.mark_blind()
            self._mark_gap()
            self._reset()
        yield StateChanged(frame.at_s, trouble or TrayState.WAITING)

    def _mark_gap(self) -> None:
        """Notes a time in which a throw can be missed."""
        self._tracker.mark_gap()
        if self._sticks is not None:
            self._sticks.mark_unseen()

    def _check_tray(self, frame: Frame) -> TrayState | None:
        """Checks the region of the tray while it is at rest. Returns MOVED while the tray is not found."""
        if self._calibration is None:
            return None
        lost = self._trouble is TrayState.MOVED
        due = self._tray_checked_s is None or frame.at_s - self._tray_checked_s >= TRAY_CHECK_S
        if due and (lost or self._motion.state is MotionState.AT_REST):
            self._tray_checked_s = frame.at_s
            self._calibration.update(frame.picture)
        region = self._calibration.region
        if self._tray_set != (region, frame.size_wh):
            self._tray_set = (region, frame.size_wh)
            self._motion.set_tray(*(_small_tray_mask(region, frame.size_wh) if region else (None, None)))
        return TrayState.MOVED if region and self._calibration.drift is Drift.LOST else None

    @property
    def idle(self) -> bool:
        """True if the tray was read and nothing has moved on it for a while: fewer frames suffice."""
        return self._reported and self._last_frame_s is not None and self._motion.idle_at(self._last_frame_s)

    def read_again(self) -> None:
        """Discards the readings. The next frame at rest is read anew and reported, with the latency counted
        from that frame."""
        self._reset()
        self._requested = True

    def watch_sticks(self, on: bool) -> None:
        """Makes the reader read sticks too, or dice only. Turned on, a tray at rest is read anew."""
        if on is (self._sticks is not None) or not isinstance(self._reader, StickWatcher):
            return
        self._reader.sticks = on
        self._sticks = StickTracker() if on else None
        if on:
            self.read_again()

    def _reset(self) -> None:
        self._reported = self._requested = self._tried_early = self._hand_rests = False
        self._readings, self._read_frame, self._interrupted = [], None, None

    def _report_change(self, state: MotionState, frame: Frame) -> Iterator[TrayEvent]:
        """Reports a new state, and resets the readings. A sufficient reading is reported before HAND."""
        before, self._reported_state = self._reported_state, state
        if state is MotionState.MOVING:
            partial = self._partial_reading() if before is MotionState.AT_REST else None
            self._reset()
            self._interrupted = partial
            yield StateChanged(frame.at_s, TrayState.ROLLING)
        elif state is MotionState.HAND:
            partial = self._partial_reading() if before is MotionState.AT_REST else self._interrupted
            if partial is not None and frame.at_s - partial[1].at_s < INTERRUPTED_S:
                yield self._report(*partial, self._clock())
            self._reset()
            yield StateChanged(frame.at_s, TrayState.HAND)
        elif state is MotionState.SETTLING:
            self._reset()
            yield StateChanged(frame.at_s, TrayState.SETTLING)
        elif not self._reported:
            yield StateChanged(frame.at_s, TrayState.READING)

    def _partial_reading(self) -> tuple[Reading, Frame] | None:
        """The fused, unreported reading of a tray at rest, and its frame; None with too few readings."""
        if self._reported or self._read_frame is None or len(self._readings) < MIN_READINGS:
            return None
        reading = self._plane.mark_cocked(fused(self._readings))
        enough = reading.sure or len(self._readings) >= MIN_UNSURE_READINGS
        return (reading, self._read_frame) if enough else None

    def _half_settled(self, frame: Frame) -> bool:
        """Whether the tray has been slow long enough for an early reading."""
        slow_since = self._motion.slow_since
        return slow_since is not None and frame.at_s - slow_since >= EARLY_SHARE * self._motion.settle_s

    # -- dice in motion -----------------------------------------------------------------------------

    def _track(self, frame: Frame) -> None:
        """Reads the tray in motion for the tracker, about ten times a second. Where every die lies still, the
        tray is at rest."""
        if self._tracked_s is not None and 0 <= frame.at_s - self._tracked_s < TRACKING_INTERVAL_S:
            return
        self._tracked_s = frame.at_s
        try:
            self._update_tracks(self._reader.read(frame.picture), frame)
        except Exception:
            log.debug("a reading in motion failed", exc_info=True)
            return
        if self._all_still():
            self._motion.mark_at_rest()

    def _all_still(self) -> bool:
        """Whether the readings show all dice still, although something moves or a hand is in the picture."""
        movement, reading = self._motion.movement, self._tracked[-1][1]
        if not movement.hand_area and not movement.resting_area:
            return movement.unread_area < MAX_UNREAD_AREA and self._steady(self._motion.settle_s)
        new_dice = self._tracker.shows_other_dice(reading, self._motion.hand_mask)
        beside_s = BESIDE_HAND_S if movement.hand_area else self._motion.settle_s
        hides_dice = movement.hand_area > 0 and self._motion.dice_missing
        return (new_dice and self._steady(beside_s)) or (not hides_dice and self._steady(UNDER_HAND_S))

    def _update_tracks(self, reading: Reading, frame: Frame) -> None:
        """Hands a reading to the settle detector and to the tracker."""
        self._tracked.append((frame.at_s, reading))
        self._motion.update_dice(reading.dice, reading.size_wh, sticks=reading.sticks)
        at_rest = self._motion.state is MotionState.AT_REST
        hand_mask = self._motion.hand_mask_at_rest if at_rest else self._motion.hand_mask
        if self._motion.movement.hand_area:
            self._tracker.add_hand_mask(hand_mask, frame.at_s)
        self._tracker.update(reading, hand_mask, frame.at_s)
        if self._sticks is not None:
            self._sticks.update(self._sticks_in_tray(reading), reading.size_wh, hand_mask)

    def _steady(self, duration_s: float) -> bool:
        """Whether the readings of the last `duration_s` show the same dice and sticks in the same places."""
        at_s, last = self._tracked[-1]
        if not last.dice and not last.sticks:
            return False
        for earlier_s, reading in reversed(self._tracked):
            if not same_dice_at_rest(reading.dice, last.dice):
                return False
            if not same_sticks_at_rest(reading.sticks, last.sticks):
                return False
            if at_s - earlier_s >= duration_s:
                return True
        return False

    # -- dice at rest -------------------------------------------------------------------------------

    def _may_read_early(self) -> bool:
        """Whether there is no early reading yet, or it is unsure and another one helps. It need not wait
        for rest if nothing moves at all."""
        if not self._tried_early:
            return True
        if not self._readings or self._readings[-1].sure:
            return False
        return len(self._readings) < MAX_READINGS - 1 and self._motion.movement.motionless

    def _read_early(self, frame: Frame) -> None:
        """Takes an early reading. An error is only logged: the next reading will report it."""
        try:
            self._readings.append(self._plane.mark_cocked(self._reader.read(frame.picture)))
            self._update_tracks(self._readings[-1], frame)
        except Exception:
            log.debug("the early reading failed", exc_info=True)

    def _read_at_rest(self, frame: Frame, started_s: float) -> Iterator[TrayEvent]:
        """Reads the tray at rest. Reports after two sure readings in a row that agree, or MAX_READINGS."""
        try:
            reading = self._plane.mark_cocked(self._reader.read(frame.picture))
        except Exception as error:
            log.exception("the reader failed on a picture")
            self._reported = True
            yield ReadFailed(error)
            return
        self._readings.append(reading)
        self._read_frame = frame
        self._update_tracks(reading, frame)
        before = self._readings[-2] if len(self._readings) > 1 else None
        if self._may_tip(reading, frame):
            self._readings = self._readings[-MAX_READINGS:]
        elif before and before.sure and reading.sure and consistent(before, reading):
            yield self._report(reading, frame, started_s)
        elif len(self._readings) >= MAX_READINGS:
            yield self._report(self._plane.mark_cocked(fused(self._readings)), frame, started_s)

    def _may_tip(self, reading: Reading, frame: Frame) -> bool:
        """Whether a die that came to rest only just now may lean."""
        slow_since = self._motion.slow_since
        return slow_since is not None and frame.at_s - slow_since < TIPPING_S and self._plane.may_tip(reading)

    def _report(self, reading: Reading, frame: Frame, started_s: float) -> Settled:
        """The event for this reading, with the tracks; updates everything that is learned at rest."""
        self._reported = True
        self._plane.update(reading)
        self._tracked.clear()
        self._motion.update_dice(reading.dice, reading.size_wh, at_rest=True, sticks=reading.sticks)
        hand_mask = self._motion.hand_mask_at_rest
        tracks = self._tracker.settled(reading, hand_mask, frame.at_s)
        reading = replace(reading, sticks=self._sticks_in_tray(reading))
        stick_tracks = (
            self._sticks.settled(reading.sticks, reading.size_wh, hand_mask)
            if self._sticks is not None
            else NO_STICK_TRACKS
        )
        region = self._calibration.region if self._calibration else None
        if region:
            reading, tracks = split_by_zone(reading, tracks, region)
        since = None if self._requested else self._motion.slow_since
        waited_s = frame.at_s - since if since is not None else 0.0
        self._hand_rests = self._motion.hand_rests
        latency_ms = 1000 * (waited_s + self._clock() - started_s)
        return Settled(reading, frame, latency_ms, tracks, self._hand_rests, stick_tracks)

    def _sticks_in_tray(self, reading: Reading) -> tuple[SeenStick, ...]:
        """The sticks of the reading that lie in the tray, where its place is known."""
        region = self._calibration.region if self._calibration else None
        if region is None:
            return reading.sticks
        return tuple(
            stick
            for stick in reading.sticks
            if region.zone_at(stick.centre_xy, reading.size_wh, width_px(stick)) is not Zone.OUTSIDE
        )


def same_dice_at_rest(earlier: Sequence[SeenDie], later: Sequence[SeenDie]) -> bool:
    """Whether the same dice are detected in the same places. An unsure die may change its face."""
    return len(earlier) == len(later) and all(
        any(
            is_near(other, die, MAX_JITTER_SIDES)
            and (other.face == die.face or not (other.sure and die.sure))
            for other in earlier
        )
        for die in later
    )


def same_sticks_at_rest(earlier: Sequence[SeenStick], later: Sequence[SeenStick]) -> bool:
    """Whether the same sticks are detected in the same places, whatever faces they are given."""
    return len(earlier) == len(later) and all(any(same_place(a, b) for a in earlier) for b in later)


def split_by_zone(reading: Reading, tracks: Tracks, region: TrayRegion) -> tuple[Reading, Tracks]:
    """The reading and the tracks of the dice in the tray. `tracks.outside` lists the dice beside it."""

    def zone_of(die: SeenDie) -> Zone:
        return region.zone_at(die.centre_xy, reading.size_wh, die.side)

    zones = [(track, zone_of(track.seen)) for track in tracks.dice]
    inside = tuple(replace(t, aside=zone is Zone.ASIDE) for t, zone in zones if zone is not Zone.OUTSIDE)
    outside = [t for t, zone in zones if zone is Zone.OUTSIDE]
    now_outside = [LostTrack(t.id, t.was, _loss_reason(t.outcome)) for t in outside if t.was]
    lost = tuple(g for g in (*tracks.lost, *now_outside) if zone_of(g.was) is not Zone.OUTSIDE)
    tracks = replace(tracks, dice=inside, lost=lost, outside=tuple(t.seen for t in outside))
    return replace(reading, dice=tuple(t.seen for t in inside)), tracks


def _loss_reason(outcome: TrackOutcome) -> LossReason:
    """How a die that lies outside the tray now left it."""
    return LossReason.LIFTED if outcome is TrackOutcome.MOVED else LossReason.ROLLED_OUT


def _small_tray_mask(region: TrayRegion, size_wh: tuple[int, int]) -> tuple[Mask, float]:
    """The tray's mask in the small picture, and the side of a die there, px."""
    small_wh = (SMALL_W, max(round(SMALL_W * size_wh[1] / size_wh[0]), WINDOW_PX))
    x_share, y_share = np.mean(region.corners, axis=0)
    middle = (float(x_share) * SMALL_W, float(y_share) * small_wh[1])
    return np.asarray(region.mask(small_wh, grow_px=1) > 0), region.die_px_at(middle, small_wh)
