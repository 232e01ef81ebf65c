"""Detects a camera that no longer delivers live frames: the same frame, or the same few in a loop.

Theory of operation. A sensor always has noise, so each frame of a still tray differs from the one before. The
size of that difference is learned while nothing moves. If it vanishes, or if a frame from the past comes
again exactly, the frames do not come from a live sensor. Sources without noise (a rendered tray, a folder of
pictures) and sources that often hold frames for long are never reported.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

Pixels = NDArray[np.uint8]

PIXELS_WH = (24, 16)
"""Number of single pixels sampled from the full picture, across and down. The mean change of 384 of them is
known to 4 %."""

MIN_NOISE = 0.25
"""Mean change of a pixel, grey levels, from which a source has noise. A sensor with a sigma of 0.4 makes 0.35
after rounding. A webcam's clip coded at few bits is under 0.15 at rest, and holds frames arbitrarily."""

REPEAT_SHARE = 0.3
"""A frame that changes by less than this share of the usual noise is a repeat. Noise alone never changes 384
pixels by less than 0.8 of it."""

MAX_REPEAT_LEVELS = 0.3
"""Upper limit of that threshold, mean grey levels. The change that a video codec makes in a repeat, but for
its key frames, is under 0.25."""

NOISE_QUANTILE = 0.75
"""Quantile of the changes at rest that is the usual noise. A webcam in dim light repeats 2 of 3 frames."""

MIN_NOISE_SAMPLES = 24
"""Changes at rest until the noise is known: 0.8 s at 30 frames a second."""

MIN_RELIT_FRAMES = 15
"""Number of frames in a new light after which it is known whether they have noise."""

MIN_RESTLESS_FRAMES = 45
"""Frames in a row in which even the quietest quarter of the pixels changes. No bump lasts that long, and no
hand covers that much."""

MAX_NOISE_SAMPLES = 300
"""Number of changes at rest that are kept: exposure changes the noise."""

FROZEN_S = 2.0
"""A picture that has not changed for this time is frozen."""

HOLD_FACTOR = 2.0
"""A picture is frozen only if it also lasts this many times longer than the longest normal hold: in low light
some webcams hold frames."""

RELIT_LEVELS = 12
"""Change of the median pixel, grey levels, above which the light and its noise are different."""

MAX_STRAY_SHARE = 0.15
"""Share of frames that may disagree. Some video codecs make every twelfth frame a key frame."""

REPEATED_S = 0.8
"""Time for which known frames must come before the picture is a loop. No frame comes again by chance."""

ROUNDING_S = 1e-6
"""Tolerance for times of frames, which are sums of floats."""

MIN_FRAMES = 6
"""Minimum number of frames for a decision. A source that gives two a second needs more time."""

MAX_LOOP_S = 6.0
"""Maximum age of a frame that may come again."""

MAX_HISTORY_FRAMES = 720
"""Number of frames that are kept: MAX_LOOP_S at 120 frames a second."""

STALLED_S = 2.0
"""A camera has stopped after this time without a frame. Low light slows the slowest webcams to 0.2 s."""


