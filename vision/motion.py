"""What moves between two frames: small grey pictures, the speed of their patches, and places that only flicker.

Theory of operation. Each frame is shrunk to a small grey picture (colour costs twice as much and tells no more: a die as bright as
its felt still shows its pips and its shadow). Between two of them, in every small window, the change of brightness is set
against the slopes of brightness there: something that moves by v changes each pixel by v times the slope along its way, so
v = sqrt(2 * change^2 / slope^2)  holds for slow movement of any contrast; for fast movement the change outgrows the slopes and v
is simply large. Light is taken out first: one gain for the whole picture, and one for every row and column, because lamps on
the mains draw bands along the rows of a rolling shutter (along the columns where the camera is mounted on its side).
A place that changes again and again while everything about it stays where it is, flickers: an LED, a candle, a screen.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

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

BAND_GAIN = 1.45
"""A row or column gets brighter or darker than the whole picture by no more than this factor where a lamp does it: bands 15 % deep make
1.15 / 0.85 = 1.35 between two frames. Beyond it something else fills the row: an arm."""

BAND_PARTS = 4
"""A band is seen in so many parts of its row, each by the median of the part: a hand or an arm leaves one of them as it was."""

ALIKE, ALIKE_SHARE = 0.02, 0.6
"""A part of a row changed alike where such a share of its pixels became as many times as bright, give or take the first."""

GAIN_STEP, GAIN_STEPS = 0.02, 60
"""Gains of the whole picture are told apart in such steps of their logarithm, so many up and down: to a third and to three times."""

BRIGHTEST = 250.0
"""Grey level from which a pixel no longer tells how much light there is."""

SIGMA_OF_MEDIAN = 1.4826
"""Sigma of normal noise, in medians of its absolute values."""

LIGHT_STEP = 4
"""Of the small picture's pixels one in so many tells what the light did to its row or column."""

GLANCE_W = 80
"""Width of a glance, px; two rows of the frame make one of it. A 45 px die of an 800 px frame covers 4 x 4 px."""

GLANCE_WINDOW_PX = 3
"""Side of the windows of a glance, px: most of a die, as WINDOW_PX is."""

FLICKER_WINDOW_S = 0.25
FLICKER_WINDOWS, MIN_FLICKER, FLICKER_IN_HAND = 12, 5, 9
"""A place flickers that changed in so many of the last windows of this length. A die that rolls past changes a place in one or two of
them; an LED that blinks once a second in six of twelve, one of four hertz in all. Where dice or a hand seem to be it takes more: dice
may be tossed again and again in one place, and a large lamp looks like a hand, but a hand seldom works on one spot for so long."""

RING_GAP_PX, RING_PX, RING_WINDOWS = 2, 3, 4.0
"""A ring about a place, so far from it and so wide, px of the small picture, and in how many of the windows it may have changed on the
average where the place only flickers: what a hand works on lies amid the hand's comings and goings."""

MAX_FLICKER = 0.25
"""More of the picture than this does not flicker: something moves."""

Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]


def small_colour_of(picture: Picture) -> Grey:
    """The small picture: (h, SMALL_W, 3) float32 blue-green-red levels, blurred."""
    h = max(round(SMALL_W * picture.shape[0] / picture.shape[1]), WINDOW_PX)
    small = cv2.resize(picture, (SMALL_W, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), BLUR_PX), np.float32)


def grey_of(small: Grey) -> Grey:
    """(h, w, 3) blue-green-red -> (h, w) grey levels."""
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def small_grey_of(picture: Picture) -> Grey:
    """The small picture: (h, SMALL_W) float32 grey levels, blurred."""
    return grey_of(small_colour_of(picture))


