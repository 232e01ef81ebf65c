"""Decides which sticks of a settled tray were thrown, by the sticks that lay there before.

A throw takes all sticks from the tray and brings them back to other places. So three observations decide:
which sticks lie where one lay before, how many were away from the tray at one time, and whether they lie as a
hand lays them, side by side. A single stick in another place was pushed.

Flat sticks do not tumble visibly as dice do, and a frame of a flying stick shows a blur. Their motion in the
air is therefore not followed. Coins in place of sticks have no axis: how they lie does not tell whether they
were laid.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vision.readings import SeenStick
from vision.settling.motion import SMALL_W, Mask
from vision.stick_places import axis_difference_rad, axis_rad, is_coin, length_px, same_place, width_px
from vision.tracking.stick_tracks import StickOutcome, StickTrack, StickTracks

MIN_THROWN_TOGETHER = 3
"""If at least so many sticks lie in new places, they came together, whatever lies still beside them: a thing
that is taken for a stick, or a stick that fell where one had lain. Fewer were pushed."""

SIDE_BY_SIDE_RAD, SIDE_BY_SIDE_WIDTHS, SIDE_BY_SIDE_LENGTHS = math.radians(12), 2.0, 0.5
"""Sticks lie side by side if their axes differ by less than the angle, neighbours are at most so many widths
apart, centre to centre, and their ends are within so many lengths. Four thrown sticks have axes so alike less
than once in 400 throws."""


@dataclass(frozen=True)
class _Known:
    """A stick of the last settled tray."""

    id: int
    seen: SeenStick


class StickTracker:
    """Takes the sticks of every reading, returns what became of those on a settled tray."""

    def __init__(self, numbers: Iterator[int] | None = None) -> None:
        """numbers: those of the sticks; None: from 0."""
        self._lying: tuple[_Known, ...] = ()
        self._hidden: tuple[_Known, ...] = ()
        self._found: tuple[SeenStick, ...] = ()
        self._unseen, self._away = True, 0
        self._numbers = numbers if numbers is not None else itertools.count()

    def mark_unseen(self) -> None:
        """Notes that the tray was not visible. New sticks of the next reading are UNOBSERVED."""
        self._unseen = True

    def update(
        self, sticks: Sequence[SeenStick], size_wh: tuple[int, int], hand_mask: Mask | None = None
    ) -> None:
        """Adds the sticks of a reading, in motion or at rest. hand_mask: (h, SMALL_W); None: no hand."""
        if self._unseen:
            self._unseen, self._found = False, tuple(sticks)
        visible = sum(not _in_hand(stick, hand_mask, size_wh) for stick in sticks)
        self._away = max(self._away, len(self._lying) - visible)

    def settled(
        self, sticks: Sequence[SeenStick], size_wh: tuple[int, int], hand_mask: Mask | None = None
    ) -> StickTracks:
        """What became of the sticks of a settled tray. hand_mask: what rests over it, as for `update`."""
        self.update(sticks, size_wh, hand_mask)
        stayed = self._stayed(sticks)
        found = [n for n, stick in enumerate(sticks) if any(same_place(f, stick) for f in self._found)]
        new = [n for n in range(len(sticks)) if n not in stayed and n not in found]
        vacated = self._vacated(stayed)
        outcomes = dict.fromkeys(found, StickOutcome.UNOBSERVED) | dict.fromkeys(stayed, StickOutcome.UNMOVED)
        if new and (len(new) == len(sticks) or len(new) >= MIN_THROWN_TOGETHER):
            outcomes |= dict.fromkeys(new, self._outcome_together([sticks[n] for n in new], vacated))
            if self._away > len(vacated):  # so were those that seem to lie still
                outcomes |= dict.fromkeys(stayed, StickOutcome.UNCLEAR)
        else:
            outcomes |= dict.fromkeys(new[: len(vacated)], StickOutcome.MOVED)
            outcomes |= dict.fromkeys(new[len(vacated) :], StickOutcome.THROWN)
        tracks = self._tracks(sticks, stayed, outcomes)
        self._remember(tracks, stayed, size_wh, hand_mask)
        return StickTracks(tracks)

    def _stayed(self, sticks: Sequence[SeenStick]) -> dict[int, _Known]:
        """The sticks that lie where a known one lay: their indices, with the known stick."""
        free, stayed = [*self._lying, *self._hidden], dict[int, _Known]()
        for n, stick in enumerate(sticks):
            here = next((known for known in free if same_place(known.seen, stick)), None)
            if here is not None:
                free.remove(here)
                stayed[n] = here
        return stayed

    def _vacated(self, stayed: Mapping[int, _Known]) -> list[_Known]:
        return [known for known in self._lying if known not in stayed.values()]

    def _outcome_together(self, new: Sequence[SeenStick], vacated: Sequence[_Known]) -> StickOutcome:
        """The outcome of sticks that came together. vacated: known sticks whose places are empty now."""
        if vacated and _shifted_together([known.seen for known in vacated], new):
            return StickOutcome.MOVED
        were_away = self._away >= min(len(new), len(vacated))
        return StickOutcome.THROWN if were_away and not _side_by_side(new) else StickOutcome.UNCLEAR

    def _tracks(
        self,
        sticks: Sequence[SeenStick],
        stayed: Mapping[int, _Known],
        outcomes: Mapping[int, StickOutcome],
    ) -> tuple[StickTrack, ...]:
        vacated, tracks = self._vacated(stayed), list[StickTrack]()
        for n, stick in enumerate(sticks):
            was = stayed.get(n)
            if outcomes[n] is StickOutcome.MOVED:
                was = min(vacated, key=lambda known: math.dist(known.seen.centre_xy, stick.centre_xy))
                vacated.remove(was)
            tracks.append(StickTrack(next(self._numbers) if was is None else was.id, stick, outcomes[n]))
        return tuple(tracks)

    def _remember(
        self,
        tracks: Sequence[StickTrack],
        stayed: Mapping[int, _Known],
        size_wh: tuple[int, int],
        hand_mask: Mask | None,
    ) -> None:
        """Keeps the sticks for the next settled tray, with those that are hidden or were not detected."""
        here = {track.id for track in tracks}
        missing = [known for known in (*self._lying, *self._hidden) if known.id not in here]
        any_stayed = any(track.outcome is StickOutcome.UNMOVED for track in tracks)
        self._hidden = tuple(
            known for known in missing if any_stayed or _in_hand(known.seen, hand_mask, size_wh)
        )
        self._lying = tuple(_Known(track.id, track.seen) for track in tracks)
        self._found, self._away = (), 0


def _in_hand(stick: SeenStick, hand_mask: Mask | None, size_wh: tuple[int, int]) -> bool:
    """Whether the stick is in a hand or under it."""
    if hand_mask is None:
        return False
    (x, y), scale = stick.centre_xy, SMALL_W / size_wh[0]
    row, column = (min(max(round(v * scale), 0), n - 1) for v, n in zip((y, x), hand_mask.shape, strict=True))
    return bool(hand_mask[row, column])


def _shifted_together(before: Sequence[SeenStick], now: Sequence[SeenStick]) -> bool:
    """Whether all sticks moved by the same distance with the same faces up, as in a tray that is pushed."""
    return len(before) == len(now) and any(
        before[0].face == first.face and _all_moved_by(_offset(before[0], first), before, now)
        for first in now
    )


def _offset(before: SeenStick, now: SeenStick) -> tuple[float, float]:
    (x0, y0), (x1, y1) = before.centre_xy, now.centre_xy
    return x1 - x0, y1 - y0


def _all_moved_by(
    offset_xy: tuple[float, float], before: Sequence[SeenStick], now: Sequence[SeenStick]
) -> bool:
    dx, dy = offset_xy
    free = list(now)
    for stick in before:
        a, b, c, d = ((x + dx, y + dy) for x, y in stick.quad)
        moved = replace(stick, quad=(a, b, c, d))
        there = next((s for s in free if s.face == stick.face and same_place(moved, s)), None)
        if there is None:
            return False
        free.remove(there)
    return True


def _side_by_side(sticks: Sequence[SeenStick]) -> bool:
    """Whether several sticks lie as a hand lays them, not as they fall; coins have no axis."""
    if len(sticks) < MIN_THROWN_TOGETHER or any(map(is_coin, sticks)):
        return False
    if any(axis_difference_rad(a, b) > SIDE_BY_SIDE_RAD for a, b in itertools.combinations(sticks, 2)):
        return False
    axis = axis_rad(sticks[0])
    cos, sin = math.cos(axis), math.sin(axis)
    across = sorted(y * cos - x * sin for x, y in (s.centre_xy for s in sticks))
    along = sorted(x * cos + y * sin for x, y in (s.centre_xy for s in sticks))
    width, length = max(map(width_px, sticks)), max(map(length_px, sticks))
    gaps = (b - a for a, b in itertools.pairwise(across))
    return max(gaps) < SIDE_BY_SIDE_WIDTHS * width and along[-1] - along[0] < SIDE_BY_SIDE_LENGTHS * length
