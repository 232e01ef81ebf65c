"""Throwing sticks on the simulated tray: how they fall, how they are drawn, and what the hand does."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.vision.test_simulated_hand import SMALL, Tray
from vision.cameras.simulated import ActImpossible, SimulatedCamera
from vision.frames import Picture
from vision.simulation import Scene, SimDie, SimStick, render_still
from vision.simulation.acting import Act, Stage
from vision.simulation.stick_faces import WORDS, side_texture, strokes
from vision.simulation.sticks import points_along, stick_body, stick_rotation, stick_with_pose
from vision.simulation.throwing import throw_sticks
from vision.simulation.view import Floats, view_of
from vision.tracking.tracks import LossReason, TrackOutcome

OGHAM = (("round", "dog"), ("round", "deer"), ("round", "cow"), ("round", "horse"))
FOUR = tuple(SimStick(animal, back) for back, animal in OGHAM)
LYING = (
    SimStick("dog", "round", -50, 40, 0.4),
    SimStick("deer", "round", 40, 45, -0.5),
    SimStick("cow", "round", -40, -35, 2.8, roll_rad=np.pi),
    SimStick("horse", "round", 60, -30, 1.3),
)


def throws(count: int, seed: int, sticks: Sequence[SimStick] = FOUR) -> list[Act]:
    stage = Stage(Scene(), SMALL, 30, np.random.default_rng(seed), ())
    return [throw_sticks(stage, sticks) for _ in range(count)]


# -- how they fall -------------------------------------------------------------------------------------------


def test_the_flat_side_is_up_half_of_the_time() -> None:
    """240 sticks; fair ones stay within four standard deviations in all but 1 of 15,000 tests."""
    faces = [stick.face for act in throws(60, seed=3) for stick in act.sticks]
    flat = sum(face != "round" for face in faces) / len(faces)
    assert abs(flat - 0.5) < 4 * np.sqrt(0.25 / len(faces))


def test_each_side_of_two_coloured_sticks_comes_up() -> None:
    sticks = (SimStick("white", "black"),) * 4
    assert {stick.face for act in throws(5, seed=1, sticks=sticks) for stick in act.sticks} == {
        "white",
        "black",
    }


def test_sticks_come_to_rest_flat_or_across_one_another() -> None:
    sticks = [stick for act in throws(30, seed=4) for stick in act.sticks]
    flat = [stick for stick in sticks if stick.z_mm is None]
    assert 0.6 * len(sticks) < len(flat) < len(sticks), "most lie flat, and some lie across others"
    assert all(stick.pitch_rad == 0 and stick.roll_rad in (0.0, np.pi) for stick in flat)
    leaning = [s for s in sticks if max(abs(s.pitch_rad), abs(np.sin(s.roll_rad))) > 0.2]
    assert len(leaning) < 0.05 * len(sticks)


def test_sticks_do_not_pass_through_one_another_or_the_rim() -> None:
    for act in throws(15, seed=5):
        for a, b in itertools.combinations(act.sticks, 2):
            assert gap_mm(a, b) > -0.5
        for stick in act.sticks:
            beyond = np.abs(points_along(stick)) - np.array(Scene.tray_mm) / 2
            assert beyond.max() < 0.5 or (stick.z_mm or 0) > Scene.rim_height_mm / 2


def gap_mm(a: SimStick, b: SimStick) -> float:
    """The gap between two sticks, below 0 where they overlap: each is two capsules side by side."""
    lines_a, lines_b = (capsule_lines(stick) for stick in (a, b))
    distances = [
        np.linalg.norm(p[:, None] - q[None], axis=2).min() for p, q in itertools.product(lines_a, lines_b)
    ]
    return float(min(distances)) - a.style.thickness_mm


def capsule_lines(stick: SimStick) -> list[Floats]:
    """(201, 3) mm: points on the middle lines of the stick's two rounded edges."""
    body, look = stick_body(stick), stick.style
    half, apart = (look.length_mm - look.thickness_mm) / 2, (look.width_mm - look.thickness_mm) / 2
    along = np.linspace(-half, half, 201)
    return [
        body.centre + np.stack([along, np.full(201, side), np.zeros(201)], axis=1) @ body.rotation.T
        for side in (-apart, apart)
    ]


