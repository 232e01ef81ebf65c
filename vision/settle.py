"""When the tray has come to rest, told from the frames: a state machine over what moves (vision.motion) and what lies over the tray
(vision.occlusion).

The speed of a frame is that of its fastest small patch, in sides of a die a second. Dice at rest may still creep a little in the
picture (a tray on somebody's knees, a camera on a lamp), so rest is a speed below a bound for a while, not no change at all. Where
the picture is never quiet (a lamp, a shaking table) the reader may still see that every die lies still; whoever reads says so with
`believe`.

A tray that waits is hardly looked at. Once nothing has moved for a while, a frame is only glanced at: a row in every few is shrunk and
set against the last frame that was looked at whole. What shows there has the frame looked at whole at once; so has the passing of time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median

import cv2
import numpy as np

from vision.frames import Box, Frame
from vision.motion import (
    SMALL_W,
    Flicker,
    Grey,
    Mask,
    fastest_px,
    glance_change,
    glance_of,
    grey_of,
    moved_px,
    noise_of,
    small_colour_of,
)
from vision.occlusion import VIEW_SHARE, Backgrounds, Occlusion, Sleeve, lit_places, over_tray, rim_of
from vision.reading import SeenDie

DIE_SHARE = 0.055
"""Side of a die as a share of the picture's width, until one was read: 45 px of 800."""

SMALLEST_DIE_PX = 3.5
"""Side of the smallest die that speeds are told by, px of the small picture."""

ROLLING_SIDES_S = 5.0
"""Faster than this is moving, sides of a die a second. The slowest throw of the clips reaches 4.1 times as much, by
`brehon bench --margins`."""

RESTING_SIDES_S = 4.0
"""Slower than this may be rest. A real die that slides at this speed stops within 0.3 s and half its side. The fastest look at dice
that lie in the clips is 2.1 times slower, and 1.5 times where labels are drawn into the clip; the calmest spell of a throw that is as
long as SETTLE_S is 2.9 times faster, and 1.4 times there."""

RESTING_PX = 0.5
"""Nothing slower than this between two frames is told from rest, px of the small picture."""

SETTLE_S = 0.23
"""How long it has to be slow. The shortest range at rest in Wetzler's clip is 11 frames of 33 ms, 8 of them before the next hand."""

FROZEN_WIDTHS_S = 0.11
"""Slower than this nothing moves at all, picture widths a second: half a pixel of the small picture a frame."""

SHIFTED_PX = 3.0
"""A thing at rest that is found this far off, px of the small picture (a third of a small die), was pushed too slowly to be seen."""

HAND_RESTS_S = 1.2
"""A hand of which nothing has moved for so long no longer keeps dice that lie elsewhere from being read: a sleeve, or a box."""

HAND_PATIENCE_S = 8.0
"""A hand that has been frozen for so long keeps nothing from being read any more: a box that was put down, a sleeve that stays."""

SLEEVE_PATIENCE_S = 60.0
"""Something that reaches in over the rim and of which nothing has stirred for so long is no arm."""

CALM_PATIENCE_S = 0.8
"""The same where all dice that lay there are seen: a patch of sun, or a thing beside them. No hand stays so still for so long."""

LIT_S, UNMOVED = 0.15, 0.25
"""What lies about a die for so long, and leaves it where it was to be seen, within this share of its side, is light."""

MIN_GAP_S = 0.02
"""Frames closer than this are not compared: at 120 frames a second nothing seems to move."""

LONGEST_GAP_S = 1 / 30
"""Over a longer time a fast thing has gone 'far', which has no number: it counts as if it went there in this time."""

REPEAT_LEVELS = 0.3
"""Mean change of single pixels, grey levels, of a frame that only repeats the one before: webcams in dim light do that. Epanemu's clip,
re-encoded: under 0.25 in repeats, over 1.9 in real frames; a sensor with a sigma of 1.6 makes 1.8."""

REPEAT_S = 0.2
"""Repeats say nothing, neither of movement nor of rest; only after this long do they count as rest."""

SAMPLE_STEP = 7
"""Every how many pixels, across and down, a repeat is looked for."""

