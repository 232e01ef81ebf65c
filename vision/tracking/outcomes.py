"""Decides the outcome of each die's track from its tracklet.

A throw is a die that moved freely, with no hand at it, and tumbled: it was read with another face on the way,
or its upper face was seen to tilt away from its direction at rest. A die that slides keeps both. A die that
shows its earlier face and was not seen to tumble was moved, however far, unless it was out of sight meanwhile
and came back freely: then it may be either.

decide_outcomes works in this order, because later steps use the results of earlier ones:
    1. repair identity swaps between tracklets (changes `track` of the tracklets);
    2. decide the dice that were tracked from where they lay, or on which another landed, each by itself;
    3. decide the new dice, the best tumble evidence first: each may take one of the lost dice;
    4. resolve exchanges of dice that hands moved;
    5. mark dice UNCLEAR that came into sight together, when a hand or a cup left;
    6. extend throws to dice that may have been thrown and came at the same time;
    7. mark dice that other thrown dice knocked across the tray.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from vision.readings import SeenDie
from vision.tracking.tracks import LostTrack, Track, TrackOutcome

MIN_STEP_SIDES = 0.08
"""Shorter steps, in sides, are variation of the box and no motion."""

SAME_SPOT_SIDES = 0.2
"""A die nearer than this to its earlier place, in sides, lies in the same place."""

TURNED_WITHIN_SIDES = 1.3
"""A die that tips over onto another face lies at most this far off, in sides. A die turned by hand is put
down within the same distance."""

MIN_FREE_PATH = 0.5
"""A die that went this far with no hand at it, in sides, came freely."""

MIN_KNOCKED_PATH = 0.8
"""A die that tumbled and went this far freely, in sides, was hit or flicked, not turned by hand. One that is
knocked over an edge goes one side; tilted boxes are larger, so that it seems less."""

MIN_FAR_PATH = 2.0
"""A die that went this far freely, in sides, did not merely tip over."""

MIN_NORMAL_CHANGE = 0.27
"""Minimum change of the surface normal, in normal_xy, between motion and rest that shows tumbling (about 15
degrees). Detections of dice that lie or slide differ by up to 0.15."""

MIN_NORMAL_ERRORS = 2.5
"""The change must also be this many times the uncertainty of the normal."""

CLEAR_FACE_CONFIDENCE = 0.85
"""Minimum confidence at which a face that is read in motion counts as seen."""

BLURRED_FACE_CONFIDENCE = 0.5
"""Confidence below which a moving die shows no readable face: it may tumble or be
smeared, which counts half."""

MIN_TUMBLE_EVIDENCE = 1.0
"""Amount of evidence that makes a tumble."""

MAX_SPIN_S, MIN_SPIN_PATH = 0.2, 0.2
"""A die that shows another face within MAX_SPIN_S, at least MIN_SPIN_PATH sides further, spins. Fingers take
longer to turn one, and hold it."""

IN_HAND_S = 0.5
"""A die that was out of sight for longer than this was in a hand, whether a hand was there or not. One that
only slid fast is detected again sooner."""

MAX_LINK_S, MAX_LINK_SIDES = 0.3, 5.0
"""A tracklet that ends and one that begins within this time and distance, in sides, are one knocked die."""

MAX_LANDING_SIDES = 1.2
"""A moving die that was expected within this distance of another, in sides, and is not detected again, landed
on it."""

MAX_HIT_SIDES = 1.5
"""The centres of two dice that hit each other are at most this far apart, in sides: corner to corner."""

MIN_GROWTH = 1.05
"""Minimum growth of the box of a die that has another on it: that one is nearer to the camera, and stands out
beside it."""

SIMILAR_COLOURS = frozenset(
    frozenset(pair.split())
    for pair in (
        "white grey", "grey black", "white yellow", "yellow orange", "orange red", "orange brown",
        "red brown", "red pink", "pink white", "pink purple", "purple blue", "brown black",
        "blue black", "green black", "purple black", "green blue", "blue grey",
    )
)  # fmt: skip
"""Pairs of colours that one die may show in the light and in the shade, or under a warm lamp."""

HIDING_HAND_SHARE = 0.45
"""A hand over a larger share of the picture is so near to the lens that dice may be changed behind it."""

UNCOVERED_TOGETHER_S = 0.3
"""Dice that come into sight within this time lay there together."""

PRINTED_S = 0.5
"""A detection that is never sure and stays for this time, but not until the tray is at rest, is no die."""

HIDDEN_TOGETHER_S = 0.4
"""Dice that a hand hid at the same time for at least this long may have fallen under it."""

THROWN_TOGETHER_S = 0.6
"""A die that may have been thrown is part of a throw if it comes to rest, or into sight, within this time of
a thrown die. A hand that stays over dice hides when they come to rest."""

THROWN_UNDER_HAND_S = 2.5
"""A die that may have been thrown is also part of a throw if it comes into sight within this time of it, at a
place where a hand stayed all the while: the hand hid it."""


@dataclass(frozen=True)
class Observation:
    """One detection of a die. touched: a hand is at it. uncovered: a hand was at this place a moment ago."""

    at_s: float
    seen: SeenDie
    touched: bool = False
    uncovered: bool = False


@dataclass(eq=False)
class Tracklet:
    """The observations of one die, oldest first, at least one.

    track: the die of the settled tray that it began at; None: it appeared later. unseen: the tray was not
    observed just before it appeared. covered: a hand was at its last place when it was last missing.
    absent_since: when its last place was first seen without it, s. lifted_s: since when it has been missing
    with no hand left in the picture, s; None: not so. hand_since_s: since when a hand was constantly at the
    place where it appeared; None: no hand was there.
    """

    observations: list[Observation]
    track: Track | None = None
    unseen: bool = False
    covered: bool = False
    missing: bool = False
    absent_since: float | None = None
    lifted_s: float | None = None
    ever_touched: bool = False
    hand_since_s: float | None = None

    @property
    def from_rest(self) -> bool:
        return self.track is not None

    @property
    def last(self) -> Observation:
        return self.observations[-1]

    @property
    def is_moving(self) -> bool:
        """Whether it moved between its last two observations, or has only just appeared."""
        if len(self.observations) < 2:
            return not self.from_rest
        return _step(self.observations[-2], self.observations[-1]) > 2 * MIN_STEP_SIDES

    @property
    def held(self) -> bool:
        """Whether it lay on the tray, and a hand is at it or it is missing since."""
        return self.from_rest and (self.missing or self.last.touched)

    def may_show(self, seen: SeenDie) -> bool:
        """Whether this may be the die as it lay, or as it was last detected."""
        shown = [self.last.seen] if self.track is None else [self.last.seen, self.track.seen]
        return any(may_have_same_face(earlier, seen) for earlier in shown)

    @property
    def rolled_out(self) -> bool:
        return not self.covered and self.is_moving and not self.last.touched

    def expected_at(self, at_s: float) -> tuple[float, float]:
        """The position predicted by constant velocity, px."""
        if len(self.observations) < 2 or not self.is_moving:
            return self.last.seen.centre_xy
        before, last = self.observations[-2], self.last
        share = min((at_s - last.at_s) / max(last.at_s - before.at_s, 1e-3), 1.5)
        (bx, by), (lx, ly) = before.seen.centre_xy, last.seen.centre_xy
        return lx + share * (lx - bx), ly + share * (ly - by)

    def add(self, observation: Observation) -> None:
        self.observations.append(observation)
        self.missing = self.covered = False
        self.absent_since = self.lifted_s = None
        self.ever_touched |= observation.touched

    def mark_missing(self, at_s: float, at_hand: bool) -> None:
        """Notes that it is not detected in a reading at this time."""
        self.missing = True
        self.covered = at_hand
        self.ever_touched |= at_hand
        if at_hand:
            self.absent_since = None
        elif self.absent_since is None:
            self.absent_since = at_s

    def mark_hand_gone(self, at_s: float) -> None:
        """Notes that no hand is in the picture."""
        if self.missing and self.absent_since is not None and self.lifted_s is None:
            self.lifted_s = at_s

    def was_lifted_at(self, at_s: float) -> bool:
        """Whether it had been lifted, and was absent for a while, at this time."""
        return self.lifted_s is not None and self.lifted_s < at_s - MAX_LINK_S

    def lifted_before(self, other: Tracklet) -> bool:
        """Whether it had been lifted, and was absent for a while, when the other appeared."""
        return self.was_lifted_at(other.observations[0].at_s)

    def shift(self, by_xy: tuple[float, float]) -> None:
        """Moves all observations with the camera, px."""
        self.observations = [replace(o, seen=shifted(o.seen, by_xy)) for o in self.observations]


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
    _repair_swaps(tracklets, [*tracklets, *others])
    lost = [c for c in others if c.track is not None]
    tracks: list[Track | None] = []
    for tracklet in tracklets:
        tracks.append(_track_of_followed(tracklet, others, ids) if tracklet.track is not None else None)
    new = [i for i, track in enumerate(tracks) if track is None]
    for i in sorted(new, key=lambda i: -_tumble_evidence(tracklets[i])):
        if any(_shows_printed(tracklets[i], figure) for figure in printed):
            tracks[i] = Track(next(ids), tracklets[i].last.seen, TrackOutcome.UNOBSERVED)
        else:
            tracks[i] = _track_of_new(tracklets[i], lost, earlier_lost, ids, max_hand_share)
    touched = [c.track for c in lost if c.track is not None and c.ever_touched]
    decided = _resolve_exchanges([t for t in tracks if t is not None], touched, ids)
    decided = _mark_uncovered_unclear(tracklets, decided)
    return _mark_knocked_over(tracklets, _extend_throws(tracklets, decided))


def _repair_swaps(tracklets: Sequence[Tracklet], candidates: Sequence[Tracklet]) -> None:
    """Repairs identity swaps. Where a die rolled over one at rest, its tracklet may have continued in the
    other's. The one that still lies there keeps the track. Where a hand hid a die for a moment, its tracklet
    may have continued in another die beside it."""
    for new in tracklets:
        if new.track is not None:
            continue
        for old in candidates:
            if (jumped := _jump_away(old, new)) is not None:
                _continue_in(new, old, jumped)
                break
            if old.track is not None and _ends_where_began(old, new) and not _ends_where_began(old, old):
                new.track, old.track = old.track, None
                break


def _jump_away(old: Tracklet, new: Tracklet) -> int | None:
    """The index of the observation of `old` that belongs to another die: just before it, this die lay where
    `new` appears, with the same face. None if there is none."""
    if old.track is None or may_be_same(old.track.seen, old.last.seen):
        return None
    first = new.observations[0]
    for index, (before, after) in enumerate(pairwise(old.observations), start=1):
        recent = 0 <= first.at_s - before.at_s < MAX_LINK_S
        stayed = (
            may_be_same(before.seen, first.seen) and _distance(before.seen, first.seen) <= SAME_SPOT_SIDES
        )
        if recent and stayed and _step(before, after) > SAME_SPOT_SIDES:
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
    return _distance(was, seen) <= SAME_SPOT_SIDES and may_be_same(was, seen)


def _track_of_followed(tracklet: Tracklet, others: Sequence[Tracklet], ids: Iterator[int]) -> Track:
    """The track of a die that was tracked from where it lay, or of one that landed on it."""
    assert tracklet.track is not None
    was, seen = tracklet.track.seen, tracklet.last.seen
    if _looks_replaced(was, seen) and any(_landed_on(tracklet, other) for other in others):
        return Track(next(ids), seen, TrackOutcome.THROWN, lifted=True)
    first = tracklet.observations[0].seen
    distance, tumbles, free = _distance(first, seen), _tumble_evidence(tracklet), _free_path(tracklet)
    if (
        tracklet.ever_touched
        and _was_in_hand(tracklet)
        and free >= MIN_FREE_PATH
        and tumbles >= MIN_TUMBLE_EVIDENCE
    ):
        return Track(next(ids), seen, TrackOutcome.THROWN, lifted=True)  # out of the hand that took it
    if may_have_same_face(was, seen):
        min_path = MIN_FAR_PATH if tracklet.ever_touched else MIN_FREE_PATH
        if _roll_evidence(tracklet) >= 2 * MIN_TUMBLE_EVIDENCE and free >= min_path:
            return Track(next(ids), seen, TrackOutcome.THROWN, was)
        outcome = TrackOutcome.UNMOVED if distance <= SAME_SPOT_SIDES else TrackOutcome.MOVED
        return Track(tracklet.track.id, seen, outcome, was)
    if free >= MIN_FAR_PATH and tumbles >= MIN_TUMBLE_EVIDENCE:
        return Track(next(ids), seen, TrackOutcome.THROWN, was)
    if tracklet.ever_touched and not _tumbled_freely(tracklet):
        return Track(tracklet.track.id, seen, TrackOutcome.TURNED, was)
    if distance <= SAME_SPOT_SIDES and _path(tracklet) < TURNED_WITHIN_SIDES / 2 and not tumbles:
        return Track(tracklet.track.id, seen, TrackOutcome.UNMOVED, was)
    return Track(tracklet.track.id, seen, TrackOutcome.TIPPED, was)


def _looks_replaced(was: SeenDie, seen: SeenDie) -> bool:
    """Whether the die that is detected here may lie on the one that was: it shows another face, looks larger,
    or lies a little beside it."""
    return (
        not may_have_same_face(was, seen)
        or seen.side > MIN_GROWTH * was.side
        or _distance(was, seen) > MIN_STEP_SIDES
    )


def _landed_on(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a tumbling die came to the place of this one, which no hand touched, and is not detected any
    more: it lies on top."""
    if other.track is not None or other.last.touched or tracklet.ever_touched or not other.is_moving:
        return False
    after = next((o for o in tracklet.observations if o.at_s > other.last.at_s), None)
    if after is None or after.at_s - other.last.at_s >= MAX_LINK_S:
        return False
    tumbles = sum(_evidence_of(o, tracklet.last.seen) for o in other.observations if not o.touched)
    distance_px = math.dist(after.seen.centre_xy, other.expected_at(after.at_s))
    return tumbles >= MIN_TUMBLE_EVIDENCE and distance_px <= MAX_LANDING_SIDES * after.seen.side


