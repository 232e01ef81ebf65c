"""Files that a command writes: new ones, with a clear error if that is not possible."""

from __future__ import annotations

from pathlib import Path

from table.common.errors import BrehonError


class FileUnwritable(BrehonError, OSError):
    """A file cannot be written, or is there already."""


def write_new(out: Path, content: bytes) -> None:
    """Writes a file that does not exist yet; raises FileUnwritable."""
    if out.is_dir():
        raise FileUnwritable(f"{out} is a folder; give the name of a file with --out")
    if out.exists():
        raise FileUnwritable(f"{out} exists already; move it, or give another name with --out")
    try:
        out.write_bytes(content)
    except OSError as error:
        raise FileUnwritable(
            f"{out} cannot be written ({error.strerror or error}); give another name with --out"
        ) from error


def write_print(out: Path, content: bytes, check: str = "The line on it must be 100 mm long.") -> None:
    """Writes a PDF to a new file and says how to print it. check: what to measure then."""
    write_new(out, content)
    print(f"{out} is written. Print it at full size (100 %, not “fit to page”). {check}")
