"""Follows dice through the motion, and says of each that has come to rest how it came there.

Theory of operation. While the tray is not at rest it is read about ten times a second (a *sighting*), and the detections of one
sighting are linked to those of the one before: dice that lie first, then the nearest, within what a die can cover in that time.
What is linked is a *chain*: a die's places, faces and facings over time, and whether a hand was at it. A chain that begins at a die
which lay on the settled tray is that die. When the tray is settled, each die at the end of a chain is judged by what the chain shows
(vision.fates).

Distances are in sides of a die. The camera itself may be pushed: then all dice shift alike, and the chains are shifted with them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from vision.fates import LIES_WITHIN, Observation, Tracklet, alike_in_colour, judged
from vision.motion import SMALL_W, Mask
from vision.reading import Reading, SeenDie
from vision.tracks import Fate, Gone, Leaving, Track, Tracks

SAME_PLACE = 0.3
"""Of a die's side: centres nearer than this are the same place. Boxes of a die at rest wander by under 0.1 of a side."""

CREPT = 0.6
"""Of a die's side: where nothing was seen to move, a die is the one that lay nearer than this."""

FASTEST_SIDES_S = 45.0
"""No die is followed that is faster: a throw leaves the hand at some 1.5 m/s, 90 sides of 16 mm, and has half of that left after the
first bounce. Faster ones are seen again when they are slower."""

STARTING_SIDES_S = 12.0
"""A die that lay is not followed if it starts faster: a finger flicks it at up to 0.2 m/s."""

WANDER = 0.6
"""Added to what a die can cover: boxes of moving dice are off by so many sides."""

OTHER_FACE, OTHER_COLOUR = 0.7, 1.5
"""Added to the distance, in sides, of a detection that shows another face or colour: it is more likely another die."""

LOST_S = 0.45
"""A chain with no detection for so long has ended, unless it began at a die that lay: that one may lie under a hand."""

SIGHTINGS_S = 20.0
"""How far back spots are kept, s: no throw takes longer."""

MASKS_S = 1.0
"""How far back it is known where hands were in each frame, s."""

HAND_AGO_S = 0.3
"""A die that is first seen where a hand was no longer ago than this may have been put there by it."""

TOUCHED_SHARE, TOUCH_GROWTH = 0.03, 1.7
"""A hand is at a die where its mask covers more than this share of the die's box, grown so many times: a finger that pushes a die lies
beside the box, and covers 5 % of it then."""

MIN_SHIFT, SHIFT_WITHIN = 0.12, 0.22
"""A common shift of all dice is one of at least so many sides, which brings dice within so many sides of where they are seen."""

SHIFT_SHARE = 0.75
"""Share of the dice that lay still which must have shifted alike."""


