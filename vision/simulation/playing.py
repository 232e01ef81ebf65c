"""SimulatedHand: a queue of acts of the simulated hand, and their true outcomes.

Every act is simulated when it is requested, from the state of the dice after the acts before it. The frames
show it when its turn comes.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from table.common.colours import COLOURS
from table.common.errors import BrehonError
from vision.simulation import handling, passing
from vision.simulation.acting import (
    FRONT_RAD,
    Act,
    DieOutcome,
    FrameState,
    Stage,
    StickOutcome,
    pick_up,
)
from vision.simulation.coin_faces import FACES as COIN_FACES
from vision.simulation.coin_lessons import thrown_coin
from vision.simulation.cups import MOST_UNDER_CUP, Cup, lift_cup, pushed_out, thrown_under_cup
from vision.simulation.dice import SimDie, body_of
from vision.simulation.hand import SKINS, SLEEVES, Person, prerender_hands
from vision.simulation.scene import DieStyle, Scene
from vision.simulation.solids import Solid
from vision.simulation.sticks import FLAT_FACES, STICK_LOOKS, SimStick, points_along, stick_body
from vision.simulation.things import SIZES_MM, Thing
from vision.simulation.throwing import throw_dice, throw_sticks
from vision.simulation.towers import CAREFUL_OFFSET_SIDES, base_of, next_place, put_on_tower
from vision.simulation.view import Floats
from vision.tracking.tracks import TrackOutcome

MAX_DICE = 24
"""Maximum number of dice that fit flat side by side in the simulated tray when they are thrown."""

MAX_LAID = 36
"""The same, when a hand lays one after another where there is most room."""

MAX_STICKS = 8
"""Maximum number of sticks that are thrown into the simulated tray."""

BUMP_PX = 45.0
"""Largest shift of the camera by a random bump, from where it was set up."""

MAX_BUMP_PX = 150.0
"""Maximum shift of the camera by any bumps: farther on it no longer shows the tray."""

POINTS_TRIED, MORE_TRIED = 6, 400
"""Number of random points of which a free one for a die is chosen."""
ROOM_SIDES = 1.45
"""Minimum distance between the centres of a die laid down and another die, in sides."""

CUP_ROOM_MM = 30.0
"""Distance along each axis from the middle of the tray at which a cup is lifted, at most."""

EMPTY_S = 1.0
"""Time between the dice that are taken away and a cup that is lifted, s. The camera sees an empty tray, and
takes the new dice for new ones."""

COVER_S, SLEEVE_S = 1.5, 2.5
"""Default time that a hand rests over the dice, and an arm on the tray."""

SWAY_RAD = np.pi / 9
"""An arm comes straight, or at this angle from the left or the right."""

NEW_DIE_OUTCOMES = (TrackOutcome.THROWN, TrackOutcome.PLACED)
"""A die with one of these outcomes gets a new id, because nobody can tell it from another die."""


class ActImpossible(BrehonError, ValueError):
    """A request that no hand can carry out."""


@dataclass(frozen=True)
class LyingDie:
    """A die on the simulated tray: x, y px of the frames, and its colour.

    Its face has to be read from the frames. id: constant until the die is thrown or laid down. base: the id
    of the die on the floor that it stands on, which may be itself. level: number of dice below it. floor_mm:
    its place.
    """

    x: float
    y: float
    colour: str
    id: int = 0
    base: int = 0
    level: int = 0
    floor_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class LyingStick:
    """A stick on the simulated tray: x, y px of the frames. Its face has to be read from the frames."""

    x: float
    y: float


@dataclass(frozen=True)
class CompletedAct:
    """The ground truth of one act, for tests and scenarios. The table never uses it.

    name: of the act.
    from_s, to_s: when the frames showed it, on the camera's clock.
    dice: every die present before or after the act.
    ids: of these dice, in the same order; a die that is thrown or laid down has a new id.
    sticks: every stick present before or after the act.
    """

    name: str
    from_s: float
    to_s: float
    dice: tuple[DieOutcome, ...]
    ids: tuple[int, ...]
    sticks: tuple[StickOutcome, ...] = ()

    def ids_with_outcome(self, *outcomes: str) -> tuple[int, ...]:
        """The ids of the dice with one of these outcomes."""
        return tuple(i for i, die in zip(self.ids, self.dice, strict=True) if die.outcome in outcomes)


@dataclass(eq=False)
class _Queued:
    """An act in the queue; begun_s is None before its first frame."""

    act: Act
    ids: tuple[int, ...]
    begun_s: float | None = None


class SimulatedHand:
    """A hand over a simulated tray. All methods return at once and are thread-safe.

    Methods that request an act raise ActImpossible where no hand can carry it out.
    """

    def __init__(
        self,
        scene: Scene,
        size_wh: tuple[int, int],
        fps: float,
        rng: np.random.Generator,
        lying: Sequence[SimDie] = (),
        looks: Mapping[str, DieStyle] | None = None,
        sticks: Sequence[SimStick] = (),
    ) -> None:
        self.scene, self.size_wh, self.fps = scene, size_wh, fps
        self._looks = dict(looks or {})
        self._rng = rng
        self._plan_lock = threading.RLock()  # held while an act is simulated
        self._lock = threading.Lock()  # held for moments, also while frames are rendered
        self._acts: deque[_Queued] = deque()
        self._next_act_s = 0.0  # on the camera's clock; no act begins before
        self._done: list[CompletedAct] = []
        self._lying, self._ids = tuple(lying), tuple(range(1, len(lying) + 1))
        self._next_id = len(lying) + 1
        self._things: tuple[Thing, ...] = ()
        self._sticks = tuple(sticks)
        self._cups: dict[str, Cup] = {}
        self.bases: tuple[int, ...] = ()  # ids of the dice at the foot of each tower
        self._aim_px = scene.aim_px
        self._person, self._from_rad = Person(), FRONT_RAD
        self._state = FrameState(self._lying, aim_px=self._aim_px, sticks=self._sticks)

    # -- state

    def lay(self) -> tuple[LyingDie, ...]:
        """The dice on and beside the tray after all queued acts: those that stayed, then new ones."""
        with self._plan_lock:
            stage, lying, ids = self._stage(), self._lying, self._ids
        points = _centres_px(stage, [body_of(die, self.scene) for die in lying])
        bases = [ids[base_of(n, lying, self.scene)] for n in range(len(lying))]
        levels = [round(max(die.raised_mm, 0) / self.scene.die_mm) for die in lying]
        return tuple(
            LyingDie(float(x), float(y), die.colour, i, base, level, (die.x_mm, die.y_mm))
            for (x, y), die, i, base, level in zip(points, lying, ids, bases, levels, strict=True)
        )

    def lay_sticks(self) -> tuple[LyingStick, ...]:
        """The sticks on and beside the tray after all queued acts."""
        with self._plan_lock:
            stage = self._stage()
        points = _centres_px(stage, [stick_body(stick) for stick in stage.sticks])
        return tuple(LyingStick(float(x), float(y)) for x, y in points)

    @property
    def resting(self) -> bool:
        """True when the queue is empty and every die is at rest."""
        with self._lock:
            return not self._acts

    def answer_key(self) -> tuple[SimDie, ...]:
        """The true dice, in the order of `lay`: ground truth for tests and the benchmark.

        The table never uses it.
        """
        with self._plan_lock:
            return self._lying

    def answer_sticks(self) -> tuple[SimStick, ...]:
        """The true sticks, in the order of `lay_sticks`; as `answer_key`."""
        with self._plan_lock:
            return self._sticks

    def answer_ids(self) -> tuple[int, ...]:
        """The ids of the dice, in the order of `lay`."""
        with self._plan_lock:
            return self._ids

    def answer_log(self) -> tuple[CompletedAct, ...]:
        """Every completed act."""
        with self._lock:
            return tuple(self._done)

    # -- throwing and picking up

    def throw(self, colours: Sequence[str], leaving: Sequence[int] = (), careful: bool = True) -> None:
        """Picks up every die except `leaving` (indices in `lay`), and throws dice of exactly these colours.

        Sticks are picked up too, and kept.

        careful: the hand avoids throws that hit lying dice or leave the tray, where it can; otherwise it does
            not.
        """
        with self._plan_lock:
            still_lying = self._checked_places(leaving, "leave")
            self._check_throw(colours, [self._lying[i] for i in still_lying])
            self._pick_up([i for i in range(len(self._lying)) if i not in still_lying], with_sticks=True)
            dice = [SimDie(1, colour, 0, 0, look=self._looks.get(colour)) for colour in colours]
            self._enqueue(lambda stage: throw_dice(stage, dice, careful))

    def throw_sticks(self, sticks: Sequence[Sequence[str]], careful: bool = True) -> None:
        """Picks up every die and stick, and throws sticks with these faces, such as ("round", "dog").

        Those with the faces "heads" and "tails" are coins.

        careful: the hand avoids throws after which a stick leans on the rim or lies beside the tray.
        """
        with self._plan_lock:
            thrown = [_stick(faces, n) for n, faces in enumerate(sticks)]
            if not 0 < len(thrown) <= MAX_STICKS:
                raise ActImpossible(f"{len(thrown)} sticks cannot be thrown: 1 to {MAX_STICKS}")
            self.clear()
            self._enqueue(lambda stage: throw_sticks(stage, thrown, careful))

    def throw_under_cup(self, cup: str, by: str, colours: Sequence[str]) -> None:
        """Picks up every die and stick, and throws dice of these colours under a cup, out of view.

        cup: its name. by: who throws. Dice that lay under it before are gone.
        """
        with self._plan_lock:
            self._check_throw(colours, ())
            if len(colours) > MOST_UNDER_CUP:
                raise ActImpossible(f"{len(colours)} dice do not fit under a cup: {MOST_UNDER_CUP} do")
            self.clear()
            self._cups[cup] = thrown_under_cup(self._rng, by, colours)

    def under_cup(self, cup: str) -> Cup | None:
        """The cup of this name, with its dice; None if nobody has thrown under it."""
        with self._plan_lock:
            return self._cups.get(cup)

    def lift_cup(
        self, cup: str, colours: Sequence[str], chosen: Sequence[int] = (), any_colour: bool = False
    ) -> None:
        """Picks up every die and stick, and shows as many dice of this cup on the tray, as they lie under it.

        chosen: the faces of those to show, if only some are. any_colour: whether the dice that lie under it
            may have other colours; they are another player's if the cup goes round.

        If not so many dice of these colours are under it, they are thrown under it first. The same dice are
        shown if it is lifted again.
        """
        with self._plan_lock:
            under = self._cups.get(cup)
            if under is None or not _holds(under, colours, any_colour):
                self.throw_under_cup(cup, under.by if under else "", colours)
                under = self._cups[cup]
            if self._lying or self._sticks:
                self.clear()
                self.wait(EMPTY_S)
            shown = pushed_out(under, len(colours), chosen)
            dice = [replace(die, look=self._looks.get(die.colour)) for die in shown]
            at_mm = self._rng.uniform(-CUP_ROOM_MM, CUP_ROOM_MM, 2)
            self._enqueue(lambda stage: lift_cup(stage, dice, at_mm))

    def clear(self) -> None:
        """Picks up every die and every stick."""
        with self._plan_lock:
            self._pick_up(range(len(self._lying)), with_sticks=True)

    def pick_up(self, places: Sequence[int]) -> None:
        """Picks up these dice (indices in `lay`), and keeps them."""
        with self._plan_lock:
            self._pick_up(self._checked_places(places, "pick up"), with_sticks=False)

    def _pick_up(self, dice: Sequence[int], with_sticks: bool) -> None:
        sticks = range(len(self._sticks)) if with_sticks else ()
        if dice or sticks:
            self._enqueue(lambda stage: pick_up(stage, dice, sticks))

    # -- moving dice, and mishaps

    def slide(self, place: int, to_mm: tuple[float, float] | None = None) -> None:
        """A finger slides this die to a point, mm right and up of the tray's centre. None: a free point."""
        self._handle(
            place, "push", lambda stage: handling.slide(stage, place, to_mm or self._free_point(place))
        )

    def put_on(self, place: int, on: int) -> None:
        """Two fingers put this die on that one, with its face up."""
        self._handle(on, "put a die on", lambda stage: self._put_on(stage, place, on))

    def _put_on(self, stage: Stage, place: int, on: int) -> Act:
        self._checked_places([place], "pick up")
        top, yaw_rad = stage.lying[on], float(self._rng.uniform(0, 2 * np.pi))
        at_mm = next_place(self._rng, top, self.scene, CAREFUL_OFFSET_SIDES)
        return put_on_tower(stage, place, top, at_mm, yaw_rad)

    def push_stick(self, place: int) -> None:
        """A finger pushes this stick (index in `lay_sticks`) sideways."""
        with self._plan_lock:
            if not 0 <= place < len(self._sticks):
                raise ActImpossible(
                    f"there is no stick {place} to push: {len(self._sticks)} lie on the tray, counted from 0"
                )
            self._enqueue(lambda stage: handling.push_stick(stage, place))

    def tidy(self) -> None:
        """Pulls all dice together."""
        with self._plan_lock:
            self._checked_places(range(max(len(self._lying), 1)), "tidy")
            self._enqueue(handling.tidy)

    def knock(self, place: int, towards_rad: float | None = None) -> None:
        """A passing finger hits this die; None takes a random direction."""
        self._handle(place, "knock", lambda stage: handling.knock(stage, place, towards_rad))

    def flick(self, place: int, towards_rad: float | None = None) -> None:
        """A finger hits this die hard; it may tumble or leave the tray."""
        self._handle(place, "flick", lambda stage: handling.flick(stage, place, towards_rad))

    def tip(self, place: int) -> None:
        """This die tips over its edge without a hand."""
        self._handle(place, "tip over", lambda stage: handling.tip(stage, place))

    def turn(self, place: int, face: int | None = None) -> None:
        """Two fingers turn this die in place to another face, or to this one."""
        self._handle(
            place,
            "turn",
            lambda stage: handling.turn(stage, place, _face(face) if face is not None else None),
        )

    def turn_back(self) -> bool:
        """Two fingers turn each die back that a hand turned, to its earlier face. False: there is none."""
        with self._plan_lock:
            faces = self._faces_before_turns()
            places = [
                place
                for place, (die, i) in enumerate(zip(self._lying, self._ids, strict=True))
                if faces.get(i, die.face) != die.face
            ]
            for place in places:
                self.turn(place, faces[self._ids[place]])
            return bool(places)

    def _faces_before_turns(self) -> dict[int, int]:
        """The faces that dice showed before a hand first turned them, by id."""
        faces: dict[int, int] = {}
        for act in self.answer_log():
            for i, die in zip(act.ids, act.dice, strict=True):
                if die.outcome is TrackOutcome.TURNED and die.before is not None:
                    faces.setdefault(i, die.before.face)
        return faces

    def lay_down(
        self, face: int, colour: str, at_mm: tuple[float, float] | None = None, yaw_rad: float | None = None
    ) -> None:
        """Two fingers lay down one more die with this face up; None takes a random free point in the tray.

        The point may also lie on the table beside the tray.
        """
        with self._plan_lock:
            self._check_throw([colour], self._lying, MAX_LAID)
            at_mm = at_mm or self._free_point()
            yaw = float(self._rng.uniform(0, 2 * np.pi)) if yaw_rad is None else yaw_rad
            die = SimDie(_face(face), colour, *at_mm, yaw, look=self._looks.get(colour))
            self._check_free(at_mm, ROOM_SIDES * self.scene.die_mm)
            self._enqueue(lambda stage: handling.lay_down(stage, die))

    def lay_again(self, place: int) -> None:
        """Picks this die up, wherever it lies, and lays it down at a free point with the same face up."""
        die = self.answer_key()[self._checked_places([place], "lay down")[0]]
        self.pick_up([place])
        self.lay_down(die.face, die.colour)

    def cover(self, seconds: float = COVER_S, at_mm: tuple[float, float] | None = None) -> None:
        """A flat hand rests over the dice, or over this point, for this long."""
        with self._plan_lock:
            point = at_mm or tuple(np.mean([(d.x_mm, d.y_mm) for d in self._lying] or [(0.0, 0.0)], axis=0))
            self._enqueue(lambda stage: passing.cover(stage, point, seconds))

    def rest_sleeve(self, seconds: float = SLEEVE_S) -> None:
        """An arm rests across a corner of the tray for this long."""
        with self._plan_lock:
            self._enqueue(lambda stage: passing.rest_sleeve(stage, seconds))

    def reach_across(self) -> None:
        """An arm reaches over the tray and back."""
        with self._plan_lock:
            self._enqueue(passing.reach_across)

    def bump(self, right_px: float | None = None, down_px: float = 0.0) -> None:
        """A bump of the camera: the picture shifts by this much (None: at random), and oscillates."""
        with self._plan_lock:
            if right_px is None:
                right_px, down_px = (float(v) for v in self._rng.uniform(-BUMP_PX, BUMP_PX, 2) - self._aim_px)
            x, y = self._aim_px[0] + right_px, self._aim_px[1] + down_px
            if max(abs(x), abs(y)) > MAX_BUMP_PX:
                aim = f"{x:.0f}, {y:.0f} px"
                raise ActImpossible(
                    f"the camera would look {aim} beside the tray; {MAX_BUMP_PX:.0f} is the most"
                )
            self._enqueue(lambda stage: passing.bump(stage, (right_px, down_px)))

    def put_down(self, thing: Thing) -> None:
        """A hand brings a thing and leaves it."""
        with self._plan_lock:
            if thing.kind not in SIZES_MM:
                raise ActImpossible(
                    f"there is no {thing.kind!r} to put down; there are {', '.join(SIZES_MM)}"
                )
            self._check_free((thing.x_mm, thing.y_mm), float(np.hypot(*thing.size_mm[:2])) / 2)
            self._enqueue(lambda stage: passing.put_down(stage, thing))

    def take_away(self, place: int = 0) -> None:
        """A hand takes away the thing with this index."""
        with self._plan_lock:
            if not 0 <= place < len(self._things):
                raise ActImpossible(
                    f"there is no thing {place} to take away: {len(self._things)} stand about, counted from 0"
                )
            self._enqueue(lambda stage: passing.take_away(stage, place))

    def wait(self, seconds: float) -> None:
        """Does nothing for this long."""
        with self._plan_lock:
            self._enqueue(lambda stage: passing.wait(stage, seconds))

    def set_person(self, from_front_rad: float = 0.0, skin: int = 0, sleeve: int = 0) -> None:
        """Makes the hand another person's.

        from_front_rad: side that the arm comes from, counterclockwise from the front of the tray.
        skin, sleeve: indices into SKINS and SLEEVES of vision.simulation.hand.
        """
        with self._plan_lock:
            self._person = Person(skin % len(SKINS), sleeve % len(SLEEVES))
            self._from_rad = FRONT_RAD + from_front_rad

    # -- planning and showing acts

    def _stage(self, sway: float = 0.0) -> Stage:
        return Stage(
            self.scene,
            self.size_wh,
            self.fps,
            self._rng,
            self._lying,
            self._person,
            self._from_rad + sway,
            self._things,
            self._aim_px,
            self._sticks,
        )

    def _handle(self, place: int, verb: str, act: Callable[[Stage], Act]) -> None:
        with self._plan_lock:
            self._checked_places([place], verb)
            self._enqueue(act)

    def _enqueue(self, plan: Callable[[Stage], Act]) -> None:
        """Simulates the act and queues it."""
        act = plan(self._stage(SWAY_RAD * int(self._rng.integers(-1, 2))))
        prerender_hands(replace(self.scene, aim_px=(0.0, 0.0)), self.size_wh, act.hands)
        with self._lock:
            ids = tuple(self._id_of(outcome) for outcome in act.outcomes)
            self._ids = tuple(i for i, outcome in zip(ids, act.outcomes, strict=True) if outcome.after)
            self._lying, self._things, self._aim_px = act.lying, act.things, act.aim_px
            self._sticks = act.sticks
            self._acts.append(_Queued(act, ids))

    def _id_of(self, outcome: DieOutcome) -> int:
        if outcome.index is not None and outcome.outcome not in NEW_DIE_OUTCOMES:
            return self._ids[outcome.index]
        self._next_id += 1
        return self._next_id - 1

    def _advance(self, at_s: float, steps: int) -> FrameState:
        """The state this many frames later, at this time of the camera's clock."""
        with self._lock:
            for _ in range(steps):
                state = self._next_state(at_s)
                if state is None:
                    self._state = FrameState(
                        self._lying, things=self._things, aim_px=self._aim_px, sticks=self._sticks
                    )
                    break
                self._state = state
            return self._state

    def _next_state(self, at_s: float) -> FrameState | None:
        while self._acts:
            queued = self._acts[0]
            if queued.begun_s is None and at_s < self._next_act_s:
                return self._state
            queued.begun_s = at_s if queued.begun_s is None else queued.begun_s
            state = next(queued.act.frame_states, None)
            if state is not None:
                return state
            self._acts.popleft()
            act = queued.act
            self._done.append(
                CompletedAct(act.name, queued.begun_s, at_s, act.outcomes, queued.ids, act.stick_outcomes)
            )
        return None

    def _checked_places(self, places: Sequence[int], verb: str) -> list[int]:
        n = len(self._lying)
        unknown = [i for i in places if not 0 <= i < n]
        if unknown:
            raise ActImpossible(
                f"there is no die {unknown[0]} to {verb}: {n} lie on the tray, counted from 0"
            )
        return sorted(set(places))

    def _check_throw(self, colours: Sequence[str], staying: Sequence[SimDie], most: int = MAX_DICE) -> None:
        """Raises ActImpossible for unknown colours, and where these dice leave no room on the floor."""
        unknown = [c for c in colours if c not in COLOURS]
        if unknown:
            raise ActImpossible(f"there are no {unknown[0]!r} dice; the colours are {', '.join(COLOURS)}")
        if not colours:
            raise ActImpossible("nothing to throw: name the colour of at least one die")
        on_floor = len(colours) + sum(not die.raised_mm for die in staying)
        if on_floor > most:
            raise ActImpossible(f"{on_floor} dice are too many: the simulated tray holds {most}")

    def _free_point(self, except_place: int | None = None) -> tuple[float, float]:
        """A point in the tray for a die, mm: of POINTS_TRIED random ones the one farthest from all else.

        Where none of them is free, of MORE_TRIED others.
        """
        half = np.array(self.scene.tray_mm) / 2 - self.scene.die_mm
        others = [(d.x_mm, d.y_mm) for i, d in enumerate(self._lying) if i != except_place]
        others += [(x, y) for stick in self._sticks for x, y in points_along(stick)]
        others_xy = np.array(others).reshape(-1, 2)
        best, clearance = half, 0.0
        for tried in (POINTS_TRIED, MORE_TRIED):
            points = self._rng.uniform(-half, half, (tried, 2))
            clearances = [np.linalg.norm(others_xy - point, axis=1).min(initial=1e3) for point in points]
            best, clearance = points[int(np.argmax(clearances))], max(clearances)
            if clearance >= ROOM_SIDES * self.scene.die_mm:
                break
        return float(best[0]), float(best[1])

    def _check_free(self, at_mm: tuple[float, float], room_mm: float) -> None:
        x_mm, y_mm = at_mm
        distances_mm = [np.hypot(die.x_mm - x_mm, die.y_mm - y_mm) for die in self._lying]
        blocking = [i for i, distance_mm in enumerate(distances_mm) if distance_mm < room_mm]
        if blocking:
            point = f"{x_mm:.0f}, {y_mm:.0f} mm"
            raise ActImpossible(f"die {blocking[0]} lies where that should go, {point}; find a free place")
        for i, stick in enumerate(self._sticks):
            if np.hypot(*(points_along(stick) - at_mm).T).min() < room_mm:
                raise ActImpossible(f"stick {i} lies where that should go; find a free place")


