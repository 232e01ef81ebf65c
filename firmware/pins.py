"""Which pin does what, in BCM numbers; changed by a small TOML file where the wiring differs.

    # /etc/brehon/pins.toml, or the file that BREHON_PINS names; what it leaves out stays as below
    seats = [5, 6, 13, 19]      # lights of the seats, in the order they are seated
    status = 12
    confirm = 17                # the hold/confirm button
    read_again = 27

Lights stand between their pin and ground, with a resistor; buttons too, without one. The pins named here are free of other duties
on every Pi with 40 pins (no I2C, no UART, no SPI 0).
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from table.common.errors import BrehonError

FILE = Path("/etc/brehon/pins.toml")
ENVIRONMENT = "BREHON_PINS"
BCM = range(2, 28)
"""Pins of the 40-pin header; 0 and 1 belong to boards on top."""


class PinsUnreadable(BrehonError, ValueError):
    """A file of pins that cannot be read, or names pins that there are not."""


@dataclass(frozen=True)
class Pins:
    """BCM numbers: one light a seat, up to eight; a status light; two buttons."""

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
    """The pins of this computer; raises PinsUnreadable where its file is named but not there, or is wrong."""
    named = environment.get(ENVIRONMENT)
    if named is None and not FILE.exists():
        return Pins()
    return pins_in(Path(named) if named else FILE)


def pins_in(path: Path) -> Pins:
    """The pins of a file; raises PinsUnreadable naming the file and what is wrong with it."""
    try:
        return _pins(tomllib.loads(path.read_text("utf-8")))
    except (OSError, ValueError) as wrong:
        raise PinsUnreadable(f"{path}: {wrong}") from wrong


def _pins(given: Mapping[str, Any]) -> Pins:
    known = [f.name for f in fields(Pins)]
    for name in given:
        if name not in known:
            raise PinsUnreadable(f"there is no pin {name!r}; there are {', '.join(known)}")
    seats = given.get("seats", [])
    if not isinstance(seats, list):
        raise PinsUnreadable(f"seats is a list of pins, such as [5, 6]; got {seats!r}")
    return Pins(**{**given, "seats": tuple(seats)} if "seats" in given else given)
