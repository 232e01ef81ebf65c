"""Which dice lean.

The face reader says of each die which way the face that looks up is turned, as an eye sees it that looks straight at that die. A flat
die at the edge of the picture and a leaning one in its middle look the same; but all flat dice face one way in the camera's own axes,
whatever its height and slant. So every answer is brought into those axes, and a die that faces another way than most leans. How long
the camera's lens is nobody knows: the one counts with which most dice agree, so that what a lens may explain is not called a lean.

Axes are the camera's: right, down, forward. Directions have a length of 1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.reading import Reading, SeenDie

FOCALS = (1.0, 1.35, 0.75, 1.8, 0.55, 2.4, 3.4)
"""Focal lengths as shares of the picture's long side, the commonest first: from wide lenses to a tray seen through a long one."""
INLIER_DEG = 12.0
"""Flat dice of one picture are seen to face the same way, give or take so much."""
COCKED_DEG, COCKED_ERRORS = 14.0, 2.0
"""A die is cocked that faces further than this, and so many times what its facing may be off, from where the flat ones do: some 19
degrees for one seen well. A die that lies a little askew on a soft cloth is nobody's foul."""
ASKEW_DEG = 22.0
"""Two flat dice of one picture do not seem to face ways further apart than this by every lens: one of them may lean, and tip yet."""
ALONE_DEG, ALONE_KNOWN_DEG, MIN_DICE = 14.0, 6.0, 4
"""A die that touches no other is cocked only if it leans by so much more, where so many dice are seen or the table's lie is known."""
TOUCHING_UNKNOWN_DEG = 4.0
"""A die that touches another is cocked only if it leans by so much more, while the table's lie is known from the dice of this picture
alone: of them a flat one seemed to lean by up to 19 degrees."""
TOUCHING = 1.5
"""Middles of dice that touch are nearer than this, in sides of their boxes: two that lie cornerwise are 1.4 apart."""
MIN_INLIER_SHARE = 0.6
"""More than this share of the dice in a picture has to face one way before the others are called cocked."""
SAME_PLACE = 0.2
"""A die whose middle is within this share of its side from where one lay is the same die, still there."""
KEPT_NORMALS, MIN_NORMALS = 60, 8
"""So many of the last dice say how the table lies, once there are enough."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroundPlane:
    """How a table lies before its camera: the focal lengths, as shares of the picture's long side, with which equally many dice agree;
    where flat dice face by each of them, (k, 3); and which share of the dice say so."""

    focals: tuple[float, ...]
    ups: Floats
    share: float = 1.0


def viewing_frames(places: Floats) -> Floats:
    """(..., 3, 3): as columns the right, down and forward of an eye that looks straight at each of these places, (..., 3): the camera,
    turned there the shortest way. So a picture that is turned about its middle turns what is seen with it, and so does one mirrored."""
    forward = places / np.linalg.norm(places, axis=-1, keepdims=True)
    x, y, z = np.moveaxis(forward, -1, 0)
    right = np.stack([1 - x * x / (1 + z), -x * y / (1 + z), -x], axis=-1)
    down = np.stack([-x * y / (1 + z), 1 - y * y / (1 + z), -y], axis=-1)
    return np.stack([right, down, forward], axis=-1)


def facing_xy(place: Floats, normal: Floats) -> tuple[float, float]:
    """A face's normal, (3,), as an eye sees it that looks straight at its die's place, (3,): its parts to the right and downwards."""
    x, y = (normal @ viewing_frames(np.asarray(place, float)))[:2]
    return round(float(x), 4), round(float(y), 4)


@dataclass(frozen=True, eq=False)
class Normals:
    """Dice as they are seen: facings (n, 2); offsets (n, 2) from the picture's middle as shares of its long side."""

    facings: Floats
    offsets: Floats

    @classmethod
    def of(cls, dice: Sequence[SeenDie], size_wh: tuple[int, int]) -> Normals:
        """Of dice whose facing is known."""
        boxes = np.array([d.box_xywh for d in dice], float).reshape(-1, 4)
        offsets = (boxes[:, :2] + boxes[:, 2:] / 2 - np.array(size_wh) / 2) / max(size_wh)
        return cls(np.array([d.facing_xy for d in dice], float).reshape(-1, 2), offsets)

    def ways(self, focals: Sequence[float]) -> Floats:
        """(f, n, 3): where the upper faces look, by each of these focal lengths."""
        away = np.sqrt((self.facings**2).sum(axis=1))
        seen = np.empty((len(away), 3))
        seen[:, :2] = self.facings / np.maximum(away, 1.0)[:, None]
        seen[:, 2] = -np.sqrt(1 - np.minimum(away, 1.0) ** 2)
        places = np.ones((len(focals), len(away), 3))
        places[..., :2] = self.offsets / np.array(focals)[:, None, None]
        return np.asarray((viewing_frames(places) @ seen[..., None])[..., 0])


