"""Tracklets: the detections of one die over time, and the paths that follow from them. Distances are in sides
of a die."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile

from vision.readings import SeenDie
from vision.settling.motion import Mask
from vision.tracking.likeness import may_be_same, may_be_same_body, may_have_same_face, shifted, sides_apart
from vision.tracking.tracks import Track

TURNED_WITHIN_SIDES = 1.3
"""A die that tips over onto another face lies at most this far off, in sides. A die turned by hand is put
down within the same distance."""

MIN_FREE_PATH = 0.5
"""A die that went this far with no hand at it, in sides, came freely."""

MIN_FREE_OBSERVATIONS = 2
"""Number of last observations in which a die lies freely as before, from which a hand surely let go of it."""

MIN_FAR_PATH = 2.0
"""A die that went this far freely, in sides, did not merely tip over."""

MIN_THROWN_PATH = 1.3
"""A die that goes this far freely after a hand was at it, in sides, did not only slide on."""

MAX_UNSEEN_SIDES = 3.5
"""A die that lies still within RETHROW_S of when it was hidden, and this near to its place, in sides, was
pushed while something hid it."""

QUICK_S = 0.75
"""A die that lies still again sooner than this after it was last detected at rest was in no hand: to take it,
to throw it and to roll out takes longer."""

MIN_ARRIVAL_PATH, ARRIVAL_S = 0.2, 0.3
"""A die that goes this far freely as it comes into sight, in sides, within this time, was not laid down."""

MIN_STEP_SIDES = 0.08
"""Shorter steps, in sides, are variation of the box and no motion."""

SAME_SPOT_SIDES = 0.2
"""A die nearer than this to its earlier place, in sides, lies in the same place."""

IN_HAND_S = 0.5
"""A die that was out of sight for longer than this was in a hand, whether a hand was there or not. One that
only slid fast is detected again sooner."""

RETHROW_S = 1.2
"""A die that is taken and thrown takes longer than this until it lies still. One that is in sight again
sooner was pushed while something hid it."""

STOOD_S = 0.35
"""A thrown die is detected sooner after it came to rest."""

LAY_STILL_S = 0.35
"""A die that lay still for this long has arrived. What moves it later, without making it tumble, is another
die that a hand pushes."""

MAX_LINK_S, MAX_LINK_SIDES = 0.3, 5.0
"""A tracklet that ends and one that begins within this time and distance, in sides, are one knocked die."""

MAX_UNCOVERED_SIDES = 1.0
"""A hand that hid the last place of a die was at any place so near to it, in sides."""

MAX_FLICKED_SIDES = 12.0
"""A die that a finger flicked, or that another one hit under a hand, is detected again within this distance,
in sides."""


CREEP_S, MIN_CREEP_SIDES, MAX_CREEP_SIDES = 0.25, 0.1, 0.75
"""A die creeps if it goes at least MIN_CREEP_SIDES and at most MAX_CREEP_SIDES in each of three times CREEP_S
in a row, and shows one face. Felt stops a die that slides or rolls at 3 sides a second within 0.1 s, and one
that hops shows several faces: what creeps is pushed."""

MIN_CREEP_STRAIGHTNESS = 0.8
"""Minimum ratio of distance and path of a die that creeps. The box of one that hops jumps to and fro."""


HELD_S, HELD_SIDES, MAX_HELD_SIZE = 0.05, 0.3, 0.9
"""A new die that lies within HELD_SIDES of its final place for at least HELD_S, unsure and with a box of at
most MAX_HELD_SIZE of its final size, and only then shows wholly, is held by a fingertip that is not detected,
or by a hand that hides it and lets go of it.
"""

MIN_UNDER_HAND_PATH, MIN_FREE_UNDER_HAND = 2.0, 0.5
"""Path of a die that rolls under a hand, and the part of it with no hand at it, at least, in sides. One that
is only taken, or let go of, moves less."""

MAX_WHOLE_SIZE = 1.05
"""The box of a die in its final place is at most this many times as large as later: boxes vary by so much."""

LAY_DOWN_S = 0.35
"""A hand that lays a die down is at its place for at least this long."""

HAND_STAYS_S = 1.0
"""Who lays a die down is there for less than this before it is let go, and after."""


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
    times_gone: how often it was missing for MAX_LINK_S, with no hand at its place, and was there again.
    absent_since: when its last place was first seen without it, s. lifted_s: since when it has been missing
    with no hand left in the picture, s; None: not so. first_touched_s: when a hand was first at it, s; None:
    never. hand_since_s: since when a hand was constantly at the place where it appeared; None: no hand was
    there. stood_since_s: the same of anything that was not there on the tray at rest. crossed_tray: whether
    something that was no die crossed the tray just before; None: not known. at_border: it appeared at the
    border of the picture. flew_in: whether something loose came to its place just before; None: not known.
    arm_before: whether something with a link to the border was in its place just before. hand_before: where
    hands were just before it appeared, (h, SMALL_W); None: no hand was there. hand_rested: a hand rested in
    its place on the two settled trays before it appeared. let_go_s: until when it was seen at a hand that
    stood still since, s; None: not so. pushed: it crept, see touch_creeping. late: it appeared in the first
    reading after the tray lay at rest, in view until then.
    """

    observations: list[Observation]
    track: Track | None = None
    unseen: bool = False
    covered: bool = False
    missing: bool = False
    times_gone: int = 0
    absent_since: float | None = None
    lifted_s: float | None = None
    ever_touched: bool = False
    first_touched_s: float | None = None
    hand_since_s: float | None = None
    stood_since_s: float | None = None
    crossed_tray: bool | None = None
    at_border: bool = False
    flew_in: bool | None = None
    arm_before: bool = False
    hand_before: Mask | None = None
    hand_rested: bool = False
    let_go_s: float | None = None
    late: bool = False
    pushed: bool = False
    _hidden_s: float | None = field(default=None, init=False)
    """When a hand was last at its place since it was last detected, s."""

    @property
    def from_rest(self) -> bool:
        return self.track is not None

    @property
    def last(self) -> Observation:
        return self.observations[-1]

    @property
    def body(self) -> SeenDie:
        """The last observation whose colour is reliable, or else the last one."""
        return next((o.seen for o in reversed(self.observations) if o.seen.sure), self.last.seen)

    @property
    def is_moving(self) -> bool:
        """Whether it moved between its last two observations, or has only just appeared."""
        if len(self.observations) < 2:
            return not self.from_rest
        return step_sides(self.observations[-2], self.observations[-1]) > 2 * MIN_STEP_SIDES

    @property
    def held(self) -> bool:
        """Whether it lay on the tray, and a hand is at it or it is missing since."""
        return self.from_rest and (self.missing or self.last.touched)

    @property
    def lies_under_hand(self) -> bool:
        """Whether it came since the tray last settled, lay still, and a hand covers its place."""
        return not self.from_rest and self.missing and self.covered and not self.is_moving

    @property
    def lay_still(self) -> bool:
        """Whether it lay still in the last reading."""
        return not self.missing and not self.is_moving

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
        was_gone = self.missing and not self.covered and observation.at_s - self.last.at_s > MAX_LINK_S
        self.times_gone += was_gone
        if self._was_hidden_before(observation):
            observation = replace(observation, uncovered=True)
        self.observations.append(observation)
        self.missing = self.covered = False
        self._hidden_s = None
        self.absent_since = self.lifted_s = None
        self._note_hand(observation.touched, observation.at_s)

    def _was_hidden_before(self, observation: Observation) -> bool:
        """Whether a hand hid it for a while, until a moment before it is detected near there again."""
        if self._hidden_s is None or observation.at_s - self.last.at_s <= MAX_LINK_S:
            return False
        near = step_sides(self.last, observation) <= MAX_UNCOVERED_SIDES
        return near and observation.at_s - self._hidden_s <= MAX_LINK_S

    def mark_missing(self, at_s: float, at_hand: bool) -> None:
        """Notes that it is not detected in a reading at this time."""
        self.missing = True
        self.covered = at_hand
        self._hidden_s = at_s if at_hand else self._hidden_s
        self._note_hand(at_hand, at_s)
        if at_hand:
            self.absent_since = None
            if not self.was_lifted_at(at_s):
                self.lifted_s = None  # a hand that is back so soon was not gone
        elif self.absent_since is None:
            self.absent_since = at_s

    def _note_hand(self, at_hand: bool, at_s: float) -> None:
        self.ever_touched |= at_hand
        if at_hand and self.first_touched_s is None:
            self.first_touched_s = at_s

    def keep(self, observations: list[Observation]) -> None:
        """Takes these observations for all of its own: a hand was at it only if it was in one of them."""
        self.observations = observations
        self.ever_touched = any(o.touched for o in observations)

    def forget_hands(self) -> None:
        """Notes that there was no hand at it: what looked like one was none."""
        self.observations = [replace(o, touched=False, uncovered=False) for o in self.observations]
        self.covered = self.ever_touched = False
        self.first_touched_s = self.hand_since_s = self.let_go_s = self.hand_before = self._hidden_s = None

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


