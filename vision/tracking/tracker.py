"""Tracks dice through the motion, and decides for each die at rest how it came there.

Theory of operation. While the tray is not at rest it is read about ten times a second. The detections of one
reading are associated with those of the one before: dice at rest first, then the nearest, within the distance
that a die can cover in that time. The associated detections form a *tracklet*: the positions, faces and
surface normals of one die over time, and whether a hand was at it. A tracklet that begins at a die of the
settled tray is that die. When the tray has settled, the outcome of each track is decided from its tracklet
(vision.tracking.outcomes).

Distances are in sides of a die. If the camera itself is pushed, all dice shift alike, and the tracklets are
shifted with them.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from statistics import median

import numpy as np

from vision.boxes import grown, pixels_of, scaled, touches_border
from vision.readings import CONFIDENCE_THRESHOLD, Reading, SeenDie
from vision.settling.motion import SMALL_W, Mask
from vision.settling.occlusion import FINGER_DICE
from vision.tracking.camera_shift import SHIFT_TOLERANCE_SIDES, common_shift, is_inside
from vision.tracking.flights import MAX_SPEED_SIDES_S, arm_was_at, flew_in, stood_still
from vision.tracking.identities import split_by_colour
from vision.tracking.in_view import left_picture, thrown_in_view, vanished_in_view
from vision.tracking.likeness import is_near, may_be_same, may_be_same_body, may_have_same_face, shifted
from vision.tracking.new_dice import of_one_colour, predecessor, shows_part_of
from vision.tracking.outcomes import decide_outcomes
from vision.tracking.printed import blinks, lay_unsure_at_start, may_be_printed, seems_printed
from vision.tracking.together import came_with_others
from vision.tracking.tracklets import (
    SAME_SPOT_SIDES,
    Observation,
    Tracklet,
    at_rest_since,
    first_at_rest,
    may_go_on_as,
    rolled_to_hand,
)
from vision.tracking.tracks import LossReason, LostTrack, Track, TrackOutcome, Tracks
from vision.tracking.tumbling import MIN_JUMP_SIDES, tumbled_freely

SAME_PLACE_SIDES = 0.3
"""Centres nearer than this, in sides, are the same place. Boxes of a die at rest vary by under 0.1 side."""

CREPT_SIDES = 0.6
"""Without motion, a detection within this distance of a die's last position is the same die, in sides."""

MAX_START_SIDES_S = 12.0
"""Maximum speed at which a die at rest can start and be tracked. A finger flicks it at up to 0.2 m/s."""

BOX_ERROR_SIDES = 0.6
"""Added to the distance that a die can cover: boxes of moving dice are off by this, in sides."""

MAX_FREE_S, MAX_START_S = 0.25, 0.1
"""Maximum time for which a die is assumed to keep MAX_SPEED_SIDES_S or MAX_START_SIDES_S, s."""

MAX_SIZE_RATIO = 2.0
"""Limit of the ratio between the sides of two detections of one die."""

AT_REST_BONUS = 10.0
"""Subtracted from the cost, in sides, if a die at rest is detected there. No other pair costs less."""

MAX_PRINTED = 16
"""Maximum number of printed figures and marks that are remembered."""

MAX_LIFTED = 64
"""Maximum number of lifted dice that are remembered."""

FACE_COST, COLOUR_COST = 0.7, 1.5
"""Costs added, in sides, if a detection shows another face or colour: it is more likely another die."""

MAX_LOST_S = 0.45
"""A tracklet ends after this time without a detection, unless the die lay still: it may lie under a hand."""

HISTORY_S = 20.0
"""Time that observations are kept: no throw takes longer."""

MASK_HISTORY_S = 4.0
"""Time that hand masks are kept: as long as a hand may stay over dice that were just thrown."""

START_S = 0.3
"""Dice that first appear within this time of the very first reading may have lain there before."""

HAND_AGO_S = 0.3
"""A die that first appears where a hand was within this time may have been put there by it."""

MIN_TOUCHED_SHARE, TOUCH_GROWTH = 0.03, 1.7
"""A hand is at a die if its mask covers more than MIN_TOUCHED_SHARE of the die's box, scaled by TOUCH_GROWTH.
A finger that pushes a die lies beside the box, and then covers 5 % of it."""

MIN_STOOD_SHARE = 0.6
"""Something stood where a die appears if it covered at least this share of the die's box."""

