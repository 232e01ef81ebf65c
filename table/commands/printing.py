"""Standard output: JSON lines in any encoding, and clear errors if it cannot be written."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from table.common.errors import BrehonError


class OutputUnwritable(BrehonError, OSError):
    """Standard output cannot be written: it is closed, or the disk is full. unread: nobody reads the pipe."""

    def __init__(self, why: str, unread: bool = False) -> None:
        super().__init__(why)
        self.unread = unread


class Output:
    """Standard output with its own error: OutputUnwritable, raised also if the stream is None (closed)."""

    def __init__(self, stream: TextIO | None) -> None:
        if stream is None:
            raise OutputUnwritable("the output is closed; send it to a file or to /dev/null")
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with _as_output_error():
            return self._stream.write(text)

    def flush(self) -> None:
        with _as_output_error():
            self._stream.flush()


@contextmanager
def _as_output_error() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = f"the output cannot be written ({error.strerror or error})"
        raise OutputUnwritable(why, isinstance(error, BrokenPipeError)) from error


def print_json(data: Any) -> None:
    """Prints one object on one line, with JSON escapes if the output cannot encode its letters."""
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data)
    print(text, flush=True)
