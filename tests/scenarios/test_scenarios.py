"""Scenarios show what their truth says, and the pipeline reports what happened in them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest

from tests.scenarios.acts import GATHERED_SIDES, tidy
from tests.scenarios.clips import clips, run_clip
from tests.scenarios.cutouts import has_photographs
from tests.scenarios.hands import random_person
from tests.scenarios.hidden import seen_moving
from tests.scenarios.kinds import KINDS
from tests.scenarios.making import make_scenario
from tests.scenarios.running import run
from tests.scenarios.script import Actor, Script
from tests.scenarios.stage import Die, Move, Overlay, Place, Pose, Stage
from tests.scenarios.truth import EventKind, Report, TrueEvent, Truth, Verdict, score_reports
from vision.reading.reader import Reader

WITH_PHOTOGRAPHS = pytest.mark.skipif(not has_photographs(), reason="there are no labelled photographs")
MIN_READ_SHARE = 0.97
"""Least share of dice at rest in composed pictures that are read right and sure. In the photographs
themselves it is higher."""


@lru_cache(maxsize=1)
def reader() -> Reader:
    return Reader()


# --- the verdict


def truth_of(*events: TrueEvent, allowed: tuple[tuple[float, float], ...] = ()) -> Truth:
    return Truth("1 play", "play", 1, 30.0, (640, 480), 40.0, "drawn red", events, (), allowed=allowed)


THROW = TrueEvent(EventKind.THROWN, (2, 5), 1.0, 2.0)
TURN = TrueEvent(EventKind.TURNED, (6,), 4.0, 5.0)
LEANING = TrueEvent(EventKind.THROWN, (3,), 1.0, 3.0, may_ask=True)


@pytest.mark.parametrize(("hand_x", "turn", "seen"), [(160, 0.0, False), (160, 1.5, True), (60, 0.0, True)])
def test_a_throw_behind_a_hand_is_not_seen(hand_x: float, turn: float, seen: bool) -> None:
    """The die rolls from 100 to 220 px behind a hand of 160 x 60 px, or crosses its border."""
    die = Die({}, np.zeros((1, 1, 4), np.uint8), [Move(0.0, lambda t: Pose(100 + 120 * t, 100, 0, 3))])
    skin = np.full((60, 160, 4), 255, np.uint8)
    hand = Overlay(skin, skin[..., 3], (80.0, 30.0), lambda t: Place(hand_x, 100, turn))
    stage = Stage((320, 240), 30.0, np.zeros((240, 320, 3), np.uint8), 30.0, dice=[die], overlays=[hand])
    assert seen_moving(stage, [die], 0.0, 1.0) is seen


@pytest.mark.parametrize(
    ("reports", "verdict"),
    [
        ([Report(2.3, thrown=(2, 5)), Report(5.3, fouls=(6,))], Verdict.RIGHT),
        ([Report(5.3, fouls=(6,))], Verdict.MISSED),
        ([Report(2.3, thrown=(2, 4)), Report(5.3, fouls=(6,))], Verdict.WRONG),
        (
            [Report(2.3, thrown=(2, 5)), Report(3.0, thrown=(5,)), Report(5.3, fouls=(6,))],
            Verdict.FALSE_THROW,
        ),
        ([Report(2.3, thrown=(2, 5)), Report(3.0, fouls=(5,)), Report(5.3, fouls=(6,))], Verdict.FALSE_FOUL),
        (
            [Report(2.3, thrown=(2, 5)), Report(3.0, asked=(5,)), Report(5.3, fouls=(6,))],
            Verdict.NEEDLESS_QUESTION,
        ),
        ([Report(2.3, thrown=(2, 5))], Verdict.MISSED_FOUL),
    ],
)
def test_each_fault_has_its_verdict(reports: list[Report], verdict: Verdict) -> None:
    assert score_reports(truth_of(THROW, TURN), reports).verdict is verdict


def test_a_throw_that_may_be_asked_about_can_be_reported_afterwards() -> None:
    asked = Report(2.5, asked=(3,))
    assert score_reports(truth_of(LEANING), [asked]).verdict is Verdict.RIGHT
    assert score_reports(truth_of(LEANING), [asked, Report(3.4, thrown=(3,))]).verdict is Verdict.RIGHT
    assert score_reports(truth_of(LEANING), []).verdict is Verdict.MISSED


def test_a_throw_after_one_that_was_asked_about_is_not_taken_for_that_one() -> None:
    later = replace(LEANING, start_s=5.0, rest_s=6.0)
    reports = [Report(2.5, asked=(3,)), Report(6.4, thrown=later.faces)]
    assert score_reports(truth_of(LEANING, later), reports).verdict is Verdict.RIGHT


def test_a_required_question_has_to_be_asked() -> None:
    doubtful = TrueEvent(EventKind.THROWN, (3,), 1.0, 2.0, must_ask=True)
    assert score_reports(truth_of(doubtful), [Report(2.4, asked=(3,))]).verdict is Verdict.RIGHT
    assert score_reports(truth_of(doubtful), []).verdict is Verdict.MISSING_QUESTION


def test_a_throw_that_nobody_made_is_a_fault_even_in_allowed_times() -> None:
    allowed = truth_of(THROW, allowed=((2.5, 4.0),))
    thrown = Report(2.3, thrown=(2, 5))
    assert (
        score_reports(allowed, [thrown, Report(3.0, asked=(1,)), Report(3.1, fouls=(1,))]).verdict
        is Verdict.RIGHT
    )
    assert score_reports(allowed, [thrown, Report(3.0, thrown=(1,))]).verdict is Verdict.FALSE_THROW


# --- the composition


def test_a_seed_makes_the_same_scenario_every_time() -> None:
    (first, truth), (second, again) = (make_scenario(3, "slide", drawn=True, small=True) for _ in range(2))
    assert truth == again
    assert all(
        np.array_equal(a.picture, b.picture) and a.at_s == b.at_s
        for a, b in zip(first.frames(), second.frames(), strict=True)
    )


def test_without_noise_a_tray_at_rest_gives_equal_frames() -> None:
    stage, truth = make_scenario(3, "slide", drawn=True, small=True)
    stage.noise, stage.jpeg, stage.lights = 0.0, None, []
    rest_s = truth.throws[0].rest_s if truth.throws else 0.1
    assert np.array_equal(stage.picture(rest_s + 0.6), stage.picture(rest_s + 0.65))


def test_dice_are_gathered_beside_those_that_lie_there() -> None:
    """The first place around the die in the middle is taken."""
    rng, side = np.random.default_rng(1), 30.0
    actors = [Actor(Die({}, np.zeros((1, 1, 4), np.uint8)), (1, 2, 3, 4, 5, 6)) for _ in range(5)]
    stage = Stage((640, 480), 30.0, np.zeros((480, 640, 3), np.uint8), side, dice=[a.die for a in actors])
    script = Script(stage, rng, actors, random_person(rng, 1.0), area=(0, 0, 640, 480))
    standing = (320 + GATHERED_SIDES * side, 240)
    for actor, (x, y) in zip(actors, [(320, 240), (100, 100), (500, 100), (100, 400), standing], strict=True):
        script.lie(actor, x, y, 0.0, 3)
    tidy(script, actors[:4])
    gaps = [np.hypot(a.x - b.x, a.y - b.y) for a, b in combinations(actors, 2)]
    assert side < min(gaps) <= max(gaps) < 3 * side


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_played(kind: str) -> None:
    stage, truth = make_scenario(5, kind, drawn=True, small=True)
    assert truth.acts
    assert stage.seconds > 2
    assert all(0 < d.start_s < d.rest_s <= stage.seconds and d.faces for d in truth.events)


@pytest.mark.parametrize("seed", [32, 16], ids=["where they hit", "on the way of the one that is hit"])
def test_dice_that_hit_each_other_come_to_rest_in_no_third_one(seed: int) -> None:
    stage, truth = make_scenario(seed, "knock", drawn=True, small=True)
    for throw in truth.throws:
        t = throw.rest_s + 0.35
        lying = [pose for pose in (die.at(t).pose(t) for die in stage.dice) if pose.shown]
        apart = [np.hypot(a.x - b.x, a.y - b.y) for i, a in enumerate(lying) for b in lying[:i]]
        assert min(apart, default=np.inf) > stage.side


def read_share(drawn: bool, seeds: range) -> float:
    """The share of dice at rest after the last throw of some scenarios that are read right and sure."""
    right = dice = 0
    for seed in seeds:
        stage, truth = make_scenario(seed, "play", drawn)
        t = truth.throws[-1].rest_s + 0.8
        lying = [die.at(t).pose(t) for die in stage.dice]
        reading = reader().read(stage.picture(t))
        for pose in (p for p in lying if p.shown):
            seen = [
                d
                for d in reading.dice
                if np.hypot(d.centre_xy[0] - pose.x, d.centre_xy[1] - pose.y) < 0.5 * stage.side
            ]
            right += bool(seen and seen[0].face == pose.face and seen[0].sure)
            dice += 1
    return right / dice


def test_rendered_dice_at_rest_are_read_as_well_as_real_ones() -> None:
    assert read_share(drawn=True, seeds=range(8)) >= MIN_READ_SHARE


@WITH_PHOTOGRAPHS
def test_cut_out_dice_at_rest_are_read_as_well_as_in_their_photographs() -> None:
    assert read_share(drawn=False, seeds=range(6)) >= MIN_READ_SHARE


# --- the pipeline

FOLLOWED = (
    "play", "knock", "slide", "tidy", "pick up", "turn", "cover", "bump", "bands",
)  # fmt: skip


@pytest.mark.parametrize("kind", FOLLOWED)
def test_the_pipeline_reports_what_happened(kind: str) -> None:
    result, _ = run(reader(), 11, kind, drawn=True, small=True)
    assert result.verdict is Verdict.RIGHT, result.faults


@WITH_PHOTOGRAPHS
@pytest.mark.parametrize("kind", ["play", "slide", "turn"])
def test_the_pipeline_reports_what_happened_to_real_dice(kind: str) -> None:
    result, _ = run(reader(), 12, kind, drawn=False, small=True)
    assert result.verdict is Verdict.RIGHT, result.faults


@WITH_PHOTOGRAPHS
def test_the_throws_of_a_real_clip_are_reported_with_their_faces() -> None:
    (with_truth,) = [clip for clip in clips() if clip.truth]
    result, _ = run_clip(reader(), with_truth)
    assert result
    assert result.verdict is Verdict.RIGHT, result.faults
