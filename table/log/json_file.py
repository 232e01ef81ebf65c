"""One small JSON file beside the log.

A write is complete or has no effect. An unusable file is put aside, never lost.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from table.common.errors import LogUnusable

T = TypeVar("T")


def write_json(path: Path, data: Any, sync: Callable[[int], None] = os.fsync) -> None:
    """Writes the file. A power cut meanwhile leaves the old one. LogUnusable: the disk refuses.

    sync: waits until the open file with this descriptor is on the disk. Only then the file gets its name.
    """
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(data, file, ensure_ascii=False)
            file.flush()
            sync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        why = (
            f"{path} cannot be written ({error.strerror});"
            " make room on the disk, or give another folder with --data"
        )
        raise LogUnusable(why) from error


def read_json(path: Path) -> Any:
    """The content of the file, None if there is none. ValueError: no JSON. LogUnusable: unreadable."""
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LogUnusable(
            f"{path} cannot be read ({error.strerror}); move it away, or give another folder with --data"
        ) from error


def set_damaged_file_aside(path: Path, ends: Sequence[str] = ("",)) -> Path:
    """The new name of an unusable file after a rename.

    ends: of all its files. LogUnusable: the file stays.
    """
    aside = path.with_name(f"{path.name}.damaged-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    for end in ends:
        try:
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise LogUnusable(
                f"{path} is damaged and cannot be put aside ({error.strerror}); move it away"
            ) from error
    return aside


def read_or_set_aside(path: Path, from_json: Callable[[Any], T], nothing: T) -> tuple[T, Path | None]:
    """What this file holds, `nothing` if there is none, and the new name of a damaged file; None: it was not.

    from_json: makes it of the content, and raises ValueError where that has another form.
    """
    try:
        data = read_json(path)
        return (nothing if data is None else from_json(data)), None
    except ValueError:
        return nothing, set_damaged_file_aside(path)
