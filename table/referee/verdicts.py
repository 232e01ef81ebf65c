"""Verdicts: what a settled tray is ruled to be."""

from __future__ import annotations

from dataclasses import dataclass

from table.common.tray import TrayState
from table.referee.fouls import Foul
from table.rules.answers import Answer


@dataclass(frozen=True)
class Nothing:
    """Nothing was thrown: dice were moved, picked up or set aside."""


@dataclass(frozen=True)
class Counts:
    """The throw counts; `choices` are the answers that it implied, to be given first."""

    choices: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class Void:
    """The throw does not count. `message` says why, and what to do.

    foul: whose hand did wrong by what rule; None where nobody's did. rule: of the shared rules.
    short: how many dice are missing, where that is all that is wrong: they may have fallen off the tray.
    """

    state: TrayState
    message: str
    foul: Foul | None = None
    rule: str = "G5"
    short: int = 0


@dataclass(frozen=True)
class Again:
    """Some dice are thrown again alone (shared rule G4), or have yet to be shown. good: ids of those that stand. bad: of those that
    lie there and do not; asked: of these, the ones that lean, and may only seem to: a person can say that they lie flat, and what they
    show. foul: where a hand did wrong with the bad ones."""

    state: TrayState
    message: str
    good: tuple[int, ...]
    bad: tuple[int, ...] = ()
    missing: int = 0
    asked: tuple[int, ...] = ()
    foul: Foul | None = None


@dataclass(frozen=True)
class Ask:
    """A person has to say what dice show. asked: their ids. whole: the throw is complete, and stands whatever is thrown next."""

    message: str
    asked: tuple[int, ...]
    whole: bool = False
    state = TrayState.UNSURE


@dataclass(frozen=True)
class Doubt:
    """It is not clear which dice were thrown and which only moved. doubted: ids of those that a person is asked about. thrown: others
    were thrown in any case."""

    message: str
    doubted: tuple[int, ...]
    thrown: bool = False
    state = TrayState.UNSURE


@dataclass(frozen=True)
class Unlogged:
    """The throw would count, but the log could not be written; it is tried again at every reading."""

    message: str
    state = TrayState.WAITING


Pending = Void | Again | Ask | Doubt | Unlogged
"""Verdicts after which somebody has to do or say something."""

Verdict = Nothing | Counts | Pending
