"""Throws: dice leave a hand or come from outside, and tumble. Some hit others, lean or leave the tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tests.scenarios.hands import Shape
from tests.scenarios.script import Actor, Path, Script
from tests.scenarios.stage import Move, Pose
from tests.scenarios.truth import EventKind

CLEAR_SIDES = 1.25
"""Least distance of centres between a rolling die and dice at rest on the last part of its path. A flying die
touches none."""
LOW_SHARE = 0.35
"""Share of its path up to which a die is in the air."""
TOUCHING_SIDES = (1.02, 1.25)
HIT_SIDES = 1.12
"""Distance of centres at which a die stops at the one that it hits."""
MIN_VISIBLE_SIDES = 3.2
"""Least distance that a die visibly rolls in front of the hand: a camera above cannot see what happens under
a hand."""


@dataclass(frozen=True)
class Manner:
    """How dice are thrown.

    hand: it is in view.
    shake: it shakes them over the tray.
    near: they land near their old positions.
    same: they show their old faces.
    touching: they come to rest beside one another.
    lingers_s: time that the hand stays in view afterwards.
    """

    hand: bool = True
    shake: bool = False
    near: bool = False
    same: bool = False
    touching: bool = False
    lingers_s: float = 0.0
    fast: bool = False


def random_manner(rng: np.random.Generator) -> Manner:
    return Manner(
        hand=bool(rng.random() < 0.65),
        shake=bool(rng.random() < 0.35),
        touching=bool(rng.random() < 0.12),
        lingers_s=float(rng.uniform(0.3, 1.5)) if rng.random() < 0.15 else 0.0,
        fast=bool(rng.random() < 0.2),
    )


def roll(script: Script, dice: Sequence[Actor], manner: Manner | None = None) -> None:
    """Throws these dice from the hand."""
    manner = manner or random_manner(script.rng)
    script.note(f"throw {len(dice)} {'from a hand' if manner.hand else 'from outside'}")
    start_s = script.now
    release_s, origin, path = (
        thrown_from(script, manner) if manner.hand else (script.now, beyond(script), None)
    )
    ends: list[tuple[float, float]] = []
    away = fingers_of(path) if path is not None else None
    begins = [release_s + float(script.rng.uniform(0, 0.12)) for _ in dice]
    rest_s = max(
        roll_one(script, die, begin, origin, ends, manner, away)
        for die, begin in zip(dice, begins, strict=True)
    )
    script.now = rest_s
    script.record(EventKind.THROWN, dice, start_s)
    if path is not None:
        script.now = max(script.now, path.times[-1])


def roll_one(
    script: Script,
    die: Actor,
    begin_s: float,
    origin: tuple[float, float],
    ends: list[tuple[float, float]],
    manner: Manner,
    away: tuple[float, float] | None = None,
) -> float:
    """The time of rest of one die of a throw; adds its end point to `ends`.

    away: unit vector from the arm to the fingers.
    """
    rng, side = script.rng, script.side
    before = (die.x, die.y, die.face)
    start = (origin[0] + float(rng.normal(0, 0.45)) * side, origin[1] + float(rng.normal(0, 0.45)) * side)
    to = landing(script, start, ends, before if manner.near and before[2] else None, manner.touching, away)
    ends.append(to)
    far = float(np.hypot(to[0] - start[0], to[1] - start[1])) / side
    lasts = float(
        np.clip((0.25 + 0.07 * far) * rng.uniform(0.8, 1.3) * (0.7 if manner.fast else 1), 0.4, 1.6)
    )
    face = before[2] if manner.same and before[2] else script.random_face(die)
    return script.tumble(die, begin_s, start, to, face, lasts)


def landing(
    script: Script,
    start: tuple[float, float],
    ends: Sequence[tuple[float, float]],
    near: tuple[float, float, int] | None = None,
    touching: bool = False,
    away: tuple[float, float] | None = None,
) -> tuple[float, float]:
    """A free end point for a die from `start`: no die is on the last part of its path, and no hand above."""
    resting = [(a.x, a.y) for a in script.actors if a.on and (a.x, a.y) not in ends]
    around = (near[0], near[1], 0.7 * script.side) if near else None
    if around and np.hypot(around[0] - start[0], around[1] - start[1]) < MIN_VISIBLE_SIDES * script.side:
        around = None
    if touching and ends:
        return beside(script, ends[int(script.rng.integers(len(ends)))], [*resting, *ends])
    best, most = start, -1e9
    for _ in range(60):
        to = script.free_of([*resting, *ends], 1.6, around)
        clear = min((clearance(start, to, other) for other in resting), default=1e9) / script.side
        seen = seen_sides(script, start, to, away)
        if clear > CLEAR_SIDES and seen > MIN_VISIBLE_SIDES:
            return to
        if min(clear, CLEAR_SIDES) + min(seen, MIN_VISIBLE_SIDES) > most:
            best, most = to, min(clear, CLEAR_SIDES) + min(seen, MIN_VISIBLE_SIDES)
    return best


def seen_sides(
    script: Script, start: tuple[float, float], to: tuple[float, float], away: tuple[float, float] | None
) -> float:
    """Distance that a die rolls in front of the hand that threw it, sides.

    away: unit vector from the arm to the fingers.
    """
    way = np.array([to[0] - start[0], to[1] - start[1]]) / script.side
    return float(np.hypot(*way)) if away is None else float(way @ np.array(away))


def beside(
    script: Script, one: tuple[float, float], others: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """A point whose die touches this one, or nearly, and lies on no other; else one that is far from all."""
    x0, y0, x1, y1 = script.area
    best, most = one, 0.0
    for angle in script.rng.uniform(0, 2 * np.pi, 40):
        away = script.side * float(script.rng.uniform(*TOUCHING_SIDES)) * 1.15
        x, y = one[0] + away * float(np.cos(angle)), one[1] + away * float(np.sin(angle))
        gap = min((float(np.hypot(x - ox, y - oy)) for ox, oy in others if (ox, oy) != one), default=1e9)
        free = x0 <= x <= x1 and y0 <= y <= y1 and script.sides_within_avoided(x, y) <= 0
        if free and gap > most:
            best, most = (x, y), min(gap, 1.5 * script.side)
    return best if most >= TOUCHING_SIDES[0] * 1.15 * script.side else script.free_of(others, 1.6)


def clearance(start: tuple[float, float], to: tuple[float, float], other: tuple[float, float]) -> float:
    """Distance between a point and the last part of a straight path, px."""
    a, b, c = (np.array(p, float) for p in (start, to, other))
    a = a + LOW_SHARE * (b - a)
    way = b - a
    u = float(np.clip((c - a) @ way / max(float(way @ way), 1e-9), 0, 1))
    return float(np.hypot(*(a + u * way - c)))


def beyond(script: Script) -> tuple[float, float]:
    """A point slightly outside the picture."""
    x0, y0, x1, y1 = script.view
    gap, along = 1.6 * script.side, float(script.rng.uniform(0.15, 0.85))
    x, y = x0 + along * (x1 - x0), y0 + along * (y1 - y0)
    return [(x, y0 - gap), (x, y1 + gap), (x0 - gap, y), (x1 + gap, y)][int(script.rng.integers(4))]


def thrown_from(script: Script, manner: Manner) -> tuple[float, tuple[float, float], Path]:
    """Time and point of release, and the path, of a hand that comes in with dice and may shake them."""
    rng = script.rng
    x, y = script.free_place(0)
    turn = script.arm_turn(x, y)
    back = np.array([-np.sin(turn), np.cos(turn)]) * script.side
    x, y = towards_border(script, x, y, back)
    begin = script.now + float(rng.uniform(0.25, 0.5))
    way = [(begin, x + 2.2 * back[0], y + 2.2 * back[1])]
    if manner.shake:
        for k in range(int(rng.integers(3, 10))):
            side = float(rng.uniform(0.3, 0.7)) * script.side * (1 if k % 2 else -1)
            way.append(
                (way[-1][0] + float(rng.uniform(0.07, 0.13)), x + 2 * back[0] + side, y + 2 * back[1] - side)
            )
    release = way[-1][0] + float(rng.uniform(0.12, 0.25))
    way += [(release, x, y), (release + 0.12 + manner.lingers_s, x - 0.5 * back[0], y - 0.5 * back[1])]
    shape: Shape = "fist" if rng.random() < 0.5 else "cup"
    path = script.reach(shape, way, turn, begin - script.now, float(rng.uniform(0.2, 0.5)))
    return release, (x, y), path


def fingers_of(path: Path) -> tuple[float, float]:
    """Unit vector from the arm to the fingers of a hand on this path."""
    turn = path.places[1].turn
    return float(np.sin(turn)), -float(np.cos(turn))


def towards_border(script: Script, x: float, y: float, back: np.ndarray) -> tuple[float, float]:
    """The point moved along the arm to near a border of the picture: hands throw from the side."""
    x0, y0, x1, y1 = script.view
    for _ in range(60):
        if min(x - x0, y - y0, x1 - x, y1 - y) < 2.2 * script.side:
            break
        x, y = x + 0.4 * back[0], y + 0.4 * back[1]
    return float(np.clip(x, x0, x1)), float(np.clip(y, y0, y1))


# --- throws that do not end well


def knock(script: Script, die: Actor, target: Actor, tips: bool = False) -> None:
    """A thrown die hits one at rest, which slides 0.2 to 3 sides with its face unchanged, or tips over."""
    rng, side = script.rng, script.side
    script.note("throw that knocks a die" + (" over" if tips else ""))
    start_s = script.now
    release_s, origin, path = (
        thrown_from(script, random_manner(rng))
        if rng.random() < 0.5
        else (script.now, open_side(script, target), None)
    )
    way = np.array([target.x - origin[0], target.y - origin[1]])
    far = max(float(np.hypot(*way)), 1e-6)
    heading = way / far
    old = (target.x, target.y)
    pushed = float(rng.uniform(0.2, 3.0)) * side
    to = pushed_away(script, target, heading, pushed)
    end = stopped_at(script, target, heading)
    lasts = float(np.clip(0.3 + 0.06 * far / side, 0.45, 1.3))
    rest_s = script.tumble(die, release_s, origin, end, script.random_face(die), lasts, straight=True)
    moment = die.die.moves[-2].pose
    times = np.linspace(release_s, rest_s, 120)
    poses = [(float(t), moment(float(t))) for t in times]
    hit_s = next((t for t, p in poses if np.hypot(p.x - old[0], p.y - old[1]) < 1.22 * side), rest_s)
    gone = float(np.hypot(to[0] - old[0], to[1] - old[1])) / side
    if tips:
        face = script.random_face(target, target.face)
        script.topple(target, hit_s, to, face, float(rng.uniform(0.15, 0.3)))
        still_s = hit_s + 0.3
    else:
        glides_s = float(np.clip(0.12 + 0.16 * gone, 0.12, 0.6))
        still_s = script.glide(target, hit_s, to, glides_s, float(rng.normal(0, 0.5)))
    script.now = max(rest_s, still_s)
    script.record(EventKind.THROWN, [die], start_s, may_ask=tips)
    if tips:
        script.allow(start_s, script.now + 2.0)
    if path is not None:
        script.now = max(script.now, path.times[-1])


def stopped_at(script: Script, target: Actor, heading: np.ndarray) -> tuple[float, float]:
    """Where a die stops that hits this one along `heading`: before it, or as little beside that as it needs
    to lie in no other die."""
    others = [(a.x, a.y) for a in script.actors if a.on and a is not target]
    best, most = (target.x, target.y), -1.0
    for turn in sorted(np.linspace(-1.5, 1.5, 31), key=abs):
        c, s = HIT_SIDES * script.side * np.cos(turn), HIT_SIDES * script.side * np.sin(turn)
        x = target.x - float(c * heading[0] - s * heading[1])
        y = target.y - float(s * heading[0] + c * heading[1])
        gap = min((float(np.hypot(x - ox, y - oy)) for ox, oy in others), default=1e9)
        if min(gap, HIT_SIDES * script.side) > most:
            best, most = (x, y), min(gap, HIT_SIDES * script.side)
    return best


def open_side(script: Script, target: Actor) -> tuple[float, float]:
    """A point outside the picture with a free line to the target, and space in view in front of it."""
    others = [(a.x, a.y) for a in script.actors if a.on and a is not target]
    x0, y0, x1, y1 = script.area
    best, most = beyond(script), -1e9
    for _ in range(24):
        start = beyond(script)
        way = np.array([target.x - start[0], target.y - start[1]])
        x, y = np.array([target.x, target.y]) - 1.1 * script.side * way / max(float(np.hypot(*way)), 1e-6)
        out = max(x0 - x, x - x1, y0 - y, y - y1, 0.0)
        gap = min((clearance(start, (target.x, target.y), other) for other in others), default=1e9)
        if min(gap, 2 * script.side) - 4 * out > most:
            best, most = start, min(gap, 2 * script.side) - 4 * out
    return best


def pushed_away(script: Script, target: Actor, heading: np.ndarray, pushed: float) -> tuple[float, float]:
    """The end point of a die that is hit along `heading`, inside the tray. It stops at one that is in its
    way."""
    x0, y0, x1, y1 = script.area
    others = [(a.x, a.y) for a in script.actors if a.on and a is not target]
    best, most = (target.x, target.y), -1e9
    for turn in script.rng.normal(0, 0.35, 16):
        c, s = np.cos(turn), np.sin(turn)
        way = np.array([c * heading[0] - s * heading[1], s * heading[0] + c * heading[1]]) * pushed
        x, y = float(np.clip(target.x + way[0], x0, x1)), float(np.clip(target.y + way[1], y0, y1))
        gap = min((clearance((target.x, target.y), (x, y), other) for other in others), default=1e9)
        if min(gap, 1.5 * script.side) > most:
            best, most = (x, y), min(gap, 1.5 * script.side)
    return stopped_short(script, (target.x, target.y), best, others)


def stopped_short(
    script: Script, start: tuple[float, float], to: tuple[float, float], others: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """The point nearest to `to` on the way there at which a die lies in none of these others."""
    for share in np.linspace(1, 0, 21):
        x, y = (float(a + share * (b - a)) for a, b in zip(start, to, strict=True))
        if all(np.hypot(x - ox, y - oy) >= HIT_SIDES * script.side for ox, oy in others):
            return x, y
    return start


def roll_cocked(script: Script, die: Actor, against: Actor, waits_s: float) -> None:
    """A thrown die leans on another for a while, then tips over, or back."""
    rng, side = script.rng, script.side
    script.note(f"throw that leans for {waits_s:.1f} s, then tips")
    start_s, origin = script.now, open_side(script, against)
    way = np.array([against.x - origin[0], against.y - origin[1]])
    heading = way / max(float(np.hypot(*way)), 1e-6)
    end = (against.x - 1.05 * side * float(heading[0]), against.y - 1.05 * side * float(heading[1]))
    far = float(np.hypot(end[0] - origin[0], end[1] - origin[1])) / side
    yaw = float(np.arctan2(heading[1], heading[0]))
    rolls_s = float(np.clip(0.3 + 0.07 * far, 0.4, 1.4))
    rest_s = script.tumble(die, start_s, origin, end, script.random_face(die), rolls_s, straight=True)
    die.yaw = yaw
    lean, next_face = float(rng.uniform(0.3, 0.45)), script.random_face(die, die.face)
    leaning = Pose(die.x, die.y, yaw, die.face, next_face, lean, 0.25)
    die.die.moves[-1] = Move(rest_s, lambda t: leaning, still=True)
    tip_s, lasts, over = rest_s + waits_s, float(rng.uniform(0.08, 0.16)), bool(rng.random() < 0.6)
    first = die.face

    def tipping(t: float) -> Pose:
        u = float(np.clip((t - tip_s) / lasts, 0, 1)) ** 2
        turned = lean + ((1.0 if over else 0.0) - lean) * u
        return Pose(leaning.x, leaning.y, yaw, first, next_face, turned, 0.25 * (1 - u))

    die.die.moves.append(Move(tip_s, tipping))
    die.face = next_face if over else first
    die.die.rest(tip_s + lasts, die.pose)
    script.now = tip_s + lasts
    script.record(EventKind.THROWN, [die], start_s, may_ask=waits_s > 0.3)


def roll_out(script: Script, dice: Sequence[Actor]) -> None:
    """A throw of which one die rolls across the tray and out of the picture."""
    rng = script.rng
    script.note(f"throw {len(dice)}, one rolls out of the picture")
    start_s, origin = script.now, beyond(script)
    ends: list[tuple[float, float]] = []
    runaway, *others = dice
    rest_s = start_s
    for die in others:
        rest_s = max(
            rest_s,
            roll_one(script, die, start_s + float(rng.uniform(0, 0.12)), origin, ends, Manner(hand=False)),
        )
    x0, y0, x1, y1 = script.view
    to = (x0 + x1 - origin[0], y0 + y1 - origin[1])
    gone_s = script.tumble(
        runaway, start_s, origin, to, script.random_face(runaway), float(rng.uniform(0.9, 1.5))
    )
    script.taken(runaway, gone_s)
    runaway.lost = True
    script.now = max(rest_s, gone_s)
    if others:
        script.record(EventKind.THROWN, others, start_s, may_ask=True)


def roll_onto(script: Script, die: Actor, under: Actor) -> None:
    """A thrown die comes to rest on another one."""
    script.note("throw that lands on another die")
    start_s, origin, side = script.now, beyond(script), script.side
    to = (
        under.x + float(script.rng.normal(0, 0.15)) * side,
        under.y + float(script.rng.normal(0, 0.15)) * side,
    )
    rest_s = script.tumble(
        die, start_s, origin, to, script.random_face(die), float(script.rng.uniform(0.6, 1.1)), ends_at=1.0
    )
    script.to_front(die)
    script.now = rest_s
    script.record(EventKind.THROWN, [die], start_s, may_ask=True)
