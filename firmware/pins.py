"""Pins: the BCM number of every light and button. A small TOML file changes them where the wiring differs.

    # /etc/brehon/pins.toml, or the file named by BREHON_PINS; missing keys keep these defaults
    seats = [5, 6, 13, 19]      # lights of the seats, in seating order
    status = 12
    confirm = 17                # the hold/confirm button
    read_again = 27

A light is wired between its pin and ground with a resistor, a button without one. The default pins have no
other function on any Pi with 40 pins (no I2C, no UART, no SPI 0).
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from table.common.errors import BrehonError

DEFAULT_FILE = Path("/etc/brehon/pins.toml")
ENVIRONMENT = "BREHON_PINS"
BCM = range(2, 28)
"""GPIO numbers of the 40-pin header. 0 and 1 are reserved for HATs."""


class PinsUnreadable(BrehonError, ValueError):
    """A file of pins is unreadable, or names invalid pins."""


@dataclass(frozen=True)
class Pins:
    """BCM numbers: one light per seat, up to eight; a status light; two buttons."""

    seats: tuple[int, ...] = (5, 6, 13, 19, 26, 16, 20, 21)
    status: int = 12
    confirm: int = 17
    read_again: int = 27

    def __post_init__(self) -> None:
        used = (*self.seats, self.status, self.confirm, self.read_again)
        for pin in used:
            if type(pin) is not int or pin not in BCM:
                raise PinsUnreadable(f"a pin is a BCM number from {BCM[0]} to {BCM[-1]}; got {pin!r}")
        if len(set(used)) < len(used):
            twice = sorted({pin for pin in used if used.count(pin) > 1})
            raise PinsUnreadable(f"a pin can do one thing only; named twice: {', '.join(map(str, twice))}")
        if len(self.seats) > 8:
            raise PinsUnreadable(f"there are lights for up to 8 seats; got {len(self.seats)}")


def pins_of(environment: Mapping[str, str] = os.environ) -> Pins:
    """The pins of this computer; raises PinsUnreadable where the named file is missing or invalid."""
    path_name = environment.get(ENVIRONMENT)
    if path_name is None and not DEFAULT_FILE.exists():
        return Pins()
    return pins_in(Path(path_name) if path_name else DEFAULT_FILE)


def pins_in(path: Path) -> Pins:
    """The pins of a file; raises PinsUnreadable with the file's name and the error."""
    try:
        return _pins(tomllib.loads(path.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise PinsUnreadable(f"{path}: {error}") from error


def _pins(settings: Mapping[str, Any]) -> Pins:
    names = [f.name for f in fields(Pins)]
    for name in settings:
        if name not in names:
            raise PinsUnreadable(f"there is no pin {name!r}; there are {', '.join(names)}")
    seats = settings.get("seats", [])
    if not isinstance(seats, list):
        raise PinsUnreadable(f"seats is a list of pins, such as [5, 6]; got {seats!r}")
    return Pins(**{**settings, "seats": tuple(seats)} if "seats" in settings else settings)
