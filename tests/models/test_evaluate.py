"""The evaluation: what it counts, its statistics, and what it writes. Only the last tests need weights."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models import WEIGHTS
from models.evaluation import error_sheet, model_card, speed
from models.evaluation.blobs import BlobReader, named
from models.evaluation.datasets import TRAYS, photographs, simulated
from models.evaluation.evaluate import checked, clip_read, groups, lines_of_failures, main, parser, readings
from models.evaluation.reliability_diagram import diagram
from models.evaluation.results import NEW, TARGETS, TRAY, Clip, Figures, Origin, as_json, target_results
from models.evaluation.scoring import (
    Bin,
    Case,
    ScoredCase,
    Tally,
    Truth,
    colour_confusion,
    face_confusion,
    reliability,
    score_case,
    wilson,
)
from table.common.colours import COLOURS
from vision.frames import Picture
from vision.reading.detector import iou
from vision.readings import Reading, SeenDie
from vision.simulation import Scene, SimDie, render_truth

SIZE_WH = (400, 300)
ORIGIN = Origin(
    "python -m models.evaluation.evaluate",
    {"classifier.onnx": ("ab" * 32, 1_500_000)},
    {"labels.jsonl": "cd" * 32},
    {"the tray": (7, 3)},
)


def seen(face: int, x: float, sure: bool = True, colour: str = "white", cocked: bool = False) -> SeenDie:
    return SeenDie(face, colour, (x, 100, 40, 40), 0.99 if sure else 0.6, sure, cocked)


def true(face: int | None, x: float, **more: Any) -> Truth:
    return Truth((x, 100, 40, 40), face, "white", **more)


def table(shade: int) -> Picture:
    return np.full((SIZE_WH[1], SIZE_WH[0], 3), shade, np.uint8)


def scored(truth: list[Truth], *dice: SeenDie, source: str = "Ann/rig", name: str = "a.jpg", view: str = "top") -> ScoredCase:
    return score_case(Case(source, name, view, tuple(truth), partial(table, 90)), Reading(SIZE_WH, dice, ms=5.0))


class ConstantReader:
    """A reader that returns the same dice for every picture, and records the pictures."""

    def __init__(self, *dice: SeenDie) -> None:
        self.dice, self.shown = dice, list[Picture]()

    def read(self, picture: Picture) -> Reading:
        self.shown.append(picture)
        return Reading((picture.shape[1], picture.shape[0]), self.dice)


# --- counting -----------------------------------------------------------------------------------------------


def test_each_kind_of_mistake_is_counted() -> None:
    truth = [true(1, 0), true(2, 60), true(3, 120), true(None, 180, ignore=True)]
    t = Tally.of([scored(truth, seen(1, 0), seen(5, 60), seen(4, 181), seen(6, 240, sure=False))])
    assert (t.dice, t.right, t.sure_wrong, t.missed, t.false) == (3, 1, 1, 1, 1)
    assert (t.pictures, t.throws, t.throws_whole, t.throws_sure, t.throws_sure_wrong, t.asked, t.silent) == (1, 1, 0, 0, 0, 1, 0)


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
    ids=["right", "unsure", "cocked", "wrong and sure", "wrong and unsure", "one missed", "one too many", "nothing detected"],
)
def test_a_throw_with_an_error_and_no_question_is_sure_and_wrong(
    dice: tuple[SeenDie, ...], whole: int, sure: int, sure_wrong: int, silent: int
) -> None:
    t = Tally.of([scored([true(1, 0), true(2, 60)], *dice)])
    assert (t.throws_whole, t.throws_sure, t.throws_sure_wrong, t.silent) == (whole, sure, sure_wrong, silent)
    assert t.blind == (not dice)


def test_dice_detected_on_empty_backgrounds_are_counted() -> None:
    t = Tally.of([scored([]), scored([], seen(3, 0), seen(4, 60, sure=False))])
    assert (t.pictures, t.throws, t.empty, t.seen_on_empty, t.false) == (2, 0, 2, 2, 2)


def test_an_emblem_is_neither_right_nor_wrong_and_sure_ones_are_counted() -> None:
    m = scored([true(1, 0), true(None, 60, symbol=True)], seen(1, 0), seen(4, 60))
    t = Tally.of([m])
    assert (t.dice, t.right, t.false, t.throws_whole, t.emblems_sure) == (1, 1, 0, 1, 1)
    assert face_confusion([m])["emblem", "4", True] == 1


def test_leaning_and_flat_dice_that_are_called_cocked_are_counted() -> None:
    truth = [true(1, 0, leans=True), true(2, 60, leans=True), true(3, 120, leans=False), true(4, 180)]
    t = Tally.of([scored(truth, seen(1, 0, cocked=True), seen(2, 60), seen(3, 120, cocked=True), seen(4, 180, cocked=True))])
    assert (t.leaning, t.leaning_called_cocked, t.flat, t.flat_called_cocked) == (2, 1, 1, 1)


def test_each_die_is_matched_with_its_best_detection() -> None:
    better, worse = SeenDie(3, "white", (2, 100, 40, 40), 1.0, True), SeenDie(5, "white", (14, 100, 40, 40), 1.0, True)
    m = scored([true(3, 0)], worse, better)
    assert m.pairs[0][1] is better
    assert m.false == (worse,)


@pytest.mark.parametrize(("x", "side", "match"), [(0, 40, True), (30, 40, False), (15, 8, True), (16, 30, True), (41, 40, False)])
def test_a_detection_matches_by_overlap_or_by_its_centre(x: float, side: float, match: bool) -> None:
    die = SeenDie(3, "white", (x, 100 + (40 - side) / 2, side, side), 1.0, True)
    assert (scored([true(3, 0)], die).pairs[0][1] is die) == match


def test_iou_is_intersection_over_union() -> None:
    assert iou((0, 0, 2, 2), (1, 0, 2, 2)) == pytest.approx(1 / 3)
    assert iou((0, 0, 2, 2), (2, 0, 2, 2)) == 0


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (1, 29, 0.0061, 0.1718), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_intervals_agree_with_published_ones(part: int, whole: int, low: float, high: float) -> None:
    """The last two are from Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    assert wilson(part, whole) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


