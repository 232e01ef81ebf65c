"""Things on a tray or beside it: boxes, cups, phones, paper, cards, dominoes, a second tray with dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.scenarios.cutouts import Bgra
from tests.scenarios.grounds import FELTS, finished, make_ground
from tests.scenarios.script import Actor, Path, Script
from tests.scenarios.stage import Overlay, Place
from vision.frames import Picture

Range = tuple[float, float]
SIDES: dict[str, tuple[Range, Range]] = {
    "box": ((4, 8), (3, 6)),
    "cup": ((4.5, 4.5), (4.5, 4.5)),
    "phone": ((4.4, 4.6), (8.5, 9.5)),
    "paper": ((5, 9), (4, 7)),
    "domino": ((1.4, 1.6), (2.8, 3.2)),
    "printed box": ((5, 8), (4, 6)),
    "second tray": ((7, 10), (6, 8)),
    "card": ((3.4, 3.8), (5.2, 5.6)),
}
"""Width and height of things, in sides of a die."""
THINGS = tuple(SIDES)
PAD_PX = 8


@dataclass(eq=False)
class Thing:
    """A thing on the stage, and its place: None before it is brought and after it is taken away."""

    overlay: Overlay
    place: Place | None = None


def make_thing(script: Script, kind: str) -> Overlay:
    """A thing of this kind, as an overlay without a place."""
    rng, side = script.rng, script.side
    w, h = (float(rng.uniform(low, high)) for low, high in SIDES[kind])
    size = (int(w * side), int(h * side))
    drawn = DRAWN[kind](rng, size)
    if kind in ("printed box", "second tray"):
        _with_dice(script, drawn, int(rng.integers(1, 4)), shadows=kind == "second tray")
    bgra, shade = sprite_of(
        drawn, round_=kind == "cup", shade_px=side * (0.08 if kind in ("paper", "card") else 0.3)
    )
    depth = 0.2 if kind in ("paper", "card") else 0.45
    light = script.stage.light_xy
    shadow = (light[0] * side * 2, light[1] * side * 2)
    return Overlay(
        bgra,
        shade,
        (bgra.shape[1] / 2, bgra.shape[0] / 2),
        lambda t: None,
        shadow_xy=shadow,
        shadow_depth=depth,
    )


def sprite_of(
    picture: Picture, round_: bool = False, shade_px: float = 6.0
) -> tuple[Bgra, NDArray[np.uint8]]:
    """A flat thing's premultiplied sprite with soft edges, and its blurred outline for the shadow."""
    h, w = picture.shape[:2]
    alpha = np.zeros((h + 2 * PAD_PX, w + 2 * PAD_PX), np.float32)
    if round_:
        centre = ((w + 2 * PAD_PX) // 2, (h + 2 * PAD_PX) // 2)
        cv2.ellipse(alpha, centre, (w // 2, h // 2), 0, 0, 360, (255.0,), -1, cv2.LINE_AA)
    else:
        alpha[PAD_PX : PAD_PX + h, PAD_PX : PAD_PX + w] = 255
    alpha = np.asarray(cv2.GaussianBlur(alpha, (0, 0), 0.7), np.float32)
    framed = cv2.copyMakeBorder(picture, PAD_PX, PAD_PX, PAD_PX, PAD_PX, cv2.BORDER_REPLICATE).astype(
        np.float32
    )
    bgra = np.dstack([framed * alpha[..., None] / 255, alpha])
    return np.rint(bgra).astype(np.uint8), np.rint(cv2.GaussianBlur(alpha, (0, 0), shade_px)).astype(np.uint8)


# --- what they look like


def _box(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    """A game's box: one colour, a frame, a title, a badge."""
    w, h = size
    base = rng.uniform(20, 220, 3)
    picture = np.full((h, w, 3), base, np.float32) + 4 * rng.standard_normal((h, w, 3)).astype(np.float32)
    ink = tuple(float(v) for v in (255 - base if rng.random() < 0.5 else rng.uniform(0, 255, 3)))
    cv2.rectangle(picture, (w // 16, h // 12), (w - w // 16, h - h // 12), ink, max(w // 60, 1), cv2.LINE_AA)
    _word(
        picture,
        str(rng.choice(["HIGHLAND", "LUCKY SIX", "FARO", "TOWER", "QUEST"])),
        (w // 8, h // 3),
        w / 220,
        ink,
    )
    cv2.circle(
        picture,
        (int(w * 0.75), int(h * 0.72)),
        h // 7,
        tuple(float(v) for v in rng.uniform(0, 255, 3)),
        -1,
        cv2.LINE_AA,
    )
    return finished(picture)


def _word(
    picture: NDArray[np.float32], word: str, at: tuple[int, int], scale: float, ink: tuple[float, ...]
) -> None:
    inked = finished(picture)
    cv2.putText(
        inked, word, at, cv2.FONT_HERSHEY_SIMPLEX, max(scale, 0.3), ink, max(int(2 * scale), 1), cv2.LINE_AA
    )
    picture[:] = inked


def _cup(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    """A cup from above: its rim, its shaded wall, and a drink."""
    w, h = size
    wall, drink = (
        rng.uniform(60, 240, 3),
        np.array([(20, 34, 60), (40, 90, 150), (200, 200, 200)][int(rng.integers(3))], float),
    )
    picture = np.full((h, w, 3), wall, np.float32)
    for share, tone in ((0.9, wall * 0.6), (0.8, drink), (0.55, drink * 1.15)):
        cv2.ellipse(
            picture,
            (w // 2, h // 2),
            (int(w * share / 2), int(h * share / 2)),
            0,
            0,
            360,
            tuple(tone),
            -1,
            cv2.LINE_AA,
        )
    return finished(picture)


def _phone(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    w, h = size
    slope = np.linspace(0, 40, h, dtype=np.float32)[:, None, None] * rng.uniform(0, 1)
    picture = np.full((h, w, 3), (26, 24, 24), np.float32) + slope
    cv2.rectangle(picture, (w // 14, h // 16), (w - w // 14, h - h // 16), (38, 34, 32), -1)
    return finished(picture)


def _paper(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    """A sheet with lines of writing: a score sheet."""
    w, h = size
    picture = np.full((h, w, 3), (226, 232, 236), np.float32) + 1.5 * rng.standard_normal((h, w, 1)).astype(
        np.float32
    )
    for y in range(h // 8, h - h // 10, max(h // 11, 6)):
        x = w // 12
        while x < w * rng.uniform(0.5, 0.95):
            far = int(rng.uniform(0.03, 0.12) * w)
            cv2.line(
                picture,
                (x, y + int(rng.integers(-1, 2))),
                (x + far, y),
                (90, 60, 50),
                max(h // 120, 1),
                cv2.LINE_AA,
            )
            x += far + w // 30
    return finished(picture)


def _domino(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    w, h = size
    dark = rng.random() < 0.5
    picture = np.full((h, w, 3), (34, 30, 28) if dark else (224, 234, 238), np.float32)
    ink = (240.0, 240.0, 240.0) if dark else (30.0, 26.0, 26.0)
    cv2.line(picture, (w // 8, h // 2), (w - w // 8, h // 2), ink, max(w // 24, 1), cv2.LINE_AA)
    for half in (0, 1):
        _pips(picture, int(rng.integers(1, 7)), (w / 2, h * (0.25 + 0.5 * half)), w * 0.28, w * 0.085, ink)
    return finished(picture)


def _pips(
    picture: NDArray[np.float32],
    face: int,
    middle: tuple[float, float],
    pitch: float,
    radius: float,
    ink: tuple[float, ...],
) -> None:
    corners = [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)]
    for dx, dy in [*corners[: face - face % 2], *([(0, 0)] if face % 2 else [])]:
        at = (round(middle[0] + dx * pitch), round(middle[1] + dy * pitch))
        cv2.circle(picture, at, max(round(radius), 1), ink, -1, cv2.LINE_AA)


def _card(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    w, h = size
    picture = np.full((h, w, 3), (236, 240, 242), np.float32)
    ink = (40.0, 30.0, 190.0) if rng.random() < 0.5 else (30.0, 30.0, 30.0)
    for x in (0.3, 0.7):
        for y in (0.22, 0.5, 0.78):
            cv2.ellipse(
                picture, (int(x * w), int(y * h)), (w // 11, w // 9), 45, 0, 360, ink, -1, cv2.LINE_AA
            )
    return finished(picture)


def _tray(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    """A tray of wood with felt in it."""
    w, h = size
    rim = max(w // 14, 4)
    picture = np.full((h, w, 3), rng.uniform(0.7, 1.2) * np.array((60, 100, 150)), np.float32)
    picture += (
        6
        * cv2.GaussianBlur(rng.standard_normal((h, w, 1)).astype(np.float32), (0, 0), 4, sigmaY=0.6)[
            ..., None
        ]
    )
    felt = np.array(FELTS[int(rng.integers(len(FELTS)))], np.float32)
    inner = (h - 2 * rim, w - 2 * rim, 3)
    picture[rim:-rim, rim:-rim] = felt + 4 * rng.standard_normal(inner).astype(np.float32)
    return finished(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.float32))


def _with_dice(script: Script, picture: Picture, count: int, shadows: bool) -> None:
    """Draws dice into the picture, in place: real ones with a shadow, or printed ones."""
    h, w = picture.shape[:2]
    for k in range(count):
        actor = script.actors[int(script.rng.integers(len(script.actors)))]
        sprite = actor.die.sprites[script.random_face(actor)]
        x, y = w * (k + 1) / (count + 1), h * float(script.rng.uniform(0.35, 0.65))
        turn, half = float(script.rng.uniform(0, 2 * np.pi)), sprite.shape[0] / 2 - 0.5
        c, s = np.cos(turn), np.sin(turn)
        matrix = np.array([[c, -s, x - c * half + s * half], [s, c, y - s * half - c * half]])
        seen = cv2.warpAffine(sprite, matrix, (w, h), flags=cv2.INTER_LINEAR).astype(np.float32)
        if shadows:
            soft = cv2.GaussianBlur(seen[..., 3], (0, 0), script.side * 0.12) / 255 * 0.5
            picture[:] = picture * (1 - np.roll(soft, (2, 2), (0, 1)))[..., None]
        picture[:] = np.rint(picture * (1 - seen[..., 3:] / 255) + seen[..., :3])


DRAWN: dict[str, Callable[[np.random.Generator, tuple[int, int]], Picture]] = {
    "box": _box,
    "cup": _cup,
    "phone": _phone,
    "paper": _paper,
    "domino": _domino,
    "printed box": _box,
    "second tray": _tray,
    "card": _card,
}


# --- bringing and taking them


def put_down(script: Script, kind: str, spot: tuple[float, float] | None = None) -> Thing:
    """A hand brings a thing, puts it down and leaves."""
    rng = script.rng
    script.note(f"put down a {kind}")
    start = script.now
    overlay = make_thing(script, kind)
    script.stage.overlays.append(overlay)
    x, y = spot or spot_for(script, overlay)
    at, path = _hand_with(script, x, y)
    leave = path.times[-2]
    turn = float(rng.uniform(0, 2 * np.pi))
    lies = Place(x, y, turn)

    def place(t: float) -> Place | None:
        if t < path.times[0]:
            return None
        there = path.held(t)
        return lies if t >= at else Place(there.x, there.y, turn + there.turn - path.places[1].turn)

    overlay.place = place
    script.now = path.times[-1]
    script.avoid.append((x, y, reach_of(overlay) + 0.8 * script.side))
    script.allow(start, leave + 2.5)
    return Thing(overlay, lies)


def take_away(script: Script, thing: Thing, what: str) -> None:
    """A hand takes the thing away."""
    script.note(f"take away the {what}")
    assert thing.place is not None
    lies, before = thing.place, thing.overlay.place
    at, path = _hand_with(script, lies.x, lies.y)

    def place(t: float) -> Place | None:
        if t < at:
            return before(t)
        there = path(t)
        return (
            None if there is None else Place(there.x, there.y, lies.turn + there.turn - path.places[1].turn)
        )

    thing.overlay.place, thing.place = place, None
    script.allow(script.now, path.times[-1] + 2.0)
    script.avoid.pop()
    script.now = path.times[-1]


def _hand_with(script: Script, x: float, y: float) -> tuple[float, Path]:
    """A hand goes to a place and back: the time of release or grip, and its path."""
    rng = script.rng
    at = script.now + float(rng.uniform(0.5, 0.9))
    leave = at + float(rng.uniform(0.1, 0.5))
    let_go = (at + leave) / 2
    return let_go, script.reach("grasp", [(at, x, y), (leave, x, y)], script.arm_turn(x, y), at - script.now)


def from_start(script: Script, kind: str) -> Thing:
    """A thing that lies there from the start."""
    script.note(f"a {kind} from the start")
    overlay = make_thing(script, kind)
    x, y = spot_for(script, overlay)
    lies = Place(x, y, float(script.rng.uniform(0, 2 * np.pi)))
    overlay.place = lambda t: lies
    overlay.over = False
    script.stage.overlays.append(overlay)
    script.avoid.append((x, y, reach_of(overlay) + 0.8 * script.side))
    return Thing(overlay, lies)


def reach_of(overlay: Overlay) -> float:
    """Half of the thing's diagonal, px."""
    return float(np.hypot(*overlay.bgra.shape[:2])) / 2


def _taken(script: Script, x: float, y: float, radius: float) -> float:
    """Share of the area for dice that is this close to the place."""
    x0, y0, x1, y1 = script.area
    xs, ys = np.meshgrid(np.linspace(x0, x1, 12), np.linspace(y0, y1, 12))
    return float((np.hypot(xs - x, ys - y) < radius).mean())


def spot_for(script: Script, overlay: Overlay) -> tuple[float, float]:
    """A place for the thing without dice, preferably near the border."""
    x0, y0, x1, y1 = script.view
    reach = reach_of(overlay)
    best, most = (x0, y0), -1e9
    for _ in range(80):
        x, y = float(script.rng.uniform(x0, x1)), float(script.rng.uniform(y0, y1))
        gap = (
            min((float(np.hypot(x - a.x, y - a.y)) for a in script.actors if a.on), default=1e9)
            - reach
            - script.side
        )
        edge = min(x - x0, y - y0, x1 - x, y1 - y)
        score = (
            min(gap, 0) * 5
            - abs(edge - 0.3 * reach)
            - 5 * reach * max(_taken(script, x, y, reach + 0.8 * script.side) - 0.5, 0)
        )
        if score > most:
            best, most = (x, y), score
    return best


def tray_ground(
    rng: np.random.Generator, outer: Picture, tray: tuple[float, float, float, float], margin: int, rim: float
) -> Picture:
    """A ground with a tray: felt inside, a wooden rim with its shadow, and the table outside."""
    x0, y0, x1, y1 = (round(v) + margin for v in tray)
    picture = outer.copy()
    wide = round(rim)
    shade = np.zeros(picture.shape[:2], np.float32)
    cv2.rectangle(shade, (x0 - wide, y0 - wide), (x1 + wide, y1 + wide), (0.5,), -1)
    picture = np.asarray(picture * (1 - cv2.GaussianBlur(shade, (0, 0), rim * 0.4))[..., None], np.uint8)
    wood = np.array((56, 94, 146), np.float32) * rng.uniform(0.6, 1.2)
    grain = cv2.GaussianBlur(rng.standard_normal(picture.shape[:2], np.float32), (0, 0), 5, sigmaY=0.7) * 60
    outer_part = (slice(y0 - wide, y1 + wide), slice(x0 - wide, x1 + wide))
    picture[outer_part] = finished(np.asarray(wood + grain[..., None], np.float32))[outer_part]
    felt = make_ground(rng, (picture.shape[1], picture.shape[0])).astype(np.float32)
    inside = np.zeros(picture.shape[:2], np.float32)
    inside[y0:y1, x0:x1] = 1
    wall = 0.6 + 0.4 * np.clip(cv2.GaussianBlur(inside, (0, 0), rim * 0.35) * 2 - 1, 0, 1)
    picture[y0:y1, x0:x1] = finished(felt * wall[..., None])[y0:y1, x0:x1]
    return picture


def beside_tray(script: Script, tray: tuple[float, float, float, float]) -> tuple[float, float] | None:
    """A place in view outside the tray and its rim; None where there is none."""
    x0, y0, x1, y1 = script.view
    side = script.side
    for _ in range(200):
        x = float(script.rng.uniform(x0 + 0.8 * side, x1 - 0.8 * side))
        y = float(script.rng.uniform(y0 + 0.8 * side, y1 - 0.8 * side))
        out = max(tray[0] - x, x - tray[2], tray[1] - y, y - tray[3])
        near = min((float(np.hypot(x - a.x, y - a.y)) for a in script.actors if a.on), default=1e9)
        if out > 1.5 * side and near > 1.5 * side:
            return x, y
    return None


def leave_beside(script: Script, actor: Actor, spot: tuple[float, float]) -> None:
    """Puts the die to rest beside the tray."""
    actor.beside = True
    script.lie(actor, spot[0], spot[1], float(script.rng.uniform(0, 2 * np.pi)), script.random_face(actor))
