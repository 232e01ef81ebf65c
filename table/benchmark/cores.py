"""The cores that a measurement uses."""

from __future__ import annotations

import os


def allowed_cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def can_pin() -> bool:
    """Whether this system can keep a process to some of its cores."""
    return hasattr(os, "sched_setaffinity")


def pin(cores: int) -> None:
    """Keeps this process to so many cores, where the system can: the last ones, because the first answers most interrupts."""
    if can_pin():
        os.sched_setaffinity(0, allowed_cores()[-cores:])
