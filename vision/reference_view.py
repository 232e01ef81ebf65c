"""How the camera saw the table when the tray was set: a small grey picture, and where what it shows is in a later one.

Only what lies outside the tray is compared, the rim and the table: dice and hands change what lies within. Direct alignment: of the
kept picture the px at edges are sampled, and the homography is sought that brings them, as light or dark beside their surroundings as
they were, over the new picture (Gauss-Newton, inverse compositional, from coarse to fine). Px that fit badly weigh little, so that a
hand or a thing put down on the table does not pull. Where the camera moved too far for that, ORB features and a correlation of the
whole picture, turned this way and that, say where to begin.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.place import Place, PlaceUnusable
from vision.quads import Floats, in_px

Grey = NDArray[np.uint8]
Values = NDArray[np.float32]

WIDTH_PX = 320
"""Of the kept picture: an alignment is good to 0.2 px of it, 0.8 px at 1280, in a few ms; the file takes 15 kB."""
JPEG_QUALITY = 90
MAX_SHAPE = 0.01
"""How far two pictures' width to height may differ and still be one camera's."""
OUTSIDE_SHARE = 0.012
"""What is compared begins this far outside the tray, as a share of the picture's width: dice at the wall end there."""
AROUND_PX, SOFT_GREY, SPREAD_GREY = 17, 6.0, 40.0
"""Local contrast: a px less the mean of AROUND_PX x AROUND_PX round it, in units of their spread plus SOFT_GREY grey levels, times
SPREAD_GREY. Lamps and shadows change it little, and noise of 2 grey levels stays below a tenth of an edge."""
LEVELS = 3
"""Pictures of 320, 160 and 80 px across: a shift of 4 px of the last, 5 % of the picture, is found without a guess."""
MIN_EDGE = 14.0
"""Least gradient of local contrast a px where a px is sampled: noise has 3 to 8, edges of a rim 20 to 60."""
MAX_SAMPLES = 1500
MIN_SAMPLES = 80
"""With fewer, or with edges of one direction only (MIN_ACROSS, the share of gradients across the main direction), nothing is told:
a tray that fills the picture, or a plain rim of which one side is seen."""
MIN_ACROSS = 0.04
STEPS, MIN_STEP, MAX_STEP = 12, 0.002, 0.5
"""Of Gauss-Newton a level; a step that moves the picture's border by less than this share of half its width is the last, and one by
more than MAX_STEP leads nowhere."""
RESIDUAL_GREY = 30.0
"""Residual at which a sample weighs half (Cauchy)."""
TILE_PX, TILE_SHARE, MIN_ALIKE = 16, 0.3, 0.7
"""The aligned pictures are compared by tiles of which this share lies outside the tray; one with this correlation is alike."""
MIN_DETAIL = 12.0
"""Standard deviation of local contrast below which a tile is plain and tells nothing."""
MIN_CORNERED = 0.08
"""A tile has a corner where the gradients across the main direction have this share of those along it. Along a straight rim everything
is alike after a shift as well: those tiles alone tell that one."""
FOUND_SHARE, FAR_SHARE = 0.82, 0.87
"""A movement near the last one known is believed where this share of tiles is alike, and one that was searched for where that share is.
Of 280 bumps of up to a fifth of the picture, on simulated trays and photographs, half of them with a hand, 193 are followed, to 0.9 %
of the picture's width at worst, and 87 are lost, most of them of more than MAX_MOVED; none is followed wrongly. Of 140 pictures of a
camera at rest, every second with a hand, all are found at rest."""
FOUND_TILES, FOUND_CORNERED, SEEN_SHARE = 8, 2, 0.4
"""So many tiles have to be alike, so many with corners in view, and this share of all tiles in view."""
NEAR_PX = 1.5
"""A movement beyond this from the last one known is not believed before others were tried: the fine picture alone may stick halfway."""
MAX_MOVED = 0.2
"""A movement of a corner of the picture by more than this share of its width is left to people: so far, straight rims fit by chance."""
STAYED_SHARE = 0.35
"""The camera counts as still where so many are alike in place: an arm lies over the rest."""
MAX_STRETCH = 1.6
"""No bump brings a camera nearer or farther by more; a homography beyond it fits by chance."""
ORB_FEATURES, ORB_FAST, MIN_ORB, ORB_FIT_PX = 400, 8, 8, 3.0
"""Features, the corner detector's threshold, matches that have to agree, and how well, px."""
TURNS_DEG = tuple(range(-15, 16, 5))
"""Turns tried where the picture is searched for as a whole; alignment finds what lies between..."""
TURNS_KEPT = 3
"""... beginning from so many of them."""


