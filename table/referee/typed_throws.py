"""Whether a throw may be typed: only where the camera does not tell what was thrown.

It does not if it sees nothing, if the game is played with coins, which it reads only where people showed them
to it, or if the throw that lies there is in question: people are asked about it, or it has not the dice that
are expected. A die that leans is thrown again, and a foul of hands is put right. Dice that the camera never
sees are typed while it is covered.
"""

from __future__ import annotations

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from table.referee import fouls
from table.referee.state import Activity, PipelineState, State
from table.referee.verdicts import AskFaces, Doubt, Void
from table.rules.entered_prompts import COINS, StickThrow
from table.rules.prompts import Roll

FOULS_OF_HANDS = (fouls.TURNED, fouls.LAID, fouls.SET_ASIDE, fouls.SET_ASIDE_MISSING)
"""Fouls that dice show as they lie. Typed faces would not put them right.

Dice that stood and were thrown again are not among them: the message tells their faces, and they can be typed
where nobody can put them back, such as on a simulated tray. Each further throw of all dice is the same foul.
"""


def may_type(state: State) -> bool:
    """Whether a throw is awaited that may be typed."""
    prompt = state.prompt
    if not isinstance(prompt, Roll | StickThrow):
        return False
    coins = isinstance(prompt, StickThrow) and prompt.sticks == COINS
    fallen = state.tray_context.fell  # they were not thrown, and may have fallen off the tray
    return coins or fallen or _sees_nothing(state.pipeline) or _in_question(state)


def check_may_type(state: State) -> None:
    """Raises IllegalAnswer if a throw is awaited that the camera has to see."""
    if isinstance(state.prompt, Roll | StickThrow) and not may_type(state):
        what = "sticks" if isinstance(state.prompt, StickThrow) else "dice"
        raise IllegalAnswer(
            f"The camera sees the tray: throw the {what} there, or cover the camera to type a throw."
        )


def _sees_nothing(pipeline: PipelineState) -> bool:
    blind = pipeline.state is not None and pipeline.state.blind
    return blind or pipeline.activity is Activity.BLIND


def _in_question(state: State) -> bool:
    match state.ruling:
        case AskFaces() | Doubt():
            return True
        case Void(state=TrayState.WRONG_DICE | TrayState.UNSURE, foul=foul):
            return foul not in FOULS_OF_HANDS
        case _:
            return False