LEISURE_S = 1.0
"""Frozen at rest for so long, the tray waits, and glances do."""

LOOK_AGAIN_S = 0.5
"""A waiting tray is looked at whole this often all the same: what is too faint for a glance is noticed then."""

GLANCE_LEVELS = 4.0
"""Change in a window of a glance, grey levels rms, that is something new. A sensor's sigma of 6 makes 3.1 of an 800 x 600 frame, 3.6
of a 640 x 480 one; a white die that comes makes 60, one as dark as its felt 50. Too low it costs time, too high LOOK_AGAIN_S."""

NOISE_UNKNOWN, NOISE_LEARNED = 1.0, 0.1
"""Noise of the small picture until it is measured, grey levels, and the share of each measurement at rest that goes into it."""

DIE_STIRS = 0.3
"""Of a die's side: movement so near to a die that was read is the die's."""

UNREAD_DICE = 0.5
"""Movement over an area of so many dice beside the dice that were read may be a die that was not."""


class MotionState(Enum):
    """What the tray is doing."""

    MOVING = "moving"
    SETTLING = "settling"
    STILL = "still"
    HAND = "hand"


@dataclass(frozen=True)
class Movement:
    """What changed between two frames.

    speed: of the fastest patch, sides of a die a second. least: the slowest that these frames can tell from rest, in the same unit.
    frozen: nothing moved at all. hand: area of the largest hand, in dice, 0: none; resting: the same of hands of which nothing has
    moved for HAND_RESTS_S. shifted: something at rest lies elsewhere than it did. unread: area, in dice, of what moves where no die
    was read.
    """

    speed: float = 0.0
    least: float = 0.0
    frozen: bool = True
    hand: float = 0.0
    resting: float = 0.0
    shifted: bool = False
    unread: float = 0.0

    @property
    def resting_bound(self) -> float:
        """Slower than this may be rest, sides of a die a second."""
        return max(RESTING_SIDES_S, self.least)

    @property
    def rolling_bound(self) -> float:
        """Faster than this is moving, sides of a die a second."""
        return max(ROLLING_SIDES_S, self.least)


@dataclass(frozen=True, eq=False)
class _Sample:
    """What is kept of a frame: the small picture in colour and in grey, single pixels of the full one, in which a repeat shows, and a
    glance at it."""

    at_s: float
    colour: Grey
    small: Grey
    dots: Grey
    glance: Grey

    @classmethod
    def at(cls, frame: Frame) -> _Sample:
        dots = frame.picture[::SAMPLE_STEP, ::SAMPLE_STEP, 1].astype(np.float32)
        colour = small_colour_of(frame.picture)
        return cls(frame.at_s, colour, grey_of(colour), dots, glance_of(frame.picture))


