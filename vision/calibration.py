"""Calibration: the place of the tray at a running table. Set by people or by a mat, kept, and followed as the camera is bumped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from vision.drift import Drift, Localisation, TrayLocaliser
from vision.frames import Picture
from vision.mat import place_from_markers
from vision.place import Place
from vision.reference_view import ReferenceView
from vision.tray_outline import place_by_itself

MAT_LOOKS = 2
"""Pictures in a row that have to show a mat before it is taken without anybody asking for it."""


class SetBy(StrEnum):
    """Who said where the tray is."""

    HAND = "hand"
    MAT = "mat"


@dataclass(frozen=True, eq=False)
class StoredCalibration:
    """What a calibration keeps in its file.

    place: as it was set, None for the whole picture; look: how the camera saw the table then.
    """

    place: Place | None
    look: ReferenceView | None = None
    by: SetBy | None = None

    def to_json(self) -> dict[str, Any]:
        if self.place is None:
            return {"whole_picture": True}
        look = {} if self.look is None else {"look": self.look.to_json()}
        return {**self.place.to_json(), "by": self.by or SetBy.HAND, **look}

    @staticmethod
    def from_json(data: Any) -> StoredCalibration:
        """What to_json gave; raises PlaceUnusable for anything else."""
        if isinstance(data, dict) and data.get("whole_picture") is True:
            return StoredCalibration(None)
        place = Place.from_json(data)
        look = None if data.get("look") is None else ReferenceView.from_json(data["look"])
        return StoredCalibration(place, look, SetBy.MAT if data.get("by") == SetBy.MAT else SetBy.HAND)


class Calibration:
    """Where the tray is now. Everything may be called from any thread.

    kept: from an earlier evening; None: nothing was ever set, and a mat that lies there is taken. keep: called with what is to be
    kept before it holds; what it raises is raised, and the old place stays.
    """

    def __init__(self, kept: StoredCalibration | None = None, keep: Callable[[StoredCalibration], None] = lambda kept: None) -> None:
        self._keep = keep
        self._lock = threading.RLock()
        self._mats = 0
        self._hold(kept)

    @property
    def place(self) -> Place | None:
        """Where the tray is in the newest picture, as far as it is known; None: the whole picture is the tray."""
        with self._lock:
            return None if self._follower is None else self._follower.place

    @property
    def by(self) -> SetBy | None:
        """Who set it."""
        with self._lock:
            return None if self._kept is None else self._kept.by

    @property
    def drift(self) -> Drift:
        """What the last look told."""
        with self._lock:
            return self._drift

    @property
    def asked(self) -> bool:
        """Whether anybody ever said where the tray is, be it that it is the whole picture."""
        with self._lock:
            return self._kept is not None

    def look(self, picture: Picture) -> Localisation | None:
        """Looks whether the tray is where it was, in a picture of a tray at rest; call it once a second at most. None without a place.

        Where nobody ever set a place, a mat that lies there is taken.
        """
        with self._lock:
            if self._kept is None:
                self._look_for_mat(picture)
            if self._follower is None:
                return None
            sighting = self._follower.see(picture)
            self._drift = sighting.drift
            return sighting

    def set(self, place: Place, picture: Picture, by: SetBy = SetBy.HAND) -> None:
        """From now on the tray is there; picture: the one in which it was set."""
        self._take(StoredCalibration(place, ReferenceView.of(picture), by))

    def unset(self) -> None:
        """From now on the whole picture is the tray, even if a mat lies in it."""
        self._take(StoredCalibration(None))

    def _look_for_mat(self, picture: Picture) -> None:
        place = place_from_markers(picture)
        self._mats = 0 if place is None else self._mats + 1
        if place is not None and self._mats >= MAT_LOOKS:
            self.set(place, picture, SetBy.MAT)

    def _take(self, kept: StoredCalibration) -> None:
        with self._lock:
            self._keep(kept)
            self._hold(kept)

    def _hold(self, kept: StoredCalibration | None) -> None:
        self._kept = kept
        self._follower = None if kept is None or kept.place is None else TrayLocaliser(kept.place, kept.look)
        self._drift = Drift.NONE


def suggested(picture: Picture) -> tuple[Place, SetBy | None] | None:
    """Where the tray seems to be: by a mat (then sure), or by the picture (then None); None where nothing is sure enough to show."""
    by_mat = place_from_markers(picture)
    if by_mat is not None:
        return by_mat, SetBy.MAT
    alone = place_by_itself(picture)
    return None if alone is None else (alone, None)

