"""What became of a die, judged from the chain of its detections.

A throw is a die that moved freely, with no hand at it, and tumbled: it was read with another face on the way, or its upper face was
seen to turn away from where it faces at rest. A die that slides keeps both. What shows the face it showed before, and was not seen to
tumble, was moved, however far; unless it was out of sight meanwhile, came back freely, and may be either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from vision.reading import SeenDie
from vision.tracks import Fate, Gone, Track

STEP = 0.08
"""Steps shorter than this many sides are the wandering of a box, no movement."""

LIES_WITHIN = 0.2
"""Of a die's side: nearer than this to where it lay, it lies where it lay."""

NEARBY = 1.3
"""Of a die's side: a die that tips over onto another face lies about so far off; a hand that turns one puts it down as near."""

FREE_PATH = 0.5
"""A die that went so many sides with no hand at it came freely."""

KNOCKED_PATH = 1.0
"""A die that went so many sides freely, and tumbled, was hit by another or flicked; it was not turned by hand."""

FAR_PATH = 2.0
"""A die that went so many sides freely did not merely tip over."""

TURNED_AWAY = 0.27
"""A face that is seen turned so far from where it faces at rest (about 15 degrees) was tumbling. Detections of dice that lie or slide
differ by up to 0.15."""

FACING_ERRORS = 2.5
"""... and so many times what the facing may be off."""

CLEAR_FACE = 0.85
"""Confidence from which a face that is read in motion counts as seen."""

BLURRED_FACE = 0.5
"""Confidence below which a moving die shows no face that can be read: it may tumble or be smeared, which counts half."""

TUMBLED = 1.0
"""So much evidence is a tumble."""

SPIN_S, SPIN_PATH = 0.2, 0.2
"""A die that shows another face within this time, and so many sides further, spins: fingers take longer to turn one, and hold it."""

AWAY_S = 0.5
"""A die that was out of sight for longer was in a hand, if a hand was there or not; one that only slid fast is seen again sooner."""

MOMENT_S, MOMENT_SIDES = 0.3, 5.0
"""A die that is lost and one that is found within this time, so many sides apart, are one that was knocked."""

NEIGHBOURS = frozenset(
    frozenset(pair.split())
    for pair in (
        "white grey", "grey black", "white yellow", "yellow orange", "orange red", "orange brown", "red brown", "red pink",
        "pink white", "pink purple", "purple blue", "brown black", "blue black", "green black", "purple black", "green blue",
        "blue grey",
    )
)  # fmt: skip
"""Colours of which a die may seem to be one in the light and the other in the shade, or under a warm lamp."""

VEILED_SHARE = 0.45
"""A hand over more of the picture than this is so near to the lens that dice may be changed behind it."""

BARED_S = 0.3
"""Dice that come into sight within this time lay there together."""

TOGETHER_S = 0.6
"""Dice that come to rest, or into sight, within this time of one that was surely thrown, and may have been thrown, were thrown with it.
A hand that stays over them hides when they lie still."""


@dataclass(frozen=True)
class Observation:
    """One detection of a die. touched: a hand is at it. uncovered: a hand was at this place a moment ago."""

    at_s: float
    seen: SeenDie
    touched: bool = False
    uncovered: bool = False


