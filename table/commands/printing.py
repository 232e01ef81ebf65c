"""Standard output: JSON lines on it, whatever letters it can write, and what is said where it can write nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from table.common.errors import BrehonError


class OutputUnwritable(BrehonError, OSError):
    """Standard output that takes nothing: closed, on a full disk, or a pipe that nobody reads from, which is `unread`."""

    def __init__(self, why: str, unread: bool = False) -> None:
        super().__init__(why)
        self.unread = unread


class Output:
    """Standard output whose own trouble, OutputUnwritable, is told from any other's; raises that where it is closed, None."""

    def __init__(self, stream: TextIO | None) -> None:
        if stream is None:
            raise OutputUnwritable("there is no output to write to, for it is closed; send it to a file, or to /dev/null")
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with _its_own_trouble():
            return self._stream.write(text)

    def flush(self) -> None:
        with _its_own_trouble():
            self._stream.flush()


@contextmanager
def _its_own_trouble() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = f"the output cannot be written ({error.strerror or error})"
        raise OutputUnwritable(why, isinstance(error, BrokenPipeError)) from error


def print_json(data: Any) -> None:
    """Prints one object on one line: as it is where the output can write it, else in JSON's own escapes."""
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data)
    print(text, flush=True)
