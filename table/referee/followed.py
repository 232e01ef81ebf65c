"""Changes on the tray since it was last settled: tracks of the vision pipeline, matched with the known dice.

This module does not decide who threw what. Dice that need a decision stay open, with how they came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from table.referee.tray import LyingDie, Tray
from vision.readings import SeenDie
from vision.tracking.tracks import LossReason, Track, TrackOutcome, Tracks

FOUND_NEAR = 0.6
"""Matching distance, in sides of a die: after an unobserved interval, a die with the same face within this
distance of a known die is that die. Tidying moves dice further, but a die that is not recognised only has to
be thrown again; so the distance may be small."""

QUIET = frozenset({TrackOutcome.LAY, TrackOutcome.MOVED, TrackOutcome.TIPPED, TrackOutcome.FOUND})
"""Fates that bring no new die."""


@dataclass(frozen=True)
class Followed:
    """The tray as it lies now, and how it changed.

    came: ids of open dice that came to lie there. moved: dice pushed, knocked or tidied. tipped: dice that
    tipped over and count as before. back: dice laid back as they lay. found: ids of unknown dice that came
    unseen. rolled_out: number of dice seen to leave the tray on their own.
    """

    tray: Tray
    came: tuple[int, ...] = ()
    moved: tuple[LyingDie, ...] = ()
    tipped: tuple[LyingDie, ...] = ()
    back: tuple[LyingDie, ...] = ()
    found: tuple[int, ...] = ()
    rolled_out: int = 0


def followed(before: Tray, tracks: Tracks, matters: Callable[[LyingDie], bool], shown: bool = False, fell: bool = False) -> Followed:
    """The tray and its changes after the tracks of a settled tray. matters: whether a lying die still matters
    to the game. shown: the game awaits dice that are placed, so a laid die is one of them. fell: those dice
    lay there already, so they may have moved."""
    return _Following(before, tracks, matters, shown, fell).all()


class _Following:
    """One pass over the tracks. `_left`: the known dice that no track is matched with yet."""

    def __init__(self, before: Tray, tracks: Tracks, matters: Callable[[LyingDie], bool], shown: bool, fell: bool) -> None:
        self._before, self._tracks, self._matters, self._shown, self._fell = before, tracks, matters, shown, fell
        self._left = {d.track: d for d in (*before.lifted, *before.covered, *before.lying)}
        self._by_number = {t.id for t in tracks.dice}
        self._quiet = all(t.outcome in QUIET for t in tracks.dice)
        self._flew = any(t.outcome is TrackOutcome.THROWN for t in tracks.dice)
        self._next_id = before.next_id
        self._picked_up: list[LyingDie] = []
        self._moved: list[LyingDie] = []
        self._tipped: list[LyingDie] = []
        self._back: list[LyingDie] = []
        self._no_dice: list[LyingDie] = []

    def all(self) -> Followed:
        seen = [t for t in self._tracks.dice if not self._is_no_die(t)]
        now = {t.id: self._one(t) for t in seen if t.outcome is not TrackOutcome.FOUND}
        known = self._found_again([t for t in seen if t.outcome is TrackOutcome.FOUND])
        now |= {t.id: known.get(t.id) or self._new(t.seen, t.id) for t in seen if t.outcome is TrackOutcome.FOUND}
        lying = tuple(now[t.id] for t in seen)
        tray = replace(self._without(lying), no_dice=tuple(self._no_dice), next_id=self._next_id)
        return Followed(
            tray,
            tuple(d.id for d in lying if d.open and d.id >= self._before.next_id),
            tuple(self._moved),
            tuple(self._tipped),
            tuple(self._back),
            tuple(now[t.id].id for t in seen if t.outcome is TrackOutcome.FOUND and t.id not in known),
            sum(g.reason is LossReason.ROLLED_OUT for g in self._tracks.lost),
        )

    def _without(self, lying: tuple[LyingDie, ...]) -> Tray:
        """The tray with these dice lying, and with the missing dice as covered or lifted."""
        here = {d.id for d in lying}
        how = {g.id: g.reason for g in self._tracks.lost}
        rest = [d for d in self._left.values() if d.id not in here]
        was_covered = {d.id for d in self._before.covered}
        covered = [d for d in rest if how.get(d.track) is LossReason.COVERED or (d.track not in how and d.id in was_covered)]
        lifted = [d for d in rest if d not in covered and how.get(d.track) is not LossReason.ROLLED_OUT]
        lifted += [d for d in self._picked_up if d.id not in here]
        return Tray(lying, tuple(covered), tuple(lifted))

    def _is_no_die(self, track: Track) -> bool:
        """Whether people said that this is no die. A die that is read surely is a die all the same."""
        same = next((d for d in self._before.no_dice if d.track == track.id), None)
        if same is None or track.seen.sure:
            return False
        self._no_dice.append(same)
        return True

    def _one(self, track: Track) -> LyingDie:
        match track.outcome:
            case TrackOutcome.THROWN:
                return self._thrown(track)
            case TrackOutcome.LAID:
                return self._laid(track)
        die = self._known(track)
        if die is None:
            came = track.outcome if track.outcome is TrackOutcome.UNCLEAR else TrackOutcome.LAY
            return self._new(track.seen, track.id, came)
        match track.outcome:
            case TrackOutcome.MOVED if track.lifted and self._flew:  # perhaps part of the throw, with the same face by chance
                return self._new(track.seen, track.id, TrackOutcome.UNCLEAR, die)
            case TrackOutcome.MOVED:
                return self._moved_on(die, track)
            case TrackOutcome.TIPPED:
                return self._tipped_over(die, track)
            case TrackOutcome.TURNED:
                return self._turned(die, track)
            case TrackOutcome.UNCLEAR:
                return self._new(track.seen, track.id, TrackOutcome.UNCLEAR, die)
            case _:
                return (die.read_again if self._quiet else die.moved_to)(track.seen)

    # -- each fate -----------------------------------------------------------------------------------------------------------

    def _thrown(self, track: Track) -> LyingDie:
        die = self._known(track)
        if die is not None:
            self._picked_up.append(die)
        tumbled = die if track.was is not None and not track.lifted else None
        return self._new(track.seen, track.id, TrackOutcome.THROWN, tumbled)

    def _laid(self, track: Track) -> LyingDie:
        die = self._known(track)
        if self._shown and (die is None or not die.open):
            return self._new(track.seen, track.id, TrackOutcome.LAID)
        if die is None or not _shows(die, track.seen):
            die = self._put_back(track.seen) or die
        return self._new(track.seen, track.id, TrackOutcome.LAID) if die is None else self._handled(die, track)

    def _turned(self, die: LyingDie, track: Track) -> LyingDie:
        if die.open or self._matters(die):
            return self._handled(die, track)
        return replace(die, seen=track.seen, face=track.seen.face, told=False)

    def _handled(self, die: LyingDie, track: Track) -> LyingDie:
        """A die that a hand laid down or turned. If it shows its earlier face again, it lies as it lay."""
        by_hand = die.came in (TrackOutcome.LAID, TrackOutcome.TURNED)
        before = die.was if by_hand and die.was else die
        if _shows(before, track.seen):
            self._back.append(before)
            return replace(before.moved_to(track.seen), track=track.id)
        if die.open and not by_hand:  # the first reading stands
            return replace(die, track=track.id, seen=replace(die.seen, box_xywh=track.seen.box_xywh))
        return self._new(track.seen, track.id, track.outcome, None if before.open else before)

    def _moved_on(self, die: LyingDie, track: Track) -> LyingDie:
        self._moved.append(die)
        if self._fell and not die.open:
            return self._new(track.seen, track.id, TrackOutcome.MOVED, die)
        now = die.moved_to(track.seen)
        return replace(now, seen=replace(now.seen, cocked=die.seen.cocked))

    def _tipped_over(self, die: LyingDie, track: Track) -> LyingDie:
        if die.open or not self._matters(die):
            return replace(die, seen=track.seen, face=track.seen.face, told=False)
        if _shows(die, track.seen):
            return die.moved_to(track.seen)
        self._tipped.append(die)
        return replace(die, seen=replace(die.seen, box_xywh=track.seen.box_xywh), told=True)

    # -- which die it is -----------------------------------------------------------------------------------------------------

    def _new(self, seen: SeenDie, track: int, came: TrackOutcome = TrackOutcome.LAY, was: LyingDie | None = None) -> LyingDie:
        self._next_id += 1
        return LyingDie(self._next_id - 1, track, seen, seen.face, came, was)

    def _known(self, track: Track) -> LyingDie | None:
        """The known die of this track: the one with its number, otherwise the one that lay in its place."""
        if track.id in self._left:
            return self._left.pop(track.id)
        was = track.was
        if was is None:
            return None
        free = [d for d in self._left.values() if d.track not in self._by_number and _distance(d.seen, was) <= was.side / 2]
        return self._take(min(free, key=lambda d: _distance(d.seen, was), default=None))

    def _put_back(self, seen: SeenDie) -> LyingDie | None:
        """A die that was picked up with the face that this one shows now."""
        covered = {g.id for g in self._tracks.lost if g.reason is LossReason.COVERED} | {d.track for d in self._before.covered}
        away = [d for d in self._left.values() if d.track not in self._by_number and d.track not in covered]
        return self._take(next((d for d in (*away, *self._picked_up) if d.face == seen.face and _coloured_alike(d.seen, seen)), None))

    def _take(self, die: LyingDie | None) -> LyingDie | None:
        if die is not None:
            self._left.pop(die.track, None)
            self._picked_up = [d for d in self._picked_up if d.id != die.id]
        return die

    def _found_again(self, found: Sequence[Track]) -> dict[int, LyingDie]:
        """Known dice by track number: first those in their places, then any that look the same."""
        known: dict[int, LyingDie] = {}
        for near in (True, False):
            for track, die in sorted(((t, d) for t in found for d in self._left.values()), key=_apart):
                if track.id in known or die.track not in self._left:
                    continue
                if _shows(die, track.seen) and _coloured_alike(die.seen, track.seen) and (not near or _near(die.seen, track.seen)):
                    known[track.id] = replace(die.moved_to(track.seen), track=track.id)
                    del self._left[die.track]
        return known


def faces(dice: Iterable[LyingDie]) -> Counter[int]:
    return Counter(d.face for d in dice)


def _apart(pair: tuple[Track, LyingDie]) -> float:
    return _distance(pair[0].seen, pair[1].seen)


def _shows(die: LyingDie, now: SeenDie) -> bool:
    """Whether the die may show this face. A corrected die may be misread again, or be read rightly now."""
    return now.face in (die.seen.face, die.face) or not now.sure or not die.sure


def _coloured_alike(was: SeenDie, now: SeenDie) -> bool:
    return was.colour == now.colour or not (was.sure and now.sure)


def _near(was: SeenDie, now: SeenDie) -> bool:
    return _distance(was, now) <= FOUND_NEAR * (was.side + now.side) / 2


def _distance(a: SeenDie, b: SeenDie) -> float:
    (ax, ay), (bx, by) = a.centre_xy, b.centre_xy
    return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)