@dataclass(eq=False)
class Tracklet:
    """A die's detections, oldest first, at least one.

    track: the die of the settled tray that it began at; None: it came into sight later. unseen: nobody looked just before it came into
    sight. covered: a hand was at its last place when it was missed last. away_since: its last place was seen, and it was not there.
    lifted_s: since when it has been missing with no hand left in the picture, s; None: not so.
    """

    spots: list[Observation]
    track: Track | None = None
    unseen: bool = False
    covered: bool = False
    missing: bool = False
    away_since: float | None = None
    lifted_s: float | None = None
    ever_touched: bool = False

    @property
    def from_rest(self) -> bool:
        return self.track is not None

    @property
    def last(self) -> Observation:
        return self.spots[-1]

    @property
    def moves(self) -> bool:
        """Whether it moved between its last two spots, or has only just come into sight."""
        if len(self.spots) < 2:
            return not self.from_rest
        return _step(self.spots[-2], self.spots[-1]) > 2 * STEP

    @property
    def in_hand(self) -> bool:
        """Whether it lay, and has not been seen since a hand was at it, or one is at it."""
        return self.from_rest and (self.missing or self.last.touched)

    def may_show(self, seen: SeenDie) -> bool:
        """Whether this may be the die as it lay, or as it was seen last."""
        return same_face(self.last.seen, seen) or (self.track is not None and same_face(self.track.seen, seen))

    @property
    def rolled_out(self) -> bool:
        return not self.covered and self.moves and not self.last.touched

    def expected_at(self, at_s: float) -> tuple[float, float]:
        """Where it would be now if it went on as it went, px."""
        if len(self.spots) < 2 or not self.moves:
            return self.last.seen.centre_xy
        before, last = self.spots[-2], self.last
        share = min((at_s - last.at_s) / max(last.at_s - before.at_s, 1e-3), 1.5)
        (bx, by), (lx, ly) = before.seen.centre_xy, last.seen.centre_xy
        return lx + share * (lx - bx), ly + share * (ly - by)

    def add(self, spot: Observation) -> None:
        self.spots.append(spot)
        self.missing = self.covered = False
        self.away_since = self.lifted_s = None
        self.ever_touched |= spot.touched

    def miss(self, at_s: float, hand_there: bool) -> None:
        """It is not seen in a sighting at this time."""
        self.missing = True
        self.covered = hand_there
        self.ever_touched |= hand_there
        if hand_there:
            self.away_since = None
        elif self.away_since is None:
            self.away_since = at_s

    def hand_gone(self, at_s: float) -> None:
        """No hand is in the picture."""
        if self.missing and self.away_since is not None and self.lifted_s is None:
            self.lifted_s = at_s

    def lifted_until(self, at_s: float) -> bool:
        """Whether it had been lifted, and was away for a while, at this time."""
        return self.lifted_s is not None and self.lifted_s < at_s - MOMENT_S

    def lifted_before(self, other: Tracklet) -> bool:
        """Whether it had been lifted, and was away for a while, when the other came into sight."""
        return self.lifted_until(other.spots[0].at_s)

    def shift(self, by_xy: tuple[float, float]) -> None:
        """The camera moved: all places with it, px."""
        self.spots = [replace(spot, seen=_shifted(spot.seen, by_xy)) for spot in self.spots]


def judged(
    chains: Sequence[Tracklet], others: Sequence[Tracklet], in_hand: Sequence[Gone], ids: Iterator[int], hand: float = 0.0
) -> list[Track]:
    """What became of the dice at the ends of these chains, in their order.

    others: chains that ended, among them those of dice that lay on the tray before. in_hand: dice lifted before the last settled tray.
    hand: over which share of the picture a hand, or something like it, was meanwhile at most.
    """
    _straighten(chains, [*chains, *others])
    lost = [c for c in others if c.track is not None]
    tracks: list[Track | None] = []
    for chain in chains:
        tracks.append(_followed(chain, ids) if chain.track is not None else None)
    for i in sorted((i for i, t in enumerate(tracks) if t is None), key=lambda i: -_tumbles(chains[i])):
        tracks[i] = _new(chains[i], lost, in_hand, ids, hand)
    touched = [c.track for c in lost if c.track is not None and c.ever_touched]
    done = _bared(chains, _exchanged([t for t in tracks if t is not None], touched, ids))
    return _knocked_over(chains, _thrown_together(chains, done))


def _straighten(chains: Sequence[Tracklet], every: Sequence[Tracklet]) -> None:
    """Where a die rolled over one that lay, its chain may have gone on in the other's: the one that still lies there is the one that
    lay."""
    for new in chains:
        if new.track is not None:
            continue
        for old in every:
            if old.track is not None and _lies_as(old, new) and not _lies_as(old, old):
                new.track, old.track = old.track, None
                break


