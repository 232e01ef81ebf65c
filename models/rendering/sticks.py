"""Throwing sticks as textures: wood, paint, Ogham letters, a figure, and the shading of a half-round back.

A household makes its sticks alike, so a `StickSet` has what they share. `side_up` draws one side of one of
them, seen from straight above, with its foot at the left. Colours are b, g, r 0-1 as displayed.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

RIGHT, LEFT, ACROSS, NOTCH = "right", "left", "across", "notch"
WORDS: dict[str, tuple[tuple[str, int], ...]] = {
    "dog": ((LEFT, 4), (NOTCH, 3)),
    "deer": ((RIGHT, 3), (NOTCH, 5), (NOTCH, 1), (LEFT, 2), (LEFT, 1)),
    "cow": ((LEFT, 3), (NOTCH, 1), (ACROSS, 5), (RIGHT, 1), (LEFT, 1)),
    "horse": ((NOTCH, 4), (NOTCH, 1), (LEFT, 4), (LEFT, 1)),
}
"""The Ogham letters of CU, FIADH, TARBH and EACH from the foot: where the strokes are, and how many."""
ANIMALS = tuple(WORDS)
FINER = 2
"""Lettering is drawn this much larger and scaled down, for smooth edges."""
SUBPIXEL_BITS = 4
"""Fractional bits of the coordinates that OpenCV draws with."""
BLACK_VALUE, DARK_VALUE, MAX_BLACK_CHROMA = 0.2, 0.34, 0.06
"""A back is black if its largest channel is at most BLACK_VALUE and its channels differ by less than
MAX_BLACK_CHROMA. Below DARK_VALUE it may be called black or round."""
PALE_VALUE, PALE_CHROMA, LESS_PALE = 0.72, 0.12, 0.75
"""A back whose least channel is above PALE_VALUE, and whose channels differ by less than PALE_CHROMA, would
be taken for a white side. It is drawn darker, by the factor LESS_PALE."""


@dataclass(frozen=True, eq=False)
class StickSet:
    """What the sticks of a household have in common.

    length_mm, width_mm, height_mm: of a stick.
    half_round: whether the back is round; else the sticks are flat.
    ends: square, round or chamfered; end_mm: how far the ends are cut.
    wood_bgr, grain: of the flat side. back_bgr, back_grain, gloss: of the back.
    white, black: whether the flat side is painted white, and the back black, as for Down the Danube.
    ink_bgr, burnt: of the lettering. stem: whether a stem line is drawn; dots: whether notches are dots.
    stroke_width, stroke_length, notch_length: shares of the stick's width.
    slant: of the strokes across, as a share of their length. stem_offset: of the stem from the middle.
    extent: share of the length that letters take up; max_pitch: largest distance of strokes, in widths.
    letter_gap: distance of two letters, in distances of strokes. jitter: of a hand, share of the width.
    figure: share of the length that a figure takes up; 0: none. figure_at_foot: where it is.
    """

    length_mm: float
    width_mm: float
    height_mm: float
    half_round: bool
    ends: str
    end_mm: float
    wood_bgr: np.ndarray
    grain: float
    back_bgr: np.ndarray
    back_grain: float
    gloss: float
    danube: bool
    ink_bgr: np.ndarray
    burnt: bool
    stem: bool
    dots: bool
    stroke_width: float
    stroke_length: float
    notch_length: float
    slant: float
    stem_offset: float
    extent: float
    max_pitch: float
    letter_gap: float
    jitter: float
    figure: float
    figure_at_foot: bool


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a stick, seen from straight above.

    face: round, dog, deer, cow, horse, white or black; empty for letters that name no animal.
    dark: whether a back is so dark that it may be called black or round.
    texture: (h, w, 3) float32, without light. round_back: whether the surface is the round back.
    outline: (n, 2) corners, -0.5 to 0.5 along the stick and across it.
    """

    face: str
    dark: bool
    texture: np.ndarray
    round_back: bool
    outline: np.ndarray


