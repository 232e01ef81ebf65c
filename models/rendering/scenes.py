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
from models.rendering.render_files import RenderedDieLabel, arguments, write
from models.rendering.trace import Lamp, Lights, TexturedDie, picture_of
from models.training.photos import bare_patches
from vision.boxes import Box, touches_border
from vision.reading.ground_plane import normal_xy
from vision.simulation import TrueDie
from vision.simulation.geometry import Square, half_height, horizontal_axis, rotation_about, rotation_about_z
from vision.simulation.view import PinholeCamera

SIZES = ((640, 480), (480, 640), (640, 360), (560, 560))
"""Width and height of a picture, px; each as often as the others."""
DIE_PX = (15.0, 210.0)
"""Smallest and largest side of a die in the middle, px."""
GROUND_PX = 1200
"""Side of the ground texture, px; it repeats beyond its edges."""
LONE_SPAN = 2.0
"""Side of a picture of one die, in sides of the die."""
CLOSE_SIZES, CLOSE_DIE_PX, CLOSE_GROUND_PX = ((256, 256),), (18.0, 120.0), 480
"""The same for close-ups: the same dice at a fifth of the cost, for the classifier only."""
OBLIQUE_SPREAD, OBLIQUE_GROUND_PX = 0.3, 700
"""Half of the area with dice in an oblique picture, in sides of the picture, and its ground's side, px."""
OBLIQUE_DEG = (38.0, 66.0)
"""Range of the camera's tilt in oblique pictures, degrees from straight above."""
COCKED_SHARE, COCKED_DEG = 0.1, (9.0, 44.0)
"""Share of dice that tilt, and the range of their tilt, degrees."""
CROWDED_SHARE = 0.3
"""Share of pictures with as many dice as fit, up to two dozen."""
STACKED_SHARE, STACKED_OFFSET_SIDES = 0.04, 0.42
"""Share of dice that lie on another one, and the largest offset between the centres along x and y."""
BESIDE_SHARE, ALIGNED_SHARE = 0.35, 0.4
"""Share of dice that lie against another one, and the share of attempts at it with the same rotation."""
MAX_TRIES = 60
"""Attempts to find room for one more body."""
CLEAR_COSINE = 0.12
"""Minimum difference between the cosines of the tilts of the two uppermost faces of a readable die."""
BALL_SIDES = 0.87
"""A cube is cut by its ball only if the ball's radius is below half the cube's diagonal, in sides."""
NO_DIE_SHARE = 0.22
"""Share of pictures with a few cubes or balls that are no dice."""
GAMMA = 2.2
"""Exponent between displayed values and linear light."""
FINER = 1.25
"""Supersampling factor: pictures are traced this much larger and then scaled down, for smooth edges."""