class Tracker:
    """Feeds on sightings, and tells Tracks at every settled tray. One thread only."""

    def __init__(self, stills: bool = False) -> None:
        """stills: the sightings are photographs of one throw after another: dice that lie there anew were thrown."""
        self._stills = stills
        self._ids = count()
        self._lying: list[Track] = []
        self._in_hand: list[Gone] = []
        self._chains: list[Tracklet] = []
        self._masks: deque[tuple[float, Mask]] = deque()
        self._last_s: float | None = None
        self._blind = self._looked = self._after_gap = False
        self._camera_moved, self._hand_most = False, 0.0
        self._began_s: float | None = None

    # -- what comes in -----------------------------------------------------------------------------------------------

    def blind(self) -> None:
        """Nobody could see for a while: what lies there next is only found where it does not lie as it lay."""
        self._blind = True
        self._forget_motion()

    def gap(self) -> None:
        """Nobody could see for a moment: what lies still when it is seen next, and was not there before, is only found."""
        self._after_gap = True

    def hand_at(self, hand: Mask | None, at_s: float) -> None:
        """Where hands are in this frame, (h, SMALL_W); None: nowhere."""
        if hand is not None and hand.any():
            self._masks.append((at_s, hand))
        while self._masks and at_s - self._masks[0][0] > MASKS_S:
            self._masks.popleft()

    def sight(self, reading: Reading, hand: Mask | None, at_s: float) -> None:
        """A reading of the tray in motion. hand: where hands are, (h, SMALL_W); None: nowhere."""
        if self._last_s is not None:
            at_s = max(at_s, self._last_s + 1e-3)
        if self._began_s is None:
            self._began_s = at_s
            self._chains = [Tracklet([Observation(at_s - 1e-3, lying.seen)], lying) for lying in self._lying]
        if hand is not None and hand.any():
            self._hand_most = max(self._hand_most, float(hand.mean()))
        else:
            for chain in self._chains:
                chain.hand_gone(at_s)
        spots = [
            Observation(at_s, d, is_at(hand, d, reading.size_wh), self._hand_was_at(d, at_s, reading.size_wh)) for d in reading.dice
        ]
        self._follow_camera([s.seen for s in spots if not s.touched])
        self._link(spots, hand, reading.size_wh, at_s)
        self._last_s = at_s

    def settled(self, reading: Reading, hand: Mask | None, at_s: float) -> Tracks:
        """The tray is at rest, and this is what lies there."""
        if self._stills:
            tracks = self._found(reading, Fate.THROWN)
        elif self._blind or (self._began_s is None and not self._looked):
            tracks = self._found(reading)
        elif self._began_s is None:
            tracks = self._looked_again(reading)
        else:
            self.sight(reading, hand, at_s)
            tracks = self._judge(reading, hand)
        self._take(tracks)
        return tracks

    def differs(self, reading: Reading, hand: Mask | None) -> bool:
        """Whether this surely shows dice, with no hand at any, that did not lie there when the tray was settled."""
        if any(is_at(hand, die, reading.size_wh) for die in reading.dice):
            return False
        sure = [die for die in reading.dice if die.sure]
        return any(not any(near(one.seen, die, SAME_PLACE) and one.seen.face == die.face for one in self._lying) for die in sure)

    # -- linking -----------------------------------------------------------------------------------------------------

    def _link(self, spots: list[Observation], hand: Mask | None, size_wh: tuple[int, int], at_s: float) -> None:
        live = [c for c in self._chains if c.from_rest or at_s - c.last.at_s <= LOST_S]
        costs = [(cost(chain, spot), i, j) for i, chain in enumerate(live) for j, spot in enumerate(spots)]
        linked, used = set[int](), set[int]()
        for _, i, j in sorted(c for c in costs if c[0] < np.inf):
            if i not in linked and j not in used:
                live[i].add(spots[j])
                linked.add(i)
                used.add(j)
        for i, chain in enumerate(live):
            if i not in linked:
                chain.miss(at_s, is_at(hand, chain.last.seen, size_wh))
        for j, spot in enumerate(spots):
            if j not in used:
                self._chains.append(Tracklet([spot], unseen=at_s == self._began_s or self._after_gap))
        self._chains = [c for c in self._chains if c.from_rest or at_s - c.last.at_s <= SIGHTINGS_S]
        self._after_gap = False

    def _hand_was_at(self, die: SeenDie, at_s: float, size_wh: tuple[int, int]) -> bool:
        """Whether a hand was at this place a moment ago."""
        since = at_s - max(HAND_AGO_S, 1.5 * (at_s - self._last_s) if self._last_s is not None else 0.0)
        return any(since <= mask_s < at_s and is_at(mask, die, size_wh) for mask_s, mask in self._masks)

    def _follow_camera(self, dice: Sequence[SeenDie]) -> None:
        """Shifts the chains with the dice where all of them have shifted alike since they were last seen."""
        still = [c for c in self._chains if c.from_rest and not c.missing and not c.last.touched]
        shift = common_shift([c.last.seen for c in still], dice)
        if shift is None:
            return
        self._camera_moved = True
        for chain in self._chains:
            chain.shift(shift)

    # -- judging -----------------------------------------------------------------------------------------------------

    def _judge(self, reading: Reading, hand: Mask | None) -> Tracks:
        ends = {id(c.last.seen): c for c in self._chains}
        chains = [ends[id(d)] for d in reading.dice]
        others = [c for c in self._chains if c not in chains]
        tracks = judged(chains, others, self._in_hand, self._ids, self._hand_most)
        here = {t.id for t in tracks}
        gone = tuple(
            Gone(c.track.id, c.track.seen, _leaving(c, hand)) for c in self._chains if c.track is not None and c.track.id not in here
        )
        moved = self._camera_moved and not any(t.fate is Fate.THROWN for t in tracks)  # dice thrown from one hand shift alike too
        return Tracks(tuple(tracks), gone, camera_moved=moved)

    def _found(self, reading: Reading, new: Fate = Fate.FOUND) -> Tracks:
        """The tray after nobody saw: a die that lies as one lay is that one."""
        left, dice = list(self._lying), list[Track]()
        for die in reading.dice:
            same = next((one for one in left if near(one.seen, die, SAME_PLACE) and one.seen.face == die.face), None)
            if same:
                left.remove(same)
                dice.append(Track(same.id, die, Fate.LAY, same.seen))
            else:
                dice.append(Track(next(self._ids), die, new))
        return Tracks(tuple(dice), tuple(Gone(one.id, one.seen, Leaving.UNSEEN) for one in left))

    def _looked_again(self, reading: Reading) -> Tracks:
        """Another look at a tray on which nothing moved. A die that is seen only now came there as the others did."""
        fate = Fate.THROWN if any(one.fate is Fate.THROWN for one in self._lying) else Fate.FOUND
        left, dice = list(self._lying), list[Track]()
        for die in reading.dice:
            same = min((one for one in left if near(one.seen, die, CREPT)), key=lambda one: _apart(one.seen, die), default=None)
            if same:
                left.remove(same)
                dice.append(Track(same.id, die, Fate.LAY, same.seen))
            else:
                dice.append(Track(next(self._ids), die, fate, lifted=fate is Fate.THROWN))
        return Tracks(tuple(dice), tuple(Gone(one.id, one.seen, Leaving.COVERED) for one in left))

    def _take(self, tracks: Tracks) -> None:
        covered = [Track(g.id, g.was, Fate.LAY) for g in tracks.gone if g.how is Leaving.COVERED]
        lifted = [g for g in tracks.gone if g.how is not Leaving.COVERED]
        self._lying = [*tracks.dice, *covered]
        self._in_hand = [*self._in_hand, *lifted][-64:] if lifted or not tracks.dice else lifted
        self._blind, self._looked = False, True
        self._forget_motion()

    def _forget_motion(self) -> None:
        self._chains, self._began_s, self._last_s = [], None, None
        self._camera_moved, self._hand_most = False, 0.0


