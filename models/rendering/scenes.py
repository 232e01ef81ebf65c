"""Random tables of dice, rendered with their ground truth:

    python -m models.rendering.scenes --out runs/renders --count 6000 --photos PHOTOS

models/rendering/render_files.py describes the output files and how a stopped run resumes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.rendering import backgrounds, camera_effects
from models.rendering.dice import Make, Spots, painted, painted_blank, random_make
from models.rendering.render_files import Truth, arguments, write
from models.rendering.trace import Bodies, Lights, PinholeCamera, picture_of
from models.training.photos import bare_patches
from vision.reading.ground_plane import normal_xy
from vision.simulation import TrueDie

SIZES = ((640, 480), (480, 640), (640, 360), (560, 560))
DIE_PX = (15.0, 210.0)
"""Smallest and largest side of a die in the middle, px."""
GROUND_PX = 1200
"""Side of the ground texture, px; it repeats beyond its edges."""
LONE_SPAN = 2.0
"""Side of a picture of one die, in sides of the die."""
CLOSE_SIZES, CLOSE_DIE_PX, CLOSE_GROUND_PX = ((256, 256),), (18.0, 120.0), 480
"""The same for close-ups: the same dice at a fifth of the cost, for the classifier only."""
COCKED_SHARE = 0.1
CROWDED_SHARE = 0.3
"""Share of pictures with as many dice as fit, up to two dozen."""
STACKED_SHARE = 0.04
NO_DIE_SHARE = 0.22
"""Share of pictures with a few cubes or balls that are no dice."""
FINER = 1.25
"""Supersampling factor: pictures are traced this much larger and then scaled down, for smooth edges."""


@dataclass(frozen=True)
class DieTruth:
    """The ground truth of one body before projection; pips_xyz (n, 3): its top face's pips in the world. face 0:
    no die."""

    face: int
    colour: str
    cocked: bool
    readable: bool
    pips_xyz: np.ndarray
    pip: float
    lean_deg: float
    stacked: bool
    middle: np.ndarray
    normal: np.ndarray


def rendered(rng: np.random.Generator, grounds_from: list[np.ndarray], close: bool = False) -> tuple[np.ndarray, list[Truth]]:
    """A rendered picture (h, w, 3) uint8 and the ground truth of its dice."""
    sizes, (min_px, max_px) = (CLOSE_SIZES, CLOSE_DIE_PX) if close else (SIZES, DIE_PX)
    size = sizes[int(rng.integers(len(sizes)))]
    die_px = float(np.exp(rng.uniform(np.log(min_px), np.log(max_px))))
    camera = _random_camera(rng, die_px, size)
    bodies, dice = _dice(rng, die_px, size)
    lights = _lights(rng)
    floor, scale = _floor(rng, die_px, size, grounds_from, CLOSE_GROUND_PX if close else GROUND_PX)
    linear, ids, hits = picture_of(camera, floor**2.2, scale, bodies, lights)
    linear = cv2.resize(camera_effects.shaded(camera_effects.tinted(linear, rng), rng), size, interpolation=cv2.INTER_AREA)
    picture = camera_effects.degraded(camera_effects.developed(linear, rng), rng, min(1.0, die_px / 60))
    return picture, _truths(camera, ids, hits, dice, size)


def _random_camera(rng: np.random.Generator, die_px: float, size: tuple[int, int], tilt_deg: float | None = None) -> PinholeCamera:
    """A random camera, mostly above the table, sometimes at the thrower's seat; tilt_deg from straight above,
    if given."""
    drawn_deg = float(rng.choice([rng.uniform(0, 12), rng.uniform(10, 30), rng.uniform(28, 42)], p=[0.55, 0.32, 0.13]))
    tilt = np.radians(drawn_deg if tilt_deg is None else tilt_deg)
    focal = max(size) / 2 / np.tan(np.radians(rng.uniform(20, 36)))
    away = max(focal / die_px, 6.0)
    around, roll = rng.uniform(0, 2 * np.pi, 2)
    back = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    forward = -back
    right = np.cross(forward, [np.cos(roll), np.sin(roll), 0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    wh = (int(size[0] * FINER), int(size[1] * FINER))
    return PinholeCamera(back * away, np.stack([right, down, forward]), away * die_px * FINER, wh)


def _lights(rng: np.random.Generator) -> Lights:
    n = int(rng.integers(1, 4))
    rise, around = np.radians(rng.uniform(20, 85, n)), rng.uniform(0, 2 * np.pi, n)
    towards = np.stack([np.cos(rise) * np.cos(around), np.cos(rise) * np.sin(around), np.sin(rise)], 1)
    strength = rng.uniform(0.2, 1.2, (n, 1)) / np.arange(1, n + 1)[:, None] ** 1.5
    colour = strength * np.exp(rng.normal(0, 0.05, (n, 3)))
    hardness = np.exp(rng.uniform(np.log(3), np.log(60), n))
    return Lights(towards, colour, hardness, rng.uniform(0.25, 0.9) * np.exp(rng.normal(0, 0.04, 3)))


def _floor(
    rng: np.random.Generator, die_px: float, size: tuple[int, int], patches: list[np.ndarray], side: int
) -> tuple[np.ndarray, float]:
    """The floor's texture and its px per unit: somewhat coarser than the picture, except for small dice."""
    scale = die_px * float(rng.uniform(0.8, 1.3))
    kinds = [*backgrounds.GROUNDS, *([backgrounds.from_photographs(patches)] * 3 if patches else [])]

    def some(rng: np.random.Generator, side: int) -> np.ndarray:
        return kinds[int(rng.integers(len(kinds)))](rng, side)

    ground = backgrounds.cluttered(some(rng, side), rng, scale)
    if rng.random() < 0.35:
        ground = backgrounds.trayed(ground, rng, rng.uniform(0.3, 0.6) * min(size) / die_px * scale, some)
    ground = np.clip(ground, 0.004, 1)
    if rng.random() < 0.06:
        ground = backgrounds.glowing(ground, rng)
    return ground.astype(np.float32), scale


