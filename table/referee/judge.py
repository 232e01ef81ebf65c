"""The referee's verdict on one settled tray: a throw, nothing, a question, or a named foul.

All functions are pure.

A throw counts only while a throw is awaited. Dice thrown while a choice is awaited make the choices that they
imply, if exactly one legal answer fits each (shared rule G9); otherwise the throw is void (G5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.interpretations import (
    Dice,
    Interpretation,
    TrayContext,
    interpretations,
    mixed_interpretations,
)
from table.referee.tray import LyingDie, Tray, ids, stacked_dice
from table.referee.tray_update import face_counts
from table.referee.verdicts import AskFaces, Doubt, NoThrow, Rethrow, UnderArm, Valid, Verdict, Void
from table.rules import words
from table.rules.answers import Answer, Die, Throw
from table.rules.entered_prompts import Hidden
from table.rules.match import Match
from table.rules.prompts import Act, Choose, Keep, Prompt, Roll
from vision.tracking.tracks import TrackOutcome

WHY_RETHROWN = {
    TrayState.COCKED: "leaning, so that no face looks up",
    TrayState.STACKED: "lying on one another",
    TrayState.OFF_THE_TRAY: "off the tray",
}
LEANING_OR_STACKED = "leaning or lying on one another"
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
        mixed = [(each, _verdict_on_dice(each.thrown)) for each in mixed_interpretations(tray, context)]
        return _told_apart(chosen, verdict, mixed, context)
    if match.game.throws_sticks:  # what looks like a die is a penny, or the drawing on a stick
        return together[0], NoThrow()
    chosen, verdict = _judge_together(match, together)
    if (isinstance(verdict, Void) and chosen.thrown) or isinstance(verdict, Doubt):
        mixed = _standing(_verdicts(match, mixed_interpretations(tray, context)))
        return _told_apart(chosen, verdict, mixed, context)
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
    return standing[0][0], _doubt_about([interpretation for interpretation, _ in standing], unthrown)


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
        distinct.setdefault(frozenset(_track_ids(interpretation.thrown)), (interpretation, verdict))
    return list(distinct.values())


def throw_of(dice: Iterable[LyingDie]) -> Throw:
    """The answer that these dice make; a die that was not read surely has no colour."""
    return Throw(tuple(Die(d.face, d.seen.colour if d.seen.sure else None) for d in dice))


def _judge_without_game(interpretations: Sequence[Interpretation]) -> tuple[Interpretation, Verdict]:
    """Without a game every throw counts, and no act of hands is a foul.

    A person is asked about dice that came unseen.
    """
    likeliest, others = interpretations[0], interpretations[1:]
    if others and not likeliest.thrown:
        return likeliest, _doubt_about(others, [likeliest])
    surely = _track_ids(likeliest.thrown)
    with_unseen = [
        other
        for other in others
        if all(d.came is TrackOutcome.UNCLEAR for d in other.thrown if d.track not in surely)
    ]
    if with_unseen:
        return likeliest, _doubt_about([likeliest, *with_unseen], [])
    return likeliest, _verdict_on_dice(likeliest.thrown) if likeliest.thrown else NoThrow()


def _verdict(match: Match, interpretation: Interpretation) -> Verdict:
    if interpretation.thrown:
        return _verdict_on_throw(match, interpretation)
    return _verdict_on_hands(match, interpretation) if interpretation.handled else NoThrow()


def _verdict_on_throw(match: Match, interpretation: Interpretation) -> Verdict:
    act = _player_act(interpretation)
    choices, prompt = _implied_choices(match, act)
    if isinstance(prompt, Roll):
        return _judge_throw(prompt, interpretation, choices)
    for whole in _acts_with_lost_dice(interpretation, act):
        choices, awaited = _implied_choices(match, whole)
        if isinstance(awaited, Roll):
            return _judge_throw(awaited, interpretation, choices)
    if interpretation.arm_rests and (missing := _missing_for_choice(match, act)):
        return _under_arm(missing)
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


def _verdict_on_hands(match: Match, interpretation: Interpretation) -> Verdict:
    """Laid dice are a foul if they could have been the throw; turned dice of the game are always a foul."""
    as_thrown = _as_if_thrown(interpretation)
    if any(d.sure for d in as_thrown.thrown) and isinstance(
        _verdict_on_throw(match, as_thrown), Valid | AskFaces | Rethrow
    ):
        return foul_of_hands(fouls.LAID, as_thrown.thrown)
    turned = turned_dice(match, interpretation)
    return foul_of_hands(fouls.TURNED, turned) if turned else NoThrow()


def _as_if_thrown(interpretation: Interpretation) -> Interpretation:
    """The interpretation in which the laid dice were thrown instead."""
    laid = _laid_dice(interpretation)
    before = {d.was.id for d in laid if d.was}
    left, last = (
        tuple(d for d in dice if d.id not in before) for dice in (interpretation.left, interpretation.last)
    )
    return replace(interpretation, thrown=laid, handled=(), left=left, last=last)


def _laid_dice(interpretation: Interpretation) -> Dice:
    return tuple(d for d in interpretation.handled if d.came is TrackOutcome.PLACED)


# -- whether dice are the throw that is awaited --------------------------------------------------------------


def _judge_throw(prompt: Roll, interpretation: Interpretation, choices: tuple[Answer, ...]) -> Verdict:
    if interpretation.rethrown and not prompt.placed:
        return _dice_that_stood(interpretation.rethrown)
    if len(interpretation.thrown) != prompt.count:
        return _wrong_count(prompt, interpretation, choices)
    if not _set_aside_dice_lie(prompt, interpretation):
        foul = fouls.SET_ASIDE_MISSING
        return _void(foul, faces=words.listed(prompt.beside), prompt=prompt.text)
    if why := prompt.why_not(throw_of(interpretation.thrown)):
        reason = why.removesuffix(prompt.text).rstrip()  # that text says what to do, so it comes last
        return _void(fouls.COLOURS, why=reason, prompt=prompt.text)
    verdict = _verdict_on_dice(interpretation.thrown, choices, prompt.placed)
    if interpretation.held and isinstance(verdict, Valid | AskFaces):
        return _lay_back(interpretation)
    return verdict


def _lay_back(interpretation: Interpretation) -> Rethrow:
    """The throw is complete with dice that stood and are in a hand. It stands, and counts when they lie."""
    held = interpretation.held
    faces, as_they_lay = words.listed(d.face for d in held), "as it lay" if len(held) == 1 else "as they lay"
    message = f"Lay the {faces} back {as_they_lay}: then the throw counts."
    return Rethrow(TrayState.WRONG_DICE, message, ids(interpretation.thrown), held=ids(held))


def _dice_that_stood(dice: Dice) -> Void:
    """Dice that stood were thrown again with those that leaned, or lay beside the tray."""
    n = len(dice)
    return _void(
        fouls.STANDING,
        faces=words.listed(d.face for d in dice),
        it=words.it_or_them(n),
        they=words.it_or_they(n),
    )


def _void(
    foul: fouls.Foul, missing: int = 0, state: TrayState = TrayState.WRONG_DICE, **text_fields: str
) -> Void:
    return Void(state, foul.text(**text_fields), foul, foul.rule, missing)


def _verdict_on_dice(thrown: Dice, choices: tuple[Answer, ...] = (), placed: bool = False) -> Verdict:
    """The throw counts, unless some of its dice lean, are stacked, or were not read surely."""
    stacked = stacked_dice(thrown)
    cocked = {d.id for d in thrown if d.leans} - stacked
    if cocked or stacked:
        state = TrayState.COCKED if cocked else TrayState.STACKED
        trouble = LEANING_OR_STACKED if cocked and stacked else WHY_RETHROWN[state]
        verdict = _rethrow(state, thrown, cocked | stacked, placed=placed, trouble=trouble)
        return replace(verdict, asked=tuple(d.id for d in thrown if d.id in cocked))
    unsure = [d for d in thrown if not d.sure]
    return AskFaces(_face_question(unsure), ids(unsure), whole=True) if unsure else Valid(choices)


def _rethrow(
    state: TrayState,
    thrown: Dice,
    bad: Collection[int],
    lost: int = 0,
    placed: bool = False,
    trouble: str = "",
) -> Rethrow:
    """The verdict that asks for the bad dice again.

    lost: number of dice that lie nowhere. placed: the dice were placed, not thrown. trouble: what is wrong
    with them, if the state does not say all of it.
    """
    good, missing = tuple(d.id for d in thrown if d.id not in bad), len(bad) + lost
    dice, it = words.dice(missing).capitalize(), words.it_or_them(missing)
    request = f"lay {it} flat with the face that lay up before" if placed else f"throw {it} again alone"
    message = f"{dice} {trouble or WHY_RETHROWN[state]}: {request}{_leave_others_text(good)}."
    return Rethrow(state, message, good, tuple(d.id for d in thrown if d.id in bad), missing)


def _leave_others_text(good: Collection[int]) -> str:
    others = "the other" if len(good) == 1 else "the others"
    return f", and leave {others} {words.as_they_lie(len(good))}" if good else ""


def _set_aside_dice_lie(prompt: Roll, interpretation: Interpretation) -> bool:
    """Whether no set-aside die was thrown in place of a die of the last throw, which then still lies there.

    Any other die, or a thing that looks like one, may lie there too.
    """
    aside = Counter(prompt.beside)
    return not (face_counts(interpretation.last) - aside) or not (aside - face_counts(interpretation.left))


def _wrong_count(prompt: Roll, interpretation: Interpretation, choices: tuple[Answer, ...]) -> Verdict:
    thrown_count, wanted = len(interpretation.thrown), prompt.count
    unsure = [d for d in interpretation.thrown if not d.sure]
    if len(unsure) == thrown_count < wanted and choices:
        return NoThrow()  # a shadow is more likely than dice
    if thrown_count > wanted >= thrown_count - len(unsure) or len(unsure) == thrown_count < wanted:
        request = "tap what is marked, and say what it shows or that it is no die"
        return AskFaces(
            f"{words.dice(thrown_count).capitalize()} seen, {words.number(wanted)} expected: {request}.",
            ids(unsure),
        )
    return _too_few(prompt, interpretation) if thrown_count < wanted else _too_many(prompt, interpretation)


def _too_few(prompt: Roll, interpretation: Interpretation) -> Verdict:
    missing = prompt.count - len(interpretation.thrown)
    if prompt.placed:
        return _ask_for_hidden_dice(prompt, interpretation.thrown)
    if missing == len(_laid_dice(interpretation)):
        return _some_dice_laid(interpretation)
    if interpretation.fell_off or 0 < missing <= interpretation.rolled_off + interpretation.beside:
        return _off_the_tray(interpretation, missing)
    if interpretation.arm_rests:
        return _under_arm(missing)
    if interpretation.standing:
        return _dice_still_to_throw(interpretation, missing)
    return _wrong_dice(prompt, interpretation, missing)


def _ask_for_hidden_dice(prompt: Roll, shown: Dice) -> Rethrow:
    are, them = ("is", "it") if len(shown) == 1 else ("are", "them")
    seen = f"{words.dice(len(shown)).capitalize()} {are} shown, {words.number(prompt.count)} expected"
    missing = prompt.count - len(shown)
    others = "other" if missing == 1 else "others"
    message = f"{seen}: slide the {others} onto the tray beside {them}."
    return Rethrow(TrayState.WAITING, message, ids(shown), missing=missing)


def _some_dice_laid(interpretation: Interpretation) -> Rethrow:
    """Some dice were thrown and the others laid down: the laid dice are thrown alone."""
    laid = _laid_dice(interpretation)
    bad = {d.id for d in interpretation.thrown if d.leans} | stacked_dice(interpretation.thrown)
    good = tuple(d.id for d in interpretation.thrown if d.id not in bad)
    foul_text = foul_of_hands(fouls.LAID, laid).message
    message = f"{foul_text.removesuffix('.')} alone{_leave_others_text(good)}."
    return Rethrow(
        TrayState.WRONG_DICE, message, good, (*bad, *ids(laid)), len(bad) + len(laid), foul=fouls.LAID
    )


def _off_the_tray(interpretation: Interpretation, missing: int) -> Rethrow:
    lies = "lies" if missing == 1 else "lie"
    rolled = "rolled off the tray" if interpretation.rolled_off >= missing else ""
    trouble = rolled or (f"{lies} beside the tray" if interpretation.beside >= missing else "")
    return _rethrow(TrayState.OFF_THE_TRAY, interpretation.thrown, frozenset(), missing, trouble=trouble)


def _under_arm(missing: int) -> UnderArm:
    may_be = "a die may be" if missing == 1 else f"{words.dice(missing)} may be"
    return UnderArm(f"Take your arm off the tray: {may_be} under it.")


def _dice_still_to_throw(interpretation: Interpretation, missing: int) -> Rethrow:
    """Only some of the dice that were to be thrown again were thrown."""
    bad = {d.id for d in interpretation.thrown if d.leans} | stacked_dice(interpretation.thrown)
    state = TrayState.COCKED if bad else TrayState.WAITING
    is_still = "is still missing" if missing == 1 else "are still missing"
    trouble = is_still if not bad else "still missing or not flat"
    return _rethrow(state, interpretation.thrown, bad, missing, trouble=trouble)


def _too_many(prompt: Roll, interpretation: Interpretation) -> Void:
    surplus = len(interpretation.thrown) - prompt.count
    gone = face_counts(interpretation.gone) & Counter(prompt.beside)
    if surplus == gone.total() or (surplus < gone.total() and len(gone) == 1):
        return _set_aside_dice_thrown(sorted(gone.elements(), reverse=True)[:surplus], prompt)
    return _wrong_dice(prompt, interpretation)


def _set_aside_dice_thrown(faces: Sequence[int], prompt: Roll) -> Void:
    n = len(faces)
    return _void(
        fouls.SET_ASIDE,
        dice="a die" if n == 1 else "dice",
        were=words.was_or_were(n),
        faces=words.listed(faces),
        it=words.it_or_them(n),
        they=words.it_or_they(n),
        prompt=prompt.text,
    )


def _wrong_dice(prompt: Roll, interpretation: Interpretation, missing: int = 0) -> Void:
    thrown_dice = words.dice(len(interpretation.thrown))
    return _void(
        fouls.WRONG_COUNT, missing, came=thrown_dice, wanted=words.number(prompt.count), prompt=prompt.text
    )


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
        return _void(fouls.NO_SUCH_COUNT, missing, why=why, prompt=asked.text)
    if isinstance(unanswered, Choose) and len(unanswered.answers_shown_by(act)) > 1:
        message = f"That throw fits more than one choice, so it is void: tap the choice first. {asked.text}"
        return Void(TrayState.OUT_OF_TURN, message, rule="G9")
    return _void(_throw_not_awaited(match, asked), state=TrayState.OUT_OF_TURN, prompt=asked.text)


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


# -- dice in question of which only some were thrown ---------------------------------------------------------


def _told_apart(
    chosen: Interpretation,
    verdict: Verdict,
    mixed: Sequence[tuple[Interpretation, Verdict]],
    context: TrayContext,
) -> tuple[Interpretation, Verdict]:
    """The verdict, or what follows if only some of the dice in question were thrown.

    mixed: the interpretations of that kind in which the throw stands. Those that look alike are one.
    """
    if isinstance(verdict, Doubt):
        doubted = set(verdict.doubted)
        mixed = [each for each in mixed if 0 < len(doubted & set(ids(each[0].thrown))) < len(doubted)]
    if not mixed or not isinstance(verdict, Doubt | Void):
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
    doubt = _doubt_about(standing, [])
    one, *others = doubt.doubted
    (die,) = {d.id: d for i in standing for d in i.thrown if d.id == one}.values()
    settles = len(others) == 1 and all(
        len({one, *others} & {d.id for d in interpretation.thrown}) == 1 for interpretation in standing
    )
    question = _thrown_question([die], "marked " if others else "")
    return replace(doubt, message=question, doubted=(one,), others=tuple(others), settles=settles)


# -- what is asked -------------------------------------------------------------------------------------------


def _doubt_about(standing: Sequence[Interpretation], unthrown: Sequence[Interpretation]) -> Doubt:
    """A question about the dice that were thrown in some of these interpretations, but not in others."""
    all_interpretations = [*standing, *unthrown]
    by_track = {d.track: d for interpretation in all_interpretations for d in interpretation.thrown}
    doubted = [
        d
        for d in by_track.values()
        if not all(d.track in _track_ids(interpretation.thrown) for interpretation in all_interpretations)
    ]
    return Doubt(_thrown_question(doubted), ids(doubted), thrown=not unthrown)


def _thrown_question(doubted: Sequence[LyingDie], which: str = "") -> str:
    were = words.was_or_were(len(doubted)).capitalize()
    only = "knocked" if any(d.came is TrackOutcome.THROWN for d in doubted) else "moved"
    shown = words.listed(d.face for d in doubted)
    return f"{were} the {which}{shown} thrown, or only {only}?"


def _track_ids(dice: Iterable[LyingDie]) -> set[int]:
    return {d.track for d in dice}


def _face_question(dice: Sequence[LyingDie]) -> str:
    if len(dice) > 1:
        return (
            f"{words.dice(len(dice)).capitalize()} could not be read surely. Tap each and say what it shows."
        )
    likely = [face for face, _ in dice[0].seen.likely[:2]] or [dice[0].face]
    return f"One die could not be read surely: {words.listed(likely, 'or')}? Tap it and say what it shows."
