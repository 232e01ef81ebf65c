"""Tracks guessed by place, for eyes that only read and do not follow: a die lies where one lay with the same face, or was thrown.

It stands in for what vision/tracks.py tells, and goes once every camera's dice are followed.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.referee.tray import LyingDie, Tray
from vision.reading import SeenDie
from vision.tracks import Fate, Gone, Leaving, Track, Tracks

SAME_PLACE = 0.2
"""Of a die's side: centres nearer than this are the same place. Boxes of a die at rest wander by under 0.1 of a side."""


def tracks_by_place(tray: Tray, dice: Sequence[SeenDie], came: Fate) -> Tracks:
    """How the dice may have come to lie there. came: what is taken to be the fate of those that lie where none lay."""
    known = {d.track: d for d in (*tray.lifted, *tray.lying, *tray.covered, *tray.no_dice)}
    new = max((*known, 0)) + 1
    tracks: list[Track] = []
    for i, die in enumerate(dice):
        lay = next((d for d in known.values() if _lies(d, die)), None)
        tracks.append(Track(known.pop(lay.track).track, die, Fate.LAY, lay.seen) if lay else Track(new + i, die, came))
    seen = {t.id for t in tracks}
    gone = tuple(Gone(d.track, d.seen, Leaving.LIFTED) for d in (*tray.lying, *tray.covered) if d.track not in seen)
    return Tracks(tuple(tracks), gone)


def _lies(was: LyingDie, now: SeenDie) -> bool:
    (ax, ay), (bx, by) = was.seen.centre_xy, now.centre_xy
    near = ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 <= SAME_PLACE * (was.seen.side + now.side) / 2
    return near and (now.face in (was.seen.face, was.face) or not (was.seen.sure and now.sure))
