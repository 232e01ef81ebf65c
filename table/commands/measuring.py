"""What `brehon bench` measures, each in a fresh interpreter: `python -m table.commands.measuring WHAT ORDER`.

ORDER is a JSON object. One JSON object is printed: the figures, or {"error": "..."} where something is not there. Nothing that starts
threads is imported before the process is kept to its cores, for libraries count the cores then.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from table.errors import BrehonError, CameraUnavailable

if TYPE_CHECKING:
    from vision.frames import Camera, Frame
    from vision.reader import Reader

YARDSTICK_FILE = "yardstick.onnx"

WARM_ROUNDS, LEAST_ROUNDS = 2, 3
"""Rounds that are not counted, for the nets' memory is laid out in them; and the fewest that are, however slow the machine."""

REST_S = 20.0
"""A tray that has not come to rest within so long is not going to."""

LEISURELY_S = 2.0
"""After the tray was read it has to lie still for a while before the table waits; then the measurement begins."""

SHIFT_MM = 24.0
"""Between the dice of the tray that is waited before."""


class ModelsMissing(BrehonError, OSError):
    """Nets that are not where they should be, or are none."""


def allowed_cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def pinned(cores: int) -> bool:
    """Keeps this process to so many cores, the last ones: the first answers most interrupts. False: this system cannot."""
    if not hasattr(os, "sched_setaffinity"):
        return False
    os.sched_setaffinity(0, allowed_cores()[-cores:])
    return True


# --- reading, in turn with the yardstick ----------------------------------------------------------------------------------


class Stopwatch:
    """Time spent in wrapped functions, s, by name; what is wrapped within another counts under both names, as "outer/inner".

    clock: s. On one core this thread's own time is taken, which is what an idle core would take whatever else runs on it.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self.spent_s: dict[str, float] = defaultdict(float)
        self._within: list[str] = []

    def wrap(self, owner: type, method: str, name: str) -> None:
        """Has this method's time taken from now on."""
        inner = getattr(owner, method)

        @wraps(inner)
        def timed(*args: Any, **kwargs: Any) -> Any:
            with self.timing(name):
                return inner(*args, **kwargs)

        setattr(owner, method, timed)

    @contextmanager
    def timing(self, name: str) -> Iterator[None]:
        self._within.append(name)
        path, began = "/".join(self._within), self._clock()
        try:
            yield
        finally:
            self.spent_s[path] += self._clock() - began
            self._within.pop()

    def taken_ms(self) -> dict[str, float]:
        """What was spent since the last call, by path; what was not called is absent."""
        taken = {path: 1000 * spent for path, spent in self.spent_s.items()}
        self.spent_s.clear()
        return taken


def reading(order: Mapping[str, Any]) -> dict[str, Any]:
    """Stages of a reading and the yardstick, ms, both medians over rounds in each of which both are run once."""
    kept_to = pinned(order["cores"])
    import numpy as np

    from vision.classifier import FaceClassifier
    from vision.detector import DieDetector
    from vision.nets import Net

    trays = [np.load(file) for file in tray_files(order)]
    yardstick, reader = _yardstick(order["cores"]), loaded(order["models"])
    watch = Stopwatch(time.thread_time if order["cores"] == 1 else time.perf_counter)
    for owner, method, name in ((DieDetector, "find", "find"), (FaceClassifier, "look", "look"), (Net, "__call__", "net")):
        watch.wrap(owner, method, name)
    rounds: list[dict[str, float]] = []
    began, cpu = time.perf_counter(), time.process_time()
    ends_at = began + order["seconds"]
    while len(rounds) < WARM_ROUNDS + LEAST_ROUNDS or time.perf_counter() < ends_at:
        with watch.timing("yardstick"):
            yardstick()
        with watch.timing("read"):
            reader.read(trays[len(rounds) % len(trays)])
        rounds.append(watch.taken_ms())
    had = (time.process_time() - cpu) / (time.perf_counter() - began) / order["cores"]
    return {"pinned": kept_to, "had_share": round(had, 3), **_summed_up(rounds[WARM_ROUNDS:])}


def tray_files(order: Mapping[str, Any]) -> list[Path]:
    """The pictures to read, in their order."""
    return sorted(Path(order["trays"]).glob("*.npy"))


