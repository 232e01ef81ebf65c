"""Acts of hands on dice at rest, each written as a few moves in a script.

Every act starts at the script's `now` and sets it to the end of the act.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.scenarios.hands import Shape
from tests.scenarios.script import Actor, Path, Script
from tests.scenarios.stage import Move, Pose
from tests.scenarios.truth import EventKind

TAKING: tuple[Shape, ...] = ("grasp", "fist", "cup")

HAND_SIDES = 2.5
"""One hand slides dice at most this far apart, in sides."""

GATHERED_SIDES = 1.25
"""Distance of gathered dice from the one in their middle, in sides."""

WAY = np.linspace(0.1, 1, 10)
"""The points on a die's way, as shares of it, at which it must not lie over another."""


def random_actors(script: Script, actors: Sequence[Actor], count: int) -> list[Actor]:
    order = script.rng.permutation(len(actors))
    return [actors[int(i)] for i in order[:count]]


# --- hands that take and give


def pick_up(script: Script, dice: Sequence[Actor], pause: bool = True) -> None:
    """A hand picks up these dice, one by one or all at once, and leaves with them."""
    script.note(f"pick up {len(dice)}")
    rng, left = script.rng, list(dice)
    shape: Shape = (
        "pinch" if len(dice) == 1 and rng.random() < 0.6 else TAKING[int(rng.integers(len(TAKING)))]
    )
    turn = script.arm_turn(left[0].x, left[0].y)
    way: list[tuple[float, float, float]] = []
    taken: list[tuple[Actor, float]] = []
    t = script.now + float(rng.uniform(0.3, 0.55))
    while left:
        x0, y0 = (way[-1][1], way[-1][2]) if way else (left[0].x, left[0].y)
        die = min(left, key=lambda a: np.hypot(a.x - x0, a.y - y0))
        left.remove(die)
        way.append((t, die.x, die.y))
        held = t + (float(rng.uniform(0.1, 0.45)) if pause else 0.06)
        way.append((held, die.x, die.y))
        taken.append((die, held))
        t = held + float(rng.uniform(0.15, 0.35))
    path = script.reach(shape, way, turn, way[0][0] - script.now, float(rng.uniform(0.25, 0.5)))
    for die, held in taken:
        if shape == "pinch":
            script.carried(die, path, held, path.times[-1])
            script.taken(die, path.times[-1])
        else:
            script.taken(die, held)
    script.now = path.times[-1]


def slide(
    script: Script,
    dice: Sequence[Actor],
    sides: float | None = None,
    slow: bool | None = None,
    shape: Shape | None = None,
) -> None:
    """A finger or a hand slides the first of these dice, and those within its reach, across the tray and
    leaves."""
    rng = script.rng
    lead = dice[0]
    reach = HAND_SIDES * script.side
    dice = [d for d in dice if np.hypot(d.x - lead.x, d.y - lead.y) <= reach]
    script.note(f"slide {len(dice)}")
    far = (sides if sides is not None else float(rng.uniform(0.5, 9))) * script.side
    to = _pushed_to(script, dice, lead, far)
    gone = float(np.hypot(to[0] - lead.x, to[1] - lead.y)) / script.side
    is_slow = slow if slow is not None else rng.random() < 0.5
    speed = float(rng.uniform(1, 4) if is_slow else rng.uniform(5, 18))
    shape = shape or ("point" if len(dice) == 1 and rng.random() < 0.7 else "flat")
    angle = float(np.arctan2(to[1] - lead.y, to[0] - lead.x))
    behind = 0.45 * script.side if shape == "point" and rng.random() < 0.6 else 0.0
    grip = (lead.x - behind * np.cos(angle), lead.y - behind * np.sin(angle))
    turn = script.arm_turn(*grip)
    at = script.now + float(rng.uniform(0.3, 0.6))
    begin = at + float(rng.uniform(0.05, 0.5))
    end = begin + max(gone / speed, 0.12)
    leave = end + float(rng.uniform(0.02, 0.5))
    moved = (grip[0] + to[0] - lead.x, grip[1] + to[1] - lead.y)
    way = [(at, *grip), (begin, *grip), (end, *moved), (leave, *moved)]
    path = script.reach(shape, way, turn, at - script.now)
    for die in dice:
        script.carried(die, path, begin, leave, turn_by=float(rng.normal(0, 0.35)))
        script.now = leave
        script.lie(die, die.x, die.y, die.yaw, die.face)
    script.now = path.times[-1]


