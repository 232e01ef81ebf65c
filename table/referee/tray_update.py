"""Changes on the tray since it was last settled: tracks of the vision pipeline, matched with the known dice.

This module does not decide who threw what. Dice that need a decision stay open, with how they came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from table.referee.tray import LyingDie, Tray, ids
from vision.readings import SeenDie
from vision.tracking.likeness import may_have_same_colour
from vision.tracking.tracks import LossReason, Track, TrackOutcome, Tracks

NO_NEW_DIE = frozenset(
    {TrackOutcome.UNMOVED, TrackOutcome.MOVED, TrackOutcome.TIPPED, TrackOutcome.UNOBSERVED}
)
"""Outcomes of tracks that bring no new die."""


@dataclass(frozen=True)
class TrayUpdate:
    """The tray as it lies now, and how it changed.

    new_ids: ids of open dice that came to lie there. moved: dice pushed, knocked or tidied. tipped: dice that
    tipped over and count as before. put_back: dice laid back as they lay. found_ids: ids of unknown dice
    that came unseen. rolled_out: number of dice seen to leave the tray on their own.
    """

    tray: Tray
    new_ids: tuple[int, ...] = ()
    moved: tuple[LyingDie, ...] = ()
    tipped: tuple[LyingDie, ...] = ()
    put_back: tuple[LyingDie, ...] = ()
    found_ids: tuple[int, ...] = ()
    rolled_out: int = 0


@dataclass(frozen=True)
class GameOnTray:
    """What the game says about dice on the tray.

    matters: whether a lying die still matters to the game. placed: the game awaits dice that are placed, so a
    laid die is one of them, as is one that was taken from the tray and comes back with its face. fell: those
    dice lay there already, so they may have moved. stood: ids of the dice that stand by the ruling before; of
    several lifted dice with the same face, these are put back first. passed: the dice belong to the next
    player now, so a hand may pass them over the tray, with any face up.
    """

    matters: Callable[[LyingDie], bool]
    placed: bool = False
    fell: bool = False
    stood: Collection[int] = ()
    passed: bool = False


def update_tray(before: Tray, tracks: Tracks, game: GameOnTray) -> TrayUpdate:
    """The tray and its changes after the tracks of a settled tray."""
    return _TrayUpdater(before, tracks, game).update()


class _TrayUpdater:
    """One pass over the tracks. `_unmatched`: the known dice that no track is matched with yet."""

    def __init__(self, before: Tray, tracks: Tracks, game: GameOnTray) -> None:
        self._before, self._tracks, self._game = before, tracks, game
        self._unmatched = {d.track: d for d in (*before.lifted, *before.covered, *before.lying)}
        self._track_ids = {t.id for t in tracks.dice}
        self._no_new_die = all(t.outcome in NO_NEW_DIE for t in tracks.dice)
        self._any_thrown = any(t.outcome is TrackOutcome.THROWN for t in tracks.dice)
        self._next_id = before.next_id
        self._picked_up: list[LyingDie] = []
        self._moved: list[LyingDie] = []
        self._tipped: list[LyingDie] = []
        self._put_back_dice: list[LyingDie] = []
        self._no_dice: list[LyingDie] = []

    def update(self) -> TrayUpdate:
        seen = [t for t in self._tracks.dice if not self._is_no_die(t)]
        now = {t.id: self._die_of(t) for t in seen if t.outcome is not TrackOutcome.UNOBSERVED}
        known = self._recognise([t for t in seen if t.outcome is TrackOutcome.UNOBSERVED])
        now |= {
            t.id: known.get(t.id) or self._new_die(t.seen, t.id)
            for t in seen
            if t.outcome is TrackOutcome.UNOBSERVED
        }
        lying = tuple(now[t.id] for t in seen)
        tray = replace(self._tray_with(lying), no_dice=tuple(self._no_dice), next_id=self._next_id)
        return TrayUpdate(
            tray,
            tuple(d.id for d in lying if d.open and d.id >= self._before.next_id),
            tuple(self._moved),
            tuple(self._tipped),
            tuple(self._put_back_dice),
            tuple(now[t.id].id for t in seen if t.outcome is TrackOutcome.UNOBSERVED and t.id not in known),
            len(self._tracks.rolled_off) + sum(g.reason is LossReason.ROLLED_OUT for g in self._tracks.lost),
        )

    def _tray_with(self, lying: tuple[LyingDie, ...]) -> Tray:
        """The tray with these dice lying, and with the missing dice as covered or lifted."""
        here = {d.id for d in lying}
        how = {g.id: g.reason for g in self._tracks.lost}
        rest = [d for d in self._unmatched.values() if d.id not in here]
        was_covered = {d.id for d in self._before.covered}
        covered = [
            d
            for d in rest
            if how.get(d.track) is LossReason.COVERED or (d.track not in how and d.id in was_covered)
        ]
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

    def _die_of(self, track: Track) -> LyingDie:
        match track.outcome:
            case TrackOutcome.THROWN:
                return self._thrown_die(track)
            case TrackOutcome.PLACED:
                return self._laid_die(track)
        die = self._known_die(track)
        if die is None:  # one that fell was no die of the tray before
            shown = self._game.fell and track.outcome is TrackOutcome.MOVED
            came = track.outcome if shown or track.outcome is TrackOutcome.UNCLEAR else TrackOutcome.UNMOVED
            return self._new_die(track.seen, track.id, came)
        match track.outcome:
            case TrackOutcome.MOVED | TrackOutcome.UNCLEAR if (
                self._game.placed and not die.open and self._was_away(die, track)
            ):
                return self._new_die(track.seen, track.id, TrackOutcome.PLACED)
            case TrackOutcome.UNMOVED | TrackOutcome.MOVED if self._any_thrown and (
                track.lifted or self._was_picked_up(die)
            ):
                # Perhaps part of the throw, with the same face by chance.
                return self._new_die(track.seen, track.id, TrackOutcome.UNCLEAR, die)
            case TrackOutcome.MOVED:
                return self._moved_die(die, track)
            case TrackOutcome.TIPPED:
                return self._tipped_die(die, track)
            case TrackOutcome.TURNED:
                return self._turned_die(die, track)
            case TrackOutcome.UNCLEAR:
                return self._new_die(track.seen, track.id, TrackOutcome.UNCLEAR, die)
            case _:
                return (die.read_again if self._no_new_die else die.moved_to)(track.seen)

    def _was_away(self, die: LyingDie, track: Track) -> bool:
        """Whether a die was surely off the tray before it came to lie where it lies now."""
        surely_lifted = track.lifted and track.outcome is TrackOutcome.MOVED
        return surely_lifted or self._was_picked_up(die)

    def _was_picked_up(self, die: LyingDie) -> bool:
        """Whether the die was off the tray as that was settled before."""
        return any(d.id == die.id for d in self._before.lifted)

    # -- each outcome ----------------------------------------------------------------------------------------

    def _thrown_die(self, track: Track) -> LyingDie:
        die = self._known_die(track)
        if die is not None:
            self._picked_up.append(die)
        tumbled = die if track.was is not None and not track.lifted else None
        return self._new_die(track.seen, track.id, TrackOutcome.THROWN, tumbled)

    def _laid_die(self, track: Track) -> LyingDie:
        die = self._known_die(track)
        if self._game.placed and (die is None or not die.open):
            return self._new_die(track.seen, track.id, TrackOutcome.PLACED)
        if die is None or not _may_show(die, track.seen):
            die = self._find_picked_up(track.seen) or die
        if passed := self._find_passed(die, track):
            return passed
        return (
            self._new_die(track.seen, track.id, TrackOutcome.PLACED)
            if die is None
            else self._handled_die(die, track)
        )

    def _find_passed(self, die: LyingDie | None, track: Track) -> LyingDie | None:
        """The die that a hand took from its place and put down elsewhere for the next player, if it is one.

        die: the known die that this one is; None if it is none by its face.
        """
        if not self._game.passed:
            return None
        lay = [
            d
            for d in self._before.lying
            if not d.open and not self._game.matters(d) and not _may_show(d, track.seen)
        ]
        if die is None:
            taken = {g.id for g in self._tracks.lost if g.reason is LossReason.LIFTED}
            away = [d for d in lay if d.track in taken & self._unmatched.keys()]
            alike = [d for d in away if may_have_same_colour(d.seen, track.seen)]
            die = self._remove_unmatched(next(iter(alike), None))
        if die is None or die not in lay:
            return None
        now = replace(die, track=track.id, seen=track.seen, face=track.seen.face, face_fixed=False)
        self._moved.append(now)
        return now

    def _turned_die(self, die: LyingDie, track: Track) -> LyingDie:
        if die.open or self._game.matters(die):
            return self._handled_die(die, track)
        return replace(die, seen=track.seen, face=track.seen.face, face_fixed=False)

    def _handled_die(self, die: LyingDie, track: Track) -> LyingDie:
        """A die that a hand laid down or turned. If it shows its earlier face again, it lies as it lay."""
        by_hand = die.came in (TrackOutcome.PLACED, TrackOutcome.TURNED)
        before = die.was if by_hand and die.was else die
        if _may_show(before, track.seen):
            self._put_back_dice.append(before)
            void = before.void and before.open  # what a hand puts back may be set aside
            return replace(_where_it_lies(before, track.seen), track=track.id, void=void)
        if die.open and not by_hand:  # the first reading stands
            return replace(die.lying_at(track.seen), track=track.id)
        return self._new_die(track.seen, track.id, track.outcome, None if before.open else before)

    def _moved_die(self, die: LyingDie, track: Track) -> LyingDie:
        self._moved.append(die)
        if self._game.fell and not die.open:
            return self._new_die(track.seen, track.id, TrackOutcome.MOVED, die)
        now = die.moved_to(track.seen)
        return replace(now, seen=replace(now.seen, cocked=die.seen.cocked))

    def _tipped_die(self, die: LyingDie, track: Track) -> LyingDie:
        if die.open or not self._game.matters(die):
            return replace(die, seen=track.seen, face=track.seen.face, face_fixed=False)
        if _may_show(die, track.seen):
            return die.moved_to(track.seen)
        self._tipped.append(die)
        return replace(die.lying_at(track.seen), face_fixed=True)

    # -- which die it is -------------------------------------------------------------------------------------

    def _new_die(
        self,
        seen: SeenDie,
        track: int,
        came: TrackOutcome = TrackOutcome.UNMOVED,
        was: LyingDie | None = None,
    ) -> LyingDie:
        self._next_id += 1
        return LyingDie(self._next_id - 1, track, seen, seen.face, came, was)

    def _known_die(self, track: Track) -> LyingDie | None:
        """The known die of this track: the one with its number, otherwise the one that lay in its place."""
        if track.id in self._unmatched:
            return self._unmatched.pop(track.id)
        was = track.was
        if was is None:
            return None
        free = [
            d
            for d in self._unmatched.values()
            if d.track not in self._track_ids and _distance(d.seen, was) <= was.side / 2
        ]
        return self._remove_unmatched(min(free, key=lambda d: _distance(d.seen, was), default=None))

    def _find_picked_up(self, seen: SeenDie) -> LyingDie | None:
        """A die that was picked up with the face that this one shows now."""
        covered = {g.id for g in self._tracks.lost if g.reason is LossReason.COVERED} | {
            d.track for d in self._before.covered
        }
        away = [
            d for d in self._unmatched.values() if d.track not in self._track_ids and d.track not in covered
        ]
        alike = [
            d for d in (*away, *self._picked_up) if d.face == seen.face and may_have_same_colour(d.seen, seen)
        ]
        return self._remove_unmatched(min(alike, key=lambda d: d.id not in self._game.stood, default=None))

    def _remove_unmatched(self, die: LyingDie | None) -> LyingDie | None:
        if die is not None:
            self._unmatched.pop(die.track, None)
            self._picked_up = [d for d in self._picked_up if d.id != die.id]
        return die

    def _recognise(self, found: Sequence[Track]) -> dict[int, LyingDie]:
        """Known dice by track number. Of dice that look the same, the nearest are taken first. What is unsure
        and appears beside a throw is no die that was picked up for it."""
        known: dict[int, LyingDie] = {}
        lifted = ids(self._before.lifted) if self._any_thrown else ()
        pairs = ((track, die) for track in found for die in self._unmatched.values())
        for track, die in sorted(pairs, key=_pair_distance):
            if track.id in known or die.track not in self._unmatched:
                continue
            if die.id in lifted and not track.seen.sure:
                continue
            if _may_show(die, track.seen) and may_have_same_colour(die.seen, track.seen):
                known[track.id] = replace(_where_it_lies(die, track.seen), track=track.id)
                del self._unmatched[die.track]
        return known


def face_counts(dice: Iterable[LyingDie]) -> Counter[int]:
    return Counter(d.face for d in dice)


def _pair_distance(pair: tuple[Track, LyingDie]) -> float:
    return _distance(pair[0].seen, pair[1].seen)


def _may_show(die: LyingDie, now: SeenDie) -> bool:
    """Whether the die may show this face. A corrected die may be misread again, or be read rightly now."""
    if now.face in (die.seen.face, die.face) or not now.sure:
        return True
    return not die.sure and now.face in die.possible


def _where_it_lies(die: LyingDie, now: SeenDie) -> LyingDie:
    """The die after a time in which it may have been turned. A face in question is not taken from this
    reading."""
    return die.lying_at(now) if die.open and not die.sure else die.moved_to(now)


def _distance(a: SeenDie, b: SeenDie) -> float:
    (ax, ay), (bx, by) = a.centre_xy, b.centre_xy
    return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)
