"""The interpretations of a settled tray.

There is one, unless dice tumbled without being lifted, or were not clearly thrown.

A die that tumbled across the tray was knocked by the thrown dice, or thrown without being lifted. An unclear
die was thrown or moved. Each interpretation assumes one of the two, of all those dice alike; the mixed
interpretations take some of them for thrown, and the others for moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from table.referee.tray import LyingDie, Tray, ids
from table.referee.verdicts import Rethrow
from vision.tracking.tracks import TrackOutcome

Dice = tuple[LyingDie, ...]

BY_HAND = (TrackOutcome.PLACED, TrackOutcome.TURNED)
"""How dice come to lie there that a hand laid down or turned."""

MAX_TOLD_APART = 5
"""Largest number of dice in question of which each may be thrown or not: 30 mixed interpretations."""


@dataclass(frozen=True)
class Interpretation:
    """One interpretation of a settled tray.

    thrown: the dice of the throw; `standing` of them lay there already, and a hand holds those in `held`.
    rethrown: dice that stood by the ruling before, and were picked up and thrown again with the rest.
    handled: dice that a hand laid down or turned. left, gone: other dice, still lying, and picked up when the
    dice to be thrown were.
    last: the dice of `left` from the last throw that counted.
    rolled_off, beside: number of dice seen to roll off the tray, and number that lie beside it since.
    fell_off: people said that the missing dice fell off. arm_rests: something rests over the tray, and dice
    may lie under it.
    not_thrown: dice that came to lie there and count as moved or knocked, as they lie.
    still_a_foul: among `handled` are dice that were a foul of hands before, and that only moved since.
    """

    thrown: Dice
    handled: Dice = ()
    left: Dice = ()
    gone: Dice = ()
    last: Dice = ()
    rolled_off: int = 0
    beside: int = 0
    fell_off: bool = False
    arm_rests: bool = False
    not_thrown: Dice = ()
    standing: int = 0
    rethrown: Dice = ()
    held: Dice = ()
    still_a_foul: bool = False


@dataclass(frozen=True)
class TrayContext:
    """Other inputs of an interpretation.

    after: the ruling by which some dice of the throw lay there already. last_throw_ids: of the dice of the
    last throw that counted. set_aside: faces of the dice set aside. placed: the game awaits dice that are
    placed, not thrown. fell: these dice lay on the tray already and fell over. told_apart: people said that
    only some of the dice in question were thrown. arm_rests: something rests over the tray, and nobody said
    that no die lies under it.
    """

    after: Rethrow | None = None
    last_throw_ids: tuple[int, ...] = ()
    set_aside: tuple[int, ...] = ()
    placed: bool = False
    fell: bool = False
    rolled_off: int = 0
    beside: int = 0
    fell_off: bool = False
    told_apart: bool = False
    arm_rests: bool = False


def interpretations(tray: Tray, context: TrayContext) -> tuple[Interpretation, ...]:
    """The interpretations of the tray, at least one; the one with the fewest thrown dice comes first."""
    open_dice = _open_dice(tray, context)
    if context.placed:  # a hand that makes room for them moves others
        shown = [
            d for d in open_dice.new if d.came is not TrackOutcome.UNCLEAR or d.was is None or context.fell
        ]
        return (_interpretation(tray, context, shown, open_dice.handled),)
    tumbled, unclear = open_dice.tumbled, open_dice.unclear
    parts = [
        [*tumbled_part, *unclear_part]
        for unclear_part in _distinct([], unclear)
        for tumbled_part in _distinct([], _not_aside(tumbled, context.set_aside), tumbled)
    ]
    return tuple(_with_thrown(tray, context, open_dice, part) for part in parts)


def mixed_interpretations(
    tray: Tray, context: TrayContext, together: Iterable[Interpretation]
) -> tuple[Interpretation, ...]:
    """The interpretations in which some of the dice in question were thrown, and others were not.

    together: the interpretations of the tray, see there. The ones with the fewest thrown dice come first. A
    set-aside die is none of the thrown ones.
    """
    open_dice = _open_dice(tray, context)
    loose = _not_aside([*open_dice.tumbled, *open_dice.unclear], context.set_aside)
    if context.placed or len(loose) > MAX_TOLD_APART:
        return ()
    parts = [list(part) for n in range(1, len(loose) + 1) for part in combinations(loose, n)]
    all_alike = [ids(i.thrown) for i in together]
    mixed = (_with_thrown(tray, context, open_dice, part) for part in parts)
    return tuple(m for m in mixed if ids(m.thrown) not in all_alike)


@dataclass(frozen=True)
class _OpenDice:
    """The undecided dice by how they came.

    handled: a hand laid them down or turned them; new: all others. Of these, `thrown` were surely thrown;
    tumbled, unclear: dice in question.
    """

    handled: list[LyingDie]
    new: list[LyingDie]
    thrown: list[LyingDie]
    tumbled: list[LyingDie]
    unclear: list[LyingDie]


def _open_dice(tray: Tray, context: TrayContext) -> _OpenDice:
    undecided = [d for d in tray.open if not _is_standing(d, context)]
    handled = [d for d in undecided if d.came in BY_HAND and not context.placed]
    new = [d for d in undecided if d not in handled]
    tumbled = [d for d in new if d.came is TrackOutcome.THROWN and d.was is not None]
    unclear = [d for d in new if d.came is TrackOutcome.UNCLEAR]
    thrown = [d for d in new if d not in tumbled and d not in unclear]
    if not thrown:
        thrown, tumbled = tumbled, []
    return _OpenDice(handled, new, thrown, tumbled, unclear)


def _with_thrown(
    tray: Tray, context: TrayContext, open_dice: _OpenDice, part: Collection[LyingDie]
) -> Interpretation:
    """The interpretation in which this part of the dice in question was thrown."""
    thrown = [d for d in open_dice.new if d in open_dice.thrown or d in part]
    return _interpretation(tray, context, thrown, open_dice.handled)


def _is_standing(die: LyingDie, context: TrayContext) -> bool:
    return context.after is not None and die.id in context.after.good


def _distinct(*parts: list[LyingDie]) -> list[list[LyingDie]]:
    """The distinct parts, the smaller first."""
    return [part for i, part in enumerate(parts) if part not in parts[:i]]


def _not_aside(dice: Sequence[LyingDie], aside: Sequence[int]) -> list[LyingDie]:
    """The dice that were not set aside, as far as their faces tell."""
    rest = Counter(aside)
    not_aside: list[LyingDie] = []
    for die in dice:
        if die.was is not None and rest[die.was.face] > 0:
            rest[die.was.face] -= 1
        else:
            not_aside.append(die)
    return not_aside


def _interpretation(
    tray: Tray, context: TrayContext, thrown: Sequence[LyingDie], handled: Sequence[LyingDie]
) -> Interpretation:
    thrown_ids, handled_ids = ids(thrown), ids(handled)
    not_thrown = tuple(
        d.unthrown()
        for d in tray.open
        if d.id not in thrown_ids and d.id not in handled_ids and not _is_standing(d, context)
    )
    laid_back = tuple(d.unthrown() for d in handled if d.was is not None)
    still = tuple(d for d in tray.all_dice if not d.open or _is_standing(d, context))
    lying = (*still, *not_thrown, *laid_back)
    held = () if context.placed else _held_dice(tray, context.after, len(thrown))
    standing = standing_dice((*lying, *held), context.after, context.placed)
    others = tuple(d for d in lying if d not in standing)
    undecided = tuple(d for d in not_thrown if d.open and d not in standing)
    handled_before = tuple(d for d in undecided if d.came in BY_HAND and not context.placed)
    return Interpretation(
        thrown=(*standing, *(d for d in undecided if d not in handled_before), *thrown),
        handled=(*handled, *handled_before),
        left=tuple(d for d in others if not d.open and not d.ignored),
        gone=tuple(d for d in tray.lifted if not d.open and not d.taken_off),
        last=tuple(d for d in others if d.id in context.last_throw_ids),
        rolled_off=context.rolled_off,
        beside=context.beside,
        fell_off=context.fell_off,
        arm_rests=context.arm_rests,
        not_thrown=not_thrown,
        standing=len(standing),
        rethrown=_rethrown_dice(tray, context.after, len(thrown)),
        held=held if standing else (),
        still_a_foul=bool(handled_before),
    )


def standing_dice(lying: Iterable[LyingDie], after: Rethrow | None, placed: bool = False) -> Dice:
    """The dice of earlier acts that belong to the throw: those that stood, if all of them still lie there.

    placed: the game awaits dice that are placed, one after the other: those count that still lie there.
    """
    if after is None:
        return ()
    by_id = {d.id: d for d in lying}
    still = tuple(by_id[i] for i in after.good if i in by_id)
    return still if placed or len(still) == len(after.good) else ()


def _rethrown_dice(tray: Tray, after: Rethrow | None, thrown_count: int) -> Dice:
    """The dice that stood and were picked up, if more dice were thrown than were to be thrown again."""
    if after is None or thrown_count <= after.missing:
        return ()
    stood = tuple(d for d in tray.lifted if d.id in after.good)
    return tuple(d for d in stood if d.id not in after.held) or stood


def _held_dice(tray: Tray, after: Rethrow | None, thrown_count: int) -> Dice:
    """The dice that stood and are in a hand, if no more were thrown than were to be thrown again."""
    if after is None or not 0 < thrown_count <= after.missing:
        return ()
    return tuple(d for d in tray.lifted if d.id in after.good)


def as_interpreted(tray: Tray, chosen: Interpretation) -> Tray:
    """The tray under this interpretation: dice that were not thrown lie there as they are."""
    by_track = {d.track: d for d in chosen.not_thrown}
    return tray.map_dice(lambda d: by_track[d.track] if d.open and d.track in by_track else d)
