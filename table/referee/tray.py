"""The dice on the tray, and which of them are still open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from table.rules.answers import FACES
from vision.readings import SeenDie, on_one_another
from vision.tracking.tracks import TrackOutcome

MIN_CHANCE = 0.05
"""Minimum chance of a possible face of a leaning die; the two likeliest faces are always possible. The
classifier's calibrated chances leave one in twenty to other faces of a die that is just not sure
(vision.readings.CONFIDENCE_THRESHOLD)."""


@dataclass(frozen=True)
class LyingDie:
    """A die on the tray.

    id: constant until it is thrown again. track: its number in the vision pipeline.
    seen: as it was read. face: the face it counts as; a person may have given another.
    came: how it came to lie there since the last decision; UNMOVED if nothing is left to decide.
    was: the die as it lay before, if it was on the tray already; known while `came` is not UNMOVED.
    face_fixed: `face` stands, whatever is read. said_to_lean: what a person said of it; None: nothing.
    ignored: it was thrown while another throw was in doubt, and belongs to no throw. void: it came in a throw
    that did not count, and no throw has counted since. taken_off: it was set aside and taken off the tray, as
    is allowed, so that it is none of the next throw.
    """

    id: int
    track: int
    seen: SeenDie
    face: int
    came: TrackOutcome = TrackOutcome.UNMOVED
    was: LyingDie | None = None
    face_fixed: bool = False
    said_to_lean: bool | None = None
    ignored: bool = False
    void: bool = False
    taken_off: bool = False

    @property
    def open(self) -> bool:
        """Whether it is still undecided how the die came there."""
        return self.came is not TrackOutcome.UNMOVED

    @property
    def sure(self) -> bool:
        return self.face_fixed or self.seen.sure

    @property
    def leans(self) -> bool:
        return self.seen.cocked if self.said_to_lean is None else self.said_to_lean

    @property
    def possible(self) -> frozenset[int]:
        """The faces that the reading leaves possible; all six if it names fewer than two."""
        if len(self.seen.likely) < 2:
            return frozenset(FACES)
        return frozenset(f for i, (f, chance) in enumerate(self.seen.likely) if i < 2 or chance >= MIN_CHANCE)

    def closed(self) -> LyingDie:
        """The die without an open decision. A die that was not thrown counts as the face it showed before."""
        if self.was is not None and self.came is not TrackOutcome.THROWN:
            return self.unthrown().closed()
        return replace(self, came=TrackOutcome.UNMOVED, was=None)

    def unthrown(self) -> LyingDie:
        """The die as it was before it was thrown or moved, where it lies now."""
        if self.was is None:
            return replace(self, came=TrackOutcome.UNMOVED)
        if self.came is TrackOutcome.UNCLEAR and self.was.came is TrackOutcome.UNCLEAR:
            return replace(self, was=self.was.was).unthrown()
        face_fixed = self.was.face_fixed or self.seen.face != self.was.seen.face
        return replace(self.was.lying_at(self.seen), track=self.track, face_fixed=face_fixed)

    def moved_to(self, now: SeenDie) -> LyingDie:
        """The same die in another place. Its reading stands, unless it was not sure and the new one is."""
        if now.sure and not self.sure:
            return replace(self, seen=replace(now, cocked=now.cocked and self.seen.cocked), face=now.face)
        kept = replace(
            now,
            face=self.seen.face,
            sure=self.seen.sure,
            likely=self.seen.likely,
            confidence=self.seen.confidence,
        )
        return replace(self, seen=replace(kept, cocked=now.cocked and self.seen.cocked))

    def lying_at(self, now: SeenDie) -> LyingDie:
        """The same die with its own reading, where it lies now: it may have been turned meanwhile."""
        return replace(self, seen=replace(self.seen, box_xywh=now.box_xywh))

    def read_again(self, now: SeenDie) -> LyingDie:
        """The same die read again while nothing moved. An open die takes the newer reading."""
        if self.open and not self.face_fixed:
            return replace(self, seen=now, face=now.face)
        return self.moved_to(now)


@dataclass(frozen=True)
class Tray:
    """The referee's memory of the tray.

    lying: the dice seen. covered: dice under a hand, expected back. lifted: dice picked up since a throw
    counted. no_dice: objects that people said are no dice. next_id: of the next new die.
    """

    lying: tuple[LyingDie, ...] = ()
    covered: tuple[LyingDie, ...] = ()
    lifted: tuple[LyingDie, ...] = ()
    no_dice: tuple[LyingDie, ...] = ()
    next_id: int = 0

    @classmethod
    def of(cls, lying: Iterable[tuple[SeenDie, int]]) -> Tray:
        """A tray with these dice and the faces they count as.

        The vision pipeline has no number for them yet.
        """
        dice = tuple(LyingDie(i, -1 - i, seen, face, face_fixed=True) for i, (seen, face) in enumerate(lying))
        return cls(dice, next_id=len(dice))

    @property
    def all_dice(self) -> tuple[LyingDie, ...]:
        """All dice on the tray, seen or covered."""
        return (*self.lying, *self.covered)

    @property
    def open(self) -> tuple[LyingDie, ...]:
        """The open dice, wherever they are now."""
        return tuple(d for d in (*self.lying, *self.covered, *self.lifted) if d.open)

    def decided(self, except_ids: Collection[int] = (), stood: Collection[int] = ()) -> Tray:
        """The tray in which only the dice with the ids `except_ids` are still open. stood: ids of dice of a
        throw that is not complete: they stay in it, even those that may have lain there before."""

        def decided(die: LyingDie) -> LyingDie:
            if die.id in except_ids:
                return die
            return (replace(die, was=None) if die.id in stood else die).closed()

        return self.map_dice(decided)

    def after_throw(self, beside: Collection[int]) -> Tray:
        """The tray after a throw counted.

        Of the lifted dice only the set-aside ones, with the faces `beside`, may be put back.
        """
        rest, kept = list(beside), list[LyingDie]()
        for die in self.lifted:
            if die.face in rest:
                rest.remove(die.face)
                kept.append(replace(die, taken_off=True))
        rest_lies = replace(self, covered=(), lifted=tuple(kept)).decided()
        return rest_lies.map_dice(lambda d: replace(d, void=False))

    def void(self) -> Tray:
        """The tray after a throw that did not count."""
        return self.map_dice(lambda d: replace(d, void=d.void or d.came is TrackOutcome.THROWN))

    def with_faces(self, faces: Mapping[int, int]) -> Tray:
        """The tray in which the dice with these ids count as these faces, because a person says so."""

        def counting(die: LyingDie) -> LyingDie:
            if die.id in faces:
                return replace(die, face=faces[die.id], face_fixed=True)
            return replace(die, was=counting(die.was)) if die.was else die

        return self.map_dice(counting)

    def with_shown(self, dice: Iterable[tuple[SeenDie, int]]) -> Tray:
        """The tray in which these dice are undecided where they lie.

        dice: with their numbers in the vision pipeline.
        """
        new = tuple(
            LyingDie(i, track, seen, seen.face, TrackOutcome.MOVED)
            for i, (seen, track) in enumerate(dice, start=self.next_id)
        )
        tracks = {d.track for d in new}
        rest = tuple(d for d in self.lying if d.track not in tracks)
        return replace(self, lying=(*rest, *new), next_id=self.next_id + len(new))

    def with_lean(self, ids: Collection[int], leans: bool) -> Tray:
        """The tray in which these dice lean, or lie flat, because a person says so."""
        return self.map_dice(lambda d: replace(d, said_to_lean=leans) if d.id in ids else d)

    def not_thrown(self, ids: Collection[int]) -> Tray:
        """The tray in which these are no dice of the throw.

        A die that was read surely stays there. Any other is no die, and does not count as one again unless it
        is read surely.
        """
        no_dice = tuple(d for d in self.lying if d.id in ids and not d.seen.sure)
        rest = replace(
            self,
            lying=tuple(d for d in self.lying if d not in no_dice),
            lifted=tuple(d for d in self.lifted if d.id not in ids),
            no_dice=(*self.no_dice, *no_dice),
        )
        return rest.map_dice(lambda d: d.closed() if d.id in ids else d)

    def doubt_resolved(self, ids: Collection[int], thrown: bool) -> Tray:
        """The tray in which these doubted dice were thrown, or were not."""
        return self.map_dice(
            lambda d: (
                d
                if d.id not in ids
                else replace(d, came=TrackOutcome.THROWN, was=None)
                if thrown
                else d.unthrown()
            )
        )

    def map_dice(self, change: Callable[[LyingDie], LyingDie]) -> Tray:
        """The tray with every die changed by this function."""
        lying, covered, lifted = (
            tuple(map(change, dice)) for dice in (self.lying, self.covered, self.lifted)
        )
        return replace(self, lying=lying, covered=covered, lifted=lifted)


def stacked_dice(dice: Collection[LyingDie]) -> frozenset[int]:
    """ids of the dice that lie on one another, as far as both are seen."""
    pairs = [(a, b) for a in dice for b in dice if a.id < b.id and on_one_another(a.seen, b.seen)]
    return frozenset(die.id for pair in pairs for die in pair)


def ids(dice: Iterable[LyingDie]) -> tuple[int, ...]:
    return tuple(d.id for d in dice)
