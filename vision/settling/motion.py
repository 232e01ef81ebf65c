"""Motion between two frames: small grey pictures, the speed of patches, and the pixels that flicker.

Theory of operation. Each frame is shrunk to a small grey picture. Colour costs twice as much and adds nothing
here: a die as bright as its felt still shows its pips and its shadow. In every small window, the change of
brightness between two small pictures is compared with the gradient of brightness. A thing that moves by v
changes each pixel by v times the gradient along its path, so v = sqrt(2 * change^2 / gradient^2) holds for
slow motion at any contrast. For fast motion the change exceeds the gradient, and v is simply large.

Changes of the light are removed first, with one gain for the whole picture and one for every row and column.
Lamps on the mains draw bands along the rows of a rolling shutter, or along the columns where the camera is
mounted on its side.

A place flickers if it changes again and again while everything around it stays as it is: an LED, a candle, a
screen.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

SMALL_W = 160
"""Width of the small picture, px. A 45 px die of an 800 px frame keeps 9 px, and a frame costs well under 2
ms on a laptop core."""

BLUR_PX = 1.0
"""Sigma of the blur on the small picture, px. It turns edges into gradients and removes noise that is left
after shrinking."""

WINDOW_PX = 7
"""Side of the windows whose motion is measured, px of the small picture: most of a die."""

NOISE_LEVELS = 3.0
"""Noise floor: a smaller change in a window, grey levels rms, is not motion. A sensor noise of sigma 6 is 0.6
after shrinking; the codecs of the clips reach 2."""

SLOPE_FLOOR = 2.0
"""Minimum gradient, grey levels a pixel. It keeps a shadow that drifts over bare felt from looking fast."""

FASTEST_SHARE = 0.0025
"""Area of the patch whose speed counts, as a share of the picture: 40 px of 160 x 108, about a third of what
a small die changes."""

BAND_GAIN = 1.45
"""Maximum gain of one row or column against the whole picture that a lamp can cause. Bands 15 % deep make
1.15 / 0.85 = 1.35 between two frames. Where the gain is larger, something else fills the row: an arm."""

BAND_PARTS = 4
"""Number of parts a row is split into to measure its band, each by its median. A hand or an arm leaves at
least one part as it was."""

UNIFORM_TOLERANCE, UNIFORM_SHARE = 0.02, 0.6
"""A part of a row changed uniformly if UNIFORM_SHARE of its pixels have the same ratio, within the relative
tolerance UNIFORM_TOLERANCE."""

GAIN_STEP, GAIN_STEPS = 0.02, 60
"""Bin width of the histogram of log gains, and the number of bins up and down: gains from 1/3 to 3."""

SATURATED_LEVEL = 250.0
"""Grey level from which a pixel is saturated and no longer shows how much light there is."""

SIGMA_OF_MEDIAN = 1.4826
"""Sigma of normal noise divided by the median of its absolute values."""

LIGHT_STRIDE = 4
"""Stride at which pixels of the small picture are sampled to measure the light on a row or column."""

THUMBNAIL_W = 80
"""Width of a thumbnail, px. Two rows of the frame make one row of it. A 45 px die of an 800 px frame
covers 4 x 4 px."""

THUMBNAIL_WINDOW_PX = 3
"""Side of the windows of a thumbnail, px: most of a die, like WINDOW_PX."""

FLICKER_WINDOW_S = 0.25
FLICKER_WINDOWS, MIN_FLICKER_WINDOWS, MIN_FLICKER_WINDOWS_AT_HAND = 12, 5, 9
"""A place flickers if it changed in at least this many (the second) of the last time windows (the first) of
FLICKER_WINDOW_S.