@dataclass(frozen=True, eq=False)
class DieTruth:
    """The ground truth of one body in the world; lengths in sides of a common die.

    face: of the uppermost side; 0 for a cube or ball that is no die.
    pips_xyz: (n, 3) pips of the uppermost face. pip_radius: of each.
    centre: (3,). normal: (3,) of the uppermost face.
    The other fields are those of RenderedDieLabel.
    """

    face: int
    colour: str
    cocked: bool
    readable: bool
    pips_xyz: np.ndarray
    pip_radius: float
    lean_deg: float
    stacked: bool
    centre: np.ndarray
    normal: np.ndarray


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a body stands: its outline seen from above, and the height of its lower end."""

    square: Square
    height: float = 0.0


Body = tuple[TexturedDie, DieTruth]


def rendered(
    rng: np.random.Generator, grounds_from: list[np.ndarray], close: bool = False
) -> tuple[np.ndarray, list[RenderedDieLabel]]:
    """A rendered picture (h, w, 3) uint8 and the ground truth of its dice."""
    sizes, (min_px, max_px) = (CLOSE_SIZES, CLOSE_DIE_PX) if close else (SIZES, DIE_PX)
    size = sizes[int(rng.integers(len(sizes)))]
    die_px = float(np.exp(rng.uniform(np.log(min_px), np.log(max_px))))
    camera = _random_camera(rng, die_px, size)
    bodies = _random_bodies(rng, die_px, size)
    lights = _random_lights(rng)
    floor, scale = _floor(rng, die_px, size, grounds_from, CLOSE_GROUND_PX if close else GROUND_PX)
    linear, ids, covered = picture_of(camera, floor**GAMMA, scale, [die for die, _ in bodies], lights)
    linear = cv2.resize(
        camera_effects.shaded(camera_effects.tinted(linear, rng), rng), size, interpolation=cv2.INTER_AREA
    )
    picture = camera_effects.degraded(camera_effects.developed(linear, rng), rng, min(1.0, die_px / 60))
    return picture, _labels(camera, ids, covered, [truth for _, truth in bodies], size)


def _random_camera(
    rng: np.random.Generator,
    die_px: float,
    size: tuple[int, int],
    tilt_deg: float | None = None,
    upright: bool = False,
) -> PinholeCamera:
    """A random camera, mostly above the table, sometimes at the thrower's seat; tilt_deg from straight above,
    if given. upright: held so that up is up in the picture, not turned about its own axis."""
    drawn_deg = float(
        rng.choice([rng.uniform(0, 12), rng.uniform(10, 30), rng.uniform(28, 42)], p=[0.55, 0.32, 0.13])
    )
    tilt = np.radians(drawn_deg if tilt_deg is None else tilt_deg)
    focal = max(size) / 2 / np.tan(np.radians(rng.uniform(20, 36)))
    away = max(focal / die_px, 6.0)
    around, roll = rng.uniform(0, 2 * np.pi, 2)
    roll = around + np.pi if upright else roll
    back = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    forward = -back
    right = np.cross(forward, [np.cos(roll), np.sin(roll), 0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    wh = (int(size[0] * FINER), int(size[1] * FINER))
    return PinholeCamera(wh, away * die_px * FINER, back * away, np.stack([right, down, forward]))


def _random_lights(rng: np.random.Generator) -> Lights:
    n = int(rng.integers(1, 4))
    rise, around = np.radians(rng.uniform(20, 85, n)), rng.uniform(0, 2 * np.pi, n)
    to_light = np.stack([np.cos(rise) * np.cos(around), np.cos(rise) * np.sin(around), np.sin(rise)], 1)
    strength = rng.uniform(0.2, 1.2, (n, 1)) / np.arange(1, n + 1)[:, None] ** 1.5
    bgr = strength * np.exp(rng.normal(0, 0.05, (n, 3)))
    hardness = np.exp(rng.uniform(np.log(3), np.log(60), n))
    lamps = tuple(Lamp(*lamp) for lamp in zip(to_light, bgr, hardness.tolist(), strict=True))
    return Lights(lamps, rng.uniform(0.25, 0.9) * np.exp(rng.normal(0, 0.04, 3)))


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


def _random_makes(rng: np.random.Generator, n: int) -> list[Make]:
    """The makes of n dice: one set, two sets, or all different."""
    kinds = 1 if rng.random() < 0.35 else 2 if rng.random() < 0.35 else max(n, 1)
    makes = [random_make(rng) for _ in range(kinds)]
    return [makes[int(rng.integers(kinds))] for _ in range(n)]


def render_single_die(
    rng: np.random.Generator, make: Make, die_px: float, ground_kind: backgrounds.GroundKind | None = None
) -> tuple[np.ndarray, RenderedDieLabel]:
    """A picture (s, s, 3) uint8 of one flat die of this make in the middle, seen from straight above, and its
    ground truth. ground_kind: what it lies on; default = anything."""
    side = round(LONE_SPAN * die_px)
    size, ground = (side, side), round(4 * side)
    camera = _random_camera(rng, die_px, size, tilt_deg=0.0)
    pose = Pose(Square(0.0, 0.0, float(rng.uniform(0, 2 * np.pi)), 1.0))
    die, truth = _random_die(rng, make, pose, cocked_share=0.0)
    floor, scale = _floor(rng, die_px, size, [], ground)
    if ground_kind is not None:
        floor = np.clip(ground_kind(rng, ground), 0.004, 1).astype(np.float32)
    linear, ids, covered = picture_of(camera, floor**GAMMA, scale, [die], _random_lights(rng))
    linear = cv2.resize(linear, size, interpolation=cv2.INTER_AREA)
    return camera_effects.developed(linear, rng), _labels(camera, ids, covered, [truth], size)[0]


def render_oblique(
    rng: np.random.Generator, tilt_deg: float, size: tuple[int, int] = (480, 360)
) -> tuple[np.ndarray, list[RenderedDieLabel]]:
    """A picture (h, w, 3) uint8 of one to four flat dice of one make, photographed with an upright camera
    that is this many degrees from straight above, and their ground truth."""
    die_px = float(rng.uniform(40, 70))
    camera = _random_camera(rng, die_px, size, tilt_deg, upright=True)
    make = replace(random_make(rng), emblem_face=None, pattern="plain")
    half, poses = np.array(size) / die_px * OBLIQUE_SPREAD, list[Pose]()
    for _ in range(int(rng.integers(1, 5))):
        pose = _free_pose(rng, poses, half, 1.0, stacking=False)
        poses += [pose] if pose else []
    bodies = [_random_die(rng, make, pose, cocked_share=0.0) for pose in poses]
    floor, scale = _floor(rng, die_px, size, [], OBLIQUE_GROUND_PX)
    dice = [die for die, _ in bodies]
    linear, ids, covered = picture_of(camera, floor**GAMMA, scale, dice, _random_lights(rng))
    linear = cv2.resize(linear, size, interpolation=cv2.INTER_AREA)
    truths = [truth for _, truth in bodies]
    return camera_effects.developed(linear, rng), _labels(camera, ids, covered, truths, size)


def _random_bodies(rng: np.random.Generator, die_px: float, size: tuple[int, int]) -> list[Body]:
    """Dice, and in some pictures a few cubes or balls that are no dice."""
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
    makes = _random_makes(rng, len(poses))
    bodies = [_random_die(rng, make, pose) for make, pose in zip(makes, poses, strict=True)]
    if rng.random() < NO_DIE_SHARE:
        for _ in range(int(rng.integers(1, 4))):
            if pose := _free_pose(rng, poses, half, float(rng.uniform(0.5, 1.3)), stacking=False):
                poses.append(pose)
                bodies.append(_blank(rng, _blank_make(rng), pose))
    return bodies


def _free_pose(
    rng: np.random.Generator, poses: list[Pose], half: np.ndarray, side: float, stacking: bool = True
) -> Pose | None:
    """The pose of the next body; one in three beside another, a few on another. None: no room."""
    if stacking and poses and rng.random() < STACKED_SHARE:
        pose = _stacked_pose(rng, poses, side)
        if pose:
            return pose
    beside = rng.random() < BESIDE_SHARE
    for _ in range(MAX_TRIES):
        yaw = float(rng.uniform(0, 2 * np.pi))
        x, y = rng.uniform(-half, half)
        if beside and poses:
            other = poses[int(rng.integers(len(poses)))].square
            angle = rng.uniform(0, 2 * np.pi)
            distance = (side + other.side) / 2 * rng.uniform(1.0, 1.35)
            x, y = other.x + distance * np.cos(angle), other.y + distance * np.sin(angle)
            yaw = other.yaw_rad if rng.random() < ALIGNED_SHARE else yaw
        square = Square(float(x), float(y), yaw, side)
        if all(square.gap_to(pose.square) > 0 for pose in poses):
            return Pose(square)
    return None


def _stacked_pose(rng: np.random.Generator, poses: list[Pose], side: float) -> Pose | None:
    """The pose of a body on top of another one, which may touch no third one there. None: no room."""
    under = poses[int(rng.integers(len(poses)))]
    dx, dy = rng.uniform(-STACKED_OFFSET_SIDES, STACKED_OFFSET_SIDES, 2) * under.square.side
    x, y, height = float(under.square.x + dx), float(under.square.y + dy), under.height + under.square.side
    around = Square(x, y, 0.0, side * 1.4)  # contains the body at any rotation
    if all(pose is under or pose.height > height - 0.1 or around.gap_to(pose.square) > 0 for pose in poses):
        return Pose(Square(x, y, float(rng.uniform(0, 2 * np.pi)), side), height)
    return None


def _random_die(rng: np.random.Generator, make: Make, pose: Pose, cocked_share: float = COCKED_SHARE) -> Body:
    faces, numbers, pips = painted(make, rng)
    side = pose.square.side
    rotation = rotation_about_z(pose.square.yaw_rad, np.float64) @ _slot_up(int(rng.integers(6)))
    cocked = rng.random() < cocked_share
    if cocked:
        axis = horizontal_axis(rng.uniform(0, 2 * np.pi))
        rotation = rotation_about(axis, np.radians(rng.uniform(*COCKED_DEG)), np.float64) @ rotation
    slot, lean_deg, clear = _uppermost(rotation)
    centre = _resting_centre(make, pose, rotation)
    truth = DieTruth(
        face=numbers[slot],
        colour=make.colour,
        cocked=cocked,
        readable=clear and bool(pips[slot]),
        pips_xyz=centre + (rotation @ (on_face(slot, pips[slot]) * side).T).T,
        pip_radius=make.pips.radius_of(numbers[slot]) * side,
        lean_deg=lean_deg,
        stacked=pose.height > 0,
        centre=centre,
        normal=rotation[:, slot // 2] * (1 if slot % 2 == 0 else -1),
    )
    return _textured(make, side, centre, rotation, faces), truth


def _uppermost(rotation: np.ndarray) -> tuple[int, float, bool]:
    """The slot of the uppermost face, its tilt in degrees, and whether it is clearly the uppermost one."""
    up = rotation[2]
    cosines = np.array([up[0], -up[0], up[1], -up[1], up[2], -up[2]])
    slot, (second, first) = int(cosines.argmax()), np.sort(cosines)[-2:]
    return (
        slot,
        float(np.degrees(np.arccos(np.clip(cosines[slot], -1, 1)))),
        bool(first - second > CLEAR_COSINE),
    )


def _resting_centre(make: Make, pose: Pose, rotation: np.ndarray) -> np.ndarray:
    """(3,) the centre of a die with this rotation that rests at the height of its pose."""
    side = pose.square.side
    z = half_height(rotation, side, make.corner)
    z = min(z, make.ball * side) if make.ball < BALL_SIDES else z
    return np.array([pose.square.x, pose.square.y, pose.height + max(z, side / 2)])


def _textured(
    make: Make, side: float, centre: np.ndarray, rotation: np.ndarray, faces: np.ndarray
) -> TexturedDie:
    position, axes = np.asarray(centre, np.float32), np.asarray(rotation, np.float32)
    return TexturedDie(position, axes, side, make.corner, make.ball, make.gloss, make.translucency, faces)


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


def _blank(rng: np.random.Generator, make: Make, pose: Pose) -> Body:
    rotation = rotation_about_z(pose.square.yaw_rad, np.float64) @ _slot_up(int(rng.integers(6)))
    centre = np.array([pose.square.x, pose.square.y, pose.height + pose.square.side / 2])
    truth = DieTruth(
        0, make.colour, False, False, np.zeros((0, 3)), 0.0, 0.0, False, centre, np.array([0.0, 0.0, 1.0])
    )
    return _textured(make, pose.square.side, centre, rotation, painted_blank(make, rng)), truth


def _slot_up(slot: int) -> np.ndarray:
    """The rotation that turns face `slot` (+x -x +y -y +z -z) up."""
    axis, sign = slot // 2, 1 if slot % 2 == 0 else -1
    up = np.zeros(3)
    up[axis] = sign
    side = np.zeros(3)
    side[(axis + 1) % 3] = 1
    return np.stack([side, np.cross(up, side), up])


def _labels(
    camera: PinholeCamera, ids: np.ndarray, covered: np.ndarray, truths: list[DieTruth], size: tuple[int, int]
) -> list[RenderedDieLabel]:
    """The labels of the visible dice.

    ids, covered: of `picture_of`. size: of the final picture.
    """
    labels = []
    for i, die in enumerate(truths):
        mask = ids == i
        if die.face and mask.any():
            visible_share = float(mask.sum() / max(covered[i], 1))
            labels.append(_label(camera, die, _mask_box(mask), visible_share, size))
    return labels


def _mask_box(mask: np.ndarray) -> Box:
    """The box of a mask of the traced picture, in px of the final picture."""
    rows, cols = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
    x, y, w, h = (
        float(v) / FINER for v in (cols[0], rows[0], cols[-1] - cols[0] + 1, rows[-1] - rows[0] + 1)
    )
    return x, y, w, h


def _label(
    camera: PinholeCamera, die: DieTruth, box: Box, visible_share: float, size: tuple[int, int]
) -> RenderedDieLabel:
    pips_xy, pip_px = _projected_pips(camera, die, size)
    return RenderedDieLabel(
        box_xywh=box,
        face=die.face,
        colour=die.colour,
        cocked=die.cocked,
        readable=die.readable,
        seen=visible_share * (0.5 if touches_border(box, size) else 1.0),
        pips_xy=pips_xy,
        pip_px=pip_px,
        lean_deg=die.lean_deg,
        stacked=die.stacked,
        normal_xy=normal_xy(camera.rotation @ (die.centre - camera.position), camera.rotation @ die.normal),
    )


def _projected_pips(
    camera: PinholeCamera, die: DieTruth, size: tuple[int, int]
) -> tuple[tuple[tuple[float, float], ...], float]:
    """The pips in px of the final picture, and their projected radius."""
    if not len(die.pips_xyz):
        return (), 0.0
    in_camera = camera.in_camera(die.pips_xyz)
    scale = camera.focal_px / FINER / in_camera[:, 2]
    xy = in_camera[:, :2] * scale[:, None] + np.array(size) / 2
    return tuple((round(float(px), 2), round(float(py), 2)) for px, py in xy), float(
        die.pip_radius * scale.mean()
    )


def simulated(rng: np.random.Generator) -> tuple[np.ndarray, list[RenderedDieLabel]]:
    """The same for the simulated camera's tray, in its default look or a random one."""
    from vision.simulation import LOOKS, Scene, SimDie, random_tray, render_truth

    size = [(640, 480), (800, 600), (1280, 960), (1280, 720)][int(rng.integers(4))]
    scene = None if rng.random() < 0.5 else Scene()
    cocked = 0.0 if rng.random() < 0.7 else 0.3
    picture, trues = random_tray(
        rng, int(rng.integers(0, 13)), size_wh=size, scene=scene, cocked_share=cocked
    )
    if scene and rng.random() < 0.5:
        colours = [str(c) for c in rng.choice(list(LOOKS), 2)]
        grid = rng.permutation([(x, y) for x in range(-95, 96, 27) for y in range(-66, 67, 26)])
        grid = grid[: int(rng.integers(1, 11))]
        dice = [
            SimDie(
                int(rng.integers(1, 7)),
                str(rng.choice(colours)),
                float(x),
                float(y),
                float(rng.uniform(0, 6.3)),
            )
            for x, y in grid
        ]
        picture, trues = render_truth(dice, rng, size, scene)
    return picture, [_simulated_label(t, size) for t in trues]