def bgr_of(hue: float, saturation: float, value: float) -> np.ndarray:
    """(3,) b, g, r 0-1. hue: degrees."""
    colour: np.ndarray = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.float32), cv2.COLOR_HSV2BGR)
    return np.asarray(colour[0, 0])


def wood_colour(rng: np.random.Generator) -> np.ndarray:
    """The colour of pale, brown, reddish, dark or grey wood."""
    kind = rng.random()
    if kind < 0.45:
        return bgr_of(rng.uniform(24, 42), rng.uniform(0.12, 0.5), rng.uniform(0.7, 1.0))
    if kind < 0.8:
        return bgr_of(rng.uniform(10, 36), rng.uniform(0.3, 0.65), rng.uniform(0.4, 0.8))
    if kind < 0.92:
        return bgr_of(rng.uniform(5, 30), rng.uniform(0.3, 0.6), rng.uniform(0.25, 0.45))
    return bgr_of(rng.uniform(20, 50), rng.uniform(0.02, 0.2), rng.uniform(0.45, 0.9))


def back_colour(rng: np.random.Generator, wood: np.ndarray) -> tuple[np.ndarray, bool]:
    """The colour of a back, and whether it is painted, so that no grain shows."""
    kind = rng.random()
    if kind < 0.16:
        return wood * rng.uniform(0.85, 1.05), False
    if kind < 0.34:
        return bgr_of(rng.uniform(5, 35), rng.uniform(0.35, 0.75), rng.uniform(0.18, 0.6)), False
    if kind < 0.54:
        return bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.2), rng.uniform(0.03, 0.16)), True
    if kind < 0.62:
        return bgr_of(rng.uniform(0, 360), rng.uniform(0.2, 0.8), rng.uniform(0.1, 0.4)), True
    if kind < 0.74:
        return bgr_of(rng.uniform(0, 360), rng.uniform(0.0, 0.3), rng.uniform(0.2, 0.78)), True
    return bgr_of(rng.uniform(0, 360), rng.uniform(0.25, 1.0), rng.uniform(0.2, 0.95)), True


def ink_colour(rng: np.random.Generator, wood: np.ndarray) -> np.ndarray:
    """Black, brown, blue or any ink that stands out from the wood; white or gold on dark wood."""
    lightness = float(wood.mean())
    for _ in range(20):
        kind = rng.random()
        if kind < 0.45:
            ink = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.4), rng.uniform(0.02, 0.3))
        elif kind < 0.65:
            ink = bgr_of(rng.uniform(5, 30), rng.uniform(0.4, 0.8), rng.uniform(0.1, 0.4))
        elif kind < 0.9:
            ink = bgr_of(rng.uniform(0, 360), rng.uniform(0.5, 1.0), rng.uniform(0.2, 0.7))
        else:
            ink = bgr_of(rng.uniform(20, 60), rng.uniform(0, 0.6), rng.uniform(0.8, 1.0))
        if abs(float(ink.mean()) - lightness) > 0.15 + 0.15 * lightness:
            return ink
    return bgr_of(0, 0, 0.05 if lightness > 0.4 else 0.95)


