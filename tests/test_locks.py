"""The locks in requirements/ have every package that pyproject.toml requires, with hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "requirements"
LOCKS = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
HASHED = re.compile(r"^(\S+?)==(\S+)( ;.*?)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.M)


def locked_versions(lock: str) -> dict[str, set[Version]]:
    """The versions of each package; more than one where Python versions or systems need different ones."""
    found: dict[str, set[Version]] = {}
    for name, version, _, _ in HASHED.findall((FOLDER / lock).read_text("utf-8")):
        found.setdefault(canonicalize_name(name), set()).add(Version(version))
    return found


def extra_of(lock: str) -> str:
    return Path(lock).stem.removesuffix("-cpu")


def requirements_of(lock: str) -> list[Requirement]:
    return [Requirement(line) for line in PROJECT["dependencies"] + EXTRAS.get(extra_of(lock), [])]


def test_every_extra_has_a_lock() -> None:
    assert {extra_of(lock) for lock in LOCKS} == {"run", *EXTRAS}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_a_hash_for_every_package_and_no_address(lock: str) -> None:
    text = (FOLDER / lock).read_text("utf-8")
    other_lines = HASHED.sub("", text)
    assert [line for line in other_lines.splitlines() if line and not line.startswith("#")] == []
    assert "://" not in text


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_satisfies_the_requirements_of_the_project(lock: str) -> None:
    versions = locked_versions(lock)
    for requirement in requirements_of(lock):
        assert versions.get(canonicalize_name(requirement.name)), f"{requirement} is missing: run make lock"
        assert all(
            requirement.specifier.contains(v) for v in versions[canonicalize_name(requirement.name)]
        ), f"{requirement}: run make lock"


@pytest.mark.parametrize("lock", [lock for lock in LOCKS if lock.startswith("bookworm/")])
def test_the_locks_for_bookworm_have_numpy_1_and_opencv_4(lock: str) -> None:
    versions = locked_versions(lock)
    assert {v.major for v in versions["numpy"]} == {1}
    assert {v.major for v in versions["opencv-python-headless"]} == {4}
