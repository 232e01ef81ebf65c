"""`brehon doctor`: its findings on the camera's picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from table.setup.findings import Finding, picture_findings
from tests.vision.corruptions import FPS, Sensor, black, out_of_focus, still_frames
from vision.frames import Frame, Picture
from vision.health.image_quality import ImageQuality, measure_image_quality
from vision.simulation import Scene, random_tray

TRAY = random_tray(np.random.default_rng(1), 5, size_wh=(400, 300), scene=replace(Scene(), noise_sigma=0.0))[
    0
]


def image_quality(picture: Picture, sigma: float = 2.0, gain: float = 1.0) -> ImageQuality:
    quality = measure_image_quality(still_frames(picture, 5, sigma, gain))
    assert quality is not None
    return quality


def findings(quality: ImageQuality) -> dict[str, Finding]:
    return {finding.name: finding for finding in picture_findings(quality)}


def frames_with_bands(depth: float) -> Iterator[Frame]:
    """Frames of a tray under a lamp that flickers at 100 Hz, from a camera with a rolling shutter."""
    sensor, rows = Sensor(2.0), np.arange(300)[:, None, None] / 300
    for n in range(5 * FPS):
        light = 1 + depth * np.sin(2 * np.pi * (2.3 * rows + n / 3))
        yield Frame(sensor(np.clip(TRAY * light, 0, 255).astype(np.uint8)), n / FPS)


def test_all_findings_of_a_good_picture_are_ok() -> None:
    quality = image_quality(TRAY)
    assert quality.noise == pytest.approx(2.0, rel=0.1)
    assert quality.fps == pytest.approx(FPS)
    assert quality.size_wh == (400, 300)
    assert [f.ok for f in picture_findings(quality)] == [True, True, True, True]


@pytest.mark.parametrize(
    ("measure", "name", "advice"),
    [
        (lambda: image_quality(TRAY, gain=0.2), "light", "under a lamp"),
        (lambda: image_quality(TRAY, gain=6.0), "glare", "overexposed"),
        (lambda: image_quality(out_of_focus(0.006)(TRAY, 0)), "focus", "wipe the lens"),
        (lambda: image_quality(black(TRAY, 0)), "picture", "switch on a lamp"),
    ],
)
def test_each_problem_of_a_picture_has_its_advice(
    measure: Callable[[], ImageQuality], name: str, advice: str
) -> None:
    finding = findings(measure())[name]
    assert finding.ok is False
    assert advice in finding.text


def test_bands_of_a_lamp_are_measured_and_reported() -> None:
    quality = measure_image_quality(frames_with_bands(0.1))
    assert quality is not None
    assert quality.banding == pytest.approx(0.1, rel=0.3)
    assert "lamp that does not flicker" in findings(quality)["mains"].text
    assert findings(quality)["mains"].ok is False


def test_a_source_without_frames_has_no_image_quality() -> None:
    assert measure_image_quality(iter(())) is None
