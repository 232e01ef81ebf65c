"""The formats of exported sheets: the content of a file, and its type for a browser."""

from __future__ import annotations

import json
from collections.abc import Sequence

from table.exports.csv_text import csv_of
from table.exports.played import PlayedMatch

TYPES = {"csv": "text/csv", "json": "application/json", "pdf": "application/pdf"}
"""The content type of each format."""


def as_file(matches: Sequence[PlayedMatch], kind: str, paper: str = "a4") -> bytes:
    """The sheets of these matches as a file. kind: a format of TYPES. JSON has one object a line."""
    match kind:
        case "csv":
            return csv_of(matches).encode()
        case "json":
            lines = (json.dumps(match.to_json(), ensure_ascii=False) for match in matches)
            return "".join(f"{line}\n" for line in lines).encode()
        case _:
            from table.paper.score_sheet import pdf_of  # reportlab takes a while to load

            return pdf_of(matches, paper)