def glance_of(picture: Picture) -> Grey:
    """A hasty small picture, (h, GLANCE_W) float32 grey levels: two rows for each of its own, shrunk."""
    rows = picture[:: max(picture.shape[1] // (2 * GLANCE_W), 1)]
    small = cv2.resize(rows, (GLANCE_W, max(len(rows) // 2, 1)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def glance_change(before: Grey, now: Grey) -> float:
    """Between two glances, grey levels rms in the window that changed most, after bands of light were taken out."""
    change = difference(before, now)
    return float(np.sqrt(cv2.boxFilter(change * change, -1, (GLANCE_WINDOW_PX, GLANCE_WINDOW_PX)).max()))


def difference(before: Grey, now: Grey) -> Grey:
    """now - before, grey levels, after gains for the picture, its rows and its columns have taken out what the light did."""
    gains = gain_between(before, now)
    least = np.minimum(before * gains, 255)
    expected = np.where(before < BRIGHTEST, least, np.clip(now, least, 255))
    return np.asarray((now - expected) / np.maximum(gains, 1), np.float32)


def noise_of(before: Grey, now: Grey) -> float:
    """Sigma of the noise in two small pictures of the same thing, grey levels."""
    return float(np.median(np.abs(difference(before, now)))) * SIGMA_OF_MEDIAN / 2**0.5


def gain_between(before: Grey, now: Grey) -> Grey:
    """(h, w): how many times as bright the light makes each place of the second of two small grey pictures."""
    some = _ratios(before[::LIGHT_STEP, ::LIGHT_STEP], now[::LIGHT_STEP, ::LIGHT_STEP])
    gain = _commonest(some[np.isfinite(some)])
    seen = np.clip(some / gain, 1 / BAND_GAIN, BAND_GAIN)
    if np.median(seen, axis=1).std() >= np.median(seen, axis=0).std():
        return _rows_first(before, now, gain)
    return _rows_first(before.T, now.T, gain).T


def _rows_first(before: Grey, now: Grey, gain: np.float32) -> Grey:
    """The light, by what it did to the rows, and then to the columns. gain: what it did to most of the picture."""
    gain, rows = _bands(_ratios(before[:, ::LIGHT_STEP], now[:, ::LIGHT_STEP]), gain)
    some = _ratios(before[::LIGHT_STEP] * rows[::LIGHT_STEP, None], now[::LIGHT_STEP])
    gain, columns = _bands(np.ascontiguousarray(some.T), gain)
    return np.asarray(gain * rows[:, None] * columns, np.float32)


def _bands(ratios: Grey, gain: np.float32) -> tuple[np.float32, Grey]:
    """(n, m) -> what the light did to all rows, and (n,) to each row besides. gain: as far as it is known."""
    each = _common_gain(ratios / gain) * gain
    middle = np.float32(np.median(each))
    return middle, np.asarray(np.clip(each / middle, 1 / BAND_GAIN, BAND_GAIN), np.float32)


def _commonest(ratios: Grey) -> np.float32:
    """Which ratio most pixels have: all of the tray has one, and what moves over it has any."""
    if not ratios.size:
        return np.float32(1)
    steps = np.rint(np.log(ratios) / GAIN_STEP).astype(int)
    steps = np.clip(steps, -GAIN_STEPS, GAIN_STEPS) + GAIN_STEPS
    best = int(np.convolve(np.bincount(steps, minlength=2 * GAIN_STEPS + 1), np.ones(3), "same").argmax())
    return np.float32(np.median(ratios[np.abs(steps - best) <= 1]))


def _ratios(before: Grey, now: Grey) -> Grey:
    """How many times as bright each pixel is; inf where it is too bright to tell."""
    return np.where(np.maximum(before, now) < BRIGHTEST, (now + 1) / (before + 1), np.float32(np.inf))


def _common_gain(ratios: Grey) -> Grey:
    """(n, m) -> (n,): what the light did to each row, by those parts in which all changed alike; of several, by the one that changed
    least, for another may be an arm. Where none did, all parts have to know of it: what one knows nothing of was a hand."""
    part = ratios.shape[1] // BAND_PARTS
    parts = np.sort(ratios[:, : part * BAND_PARTS].reshape(len(ratios), BAND_PARTS, part), axis=2)
    known = np.count_nonzero(np.isfinite(parts), axis=2)  # (n, parts)
    middle = np.nan_to_num(np.take_along_axis(parts, np.maximum(known - 1, 0)[..., None] // 2, axis=2), posinf=1)
    alike = np.count_nonzero(np.abs(parts - middle) < ALIKE * middle, axis=2) >= ALIKE_SHARE * known
    middle, tells = middle[..., 0], known > part / 4
    away = np.where(tells & alike, np.abs(middle - 1), np.inf)
    best = away.argmin(axis=1)[:, None]
    steadiest = np.take_along_axis(middle, best, axis=1)[:, 0]
    least = np.clip(np.where(tells, middle, BAND_GAIN).min(axis=1), 1, BAND_GAIN)
    most = np.clip(np.where(tells, middle, 1 / BAND_GAIN).max(axis=1), 1 / BAND_GAIN, 1)
    common = np.where(tells.any(axis=1), least * most, 1)
    common = np.where(np.isfinite(away.min(axis=1)), steadiest, common)
    return np.asarray(np.clip(common, BAND_GAIN**-2, BAND_GAIN**2), np.float32)


def moved_px(before: Grey, now: Grey) -> Grey:
    """(h, w) how far each window moved between two small pictures, px of theirs; beyond about 2 px only 'far'."""
    change = difference(before, now)
    middle = (before + now) / 2
    dx, dy = cv2.Sobel(middle, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(middle, cv2.CV_32F, 0, 1, scale=1 / 8)
    changed = cv2.boxFilter(change * change, -1, (WINDOW_PX, WINDOW_PX))
    slope = cv2.boxFilter(dx * dx + dy * dy, -1, (WINDOW_PX, WINDOW_PX))
    loud = np.where(changed > NOISE_LEVELS**2, changed, 0)
    return np.asarray(np.sqrt(2 * loud / (np.maximum(slope, 0) + SLOPE_FLOOR**2)), np.float32)


def fastest_px(moved: Grey) -> float:
    """How far the fastest patch moved, px of the small picture."""
    place = moved.size - 1 - round(FASTEST_SHARE * moved.size)
    return float(np.partition(moved.ravel(), place)[place])


class Flicker:
    """Learns which places only flicker."""

    def __init__(self) -> None:
        self._windows: deque[Mask] = deque(maxlen=FLICKER_WINDOWS)
        self._apart: deque[Mask] = deque(maxlen=FLICKER_WINDOWS)
        self._ends_s = 0.0
        self.places: Mask | None = None

    def see(self, restless: Mask, known: Mask | None, at_s: float) -> None:
        """restless: (h, w), the places that changed just now. known: (h, w), where dice or hands seem to be; None: nowhere."""
        apart = restless if known is None else restless & ~known
        if self._windows and self._windows[0].shape != restless.shape:
            self._windows.clear()
            self._apart.clear()
        if not self._windows or at_s >= self._ends_s:
            self._ends_s = at_s + FLICKER_WINDOW_S
            self._windows.append(restless.copy())
            self._apart.append(apart.copy())
            self.places = self._learned()
        else:
            self._windows[-1] |= restless
            self._apart[-1] |= apart

    def without(self, moved: Grey) -> Grey:
        """The movement, with none where it only flickers."""
        return moved if self.places is None else np.where(self.places, np.float32(0), moved)

    def _learned(self) -> Mask | None:
        restless, apart = np.sum(np.stack(self._windows), axis=0), np.sum(np.stack(self._apart), axis=0)
        seldom, always = apart >= MIN_FLICKER, restless >= FLICKER_IN_HAND
        if (seldom | always).mean() > MAX_FLICKER:
            return None
        often = _amid_rest(seldom, apart) | _amid_rest(always, restless)
        if not often.any():
            return None
        grown = cv2.dilate(often.astype(np.uint8), np.ones((WINDOW_PX, WINDOW_PX), np.uint8))
        return np.asarray(grown > 0)


def _amid_rest(places: Mask, restless: NDArray[np.int_]) -> Mask:
    """Those of the places about which nothing changes. restless: (h, w), in how many windows each pixel changed."""
    if not places.any():
        return places
    count, labels = cv2.connectedComponents(places.astype(np.uint8))
    alone = np.zeros(count, bool)
    for i in range(1, count):
        place = (labels == i).astype(np.uint8)
        within = cv2.dilate(place, np.ones((2 * RING_GAP_PX + 1,) * 2, np.uint8))
        ring = cv2.dilate(within, np.ones((2 * RING_PX + 1,) * 2, np.uint8)) > within
        alone[i] = not ring.any() or restless[ring].mean() < RING_WINDOWS
    return np.asarray(alone[labels])
