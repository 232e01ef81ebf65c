"""The outcome of each track, from readings of dice in motion. Each test is an act of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import count

import numpy as np
import pytest

from vision.readings import Reading, SeenDie
from vision.settling.motion import SMALL_W, Mask
from vision.tracking.camera_shift import common_shift
from vision.tracking.likeness import shifted
from vision.tracking.outcomes import decide_outcomes
from vision.tracking.tracker import Tracker
from vision.tracking.tracklets import Observation, Tracklet
from vision.tracking.tracks import LossReason, Track, TrackOutcome, Tracks
from vision.tracking.tumbling import spins, tumble_evidence

SIZE = (800, 600)
SIDE = 40.0
STEP_S = 1 / 15


def die(
    face: int,
    x: float,
    y: float = 300,
    *,
    colour: str = "white",
    normal_xy: tuple[float, float] = (0.0, 0.0),
    sure: bool = True,
) -> SeenDie:
    box = (x - SIDE / 2, y - SIDE / 2, SIDE, SIDE)
    confidence = 0.999 if sure else 0.6
    return SeenDie(
        face,
        colour,
        box,
        confidence,
        sure,
        likely=((face, 0.6), (face % 6 + 1, 0.3)),
        normal_xy=normal_xy,
        normal_error=0.03,
    )


def hand_over(x0: float, x1: float, y0: float = 200, y1: float = 600) -> Mask:
    """The mask of a hand over this part of the picture, px."""
    scale = SMALL_W / SIZE[0]
    mask = np.zeros((120, SMALL_W), bool)
    mask[round(y0 * scale) : round(y1 * scale), round(x0 * scale) : round(x1 * scale)] = True
    return mask


class Tray:
    """Gives a tracker readings at fifteen a second, or every step_s seconds. dark: it was never visible."""

    def __init__(self, *dice: SeenDie, step_s: float = STEP_S, dark: bool = False) -> None:
        self.tracker, self.at_s, self._step_s = Tracker(), 0.0, step_s
        if dark:
            self.tracker.mark_blind()
        else:
            self.rests(*dice)

    def sees(self, *dice: SeenDie, hand: Mask | None = None) -> None:
        self.at_s += self._step_s
        self.tracker.add_hand_mask(hand, self.at_s)
        self.tracker.update(Reading(SIZE, dice), hand, self.at_s)

    def rests(self, *dice: SeenDie, hand: Mask | None = None, changed: Mask | None = None) -> Tracks:
        self.at_s += self._step_s
        return self.tracker.settled(Reading(SIZE, dice), hand, self.at_s, changed)

    def rolls(
        self, last: SeenDie, beside: Sequence[SeenDie] = (), faces: Sequence[int] = (2, 6, 3, 1)
    ) -> None:
        """A die comes from the right, tumbles, and slows down to its final place."""
        x, y = last.centre_xy
        for n, face in enumerate(faces):
            far = 60.0 * (len(faces) - n)
            self.sees(die(face, x + far, y, normal_xy=(0.5, 0.2), colour=last.colour), *beside)
        for _ in range(3):
            self.sees(last, *beside)


def outcomes(tracks: Tracks) -> list[TrackOutcome]:
    return [track.outcome for track in tracks.dice]


def test_dice_that_are_there_when_the_tracker_starts_are_found() -> None:
    tray = Tray()
    tray.tracker = Tracker()
    for _ in range(4):
        tray.sees(die(4, 200))
    assert outcomes(tray.rests(die(4, 200))) == [TrackOutcome.UNOBSERVED]


def test_a_die_that_rolls_in_and_tumbles_is_thrown() -> None:
    tray = Tray()
    tray.sees()
    tray.rolls(die(5, 200))
    assert outcomes(tray.rests(die(5, 200))) == [TrackOutcome.THROWN]


def test_a_die_beside_a_throw_lay() -> None:
    tray = Tray(die(4, 600))
    tray.rolls(die(5, 200), beside=[die(4, 600)])
    tracks = tray.rests(die(5, 200), die(4, 600))
    assert outcomes(tracks) == [TrackOutcome.THROWN, TrackOutcome.UNMOVED]


@pytest.mark.parametrize("sides", [1, 3, 9])
def test_a_die_slid_by_a_finger_keeps_its_track_however_far(sides: int) -> None:
    tray = Tray(die(5, 200))
    (before,) = tray.tracker._at_rest
    for n in range(sides * 2 + 1):
        tray.sees(die(5, 200 + SIDE * n / 2), hand=hand_over(190 + SIDE * n / 2, 240 + SIDE * n / 2, 315))
    tracks = tray.rests(die(5, 200 + sides * SIDE))
    assert outcomes(tracks) == [TrackOutcome.MOVED]
    assert tracks.dice[0].id == before.id


def test_a_die_pushed_under_a_hand_that_hides_it_all_the_way_is_moved() -> None:
    tray = Tray(die(5, 200))
    for n in range(10):
        tray.sees(hand=hand_over(100 + 40 * n, 320 + 40 * n))
    tray.sees(die(5, 560), hand=hand_over(620, 800))
    tray.sees(die(5, 560))
    assert outcomes(tray.rests(die(5, 560))) == [TrackOutcome.MOVED]


def test_a_die_pushed_by_a_finger_that_is_noticed_late_is_moved() -> None:
    tray = Tray(die(5, 200))
    tray.sees()
    tray.sees()
    for n in range(6):
        tray.sees(hand=hand_over(160 + 40 * n, 260 + 40 * n))
    tray.sees(die(5, 560))
    assert outcomes(tray.rests(die(5, 560))) == [TrackOutcome.MOVED]


def test_a_die_covered_and_uncovered_lay() -> None:
    tray = Tray(die(5, 200))
    for _ in range(8):
        tray.sees(hand=hand_over(100, 320))
    tray.sees(die(5, 200))
    assert outcomes(tray.rests(die(5, 200))) == [TrackOutcome.UNMOVED]


def test_a_die_turned_under_a_hand_is_turned() -> None:
    tray = Tray(die(5, 200))
    for _ in range(8):
        tray.sees(hand=hand_over(100, 320))
    tray.sees(die(6, 204))
    tracks = tray.rests(die(6, 204))
    assert outcomes(tracks) == [TrackOutcome.TURNED]
    assert tracks.dice[0].was is not None
    assert tracks.dice[0].was.face == 5


def test_a_die_lifted_and_laid_down_gently_is_laid() -> None:
    tray = Tray(die(5, 200))
    for _ in range(4):
        tray.sees(hand=hand_over(100, 320))
    for _ in range(4):
        tray.sees()
    for _ in range(4):
        tray.sees(hand=hand_over(500, 700))
    tray.sees(die(6, 600))
    assert outcomes(tray.rests(die(6, 600))) == [TrackOutcome.PLACED]


def test_a_die_picked_up_and_thrown_is_thrown_though_it_shows_its_earlier_face() -> None:
    tray = Tray(die(5, 200))
    for _ in range(6):
        tray.sees(hand=hand_over(100, 320))
    for _ in range(3):
        tray.sees()
    tray.rolls(die(5, 260))
    tracks = tray.rests(die(5, 260))
    assert outcomes(tracks) == [TrackOutcome.THROWN]
    assert [(lost.was.face, lost.reason) for lost in tracks.lost] == [(5, LossReason.LIFTED)]


def test_a_die_that_may_be_thrown_or_flicked_is_unclear() -> None:
    """It was under a hand, and then slid freely with its earlier face up. No tumbling was observed."""
    tray = Tray(die(5, 200))
    for _ in range(8):
        tray.sees(hand=hand_over(100, 320))
    for n in range(4):
        tray.sees(die(5, 400 + 30 * n), hand=hand_over(100, 250))
    tray.sees(die(5, 490))
    assert outcomes(tray.rests(die(5, 490))) == [TrackOutcome.UNCLEAR]


def test_a_die_that_slides_on_near_the_finger_that_hid_it_is_moved() -> None:
    tray = Tray(die(5, 200))
    for _ in range(8):
        tray.sees(hand=hand_over(140, 260))
    for x in (270, 290, 305, 312, 312):
        tray.sees(die(5, x))
    assert outcomes(tray.rests(die(5, 312))) == [TrackOutcome.MOVED]


@pytest.mark.parametrize("hidden", [1, 5])
def test_a_die_that_leaves_a_finger_at_once_is_flicked_and_moved(hidden: int) -> None:
    tray = Tray(die(5, 200))
    for _ in range(4):
        tray.sees(die(5, 202), hand=hand_over(190, 240, 315))
    for _ in range(hidden):
        tray.sees(hand=hand_over(190, 240, 315))
    for n in range(4):
        tray.sees(die(5, 400 + 30 * n), hand=hand_over(190, 240, 315))
    tray.sees(die(5, 490))
    assert outcomes(tray.rests(die(5, 490))) == [TrackOutcome.MOVED]


def test_a_die_that_rolls_over_a_small_figure_was_not_that_figure() -> None:
    figure = replace(die(3, 400, sure=False), box_xywh=(390, 290, 20, 20))
    tray = Tray(figure)
    tray.sees(figure)
    tray.rolls(die(5, 200))
    (track,) = tray.rests(die(5, 200)).dice
    assert (track.outcome, track.was) == (TrackOutcome.THROWN, None)


def test_a_die_that_is_flicked_out_of_sight_and_tips_over_is_not_thrown() -> None:
    """It lay there less than half a second ago: no hand takes and throws it so fast."""
    tray = Tray(die(5, 200))
    tray.sees(die(5, 200))
    for _ in range(5):
        tray.sees(hand=hand_over(140, 240))
    for face, x in ((3, 330), (6, 370), (2, 400), (2, 402)):
        tray.sees(die(face, x))
    assert outcomes(tray.rests(die(2, 402))) == [TrackOutcome.TIPPED]


def test_a_die_that_is_flicked_away_as_the_finger_leaves_the_picture_is_not_thrown() -> None:
    """For two pictures, neither the die nor the finger is detected."""
    tray = Tray(die(1, 470), die(4, 100))
    tray.sees(die(1, 465), die(4, 100))
    for hand in (hand_over(440, 640), hand_over(440, 640), None, None):
        tray.sees(die(4, 100), hand=hand)
    tray.sees(die(6, 387, normal_xy=(-0.3, 0.0)), die(4, 100))
    tray.sees(die(5, 362), die(4, 100))
    for _ in range(4):
        tray.sees(die(5, 354), die(4, 100))
    assert outcomes(tray.rests(die(5, 354), die(4, 100))) == [TrackOutcome.TIPPED, TrackOutcome.UNMOVED]


@pytest.mark.parametrize(("other_x", "outcome"), [(100, TrackOutcome.TIPPED), (80, TrackOutcome.THROWN)])
def test_a_die_that_is_out_of_sight_for_a_moment_as_it_tumbles_off_was_flicked_if_others_lie(
    other_x: float, outcome: TrackOutcome
) -> None:
    """The finger at the border is not detected. Somebody shook the tray if the other die moved as well."""
    tray = Tray(die(3, 260), die(5, 100))
    tray.sees(die(3, 260), die(5, 100))
    tray.sees(die(5, other_x))
    for face, x in ((6, 340), (4, 390), (4, 415)):
        tray.sees(die(face, x, sure=False, normal_xy=(0.4, 0.2)), die(5, other_x))
    for _ in range(4):
        tray.sees(die(4, 430), die(5, other_x))
    assert outcomes(tray.rests(die(4, 430), die(5, other_x)))[0] is outcome


def test_a_die_that_lies_still_again_at_once_was_in_no_hand() -> None:
    """The finger that flicked it hid it for more than half a second, but it lies still a moment later."""
    tray = Tray(die(4, 200))
    for _ in range(8):
        tray.sees(hand=hand_over(100, 260))
    tray.sees(die(5, 330, normal_xy=(-0.6, 0.0)))
    for _ in range(6):
        tray.sees(die(3, 340))
    assert outcomes(tray.rests(die(3, 340))) == [TrackOutcome.TIPPED]


@pytest.mark.parametrize("seen_at", [(200,), (196,), (185, 186, 199)])
def test_a_die_that_a_finger_flicks_far_is_not_thrown(seen_at: tuple[float, ...]) -> None:
    """It is too fast to be seen on its way. The finger hides a part of it before."""
    tray = Tray(die(5, 200))
    for x in seen_at:
        tray.sees(die(5, x, sure=x > 190), hand=hand_over(100, 240))
    for _ in range(2):
        tray.sees(hand=hand_over(100, 240))
    for face, x in ((3, 560), (6, 600), (2, 640), (2, 642)):
        tray.sees(die(face, x, normal_xy=(0.5, 0.2) if x < 640 else (0.0, 0.0)))
    assert outcomes(tray.rests(die(2, 642))) == [TrackOutcome.TIPPED]


@pytest.mark.parametrize(("shown", "outcome"), [(2, TrackOutcome.TIPPED), (5, TrackOutcome.MOVED)])
def test_a_die_that_a_finger_flicks_in_view_is_not_thrown(shown: int, outcome: TrackOutcome) -> None:
    """It is seen all the way, tumbles, and lies still so soon that no hand can have thrown it."""
    tray = Tray(die(5, 200))
    for x in (200, 204, 215):
        tray.sees(die(5, x), hand=hand_over(100, 240))
    for n, face in enumerate((5, 3, 1, shown)):
        tilt = (0.4, 0.2) if n < 3 else (0.0, 0.0)
        tray.sees(die(face, 270 + 40 * n, normal_xy=tilt), hand=hand_over(100, 180))
    tray.sees(die(shown, 390))
    assert outcomes(tray.rests(die(shown, 390))) == [outcome]


def test_a_die_that_a_flicked_one_knocks_over_is_not_thrown_though_each_is_taken_for_the_other() -> None:
    """In the moment of the hit, the flicked die is detected nearer to the place of the one it hits."""
    red, blue = partial(die, colour="red"), partial(die, colour="blue")
    tray = Tray(blue(3, 200), red(3, 500))
    tray.sees(blue(3, 200), red(3, 500), hand=hand_over(480, 640))
    tray.sees(blue(5, 196, sure=False), red(3, 250, sure=False), hand=hand_over(240, 640))
    tray.sees(blue(6, 120, sure=False), red(2, 190, 330, sure=False), hand=hand_over(180, 640))
    tray.sees(blue(5, 100, sure=False), red(2, 180, 380), hand=hand_over(180, 640))
    for _ in range(4):
        tray.sees(blue(5, 84), red(3, 160, 420))
    assert outcomes(tray.rests(blue(5, 84), red(3, 160, 420))) == [TrackOutcome.TIPPED, TrackOutcome.MOVED]


def test_a_die_under_a_hand_that_knocks_its_neighbour_over_is_asked_about() -> None:
    """The neighbour was not turned by hand: it tumbles as it slides off from under the hand."""
    tray = Tray(die(5, 200), step_s=0.1)
    tray.sees(die(5, 200), hand=hand_over(120, 215))
    tray.sees(die(5, 199, sure=False), hand=hand_over(120, 215))
    tray.sees(die(3, 160), die(5, 216, sure=False, normal_xy=(0.5, 0.3)), hand=hand_over(120, 175))
    for _ in range(3):
        tray.sees(die(3, 160), die(1, 242))
    tracks = tray.rests(die(3, 160), die(1, 242))
    assert outcomes(tracks) == [TrackOutcome.UNCLEAR, TrackOutcome.TIPPED]


def test_a_die_that_lay_there_and_falls_over_beside_one_that_a_hand_hid_may_have_been_hit() -> None:
    """The hand hid the one that was thrown until the other lay at its side, still tilted."""
    tray = Tray(die(1, 250))
    tray.sees(die(1, 250), hand=hand_over(230, 400))
    tray.sees(die(1, 246), hand=hand_over(230, 400))
    tray.sees(die(1, 235), hand=hand_over(200, 400))
    tray.sees(die(3, 236), die(1, 286, 312, sure=False), hand=hand_over(225, 400))
    tilted = die(1, 290, 308, normal_xy=(0.4, 0.3))
    tray.sees(die(3, 235), tilted)
    for _ in range(5):
        tray.sees(die(3, 235), die(2, 291, 308))
    tracks = tray.rests(die(3, 235), die(2, 291, 308))
    assert outcomes(tracks) == [TrackOutcome.UNCLEAR, TrackOutcome.TIPPED]


def test_a_die_that_slips_out_from_between_fingers_is_asked_about() -> None:
    """Fingers turned it where it lay, until it shot out. It is seen only as it comes to rest."""
    tray = Tray(die(4, 200))
    for _ in range(14):
        tray.sees(hand=hand_over(100, 240))
    tray.sees(die(2, 300), hand=hand_over(100, 240))
    tray.sees(die(2, 311), hand=hand_over(40, 140))
    for _ in range(3):
        tray.sees(die(2, 311))
    tracks = tray.rests(die(2, 311))
    assert [(t.outcome.name, t.was and t.was.face) for t in tracks.dice] == [("UNCLEAR", 4)]
    assert tracks.lost == ()


def test_a_die_that_something_hides_in_part_before_it_is_flicked_is_moved() -> None:
    """Its normal is wrong while only a part of it is seen."""
    tray = Tray(die(5, 200))
    for x in (200, 200, 200, 200, 215):
        tray.sees(die(2, x, sure=False, normal_xy=(-0.3, 0.1)))
    for x in (230, 260, 290, 300, 300):
        tray.sees(die(5, x))
    assert outcomes(tray.rests(die(5, 300))) == [TrackOutcome.MOVED]


def test_a_die_that_is_there_in_the_first_picture_is_found_though_a_hand_hides_a_part_of_it_later() -> None:
    tray = Tray(die(3, 700))
    tray.sees(die(3, 700), die(4, 200))
    for x in (204, 198, 204):
        tray.sees(die(3, 700), die(2, x, sure=False), hand=hand_over(150, 250))
    for _ in range(3):
        tray.sees(die(3, 700), die(4, 200))
    assert outcomes(tray.rests(die(3, 700), die(4, 200))) == [TrackOutcome.UNMOVED, TrackOutcome.UNOBSERVED]


@pytest.mark.parametrize(
    ("face", "colour", "side"), [(4, "white", SIDE), (5, "white", 1.1 * SIDE), (5, "green", SIDE)]
)
def test_a_die_that_lands_on_another_is_thrown(face: int, colour: str, side: float) -> None:
    tray = Tray(die(5, 200))
    for rolling, x in ((3, 380), (2, 320), (6, 260)):
        tray.sees(die(5, 200), die(rolling, x, normal_xy=(0.4, 0.3)))
    on_top = replace(die(face, 202, colour=colour), box_xywh=(202 - side / 2, 300 - side / 2, side, side))
    for _ in range(3):
        tray.sees(on_top)
    tracks = tray.rests(on_top)
    assert outcomes(tracks) == [TrackOutcome.THROWN]
    assert [lost.was.face for lost in tracks.lost] == [5]


@pytest.mark.parametrize(("side", "outcome"), [(44, TrackOutcome.UNCLEAR), (40, TrackOutcome.UNMOVED)])
def test_a_die_that_flies_too_fast_onto_another_is_asked_about(side: float, outcome: TrackOutcome) -> None:
    """It is detected once on its way. What lies there then shows another face, and is larger."""
    tray = Tray(die(2, 200))
    tray.sees(die(2, 200), die(2, 700, sure=False))
    for _ in range(9):
        tray.sees(die(2, 200))
    on_top = sized(die(3, 204), side)
    for _ in range(4):
        tray.sees(on_top)
    assert outcomes(tray.rests(on_top)) == [outcome]


@pytest.mark.parametrize("face", [1, 3])
def test_a_die_on_a_printed_circle_does_not_roll_while_the_table_trembles(face: int) -> None:
    """Its box has the circle in it now and then."""
    tray = Tray(die(1, 200), die(4, 500))
    alone = sized(die(1, 200, 304), 36)
    with_circle = replace(sized(die(face, 200, 295), 46), normal_xy=(0.1, 0.5))
    for n in range(24):
        tray.sees(*((with_circle, die(4, 506)) if n % 3 == 0 else (alone, die(4, 500))))
    assert outcomes(tray.rests(die(1, 200), die(4, 500))) == [TrackOutcome.UNMOVED, TrackOutcome.UNMOVED]


def test_a_die_that_climbs_slowly_onto_another_is_thrown() -> None:
    tray = Tray(die(5, 200))
    for rolling, x in ((3, 330), (2, 270), (6, 236), (4, 233)):
        tray.sees(die(5, 200), die(rolling, x, normal_xy=(0.4, 0.3)))
    on_top = replace(die(3, 204), box_xywh=(204 - 23, 300 - 23, 46, 46))
    for _ in range(3):
        tray.sees(on_top)
    assert outcomes(tray.rests(on_top)) == [TrackOutcome.THROWN]


def test_a_die_that_comes_to_rest_leaning_on_another_did_not_land_on_it() -> None:
    """It shows two faces, and is detected now and then; the other seems larger with its side beside it."""
    lies, wider = die(3, 600, 290), sized(die(3, 597, 291), 43)
    tray = Tray(lies)
    for n, face in enumerate((2, 4, 6, 5, 4, 2)):
        tray.sees(lies, die(face, 300 + 45 * n, 296, normal_xy=(0.5, 0.2)))
    for x in (556, 562, 563):
        tray.sees(lies, die(6, x, 296, normal_xy=(0.4, 0.1)))
    for _ in range(2):
        tray.sees(wider)
        tray.sees(lies, die(6, 563, 297, sure=False))
    tray.sees(wider)
    assert outcomes(tray.rests(wider)) == [TrackOutcome.UNMOVED]


def test_a_die_that_lands_on_another_and_shows_its_face_is_thrown() -> None:
    """The two look alike but for the moment of landing."""
    tray = Tray(die(5, 200))
    for rolling, x in ((3, 380), (2, 320), (6, 260)):
        tray.sees(die(5, 200), die(rolling, x, normal_xy=(0.4, 0.3)))
    tray.sees(replace(die(5, 200), box_xywh=(200 - 23, 293 - 23, 46, 46)))
    for _ in range(2):
        tray.sees(die(5, 200))
    assert outcomes(tray.rests(die(5, 200))) == [TrackOutcome.THROWN]


def track_after_meeting(old: Sequence[SeenDie | None], new: Sequence[SeenDie | None]) -> Track:
    """The track of a new tracklet, where that of a die that lay there ended: what each showed, reading by
    reading; None: nothing."""
    lay, came = (
        Tracklet([Observation(n * STEP_S, seen) for n, seen in enumerate(dice) if seen])
        for dice in (old, new)
    )
    lay.track, lay.missing = Track(3, lay.observations[0].seen, TrackOutcome.UNMOVED), True
    (track,) = decide_outcomes([came], [lay], [], count(7))
    return track


@pytest.mark.parametrize(("side", "outcome"), [(45, TrackOutcome.THROWN), (40, TrackOutcome.UNMOVED)])
def test_a_die_that_lands_on_another_and_goes_on_in_its_tracklet_is_thrown_if_it_is_larger(
    side: float, outcome: TrackOutcome
) -> None:
    """As it landed, it was taken for the one below for a moment. It comes to show that one's face."""
    below, end = die(3, 200), sized(die(3, 200), side)
    rolling = [die(face, x) for face, x in ((1, 440), (6, 380), (1, 320), (6, 260))]
    landing = [sized(die(5, x), 48) for x in (214, 206)]
    old, new = [*[below] * 4, *landing], [*rolling, None, None, *[end] * 4]
    track = track_after_meeting(old, new)
    assert track.outcome is outcome


def test_a_die_that_rolls_over_another_and_off_the_tray_leaves_it_where_it_lay() -> None:
    """Their tracklets change places as they meet."""
    below, tilted = die(3, 200), partial(die, normal_xy=(0.4, 0.3))
    rolling = [tilted(face, x) for face, x in ((1, 440), (6, 380), (1, 320), (6, 260))]
    old, new = (
        [*[below] * 5, tilted(5, 214), tilted(1, 150)],
        [*rolling, *[None] * 3, *[below] * 4],
    )
    track = track_after_meeting(old, new)
    assert (track.id, track.outcome) == (3, TrackOutcome.UNMOVED)


def test_a_die_that_a_hand_moved_beside_another_does_not_land_on_it() -> None:
    """It came to light under the hand, and its tracklet ended beside a die that slid a little."""
    tray = Tray(die(5, 200))
    for _ in range(4):
        tray.sees(die(5, 200), hand=hand_over(150, 320))
    for x in (232, 232, 240):
        tray.sees(die(5, 200), die(3, x))
    for _ in range(4):
        tray.sees(die(5, 205))
    assert outcomes(tray.rests(die(5, 205))) == [TrackOutcome.UNMOVED]


def test_a_die_that_lands_on_one_that_a_hand_touched_before_is_thrown() -> None:
    tray = Tray(die(5, 200))
    for _ in range(3):
        tray.sees(die(5, 200), hand=hand_over(140, 180))
    for rolling, x in ((3, 380), (2, 320), (6, 260)):
        tray.sees(die(5, 200), die(rolling, x, normal_xy=(0.4, 0.3)))
    for _ in range(3):
        tray.sees(die(4, 204))
    assert outcomes(tray.rests(die(4, 204))) == [TrackOutcome.THROWN]


def test_a_die_that_rolls_to_another_and_off_the_tray_leaves_it_where_it_lay() -> None:
    tray = Tray(die(5, 200))
    for rolling, x in ((3, 380), (2, 320), (6, 260)):
        tray.sees(die(5, 200), die(rolling, x, normal_xy=(0.4, 0.3)))
    for _ in range(3):
        tray.sees(die(5, 200))
    assert outcomes(tray.rests(die(5, 200))) == [TrackOutcome.UNMOVED]


def test_two_dice_that_change_places_for_the_tracker_under_a_hand_are_no_throw() -> None:
    """The hand hides the 4 where it lies, and at that moment lets go of the 5 beside it."""
    tray, hand = Tray(die(4, 300), die(5, 600, 500)), hand_over(560, 640, 460)
    for _ in range(4):
        tray.sees(die(4, 300), hand=hand)
    tray.sees(die(4, 300), hand=hand_over(200, 330, 220))
    tray.sees(replace(die(2, 270, 330, sure=False), confidence=0.3), hand=hand_over(200, 330, 220))
    for _ in range(4):
        tray.sees(die(4, 301), die(5, 270, 331))
    tracks = tray.rests(die(4, 301), die(5, 270, 331))
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, TrackOutcome.MOVED]
    assert not tracks.lost


def test_a_die_knocked_by_one_that_rolls_in_is_moved() -> None:
    tray = Tray(die(4, 200))
    tray.sees(die(2, 440, normal_xy=(0.5, 0.1)), die(4, 200))
    tray.sees(die(6, 300, normal_xy=(0.4, 0.3)), die(4, 200))
    tray.sees(die(3, 250, normal_xy=(0.2, 0.5)), die(4, 180))
    tray.sees(die(1, 245), die(4, 150))
    tracks = tray.rests(die(1, 245), die(4, 140))
    assert outcomes(tracks) == [TrackOutcome.THROWN, TrackOutcome.MOVED]


def test_a_die_that_lies_where_it_lay_when_the_hand_leaves_is_knocked_and_not_thrown() -> None:
    """The hand that throws another one over it hid it for a second."""
    tray = Tray(die(4, 200))
    for _ in range(15):
        tray.sees(hand=hand_over(100, 700))
    tray.sees(die(6, 340, normal_xy=(0.4, 0.3)), die(4, 200))
    tray.sees(die(3, 250, normal_xy=(0.2, 0.5)), die(4, 200))
    tray.sees(die(1, 245), die(4, 150))
    tray.sees(die(1, 245), die(4, 110))
    for _ in range(3):
        tray.sees(die(1, 245), die(4, 90))
    tracks = tray.rests(die(1, 245), die(4, 90))
    assert outcomes(tracks) == [TrackOutcome.THROWN, TrackOutcome.MOVED]


def test_what_shows_of_a_die_under_the_flicking_hand_is_not_the_flicked_die() -> None:
    """The flicked die hits the rim, rolls back under the finger and shows another face."""
    lies, hand = die(3, 240, 420), hand_over(200, 340, 300, 600)
    tray = Tray(die(6, 300), lies)
    tray.sees(die(6, 300), hand=hand)
    tray.sees(die(6, 300, sure=False), replace(die(2, 246, 424), box_xywh=(232, 410, 28, 28)), hand=hand)
    tray.sees(die(6, 330, 270), hand=hand_over(200, 360, 250, 600))
    tray.sees(hand=hand_over(200, 380, 250, 600))
    tray.sees(die(4, 336, 310, sure=False), hand=hand_over(200, 380, 250, 600))
    tray.sees(die(5, 340, 314), lies)
    for _ in range(3):
        tray.sees(die(5, 352, 318), lies)
    tracks = tray.rests(die(5, 352, 318), lies)
    assert outcomes(tracks) == [TrackOutcome.TIPPED, TrackOutcome.UNMOVED]


