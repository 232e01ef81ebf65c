"""Repairs identity swaps: dice that changed places for the tracker, or past one another under a hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from vision.tracking.likeness import may_be_same, sides_apart
from vision.tracking.tracklets import MAX_LINK_S, SAME_SPOT_SIDES, Observation, Tracklet, step_sides
from vision.tracking.tracks import Track, TrackOutcome


def repair_swaps(tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> None:
    """Repairs identity swaps between these tracklets and the others, which ended.

    Where a die rolled over one at rest, its tracklet may have continued in the other's. The one that still
    lies there keeps the track. Where a hand hid a die for a moment, its tracklet may have continued in
    another die beside it.
    """
    for new in tracklets:
        if new.track is not None:
            continue
        for old in (*tracklets, *others):
            if (jumped := _jump_away(old, new)) is not None:
                _continue_in(new, old, jumped)
                break
            if old.track is not None and _ends_where_began(old, new) and not _ends_where_began(old, old):
                new.track, old.track = old.track, None
                break
    _repair_exchanges(tracklets, others)


def _repair_exchanges(tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> None:
    """Repairs tracklets that went from one die over to another under a hand: the other is missing, and the
    first is there as if it were new."""
    for old in tracklets:
        if old.track is None or not old.ever_touched or may_be_same(old.track.seen, old.last.seen):
            continue
        shown = old.last.seen
        touched = [c for c in others if c.ever_touched]
        missing = next((c for c in touched if c.track and may_be_same(c.track.seen, shown)), None)
        new = [t for t in tracklets if t.track is None]
        back = next((t for t in new if may_be_same(old.track.seen, t.last.seen)), None)
        if missing is not None and back is not None:
            back.track, old.track, missing.track = old.track, missing.track, None
            back.observations = [old.observations[0], *back.observations]
            old.observations = [missing.observations[0], *_last_run(old.observations)]
            back.ever_touched = True


def _last_run(observations: Sequence[Observation]) -> list[Observation]:
    """The last observations in a row that may all show the same face."""
    end = observations[-1].seen
    run = list(takewhile(lambda o: may_be_same(o.seen, end), reversed(observations)))
    return run[::-1]


def _jump_away(old: Tracklet, new: Tracklet) -> int | None:
    """The index of the observation of `old` that belongs to another die: just before it, this die lay where
    `new` appears, with the same face. None if there is none."""
    if old.track is None or may_be_same(old.track.seen, old.last.seen):
        return None
    first = new.observations[0]
    for index, (before, after) in enumerate(pairwise(old.observations), start=1):
        recent = 0 <= first.at_s - before.at_s < MAX_LINK_S
        stayed = (
            may_be_same(before.seen, first.seen) and sides_apart(before.seen, first.seen) <= SAME_SPOT_SIDES
        )
        if recent and stayed and step_sides(before, after) > SAME_SPOT_SIDES:
            return index
    return None


def _continue_in(new: Tracklet, old: Tracklet, index: int) -> None:
    """Gives `new` the track of `old` and its observations before this index; `old` keeps the others."""
    new.track, old.track = old.track, None
    new.observations = [*old.observations[:index], *new.observations]
    old.observations = old.observations[index:]
    new.ever_touched |= old.ever_touched
    old.ever_touched = any(o.touched for o in old.observations)


def _ends_where_began(old: Tracklet, later: Tracklet) -> bool:
    """Whether the second tracklet ends where the first began, with its face and colour."""
    was, seen = old.observations[0].seen, later.last.seen
    return sides_apart(was, seen) <= SAME_SPOT_SIDES and may_be_same(was, seen)


def resolve_exchanges(tracks: list[Track], lost: Sequence[Track], ids: Iterator[int]) -> list[Track]:
    """The tracks, with swaps resolved of dice that hands moved, together or past one another. A die that
    shows what another showed before is that one, and was moved.

    lost: dice that hands touched and that are no longer detected.
    """
    turned = [t for t in tracks if t.outcome is TrackOutcome.TURNED]
    before = [*lost, *(Track(t.id, t.was, TrackOutcome.UNMOVED) for t in turned if t.was is not None)]
    result = list(tracks)
    for i, track in enumerate(tracks):
        if track.outcome not in (TrackOutcome.TURNED, TrackOutcome.PLACED):
            continue
        match = next((o for o in before if may_be_same(o.seen, track.seen)), None)
        if match is not None:
            before.remove(match)
            result[i] = Track(match.id, track.seen, TrackOutcome.MOVED, match.seen)
    for i, track in enumerate(result):
        if track.outcome is TrackOutcome.TURNED:
            origin = next((o for o in before if o.id == track.id), before[0] if before else None)
            if origin is None:
                result[i] = Track(next(ids), track.seen, TrackOutcome.PLACED)
            else:
                result[i] = replace(track, id=origin.id, was=origin.seen)
            before = [o for o in before if o is not origin]
    return result