def _track_of_new(
    tracklet: Tracklet,
    lost: list[Tracklet],
    earlier_lost: Sequence[LostTrack],
    ids: Iterator[int],
    max_hand_share: float,
) -> Track:
    """The track of a die that appeared since the tray last settled. Removes it from `lost` if it is in it."""
    seen = tracklet.last.seen
    old = _lost_die(seen, lost)
    if old is not None and not _surely_thrown(tracklet, old):
        lost.remove(old)
        return _track_of_moved(tracklet, old)
    free = _free_path(tracklet)
    tumbled = _tumble_evidence(tracklet) >= MIN_TUMBLE_EVIDENCE or _spins(tracklet)
    moved_freely = free >= MIN_FREE_PATH
    here = [g for g in earlier_lost if _distance(g.was, seen) <= SAME_SPOT_SIDES]
    returned = next((g for g in here if may_be_same(g.was, seen)), None)
    if returned is not None and not tumbled and not moved_freely:
        return Track(returned.id, seen, TrackOutcome.UNMOVED, returned.was)  # it was only hidden
    appeared = not tumbled and _path(tracklet) == 0  # its arrival was not observed
    hidden = appeared and max_hand_share > HIDING_HAND_SHARE
    if hidden or _arrived_unseen(tracklet, tumbled, free):
        return Track(next(ids), seen, TrackOutcome.UNOBSERVED)
    before = _predecessor(tracklet, lost)
    if before is not None:
        lost.remove(before)
        return _track_of_knocked(tracklet, before, tumbled, ids)
    placed = any(c.track and _distance(c.track.seen, seen) <= SAME_SPOT_SIDES for c in lost)
    if tumbled or moved_freely or not (placed or _placed_under_hand(tracklet)):
        put_back = appeared and max_hand_share > 0 and any(may_be_same(g.was, seen) for g in earlier_lost)
        return Track(next(ids), seen, TrackOutcome.UNCLEAR if put_back else TrackOutcome.THROWN, lifted=True)
    return _track_of_placed(tracklet, lost, earlier_lost, ids)


