"""The last seconds of the tray as small pictures, for instant replays.

While something moves, several pictures a second are shrunk and encoded. On an idle tray there are few, so
that a replay shows the time before the motion and an idle table costs little.
"""

from __future__ import annotations

import threading
from collections import deque

import cv2

from vision.frames import Frame, Picture
from vision.motion_jpeg import encoded, stamped

MIN_CLIP_W = 320
"""Minimum width of a replay's pictures, px. A die of 25 px in them still shows its pips. Shrinking by an
integer costs least."""

JPEG_QUALITY = 80
"""JPEG quality: 8 to 20 kB a picture."""

MOVING_INTERVAL_S = 0.08
"""Time between pictures while something moves: 12.5 a second show a rolling die in every place it touched."""

IDLE_INTERVAL_S = 0.5
"""Time between pictures of an idle tray."""

LEAD_S = 2.0
"""Time that a replay shows before the motion began."""

MAX_LENGTH_S = 10.0
"""Maximum length of a replay; of a longer motion its end is shown. 125 pictures, 3 MB at most."""


class FrameRing:
    """Keeps the newest pictures of the tray, at most MAX_LENGTH_S of them. `add` is for the capture thread,
    the rest for any."""

    def __init__(self) -> None:
        self._pictures: deque[tuple[float, bytes]] = deque()
        self._lock = threading.Lock()
        self._closed = False

    def add(self, frame: Frame, idle: bool) -> None:
        """Keeps the frame if one is due. idle: nothing has moved on the tray for a while."""
        with self._lock:
            if self._closed or not self._due(frame.at_s, IDLE_INTERVAL_S if idle else MOVING_INTERVAL_S):
                return
        jpeg = encoded(downscaled(frame.picture), JPEG_QUALITY)
        with self._lock:
            if self._closed:
                return
            self._pictures.append((frame.at_s, jpeg))
            while frame.at_s - self._pictures[0][0] > MAX_LENGTH_S:
                self._pictures.popleft()

    def _due(self, at_s: float, interval_s: float) -> bool:
        if self._pictures and at_s < self._pictures[-1][0]:  # another camera, whose clock starts again
            self._pictures.clear()
        return not self._pictures or at_s - self._pictures[-1][0] >= interval_s - 1e-6

    def set_closed(self, closed: bool) -> None:
        """While closed, no pictures are kept and earlier ones are dropped: dice under cups are secret."""
        with self._lock:
            self._closed = closed
            if closed:
                self._pictures.clear()

    def cut(self, since_s: float, until_s: float) -> bytes:
        """The pictures of this time as Motion JPEG, the first at 0 s; b"" if there are none."""
        with self._lock:
            pictures = tuple((at_s, jpeg) for at_s, jpeg in self._pictures if since_s <= at_s <= until_s)
        return b"".join(stamped(jpeg, at_s - pictures[0][0]) for at_s, jpeg in pictures)


def downscaled(picture: Picture) -> Picture:
    """The picture shrunk by an integer to MIN_CLIP_W or somewhat more; unchanged if it is less than twice
    that wide."""
    factor = max(picture.shape[1] // MIN_CLIP_W, 1)
    if factor == 1:
        return picture
    size_wh = (picture.shape[1] // factor, picture.shape[0] // factor)
    cropped = picture[: size_wh[1] * factor, : size_wh[0] * factor]
    return cv2.resize(cropped, size_wh, interpolation=cv2.INTER_AREA).astype(picture.dtype)