def random_set(rng: np.random.Generator) -> StickSet:
    """The sticks of a random household."""
    length = rng.uniform(72, 132)
    width = length / rng.uniform(6.5, 13.5)
    half_round = rng.random() < 0.65
    danube = rng.random() < 0.25
    wood = wood_colour(rng)
    back, painted = back_colour(rng, wood)
    if back.min() > PALE_VALUE and back.max() - back.min() < PALE_CHROMA:
        back = back * LESS_PALE
    if danube:
        wood = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.06), rng.uniform(0.82, 1.0))
        back = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.2), rng.uniform(0.03, 0.2))
    has_figure = rng.random() < 0.25
    return StickSet(
        length, width, width * (rng.uniform(0.3, 0.6) if half_round else rng.uniform(0.1, 0.35)), half_round,
        str(rng.choice(["square", "round", "chamfered"])), width * rng.uniform(0.03, 0.5),
        wood, rng.uniform(0.0, 0.05) if danube else rng.uniform(0.01, 0.3),
        back, rng.uniform(0, 0.06) if painted or danube else rng.uniform(0.02, 0.3),
        rng.uniform(0, 1) ** 2, danube,
        ink_colour(rng, wood), bool(rng.random() < 0.3), bool(rng.random() < 0.7), bool(rng.random() < 0.1),
        rng.uniform(0.035, 0.14), rng.uniform(0.17, 0.48), rng.uniform(0.06, 0.2), rng.uniform(-1.2, 1.2),
        rng.normal(0, 0.03), rng.uniform(0.55, 0.94), rng.choice([rng.uniform(0.3, 0.8), 9.0]),
        rng.uniform(1.5, 3.5), rng.choice([0.0, rng.uniform(0, 0.06)]),
        rng.uniform(0.08, 0.2) if has_figure else 0.0, bool(rng.random() < 0.5),
    )  # fmt: skip


def random_face(rng: np.random.Generator, kind: StickSet) -> str:
    """Which side of one stick of the set is up: flat about half the time; empty: letters of no animal."""
    if rng.random() < 0.46:
        return "black" if kind.danube else "round"
    if kind.danube:
        return "white"
    return str(rng.choice(ANIMALS)) if rng.random() < 0.96 else ""


def side_up(rng: np.random.Generator, kind: StickSet, face: str, size: tuple[int, int]) -> Side:
    """This side of a stick. size: width and height of the texture, px."""
    back = face in ("round", "black")
    colour, grain = (kind.back_bgr, kind.back_grain) if back else (kind.wood_bgr, kind.grain)
    texture = wooden(rng, size, colour, grain)
    if not back and face != "white":
        letters = WORDS[face] if face else random_word(rng)
        texture = lettered(rng, texture, kind, letters, face)
    seen, dark = back_face(kind.back_bgr) if back else (face, False)
    round_back = back and kind.half_round
    return Side(seen, dark, texture, round_back, outline_of(kind))


def back_face(bgr: np.ndarray) -> tuple[str, bool]:
    """The face of a back of this colour, and whether it may as well be called black or round."""
    value, chroma = float(bgr.max()), float(bgr.max() - bgr.min())
    black = value <= BLACK_VALUE and chroma < MAX_BLACK_CHROMA
    return ("black" if black else "round"), value < DARK_VALUE


def random_word(rng: np.random.Generator) -> tuple[tuple[str, int], ...]:
    """Two to five random letters that name no animal."""
    while True:
        letters = tuple(
            (str(rng.choice([RIGHT, LEFT, ACROSS, NOTCH])), int(rng.integers(1, 6)))
            for _ in range(rng.integers(2, 6))
        )
        if letters not in WORDS.values():
            return letters