def test_a_pose_is_kept_through_the_physics() -> None:
    stick = SimStick("cow", "round", 12, -7, 2.1, pitch_rad=0.11, roll_rad=3.0, z_mm=6.5)
    body = stick_body(stick)
    again = stick_with_pose(SimStick("cow", "round"), body.centre, body.rotation)
    assert (again.yaw_rad, again.pitch_rad, again.roll_rad) == pytest.approx((2.1, 0.11, 3.0), abs=1e-5)
    assert (again.x_mm, again.y_mm, again.z_mm) == pytest.approx((12, -7, 6.5))
    head = stick_rotation(0.0, 0.2, 0.0)[:, 0]
    assert head[2] == pytest.approx(np.sin(0.2)), "a pitch above 0 raises the head"


# -- how they are drawn --------------------------------------------------------------------------------------


def flattened(picture: Picture, stick: SimStick, size_wh: tuple[int, int], px_per_mm: float) -> Picture:
    """The upper side of a flat stick as it shows in the picture, with its foot on the left."""
    look, body = stick.style, stick_body(stick)
    half = np.array([look.length_mm, look.width_mm]) / 2
    corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * half
    own = np.hstack([corners, np.full((4, 1), look.thickness_mm / 2)])
    seen = view_of(Scene(), size_wh).project(np.asarray(body.centre + own @ body.rotation.T, np.float32))
    w, h = round(look.length_mm * px_per_mm), round(look.width_mm * px_per_mm)
    to_side = cv2.getPerspectiveTransform(
        np.asarray(seen, np.float32), np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    )
    return np.asarray(cv2.warpPerspective(picture, to_side, (w, h)), np.uint8)


def likeness(crop: Picture, texture: Picture) -> float:
    """The correlation of two sides, without their edges and without the stem, which all words share."""
    greys = [cv2.cvtColor(np.asarray(side), cv2.COLOR_BGR2GRAY)[:, 6:-6] for side in (crop, texture)]
    one, other = (np.concatenate([grey[5:20].ravel(), grey[-20:-5].ravel()]) for grey in greys)
    return float(np.corrcoef(one, other)[0, 1])


@pytest.mark.parametrize("size_wh", [(640, 480), (800, 600), (1280, 960)])
@pytest.mark.parametrize("animal", WORDS)
@pytest.mark.parametrize("yaw_rad", [0.0, 1.2, 3.6])
def test_the_strokes_of_a_face_are_where_they_should_be(
    animal: str, yaw_rad: float, size_wh: tuple[int, int]
) -> None:
    stick = SimStick(animal, "round", 15, -10, yaw_rad)
    picture = render_still([], np.random.default_rng(1), size_wh, sticks=[stick])
    crop = flattened(picture, stick, size_wh, 4.0)
    alike = {face: likeness(crop, side_texture(stick.style, face, 4.0)) for face in WORDS}
    turned = likeness(np.ascontiguousarray(crop[::-1, ::-1]), side_texture(stick.style, animal, 4.0))
    assert alike[animal] > 0.85
    assert max(turned, *(alike[face] for face in WORDS if face != animal)) < 0.6


def test_words_are_written_from_the_foot_in_ogham() -> None:
    written = {animal: strokes(word, 100.0, 12.0) for animal, word in WORDS.items()}
    assert {animal: kinds(segments) for animal, segments in written.items()} == {
        "dog": "LLLL---",
        "deer": "RRR------LLL",
        "cow": "LLL-/////RL",
        "horse": "-----LLLLL",
    }
    for segments in written.values():
        assert np.abs(np.array(segments)[:, [0, 2]]).max() < 45, "the letters fit on the stick"


