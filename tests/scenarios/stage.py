"""The stage: the position of every die, hand and thing at every moment, and the camera's view of them.

Positions are px of the camera's picture, also beyond its border: the ground is larger than the picture, so
that a bumped camera sees more of it. Moving objects are drawn at several moments of the exposure, and the
frame shows their mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.scenarios.cutouts import SPRITE_PX, SPRITE_SIDE_PX, Bgra, Sprite
from vision.frames import Frame, Picture

MARGIN_SHARE = 0.16
"""Ground beyond each border, as a share of the picture's width."""
STEP_SHARE = 0.14
"""Movement during the exposure, as a share of its side, per drawing of a die."""
MAX_STEPS = 6
"""Most drawings of a die per frame."""
NEARER = 0.035
"""Relative enlargement of a die for each side of height over the ground."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Pose:
    """A die at one moment. x, y: its centre, px. yaw: rotation of its sides, rad. face: the upper one.

    quarter: 0-1, progress of its tumble to `next_face`, along its own x.
    height: over the ground, sides.
    shown: False in a hand.
    """

    x: float
    y: float
    yaw: float
    face: int
    next_face: int = 0
    quarter: float = 0.0
    height: float = 0.0
    shown: bool = True


@dataclass(frozen=True)
class Place:
    """The position, px, and rotation, rad, of a hand or a thing."""

    x: float
    y: float
    turn: float = 0.0


@dataclass(frozen=True)
class Move:
    """The movement of a die from `start_s` to its next move. still: it does not move at all."""

    start_s: float
    pose: Callable[[float], Pose]
    still: bool = False


@dataclass(eq=False)
class Die:
    """A die on the stage: a scaled sprite of each face, a blank one, and its moves in order."""

    sprites: dict[int, Bgra]
    blank: Bgra
    moves: list[Move] = field(default_factory=list)

    def at(self, t: float) -> Move:
        """The current move; the first move also covers all earlier times."""
        return next((move for move in reversed(self.moves) if move.start_s <= t), self.moves[0])

    def rest(self, start_s: float, pose: Pose) -> None:
        self.moves.append(Move(start_s, lambda t: pose, still=True))


@dataclass(eq=False)
class Overlay:
    """A hand or a thing.

    bgra: premultiplied.
    shade: its soft outline.
    anchor_xy: px in the sprite, at `place`.
    place: None while it is out of the picture.
    over: it lies over dice.
    """

    bgra: Bgra
    shade: NDArray[np.uint8]
    anchor_xy: tuple[float, float]
    place: Callable[[float], Place | None]
    over: bool = True
    shadow_xy: tuple[float, float] = (10.0, 12.0)
    shadow_depth: float = 0.42
    is_hand: bool = False


@dataclass(frozen=True)
class Lens:
    """The movement of the camera: shift, px, rotation, rad, and sigma of its defocus, px."""

    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    blur_px: float = 0.0


Light = Callable[[float, tuple[int, int]], "float | Floats"]
"""From time and (height, width) to a gain: of the whole picture, or (h, w) or (h, 1, 3)."""
FailureKind = Literal["black", "covered", "frozen", "repeating"]


@dataclass(frozen=True)
class Failure:
    """A failure of the camera from start_s to end_s."""

    start_s: float
    end_s: float
    kind: FailureKind
    picture: Picture | None = None


@dataclass(eq=False)
class Stage:
    """Everything in view, and the camera. shutter_s: exposure of a frame. noise: sigma, grey levels."""

    size_wh: tuple[int, int]
    fps: float
    ground: Picture
    side: float
    shutter_s: float = 1 / 60
    noise: float = 2.0
    jpeg: int | None = None
    light_xy: tuple[float, float] = (0.1, 0.12)
    seconds: float = 0.0
    dice: list[Die] = field(default_factory=list)
    overlays: list[Overlay] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    lenses: list[Callable[[float], Lens]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    seed: int = 0

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        self._shadows = shadow_sprites(self.side)
        self._still: tuple[object, Picture] | None = None
        self._noise_tile: NDArray[np.int16] | None = None

    @property
    def margin(self) -> int:
        return margin_of(self.size_wh)

    def frames(self) -> Iterator[Frame]:
        """Every frame, in order."""
        last: Picture | None = None
        loop: list[Picture] = []
        for i in range(round(self.seconds * self.fps)):
            at_s = i / self.fps
            failure = next((f for f in self.failures if f.start_s <= at_s < f.end_s), None)
            if failure is None:
                last, loop = (
                    self.picture(at_s),
                    [*loop, last][-max(int(self.fps / 2), 2) :] if last is not None else [],
                )
                yield Frame(last, at_s)
            else:
                yield Frame(self._failing_picture(failure, last, loop, i), at_s)

    def _failing_picture(
        self, failure: Failure, last: Picture | None, loop: Sequence[Picture], i: int
    ) -> Picture:
        if failure.kind == "frozen" and last is not None:
            return last
        if failure.kind == "repeating" and loop:
            return loop[i % len(loop)]
        w, h = self.size_wh
        dark = failure.picture if failure.picture is not None else np.zeros((h, w, 3), np.uint8)
        return self._sensed(dark)

    def picture(self, t: float) -> Picture:
        """The camera's picture at this time."""
        world = self._still_world(t).copy()
        for die in self.dice:
            move = die.at(t)
            if not move.still:
                self._draw_moving(world, die, t)
        for overlay in self.overlays:
            if overlay.over:
                self._draw_overlay(world, overlay, t)
        return self._sensed(self._lit(self._through_the_lens(world, t), t))

    # --- what lies there

    def _still_world(self, t: float) -> Picture:
        """Ground, things and dice at rest, rendered again only when one of them starts or stops moving."""
        moves = [(die, die.at(t)) for die in self.dice]
        under = [(overlay, overlay.place(t)) for overlay in self.overlays if not overlay.over]
        key = (tuple(id(move) if move.still else 0 for _, move in moves), tuple(place for _, place in under))
        if self._still is None or self._still[0] != key:
            world = self.ground.copy()
            for overlay, _ in under:
                self._draw_overlay(world, overlay, t)
            for die, move in moves:
                if move.still:
                    self._draw_die(world, die, [move.pose(t)])
            self._still = (key, world)
        return self._still[1]

    def _draw_moving(self, world: Picture, die: Die, t: float) -> None:
        first, last = die.at(t - self.shutter_s).pose(t - self.shutter_s), die.at(t).pose(t)
        gone = np.hypot(last.x - first.x, last.y - first.y) / self.side + 0.5 * abs(
            last.quarter - first.quarter
        )
        steps = int(np.clip(np.ceil(gone / STEP_SHARE), 1, MAX_STEPS))
        moments = [t - self.shutter_s * (1 - (k + 1) / steps) for k in range(steps)]
        self._draw_die(world, die, [die.at(moment).pose(moment) for moment in moments])

    def _draw_die(self, world: Picture, die: Die, poses: Sequence[Pose]) -> None:
        """Draws the mean of these poses, in place."""
        shown = [pose for pose in poses if pose.shown]
        if not shown:
            return
        reach = self.side * 1.25 + 2
        x0 = max(int(min(p.x for p in shown) - reach) + self.margin, 0)
        y0 = max(int(min(p.y for p in shown) - reach) + self.margin, 0)
        x1 = min(int(max(p.x for p in shown) + reach) + self.margin + 1, world.shape[1])
        y1 = min(int(max(p.y for p in shown) + reach) + self.margin + 1, world.shape[0])
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        part, size, origin = world[y0:y1, x0:x1], (x1 - x0, y1 - y0), (x0 - self.margin, y0 - self.margin)
        for pose in shown:
            self._shade(part, pose, origin, 1 / len(poses))
        seen = np.zeros((size[1], size[0], 4), np.float32)
        for pose in shown:
            seen += self._posed(die, pose, size, origin)
        seen /= len(poses)
        part[:] = np.rint(part * (1 - seen[..., 3:] / 255) + seen[..., :3])

    def _shade(self, part: Picture, pose: Pose, origin: tuple[int, int], weight: float) -> None:
        """Draws the die's shadow, in place: it moves away and fades as the die rises."""
        sprite, k = self._shadows[min(int(2 * pose.height), len(self._shadows) - 1)], 1 + 0.5 * pose.height
        away = self.side * (1 + 4 * pose.height)
        x, y = pose.x + self.light_xy[0] * away, pose.y + self.light_xy[1] * away
        half = sprite.shape[0] / 2 - 0.5
        c, s = np.cos(pose.yaw), np.sin(pose.yaw)
        matrix = np.array(
            [[c, -s, x - origin[0] - c * half + s * half], [s, c, y - origin[1] - s * half - c * half]]
        )
        shade = cv2.warpAffine(sprite, matrix, (part.shape[1], part.shape[0]), flags=cv2.INTER_LINEAR)
        part[:] = np.rint(part * (1 - (weight / k) * shade[..., None]))

    def _posed(self, die: Die, pose: Pose, size: tuple[int, int], origin: tuple[int, int]) -> Floats:
        """(h, w, 4) the die in this pose; a tumbling die shows two faces side by side, each foreshortened."""
        fold = pose.quarter * np.pi / 2
        if pose.quarter <= 0.01 or not pose.next_face:
            return self._laid(die.sprites[pose.face], pose, size, origin)
        if pose.quarter >= 0.99:
            return self._laid(die.sprites[pose.next_face], pose, size, origin)
        ahead, behind = float(np.cos(fold)), float(np.sin(fold))
        seen = self._laid(die.blank, pose, size, origin, ahead + behind)
        for face, wide, shift in ((pose.face, ahead, behind / 2), (pose.next_face, behind, -ahead / 2)):
            one = self._laid(die.sprites[face], pose, size, origin, wide, shift)
            one[..., :3] *= 0.72 + 0.28 * wide
            seen = np.asarray(seen * (1 - one[..., 3:] / np.float32(255)) + one, np.float32)
        return seen

    def _laid(
        self,
        sprite: Bgra,
        pose: Pose,
        size: tuple[int, int],
        origin: tuple[int, int],
        wide: float = 1.0,
        shift: float = 0.0,
    ) -> Floats:
        """(h, w, 4) one sprite, scaled by `wide` along the die's x and shifted by `shift` sides along it."""
        grown = 1 / (1 - NEARER * min(pose.height, 8.0))
        c, s, half = np.cos(pose.yaw), np.sin(pose.yaw), sprite.shape[0] / 2 - 0.5
        ax, ay = np.array([c, s]) * grown * wide, np.array([-s, c]) * grown
        middle = np.array([pose.x, pose.y]) + np.array([c, s]) * shift * self.side * grown - np.array(origin)
        offset = middle - ax * half - ay * half
        matrix = np.array([[ax[0], ay[0], offset[0]], [ax[1], ay[1], offset[1]]])
        return np.asarray(cv2.warpAffine(sprite, matrix, size, flags=cv2.INTER_LINEAR), np.float32)

    # --- what lies over it

    def _draw_overlay(self, world: Picture, overlay: Overlay, t: float) -> None:
        """Draws a hand or thing with its shadow and motion blur, in place."""
        last = overlay.place(t)
        if last is None:
            return
        first = overlay.place(t - self.shutter_s) or last
        gone = float(np.hypot(last.x - first.x, last.y - first.y))
        steps = int(np.clip(np.ceil(gone / 5), 1, 5))
        places = [between(first, last, (k + 1) / steps) for k in range(steps)]
        self._shade_under(world, overlay, last)
        window = self._window(overlay, places)
        if window is None:
            return
        x0, y0, x1, y1 = window
        seen = np.zeros((y1 - y0, x1 - x0, 4), np.float32)
        for place in places:
            cv2.accumulate(self._warped(overlay.bgra, overlay.anchor_xy, place, window), seen)
        seen /= len(places)
        part = world[y0:y1, x0:x1]
        left = cv2.merge([255 - seen[..., 3]] * 3)
        part[:] = cv2.add(
            cv2.multiply(part, left, scale=1 / 255, dtype=cv2.CV_32F), seen[..., :3].copy(), dtype=cv2.CV_8U
        )

    def _shade_under(self, world: Picture, overlay: Overlay, place: Place) -> None:
        moved = Place(place.x + overlay.shadow_xy[0], place.y + overlay.shadow_xy[1], place.turn)
        window = self._window(overlay, [moved])
        if window is None or overlay.shadow_depth <= 0:
            return
        x0, y0, x1, y1 = window
        shade = self._warped(overlay.shade, overlay.anchor_xy, moved, window)
        left = cv2.merge([255 - shade * np.float32(overlay.shadow_depth)] * 3)
        part = world[y0:y1, x0:x1]
        part[:] = cv2.multiply(part, left, scale=1 / 255, dtype=cv2.CV_8U)

    def _warped(
        self,
        image: NDArray[np.uint8],
        anchor: tuple[float, float],
        place: Place,
        window: tuple[int, int, int, int],
    ) -> NDArray[np.uint8]:
        c, s = np.cos(place.turn), np.sin(place.turn)
        x, y = place.x + self.margin - window[0], place.y + self.margin - window[1]
        matrix = np.array(
            [[c, -s, x - c * anchor[0] + s * anchor[1]], [s, c, y - s * anchor[0] - c * anchor[1]]]
        )
        size = (window[2] - window[0], window[3] - window[1])
        return np.asarray(cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)

    def _window(self, overlay: Overlay, places: Sequence[Place]) -> tuple[int, int, int, int] | None:
        """The part of the world that the overlay touches in these places, px; None when it is outside."""
        h, w = overlay.bgra.shape[:2]
        corners = np.array(
            [[x - overlay.anchor_xy[0], y - overlay.anchor_xy[1]] for x in (0, w) for y in (0, h)]
        )
        points = []
        for place in (places[0], places[-1]):
            c, s = np.cos(place.turn), np.sin(place.turn)
            points.append(
                corners @ np.array([[c, s], [-s, c]]) + (place.x + self.margin, place.y + self.margin)
            )
        low, high = np.concatenate(points).min(axis=0), np.concatenate(points).max(axis=0)
        spare = 0 if not self.lenses else self.margin
        x0, y0 = max(int(low[0]), self.margin - spare), max(int(low[1]), self.margin - spare)
        x1 = min(int(high[0]) + 1, self.margin + spare + self.size_wh[0])
        y1 = min(int(high[1]) + 1, self.margin + spare + self.size_wh[1])
        return (x0, y0, x1, y1) if x1 - x0 > 1 and y1 - y0 > 1 else None

    # --- what the camera makes of it

    def _through_the_lens(self, world: Picture, t: float) -> Picture:
        lenses = [lens(t) for lens in self.lenses]
        dx, dy, turn = (sum(getattr(lens, name) for lens in lenses) for name in ("dx", "dy", "turn"))
        blur = max((lens.blur_px for lens in lenses), default=0.0)
        (w, h), m = self.size_wh, self.margin
        if dx or dy or turn:
            c, s = np.cos(turn), np.sin(turn)
            cx, cy = w / 2 - 0.5, h / 2 - 0.5
            matrix = np.array(
                [
                    [c, -s, cx + dx - c * (cx + m) + s * (cy + m)],
                    [s, c, cy + dy - s * (cx + m) - c * (cy + m)],
                ]
            )
            seen = np.asarray(
                cv2.warpAffine(world, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT),
                np.uint8,
            )
        else:
            seen = np.ascontiguousarray(world[m : m + h, m : m + w])
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), blur), np.uint8) if blur > 0.2 else seen

    def _lit(self, seen: Picture, t: float) -> Picture:
        gain: float | Floats = 1.0
        for light in self.lights:
            gain = product(gain, light(t, (seen.shape[0], seen.shape[1])))
        if isinstance(gain, (int, float)):
            return (
                seen
                if abs(gain - 1) < 1e-4
                else np.asarray(cv2.convertScaleAbs(seen, alpha=float(gain)), np.uint8)
            )
        full = np.ascontiguousarray(np.broadcast_to(np.asarray(gain, np.float32), seen.shape))
        return np.asarray(cv2.multiply(seen, full, dtype=cv2.CV_8U), np.uint8)

    def _sensed(self, seen: Picture) -> Picture:
        """The picture with sensor noise and compression artefacts."""
        if self.noise > 0:
            h, w = seen.shape[:2]
            tile = self._noise()
            x, y = (int(v) for v in self._rng.integers(0, 96, 2))
            seen = np.asarray(cv2.add(seen, tile[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)
        if self.jpeg is not None:
            _, coded = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])
            seen = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        return seen

    def _noise(self) -> NDArray[np.int16]:
        if self._noise_tile is None:
            w, h = self.size_wh
            self._noise_tile = np.rint(
                self._rng.standard_normal((h + 96, w + 96, 3), np.float32) * self.noise
            ).astype(np.int16)
        return self._noise_tile


