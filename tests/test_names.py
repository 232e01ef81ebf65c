"""Docstrings, comments and documents name only constants, modules and files that exist."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("table", "vision", "models", "firmware", "tests", "requirements")
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "models" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]

CONSTANT = re.compile(r"(?<![\w$-])[A-Z]+(?:_[A-Z0-9]+)+\b")
MODULE = re.compile(rf"\b(?:{'|'.join(FOLDERS)})(?:\.[a-z_]+)+\b")
PATH = re.compile(rf"\b(?:{'|'.join(FOLDERS)})(?:/[a-z_]+)+\.py\b")

OUTSIDE = {"PIP_FIND_LINKS"}
"""Names of other software."""


@cache
def python_files() -> tuple[Path, ...]:
    return tuple(p for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*.py")))


@cache
def identifiers() -> frozenset[str]:
    """Every name in the code, and every word of its strings but docstrings, as of environment variables."""
    return frozenset(word for path in python_files() for word in code_words(path.read_text("utf-8")))


def code_words(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.string
        elif token.type == tokenize.STRING and not token.string.endswith('"""'):
            yield from re.findall(r"\w+", token.string)


def prose(path: Path) -> Iterator[str]:
    """The docstrings and comments of a Python file, or the text of a document."""
    source = path.read_text("utf-8")
    if path.suffix == ".md":
        yield source
        return
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value.value
    yield from (
        t.string for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type == tokenize.COMMENT
    )


def exists(module: str) -> bool:
    """Whether a dotted name is a module, or a name in a module.

    True for words such as `table.sheet`: a game calls its `Table` table, and this is no module of table/.
    """
    *parents, last = module.split(".")
    if module.startswith("table.") and not list((ROOT / "table").glob(f"{module.split('.')[1]}*")):
        return True
    for parts, name in (([*parents, last], ""), (parents, last)):
        path = ROOT.joinpath(*parts)
        if path.is_dir() or path.with_suffix(".py").is_file():
            return not name or name in identifiers()
    return False


@pytest.mark.parametrize("path", [*python_files(), *DOCUMENTS], ids=lambda p: p.relative_to(ROOT).as_posix())
def test_prose_names_only_what_exists(path: Path) -> None:
    for text in prose(path):
        assert not set(CONSTANT.findall(text)) - identifiers() - OUTSIDE
        assert not [module for module in MODULE.findall(text) if not exists(module)]
        assert not [name for name in PATH.findall(text) if not (ROOT / name).is_file()]
