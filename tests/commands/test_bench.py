"""`brehon bench`: what it measures, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from table.__main__ import main
from table.benchmark.cores import allowed_cores
from table.benchmark.figures import MOST_MB
from table.benchmark.margins import DICE_MM, FPS, THROWS
from table.commands.bench_text import margin_lines, rules_lines, table_lines
from table.games import GAMES, game
from tests.footage import throws_filmed, written


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One short run, as a script gets it."""
    with pytest.MonkeyPatch.context() as patch:
        out = tmp_path_factory.mktemp("bench") / "out.json"
        with out.open("w", encoding="utf-8") as stream:
            patch.setattr("sys.stdout", stream)
            assert main(["bench", "--seconds", "1", "--json"]) == 0
        found: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return found


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
        "memory": measured["peak_mb"] < MOST_MB,
        "following": measured["following"]["share"] < 0.6,
    }


def test_reading_takes_no_more_memory_than_it_may(measured: dict[str, Any]) -> None:
    assert 30 < measured["peak_mb"] < MOST_MB


def test_a_table_that_waits_leaves_its_core_idle(measured: dict[str, Any]) -> None:
    """Frames with nothing new cost next to nothing: a tenth of a core would warm a Pi. Measured: 8 to 14 ms a second."""
    waiting = measured["waiting"]
    watch_ms = waiting["cpu_ms_a_second"] - waiting["drawing_ms_a_second"]
    assert 0 < watch_ms < 60
    assert 2 < waiting["frames_a_second"] < 12


def test_dice_that_roll_are_followed_in_the_time_there_is(measured: dict[str, Any]) -> None:
    following = measured["following"]
    assert following["throws"] >= 1
    assert following["share"] == pytest.approx(following["cpu_ms_a_second"] / 1000, abs=1e-4)
    assert following["cpu_ms_a_second"] > measured["waiting"]["cpu_ms_a_second"] - measured["waiting"]["drawing_ms_a_second"]


def test_people_are_told_every_figure(measured: dict[str, Any]) -> None:
    text = "\n".join(table_lines(measured))
    verdict = "met" if measured["met"]["fifth"] else "not met"
    assert f"target under 0.2: {verdict}" in text
    assert all(f"{ms:.1f} ms" in text for ms in measured["stages_ms"].values())
    assert f"{measured['waiting']['share']:.2%} of a core" in text
    assert f"{measured['following']['share']:.1%} of a core" in text


def test_a_core_that_others_use_is_told_of(measured: dict[str, Any]) -> None:
    assert "Other programs used 30% of this core" in "\n".join(table_lines({**measured, "had_share": 0.7}))
    assert "Other programs" not in "\n".join(table_lines({**measured, "had_share": 0.99}))


def test_where_no_core_can_be_chosen_people_are_told(measured: dict[str, Any]) -> None:
    assert "cannot limit a process" in "\n".join(table_lines({**measured, "pinned": False}))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--seconds", "0"], "--seconds must be from 0.5 to 600; got 0"),
        (["--seconds", "nan"], "--seconds must be from 0.5 to 600; got nan"),
        (["--cores", "0"], "the cores that this process may use; got 0"),
        (["--cores", "9999"], f"--cores must be from 1 to {len(allowed_cores())}, the cores that this process may use; got 9999"),
    ],
)
def test_what_cannot_be_measured_is_refused(options: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *options]) == 1
    told = capsys.readouterr()
    assert told.err.startswith("brehon: ")
    assert why in told.err
    assert (told.err.count("\n"), told.out) == (1, "")


def test_missing_nets_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--seconds", "0.5", "--models", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"brehon: the net {tmp_path}")
    assert err.endswith("name a folder that holds Brehon's nets with --models\n")
    assert err.count("\n") == 1


# -- the rules ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rules_measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One short run, as a script gets it."""
    with pytest.MonkeyPatch.context() as patch:
        out = tmp_path_factory.mktemp("bench") / "out.json"
        with out.open("w", encoding="utf-8") as stream:
            patch.setattr("sys.stdout", stream)
            assert main(["bench", "--rules", "--seconds", "0.5", "--json"]) == 0
        found: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return found