def _simulated_label(t: TrueDie, size: tuple[int, int]) -> RenderedDieLabel:
    visible_share = 0.5 if touches_border(t.box_xywh, size) else 1.0
    return RenderedDieLabel(
        t.box_xywh,
        t.face,
        t.colour,
        t.cocked,
        True,
        visible_share,
        lean_deg=t.lean_deg,
        normal_xy=t.normal_xy,
    )


def main() -> None:
    parser = arguments(__doc__, count=6000)
    parser.add_argument(
        "--photos",
        type=Path,
        help="folder of photographs; parts without dice of those marked train become grounds",
    )
    parser.add_argument(
        "--simulated", action="store_true", help="make pictures of the simulated tray instead"
    )
    parser.add_argument(
        "--close", action="store_true", help="make small pictures of a few dice instead of whole tables"
    )
    parser.add_argument(
        "--oblique",
        action="store_true",
        help="make pictures of flat dice from low down, by an upright camera, instead",
    )
    args = parser.parse_args()
    patches = bare_patches(args.photos) if args.photos else []
    cv2.setNumThreads(1)

    def picture_of_seed(seed: int) -> tuple[np.ndarray, list[RenderedDieLabel]]:
        rng = np.random.default_rng(seed)
        if args.oblique:
            return render_oblique(rng, float(rng.uniform(*OBLIQUE_DEG)))
        return simulated(rng) if args.simulated else rendered(rng, patches, args.close)

    write(args, picture_of_seed)


if __name__ == "__main__":
    main()