def seems_printed(tracklet: Tracklet, at_s: float) -> bool:
    """Whether a detection that is missing on the tray at rest was never surely a die, stayed in its place,
    and was seen a moment before this time, s."""
    first, last = tracklet.observations[0], tracklet.last
    unsure = not any(o.seen.sure for o in tracklet.observations)
    stayed = last.at_s - first.at_s >= PRINTED_S and _path(tracklet) == 0
    return unsure and stayed and not tracklet.covered and at_s - last.at_s < PRINTED_S


def _shows_printed(tracklet: Tracklet, figure: SeenDie) -> bool:
    """Whether an unsure detection shows a printed figure that was detected before."""
    unmoved = not tracklet.last.seen.sure and _path(tracklet) == 0
    return unmoved and _distance(tracklet.last.seen, figure) <= SAME_SPOT_SIDES


def _arrived_unseen(tracklet: Tracklet, tumbled: bool, free_path: float) -> bool:
    """Whether it came while the tray was not observed. A die that stays where it was first detected lay there
    before, although a hand comes near it."""
    if not tracklet.unseen or tumbled:
        return False
    return _path(tracklet) == 0 or (free_path < MIN_FAR_PATH and not tracklet.ever_touched)


def _lost_die(seen: SeenDie, lost: Sequence[Tracklet]) -> Tracklet | None:
    """The lost die that this one may be, or None. A die of its colour is preferred, then the nearest."""
    candidates = [c for c in lost if c.track and may_be_same(c.track.seen, seen)]
    return min(
        candidates,
        key=lambda c: (c.last.seen.colour != seen.colour, _distance(c.last.seen, seen)),
        default=None,
    )


