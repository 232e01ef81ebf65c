"""Whether a camera still looks: frames that come, but are always the same one, or the same few over and over.

Theory of operation. A sensor is never quite silent: of a still tray each frame differs from the one before by its noise. How much it
does is learned while nothing moves. Where it stops, or where a frame from long ago comes again to the last pixel, no sensor stands
behind the frames any more. Nothing can be told of a source without noise (a rendered tray, a folder of pictures), nor of one that
uses to hold its frames for long; so nothing is.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

Dots = NDArray[np.uint8]

DOTS_WH = (24, 16)
"""Single pixels of the full picture that stand for it. The mean change of 384 of them is known to 4 % of itself."""

MIN_NOISE = 0.25
"""Mean change of a dot, grey levels, from which a source shows noise. A sensor with a sigma of 0.4 makes 0.35 after
rounding; a webcam's clip coded at few bits is under 0.15 at rest, and holds frames as it likes."""

SAME_SHARE = 0.3
"""A change of less than this share of the usual noise is none. In noise alone 384 dots never come below 0.8."""

SAME_LEVELS = 0.3
"""... and none is more than this, mean grey levels: what a video codec makes of a repeat, but for its key frames, is under 0.25."""

USUAL_QUANTILE = 0.75
"""Of the changes at rest, the one that counts as the usual noise: a webcam in dim light repeats two frames of three."""

LEARNED_FROM = 24
"""Changes at rest until the usual noise is known: 0.8 s at 30 frames a second."""

BELIEVED_FROM = 15
"""Frames in another light after which it is known whether that has noise, too."""

RESTLESS_FROM = 45
"""Frames in a row in which even the quietest quarter of the dots changes: no bump lasts so long, and no hand covers so much."""

LEARNED_FROM_LAST = 300
"""Changes at rest that it is learned from: exposure changes it."""

FROZEN_S = 2.0
"""A picture that has not changed for so long is frozen."""

HOLDS = 2.0
"""... and for longer, by this factor, than frames were held while all was well: in low light some webcams hold them."""

RELIT_LEVELS = 12
"""Where most dots have changed by more grey levels than this since, the light is another, and so is the noise."""

STRAY_SHARE = 0.15
"""Of the frames that say the same, so many may differ: a video codec's key frames, every twelfth of some."""

REPEATED_S = 0.8
"""Frames of a loop must have come again for so long. By chance not a single one does."""

ROUNDING_S = 1e-6
"""Times of frames are sums of floats."""

MIN_FRAMES = 6
"""Fewer frames say nothing: of a source that gives two a second, more time passes."""

LONGEST_LOOP_S = 6.0
"""How long ago a frame may have been here before."""

MAX_FRAMES = 720
"""Frames that are remembered: LONGEST_LOOP_S at 120 frames a second."""

STALLED_S = 2.0
"""Without a frame for so long a camera has stopped. Low light takes the slowest webcams to 0.2 s."""