def touched_on_its_way(tracklet: Tracklet) -> bool:
    """Whether a hand was at the die before it lay still in its final place. What comes to it later, such as a
    lamp's band that is taken for a hand, did not move it."""
    first_s = tracklet.first_touched_s
    at_rest = first_s is not None and not tracklet.missing and first_s > at_rest_since(tracklet)
    return tracklet.ever_touched and not at_rest


def touch_creeping(tracklet: Tracklet) -> None:
    """Marks the observations of a die that creeps as touched: a hand pushes it that was not detected, because
    little more than a fingertip is in the picture."""
    observations = tracklet.observations
    creeping = set[int]()
    for first in range(len(observations)):
        creeping.update(_creeping_from(observations, first))
    if creeping:
        tracklet.ever_touched = tracklet.pushed = True
        tracklet.observations = [
            replace(o, touched=True) if i in creeping else o for i, o in enumerate(observations)
        ]


def _creeping_from(observations: Sequence[Observation], first: int) -> range:
    """The observations from this one on, within 3 CREEP_S, in which the die creeps; none if it does not."""
    ends = [first]
    for _ in range(3):
        before = observations[ends[-1]]
        later = range(ends[-1] + 1, len(observations))
        end = next((i for i in later if observations[i].at_s >= before.at_s + CREEP_S - 1e-6), None)
        if end is None or observations[end].at_s > before.at_s + 2 * CREEP_S:
            return range(0)
        if not MIN_CREEP_SIDES <= step_sides(before, observations[end]) <= MAX_CREEP_SIDES:
            return range(0)
        ends.append(end)
    stretch = observations[first : ends[-1] + 1]
    path = sum(step_sides(a, b) for a, b in pairwise(stretch))
    straight = step_sides(stretch[0], stretch[-1]) >= MIN_CREEP_STRAIGHTNESS * path
    one_face = len({o.seen.face for o in stretch}) == 1
    return range(first, ends[-1] + 1) if straight and one_face else range(0)


