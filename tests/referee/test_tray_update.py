"""Which known die each die of a settled tray is, and what became of it."""

from __future__ import annotations

from dataclasses import replace

from table.referee.tray import LyingDie, Tray
from table.referee.tray_update import GameOnTray, TrayUpdate, update_tray
from vision.readings import SeenDie
from vision.tracking.tracks import Track, TrackOutcome, Tracks


def seen(face: int, x: float) -> SeenDie:
    return SeenDie(face, "white", (x, 100.0, 40.0, 40.0), 0.999, True)


def tray(*dice: tuple[int, float]) -> Tray:
    """Dice that nobody has to decide about: their faces, and where they lie."""
    lying = tuple(LyingDie(i, i, seen(face, x), face) for i, (face, x) in enumerate(dice))
    return Tray(lying, next_id=len(lying))


def updated(before: Tray, *tracks: Track) -> TrayUpdate:
    return update_tray(before, Tracks(tracks), GameOnTray(matters=lambda die: True))


def moved(number: int, was: SeenDie, x: float, lifted: bool) -> Track:
    return Track(number, seen(was.face, x), TrackOutcome.MOVED, was, lifted)


def test_a_die_that_was_lifted_and_set_down_is_moved_while_nothing_is_thrown() -> None:
    before = tray((6, 100))
    update = updated(before, moved(0, before.lying[0].seen, 500, lifted=True))
    assert [(d.id, d.came) for d in update.tray.lying] == [(0, TrackOutcome.UNMOVED)]
    assert [d.id for d in update.moved] == [0]


def test_a_die_that_was_pushed_beside_a_throw_is_moved_and_a_lifted_one_is_in_doubt() -> None:
    before, thrown = tray((6, 100)), Track(7, seen(2, 300), TrackOutcome.THROWN)
    update = updated(before, moved(0, before.lying[0].seen, 500, lifted=False), thrown)
    assert [(d.id, d.came) for d in update.tray.lying] == [
        (0, TrackOutcome.UNMOVED),
        (1, TrackOutcome.THROWN),
    ]
    update = updated(before, moved(0, before.lying[0].seen, 500, lifted=True), thrown)
    assert [d.came for d in update.tray.lying] == [TrackOutcome.UNCLEAR, TrackOutcome.THROWN]


def test_a_die_that_was_picked_up_and_lies_in_its_place_again_beside_a_throw_is_in_doubt() -> None:
    """It fell where a die with its face lay. Beside no throw it was put back, or only hidden."""
    before = tray((6, 100))
    was = before.lying[0].seen
    before = replace(before, lying=(), lifted=before.lying)
    again, thrown = Track(0, was, TrackOutcome.UNMOVED, was), Track(7, seen(2, 300), TrackOutcome.THROWN)
    assert [(d.id, d.came) for d in updated(before, again).tray.lying] == [(0, TrackOutcome.UNMOVED)]
    update = updated(before, again, thrown)
    assert [d.came for d in update.tray.lying] == [TrackOutcome.UNCLEAR, TrackOutcome.THROWN]
    update = updated(tray((6, 100)), replace(again, lifted=True), thrown)
    assert [d.came for d in update.tray.lying] == [TrackOutcome.UNCLEAR, TrackOutcome.THROWN]


def test_dice_that_look_alike_are_the_nearest_after_nobody_could_see() -> None:
    before = tray((6, 100), (6, 300))
    found = (Track(8, seen(6, 240), TrackOutcome.UNOBSERVED), Track(9, seen(6, 160), TrackOutcome.UNOBSERVED))
    assert [d.id for d in updated(before, *found).tray.lying] == [1, 0]


def test_one_die_that_was_picked_up_is_not_put_back_twice() -> None:
    """A kept 6 was picked up and thrown, and two 6s were laid down: one of them lies as it lay."""
    before = tray((6, 100))
    thrown = Track(0, seen(2, 300), TrackOutcome.THROWN, before.lying[0].seen, lifted=True)
    laid = [Track(n, seen(6, x), TrackOutcome.PLACED) for n, x in ((8, 100), (9, 500))]
    update = updated(before, thrown, *laid)
    assert [(d.face, d.came) for d in update.tray.lying] == [
        (2, TrackOutcome.THROWN),
        (6, TrackOutcome.UNMOVED),
        (6, TrackOutcome.PLACED),
    ]
    assert len({d.id for d in update.tray.lying}) == 3


def test_what_is_unsure_and_appears_beside_a_throw_is_no_die_that_was_picked_up_for_it() -> None:
    """A printed figure is detected when dice rolled past it. Beside no throw, it may be that die."""
    before = tray((6, 100))
    before = replace(before, lying=(), lifted=before.lying)
    figure = replace(seen(3, 500), sure=False, confidence=0.5, likely=((3, 0.5), (6, 0.3)))
    found = Track(8, figure, TrackOutcome.UNOBSERVED)
    assert [d.id for d in updated(before, found).tray.lying] == [0]
    update = updated(before, found, Track(9, seen(2, 300), TrackOutcome.THROWN))
    assert [d.id for d in update.tray.lying] == [2, 1]
    assert [d.id for d in update.tray.lifted] == [0]
