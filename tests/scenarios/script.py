"""A script: the acts on the tray, as moves on a stage, with their ground truth.

The script knows the position and face of every die at `now`. An act moves dice and hands from `now` on, and
sets `now` to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tests.scenarios.hands import HandSprite, Person, Shape, drawn_hand
from tests.scenarios.stage import Die, Move, Overlay, Place, Pose, Stage
from tests.scenarios.truth import EventKind, Game, TrueEvent

OPPOSITE_SUM = 7
TURNING_POWER = 1.25
"""Deceleration of a tumbling die: its last quarter turn takes at most a fifth of the path, so no die balances
on its edge."""
DIE_MM = 16.0
"""Side of a common die; it sets the scale of hands."""


@dataclass(eq=False)
class Actor:
    """The state of a die in the script.

    on: it lies on the ground in view.
    beside: not on the tray.
    lost: out of reach for good.
    faces: those that it has sprites of.
    """

    die: Die
    faces: tuple[int, ...]
    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0
    face: int = 0
    on: bool = False
    beside: bool = False
    lost: bool = False

    @property
    def pose(self) -> Pose:
        return Pose(self.x, self.y, self.yaw, self.face, shown=self.on)


@dataclass(frozen=True)
class Path:
    """A path through places at given times, with zero speed at each. shake_px, phase: tremor of the hand."""

    times: tuple[float, ...]
    places: tuple[Place, ...]
    shake_px: float = 0.0
    phase: float = 0.0

    def __call__(self, t: float) -> Place | None:
        if not self.times[0] <= t <= self.times[-1]:
            return None
        i = int(np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2))
        a, b = self.places[i], self.places[i + 1]
        u = (t - self.times[i]) / max(self.times[i + 1] - self.times[i], 1e-6)
        u = u * u * (3 - 2 * u)
        dx = self.shake_px * np.sin(2 * np.pi * 2.3 * t + self.phase)
        dy = self.shake_px * np.sin(2 * np.pi * 3.1 * t + 2 * self.phase)
        return Place(
            a.x + (b.x - a.x) * u + float(dx),
            a.y + (b.y - a.y) * u + float(dy),
            a.turn + (b.turn - a.turn) * u,
        )

    def held(self, t: float) -> Place:
        """The place at this time; before and after the path, its first and last place."""
        there = self(min(max(t, self.times[0]), self.times[-1]))
        assert there is not None
        return there


@dataclass(eq=False)
class Script:
    """A stage, the dice on it, and the current time.

    area: where dice may come to rest, x0, y0, x1, y1, px.
    tray: its inner border, where one is in view.
    avoid: places with a radius where no die may rest.
    looks_at: shift of the first view in the picture.
    allowed: times in which questions, and reports of laid dice, are no faults.
    looks: names of the sets of dice.
    game: the game that is played, None for none.
    """

    stage: Stage
    rng: np.random.Generator
    actors: list[Actor]
    person: Person
    now: float = 0.0
    events: list[TrueEvent] = field(default_factory=list)
    acts: list[tuple[float, str]] = field(default_factory=list)
    hands: dict[tuple[int, Shape], HandSprite] = field(default_factory=dict)
    area: tuple[float, float, float, float] = (0, 0, 0, 0)
    tray: tuple[float, float, float, float] | None = None
    avoid: list[tuple[float, float, float]] = field(default_factory=list)
    looks_at: tuple[float, float] = (0.0, 0.0)
    allowed: list[tuple[float, float]] = field(default_factory=list)
    looks: str = ""
    game: Game | None = None
    thrown: list[tuple[int, tuple[Die, ...]]] = field(default_factory=list)
    """The index of each throw in `events`, and its dice."""

    @property
    def side(self) -> float:
        return self.stage.side

    @property
    def on_tray(self) -> list[Actor]:
        return [a for a in self.actors if a.on and not a.beside]

    @property
    def in_hand(self) -> list[Actor]:
        return [a for a in self.actors if not a.on and not a.lost]

    def note(self, act: str) -> None:
        self.acts.append((round(self.now, 2), act))

    def wait(self, low_s: float, high_s: float) -> None:
        self.now += float(self.rng.uniform(low_s, high_s))

    def record(
        self,
        kind: EventKind,
        actors: Sequence[Actor],
        start_s: float,
        may_ask: bool = False,
        must_ask: bool = False,
    ) -> None:
        """Records what was done to these dice, which are at rest now."""
        faces = tuple(sorted(a.face for a in actors))
        if kind is EventKind.THROWN:
            self.thrown.append((len(self.events), tuple(a.die for a in actors)))
        self.events.append(TrueEvent(kind, faces, start_s, self.now, may_ask, must_ask))

    def allow(self, start_s: float, end_s: float) -> None:
        """Allows questions and reports of laid dice between these times."""
        self.allowed.append((start_s, end_s))

    # --- places

    @property
    def view(self) -> tuple[float, float, float, float]:
        """The current view of the camera: x0, y0, x1, y1."""
        (w, h), (dx, dy) = self.stage.size_wh, self.looks_at
        return -dx, -dy, w - dx, h - dy

    def free_place(
        self,
        apart: float = 1.65,
        without: Sequence[Actor] = (),
        near: tuple[float, float, float] | None = None,
    ) -> tuple[float, float]:
        """A point on the tray, at least `apart` sides from every die at rest.

        near: x, y and largest distance, px.
        """
        others = [(a.x, a.y) for a in self.actors if a.on and a not in without]
        return self.free_of(others, apart, near)

    def free_of(
        self,
        others: Sequence[tuple[float, float]],
        apart: float,
        near: tuple[float, float, float] | None = None,
    ) -> tuple[float, float]:
        x0, y0, x1, y1 = self.area
        best, most = (0.0, 0.0), -1e9
        for _ in range(120):
            x, y = float(self.rng.uniform(x0, x1)), float(self.rng.uniform(y0, y1))
            if near is not None:
                angle, away = self.rng.uniform(0, 2 * np.pi), near[2] * np.sqrt(self.rng.random())
                x, y = (
                    float(np.clip(near[0] + away * np.cos(angle), x0, x1)),
                    float(np.clip(near[1] + away * np.sin(angle), y0, y1)),
                )
            gap = min((float(np.hypot(x - ox, y - oy)) for ox, oy in others), default=1e9) / self.side
            within = self.sides_within_avoided(x, y)
            if gap >= apart and within <= 0:
                return x, y
            if min(gap, apart) - 0.5 * max(within, 0) > most:
                best, most = (x, y), min(gap, apart) - 0.5 * max(within, 0)
        return best

    def sides_within_avoided(self, x: float, y: float) -> float:
        """How far a point lies within a place where no die may rest, sides; 0 or less if it does not."""
        within = (radius - float(np.hypot(x - ax, y - ay)) for ax, ay, radius in self.avoid)
        return max(within, default=0.0) / self.side

    def random_face(self, actor: Actor, other_than: int = 0) -> int:
        return int(self.rng.choice([f for f in actor.faces if f != other_than]))

    def lie(self, actor: Actor, x: float, y: float, yaw: float, face: int) -> None:
        """Puts the die to rest here from now on."""
        actor.x, actor.y, actor.yaw, actor.face, actor.on = x, y, yaw, face, True
        actor.die.rest(self.now, actor.pose)

    def taken(self, actor: Actor, at_s: float) -> None:
        """Takes the die out of view from this time on."""
        actor.on = False
        actor.die.rest(at_s, actor.pose)

    def start_with(self, count: int) -> None:
        """Puts this many dice to rest from the start."""
        for actor in self.in_hand[:count]:
            x, y = self.free_place()
            self.lie(actor, x, y, float(self.rng.uniform(0, np.pi / 2)), self.random_face(actor))

    def shifted(self, dx: float, dy: float) -> None:
        """Moves the camera: what it sees has shifted by (dx, dy) in its picture."""
        self.looks_at = (self.looks_at[0] + dx, self.looks_at[1] + dy)
        if self.tray is None:
            x0, y0, x1, y1 = self.area
            self.area = (x0 - dx, y0 - dy, x1 - dx, y1 - dy)

    # --- hands

    def hand(self, shape: Shape) -> HandSprite:
        key = (self.person.seed, shape)
        if key not in self.hands:
            self.hands[key] = drawn_hand(self.person, shape, self.side / DIE_MM)
        return self.hands[key]

    def arm_turn(self, x: float, y: float) -> float:
        """Rotation of a hand from the nearer part of a border, rad. At 0 its arm points down."""
        x0, y0, x1, y1 = self.view
        away = np.array([(x - x0) / (x1 - x0), (y - y0) / (y1 - y0)]) - 0.5 + self.rng.normal(0, 0.35, 2)
        angle = (
            float(np.arctan2(away[1], away[0]))
            if np.hypot(*away) > 0.05
            else float(self.rng.uniform(0, 2 * np.pi))
        )
        return angle - np.pi / 2

    def outside(self, x: float, y: float, turn: float) -> tuple[float, float]:
        """The place outside the picture from which a hand comes that grips here."""
        direction = np.array([-np.sin(turn), np.cos(turn)])
        x0, y0, x1, y1 = self.view
        far = 0.0
        reach = self.side / DIE_MM * 80 * self.person.size
        while (
            x0 - reach < x + far * direction[0] < x1 + reach
            and y0 - reach < y + far * direction[1] < y1 + reach
        ):
            far += self.side / 4
        return float(x + far * direction[0]), float(y + far * direction[1])

    def reach(
        self,
        shape: Shape,
        way: Sequence[tuple[float, float, float]],
        turn: float,
        come_s: float = 0.4,
        go_s: float = 0.35,
    ) -> Path:
        """The path of a hand that comes in, follows `way` and leaves. way: (time, x, y) from arrival on."""
        first, last = way[0], way[-1]
        from_x, from_y = self.outside(first[1], first[2], turn)
        to_x, to_y = self.outside(last[1], last[2], turn)
        wiggle = float(self.rng.normal(0, 0.12))
        times = (first[0] - come_s, *(step[0] for step in way), last[0] + go_s)
        places = (
            Place(from_x, from_y, turn + wiggle),
            *(Place(x, y, turn) for _, x, y in way),
            Place(to_x, to_y, turn - wiggle),
        )
        path = Path(
            times, places, float(self.rng.uniform(0.1, 0.8)) * self.side / 45, float(self.rng.uniform(0, 6))
        )
        self.show(self.hand(shape), path)
        return path

    def show(self, sprite: HandSprite, place: Callable[[float], Place | None]) -> None:
        light = self.stage.light_xy
        shadow = (light[0] * self.side * 4, light[1] * self.side * 4)
        self.stage.overlays.append(
            Overlay(sprite.bgra, sprite.shade, sprite.grip_xy, place, shadow_xy=shadow, is_hand=True)
        )

    # --- dice in motion

    def carried(
        self, actor: Actor, path: Path, from_s: float, to_s: float, shown: bool = True, turn_by: float = 0.0
    ) -> None:
        """The die stays in the hand between these times; then it lies where it is left, if it is shown."""
        start, x0, y0, yaw0, face = path.held(from_s), actor.x, actor.y, actor.yaw, actor.face

        def pose(t: float) -> Pose:
            there = path.held(min(t, to_s))
            swing = there.turn - start.turn
            c, s = np.cos(swing), np.sin(swing)
            dx, dy = x0 - start.x, y0 - start.y
            u = np.clip((t - from_s) / max(to_s - from_s, 1e-6), 0, 1)
            return Pose(
                float(there.x + c * dx - s * dy),
                float(there.y + s * dx + c * dy),
                float(yaw0 + swing + turn_by * u),
                face,
                shown=shown,
            )

        actor.die.moves.append(Move(from_s, pose))
        end = pose(to_s)
        actor.x, actor.y, actor.yaw = end.x, end.y, end.yaw
        actor.on = shown

    def glide(
        self,
        actor: Actor,
        at_s: float,
        to: tuple[float, float],
        lasts_s: float,
        turn_by: float = 0.0,
        power: float = 2.0,
    ) -> float:
        """The time of rest of a die that slides on and slows down with its face unchanged."""
        x0, y0, yaw0, face = actor.x, actor.y, actor.yaw, actor.face

        def pose(t: float) -> Pose:
            u = 1 - (1 - float(np.clip((t - at_s) / lasts_s, 0, 1))) ** power
            return Pose(x0 + (to[0] - x0) * u, y0 + (to[1] - y0) * u, yaw0 + turn_by * u, face)

        actor.die.moves.append(Move(at_s, pose))
        actor.x, actor.y, actor.yaw = to[0], to[1], yaw0 + turn_by
        actor.die.rest(at_s + lasts_s, actor.pose)
        return at_s + lasts_s

    def tumble(
        self,
        actor: Actor,
        at_s: float,
        start: tuple[float, float],
        to: tuple[float, float],
        face: int,
        lasts_s: float,
        straight: bool = False,
        ends_at: float = 0.0,
    ) -> float:
        """The time of rest of a die that comes down at `start`, tumbles, slows down and ends with `face` up.

        ends_at: height of what it comes to rest on, sides.
        """
        rng = self.rng
        far = float(np.hypot(to[0] - start[0], to[1] - start[1])) / self.side
        quarters = max(3, round(min(far, 16) * float(rng.uniform(0.55, 0.95))))
        way = Tumbling(
            at_s, lasts_s, start, to, tuple(self._faces_to(actor, face, quarters)),
            yaw=float(rng.uniform(0, 2 * np.pi)),
            spin=float(rng.normal(0, 2.2)),
            bend=0.0 if straight else float(rng.normal(0, 0.1)),
            power=float(rng.uniform(1.7, 2.6)),
            drop=float(rng.uniform(0.8, 2.2)),
            bounces=int(rng.integers(2, 5)),
            rolls=float(rng.uniform(0.62, 0.96)),
            ends_at=ends_at,
        )  # fmt: skip
        actor.die.moves.append(Move(at_s, way))
        end = way(at_s + lasts_s)
        actor.x, actor.y, actor.yaw, actor.face, actor.on = end.x, end.y, end.yaw, face, True
        actor.die.rest(at_s + lasts_s, replace(actor.pose, height=ends_at))
        return at_s + lasts_s

    def topple(self, actor: Actor, at_s: float, to: tuple[float, float], face: int, lasts_s: float) -> float:
        """The time of rest of a die that is pushed and tips onto another face."""
        x0, y0, yaw, first = actor.x, actor.y, actor.yaw, actor.face

        def pose(t: float) -> Pose:
            u = float(np.clip((t - at_s) / lasts_s, 0, 1))
            gone = 1 - (1 - u) ** 2
            return Pose(x0 + (to[0] - x0) * gone, y0 + (to[1] - y0) * gone, yaw, first, face, smooth(u))

        actor.die.moves.append(Move(at_s, pose))
        actor.x, actor.y, actor.face = to[0], to[1], face
        actor.die.rest(at_s + lasts_s, actor.pose)
        return at_s + lasts_s

    def to_front(self, actor: Actor) -> None:
        """Draws the die over all others."""
        self.stage.dice.remove(actor.die)
        self.stage.dice.append(actor.die)

    def _faces_to(self, actor: Actor, face: int, quarters: int) -> list[int]:
        """quarters + 1 faces, each adjacent to the one before, the last one `face`."""
        faces = [face]
        for _ in range(quarters):
            beside = [f for f in actor.faces if f not in (faces[-1], OPPOSITE_SUM - faces[-1])]
            faces.append(int(self.rng.choice(beside or [f for f in actor.faces if f != faces[-1]])))
        return faces[::-1]


@dataclass(frozen=True)
class Tumbling:
    """The movement of a thrown die: it bounces, slows down, and makes a quarter turn between two faces."""

    at_s: float
    lasts_s: float
    start: tuple[float, float]
    to: tuple[float, float]
    faces: tuple[int, ...]
    yaw: float
    spin: float
    bend: float
    power: float
    drop: float
    bounces: int
    rolls: float
    ends_at: float = 0.0

    def __call__(self, t: float) -> Pose:
        u = float(np.clip((t - self.at_s) / self.lasts_s, 0, 1))
        gone = 1 - (1 - u) ** self.power
        dx, dy = self.to[0] - self.start[0], self.to[1] - self.start[1]
        aside = self.bend * gone * (1 - gone) * 4
        rolled = min(u / self.rolls, 1.0)
        turned = (1 - (1 - rolled) ** TURNING_POWER) * (len(self.faces) - 1)
        k = min(int(turned), len(self.faces) - 2)
        part = min(turned - k, 1.0)
        part = part * part * (3 - 2 * part)
        height = self.drop * (1 - gone) ** 1.5 * abs(float(np.cos(np.pi * self.bounces * gone)))
        height += self.ends_at * gone
        return Pose(
            self.start[0] + dx * gone - dy * aside,
            self.start[1] + dy * gone + dx * aside,
            self.yaw + self.spin * (1 - u) ** 2,
            self.faces[k],
            self.faces[k + 1],
            part,
            height,
        )


def smooth(u: float) -> float:
    return u * u * (3 - 2 * u)