A rolling die changes a place in one or two of them. An LED that blinks once a second changes it in six of
twelve, one of 4 Hz in all. Where dice or a hand were detected the third number applies: dice may be tossed
repeatedly in one place, and a large lamp looks like a hand, but a hand seldom works on one spot for so long.
"""

RING_GAP_PX, RING_PX, MAX_RING_WINDOWS = 2, 3, 4.0
"""Gap and width of the ring around a place that flickers, px of the small picture, and the maximum mean
number of windows in which the ring changed. A place that a hand works on is surrounded by the hand's own
motion."""

MAX_FLICKER_SHARE = 0.25
"""Maximum share of the picture that may flicker. If more of it changes, something moves."""

RESTING_PX = 0.5
"""Minimum motion between two frames that differs from rest, px of the small picture."""

INITIAL_NOISE, NOISE_EMA_WEIGHT = 1.0, 0.1
"""Noise sigma of the small picture before it is measured, grey levels, and the weight of each measurement in
its exponential moving average."""

Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]


def small_colour_of(picture: Picture) -> Grey:
    """The small picture: (h, SMALL_W, 3) float32 BGR levels, blurred."""
    h = max(round(SMALL_W * picture.shape[0] / picture.shape[1]), WINDOW_PX)
    small = cv2.resize(picture, (SMALL_W, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), BLUR_PX), np.float32)


def grey_of(small: Grey) -> Grey:
    """Grey levels (h, w) of a BGR picture (h, w, 3)."""
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def thumbnail_of(picture: Picture) -> Grey:
    """A coarse and cheap small picture, (h, THUMBNAIL_W) float32 grey levels."""
    rows = picture[:: max(picture.shape[1] // (2 * THUMBNAIL_W), 1)]
    small = cv2.resize(rows, (THUMBNAIL_W, max(len(rows) // 2, 1)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def thumbnail_change(before: Grey, now: Grey) -> float:
    """Largest change between two thumbnails in one window, grey levels rms, with bands of light removed."""
    change = difference(before, now)
    window_wh = (THUMBNAIL_WINDOW_PX, THUMBNAIL_WINDOW_PX)
    return float(np.sqrt(cv2.boxFilter(change * change, -1, window_wh).max()))


def difference(before: Grey, now: Grey) -> Grey:
    """now - before, (h, w) grey levels, with changes of the light removed.

    They are one gain for the picture, and one for each row and each column.
    """
    gains = lighting_gain(before, now)
    expected_levels = np.minimum(before * gains, 255)
    expected = np.where(before < SATURATED_LEVEL, expected_levels, np.clip(now, expected_levels, 255))
    return np.asarray((now - expected) / np.maximum(gains, 1), np.float32)


def noise_sigma(before: Grey, now: Grey) -> float:
    """Sigma of the noise in two small pictures of the same scene, grey levels."""
    return float(np.median(np.abs(difference(before, now)))) * SIGMA_OF_MEDIAN / 2**0.5


def lighting_gain(before: Grey, now: Grey) -> Grey:
    """(h, w): the factor by which the light changed at each place between two small grey pictures."""
    sampled = _ratios(before[::LIGHT_STRIDE, ::LIGHT_STRIDE], now[::LIGHT_STRIDE, ::LIGHT_STRIDE])
    gain = _modal_ratio(sampled[np.isfinite(sampled)])
    relative = np.clip(sampled / gain, 1 / BAND_GAIN, BAND_GAIN)
    if np.median(relative, axis=1).std() >= np.median(relative, axis=0).std():
        return _rows_then_columns(before, now, gain)
    return _rows_then_columns(before.T, now.T, gain).T


def _rows_then_columns(before: Grey, now: Grey, gain: np.float32) -> Grey:
    """(h, w): the change of the light, by rows, then by columns. gain: that of most of the picture."""
    gain, rows = _bands(_ratios(before[:, ::LIGHT_STRIDE], now[:, ::LIGHT_STRIDE]), gain)
    sampled = _ratios(before[::LIGHT_STRIDE] * rows[::LIGHT_STRIDE, None], now[::LIGHT_STRIDE])
    gain, columns = _bands(np.ascontiguousarray(sampled.T), gain)
    return np.asarray(gain * rows[:, None] * columns, np.float32)


def _bands(ratios: Grey, gain: np.float32) -> tuple[np.float32, Grey]:
    """The overall gain, and the gain (n,) of each row relative to it. ratios: (n, m). gain: so far."""
    row_gains = _common_gain(ratios / gain) * gain
    overall = np.float32(np.median(row_gains))
    return overall, np.asarray(np.clip(row_gains / overall, 1 / BAND_GAIN, BAND_GAIN), np.float32)


def _modal_ratio(ratios: Grey) -> np.float32:
    """The most common ratio. The whole tray shares one ratio, while things that move over it have any."""
    if not ratios.size:
        return np.float32(1)
    steps = np.rint(np.log(ratios) / GAIN_STEP).astype(int)
    steps = np.clip(steps, -GAIN_STEPS, GAIN_STEPS) + GAIN_STEPS
    counts = np.bincount(steps, minlength=2 * GAIN_STEPS + 1)
    for end in (0, -1):  # a hand over black felt, unless it is most of the picture: then the light
        counts[end] *= counts[end] > ratios.size / 2
    best = int(np.convolve(counts, np.ones(3), "same").argmax())
    return np.float32(np.median(ratios[np.abs(steps - best) <= 1]))


def _ratios(before: Grey, now: Grey) -> Grey:
    """Ratio of brightness of each pixel; inf where the pixel is saturated."""
    return np.where(np.maximum(before, now) < SATURATED_LEVEL, (now + 1) / (before + 1), np.float32(np.inf))


def _common_gain(ratios: Grey) -> Grey:
    """The gain of each row, (n,), from ratios (n, m).

    It is the gain of the parts that changed uniformly. If there are several, it is that of the part that
    changed least, because another may be an arm. If there is none, only a gain that all parts share counts: a
    change of a single part is a hand.
    """
    part = ratios.shape[1] // BAND_PARTS
    parts = np.sort(ratios[:, : part * BAND_PARTS].reshape(len(ratios), BAND_PARTS, part), axis=2)
    valid_counts = np.count_nonzero(np.isfinite(parts), axis=2)  # (n, parts)
    median_at = np.maximum(valid_counts - 1, 0)[..., None] // 2
    medians = np.nan_to_num(np.take_along_axis(parts, median_at, axis=2), posinf=1)
    uniform_counts = np.count_nonzero(np.abs(parts - medians) < UNIFORM_TOLERANCE * medians, axis=2)
    uniform = uniform_counts >= UNIFORM_SHARE * valid_counts
    medians, reliable = medians[..., 0], valid_counts > part / 4
    deviations = np.where(reliable & uniform, np.abs(medians - 1), np.inf)
    best = deviations.argmin(axis=1)[:, None]
    least_changed = np.take_along_axis(medians, best, axis=1)[:, 0]
    min_gain = np.clip(np.where(reliable, medians, BAND_GAIN).min(axis=1), 1, BAND_GAIN)
    max_gain = np.clip(np.where(reliable, medians, 1 / BAND_GAIN).max(axis=1), 1 / BAND_GAIN, 1)
    gains = np.where(reliable.any(axis=1), min_gain * max_gain, 1)
    gains = np.where(np.isfinite(deviations.min(axis=1)), least_changed, gains)
    return np.asarray(np.clip(gains, BAND_GAIN**-2, BAND_GAIN**2), np.float32)


def displacement_px(before: Grey, now: Grey) -> Grey:
    """(h, w): how far each window moved between two small pictures, px; above about 2 px only "far"."""
    change = difference(before, now)
    mean = (before + now) / 2
    dx, dy = cv2.Sobel(mean, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(mean, cv2.CV_32F, 0, 1, scale=1 / 8)
    changed = cv2.boxFilter(change * change, -1, (WINDOW_PX, WINDOW_PX))
    slope = cv2.boxFilter(dx * dx + dy * dy, -1, (WINDOW_PX, WINDOW_PX))
    above_noise = np.where(changed > NOISE_LEVELS**2, changed, 0)
    return np.asarray(np.sqrt(2 * above_noise / (np.maximum(slope, 0) + SLOPE_FLOOR**2)), np.float32)


def fastest_px(moved: Grey) -> float:
    """How far the fastest patch moved, px of the small picture."""
    index = moved.size - 1 - round(FASTEST_SHARE * moved.size)
    return float(np.partition(moved.ravel(), index)[index])


class FlickerDetector:
    """Detects the places that flicker. mask: (h, w); None while there are none. `_known`: where it flickers,
    and did so away from dice and hands, (h, w)."""

    def __init__(self) -> None:
        self._changed: deque[Mask] = deque(maxlen=FLICKER_WINDOWS)
        self._changed_unoccupied: deque[Mask] = deque(maxlen=FLICKER_WINDOWS)
        self._ends_s = 0.0
        self._known: Mask | None = None
        self.mask: Mask | None = None

    def update(self, changed: Mask, occupied: Mask | None, at_s: float) -> None:
        """Adds one frame.

        changed: (h, w), the pixels that changed. occupied: (h, w), where dice or hands were detected; None:
        nowhere.
        """
        unoccupied = changed if occupied is None else changed & ~occupied
        if self._changed and self._changed[0].shape != changed.shape:
            self._changed.clear()
            self._changed_unoccupied.clear()
            self._known = None
        if not self._changed or at_s >= self._ends_s:
            self._ends_s = at_s + FLICKER_WINDOW_S
            self._changed.append(changed.copy())
            self._changed_unoccupied.append(unoccupied.copy())
            self.mask = self._flicker_mask()
        else:
            self._changed[-1] |= changed
            self._changed_unoccupied[-1] |= unoccupied

    def suppress(self, moved: Grey) -> Grey:
        """The displacements, set to 0 where the picture flickers."""
        return moved if self.mask is None else np.where(self.mask, np.float32(0), moved)

    def _flicker_mask(self) -> Mask | None:
        """The pixels that flicker, (h, w); None if there are none, or too many to be flicker. A place that
        flickered away from dice and hands still does while it changes often enough, although a hand moves
        around it."""
        changed = np.sum(np.stack(self._changed), axis=0)
        unoccupied = np.sum(np.stack(self._changed_unoccupied), axis=0)
        clear, anywhere = unoccupied >= MIN_FLICKER_WINDOWS, changed >= MIN_FLICKER_WINDOWS_AT_HAND
        if (clear | anywhere).mean() > MAX_FLICKER_SHARE:
            return None
        known = _with_quiet_surroundings(clear, unoccupied)
        if self._known is not None:
            known |= self._known & (changed >= MIN_FLICKER_WINDOWS)
        self._known = known
        flickering = known | _with_quiet_surroundings(anywhere, changed)
        if not flickering.any():
            return None
        grown = cv2.dilate(flickering.astype(np.uint8), np.ones((WINDOW_PX, WINDOW_PX), np.uint8))
        return np.asarray(grown > 0)


class MotionHistory:
    """Where the small picture moved, where it flickers, and how noisy it is.

    last_moved_s: (h, w), when each pixel moved last, s on the frames' clock. noise: sigma, grey levels.
    """

    def __init__(self) -> None:
        self.last_moved_s: Grey = np.zeros((0, 0), np.float32)
        self.flicker = FlickerDetector()
        self.noise = INITIAL_NOISE

    def reset(self, shape_hw: tuple[int, ...], at_s: float) -> None:
        """Starts again with pictures of this shape. The noise stays."""
        self.last_moved_s = np.full(shape_hw, at_s, np.float32)
        self.flicker = FlickerDetector()

    def add(self, moved: Grey, at_s: float) -> None:
        """Adds the displacements (h, w) of one frame, px."""
        self.last_moved_s[moved > RESTING_PX] = at_s

    def measure_noise(self, before: Grey, now: Grey) -> None:
        """Measures the noise in two small grey pictures of a tray on which nothing moves."""
        self.noise += NOISE_EMA_WEIGHT * (noise_sigma(before, now) - self.noise)


def _with_quiet_surroundings(mask: Mask, window_counts: NDArray[np.int_]) -> Mask:
    """The components of the mask whose surroundings do not change.

    window_counts: (h, w), number of windows in which each pixel changed.
    """
    if not mask.any():
        return mask
    count, labels = cv2.connectedComponents(mask.astype(np.uint8))
    is_isolated = np.zeros(count, bool)
    for i in range(1, count):
        component = (labels == i).astype(np.uint8)
        within = cv2.dilate(component, np.ones((2 * RING_GAP_PX + 1,) * 2, np.uint8))
        ring = cv2.dilate(within, np.ones((2 * RING_PX + 1,) * 2, np.uint8)) > within
        is_isolated[i] = not ring.any() or window_counts[ring].mean() < MAX_RING_WINDOWS
    return np.asarray(is_isolated[labels])
