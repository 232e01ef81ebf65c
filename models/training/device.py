"""The device that torch trains on: a GPU where torch finds CUDA, the CPU otherwise."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from table.common.errors import BrehonError

if TYPE_CHECKING:
    import torch

CPU_INFO = Path("/proc/cpuinfo")


class DeviceMissing(BrehonError, ValueError):
    """torch does not find the device."""


def add_argument(parser: argparse.ArgumentParser) -> None:
    """Adds --device, for `device_named`."""
    parser.add_argument("--device", help="cpu, cuda or cuda:1 (default: cuda where torch finds it, else cpu)")


def device_named(name: str | None) -> torch.device:
    """The device of this name, or the default. DeviceMissing: there is no such device."""
    import torch

    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError) as wrong:  # torch's CPU build raises AssertionError for cuda
        reason = str(wrong).splitlines()[0]
        message = f"--device: expected a device that torch finds, got {name!r} ({reason})"
        raise DeviceMissing(message) from wrong


def has_bfloat16(cpu_info: str) -> bool:
    """True if the CPU computes in bfloat16, from the text of /proc/cpuinfo.

    Without hardware support, torch's emulation takes three times as long as floats.
    """
    return bool({"amx_bf16", "avx512_bf16", "bf16"} & set(cpu_info.split()))


def computes_bfloat16(device: torch.device) -> bool:
    """True if the device computes in bfloat16 without emulation."""
    if device.type == "cuda":
        import torch

        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return device.type == "cpu" and CPU_INFO.exists() and has_bfloat16(CPU_INFO.read_text())
