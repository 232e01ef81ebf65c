"""Evidence: what the camera saw behind a throw, to and from what the log keeps."""

from __future__ import annotations

from collections.abc import Sequence

from table.log.store import Evidence
from table.referee.tray import LyingDie, Tray
from vision.reading import SeenDie


def of_throw(at: int, dice: Sequence[LyingDie], jpeg: bytes | None, size_wh: tuple[int, int]) -> Evidence:
    """The evidence of a throw: its dice as read and as counted, and the picture."""
    lying = [{**d.seen.to_json(), "counts_as": d.face} for d in dice]
    return Evidence(at, {"size": list(size_wh), "dice": lying}, jpeg)


def tray_of(evidence: Evidence | None) -> tuple[Tray, int | None]:
    """The tray as it lay after that throw, and the throw's `at`; an empty one where there is no evidence."""
    if evidence is None:
        return Tray(), None
    return Tray(_die(d) for d in evidence.reading["dice"]), evidence.at


def _die(data: dict[str, object]) -> tuple[SeenDie, int]:
    box, face, counts_as = data["box"], data["face"], data["counts_as"]
    assert isinstance(box, list)
    assert isinstance(face, int)
    assert isinstance(counts_as, int)
    x, y, w, h = (float(v) for v in box)
    return SeenDie(face, str(data["colour"]), (x, y, w, h), 1.0, bool(data["sure"])), counts_as
