"""The pins: lights and buttons, through gpiozero; from the Snapshot, and into the referee's queue."""

from firmware.board import Firmware, open_firmware

__all__ = ["Firmware", "open_firmware"]
