"""Scenarios show what their truth says, and the pipeline reports what happened in them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from tests.scenarios.clips import clips, run_clip
from tests.scenarios.cutouts import there_are_photographs
from tests.scenarios.kinds import KINDS
from tests.scenarios.making import made
from tests.scenarios.running import run
from tests.scenarios.truth import Deed, Done, Told, Truth, Verdict, judged
from vision.reading.reader import Reader

WITH_PHOTOGRAPHS = pytest.mark.skipif(not there_are_photographs(), reason="the labelled photographs are not there")
MIN_READ_SHARE = 0.97
"""Least share of dice at rest in composed pictures that are read right and sure. In the photographs
themselves it is higher."""


@lru_cache(maxsize=1)
def reader() -> Reader:
    return Reader()


# --- the verdict


def truth_of(*done: Done, allowed: tuple[tuple[float, float], ...] = ()) -> Truth:
    return Truth("1 play", "play", 1, 30.0, (640, 480), 40.0, "drawn red", done, (), allowed=allowed)


THROW = Done(Deed.THROWN, (2, 5), 1.0, 2.0)
TURN = Done(Deed.TURNED, (6,), 4.0, 5.0)
LEANING = Done(Deed.THROWN, (3,), 1.0, 3.0, may_ask=True)


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ([Told(2.3, thrown=(2, 5)), Told(5.3, fouls=(6,))], Verdict.RIGHT),
        ([Told(5.3, fouls=(6,))], Verdict.MISSED),
        ([Told(2.3, thrown=(2, 4)), Told(5.3, fouls=(6,))], Verdict.WRONG),
        ([Told(2.3, thrown=(2, 5)), Told(3.0, thrown=(5,)), Told(5.3, fouls=(6,))], Verdict.NOBODYS),
        ([Told(2.3, thrown=(2, 5)), Told(3.0, fouls=(5,)), Told(5.3, fouls=(6,))], Verdict.FALSE_FOUL),
        ([Told(2.3, thrown=(2, 5)), Told(3.0, asked=(5,)), Told(5.3, fouls=(6,))], Verdict.NEEDLESS),
        ([Told(2.3, thrown=(2, 5))], Verdict.MISSED_FOUL),
    ],
)
def test_each_fault_has_its_verdict(told: list[Told], verdict: Verdict) -> None:
    assert judged(truth_of(THROW, TURN), told).verdict is verdict


def test_a_throw_that_may_be_asked_about_can_be_reported_afterwards() -> None:
    asked = Told(2.5, asked=(3,))
    assert judged(truth_of(LEANING), [asked]).verdict is Verdict.RIGHT
    assert judged(truth_of(LEANING), [asked, Told(3.4, thrown=(3,))]).verdict is Verdict.RIGHT
    assert judged(truth_of(LEANING), []).verdict is Verdict.MISSED


def test_a_required_question_has_to_be_asked() -> None:
    doubtful = Done(Deed.THROWN, (3,), 1.0, 2.0, must_ask=True)
    assert judged(truth_of(doubtful), [Told(2.4, asked=(3,))]).verdict is Verdict.RIGHT
    assert judged(truth_of(doubtful), []).verdict is Verdict.UNASKED


def test_a_throw_that_nobody_made_is_a_fault_even_in_allowed_times() -> None:
    allowed = truth_of(THROW, allowed=((2.5, 4.0),))
    assert judged(allowed, [Told(2.3, thrown=(2, 5)), Told(3.0, asked=(1,)), Told(3.1, fouls=(1,))]).verdict is Verdict.RIGHT
    assert judged(allowed, [Told(2.3, thrown=(2, 5)), Told(3.0, thrown=(1,))]).verdict is Verdict.NOBODYS


# --- the composition


def test_a_seed_makes_the_same_scenario_every_time() -> None:
    (first, truth), (second, again) = made(3, "slide", drawn=True, small=True), made(3, "slide", drawn=True, small=True)
    assert truth == again
    assert all(np.array_equal(a.picture, b.picture) and a.at_s == b.at_s for a, b in zip(first.frames(), second.frames(), strict=True))


def test_without_noise_a_tray_at_rest_gives_equal_frames() -> None:
    stage, truth = made(3, "slide", drawn=True, small=True)
    stage.noise, stage.jpeg, stage.lights = 0.0, None, []
    rest_s = truth.throws[0].rest_s if truth.throws else 0.1
    assert np.array_equal(stage.picture(rest_s + 0.6), stage.picture(rest_s + 0.65))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_played(kind: str) -> None:
    stage, truth = made(5, kind, drawn=True, small=True)
    assert truth.acts
    assert stage.seconds > 2
    assert all(0 < d.start_s < d.rest_s <= stage.seconds and d.faces for d in truth.done)


def read_share(drawn: bool, seeds: range) -> float:
    """The share of dice at rest after the last throw of some scenarios that are read right and sure."""
    right = dice = 0
    for seed in seeds:
        stage, truth = made(seed, "play", drawn)
        t = truth.throws[-1].rest_s + 0.8
        lying = [die.at(t).pose(t) for die in stage.dice]
        reading = reader().read(stage.picture(t))
        for pose in (p for p in lying if p.shown):
            seen = [d for d in reading.dice if np.hypot(d.centre_xy[0] - pose.x, d.centre_xy[1] - pose.y) < 0.5 * stage.side]
            right += bool(seen and seen[0].face == pose.face and seen[0].sure)
            dice += 1
    return right / dice


def test_rendered_dice_at_rest_are_read_as_well_as_real_ones() -> None:
    assert read_share(drawn=True, seeds=range(8)) >= MIN_READ_SHARE


@WITH_PHOTOGRAPHS
def test_cut_out_dice_at_rest_are_read_as_well_as_in_their_photographs() -> None:
    assert read_share(drawn=False, seeds=range(6)) >= MIN_READ_SHARE


# --- the eyes

FOLLOWED = ("play", "throw back", "knock", "slide", "slide several", "tidy", "pick up", "turn", "cover", "bump", "lamp", "bands")


@pytest.mark.parametrize("kind", FOLLOWED)
def test_the_pipeline_reports_what_happened(kind: str) -> None:
    result, _ = run(reader(), 11, kind, drawn=True, small=True)
    assert result.verdict is Verdict.RIGHT, result.faults


@WITH_PHOTOGRAPHS
@pytest.mark.parametrize("kind", ["play", "slide", "tidy", "turn"])
def test_the_pipeline_reports_what_happened_to_real_dice(kind: str) -> None:
    result, _ = run(reader(), 12, kind, drawn=False, small=True)
    assert result.verdict is Verdict.RIGHT, result.faults


@WITH_PHOTOGRAPHS
def test_the_throws_of_a_real_clip_are_reported_with_their_faces() -> None:
    (known,) = [clip for clip in clips() if clip.truth]
    result, _ = run_clip(reader(), known)
    assert result
    assert result.verdict is Verdict.RIGHT, result.faults
