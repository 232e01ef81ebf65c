"""What people ask of the referee, by page or button; each names the snapshot number that it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from table.rules.answers import Answer, Thrown
from table.rules.game import Seat


@dataclass(frozen=True)
class Start:
    """Begin a match; one that is on is set aside, and stays in the log."""

    number: int
    game: str
    seats: tuple[Seat, ...]
    given: Mapping[str, str]


@dataclass(frozen=True)
class Give:
    """An answer to the prompt: a choice or a keep; a throw only where the tray cannot be read."""

    number: int
    answer: Answer


@dataclass(frozen=True)
class TakeBack:
    number: int


@dataclass(frozen=True)
class Correct:
    """The throw logged at `at` was read wrongly. anyway: later answers that no longer fit then are dropped; otherwise it is refused."""

    number: int
    at: int
    answer: Thrown
    anyway: bool = True


@dataclass(frozen=True)
class Settle:
    """The faces of the dice that were asked about (part "asked"), in their order on the tray; None for what is no die, or does
    lean."""

    number: int
    faces: tuple[int | None, ...]


@dataclass(frozen=True)
class Tell:
    """Whether the dice that may have been thrown, or only moved (part "doubted"), were thrown."""

    number: int
    thrown: bool


@dataclass(frozen=True)
class FellOff:
    """A die of the throw just read fell off the tray; the others stand, and that one is thrown again."""

    number: int


@dataclass(frozen=True)
class End:
    """End the match that is on without an outcome."""

    number: int


@dataclass(frozen=True)
class Confirm:
    """The hold/confirm button: takes `snapshot.can_confirm`. Not tied to a number: a button is pressed by whoever is at the table."""


@dataclass(frozen=True)
class ReadAgain:
    """Read the tray once more."""


Action = Start | Give | TakeBack | Correct | Settle | Tell | FellOff | End | Confirm | ReadAgain
