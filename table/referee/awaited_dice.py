"""Which dice on the tray stay for the next throw, and which are picked up and thrown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from table.referee.snapshot import STAYS, THROWN_NEXT, Alike, TrayDie
from table.rules.prompts import Choose, Prompt, Roll


@dataclass(frozen=True)
class _NextThrow:
    """The throw that comes next. beside: the faces that stay. colours: of its dice; None for any."""

    count: int
    beside: tuple[int, ...]
    colours: frozenset[str | None]


def with_awaited(prompt: Prompt | None, dice: Sequence[TrayDie]) -> tuple[TrayDie, ...]:
    """The dice, with what the awaited throw does with each of them, or the throw that a choice is about.

    Nothing is told of any die if a throw may be made with other dice than those of the turn, or if a die that
    was set aside is not found by its face or could be a die that is not in the game. A die of a throw that
    did not count is not one that was set aside, whatever it shows. Of two dice of one throw that show the
    same face, of which one was set aside, neither is told: the players know which one they left.
    """
    marks = _marks(prompt, dice)
    both = _marked_both_ways(marks, dice)
    marks = {i: mark for i, mark in marks.items() if i not in both}
    return tuple(replace(die, next=marks.get(i, "")) for i, die in enumerate(dice))


def alike(prompt: Prompt | None, dice: Sequence[TrayDie]) -> Alike | None:
    """How many stay of the dice without a mark; None if nobody knows, or if they show several faces."""
    marks = _marks(prompt, dice)
    both = _marked_both_ways(marks, dice)
    faces = {die.seen.face for i, die in enumerate(dice) if i in both or i not in marks}
    if not both or len(faces) != 1:
        return None
    return Alike(faces.pop(), sum(marks[i] == STAYS for i in both))


def _marks(prompt: Prompt | None, dice: Sequence[TrayDie]) -> dict[int, str]:
    """What the awaited throw does with each die by its place in `dice`, if any of one kind may be meant."""
    throw = _next_throw(prompt)
    if throw is None:
        return {}
    staying = _set_aside(throw, dice)
    if len(staying) != len(throw.beside) or _may_be_strange(throw, dice):
        return {}
    rest = {i for i, die in enumerate(dice) if i not in staying and _fits(throw, die)}
    thrown = rest if len(rest) <= throw.count else set[int]()
    return dict.fromkeys(staying, STAYS) | dict.fromkeys(thrown, THROWN_NEXT)


def _marked_both_ways(marks: Mapping[int, str], dice: Sequence[TrayDie]) -> frozenset[int]:
    """The places of the dice of which some of their kind stay and others are thrown."""
    kinds = {(_kind(dice[i]), mark) for i, mark in marks.items()}
    both = {kind for kind, mark in kinds if mark == STAYS and (kind, THROWN_NEXT) in kinds}
    return frozenset(i for i in marks if _kind(dice[i]) in both)


def _next_throw(prompt: Prompt | None) -> _NextThrow | None:
    """The throw that the prompt awaits or offers; None if it may be made with any dice."""
    match prompt:
        case Roll() if not prompt.placed and (prompt.beside or prompt.again):
            colours = {colour for group in prompt.dice for colour in (group.either or (group.colour,))}
            return _NextThrow(prompt.count, prompt.beside, frozenset(colours))
        case Choose():
            offered = [
                _NextThrow(o.throws, o.beside, frozenset({o.colour}))
                for o in prompt.options
                if o.throws is not None and o.beside is not None
            ]
            return offered[0] if len(offered) == 1 else None
        case _:
            return None


def _kind(die: TrayDie) -> tuple[str, bool, int]:
    """What tells it from others: whether it was thrown last, or in a void throw, and its face."""
    return die.part, die.void, die.seen.face


def _set_aside(throw: _NextThrow, dice: Sequence[TrayDie]) -> set[int]:
    """The places in `dice` of those that were set aside; a die that lay there longer comes first."""
    wanted, found = Counter(throw.beside), set[int]()
    may_be = [i for i, die in enumerate(dice) if not die.void]
    for i in sorted(may_be, key=lambda i: dice[i].part != "still"):
        if wanted[dice[i].seen.face]:
            wanted[dice[i].seen.face] -= 1
            found.add(i)
    return found


def _may_be_strange(throw: _NextThrow, dice: Sequence[TrayDie]) -> bool:
    """Whether there are more dice than the game has, and one more of a face that was set aside."""
    wanted, there = Counter(throw.beside), Counter(die.seen.face for die in dice)
    return len(dice) > len(throw.beside) + throw.count and any(there[f] > n for f, n in wanted.items())


def _fits(throw: _NextThrow, die: TrayDie) -> bool:
    return None in throw.colours or die.seen.colour in throw.colours
