"""The steps that make dice UNCLEAR of which nobody can say whether they were thrown or only moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise

from vision.tracking.likeness import may_be_same, may_be_same_body, sides_apart
from vision.tracking.together import MAX_HIT_SIDES, came_with_others, may_have_knocked_off, was_hidden_at
from vision.tracking.tracklets import (
    IN_HAND_S,
    MAX_UNSEEN_SIDES,
    MIN_ARRIVAL_PATH,
    MIN_FREE_PATH,
    MIN_STEP_SIDES,
    QUICK_S,
    Tracklet,
    arrival_of,
    before_it_left,
    first_still_s,
    free_sides,
    hand_only_passed,
    hand_rested_at,
    may_be_held_at_first,
    moves_at_first,
    path_sides,
    step_sides,
    stood_undetected,
)
from vision.tracking.tracks import Track, TrackOutcome
from vision.tracking.tumbling import (
    MIN_TUMBLE_EVIDENCE,
    came_out_of_hand,
    fell_over_freely,
    seen_tumbling,
    tumble_evidence,
)

MIN_TIDIED = 2
"""Number of dice that hands moved from which it is likelier that another was moved with them, and shows its
face, than that it was thrown, unseen, and shows it again."""

MIN_PUSHED_SIDES = 1.0
"""A hand that pushes a die at least this far, in sides, is not about to throw another."""

PUSH_AND_THROW_S = 1.8
"""A die that a hand takes, and throws after it pushed another one, takes longer than this until it lies
still. One that is there again sooner lay hidden in a heap, say, and fell off it."""


def doubt_unseen(
    tracklets: Sequence[Tracklet], tracks: list[Track], others: Sequence[Tracklet]
) -> list[Track]:
    """The tracks, with a new die made UNCLEAR that came alone, and was neither seen to roll nor to tumble: a
    fingertip may have held it, or hid it for a moment as it flicked others, or pushed one with this face. So
    is one that hardly rolled, and may have slipped out from between fingers.

    others: tracklets that ended.
    """
    pairs = list(zip(tracklets, tracks, strict=True))
    thrown = [c for c, t in pairs if t.outcome is TrackOutcome.THROWN]
    gone = _gone(others, tracks)
    many_moved = sum(_was_moved(c, t) for c, t in pairs) >= MIN_TIDIED
    unseen = [
        c
        for c in thrown
        if c.track is None
        and not seen_tumbling(c)
        and not came_out_of_hand(c)
        and (
            _hardly_rolled(c)
            or (many_moved and not c.last.seen.sure)
            or any(_may_have_slipped_out(c, old) for old in gone)
        )
    ]
    lone = {id(c) for c in unseen if not came_with_others(c, thrown)}
    tidied = many_moved and len(lone) == len(thrown)
    return [_as_doubted(c, t, gone, tidied) if id(c) in lone else t for c, t in pairs]


def _was_moved(tracklet: Tracklet, track: Track) -> bool:
    """Whether a hand took a die to another place."""
    return tracklet.track is None and track.outcome is TrackOutcome.MOVED


def _hardly_rolled(tracklet: Tracklet) -> bool:
    """Whether it did not move as it came into sight, or a hand was at it then and it showed nothing of a
    tumble: fingers may have laid it down."""
    if path_sides(tracklet) < MIN_ARRIVAL_PATH:
        return True
    began_in_hand = tracklet.observations[0].touched and tumble_evidence(tracklet) == 0
    return began_in_hand and free_sides(tracklet) < MIN_FREE_PATH


def _as_doubted(tracklet: Tracklet, track: Track, gone: Sequence[Tracklet], tidied: bool) -> Track:
    """The track of a lone die that nobody saw coming: UNCLEAR if it may be one of those that are gone, was
    held, or can hardly have rolled to its place.

    tidied: hands moved several other dice, and nothing surely was thrown. Then, and where an arm was in its
    place, a die was moved that may show the face of one that is gone, if it lay still, or its path is that of
    what fingers left to be seen of it.
    """
    same = [old for old in gone if _shows_the_same(tracklet, old)]
    still = path_sides(tracklet) == 0 or not tracklet.last.seen.sure
    if still and (tidied or tracklet.arm_before) and same and same[0].track is not None:
        return Track(same[0].track.id, track.seen, TrackOutcome.MOVED, same[0].track.seen)
    slipped = (old for old in gone if _may_have_slipped_out(tracklet, old))
    if (old := next(chain(same, slipped), None)) is not None:
        return _unclear(track, old)
    too_soon = any(_is_back_too_soon(tracklet, old, QUICK_S) for old in gone)
    laid = may_be_held_at_first(tracklet) or stood_undetected(tracklet)
    laid |= path_sides(tracklet) == 0 and tracklet.flew_in is False  # by whatever was there
    laid |= tracklet.crossed_tray is False  # by a fingertip at the border
    doubted = too_soon or (laid and not tracklet.flew_in)
    return replace(track, outcome=TrackOutcome.UNCLEAR) if doubted else track


def _shows_the_same(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether a new die shows what one showed that a hand touched, and that is gone."""
    return old.ever_touched and old.track is not None and may_be_same(old.track.seen, tracklet.last.seen)


