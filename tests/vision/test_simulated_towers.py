"""Simulated towers: dice stand on one another, a hand adds one, and a fall leaves what stands below."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from vision.cameras.simulated import ActImpossible, SimulatedCamera
from vision.simulation.acting import Stage
from vision.simulation.dice import SimDie
from vision.simulation.scene import Scene
from vision.simulation.towers import MAX_OFFSET_SIDES, put_on_tower, stacked, stands, topple
from vision.tracking.tracks import TrackOutcome

SCENE = Scene()
LOOSE = SimDie(4, "green", 60.0, -50.0)


@pytest.fixture
def stage() -> Stage:
    """A tower of three dice in the middle of the tray, and a loose die."""
    rng = np.random.default_rng(3)
    tower = stacked(rng, [SimDie(face, "red", 0, 0) for face in (1, 2, 3)], (0.0, 0.0), SCENE)
    return Stage(SCENE, (320, 240), 15.0, rng, (*tower, LOOSE))


def test_each_die_of_a_tower_stands_on_the_one_below(stage: Stage) -> None:
    tower = stage.lying[:3]
    assert [d.raised_mm for d in tower] == [0.0, 16.0, 32.0]
    for below, die in pairwise(tower):
        offset_mm = max(abs(die.x_mm - below.x_mm), abs(die.y_mm - below.y_mm))
        assert 0 < offset_mm <= MAX_OFFSET_SIDES * SCENE.die_mm


def test_a_hand_puts_a_die_on_top_with_its_face_up(stage: Stage) -> None:
    act = put_on_tower(stage, 3, stage.lying[2], (1.0, 2.0), 0.5)
    states = list(act.frame_states)
    after = act.lying[3]
    assert (after.face, after.colour, after.raised_mm) == (4, "green", 48.0)
    assert act.outcomes[3].outcome is TrackOutcome.MOVED
    assert LOOSE in states[0].lying
    assert any(state.flying for state in states), "the hand carries the die"
    assert after in states[-1].lying
    assert all(state.hand for state in states)


def test_a_carried_die_passes_over_the_tower(stage: Stage) -> None:
    act = put_on_tower(stage, 3, stage.lying[2], (0.0, 0.0), 0.0)
    heights = [float(body.centre[2]) for state in act.frame_states for body in state.flying]
    assert max(heights) > 48.0 + SCENE.die_mm


def test_what_stands_below_the_falling_dice_may_stay(stage: Stage) -> None:
    act = topple(stage, (2,), 0.0)
    before, after = stage.lying, [o.after for o in act.outcomes]
    standing = [d is not None and stands(b, d, SCENE) for b, d in zip(before, after, strict=True)]
    assert standing == [True, True, False, True]
    fallen = after[2]
    assert fallen is not None
    assert fallen.raised_mm == pytest.approx(0, abs=1)


def test_the_hand_of_a_camera_builds_a_tower_and_knows_what_stands_on_what() -> None:
    lying = [SimDie(2, "red", -40.0, 0.0), SimDie(5, "green", 30.0, 10.0), SimDie(1, "blue", 30.0, -50.0)]
    camera = SimulatedCamera(seed=1, paced=False, lying=lying)
    camera.put_on(1, 0)
    camera.put_on(2, 1)
    base, middle, top = camera.lay()
    assert [die.level for die in (base, middle, top)] == [0, 1, 2]
    assert {die.base for die in (base, middle, top)} == {base.id}
    assert [die.face for die in camera.answer_key()] == [2, 5, 1]
    camera.pick_up([2])
    assert [die.level for die in camera.lay()] == [0, 1]


def test_the_hand_cannot_put_a_die_on_one_that_is_not_there() -> None:
    camera = SimulatedCamera(seed=1, paced=False, lying=[SimDie(2, "red", 0.0, 0.0)])
    with pytest.raises(ActImpossible, match="there is no die 3 to put a die on"):
        camera.put_on(0, 3)


def test_a_high_tower_stands_while_dice_are_thrown_beside_it() -> None:
    """The contacts of the engine give way under load: it buckled at the first throw that touched nothing."""
    lying = [SimDie(n + 1, "red", -100.0 + 24.0 * n, 60.0) for n in range(6)]
    camera = SimulatedCamera(seed=1, paced=False, lying=lying)
    for n in range(1, len(lying)):
        camera.put_on(n, n - 1)
    built = camera.lay()
    assert [die.level for die in built] == list(range(6))
    for _ in range(3):
        camera.throw(["blue", "green"], leaving=range(6))
        assert camera.lay()[:6] == built