def test_what_shows_of_a_white_die_as_a_hand_leaves_is_not_the_blue_one_beside_it() -> None:
    """Somebody tidied up, and put the blue die beside the white one."""
    lies, tidied = die(3, 240, 420), die(5, 198, 351, colour="blue")
    tray = Tray(lies, die(5, 500, 420, colour="blue"))
    for _ in range(30):
        tray.sees(hand=hand_over(100, 600, 300, 600))
    tray.sees(die(2, 244, 420, sure=False), hand=hand_over(0, 100, 300, 600))
    for _ in range(4):
        tray.sees(lies, tidied)
    assert outcomes(tray.rests(lies, tidied)) == [TrackOutcome.UNMOVED, TrackOutcome.MOVED]


def test_a_die_that_is_pushed_into_the_place_of_another_is_told_from_it_by_its_colour() -> None:
    """The other one was last read in motion, not surely; its colour was sure before."""
    white, blue = die(1, 230), die(3, 150, colour="blue")
    tray, hand = Tray(white, blue), hand_over(0, 160)
    for x in (160, 180):
        tray.sees(white, die(3, x, colour="blue"), hand=hand)
    tray.sees(die(3, 236, sure=False), hand=hand)
    for _ in range(4):
        tray.sees(die(1, 271), die(3, 230, colour="blue"), hand=hand)
    tracks = tray.rests(die(1, 271), die(3, 230, colour="blue"))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.MOVED]
    assert [t.was and t.was.colour for t in tracks.dice] == ["white", "blue"]


def test_a_die_that_slides_off_as_one_of_another_colour_takes_its_place_is_not_thrown() -> None:
    """A finger flicks the white die, which hits the blue one. Its tracklet goes on with the white one."""
    blue, flicked = die(1, 300, colour="blue"), die(4, 140)
    tray = Tray(flicked, blue)
    for _ in range(2):
        tray.sees(flicked, blue, hand=hand_over(60, 150))
    tray.sees(die(2, 306, 270, normal_xy=(0.4, -0.2)), die(1, 360, colour="blue"), hand=hand_over(60, 150))
    tray.sees(die(3, 330, 250, normal_xy=(0.3, 0.3)), die(1, 420, colour="blue"))
    for _ in range(3):
        tray.sees(die(2, 340, 250), die(1, 430, colour="blue"))
    tracks = tray.rests(die(2, 340, 250), die(1, 430, colour="blue"))
    assert outcomes(tracks) == [TrackOutcome.TIPPED, TrackOutcome.MOVED]


def test_two_dice_that_hit_each_other_keep_their_tracks() -> None:
    """The rolling die pushes the 2 on and stops at its place: each lies where the other was expected."""
    lay = die(2, 317, 275)
    tray = Tray(lay)
    tray.sees(die(5, 520, 440, normal_xy=(0.5, 0.1)), lay)
    tray.sees(die(4, 436, 380, normal_xy=(0.4, 0.3)), lay)
    tray.sees(die(4, 353, 320, normal_xy=(0.4, 0.3), sure=False), lay)
    tray.sees(die(2, 292, 257), die(5, 320, 298, normal_xy=(0.3, 0.2), sure=False))
    for _ in range(3):
        tray.sees(die(2, 284, 248), die(6, 314, 280))
    tracks = tray.rests(die(2, 284, 248), die(6, 314, 280))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.THROWN]


def test_a_die_knocked_over_by_a_throw_is_tipped_and_no_throw() -> None:
    tray = Tray(die(4, 200))
    tray.sees(die(2, 440, normal_xy=(0.5, 0.1)), die(4, 200))
    tray.sees(die(6, 300, normal_xy=(0.4, 0.3)), die(4, 200))
    tray.sees(die(3, 250, normal_xy=(0.2, 0.5)), die(4, 180, normal_xy=(-0.6, 0.0)))
    tray.sees(die(1, 245), die(2, 150))
    tracks = tray.rests(die(1, 245), die(2, 140))
    assert outcomes(tracks) == [TrackOutcome.THROWN, TrackOutcome.TIPPED]


def test_a_die_that_stood_on_edge_and_tips_over_is_tipped() -> None:
    tray = Tray(die(4, 200, normal_xy=(0.5, 0.0)))
    tray.sees(die(4, 210, normal_xy=(0.6, 0.0)))
    tray.sees(die(6, 230))
    assert outcomes(tray.rests(die(6, 232))) == [TrackOutcome.TIPPED]


def test_dice_that_hop_and_tumble_with_no_hand_in_the_picture_are_thrown_from_where_they_lay() -> None:
    tray = Tray(die(4, 200), die(5, 500))
    for n, (a, b) in enumerate([(4, 5), (1, 5), (6, 5), (3, 5), (3, 5)]):
        tray.sees(die(a, 200 + 40 * n, normal_xy=(0.5, 0.1)), die(b, 500, 300 + 30 * n, normal_xy=(0.1, 0.5)))
    end = die(3, 360), die(5, 500, 420)
    tray.sees(*end)
    tracks = tray.rests(*end)
    assert outcomes(tracks) == [TrackOutcome.THROWN, TrackOutcome.THROWN]
    assert [track.was.face for track in tracks.dice if track.was] == [4, 5]


@pytest.mark.parametrize("face", [3, 4])
def test_a_die_that_rolls_off_alone_beside_one_that_lies_still_was_flicked(face: int) -> None:
    """The finger at the border of the picture is not detected. No die came that could have hit it."""
    tray = Tray(die(4, 200), die(5, 500))
    for n, shown in enumerate([4, 6, 1, face, face]):
        tray.sees(die(shown, 200 + 40 * n, normal_xy=(0.5, 0.1) if n < 3 else (0, 0)), die(5, 500))
    end = die(face, 360), die(5, 500)
    tray.sees(*end)
    outcome = TrackOutcome.MOVED if face == 4 else TrackOutcome.TIPPED
    assert outcomes(tray.rests(*end)) == [outcome, TrackOutcome.UNMOVED]


def test_a_die_that_a_fingertip_hides_in_part_and_pushes_is_moved() -> None:
    """The fingertip is taken for no hand. What shows of the die looks like another face, tilted."""
    tray = Tray(die(4, 200))
    part = die(2, 204, normal_xy=(0.3, -0.3), sure=False)
    for _ in range(6):
        tray.sees(part)
    for n in range(1, 7):
        tray.sees(replace(part, box_xywh=(184 + 30 * n, 280, 40, 40), normal_xy=(0.25, -0.35)))
    for _ in range(2):
        tray.sees(die(4, 384))
    assert outcomes(tray.rests(die(4, 384))) == [TrackOutcome.MOVED]


@pytest.mark.parametrize("sides", [0.3, 0.7, 3.0])
def test_dice_lay_when_the_camera_is_bumped(sides: float) -> None:
    lay = [die(2, 200), die(4, 300, 200), die(6, 500)]
    tray = Tray(*lay)
    shifted = [die(d.face, d.centre_xy[0] + sides * SIDE, d.centre_xy[1] - sides * SIDE / 2) for d in lay]
    for _ in range(4):
        tray.sees(*shifted)
    tracks = tray.rests(*shifted)
    assert outcomes(tracks) == [TrackOutcome.UNMOVED] * 3
    assert tracks.camera_moved


def test_a_misread_die_that_nobody_touched_lay() -> None:
    tray = Tray(die(4, 200))
    tray.sees(die(4, 200))
    tray.sees(die(6, 200))
    assert outcomes(tray.rests(die(6, 200))) == [TrackOutcome.UNMOVED]


@pytest.mark.parametrize(("lies", "outcome"), [(True, "UNOBSERVED"), (False, "THROWN")])
def test_dice_that_came_while_the_tray_was_not_visible_do_not_count_unless_all_tumble_afterwards(
    lies: bool, outcome: str
) -> None:
    tray, beside = Tray(die(4, 200), die(5, 500)), [die(5, 500), *[die(6, 700)] * lies]
    tray.tracker.mark_blind()
    tray.rolls(die(3, 260), beside=beside)
    tracks = tray.rests(die(3, 260), *beside)
    assert [o.name for o in outcomes(tracks)] == [outcome, "UNMOVED", *[outcome] * lies]
    assert [lost.reason for lost in tracks.lost] == [LossReason.UNSEEN]


def blinded(*dice: SeenDie) -> Tray:
    """A tray that was not visible for a while, and is again."""
    tray = Tray(*dice)
    tray.tracker.mark_blind()
    return tray


@pytest.mark.parametrize(("x", "outcome"), [(330, "THROWN"), (600, "UNOBSERVED")])
def test_a_die_that_another_rolls_over_when_the_tray_is_visible_again_came_with_it(
    x: float, outcome: str
) -> None:
    """It is seen only when the other has rolled on. One that appears elsewhere may have lain there."""
    tray = blinded(die(4, 100))
    tray.sees(die(4, 100))
    for n, face in enumerate((2, 6, 3, 1)):
        hidden = [die(5, x)] * (n > 2)
        tray.sees(die(4, 100), die(face, 500 - 60 * n, normal_xy=(0.5, 0.2)), *hidden)
    for _ in range(3):
        tray.sees(die(4, 100), die(1, 280), die(5, x))
    ended = tray.rests(die(4, 100), die(1, 280), die(5, x))
    assert [o.name for o in outcomes(ended)] == ["UNMOVED", outcome, outcome]


@pytest.mark.parametrize(("first_x", "outcome"), [(420, "THROWN"), (405, "UNOBSERVED")])
def test_a_die_that_comes_out_of_a_bunch_in_motion_when_the_tray_is_visible_again_came_with_it(
    first_x: float, outcome: str
) -> None:
    """The tray was never at rest before: the first dice of an evening fall on black felt, in the dark."""
    tray = Tray(dark=True)
    for n, face in enumerate((2, 6, 3)):
        tray.sees(die(face, 500 - 40 * n, normal_xy=(0.5, 0.2)))
    for n, x in enumerate((first_x, 405, 405, 405)):
        tray.sees(die(1, 385 - 5 * min(n, 1)), die(5, x, 345))
    assert [o.name for o in outcomes(tray.rests(die(1, 380), die(5, 405, 345)))] == [outcome] * 2


def test_a_kept_die_that_a_throw_knocks_when_the_tray_is_visible_again_is_not_thrown() -> None:
    tray = blinded(die(4, 500))
    for _ in range(3):
        tray.sees(die(4, 500))
    for x, face, kept_x in ((700, 2, 500), (620, 6, 500), (556, 3, 470), (556, 3, 455)):
        tray.sees(die(face, x, normal_xy=(0.5, 0.0)), die(4, kept_x))
    for _ in range(3):
        tray.sees(die(3, 556), die(4, 455))
    assert outcomes(tray.rests(die(3, 556), die(4, 455))) == [TrackOutcome.UNOBSERVED] * 2


def test_dice_that_the_camera_shifts_when_the_tray_is_visible_again_are_not_thrown() -> None:
    dice = (die(4, 200), die(2, 400), die(6, 600, 150))
    tray = blinded(*dice)
    for n, dx in enumerate((0, 20, 45, 60, 60, 60)):
        first, *others = (shifted(each, (dx, 0)) for each in dice)
        tray.sees(replace(first, face=1, normal_xy=(0.4, 0.0)) if n == 1 else first, *others)
    ended = tray.rests(*(shifted(each, (60, 0)) for each in dice))
    assert outcomes(ended) == [TrackOutcome.UNOBSERVED] * 3


def test_a_die_laid_unseen_and_flicked_when_the_tray_is_visible_again_is_not_thrown() -> None:
    tray = blinded(die(4, 200))
    for x, face in ((600, 1), (600, 1), (600, 1), (560, 2), (520, 5), (500, 5), (500, 5)):
        tray.sees(die(4, 200), die(face, x))
    ended = tray.rests(die(4, 200), die(5, 500))
    assert outcomes(ended) == [TrackOutcome.UNMOVED, TrackOutcome.UNOBSERVED]


def test_a_die_that_lies_there_when_the_tray_is_visible_again_does_not_count() -> None:
    tray = Tray(die(4, 200))
    tray.tracker.mark_blind()
    for _ in range(4):
        tray.sees(die(3, 260))
    assert outcomes(tray.rests(die(3, 260))) == [TrackOutcome.UNOBSERVED]


@pytest.mark.parametrize(("aside", "outcome"), [(0, "UNOBSERVED"), (50, "THROWN")])
def test_a_die_that_a_pushed_camera_brings_into_the_picture_shifts_with_the_one_that_lay_there(
    aside: int, outcome: str
) -> None:
    tray = Tray(die(4, 400))
    for n, y in enumerate((540, 500, 440, 400, 390)):
        tray.sees(die(4, 400, y - 250), die(1, 600 + aside * n, y, sure=n > 0))
    for _ in range(3):
        tray.sees(die(4, 400, 140), die(1, 600 + 4 * aside, 390))
    tracks = tray.rests(die(4, 400, 140), die(1, 600 + 4 * aside, 390))
    assert [o.name for o in outcomes(tracks)] == ["MOVED", outcome]


def test_a_die_that_rolls_in_beside_one_that_it_knocks_is_thrown_while_another_lies_still() -> None:
    still = die(4, 100)
    tray = Tray(still, die(4, 400))
    for n, y in enumerate((540, 500, 440, 400, 390)):
        tray.sees(still, die(4, 400, y - 250), die(1, 600, y, sure=n > 0))
    for _ in range(3):
        tray.sees(still, die(4, 400, 140), die(1, 600, 390))
    tracks = tray.rests(still, die(4, 400, 140), die(1, 600, 390))
    assert [o.name for o in outcomes(tracks)] == ["UNMOVED", "MOVED", "THROWN"]


def test_a_slow_die_that_rolls_in_and_shoves_the_only_other_one_is_thrown() -> None:
    """Neither of them moves far in one step, so that each step fits a pushed camera."""
    tray = Tray(die(3, 286, 253))
    for n, (x, face) in enumerate(((388, 3), (375, 6), (359, 4), (342, 4), (334, 1), (328, 1))):
        tray.sees(die(3, 286, 253), die(face, x, 259, sure=n > 1, normal_xy=(0.4 / (n + 1), 0.0)))
    for x, y in ((278, 244), (266, 233), (256, 225), (249, 218), (244, 212)):
        tray.sees(die(3, x, y), die(1, 324, 259))
    for _ in range(3):
        tray.sees(die(3, 241, 209), die(1, 324, 259))
    tracks = tray.rests(die(3, 241, 209), die(1, 324, 259))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.THROWN]


def test_a_die_that_rolls_a_little_does_not_shift_with_one_that_lies_still() -> None:
    tray = Tray(die(4, 400))
    tray.sees(die(4, 400))
    for x, face in ((650, 2), (630, 6), (615, 1), (608, 3)):
        tray.sees(die(4, 400), die(face, x, normal_xy=(0.5, 0.2)))
    for _ in range(3):
        tray.sees(die(4, 400), die(3, 608))
    tracks = tray.rests(die(4, 400), die(3, 608))
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN]


def test_a_thrown_die_that_a_hand_covers_before_the_tray_settles_is_the_same_die_afterwards() -> None:
    """A lamp that flickers keeps the tray from settling."""
    tray = Tray()
    tray.sees()
    tray.rolls(die(5, 200), faces=(2, 6, 3, 1))
    tray.rolls(die(1, 500), beside=[die(5, 200)])
    for _ in range(20):
        tray.sees(die(5, 200), hand=hand_over(400, 600))
    for _ in range(3):
        tray.sees(die(5, 200), die(1, 500))
    tracks = tray.rests(die(5, 200), die(1, 500))
    assert outcomes(tracks) == [TrackOutcome.THROWN, TrackOutcome.THROWN]


def test_a_die_beside_the_place_of_one_of_another_colour_was_not_turned() -> None:
    tray, hand = Tray(die(3, 300, colour="purple"), die(6, 600)), hand_over(200, 360)
    for _ in range(4):
        tray.sees(die(6, 600), hand=hand)
    for _ in range(4):
        tray.sees(die(1, 330, colour="red"), die(6, 600), hand=hand)
    tracks = tray.rests(die(1, 330, colour="red"), die(6, 600))
    assert outcomes(tracks) == [TrackOutcome.PLACED, TrackOutcome.UNMOVED]


def test_a_die_that_is_thrown_was_not_the_printed_figure_that_flickers_just_then() -> None:
    figure = die(4, 600, 100, sure=False)
    tray = Tray(figure)
    tray.sees(figure)
    for x in (370, 390, 400, 400, 400):
        tray.sees(die(4, x), figure)
    assert outcomes(tray.rests(die(4, 400))) == [TrackOutcome.THROWN]


def test_a_die_that_is_there_after_a_gap_is_found() -> None:
    tray = Tray()
    tray.sees()
    tray.tracker.mark_gap()
    for _ in range(4):
        tray.sees(die(3, 260))
    assert outcomes(tray.rests(die(3, 260))) == [TrackOutcome.UNOBSERVED]


@pytest.mark.parametrize(("hand", "outcome"), [(True, TrackOutcome.THROWN), (False, TrackOutcome.UNOBSERVED)])
def test_a_die_that_leaves_a_hand_in_the_first_picture_after_rest_is_thrown(
    hand: bool, outcome: TrackOutcome
) -> None:
    """A busy computer saw no picture in between. With no hand there, it may have lain there undetected."""
    lies = die(6, 100)
    tray = Tray(lies)
    tray.sees(lies, die(6, 575, sure=False), hand=hand_over(540, 660) if hand else None)
    for _ in range(3):
        tray.sees(lies, die(5, 500))
    assert outcomes(tray.rests(lies, die(5, 500))) == [TrackOutcome.UNMOVED, outcome]


def test_a_second_reading_of_a_tray_that_did_not_move_changes_no_track() -> None:
    tray = Tray()
    tray.rolls(die(5, 200))
    first = tray.rests(die(5, 200))
    again = tray.rests(die(6, 202), die(1, 500))
    assert [t.id for t in again.dice][:1] == [t.id for t in first.dice]
    # the second die lay there too, and was not detected before
    assert outcomes(again) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN]


def test_a_die_that_a_pushed_camera_brings_into_the_picture_was_not_thrown() -> None:
    tray = Tray(die(2, 300), die(4, 500))
    for _ in range(3):
        tray.sees(die(2, 200), die(4, 400), die(6, 740))
    tracks = tray.rests(die(2, 200), die(4, 400), die(6, 740))
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, TrackOutcome.UNMOVED, TrackOutcome.UNOBSERVED]
    assert tracks.camera_moved


def test_dice_that_shift_in_different_directions_have_no_common_shift() -> None:
    lay = [die(2, 200), die(4, 300), die(6, 500)]
    apart = [die(2, 220), die(4, 280), die(6, 560)]
    assert common_shift(lay, apart, SIZE) is None
    alike = [shifted(d, (30.0, 0.0)) for d in lay]
    assert common_shift(lay, alike, SIZE) == (30.0, 0.0)


def test_a_camera_that_shifts_half_of_the_dice_out_of_the_picture_was_pushed() -> None:
    lay = [die(2, 200), die(4, 300), die(6, 500), die(1, 60), die(3, 80, 400)]
    kept = [shifted(d, (-90.0, 10.0)) for d in lay[:3]]
    tray = Tray(*lay)
    for _ in range(4):
        tray.sees(*kept)
    tracks = tray.rests(*kept)
    assert tracks.camera_moved
    assert outcomes(tracks) == [TrackOutcome.UNMOVED] * 3


def test_a_die_that_falls_tumbling_out_of_a_hand_that_stays_over_it_is_thrown() -> None:
    tray = Tray(die(5, 200))
    for _ in range(9):
        tray.sees(hand=hand_over(100, 320))
    for n, face in enumerate((2, 6, 6)):
        tray.sees(die(face, 580 + 10 * n), hand=hand_over(500, 700))
    tray.sees(die(6, 600))
    assert outcomes(tray.rests(die(6, 600))) == [TrackOutcome.THROWN]


def test_a_die_that_lies_there_when_the_tracker_starts_is_found_though_a_hand_seems_to_touch_it() -> None:
    """A large lamp that blinks beside it looks like a hand."""
    tray = Tray()
    tray.tracker = Tracker()
    for n in range(6):
        tray.sees(die(4, 200), hand=hand_over(225, 400) if n % 2 else None)
    assert outcomes(tray.rests(die(4, 200))) == [TrackOutcome.UNOBSERVED]


def test_an_unsure_die_that_the_very_first_reading_misses_is_found() -> None:
    tray = Tray()
    tray.tracker = Tracker()
    tray.sees()
    for _ in range(4):
        tray.sees(die(3, 200, sure=False))
    assert outcomes(tray.rests(die(3, 200, sure=False))) == [TrackOutcome.UNOBSERVED]


def test_a_die_turned_by_fingers_that_hide_it_for_a_moment_is_turned() -> None:
    """It is hidden for a third of a second, and seems tilted between the fingers."""
    tray = Tray(die(3, 200))
    for _ in range(5):
        tray.sees(hand=hand_over(150, 320))
    for _ in range(4):
        tray.sees(die(1, 195, normal_xy=(0.5, 0.2)))
    for _ in range(3):
        tray.sees(die(1, 200))
    assert outcomes(tray.rests(die(1, 200))) == [TrackOutcome.TURNED]


def test_a_laid_die_that_is_mistaken_for_another_under_the_hand_for_a_moment_does_not_spin() -> None:
    tray, hand = Tray(), hand_over(250, 450)
    tray.sees()
    for seen in (die(4, 300), die(5, 360, 250), die(4, 302), die(4, 302)):
        tray.sees(seen, hand=hand)
    for _ in range(3):
        tray.sees(die(4, 302))
    assert outcomes(tray.rests(die(4, 302))) == [TrackOutcome.PLACED]


def test_a_die_that_is_laid_down_and_half_hidden_by_the_fingers_does_not_spin() -> None:
    tray, hand = Tray(), hand_over(100, 500)
    half = replace(die(3, 390, 292), box_xywh=(376, 278, 28, 28))
    for _ in range(3):
        tray.sees(hand=hand)
    for seen in (half, half, half, die(6, 400)):
        tray.sees(seen, hand=hand)
    for _ in range(3):
        tray.sees(die(6, 400))
    assert outcomes(tray.rests(die(6, 400))) == [TrackOutcome.PLACED]


def test_dice_that_a_tidying_hand_shuffles_are_moved() -> None:
    """The tracklet of the 1 goes on in the 2, whose own is lost, and the 1 comes back as if it were new."""
    tray, hand = Tray(die(1, 200), die(2, 300)), hand_over(150, 360)
    for _ in range(10):
        tray.sees(hand=hand)
    smeared = replace(die(2, 216, sure=False), confidence=0.3)
    for seen in (die(1, 210), smeared, *(die(2, x, x + 100) for x in (222, 260, 300, 340, 360))):
        tray.sees(seen, hand=hand_over(0, 100))
    for _ in range(3):
        tray.sees(die(2, 360, 460), die(1, 250, 250))
    tracks = tray.rests(die(2, 360, 460), die(1, 250, 250))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.MOVED]
    assert [t.was and t.was.face for t in tracks.dice] == [2, 1]


@pytest.mark.parametrize(
    ("x", "face", "outcome"), [(222, 3, "MOVED"), (222, 4, "THROWN"), (300, 3, "UNCLEAR"), (300, 4, "THROWN")]
)
def test_a_die_that_was_hidden_lay_a_little_beside_its_place(x: float, face: int, outcome: str) -> None:
    """A fingertip at the rim covers it and moves it a little, and is too small to be seen as a hand."""
    tray = Tray(die(3, 200), die(1, 500))
    for _ in range(5):
        tray.sees(die(1, 500))
    assert [g.was.face for g in tray.rests(die(1, 500)).lost] == [3]
    for _ in range(3):
        tray.sees(die(1, 500))
    for _ in range(3):
        tray.sees(die(face, x), die(1, 500))
    tracks = tray.rests(die(face, x), die(1, 500))
    assert [each.name for each in outcomes(tracks)] == [outcome, "UNMOVED"]


@pytest.mark.parametrize(("last_face", "outcome"), [(6, "MOVED"), (5, "THROWN")])
def test_dice_that_a_hand_takes_up_and_lays_elsewhere_are_moved_if_they_show_what_they_showed(
    last_face: int, outcome: str
) -> None:
    """In the last picture with the hand in it, it is no longer where the dice lie."""
    tray = Tray(die(1, 200), die(3, 300), die(6, 400))
    for _ in range(6):
        tray.sees(hand=hand_over(150, 460))
    for _ in range(6):
        tray.sees()
    laid = (die(1, 560, 150), die(3, 640, 150), die(last_face, 720, 150))
    for _ in range(3):
        tray.sees(*laid)
    assert [each.name for each in outcomes(tray.rests(*laid))] == [outcome] * 3


def test_many_dice_that_a_hand_tidies_are_moved_though_one_slides_on() -> None:
    """The hand lets go of it as it slides, and together they show the same faces."""
    tray = Tray(die(1, 200), die(3, 300), die(6, 400), die(5, 500))
    for _ in range(6):
        tray.sees(hand=hand_over(150, 560))
    for _ in range(6):
        tray.sees()
    laid = (die(1, 600, 150), die(3, 660, 150), die(6, 720, 150), die(5, 560, 220))
    tray.sees(laid[0], die(3, 640, 150), *laid[2:], hand=hand_over(500, 600, 100, 260))
    for _ in range(3):
        tray.sees(*laid)
    assert outcomes(tray.rests(*laid)) == [TrackOutcome.MOVED] * 4


@pytest.mark.parametrize("readings", [1, 18])
@pytest.mark.parametrize(("step", "outcome"), [(10, "THROWN"), (0, "UNCLEAR")])
def test_dice_that_come_from_under_a_hand_at_once_are_thrown_if_one_still_moves(
    step: float, outcome: str, readings: int
) -> None:
    tray = Tray()
    for _ in range(readings):
        tray.sees(hand=hand_over(100, 700, 240, 360))
    tray.sees(die(6, 200 - step), die(2, 400), die(3, 600), hand=hand_over(0, 60))
    for _ in range(3):
        tray.sees(die(6, 200), die(2, 400), die(3, 600))
    tracks = tray.rests(die(6, 200), die(2, 400), die(3, 600))
    assert outcomes(tracks) == [TrackOutcome[outcome]] * 3


def test_a_die_that_another_pushed_die_slides_is_moved_though_one_reading_is_smeared() -> None:
    """A tidying hand hid it before."""
    tray = Tray(die(1, 300))
    for _ in range(12):
        tray.sees(hand=hand_over(200, 420))
    for seen in (die(1, 302), die(3, 312), die(1, 340), die(1, 350)):
        tray.sees(seen, hand=hand_over(100, 180))
    for _ in range(3):
        tray.sees(die(1, 350))
    assert outcomes(tray.rests(die(1, 350))) == [TrackOutcome.MOVED]


def test_a_die_that_a_finger_flicks_so_that_it_tips_over_is_not_thrown() -> None:
    """It is not detected for a moment, and looks grey while it moves."""
    tray = Tray(die(4, 200))
    for _ in range(2):
        tray.sees(die(4, 200), hand=hand_over(120, 180))
    for _ in range(2):
        tray.sees(hand=hand_over(120, 180))
    for x, tilt in ((330, 0.4), (350, 0.4), (356, 0.0), (356, 0.0)):
        tray.sees(die(6, x, normal_xy=(tilt, 0.0), colour="grey"), hand=hand_over(120, 180))
    for _ in range(3):
        tray.sees(die(6, 356))
    assert outcomes(tray.rests(die(6, 356))) == [TrackOutcome.TIPPED]


