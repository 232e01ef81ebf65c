"""Marks the dice that are cocked, from the normals of their upper faces.

Theory of operation. The classifier gives each die's upper normal in its viewing frame: the axes of a camera
that looks straight at that die. There a flat die at the picture's edge and a tilted one in its middle look
the same. In the camera's own axes all flat dice have the same normal, at any height and tilt of the camera.
So every normal is transformed to the camera's axes, and a die whose normal differs from that of most dice is
tilted. The focal length is unknown. The one with most inliers is used, because a wrong focal length makes
flat dice seem tilted.

The camera's axes are right, down, forward. Normals have unit length.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.readings import Reading, SeenDie

FOCALS = (1.0, 1.35, 0.75, 1.8, 0.55, 2.4, 3.4)
"""Focal lengths as shares of the picture's long side, commonest first, from wide lenses to tele lenses."""
INLIER_DEG = 12.0
"""Normals of flat dice of one picture differ by less than this."""
COCKED_DEG, COCKED_SIGMAS = 14.0, 2.0
"""A die is cocked if its normal differs by more than COCKED_DEG plus COCKED_SIGMAS times its error from the
flat dice's: by some 19 degrees if it is seen well. A die with a small tilt on a soft cloth is no foul."""
INCOMPATIBLE_DEG = 22.0
"""Normals of two flat dice of one picture differ by less than this for at least one focal length. Otherwise
one may be tilted, and may still tip over."""
EXTRA_DEG: Mapping[tuple[bool, bool], float] = {
    (True, True): 0.0,
    (True, False): 6.0,
    (False, True): 4.0,
    (False, False): 14.0,
}
"""Tilt in addition to COCKED_DEG that a cocked die needs on a table: by whether the table's plane is known,
and whether the die touches another. While the plane is known only from the dice of one picture, a flat die
among those that touch seemed to be tilted by up to 19 degrees."""
FEW_NORMALS, FEW_EXTRA_DEG = 2, 10.0
"""Number of normals, of dice that lay there before, from which a plane is known roughly. A cocked die that
touches another needs this much tilt in addition to COCKED_DEG then."""
MAX_FLAT_ERROR = 0.08
"""Uncertainty of the surface normal, in normal_xy, up to which a die that touches another surely lies flat.
That of one that lies alone is about 0.03."""
MIN_DICE = 4
"""Minimum number of dice for a cocked die that touches no other, unless the plane is known."""
TOUCHING, MIN_SIDE_SHARE = 1.5, 0.72
"""Centres of touching dice are nearer than TOUCHING, in sides: corner to corner it is 1.4. A box is up to 1.4
times as large as its die, so that its side is taken from the smallest box of the picture, but it is at least
MIN_SIDE_SHARE of its own box's: dice that are further off are smaller."""
MIN_INLIER_SHARE = 0.6
"""More than this share of a picture's dice must be inliers before the others are called cocked."""
SAME_PLACE = 0.2
"""A die within this share of its side of a die's last place is the same die, unmoved."""
MAX_NORMALS, MIN_NORMALS, MANY_NORMALS = 60, 8, 16
"""Size of the sliding window of normals that a plane is fitted to, the number from which it is fitted, and
that from which it is known well: by a plane of fewer, flat dice far from them seemed to be tilted by 19
degrees."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroundPlane:
    """A table's plane in the camera's axes.

    focals: the focal lengths, as shares of the picture's long side, for which equally many dice are inliers.
    normals: (k, 3) the plane's normal for each of them.
    inlier_share: share of the dice that are inliers, 0-1.
    """

    focals: tuple[float, ...]
    normals: Floats
    inlier_share: float = 1.0


def viewing_frames(positions: Floats) -> Floats:
    """(..., 3, 3): the viewing frames of these places, (..., 3): right, down and forward as columns.

    A frame is the camera's, turned towards the place by the smallest angle. So rotating or mirroring a
    picture about its centre rotates or mirrors what is seen in the frame.
    """
    forward = positions / np.linalg.norm(positions, axis=-1, keepdims=True)
    x, y, z = np.moveaxis(forward, -1, 0)
    right = np.stack([1 - x * x / (1 + z), -x * y / (1 + z), -x], axis=-1)
    down = np.stack([-x * y / (1 + z), 1 - y * y / (1 + z), -y], axis=-1)
    return np.stack([right, down, forward], axis=-1)


def normal_xy(position: Floats, normal: Floats) -> tuple[float, float]:
    """The x and y of a face's normal, (3,), in the viewing frame of its die's place, (3,): right and down."""
    x, y = (normal @ viewing_frames(np.asarray(position, float)))[:2]
    return round(float(x), 4), round(float(y), 4)


@dataclass(frozen=True, eq=False)
class Normals:
    """Normals in viewing frames.

    normals_xy: (n, 2), right and down.
    offsets: (n, 2), of the dice from the picture's centre, as shares of its long side.
    """

    normals_xy: Floats
    offsets: Floats

    @classmethod
    def of(cls, dice: Sequence[SeenDie], size_wh: tuple[int, int]) -> Normals:
        """From dice with a known normal."""
        boxes = np.array([d.box_xywh for d in dice], float).reshape(-1, 4)
        offsets = (boxes[:, :2] + boxes[:, 2:] / 2 - np.array(size_wh) / 2) / max(size_wh)
        return cls(np.array([d.normal_xy for d in dice], float).reshape(-1, 2), offsets)

    def in_camera_axes(self, focals: Sequence[float]) -> Floats:
        """(f, n, 3): the normals in the camera's axes, for each of these focal lengths."""
        lengths = np.sqrt((self.normals_xy**2).sum(axis=1))
        normals = np.empty((len(lengths), 3))
        normals[:, :2] = self.normals_xy / np.maximum(lengths, 1.0)[:, None]
        normals[:, 2] = -np.sqrt(1 - np.minimum(lengths, 1.0) ** 2)
        positions = np.ones((len(focals), len(lengths), 3))
        positions[..., :2] = self.offsets / np.array(focals)[:, None, None]
        return np.asarray((viewing_frames(positions) @ normals[..., None])[..., 0])