def _leaving(chain: Tracklet, hand: Mask | None) -> Leaving:
    """How a die went that is not seen: as long as a hand is in the picture, and was since, it may be in the hand or under it."""
    in_view = hand is not None and bool(hand.any()) and chain.lifted_s is None
    if chain.covered or (in_view and chain.ever_touched):
        return Leaving.COVERED
    return Leaving.ROLLED_OUT if chain.rolled_out else Leaving.LIFTED


def cost(chain: Tracklet, spot: Observation) -> float:
    """How ill a detection fits a chain, in sides; infinite where it cannot be the same die."""
    last = chain.last
    side = (last.seen.side + spot.seen.side) / 2
    gap_s = spot.at_s - last.at_s
    expected = chain.expected_at(spot.at_s)
    away = float(np.hypot(*(np.subtract(spot.seen.centre_xy, expected)))) / side
    direct = float(np.hypot(*(np.subtract(spot.seen.centre_xy, last.seen.centre_xy)))) / side
    away = min(away, direct)
    sure = spot.seen.sure and last.seen.sure
    other_face = spot.seen.face != last.seen.face and sure
    other_size = not 0.5 < spot.seen.side / last.seen.side < 2
    if away > _reach(chain, gap_s) or other_size or (chain.in_hand and not chain.may_show(spot.seen)):
        return float("inf")
    if chain.lifted_until(spot.at_s) and direct > LIES_WITHIN:
        return float("inf")
    face = OTHER_FACE * other_face
    colour = OTHER_COLOUR * (sure and not alike_in_colour(last.seen, spot.seen))
    lies = away < SAME_PLACE and not face and not colour
    return away - (10.0 if lies and not chain.moves else 0.0) + face + colour


