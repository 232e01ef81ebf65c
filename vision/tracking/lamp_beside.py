"""Drops what a blinking lamp shows of a die that lies still beside it.

While the lamp is on, its glow hides a part of the die, which is then detected elsewhere or with another face.
That looks like tumbling. But a die that tumbles never comes back to the pose that it left.
"""

from __future__ import annotations

from itertools import pairwise

from vision.tracking.likeness import sides_apart
from vision.tracking.tracklets import Observation, Tracklet

SAME_POSE_SIDES = 0.06
"""Distance, in sides, up to which two sure detections with one face show a die in the same pose."""
NEAR_SIDES = 0.5
"""What the glow of a lamp leaves of a die is detected this near to it, in sides."""
MIN_RETURNS = 2
"""A die that was back in the pose it lies in this often, after it was detected otherwise, lay still."""


def drop_lamplit(tracklet: Tracklet) -> None:
    """Drops the observations of a die that a blinking lamp changed, also those before the first clear one."""
    final = tracklet.last
    if not final.seen.sure:
        return
    clear = [_is_pose(o, final) for o in tracklet.observations]
    first = clear.index(True)
    if sum(not a and b for a, b in pairwise(clear[first:])) < MIN_RETURNS:
        return
    since = zip(tracklet.observations[first:], clear[first:], strict=True)
    lit = [o for o, is_clear in since if not is_clear]
    if any(sides_apart(o.seen, final.seen) > NEAR_SIDES for o in lit):
        return
    if all(o.seen.sure and o.seen.face == final.seen.face for o in lit):
        return  # it rocks
    tracklet.observations = [
        o
        for o, is_clear in zip(tracklet.observations, clear, strict=True)
        if is_clear or not any(_looks_like(o, each) for each in lit)
    ]


def _is_pose(observation: Observation, final: Observation) -> bool:
    return observation.seen.sure and _looks_like(observation, final)


def _looks_like(a: Observation, b: Observation) -> bool:
    return a.seen.face == b.seen.face and sides_apart(a.seen, b.seen) <= SAME_POSE_SIDES
