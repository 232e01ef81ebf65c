"""Opens the camera that a person named, or the best one available."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from table.common.errors import CameraUnavailable
from vision.cameras.awaited import AwaitedCamera
from vision.cameras.picamera2 import PiCamera
from vision.cameras.picture_folder import PictureFolder
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.video import VideoFile
from vision.cameras.webcam import Webcam, webcam_numbers
from vision.frames import Camera

CAMERAS = "picamera2, webcam, webcam:N, video:FILE, pictures:FOLDER, simulated, real or auto"
"""The names that `open_camera` takes, for messages and for --help."""

log = logging.getLogger("brehon.cameras")


def open_camera(spec: str | None = "auto") -> Camera:
    """The camera of this name, opened; None is auto.

    auto: picamera2 if there is one, else a webcam that gives frames, else simulated.
    real: the same, but it waits for a camera instead of simulating one, so that a table in a club never takes
        simulated dice for real ones.
    CameraUnavailable: the name is none of CAMERAS, or that camera cannot be opened; says what to do.
    """
    name, colon, rest = (spec or "auto").partition(":")
    if name in _PLAIN and not colon:
        return _PLAIN[name]()
    if name in _WITH_ARGUMENT and rest:
        return _WITH_ARGUMENT[name](rest)
    raise CameraUnavailable(f"there is no camera {spec!r}; choose one of: {CAMERAS}")


def first_real_camera(real: Iterable[Callable[[], Camera]] | None = None) -> Camera:
    """The first real camera that opens; CameraUnavailable if none does.

    real: openers to try; None: the Pi's camera, then every webcam.
    """
    every: list[Callable[[], Camera]] = [PiCamera, *(partial(Webcam, n) for n in webcam_numbers())]
    reasons: list[str] = []
    for open_one in every if real is None else real:
        try:
            return open_one()
        except CameraUnavailable as error:
            reasons.append(f"{error}")
    raise CameraUnavailable(f"no real camera was found: {'; '.join(reasons)}")


def _first_real_else(fallback: Callable[[], Camera]) -> Camera:
    try:
        return first_real_camera()
    except CameraUnavailable as error:
        log.info("%s", error)
        return fallback()


def reopener(camera: Camera) -> Callable[[], Camera] | None:
    """A function that opens this camera again after it was lost; None for cameras that cannot be lost.

    It never opens the simulated tray: an unplugged webcam must not come back as simulated dice.
    """
    if isinstance(camera, PiCamera):
        return PiCamera
    if isinstance(camera, Webcam):
        return partial(Webcam, camera.number)
    if isinstance(camera, AwaitedCamera):
        return first_real_camera
    return None


def _numbered_webcam(number: str) -> Webcam:
    if not number.isdecimal():
        raise CameraUnavailable(f"a webcam is named by its number, such as webcam:0; got {number!r}")
    return Webcam(int(number))


_PLAIN: dict[str, Callable[[], Camera]] = {
    "auto": partial(_first_real_else, SimulatedCamera),
    "real": partial(_first_real_else, AwaitedCamera),
    "picamera2": PiCamera,
    "webcam": Webcam,
    "simulated": SimulatedCamera,
}
_WITH_ARGUMENT: dict[str, Callable[[str], Camera]] = {
    "webcam": _numbered_webcam,
    "video": lambda path: VideoFile(Path(path)),
    "pictures": lambda path: PictureFolder(Path(path)),
}
