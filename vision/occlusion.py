"""What lies over the tray and is no die: hands, sleeves, boxes, a cup; told against pictures of the tray at rest.

Something new is what differs from every picture of the tray at rest that is kept, and is no die as far as the reader saw. A hand is
larger than a few dice where it reaches in over the border, and larger than many dice where it does not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Box
from vision.motion import Grey, Mask, gain_between, grey_of

CHANGED_NOISE, CHANGED_BEYOND = 8.0, 6.0
"""A pixel is part of something new that differs from the picture at rest by so many times the noise and so many grey levels more..."""
MIN_CHANGED, MAX_CHANGED = 10.0, 18.0
"""... but by no less, and no more than this: a brown hand on a wooden table differs by 10 to 30."""

HUE_SHARE = 0.8
"""So much of that difference is enough between two of the colours: a brown hand may be just as bright as green felt."""

RESTS_KEPT = 4
"""Pictures of the tray at rest that are kept: what is put down in view and taken away again is new neither time for long."""

HAND_DICE, APART_DICE = 4.0, 9.0
"""A hand is something new of at least so many dice's area where it reaches the border, and where it does not. Arms of Epanemu's clip
cover 9 to 18 dice; dice that touch one another and the border are read as dice, and are left out."""

HAND_SHARE = 0.025
"""Where dice are large, this share of the picture at the border is a hand too, if it is as much as a finger."""

REACH_DICE = 1.5
"""Something new at the border from this size on may be a finger: what it touches does not move freely. Where a die is missing that lay
there, it is one, and has the die under it or has taken it."""

VIEW_SHARE = 0.7
"""Something new over more of the picture than this is no hand: the camera was moved, or another picture came."""

STIRRED_SHARE = 0.04
"""A thing of which less than this share moved of late is at rest: dice that roll by stir its edge."""

NOTHING_SHARE = 0.002
"""Less of the picture than this that is new is nothing: no older picture at rest is asked."""

SHIFTED_SHARE = 0.02
"""More of the picture than this is new when a camera was pushed: its edges all are."""

SHIFT_RESPONSE, SHIFT_WINS = 0.1, 0.5
"""A shift is believed with this peak of the phase correlation, if it leaves less than this share of what was new."""

MIN_SHIFT_PX, MAX_SHIFT_PX = 0.4, 24.0
"""Px of the small picture: 2 to 120 px of 800."""

SLEEVE_STAYS = 0.5
"""A sleeve lies there as long as so much of its place differs from the tray without it: one that stirs leaves a strip of it."""

OTHER_HUE, OTHER_LEVEL = 1.4, 3.0
"""Light and shadow change the three colours of a place by factors that differ by less than the first, and none by more than the second.
A lamp of 2,700 K beside daylight changes them by more, but a camera's white balance takes most of that out."""

THING_SHARE = 0.2
"""So much of what differs must be no light: the shadow of an arm may be larger than the arm."""

OUTLINED = 2.0
"""A slope this much steeper than it was is an outline, levels a px."""

EXPLAINED = 1.25
"""A die explains what is new within its box times this: its shadow, and its blur."""


LIGHT_TINT = 1.25
"""Light makes one colour of the tray brighter than another by this factor at most: sun beside a lamp is bluer, a candle redder."""

RING_FROM, RING_TO, RING_SHARE = 1.35, 1.9, 0.8
"""A thing lies all about a die that fills so much of the ring between so many times its box."""