def product(a: float | Floats, b: float | Floats) -> float | Floats:
    """The product of two gains; (h, w) gets a third axis."""
    wide = [g[..., None] if isinstance(g, np.ndarray) and g.ndim == 2 else g for g in (a, b)]
    return wide[0] * wide[1]


def between(first: Place, last: Place, share: float) -> Place:
    """The place at this share of the way between two places."""
    return Place(*(a + (b - a) * share for a, b in zip(astuple(first), astuple(last), strict=True)))


def margin_of(size_wh: tuple[int, int]) -> int:
    """Ground beyond each border, px."""
    return round(MARGIN_SHARE * size_wh[0])


def world_wh(size_wh: tuple[int, int]) -> tuple[int, int]:
    """Size of the ground for a picture of this size."""
    return size_wh[0] + 2 * margin_of(size_wh), size_wh[1] + 2 * margin_of(size_wh)


def scaled_die(sprites: dict[int, Sprite], side: float) -> Die:
    """A die for the stage, with its sprites scaled to this side, px."""
    k = side / SPRITE_SIDE_PX
    size = max(round(SPRITE_PX * k), 8)
    how = cv2.INTER_AREA if k < 1 else cv2.INTER_CUBIC
    scaled = {
        face: np.asarray(cv2.resize(s.bgra, (size, size), interpolation=how), np.uint8)
        for face, s in sprites.items()
    }
    return Die(scaled, _blank(next(iter(scaled.values()))))


def _blank(sprite: Bgra) -> Bgra:
    """The outline of a sprite in its body's colour, slightly darker: the edge between two faces."""
    body = np.median(sprite[sprite[..., 3] > 250][:, :3], axis=0) * 0.85
    alpha = sprite[..., 3:].astype(np.float32)
    return np.asarray(np.rint(np.concatenate([body * alpha / 255, alpha], axis=2)), np.uint8)


def shadow_sprites(side: float) -> list[Floats]:
    """Shadows of a die on the ground and at heights of half a side, one side, ...: (n, n) 0-1."""
    size = int(side * 2.6) | 1
    sprites = []
    for step in range(4):
        square = np.zeros((size, size), np.float32)
        low, high = int(size / 2 - side * 0.52), int(size / 2 + side * 0.52) + 1
        square[low:high, low:high] = 0.55
        sprites.append(np.asarray(cv2.GaussianBlur(square, (0, 0), side * (0.09 + 0.13 * step)), np.float32))
    return sprites
