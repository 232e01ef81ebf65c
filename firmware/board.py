"""Opening the pins: lights and buttons where there are some, something that does nothing where there are none."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from firmware.buttons import PressOnce
from firmware.lights import Lights
from firmware.pins import Pins, pins_of
from table.common.errors import BrehonError
from table.referee.snapshot import Snapshot

HALF_BLINK_S = 0.4
"""How long the status light stays on, and off, when it blinks, s: slow enough to be no alarm."""


class Firmware:
    """The pins of the table. This one has none: it does nothing, and `reason` says why in a sentence."""

    present = False

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def show(self, snapshot: Snapshot) -> None:
        """Lights what the snapshot asks for; returns at once."""

    def on_confirm(self, pressed: Callable[[], object]) -> None:
        """Calls this whenever the hold/confirm button is pressed, on a thread of its own."""

    def on_read_again(self, pressed: Callable[[], object]) -> None:
        """Calls this whenever the read-again button is pressed, on a thread of its own."""

    def close(self) -> None:
        """All lights out, all pins given back; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class PinFirmware(Firmware):
    """Lights and buttons on real pins."""

    present = True

    def __init__(self, pins: Pins) -> None:
        """Opens the pins; raises whatever gpiozero and the library below it raise where that fails."""
        from gpiozero import LED, DigitalInputDevice

        with ExitStack() as opened:
            seats = [opened.enter_context(LED(pin)) for pin in pins.seats]
            self._lights = Lights(seats, opened.enter_context(LED(pins.status)))
            self._confirm = PressOnce(opened.enter_context(DigitalInputDevice(pins.confirm, pull_up=True)))
            self._read_again = PressOnce(opened.enter_context(DigitalInputDevice(pins.read_again, pull_up=True)))
            self._closing = opened.pop_all()
        super().__init__(f"{len(seats)} seat lights, a status light and two buttons on {_factory_name()}")
        self._stopping = threading.Event()
        self._blinking = threading.Thread(target=self._blink, name="lights", daemon=True)
        self._blinking.start()

    def show(self, snapshot: Snapshot) -> None:
        if not self._stopping.is_set():
            self._lights.show(snapshot)

    def on_confirm(self, pressed: Callable[[], object]) -> None:
        self._confirm.when_pressed = pressed

    def on_read_again(self, pressed: Callable[[], object]) -> None:
        self._read_again.when_pressed = pressed

    def close(self) -> None:
        self._stopping.set()
        self._blinking.join()
        self._closing.close()

    def _blink(self) -> None:
        while not self._stopping.wait(HALF_BLINK_S):
            self._lights.tick()


def open_firmware(pins: Pins | None = None) -> Firmware:
    """The lights and buttons of this computer (pins: see firmware/pins.py); where they cannot be had, a Firmware that does nothing.

    Nothing that is wrong with the pins stops a table: it is in `reason`, for `brehon doctor`.
    """
    try:
        pins = pins or pins_of()
        _ensure_factory()
        return PinFirmware(pins)
    except BrehonError as wrong:
        return Firmware(f"no lights or buttons: {wrong}")
    except ImportError as missing:
        return Firmware(f"no lights or buttons: this computer has no pins that gpiozero can reach ({missing})")
    except Exception as wrong:  # the libraries below gpiozero raise errors of their own, with no root in common
        return Firmware(f"no lights or buttons: {type(wrong).__name__}: {wrong}")


def _ensure_factory() -> None:
    """Finds the library that reaches the pins; gpiozero's warnings about each that does not are of no use at a table."""
    from gpiozero import Device
    from gpiozero.exc import PinWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PinWarning)
        Device.ensure_pin_factory()


def _factory_name() -> str:
    from gpiozero import Device

    factory: Any = Device.pin_factory
    return type(factory).__name__
