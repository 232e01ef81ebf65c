"""Decides the outcome of each die's track from its tracklet.

A throw is a die that moved freely, with no hand at it, and tumbled: it was read with another face on the way,
or its upper face was seen to tilt away from its direction at rest. A die that slides keeps both. A die that
shows its earlier face and was not seen to tumble was moved, however far, unless it was out of sight meanwhile
and came back freely: then it may be either.

decide_outcomes works in this order, because later steps use the results of earlier ones:
    1. mark dice that creep as touched by a hand;
    2. repair identity swaps between tracklets (changes `track` of the tracklets), and mark those of dice that
       lay there before the tray was ever at rest;
    3. decide the dice on which another landed, and those that were tracked from where they lay;
    4. decide the new dice, the best tumble evidence first, then the sure ones: each may take one of the lost
       dice, if possible one that leaves the others theirs;
    5. resolve exchanges of dice that hands moved;
    6. mark dice UNCLEAR or THROWN that came into sight together, when a hand or a cup left;
    7. mark dice UNCLEAR that nobody saw coming, that seem laid down beside one that tumbled, or that may have
       shot out from under a finger;
    8. mark dice TIPPED that a finger knocked over as it flicked another;
    9. extend throws to dice that may have been thrown and came at the same time;
    10. mark dice UNCLEAR that a hand may have hidden as they rolled under it;
    11. extend throws to dice that rolled under a hand;
    12. mark dice that other thrown dice knocked across the tray.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vision.readings import SeenDie
from vision.tracking.camera_shift import lies_as_it_lay, shifts_with
from vision.tracking.doubts import doubt_placed, doubt_shot_out, doubt_unseen, mark_uncovered
from vision.tracking.followed_dice import dice_landed_on, track_of_followed
from vision.tracking.identities import repair_swaps, resolve_exchanges
from vision.tracking.lamp_beside import drop_lamplit
from vision.tracking.new_dice import (
    are_shuffled,
    drop_rolled_over,
    is_turned_alone,
    mark_hidden_together,
    mark_there_at_start,
    track_of_new,
)
from vision.tracking.printed import flashes, shows_printed
from vision.tracking.together import (
    extend_throws,
    extend_throws_under_hand,
    mark_arrived_together,
    mark_knocked_over,
    tip_flicked,
)
from vision.tracking.tracklets import Tracklet, path_sides, touch_creeping
from vision.tracking.tracks import LostTrack, Track, TrackOutcome
from vision.tracking.tumbling import tumble_evidence


def decide_outcomes(
    tracklets: Sequence[Tracklet],
    others: Sequence[Tracklet],
    earlier_lost: Sequence[LostTrack],
    ids: Iterator[int],
    max_hand_share: float = 0.0,
    printed: Sequence[SeenDie] = (),
) -> list[Track]:
    """The tracks of the dice at the ends of these tracklets, in the same order.

    others: tracklets that ended, among them those of dice that lay on the tray before. earlier_lost: dice
    lifted before the last settled tray. max_hand_share: the largest share of the picture that a hand, or
    something like it, covered meanwhile. printed: figures that were taken for dice in motion, not at rest.
    """
    for tracklet in (*tracklets, *others):
        touch_creeping(tracklet)
    for tracklet in tracklets:
        drop_lamplit(tracklet)
        drop_rolled_over(tracklet)
    repair_swaps(tracklets, others)
    mark_there_at_start(tracklets, others)
    mark_hidden_together(tracklets)
    lost = [c for c in others if c.track is not None]
    tracks: list[Track | None] = []
    remaining = list(earlier_lost)
    landed = dice_landed_on(tracklets, others)
    others_lie = any(c.from_rest and lies_as_it_lay(c) and path_sides(c) == 0 for c in tracklets)
    for tracklet in tracklets:
        if id(tracklet) in landed:
            tracks.append(Track(next(ids), tracklet.last.seen, TrackOutcome.THROWN, lifted=True))
        elif tracklet.from_rest:
            tracks.append(track_of_followed(tracklet, others_lie, ids))
        else:
            tracks.append(None)
    new = [i for i, track in enumerate(tracks) if track is None]
    appeared = [tracklets[i] for i in new]
    shuffled = are_shuffled(appeared, lost)
    if is_turned_alone(appeared, lost, len(tracklets)):
        max_hand_share = 0.0
    all_moved = not any(c.from_rest and lies_as_it_lay(c) for c in tracklets)
    in_order = sorted(new, key=lambda i: (-tumble_evidence(tracklets[i]), not tracklets[i].last.seen.sure))
    for n, i in enumerate(in_order, start=1):
        no_die = flashes(tracklets[i], others) or any(shows_printed(tracklets[i], p) for p in printed)
        if no_die or (all_moved and any(shifts_with(tracklets[i], other) for other in tracklets)):
            tracks[i] = Track(next(ids), tracklets[i].last.seen, TrackOutcome.UNOBSERVED)
        else:
            beside = [tracklets[j] for j in in_order[n:]]
            tracks[i] = track_of_new(
                tracklets[i], beside, lost, remaining, ids, max_hand_share, shuffled, others_lie
            )
    touched = [c.track for c in lost if c.track is not None and c.ever_touched]
    decided = resolve_exchanges([t for t in tracks if t is not None], touched, ids)
    known = not any(c.ever_touched for c in lost)
    covered = {c.track.id for c in others if c.track is not None and c.missing and c.covered}
    taken_before = {g.id for g in earlier_lost}
    decided = mark_arrived_together(tracklets, decided, known, taken_before)
    decided = doubt_unseen(tracklets, decided, others)
    decided = doubt_placed(tracklets, decided)
    decided = doubt_shot_out(tracklets, decided, others)
    decided = tip_flicked(tracklets, decided)
    decided = extend_throws(tracklets, decided, known, covered, taken_before, ids)
    decided = mark_uncovered(tracklets, decided)
    decided = extend_throws_under_hand(tracklets, decided, others)
    return mark_knocked_over(tracklets, decided, others)
