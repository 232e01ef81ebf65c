"""`brehon bench`: its figures, their text, and its error messages."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from table.__main__ import main
from table.benchmark.cores import allowed_cores
from table.benchmark.figures import MAX_MB
from table.benchmark.margins import DICE_MM, FPS, THROWS
from table.commands.bench_text import margin_lines, rules_lines, table_lines
from table.games import GAMES, game
from tests.footage import footage_of, write_video


def bench_json(folder: Path, *options: str) -> dict[str, Any]:
    """What one run of `brehon bench --json` prints."""
    out = folder / "out.json"
    with out.open("w", encoding="utf-8") as stream, redirect_stdout(stream):
        assert main(["bench", "--json", *options]) == 0
    found: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One short run."""
    return bench_json(tmp_path_factory.mktemp("bench"), "--seconds", "1")


def test_the_stages_add_up_to_the_reading(measured: dict[str, Any]) -> None:
    stages = measured["stages_ms"]
    assert set(stages) == {"detector_shrink", "detector_net", "cutting", "classifier_net", "rest"}
    assert all(ms > 0 for ms in stages.values())
    assert sum(stages.values()) == pytest.approx(measured["total_ms"], abs=0.01)
    assert measured["frames_a_second"] == pytest.approx(1000 / measured["total_ms"], rel=0.01)


def test_the_verdicts_follow_from_the_figures(measured: dict[str, Any]) -> None:
    assert measured["ratio"] == pytest.approx(measured["total_ms"] / measured["yardstick_ms"], rel=0.01)
    assert measured["met"] == {
        "fifth": measured["ratio"] < 0.2,
        "memory": measured["peak_mb"] < MAX_MB,
        "following": measured["following"]["share"] < 0.6,
    }


def test_reading_stays_below_the_memory_limit(measured: dict[str, Any]) -> None:
    assert 30 < measured["peak_mb"] < MAX_MB


def test_a_waiting_table_leaves_its_core_idle(measured: dict[str, Any]) -> None:
    """Frames without changes cost very little: measured are 8 to 14 ms a second.

    A tenth of a core would warm a Pi.
    """
    waiting = measured["waiting"]
    watch_ms = waiting["cpu_ms_a_second"] - waiting["drawing_ms_a_second"]
    assert 0 < watch_ms < 100
    assert 2 < waiting["frames_a_second"] < 12


def test_following_rolling_dice_takes_more_time_than_waiting(measured: dict[str, Any]) -> None:
    following = measured["following"]
    assert following["throws"] >= 1
    assert following["share"] == pytest.approx(following["cpu_ms_a_second"] / 1000, abs=1e-4)
    assert (
        following["cpu_ms_a_second"]
        > measured["waiting"]["cpu_ms_a_second"] - measured["waiting"]["drawing_ms_a_second"]
    )


def test_the_text_has_every_figure(measured: dict[str, Any]) -> None:
    text = "\n".join(table_lines(measured))
    verdict = "met" if measured["met"]["fifth"] else "not met"
    assert f"target under 0.2: {verdict}" in text
    assert all(f"{ms:.1f} ms" in text for ms in measured["stages_ms"].values())
    assert f"{measured['waiting']['share']:.2%} of a core" in text
    assert f"{measured['following']['share']:.1%} of a core" in text


def test_the_text_says_when_other_programs_used_the_core(measured: dict[str, Any]) -> None:
    assert "Other programs used 30% of this core" in "\n".join(table_lines({**measured, "had_share": 0.7}))
    assert "Other programs" not in "\n".join(table_lines({**measured, "had_share": 0.99}))


def test_the_text_says_when_no_core_can_be_chosen(measured: dict[str, Any]) -> None:
    assert "cannot limit a process" in "\n".join(table_lines({**measured, "pinned": False}))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--seconds", "0"], "--seconds must be from 0.5 to 600; got 0"),
        (["--seconds", "nan"], "--seconds must be from 0.5 to 600; got nan"),
        (["--cores", "0"], "the cores that this process may use; got 0"),
        (
            ["--cores", "9999"],
            f"--cores must be from 1 to {len(allowed_cores())}, "
            "the cores that this process may use; got 9999",
        ),
    ],
)
def test_options_out_of_range_are_refused(
    options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *options]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("brehon: ")
    assert why in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")


def test_missing_nets_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--seconds", "0.5", "--models", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"brehon: the net {tmp_path}")
    assert err.endswith("name a folder that holds Brehon's nets with --models\n")
    assert err.count("\n") == 1


# -- the rules -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rules_measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One short run."""
    return bench_json(tmp_path_factory.mktemp("bench"), "--rules", "--seconds", "0.5")


