"""`brehon doctor`: whether everything the table needs is there, and what to do about what is not."""

from __future__ import annotations

import argparse
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from table.commands.places import DEFAULT_PORT, LOG_NAME, data_folder
from table.errors import BrehonError

LEAST_FREE_MB = 200
"""An evening's log with its pictures is some 20 MB; below ten evenings' room a person should clear up first."""


@dataclass(frozen=True)
class Finding:
    """One thing looked at. `well` None: it is not there, and need not be."""

    what: str
    well: bool | None
    says: str


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "doctor",
        help="check camera, model, pins, disk and port",
        description="Looks at everything the table needs and says what to do about what is missing. Exit status 1 if anything is.",
    )
    parser.add_argument("--camera", metavar="CAMERA", help="the camera to try, as for “brehon run” (default: the one run would take)")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="the port the page is to have (default: %(default)s)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of the log (default: as for “brehon run”)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    findings = []
    for finding in examined(args):
        mark = {True: "ok  ", False: "BAD ", None: "none"}[finding.well]
        print(f"{mark} {finding.what:8} {finding.says}", flush=True)
        findings.append(finding)
    return 1 if any(f.well is False for f in findings) else 0


def examined(args: argparse.Namespace) -> Iterator[Finding]:
    """The findings, one after the other; a check that itself breaks is a finding too."""
    yield _careful("python", lambda: Finding("python", True, f"{sys.version.split()[0]} at {sys.executable}"))
    yield _careful("model", _model)
    yield _careful("camera", lambda: _camera(args.camera))
    yield _careful("pins", _pins)
    yield _careful("disk", lambda: _disk(data_folder(args.data)))
    yield _careful("port", lambda: _port(args.port))


def _careful(what: str, look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except BrehonError as error:
        return Finding(what, False, str(error))
    except Exception as error:
        return Finding(what, False, f"{type(error).__name__}: {error}")


def _model() -> Finding:
    import numpy as np

    from vision.reader import Reader
    from vision.simulation import random_tray

    picture, truth = random_tray(np.random.default_rng(1), 5)
    reader = Reader()
    reader.read(picture)
    started = time.perf_counter()
    reading = reader.read(picture)
    ms = (time.perf_counter() - started) * 1000
    right = sorted(reading.faces) == sorted(t.face for t in truth)
    if not right:
        return Finding("model", False, "misreads a drawn tray: the weights do not belong to this version; install Brehon again")
    return Finding("model", True, f"reads five drawn dice rightly, in {ms:.0f} ms")


def _camera(spec: str | None) -> Finding:
    from vision.cameras import open_camera

    with closing(open_camera(spec or "auto")) as camera:
        for frame in camera.frames():
            width, height = frame.size_wh
            return Finding("camera", True, f"{camera.name} gives pictures of {width}x{height}")
    return Finding("camera", False, f"{spec or 'the camera'} gives no picture; check its cable, or try --camera simulated")


def _pins() -> Finding:
    from firmware import open_firmware

    with closing(open_firmware()) as firmware:
        return Finding("pins", True if firmware.present else None, firmware.reason)


def _disk(folder: Path) -> Finding:
    from table.log.store import Log

    Log(folder / LOG_NAME).close()
    free_mb = shutil.disk_usage(folder).free // 2**20
    if free_mb < LEAST_FREE_MB:
        return Finding("disk", False, f"{folder} has {free_mb} MB free; clear {LEAST_FREE_MB} MB, or give another folder with --data")
    return Finding("disk", True, f"{folder} can be written, {free_mb} MB free")


def _port(port: int) -> Finding:
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except (OSError, OverflowError):
            return Finding("port", False, f"{port} cannot be used; is the table running already? Else give another with --port")
    return Finding("port", True, f"{port} is free")