def test_a_flicked_die_that_takes_the_place_of_one_it_knocks_over_is_known_by_its_colour() -> None:
    """Both showed a 4, and the flicked one lies where the other lay."""
    white, green = die(4, 400, 240), die(4, 430, 320, colour="green")
    tray = Tray(white, green)
    for _ in range(3):
        tray.sees(white, green, hand=hand_over(340, 400, 150, 240))
    tray.sees(die(4, 422, 310), die(6, 446, 340, colour="green", sure=False, normal_xy=(0.5, 0.3)))
    for _ in range(4):
        tray.sees(die(4, 422, 310), die(1, 450, 346, colour="green"))
    ended = tray.rests(die(4, 422, 310), die(1, 450, 346, colour="green"))
    assert [(t.outcome.name, t.was and t.was.colour) for t in ended.dice] == [
        ("MOVED", "white"),
        ("TIPPED", "green"),
    ]
    assert ended.lost == ()


def test_a_finger_that_flicks_a_die_knocks_another_over_and_throws_none() -> None:
    """It hides the one beside it for a moment, and the flicked one is too fast to be seen at first."""
    red, white = die(2, 500, 200, colour="red"), die(5, 440)
    tray, finger = Tray(red, white), hand_over(420, 540, 150, 330)
    tray.sees(red, white, hand=finger)
    for _ in range(3):
        tray.sees(hand=finger)
    for n, face in enumerate((6, 2, 4, 4, 4)):
        x = (498, 513, 518, 521, 521)[n]
        knocked = die(3, x, 170, colour="red", normal_xy=(0.3, 0.0) if n < 2 else (0, 0))
        flicked = die(face, max(230 - 30 * n, 170), normal_xy=(0.5, 0.2) if n < 2 else (0, 0))
        tray.sees(knocked, flicked, hand=finger if n < 2 else None)
    for _ in range(3):
        tray.sees(die(3, 521, 170, colour="red"), die(4, 170))
    ended = tray.rests(die(3, 521, 170, colour="red"), die(4, 170))
    assert outcomes(ended) == [TrackOutcome.TIPPED, TrackOutcome.TIPPED]


def test_no_die_jumps_to_one_of_another_colour() -> None:
    """A tidying hand hides the white die just when it lets go of the green one."""
    tray = Tray(die(2, 200, colour="white"), die(2, 300, colour="red"), die(2, 600, colour="green"))
    for _ in range(4):
        tray.sees(hand=hand_over(150, 700))
    for _ in range(8):
        tray.sees()
    for x in (310, 310, 310, 317):
        tray.sees(die(2, x, colour="white"), hand=hand_over(250, 370))
    for _ in range(4):
        tray.sees(die(2, 420, colour="green"), hand=hand_over(250, 370))
    tidied = (die(2, 310, colour="white"), die(2, 360, colour="red"), die(2, 420, colour="green"))
    for _ in range(3):
        tray.sees(*tidied, hand=hand_over(290, 370))
    for _ in range(3):
        tray.sees(*tidied)
    assert outcomes(tray.rests(*tidied)) == [TrackOutcome.MOVED] * 3


@pytest.mark.parametrize("finger", [False, True])
def test_a_die_that_slides_into_other_light_keeps_its_track(finger: bool) -> None:
    tray = Tray(die(2, 200, colour="green"))
    for x in (200, 200, 200, 215, 235, 250, 265, 285, 300, 300, 300):
        pushed = hand_over(x - 10, x + 15, 315) if finger else None
        tray.sees(die(2, x, colour="green" if x < 260 else "yellow"), hand=pushed)
    for _ in range(3):
        tray.sees(die(2, 300, colour="yellow"))
    ended = tray.rests(die(2, 300, colour="yellow"))
    assert [(track.id, track.outcome) for track in ended.dice] == [(0, TrackOutcome.MOVED)]


def test_a_die_thrown_beside_an_arm_that_hides_another_is_not_that_one() -> None:
    tray, arm = Tray(die(4, 200)), hand_over(150, 260)
    for _ in range(8):
        tray.sees(hand=arm)
    for x, face in ((620, 2), (600, 6), (600, 6), (600, 6)):
        tray.sees(die(face, x, normal_xy=(0.5, 0.0) if face == 2 else (0.0, 0.0)), hand=arm)
    tray.at_s += STEP_S
    ended = tray.tracker.settled(Reading(SIZE, (die(6, 600),)), arm, tray.at_s)
    assert outcomes(ended) == [TrackOutcome.THROWN]
    assert [lost.reason for lost in ended.lost] == [LossReason.COVERED]


def test_a_die_that_a_hand_pushes_is_the_one_that_lay_there_though_a_knuckle_was_read_before() -> None:
    tray = Tray(die(4, 300))
    for x in (420, 380):
        tray.sees(die(4, 300), die(2, x, sure=False), hand=hand_over(x - 40, 600))
    for x in (340, 360, 380, 400):
        tray.sees(die(4, x, sure=False), hand=hand_over(310, 600))
    for x in (415, 440, 445, 445):
        tray.sees(die(4, x))
    assert outcomes(tray.rests(die(4, 445))) == [TrackOutcome.MOVED]


def test_what_a_die_showed_before_a_hand_held_it_is_no_tumble() -> None:
    """A tidying hand moves it, and its tracklet began at the die beside it."""
    tray, hand = Tray(die(6, 100, colour="blue")), hand_over(250, 450)
    tray.sees(hand=hand_over(20, 200))
    tray.sees(die(4, 300))
    for x in (302, 304, 310):
        tray.sees(die(4, x), hand=hand)
    for _ in range(4):
        tray.sees(hand=hand)
    for _ in range(3):
        tray.sees(die(3, 316))
    assert outcomes(tray.rests(die(3, 316))) == [TrackOutcome.PLACED]


def knocks(tray: Tray, hand: Mask, gap: float, beside: Sequence[SeenDie] = ()) -> Tracks:
    """A 1 comes to rest under a hand, and the 3 that lay `gap` px from it slides off."""
    for _ in range(4):
        tray.sees(die(3, 300), *beside, hand=hand)
    for n in range(4):
        tray.sees(die(3, 300 + 12 * n), die(1, 300 - gap), *beside, hand=hand)
    for _ in range(3):
        tray.sees(die(3, 336), die(1, 300 - gap), *beside)
    return tray.rests(die(3, 336), die(1, 300 - gap), *beside)


def test_a_die_that_hits_another_as_a_hand_uncovers_it_is_thrown() -> None:
    tray = Tray(die(3, 300))
    assert outcomes(knocks(tray, hand_over(100, 275), gap=42)) == [TrackOutcome.MOVED, TrackOutcome.THROWN]


def test_a_die_that_hits_another_is_thrown_though_a_hand_had_pushed_a_third_one() -> None:
    """That one is there again, so that the die that seems to be new is new."""
    tray, pushed = Tray(die(3, 300), die(5, 600)), die(5, 720)
    for _ in range(6):
        tray.sees(die(3, 300), hand=hand_over(560, 700))
    tray.sees(die(3, 300), pushed, hand=hand_over(560, 640))
    tracks = knocks(tray, hand_over(100, 275), gap=42, beside=(pushed,))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.THROWN, TrackOutcome.MOVED]


def test_a_die_that_a_hand_lays_down_far_from_one_that_slides_is_laid() -> None:
    tray = Tray(die(3, 300))
    assert outcomes(knocks(tray, hand_over(50, 200), gap=150)) == [TrackOutcome.MOVED, TrackOutcome.PLACED]


@pytest.mark.parametrize(("hidden_s", "outcome"), [(1.0, "UNCLEAR"), (0.2, "PLACED")])
def test_two_dice_that_one_hand_hid_for_long_may_have_been_thrown(hidden_s: float, outcome: str) -> None:
    tray, hand = Tray(), hand_over(180, 620)
    tray.sees()
    for _ in range(round(hidden_s / STEP_S)):
        tray.sees(hand=hand)
    for _ in range(6):
        tray.sees(die(4, 200), hand=hand)
    for _ in range(3):
        tray.sees(die(4, 200), die(2, 600))
    assert outcomes(tray.rests(die(4, 200), die(2, 600))) == [TrackOutcome[outcome]] * 2


def test_a_figure_that_flickers_is_not_thrown_when_it_is_taken_for_a_die_later() -> None:
    tray, figure = Tray(die(4, 200)), die(3, 600, sure=False)
    for n in range(12):
        tray.sees(die(4, 200), *([figure] if n % 2 else []))
    assert outcomes(tray.rests(die(4, 200))) == [TrackOutcome.UNMOVED]
    tray.rolls(die(5, 400), beside=[die(4, 200)])
    tray.sees(die(5, 400), die(4, 200), figure)
    assert outcomes(tray.rests(die(5, 400), die(4, 200), figure)) == [
        TrackOutcome.THROWN,
        TrackOutcome.UNMOVED,
        TrackOutcome.UNOBSERVED,
    ]


def test_a_touched_die_that_another_knocks_over_one_edge_was_not_turned_by_hand() -> None:
    tray = Tray(die(5, 300))
    for _ in range(3):
        tray.sees(die(5, 300), hand=hand_over(320, 420))
    for x, face in ((300, 5), (316, 5), (330, 6), (336, 6)):
        tray.sees(die(face, x))
    assert outcomes(tray.rests(die(6, 336))) == [TrackOutcome.TIPPED]


def test_a_die_that_lands_beside_the_place_from_which_it_was_lifted_is_another_track() -> None:
    tray = Tray(die(4, 200), die(6, 600))
    for _ in range(4):
        tray.sees(die(6, 600), hand=hand_over(100, 320))
    for _ in range(8):
        tray.sees(die(6, 600))
    for _ in range(4):
        tray.sees(die(4, 200 + 0.25 * SIDE), die(6, 600))
    tracks = tray.rests(die(4, 200 + 0.25 * SIDE), die(6, 600))
    assert tracks.dice[0].lifted
    assert tracks.dice[0].outcome is not TrackOutcome.UNMOVED


def test_a_die_that_rolls_in_while_the_tracker_starts_is_thrown() -> None:
    tray = Tray()
    for n in range(5):
        tray.sees(die(6, 400 - 40 * n))
    for _ in range(3):
        tray.sees(die(6, 240))
    assert outcomes(tray.rests(die(6, 240))) == [TrackOutcome.THROWN]


def test_a_die_of_a_throw_that_shows_its_earlier_face_is_thrown_with_the_others() -> None:
    """It left the hand and was detected on its way, but no reading shows it tumbling."""
    tray = Tray(die(3, 200), die(6, 300))
    for _ in range(9):
        tray.sees(hand=hand_over(100, 420))
    for n, face in enumerate((2, 6, 5, 1)):
        tray.sees(
            die(face, 400 + 60 * n, 450, normal_xy=(0.5, 0.2)),
            die(3, 500 + 20 * n, 200),
            hand=hand_over(100, 380),
        )
    for _ in range(3):
        tray.sees(die(1, 580, 450), die(3, 560, 200))
    assert outcomes(tray.rests(die(1, 580, 450), die(3, 560, 200))) == [
        TrackOutcome.THROWN,
        TrackOutcome.THROWN,
    ]


def test_dice_under_the_hand_that_threw_them_are_thrown_with_those_beside_it() -> None:
    """The hand stays, and hides so much of one die that it seems to move for a second."""
    tray, hand = Tray(), hand_over(280, 420)
    tray.sees(hand=hand)
    for n, face in enumerate((2, 6, 3)):
        tray.sees(die(face, 420 + 60 * n, 450, normal_xy=(0.5, 0.2)), hand=hand)
    tray.sees(die(1, 580, 450), die(4, 350), hand=hand)
    for n in range(15):
        tray.sees(die(1, 580, 450), die(4, 350 + 12 * (n % 2)), hand=hand)
    for _ in range(3):
        tray.sees(die(1, 580, 450), die(4, 350))
    assert outcomes(tray.rests(die(1, 580, 450), die(4, 350))) == [TrackOutcome.THROWN, TrackOutcome.THROWN]


def throw_with_a_die_under_the_hand(tray: Tray, hand: Mask, hand_stays_s: float) -> Tracks:
    """A hand throws a 5, stays where it is, and then uncovers a 3."""
    for last_x, face in ((420, 6), (360, 2), (300, 1)):
        tray.sees(die(face, last_x, normal_xy=(0.5, 0.2)), hand=hand)
    for _ in range(round(hand_stays_s / STEP_S)):
        tray.sees(die(5, 200), hand=hand)
    for _ in range(3):
        tray.sees(die(5, 200), die(3, 600))
    return tray.rests(die(5, 200), die(3, 600))


def test_a_die_hidden_by_the_hand_that_stays_after_its_throw_is_thrown_with_the_others() -> None:
    tray, hand = Tray(), hand_over(520, 700)
    tray.sees(hand=hand)
    assert (
        outcomes(throw_with_a_die_under_the_hand(tray, hand, hand_stays_s=1.5)) == [TrackOutcome.THROWN] * 2
    )


def test_a_die_laid_down_by_a_hand_that_comes_after_the_throw_is_laid() -> None:
    tray, elsewhere = Tray(), hand_over(700, 800, 0, 100)
    for last_x, face in ((420, 6), (360, 2), (300, 1)):
        tray.sees(die(face, last_x, normal_xy=(0.5, 0.2)), hand=elsewhere)
    for _ in range(10):
        tray.sees(die(5, 200), hand=elsewhere)
    for _ in range(6):
        tray.sees(die(5, 200), hand=hand_over(520, 700))
    for _ in range(3):
        tray.sees(die(5, 200), die(3, 600))
    assert outcomes(tray.rests(die(5, 200), die(3, 600))) == [TrackOutcome.THROWN, TrackOutcome.PLACED]


def test_a_die_that_a_hand_uncovers_long_after_the_throw_is_asked_about() -> None:
    tray, hand = Tray(), hand_over(520, 700)
    tray.sees(hand=hand)
    assert outcomes(throw_with_a_die_under_the_hand(tray, hand, hand_stays_s=3.5)) == [
        TrackOutcome.THROWN,
        TrackOutcome.UNCLEAR,
    ]


@pytest.mark.parametrize(("stays_s", "outcome"), [(0.6, TrackOutcome.PLACED), (1.2, TrackOutcome.UNCLEAR)])
def test_a_die_that_a_hand_uncovers_may_have_rolled_under_it_if_it_rested_there(
    stays_s: float, outcome: TrackOutcome
) -> None:
    tray = Tray(die(3, 700))
    for _ in range(round(stays_s / STEP_S)):
        tray.sees(die(3, 700), hand=hand_over(200, 500))
    for _ in range(4):
        tray.sees(die(3, 700), die(6, 400), hand=hand_over(150, 300))
    assert outcomes(tray.rests(die(3, 700), die(6, 400))) == [TrackOutcome.UNMOVED, outcome]


def test_two_dice_that_a_hand_pushed_past_one_another_are_moved() -> None:
    """Their tracklets are swapped: each die ends nearer to where the other lay."""
    tray = Tray(die(5, 200), die(6, 260))
    for _ in range(6):
        tray.sees(hand=hand_over(100, 360))
    tray.sees(die(6, 204), die(5, 264))
    tracks = tray.rests(die(6, 204), die(5, 264))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.MOVED]
    assert [(t.was.face if t.was else 0) for t in tracks.dice] == [6, 5]


def test_a_die_moved_into_the_shade_is_moved() -> None:
    tray = Tray(die(3, 100))
    for n in range(8):
        tray.sees(hand=hand_over(50 + 60 * n, 150 + 60 * n))
    tray.sees(die(3, 560, colour="grey"))
    assert outcomes(tray.rests(die(3, 560, colour="grey"))) == [TrackOutcome.MOVED]


def test_a_die_that_flies_past_another_does_not_take_its_track() -> None:
    """The die at rest is read as yellow and as orange in turns, under the same lamp."""
    tray = Tray(die(2, 400, 200, colour="yellow"))
    for n, colour in enumerate(("orange", "yellow", "orange", "yellow", "yellow")):
        flying = die(6 if n < 3 else 4, 340 + 30 * n, 190 + 40 * n, colour="yellow", normal_xy=(0.3, -0.3))
        tray.sees(flying, die(2, 400, 200, colour=colour))
    for _ in range(3):
        tray.sees(die(4, 460, 350, colour="yellow"), die(2, 400, 200, colour="yellow"))
    tracks = tray.rests(die(4, 460, 350, colour="yellow"), die(2, 400, 200, colour="yellow"))
    assert outcomes(tracks) == [TrackOutcome.THROWN, TrackOutcome.UNMOVED]


def test_dice_that_are_there_at_once_when_a_cup_is_lifted_are_unclear() -> None:
    tray = Tray()
    for _ in range(9):
        tray.sees(hand=hand_over(300, 600))
    tray.sees(die(3, 400), die(6, 500))
    assert outcomes(tray.rests(die(3, 400), die(6, 500))) == [TrackOutcome.UNCLEAR, TrackOutcome.UNCLEAR]


@pytest.mark.parametrize(("rests", "outcome"), [(True, TrackOutcome.UNCLEAR), (False, TrackOutcome.PLACED)])
def test_a_die_may_have_rolled_under_an_arm_that_rested_there_during_the_throw(
    rests: bool, outcome: TrackOutcome
) -> None:
    """Once the picture of the tray with the arm is known, the arm is no longer detected."""
    tray, arm = Tray(), hand_over(500, 800)
    tray.sees(hand=arm)
    tray.rests(hand=arm, changed=arm)
    tray.rolls(die(5, 200))
    moved = hand_over(180, 220, 280, 320)
    tray.rests(die(5, 200), changed=moved if rests else moved | arm)
    for _ in range(2):
        tray.sees(die(5, 200), hand=arm)
    for _ in range(4):
        tray.sees(die(5, 200), die(2, 600))
    assert outcomes(tray.rests(die(5, 200), die(2, 600))) == [TrackOutcome.UNMOVED, outcome]


def test_unsure_things_that_are_there_at_once_when_a_hand_leaves_are_laid() -> None:
    """A domino looks like two dice."""
    tray, domino = Tray(), (die(3, 400, sure=False), die(6, 440, sure=False))
    for _ in range(9):
        tray.sees(hand=hand_over(300, 600))
    tray.sees(*domino)
    assert outcomes(tray.rests(*domino)) == [TrackOutcome.PLACED, TrackOutcome.PLACED]


def test_dice_behind_a_hand_near_the_lens_are_thrown_with_one_beside_it() -> None:
    tray, near_lens = Tray(), hand_over(0, 500, 0)
    for _ in range(6):
        tray.sees(hand=near_lens)
    for n, face in enumerate((2, 6, 3)):
        tray.sees(die(face, 760 - 40 * n, normal_xy=(0.5, 0.2)), hand=near_lens)
    tray.sees(die(5, 630), hand=near_lens)
    last = (die(5, 630), die(4, 200), die(1, 300))
    tray.sees(*last)
    tray.sees(*last)
    assert outcomes(tray.rests(*last)) == [TrackOutcome.THROWN] * 3


def test_dice_that_are_there_when_a_hand_leaves_the_lens_are_found() -> None:
    tray = Tray(die(4, 200))
    for _ in range(20):
        tray.sees(hand=hand_over(0, 700, 0))
    tray.sees(die(2, 760, 100))
    assert outcomes(tray.rests(die(2, 760, 100))) == [TrackOutcome.UNOBSERVED]


@pytest.mark.parametrize("gone_s", [0.5, 1.6])
def test_a_die_that_falls_where_one_with_its_face_was_taken_may_have_been_thrown(gone_s: float) -> None:
    """It was missing for as long as it takes to throw it again. What rolls over a die hides it for less."""
    tray = Tray(die(1, 300), die(5, 500))
    for _ in range(round(gone_s / STEP_S)):
        tray.sees()
    tray.rolls(die(2, 600), beside=[die(1, 303)])
    again = next(t for t in tray.rests(die(1, 303), die(2, 600)).dice if t.seen.face == 1)
    assert (again.outcome, again.lifted) == (TrackOutcome.UNMOVED, gone_s > 1)


def test_dice_that_come_into_sight_with_all_that_lie_there_were_not_seen_to_be_thrown() -> None:
    """Something on the lens hid them all, of which only a part was taken for a hand."""
    lie = (die(1, 100), die(3, 300), die(4, 500))
    tray = Tray(*lie, die(5, 650))
    for _ in range(20):
        tray.sees(hand=hand_over(600, 800, 0))
    for _ in range(3):
        tray.sees(*lie, die(2, 400, 450))
    assert outcomes(tray.rests(*lie, die(2, 400, 450)))[-1] is TrackOutcome.UNOBSERVED


def test_a_die_that_flies_to_where_one_was_taken_and_shows_its_face_is_thrown_with_the_other() -> None:
    """The other hid it on its way."""
    tray = Tray(die(1, 300), die(5, 500))
    for _ in range(4):
        tray.sees(hand=hand_over(200, 600))
    tray.rests()
    for n, face in enumerate((5, 6, 5, 6, 5, 6)):
        x = 160 + 60 * n
        blur = hand_over(x - 80, x - 40, 280, 320) if n > 3 else hand_over(x - 20, x + 20, 280, 320)
        tray.tracker.add_foreground(blur, tray.at_s + STEP_S)
        tray.sees(die(face, x, normal_xy=(0.4, 0.1)))
    for x in (290, 303, 303, 303):
        tray.tracker.add_foreground(hand_over(x - 20, x + 20, 280, 320), tray.at_s + STEP_S)
        tray.sees(die(6, 500), die(1, x))
    assert outcomes(tray.rests(die(6, 500), die(1, 303))) == [TrackOutcome.THROWN] * 2


def test_a_die_that_is_there_when_a_large_hand_leaves_is_asked_about_if_one_was_picked_up() -> None:
    tray = Tray(die(4, 200))
    for _ in range(6):
        tray.sees(hand=hand_over(120, 300, 0))
    tray.rests()
    for _ in range(20):
        tray.sees(hand=hand_over(0, 700, 0))
    for _ in range(3):
        tray.sees(die(2, 300))
    assert outcomes(tray.rests(die(2, 300))) == [TrackOutcome.UNCLEAR]


def test_a_die_that_was_hidden_in_one_reading_lay() -> None:
    tray = Tray(die(4, 200), die(1, 600))
    for _ in range(3):
        tray.sees(die(1, 600))
    tracks = tray.rests(die(1, 600))
    assert [lost.was.face for lost in tracks.lost] == [4]
    tray.sees(die(4, 202), die(1, 600))
    tracks = tray.rests(die(4, 202), die(1, 600))
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, TrackOutcome.UNMOVED]
    assert tracks.dice[0].id == 0


def test_a_die_that_appears_at_rest_and_knocked_another_over_is_thrown() -> None:
    """It is first detected at rest, beside the hand. The die that it knocked over shows a throw."""
    tray = Tray(die(4, 300))
    for _ in range(3):
        tray.sees(die(4, 300), hand=hand_over(310, 500))
    tray.sees(die(6, 310, 340), die(4, 315, 275, normal_xy=(0.5, 0.3)), hand=hand_over(300, 500, 330))
    tray.sees(die(6, 310, 340), die(2, 345, 235, normal_xy=(0.4, -0.3)))
    for _ in range(3):
        tray.sees(die(6, 310, 340), die(2, 370, 210))
    assert outcomes(tray.rests(die(6, 310, 340), die(2, 370, 210))) == [
        TrackOutcome.THROWN,
        TrackOutcome.TIPPED,
    ]


@pytest.mark.parametrize(
    "tilted", [die(6, 304, normal_xy=(-0.1, -0.4)), die(5, 304, normal_xy=(0.3, 0.4))], ids=["6", "5"]
)
@pytest.mark.parametrize("readings", [3, 18])
@pytest.mark.parametrize("hand_comes_later", [False, True])
def test_a_die_that_a_hand_near_a_lying_one_drops_and_that_knocks_it_over_is_thrown(
    hand_comes_later: bool, readings: int, tilted: SeenDie
) -> None:
    """It is first detected at the hand and hardly rolls. The die that it hit tilts with no hand at it."""
    tray = Tray(die(5, 300))
    for _ in range(readings):
        tray.sees(die(5, 300), hand=hand_over(150, 310))
    tray.sees(die(6, 252), die(5, 300), hand=hand_over(150, 250))
    tray.sees(die(6, 255), die(5, 301))
    tray.sees(die(6, 255), tilted)
    for n in range(4):
        hand = hand_over(280, 330) if hand_comes_later and n == 2 else None
        tray.sees(die(6, 255), die(6, 306), hand=hand)
    assert outcomes(tray.rests(die(6, 255), die(6, 306))) == [TrackOutcome.THROWN, TrackOutcome.TIPPED]


def test_a_die_thrown_near_the_place_of_one_that_was_taken_before_a_reading_is_a_new_one() -> None:
    """While a hand is in the picture, a die that it took may still lie under it."""
    tray = Tray(die(5, 300), die(2, 700))
    elsewhere = hand_over(0, 100)
    for _ in range(3):
        tray.sees(die(2, 700), hand=hand_over(200, 400))
    for _ in range(9):
        tray.sees(die(2, 700), hand=elsewhere)
    tray.at_s += STEP_S
    taken = tray.tracker.settled(Reading(SIZE, (die(2, 700),)), elsewhere, tray.at_s)
    assert [lost.reason for lost in taken.lost] == [LossReason.COVERED]
    tray.sees(die(4, 380, normal_xy=(0.5, 0.2)), die(2, 700), hand=elsewhere)
    tray.rolls(die(3, 200), beside=[die(2, 700)])
    thrown = tray.rests(die(3, 200), die(2, 700)).dice[0]
    assert (thrown.outcome, thrown.was, thrown.id > 1) == (TrackOutcome.THROWN, None, True)


def test_a_taken_die_that_shows_its_face_near_its_place_beside_a_throw_was_thrown_too() -> None:
    tray = Tray(die(1, 300), die(4, 600))
    for _ in range(6):
        tray.sees(hand=hand_over(200, 700))
    assert [lost.reason for lost in tray.rests().lost] == [LossReason.LIFTED, LossReason.LIFTED]
    for _ in range(4):
        tray.sees(hand=hand_over(0, 800))
    tray.rolls(die(2, 600), beside=[die(1, 340)])
    assert outcomes(tray.rests(die(2, 600), die(1, 340))) == [TrackOutcome.THROWN, TrackOutcome.THROWN]


def test_a_taken_die_that_shows_its_face_near_its_place_without_a_throw_was_moved() -> None:
    tray = Tray(die(1, 300), die(4, 600))
    for _ in range(6):
        tray.sees(die(4, 600), hand=hand_over(200, 500))
    assert [lost.reason for lost in tray.rests(die(4, 600)).lost] == [LossReason.LIFTED]
    for _ in range(4):
        tray.sees(die(4, 600), hand=hand_over(200, 500))
    for _ in range(4):
        tray.sees(die(1, 340), die(4, 600))
    assert outcomes(tray.rests(die(1, 340), die(4, 600))) == [TrackOutcome.MOVED, TrackOutcome.UNMOVED]


def test_a_die_of_another_colour_that_lands_on_one_at_once_is_thrown() -> None:
    """It is seen only twice on its way, beside the one on which it lands."""
    tray = Tray(die(3, 100, colour="blue"))
    tray.sees(die(3, 100, colour="blue"))
    tray.sees(die(3, 100, colour="blue"), die(5, 66, colour="yellow", sure=False))
    tray.sees(die(3, 103, colour="blue", sure=False), die(4, 71, colour="yellow"))
    tray.sees(die(4, 90, colour="yellow", sure=False))
    for _ in range(4):
        tray.sees(die(6, 101, 296, colour="yellow"))
    assert outcomes(tray.rests(die(6, 101, 296, colour="yellow"))) == [TrackOutcome.THROWN]


def test_a_die_that_a_hand_tips_over_and_then_pushes_along_is_not_thrown() -> None:
    """The hand hides it for a third of a second, and it slides on with the dice beside it."""
    tray = Tray(die(5, 250, colour="blue"))
    for _ in range(3):
        tray.sees(die(5, 250, colour="blue"), hand=hand_over(190, 260))
    for _ in range(6):
        tray.sees(die(2, 262, colour="blue"))
    for _ in range(5):
        tray.sees(hand=hand_over(200, 400))
    for x in (*[300] * 6, 312, 324, 336, *[336] * 3):
        tray.sees(die(2, x, colour="blue"))
    (track,) = tray.rests(die(2, 336, colour="blue")).dice
    assert track.outcome in (TrackOutcome.TIPPED, TrackOutcome.TURNED)
    assert track.was
    assert track.was.face == 5


