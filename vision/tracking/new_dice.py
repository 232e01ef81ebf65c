"""Decides what became of a die that appeared since the tray last settled: it was thrown, put down, knocked,
or it is one that lay there and was moved."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile

from vision.readings import SeenDie
from vision.tracking.assignment import most_assigned
from vision.tracking.likeness import (
    MAX_SIDE_APART,
    is_as_large,
    may_be_same,
    may_be_same_body,
    may_have_same_face,
    may_look_alike,
    may_still_show,
    sides_apart,
)
from vision.tracking.tracklets import (
    IN_HAND_S,
    MAX_FLICKED_SIDES,
    MAX_LINK_S,
    MAX_LINK_SIDES,
    MAX_UNSEEN_SIDES,
    MAX_WHOLE_SIZE,
    MIN_ARRIVAL_PATH,
    MIN_FAR_PATH,
    MIN_FREE_OBSERVATIONS,
    MIN_FREE_PATH,
    MIN_THROWN_PATH,
    RETHROW_S,
    SAME_SPOT_SIDES,
    TURNED_WITHIN_SIDES,
    Tracklet,
    arrival_of,
    before_it_left,
    first_at_rest,
    first_still_s,
    free_sides,
    hand_stayed_at,
    held_observations,
    lies_quickly_after,
    moves_at_first,
    path_sides,
    placed_under_hand,
    step_sides,
)
from vision.tracking.tracks import LostTrack, Track, TrackOutcome
from vision.tracking.tumbling import (
    MIN_TUMBLE_EVIDENCE,
    MIN_WHOLE_SIZE,
    came_out_of_hand,
    may_have_dropped,
    may_have_fallen_out,
    moves_as_let_go,
    rolls_on,
    seen_tumbling,
    spins,
    tumble_evidence,
    tumbled_far,
    tumbled_freely,
)

FINGER_S, MAX_PUSHED_SIDES, MAX_HIDDEN_SIDES = 1.0, 2.0, 6.0
"""A finger that pushes a die hides it for less than FINGER_S, and lets go of it within MAX_PUSHED_SIDES. A
fingertip that hides it all the way, and crosses nothing else of the tray, lets go within MAX_HIDDEN_SIDES."""

WITHIN_SIDES = 0.4
"""What is detected this near to the place of a die, in sides of that, and is smaller, lies within it."""

MAX_FIGURE_SIDES, MIN_FIGURE_GROWTH = 1.5, 1.3
"""A die as near as this to a printed figure, in sides, hides it, and is larger by more than this factor. So
near, one die seems larger than another only by its height."""

HIDING_HAND_SHARE = 0.45
"""A hand over a larger share of the picture is so near to the lens that dice may be changed behind it."""

MIN_LAY_BESIDE = 3
"""Number of dice from which one that differs alone was turned, even by a hand near the lens. A lone die may
have been thrown behind that hand."""

HIDDEN_TOGETHER_S = 1.0
"""All dice on the tray are hidden at once for so long only by what covers the tray, or the lens."""

MIN_SHUFFLED, MANY_SHUFFLED = 3, 4
"""Number of dice from which the same faces as before are no chance. Three thrown dice show them again once in
36 times at most, four once in 54."""

MAX_CHANCE = 0.002
"""A throw that shows the same faces again no more often than this is no throw."""


def track_of_new(
    tracklet: Tracklet,
    beside: Sequence[Tracklet],
    lost: list[Tracklet],
    earlier_lost: list[LostTrack],
    ids: Iterator[int],
    max_hand_share: float,
    shuffled: bool,
    others_lie: bool,
) -> Track:
    """The track of a die that appeared since the tray last settled. Removes it from `lost` or `earlier_lost`
    if it is in one of them.

    beside: the new dice that are still to be decided. shuffled: the new dice are the lost ones, see
    are_shuffled. others_lie: dice that lay on the tray lie as they lay.
    """
    seen = tracklet.last.seen
    candidates = _without_slid(tracklet, beside, lost)
    old = _lost_die(tracklet, candidates, beside, shuffled)
    if old is not None and (shuffled or not _surely_thrown(tracklet, old)):
        lost.remove(old)
        return _track_of_moved(tracklet, old, shuffled)
    free = free_sides(tracklet)
    tumbled = seen_tumbling(tracklet) and not _only_hidden(tracklet)
    moved_freely = free >= MIN_FREE_PATH
    here = [g for g in earlier_lost if sides_apart(g.was, seen) <= SAME_SPOT_SIDES]
    returned = next((g for g in here if may_be_same(g.was, seen)), None)
    if returned is not None and not (tumbled or moved_freely or tracklet.flew_in):
        earlier_lost.remove(returned)
        return Track(returned.id, seen, TrackOutcome.UNMOVED, returned.was)  # it was only hidden
    appeared = not tumbled and path_sides(tracklet) == 0  # its arrival was not observed
    stayed = (appeared or (not tumbled and _stayed_near(tracklet))) and not may_have_fallen_out(tracklet)
    max_sides = TURNED_WITHIN_SIDES
    if tracklet.crossed_tray is False:
        max_sides = MAX_HIDDEN_SIDES if appeared else MAX_PUSHED_SIDES
    uncovered = stayed or _is_only_uncovered(tracklet)
    nudged = next((g for g in earlier_lost if uncovered and _is_nudged(g.was, seen, max_sides)), None)
    if nudged is not None:
        earlier_lost.remove(nudged)
        return Track(nudged.id, seen, TrackOutcome.MOVED, nudged.was)  # under the finger that hid it
    pushed = next((g for g in earlier_lost if _is_pushed_on(tracklet, g.was)), None)
    if pushed is not None:
        earlier_lost.remove(pushed)
        return Track(pushed.id, seen, TrackOutcome.MOVED, pushed.was)
    hidden = appeared and max_hand_share > HIDING_HAND_SHARE
    turned = next((g for g in earlier_lost if stayed and not hidden and _may_be_turned(tracklet, g)), None)
    if turned is not None:
        earlier_lost.remove(turned)
        soon = turned.last_seen_s is not None and first_still_s(tracklet) - turned.last_seen_s < RETHROW_S
        outcome = TrackOutcome.TURNED if soon else TrackOutcome.UNCLEAR
        return Track(turned.id, seen, outcome, turned.was)
    if _arrived_unseen(tracklet, tumbled):
        return Track(next(ids), seen, TrackOutcome.UNOBSERVED)
    if hidden:
        in_hand = any(may_be_same_body(g.was, seen) for g in earlier_lost)
        return Track(
            next(ids), seen, TrackOutcome.UNCLEAR if in_hand else TrackOutcome.UNOBSERVED, lifted=in_hand
        )
    own = of_one_colour(tracklet)
    elsewhere = [c for other in beside for c in _lost_dice(other, lost) if not _surely_thrown(other, c)]
    before = predecessor(own, [c for c in candidates if c not in elsewhere])
    if before is not None:
        lost.remove(before)
        return _track_of_knocked(own, of_one_colour(before), tumbled, ids, others_lie)
    placed = any(
        c.track and sides_apart(c.track.seen, seen) <= SAME_SPOT_SIDES and not c.lifted_before(tracklet)
        for c in lost
    )
    if tumbled or moved_freely or not (placed or placed_under_hand(tracklet)):
        unseen = appeared or (not tumbled and _seen_only_at_rest(tracklet))
        put_back = next((g for g in earlier_lost if unseen and may_be_same(g.was, seen)), None)
        if put_back is None:
            held = not tumbled and not moved_freely and _may_be_held(tracklet)
            outcome = TrackOutcome.UNCLEAR if held else TrackOutcome.THROWN
            return Track(next(ids), seen, outcome, lifted=True)
        earlier_lost.remove(put_back)
        return Track(put_back.id, seen, TrackOutcome.UNCLEAR, put_back.was, lifted=True)
    return _track_of_placed(tracklet, lost, elsewhere, earlier_lost, ids)


def is_turned_alone(new: Sequence[Tracklet], lost: Sequence[Tracklet], lay: int) -> bool:
    """Whether the only new die lies where the only lost one lay, of `lay` dice in all: a hand that covered
    them turned it. To change dice unseen it would have to put one back in that place."""
    if not len(new) == len(lost) == 1 or lay < MIN_LAY_BESIDE or lost[0].track is None:
        return False
    was, seen = lost[0].track.seen, new[0].last.seen
    return may_be_same_body(was, seen) and sides_apart(was, seen) <= TURNED_WITHIN_SIDES


def mark_there_at_start(tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> None:
    """Marks the tracklets unseen of dice that a hand uncovers, and that lay there before the tray was ever at
    rest. others: tracklets that ended."""
    lay = [c for c in others if c.track is None and c.unseen and path_sides(c) <= SAME_SPOT_SIDES]
    for tracklet in tracklets:
        if any(_is_there_again(tracklet, before) for before in lay):
            tracklet.unseen = True


def mark_hidden_together(tracklets: Sequence[Tracklet]) -> None:
    """Marks the tracklets unseen of dice that come into sight in one reading with all dice that lay on the
    tray, none of which was detected for some time: whatever hid them all may have hidden how those came."""
    lay = [c for c in tracklets if c.from_rest]
    if len(lay) < MIN_LAY_BESIDE:
        return
    for tracklet in tracklets:
        at_s = tracklet.observations[0].at_s
        if not tracklet.from_rest and all(_was_hidden_until(c, at_s) for c in lay):
            tracklet.unseen = True


def _was_hidden_until(tracklet: Tracklet, at_s: float) -> bool:
    """Whether it was not detected for HIDDEN_TOGETHER_S before this time, s, and then was."""
    times_s = [o.at_s for o in tracklet.observations]
    return at_s in times_s and not any(at_s - HIDDEN_TOGETHER_S < t < at_s for t in times_s)


def _is_there_again(tracklet: Tracklet, before: Tracklet) -> bool:
    was, seen = before.last.seen, tracklet.last.seen
    stayed = free_sides(tracklet) < MIN_FREE_PATH and not seen_tumbling(tracklet)
    return stayed and may_be_same(was, seen) and sides_apart(was, seen) <= SAME_SPOT_SIDES


def drop_rolled_over(tracklet: Tracklet) -> None:
    """Drops what was detected after a new die lay still, surely read, and before it is detected so again, if
    no hand was at it: another die rolled over it."""
    first, observations = tracklet.observations[0].seen, tracklet.observations
    lies = [
        o.seen.sure and sides_apart(first, o.seen) <= SAME_SPOT_SIDES and may_be_same(first, o.seen)
        for o in observations
    ]
    new = tracklet.track is None and not tracklet.ever_touched
    if new and all(lies[:MIN_FREE_OBSERVATIONS]) and lies[-1]:
        tracklet.keep([o for o, is_there in zip(observations, lies, strict=True) if is_there])


def shows_part_of(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether what appeared is the part of a die that a fingertip leaves to be seen as it rests on it, or the
    border of the picture after a bump: smaller, never surely read, and always within that one's place."""
    if tracklet.track is not None or old.track is None:
        return False
    places = (old.track.seen, old.last.seen)
    return any(all(_is_part_of(was, o.seen) for o in tracklet.observations) for was in places)


