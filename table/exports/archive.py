"""The played matches of a table, for its page."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from table.common.errors import UnreadableAnswer
from table.exports.formats import TYPES, as_file
from table.exports.played import NotExported, PlayedMatch, list_to_json, played_match, played_matches
from table.log.store import archived_matches, newest_match_id, throw_jpeg, throw_seen
from table.rules import words

NEWEST, EVERY = "last", "all"
"""Names for the newest match and for all matches, in place of a number."""

NICENESS = 10
"""By so much the process that makes a file of all matches gives way to the table."""


class Archive:
    """The matches of the log at this path. Safe to use from any thread."""

    def __init__(self, log: Path) -> None:
        self._log = log

    def to_json(self) -> list[dict[str, Any]]:
        """The matches, newest first: as in list_to_json()."""
        return list_to_json(self._log)

    def newest(self) -> PlayedMatch | None:
        """The newest match; None if there is none, or if the rules of today refuse it."""
        try:
            return played_match(self._log)
        except NotExported:
            return None

    def match(self, number: int) -> PlayedMatch:
        """The match with this number. Raises NotExported if there is none, or if today's rules refuse it."""
        return played_match(self._log, number)

    def throw_jpeg(self, number: int, at: int) -> bytes | None:
        """The picture behind a throw of the match with this number; None if there is none."""
        return throw_jpeg(self._log, number, at)

    def throw_seen(self, number: int, at: int) -> Mapping[str, Any] | None:
        """The reading of that picture: {"size": [w, h], "dice": [...]}; None if there is none."""
        return throw_seen(self._log, number, at)

    def newest_length(self) -> timedelta | None:
        """How long the newest match took, from its beginning to its last event; None if there is none."""
        number = newest_match_id(self._log)
        if number is None:
            return None
        (match,) = archived_matches(self._log, number)
        return datetime.fromisoformat(match.last_at) - datetime.fromisoformat(match.started_at)

    def file(self, which: str, kind: str, paper: str = "a4") -> bytes:
        """The sheet of a match as a file. which: its number, "last" or "all". kind: "csv", "json" or "pdf".
        paper: of a PDF.

        Raises UnreadableAnswer for anything else, and NotExported if there is no such match.
        """
        if kind not in TYPES:
            raise UnreadableAnswer(
                f"A sheet comes as {words.listed(TYPES, 'or')}, not as {words.short(kind)}."
            )
        if which != EVERY:
            return as_file([self._match(which)], kind, paper)
        # some hundred pages: by another process, so that throws are read meanwhile; its memory is given back
        with ProcessPoolExecutor(1, get_context("spawn"), _give_way) as apart:
            return apart.submit(_file_of_all, self._log, kind, paper).result()

    def name(self, which: str) -> str:
        """What a file of file(which) is called, without its ending."""
        number = newest_match_id(self._log) if which == NEWEST else which
        return "brehon-matches" if which == EVERY else f"brehon-match-{number}"

    def _match(self, which: str) -> PlayedMatch:
        if which != NEWEST and not (which.isascii() and which.isdecimal() and len(which) < 10):
            raise UnreadableAnswer(f"A match has a number, or is “{NEWEST}” or “{EVERY}”.")
        return played_match(self._log, None if which == NEWEST else int(which))


def _give_way() -> None:
    """Lets other processes come first, where the system can do that."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def _file_of_all(log: Path, kind: str, paper: str) -> bytes:
    matches = [each for each in played_matches(log) if isinstance(each, PlayedMatch)]
    if not matches:
        raise NotExported("no match was played yet")
    return as_file(matches, kind, paper)
