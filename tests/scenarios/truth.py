"""The ground truth of a scenario, and the verdict on what the table reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

Faces = tuple[int, ...]
"""Ascending."""
ANY_FACES: Faces = (0,)
"""Stands for dice whose faces were not reported."""


class Deed(StrEnum):
    """What a person did to dice."""

    THROWN = "thrown"
    LAID = "laid"
    TURNED = "turned"
    TIPPED = "tipped"


@dataclass(frozen=True)
class Done:
    """Dice that were thrown, laid down, turned or tipped over, with their faces afterwards and times.

    may_ask: a question is right as well.
    must_ask: only a question is right.
    optional: no report is right as well.
    """

    deed: Deed
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
    done: tuple[Done, ...]
    acts: tuple[tuple[float, str], ...]
    game: Game | None = None
    allowed: tuple[tuple[float, float], ...] = ()
    tray: tuple[float, float, float, float] | None = None
    calibrated: bool = False

    def allows(self, at_s: float) -> bool:
        return any(start <= at_s <= end for start, end in self.allowed)

    @property
    def throws(self) -> tuple[Done, ...]:
        return tuple(d for d in self.done if d.deed is Deed.THROWN)


@dataclass(frozen=True)
class Told:
    """The report on one settled tray: faces counted as thrown, as laid or turned, and those asked about."""

    at_s: float
    thrown: Faces = ()
    fouls: Faces = ()
    asked: Faces = ()


class Verdict(StrEnum):
    RIGHT = "right"
    MISSED = "missed throw"
    NOBODYS = "throw nobody made"
    WRONG = "wrong faces"
    FALSE_FOUL = "false foul"
    MISSED_FOUL = "missed foul"
    NEEDLESS = "needless question"
    UNASKED = "required question not asked"


@dataclass(frozen=True)
class Judged:
    """The verdict on one scenario, and its faults in order of time."""

    truth: Truth
    told: tuple[Told, ...]
    faults: tuple[tuple[float, Verdict, str], ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        return self.faults[0][1] if self.faults else Verdict.RIGHT


def judged(truth: Truth, told: Sequence[Told]) -> Judged:
    """The verdict: every throw is reported once with its faces, nothing else, and questions where allowed."""
    faults: list[tuple[float, Verdict, str]] = []
    open_ = list(truth.done)
    for one in told:
        due = [d for d in open_ if d.start_s <= one.at_s]
        match = _matching(due, one)
        if match is not None:
            place = open_.index(match)
            asked_only = one.asked and not one.thrown and not one.fouls and not match.optional
            open_[place : place + 1] = [replace(match, optional=True)] if asked_only else []  # it may be reported after the question
            faults += _missed([d for d in due if d.start_s < match.start_s and d in open_], open_)
        elif one.thrown:
            late = [d for d in due if d.deed is Deed.THROWN]
            wrong = Verdict.WRONG if late else Verdict.NOBODYS
            faults.append((one.at_s, wrong, f"told {one.thrown}" + (f", thrown {late[-1].faces}" if late else "")))
            if late:
                open_.remove(late[-1])
        elif truth.allows(one.at_s):
            continue
        elif one.fouls:
            faults.append((one.at_s, Verdict.FALSE_FOUL, f"told {one.fouls} laid or turned"))
        elif one.asked and not any(d.may_ask or d.must_ask for d in due):
            faults.append((one.at_s, Verdict.NEEDLESS, f"asked about {one.asked}"))
    faults += _missed(list(open_), open_)
    return Judged(truth, tuple(told), tuple(sorted(faults)))


def _matching(due: Sequence[Done], one: Told) -> Done | None:
    """The oldest deed that this report describes correctly."""
    for d in due:
        if d.must_ask:
            fits = bool(one.asked)
        elif d.deed is Deed.THROWN:
            fits = (one.thrown == d.faces and not one.fouls) or (d.may_ask and bool(one.asked))
        else:
            fits = (one.fouls in (d.faces, ANY_FACES) and not one.thrown) or (d.may_ask and bool(one.asked))
        if fits:
            return d
    return None


def _missed(done: Sequence[Done], open_: list[Done]) -> list[tuple[float, Verdict, str]]:
    faults = []
    for d in done:
        open_.remove(d)
        if d.optional:
            continue
        missed = Verdict.UNASKED if d.must_ask else Verdict.MISSED if d.deed is Deed.THROWN else Verdict.MISSED_FOUL
        if d.deed is not Deed.TIPPED:
            faults.append((d.rest_s, missed, f"{d.deed} {d.faces}"))
    return faults