def _may_have_slipped_out(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether a new die that hardly rolled may be one that slipped out from between fingers: the hand stayed
    at that one's place until this one came into sight, not far off."""
    near = sides_apart(old.last.seen, tracklet.last.seen) <= MAX_UNSEEN_SIDES
    alike = may_be_same_body(old.body, tracklet.last.seen)
    return near and alike and free_sides(tracklet) < MIN_FREE_PATH and _hidden_until(old, tracklet)


def doubt_placed(tracklets: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """The tracks, with PLACED dice made UNCLEAR that may have been thrown. Some came to rest as another die
    tumbled that is taken for one that lay there: a throw under a hand may have knocked that one away, and
    this one is either. Others still moved after a hand that only passed, or may have hit one that seems to
    have been turned by hand: that one becomes TIPPED."""
    pairs = list(zip(tracklets, tracks, strict=True))
    tumbling = [
        c
        for c, t in pairs
        if c.track is None and t.was is not None and tumble_evidence(c) >= 2 * MIN_TUMBLE_EVIDENCE
    ]
    placed = [c for c, t in pairs if t.outcome is TrackOutcome.PLACED]
    turned = [c for c, t in pairs if t.outcome is TrackOutcome.TURNED]
    fell_over = [c for c in turned if _slid_over(c) or fell_over_freely(c)]
    hits = [(new, old) for new in placed for old in fell_over if may_have_knocked_off(new, old)]
    hit, hitting = {id(old) for _, old in hits}, {id(new) for new, _ in hits}
    doubted = list[Track]()
    for c, t in pairs:
        rolled = id(c) in hitting or came_with_others(c, tumbling) or _slid_out(c)
        if t.outcome is TrackOutcome.PLACED and rolled:
            doubted.append(replace(t, outcome=TrackOutcome.UNCLEAR))
        else:
            doubted.append(replace(t, outcome=TrackOutcome.TIPPED) if id(c) in hit else t)
    return doubted


def _slid_over(tracklet: Tracklet) -> bool:
    """Whether a die that lay here tumbled as it slid off freely: fingers turn a die in its place."""
    tumbled = tumble_evidence(tracklet) >= MIN_TUMBLE_EVIDENCE
    return tracklet.from_rest and tumbled and free_sides(tracklet) >= MIN_FREE_PATH


def _slid_out(tracklet: Tracklet) -> bool:
    """Whether a die still moved as the whole of it came into sight with its face, and no hand was there for
    long enough to lay it down."""
    end, arrival = tracklet.last.seen, arrival_of(tracklet).observations
    shown = all(o.seen.sure and may_be_same(o.seen, end) for o in arrival)
    return shown and hand_only_passed(tracklet) and moves_at_first(tracklet)


def doubt_shot_out(
    tracklets: Sequence[Tracklet], tracks: list[Track], others: Sequence[Tracklet]
) -> list[Track]:
    """The tracks, with THROWN dice made UNCLEAR that a finger may have squeezed against others until they
    shot out: it hid such a die a moment before, and pushed another one until then.

    others: tracklets that ended.
    """
    remaining, doubted = _gone(others, tracks), list[Track]()
    whole = [_with_earlier(c, t, others) for c, t in zip(tracklets, tracks, strict=True)]
    for n, (tracklet, track) in enumerate(zip(tracklets, tracks, strict=True)):
        beside = whole[:n] + whole[n + 1 :]
        old = _shot_out_die(tracklet, remaining, beside) if track.outcome is TrackOutcome.THROWN else None
        if old is not None:
            remaining.remove(old)
        doubted.append(track if old is None else _unclear(track, old))
    return doubted


def _with_earlier(tracklet: Tracklet, track: Track, others: Sequence[Tracklet]) -> Tracklet:
    """The tracklet of a die that was moved, with what was seen of it before a hand hid it briefly on its
    way."""
    if not _was_moved(tracklet, track):
        return tracklet
    earlier = next((c for c in others if c.track is not None and c.track.id == track.id), None)
    if earlier is None or tracklet.observations[0].at_s - earlier.last.at_s > IN_HAND_S:
        return tracklet
    return replace(earlier, observations=[*earlier.observations, *tracklet.observations])


def _hidden_until(old: Tracklet, tracklet: Tracklet) -> bool:
    """Whether a hand was at the place of a die that lay there until this one came into sight."""
    first_s = tracklet.observations[0].at_s
    return old.ever_touched and (old.absent_since is None or old.absent_since >= first_s)


def _gone(others: Sequence[Tracklet], tracks: Sequence[Track]) -> list[Tracklet]:
    """Of tracklets that ended, those of dice that lay here and are none of these tracks."""
    found = {t.id for t in tracks}
    return [c for c in others if c.track is not None and c.track.id not in found]


def _unclear(track: Track, old: Tracklet) -> Track:
    """The track of a die that was thrown, or is the one of `old`, and was moved."""
    assert old.track is not None
    return replace(track, id=old.track.id, outcome=TrackOutcome.UNCLEAR, was=old.track.seen)


def _shot_out_die(
    tracklet: Tracklet, gone: Sequence[Tracklet], beside: Sequence[Tracklet]
) -> Tracklet | None:
    """The die that a finger may have made shoot out, and that is this new one then; None if there is none.
    beside: the other dice."""
    first_s = tracklet.observations[0].at_s
    pushes = any(_was_pushed_until(other, first_s) for other in beside)
    if tracklet.from_rest or not pushes:
        return None
    return next((old for old in gone if _is_back_too_soon(tracklet, old, PUSH_AND_THROW_S)), None)


def _is_back_too_soon(tracklet: Tracklet, old: Tracklet, max_s: float) -> bool:
    """Whether a new die may be one that a hand hid so shortly before it lay still that it can hardly have
    been taken and thrown. A hand may have pushed it on since."""
    alike = may_be_same_body(old.body, tracklet.last.seen)
    return alike and old.ever_touched and first_still_s(tracklet) - old.last.at_s < max_s


def _was_pushed_until(tracklet: Tracklet, at_s: float) -> bool:
    """Whether a hand pushed a die that lay here, at least MIN_PUSHED_SIDES in the IN_HAND_S before this time,
    s."""
    if not tracklet.from_rest:
        return False
    steps = ((a, b) for a, b in pairwise(tracklet.observations) if a.touched and b.touched)
    recent = (step_sides(a, b) for a, b in steps if at_s - IN_HAND_S <= b.at_s <= at_s)
    return sum(step for step in recent if step > MIN_STEP_SIDES) >= MIN_PUSHED_SIDES


def mark_uncovered(tracklets: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """The tracks, with PLACED dice made UNCLEAR that came into sight where a hand had rested, or while it hid
    one that was moved meanwhile, or one slid off, or beside the place of one that came out from under the
    hand and fell over: they may have rolled out of the hand, and hit that one. One that shows the face of a
    die that was taken was put back with the one that was moved."""
    pairs = list(zip(tracklets, tracks, strict=True))
    aside = (TrackOutcome.MOVED, TrackOutcome.TIPPED)
    moved = [(c, t) for c, t in pairs if t.outcome in aside]
    return [
        replace(t, outcome=TrackOutcome.UNCLEAR)
        if t.outcome is TrackOutcome.PLACED
        and (
            ((not t.lifted or c.crossed_tray) and hand_rested_at(c))
            or any(
                _may_have_hit(c, t, other) or _may_have_tipped(c, other, tipped) for other, tipped in moved
            )
        )
        else t
        for c, t in pairs
    ]


def _may_have_hit(tracklet: Tracklet, track: Track, other: Tracklet) -> bool:
    """Whether a new die may have hit one under a hand that lay here."""
    if other.track is None:
        return not track.lifted and was_hidden_at(other, tracklet.observations[0].at_s)
    return may_have_knocked_off(tracklet, other) or _was_pushed_from_beside(other, tracklet)


def _was_pushed_from_beside(tracklet: Tracklet, new: Tracklet) -> bool:
    """Whether a die that lay just beside the place of a new one left it while a hand hid that one, and went
    on for MIN_PUSHED_SIDES. A hand that lays a die down pushes others less."""
    lay, left = tracklet.observations[0], before_it_left(tracklet)[-1]
    beside = sides_apart(lay.seen, new.observations[0].seen) <= MAX_HIT_SIDES
    return beside and step_sides(lay, tracklet.last) >= MIN_PUSHED_SIDES and was_hidden_at(new, left.at_s)


def _may_have_tipped(tracklet: Tracklet, other: Tracklet, tipped: Track) -> bool:
    """Whether a new die that a hand hid lies beside the place of one that lay there, fell over, and came out
    from under that hand first."""
    if tipped.outcome is not TrackOutcome.TIPPED or tipped.was is None or other.track is not None:
        return False
    beside = sides_apart(tipped.was, tracklet.last.seen) <= MAX_HIT_SIDES
    return beside and was_hidden_at(tracklet, other.observations[0].at_s)