class Backgrounds:
    """The last pictures of the tray at rest, newest first."""

    def __init__(self) -> None:
        self._pictures: deque[Grey] = deque(maxlen=RESTS_KEPT)
        self._lit: Grey | None = None

    def __bool__(self) -> bool:
        return bool(self._pictures)

    @property
    def newest(self) -> Grey | None:
        return self._pictures[0] if self._pictures else None

    @property
    def last(self) -> Backgrounds:
        """The newest picture alone."""
        alone = Backgrounds()
        if self._pictures:
            alone.keep(self._pictures[0])
        return alone

    def keep(self, small: Grey) -> None:
        """small: (h, w, 3), as vision.motion.shrunk_colour gives it."""
        self._pictures.appendleft(small)

    def take(self, others: Backgrounds) -> None:
        """Keeps those of other times, too."""
        for picture in reversed(others._pictures):
            self.keep(picture)

    def forget(self) -> None:
        self._pictures.clear()

    def is_lit(self, where: Mask, small: Grey) -> bool:
        """Whether these places (h, w) became brighter or darker in all colours alike, as by light: a hand has a colour of its own."""
        newest = self.newest
        if newest is None or not where.any():
            return False
        times = np.median((small[where] + 1) / (newest[where] + 1), axis=0)
        return bool(times.max() < LIGHT_TINT * times.min())

    def relight(self, where: Mask, small: Grey) -> None:
        """Keeps besides what the light made of these places (h, w): it may go again."""
        if self._lit is not None and self._pictures and self._pictures[0] is self._lit:
            self._pictures.popleft()
        if self._pictures:
            self._lit = np.where(where[..., None], small, self._pictures[0])
            self._pictures.appendleft(self._lit)

    def new_places(self, small: Grey, noise: float) -> Mask:
        """(h, w): what differs from all of them, in brightness or in hue, in a small picture (h, w, 3). noise: grey levels, sigma.

        Where the camera was pushed, the pictures at rest are shifted with it.
        """
        new = self._new(small, noise)
        if self._pictures and float(new.mean()) > SHIFTED_SHARE:
            shifted = self._shifted(small)
            if shifted is not None:
                still_new = shifted._new(small, noise)
                if still_new.mean() < SHIFT_WINS * new.mean():
                    self._pictures, new = shifted._pictures, still_new
        return new

    def _shifted(self, small: Grey) -> Backgrounds | None:
        """The pictures as a camera sees them that was pushed to where it is now; None where it was not, or not plainly."""
        window = cv2.createHanningWindow((small.shape[1], small.shape[0]), cv2.CV_32F)
        (dx, dy), response = cv2.phaseCorrelate(grey_of(self._pictures[0]), grey_of(small), window)
        if response < SHIFT_RESPONSE or not MIN_SHIFT_PX < float(np.hypot(dx, dy)) < MAX_SHIFT_PX:
            return None
        matrix = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
        shifted = Backgrounds()
        for picture in reversed(self._pictures):
            shifted.keep(np.asarray(cv2.warpAffine(picture, matrix, small.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.float32))
        return shifted

    def _new(self, small: Grey, noise: float) -> Mask:
        new = np.ones(small.shape[:2], bool)
        for rest in self._pictures:
            new &= _changed(rest, small, noise)
            if float(new.mean()) < NOTHING_SHARE:
                break
        return new


def _changed(rest: Grey, small: Grey, noise: float) -> Mask:
    before, now = grey_of(rest), grey_of(small)
    level = min(max(CHANGED_NOISE * noise + CHANGED_BEYOND, MIN_CHANGED), MAX_CHANGED)
    gains = gain_between(before, now)
    lit = rest * gains[..., None]
    balance = np.median((small[::4, ::4] + 1) / (lit[::4, ::4] + 1), axis=(0, 1)).astype(np.float32)  # a camera's white balance
    change = np.asarray((small - lit * balance) / np.maximum(gains, 1)[..., None], np.float32)
    hue = change[..., [0, 2]] - change[..., [1]]
    return np.asarray((np.abs(grey_of(change)) > level) | (np.abs(hue).max(axis=2) > HUE_SHARE * level))


def rim_of(shape_hw: tuple[int, int], tray: Mask | None) -> Mask:
    """(h, w): where hands come in: the border of the picture, or of the tray where its place is known."""
    inside = np.zeros(shape_hw, np.uint8)
    inside[1:-1, 1:-1] = 1
    if tray is None:
        return np.asarray(inside == 0)
    narrower = np.asarray(cv2.erode(tray.astype(np.uint8), np.ones((3, 3), np.uint8)))
    return np.asarray(((inside == 0) | (narrower == 0)) & tray)


@dataclass(frozen=True, eq=False)
class Sleeve:
    """Something that came in over the rim and rests over the tray. Dice beside it are read, and the pictures at rest show it.

    places: (h, w), where it lies. without: the tray before it came.
    """

    places: Mask
    without: Backgrounds

    def lies_there(self, small: Grey, noise: float) -> bool:
        """Whether it still does, in this small picture (h, w, 3). noise: grey levels, sigma."""
        return float(self.without.new_places(small, noise)[self.places].mean()) > SLEEVE_STAYS

    def is_there(self, small: Grey) -> bool:
        """Whether what differs here is a thing that came: no light or shadow, and no thing that was there before and went."""
        was = self.without.newest
        if was is None or not self.places.any():
            return False
        thing = self.places & ~_kept_hue(was, small)
        came = _slopes(small) - _slopes(was)
        there = came[_outline(thing)]  # a thing has an outline where it is, and none where it was
        enough = np.count_nonzero(thing) > THING_SHARE * np.count_nonzero(self.places)
        return bool(enough and np.count_nonzero(there > OUTLINED) > np.count_nonzero(there < -OUTLINED))


def _kept_hue(was: Grey, small: Grey) -> Mask:
    """(h, w): what may only be in another light, or in a shadow."""
    lit = was * gain_between(grey_of(was), grey_of(small))[..., None]
    ratios = (small + 1) / (lit + 1)
    brighter = np.log(ratios.mean(axis=2))
    return np.asarray((ratios.max(axis=2) < OTHER_HUE * ratios.min(axis=2)) & (np.abs(brighter) < np.log(OTHER_LEVEL)))


def _outline(mask: Mask) -> Mask:
    """(h, w): a px to both sides of its edge."""
    square = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), square) > cv2.erode(mask.astype(np.uint8), square))


