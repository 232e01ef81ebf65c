"""Keeps libraries from writing to the terminal; Brehon reports problems in its own words."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

_one_at_a_time = threading.RLock()
"""Standard error belongs to the whole process: of two threads inside at once, the later would restore
the earlier's redirection."""


@contextmanager
def captured_stderr() -> Iterator[list[str] | None]:
    """Redirects standard error inside the block, with all that OpenCV and its decoders write; after it the
    list holds their lines.

    Other threads' lines are redirected too. None: standard error or room for a file is missing, and
    nothing is caught.
    """
    with _one_at_a_time, ExitStack() as cleanup:
        lines: list[str] | None = None
        with suppress(OSError):
            saved_fd = os.dup(2)
            cleanup.callback(os.close, saved_fd)
            captured = cleanup.enter_context(tempfile.TemporaryFile())
            os.dup2(captured.fileno(), 2)
            lines = []
        try:
            yield lines
        finally:
            if lines is not None:
                os.dup2(saved_fd, 2)
                captured.seek(0)
                lines += captured.read().decode(errors="replace").splitlines()