def _is_part_of(whole: SeenDie, seen: SeenDie) -> bool:
    """Whether this may be what something in front of a die leaves of it: smaller, not surely read, and within
    its place."""
    within = whole.distance_px(seen) <= WITHIN_SIDES * whole.side
    return not seen.sure and seen.side < MIN_WHOLE_SIZE * whole.side and within


def _is_half_hidden(tracklet: Tracklet) -> bool:
    """Whether it lay in one place, surely read, until something hid a part of it, and still does."""
    lay = before_it_left(tracklet)
    hidden = list(dropwhile(lambda o: o.seen.sure, tracklet.observations))
    shown = tracklet.observations[: -len(hidden)] if hidden else []
    return 0 < len(shown) <= len(lay) and all(_is_part_of(lay[0].seen, o.seen) for o in hidden)


def _is_pushed_on(tracklet: Tracklet, was: SeenDie) -> bool:
    """Whether a die that was hidden is in sight again near its place, with its face, as soon as something
    moves, and goes on from there without any sign of a tumble: a fingertip that is not detected pushes it. If
    it leaves so little that no face is sure, the die is in its place, and seems smaller at the end."""
    if not tracklet.unseen:
        return False
    first, last = tracklet.observations[0].seen, tracklet.last.seen
    if not any(o.seen.sure for o in tracklet.observations):
        here = sides_apart(was, first) <= WITHIN_SIDES
        return here and last.side < was.side and may_be_same_body(was, last)
    near = may_be_same(was, first) and sides_apart(was, first) <= MAX_PUSHED_SIDES
    rolls = tumble_evidence(tracklet) > 0 or spins(tracklet)
    return near and may_be_same(was, last) and not rolls


