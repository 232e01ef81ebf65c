"""Measurements, each in a fresh interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from table.common.errors import BrehonError

SPARE_S = 120.0
"""Time that a measurement may take beyond its seconds: loading, and a tray that first has to come to rest."""


class BenchFailed(BrehonError, RuntimeError):
    """A measurement failed."""


def measure_in_subprocess(what: str, **order: Any) -> dict[str, Any]:
    """The figures of one of the MEASUREMENTS of table.benchmark.__main__, with these arguments.

    BenchFailed: something is missing, or the measurement fails or does not end.
    """
    command = [sys.executable, "-m", "table.benchmark", what, json.dumps(order)]
    timeout_s = order.get("seconds", 0) + SPARE_S
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        raise BenchFailed(
            f"measuring {what} did not end within {timeout_s:.0f} s; stop what else runs here and try again"
        ) from None
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise BenchFailed(
            f"measuring {what} broke with status {done.returncode}: {last or 'it said nothing'}"
        )
    figures: dict[str, Any] = json.loads(done.stdout)
    if "error" in figures:
        raise BenchFailed(figures["error"])
    return figures
