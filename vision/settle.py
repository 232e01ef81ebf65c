"""When the tray has come to rest, told from the frames alone.

Theory of operation. Each frame is shrunk to a small grey picture (colour costs twice as much and tells no more: a die as bright as
its felt still shows its pips and its shadow). Between two of them, in every small window, the change of brightness is set
against the slopes of brightness there: something that moves by v changes each pixel by v times the slope along its way, so
v = sqrt(2 * change^2 / slope^2)  holds for slow movement of any contrast; for fast movement the change outgrows the slopes and v
is simply large. A light that gets brighter changes much, but in the whole picture alike: one gain takes it out.
The speed of the frame is that of its fastest small patch. Dice at rest may still creep a little in the picture (a tray on
somebody's knees, a camera on a lamp), so rest is a speed below a bound for a while, not no change at all.

A hand is what differs from the last picture at rest, reaches the border and is larger than any die; it may hold as still as it likes.

A tray that waits is hardly looked at. Once nothing has moved for a while, a frame is only glanced at: a row in every few is shrunk and
set against the last frame that was looked at whole. What shows there has the frame looked at whole at once; so has the passing of time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Picture

SMALL_W = 160
"""Width that frames are shrunk to, px: a 45 px die of an 800 px frame keeps 9, and a frame costs well under 2 ms on a laptop core."""

BLUR_PX = 1.0
"""Sigma of the blur on the small picture: makes slopes out of edges, and takes what noise the shrinking left."""

WINDOW_PX = 7
"""Side of the windows that move together, px of the small picture: most of a die."""

NOISE_LEVELS = 3.0
"""Change in a window, grey levels rms, that is no movement. A sensor's sigma of 6 is 0.6 after shrinking; the clips' codecs reach 2."""

SLOPE_FLOOR = 2.0
"""Slopes below this many grey levels a pixel count as this: a shadow that drifts over bare felt is not fast."""

FASTEST_SHARE = 0.0025
"""The patch whose speed counts, share of the picture: 40 px of 160 x 108, about a third of what a small die stirs."""

ROLLING_WIDTHS_S = 0.62
"""Faster than this is moving, picture widths a second. Wetzler's clip: 0.64 and more while dice roll."""

RESTING_WIDTHS_S = 0.54
"""Slower than this may be rest. Wetzler's clip: up to 0.53 in its ranges at rest, where the dice creep and turn. A real die that
slides at this speed stops within a quarter of a second and 17 mm."""

SETTLE_S = 0.23
"""How long it has to be slow. The shortest range at rest in Wetzler's clip is 11 frames of 33 ms, 8 of them before the next hand."""

FROZEN_WIDTHS_S = 0.11
"""Slower than this nothing moves at all: half a pixel of the small picture a frame."""

SHIFTED_PX = 3.0
"""A thing at rest that is found this far off, px of the small picture (a third of a small die), was pushed too slowly to be seen."""

CHANGED_LEVELS = 18
"""Difference from the picture at rest, grey levels, that makes a pixel part of something new."""

HAND_SHARE = 0.09
"""Something new at the border of at least this share of the picture is a hand. Epanemu's clip: arms 0.18 to 0.30, large dice that touch
one another, their written labels and the border up to 0.074."""

VIEW_SHARE = 0.55
"""Something new over more than this is no hand: the camera was moved, or the next picture of a folder came."""

HAND_PATIENCE_S = 1.5
"""A 'hand' that is frozen for so long is part of the furniture: the tray was pushed, or something was put down at its edge."""

LEAST_GAP_S = 0.02
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

GLANCE_W = 80
"""Width of a glance, px; two rows of the frame make one of it. A 45 px die of an 800 px frame covers 4 x 4 px."""

GLANCE_WINDOW_PX = 3
"""Side of the windows of a glance, px: most of a die, as WINDOW_PX is."""

GLANCE_LEVELS = 4.0
"""Change in a window of a glance, grey levels rms, that is something new. A sensor's sigma of 6 makes 3.1 of an 800 x 600 frame, 3.6
of a 640 x 480 one; a white die that comes makes 60, one as dark as its felt 50. Too low it costs time, too high LOOK_AGAIN_S."""

