"""Sights: the interpretations of a settled tray. There is one, unless dice tumbled without being lifted, or
were not clearly thrown.

A die that tumbled across the tray was knocked by the thrown dice, or thrown without being lifted. An unclear
die was thrown or moved. Each sight assumes one of the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from table.referee.tray import LyingDie, Tray, ids
from table.referee.verdicts import Again
from vision.tracking.tracks import TrackOutcome

Dice = tuple[LyingDie, ...]


@dataclass(frozen=True)
class Sight:
    """One interpretation of a settled tray.

    thrown: the dice of the throw; `standing` of them lay there already. handled: dice that a hand laid down
    or turned. left, gone: other dice, still lying and picked up. last: the dice of `left` from the last throw
    that counted.
    rolled_off, beside: number of dice seen to roll off the tray, and number that lie beside it since.
    fell_off: people said that the missing dice fell off.
    not_thrown: dice that came to lie there and count as moved or knocked, as they lie.
    """

    thrown: Dice
    handled: Dice = ()
    left: Dice = ()
    gone: Dice = ()
    last: Dice = ()
    rolled_off: int = 0
    beside: int = 0
    fell_off: bool = False
    not_thrown: Dice = ()
    standing: int = 0


@dataclass(frozen=True)
class Setting:
    """Other inputs of a sight.

    after: the ruling by which some dice of the throw lay there already. last: ids of the dice of the last
    throw that counted. aside: faces of the dice set aside. shown: the game awaits dice that are placed, not
    thrown. fell: these dice lay on the tray already and fell over.
    """

    after: Again | None = None
    last: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()
    shown: bool = False
    fell: bool = False
    rolled_off: int = 0
    beside: int = 0
    fell_off: bool = False


def sights_of(tray: Tray, setting: Setting) -> tuple[Sight, ...]:
    """The interpretations of the tray, at least one; the one with the fewest thrown dice comes first."""
    open_ = [d for d in tray.open if not _stands(d, setting)]
    handled = [d for d in open_ if d.came in (TrackOutcome.LAID, TrackOutcome.TURNED) and not setting.shown]
    coming = [d for d in open_ if d not in handled]
    if setting.shown:  # a hand that makes room for them moves others
        shown = [d for d in coming if d.came is not TrackOutcome.UNCLEAR or d.was is None or setting.fell]
        return (_sight(tray, setting, shown, handled),)
    tumbled = [d for d in coming if d.came is TrackOutcome.THROWN and d.was is not None]
    unclear = [d for d in coming if d.came is TrackOutcome.UNCLEAR]
    flown = [d for d in coming if d not in tumbled and d not in unclear]
    if not flown:
        flown, tumbled = tumbled, []
    parts = [[*some, *others] for others in _sides([], unclear) for some in _sides([], _not_aside(tumbled, setting.aside), tumbled)]
    return tuple(_sight(tray, setting, [d for d in coming if d in flown or d in part], handled) for part in parts)


def _stands(die: LyingDie, setting: Setting) -> bool:
    return setting.after is not None and die.id in setting.after.good


def _sides(*parts: list[LyingDie]) -> list[list[LyingDie]]:
    """The distinct parts, the smaller first."""
    return [part for i, part in enumerate(parts) if part not in parts[:i]]


def _not_aside(dice: Sequence[LyingDie], aside: Sequence[int]) -> list[LyingDie]:
    """The dice that were not set aside, as far as their faces tell."""
    rest = Counter(aside)
    flying: list[LyingDie] = []
    for die in dice:
        face = die.was.face if die.was else die.face
        if rest[face] > 0:
            rest[face] -= 1
        else:
            flying.append(die)
    return flying


def _sight(tray: Tray, setting: Setting, thrown: Sequence[LyingDie], handled: Sequence[LyingDie]) -> Sight:
    flying, hands = ids(thrown), ids(handled)
    not_thrown = tuple(d.unthrown() for d in tray.open if d.id not in flying and d.id not in hands and not _stands(d, setting))
    laid_back = tuple(d.unthrown() for d in handled if d.was is not None)
    still = tuple(d for d in tray.here if not d.open or _stands(d, setting))
    lying = (*still, *not_thrown, *laid_back)
    standing = standing_dice(lying, setting.after)
    others = tuple(d for d in lying if d not in standing)
    return Sight(
        thrown=(*standing, *(d for d in not_thrown if d.open and d not in standing), *thrown),
        handled=tuple(handled),
        left=tuple(d for d in others if not d.open and not d.idle),
        gone=tuple(d for d in tray.lifted if not d.open),
        last=tuple(d for d in others if d.id in setting.last),
        rolled_off=setting.rolled_off,
        beside=setting.beside,
        fell_off=setting.fell_off,
        not_thrown=not_thrown,
        standing=len(standing),
    )


def standing_dice(lying: Iterable[LyingDie], after: Again | None) -> Dice:
    """The dice of earlier acts that belong to the throw: those that stood, if all of them still lie there."""
    if after is None:
        return ()
    by_id = {d.id: d for d in lying}
    return tuple(by_id[i] for i in after.good) if set(after.good) <= by_id.keys() else ()


def as_seen(tray: Tray, sight: Sight) -> Tray:
    """The tray under this sight: dice that were not thrown lie there as they are."""
    by_track = {d.track: d for d in sight.not_thrown}
    return tray.changed(lambda d: by_track[d.track] if d.open and d.track in by_track else d)
