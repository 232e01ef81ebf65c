"""An evening with throwing sticks: tests lay them on the tray, and the referee receives their tracks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from table.common.tray import TrayState
from table.referee.actions import Correct, EnterStickFaces, SubmitAnswer
from table.referee.effects import Accepted
from table.referee.events import TrayRead
from table.rules.answers import Sticks
from tests.referee.evening import SIZE, Evening
from tests.vision.sticks import stick
from vision.readings import Reading, SeenStick
from vision.tracking.stick_tracks import StickOutcome, StickTrack, StickTracks
from vision.tracking.tracks import Tracks

THROWN, UNMOVED = StickOutcome.THROWN, StickOutcome.UNMOVED


def seen(face: str, n: int = 0, likely: Sequence[tuple[str, float]] = ()) -> SeenStick:
    """A stick at the n-th place. "dog?" was read without certainty."""
    sure = not face.endswith("?")
    return replace(stick(face.rstrip("?"), 120.0 + 90 * n, 200, 90, sure), likely=tuple(likely))


class StickEvening(Evening):
    """Players and sticks. `sticks` lists what lies there: (track, the stick)."""

    def __init__(self, folder: Path, game: str = "", *players: str, **settings: Any) -> None:
        super().__init__(folder, game, *players, **settings)
        self.sticks: list[tuple[int, SeenStick]] = []
        self._next = 0

    @property
    def thrown_sticks(self) -> list[tuple[str, ...]]:
        """The throws of sticks that counted."""
        return [each.sticks for each in self.effects if isinstance(each, Accepted)]

    def throws_sticks(
        self, *faces: str | SeenStick, leaving: int = 0, outcome: StickOutcome = THROWN, moving: bool = True
    ) -> None:
        """Throws sticks that show these faces, beside the first `leaving` that lie there."""
        lie = self.sticks[:leaving] if leaving else []
        came = [
            (self._next + n, f if isinstance(f, SeenStick) else seen(f, leaving + n))
            for n, f in enumerate(faces)
        ]
        self._next += len(faces)
        self.sticks = [*lie, *came]
        if moving:
            self.sees(TrayState.ROLLING)
        self.reads_sticks([UNMOVED] * len(lie) + [outcome] * len(came))

    def reads_sticks(self, outcomes: Sequence[StickOutcome] = ()) -> None:
        """The tray is at rest and is read; without outcomes the sticks lie as they lay."""
        outcomes = outcomes or [UNMOVED] * len(self.sticks)
        tracks = [StickTrack(n, s, o) for (n, s), o in zip(self.sticks, outcomes, strict=True)]
        reading = Reading(SIZE, sticks=tuple(t.seen for t in tracks))
        read = TrayRead(reading, Tracks(), stick_tracks=StickTracks(tuple(tracks)))
        self.effects += self.referee.handle(read, self.take_picture())

    def picks_up_sticks(self) -> None:
        self.sticks = []
        self.sees(TrayState.HAND)
        self.reads_sticks()

    def names_sticks(self, *faces: str | None) -> None:
        self.does(EnterStickFaces(self.now.number, faces))

    def types_sticks(self, *faces: str) -> None:
        self.does(SubmitAnswer(self.now.number, Sticks(faces)))

    def corrects_sticks(self, at: int, *faces: str) -> None:
        self.does(Correct(self.now.number, at, Sticks(faces)))

    @property
    def shown(self) -> list[tuple[str, str, int | None]]:
        """Face, part and index of each stick that the page shows."""
        return [(s.face, s.part, s.index) for s in self.now.tray.sticks]