Grey = NDArray[np.float32]


class Stillness(Enum):
    """What the tray is doing."""

    MOVING = "moving"
    SETTLING = "settling"
    STILL = "still"
    HAND = "hand"


@dataclass(frozen=True)
class Movement:
    """What changed between two frames: speed of the fastest patch, picture widths a second; hand: share of the picture it takes."""

    speed: float = 0.0
    hand: float = 0.0
    shifted: bool = False


@dataclass(frozen=True, eq=False)
class _Look:
    """What is kept of a frame: the small picture, single pixels of the full one, in which a repeat shows, and a glance at it."""

    at_s: float
    small: Grey
    dots: Grey
    glance: Grey

    @classmethod
    def at(cls, frame: Frame) -> _Look:
        dots = frame.picture[::SAMPLE_STEP, ::SAMPLE_STEP, 1].astype(np.float32)
        return cls(frame.at_s, shrunk(frame.picture), dots, glanced(frame.picture))


class Settle:
    """Feeds on frames, tells what the tray is doing. Keeps no clock: time is the frames' own."""

    def __init__(self, settle_s: float = SETTLE_S) -> None:
        self.settle_s = settle_s
        self.state = Stillness.SETTLING
        self.movement = Movement()
        self._before: _Look | None = None
        self._at_rest: Grey | None = None
        self._slow_since: float | None = None
        self._frozen_since: float | None = None

    @property
    def slow_since(self) -> float | None:
        """When the tray became slow, s on the frames' clock; None while something moves."""
        return self._slow_since

    def waits_at(self, at_s: float) -> bool:
        """True when the tray is still and nothing at all has moved on it for LEISURE_S: nothing is missed by looking less closely."""
        return self.state is Stillness.STILL and self._frozen_since is not None and at_s - self._frozen_since >= LEISURE_S

    def see(self, frame: Frame) -> Stillness:
        """The state with this frame; STILL comes once the tray was slow for `settle_s`."""
        if self._nothing_new(frame):
            return self.state
        now = _Look.at(frame)
        if self._before is None or self._before.dots.shape != now.dots.shape:
            self._start(now)
        elif not self._says_nothing(now, self._before):
            self.movement = self._compared(now, self._before)
            self._before = now
            self._judge(now.small, now.at_s)
        return self.state

    def _nothing_new(self, frame: Frame) -> bool:
        """True when a glance at a waiting tray shows what the last look showed, and that look is not long ago."""
        before = self._before
        if before is None or not self.waits_at(frame.at_s) or frame.at_s - before.at_s >= LOOK_AGAIN_S:
            return False
        now = glanced(frame.picture)
        return now.shape == before.glance.shape and glance_change(before.glance, now) < GLANCE_LEVELS

    def _start(self, now: _Look) -> None:
        self._before, self._at_rest = now, None
        self.state, self._slow_since, self._frozen_since = Stillness.SETTLING, now.at_s, now.at_s

    @staticmethod
    def _says_nothing(now: _Look, before: _Look) -> bool:
        """True for a frame too soon after the last one to show movement, and for one that only repeats it."""
        gap_s = now.at_s - before.at_s
        return gap_s < LEAST_GAP_S or (gap_s < REPEAT_S and float(np.abs(now.dots - before.dots).mean()) < REPEAT_LEVELS)

    def _compared(self, now: _Look, before: _Look) -> Movement:
        speed = fastest_px(before.small, now.small) / SMALL_W / min(now.at_s - before.at_s, LONGEST_GAP_S)
        if self._at_rest is None:
            return Movement(speed)
        frozen = speed < FROZEN_WIDTHS_S
        shifted = self.state is Stillness.STILL and frozen and fastest_px(self._at_rest, now.small) > SHIFTED_PX
        return Movement(speed, hand_share(self._at_rest, now.small), shifted)

    def _judge(self, small: Grey, at_s: float) -> None:
        """One step of the state machine."""
        self._frozen_since = self._since(self._frozen_since, self.movement.speed < FROZEN_WIDTHS_S, at_s)
        self._slow_since = self._since(self._slow_since, self.movement.speed < RESTING_WIDTHS_S, at_s)
        if self._hand_in(at_s):
            self.state, self._slow_since = Stillness.HAND, None
        elif self.movement.speed > ROLLING_WIDTHS_S:
            self.state, self._slow_since = Stillness.MOVING, None
        elif self.state is not Stillness.STILL or self.movement.shifted:
            self._slow_down(small, at_s)

    def _slow_down(self, small: Grey, at_s: float) -> None:
        """Not fast, not yet at rest: settling, and still after a while."""
        if self._slow_since is None:
            return
        if self.state is Stillness.STILL:
            self._slow_since = at_s
        self.state = Stillness.SETTLING
        if at_s - self._slow_since >= self.settle_s - 1e-6:
            self.state, self._at_rest = Stillness.STILL, small

    def _hand_in(self, at_s: float) -> bool:
        frozen_s = 0.0 if self._frozen_since is None else at_s - self._frozen_since
        return HAND_SHARE <= self.movement.hand <= VIEW_SHARE and frozen_s < HAND_PATIENCE_S

    @staticmethod
    def _since(since: float | None, holds: bool, at_s: float) -> float | None:
        """When a fact began to hold: kept while it does, None while it does not."""
        return (at_s if since is None else since) if holds else None


