"""Scene: the simulated table without its dice, as one frozen value; and DieStyle, the look of a die.

Lengths are millimetres in the tray's own axes. The origin is the centre of the floor. x points right in the
picture, y away from the thrower (up in the picture), and z upwards to the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from table.common.colours import COLOURS
from vision.frames import Picture
from vision.readings import PLAIN_BGR

BGR = tuple[float, float, float]
"""Blue, green, red, 0-255 each."""

DARK_PIPS = frozenset({"white", "grey", "orange", "yellow", "pink"})
"""Colours of dice with dark pips; the others have white pips."""

PIP_DARK: BGR = (34, 30, 30)
PIP_LIGHT: BGR = (242, 245, 246)
"""Colours of dark and of white pips."""


@dataclass(frozen=True)
class DieStyle:
    """The look of one die. Lengths are shares of the die's side.

    corner: radius of the rounded edges (0.08 sharp casino dice ... 0.3 well rounded).
    pip_radius, pip_pitch: radius of a pip, and distance between the centres of adjacent pips in their 3 x 3
        grid.
    pip_depth: 0 printed flat ... 1 drilled deep.
    gloss: 0 matt ... 1 polished.
    wear: 0 new ... 1 scratched all over, with half of the pips' paint gone.
    """

    body_bgr: BGR
    pip_bgr: BGR
    corner: float = 0.17
    pip_radius: float = 0.094
    pip_pitch: float = 0.255
    pip_depth: float = 0.7
    gloss: float = 0.45
    wear: float = 0.0


LOOKS: dict[str, DieStyle] = {
    name: DieStyle(PLAIN_BGR[name], PIP_DARK if name in DARK_PIPS else PIP_LIGHT) for name in COLOURS
}
"""The default style of each colour."""

IVORY: DieStyle = DieStyle((196, 224, 236), PIP_DARK)
NAVY: DieStyle = DieStyle((84, 44, 32), PIP_LIGHT)
"""Dice that a household may have besides its white and black ones, and has to tell from them."""


@dataclass(frozen=True, eq=False)
class Lining:
    """A printed sheet centred in the tray. picture: (h, w, 3) uint8 BGR. size_mm: width and depth."""

    picture: Picture = field(repr=False)
    size_mm: tuple[float, float]


@dataclass(frozen=True)
class Scene:
    """A tray, its light and the camera over it.

    tray_mm: inner width and depth.
    rim_mm, rim_height_mm: width of the wooden rim, and its height over the floor.
    camera_height_mm: over the floor.
    camera_tilt_rad: from vertical, towards the thrower's side.
    camera_roll_rad: about the optical axis.
    fill: size of the tray in the picture, 1 = the rim touches the border.
    light_azimuth_rad: direction of the main light, 0 = right, pi/2 = top of the picture.
    light_elevation_rad: over the table.
    key, ambient: strength of the main light and of the room light.
    light_bgr: colour of the light, 1 = neutral.
    vignette: darkening of the corners, 0-1.
    noise_sigma: camera noise, grey levels.
    blur_px: sigma of the lens blur.
    grain: texture of the felt, grey levels.
    texture_seed: seed of the felt's and the wood's texture.
    lining: a sheet on the felt.
    uneven_mm: height of the felt's waves, 0 = flat.
    aim_px: shift of the camera by bumps since it was set up, as seen in the picture: to the right and down.
    """

    tray_mm: tuple[float, float] = (240.0, 176.0)
    rim_mm: float = 13.0
    rim_height_mm: float = 17.0
    camera_height_mm: float = 430.0
    camera_tilt_rad: float = 0.05
    camera_roll_rad: float = 0.0
    fill: float = 0.985
    felt_bgr: BGR = (58, 84, 36)
    rim_bgr: BGR = (52, 92, 146)
    table_bgr: BGR = (46, 52, 60)
    light_azimuth_rad: float = 2.2
    light_elevation_rad: float = 1.0
    key: float = 0.62
    ambient: float = 0.5
    light_bgr: BGR = (0.97, 1.0, 1.02)
    exposure: float = 1.0
    vignette: float = 0.2
    noise_sigma: float = 1.6
    blur_px: float = 0.55
    grain: float = 7.0
    texture_seed: int = 1
    die_mm: float = 16.0
    lining: Lining | None = None
    uneven_mm: float = 0.0
    aim_px: tuple[float, float] = (0.0, 0.0)

    @property
    def to_light(self) -> tuple[float, float, float]:
        """Unit vector from the tray to the main light."""
        horizontal = float(np.cos(self.light_elevation_rad))
        return (
            horizontal * float(np.cos(self.light_azimuth_rad)),
            horizontal * float(np.sin(self.light_azimuth_rad)),
            float(np.sin(self.light_elevation_rad)),
        )


LININGS: tuple[BGR, ...] = (
    (58, 84, 36), (46, 96, 40), (40, 36, 120), (30, 30, 90), (110, 56, 30), (70, 40, 30), (38, 36, 36),
    (70, 40, 78), (150, 150, 148), (205, 210, 212), (238, 240, 240), (120, 160, 190), (60, 105, 160),
    (96, 104, 60),
)  # fmt: skip
"""Felt in green, burgundy, blue, black and purple; grey card, paper, beige cloth, plain wood, teal."""


def varied_scene(rng: np.random.Generator, base: Scene | None = None) -> Scene:
    """A random scene with its own camera, light, lining and die size, for training and tests."""
    lining = LININGS[rng.integers(len(LININGS))]
    return replace(
        base or Scene(),
        camera_height_mm=float(rng.uniform(300, 650)),
        camera_tilt_rad=float(rng.uniform(-0.05, 0.3)),
        camera_roll_rad=float(rng.normal(0, 0.06)),
        fill=float(rng.uniform(0.9, 1.35)),
        felt_bgr=_jittered(rng, lining, 12),
        rim_bgr=_jittered(rng, Scene.rim_bgr, 30),
        table_bgr=_jittered(rng, (90, 100, 110), 50),
        light_azimuth_rad=float(rng.uniform(0, 2 * np.pi)),
        light_elevation_rad=float(rng.uniform(0.6, 1.45)),
        key=float(rng.uniform(0.3, 0.8)),
        ambient=float(rng.uniform(0.4, 0.65)),
        light_bgr=(float(rng.uniform(0.78, 1.08)), 1.0, float(rng.uniform(0.92, 1.16))),
        exposure=float(rng.uniform(0.7, 1.2)),
        vignette=float(rng.uniform(0, 0.4)),
        noise_sigma=float(rng.uniform(0.5, 6)),
        blur_px=float(rng.uniform(0.3, 1.2)),
        grain=float(rng.uniform(0, 14)),
        texture_seed=int(rng.integers(1 << 30)),
        die_mm=float(rng.uniform(12, 22)),
    )


def varied_style(rng: np.random.Generator, colour: str) -> DieStyle:
    """A random style of this colour: shade, pips, corners and gloss vary, the colour's name does not."""
    plain = LOOKS[colour]
    body = _ivory(rng) if colour == "white" and rng.random() < 0.3 else _jittered(rng, plain.body_bgr, 12)
    return DieStyle(
        body_bgr=body,
        pip_bgr=_jittered(rng, _random_pip_bgr(rng, colour), 14),
        corner=float(rng.uniform(0.07, 0.3)),
        pip_radius=float(rng.uniform(0.07, 0.115)),
        pip_pitch=float(rng.uniform(0.22, 0.28)),
        pip_depth=float(rng.uniform(0, 1)),
        gloss=float(rng.uniform(0, 0.9)),
    )