def _sets(rng: np.random.Generator, n: int) -> list[Make]:
    """The makes of n dice: one set, two sets, or all different."""
    kinds = 1 if rng.random() < 0.35 else 2 if rng.random() < 0.35 else max(n, 1)
    makes = [random_make(rng) for _ in range(kinds)]
    return [makes[int(rng.integers(kinds))] for _ in range(n)]


def lone(rng: np.random.Generator, make: Make, die_px: float) -> tuple[np.ndarray, Truth]:
    """A picture (s, s, 3) uint8 of one flat die of this make in the middle, seen from straight above, and its
    ground truth."""
    side = round(LONE_SPAN * die_px)
    size, ground = (side, side), round(4 * side)
    camera = _random_camera(rng, die_px, size, tilt_deg=0.0)
    pose: Pose = (np.zeros(2), float(rng.uniform(0, 2 * np.pi)), 1.0, 0.0)
    at, turn, faces, die = _body(rng, make, *pose, cocked_share=0.0)
    corner, ball, gloss, glow = (np.array([getattr(make, k)]) for k in ("corner", "ball", "gloss", "glow"))
    bodies = Bodies(at[None], turn[None], np.ones(1), corner, ball, gloss, glow, faces[None])
    floor, scale = _floor(rng, die_px, size, [], ground)
    linear, ids, hits = picture_of(camera, floor**2.2, scale, bodies, _lights(rng))
    linear = cv2.resize(linear, size, interpolation=cv2.INTER_AREA)
    return camera_effects.developed(linear, rng), _truths(camera, ids, hits, [die], size)[0]


Pose = tuple[np.ndarray, float, float, float]
"""The pose of a body: (x, y), its rotation, its side, the height of its lower end."""


def _dice(rng: np.random.Generator, die_px: float, size: tuple[int, int]) -> tuple[Bodies, list[DieTruth]]:
    room = size[0] * size[1] / die_px**2
    n = 0 if rng.random() < 0.05 else int(np.clip(rng.integers(1, 13), 1, max(1, room / 3)))
    if rng.random() < CROWDED_SHARE:
        n = int(np.clip(room / 8, n, 24))
    half = np.array(size) / die_px / 2 * float(rng.uniform(0.5, 1.02))
    alike = rng.random() < 0.5
    poses: list[Pose] = []
    for _ in range(n):
        pose = _free_pose(rng, poses, half, 1.0 if alike else float(rng.uniform(0.75, 1.2)))
        if pose:
            poses.append(pose)
    makes = _sets(rng, len(poses))
    bodies = [_body(rng, make, *pose) for make, pose in zip(makes, poses, strict=True)]
    if rng.random() < NO_DIE_SHARE:
        for _ in range(int(rng.integers(1, 4))):
            if pose := _free_pose(rng, poses, half, float(rng.uniform(0.5, 1.3)), stacking=False):
                poses.append(pose)
                makes.append(_blank_make(rng))
                bodies.append(_blank(rng, makes[-1], *pose))
    if not bodies:
        empty = np.zeros(0)
        return Bodies(np.zeros((0, 3)), np.zeros((0, 3, 3)), empty, empty, empty, empty, empty, np.zeros((0, 6, 2, 2, 5))), []
    at, turn, faces = (np.stack([np.asarray(b[i]) for b in bodies]) for i in range(3))
    side = np.array([s[2] for s in poses])
    corner, ball, gloss, glow = (np.array([getattr(m, k) for m in makes]) for k in ("corner", "ball", "gloss", "glow"))
    return Bodies(at, turn, side, corner, ball, gloss, glow, faces), [b[3] for b in bodies]


