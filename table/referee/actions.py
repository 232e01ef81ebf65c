"""Requests from people to the referee, by page or button; each names the snapshot number that it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from table.rules.answers import Answer, Thrown
from table.rules.game import Seat


@dataclass(frozen=True)
class Start:
    """Begin a match. A match that is already on is set aside and stays in the log."""

    number: int
    game: str
    seats: tuple[Seat, ...]
    raw_settings: Mapping[str, str]


@dataclass(frozen=True)
class SubmitAnswer:
    """An answer to the prompt: a choice or a keep; a throw only where the tray cannot be read."""

    number: int
    answer: Answer


@dataclass(frozen=True)
class TakeBack:
    number: int


@dataclass(frozen=True)
class Correct:
    """The throw logged at `at` was read wrongly.

    anyway: drop later answers that no longer fit; otherwise such a correction is refused.
    """

    number: int
    at: int
    answer: Thrown
    anyway: bool = True


LEANS: Literal["leans"] = "leans"
"""What a person says of a die that leans and does not seem to."""

EnteredFace = int | Literal["leans"] | None


@dataclass(frozen=True)
class EnterFaces:
    """The faces of the dice in question (part "asked"), in their order on the tray.

    None: there is no die, or one that seems to lean does lean.
    """

    number: int
    faces: tuple[EnteredFace, ...]


@dataclass(frozen=True)
class EnterStickFaces:
    """The faces of the sticks in question (part "asked"), in their order. None: it is no stick."""

    number: int
    faces: tuple[str | None, ...]


@dataclass(frozen=True)
class ResolveDoubt:
    """Whether the doubtful dice or sticks (part "doubted") were thrown; otherwise they were only moved."""

    number: int
    thrown: bool


@dataclass(frozen=True)
class TellApart:
    """Only some of the doubtful dice or sticks were thrown: they are asked about one by one."""

    number: int


@dataclass(frozen=True)
class FellOff:
    """A die of the throw just read fell off the tray. It is thrown again; the others stand."""

    number: int


@dataclass(frozen=True)
class NothingUnderArm:
    """No die lies under what rests over the tray: the throw is judged as it is seen."""

    number: int


@dataclass(frozen=True)
class NothingFell:
    """No die fell from the towers, though the camera asks: they stand as the game has them."""

    number: int


@dataclass(frozen=True)
class End:
    """End the current match without an outcome."""

    number: int


@dataclass(frozen=True)
class Confirm:
    """The hold/confirm button: takes `snapshot.can_confirm`.

    It has no number, because anyone at the table may press a button.
    """


@dataclass(frozen=True)
class RereadTray:
    """Read the tray once more."""


Action = (
    Start
    | SubmitAnswer
    | TakeBack
    | Correct
    | EnterFaces
    | EnterStickFaces
    | ResolveDoubt
    | TellApart
    | FellOff
    | NothingUnderArm
    | NothingFell
    | End
    | Confirm
    | RereadTray
)
