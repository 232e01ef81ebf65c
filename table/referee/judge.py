"""The referee's verdict on one settled tray: a throw, nothing, a question, or a named foul. All functions are
pure.

A throw counts only while a throw is awaited. Dice thrown while a choice is awaited make the choices that they
imply, if exactly one legal answer fits each (shared rule G9); otherwise the throw is void (G5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.followed import faces
from table.referee.sights import Dice, Sight
from table.referee.tray import LyingDie, ids, stacked_dice
from table.referee.verdicts import Again, Ask, Counts, Doubt, Nothing, Verdict, Void
from table.rules import words
from table.rules.answers import Answer, Die, Kept, Throw
from table.rules.match import Match
from table.rules.prompts import Act, Choose, Keep, Prompt, Roll
from vision.tracking.tracks import TrackOutcome

TROUBLE = {
    TrayState.COCKED: "leaning, so that no face looks up",
    TrayState.STACKED: "lying on one another",
    TrayState.OFF_THE_TRAY: "off the tray",
}
LEAN_OR_STACKED = "leaning or lying on one another"


def judge(match: Match | None, sights: Sequence[Sight]) -> tuple[Sight, Verdict]:
    """The sight taken as what happened, and its verdict for the match, which is not changed.

    The sight in which the throw stands is chosen. If the throw stands in several sights, or if another sight
    has no throw, a person is asked. If it stands in none, the sight with the fewest thrown dice is chosen: a
    false foul is worse than a missed one.
    """
    if match is None or match.prompt is None:
        return _free(sights)
    verdicts = [(sight, _judged(match, sight)) for sight in sights]
    standing = [(sight, verdict) for sight, verdict in verdicts if isinstance(verdict, Counts | Again | Ask)]
    if not standing:
        return verdicts[0]
    unthrown = [sight for sight, verdict in verdicts if isinstance(verdict, Nothing) and not sight.thrown]
    if len(standing) == 1 and not unthrown:
        return standing[0]
    return standing[0][0], _doubt([sight for sight, _ in standing], unthrown)


def throw_of(dice: Iterable[LyingDie]) -> Throw:
    """The answer that these dice make; a die that was not read surely has no colour."""
    return Throw(tuple(Die(d.face, d.seen.colour if d.seen.sure else None) for d in dice))


def _free(sights: Sequence[Sight]) -> tuple[Sight, Verdict]:
    """Without a game every throw counts, and no act of hands is a foul. A person is asked about dice that
    came unseen."""
    if len(sights) > 1 and not sights[0].thrown:
        return sights[0], _doubt(sights[1:], sights[:1])
    return sights[0], _as_they_lie(sights[0].thrown) if sights[0].thrown else Nothing()


def _judged(match: Match, sight: Sight) -> Verdict:
    if sight.thrown:
        return _of_throw(match, sight)
    return _of_hands(match, sight) if sight.handled else Nothing()


def _of_throw(match: Match, sight: Sight) -> Verdict:
    choices, prompt = _implied(match, sight)
    if isinstance(prompt, Roll):
        return _judge_throw(prompt, sight, choices)
    if not any(d.sure for d in sight.thrown):
        return Nothing()  # a shadow is more likely than dice
    return _fits_nothing(match, prompt, _act(sight))


def _implied(match: Match, sight: Sight) -> tuple[tuple[Answer, ...], Prompt | None]:
    """The choices that the act made, and the next prompt; a Roll only if each choice was the only fit."""
    act, fork, choices = _act(sight), match, list[Answer]()
    while fork.prompt is not None and not isinstance(fork.prompt, Roll):
        shown = fork.prompt.shown_by(act)
        if len(shown) != 1:
            return (), fork.prompt
        if not choices:
            fork = match.fork()
        fork = fork.after(fork.answered(shown[0]))
        choices.append(shown[0])
    return tuple(choices), fork.prompt


# -- what hands did with dice that were not thrown -----------------------------------------------------------------------------


def matters(match: Match | None, last: Collection[int], die: LyingDie) -> bool:
    """Whether a lying die still matters to the game: it was set aside, or its thrower now decides to keep it
    or to throw it again. Where the rules stack dice or put them away, the referee ignores what hands
    do."""
    prompt = match.prompt if match else None
    if match is None or prompt is None or die.open:
        return False
    if die.face in aside_of(prompt):
        return True
    return throws_choose(prompt) and die.id in last and match.thrower == prompt.player


def throws_choose(prompt: Prompt | None) -> bool:
    """Whether a throw of dice would make the awaited choice."""
    return isinstance(prompt, Keep) or (isinstance(prompt, Choose) and any(o.throws is not None for o in prompt.options))


def aside_of(prompt: Prompt | None) -> tuple[int, ...]:
    """Faces of the dice that were set aside and may lie on the tray."""
    match prompt:
        case Roll():
            return prompt.beside
        case Keep():
            return (*prompt.earlier, *prompt.beside)
        case _:
            return ()


def turned_dice(match: Match | None, sight: Sight) -> Dice:
    """Dice of the game that a hand turned, or laid back with another face up."""
    last = ids(sight.last)
    return tuple(d for d in sight.handled if d.was is not None and matters(match, last, d.was))


def foul_of_hands(foul: fouls.Foul, dice: Dice) -> Void:
    """The verdict for this foul of hands, with these dice."""
    shown = words.listed(d.was.face if d.was and foul is fouls.TURNED else d.face for d in dice)
    said = foul.said(dice=f"the {shown} {_was(dice)}", it=_it(dice))
    return Void(TrayState.WRONG_DICE, said, foul, foul.rule)


def _of_hands(match: Match, sight: Sight) -> Verdict:
    """Laid dice are a foul if they could have been the throw; turned dice of the game are always a foul."""
    as_thrown = _had_they_been_thrown(sight)
    if any(d.sure for d in as_thrown.thrown) and isinstance(_of_throw(match, as_thrown), Counts | Ask | Again):
        return foul_of_hands(fouls.LAID, as_thrown.thrown)
    turned = turned_dice(match, sight)
    return foul_of_hands(fouls.TURNED, turned) if turned else Nothing()


def _had_they_been_thrown(sight: Sight) -> Sight:
    """The sight in which the laid dice were thrown instead."""
    laid = _laid(sight)
    before = {d.was.id for d in laid if d.was}
    left, last = (tuple(d for d in dice if d.id not in before) for dice in (sight.left, sight.last))
    return replace(sight, thrown=laid, handled=(), left=left, last=last)


def _laid(sight: Sight) -> Dice:
    return tuple(d for d in sight.handled if d.came is TrackOutcome.LAID)


# -- whether dice are the throw that is awaited --------------------------------------------------------------------------------


def _judge_throw(prompt: Roll, sight: Sight, choices: tuple[Answer, ...]) -> Verdict:
    if len(sight.thrown) != prompt.count:
        return _wrong_count(prompt, sight, choices)
    if not _left_is_fair(prompt, sight):
        foul = fouls.SET_ASIDE_MISSING
        return _void(foul, faces=words.listed(prompt.beside), prompt=prompt.text)
    why = prompt.why_not(throw_of(sight.thrown))
    return _void(fouls.COLOURS, why=why) if why else _as_they_lie(sight.thrown, choices, prompt.shown)


def _void(foul: fouls.Foul, short: int = 0, state: TrayState = TrayState.WRONG_DICE, **said: str) -> Void:
    return Void(state, foul.said(**said), foul, foul.rule, short)


def _as_they_lie(thrown: Dice, choices: tuple[Answer, ...] = (), shown: bool = False) -> Verdict:
    """The throw counts, unless some of its dice lean, are stacked, or were not read surely."""
    stacked = stacked_dice(thrown)
    cocked = {d.id for d in thrown if d.leans} - stacked
    if cocked or stacked:
        state = TrayState.COCKED if cocked else TrayState.STACKED
        trouble = LEAN_OR_STACKED if cocked and stacked else TROUBLE[state]
        again = _again(state, thrown, cocked | stacked, shown=shown, trouble=trouble)
        return replace(again, asked=tuple(d.id for d in thrown if d.id in cocked))
    unsure = [d for d in thrown if not d.sure]
    return Ask(_which_face(unsure), ids(unsure), whole=True) if unsure else Counts(choices)


def _again(state: TrayState, thrown: Dice, bad: Collection[int], off: int = 0, shown: bool = False, trouble: str = "") -> Again:
    """Asks for the bad dice again. off: number of dice that lie nowhere. shown: the dice were placed, not
    thrown. trouble: what is wrong with them, if the state does not say all of it."""
    good, missing = tuple(d.id for d in thrown if d.id not in bad), len(bad) + off
    dice, it = words.dice(missing).capitalize(), "it" if missing == 1 else "them"
    do = f"lay {it} flat with the face that lay up before" if shown else f"throw {it} again alone"
    message = f"{dice} {trouble or TROUBLE[state]}: {do}{_leaving(good)}."
    return Again(state, message, good, tuple(d.id for d in thrown if d.id in bad), missing)


def _leaving(good: Collection[int]) -> str:
    return ", and leave the others as they lie" if good else ""


def _left_is_fair(prompt: Roll, sight: Sight) -> bool:
    """Whether no set-aside die was thrown in place of a die of the last throw, which then still lies there.
    Any other die, or a thing that looks like one, may lie there too."""
    aside = Counter(prompt.beside)
    return not (faces(sight.last) - aside) or not (aside - faces(sight.left))


def _wrong_count(prompt: Roll, sight: Sight, choices: tuple[Answer, ...]) -> Verdict:
    came, wanted = len(sight.thrown), prompt.count
    unsure = [d for d in sight.thrown if not d.sure]
    if len(unsure) == came < wanted and choices:
        return Nothing()  # a shadow is more likely than dice
    if came > wanted >= came - len(unsure) or len(unsure) == came < wanted:
        tell = "tap what is marked, and say what it shows or that it is no die"
        return Ask(f"{words.dice(came).capitalize()} seen, {words.number(wanted)} expected: {tell}.", ids(unsure))
    return _too_few(prompt, sight) if came < wanted else _too_many(prompt, sight)


def _too_few(prompt: Roll, sight: Sight) -> Verdict:
    missing = prompt.count - len(sight.thrown)
    if prompt.shown:
        return _show_others(prompt, sight.thrown)
    if missing == len(_laid(sight)):
        return _laid_among(sight)
    if sight.fell_off or 0 < missing <= sight.rolled_off + sight.beside:
        return _off_the_tray(sight, missing)
    if sight.standing:
        return _still_to_throw(sight, missing)
    return _wrong_dice(prompt, sight, missing)


def _show_others(prompt: Roll, shown: Dice) -> Again:
    are, them = ("is", "it") if len(shown) == 1 else ("are", "them")
    seen = f"{words.dice(len(shown)).capitalize()} {are} shown, {words.number(prompt.count)} expected"
    message = f"{seen}: slide the others onto the tray beside {them}."
    return Again(TrayState.WAITING, message, ids(shown), missing=prompt.count - len(shown))


def _laid_among(sight: Sight) -> Again:
    """Some dice were thrown and the others laid down: the laid dice are thrown alone."""
    laid, bad = _laid(sight), {d.id for d in sight.thrown if d.leans} | stacked_dice(sight.thrown)
    good = tuple(d.id for d in sight.thrown if d.id not in bad)
    said = foul_of_hands(fouls.LAID, laid).message
    message = f"{said.removesuffix('.')} alone{_leaving(good)}."
    return Again(TrayState.WRONG_DICE, message, good, (*bad, *ids(laid)), len(bad) + len(laid), foul=fouls.LAID)


def _off_the_tray(sight: Sight, missing: int) -> Again:
    lies = "lies" if missing == 1 else "lie"
    rolled = "rolled off the tray" if sight.rolled_off >= missing else ""
    trouble = rolled or (f"{lies} beside the tray" if sight.beside >= missing else "")
    return _again(TrayState.OFF_THE_TRAY, sight.thrown, frozenset(), missing, trouble=trouble)


def _still_to_throw(sight: Sight, missing: int) -> Again:
    """Only some of the dice that were to be thrown again were thrown."""
    bad = {d.id for d in sight.thrown if d.leans} | stacked_dice(sight.thrown)
    state = TrayState.COCKED if bad else TrayState.WAITING
    return _again(state, sight.thrown, bad, missing, trouble="missing still" if not bad else "missing still or not flat")


def _too_many(prompt: Roll, sight: Sight) -> Void:
    again = faces(sight.gone) & Counter(prompt.beside)
    if len(sight.thrown) - prompt.count <= again.total():
        return _void(fouls.SET_ASIDE, faces=words.listed(sorted(again.elements(), reverse=True)), prompt=prompt.text)
    return _wrong_dice(prompt, sight)


def _wrong_dice(prompt: Roll, sight: Sight, missing: int = 0) -> Void:
    came = words.dice(len(sight.thrown))
    return _void(fouls.WRONG_COUNT, missing, came=came, wanted=words.number(prompt.count), prompt=prompt.text)


# -- throws that no throw was awaited for --------------------------------------------------------------------------------------


def _act(sight: Sight) -> Act:
    last = {d.id for d in sight.last}
    return Act(
        left=tuple(d.face for d in sight.last),
        thrown=len(sight.thrown),
        colours=tuple(d.colour for d in throw_of(sight.thrown).dice),
        beside=tuple(d.face for d in sight.left if d.id not in last),
    )


def _fits_nothing(match: Match, stuck: Prompt | None, act: Act) -> Void:
    """The verdict on a throw that makes no choice: what is wrong with it. stuck: the prompt it did not
    answer."""
    asked = match.prompt
    assert asked is not None
    if isinstance(stuck, Keep) and (why := stuck.why_not(Kept(act.left))):
        message = f"Wrong dice: {words.lower_first(why)} The throw is void. {asked.text}"
        return Void(TrayState.WRONG_DICE, message, rule="G9")
    if isinstance(stuck, Choose) and (why := _no_such_count(stuck, act)):
        return _void(fouls.NO_SUCH_COUNT, why=why, prompt=asked.text)
    if isinstance(stuck, Choose) and len(stuck.shown_by(act)) > 1:
        message = f"That throw fits more than one choice, so it is void: tap the choice first. {asked.text}"
        return Void(TrayState.OUT_OF_TURN, message, rule="G9")
    foul = fouls.TOO_MANY if match.thrower == asked.player else fouls.OUT_OF_TURN
    return _void(foul, state=TrayState.OUT_OF_TURN, prompt=asked.text)


def _no_such_count(prompt: Choose, act: Act) -> str | None:
    """What is wrong with the number thrown; None if no throw answers the prompt, or the number is right."""
    counts = sorted({o.throws for o in prompt.options if o.throws is not None})
    if not counts or act.thrown in counts:
        return None
    right = [words.number(n) for n in counts] + ["none"] * any(o.throws is None for o in prompt.options)
    return f"{words.dice(act.thrown)} thrown; {words.listed(right, 'or')} would be right."


# -- what is asked -------------------------------------------------------------------------------------------------------------


def _doubt(standing: Sequence[Sight], unthrown: Sequence[Sight]) -> Doubt:
    """A question about the dice that were thrown in some of these sights, but not in others."""
    ways = [*standing, *unthrown]
    all_of = {d.track: d for sight in ways for d in sight.thrown}
    doubted = [d for d in all_of.values() if not all(d.track in _tracks(sight.thrown) for sight in ways)]
    were = "Was" if len(doubted) == 1 else "Were"
    only = "knocked" if any(d.came is TrackOutcome.THROWN for d in doubted) else "moved"
    faces_ = words.listed(d.face for d in doubted)
    return Doubt(f"{were} the {faces_} thrown, or only {only}?", ids(doubted), thrown=not unthrown)


def _tracks(dice: Iterable[LyingDie]) -> set[int]:
    return {d.track for d in dice}


def _which_face(dice: Sequence[LyingDie]) -> str:
    if len(dice) > 1:
        return f"{words.dice(len(dice)).capitalize()} could not be read surely. Tap each and say what it shows."
    likely = [face for face, _ in dice[0].seen.likely[:2]] or [dice[0].face]
    return f"One die could not be read surely: {words.listed(likely, 'or')}? Tap it and say what it shows."


def _was(dice: Sequence[LyingDie]) -> str:
    return "was" if len(dice) == 1 else "were"


def _it(dice: Sequence[LyingDie]) -> str:
    return "it" if len(dice) == 1 else "them"