def test_every_game_is_played_and_resumed(rules_measured: dict[str, Any]) -> None:
    assert list(rules_measured["games"]) == list(GAMES)
    assert rules_measured["resumed_answers"] == 2000
    for name, cost in rules_measured["games"].items():
        assert cost["players"] in game(name).players
        assert cost["games"] * cost["answers_a_game"] >= 0.99 * 2000
        assert cost["games_a_second"] * cost["answers_a_game"] == pytest.approx(cost["answers_a_second"], rel=0.05)
        assert 0 < cost["resume_ms"] < 5000


def test_people_are_told_what_every_game_costs(rules_measured: dict[str, Any]) -> None:
    head, empty, titles, *rows = rules_lines(rules_measured)
    assert "time to replay 2,000 answers" in head
    assert empty == ""
    assert titles.split() == ["game", "players", "games", "a", "second", "answers", "a", "game", "resuming"]
    assert [row.split()[0] for row in rows] == list(GAMES)
    pig = next(row for row in rows if row.split()[0] == "pig")
    assert f"{rules_measured['games']['pig']['resume_ms']:,.0f} ms" in pig


def test_the_rules_cannot_be_measured_for_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rules", "--seconds", "0"]) == 1
    assert "--seconds must be from 0.5 to 600; got 0" in capsys.readouterr().err


# -- rest and motion ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def margins_measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Of a video of two throws, and of the simulated ones, as a script gets it."""
    folder = tmp_path_factory.mktemp("margins")
    pictures, _ = throws_filmed(["red", "white"], ["blue"])
    video = written(folder / "a_very_long_evening_with_two_throws.avi", pictures)
    with pytest.MonkeyPatch.context() as patch:
        out = folder / "out.json"
        with out.open("w", encoding="utf-8") as stream:
            patch.setattr("sys.stdout", stream)
            assert main(["bench", "--json", "--margins", str(video)]) == 0
        found: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return found


def test_rest_and_throws_keep_away_from_the_bounds_at_any_rate_and_size(margins_measured: dict[str, Any]) -> None:
    video, *simulated = margins_measured["recordings"]
    assert video["recording"] == "a_very_long_evening_with_two_throws.avi"
    assert len(simulated) == len(FPS) * len(DICE_MM)
    for one in margins_measured["recordings"]:
        assert one["roll"]["of"] == THROWS
        assert min(one[what]["times"] for what in ("noise", "rest", "roll", "lull") if one[what]) > 1.5, one["recording"]
        assert one["noise"]
        assert one["rest"]
        assert (one["disturbed"], one["restless"], one["trouble"]) == (0, None, "")
    assert [one["looks_a_second"] for one in simulated[::2]] == pytest.approx([5, 10, 30, 30], rel=0.01)
    assert all(large["die_px"] > 2.5 * small["die_px"] for small, large in zip(simulated[::2], simulated[1::2], strict=True))


def test_people_are_told_the_margins_in_a_table(margins_measured: dict[str, Any]) -> None:
    rows = list(margin_lines(margins_measured))
    titles = next(n for n, row in enumerate(rows) if row.split()[:2] == ["recording", "looks/s"])
    assert len(rows) - titles - 1 == len(margins_measured["recordings"])
    video = margins_measured["recordings"][0]
    assert rows[titles + 1].startswith("  a_very_long_evening_with_two_th... ")
    assert f"{video['roll']['value']:.1f} x{video['roll']['times']:.1f} (2)" in rows[titles + 1]


def test_what_has_no_margin_is_said_and_why(margins_measured: dict[str, Any]) -> None:
    restless = {"times": 1.5, "value": 6.0, "of": 1}
    nothing = dict.fromkeys(("looks_a_second", "die_px", "noise", "rest", "roll", "lull"))
    one = {"recording": "cut.mp4", **nothing, "disturbed": 3, "restless": restless, "trouble": "cut.mp4 breaks off"}
    text = "\n".join(margin_lines({**margins_measured, "recordings": [one]}))
    assert "3 rests were disturbed: resting dice seemed to move" in text
    assert "its calmest part has 6.0, 1.5 times the limit for rest" in text
    assert text.endswith("cut.mp4 breaks off")


def test_margins_of_no_video_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--margins", str(tmp_path / "none.mp4")]) == 1
    assert capsys.readouterr().err.startswith(f"brehon: there is no video {tmp_path / 'none.mp4'}")
    with pytest.raises(SystemExit):
        main(["bench", "--margins", "--rules"])