def kinds(segments: Sequence[tuple[float, float, float, float]]) -> str:
    """The strokes as signs: L to the left, R to the right, - a notch, / across, from the foot."""
    ordered = sorted(segments, key=lambda s: s[0] + s[2])
    return "".join(
        "/" if x0 != x1 else "-" if y0 == -y1 else "L" if y1 > 0 else "R" for x0, y0, x1, y1 in ordered
    )


def test_a_round_back_is_shaded_across_and_bears_no_strokes() -> None:
    stick = SimStick("cow", "round", 0, 0, 0.0, roll_rad=np.pi)
    picture = render_still([], np.random.default_rng(1), sticks=[stick])
    x, y = view_of(Scene(), (800, 600)).project(np.array([[0.0, 0.0, 5.0]], np.float32))[0]
    rows = picture[int(y) - 18 : int(y) + 19, int(x) - 60 : int(x) + 60].mean(axis=(1, 2))
    middle, edges = rows[14:23].mean(), (rows[4], rows[-5])
    assert middle > 1.1 * min(edges)
    along = picture[int(y) - 3 : int(y) + 3, int(x) - 120 : int(x) + 120].mean(axis=(0, 2))
    assert along.std() < 0.12 * along.mean()


@pytest.mark.parametrize(("roll_rad", "grey"), [(0.0, (170, 255)), (np.pi, (10, 60))])
def test_two_coloured_sticks_are_white_and_black(roll_rad: float, grey: tuple[int, int]) -> None:
    stick = SimStick("white", "black", 0, 0, 0.6, roll_rad=roll_rad)
    picture = render_still([], np.random.default_rng(1), sticks=[stick])
    x, y = view_of(Scene(), (800, 600)).project(np.array([[0.0, 0.0, 4.0]], np.float32))[0]
    assert grey[0] < picture[int(y) - 5 : int(y) + 6, int(x) - 5 : int(x) + 6].mean() < grey[1]


def test_the_upper_of_two_crossing_sticks_hides_the_lower() -> None:
    lower = SimStick("white", "black", 0, 0, 0.0)
    upper = SimStick("white", "black", 0, 0, np.pi / 2, roll_rad=np.pi, z_mm=6.0)
    picture = render_still([], np.random.default_rng(1), sticks=[upper, lower])
    x, y = view_of(Scene(), (800, 600)).project(np.array([[0.0, 0.0, 8.0]], np.float32))[0]
    assert picture[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5].mean() < 60


# -- the hand ------------------------------------------------------------------------------------------------


def test_thrown_sticks_lie_on_the_tray_and_the_log_has_their_faces() -> None:
    tray = Tray(lying=())
    completed = tray.perform(lambda camera: camera.throw_sticks(OGHAM))
    lying = tray.camera.answer_sticks()
    assert [stick.flat for stick in lying] == ["dog", "deer", "cow", "horse"]
    assert [(o.outcome, o.before, o.after) for o in completed.sticks] == [
        (TrackOutcome.THROWN, None, stick) for stick in lying
    ]
    assert completed.dice == ()
    assert len(tray.camera.lay_sticks()) == 4


def test_the_order_of_a_sticks_faces_does_not_matter() -> None:
    camera = SimulatedCamera(SMALL, seed=1, paced=False)
    camera.throw_sticks([("black", "white"), ("white", "black")])
    assert [(stick.flat, stick.back) for stick in camera.answer_sticks()] == [("white", "black")] * 2


def test_the_hand_takes_dice_and_sticks_away_before_it_throws_sticks() -> None:
    tray = Tray()
    tray.perform(lambda camera: camera.throw_sticks(OGHAM))
    assert tray.camera.lay() == ()
    tray.perform(lambda camera: camera.throw_sticks(OGHAM[:3]))
    assert len(tray.camera.answer_sticks()) == 3
    pick_up = tray.camera.answer_log()[-2]
    assert [o.outcome for o in pick_up.sticks] == [LossReason.LIFTED] * 4