def _is_nudged(was: SeenDie, seen: SeenDie, max_sides: float) -> bool:
    """Whether a die that was hidden may be the one that is there again, a little beside its place."""
    return may_be_same(was, seen) and sides_apart(was, seen) <= max_sides


def _may_be_turned(tracklet: Tracklet, lost: LostTrack) -> bool:
    """Whether a die that a fingertip hid, which crossed nothing else of the tray and was taken for no hand,
    may be there again with another face."""
    unseen = tracklet.crossed_tray is False and tracklet.hand_since_s is None
    here = sides_apart(lost.was, tracklet.last.seen) <= TURNED_WITHIN_SIDES
    return unseen and here and may_be_same_body(lost.was, tracklet.last.seen)


def _is_only_uncovered(tracklet: Tracklet) -> bool:
    """Whether it never moves, and shows nothing of a tumble but what is unsure as a hand uncovers it, and no
    larger than the die at rest."""
    largest = MAX_WHOLE_SIZE * tracklet.last.seen.side
    shown = [o for o in tracklet.observations if o.seen.sure or not o.uncovered or o.seen.side > largest]
    lies = path_sides(tracklet) == 0 and not may_have_fallen_out(tracklet)
    return lies and tumble_evidence(replace(tracklet, observations=shown)) < MIN_TUMBLE_EVIDENCE


