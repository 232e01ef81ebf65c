"""The appearance of dice: body colours, pips, marbling and emblems. Each die is six face textures."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.rendering.backgrounds import Text, draw_text
from models.rendering.trace import FACE_PX
from vision.simulation.dice import PIP_LAYOUT

HSV_RANGES: dict[str, list[tuple[tuple[float, float], tuple[float, float], tuple[float, float]]]] = {
    "white": [((0, 360), (0.0, 0.07), (0.82, 0.98)), ((28, 52), (0.08, 0.36), (0.8, 0.97))],  # plain, ivory
    "black": [((0, 360), (0.0, 0.25), (0.04, 0.19)), ((200, 250), (0.2, 0.45), (0.06, 0.18))],
    "grey": [((0, 360), (0.0, 0.07), (0.38, 0.66))],
    "red": [((-8, 7), (0.72, 0.98), (0.5, 0.92)), ((-14, 4), (0.75, 0.95), (0.35, 0.55))],
    "orange": [((17, 32), (0.78, 1.0), (0.85, 1.0))],
    "yellow": [((45, 60), (0.6, 1.0), (0.8, 1.0)), ((62, 72), (0.65, 0.95), (0.8, 0.95))],
    "green": [((85, 165), (0.45, 1.0), (0.25, 0.8)), ((75, 100), (0.6, 0.95), (0.55, 0.9))],
    "blue": [((195, 238), (0.5, 1.0), (0.3, 0.9)), ((180, 210), (0.4, 0.85), (0.55, 0.95))],
    "purple": [((262, 292), (0.4, 0.9), (0.25, 0.65))],
    "pink": [((318, 350), (0.2, 0.62), (0.85, 1.0))],
    "brown": [((14, 30), (0.45, 0.85), (0.2, 0.46))],
}
"""Body colours in neutral light: hue in degrees, saturation and value 0-1. No shade is between two names."""

COLOUR_SHARE = {
    "white": 0.3, "black": 0.12, "grey": 0.05, "red": 0.13, "orange": 0.05, "yellow": 0.07, "green": 0.07,
    "blue": 0.09, "purple": 0.04, "pink": 0.04, "brown": 0.04,
}  # fmt: skip
"""Share of makes of each body colour."""

TWO_HUES_SHARE = 0.35
"""Share of two-coloured makes among the marbled, cloudy and blotched ones."""

THREE_HUES_SHARE = 0.4
"""Share of makes with a third hue among those of two."""
GOLD_SHARE, PALE_SHARE, MARBLED_CONTRAST = 0.35, 0.3, 0.14
"""Shares of gold and of pale pips on bodies of several hues, and their minimum contrast."""
INKED_ONE_SHARE = 0.07
"""Share of makes whose single pip has its own colour, besides the white ones of East Asia."""
COMMON_SHARE = 0.4
"""Share of makes with the pips of most dice; the others have any layout in which the pips do not touch."""
TOUCHING = 0.49
"""Radius of a pip that almost touches the next one, in distances between the two."""
MAX_PIP_REACH = 0.46
"""Maximum distance of a pip's edge from the middle of the face, in sides of the die."""
FAINT_SHARE, FAINT = 0.08, (0.16, 0.45)
"""Share of makes with faint, translucent pips, and the range of their contrast: shares of the way from the
body to white or black."""
GLINT_SHARE = 0.2
"""Share of makes whose pips each mirror a lamp."""

Spots = list[tuple[float, float]]
"""Pips of one face: offsets from its middle along u and v, in sides of the die."""


@dataclass(frozen=True)
class Pips:
    """The pip layout of a die; lengths in sides of the die."""

    radius: float
    pitch: float
    six_squeeze: float
    one_scale: float
    narrow: dict[int, float]  # number: factor on the pitch of its pips
    upright: tuple[int, ...]  # numbers whose pips stand in a row along an edge, not along the diagonal

    def radius_of(self, number: int) -> float:
        """The pip radius of this face; a single pip may be larger."""
        return self.radius * (self.one_scale if number == 1 else 1)

    def spots(self, number: int, quarter_turns: int) -> Spots:
        """The pips of this face, rotated by quarter turns."""
        pitch = self.pitch * self.narrow.get(number, 1.0)
        wide = 0.0 if number in self.upright else self.six_squeeze if number == 6 else 1.0
        spots = [(x * wide * pitch, y * pitch) for x, y in PIP_LAYOUT[number]]
        for _ in range(quarter_turns):
            spots = [(-y, x) for x, y in spots]
        return spots


