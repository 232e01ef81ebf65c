"""Keeps libraries that write to the terminal by themselves from doing so; we say what is wrong in our own words."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

_one_at_a_time = threading.RLock()
"""Standard error is the whole process's: of two threads within at once, the later would put back what the earlier had put there."""


@contextmanager
def quiet() -> Iterator[list[str] | None]:
    """Nothing that OpenCV or the decoders under it write reaches the terminal within; after it the list holds their lines.

    What other threads write meanwhile goes the same way. None: there is no standard error or no room for a file, and nothing is caught.
    """
    with _one_at_a_time, ExitStack() as opened:
        said: list[str] | None = None
        with suppress(OSError):
            kept = os.dup(2)
            opened.callback(os.close, kept)
            caught = opened.enter_context(tempfile.TemporaryFile())
            os.dup2(caught.fileno(), 2)
            said = []
        try:
            yield said
        finally:
            if said is not None:
                os.dup2(kept, 2)
                caught.seek(0)
                said += caught.read().decode(errors="replace").splitlines()
