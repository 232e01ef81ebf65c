"""Readings and tracks with a known region of the tray: dice in it, set aside, and beside it."""

from __future__ import annotations

from vision.readings import Reading, SeenDie
from vision.tracking.tracks import LossReason, LostTrack, Track, TrackOutcome, Tracks
from vision.tray.region import TrayRegion
from vision.tray.zones import dice_in_tray, split_by_zone

SIZE_WH = (1000, 500)
REGION = TrayRegion(
    ((0.2, 0.1), (0.6, 0.1), (0.6, 0.9), (0.2, 0.9)), strip=((0.6, 0.1), (0.8, 0.1), (0.8, 0.9), (0.6, 0.9))
)
IN, ASIDE, BESIDE, FAR = 400.0, 700.0, 100.0, 950.0
"""Positions along the picture's width, px: in the throwing zone, in the strip, and beside the tray."""


def die(x: float, face: int = 3) -> SeenDie:
    return SeenDie(face, "red", (x - 20, 230.0, 40.0, 40.0), 0.99, True)


def split(*dice: Track, lost: tuple[LostTrack, ...] = ()) -> tuple[Reading, Tracks]:
    return split_by_zone(Reading(SIZE_WH, tuple(t.seen for t in dice)), Tracks(dice, lost), REGION)


def test_dice_in_the_tray_are_read_and_those_beside_it_are_only_listed() -> None:
    reading, tracks = split(
        *(Track(n, die(x), TrackOutcome.THROWN) for n, x in enumerate((BESIDE, IN, ASIDE, FAR)))
    )
    assert reading.dice == (die(IN), die(ASIDE))
    assert [(t.id, t.aside) for t in tracks.dice] == [(1, False), (2, True)]
    assert tracks.outside == (die(BESIDE), die(FAR))


def test_a_die_that_was_in_the_tray_and_lies_beside_it_has_left_it() -> None:
    pushed, rolled = (
        Track(1, die(BESIDE), TrackOutcome.MOVED, die(IN)),
        Track(2, die(FAR, 5), TrackOutcome.THROWN, die(ASIDE)),
    )
    _, tracks = split(pushed, rolled)
    assert tracks.dice == ()
    assert tracks.lost == (
        LostTrack(1, die(IN), LossReason.LIFTED),
        LostTrack(2, die(ASIDE), LossReason.ROLLED_OUT),
    )


def test_dice_that_come_and_go_beside_the_tray_leave_no_track() -> None:
    lay, lifted, covered = Track(1, die(BESIDE), TrackOutcome.UNMOVED, die(BESIDE)), die(FAR), die(IN)
    _, tracks = split(
        lay, lost=(LostTrack(2, lifted, LossReason.LIFTED), LostTrack(3, covered, LossReason.COVERED))
    )
    assert tracks.lost == (LostTrack(3, covered, LossReason.COVERED),)


def test_a_preview_has_only_the_dice_in_the_tray() -> None:
    seen = Reading(SIZE_WH, (die(BESIDE), die(IN), die(ASIDE), die(FAR)))
    assert dice_in_tray(seen, REGION).dice == (die(IN), die(ASIDE))