@dataclass(frozen=True)
class Glint:
    """The reflection of a lamp in every pip; lengths in pip radii, strength 0-1 of the way to white."""

    off_xy: tuple[float, float]
    radius: float
    strength: float


@dataclass
class Make:
    """One make of dice; all dice of a set share it. Lengths are fractions of the die's side, colours b, g, r
    0-1 as displayed.

    colour: the body's name; empty where two hues are mixed, because no single name fits.
    """

    colour: str
    body: np.ndarray
    pip: np.ndarray
    second: np.ndarray
    third: np.ndarray | None
    pattern: str  # plain, speckled, marbled, cloudy, blotched
    pips: Pips
    unevenness: float
    inked: dict[int, np.ndarray]  # number: its pip colour, where it differs from the others
    depth: float
    ring: float
    corner: float
    ball: float
    gloss: float
    translucency: float
    emblem_face: int | None
    engraved: bool
    disc: float  # radius of a round pane in each face, 0 = none
    glint: Glint | None  # the reflection in each pip


def _bgr(h: float, s: float, v: float) -> np.ndarray:
    hsv = np.array([[[h % 360, s, v]]], np.float32)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])


def _body(rng: np.random.Generator, colour: str) -> np.ndarray:
    ranges = HSV_RANGES[colour]
    first = len(ranges) == 1 or rng.random() < 0.68
    return _bgr(*(rng.uniform(*r) for r in ranges[0 if first else 1]))


def brightness(bgr: np.ndarray) -> float:
    return float(bgr @ np.array([0.114, 0.587, 0.299]))


def _pip(rng: np.random.Generator, colour: str, body: np.ndarray) -> np.ndarray:
    """A pip colour with contrast to the body: mostly black or white, sometimes gold, red, blue or another."""
    for _ in range(30):
        kind = rng.random()
        if kind < 0.8:
            pip = np.full(
                3, rng.uniform(0.01, 0.16) if brightness(body) > 0.5 else rng.uniform(0.85, 1.0), np.float32
            )
            if 0.25 < brightness(body) < 0.62 and rng.random() < 0.4:
                pip = np.full(3, rng.choice([0.06, 0.95]), np.float32)
        elif kind < 0.87:
            pip = _bgr(rng.uniform(38, 50), rng.uniform(0.4, 0.8), rng.uniform(0.6, 0.9))
        else:
            pip = _bgr(rng.uniform(0, 360), rng.uniform(0.6, 1), rng.uniform(0.2, 1))
        if abs(brightness(pip) - brightness(body)) > 0.28:
            return pip
    return np.full(3, 0.03 if brightness(body) > 0.5 else 0.95, np.float32)


def body_of_hues(rng: np.random.Generator) -> Make:
    """A random make with a body of two or three hues, and no emblem."""
    while True:
        make = random_make(rng)
        if not make.colour and make.emblem_face is None:
            return make


def _marbled_pip(rng: np.random.Generator, colour: str, body: np.ndarray) -> np.ndarray:
    """A pip colour on a body of several hues: often gold or pale, with little contrast."""
    kind = rng.random()
    if kind < GOLD_SHARE:
        pip = _bgr(rng.uniform(38, 50), rng.uniform(0.4, 0.8), rng.uniform(0.55, 0.95))
    elif kind < GOLD_SHARE + PALE_SHARE:
        pip = _bgr(rng.uniform(0, 360), rng.uniform(0, 0.2), rng.uniform(0.75, 1.0))
    else:
        return _pip(rng, colour, body)
    return pip if abs(brightness(pip) - brightness(body)) > MARBLED_CONTRAST else _pip(rng, colour, body)


def _any_hue(rng: np.random.Generator) -> np.ndarray:
    return _bgr(rng.uniform(0, 360), rng.uniform(0.3, 1), rng.uniform(0.2, 1))