def _lies_as(old: Tracklet, now: Tracklet) -> bool:
    """Whether the second ends where the first began, with its face and colour."""
    was, seen = old.spots[0].seen, now.last.seen
    return _away(was, seen) <= LIES_WITHIN and looks_as(was, seen)


def _followed(chain: Tracklet, ids: Iterator[int]) -> Track:
    """A die that was followed from where it lay."""
    assert chain.track is not None
    was, seen = chain.track.seen, chain.last.seen
    first = chain.spots[0].seen
    far, tumbles, free = _away(first, seen), _tumbles(chain), _free_path(chain)
    if chain.ever_touched and _was_away(chain) and free >= FREE_PATH and tumbles >= TUMBLED:
        return Track(next(ids), seen, Fate.THROWN, lifted=True)  # out of the hand that took it
    if same_face(was, seen):
        if _rolls(chain) >= 2 * TUMBLED and free >= (FAR_PATH if chain.ever_touched else FREE_PATH):
            return Track(next(ids), seen, Fate.THROWN, was)
        return Track(chain.track.id, seen, Fate.LAY if far <= LIES_WITHIN else Fate.MOVED, was)
    if free >= FAR_PATH and tumbles >= TUMBLED:
        return Track(next(ids), seen, Fate.THROWN, was)
    if chain.ever_touched and not _knocked_freely(chain):
        return Track(chain.track.id, seen, Fate.TURNED, was)
    if far <= LIES_WITHIN and _path(chain) < NEARBY / 2 and not tumbles:
        return Track(chain.track.id, seen, Fate.LAY, was)
    return Track(chain.track.id, seen, Fate.TIPPED, was)


def _new(chain: Tracklet, lost: list[Tracklet], in_hand: Sequence[Gone], ids: Iterator[int], hand: float) -> Track:
    """A die that came into sight since the tray was last settled. Takes the die that it is out of `lost`, if it is one."""
    seen = chain.last.seen
    alike = [c for c in lost if c.track and looks_as(c.track.seen, seen)]
    old = min(alike, key=lambda c: (c.last.seen.colour != seen.colour, _away(c.last.seen, seen)), default=None)
    if old is not None and not _surely_thrown(chain, old):
        lost.remove(old)
        return _moved_unseen(chain, old)
    tumbled, far = _tumbles(chain) >= TUMBLED or _spins(chain), _free_path(chain) >= FREE_PATH
    back = next((g for g in in_hand if _away(g.was, seen) <= LIES_WITHIN and looks_as(g.was, seen)), None)
    if back is not None and not tumbled and not far:
        return Track(back.id, seen, Fate.LAY, back.was)  # it had only been hidden
    appeared = not tumbled and _path(chain) == 0  # of how it came there nothing was seen
    veiled = appeared and hand > VEILED_SHARE
    if veiled or (chain.unseen and not tumbled and _free_path(chain) < FAR_PATH and not chain.ever_touched):
        return Track(next(ids), seen, Fate.FOUND)
    before = _went_on(chain, lost)
    if before is not None:
        lost.remove(before)
        return _knocked(chain, before, tumbled, ids)
    here = any(c.track and _away(c.track.seen, seen) <= LIES_WITHIN for c in lost)
    if tumbled or far or not (here or _came_under_hand(chain)):
        put_back = appeared and hand > 0 and any(looks_as(g.was, seen) for g in in_hand)
        return Track(next(ids), seen, Fate.UNCLEAR if put_back else Fate.THROWN, lifted=True)
    return _put_there(chain, lost, in_hand, ids)


def _put_there(chain: Tracklet, lost: list[Tracklet], in_hand: Sequence[Gone], ids: Iterator[int]) -> Track:
    """A die that a hand put where it lies: another face of one that lay there, or another die."""
    seen = chain.last.seen
    near = [c for c in lost if c.track and _away(c.track.seen, seen) <= NEARBY]
    turned = min(near, key=lambda c: _away(c.last.seen, seen), default=None)
    if turned is not None and turned.track is not None:
        lost.remove(turned)
        return Track(turned.track.id, seen, Fate.TURNED, turned.track.seen)
    return Track(next(ids), seen, Fate.LAID, lifted=any(same_face(g.was, seen) for g in in_hand))


