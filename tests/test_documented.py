"""What is documented exists, and what exists is documented; the README's commands are run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from table import __main__ as brehon
from table.commands.rules import rules_text
from table.games import GAMES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines() if line.strip()]
NAMES = [command.__name__.rsplit(".", 1)[-1] for command in brehon.COMMANDS]


def test_the_readme_shows_commands() -> None:
    assert "make run" in COMMANDS
    assert "make test" in COMMANDS


@pytest.mark.parametrize("line", [c for c in COMMANDS if c.startswith("make ")])
def test_every_make_target_of_the_readme_exists(line: str) -> None:
    done = subprocess.run(["make", "--dry-run", *shlex.split(line)[1:]], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("line", [c for c in COMMANDS if c.startswith("brehon ")])
def test_every_command_line_of_the_readme_is_understood(line: str) -> None:
    args = brehon.parser().parse_args(shlex.split(line)[1:])
    assert callable(args.run)


@pytest.mark.parametrize("line", [c for c in COMMANDS if "| brehon" in c])
def test_every_pipe_of_the_readme_runs(line: str) -> None:
    shell = line.replace("| brehon", f"| {sys.executable} -m table")
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "refused" not in done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_in_the_readme_and_helps(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"brehon {name}" in README or f"make {name}" in README
    with pytest.raises(SystemExit) as ended:
        brehon.parser().parse_args([name, "--help"])
    assert ended.value.code == 0
    assert len(capsys.readouterr().out) > 150


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_in_the_readme_and_tells_its_rules(name: str) -> None:
    game = GAMES[name]
    assert game.title in README
    text = rules_text(game)
    assert all(setting.name in text for setting in game.settings)
    assert "Fouls" in text


def test_every_folder_of_the_readme_exists() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("folder", list(re.findall(r"^\| \[[\w/]+\]\((\w+)\)", README, re.M)))
def test_top_level_folders_are_those_that_were_agreed(folder: str) -> None:
    assert folder in {"table", "vision", "models", "firmware", "tests", "systemd"}
