"""Which dice of a settled tray lie inside the tray, in its set-aside strip, or beside it."""

from __future__ import annotations

from dataclasses import replace

from vision.readings import Reading, SeenDie
from vision.tracking.tracks import LossReason, LostTrack, TrackOutcome, Tracks
from vision.tray.region import TrayRegion, Zone


def split_by_zone(reading: Reading, tracks: Tracks, region: TrayRegion) -> tuple[Reading, Tracks]:
    """The reading and the tracks of the dice in the tray. `tracks.outside` lists the dice beside it."""

    def zone_of(die: SeenDie) -> Zone:
        return _zone_of(die, reading.size_wh, region)

    zones = [(track, zone_of(track.seen)) for track in tracks.dice]
    inside = tuple(replace(t, aside=zone is Zone.ASIDE) for t, zone in zones if zone is not Zone.OUTSIDE)
    outside = [t for t, zone in zones if zone is Zone.OUTSIDE]
    now_outside = [LostTrack(t.id, t.was, _loss_reason(t.outcome)) for t in outside if t.was]
    lost = tuple(g for g in (*tracks.lost, *now_outside) if zone_of(g.was) is not Zone.OUTSIDE)
    tracks = replace(tracks, dice=inside, lost=lost, outside=tuple(t.seen for t in outside))
    return replace(reading, dice=tuple(t.seen for t in inside)), tracks


def dice_in_tray(reading: Reading, region: TrayRegion) -> Reading:
    """The reading without the dice that lie outside the tray."""
    dice = (die for die in reading.dice if _zone_of(die, reading.size_wh, region) is not Zone.OUTSIDE)
    return replace(reading, dice=tuple(dice))


def _zone_of(die: SeenDie, size_wh: tuple[int, int], region: TrayRegion) -> Zone:
    return region.zone_at(die.centre_xy, size_wh, die.side)


def _loss_reason(outcome: TrackOutcome) -> LossReason:
    """How a die that lies outside the tray now left it."""
    return LossReason.LIFTED if outcome is TrackOutcome.MOVED else LossReason.ROLLED_OUT
