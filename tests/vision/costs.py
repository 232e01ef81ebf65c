"""The cost of frames as a multiple of a fixed OpenCV operation, alike on fast, slow and busy computers."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2

ROUNDS = 8
"""The frames and the operation take turns, since what else runs slows both down for a while. Of either the
fastest round counts: a busy computer only adds to it."""


def cost_ratio(frames: Callable[[], object], operation: Callable[[], object], n_frames: int) -> float:
    """The ratio of processor time in one thread: that of `frames`, which processes this many, to that of as
    many operations."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)  # the waits of a pool of threads count as processor time

    def operations() -> None:
        for _ in range(n_frames):
            operation()

    try:
        rounds = [(_processor_s(frames), _processor_s(operations)) for _ in range(ROUNDS)]
    finally:
        cv2.setNumThreads(threads)
    return min(s for s, _ in rounds) / min(s for _, s in rounds)


def _processor_s(action: Callable[[], object]) -> float:
    began = time.thread_time()
    action()
    return time.thread_time() - began
