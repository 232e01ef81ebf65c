"""What lies on the tray, against what lay there before: which dice were left and which were thrown.

A die lying where and as it lay before was left; any other die now on the tray was thrown, and is *open* until its throw counts or
somebody decides something. Dice can be hidden for a moment, by a hand resting over them, and come back into view: what went out of
sight is remembered until dice are thrown again, so that it is not taken for a throw when it is seen again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from vision.reading import SeenDie, on_one_another

SAME_PLACE = 0.2
"""Of a die's side: centres nearer than this are the same place. Boxes of a die at rest wander by under 0.1 of a side from frame
to frame; of five dice thrown onto a tray twelve dice wide, one lands this near to where one of five lay, with the same face up, in one
throw of about 270."""

KNOCKED = 0.6
"""Of a die's side: one that is brushed or knocked slides about so far and keeps its face. A die that was thrown lands this near to
where it lay, with the same face up, about once in 600 throws."""

CREPT = 0.6
"""Of a die's side: where nothing was seen to move, a die is the one whose old place is nearer than this, whatever is read of it now."""

MOST_NO_DICE = 20
"""Places kept of which people said that no die lies there."""


@dataclass(frozen=True)
class LyingDie:
    """A die on the tray.

    id: the same as long as it is not thrown again. seen: as it was read. face: what it counts as; a person may have said another.
    open: it was thrown, and nothing was decided since. told: a person said its face. flat: a person said that it lies flat.
    """

    id: int
    seen: SeenDie
    face: int
    open: bool = False
    told: bool = False
    flat: bool = False

    @property
    def sure(self) -> bool:
        return self.told or self.seen.sure

    @property
    def leans(self) -> bool:
        return self.seen.cocked and not self.flat


@dataclass(frozen=True)
class Change:
    """A settled tray against the one before.

    left: dice not thrown. thrown: dice that are new, in reading order. gone: dice no longer seen.
    back: those of `left` that had been out of sight.
    knocked: those of `thrown` that show what one of `gone` showed, almost where it lay, each with that one.
    turned: those of `thrown` that lie exactly where one of `gone` lay, and show another face.
    """

    left: tuple[LyingDie, ...] = ()
    thrown: tuple[LyingDie, ...] = ()
    gone: tuple[LyingDie, ...] = ()
    back: tuple[LyingDie, ...] = ()
    knocked: tuple[tuple[LyingDie, LyingDie], ...] = ()
    turned: tuple[LyingDie, ...] = ()


