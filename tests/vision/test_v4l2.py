"""A webcam's controls through Video4Linux. Needs no webcam."""

from __future__ import annotations

import errno

import pytest

from vision.cameras import v4l2
from vision.cameras.v4l2 import CONTROL, VIDIOC_G_CTRL, VIDIOC_S_CTRL, Controls


class Driver:
    """A fake webcam driver that records the values set, in order."""

    def __init__(self, **settings: int) -> None:
        self.settings = {getattr(v4l2, name): value for name, value in settings.items()}
        self.changes: list[tuple[str, int]] = []

    def ioctl(self, fd: int, request: int, argument: bytes) -> bytes:
        control, value = CONTROL.unpack(argument)
        if control not in self.settings:
            raise OSError(errno.EINVAL, "no such control")
        if request == VIDIOC_S_CTRL:
            self.settings[control] = value
            self.changes.append((next(name for name in NAMES if getattr(v4l2, name) == control), value))
        else:
            assert request == VIDIOC_G_CTRL
        return CONTROL.pack(control, self.settings[control])

    def controls(self) -> Controls:
        return Controls(3, lambda path, how: 7 if path == "/dev/video3" else -1, self.ioctl)


NAMES = ("POWER_LINE_FREQUENCY", "WHITE_BALANCE_AUTO", "EXPOSURE_AUTO", "EXPOSURE_ABSOLUTE", "FOCUS_AUTO")


def test_a_webcam_is_held_at_its_current_exposure() -> None:
    driver = Driver(EXPOSURE_AUTO=3, EXPOSURE_ABSOLUTE=200, WHITE_BALANCE_AUTO=1, FOCUS_AUTO=1)
    driver.controls().hold()
    assert driver.changes == [
        ("EXPOSURE_AUTO", 1),
        ("EXPOSURE_ABSOLUTE", 200),
        ("WHITE_BALANCE_AUTO", 0),
        ("FOCUS_AUTO", 0),
    ]
    driver.controls().make_automatic()
    assert driver.changes[4:] == [("EXPOSURE_AUTO", 3), ("WHITE_BALANCE_AUTO", 1), ("FOCUS_AUTO", 1)]


@pytest.mark.parametrize(("hz", "number"), [(50, 1), (60, 2)])
def test_a_webcam_is_set_to_the_mains_frequency(hz: int, number: int) -> None:
    driver = Driver(POWER_LINE_FREQUENCY=0)
    driver.controls().set_mains_hz(hz)
    assert driver.changes == [("POWER_LINE_FREQUENCY", number)]


def test_controls_that_a_driver_lacks_are_skipped() -> None:
    driver = Driver(WHITE_BALANCE_AUTO=1)
    controls = driver.controls()
    controls.set_mains_hz(50)
    controls.hold()
    assert driver.changes == [("WHITE_BALANCE_AUTO", 0)]


def test_a_webcam_works_without_controls_if_they_cannot_be_opened() -> None:
    def denied(path: str, how: int) -> int:
        raise PermissionError(path)

    controls = Controls(0, denied, Driver(FOCUS_AUTO=1).ioctl)
    controls.hold()
    assert not controls.set(v4l2.FOCUS_AUTO, 0)
    assert controls.get(v4l2.FOCUS_AUTO) is None
    controls.close()