def fit_plane(normals: Normals) -> GroundPlane:
    """The plane on which most of these dice, at least one, lie flat.

    Of planes with equally many inliers it is the one that faces the camera most: people look from above.
    """
    camera_normals = normals.in_camera_axes(FOCALS)
    cosines = camera_normals @ camera_normals.transpose(0, 2, 1)
    is_inlier = cosines >= np.cos(np.radians(INLIER_DEG))  # (f, n, n)
    inlier_counts = is_inlier.sum(axis=2)  # (f, n)
    max_inliers = int(inlier_counts.max())
    best = (inlier_counts - camera_normals[..., 2] / 2).argmax(axis=1)
    best_focals = [f for f in range(len(FOCALS)) if inlier_counts[f].max() == max_inliers]
    mean_normals = np.stack([camera_normals[f, is_inlier[f, best[f]]].mean(axis=0) for f in best_focals])
    plane_normals = mean_normals / np.linalg.norm(mean_normals, axis=1, keepdims=True)
    inlier_share = max_inliers / inlier_counts.shape[1]
    return GroundPlane(tuple(FOCALS[f] for f in best_focals), plane_normals, inlier_share)


def tilts_deg(normals: Normals, plane: GroundPlane) -> Floats:
    """(n,): each die's smallest tilt over the plane's focal lengths, degrees."""
    cosines = (normals.in_camera_axes(plane.focals) * plane.normals[:, None]).sum(axis=2)  # (k, n)
    return np.asarray(np.degrees(np.arccos(np.clip(cosines.max(axis=0), -1.0, 1.0))))