def _stayed_near(tracklet: Tracklet) -> bool:
    """Whether it hardly moved since it appeared, and nothing had crossed the tray before."""
    return tracklet.crossed_tray is False and path_sides(tracklet) < MIN_ARRIVAL_PATH


def _seen_only_at_rest(tracklet: Tracklet) -> bool:
    """Whether nothing had crossed the tray before it appeared, and it was surely read in one place only: what
    was seen on its way may be what a fingertip that pushed it left of it."""
    surely = [o for o in tracklet.observations if o.seen.sure]
    return tracklet.crossed_tray is False and path_sides(replace(tracklet, observations=surely)) == 0


def _may_be_held(tracklet: Tracklet) -> bool:
    """Whether a fingertip that is hardly detected may hold it still: it was never surely read, and nothing
    crossed the rest of the tray."""
    read = any(o.seen.sure for o in tracklet.observations)
    return tracklet.ever_touched and tracklet.crossed_tray is False and not read


def _only_hidden(tracklet: Tracklet) -> bool:
    """Whether what seemed to be a tumble was hardly more than a fingertip that hid a part of the die."""
    held = held_observations(tracklet)
    free = [o for o in tracklet.observations if o not in held]
    return bool(held) and tumble_evidence(replace(tracklet, observations=free)) < MIN_TUMBLE_EVIDENCE


def _arrived_unseen(tracklet: Tracklet, tumbled: bool) -> bool:
    """Whether it came while the tray was not observed. A die that stays where it was first detected lay there
    before, although a hand comes near it. One that came far, or a shorter way from a hand, was observed."""
    if not tracklet.unseen:
        return False
    if _is_half_hidden(tracklet):
        return True  # what hides it only seems to be a tumble
    if tumbled:
        return False
    first, free = tracklet.observations[0], free_sides(tracklet)
    if (_is_cut_off(tracklet) and free >= MIN_FREE_PATH) or (first.touched and free >= MIN_THROWN_PATH):
        return False  # it came in over the border, or out of a hand
    stayed = first_at_rest(tracklet) is first
    return stayed or (path_sides(tracklet) < MIN_FAR_PATH and not tracklet.ever_touched)


