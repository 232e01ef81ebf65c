"""The view of the table when the tray was set, and its alignment with later pictures.

Theory of operation. Only the rim and the table outside the tray are compared, because dice and hands change
the inside. The alignment is direct: it samples px at edges of the reference, and estimates the homography
that maps their local contrast onto the new picture (Gauss-Newton, inverse compositional, coarse to fine). A
robust weight (Cauchy) keeps a hand or an object on the table from pulling the estimate. Where the camera
moved too far for that, ORB features and a correlation of the whole picture at several rotations give initial
guesses.
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
from vision.tray.quads import Floats, in_px
from vision.tray.region import RegionUnusable, TrayRegion

Grey = NDArray[np.uint8]
Values = NDArray[np.float32]

WIDTH_PX = 320
"""Width of the reference. It aligns to 0.2 px (0.8 px at 1280) in a few ms, and takes 15 kB in the file."""
JPEG_QUALITY = 90
"""JPEG quality of the stored reference, 0-100."""
MAX_ASPECT_CHANGE = 0.01
"""Maximum relative difference in aspect ratio between two pictures of one camera."""
OUTSIDE_SHARE = 0.012
"""Margin round the tray that is ignored, as a share of the picture's width. Dice may reach into it."""
WINDOW_PX, MIN_SPREAD_GREY, CONTRAST_GREY = 17, 6.0, 40.0
"""Local contrast of a px: its value less the mean of a window of WINDOW_PX x WINDOW_PX, divided by the
window's standard deviation plus MIN_SPREAD_GREY, times CONTRAST_GREY. Lamps and shadows change it little,
and noise of 2 grey levels stays below a tenth of an edge."""
LEVELS = 3
"""Pyramid levels: 320, 160, 80 px wide. A shift of 4 px of the last, 5 % of the picture, needs no guess."""
MIN_GRADIENT = 14.0
"""Minimum gradient of local contrast, per px, of a sample. Noise has 3 to 8, edges of a rim 20 to 60."""
MAX_SAMPLES = 1500
"""Maximum number of samples of a pyramid level."""
MIN_SAMPLES = 80
"""With fewer samples no alignment is possible: a tray that fills the picture."""
MIN_CROSS_GRADIENT = 0.04
"""Minimum share of gradients across the main direction. Below it, as with one visible side of a plain rim, no
alignment is possible."""
MAX_ITERATIONS, MIN_STEP, MAX_STEP = 12, 0.002, 0.5
"""Gauss-Newton iterations per level, and step sizes as shares of half the picture's width. A step below
MIN_STEP has converged, and one above MAX_STEP has diverged."""
RESIDUAL_GREY = 30.0
"""Residual at which the weight of a sample is one half (Cauchy)."""
TILE_PX, TILE_SHARE, MIN_CORRELATION = 16, 0.3, 0.7
"""Tiles compare the aligned pictures. TILE_SHARE of a tile has to lie outside the tray; from MIN_CORRELATION
on it matches."""
MIN_TILE_STD = 12.0
"""Standard deviation of local contrast below which a tile is plain and is left out."""
MIN_CORNERNESS = 0.08
"""Minimum ratio of the structure tensor's eigenvalues in a tile with a corner. A straight rim also matches
after a shift along itself; only tiles with corners reveal that shift."""
NEAR_MATCH_SHARE, FAR_MATCH_SHARE = 0.82, 0.87
"""Minimum share of matching tiles for a homography near the last one, and for one found by the search.

Measured on 280 bumps of up to a fifth of the picture, on simulated trays and photographs, half of them with a
hand: 193 are followed, with an error of 0.9 % of the picture's width at worst; 87 are lost, most of them
larger than MAX_SHIFT_SHARE; none is followed wrongly. 140 pictures of a camera at rest, every second with a
hand, are all found at rest."""
MIN_MATCHED_TILES, MIN_CORNER_TILES, MIN_VISIBLE_SHARE = 8, 2, 0.4
"""Minimum number of matching tiles, of tiles with corners in view, and minimum share of all tiles in view."""
MAX_NEAR_SHIFT_PX = 1.5
"""Maximum shift from the last homography that is accepted without a search: the finest level alone may end in
a local minimum."""
MAX_SHIFT_SHARE = 0.2
"""Maximum shift of a corner of the picture, as a share of its width. Beyond it straight rims match by chance,
so a person has to set the tray."""
STILL_MATCH_SHARE = 0.35
"""Share of tiles matching in place from which the camera counts as still: an arm may cover the others."""
MAX_STRETCH = 1.6
"""Maximum change of scale by a bump. A homography beyond it fits by chance."""
ORB_FEATURES, ORB_FAST, MIN_ORB_INLIERS, ORB_RANSAC_PX = 400, 8, 8, 3.0
"""Number of features, threshold of the FAST detector, minimum number of inliers, RANSAC threshold, px."""
ROTATIONS_DEG = tuple(range(-15, 16, 5))
"""Rotations tried by the correlation of the whole picture. The alignment covers the angles between them."""
ROTATIONS_KEPT = 3
"""Number of best rotations that the alignment starts from."""


