"""Random tables full of dice, rendered with their truth: `python -m models.scenes --out runs/renders --count 6000 --photos PHOTOS`.

Writes NNNNNN.jpg and NNNNNN.json; what is already there is skipped, so a stopped run goes on where it was. Each number is its own
seed: the same number always gives the same picture.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from models import grounds, lens
from models.dice import Make, painted, random_make
from models.photos import bare_patches
from models.trace import Bodies, Eye, Lights, picture_of
from vision.simulation import TrueDie

FINER = 1.25
"""Pictures are traced this much larger and shrunk, for smooth edges."""


@dataclass(frozen=True)
class Truth:
    """One rendered die. box_xywh px; seen 0-1 how much of it nothing hides; readable False for emblems and even leans."""

    box_xywh: tuple[float, float, float, float]
    face: int
    colour: str
    cocked: bool
    readable: bool
    seen: float


def rendered(rng: np.random.Generator, grounds_from: list[np.ndarray]) -> tuple[np.ndarray, list[Truth]]:
    """A picture (h, w, 3) uint8 and what is true about its dice."""
    size = [(640, 480), (480, 640), (640, 360), (560, 560)][int(rng.integers(4))]
    die_px = float(np.exp(rng.uniform(np.log(17), np.log(150))))
    eye = _eye(rng, die_px, size)
    bodies, facts = _dice(rng, die_px, size)
    lights = _lights(rng)
    floor, scale = _floor(rng, die_px, size, grounds_from)
    linear, ids, hits = picture_of(eye, floor**2.2, scale, bodies, lights)
    linear = cv2.resize(lens.shaded(lens.tinted(linear, rng), rng), size, interpolation=cv2.INTER_AREA)
    picture = lens.roughened(lens.developed(linear, rng), rng, min(1.0, die_px / 60))
    return picture, _truths(ids, hits, facts, size)


def _eye(rng: np.random.Generator, die_px: float, size: tuple[int, int]) -> Eye:
    """Mostly from above, at times from the thrower's seat."""
    tilt = np.radians(float(rng.choice([rng.uniform(0, 12), rng.uniform(10, 30), rng.uniform(28, 42)], p=[0.55, 0.32, 0.13])))
    focal = max(size) / 2 / np.tan(np.radians(rng.uniform(20, 36)))
    away = max(focal / die_px, 6.0)
    around, roll = rng.uniform(0, 2 * np.pi, 2)
    back = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    forward = -back
    right = np.cross(forward, [np.cos(roll), np.sin(roll), 0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    wh = (int(size[0] * FINER), int(size[1] * FINER))
    return Eye(back * away, np.stack([right, down, forward]), away * die_px * FINER, wh)


def _lights(rng: np.random.Generator) -> Lights:
    n = int(rng.integers(1, 4))
    rise, around = np.radians(rng.uniform(20, 85, n)), rng.uniform(0, 2 * np.pi, n)
    towards = np.stack([np.cos(rise) * np.cos(around), np.cos(rise) * np.sin(around), np.sin(rise)], 1)
    strength = rng.uniform(0.2, 1.2, (n, 1)) / np.arange(1, n + 1)[:, None] ** 1.5
    colour = strength * np.exp(rng.normal(0, 0.05, (n, 3)))
    hardness = np.exp(rng.uniform(np.log(3), np.log(60), n))
    return Lights(towards, colour, hardness, rng.uniform(0.25, 0.9) * np.exp(rng.normal(0, 0.04, 3)))


def _floor(rng: np.random.Generator, die_px: float, size: tuple[int, int], patches: list[np.ndarray]) -> tuple[np.ndarray, float]:
    """The floor's painting and its px per unit: somewhat coarser than the picture, but for small dice."""
    side, scale = 1200, die_px * float(rng.uniform(0.8, 1.3))
    kinds = [*grounds.GROUNDS, *([grounds.from_photographs(patches)] * 3 if patches else [])]

    def some(rng: np.random.Generator, side: int) -> np.ndarray:
        return kinds[int(rng.integers(len(kinds)))](rng, side)

    ground = grounds.cluttered(some(rng, side), rng, scale)
    if rng.random() < 0.35:
        ground = grounds.trayed(ground, rng, rng.uniform(0.3, 0.6) * min(size) / die_px * scale, some)
    return np.clip(ground, 0.004, 1).astype(np.float32), scale


def _sets(rng: np.random.Generator, n: int) -> list[Make]:
    """The makes of n dice: all alike, two sets, or a mixed bag."""
    kinds = 1 if rng.random() < 0.35 else 2 if rng.random() < 0.35 else max(n, 1)
    makes = [random_make(rng) for _ in range(kinds)]
    return [makes[int(rng.integers(kinds))] for _ in range(n)]


def _dice(rng: np.random.Generator, die_px: float, size: tuple[int, int]) -> tuple[Bodies, list[tuple[int, str, bool, bool]]]:
    room = size[0] * size[1] / die_px**2
    n = 0 if rng.random() < 0.05 else int(np.clip(rng.integers(1, 13), 1, max(1, room / 3)))
    if rng.random() < 0.12:
        n = int(np.clip(room / 8, n, 24))
    half = np.array(size) / die_px / 2 * float(rng.uniform(0.5, 1.02))
    alike = rng.random() < 0.5
    spots: list[tuple[np.ndarray, float, float]] = []
    for _ in range(n):
        spot = _place(rng, spots, half, 1.0 if alike else float(rng.uniform(0.75, 1.2)))
        if spot:
            spots.append(spot)
    makes = _sets(rng, len(spots))
    bodies = [_body(rng, make, *spot) for make, spot in zip(makes, spots, strict=True)]
    if not bodies:
        empty = np.zeros(0)
        return Bodies(np.zeros((0, 3)), np.zeros((0, 3, 3)), empty, empty, empty, empty, empty, np.zeros((0, 6, 2, 2, 5))), []
    facts = [b[-1] for b in bodies]
    at, turn, faces = (np.stack([b[i] for b in bodies]) for i in range(3))
    side = np.array([s[2] for s in spots])
    corner, ball, gloss, glow = (np.array([getattr(m, k) for m in makes]) for k in ("corner", "ball", "gloss", "glow"))
    return Bodies(at, turn, side, corner, ball, gloss, glow, faces), facts


def _place(
    rng: np.random.Generator, spots: list[tuple[np.ndarray, float, float]], half: np.ndarray, side: float
) -> tuple[np.ndarray, float, float] | None:
    """Where the next die lies: (x, y), its turn, its side. One in three lies against another."""
    beside = rng.random() < 0.35
    for _ in range(60):
        yaw = rng.uniform(0, 2 * np.pi)
        at = rng.uniform(-half, half)
        if beside and spots:
            other = spots[int(rng.integers(len(spots)))]
            angle = rng.uniform(0, 2 * np.pi)
            at = other[0] + (side + other[2]) / 2 * rng.uniform(1.0, 1.35) * np.array([np.cos(angle), np.sin(angle)])
            yaw = other[1] if rng.random() < 0.4 else yaw
        if all(_apart(at, yaw, side, *other) for other in spots):
            return at, yaw, side
    return None


def _apart(p: np.ndarray, yaw: float, side: float, q: np.ndarray, other_yaw: float, other_side: float) -> bool:
    turn = yaw - other_yaw
    spread = abs(np.cos(turn)) + abs(np.sin(turn))
    gaps = []
    for base, own, far in ((yaw, side, other_side), (other_yaw, other_side, side)):
        for k in (0, np.pi / 2):
            axis = np.array([np.cos(base + k), np.sin(base + k)])
            gaps.append(abs(float((p - q) @ axis)) - own / 2 - far / 2 * spread)
    return max(gaps) > 0


def _body(
    rng: np.random.Generator, make: Make, at: np.ndarray, yaw: float, side: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[int, str, bool, bool]]:
    faces, numbers, readable = painted(make, rng)
    turn = _turn_z(yaw) @ _slot_up(int(rng.integers(6)))
    cocked = rng.random() < 0.05
    if cocked:
        turn = _turn_about(rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(9, 44))) @ turn
    up = turn[2]
    heights = np.array([up[0], -up[0], up[1], -up[1], up[2], -up[2]])
    slot = int(heights.argmax())
    clear = np.sort(heights)[-1] - np.sort(heights)[-2] > 0.12
    inner = side * (0.5 - make.corner)
    z = float(np.abs(up).sum() * inner + make.corner * side)
    z = min(z, make.ball * side) if make.ball < 0.87 else z
    return np.array([*at, max(z, side / 2)]), turn, faces, (numbers[slot], make.colour, cocked, bool(clear and readable[slot]))


def _turn_z(a: float) -> np.ndarray:
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])


