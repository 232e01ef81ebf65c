"""The steps that decide about a die from what came, or was hidden, at the same time: other dice of its throw,
and those that it knocked."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from vision.tracking.likeness import may_be_same_body, may_have_same_face, sides_apart
from vision.tracking.tracklets import (
    MAX_LINK_S,
    MIN_ARRIVAL_PATH,
    MIN_FREE_PATH,
    MIN_STEP_SIDES,
    Tracklet,
    at_rest_since,
    free_sides,
    hand_only_passed,
    moves_at_first,
    moves_freely,
    path_sides,
    rolled_to_hand,
    step_sides,
    touched_on_its_way,
    was_in_hand,
)
from vision.tracking.tracks import Track, TrackOutcome
from vision.tracking.tumbling import (
    fell_over_freely,
    may_have_fallen_out,
    seen_tumbling,
    spins,
    toppled_s,
    tumbled_far,
    tumbled_freely,
)

MAX_HIT_SIDES, MIN_HIT_PATH = 1.5, 0.3
"""The centres of two dice that hit each other are at most this far apart, in sides: corner to corner. The one
that is hit slides at least this far. A die that is laid down beside it moves it less."""

HIT_S = 0.1
"""A die that another one hits slides off within this time of it."""

UNCOVERED_TOGETHER_S = 0.3
"""Dice that come into sight within this time lay there together."""

MAX_UNDER_HAND_SIDES = 5.0
"""A die that rolls under a hand comes to rest this near to where it was last detected, in sides."""

MIN_FALLEN_TOGETHER, MANY_FALLEN_TOGETHER = 2, 3
"""Dice that tumble freely out of a hand: one alone may have been knocked by what the hand does. Of the second
number none need be seen to tumble."""

HIDDEN_TOGETHER_S = 0.4
"""Dice that a hand hid at the same time for at least this long may have fallen under it."""

THROWN_TOGETHER_S = 0.6
"""A die that may have been thrown is part of a throw if it comes to rest, or into sight, within this time of
a thrown die. A hand that stays over dice hides when they come to rest."""

THROWN_UNDER_HAND_S = 2.5
"""A die that may have been thrown is also part of a throw if it comes into sight within this time of it, at a
place where a hand stayed all the while: the hand hid it."""


def mark_arrived_together(
    tracklets: Sequence[Tracklet], tracks: list[Track], known: bool, taken_before: Container[int]
) -> list[Track]:
    """The tracks, with PLACED dice made UNCLEAR or THROWN that came into sight together, or that a hand hid
    at the same time, and with them one that the hand seems to have turned but that tumbled still, or that
    shows the face of one that was taken. Dice that are there when a hand or a cup goes away may have been
    thrown under it. If one of them still moved, and none of the others can be a die that lay there, they
    were thrown.

    known: no die that a hand touched is missing. taken_before: the ids of dice whose places were empty when
    the tray last settled.
    """
    pairs = list(zip(tracklets, tracks, strict=True))
    hidden = [(c, t) for c, t in pairs if c.track is None and free_sides(c) < MIN_FREE_PATH]
    came = [c for c, t in hidden if t.outcome is TrackOutcome.PLACED]
    if not any(c.last.seen.sure for c in came):
        return tracks  # a domino, or a printed thing
    came += [c for c, t in hidden if t.outcome is TrackOutcome.TURNED and seen_tumbling(c)]
    came += [c for c, t in hidden if t.outcome is TrackOutcome.MOVED and t.id in taken_before]
    together = [c for c in came if any(_hidden_together(c, other) for other in came if other is not c)]
    moved = known and any(free_sides(c) >= MIN_ARRIVAL_PATH for c in together)
    outcome = TrackOutcome.THROWN if moved else TrackOutcome.UNCLEAR
    arrived = {id(c) for c in together}
    return [
        replace(t, outcome=outcome, lifted=moved or t.lifted) if id(c) in arrived else t for c, t in pairs
    ]


def _hidden_together(one: Tracklet, other: Tracklet) -> bool:
    """Whether the same hand hid both until they came into sight, or both came into sight at the same time."""
    if _appeared_together(one, other):
        return True
    if one.hand_since_s is None or other.hand_since_s is None:
        return False
    first_s = min(one.observations[0].at_s, other.observations[0].at_s)
    return first_s - max(one.hand_since_s, other.hand_since_s) >= HIDDEN_TOGETHER_S


def extend_throws(
    tracklets: Sequence[Tracklet],
    tracks: list[Track],
    known: bool,
    covered: Container[int],
    taken_before: Container[int],
    ids: Iterator[int],
) -> list[Track]:
    """The tracks, with dice that may have been thrown made THROWN, if one that surely was thrown came to rest
    at about the same time, or, for dice that did not lie here before, one that was hit. A die that only seems
    to have been turned under the hand becomes UNCLEAR: the thrown one may have knocked it over. So does one
    that was lifted and shows its face again, if it was still moving as it came into sight with one that
    tumbled freely.

    known: no die that a hand touched is missing, so that a die that seems to be new is new. covered: the ids
    of dice whose places a hand still covers. taken_before: those of dice whose places were empty when the
    tray last settled.
    """
    pairs = list(zip(tracklets, tracks, strict=True))
    thrown = [c for c, t in pairs if t.outcome is TrackOutcome.THROWN]
    rolling = [c for c in thrown if c.track is None and tumbled_freely(c)]
    knocked = _tumbled_over(tracklets, tracks)
    hit = [c for c, t in pairs if t.outcome in (TrackOutcome.MOVED, TrackOutcome.TIPPED)]
    with_new = [*thrown, *knocked] if known else thrown
    falling = [c for c, t in pairs if t.outcome in (TrackOutcome.THROWN, TrackOutcome.UNCLEAR)]
    extended = list[Track]()
    for c, t in pairs:
        with_throw = came_with_others(c, thrown)
        joins = (
            (_may_be_thrown(c, t) and (with_throw if t.was else came_with_others(c, with_new)))
            or (_came_back(t, taken_before) and with_throw)
            or _fell_out_with(c, t, thrown)
            or _spun_with(c, t, thrown)
            or (known and t.outcome is TrackOutcome.PLACED and any(_hit(c, other) for other in hit))
            or (known and _may_be_new(c, t) and any(_ran_into(c, other) for other in hit))
        )
        back = c.track is None and _is_back_moving(c, t) and came_with_others(c, rolling)
        if _may_be_knocked(c, t) and with_throw:
            extended.append(replace(t, outcome=TrackOutcome.UNCLEAR))
        elif _rolled_in_with(c, t, thrown, t.id in covered) or _is_one_of_many(c, t, thrown, falling):
            extended.append(Track(next(ids), t.seen, TrackOutcome.THROWN, lifted=True))
        elif joins:
            extended.append(replace(t, outcome=TrackOutcome.THROWN, was=None, lifted=True))
        else:
            extended.append(replace(t, outcome=TrackOutcome.UNCLEAR) if back else t)
    return extended


def _may_be_knocked(tracklet: Tracklet, track: Track) -> bool:
    """Whether a die that seems to have been turned came into sight at its place, and lay still."""
    turned = tracklet.track is None and track.outcome is TrackOutcome.TURNED
    return turned and path_sides(tracklet) < MIN_ARRIVAL_PATH


def _may_be_thrown(tracklet: Tracklet, track: Track) -> bool:
    """Whether the observations also fit a die that was thrown with others."""
    new = tracklet.track is None and track.outcome in (TrackOutcome.PLACED, TrackOutcome.TURNED)
    came = not tracklet.unseen or free_sides(tracklet) >= MIN_FREE_PATH or _showed_another_face(tracklet)
    hidden = track.outcome is TrackOutcome.UNOBSERVED and came and track.seen.sure
    return track.outcome is TrackOutcome.UNCLEAR or new or hidden or _seen_coming(tracklet, track)


def _showed_another_face(tracklet: Tracklet) -> bool:
    """Whether it surely showed another face with no hand at it: it still rolled."""
    end = tracklet.last.seen
    return any(
        o.seen.sure and not o.touched and not may_have_same_face(o.seen, end) for o in tracklet.observations
    )


def _came_back(track: Track, taken_before: Container[int]) -> bool:
    """Whether a die that was taken lies near its place again. Beside a throw, no finger nudged it there: it
    was thrown as well, and shows its face again."""
    return track.outcome is TrackOutcome.MOVED and track.id in taken_before


def _fell_out_with(tracklet: Tracklet, track: Track, thrown: Sequence[Tracklet]) -> bool:
    """Whether a die that was lifted fell out of the hand in the same moment as MIN_FALLEN_TOGETHER others
    that tumbled freely: it shows its face again by chance."""
    if not _is_back(track) or not may_have_fallen_out(tracklet):
        return False
    return sum(tumbled_freely(c) and _appeared_together(tracklet, c) for c in thrown) >= MIN_FALLEN_TOGETHER


def _spun_with(tracklet: Tracklet, track: Track, thrown: Sequence[Tracklet]) -> bool:
    """Whether a die that was lifted came into sight spinning, with a thrown one that spun as well: it shows
    its face again by chance. A hand that carries dice turns them one by one."""
    if tracklet.track is not None or not _is_back_moving(tracklet, track) or not spins(tracklet):
        return False
    return any(_came_together(tracklet, c) and spins(c) for c in thrown)


def _appeared_together(one: Tracklet, other: Tracklet) -> bool:
    """Whether both came into sight at the same time."""
    return abs(one.observations[0].at_s - other.observations[0].at_s) <= UNCOVERED_TOGETHER_S


def _came_together(one: Tracklet, other: Tracklet) -> bool:
    """Whether both came into sight, or to rest, at the same time."""
    apart_s = abs(at_rest_since(one) - at_rest_since(other))
    return _appeared_together(one, other) or apart_s <= UNCOVERED_TOGETHER_S


def _rolled_in_with(
    tracklet: Tracklet, track: Track, thrown: Sequence[Tracklet], still_covered: bool
) -> bool:
    """Whether a new die came with MIN_FALLEN_TOGETHER thrown ones of which one tumbled freely, and is none
    that lay there: one that was lifted and was still moving when it came into sight shows its face again by
    chance; one that tumbled freely is not the die that the hand covers. Of one that went far, one thrown die
    tells it, if the hand is still where the other lay.
    """
    if tracklet.track is not None:
        return False
    back = _is_back_moving(tracklet, track)
    if not back and not (track.outcome is TrackOutcome.TIPPED and tumbled_freely(tracklet)):
        return False
    beside = [c for c in thrown if came_with_others(tracklet, [c])]
    far = still_covered and tumbled_far(tracklet)
    return len(beside) >= (1 if far else MIN_FALLEN_TOGETHER) and any(tumbled_freely(c) for c in beside)


def _is_one_of_many(
    tracklet: Tracklet, track: Track, thrown: Sequence[Tracklet], falling: Sequence[Tracklet]
) -> bool:
    """Whether a new die came into sight, or to rest, with MANY_FALLEN_TOGETHER others that were thrown, or
    may have been, MIN_FALLEN_TOGETHER of them surely, although none was seen to tumble freely. It was lifted,
    and was still moving, or no hand was there for long enough to lay it down, or as many came tumbling out
    from under that hand with it: it shows its face again by chance.
    """
    if tracklet.track is not None or not _is_back(track):
        return False
    tumbling = sum(seen_tumbling(c) and _appeared_together(tracklet, c) for c in thrown)
    laid_down = not moves_at_first(tracklet) and not hand_only_passed(tracklet)
    if laid_down and tumbling < MANY_FALLEN_TOGETHER:
        return False
    surely, perhaps = (sum(_came_together(tracklet, c) for c in dice) for dice in (thrown, falling))
    return surely >= MIN_FALLEN_TOGETHER and perhaps >= MANY_FALLEN_TOGETHER


def _is_back_moving(tracklet: Tracklet, track: Track) -> bool:
    """Whether a die that was lifted shows its face again, and was still moving when it came into sight."""
    return _is_back(track) and moves_at_first(tracklet)


def _is_back(track: Track) -> bool:
    """Whether a die that was lifted shows its face again."""
    return track.outcome is TrackOutcome.MOVED and track.lifted


def came_with_others(tracklet: Tracklet, thrown: Sequence[Tracklet]) -> bool:
    """Whether it came to rest, or into sight, at about the time when one of the others came to rest, or was
    hidden by a hand then."""
    throws_s = [at_rest_since(other) for other in thrown if other is not tracklet]
    times_s = (at_rest_since(tracklet), tracklet.observations[0].at_s)
    together = any(abs(at_s - throw_s) < THROWN_TOGETHER_S for at_s in times_s for throw_s in throws_s)
    return together or any(was_hidden_at(tracklet, throw_s) for throw_s in throws_s)


def was_hidden_at(tracklet: Tracklet, at_s: float) -> bool:
    """Whether a hand may have hidden it from this time, s, until it came into sight."""
    since_s, seen_s = tracklet.hand_since_s, tracklet.observations[0].at_s
    return since_s is not None and since_s <= at_s <= seen_s <= at_s + THROWN_UNDER_HAND_S


def _seen_coming(tracklet: Tracklet, track: Track) -> bool:
    """Whether a die was out of sight in a hand, and was then detected on its way outside the hand."""
    if track.outcome not in (TrackOutcome.MOVED, TrackOutcome.TURNED, TrackOutcome.TIPPED):
        return False
    hidden = tracklet.track is None or was_in_hand(tracklet)
    came_from_hand = track.lifted or (tracklet.ever_touched and hidden)
    return came_from_hand and free_sides(tracklet) > 0 and path_sides(tracklet) >= MIN_FREE_PATH


def _hit(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a new die hit the other as it came into sight: that one then slid off, or fell over, with no
    hand at it."""
    if tracklet.from_rest:
        return False
    first = tracklet.observations[0]
    before = next((o for o in reversed(other.observations) if o.at_s <= first.at_s), None)
    if before is None or sides_apart(before.seen, first.seen) > MAX_HIT_SIDES:
        return False
    fell_s = toppled_s(other)
    if fell_s is not None:
        return abs(fell_s - first.at_s) < MAX_LINK_S
    free = ((a, b) for a, b in pairwise(other.observations) if not b.touched)
    starts_s = [a.at_s for a, b in free if step_sides(a, b) > MIN_STEP_SIDES]
    slid = sides_apart(before.seen, other.last.seen) >= MIN_HIT_PATH
    return slid and any(abs(at_s - first.at_s) < MAX_LINK_S for at_s in starts_s)


