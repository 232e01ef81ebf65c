"""Detects when the tray comes to rest: a state machine over motion and hands.

vision.settling.motion measures the motion, vision.settling.hands detects the hands.

The speed of a frame is that of its fastest small patch, in sides of a die a second. Dice at rest may still
creep a little in the picture (a tray on somebody's knees, a camera on a lamp), so rest is a speed below a
threshold for a while, not the absence of change. In a picture that is never quiet (a lamp, a shaking table)
the reader may still see that every die lies still; the caller then reports it with `mark_at_rest`.

An idle tray costs little. Once nothing has moved for a while, only a thumbnail of the frame is compared: one
row in every few is shrunk and compared with the last frame that was processed in full. A change in it has
the frame processed in full at once, and so has the passing of time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np

from vision.frames import Frame
from vision.readings import SeenDie, SeenStick
from vision.settling.detected_dice import DetectedDice
from vision.settling.hands import HandDetector
from vision.settling.motion import (
    RESTING_PX,
    SMALL_W,
    Grey,
    Mask,
    MotionHistory,
    displacement_px,
    fastest_px,
    grey_of,
    small_colour_of,
    thumbnail_change,
    thumbnail_of,
)

ROLLING_SIDES_S = 5.0
"""Motion threshold, sides of a die a second: a faster tray is moving. The slowest throw of the clips reaches
4.1 times as much, by `brehon bench --margins`."""

RESTING_SIDES_S = 4.0
"""Rest threshold, sides of a die a second: a slower tray may be at rest. A real die that slides at this speed
stops within 0.3 s and half its side. By the same command, the fastest frame of dice at rest in the clips is
2.1 times slower, and 1.5 times where labels are drawn into the clip; the calmest stretch of a throw that is
as long as SETTLE_S is 2.9 times faster, and 1.4 times there."""

SETTLE_S = 0.23
"""Time that the tray has to be slow before it is at rest. The shortest rest in Wetzler's clip is 11 frames of
33 ms, 8 of them before the next hand."""

MOTIONLESS_WIDTHS_S = 0.11
"""Speed below which nothing moves at all, picture widths a second: half a pixel of the small picture a
frame."""

SHIFTED_PX = 3.0
"""A thing at rest that is found this far off, px of the small picture (a third of a small die), was pushed
too slowly to be noticed."""

HAND_PATIENCE_S = 8.0
"""A hand that has been at rest for this time no longer keeps the tray from being read: a box that was put
down, a sleeve that stays."""

DICE_SEEN_PATIENCE_S = 0.8
"""HAND_PATIENCE_S where all dice of the tray at rest are still detected: a patch of sun, or a thing beside
them. No hand stays that still for this time."""

MIN_GAP_S = 0.02
"""Frames closer than this are not compared: at 120 frames a second nothing seems to move."""

MAX_GAP_S = 1 / 30
"""Upper limit of the time used for a speed. Over a longer time the displacement of a fast
object is out of range (see vision.settling.motion.displacement_px)."""

REPEAT_LEVELS = 0.3
"""Mean change of single pixels, grey levels, below which a frame only repeats the one before. Webcams in dim
light repeat frames. In Epanemu's clip, re-encoded, repeats are under 0.25 and real frames over 1.9; a sensor
with a sigma of 1.6 makes 1.8."""

REPEAT_S = 0.2
"""Repeats say nothing about motion or rest for this time. After it they count as rest."""

HELD_LEVELS, HELD_S = 20.0, 0.5
"""A repeat in which no single pixel changes by as much as the first, grey levels, after something moved fast,
was held by a busy computer: nothing stops from one frame to the next. A die that rolls changes pixels by 100
and more; a video codec changes those of a held frame by up to 6, of its key frames by 17. It says nothing
about motion or rest for the second, s. The key frame of a codec that comes among such repeats is one."""

SAMPLE_STEP = 7
"""Stride, across and down, of the pixels that are compared to find a repeat."""

IDLE_AFTER_S = 1.0
"""The tray is idle after it was motionless for this time, and thumbnails are enough."""

FULL_CHECK_S = 0.5
"""Interval at which an idle tray is processed in full, to notice what is too faint for a thumbnail."""

THUMBNAIL_LEVELS = 4.0
"""Change in a window of a thumbnail, grey levels rms, that counts as one. A sensor noise of sigma 6 makes
3.1 in an 800 x 600 frame and 3.6 in a 640 x 480 one; a white die that comes makes 60, one as dark as its felt
50. Too low costs time; too high delays notice until FULL_CHECK_S."""

MAX_UNREAD_AREA = 0.5
"""Area of motion away from the detected dice, in dice, from which it may be a die that was not detected."""

MIN_BAND_SHARE = 0.95
"""Minimum share of a row that moves in a band of a lamp."""


class MotionState(Enum):
    """State of the tray."""

    MOVING = "moving"
    SETTLING = "settling"
    AT_REST = "still"
    HAND = "hand"


@dataclass(frozen=True)
class Movement:
    """What changed between two frames.

    speed: of the fastest patch, sides of a die a second.
    min_speed: the lowest speed that differs from rest in these frames, in the same unit.
    motionless: nothing moved at all.
    hand_area: area of the largest hand that moves, in dice; 0: none.
    resting_area: the same for hands that have not moved for vision.settling.hands.HAND_RESTS_S.
    shifted: something at rest lies elsewhere than before.
    unread_area: area, in dice, of motion away from the detected dice. banded: that motion is in bands across
    the picture, as a lamp draws them.
    """

    speed: float = 0.0
    min_speed: float = 0.0
    motionless: bool = True
    hand_area: float = 0.0
    resting_area: float = 0.0
    shifted: bool = False
    unread_area: float = 0.0
    banded: bool = False

    @property
    def rest_threshold(self) -> float:
        """The rest threshold for these frames, sides of a die a second."""
        return max(RESTING_SIDES_S, self.min_speed)

    @property
    def motion_threshold(self) -> float:
        """The motion threshold for these frames, sides of a die a second."""
        return max(ROLLING_SIDES_S, self.min_speed)


@dataclass(frozen=True, eq=False)
class _Sample:
    """What is kept of a frame.

    small_bgr, small_grey: the small picture, (h, w, 3) and (h, w).
    pixels: single pixels of the full picture, to find repeats.
    thumbnail: see vision.settling.motion.thumbnail_of.
    """

    at_s: float
    small_bgr: Grey
    small_grey: Grey
    pixels: Grey
    thumbnail: Grey

    @classmethod
    def of(cls, frame: Frame) -> _Sample:
        pixels = frame.picture[::SAMPLE_STEP, ::SAMPLE_STEP, 1].astype(np.float32)
        small_bgr = small_colour_of(frame.picture)
        return cls(frame.at_s, small_bgr, grey_of(small_bgr), pixels, thumbnail_of(frame.picture))


class SettleDetector:
    """Takes frames, returns the state of the tray. It has no clock: times are those of the frames.

    hand_mask_at_rest: (h, SMALL_W), where hands were as the tray came to rest; None: nowhere.
    changed_at_rest: (h, SMALL_W), what differed then from the tray at rest before; None: not known.
    awaits_hand: whether the caller saw that the dice cannot be told before the hand leaves, until the tray is
    at rest.
    held: whether the camera has held a picture in which something moved fast, for longer than a webcam
    repeats it in dim light: the last frame shows nothing of its moment.
    """

    def __init__(self, settle_s: float = SETTLE_S, hands: bool = True) -> None:
        """hands: False where no hand can be in the pictures, however much they change."""
        self.settle_s = settle_s
        self.state = MotionState.SETTLING
        self.movement = Movement()
        self.hand_mask_at_rest: Mask | None = None
        self.changed_at_rest: Mask | None = None
        self.awaits_hand = self.held = False
        self._dice, self._motion = DetectedDice(), MotionHistory()
        self._hands = HandDetector(self._dice, self._motion, enabled=hands)
        self._before: _Sample | None = None
        self._tray: Mask | None = None
        self._slow_since: float | None = None
        self._motionless_since: float | None = None
        self._hand_rest_since: float | None = None

    def set_tray(self, tray: Mask | None, die_px: float | None = None) -> None:
        """Sets the tray's mask. Nothing outside it is evaluated.

        tray: (h, SMALL_W), as the small picture of the next frame. die_px: side of a die there, px.
        """
        self._tray = tray
        self._hands.set_tray(tray)
        if die_px is not None:
            self._dice.set_die_px(die_px)

    @property
    def hand_mask(self) -> Mask | None:
        """(h, w): where hands and things are in the small picture; None where none can be."""
        return self._hands.mask

    @property
    def foreground(self) -> Mask | None:
        """(h, w): what differs from the tray at rest, dice among it; None where that is not known."""
        return self._hands.foreground

    @property
    def view_lost(self) -> bool:
        """Whether something covers nearly all of the picture, or it is another picture. The state of the tray
        is then unknown."""
        return self._hands.view_lost

    @property
    def hand_rests(self) -> bool:
        """Whether a hand or a sleeve that came in over the rim rests over the tray while the tray is read."""
        return self._hands.sleeve_rests

    @property
    def dice_missing(self) -> bool:
        """Whether a die of the tray at rest is no longer detected, or the hand hides some other one."""
        return self._dice.any_missing or self.awaits_hand

    @property
    def noise(self) -> float:
        """Measured noise sigma of the small picture, grey levels."""
        return self._motion.noise

    @property
    def die_px(self) -> float:
        """Side of a die, px of the small picture."""
        return self._dice.die_px

    @property
    def slow_since(self) -> float | None:
        """When the tray became slow, s on the frames' clock; None while something moves."""
        return self._slow_since

    def idle_at(self, at_s: float) -> bool:
        """True if the tray is at rest and was motionless for IDLE_AFTER_S, so that fewer frames suffice."""
        if self.state is not MotionState.AT_REST or self._motionless_since is None:
            return False
        return at_s - self._motionless_since >= IDLE_AFTER_S

    def update(self, frame: Frame) -> MotionState:
        """The state with this frame. AT_REST comes once the tray was slow for `settle_s`."""
        if self._thumbnail_unchanged(frame):
            return self.state
        now, before = _Sample.of(frame), self._before
        was_held, self.held = self.held, False
        if before is None or before.pixels.shape != now.pixels.shape:
            self._start(now)
        elif not self._is_uninformative(now, before, was_held):
            self.movement = self._movement_between(now, before)
            self._before = now
            self._step(now)
        return self.state

    def update_dice(
        self,
        dice: Sequence[SeenDie],
        size_wh: tuple[int, int],
        at_rest: bool = False,
        sticks: Sequence[SeenStick] = (),
    ) -> None:
        """Takes the dice and sticks that were just detected in a picture of this size.

        The median side of the dice is the unit of speed. All boxes are excluded from the hand mask.
        at_rest: whether the tray was at rest.
        """
        self.awaits_hand &= not at_rest
        self._dice.update(dice, size_wh, at_rest, sticks)
        if self.hand_mask is not None and self._before is not None:
            self._hands.detect(self._before.small_bgr, self._before.at_s)

    def mark_at_rest(self) -> None:
        """Sets the state to AT_REST although the picture is not quiet: the caller saw every die lie still."""
        if self._before is not None and self.state is not MotionState.AT_REST:
            self.state = MotionState.AT_REST
            self._slow_since = self._slow_since if self._slow_since is not None else self._before.at_s
            hand_present = self.movement.hand_area or self.movement.resting_area
            self.hand_mask_at_rest = self.hand_mask if hand_present else None
            self._add_background(self._before.small_bgr, self._before.at_s)

    @property
    def flickers(self) -> bool:
        """Whether something in view flickers, so that motion there is not measured."""
        return self._motion.flicker.mask is not None

    def settle_anew(self) -> None:
        """Sets the state to SETTLING from now on: the caller saw a die move where the picture flickers."""
        if self._before is not None:
            self.state, self._slow_since = MotionState.SETTLING, self._before.at_s

    def _thumbnail_unchanged(self, frame: Frame) -> bool:
        """Whether the tray is idle and a thumbnail shows no change since a recent full frame."""
        before = self._before
        if before is None or not self.idle_at(frame.at_s) or frame.at_s - before.at_s >= FULL_CHECK_S:
            return False
        thumbnail = thumbnail_of(frame.picture)
        if thumbnail.shape != before.thumbnail.shape:
            return False
        return thumbnail_change(before.thumbnail, thumbnail) < THUMBNAIL_LEVELS

    def _start(self, now: _Sample) -> None:
        """Starts with the first frame, or the first of another size: drops what has a picture's shape."""
        shape = now.small_grey.shape
        self._before, self.hand_mask_at_rest, self.changed_at_rest = now, None, None
        self._hands.reset()
        self._motion.reset(shape, now.at_s)
        if self._tray is not None and self._tray.shape != shape:
            self._tray = None
            self._hands.set_tray(None)
        self.state, self._slow_since, self._motionless_since = MotionState.SETTLING, now.at_s, now.at_s

    def _is_uninformative(self, now: _Sample, before: _Sample, was_held: bool) -> bool:
        """Whether the frame repeats the last one, or comes too soon after it to show motion. Sets `held`.

        was_held: whether the frame before this one was held.
        """
        gap_s = now.at_s - before.at_s
        if gap_s < MIN_GAP_S:
            return True
        change = np.abs(now.pixels - before.pixels)
        repeats = float(change.mean()) < REPEAT_LEVELS
        if repeats or was_held:
            moved_fast = self.movement.speed > self.movement.motion_threshold
            self.held = moved_fast and REPEAT_S <= gap_s < HELD_S and float(change.max()) < HELD_LEVELS
        return self.held or (repeats and gap_s < REPEAT_S)

    def _movement_between(self, now: _Sample, before: _Sample) -> Movement:
        """The movement since the last frame; updates the hands, the flicker and the noise."""
        moved = self._within_tray(displacement_px(before.small_grey, now.small_grey))
        gap_s = min(now.at_s - before.at_s, MAX_GAP_S)
        self._motion.add(moved, now.at_s)
        hand_area, resting_area = self._update_hands(moved, now)
        moved = self._motion.flicker.suppress(moved)
        fastest = fastest_px(moved)
        motionless = fastest / SMALL_W / gap_s < MOTIONLESS_WIDTHS_S
        if motionless:
            self._motion.measure_noise(before.small_grey, now.small_grey)
        shifted = motionless and self._has_shifted(now.small_grey)
        sides_s = 1 / self.die_px / gap_s
        speed, min_speed = fastest * sides_s, RESTING_PX * sides_s
        unread = (moved > RESTING_PX) & ~self._dice.mask(moved.shape)
        unread_area = float(unread.sum()) / self.die_px**2
        banded = _is_banded(unread)
        return Movement(speed, min_speed, motionless, hand_area, resting_area, shifted, unread_area, banded)

    def _update_hands(self, moved: Grey, now: _Sample) -> tuple[float, float]:
        """Areas, in dice, of the largest moving hand and of the largest resting one; updates the flicker."""
        changed_before = self._hands.changed_mask
        self._hands.update_sleeve(now.small_bgr, now.at_s)
        areas = self._hands.detect(now.small_bgr, now.at_s)
        occupied = _dilated_union(
            self._dice.recent_mask(moved.shape), changed_before, self._hands.changed_mask
        )
        self._motion.flicker.update(moved > RESTING_PX, occupied, now.at_s)
        return areas

    def _has_shifted(self, small_grey: Grey) -> bool:
        """Whether something on a tray at rest lies elsewhere than in the newest background."""
        background = self._hands.newest_background
        if self.state is not MotionState.AT_REST or background is None:
            return False
        moved = self._motion.flicker.suppress(
            self._within_tray(displacement_px(grey_of(background), small_grey))
        )
        return fastest_px(moved) > SHIFTED_PX

    def _within_tray(self, moved: Grey) -> Grey:
        """The displacements within the tray, where its mask is known."""
        return moved if self._tray is None else np.where(self._tray, moved, np.float32(0))

    def _step(self, now: _Sample) -> None:
        """One step of the state machine."""
        at_s = now.at_s
        self._motionless_since = self._held_since(self._motionless_since, self.movement.motionless, at_s)
        slow = self.movement.speed < self.movement.rest_threshold
        self._slow_since = self._held_since(self._slow_since, slow, at_s)
        if self._hand_present(at_s):
            self.state, self._slow_since = MotionState.HAND, None
        elif self.movement.speed > self.movement.motion_threshold:
            self.state, self._slow_since = MotionState.MOVING, None
        elif self.state is not MotionState.AT_REST or self.movement.shifted:
            self._settle(now.small_bgr, at_s)

    def _settle(self, small_bgr: Grey, at_s: float) -> None:
        """Sets the state to SETTLING, and to AT_REST after `settle_s`."""
        if self._slow_since is None:
            return
        if self.state is MotionState.AT_REST:
            self._slow_since = at_s
        self.state, self.hand_mask_at_rest = MotionState.SETTLING, None
        if at_s - self._slow_since >= self.settle_s - 1e-6:
            self.state = MotionState.AT_REST
            self._add_background(small_bgr, at_s)

    def _add_background(self, small_bgr: Grey, at_s: float) -> None:
        """Makes this picture of the tray at rest one that others are compared with."""
        self.changed_at_rest = self.foreground
        self._hands.add_background(small_bgr, at_s)

    def _hand_present(self, at_s: float) -> bool:
        """Whether a hand moves over the tray, or has not been at rest for long."""
        only_resting = self.movement.resting_area > 0 and not self.movement.hand_area
        self._hand_rest_since = self._held_since(self._hand_rest_since, only_resting, at_s)
        if self.movement.hand_area > 0:
            return True
        patience_s = HAND_PATIENCE_S if self.dice_missing else DICE_SEEN_PATIENCE_S
        return self._hand_rest_since is not None and at_s - self._hand_rest_since < patience_s

    @staticmethod
    def _held_since(since: float | None, holds: bool, at_s: float) -> float | None:
        """The time since which a condition holds; None while it does not."""
        return (at_s if since is None else since) if holds else None


def _is_banded(moving: Mask) -> bool:
    """Whether some rows move from one side of the picture to the other, and most do not move at all."""
    shares = moving.mean(axis=1)
    return bool(shares.max() >= MIN_BAND_SHARE and np.median(shares) == 0)


def _dilated_union(*masks: Mask | None) -> Mask | None:
    """The union of the masks, dilated; None if no mask is given."""
    given = [mask for mask in masks if mask is not None]
    if not given:
        return None
    return np.asarray(cv2.dilate(np.any(given, axis=0).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0)
