"""What lies on the tray, and which of it is still to be decided on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from vision.reading import SeenDie, on_one_another
from vision.tracks import Fate

POSSIBLE = 0.05
"""Chance from which a face is held possible for a die that leans; the two likeliest always are. One face in twenty is what the reader's
calibrated chances leave to a die that is just not surely read (vision.reading.CONFIDENCE_THRESHOLD)."""


@dataclass(frozen=True)
class LyingDie:
    """A die on the tray.

    id: the same as long as it is not thrown again. track: the eyes' number for it.
    seen: as it was read. face: what it counts as; a person may have said another.
    came: how it came to lie there since anything was decided; LAY where there is nothing left to decide.
    was: the die as it lay before, of one that was on the tray already; known while `came` is not LAY.
    told: `face` stands whatever is read. flat: a person said that it lies flat. idle: it was thrown while another throw was in doubt,
    and belongs to nothing.
    """

    id: int
    track: int
    seen: SeenDie
    face: int
    came: Fate = Fate.LAY
    was: LyingDie | None = None
    told: bool = False
    flat: bool = False
    idle: bool = False

    @property
    def open(self) -> bool:
        """Whether something is still to be decided about how it came there."""
        return self.came is not Fate.LAY

    @property
    def sure(self) -> bool:
        return self.told or self.seen.sure

    @property
    def leans(self) -> bool:
        return self.seen.cocked and not self.flat

    @property
    def possible(self) -> frozenset[int]:
        """The faces that the eyes hold possible; all six where they name fewer than two."""
        if len(self.seen.likely) < 2:
            return frozenset(range(1, 7))
        return frozenset(f for i, (f, chance) in enumerate(self.seen.likely) if i < 2 or chance >= POSSIBLE)

    def closed(self) -> LyingDie:
        """The die once nothing is to be decided about it. One that was not thrown counts as what it showed before."""
        if self.was is not None and self.came is not Fate.THROWN:
            return self.unthrown().closed()
        return replace(self, came=Fate.LAY, was=None)

    def unthrown(self) -> LyingDie:
        """The die that it was, where it lies now."""
        if self.was is None:
            return replace(self, came=Fate.LAY)
        told = self.was.told or self.seen.face != self.was.seen.face
        return replace(self.was, track=self.track, seen=replace(self.was.seen, box_xywh=self.seen.box_xywh), told=told)

    def moved_to(self, now: SeenDie) -> LyingDie:
        """The same die in another place: what was read of it stands, unless that was not sure and this is."""
        if now.sure and not self.sure:
            return replace(self, seen=replace(now, cocked=now.cocked and self.seen.cocked), face=now.face)
        kept = replace(now, face=self.seen.face, sure=self.seen.sure, likely=self.seen.likely, confidence=self.seen.confidence)
        return replace(self, seen=replace(kept, cocked=now.cocked and self.seen.cocked))

    def read_again(self, now: SeenDie) -> LyingDie:
        """The same die seen once more where nothing moved: while it is open the newer reading is the one that holds."""
        if self.open and not self.told:
            return replace(self, seen=now, face=now.face)
        return self.moved_to(now)


@dataclass(frozen=True)
class Tray:
    """The referee's memory of the tray.

    lying: what is seen. covered: what lies under a hand, and is expected back. lifted: what was picked up since a throw counted.
    no_dice: what people said is no die at all. next_id: of the next die that is new.
    """

    lying: tuple[LyingDie, ...] = ()
    covered: tuple[LyingDie, ...] = ()
    lifted: tuple[LyingDie, ...] = ()
    no_dice: tuple[LyingDie, ...] = ()
    next_id: int = 0

    @classmethod
    def of(cls, lying: Iterable[tuple[SeenDie, int]]) -> Tray:
        """Dice known to have lain there, each with the face it counts as; the eyes have no number for them yet."""
        dice = tuple(LyingDie(i, -1 - i, seen, face, told=True) for i, (seen, face) in enumerate(lying))
        return cls(dice, next_id=len(dice))

    @property
    def here(self) -> tuple[LyingDie, ...]:
        """All that lies there, seen or covered."""
        return (*self.lying, *self.covered)

    @property
    def open(self) -> tuple[LyingDie, ...]:
        """Dice about which something is to be decided, wherever they are now."""
        return tuple(d for d in (*self.lying, *self.covered, *self.lifted) if d.open)

    def decided(self, besides: Collection[int] = ()) -> Tray:
        """The dice on the tray are no longer anybody's throw to come; those with the ids `besides` still are."""
        return self.changed(lambda d: d if d.id in besides else d.closed())

    def thrown_counted(self, beside: Collection[int]) -> Tray:
        """A throw counted: of the dice picked up only those set aside, which show `beside`, may be put back."""
        rest, kept = list(beside), list[LyingDie]()
        for die in self.lifted:
            if die.face in rest:
                rest.remove(die.face)
                kept.append(die)
        return replace(self, covered=(), lifted=tuple(kept)).decided()

    def count_as(self, faces: Mapping[int, int]) -> Tray:
        """From now on the dice with these ids count as these faces, because a person says so."""
        return self.changed(lambda d: replace(d, face=faces[d.id], told=True) if d.id in faces else d)

    def lie_flat(self, ids: Collection[int]) -> Tray:
        """These do not lean, because a person says so."""
        return self.changed(lambda d: replace(d, flat=True) if d.id in ids else d)

    def not_thrown(self, ids: Collection[int]) -> Tray:
        """These are no dice of the throw: one that was surely read lies there all the same; another is no die at all, and is not taken
        for one again unless it is surely read as one."""
        unreal = tuple(d for d in self.lying if d.id in ids and not d.seen.sure)
        rest = replace(
            self,
            lying=tuple(d for d in self.lying if d not in unreal),
            lifted=tuple(d for d in self.lifted if d.id not in ids),
            no_dice=(*self.no_dice, *unreal),
        )
        return rest.changed(lambda d: d.closed() if d.id in ids else d)

    def doubts_ended(self, ids: Collection[int], thrown: bool) -> Tray:
        """These, of which it was not clear whether they were thrown, were; or were not."""
        return self.changed(lambda d: d if d.id not in ids else replace(d, came=Fate.THROWN, was=None) if thrown else d.unthrown())

    def changed(self, change: Callable[[LyingDie], LyingDie]) -> Tray:
        """The tray with every die changed so."""
        lying, covered, lifted = (tuple(map(change, dice)) for dice in (self.lying, self.covered, self.lifted))
        return replace(self, lying=lying, covered=covered, lifted=lifted)


def stacked_dice(dice: Collection[LyingDie]) -> frozenset[int]:
    """ids of the dice that lie on one another, as far as both are seen."""
    pairs = [(a, b) for a in dice for b in dice if a.id < b.id and on_one_another(a.seen, b.seen)]
    return frozenset(die.id for pair in pairs for die in pair)


def ids(dice: Iterable[LyingDie]) -> tuple[int, ...]:
    return tuple(d.id for d in dice)