def shrunk(picture: Picture) -> Grey:
    """The picture as Settle looks at it: (h, SMALL_W) float32 grey, blurred."""
    h = max(round(SMALL_W * picture.shape[0] / picture.shape[1]), WINDOW_PX)
    small = cv2.resize(picture, (SMALL_W, h), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), BLUR_PX), np.float32)


def glanced(picture: Picture) -> Grey:
    """A hasty small picture, (h, GLANCE_W) float32 grey: two rows for each of its own, shrunk."""
    rows = picture[:: max(picture.shape[1] // (2 * GLANCE_W), 1)]
    small = cv2.resize(rows, (GLANCE_W, max(len(rows) // 2, 1)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def glance_change(before: Grey, now: Grey) -> float:
    """Between two glances, grey levels rms in the window that changed most."""
    change = cv2.absdiff(now, before)
    return float(np.sqrt(cv2.boxFilter(change * change, -1, (GLANCE_WINDOW_PX, GLANCE_WINDOW_PX)).max()))


def difference(before: Grey, now: Grey) -> Grey:
    """now - before, grey levels, after one gain for the whole picture has taken out what the exposure did."""
    gain = float(np.median((now + 1) / (before + 1)))
    return np.asarray(now - before * gain if gain <= 1 else now / gain - before, np.float32)


def fastest_px(before: Grey, now: Grey) -> float:
    """How far the fastest patch moved between two small pictures, px of theirs; beyond about 2 px only 'far'."""
    change = difference(before, now)
    change -= np.median(change, axis=1, keepdims=True)  # lamps that flicker at 100 Hz draw bands along the rows
    middle = (before + now) / 2
    dx, dy = cv2.Sobel(middle, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(middle, cv2.CV_32F, 0, 1, scale=1 / 8)
    changed = cv2.boxFilter(change * change, -1, (WINDOW_PX, WINDOW_PX))
    slope = cv2.boxFilter(dx * dx + dy * dy, -1, (WINDOW_PX, WINDOW_PX))
    moved = np.sqrt(2 * np.where(changed > NOISE_LEVELS**2, changed, 0) / (np.maximum(slope, 0) + SLOPE_FLOOR**2))
    place = moved.size - 1 - round(FASTEST_SHARE * moved.size)
    return float(np.partition(moved.ravel(), place)[place])


def hand_share(at_rest: Grey, now: Grey) -> float:
    """Share of the picture, 0-1, of the largest new thing that reaches the border."""
    changed = (np.abs(difference(at_rest, now)) > CHANGED_LEVELS).astype(np.uint8)
    new = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(new)
    border = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    touching = np.unique(border[border > 0])
    return float(stats[touching, cv2.CC_STAT_AREA].max()) / new.size if touching.size else 0.0
