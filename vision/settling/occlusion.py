"""Finds what lies over the tray and is no die, by background subtraction: hands, sleeves, boxes, a cup.

The foreground is what differs from every background: every stored picture of the tray at rest. Detected dice
are not part of it. A hand is a foreground component larger than a few dice if it reaches the rim, and larger
than many dice if it does not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, grown, pixels_of
from vision.settling.motion import Grey, Mask, grey_of, lighting_gain

CHANGED_NOISE, CHANGED_LEVELS = 8.0, 6.0
"""A pixel is foreground if it differs from the background by CHANGED_NOISE times the noise sigma plus
CHANGED_LEVELS grey levels."""
MIN_CHANGED, MAX_CHANGED = 10.0, 18.0
"""Limits of that threshold, grey levels. A brown hand on a wooden table differs by 10 to 30."""

HUE_SHARE = 0.8
"""Share of that threshold that is enough for the difference between two colour channels: a brown hand may be
exactly as bright as green felt."""

LIGHT_HUE_SHARE = 0.1
"""Share of a change of the light by which two colour channels may differ: the camera's tone curve compresses
bright ones."""

CLIPPED_LEVEL = 248.0
"""A colour channel from this level on may be clipped. Compression and noise leave clipped ones a little lower
than 255."""

MAX_BACKGROUNDS = 4
"""Number of backgrounds. Something that is put down in view and taken away again is foreground for a short
time only, both times."""

HAND_DICE, ISLAND_DICE = 4.0, 9.0
"""Minimum area of a hand, in dice, where it reaches the rim, and where it does not. Arms in Epanemu's clip
cover 9 to 18 dice. Dice that touch one another and the rim are detected as dice and are left out."""

HAND_SHARE = 0.025
"""Where dice are large, a component at the rim is a hand from this share of the picture, if it is at least
FINGER_DICE large."""

FINGER_DICE = 1.5
"""A component at the rim of at least this area, in dice, may be a finger; what it touches does not move
freely. Where a die of the background is no longer detected it is a finger: it covers the die or has taken
it."""

MIN_SAME_HAND_SHARE, FINGERTIP_DICE = 0.3, 0.3
"""While a die is missing, a finger that was a hand in the frame before is one still if more than this share
of it lies where it was, and it is at least FINGERTIP_DICE large, in dice: it pushes the die on. At least as
much is seen of one that comes in over the rim to a die close by."""

MIN_STEADY_SHARE = 0.7
"""A hand stays one while more than MIN_SAME_HAND_SHARE of it lies where it was, and its area is at least this
share of that in the frame before: a finger that lays a die down and holds it. What it leaves is smaller."""

MAX_HAND_SHARE = 0.7
"""Foreground over a larger share of the picture is no hand: the camera was moved, or another picture came."""

MAX_TINT_CHANGE, MAX_DIM_TINT_CHANGE, DIM_GAIN = 2.5, 2.0, 0.45
"""No lamp changes the tint of the whole picture by a larger ratio, or by more than MAX_DIM_TINT_CHANGE as it
dims the brightest colour to DIM_GAIN: a hand or a cloth lies on the lens."""

MIN_MOVED_SHARE = 0.04
"""A component is at rest if less than this share of it moved recently. Dice that roll past move its edge."""

NEGLIGIBLE_SHARE = 0.002
"""Foreground of less than this share of the picture is ignored: no older background is compared."""

SHIFTED_SHARE = 0.02
"""If the camera was pushed, more than this share of the picture is foreground, because all edges are."""

MIN_SHIFT_RESPONSE, MAX_SHIFT_RESIDUAL = 0.1, 0.5
"""A shift is accepted if its phase correlation peak is at least the first, and if it leaves less than the
second as a share of the foreground."""

MIN_SHIFT_PX, MAX_SHIFT_PX = 0.4, 24.0
"""Range of a shift, px of the small picture: 2 to 120 px of 800."""

MIN_SLEEVE_SHARE = 0.5
"""A sleeve is still there if more than this share of its mask differs from the tray without it. A sleeve that
moves a little leaves part of its mask covered."""

MAX_HUE_RATIO, MAX_LIGHT_RATIO = 1.4, 3.0
"""Light and shadow change the three colours of a place by factors whose ratio is below the first, and
brightness by a factor below the second. A lamp of 2,700 K beside daylight changes them by more, but a
camera's white balance removes most of that."""

