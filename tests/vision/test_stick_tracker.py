"""Which sticks were thrown, from those that lay there before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.sticks import SIZE, coin, stick
from vision.reading.coin_finder import Disc
from vision.reading.enrolled_coins import quad_of
from vision.readings import SeenStick
from vision.settling.motion import SMALL_W
from vision.tracking.stick_tracker import StickTracker
from vision.tracking.stick_tracks import StickOutcome

LAY, MOVED, THROWN, UNCLEAR, FOUND = (
    StickOutcome.UNMOVED,
    StickOutcome.MOVED,
    StickOutcome.THROWN,
    StickOutcome.UNCLEAR,
    StickOutcome.UNOBSERVED,
)
FIRST = [
    stick("white", 100, 100, 10),
    stick("black", 300, 120, 80),
    stick("white", 200, 300, 140),
    stick("black", 420, 300, 45),
]
SECOND = [
    stick("black", 180, 90, 60),
    stick("white", 330, 220, 20),
    stick("white", 120, 380, 100),
    stick("white", 500, 150, 0),
]
EVERYWHERE = np.ones((SMALL_W * SIZE[1] // SIZE[0], SMALL_W), bool)


class Tray:
    """A tray of sticks that was seen empty first."""

    def __init__(self, *lying: SeenStick) -> None:
        self.tracker = StickTracker()
        self.tracker.settled((), SIZE)
        self.rests(*lying)

    def moves(self, *seen: SeenStick, hand: bool = False) -> None:
        self.tracker.update(seen, SIZE, EVERYWHERE if hand else None)

    def rests(self, *sticks: SeenStick, hand: bool = False) -> list[StickOutcome]:
        tracks = self.tracker.settled(sticks, SIZE, EVERYWHERE if hand else None)
        self.ids = [track.id for track in tracks.sticks]
        return [track.outcome for track in tracks.sticks]


def test_sticks_that_come_to_an_empty_tray_were_thrown() -> None:
    assert Tray().rests(*FIRST) == [THROWN] * 4


def test_sticks_that_lay_there_at_the_start_were_found() -> None:
    tracker = StickTracker()
    assert [t.outcome for t in tracker.settled(FIRST, SIZE).sticks] == [FOUND] * 4
    assert [t.outcome for t in tracker.settled(FIRST, SIZE).sticks] == [LAY] * 4


def test_sticks_that_lie_still_lie_still_whatever_they_are_read_as() -> None:
    tray = Tray(*FIRST)
    ids = tray.ids
    assert tray.rests(stick("black", 101, 101, 11), *FIRST[1:]) == [LAY] * 4
    assert tray.ids == ids


def test_sticks_that_were_picked_up_and_lie_elsewhere_were_thrown() -> None:
    tray = Tray(*FIRST)
    ids = tray.ids
    tray.moves()
    assert tray.rests(*SECOND) == [THROWN] * 4
    assert not set(ids) & set(tray.ids)


def test_sticks_in_the_fist_have_left_the_tray() -> None:
    tray = Tray(*FIRST)
    tray.moves(*SECOND[:2], hand=True)
    assert tray.rests(*SECOND) == [THROWN] * 4


def test_a_stick_that_falls_where_one_lay_is_asked_about() -> None:
    tray = Tray(*FIRST)
    tray.moves()
    assert tray.rests(FIRST[2], *SECOND[1:]) == [UNCLEAR, THROWN, THROWN, THROWN]


def test_a_thing_that_is_taken_for_a_stick_and_never_moves_does_not_hinder_a_throw() -> None:
    rim = stick("round", 320, 470, 0, length=300)
    tray = Tray(*FIRST, rim)
    ids = tray.ids
    tray.moves(rim)
    assert tray.rests(*SECOND, rim) == [THROWN, THROWN, THROWN, THROWN, LAY]
    assert tray.ids[-1] == ids[-1]


def test_a_stick_that_was_pushed_was_moved() -> None:
    tray = Tray(*FIRST)
    ids = tray.ids
    tray.moves(*FIRST[:3])
    assert tray.rests(*FIRST[:3], stick("black", 460, 320, 70)) == [LAY, LAY, LAY, MOVED]
    assert tray.ids == ids


def test_a_stick_that_was_pushed_while_a_hand_hid_all_was_moved() -> None:
    tray = Tray(*FIRST)
    tray.moves()
    assert tray.rests(*FIRST[:3], stick("black", 460, 320, 70)) == [LAY, LAY, LAY, MOVED]


def test_a_tray_that_was_shifted_moved_all_sticks() -> None:
    tray = Tray(*FIRST)
    tray.moves()
    shifted = [SeenStick(s.face, tuple((x + 40, y - 25) for x, y in s.quad), 0.99, True) for s in FIRST]  # type: ignore[arg-type]
    assert tray.rests(*shifted) == [MOVED] * 4


def test_sticks_that_changed_their_places_one_after_another_are_asked_about() -> None:
    tray = Tray(*FIRST)
    tray.moves(*FIRST[:3], SECOND[0])
    tray.moves(*FIRST[:1], *SECOND[:3])
    assert tray.rests(*SECOND) == [UNCLEAR] * 4


def test_sticks_that_lie_side_by_side_are_asked_about() -> None:
    tray = Tray(*FIRST)
    tray.moves()
    assert tray.rests(*(stick("white", 200 + n, 200 + 16 * n, 2 * n) for n in range(4))) == [UNCLEAR] * 4


def test_one_more_stick_beside_the_others_was_thrown() -> None:
    tray = Tray(*FIRST[:3])
    assert tray.rests(*FIRST) == [LAY, LAY, LAY, THROWN]


def test_a_stick_that_is_detected_again_lay_there() -> None:
    tray = Tray(*FIRST)
    assert tray.rests(*FIRST[1:]) == [LAY] * 3
    assert tray.rests(*FIRST) == [LAY] * 4


def test_sticks_that_an_arm_hid_lay_there() -> None:
    tray = Tray(*FIRST)
    ids = tray.ids
    assert tray.rests(hand=True) == []
    assert tray.rests(*FIRST) == [LAY] * 4
    assert tray.ids == ids


def test_sticks_that_came_while_nobody_could_see_were_found() -> None:
    tray = Tray(*FIRST)
    tray.tracker.mark_unseen()
    assert tray.rests(*SECOND) == [FOUND] * 4


def test_sticks_that_lie_there_still_after_nobody_could_see_lay_there() -> None:
    tray = Tray(*FIRST)
    tray.tracker.mark_unseen()
    assert tray.rests(*FIRST) == [LAY] * 4


def test_a_throw_after_nobody_could_see_counts() -> None:
    tray = Tray(*FIRST)
    tray.tracker.mark_unseen()
    tray.moves(*FIRST[:2])
    tray.moves()
    assert tray.rests(*SECOND) == [THROWN] * 4


COINS = [coin(120, 100), coin(300, 130, face="tails"), coin(200, 320), coin(440, 300)]
ELSEWHERE = [coin(180, 220), coin(360, 200, face="tails"), coin(90, 400), coin(520, 120)]


def test_coins_are_followed_as_sticks_are() -> None:
    tray = Tray(*COINS)
    assert tray.rests(*COINS) == [LAY] * 4
    tray.moves()
    assert tray.rests(*ELSEWHERE) == [THROWN] * 4


def test_a_coin_lies_still_whichever_side_of_its_box_is_longer() -> None:
    higher = [replace(c, quad=quad_of(Disc(c.centre_xy, (60.0, 60.4), 0.0, 1.0))) for c in COINS]
    assert Tray(*COINS).rests(*higher) == [LAY] * 4


def test_a_coin_that_was_pushed_was_moved() -> None:
    assert Tray(*COINS).rests(coin(150, 115), *COINS[1:]) == [MOVED, LAY, LAY, LAY]


def test_thrown_coins_in_a_row_were_thrown() -> None:
    tray = Tray(*COINS)
    tray.moves()
    assert tray.rests(*(coin(400, 80 + 90 * n) for n in range(4))) == [THROWN] * 4