def mark_cocked(
    dice: Sequence[SeenDie], size_wh: tuple[int, int], plane: GroundPlane | None = None
) -> list[SeenDie]:
    """The dice, with the tilted ones marked cocked.

    plane: the table's; None: fitted to these dice. No die is cocked where MIN_INLIER_SHARE is not reached.
    """
    known = [i for i, d in enumerate(dice) if d.normal_xy]
    if not known:
        return list(dice)
    normals = Normals.of([dice[i] for i in known], size_wh)
    plane = plane or fit_plane(normals)
    error_deg = np.degrees([dice[i].normal_error for i in known])
    exceeds = tilts_deg(normals, plane) > COCKED_DEG + COCKED_SIGMAS * error_deg
    tilted = exceeds & (plane.inlier_share > MIN_INLIER_SHARE)
    cocked = {i for i, is_tilted in zip(known, tilted, strict=True) if is_tilted}
    return [d if d.cocked == (i in cocked) else replace(d, cocked=i in cocked) for i, d in enumerate(dice)]


def incompatible_pairs(normals: Normals) -> NDArray[np.bool_]:
    """(f, n, n): which pairs of dice differ too much to be both flat, for each of FOCALS.

    The more a face is turned away, the less exact its normal is, and the more it may differ.
    """
    camera_normals = normals.in_camera_axes(FOCALS)
    angles_deg = np.degrees(np.arccos(np.clip(camera_normals @ camera_normals.transpose(0, 2, 1), -1.0, 1.0)))
    cosines = np.maximum(-camera_normals[..., 2], 0.5)  # of the angle by which each is turned away
    return np.asarray(angles_deg * np.minimum(cosines[:, :, None], cosines[:, None]) > INCOMPATIBLE_DEG)