def test_the_wilson_interval_of_no_samples_is_from_0_to_1() -> None:
    assert wilson(0, 0) == (0, 1)


def test_confusions_count_pairs_of_truth_and_reading() -> None:
    m = scored([true(6, 0), true(2, 60), true(5, 120)], seen(4, 0), seen(2, 60, colour="yellow"), seen(1, 300, sure=False))
    assert face_confusion([m]) == {
        ("6", "4", True): 1,
        ("2", "2", True): 1,
        ("5", "missed", False): 1,
        ("no die", "1", False): 1,
    }
    assert colour_confusion([m]) == {("white", "yellow"): 1}


def test_reliability_compares_confidence_with_accuracy() -> None:
    m = scored([true(1, 0), true(2, 60), true(3, 120)], seen(1, 0), seen(5, 60), seen(3, 120, sure=False), seen(4, 300))
    middle_bin, top_bin = reliability([m])
    assert middle_bin == Bin(0.5, 0.7, 1, 0.6, 1)
    assert (top_bin.low, top_bin.high, top_bin.dice, top_bin.right) == (0.99, 1, 3, 1)
    assert top_bin.mean == pytest.approx(0.99)


def test_every_confidence_falls_in_one_bin() -> None:
    dice = [SeenDie(1, "white", (60 * n, 100, 40, 40), c, True) for n, c in enumerate((0.0, 0.5, 0.97, 1.0))]
    assert sum(b.dice for b in reliability([scored([true(1, 60 * n) for n in range(4)], *dice)])) == 4


# --- targets ------------------------------------------------------------------------------------------------


def targets_met(*group: ScoredCase) -> dict[str, bool | None]:
    return {t["name"]: t["met"] for t in target_results(Figures(ORIGIN, {NEW: list(group)}))}


def test_a_faultless_reader_meets_the_targets_and_no_picture_measures_none() -> None:
    results = targets_met(scored([true(1, 0)], seen(1, 0)), scored([]))
    assert all(results[t.name] for t in TARGETS)
    assert results["detections on empty backgrounds"]
    assert results["peak memory of a reading process"] is None
    assert set(list(targets_met().values())[:6]) == {None}


def test_targets_for_dice_use_top_views_and_those_for_throws_use_all_views() -> None:
    group = [scored([true(1, 0)], seen(1, 0)) for _ in range(99)] + [scored([true(1, 0)], seen(2, 0), view="oblique")]
    results = targets_met(*group)
    assert results["dice found and right"]
    assert results["throws wholly right, no false positives"]
    assert results["throws sure and wrong"] is False


