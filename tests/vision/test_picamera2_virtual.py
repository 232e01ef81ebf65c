"""The Pi camera's adapter on the real picamera2, with libcamera's virtual camera in place of a sensor.

Needs /opt/libcamera-virtual, and an interpreter that has picamera2: this one, or the one named by
BREHON_PI_PYTHON. See ../shared/pi.
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
from vision.reading.reader import Reader
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
from vision.readings import Reading
from vision.events import Settled
from vision.capture import CaptureLoop

class EmptyReader:
    def read(self, picture):
        return Reading((picture.shape[1], picture.shape[0]))

def record(event):
    events.append(str(getattr(event, "state", type(event).__name__)))
    if isinstance(event, Settled):
        np.save(sys.argv[1], event.frame.picture)
        loop.stop()

camera = open_camera("picamera2")
# the virtual camera does not pace its frames
camera.device.post_callback = lambda request: time.sleep(1 / 60)
events, loop = [], None
loop = CaptureLoop(camera, EmptyReader(), record)
loop.run()
seen = {"format": camera.pixel_format, "size": camera.size_wh, "name": camera.name}
print(json.dumps({"events": events, **seen}))
"""


def reason_to_skip() -> str | None:
    """Why these tests cannot run here; None if they can."""
    if not LIBCAMERA.is_dir():
        return f"{LIBCAMERA} is not installed; see shared/pi/README.md"
    if not (BRIDGE / "virtcam.py").is_file():
        return f"the bridge virtcam.py is not at {BRIDGE}"
    if not os.access(LIBCAMERA / "share", os.W_OK):
        return f"{CONFIG} cannot be written"
    missing = "any(importlib.util.find_spec(n) is None for n in ('picamera2', 'cv2', 'libcamera'))"
    probe = f"import importlib.util, sys; sys.exit(sys.version_info[:2] != (3, 11) or {missing})"
    if subprocess.run([PYTHON, "-c", probe], env=ENVIRONMENT, capture_output=True, check=False).returncode:
        return (
            f"{PYTHON} is no Python 3.11 with picamera2 and opencv; "
            "install picamera2==0.3.38, or name another with BREHON_PI_PYTHON"
        )
    return None


@pytest.fixture(scope="module")
def tray(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Picture, tuple[TrueDie, ...]]]:
    """A virtual camera that shows one rendered tray; restores the configuration afterwards."""
    if reason := reason_to_skip():
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
def seen(
    tray: tuple[Path, Picture, tuple[TrueDie, ...]], tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], Picture]:
    """What the script printed, and the frame on which the tray settled."""
    frame_file = tmp_path_factory.mktemp("shot") / "settled.npy"
    run = subprocess.run(
        [PYTHON, "-c", SCRIPT, str(frame_file)],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1]), np.load(frame_file)


def test_frames_in_the_pixel_format_of_the_camera_are_converted(seen: tuple[dict[str, Any], Picture]) -> None:
    output, picture = seen
    assert output["format"] == "NV12"  # RGB888 was requested
    assert output["size"] == [1280, 960]
    assert picture.shape == (960, 1280, 3)
    assert picture.dtype == np.uint8


def test_the_tray_settles_and_is_read(seen: tuple[dict[str, Any], Picture]) -> None:
    assert seen[0]["events"] == ["SETTLING", "READING", "Settled"]


def test_the_frame_shows_the_rendered_picture(
    seen: tuple[dict[str, Any], Picture], tray: tuple[Path, Picture, tuple[TrueDie, ...]]
) -> None:
    """The virtual camera delivers a JPEG's full range as the limited range of video, so contrast is 255/219
    of the picture's."""
    stretched = np.clip((tray[1].astype(np.float32) - 16) * 255 / 219, 0, 255)
    error = np.abs(cv2.GaussianBlur(seen[1].astype(np.float32) - stretched, (0, 0), 3))
    assert error.mean() < 4


def test_the_dice_in_the_frame_are_read(
    seen: tuple[dict[str, Any], Picture], tray: tuple[Path, Picture, tuple[TrueDie, ...]]
) -> None:
    reading = Reader().read(seen[1])
    assert sorted(reading.faces) == sorted(die.face for die in tray[2])
