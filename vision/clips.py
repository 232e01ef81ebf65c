"""The last seconds of the tray, small: what an instant replay is cut from.

While something moves a few pictures a second are shrunk and encoded, while the tray waits one in a while, so that a replay has a
beginning and a waiting table costs next to nothing.
"""

from __future__ import annotations

import threading
from collections import deque

import cv2

from vision.frames import Frame, Picture
from vision.motion_jpeg import encoded, stamped

CLIP_W = 320
"""Least width of a replay's pictures, px. A die of 25 px in them still shows its pips; shrinking by a whole number costs least."""

JPEG_QUALITY = 80
"""8 to 20 kB a picture."""

MOVING_S = 0.08
"""Between two pictures while something moves: 12.5 a second show a rolling die in every place it touched."""

WAITING_S = 0.5
"""Between two pictures of a tray that waits."""

LEAD_S = 2.0
"""Shown before something began to move."""

LONGEST_S = 10.0
"""Of a replay; of a longer commotion its end is shown. 125 pictures, 3 MB at most."""


class FrameRing:
    """Keeps the newest pictures of the tray, at most LONGEST_S of them. `see` is for the eyes' thread, the rest for any."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, bytes]] = deque()
        self._lock = threading.Lock()
        self._closed = False

    def see(self, frame: Frame, waits: bool) -> None:
        """Keeps the frame, if it is time for one. waits: nothing has moved on the tray for a while."""
        with self._lock:
            if self._closed or not self._due(frame.at_s, WAITING_S if waits else MOVING_S):
                return
        jpeg = encoded(downscaled(frame.picture), JPEG_QUALITY)
        with self._lock:
            if self._closed:
                return
            self._kept.append((frame.at_s, jpeg))
            while frame.at_s - self._kept[0][0] > LONGEST_S:
                self._kept.popleft()

    def _due(self, at_s: float, every_s: float) -> bool:
        if self._kept and at_s < self._kept[-1][0]:  # another camera, whose clock begins anew
            self._kept.clear()
        return not self._kept or at_s - self._kept[-1][0] >= every_s - 1e-6

    def shut(self, closed: bool) -> None:
        """While closed nothing is kept, and what was kept before is forgotten: what lies on the tray is not for everybody."""
        with self._lock:
            self._closed = closed
            if closed:
                self._kept.clear()

    def cut(self, since_s: float, until_s: float) -> bytes:
        """The pictures of these seconds as Motion JPEG, the first at 0 s; b"" where there are none."""
        with self._lock:
            kept = tuple((at_s, jpeg) for at_s, jpeg in self._kept if since_s <= at_s <= until_s)
        return b"".join(stamped(jpeg, at_s - kept[0][0]) for at_s, jpeg in kept)


def downscaled(picture: Picture) -> Picture:
    """The picture, smaller by a whole number and CLIP_W wide or somewhat more; as it is where it is not twice as wide."""
    times = max(picture.shape[1] // CLIP_W, 1)
    if times == 1:
        return picture
    size_wh = (picture.shape[1] // times, picture.shape[0] // times)
    return cv2.resize(picture[: size_wh[1] * times, : size_wh[0] * times], size_wh, interpolation=cv2.INTER_AREA).astype(picture.dtype)