def _reach(chain: Tracklet, gap_s: float) -> float:
    """How far a die may have gone since its chain's last spot, sides."""
    if chain.moves and not (chain.in_hand and (chain.ever_touched or gap_s > LOST_S)):
        return WANDER + FASTEST_SIDES_S * min(gap_s, 0.25)
    return SAME_PLACE if chain.missing else WANDER + STARTING_SIDES_S * min(gap_s, 0.1)


def is_at(hand: Mask | None, die: SeenDie, size_wh: tuple[int, int]) -> bool:
    """Whether a hand is at this die."""
    if hand is None:
        return False
    scale = SMALL_W / size_wh[0]
    (cx, cy), (_, _, w, h) = die.centre_xy, die.box_xywh
    half_w, half_h = TOUCH_GROWTH * w / 2, TOUCH_GROWTH * h / 2
    rows = slice(max(round((cy - half_h) * scale), 0), max(round((cy + half_h) * scale), 1))
    columns = slice(max(round((cx - half_w) * scale), 0), max(round((cx + half_w) * scale), 1))
    part = hand[rows, columns]
    return bool(part.size) and float(part.mean()) > TOUCHED_SHARE


def near(a: SeenDie, b: SeenDie, sides: float) -> bool:
    """Whether the centres are nearer than so many sides."""
    return _apart(a, b) <= sides * (a.side + b.side) / 2


def _apart(a: SeenDie, b: SeenDie) -> float:
    """Distance of the centres, px."""
    return float(np.hypot(*np.subtract(a.centre_xy, b.centre_xy)))


def common_shift(before: Sequence[SeenDie], now: Sequence[SeenDie]) -> tuple[float, float] | None:
    """How far all dice that lay still have shifted alike, px; None where they have not. Takes two dice at least."""
    sure = [d for d in before if d.sure]
    if len(sure) < 2:
        return None
    best: tuple[int, tuple[float, float]] = (0, (0.0, 0.0))
    for was in sure:
        for die in now:
            if die.face == was.face and die.colour == was.colour:
                shift = (die.centre_xy[0] - was.centre_xy[0], die.centre_xy[1] - was.centre_xy[1])
                best = max(best, (_explained(sure, now, shift), shift), key=lambda pair: pair[0])
    count_, shift = best
    side = sum(d.side for d in sure) / len(sure)
    if count_ < max(2, SHIFT_SHARE * len(sure)) or np.hypot(*shift) < MIN_SHIFT * side:
        return None
    return shift if count_ > _explained(sure, now, (0.0, 0.0)) else None


def _explained(before: Iterable[SeenDie], now: Sequence[SeenDie], shift: tuple[float, float]) -> int:
    """How many dice are seen where this shift brings them, with the face they had."""
    shifted = [replace(d, box_xywh=(d.box_xywh[0] + shift[0], d.box_xywh[1] + shift[1], *d.box_xywh[2:])) for d in before]
    return sum(any(near(was, die, SHIFT_WITHIN) and was.face == die.face for die in now) for was in shifted)