def _exchanged(tracks: list[Track], lost: Sequence[Track], ids: Iterator[int]) -> list[Track]:
    """Dice that hands moved, together or past one another, may have been taken for one another: where one shows now what another showed
    before, it is that one, and was moved. lost: dice that hands touched, and that are seen no more."""
    before = [*lost, *(Track(t.id, t.was, Fate.LAY) for t in tracks if t.fate is Fate.TURNED and t.was is not None)]
    done = list(tracks)
    for i, track in enumerate(tracks):
        same = next((o for o in before if track.fate in (Fate.TURNED, Fate.LAID) and looks_as(o.seen, track.seen)), None)
        if same is not None:
            before.remove(same)
            done[i] = Track(same.id, track.seen, Fate.MOVED, same.seen)
    for i, track in enumerate(done):
        if track.fate is Fate.TURNED:
            own = next((o for o in before if o.id == track.id), before[0] if before else None)
            done[i] = replace(track, id=own.id, was=own.seen) if own else Track(next(ids), track.seen, Fate.LAID)
            before = [o for o in before if o is not own]
    return done


def _bared(chains: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """Several dice that lay there at once when a hand or a cup went away may have been thrown under it, as one throws from a cup."""
    bared = [c.spots[0].at_s for c, t in zip(chains, tracks, strict=True) if t.fate is Fate.LAID and _path(c) == 0]
    if len(bared) < 2 or max(bared) - min(bared) > BARED_S:
        return tracks
    return [
        replace(t, fate=Fate.UNCLEAR) if t.fate is Fate.LAID and _path(c) == 0 else t for c, t in zip(chains, tracks, strict=True)
    ]


def _knocked(chain: Tracklet, before: Tracklet, tumbled: bool, ids: Iterator[int]) -> Track:
    """A die that was another chain a moment before, and shows another face."""
    assert before.track is not None
    was, seen, path = before.track.seen, chain.last.seen, _free_path(chain)
    if _tumbles(chain) >= 2 * TUMBLED and path >= FAR_PATH and before.ever_touched:
        return Track(next(ids), seen, Fate.THROWN, lifted=True)  # out of the hand that took it
    if tumbled and not before.ever_touched and path + _away(before.last.seen, chain.spots[0].seen) >= FAR_PATH:
        return Track(next(ids), seen, Fate.THROWN, was)
    by_hand = before.ever_touched and path < FREE_PATH and _away(was, seen) <= NEARBY
    return Track(before.track.id, seen, Fate.TURNED if by_hand else Fate.TIPPED, was)


def _went_on(chain: Tracklet, lost: Sequence[Tracklet]) -> Tracklet | None:
    """The die that this one was a moment before it came into sight: it was last seen so shortly before, and so near, that no hand can
    have taken and thrown it meanwhile."""
    first = chain.spots[0]
    moment = [c for c in lost if 0 <= first.at_s - c.last.at_s < MOMENT_S and same_colour(c.last.seen, first.seen)]
    near = [c for c in moment if _away(c.last.seen, first.seen) <= MOMENT_SIDES]
    return min(near, key=lambda c: _away(c.last.seen, first.seen), default=None)


def _surely_thrown(chain: Tracklet, old: Tracklet) -> bool:
    """Whether a die that shows the face of one that was lost is a throw of it all the same."""
    tumbles, path = _tumbles(chain), _free_path(chain)
    lifted = chain.spots[0].at_s - old.last.at_s > AWAY_S
    if tumbles >= (2 if lifted else 3) * TUMBLED or (tumbles >= TUMBLED and path >= FAR_PATH):
        return True
    if path < FREE_PATH and _away(old.spots[0].seen, chain.last.seen) <= LIES_WITHIN:
        return False
    return old.lifted_before(chain) and (path >= FREE_PATH or not _came_under_hand(chain))


def _moved_unseen(chain: Tracklet, old: Tracklet) -> Track:
    """A die that shows the face of one that was lost, and was hardly thrown: it lies where it lay, was moved, or nobody can tell."""
    assert old.track is not None
    was, seen = old.track.seen, chain.last.seen
    if _away(old.spots[0].seen, seen) <= LIES_WITHIN:
        return Track(old.track.id, seen, Fate.LAY, was)
    was_away = old.ever_touched or chain.spots[0].at_s - old.last.at_s > AWAY_S
    went_freely = _free_path(chain) >= FREE_PATH and was_away
    return Track(old.track.id, seen, Fate.UNCLEAR if went_freely else Fate.MOVED, was, lifted=old.lifted_before(chain))


def _thrown_together(chains: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """A die that may have been thrown was thrown, where another came to rest at about the same time that surely was, or was hit."""
    sure = [
        _rests_since(c)
        for c, t in zip(chains, tracks, strict=True)
        if t.fate is Fate.THROWN or (t.fate is Fate.TIPPED and _knocked_freely(c))
    ]
    return [
        replace(t, fate=Fate.THROWN, was=None, lifted=True)
        if (t.fate is Fate.UNCLEAR or (c.track is None and t.fate in (Fate.LAID, Fate.TURNED)) or _came_moving(c, t))
        and any(min(abs(_rests_since(c) - s), abs(c.spots[0].at_s - s)) < TOGETHER_S for s in sure)
        else t
        for c, t in zip(chains, tracks, strict=True)
    ]


def _was_away(chain: Tracklet) -> bool:
    """Whether it was out of sight for so long that it was in a hand."""
    return any(b.at_s - a.at_s > AWAY_S for a, b in pairwise(chain.spots))


def _knocked_freely(chain: Tracklet) -> bool:
    """Whether it tumbled on its way with no hand at it: something thrown hit it, for nobody turns a die so."""
    return _free_path(chain) >= KNOCKED_PATH and _tumbles(chain) >= TUMBLED


def _came_moving(chain: Tracklet, track: Track) -> bool:
    """Whether a die was out of sight in a hand, and then seen on its way to where it lies, and not only in the hand."""
    was_away = track.lifted or (chain.ever_touched and (chain.track is None or _was_away(chain)))
    return track.fate in (Fate.MOVED, Fate.TURNED, Fate.TIPPED) and was_away and _free_path(chain) > 0 and _path(chain) >= FREE_PATH


def _knocked_over(chains: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """A die that tumbled across the tray while others were thrown onto it was knocked over by them."""
    if not any(t.fate is Fate.THROWN and t.was is None for t in tracks):
        return tracks
    return [
        replace(t, id=c.track.id, fate=Fate.MOVED if same_face(t.was, t.seen) else Fate.TIPPED)
        if t.fate is Fate.THROWN and t.was is not None and c.track is not None
        else t
        for c, t in zip(chains, tracks, strict=True)
    ]


def looks_as(was: SeenDie, now: SeenDie) -> bool:
    """Whether they show one face, and may be of one colour: what is white in the light is grey in the shade."""
    return same_face(was, now) and (same_colour(was, now) or alike_in_colour(was, now))


def alike_in_colour(was: SeenDie, now: SeenDie) -> bool:
    """Whether a die of the one colour may seem to be of the other."""
    return was.colour == now.colour or frozenset({was.colour, now.colour}) in NEIGHBOURS


def same_colour(was: SeenDie, now: SeenDie) -> bool:
    """Whether they may be of one colour: it is not to be relied on where a die is not read surely."""
    return was.colour == now.colour or not (was.sure and now.sure)


def same_face(was: SeenDie, now: SeenDie) -> bool:
    """Whether they may show the same face: the one that is read, where either is not sure one of two likely ones, and where one shows
    no face that can be read, any."""
    if was.face == now.face:
        return True
    if was.sure and now.sure:
        return False
    if min(was.confidence, now.confidence) < BLURRED_FACE:
        return True
    return now.face in [f for f, _ in was.likely[:2]] and was.face in [f for f, _ in now.likely[:2]]


def _tumbles(chain: Tracklet) -> float:
    """Evidence that the die tumbled while it moved freely: one for every detection that shows another face or leans."""
    end = chain.last.seen
    in_place = end.sure and not chain.from_rest and not chain.unseen  # a face that cannot be read surely changes by itself
    spots = chain.spots[:-1] if in_place else _moving(chain)
    return sum(_tumble(spot, end) for spot in spots if not spot.touched)


def _rolls(chain: Tracklet) -> float:
    """The same of a die that was followed all the way and shows its old face: a smeared face may be read as one other, and only one."""
    end = chain.last.seen
    free = [spot for spot in _moving(chain) if not spot.touched and not spot.seen.cut_off]
    faces = {spot.seen.face for spot in free if spot.seen.confidence >= CLEAR_FACE} - {end.face}
    return sum(_turned_away(spot.seen, end) for spot in free) + max(len(faces) - 1, 0)


def _spins(chain: Tracklet) -> bool:
    """Whether it showed two faces in so short a time, on its way, that no fingers turned it: it fell out of a hand."""
    clear = [s for s in chain.spots if s.seen.confidence >= CLEAR_FACE and not s.seen.cut_off]
    return any(
        a.seen.face != b.seen.face and 0 < b.at_s - a.at_s <= SPIN_S and _step(a, b) >= SPIN_PATH
        for i, a in enumerate(clear)
        for b in clear[i + 1 : i + 4]
    )


def _turned_away(seen: SeenDie, end: SeenDie) -> bool:
    """Whether its upper face is seen to look elsewhere than it does at rest."""
    if not seen.facing_xy or not end.facing_xy or seen.confidence < BLURRED_FACE:
        return False
    turned = float(np.hypot(*np.subtract(seen.facing_xy, end.facing_xy)))
    return turned > TURNED_AWAY and turned > FACING_ERRORS * max(seen.facing_error, end.facing_error)


def _tumble(spot: Observation, end: SeenDie) -> float:
    seen = spot.seen
    if seen.cut_off:
        return 0.0
    if seen.face != end.face and seen.confidence >= CLEAR_FACE:
        return 1.0
    if _turned_away(seen, end):
        return 1.0
    return 0.5 if seen.confidence < BLURRED_FACE else 0.0


def _moving(chain: Tracklet) -> list[Observation]:
    """The spots at which the die was on its way: it lies elsewhere in the end, or moved from or to there."""
    spots = chain.spots
    return [
        spot
        for i, spot in enumerate(spots[:-1])
        if _step(spot, spots[i + 1]) > STEP or (i and _step(spots[i - 1], spot) > STEP)
    ]


def _came_under_hand(chain: Tracklet) -> bool:
    """Whether a hand was where the die lies in the end when it came there, or a moment before."""
    first = _first_at_rest(chain)
    return first.touched or first.uncovered


def _free_path(chain: Tracklet) -> float:
    """How far it went with no hand at it, sides."""
    return sum(step for a, b in pairwise(chain.spots) if not (a.touched or b.touched) and (step := _step(a, b)) > STEP)


def _path(chain: Tracklet) -> float:
    return sum(step for a, b in pairwise(chain.spots) if (step := _step(a, b)) > STEP)


def _first_at_rest(chain: Tracklet) -> Observation:
    """The first detection of it where it lies in the end."""
    first = chain.last
    for spot in reversed(chain.spots):
        if _away(spot.seen, chain.last.seen) > LIES_WITHIN:
            break
        first = spot
    return first


def _rests_since(chain: Tracklet) -> float:
    """When it came to where it lies in the end, s."""
    return _first_at_rest(chain).at_s


def _step(a: Observation, b: Observation) -> float:
    return _away(a.seen, b.seen)


def _away(a: SeenDie, b: SeenDie) -> float:
    """Distance of the centres, sides."""
    return float(np.hypot(*np.subtract(a.centre_xy, b.centre_xy))) / ((a.side + b.side) / 2)


def _shifted(die: SeenDie, by_xy: tuple[float, float]) -> SeenDie:
    x, y, w, h = die.box_xywh
    return replace(die, box_xywh=(x + by_xy[0], y + by_xy[1], w, h))