def test_a_die_in_the_hand_is_remembered_while_nothing_comes_to_the_tray() -> None:
    """The tray comes to rest twice before the die lies there again, at once and without a hand at it."""
    tray = Tray(die(1, 300), die(4, 600))
    for _ in range(6):
        tray.sees(die(4, 600), hand=hand_over(200, 500))
    tray.rests(die(4, 600))
    for _ in range(4):
        tray.sees(die(4, 600), hand=hand_over(0, 100))
    tray.rests(die(4, 600))
    for _ in range(4):
        tray.sees(die(4, 600), hand=hand_over(0, 100))
    for _ in range(4):
        tray.sees(die(1, 440), die(4, 600))
    assert outcomes(tray.rests(die(1, 440), die(4, 600)))[0] is TrackOutcome.UNCLEAR


def test_a_die_that_creeps_is_pushed_although_no_hand_is_seen_and_its_face_is_hidden() -> None:
    """A fingertip hides the upper face, and the hand is not detected beside it."""
    tray = Tray(die(5, 200))
    for _ in range(12):
        tray.sees()
    for n in (*range(18), *[17] * 6):
        tray.sees(die(2, 260 + 4 * n, sure=False, normal_xy=(0.4, 0.2)))
    tray.sees(die(5, 328))
    assert outcomes(tray.rests(die(5, 328))) == [TrackOutcome.MOVED]


@pytest.mark.parametrize(("step", "landing"), [(45, 0), (60, 0), (45, 4)])
def test_a_die_that_rolls_over_another_and_lands_on_the_next_is_thrown(step: int, landing: int) -> None:
    """A faster one is farther from it when it is last told from the first. landing: readings in which it is
    taken for the next one, which only seems larger."""
    neighbour, below = die(4, 200), die(6, 250)
    tray = Tray(neighbour, below)
    for n, face in enumerate((2, 5, 3)):
        tray.sees(die(face, 200 - step * (3 - n), normal_xy=(0.5, 0.2)), neighbour, below)
    for _ in range(3):
        tray.sees(replace(neighbour, face=1), below)
    on_top = replace(die(1, 250), box_xywh=(250 - 23, 300 - 23, 46, 46))
    for _ in range(landing):
        tray.sees(neighbour, replace(on_top, face=6))
    tray.sees(neighbour, on_top)
    assert outcomes(tray.rests(neighbour, on_top)) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN]


@pytest.mark.parametrize(
    ("sure", "changed", "outcome"),
    [
        (False, False, TrackOutcome.UNOBSERVED),
        (False, True, TrackOutcome.UNCLEAR),
        (True, False, TrackOutcome.THROWN),
    ],
)
def test_an_unsure_detection_where_nothing_has_changed_is_a_printed_figure(
    sure: bool, changed: bool, outcome: TrackOutcome
) -> None:
    tray, figure = Tray(die(4, 600)), die(3, 200, sure=sure)
    for seen in ([], [], [figure], [figure]):
        tray.sees(die(4, 600), *seen)
    tray.at_s += STEP_S
    mask = hand_over(0, 300) if changed else hand_over(0, 0)
    tracks = tray.tracker.settled(Reading(SIZE, (die(4, 600), figure)), None, tray.at_s, mask)
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, outcome]


def test_a_printed_figure_is_one_although_it_was_taken_for_something_under_a_hand_before() -> None:
    tray, figure = Tray(die(4, 600)), die(3, 200, sure=False)
    tray.sees(die(4, 600), die(2, 280, sure=False), hand=hand_over(240, 340))
    for _ in range(6):
        tray.sees(die(4, 600), figure)
    tray.at_s += STEP_S
    tracks = tray.tracker.settled(Reading(SIZE, (die(4, 600), figure)), None, tray.at_s, hand_over(0, 0))
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, TrackOutcome.UNOBSERVED]


def test_a_die_that_a_thrown_one_shoves_under_a_hand_keeps_its_track() -> None:
    """The tracklet of the one that lay there goes on with the thrown one."""
    tray, hand = Tray(die(1, 300)), hand_over(150, 310)
    for _ in range(3):
        tray.sees(die(1, 300), hand=hand)
    tray.sees(die(1, 303, 302))
    tray.sees(die(2, 310, 304, normal_xy=(0.5, 0.3)))
    tray.sees(die(2, 317, 306, normal_xy=(0.4, 0.3)))
    for _ in range(4):
        tray.sees(die(2, 320, 306), die(1, 287))
    tracks = tray.rests(die(2, 320, 306), die(1, 287))
    assert (tracks.dice[1].id, tracks.dice[1].outcome) == (0, TrackOutcome.UNMOVED)
    assert tracks.dice[0].outcome is TrackOutcome.THROWN


def test_dice_that_lie_as_they_lay_to_one_another_were_shifted_with_the_picture() -> None:
    """A push of the camera looks like a hand everywhere, and brings one die to the place of another."""
    lay = [die(2, 506, 108), die(5, 186, 251), die(5, 372, 254), die(1, 438, 300)]
    now = [shifted(d, (56, 46)) for d in lay]
    tray, everywhere = Tray(*lay), hand_over(0, 800, 0)
    tray.sees(*lay)
    tray.sees(*(shifted(d, (48, 42)) for d in lay), hand=everywhere)
    for n in (52, 56, 56):
        tray.sees(*(shifted(d, (n, 46)) for d in lay))
    tracks = tray.rests(*now)
    assert [(t.id, t.outcome) for t in tracks.dice] == [(n, TrackOutcome.UNMOVED) for n in range(4)]
    assert tracks.camera_moved
    other_face = replace(shifted(now[3], (60, 0)), face=4, likely=((4, 0.6), (2, 0.3)))
    tray.rolls(other_face, beside=now[:3])
    assert outcomes(tray.rests(*now[:3], other_face))[3] is TrackOutcome.THROWN


def test_a_row_of_dice_that_a_hand_pushes_along_is_no_throw() -> None:
    """Each comes to where the next one was, and is hardly readable on the way."""
    blue, red = die(6, 100, colour="blue"), die(1, 560, colour="red")
    tray = Tray(blue, red)
    for _ in range(4):
        tray.sees(hand=hand_over(0, 800))
    for _ in range(10):
        tray.sees(die(6, 300, colour="blue"), die(1, 342, colour="red"))
    pushed = replace(die(3, 316, colour="red", sure=False), confidence=0.4)
    tray.sees(die(6, 274, colour="blue"), pushed, hand=hand_over(345, 500))
    for _ in range(4):
        tray.sees(die(6, 254, colour="blue"), die(1, 296, colour="red"))
    tracks = tray.rests(die(6, 254, colour="blue"), die(1, 296, colour="red"))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.MOVED]


def test_a_lifted_die_that_rolls_out_of_a_hand_and_shows_its_earlier_face_is_asked_about() -> None:
    """The hand hides nearly all of its way, at ten pictures a second."""
    tray = Tray(die(1, 100), die(2, 600))
    for _ in range(4):
        tray.sees(die(2, 600), hand=hand_over(0, 300))
    for _ in range(10):
        tray.sees(die(2, 600))
    tray.sees(die(6, 400, sure=False), die(2, 600), hand=hand_over(300, 395))
    for x in (414, 424, 424, 424, 424):
        tray.sees(die(1, x), die(2, 600))
    assert outcomes(tray.rests(die(1, 424), die(2, 600)))[0] is TrackOutcome.UNCLEAR


def test_a_lifted_die_that_comes_under_a_hand_and_is_pushed_on_is_moved() -> None:
    tray = Tray(die(5, 100), die(2, 600))
    for _ in range(4):
        tray.sees(die(2, 600), hand=hand_over(0, 300))
    for _ in range(10):
        tray.sees(die(2, 600))
    for x in (300, 316, 332, 348):
        tray.sees(die(5, x), die(2, 600), hand=hand_over(x - 40, x))
    for x in (*[348] * 6, *[358] * 6):
        tray.sees(die(5, x), die(2, 600))
    assert outcomes(tray.rests(die(5, 358), die(2, 600)))[0] is TrackOutcome.MOVED


def test_a_die_that_flies_over_the_place_of_one_that_was_taken_is_thrown() -> None:
    """Blurred, it may show any face there. The other die of the throw did not knock it."""
    tray = Tray(die(6, 300))
    for _ in range(4):
        tray.sees(hand=hand_over(200, 400))
    for _ in range(10):
        tray.sees()
    tray.sees(die(6, 304, sure=False))
    for x, face in ((270, 6), (240, 3), (215, 1), (200, 2)):
        tray.sees(die(face, x, normal_xy=(0.4, 0.1)), die(face, x, 500, normal_xy=(0.4, 0.1)))
    for _ in range(3):
        tray.sees(die(2, 196), die(5, 196, 500))
    assert outcomes(tray.rests(die(2, 196), die(5, 196, 500))) == [TrackOutcome.THROWN] * 2


def test_a_die_that_flies_over_a_printed_figure_is_thrown_although_it_shows_its_number() -> None:
    """A second die flies over the figure as well."""
    figure, lies = die(3, 500, sure=False), die(4, 100)
    tray = Tray(figure, lies)
    tray.sees(figure, lies)
    tray.sees(die(3, 452, normal_xy=(0.4, 0.1)), lies)
    tray.sees(die(6, 400, normal_xy=(0.4, 0.1)), figure, lies)
    for n, x in enumerate((350, 310, 290)):
        first = die(2 * n + 2, x, normal_xy=(0.4, 0.1))
        tray.sees(first, die(2 * n + 1, x + 110, normal_xy=(0.4, 0.1)), lies)
    for _ in range(3):
        tray.sees(die(3, 286), die(5, 392), lies)
    assert outcomes(tray.rests(die(3, 286), die(5, 392), lies))[:2] == [TrackOutcome.THROWN] * 2


def test_a_printed_figure_is_not_thrown_though_two_dice_that_fly_over_it_are_taken_for_it_in_turn() -> None:
    figure, lies = sized(die(3, 500, 200, sure=False), 30), die(4, 100)
    tray, palm = Tray(figure, lies, step_s=0.1), hand_over(440, 800, 0, 260)
    for _ in range(2):
        tray.sees(lies, hand=palm)
    tray.sees(figure, die(5, 504, 244), lies)
    tray.sees(die(1, 470, 240, normal_xy=(0.4, 0.1)), lies)
    tray.sees(die(4, 420, 255, normal_xy=(0.4, 0.1)), figure, lies)
    for _ in range(4):
        tray.sees(die(4, 400, 250), figure, lies)
    ended = tray.rests(die(4, 400, 250), figure, lies)
    assert outcomes(ended) == [TrackOutcome.THROWN, TrackOutcome.UNMOVED, TrackOutcome.UNMOVED]


@pytest.mark.parametrize(
    ("lies_at", "x", "outcome"),
    [
        (200, 242, TrackOutcome.THROWN),
        (200, 500, TrackOutcome.UNOBSERVED),
        (600, 242, TrackOutcome.UNOBSERVED),
    ],
)
def test_a_die_that_falls_off_the_one_it_leaned_on_is_part_of_the_throw(
    lies_at: float, x: float, outcome: TrackOutcome
) -> None:
    """Leaning, it shows two faces and is not detected. An unobserved die elsewhere, or where none leaned on
    another, is just there."""
    lies = die(3, lies_at)
    tray = Tray(lies)
    tray.rolls(die(2, 244), beside=[lies])
    for _ in range(3):
        tray.sees(lies)
    tray.rests(lies)
    for _ in range(4):
        tray.sees(lies, die(6, x))
    assert outcomes(tray.rests(lies, die(6, x))) == [TrackOutcome.UNMOVED, outcome]


def test_a_die_that_falls_off_with_the_face_of_one_that_was_picked_up_is_part_of_the_throw() -> None:
    lies, taken = die(3, 200), die(6, 300, 250)
    tray = Tray(lies, taken)
    for _ in range(3):
        tray.sees(lies, hand=hand_over(240, 800, 0, 280))
    tray.rests(lies)
    tray.rolls(die(2, 244), beside=[lies])
    for _ in range(3):
        tray.sees(lies)
    assert [lost.was.face for lost in tray.rests(lies).lost] == []
    for _ in range(4):
        tray.sees(lies, die(6, 242))
    assert outcomes(tray.rests(lies, die(6, 242))) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN]


def test_a_die_that_leaned_on_another_before_the_camera_was_covered_is_not_thrown_by_it() -> None:
    lies = die(3, 200)
    tray = Tray(lies)
    tray.rolls(die(2, 244), beside=[lies])
    for _ in range(3):
        tray.sees(lies)
    tray.rests(lies)
    tray.tracker.mark_blind()
    tray.rests(lies)
    for _ in range(4):
        tray.sees(lies, die(6, 242))
    assert outcomes(tray.rests(lies, die(6, 242))) == [TrackOutcome.UNMOVED, TrackOutcome.UNOBSERVED]


@pytest.mark.parametrize(
    ("other_face", "pushed", "hidden", "outcome"),
    [
        (3, True, 12, TrackOutcome.UNCLEAR),
        (5, True, 12, TrackOutcome.UNCLEAR),
        (3, True, 18, TrackOutcome.UNCLEAR),
        (3, False, 12, TrackOutcome.THROWN),
    ],
)
def test_it_is_not_known_whether_a_die_was_thrown_that_may_have_shot_out_from_under_a_finger(
    other_face: int, pushed: bool, hidden: int, outcome: TrackOutcome
) -> None:
    """A finger that hides it pushes it against another one, and that one against the rim. A hand that pushes
    nothing may have taken it and thrown it, quickly."""
    tray = Tray(die(3, 300, colour="blue"), die(5, 420, colour="red"))
    for n in range(hidden):
        x = 420 + 20 * max(n - 6, 0) * pushed
        tray.sees(die(5, x, colour="red"), hand=hand_over(250, x - 10))
    red = die(5, x, colour="red")
    for far, face in ((120, 2), (60, 6), (20, 4)):
        tray.sees(die(face, 100 + far, colour="blue", normal_xy=(0.4, 0.1)), red, hand=hand_over(400, x - 10))
    blue = die(other_face, 100, colour="blue")
    for _ in range(3):
        tray.sees(blue, red)
    assert outcomes(tray.rests(blue, red))[0] is outcome


@pytest.mark.parametrize(
    ("pushed_on", "outcome"), [(False, TrackOutcome.TIPPED), (True, TrackOutcome.UNCLEAR)]
)
def test_a_die_that_shot_out_as_a_hand_hid_and_pushed_another_is_not_surely_thrown(
    pushed_on: bool, outcome: TrackOutcome
) -> None:
    """The hand that tidies them up pushes it on a little later."""
    tray = Tray(die(3, 300, colour="blue"), die(5, 420, colour="red"))
    for _ in range(4):
        tray.sees(die(5, 420, colour="red"), hand=hand_over(250, 480))
    tray.sees(hand=hand_over(300, 540))
    for x in (520, 540, 548):
        tray.sees(die(5, x, colour="red"), hand=hand_over(400, x - 10))
    red = die(5, 548, colour="red")
    for far, face in ((120, 2), (60, 6), (20, 4)):
        tray.sees(die(face, 100 + far, colour="blue", normal_xy=(0.4, 0.1)), red)
    for _ in range(8):
        tray.sees(die(4, 100, colour="blue"), red)
    x = 100
    for x in (140, 180, 220, 260) if pushed_on else ():
        tray.sees(die(4, x, colour="blue"), red, hand=hand_over(40, x - 10))
    blue = die(4, x, colour="blue")
    for _ in range(4):
        tray.sees(blue, red)
    assert outcomes(tray.rests(blue, red)) == [outcome, TrackOutcome.MOVED]


@pytest.mark.parametrize(("pushed", "outcome"), [(12, TrackOutcome.PLACED), (60, TrackOutcome.UNCLEAR)])
def test_a_die_under_a_hand_that_may_have_hit_another_one_is_not_surely_laid_down(
    pushed: int, outcome: TrackOutcome
) -> None:
    """The one that it hit slides on far beside the hand. A hand that lays one down moves the others less."""
    tray = Tray(die(3, 300))
    for _ in range(4):
        tray.sees(die(3, 300), hand=hand_over(100, 280))
    for share in (0.4, 0.8, 1.0, 1.0, 1.0):
        tray.sees(die(3, 300 + pushed * share), hand=hand_over(100, 400))
    still = die(3, 300 + pushed)
    tray.sees(still, die(2, 255), hand=hand_over(60, 240))
    for _ in range(4):
        tray.sees(still, die(2, 255))
    assert outcomes(tray.rests(still, die(2, 255)))[1] is outcome


@pytest.mark.parametrize(
    ("first", "outcome"),
    [(die(6, 300, normal_xy=(0.5, 0.1)), TrackOutcome.UNCLEAR), (die(4, 300), TrackOutcome.TURNED)],
)
def test_a_die_that_still_tumbles_beside_a_new_one_as_the_hand_leaves_may_be_thrown(
    first: SeenDie, outcome: TrackOutcome
) -> None:
    """The other one fell out of the hand and knocked it over, or they are each other."""
    tray = Tray(die(2, 300))
    for _ in range(3):
        tray.sees(die(2, 300), hand=hand_over(280, 700))
    for _ in range(8):
        tray.sees(hand=hand_over(200, 700))
    tray.sees(first, die(1, 360))
    for _ in range(5):
        tray.sees(die(4, 302), die(1, 360))
    assert outcomes(tray.rests(die(4, 302), die(1, 360)))[0] is outcome


def test_a_die_that_was_unsure_in_its_place_at_first_may_have_been_laid_down() -> None:
    """A dark hand that is not detected holds it. Two at once were thrown: a hand lays them one by one."""
    for others in ([], [die(4, 300)]):
        tray = Tray(die(6, 600))
        for _ in range(5):
            tray.sees(die(6, 600))
        tray.sees(die(6, 600), die(2, 104, sure=False), *others)
        for _ in range(4):
            tray.sees(die(6, 600), die(2, 100), *others)
        outcome = TrackOutcome.THROWN if others else TrackOutcome.UNCLEAR
        came = outcomes(tray.rests(die(6, 600), die(2, 100), *others))
        assert came == [TrackOutcome.UNMOVED, *[outcome] * (1 + len(others))]


def test_a_lone_die_that_rolls_in_from_a_blur_within_a_reading_is_thrown() -> None:
    """At ten frames a second a short throw is hardly more."""
    tray = Tray(die(6, 600))
    tray.sees(die(6, 600))
    tray.sees(die(6, 600), die(6, 118, sure=False))
    for _ in range(4):
        tray.sees(die(6, 600), die(5, 100))
    assert outcomes(tray.rests(die(6, 600), die(5, 100))) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN]


@pytest.mark.parametrize(
    ("colours", "outcome"), [("wrgby", TrackOutcome.MOVED), ("wwwww", TrackOutcome.THROWN)]
)
def test_dice_of_many_colours_that_show_the_same_faces_again_were_only_tidied(
    colours: str, outcome: TrackOutcome
) -> None:
    """Where each has its own colour, that is no chance, whatever tumbled under the hand for the camera."""
    named = {"w": "white", "r": "red", "g": "green", "b": "blue", "y": "yellow"}
    lay = [die(n + 1, 100 + 80 * n, colour=named[c]) for n, c in enumerate(colours)]
    tray = Tray(*lay)
    tray.sees(*lay)
    for _ in range(12):
        tray.sees(hand=hand_over(50, 500))
    for far, face in ((120, 2), (60, 6), (20, 4)):
        now = [
            die(face, 600 - 90 * n + far, 100, colour=d.colour, normal_xy=(0.4, 0.1))
            for n, d in enumerate(lay)
        ]
        tray.sees(*now, hand=hand_over(600, 700))
    moved = [die(d.face, 600 - 90 * n, 100, colour=d.colour) for n, d in enumerate(lay)]
    for _ in range(3):
        tray.sees(*moved)
    assert outcomes(tray.rests(*moved)) == [outcome] * 5


def test_a_die_that_is_missed_as_a_finger_flicks_two_is_not_thrown_because_the_other_tumbled() -> None:
    """It lies there again with another face, and may be the one that was there."""
    tray = Tray(die(3, 300, colour="green"), die(5, 350, colour="red"))
    tray.sees(die(3, 300, colour="green"), die(5, 350, colour="red"))
    for _ in range(4):
        tray.sees(hand=hand_over(250, 420))
    for x, face in ((450, 2), (500, 6), (540, 4)):
        tray.sees(die(face, x, colour="red", normal_xy=(0.4, 0.1)))
    now = (die(3, 550, colour="red"), die(1, 330, 100, colour="green"))
    for _ in range(4):
        tray.sees(*now)
    assert outcomes(tray.rests(*now)) == [TrackOutcome.TIPPED, TrackOutcome.UNCLEAR]


@pytest.mark.parametrize(("still", "outcome"), [(6, TrackOutcome.MOVED), (0, TrackOutcome.THROWN)])
def test_a_lifted_die_that_lies_still_and_is_then_shoved_by_another_is_moved(
    still: int, outcome: TrackOutcome
) -> None:
    """A hand tidies up, and pushes further dice against it. One that never lies still comes freely."""
    tray = Tray(die(5, 100), die(2, 600))
    for _ in range(8):
        tray.sees(die(2, 600), hand=hand_over(0, 300))
    for _ in range(6):
        tray.sees(die(2, 600))
    for _ in range(8):
        tray.sees(die(2, 600), hand=hand_over(200, 450))
    for x in (*[348] * still, 348, 360, 372, 384):
        tray.sees(die(5, x), die(2, 600))
    assert outcomes(tray.rests(die(5, 384), die(2, 600)))[0] is outcome


def test_a_die_that_vanishes_for_a_moment_and_lies_beside_its_place_is_moved() -> None:
    """The finger that pushed it was not detected."""
    tray = Tray(die(2, 238), die(5, 600))
    tray.sees(die(2, 238), die(5, 600))
    for _ in range(7):
        tray.sees(die(5, 600))
    for _ in range(4):
        tray.sees(die(2, 190), die(5, 600))
    assert outcomes(tray.rests(die(2, 190), die(5, 600)))[0] is TrackOutcome.MOVED


@pytest.mark.parametrize(
    ("seen_again_s", "outcome"), [(1.0, TrackOutcome.MOVED), (1.6, TrackOutcome.UNCLEAR)]
)
def test_a_die_that_lies_still_too_soon_after_it_was_hidden_is_not_thrown(
    seen_again_s: float, outcome: TrackOutcome
) -> None:
    """Nobody takes it, throws it and sees it come to rest within a second: a finger that was not detected
    pushed it aside."""
    tray = Tray(die(6, 266), die(5, 600))
    tray.sees(die(6, 266, sure=False), die(5, 600), hand=hand_over(200, 330))
    for _ in range(6):
        tray.sees(die(5, 600), hand=hand_over(200, 330))
    for _ in range(round(seen_again_s / STEP_S) - 6):
        tray.sees(die(5, 600))
    for _ in range(6):
        tray.sees(die(6, 156), die(5, 600))
    assert outcomes(tray.rests(die(6, 156), die(5, 600)))[0] is outcome


def test_a_die_that_is_flicked_round_the_tray_alone_tips_over_and_is_not_thrown_with_itself() -> None:
    tray = Tray(die(1, 200, colour="red"), die(6, 600))
    still = die(6, 600)
    tray.sees(die(1, 200, colour="red"), still, hand=hand_over(170, 240, 200))
    tray.sees(die(1, 200, colour="red"), still, hand=hand_over(120, 160, 200))
    tray.sees(still, hand=hand_over(120, 160, 200))
    for x, face in ((420, 6), (330, 3), (260, 3), (250, 3)):
        flies = die(face, x, 200, colour="red", normal_xy=(0.5, 0.2))
        tray.sees(flies, still, hand=hand_over(300, 312, 190))
    for _ in range(4):
        tray.sees(die(3, 245, 200, colour="red"), still)
    tracks = tray.rests(die(3, 245, 200, colour="red"), still)
    assert outcomes(tracks) == [TrackOutcome.TIPPED, TrackOutcome.UNMOVED]


def partly_hidden(whole: SeenDie, face: int, share: float) -> SeenDie:
    """The die while a fingertip hides its lower edge: what is left of it, read unsurely."""
    x, y, w, h = whole.box_xywh
    box = (x, y, w * share, h * share)
    return replace(die(face, 0, sure=False), box_xywh=box)


@pytest.mark.parametrize(("share", "outcome"), [(0.8, TrackOutcome.PLACED), (0.97, TrackOutcome.UNCLEAR)])
def test_a_die_that_an_undetected_fingertip_uncovers_was_laid_down(
    share: float, outcome: TrackOutcome
) -> None:
    tray = Tray(die(2, 600))
    whole = die(5, 300)
    tray.sees(die(2, 600))
    for _ in range(3):
        tray.sees(die(2, 600), partly_hidden(whole, 2, share))
    for _ in range(3):
        tray.sees(die(2, 600), whole)
    assert outcomes(tray.rests(die(2, 600), whole)) == [TrackOutcome.UNMOVED, outcome]


def test_a_die_that_a_fingertip_brings_and_then_hides_in_part_was_laid_down() -> None:
    """Its face is not sure meanwhile, as if it tumbled, but a smaller box at rest shows a part of it."""
    tray, whole = Tray(die(2, 600)), die(5, 300)
    tray.sees(die(2, 600))
    tray.sees(die(2, 600), replace(die(5, 306, sure=False), confidence=0.5))
    for _ in range(3):
        tray.sees(die(2, 600), replace(partly_hidden(whole, 5, 0.85), confidence=0.6))
    for _ in range(3):
        tray.sees(die(2, 600), whole)
    assert outcomes(tray.rests(die(2, 600), whole)) == [TrackOutcome.UNMOVED, TrackOutcome.PLACED]


@pytest.mark.parametrize(
    ("faces", "confidence", "colours", "sure"),
    [
        ((2, 6, 3, 1), 0.999, ("white", "white"), True),
        ((5, 5, 5, 5), 0.999, ("white", "white"), False),
        ((2, 6, 3, 1), 0.7, ("white", "white"), False),
        ((2, 6, 3, 1), 0.999, ("yellow", "white"), False),
    ],
)
def test_a_die_that_is_faint_for_the_detector_is_sure_once_it_was_seen_to_tumble(
    faces: tuple[int, ...], confidence: float, colours: tuple[str, str], sure: bool
) -> None:
    """What slides may be something else, and a face or a colour in doubt stays so."""
    tray = Tray(die(4, 600))
    tray.sees(die(4, 600))
    for n, face in enumerate(faces):
        normal = (0.4, 0.1) if face != 5 else (0.0, 0.0)
        tray.sees(die(face, 400 - 60 * n, normal_xy=normal), die(4, 600))
    first, last = (replace(die(5, 200, colour=c, sure=False), confidence=confidence) for c in colours)
    for now in (first, last, last):
        tray.sees(now, die(4, 600))
    assert tray.rests(last, die(4, 600)).dice[0].seen.sure is sure


@pytest.mark.parametrize(("hidden", "outcome"), [(4, TrackOutcome.TIPPED), (12, TrackOutcome.THROWN)])
def test_a_die_flicked_far_from_under_a_finger_is_not_thrown_if_it_lies_again_at_once(
    hidden: int, outcome: TrackOutcome
) -> None:
    """The finger that follows it is at it as it comes into sight. Taken and thrown, it comes later."""
    tray = Tray(die(1, 100))
    for _ in range(hidden):
        tray.sees(hand=hand_over(60, 330))
    tray.sees(die(3, 380, normal_xy=(0.4, 0.1)), hand=hand_over(200, 390))
    for x, face in ((410, 2), (440, 6)):
        tray.sees(die(face, x, normal_xy=(0.4, 0.1)))
    for _ in range(3):
        tray.sees(die(2, 450))
    assert outcomes(tray.rests(die(2, 450))) == [outcome]


@pytest.mark.parametrize(
    ("x", "face", "outcome"),
    [(240, 1, TrackOutcome.MOVED), (240, 3, TrackOutcome.THROWN), (500, 1, TrackOutcome.THROWN)],
)
def test_a_die_that_a_fingertip_hid_at_rest_and_then_pushes_on_is_moved(
    x: float, face: int, outcome: TrackOutcome
) -> None:
    """Another face, or another place, is another die."""
    tray = Tray(die(1, 200), die(5, 700))
    for _ in range(5):
        tray.sees(die(5, 700))
    assert [g.was.face for g in tray.rests(die(5, 700)).lost] == [1]
    for n in range(6):
        tray.sees(die(face, x - 22 * n), die(5, 700))
    last = die(face, x - 22 * 5)
    for _ in range(3):
        tray.sees(last, die(5, 700))
    assert outcomes(tray.rests(last, die(5, 700)))[0] is outcome