class PlaneEstimator:
    """Estimates a table's plane from the dice on it, so that a single tilted die is marked too.

    The plane is dropped after the camera moved: a picture's dice agree with one another but not with the
    plane.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[Floats, Floats]] = deque(maxlen=MAX_NORMALS)
        self._last: tuple[SeenDie, ...] = ()
        self._plane: GroundPlane | None = None

    def mark_cocked(self, reading: Reading) -> Reading:
        """The reading with its cocked dice marked by this plane, if it is known.

        A tilted die at rest touches something. A die that touches no other needs more tilt (EXTRA_DEG): the
        tray's wall may hold it, but it may also be a flat die that is seen badly.
        """
        plane = None if self._plane is None or self._moved(reading) else self._plane
        if plane is None and (leaning := self._surely_leaning(reading)):
            return replace(
                reading, dice=tuple(replace(d, cocked=True) if d in leaning else d for d in reading.dice)
            )
        marked = reading if plane is None else self._marked(reading)
        if not any(d.cocked for d in marked.dice):
            return marked
        known = [d for d in marked.dice if d.normal_xy]
        if not known:
            return marked
        normals = Normals.of(known, marked.size_wh)
        error_deg = np.degrees([d.normal_error for d in known])
        tilt_deg = tilts_deg(normals, plane or fit_plane(normals))
        excess_deg = tilt_deg - COCKED_DEG - COCKED_SIGMAS * error_deg
        required_deg = _extra_deg(known, marked.dice, plane is not None)
        if len(self._samples) < MANY_NORMALS:
            required_deg = [max(extra_deg, EXTRA_DEG[False, True]) for extra_deg in required_deg]
        flat = [d for d, is_tilted in zip(known, excess_deg > required_deg, strict=True) if not is_tilted]
        return replace(marked, dice=tuple(replace(d, cocked=False) if d in flat else d for d in marked.dice))

    def _surely_leaning(self, reading: Reading) -> list[SeenDie]:
        """The dice that touch another and differ much from the few that lay there before, or none if most of
        them differ: the camera moved."""
        known = [d for d in reading.dice if d.normal_xy]
        if len(self._samples) < FEW_NORMALS or not known:
            return []
        tilt_deg = tilts_deg(Normals.of(known, reading.size_wh), self._plane_of_samples())
        least_deg = COCKED_DEG + FEW_EXTRA_DEG + COCKED_SIGMAS * np.degrees([d.normal_error for d in known])
        tilted = [d for d, is_tilted in zip(known, tilt_deg > least_deg, strict=True) if is_tilted]
        leaning = [d for d in tilted if touches_another(d, reading.dice)]
        return leaning if 2 * len(tilted) <= len(known) else []

    def update(self, reading: Reading) -> None:
        """Adds the sure dice of a tray at rest, without those that did not move since the last reading."""
        if self._plane is not None and self._moved(reading):
            self._samples.clear()
            self._plane = None
        sure = [d for d in reading.dice if d.sure and d.normal_xy]
        new = [d for d in sure if not any(_unmoved(d, before) for before in self._last)]
        self._last = reading.dice
        normals = Normals.of(new, reading.size_wh)
        self._samples.extend(zip(normals.normals_xy, normals.offsets, strict=True))
        if new and len(self._samples) >= MIN_NORMALS:
            self._plane = self._plane_of_samples()

    def may_tip(self, reading: Reading) -> bool:
        """Whether a die may still tip over: it is cocked or, while the plane is not known, it touches another
        and is unsure, or differs from the rest, or from the dice that lay there before.

        A die that leans on another is often unsure, or it cannot be told which of its faces is the upper one.
        """
        dice = [d for d in reading.dice if d.normal_xy]
        if any(d.cocked for d in dice):
            return True
        if self._plane is not None and not self._moved(reading):
            return False
        touching = [d for d in dice if touches_another(d, reading.dice)]
        if any(not d.sure or d.normal_error > MAX_FLAT_ERROR for d in touching):
            return True
        if not touching:
            return False
        if len(self._samples) >= MIN_DICE:
            tilt_deg = tilts_deg(Normals.of(touching, reading.size_wh), self._plane_of_samples())
            return bool((tilt_deg > INCOMPATIBLE_DEG).any())
        return bool(incompatible_pairs(Normals.of(dice, reading.size_wh)).any(axis=(1, 2)).all())

    def _plane_of_samples(self) -> GroundPlane:
        normals_xy, offsets = zip(*self._samples, strict=True)
        return fit_plane(Normals(np.stack(normals_xy), np.stack(offsets)))

    def _marked(self, reading: Reading) -> Reading:
        return replace(reading, dice=tuple(mark_cocked(reading.dice, reading.size_wh, self._plane)))

    def _moved(self, reading: Reading) -> bool:
        """Whether the camera moved since the plane was fitted."""
        return _mostly_cocked(self._marked(reading)) and not _mostly_cocked(reading)


def _mostly_cocked(reading: Reading) -> bool:
    known = [d for d in reading.dice if d.normal_xy]
    return len(known) >= 3 and 2 * sum(d.cocked for d in known) > len(known)


def _extra_deg(known: Sequence[SeenDie], dice: Sequence[SeenDie], plane_known: bool) -> list[float]:
    """(n,): by how much more than COCKED_DEG each of the `known` dice has to tilt; inf: no tilt is enough."""
    touches = [touches_another(die, dice) for die in known]
    enough = plane_known or len(known) >= MIN_DICE
    return [EXTRA_DEG[plane_known, touching] if touching or enough else np.inf for touching in touches]


def touches_another(die: SeenDie, dice: Sequence[SeenDie]) -> bool:
    """Whether one of these is so near that the die may lean on it."""
    smallest = min(d.side for d in dice)

    def side_px(d: SeenDie) -> float:
        return max(smallest, MIN_SIDE_SHARE * d.side)

    return any(d is not die and die.distance_px(d) < TOUCHING * (side_px(d) + side_px(die)) / 2 for d in dice)


def _unmoved(die: SeenDie, before: SeenDie) -> bool:
    return die.distance_px(before) < SAME_PLACE * die.side
