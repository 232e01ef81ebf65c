"""One small JSON file beside the log: written whole or not at all, and put aside, never lost, where it cannot be used."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from table.common.errors import LogUnusable


def keep(path: Path, data: Any) -> None:
    """Writes the file; a plug pulled meanwhile leaves the old one. LogUnusable where the disk refuses."""
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(data, file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        why = f"{path} cannot be written ({error.strerror}); make room on the disk, or give another folder with --data"
        raise LogUnusable(why) from error


def kept(path: Path) -> Any:
    """What the file holds, None where there is none; ValueError where it is no JSON, LogUnusable where it cannot be read."""
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LogUnusable(f"{path} cannot be read ({error.strerror}); move it away, or give another folder with --data") from error


def put_aside(path: Path, ends: Sequence[str] = ("",)) -> Path:
    """Gives a file that cannot be used another name, and says which; ends: of all files that belong to it. LogUnusable: it stays."""
    aside = path.with_name(f"{path.name}.damaged-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    for end in ends:
        try:
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise LogUnusable(f"{path} is damaged and cannot be put aside ({error.strerror}); move it away") from error
    return aside
