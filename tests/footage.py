"""Recordings made for a test: thrown dice of the simulated tray, filmed and written as a video file."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cv2

from vision.cameras.simulated import SimulatedCamera
from vision.frames import Frame, Picture

FPS = 30.0
SIZE = (640, 480)


def throws_filmed(*throws: Sequence[str], seed: int = 3, rest_s: float = 1.0) -> tuple[list[Picture], list[list[int]]]:
    """Frames of these throws, each by its colours, one after the other, and the faces of each; every throw rests for so long."""
    camera = SimulatedCamera(SIZE, FPS, seed, paced=False)
    frames, pictures, faces = camera.frames(), list[Picture](), list[list[int]]()
    pictures += _pictures(itertools.islice(frames, round(rest_s * FPS)))
    for colours in throws:
        camera.throw(colours)
        faces.append([die.face for die in camera.answer_key()])
        pictures += _pictures(_until_rest(camera, frames))
        pictures += _pictures(itertools.islice(frames, round(rest_s * FPS)))
    camera.close()
    return pictures, faces


def written(path: Path, pictures: Iterable[Picture], fps: float = FPS, codec: str = "MJPG") -> Path:
    """The pictures as a video file; MJPG in AVI is what every OpenCV writes."""
    writer = None
    for picture in pictures:
        if writer is None:
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), fps, (picture.shape[1], picture.shape[0]))
            assert writer.isOpened(), f"no {codec} can be written to {path.name} here"
        writer.write(picture)
    assert writer is not None
    writer.release()
    return path


def _until_rest(camera: SimulatedCamera, frames: Iterator[Frame]) -> Iterator[Frame]:
    yield next(frames)
    while not camera.resting:
        yield next(frames)


def _pictures(frames: Iterable[Frame]) -> list[Picture]:
    return [frame.picture for frame in frames]