CROSSED_S, FAR_SIDES, MIN_CROSSING_SHARE = 1.0, 3.0, 0.3
"""A die that rolls too fast to be detected covers, within CROSSED_S before it is, at least MIN_CROSSING_SHARE
of its area further than FAR_SIDES from its final place. A fingertip that lays it down covers none there."""

MIN_NEW_SHARE = 0.05
"""An unsure detection whose box has changed by less than this share since the tray last lay still shows what
was there before: a printed figure."""

SURELY_NEW_SHARE = 0.9
"""A die whose box has changed by at least this share was not there when the tray last lay still."""

UNSURE_COST = 0.3
"""Cost, in sides, of an unsure detection for a die that was surely read: where a row of dice is pushed along,
it may be the next one in the row."""

MAX_FIGURE_GROWTH, FIGURE_COST = 1.25, 1.5
"""What was never surely a die is a figure if a die that is surely one lies there now, with a box more than
MAX_FIGURE_GROWTH times as large. Another die came to lie there: the cost, in sides, if there is one."""

LEANING_SIDES, VANISHED_S = 1.3, 0.7
"""A die that leans on another lies at most this far from it, in sides, and so it does from there once it fell
flat. It was still detected less than VANISHED_S before the tray was at rest."""

MIN_SHIFTED = 3
"""Number of dice from which the same places to one another, with the same faces, are no chance."""


