"""What the benchmark measures with: a stopwatch, a metered camera, the memory of a process."""

from __future__ import annotations

import time

from table.benchmark.memory import peak_mb
from table.benchmark.stopwatch import Stopwatch
from table.benchmark.waiting import Metered
from vision.cameras.simulated import SimulatedCamera


def test_time_within_is_told_by_its_path() -> None:
    class Reads:
        def read(self) -> None:
            self.net()
            time.thread_time()

        def net(self) -> int:
            return sum(range(20_000))

    watch = Stopwatch()
    watch.wrap(Reads, "read", "read")
    watch.wrap(Reads, "net", "net")
    Reads().read()
    Reads().net()
    taken = watch.taken_ms()
    assert set(taken) == {"read", "read/net", "net"}
    assert 0 < taken["read/net"] <= taken["read"]
    assert watch.taken_ms() == {}


def test_a_metered_camera_tells_what_its_frames_cost() -> None:
    camera = Metered(SimulatedCamera((160, 120), seed=1, paced=False))
    frames = camera.frames()
    for _ in range(5):
        next(frames)
    camera.close()
    assert list(frames) == []
    assert (camera.frame_count, camera.simulated) == (5, True)
    assert camera.spent_s > 0


def test_peak_memory_counts_what_was_given_back() -> None:
    before = peak_mb()
    held = bytearray(int(before + 40) * 2**20)
    held[::4096] = b"1" * len(held[::4096])
    del held
    assert peak_mb() > before + 20
