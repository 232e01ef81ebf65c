"""The camera that is not there yet, of a table that waits for one."""

from __future__ import annotations

from collections.abc import Iterator

from table.common.errors import CameraUnavailable
from vision.frames import Frame


class AwaitedCamera:
    """Gives CameraUnavailable for frames, as one does whose plug is out; what opens lost cameras again then looks for a real one."""

    name = "first camera that is plugged in"

    def frames(self) -> Iterator[Frame]:
        raise CameraUnavailable("no camera is found: plug a webcam in, or check the Pi camera's ribbon cable with the power off")

    def close(self) -> None:
        """Nothing is held."""
