"""The results against the targets, and as JSON."""

from __future__ import annotations

import json

from models.evaluation.results import NEW, TARGETS, Figures, as_json, target_results
from models.evaluation.scoring import (
    ScoredPicture,
)
from tests.models.example_scores import ORIGIN, example_figures, score, seen, true


def targets_met(*group: ScoredPicture) -> dict[str, bool | None]:
    return {t["name"]: t["met"] for t in target_results(Figures(ORIGIN, {NEW: list(group)}))}


def test_a_faultless_reader_meets_the_targets_and_no_picture_measures_none() -> None:
    results = targets_met(score([true(1, 0)], seen(1, 0)), score([]))
    assert all(results[t.name] for t in TARGETS)
    assert results["detections on empty backgrounds"]
    assert results["peak memory of a reading process"] is None
    assert set(list(targets_met().values())[:6]) == {None}


def test_targets_for_dice_use_top_views_and_those_for_throws_use_all_views() -> None:
    group = [score([true(1, 0)], seen(1, 0)) for _ in range(99)] + [
        score([true(1, 0)], seen(2, 0), view="oblique")
    ]
    results = targets_met(*group)
    assert results["dice found and right"]
    assert results["throws wholly right, no false positives"]
    assert results["throws sure and wrong"] is False


def test_a_die_seen_on_an_empty_background_fails_its_target() -> None:
    assert targets_met(score([], seen(1, 0, sure=False)))["detections on empty backgrounds"] is False


def test_the_json_has_every_figure() -> None:
    results = json.loads(json.dumps(as_json(example_figures())))
    assert set(results) == {"origin", "targets", "groups", "clip", "cost"}
    assert results["origin"]["weights"]["classifier.onnx"] == ["ab" * 32, 1_500_000]
    assert results["cost"]["ratio"] == 0.125
    group = results["groups"][NEW]
    assert set(group) == {
        "all",
        "sources",
        "baseline",
        "faces",
        "colours",
        "reliability",
        "expected_calibration_error",
        "not_whole",
    }
    assert group["all"]["dice"] == sum(source["dice"] for source in group["sources"].values()) == 4
    assert group["not_whole"] == ["Ann/rig sure.jpg", "Ben/rig missed.jpg", "Ann/rig false.jpg"]
    assert {"truth": "2", "read": "5", "sure": True, "count": 1} in group["faces"]
    assert len(results["targets"]) == 9
    assert results["targets"][0]["baseline"] == [0, 1]