def _turn_about(around: float, angle: float) -> np.ndarray:
    """About a level axis pointing `around`."""
    x, y = np.cos(around), np.sin(around)
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def _slot_up(slot: int) -> np.ndarray:
    """A rotation that turns face `slot` (+x -x +y -y +z -z) up."""
    axis, sign = slot // 2, 1 if slot % 2 == 0 else -1
    up = np.zeros(3)
    up[axis] = sign
    side = np.zeros(3)
    side[(axis + 1) % 3] = 1
    return np.stack([side, np.cross(up, side), up])


def _truths(ids: np.ndarray, hits: np.ndarray, facts: list[tuple[int, str, bool, bool]], size: tuple[int, int]) -> list[Truth]:
    truths = []
    for i, (face, colour, cocked, readable) in enumerate(facts):
        rows, cols = np.nonzero((ids == i).any(axis=1))[0], np.nonzero((ids == i).any(axis=0))[0]
        if len(rows) == 0:
            continue
        x, y, w, h = (float(v) / FINER for v in (cols[0], rows[0], cols[-1] - cols[0] + 1, rows[-1] - rows[0] + 1))
        cut = x <= 0.5 or y <= 0.5 or x + w >= size[0] - 0.5 or y + h >= size[1] - 0.5
        seen = float((ids == i).sum() / max(hits[i], 1)) * (0.5 if cut else 1.0)
        truths.append(Truth((x, y, w, h), face, colour, cocked, readable, seen))
    return truths