def _pushed_to(script: Script, dice: Sequence[Actor], lead: Actor, far: float) -> tuple[float, float]:
    """A free point about `far` px from the first of these dice, with a free way for all of them."""
    x0, y0, x1, y1 = script.area
    others = [(a.x, a.y) for a in script.actors if a.on and a not in dice]
    best, most = (lead.x, lead.y), -1e9
    for angle in script.rng.uniform(0, 2 * np.pi, 24):
        to = (
            float(np.clip(lead.x + far * np.cos(angle), x0, x1)),
            float(np.clip(lead.y + far * np.sin(angle), y0, y1)),
        )
        dx, dy = to[0] - lead.x, to[1] - lead.y
        places = [(d.x + dx, d.y + dy) for d in dice]
        out = max(max(x0 - x, x - x1, y0 - y, y - y1, 0) for x, y in places)
        way = [(d.x + u * dx, d.y + u * dy) for d in dice for u in WAY]
        gap = min((np.hypot(x - ox, y - oy) for x, y in way for ox, oy in others), default=1e9)
        score = min(gap, 1.5 * script.side) - 3 * out
        if score > most:
            best, most = to, score
    return best


def flick(script: Script, die: Actor) -> None:
    """A finger flicks a die, which slides on by itself."""
    rng = script.rng
    script.note("flick")
    to = _pushed_to(script, [die], die, float(rng.uniform(1.5, 6)) * script.side)
    angle = float(np.arctan2(to[1] - die.y, to[0] - die.x))
    dx, dy = np.cos(angle) * script.side, np.sin(angle) * script.side
    grip = (die.x - 0.55 * dx, die.y - 0.55 * dy)
    at = script.now + float(rng.uniform(0.3, 0.6))
    hit = at + float(rng.uniform(0.05, 0.3))
    after = hit + 0.07
    way = [(at, *grip), (hit, *grip), (after, grip[0] + 0.6 * dx, grip[1] + 0.6 * dy)]
    path = script.reach("point", way, script.arm_turn(*grip), at - script.now)
    rest = script.glide(die, hit + 0.02, to, float(rng.uniform(0.3, 0.7)), float(rng.normal(0, 0.6)))
    script.now = max(rest, path.times[-1])


def tidy(script: Script, dice: Sequence[Actor]) -> None:
    """A flat hand gathers two or more dice, one by one, and leaves them close together."""
    rng = script.rng
    script.note(f"tidy {len(dice)}")
    lead, *others = dice
    places = _places_around(script, lead, dice)
    turn = script.arm_turn(lead.x, lead.y)
    t = script.now + float(rng.uniform(0.3, 0.6))
    way: list[tuple[float, float, float]] = [(t, others[0].x, others[0].y)]
    stops: list[tuple[Actor, float, float]] = []
    for k, die in enumerate(others):
        to = places[k]
        begin = t + float(rng.uniform(0.05, 0.2))
        end = begin + max(
            float(np.hypot(to[0] - die.x, to[1] - die.y)) / script.side / float(rng.uniform(4, 14)), 0.15
        )
        way += [(begin, die.x, die.y), (end, *to)]
        stops.append((die, begin, end))
        t = end + float(rng.uniform(0.15, 0.4))
        if k + 1 < len(others):
            way.append((t, others[k + 1].x, others[k + 1].y))
    path = script.reach("flat" if rng.random() < 0.6 else "point", way, turn, way[0][0] - script.now)
    for die, begin, end in stops:
        script.carried(die, path, begin, end, turn_by=float(rng.normal(0, 0.3)))
        script.now = end
        script.lie(die, die.x, die.y, die.yaw, die.face)
    script.now = path.times[-1]


def _places_around(script: Script, lead: Actor, dice: Sequence[Actor]) -> list[tuple[float, float]]:
    """The places around the first of these dice for the others: on none of the further dice, if possible."""
    count = len(dice) - 1
    standing = [(a.x, a.y) for a in script.on_tray if a not in dice]

    def turned_by(turn: float) -> list[tuple[float, float]]:
        angles = (turn + 2 * np.pi * k / max(count, 3) for k in range(count))
        away = GATHERED_SIDES * script.side
        return [(lead.x + away * float(np.cos(a)), lead.y + away * float(np.sin(a))) for a in angles]

    def gap(places: list[tuple[float, float]]) -> float:
        gaps = (np.hypot(x - ox, y - oy) for x, y in places for ox, oy in standing)
        return float(min(gaps, default=np.inf))

    rings = [turned_by(turn) for turn in np.linspace(0, 2 * np.pi, 24, endpoint=False)]
    return max(rings, key=lambda places: min(gap(places), GATHERED_SIDES * script.side))


def reach_across(script: Script) -> None:
    """A hand crosses the tray to the other side, stays for a moment, and goes back."""
    rng = script.rng
    script.note("reach across")
    x0, y0, x1, y1 = script.view
    turn = float(rng.integers(4)) * np.pi / 2 + float(rng.normal(0, 0.2))
    direction = np.array([np.sin(turn), -np.cos(turn)])
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2]) + rng.normal(0, 2, 2) * script.side
    far = middle + direction * 0.45 * abs(direction @ np.array([x1 - x0, y1 - y0]))
    at = script.now + float(rng.uniform(0.4, 0.8))
    leave = at + float(rng.uniform(0.1, 1.2))
    path = script.reach(
        "grasp", [(at, *far), (leave, *far)], turn, at - script.now, float(rng.uniform(0.35, 0.7))
    )
    script.now = path.times[-1]


