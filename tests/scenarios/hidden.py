"""Throws that happen wholly behind a hand. Nobody can tell them from dice that were laid down, so that a
question about them is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tests.scenarios.script import Script
from tests.scenarios.stage import Die, Overlay, Pose, Stage

STEP_S = 1 / 30
"""Interval at which the dice are looked at."""

MOVES_SIDES = 0.05
"""A die that goes less far in this time does not move."""

PROBED_SIDES = 0.35
"""Distance of the four probed points of a die from its centre, in sides."""

MIN_SEEN_POINTS = 3
"""Of its five probed points, as many have to be in view for a die to be detected."""


def allow_questions_about_hidden_throws(script: Script) -> None:
    """Marks the throws of which the camera sees no die in motion."""
    for index, dice in script.thrown:
        event = script.events[index]
        if not seen_moving(script.stage, dice, event.start_s, event.rest_s):
            script.events[index] = replace(event, may_ask=True)


def seen_moving(stage: Stage, dice: Sequence[Die], from_s: float, to_s: float) -> bool:
    """Whether one of the dice is in view while it moves, between these times."""
    times = np.arange(from_s, to_s + STEP_S, STEP_S)
    return any(_is_seen_moving(stage, die, a, b) for die in dice for a, b in pairwise(map(float, times)))


def _is_seen_moving(stage: Stage, die: Die, from_s: float, to_s: float) -> bool:
    before, now = die.at(from_s).pose(from_s), die.at(to_s).pose(to_s)
    moves = float(np.hypot(now.x - before.x, now.y - before.y)) > MOVES_SIDES * stage.side
    return moves and before.shown and now.shown and _is_in_view(stage, now, to_s)


def _is_in_view(stage: Stage, pose: Pose, at_s: float) -> bool:
    probed = PROBED_SIDES * stage.side * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    points = probed + np.array([pose.x, pose.y])
    inside = ((points >= 0) & (points < stage.size_wh)).all(axis=1)
    covered = np.zeros(len(points), bool)
    for overlay in stage.overlays:
        if overlay.over:
            covered |= _covers(overlay, points, at_s)
    return int(np.count_nonzero(inside & ~covered)) >= MIN_SEEN_POINTS


def _covers(overlay: Overlay, points: np.ndarray, at_s: float) -> np.ndarray:
    """Which of these points, (n, 2) px, the overlay covers: (n,)."""
    place = overlay.place(at_s)
    if place is None:
        return np.zeros(len(points), bool)
    c, s = np.cos(place.turn), np.sin(place.turn)
    from_anchor = (points - np.array([place.x, place.y])) @ np.array([[c, -s], [s, c]])
    x, y = (from_anchor + np.array(overlay.anchor_xy)).T.round().astype(int)
    h, w = overlay.bgra.shape[:2]
    inside = (x >= 0) & (x < w) & (y >= 0) & (y < h)
    alpha = overlay.bgra[np.clip(y, 0, h - 1), np.clip(x, 0, w - 1), 3]
    return np.asarray(inside & (alpha > 127))