def _second(rng: np.random.Generator, body: np.ndarray) -> np.ndarray:
    """The colour of a body's speckles or marbling: a similar shade, or the body mixed with white or black."""
    if rng.random() < 0.5:
        return np.clip(body + rng.normal(0, 0.2, 3), 0.02, 1).astype(np.float32)
    mixed = body + (rng.choice([0.0, 1.0], p=[0.35, 0.65]) - body) * rng.uniform(0.15, 0.6)
    return np.asarray(mixed, np.float32)


def random_make(rng: np.random.Generator) -> Make:
    """A random plausible make of dice."""
    colour = str(rng.choice(list(COLOUR_SHARE), p=list(COLOUR_SHARE.values())))
    body = _body(rng, colour)
    pattern = str(
        rng.choice(["plain", "speckled", "marbled", "cloudy", "blotched"], p=[0.52, 0.08, 0.16, 0.14, 0.1])
    )
    two_hues = pattern in ("marbled", "cloudy", "blotched") and rng.random() < TWO_HUES_SHARE
    round_faced = rng.random() < 0.35
    inked = _inked(rng, colour)
    faint = rng.random() < FAINT_SHARE
    return Make(
        colour="" if two_hues else colour,
        body=body,
        pip=_faint_pip(rng, body)
        if faint
        else _marbled_pip(rng, colour, body)
        if two_hues
        else _pip(rng, colour, body),
        second=_any_hue(rng) if two_hues else _second(rng, body),
        third=_any_hue(rng) if two_hues and rng.random() < THREE_HUES_SHARE else None,
        pattern=pattern,
        pips=_common_pips(rng, bool(inked)) if rng.random() < COMMON_SHARE else odd_pips(rng, bool(inked)),
        unevenness=float(rng.choice([0.0, rng.uniform(0, 0.02)])),
        inked=inked,
        depth=float(rng.choice([0.0, rng.uniform(0.2, 1.1)], p=[0.3, 0.7])),
        ring=float(rng.choice([0.0, rng.uniform(0.2, 0.7)], p=[0.8, 0.2])),
        corner=float(
            rng.uniform(0.01, 0.2)
            if round_faced
            else rng.choice([rng.uniform(0.01, 0.08), rng.uniform(0.08, 0.3)])
        ),
        ball=float(rng.uniform(0.63, 0.78) if round_faced else 0.9),
        gloss=float(rng.uniform(0, 1)),
        translucency=float(
            rng.uniform(0.3, 1) if faint else rng.choice([0.0, rng.uniform(0.2, 1)], p=[0.65, 0.35])
        ),
        emblem_face=int(rng.choice([1, 6])) if rng.random() < 0.06 else None,
        engraved=bool(rng.random() < 0.04),
        disc=float(rng.uniform(0.38, 0.5)) if rng.random() < 0.07 else 0.0,
        glint=_glint(rng) if rng.random() < GLINT_SHARE else None,
    )


def _faint_pip(rng: np.random.Generator, body: np.ndarray) -> np.ndarray:
    """A translucent white or black, mixed with the body's colour."""
    towards = float(brightness(body) < rng.uniform(0.35, 0.75))
    return (body + (towards - body) * rng.uniform(*FAINT)).astype(np.float32)


def _glint(rng: np.random.Generator) -> Glint:
    angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.6)
    off_xy = (float(away * np.cos(angle)), float(away * np.sin(angle)))
    return Glint(off_xy, float(rng.uniform(0.2, 0.6)), float(rng.uniform(0.3, 1)))


def _common_pips(rng: np.random.Generator, inked: bool) -> Pips:
    return Pips(
        radius=float(rng.uniform(0.06, 0.125)),
        pitch=float(rng.uniform(0.2, 0.29) if rng.random() < 0.75 else rng.uniform(0.15, 0.335)),
        six_squeeze=float(rng.choice([1.0, rng.uniform(0.72, 1.0)])),
        one_scale=float(rng.choice([1.0, rng.uniform(1.2, 2.0)], p=[0.75, 0.25]))
        if not inked
        else float(rng.uniform(1.3, 2.2)),
        narrow={n: float(rng.uniform(0.4, 0.95)) for n in (2, 3) if rng.random() < 0.25},
        upright=tuple(n for n in (2, 3) if rng.random() < 0.12),
    )


