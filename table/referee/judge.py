"""The referee's judgement of one settled tray: a throw, nothing, or a foul by name. Pure: it looks, and decides; it changes nothing.

A throw counts only while a throw is awaited. Dice thrown while a choice is awaited make the choices that they imply, if exactly one
legal answer fits each (shared rule G9); otherwise the throw is void (G5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from table.referee.snapshot import TrayState
from table.referee.tray import LyingDie
from table.rules import words
from table.rules.answers import Answer, Die, Throw
from table.rules.match import Match
from table.rules.prompts import Act, Prompt, Roll


@dataclass(frozen=True)
class Sight:
    """A settled tray against the one before.

    thrown, left, gone: see table.referee.tray.Change.
    last: those of `left` that belong to the last throw that counted.
    """

    thrown: tuple[LyingDie, ...]
    left: tuple[LyingDie, ...] = ()
    gone: tuple[LyingDie, ...] = ()
    last: tuple[LyingDie, ...] = ()


@dataclass(frozen=True)
class Accepted:
    """The throw counts; `choices` are the answers that it implied, to be given first."""

    choices: tuple[Answer, ...]


@dataclass(frozen=True)
class Nothing:
    """Nothing was thrown: dice were picked up, set aside or hidden."""


@dataclass(frozen=True)
class Void:
    """The throw does not count. `message` names the foul and says what to do.

    short: how many dice are missing, where that is all that is wrong: they may have fallen off the tray. choices: what the throw
    implied in that case.
    """

    state: TrayState
    message: str
    short: int = 0
    choices: tuple[Answer, ...] = ()


Verdict = Accepted | Nothing | Void


def judge(match: Match, sight: Sight) -> Verdict:
    """What the settled tray means for the match, which is not changed."""
    if not sight.thrown:
        return Nothing()
    choices, prompt = _implied(match, sight)
    if not isinstance(prompt, Roll):
        return _not_awaited(match.prompt)
    return _judge_throw(prompt, sight, choices)


def throw_of(dice: Sequence[LyingDie]) -> Throw:
    """The answer that these dice make."""
    return Throw(tuple(Die(d.face, d.seen.colour) for d in dice))


def _implied(match: Match, sight: Sight) -> tuple[tuple[Answer, ...], Prompt | None]:
    """The choices that the act made, and the prompt after them; a Roll only where each choice was the only one that fits."""
    act = Act(tuple(d.face for d in sight.last), len(sight.thrown))
    fork, choices = match, list[Answer]()
    while fork.prompt is not None and not isinstance(fork.prompt, Roll):
        shown = fork.prompt.shown_by(act)
        if len(shown) != 1:
            return (), fork.prompt
        if not choices:
            fork = match.fork()
        fork = fork.after(fork.answered(shown[0]))
        choices.append(shown[0])
    return tuple(choices), fork.prompt


def _not_awaited(prompt: Prompt | None) -> Void:
    asked = prompt.text if prompt else "The game is over."
    return Void(TrayState.OUT_OF_TURN, f"Out of turn: no throw was awaited, so this one is void. {asked}")


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
    return Void(TrayState.WRONG_DICE, f"{why} The throw is void.") if why else Accepted(choices)


def _left_is_fair(prompt: Roll, left: Sequence[LyingDie]) -> bool:
    """Dice lying still must be those set aside, or spare ones beside all of those; with nothing set aside any die may lie about."""
    lying, aside = Counter(d.face for d in left), Counter(prompt.beside)
    return not (lying - aside) or not (aside - lying)


def _wrong_count(prompt: Roll, sight: Sight, choices: tuple[Answer, ...]) -> Verdict:
    came, wanted = len(sight.thrown), prompt.count
    if came < wanted and _moved_aside(prompt, sight):
        return Nothing()
    gone_aside = Counter(d.face for d in sight.gone) & Counter(prompt.beside)
    if came > wanted and came - wanted <= gone_aside.total():
        again = words.listed(sorted(gone_aside.elements(), reverse=True))
        return Void(
            TrayState.WRONG_DICE,
            f"Foul, a die set aside was thrown again ({again}). The throw is void: put it back as it was. {prompt.text}",
        )
    seen = f"{words.dice(came)} came to rest, {words.number(wanted)} expected; the throw is void."
    return Void(TrayState.WRONG_DICE, f"Wrong dice: {seen} {prompt.text}", max(0, wanted - came), choices)


def _moved_aside(prompt: Roll, sight: Sight) -> bool:
    """Whether the new dice are just those to be set aside, slid to another place with the same face up."""
    new, gone = Counter(d.face for d in sight.thrown), Counter(d.face for d in sight.gone)
    return not (new - gone) and not (new - Counter(prompt.beside))
