"""Repairs identity swaps: dice that changed places for the tracker, or past one another under a hand."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, takewhile

from vision.readings import SeenDie
from vision.tracking.likeness import (
    MAX_SIZE_CHANGE,
    is_as_large,
    may_be_same,
    may_be_same_body,
    may_have_same_face,
    may_look_alike,
    sides_apart,
)
from vision.tracking.tracklets import (
    ARRIVAL_S,
    MAX_LINK_S,
    MAX_LINK_SIDES,
    RETHROW_S,
    SAME_SPOT_SIDES,
    Observation,
    Tracklet,
    changed_freely,
    first_at_rest,
    path_sides,
    step_sides,
)
from vision.tracking.tracks import Track, TrackOutcome
from vision.tracking.tumbling import MIN_JUMP_SIDES, tumbled_far

MAX_FRAGMENT_SIDES = 1.5
"""A die that is pushed along in a row goes at most this far between two readings."""

SHOVED_FIRST_SIDES = 0.5
"""A die that is hit has gone at most this far when the one that hit it is first taken for it, in sides."""

MAX_SHOVED_SIDES = 0.4
"""A die that a rolling one hit from the side slides at most this far and keeps its face."""

GLIMPSE_SIDES = 0.4
"""What is detected this near to a die under a hand, in sides, is the part of it that shows."""

MIN_GROWTH = 1.05
"""Minimum growth of the box of a die that has another on it: that one is nearer to the camera, and stands out
beside it."""

MIN_COLOUR_RUN = 3
"""Number of sure detections in a row that establish the colour of a die."""


def split_by_colour(tracklet: Tracklet, others: Sequence[Tracklet]) -> Tracklet | None:
    """Ends a tracklet where it jumped, under a hand, to a die of another colour, while one of its colour is
    among the others: it keeps the observations of the new die, and those before are returned as a tracklet of
    their own. None if it shows one die."""
    for index, (before, after) in enumerate(pairwise(tracklet.observations), start=1):
        at_hand = before.touched or after.touched or after.uncovered
        if not at_hand or step_sides(before, after) <= MIN_JUMP_SIDES:
            continue
        old = [o.seen for o in tracklet.observations[:index] if o.seen.sure][-MIN_COLOUR_RUN:]
        new = [o.seen for o in tracklet.observations[index:] if o.seen.sure][:MIN_COLOUR_RUN]
        if min(len(old), len(new)) < MIN_COLOUR_RUN or any(may_look_alike(a, b) for a in old for b in new):
            continue
        if not any(may_look_alike(old[-1], c.last.seen) for c in others if c is not tracklet):
            continue
        ended = replace(tracklet, missing=True)
        ended.keep(tracklet.observations[:index])
        tracklet.keep(tracklet.observations[index:])
        tracklet.track, tracklet.unseen, tracklet.hand_since_s = None, False, None
        return ended
    return None


def repair_swaps(tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> None:
    """Repairs identity swaps between these tracklets and the others, which ended.

    What shows of a die under a hand may have been taken for the beginning of a new one, and a printed figure
    for that of a die that flew over it. A die that flew over the place from which one was taken may have been
    taken for that one.
    Where a die rolled over one at rest, its tracklet may have continued in the other's. The one that still
    lies there keeps the track. Where a rolling die hit one at rest, each tracklet may have continued in the
    other's. Where a hand hid a die for a moment, its tracklet may have continued in another die beside it.
    """
    all_tracklets = [*tracklets, *others]
    for tracklet in tracklets:
        if tracklet.track is None:
            _drop_glimpses(tracklet, all_tracklets)
            _leave_lamp(tracklet, tracklets)
        else:
            _leave_figure(tracklet, tracklets, others)
            _leave_taken(tracklet)
    for old in others:
        _give_back_stray(old, tracklets)
    _link_fragments(tracklets, others)
    _repair_collisions(tracklets)
    for new in tracklets:
        if new.track is not None:
            continue
        for old in (*tracklets, *others):
            if (jumped := _jump_away(old, new)) is not None:
                _continue_in(new, old, jumped)
                break
            if old.track is not None and _took_place_of(new, old) and not _lies_on(new, old):
                _give_place_back(new, old)
                break
    _repair_exchanges(tracklets, others)


def _drop_glimpses(new: Tracklet, tracklets: Sequence[Tracklet]) -> None:
    """Drops the first observations of a new die that show a part of another one under a hand, or as it
    leaves, which lay there and still lies there, up to the jump from it, or until that one is detected
    again."""
    for old in tracklets:
        if old.track is None or sides_apart(old.track.seen, old.last.seen) > SAME_SPOT_SIDES:
            continue
        count = _glimpses(new, old.track.seen, {o.at_s for o in old.observations})
        if not 0 < count < len(new.observations):
            continue
        glimpse, after = new.observations[count - 1 : count + 1]
        lies_there = any(glimpse.at_s < o.at_s < after.at_s for o in old.observations)
        if lies_there or step_sides(glimpse, after) > MIN_JUMP_SIDES:
            new.keep(new.observations[count:])


def _glimpses(new: Tracklet, place: SeenDie, seen_s: Container[float]) -> int:
    """The number of first observations at a hand, or of another colour than the new die has, at this place,
    when the die there was not detected."""
    end = new.last.seen
    first = takewhile(
        lambda o: (
            (o.touched or not may_look_alike(o.seen, end))
            and o.at_s not in seen_s
            and sides_apart(o.seen, place) <= GLIMPSE_SIDES
        ),
        new.observations,
    )
    return sum(1 for _ in first)


def _leave_lamp(new: Tracklet, tracklets: Sequence[Tracklet]) -> None:
    """Gives the first observations of a new die to what is detected in their place later, looks like them and
    never moved, if the die surely looks otherwise: it rolled over a lamp, or a printed figure."""
    if not new.last.seen.sure or may_look_alike(new.observations[0].seen, new.last.seen):
        return
    for lamp in tracklets:
        place, first_s = lamp.last.seen, lamp.observations[0].at_s
        if lamp.track is not None or lamp is new or path_sides(lamp) > 0:
            continue
        lay = list(takewhile(partial(_shows_thing, place, first_s), new.observations))
        if lay:
            lamp.keep([*lay, *lamp.observations])
            lamp.unseen, lamp.hand_since_s = new.unseen, new.hand_since_s
            new.unseen, new.hand_since_s = False, None
            new.keep(new.observations[len(lay) :])
            return


def _shows_thing(place: SeenDie, until_s: float, observation: Observation) -> bool:
    """Whether it shows what is detected in this place from until_s on, before that."""
    near = sides_apart(observation.seen, place) <= SAME_SPOT_SIDES
    return near and observation.at_s < until_s and may_look_alike(observation.seen, place)


def _leave_figure(tracklet: Tracklet, tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> None:
    """Drops the first observations, and the track, of a die that flew over a printed figure: what lay there
    was never surely a die, and is much smaller, or detected in its place again after the leap. Where it still
    is, it keeps them. What was once surely a die is the part of it that a hand left to be seen."""
    lay = tracklet.track
    if lay is None or lay.seen.sure or not tracklet.last.seen.sure:
        return
    if lay.was is not None and lay.was.sure:
        return
    larger = tracklet.last.seen.side > MAX_SIZE_CHANGE * lay.seen.side
    steps = enumerate(pairwise(tracklet.observations), start=1)
    left = next((n for n, (a, b) in steps if _leaps(a, b) or (larger and _grows(a, b))), None)
    if left is None or any(o.seen.sure or o.touched for o in tracklet.observations[:left]):
        return
    left_s, place = tracklet.observations[left].at_s, tracklet.observations[left - 1].seen
    shows = partial(_shows_again, place, left_s)
    if (figure := next((c for c in tracklets if c.track is None and shows(c.last)), None)) is not None:
        came = next(n for n, o in enumerate(figure.observations) if shows(o))
        _exchange_beginnings(tracklet, figure, left, came)
    elif larger or any(shows(o) for c in (*tracklets, *others) if c is not tracklet for o in c.observations):
        tracklet.track, tracklet.observations = None, tracklet.observations[left:]


def _leave_taken(tracklet: Tracklet) -> None:
    """Drops the track, and the observations before, of a die that flew over the place from which another was
    taken long before, with that one's face: it went on at once, and no hand was there."""
    for n, (a, b) in enumerate(pairwise(tracklet.observations), start=1):
        if b.at_s - a.at_s <= RETHROW_S or b.touched or b.uncovered:
            continue
        came = tracklet.observations[n:]
        soon = [o for o in came if o.at_s <= b.at_s + ARRIVAL_S]
        if any(step_sides(a, o) > MIN_JUMP_SIDES and not o.touched for o in soon):
            tracklet.track = None
            tracklet.keep(came)
            return


