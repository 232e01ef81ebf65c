"""The instruments of the benchmark: a stopwatch, a metered camera, the memory of a process."""

from __future__ import annotations

import time

from table.benchmark.memory import peak_mb
from table.benchmark.stopwatch import Stopwatch
from table.benchmark.waiting import MeteredCamera
from vision.cameras.simulated import SimulatedCamera


def test_nested_times_are_measured_by_their_path() -> None:
    class FakeReader:
        def read(self) -> None:
            self.net()
            time.thread_time()

        def net(self) -> int:
            return sum(range(20_000))

    watch = Stopwatch()
    watch.wrap(FakeReader, "read", "read")
    watch.wrap(FakeReader, "net", "net")
    FakeReader().read()
    FakeReader().net()
    times_ms = watch.taken_ms()
    assert set(times_ms) == {"read", "read/net", "net"}
    assert 0 < times_ms["read/net"] <= times_ms["read"]
    assert watch.taken_ms() == {}


def test_a_metered_camera_measures_the_time_of_its_frames() -> None:
    camera = MeteredCamera(SimulatedCamera((160, 120), seed=1, paced=False))
    frames = camera.frames()
    for _ in range(5):
        next(frames)
    camera.close()
    assert list(frames) == []
    assert (camera.frame_count, camera.simulated) == (5, True)
    assert camera.spent_s > 0


def test_peak_memory_includes_memory_that_was_freed() -> None:
    before = peak_mb()
    held = bytearray(int(before + 40) * 2**20)
    held[::4096] = b"1" * len(held[::4096])
    del held
    assert peak_mb() > before + 20