class Tracker:
    """Turns readings into Tracks each time the tray has settled. Use it from one thread only."""

    def __init__(self, stills: bool = False, numbers: Iterator[int] | None = None) -> None:
        """stills: the readings are of photographs, one throw after another, so new dice were thrown.

        numbers: those of the tracks; None: from 0.
        """
        self._stills = stills
        self._ids = numbers if numbers is not None else count()
        self._at_rest: list[Track] = []
        self._out_of_sight: dict[int, Tracklet] = {}
        self._in_hand: list[LostTrack] = []
        self._printed: deque[SeenDie] = deque(maxlen=MAX_PRINTED)
        self._vanished: list[SeenDie] = []
        self._tracklets: list[Tracklet] = []
        self._masks: deque[tuple[float, Mask]] = deque()
        self._foregrounds: deque[tuple[float, Mask]] = deque()
        self._last_s: float | None = None
        self._blind = self._settled_before = self._after_gap = False
        self._camera_shift_xy, self._max_hand_share = (0.0, 0.0), 0.0
        self._motion_since: float | None = None
        self._size_known = False
        self._resting_hand: Mask | None = None
        self._rested: Mask | None = None

    # -- input ---------------------------------------------------------------------------------------

    def mark_blind(self) -> None:
        """Notes that the tray was not visible. New dice of the next settled tray are UNOBSERVED, unless all
        of them are seen coming from now on."""
        self._blind, self._vanished = True, []
        self._resting_hand = self._rested = None
        self._clear_motion()

    def mark_gap(self) -> None:
        """Notes a gap of a moment. Dice that are new and still in the next reading are UNOBSERVED."""
        self._after_gap = True

    def add_hand_mask(self, hand_mask: Mask | None, at_s: float) -> None:
        """Adds the hand mask of a frame, (h, SMALL_W); None: no hand."""
        if hand_mask is not None and hand_mask.any():
            self._masks.append((at_s, hand_mask))
        _forget_older(self._masks, at_s - MASK_HISTORY_S)

    def add_foreground(self, foreground: Mask | None, at_s: float) -> None:
        """Adds what differs from the tray at rest in a frame, (h, SMALL_W); None: not known."""
        if foreground is not None:
            self._foregrounds.append((at_s, foreground))
        _forget_older(self._foregrounds, at_s - MASK_HISTORY_S)

    def update(self, reading: Reading, hand_mask: Mask | None, at_s: float) -> None:
        """Adds a reading of the tray in motion. hand_mask: (h, SMALL_W); None: no hand."""
        if self._last_s is not None:
            at_s = max(at_s, self._last_s + 1e-3)
        if self._motion_since is None:
            self._motion_since = at_s
            at_rest = [] if self._blind else self._at_rest
            self._tracklets = [self._tracklet_of(track, at_s - 1e-3) for track in at_rest]
        if hand_mask is not None and hand_mask.any():
            self._max_hand_share = max(self._max_hand_share, float(hand_mask.mean()))
        else:
            for tracklet in self._tracklets:
                tracklet.mark_hand_gone(at_s)
        size_wh = reading.size_wh
        observations = [
            Observation(
                at_s, d, is_touched(hand_mask, d, size_wh), self._hand_was_recently_at(d, at_s, size_wh)
            )
            for d in reading.dice
        ]
        self._compensate_camera([s.seen for s in observations if not s.touched], size_wh)
        self._associate(observations, hand_mask, size_wh, at_s)
        self._last_s = at_s

    def settled(
        self, reading: Reading, hand_mask: Mask | None, at_s: float, changed: Mask | None = None
    ) -> Tracks:
        """The tracks for this reading of the tray at rest. changed: (h, SMALL_W), what differs from the tray
        at rest before; None: not known."""
        if self._stills:
            tracks = self._tracks_after_gap(reading, TrackOutcome.THROWN)
        elif self._blind:
            if self._motion_since is not None:
                self.update(reading, hand_mask, at_s)
            tracks = self._tracks_after_gap(reading, self._outcome_after_blindness(reading))
        elif self._motion_since is None and not self._settled_before:
            tracks = self._tracks_after_gap(reading)
        elif self._motion_since is None:
            tracks = self._tracks_of_reread(reading)
        else:
            self.update(reading, hand_mask, at_s)
            if not self._size_known:
                self._forget_false_hands(reading)
            tracks = self._tracks_of_shifted(reading) or self._tracks(reading, hand_mask, changed)
        self._size_known |= any(track.seen.sure for track in tracks.dice)
        if self._motion_since is not None:
            self._note_resting_hand(hand_mask, changed)
        self._remember(tracks)
        return tracks

    def shows_other_dice(self, reading: Reading, hand_mask: Mask | None) -> bool:
        """Whether the reading shows sure dice that the last settled tray had not, and no hand is at a die."""
        if any(is_touched(hand_mask, die, reading.size_wh) for die in reading.dice):
            return False
        sure = [die for die in reading.dice if die.sure]
        return any(not any(_lies_unchanged(track, die) for track in self._at_rest) for die in sure)

    def is_under_hand(self, hand_mask: Mask | None, size_wh: tuple[int, int]) -> bool:
        """Whether a die that was seen to roll went under this hand, and is not detected since: what lies
        beside the hand is not the whole throw. size_wh: of the picture, px."""
        if hand_mask is None:
            return False
        return any(
            rolled_to_hand(c)
            and is_touched(hand_mask, c.last.seen, size_wh)
            and not any(may_go_on_as(c, later) for later in self._tracklets)
            for c in self._tracklets
        )

    @property
    def new_die_may_be_covered_one(self) -> bool:
        """Whether a new die may be one that lay under a hand that is still there: when the hand leaves, it is
        known what lies in that place."""
        covered = [c for c in self._tracklets if c.from_rest and c.missing and c.covered]
        new = [c for c in self._tracklets if not c.from_rest and not c.missing]
        return bool(covered) and any(predecessor(of_one_colour(c), covered) is not None for c in new)

    @property
    def new_die_was_taken(self) -> bool:
        """Whether a die that came since the tray last settled lay still, and is missing since a hand was at
        it: what is left is not the whole throw."""
        return any(
            c.missing and c.ever_touched and not c.from_rest and not c.is_moving for c in self._tracklets
        )

    def _tracklet_of(self, track: Track, at_s: float) -> Tracklet:
        """The tracklet that begins at a die of the settled tray: detected at this time, s, or hidden."""
        before = self._out_of_sight.get(track.id)
        if before is None:
            return Tracklet([Observation(at_s, track.seen)], track)
        last = replace(before.last, seen=track.seen)
        return replace(before, observations=[last], track=track)

    # -- association ---------------------------------------------------------------------------------

    def _associate(
        self, observations: list[Observation], hand_mask: Mask | None, size_wh: tuple[int, int], at_s: float
    ) -> None:
        """Associates the observations with the tracklets, lowest cost first. Each remaining observation
        starts a tracklet."""
        candidates = [
            c
            for c in self._tracklets
            if c.from_rest or c.lies_under_hand or c.lay_still or at_s - c.last.at_s <= MAX_LOST_S
        ]
        costs = [
            (association_cost(c, o), i, j)
            for i, c in enumerate(candidates)
            for j, o in enumerate(observations)
        ]
        matched, matched_observations = set[int](), set[int]()
        for _, i, j in sorted(c for c in costs if c[0] < np.inf):
            if i not in matched and j not in matched_observations:
                candidates[i].add(observations[j])
                _note_still_hand(candidates[i], hand_mask, size_wh)
                matched.add(i)
                matched_observations.add(j)
        for i, tracklet in enumerate(candidates):
            if i not in matched:
                tracklet.mark_missing(at_s, is_touched(hand_mask, tracklet.last.seen, size_wh))
        for j, observation in enumerate(observations):
            if j not in matched_observations:
                seen = observation.seen
                observed = not (self._after_gap or self._came_with_camera(observation, size_wh))
                unseen = not observed or self._is_start(at_s)
                at_border = touches_border(seen.box_xywh, size_wh)
                late = unseen and observed and self._settled_before
                tracklet = Tracklet([observation], unseen=unseen, late=late, at_border=at_border)
                tracklet.hand_rested = is_touched(self._rested, seen, size_wh)
                tracklet.hand_since_s = _constantly_since(
                    self._masks, at_s, partial(is_touched, die=seen, size_wh=size_wh)
                )
                tracklet.stood_since_s = _constantly_since(
                    self._foregrounds, at_s, partial(_stands_at, die=seen, size_wh=size_wh)
                )
                if tracklet.hand_since_s is not None:
                    tracklet.hand_before = next((m for s, m in reversed(self._masks) if s < at_s), None)
                tracklet.crossed_tray = self._crossed_tray(seen, at_s, size_wh)
                tracklet.flew_in = flew_in(self._foregrounds, seen, at_s, size_wh)
                tracklet.arm_before = arm_was_at(self._foregrounds, seen, at_s, size_wh)
                _note_still_hand(tracklet, hand_mask, size_wh)
                self._tracklets.append(tracklet)
        self._tracklets = [c for c in self._tracklets if c.from_rest or at_s - c.last.at_s <= HISTORY_S]
        self._after_gap = False

    def _crossed_tray(self, die: SeenDie, at_s: float, size_wh: tuple[int, int]) -> bool | None:
        """Whether something that is no die was far from this one in the last CROSSED_S: a die that rolls
        too fast to be detected. None: not known."""
        recent = [mask for mask_s, mask in self._foregrounds if at_s - CROSSED_S <= mask_s < at_s]
        if not recent:
            return None
        scale = recent[0].shape[1] / size_wh[0]
        far = np.ones_like(recent[0])
        lay = ((track.seen, 1.0) for track in self._at_rest)  # lifted dice leave holes
        for seen, sides in ((die, FAR_SIDES), *lay):
            (x, y), reach = seen.centre_xy, sides * seen.side
            x0, x1, y0, y1 = (max(0, round(v * scale)) for v in (x - reach, x + reach, y - reach, y + reach))
            far[y0:y1, x0:x1] = False
        least = MIN_CROSSING_SHARE * (die.side * scale) ** 2
        return any(int((mask & far).sum()) >= least for mask in recent)

    def _is_start(self, at_s: float) -> bool:
        """Whether dice that appear at this time, s, may have lain there before: it is the first reading since
        the tray settled, or one of the first at all, when an unsure die may have been missed."""
        assert self._motion_since is not None
        return at_s - self._motion_since <= (0.0 if self._settled_before else START_S)

    def _came_with_camera(self, observation: Observation, size_wh: tuple[int, int]) -> bool:
        """Whether a pushed camera brought this place into the picture."""
        dx, dy = self._camera_shift_xy
        return bool(dx or dy) and not is_inside(shifted(observation.seen, (-dx, -dy)), size_wh)

    def _hand_was_recently_at(self, die: SeenDie, at_s: float, size_wh: tuple[int, int]) -> bool:
        """Whether a hand was at this place a moment ago."""
        since = at_s - max(HAND_AGO_S, 1.5 * (at_s - self._last_s) if self._last_s is not None else 0.0)
        return any(since <= mask_s < at_s and is_touched(mask, die, size_wh) for mask_s, mask in self._masks)

    def _compensate_camera(self, dice: Sequence[SeenDie], size_wh: tuple[int, int]) -> None:
        """Shifts the tracklets with the dice if all dice have shifted alike since they were last detected."""
        unmoved = [c for c in self._tracklets if c.from_rest and not c.missing and not c.last.touched]
        shift = common_shift([c.last.seen for c in unmoved], dice, size_wh)
        if shift is None:
            return
        self._camera_shift_xy = (self._camera_shift_xy[0] + shift[0], self._camera_shift_xy[1] + shift[1])
        for tracklet in self._tracklets:
            tracklet.shift(shift)

    def _forget_false_hands(self, reading: Reading) -> None:
        """Forgets all hands if each was smaller than a finger beside these dice. Until the first die is read,
        its size is guessed, and a large die that comes in over the border looks like a hand."""
        sides = [die.side * SMALL_W / reading.size_wh[0] for die in reading.dice]
        least = FINGER_DICE * median(sides) ** 2 if sides else 0.0
        if all(float(mask.sum()) < least for _, mask in self._masks):
            for tracklet in self._tracklets:
                tracklet.forget_hands()

    # -- tracks --------------------------------------------------------------------------------------

    def _tracks(self, reading: Reading, hand_mask: Mask | None, changed: Mask | None) -> Tracks:
        """The tracks of a tray that was tracked through the motion."""
        tracklets = self._tracklets_at(reading.dice)
        split = (split_by_colour(c, tracklets) for c in tracklets)
        self._tracklets.extend(ended for ended in split if ended is not None)
        others = [c for c in self._tracklets if c not in tracklets]
        tracklets = _without_parts(tracklets, others)
        if changed is not None:
            new = [c.last.seen for c in tracklets if may_be_printed(c)]
            self._printed.extend(d for d in new if _share_of(changed, d, reading.size_wh) < MIN_NEW_SHARE)
            for tracklet in filter(_rolled_late, tracklets):
                if _share_of(changed, tracklet.last.seen, reading.size_wh) >= SURELY_NEW_SHARE:
                    tracklet.unseen = False
        self._printed.extend(c.last.seen for c in others if lay_unsure_at_start(c))
        tracks = decide_outcomes(
            tracklets, others, self._in_hand, self._ids, self._max_hand_share, self._printed
        )
        self._printed.extend(c.last.seen for c in others if self._seems_printed(c, others))
        pairs = list(zip(tracklets, tracks, strict=True))
        of_throw = [c for c, t in pairs if t.outcome is TrackOutcome.THROWN]
        rolled = [c for c in of_throw if tumbled_freely(c)]
        tracks = [
            self._as_vanished(_as_rolled(c, t, rolled), appeared=c.track is None and not c.ever_touched)
            for c, t in pairs
        ]
        self._vanished = self._leaning(others, tracks)
        current_ids = {t.id for t in tracks}
        lost = tuple(
            LostTrack(c.track.id, c.track.seen, _loss_reason(c, hand_mask), c.last.at_s)
            for c in self._tracklets
            if c.track is not None and c.track.id not in current_ids
        )
        thrown = any(t.outcome is TrackOutcome.THROWN for t in tracks)
        shifted_alike = any(self._camera_shift_xy) and not thrown  # dice from one hand shift alike too
        rolled_off = left_picture(others, tracklets, of_throw, reading.size_wh)
        return Tracks(tuple(tracks), lost, camera_moved=shifted_alike, rolled_off=rolled_off)

    def _leaning(self, ended: Sequence[Tracklet], tracks: Sequence[Track]) -> list[SeenDie]:
        """Where dice vanished a moment ago that rolled in and may lean on one that lies there."""
        thrown = [t.seen for t in tracks if t.outcome is TrackOutcome.THROWN]
        lying = [t.seen for t in tracks if t.outcome is not TrackOutcome.THROWN]
        vanished = [
            c.last.seen
            for c in ended
            if vanished_in_view(c) and self._last_s is not None and self._last_s - c.last.at_s < VANISHED_S
        ]
        return [
            die
            for die in vanished
            if any(is_near(die, other, LEANING_SIDES) for other in lying)
            and not any(is_near(die, other, LEANING_SIDES) for other in thrown)
        ]

    def _as_vanished(self, track: Track, appeared: bool = False) -> Track:
        """The track; THROWN if it appeared, unobserved, where one vanished that was rolling in. appeared: it
        is known that no hand brought it: then it is none of the dice that were picked up."""
        none_saw = track.outcome is TrackOutcome.UNOBSERVED
        is_other = appeared and track.outcome is TrackOutcome.MOVED
        vanished = any(is_near(track.seen, die, LEANING_SIDES) for die in self._vanished)
        if not vanished or not (none_saw or is_other):
            return track
        number = next(self._ids) if is_other else track.id
        return replace(track, id=number, outcome=TrackOutcome.THROWN, was=None, lifted=True)

    def _tracklets_at(self, dice: Sequence[SeenDie]) -> list[Tracklet]:
        """The tracklets of these dice of the last reading, in the same order."""
        ends = {id(c.last.seen): c for c in self._tracklets}
        return [ends[id(die)] for die in dice]

    def _tracks_of_shifted(self, reading: Reading) -> Tracks | None:
        """The tracks where all dice of the tray at rest, MIN_SHIFTED or more, lie elsewhere, but to one
        another as before: the camera was pushed, or the tray. None if that is not so.

        The tracklets may have confused them, because the whole picture moved.
        """
        was = [track.seen for track in self._at_rest]
        if len(was) != len(reading.dice) or len(was) < MIN_SHIFTED or not reading.sure:
            return None
        shift = common_shift(was, reading.dice, reading.size_wh)
        if shift is None:
            return None
        dice = list[Track]()
        for die in reading.dice:
            unshifted = shifted(die, (-shift[0], -shift[1]))
            near = (t for t in self._at_rest if is_near(t.seen, unshifted, SHIFT_TOLERANCE_SIDES))
            track = next((t for t in near if t.seen.face == die.face), None)
            if track is None:
                return None
            dice.append(Track(track.id, die, TrackOutcome.UNMOVED, track.seen))
        return Tracks(tuple(dice), camera_moved=True)

    def _seems_printed(self, tracklet: Tracklet, others: Sequence[Tracklet]) -> bool:
        """Whether it shows a printed figure, or a lamp that blinks, which is not remembered yet."""
        printed = self._last_s is not None and seems_printed(tracklet, self._last_s)
        if not printed and not blinks(tracklet, others):
            return False
        return not any(is_near(printed, tracklet.last.seen, SAME_PLACE_SIDES) for printed in self._printed)

    def _outcome_after_blindness(self, reading: Reading) -> TrackOutcome:
        """The outcome of the new dice after a time in which the tray was not visible: THROWN if all of them
        were seen coming since, and the camera was not only pushed."""
        came = [d for d in reading.dice if not any(_lies_unchanged(track, d) for track in self._at_rest)]
        if common_shift([track.seen for track in self._at_rest], came, reading.size_wh) is not None:
            return TrackOutcome.UNOBSERVED
        in_view = self._motion_since is not None and thrown_in_view(self._tracklets_at(came))
        return TrackOutcome.THROWN if in_view else TrackOutcome.UNOBSERVED

    def _tracks_after_gap(
        self, reading: Reading, default_outcome: TrackOutcome = TrackOutcome.UNOBSERVED
    ) -> Tracks:
        """The tracks after an unobserved change. A die with the same position and face keeps its track."""
        remaining, dice = list(self._at_rest), list[Track]()
        for die in reading.dice:
            match = next((track for track in remaining if _lies_unchanged(track, die)), None)
            if match:
                remaining.remove(match)
                dice.append(Track(match.id, die, TrackOutcome.UNMOVED, match.seen))
            else:
                thrown = default_outcome is TrackOutcome.THROWN
                dice.append(Track(next(self._ids), die, default_outcome, lifted=thrown))
        return Tracks(
            tuple(dice), tuple(LostTrack(track.id, track.seen, LossReason.UNSEEN) for track in remaining)
        )

    def _tracks_of_reread(self, reading: Reading) -> Tracks:
        """The tracks of a second reading with no motion since the first. A die that is detected only now came
        with the others."""
        thrown = any(track.outcome is TrackOutcome.THROWN for track in self._at_rest)
        outcome = TrackOutcome.THROWN if thrown else TrackOutcome.UNOBSERVED
        remaining, dice = list(self._at_rest), list[Track]()
        for die in reading.dice:
            nearby = (track for track in remaining if is_near(track.seen, die, CREPT_SIDES))
            match = min(nearby, key=lambda track: track.seen.distance_px(die), default=None)
            if match:
                remaining.remove(match)
                dice.append(Track(match.id, die, TrackOutcome.UNMOVED, match.seen))
            else:
                track = Track(next(self._ids), die, outcome, lifted=outcome is TrackOutcome.THROWN)
                dice.append(self._as_vanished(track))
        return Tracks(
            tuple(dice), tuple(LostTrack(track.id, track.seen, LossReason.COVERED) for track in remaining)
        )

    def _note_resting_hand(self, hand_mask: Mask | None, changed: Mask | None) -> None:
        """Notes where a hand is on the settled tray, and where it has been since the one before: nothing has
        changed there. Once that picture is known, a hand that stays is detected no more."""
        before = self._resting_hand
        self._rested = None
        if before is not None and changed is not None and before.shape == changed.shape:
            self._rested = before & ~changed
        known = [mask for mask in (hand_mask, self._rested) if mask is not None]
        self._resting_hand = np.logical_or.reduce(known) if known else None

    def _remember(self, tracks: Tracks) -> None:
        """Makes these tracks the state of the settled tray."""
        covered = [
            Track(g.id, g.was, TrackOutcome.UNMOVED) for g in tracks.lost if g.reason is LossReason.COVERED
        ]
        covered_ids = {track.id for track in covered}
        self._out_of_sight = {
            c.track.id: c for c in self._tracklets if c.track is not None and c.track.id in covered_ids
        }
        lifted = [g for g in tracks.lost if g.reason is not LossReason.COVERED]
        self._at_rest = [*tracks.dice, *covered]
        came = any(track.was is None for track in tracks.dice)
        self._in_hand = [*self._in_hand, *lifted][-MAX_LIFTED:] if lifted or not came else []
        self._blind, self._settled_before = False, True
        self._clear_motion()

    def _clear_motion(self) -> None:
        self._tracklets, self._motion_since, self._last_s = [], None, None
        self._camera_shift_xy, self._max_hand_share = (0.0, 0.0), 0.0


