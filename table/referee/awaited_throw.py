"""Whether dice are the throw that is awaited: too few, too many, leaning, beside the tray, or right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.doubts import face_question
from table.referee.hands import foul_of_hands, laid_dice
from table.referee.interpretations import Dice, Interpretation
from table.referee.tray import LyingDie, ids, stacked_dice
from table.referee.tray_update import face_counts
from table.referee.verdicts import AskFaces, NoThrow, Rethrow, UnderArm, Valid, Verdict, Void
from table.rules import words
from table.rules.answers import Answer, Die, Throw
from table.rules.prompts import FELL, Roll

WHY_RETHROWN = {
    TrayState.COCKED: "leaning, so that no face looks up",
    TrayState.STACKED: "lying on one another",
    TrayState.OFF_THE_TRAY: "off the tray",
}
LEANING_OR_STACKED = "leaning or lying on one another"


def throw_of(dice: Iterable[LyingDie]) -> Throw:
    """The answer that these dice make; a die that was not read surely has no colour."""
    return Throw(tuple(Die(d.face, d.seen.colour if d.seen.sure else None) for d in dice))


def judge_throw(prompt: Roll, interpretation: Interpretation, choices: tuple[Answer, ...]) -> Verdict:
    if interpretation.rethrown and not prompt.placed:
        return _dice_that_stood(interpretation.rethrown)
    if prompt.purpose == FELL:
        interpretation = replace(interpretation, thrown=_told_apart(prompt, interpretation))
    if len(interpretation.thrown) != prompt.count:
        return _wrong_count(prompt, interpretation, choices)
    if not _set_aside_dice_lie(prompt, interpretation):
        foul = fouls.SET_ASIDE_MISSING
        return void(foul, faces=words.listed(prompt.beside), prompt=prompt.text)
    if why := prompt.why_not(throw_of(interpretation.thrown)):
        reason = why.removesuffix(prompt.text).rstrip()  # that text says what to do, so it comes last
        return void(fouls.COLOURS, why=reason, prompt=prompt.text)
    verdict = verdict_on_dice(interpretation.thrown, choices, prompt.placed)
    if interpretation.held and isinstance(verdict, Valid | AskFaces):
        return _lay_back(interpretation)
    return verdict


def _told_apart(prompt: Roll, interpretation: Interpretation) -> Dice:
    """The shown dice that can be told from others: of a colour of which too many lie there, those that were
    shown before. A hand that shows one die may push others, and towers."""
    wanted: Counter[str | None] = Counter({group.colour: group.count for group in prompt.dice})
    n, thrown = interpretation.standing, interpretation.thrown
    before, new = thrown[:n], thrown[n:]
    came = Counter(d.seen.colour for d in thrown if d.seen.sure)
    told = [d for d in new if not d.seen.sure or came[d.seen.colour] <= wanted[d.seen.colour]]
    return (*before, *told)


def _lay_back(interpretation: Interpretation) -> Rethrow:
    """The throw is complete with dice that stood and are in a hand. It stands, and counts when they lie."""
    held = interpretation.held
    faces, they = words.listed(d.face for d in held), words.it_or_they(len(held))
    message = f"Lay the {faces} back as {they} lay: then the throw counts."
    return Rethrow(TrayState.WRONG_DICE, message, ids(interpretation.thrown), held=ids(held))


def _dice_that_stood(dice: Dice) -> Void:
    """Dice that stood were thrown again with those that leaned, or lay beside the tray."""
    n = len(dice)
    return void(
        fouls.STANDING,
        faces=words.listed(d.face for d in dice),
        it=words.it_or_them(n),
        they=words.it_or_they(n),
    )


def void(
    foul: fouls.Foul, missing: int = 0, state: TrayState = TrayState.WRONG_DICE, **text_fields: str
) -> Void:
    return Void(state, foul.text(**text_fields), foul, foul.rule, missing)


def verdict_on_dice(thrown: Dice, choices: tuple[Answer, ...] = (), placed: bool = False) -> Verdict:
    """The throw counts, unless some of its dice lean, are stacked, or were not read surely."""
    stacked = stacked_dice(thrown)
    cocked = {d.id for d in thrown if d.leans} - stacked
    if cocked or stacked:
        state = TrayState.COCKED if cocked else TrayState.STACKED
        trouble = LEANING_OR_STACKED if cocked and stacked else WHY_RETHROWN[state]
        verdict = _rethrow(state, thrown, cocked | stacked, placed=placed, trouble=trouble)
        return replace(verdict, asked=tuple(d.id for d in thrown if d.id in cocked))
    unsure = [d for d in thrown if not d.sure]
    return AskFaces(face_question(unsure), ids(unsure), whole=True) if unsure else Valid(choices)


def _not_flat(dice: Dice) -> set[int]:
    return {d.id for d in dice if d.leans} | stacked_dice(dice)


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
    if missing == len(laid_dice(interpretation)):
        return _some_dice_laid(interpretation)
    if interpretation.fell_off or 0 < missing <= interpretation.rolled_off + interpretation.beside:
        return _off_the_tray(interpretation, missing)
    if interpretation.arm_rests:
        return under_arm(missing)
    if interpretation.standing:
        return _dice_still_to_throw(interpretation, missing)
    return _wrong_dice(prompt, interpretation, missing)


def _ask_for_hidden_dice(prompt: Roll, shown: Dice) -> Rethrow:
    are, them = ("is", "it") if len(shown) == 1 else ("are", "them")
    seen = f"{words.dice(len(shown)).capitalize()} {are} shown, {words.number(prompt.count)} expected"
    missing = prompt.count - len(shown)
    others = _colours_missing(prompt, shown) or f"the other{'s' * (missing > 1)}"
    message = f"{seen}: slide {others} onto the tray beside {them}."
    return Rethrow(TrayState.WAITING, message, ids(shown), missing=missing)


def _colours_missing(prompt: Roll, shown: Dice) -> str:
    """'the red die and the two blue dice', where colours tell which others are expected; else ""."""
    wanted = Counter({group.colour: group.count for group in prompt.dice})
    there = Counter(die.seen.colour if die.seen.sure else None for die in shown)
    if None in wanted or there - wanted:
        return ""
    missing = (wanted - there).items()
    return words.listed(
        f"the {colour} die" if n == 1 else f"the {words.dice(n, colour)}" for colour, n in missing
    )


def _some_dice_laid(interpretation: Interpretation) -> Rethrow:
    """Some dice were thrown and the others laid down: the laid dice are thrown alone."""
    laid = laid_dice(interpretation)
    bad = _not_flat(interpretation.thrown)
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


def under_arm(missing: int) -> UnderArm:
    may_be = "a die may be" if missing == 1 else f"{words.dice(missing)} may be"
    return UnderArm(f"Take your arm off the tray: {may_be} under it.")


def _dice_still_to_throw(interpretation: Interpretation, missing: int) -> Rethrow:
    """Only some of the dice that were to be thrown again were thrown."""
    bad = _not_flat(interpretation.thrown)
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
    return void(
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
    return void(
        fouls.WRONG_COUNT, missing, came=thrown_dice, wanted=words.number(prompt.count), prompt=prompt.text
    )
