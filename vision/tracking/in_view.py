"""Tells which dice were seen to arrive, and which were seen to vanish."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from vision.tracking.tracklets import (
    MIN_FREE_PATH,
    MIN_STEP_SIDES,
    MIN_THROWN_PATH,
    Tracklet,
    free_sides,
    step_sides,
)
from vision.tracking.tumbling import tumbled_freely


def thrown_in_view(tracklets: Sequence[Tracklet]) -> bool:
    """Whether all of these dice were seen coming freely, and at least one of them tumbling: they were thrown,
    wherever they lay before."""
    return all(_seen_arriving(c) for c in tracklets) and any(tumbled_freely(c) for c in tracklets)


def vanished_in_view(tracklet: Tracklet) -> bool:
    """Whether a new die that came tumbling freely was nearly at rest when it was last detected, with no hand
    at it: it leans on another die, and shows two faces."""
    gone = tracklet.missing and not tracklet.covered and not tracklet.last.touched
    return gone and tracklet.track is None and not tracklet.is_moving and tumbled_freely(tracklet)


def _seen_arriving(tracklet: Tracklet) -> bool:
    """Whether it moved freely from its first observation on: none knocked it, and no hand flicked it."""
    steps = [step_sides(a, b) for a, b in pairwise(tracklet.observations)]
    lay = not steps or steps[0] <= MIN_STEP_SIDES
    return not lay and free_sides(tracklet) >= (MIN_THROWN_PATH if tracklet.ever_touched else MIN_FREE_PATH)
