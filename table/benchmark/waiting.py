"""The cost of an idle table, on which nothing changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

from table.benchmark.nets import load_reader
from table.common.colours import COLOURS
from table.common.errors import CameraUnavailable
from vision.cameras import open_camera
from vision.cameras.simulated import SimulatedCamera
from vision.capture import CaptureLoop
from vision.events import CameraLost, Ended, ReadFailed, Settled
from vision.frames import Camera, Frame
from vision.simulation import SimDie

REST_S = 20.0
"""Limit of the time until the tray comes to rest."""

IDLE_AFTER_S = 2.0
"""Time that the tray must lie still after it was read before the table waits; then the measurement begins."""

SHIFT_MM = 24.0
"""Distance between the dice of the idle tray."""


class MeteredCamera:
    """A camera, and the CPU time that its frames take in the thread that requests them."""

    def __init__(self, camera: Camera) -> None:
        self._camera, self.name, self.simulated = camera, camera.name, isinstance(camera, SimulatedCamera)
        self.frame_count, self.spent_s = 0, 0.0
        if skip_frames := getattr(camera, "skip_frames", None):
            self.skip_frames: Callable[[float], None] = skip_frames

    def frames(self) -> Iterator[Frame]:
        frames = self._camera.frames()
        while True:
            began = time.thread_time()
            frame = next(frames, None)
            self.spent_s += time.thread_time() - began
            if frame is None:
                return
            self.frame_count += 1
            yield frame

    def close(self) -> None:
        self._camera.close()


def open_bench_camera(spec: str, size_wh: tuple[int, int], seed: int) -> Camera:
    """The named camera; the simulated one shows six dice in pictures of this size."""
    if spec != "simulated":
        return open_camera(spec)
    lying = [SimDie(n + 1, colour, (n - 2.5) * SHIFT_MM, 0.0) for n, colour in enumerate(COLOURS[:6])]
    return SimulatedCamera(size_wh, seed=seed, lying=lying)


def waiting_figures(source: Camera, models: Path | None, seconds: float) -> dict[str, Any]:
    """CPU time of the watch's loop while nothing happens on the tray, ms per second.

    CameraUnavailable: the tray does not come to rest, or the camera stops.
    """
    at_rest, over = Event(), Event()

    def on_event(event: object) -> None:
        if isinstance(event, Settled):
            at_rest.set()
        elif isinstance(event, Ended | CameraLost | ReadFailed):
            over.set()
            at_rest.set()

    reader, camera = load_reader(models), MeteredCamera(source)
    watch = CaptureLoop(camera, reader, on_event)
    watch.start()
    try:
        if not at_rest.wait(REST_S):
            raise CameraUnavailable(
                f"the tray before {camera.name} was not at rest within {REST_S:.0f} s;"
                " leave it alone meanwhile"
            )
        time.sleep(IDLE_AFTER_S)
        found = _spent_in(seconds, camera)
    finally:
        watch.stop()
        watch.join(REST_S)
    if over.is_set():
        raise CameraUnavailable(
            f"{camera.name} gave no more frames while the table waited; a live camera is needed for that"
        )
    return found


def _spent_in(seconds: float, camera: MeteredCamera) -> dict[str, Any]:
    """CPU time of the whole process in this period, and the part of it that draws a simulated tray."""
    began, cpu, spent, count = time.perf_counter(), time.process_time(), camera.spent_s, camera.frame_count
    time.sleep(seconds)
    passed = time.perf_counter() - began
    cpu, spent = time.process_time() - cpu, camera.spent_s - spent
    return {
        "camera": camera.name,
        "cpu_ms_a_second": round(1000 * cpu / passed, 3),
        "share": round(cpu / passed, 5),
        "drawing_ms_a_second": round(1000 * spent / passed, 3) if camera.simulated else None,
        "frames_a_second": round((camera.frame_count - count) / passed, 2),
    }
