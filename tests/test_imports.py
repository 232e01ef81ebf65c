"""Dependencies point inward: who may import whom, by reading every import there is."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STANDARD = sys.stdlib_module_names
COMPOSITION_ROOT = ("table/commands/", "table/__main__.py")
BENCHMARK = "table/benchmark"
FOLDERS = ("table", "vision", "firmware", "models")


def sources(*under: str) -> list[str]:
    """Python files below these folders, as paths from the root."""
    found = [p.relative_to(ROOT).as_posix() for folder in under for p in sorted((ROOT / folder).rglob("*.py"))]
    assert found, f"nothing lies under {under}"
    return found


def imports(path: str) -> Iterator[tuple[int, str]]:
    """(line, full name of the module) of every import anywhere in the file."""
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"), path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: write the import in full"
            assert node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def within(module: str, *packages: str) -> bool:
    return any(module == p or module.startswith(p + ".") for p in packages)


def strangers(path: str, allowed: tuple[str, ...]) -> list[str]:
    """The file's imports that are neither of the standard library nor allowed."""
    return [
        f"{path}:{line}: {name}" for line, name in imports(path) if name.split(".")[0] not in STANDARD and not within(name, *allowed)
    ]


def ours(path: str, *forbidden: str, but: tuple[str, ...] = ()) -> list[str]:
    """The file's imports of these modules, except those of modules within `but`."""
    return [f"{path}:{line}: {name}" for line, name in imports(path) if within(name, *forbidden) and not within(name, *but)]


@pytest.mark.parametrize("path", sources("table/rules"))
def test_the_rules_core_stands_alone(path: str) -> None:
    assert not strangers(path, ("table.common", "table.rules"))


@pytest.mark.parametrize("path", sources("table/games"))
def test_games_know_the_rules_core_and_each_other(path: str) -> None:
    assert not strangers(path, ("table.common", "table.rules", "table.games", "table.odds"))


@pytest.mark.parametrize("path", sources("table/odds"))
def test_the_odds_are_pure_and_know_no_game(path: str) -> None:
    """So that a game can show its odds: what they need of its scoring they are given."""
    assert not strangers(path, ("table.rules", "table.odds"))


@pytest.mark.parametrize("path", sources("table/rules", "table/games", "table/odds"))
def test_games_have_no_clock_no_chance_and_no_files(path: str) -> None:
    assert not ours(path, "random", "secrets", "time", "datetime", "os", "io", "pathlib", "socket", "threading", "asyncio", "sqlite3")


@pytest.mark.parametrize("path", sources("table/common"))
def test_the_ground_floor_stands_on_nothing(path: str) -> None:
    assert not strangers(path, ())


@pytest.mark.parametrize("path", sources("vision"))
def test_the_eyes_know_the_ground_floor_and_their_weights(path: str) -> None:
    """They know nothing of games, and of models/ only where the weights lie that come with Brehon."""
    assert not ours(path, "table", "firmware", "models", but=("table.common", "models.WEIGHTS"))


def test_the_place_of_the_weights_costs_no_import() -> None:
    assert not strangers("models/__init__.py", ())


@pytest.mark.parametrize("path", sources("models"))
def test_training_and_evaluation_know_no_command(path: str) -> None:
    assert not ours(path, "firmware", "table.commands", "table.__main__", "table.page")


@pytest.mark.parametrize("path", sources("firmware"))
def test_the_pins_know_the_snapshot_and_the_ground_floor(path: str) -> None:
    assert not strangers(path, ("table.common", "table.referee.snapshot", "firmware", "gpiozero"))


@pytest.mark.parametrize("path", [p for p in sources("table") if not p.startswith((*COMPOSITION_ROOT, BENCHMARK))])
def test_only_the_composition_root_knows_everyone(path: str) -> None:
    assert not ours(path, "firmware", "models", "table.benchmark", "table.commands", "table.__main__", "vision.cameras")


@pytest.mark.parametrize("path", sources(BENCHMARK))
def test_the_benchmark_opens_cameras_and_knows_no_command(path: str) -> None:
    """Each measurement runs in a process of its own, so it opens the camera itself; what is printed is the command's."""
    assert not ours(path, "firmware", "models", "table.commands", "table.__main__", "table.page", but=("models.WEIGHTS",))


@pytest.mark.parametrize("path", sources(*FOLDERS))
def test_nobody_imports_the_tests(path: str) -> None:
    assert not ours(path, "tests")


HARDWARE = {"picamera2": "vision/cameras/", "libcamera": "vision/cameras/", "gpiozero": "firmware/"}


@pytest.mark.parametrize("path", sources(*FOLDERS))
@pytest.mark.parametrize("hardware", HARDWARE)
def test_hardware_is_imported_by_its_adapter_only(path: str, hardware: str) -> None:
    assert path.startswith(HARDWARE[hardware]) or not ours(path, hardware)