def odd_pips(rng: np.random.Generator, inked: bool) -> Pips:
    """A random layout, uniform over those whose pips do not touch: rows of three that nearly touch or stand
    close together, wide margins, tiny and large pips. The size of a single pip varies most."""
    pitch = float(rng.uniform(0.15, 0.33))
    most = min(TOUCHING * pitch, MAX_PIP_REACH - pitch, 0.135)
    radius = most * float(rng.uniform(0.85, 1.0)) if rng.random() < 0.35 else float(rng.uniform(0.04, most))
    closest = radius / pitch / TOUCHING  # share of the pitch at which two pips touch
    alone = np.exp(rng.uniform(np.log(max(0.5, 0.03 / radius)), np.log(2.2)))
    return Pips(
        radius=radius,
        pitch=pitch,
        six_squeeze=float(rng.uniform(0.5, 1.0)),
        one_scale=float(rng.uniform(1.0, 2.2) if inked else alone),
        narrow={n: float(rng.uniform(max(0.4, closest), 1.0)) for n in (2, 3) if rng.random() < 0.25},
        upright=tuple(n for n in (2, 3) if rng.random() < 0.12),
    )


def random_ink(rng: np.random.Generator) -> np.ndarray:
    """(3,) float32 0-1: a colour that makers print single pips in, mostly red."""
    if rng.random() < 0.5:
        return np.array([rng.uniform(0, 0.15), rng.uniform(0, 0.12), rng.uniform(0.6, 0.9)], np.float32)
    return _bgr(rng.uniform(0, 360), rng.uniform(0.7, 1), rng.uniform(0.3, 0.9))


def _inked(rng: np.random.Generator, colour: str) -> dict[int, np.ndarray]:
    """Pip colours by number. East Asian dice have a red 1, mostly a red 4, and sometimes blue pips elsewhere;
    a few makes have a colour per number."""
    red = np.array([rng.uniform(0, 0.15), rng.uniform(0, 0.12), rng.uniform(0.6, 0.9)], np.float32)
    blue = np.array([rng.uniform(0.4, 0.8), rng.uniform(0.05, 0.3), rng.uniform(0, 0.15)], np.float32)
    if colour == "white" and rng.random() < 0.25:
        inked = {1: red, 4: red} if rng.random() < 0.75 else {1: red}
        return inked | (dict.fromkeys((2, 3, 5, 6), blue) if rng.random() < 0.3 else {})
    if rng.random() < INKED_ONE_SHARE:
        return {1: random_ink(rng)}
    if rng.random() < 0.04:
        return {
            int(n): _bgr(rng.uniform(0, 360), rng.uniform(0.7, 1), rng.uniform(0.3, 0.9))
            for n in rng.permutation(6)[:3] + 1
        }
    return {}


def painted(make: Make, rng: np.random.Generator) -> tuple[np.ndarray, list[int], list[Spots]]:
    """A die of this make: six face textures (6, FACE_PX, FACE_PX, 5), the number of each, and its pips (none
    on an emblem).

    Opposite faces add up to seven. The handedness of the die and the rotation of each face are random.
    """
    numbers = numbered(rng)
    painted_faces = [_face(make, n, rng) for n in numbers]
    return np.stack([face for face, _ in painted_faces]), numbers, [spots for _, spots in painted_faces]


