"""The health of a running table: what is well, what is wrong and what to do, without running the nets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from table.referee.camera_advice import CAMERA_ADVICE
from table.referee.snapshot import Snapshot
from table.setup.findings import Finding, disk_finding, picture_findings, picture_to_json
from vision.health.picture_monitor import PictureMonitor

PLACES: dict[tuple[bool, str | None], tuple[bool | None, str]] = {
    (True, "mat"): (True, "The mat lies in the picture: dice beside it do not count."),
    (True, "hand"): (True, "The corners of the tray are set: dice beside it do not count."),
    (True, None): (None, "The whole picture is the tray."),
    (False, None): (
        None,
        "The tray is not set, so the whole picture counts. Drag its corners, or print a mat.",
    ),
}
"""By whether the tray's place was set and by what: the result and its sentence."""

LOST = "The camera or the tray was moved: set the tray again."


class Told(Protocol):
    """A part of the set-up that tells its state as table.page.ports has it."""

    def to_json(self) -> dict[str, Any]: ...


class TableHealth:
    """The implementation of table.page.ports.TableHealth.

    snapshot: the newest. place, colours, sticks: the parts of the set-up. lights: why the table has lights,
    or why not, with whether it has any. folder: of the log.
    """

    def __init__(
        self,
        snapshot: Callable[[], Snapshot],
        monitor: PictureMonitor,
        place: Told,
        colours: Told,
        sticks: Told,
        lights: tuple[bool, str],
        folder: Path,
    ) -> None:
        self._snapshot, self._monitor, self._folder = snapshot, monitor, folder
        self._place, self._colours, self._sticks = place, colours, sticks
        self._has_lights, self._lights_text = lights

    def to_json(self) -> dict[str, Any]:
        now = self._snapshot()
        shown = now.hidden_since is None and not now.tray.blind
        quality = self._monitor.quality() if shown else None
        findings = [_camera(now)]
        if quality is not None:
            findings += picture_findings(quality)
        findings += self._parts()
        return {
            "ok": not any(finding.ok is False for finding in findings),
            "findings": [finding.to_json() for finding in findings],
            "picture": None if quality is None else picture_to_json(quality),
        }

    def _parts(self) -> Iterator[Finding]:
        yield _tray(self._place.to_json())
        yield _taught("colours", len(self._colours.to_json()["colours"]), "colour", "dice")
        faces = self._sticks.to_json()["faces"]
        yield _taught("sticks", sum(face["samples"] > 0 for face in faces), "side", "sticks")
        no_lights = "The table has no lights or buttons. It works without them."
        says = "Lights and buttons are connected." if self._has_lights else no_lights
        yield Finding("lights", True if self._has_lights else None, self._lights_text, says)
        yield disk_finding(self._folder)


def _camera(now: Snapshot) -> Finding:
    state = now.tray.state
    if now.tray.blind:
        return Finding("camera", False, f"{now.camera}: {state}", CAMERA_ADVICE.get(state, state))
    return Finding("camera", True, now.camera, f"The camera gives pictures: {now.camera}.")


def _tray(place: dict[str, Any]) -> Finding:
    ok, says = (False, LOST) if place["drift"] == "lost" else PLACES[place["asked"], place["by"]]
    return Finding("tray", ok, f"set by: {place['by'] or 'nobody'}", says)


def _taught(name: str, count: int, what: str, of: str) -> Finding:
    """The finding on what the household taught. One alone tells nothing apart."""
    text = f"{count} {what}{'' if count == 1 else 's'} taught"
    if count > 1:
        return Finding(name, True, text, f"The table knows your own {of}: {text}.")
    if count == 1:
        return Finding(
            name, None, text, f"Only one {what} is taught, which tells nothing apart. Teach another."
        )
    return Finding(name, None, text, f"The table reads the usual {of}. Teach it yours if it mixes them up.")
