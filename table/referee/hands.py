"""What hands did with dice that were not thrown, and which dice still matter to the game."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.interpretations import Dice, Interpretation
from table.referee.tray import LyingDie, ids
from table.referee.verdicts import Void
from table.rules import words
from table.rules.match import Match
from table.rules.prompts import Choose, Keep, Prompt, Roll
from vision.tracking.tracks import TrackOutcome


def matters_to_game(match: Match | None, last: Collection[int], die: LyingDie) -> bool:
    """Whether a lying die still matters to the game.

    It does if it was set aside, or if its thrower now decides to keep it or to throw it again. Where the
    rules stack dice or put them away, the referee ignores what hands do.
    """
    prompt = match.prompt if match else None
    if match is None or prompt is None or die.open:
        return False
    if die.face in set_aside_faces(prompt):
        return True
    return throw_can_choose(prompt) and die.id in last and match.thrower == prompt.player


def throw_can_choose(prompt: Prompt | None) -> bool:
    """Whether a throw of dice would make the awaited choice."""
    return isinstance(prompt, Keep) or (
        isinstance(prompt, Choose) and any(o.throws is not None for o in prompt.options)
    )


def set_aside_faces(prompt: Prompt | None) -> tuple[int, ...]:
    """Faces of the dice that were set aside and may lie on the tray."""
    match prompt:
        case Roll():
            return prompt.beside
        case Keep():
            return (*prompt.earlier, *prompt.beside)
        case _:
            return ()


def turned_dice(match: Match | None, interpretation: Interpretation) -> Dice:
    """Dice of the game that a hand turned, or laid back with another face up."""
    last = ids(interpretation.last)
    return tuple(
        d for d in interpretation.handled if d.was is not None and matters_to_game(match, last, d.was)
    )


def foul_of_hands(foul: fouls.Foul, dice: Dice) -> Void:
    """The verdict for this foul of hands, with these dice."""
    shown = words.listed(d.was.face if d.was and foul is fouls.TURNED else d.face for d in dice)
    text = foul.text(
        dice=f"the {shown} {words.was_or_were(len(dice))}",
        it=words.it_or_them(len(dice)),
        still="It still counts" if len(dice) == 1 else "They still count",
    )
    return Void(TrayState.WRONG_DICE, text, foul, foul.rule, dice=ids(dice))


def as_if_thrown(interpretation: Interpretation) -> Interpretation:
    """The interpretation in which the laid dice were thrown instead."""
    laid = laid_dice(interpretation)
    before = {d.was.id for d in laid if d.was}
    left, last = (
        tuple(d for d in dice if d.id not in before) for dice in (interpretation.left, interpretation.last)
    )
    return replace(interpretation, thrown=laid, handled=(), left=left, last=last)


def laid_dice(interpretation: Interpretation) -> Dice:
    return tuple(d for d in interpretation.handled if d.came is TrackOutcome.PLACED)
