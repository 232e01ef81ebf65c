"""The light on a solid's surface: diffuse light from the room and the lamp, and a specular highlight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.simulation.rounded_cube import blinn_phong_cosine
from vision.simulation.scene import Scene
from vision.simulation.view import Floats


def diffuse(
    scene: Scene, rotation: Floats, normals: Floats, heights_mm: Floats, thickness_mm: float
) -> Floats:
    """(n,) diffuse light: room light from above and the main light, both weaker close to the floor.

    rotation: (3, 3) solid to tray. normals: (3, n) in the solid's axes. heights_mm: (n,) over the floor.
    thickness_mm: height of the resting solid, up to which the light is weaker.
    """
    up = rotation[2]
    to_light = np.array(scene.to_light, np.float32) @ rotation
    sky = np.float32(0.55) + np.float32(0.45) * (up @ normals)
    lambert = np.maximum(to_light @ normals, 0)
    near_floor = np.float32(0.72) + np.clip(heights_mm * np.float32(0.28 / thickness_mm), 0, np.float32(0.28))
    return np.asarray((np.float32(scene.ambient) * sky + np.float32(scene.key) * lambert) * near_floor)


def specular(
    scene: Scene,
    rotation: Floats,
    normals: NDArray[np.float32],
    directions: NDArray[np.float32],
    gloss: float,
) -> Floats:
    """(n,) specular light, grey levels: a strong narrow and a faint wide Blinn-Phong lobe (64 and 8).

    normals, directions: (3, n) in the solid's axes; the directions are those of the rays from the camera.
    gloss: 0 matt ... 1 polished.
    """
    to_light = np.asarray(np.array(scene.to_light, np.float32) @ rotation, np.float32)
    cosine = blinn_phong_cosine(normals, to_light, directions)
    wide = _squared(cosine, 3)  # cosine ** 8; squares are several times as fast as a power
    narrow = _squared(wide, 3)  # cosine ** 64
    return np.asarray(
        np.float32(255 * scene.key * gloss) * (np.float32(0.9) * narrow + np.float32(0.12) * wide)
    )


def _squared(values: Floats, times: int) -> Floats:
    """The values, squared this many times in succession."""
    for _ in range(times):
        values = values * values
    return values
