"""Calibration: the region of the tray at a running table.

A person or a mat sets it; it is stored, and tracked after a bump.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from vision.frames import Picture
from vision.tray.drift import Drift, Localisation, TrayLocaliser
from vision.tray.mat import region_from_markers
from vision.tray.outline import region_from_outline
from vision.tray.reference_view import ReferenceView
from vision.tray.region import TrayRegion

MAT_PICTURES = 2
"""Consecutive pictures that have to show a mat before it sets the region without a person."""


class SetBy(StrEnum):
    """What set the region of the tray."""

    HAND = "hand"
    MAT = "mat"


@dataclass(frozen=True, eq=False)
class StoredCalibration:
    """The content of the calibration file.

    region: as it was set, None for the whole picture.
    reference: the view of the table at that time.
    """

    region: TrayRegion | None
    reference: ReferenceView | None = None
    by: SetBy | None = None

    def to_json(self) -> dict[str, Any]:
        if self.region is None:
            return {"whole_picture": True}
        reference = {} if self.reference is None else {"look": self.reference.to_json()}
        return {**self.region.to_json(), "by": self.by or SetBy.HAND, **reference}

    @staticmethod
    def from_json(data: Any) -> StoredCalibration:
        """The calibration from the output of to_json; raises RegionUnusable for anything else."""
        if isinstance(data, dict) and data.get("whole_picture") is True:
            return StoredCalibration(None)
        region = TrayRegion.from_json(data)
        reference = None if data.get("look") is None else ReferenceView.from_json(data["look"])
        return StoredCalibration(region, reference, SetBy.MAT if data.get("by") == SetBy.MAT else SetBy.HAND)


class Calibration:
    """The current region of the tray. All methods are thread-safe.

    stored: from an earlier run. None means that nothing was ever set, and that a mat sets the region by
        itself.
    save: called with the new calibration before it takes effect; None if nothing is set any more. Its
        exceptions propagate, and the old region stays.
    """

    def __init__(
        self,
        stored: StoredCalibration | None = None,
        save: Callable[[StoredCalibration | None], None] = lambda stored: None,
    ) -> None:
        self._save = save
        self._lock = threading.RLock()
        self._mat_pictures = 0
        self._apply(stored)

    @property
    def region(self) -> TrayRegion | None:
        """The last known region of the tray; None where the whole picture is the tray."""
        with self._lock:
            return None if self._localiser is None else self._localiser.region

    @property
    def by(self) -> SetBy | None:
        """What set the region; None if it was never set."""
        with self._lock:
            return None if self._stored is None else self._stored.by

    @property
    def drift(self) -> Drift:
        """The drift in the last picture given to update."""
        with self._lock:
            return self._drift

    @property
    def is_set(self) -> bool:
        """Whether the region was ever set, including to the whole picture."""
        with self._lock:
            return self._stored is not None

    def update(self, picture: Picture) -> Localisation | None:
        """The tray's region in a picture of a tray at rest; None where no region is set.

        Where no region was ever set, a mat in the picture sets it. Call it once a second at most.
        """
        with self._lock:
            if self._stored is None:
                self._adopt_mat(picture)
            if self._localiser is None:
                return None
            localisation = self._localiser.locate(picture)
            self._drift = localisation.drift
            return localisation

    def set(self, region: TrayRegion, picture: Picture, by: SetBy = SetBy.HAND) -> None:
        """Sets the region of the tray. picture: the one in which it was set."""
        self._store(StoredCalibration(region, ReferenceView.of(picture), by))

    def unset(self) -> None:
        """Makes the whole picture the tray, even if a mat lies in it."""
        self._store(StoredCalibration(None))

    @property
    def stored(self) -> StoredCalibration | None:
        """What was set last; None if nothing was ever set."""
        with self._lock:
            return self._stored

    def put_back(self, stored: StoredCalibration | None) -> None:
        """Sets what was set before. None: nothing is set any more."""
        self._store(stored)

    def _adopt_mat(self, picture: Picture) -> None:
        region = region_from_markers(picture)
        self._mat_pictures = 0 if region is None else self._mat_pictures + 1
        if region is not None and self._mat_pictures >= MAT_PICTURES:
            self.set(region, picture, SetBy.MAT)

    def _store(self, stored: StoredCalibration | None) -> None:
        with self._lock:
            self._save(stored)
            self._apply(stored)

    def _apply(self, stored: StoredCalibration | None) -> None:
        self._stored = stored
        self._localiser = None
        if stored is not None and stored.region is not None:
            self._localiser = TrayLocaliser(stored.region, stored.reference)
        self._drift = Drift.NONE


def suggest_region(picture: Picture) -> tuple[TrayRegion, SetBy | None] | None:
    """The region by a mat, with SetBy.MAT, or by the outline, with None; None where neither is detected."""
    from_mat = region_from_markers(picture)
    if from_mat is not None:
        return from_mat, SetBy.MAT
    outlined = region_from_outline(picture)
    return None if outlined is None else (outlined, None)
