"""What lies on the tray, against what lay there before: which dice were left and which were thrown.

A die lying where and as it lay before was left; any other die now on the tray was thrown. Dice can be hidden for a moment, by a hand
resting over them, and come back into view: what went out of sight since the last throw is remembered, so that it is not taken for
a throw when it is seen again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from vision.reading import SeenDie

SAME_PLACE = 0.3
"""Of a die's side: centres nearer than this are the same place. Boxes of a die at rest wander by under 0.1 of a side from frame
to frame; a die that was picked up and thrown lands this near by chance about once in 300 throws on a tray ten dice wide, and then
mostly with another face."""

STACKED_SHARE = 0.45
"""Of the smaller of two boxes: where more of it lies within the other, one die lies on the other. Upright boxes round two turned dice
that merely touch share up to a third."""


@dataclass(frozen=True)
class LyingDie:
    """A die on the tray. id: the same as long as it is not moved. face: what it counts as; a person may have corrected the reading."""

    id: int
    seen: SeenDie
    face: int


@dataclass(frozen=True)
class Change:
    """left: dice not moved. thrown: dice that are new, in reading order. gone: dice no longer seen."""

    left: tuple[LyingDie, ...]
    thrown: tuple[LyingDie, ...]
    gone: tuple[LyingDie, ...]


class Tray:
    """The referee's memory of the tray."""

    def __init__(self, lying: Iterable[tuple[SeenDie, int]] = ()) -> None:
        """`lying`: dice known to have lain there, each with the face it counts as."""
        self._ids = count()
        self.lying = tuple(LyingDie(next(self._ids), seen, face) for seen, face in lying)
        self._hidden: tuple[LyingDie, ...] = ()
        self._before = self.lying

    def settle(self, dice: Sequence[SeenDie], moved: bool) -> Change:
        """Takes in a settled reading. Where nothing moved since the last one it replaces that one, and is compared with what that
        one was compared with."""
        if moved:
            self._before = (*self.lying, *self._hidden)
        found = self._compared(dice)
        self.lying = (*found.left, *found.thrown)
        self._hidden = found.gone
        return found

    def forget_hidden(self) -> None:
        """A throw was ruled on: dice that were out of sight are not expected back."""
        self._hidden = ()

    def recount(self, faces: dict[int, int]) -> None:
        """From now on the dice with these ids count as these faces."""
        self.lying = tuple(replace(d, face=faces.get(d.id, d.face)) for d in self.lying)

    def _compared(self, dice: Sequence[SeenDie]) -> Change:
        unmatched = list(self._before)
        left: list[LyingDie] = []
        thrown: list[LyingDie] = []
        for die in dice:
            was = _nearest(die, unmatched)
            if was is None:
                thrown.append(LyingDie(next(self._ids), die, die.face))
            else:
                unmatched.remove(was)
                left.append(replace(was, seen=replace(die, face=was.seen.face, sure=was.seen.sure)))
        return Change(tuple(left), tuple(thrown), tuple(unmatched))


def not_moved(was: SeenDie, now: SeenDie) -> bool:
    """Whether `now` is the die `was`, lying as it lay. The face as it was *read* counts, so that a die whose reading was corrected
    is still known; where either reading is not sure, the place alone decides."""
    (x0, y0), (x1, y1) = was.centre_xy, now.centre_xy
    near = ((x0 - x1) ** 2 + (y0 - y1) ** 2) ** 0.5 <= SAME_PLACE * (was.side + now.side) / 2
    return near and (was.face == now.face or not (was.sure and now.sure))


def _nearest(die: SeenDie, among: Sequence[LyingDie]) -> LyingDie | None:
    x, y = die.centre_xy

    def distance(other: LyingDie) -> float:
        return (other.seen.centre_xy[0] - x) ** 2 + (other.seen.centre_xy[1] - y) ** 2

    return min((d for d in among if not_moved(d.seen, die)), key=distance, default=None)


def stacked_dice(dice: Sequence[LyingDie]) -> frozenset[int]:
    """ids of the dice that lie on one another, as far as both are seen."""
    pairs = [(a, b) for a in dice for b in dice if a.id < b.id and _shared(a.seen, b.seen) > STACKED_SHARE]
    return frozenset(die.id for pair in pairs for die in pair)


def _shared(a: SeenDie, b: SeenDie) -> float:
    """Share of the smaller box that lies within the other."""
    (ax, ay, aw, ah), (bx, by, bw, bh) = a.box_xywh, b.box_xywh
    w = min(ax + aw, bx + bw) - max(ax, bx)
    h = min(ay + ah, by + bh) - max(ay, by)
    return max(0.0, w) * max(0.0, h) / max(1e-9, min(aw * ah, bw * bh))
