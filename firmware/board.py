"""Firmware: the lights and buttons of this computer, or an object that does nothing if it has no pins."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from firmware.buttons import DebouncedButton
from firmware.lights import Lights
from firmware.pins import Pins, pins_of
from table.common.errors import BrehonError, IllegalAnswer
from table.referee.snapshot import Snapshot

BLINK_INTERVAL_S = 0.4
"""Time that the blinking status light stays on, and off, s: too slow to look like an alarm."""


@dataclass(frozen=True)
class ButtonState:
    """presses: since the table was started. held: pressed now. pressed_s: the clock at the last press."""

    presses: int
    held: bool
    pressed_s: float | None


class Firmware:
    """Lights and buttons of a table without pins: every method does nothing.

    reason: why, for people at the table. detail: what the library says of it, for whoever looks for the
    fault; "" where it says nothing.
    """

    present = False

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = reason, detail

    def show(self, snapshot: Snapshot) -> None:
        """Sets the lights for this snapshot; returns at once."""

    def on_confirm(self, pressed: Callable[[], object]) -> None:
        """Calls `pressed` for every press of the hold/confirm button, on another thread."""

    def on_read_again(self, pressed: Callable[[], object]) -> None:
        """Calls `pressed` for every press of the read-again button, on another thread."""

    @property
    def seat_lights(self) -> int:
        """The number of seat lights."""
        return 0

    def try_light(self, seat: int | None) -> None:
        """Lights one seat's light for two seconds, or the status light (None), for people who set it up.

        Raises IllegalAnswer where that cannot be done now.
        """
        raise IllegalAnswer(f"No light can be tried: {self.reason}.")

    def buttons(self) -> dict[str, ButtonState]:
        """What each button has done so far, by its name: "confirm" and "read_again". Empty without pins."""
        return {}

    def close(self) -> None:
        """Turns all lights off and releases all pins. It may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class PinFirmware(Firmware):
    """Lights and buttons on real pins."""

    present = True

    def __init__(self, pins: Pins) -> None:
        """Opens the pins; raises the errors of gpiozero and its pin library."""
        from gpiozero import LED, DigitalInputDevice

        with ExitStack() as stack:
            seats = [stack.enter_context(LED(pin)) for pin in pins.seats]
            self._lights = Lights(seats, stack.enter_context(LED(pins.status)))
            self._confirm = DebouncedButton(
                stack.enter_context(DigitalInputDevice(pins.confirm, pull_up=True))
            )
            self._read_again = DebouncedButton(
                stack.enter_context(DigitalInputDevice(pins.read_again, pull_up=True))
            )
            self._devices = stack.pop_all()
        super().__init__(f"{len(seats)} seat lights, a status light and two buttons on {_factory_name()}")
        self._stopping = threading.Event()
        self._blink_thread = threading.Thread(target=self._blink, name="lights", daemon=True)
        self._blink_thread.start()

    def show(self, snapshot: Snapshot) -> None:
        if not self._stopping.is_set():
            self._lights.show(snapshot)

    def on_confirm(self, pressed: Callable[[], object]) -> None:
        self._confirm.when_pressed = pressed

    def on_read_again(self, pressed: Callable[[], object]) -> None:
        self._read_again.when_pressed = pressed

    @property
    def seat_lights(self) -> int:
        return self._lights.seats

    def try_light(self, seat: int | None) -> None:
        if seat is not None and not 0 <= seat < self.seat_lights:
            raise IllegalAnswer(
                f"There is no light of seat {seat}; seats count from 0 to {self.seat_lights - 1}."
            )
        if not self._lights.try_light(seat):
            raise IllegalAnswer("The dice are being read, and no light may change. Try again in a moment.")

    def buttons(self) -> dict[str, ButtonState]:
        both = {"confirm": self._confirm, "read_again": self._read_again}
        return {name: ButtonState(b.presses, b.held, b.pressed_s) for name, b in both.items()}

    def close(self) -> None:
        self._stopping.set()
        self._blink_thread.join()
        self._devices.close()

    def _blink(self) -> None:
        while not self._stopping.wait(BLINK_INTERVAL_S):
            self._lights.tick()


def open_firmware(pins: Pins | None = None) -> Firmware:
    """The lights and buttons of this computer, or a Firmware that does nothing where they are not available.

    pins: None reads the configuration (firmware/pins.py). No error of the pins stops a table: it is in
        `reason` and `detail`, which `brehon doctor` prints.
    """
    try:
        pins = pins or pins_of()
        _ensure_factory()
        return PinFirmware(pins)
    except BrehonError as error:
        return Firmware(f"no lights or buttons: {error}")
    except ImportError as error:
        return Firmware("no lights or buttons: this computer has no pins for them", str(error))
    except Exception as error:  # gpiozero's pin libraries have no common error class
        return Firmware("no lights or buttons: the pins cannot be opened", f"{type(error).__name__}: {error}")


def _ensure_factory() -> None:
    """Selects gpiozero's pin library, without its warnings about each one that is not available."""
    from gpiozero import Device
    from gpiozero.exc import PinWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PinWarning)
        Device.ensure_pin_factory()


def _factory_name() -> str:
    from gpiozero import Device

    factory: Any = Device.pin_factory
    return type(factory).__name__
