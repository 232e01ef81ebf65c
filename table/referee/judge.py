"""The referee's verdict on one settled tray: a throw, nothing, a question, or a named foul.

All functions are pure.

A throw counts only while a throw is awaited. Dice thrown while a choice is awaited make the choices that they
imply, if exactly one legal answer fits each (shared rule G9); otherwise the throw is void (G5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.awaited_throw import judge_throw, throw_of, under_arm, verdict_on_dice, void
from table.referee.doubts import doubt_about, told_apart_verdict, track_ids
from table.referee.hands import as_if_thrown, foul_of_hands, turned_dice
from table.referee.interpretations import (
    Interpretation,
    TrayContext,
    interpretations,
    mixed_interpretations,
)
from table.referee.tray import Tray
from table.referee.verdicts import AskFaces, Doubt, NoThrow, Rethrow, Valid, Verdict, Void
from table.rules import words
from table.rules.answers import Answer
from table.rules.entered_prompts import Hidden
from table.rules.match import Match
from table.rules.prompts import Act, Choose, Keep, Prompt, Roll
from vision.tracking.tracks import TrackOutcome

MAX_LOST = 6
"""Largest number of dice of one throw that people may say fell off the tray."""


def judge(match: Match | None, tray: Tray, context: TrayContext) -> tuple[Interpretation, Verdict]:
    """The interpretation taken as what happened, and its verdict for the match, which is not changed.

    The interpretation in which the throw stands is chosen. If the throw stands in several of them, or if
    another one has no throw, a person is asked. If it stands in none, the interpretation with the fewest
    thrown dice is chosen: a false foul is worse than a missed one.

    Dice in question are taken for thrown or moved together, as long as the throw can stand so.
    """
    together = interpretations(tray, context)
    if match is None or match.prompt is None:
        chosen, verdict = _judge_without_game(together)
        if not isinstance(verdict, Doubt):
            return chosen, verdict
        others = mixed_interpretations(tray, context, together)
        mixed = [(each, verdict_on_dice(each.thrown)) for each in others]
        return told_apart_verdict(chosen, verdict, mixed, context)
    if match.game.throws_sticks:  # what looks like a die is a penny, or the drawing on a stick
        return together[0], NoThrow()
    chosen, verdict = _judge_together(match, together)
    if (isinstance(verdict, Void) and chosen.thrown) or isinstance(verdict, Doubt):
        mixed = _standing(_verdicts(match, mixed_interpretations(tray, context, together)))
        return told_apart_verdict(chosen, verdict, mixed, context)
    return chosen, verdict


def _judge_together(
    match: Match, interpretations: Sequence[Interpretation]
) -> tuple[Interpretation, Verdict]:
    verdicts = _verdicts(match, interpretations)
    standing = _distinct_throws(_standing(verdicts))
    if not standing:
        return verdicts[0]
    unthrown = [
        interpretation
        for interpretation, verdict in verdicts
        if not interpretation.thrown and (isinstance(verdict, NoThrow) or interpretation.still_a_foul)
    ]
    if len(standing) == 1 and not unthrown:
        return standing[0]
    return standing[0][0], doubt_about([interpretation for interpretation, _ in standing], unthrown)


def _verdicts(
    match: Match, interpretations: Iterable[Interpretation]
) -> list[tuple[Interpretation, Verdict]]:
    return [(interpretation, _verdict(match, interpretation)) for interpretation in interpretations]


def _standing(verdicts: Iterable[tuple[Interpretation, Verdict]]) -> list[tuple[Interpretation, Verdict]]:
    """Those in which the throw stands."""
    return [each for each in verdicts if isinstance(each[1], Valid | Rethrow | AskFaces)]


def _distinct_throws(
    verdicts: Iterable[tuple[Interpretation, Verdict]],
) -> list[tuple[Interpretation, Verdict]]:
    """The first of those interpretations in which the same dice were thrown: a throw that waits for an answer
    stands, although its dice moved since."""
    distinct: dict[frozenset[int], tuple[Interpretation, Verdict]] = {}
    for interpretation, verdict in verdicts:
        distinct.setdefault(frozenset(track_ids(interpretation.thrown)), (interpretation, verdict))
    return list(distinct.values())


def _judge_without_game(interpretations: Sequence[Interpretation]) -> tuple[Interpretation, Verdict]:
    """Without a game every throw counts, and no act of hands is a foul.

    A person is asked about dice that came unseen.
    """
    likeliest, others = interpretations[0], interpretations[1:]
    if others and not likeliest.thrown:
        return likeliest, doubt_about(others, [likeliest])
    surely = track_ids(likeliest.thrown)
    with_unseen = [
        other
        for other in others
        if all(d.came is TrackOutcome.UNCLEAR for d in other.thrown if d.track not in surely)
    ]
    if with_unseen:
        return likeliest, doubt_about([likeliest, *with_unseen], [])
    return likeliest, verdict_on_dice(likeliest.thrown) if likeliest.thrown else NoThrow()


def _verdict(match: Match, interpretation: Interpretation) -> Verdict:
    if interpretation.thrown:
        return _verdict_on_throw(match, interpretation)
    return _verdict_on_hands(match, interpretation) if interpretation.handled else NoThrow()


def _verdict_on_throw(match: Match, interpretation: Interpretation) -> Verdict:
    act = _player_act(interpretation)
    choices, prompt = _implied_choices(match, act)
    if isinstance(prompt, Roll):
        return judge_throw(prompt, interpretation, choices)
    for whole in _acts_with_lost_dice(interpretation, act):
        choices, awaited = _implied_choices(match, whole)
        if isinstance(awaited, Roll):
            return judge_throw(awaited, interpretation, choices)
    if interpretation.arm_rests and (missing := _missing_for_choice(match, act)):
        return under_arm(missing)
    if not any(d.sure for d in interpretation.thrown):
        return NoThrow()  # a shadow is more likely than dice
    return _no_choice_fits(match, prompt, act)


def _acts_with_lost_dice(interpretation: Interpretation, act: Act) -> Iterator[Act]:
    """The act with the dice that were thrown too and left the tray: the seen ones, or as people say."""
    lost = interpretation.rolled_off + interpretation.beside
    if lost or interpretation.fell_off:
        most = MAX_LOST if interpretation.fell_off else lost
        yield from (replace(act, thrown=act.thrown + n) for n in range(1, most + 1))


def _missing_for_choice(match: Match, act: Act) -> int:
    """The number of further dice with which the act would make the awaited choice; 0 if there is none."""
    for missing in range(1, MAX_LOST + 1):
        _, awaited = _implied_choices(match, replace(act, thrown=act.thrown + missing))
        if isinstance(awaited, Roll) and awaited.count == act.thrown + missing:
            return missing
    return 0


def _implied_choices(match: Match, act: Act) -> tuple[tuple[Answer, ...], Prompt | None]:
    """The choices that the act made, and the next prompt; a Roll only if each choice was the only fit."""
    fork, choices = match, list[Answer]()
    while fork.prompt is not None and not isinstance(fork.prompt, Roll):
        answers = fork.prompt.answers_shown_by(act)
        if len(answers) != 1:
            return (), fork.prompt
        if not choices:
            fork = match.fork()
        fork = fork.after(fork.answered(answers[0]))
        choices.append(answers[0])
    return tuple(choices), fork.prompt


# -- what hands did with dice that were not thrown -----------------------------------------------------------


def _verdict_on_hands(match: Match, interpretation: Interpretation) -> Verdict:
    """Laid dice are a foul if they could have been the throw; turned dice of the game are always a foul."""
    as_thrown = as_if_thrown(interpretation)
    if any(d.sure for d in as_thrown.thrown) and isinstance(
        _verdict_on_throw(match, as_thrown), Valid | AskFaces | Rethrow
    ):
        return foul_of_hands(fouls.LAID, as_thrown.thrown)
    turned = turned_dice(match, interpretation)
    return foul_of_hands(fouls.TURNED, turned) if turned else NoThrow()


# -- throws that no throw was awaited for --------------------------------------------------------------------


def _player_act(interpretation: Interpretation) -> Act:
    last = {d.id for d in interpretation.last}
    return Act(
        left=tuple(d.face for d in interpretation.last),
        thrown=len(interpretation.thrown),
        colours=tuple(d.colour for d in throw_of(interpretation.thrown).dice),
        beside=tuple(d.face for d in interpretation.left if d.id not in last),
    )


def _no_choice_fits(match: Match, unanswered: Prompt | None, act: Act) -> Void:
    """The verdict on a throw that makes no choice: what is wrong with it.

    unanswered: the prompt it did not answer.
    """
    asked = match.prompt
    assert asked is not None
    if isinstance(unanswered, Keep) and (why := unanswered.why_not_left(act.left)):
        message = f"Wrong dice: {words.lower_first(why)} The throw is void. {asked.text}"
        return Void(TrayState.WRONG_DICE, message, rule="G9")
    if isinstance(unanswered, Choose) and (why := _wrong_choice_count(unanswered, act)):
        more = (o.throws - act.thrown for o in unanswered.options if o.throws is not None)
        missing = min((n for n in more if n > 0), default=0)
        return void(fouls.NO_SUCH_COUNT, missing, why=why, prompt=asked.text)
    if isinstance(unanswered, Choose) and len(unanswered.answers_shown_by(act)) > 1:
        message = f"That throw fits more than one choice, so it is void: tap the choice first. {asked.text}"
        return Void(TrayState.OUT_OF_TURN, message, rule="G9")
    return void(_throw_not_awaited(match, asked), state=TrayState.OUT_OF_TURN, prompt=asked.text)


def _throw_not_awaited(match: Match, asked: Prompt) -> fouls.Foul:
    """The foul of a throw while none is awaited on the tray."""
    if isinstance(asked, Hidden):
        return fouls.IN_THE_OPEN
    return fouls.TOO_MANY if match.thrower == asked.player else fouls.OUT_OF_TURN


def _wrong_choice_count(prompt: Choose, act: Act) -> str | None:
    """What is wrong with the number thrown; None if no throw answers the prompt, or the number is right."""
    counts = sorted({o.throws for o in prompt.options if o.throws is not None})
    if not counts or act.thrown in counts:
        return None
    allowed = [words.number(n) for n in counts] + ["none"] * any(o.throws is None for o in prompt.options)
    return f"{words.dice(act.thrown)} thrown; {words.listed(allowed, 'or')} would be right."
