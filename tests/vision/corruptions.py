"""Frames of a tray with sensor noise, and corruptions of them, for tests of the camera's health."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Picture

FPS = 15
Corruption = Callable[[Picture, float], Picture]
"""From a picture, and the seconds since the corruption started, to the corrupted picture without noise."""


class Sensor:
    """Adds noise, a random window of one large field to every frame. sigma: grey levels."""

    def __init__(self, sigma: float, seed: int = 1) -> None:
        self._sigma, self._rng = sigma, np.random.default_rng(seed)
        self._field: NDArray[np.float32] | None = None

    def __call__(self, light: Picture, gain: float = 1.0) -> Picture:
        h, w = light.shape[:2]
        if self._field is None:
            self._field = self._rng.standard_normal((2 * h, 2 * w, 3), np.float32)
        y, x = self._rng.integers(0, h), self._rng.integers(0, w)
        noise = self._field[y : y + h, x : x + w]
        return np.asarray(
            cv2.addWeighted(light.astype(np.float32), gain, noise, self._sigma, 0, dtype=cv2.CV_8U)
        )


def still_frames(
    picture: Picture, seconds: float, sigma: float = 2.0, gain: float = 1.0, start_s: float = 0.0
) -> Iterator[Frame]:
    """Frames of a tray at rest."""
    sensor = Sensor(sigma)
    for n in range(round(seconds * FPS)):
        yield Frame(sensor(picture, gain), start_s + n / FPS)


def corrupted(
    frames: Iterable[Frame], from_s: float, to_s: float, corruption: Corruption, sigma: float = 2.0
) -> Iterator[Frame]:
    """The frames, with the pictures from `from_s` to `to_s` corrupted."""
    sensor = Sensor(sigma, seed=2)
    for frame in frames:
        since_s = frame.at_s - from_s
        yield (
            Frame(sensor(corruption(frame.picture, since_s)), frame.at_s)
            if 0 <= since_s < to_s - from_s
            else frame
        )


def looped(frames: Iterable[Frame], from_s: float, to_s: float, loop: int) -> Iterator[Frame]:
    """The frames. From `from_s` to `to_s` they repeat the last `loop` pictures before."""
    last_pictures: list[Picture] = []
    for n, frame in enumerate(frames):
        if not from_s <= frame.at_s < to_s:
            last_pictures = [*last_pictures, frame.picture][-loop:] if frame.at_s < from_s else last_pictures
            yield frame
        else:
            yield Frame(last_pictures[n % len(last_pictures)], frame.at_s)


def black(picture: Picture, _: float) -> Picture:
    return np.zeros_like(picture)


def skin(picture: Picture, at_s: float) -> Picture:
    """A hand close to the lens: warm, blurred, and in slight motion."""
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    light = 70 + 25 * np.sin(2 * x / w + at_s / 2) + 20 * y / h
    return np.asarray(np.clip(np.dstack([light * 0.5, light * 0.6, light]), 0, 255), np.uint8)


def grey_card(picture: Picture, _: float) -> Picture:
    return np.full_like(picture, 128)


def out_of_focus(share: float) -> Corruption:
    """A blur with a sigma of this share of the picture's width."""
    return lambda picture, _: np.asarray(
        cv2.GaussianBlur(picture, (0, 0), share * picture.shape[1]), np.uint8
    )
