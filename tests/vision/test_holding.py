"""When a camera holds exposure, colours and focus, and when it lets them adapt."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cameras.holding import JUMP_S, LIGHT_CHANGE_S, SETTLING_S, ControlHold, ControlMode
from vision.frames import Picture


def lit(level: float) -> Picture:
    return np.full((48, 64, 3), round(level), np.uint8)


def modes(hold: ControlHold, *levels: float, from_s: float = 0.0) -> list[tuple[float, ControlMode]]:
    """The changes of mode, with their times, for these brightnesses at ten frames a second."""
    seen = [(from_s + n / 10, hold.update(lit(level), from_s + n / 10)) for n, level in enumerate(levels)]
    return [(at_s, mode) for at_s, mode in seen if mode]


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