@pytest.mark.parametrize(("face", "outcome"), [(1, TrackOutcome.MOVED), (4, TrackOutcome.TIPPED)])
def test_a_die_that_is_pushed_while_frames_are_lost_goes_on_with_its_face(
    face: int, outcome: TrackOutcome
) -> None:
    tray = Tray(die(1, 200), die(5, 700))
    for n in range(4):
        tray.sees(die(1, 200 + 5 * n), die(5, 700))
    tray.sees(die(5, 700))
    tray.sees(die(5, 700))
    tray.sees(die(face, 262), die(5, 700))
    tray.sees(die(3, 330, normal_xy=(0.4, 0.1)), die(5, 700))
    for x in (390, 440, 470):
        tray.sees(die(1, x), die(5, 700))
    for _ in range(3):
        tray.sees(die(1, 480), die(5, 700))
    assert outcomes(tray.rests(die(1, 480), die(5, 700)))[0] is outcome


@pytest.mark.parametrize(
    ("cut_off", "outcome"), [(True, TrackOutcome.THROWN), (False, TrackOutcome.UNOBSERVED)]
)
def test_a_die_that_comes_in_over_the_border_in_the_first_reading_is_thrown(
    cut_off: bool, outcome: TrackOutcome
) -> None:
    """One that was there at once, and is seen whole, may have lain there and been hit."""
    tray = Tray(die(4, 600))
    first = replace(die(1, 300, 20, sure=False), cut_off=cut_off, confidence=0.9)
    tray.sees(first, die(4, 600))
    for y in (40, 60, 75):
        tray.sees(replace(die(1, 300, y, sure=False), confidence=0.9), die(4, 600))
    for _ in range(3):
        tray.sees(die(1, 300, 80), die(4, 600))
    assert outcomes(tray.rests(die(1, 300, 80), die(4, 600)))[0] is outcome


@pytest.mark.parametrize(("width", "outcome"), [(30, TrackOutcome.THROWN), (40, TrackOutcome.UNOBSERVED)])
def test_a_smeared_die_that_the_border_cuts_in_the_first_reading_is_thrown(
    width: float, outcome: TrackOutcome
) -> None:
    """Its box is about as wide as it is high, as that of a whole die."""
    tray = Tray(die(4, 600))
    cut = replace(die(1, 15, sure=False), box_xywh=(0, 283, width, 34), confidence=0.9)
    tray.sees(cut, die(4, 600))
    tray.sees(die(1, 36, sure=False), die(4, 600))
    for _ in range(4):
        tray.sees(die(1, 58), die(4, 600))
    assert outcomes(tray.rests(die(1, 58), die(4, 600)))[0] is outcome


def test_a_large_thing_that_is_taken_for_a_die_now_and_then_is_not_a_thrown_die_that_came_later() -> None:
    large = replace(die(2, 0, sure=False), box_xywh=(20, 200, 4 * SIDE, 4 * SIDE), confidence=0.15)
    tray = Tray(die(2, 600), large)
    tray.sees(die(2, 600), large, hand=hand_over(90, 200, 200))
    tray.sees(die(2, 600), large, die(5, 300, normal_xy=(0.5, 0.2)), hand=hand_over(90, 200, 200))
    for x in (340, 370, 385):
        tray.sees(die(2, 600), die(6, x, normal_xy=(0.5, 0.2)), hand=hand_over(90, 200, 200))
    for _ in range(3):
        tray.sees(die(2, 600), die(3, 390))
    assert outcomes(tray.rests(die(2, 600), die(3, 390))) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN]


def test_dice_that_fly_in_the_first_picture_of_a_throw_are_thrown_together() -> None:
    tray = Tray(die(4, 100))
    for n, x in enumerate((500, 420, 330, 260)):
        second = die(3, 560, 120, sure=n > 2) if n else die(4, 600, 150, sure=False)
        tray.sees(die(4, 100), die(n % 3 + 1, x, normal_xy=(0.5, 0.2)), second)
    for _ in range(3):
        tray.sees(die(4, 100), die(5, 240), die(3, 560, 120))
    tracks = tray.rests(die(4, 100), die(5, 240), die(3, 560, 120))
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN, TrackOutcome.THROWN]


@pytest.mark.parametrize(("stays_s", "outcome"), [(0.5, TrackOutcome.PLACED), (1.2, TrackOutcome.UNCLEAR)])
def test_a_die_that_comes_to_lie_at_a_hand_that_rests_there_may_have_been_thrown(
    stays_s: float, outcome: TrackOutcome
) -> None:
    tray = Tray(die(3, 700))
    for _ in range(5):
        tray.sees(die(3, 700), hand=hand_over(200, 500))
    for _ in range(round(stays_s / STEP_S) + 1):
        tray.sees(die(3, 700), die(6, 480), hand=hand_over(200, 500))
    for _ in range(4):
        tray.sees(die(3, 700), die(6, 480))
    assert outcomes(tray.rests(die(3, 700), die(6, 480))) == [TrackOutcome.UNMOVED, outcome]


def sized(seen: SeenDie, side: float) -> SeenDie:
    """The die with a larger or smaller box around its centre, px."""
    x, y = seen.centre_xy
    return replace(seen, box_xywh=(x - side / 2, y - side / 2, side, side))


def test_a_die_that_leans_on_another_and_tips_over_did_not_land_on_it() -> None:
    """It shows two faces while it leans, and the lower die looks a little larger as it tips."""
    lower = die(3, 200, 400)
    tray = Tray(lower)
    for n, face in enumerate((2, 6, 4, 6)):
        tray.sees(die(face, 200, 160 + 50 * n, normal_xy=(0.5, 0.2)), lower)
    for _ in range(6):
        tray.sees(die(6, 200, 364, sure=False), die(2, 200, 340, sure=False, normal_xy=(0.0, -0.5)), lower)
    for _ in range(2):
        tray.sees(die(2, 200, 350, sure=False), sized(die(3, 200, 396), 43))
    for _ in range(3):
        tray.sees(die(2, 200, 355), lower)
    assert outcomes(tray.rests(die(2, 200, 355), lower)) == [TrackOutcome.THROWN, TrackOutcome.UNMOVED]


@pytest.mark.parametrize(
    ("side", "outcome"), [(45, TrackOutcome.UNCLEAR), (30, TrackOutcome.PLACED)], ids=["fell", "was held"]
)
@pytest.mark.parametrize("normal_xy", [(-0.5, -0.1), (0.0, 0.0)], ids=["tilted", "blurred"])
def test_a_die_that_is_larger_as_it_leaves_a_hand_may_have_fallen_out_of_it(
    side: float, normal_xy: tuple[float, float], outcome: TrackOutcome
) -> None:
    """What fingers hold is partly hidden, and looks smaller."""
    tray = Tray()
    for n in range(6):
        tray.sees(hand=hand_over(0, 200 + 20 * n))
    tray.sees(sized(die(1, 310, sure=False, normal_xy=normal_xy), side), hand=hand_over(0, 320))
    for x in (330, 342, 346):
        tray.sees(die(1, x), hand=hand_over(0, 340))
    tray.sees(die(1, 346), hand=hand_over(0, 200))
    for _ in range(3):
        tray.sees(die(1, 346))
    assert outcomes(tray.rests(die(1, 346))) == [outcome]


@pytest.mark.parametrize(("far", "outcome"), [(36, TrackOutcome.THROWN), (14, TrackOutcome.UNCLEAR)])
def test_a_die_that_falls_out_of_a_hand_and_rolls_on_far_is_thrown(far: float, outcome: TrackOutcome) -> None:
    """The hand goes on with it, and only then draws back."""
    tray = Tray()
    for n in range(6):
        tray.sees(hand=hand_over(0, 220 + 20 * n))
    tray.sees(sized(die(6, 300, sure=False), 48), hand=hand_over(0, 340))
    for share in (0.55, 0.9):
        tray.sees(die(4, 300 + share * far), hand=hand_over(0, 100))
    lies = die(4, 300 + far)
    for _ in range(4):
        tray.sees(lies)
    assert outcomes(tray.rests(lies)) == [outcome]


@pytest.mark.parametrize(
    ("faces", "outcome"), [((1, 3), TrackOutcome.THROWN), ((1,), TrackOutcome.UNCLEAR)], ids=["two", "one"]
)
def test_a_die_that_falls_out_of_the_hand_with_others_is_thrown_though_it_shows_its_earlier_face(
    faces: tuple[int, ...], outcome: TrackOutcome
) -> None:
    """It stays where it falls. If only one other rolls, the hand may have laid it down: it is in doubt."""
    tray = Tray(*(die(face, 560 + 60 * n) for n, face in enumerate((2, 6, 5))))
    for _ in range(4):
        tray.sees(hand=hand_over(500, 760))
    for _ in range(3):
        tray.sees()
    for _ in range(3):
        tray.sees(hand=hand_over(100, 420))
    tray.sees(
        sized(die(3, 206, 290, sure=False), 54),
        *(die(face % 6 + 1, 270, 330 + 80 * n, normal_xy=(0.5, 0.2)) for n, face in enumerate(faces)),
        hand=hand_over(100, 240),
    )
    tray.sees(
        die(2, 200),
        *(die(6 - face, 320, 330 + 80 * n, normal_xy=(0.2, 0.4)) for n, face in enumerate(faces)),
    )
    fallen = [die(2, 200), *(die(face, 370, 330 + 80 * n) for n, face in enumerate(faces))]
    for _ in range(4):
        tray.sees(*fallen)
    found = outcomes(tray.rests(*fallen))
    assert found == [outcome, *[TrackOutcome.THROWN] * len(faces)]


@pytest.mark.parametrize(
    ("spinning", "outcome"), [((4, 1, 5), TrackOutcome.THROWN), ((5, 5, 5), TrackOutcome.UNCLEAR)]
)
def test_a_die_that_spins_with_a_thrown_one_is_thrown_though_it_shows_its_earlier_face(
    spinning: tuple[int, ...], outcome: TrackOutcome
) -> None:
    """Something large that is taken for a hand, such as a shadow, is there while they roll."""
    tray, hand = Tray(die(5, 500), die(3, 600)), hand_over(0, 230)
    for _ in range(2):
        tray.sees(die(5, 500), die(3, 600), hand=hand_over(450, 800))
    for n in range(12):
        tray.sees(hand=None if n < 8 else hand)
    for n, face in enumerate(spinning):
        tray.sees(die(face, 100 + 16 * n), die((2, 4, 6)[n], 600 - 60 * n), hand=hand)
    for _ in range(4):
        tray.sees(die(5, 140), die(6, 450), hand=hand)
    assert outcomes(tray.rests(die(5, 140), die(6, 450)))[0] is outcome


def test_a_die_that_falls_beside_a_hand_and_hardly_goes_on_is_asked_about() -> None:
    tray = Tray()
    for n in range(6):
        tray.sees(hand=hand_over(0, 200 + 20 * n))
    tray.sees(sized(die(1, 310, sure=False, normal_xy=(-0.2, 0.3)), 48), hand=hand_over(0, 320))
    for _ in range(5):
        tray.sees(die(4, 317), hand=hand_over(0, 200))
    assert outcomes(tray.rests(die(4, 317))) == [TrackOutcome.UNCLEAR]


def test_a_die_that_shows_another_face_as_it_leaves_a_hand_may_have_fallen_out_of_it() -> None:
    tray = Tray()
    for n in range(6):
        tray.sees(hand=hand_over(0, 200 + 20 * n))
    tray.sees(die(2, 310), hand=hand_over(0, 330))
    tray.sees(die(2, 306, 292, sure=False), hand=hand_over(0, 280))
    for _ in range(4):
        tray.sees(die(6, 312))
    assert outcomes(tray.rests(die(6, 312))) == [TrackOutcome.UNCLEAR]


@pytest.mark.parametrize(("rolled", "outcome"), [(True, TrackOutcome.THROWN), (False, TrackOutcome.UNCLEAR)])
def test_a_die_that_rolls_under_a_hand_is_waited_for_and_part_of_its_throw(
    rolled: bool, outcome: TrackOutcome
) -> None:
    arm, tray = hand_over(420, 800), Tray()
    for _ in range(3):
        tray.sees(hand=arm)
    for n, face in enumerate((2, 6, 3, 1, 5)):
        under = [die(face, 180 + 60 * n, 330, normal_xy=(0.5, 0.2))] if rolled else []
        tray.sees(*under, die(face % 6 + 1, 240 - 20 * n, 500, normal_xy=(0.4, 0.3)), hand=arm)
    beside = die(4, 130, 500)
    for _ in range(75):
        tray.sees(beside, hand=arm)
    assert tray.tracker.is_under_hand(arm, SIZE) == rolled
    assert not tray.tracker.is_under_hand(hand_over(600, 800), SIZE)
    uncovered = die(6, 480, 350)
    tray.sees(beside, uncovered, hand=hand_over(520, 800))
    for _ in range(4):
        tray.sees(beside, uncovered)
    assert outcomes(tray.rests(beside, uncovered)) == [TrackOutcome.THROWN, outcome]


def test_a_die_that_may_have_been_knocked_over_under_a_hand_is_asked_about() -> None:
    """A die thrown under the hand may have hit it; or both were thrown."""
    tray = Tray(die(5, 200))
    for _ in range(12):
        tray.sees(hand=hand_over(60, 420))
    tumbling = die(2, 306, normal_xy=(0.3, 0.2))
    tray.sees(die(6, 225), tumbling, hand=hand_over(60, 160))
    for _ in range(4):
        tray.sees(die(6, 225), die(3, 308))
    tracks = tray.rests(die(6, 225), die(3, 308))
    assert [(t.outcome.name, t.was and t.was.face) for t in tracks.dice] == [
        ("UNCLEAR", 5),
        ("THROWN", None),
    ]


@pytest.mark.parametrize(
    ("wide", "advance", "tilt", "thrown"),
    [
        pytest.param(100, 0, 0.4, True, id="still"),
        pytest.param(100, 1, 0.4, False, id="it may have pushed the die"),
        pytest.param(100, -1, 0.4, False, id="it may have laid it down"),
        pytest.param(100, 0, 0.0, False, id="the die did not tumble"),
        pytest.param(15, 0, 0.4, False, id="the die may hide that a finger goes with it"),
    ],
)
def test_a_die_that_tumbles_out_of_a_hand_that_stands_still_is_thrown(
    wide: int, advance: int, tilt: float, thrown: bool
) -> None:
    """It stops so near to the hand that this one is at it all the time, and stays."""
    tray = Tray()

    def hand(x: float) -> Mask:
        return hand_over(0, 292 + advance * (x - 290), 300 - wide, 300 + wide)

    for _ in range(4):
        tray.sees(hand=hand(290))
    for x, normal_x in ((290, tilt), (306, tilt), (318, 0.0)):
        tray.sees(die(5, x, normal_xy=(normal_x, 0.1)), hand=hand(x))
    for _ in range(18):
        tray.sees(die(5, 318, normal_xy=(0.0, 0.1)), hand=hand(318))
    for _ in range(3):
        tray.sees(die(5, 318, normal_xy=(0.0, 0.1)))
    (track,) = tray.rests(die(5, 318, normal_xy=(0.0, 0.1))).dice
    assert (track.outcome is TrackOutcome.THROWN) == thrown


@pytest.mark.parametrize(("x", "outcome"), [(240, "UNCLEAR"), (400, "PLACED")])
def test_a_die_that_a_hand_uncovers_may_have_knocked_over_one_that_rolled_out_from_under_it(
    x: float, outcome: str
) -> None:
    """Nobody saw it come, but it lies beside the place of the one that fell over, or does not."""
    tray, hand = Tray(die(3, 200)), partial(hand_over, 150)
    tray.sees(die(3, 200), hand=hand(460))
    for _ in range(2):
        tray.sees(hand=hand(460))
    tray.sees(die(3, 146), hand=hand(460))
    for _ in range(3):
        tray.sees(die(6, 120), hand=hand(460))
    for _ in range(4):
        tray.sees(die(6, 120), die(2, x))
    tracks = tray.rests(die(6, 120), die(2, x))
    assert [track.outcome.name for track in tracks.dice] == ["TIPPED", outcome]


@pytest.mark.parametrize(("sure", "spun"), [(True, True), (False, False)])
def test_a_face_that_fingers_hide_in_part_is_no_sign_that_a_die_spins(sure: bool, spun: bool) -> None:
    """A hand lays it down, and lets go of it."""
    held = replace(die(6, 300, sure=sure), confidence=0.92)
    observations = [Observation(0.0, held, touched=True), Observation(0.06, die(5, 320))]
    assert spins(Tracklet([*observations, Observation(0.2, die(5, 320))])) == spun


@pytest.mark.parametrize(("readings", "evidence"), [(3, 2), (8, 0)], ids=["on its way", "at rest"])
def test_another_face_at_rest_under_a_hand_is_no_evidence_of_a_tumble(readings: int, evidence: int) -> None:
    """A hand tidies two dice of one colour: the tracklet of the 3 shows the 2 for a while."""
    seen = [die(3, 460), *[die(2, 330)] * readings, *[die(3, 350)] * 4]
    observations = [Observation(n * STEP_S, each) for n, each in enumerate(seen)]
    tracklet = Tracklet(observations, Track(0, seen[0], TrackOutcome.UNMOVED), ever_touched=True)
    assert tumble_evidence(tracklet) == evidence


def test_an_unsure_die_that_is_pushed_to_where_another_lay_is_not_that_one() -> None:
    """A hand tidies: it pushes the red die away, and a green one with its face to its place."""
    red, green = partial(die, 2, colour="red"), partial(die, 2, colour="green")
    tray = Tray(red(400), green(200))
    for x in (240, 280, 320):
        tray.sees(red(400), green(x), hand=hand_over(100, x))
    for x in (440, 480):
        tray.sees(red(x), hand=hand_over(100, 380))
    for _ in range(10):
        tray.sees(red(480), green(380, sure=False), hand=hand_over(100, 380))
    for _ in range(3):
        tray.sees(red(480), green(400, sure=False))
    tracks = tray.rests(red(480), green(400, sure=False))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.MOVED]
    assert [track.was.colour for track in tracks.dice if track.was] == ["red", "green"]


def test_a_moved_die_is_the_sure_one_rather_than_one_that_the_border_cuts() -> None:
    tray = Tray(die(1, 300, colour="red"))
    edge = replace(die(3, 780, colour="red", sure=False), confidence=0.2, cut_off=True)
    tray.sees(hand=hand_over(200, 800))
    for x in (500, 520, 530, 530, 530):
        tray.sees(edge, die(1, x, colour="red"))
    assert outcomes(tray.rests(edge, die(1, 530, colour="red")))[1] is TrackOutcome.MOVED


def test_a_die_that_a_flicked_one_knocks_across_the_tray_is_not_thrown() -> None:
    """No hand was at it, and nothing was thrown that could have hit it."""
    red, blue = die(2, 200, colour="red"), die(5, 330, colour="blue")
    tray = Tray(red, blue)
    for _ in range(2):
        tray.sees(red, blue, hand=hand_over(100, 240))
    tray.sees(blue, hand=hand_over(100, 240))
    for n, face in enumerate((5, 3, 6, 4)):
        tilt = (0.4, 0.2) if n < 3 else (0.0, 0.0)
        knocked = die(face, 370 + 40 * n, colour="blue", normal_xy=tilt)
        flicked = die(4, 280 + 6 * n, colour="red", normal_xy=tilt)
        tray.sees(flicked, knocked, hand=hand_over(100, 180))
    ended = (die(4, 298, colour="red"), die(4, 490, colour="blue"))
    for _ in range(3):
        tray.sees(*ended)
    tracks = tray.rests(*ended)
    assert outcomes(tracks) == [TrackOutcome.TIPPED, TrackOutcome.TIPPED]
    assert tracks.lost == ()


@pytest.mark.parametrize(
    ("frames", "crosses", "step_s", "outcome"),
    [
        (7, True, STEP_S, TrackOutcome.UNCLEAR),
        (1, True, 0.25, TrackOutcome.THROWN),
        (2, True, STEP_S, TrackOutcome.UNCLEAR),
        (2, False, STEP_S, TrackOutcome.UNCLEAR),
    ],
    ids=["held", "rolled in", "lay behind what covered the lens", "laid down"],
)
def test_a_lone_die_that_nobody_saw_coming_was_thrown_if_something_crossed_the_tray_in_few_pictures(
    frames: int, crosses: bool, step_s: float, outcome: TrackOutcome
) -> None:
    """A fingertip at the border is too small for a hand. It hides so much that the die is not detected, or is
    gone at once. A die that rolls fast is only a blur, but many pictures a second show how it came."""
    tray = Tray(step_s=step_s)
    for n in range(9):
        seen = hand_over(240, 360, 240, 360) if n >= 9 - frames else hand_over(0, 0)
        if crosses and n < 8:
            seen |= hand_over(600, 640, 300, 340)
        tray.tracker.add_foreground(seen, tray.at_s + step_s)
        tray.sees()
    for _ in range(4):
        tray.sees(die(6, 300))
    assert outcomes(tray.rests(die(6, 300))) == [outcome]


def lone_die_after(foregrounds: Sequence[Mask], missing: int = 0) -> TrackOutcome:
    """The outcome of a die that is there all at once after these foregrounds, ten a second, and as many
    pictures that are missing."""
    lies = die(2, 700, 100)
    tray = Tray(lies, step_s=0.1)
    for mask in foregrounds:
        tray.tracker.add_foreground(mask, tray.at_s + 0.1)
        tray.sees(lies)
    tray.at_s += 0.1 * missing
    for _ in range(5):
        tray.sees(die(6, 360), lies)
    return outcomes(tray.rests(die(6, 360), lies))[0]


FINGERS = hand_over(80, 160, 560, 600)
"""What reaches in at the border, far from the die."""


@pytest.mark.parametrize(("missing", "outcome"), [(3, TrackOutcome.THROWN), (0, TrackOutcome.UNCLEAR)])
def test_a_lone_die_was_thrown_if_pictures_are_missing_as_it_may_have_come(
    missing: int, outcome: TrackOutcome
) -> None:
    """The computer was busy."""
    assert lone_die_after([FINGERS] * 8, missing) is outcome


@pytest.mark.parametrize(("flew", "outcome"), [(True, TrackOutcome.THROWN), (False, TrackOutcome.UNCLEAR)])
def test_a_lone_die_of_which_two_pictures_show_how_it_flew_in_was_thrown(
    flew: bool, outcome: TrackOutcome
) -> None:
    """A small die, too blurred to be detected, at ten pictures a second."""
    blurs = [hand_over(x, x + 50, 270, 330) for x in (200, 270)]
    came = [FINGERS | blur for blur in blurs] if flew else [FINGERS] * 2
    assert lone_die_after([*[FINGERS] * 4, *came]) is outcome


@pytest.mark.parametrize(("arm", "outcome"), [(False, TrackOutcome.THROWN), (True, TrackOutcome.UNCLEAR)])
def test_a_lone_die_that_is_detected_only_as_it_stops_was_thrown_if_it_flew_in(
    arm: bool, outcome: TrackOutcome
) -> None:
    """As a blur it was detected as nothing, and at first as nothing sure. Fingers that are not taken for a
    hand hold a die so, too, but an arm is behind them."""
    tray = Tray(die(2, 700, 100))
    for x in (700, 600, 500, 420, 350, 310):
        blur = hand_over(x - 30, 800 if arm else x + 30, 270, 330)
        tray.tracker.add_foreground(blur, tray.at_s + STEP_S)
        tray.sees(die(2, 700, 100))
    tray.sees(die(6, 302, sure=False), die(2, 700, 100))
    for _ in range(4):
        tray.sees(die(6, 300), die(2, 700, 100))
    assert outcomes(tray.rests(die(6, 300), die(2, 700, 100))) == [outcome, TrackOutcome.UNMOVED]


@pytest.mark.parametrize(("hand_px", "outcome"), [(46, TrackOutcome.THROWN), (200, TrackOutcome.UNCLEAR)])
def test_the_first_die_that_was_taken_for_a_hand_as_it_came_in_is_thrown(
    hand_px: int, outcome: TrackOutcome
) -> None:
    """The size of the dice is not known before."""
    tray = Tray()
    hand = hand_over(300, 300 + hand_px, 560, 600)
    tray.tracker.add_foreground(hand, tray.at_s + STEP_S)
    tray.sees(hand=hand)
    hand = hand_over(300, 300 + hand_px, 540, 590)
    tray.tracker.add_foreground(hand, tray.at_s + STEP_S)
    tray.sees(hand=hand)
    for y in (533, 526, 520, 520, 520):
        tray.sees(die(1, 322, y))
    assert outcomes(tray.rests(die(1, 322, 520))) == [outcome]


@pytest.mark.parametrize(("face", "outcome"), [(1, TrackOutcome.THROWN), (5, TrackOutcome.UNOBSERVED)])
def test_a_die_that_still_turned_over_as_the_tray_was_first_seen_is_part_of_the_throw(
    face: int, outcome: TrackOutcome
) -> None:
    """The tray was read while the throwing hand was over it. One that shows its face at once lay there."""
    tray = Tray(die(4, 100))
    for n, x in enumerate((400, 450, 480, 500, 500)):
        rolled = die((2, 6, 3, 1, 1)[n], x, normal_xy=(0.5, 0.2) if n < 2 else (0.0, 0.0))
        hand = hand_over(300, 650) if n == 0 else None
        tray.sees(die(4, 100), rolled, die(face if n < 2 else 5, 600), hand=hand)
    ended = outcomes(tray.rests(die(4, 100), die(1, 500), die(5, 600)))
    assert ended == [TrackOutcome.UNMOVED, TrackOutcome.THROWN, outcome]


def test_a_die_that_shows_a_side_as_it_rolls_on_did_not_land_on_the_one_that_it_hit() -> None:
    lower = die(1, 200)
    tray = Tray(lower)
    for n, face in enumerate((2, 5, 6)):
        tray.sees(die(face, 480 - 60 * n, normal_xy=(0.5, 0.2)), lower)
    tray.sees(die(6, 290, normal_xy=(0.5, 0.2)), die(5, 300, 290, sure=False), lower)
    for x, hit_x in ((270, 200), (250, 194), (242, 188), (240, 188), (240, 188)):
        tray.sees(die(5, x), sized(die(1, hit_x), 43 if hit_x == 194 else 40))
    ended = outcomes(tray.rests(die(5, 240), die(1, 188)))
    assert ended == [TrackOutcome.THROWN, TrackOutcome.MOVED]


def test_a_flicked_die_is_not_taken_for_what_shows_of_another_beside_it() -> None:
    """A finger flicks the white die: for a moment only a part of the red one shows beside it."""
    white, red = die(3, 400, colour="white"), die(3, 450, colour="red")
    tray, finger = Tray(white, red), partial(hand_over, 380, y0=250, y1=600)
    tray.sees(white, red)
    tray.sees(die(2, 398, colour="white"), hand=finger(470))
    tray.sees(sized(die(2, 441, colour="red"), 28), hand=finger(470))
    for n, (x, y) in enumerate(((400, 360), (380, 400), (370, 420), (365, 425))):
        hand = finger(470) if n == 0 else None
        tray.sees(die((4, 2, 1, 1)[n], x, y, normal_xy=(0.4, 0.3) if n < 2 else (0.0, 0.0)), red, hand=hand)
    ended = tray.rests(die(1, 365, 425), red)
    assert [(t.id, t.outcome) for t in ended.dice] == [(0, TrackOutcome.TIPPED), (1, TrackOutcome.UNMOVED)]


@pytest.mark.parametrize(
    ("rolled_px", "new_faces", "swapped"),
    [(0, (3, 3, 3, 3), True), (60, (3, 3, 3, 3), False), (0, (3, 5, 3, 3), False)],
    ids=["shot on", "rolled before", "showed another face"],
)
def test_a_die_that_a_thrown_one_of_its_colour_shoots_on_keeps_its_track(
    rolled_px: int, new_faces: Sequence[int], swapped: bool
) -> None:
    """The thrown one goes on in its tracklet, and it comes into sight on the other side."""
    lay = die(3, 400 + rolled_px, 200)
    tray = Tray(lay)
    tray.sees(lay)
    if rolled_px:
        tray.sees(die(3, 425, 200))
    tray.sees(die(3, 386, 200, sure=False))
    thrown = [die(4, 372, 204, normal_xy=(0.4, 0.3)), die(4, 345, 180), die(4, 335, 160), die(4, 335, 160)]
    for n, seen in enumerate(thrown):
        tray.sees(seen, die(new_faces[n], (330, 295, 285, 285)[n], 192))
    ended = tray.rests(die(4, 335, 160), die(3, 285, 192))
    assert (ended.dice[1].id == 0) == swapped
    if swapped:
        assert outcomes(ended) == [TrackOutcome.THROWN, TrackOutcome.MOVED]