def rest_arm(script: Script, seconds: float) -> Path:
    """A forearm rests at the border of the picture for this long. `now` does not change."""
    rng = script.rng
    script.note(f"an arm rests in view for {seconds:.0f} s")
    x0, y0, x1, y1 = script.view
    along, deep = float(rng.uniform(0.2, 0.8)), 0.5 * script.side
    across, down = x0 + along * (x1 - x0), y0 + along * (y1 - y0)
    places = [(across, y0 + deep), (across, y1 - deep), (x0 + deep, down), (x1 - deep, down)]
    x, y = places[int(rng.integers(4))]
    script.avoid.append((x, y, 5.5 * script.side))
    at = script.now + 0.5
    return script.reach("fist", [(at, x, y), (at + seconds, x, y)], script.arm_turn(x, y))


def lay_down(
    script: Script, die: Actor, face: int | None = None, spot: tuple[float, float] | None = None
) -> None:
    """A hand brings a die, puts it down gently and leaves: laid, not thrown.

    spot: a point beside the tray, where laying it down is no event.
    """
    rng = script.rng
    script.note("lay down" + (" beside the tray" if spot else ""))
    start = script.now
    x, y = spot or script.free_place()
    turn = script.arm_turn(x, y)
    at = script.now + float(rng.uniform(0.4, 0.7))
    leave = at + float(rng.uniform(0.1, 0.5))
    path = script.reach(
        "pinch" if rng.random() < 0.7 else "grasp", [(at, x, y), (leave, x, y)], turn, at - script.now
    )
    die.face, die.yaw = face or script.random_face(die), float(rng.uniform(0, 2 * np.pi))
    first = path.held(path.times[0])
    die.x, die.y = first.x, first.y
    script.carried(die, path, path.times[0], leave)
    script.now = leave
    script.lie(die, die.x, die.y, die.yaw, die.face)
    if spot:
        die.beside = True
        script.allow(start, script.now + 2.5)
    else:
        script.record(EventKind.LAID, [die], start)
    script.now = path.times[-1]


def turn(script: Script, die: Actor, face: int | None = None) -> None:
    """A hand covers a die and turns it to another face."""
    rng = script.rng
    script.note("turn by hand")
    start = script.now
    at = script.now + float(rng.uniform(0.3, 0.6))
    turned = at + float(rng.uniform(0.15, 0.5))
    leave = turned + float(rng.uniform(0.1, 0.5))
    shape: Shape = "grasp" if rng.random() < 0.6 else "pinch"
    grip = (
        die.x + float(rng.normal(0, 0.15)) * script.side,
        die.y + float(rng.normal(0, 0.15)) * script.side,
    )
    path = script.reach(
        shape, [(at, *grip), (turned, *grip), (leave, *grip)], script.arm_turn(*grip), at - script.now
    )
    to_face = face or script.random_face(die, die.face)
    begin, lasts, from_face, x, y, yaw = at + 0.05, turned - at, die.face, die.x, die.y, die.yaw
    shift = (float(rng.normal(0, 0.2)) * script.side, float(rng.normal(0, 0.2)) * script.side)

    def pose(t: float) -> Pose:
        u = float(np.clip((t - begin) / lasts, 0, 1))
        return Pose(x + shift[0] * u, y + shift[1] * u, yaw, from_face, to_face, u)

    die.die.moves.append(Move(begin, pose))
    script.now = begin + lasts
    script.lie(die, x + shift[0], y + shift[1], yaw, to_face)
    script.now = leave
    script.record(EventKind.TURNED, [die], start)
    script.now = path.times[-1]


def cover(script: Script, die: Actor | None, seconds: float | None = None) -> None:
    """A hand rests over a die, or over the tray, and leaves."""
    rng = script.rng
    script.note("cover")
    x, y = (die.x, die.y) if die is not None else script.free_place(0)
    at = script.now + float(rng.uniform(0.3, 0.6))
    leave = at + (seconds if seconds is not None else float(rng.uniform(0.4, 3.0)))
    shape: Shape = ("flat", "fist", "grasp", "cup")[int(rng.integers(4))]
    path = script.reach(shape, [(at, x, y), (leave, x, y)], script.arm_turn(x, y), at - script.now)
    script.now = path.times[-1]


def hover(script: Script, touch: bool = False) -> None:
    """A hand wanders over the tray, points at some places, and touches nothing."""
    rng = script.rng
    script.note("hover")
    way = []
    t = script.now + float(rng.uniform(0.3, 0.6))
    for _ in range(int(rng.integers(2, 5))):
        x, y = script.free_place(0)
        way.append((t, x, y))
        t += float(rng.uniform(0.25, 0.9))
    shape: Shape = ("point", "flat", "fist", "pinch")[int(rng.integers(4))]
    path = script.reach(shape, way, script.arm_turn(way[0][1], way[0][2]), way[0][0] - script.now)
    script.now = path.times[-1]
