"""Frames that stop, with a clock that the tests set."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from table.common.tray import TrayState
from vision.capture import CaptureLoop
from vision.events import CameraLost, CameraRestored, Ended, Settled, StateChanged, TrayEvent
from vision.frames import Frame, Picture
from vision.health.watchdog import Watchdog
from vision.readings import Reading


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class WatchdogOwner:
    """The owner of a watchdog. It records the calls."""

    def __init__(self) -> None:
        self.clock, self.reported = Clock(), list[str]()
        self.watchdog = Watchdog(self._stalled, lambda: self.reported.append("given up"), self.clock)

    def _stalled(self, last_frame_s: float) -> None:
        self.reported.append(f"stalled {last_frame_s}")

    def check_at(self, *at_s: float) -> None:
        """Sets the clock to each of these times, and checks."""
        for self.clock.now_s in at_s:
            self.watchdog.check()


def frame(at_s: float) -> Frame:
    """Bright and dark squares, with other noise at every time."""
    squares = np.kron(np.indices((6, 8)).sum(axis=0) % 2, np.ones((10, 10)))[..., None] * 120 + 60
    noise = np.random.default_rng(round(at_s * 1000)).normal(0, 2, (60, 80, 3))
    return Frame(np.clip(squares + noise, 0, 255).astype(np.uint8), at_s)


def test_a_stall_is_reported_once_and_given_up_once() -> None:
    owner = WatchdogOwner()

    def frames() -> Iterator[Frame]:
        owner.check_at(10.0)
        assert owner.reported == [], "cameras have a timeout of their own before the first frame"
        yield frame(0.5)
        owner.check_at(11.0, 11.9)
        assert owner.reported == []
        owner.check_at(12.1, 12.5, 13.0)
        assert owner.reported == ["stalled 0.5"]
        owner.check_at(14.1, 20.0)
        assert owner.reported == ["stalled 0.5", "given up"]
        yield frame(10.5)

    assert [stalled for _, stalled in owner.watchdog.timed(frames())] == [False, True]


def test_the_processing_time_of_a_frame_is_no_stall() -> None:
    owner = WatchdogOwner()
    for _ in owner.watchdog.timed(iter([frame(0.0), frame(0.1)])):
        owner.check_at(owner.clock.now_s + 60)
    assert owner.reported == []


class EmptyReader:
    def read(self, picture: Picture) -> Reading:
        return Reading((picture.shape[1], picture.shape[0]))


class StallingCamera:
    """A camera that delivers two frames and hangs while `meanwhile` runs. Then it ends or continues."""

    name = "webcam 0"

    def __init__(self, meanwhile: Callable[[], None], continues: bool = False) -> None:
        self.meanwhile, self.continues, self.closed = meanwhile, continues, 0

    def frames(self) -> Iterator[Frame]:
        yield frame(0.0)
        yield frame(0.1)
        self.meanwhile()
        if self.continues:
            yield from (frame(3.1 + n / 10) for n in range(12))

    def close(self) -> None:
        self.closed += 1


class EndingCamera(StallingCamera):
    name = "webcam 0 again"

    def frames(self) -> Iterator[Frame]:
        yield frame(0.0)


def captured(
    check_at: list[float], *, reopens: bool, continues: bool = False
) -> tuple[list[TrayEvent], StallingCamera]:
    clock, events = Clock(), list[TrayEvent]()

    def meanwhile() -> None:
        for clock.now_s in check_at:
            loop.watchdog.check()

    camera = StallingCamera(meanwhile, continues)
    reopen = (lambda: EndingCamera(lambda: None)) if reopens else None
    loop = CaptureLoop(
        camera, EmptyReader(), events.append, reopen=reopen, pause=lambda s: False, clock=clock
    )
    loop.run()
    return [
        e for e in events if not isinstance(e, Settled) and not (isinstance(e, StateChanged) and e.state.busy)
    ], camera


def test_a_camera_that_hangs_is_reported_and_reopened() -> None:
    events, camera = captured([2.1, 4.1], reopens=True)
    assert events[0] == StateChanged(0.1, TrayState.FROZEN)
    assert [type(e) for e in events[1:]] == [CameraLost, CameraRestored, Ended]
    assert isinstance(events[1], CameraLost)
    assert "unplug it" in str(events[1].error)
    assert camera.closed >= 1


@pytest.mark.parametrize(
    ("check_at_s", "reopens"),
    [([2.1], True), ([2.1, 60.0], False)],
    ids=["after a short stall", "where it cannot be reopened"],
)
def test_a_camera_that_hangs_and_continues_is_visible_again(check_at_s: list[float], reopens: bool) -> None:
    events, camera = captured(check_at_s, reopens=reopens, continues=True)
    # first from the watchdog, then from the pipeline after the gap
    assert events[0] == StateChanged(0.1, TrayState.FROZEN)
    assert events[1] == StateChanged(3.1, TrayState.FROZEN)
    assert isinstance(events[2], StateChanged)
    assert events[2].state is TrayState.WAITING
    assert events[2].at_s < 4.1
    assert events[3:] == [Ended()]
    assert camera.closed == 0
