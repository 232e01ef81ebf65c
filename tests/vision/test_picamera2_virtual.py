"""The Pi camera's adapter on the real picamera2, with libcamera's virtual camera in place of a sensor.

Needs /opt/libcamera-virtual and an interpreter that has picamera2: this one, or the one named by BREHON_PI_PYTHON. See ../shared/pi.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.frames import Picture
from vision.reader import Reader
from vision.simulation import Scene, TrueDie, random_tray

LIBCAMERA = Path("/opt/libcamera-virtual")
CONFIG = LIBCAMERA / "share/libcamera/pipeline/virtual/virtual.yaml"
ROOT = Path(__file__).parents[2]
BRIDGE = ROOT.parent / "shared" / "pi"
PYTHON = os.environ.get("BREHON_PI_PYTHON", sys.executable)

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(map(str, (LIBCAMERA / "lib/python3.11/site-packages", BRIDGE, ROOT))),
    "LD_LIBRARY_PATH": str(LIBCAMERA / "lib"),
}

CAMERA_YAML = """%YAML 1.1
---
"Virtual0":
  supported_formats:
  - {{width: 1280, height: 960, frame_rates: [30, 60]}}
  frames: {{path: "{folder}/"}}
  location: "CameraLocationBack"
  model: "Virtual Dice Camera"
"""

SCRIPT = """
import json, sys, time
import virtcam  # before picamera2
import numpy as np
from vision.cameras import open_camera
from vision.reading import Reading
from vision.events import Settled
from vision.capture import CaptureLoop

class Empty:
    def read(self, picture):
        return Reading((picture.shape[1], picture.shape[0]))

def tell(event):
    told.append(type(event).__name__)
    if isinstance(event, Settled):
        np.save(sys.argv[1], event.frame.picture)
        watch.stop()

camera = open_camera("picamera2")
camera.device.post_callback = lambda request: time.sleep(1 / 60)  # the virtual camera does not pace its frames
told, watch = [], None
watch = CaptureLoop(camera, Empty(), tell)
watch.run()
print(json.dumps({"told": told, "format": camera.pixel_format, "size": camera.size_wh, "name": camera.name}))
"""


def why_not() -> str | None:
    """Why this cannot run here."""
    if not LIBCAMERA.is_dir():
        return f"{LIBCAMERA} is not installed; see shared/pi/README.md"
    if not (BRIDGE / "virtcam.py").is_file():
        return f"the bridge virtcam.py is not at {BRIDGE}"
    if not os.access(LIBCAMERA / "share", os.W_OK):
        return f"{CONFIG} cannot be written"
    missing = "any(importlib.util.find_spec(n) is None for n in ('picamera2', 'cv2', 'libcamera'))"
    probe = f"import importlib.util, sys; sys.exit(sys.version_info[:2] != (3, 11) or {missing})"
    if subprocess.run([PYTHON, "-c", probe], env=ENVIRONMENT, capture_output=True, check=False).returncode:
        return f"{PYTHON} is no Python 3.11 with picamera2 and opencv; install picamera2==0.3.38, or name another with BREHON_PI_PYTHON"
    return None


@pytest.fixture(scope="module")
def tray(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Picture, tuple[TrueDie, ...]]]:
    """A virtual camera that shows one drawn tray; the configuration is put back afterwards."""
    if reason := why_not():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("frames")
    picture, truth = random_tray(np.random.default_rng(4), 5, size_wh=(1280, 960), scene=Scene())
    cv2.imwrite(str(folder / "0.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    before = CONFIG.read_text() if CONFIG.exists() else None
    CONFIG.parent.mkdir(parents=True, exist_ok=True)
    CONFIG.write_text(CAMERA_YAML.format(folder=folder))
    yield folder, picture, truth
    if before is None:
        CONFIG.unlink()
    else:
        CONFIG.write_text(before)


@pytest.fixture(scope="module")
def seen(tray: tuple[Path, Picture, tuple[TrueDie, ...]], tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Picture]:
    """What the adapter said about itself, and the frame on which the tray settled."""
    shot = tmp_path_factory.mktemp("shot") / "settled.npy"
    run = subprocess.run([PYTHON, "-c", SCRIPT, str(shot)], env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1]), np.load(shot)


def test_what_came_is_asked_and_converted(seen: tuple[dict[str, Any], Picture]) -> None:
    said, picture = seen
    assert said["format"] == "NV12"  # RGB888 was asked for
    assert said["size"] == [1280, 960]
    assert picture.shape == (960, 1280, 3)
    assert picture.dtype == np.uint8


def test_the_tray_settles_and_is_read(seen: tuple[dict[str, Any], Picture]) -> None:
    assert seen[0]["told"] == ["Settling", "AtRest", "Settled"]


def test_the_frame_is_the_picture(seen: tuple[dict[str, Any], Picture], tray: tuple[Path, Picture, tuple[TrueDie, ...]]) -> None:
    """The virtual camera hands on a JPEG's full range as the limited range of video, so contrast is 255/219 of the picture's."""
    stretched = np.clip((tray[1].astype(np.float32) - 16) * 255 / 219, 0, 255)
    off = np.abs(cv2.GaussianBlur(seen[1].astype(np.float32) - stretched, (0, 0), 3))
    assert off.mean() < 4


def test_the_reader_reads_what_the_camera_saw(
    seen: tuple[dict[str, Any], Picture], tray: tuple[Path, Picture, tuple[TrueDie, ...]]
) -> None:
    reading = Reader().read(seen[1])
    assert sorted(reading.faces) == sorted(die.face for die in tray[2])
