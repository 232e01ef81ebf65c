"""Dependencies point inward. These tests read every import of every module."""

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
    found = [
        p.relative_to(ROOT).as_posix() for folder in under for p in sorted((ROOT / folder).rglob("*.py"))
    ]
    assert found, f"there are no Python files in {under}"
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


def is_within(module: str, *packages: str) -> bool:
    return any(module == p or module.startswith(p + ".") for p in packages)


def imports_outside(path: str, allowed: tuple[str, ...]) -> list[str]:
    """The imports of a file that are neither in the standard library nor in these packages."""
    return [
        f"{path}:{line}: {name}"
        for line, name in imports(path)
        if name.split(".")[0] not in STANDARD and not is_within(name, *allowed)
    ]


def imports_within(path: str, *forbidden: str, exceptions: tuple[str, ...] = ()) -> list[str]:
    """The imports of a file that are in these packages, without those in `exceptions`."""
    return [
        f"{path}:{line}: {name}"
        for line, name in imports(path)
        if is_within(name, *forbidden) and not is_within(name, *exceptions)
    ]


@pytest.mark.parametrize("path", sources("table/rules"))
def test_the_rules_import_only_table_common(path: str) -> None:
    assert not imports_outside(path, ("table.common", "table.rules"))


@pytest.mark.parametrize("path", sources("table/games"))
def test_games_import_only_rules_odds_and_games(path: str) -> None:
    assert not imports_outside(path, ("table.common", "table.rules", "table.games", "table.odds"))


@pytest.mark.parametrize("path", sources("table/odds"))
def test_the_odds_import_only_the_rules(path: str) -> None:
    """A game imports its odds, so the odds import no game. The game passes its scoring as arguments."""
    assert not imports_outside(path, ("table.rules", "table.odds"))


@pytest.mark.parametrize("path", sources("table/rules", "table/games", "table/odds"))
def test_games_import_no_clock_no_random_numbers_and_no_files(path: str) -> None:
    chance_and_clock = ("random", "secrets", "time", "datetime")
    outside = ("os", "io", "pathlib", "socket", "threading", "asyncio", "sqlite3")
    assert not imports_within(path, *chance_and_clock, *outside)


@pytest.mark.parametrize("path", sources("table/common"))
def test_table_common_imports_only_the_standard_library(path: str) -> None:
    assert not imports_outside(path, ())


@pytest.mark.parametrize("path", sources("vision"))
def test_vision_imports_only_table_common_and_the_path_of_its_weights(path: str) -> None:
    """From models/ it imports only the path of the weights that ship with Brehon."""
    assert not imports_within(
        path, "table", "firmware", "models", exceptions=("table.common", "models.WEIGHTS")
    )


def test_the_package_with_the_path_of_the_weights_imports_nothing() -> None:
    assert not imports_outside("models/__init__.py", ())


@pytest.mark.parametrize("path", sources("models"))
def test_training_and_evaluation_import_no_command(path: str) -> None:
    assert not imports_within(path, "firmware", "table.commands", "table.__main__", "table.page")


@pytest.mark.parametrize("path", sources("firmware"))
def test_firmware_imports_only_the_snapshot_and_table_common(path: str) -> None:
    assert not imports_outside(path, ("table.common", "table.referee.snapshot", "firmware", "gpiozero"))


@pytest.mark.parametrize(
    "path", [p for p in sources("table") if not p.startswith((*COMPOSITION_ROOT, BENCHMARK))]
)
def test_only_commands_and_benchmark_import_cameras_models_and_firmware(path: str) -> None:
    assert not imports_within(
        path, "firmware", "models", "table.benchmark", "table.commands", "table.__main__", "vision.cameras"
    )


@pytest.mark.parametrize("path", sources(BENCHMARK))
def test_the_benchmark_imports_no_command(path: str) -> None:
    """It may open cameras, because each measurement runs in its own process. The command prints results."""
    assert not imports_within(
        path,
        "firmware",
        "models",
        "table.commands",
        "table.__main__",
        "table.page",
        exceptions=("models.WEIGHTS",),
    )


@pytest.mark.parametrize("path", sources(*FOLDERS))
def test_no_module_imports_the_tests(path: str) -> None:
    assert not imports_within(path, "tests")


HARDWARE = {"picamera2": "vision/cameras/", "libcamera": "vision/cameras/", "gpiozero": "firmware/"}


@pytest.mark.parametrize("path", sources(*FOLDERS))
@pytest.mark.parametrize("hardware", HARDWARE)
def test_hardware_is_imported_by_its_adapter_only(path: str, hardware: str) -> None:
    assert path.startswith(HARDWARE[hardware]) or not imports_within(path, hardware)
