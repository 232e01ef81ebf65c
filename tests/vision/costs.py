"""The cost of an action as a multiple of a fixed OpenCV operation, alike on fast, slow and busy computers."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import cv2

PAIRS = 40
"""The action and the operation take turns, since what else runs slows both down for a while."""


def cost_ratio(action: Callable[[], object], operation: Callable[[], object]) -> float:
    """The median ratio of processor time, action to operation, in one thread."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)  # the waits of a pool of threads count as processor time
    try:
        return median(_processor_s(action) / _processor_s(operation) for _ in range(PAIRS))
    finally:
        cv2.setNumThreads(threads)


def _processor_s(action: Callable[[], object]) -> float:
    began = time.thread_time()
    action()
    return time.thread_time() - began