def fitted_plane(seen: Normals) -> GroundPlane:
    """How the table lies on which these lie, one at least: as most of them agree; of as many, as those nearest to the eye, for people
    look from above."""
    ways = seen.ways(FOCALS)
    near = ways @ ways.transpose(0, 2, 1) >= np.cos(np.radians(INLIER_DEG))  # (f, n, n)
    agree = near.sum(axis=2)  # (f, n): with so many
    most = int(agree.max())
    best = (agree - ways[..., 2] / 2).argmax(axis=1)
    tied = [f for f in range(len(FOCALS)) if agree[f].max() == most]
    middles = np.stack([ways[f, near[f, best[f]]].mean(axis=0) for f in tied])
    ups = middles / np.linalg.norm(middles, axis=1, keepdims=True)
    return GroundPlane(tuple(FOCALS[f] for f in tied), ups, most / agree.shape[1])


def tilts_deg(seen: Normals, lie: GroundPlane) -> Floats:
    """(n,): how far each of them leans at the least, for what one of these lenses explains is no lean."""
    straight = (seen.ways(lie.focals) * lie.ups[:, None]).sum(axis=2)  # (k, n)
    return np.asarray(np.degrees(np.arccos(np.clip(straight.max(axis=0), -1.0, 1.0))))


def judged(dice: Sequence[SeenDie], size_wh: tuple[int, int], lie: GroundPlane | None = None) -> list[SeenDie]:
    """The dice, those that lean marked cocked. lie: how the table lies; None = as most of these say, and where no two in three agree
    none is called cocked."""
    known = [i for i, d in enumerate(dice) if d.facing_xy]
    if not known:
        return list(dice)
    seen = Normals.of([dice[i] for i in known], size_wh)
    lie = lie or fitted_plane(seen)
    errors_deg = np.degrees([dice[i].facing_error for i in known])
    leaning = (tilts_deg(seen, lie) > COCKED_DEG + COCKED_ERRORS * errors_deg) & (lie.share > MIN_INLIER_SHARE)
    cocked = {i for i, leans in zip(known, leaning, strict=True) if leans}
    return [d if d.cocked == (i in cocked) else replace(d, cocked=i in cocked) for i, d in enumerate(dice)]


def askew(seen: Normals) -> NDArray[np.bool_]:
    """(f, n, n): which two of them face ways too far apart for flat dice, by each of the FOCALS. The more a face is turned away, the
    less its direction is known."""
    ways = seen.ways(FOCALS)
    apart_deg = np.degrees(np.arccos(np.clip(ways @ ways.transpose(0, 2, 1), -1.0, 1.0)))
    straight = np.maximum(-ways[..., 2], 0.5)  # the cosine of how far each is turned away
    return np.asarray(apart_deg * np.minimum(straight[:, :, None], straight[:, None]) > ASKEW_DEG)