def _is_cut_off(tracklet: Tracklet) -> bool:
    """Whether the border of the picture cut it as it appeared. The box of a die that is smeared or turned may
    be as high as it is wide nevertheless."""
    first = tracklet.observations[0].seen
    narrow = min(first.box_xywh[2:]) < MIN_WHOLE_SIZE * tracklet.last.seen.side
    return first.cut_off or (tracklet.at_border and narrow)


def _lost_die(
    tracklet: Tracklet, lost: Sequence[Tracklet], beside: Sequence[Tracklet], shuffled: bool
) -> Tracklet | None:
    """The lost die that this one may be, or None. Where dice beside it, which were not surely thrown, may be
    lost ones too, each is one if possible. Then a die of its colour is preferred, then one with its likeliest
    face, then the nearest."""
    seen = tracklet.last.seen
    candidates = sorted(
        _lost_dice(tracklet, lost),
        key=lambda c: (
            c.last.seen.colour != seen.colour,
            c.track is not None and not may_have_same_face(c.track.seen, seen),
            sides_apart(c.last.seen, seen),
        ),
    )
    if len(candidates) < 2 or not beside:
        return next(iter(candidates), None)
    may_be = [
        {id(old) for old in _lost_dice(other, lost) if shuffled or not _surely_thrown(other, old)}
        for other in beside
    ]
    return max(candidates, key=lambda c: most_assigned([ids - {id(c)} for ids in may_be]))


def _without_slid(tracklet: Tracklet, beside: Sequence[Tracklet], lost: Sequence[Tracklet]) -> list[Tracklet]:
    """The lost dice without those that a die which shows other faces on its way cannot be: as many beside it
    may be them, and slid."""
    may_be = _lost_dice(tracklet, lost) if tumble_evidence(tracklet) > 0 else []
    if not may_be:
        return list(lost)
    slid = [c for c in beside if tumble_evidence(c) == 0 and not spins(c)]
    as_many = sum(bool(_lost_dice(c, may_be)) for c in slid) >= len(may_be)
    return [c for c in lost if c not in may_be] if as_many else list(lost)


def _lost_dice(tracklet: Tracklet, lost: Sequence[Tracklet]) -> list[Tracklet]:
    """The lost dice that this one may be. One that was still in its place when this one appeared is
    another."""
    seen = tracklet.last.seen
    shown = (o.at_s for o in tracklet.observations if o.seen.sure and may_be_same(o.seen, seen))
    appeared_s = next(shown, tracklet.last.at_s)
    return [
        c
        for c in lost
        if c.track
        and _may_show_it(c.track, seen)
        and _has_size_of(c.track.seen, seen)
        and not (c.last.at_s > appeared_s and path_sides(c) == 0)
    ]


def _has_size_of(lay: SeenDie, seen: SeenDie) -> bool:
    """Whether a die is about as large as what lay there. What lay close by, was never surely a die, and is
    clearly smaller is a printed figure on which the die came to lie."""
    beside = sides_apart(lay, seen) <= MAX_FIGURE_SIDES and seen.sure and not lay.sure
    return is_as_large(lay, seen) and not (beside and lay.side * MIN_FIGURE_GROWTH < seen.side)


def _may_show_it(lay: Track, seen: SeenDie) -> bool:
    """Whether a die that lay here may show this. The unsure face that one seemed to be turned to may be its
    earlier one, partly hidden by a fingertip that was not detected."""
    if may_be_same(lay.seen, seen) or may_still_show(lay.seen, seen):
        return True
    turned_unsurely = lay.outcome is TrackOutcome.TURNED and not lay.seen.sure
    return turned_unsurely and lay.was is not None and may_be_same(lay.was, seen)