def may_have_knocked_off(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a new die that came into sight may have hit the other before that, under a hand: that one was
    just beside it, and slid on, or fell over, with no hand at it."""
    first = tracklet.observations[0]
    since = [o for o in other.observations if abs(o.at_s - first.at_s) < MAX_LINK_S]
    beside = any(o.at_s <= first.at_s and sides_apart(o.seen, first.seen) <= MAX_HIT_SIDES for o in since)
    slid = sum(step_sides(a, b) for a, b in pairwise(since) if moves_freely(a, b)) >= MIN_HIT_PATH
    return beside and (slid or fell_over_freely(other))


def _may_be_new(tracklet: Tracklet, track: Track) -> bool:
    """Whether it may have been thrown or laid down, and is none that lay here."""
    doubted = track.outcome in (TrackOutcome.PLACED, TrackOutcome.UNCLEAR)
    return tracklet.track is None and track.was is None and doubted


def _ran_into(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a die that moved freely came to the other one just as that one slid off, with no hand at it."""
    pushed = [
        (a, b)
        for a, b in pairwise(other.observations)
        if not a.touched and not b.touched and step_sides(a, b) > MIN_STEP_SIDES
    ]
    if not pushed or sides_apart(pushed[0][0].seen, other.last.seen) < MIN_HIT_PATH:
        return False
    start = pushed[0][0]
    return any(
        moves_freely(a, b)
        and step_sides(a, b) > MIN_STEP_SIDES
        and abs(b.at_s - start.at_s) < HIT_S
        and sides_apart(b.seen, start.seen) <= MAX_HIT_SIDES
        for a, b in pairwise(tracklet.observations)
    )


def tip_flicked(tracklets: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """The tracks, with TURNED dice made TIPPED if nothing was thrown, and another die tumbled across the tray
    at the same time: the finger that flicked that one knocked these over."""
    if any(t.outcome is TrackOutcome.THROWN for t in tracks):
        return tracks
    flicked = _tumbled_over(tracklets, tracks)
    return [
        replace(t, outcome=TrackOutcome.TIPPED)
        if t.outcome is TrackOutcome.TURNED and came_with_others(c, flicked)
        else t
        for c, t in zip(tracklets, tracks, strict=True)
    ]


def _tumbled_over(tracklets: Sequence[Tracklet], tracks: Sequence[Track]) -> list[Tracklet]:
    """The dice that lay here, were hit or flicked, and tumbled across the tray."""
    pairs = zip(tracklets, tracks, strict=True)
    return [c for c, t in pairs if t.outcome is TrackOutcome.TIPPED and tumbled_freely(c)]


def extend_throws_under_hand(
    tracklets: Sequence[Tracklet], tracks: list[Track], others: Sequence[Tracklet]
) -> list[Track]:
    """The tracks, with new dice made THROWN that a hand uncovered near where dice rolled under it.

    others: tracklets that ended.
    """
    ends_s = [
        at_rest_since(c) for c, t in zip(tracklets, tracks, strict=True) if t.outcome is TrackOutcome.THROWN
    ]
    under = [
        c
        for c in others
        if rolled_to_hand(c) and any(abs(c.last.at_s - s) < THROWN_TOGETHER_S for s in ends_s)
    ]
    decided = list[Track]()
    for tracklet, track in zip(tracklets, tracks, strict=True):
        new = (
            track.was is None and track.outcome is TrackOutcome.UNCLEAR and tracklet.hand_since_s is not None
        )
        near = [c for c in under if new and _may_lie_under_hand(c, tracklet)]
        if near:
            under.remove(min(near, key=lambda c: sides_apart(c.last.seen, tracklet.last.seen)))
        decided.append(replace(track, outcome=TrackOutcome.THROWN, lifted=True) if near else track)
    return decided


def _may_lie_under_hand(rolled: Tracklet, tracklet: Tracklet) -> bool:
    """Whether a die that a hand uncovered may be one that rolled under it."""
    near = sides_apart(rolled.last.seen, tracklet.last.seen) <= MAX_UNDER_HAND_SIDES
    return near and may_be_same_body(rolled.last.seen, tracklet.last.seen)


def mark_knocked_over(
    tracklets: Sequence[Tracklet], tracks: list[Track], others: Sequence[Tracklet]
) -> list[Track]:
    """The tracks, with dice that tumbled across the tray made TIPPED or MOVED while others were thrown, or a
    finger flicked one that lay there: those knocked them.

    others: tracklets that ended.
    """
    lay = [c for c in (*tracklets, *others) if c.track is not None]
    if any(t.outcome is TrackOutcome.THROWN and t.was is None for t in tracks):
        return [
            _knocked(c, t, lay) if c.track is not None else t for c, t in zip(tracklets, tracks, strict=True)
        ]
    touched = {c.track.id for c in lay if c.track is not None and touched_on_its_way(c)}
    pairs = list(zip(tracklets, tracks, strict=True))
    moved = [
        c for c, t in pairs if t.outcome in (TrackOutcome.TIPPED, TrackOutcome.MOVED) and t.id in touched
    ]
    flicked = [c for c in moved if free_sides(c) > 0]
    return [_knocked(c, t, lay) if came_with_others(c, flicked) else t for c, t in pairs]


def _knocked(tracklet: Tracklet, track: Track, lay: Sequence[Tracklet]) -> Track:
    """The track of a die that may have been knocked across the tray; the same one if it did not lie there.

    lay: the tracklets of the dice that did.
    """
    if track.outcome is not TrackOutcome.THROWN or track.was is None:
        return track
    before = next((c.track for c in lay if c.track is not None and c.track.seen is track.was), tracklet.track)
    if before is None:
        return track
    outcome = TrackOutcome.MOVED if may_have_same_face(track.was, track.seen) else TrackOutcome.TIPPED
    return replace(track, id=before.id, outcome=outcome)