def dots_of(picture: Picture) -> Dots:
    """Single pixels from all over the picture, green, (n,) uint8; at odd distances, so that no pattern of the picture's can hide."""
    h, w = picture.shape[:2]
    step_y, step_x = max(h // DOTS_WH[1], 1), max(w // DOTS_WH[0], 1)
    return np.ascontiguousarray(picture[step_y // 2 :: step_y, step_x // 2 :: step_x, 1]).ravel()


class Liveness:
    """Feeds on the dots of every frame; tells when frames have stopped, are held, or go round."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._noise = _Noise()
        self._past = _Past()
        self._same: deque[tuple[float, bool]] = deque()
        self._again: deque[tuple[float, bool]] = deque()
        self._held_since: float | None = None
        self._longest_hold_s = 0.0
        self._dots: Dots | None = None
        self._at_s = 0.0

    @property
    def noise(self) -> float | None:
        """The usual change of a dot between frames at rest, mean, grey levels; None as long as it is not known or there is none."""
        return self._noise.usual

    @property
    def learned(self) -> bool:
        """True when it is known whether there is noise in this light, and how much."""
        return self._noise.learned

    def repeats(self, before: Dots, now: Dots) -> bool:
        """True when a frame only repeats another one, noise and all."""
        return mean_change(before, now) < least_change(self.noise)

    def see(self, dots: Dots, at_s: float, calm: bool) -> bool:
        """True when, with this frame, no camera seems to stand behind the frames. calm: nothing moves on the tray."""
        before, gap = self._dots, at_s - self._at_s > STALLED_S
        if before is None or before.shape != dots.shape:
            self._start()
            self._dots, self._at_s = dots, at_s
            return False
        self._noise.relit(dots)
        self._dots = dots
        same = self.repeats(before, dots)
        self._hold(same, at_s)
        self._at_s = at_s
        frozen = self._frozen(same, at_s)
        looped = self._looped(before, dots, at_s)
        if not (same or frozen or looped):
            self._noise.see(before, dots, calm)
        return gap or frozen or looped

    def _hold(self, same: bool, at_s: float) -> None:
        """Learns for how long frames are held when all is well."""
        if same:
            self._held_since = self._at_s if self._held_since is None else self._held_since
            return
        held_s = 0.0 if self._held_since is None else at_s - self._held_since
        if held_s < FROZEN_S:
            self._longest_hold_s = max(self._longest_hold_s, held_s)
        self._held_since = None

    def _frozen(self, same: bool, at_s: float) -> bool:
        """True when, for FROZEN_S or twice the longest usual hold, nearly all frames were the same."""
        least_s = max(FROZEN_S, HOLDS * self._longest_hold_s)
        return _mostly(self._same, same, at_s, least_s)

    def _looped(self, before: Dots, dots: Dots, at_s: float) -> bool:
        """True when nearly all frames that changed anything for REPEATED_S had been here before, in whatever light."""
        least = least_change(self._noise.remembered)
        if mean_change(before, dots) < least:
            return False
        known = self._past.nearest(dots, at_s) < least
        self._past.keep(dots, at_s)
        return _mostly(self._again, known, at_s, REPEATED_S)


class _Noise:
    """What a dot usually changes by between frames at rest; in another light it is doubted until that shows noise, too."""

    def __init__(self) -> None:
        self._changes: deque[float] = deque(maxlen=LEARNED_FROM_LAST)
        self._start(None)

    def _start(self, dots: Dots | None) -> None:
        """Begins anew with the last frames, in the light of these dots."""
        self._dots, self._restless, self._seen = dots, 0, 0
        self._last: deque[Dots] = deque(maxlen=BELIEVED_FROM)
        self._doubted = bool(self._changes)

    @property
    def learned(self) -> bool:
        """True when it is known whether there is noise in this light, and how much."""
        return len(self._changes) >= LEARNED_FROM and not self._doubted

    @property
    def usual(self) -> float | None:
        """The usual change, mean, grey levels; None where it is not known or there is none."""
        return None if self._doubted else self.remembered

    @property
    def remembered(self) -> float | None:
        """The same, doubted or not."""
        usual = float(np.quantile(self._changes, USUAL_QUANTILE)) if len(self._changes) >= LEARNED_FROM else 0.0
        return usual if usual >= MIN_NOISE else None

    def see(self, before: Dots, now: Dots, calm: bool) -> None:
        """Learns from a frame and the one before. On a tray that never rests the quietest dots show noise, and long enough."""
        change = np.asarray(cv2.absdiff(before, now), np.uint8)
        self._dots = now if self._dots is None else self._dots
        self._last.append(change.ravel())
        self._seen += 1
        if calm:
            self._restless = 0
            self._changes.append(float(change.mean()))
        if (self._doubted or not calm) and len(self._last) == BELIEVED_FROM:
            self._settle_for(self._quiet(), calm)

    def _settle_for(self, quiet: float, calm: bool) -> None:
        """Decides by the quietest dots what cannot be known by all of them."""
        self._restless = self._restless + 1 if quiet >= MIN_NOISE else 0
        if self._doubted and quiet >= MIN_NOISE:
            self._doubted = False
        elif self._doubted and self._seen >= LEARNED_FROM:
            self._changes.clear()
            self._doubted = False
        if not calm and self._restless >= RESTLESS_FROM:
            self._changes.append(quiet)

    def relit(self, dots: Dots) -> None:
        """Doubts the noise when the light is another than it was learned in: more light has less of it."""
        known = self._dots
        if known is not None and float(np.median(cv2.absdiff(known, dots))) > RELIT_LEVELS:
            self._start(dots)

    def _quiet(self) -> float:
        """What the quietest quarter of the dots uses to change by, mean of their medians over the last frames."""
        usual = np.median(np.stack(self._last), axis=0)
        quarter = usual.size // 4
        return float(np.partition(usual, quarter)[:quarter].mean())


class _Past:
    """The dots of the last LONGEST_LOOP_S, in a ring."""

    def __init__(self) -> None:
        self._dots: Dots = np.zeros((0, 0), np.uint8)
        self._at_s = np.zeros(MAX_FRAMES)
        self._kept = 0

    def keep(self, dots: Dots, at_s: float) -> None:
        if self._dots.shape != (MAX_FRAMES, dots.size):
            self._dots, self._kept = np.zeros((MAX_FRAMES, dots.size), np.uint8), 0
        place = self._kept % MAX_FRAMES
        self._dots[place], self._at_s[place] = dots, at_s
        self._kept += 1

    def nearest(self, dots: Dots, at_s: float) -> float:
        """The mean change from the frame of the last LONGEST_LOOP_S that is most like this one; infinite where there is none."""
        at = self._at_s[: min(self._kept, MAX_FRAMES)]
        recent = self._dots[: len(at)][at >= at_s - LONGEST_LOOP_S]
        if not len(recent):
            return float("inf")
        changes = cv2.absdiff(recent, np.repeat(dots[None], len(recent), axis=0))
        return float(cv2.reduce(changes, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).min())


def least_change(noise: float | None) -> float:
    """The mean change of a dot from which a frame is another one; 0 where there is no noise to tell by."""
    return min(SAME_SHARE * noise, SAME_LEVELS) if noise is not None else 0.0


def mean_change(before: Dots, now: Dots) -> float:
    """How much a dot changed, mean, grey levels."""
    return float(cv2.mean(cv2.absdiff(before, now))[0])


def _mostly(seen: deque[tuple[float, bool]], fact: bool, at_s: float, least_s: float) -> bool:
    """Keeps the last `least_s` of a fact; True when it held in nearly all of the frames, for all of that time."""
    seen.append((at_s, fact))
    from_s = at_s - least_s + ROUNDING_S
    while len(seen) > MIN_FRAMES and seen[1][0] <= from_s:
        seen.popleft()
    held = sum(fact for _, fact in seen)
    return seen[0][0] <= from_s and len(seen) >= MIN_FRAMES and held >= (1 - STRAY_SHARE) * len(seen)