@pytest.mark.parametrize(
    ("empty", "rolls", "idle", "outcome"),
    [
        (22, 3, hand_over(700, 800, 0, 100), TrackOutcome.THROWN),
        (22, 3, hand_over(210, 280, 440, 600), TrackOutcome.THROWN),  # it comes to lie at the other hand
        (22, 1, hand_over(210, 280, 440, 600), TrackOutcome.MOVED),  # it is laid down there
        (6, 3, hand_over(700, 800, 0, 100), TrackOutcome.MOVED),  # it was hidden for a moment, and pushed
    ],
)
def test_a_die_thrown_with_others_while_a_second_hand_idles_is_thrown_though_it_shows_its_face(
    empty: int, rolls: int, idle: Mask, outcome: TrackOutcome
) -> None:
    """The tray is never seen without a hand."""
    tray = Tray(die(2, 200), die(6, 300), die(5, 400))
    for _ in range(4):
        tray.sees(hand=hand_over(150, 450) | idle)
    for _ in range(empty):
        tray.sees(hand=idle)
    for n in range(6):
        rolled = [(3, 4, 1)[n] if n < 3 else 1 for _ in range(2)]
        x, tilt = 380 - 20 * min(n, 3), (0.5, 0.2) if n < 3 else (0.0, 0.0)
        tray.sees(
            die(2, 232 + (12, 4, 0)[min(n + 3 - rolls, 2)], 420),
            *(die(face, x + 90 * m, 480, normal_xy=tilt) for m, face in enumerate(rolled)),
            hand=idle,
        )
    ended = tray.rests(die(2, 232, 420), die(1, 320, 480), die(1, 410, 480))
    assert outcomes(ended) == [outcome, TrackOutcome.THROWN, TrackOutcome.THROWN]


@pytest.mark.parametrize(("late", "outcome"), [(True, TrackOutcome.THROWN), (False, TrackOutcome.MOVED)])
def test_what_comes_to_a_die_that_lies_still_again_did_not_move_it(late: bool, outcome: TrackOutcome) -> None:
    """The tray is shaken, the die hops and shows its face again. A lamp's band is then taken for a hand."""
    tray, band = Tray(die(1, 200)), hand_over(0, 800, 250, 350)
    for n, (face, x) in enumerate(((1, 200), (4, 215), (2, 230), (1, 240), (1, 240), (1, 240), (1, 240))):
        tilt = (0.5, 0.2) if n in (1, 2) else (0.0, 0.0)
        tray.sees(die(face, x, normal_xy=tilt), hand=band if n == (5 if late else 2) else None)
    assert outcomes(tray.rests(die(1, 240))) == [outcome]


def test_a_quickly_pushed_camera_brings_a_die_into_the_picture_in_one_step() -> None:
    tray = Tray(die(4, 300, 300))
    came = replace(die(6, 12, 573, sure=False), cut_off=True)
    tray.sees(die(4, 294, 306))
    tray.sees(die(4, 328, 268), came)
    for x, y in ((355, 235), (356, 232), (356, 232)):
        tray.sees(die(4, x, y), die(6, 39 + x - 355, 545 + y - 235))
    ended = tray.rests(die(4, 356, 232), die(6, 40, 542))
    assert outcomes(ended) == [TrackOutcome.MOVED, TrackOutcome.UNOBSERVED]


def test_a_flicked_die_goes_on_as_itself_though_the_finger_blurs_another_beside_it() -> None:
    """The blurred one is nearer, and its colour is not sure then."""
    white, green = die(4, 313, 207, colour="white"), die(6, 304, 263, colour="green")
    tray = Tray(white, green)
    tray.sees(white, green)
    tray.sees(sized(die(6, 299, 263, colour="green", sure=False), 36), hand=hand_over(270, 330, 150))
    for _ in range(2):
        tray.sees(hand=hand_over(260, 440, 150))
    tray.sees(
        die(2, 417, 327, colour="white", sure=False),
        die(6, 267, 359, colour="green"),
        hand=hand_over(250, 440, 150),
    )
    for n in range(4):
        rolled = die(6, (460, 471, 471, 471)[n], 355, colour="white")
        tray.sees(rolled, die(6, (253, 249, 249, 249)[n], 404, colour="green"))
    ended = tray.rests(die(6, 471, 355, colour="white"), die(6, 249, 404, colour="green"))
    assert TrackOutcome.THROWN not in outcomes(ended)
    assert [track.id for track in ended.dice] == [0, 1]


def test_a_die_that_tumbles_in_with_others_is_not_the_one_under_the_hand() -> None:
    """The hand that threw stays over a die that lay there, and shows it afterwards."""
    lay = die(1, 200, 200)
    tray, arm = Tray(lay), hand_over(150, 260, 0, 240)
    tray.sees(lay)
    tray.sees(hand=arm)
    for n, x in enumerate((330, 390, 430, 450)):
        face = (6, 3, 6, 3)[n]
        tilt = (0.5, 0.2) if n < 3 else (0.0, 0.0)
        others = [die((2, 4, 1, 5)[n], x - 20, y, normal_xy=tilt) for y in (330, 430)]
        tray.sees(die(face, x, 180, normal_xy=tilt), *others, hand=arm)
    rest = [die(3, 450, 180), die(5, 430, 330), die(5, 430, 430)]
    for _ in range(3):
        tray.sees(*rest, hand=arm)
    tray.at_s += STEP_S
    assert (
        outcomes(tray.tracker.settled(Reading(SIZE, tuple(rest)), arm, tray.at_s))
        == [TrackOutcome.THROWN] * 3
    )
    for _ in range(3):
        tray.sees(lay, *rest)
    assert outcomes(tray.rests(lay, *rest)) == [TrackOutcome.UNMOVED] * 4


def test_a_thrown_die_that_stops_where_one_was_taken_from_is_not_that_one() -> None:
    """Fingers blurred the face of the one that lay there as they took it. This one comes too fast to be
    detected, with another."""
    tray = Tray(die(5, 300), die(4, 600))
    blurred = replace(die(5, 302, sure=False), confidence=0.4)
    tray.sees(blurred, die(4, 600), hand=hand_over(290, 420))
    for _ in range(3):
        tray.sees(hand=hand_over(250, 700))
    for _ in range(10):
        tray.sees()
    for x, face in ((560, 2), (500, 6)):
        tray.sees(die(face, x, 500, normal_xy=(0.5, 0.2)))
    for _ in range(4):
        tray.sees(die(1, 301), die(3, 450, 500))
    assert outcomes(tray.rests(die(1, 301), die(3, 450, 500))) == [TrackOutcome.THROWN] * 2


def test_a_die_under_a_fingertip_that_came_with_it_was_not_surely_thrown() -> None:
    """The fingertip is too small for a hand, and rests on the die."""
    tray = Tray(die(4, 100))

    def sees(*dice: SeenDie, hand: Mask | None = None) -> None:
        tray.tracker.add_foreground(hand_over(550, 640, 280, 400), tray.at_s + STEP_S)
        tray.sees(die(4, 100), *dice, hand=hand)

    sees()
    for x in (590, 582):
        sees(die(2, x, sure=False), hand=hand_over(560, 620, 320))
    for _ in range(5):
        sees()
    under = die(2, 570, sure=False)
    for _ in range(5):
        sees(under)
    assert outcomes(tray.rests(die(4, 100), under)) == [TrackOutcome.UNMOVED, TrackOutcome.UNCLEAR]


def test_what_a_fingertip_leaves_to_be_seen_of_a_die_is_that_die() -> None:
    """It rests on the die before it pushes it, and is too small for a hand."""
    tray, whole = Tray(die(6, 300), die(4, 600)), die(6, 300)
    part = partly_hidden(whole, 2, 0.6)
    tray.sees(whole, die(4, 600))
    tray.sees(die(4, 600))
    for _ in range(4):
        tray.sees(part, die(4, 600))
    pressed = tray.rests(part, die(4, 600))
    assert [(track.id, track.outcome) for track in pressed.dice] == [(1, TrackOutcome.UNMOVED)]
    assert [(lost.id, lost.reason) for lost in pressed.lost] == [(0, LossReason.COVERED)]
    for x in (280, 240, 200):
        tray.sees(partly_hidden(die(6, x), 2, 0.6), die(4, 600), hand=hand_over(x, x + 90, 305))
    for _ in range(3):
        tray.sees(die(6, 200), die(4, 600))
    moved = tray.rests(die(6, 200), die(4, 600))
    assert outcomes(moved) == [TrackOutcome.MOVED, TrackOutcome.UNMOVED]
    assert moved.dice[0].id == 0


def test_a_die_that_comes_out_from_a_hand_as_it_hides_one_that_was_moved_is_asked_about() -> None:
    """It may have been thrown, and have hit that one under the hand."""
    tray, hand = Tray(die(1, 300)), hand_over(220, 480)
    tray.sees(die(1, 300))
    for _ in range(9):
        tray.sees(hand=hand)
    for x in (240, 224, 212, 208):
        tray.sees(die(4, x, 380), hand=hand)
    for _ in range(4):
        tray.sees(die(4, 208, 380), hand=hand_over(300, 480))
    for _ in range(3):
        tray.sees(die(4, 208, 380), die(1, 350))
    tracks = tray.rests(die(4, 208, 380), die(1, 350))
    assert outcomes(tracks) == [TrackOutcome.UNCLEAR, TrackOutcome.MOVED]


def test_a_die_that_the_throwing_hand_hid_in_part_before_the_throw_knocks_it_over_is_knocked_over() -> None:
    """The hand is about to throw, draws back, and lets the die go that hits this one."""
    tray, lay, hand = Tray(die(4, 300)), die(4, 300), hand_over(200, 320)
    tray.sees(lay)
    tray.sees(lay, hand=hand)
    for _ in range(2):
        tray.sees(die(2, 305, sure=False, normal_xy=(0.1, 0.1)), hand=hand)
    tray.sees(lay, hand=hand)
    for x, face in ((220, 3), (240, 1)):
        tray.sees(die(face, x, normal_xy=(0.5, 0.3)), lay)
    tray.sees(die(1, 254), replace(die(4, 308), normal_xy=(0.0, -0.3)))
    tray.sees(die(1, 256), die(6, 312, sure=False))
    for _ in range(3):
        tray.sees(die(1, 256), die(6, 316))
    tracks = tray.rests(die(1, 256), die(6, 316))
    assert [(track.id, track.outcome) for track in tracks.dice] == [
        (1, TrackOutcome.THROWN),
        (0, TrackOutcome.TIPPED),
    ]


def test_what_a_fingertip_too_dark_to_be_seen_leaves_of_a_die_as_it_goes_is_no_tumble() -> None:
    tray, whole = Tray(die(2, 300), die(4, 600)), die(2, 220)
    tray.sees(die(2, 300), die(4, 600))
    for _ in range(4):
        tray.sees(die(4, 600))
    tray.rests(die(4, 600))
    tray.sees(die(4, 600))
    part = replace(partly_hidden(whole, 1, 0.9), normal_xy=(-0.5, -0.1))
    tray.sees(die(4, 600), part)
    for _ in range(3):
        tray.sees(die(4, 600), whole)
    assert TrackOutcome.THROWN not in outcomes(tray.rests(die(4, 600), whole))


@pytest.mark.parametrize(("side", "outcome"), [(45, TrackOutcome.UNCLEAR), (41, TrackOutcome.PLACED)])
def test_a_die_that_was_higher_as_the_fingers_left_it_and_went_on_may_be_thrown(
    side: float, outcome: TrackOutcome
) -> None:
    """What shows of it between the fingers is smaller than the whole die."""
    tray, hand = Tray(die(4, 700)), hand_over(200, 320)
    tray.sees(die(4, 700))
    for _ in range(6):
        tray.sees(die(4, 700), hand=hand)
    tray.sees(die(4, 700), partly_hidden(die(6, 300), 2, 0.7), hand=hand)
    tray.sees(die(4, 700), sized(die(6, 316), side))
    for _ in range(4):
        tray.sees(die(4, 700), die(6, 324))
    assert outcomes(tray.rests(die(4, 700), die(6, 324)))[1] is outcome


@pytest.mark.parametrize(
    ("face", "outcome"),
    [(1, TrackOutcome.THROWN), (2, TrackOutcome.UNCLEAR)],
    ids=["another face", "its face"],
)
def test_a_die_that_is_seen_to_fall_over_out_of_a_hand_is_thrown(face: int, outcome: TrackOutcome) -> None:
    tray, hand = Tray(die(4, 700)), hand_over(200, 320)
    for _ in range(6):
        tray.sees(die(4, 700), hand=hand)
    tray.sees(die(4, 700), sized(die(face, 316, normal_xy=(-0.36, -0.34)), 48), hand=hand)
    tray.sees(die(4, 700), sized(die(2, 320, normal_xy=(0.16, 0.15)), 44))
    for _ in range(4):
        tray.sees(die(4, 700), die(2, 324))
    assert outcomes(tray.rests(die(4, 700), die(2, 324)))[1] is outcome


@pytest.mark.parametrize(("went", "outcome"), [(8, TrackOutcome.UNCLEAR), (3, TrackOutcome.PLACED)])
def test_a_die_that_is_seen_wholly_and_goes_on_as_the_hand_leaves_it_may_be_thrown(
    went: float, outcome: TrackOutcome
) -> None:
    """Fingers let go of a die that lies still."""
    tray = Tray(die(4, 700))
    for _ in range(6):
        tray.sees(die(4, 700), hand=hand_over(200, 320))
    tray.sees(die(4, 700), die(1, 316), hand=hand_over(200, 330))
    lies = die(1, 316 + went)
    for _ in range(4):
        tray.sees(die(4, 700), lies, hand=hand_over(0, 100))
    assert outcomes(tray.rests(die(4, 700), lies))[1] is outcome


def test_a_lamp_that_is_not_surely_a_die_was_not_thrown_when_it_shines_again_beside_a_throw() -> None:
    tray, lamp = Tray(), die(1, 200, 500, sure=False, colour="blue")
    tray.tracker = Tracker()
    for _ in range(10):
        tray.sees(lamp)
    for _ in range(4):
        tray.sees(hand=hand_over(100, 400))
    tray.rolls(die(5, 400))
    for _ in range(3):
        tray.sees(die(5, 400), lamp)
    assert outcomes(tray.rests(die(5, 400), lamp)) == [TrackOutcome.THROWN, TrackOutcome.UNOBSERVED]


def test_what_fingers_leave_to_be_seen_of_a_die_as_they_go_is_no_tumble() -> None:
    """The die was hidden before, and counted as taken away."""
    tray, whole = Tray(die(6, 300)), die(6, 560)
    for _ in range(4):
        tray.sees()
    assert [lost.reason for lost in tray.rests().lost] == [LossReason.LIFTED]
    for _ in range(4):
        tray.sees(hand=hand_over(540, 700))
    part = replace(partly_hidden(whole, 6, 0.7), normal_xy=(0.4, 0.2), confidence=0.74)
    tray.sees(part)
    for _ in range(4):
        tray.sees(whole)
    assert outcomes(tray.rests(whole)) == [TrackOutcome.PLACED]


def test_a_die_under_a_fingertip_that_is_not_detected_was_nudged_and_not_thrown() -> None:
    """The fingertip leaves a part of it to be seen, with too few pips to be read, and goes."""
    tray = Tray(die(6, 200))
    tray.sees()
    tray.rests()
    nothing, hidden = np.zeros((120, SMALL_W), bool), replace(die(3, 220, sure=False), confidence=0.2)
    for n, seen in enumerate([hidden] * 4 + [die(6, 217), die(6, 220), die(6, 220)]):
        tray.tracker.add_foreground(nothing, tray.at_s + STEP_S)
        tray.sees(*[seen] * (n > 0))
    assert outcomes(tray.rests(die(6, 220))) == [TrackOutcome.MOVED]


@pytest.mark.parametrize(("x", "outcome"), [(400, TrackOutcome.MOVED), (480, TrackOutcome.UNCLEAR)])
def test_a_die_comes_out_under_a_fingertip_that_crossed_nothing_else_and_is_the_one_that_it_hid(
    x: float, outcome: TrackOutcome
) -> None:
    """From farther off it may have been thrown; but it is known which one it was if it was not."""
    tray = Tray(die(6, 200), die(4, 700))
    tray.sees(die(4, 700))
    tray.rests(die(4, 700))
    fingertip = hand_over(x - 20, x + 20, 285, 340)
    for n in range(10):
        tray.tracker.add_foreground(fingertip, tray.at_s + STEP_S)
        tray.sees(die(4, 700), *[die(6, x)] * (n > 6))
    tracks = tray.rests(die(4, 700), die(6, x))
    assert [(t.id, t.outcome, t.was and t.was.face) for t in tracks.dice][1] == (0, outcome, 6)


@pytest.mark.parametrize(("sure", "outcome"), [(False, "UNCLEAR"), (True, "THROWN")])
def test_what_a_fingertip_leaves_of_a_die_that_it_pushes_on_is_no_roll(sure: bool, outcome: str) -> None:
    """It is not taken for a hand, and crosses nothing else of the tray. A die that is surely read rolls."""
    tray = Tray(die(4, 300, 200), die(1, 700))
    tray.sees(die(1, 700))
    tray.rests(die(1, 700))
    for n in range(8):
        y = 220 if n < 2 else 290
        tray.tracker.add_foreground(hand_over(285, 315, y - 20, y + 20), tray.at_s + STEP_S / 2)
        seen = (
            [die(2, 300, y, sure=sure, normal_xy=(0.1, -0.1))]
            if n in (1, 3)
            else [die(4, 303, 290)] * (n > 4)
        )
        tray.sees(die(1, 700), *seen)
    (pushed, _) = tray.rests(die(4, 303, 290), die(1, 700)).dice
    assert (pushed.id == 0, pushed.outcome.name) == (not sure, outcome)


@pytest.mark.parametrize(
    ("x", "hidden_s", "expected"),
    [(210, 0.5, (0, "TURNED")), (210, 2.0, (0, "UNCLEAR")), (300, 0.5, (2, "UNOBSERVED"))],
)
def test_a_die_that_lies_there_with_another_face_when_unseen_fingers_leave_it_was_turned(
    x: float, hidden_s: float, expected: tuple[int, str]
) -> None:
    """They hid it at the border. One that they hid for longer may have been taken and thrown, and one that
    lies elsewhere is another, which was found."""
    tray = Tray(die(6, 200), die(4, 700))
    for _ in range(round(hidden_s / STEP_S)):
        tray.sees(die(4, 700))
    tray.rests(die(4, 700))
    tray.tracker.add_foreground(hand_over(x - 20, x + 20, 285, 340), tray.at_s + STEP_S / 2)
    for _ in range(5):
        tray.sees(die(4, 700), die(3, x))
    (_, turned) = tray.rests(die(4, 700), die(3, x)).dice
    assert (turned.id, turned.outcome.name) == expected


@pytest.mark.parametrize(
    ("lay", "outcome"),
    [
        ([die(2, 400), die(4, 600)], TrackOutcome.TURNED),
        ([], TrackOutcome.UNOBSERVED),
    ],
)
def test_a_die_that_differs_alone_was_turned_although_the_hand_covered_most_of_the_picture(
    lay: list[SeenDie], outcome: TrackOutcome
) -> None:
    """A lone die may have been thrown behind a hand near the lens."""
    tray = Tray(die(1, 200), *lay)
    tray.sees(die(1, 200), *lay)
    for _ in range(8):
        tray.sees(hand=hand_over(0, 700, 0))
    for _ in range(3):
        tray.sees(die(4, 204, 305), *lay)
    assert outcomes(tray.rests(die(4, 204, 305), *lay))[0] is outcome


def test_a_lamp_that_blinks_and_was_off_at_rest_is_no_die_of_the_next_throw() -> None:
    lamp, tray = die(1, 650, 100, sure=False), Tray(die(4, 200))
    for _ in range(2):
        for _ in range(3):
            tray.sees(die(4, 200), lamp)
        for _ in range(9):
            tray.sees(die(4, 200))
    assert len(tray.rests(die(4, 200)).dice) == 1
    tray.rolls(die(5, 400), beside=[die(4, 200)])
    tray.sees(die(4, 200), die(5, 400), lamp)
    tracks = tray.rests(die(4, 200), die(5, 400), lamp)
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN, TrackOutcome.UNOBSERVED]


def test_a_die_that_rolls_on_from_the_hand_at_the_border_was_perhaps_thrown() -> None:
    """It tumbles behind the fingers, so that only its last half side is seen."""
    hand, tray = hand_over(300, 420, 540), Tray()
    tray.sees()
    for _ in range(6):
        tray.sees(hand=hand)
    for x, y in ((410, 540), (414, 533), (419, 526), (423, 522)):
        tray.sees(die(3, x, y), hand=hand if y == 540 else None)
    for _ in range(3):
        tray.sees(die(3, 423, 521))
    assert outcomes(tray.rests(die(3, 423, 521))) == [TrackOutcome.UNCLEAR]


def test_a_die_is_not_laid_down_beside_one_that_tumbles_out_of_the_same_hand() -> None:
    """The thrown die shows the face of the one that lay there, and knocks it over under the hand."""
    hand, tray = hand_over(200, 420), Tray(die(3, 300), die(6, 600))
    tray.sees(die(3, 300), die(6, 600))
    tray.sees(die(3, 300), die(6, 600), hand=hand)
    for _ in range(4):
        tray.sees(die(6, 600), hand=hand)
    tray.sees(die(2, 265, 290), die(6, 600))
    for face in (2, 3, 3, 3, 3):
        tray.sees(die(face, 265, 290), die(5, 378), die(6, 600))
    tracks = tray.rests(die(3, 265, 290), die(5, 378), die(6, 600))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.UNCLEAR, TrackOutcome.UNMOVED]


def test_dice_that_lay_there_before_the_tray_was_ever_at_rest_are_found_when_a_hand_uncovers_them() -> None:
    """A lamp that blinks keeps the tray from resting until the first throw, and hides the hand."""
    tray = Tray()
    tray.tracker = Tracker()
    for _ in range(12):
        tray.sees(die(3, 400), die(2, 600))
    for _ in range(9):
        tray.sees()
    for n, face in enumerate((4, 6, 2, 2, 2)):
        tray.sees(die(face, 300 - 30 * min(n, 2)), die(3, 400), die(2, 600))
    tracks = tray.rests(die(2, 240), die(3, 400), die(2, 600))
    assert outcomes(tracks) == [TrackOutcome.THROWN, TrackOutcome.UNOBSERVED, TrackOutcome.UNOBSERVED]


def test_a_die_that_an_undetected_finger_pushes_by_half_a_side_does_not_roll() -> None:
    """What the finger leaves of it in the dark is hardly read, and seems tilted."""
    tray = Tray(die(4, 200))
    tray.sees(die(4, 200))
    for x in (198, 195, 191, 187):
        tray.sees(replace(die(2, x, 310, sure=False, normal_xy=(0.5, 0.2)), likely=()))
    for _ in range(3):
        tray.sees(die(4, 183, 320))
    assert outcomes(tray.rests(die(4, 183, 320))) == [TrackOutcome.MOVED]


def test_two_dice_that_a_hand_had_gathered_are_not_both_the_one_that_lay_nearest() -> None:
    tray = Tray(die(6, 200), die(6, 600), die(2, 400))
    tray.sees(die(6, 200), die(6, 600), die(2, 400))
    for _ in range(4):
        tray.sees(die(2, 400), hand=hand_over(150, 250) | hand_over(550, 650))
    for _ in range(8):
        tray.sees(die(2, 400))
    assert len(tray.rests(die(2, 400)).lost) == 2
    tray.sees(die(2, 400))
    for _ in range(6):
        tray.sees(die(2, 400), hand=hand_over(150, 300))
    for _ in range(3):
        tray.sees(die(6, 200), die(6, 245), die(2, 400))
    tracks = tray.rests(die(6, 200), die(6, 245), die(2, 400))
    ids = [track.id for track in tracks.dice]
    assert len(set(ids)) == len(ids)


def test_a_die_that_a_hand_gathers_leaves_the_nearest_lost_one_to_a_die_that_can_be_no_other() -> None:
    """The second six lay still in its place when the first was put down, and ends nearer to that one's."""
    tray, five = Tray(die(6, 100), die(6, 700), die(5, 420, 380)), die(5, 420, 380)
    tray.sees(die(6, 100), die(6, 700), five)
    for _ in range(12):
        tray.sees(die(6, 700), hand=hand_over(50, 520))
    for _ in range(4):
        tray.sees(die(6, 480), die(6, 700), five, hand=hand_over(300, 520))
    for _ in range(15):
        tray.sees(hand=hand_over(250, 760))
    now = (die(6, 300), die(6, 480), five)
    for _ in range(3):
        tray.sees(*now)
    tracks = tray.rests(*now)
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.MOVED, TrackOutcome.UNMOVED]
    assert [track.was.centre_xy[0] for track in tracks.dice if track.was] == [700, 100, 420]


@pytest.mark.parametrize(
    ("unsure", "outcome"),
    [
        (die(3, 350, sure=False), TrackOutcome.MOVED),
        (die(5, 350, sure=False), TrackOutcome.UNCLEAR),
        (replace(die(3, 350, sure=False), likely=((3, 0.9), (4, 0.05))), TrackOutcome.UNCLEAR),
        (die(3, 350, sure=False, colour="red"), TrackOutcome.UNCLEAR),
    ],
)
def test_a_die_that_a_hand_pushes_partly_under_another_was_moved_if_its_face_is_likely(
    unsure: SeenDie, outcome: TrackOutcome
) -> None:
    """The second likeliest face is the one after that which it seems to show: the four."""
    tray, beside = Tray(die(4, 150), die(2, 400)), die(2, 400)
    tray.sees(die(4, 150), beside)
    for _ in range(20):
        tray.sees(hand=hand_over(100, 450))
    for _ in range(3):
        tray.sees(unsure, beside)
    assert outcomes(tray.rests(unsure, beside)) == [outcome, TrackOutcome.UNMOVED]


def test_an_unsure_die_is_rather_the_lost_one_with_its_likeliest_face_than_a_nearer_one() -> None:
    tray, unsure = Tray(die(3, 100), die(4, 300)), die(3, 350, sure=False)
    tray.sees(die(3, 100), die(4, 300))
    for _ in range(20):
        tray.sees(hand=hand_over(50, 450))
    for _ in range(3):
        tray.sees(unsure)
    (track,) = tray.rests(unsure).dice
    assert track.was is not None
    assert track.was.face == 3


@pytest.mark.parametrize(("box", "outcome"), [((430, 0, 40, 12), "moved"), ((444, 0, 12, 12), "unclear")])
def test_a_die_that_a_hand_gathers_from_the_border_of_the_picture_is_moved(
    box: tuple[int, int, int, int], outcome: str
) -> None:
    """The border hid most of its face. What was as small both ways was no die."""
    cut = replace(die(1, 450, sure=False), box_xywh=box, confidence=0.2, cut_off=True)
    tray, beside, now = Tray(cut, die(4, 300)), die(4, 300), die(3, 350)
    tray.sees(cut, beside)
    for _ in range(4):
        tray.sees(beside, hand=hand_over(400, 500, 0, 100))
    for _ in range(16):
        tray.sees(hand=hand_over(250, 500, 0, 400))
    tray.sees(die(2, 352), beside, hand=hand_over(360, 500, 0, 400))  # a finger hides a pip
    for _ in range(3):
        tray.sees(now, beside)
    assert outcomes(tray.rests(now, beside)) == [TrackOutcome(outcome), TrackOutcome.UNMOVED]


@pytest.mark.parametrize(("stays", "outcome"), [(True, TrackOutcome.THROWN), (False, TrackOutcome.TIPPED)])
def test_a_die_that_falls_out_of_a_hand_with_another_is_none_that_the_hand_still_covers(
    stays: bool, outcome: TrackOutcome
) -> None:
    """If the hand has left the place of the die that lay there, it knocked that one over."""
    tray, arm = Tray(die(5, 300)), hand_over(200, 330)
    tray.sees(hand=arm)
    hand = arm if stays else hand_over(700, 800, 0, 100)
    for n, (face, x) in enumerate(((6, 390), (3, 450), (4, 520), (1, 580))):
        other = die((2, 6, 3, 1)[n], 380 + 20 * n, 430, normal_xy=(0.4, 0.2))
        tray.sees(die(face, x, 320, normal_xy=(0.4, 0.2)), other, hand=hand)
    ended = (die(2, 600, 320), die(1, 445, 430))
    for _ in range(4):
        tray.sees(*ended, hand=hand)
    tracks = tray.tracker.settled(Reading(SIZE, ended), hand, tray.at_s + STEP_S)
    assert outcomes(tracks) == [outcome, TrackOutcome.THROWN]


