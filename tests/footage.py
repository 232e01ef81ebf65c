"""Videos of throws on the simulated tray."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2

from vision.cameras.simulated import SimulatedCamera
from vision.frames import Frame, Picture

FPS = 30.0
SIZE = (640, 480)


class Footage(NamedTuple):
    """Frames at FPS, and the faces of each throw in them."""

    pictures: list[Picture]
    faces: list[list[int]]


def footage_of(*throws: Sequence[str], seed: int = 3, rest_s: float = 1.0) -> Footage:
    """Frames of these throws, one after the other.

    throws: the colours of the dice of each.
    rest_s: how long the dice lie at rest after each throw, and how long the empty tray is shown first.
    """
    camera = SimulatedCamera(SIZE, FPS, seed, paced=False)
    frames, pictures, faces = camera.frames(), list[Picture](), list[list[int]]()
    pictures += _pictures_of(itertools.islice(frames, round(rest_s * FPS)))
    for colours in throws:
        camera.throw(colours)
        faces.append([die.face for die in camera.answer_key()])
        pictures += _pictures_of(_frames_until_rest(camera, frames))
        pictures += _pictures_of(itertools.islice(frames, round(rest_s * FPS)))
    camera.close()
    return Footage(pictures, faces)


def write_video(path: Path, pictures: Iterable[Picture], fps: float = FPS, codec: str = "MJPG") -> Path:
    """Writes the pictures as a video and returns its path. Every OpenCV can write MJPG into AVI."""
    writer = None
    for picture in pictures:
        if writer is None:
            writer = cv2.VideoWriter(
                str(path), cv2.VideoWriter.fourcc(*codec), fps, (picture.shape[1], picture.shape[0])
            )
            assert writer.isOpened(), f"no {codec} can be written to {path.name} here"
        writer.write(picture)
    assert writer is not None
    writer.release()
    return path


def _frames_until_rest(camera: SimulatedCamera, frames: Iterator[Frame]) -> Iterator[Frame]:
    yield next(frames)
    while not camera.resting:
        yield next(frames)


def _pictures_of(frames: Iterable[Frame]) -> list[Picture]:
    return [frame.picture for frame in frames]
