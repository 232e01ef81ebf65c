"""The firmware on gpiozero's mock pins, and on computers without pins."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import LED, Device
from gpiozero.exc import BadPinFactory, PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPin

from firmware import Firmware, open_firmware
from firmware.board import ButtonState
from firmware.pins import Pins
from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from tests.firmware.snapshots import ANN_CHOOSES, ANN_THROWS, BEN_THROWS, NOTHING_ON, during

PINS = Pins(seats=(5, 6))


@pytest.fixture
def board(factory: MockFactory) -> Iterator[Firmware]:
    with open_firmware(PINS) as firmware:
        assert firmware.present, firmware.reason
        yield firmware


def states(pin: MockPin) -> list[bool]:
    return [bool(s.state) for s in pin.states]


def test_the_pins_follow_the_snapshots(board: Firmware, factory: MockFactory) -> None:
    for snapshot in (NOTHING_ON, ANN_THROWS, during(ANN_THROWS, TrayState.READING), BEN_THROWS, NOTHING_ON):
        board.show(snapshot)
    assert states(factory.pin(5)) == [False, True, False]
    assert states(factory.pin(6)) == [False, True, False]
    assert states(factory.pin(12)) == [False, True, False]


def test_no_pin_moves_while_a_reading_is_taken(board: Firmware, factory: MockFactory) -> None:
    board.show(ANN_CHOOSES)
    board.show(during(ANN_CHOOSES, TrayState.SETTLING))
    lights = [factory.pin(n) for n in (5, 6, 12)]
    for pin in lights:
        pin.clear_states()
    board.show(during(BEN_THROWS, TrayState.READING))
    board.show(during(NOTHING_ON, TrayState.READING))
    assert [len(pin.states) for pin in lights] == [1, 1, 1]


def test_the_buttons_call_their_callbacks(board: Firmware, factory: MockFactory) -> None:
    pressed: list[str] = []
    board.on_confirm(lambda: pressed.append("confirm"))
    board.on_read_again(lambda: pressed.append("read again"))
    factory.pin(PINS.confirm).drive_low()
    factory.pin(PINS.read_again).drive_low()
    assert pressed == ["confirm", "read again"]


def test_a_light_is_tried_on_its_pin(board: Firmware, factory: MockFactory) -> None:
    board.show(NOTHING_ON)
    board.try_light(1)
    board.try_light(None)
    assert [states(factory.pin(n)) for n in (5, 6, 12)] == [[False], [False, True, False], [False, True]]


def test_a_light_that_is_not_there_cannot_be_tried(board: Firmware) -> None:
    assert board.seat_lights == 2
    with pytest.raises(IllegalAnswer, match="no light of seat 2; seats count from 0 to 1"):
        board.try_light(2)
    with pytest.raises(IllegalAnswer, match="No light can be tried: no pins here"):
        Firmware("no pins here").try_light(0)


def test_no_light_is_tried_while_dice_are_read(board: Firmware) -> None:
    board.show(during(ANN_THROWS, TrayState.READING))
    with pytest.raises(IllegalAnswer, match="dice are being read"):
        board.try_light(0)


def test_presses_are_counted(board: Firmware, factory: MockFactory) -> None:
    factory.pin(PINS.confirm).drive_low()
    pressed = board.buttons()
    assert (pressed["confirm"].presses, pressed["confirm"].held) == (1, True)
    assert pressed["confirm"].pressed_s == pytest.approx(time.monotonic(), abs=5)
    assert pressed["read_again"] == ButtonState(0, held=False, pressed_s=None)
    assert Firmware("no pins here").buttons() == {}


def test_a_button_without_a_callback_does_nothing(board: Firmware, factory: MockFactory) -> None:
    factory.pin(PINS.confirm).drive_low()


def test_the_reason_names_the_devices(board: Firmware) -> None:
    assert board.reason == "2 seat lights, a status light and two buttons on MockFactory"


def test_closing_releases_the_pins_and_stops_the_blinking(factory: MockFactory) -> None:
    firmware = open_firmware(PINS)
    firmware.show(ANN_CHOOSES)
    firmware.close()
    firmware.close()
    firmware.show(BEN_THROWS)
    assert "lights" not in [thread.name for thread in threading.enumerate()]
    with LED(5) as led:
        assert led.value == 0


def test_a_pin_that_is_in_use_leaves_the_others_free(factory: MockFactory) -> None:
    with LED(12):
        firmware = open_firmware(PINS)
        assert not firmware.present
        assert firmware.reason == "no lights or buttons: the pins cannot be opened"
        assert firmware.detail.startswith("GPIOPinInUse: pin GPIO12 is already in use")
    with open_firmware(PINS) as firmware:
        assert firmware.present


# -- where there are no pins ---------------------------------------------------------------------------------


def test_a_computer_without_pins_has_a_firmware_that_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none such")
    with open_firmware() as firmware:
        assert not firmware.present
        assert firmware.reason == "no lights or buttons: this computer has no pins for them"
        assert firmware.detail == "Unable to find pin factory 'none such'"
        firmware.show(ANN_CHOOSES)
        firmware.on_confirm(lambda: None)
        firmware.on_read_again(lambda: None)


def test_opening_the_pins_raises_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_found() -> None:
        warnings.warn(PinFactoryFallback("Falling back from lgpio: No module named 'lgpio'"), stacklevel=1)
        raise BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "_default_pin_factory", staticmethod(none_found))
    assert open_firmware().detail == "Unable to load any default pin factory!"


def test_an_invalid_file_of_pins_does_not_stop_the_table(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "pins.toml"
    path.write_text("status = 99", "utf-8")
    monkeypatch.setenv("BREHON_PINS", str(path))
    firmware = open_firmware()
    assert not firmware.present
    assert firmware.reason == f"no lights or buttons: {path}: a pin is a BCM number from 2 to 27; got 99"
