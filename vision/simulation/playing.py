"""Playing: what is told to the simulated hand, one act after another, and what really came of it.

Every act is worked out when it is told, from how the dice lie after the acts before it; the frames then show it when its turn comes.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from table.common.colours import COLOURS
from table.common.errors import BrehonError
from vision.simulation import handling, passing
from vision.simulation.acting import FRONT_RAD, Act, Fated, Pose, Stage, picked_up
from vision.simulation.dice import SimDie, body_of
from vision.simulation.hand import SKINS, SLEEVES, Person, prepared
from vision.simulation.scene import DieStyle, Scene
from vision.simulation.things import SIZES_MM, Thing
from vision.simulation.throwing import thrown
from vision.tracks import Fate

MAX_DICE = 24
"""More do not find room to lie flat side by side in the simulated tray."""

BUMP_PX = 45.0
"""How far from where it was set up the camera looks at most after a bump, unless told."""

MAX_BUMP_PX = 150.0
"""A camera bumped further looks elsewhere."""

SPOTS_TRIED = 6
ROOM_SIDES = 1.45
"""A die is laid down no nearer to another, middle to middle, in sides."""

COVER_S, SLEEVE_S = 1.5, 2.5
"""How long a hand rests over the dice, and an arm on the tray, unless told."""

SWAY_RAD = np.pi / 9
"""An arm comes straight, or this much from the left or from the right."""

NEW_FATES = (Fate.THROWN, Fate.LAID)
"""A die that came so is another one than lay there before, for all that anybody can know."""


class HandCannot(BrehonError, ValueError):
    """Something asked of the simulated hand that no hand could do."""


@dataclass(frozen=True)
class Lain:
    """A die somewhere on the simulated tray: x, y px of the frames, and its colour. What it shows is for the eyes to read."""

    x: float
    y: float
    colour: str


@dataclass(frozen=True)
class Done:
    """What one act of the hand really did, for tests and scenarios to judge by; the table never asks.

    name: of the act. from_s, to_s: when it was to be seen, on the camera's clock. dice: every die that was there or came;
    ids: who they are, in the order of `dice`; a die that is thrown or laid down has a new one.
    """

    name: str
    from_s: float
    to_s: float
    dice: tuple[Fated, ...]
    ids: tuple[int, ...]

    def came_by(self, *fates: str) -> tuple[int, ...]:
        """The ids of the dice with one of these fates."""
        return tuple(i for i, die in zip(self.ids, self.dice, strict=True) if die.fate in fates)


@dataclass(eq=False)
class _Queued:
    """An act that waits or is being played; begun_s is None before its first frame."""

    act: Act
    ids: tuple[int, ...]
    begun_s: float | None = None


class Playing:
    """The simulated hand. Everything returns at once, and may be called from any thread; HandCannot: no hand could do it."""

    def __init__(
        self,
        scene: Scene,
        size_wh: tuple[int, int],
        fps: float,
        rng: np.random.Generator,
        lying: Sequence[SimDie] = (),
        looks: Mapping[str, DieStyle] | None = None,
    ) -> None:
        self.scene, self.size_wh, self.fps = scene, size_wh, fps
        self._looks = dict(looks or {})
        self._rng = rng
        self._telling = threading.RLock()  # held while an act is worked out
        self._lock = threading.Lock()  # held for moments, by whoever draws frames too
        self._acts: deque[_Queued] = deque()
        self._done: list[Done] = []
        self._lying, self._ids = tuple(lying), tuple(range(1, len(lying) + 1))
        self._next_id = len(lying) + 1
        self._things: tuple[Thing, ...] = ()
        self._aim_px = scene.aim_px
        self._person, self._from_rad = Person(), FRONT_RAD
        self._pose = Pose(self._lying, aim_px=self._aim_px)

    # -- what there is

    def lay(self) -> tuple[Lain, ...]:
        """The dice on the tray and beside it once the hand has done all it was told to: kept ones first, then new ones as named."""
        with self._telling:
            stage, lying = self._stage(), self._lying
        middles = np.array([body_of(die, self.scene).centre for die in lying]).reshape(-1, 3)
        spots = stage.view.project(middles)
        return tuple(Lain(float(x), float(y), die.colour) for (x, y), die in zip(spots, lying, strict=True))

    @property
    def resting(self) -> bool:
        """True when the hand has done all it was told to and every die lies still."""
        with self._lock:
            return not self._acts

    def answer_key(self) -> tuple[SimDie, ...]:
        """What really lies there, in the order of `lay`: for tests and the bench to mark readings by. The table never asks."""
        with self._telling:
            return self._lying

    def answer_ids(self) -> tuple[int, ...]:
        """Who lies there, in the order of `lay`."""
        with self._telling:
            return self._ids

    def answer_log(self) -> tuple[Done, ...]:
        """Every act that has been seen to its end."""
        with self._lock:
            return tuple(self._done)

    # -- dice are thrown and taken

    def throw(self, colours: Sequence[str], leaving: Sequence[int] = (), careful: bool = True) -> None:
        """Picks up every die but those in `leaving` (places in `lay`) and throws dice of exactly these colours.

        careful: the hand throws so that dice that stay are not hit and none leaves the tray, where it can; else as it comes.
        """
        with self._telling:
            kept = self._places(leaving, "leave")
            self._check(colours, len(kept))
            taken = [i for i in range(len(self._lying)) if i not in kept]
            if taken:
                self._play(lambda stage: picked_up(stage, taken))
            dice = [SimDie(1, colour, 0, 0, look=self._looks.get(colour)) for colour in colours]
            self._play(lambda stage: thrown(stage, dice, careful))

    def clear(self) -> None:
        """Picks up every die."""
        self.pick_up(range(len(self._lying)))

    def pick_up(self, places: Sequence[int]) -> None:
        """Picks up these dice, and keeps them."""
        with self._telling:
            taken = self._places(places, "pick up")
            if taken:
                self._play(lambda stage: picked_up(stage, taken))

    # -- dice are moved, and other clumsiness

    def slide(self, place: int, to_mm: tuple[float, float] | None = None) -> None:
        """A finger pushes this die there, mm from the middle of the tray to the right and up, None: anywhere; it keeps its face."""
        self._handle(
            place, "push", lambda stage: handling.slid(stage, place, to_mm or self._free_spot(place))
        )

    def tidy(self) -> None:
        """Pushes all dice together."""
        with self._telling:
            self._places(range(max(len(self._lying), 1)), "tidy")
            self._play(handling.tidied)

    def knock(self, place: int, towards_rad: float | None = None) -> None:
        """A finger that passes by hits this die; None: from any side."""
        self._handle(place, "knock", lambda stage: handling.knocked(stage, place, towards_rad))

    def flick(self, place: int, towards_rad: float | None = None) -> None:
        """A finger hits this die hard; it may tumble, and may leave the tray."""
        self._handle(place, "flick", lambda stage: handling.flicked(stage, place, towards_rad))

    def tip(self, place: int) -> None:
        """This die falls over its edge by itself."""
        self._handle(place, "tip over", lambda stage: handling.tipped(stage, place))

    def turn(self, place: int, face: int | None = None) -> None:
        """Two fingers turn this die to another face, or to this one, where it lies."""
        self._handle(
            place,
            "turn",
            lambda stage: handling.turned(stage, place, _face(face) if face is not None else None),
        )

    def lay_down(
        self, face: int, colour: str, at_mm: tuple[float, float] | None = None, yaw_rad: float | None = None
    ) -> None:
        """Two fingers lay down one more die, this face up; None: anywhere in the tray. Also on the table beside it."""
        with self._telling:
            self._check([colour], len(self._lying))
            at_mm = at_mm or self._free_spot()
            yaw = float(self._rng.uniform(0, 2 * np.pi)) if yaw_rad is None else yaw_rad
            die = SimDie(_face(face), colour, *at_mm, yaw, look=self._looks.get(colour))
            self._check_free(at_mm, ROOM_SIDES * self.scene.die_mm)
            self._play(lambda stage: handling.laid(stage, die))

    def cover(self, seconds: float = COVER_S, at_mm: tuple[float, float] | None = None) -> None:
        """A flat hand rests over the dice, or over this place, for so long."""
        with self._telling:
            spot = at_mm or tuple(np.mean([(d.x_mm, d.y_mm) for d in self._lying] or [(0.0, 0.0)], axis=0))
            self._play(lambda stage: passing.covered(stage, spot, seconds))

    def rest_sleeve(self, seconds: float = SLEEVE_S) -> None:
        """An arm lies across a corner of the tray for so long."""
        with self._telling:
            self._play(lambda stage: passing.sleeve_rested(stage, seconds))

    def reach_across(self) -> None:
        """An arm reaches over the tray and comes back."""
        with self._telling:
            self._play(passing.reached_across)

    def bump(self, right_px: float | None = None, down_px: float = 0.0) -> None:
        """Somebody pushes the camera: the whole picture shifts by so much, None: as it comes, and trembles for a moment."""
        with self._telling:
            if right_px is None:
                right_px, down_px = (float(v) for v in self._rng.uniform(-BUMP_PX, BUMP_PX, 2) - self._aim_px)
            aim = (self._aim_px[0] + right_px, self._aim_px[1] + down_px)
            if max(abs(aim[0]), abs(aim[1])) > MAX_BUMP_PX:
                raise HandCannot(
                    f"the camera would look {aim[0]:.0f}, {aim[1]:.0f} px beside the tray; {MAX_BUMP_PX:.0f} is the most"
                )
            self._play(lambda stage: passing.bumped(stage, (right_px, down_px)))

    def put(self, thing: Thing) -> None:
        """A hand brings a thing and leaves it there."""
        with self._telling:
            if thing.kind not in SIZES_MM:
                raise HandCannot(f"there is no {thing.kind!r} to put down; there are {', '.join(SIZES_MM)}")
            self._check_free((thing.x_mm, thing.y_mm), float(np.hypot(*thing.size_mm[:2])) / 2)
            self._play(lambda stage: passing.put_down(stage, thing))

    def take_away(self, place: int = 0) -> None:
        """A hand takes the thing that was put down at this place of all."""
        with self._telling:
            if not 0 <= place < len(self._things):
                raise HandCannot(
                    f"there is no thing {place} to take away: {len(self._things)} stand about, counted from 0"
                )
            self._play(lambda stage: passing.taken_away(stage, place))

    def wait(self, seconds: float) -> None:
        """Does nothing for so long."""
        with self._telling:
            self._play(lambda stage: passing.waited(stage, seconds))

    def sit(self, side: float = 0.0, skin: int = 0, sleeve: int = 0) -> None:
        """From now on the hand is another person's.

        side: radians against the clock from the front of the tray. skin, sleeve: places in SKINS and SLEEVES of vision.simulation.hand.
        """
        with self._telling:
            self._person, self._from_rad = Person(skin % len(SKINS), sleeve % len(SLEEVES)), FRONT_RAD + side

    # -- how it comes to be seen

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
        )

    def _handle(self, place: int, doing: str, act: Callable[[Stage], Act]) -> None:
        with self._telling:
            self._places([place], doing)
            self._play(act)

    def _play(self, worked_out: Callable[[Stage], Act]) -> None:
        """Works the act out and queues it."""
        act = worked_out(self._stage(SWAY_RAD * int(self._rng.integers(-1, 2))))
        prepared(replace(self.scene, aim_px=(0.0, 0.0)), self.size_wh, act.hands)
        with self._lock:
            ids = tuple(self._id_of(fated) for fated in act.fated)
            self._ids = tuple(i for i, fated in zip(ids, act.fated, strict=True) if fated.now)
            self._lying, self._things, self._aim_px = act.lying, act.things, act.aim_px
            self._acts.append(_Queued(act, ids))

    def _id_of(self, fated: Fated) -> int:
        if fated.place is not None and fated.fate not in NEW_FATES:
            return self._ids[fated.place]
        self._next_id += 1
        return self._next_id - 1

    def _posed(self, at_s: float, steps: int) -> Pose:
        """The pose this many frames on, at this moment of the camera's clock."""
        with self._lock:
            for _ in range(steps):
                pose = self._next_pose(at_s)
                if pose is None:
                    self._pose = Pose(self._lying, things=self._things, aim_px=self._aim_px)
                    break
                self._pose = pose
            return self._pose

    def _next_pose(self, at_s: float) -> Pose | None:
        while self._acts:
            queued = self._acts[0]
            queued.begun_s = at_s if queued.begun_s is None else queued.begun_s
            pose = next(queued.act.poses, None)
            if pose is not None:
                return pose
            self._acts.popleft()
            self._done.append(Done(queued.act.name, queued.begun_s, at_s, queued.act.fated, queued.ids))
        return None

    def _places(self, places: Sequence[int], doing: str) -> list[int]:
        wrong = [i for i in places if not 0 <= i < len(self._lying)]
        if wrong:
            raise HandCannot(
                f"there is no die {wrong[0]} to {doing}: {len(self._lying)} lie on the tray, counted from 0"
            )
        return sorted(set(places))

    def _check(self, colours: Sequence[str], kept: int) -> None:
        unknown = [c for c in colours if c not in COLOURS]
        if unknown:
            raise HandCannot(f"there are no {unknown[0]!r} dice; the colours are {', '.join(COLOURS)}")
        if not colours:
            raise HandCannot("nothing to throw: name the colour of at least one die")
        if len(colours) + kept > MAX_DICE:
            raise HandCannot(f"{len(colours) + kept} dice are too many: the simulated tray holds {MAX_DICE}")

    def _free_spot(self, besides: int | None = None) -> tuple[float, float]:
        """A place in the tray where a die can lie, mm; of many that are tried the one furthest from the others."""
        half = np.array(self.scene.tray_mm) / 2 - self.scene.die_mm
        others = np.array([[d.x_mm, d.y_mm] for i, d in enumerate(self._lying) if i != besides]).reshape(
            -1, 2
        )
        spots = self._rng.uniform(-half, half, (SPOTS_TRIED, 2))
        room = [float(np.linalg.norm(others - spot, axis=1).min(initial=1e3)) for spot in spots]
        x, y = spots[int(np.argmax(room))]
        return float(x), float(y)

    def _check_free(self, at_mm: tuple[float, float], room_mm: float) -> None:
        near = [
            i
            for i, die in enumerate(self._lying)
            if np.hypot(die.x_mm - at_mm[0], die.y_mm - at_mm[1]) < room_mm
        ]
        if near:
            raise HandCannot(
                f"die {near[0]} lies where that should go, {at_mm[0]:.0f}, {at_mm[1]:.0f} mm; find a free place"
            )


def _face(face: int) -> int:
    if face not in range(1, 7):
        raise HandCannot(f"a die has no face {face}: 1 to 6")
    return face