MIN_THING_SHARE = 0.2
"""Minimum share of the changed pixels that light cannot explain, for an object. The shadow of an arm may be
larger than the arm."""

MIN_OUTLINE_LEVELS = 2.0
"""Increase of the gradient that makes an outline, grey levels a px."""

DIE_MASK_GROWTH = 1.25
"""Foreground within a die's box, scaled by this factor, belongs to the die: its shadow and its blur."""

INPAINT_PX = 3
"""Distance from which the ground below a die is filled in, px of the small picture."""

MAX_LIGHT_TINT = 1.25
"""Maximum ratio between the colours' gains where light makes the tray brighter. Sun beside a lamp is bluer, a
candle is redder."""

RING_INNER, RING_OUTER, MIN_RING_SHARE = 1.35, 1.9, 0.8
"""A component surrounds a die if it fills at least MIN_RING_SHARE of the ring between these two multiples of
the die's box."""


@dataclass(frozen=True, eq=False)
class _Background:
    """A picture of the tray at rest, (h, w, 3). known: (h, w), the pixels that it shows; None: all. A picture
    that was shifted with the camera does not show what came into view."""

    picture: Grey
    known: Mask | None = None

    @cached_property
    def shown(self) -> Mask:
        """The pixels (h, w) that the picture shows."""
        return np.ones(self.picture.shape[:2], bool) if self.known is None else self.known

    @cached_property
    def gradients(self) -> Grey:
        """The gradients of the picture, see _gradients."""
        return _gradients(self.picture)

    def shifted(self, by_xy: tuple[float, float]) -> _Background:
        """The background moved by this vector, px."""
        h, w = self.picture.shape[:2]
        matrix = np.array([[1, 0, by_xy[0]], [0, 1, by_xy[1]]], np.float32)
        picture = cv2.warpAffine(self.picture, matrix, (w, h), borderMode=cv2.BORDER_REPLICATE)
        moved = cv2.warpAffine(
            self.shown.astype(np.uint8), matrix, (w, h), flags=cv2.INTER_NEAREST, borderValue=0
        )
        return _Background(np.asarray(picture, np.float32), np.asarray(moved > 0))


