"""The documents agree with the project: commands are parsed, pipes run, and links have targets."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from table import __main__ as brehon
from table.commands.rules import rules_text
from table.games import GAMES
from table.rules.entered_prompts import StickThrow

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "models/README.md", "systemd/README.md")
PAGES = {name: (ROOT / name).read_text("utf-8") for name in DOCUMENTS} | {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in sorted((ROOT / "docs").rglob("*.md"))
}
"""Every document, by its path from the root."""

README = PAGES["README.md"]
NAMES = re.findall(r"^    (\w+) ", brehon.parser().format_help(), re.M)
"""The commands, from the help of the whole command line."""


def commands_of(text: str) -> list[str]:
    """The lines of the shell blocks of a page, without their comments."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", text, re.S | re.M)
    lines = [re.sub(r"\s+#.*", "", line).strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line]


def commands_beginning(*beginnings: str) -> list[str]:
    """The commands of all pages that begin with one of these, each once."""
    found = [line for text in PAGES.values() for line in commands_of(text) if line.startswith(beginnings)]
    return list(dict.fromkeys(found))


def test_the_help_lists_every_command() -> None:
    assert len(NAMES) == len(brehon.COMMANDS)


def test_the_readme_shows_commands() -> None:
    assert {"make run", "make test"} <= set(commands_of(README))


@pytest.mark.parametrize("line", commands_beginning("make "))
def test_every_make_target_that_is_shown_exists(line: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", *shlex.split(line)[1:]], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr


def test_every_path_in_make_fast_exists() -> None:
    done = subprocess.run(["make", "--dry-run", "fast"], capture_output=True, text=True, cwd=ROOT)
    paths = re.findall(r"\btests/\S+", done.stdout)
    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("line", commands_beginning("brehon "))
def test_every_command_line_that_is_shown_is_parsed(line: str) -> None:
    args = brehon.parser().parse_args(shlex.split(line)[1:])
    assert callable(args.run)


@pytest.mark.parametrize("line", [c for c in commands_of(README) if "| brehon" in c])
def test_every_pipe_of_the_readme_runs(line: str) -> None:
    shell = line.replace("| brehon", f"| {sys.executable} -m table")
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "refused" not in done.stdout


@pytest.mark.parametrize("line", commands_beginning(".venv/bin/python -m "))
def test_every_module_that_is_shown_exists(line: str) -> None:
    module = shlex.split(line)[2]
    assert importlib.util.find_spec(module) is not None


@pytest.mark.parametrize(
    "line", [c for c in commands_beginning(".venv/bin/python -m ") if shlex.split(c)[2] == "pytest"]
)
def test_every_test_that_is_shown_exists(line: str) -> None:
    paths = [word for word in shlex.split(line)[3:] if word.startswith("tests")]
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("line", [c for c in commands_beginning("make ") if "EXTRA=" in c])
def test_every_extra_that_is_shown_has_a_lock(line: str) -> None:
    assert (ROOT / "requirements" / f"{line.partition('EXTRA=')[2]}.txt").exists()


@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_in_the_readme_and_helps(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"brehon {name}" in README or f"make {name}" in README
    with pytest.raises(SystemExit) as ended:
        brehon.parser().parse_args([name, "--help"])
    assert ended.value.code == 0
    assert len(capsys.readouterr().out) > 150


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_in_the_readme_and_prints_its_rules(name: str) -> None:
    game = GAMES[name]
    assert f"\n| {game.title} | {game.player_count_text.split(' player')[0]} | " in README, (
        "add it to the table of games"
    )
    text = rules_text(game)
    assert all(setting.name in text for setting in game.settings)
    assert "Fouls" in text
    assert ('{"correct": {"at": 5, "sticks": ' in text) == (StickThrow in game.prompt_types)
    assert ('on every line of “brehon referee” under "board"' in text) == bool(game.board_notes)


def anchors_of(text: str) -> set[str]:
    """The anchors of a page: its headings in lower case, with dashes for spaces."""
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", PAGES)
def test_every_link_between_the_pages_has_a_target(name: str) -> None:
    links = [
        link.replace("\\", "") for link in re.findall(r"\]\(([^)\s]+)\)", PAGES[name]) if "://" not in link
    ]
    targets = [
        ((ROOT / name).parent / link.partition("#")[0] if not link.startswith("#") else ROOT / name)
        for link in links
    ]
    assert [link for link, target in zip(links, targets, strict=True) if not target.exists()] == []
    for link, target in zip(links, targets, strict=True):
        if "#" in link:
            assert link.partition("#")[2] in anchors_of(target.read_text("utf-8")), link


def test_every_page_can_be_reached_by_links_from_the_readme() -> None:
    reached: set[str] = set()
    unread = ["README.md"]
    while unread:
        name = unread.pop()
        reached.add(name)
        links = re.findall(r"\]\(([^)#\s]+\.md)", PAGES[name])
        found = [
            (ROOT / name).parent.joinpath(link).resolve().relative_to(ROOT).as_posix()
            for link in links
            if "://" not in link
        ]
        unread += [page for page in found if page in PAGES and page not in reached]
    assert reached == set(PAGES)


@pytest.mark.parametrize("name", [name for name, text in PAGES.items() if "```python" in text])
def test_the_python_in_the_pages_compiles(name: str) -> None:
    for block in re.findall(r"^ *```python\n(.*?)^ *```", PAGES[name], re.S | re.M):
        compile(dedent(block), name, "exec")


GAME_FILES = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "table/games").rglob("*.py")))
USED_BY_GAMES = sorted(
    {*re.findall(r"\bsheet\.(\w+)", GAME_FILES), *re.findall(r"\btable\.(\w+) = ", GAME_FILES)}
    | {"hides=", "progress=", "beside=", "again="}
)
"""What games use of the sheet and set on the table, and what some tell of an option, a throw or a board."""


@pytest.mark.parametrize("name", USED_BY_GAMES)
def test_what_games_use_of_the_table_is_on_the_page_about_adding_one(name: str) -> None:
    assert re.search(rf"\b{name}", PAGES["docs/add-a-game.md"])


@pytest.mark.parametrize("folder", list(re.findall(r"^\| \[[\w/]+\]\((\w+)\)", README, re.M)))
def test_every_top_level_folder_in_the_readme_is_a_known_one(folder: str) -> None:
    assert folder in {"table", "vision", "models", "firmware", "tests", "systemd"}
