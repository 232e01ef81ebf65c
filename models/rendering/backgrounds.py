"""Backgrounds: mats, wood, felt, leather, paper, grids, patterns, trays, and objects beside the dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

Ground = np.ndarray
"""(side, side, 3) float32 b, g, r 0-1 as displayed."""
GroundKind = Callable[[np.random.Generator, int], Ground]
"""Draws a random ground of a kind, with this side in px."""


def _colour(rng: np.random.Generator) -> np.ndarray:
    """A random table colour: grey, brown or felt, and sometimes a vivid one."""
    kind = rng.random()
    if kind < 0.3:
        hsv = (rng.uniform(0, 360), rng.uniform(0, 0.12), rng.uniform(0.03, 1.0))
    elif kind < 0.5:
        hsv = (rng.uniform(12, 45), rng.uniform(0.1, 0.7), rng.uniform(0.15, 0.95))
    elif kind < 0.7:
        hsv = (rng.uniform(90, 170), rng.uniform(0.3, 1.0), rng.uniform(0.1, 0.7))
    elif kind < 0.78:
        hsv = (rng.uniform(70, 120), rng.uniform(0.7, 1.0), rng.uniform(0.6, 1.0))
    else:
        hsv = (rng.uniform(0, 360), rng.uniform(0.3, 1.0), rng.uniform(0.1, 1.0))
    colour: np.ndarray = cv2.cvtColor(np.array([[hsv]], np.float32), cv2.COLOR_HSV2BGR)[0, 0]
    return colour


def _noise(rng: np.random.Generator, side: int, cells_xy: tuple[int, int]) -> np.ndarray:
    """(side, side) smooth noise of about -1 to 1."""
    coarse = rng.normal(0, 0.5, (max(cells_xy[1], 2), max(cells_xy[0], 2))).astype(np.float32)
    return cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)


def _clouds(rng: np.random.Generator, side: int) -> np.ndarray:
    return sum(_noise(rng, side, (c, c)) * a for c, a in ((4, 0.5), (16, 0.3), (64, 0.2)))  # type: ignore[return-value]


def _flat(rng: np.random.Generator, side: int) -> Ground:
    return np.broadcast_to(_colour(rng), (side, side, 3)).copy()


def mat(rng: np.random.Generator, side: int) -> Ground:
    """Card, plastic or painted board: one colour with slight stains."""
    ground: Ground = _flat(rng, side) * (1 + rng.uniform(0, 0.12) * _clouds(rng, side)[..., None])
    return ground


def felt(rng: np.random.Generator, side: int) -> Ground:
    """Felt, cloth, carpet or leather: one colour, sometimes several, with grain of a random size."""
    grain: np.ndarray = np.asarray(
        cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), rng.uniform(0.5, 3.5))
    )
    grain /= grain.std()
    ground = _flat(rng, side) * (
        1 + rng.uniform(0.03, 0.3) * grain[..., None] + 0.1 * _clouds(rng, side)[..., None]
    )
    if rng.random() < 0.25:
        other = np.clip(grain * 2, 0, 1)[..., None]
        ground = ground * (1 - other) + _colour(rng) * other
    return ground


def leather(rng: np.random.Generator, side: int) -> Ground:
    """Leather: cells with dark creases."""
    cells = _noise(rng, side, (side // 6, side // 6))
    creases = np.exp(-np.abs(cells) * 8)[..., None]
    ground: Ground = _flat(rng, side) * (1 - rng.uniform(0.1, 0.5) * creases)
    return ground


def wood(rng: np.random.Generator, side: int) -> Ground:
    """Wood: boards with grain and knots."""
    hue, value = rng.uniform(14, 38), rng.uniform(0.3, 0.95)
    light: np.ndarray = cv2.cvtColor(
        np.array([[[hue, rng.uniform(0.2, 0.7), value]]], np.float32), cv2.COLOR_HSV2BGR
    )[0, 0]
    v, _ = np.mgrid[:side, :side].astype(np.float32) / side
    rings = v * rng.uniform(4, 30) + 0.6 * _noise(rng, side, (3, 6)) + 0.2 * _noise(rng, side, (4, 40))
    grain = 0.5 + 0.5 * np.sin(rings * 6.28) + 0.4 * _noise(rng, side, (6, side // 2))
    ground: Ground = light * (1 - rng.uniform(0.1, 0.45) * grain[..., None])
    for _ in range(int(rng.integers(0, 5))):
        knot = tuple(int(p) for p in rng.integers(0, side, 2))
        axes = (int(rng.integers(4, 26)), int(rng.integers(3, 14)))
        cv2.ellipse(ground, knot, axes, 0, 0, 360, [float(c) * 0.35 for c in light], -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        for x in range(0, side, int(rng.integers(60, 300))):
            cv2.line(ground, (0, x), (side, x), [float(c) * 0.3 for c in light], int(rng.integers(1, 4)))
    return np.rot90(ground, int(rng.integers(4))).copy()


def ruled(rng: np.random.Generator, side: int) -> Ground:
    """Squared or ruled paper, tiles, chequers or gratings."""
    ground, ink = _flat(rng, side), [float(c) for c in _colour(rng)]
    pitch, width = int(rng.integers(8, 120)), int(rng.integers(1, 7))
    if rng.random() < 0.3:
        cells = (np.add.outer(np.arange(side) // pitch, np.arange(side) // pitch) % 2).astype(bool)
        ground[cells] = ink
    else:
        for x in range(0, side, pitch):
            cv2.line(ground, (x, 0), (x, side), ink, width, cv2.LINE_AA)
            if rng.random() < 0.9:
                cv2.line(ground, (0, x), (side, x), ink, width, cv2.LINE_AA)
    return _rotated(ground, rng)


def striped(rng: np.random.Generator, side: int) -> Ground:
    """Striped or checked cloth: bands of two to four colours, some narrower than a pip, with a weave."""
    bands: list[np.ndarray] = []
    colours = [_colour(rng) for _ in range(int(rng.integers(2, 5)))]
    if rng.random() < 0.5:
        colours[0] = np.full(3, rng.uniform(0.75, 0.95))
    widest = float(np.exp(rng.uniform(np.log(4), np.log(60))))
    while len(bands) < side:
        colour = colours[int(rng.integers(len(colours)))]
        bands += [colour] * max(2, int(widest * rng.uniform(0.3, 1)))
    across = np.array(bands[:side], np.float32)
    ground: Ground = np.repeat(across[:, None], side, axis=1)
    if rng.random() < CHECKED_SHARE:
        ground = (ground + np.repeat(across[None], side, axis=0)) / 2
    weave = rng.normal(0, float(rng.uniform(0.005, 0.04)), (side, side, 1)).astype(np.float32)
    return _rotated(cv2.GaussianBlur(ground, (0, 0), float(rng.uniform(0.4, 1.2))) + weave, rng)


def patterned(rng: np.random.Generator, side: int) -> Ground:
    """Prints: dots, rings, blobs and text in several colours."""
    ground = _flat(rng, side)
    inks = [_colour(rng) for _ in range(int(rng.integers(1, 5)))]
    for _ in range(int(rng.integers(20, 260))):
        _mark(ground, rng, [float(c) for c in inks[int(rng.integers(len(inks)))]], rng.uniform(2, 30))
    return ground


def grille(rng: np.random.Generator, side: int) -> Ground:
    """The grille of a lamp or loudspeaker: rings and bars of one colour round a centre, or holes."""
    ground, ink = _flat(rng, side), [float(c) for c in _colour(rng)]
    pitch = int(rng.integers(12, 90))
    width = max(1, int(pitch * rng.uniform(0.15, 0.6)))
    middle = tuple(int(v) for v in rng.uniform(0.3, 0.7, 2) * side)
    if rng.random() < 0.4:
        for y in range(0, side, pitch):
            for x in range((y // pitch % 2) * pitch // 2, side, pitch):
                cv2.circle(ground, (x, y), max(1, width // 2), ink, -1, cv2.LINE_AA)
        return _rotated(ground, rng)
    for r in range(pitch, side, pitch * int(rng.integers(1, 4))):
        cv2.circle(ground, middle, r, ink, width, cv2.LINE_AA)
    if rng.random() < 0.5:
        for x in range(0, side, pitch):
            cv2.line(ground, (x, 0), (x, side), ink, max(1, width // 2), cv2.LINE_AA)
            cv2.line(ground, (0, x), (side, x), ink, max(1, width // 2), cv2.LINE_AA)
    else:
        for a in np.arange(0, 2 * np.pi, float(rng.uniform(0.15, 0.8))):
            end = (int(middle[0] + side * np.cos(a)), int(middle[1] + side * np.sin(a)))
            cv2.line(ground, middle, end, ink, max(1, width // 2), cv2.LINE_AA)
    return ground


def glowing(ground: Ground, rng: np.random.Generator) -> Ground:
    """The ground lit from below or behind: its bright parts are far brighter than the objects on it."""
    return ground ** rng.uniform(1, 2) * rng.uniform(1.5, 3.0)


def _mark(ground: Ground, rng: np.random.Generator, ink: list[float], size: float) -> None:
    at = tuple(int(p) for p in rng.integers(0, len(ground), 2))
    kind, thick = rng.integers(6), int(rng.choice([-1, 1, 2, 4]))
    if kind == 0:
        cv2.circle(ground, at, int(size), ink, thick, cv2.LINE_AA)
    elif kind == 1:
        ends = tuple(int(p) for p in np.array(at) + rng.normal(0, size * 5, 2))
        cv2.line(ground, at, ends, ink, max(1, int(size / 6)), cv2.LINE_AA)
    elif kind == 2:
        cv2.fillConvexPoly(
            ground, (np.array(at) + rng.normal(0, size, (4, 2))).astype(np.int32), ink, cv2.LINE_AA
        )
    elif kind == 3:
        words = "".join(chr(rng.integers(33, 123)) for _ in range(rng.integers(1, 14)))
        draw_text(ground, Text(words, int(rng.integers(8)), size / 18, max(1, int(size / 10))), at, ink)
    elif kind == 4:
        cv2.ellipse(
            ground,
            at,
            (int(size * 2), int(size)),
            float(rng.uniform(0, 360)),
            0,
            360,
            ink,
            thick,
            cv2.LINE_AA,
        )
    else:
        spots = np.array(at) + rng.normal(0, size * 1.5, (int(rng.integers(1, 9)), 2))
        for x, y in spots:
            cv2.circle(ground, (int(x), int(y)), max(1, int(size / 3)), ink, -1, cv2.LINE_AA)


@dataclass(frozen=True)
class Text:
    """Words in a font of OpenCV: font 0-7, scale as in cv2.putText, thickness of the strokes in px."""

    words: str
    font: int
    scale: float
    thickness: int


def draw_text(ground: Ground, text: Text, at: tuple[int, ...], ink: Sequence[float]) -> None:
    """Draws text on a float picture, in place (OpenCV draws text on bytes only)."""
    mask = np.zeros(ground.shape[:2], np.uint8)
    cv2.putText(mask, text.words, at, text.font, text.scale, 255, text.thickness, cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(mask)
    cover = mask[y : y + h, x : x + w, None].astype(np.float32) / 255
    part = ground[y : y + h, x : x + w]
    part[:] = part * (1 - cover) + np.asarray(ink, np.float32) * cover


def _rotated(ground: Ground, rng: np.random.Generator) -> Ground:
    side = len(ground)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), 1.0)
    return cv2.warpAffine(ground, turn, (side, side), borderMode=cv2.BORDER_REFLECT)


def from_photographs(patches: Sequence[np.ndarray]) -> Callable[[np.random.Generator, int], Ground]:
    """A ground cut from dice-free crops of photographs (each (h, w, 3) uint8), continued by mirroring."""

    def ground(rng: np.random.Generator, side: int) -> Ground:
        patch = patches[int(rng.integers(len(patches)))]
        k = rng.uniform(0.6, 2.0) * side / 3 / max(patch.shape[:2])
        small = cv2.resize(
            patch, None, fx=k, fy=k, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR
        )
        h, w = small.shape[:2]
        missing = ((0, max(0, side - h)), (0, max(0, side - w)), (0, 0))
        tiled = np.pad(small, missing, "symmetric")[:side, :side]
        return _rotated(tiled.astype(np.float32) / 255, rng)

    return ground


CHECKED_SHARE = 0.25
"""Share of striped cloths that have stripes both ways."""
LINT_SHARE, FIBRE_SHARE, EYE_SHARE = 0.12, 0.3, 0.3
"""Share of grounds with lint, and of its specks: fibres, and flakes with a darker middle."""
GROUNDS: tuple[GroundKind, ...] = (
    mat, mat, mat, felt, felt, felt, leather, wood, wood, wood, ruled, patterned, striped, grille,
)  # fmt: skip


# --- objects on the ground ----------------------------------------------------------------------------------


def cluttered(ground: Ground, rng: np.random.Generator, die_px: float) -> Ground:
    """The ground with flat objects: coins, pens, cards, screws, dot clusters, squares as large as a die."""
    for _ in range(int(rng.integers(0, 14))):
        _add_object(ground, rng, die_px)
    if rng.random() < LINT_SHARE:
        ground = linted(ground, rng, die_px)
    return ground


def linted(ground: Ground, rng: np.random.Generator, die_px: float) -> Ground:
    """The ground with lint, crumbs and dust: soft specks, flakes with an eye in the middle, and fibres."""
    cover = np.zeros(ground.shape[:2], np.float32)
    for _ in range(int(rng.integers(6, 40))):
        at, size = (
            rng.uniform(0, len(ground), 2),
            die_px * float(np.exp(rng.uniform(np.log(0.05), np.log(0.7)))),
        )
        fleck = np.zeros_like(cover)
        if rng.random() < FIBRE_SHARE:
            bends = np.cumsum(rng.normal(0, 0.6 * size, (int(rng.integers(3, 8)), 2)), axis=0) + at
            cv2.polylines(fleck, [bends.astype(np.int32)], False, 1.0, 1, cv2.LINE_AA)
        else:
            around = np.linspace(0, 2 * np.pi, 9)[:-1]
            away = size / 2 * rng.uniform(0.5, 1, 8)
            outline = at + away[:, None] * np.stack([np.cos(around), np.sin(around)], 1)
            cv2.fillPoly(fleck, [outline.astype(np.int32)], 1.0, cv2.LINE_AA)
            if rng.random() < EYE_SHARE:
                cv2.circle(fleck, (int(at[0]), int(at[1])), max(1, int(0.15 * size)), 0.2, -1, cv2.LINE_AA)
        strength = float(rng.uniform(0.2, 1))
        np.maximum(cover, strength * cv2.GaussianBlur(fleck, (0, 0), float(rng.uniform(0.5, 1.8))), out=cover)
    light = float(ground.mean()) < 0.5 or rng.random() < 0.3
    fluff = np.full(3, rng.uniform(0.55, 1.0) if light else rng.uniform(0.02, 0.3)) * np.exp(
        rng.normal(0, 0.08, 3)
    )
    return np.asarray(ground + cover[..., None] * (fluff - ground), np.float32)


def _add_object(ground: Ground, rng: np.random.Generator, die_px: float) -> None:
    at = rng.uniform(0, len(ground), 2)
    ink = [float(c) for c in _colour(rng)]
    OBJECTS[int(rng.integers(len(OBJECTS)))](ground, rng, at, die_px, ink)


def _coin(ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, ink: list[float]) -> None:
    """Draws a coin or a washer."""
    middle, dark = (int(at[0]), int(at[1])), [c * 0.4 for c in ink]
    r = int(die_px * rng.uniform(0.2, 0.9)) + 1
    cv2.circle(ground, middle, r, ink, -1, cv2.LINE_AA)
    cv2.circle(ground, middle, r, dark, 1, cv2.LINE_AA)
    cv2.circle(
        ground, middle, max(1, int(r * rng.uniform(0.1, 0.8))), dark, int(rng.choice([-1, 1, 2])), cv2.LINE_AA
    )


def _stick(ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, ink: list[float]) -> None:
    """Draws a pen, a cable or a stick."""
    end = at + rng.normal(0, die_px * 6, 2)
    thick = max(1, int(die_px * rng.uniform(0.05, 0.5)))
    cv2.line(ground, (int(at[0]), int(at[1])), (int(end[0]), int(end[1])), ink, thick, cv2.LINE_AA)


def _card(ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, ink: list[float]) -> None:
    """Draws a card, a phone or a book."""
    _slab(ground, rng, at, die_px * rng.uniform(1.5, 6), ink)


def _blank_square(
    ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, ink: list[float]
) -> None:
    """Draws a square as large as a die, bare or with one mark: a hard negative."""
    _slab(ground, rng, at, die_px * rng.uniform(0.7, 1.2), ink)


def _dots(ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, ink: list[float]) -> None:
    """Draws loose dots and screw heads."""
    for x, y in at + rng.normal(0, die_px, (int(rng.integers(1, 7)), 2)):
        cv2.circle(
            ground, (int(x), int(y)), max(1, int(die_px * rng.uniform(0.05, 0.2))), ink, -1, cv2.LINE_AA
        )


def _words(ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, ink: list[float]) -> None:
    words = "".join(chr(rng.integers(33, 123)) for _ in range(rng.integers(2, 12)))
    scale = die_px * rng.uniform(0.01, 0.06)
    text = Text(words, int(rng.integers(8)), scale, max(1, int(scale * 1.5)))
    draw_text(ground, text, (int(at[0]), int(at[1])), ink)


def _finger(
    ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, _ink: list[float]
) -> None:
    """Draws a finger: a long shape in a skin colour."""
    hsv = np.array([[[rng.uniform(8, 30), rng.uniform(0.2, 0.6), rng.uniform(0.3, 1)]]], np.float32)
    skin = [float(c) for c in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]]
    end, thick = at + rng.normal(0, die_px * 3, 2), int(die_px * rng.uniform(0.6, 1.6)) + 1
    cv2.line(ground, (int(at[0]), int(at[1])), (int(end[0]), int(end[1])), skin, thick, cv2.LINE_AA)


def _tint(ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, _ink: list[float]) -> None:
    """Tints a patch: a shadow, a stain or a reflection."""
    axes = (int(die_px * rng.uniform(0.5, 5)), int(die_px * rng.uniform(0.5, 5)))
    stain: np.ndarray = np.zeros(ground.shape[:2], np.float32)
    cv2.ellipse(stain, (int(at[0]), int(at[1])), axes, float(rng.uniform(0, 360)), 0, 360, 1.0, -1)
    stain = cv2.GaussianBlur(stain, (0, 0), 1 + die_px * 0.2)[..., None]
    ground[:] = ground * (1 + stain * rng.uniform(-0.5, 0.4))


def _badge(
    ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, _ink: list[float]
) -> None:
    """Draws a badge, logo, key or icon: a disc or rounded square with letters or a few strokes."""
    size = die_px * float(rng.uniform(0.5, 1.5))
    middle, r = (int(at[0]), int(at[1])), max(2, int(size / 2))
    body, ink = ([float(c) for c in _colour(rng)] for _ in range(2))
    if rng.random() < 0.5:
        cv2.circle(ground, middle, r, body, -1, cv2.LINE_AA)
    else:
        sides, turn = (size * 0.8, size * float(rng.uniform(0.6, 0.9))), float(rng.uniform(0, 90))
        corners = cv2.boxPoints(((float(at[0]), float(at[1])), sides, turn))
        cv2.fillConvexPoly(ground, corners.astype(np.int32), body, cv2.LINE_AA)
        cv2.polylines(ground, [corners.astype(np.int32)], True, body, max(1, int(size * 0.15)), cv2.LINE_AA)
    if rng.random() < 0.6:
        letters = "".join(
            chr(rng.choice([*range(48, 58), *range(65, 91), *range(97, 123)]))
            for _ in range(rng.integers(1, 4))
        )
        scale = size * float(rng.uniform(0.012, 0.024)) / len(letters) ** 0.5
        foot = (int(at[0] - scale * 10 * len(letters)), int(at[1] + scale * 10))
        text = Text(letters, int(rng.integers(8)), scale, max(1, int(scale * rng.uniform(1, 3.5))))
        draw_text(ground, text, foot, ink)
        return
    for _ in range(int(rng.integers(1, 5))):
        spot = (int(at[0] + rng.normal(0, size * 0.15)), int(at[1] + rng.normal(0, size * 0.15)))
        axes = (max(1, int(size * rng.uniform(0.05, 0.3))), max(1, int(size * rng.uniform(0.05, 0.3))))
        turn, start = float(rng.uniform(0, 180)), float(rng.uniform(0, 360))
        thick = int(rng.choice([-1, max(1, int(size / 10))]))
        cv2.ellipse(
            ground, spot, axes, turn, start, start + float(rng.uniform(60, 360)), ink, thick, cv2.LINE_AA
        )


def _screw(ground: Ground, rng: np.random.Generator, at: np.ndarray, die_px: float, ink: list[float]) -> None:
    """Draws a screw head, knob, counter or pill: a domed disc with a slot, a cross, a hole or no mark."""
    middle, r = (int(at[0]), int(at[1])), int(die_px * rng.uniform(0.15, 0.75)) + 1
    v, u = np.mgrid[-r - 2 : r + 3, -r - 2 : r + 3].astype(np.float32)
    cover = np.clip(r - np.hypot(u, v) + 0.5, 0, 1)
    shine = 1 + rng.uniform(0, 0.5) * (u * rng.uniform(-1, 1) + v * rng.uniform(-1, 1)) / r
    head = np.clip(np.array(ink, np.float32) * shine[..., None], 0, 1).astype(np.float32)
    centre = (r + 2, r + 2)
    dark = [c * float(rng.uniform(0.1, 0.7)) for c in ink]
    wide = max(1, int(r * rng.uniform(0.1, 0.35)))
    kind, a = int(rng.integers(5)), rng.uniform(0, np.pi)
    for turn in (0.0, np.pi / 2)[: (1, 2, 0, 0, 0)[kind]]:
        arm = np.array([np.cos(a + turn), np.sin(a + turn)]) * r * 0.8
        ends = [tuple(int(c) for c in np.array(centre) + sign * arm) for sign in (1, -1)]
        cv2.line(head, ends[0], ends[1], dark, wide, cv2.LINE_AA)
    if kind == 2:
        cv2.circle(
            head,
            centre,
            max(1, int(r * rng.uniform(0.1, 0.6))),
            dark,
            int(rng.choice([-1, wide])),
            cv2.LINE_AA,
        )
    shadow = np.clip(r * 1.15 - np.hypot(u - 1, v - 1), 0, 1) * rng.uniform(0, 0.6)
    _blend(ground, np.zeros_like(head) + 0.02, shadow, middle, r + 2)
    _blend(ground, head, cover, middle, r + 2)


def _blend(ground: Ground, layer: np.ndarray, cover: np.ndarray, middle: tuple[int, int], reach: int) -> None:
    """Blends a (2 reach + 1) square layer around the middle, in place, cropped to the ground."""
    side = len(ground)
    x0, y0 = max(middle[0] - reach, 0), max(middle[1] - reach, 0)
    x1, y1 = min(middle[0] + reach + 1, side), min(middle[1] + reach + 1, side)
    if x1 <= x0 or y1 <= y0:
        return
    part = np.s_[
        y0 - middle[1] + reach : y1 - middle[1] + reach, x0 - middle[0] + reach : x1 - middle[0] + reach
    ]
    share = cover[part][..., None]
    ground[y0:y1, x0:x1] = ground[y0:y1, x0:x1] * (1 - share) + layer[part] * share


def _slab(ground: Ground, rng: np.random.Generator, at: np.ndarray, size: float, ink: list[float]) -> None:
    box = (
        (float(at[0]), float(at[1])),
        (size, size * float(rng.uniform(0.6, 1.1))),
        float(rng.uniform(0, 90)),
    )
    corners = cv2.boxPoints(box)
    shadow = (corners + rng.normal(0, size * 0.06, 2)).astype(np.int32)
    cv2.fillConvexPoly(ground, shadow, [0.04, 0.04, 0.04], cv2.LINE_AA)
    cv2.fillConvexPoly(ground, corners.astype(np.int32), ink, cv2.LINE_AA)
    if rng.random() < 0.4:
        _mark_inside(ground, rng, at, size)


def _mark_inside(ground: Ground, rng: np.random.Generator, at: np.ndarray, size: float) -> None:
    ink = [float(c) for c in _colour(rng)]
    end = at + rng.normal(0, size * 0.3, 2)
    cv2.line(
        ground, (int(at[0]), int(at[1])), (int(end[0]), int(end[1])), ink, max(1, int(size / 12)), cv2.LINE_AA
    )


OBJECTS: tuple[Callable[[Ground, np.random.Generator, np.ndarray, float, list[float]], None], ...] = (
    _coin, _stick, _card, _blank_square, _dots, _words, _finger, _tint, _screw, _screw, _badge, _badge,
)  # fmt: skip
"""What lies on a ground: functions that draw an object at a position, a size in px, and a colour."""


def trayed(
    ground: Ground,
    rng: np.random.Generator,
    reach_px: float,
    others: Callable[[np.random.Generator, int], Ground],
) -> Ground:
    """The ground inside a rim of wood or leather (round, six-sided or square); another table outside."""
    side = len(ground)
    corners = int(rng.choice([4, 4, 4, 6, 8, 60]))
    turn = rng.uniform(0, 6.28)
    angles = turn + np.arange(corners) * 2 * np.pi / corners
    ring = (
        np.stack([np.cos(angles), np.sin(angles) * rng.uniform(0.7, 1)], 1)
        * reach_px
        * (1.25 if corners == 4 else 1.1)
    )
    outer = others(rng, side)
    rim = wood(rng, side) if rng.random() < 0.6 else mat(rng, side)
    width = reach_px * rng.uniform(0.04, 0.2)
    middle = side / 2
    for k, layer in ((1 + width / reach_px, rim), (1.0, ground)):
        shape = np.zeros((side, side), np.float32)
        cv2.fillPoly(shape, [(ring * k + middle).astype(np.int32)], 1.0, cv2.LINE_AA)
        dark = cv2.GaussianBlur(shape, (0, 0), 3 + width / 3)[..., None]
        outer = outer * (1 - rng.uniform(0.2, 0.6) * dark) * (1 - shape[..., None]) + layer * shape[..., None]
        if layer is ground:
            inside = cv2.GaussianBlur(shape, (0, 0), 1 + width / 2)[..., None]
            outer = outer * (1 - rng.uniform(0, 0.6) * shape[..., None] * (1 - inside) * 2).clip(0, 1)
    return outer