class Tray:
    """The referee's memory of the tray."""

    def __init__(self, lying: Iterable[tuple[SeenDie, int]] = ()) -> None:
        """`lying`: dice known to have lain there, each with the face it counts as."""
        self._ids = count()
        self.lying = tuple(LyingDie(next(self._ids), seen, face, told=True) for seen, face in lying)
        self.hidden: tuple[LyingDie, ...] = ()
        self._undecided = True
        self._no_dice: tuple[SeenDie, ...] = ()

    @property
    def open(self) -> tuple[LyingDie, ...]:
        """The dice on the tray that were thrown since anything was decided."""
        return tuple(d for d in self.lying if d.open)

    def settle(self, dice: Sequence[SeenDie], moved: bool) -> Change:
        """Takes in a settled reading. Where nothing moved it is another look at the same dice."""
        if moved:
            self._no_dice = tuple(place for place in self._no_dice if any(_near(d, place, SAME_PLACE) for d in dice))
        dice = [d for d in dice if d.sure or not any(_near(d, place, SAME_PLACE) for place in self._no_dice)]
        change = self._after_movement(dice) if moved else self._looked_again(dice)
        self.take(change)
        return change

    def now(self) -> Change:
        """The tray as it lies, the open dice as those that were thrown."""
        left, thrown = tuple(d for d in self.lying if not d.open), self.open
        return Change(left, thrown, self.hidden, (), _knocked(thrown, self.hidden), _turned(thrown, self.hidden))

    def take(self, change: Change) -> None:
        """This is what happened."""
        self.lying = (*change.left, *change.thrown)
        self.hidden = change.gone

    def decided(self) -> None:
        """The dice on the tray are no longer anybody's throw to come."""
        self.lying, self.hidden = _closed(self.lying), _closed(self.hidden)
        self._undecided = False

    def forget_hidden(self) -> None:
        """A throw counted: dice that were out of sight are not expected back."""
        self.hidden = ()

    def count_as(self, faces: Mapping[int, int]) -> None:
        """From now on the dice with these ids count as these faces, because a person says so."""
        self.lying, self.hidden = _told(self.lying, faces), _told(self.hidden, faces)

    def lie_flat(self, ids: Iterable[int]) -> None:
        """These do not lean, because a person says so."""
        flat = set(ids)
        self.lying = tuple(replace(d, flat=True) if d.id in flat else d for d in self.lying)

    def not_thrown(self, ids: Iterable[int]) -> None:
        """These are no dice of the throw: one that was surely read lies there all the same; another is no die at all, and what is seen
        there is not taken for one again before the place was seen empty, unless it is surely a die."""
        wrong = set(ids)
        unreal = [d for d in self.lying if d.id in wrong and not d.seen.sure]
        self._no_dice = (*self._no_dice, *(d.seen for d in unreal))[-MOST_NO_DICE:]
        self.lying = tuple(replace(d, open=False) if d.id in wrong else d for d in self.lying if d not in unreal)

    def views(self, found: Change) -> tuple[Change, ...]:
        """What may have happened, likeliest first: dice that were only knocked were not thrown, and dice that had been out of sight
        may have been."""
        untouched = self._knocked_only(found)
        if untouched is not None and not untouched.thrown:
            return (untouched,)
        thrown_again = self._thrown_again(found)
        return tuple(view for view in (found, untouched, thrown_again) if view is not None)

    def _knocked_only(self, found: Change) -> Change | None:
        if not found.knocked:
            return None
        was = {now.id: was for now, was in found.knocked}
        still = tuple(_seen_again(was[d.id], d.seen) for d in found.thrown if d.id in was)
        return Change(
            (*found.left, *still),
            tuple(d for d in found.thrown if d.id not in was),
            tuple(d for d in found.gone if d not in was.values()),
            knocked=found.knocked,
        )

    def _thrown_again(self, found: Change) -> Change | None:
        if not found.back:
            return None
        left = tuple(d for d in found.left if d not in found.back)
        return Change(left, (*found.thrown, *(self._new(d.seen) for d in found.back)), found.gone)

    def _after_movement(self, dice: Sequence[SeenDie]) -> Change:
        self._undecided = True
        before = (*self.lying, *self.hidden)
        out_of_sight = {d.id for d in self.hidden}
        pairs = _paired(dice, before, lambda was, now: not_moved(was, now) and (was.id not in out_of_sight or _like(was, now)))
        left = tuple(_seen_again(pairs[i], die) for i, die in enumerate(dice) if i in pairs)
        thrown = tuple(self._new(die) for i, die in enumerate(dice) if i not in pairs)
        here = {d.id for d in left}
        if not thrown:
            back = tuple(d for d in left if d.id in out_of_sight)
            return Change(left, (), tuple(d for d in before if d.id not in here), back)
        gone = tuple(d for d in self.lying if d.id not in here)
        left, gone = _closed(left), _closed(gone)
        back = tuple(d for d in left if d.id in out_of_sight)
        return Change(left, thrown, gone, back, _knocked(thrown, gone), _turned(thrown, gone))

    def _looked_again(self, dice: Sequence[SeenDie]) -> Change:
        here = _paired(dice, self.lying, lambda was, now: _near(was.seen, now, CREPT))
        rest = [i for i in range(len(dice)) if i not in here]
        uncovered = _paired([dice[i] for i in rest], self.hidden, lambda was, now: not_moved(was, now) and _like(was, now))
        back = {rest[i]: was for i, was in uncovered.items()}
        left: list[LyingDie] = []
        thrown: list[LyingDie] = []
        for i, die in enumerate(dice):
            now = self._again(here[i], die) if i in here else _seen_again(back[i], die) if i in back else self._new(die)
            (thrown if now.open else left).append(now)
        seen = {d.id for d in (*left, *thrown)}
        gone = tuple(d for d in (*self.lying, *self.hidden) if d.id not in seen and not (d.open and d in self.lying))
        return Change(tuple(left), tuple(thrown), gone, (), _knocked(thrown, gone), _turned(thrown, gone))

    def _new(self, die: SeenDie) -> LyingDie:
        return LyingDie(next(self._ids), die, die.face, open=self._undecided)

    def _again(self, was: LyingDie, die: SeenDie) -> LyingDie:
        """A die seen once more where nothing moved: while it is open the newer reading is the one that holds."""
        if was.open and not was.told:
            return replace(was, seen=die, face=die.face)
        return _seen_again(was, die)


