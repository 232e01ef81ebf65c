"""The referee's judgement of one settled tray: a throw, nothing, a question, or a foul by name. Pure: it looks, and decides; it
changes nothing.

A throw counts only while a throw is awaited. Dice thrown while a choice is awaited make the choices that they imply, if exactly one
legal answer fits each (shared rule G9); otherwise the throw is void (G5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from table.referee.snapshot import TrayState
from table.referee.tray import LyingDie, stacked_dice
from table.rules import words
from table.rules.answers import Answer, Die, Kept, Throw
from table.rules.match import Match
from table.rules.prompts import Act, Choose, Keep, Prompt, Roll

TROUBLE = {
    TrayState.COCKED: "leaning, so that no face looks up",
    TrayState.STACKED: "lying on one another",
    TrayState.OFF_THE_TRAY: "off the tray",
}
LEAN_OR_STACKED = "leaning or lying on one another"


@dataclass(frozen=True)
class Sight:
    """One way to understand a settled tray.

    thrown: the dice of the throw. left, gone: other dice, still lying and no longer seen. last: those of `left` that belong to the
    last throw that counted. turned: those of `thrown` that lie just where a die lay that showed another face. fell_off: people said
    that the dice which are missing fell off the tray.
    """

    thrown: tuple[LyingDie, ...]
    left: tuple[LyingDie, ...] = ()
    gone: tuple[LyingDie, ...] = ()
    last: tuple[LyingDie, ...] = ()
    turned: tuple[LyingDie, ...] = ()
    fell_off: bool = False


@dataclass(frozen=True)
class Nothing:
    """Nothing was thrown: dice were picked up, set aside or hidden."""

    message: str = ""


@dataclass(frozen=True)
class Counts:
    """The throw counts; `choices` are the answers that it implied, to be given first."""

    choices: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class Void:
    """The throw does not count. `message` names the foul and says what to do.

    short: how many dice are missing, where that is all that is wrong: they may have fallen off the tray.
    """

    state: TrayState
    message: str
    short: int = 0


@dataclass(frozen=True)
class Again:
    """Some dice are thrown again alone (shared rule G4), or have yet to be shown. good: ids of those that stand. bad: of those that
    lie there and do not; asked: of these, the ones that lean, and may only seem to: a person can say that they lie flat, and what they
    show."""

    state: TrayState
    message: str
    good: tuple[int, ...]
    bad: tuple[int, ...] = ()
    missing: int = 0
    asked: tuple[int, ...] = ()


@dataclass(frozen=True)
class Ask:
    """A person has to say what dice show. asked: their ids."""

    message: str
    asked: tuple[int, ...]
    state = TrayState.UNSURE


@dataclass(frozen=True)
class Unclear:
    """More than one choice fits what was done: a person makes it, and the throw is then judged anew."""

    message: str
    state = TrayState.UNSURE


@dataclass(frozen=True)
class Unlogged:
    """The throw would count, but the log could not be written; it is tried again at every reading. Not a verdict of `judge`."""

    message: str
    state = TrayState.WAITING


Verdict = Nothing | Counts | Void | Again | Ask | Unclear | Unlogged


def judge(match: Match | None, sights: Sequence[Sight]) -> tuple[int, Verdict]:
    """Which of the sights, likeliest first, is taken to be what happened, and what it means for the match, which is not changed.

    A sight in which the throw stands is believed before one in which it is void. The second, where dice that were thrown at first
    sight were only knocked, makes the first unclear where both stand.
    """
    if match is None or match.prompt is None:
        most = max(range(len(sights)), key=lambda i: len(sights[i].thrown))
        return most, _judged(match, sights[most])
    verdicts = [_judged(match, sight) for sight in sights]
    standing = [i for i, verdict in enumerate(verdicts) if isinstance(verdict, Counts | Again | Ask)]
    if not standing:
        return 0, verdicts[0]
    if standing[:2] == [0, 1] and len(sights[1].thrown) < len(sights[0].thrown):
        return (1, verdicts[1]) if isinstance(match.prompt, Roll) else (0, _unclear(sights[0], sights[1]))
    return standing[0], verdicts[standing[0]]


def throw_of(dice: Iterable[LyingDie]) -> Throw:
    """The answer that these dice make; the colour of one that was not surely read is not known."""
    return Throw(tuple(Die(d.face, d.seen.colour if d.seen.sure else None) for d in dice))


def _judged(match: Match | None, sight: Sight) -> Verdict:
    if not sight.thrown:
        return Nothing()
    if set(sight.turned) == set(sight.thrown):
        return _turned_by_hand(sight.turned)
    if match is None or match.prompt is None:
        return _as_they_lie(sight.thrown)
    choices, prompt = _implied(match, sight)
    if isinstance(prompt, Roll):
        return _judge_throw(prompt, sight, choices)
    if not any(d.sure for d in sight.thrown):
        return Nothing()  # a shadow, more likely than dice
    return _fits_nothing(match.prompt, prompt, _act(sight))


def _implied(match: Match, sight: Sight) -> tuple[tuple[Answer, ...], Prompt | None]:
    """The choices that the act made, and the prompt after them; a Roll only where each choice was the only one that fits."""
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


def _judge_throw(prompt: Roll, sight: Sight, choices: tuple[Answer, ...]) -> Verdict:
    """Whether these dice are the throw that is awaited."""
    if len(sight.thrown) != prompt.count:
        return _wrong_count(prompt, sight, choices)
    if not _left_is_fair(prompt, sight.left):
        return Void(
            TrayState.WRONG_DICE,
            f"Foul, a die set aside was thrown again: {words.listed(prompt.beside)} should lie aside. "
            f"The throw is void: put them back as they were. {prompt.text}",
        )
    why = prompt.why_not(throw_of(sight.thrown))
    if why:
        return Void(TrayState.WRONG_DICE, f"{why} The throw is void.")
    return _put_aside(prompt, sight) or _as_they_lie(sight.thrown, choices, prompt.shown)


def _put_aside(prompt: Roll, sight: Sight) -> Ask | None:
    """A question where dice set aside are no longer where they lay, and what came to rest shows just what they showed."""
    new = Counter(d.face for d in sight.thrown)
    missing = Counter(prompt.beside) - Counter(d.face for d in sight.left)
    if new - (missing & Counter(d.face for d in sight.gone)) or all(d.told for d in sight.thrown):
        return None
    faces = words.listed(d.face for d in sight.thrown)
    tell = "Say what it shows if it was thrown, or that it is no die of this throw"
    return Ask(f"The {faces} may have been thrown, or only put aside. {tell}.", _ids(sight.thrown))


def _as_they_lie(thrown: Sequence[LyingDie], choices: tuple[Answer, ...] = (), shown: bool = False) -> Verdict:
    """The throw counts, unless dice of it lean, lie on one another, or were not surely read."""
    stacked = stacked_dice(thrown)
    cocked = {d.id for d in thrown if d.leans} - stacked
    if cocked or stacked:
        state = TrayState.COCKED if cocked else TrayState.STACKED
        trouble = LEAN_OR_STACKED if cocked and stacked else TROUBLE[state]
        again = _again(state, thrown, cocked | stacked, shown=shown, trouble=trouble)
        return replace(again, asked=tuple(d.id for d in thrown if d.id in cocked))
    unsure = [d for d in thrown if not d.sure]
    return Ask(_which_face(unsure), _ids(unsure)) if unsure else Counts(choices)


def _again(
    state: TrayState,
    thrown: Sequence[LyingDie],
    bad: set[int] | frozenset[int],
    off: int = 0,
    shown: bool = False,
    trouble: str = "",
) -> Again:
    """`off`: how many dice lie nowhere. shown: the dice were not thrown, but put there as they lay. trouble: what is the matter with
    them, where that is not only what the state says."""
    good, missing = tuple(d.id for d in thrown if d.id not in bad), len(bad) + off
    dice, it = words.dice(missing).capitalize(), "it" if missing == 1 else "them"
    others = ", and leave the others as they lie" if good else ""
    do = f"lay {it} flat with the face that lay up before" if shown else f"throw {it} again alone"
    message = f"{dice} {trouble or TROUBLE[state]}: {do}{others}."
    return Again(state, message, good, tuple(d.id for d in thrown if d.id in bad), missing)


def _left_is_fair(prompt: Roll, left: Sequence[LyingDie]) -> bool:
    """Dice lying still must be those set aside, or spare ones beside all of those; with nothing set aside any die may lie about."""
    lying, aside = Counter(d.face for d in left), Counter(prompt.beside)
    return not (lying - aside) or not (aside - lying)


def _wrong_count(prompt: Roll, sight: Sight, choices: tuple[Answer, ...]) -> Verdict:
    came, wanted = len(sight.thrown), prompt.count
    unsure = [d for d in sight.thrown if not d.sure]
    if len(unsure) == came < wanted and choices:
        return Nothing()  # a shadow, more likely than dice
    if came > wanted >= came - len(unsure) or len(unsure) == came < wanted:
        tell = "tap what is marked, and say what it shows or that it is no die"
        return Ask(f"{words.dice(came).capitalize()} seen, {words.number(wanted)} expected: {tell}.", _ids(unsure))
    if came < wanted and prompt.shown:
        are, them = ("is", "it") if came == 1 else ("are", "them")
        seen = f"{words.dice(came).capitalize()} {are} shown, {words.number(wanted)} expected"
        message = f"{seen}: slide the others onto the tray beside {them}."
        return Again(TrayState.WAITING, message, _ids(sight.thrown), missing=wanted - came)
    if came < wanted and _moved_aside(prompt, sight):
        return Nothing()
    if came < wanted and sight.fell_off:
        return _again(TrayState.OFF_THE_TRAY, sight.thrown, frozenset(), wanted - came)
    gone_aside = Counter(d.face for d in sight.gone) & Counter(prompt.beside)
    if came > wanted and came - wanted <= gone_aside.total():
        again = words.listed(sorted(gone_aside.elements(), reverse=True))
        return Void(
            TrayState.WRONG_DICE,
            f"Foul, a die set aside was thrown again ({again}). The throw is void: put it back as it was. {prompt.text}",
        )
    seen = f"{words.dice(came)} came to rest, {words.number(wanted)} expected; the throw is void."
    return Void(TrayState.WRONG_DICE, f"Wrong dice: {seen} {prompt.text}", max(0, wanted - came))


def _moved_aside(prompt: Roll, sight: Sight) -> bool:
    """Whether the new dice are just those to be set aside, slid to another place with the same face up."""
    new, gone = Counter(d.face for d in sight.thrown), Counter(d.face for d in sight.gone)
    return not (new - gone) and not (new - Counter(prompt.beside))


def _act(sight: Sight) -> Act:
    last = {d.id for d in sight.last}
    return Act(
        left=tuple(d.face for d in sight.last),
        thrown=len(sight.thrown),
        colours=tuple(d.colour for d in throw_of(sight.thrown).dice),
        beside=tuple(d.face for d in sight.left if d.id not in last),
    )


def _fits_nothing(asked: Prompt, stuck: Prompt | None, act: Act) -> Void:
    """A throw that makes no choice is named by what is wrong with it; `stuck` is the prompt that it did not answer."""
    why = _why_no_choice(stuck, act)
    if why is None:
        return Void(TrayState.OUT_OF_TURN, f"Out of turn: no throw was awaited, so this one is void. {asked.text}")
    return Void(TrayState.WRONG_DICE, f"Wrong dice: {why} The throw is void. {asked.text}")


def _why_no_choice(prompt: Prompt | None, act: Act) -> str | None:
    """What is wrong with the act in the game's own words; None where no throw answers the prompt, or more than one option fits."""
    match prompt:
        case Keep():
            why = prompt.why_not(Kept(act.left))
            return why and words.lower_first(why)
        case Choose(options=options):
            counts = sorted({o.throws for o in options if o.throws is not None})
            if not counts or act.thrown in counts:
                return None
            right = [words.number(n) for n in counts] + ["none"] * any(o.throws is None for o in options)
            return f"{words.dice(act.thrown)} thrown; {words.listed(right, 'or')} would be right."
        case _:
            return None


def _turned_by_hand(dice: Sequence[LyingDie]) -> Void:
    it, was = ("A die was", "it as it was") if len(dice) == 1 else ("Dice were", "them as they were")
    return Void(TrayState.WRONG_DICE, f"Foul: {it} turned by hand, which is no throw. Put {was}; if thrown, throw again.")


def _unclear(sight: Sight, other: Sight) -> Unclear:
    counted = {d.id for d in other.thrown}
    faces = [d.face for d in sight.thrown if d.id not in counted]
    dice = words.listed(faces)
    return Unclear(f"It is not clear whether the {dice} was thrown again or only knocked. Tap what you chose; the throw then counts.")


def _which_face(dice: Sequence[LyingDie]) -> str:
    if len(dice) > 1:
        return f"{words.dice(len(dice)).capitalize()} could not be read surely. Tap each and say what it shows."
    faces = [face for face, _ in dice[0].seen.likely[:2]] or [dice[0].face]
    return f"One die could not be read surely: {words.listed(faces, 'or')}? Tap it and say what it shows."


def _ids(dice: Iterable[LyingDie]) -> tuple[int, ...]:
    return tuple(d.id for d in dice)