def simulated(rng: np.random.Generator) -> tuple[np.ndarray, list[Truth]]:
    """The same from the simulated camera's tray: as it stands by default, and varied."""
    from vision.simulation import LOOKS, Scene, SimDie, random_tray, render_truth

    size = [(640, 480), (800, 600), (1280, 960), (1280, 720)][int(rng.integers(4))]
    scene = None if rng.random() < 0.5 else Scene()
    cocked = 0.0 if rng.random() < 0.7 else 0.3
    picture, trues = random_tray(rng, int(rng.integers(0, 13)), size_wh=size, scene=scene, cocked_share=cocked)
    if scene and rng.random() < 0.5:
        colours = [str(c) for c in rng.choice(list(LOOKS), 2)]
        grid = rng.permutation([(x, y) for x in range(-95, 96, 27) for y in range(-66, 67, 26)])[: int(rng.integers(1, 11))]
        dice = [
            SimDie(int(rng.integers(1, 7)), str(rng.choice(colours)), float(x), float(y), float(rng.uniform(0, 6.3))) for x, y in grid
        ]
        picture, trues = render_truth(dice, rng, size, scene)
    return picture, [_simulated_truth(t, size) for t in trues]


def _simulated_truth(t: TrueDie, size: tuple[int, int]) -> Truth:
    x, y, w, h = t.box_xywh
    cut = x <= 0.5 or y <= 0.5 or x + w >= size[0] - 0.5 or y + h >= size[1] - 0.5
    return Truth(t.box_xywh, t.face, t.colour, t.cocked, True, 0.5 if cut else 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--step", type=int, default=1, help="2 with --start 0 and 1 shares the work between two processes")
    parser.add_argument("--photos", type=Path, help="folder of photographs; dice-free parts of those marked train become grounds")
    parser.add_argument("--simulated", action="store_true", help="pictures of the simulated camera's tray instead")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    patches = bare_patches(args.photos) if args.photos else []
    cv2.setNumThreads(1)
    for seed in range(args.start, args.count, args.step):
        target = args.out / f"{seed:06d}.json"
        if target.exists():
            continue
        rng = np.random.default_rng(seed)
        picture, truths = simulated(rng) if args.simulated else rendered(rng, patches)
        cv2.imwrite(str(target.with_suffix(".jpg")), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        target.write_text(json.dumps([asdict(t) for t in truths]))


if __name__ == "__main__":
    main()