def test_every_game_is_played_and_resumed(rules_measured: dict[str, Any]) -> None:
    assert list(rules_measured["games"]) == list(GAMES)
    assert rules_measured["resumed_answers"] == 2000
    for name, cost in rules_measured["games"].items():
        assert cost["players"] in game(name).players
        assert cost["games"] * cost["answers_a_game"] >= 0.99 * 2000
        assert cost["games_a_second"] * cost["answers_a_game"] == pytest.approx(
            cost["answers_a_second"], rel=0.05
        )
        assert 0 < cost["resume_ms"] < 5000


def test_the_text_has_a_row_for_every_game(rules_measured: dict[str, Any]) -> None:
    head, empty, titles, *rows = rules_lines(rules_measured)
    assert "time to replay 2,000 answers" in head
    assert empty == ""
    assert titles.split()[:7] == ["game", "players", "games", "a", "second", "answers", "a"]
    assert titles.split()[7:] == ["game", "resuming", "best", "play"]
    assert [row.split()[0] for row in rows] == list(GAMES)
    pig = next(row for row in rows if row.split()[0] == "pig")
    assert f"{rules_measured['games']['pig']['resume_ms']:,.0f} ms" in pig
    coached = {name for name, cost in rules_measured["games"].items() if "best_play" in cost}
    assert coached == {name for name, rules in GAMES.items() if rules.best_play}
    assert all(
        cost["best_play"]["first_ms"] >= cost["best_play"]["later_ms"] >= 0
        for cost in (rules_measured["games"][name] for name in coached)
    )
    assert pig.endswith(f"{rules_measured['games']['pig']['best_play']['later_ms']:,.0f} ms")


def test_measuring_the_rules_for_0_seconds_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rules", "--seconds", "0"]) == 2
    assert "--seconds must be from 0.5 to 600; got 0" in capsys.readouterr().err


# -- rest and motion -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def margins_measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The margins of a video of two throws, and of simulated throws."""
    folder = tmp_path_factory.mktemp("margins")
    footage = footage_of(["red", "white"], ["blue"])
    video = write_video(folder / "a_very_long_evening_with_two_throws.avi", footage.pictures)
    return bench_json(folder, "--margins", str(video))


def test_rest_and_throws_are_clear_of_the_thresholds_at_any_rate_and_size(
    margins_measured: dict[str, Any],
) -> None:
    video, *simulated = margins_measured["recordings"]
    assert video["recording"] == "a_very_long_evening_with_two_throws.avi"
    assert len(simulated) == len(FPS) * len(DICE_MM)
    for recording in margins_measured["recordings"]:
        assert recording["roll"]["of"] == THROWS
        margins = [recording[name] for name in ("noise", "rest", "roll", "lull") if recording[name]]
        assert min(margin["times"] for margin in margins) > 1.5, recording["recording"]
        assert recording["noise"]
        assert recording["rest"]
        assert (recording["disturbed"], recording["restless"], recording["trouble"]) == (0, None, "")
    assert [recording["looks_a_second"] for recording in simulated[::2]] == pytest.approx(
        [5, 10, 30, 30], rel=0.01
    )
    assert all(
        large["die_px"] > 2.5 * small["die_px"]
        for small, large in zip(simulated[::2], simulated[1::2], strict=True)
    )


def test_the_text_has_a_row_for_every_recording(margins_measured: dict[str, Any]) -> None:
    rows = list(margin_lines(margins_measured))
    titles = next(n for n, row in enumerate(rows) if row.split()[:2] == ["recording", "looks/s"])
    assert len(rows) - titles - 1 == len(margins_measured["recordings"])
    video = margins_measured["recordings"][0]
    assert rows[titles + 1].startswith("  a_very_long_evening_with_two_th... ")
    assert f"{video['roll']['value']:.1f} x{video['roll']['times']:.1f} (2)" in rows[titles + 1]


def test_the_text_says_why_a_recording_has_no_margin(margins_measured: dict[str, Any]) -> None:
    restless = {"times": 1.5, "value": 6.0, "of": 1}
    no_margins = dict.fromkeys(("looks_a_second", "die_px", "noise", "rest", "roll", "lull"))
    recording = {
        "recording": "cut.mp4",
        **no_margins,
        "disturbed": 3,
        "restless": restless,
        "trouble": "cut.mp4 breaks off",
    }
    text = "\n".join(margin_lines({**margins_measured, "recordings": [recording]}))
    assert "3 rests were disturbed: resting dice seemed to move" in text
    assert "its calmest part has 6.0, 1.5 times the limit for rest" in text
    assert text.endswith("cut.mp4 breaks off")


def test_margins_of_a_missing_video_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--margins", str(tmp_path / "none.mp4")]) == 1
    assert capsys.readouterr().err.startswith(f"brehon: there is no video {tmp_path / 'none.mp4'}")
    with pytest.raises(SystemExit):
        main(["bench", "--margins", "--rules"])
