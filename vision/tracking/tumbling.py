"""Evidence that a die tumbled while it moved freely, with no hand at it: other faces, and an upper face that
tilts away from its direction at rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, takewhile

from vision.readings import SeenDie
from vision.tracking.likeness import BLURRED_FACE_CONFIDENCE, may_be_same, normal_changed, sides_apart
from vision.tracking.tracklets import (
    LAY_STILL_S,
    MAX_HELD_SIZE,
    MIN_FAR_PATH,
    MIN_FREE_PATH,
    MIN_STEP_SIDES,
    SAME_SPOT_SIDES,
    Observation,
    Tracklet,
    at_rest_since,
    before_it_left,
    free_sides,
    step_sides,
)

MIN_KNOCKED_PATH = 0.8
"""A die that tumbled and went this far freely, in sides, was hit or flicked, not turned by hand. One that is
knocked over an edge goes one side; tilted boxes are larger, so that it seems less."""

MAX_HELD_CHANGE = 0.2
"""Maximum change of the normal, in normal_xy, of a die that a fingertip holds and pushes."""

LEAVING_S = 0.1
"""A die that hops away tilts for no longer than this before it leaves its place."""

CLEAR_FACE_CONFIDENCE = 0.85
"""Minimum confidence at which a face that is read in motion counts as seen."""

SMEARED_NORMAL_ERROR = 0.06
"""Uncertainty of the surface normal, in normal_xy, above which a face may be smeared. That of a die that lies
still is about 0.03."""

MIN_TUMBLE_EVIDENCE = 1.0
"""Amount of evidence that makes a tumble."""

MIN_JUMP_SIDES = 1.0
"""Minimum length of a jump, in sides: there and back, or under a hand to another colour, no die makes it."""

MAX_SPIN_S, MIN_SPIN_PATH = 0.2, 0.2
"""A die that shows another face within MAX_SPIN_S, at least MIN_SPIN_PATH sides further, spins. Fingers take
longer to turn one, and hold it."""

MIN_WHOLE_SIZE = 0.8
"""A die whose box is smaller than this share of its box at rest is partly hidden, and shows fewer pips. One
that falls out of a hand is nearer to the camera, and larger."""

MIN_LET_GO_SIDES = 0.15
"""A die that goes on this far as a hand leaves it, in sides, was still rolling. Of 42 that simulated hands
laid down the farthest went 0.07."""

MIN_DROPPED_SIDES = 0.3
"""A die that comes to lie this far from where a hand that stood still let go of it, in sides, may have been
thrown."""

MIN_ROLLED_AWAY_SIDES = 0.8
"""A die that goes this far, in sides, as a hand leaves it was thrown."""

MIN_FALLING_SIZE, MIN_FALLING_PATH = 1.1, 0.1
"""Minimum size of a die that falls out of a hand, as a share of its size at rest, and the way that it still
goes, at least, in sides. What fingers lay down shows up to 1.03 of its size: they hide a part."""


def tumble_evidence(tracklet: Tracklet) -> float:
    """Evidence that the die tumbled while it moved freely: one for each other face or tilt."""
    end = tracklet.last.seen
    # Unsure readings may change face without motion.
    in_place = end.sure and not (tracklet.from_rest or tracklet.unseen or tracklet.pushed)
    observations = tracklet.observations[:-1] if in_place else _observations_in_motion(tracklet)
    released_s = _released_s(tracklet)
    return sum(evidence_of(o, end) for o in observations if not o.touched and o.at_s > released_s)


def _released_s(tracklet: Tracklet) -> float:
    """When a hand was last at the die in two readings in a row, s: what it showed before says nothing about
    how it came to rest."""
    held = (b.at_s for a, b in pairwise(tracklet.observations) if a.touched and b.touched)
    return max(held, default=-math.inf)


def roll_evidence(tracklet: Tracklet) -> float:
    """Evidence that a die tumbled that was tracked all the way and shows its earlier face: one for each free
    observation with a tilt, and one for each other clear face but the first. A smeared face may be misread as
    one other face, but only one, and seems to tilt. What it showed before it left its place is no evidence: a
    fingertip that is not detected hides a part of it, and pushes it."""
    left, end = _seen_at_its_place(tracklet), tracklet.last.seen
    moved = (b for a, b in pairwise(tracklet.observations) if step_sides(a, b) > MIN_STEP_SIDES)
    free = [o for o in moved if not o.touched and not o.seen.cut_off]
    faces = {o.seen.face for o in free if o.seen.confidence >= CLEAR_FACE_CONFIDENCE} - {end.face}
    smeared = [o for o in free if len(faces) == 1 and _is_smeared(o.seen, end)]
    tilts = sum(normal_changed(o.seen, end) and _turned(o.seen, left) for o in free if o not in smeared)
    return tilts + max(len(faces) - 1, 0)


def _is_smeared(seen: SeenDie, end: SeenDie) -> bool:
    """Whether another face may be the last one, smeared by its motion."""
    return seen.face != end.face and seen.normal_error > SMEARED_NORMAL_ERROR


def _seen_at_its_place(tracklet: Tracklet) -> SeenDie:
    """The die as it was seen LEAVING_S before it left the place of its first observation."""
    lay = before_it_left(tracklet)
    return next((o.seen for o in reversed(lay) if o.at_s <= lay[-1].at_s - LEAVING_S + 1e-6), lay[0].seen)


def _turned(seen: SeenDie, before: SeenDie) -> bool:
    """Whether a moving die shows something else than before it left its place."""
    if seen.face != before.face and before.sure:
        return True
    if not seen.normal_xy or not before.normal_xy:
        return False
    return math.dist(seen.normal_xy, before.normal_xy) > MAX_HELD_CHANGE


def spins(tracklet: Tracklet) -> bool:
    """Whether it showed two faces faster than fingers can turn a die (MAX_SPIN_S): it fell out of a hand. An
    unsure face beside a hand may be what fingers left of another."""
    smallest = MIN_WHOLE_SIZE * tracklet.last.seen.side
    whole = [
        o for o in _without_jumps(tracklet.observations) if not o.seen.cut_off and o.seen.side >= smallest
    ]
    clear = [
        o for o in whole if o.seen.confidence >= CLEAR_FACE_CONFIDENCE and (o.seen.sure or not o.touched)
    ]
    return any(
        a.seen.face != b.seen.face and 0 < b.at_s - a.at_s <= MAX_SPIN_S and step_sides(a, b) >= MIN_SPIN_PATH
        for i, a in enumerate(clear)
        for b in clear[i + 1 : i + 4]
    )


def may_have_fallen_out(tracklet: Tracklet) -> bool:
    """Whether it came into sight beside a hand as a die does that falls out of it: it was larger, thus higher
    or tilted, and went on, or it surely showed another face a moment before. What fingers lay down is partly
    hidden, stays where it is let go of, and is turned more slowly."""
    observations = tracklet.observations
    falls = any(
        _is_larger(o, tracklet.last.seen)
        and any(step_sides(o, later) >= MIN_FALLING_PATH for later in observations[n:])
        for n, o in enumerate(observations)
    )
    return observations[0].uncovered and (falls or _was_just_turned(tracklet))


def _surely_fell_out(tracklet: Tracklet) -> bool:
    """Whether it fell out of a hand for sure: the whole die was seen there, higher, tilted and with another
    face, within MAX_SPIN_S before it showed its last one."""
    end = tracklet.last.seen
    return any(
        _is_larger(o, end) and o.seen.sure and normal_changed(o.seen, end)
        for o in _just_before_last_face(tracklet)
    )


def _is_larger(observation: Observation, end: SeenDie) -> bool:
    """Whether a die was higher, or tilted, beside a hand or as it left it."""
    seen = observation.seen
    return observation.uncovered and seen.side >= MIN_FALLING_SIZE * end.side and not seen.cut_off


def moves_as_let_go(tracklet: Tracklet) -> bool:
    """Whether the whole die was seen at a hand, and went on as that one left it. Fingers let go of a die that
    lies still."""
    smallest = MIN_WHOLE_SIZE * tracklet.last.seen.side
    return any(
        a.touched
        and not b.touched
        and a.seen.sure
        and a.seen.side >= smallest
        and step_sides(a, b) >= MIN_LET_GO_SIDES
        for a, b in pairwise(tracklet.observations)
    )


def rolls_on(tracklet: Tracklet) -> bool:
    """Whether the whole die was seen to go on in two steps in a row with no hand at it. Fingers that let go
    of a die uncover it in one."""
    smallest = MIN_WHOLE_SIZE * tracklet.last.seen.side
    steps = [
        not b.touched and min(a.seen.side, b.seen.side) >= smallest and step_sides(a, b) > MIN_STEP_SIDES
        for a, b in pairwise(tracklet.observations)
    ]
    return any(first and second for first, second in pairwise(steps))


def _was_just_turned(tracklet: Tracklet) -> bool:
    """Whether it surely showed another face within MAX_SPIN_S before it first showed its last one."""
    smallest = MIN_WHOLE_SIZE * tracklet.last.seen.side
    return any(o.seen.sure and o.seen.side >= smallest for o in _just_before_last_face(tracklet))


def fell_over_freely(tracklet: Tracklet) -> bool:
    """Whether a die that lay here surely showed its first face, with no hand at it, within MAX_SPIN_S before
    it showed its last one, and no hand came to it since."""
    first = tracklet.observations[0].seen
    free = takewhile(lambda o: not o.touched, reversed(_just_before_last_face(tracklet)))
    return tracklet.from_rest and any(o.seen.sure and may_be_same(o.seen, first) for o in free)


def _just_before_last_face(tracklet: Tracklet) -> list[Observation]:
    """Its observations within MAX_SPIN_S before it first showed the face of its last one. All show others."""
    shows_s = next(o.at_s for o in tracklet.observations if o.seen.face == tracklet.last.seen.face)
    return [o for o in tracklet.observations if shows_s - MAX_SPIN_S <= o.at_s < shows_s]


def tumbled_freely(tracklet: Tracklet) -> bool:
    """Whether it tumbled on its way with no hand at it. Another die hit it."""
    return free_sides(tracklet) >= MIN_KNOCKED_PATH and tumble_evidence(tracklet) >= MIN_TUMBLE_EVIDENCE


def tumbled_far(tracklet: Tracklet) -> bool:
    """Whether it went far with no hand at it, and showed two other faces or tilts on its way."""
    return tumble_evidence(tracklet) >= 2 * MIN_TUMBLE_EVIDENCE and free_sides(tracklet) >= MIN_FAR_PATH


def toppled_s(tracklet: Tracklet) -> float | None:
    """When a die tilted on its way to another face, s, with no hand at it between its earlier face and the
    new one; None if it did not. Another die hit it."""
    first, end = tracklet.observations[0].seen, tracklet.last.seen
    if end.face == first.face:
        return None
    lay, tilted_s = False, None
    for observation in tracklet.observations:
        seen = observation.seen
        if observation.touched:
            lay, tilted_s = False, None
        elif seen.sure and seen.face == first.face and not (lay and normal_changed(seen, first)):
            lay, tilted_s = True, None
        elif lay and tilted_s is None and normal_changed(seen, end):
            tilted_s = observation.at_s
        if tilted_s is not None and seen.sure and seen.face == end.face:
            return tilted_s
    return None


def _rolled_out_of_hand(tracklet: Tracklet) -> bool:
    """Whether it came into sight at a hand that stood still until it lay in its final place, and tumbled
    there: the hand let go of it. Fingers that lay a die down or push it move; one that they turn stays."""
    end = tracklet.last.seen
    evidence = sum(evidence_of(o, end) for o in tracklet.observations[:-1])
    return _left_still_hand(tracklet, MIN_FREE_PATH) and evidence >= MIN_TUMBLE_EVIDENCE


def may_have_dropped(tracklet: Tracklet) -> bool:
    """Whether the whole die came into sight at a hand that stood still, and came to lie a little farther on,
    or fell over there: it showed another face, and was larger. Of one that fingers lay down they hide a
    part."""
    first, end = tracklet.observations[0].seen, tracklet.last.seen
    fell_over = first.face != end.face and first.side >= MIN_FALLING_SIZE * end.side
    whole = first.side > MAX_HELD_SIZE * end.side
    return whole and _left_still_hand(tracklet, 0.0 if fell_over else MIN_DROPPED_SIDES)


def _left_still_hand(tracklet: Tracklet, min_sides: float) -> bool:
    """Whether it came into sight at a hand that stood still until it lay in its final place, at least this
    far on, in sides."""
    still = tracklet.let_go_s is not None and tracklet.let_go_s >= at_rest_since(tracklet)
    return still and sides_apart(tracklet.observations[0].seen, tracklet.last.seen) >= min_sides


def _rolled_away(tracklet: Tracklet) -> bool:
    """Whether it was larger at a hand than at rest, and went on far in several steps with no hand at it. What
    fingers lay down they let go of where it stays."""
    steps = [step_sides(a, b) for a, b in pairwise(tracklet.observations) if not b.touched]
    far = sum(step for step in steps if step > MIN_STEP_SIDES) >= MIN_ROLLED_AWAY_SIDES
    fell = any(_is_larger(o, tracklet.last.seen) for o in tracklet.observations)
    return far and fell and rolls_on(tracklet)


def came_out_of_hand(tracklet: Tracklet) -> bool:
    """Whether a hand surely let it roll or fall out."""
    return _rolled_out_of_hand(tracklet) or _surely_fell_out(tracklet) or _rolled_away(tracklet)


def evidence_of(observation: Observation, end: SeenDie) -> float:
    """Evidence of tumbling from one observation, 0 to 1. A die that is hardly read in its final place may be
    partly hidden there."""
    seen = observation.seen
    if seen.cut_off or _may_be_partly_hidden(observation, end):
        return 0.0
    if seen.face != end.face and seen.confidence >= CLEAR_FACE_CONFIDENCE:
        return 1.0
    if normal_changed(seen, end):
        return 1.0
    blurred = seen.confidence < BLURRED_FACE_CONFIDENCE
    return 0.5 if blurred and sides_apart(seen, end) > MIN_STEP_SIDES else 0.0


def _may_be_partly_hidden(observation: Observation, end: SeenDie) -> bool:
    """Whether fingers may hide a part of a die: it is smaller than at rest, and unsure in its final place,
    where they may be too dark to be seen; or it is clearly smaller, and they have just left it."""
    seen = observation.seen
    if not seen.sure and seen.side < end.side and sides_apart(seen, end) <= SAME_SPOT_SIDES:
        return True
    return observation.uncovered and seen.side < MIN_WHOLE_SIZE * end.side


def _without_jumps(observations: Sequence[Observation]) -> list[Observation]:
    """The observations without single ones that are far from those before and after them, which are near each
    other: they belong to another die under the same hand."""
    inner = zip(observations, observations[1:], observations[2:], strict=False)
    jumps = {id(o) for a, o, b in inner if step_sides(a, o) > max(MIN_JUMP_SIDES, 2 * step_sides(a, b))}
    return [o for o in observations if id(o) not in jumps]


def _observations_in_motion(tracklet: Tracklet) -> list[Observation]:
    """The observations of the die on its way: it moved from there or to there, and did not lie still there
    for LAY_STILL_S. What lay still and shows another face is another die under the same hand."""
    observations = tracklet.observations
    moves = [step_sides(a, b) > MIN_STEP_SIDES for a, b in pairwise(observations)]
    starts = [0, *(n for n, moved in enumerate(moves, start=1) if moved), len(observations)]
    return [
        o
        for first, after in pairwise(starts)
        if observations[after - 1].at_s - observations[first].at_s < LAY_STILL_S
        for n, o in enumerate(observations[first:after], start=first)
        if n < len(moves) and (moves[n] or (n > 0 and moves[n - 1]))
    ]


def seen_tumbling(tracklet: Tracklet) -> bool:
    """Whether it was seen to tumble, or to spin."""
    return tumble_evidence(tracklet) >= MIN_TUMBLE_EVIDENCE or spins(tracklet)