def _summed_up(rounds: list[dict[str, float]]) -> dict[str, Any]:
    """The round with the median reading, stage by stage, and the median yardstick."""
    typical = sorted(rounds, key=lambda r: r["read"])[len(rounds) // 2]
    find, look = typical.get("read/find", 0.0), typical.get("read/look", 0.0)
    find_net, look_net = typical.get("read/find/net", 0.0), typical.get("read/look/net", 0.0)
    stages = {
        "finder_shrink": find - find_net,
        "finder_net": find_net,
        "cutting": look - look_net,
        "face_net": look_net,
        "rest": typical["read"] - find - look,
    }
    total, yardstick = typical["read"], median(r["yardstick"] for r in rounds)
    return {
        "rounds": len(rounds),
        "stages_ms": {stage: round(ms, 4) for stage, ms in stages.items()},
        "total_ms": round(total, 4),
        "frames_a_second": round(1000 / total, 2),
        "yardstick_ms": round(yardstick, 4),
        "ratio": round(total / yardstick, 4),
    }


def _yardstick(threads: int) -> Callable[[], object]:
    """Runs the yardstick on a fixed picture of noise, with everything onnxruntime does by itself."""
    import numpy as np

    from vision.nets import runtime
    from vision.reader import shipped

    onnxruntime = runtime()
    file = shipped() / YARDSTICK_FILE
    if not file.exists():
        raise ModelsMissing(f"{file} is missing; install Brehon again")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(file.read_bytes(), options, providers=["CPUExecutionProvider"])
    (wanted,) = session.get_inputs()
    picture = np.random.default_rng(0).random(wanted.shape, np.float32)
    return lambda: session.run(None, {wanted.name: picture})


def loaded(folder: str | None) -> Reader:
    """A Reader with the nets of this folder. ModelsMissing: they are not there, or cannot be used."""
    from vision.reader import Reader

    try:
        return Reader(Path(folder) if folder else None)
    except OSError as error:
        raise ModelsMissing(f"the net {error.filename} cannot be opened ({error.strerror}); {_remedy(folder)}") from None
    except Exception as error:  # onnxruntime's own, of a file that is no net
        raise ModelsMissing(f"the nets of {folder or 'Brehon'} cannot be used ({error}); {_remedy(folder)}") from None


def _remedy(folder: str | None) -> str:
    return "name a folder that holds Brehon's nets with --models" if folder else "install Brehon again"


# --- memory and loading ---------------------------------------------------------------------------------------------------


def memory(order: Mapping[str, Any]) -> dict[str, Any]:
    """Peak memory of a process that only loads the eyes and reads, MB; and how long it was until it could, ms."""
    pinned(order["cores"])
    began = time.perf_counter()
    import numpy as np

    import vision.reader  # noqa: F401
    from vision.nets import runtime

    runtime()
    imported = time.perf_counter()
    reader = loaded(order["models"])
    ready = time.perf_counter()
    for file in tray_files(order):
        reader.read(np.load(file))
    return {
        "peak_mb": round(peak_mb(), 1),
        "import_ms": round(1000 * (imported - began), 1),
        "load_ms": round(1000 * (ready - imported), 1),
    }


def peak_mb() -> float:
    """The most memory this process has held, MB of 2**20 bytes.

    Linux's own count where there is one: ru_maxrss starts from what the process that started this one held.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 2**10
    import resource

    unit = 1 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


# --- waiting --------------------------------------------------------------------------------------------------------------


class Metered:
    """A camera, and the CPU time that its frames take of the thread that asks for them."""

    def __init__(self, camera: Camera) -> None:
        from vision.cameras.simulated import SimulatedCamera

        self._camera, self.name, self.simulated = camera, camera.name, isinstance(camera, SimulatedCamera)
        self.frame_count, self.spent_s = 0, 0.0
        if nap := getattr(camera, "nap", None):
            self.nap: Callable[[float], None] = nap

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


def waiting(order: Mapping[str, Any]) -> dict[str, Any]:
    """CPU time of the watch's loop before a tray on which nothing happens, ms a second."""
    pinned(order["cores"])
    from threading import Event

    from vision.capture import CaptureLoop
    from vision.events import CameraLost, Ended, ReadFailed, Settled

    at_rest, over = Event(), Event()

    def tell(event: object) -> None:
        if isinstance(event, Settled):
            at_rest.set()
        elif isinstance(event, Ended | CameraLost | ReadFailed):
            over.set()
            at_rest.set()

    reader, camera = loaded(order["models"]), Metered(_camera(order))
    watch = CaptureLoop(camera, reader, tell)
    watch.start()
    try:
        if not at_rest.wait(REST_S):
            raise CameraUnavailable(f"the tray before {camera.name} was not at rest within {REST_S:.0f} s; leave it alone meanwhile")
        time.sleep(LEISURELY_S)
        found = _spent_in(order["seconds"], camera)
    finally:
        watch.stop()
        watch.join(REST_S)
    if over.is_set():
        raise CameraUnavailable(f"{camera.name} gave no more frames while the table waited; a live camera is needed for that")
    return found


FOLLOWED_FPS = 10.0
"""Frames a second of a camera that a Pi has time for while dice roll."""


def following(order: Mapping[str, Any]) -> dict[str, Any]:
    """CPU time of the eyes while a hand takes and throws six dice, ms a second of the movement at FOLLOWED_FPS."""
    pinned(order["cores"])
    from vision.cameras.simulated import SimulatedCamera
    from vision.events import Settled
    from vision.pipeline import Pipeline
    from vision.reading import COLOURS

    camera = SimulatedCamera(tuple(order["size"]), fps=FOLLOWED_FPS, seed=order["seed"], paced=False)
    frames, reader = camera.frames(), loaded(order["models"])
    spent, seconds, throws = 0.0, 0.0, 0
    while spent < order["seconds"] and throws < MOST_FOLLOWED:
        eyes, throws = Pipeline(reader), throws + 1
        shown = [next(frames) for _ in range(10)]
        camera.throw(COLOURS[:6])
        while not camera.resting:
            shown.append(next(frames))
        shown += [next(frames) for _ in range(6)]  # until it is read
        began = time.process_time()
        settled = sum(isinstance(event, Settled) for frame in shown for event in eyes.process(frame))
        spent, seconds = spent + time.process_time() - began, seconds + len(shown) / FOLLOWED_FPS
        if settled < 2:
            raise CameraUnavailable("a simulated throw was not read; the weights named with --models cannot read the simulated dice")
    cost = {"cpu_ms_a_second": round(1000 * spent / seconds, 3), "share": round(spent / seconds, 5)}
    return {"fps": FOLLOWED_FPS, "throws": throws, **cost}


def _spent_in(seconds: float, camera: Metered) -> dict[str, Any]:
    """What this whole process spends meanwhile, and of that what drawing a simulated tray takes."""
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


def _camera(order: Mapping[str, Any]) -> Camera:
    """The camera that was named; the simulated one with six dice before it, and pictures of the size that is read."""
    from vision.cameras import open_camera
    from vision.cameras.simulated import SimulatedCamera
    from vision.reading import COLOURS
    from vision.simulation import SimDie

    if order["camera"] != "simulated":
        return open_camera(order["camera"])
    lying = [SimDie(n + 1, colour, (n - 2.5) * SHIFT_MM, 0.0) for n, colour in enumerate(COLOURS[:6])]
    return SimulatedCamera(tuple(order["size"]), seed=order["seed"], lying=lying)


MOST_FOLLOWED = 40
"""Throws that are followed at the most, however fast this machine is."""

# --- the rules ------------------------------------------------------------------------------------------------------------


def playing(order: Mapping[str, Any]) -> dict[str, Any]:
    """Every game played by chance; logs are left in the folder."""
    pinned(order["cores"])
    from table.commands import bench_rules

    return bench_rules.playing(Path(order["folder"]), order["seconds"], order["seed"])


def resuming(order: Mapping[str, Any]) -> dict[str, Any]:
    """The matches of those logs taken up again."""
    pinned(order["cores"])
    from table.commands import bench_rules

    return bench_rules.resuming(Path(order["folder"]))


# --- the process ----------------------------------------------------------------------------------------------------------

MEASUREMENTS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "reading": reading,
    "memory": memory,
    "waiting": waiting,
    "following": following,
    "playing": playing,
    "resuming": resuming,
}


def main(what: str, order: str) -> None:
    try:
        found = MEASUREMENTS[what](json.loads(order))
    except BrehonError as error:
        found = {"error": str(error)}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
