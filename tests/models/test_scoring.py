"""How readings are scored: matches, counts, confusions and statistics."""

from __future__ import annotations

import pytest

from models.evaluation.scoring import (
    Bin,
    Tally,
    colour_confusion,
    expected_calibration_error,
    face_confusion,
    reliability,
    wilson,
)
from tests.models.example_scores import score, seen, true
from vision.readings import SeenDie


def test_each_kind_of_mistake_is_counted() -> None:
    truth = [true(1, 0), true(2, 60), true(3, 120), true(None, 180, ignore=True)]
    t = Tally.of([score(truth, seen(1, 0), seen(5, 60), seen(4, 181), seen(6, 240, sure=False))])
    assert (t.dice, t.right, t.sure_wrong, t.missed, t.false_positives) == (3, 1, 1, 1, 1)
    assert (t.pictures, t.throws, t.asked) == (1, 1, 1)
    assert (t.throws_whole, t.throws_sure, t.throws_sure_wrong, t.unflagged_errors) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("dice", "whole", "sure", "sure_wrong", "silent"),
    [
        ((seen(1, 0), seen(2, 60)), 1, 1, 0, 0),
        ((seen(1, 0), seen(2, 60, sure=False)), 1, 0, 0, 0),
        ((seen(1, 0), seen(2, 60, cocked=True)), 1, 0, 0, 0),
        ((seen(1, 0), seen(3, 60)), 0, 1, 1, 1),
        ((seen(1, 0), seen(3, 60, sure=False)), 0, 0, 0, 0),
        ((seen(1, 0),), 0, 1, 1, 1),
        ((seen(1, 0), seen(2, 60), seen(4, 200)), 0, 1, 1, 1),
        ((), 0, 0, 0, 1),
    ],
    ids=[
        "right",
        "unsure",
        "cocked",
        "wrong and sure",
        "wrong and unsure",
        "one missed",
        "one too many",
        "nothing detected",
    ],
)
def test_a_throw_with_an_error_and_no_question_is_sure_and_wrong(
    dice: tuple[SeenDie, ...], whole: int, sure: int, sure_wrong: int, silent: int
) -> None:
    t = Tally.of([score([true(1, 0), true(2, 60)], *dice)])
    assert (t.throws_whole, t.throws_sure) == (whole, sure)
    assert (t.throws_sure_wrong, t.unflagged_errors) == (sure_wrong, silent)
    assert t.undetected_throws == (not dice)


def test_dice_detected_on_empty_backgrounds_are_counted() -> None:
    t = Tally.of([score([]), score([], seen(3, 0), seen(4, 60, sure=False))])
    assert (t.pictures, t.throws) == (2, 0)
    assert (t.empty_pictures, t.detections_on_empty, t.false_positives) == (2, 2, 2)


def test_an_emblem_is_neither_right_nor_wrong_and_sure_ones_are_counted() -> None:
    scored = score([true(1, 0), true(None, 60, symbol=True)], seen(1, 0), seen(4, 60))
    t = Tally.of([scored])
    assert (t.dice, t.right, t.false_positives, t.throws_whole, t.emblems_sure) == (1, 1, 0, 1, 1)
    assert face_confusion([scored])["emblem", "4", True] == 1


def test_leaning_and_flat_dice_that_are_called_cocked_are_counted() -> None:
    truth = [true(1, 0, tilted=True), true(2, 60, tilted=True), true(3, 120, tilted=False), true(4, 180)]
    t = Tally.of(
        [
            score(
                truth,
                seen(1, 0, cocked=True),
                seen(2, 60),
                seen(3, 120, cocked=True),
                seen(4, 180, cocked=True),
            )
        ]
    )
    assert (t.tilted, t.tilted_called_cocked, t.flat, t.flat_called_cocked) == (2, 1, 1, 1)


def test_each_die_is_matched_with_its_best_detection() -> None:
    better, worse = (
        SeenDie(3, "white", (2, 100, 40, 40), 1.0, True),
        SeenDie(5, "white", (14, 100, 40, 40), 1.0, True),
    )
    scored = score([true(3, 0)], worse, better)
    assert scored.pairs[0][1] is better
    assert scored.false_positives == (worse,)


@pytest.mark.parametrize(
    ("x", "side", "match"), [(0, 40, True), (30, 40, False), (15, 8, True), (16, 30, True), (41, 40, False)]
)
def test_a_detection_matches_by_overlap_or_by_its_centre(x: float, side: float, match: bool) -> None:
    die = SeenDie(3, "white", (x, 100 + (40 - side) / 2, side, side), 1.0, True)
    assert (score([true(3, 0)], die).pairs[0][1] is die) == match


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (1, 29, 0.0061, 0.1718),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilson_intervals_agree_with_published_ones(part: int, whole: int, low: float, high: float) -> None:
    """The last two are from Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    assert wilson(part, whole) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


def test_the_wilson_interval_of_no_samples_is_from_0_to_1() -> None:
    assert wilson(0, 0) == (0, 1)


def test_confusions_count_pairs_of_truth_and_reading() -> None:
    scored = score(
        [true(6, 0), true(2, 60), true(5, 120)],
        seen(4, 0),
        seen(2, 60, colour="yellow"),
        seen(1, 300, sure=False),
    )
    assert face_confusion([scored]) == {
        ("6", "4", True): 1,
        ("2", "2", True): 1,
        ("5", "missed", False): 1,
        ("background", "1", False): 1,
    }
    assert colour_confusion([scored]) == {("white", "yellow"): 1}


def test_reliability_compares_confidence_with_accuracy() -> None:
    scored = score(
        [true(1, 0), true(2, 60), true(3, 120)],
        seen(1, 0),
        seen(5, 60),
        seen(3, 120, sure=False),
        seen(4, 300),
    )
    middle_bin, top_bin = reliability([scored])
    assert middle_bin == Bin(0.5, 0.7, 1, 0.6, 1)
    assert (top_bin.low, top_bin.high, top_bin.dice, top_bin.right) == (0.99, 1, 3, 1)
    assert top_bin.mean == pytest.approx(0.99)


def test_detection_and_faces_are_scored_apart() -> None:
    t = Tally.of(
        [score([true(1, 0), true(2, 60), true(3, 120), true(4, 180)], seen(1, 0), seen(5, 60), seen(6, 300))]
    )
    assert (t.true_positives, t.false_positives) == (2, 1)
    assert (t.recall, t.precision, t.face_accuracy) == (
        pytest.approx(2 / 4),
        pytest.approx(2 / 3),
        pytest.approx(1 / 2),
    )


def test_shares_of_nothing_are_unknown() -> None:
    t = Tally.of([score([])])
    assert (t.recall, t.precision, t.face_accuracy) == (None, None, None)


def test_the_calibration_error_is_the_mean_difference_of_confidence_and_accuracy() -> None:
    bins = [Bin(0.5, 0.7, 10, 0.6, 9), Bin(0.7, 0.9, 30, 0.8, 24)]
    assert expected_calibration_error(bins) == pytest.approx(0.3 * 10 / 40)
    assert expected_calibration_error([]) is None


def test_every_confidence_falls_in_one_bin() -> None:
    dice = [SeenDie(1, "white", (60 * n, 100, 40, 40), c, True) for n, c in enumerate((0.0, 0.5, 0.97, 1.0))]
    assert sum(b.dice for b in reliability([score([true(1, 60 * n) for n in range(4)], *dice)])) == 4
