"""`brehon referee`: JSON lines in, JSON lines out."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from table.__main__ import main
from table.commands.referee import MatchSession, session_lines
from table.games import GAMES, game
from table.log.lock import locked_folder
from table.log.store import Log
from table.referee.snapshot import match_to_json
from table.rules.game import Seat
from table.rules.match import Match
from tests.games import golden

ROOT = Path(__file__).parents[2]


def referee(*args: str, lines: list[Any]) -> list[dict[str, Any]]:
    """The lines it prints for these input lines. Text and bytes are sent as they are, all else as JSON."""
    sent = b"".join(_as_bytes(line) + b"\n" for line in lines)
    done = run(*args, sent=sent)
    assert done.stderr == b""
    assert done.returncode == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def run(*args: str, sent: bytes = b"", encoding: str = "utf-8") -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "table", "referee", *args]
    return subprocess.run(command, input=sent, capture_output=True, cwd=ROOT, env=env, check=False)


def _as_bytes(line: Any) -> bytes:
    if isinstance(line, bytes):
        return line
    return line.encode() if isinstance(line, str) else json.dumps(line).encode()


def pig(*lines: Any) -> list[dict[str, Any]]:
    return referee("pig", "--players", "Ann,Ben", "--set", "start=Ann", lines=list(lines))


def test_a_line_is_printed_at_the_start_and_after_every_input_line() -> None:
    printed = pig({"roll": [5]}, {"choose": "hold"})
    assert [line["at"] for line in printed] == [0, 1, 2]
    assert printed[0]["prompt"] == {
        "kind": "roll",
        "player": "Ann",
        "dice": [{"colour": None, "count": 1}],
        "beside": [],
        "text": "Ann: throw one die.",
    }
    assert printed[1]["prompt"]["options"] == [
        {"id": "hold", "text": "Hold 5"},
        {"id": "roll", "text": "Throw again", "throws": 1},
    ]
    assert printed[2]["scores"] == {"Ann": 5, "Ben": 0}


def test_with_coach_each_line_says_what_best_play_is_worth_and_the_last_what_was_luck() -> None:
    coached = ("pig", "--players", "Ann,Ben", "--set", "start=Ann", "--coach")
    turns = [{"roll": [6]}, {"choose": "roll"}] * 17
    lines = referee(*coached, lines=[*turns, {"choose": 1}])
    best = lines[1]["best_play"]
    assert (best["aim"], best["points"]) == ("the chance to win", False)
    first, second = best["answers"]
    assert (first["choose"], first["costs"], second["choose"]) == ("roll", 0, "hold")
    assert second["costs"] == pytest.approx(first["worth"] - second["worth"])
    assert second["costs"] > 0
    assert lines[2]["best_play"]["answers"] == [], "a throw"
    assert lines[-1]["refused"], "a refusal has it too"
    assert lines[-1]["best_play"] == lines[-2]["best_play"]
    end = referee(*coached, lines=[*turns[:-1], {"choose": "hold"}])[-1]
    ann, ben = end["accounts"]
    assert (ann["player"], ann["result"], ben["result"]) == ("Ann", 1, 0)
    assert ann["luck"] > 0 > ann["choices"]
    assert "best_play" not in end


def test_without_coach_no_line_has_advice() -> None:
    assert all({"best_play", "accounts", "odds"}.isdisjoint(line) for line in pig({"roll": [5]}))


def test_the_first_player_is_found_by_throws() -> None:
    printed = referee("pig", "--players", "Ann,Ben", lines=[{"roll": [3]}, {"roll": [6]}])
    assert [line["prompt"]["player"] for line in printed] == ["Ann", "Ben", "Ben"]
    assert printed[-1]["rulings"] == ["Ben begins."]


def test_rulings_before_the_first_answer_come_with_the_first_line() -> None:
    printed = referee("hot_score", "--players", "Ann,Ben", "--set", "start=Ann", lines=[{"roll": [3, 4]}])
    assert printed[0]["rulings"] == [
        "Two dice beat three here. With as many dice on both sides, HOT beats NEAR, and NEAR beats FAR."
    ]
    assert printed[1]["rulings"] == []


def test_rulings_are_printed_once() -> None:
    printed = pig({"roll": [1]}, {"roll": [1]})
    assert printed[1]["rulings"] == ["Ann threw a 1: nothing lost, and the turn is over."]
    assert printed[2]["rulings"] == ["Ben threw a 1: nothing lost, and the turn is over."]


def test_rulings_before_the_first_prompt_come_with_the_first_line() -> None:
    first, second = referee(
        "sigily", "--players", "Ann,Ben", "--set", "start=Ann", lines=[{"sticks": ["dog"] + ["round"] * 3}]
    )
    assert first["rulings"] == [
        "Ann drives for Connaught and starts at Samhain.",
        "Ben drives for Ulster and starts at Samhain.",
    ]
    assert second["rulings"] == ["Ann, aon: new chariot 1 lands on sigil 1 and takes 1 coin (the only move)."]


def test_a_setting_that_does_not_fit_the_players_is_refused() -> None:
    done = run("sigily", "--players", "Ann,Ben", "--set", "teams=on")
    assert done.returncode != 0
    assert (
        done.stderr.decode().strip()
        == "brehon: the setting teams is for four players, and two came: leave it at off"
    )


def test_the_last_line_has_winners_scores_and_sheet() -> None:
    lines = [{"roll": [5]}, {"choose": "roll"}] * 19 + [{"roll": [5]}, {"choose": "hold"}]
    last = pig(*lines)[-1]
    assert last["over"] is True
    assert last["winners"] == ["Ann"]
    assert (last["why"], last["carried"], last["next_first"]) == ("Ann holds 100 and wins.", 0, None)
    assert last["scores"] == {"Ann": 100, "Ben": 0}
    assert last["sheet"]["Ann"][0]["points"] == 100
    assert "prompt" not in last


def test_refusals_show_the_sticks_and_coins_of_the_game() -> None:
    sent: list[Any] = [{"dance": 1}, {"correct": 3}, {"sticks": ["red"]}]
    whys = [
        line["refused"]["why"] for line in referee("down_the_danube", "--players", "Ann,Ben", lines=sent)[1:]
    ]
    assert whys == [
        'expected {"sticks": ["white", "black", "white", "black"]}, the upper side of each stick, in any '
        'order, {"take_back": true} or {"correct": {"at": 5, "sticks": [...]}}; got {"dance": 1}',
        'a correction is written {"correct": {"at": 5, "sticks": [...]}}; got 3',
        '"sticks" takes a list of sides that the prompt lists under "sticks"; got "red"',
    ]
    coins = referee("sigily", "--players", "Ann,Ben", "--set", "sticks=coins", lines=["{}"])[1]
    assert '["round", "flat", "round", "flat"]' in coins["refused"]["why"]


@pytest.mark.parametrize("name", GAMES)
def test_every_line_has_the_board_and_the_lifted_dice_of_the_page(name: str) -> None:
    head, *steps, _ = map(json.loads, golden.path_of(name).read_text("utf-8").splitlines())
    session = MatchSession(Match(game(name), [Seat.from_json(s) for s in head["seats"]], head["settings"]))
    sent = [_as_bytes({"choose": "no such option"}), *(_as_bytes(step["answer"]) for step in steps)]
    lines = []
    for line in session_lines(session, sent):
        shown = match_to_json(session.match.view())
        assert line.get("board") == shown["board"]
        assert line.get("lifted", []) == shown["lifted"]
        lines.append(line)
    assert "refused" in lines[1]
    assert lines[-1]["over"]
    assert {"board" in line for line in lines} == {bool(game(name).board_notes)}
    assert any("lifted" in line for line in lines) == (name in ("bricrius_bluff", "liars_dice"))


def test_after_the_end_answers_are_refused_and_the_last_choice_can_be_taken_back() -> None:
    lines = [{"roll": [5]}, {"choose": "roll"}] * 19 + [
        {"roll": [5]},
        {"choose": "hold"},
        {"roll": [5]},
        {"take_back": True},
    ]
    *_, refused, back = pig(*lines)
    assert refused["refused"]["kind"] == "illegal"
    assert back["prompt"]["kind"] == "choose"


def test_garbage_is_refused_line_by_line_and_changes_nothing() -> None:
    garbage: list[Any] = [
        "xx", "{", b"\xff\xfe", "null", "1", "[]", "{}", '"roll"',
        {"roll": 3}, {"roll": [0]}, {"roll": [7]}, {"roll": [True]}, {"roll": [2.0]}, {"roll": ["2"]},
        {"roll": [{"face": 2, "colour": 3}]}, {"roll": [{}]}, {"choose": 1}, {"keep": 1},
        {"roll": [2], "choose": "hold"}, {"dance": True}, {"take_back": 1},
        {"correct": 1}, {"correct": {"at": "0", "roll": [1]}}, {"correct": {"at": 0}},
        "[" * 100_000, "9" * 5000,
        '{"choose": "\\ud800"}', b'{"choose": "\xed\xa0\x80"}', '{"\\ud800": 1}',
        '{"roll": [{"face": 2, "colour": "\\ud800"}]}', {"roll": [{"face": 2, "color": "red"}]},
        {"roll": [{"face": 2, "colour": "mauve"}]},
        '{"roll": [2], "roll": [3]}', '{"roll": [{"face": 2, "face": 3}]}',
        {"choose": ["h" * 1_000_000]}, {"roll": "1" * 1_000_000},
        *("[" * brackets + "]" * brackets for brackets in range(900, 1000, 7)),
        *(f'{{"roll": {"[" * brackets}{"]" * brackets}}}' for brackets in (985, 986, 987)),
    ]  # fmt: skip
    first, *printed = pig(*garbage)
    assert len(printed) == len(garbage)
    for line, sent in zip(printed, garbage, strict=True):
        assert line["refused"]["kind"] == "unreadable", sent
        assert line["at"] == 0
        assert line["prompt"] == first["prompt"]
        assert 10 < len(line["refused"]["why"]) < 240, sent


def test_the_refusal_of_garbage_says_what_was_expected_and_what_came() -> None:
    double, triple = '{"roll": [2], "roll": [3]}', '{"a": 1, "b": 2, "b": 3, "b": 4}'
    _, nothing, twice, thrice, taken, corrected = pig(
        {"throw": None}, double, triple, {"take_back": None}, {"correct": {"at": True}}
    )
    assert nothing["refused"]["why"] == (
        'expected {"roll": [3, 1]} or {"roll": [{"face": 3, "colour": "green"}, ...]}, '
        '{"take_back": true} or {"correct": {"at": 5, "roll": [3, 1]}}; got {"throw": null}'
    )
    assert twice["refused"]["why"] == 'a key comes once in an object; got "roll" 2 times'
    assert thrice["refused"]["why"] == 'a key comes once in an object; got "b" 3 times'
    assert taken["refused"]["why"] == '"take_back" takes true; got null'
    assert corrected["refused"]["why"] == (
        'a correction is written {"correct": {"at": 5, "roll": [3, 1]}}; got {"at": true}'
    )


def test_with_sticks_the_hint_corrects_sticks() -> None:
    _, nothing, corrected = referee(
        "sigily", "--players", "A,B", lines=[{"throw": None}, {"correct": {"at": True}}]
    )
    sticks = '{"correct": {"at": 5, "sticks": [...]}}'
    assert nothing["refused"]["why"].endswith(f'{{"take_back": true}} or {sticks}; got {{"throw": null}}')
    assert corrected["refused"]["why"] == f'a correction is written {sticks}; got {{"at": true}}'


def test_a_refusal_quotes_at_most_60_letters() -> None:
    colours = {"roll": [{"face": 2, "colour": "x" * 1_000_000}]}
    far = {"correct": {"at": 10**4000, "roll": [1]}}
    _, _, *printed = pig(
        {"roll": [5]},
        {"choose": "h" * 1_000_000},
        {"keep": [1] * 400_000},
        {"roll": [1] * 400_000},
        colours,
        far,
    )
    for line in printed:
        assert len(line["refused"]["why"]) < 240
    assert (
        printed[0]["refused"]["why"]
        == f"Not “{'h' * 57}...”: choose hold or roll. Ann: hold 5 or throw again?"
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "cp1252"])
def test_lines_have_the_same_content_in_any_encoding(encoding: str) -> None:
    done = run(
        "pig",
        "--players",
        "Gráinne,李雷",
        sent='{"choose": "“”"}\n{"roll": [3]}\n'.encode(),
        encoding=encoding,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    _, refused, thrown = (json.loads(line.decode(encoding)) for line in done.stdout.splitlines())
    assert (
        refused["refused"]["why"]
        == "A throw is expected, not a choice. Gráinne: throw one die, and the highest begins."
    )
    assert thrown["prompt"]["player"] == "李雷"
    assert ("Gráinne".encode() in done.stdout) == (encoding == "utf-8")


def test_the_help_is_printed_in_any_encoding() -> None:
    done = run("--help", encoding="ascii")
    assert (done.returncode, done.stderr) == (0, b"")


def test_answers_that_are_readable_but_not_allowed_are_illegal() -> None:
    correction = {"correct": {"at": 0, "roll": [1]}}
    printed = pig(
        {"roll": [1, 1]}, {"roll": []}, {"choose": "hold"}, {"keep": [1]}, {"take_back": True}, correction
    )
    assert [line["refused"]["kind"] for line in printed[1:]] == ["illegal"] * 6
    assert printed[1]["refused"]["why"] == "One die expected, two dice came. Ann: throw one die."


def test_blank_lines_are_skipped() -> None:
    assert len(pig("", "   ", {"roll": [5]})) == 2


def test_a_correction_replays_the_match_and_names_the_answers_that_no_longer_fit() -> None:
    printed = pig({"roll": [5]}, {"choose": "roll"}, {"roll": [4]}, {"correct": {"at": 0, "roll": [1]}})
    assert printed[-1]["at"] == 1
    assert printed[-1]["prompt"]["player"] == "Ben"
    assert printed[-1]["rulings"] == [
        "Ann threw a 1: nothing lost, and the turn is over.",
        "Ann's throw is corrected from 5 to 1. Two later answers no longer fit and must be given again: "
        "Ann's “Throw again” and throw of 4.",
    ]


def test_rulings_of_a_corrected_match_are_printed_once_and_hide_no_later_ruling() -> None:
    hold = {"choose": "hold"}
    *_, back, corrected, _, _, bust = referee(
        "pig", "--players", "A,B", "--set", "start=A",
        lines=[{"roll": [2]}, hold, {"roll": [3]}, hold, {"roll": [4]}, hold, {"take_back": True},
               {"correct": {"at": 0, "roll": [1]}}, {"roll": [5]}, {"choose": "roll"}, {"roll": [1]}],
    )  # fmt: skip
    assert back["rulings"] == ["A takes back: “Hold 4”."]
    assert corrected["rulings"] == [
        "A threw a 1: nothing lost, and the turn is over.",
        "A's throw is corrected from 2 to 1. Four later answers no longer fit and must be given again: "
        "A's “Hold 2”, B's throw of 3, “Hold 3” and A's throw of 4.",
    ]
    assert bust["rulings"] == ["B threw a 1: 5 points lost, and the turn is over."]


def test_a_correction_says_who_begins_now() -> None:
    printed = referee(
        "pig", "--players", "A,B", lines=[{"roll": [3]}, {"roll": [3]}, {"correct": {"at": 1, "roll": [4]}}]
    )
    assert printed[-1]["rulings"] == ["B begins.", "B's throw is corrected from 3 to 4."]


def test_prompts_name_colours_where_players_throw_their_own_dice() -> None:
    printed = referee(
        "pig", "--players", "Ann:green,Ben:red", "--set", "start=Ann", "--set", "dice=own",
        lines=[{"roll": [{"face": 3, "colour": "red"}]}, {"roll": [{"face": 3, "colour": "green"}]}, ],
    )  # fmt: skip
    assert printed[0]["prompt"]["dice"] == [{"colour": "green", "count": 1}]
    assert printed[1]["refused"]["kind"] == "illegal"
    assert printed[2]["at"] == 1


def test_a_match_continues_from_its_log(tmp_path: Path) -> None:
    args = ("pig", "--players", "Ann,Ben", "--set", "start=Ann", "--data", str(tmp_path))
    referee(*args, lines=[{"roll": [5]}, {"choose": "roll"}, {"take_back": True}])
    (again,) = referee(*args, lines=[])
    assert again["at"] == 1
    assert again["prompt"]["kind"] == "choose"


ONE_TURN = [{"roll": [1, 4, 6, 6, 6, 6]}, {"keep": [1, 4, 6, 6, 6, 6]}]


def test_the_last_line_says_who_begins_the_next_game_and_what_is_carried() -> None:
    *_, last = referee(
        "midnight", "--players", "Ann,Ben", "--set", "start=Ben", "--set", "stake=2", lines=ONE_TURN * 2
    )
    assert (last["winners"], last["next_first"], last["carried"]) == ([], "Ben", 4)


def test_after_a_finished_match_the_same_command_starts_a_new_one(tmp_path: Path) -> None:
    args = ("midnight", "--players", "Ann,Ben", "--set", "start=Ann", "--data", str(tmp_path))
    *_, over = referee(*args, lines=ONE_TURN * 2)
    assert over["over"]
    (new,) = referee(*args, lines=[])
    assert (new["at"], new["prompt"]["text"], new["rulings"]) == (0, "Ann: throw six dice.", [])
    other = ("pig", "--players", "Cal,Dee", "--data", str(tmp_path / "other"))
    assert referee(*other, lines=[])[0]["at"] == 0


def test_a_match_continues_with_settings_of_equal_values(tmp_path: Path) -> None:
    args = ("five_dice", "--players", "Ann,Ben", "--set", "start=Ann", "--data", str(tmp_path))
    referee(*args, lines=[{"roll": [1, 2, 2, 3, 3, 4]}])
    (again,) = referee(*args, "--set", "entry=1000", lines=[])
    assert again["prompt"]["kind"] == "keep"


def test_a_running_match_is_not_replaced_by_another(tmp_path: Path) -> None:
    args = ("pig", "--players", "Ann,Ben", "--set", "start=Ann", "--data", str(tmp_path))
    referee(*args, lines=[{"roll": [5]}])
    for other in (
        ("midnight", "--players", "Ann,Ben"),
        ("pig", "--players", "Ann,Cal"),
        ("pig", "--players", "Ann,Ben"),
        ("pig", "--players", "Ann:red,Ben:blue", "--set", "start=Ann"),
    ):
        done = run(*other, "--data", str(tmp_path))
        assert (done.returncode, done.stdout) == (1, b"")
        assert done.stderr.decode() == (
            f"brehon: {tmp_path} has a match of Pig with Ann and Ben; "
            "to go on, give the same game, players and settings, or give another folder with --data\n"
        )
    assert referee(*args, lines=[])[0]["at"] == 1


def test_a_folder_where_a_table_is_running_is_left_alone(tmp_path: Path) -> None:
    with locked_folder(tmp_path):
        done = run("pig", "--players", "Ann,Ben", "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"brehon: another table is running on {tmp_path}; stop it")
    assert not (tmp_path / "brehon.sqlite3").exists()


def test_a_match_that_the_rules_no_longer_fit_is_said_so(tmp_path: Path) -> None:
    log = Log(tmp_path / "brehon.sqlite3")
    log.append(log.start("whist", (Seat("Ann"), Seat("Ben")), {}), [])
    log.close()
    done = run("pig", "--players", "Ann,Ben", "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.decode().startswith(
        f"brehon: the match in {tmp_path} cannot be resumed: there is no game “whist”; there are "
    )


def test_a_damaged_match_is_refused_in_one_line(tmp_path: Path) -> None:
    args = ("pig", "--players", "Ann,Ben", "--set", "start=Ann", "--data", str(tmp_path))
    referee(*args, lines=[{"roll": [3]}])
    with closing(sqlite3.connect(tmp_path / "brehon.sqlite3")) as db:
        db.execute("DROP TRIGGER event_is_never_changed")
        db.execute("UPDATE event SET body = 'torn'")
        db.commit()
    done = run(*args)
    assert done.returncode == 1
    message = (
        f"the match in {tmp_path} cannot be resumed: its log is damaged; give another folder with --data"
    )
    assert done.stderr.decode() == f"brehon: {message}\n"


def test_the_command_line_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    long_colour = (
        "a colour is white, black, grey, red, orange, yellow, green, blue, purple, pink or brown; "
        f"got “{'x' * 57}...” for Ann"
    )
    own_dice = "with dice=own every player needs a colour of their own"
    refusals = {
        ("pig", "--players", "Ann"): "Pig is for 2 to 10 players; one came",
        ("pig", "--players", "Ann,Ann"): "players need different names; got Ann and Ann",
        ("pig", "--players", ""): "Pig is for 2 to 10 players; none came",
        ("pig", "--players", "Ann,"): "every player needs a name",
        ("pig", "--players", "Ann,ann"): "players need different names; got Ann and ann",
        ("pig", "--players", "Ann,\udcff"): "a name has a letter that cannot be read; write it again",
        ("pig", "--players", f"Ann:{'x' * 999},Ben"): long_colour,
        ("pig", "--players", "Ann,highest"): "“highest” cannot be a name",
        ("pig", "--players", "Ann:mauve,Ben"): "a colour is white, black",
        ("whist", "--players", "Ann,Ben"): "there is no game “whist”; there are ",
        ("pig", "--players", "Ann,Ben", "--set", "goal=50"): "Pig has no setting “goal”",
        ("pig", "--players", "Ann,Ben", "--set", "goal"): "a setting is written name=value",
        ("pig", "--players", "Ann,Ben", "--set", "dice=own"): own_dice,
    }
    for args, message in refusals.items():
        assert main(["referee", *args]) == 2, args
        printed = capsys.readouterr()
        assert printed.err.startswith(f"brehon: {message}"), printed.err
        assert (printed.err.count("\n"), printed.out) == (1, "")
