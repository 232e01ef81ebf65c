"""Lights and buttons on GPIO pins, through gpiozero: lights follow the Snapshot, buttons call the table."""

from firmware.board import Firmware, open_firmware

__all__ = ["Firmware", "open_firmware"]
