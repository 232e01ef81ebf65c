"""What cameras do with exposure, colours and focus, and against lamps on the mains; without a camera."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from vision.cameras import v4l2
from vision.cameras.holding import FINDING_S, JUMP_S, RELIT_S, Holding, Wish
from vision.cameras.mains import mains_hz, time_zone
from vision.cameras.v4l2 import CONTROL, VIDIOC_G_CTRL, VIDIOC_S_CTRL, Controls
from vision.frames import Picture


def lit(level: float) -> Picture:
    return np.full((48, 64, 3), round(level), np.uint8)


def wishes(holding: Holding, *levels: float, from_s: float = 0.0) -> list[tuple[float, Wish]]:
    """What is wished for at ten frames a second, and when."""
    seen = [(from_s + n / 10, holding.see(lit(level), from_s + n / 10)) for n, level in enumerate(levels)]
    return [(at_s, wish) for at_s, wish in seen if wish]


# --- holding ------------------------------------------------------------------------------------------------------------


def test_a_camera_finds_itself_and_is_then_held() -> None:
    ((at_s, wish),) = wishes(Holding(), *[100.0] * 100)
    assert wish is Wish.HOLD
    assert at_s == pytest.approx(FINDING_S)


def test_a_hand_and_a_passing_arm_do_not_let_it_go() -> None:
    holding = Holding()
    wishes(holding, *[100.0] * 30)
    assert wishes(holding, *[62.0] * 50, *[40.0] * 8, *[100.0] * 20, from_s=3.0) == []


@pytest.mark.parametrize("level", [20.0, 200.0])
def test_a_lamp_lets_it_go_and_it_is_held_again(level: float) -> None:
    holding = Holding()
    wishes(holding, *[100.0] * 30)
    (let_go_s, first), (held_s, second) = wishes(holding, *[level] * 60, from_s=3.0)
    assert (first, second) == (Wish.FIND, Wish.HOLD)
    assert let_go_s == pytest.approx(3.0 + RELIT_S)
    assert held_s == pytest.approx(let_go_s + FINDING_S)


def test_a_camera_that_jumps_when_it_is_held_is_left_alone_from_then_on() -> None:
    holding = Holding()
    ((held_s, _),) = wishes(holding, *[100.0] * 17)
    ((at_s, wish),) = wishes(holding, *[30.0] * 100, from_s=1.7)
    assert wish is Wish.FIND
    assert at_s <= held_s + JUMP_S


# --- Video4Linux --------------------------------------------------------------------------------------------------------


class Driver:
    """A webcam's driver: its settings, and what was set, in order."""

    def __init__(self, **settings: int) -> None:
        self.settings = {getattr(v4l2, name): value for name, value in settings.items()}
        self.told: list[tuple[str, int]] = []

    def ioctl(self, fd: int, request: int, argument: bytes) -> bytes:
        control, value = CONTROL.unpack(argument)
        if control not in self.settings:
            raise OSError(errno.EINVAL, "no such control")
        if request == VIDIOC_S_CTRL:
            self.settings[control] = value
            self.told.append((next(name for name in NAMES if getattr(v4l2, name) == control), value))
        else:
            assert request == VIDIOC_G_CTRL
        return CONTROL.pack(control, self.settings[control])

    def controls(self) -> Controls:
        return Controls(3, lambda path, how: 7 if path == "/dev/video3" else -1, self.ioctl)


NAMES = ("POWER_LINE_FREQUENCY", "WHITE_BALANCE_AUTO", "EXPOSURE_AUTO", "EXPOSURE_ABSOLUTE", "FOCUS_AUTO")


def test_a_webcam_is_held_at_the_exposure_it_has_found() -> None:
    driver = Driver(EXPOSURE_AUTO=3, EXPOSURE_ABSOLUTE=200, WHITE_BALANCE_AUTO=1, FOCUS_AUTO=1)
    driver.controls().hold()
    assert driver.told == [("EXPOSURE_AUTO", 1), ("EXPOSURE_ABSOLUTE", 200), ("WHITE_BALANCE_AUTO", 0), ("FOCUS_AUTO", 0)]
    driver.controls().find()
    assert driver.told[4:] == [("EXPOSURE_AUTO", 3), ("WHITE_BALANCE_AUTO", 1), ("FOCUS_AUTO", 1)]


@pytest.mark.parametrize(("hz", "number"), [(50, 1), (60, 2)])
def test_a_webcam_is_told_the_mains(hz: int, number: int) -> None:
    driver = Driver(POWER_LINE_FREQUENCY=0)
    driver.controls().against_flicker(hz)
    assert driver.told == [("POWER_LINE_FREQUENCY", number)]


def test_what_a_driver_has_not_is_passed_over() -> None:
    driver = Driver(WHITE_BALANCE_AUTO=1)
    controls = driver.controls()
    controls.against_flicker(50)
    controls.hold()
    assert driver.told == [("WHITE_BALANCE_AUTO", 0)]


def test_a_webcam_whose_settings_cannot_be_opened_works_without() -> None:
    def denied(path: str, how: int) -> int:
        raise PermissionError(path)

    controls = Controls(0, denied, Driver(FOCUS_AUTO=1).ioctl)
    controls.hold()
    assert not controls.set(v4l2.FOCUS_AUTO, 0)
    assert controls.get(v4l2.FOCUS_AUTO) is None
    controls.close()


# --- the mains ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "hz"),
    [("Europe/Dublin", 50), ("America/New_York", 60), ("America/Argentina/Salta", 50), ("Asia/Seoul", 60), ("", 50)],
)
def test_the_mains_are_known_by_the_time_zone(zone: str, hz: int) -> None:
    assert mains_hz(zone) == hz


def test_the_time_zone_is_where_the_clock_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)
    zone = tmp_path / "zoneinfo" / "America" / "Lima"
    zone.parent.mkdir(parents=True)
    zone.write_bytes(b"TZif")
    (tmp_path / "localtime").symlink_to(zone)
    assert time_zone(tmp_path / "localtime") == "America/Lima"
    monkeypatch.setenv("TZ", ":Europe/Rome")
    assert time_zone(tmp_path / "localtime") == "Europe/Rome"
