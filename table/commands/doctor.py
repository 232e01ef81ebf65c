"""`brehon doctor`: checks everything that the table needs, and says how to fix what fails."""

from __future__ import annotations

import argparse
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from table.common.errors import BrehonError
from table.defaults import DEFAULT_PORT, LOG_NAME, data_folder
from table.setup.findings import Finding, disk_finding, picture_findings

if TYPE_CHECKING:
    from vision.health.image_quality import ImageQuality
    from vision.reading.reader import Reader


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "doctor",
        help="check camera, model, CPU, pins, disk and port",
        description="Checks everything that the table needs and says how to fix what fails."
        " Exit status 1 if a check fails.",
    )
    parser.add_argument("--camera", metavar="CAMERA", help="camera to check (default: as for “brehon run”)")
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port of the page (default: %(default)s)"
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder of the log (default: as for “brehon run”)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    findings = []
    for finding in diagnose(args):
        mark = {True: "ok  ", False: "BAD ", None: "none"}[finding.ok]
        print(f"{mark} {finding.name:8} {finding.text}", flush=True)
        findings.append(finding)
    return 1 if any(f.ok is False for f in findings) else 0


def diagnose(args: argparse.Namespace) -> Iterator[Finding]:
    """The findings, one after the other. A check that raises an exception is a failed finding."""
    yield _checked("python", lambda: Finding("python", True, f"{sys.version.split()[0]} at {sys.executable}"))
    reader = cache(_reader)  # both checks use the same nets
    yield _checked("model", lambda: _model(reader()))
    yield _checked("cpu", lambda: _cpu(reader()))
    yield from _cameras(args.camera)
    yield _checked("pins", _pins)
    yield _checked("disk", lambda: _disk(data_folder(args.data)))
    yield _checked("port", lambda: _port(args.port))


def _cameras(spec: str | None) -> Iterator[Finding]:
    """The finding on the camera and, if there is a picture, those on the picture."""
    qualities: list[ImageQuality] = []
    yield _checked("camera", lambda: _camera(spec, qualities))
    for quality in qualities:
        yield from picture_findings(quality)


def _checked(name: str, check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except BrehonError as error:
        return Finding(name, False, str(error))
    except Exception as error:
        return Finding(name, False, f"{type(error).__name__}: {error}")


def _reader() -> Reader:
    from vision.reading.reader import Reader

    return Reader()


def _model(reader: Reader) -> Finding:
    import numpy as np

    from vision.simulation import random_tray

    picture, truth = random_tray(np.random.default_rng(1), 5)
    reader.read(picture)
    started = time.perf_counter()
    reading = reader.read(picture)
    ms = (time.perf_counter() - started) * 1000
    right = sorted(reading.faces) == sorted(t.face for t in truth)
    if not right:
        return Finding(
            "model",
            False,
            "misreads a test picture; the weights do not fit this version, so install Brehon again",
        )
    return Finding("model", True, f"reads the five dice of a test picture correctly, in {ms:.0f} ms")


def _cpu(reader: Reader) -> Finding:
    """Whether this CPU computes the same results as others."""
    from vision.reading.parity import measure_parity, sample_picture

    parity = measure_parity([sample_picture()], reader)
    text = f"{parity.dice} dice of the sample picture, read in 8 bits and in floating point"
    if parity.holds:
        return Finding("cpu", True, f"{text}: same results, confidences within {parity.difference:.3f}")
    differ = f"{parity.mismatched} differ, confidences by {parity.difference:.2f}"
    return Finding(
        "cpu", False, f"{text}: {differ}; install Brehon again, and report this CPU if that does not help"
    )


def _camera(spec: str | None, qualities: list[ImageQuality]) -> Finding:
    from vision.cameras import open_camera
    from vision.health.image_quality import measure_image_quality

    with closing(open_camera(spec or "auto")) as camera:
        quality = measure_image_quality(camera.frames())
        if quality is None:
            return Finding(
                "camera",
                False,
                f"{spec or 'the camera'} gives no picture; check its cable, or try --camera simulated",
            )
        qualities.append(quality)
        width, height = quality.size_wh
        return Finding(
            "camera", True, f"{camera.name}: {width}x{height} pixels, {quality.fps:.0f} frames a second"
        )


def _pins() -> Finding:
    from firmware import open_firmware

    with closing(open_firmware()) as firmware:
        detail = f" ({firmware.detail})" if firmware.detail else ""
        return Finding("pins", True if firmware.present else None, f"{firmware.reason}{detail}")


def _disk(folder: Path) -> Finding:
    from table.log.store import Log

    Log(folder / LOG_NAME).close()
    return disk_finding(folder)


def _port(port: int) -> Finding:
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except (OSError, OverflowError):
            return Finding(
                "port",
                False,
                f"{port} cannot be used; stop the table that runs there, or give another with --port",
            )
    return Finding("port", True, f"{port} is free")