def test_a_die_that_comes_to_lie_on_a_figure_is_thrown() -> None:
    """The figure looks like a die that is not sure, and seems to lie there at the start."""
    figure = replace(die(3, 500, sure=False), box_xywh=(487.0, 287.0, 26.0, 26.0))
    tray = Tray()
    tray.sees(figure)
    tray.sees(figure, die(6, 380, normal_xy=(0.4, 0.2)))
    for face, x in ((5, 440), (2, 478)):
        tray.sees(die(face, x, normal_xy=(0.4, 0.2)))
    for _ in range(4):
        tray.sees(die(4, 503))
    assert outcomes(tray.rests(die(4, 503))) == [TrackOutcome.THROWN]


@pytest.mark.parametrize(
    ("faces", "outcome"), [((6, 6, 6), TrackOutcome.MOVED), ((6, 2, 6), TrackOutcome.THROWN)]
)
def test_a_die_whose_smeared_face_is_misread_as_it_slides_is_moved(
    faces: tuple[int, ...], outcome: TrackOutcome
) -> None:
    """The hand that pushes it stays a little behind. Another face shows a tumble."""
    tray = Tray(die(3, 200))
    tray.sees(die(3, 200))
    for n, face in enumerate(faces):
        smeared = replace(die(face, 230 + 35 * n, normal_xy=(0.25, 0.2)), normal_error=0.09)
        tray.sees(smeared, hand=hand_over(20, 100 + 35 * n))
    for _ in range(4):
        tray.sees(die(3, 330), hand=hand_over(20, 200))
    assert outcomes(tray.rests(die(3, 330))) == [outcome]


@pytest.mark.parametrize(("x", "outcome"), [(300, TrackOutcome.THROWN), (480, TrackOutcome.UNCLEAR)])
def test_a_die_that_rolls_on_out_of_a_hand_into_another_is_thrown(x: float, outcome: TrackOutcome) -> None:
    """If it stops far from the one that slides off, something else pushed that one."""
    tray, hand = Tray(die(2, x)), hand_over(250, 330, 120, 260)
    for _ in range(3):
        tray.tracker.add_foreground(hand, tray.at_s + STEP_S)
        tray.sees(die(2, x), hand=hand)
    tray.sees(die(5, 308, 214, sure=False), die(2, x), hand=hand)
    for y in (232, 238, 243):
        tray.sees(die(6, 300, y), die(2, x), hand=hand_over(250, 330, 100, 160))
    for n in (1, 2, 3, 3, 3, 3):
        tray.sees(die(6, 300, 246), die(2, x + 5 * n, 300 + 15 * n))
    tracks = tray.rests(die(6, 300, 246), die(2, x + 15, 345))
    assert outcomes(tracks) == [outcome, TrackOutcome.MOVED]


@pytest.mark.parametrize(
    ("others", "outcome"), [((1, 4, 3), TrackOutcome.THROWN), ((4,), TrackOutcome.MOVED)]
)
def test_a_die_that_slides_out_from_a_hand_with_many_thrown_ones_is_thrown_though_it_shows_its_face(
    others: tuple[int, ...], outcome: TrackOutcome
) -> None:
    """No picture shows the tray without the hand, and none of them tumbling. One other proves too little."""
    tray = Tray(die(2, 300), die(6, 360), die(5, 420), die(5, 480))
    for _ in range(24):
        tray.sees(hand=hand_over(150, 550))
    for n in range(8):
        slid = min(n, 3)
        tray.sees(
            die(2, 260 + 9 * slid, 330),
            *(die(face, 400 + 70 * m + 18 * slid, 420) for m, face in enumerate(others)),
            hand=hand_over(150, 330),
        )
    ended = [die(2, 287, 330), *(die(face, 454 + 70 * m, 420) for m, face in enumerate(others))]
    assert outcomes(tray.rests(*ended)) == [outcome, *[TrackOutcome.THROWN] * len(others)]


@pytest.mark.parametrize(
    ("others", "outcome"), [((1, 4, 3), TrackOutcome.THROWN), ((1, 4), TrackOutcome.MOVED)]
)
def test_a_die_that_a_hand_hid_beside_many_that_tumbled_out_of_it_is_thrown_though_it_shows_its_face(
    others: tuple[int, ...], outcome: TrackOutcome
) -> None:
    """It came to rest while the hand still hid it. A hand that lays one down throws no others just then."""
    tray = Tray(die(2, 300), die(6, 360), die(5, 420), die(5, 480))
    for _ in range(24):
        tray.sees(hand=hand_over(150, 550))
    for _ in range(15):
        tray.sees()
    fist = hand_over(200, 500, 200, 460)
    for _ in range(8):
        tray.sees(hand=fist)
    tilted = partial(die, normal_xy=(0.4, 0.3))
    for n, face in enumerate((6, 2)):
        tumbling = (tilted(face, 520 + 20 * n, 250 + 60 * m) for m in range(len(others)))
        tray.sees(die(2, 300, 430), *tumbling, hand=fist)
    lie = [die(2, 300, 430), *(die(face, 560, 250 + 60 * m) for m, face in enumerate(others))]
    for _ in range(5):
        tray.sees(*lie)
    assert outcomes(tray.rests(*lie)) == [outcome, *[TrackOutcome.THROWN] * len(others)]


def test_a_die_that_a_fingertip_hid_in_part_as_the_tray_settled_shows_its_face_again_where_it_is_let_go() -> (
    None
):
    tray, fingertip = Tray(die(6, 300)), hand_over(290, 310, 310)
    for _ in range(4):
        tray.sees(die(3, 298, sure=False), hand=fingertip)
    (before,) = tray.rests(die(3, 298, sure=False)).dice
    assert before.outcome is TrackOutcome.TURNED
    for n in range(12):
        tray.sees(hand=hand_over(220 + 20 * n, 400 + 20 * n))
    for _ in range(3):
        tray.sees(die(6, 520), hand=hand_over(500, 600))
    for _ in range(4):
        tray.sees(die(6, 520))
    (track,) = tray.rests(die(6, 520)).dice
    assert (track.id, track.outcome) == (before.id, TrackOutcome.MOVED)


@pytest.mark.parametrize(("slides", "outcome"), [(True, TrackOutcome.UNCLEAR), (False, TrackOutcome.PLACED)])
def test_a_die_that_comes_out_from_a_hand_just_as_another_slides_off_from_there_may_have_hit_it(
    slides: bool, outcome: TrackOutcome
) -> None:
    tray, hand = Tray(die(1, 400)), hand_over(260, 395)
    for n in range(8):
        x = 400 + (0, 0, 0, 0, 0, 0, 6, 24)[n] * slides
        tray.sees(die(1, x), hand=hand)
    for n in range(5):
        x = 400 + (44, 64, 76, 84, 84)[n] * slides
        tray.sees(die(4, 345), die(1, x), hand=hand_over(260, 345) if n == 0 else None)
    ended = [die(4, 345), die(1, 484 if slides else 400)]
    assert outcomes(tray.rests(*ended))[0] is outcome


@pytest.mark.parametrize(("away", "outcome"), [(24, TrackOutcome.UNCLEAR), (8, TrackOutcome.TURNED)])
def test_a_taken_die_that_rolls_on_out_of_a_hand_near_its_place_may_have_been_thrown(
    away: int, outcome: TrackOutcome
) -> None:
    """Its way is short, and no picture shows it tumbling. Who turns a die is back sooner."""
    tray = Tray(die(1, 240))
    for _ in range(away):
        tray.sees(hand=hand_over(180, 300))
    tray.sees(die(5, 204), hand=hand_over(260, 300, 500))
    for x in (211, 218, 220, 220, 220, 220):
        tray.sees(die(5, x))
    assert outcomes(tray.rests(die(5, 220))) == [outcome]


def test_a_die_that_flies_over_the_place_of_one_that_was_taken_with_its_face_is_not_that_one() -> None:
    """A hand does not leave the picture. Another thrown die comes to show that face, and went less far."""
    tray, idle = Tray(die(2, 300), die(4, 500)), hand_over(700, 800)
    for _ in range(5):
        tray.sees(hand=hand_over(200, 600) | idle)
    for _ in range(20):
        tray.sees(hand=idle)
    flown, rolled = (3, 5, 2, 6, 1, 1, 1, 1), (3, 5, 2, 2, 2, 2, 2, 2)
    for n in range(8):
        slow, fast = ((0.5, 0.2) if n < last else (0.0, 0.0) for last in (2, 4))
        tray.sees(
            die(flown[n], 420 - 60 * min(n, 4), normal_xy=fast),
            die(rolled[n], (500, 520, 535, 548, 552, 552, 552, 552)[n], 480, normal_xy=slow),
            hand=idle,
        )
    ended = tray.rests(die(1, 180), die(2, 552, 480))
    assert outcomes(ended) == [TrackOutcome.THROWN, TrackOutcome.THROWN]


@pytest.mark.parametrize(("moved", "outcome"), [((5, 3), TrackOutcome.MOVED), ((5,), TrackOutcome.UNCLEAR)])
def test_a_die_that_a_hand_tidies_with_others_unseen_is_moved_with_them(
    moved: tuple[int, ...], outcome: TrackOutcome
) -> None:
    """It is there when the hand was elsewhere for a moment. Beside one moved die, it may have been thrown."""
    tray = Tray(die(1, 120), *(die(face, 400 + 60 * n) for n, face in enumerate(moved)))
    for n in range(12):
        tray.sees(hand=hand_over(60 + 30 * n, 560 + 20 * n))
    placed = [die(face, 600 + 50 * n, 450) for n, face in enumerate(moved)]
    for _ in range(8):
        tray.sees(*placed, hand=hand_over(590, 700, 400))
    for _ in range(5):
        tray.sees(*placed)
    for _ in range(8):
        tray.sees(die(1, 300, 60, sure=False), *placed)
    assert outcomes(tray.rests(die(1, 300, 60, sure=False), *placed))[0] is outcome


@pytest.mark.parametrize(("crossed", "outcome"), [(False, TrackOutcome.MOVED), (True, TrackOutcome.UNCLEAR)])
def test_a_die_that_a_fingertip_hid_at_the_border_and_slid_on_is_moved(
    crossed: bool, outcome: TrackOutcome
) -> None:
    """The tray settled without it, as it does when a hand takes a die: then something crosses the tray."""
    tray, thing = Tray(die(3, 500, 60)), np.zeros((120, SMALL_W), bool)
    tray.sees()
    tray.rests()
    if crossed:
        thing[60:80, 40:60] = True
    for n in range(8):
        tray.tracker.add_foreground(thing, tray.at_s + STEP_S)
        tray.sees(*[die(3, 562, 50)] * (n > 3))
    assert outcomes(tray.rests(die(3, 562, 50))) == [outcome]


@pytest.mark.parametrize(("sure", "outcome"), [(False, TrackOutcome.MOVED), (True, TrackOutcome.THROWN)])
def test_what_fingers_leave_to_be_seen_of_dice_that_they_tidy_to_the_border_is_no_throw(
    sure: bool, outcome: TrackOutcome
) -> None:
    """It seems to roll between the fingers before the last die is taken. What is surely a die rolls."""
    tray, tidied = Tray(die(1, 120), die(5, 400), die(3, 460)), [die(5, 600, 450), die(3, 650, 450)]
    for _ in range(6):
        tray.sees(die(1, 120), hand=hand_over(360, 500))
    for n in range(8):
        tray.sees(die(1, 120), *tidied, hand=hand_over(590, 700, 400) if n < 4 else None)
    last = die(4, 300, 24) if sure else replace(die(4, 300, 24, sure=False), confidence=0.2, cut_off=True)
    tray.sees(die(1, 120), die(4, 240, 60), *tidied, hand=hand_over(200, 260, 30, 90))
    for x in (-50, -32, -14, 0):
        tray.sees(die(1, 120), shifted(last, (x, 0)), *tidied)
    for _ in range(6):
        tray.sees(last, *tidied, hand=hand_over(60, 180))
    ended = [last, *tidied]
    for _ in range(6):
        tray.sees(*ended)
    assert outcomes(tray.rests(*ended))[0] is outcome


@pytest.mark.parametrize(("arm", "outcome"), [(True, TrackOutcome.MOVED), (False, TrackOutcome.UNCLEAR)])
def test_a_die_that_shows_its_face_again_just_where_an_arm_was_is_moved(
    arm: bool, outcome: TrackOutcome
) -> None:
    """What the arm hid was not taken for a hand. With no arm there, the die may have been thrown."""
    tray = Tray(die(4, 300))
    for _ in range(4):
        tray.sees(hand=hand_over(240, 360))
    for n in range(6):
        thing = hand_over(580, 640, 0 if arm else 280, 330 if n > 1 else 60)
        tray.tracker.add_foreground(thing, tray.at_s + STEP_S)
        tray.sees()
    for _ in range(5):
        tray.sees(die(4, 610))
    assert outcomes(tray.rests(die(4, 610))) == [outcome]


@pytest.mark.parametrize(("flashes", "outcome"), [(3, TrackOutcome.UNOBSERVED), (1, TrackOutcome.UNCLEAR)])
def test_a_lamp_that_blinks_is_no_thrown_die_although_it_is_surely_read_as_one(
    flashes: int, outcome: TrackOutcome
) -> None:
    """A die that came is missed now and then as well, but not in the same place again and again."""
    lamp, tray, crossing = die(1, 650, 100, colour="blue"), Tray(die(4, 200)), hand_over(380, 460)
    for _ in range(flashes):
        for _ in range(6):
            tray.tracker.add_foreground(crossing, tray.at_s + STEP_S)
            tray.sees(die(4, 200))
        for _ in range(4):
            tray.tracker.add_foreground(crossing, tray.at_s + STEP_S)
            tray.sees(die(4, 200), lamp)
    assert outcomes(tray.rests(die(4, 200), lamp)) == [TrackOutcome.UNMOVED, outcome]


@pytest.mark.parametrize(("side", "outcome"), [(22, TrackOutcome.THROWN), (36, TrackOutcome.TIPPED)])
def test_a_die_that_stops_beside_a_small_figure_as_it_flies_over_it_is_none_that_lay_there(
    side: float, outcome: TrackOutcome
) -> None:
    """The square of a cloth was detected as an unsure die, and is not any more."""
    figure = sized(die(2, 300, sure=False), side)
    tray = Tray(figure)
    for _ in range(4):
        tray.sees(figure)
    for face, x in ((6, 306), (5, 312), (4, 330), (4, 340), (4, 346), (4, 346), (4, 346)):
        tray.sees(die(face, x))
    assert outcomes(tray.rests(die(4, 346))) == [outcome]


@pytest.mark.parametrize(("hand", "outcome"), [(False, TrackOutcome.THROWN), (True, TrackOutcome.TIPPED)])
def test_a_die_that_flies_on_over_the_place_of_one_that_was_taken_is_thrown(
    hand: bool, outcome: TrackOutcome
) -> None:
    """Just there it shows that one's face. A hand that still hid that one may have let it be knocked over."""
    tray, fingers = Tray(die(3, 400)), hand_over(340, 440)
    for _ in range(4):
        tray.sees(die(3, 401, sure=False), hand=fingers)
    for n in range(24):
        tray.sees(hand=fingers if hand or n < 4 else None)
    for face, x in ((3, 404), (6, 352), (4, 330), (4, 318), (4, 312), (4, 312), (4, 312), (4, 312)):
        tray.sees(die(face, x))
    assert outcomes(tray.rests(die(4, 312))) == [outcome]


@pytest.mark.parametrize(("hidden", "outcome"), [(2, TrackOutcome.UNCLEAR), (0, TrackOutcome.THROWN)])
def test_a_die_that_is_detected_a_little_farther_on_after_fingers_hid_it_may_not_have_rolled_there(
    hidden: int, outcome: TrackOutcome
) -> None:
    """A corner of it showed between the fingers that lay it down. One that no hand hid rolls."""
    tray, fingers = Tray(step_s=0.1), hand_over(436, 480)
    tray.sees()
    tray.sees(replace(die(3, 420, 312, sure=False), confidence=0.4))
    for _ in range(hidden):
        tray.sees(hand=fingers)
    for _ in range(3 - hidden):
        tray.sees()
    tray.sees(replace(die(2, 396, 296, sure=False), confidence=0.7))
    for _ in range(5):
        tray.sees(die(3, 400, 300))
    assert outcomes(tray.rests(die(3, 400, 300))) == [outcome]


@pytest.mark.parametrize(
    ("cut_off", "outcome"), [(True, TrackOutcome.THROWN), (False, TrackOutcome.UNOBSERVED)]
)
def test_a_die_that_comes_to_rest_just_inside_the_border_came_in_over_it(
    cut_off: bool, outcome: TrackOutcome
) -> None:
    """The tray was idle until the die was in the picture."""
    tray = Tray(die(2, 200))
    tray.at_s += 1.0
    tray.sees(die(2, 200), replace(die(3, 770, sure=False), cut_off=cut_off))
    tray.sees(die(2, 200), die(5, 755))
    for _ in range(4):
        tray.sees(die(2, 200), die(5, 742))
    assert outcomes(tray.rests(die(2, 200), die(5, 742))) == [TrackOutcome.UNMOVED, outcome]


@pytest.mark.parametrize(("side", "outcome"), [(0.9, TrackOutcome.MOVED), (1.1, TrackOutcome.THROWN)])
def test_a_die_that_fingers_leave_seems_to_tilt_as_they_hide_a_part_of_it(
    side: float, outcome: TrackOutcome
) -> None:
    """They moved it a little. One that falls is larger."""
    tray, fingers = Tray(die(2, 400), die(4, 200)), hand_over(300, 480)
    for _ in range(4):
        tray.sees(die(4, 200))
    tray.rests(die(4, 200))
    for _ in range(6):
        tray.sees(die(4, 200), hand=fingers)
    part = replace(die(1, 383, 302, normal_xy=(-0.5, 0.2), sure=False), confidence=0.89)
    tray.sees(die(4, 200), sized(part, side * SIDE))
    for _ in range(5):
        tray.sees(die(4, 200), die(2, 384))
    assert outcomes(tray.rests(die(4, 200), die(2, 384))) == [TrackOutcome.UNMOVED, outcome]


@pytest.mark.parametrize(("hidden", "outcome"), [(2, TrackOutcome.UNCLEAR), (8, TrackOutcome.PLACED)])
def test_a_die_that_still_slides_as_a_hand_passes_may_have_been_thrown(
    hidden: int, outcome: TrackOutcome
) -> None:
    tray, palm = Tray(die(4, 600)), hand_over(260, 480)
    for _ in range(hidden):
        tray.sees(die(4, 600), hand=palm)
    for x in (332, 323, 320, 320, 320, 320):
        tray.sees(die(4, 600), die(5, x))
    assert outcomes(tray.rests(die(4, 600), die(5, 320))) == [TrackOutcome.UNMOVED, outcome]


@pytest.mark.parametrize(("face", "outcome"), [(1, TrackOutcome.UNCLEAR), (5, TrackOutcome.MOVED)])
def test_a_die_that_lies_beside_its_old_place_may_have_fallen_there_if_it_just_showed_another_face(
    face: int, outcome: TrackOutcome
) -> None:
    tray, fingers = Tray(die(5, 400), die(2, 200)), hand_over(300, 480)
    for _ in range(8):
        tray.sees(die(2, 200), hand=fingers)
    for _ in range(4):
        tray.sees(die(2, 200))
    tray.rests(die(2, 200))
    for _ in range(8):
        tray.sees(die(2, 200), hand=fingers)
    tray.sees(die(2, 200), die(face, 421, 292), hand=fingers)
    for _ in range(5):
        tray.sees(die(2, 200), die(5, 420, 290))
    assert outcomes(tray.rests(die(2, 200), die(5, 420, 290))) == [TrackOutcome.UNMOVED, outcome]


@pytest.mark.parametrize(("hidden", "outcome"), [(5, TrackOutcome.PLACED), (2, TrackOutcome.THROWN)])
def test_a_die_that_fingers_carry_in_over_the_border_and_hide_does_not_roll(
    hidden: int, outcome: TrackOutcome
) -> None:
    """They are not taken for a hand as it first shows. One that is out of sight for less time rolled."""
    tray, fingers = Tray(), hand_over(360, 440, 480)
    tray.sees()
    tray.sees(replace(die(2, 400, 590, sure=False), confidence=0.2, cut_off=True))
    for _ in range(hidden):
        tray.sees(hand=fingers)
    for _ in range(6):
        tray.sees(die(6, 410, 536))
    assert outcomes(tray.rests(die(6, 410, 536))) == [outcome]


@pytest.mark.parametrize(("face", "outcome"), [(1, TrackOutcome.PLACED), (6, TrackOutcome.UNCLEAR)])
def test_a_die_that_shows_its_face_beside_another_that_a_hand_brings_was_put_back(
    face: int, outcome: TrackOutcome
) -> None:
    """With another face it may have fallen out of the hand."""
    tray = Tray(die(2, 500), die(1, 600), die(5, 100))
    for _ in range(6):
        tray.sees(die(2, 500), die(5, 100), hand=hand_over(550, 700))
    for _ in range(6):
        tray.sees(die(2, 500), die(5, 100))
    assert outcomes(tray.rests(die(2, 500), die(5, 100))) == [TrackOutcome.UNMOVED, TrackOutcome.UNMOVED]
    for _ in range(4):
        tray.sees(die(5, 100), hand=hand_over(440, 600))
    for _ in range(4):
        tray.sees(die(5, 100), hand=hand_over(200, 460))
    for _ in range(4):
        tray.sees(die(5, 100), die(face, 240), hand=hand_over(250, 460))
    for _ in range(4):
        tray.sees(die(5, 100), die(face, 240), die(2, 330))
    tracks = tray.rests(die(5, 100), die(face, 240), die(2, 330))
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, outcome, TrackOutcome.MOVED]


@pytest.mark.parametrize(("face", "outcome"), [(5, TrackOutcome.UNCLEAR), (6, TrackOutcome.MOVED)])
def test_a_lifted_die_that_spins_as_it_falls_out_of_a_hand_may_have_been_thrown(
    face: int, outcome: TrackOutcome
) -> None:
    """It shows its face again. The whole die was seen higher, with another face, a moment before."""
    tray = Tray(die(6, 250, 440))
    for _ in range(6):
        tray.sees(hand=hand_over(180, 320, 400))
    for _ in range(9):
        tray.sees()
    fist = hand_over(150, 420, 300, 500)
    for _ in range(6):
        tray.sees(hand=fist)
    tray.sees(sized(die(face, 391, 475), 1.4 * SIDE), hand=fist)
    tray.sees(sized(die(6, 404, 484), 1.2 * SIDE), hand=fist)
    for n in range(6):
        tray.sees(die(6, 408 + min(n, 1), 488), hand=hand_over(100, 380, 300, 460))
    for _ in range(4):
        tray.sees(die(6, 409, 488))
    assert outcomes(tray.rests(die(6, 409, 488))) == [outcome]


@pytest.mark.parametrize(("likely", "outcome"), [(4, TrackOutcome.MOVED), (5, TrackOutcome.THROWN)])
def test_a_die_that_a_dark_finger_pushes_all_the_way_is_not_thrown(
    likely: int, outcome: TrackOutcome
) -> None:
    """The finger is not detected, and the die never surely read: a part of it is hidden."""
    tray = Tray(die(4, 300), die(6, 600))

    def pushed(x: float, face: int = 4, confidence: float = 0.6) -> SeenDie:
        part = replace(die(face, x, sure=False), confidence=confidence)
        return replace(part, likely=((face, 0.5), (likely, 0.4)))

    for n in range(16):
        tray.sees(pushed(300 + 12 * n, confidence=0.45 if n % 5 == 0 else 0.6), die(6, 600))
    for _ in range(5):
        tray.sees(pushed(480, 2), die(6, 600))
    tracks = tray.rests(pushed(480, 2), die(6, 600))
    assert outcomes(tracks) == [outcome, TrackOutcome.UNMOVED]


@pytest.mark.parametrize(("side", "outcome"), [(28, TrackOutcome.THROWN), (38, TrackOutcome.MOVED)])
def test_a_die_that_comes_to_lie_beside_a_small_figure_and_hides_it_is_another_one(
    side: float, outcome: TrackOutcome
) -> None:
    """The figure was never surely a die, and may show its face. As large as the die, it may have been hit."""
    figure = sized(replace(die(3, 300, sure=False), likely=((3, 0.5), (4, 0.4))), side)
    tray = Tray(figure)
    tray.sees(figure)
    tray.sees(figure)
    for n in range(4):
        tray.sees(die(4, 250 + 19 * n, 330 - 4.5 * n, normal_xy=(0.4, 0.2)))
    last = replace(die(4, 326, 312), likely=((4, 0.9), (3, 0.1)))
    for _ in range(4):
        tray.sees(last)
    assert outcomes(tray.rests(last)) == [outcome]


@pytest.mark.parametrize("rolls", [False, True], ids=["slid there", "thrown there"])
def test_a_lamp_that_blinks_beside_a_die_does_not_make_it_tumble(rolls: bool) -> None:
    """While it is on, it covers a part of the die, which is read surely all the same. What is seen of a throw
    before that still counts."""
    tray, lies = Tray(die(3, 200)), die(3, 520, 60)
    lit = sized(die(1, 517, 47, colour="red", normal_xy=(-0.1, -0.5)), 50)
    if rolls:
        for face, x in ((6, 760), (2, 700), (5, 640), (4, 580)):
            tray.sees(die(3, 200), die(face, x, 70, normal_xy=(0.5, 0.2)))
    else:
        for x in (200, 300, 400):
            tray.sees(hand=hand_over(x - 60, x + 100, 0))
        for _ in range(8):
            tray.sees(hand=hand_over(460, 620, 0))
    beside = [die(3, 200)] if rolls else []
    for seen in (lit, lies, lies, lit, lies, lit, lies, lies, lit, lies):
        tray.sees(*beside, seen)
    tracks = tray.rests(*beside, lies)
    assert tracks.dice[-1].outcome is (TrackOutcome.THROWN if rolls else TrackOutcome.MOVED)


# -- at six pictures a second --------------------------------------------------------------------------------

SIX_FPS_S = 1 / 6


def taken_tray(*dice: SeenDie, unsure_at_last: bool = False) -> Tray:
    """A tray at six pictures a second from which a hand took these dice and left the picture."""
    tray, hand = Tray(*dice, step_s=SIX_FPS_S), hand_over(100, 600)
    tray.sees(*(replace(d, sure=not unsure_at_last) for d in dice), hand=hand)
    for _ in range(3):
        tray.sees(hand=hand)
    for _ in range(5):
        tray.sees()
    return tray


def rolling(face: int, x: float, y: float) -> SeenDie:
    return replace(die(face, x, y, normal_xy=(0.4, 0.2), sure=False), confidence=0.2)


@pytest.mark.parametrize(
    ("came", "outcome"),
    [
        ([(die(2, 560, 300), hand_over(300, 800)), (None, hand_over(300, 800))], TrackOutcome.THROWN),
        ([(None, hand_over(300, 800)), (die(2, 400, 300), None)], TrackOutcome.THROWN),
        ([(None, hand_over(300, 800))] * 3 + [(die(2, 400, 300), None)], TrackOutcome.MOVED),
    ],
    ids=["came out of the hand", "lay where the hand just passed", "lay where the hand was for long"],
)
def test_a_die_that_comes_with_a_throw_in_few_pictures_is_thrown_though_it_shows_its_face(
    came: list[tuple[SeenDie | None, Mask | None]], outcome: TrackOutcome
) -> None:
    tray = taken_tray(die(2, 150), die(6, 250), die(5, 350), die(5, 450))
    for shown, hand in came:
        tray.sees(*([shown] if shown else []), hand=hand)
    others = ((1, 200), (4, 300), (3, 500))
    tray.sees(die(2, 400, 300), *(rolling(face + 1, x, 450) for face, x in others))
    ended = [die(2, 400, 300), *(die(face, x + 30, 470) for face, x in others)]
    for _ in range(3):
        tray.sees(*ended)
    assert outcomes(tray.rests(*ended)) == [outcome, *[TrackOutcome.THROWN] * len(others)]


