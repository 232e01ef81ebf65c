"""Recorded frames come at their own pace, or as fast as they are read."""

from __future__ import annotations

import threading

from tests.vision.fake_devices import plain
from vision.cameras.pacing import Pacer
from vision.frames import Frame


def test_recorded_frames_keep_their_times_and_none_is_dropped() -> None:
    now = [0.0]
    frames = [Frame(plain(), n / 10) for n in range(4)]
    assert [f.at_s for f in Pacer(None).paced(frames)] == [f.at_s for f in frames]
    late = Pacer(1.0, clock=lambda: now[0]).paced(frames)
    first = next(late)
    now[0] = 9.0  # far behind: all others come at once
    assert [first, *late] == frames


def test_closing_ends_a_pending_wait_for_a_frame() -> None:
    pacer = Pacer(1.0)
    frames = pacer.paced([Frame(plain(), 0), Frame(plain(), 3600)])
    next(frames)
    threading.Timer(0.02, pacer.close).start()
    assert list(frames) == []