def test_a_die_seen_on_an_empty_background_fails_its_target() -> None:
    assert targets_met(scored([], seen(1, 0, sure=False)))["detections on empty backgrounds"] is False


def test_a_share_is_never_rounded_up_to_100_percent() -> None:
    assert model_card.percent(9999, 10000) == "99.9"
    assert model_card.percent(509, 518) == "98.3"
    assert model_card.percent(7, 7) == "100.0"
    assert model_card.percent(0, 0) == "-"


# --- output -------------------------------------------------------------------------------------------------


def example_group() -> list[ScoredCase]:
    return [
        scored([true(1, 0)], seen(1, 0), name="good.jpg"),
        scored([true(2, 60)], seen(5, 60), name="sure.jpg"),
        scored([true(3, 120)], name="missed.jpg", source="Ben/rig"),
        scored([], seen(4, 180, sure=False), name="false.jpg"),
        scored([true(6, 0)], seen(6, 0, sure=False), name="unsure.jpg"),
    ]


def example_figures() -> Figures:
    baseline = [scored([true(1, 0)])]
    return Figures(ORIGIN, {NEW: example_group()}, {NEW: baseline}, Clip("c.mp4", 9, 8, 7, 1, ()), speed.Cost(10.0, 80.0, 150.0, 60))


def test_the_json_has_every_figure() -> None:
    results = json.loads(json.dumps(as_json(example_figures())))
    assert set(results) == {"origin", "targets", "groups", "clip", "cost"}
    assert results["origin"]["weights"]["classifier.onnx"] == ["ab" * 32, 1_500_000]
    assert results["cost"]["ratio"] == 0.125
    group = results["groups"][NEW]
    assert set(group) == {"all", "sources", "baseline", "faces", "colours", "reliability", "not_whole"}
    assert group["all"]["dice"] == sum(source["dice"] for source in group["sources"].values()) == 4
    assert group["not_whole"] == ["Ann/rig sure.jpg", "Ben/rig missed.jpg", "Ann/rig false.jpg"]
    assert {"truth": "2", "read": "5", "sure": True, "count": 1} in group["faces"]
    assert len(results["targets"]) == 9
    assert results["targets"][0]["baseline"] == [0, 1]


def test_the_card_has_a_row_for_every_target_and_every_table() -> None:
    text = model_card.section(example_figures(), "reliability.svg")
    assert text.startswith("## How well they read\n")
    assert text.count("not met") + text.count(" met |") >= 9
    first = (
        "| dice found and right (top views) | at least 99.5 % | 50.0 % (2 of 4) | 15.0 to 85.0 % | **not met** | - | 0.0 % (0 of 1) |"
    )
    assert first in text
    assert "| Ben/rig | 1 | 1 | 0.0 | 0.0 | 0 | 1 | 0 | 0.0 | 0.0 | 0 | 0.0 | 1 | - |" in text
    assert "| blob recipe: all |" in text
    assert "| classifier.onnx | abababababab | 1500 |" in text
    assert "the tray from seeds 7 to 9" in text
    assert "![Share of dice read right, by confidence](reliability.svg)" in text
    assert "- Ben/rig: 1 of 1 dice missed." in text
    for line in (line for line in text.splitlines() if line.startswith("|--")):
        header = text.splitlines()[text.splitlines().index(line) - 1]
        assert header.count("|") == line.count("|")


def test_all_rows_of_a_table_have_the_same_number_of_columns() -> None:
    for table_text in re.findall(r"(?:^\|.*\n)+", model_card.section(example_figures(), with_ms=True), re.M):
        assert len({row.count("|") for row in table_text.splitlines()}) == 1, table_text


def test_pictures_with_an_error_and_no_question_are_listed() -> None:
    assert sorted(lines_of_failures(example_figures())) == [
        "wrong without a question, or sure and wrong, in Ann/rig: sure.jpg",
        "wrong without a question, or sure and wrong, in Ben/rig: missed.jpg",
    ]


def test_the_diagram_has_a_dot_for_every_bin_and_colours_for_dark_mode() -> None:
    text = diagram(
        {"new rigs": [Bin(0.9, 0.95, 40, 0.93, 38), Bin(0.99, 1, 400, 0.995, 400)], "rendered tables": [Bin(0, 0.5, 4, 0.3, 1)]}
    )
    root = ET.fromstring(text)
    dots = [c for c in root.iter("{http://www.w3.org/2000/svg}circle") if len(c)]
    assert len(dots) == 3
    assert all(0 < float(c.get("cx", -1)) < 560 and 0 < float(c.get("cy", -1)) < 400 for c in dots)
    assert "prefers-color-scheme:dark" in text