def _track_of_placed(
    tracklet: Tracklet,
    lost: list[Tracklet],
    elsewhere: Sequence[Tracklet],
    earlier_lost: Sequence[LostTrack],
    ids: Iterator[int],
) -> Track:
    """The track of a die that a hand put down: one that lay there with another face, or another die.
    elsewhere: the lost dice that other new dice may be, with their faces.

    If it surely rolled or fell out of a hand, it was thrown. If the hand stays with it, it may as well have
    rolled to a hand that rests there. If it was larger and went on from beside the hand, moves as that leaves
    it, or rolls on after it, it may as well have fallen out of it; near the place of another only if that one
    was taken long enough before. Where a hand rested while something moved, it may have rolled under it.
    """
    seen = tracklet.last.seen
    alike = [c for c in lost if c.track and c not in elsewhere and may_be_same_body(c.track.seen, seen)]
    near = [c for c in alike if c.track and sides_apart(c.track.seen, seen) <= TURNED_WITHIN_SIDES]
    turned = min(near, key=lambda c: sides_apart(c.last.seen, seen), default=None)
    if turned is not None and turned.track is not None:
        lost.remove(turned)
        taken = tracklet.observations[0].at_s - turned.last.at_s > RETHROW_S
        fell = taken and not tracklet.ever_touched and rolls_on(tracklet)
        outcome = TrackOutcome.UNCLEAR if fell else TrackOutcome.TURNED
        return Track(turned.track.id, seen, outcome, turned.track.seen)
    if came_out_of_hand(tracklet):
        return Track(next(ids), seen, TrackOutcome.THROWN, lifted=True)
    lifted = any(may_have_same_face(g.was, seen) for g in earlier_lost)
    signs = (may_have_fallen_out, moves_as_let_go, rolls_on, may_have_dropped)
    fell = any(sign(tracklet) for sign in signs)
    doubted = fell or hand_stayed_at(tracklet) or tracklet.hand_rested
    outcome = TrackOutcome.UNCLEAR if doubted else TrackOutcome.PLACED
    return Track(next(ids), seen, outcome, lifted=lifted)


def _track_of_knocked(
    tracklet: Tracklet, before: Tracklet, tumbled: bool, ids: Iterator[int], others_lie: bool
) -> Track:
    """The track of a die that was another tracklet a moment before, and shows another face. Where others lie
    as they lay, nothing shook the tray: one that lies still again at once was flicked."""
    assert before.track is not None
    was, seen, path = before.track.seen, tracklet.last.seen, free_sides(tracklet)
    if tumbled_far(tracklet) and before.ever_touched and not _lay_just_before(before, tracklet):
        return Track(next(ids), seen, TrackOutcome.THROWN, lifted=True)  # out of the hand that took it
    whole_path = path + sides_apart(before.last.seen, tracklet.observations[0].seen)
    flicked = others_lie and lies_quickly_after(tracklet, before.last.at_s)
    if tumbled and not before.ever_touched and whole_path >= MIN_FAR_PATH and not flicked:
        return Track(next(ids), seen, TrackOutcome.THROWN, was)
    near = path < MIN_FREE_PATH and sides_apart(was, seen) <= TURNED_WITHIN_SIDES
    by_hand = before.ever_touched and near and not _was_let_go(before, tracklet)
    return Track(before.track.id, seen, TrackOutcome.TURNED if by_hand else TrackOutcome.TIPPED, was)


def _was_let_go(before: Tracklet, tracklet: Tracklet) -> bool:
    """Whether a die that a hand had touched lay freely again, as before, until it showed another face."""
    assert before.track is not None
    first, last = tracklet.observations[0], before.observations[-MIN_FREE_OBSERVATIONS:]
    lay = (o.seen.sure and not o.touched and may_be_same(o.seen, before.track.seen) for o in last)
    at_once = not first.touched and first.at_s - before.last.at_s < MAX_LINK_S
    return at_once and len(last) == MIN_FREE_OBSERVATIONS and all(lay)


def predecessor(tracklet: Tracklet, lost: Sequence[Tracklet]) -> Tracklet | None:
    """The tracklet that this die had a moment before it appeared: its last observation is so recent and so
    near that no hand can have taken and thrown it meanwhile. None if there is none."""
    first, end = tracklet.observations[0], tracklet.last.seen
    alike = [c for c in lost if c.track and may_be_same_body(c.body, end) and _has_size_of(c.track.seen, end)]
    near = [
        (sides, c)
        for c, own in ((c, of_one_colour(c)) for c in alike)
        if (sides := sides_apart(own.last.seen, first.seen)) <= _max_link_sides(own, tracklet)
    ]
    return min(near, key=lambda pair: pair[0], default=(0.0, None))[1]


