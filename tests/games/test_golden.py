"""Every game has a golden transcript and replays it prompt by prompt (see tests/games/golden.py)."""

from __future__ import annotations

import json

import pytest

from table.games import GAMES
from tests.games import golden

each_game = pytest.mark.parametrize("name", GAMES)


@each_game
def test_every_game_has_a_golden_transcript_of_readable_size(name: str) -> None:
    assert golden.path_of(name).exists(), f"write it with: {golden.COMMAND} {name}"
    assert golden.path_of(name).stat().st_size < golden.MAX_BYTES


@each_game
def test_every_game_replays_its_golden_transcript(name: str) -> None:
    match = golden.replayed(golden.path_of(name).read_text("utf-8"))
    assert match.game.name == name
    assert match.outcome


def test_every_transcript_belongs_to_a_registered_game() -> None:
    assert sorted(p.stem for p in golden.FOLDER.iterdir()) == sorted(GAMES)


def test_a_different_prompt_fails_the_replay() -> None:
    text = golden.path_of("pig").read_text("utf-8")
    with pytest.raises(AssertionError, match="prompt 0 differs"):
        golden.replayed(text.replace("throw one die", "throw a die"))


def test_a_different_ending_fails_the_replay() -> None:
    *lines, last = golden.path_of("pig").read_text("utf-8").splitlines()
    end = {**json.loads(last), "winners": ["Zoe"]}
    with pytest.raises(AssertionError):
        golden.replayed("\n".join([*lines, json.dumps(end)]))


@each_game
def test_rulings_say_settings_in_words(name: str) -> None:
    end = json.loads(golden.path_of(name).read_text("utf-8").splitlines()[-1])
    said = " ".join(ruling["text"] for ruling in end["rulings"])
    assert not [setting.name for setting in GAMES[name].settings_for(()) if f"{setting.name}=" in said]
