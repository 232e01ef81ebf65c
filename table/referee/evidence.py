"""Evidence: what the camera saw behind a throw, to and from what the log keeps."""

from __future__ import annotations

from collections.abc import Sequence

from table.log.store import Evidence
from table.referee.tray import LyingDie, Tray
from table.rules.answers import Throw
from table.rules.match import Match
from vision.reading import SeenDie


def of_throw(at: int, dice: Sequence[LyingDie], jpeg: bytes | None, size_wh: tuple[int, int]) -> Evidence:
    """The evidence of a throw: its dice as they were read, and the picture; none of both for a throw that was told by hand."""
    return Evidence(at, {"size": list(size_wh), "dice": [d.seen.to_json() for d in dice]}, jpeg)


def tray_of(evidence: Evidence | None, match: Match) -> tuple[Tray, int | None]:
    """The tray as the newest throw of the match left it, each die counting as what that throw is known as now, and the throw's `at`;
    an empty tray where that throw was corrected away, or nothing was seen of it."""
    answer = match.answers[evidence.at].answer if evidence and evidence.at < match.at else None
    if evidence is None or not isinstance(answer, Throw) or len(answer.dice) != len(evidence.reading["dice"]):
        return Tray(), None
    return Tray((_die(d), face) for d, face in zip(evidence.reading["dice"], answer.faces, strict=True)), evidence.at


def _die(data: dict[str, object]) -> SeenDie:
    box, face = data["box"], data["face"]
    assert isinstance(box, list)
    assert isinstance(face, int)
    x, y, w, h = (float(v) for v in box)
    return SeenDie(face, str(data["colour"]), (x, y, w, h), 1.0, bool(data["sure"]))
