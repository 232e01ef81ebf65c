"""The simulated hand: its throws, pushes, turns and other acts, and their ground truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from time import process_time

import numpy as np
import pytest

from vision.cameras.simulated import ActImpossible, CompletedAct, SimulatedCamera
from vision.frames import Frame
from vision.simulation import Scene, SimDie, SimStick
from vision.simulation.acting import Stage, in_tray
from vision.simulation.dice import body_of
from vision.simulation.physics import World
from vision.simulation.things import Thing
from vision.simulation.throwing import throw_dice
from vision.tracking.tracks import LossReason, TrackOutcome

SMALL = (320, 240)
FIVE = (
    SimDie(1, "red", -60, 30, 0.2),
    SimDie(2, "white", -10, -30, 0.9),
    SimDie(3, "blue", 30, 25, 2.0),
    SimDie(4, "green", 70, -20, 0.4),
    SimDie(6, "black", 10, 55, 1.1),
)


class Tray:
    """A simulated tray whose frames are read until the hand has finished."""

    def __init__(
        self,
        seed: int = 1,
        lying: tuple[SimDie, ...] = FIVE,
        scene: Scene | None = None,
        fps: float = 30,
        sticks: tuple[SimStick, ...] = (),
    ) -> None:
        self.camera = SimulatedCamera(
            SMALL, fps, seed=seed, paced=False, lying=lying, scene=scene, sticks=sticks
        )
        self.frames: Iterator[Frame] = self.camera.frames()
        next(self.frames)

    def perform(self, act: Callable[[SimulatedCamera], None]) -> CompletedAct:
        act(self.camera)
        self.frames_until_rest()
        return self.camera.answer_log()[-1]

    def frames_until_rest(self) -> list[Frame]:
        seen = [next(self.frames)]
        while not self.camera.resting:
            assert len(seen) < 900, "the hand did not finish"
            seen.append(next(self.frames))
        return seen


def test_faces_are_fair() -> None:
    """600 dice. Chi squared with 5 degrees of freedom exceeds 15.1 for 1 % of fair tables."""
    stage = Stage(Scene(), SMALL, 30, np.random.default_rng(2), ())
    dice = [SimDie(1, "red", 0, 0)] * 6
    faces = Counter(
        outcome.after.face
        for _ in range(100)
        for outcome in throw_dice(stage, dice).outcomes
        if outcome.after
    )
    assert set(faces) == set(range(1, 7))
    assert sum((n - 100) ** 2 / 100 for n in faces.values()) < 15.1


def test_faces_do_not_depend_on_the_request() -> None:
    """The same request goes to trays with different seeds."""
    faces = set()
    for seed in range(12):
        camera = SimulatedCamera(SMALL, seed=seed, paced=False)
        camera.throw(["red"])
        faces.add(camera.answer_key()[0].face)
    assert len(faces) > 3


@pytest.mark.parametrize("seed", range(6))
def test_dice_come_to_rest_without_overlap(seed: int) -> None:
    """The dice are placed in a new world: the engine pushes none of them out of another."""
    rng = np.random.default_rng(seed)
    stage = Stage(Scene(), SMALL, 30, rng, FIVE)
    lying = throw_dice(stage, [SimDie(1, "red", 0, 0)] * int(rng.integers(1, 15))).lying
    again = World(Scene(), lying)
    assert again.dice_after(again.simulate(30)) == lying


def test_most_dice_lie_flat_and_the_truth_names_those_that_lean() -> None:
    stage = Stage(Scene(), SMALL, 30, np.random.default_rng(4), ())
    lying = [die for _ in range(20) for die in throw_dice(stage, [SimDie(1, "red", 0, 0)] * 6).lying]
    leaning = [die for die in lying if die.lean_rad]
    assert len(leaning) < 0.1 * len(lying)
    for die in lying:
        lowest = float(body_of(die, Scene()).corners()[:, 2].min())
        # corners of the bounding cube of a leaning die may be below the felt
        assert lowest > -0.5 - 0.2 * Scene.die_mm
        assert die.lean_rad or lowest == pytest.approx(0, abs=1e-3)


def test_dice_lean_on_the_rim_and_on_one_another_in_a_small_tray() -> None:
    """24 dice in a tray the size of a hand."""
    small = Scene(tray_mm=(90.0, 80.0), rim_height_mm=60.0)
    stage = Stage(small, SMALL, 30, np.random.default_rng(1), ())
    lying = throw_dice(stage, [SimDie(1, "red", 0, 0)] * 24).lying
    assert sum(die.lean_rad > 0.1 for die in lying) >= 1
    assert sum(die.raised_mm > 8 for die in lying) >= 1


def test_a_careless_throw_over_a_low_rim_loses_dice() -> None:
    low = Scene(rim_height_mm=3.0, tray_mm=(120.0, 90.0))
    tray = Tray(lying=(), scene=low)
    completed = tray.perform(lambda cam: cam.throw(["red"] * 8, careful=False))
    out = completed.ids_with_outcome(LossReason.ROLLED_OUT)
    assert out
    assert len(completed.ids_with_outcome(TrackOutcome.THROWN)) == 8 - len(out)
    outside = [
        i
        for i, die in zip(tray.camera.answer_ids(), tray.camera.answer_key(), strict=True)
        if not in_tray(die, low)
    ]
    assert tuple(outside) == out


def test_dice_on_uneven_felt_lean_a_little() -> None:
    stage = Stage(Scene(uneven_mm=1.5), SMALL, 30, np.random.default_rng(3), ())
    leans = [np.degrees(die.lean_rad) for die in throw_dice(stage, [SimDie(1, "red", 0, 0)] * 8).lying]
    assert 0.2 < np.median(leans) < 6


@pytest.mark.parametrize("place", range(5))
def test_a_pushed_die_keeps_its_face_and_reaches_its_target(place: int) -> None:
    tray = Tray()
    completed = tray.perform(lambda cam: cam.slide(place, (-90.0, -60.0)))
    die = completed.dice[place]
    assert die.after is not None
    assert (die.outcome, die.after.face, die.tumbled) == (TrackOutcome.MOVED, FIVE[place].face, False)
    assert (die.after.x_mm, die.after.y_mm) == pytest.approx((-90, -60), abs=3)
    assert completed.ids == (1, 2, 3, 4, 5)


def test_a_die_in_the_way_is_pushed_and_keeps_its_face() -> None:
    tray = Tray(lying=(SimDie(1, "red", -50, 0), SimDie(2, "white", 0, 0)))
    completed = tray.perform(lambda cam: cam.slide(0, (40.0, 0.0)))
    assert [d.outcome for d in completed.dice] == [TrackOutcome.MOVED, TrackOutcome.MOVED]
    assert [d.after.face for d in completed.dice if d.after] == [1, 2]
    assert completed.dice[1].after is not None
    assert completed.dice[1].after.x_mm > 50


@pytest.mark.parametrize("seed", range(4))
def test_tidying_gathers_the_dice_and_turns_none(seed: int) -> None:
    tray = Tray(seed)
    completed = tray.perform(lambda cam: cam.tidy())
    after = np.array([[d.x_mm, d.y_mm] for d in tray.camera.answer_key()])
    before = np.array([[d.x_mm, d.y_mm] for d in FIVE])
    assert np.ptp(after, axis=0).sum() < 0.7 * np.ptp(before, axis=0).sum()
    assert [d.face for d in tray.camera.answer_key()] == [d.face for d in FIVE]
    assert {d.outcome for d in completed.dice} <= {TrackOutcome.MOVED, TrackOutcome.UNMOVED}


def test_a_knocked_die_moves_a_little() -> None:
    completed = Tray().perform(lambda cam: cam.knock(1, towards_rad=0.0))
    assert completed.dice[1].outcome == TrackOutcome.MOVED
    assert 8 < completed.dice[1].travel_mm < 60
    assert {d.outcome for n, d in enumerate(completed.dice) if n != 1} == {TrackOutcome.UNMOVED}


def test_a_flicked_die_goes_further_than_a_knocked_one() -> None:
    flicked_mm = [
        Tray(seed, lying=(FIVE[0],)).perform(lambda cam: cam.flick(0, 0.0)).dice[0].travel_mm
        for seed in range(3)
    ]
    knocked_mm = [
        Tray(seed, lying=(FIVE[0],)).perform(lambda cam: cam.knock(0, 0.0)).dice[0].travel_mm
        for seed in range(3)
    ]
    assert min(flicked_mm) > max(knocked_mm)


def test_a_die_that_tips_over_shows_another_face_next_to_its_old_position() -> None:
    completed = Tray().perform(lambda cam: cam.tip(3))
    die = completed.dice[3]
    assert (die.outcome, die.tumbled) == (TrackOutcome.TIPPED, True)
    assert die.after is not None
    assert die.after.face not in (4, 3)  # neither its old upper face nor the one below
    assert die.travel_mm < 40


@pytest.mark.parametrize("face", [1, 2, 3, 5, 6])
def test_a_die_is_turned_in_place(face: int) -> None:
    completed = Tray().perform(lambda cam: cam.turn(3, face))
    die = completed.dice[3]
    assert die.after is not None
    assert (die.outcome, die.after.face) == (TrackOutcome.TURNED, face)
    assert die.travel_mm < 4
    assert {d.outcome for n, d in enumerate(completed.dice) if n != 3} == {TrackOutcome.UNMOVED}


def test_a_turned_die_is_turned_back_to_the_face_that_it_showed_at_first() -> None:
    tray = Tray()
    assert not tray.camera.turn_back()
    tray.perform(lambda cam: cam.turn(3, 6))
    tray.perform(lambda cam: cam.turn(3, 2))
    assert tray.camera.turn_back()
    tray.frames_until_rest()
    assert [d.face for d in tray.camera.answer_key()] == [d.face for d in FIVE]
    assert not tray.camera.turn_back()


def test_a_die_is_laid_down_with_the_requested_face() -> None:
    tray = Tray()
    completed = tray.perform(lambda cam: cam.lay_down(6, "yellow", (-70.0, -50.0)))
    *_, new = completed.dice
    assert new.after is not None
    assert (new.outcome, new.before, new.after.face, new.after.colour) == (
        TrackOutcome.PLACED,
        None,
        6,
        "yellow",
    )
    assert (new.after.x_mm, new.after.y_mm) == pytest.approx((-70, -50), abs=2)
    assert tray.camera.answer_ids() == (1, 2, 3, 4, 5, 6)


def test_a_die_that_is_laid_down_is_not_in_its_place_before_the_hand_brings_it() -> None:
    tray = Tray(lying=())
    empty = next(tray.frames).picture.astype(int)
    tray.camera.lay_down(6, "yellow", (20.0, 10.0))
    first = next(tray.frames).picture.astype(int)
    assert np.abs(first - empty).max() < 60
    frames = tray.frames_until_rest()
    assert np.abs(frames[-1].picture.astype(int) - empty).max() > 100


def test_thrown_dice_get_new_ids_and_the_others_keep_theirs() -> None:
    tray = Tray()
    completed = tray.perform(lambda cam: cam.throw(["red", "red"], leaving=[1, 3]))
    assert tray.camera.answer_ids()[:2] == (2, 4)
    assert set(tray.camera.answer_ids()[2:]).isdisjoint(range(1, 6))
    assert completed.ids_with_outcome(TrackOutcome.THROWN) == tray.camera.answer_ids()[2:]
    pick_up = tray.camera.answer_log()[-2]
    assert pick_up.ids_with_outcome(LossReason.LIFTED) == (1, 3, 5)
    assert pick_up.to_s <= completed.from_s


@pytest.mark.parametrize(
    "act",
    [
        lambda cam: cam.cover(0.5),
        lambda cam: cam.rest_sleeve(0.5),
        lambda cam: cam.reach_across(),
        lambda cam: cam.put_down(Thing("domino", -100, -70)),
        lambda cam: cam.wait(0.3),
        lambda cam: cam.bump(20, -10),
    ],
)
def test_hands_that_touch_no_die_move_none(act: Callable[[SimulatedCamera], None]) -> None:
    tray = Tray()
    assert {d.outcome for d in tray.perform(act).dice} == {TrackOutcome.UNMOVED}
    assert tray.camera.answer_key() == FIVE


@pytest.mark.parametrize("side", [0.0, np.pi / 2, np.pi, -np.pi / 2])
def test_a_hand_comes_from_any_side_and_leaves(side: float) -> None:
    tray = Tray(lying=(), scene=Scene(noise_sigma=0))
    tray.camera.set_person(side, skin=1, sleeve=2)
    empty = tray.frames_until_rest()[-1].picture
    tray.camera.cover(0.3, (0.0, 0.0))
    pictures = [frame.picture for frame in tray.frames_until_rest()]
    changed = [int((np.abs(p.astype(int) - empty).max(axis=2) > 12).sum()) for p in pictures]
    assert max(changed) > 0.08 * empty.shape[0] * empty.shape[1]
    assert changed[-1] == 0


def test_a_bump_of_the_camera_shifts_the_picture() -> None:
    tray = Tray(scene=Scene(noise_sigma=0, vignette=0))
    before, before_xy = tray.frames_until_rest()[-1].picture, tray.camera.lay()
    tray.perform(lambda cam: cam.bump(24, -10))
    after, after_xy = tray.frames_until_rest()[-1].picture, tray.camera.lay()
    assert [(m.x - x.x, m.y - x.y) for m, x in zip(after_xy, before_xy, strict=True)] == [
        pytest.approx((24, -10), abs=0.01)
    ] * 5
    inner = np.abs(after[60:150, 104:224].astype(int) - before[70:160, 80:200])
    assert np.median(inner) < 3
    assert np.percentile(inner, 99) < 25


def test_the_same_seed_gives_the_same_frames() -> None:
    keys, pictures = [], []
    for _ in range(2):
        tray = Tray(seed=5)
        tray.camera.throw(["red"] * 4, leaving=[2])
        tray.camera.tidy()
        tray.camera.flick(0)
        pictures.append(tray.frames_until_rest()[40].picture)
        keys.append(tray.camera.answer_key())
    assert keys[0] == keys[1]
    assert np.array_equal(pictures[0], pictures[1])


@pytest.mark.parametrize("fps", [10, 15, 60])
def test_a_throw_lasts_equally_long_at_any_frame_rate(fps: float) -> None:
    tray = Tray(lying=(), fps=fps)
    completed = tray.perform(lambda cam: cam.throw(["red"] * 3))
    assert 0.8 < completed.to_s - completed.from_s < 3
    assert tray.camera.answer_key()[0].lean_rad == pytest.approx(0, abs=0.7)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (lambda cam: cam.slide(9), "no die 9 to push: 5 lie"),
        (lambda cam: cam.turn(0, 7), "no face 7"),
        (lambda cam: cam.lay_down(6, "red", (-58.0, 30.0)), "die 0 lies where that should go"),
        (lambda cam: cam.lay_down(6, "mauve"), "no 'mauve' dice"),
        (lambda cam: cam.bump(400), "beside the tray"),
        (lambda cam: cam.put_down(Thing("box", 0, 0)), "find a free place"),
        (lambda cam: cam.put_down(Thing("teapot", 0, 0)), "no 'teapot'"),
        (lambda cam: cam.take_away(), "no thing 0"),
        (lambda cam: cam.fault("sulking", 1), "there is no camera fault 'sulking'"),
    ],
)
def test_impossible_requests_are_refused(act: Callable[[SimulatedCamera], None], why: str) -> None:
    with pytest.raises(ActImpossible, match=why):
        act(Tray().camera)


def test_an_empty_tray_cannot_be_tidied() -> None:
    with pytest.raises(ActImpossible, match="no die 0 to tidy"):
        Tray(lying=()).camera.tidy()


def test_rendering_tumbling_dice_takes_little_longer_than_dice_at_rest() -> None:
    """Compares the processor time of frames with six flying dice and with six new dice at rest."""
    tray = SimulatedCamera((800, 600), seed=2, paced=False)
    tray.throw(["red", "white", "blue", "black", "yellow", "green"])
    frames, flying_s = tray.frames(), []
    while not tray.resting:
        flying_s.append(_frame_time_s(frames))
    resting_s = []
    for shift in range(12):
        shifted = tuple(SimDie(d.face, d.colour, d.x_mm + 0.1 * shift, d.y_mm) for d in tray.answer_key())
        resting_s.append(
            _frame_time_s(SimulatedCamera((800, 600), seed=2, paced=False, lying=shifted).frames())
        )
    assert np.mean(flying_s) < 3 * np.median(resting_s)


def _frame_time_s(frames: Iterator[Frame]) -> float:
    """Processor time of the next frame, s."""
    start = process_time()
    next(frames)
    return process_time() - start