def wooden(rng: np.random.Generator, size: tuple[int, int], colour: np.ndarray, grain: float) -> np.ndarray:
    """(h, w, 3) float32: this colour with grain along the stick; grain: its strength, 0-1."""
    w, h = size
    coarse = rng.normal(0, 0.5, (max(3, h // 5), max(3, w // 60))).astype(np.float32)
    fine = rng.normal(0, 0.4, (h, max(3, w // 14))).astype(np.float32)
    streaks = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC) + cv2.resize(
        fine, size, interpolation=cv2.INTER_LINEAR
    ) * float(rng.uniform(0, 1))
    factor = 1 + grain * np.clip(streaks, -1.5, 1.5) * rng.uniform(0.3, 1.0)
    texture = factor[..., None] * np.clip(colour, 0, 1).astype(np.float32)
    if grain > 0.1 and rng.random() < 0.2:
        at = (int(rng.integers(w)), int(rng.integers(h)))
        axes = (int(h * rng.uniform(0.1, 0.5)) + 1, int(h * rng.uniform(0.05, 0.2)) + 1)
        cv2.ellipse(texture, at, axes, 0, 0, 360, [float(c) * 0.45 for c in colour], -1, cv2.LINE_AA)
    return np.asarray(np.clip(texture, 0, 1), np.float32)


def outline_of(kind: StickSet) -> np.ndarray:
    """(n, 2) corners of a stick of the set, -0.5 to 0.5 along it and across it."""
    cut = min(kind.end_mm, 0.5 * kind.width_mm)
    x, y = cut / kind.length_mm, cut / kind.width_mm
    if kind.ends == "square":
        steps = np.zeros((1, 2))
    elif kind.ends == "chamfered":
        steps = np.array([[0, y], [x, 0]])
    else:
        turns = np.linspace(0, np.pi / 2, 6)
        steps = np.stack([x * (1 - np.cos(turns)), y * (1 - np.sin(turns))], 1)
    corner = np.array([-0.5, -0.5]) + steps
    quarter = [corner * sign for sign in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    return np.concatenate([part[::-1] if n % 2 else part for n, part in enumerate(quarter)])


# --- lettering ----------------------------------------------------------------------------------------------


def lettered(
    rng: np.random.Generator,
    texture: np.ndarray,
    kind: StickSet,
    letters: tuple[tuple[str, int], ...],
    face: str,
) -> np.ndarray:
    """The texture with these letters on it, and the set's figure."""
    h, w = texture.shape[:2]
    mask = np.zeros((h * FINER, w * FINER), np.uint8)
    first, last = lettered_part(kind, letters, w / h)
    draw_letters(rng, mask, kind, letters, (first, last))
    if kind.figure:
        draw_figure(rng, mask, kind, face)
    cover = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    if kind.burnt:
        halo = cv2.GaussianBlur(cover, (0, 0), 0.02 * h + 0.6)
        scorched = texture * np.array([0.45, 0.6, 0.75], np.float32)
        texture = texture + (scorched - texture) * np.clip(1.2 * halo, 0, 0.8)[..., None]
    opaque = float(rng.uniform(0.7, 1.0))
    return np.asarray(texture + (kind.ink_bgr - texture) * (opaque * cover)[..., None], np.float32)


def lettered_part(kind: StickSet, letters: tuple[tuple[str, int], ...], aspect: float) -> tuple[float, float]:
    """Where the letters begin and end, as shares of the length."""
    steps = sum(n - 1 for _, n in letters) + kind.letter_gap * (len(letters) - 1)
    room = kind.extent * (1 - kind.figure)
    length = min(room, steps * kind.max_pitch / aspect)
    middle = 0.5 + (kind.figure / 2 if kind.figure_at_foot else -kind.figure / 2)
    return middle - length / 2, middle + length / 2


def draw_letters(
    rng: np.random.Generator,
    mask: np.ndarray,
    kind: StickSet,
    letters: tuple[tuple[str, int], ...],
    span: tuple[float, float],
) -> None:
    """Draws the stem and the strokes of the letters between these shares of the length, in place."""
    h, w = mask.shape
    steps = sum(n - 1 for _, n in letters) + kind.letter_gap * (len(letters) - 1)
    pitch = (span[1] - span[0]) * w / max(steps, 1)
    stem_y, thick = h * (0.5 + kind.stem_offset), max(kind.stroke_width * h, 1.4)
    x = span[0] * w
    if kind.stem:
        over = pitch * float(rng.uniform(0.2, 1.5))
        wobble = kind.jitter * h * rng.normal(0, 0.5, 2)
        stroke(mask, (x - over, stem_y + wobble[0]), (span[1] * w + over, stem_y + wobble[1]), thick)
    for where, count in letters:
        for _ in range(count):
            moved = kind.jitter * h * rng.normal(0, 0.5, 4)
            moved[0] = np.clip(moved[0], -0.2 * pitch, 0.2 * pitch)
            draw_stroke(mask, kind, where, (x + moved[0], stem_y), moved[1:], thick)
            x += pitch
        x += pitch * (kind.letter_gap - 1)


def draw_stroke(
    mask: np.ndarray,
    kind: StickSet,
    where: str,
    at: tuple[float, float],
    moved: np.ndarray,
    thick: float,
) -> None:
    """Draws one stroke at this place of the stem. moved: px, its lean and the change of its two ends."""
    h = len(mask)
    (x, y), lean = at, float(moved[0])
    long, short = kind.stroke_length * h, kind.notch_length * h
    if where == NOTCH and kind.dots:
        cv2.circle(mask, (round(x), round(y)), max(2, round(short)), 255, -1, cv2.LINE_AA)
        return
    up = {LEFT: long, RIGHT: 0.0, ACROSS: long, NOTCH: short}[where]
    down = {LEFT: 0.0, RIGHT: long, ACROSS: long, NOTCH: short}[where]
    aside = kind.slant * long * 0.5 if where == ACROSS else 0.0
    aside += 0.25 * h * np.sign(kind.slant or 1) * 0.5 if where == ACROSS else 0.0
    up, down = (v and max(v + float(m), 2.0) for v, m in zip((up, down), moved[1:], strict=True))
    stroke(mask, (x + lean + aside, y - up), (x - lean - aside, y + down), thick)


def stroke(mask: np.ndarray, a: tuple[float, float], b: tuple[float, float], thick: float) -> None:
    """Draws a line of this thickness, px, in place."""
    along = np.array(b) - np.array(a)
    across = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-6) * thick / 2
    corners = np.array([a + across, b + across, b - across, a - across]) * 2**SUBPIXEL_BITS
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255, cv2.LINE_AA, SUBPIXEL_BITS)


def draw_figure(rng: np.random.Generator, mask: np.ndarray, kind: StickSet, face: str) -> None:
    """Draws a small beast on four legs at one end, in place; it stands along or across the stick."""
    h, w = mask.shape
    size = min(kind.figure * w, 0.9 * h)
    x = (0.5 - 0.5 * kind.extent) * w + kind.figure * w / 2
    x = max(x, 0.55 * size) if kind.figure_at_foot else w - max(x, 0.55 * size)
    beast = beast_lines(rng, face)
    turn = cv2.getRotationMatrix2D((0.0, 0.0), float(rng.choice([0, 90, 180, 270])), size)
    for *ends, thick in beast:
        a, b = (turn[:, :2] @ np.array(end) + (x, h / 2) for end in ends)
        stroke(mask, tuple(a), tuple(b), thick * size)


def beast_lines(
    rng: np.random.Generator, face: str
) -> list[tuple[tuple[float, float], tuple[float, float], float]]:
    """Lines of a beast within -0.5 to 0.5: their two ends and thickness."""
    body, legs = rng.uniform(0.14, 0.32), rng.uniform(0.2, 0.36)
    back, lines = rng.uniform(-0.15, 0.0), []
    lines.append(((-0.3, back + body / 2), (0.25, back + body / 2), body))
    for x in (-0.28, -0.18, 0.14, 0.24):
        lines.append(
            ((x, back + body / 2), (x + rng.normal(0, 0.04), back + body + legs), rng.uniform(0.05, 0.1))
        )
    head = (rng.uniform(0.36, 0.46), back - rng.uniform(-0.1, 0.22))
    lines.append(((0.22, back + body / 2), head, rng.uniform(0.1, 0.2)))
    lines.append((head, (head[0] + 0.1, head[1] + 0.06), rng.uniform(0.08, 0.16)))
    lines.append(((-0.3, back + 0.02), (-0.45, back + rng.uniform(-0.15, 0.25)), rng.uniform(0.03, 0.08)))
    horns = {"deer": 4, "cow": 2}.get(face, 0) if rng.random() < 0.8 else int(rng.integers(0, 4))
    for _ in range(horns):
        tip = (head[0] + rng.normal(0, 0.1), head[1] - rng.uniform(0.1, 0.25))
        lines.append((head, tip, 0.04))
    return lines
