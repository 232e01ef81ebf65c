"""Throwing: how dice fly in from the hand, bounce, push one another apart and come to rest; worked out before the first frame is drawn.

Theory of operation. Seen from above a die is a disc that slides with friction, bounces off the walls and off other dice; dice that lie
still are discs nobody can push. Its height is a row of ever lower hops. Its turning is worked out backwards: the last frame shows
the face that was drawn by lot, and every earlier frame is turned back by what a die rolling at that speed would have turned since. So
the animation has no say in the face, and yet a die rolls the way it travels and stops flat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.simulation.dice import Body, SimDie, at_rest, body_of, half_height, turned_about, turned_about_z
from vision.simulation.scene import LOOKS, Scene
from vision.simulation.view import Floats, View

STEPS_PER_FRAME = 4
"""Physics steps a frame: at 900 mm/s and 30 fps a die moves 7.5 mm a step, less than half its side."""

FRICTION_MM_S2 = 620.0
"""Slowing on felt, about 0.06 g: a die thrown at 700 mm/s that meets nothing rolls for 1.1 s."""

WALL_BOUNCE = 0.6
DICE_BOUNCE = 0.5
"""Share of the speed left after meeting a wall, and another die."""

GRAVITY_MM_S2 = 9810.0 * 0.45
"""Less than on earth: at full gravity the hops last two frames and look like a stutter."""

HOP_BOUNCE = 0.42
"""Share of the falling speed left after each hop."""

ROLL_FROM_MM_S, ROLL_FULL_MM_S = 60.0, 260.0
"""Below the first a die only slides, above the second it rolls without sliding."""

LONGEST_S = 2.6
"""A throw that is not at rest by now is stopped; friction ends all but a jam much earlier."""

REST_MM_S = 4.0
"""Slower than this is lying still: an eighth of a millimetre a frame."""

SHUTTER = 0.35
"""Share of a frame the shutter is open: 12 ms at 30 fps, as a camera indoors chooses."""

RADIUS_SHARE = 0.74
"""A die's disc, of its side: just over half its diagonal (0.71), so that dice never touch at rest."""


@dataclass(frozen=True, eq=False)
class Flight:
    """One die's way through a throw: at_mm (t, 3), turns (t, 3, 3), one row a frame; `last` is the die as the last row has it."""

    at_mm: Floats
    turns: Floats
    last: SimDie

    def body(self, frame: int, scene: Scene, view: View) -> Body:
        """The die in this frame, smeared by its speed; past the end it lies still."""
        look = self.last.look or LOOKS[self.last.colour]
        i = min(frame, len(self.at_mm) - 1)
        before, now = view.project(self.at_mm[[max(i - 1, 0), i]])
        dx, dy = (float(v) * SHUTTER for v in now - before) if frame == i else (0.0, 0.0)
        return Body(self.at_mm[i], self.turns[i], self.last.side_mm or scene.die_mm, look, (dx, dy))

    @property
    def frames(self) -> int:
        return len(self.at_mm)


@dataclass
class _Discs:
    """The dice from above while they slide: `at`, `speed` (n, 2) mm and mm/s. The first `moving` of them can be pushed."""

    at: Floats
    speed: Floats
    moving: int
    radius: float


def throw(rng: np.random.Generator, dice: Sequence[SimDie], lying: Sequence[SimDie], scene: Scene, fps: float) -> list[Flight]:
    """Flights of these dice among those that lie still. Faces and ways of turning are drawn by lot; places come from the rolling."""
    discs = _thrown(rng, len(dice), lying, scene)
    tracks = _slid(discs, scene, fps)
    flights = []
    for i, die in enumerate(dice):
        face, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
        x, y = (float(v) for v in tracks[-1, i])
        last = replace(die, face=face, yaw_rad=yaw, x_mm=x, y_mm=y)
        flights.append(_flight(rng, last, tracks[:, i], scene, fps))
    return flights


def _thrown(rng: np.random.Generator, n: int, lying: Sequence[SimDie], scene: Scene) -> _Discs:
    """Discs as they leave a hand at the thrower's side, in a loose bunch."""
    w, h = scene.tray_mm
    hand_x = rng.uniform(-0.22, 0.22) * w
    bunch = rng.normal(0, 1, (n, 2)) * (0.05 * w, 0.05 * h) + (hand_x, -h / 2 + 0.1 * h)
    aim = np.array([rng.uniform(-0.3, 0.3) * w, rng.uniform(-0.1, 0.35) * h]) - (hand_x, -h / 2)
    aim = aim / np.linalg.norm(aim) + rng.normal(0, 0.22, (n, 2))
    speed = aim * rng.uniform(480, 900, (n, 1))
    still = np.array([[d.x_mm, d.y_mm] for d in lying]).reshape(-1, 2)
    at = np.concatenate([bunch, still])
    return _Discs(at, np.concatenate([speed, np.zeros_like(still)]), n, RADIUS_SHARE * scene.die_mm)


def _slid(discs: _Discs, scene: Scene, fps: float) -> Floats:
    """(t, n, 2) where the moving discs are in every frame, until all rest and none overlaps."""
    dt = 1 / (fps * STEPS_PER_FRAME)
    track = [discs.at[: discs.moving].copy()]
    while len(track) < LONGEST_S * fps and not _resting(discs):
        for _ in range(STEPS_PER_FRAME):
            _step(discs, scene, dt)
        track.append(discs.at[: discs.moving].copy())
    _part(discs, scene, track)
    return np.array(track)


