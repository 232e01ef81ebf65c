"""When cameras hold exposure, colours and focus, and their mains frequency. Needs no camera."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from vision.cameras import v4l2
from vision.cameras.holding import JUMP_S, LIGHT_CHANGE_S, SETTLING_S, ControlHold, ControlMode
from vision.cameras.mains import mains_hz, time_zone
from vision.cameras.v4l2 import CONTROL, VIDIOC_G_CTRL, VIDIOC_S_CTRL, Controls
from vision.frames import Picture


def lit(level: float) -> Picture:
    return np.full((48, 64, 3), round(level), np.uint8)


def modes(hold: ControlHold, *levels: float, from_s: float = 0.0) -> list[tuple[float, ControlMode]]:
    """The changes of mode, with their times, for these brightnesses at ten frames a second."""
    seen = [(from_s + n / 10, hold.update(lit(level), from_s + n / 10)) for n, level in enumerate(levels)]
    return [(at_s, mode) for at_s, mode in seen if mode]


# --- holding ------------------------------------------------------------------------------------------------


def test_controls_are_held_once_they_have_settled() -> None:
    ((at_s, mode),) = modes(ControlHold(), *[100.0] * 100)
    assert mode is ControlMode.HELD
    assert at_s == pytest.approx(SETTLING_S)


def test_a_hand_and_a_passing_arm_do_not_release_the_controls() -> None:
    hold = ControlHold()
    modes(hold, *[100.0] * 30)
    assert modes(hold, *[62.0] * 50, *[40.0] * 8, *[100.0] * 20, from_s=3.0) == []


@pytest.mark.parametrize("level", [20.0, 200.0])
def test_a_lamp_releases_the_controls_and_they_are_held_again(level: float) -> None:
    hold = ControlHold()
    modes(hold, *[100.0] * 30)
    (released_s, first), (held_s, second) = modes(hold, *[level] * 60, from_s=3.0)
    assert (first, second) == (ControlMode.AUTOMATIC, ControlMode.HELD)
    assert released_s == pytest.approx(3.0 + LIGHT_CHANGE_S)
    assert held_s == pytest.approx(released_s + SETTLING_S)


def test_a_camera_that_jumps_when_held_stays_automatic() -> None:
    hold = ControlHold()
    ((held_s, _),) = modes(hold, *[100.0] * 17)
    ((at_s, mode),) = modes(hold, *[30.0] * 100, from_s=1.7)
    assert mode is ControlMode.AUTOMATIC
    assert at_s <= held_s + JUMP_S


# --- Video4Linux --------------------------------------------------------------------------------------------


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
    assert driver.changes == [("EXPOSURE_AUTO", 1), ("EXPOSURE_ABSOLUTE", 200), ("WHITE_BALANCE_AUTO", 0), ("FOCUS_AUTO", 0)]
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


# --- the mains ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "hz"),
    [("Europe/Dublin", 50), ("America/New_York", 60), ("America/Argentina/Salta", 50), ("Asia/Seoul", 60), ("", 50)],
)
def test_the_mains_frequency_follows_from_the_time_zone(zone: str, hz: int) -> None:
    assert mains_hz(zone) == hz


def test_the_time_zone_is_read_from_the_localtime_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)
    zone = tmp_path / "zoneinfo" / "America" / "Lima"
    zone.parent.mkdir(parents=True)
    zone.write_bytes(b"TZif")
    (tmp_path / "localtime").symlink_to(zone)
    assert time_zone(tmp_path / "localtime") == "America/Lima"
    monkeypatch.setenv("TZ", ":Europe/Rome")
    assert time_zone(tmp_path / "localtime") == "Europe/Rome"