def _leaps(a: Observation, b: Observation) -> bool:
    return step_sides(a, b) > MIN_JUMP_SIDES


def _grows(a: Observation, b: Observation) -> bool:
    return b.seen.side > MAX_SIZE_CHANGE * a.seen.side


def _give_back_stray(old: Tracklet, tracklets: Sequence[Tracklet]) -> None:
    """Gives the last observation of a die that was taken long before to the new die whose path it is on, and
    which is not detected just then."""
    if old.track is None or len(old.observations) < 2:
        return
    before, stray = old.observations[-2:]
    if stray.touched or stray.at_s - before.at_s < RETHROW_S:
        return
    for tracklet in tracklets:
        for n, (a, b) in enumerate(pairwise(tracklet.observations), start=1):
            near_in_time = a.at_s < stray.at_s < b.at_s and b.at_s - a.at_s < MAX_LINK_S
            detour = step_sides(a, stray) + step_sides(stray, b) - step_sides(a, b)
            if tracklet.track is None and near_in_time and detour <= SAME_SPOT_SIDES:
                tracklet.observations.insert(n, old.observations.pop())
                return


def _shows_again(place: SeenDie, since_s: float, observation: Observation) -> bool:
    """Whether it shows something that is not surely a die in this place since then, s."""
    near = sides_apart(observation.seen, place) <= SAME_SPOT_SIDES
    return near and observation.at_s >= since_s and not observation.seen.sure