def of_one_colour(tracklet: Tracklet) -> Tracklet:
    """The tracklet without the first and the last observations of another colour: where one die hits another,
    its detections may be taken for those of that one."""
    own = [i for i, o in enumerate(tracklet.observations) if may_look_alike(o.seen, tracklet.body)]
    return replace(tracklet, observations=tracklet.observations[own[0] : own[-1] + 1])


def _max_link_sides(before: Tracklet, tracklet: Tracklet) -> float:
    """The maximum distance, in sides, at which `tracklet` continues `before` after the time between them. A
    die that fingers turn is out of sight for longer, but stays where it is. Two that are detected in one
    picture are two sides of it."""
    gap_s = tracklet.observations[0].at_s - before.last.at_s
    if _lay_just_before(before, tracklet):
        away = not tracklet.observations[0].touched or lies_quickly_after(tracklet, before.last.at_s)
        flicked = before.ever_touched and gap_s < IN_HAND_S and away
        return MAX_FLICKED_SIDES if flicked else MAX_LINK_SIDES
    if gap_s == 0:
        return MAX_SIDE_APART
    if 0 < gap_s < MAX_LINK_S:
        return MAX_LINK_SIDES
    turning = 0 < gap_s < IN_HAND_S and path_sides(tracklet) < MIN_FREE_PATH
    return TURNED_WITHIN_SIDES if turning else -1.0


def _lay_just_before(before: Tracklet, tracklet: Tracklet) -> bool:
    """Whether the die of `before` lay still so shortly before `tracklet` appeared, or came to rest, that no
    hand can have taken and thrown it meanwhile. A finger flicked it, or another die hit it."""
    first_s, last_s = tracklet.observations[0].at_s, before.last.at_s
    lies_again = not before.covered and lies_quickly_after(tracklet, last_s)
    soon = first_s - last_s < IN_HAND_S or lies_again
    in_place = step_sides(before.observations[0], before.last) <= SAME_SPOT_SIDES
    return first_s > last_s and soon and in_place and not before.lifted_before(tracklet)


def _goes_on(before: Tracklet, tracklet: Tracklet) -> bool:
    """Whether the die of `before` is there again at once, near the place where it was last detected, with the
    same face: frames were lost, or a finger hid it, as it was pushed."""
    first, last = tracklet.observations[0], before.last
    soon = 0 <= first.at_s - last.at_s < MAX_LINK_S
    return soon and step_sides(last, first) <= MAX_PUSHED_SIDES and may_be_same(last.seen, first.seen)


def are_shuffled(new: Sequence[Tracklet], lost: Sequence[Tracklet]) -> bool:
    """Whether the new dice are those that a hand took, at other places: together they show what the lost
    ones showed, and none was seen to move freely, or, of MANY_SHUFFLED, to tumble freely. Where that is
    hardly chance, it does not matter what was seen under the hand."""
    if not len(new) == len(lost) >= MIN_SHUFFLED:
        return False
    came_freely = any(free_sides(c) >= MIN_ARRIVAL_PATH for c in new)
    thrown = came_freely and (len(new) < MANY_SHUFFLED or any(tumbled_freely(c) for c in new))
    if thrown and _chance_of_same_faces([c.last.seen for c in new]) > MAX_CHANCE:
        return False
    if most_assigned([{id(old) for old in _lost_dice(c, lost)} for c in new]) < len(new):
        return False
    return all(c.last.seen.sure for c in new) and all(c.ever_touched for c in lost)


def _chance_of_same_faces(dice: Sequence[SeenDie]) -> float:
    """The probability that these dice, thrown again, show the same faces in the same colours."""
    faces = Counter((d.colour, d.face) for d in dice)
    ways = math.prod(math.factorial(n) for n in Counter(d.colour for d in dice).values())
    same = math.prod(math.factorial(n) for n in faces.values())
    return float(ways / same / 6 ** len(dice))