def not_moved(was: LyingDie, now: SeenDie) -> bool:
    """Whether `now` is the die `was`, lying as it lay. A die whose reading was corrected may be misread again, or rightly read now;
    where either reading is not sure, the place alone decides."""
    return _near(was.seen, now, SAME_PLACE) and (_shows(was, now) or not (was.seen.sure and now.sure))


def _shows(was: LyingDie, now: SeenDie) -> bool:
    return now.face in (was.seen.face, was.face)


def _like(was: LyingDie, now: SeenDie) -> bool:
    """Whether a die that comes back into view may be this one: one of another colour was thrown there. Not asked of dice that stayed in
    sight, because a colour may be read now so, now so, as the light changes."""
    return was.seen.colour == now.colour or not (was.seen.sure and now.sure)


def stacked_dice(dice: Sequence[LyingDie]) -> frozenset[int]:
    """ids of the dice that lie on one another, as far as both are seen."""
    pairs = [(a, b) for a in dice for b in dice if a.id < b.id and on_one_another(a.seen, b.seen)]
    return frozenset(die.id for pair in pairs for die in pair)


def _seen_again(was: LyingDie, die: SeenDie) -> LyingDie:
    """The same die with its place as it is now; what was read of it stands, unless that was not sure and this is. One that lay flat
    goes on lying so."""
    cocked = die.cocked and was.seen.cocked
    if die.sure and not was.sure:
        return replace(was, seen=replace(die, cocked=cocked), face=die.face)
    return replace(was, seen=replace(die, face=was.seen.face, sure=was.seen.sure, cocked=cocked))


def _told(dice: Iterable[LyingDie], faces: Mapping[int, int]) -> tuple[LyingDie, ...]:
    return tuple(replace(d, face=faces[d.id], told=True) if d.id in faces else d for d in dice)


def _closed(dice: Iterable[LyingDie]) -> tuple[LyingDie, ...]:
    return tuple(replace(d, open=False) for d in dice)


def _paired(
    dice: Sequence[SeenDie], among: Sequence[LyingDie], same: Callable[[LyingDie, SeenDie], bool]
) -> dict[int, LyingDie]:
    """For the places in `dice` of those that are one of `among`: which one; the nearest pairs first."""
    close = sorted(
        (_distance(was.seen, die), i, j) for i, die in enumerate(dice) for j, was in enumerate(among) if same(was, die)
    )
    pairs: dict[int, LyingDie] = {}
    taken: set[int] = set()
    for _, i, j in close:
        if i not in pairs and j not in taken:
            pairs[i] = among[j]
            taken.add(j)
    return pairs


def _knocked(thrown: Sequence[LyingDie], gone: Sequence[LyingDie]) -> tuple[tuple[LyingDie, LyingDie], ...]:
    """Dice that may only have been knocked: the same face within KNOCKED of where it lay."""
    pairs = _paired([d.seen for d in thrown], gone, lambda was, now: _shows(was, now) and _near(was.seen, now, KNOCKED))
    return tuple((thrown[i], was) for i, was in pairs.items())


def _turned(thrown: Sequence[LyingDie], gone: Sequence[LyingDie]) -> tuple[LyingDie, ...]:
    def same(was: LyingDie, now: SeenDie) -> bool:
        return _near(was.seen, now, SAME_PLACE) and was.seen.colour == now.colour and was.seen.sure and now.sure

    return tuple(thrown[i] for i in _paired([d.seen for d in thrown], gone, same))


def _distance(a: SeenDie, b: SeenDie) -> float:
    (ax, ay), (bx, by) = a.centre_xy, b.centre_xy
    return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)


def _near(a: SeenDie, b: SeenDie, sides: float) -> bool:
    return _distance(a, b) <= sides * (a.side + b.side) / 2