class Backgrounds:
    """The last pictures of the tray at rest, newest first."""

    def __init__(self) -> None:
        self._backgrounds: deque[_Background] = deque(maxlen=MAX_BACKGROUNDS)
        self._relit: Grey | None = None
        self._ground: tuple[Grey, Mask, Grey] | None = None

    def __bool__(self) -> bool:
        return bool(self._backgrounds)

    @property
    def newest(self) -> Grey | None:
        """The newest picture, (h, w, 3); None before the first."""
        return self._backgrounds[0].picture if self._backgrounds else None

    @property
    def newest_only(self) -> Backgrounds:
        """A copy that holds the newest picture alone."""
        copy = Backgrounds()
        copy._backgrounds.extend(list(self._backgrounds)[:1])
        return copy

    def add(self, small: Grey) -> None:
        """Adds a picture, (h, w, 3), as vision.settling.motion.small_colour_of returns it."""
        self._backgrounds.appendleft(_Background(small))

    def extend(self, other: Backgrounds) -> None:
        """Adds all pictures of another object."""
        self._backgrounds.extendleft(reversed(other._backgrounds))

    def clear(self) -> None:
        self._backgrounds.clear()

    def is_light_change(self, mask: Mask, small: Grey) -> bool:
        """Whether all colours within the mask (h, w) became brighter or darker by the same factor.

        Light changes them like that. A hand has a colour of its own.
        """
        newest = self.newest
        if newest is None or not mask.any():
            return False
        ratios = np.median((small[mask] + 1) / (newest[mask] + 1), axis=0)
        return bool(ratios.max() < MAX_LIGHT_TINT * ratios.min())

    def are_covered(self, small: Grey) -> bool:
        """Whether something lies on the lens, by how the three colours changed since the newest picture."""
        if self.newest is None:
            return False
        gains = np.median((small[::4, ::4] + 1) / (self.newest[::4, ::4] + 1), axis=(0, 1))
        most = MAX_DIM_TINT_CHANGE if gains.max() < DIM_GAIN else MAX_TINT_CHANGE
        return bool(gains.max() > most * gains.min())

    def add_relit(self, mask: Mask, small: Grey) -> None:
        """Adds a copy of the newest picture with these pixels (h, w) in the light of now, which may go."""
        if self._relit is not None and self.newest is self._relit:
            self._backgrounds.popleft()
        if self._backgrounds:
            newest = self._backgrounds[0]
            self._relit = np.where(mask[..., None], small, newest.picture)
            self._backgrounds.appendleft(_Background(self._relit, newest.known))

    def align_and_subtract(self, small: Grey, noise: float, min_explained: float = 0.0) -> Mask:
        """The foreground mask (h, w) of a small picture (h, w, 3). noise: sigma, grey levels.

        The pixels differ from all backgrounds in brightness or hue. If the camera was pushed, the backgrounds
        are shifted to match, and stay so. What they show no longer then, at the border, says nothing about a
        shift: a hand may be there. min_explained: the number of pixels that a shift explains at least.
        """
        foreground = self.foreground(small, noise)
        if self._backgrounds and float(foreground.mean()) > SHIFTED_SHARE:
            shifted = self._shifted(small)
            if shifted is not None:
                remaining = shifted.foreground(small, noise)
                shown = np.any([background.shown for background in shifted._backgrounds], axis=0)
                before = np.count_nonzero(foreground & shown)
                after = np.count_nonzero(remaining)
                if after < MAX_SHIFT_RESIDUAL * before and before - after >= min_explained:
                    self._backgrounds, foreground = shifted._backgrounds, remaining
        return foreground

    def _shifted(self, small: Grey) -> Backgrounds | None:
        """The backgrounds moved by the camera's shift, from phase correlation; None: no clear shift.

        The gradients are correlated: smooth felt and the lens's vignetting, which does not move, have none.
        """
        before, now = self._backgrounds[0].gradients, _gradients(small)
        (dx, dy), response = cv2.phaseCorrelate(before, now)
        if response < MIN_SHIFT_RESPONSE or not MIN_SHIFT_PX < float(np.hypot(dx, dy)) < MAX_SHIFT_PX:
            return None
        shifted = Backgrounds()
        shifted._backgrounds.extend(background.shifted((dx, dy)) for background in self._backgrounds)
        return shifted

    def covered(self, small: Grey, noise: float, boxes: Sequence[Box]) -> Mask:
        """The mask (h, w) of these boxes where something else than the ground is seen.

        boxes: where dice lay in the newest background, px; the ground in them is taken from around them.
        """
        mask = _dice_mask(boxes, small.shape[:2])
        if self.newest is None or not mask.any():
            return np.zeros_like(mask)
        ground = self._ground
        if ground is None or ground[0] is not self.newest or not np.array_equal(ground[1], mask):
            ground = self._ground = (self.newest, mask, _inpainted(self.newest, mask))
        return mask & _changed(ground[2], small, noise)

    def foreground(self, small: Grey, noise: float) -> Mask:
        """The foreground mask (h, w) of a small picture (h, w, 3): what differs from all backgrounds that
        show the place.

        The difference is one of brightness or hue. noise: sigma, grey levels.
        """
        foreground, known = np.ones(small.shape[:2], bool), np.zeros(small.shape[:2], bool)
        for background in self._backgrounds:
            changed = _changed(background.picture, small, noise)
            foreground, known = foreground & (changed | ~background.shown), known | background.shown
            if float(foreground.mean()) < NEGLIGIBLE_SHARE:
                break
        return foreground & known


def _changed(background: Grey, small: Grey, noise: float) -> Mask:
    before, now = grey_of(background), grey_of(small)
    threshold = min(max(CHANGED_NOISE * noise + CHANGED_LEVELS, MIN_CHANGED), MAX_CHANGED)
    gains = lighting_gain(before, now)
    expected = background * gains[..., None]
    ratios = (small[::4, ::4] + 1) / (expected[::4, ::4] + 1)
    balance = np.median(ratios, axis=(0, 1)).astype(np.float32)  # the white balance
    difference = _without_clipping(background, expected * balance, small)
    change = np.asarray(difference / np.maximum(gains, 1)[..., None], np.float32)
    hue = change[..., [0, 2]] - change[..., [1]]
    tolerance = HUE_SHARE * threshold + LIGHT_HUE_SHARE * np.abs(gains - 1) * before
    other_hue = np.abs(hue).max(axis=2) > tolerance
    return np.asarray((np.abs(grey_of(change)) > threshold) | other_hue)