def test_a_rolling_die_over_the_place_of_one_that_was_taken_is_another_die() -> None:
    """The last that was seen of that one were a few pips between fingers, which are like any face."""
    lay = [die(2, 300), die(6, 400), die(5, 500)]
    tray = taken_tray(*lay, unsure_at_last=True)
    tray.sees(rolling(3, 303, 306), rolling(4, 560, 400))
    ended = [die(4, 290, 330), die(3, 590, 420)]
    for _ in range(3):
        tray.sees(*ended)
    tracks = tray.rests(*ended)
    assert outcomes(tracks) == [TrackOutcome.THROWN] * 2
    assert not {track.id for track in tracks.dice} & set(range(len(lay)))


def test_a_die_that_hops_over_another_and_rolls_on_did_not_land_on_it() -> None:
    """For a moment both are detected as one, between them, and then the lower one alone, large and unsure."""
    lay = die(5, 245)
    tray = Tray(lay)
    for face, x in ((5, 425), (6, 365)):
        tray.sees(lay, die(face, x, normal_xy=(0.4, 0.2)))
    merged = die(5, 285)
    tray.sees(replace(merged, box_xywh=(285 - 30, 270, 60, 60), normal_xy=(0.3, 0.2)))
    half_hidden = replace(die(2, 238, sure=False), box_xywh=(238 - 26, 274, 52, 52), confidence=0.26)
    tray.sees(half_hidden)
    for n, face in enumerate((6, 6, 1, 1)):
        tray.sees(lay, die(face, 195 - 30 * min(n, 2), normal_xy=(0.0, 0.2 - 0.1 * min(n, 2))))
    ended = (lay, die(1, 135))
    for _ in range(3):
        tray.sees(*ended)
    assert outcomes(tray.rests(*ended)) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN]


def test_a_die_of_which_a_resting_hand_left_a_corner_to_be_seen_lay_there() -> None:
    tray, hand = Tray(die(3, 366)), hand_over(240, 420)

    def part(x: float, y: float, side: float) -> SeenDie:
        unsure = die(1, x, y, sure=False)
        return replace(unsure, box_xywh=(x - side / 2, y - side / 2, side, side), confidence=0.28)

    for _ in range(2):
        tray.sees(part(364, 294, 30), hand=hand)
    corner = part(362, 288, 21)
    for _ in range(8):
        tray.sees(corner, hand=hand)
    tray.rests(corner)
    tray.sees(corner)
    for _ in range(4):
        tray.sees(die(3, 366))
    assert outcomes(tray.rests(die(3, 366))) == [TrackOutcome.MOVED]


def test_a_small_corner_far_from_the_middle_of_a_die_is_a_part_of_it() -> None:
    tray, corner = Tray(die(4, 200)), sized(die(1, 193, 311, sure=False), 17.5)
    for _ in range(5):
        tray.sees(corner)
    tracks = tray.rests(corner)
    assert outcomes(tracks) == []
    assert [lost.reason for lost in tracks.lost] == [LossReason.COVERED]


def test_a_die_that_lay_there_at_the_start_is_not_thrown_as_something_hides_a_part_of_it() -> None:
    tray = Tray()
    tray.tracker = Tracker()
    for _ in range(8):
        tray.sees(die(5, 200))
    tray.sees(sized(die(5, 197, 304), 36))
    part = sized(die(2, 202, 308, sure=False, normal_xy=(0.5, 0.2)), 28)
    for _ in range(6):
        tray.sees(part)
    assert outcomes(tray.rests(part)) == [TrackOutcome.UNOBSERVED]


def test_a_die_that_lay_there_at_the_start_is_not_thrown_as_one_rolls_over_it() -> None:
    """The box of one picture is around both."""
    tray = Tray()
    tray.tracker = Tracker()
    for _ in range(8):
        tray.sees(die(2, 373, 313))
    tray.sees(sized(die(2, 385, 279), 66), die(3, 300, 240, sure=False))
    for x in (460, 500, 520):
        tray.sees(die(2, 373, 313), die(x // 100, x, 390))
    ended = [die(2, 373, 313), die(6, 530, 400)]
    for _ in range(3):
        tray.sees(*ended)
    assert outcomes(tray.rests(*ended)) == [TrackOutcome.UNOBSERVED, TrackOutcome.THROWN]


def test_a_die_that_comes_to_rest_where_one_was_pushed_off_under_the_hand_is_asked_about() -> None:
    """The one that was pushed off shows its face elsewhere. The other counted as that one, turned by hand."""
    tray, hand = Tray(die(6, 250), die(6, 300, 340), step_s=0.1), hand_over(270, 700)
    for _ in range(5):
        tray.sees(die(6, 250), hand=hand)
    for side_x, x in ((275, 375), (268, 387), (268, 396), (268, 400)):
        tray.sees(die(6, 250), die(1, side_x, 332), die(6, x, 360))
    ended = [die(6, 250), die(1, 268, 332), die(6, 400, 360)]
    for _ in range(3):
        tray.sees(*ended)
    tracks = tray.rests(*ended)
    assert outcomes(tracks) == [TrackOutcome.UNMOVED, TrackOutcome.UNCLEAR, TrackOutcome.MOVED]


@pytest.mark.parametrize(
    ("hand", "outcome"),
    [
        (hand_over(240, 900, 200, 900), TrackOutcome.UNCLEAR),
        (hand_over(240, 420), TrackOutcome.PLACED),  # of a fingertip that pushed it on
    ],
)
def test_a_die_that_was_taken_and_comes_out_from_under_a_resting_hand_is_asked_about(
    hand: Mask, outcome: TrackOutcome
) -> None:
    """It may have been thrown under the hand, and show its face again. One that a fingertip pushed on was
    not: nothing crosses the rest of the tray then."""
    tray = Tray(die(5, 200), die(3, 700))
    tray.sees(die(5, 200), hand=hand_over(640, 760))
    for _ in range(3):
        tray.sees(die(5, 200))
    tray.rests(die(5, 200))
    for _ in range(18):
        tray.sees(die(5, 200), hand=hand)
    for _ in range(4):
        tray.sees(die(5, 200), die(3, 330))
    assert outcomes(tray.rests(die(5, 200), die(3, 330))) == [TrackOutcome.UNMOVED, outcome]


@pytest.mark.parametrize(
    ("changed", "outcome"),
    [(hand_over(300, 360, 300, 370), TrackOutcome.THROWN), (hand_over(300, 320), TrackOutcome.UNOBSERVED)],
)
def test_a_die_that_still_rolls_in_the_first_reading_was_thrown_if_its_whole_place_changed(
    changed: Mask, outcome: TrackOutcome
) -> None:
    """At ten pictures a second it may nearly be at rest by then. A die that was overlooked, and is pushed,
    changes less of its place."""
    tray, lay = Tray(die(4, 160)), die(4, 160)
    for x, y in ((340, 345), (333, 338), (330, 335), (330, 335)):
        tray.sees(lay, die(1, x, y))
    assert outcomes(tray.rests(lay, die(1, 330, 335), changed=changed)) == [TrackOutcome.UNMOVED, outcome]


@pytest.mark.parametrize(("sure", "outcome"), [(False, TrackOutcome.UNCLEAR), (True, TrackOutcome.THROWN)])
def test_a_die_that_fingers_may_hold_still_at_the_border_is_asked_about(
    sure: bool, outcome: TrackOutcome
) -> None:
    """The part of a hand in the picture is so small that it is taken for one in one picture only."""
    tray, lay = Tray(die(1, 226)), die(1, 226)
    tray.sees(lay)
    for n, x in enumerate((591, 587, 585, 581, 577, 576, 575, 575)):
        tray.tracker.add_foreground(hand_over(560, 640, 390, 480), tray.at_s + STEP_S / 2)
        tray.sees(lay, die(2, x, 410, sure=sure), hand=hand_over(570, 640, 400, 480) if n == 4 else None)
    assert outcomes(tray.rests(lay, die(2, 575, 410, sure=sure))) == [TrackOutcome.UNMOVED, outcome]


def test_a_die_that_an_undetected_fingertip_pushes_on_is_moved_though_it_is_never_surely_read() -> None:
    """It was hidden as the tray came to rest, and a part of it is seen all the way."""
    tray = Tray(die(6, 300))
    tray.sees(die(3, 300, sure=False))
    tray.sees()
    tray.rests()
    for face, x in ((2, 294), (3, 270), (3, 244), (2, 244), (3, 244)):
        part = sized(die(face, x, sure=False, normal_xy=(0.4, 0.2)), 34)
        tray.sees(part)
    assert outcomes(tray.rests(part)) == [TrackOutcome.MOVED]
    tray.sees(die(6, 244))
    assert outcomes(tray.rests(die(6, 244))) == [TrackOutcome.UNMOVED]


def test_a_die_that_seems_to_show_another_face_as_a_hand_uncovers_it_near_its_place_is_moved() -> None:
    """The hand was not detected as the tray came to rest."""
    lay = die(4, 700)
    tray = Tray(lay, die(6, 300))
    tray.sees(lay)
    tray.rests(lay)
    for _ in range(4):
        tray.sees(lay, hand=hand_over(200, 350))
    tray.sees(lay, die(3, 270, sure=False, normal_xy=(0.5, 0.3)))
    for _ in range(4):
        tray.sees(lay, die(6, 270))
    assert outcomes(tray.rests(lay, die(6, 270))) == [TrackOutcome.UNMOVED, TrackOutcome.MOVED]


@pytest.mark.parametrize(("covered", "waits"), [(True, True), (False, False)])
def test_a_new_die_beside_a_hand_that_may_have_lain_under_it_is_waited_for(
    covered: bool, waits: bool
) -> None:
    """Where the hand lies beside the other die, that one is seen."""
    lay = die(3, 200, 300)
    tray, hand = Tray(lay), hand_over(0, 240 if covered else 150)
    for _ in range(3):
        tray.sees(*([] if covered else [lay]), hand=hand)
    for n, face in enumerate((2, 6, 1, 5)):
        rolling = die(face, 290 + 60 * n, 250, normal_xy=(0.4, 0.3))
        tray.sees(*([] if covered else [lay]), rolling, hand=hand)
    thrown = die(5, 500, 250)
    for _ in range(10):
        tray.sees(*([] if covered else [lay]), thrown, hand=hand)
    assert tray.tracker.new_die_may_be_covered_one == waits
    tray.sees(lay, thrown)
    assert not tray.tracker.new_die_may_be_covered_one
    assert outcomes(tray.rests(lay, thrown)) == [TrackOutcome.UNMOVED, TrackOutcome.THROWN]


def test_a_die_that_rolls_over_a_lamp_leaves_it_where_it_was() -> None:
    """What is read of the lamp was there from the start, and is none of the throw."""
    lamp = die(1, 100, 500, colour="blue", sure=False)
    tray = Tray()
    tray.tracker = Tracker()  # it was never at rest
    for _ in range(12):
        tray.sees(lamp)
    for face, x in ((2, 118), (2, 150), (3, 190), (3, 230), (6, 270), (2, 300)):
        tray.sees(die(face, x, 495, normal_xy=(0.4, 0.3)))
    thrown = die(6, 330, 480)
    for _ in range(6):
        tray.sees(thrown, lamp)
    assert outcomes(tray.rests(thrown, lamp)) == [TrackOutcome.THROWN, TrackOutcome.UNOBSERVED]


@pytest.mark.parametrize(("last_x", "rolled_off"), [((620, 680, 740), 1), ((620, 680, 660), 0)])
def test_a_thrown_die_that_leaves_the_picture_rolled_off(last_x: Sequence[float], rolled_off: int) -> None:
    """One that slows down before the border did not."""
    tray = Tray()
    for n, (face, x) in enumerate(zip((2, 3, 6), last_x, strict=True)):
        beside = die(face, 500 - 60 * n, 200, normal_xy=(0.5, 0.2))
        tray.sees(beside, die(face, x, 400, normal_xy=(0.4, 0.3)))
    rest = die(5, 320, 200)
    for _ in range(4):
        tray.sees(rest)
    tracks = tray.rests(rest)
    assert outcomes(tracks) == [TrackOutcome.THROWN]
    assert len(tracks.rolled_off) == rolled_off


@pytest.mark.parametrize(("side", "outcome"), [(0.7, TrackOutcome.PLACED), (1.0, TrackOutcome.THROWN)])
def test_a_die_that_fingers_carry_in_and_hide_in_its_place_does_not_roll(
    side: float, outcome: TrackOutcome
) -> None:
    """What they leave to be seen of it is smaller, and unsure. The fingers are detected late."""
    tray = Tray()
    tray.sees()
    tray.sees(replace(sized(die(1, 14, sure=False), 36), confidence=0.2, cut_off=True))
    tray.sees(sized(die(2, 39, 304, sure=False), side * SIDE))
    for _ in range(5):
        tray.sees(hand=hand_over(0, 60))
    for _ in range(4):
        tray.sees(die(4, 40, 308))
    assert outcomes(tray.rests(die(4, 40, 308))) == [outcome]


def test_a_die_that_comes_while_a_figure_is_still_seen_is_not_that_figure() -> None:
    """Another die comes to lie on the figure, so that it is gone at the end."""
    figure = die(3, 360, 160, sure=False)
    tray = Tray(figure)
    tray.sees(figure, die(4, 220, 220))
    tray.sees(
        figure, die(3, 270, 205, normal_xy=(0.4, 0.2)), die(1, 220, 300, sure=False, normal_xy=(0.5, 0.2))
    )
    for n, face in enumerate((3, 3, 1)):
        on_figure = die(3 if n < 2 else 5, 310 + 35 * n, 195 - 8 * n, normal_xy=(0.4, 0.2))
        tray.sees(on_figure, die(face, 300 + 40 * n, 300, normal_xy=(0.5, 0.2)))
    ended = (die(5, 390, 175), die(1, 420, 300))
    for _ in range(4):
        tray.sees(*ended)
    tracks = tray.rests(*ended)
    assert [(track.outcome, track.lifted) for track in tracks.dice] == [(TrackOutcome.THROWN, True)] * 2


def test_a_die_that_lands_on_another_with_its_face_is_thrown_though_one_side_is_detected_alone() -> None:
    """Just before it lands, two of its sides are detected, and only the new one goes on."""
    lay = die(6, 243, 52)
    tray = Tray(lay)
    for face, x, y in (
        (5, 269, 300),
        (3, 272, 259),
        (1, 273, 222),
        (2, 271, 190),
        (2, 268, 161),
        (3, 264, 136),
    ):
        tray.sees(lay, die(face, x, y, normal_xy=(0.4, 0.3)))
    tray.sees(lay, sized(die(3, 257, 122, normal_xy=(0.4, 0.3)), 33), sized(die(6, 261, 105), 34))
    for x, y in ((255, 96), (250, 82)):
        tray.sees(lay, die(6, x, y))
    tray.sees(sized(die(6, 245, 60), 48))
    for x, y in ((244, 56), (242, 54), (241, 52), (241, 52)):
        tray.sees(die(6, x, y))
    tracks = tray.rests(die(6, 241, 52))
    assert [(track.outcome, track.lifted) for track in tracks.dice] == [(TrackOutcome.THROWN, True)]


def test_a_die_is_no_printed_card_that_an_arm_hides_although_it_shows_its_face() -> None:
    card = sized(die(4, 620, 400, sure=False), 130)
    tray, arm = Tray(card), hand_over(440, 700, 0)
    for _ in range(10):
        tray.sees(hand=arm)
    for _ in range(4):
        tray.sees(die(4, 500, 300, colour="yellow"), hand=hand_over(560, 700, 0))
    tracks = tray.rests(die(4, 500, 300, colour="yellow"), hand=hand_over(560, 700, 0))
    assert outcomes(tracks) == [TrackOutcome.PLACED]


def test_a_knocked_die_of_which_two_sides_are_detected_at_once_is_one_die() -> None:
    """Its earlier side is detected last in the picture in which its new one is detected first."""
    tray = Tray(die(3, 300, 200))
    tray.sees(die(3, 300, 200), die(5, 340, 320, normal_xy=(0.4, 0.2)))
    tray.sees(die(3, 300, 200), die(6, 334, 268, normal_xy=(0.4, 0.2)))
    tray.sees(die(3, 300, 188, sure=False), die(2, 324, 240, normal_xy=(0.4, 0.2)))
    tray.sees(die(3, 294, 172, normal_xy=(0.5, 0.2)), die(2, 304, 157, sure=False), die(4, 320, 234))
    for _ in range(5):
        tray.sees(die(2, 300, 146), die(4, 318, 232))
    assert outcomes(tray.rests(die(2, 300, 146), die(4, 318, 232))) == [
        TrackOutcome.TIPPED,
        TrackOutcome.THROWN,
    ]


def test_what_the_border_leaves_of_a_die_after_a_bump_is_a_part_of_it() -> None:
    """It is much smaller, and not read; the other dice are shifted with the picture."""
    places = ((200, 200), (500, 150), (400, 400))
    tray = Tray(die(5, 150, 560), *(die(4, x, y) for x, y in places))
    shifted_dice = [die(4, x - 20, y + 25) for x, y in places]
    tray.sees(replace(sized(die(3, 132, 576, sure=False), 34), confidence=0.1, cut_off=True), *shifted_dice)
    rest = replace(sized(die(3, 133, 572, sure=False), 16), confidence=0.1, cut_off=True)
    for _ in range(4):
        tray.sees(rest, *shifted_dice)
    tracks = tray.rests(rest, *shifted_dice)
    assert TrackOutcome.UNCLEAR not in outcomes(tracks)
    assert len(tracks.dice) == 3


@pytest.mark.parametrize(("together", "outcome"), [(True, TrackOutcome.UNCLEAR), (False, TrackOutcome.MOVED)])
def test_dice_that_lie_there_as_a_hand_leaves_may_have_been_thrown_though_one_shows_the_face_of_one_taken(
    together: bool, outcome: TrackOutcome
) -> None:
    tray, lay = Tray(die(5, 700), die(2, 300), die(6, 380)), die(5, 700)
    for _ in range(6):
        tray.sees(lay, hand=hand_over(200, 460))
    for _ in range(5):
        tray.sees(lay)
    tray.rests(lay)
    for _ in range(12):
        tray.sees(lay, hand=hand_over(200, 600))
    came = [die(2, 330, 310), *([die(3, 520)] if together else [])]
    for _ in range(4):
        tray.sees(lay, *came)
    assert outcomes(tray.rests(lay, *came)) == [TrackOutcome.UNMOVED, *([outcome] * len(came))]


def test_a_die_that_comes_in_over_the_border_beside_another_and_lands_on_it_is_thrown() -> None:
    """It is detected for half a side of its way only."""
    lay = sized(die(5, 60, 115), 44.5)
    tray = Tray(lay)
    tray.sees(lay, replace(sized(die(3, 13, 100, sure=False), 39), cut_off=True))
    tray.sees(lay, sized(die(5, 20, 108, sure=False), 47))
    tray.sees(lay, sized(die(5, 28, 112), 46))
    tray.sees(sized(die(6, 49, 113, sure=False), 61))
    for x, side in ((55, 51), (59, 46), (60, 46), (60, 46)):
        tray.sees(sized(die(4, x, 115), side))
    assert outcomes(tray.rests(sized(die(4, 60, 115), 46))) == [TrackOutcome.THROWN]


def test_a_die_that_is_knocked_over_after_a_hand_left_it_is_not_the_one_that_the_hand_took() -> None:
    """It comes to show the face of one that was taken, and the thrown die shows what it showed."""
    tray = Tray(die(3, 300), die(4, 200))
    for _ in range(12):
        tray.sees(die(3, 300), hand=hand_over(150, 320))
    for _ in range(6):
        tray.sees(die(3, 300))
    for face, x in ((6, 60), (3, 120), (2, 180)):
        tray.sees(die(3, 300), die(face, x, sure=False, normal_xy=(0.4, 0.2)))
    tray.sees(die(3, 300), die(3, 232))
    tray.sees(sized(die(3, 303), 43), die(3, 256))
    for _ in range(5):
        tray.sees(die(4, 310), die(3, 262))
    tracks = tray.rests(die(4, 310), die(3, 262))
    assert outcomes(tracks) == [TrackOutcome.TIPPED, TrackOutcome.THROWN]


def test_a_die_that_is_seen_to_tumble_as_it_hits_the_only_other_one_did_not_come_with_the_picture() -> None:
    """Both go the same way, one after the other."""
    tray = Tray(die(5, 145, 160))
    tray.sees(die(5, 145, 160), die(2, 91, 115, sure=False))
    for face, x, y in ((5, 101, 123), (5, 107, 130), (1, 114, 134)):
        tray.sees(die(5, 145, 160), die(face, x, y))
    for n, (x, y) in enumerate(((156, 169), (168, 181), (176, 188), (183, 193), (184, 195), (184, 195))):
        tray.sees(die(5, x, y), die(1, 117 + min(n, 1), 137))
    tracks = tray.rests(die(5, 184, 195), die(1, 118, 137))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.THROWN]


@pytest.mark.parametrize(("side", "outcome"), [(0.7, TrackOutcome.PLACED), (1.0, TrackOutcome.THROWN)])
def test_a_die_that_fingers_carry_in_farther_before_they_are_detected_does_not_roll(
    side: float, outcome: TrackOutcome
) -> None:
    tray = Tray()
    tray.sees()
    tray.sees(replace(sized(die(1, 355, 580, sure=False), 22), confidence=0.2, cut_off=True))
    tray.sees(sized(die(2, 338, 562, sure=False), side * SIDE))
    fingers = hand_over(320, 420, 540)
    tray.sees(sized(die(2, 329, 547, sure=False), 0.7 * SIDE), hand=hand_over(320, 420, 550))
    for _ in range(4):
        tray.sees(sized(die(2, 326, 540, sure=False), 0.66 * SIDE), hand=fingers)
    tray.sees(die(4, 331, 542), hand=fingers)
    for _ in range(4):
        tray.sees(die(4, 332, 543))
    assert outcomes(tray.rests(die(4, 332, 543))) == [outcome]


@pytest.mark.parametrize(("side", "outcome"), [(38, TrackOutcome.UNCLEAR), (30, TrackOutcome.PLACED)])
def test_a_die_that_drops_beside_a_hand_that_stands_still_may_have_been_thrown(
    side: float, outcome: TrackOutcome
) -> None:
    """Of one that fingers lay down they hide a part."""
    tray, palm = Tray(), hand_over(180, 300, 120, 300)
    tray.sees()
    for _ in range(5):
        tray.sees(hand=palm)
    tray.sees(sized(die(6, 300, 292, sure=False), side), hand=palm)
    for n in range(6):
        tray.sees(die(1, 306 + min(n, 1), 303 + min(n, 1)), hand=palm)
    for _ in range(4):
        tray.sees(die(1, 307, 304))
    assert outcomes(tray.rests(die(1, 307, 304))) == [outcome]


@pytest.mark.parametrize(
    ("face", "side", "outcome"),
    [(3, 45, TrackOutcome.UNCLEAR), (3, 40, TrackOutcome.PLACED), (6, 45, TrackOutcome.PLACED)],
    ids=["falls over", "is partly hidden", "lies"],
)
def test_a_die_that_falls_over_beside_a_hand_that_stands_still_may_have_been_thrown(
    face: int, side: float, outcome: TrackOutcome
) -> None:
    tray, palm, lies = Tray(), hand_over(180, 300, 120, 300), die(6, 302, 298)
    tray.sees()
    for _ in range(5):
        tray.sees(hand=palm)
    tray.sees(sized(die(face, 302, 294, sure=False), side), hand=palm)
    for _ in range(6):
        tray.sees(lies, hand=palm)
    for _ in range(4):
        tray.sees(lies)
    assert outcomes(tray.rests(lies)) == [outcome]


def test_a_side_of_a_die_that_rolls_on_did_not_land_on_the_one_that_it_knocks_over() -> None:
    """The side is detected apart for a moment, and its way ends near the die that lay there."""
    lay, tilted = die(5, 114, 65), partial(die, normal_xy=(0.4, 0.3))
    tray = Tray(lay)
    for face, x, y in (
        (3, 338, 181),
        (6, 297, 158),
        (5, 263, 141),
        (4, 235, 125),
        (4, 210, 115),
        (5, 194, 106),
    ):
        tray.sees(lay, tilted(face, x, y))
    tray.sees(lay, tilted(5, 176, 103), sized(die(1, 178, 86, sure=False), 27))
    tray.sees(lay, tilted(1, 163, 91))
    tray.sees(lay, sized(tilted(3, 155, 75), 31), tilted(1, 150, 92))
    tray.sees(lay, die(3, 146, 83))
    for face, x, y in ((5, 92, 60), (1, 85, 47), (1, 75, 50), (1, 71, 50), (1, 71, 50), (1, 71, 50)):
        tray.sees(die(face, x, y), die(3, 144, 81))
    tracks = tray.rests(die(1, 71, 50), die(3, 144, 81))
    assert outcomes(tracks) == [TrackOutcome.TIPPED, TrackOutcome.THROWN]


@pytest.mark.parametrize("step_s", [1 / 15, 1 / 10])
def test_a_die_that_was_seen_coming_out_of_a_hand_is_the_same_in_a_reading_half_a_second_later(
    step_s: float,
) -> None:
    """Nothing moves meanwhile, and few pictures a second come."""
    tray, palm = Tray(step_s=step_s), hand_over(180, 300, 120, 300)
    for _ in range(5):
        tray.sees(hand=palm)
    for n, face in enumerate((2, 6, 3)):
        tray.tracker.add_foreground(palm | hand_over(290 + 30 * n, 330 + 30 * n), tray.at_s + step_s)
        tray.sees(die(face, 310 + 30 * n, 303, normal_xy=(0.5, 0.2)), hand=palm)
    for _ in range(3):
        tray.tracker.add_foreground(hand_over(370, 410), tray.at_s + step_s)
        tray.sees(die(1, 390, 304))
    tray.at_s += 0.5
    assert outcomes(tray.rests(die(1, 390, 304))) == [TrackOutcome.THROWN]


@pytest.mark.parametrize(("turns", "outcome"), [(True, TrackOutcome.UNCLEAR), (False, TrackOutcome.MOVED)])
def test_a_die_that_rolls_under_what_is_taken_for_a_hand_may_be_thrown_though_it_shows_its_face_again(
    turns: bool, outcome: TrackOutcome
) -> None:
    """The shade of somebody who leaned over the table has gone, and the hand is taken to be there still."""
    shade = hand_over(0, 800, 0, 600)
    tray = Tray(die(1, 228, 265))
    tray.sees(die(1, 228, 265), hand=shade)
    for _ in range(25):
        tray.sees(hand=shade)
    for face, x, y in (
        (2, 340, 254),
        (1, 362, 230),
        (3, 378, 208),
        (2, 388, 187),
        (6, 396, 170),
        (1, 399, 158),
    ):
        tray.sees(die(face if turns else 1, x, y), hand=shade)
    for _ in range(6):
        tray.sees(die(1, 402, 150), hand=shade)
    assert outcomes(tray.rests(die(1, 402, 150), hand=shade)) == [outcome]


def test_of_two_dice_beside_a_hand_that_show_the_face_of_one_that_it_hid_the_one_that_turns_is_thrown() -> (
    None
):
    """The thrown die drops out of the hand where the other lay, and pushes it off."""
    lay, palm = die(1, 203, 266), hand_over(0, 260, 100, 300)
    tray = Tray(lay)
    for _ in range(3):
        tray.sees(lay, hand=hand_over(0, 120, 100, 250))
    for _ in range(3):
        tray.sees(hand=palm)
    tray.sees(die(5, 239, 268), hand=palm)
    tray.sees(die(1, 140, 250), sized(die(5, 241, 269), 54), hand=hand_over(0, 200, 100, 240))
    for n, x in enumerate((130, 123, 119, 117)):
        tray.sees(die(1, x, 248), sized(die(1, 244, 268), 51 - n))
    for _ in range(3):
        tray.sees(die(1, 117, 248), sized(die(1, 244, 268), 48))
    tracks = tray.rests(die(1, 117, 248), sized(die(1, 244, 268), 48))
    assert outcomes(tracks) == [TrackOutcome.MOVED, TrackOutcome.THROWN]
