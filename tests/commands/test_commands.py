"""The short commands, and what all commands do with wrong options and broken streams."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.__main__ import main
from table.commands.printing import print_json
from table.commands.rules import rules_text
from table.commands.run import OtherMatchRunning, PortTaken, check_port, page_addresses, start_match
from table.commands.seats import seats_from_text, settings_from_text
from table.commands.wiring import RunningTable, running_table
from table.common.errors import UnreadableAnswer
from table.defaults import data_folder
from table.games import GAMES
from table.referee.actions import SubmitAnswer
from table.rules.answers import Throw
from table.rules.game import Seat
from vision.cameras.simulated import SimulatedCamera


def test_games_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in GAMES)


def test_games_are_listed_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json"]) == 0
    listed = {g["game"]: g for g in map(json.loads, capsys.readouterr().out.splitlines())}
    assert listed.keys() == GAMES.keys()
    entry = next(s for s in listed["five_dice"]["settings"] if s["name"] == "entry")
    assert (entry["allowed"], entry["default"]) == ("1000, 750, 500 or 0", 1000)


def test_rules_of_an_unknown_game_are_refused_with_the_known_games(
    capsys: pytest.CaptureFixture[str],
) -> None:
    *others, last = GAMES
    assert main(["rules", "chess"]) == 2
    assert (
        capsys.readouterr().err
        == f"brehon: there is no game “chess”; there are {', '.join(others)} and {last}\n"
    )


def test_seats_are_read_from_names_with_or_without_colours() -> None:
    assert seats_from_text("Ann:green, Ben") == (Seat("Ann", "green"), Seat("Ben"))
    with pytest.raises(UnreadableAnswer, match=r"a colour is white, .* got “teal” for Ann"):
        seats_from_text("Ann:teal,Ben")


def test_settings_are_read_from_name_and_value_pairs() -> None:
    assert settings_from_text(["entry=500", "exact = on"]) == {"entry": "500", "exact": "on"}


@pytest.mark.parametrize("again", ["entry=500", " entry = 0"])
def test_a_setting_that_is_given_twice_is_refused(again: str) -> None:
    with pytest.raises(UnreadableAnswer) as refusal:
        settings_from_text(["entry=500", "exact=on", again])
    assert str(refusal.value) == (
        f"a setting is given once; got entry=500 and {again}; leave one of them out"
    )


def test_the_rules_show_how_each_kind_of_throw_is_corrected() -> None:
    dice, sticks = rules_text(GAMES["pig"]), rules_text(GAMES["sigily"])
    assert '{"correct": {"at": 5, "roll": [3, 1]}}' in dice
    assert '{"correct": {"at": 5, "sticks": [...]}}' not in dice
    assert '{"correct": {"at": 5, "sticks": [...]}}' in sticks
    assert '{"correct": {"at": 5, "roll": [3, 1]}}' not in sticks
    assert "Any other answer is not corrected, but taken back." in sticks


def test_the_data_folder_comes_from_the_option_systemd_or_xdg(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert data_folder(tmp_path) == tmp_path
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/brehon")
    assert data_folder(None) == Path("/var/lib/brehon")
    monkeypatch.delenv("STATE_DIRECTORY")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder(None) == tmp_path / "brehon"


def test_a_port_in_use_is_refused() -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} .*give another with --port"):
            check_port("127.0.0.1", port)
    with pytest.raises(PortTaken):
        check_port("127.0.0.1", 99_999)


def test_the_page_has_an_address_for_this_computer_and_one_for_phones() -> None:
    assert page_addresses("127.0.0.1", 8000) == ["http://127.0.0.1:8000/"]
    here, phones = page_addresses("0.0.0.0", 8001)
    assert here == "http://localhost:8001/"
    assert phones.endswith(":8001/")


def test_an_address_with_colons_stands_in_brackets() -> None:
    assert page_addresses("::1", 8000) == ["http://[::1]:8000/"]


@pytest.mark.parametrize(
    ("host", "port", "why"),
    [
        ("127.0.0.1", 0, "--port must be from 1 to 65535; got 0"),
        ("127.0.0.1", 65_536, "got 65536"),
        ("no such name", 8000, "this computer has no address 'no such name'"),
        ("192.0.2.1", 8000, "this computer has no address '192.0.2.1'"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_by_name(host: str, port: int, why: str) -> None:
    with pytest.raises(PortTaken, match=re.escape(why)):
        check_port(host, port)


def test_a_number_that_is_no_port_is_an_error_of_the_command_line(tmp_path: Path) -> None:
    assert main(["run", "--camera", "simulated", "--data", str(tmp_path), "--port", "99999"]) == 2


@pytest.mark.parametrize("options", [["--players", "Ann,Ben"], ["--set", "start=Ann"]])
def test_players_without_a_game_are_refused(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *options]) == 2
    assert capsys.readouterr().err.startswith("brehon: --players and --set need a game; name it with --game")


def test_a_running_match_continues_and_is_never_replaced(
    pig: RunningTable, capsys: pytest.CaptureFixture[str]
) -> None:
    pig.do(SubmitAnswer(pig.snapshot.number, Throw.of(4)))
    start_match(pig, "pig", "Ann,Ben", ["start=Ann"])
    assert capsys.readouterr().out == "The match of Pig goes on.\n"
    for game, players, settings in [
        ("midnight", "Ann,Ben", []),
        ("pig", "Ann,Cal", []),
        ("pig", "Ann,Ben", ["start=Ben"]),
    ]:
        with pytest.raises(OtherMatchRunning, match="another match of Pig is not over"):
            start_match(pig, game, players, settings)
    assert pig.snapshot.match is not None
    assert pig.snapshot.match.at == 1


@pytest.fixture
def pig(tmp_path: Path) -> Iterator[RunningTable]:
    camera = SimulatedCamera((320, 240), seed=1)
    camera.fault("covered", 1e6)  # throws can be typed
    with running_table(tmp_path, lambda: camera) as table:
        start_match(table, "pig", "Ann,Ben", ["start=Ann"])
        yield table


def test_lines_are_printed_on_any_output(monkeypatch: pytest.MonkeyPatch) -> None:
    with io.TextIOWrapper(io.BytesIO(), encoding="ascii") as narrow:
        monkeypatch.setattr(sys, "stdout", narrow)
        print_json({"file": "Órla \udcff.jpg"})
        assert main(["rules", "chess"]) == 2
        assert main(["games"]) == 0
        narrow.seek(0)
        assert narrow.readline() == '{"file": "\\u00d3rla \\udcff.jpg"}\n'


@pytest.mark.parametrize("command", ["run", "demo", "watch", "read", "referee", "games", "rules", "doctor"])
def test_help_is_printed_in_any_encoding(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with io.TextIOWrapper(io.BytesIO(), encoding="ascii") as narrow:
        monkeypatch.setattr(sys, "stdout", narrow)
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0
        narrow.seek(0)
        assert narrow.readline().startswith(f"usage: brehon {command}")


PIG = ("referee", "pig", "--players", "Ann,Ben")


@pytest.mark.parametrize("command", [("games",), ("games", "--json"), PIG])
def test_a_full_disk_is_reported_in_one_sentence(command: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "table", *command], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"brehon: the output cannot be written (No space left on device)\n"


def test_a_closed_pipe_ends_the_command_without_a_message() -> None:
    unread_end, pipe = os.pipe()
    os.close(unread_end)
    done = subprocess.run(
        [sys.executable, "-m", "table", *PIG], stdout=pipe, stderr=subprocess.PIPE, check=False
    )
    os.close(pipe)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("command", ["games", "read --json nothing.jpg"])
def test_a_closed_output_is_reported_in_one_sentence(command: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m table {command} >&-"], stderr=subprocess.PIPE, check=False
    )
    assert done.returncode == 1
    assert done.stderr == b"brehon: the output is closed; send it to a file or to /dev/null\n"


def test_a_closed_input_ends_after_the_first_prompt() -> None:
    command = f"{sys.executable} -m table referee pig --players Ann,Ben <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["prompt"]["player"] == "Ann"


def test_an_unreadable_input_is_reported_as_one() -> None:
    with open(os.devnull, "wb") as unreadable:
        done = subprocess.run(
            [sys.executable, "-m", "table", *PIG], stdin=unreadable, capture_output=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"brehon: a file or a device cannot be used (Bad file descriptor)\n"
