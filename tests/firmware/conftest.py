"""gpiozero with mock pins that record their states. Every test gets new pins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setattr(Device, "pin_factory", None)
    Device.ensure_pin_factory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory.close()