def _resting(discs: _Discs) -> bool:
    moving = discs.speed[: discs.moving]
    return not len(moving) or (float(np.abs(moving).max()) < REST_MM_S and not _overlaps(discs))


def _step(discs: _Discs, scene: Scene, dt: float) -> None:
    n = discs.moving
    pace = np.linalg.norm(discs.speed[:n], axis=1, keepdims=True)
    discs.speed[:n] *= np.maximum(pace - FRICTION_MM_S2 * dt, 0) / np.maximum(pace, 1e-6)
    discs.at[:n] += discs.speed[:n] * dt
    _push_apart(discs)
    _keep_inside(discs, scene)


def _keep_inside(discs: _Discs, scene: Scene) -> None:
    """Walls: back inside, and speed turned around."""
    at, speed = discs.at[: discs.moving], discs.speed[: discs.moving]
    limit = np.array(scene.tray_mm) / 2 - discs.radius - 0.5
    out = np.abs(at) > limit
    outward = out & (np.sign(at) == np.sign(speed))
    speed[outward] *= -WALL_BOUNCE
    np.clip(at, -limit, limit, out=at)


def _overlaps(discs: _Discs) -> list[tuple[int, int]]:
    """Pairs that overlap, the first of each able to move."""
    gaps = np.linalg.norm(discs.at[: discs.moving, None] - discs.at[None], axis=2)
    pairs = np.argwhere(gaps < 2 * discs.radius - 1e-3)
    return [(int(i), int(j)) for i, j in pairs if i < j]


def _push_apart(discs: _Discs) -> None:
    """Overlapping dice give way, half each or all by the one that moves, and lose the speed they met with."""
    for i, j in _overlaps(discs):
        between = discs.at[j] - discs.at[i]
        gap = float(np.linalg.norm(between))
        way = between / gap if gap > 1e-6 else np.array([1.0, 0.0])
        share = 0.5 if j < discs.moving else 1.0
        overlap = 2 * discs.radius - gap
        closing = float((discs.speed[i] - discs.speed[j]) @ way)
        discs.at[i] -= way * overlap * share
        discs.speed[i] -= way * max(closing, 0) * (1 + DICE_BOUNCE) * share
        if j < discs.moving:
            discs.at[j] += way * overlap * share
            discs.speed[j] += way * max(closing, 0) * (1 + DICE_BOUNCE) * share


def _part(discs: _Discs, scene: Scene, track: list[Floats]) -> None:
    """For a jam that the time limit cut short: slides on, a little a frame, until nothing overlaps."""
    discs.speed[:] = 0
    for _ in range(200):
        if not _overlaps(discs):
            return
        _push_apart(discs)
        _keep_inside(discs, scene)
        track.append(discs.at[: discs.moving].copy())


def _flight(rng: np.random.Generator, last: SimDie, track: Floats, scene: Scene, fps: float) -> Flight:
    turns = _rolled_back(rng, last, track, scene, fps)
    body = body_of(last, scene)
    hops = _hops(rng, len(track), fps)
    floor = np.array([half_height(turn, body.side, body.look.corner) for turn in turns])
    at = np.concatenate([track, (floor + hops)[:, None]], axis=1).astype(np.float32)
    return Flight(at, turns, last)


def _rolled_back(rng: np.random.Generator, last: SimDie, track: Floats, scene: Scene, fps: float) -> Floats:
    """(t, 3, 3) how the die is turned in every frame: from its last pose back through what it rolled and spun."""
    turn = at_rest(last.face, last.yaw_rad)
    turns = [turn]
    spin = float(rng.normal(0, 5))
    for before, after in zip(track[-2::-1], track[:0:-1], strict=True):
        step = after - before
        pace = float(np.linalg.norm(step)) * fps
        gain = float(np.clip((pace - ROLL_FROM_MM_S) / (ROLL_FULL_MM_S - ROLL_FROM_MM_S), 0, 1))
        if pace > REST_MM_S:
            axis = np.array([-step[1], step[0], 0]) / np.linalg.norm(step)
            angle = gain * float(np.linalg.norm(step)) / (0.62 * scene.die_mm)
            turn = turned_about(axis, -angle) @ turn
            turn = turned_about_z(-spin * min(pace / 300, 1) / fps) @ turn
        turns.append(turn)
    return np.array(turns[::-1], np.float32)


def _hops(rng: np.random.Generator, frames: int, fps: float) -> Floats:
    """(t,) mm over the floor: a fall from the hand, then ever lower hops."""
    height, fall = float(rng.uniform(28, 60)), 0.0
    heights = []
    for _ in range(frames):
        heights.append(height)
        for _ in range(STEPS_PER_FRAME):
            dt = 1 / (fps * STEPS_PER_FRAME)
            fall += GRAVITY_MM_S2 * dt
            height -= fall * dt
            if height < 0:
                height, fall = 0.0, -fall * HOP_BOUNCE if fall > 130 else 0.0
    heights[-1] = 0.0
    return np.array(heights)
