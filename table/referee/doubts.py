"""Questions to people about dice: which of them were thrown, and what they show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from table.referee.interpretations import Interpretation, TrayContext
from table.referee.tray import LyingDie, ids
from table.referee.verdicts import Doubt, Verdict, Void
from table.rules import words
from vision.tracking.tracks import TrackOutcome


def doubt_about(standing: Sequence[Interpretation], unthrown: Sequence[Interpretation]) -> Doubt:
    """A question about the dice that were thrown in some of these interpretations, but not in others."""
    all_interpretations = [*standing, *unthrown]
    by_track = {d.track: d for interpretation in all_interpretations for d in interpretation.thrown}
    doubted = [
        d
        for d in by_track.values()
        if not all(d.track in track_ids(interpretation.thrown) for interpretation in all_interpretations)
    ]
    return Doubt(_thrown_question(doubted), ids(doubted), thrown=not unthrown)


def _thrown_question(doubted: Sequence[LyingDie], which: str = "") -> str:
    were = words.was_or_were(len(doubted)).capitalize()
    only = "knocked" if any(d.came is TrackOutcome.THROWN for d in doubted) else "moved"
    shown = words.listed(d.face for d in doubted)
    return f"{were} the {which}{shown} thrown, or only {only}?"


def track_ids(dice: Iterable[LyingDie]) -> set[int]:
    return {d.track for d in dice}


def face_question(dice: Sequence[LyingDie]) -> str:
    if len(dice) > 1:
        return (
            f"{words.dice(len(dice)).capitalize()} could not be read surely. Tap each and say what it shows."
        )
    likely = [face for face, _ in dice[0].seen.likely[:2]] or [dice[0].face]
    return f"One die could not be read surely: {words.listed(likely, 'or')}? Tap it and say what it shows."


# -- dice in question of which only some were thrown ---------------------------------------------------------


def told_apart_verdict(
    chosen: Interpretation,
    verdict: Doubt | Void,
    mixed: Sequence[tuple[Interpretation, Verdict]],
    context: TrayContext,
) -> tuple[Interpretation, Verdict]:
    """The verdict, or what follows if only some of the dice in question were thrown.

    mixed: the interpretations of that kind in which the throw stands. Those that look alike are one.
    """
    if isinstance(verdict, Doubt):
        doubted = set(verdict.doubted)
        mixed = [each for each in mixed if 0 < len(doubted & set(ids(each[0].thrown))) < len(doubted)]
    if not mixed:
        return chosen, verdict
    if isinstance(verdict, Doubt) and not context.told_apart:
        return chosen, replace(verdict, some=True)
    if len({_looks(interpretation) for interpretation, _ in mixed}) == 1:
        return mixed[0]
    return mixed[0][0], _doubt_about_one([interpretation for interpretation, _ in mixed])


def _looks(interpretation: Interpretation) -> tuple[tuple[int, str, int], ...]:
    """What is thrown, as far as it makes a difference: faces and colours, and the faces before."""
    return tuple(
        sorted((d.face, d.seen.colour, d.was.face if d.was else d.face) for d in interpretation.thrown)
    )


def _doubt_about_one(standing: Sequence[Interpretation]) -> Doubt:
    """A question about one of the dice in question. Of two, of which one was thrown, it tells both."""
    doubt = doubt_about(standing, [])
    one, *others = doubt.doubted
    (die,) = {d.id: d for i in standing for d in i.thrown if d.id == one}.values()
    settles = len(others) == 1 and all(
        len({one, *others} & {d.id for d in interpretation.thrown}) == 1 for interpretation in standing
    )
    question = _thrown_question([die], "marked " if others else "")
    return replace(doubt, message=question, doubted=(one,), others=tuple(others), settles=settles)