class PlaneEstimator:
    """How a table lies, learned from the dice on it: a single die that leans is told too, once enough flat ones were seen.

    Where the camera was moved, the dice of a picture agree with one another and not with what was learned; that is then forgotten.
    """

    def __init__(self) -> None:
        self._kept: deque[tuple[Floats, Floats]] = deque(maxlen=KEPT_NORMALS)
        self._last: tuple[SeenDie, ...] = ()
        self._lie: GroundPlane | None = None

    def judged(self, reading: Reading) -> Reading:
        """The reading with its cocked dice marked by all that was learned.

        A die at rest leans on something. Where no die is seen that it may lean on, it has to lean by more: that may be the tray's wall,
        but what seems to lean may as well be a flat die that was not seen well.
        """
        lie = None if self._lie is None or self._moved(reading) else self._lie
        told = reading if lie is None else self._told(reading)
        if not any(d.cocked for d in told.dice):
            return told
        known = [d for d in told.dice if d.facing_xy]
        if not known:
            return told
        seen = Normals.of(known, told.size_wh)
        much_deg = tilts_deg(seen, lie or fitted_plane(seen)) - COCKED_DEG - COCKED_ERRORS * np.degrees([d.facing_error for d in known])
        enough = lie is not None or len(known) >= MIN_DICE
        touching_deg, alone_deg = (TOUCHING_UNKNOWN_DEG, ALONE_DEG) if lie is None else (0.0, ALONE_KNOWN_DEG)
        leaning = [
            d
            for d, deg in zip(known, much_deg, strict=True)
            if (deg > touching_deg and _leans_on(d, told.dice)) or (deg > alone_deg and enough)
        ]
        flat = [d for d in known if d.cocked and d not in leaning]
        return replace(told, dice=tuple(replace(d, cocked=False) if d in flat else d for d in told.dice))

    def learn(self, reading: Reading) -> None:
        """From the sure dice of a tray at rest; those that lie where they lay in the last one teach nothing new."""
        if self._lie is not None and self._moved(reading):
            self._kept.clear()
            self._lie = None
        new = [d for d in reading.dice if d.sure and d.facing_xy and not any(_unmoved(d, was) for was in self._last)]
        self._last = reading.dice
        seen = Normals.of(new, reading.size_wh)
        self._kept.extend(zip(seen.facings, seen.offsets, strict=True))
        if new and len(self._kept) >= MIN_NORMALS:
            facings, offsets = zip(*self._kept, strict=True)
            self._lie = fitted_plane(Normals(np.stack(facings), np.stack(offsets)))

    def may_lean(self, reading: Reading) -> bool:
        """Whether one of the sure dice that touch another faces another way than the rest, so that it may tip over yet."""
        sure = [d for d in reading.dice if d.sure and d.facing_xy]
        if any(d.cocked for d in sure):
            return True
        if not any(_leans_on(d, reading.dice) for d in sure):
            return False
        return bool(askew(Normals.of(sure, reading.size_wh)).any(axis=(1, 2)).all())

    def _told(self, reading: Reading) -> Reading:
        return replace(reading, dice=tuple(judged(reading.dice, reading.size_wh, self._lie)))

    def _moved(self, reading: Reading) -> bool:
        """Whether the camera was, since all this was learned."""
        return _mostly_cocked(self._told(reading)) and not _mostly_cocked(reading)


def _mostly_cocked(reading: Reading) -> bool:
    known = [d for d in reading.dice if d.facing_xy]
    return len(known) >= 3 and 2 * sum(d.cocked for d in known) > len(known)


def _leans_on(die: SeenDie, dice: Sequence[SeenDie]) -> bool:
    """Whether one of these lies so near that the die may lean on it."""
    others = [d for d in dice if d is not die]
    return any(np.hypot(*np.subtract(d.centre_xy, die.centre_xy)) < TOUCHING * (d.side + die.side) / 2 for d in others)


def _unmoved(die: SeenDie, was: SeenDie) -> bool:
    (x, y), (wx, wy) = die.centre_xy, was.centre_xy
    return (x - wx) ** 2 + (y - wy) ** 2 < (SAME_PLACE * die.side) ** 2
