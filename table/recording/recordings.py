"""Recordings of `brehon run --record`: finding, reading and resuming them."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table.common.errors import BrehonError, UnreadableAnswer
from table.log.store import Evidence, Log
from table.recording.recorder import EVENTS_NAME, FORMAT, HEAD_NAME
from table.referee.events import Event, Opened, event_from_json
from vision.frames import Frame
from vision.motion_jpeg import ENDING, decoded, pictures_in

logger = logging.getLogger(__name__)


class RecordingUnusable(BrehonError, ValueError):
    """A recording that cannot be played, or only in part."""


@dataclass(frozen=True)
class RecordedLine:
    """A line of a recording: an event, its follow-up events, its effects as JSON, and the text of a refusal.

    A line without events says that the camera was opened again.
    """

    at_s: float
    events: tuple[Event, ...]
    effects: tuple[Mapping[str, Any], ...] = ()
    refused: str = ""


@dataclass(frozen=True)
class Recording:
    """A recording on the disk.

    opened: the table's state when it began. lines: what happened after that, in order.
    """

    folder: Path
    opened: Opened
    lines: tuple[RecordedLine, ...]

    def frames(self) -> Iterator[Frame]:
        """The remaining pictures, in order."""
        for segment in sorted(self.folder.glob(f"frames-*{ENDING}")):
            with segment.open("rb") as file:
                for at_s, jpeg in pictures_in(file):
                    yield Frame(decoded(jpeg), at_s)


def recording_in(path: Path) -> Recording | None:
    """The recording in this folder, the newest of several; None if there is none.

    RecordingUnusable: it is corrupt.
    """
    heads = sorted(path.glob(HEAD_NAME)) or sorted(path.glob(f"*/{HEAD_NAME}"))
    return _read(heads[-1].parent) if heads else None


def _read(folder: Path) -> Recording:
    try:
        head = json.loads((folder / HEAD_NAME).read_text("utf-8"))
        lines = (folder / EVENTS_NAME).read_bytes().splitlines(keepends=True)
    except ValueError:
        raise RecordingUnusable(f"{folder / HEAD_NAME} is damaged; it should be JSON") from None
    except OSError as error:
        raise RecordingUnusable(
            f"the recording {folder} cannot be read ({error.strerror}); copy it again"
        ) from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise RecordingUnusable(
            f"the recording {folder} is of a format that this Brehon does not know; update Brehon"
        )
    parsed = tuple(_parse_line(folder, n, line) for n, line in enumerate(lines, 1) if line.endswith(b"\n"))
    lines_read = tuple(note for note in parsed if note is not None)
    opened = lines_read[0].events[0] if lines_read and lines_read[0].events else None
    if not isinstance(opened, Opened):
        raise RecordingUnusable(
            f"the recording {folder} has no beginning: {EVENTS_NAME} should start with how the table stood"
        )
    return Recording(folder, opened, lines_read[1:])


def _parse_line(folder: Path, number: int, line: bytes) -> RecordedLine | None:
    """One line; None if it only reports dropped pictures."""
    try:
        data = json.loads(line)
        if "dropped" in data:
            logger.warning(
                "%d pictures were left out of the recording before %.1f s", data["dropped"], data["t"]
            )
            return None
        events = () if "reopened" in data else tuple(map(event_from_json, data["events"]))
        return RecordedLine(float(data["t"]), events, tuple(data.get("effects", ())), data.get("refused", ""))
    except (ValueError, TypeError, LookupError, AttributeError, UnreadableAnswer) as error:
        raise RecordingUnusable(f"line {number} of {folder / EVENTS_NAME} is damaged ({error})") from None


def restore_match(log: Log, opened: Opened) -> None:
    """Writes the match that the recorded table resumed into an empty log."""
    match = opened.match
    if match is None:
        return
    logged = log.start(match.game, match.seats, match.raw_settings)
    seen = Evidence(match.seen["at"], match.seen["reading"], None) if match.seen else None
    if match.events:
        log.append(logged, match.events, seen)