@dataclass(frozen=True, eq=False)
class ReferenceView:
    """A small grey picture of the table. grey: (h, WIDTH_PX) uint8."""

    grey: Grey

    @staticmethod
    def of(picture: Picture) -> ReferenceView:
        """The reference view of a picture, (h, w, 3) uint8."""
        return ReferenceView(small_grey(picture))

    def to_json(self) -> dict[str, Any]:
        done, data = cv2.imencode(".jpg", self.grey, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not done:
            raise ValueError(f"a picture of shape {self.grey.shape} could not be encoded as JPEG")
        return {"jpeg": base64.b64encode(data.tobytes()).decode("ascii")}

    @staticmethod
    def from_json(data: Any) -> ReferenceView:
        """The view from the output of to_json; raises RegionUnusable for anything else."""
        try:
            raw = np.frombuffer(base64.b64decode(data["jpeg"], validate=True), np.uint8)
            grey = cv2.imdecode(raw, cv2.IMREAD_GRAYSCALE)
        except (KeyError, TypeError, binascii.Error, ValueError, cv2.error):
            grey = None
        if grey is None or grey.shape[1] != WIDTH_PX or not WIDTH_PX // 4 <= grey.shape[0] <= 4 * WIDTH_PX:
            raise RegionUnusable(f"“look” has no picture that is {WIDTH_PX} px wide; set the tray again")
        return ReferenceView(np.asarray(grey, np.uint8))


def small_grey(picture: Picture) -> Grey:
    """The whole picture in grey, (h, WIDTH_PX) uint8."""
    h, w = picture.shape[:2]
    # Two steps, because INTER_AREA is fast at exact halves.
    half = cv2.resize(
        picture, (2 * WIDTH_PX, 2 * max(1, round(h * WIDTH_PX / w))), interpolation=cv2.INTER_AREA
    )
    small = cv2.resize(half, (WIDTH_PX, half.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


# -- samples ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Samples:
    """Sampled px at edges of one pyramid level.

    points: (n, 2) px.
    value: (n,) local contrast.
    jacobian: (n, 8) derivative of the local contrast by each free entry of a homography, in pictures centred
        at 0, 0 with half width 1.
    """

    points: Values
    value: Values
    jacobian: Values

    @staticmethod
    def of(contrast: Values, outside: Grey) -> Samples:
        gx, gy = (cv2.Sobel(contrast, cv2.CV_32F, dx, dy, scale=1 / 8) for dx, dy in ((1, 0), (0, 1)))
        rows, columns = np.nonzero((np.hypot(gx, gy) >= MIN_GRADIENT) & (outside > 0))
        stride = slice(None, None, max(1, -(-len(rows) // MAX_SAMPLES)))
        rows, columns = rows[stride], columns[stride]
        points = np.stack([columns, rows], axis=1).astype(np.float32)
        half = contrast.shape[1] / 2
        x, y = ((points[:, i] - (side - 1) / 2) / half for i, side in enumerate(contrast.shape[::-1]))
        a, b = gx[rows, columns] * half, gy[rows, columns] * half
        jacobian = np.stack(
            [a * x, a * y, a, b * x, b * y, b, -x * (a * x + b * y), -y * (a * x + b * y)], axis=1
        )
        return Samples(points, contrast[rows, columns], jacobian.astype(np.float32))

    @property
    def sufficient(self) -> bool:
        """Whether there are enough samples, with gradients in more than one direction."""
        if len(self.points) < MIN_SAMPLES:
            return False
        across, along = np.linalg.eigvalsh(self.jacobian[:, [2, 5]].T @ self.jacobian[:, [2, 5]])
        return bool(across >= MIN_CROSS_GRADIENT * along)


PROJECTIVE = np.eye(8)
SIMILARITY = np.array(
    [(1, 0, 0, 0, 1, 0, 0, 0), (0, 1, 0, -1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1, 0, 0)],
    float,
).T
"""(8, 4) basis: scale, rotation, shift to the right, shift down."""


def _gauss_newton(samples: Samples, current: Values, homography: Floats, basis: Floats) -> Floats:
    """Homography, px of this level, refined by Gauss-Newton. basis: (8, k) free directions of movement."""
    to_px = _centred(current.shape)
    jacobian = samples.jacobian @ basis.astype(np.float32)
    for _ in range(MAX_ITERATIONS if len(samples.points) else 0):
        points = np.asarray(cv2.perspectiveTransform(samples.points[None], homography), np.float32)
        sampled = cv2.remap(current, points[0, :, 0], points[0, :, 1], cv2.INTER_LINEAR, borderValue=np.nan)
        residual = np.asarray(sampled, np.float32).ravel() - samples.value
        weight = np.nan_to_num(1 / (1 + np.square(residual / RESIDUAL_GREY)))
        weighted = jacobian * weight[:, None]
        try:
            damped = weighted.T @ jacobian + 1e-3 * np.eye(basis.shape[1])
            step = basis @ np.linalg.solve(damped, weighted.T @ np.nan_to_num(residual))
            change = np.append(step, 0).reshape(3, 3) + np.eye(3)
            homography = homography @ to_px @ np.linalg.inv(change) @ np.linalg.inv(to_px)
        except np.linalg.LinAlgError:
            break
        if not MIN_STEP <= np.abs(step).max() < MAX_STEP:
            break
    return homography


def _centred(shape: tuple[int, ...]) -> Floats:
    """(3, 3) transform to px, from a picture centred at 0, 0 with half width 1."""
    h, w = shape
    return np.array([(w / 2, 0, (w - 1) / 2), (0, w / 2, (h - 1) / 2), (0, 0, 1)], np.float64)


# -- alignment -------------------------------------------------------------------------------------


class Alignment:
    """Estimates the homography from a reference view to later pictures. region: of the tray in the reference.

    is_usable: False where the view outside the tray has too little detail.
    """

    def __init__(self, reference: ReferenceView, region: TrayRegion) -> None:
        h, w = reference.grey.shape
        self._size_wh = (w, h)
        outside = np.asarray(255 - region.mask((w, h), round(OUTSIDE_SHARE * w)), np.uint8)
        outside[:2], outside[-2:], outside[:, :2], outside[:, -2:] = 0, 0, 0, 0
        self._outside, self._contrast = outside, _local_contrast(reference.grey)
        levels = list(_pyramid(self._contrast))
        masks = [cv2.resize(outside, level.shape[::-1], interpolation=cv2.INTER_NEAREST) for level in levels]
        self._samples = [
            Samples.of(level, np.asarray(mask, np.uint8)) for level, mask in zip(levels, masks, strict=True)
        ]
        self._detailed = _tile_means(outside, np.square(self._contrast))[0] >= MIN_TILE_STD**2
        self._cornered = self._detailed & _has_corners(self._contrast, outside)
        self.is_usable = (
            self._samples[0].sufficient
            and int(self._detailed.sum()) >= MIN_MATCHED_TILES
            and int(self._cornered.sum()) >= MIN_CORNER_TILES
        )

    def has_shape_of(self, picture: Picture) -> bool:
        """Whether the picture has the aspect ratio of the reference."""
        (h, w), (lw, lh) = picture.shape[:2], self._size_wh
        return bool(abs(w / h * lh / lw - 1) <= MAX_ASPECT_CHANGE)

    def estimate(self, picture: Picture, initial: Floats) -> Floats | None:
        """The (3, 3) homography, in shares, from the reference to this picture; None where none matches.

        initial: the last known homography, where the search starts.
        """
        to_px = np.diag([*map(float, self._size_wh), 1.0])
        current = _local_contrast(small_grey(picture))
        start = np.asarray(to_px @ initial @ np.linalg.inv(to_px), np.float64)
        homography = _gauss_newton(self._samples[0], current, start, PROJECTIVE)
        far = self._max_shift_px(homography, start) > MAX_NEAR_SHIFT_PX
        if far or self._match_share(homography, current) < NEAR_MATCH_SHARE:
            share, homography = self._search(current, start, homography)
            if (
                share < FAR_MATCH_SHARE
                or self._max_shift_px(homography, start) > MAX_SHIFT_SHARE * self._size_wh[0]
            ):
                return initial if self._match_share(start, current) >= STILL_MATCH_SHARE else None
        return np.asarray(np.linalg.inv(to_px) @ homography @ to_px, np.float64)

    def _max_shift_px(self, one: Floats, other: Floats) -> float:
        """Maximum distance between a corner of the picture under both homographies, px of the reference."""
        frame = in_px(((0, 0), (1, 0), (1, 1), (0, 1)), self._size_wh)[None]
        corners, other_corners = (cv2.perspectiveTransform(frame, homography) for homography in (one, other))
        return float(np.abs(corners - other_corners).max())

    def _search(self, current: Values, start: Floats, homography: Floats) -> tuple[float, Floats]:
        """The best match share and its homography, of the given one and of every refined guess."""
        levels = list(_pyramid(current))
        guesses = (start, *self._by_features(current), *self._by_correlation(levels[-1]))
        candidates = [homography, *(self._refine(guess, levels) for guess in guesses)]
        scored = [(self._match_share(each, current), each) for each in candidates]
        return max(scored, key=lambda candidate: candidate[0])

    def _refine(self, guess: Floats, current: list[Values]) -> Floats:
        """The guess, px of the reference, refined from coarse to fine."""
        for level in reversed(range(LEVELS)):
            scale = np.diag([0.5**level, 0.5**level, 1.0])
            homography = scale @ guess @ np.linalg.inv(scale)
            homography = _gauss_newton(
                self._samples[level], current[level], homography, SIMILARITY if level else PROJECTIVE
            )
            guess = np.linalg.inv(scale) @ homography @ scale
        return np.asarray(guess, np.float64)

    def _match_share(self, homography: Floats, current: Values) -> float:
        """Share of the visible tiles that match, or of those with corners if that is less; 0-1.

        0 where too few tiles are in view, or where a bump cannot cause the homography.
        """
        if not _plausible(homography, self._size_wh):
            return 0.0
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        back = np.asarray(cv2.warpPerspective(current, homography, self._size_wh, flags=flags), np.float32)
        in_view = cv2.warpPerspective(np.ones_like(self._outside), homography, self._size_wh, flags=flags)
        outside = np.asarray(self._outside * in_view, np.uint8)
        reference_energy, current_energy, common = _tile_means(
            outside, self._contrast * self._contrast, back * back, self._contrast * back
        )
        energy = np.sqrt(np.maximum(reference_energy * current_energy, 1.0))
        alike = self._detailed & (common > MIN_CORRELATION * energy)
        visible = self._detailed & (reference_energy > 0)
        cornered = visible & self._cornered
        if (
            min(
                alike.sum() / MIN_MATCHED_TILES,
                cornered.sum() / MIN_CORNER_TILES,
                visible.sum() / (MIN_VISIBLE_SHARE * self._detailed.sum()),
            )
            < 1
        ):
            return 0.0
        return float(min(alike.sum() / visible.sum(), alike[cornered].mean()))

    # -- guesses, px of the reference

    def _by_features(self, current: Values) -> Iterator[Floats]:
        """The transform between matching ORB features: finds large movements over a table with objects."""
        points, descriptors = self._features
        current_points, current_descriptors = _orb().detectAndCompute(_as_grey(current), None)
        if descriptors is None or current_descriptors is None:
            return
        matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(descriptors, current_descriptors)
        if len(matches) < MIN_ORB_INLIERS:
            return
        before = np.array([points[m.queryIdx].pt for m in matches], np.float32)
        after = np.array([current_points[m.trainIdx].pt for m in matches], np.float32)
        similarity, inliers = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=ORB_RANSAC_PX)
        if similarity is not None and inliers.sum() >= MIN_ORB_INLIERS:
            yield np.vstack([similarity, [0, 0, 1]])

    @cached_property
    def _features(self) -> tuple[Any, Any]:
        keypoints, descriptors = _orb().detectAndCompute(_as_grey(self._contrast), self._outside)
        return keypoints, descriptors

    def _by_correlation(self, coarse: Values) -> Iterator[Floats]:
        """The best shifts and rotations of the coarsest level: finds large movements over a plain table."""
        (h, w), scale = coarse.shape, np.diag([2.0 ** (LEVELS - 1), 2.0 ** (LEVELS - 1), 1.0])
        template = cv2.resize(self._contrast, (w, h), interpolation=cv2.INTER_AREA)
        mask = cv2.resize(self._outside, (w, h), interpolation=cv2.INTER_NEAREST).astype(np.float32) / 255
        padded = cv2.copyMakeBorder(coarse, h // 2, h // 2, w // 2, w // 2, cv2.BORDER_CONSTANT, value=0)
        candidates = []
        for angle_deg in ROTATIONS_DEG:
            rotation = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), angle_deg, 1.0)
            rotated, rotated_mask = (cv2.warpAffine(values, rotation, (w, h)) for values in (template, mask))
            scores = cv2.matchTemplate(padded, rotated, cv2.TM_CCORR_NORMED, mask=rotated_mask)
            _, score, _, (x, y) = cv2.minMaxLoc(np.nan_to_num(scores, posinf=0, neginf=0))
            shift = np.array([(1, 0, x - w // 2), (0, 1, y - h // 2), (0, 0, 1)])
            candidates.append((score, angle_deg, shift @ np.vstack([rotation, [0, 0, 1]])))
        best_first = sorted(candidates, reverse=True, key=lambda candidate: candidate[:2])
        for _, _, guess in best_first[:ROTATIONS_KEPT]:
            yield np.asarray(scale @ guess @ np.linalg.inv(scale), np.float64)


@cache
def _orb() -> Any:
    return cv2.ORB.create(ORB_FEATURES, fastThreshold=ORB_FAST, edgeThreshold=15)


def _plausible(homography: Floats, size_wh: tuple[int, int]) -> bool:
    """Whether a bump of the camera can cause this homography."""
    frame = in_px(((0, 0), (1, 0), (1, 1), (0, 1)), size_wh)
    if not np.isfinite(homography).all() or (frame @ homography[2, :2] + homography[2, 2] <= 0).any():
        return False
    warped = cv2.perspectiveTransform(frame[None], homography)[0]
    sides, frame_sides = (np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1) for quad in (warped, frame))
    stretch = sides / frame_sides
    return bool(stretch.min() > 1 / MAX_STRETCH and stretch.max() < MAX_STRETCH)


def _local_contrast(grey: Grey) -> Values:
    """(h, w) float32 local contrast: each px less its local mean, in units of the local spread."""
    values, around = grey.astype(np.float32), (WINDOW_PX, WINDOW_PX)
    mean = cv2.boxFilter(values, -1, around)
    spread = np.sqrt(np.maximum(cv2.boxFilter(values * values, -1, around) - mean * mean, 0))
    return np.asarray(CONTRAST_GREY * (values - mean) / (spread + MIN_SPREAD_GREY), np.float32)


def _has_corners(contrast: Values, outside: Grey) -> NDArray[np.bool_]:
    """Whether each tile has gradients in more than one direction (structure tensor)."""
    gx, gy = (np.asarray(cv2.Sobel(contrast, cv2.CV_32F, dx, dy), np.float32) for dx, dy in ((1, 0), (0, 1)))
    xx, yy, xy = _tile_means(outside, gx * gx, gy * gy, gx * gy)
    middle, half_difference = (xx + yy) / 2, np.sqrt(np.square(xx - yy) / 4 + xy * xy)
    return np.asarray(middle - half_difference > MIN_CORNERNESS * (middle + half_difference))


def _as_grey(contrast: Values) -> Grey:
    return np.asarray(np.clip(contrast + 128, 0, 255), np.uint8)


def _pyramid(contrast: Values) -> Iterator[Values]:
    """LEVELS pictures, each half as wide as the one before."""
    yield contrast
    for _ in range(LEVELS - 1):
        contrast = np.asarray(cv2.pyrDown(contrast), np.float32)
        yield contrast


def _tile_means(outside: Grey, *values: Values) -> list[Values]:
    """The mean of each of these, (h, w), outside the tray in every tile; 0 in tiles mostly inside it."""
    small = (outside.shape[1] // TILE_PX, outside.shape[0] // TILE_PX)
    weight = (outside > 0).astype(np.float32)
    means = cv2.resize(
        cv2.merge([weight, *(v * weight for v in values)]), small, interpolation=cv2.INTER_AREA
    )
    share = means[..., 0]
    means = np.where(share[..., None] > TILE_SHARE, means / np.maximum(share, 1e-6)[..., None], 0).astype(
        np.float32
    )
    return [np.asarray(means[..., i + 1], np.float32) for i in range(len(values))]