@dataclass(frozen=True, eq=False)
class ReferenceView:
    """A small grey picture of the table. grey: (h, WIDTH_PX) uint8."""

    grey: Grey

    @staticmethod
    def of(picture: Picture) -> ReferenceView:
        """The look of a picture, (h, w, 3) uint8."""
        return ReferenceView(small_grey(picture))

    def to_json(self) -> dict[str, Any]:
        done, data = cv2.imencode(".jpg", self.grey, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not done:
            raise ValueError(f"a picture of shape {self.grey.shape} could not be encoded as JPEG")
        return {"jpeg": base64.b64encode(data.tobytes()).decode("ascii")}

    @staticmethod
    def from_json(data: Any) -> ReferenceView:
        """What to_json gave; raises PlaceUnusable for anything else."""
        try:
            raw = np.frombuffer(base64.b64decode(data["jpeg"], validate=True), np.uint8)
            grey = cv2.imdecode(raw, cv2.IMREAD_GRAYSCALE)
        except (KeyError, TypeError, binascii.Error, ValueError, cv2.error):
            grey = None
        if grey is None or grey.shape[1] != WIDTH_PX or not WIDTH_PX // 4 <= grey.shape[0] <= 4 * WIDTH_PX:
            raise PlaceUnusable(f"“look” holds no picture of {WIDTH_PX} px across; set the tray anew")
        return ReferenceView(np.asarray(grey, np.uint8))


def small_grey(picture: Picture) -> Grey:
    """(h, WIDTH_PX) uint8, the whole picture."""
    h, w = picture.shape[:2]
    half = cv2.resize(picture, (2 * WIDTH_PX, 2 * max(1, round(h * WIDTH_PX / w))), interpolation=cv2.INTER_AREA)  # halves are fast
    small = cv2.resize(half, (WIDTH_PX, half.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


# -- samples -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Samples:
    """Px at edges, of one level. at: (n, 2) px; value: (n,) local contrast there; slopes: (n, 8), how that changes with each free
    entry of a homography between pictures whose middle is 0, 0 and whose half width is 1."""

    at: Values
    value: Values
    slopes: Values

    @staticmethod
    def of(contrast: Values, outside: Grey) -> Samples:
        gx, gy = (cv2.Sobel(contrast, cv2.CV_32F, dx, dy, scale=1 / 8) for dx, dy in ((1, 0), (0, 1)))
        rows, columns = np.nonzero((np.hypot(gx, gy) >= MIN_EDGE) & (outside > 0))
        thin = slice(None, None, max(1, -(-len(rows) // MAX_SAMPLES)))
        rows, columns = rows[thin], columns[thin]
        at = np.stack([columns, rows], axis=1).astype(np.float32)
        half = contrast.shape[1] / 2
        x, y = ((at[:, i] - (side - 1) / 2) / half for i, side in enumerate(contrast.shape[::-1]))
        a, b = gx[rows, columns] * half, gy[rows, columns] * half
        slopes = np.stack([a * x, a * y, a, b * x, b * y, b, -x * (a * x + b * y), -y * (a * x + b * y)], axis=1)
        return Samples(at, contrast[rows, columns], slopes.astype(np.float32))

    @property
    def tell(self) -> bool:
        """Whether there are enough of them, of more than one direction."""
        if len(self.at) < MIN_SAMPLES:
            return False
        across, along = np.linalg.eigvalsh(self.slopes[:, [2, 5]].T @ self.slopes[:, [2, 5]])
        return bool(across >= MIN_ACROSS * along)


FREE = np.eye(8)
SIMILAR = np.array([(1, 0, 0, 0, 1, 0, 0, 0), (0, 1, 0, -1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1, 0, 0)], float).T
"""(8, 4): larger, turned, shifted right, shifted down."""


def _stepped(samples: Samples, now: Values, homography: Floats, ways: Floats) -> Floats:
    """The homography, px of this level, after Gauss-Newton; ways: (8, k), the movements that are free."""
    to_px = _centred(now.shape)
    slopes = samples.slopes @ ways.astype(np.float32)
    for _ in range(STEPS if len(samples.at) else 0):
        there = np.asarray(cv2.perspectiveTransform(samples.at[None], homography), np.float32)
        seen = cv2.remap(now, there[0, :, 0], there[0, :, 1], cv2.INTER_LINEAR, borderValue=np.nan)
        off = np.asarray(seen, np.float32).ravel() - samples.value
        weight = np.nan_to_num(1 / (1 + np.square(off / RESIDUAL_GREY)))
        weighted = slopes * weight[:, None]
        try:
            step = ways @ np.linalg.solve(weighted.T @ slopes + 1e-3 * np.eye(ways.shape[1]), weighted.T @ np.nan_to_num(off))
            change = np.append(step, 0).reshape(3, 3) + np.eye(3)
            homography = homography @ to_px @ np.linalg.inv(change) @ np.linalg.inv(to_px)
        except np.linalg.LinAlgError:
            break
        if not MIN_STEP <= np.abs(step).max() < MAX_STEP:
            break
    return homography


def _centred(shape: tuple[int, ...]) -> Floats:
    """(3, 3): from a picture whose middle is 0, 0 and whose half width is 1, to px."""
    h, w = shape
    return np.array([(w / 2, 0, (w - 1) / 2), (0, w / 2, (h - 1) / 2), (0, 0, 1)], np.float64)


# -- alignment -----------------------------------------------------------------------------------------------------------


class Alignment:
    """Finds what a look shows again in later pictures. place: of the tray in it.

    `tells`: False where too little is to be seen outside the tray to tell anything.
    """

    def __init__(self, look: ReferenceView, place: Place) -> None:
        h, w = look.grey.shape
        self._size_wh = (w, h)
        outside = np.asarray(255 - place.mask((w, h), round(OUTSIDE_SHARE * w)), np.uint8)
        outside[:2], outside[-2:], outside[:, :2], outside[:, -2:] = 0, 0, 0, 0
        self._outside, self._contrast = outside, _local_contrast(look.grey)
        levels = list(_pyramid(self._contrast))
        masks = [cv2.resize(outside, level.shape[::-1], interpolation=cv2.INTER_NEAREST) for level in levels]
        self._samples = [Samples.of(level, np.asarray(mask, np.uint8)) for level, mask in zip(levels, masks, strict=True)]
        self._detailed = _tiles(outside, np.square(self._contrast))[0] >= MIN_DETAIL**2
        self._cornered = self._detailed & _with_corners(self._contrast, outside)
        self.tells = self._samples[0].tell and int(self._detailed.sum()) >= FOUND_TILES and int(self._cornered.sum()) >= FOUND_CORNERED

    def fits(self, picture: Picture) -> bool:
        """Whether the picture has the shape of the look's."""
        (h, w), (lw, lh) = picture.shape[:2], self._size_wh
        return bool(abs(w / h * lh / lw - 1) <= MAX_SHAPE)

    def moved(self, picture: Picture, near: Floats) -> Floats | None:
        """The (3, 3) homography, in shares, from the look to this picture; None where it cannot be told.

        near: the last one known; the search begins there.
        """
        to_px = np.diag([*map(float, self._size_wh), 1.0])
        now = _local_contrast(small_grey(picture))
        begin = np.asarray(to_px @ near @ np.linalg.inv(to_px), np.float64)
        found = _stepped(self._samples[0], now, begin, FREE)
        if self._alike(found, now) < FOUND_SHARE or self._apart(found, begin) > NEAR_PX:
            share, found = self._searched(now, begin, found)
            if share < FAR_SHARE or self._apart(found, begin) > MAX_MOVED * self._size_wh[0]:
                return near if self._alike(begin, now) >= STAYED_SHARE else None
        return np.asarray(np.linalg.inv(to_px) @ found @ to_px, np.float64)

    def _apart(self, one: Floats, other: Floats) -> float:
        """How far a corner of the picture goes to another place by these two, px of the kept picture."""
        frame = in_px(((0, 0), (1, 0), (1, 1), (0, 1)), self._size_wh)[None]
        return float(np.abs(cv2.perspectiveTransform(frame, one) - cv2.perspectiveTransform(frame, other)).max())

    def _searched(self, now: Values, begin: Floats, found: Floats) -> tuple[float, Floats]:
        """Of the movement found and of those that every guess leads to, the one after which most is alike, and how much."""
        levels = list(_pyramid(now))
        guesses = (begin, *self._by_features(now), *self._by_correlation(levels[-1]))
        tried = [found, *(self._refined(guess, levels) for guess in guesses)]
        return max(((self._alike(one, now), one) for one in tried), key=lambda judged: judged[0])

    def _refined(self, guess: Floats, now: list[Values]) -> Floats:
        """The guess, px of the kept picture, put right from coarse to fine."""
        for level in reversed(range(LEVELS)):
            scale = np.diag([0.5**level, 0.5**level, 1.0])
            there = scale @ guess @ np.linalg.inv(scale)
            there = _stepped(self._samples[level], now[level], there, SIMILAR if level else FREE)
            guess = np.linalg.inv(scale) @ there @ scale
        return np.asarray(guess, np.float64)

    def _alike(self, homography: Floats, now: Values) -> float:
        """Share of the tiles with something to see that look as they did, or of those with corners if that is less; 0-1.

        0 where too few are to be seen, or where the homography is no bump's.
        """
        if not _plausible(homography, self._size_wh):
            return 0.0
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        back = np.asarray(cv2.warpPerspective(now, homography, self._size_wh, flags=flags), np.float32)
        seen = cv2.warpPerspective(np.ones_like(self._outside), homography, self._size_wh, flags=flags)
        outside = np.asarray(self._outside * seen, np.uint8)
        ours, theirs, common = _tiles(outside, self._contrast * self._contrast, back * back, self._contrast * back)
        alike = self._detailed & (common > MIN_ALIKE * np.sqrt(np.maximum(ours * theirs, 1.0)))
        telling = self._detailed & (ours > 0)
        cornered = telling & self._cornered
        if min(alike.sum() / FOUND_TILES, cornered.sum() / FOUND_CORNERED, telling.sum() / (SEEN_SHARE * self._detailed.sum())) < 1:
            return 0.0
        return float(min(alike.sum() / telling.sum(), alike[cornered].mean()))

    # -- guesses, px of the kept picture

    def _by_features(self, now: Values) -> Iterator[Floats]:
        """From ORB features that match one another best: finds a camera that moved far over a table with things on it."""
        points, described = self._features
        seen, described_now = _orb().detectAndCompute(_as_grey(now), None)
        if described is None or described_now is None:
            return
        matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(described, described_now)
        if len(matches) < MIN_ORB:
            return
        before = np.array([points[m.queryIdx].pt for m in matches], np.float32)
        after = np.array([seen[m.trainIdx].pt for m in matches], np.float32)
        similar, agree = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=ORB_FIT_PX)
        if similar is not None and agree.sum() >= MIN_ORB:
            yield np.vstack([similar, [0, 0, 1]])

    @cached_property
    def _features(self) -> tuple[Any, Any]:
        keypoints, described = _orb().detectAndCompute(_as_grey(self._contrast), self._outside)
        return keypoints, described

    def _by_correlation(self, coarse: Values) -> Iterator[Floats]:
        """The best shifts of the coarsest picture, of all turns: finds a camera that moved far over a plain table."""
        (h, w), scale = coarse.shape, np.diag([2.0 ** (LEVELS - 1), 2.0 ** (LEVELS - 1), 1.0])
        template = cv2.resize(self._contrast, (w, h), interpolation=cv2.INTER_AREA)
        mask = cv2.resize(self._outside, (w, h), interpolation=cv2.INTER_NEAREST).astype(np.float32) / 255
        wide = cv2.copyMakeBorder(coarse, h // 2, h // 2, w // 2, w // 2, cv2.BORDER_CONSTANT, value=0)
        found = []
        for turn in TURNS_DEG:
            turned = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), turn, 1.0)
            looks, there = (cv2.warpAffine(values, turned, (w, h)) for values in (template, mask))
            scores = cv2.matchTemplate(wide, looks, cv2.TM_CCORR_NORMED, mask=there)
            _, score, _, (x, y) = cv2.minMaxLoc(np.nan_to_num(scores, posinf=0, neginf=0))
            shift = np.array([(1, 0, x - w // 2), (0, 1, y - h // 2), (0, 0, 1)])
            found.append((score, turn, shift @ np.vstack([turned, [0, 0, 1]])))
        for _, _, guess in sorted(found, reverse=True, key=lambda one: one[:2])[:TURNS_KEPT]:
            yield np.asarray(scale @ guess @ np.linalg.inv(scale), np.float64)


@cache
def _orb() -> Any:
    return cv2.ORB.create(ORB_FEATURES, fastThreshold=ORB_FAST, edgeThreshold=15)


def _plausible(homography: Floats, size_wh: tuple[int, int]) -> bool:
    """Whether a camera that was bumped can see the picture's border so."""
    frame = in_px(((0, 0), (1, 0), (1, 1), (0, 1)), size_wh)
    if not np.isfinite(homography).all() or (frame @ homography[2, :2] + homography[2, 2] <= 0).any():
        return False
    now = cv2.perspectiveTransform(frame[None], homography)[0]
    stretch = np.linalg.norm(now - np.roll(now, 1, axis=0), axis=1) / np.linalg.norm(frame - np.roll(frame, 1, axis=0), axis=1)
    return bool(stretch.min() > 1 / MAX_STRETCH and stretch.max() < MAX_STRETCH)


def _local_contrast(grey: Grey) -> Values:
    """(h, w) float32: 0 where a px is as light as those round it, SPREAD_GREY up or down where it differs as most there do."""
    values, around = grey.astype(np.float32), (AROUND_PX, AROUND_PX)
    mean = cv2.boxFilter(values, -1, around)
    spread = np.sqrt(np.maximum(cv2.boxFilter(values * values, -1, around) - mean * mean, 0))
    return np.asarray(SPREAD_GREY * (values - mean) / (spread + SOFT_GREY), np.float32)


def _with_corners(contrast: Values, outside: Grey) -> NDArray[np.bool_]:
    """Which tiles have gradients of more than one direction (structure tensor)."""
    gx, gy = (np.asarray(cv2.Sobel(contrast, cv2.CV_32F, dx, dy), np.float32) for dx, dy in ((1, 0), (0, 1)))
    xx, yy, xy = _tiles(outside, gx * gx, gy * gy, gx * gy)
    middle, apart = (xx + yy) / 2, np.sqrt(np.square(xx - yy) / 4 + xy * xy)
    return np.asarray(middle - apart > MIN_CORNERED * (middle + apart))


def _as_grey(contrast: Values) -> Grey:
    return np.asarray(np.clip(contrast + 128, 0, 255), np.uint8)


def _pyramid(contrast: Values) -> Iterator[Values]:
    """LEVELS pictures, each half as wide as the one before."""
    yield contrast
    for _ in range(LEVELS - 1):
        contrast = np.asarray(cv2.pyrDown(contrast), np.float32)
        yield contrast


def _tiles(outside: Grey, *values: Values) -> list[Values]:
    """Of each of these, (h, w), the mean outside the tray in every tile; 0 in a tile of which most lies within."""
    small = (outside.shape[1] // TILE_PX, outside.shape[0] // TILE_PX)
    weight = (outside > 0).astype(np.float32)
    means = cv2.resize(cv2.merge([weight, *(v * weight for v in values)]), small, interpolation=cv2.INTER_AREA)
    share = means[..., 0]
    means = np.where(share[..., None] > TILE_SHARE, means / np.maximum(share, 1e-6)[..., None], 0).astype(np.float32)
    return [np.asarray(means[..., i + 1], np.float32) for i in range(len(values))]