def painted_blank(make: Make, rng: np.random.Generator) -> np.ndarray:
    """Face textures of a cube or ball that is no die: the body, with at most one mark per face."""
    faces = []
    for _ in range(6):
        colour = body_texture(make, rng)
        mark = np.zeros((FACE_PX, FACE_PX), np.uint8)
        kind = rng.random()
        middle = (FACE_PX // 2, FACE_PX // 2)
        if kind < 0.12:
            cv2.circle(mark, middle, int(rng.integers(18, 40)), 255, int(rng.integers(2, 8)), cv2.LINE_AA)
        elif kind < 0.24:
            letter = chr(rng.integers(65, 91))
            font = int(rng.integers(8))
            scale = float(rng.uniform(1.2, 2.2))
            cv2.putText(mark, letter, (28, 68), font, scale, 255, 4, cv2.LINE_AA)
        elif kind < 0.34:
            ends = rng.integers(8, FACE_PX - 8, (2, 2)).tolist()
            cv2.line(mark, ends[0], ends[1], 255, int(rng.integers(2, 10)), cv2.LINE_AA)
        cover = mark[..., None].astype(np.float32) / 255
        shown = colour * (1 - cover) + make.pip * cover
        faces.append(
            np.dstack([np.maximum(shown, 0) ** 2.2, np.zeros((FACE_PX, FACE_PX, 2), np.float32)]).astype(
                np.float32
            )
        )
    return np.stack(faces)


def numbered(rng: np.random.Generator) -> list[int]:
    """The numbers on +x -x +y -y +z -z: opposite faces add up to seven, and both handednesses occur."""
    pairs = rng.permutation([1, 2, 3])
    ends = [(int(p), 7 - int(p)) if rng.random() < 0.5 else (7 - int(p), int(p)) for p in pairs]
    return [n for pair in ends for n in pair]


def _face(make: Make, number: int, rng: np.random.Generator) -> tuple[np.ndarray, Spots]:
    body = body_texture(make, rng)
    mask, slope = np.zeros((FACE_PX, FACE_PX), np.float32), np.zeros((FACE_PX, FACE_PX, 2), np.float32)
    if make.disc:
        body = _with_disc(body, slope, make.disc, rng)
    spots: Spots = []
    if number == make.emblem_face:
        mask = _emblem(rng)
    else:
        off = rng.normal(0, make.unevenness, (6, 2)).tolist()
        even = make.pips.spots(number, int(rng.integers(4)))
        spots = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(even, off, strict=False)]
        for x, y in spots:
            _drill(mask, slope, x, y, make.pips.radius_of(number), make.depth)
    pip = make.inked.get(number, make.pip)
    if make.ring:
        rim = cv2.dilate(mask, np.ones((3, 3))) * (1 - mask)
        body = body * (1 - make.ring * rim[..., None])
    colour = body * (1 - mask[..., None]) + pip * mask[..., None]
    if make.glint:
        colour = _mirroring(colour, spots, make.pips.radius_of(number), make.glint)
    if make.engraved and rng.random() < 0.5:
        _engrave(colour, make, rng)
    return np.dstack([np.maximum(colour, 0) ** 2.2, slope]).astype(np.float32), spots


def _drill(mask: np.ndarray, slope: np.ndarray, x: float, y: float, radius: float, depth: float) -> None:
    radius *= FACE_PX
    at = ((x + 0.5) * FACE_PX - 0.5, (y + 0.5) * FACE_PX - 0.5)
    near = tuple(slice(max(int(c - radius) - 1, 0), max(int(c + radius) + 3, 0)) for c in reversed(at))
    v, u = _FACE_ROWS[near], _FACE_COLUMNS[near]
    away = np.hypot(u - at[0], v - at[1])
    cover = np.clip(radius - away + 0.5, 0, 1)
    np.maximum(mask[near], cover, out=mask[near])
    slope[..., 0][near] -= depth * cover * (u - at[0]) / radius
    slope[..., 1][near] -= depth * cover * (v - at[1]) / radius


_FACE_ROWS, _FACE_COLUMNS = np.mgrid[:FACE_PX, :FACE_PX].astype(np.float32)
"""Row and column of each px of a face, (FACE_PX, FACE_PX)."""


def _mirroring(colour: np.ndarray, spots: Spots, radius: float, glint: Glint) -> np.ndarray:
    """The face (FACE_PX, FACE_PX, 3) with a soft highlight in each pip."""
    v, u = (np.mgrid[:FACE_PX, :FACE_PX].astype(np.float32) + 0.5) / FACE_PX - 0.5
    share = np.zeros((FACE_PX, FACE_PX), np.float32)
    for x, y in spots:
        away = np.hypot(u - x - glint.off_xy[0] * radius, v - y - glint.off_xy[1] * radius) / (
            glint.radius * radius
        )
        np.maximum(share, glint.strength * np.exp(-(away**4)) * (np.hypot(u - x, v - y) < radius), out=share)
    return np.asarray(colour + share[..., None] * (1 - colour))


