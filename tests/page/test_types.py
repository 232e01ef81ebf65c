"""The types of the page's JavaScript (types.d.ts) match what the table sends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table.rules.accounts import Account
from tests.games.golden import FOLDER
from tests.page.conftest import Guest, SitDown

TYPES = (Path(__file__).parents[2] / "table/page/static/types.d.ts").read_text("utf-8")


def fields(name: str) -> dict[str, bool]:
    """The fields of an interface and of its parent: {name: whether it is required}."""
    found = re.search(
        rf"^(?:export )?interface {name}(?:<.*?>)?(?: extends (\w+))? {{\n(.*?)^}}", TYPES, re.S | re.M
    )
    assert found, f"types.d.ts has no interface {name}"
    own = {key: not optional for key, optional in re.findall(r"^  (?:readonly )?(\w+)(\?)?:", found[2], re.M)}
    return own | (fields(found[1]) if found[1] else {})


def missing(name: str, reply: dict[str, Any]) -> set[str]:
    """The required fields of an interface that the table did not send."""
    return {key for key, needed in fields(name).items() if needed} - reply.keys()


def prompts() -> Iterator[dict[str, Any]]:
    """Every complete prompt in the golden transcripts."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        steps = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        yield from (step["prompt"] for step in steps if isinstance(step.get("prompt"), dict))


def test_a_snapshot_has_the_fields_of_its_type(pig: Guest) -> None:
    pig.table.throws(4)
    reply = pig.snapshot()
    assert reply.keys() == fields("Snapshot").keys()
    assert reply["tray"].keys() == fields("TrayView").keys()
    assert missing("TrayDie", reply["tray"]["dice"][0]) == set()
    assert reply["match"].keys() == fields("Match").keys()
    assert missing("Player", reply["match"]["players"][0]) == set()
    assert missing("Throw", reply["match"]["throws"][0]) == set()


def test_the_coach_sends_the_fields_of_its_types(pig: Guest) -> None:
    pig.table.throws(4)
    reply = pig.http.get("/api/coach").get_json()
    assert missing("Coaching", reply) == set()
    assert reply["best_play"].keys() == fields("BestPlay").keys()
    assert all(missing("ValuedAnswer", answer) == set() for answer in reply["best_play"]["answers"])
    assert fields("Account").keys() == Account("Ann", "the points", points=True).to_json().keys()


def test_highlights_have_the_fields_of_their_type(sit_down: SitDown) -> None:
    guest = sit_down("midnight", "Ann", "Ben", start="Ann")
    for faces in ((6, 6, 6, 5, 4, 1), (5, 5, 3, 3, 4, 1)):
        guest.table.throws(*faces)
        guest.does("answer", answer={"keep": list(faces)})
    told = guest.http.get("/api/highlights").get_json()["highlights"]
    assert told
    assert all(each.keys() == fields("Highlight").keys() for each in told)


def test_the_games_have_the_fields_of_their_types(pig: Guest) -> None:
    reply = pig.http.get("/api/games").get_json()
    assert reply.keys() == fields("Games").keys()
    assert all(game.keys() == fields("GameInShort").keys() for game in reply["games"])
    for game in pig.http.get("/api/games?details=1").get_json()["games"]:
        assert game.keys() == fields("Game").keys()
        assert all(missing("Setting", setting) == set() for setting in game["settings"])


@pytest.mark.parametrize("kind", sorted({prompt["kind"] for prompt in prompts()}))
def test_a_prompt_has_the_fields_of_its_type(kind: str) -> None:
    name = f"{kind.title()}Prompt"
    for prompt in prompts():
        if prompt["kind"] == kind:
            assert missing(name, prompt) == set()