def may_go_on_as(tracklet: Tracklet, later: Tracklet) -> bool:
    """Whether a die that is no longer detected may be one that came into sight since."""
    since = later.observations[0]
    return (
        not later.from_rest
        and since.at_s > tracklet.last.at_s
        and may_be_same_body(tracklet.last.seen, later.last.seen)
    )


def was_in_hand(tracklet: Tracklet) -> bool:
    """Whether it was out of sight for so long that it was in a hand, and was not where it lay afterwards."""
    return any(
        b.at_s - a.at_s > IN_HAND_S
        and not (step_sides(a, b) <= SAME_SPOT_SIDES and may_have_same_face(a.seen, b.seen))
        for a, b in pairwise(tracklet.observations)
    )


def placed_under_hand(tracklet: Tracklet) -> bool:
    """Whether a hand was at the die's final place when it came there, or a moment before."""
    first = first_at_rest(tracklet)
    return first.touched or first.uncovered or bool(held_observations(tracklet))


def held_observations(tracklet: Tracklet) -> list[Observation]:
    """The observations in which the die lay still in its final place and something hid a part of it, until it
    showed wholly, see HELD_S; none if they are too few."""
    end, whole = tracklet.last.seen, _first_whole(tracklet)
    held = list[Observation]()
    for observation in reversed(tracklet.observations[: tracklet.observations.index(whole)]):
        seen = observation.seen
        if seen.sure or seen.cut_off or seen.side > MAX_HELD_SIZE * end.side:
            break
        if sides_apart(seen, end) > HELD_SIDES:
            break
        if held and step_sides(held[-1], observation) > MIN_STEP_SIDES:
            break
        held.append(observation)
    if not held:
        return []
    until_s = whole.at_s if whole.uncovered else held[0].at_s
    return held if until_s - held[-1].at_s >= HELD_S else []