def test_the_hand_takes_the_sticks_away_before_it_throws_dice() -> None:
    tray = Tray(lying=(SimDie(3, "red", -100, 70),), sticks=LYING)
    tray.perform(lambda camera: camera.throw(["white"], leaving=[0]))
    assert tray.camera.answer_sticks() == ()
    assert [die.colour for die in tray.camera.answer_key()] == ["red", "white"]


@pytest.mark.parametrize("place", range(4))
def test_a_pushed_stick_moves_and_keeps_its_face(place: int) -> None:
    tray = Tray(lying=(), sticks=LYING)
    completed = tray.perform(lambda camera: camera.push_stick(place))
    pushed = completed.sticks[place]
    assert pushed.after is not None
    assert (pushed.outcome, pushed.after.face) == (TrackOutcome.MOVED, LYING[place].face)
    assert 8 < pushed.travel_mm < 70


def test_a_die_that_is_pushed_against_a_stick_pushes_it() -> None:
    tray = Tray(lying=(SimDie(1, "red", -60, 0),), sticks=(SimStick("cow", "round", 0, 0, np.pi / 2),))
    completed = tray.perform(lambda camera: camera.slide(0, (20.0, 0.0)))
    (stick,) = completed.sticks
    assert stick.outcome == TrackOutcome.MOVED
    assert stick.after is not None
    assert stick.after.x_mm > 20


def test_acts_without_contact_leave_the_sticks_as_they_are() -> None:
    tray = Tray(lying=(), sticks=LYING)
    for act in (lambda camera: camera.cover(0.3), lambda camera: camera.reach_across()):
        assert {o.outcome for o in tray.perform(act).sticks} == {TrackOutcome.UNMOVED}
    assert tray.camera.answer_sticks() == LYING


def test_sticks_show_in_the_frames_and_go_when_they_are_taken() -> None:
    tray = Tray(lying=(), sticks=LYING, scene=Scene(noise_sigma=0))
    empty = SimulatedCamera(SMALL, seed=1, paced=False, scene=Scene(noise_sigma=0))
    bare = next(empty.frames()).picture.astype(int)
    with_sticks = tray.frames_until_rest()[-1].picture
    assert (np.abs(with_sticks - bare).max(axis=2) > 40).mean() > 0.04
    tray.perform(lambda camera: camera.clear())
    assert np.abs(tray.frames_until_rest()[-1].picture - bare).max() < 3


def test_the_same_seed_throws_the_same_sticks() -> None:
    cameras = [SimulatedCamera(SMALL, seed=5, paced=False) for _ in range(2)]
    for camera in cameras:
        camera.throw_sticks(OGHAM)
    assert cameras[0].answer_sticks() == cameras[1].answer_sticks()


@pytest.mark.parametrize(
    ("sticks", "why"),
    [
        ([("round", "cat")], "no stick with the faces round and cat"),
        ([("dog", "deer")], "no stick with the faces dog and deer"),
        ([("round",)], "no stick with the faces round"),
        ([], "0 sticks cannot be thrown"),
        (OGHAM * 3, "12 sticks cannot be thrown"),
    ],
)
def test_impossible_throws_of_sticks_are_refused(sticks: Sequence[Sequence[str]], why: str) -> None:
    with pytest.raises(ActImpossible, match=why):
        Tray().camera.throw_sticks(sticks)


def test_a_missing_stick_cannot_be_pushed() -> None:
    with pytest.raises(ActImpossible, match="no stick 4 to push: 4 lie"):
        Tray(sticks=LYING).camera.push_stick(4)


def test_a_die_is_not_laid_down_on_a_stick() -> None:
    tray = Tray(lying=(), sticks=LYING)
    with pytest.raises(ActImpossible, match="stick 0 lies where that should go"):
        tray.camera.lay_down(6, "red", (-50.0, 40.0))
