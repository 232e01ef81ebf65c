"""Cups of the simulated hand: whose cup a prompt means, and who may look under it.

The dice under a cup are out of the camera's view. Only the player who threw them may look, and only in their
own turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from table.common.errors import IllegalAnswer
from table.games import game
from table.referee.snapshot import Snapshot
from table.rules.entered_prompts import Hidden
from table.rules.prompts import REVEAL, Prompt, Roll

PUSH = "push"
"""Purpose of a throw of dice that the player slides out of the cup."""

FROM_CUP = (REVEAL, PUSH)
"""Purposes of throws whose dice come from under a cup."""

NO_LOOK = "You have no dice under a cup that you may look at now."

THE_CUP = "the cup"
"""Name of the cup of games in which one cup goes round."""


class CupSeen(Protocol):
    """A cup with dice under it. by: who threw them."""

    @property
    def by(self) -> str: ...

    @property
    def faces(self) -> tuple[int, ...]: ...


class CupHand(Protocol):
    """What a simulated hand can do with cups, each of which has a name."""

    def throw_under_cup(self, cup: str, by: str, colours: Sequence[str]) -> None:
        """Takes everything off the tray and throws dice of these colours under a cup, out of view."""
        ...

    def under_cup(self, cup: str) -> CupSeen | None: ...

    def lift_cup(
        self, cup: str, colours: Sequence[str], chosen: Sequence[int] = (), any_colour: bool = False
    ) -> None:
        """Takes everything off the tray and shows so many dice of this cup there, as they lie under it.

        chosen: the faces of those to show, if only some are. any_colour: whether the dice that lie under it
            may have other colours.
        """
        ...


def is_from_cup(prompt: Prompt | None) -> bool:
    """Whether the awaited dice lie under a cup."""
    return isinstance(prompt, Roll) and prompt.purpose in FROM_CUP


def cup_of(now: Snapshot, prompt: Prompt) -> str:
    """The name of the cup that this prompt means."""
    return THE_CUP if now.match and game(now.match.game).one_cup else prompt.player


def may_look(now: Snapshot, hand: CupHand) -> bool:
    """Whether the player in turn has dice under a cup that they may look at."""
    return _looked_at(now, hand) is not None


def faces_under_cup(now: Snapshot, hand: CupHand) -> tuple[int, ...]:
    """The faces under the cup of the player in turn; raises IllegalAnswer if they may not look."""
    cup = _looked_at(now, hand)
    if cup is None:
        raise IllegalAnswer(NO_LOOK)
    return cup.faces


def checked_choice(now: Snapshot, hand: CupHand, chosen: Sequence[int]) -> tuple[int, ...]:
    """The faces that the player in turn pushes out of the cup; raises IllegalAnswer if they cannot be."""
    prompt = now.match.prompt if now.match else None
    if not (isinstance(prompt, Roll) and prompt.purpose == PUSH):
        raise IllegalAnswer("No dice are to be pushed out of a cup now.")
    if len(chosen) != prompt.count or Counter(chosen) - Counter(faces_under_cup(now, hand)):
        raise IllegalAnswer(f"Choose {prompt.count} of the dice that lie under your cup.")
    return tuple(chosen)


def _looked_at(now: Snapshot, hand: CupHand) -> CupSeen | None:
    match = now.match
    if match is None or match.prompt is None or now.hidden_since is None or isinstance(match.prompt, Hidden):
        return None
    cup = hand.under_cup(cup_of(now, match.prompt))
    if cup is None or cup.by != match.prompt.player or game(match.game).cup_stays_secret:
        return None
    return cup if cup.faces else None