def _carried_observations(tracklet: Tracklet) -> list[Observation]:
    """Its first observations, if fingers left only a part of it to be seen until a hand was detected at it,
    and then still; none if more of it was seen before."""
    largest = MAX_HELD_SIZE * tracklet.last.seen.side

    def is_part(observation: Observation) -> bool:
        seen = observation.seen
        return not seen.sure and (seen.cut_off or seen.side <= largest)

    first = list(takewhile(lambda o: not o.touched, tracklet.observations))
    touched = tracklet.observations[len(first) : len(first) + 1]
    return first if touched and all(map(is_part, (*first, *touched))) else []


def _first_whole(tracklet: Tracklet) -> Observation:
    """The first observation in its final place in which it was surely read; the last one if there is none."""
    end = tracklet.last.seen
    near = (o for o in tracklet.observations if o.seen.sure and sides_apart(o.seen, end) <= SAME_SPOT_SIDES)
    return next(near, tracklet.last)


def may_be_held_at_first(tracklet: Tracklet) -> bool:
    """Whether the die may have been held as it came into sight: it lay in its final place, no larger, and was
    not surely read. One that still rolls is larger in its tilted box, or farther off."""
    first, end = tracklet.observations[0].seen, tracklet.last.seen
    near = sides_apart(first, end) <= HELD_SIDES
    return near and not first.sure and first.side <= MAX_WHOLE_SIZE * end.side


def stood_undetected(tracklet: Tracklet) -> bool:
    """Whether something stood for STOOD_S where a new die then came into sight, and was taken for no hand: a
    fingertip that held it, and hid a part of it."""
    since_s, began_s = tracklet.stood_since_s, tracklet.observations[0].at_s
    return tracklet.hand_since_s is None and since_s is not None and began_s - since_s >= STOOD_S


def hand_stayed_at(tracklet: Tracklet) -> bool:
    """Whether a hand stayed with a new die for HAND_STAYS_S after it came into sight."""
    return _hand_left_s(tracklet) - tracklet.observations[0].at_s >= HAND_STAYS_S


def hand_only_passed(tracklet: Tracklet) -> bool:
    """Whether no hand was for LAY_DOWN_S where a new die then came into sight, nor stayed at it."""
    first_s, since_s = tracklet.observations[0].at_s, tracklet.hand_since_s
    return _hand_left_s(tracklet) - (first_s if since_s is None else since_s) < LAY_DOWN_S


def _hand_left_s(tracklet: Tracklet) -> float:
    """When no hand was first at it, s; of one that a hand never left, when it was last detected."""
    return next((o.at_s for o in tracklet.observations if not o.touched), tracklet.last.at_s)


def hand_rested_at(tracklet: Tracklet) -> bool:
    """Whether a hand was for HAND_STAYS_S where a new die then came into sight."""
    since_s = tracklet.hand_since_s
    return since_s is not None and tracklet.observations[0].at_s - since_s >= HAND_STAYS_S


def before_it_left(tracklet: Tracklet) -> list[Observation]:
    """Its first observations, until it left the place of the first one."""
    first = tracklet.observations[0]
    return list(takewhile(lambda o: step_sides(first, o) <= SAME_SPOT_SIDES, tracklet.observations))