def test_the_worst_pictures_come_first_and_right_ones_are_left_out() -> None:
    assert [t.scored_case.case.name for t in error_sheet.worst_failures(example_group())] == [
        "sure.jpg",
        "missed.jpg",
        "false.jpg",
        "unsure.jpg",
    ]
    assert [t.description for t in error_sheet.worst_failures(example_group())] == [
        "2 read as 5",
        "3 missed",
        "4? without a die",
        "6 not sure",
    ]


def test_one_source_does_not_fill_the_sheet() -> None:
    group = [scored([true(3, 0)], source="Ann/rig", name=f"{n}.jpg") for n in range(30)] + [scored([true(3, 0)], source="Ben/rig")]
    ranked = error_sheet.worst_failures(group)
    assert len(ranked) == error_sheet.MAX_TILES
    assert "Ben/rig" in {t.scored_case.case.source for t in ranked}


def test_a_tile_shows_the_truth_on_the_left_and_the_reading_on_the_right(tmp_path: Path) -> None:
    assert error_sheet.write_sheet(tmp_path / "error_sheet.png", example_group()) == 4
    sheet = cv2.imread(str(tmp_path / "error_sheet.png"))
    assert sheet is not None
    w, h = error_sheet.TILE_WH
    assert sheet.shape == (h, error_sheet.COLUMNS * w, 3)
    left, right = (
        sheet[: error_sheet.PANEL_PX, : error_sheet.PANEL_PX],
        sheet[: error_sheet.PANEL_PX, error_sheet.PANEL_PX + 2 : 2 * error_sheet.PANEL_PX + 2],
    )
    assert (left == error_sheet.TRUTH_BGR).all(axis=2).any()
    assert not (right == error_sheet.TRUTH_BGR).all(axis=2).any()
    assert not np.array_equal(left, right)


def test_a_sheet_without_errors_is_one_empty_tile() -> None:
    assert error_sheet.sheet([]).shape == (error_sheet.TILE_WH[1], error_sheet.TILE_WH[0], 3)


def test_a_sheet_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot be written"):
        error_sheet.write_sheet(tmp_path / "no folder" / "error_sheet.png", example_group())


# --- the baseline -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", range(1, 7))
def test_the_blob_recipe_reads_a_plain_white_die(face: int) -> None:
    """The simple case of the recipe: from above, where no pip of a side is visible."""
    picture, (truth,) = render_truth([SimDie(face, "white", 0, 0, 0.4)], np.random.default_rng(1), (1280, 960), Scene())
    (die,) = BlobReader().read(picture).dice
    assert (die.face, die.colour, die.sure) == (face, "white", True)
    assert iou(die.box_xywh, truth.box_xywh) > 0.4


def test_the_blob_recipe_reads_light_pips_too() -> None:
    picture, _ = render_truth([SimDie(5, "red", 0, 0, 0.4)], np.random.default_rng(1), (1280, 960), Scene())
    assert [(d.face, d.colour) for d in BlobReader().read(picture).dice] == [(5, "red")]


def test_the_blob_recipe_detects_nothing_on_a_bare_ground() -> None:
    assert BlobReader().read(table(120)).dice == ()


def test_the_blob_recipe_is_unsure_of_more_than_six_pips() -> None:
    picture = table(230)
    for n in range(8):
        cv2.circle(picture, (60 + 25 * n, 150), 8, (20, 20, 20), -1)
    (die,) = BlobReader().read(picture).dice
    assert not die.sure


@pytest.mark.parametrize(
    ("bgr", "name"),
    [((240, 240, 240), "white"), ((10, 10, 10), "black"), ((30, 30, 200), "red"), ((40, 160, 40), "green"), ((200, 80, 30), "blue")],
)
def test_common_colours_get_their_names(bgr: tuple[int, int, int], name: str) -> None:
    assert named(*bgr) == name
    assert name in COLOURS


# --- the whole evaluation -----------------------------------------------------------------------------------


def test_simulated_cases_are_the_same_in_every_run() -> None:
    first, second = (list(simulated(2, TRAYS[1])) for _ in range(2))
    assert [c.truth for c in first] == [c.truth for c in second]
    assert np.array_equal(first[0].load_picture(), second[0].load_picture())