def _slopes(small: Grey) -> Grey:
    """(h, w): of the colour that changes most from place to place, levels a px."""
    along, down = cv2.Sobel(small, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(small, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(np.hypot(along, down).max(axis=2), np.float32)


@dataclass(frozen=True, eq=False)
class Occlusion:
    """What lies over the tray.

    mask: (h, w), where hands and things are. area: of the largest that surely is one and moves, or moved of late, in dice; 0: none.
    resting: the same of those that have not moved for long: a sleeve, or a box that was put down. reaching: (h, w), where those
    of both are that reach the rim.
    """

    mask: Mask
    area: float
    resting: float
    reaching: Mask


def over_tray(
    new: Mask, seen: Sequence[Box], lay: Sequence[Box], die_px: float, rim: Mask, moved_of_late: Mask
) -> Occlusion:
    """What lies over the tray, among what is new.

    seen, lay: boxes of the dice that are seen now, and that lay there at rest, px of the small picture. die_px: side of a die there.
    rim: (h, w), where hands come in. moved_of_late: (h, w), what moved not long ago.
    """
    left = (new & ~_within(seen, new.shape) & ~_within(lay, new.shape)).astype(np.uint8)
    closed = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    labels, areas, at_border = _things(closed > 0, die_px, rim)
    touching = (at_border & (areas >= REACH_DICE)) | (areas >= APART_DICE)
    mask = _filled(touching[labels], new & ~_within(seen, new.shape), die_px)
    labels, areas, at_border = _things(mask, die_px, rim)
    hand_dice = min(HAND_DICE, max(REACH_DICE, HAND_SHARE * new.size / die_px**2))
    surely = (at_border & (areas >= hand_dice)) | (areas >= APART_DICE)
    for x, y, w, h in lay if len(seen) < len(lay) else ():
        if not any(abs(sx - x) < w / 2 and abs(sy - y) < h / 2 for sx, sy, _, _ in seen):
            at_die = np.unique(labels[_box(new.shape, (x, y, w, h), RING_TO)])
            surely[at_die] |= at_border[at_die] & (areas[at_die] >= REACH_DICE)
    stirred = np.bincount(labels.ravel(), weights=moved_of_late.ravel(), minlength=len(areas))
    rests = np.asarray(stirred < STIRRED_SHARE * areas * die_px**2)
    return Occlusion(mask, _largest(areas, surely & ~rests), _largest(areas, surely & rests), (surely & at_border)[labels])


def lit_places(things: Mask, dice: Sequence[Box]) -> Mask:
    """(h, w): those of these things that lie all about a die which is seen in their midst: light falls there, where a thing would hide
    the die. dice: boxes of dice that lie as they lay, px of the small picture."""
    _, labels = cv2.connectedComponents(things.astype(np.uint8))
    lit = np.zeros(things.shape, bool)
    for x, y, w, h in dice:
        outer, inner = (_box(things.shape, (x, y, w, h), times) for times in (RING_TO, RING_FROM))
        about = labels[outer]
        about = about[~_within_box(inner, outer)]
        number = int(np.bincount(about.ravel()).argmax()) if about.size else 0
        if number and np.count_nonzero(about == number) >= RING_SHARE * about.size:
            lit |= labels == number
    return lit


def _box(shape_hw: tuple[int, ...], box: Box, times: float) -> tuple[slice, slice]:
    """Rows and columns of a box that is grown so many times, as far as it is in the picture."""
    x, y, w, h = box
    (cx, cy), (rx, ry) = (x + w / 2, y + h / 2), (times * w / 2, times * h / 2)
    rows = slice(max(round(cy - ry), 0), min(round(cy + ry), shape_hw[0]))
    return rows, slice(max(round(cx - rx), 0), min(round(cx + rx), shape_hw[1]))


def _within_box(inner: tuple[slice, slice], outer: tuple[slice, slice]) -> Mask:
    """(h, w) of the outer one: where the inner one is."""
    mask = np.zeros(tuple(s.stop - s.start for s in outer), bool)
    rows, columns = (slice(i.start - o.start, i.stop - o.start) for i, o in zip(inner, outer, strict=True))
    mask[rows, columns] = True
    return mask


def _things(mask: Mask, die_px: float, rim: Mask) -> tuple[NDArray[np.int32], NDArray[np.float64], Mask]:
    """Connected things: (h, w) their numbers; of each its area in dice, and whether it reaches the rim. Number 0 is no thing."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    areas = np.asarray(stats[:, cv2.CC_STAT_AREA] / die_px**2, np.float64)
    areas[0] = 0
    at_border = np.zeros(len(areas), bool)
    at_border[labels[rim]] = True
    return np.asarray(labels, np.int32), areas, at_border


def _within(boxes: Sequence[Box], shape_hw: tuple[int, ...]) -> Mask:
    """(h, w): what these dice explain."""
    mask = np.zeros(shape_hw, bool)
    for x, y, w, h in boxes:
        grow_x, grow_y = (EXPLAINED - 1) / 2 * w, (EXPLAINED - 1) / 2 * h
        top, left = max(round(y - grow_y), 0), max(round(x - grow_x), 0)
        mask[top : max(round(y + h + grow_y), 0), left : max(round(x + w + grow_x), 0)] = True
    return mask


def _filled(mask: Mask, new: Mask, die_px: float) -> Mask:
    """The mask, and what is new in gaps of it as large as a die: a hand over a place where a die lay is a hand there too."""
    kernel = np.ones((2 * round(0.8 * die_px) + 1,) * 2, np.uint8)
    return np.asarray(mask | ((cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, kernel) > 0) & new))


def _largest(areas: NDArray[np.float64], among: Mask) -> float:
    return float(areas[among].max()) if among.any() else 0.0
