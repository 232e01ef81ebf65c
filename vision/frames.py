"""Frames, and the protocols of the cameras they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""(height, width, 3) uint8 BGR, as in OpenCV."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture from a camera.

    picture: (height, width, 3) uint8 BGR; never written to after it was handed out.
    at_s: seconds since the camera was opened, monotonic, by the camera's own clock. A video file's times come
        from the file, so tests need no waiting.
    """

    picture: Picture
    at_s: float

    @property
    def size_wh(self) -> tuple[int, int]:
        return self.picture.shape[1], self.picture.shape[0]


class Camera(Protocol):
    """A source of frames. Its constructor opens it or raises CameraUnavailable with what to do about it."""

    name: str
    """For people: 'webcam 0', 'video clip.mp4', 'simulated tray'."""

    def frames(self) -> Iterator[Frame]:
        """Frames in order, at the camera's pace; ends when the source ends or after close()."""
        ...

    def close(self) -> None:
        """Releases the device; may be called twice and from another thread."""
        ...


@runtime_checkable
class Stills(Protocol):
    """A camera of photographs, one throw after another with nothing in between."""

    stills: bool


@runtime_checkable
class SkipsFrames(Protocol):
    """A camera that can skip frames while nothing happens. A recording cannot: all its frames come."""

    def skip_frames(self, seconds: float) -> None:
        """Waits so long, or until close(); frames of this time are lost. The next frame is taken after it."""
        ...
