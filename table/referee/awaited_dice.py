"""Which dice on the tray stay for the awaited throw, and which are picked up and thrown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from table.referee.snapshot import STAYS, THROWN_NEXT, TrayDie
from table.rules.prompts import Prompt, Roll


def with_awaited(prompt: Prompt | None, dice: Sequence[TrayDie]) -> tuple[TrayDie, ...]:
    """The dice, with what the awaited throw does with each of them.

    Nothing is told of any die if no dice were set aside, or if one of those is not found by its face or could
    be a die that is not in the game. Of two dice of one throw that show the same face, of which one was set
    aside, neither is told: the players know which one they left.
    """
    if not isinstance(prompt, Roll) or prompt.placed or not prompt.beside:
        return tuple(dice)
    staying = _set_aside(prompt, dice)
    if len(staying) != len(prompt.beside) or _may_be_strange(prompt, dice):
        return tuple(dice)
    rest = {i for i, die in enumerate(dice) if i not in staying and _has_colour_of(prompt, die)}
    thrown = rest if len(rest) <= prompt.count else set[int]()
    marks = dict.fromkeys(staying, STAYS) | dict.fromkeys(thrown, THROWN_NEXT)
    both = {_kind(dice[i]) for i in staying} & {_kind(dice[i]) for i in thrown}
    marks = {i: mark for i, mark in marks.items() if _kind(dice[i]) not in both}
    return tuple(replace(die, next=marks.get(i, "")) for i, die in enumerate(dice))


def _kind(die: TrayDie) -> tuple[str, int]:
    """What tells it from others: whether it was thrown last, and its face."""
    return die.part, die.seen.face


def _set_aside(prompt: Roll, dice: Sequence[TrayDie]) -> set[int]:
    """The places in `dice` of those that were set aside; a die that lay there longer comes first."""
    wanted, found = Counter(prompt.beside), set[int]()
    for i in sorted(range(len(dice)), key=lambda i: dice[i].part != "still"):
        if wanted[dice[i].seen.face]:
            wanted[dice[i].seen.face] -= 1
            found.add(i)
    return found


def _may_be_strange(prompt: Roll, dice: Sequence[TrayDie]) -> bool:
    """Whether there are more dice than the game has, and one more of a face that was set aside."""
    wanted, there = Counter(prompt.beside), Counter(die.seen.face for die in dice)
    return len(dice) > len(prompt.beside) + prompt.count and any(there[f] > n for f, n in wanted.items())


def _has_colour_of(prompt: Roll, die: TrayDie) -> bool:
    colours = {colour for group in prompt.dice for colour in (group.either or (group.colour,))}
    return None in colours or die.seen.colour in colours
