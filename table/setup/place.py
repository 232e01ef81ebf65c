"""The place of the tray at a running table.

A file stores it, the camera's frames suggest it, and the page shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from table.log.json_file import read_json, set_damaged_file_aside, write_json
from table.setup.history import History
from vision.frames import Frame, Picture
from vision.tray.calibration import Calibration, SetBy, StoredCalibration, suggest_region
from vision.tray.mat import region_from_markers
from vision.tray.region import RegionUnusable, TrayRegion, load_region

NO_MAT = (
    "No mat is to be seen. Lay it so that all its black squares are in the picture, and take your hands away."
)
NO_PICTURE = "There is no picture of the tray yet: see that the camera is plugged in."


def open_calibration(path: Path, named_by_user: bool = False) -> tuple[Calibration, str]:
    """The calibration in this file, and a sentence for people if the file was damaged and put aside; else "".

    named_by_user: somebody named the file. Then a missing or damaged file raises RegionUnusable and is not
    put aside.
    """
    if named_by_user:
        load_region(path)
    try:
        data = read_json(path)
        stored, trouble = None if data is None else StoredCalibration.from_json(data), ""
    except ValueError:
        if named_by_user:
            raise
        stored = None
        trouble = (
            f"The place of the tray was damaged: it was put aside as {set_damaged_file_aside(path)}."
            " Set the tray again."
        )
    return Calibration(stored, lambda new: _save(path, new)), trouble


def _save(path: Path, stored: StoredCalibration | None) -> None:
    if stored is None:
        path.unlink(missing_ok=True)
    else:
        write_json(path, stored.to_json())


class TrayPlaceSetup:
    """The implementation of table.page.ports.TrayPlace.

    newest_frame: from the camera, None before the first. on_change: called when a place is set or unset,
    and when that is undone.
    """

    def __init__(
        self,
        calibration: Calibration,
        newest_frame: Callable[[], Frame | None],
        on_change: Callable[[], None],
    ) -> None:
        self._calibration, self._newest_frame, self._on_change = calibration, newest_frame, on_change
        self._history: History[StoredCalibration | None] = History()

    def to_json(self) -> dict[str, Any]:
        frame, region = self._newest_frame(), self._calibration.region
        return {
            "size": [0, 0] if frame is None else list(frame.size_wh),
            "place": None if region is None else _place_to_json(region),
            "by": self._calibration.by,
            "asked": self._calibration.is_set,
            "drift": self._calibration.drift,
            "undo": len(self._history),
        }

    def suggestion(self) -> dict[str, Any] | None:
        frame = self._newest_frame()
        suggested = None if frame is None else suggest_region(frame.picture)
        return (
            None if suggested is None else {**_place_to_json(suggested[0]), "by": suggested[1] or "picture"}
        )

    def set(self, data: dict[str, Any]) -> None:
        region, picture = TrayRegion.from_json(data), self._picture()
        self._change(lambda: self._calibration.set(region, picture))

    def use_mat(self) -> None:
        picture = self._picture()
        region = region_from_markers(picture)
        if region is None:
            raise RegionUnusable(NO_MAT)
        self._change(lambda: self._calibration.set(region, picture, SetBy.MAT))

    def unset(self) -> None:
        self._change(self._calibration.unset)

    def undo(self) -> None:
        self._history.undo(self._calibration.put_back)
        self._on_change()

    def _change(self, change: Callable[[], None]) -> None:
        before = self._calibration.stored
        change()
        self._history.changed(before)
        self._on_change()

    def _picture(self) -> Picture:
        frame = self._newest_frame()
        if frame is None:
            raise RegionUnusable(NO_PICTURE)
        return frame.picture


def _place_to_json(region: TrayRegion) -> dict[str, Any]:
    data = region.to_json()
    return {key: data[key] for key in ("corners", "strip", "size_mm")}
