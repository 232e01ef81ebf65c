"""Verdicts: the possible rulings on a settled tray."""

from __future__ import annotations

from dataclasses import dataclass, replace

from table.common.tray import TrayState
from table.referee.fouls import Foul
from table.rules.answers import Answer


@dataclass(frozen=True)
class NoThrow:
    """Nothing was thrown: dice were moved, picked up or set aside."""


@dataclass(frozen=True)
class Valid:
    """The throw counts; `choices` are the answers that it implied, which are given first."""

    choices: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class Void:
    """The throw does not count. `message` says why, and what to do.

    foul: the foul of hands, None if there is none. rule: of the shared rules.
    missing: number of missing dice, if nothing else is wrong: they may have fallen off the tray. dice: ids of
    those of a foul of hands.
    """

    state: TrayState
    message: str
    foul: Foul | None = None
    rule: str = "G5"
    missing: int = 0
    dice: tuple[int, ...] = ()

    def less_than(self, before: Verdict) -> bool:
        """Whether the foul of hands before was this one with more dice."""
        return isinstance(before, Void) and before.foul is self.foul and {*self.dice} < {*before.dice}


@dataclass(frozen=True)
class Rethrow:
    """Some dice are thrown again alone (shared rule G4), or have yet to be shown.

    good: ids of the dice that stand. bad: ids of dice that lie there but do not stand. asked: those of them
    that lean or only seem to; a person can say that they lie flat, and what they show. foul: the foul of a
    hand with the bad dice. held: ids of the good dice that a hand holds and lays back. If no die is missing,
    the throw counts then.
    """

    state: TrayState
    message: str
    good: tuple[int, ...]
    bad: tuple[int, ...] = ()
    missing: int = 0
    asked: tuple[int, ...] = ()
    foul: Foul | None = None
    held: tuple[int, ...] = ()


@dataclass(frozen=True)
class AskFaces:
    """A person has to give faces.

    asked: ids of the dice. whole: the throw is complete and stands, whatever is thrown next. foul: what hands
    did since; the message begins with it.
    """

    message: str
    asked: tuple[int, ...]
    whole: bool = False
    foul: Foul | None = None
    state = TrayState.UNSURE


@dataclass(frozen=True)
class Doubt:
    """It is not clear which dice were thrown and which only moved.

    doubted: ids of the dice that are asked about. thrown: other dice were certainly thrown. foul: what hands
    did since; the message begins with it.
    some: the throw can also stand if only some of `doubted` were thrown; a person may say so. others: ids of
    further dice in question. settles: what is said of `doubted` is not so of `others`; otherwise they are
    asked about next.
    """

    message: str
    doubted: tuple[int, ...]
    thrown: bool = False
    foul: Foul | None = None
    some: bool = False
    others: tuple[int, ...] = ()
    settles: bool = False
    state = TrayState.UNSURE

    @property
    def in_question(self) -> tuple[int, ...]:
        """ids of all dice in question."""
        return (*self.doubted, *self.others)


@dataclass(frozen=True)
class UnderArm:
    """The throw has too few dice, and something rests over the tray: the others may lie under it."""

    message: str
    state = TrayState.UNSURE


@dataclass(frozen=True)
class Unlogged:
    """The throw would count, but the log could not be written; every reading tries again."""

    message: str
    state = TrayState.WAITING


def with_foul(question: AskFaces | Doubt, foul: Foul) -> AskFaces | Doubt:
    """The same question after this foul."""
    if question.foul is foul:
        return question
    return replace(question, foul=foul, message=f"{foul.text()} {question.message}")


Pending = Void | Rethrow | AskFaces | Doubt | UnderArm | Unlogged
"""Verdicts after which a person has to do or say something."""

Verdict = NoThrow | Valid | Pending