def _track_of_placed(
    tracklet: Tracklet, lost: list[Tracklet], earlier_lost: Sequence[LostTrack], ids: Iterator[int]
) -> Track:
    """The track of a die that a hand put down: one that lay there with another face, or another die."""
    seen = tracklet.last.seen
    near = [c for c in lost if c.track and _distance(c.track.seen, seen) <= TURNED_WITHIN_SIDES]
    turned = min(near, key=lambda c: _distance(c.last.seen, seen), default=None)
    if turned is not None and turned.track is not None:
        lost.remove(turned)
        return Track(turned.track.id, seen, TrackOutcome.TURNED, turned.track.seen)
    lifted = any(may_have_same_face(g.was, seen) for g in earlier_lost)
    return Track(next(ids), seen, TrackOutcome.PLACED, lifted=lifted)


def _resolve_exchanges(tracks: list[Track], lost: Sequence[Track], ids: Iterator[int]) -> list[Track]:
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


def _mark_uncovered_unclear(tracklets: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """The tracks, with PLACED dice made UNCLEAR that came into sight together, or that a hand hid at the same
    time. Dice that are there when a hand or a cup goes away may have been thrown under it."""
    pairs = list(zip(tracklets, tracks, strict=True))
    placed = [c for c, t in pairs if t.outcome is TrackOutcome.PLACED and _free_path(c) < MIN_FREE_PATH]
    return [
        replace(t, outcome=TrackOutcome.UNCLEAR)
        if any(c is p and _hidden_together(c, other) for p in placed for other in placed if other is not c)
        else t
        for c, t in pairs
    ]


def _hidden_together(one: Tracklet, other: Tracklet) -> bool:
    """Whether the same hand hid both until they came into sight."""
    first, second = sorted((one, other), key=lambda c: c.observations[0].at_s)
    first_s, second_s = first.observations[0].at_s, second.observations[0].at_s
    if _path(first) == _path(second) == 0 and second_s - first_s <= UNCOVERED_TOGETHER_S:
        return True
    if first.hand_since_s is None or second.hand_since_s is None:
        return False
    return first_s - max(first.hand_since_s, second.hand_since_s) >= HIDDEN_TOGETHER_S


def _track_of_knocked(tracklet: Tracklet, before: Tracklet, tumbled: bool, ids: Iterator[int]) -> Track:
    """The track of a die that was another tracklet a moment before, and shows another face."""
    assert before.track is not None
    was, seen, path = before.track.seen, tracklet.last.seen, _free_path(tracklet)
    if _tumble_evidence(tracklet) >= 2 * MIN_TUMBLE_EVIDENCE and path >= MIN_FAR_PATH and before.ever_touched:
        return Track(next(ids), seen, TrackOutcome.THROWN, lifted=True)  # out of the hand that took it
    whole_path = path + _distance(before.last.seen, tracklet.observations[0].seen)
    if tumbled and not before.ever_touched and whole_path >= MIN_FAR_PATH:
        return Track(next(ids), seen, TrackOutcome.THROWN, was)
    by_hand = before.ever_touched and path < MIN_FREE_PATH and _distance(was, seen) <= TURNED_WITHIN_SIDES
    return Track(before.track.id, seen, TrackOutcome.TURNED if by_hand else TrackOutcome.TIPPED, was)


def _predecessor(tracklet: Tracklet, lost: Sequence[Tracklet]) -> Tracklet | None:
    """The tracklet that this die had a moment before it appeared: its last observation is so recent and so
    near that no hand can have taken and thrown it meanwhile. None if there is none."""
    first = tracklet.observations[0]
    alike = [c for c in lost if may_have_same_colour(c.last.seen, first.seen)]
    near = [c for c in alike if _distance(c.last.seen, first.seen) <= _max_link_sides(c, tracklet)]
    return min(near, key=lambda c: _distance(c.last.seen, first.seen), default=None)


def _max_link_sides(before: Tracklet, tracklet: Tracklet) -> float:
    """The maximum distance, in sides, at which `tracklet` continues `before` after the time between them. A
    die that fingers turn is out of sight for longer, but stays where it is."""
    gap_s = tracklet.observations[0].at_s - before.last.at_s
    if 0 <= gap_s < MAX_LINK_S:
        return MAX_LINK_SIDES
    turning = 0 <= gap_s < IN_HAND_S and _path(tracklet) < MIN_FREE_PATH
    return TURNED_WITHIN_SIDES if turning else -1.0


def _surely_thrown(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether a die with the face of a lost one was thrown nevertheless."""
    tumbles, path = _tumble_evidence(tracklet), _free_path(tracklet)
    lifted = tracklet.observations[0].at_s - old.last.at_s > IN_HAND_S
    if tumbles >= (2 if lifted else 3) * MIN_TUMBLE_EVIDENCE:
        return True
    if tumbles >= MIN_TUMBLE_EVIDENCE and path >= MIN_FAR_PATH:
        return True
    if path < MIN_FREE_PATH and _distance(old.observations[0].seen, tracklet.last.seen) <= SAME_SPOT_SIDES:
        return False
    return old.lifted_before(tracklet) and (path >= MIN_FREE_PATH or not _placed_under_hand(tracklet))


def _track_of_moved(tracklet: Tracklet, old: Tracklet) -> Track:
    """The track of a die that shows the face of a lost one and was probably not thrown: UNMOVED, MOVED or
    UNCLEAR."""
    assert old.track is not None
    was, seen = old.track.seen, tracklet.last.seen
    if _distance(old.observations[0].seen, seen) <= SAME_SPOT_SIDES:
        return Track(old.track.id, seen, TrackOutcome.UNMOVED, was)
    gap_s = tracklet.observations[0].at_s - old.last.at_s
    carried = old.ever_touched and _path(old) >= MIN_FREE_PATH
    was_in_hand = carried or gap_s > IN_HAND_S
    moved_freely = _free_path(tracklet) >= MIN_FREE_PATH and was_in_hand
    outcome = TrackOutcome.UNCLEAR if moved_freely else TrackOutcome.MOVED
    return Track(old.track.id, seen, outcome, was, lifted=old.lifted_before(tracklet))


def _extend_throws(tracklets: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """The tracks, with dice that may have been thrown made THROWN, if one that surely was thrown, or was hit,
    came to rest at about the same time."""
    pairs = list(zip(tracklets, tracks, strict=True))
    throws_s = [
        _at_rest_since(c)
        for c, t in pairs
        if t.outcome is TrackOutcome.THROWN or (t.outcome is TrackOutcome.TIPPED and _tumbled_freely(c))
    ]
    moved = [c for c, t in pairs if t.outcome is TrackOutcome.MOVED]
    return [
        replace(t, outcome=TrackOutcome.THROWN, was=None, lifted=True)
        if _may_be_thrown(c, t) and (_came_at_one_of(c, throws_s) or _hit_one_of(c, moved))
        else t
        for c, t in pairs
    ]


def _hit_one_of(tracklet: Tracklet, others: Sequence[Tracklet]) -> bool:
    """Whether a new die hit one of these as it came into sight."""
    return any(_hit(tracklet, other) for other in others if other is not tracklet)


def _hit(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a new die hit the other as it came into sight: that one then slid off with no hand at it."""
    if tracklet.from_rest or _free_path(other) < MIN_FREE_PATH:
        return False
    first = tracklet.observations[0]
    before = max((o for o in other.observations if o.at_s <= first.at_s), key=lambda o: o.at_s, default=None)
    if before is None or _distance(before.seen, first.seen) > MAX_HIT_SIDES:
        return False
    steps = pairwise(other.observations)
    starts_s = (a.at_s for a, b in steps if not b.touched and _step(a, b) > MIN_STEP_SIDES)
    return any(abs(at_s - first.at_s) < MAX_LINK_S for at_s in starts_s)


def _may_be_thrown(tracklet: Tracklet, track: Track) -> bool:
    """Whether the observations also fit a die that was thrown with others."""
    new = tracklet.track is None and track.outcome in (TrackOutcome.PLACED, TrackOutcome.TURNED)
    return track.outcome is TrackOutcome.UNCLEAR or new or _seen_coming(tracklet, track)


def _came_at_one_of(tracklet: Tracklet, throws_s: Sequence[float]) -> bool:
    """Whether it came to rest, or into sight, near one of these times, s, or was hidden by a hand then."""
    times_s = (_at_rest_since(tracklet), tracklet.observations[0].at_s)
    together = any(abs(at_s - throw_s) < THROWN_TOGETHER_S for at_s in times_s for throw_s in throws_s)
    return together or any(_hidden_at(tracklet, throw_s) for throw_s in throws_s)


def _hidden_at(tracklet: Tracklet, throw_s: float) -> bool:
    """Whether a hand may have hidden it from this time, s, until it came into sight."""
    since_s, seen_s = tracklet.hand_since_s, tracklet.observations[0].at_s
    return since_s is not None and since_s <= throw_s <= seen_s <= throw_s + THROWN_UNDER_HAND_S


def _was_in_hand(tracklet: Tracklet) -> bool:
    """Whether it was out of sight for so long that it was in a hand."""
    return any(b.at_s - a.at_s > IN_HAND_S for a, b in pairwise(tracklet.observations))


def _tumbled_freely(tracklet: Tracklet) -> bool:
    """Whether it tumbled on its way with no hand at it. Another die hit it."""
    return _free_path(tracklet) >= MIN_KNOCKED_PATH and _tumble_evidence(tracklet) >= MIN_TUMBLE_EVIDENCE


def _seen_coming(tracklet: Tracklet, track: Track) -> bool:
    """Whether a die was out of sight in a hand, and was then detected on its way outside the hand."""
    if track.outcome not in (TrackOutcome.MOVED, TrackOutcome.TURNED, TrackOutcome.TIPPED):
        return False
    hidden = tracklet.track is None or _was_in_hand(tracklet)
    was_in_hand = track.lifted or (tracklet.ever_touched and hidden)
    return was_in_hand and _free_path(tracklet) > 0 and _path(tracklet) >= MIN_FREE_PATH


def _mark_knocked_over(tracklets: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """The tracks, with dice that tumbled across the tray while others were thrown made TIPPED or MOVED: the
    others knocked them."""
    if not any(t.outcome is TrackOutcome.THROWN and t.was is None for t in tracks):
        return tracks
    return [_knocked(c, t) or t for c, t in zip(tracklets, tracks, strict=True)]


def _knocked(tracklet: Tracklet, track: Track) -> Track | None:
    """The track of a die that was knocked across the tray; None if it was not tracked from where it lay."""
    if track.outcome is not TrackOutcome.THROWN or track.was is None or tracklet.track is None:
        return None
    outcome = TrackOutcome.MOVED if may_have_same_face(track.was, track.seen) else TrackOutcome.TIPPED
    return replace(track, id=tracklet.track.id, outcome=outcome)


def may_be_same(earlier: SeenDie, later: SeenDie) -> bool:
    """Whether both show the same face and may have the same colour: a die that is white in the light is grey
    in the shade."""
    if not may_have_same_face(earlier, later):
        return False
    return may_have_same_colour(earlier, later) or may_look_alike(earlier, later)


def may_look_alike(earlier: SeenDie, later: SeenDie) -> bool:
    """Whether a die of one colour may seem to have the other."""
    return earlier.colour == later.colour or frozenset({earlier.colour, later.colour}) in SIMILAR_COLOURS


def may_have_same_colour(earlier: SeenDie, later: SeenDie) -> bool:
    """Whether they may have the same colour. The colour of an unsure die is not reliable."""
    return earlier.colour == later.colour or not (earlier.sure and later.sure)


def may_have_same_face(earlier: SeenDie, later: SeenDie) -> bool:
    """Whether they may show the same face. Where either is not sure, each face must be among the two
    likeliest of the other; where one has no readable face, any face may be the same."""
    if earlier.face == later.face:
        return True
    if earlier.sure and later.sure:
        return False
    if min(earlier.confidence, later.confidence) < BLURRED_FACE_CONFIDENCE:
        return True
    earlier_faces, later_faces = ([face for face, _ in die.likely[:2]] for die in (earlier, later))
    return later.face in earlier_faces and earlier.face in later_faces


def _tumble_evidence(tracklet: Tracklet) -> float:
    """Evidence that the die tumbled while it moved freely: one for each other face or tilt."""
    end = tracklet.last.seen
    # Unsure readings may change face without motion.
    in_place = end.sure and not tracklet.from_rest and not tracklet.unseen
    observations = tracklet.observations[:-1] if in_place else _observations_in_motion(tracklet)
    return sum(_evidence_of(observation, end) for observation in observations if not observation.touched)


def _roll_evidence(tracklet: Tracklet) -> float:
    """Evidence that a die tumbled that was tracked all the way and shows its earlier face: one for each free
    observation with a tilt, and one for each other clear face but the first. A smeared face may be misread as
    one other face, but only one."""
    end = tracklet.last.seen
    free = [o for o in _observations_in_motion(tracklet) if not o.touched and not o.seen.cut_off]
    faces = {o.seen.face for o in free if o.seen.confidence >= CLEAR_FACE_CONFIDENCE} - {end.face}
    return sum(_normal_changed(o.seen, end) for o in free) + max(len(faces) - 1, 0)


def _spins(tracklet: Tracklet) -> bool:
    """Whether it showed two faces faster than fingers can turn a die (MAX_SPIN_S): it fell out of a hand."""
    whole = [o for o in tracklet.observations if not o.seen.cut_off]
    clear = [o for o in whole if o.seen.confidence >= CLEAR_FACE_CONFIDENCE]
    return any(
        a.seen.face != b.seen.face and 0 < b.at_s - a.at_s <= MAX_SPIN_S and _step(a, b) >= MIN_SPIN_PATH
        for i, a in enumerate(clear)
        for b in clear[i + 1 : i + 4]
    )


def _normal_changed(seen: SeenDie, end: SeenDie) -> bool:
    """Whether its upper face is seen to point elsewhere than at rest."""
    if not seen.normal_xy or not end.normal_xy or seen.confidence < BLURRED_FACE_CONFIDENCE:
        return False
    change = float(np.hypot(*np.subtract(seen.normal_xy, end.normal_xy)))
    error = max(seen.normal_error, end.normal_error)
    return change > MIN_NORMAL_CHANGE and change > MIN_NORMAL_ERRORS * error


def _evidence_of(observation: Observation, end: SeenDie) -> float:
    """Evidence of tumbling from one observation, 0 to 1."""
    seen = observation.seen
    if seen.cut_off:
        return 0.0
    if seen.face != end.face and seen.confidence >= CLEAR_FACE_CONFIDENCE:
        return 1.0
    if _normal_changed(seen, end):
        return 1.0
    return 0.5 if seen.confidence < BLURRED_FACE_CONFIDENCE else 0.0


def _observations_in_motion(tracklet: Tracklet) -> list[Observation]:
    """The observations of the die on its way: it moved from there or to there."""
    moves = [_step(a, b) > MIN_STEP_SIDES for a, b in pairwise(tracklet.observations)]
    return [
        o
        for o, came, goes in zip(tracklet.observations, [False, *moves], moves, strict=False)
        if came or goes
    ]


def _placed_under_hand(tracklet: Tracklet) -> bool:
    """Whether a hand was at the die's final place when it came there, or a moment before."""
    first = _first_at_rest(tracklet)
    return first.touched or first.uncovered


def _free_path(tracklet: Tracklet) -> float:
    """Length of its path with no hand at it, sides."""
    free = ((a, b) for a, b in pairwise(tracklet.observations) if not (a.touched or b.touched))
    return sum(step for a, b in free if (step := _step(a, b)) > MIN_STEP_SIDES)


def _path(tracklet: Tracklet) -> float:
    """Length of its path, sides."""
    return sum(step for a, b in pairwise(tracklet.observations) if (step := _step(a, b)) > MIN_STEP_SIDES)


def _first_at_rest(tracklet: Tracklet) -> Observation:
    """Its first observation in its final place."""
    first = tracklet.last
    for observation in reversed(tracklet.observations):
        if _distance(observation.seen, tracklet.last.seen) > SAME_SPOT_SIDES:
            break
        first = observation
    return first


def _at_rest_since(tracklet: Tracklet) -> float:
    """When it came to its final place, s."""
    return _first_at_rest(tracklet).at_s


def _step(a: Observation, b: Observation) -> float:
    """Distance between two observations, sides."""
    return _distance(a.seen, b.seen)


def _distance(a: SeenDie, b: SeenDie) -> float:
    """Distance of the centres, sides."""
    return a.distance_px(b) / ((a.side + b.side) / 2)


def shifted(die: SeenDie, by_xy: tuple[float, float]) -> SeenDie:
    """The die moved by this vector, px."""
    x, y, w, h = die.box_xywh
    return replace(die, box_xywh=(x + by_xy[0], y + by_xy[1], w, h))