def _free_pose(rng: np.random.Generator, poses: list[Pose], half: np.ndarray, side: float, stacking: bool = True) -> Pose | None:
    """The pose of the next body; one in three lies against another, a few on top of another. None: no room."""
    if stacking and poses and rng.random() < STACKED_SHARE:
        under = poses[int(rng.integers(len(poses)))]
        at = under[0] + rng.uniform(-0.42, 0.42, 2) * under[2]
        high = under[3] + under[2]
        if all(other is under or other[3] > high - 0.1 or _apart(at, 0.0, side * 1.4, *other[:3]) for other in poses):
            return at, float(rng.uniform(0, 2 * np.pi)), side, high
    beside = rng.random() < 0.35
    for _ in range(60):
        yaw = rng.uniform(0, 2 * np.pi)
        at = rng.uniform(-half, half)
        if beside and poses:
            other = poses[int(rng.integers(len(poses)))]
            angle = rng.uniform(0, 2 * np.pi)
            at = other[0] + (side + other[2]) / 2 * rng.uniform(1.0, 1.35) * np.array([np.cos(angle), np.sin(angle)])
            yaw = other[1] if rng.random() < 0.4 else yaw
        if all(_apart(at, yaw, side, *other[:3]) for other in poses):
            return at, yaw, side, 0.0
    return None


def _apart(p: np.ndarray, yaw: float, side: float, q: np.ndarray, other_yaw: float, other_side: float) -> bool:
    turn = yaw - other_yaw
    spread = abs(np.cos(turn)) + abs(np.sin(turn))
    gaps = []
    for base, own, far in ((yaw, side, other_side), (other_yaw, other_side, side)):
        for k in (0, np.pi / 2):
            axis = np.array([np.cos(base + k), np.sin(base + k)])
            gaps.append(abs(float((p - q) @ axis)) - own / 2 - far / 2 * spread)
    return bool(max(gaps) > 0)


def _body(
    rng: np.random.Generator, make: Make, at: np.ndarray, yaw: float, side: float, high: float, cocked_share: float = COCKED_SHARE
) -> tuple[np.ndarray, np.ndarray, np.ndarray, DieTruth]:
    faces, numbers, pips = painted(make, rng)
    turn = _turn_z(yaw) @ _slot_up(int(rng.integers(6)))
    cocked = rng.random() < cocked_share
    if cocked:
        turn = _turn_about(rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(9, 44))) @ turn
    up = turn[2]
    heights = np.array([up[0], -up[0], up[1], -up[1], up[2], -up[2]])
    slot = int(heights.argmax())
    clear = np.sort(heights)[-1] - np.sort(heights)[-2] > 0.12
    inner = side * (0.5 - make.corner)
    z = float(np.abs(up).sum() * inner + make.corner * side)
    z = min(z, make.ball * side) if make.ball < 0.87 else z
    middle = np.array([*at, high + max(z, side / 2)])
    pips_xyz = middle + (turn @ (on_face(slot, pips[slot]) * side).T).T
    radius = make.pips.radius_of(numbers[slot]) * side
    lean = float(np.degrees(np.arccos(np.clip(heights[slot], -1, 1))))
    readable = bool(clear and pips[slot])
    normal = turn[:, slot // 2] * (1 if slot % 2 == 0 else -1)
    return middle, turn, faces, DieTruth(numbers[slot], make.colour, cocked, readable, pips_xyz, radius, lean, high > 0, middle, normal)


def on_face(slot: int, pips: Spots) -> np.ndarray:
    """(n, 3) pips in the die's own axes, in sides, from pips along a face's u and v. Faces as in
    models.rendering.trace."""
    axis, out = slot // 2, 0.5 if slot % 2 == 0 else -0.5
    pips_xyz = np.zeros((len(pips), 3))
    pips_xyz[:, axis] = out
    for k, (u, v) in enumerate(pips):
        pips_xyz[k, (axis + 1) % 3], pips_xyz[k, (axis + 2) % 3] = u, v
    return pips_xyz


def _blank_make(rng: np.random.Generator) -> Make:
    """A random make for a cube, ball or bead that is no die."""
    make = random_make(rng)
    return replace(make, corner=0.5, ball=0.9) if rng.random() < 0.5 else make


def _blank(
    rng: np.random.Generator, make: Make, at: np.ndarray, yaw: float, side: float, high: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, DieTruth]:
    turn = _turn_z(yaw) @ _slot_up(int(rng.integers(6)))
    middle = np.array([*at, high + side / 2])
    die = DieTruth(0, make.colour, False, False, np.zeros((0, 3)), 0, 0, False, middle, np.array([0.0, 0.0, 1.0]))
    return middle, turn, painted_blank(make, rng), die


def _turn_z(a: float) -> np.ndarray:
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])