def changed_freely(tracklet: Tracklet) -> bool:
    """Whether a die that a hand had been at lay freely again, as before, until it showed another face with no
    hand at it: another die hit it."""
    was, end = tracklet.observations[0].seen, tracklet.last.seen
    lay = [i for i, o in enumerate(tracklet.observations) if o.seen.sure and may_be_same(o.seen, was)]
    if not lay or lay[-1] + 1 - MIN_FREE_OBSERVATIONS not in lay:
        return False
    since = tracklet.observations[lay[-1] + 1 - MIN_FREE_OBSERVATIONS :]
    shows = next(i for i, o in enumerate(since) if o.seen.face == end.face)
    changed = since[: shows + 1]
    in_sight = all(b.at_s - a.at_s < MAX_LINK_S for a, b in pairwise(changed))
    return in_sight and not any(o.touched for o in changed)


def first_at_rest(tracklet: Tracklet) -> Observation:
    """Its first observation in its final place."""
    first = tracklet.last
    for observation in reversed(tracklet.observations):
        if sides_apart(observation.seen, tracklet.last.seen) > SAME_SPOT_SIDES:
            break
        first = observation
    return first


def arrival_of(tracklet: Tracklet) -> Tracklet:
    """Its first ARRIVAL_S in sight, or up to its second observation, if that one comes within IN_HAND_S."""
    first_s = tracklet.observations[0].at_s
    second_s = next((o.at_s for o in tracklet.observations[1:2]), first_s)
    until_s = max(first_s + ARRIVAL_S, second_s if second_s - first_s < IN_HAND_S else first_s)
    return replace(tracklet, observations=[o for o in tracklet.observations if o.at_s <= until_s])


def moves_at_first(tracklet: Tracklet) -> bool:
    """Whether it was still moving when it came into sight, be it at a hand."""
    return path_sides(arrival_of(tracklet)) >= MIN_ARRIVAL_PATH


def at_rest_since(tracklet: Tracklet) -> float:
    """When it came to its final place, s."""
    return first_at_rest(tracklet).at_s


def first_still_s(tracklet: Tracklet) -> float:
    """When it first lay still for LAY_STILL_S, s, be it that something moved it later; else when it came to
    its final place."""
    still_since = tracklet.observations[0]
    for observation in tracklet.observations:
        if step_sides(still_since, observation) > MIN_STEP_SIDES:
            still_since = observation
        elif observation.at_s - still_since.at_s >= LAY_STILL_S:
            return still_since.at_s
    return at_rest_since(tracklet)


def lies_quickly_after(tracklet: Tracklet, lay_s: float) -> bool:
    """Whether it came to its final place too soon after it was last detected at rest, s, to have been in a
    hand."""
    return at_rest_since(tracklet) - lay_s < QUICK_S


def free_sides(tracklet: Tracklet) -> float:
    """Length of its path with no hand at it, sides. A die that leaves a hand for a place where none was a
    moment ago moves freely. One that fingers carry in, or that is held as it comes to its final place, does
    not."""
    held = (*_carried_observations(tracklet), *held_observations(tracklet))
    free = ((a, b) for a, b in pairwise(tracklet.observations) if b not in held and moves_freely(a, b))
    return sum(step for a, b in free if (step := step_sides(a, b)) > MIN_STEP_SIDES)


def moves_freely(a: Observation, b: Observation) -> bool:
    """Whether no hand moved it from one observation to the next. One that was out of sight for a while, and
    comes into sight where a hand just was, was in it."""
    hidden = a.touched or b.at_s - a.at_s > MAX_LINK_S
    return not b.touched and not (b.uncovered and hidden)


def rolled_to_hand(tracklet: Tracklet) -> bool:
    """Whether a new die rolled freely, and was last detected in motion at a hand."""
    rolled = not tracklet.from_rest and tracklet.is_moving and path_sides(tracklet) >= MIN_UNDER_HAND_PATH
    return rolled and tracklet.last.touched and free_sides(tracklet) >= MIN_FREE_UNDER_HAND


def path_sides(tracklet: Tracklet) -> float:
    """Length of its path, sides."""
    return sum(
        step for a, b in pairwise(tracklet.observations) if (step := step_sides(a, b)) > MIN_STEP_SIDES
    )


def step_sides(a: Observation, b: Observation) -> float:
    """Distance between two observations, sides."""
    return sides_apart(a.seen, b.seen)
