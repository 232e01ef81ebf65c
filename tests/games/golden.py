"""Golden transcripts: one whole match of every game, with all prompts and answers, to detect rule changes.

    python -m tests.games.golden            writes the missing transcripts
    python -m tests.games.golden pig ...    rewrites these transcripts; read the diff before you commit it

A transcript is a file of JSON lines. The first line has the game, its seats and settings. Each further line
has a prompt and its answer. The last line has the end of the match. The play is random but legal; the
shortest match of the first seeds is taken.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from table.games import GAMES, game
from table.referee.snapshot import match_to_json
from table.rules.answers import answer_from_json, answer_to_json
from table.rules.game import Seat
from table.rules.match import Match
from tests.games import playing

FOLDER = Path(__file__).parent / "golden"
COMMAND = "python -m tests.games.golden"
PLAYERS = {"pig": 2, "five_dice": 2, "high_rollin": 4, "highland": 2, "hot_score": 2}
"""The number of players, where it is not three (or the nearest number that the game allows)."""

MIN_ANSWERS = {"cee_lo": 15, "chuck_a_luck": 15, "ho_han": 20, "zambales_pair_o_dice": 20}
"""The least number of answers, where a first round without bets would be too short to show anything."""

SETTINGS: Mapping[str, Mapping[str, str]] = {"high_rollin": {"match": "one_game"}}
"""Settings for games whose match would be too long to read with the defaults."""

PROMPTS_IN_FULL = {"down_the_danube": 60}
"""The number of prompts written in full, for matches that are too long to read.

Later prompts are fingerprints.
"""

SEEDS = range(30)
MAX_BYTES = 80_000
MAX_ANSWERS = 20_000


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.jsonl"


def transcript(name: str) -> str:
    """The transcript of the shortest of several random matches, as text."""
    transcripts = (_random_transcript(name, seed) for seed in SEEDS)
    min_lines = MIN_ANSWERS.get(name, 0) + 2
    return min((text for text in transcripts if text.count("\n") >= min_lines), key=len)


def _random_transcript(name: str, seed: int) -> str:
    rules = game(name)
    seats = playing.make_seats(PLAYERS.get(name, sorted((3, rules.players[0], rules.players[-1]))[1]))
    given = SETTINGS.get(name, {})
    match = Match(rules, seats, given)
    playing.play_to_end(match, Random(seed), MAX_ANSWERS)
    head = {
        "game": name,
        "seats": [s.to_json() for s in seats],
        "settings": dict(given),
        "seed": seed,
        "how": COMMAND,
    }
    in_full = PROMPTS_IN_FULL.get(name, MAX_ANSWERS)
    steps = [
        {"prompt": a.prompt if a.at < in_full else fingerprint(a.prompt), "answer": answer_to_json(a.answer)}
        for a in match.answers
    ]
    return _lines([head, *steps, match_end(match)])


def fingerprint(prompt: Any) -> str:
    return f"{crc32(json.dumps(prompt).encode()):08x}"


def match_end(match: Match) -> dict[str, Any]:
    """The end of a match: scores, outcome, sheet and rulings."""
    view = match_to_json(match.view())
    return {
        key: view[key]
        for key in ("scores", "winners", "outcome", "next_first", "carried", "sheet", "rulings")
    }


def _lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def replayed(text: str) -> Match:
    """The match of a transcript. Fails at the first different prompt, and on a different end."""
    head, *steps, end = map(json.loads, text.splitlines())
    match = Match(game(head["game"]), [Seat.from_json(s) for s in head["seats"]], head["settings"])
    for i, step in enumerate(steps):
        prompt = match.prompt.to_json() if match.prompt else None
        written = prompt if isinstance(step["prompt"], dict) else fingerprint(prompt)
        assert written == step["prompt"], f"prompt {i} differs"
        match = match.after(match.answered(answer_from_json(step["answer"])))
    assert match.prompt is None, f"the match goes on: {match.prompt}"
    assert match_end(match) == end
    return match


def main(names: list[str]) -> None:
    for name in names or [n for n in GAMES if not path_of(n).exists()]:
        text = transcript(name)
        path_of(name).write_text(text, "utf-8")
        print(f"{path_of(name)}: {len(text.splitlines()) - 2} answers, {len(text.encode())} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
