"""Buttons on mock pins: one call per press, even if the contact bounces."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from firmware.buttons import DEBOUNCE_S, DebouncedButton


class Thumb:
    """Presses a button at given times, and counts the calls."""

    def __init__(self, pin: MockPin, button: DigitalInputDevice) -> None:
        self.now_s = 100.0
        self.calls = 0
        self._pin = pin
        self.button_under_test = DebouncedButton(button, clock=lambda: self.now_s)
        self.button_under_test.when_pressed = self._called

    def after(self, seconds: float) -> Thumb:
        self.now_s += seconds
        return self

    def down(self) -> Thumb:
        self._pin.drive_low()
        return self

    def up(self) -> Thumb:
        self._pin.drive_high()
        return self

    def _called(self) -> None:
        self.calls += 1


@pytest.fixture
def thumb(factory: MockFactory) -> Iterator[Thumb]:
    with DigitalInputDevice(17, pull_up=True) as button:
        yield Thumb(factory.pin(17), button)


def test_a_press_calls_once_and_a_release_does_not(thumb: Thumb) -> None:
    assert thumb.down().calls == 1
    assert thumb.after(1).up().calls == 1
    assert thumb.after(1).down().calls == 2


def test_the_first_press_counts_at_once(thumb: Thumb) -> None:
    thumb.now_s = 0.0
    assert thumb.down().calls == 1


def test_a_contact_that_bounces_when_pressed_calls_once(thumb: Thumb) -> None:
    thumb.down()
    for _ in range(6):
        thumb.after(0.002).up().after(0.002).down()
    assert thumb.calls == 1


def test_a_contact_that_bounces_when_released_does_not_call_again(thumb: Thumb) -> None:
    thumb.down().after(2)
    for _ in range(6):
        thumb.up().after(0.002).down().after(0.002)
    assert thumb.calls == 1


def test_two_quick_presses_call_twice(thumb: Thumb) -> None:
    thumb.down().after(0.06).up().after(0.06).down()
    assert thumb.calls == 2


@pytest.mark.parametrize(("pause_s", "calls"), [(DEBOUNCE_S * 0.9, 1), (DEBOUNCE_S * 1.1, 2)])
def test_a_press_counts_only_after_the_debounce_time(thumb: Thumb, pause_s: float, calls: int) -> None:
    thumb.down().after(1).up().after(pause_s).down()
    assert thumb.calls == calls


def test_a_press_without_a_callback_is_no_error(thumb: Thumb) -> None:
    thumb.button_under_test.when_pressed = None
    thumb.down().after(1).up()