def _link_fragments(tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> None:
    """Continues tracklets that ended, of dice that came since the tray last settled, in those that began
    beside them just then with the same face: a hand pushed a row along, and each was taken for the next.
    Where a hand hid a die and pushed it on, that takes longer."""
    ended = [c for c in others if c.track is None]
    for new in tracklets:
        first = new.observations[0]
        if new.track is not None or not new.last.seen.sure:
            continue
        for old in ended:
            before = next(
                (o for o in reversed(old.observations) if o.seen.sure and o.at_s < first.at_s), None
            )
            if before is None or not may_be_same(before.seen, new.last.seen):
                continue
            hidden = (first.touched or first.uncovered) and not old.lifted_before(new)
            max_gap_s = RETHROW_S if hidden else MAX_LINK_S
            if first.at_s - before.at_s < max_gap_s and step_sides(before, first) <= MAX_FRAGMENT_SIDES:
                kept = old.observations[: old.observations.index(before) + 1]
                new.observations = [*kept, *new.observations]
                new.ever_touched |= any(o.touched for o in kept)
                new.unseen, new.hand_since_s = old.unseen, old.hand_since_s
                ended.remove(old)
                break


def _repair_collisions(tracklets: Sequence[Tracklet]) -> None:
    """Repairs the tracklets of two dice that hit each other: after it, the one that lay there seems to show
    another face, and the new one shows its face."""
    for old in tracklets:
        if old.track is None or old.ever_touched or may_be_same(old.track.seen, old.last.seen):
            continue
        for new in tracklets:
            alike = new.track is None and may_be_same(old.track.seen, new.last.seen)
            if alike and (hit := _exchanged_at(old, new) or _shot_on(old, new)) is not None:
                _exchange_beginnings(old, new, *hit)
                break


def _exchanged_at(old: Tracklet, new: Tracklet) -> tuple[int, int] | None:
    """The indices of the first observations of two dice that may belong to the other one: the die that lay
    there moves then, and together they go no farther if they are exchanged. None if there are none."""
    steps = enumerate(pairwise(old.observations), start=1)
    i = next((i for i, (a, b) in steps if step_sides(a, b) > SAME_SPOT_SIDES), None)
    if i is None:
        return None
    j = next((j for j, o in enumerate(new.observations) if o.at_s >= old.observations[i].at_s), None)
    if not j:
        return None
    (old_a, old_b), (new_a, new_b) = old.observations[i - 1 : i + 1], new.observations[j - 1 : j + 1]
    path = step_sides(old_a, old_b) + step_sides(new_a, new_b)
    exchanged_path = step_sides(old_a, new_b) + step_sides(new_a, old_b)
    return (i, j) if exchanged_path <= path else None


def _shot_on(old: Tracklet, new: Tracklet) -> tuple[int, int] | None:
    """The same indices where the new die came from nowhere beside the one that lay there, just as that one
    was hit, and always showed its face: it is that one, which slid on, and what goes on in its tracklet hit
    it. None if that is not so."""
    first = new.observations[0]
    i = next((i for i, o in enumerate(old.observations) if o.at_s >= first.at_s), None)
    if not i:
        return None
    before, after = old.observations[i - 1 : i + 1]
    hit = first.at_s - before.at_s < MAX_LINK_S and step_sides(before, first) <= MAX_FRAGMENT_SIDES
    lay_just_before = sides_apart(old.observations[0].seen, before.seen) <= SHOVED_FIRST_SIDES
    keeps_face = all(o.seen.sure and may_be_same(o.seen, first.seen) for o in new.observations)
    other_face = after.seen.sure and not may_be_same(old.observations[0].seen, after.seen)
    return (i, 0) if hit and lay_just_before and keeps_face and other_face else None


def _exchange_beginnings(old: Tracklet, new: Tracklet, i: int, j: int) -> None:
    """Gives each tracklet the track of the other, and the observations before these indices."""
    old_before, new_before = old.observations[:i], new.observations[:j]
    old.keep([*new_before, *old.observations[i:]])
    new.keep([*old_before, *new.observations[j:]])
    old.track, new.track = new.track, old.track
    old.unseen, new.unseen = new.unseen, old.unseen


def _repair_exchanges(tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> None:
    """Repairs tracklets that went from one die over to another under a hand: the other is missing, and the
    first is there as if it were new."""
    for old in tracklets:
        if old.track is None or not old.ever_touched or may_be_same(old.track.seen, old.last.seen):
            continue
        if changed_freely(old):
            continue  # another die hit it
        shown = old.last.seen
        touched = [c for c in others if c.ever_touched]
        missing = next((c for c in touched if c.track and may_be_same(c.track.seen, shown)), None)
        back = _goes_on_as(old, [t for t in tracklets if t.track is None])
        if missing is not None and back is not None:
            back.track, old.track, missing.track = old.track, missing.track, None
            back.observations = [old.observations[0], *back.observations]
            old.observations = [missing.observations[0], *_last_run(old.observations)]
            back.ever_touched |= may_have_same_face(back.track.seen, back.last.seen)


def _goes_on_as(old: Tracklet, new: Sequence[Tracklet]) -> Tracklet | None:
    """The new tracklet of the die at which `old` began, if that one went on with another die: with its face,
    or, if the other die surely has another colour, with its colour."""
    assert old.track is not None
    was = old.track.seen
    same = next((t for t in new if may_be_same(was, t.last.seen)), None)
    if same is not None or may_be_same_body(was, old.last.seen):
        return same
    return next((t for t in new if t.last.seen.sure and may_look_alike(was, t.last.seen)), None)


def _last_run(observations: Sequence[Observation]) -> list[Observation]:
    """The last observations in a row that may all show the same face."""
    end = observations[-1].seen
    run = list(takewhile(lambda o: may_be_same(o.seen, end), reversed(observations)))
    return run[::-1]


def _jump_away(old: Tracklet, new: Tracklet) -> int | None:
    """The index of the observation of `old` that belongs to another die: just before it, this die lay where
    `new` appears, with the same face, or near there, if `old` goes on surely with another colour. None if
    there is none."""
    if old.track is None or may_be_same(old.track.seen, old.last.seen):
        return None
    first = new.observations[0]
    other_colour = new.last.seen.sure and not may_be_same_body(old.track.seen, old.last.seen)
    max_sides = MAX_LINK_SIDES if other_colour else SAME_SPOT_SIDES
    for index, (before, after) in enumerate(pairwise(old.observations), start=1):
        recent = 0 <= first.at_s - before.at_s < MAX_LINK_S
        stayed = may_be_same(before.seen, first.seen) and sides_apart(before.seen, first.seen) <= max_sides
        if recent and stayed and step_sides(before, after) > SAME_SPOT_SIDES:
            return index
    return None


def _continue_in(new: Tracklet, old: Tracklet, index: int) -> None:
    """Gives `new` the track of `old` and its observations before this index; `old` keeps the others."""
    new.track, old.track = old.track, None
    new.observations = [*old.observations[:index], *new.observations]
    new.ever_touched |= old.ever_touched
    old.keep(old.observations[index:])


def _took_place_of(new: Tracklet, old: Tracklet) -> bool:
    """Whether the new tracklet ends where the other began, and that one does not: it went on with another
    die. A die that this one hit slides a little, and seems to show another face. One that surely keeps its
    colour was pushed away, if the new one has another."""
    was, end = old.observations[0].seen, old.last.seen
    kept = may_be_same(was, end)
    if kept and end.sure and not may_look_alike(was, new.last.seen):
        return False
    sides = SAME_SPOT_SIDES if kept else MAX_SHOVED_SIDES
    return _ends_where_began(old, new, sides) and not _ends_where_began(old, old, SAME_SPOT_SIDES)


def _give_place_back(new: Tracklet, old: Tracklet) -> None:
    """Gives the tracklet that ends where the other began the track of that one. With no hand at either, it
    was there all the time, and what came in the new tracklet went on in the old one."""
    came = new.observations.index(first_at_rest(new))
    lay = sum(1 for _ in takewhile(partial(_is_in_place, old.observations[0]), old.observations))
    untouched = not old.ever_touched and not new.ever_touched
    if untouched and came and old.observations[lay - 1].at_s < new.observations[came].at_s:
        _exchange_beginnings(old, new, lay, came)
    else:
        new.track, old.track = old.track, None


def _is_in_place(first: Observation, later: Observation) -> bool:
    return step_sides(first, later) <= SAME_SPOT_SIDES and may_be_same(first.seen, later.seen)


def _lies_on(new: Tracklet, old: Tracklet) -> bool:
    """Whether a new die that tumbled far landed on the one that lay in its place, and is not detected any
    more: it looks larger, because it is nearer to the camera."""
    assert old.track is not None
    return old.missing and tumbled_far(new) and new.last.seen.side > MIN_GROWTH * old.track.seen.side


def _ends_where_began(old: Tracklet, later: Tracklet, sides: float) -> bool:
    """Whether the second tracklet ends where the first began, within these sides, with its face and
    colour."""
    was, seen = old.observations[0].seen, later.last.seen
    return sides_apart(was, seen) <= sides and may_be_same(was, seen)


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
        alike = (o for o in before if may_be_same(o.seen, track.seen) and is_as_large(o.seen, track.seen))
        match = next(alike, None)
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