def test_the_baseline_reads_the_same_pictures() -> None:
    nets, baseline = ConstantReader(), ConstantReader()
    list(readings(nets, simulated(2, TRAYS[0]), baseline))
    assert [p.shape for p in nets.shown] == [(600, 800, 3)] * 2
    assert all(a is b for a, b in zip(nets.shown, baseline.shown, strict=True))


def photo_folder(tmp_path: Path) -> Path:
    """Two photographs that are not for training, and one that is."""
    lines = []
    for name, train in (("one.png", False), ("two.png", False), ("three.png", True)):
        cv2.imwrite(str(tmp_path / name), table(100))
        dice = [{"box": [0, 100, 40, 40], "face": 1, "colour": "ivory"}] if name == "one.png" else []
        source = "Cal/other" if name == "two.png" else "Ann/rig"
        lines.append({"file": name, "source": source, "licence": "none", "view": "top", "train": train, "dice": dice})
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path


def test_photographs_for_training_are_no_cases_and_a_source_can_be_selected(tmp_path: Path) -> None:
    folder = photo_folder(tmp_path)
    assert [c.name for c in photographs(folder, train=False)] == ["one.png", "two.png"]
    assert [c.name for c in photographs(folder, train=False, source="ann")] == ["one.png"]
    assert next(photographs(folder, train=False)).truth[0].colour == "white"
    assert not [c for c in photographs(folder, train=True) if c.name == "three.png"]


def test_weights_trained_on_no_photograph_are_evaluated_on_every_rig(tmp_path: Path) -> None:
    folder = photo_folder(tmp_path)
    assert [c.name for c in photographs(folder, train=True, whole=True)] == ["three.png"]
    args = checked(parser(), parser().parse_args(["--photos", str(folder), "--none-seen", "--simulated", "0"]))
    assert [(name, [c.name for c in of]) for name, of in groups(args)] == [(NEW, ["one.png", "two.png"]), (NEW, ["three.png"])]


def test_a_missing_photograph_is_an_error_with_its_name(tmp_path: Path) -> None:
    folder = photo_folder(tmp_path)
    (folder / "one.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"one\.png"):
        next(photographs(folder, train=False)).load_picture()


def test_a_missing_clip_has_no_frames(tmp_path: Path) -> None:
    assert clip_read(ConstantReader(), tmp_path).frames == 0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--photos", "nowhere"], "expected a folder with labels.jsonl"),
        (["--renders", "nowhere"], "expected tables of models.rendering.scenes"),
        (["--models", "nowhere"], "expected a folder with the nets' .onnx files"),
        (["--source", "nobody"], "simulated: as played"),
        (["--simulated", "-1"], "0 or more, got -1"),
    ],
)
def test_wrong_options_are_refused(options: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(options)
    assert ended.value.code == 2
    assert why in capsys.readouterr().err


def test_one_command_prints_the_card_and_writes_json_diagram_and_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos, out = photo_folder(tmp_path), tmp_path / "out"
    out.mkdir()
    options = ["--photos", str(photos), "--simulated", "2", "--json", str(out / "f.json"), "--diagram", str(out / "r.svg")]
    main([*options, "--worst", str(out / "w.png"), "--card"])
    text = capsys.readouterr().out
    assert text.startswith("## How well they read")
    assert "(r.svg)" in text
    results = json.loads((out / "f.json").read_text())
    assert results["groups"][TRAY]["all"]["pictures"] == 6
    assert results["groups"][NEW]["all"]["dice"] == 1
    assert results["groups"][TRAY]["baseline"]["all"]["pictures"] == 6
    assert set(results["origin"]["weights"]) == {p.name for p in speed.weight_files(WEIGHTS)}
    assert (out / "w.png").stat().st_size > 0
    assert ET.parse(out / "r.svg").getroot().tag.endswith("svg")


def test_time_and_memory_of_reading_are_measured() -> None:
    unrelated = np.ones(80_000_000)  # memory of this process does not count
    cost = speed.measured(WEIGHTS, seconds=0.5)
    assert cost.readings > 0
    assert cost.reader_ms > 0
    assert 40 < cost.peak_mb < unrelated.nbytes / 2**20
    assert cost.ratio == pytest.approx(cost.reader_ms / cost.yardstick_ms)
