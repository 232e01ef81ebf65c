"""The small commands, and what every command does with a wrong line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.__main__ import main
from table.commands.places import data_folder
from table.commands.run import PortTaken, check_port, page_addresses
from table.commands.seats import seats_from_text, settings_from_text
from table.errors import UnreadableAnswer
from table.games import GAMES
from table.rules.game import Seat


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


def test_rules_of_an_unknown_game_name_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    *others, last = GAMES
    assert main(["rules", "chess"]) == 1
    assert capsys.readouterr().err == f"brehon: there is no game “chess”; there are {', '.join(others)} and {last}\n"


def test_seats_are_names_with_or_without_colours() -> None:
    assert seats_from_text("Ann:green, Ben") == (Seat("Ann", "green"), Seat("Ben"))
    with pytest.raises(UnreadableAnswer, match=r"a colour is white, .* got “teal” for Ann"):
        seats_from_text("Ann:teal,Ben")


def test_settings_are_pairs() -> None:
    assert settings_from_text(["entry=500", "exact = on"]) == {"entry": "500", "exact": "on"}


def test_the_log_is_where_it_was_told_to_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert data_folder(tmp_path) == tmp_path
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/brehon")
    assert data_folder(None) == Path("/var/lib/brehon")
    monkeypatch.delenv("STATE_DIRECTORY")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder(None) == tmp_path / "brehon"


def test_a_taken_port_is_refused_before_anything_starts() -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} .*give another with --port"):
            check_port("127.0.0.1", port)
    with pytest.raises(PortTaken):
        check_port("127.0.0.1", 99_999)


def test_the_page_is_found_from_here_and_from_phones() -> None:
    assert page_addresses("127.0.0.1", 8000) == ["http://127.0.0.1:8000/"]
    here, phones = page_addresses("0.0.0.0", 8001)
    assert here == "http://localhost:8001/"
    assert phones.endswith(":8001/")
