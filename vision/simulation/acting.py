"""Acting: what a hand does at the tray, as a row of poses, one a frame; and the painter that draws a pose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frames import Picture
from vision.simulation.dice import Body, SimDie, body_of, draw_dice
from vision.simulation.hand import draw_hand, hand_sprite
from vision.simulation.scene import Scene
from vision.simulation.throwing import Flight
from vision.simulation.tray import empty_tray
from vision.simulation.view import View, view_of

Spot = tuple[float, float]
"""A place in the tray, mm."""

REACH_S = 0.3
"""How long the hand takes into the tray, and out again."""
GRAB_S = 0.13
"""From one die to the next while picking up."""
SHAKE_S = 0.25
"""Between picking up and throwing."""
RELEASE_S = 0.17
"""The hand comes over the rim before the dice leave it."""
FOLLOW_S = 0.27
"""The hand goes back while the dice roll."""


@dataclass(frozen=True)
class Pose:
    """What is to be seen in one frame: dice that lie still, dice in flight, and where the fingertips are (None: no hand)."""

    lying: tuple[SimDie, ...]
    flying: tuple[Body, ...] = ()
    hand: Spot | None = None


def cleared_up(lying: Sequence[SimDie], taken: Sequence[SimDie], scene: Scene, fps: float) -> Iterator[Pose]:
    """The hand reaches in, takes these dice one after another on a short way round, and leaves."""
    left, at = tuple(lying), _outside(0.0, scene)
    for n, die in enumerate(_round_trip(taken, at)):
        spot = (die.x_mm, die.y_mm)
        for hand in _moved(at, spot, REACH_S if n == 0 else GRAB_S, fps):
            yield Pose(left, hand=hand)
        at, left = spot, tuple(other for other in left if other is not die)
    for hand in _moved(at, _outside(at[0], scene), REACH_S, fps):
        yield Pose(left, hand=hand)


def thrown(lying: Sequence[SimDie], flights: Sequence[Flight], scene: Scene, view: View, fps: float) -> Iterator[Pose]:
    """The hand comes to the rim and lets go; the dice fly and roll, and at the end lie with the others."""
    still, x = tuple(lying), float(np.mean([f.at_mm[0, 0] for f in flights]))
    released = (x, -scene.tray_mm[1] / 2 + 22)
    for _ in range(round(SHAKE_S * fps)):
        yield Pose(still)
    for hand in _moved(_outside(x, scene), released, RELEASE_S, fps):
        yield Pose(still, hand=hand)
    back = list(_moved(released, _outside(x, scene), FOLLOW_S, fps))
    for frame in range(max(f.frames for f in flights)):
        going = back[frame] if frame < len(back) else None
        yield Pose(still, tuple(f.body(frame, scene, view) for f in flights), going)
    yield Pose(still + tuple(f.last for f in flights))


def _outside(x: float, scene: Scene) -> Spot:
    """Where a hand waits that cannot be seen."""
    return x, -scene.tray_mm[1] / 2 - 75


def _round_trip(dice: Sequence[SimDie], start: Spot) -> Iterator[SimDie]:
    """The dice, always the nearest next."""
    left, at = list(dice), start
    while left:
        die = min(left, key=lambda d: (d.x_mm - at[0]) ** 2 + (d.y_mm - at[1]) ** 2)
        left.remove(die)
        at = (die.x_mm, die.y_mm)
        yield die


def _moved(start: Spot, end: Spot, seconds: float, fps: float) -> Iterator[Spot]:
    """Places from start to end, easing out and in."""
    steps = max(round(seconds * fps), 1)
    for n in range(1, steps + 1):
        share = 0.5 - 0.5 * float(np.cos(np.pi * n / steps))
        yield start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


class Painter:
    """Draws poses as the scene's camera sees them. Dice that lie still are drawn once and kept."""

    def __init__(self, scene: Scene, size_wh: tuple[int, int], rng: np.random.Generator) -> None:
        self.scene, self.size_wh, self.view = scene, size_wh, view_of(scene, size_wh)
        self._rng = rng
        hand_sprite(scene, size_wh)  # drawn now, so that the first reach does not stutter
        self._kept: tuple[tuple[SimDie, ...], Picture] = ((), empty_tray(scene, size_wh))
        w, h = size_wh
        grain = rng.standard_normal((h + NOISE_ROOM, w + NOISE_ROOM, 3), np.float32) * scene.noise_sigma
        self._noise = np.rint(grain).astype(np.int16)

    def painted(self, pose: Pose) -> Picture:
        """The picture of this pose, (h, w, 3); a new array every time."""
        canvas = self._still(pose.lying).copy()
        if pose.flying:
            draw_dice(canvas, self.view, self.scene, pose.flying)
        if pose.hand:
            draw_hand(canvas, self.scene, self.size_wh, pose.hand)
        return self._photographed(canvas)

    def _still(self, lying: tuple[SimDie, ...]) -> Picture:
        if self._kept[0] != lying:
            canvas = empty_tray(self.scene, self.size_wh).copy()
            draw_dice(canvas, self.view, self.scene, [body_of(die, self.scene) for die in lying])
            self._kept = (lying, canvas)
        return self._kept[1]

    def _photographed(self, canvas: Picture) -> Picture:
        """A soft lens and a noisy sensor; the noise is one large sheet laid on at another place every time."""
        soft = cv2.GaussianBlur(canvas, (3, 3), self.scene.blur_px)
        x, y = (int(v) for v in self._rng.integers(0, NOISE_ROOM, 2))
        h, w = soft.shape[:2]
        return np.asarray(cv2.add(soft, self._noise[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)


NOISE_ROOM = 48
"""How far the sheet of noise can be moved, px: 2304 different frames."""
