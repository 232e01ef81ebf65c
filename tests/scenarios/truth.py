"""The ground truth of a scenario, and the verdict on what the table reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

Faces = tuple[int, ...]
"""Ascending."""
ANY_FACES: Faces = (0,)
"""Stands for dice whose faces were not reported."""


class EventKind(StrEnum):
    """What people do with dice."""

    THROWN = "thrown"
    LAID = "laid"
    TURNED = "turned"
    TIPPED = "tipped"


@dataclass(frozen=True)
class TrueEvent:
    """Dice that were thrown, laid down, turned or tipped over, with their faces afterwards and times.

    may_ask: a question is right as well.
    must_ask: only a question is right.
    optional: no report is right as well.
    """

    kind: EventKind
    faces: Faces
    start_s: float
    rest_s: float
    may_ask: bool = False
    must_ask: bool = False
    optional: bool = False


@dataclass(frozen=True)
class Game:
    """The game that `brehon watch` plays."""

    name: str
    players: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Truth:
    """The ground truth of a scenario. acts: the acts in order, each with its start, s.

    allowed: times in which a question, or a report of laid dice, is no fault.
    tray: its inner border, x0, y0, x1, y1 px, where one is in view.
    calibrated: whether the table knows its place.
    """

    name: str
    kind: str
    seed: int
    fps: float
    size_wh: tuple[int, int]
    side_px: float
    dice_from: str
    events: tuple[TrueEvent, ...]
    acts: tuple[tuple[float, str], ...]
    game: Game | None = None
    allowed: tuple[tuple[float, float], ...] = ()
    tray: tuple[float, float, float, float] | None = None
    calibrated: bool = False

    def allows(self, at_s: float) -> bool:
        return any(start <= at_s <= end for start, end in self.allowed)

    @property
    def throws(self) -> tuple[TrueEvent, ...]:
        return tuple(event for event in self.events if event.kind is EventKind.THROWN)


@dataclass(frozen=True)
class Report:
    """The report on one settled tray: faces counted as thrown, as laid or turned, and those asked about."""

    at_s: float
    thrown: Faces = ()
    fouls: Faces = ()
    asked: Faces = ()


class Verdict(StrEnum):
    RIGHT = "right"
    MISSED = "missed throw"
    FALSE_THROW = "false throw"
    WRONG = "wrong faces"
    FALSE_FOUL = "false foul"
    MISSED_FOUL = "missed foul"
    NEEDLESS_QUESTION = "needless question"
    MISSING_QUESTION = "missing question"


@dataclass(frozen=True)
class Result:
    """The verdict on one scenario, and its faults in order of time."""

    truth: Truth
    reports: tuple[Report, ...]
    faults: tuple[tuple[float, Verdict, str], ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        return self.faults[0][1] if self.faults else Verdict.RIGHT


def score_reports(truth: Truth, reports: Sequence[Report]) -> Result:
    """The verdict: every throw is reported once with its faces, nothing else, and questions where allowed."""
    faults: list[tuple[float, Verdict, str]] = []
    pending = list(truth.events)
    for report in reports:
        due = [event for event in pending if event.start_s <= report.at_s]
        match = _matching(due, report)
        if match is not None:
            place = pending.index(match)
            asked_only = report.asked and not report.thrown and not report.fouls and not match.optional
            # after a question the event may be reported as well
            pending[place : place + 1] = [replace(match, optional=True)] if asked_only else []
            earlier = [event for event in due if event.start_s < match.start_s and event in pending]
            faults += _missed(earlier, pending)
        elif report.thrown:
            late = [event for event in due if event.kind is EventKind.THROWN]
            wrong = Verdict.WRONG if late else Verdict.FALSE_THROW
            thrown = f", thrown {late[-1].faces}" if late else ""
            faults.append((report.at_s, wrong, f"reported {report.thrown}{thrown}"))
            if late:
                pending.remove(late[-1])
        elif truth.allows(report.at_s):
            continue
        elif report.fouls:
            faults.append((report.at_s, Verdict.FALSE_FOUL, f"reported {report.fouls} laid or turned"))
        elif report.asked and not any(event.may_ask or event.must_ask for event in due):
            faults.append((report.at_s, Verdict.NEEDLESS_QUESTION, f"asked about {report.asked}"))
    faults += _missed(list(pending), pending)
    return Result(truth, tuple(reports), tuple(sorted(faults)))


def _matching(due: Sequence[TrueEvent], report: Report) -> TrueEvent | None:
    """The oldest event that this report describes correctly. One that was asked about comes last: the
    question was a report of it already."""
    for event in sorted(due, key=lambda event: event.optional):
        if event.must_ask:
            fits = bool(report.asked)
        elif event.kind is EventKind.THROWN:
            fits = (report.thrown == event.faces and not report.fouls) or (
                event.may_ask and bool(report.asked)
            )
        else:
            fits = (report.fouls in (event.faces, ANY_FACES) and not report.thrown) or (
                event.may_ask and bool(report.asked)
            )
        if fits:
            return event
    return None


def _missed(events: Sequence[TrueEvent], pending: list[TrueEvent]) -> list[tuple[float, Verdict, str]]:
    faults = []
    for event in events:
        pending.remove(event)
        if event.optional:
            continue
        if event.kind is not EventKind.TIPPED:
            faults.append((event.rest_s, _missed_verdict(event), f"{event.kind} {event.faces}"))
    return faults


def _missed_verdict(event: TrueEvent) -> Verdict:
    if event.must_ask:
        return Verdict.MISSING_QUESTION
    return Verdict.MISSED if event.kind is EventKind.THROWN else Verdict.MISSED_FOUL
