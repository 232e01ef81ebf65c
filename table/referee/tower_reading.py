"""The towers in one reading of the tray, apart from the loose dice: what changed, and what that means.

All functions are pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from table.referee.events import TrayRead
from table.referee.state import State
from table.referee.tower_falls import Fall, NewDie, read_fall
from table.referee.towers import (
    NOT_SEEN,
    NOTHING_NEW,
    PICKED_UP,
    SAME,
    STILL_LYING,
    SURE_CHANCE,
    UNTOUCHED,
    TowerReading,
    TowerSeen,
    as_die,
    colours_of,
    followed,
    learned,
    lies_beside,
    read_tower,
)
from table.rules.answers import Die
from table.rules.prompts import Choose, Prompt, Roll
from table.rules.towers import Tower
from vision.readings import SeenDie
from vision.tracking.likeness import is_near
from vision.tracking.tracker import SAME_PLACE_SIDES
from vision.tracking.tracks import Track, TrackOutcome


@dataclass(frozen=True)
class TowersRead:
    """The towers of one settled tray.

    towers: each as this reading shows it. loose: the tray without the towers, and without dice that fell from
    them. gone: number of loose dice that lay there before and do not now, by colour and face. fall: None if
    nothing fell.
    """

    towers: tuple[TowerReading, ...]
    loose: TrayRead
    gone: Counter[Die]
    fall: Fall | None = None


def read_towers(state: State, event: TrayRead) -> TowersRead | None:
    """The towers in this reading; None if the game has none, or if it is not known where they stand."""
    match = state.match
    if match is None or match.prompt is None or not match.towers:
        return None
    seen = known_towers(state.towers.seen, match.towers) or learned(match.towers, _standing(event))
    read = _TowersReader(state, event, match.towers, seen).read() if seen else None
    return read if read and any(tower.top for tower in read.towers) else None


def _standing(event: TrayRead) -> list[SeenDie]:
    """The dice that may stand in a tower: those that were not thrown just now."""
    tracks = event.tracks
    return [*(t.seen for t in tracks.dice if t.outcome is not TrackOutcome.THROWN), *tracks.outside]


def known_towers(seen: tuple[TowerSeen, ...], towers: Sequence[Tower]) -> tuple[TowerSeen, ...] | None:
    """The towers seen before, if they can be these ones: on the same bases."""
    same = bool(seen) and [s.dice[0] for s in seen] == [tower[0] for tower in towers]
    return tuple(map(_as_the_game_has_it, seen, towers)) if same else None


def _base_of(tower: TowerSeen) -> TowerSeen:
    """The tower without the dice on its base."""
    seen = tower.levels[0] or next((die for die in tower.levels if die), None)
    return TowerSeen(tower.dice[:1], (seen,))


def _as_the_game_has_it(seen: TowerSeen, tower: Tower) -> TowerSeen:
    """The tower as it was seen, if the game can have it so; otherwise the game's, in its place.

    Its place is known although somebody said that other dice stand there than the camera saw.
    """
    both = min(seen.height, len(tower))
    if seen.dice[:both] == tower[:both]:
        return seen
    levels = [*seen.levels, *[None] * len(tower)][: len(tower)]
    if not any(levels):
        levels[-1] = next(die for die in seen.levels if die)
    return TowerSeen(tower, tuple(levels))


class _TowersReader:
    """One pass over the dice of a reading."""

    def __init__(
        self, state: State, event: TrayRead, towers: Sequence[Tower], seen: Sequence[TowerSeen]
    ) -> None:
        self._state, self._event, self._expected, self._seen = state, event, towers, seen
        self._prompt: Prompt | None = state.prompt
        self._size = event.reading.size_wh
        self._colours = colours_of(towers)
        self._dice = [*(t.seen for t in event.tracks.dice), *event.tracks.outside]
        known = {d.track for d in state.tray.all_dice}
        self._new_tracks = [t for t in event.tracks.dice if t.id not in known]

    def read(self) -> TowersRead:
        at_tower = self._dice_at_towers(self._seen)
        loose = [d for d in self._dice if not any(d in dice for dice in at_tower)]
        gone = self._gone(loose)
        placeable = self._placeable(loose, gone)
        new_dice = any(t.seen in loose for t in self._new_tracks)
        lower = 1.0 if new_dice else PICKED_UP if gone else NOTHING_NEW
        towers = self._tops(at_tower, placeable, lower)
        strange = [r.best.kind != "same" or r.best.chance < SURE_CHANCE for r in towers]
        if gone.total() == sum(strange):
            again = self._tops(at_tower, placeable, lower, UNTOUCHED)
            towers = [b if is_strange else a for a, b, is_strange in zip(towers, again, strange, strict=True)]
        towers = [self._followed(i, reading, loose) for i, reading in enumerate(towers)]
        used = [d for reading, dice in zip(towers, at_tower, strict=True) for d in self._used(reading, dice)]
        towers, fall, fallen = self._fall(towers, used)
        return TowersRead(tuple(towers), self._without([*used, *fallen]), gone, fall)

    def _tops(
        self,
        at_tower: Sequence[Sequence[SeenDie]],
        placeable: Mapping[Die, float],
        lower: float,
        same: float = SAME,
    ) -> list[TowerReading]:
        """Each tower as it is read. at_tower: the dice seen where it stands. lower, same: see read_tower."""
        return [
            read_tower(tower, expected, dice, placeable, lower, self._colours, self._size, same)
            for tower, expected, dice in zip(self._seen, self._expected, at_tower, strict=True)
        ]

    def _dice_at_towers(self, towers: Sequence[TowerSeen]) -> list[list[SeenDie]]:
        """The dice seen where each tower stands; a die is at the nearest tower only."""
        at: list[list[SeenDie]] = [[] for _ in towers]
        for die in self._dice:
            near = [
                (tower.off_sides(die, tower.height, self._size), i)
                for i, tower in enumerate(towers)
                if tower.holds(die, self._size)
            ]
            if near:
                at[min(near)[1]].append(die)
        return at

    def _gone(self, loose: Sequence[SeenDie]) -> Counter[Die]:
        """The loose dice that lay there before and do not now. A die in the same place is the same one."""
        rest, away = list(loose), list[SeenDie]()
        for before in (d.seen for d in self._state.tray.all_dice):
            here = next((d for d in rest if is_near(before, d, SAME_PLACE_SIDES)), None)
            if here is not None:
                rest.remove(here)
            elif not any(tower.holds(before, self._size) for tower in self._seen):
                away.append(before)
        return Counter(map(self._as_die, away)) - Counter(map(self._as_die, rest))

    def _as_die(self, seen: SeenDie) -> Die:
        return as_die(seen, self._colours)

    def _placeable(self, loose: Sequence[SeenDie], gone: Counter[Die]) -> dict[Die, float]:
        """The dice that may have been put on a tower, with their weights. There are none during a throw."""
        if isinstance(self._prompt, Roll):
            return {}
        options = self._prompt.options if isinstance(self._prompt, Choose) else ()
        dice = [*(o.places.die for o in options if o.places), *gone]
        lying = set(map(self._as_die, loose))
        return {die: 1.0 if gone[die] else STILL_LYING if die in lying else NOT_SEEN for die in dice}

    def _followed(self, i: int, reading: TowerReading, loose: list[SeenDie]) -> TowerReading:
        """The reading of a tower that was pushed or set elsewhere, if it is found there."""
        if reading.sure or reading.best.kind in ("ahead", "placed", "lower"):
            return reading
        if reading.top is None and len(self._expected[i]) == 1:
            reading = TowerReading(_base_of(reading.tower), None)  # a fall took the base along
        known = {d.track for d in self._state.tray.all_dice} if reading.tower.height > 1 else set[int]()
        lay = [t.seen for t in self._event.tracks.dice if t.id in known]
        strange = [d for d in _standing(self._event) if d in loose and d not in lay]
        tower = followed(reading.tower, strange, self._colours)
        if tower is None:
            return reading
        top = tower.levels[-1]
        assert top is not None
        loose.remove(top)
        return read_tower(tower, self._expected[i], [top], {}, NOTHING_NEW, self._colours, self._size)

    def _used(self, reading: TowerReading, dice: Sequence[SeenDie]) -> list[SeenDie]:
        """The dice that belong to this tower: its top, and the sides of those below.

        During a throw, a strange die on top is a thrown one.
        """
        strange = isinstance(self._prompt, Roll) and reading.best.kind == "other"
        top = [] if strange or reading.top is None else [reading.top]
        return [*top, *(d for d in dice if d is not reading.top and not lies_beside(d, reading.top))]

    def _fall(
        self, towers: Sequence[TowerReading], used: Sequence[SeenDie]
    ) -> tuple[list[TowerReading], Fall | None, list[SeenDie]]:
        """The towers, the fall that this reading shows, and its dice, which are no dice of a throw."""
        if isinstance(self._prompt, Roll) and self._prompt.placed:
            return list(towers), None, []
        groups = self._prompt.dice if isinstance(self._prompt, Roll) else ()
        thrown = Counter({str(g.colour): g.count for g in groups})
        new = [
            NewDie(t.seen, self._as_die(t.seen), self._was_in_tower(t), t.id)
            for t in self._new_tracks
            if t.seen not in used
        ]
        seen = read_fall(towers, new, thrown)
        if seen is None:
            return list(towers), None, []
        return list(seen.towers), seen.fall, [d.seen for d in seen.fallen]

    def _was_in_tower(self, track: Track) -> bool:
        was = track.was
        return was is not None and any(tower.holds(was, self._size) for tower in self._seen)

    def _without(self, dice: Sequence[SeenDie]) -> TrayRead:
        """The event without these dice."""
        tracks, reading = self._event.tracks, self._event.reading
        tracks = replace(
            tracks,
            dice=tuple(t for t in tracks.dice if t.seen not in dice),
            outside=tuple(d for d in tracks.outside if d not in dice),
        )
        reading = replace(reading, dice=tuple(d for d in reading.dice if d not in dice))
        return replace(self._event, tracks=tracks, reading=reading)
