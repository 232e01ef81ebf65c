"""A simulated camera over a simulated tray, to try Brehon out and for its tests.

A hand throws, picks up, pushes and more on request. The result shows only in the frames: `lay` gives the
places of dice, never their faces.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.frames import Frame
from vision.simulation.dice import SimDie
from vision.simulation.faults import Fault, FaultInjector
from vision.simulation.felt import felt_for
from vision.simulation.lighting import Light
from vision.simulation.playing import (
    MAX_DICE,
    ActImpossible,
    CompletedAct,
    LyingDie,
    LyingStick,
    SimulatedHand,
)
from vision.simulation.renderer import Renderer
from vision.simulation.scene import DieStyle, Scene
from vision.simulation.sticks import SimStick

__all__ = ["MAX_DICE", "ActImpossible", "CompletedAct", "LyingDie", "LyingStick", "SimulatedCamera"]


LAMP_OFF = 0.45
"""Share of the light that remains with the lamp off: daylight."""


FELT_S = 1.0
"""Time in which no act begins after a felt was laid, s. To the camera all of the picture has changed: for
half a second it knows nothing of the tray, and a throw does not count."""


MAX_SKIPPED_S = 0.3
"""A late frame skips at most this much of the movement. On a slower computer everything moves more slowly:
frames of a real camera are seldom further apart, and a throw in a longer gap would not count."""


class SimulatedCamera(SimulatedHand):
    """A camera over a simulated tray, with a hand. Thread-safe.

    size_wh: px. fps: frames a second. seed: the same dice every time; None: different dice every time.
    lying, sticks: dice and sticks on the tray at the start.
    looks: style of the dice of a colour, where not the usual one.
    clock: seconds, monotonic.
    paced: False gives frames as fast as they are requested, each 1 / fps later by the camera's own clock.
    slowed_s: by how much the tray has become slower than the clock so far, seconds (see MAX_SKIPPED_S).
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
        looks: Mapping[str, DieStyle] | None = None,
        sticks: Sequence[SimStick] = (),
    ) -> None:
        throwing, self._picture_rng = np.random.default_rng(seed).spawn(2)
        super().__init__(scene or Scene(), size_wh, fps, throwing, lying, looks, sticks)
        self._renderer = Renderer(self.scene, size_wh, self._picture_rng)
        self._faults = FaultInjector(self._picture_rng)
        self._clock, self._paced = clock, paced
        self._closed = threading.Event()
        self._now_s, self._lamp_on = 0.0, True
        self.slowed_s = 0.0

    # -- light and faults

    def relight(self, scene: Scene) -> None:
        """Lights the tray as in this scene from the next frame on; only its light and its felt may differ."""
        renderer = Renderer(scene, self.size_wh, self._picture_rng)
        with self._lock:
            if not self._lamp_on:
                renderer.set_light(Light(level=LAMP_OFF, adapts=True))
            self.scene, self._renderer = scene, renderer

    def lay_felt_for(self, colours: Iterable[str]) -> None:
        """Lays the felt in the tray from which dice of these colours stand out, from the next frame on. The
        hand waits until the camera knows it."""
        felt_bgr = felt_for(colours)
        if felt_bgr != self.scene.felt_bgr:
            self.relight(replace(self.scene, felt_bgr=felt_bgr))
            with self._lock:
                self._next_act_s = self._now_s + FELT_S

    def set_light(self, light: Light) -> None:
        """Changes the scene's light in this way from the next frame on."""
        with self._lock:
            self._renderer.set_light(light)

    def lamp(self) -> None:
        """Switches the lamp off or on again; the camera's exposure follows."""
        with self._lock:
            self._lamp_on = not self._lamp_on
            self._renderer.set_light(Light(level=1.0 if self._lamp_on else LAMP_OFF, adapts=True))

    def fault(self, fault: str, seconds: float) -> None:
        """Makes the camera "dark", "covered", "frozen", "repeating" or "blurred" for so long."""
        if fault not in list(Fault):
            raise ActImpossible(f"there is no camera fault {fault!r}; choose one of: {', '.join(Fault)}")
        with self._lock:
            self._faults.start(Fault(fault), self._now_s, seconds)

    # -- the camera

    def frames(self) -> Iterator[Frame]:
        """Frames until close(). If paced, a late frame skips ahead, by MAX_SKIPPED_S at most."""
        n, steps, due_s = 0, 1, self._clock()
        while not self._closed.is_set():
            yield self._frame(n / self.fps, steps)
            steps, due_s = self._wait_for_next(due_s)
            n += steps

    def _frame(self, at_s: float, steps: int) -> Frame:
        state = self._advance(at_s, steps)
        with self._lock:
            self._now_s, renderer = at_s, self._renderer
        picture = renderer.render(state, at_s)
        with self._lock:
            return Frame(self._faults.apply(picture, at_s), at_s)

    def _wait_for_next(self, due_s: float) -> tuple[int, float]:
        """Waits until the frame after the one that was due at this time, and returns by how many frames it is
        later, and when it was due."""
        if not self._paced:
            return 1, due_s
        self._closed.wait(max(0.0, due_s + 1 / self.fps - self._clock()))
        now_s = self._clock()
        steps = max(1, int((now_s - due_s) * self.fps + 1e-6))
        max_steps = max(1, round(MAX_SKIPPED_S * self.fps))
        if steps <= max_steps:
            return steps, due_s + steps / self.fps
        self.slowed_s += now_s - due_s - max_steps / self.fps
        return max_steps, now_s

    def skip_frames(self, seconds: float) -> None:
        """Draws nothing for so long; without pacing no time passes."""
        if self._paced:
            self._closed.wait(seconds)

    def close(self) -> None:
        self._closed.set()
