"""The simulated tray: a camera over dice that are not there, for trying Brehon out and for its tests.

A hand throws and picks up on request; what came of it is only to be seen in the frames: `lay` says where dice are, never what
they show.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from table.errors import BrehonError
from vision.frames import Frame
from vision.reading import COLOURS
from vision.simulation.acting import Painter, Pose, cleared_up, thrown
from vision.simulation.dice import SimDie, body_of
from vision.simulation.scene import Look, Scene
from vision.simulation.throwing import throw

MOST_DICE = 24
"""More do not find room to lie flat side by side in the simulated tray."""


class HandCannot(BrehonError, ValueError):
    """Something asked of the simulated hand that no hand could do."""


@dataclass(frozen=True)
class Lain:
    """A die somewhere on the simulated tray: x, y px of the frames, and its colour. What it shows is for the eyes to read."""

    x: float
    y: float
    colour: str


class SimulatedCamera:
    """A camera over a simulated tray, with a hand. Safe to use from several threads.

    size_wh: px. fps: frames a second. seed: the same dice every time, None = other dice every time.
    lying: dice on the tray at the start. looks: what the dice of a colour are made of, where not as usual. clock: seconds, monotonic.
    paced: False gives frames as fast as they are asked for, each 1 / fps later on the camera's own clock.
    """

    name = "simulated tray"

    def __init__(
        self,
        size_wh: tuple[int, int] = (800, 600),
        fps: float = 30.0,
        seed: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        paced: bool = True,
        scene: Scene | None = None,
        lying: Sequence[SimDie] = (),
        looks: Mapping[str, Look] | None = None,
    ) -> None:
        self.fps = fps
        self.scene = scene or Scene()
        self._looks = dict(looks or {})
        self._throwing, self._painting = np.random.default_rng(seed).spawn(2)
        self._painter = Painter(self.scene, size_wh, self._painting)
        self._clock, self._paced = clock, paced
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._acts: deque[Iterator[Pose]] = deque()
        self._lying = tuple(lying)
        self._pose = Pose(self._lying)

    # -- the hand

    def lay(self) -> tuple[Lain, ...]:
        """The dice on the tray once the hand has done all it was told to: kept ones first, then the thrown ones as they were named."""
        with self._lock:
            lying = self._lying
        if not lying:
            return ()
        middles = np.array([body_of(die, self.scene).centre for die in lying])
        spots = self._painter.view.project(middles)
        return tuple(Lain(float(x), float(y), die.colour) for (x, y), die in zip(spots, lying, strict=True))

    def throw(self, colours: Sequence[str], leaving: Sequence[int] = ()) -> None:
        """Picks up every die but those in `leaving` (places in `lay`) and throws dice of exactly these colours; returns at once.

        HandCannot: an unknown colour, a die that is not there, no dice, or more than the tray holds.
        """
        with self._lock:
            kept, taken = self._sorted_out(leaving)
            self._check(colours, kept)
            in_hand = [SimDie(1, colour, 0, 0, look=self._looks.get(colour)) for colour in colours]
            flights = throw(self._throwing, in_hand, kept, self.scene, self.fps)
            if taken:
                self._acts.append(cleared_up(self._lying, taken, self.scene, self.fps))
            self._acts.append(thrown(kept, flights, self.scene, self._painter.view, self.fps))
            self._lying = (*kept, *(flight.last for flight in flights))

    def clear(self) -> None:
        """Picks up every die; returns at once."""
        with self._lock:
            if self._lying:
                self._acts.append(cleared_up(self._lying, self._lying, self.scene, self.fps))
            self._lying = ()

    def relit(self, scene: Scene) -> None:
        """From the next frame on the tray is lit as in this scene; nothing else of the scene may differ."""
        painter = Painter(scene, self._painter.size_wh, self._painting)
        with self._lock:
            self.scene, self._painter = scene, painter

    @property
    def resting(self) -> bool:
        """True when the hand has done all it was told to and every die lies still."""
        with self._lock:
            return not self._acts

    def answer_key(self) -> tuple[SimDie, ...]:
        """What really lies there, in the order of `lay`: for tests and the bench to mark readings by. The table never asks."""
        with self._lock:
            return self._lying

    def _sorted_out(self, leaving: Sequence[int]) -> tuple[list[SimDie], list[SimDie]]:
        wrong = [i for i in leaving if not 0 <= i < len(self._lying)]
        if wrong:
            raise HandCannot(f"there is no die {wrong[0]} to leave: {len(self._lying)} lie on the tray, counted from 0")
        kept = [die for i, die in enumerate(self._lying) if i in set(leaving)]
        return kept, [die for i, die in enumerate(self._lying) if i not in set(leaving)]

    def _check(self, colours: Sequence[str], kept: Sequence[SimDie]) -> None:
        unknown = [c for c in colours if c not in COLOURS]
        if unknown:
            raise HandCannot(f"there are no {unknown[0]!r} dice; the colours are {', '.join(COLOURS)}")
        if not colours:
            raise HandCannot("nothing to throw: name the colour of at least one die")
        if len(colours) + len(kept) > MOST_DICE:
            raise HandCannot(f"{len(colours) + len(kept)} dice are too many: the simulated tray holds {MOST_DICE}")

    # -- the camera

    def frames(self) -> Iterator[Frame]:
        """Frames until close(); paced, a late frame skips ahead in the movement rather than slowing it down."""
        opened, n, steps = self._clock(), 0, 1
        while not self._closed.is_set():
            yield Frame(self._painter.painted(self._advanced(steps)), n / self.fps)
            due = self._next(n, opened)
            n, steps = due, due - n

    def _next(self, n: int, opened: float) -> int:
        """The number of the next frame, once it is due."""
        if not self._paced:
            return n + 1
        self._closed.wait(max(0.0, opened + (n + 1) / self.fps - self._clock()))
        return max(n + 1, int((self._clock() - opened) * self.fps))

    def _advanced(self, steps: int) -> Pose:
        """The pose this many frames on."""
        with self._lock:
            for _ in range(steps):
                while self._acts and (pose := next(self._acts[0], None)) is None:
                    self._acts.popleft()
                if not self._acts:
                    self._pose = Pose(self._lying)
                    break
                self._pose = pose or self._pose
            return self._pose

    def nap(self, seconds: float) -> None:
        """Draws nothing for so long; without pacing no time passes."""
        if self._paced:
            self._closed.wait(seconds)

    def close(self) -> None:
        self._closed.set()