def _surely_thrown(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether a die with the face of a lost one was thrown nevertheless."""
    if _lay_just_before(old, tracklet) or _goes_on(old, tracklet):
        return False
    tumbles, path = tumble_evidence(tracklet), _arrival_sides(tracklet)
    lifted = tracklet.observations[0].at_s - old.last.at_s > IN_HAND_S
    if tumbles >= (2 if lifted else 3) * MIN_TUMBLE_EVIDENCE:
        return True
    if tumbles >= MIN_TUMBLE_EVIDENCE and path >= MIN_FAR_PATH:
        return True
    if path < MIN_FREE_PATH and sides_apart(old.observations[0].seen, tracklet.last.seen) <= SAME_SPOT_SIDES:
        return False
    pushed_since = tumbles == 0 and path < MIN_FREE_PATH <= path_sides(tracklet) - path
    if pushed_since or _pushed_by_finger(tracklet, old):
        return False
    return old.lifted_before(tracklet) and (path >= MIN_FREE_PATH or not placed_under_hand(tracklet))


def _track_of_moved(tracklet: Tracklet, old: Tracklet, shuffled: bool) -> Track:
    """The track of a die that shows the face of a lost one and was probably not thrown: UNMOVED, MOVED or
    UNCLEAR."""
    assert old.track is not None
    was, seen = old.track.seen, tracklet.last.seen
    if sides_apart(old.observations[0].seen, seen) <= SAME_SPOT_SIDES:
        return Track(old.track.id, seen, TrackOutcome.UNMOVED, was)
    gap_s = tracklet.observations[0].at_s - old.last.at_s
    carried = old.ever_touched and path_sides(old) >= MIN_FREE_PATH
    came_from_hand = carried or gap_s > IN_HAND_S
    fell_out = came_out_of_hand(tracklet) or (spins(tracklet) and may_have_fallen_out(tracklet))
    lifted = old.lifted_before(tracklet) or _was_taken(old, tracklet)
    rolls_in = lifted and (_rolls_in(tracklet) or fell_out)
    moved_freely = (rolls_in or _arrival_sides(tracklet) >= MIN_FREE_PATH) and came_from_hand
    moved_freely &= not _pushed_by_finger(tracklet, old)
    outcome = TrackOutcome.UNCLEAR if moved_freely and not shuffled else TrackOutcome.MOVED
    return Track(old.track.id, seen, outcome, was, lifted=lifted)


def _was_taken(old: Tracklet, tracklet: Tracklet) -> bool:
    """Whether a die that a hand was at was away for longer than a push takes when the new one appeared,
    although another hand never left the picture: its place lay empty, or the new one still moved when it came
    into sight."""
    first_s, since_s = tracklet.observations[0].at_s, old.absent_since
    lay_empty = since_s is not None and first_s - since_s > RETHROW_S
    hidden = first_s - old.last.at_s > RETHROW_S and moves_at_first(tracklet)
    return old.ever_touched and (lay_empty or hidden)


def _arrival_sides(tracklet: Tracklet) -> float:
    """Length of its path with no hand at it, sides, until it first lay still for LAY_STILL_S. All of it, if
    the die was seen to tumble."""
    if tumble_evidence(tracklet) > 0:
        return free_sides(tracklet)
    arrived_s = first_still_s(tracklet)
    return free_sides(
        replace(tracklet, observations=[o for o in tracklet.observations if o.at_s <= arrived_s])
    )


def _rolls_in(tracklet: Tracklet) -> bool:
    """Whether it still moves freely as it comes into sight."""
    return free_sides(arrival_of(tracklet)) >= MIN_ARRIVAL_PATH


def _pushed_by_finger(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether a finger may have hidden the lost die for a moment and pushed it: it comes into sight near its
    place, and lies still or slides on without tumbling."""
    first = tracklet.observations[0]
    far, gap_s = sides_apart(old.last.seen, first.seen), first.at_s - old.last.at_s
    if tumble_evidence(tracklet) > 0:
        return False
    if path_sides(tracklet) == 0:
        return far <= MAX_UNSEEN_SIDES and gap_s < RETHROW_S
    return far <= MAX_PUSHED_SIDES and free_sides(tracklet) < MIN_FAR_PATH and gap_s < FINGER_S
