"""What the table tells of the tray while dice lie under cups.

A camera sees more than the players around it: a die that shows when its owner looks under the cup, or dice
that were thrown in the open by mistake. So the view has no die, no stick and no sentence with a face from the
first throw under a cup until the cups are lifted. The page withholds the pictures by `hidden_since`. The dice
that decided a round stay in view until a hand comes for them.

Two cases need dice all the same. Dice that were shown to the camera, but not read surely, have to be named by
a person. If tracking cannot tell a lifted cup from a moved one, people are asked about it without the faces.
"""

from __future__ import annotations

from dataclasses import replace

from table.referee import fouls
from table.referee.snapshot import TrayDie, TrayView, faceless
from table.referee.state import State
from table.referee.verdicts import AskFaces, Doubt, Rethrow, UnderArm, Unlogged, Void
from table.rules.prompts import Roll

SHOWN_OR_MOVED = "Were dice shown on the tray, or only moved?"

NOT_SHOWN = "Dice on the tray do not count while dice lie under cups. Cover them."

FACELESS = (
    fouls.WRONG_COUNT,
    fouls.NO_SUCH_COUNT,
    fouls.COLOURS,
    fouls.OUT_OF_TURN,
    fouls.IN_THE_OPEN,
    fouls.TOO_MANY,
)
"""The fouls whose sentences name no face."""


def hidden_since(state: State) -> int | None:
    """The number of the prompt since which dice are secret; None if none are.

    The dice are secret no more once a cup was lifted over the tray, which can be the answer to a choice. The
    dice that decided a round stay in view until something moves, although the next round has begun.
    """
    since = state.match.hidden_since if state.match else None
    return None if since is not None and (state.revealed or _lifted(state)) else since


def _lifted(state: State) -> bool:
    """Whether a lifted cup made the awaited choice, and its dice wait for a person."""
    return isinstance(state.attempt.ruling, AskFaces | Rethrow) and not isinstance(state.prompt, Roll)


def without_secrets(view: TrayView, state: State) -> TrayView:
    """The view of a tray beside which dice lie under cups. `view` is the whole view of the same state."""
    said = _sentence(view, state)
    return replace(
        view,
        message=said,
        rule=view.rule if said and said == view.message else "",
        dice=_dice_in_question(view, state),
        sticks=(),
        throw_at=None,
        alike=None,
        again=view.again if said and said == view.message else "",
        hidden=True,
    )


def _sentence(view: TrayView, state: State) -> str:
    if view.blind:
        return view.message if view.message == state.pipeline.message else ""
    match state.attempt.ruling:
        case Doubt():
            return SHOWN_OR_MOVED
        case AskFaces() | Rethrow(foul=None) | UnderArm() | Unlogged():
            return view.message
        case Void(foul=foul) if foul in FACELESS or foul is None:
            return view.message
        case Void() | Rethrow():
            return NOT_SHOWN
        case _:
            return ""


def _dice_in_question(view: TrayView, state: State) -> tuple[TrayDie, ...]:
    match state.attempt.ruling:
        case AskFaces() | Rethrow():
            return tuple(d for d in view.dice if d.part not in ("still", "coming"))
        case Doubt():
            return tuple(faceless(d) for d in view.dice if d.part == "doubted")
        case _:
            return ()
