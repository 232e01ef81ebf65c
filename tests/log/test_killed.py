"""kill -9 in the middle of play, two hundred times: what was accepted is there afterwards, and the same prompt is asked.

A child process referees one long game of Pig into a log. It prints a line after each answer it accepted; the parent kills it at a
random moment, often in the middle of a burst of answers, and starts it again on the same log. Killing the process is the most that
can be done to it from outside: a pulled plug also tests the disk.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

import pytest

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("BREHON_KILLS", "200"))
LONGEST_LIFE_S = 0.03
"""After its first prompt a child lives a random time up to this: 0 to about 60 answers of half a millisecond."""


def test_nothing_accepted_is_lost(tmp_path: Path) -> None:
    chance = random.Random(20)
    accepted, asked = 0, None
    lives_with_answers = 0
    for _ in range(KILLS):
        child = _start(tmp_path)
        first = json.loads(child.stdout.readline())
        assert first["at"] in (accepted, accepted + 1), "an answer that was acknowledged is missing, or there is one that nobody gave"
        if first["at"] == accepted and asked is not None:
            assert first["prompt"] == asked
        heard = _play_until_killed(child, first, chance)
        lives_with_answers += len(heard) > 1
        accepted, asked = heard[-1]["at"], heard[-1]["prompt"]
    assert lives_with_answers > KILLS // 2, "most children must have died in the middle of play"


def _start(folder: Path) -> _Child:
    command = [sys.executable, "-m", "table", "referee", "pig", "--players", "Ann,Ben", "--set", "start=Ann", "--data", str(folder)]
    return _Child(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]))


class _Child:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout


def _play_until_killed(child: _Child, first: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """All whole lines that the child printed before the end."""
    killer = threading.Timer(chance.uniform(0, LONGEST_LIFE_S), child.process.send_signal, [signal.SIGKILL])
    killer.start()
    heard = [first]
    try:
        while True:
            child.stdin.write(json.dumps(_answer(heard[-1]["prompt"], chance)).encode() + b"\n")
            child.stdin.flush()
            line = child.stdout.readline()
            if not line.endswith(b"\n"):
                break
            heard.append(json.loads(line))
    except BrokenPipeError:
        heard += [json.loads(line) for line in child.stdout if line.endswith(b"\n")]
    killer.join()
    assert child.process.wait() == -signal.SIGKILL
    child.stdout.close()
    _close_broken(child.stdin)
    return heard


def _close_broken(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except BrokenPipeError:
        return


def _answer(prompt: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Never holds, so that the game never ends."""
    return {"roll": [chance.randint(1, 6)]} if prompt["kind"] == "roll" else {"choose": "roll"}
