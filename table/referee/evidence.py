"""Evidence: what the camera saw of a throw, converted to and from the log's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.referee.tray import LyingDie, Tray
from table.rules.answers import Throw
from table.rules.match import Match
from vision.readings import SeenDie, SeenStick


def throw_to_json(dice: Sequence[LyingDie], size_wh: tuple[int, int]) -> Mapping[str, Any]:
    """The dice of a throw as they were read; no dice for a throw entered by hand."""
    return {"size": list(size_wh), "dice": [d.seen.to_json() for d in dice]}


def sticks_to_json(sticks: Sequence[SeenStick], size_wh: tuple[int, int]) -> Mapping[str, Any]:
    """The sticks of a throw as they were read."""
    return {"size": list(size_wh), "dice": [], "sticks": [s.to_json() for s in sticks]}


def tray_from_json(seen: Mapping[str, Any] | None, match: Match) -> tuple[Tray, int | None]:
    """The tray after the newest throw of the match, and that throw's `at`.

    seen: {"at": ..., "reading": ...}. Each die counts as its face after corrections. The tray is empty if
    that throw was corrected away or not seen.
    """
    answer = match.answers[seen["at"]].answer if seen and seen["at"] < match.at else None
    if seen is None or not isinstance(answer, Throw) or len(answer.dice) != len(seen["reading"]["dice"]):
        return Tray(), None
    return Tray.of(
        (_die(d), face) for d, face in zip(seen["reading"]["dice"], answer.faces, strict=True)
    ), seen["at"]


def _die(data: Mapping[str, Any]) -> SeenDie:
    x, y, w, h = (float(v) for v in data["box"])
    face = data["face"]
    assert isinstance(face, int)
    return SeenDie(face, str(data["colour"]), (x, y, w, h), 1.0, bool(data["sure"]))
