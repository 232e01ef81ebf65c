"""kill -9 in the middle of play, 50 times: no accepted answer is lost, and the same prompt is asked.

A child process referees one long game of Pig into a log. It prints a line after each accepted answer. The
parent kills it at a random moment, often in the middle of a burst of answers, and starts it again on the same
log. The children are forked from a server that has imported the program once. A test from outside can do no
more than kill the process; a power cut also tests the disk. BREHON_KILLS sets how often.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import IO, Any

import pytest

from table.__main__ import main

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("BREHON_KILLS", "50"))
LONGEST_LIFE_S = 0.06
"""After its first prompt a child lives a random time up to this: 0 to about 120 answers of 0.5 ms. A busy
computer takes 0.016 s for the first answer."""


def test_no_accepted_answer_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    chance = random.Random(20)
    accepted, asked = 0, None
    children_with_answers = 0
    for _ in range(KILLS):
        child = _start(tmp_path)
        first = json.loads(child.stdout.readline())
        assert first["at"] in (accepted, accepted + 1), (
            "an accepted answer is missing, or the log has an answer that was never sent"
        )
        if first["at"] == accepted and asked is not None:
            assert first["prompt"] == asked
        lines = _play_until_killed(child, first, chance)
        children_with_answers += len(lines) > 1
        accepted, asked = lines[-1]["at"], lines[-1]["prompt"]
    assert children_with_answers > KILLS // 2, "most children must be killed in the middle of play"


@dataclass
class _Referee:
    process: ForkServerProcess
    stdin: IO[bytes]
    stdout: IO[bytes]


def _start(folder: Path) -> _Referee:
    options = ("--players", "Ann,Ben", "--set", "start=Ann", "--data", str(folder))
    children = get_context("forkserver")
    children.set_forkserver_preload([__name__])
    reads, stdin = children.Pipe(duplex=False)
    stdout, writes = children.Pipe(duplex=False)
    with reads, stdin, stdout, writes:
        process = children.Process(target=_referees, args=(reads, writes, "referee", "pig", *options))
        process.start()
        return _Referee(
            process, os.fdopen(os.dup(stdin.fileno()), "wb"), os.fdopen(os.dup(stdout.fileno()), "rb")
        )


def _referees(reads: Connection, writes: Connection, *command: str) -> None:
    """Runs the command in a child, with these ends of pipes as its input and output."""
    sys.stdin, sys.stdout = os.fdopen(reads.fileno()), os.fdopen(writes.fileno(), "w")
    main(command)


def _play_until_killed(child: _Referee, first: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """All complete lines that the child printed before it was killed."""
    killer = threading.Timer(chance.uniform(0, LONGEST_LIFE_S), child.process.kill)
    killer.start()
    lines = [first]
    try:
        while True:
            child.stdin.write(json.dumps(_answer(lines[-1]["prompt"], chance)).encode() + b"\n")
            child.stdin.flush()
            line = child.stdout.readline()
            if not line.endswith(b"\n"):
                break
            lines.append(json.loads(line))
    except BrokenPipeError:
        lines += [json.loads(line) for line in child.stdout if line.endswith(b"\n")]
    killer.join()
    child.process.join()
    assert child.process.exitcode == -signal.SIGKILL
    child.stdout.close()
    _close_broken(child.stdin)
    return lines


def _close_broken(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except BrokenPipeError:
        return


def _answer(prompt: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """An answer that never holds, so that the game does not end."""
    return {"roll": [chance.randint(1, 6)]} if prompt["kind"] == "roll" else {"choose": "roll"}