def _without_clipping(background: Grey, expected: Grey, small: Grey) -> Grey:
    """The difference (h, w, 3) from what is expected, without what clipping explains.

    A clipped colour does not get brighter with the light, and may have been brighter than it seems.
    """
    difference = np.minimum(small, CLIPPED_LEVEL) - np.minimum(expected, CLIPPED_LEVEL)
    if float(background.max()) < CLIPPED_LEVEL:
        return difference
    return np.where(background >= CLIPPED_LEVEL, np.minimum(difference, 0), difference)


def _inpainted(small: Grey, mask: Mask) -> Grey:
    """A small picture (h, w, 3) with the masked pixels (h, w) filled from around them."""
    filled = cv2.inpaint(np.asarray(small, np.uint8), mask.astype(np.uint8), INPAINT_PX, cv2.INPAINT_TELEA)
    return np.where(mask[..., None], np.asarray(filled, np.float32), small)


def rim_mask(shape_hw: tuple[int, int], tray: Mask | None) -> Mask:
    """The pixels (h, w) where hands come in: the border of the picture, or of the tray if known."""
    inside = np.zeros(shape_hw, np.uint8)
    inside[1:-1, 1:-1] = 1
    if tray is None:
        return np.asarray(inside == 0)
    eroded = np.asarray(cv2.erode(tray.astype(np.uint8), np.ones((3, 3), np.uint8)))
    return np.asarray(((inside == 0) | (eroded == 0)) & tray)


@dataclass(frozen=True, eq=False)
class Sleeve:
    """An object that came in over the rim and rests over the tray. Dice beside it are read, and the
    backgrounds include it.

    mask: (h, w), where it lies. backgrounds: the tray before it came.
    """

    mask: Mask
    backgrounds: Backgrounds

    def still_there(self, small: Grey, noise: float) -> bool:
        """Whether it is still there in this small picture (h, w, 3). noise: sigma, grey levels."""
        return float(self.backgrounds.align_and_subtract(small, noise)[self.mask].mean()) > MIN_SLEEVE_SHARE

    def is_object(self, small: Grey) -> bool:
        """Whether the change is an object that came, and not light, a shadow, or an object that went away."""
        before = self.backgrounds.newest
        if before is None or not self.mask.any():
            return False
        object_mask = self.mask & ~_explained_by_light(before, small)
        gradient_change = _gradients(small) - _gradients(before)
        # An object has an outline where it is, and none where it was.
        at_outline = gradient_change[_outline(object_mask)]
        large = np.count_nonzero(object_mask) > MIN_THING_SHARE * np.count_nonzero(self.mask)
        gained = np.count_nonzero(at_outline > MIN_OUTLINE_LEVELS)
        lost = np.count_nonzero(at_outline < -MIN_OUTLINE_LEVELS)
        return bool(large and gained > lost)


def _explained_by_light(before: Grey, small: Grey) -> Mask:
    """The pixels (h, w) whose change may be light or shadow alone."""
    expected = before * lighting_gain(grey_of(before), grey_of(small))[..., None]
    ratios = (small + 1) / (expected + 1)
    log_ratio = np.log(ratios.mean(axis=2))
    same_hue = ratios.max(axis=2) < MAX_HUE_RATIO * ratios.min(axis=2)
    return np.asarray(same_hue & (np.abs(log_ratio) < np.log(MAX_LIGHT_RATIO)))


def _outline(mask: Mask) -> Mask:
    """The outline of a mask, (h, w): one px to either side of its edge."""
    square = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), square) > cv2.erode(mask.astype(np.uint8), square))