def _with_disc(body: np.ndarray, slope: np.ndarray, radius: float, rng: np.random.Generator) -> np.ndarray:
    """The body with a round pane in its middle, slightly darker or lighter, with a bevelled rim."""
    v, u = (np.mgrid[:FACE_PX, :FACE_PX].astype(np.float32) + 0.5) / FACE_PX - 0.5
    away = np.hypot(u, v)
    inside = np.clip((radius - away) * FACE_PX + 0.5, 0, 1)[..., None]
    rim = np.exp(-(((away - radius) * FACE_PX / 1.5) ** 2))[..., None]
    slope += rng.uniform(-0.8, 0.8) * rim * np.dstack([u, v]) / np.maximum(away, 0.01)[..., None]
    shaded = body * (1 + rng.uniform(-0.3, 0.3) * inside) * (1 + rng.uniform(-0.5, 0.4) * rim)
    return np.asarray(np.clip(shaded, 0, 1))


def _blotches(rng: np.random.Generator) -> np.ndarray:
    """A few soft spots; some are no larger than a pip."""
    v, u = np.mgrid[:FACE_PX, :FACE_PX].astype(np.float32) / FACE_PX
    share = np.zeros((FACE_PX, FACE_PX), np.float32)
    for _ in range(int(rng.integers(1, 6))):
        x, y = rng.uniform(0, 1, 2)
        size, squeeze = rng.uniform(0.05, 0.22), rng.uniform(0.6, 1.7)
        away = np.hypot((u - x) * squeeze, (v - y) / squeeze) / size
        share = np.maximum(share, rng.uniform(0.4, 1) * np.exp(-(away ** rng.uniform(2, 5))))
    return share


def _noise(rng: np.random.Generator, cells: int) -> np.ndarray:
    coarse = rng.random((cells, cells), np.float32)
    return np.asarray(cv2.resize(coarse, (FACE_PX, FACE_PX), interpolation=cv2.INTER_CUBIC))


def body_texture(make: Make, rng: np.random.Generator) -> np.ndarray:
    """(FACE_PX, FACE_PX, 3) float32: the body of one face, without pips."""
    if make.pattern == "plain":
        share = np.zeros((FACE_PX, FACE_PX), np.float32)
    elif make.pattern == "speckled":
        share = (cv2.GaussianBlur(_noise(rng, 48), (0, 0), 0.8) > 0.72).astype(np.float32)
    elif make.pattern == "marbled":
        veins = np.sin(
            (_noise(rng, int(rng.integers(3, 7))) * 2 + _noise(rng, int(rng.integers(7, 18))))
            * rng.uniform(4, 9)
        )
        share = np.clip(veins * 1.5 - 0.3, 0, 1)
    elif make.pattern == "blotched":
        share = _blotches(rng)
    else:
        share = np.clip(_noise(rng, 3) * 1.6 - 0.5, 0, 0.9)
    colour = make.body + share[..., None] * (make.second - make.body)
    if make.third is not None:
        swirl = np.clip(np.sin(_noise(rng, int(rng.integers(3, 8))) * rng.uniform(5, 12)) * 1.5, 0, 1)
        colour = colour + swirl[..., None] * (make.third - colour)
    return np.asarray(colour)


def _emblem(rng: np.random.Generator) -> np.ndarray:
    """An invented emblem: strokes mirrored left and right, without pips."""
    badge = np.zeros((FACE_PX, FACE_PX), np.uint8)
    points = rng.uniform(0.2, 0.8, (int(rng.integers(3, 8)), 2)) * FACE_PX
    if rng.random() < 0.5:
        cv2.fillPoly(badge, [points.astype(np.int32)], 255)
    else:
        cv2.polylines(badge, [points.astype(np.int32)], False, 255, int(rng.integers(3, 8)), cv2.LINE_AA)
    return np.maximum(badge, badge[:, ::-1]).astype(np.float32) / 255


def _engrave(colour: np.ndarray, make: Make, rng: np.random.Generator) -> None:
    """Draws thin figures or a maker's mark across a face, as on some casino dice."""
    figures = "".join(str(rng.integers(10)) for _ in range(rng.integers(2, 6)))
    at = (int(rng.integers(10, 40)), int(rng.integers(35, 65)))
    text = Text(figures, int(rng.integers(8)), float(rng.uniform(0.4, 0.9)), 1)
    draw_text(colour, text, at, make.pip.tolist())