def _ivory(rng: np.random.Generator) -> BGR:
    return _jittered(rng, IVORY.body_bgr, 10)


def by_lamplight(scene: Scene, rng: np.random.Generator) -> Scene:
    """The same tray and camera by one warm lamp in another place, at a third to a half of the light."""
    return replace(
        scene,
        light_azimuth_rad=float(rng.uniform(0, 2 * np.pi)),
        light_elevation_rad=float(rng.uniform(0.7, 1.4)),
        key=float(rng.uniform(0.4, 0.8)),
        ambient=float(rng.uniform(0.35, 0.55)),
        light_bgr=(
            float(rng.uniform(0.5, 0.68)),
            float(rng.uniform(0.8, 0.9)),
            float(rng.uniform(1.0, 1.12)),
        ),
        exposure=float(rng.uniform(0.35, 0.55)),
        noise_sigma=float(rng.uniform(2, 5)),
    )


def _random_pip_bgr(rng: np.random.Generator, colour: str) -> BGR:
    if colour == "orange" and rng.random() < 0.5:
        return PIP_LIGHT
    if colour == "black" and rng.random() < 0.15:
        return (60, 190, 220)  # gold
    if colour == "white" and rng.random() < 0.15:
        return (40, 30, 180) if rng.random() < 0.5 else (160, 60, 20)
    return LOOKS[colour].pip_bgr


def _jittered(rng: np.random.Generator, bgr: BGR, spread: float) -> BGR:
    """The colour with jitter in brightness (all channels together) and in hue (each alone)."""
    common = rng.normal(0, spread * 0.7)
    b, g, r = (float(np.clip(c + common + rng.normal(0, spread * 0.25), 4, 250)) for c in bgr)
    return b, g, r