def _turn_about(around: float, angle: float) -> np.ndarray:
    """The rotation about a horizontal axis in the direction `around`."""
    x, y = np.cos(around), np.sin(around)
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    turn: np.ndarray = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return turn


def _slot_up(slot: int) -> np.ndarray:
    """The rotation that turns face `slot` (+x -x +y -y +z -z) up."""
    axis, sign = slot // 2, 1 if slot % 2 == 0 else -1
    up = np.zeros(3)
    up[axis] = sign
    side = np.zeros(3)
    side[(axis + 1) % 3] = 1
    return np.stack([side, np.cross(up, side), up])


def _truths(camera: PinholeCamera, ids: np.ndarray, hits: np.ndarray, dice: list[DieTruth], size: tuple[int, int]) -> list[Truth]:
    truths = []
    for i, die in enumerate(dice):
        rows, cols = np.nonzero((ids == i).any(axis=1))[0], np.nonzero((ids == i).any(axis=0))[0]
        if len(rows) == 0 or die.face == 0:
            continue
        x, y, w, h = (float(v) / FINER for v in (cols[0], rows[0], cols[-1] - cols[0] + 1, rows[-1] - rows[0] + 1))
        cut = x <= 0.5 or y <= 0.5 or x + w >= size[0] - 0.5 or y + h >= size[1] - 0.5
        seen = float((ids == i).sum() / max(hits[i], 1)) * (0.5 if cut else 1.0)
        pips, pip_px = _projected(camera, die, size)
        facing = normal_xy(camera.axes @ (die.middle - camera.at), camera.axes @ die.normal)
        box = (x, y, w, h)
        truths.append(Truth(box, die.face, die.colour, die.cocked, die.readable, seen, pips, pip_px, die.lean_deg, die.stacked, facing))
    return truths


def _projected(camera: PinholeCamera, die: DieTruth, size: tuple[int, int]) -> tuple[tuple[tuple[float, float], ...], float]:
    """The pips in px of the final picture, and their projected radius."""
    if not len(die.pips_xyz):
        return (), 0.0
    seen = (die.pips_xyz - camera.at) @ camera.axes.T  # (n, 3): right, down, forward
    scale = camera.focal / FINER / seen[:, 2]
    xy = seen[:, :2] * scale[:, None] + np.array(size) / 2
    return tuple((round(float(px), 2), round(float(py), 2)) for px, py in xy), float(die.pip * scale.mean())


def simulated(rng: np.random.Generator) -> tuple[np.ndarray, list[Truth]]:
    """The same for the simulated camera's tray, in its default look or a random one."""
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
    return Truth(t.box_xywh, t.face, t.colour, t.cocked, True, 0.5 if cut else 1.0, lean_deg=t.lean_deg, normal_xy=t.normal_xy)


def main() -> None:
    parser = arguments(__doc__, count=6000)
    parser.add_argument("--photos", type=Path, help="folder of photographs; parts without dice of those marked train become grounds")
    parser.add_argument("--simulated", action="store_true", help="make pictures of the simulated tray instead")
    parser.add_argument("--close", action="store_true", help="make small pictures of a few dice instead of whole tables")
    args = parser.parse_args()
    patches = bare_patches(args.photos) if args.photos else []
    cv2.setNumThreads(1)

    def picture_of_seed(seed: int) -> tuple[np.ndarray, list[Truth]]:
        rng = np.random.default_rng(seed)
        return simulated(rng) if args.simulated else rendered(rng, patches, args.close)

    write(args, picture_of_seed)


if __name__ == "__main__":
    main()
