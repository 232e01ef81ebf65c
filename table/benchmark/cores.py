"""The cores that a measurement uses."""

from __future__ import annotations

import os


def allowed_cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def can_pin() -> bool:
    """Whether this system can pin a process to cores."""
    return hasattr(os, "sched_setaffinity")


def pin(cores: int) -> None:
    """Pins this process to the last cores, as many as given, where the system supports it.

    The first core handles most interrupts.
    """
    if can_pin():
        os.sched_setaffinity(0, allowed_cores()[-cores:])