def sampled_pixels(picture: Picture) -> Pixels:
    """Single pixels from all over the picture, green, (n,) uint8; at odd distances, so that no pattern in the
    picture can hide."""
    h, w = picture.shape[:2]
    step_y, step_x = max(h // PIXELS_WH[1], 1), max(w // PIXELS_WH[0], 1)
    return np.ascontiguousarray(picture[step_y // 2 :: step_y, step_x // 2 :: step_x, 1]).ravel()


class Liveness:
    """Takes sampled pixels of every frame; detects frames that stop, are held, or loop."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._noise = _NoiseLevel()
        self._history = _FrameHistory()
        self._repeated: deque[tuple[float, bool]] = deque()
        self._looped: deque[tuple[float, bool]] = deque()
        self._held_since: float | None = None
        self._longest_hold_s = 0.0
        self._pixels: Pixels | None = None
        self._at_s = 0.0

    @property
    def noise(self) -> float | None:
        """The usual change of a pixel between frames at rest, mean, grey levels; None while it is not known,
        or if there is none."""
        return self._noise.level

    @property
    def learned(self) -> bool:
        """True if it is known whether there is noise in this light, and how much."""
        return self._noise.learned

    def repeats(self, before: Pixels, now: Pixels) -> bool:
        """True if a frame only repeats another one, including its noise."""
        return mean_change(before, now) < repeat_threshold(self.noise)

    def update(self, pixels: Pixels, at_s: float, at_rest: bool) -> bool:
        """True if the frames seem not to come from a live camera any more. at_rest: the tray is at rest."""
        before, gap = self._pixels, at_s - self._at_s > STALLED_S
        if before is None or before.shape != pixels.shape:
            self._reset()
            self._pixels, self._at_s = pixels, at_s
            return False
        self._noise.check_light(pixels)
        self._pixels = pixels
        repeated = self.repeats(before, pixels)
        self._learn_hold(repeated, at_s)
        self._at_s = at_s
        frozen = self._freezes(repeated, at_s)
        looped = self._loops(before, pixels, at_s)
        if not (repeated or frozen or looped):
            self._noise.update(before, pixels, at_rest)
        return gap or frozen or looped

    def _learn_hold(self, repeated: bool, at_s: float) -> None:
        """Learns for how long frames are held in normal operation."""
        if repeated:
            self._held_since = self._at_s if self._held_since is None else self._held_since
            return
        held_s = 0.0 if self._held_since is None else at_s - self._held_since
        if held_s < FROZEN_S:
            self._longest_hold_s = max(self._longest_hold_s, held_s)
        self._held_since = None

    def _freezes(self, repeated: bool, at_s: float) -> bool:
        """True if nearly all frames were the same for FROZEN_S, or for twice the longest normal hold."""
        duration_s = max(FROZEN_S, HOLD_FACTOR * self._longest_hold_s)
        return _mostly_true(self._repeated, repeated, at_s, duration_s)

    def _loops(self, before: Pixels, pixels: Pixels, at_s: float) -> bool:
        """True if nearly all frames that changed anything for REPEATED_S are in the history, in any light."""
        threshold = repeat_threshold(self._noise.last_known)
        if mean_change(before, pixels) < threshold:
            return False
        is_known = self._history.min_change(pixels, at_s) < threshold
        self._history.add(pixels, at_s)
        return _mostly_true(self._looped, is_known, at_s, REPEATED_S)


class _NoiseLevel:
    """The usual change of a pixel between frames at rest. It is uncertain until a new light shows noise."""

    def __init__(self) -> None:
        self._changes: deque[float] = deque(maxlen=MAX_NOISE_SAMPLES)
        self._reset(None)

    def _reset(self, pixels: Pixels | None) -> None:
        """Starts again with the next frames, in the light of these pixels."""
        self._pixels, self._restless_frames, self._frame_count = pixels, 0, 0
        self._recent_changes: deque[Pixels] = deque(maxlen=MIN_RELIT_FRAMES)
        self._uncertain = bool(self._changes)

    @property
    def learned(self) -> bool:
        """True if it is known whether there is noise in this light, and how much."""
        return len(self._changes) >= MIN_NOISE_SAMPLES and not self._uncertain

    @property
    def level(self) -> float | None:
        """The usual change, mean, grey levels; None if it is not known or there is none."""
        return None if self._uncertain else self.last_known

    @property
    def last_known(self) -> float | None:
        """The same, uncertain or not."""
        if len(self._changes) < MIN_NOISE_SAMPLES:
            return None
        level = float(np.quantile(self._changes, NOISE_QUANTILE))
        return level if level >= MIN_NOISE else None

    def update(self, before: Pixels, now: Pixels, at_rest: bool) -> None:
        """Learns from a frame and the one before. On a tray that never rests, the quietest pixels show the
        noise after a while."""
        change = np.asarray(cv2.absdiff(before, now), np.uint8)
        self._pixels = now if self._pixels is None else self._pixels
        self._recent_changes.append(change.ravel())
        self._frame_count += 1
        if at_rest:
            self._restless_frames = 0
            self._changes.append(float(change.mean()))
        if (self._uncertain or not at_rest) and len(self._recent_changes) == MIN_RELIT_FRAMES:
            self._decide_from_quietest(self._quietest_change(), at_rest)

    def _decide_from_quietest(self, quiet_change: float, at_rest: bool) -> None:
        """Decides from the quietest pixels what cannot be known from all of them."""
        self._restless_frames = self._restless_frames + 1 if quiet_change >= MIN_NOISE else 0
        if self._uncertain and quiet_change >= MIN_NOISE:
            self._uncertain = False
        elif self._uncertain and self._frame_count >= MIN_NOISE_SAMPLES:
            self._changes.clear()
            self._uncertain = False
        if not at_rest and self._restless_frames >= MIN_RESTLESS_FRAMES:
            self._changes.append(quiet_change)

    def check_light(self, pixels: Pixels) -> None:
        """Marks the noise as uncertain if the light has changed: more light has less noise."""
        reference = self._pixels
        if reference is not None and float(np.median(cv2.absdiff(reference, pixels))) > RELIT_LEVELS:
            self._reset(pixels)

    def _quietest_change(self) -> float:
        """The mean of the median changes of the quietest quarter of the pixels over the last frames."""
        level = np.median(np.stack(self._recent_changes), axis=0)
        quarter = level.size // 4
        return float(np.partition(level, quarter)[:quarter].mean())


class _FrameHistory:
    """Ring buffer of the sampled pixels of the last MAX_LOOP_S."""

    def __init__(self) -> None:
        self._pixels: Pixels = np.zeros((0, 0), np.uint8)
        self._at_s = np.zeros(MAX_HISTORY_FRAMES)
        self._count = 0

    def add(self, pixels: Pixels, at_s: float) -> None:
        if self._pixels.shape != (MAX_HISTORY_FRAMES, pixels.size):
            self._pixels, self._count = np.zeros((MAX_HISTORY_FRAMES, pixels.size), np.uint8), 0
        index = self._count % MAX_HISTORY_FRAMES
        self._pixels[index], self._at_s[index] = pixels, at_s
        self._count += 1

    def min_change(self, pixels: Pixels, at_s: float) -> float:
        """The mean change against the most similar frame of the last MAX_LOOP_S; infinite without frames."""
        times_s = self._at_s[: min(self._count, MAX_HISTORY_FRAMES)]
        recent = self._pixels[: len(times_s)][times_s >= at_s - MAX_LOOP_S]
        if not len(recent):
            return float("inf")
        changes = cv2.absdiff(recent, np.repeat(pixels[None], len(recent), axis=0))
        return float(cv2.reduce(changes, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).min())


def repeat_threshold(noise: float | None) -> float:
    """Mean change of a pixel from which a frame is a new one; 0 if there is no noise to decide by."""
    return min(REPEAT_SHARE * noise, MAX_REPEAT_LEVELS) if noise is not None else 0.0


def mean_change(before: Pixels, now: Pixels) -> float:
    """Mean change of a pixel, grey levels."""
    return float(cv2.mean(cv2.absdiff(before, now))[0])


def _mostly_true(samples: deque[tuple[float, bool]], fact: bool, at_s: float, duration_s: float) -> bool:
    """Adds a sample and keeps the last `duration_s`. True if the condition held in nearly all of them."""
    samples.append((at_s, fact))
    from_s = at_s - duration_s + ROUNDING_S
    while len(samples) > MIN_FRAMES and samples[1][0] <= from_s:
        samples.popleft()
    if samples[0][0] > from_s or len(samples) < MIN_FRAMES:
        return False
    return sum(fact for _, fact in samples) >= (1 - MAX_STRAY_SHARE) * len(samples)