class SettleDetector:
    """Feeds on frames, tells what the tray is doing. Keeps no clock: time is the frames' own."""

    def __init__(self, settle_s: float = SETTLE_S, hands: bool = True) -> None:
        """hands: False where none can be in the pictures, however much they change."""
        self.settle_s, self._hands = settle_s, hands
        self.state = MotionState.SETTLING
        self.movement = Movement()
        self.hand: Mask | None = None
        self.hand_at_rest: Mask | None = None
        self._over: Mask | None = None  # as hand, with what only flickers
        self._lit_since: float | None = None
        self.veiled = False
        """Something lies over nearly all of the picture, or it is another picture: nothing is known of the tray."""
        self.die_px = DIE_SHARE * SMALL_W
        self._sized = False
        self._before: _Sample | None = None
        self._rests = Backgrounds()
        self._sleeve: Sleeve | None = None
        self._flicker = Flicker()
        self._dice: tuple[Box, ...] = ()
        self._dice_before: tuple[Box, ...] = ()
        self._lay: tuple[Box, ...] = ()
        self._tray: Mask | None = None
        self._rim: Mask | None = None
        self._noise = NOISE_UNKNOWN
        self._last_moved_s: Grey = np.zeros((0, 0), np.float32)
        self._slow_since: float | None = None
        self._frozen_since: float | None = None
        self._covered_since: float | None = None

    def place(self, tray: Mask | None, die_px: float | None = None) -> None:
        """Where the tray lies, (h, SMALL_W) as the small picture of the next frame, and the side of a die there, px: nothing else is
        looked at."""
        self._tray, self._rim = tray, None
        if die_px is not None:
            self.die_px, self._sized = max(die_px, SMALLEST_DIE_PX), True

    @property
    def hand_rests(self) -> bool:
        """Whether a hand or a sleeve that came in over the rim rests over a tray that is read all the same."""
        return self._sleeve is not None

    @property
    def noise(self) -> float:
        """Sigma of the noise of the small picture, grey levels, as far as it was measured."""
        return self._noise

    @property
    def slow_since(self) -> float | None:
        """When the tray became slow, s on the frames' clock; None while something moves."""
        return self._slow_since

    def waits_at(self, at_s: float) -> bool:
        """True when the tray is still and nothing at all has moved on it for LEISURE_S: nothing is missed by looking less closely."""
        return self.state is MotionState.STILL and self._frozen_since is not None and at_s - self._frozen_since >= LEISURE_S

    def see(self, frame: Frame) -> MotionState:
        """The state with this frame; STILL comes once the tray was slow for `settle_s`."""
        if self._nothing_new(frame):
            return self.state
        now = _Sample.at(frame)
        if self._before is None or self._before.dots.shape != now.dots.shape:
            self._start(now)
        elif not self._says_nothing(now, self._before):
            self.movement = self._compared(now, self._before)
            self._before = now
            self._judge(now)
        return self.state

    def read(self, dice: Sequence[SeenDie], size_wh: tuple[int, int], at_rest: bool = False) -> None:
        """The reader saw these dice just now, in a picture of this size: they say how large dice are, and are no hand.

        Dice in motion look somewhat larger or smaller than they are; until some were read at rest they say more than a guess.
        """
        scale = SMALL_W / size_wh[0]
        self._dice_before, self._dice = self._dice, tuple(_scaled(d.box_xywh, scale) for d in dice)
        sides = [max(d.side * scale, SMALLEST_DIE_PX) for d in dice if d.sure]
        if sides and (at_rest or not self._sized):
            self.die_px, self._sized = median(sides), at_rest
        if at_rest:
            self._lay = self._dice
        if self.hand is not None and self._before is not None:
            self._hand(self._before.colour, self._before.at_s)

    def believe(self) -> None:
        """The reader saw every die lie still: the tray is at rest although the picture is not quiet."""
        if self._before is not None and self.state is not MotionState.STILL:
            self.state = MotionState.STILL
            self._slow_since = self._slow_since if self._slow_since is not None else self._before.at_s
            self.hand_at_rest = self.hand if self.movement.hand or self.movement.resting else None
            self._keep(self._before.colour)

    def _nothing_new(self, frame: Frame) -> bool:
        """True when a glance at a waiting tray shows what the last look showed, and that look is not long ago."""
        before = self._before
        if before is None or not self.waits_at(frame.at_s) or frame.at_s - before.at_s >= LOOK_AGAIN_S:
            return False
        now = glance_of(frame.picture)
        return now.shape == before.glance.shape and glance_change(before.glance, now) < GLANCE_LEVELS

    def _start(self, now: _Sample) -> None:
        """The first frame there is, or of another size: whatever has the shape of a picture begins anew."""
        shape = now.small.shape
        self._before, self.hand, self.hand_at_rest, self._over = now, None, None, None
        self._rests.forget()
        self._sleeve = None
        self._flicker = Flicker()
        self._last_moved_s = np.full(shape, now.at_s, np.float32)
        if self._tray is not None and self._tray.shape != shape:
            self._tray = None
        self._rim = None
        self.state, self._slow_since, self._frozen_since = MotionState.SETTLING, now.at_s, now.at_s

    @staticmethod
    def _says_nothing(now: _Sample, before: _Sample) -> bool:
        """True for a frame too soon after the last one to show movement, and for one that only repeats it."""
        gap_s = now.at_s - before.at_s
        return gap_s < MIN_GAP_S or (gap_s < REPEAT_S and float(np.abs(now.dots - before.dots).mean()) < REPEAT_LEVELS)

    def _compared(self, now: _Sample, before: _Sample) -> Movement:
        moved = self._in_tray(moved_px(before.small, now.small))
        gap_s = min(now.at_s - before.at_s, LONGEST_GAP_S)
        self._last_moved_s[moved > RESTING_PX] = now.at_s
        self._miss_sleeve(now.colour, now.at_s)
        over_before = self._over
        hand, resting = self._hand(now.colour, now.at_s)
        dice = _boxed((*self._dice_before, *self._dice), DIE_STIRS, moved.shape)
        self._flicker.see(moved > RESTING_PX, _grown(dice, over_before, self._over), now.at_s)
        moved = self._flicker.without(moved)
        fastest = fastest_px(moved)
        frozen = fastest / SMALL_W / gap_s < FROZEN_WIDTHS_S
        if frozen:
            self._noise += NOISE_LEARNED * (noise_of(before.small, now.small) - self._noise)
        rest = self._rests.newest
        shifted = (
            self.state is MotionState.STILL
            and frozen
            and rest is not None
            and fastest_px(self._flicker.without(self._in_tray(moved_px(grey_of(rest), now.small)))) > SHIFTED_PX
        )
        sides_s = 1 / self.die_px / gap_s
        return Movement(fastest * sides_s, RESTING_PX * sides_s, frozen, hand, resting, shifted, self._unread(moved))

    def _hand(self, colour: Grey, at_s: float) -> tuple[float, float]:
        """Areas, in dice, of the largest hand and of the largest that rests; and where they are."""
        self.hand = self._over = None
        if not self._hands or not self._rests:
            return 0.0, 0.0
        new = self._new(self._rests, colour)
        if new is None:
            return 0.0, 0.0
        cover = self._cover(new, at_s)
        lit = lit_places(cover.mask, self._unmoved()) if cover.mask.any() else cover.mask
        is_lit = self._rests.is_lit(lit, colour)
        if is_lit:
            new &= ~lit
            cover = self._cover(new, at_s)
        self._lit_since = self._since(self._lit_since, is_lit, at_s)
        if self._lit_since is not None and at_s - self._lit_since >= LIT_S:
            self._rests.relight(lit, colour)
        self._over = cover.mask
        flickers = self._flicker.places
        if flickers is not None and (flickers & new).any():
            cover = self._cover(new & ~flickers, at_s)
        self.hand = cover.mask
        return cover.area, cover.resting

    def _unmoved(self) -> list[Box]:
        """Boxes of the dice that are seen where one lay when the tray was at rest."""
        return [box for box in self._dice if any(_middles_apart(box, lay) < UNMOVED * max(box[2:]) for lay in self._lay)]

    def _new(self, rests: Backgrounds, colour: Grey) -> Mask | None:
        """(h, w): what in the tray differs from these pictures at rest. None: all of it, which no hand does."""
        new = rests.new_places(colour, self._noise)
        self.veiled = float(new.mean()) > VIEW_SHARE
        if self.veiled:
            return None
        return new if self._tray is None else new & self._tray

    def _cover(self, new: Mask, at_s: float) -> Occlusion:
        """What lies over the tray, among what is new."""
        if self._rim is None:
            self._rim = rim_of(new.shape, self._tray)
        return over_tray(new, self._dice, self._lay, self.die_px, self._rim, self._last_moved_s > at_s - HAND_RESTS_S)

    def _keep(self, colour: Grey) -> None:
        """Keeps a picture of the tray at rest, and what rests over it in mind: no part of the tray, though nothing new any more."""
        self._sleeve = self._sleeve_in(colour) if self._hands and self._rests else None
        self._rests.keep(colour)

    def _sleeve_in(self, colour: Grey) -> Sleeve | None:
        """What reaches in over the rim, set against the tray as it was before."""
        known = self._sleeve.without if self._sleeve is not None else self._rests
        new = self._new(known, colour)
        if new is None or self._before is None:
            return None
        if self._flicker.places is not None:
            new &= ~self._flicker.places
        sleeve = Sleeve(self._cover(new, self._before.at_s).reaching, known.last)
        return sleeve if sleeve.is_there(colour) else None

    def _miss_sleeve(self, colour: Grey, at_s: float) -> None:
        """Where the sleeve has gone, the tray is at rest again as it was without it; where it never stirs, it is part of the table."""
        if self._sleeve is None:
            return
        if not self._sleeve.lies_there(colour, self._noise):
            self._rests.take(self._sleeve.without)
            self._sleeve = None
        elif at_s - float(self._last_moved_s[self._sleeve.places].max()) > SLEEVE_PATIENCE_S:
            self._sleeve = None

    def _in_tray(self, moved: Grey) -> Grey:
        """The movement in the tray, where its place is known."""
        return moved if self._tray is None else np.where(self._tray, moved, np.float32(0))

    def _unread(self, moved: Grey) -> float:
        """Area, in dice, of what moves where the reader saw no die."""
        restless = (moved > RESTING_PX) & ~_boxed(self._dice, DIE_STIRS, moved.shape)
        return float(restless.sum()) / self.die_px**2

    def _judge(self, now: _Sample) -> None:
        """One step of the state machine."""
        at_s = now.at_s
        self._frozen_since = self._since(self._frozen_since, self.movement.frozen, at_s)
        self._slow_since = self._since(self._slow_since, self.movement.speed < self.movement.resting_bound, at_s)
        if self._hand_in(at_s):
            self.state, self._slow_since = MotionState.HAND, None
        elif self.movement.speed > self.movement.rolling_bound:
            self.state, self._slow_since = MotionState.MOVING, None
        elif self.state is not MotionState.STILL or self.movement.shifted:
            self._slow_down(now.colour, at_s)

    def _slow_down(self, colour: Grey, at_s: float) -> None:
        """Not fast, not yet at rest: settling, and still after a while."""
        if self._slow_since is None:
            return
        if self.state is MotionState.STILL:
            self._slow_since = at_s
        self.state, self.hand_at_rest = MotionState.SETTLING, None
        if at_s - self._slow_since >= self.settle_s - 1e-6:
            self.state = MotionState.STILL
            self._keep(colour)

    def _hand_in(self, at_s: float) -> bool:
        """A hand moves over the tray, or has not rested there for long."""
        rests = self.movement.resting > 0 and not self.movement.hand
        self._covered_since = self._since(self._covered_since, rests, at_s)
        patience_s = HAND_PATIENCE_S if self._hides_dice() else CALM_PATIENCE_S
        return self.movement.hand > 0 or (self._covered_since is not None and at_s - self._covered_since < patience_s)

    def _hides_dice(self) -> bool:
        """Whether a die that lay on the tray is not seen any more."""
        return len(self._dice) < len(self._lay)

    @staticmethod
    def _since(since: float | None, holds: bool, at_s: float) -> float | None:
        """When a fact began to hold: kept while it does, None while it does not."""
        return (at_s if since is None else since) if holds else None


def _middles_apart(a: Box, b: Box) -> float:
    """Distance of the middles of two boxes, px."""
    return float(np.hypot(a[0] + a[2] / 2 - b[0] - b[2] / 2, a[1] + a[3] / 2 - b[1] - b[3] / 2))


def _scaled(box: Box, scale: float) -> Box:
    x, y, w, h = (v * scale for v in box)
    return x, y, w, h


def _boxed(boxes: Sequence[Box], grow: float, shape_hw: tuple[int, ...]) -> Mask:
    """(h, w): what lies in these boxes, or about them by so many of their sides."""
    mask = np.zeros(shape_hw, bool)
    for x, y, w, h in boxes:
        by = grow * max(w, h)
        mask[max(round(y - by), 0) : max(round(y + h + by) + 1, 0), max(round(x - by), 0) : max(round(x + w + by) + 1, 0)] = True
    return mask


def _grown(*masks: Mask | None) -> Mask | None:
    """All of them together, and what is near; None where there is none."""
    there = [mask for mask in masks if mask is not None]
    if not there:
        return None
    return np.asarray(cv2.dilate(np.any(there, axis=0).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0)
