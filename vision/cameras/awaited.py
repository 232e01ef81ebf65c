"""The camera of a table that waits for one to be plugged in."""

from __future__ import annotations

from collections.abc import Iterator

from table.common.errors import CameraUnavailable
from vision.frames import Frame


class AwaitedCamera:
    """Raises CameraUnavailable for frames, like an unplugged camera; the retry then looks for a real one."""

    name = "first camera that is plugged in"

    def frames(self) -> Iterator[Frame]:
        raise CameraUnavailable(
            "no camera was found: plug in a webcam, or switch off the Pi and check its camera's ribbon cable"
        )

    def close(self) -> None:
        """Does nothing: no device is open."""