def _note_still_hand(tracklet: Tracklet, hand_mask: Mask | None, size_wh: tuple[int, int]) -> None:
    """Notes that the hand from which a new die came has stood still until now, if it has since it came."""
    *earlier, _ = tracklet.observations
    so_far = not earlier or tracklet.let_go_s == earlier[-1].at_s
    way = [o.seen for o in tracklet.observations]
    if so_far and tracklet.last.touched and stood_still(tracklet.hand_before, hand_mask, way, size_wh):
        tracklet.let_go_s = tracklet.last.at_s


def _without_parts(tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> list[Tracklet]:
    """The tracklets without those of parts of dice that a fingertip covers. Marks the tracklets of these
    dice, which are among the others, as covered."""
    whole = []
    for tracklet in tracklets:
        covered = next((c for c in others if shows_part_of(tracklet, c)), None)
        if covered is None:
            whole.append(tracklet)
        else:
            covered.covered = True
    return whole


def _lies_unchanged(track: Track, die: SeenDie) -> bool:
    """Whether this die lies where the tracked one lay, with the same face."""
    return is_near(track.seen, die, SAME_PLACE_SIDES) and track.seen.face == die.face


def _as_rolled(tracklet: Tracklet, track: Track, rolled: Sequence[Tracklet]) -> Track:
    """The track, with a thrown die made sure whose face and colour are clear, and which is faint for the
    detector alone: what rolled and tumbled is a die, and so is what came with such dice.

    rolled: the thrown dice that did.
    """
    seen = track.seen
    clear = seen.confidence >= CONFIDENCE_THRESHOLD and not seen.cut_off and not seen.sure
    if not clear or track.outcome is not TrackOutcome.THROWN:
        return track
    if tracklet not in rolled and not came_with_others(tracklet, rolled):
        return track
    rest = [o.seen for o in tracklet.observations if o.at_s >= at_rest_since(tracklet)]
    if any(each.face != seen.face or each.colour != seen.colour for each in rest):
        return track
    return replace(track, seen=replace(seen, sure=True))


def _loss_reason(tracklet: Tracklet, hand_mask: Mask | None) -> LossReason:
    """Why a die is not detected. While a hand is in the picture, the die may be in the hand or under it."""
    in_view = hand_mask is not None and bool(hand_mask.any()) and tracklet.lifted_s is None
    if tracklet.covered or (in_view and tracklet.ever_touched):
        return LossReason.COVERED
    return LossReason.ROLLED_OUT if tracklet.rolled_out else LossReason.LIFTED


def association_cost(tracklet: Tracklet, observation: Observation) -> float:
    """Cost of associating a detection with a tracklet, in sides; infinite if it cannot be the same die."""
    last = tracklet.last
    side = (last.seen.side + observation.seen.side) / 2
    gap_s = observation.at_s - last.at_s
    expected = tracklet.expected_at(observation.at_s)
    direct = observation.seen.distance_px(last.seen) / side
    distance = min(math.dist(observation.seen.centre_xy, expected) / side, direct)
    sure = observation.seen.sure and last.seen.sure
    other_face = observation.seen.face != last.seen.face and sure
    other_size = not 1 / MAX_SIZE_RATIO < observation.seen.side / last.seen.side < MAX_SIZE_RATIO
    if distance > _gate(tracklet, gap_s) or other_size:
        return float("inf")
    other_body = not may_be_same_body(tracklet.body, observation.seen)
    jumps = other_body and direct > MIN_JUMP_SIDES
    if tracklet.held and (jumps or not tracklet.may_show(observation.seen)):
        return float("inf")
    if tracklet.lies_under_hand and not may_be_same(last.seen, observation.seen):
        return float("inf")
    if tracklet.was_lifted_at(observation.at_s) and (
        direct > SAME_SPOT_SIDES or not _may_lie_as_before(tracklet, observation.seen)
    ):
        return float("inf")
    face = FACE_COST * other_face
    colour = COLOUR_COST * other_body
    doubt = UNSURE_COST * (last.seen.sure and not observation.seen.sure)
    if _lies_on_figure(tracklet, observation.seen):
        return distance + FIGURE_COST + colour
    at_rest = distance < SAME_PLACE_SIDES and not face and not colour
    bonus = AT_REST_BONUS if at_rest and not tracklet.is_moving else 0.0
    return distance - bonus + face + colour + doubt


def _lies_on_figure(tracklet: Tracklet, seen: SeenDie) -> bool:
    """Whether this is surely a die, and what the tracklet shows lay there before it and was none."""
    if tracklet.from_rest or not seen.sure or seen.side < MAX_FIGURE_GROWTH * tracklet.last.seen.side:
        return False
    return not tracklet.is_moving and not any(o.seen.sure for o in tracklet.observations)


def _may_lie_as_before(tracklet: Tracklet, seen: SeenDie) -> bool:
    """Whether a die that was out of sight may lie there again as it did. What fingers left of its face says
    nothing, and what is not sure may fly over its place."""
    lay = tracklet.body if tracklet.from_rest else tracklet.last.seen
    if lay.sure and not (seen.sure and seen.face == lay.face):
        return False
    return tracklet.track is None or may_have_same_face(tracklet.track.seen, seen)


def _gate(tracklet: Tracklet, gap_s: float) -> float:
    """Gate: the maximum distance a die may have covered since the tracklet's last observation, in sides."""
    if tracklet.is_moving and not (tracklet.held and (tracklet.ever_touched or gap_s > MAX_LOST_S)):
        return BOX_ERROR_SIDES + MAX_SPEED_SIDES_S * min(gap_s, MAX_FREE_S)
    return (
        SAME_PLACE_SIDES
        if tracklet.missing
        else BOX_ERROR_SIDES + MAX_START_SIDES_S * min(gap_s, MAX_START_S)
    )


def _forget_older(masks: deque[tuple[float, Mask]], than_s: float) -> None:
    while masks and masks[0][0] < than_s:
        masks.popleft()


def _constantly_since(
    masks: deque[tuple[float, Mask]], at_s: float, is_there: Callable[[Mask], bool]
) -> float | None:
    """The time since which something was constantly there, until a moment before this time, s; None: nothing
    was."""
    since_s: float | None = None
    for mask_s, mask in reversed(masks):
        if (at_s if since_s is None else since_s) - mask_s > HAND_AGO_S:
            break
        if is_there(mask):
            since_s = mask_s
        elif since_s is not None:
            break
    return since_s


def _stands_at(foreground: Mask, die: SeenDie, size_wh: tuple[int, int]) -> bool:
    """Whether something stands where this die is."""
    return _share_of(foreground, die, size_wh) >= MIN_STOOD_SHARE


def is_touched(hand_mask: Mask | None, die: SeenDie, size_wh: tuple[int, int]) -> bool:
    """Whether a hand is at this die."""
    return hand_mask is not None and _share_of(hand_mask, die, size_wh, TOUCH_GROWTH) > MIN_TOUCHED_SHARE


def _rolled_late(tracklet: Tracklet) -> bool:
    """Whether a new die was in the first reading, came to rest after that, and no hand was at it."""
    new = tracklet.track is None and tracklet.late and not tracklet.ever_touched
    return new and first_at_rest(tracklet) is not tracklet.observations[0]


def _share_of(mask: Mask, die: SeenDie, size_wh: tuple[int, int], growth: float = 1.0) -> float:
    """The share of this die's box, grown by this factor, that is in the mask, 0-1."""
    part = mask[pixels_of(scaled(grown(die.box_xywh, growth), SMALL_W / size_wh[0]))]
    return float(part.mean()) if part.size else 0.0
