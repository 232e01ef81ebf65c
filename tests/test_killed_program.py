"""The whole program is killed in the middle of a throw, and continues where it was after a restart."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

KILLS = 3
"""The whole program takes seconds to start. tests/log/test_killed.py kills the owner of the log 50 times."""

AT_REST = ("EMPTY", "WAITING", "ACCEPTED")
TIMEOUT_S = 40.0
ROOT = Path(__file__).parents[1]


def test_a_killed_program_continues_at_the_same_prompt(tmp_path: Path) -> None:
    port = _free_port()
    start: tuple[str, ...] = ("--game", "pig", "--players", "Ann,Ben", "--set", "start=Ann")
    before_kill: dict[str, Any] | None = None
    for _ in range(KILLS):
        table = TableProcess(port, tmp_path, *start)
        try:
            now = table.snapshot()["match"]
            assert before_kill is None or (now["at"], now["prompt"]) == (
                before_kill["at"],
                before_kill["prompt"],
            )
            before_kill = table.play_on()
            table.throw()
        finally:
            table.kill()
        start = ()


class TableProcess:
    """`brehon run` on the simulated camera, as a process."""

    def __init__(self, port: int, data: Path, *args: str) -> None:
        self._url = f"http://127.0.0.1:{port}/api/"
        command = ["run", "--camera", "simulated", "--data", str(data)]
        command += ["--host", "127.0.0.1", "--port", str(port), "--no-browser"]
        self._process = subprocess.Popen([sys.executable, "-m", "table", *command, *args], cwd=ROOT)
        self._wait_until(self._is_ready)

    def _is_ready(self) -> bool:
        assert self._process.poll() is None, "the table did not start"
        try:
            return bool(self.snapshot()["match"])
        except urllib.error.URLError:
            return False

    def snapshot(self) -> dict[str, Any]:
        with urllib.request.urlopen(self._url + "snapshot") as answer:
            now: dict[str, Any] = json.load(answer)
        return now

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        sent = urllib.request.Request(
            self._url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(sent) as answer:
                now: dict[str, Any] = json.load(answer)
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{path}: {json.load(refused)['error']}") from refused
        return now

    def throw(self) -> None:
        """Lets the simulated hand throw once the tray is at rest."""
        self._wait_until(lambda: self.snapshot()["tray"]["state"] in AT_REST)
        self.post("hand", {"number": self.snapshot()["number"]})

    def play_on(self) -> dict[str, Any]:
        """The match after one more throw and, where a choice follows, its answer."""
        at = self.snapshot()["match"]["at"]
        self.throw()
        self._wait_until(lambda: self.snapshot()["match"]["at"] > at)
        now = self.snapshot()
        if now["match"]["prompt"]["kind"] == "choose":
            now = self.post("answer", {"number": now["number"], "choose": "hold"})
        match: dict[str, Any] = now["match"]
        return match

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def _wait_until(self, holds: Any) -> None:
        deadline = time.monotonic() + TIMEOUT_S
        while not holds():
            assert time.monotonic() < deadline
            time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