def _gradients(small: Grey) -> Grey:
    """The gradient (h, w) of the colour with the largest one, grey levels a px."""
    along = cv2.Sobel(small, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(small, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(np.hypot(along, down).max(axis=2), np.float32)


@dataclass(frozen=True, eq=False)
class Occlusion:
    """What lies over the tray.

    mask: (h, w), where hands and things are.
    moving_area: area of the largest confirmed hand or thing that moves or moved recently, in dice; 0: none.
    resting_area: the same for those that have not moved for a while, such as a sleeve or a box.
    reaching: (h, w), the parts of both kinds that reach the rim.
    """

    mask: Mask
    moving_area: float
    resting_area: float
    reaching: Mask


def find_occlusion(
    foreground: Mask,
    boxes: Sequence[Box],
    rest_boxes: Sequence[Box],
    die_px: float,
    rim: Mask,
    recently_moved: Mask,
    covered: Mask | None = None,
    hands_before: Mask | None = None,
    just_moved: Mask | None = None,
) -> Occlusion:
    """Classifies the foreground into hands and things.

    boxes, rest_boxes: boxes of the dice detected now, and of those on the tray at rest, px of the small
    picture. die_px: side of a die there. rim: (h, w), where hands come in. recently_moved: (h, w), pixels
    that moved a short time ago. covered: (h, w), the pixels in the rest boxes that do not show the ground;
    None: not known. hands_before: (h, w), the reaching hands of the frame before; None: none. just_moved:
    (h, w), pixels that moved a moment ago; None: none.
    """
    mask = _hand_mask(foreground, boxes, rest_boxes, die_px, rim, covered, just_moved)
    labels, areas, at_rim = _components(mask, die_px, rim)
    hand_dice = min(HAND_DICE, max(FINGER_DICE, HAND_SHARE * foreground.size / die_px**2))
    is_hand = (at_rim & (areas >= hand_dice)) | (areas >= ISLAND_DICE)
    for x, y, w, h in rest_boxes if len(boxes) < len(rest_boxes) else ():
        if not any(abs(sx - x) < w / 2 and abs(sy - y) < h / 2 for sx, sy, _, _ in boxes):
            die_labels = np.unique(labels[_box_slices(foreground.shape, (x, y, w, h), RING_OUTER)])
            is_hand[die_labels] |= at_rim[die_labels] & (areas[die_labels] >= FINGER_DICE)
    if hands_before is not None:
        least = FINGERTIP_DICE
        if covered is None:  # no die is missing under a finger
            least = max(least, MIN_STEADY_SHARE * float(hands_before.sum()) / die_px**2)
        is_hand |= at_rim & (areas >= least) & _overlaps(labels, hands_before)
    at_rest = np.asarray(_px_within(labels, recently_moved) < MIN_MOVED_SHARE * areas * die_px**2)
    moving_area, resting_area = (_max_area(areas, is_hand & part) for part in (~at_rest, at_rest))
    return Occlusion(mask, moving_area, resting_area, (is_hand & at_rim)[labels])


def _hand_mask(
    foreground: Mask,
    boxes: Sequence[Box],
    rest_boxes: Sequence[Box],
    die_px: float,
    rim: Mask,
    covered: Mask | None,
    just_moved: Mask | None,
) -> Mask:
    """The mask (h, w) of what may be hands or things, with what lies between the dice that they push."""
    now, left = (_dice_mask(some, foreground.shape) for some in (boxes, rest_boxes))
    labels, areas, at_rim = _components(_closed(foreground & ~now & ~left), die_px, rim)
    hands = ((at_rim & (areas >= FINGER_DICE)) | (areas >= ISLAND_DICE))[labels]
    if covered is not None:
        seen = _closed(foreground & ~now & (~left | covered))
        hands = _reaching(hands | _short_finger(seen, left, die_px, rim, just_moved), seen)
    return _filled(hands, foreground & ~now, die_px)


def _short_finger(seen: Mask, left: Mask, die_px: float, rim: Mask, just_moved: Mask | None) -> Mask:
    """The components (h, w) that are fingers only with what they hide: they come in over the rim, near a die
    that is no longer detected, and stop there. A die that lands on that one moves. left: (h, w), where dice
    lay."""
    labels, areas, _ = _components(seen, die_px, rim)
    beside = seen & ~left
    lengths = _px_within(labels, beside) / die_px**2
    at_rim = np.zeros(len(areas), bool)
    at_rim[labels[rim & beside]] = True
    moved_px = 0.0 if just_moved is None else _px_within(labels, just_moved)
    stopped = moved_px < MIN_MOVED_SHARE * areas * die_px**2
    return np.asarray((at_rim & stopped & (areas >= FINGER_DICE) & (lengths >= FINGERTIP_DICE))[labels])


def _overlaps(labels: NDArray[np.int32], hands_before: Mask) -> Mask:
    """Whether each component of these labels (h, w) lies where a hand was in the frame before."""
    sizes_px = np.bincount(labels.ravel())
    return np.asarray(_px_within(labels, hands_before) > MIN_SAME_HAND_SHARE * sizes_px)


def _px_within(labels: NDArray[np.int32], mask: Mask) -> NDArray[np.float64]:
    """The number of pixels of each component of these labels (h, w) that lie in a mask (h, w)."""
    weights = mask.ravel().astype(np.float64)
    return np.asarray(np.bincount(labels.ravel(), weights, int(labels.max()) + 1), np.float64)


def light_mask(occluded: Mask, boxes: Sequence[Box]) -> Mask:
    """The components (h, w) that surround a detected die. They are light: a thing there would hide the die.

    boxes: boxes of dice that have not moved, px of the small picture.
    """
    _, labels = cv2.connectedComponents(occluded.astype(np.uint8))
    light = np.zeros(occluded.shape, bool)
    for x, y, w, h in boxes:
        outer, inner = (
            _box_slices(occluded.shape, (x, y, w, h), scale) for scale in (RING_OUTER, RING_INNER)
        )
        ring = labels[outer]
        ring = ring[~_inner_mask(inner, outer)]
        label = int(np.bincount(ring.ravel()).argmax()) if ring.size else 0
        if label and np.count_nonzero(ring == label) >= MIN_RING_SHARE * ring.size:
            light |= labels == label
    return light


def _box_slices(shape_hw: tuple[int, ...], box: Box, scale: float) -> tuple[slice, slice]:
    """Rows and columns of a box scaled about its centre, clipped to the picture."""
    x, y, w, h = box
    (cx, cy), (rx, ry) = (x + w / 2, y + h / 2), (scale * w / 2, scale * h / 2)
    rows = slice(max(round(cy - ry), 0), min(round(cy + ry), shape_hw[0]))
    return rows, slice(max(round(cx - rx), 0), min(round(cx + rx), shape_hw[1]))


def _inner_mask(inner: tuple[slice, slice], outer: tuple[slice, slice]) -> Mask:
    """The inner rectangle as a mask of the outer one's shape, (h, w)."""
    mask = np.zeros(tuple(s.stop - s.start for s in outer), bool)
    rows, columns = (slice(i.start - o.start, i.stop - o.start) for i, o in zip(inner, outer, strict=True))
    mask[rows, columns] = True
    return mask


def _components(mask: Mask, die_px: float, rim: Mask) -> tuple[NDArray[np.int32], NDArray[np.float64], Mask]:
    """Connected components: labels (h, w), the area of each in dice, and whether each reaches the rim.

    Label 0 is the background.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    areas = np.asarray(stats[:, cv2.CC_STAT_AREA] / die_px**2, np.float64)
    areas[0] = 0
    at_rim = np.zeros(len(areas), bool)
    at_rim[labels[rim]] = True
    return np.asarray(labels, np.int32), areas, at_rim


def _dice_mask(boxes: Sequence[Box], shape_hw: tuple[int, ...]) -> Mask:
    """The mask (h, w) of the foreground that these dice explain."""
    mask = np.zeros(shape_hw, bool)
    for box in boxes:
        mask[pixels_of(grown(box, DIE_MASK_GROWTH))] = True
    return mask


def _closed(mask: Mask) -> Mask:
    """The mask without gaps of one px."""
    square = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, square) > 0)


def _reaching(hands: Mask, seen: Mask) -> Mask:
    """The hands with everything seen that is connected to them: a finger over the place where a die lay."""
    _, labels = cv2.connectedComponents((hands | seen).astype(np.uint8))
    of_hand = np.zeros(int(labels.max()) + 1, bool)
    of_hand[labels[hands]] = True
    return np.asarray(of_hand[labels])


def _filled(mask: Mask, foreground: Mask, die_px: float) -> Mask:
    """The mask with gaps as large as a die filled by foreground.

    A hand over a place where a die lay is a hand there too.
    """
    kernel = np.ones((2 * round(0.8 * die_px) + 1,) * 2, np.uint8)
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, kernel) > 0
    return np.asarray(mask | (closed & foreground))


def _max_area(areas: NDArray[np.float64], selected: Mask) -> float:
    """The largest of the selected areas; 0 if none is selected."""
    return float(areas[selected].max()) if selected.any() else 0.0
