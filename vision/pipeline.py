"""Turns frames into events: settling, reading, tracking and the state of the camera. It has no thread.

A reading is reported once two in a row agree and are sure, or once several are fused (vision.reading.fusion).
The first is taken while the dice still settle, and more of them if it is uncertain. So there is usually only
one reading between rest and ruling.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count

from table.common.tray import TrayState
from vision.closer_look import CloserLook
from vision.dice_reader import CoinWatcher, DiceReader, StickWatcher
from vision.events import Previewed, ReadFailed, Settled, StateChanged, TrayEvent
from vision.frames import Frame
from vision.lamps import BlinkingLamps
from vision.reading.ground_plane import PlaneEstimator, touches_another
from vision.reading.readings_at_rest import MAX_READINGS, ReadingsAtRest
from vision.readings import Reading, SeenStick
from vision.settling.motion import Mask
from vision.settling.settle import MAX_UNREAD_AREA, MotionState, SettleDetector
from vision.stick_places import width_px
from vision.tracking.readings_in_motion import ReadingsInMotion, gone_since
from vision.tracking.stick_tracker import StickTracker
from vision.tracking.stick_tracks import NO_STICK_TRACKS
from vision.tracking.tracker import Tracker, is_touched
from vision.tray.calibration import Calibration
from vision.tray.region import Zone
from vision.tray.zones import dice_in_tray, split_by_zone
from vision.view import View

INTERRUPTED_S = 0.4
"""A hand that interrupts the reading may first be seen as mere motion, for this time."""

EARLY_SHARE = 0.5
"""The first reading is taken when this share of the settling time has passed."""

BESIDE_HAND_S = 1.2
"""Dice that lie still for this time are read even while a hand moves elsewhere over the tray."""

TAKEN_S, TAKEN_AT_HAND_S = 0.5, 1.0
"""Dice that lay still for this time beside a hand, or for this time at one, are a throw if a hand takes them
now: impatient players do so before BESIDE_HAND_S has passed."""

BESIDE_BANDS_S = 1.2
"""New dice that lie still for this time are read even while strong bands of a lamp move over the picture."""

UNDER_HAND_S = 1.5
"""Dice that stay still for this time are read even under an apparent hand, unless it hides dice: it may be a
change of light."""

MIN_LIT_AREA = 3.0
"""Area of motion away from the dice, in dice, from which it is no die that rolls undetected. After the same
time it may be a change of light, too."""

log = logging.getLogger("brehon.vision")


class Pipeline:
    """Turns frames into events. Use it from one thread only.

    calibration: where the tray lies; None: everywhere. stills: the frames are photographs of one throw after
    another, so new dice in them were thrown. numbers: of the dice and sticks that it tracks; None: from 0.
    clock: seconds, used for the latency only.
    """

    def __init__(
        self,
        reader: DiceReader,
        settle_detector: SettleDetector | None = None,
        clock: Callable[[], float] = time.perf_counter,
        *,
        calibration: Calibration | None = None,
        stills: bool = False,
        numbers: Iterator[int] | None = None,
    ) -> None:
        self._reader, self._clock = reader, clock
        self._motion = settle_detector or SettleDetector(hands=not stills)
        self._numbers = numbers if numbers is not None else count()
        self._tracker = Tracker(stills, self._numbers)
        self._closer_look, self._lamps = CloserLook(reader), BlinkingLamps()
        self._sticks: StickTracker | None = None
        self._watched = False, False
        if isinstance(reader, StickWatcher):
            reader.sticks = False  # until watch_sticks; an earlier pipeline may have turned it on
        self._view = View(self._motion, calibration)
        self._plane = PlaneEstimator()
        self._at_rest = ReadingsAtRest(self._plane)
        self._in_motion = ReadingsInMotion()
        self._reported_state: MotionState | None = None
        self._last_frame_s: float | None = None
        self._hand_rests = False
        self._lay_beside_hand: tuple[Frame, Mask | None] | None = None

    def process(self, frame: Frame) -> Iterator[TrayEvent]:
        """The events of this frame: changes of state, and a reading once the tray is at rest."""
        started_s = self._clock()
        self._last_frame_s = frame.at_s
        yield from self._check_view(frame)
        if self._view.frozen:
            self._mark_gap()
        elif self._view.uncertain or self._view.trouble not in (None, TrayState.FROZEN):
            return
        state = self._motion.update(frame)
        if state is not MotionState.AT_REST and not self._half_settled(frame):
            yield from self._track(frame)
            state = self._motion.state
        if self._view.frozen:
            return  # what seems to move comes again and again
        if state is not self._reported_state:
            yield from self._report_change(state, frame)
        if self._hand_rests and not self._motion.hand_rests:
            self._reset()  # the sleeve left too slowly to be seen leaving
        if state is MotionState.AT_REST and not self._at_rest.reported:
            yield from self._read_at_rest(frame, started_s)
        elif state is MotionState.SETTLING and self._early_reading_due(frame):
            yield from self._read_early(frame)

    def _check_view(self, frame: Frame) -> Iterator[TrayEvent]:
        """Checks whether the camera sees the tray; yields StateChanged where that changes."""
        view = self._view.check(frame)
        if view.unseen:
            self._tracker.mark_blind()
            self._reset()
        if view.gap:
            self._mark_gap()
        if view.changed:
            self._reported_state = None
            yield StateChanged(frame.at_s, self._view.trouble or TrayState.WAITING)

    def _mark_gap(self) -> None:
        """Notes a time in which a throw can be missed."""
        self._tracker.mark_gap()
        if self._sticks is not None:
            self._sticks.mark_unseen()

    @property
    def idle(self) -> bool:
        """True if the tray was read and nothing has moved on it for a while: fewer frames suffice."""
        return (
            self._at_rest.reported
            and self._last_frame_s is not None
            and self._motion.idle_at(self._last_frame_s)
        )

    def read_again(self) -> None:
        """Discards the readings. The next frame at rest is read anew and reported, with the latency counted
        from that frame."""
        self._reset()
        self._at_rest.requested = True

    def watch_sticks(self, on: bool, coins: bool = False) -> None:
        """Makes the reader read sticks too, or dice only. Turned on, a tray at rest is read anew.

        coins: the game is played with coins in place of sticks.
        """
        if self._watched == (on, coins) or not isinstance(self._reader, StickWatcher):
            return
        self._watched = on, coins
        if isinstance(self._reader, CoinWatcher):
            self._reader.coins = coins
        self._reader.sticks = on
        self._sticks = StickTracker(self._numbers) if on else None
        if on:
            self.read_again()

    def _reset(self) -> None:
        self._at_rest, self._hand_rests = ReadingsAtRest(self._plane), False
        self._closer_look.start()

    def _report_change(self, state: MotionState, frame: Frame) -> Iterator[TrayEvent]:
        """Reports a new state, and resets the readings. A sufficient reading is reported before HAND."""
        before, self._reported_state = self._reported_state, state
        partial = self._at_rest.partial() if before is MotionState.AT_REST else None
        if state is MotionState.MOVING:
            self._reset()
            self._at_rest.interrupted = partial
            yield StateChanged(frame.at_s, TrayState.ROLLING)
        elif state is MotionState.HAND:
            if before is not MotionState.AT_REST:
                partial = self._at_rest.interrupted
            if partial is not None and frame.at_s - partial[1].at_s < INTERRUPTED_S:
                yield self._report(*partial, self._clock())
            self._reset()
            yield StateChanged(frame.at_s, TrayState.HAND)
        elif state is MotionState.SETTLING:
            self._reset()
            yield StateChanged(frame.at_s, TrayState.SETTLING)
        elif not self._at_rest.reported:
            yield StateChanged(frame.at_s, TrayState.READING)

    def _half_settled(self, frame: Frame) -> bool:
        """Whether the tray has been slow long enough for an early reading."""
        slow_since = self._motion.slow_since
        return slow_since is not None and frame.at_s - slow_since >= EARLY_SHARE * self._motion.settle_s

    # -- dice in motion -----------------------------------------------------------------------------

    def _track(self, frame: Frame) -> Iterator[TrayEvent]:
        """Reads the tray in motion for the tracker, about ten times a second. Where every die lies still, the
        tray is at rest. Reports what lay still until a hand came to it."""
        if self._motion.held or not self._in_motion.due(frame.at_s):
            return
        taken: tuple[TrayEvent, ...] = ()
        before = self._in_motion.last
        try:
            reading = self._read(frame)
            if self._lay_beside_hand is not None and self._takes_dice(reading):
                taken = tuple(self._report_taken(*self._lay_beside_hand, frame.at_s))
            self._update_tracks(reading, frame)
        except Exception:
            log.debug("a reading in motion failed", exc_info=True)
            return
        yield from taken
        yield from self._preview_early(before, reading, frame)
        if self._all_still():
            self._motion.mark_at_rest()
            self._at_rest.add_earlier(self._in_motion.recent(MAX_READINGS - 1))
        self._note_dice_beside_hand(frame)

    def _note_dice_beside_hand(self, frame: Frame) -> None:
        """Notes this frame if new dice have lain still in it with a hand in the picture, see TAKEN_S. It is
        forgotten when they no longer lie still."""
        if self._motion.state is not MotionState.HAND or self._motion.awaits_hand:
            self._lay_beside_hand = None
        elif self._new_dice_are_whole_throw():
            self._lay_beside_hand = frame, self._motion.hand_mask
        elif self._lay_beside_hand is not None and not self._in_motion.steady_for(TAKEN_S):
            self._lay_beside_hand = None

    def _new_dice_are_whole_throw(self) -> bool:
        """Whether new dice have lain still for so long that they may be taken, and none was taken before."""
        if self._tracker.new_die_was_taken:
            return False
        return self._new_dice_steady_for(TAKEN_S) or self._new_dice_steady_for(TAKEN_AT_HAND_S, at_hand=True)

    def _takes_dice(self, reading: Reading) -> bool:
        """Whether a hand is at dice of the last reading that this one does not show any more."""
        before = self._in_motion.last
        gone = gone_since(before.dice, reading.dice) if before is not None else ()
        if not gone:
            return False
        self._motion.update_dice(reading.dice, reading.size_wh, sticks=reading.sticks)
        return any(is_touched(self._motion.hand_mask, die, reading.size_wh) for die in gone)

    def _report_taken(self, frame: Frame, hand_mask: Mask | None, at_s: float) -> Iterator[TrayEvent]:
        """Reports what lay beside a hand in this frame, which a hand takes at this time, s."""
        readings = self._in_motion.recent(MAX_READINGS)
        self._reset()
        self._at_rest.add_earlier(readings, frame)
        partial = self._at_rest.partial()
        if partial is not None:
            yield self._report(*partial, self._clock(), hand_mask)
        self._reset()
        yield StateChanged(at_s, TrayState.HAND)

    def _all_still(self) -> bool:
        """Whether the readings show all dice still, although something moves or a hand is in the picture."""
        movement = self._motion.movement
        if not movement.hand_area and not movement.resting_area:
            if movement.unread_area < MAX_UNREAD_AREA:
                return self._in_motion.steady_for(self._motion.settle_s)
            if movement.unread_area >= MIN_LIT_AREA and self._in_motion.steady_for(UNDER_HAND_S):
                return True
            return movement.banded and self._new_dice_steady_for(BESIDE_BANDS_S)
        if self._motion.awaits_hand:
            return False
        if self._new_dice_steady_for(BESIDE_HAND_S if movement.hand_area else self._motion.settle_s):
            return True
        hides_dice = movement.hand_area > 0 and self._motion.dice_missing
        return not hides_dice and self._in_motion.steady_for(UNDER_HAND_S)

    def _new_dice_steady_for(self, duration_s: float, at_hand: bool = False) -> bool:
        """Whether dice that were not there before have lain still for this time, s. at_hand: whether a hand
        may be at a die."""
        last = self._in_motion.last
        if last is None or not self._in_motion.steady_for(duration_s):
            return False
        return self._tracker.shows_other_dice(last, None if at_hand else self._motion.hand_mask)

    def _update_tracks(self, reading: Reading, frame: Frame) -> None:
        """Hands a reading to the settle detector and to the tracker."""
        self._in_motion.add(reading, frame.at_s)
        if reading.dice and reading.sure:
            self._view.mark_readable(frame.at_s)
        self._motion.update_dice(reading.dice, reading.size_wh, sticks=reading.sticks)
        at_rest = self._motion.state is MotionState.AT_REST
        hand_mask = self._motion.hand_mask_at_rest if at_rest else self._motion.hand_mask
        if self._motion.movement.hand_area:
            self._tracker.add_hand_mask(hand_mask, frame.at_s)
        self._tracker.add_foreground(self._motion.foreground, frame.at_s)
        self._tracker.update(reading, hand_mask, frame.at_s)
        under_hand = self._tracker.is_under_hand(hand_mask, reading.size_wh)
        self._motion.awaits_hand = under_hand or self._tracker.new_die_may_be_covered_one
        if self._sticks is not None:
            self._sticks.update(self._sticks_in_tray(reading), reading.size_wh, hand_mask)

    # -- dice at rest -------------------------------------------------------------------------------

    def _early_reading_due(self, frame: Frame) -> bool:
        """Whether a reading before the tray is at rest helps."""
        motionless = self._motion.movement.motionless
        return self._half_settled(frame) and self._at_rest.may_read_early(motionless)

    def _read_early(self, frame: Frame) -> Iterator[TrayEvent]:
        """Takes an early reading. An error is only logged: the next reading will report it."""
        self._at_rest.tried_early = True
        in_motion = self._in_motion.last
        try:
            reading = self._at_rest.add(self._read_closely(frame))
            self._update_tracks(reading, frame)
        except Exception:
            log.debug("the early reading failed", exc_info=True)
            return
        yield from self._preview_early(in_motion, reading, frame)

    def _read(self, frame: Frame) -> Reading:
        """Reads the tray; lamps that blink are left out."""
        reading = self._reader.read(frame.picture)
        hand_at = partial(is_touched, self._motion.hand_mask, size_wh=reading.size_wh)
        self._lamps.learn(reading, frame.picture, frame.at_s, hand_at)
        return self._lamps.without(reading)

    def _read_closely(self, frame: Frame) -> Reading:
        """Reads the tray at rest, with a closer look at what lies there and is no sure die."""
        reading, motion = self._read(frame), self._motion
        if self._sticks is not None:
            return reading
        at_rest = motion.state is MotionState.AT_REST
        changed = motion.changed_at_rest if at_rest else motion.foreground
        hand_mask = motion.hand_mask_at_rest if at_rest else motion.hand_mask
        improved = self._closer_look.improved(reading, frame.picture, changed, hand_mask, motion.die_px)
        return self._lamps.without(improved)

    def _with_vanished(self, reading: Reading) -> Reading:
        """The reading with the dice, unsure, that were detected since the tray became slow, and not now."""
        slow_since = self._motion.slow_since
        if slow_since is None or self._motion.hand_mask_at_rest is not None:
            return reading
        vanished = (replace(die, sure=False) for die in self._in_motion.vanished(reading, slow_since))
        return replace(reading, dice=(*reading.dice, *vanished))

    def _preview_early(self, before: Reading | None, reading: Reading, frame: Frame) -> Iterator[TrayEvent]:
        """Shows what is read while the tray settles, once nothing moves and the reading before agrees."""
        settling = self._reported_state is MotionState.SETTLING and self._motion.movement.motionless
        if settling and self._at_rest.may_preview_early(before, reading):
            yield self._preview(self._plane.mark_cocked(reading), frame)

    def _preview(self, reading: Reading, frame: Frame) -> Previewed:
        """The event that shows what is read so far, before it suffices."""
        self._at_rest.previewed = True
        region = self._view.region
        return Previewed(frame.at_s, dice_in_tray(reading, region) if region else reading)

    def _read_at_rest(self, frame: Frame, started_s: float) -> Iterator[TrayEvent]:
        """Reads the tray at rest, and reports it once the readings suffice."""
        try:
            detected = self._read_closely(frame)
            reading = self._at_rest.add(self._with_vanished(detected), frame)
        except Exception as error:
            log.exception("the reader failed on a picture")
            self._at_rest.reported = True
            yield ReadFailed(error)
            return
        self._update_tracks(detected, frame)
        if self._motion.flickers and self._in_motion.show_motion:
            self._motion.settle_anew()
            yield from self._report_change(self._motion.state, frame)
            return
        slips = any(touches_another(die, reading.dice) for die in self._in_motion.slipping)
        result = self._at_rest.result(slips or self._plane.may_tip(reading), self._rested_s(frame))
        if result is not None:
            yield self._report(result, frame, started_s)
        elif self._at_rest.may_preview():
            yield self._preview(reading, frame)

    def _rested_s(self, frame: Frame) -> float | None:
        """For how long nothing fast has moved, s; None: something does."""
        slow_since = self._motion.slow_since
        return None if slow_since is None else frame.at_s - slow_since

    def _report(
        self, reading: Reading, frame: Frame, started_s: float, hand_mask: Mask | None = None
    ) -> Settled:
        """The event for this reading, with the tracks; updates everything that is learned at rest.

        hand_mask: where hands were in the frame, if that is not known from the rest of the tray.
        """
        self._at_rest.reported = True
        self._plane.update(reading)
        self._in_motion.clear()
        self._motion.update_dice(reading.dice, reading.size_wh, at_rest=True, sticks=reading.sticks)
        hand_mask = hand_mask if hand_mask is not None else self._motion.hand_mask_at_rest
        tracks = self._tracker.settled(reading, hand_mask, frame.at_s, self._motion.changed_at_rest)
        self._closer_look.remember([track.seen for track in tracks.dice], frame.picture)
        reading = replace(reading, sticks=self._sticks_in_tray(reading))
        stick_tracks = (
            self._sticks.settled(reading.sticks, reading.size_wh, hand_mask)
            if self._sticks is not None
            else NO_STICK_TRACKS
        )
        if region := self._view.region:
            reading, tracks = split_by_zone(reading, tracks, region)
        since = None if self._at_rest.requested else self._motion.slow_since
        waited_s = frame.at_s - since if since is not None else 0.0
        self._hand_rests = self._motion.hand_rests
        latency_ms = 1000 * (waited_s + self._clock() - started_s)
        return Settled(reading, frame, latency_ms, tracks, self._hand_rests, stick_tracks)

    def _sticks_in_tray(self, reading: Reading) -> tuple[SeenStick, ...]:
        """The sticks of the reading that lie in the tray, where its place is known."""
        region = self._view.region
        if region is None:
            return reading.sticks
        return tuple(
            stick
            for stick in reading.sticks
            if region.zone_at(stick.centre_xy, reading.size_wh, width_px(stick)) is not Zone.OUTSIDE
        )