def _stick(faces: Sequence[str], n: int) -> SimStick:
    """The stick with these two faces, in either order; the n-th coin if these are its sides."""
    if set(faces) == set(COIN_FACES):
        return thrown_coin(n)
    back = next((face for face in faces if face in STICK_LOOKS), "")
    flat = next((face for face in faces if face in FLAT_FACES), "")
    if len(faces) != 2 or not back or not flat:
        raise ActImpossible(
            f"there is no stick with the faces {' and '.join(faces)}: one is {' or '.join(STICK_LOOKS)}, "
            f"the other {', '.join(FLAT_FACES)}"
        )
    return SimStick(flat, back)


def _holds(cup: Cup, colours: Sequence[str], any_colour: bool) -> bool:
    """Whether so many dice, of these colours unless any will do, lie under the cup."""
    if any_colour:
        return len(cup.dice) >= len(colours)
    return not Counter(colours) - Counter(die.colour for die in cup.dice)


def _centres_px(stage: Stage, solids: Sequence[Solid]) -> Floats:
    """(n, 2) px of the frames: the centres of these solids."""
    return stage.view.project(np.array([solid.centre for solid in solids]).reshape(-1, 3))


def _face(face: int) -> int:
    if face not in range(1, 7):
        raise ActImpossible(f"a die has no face {face}: 1 to 6")
    return face
