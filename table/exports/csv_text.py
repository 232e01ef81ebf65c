"""Score sheets as CSV, for a spreadsheet: one row for each line of each sheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from table.exports.played import PlayedMatch
from table.referee.snapshot import lines_with_typed_throws
from table.rules.words import MINUS

COLUMNS = (
    "match", "started", "game", "player", "entry", "points", "value", "reason", "typed", "score", "won",
    "row_note", "part", "ended",
)  # fmt: skip
"""entry: the row of the paper sheet without its sign, or the number of the turn or round. value: what stands
there if it is not the points. typed: "yes" if a throw was typed. score, won: of the player at the end of the
match, in the player's last row. row_note: what all players did in the round, such as their bids; while nobody
has a line in that round, it has a row of its own without a player. part: the heading above the entry on the
paper sheet, such as the event. ended: why the match was not played to the end, in its last row. A match with
an empty sheet has one row with the first three columns and that one."""

SIGNS = re.compile(rf"^(?:[=+{MINUS}]|OR) ")
"""What a row of a form begins with that is added, subtracted or one of several attempts."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t")
"""A text that begins so would be run as a formula by a spreadsheet, such as the name of a player."""


def csv_of(matches: Iterable[PlayedMatch]) -> str:
    """The sheets of these matches, with a head of COLUMNS."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for match in matches:
        writer.writerows(_rows(match))
    return text.getvalue()


def _rows(match: PlayedMatch) -> Iterator[tuple[object, ...]]:
    view, typed = match.view, lines_with_typed_throws(match.view)
    entries = {row.box: SIGNS.sub("", row.text) for row in match.game.form if row.box}
    parts = _parts(match)
    last = {line.player: i for i, line in enumerate(view.sheet)}
    winners = view.outcome.winners if view.outcome else ()
    notes = {note.row: note.text for note in view.row_notes}
    played = (match.number, f"{match.started:%Y-%m-%d %H:%M}", view.title)
    ended = _plain(match.ended or "")
    if not view.sheet and not notes:
        yield (*played, *[""] * len(COLUMNS[3:-1]), ended)
    for i, line in enumerate(view.sheet):
        is_last = last[line.player] == i
        yield (
            *played,
            _plain(line.player),
            _plain(entries.get(line.box, line.row_text)),
            line.points,
            _plain(line.value or ""),
            _plain(line.reason),
            "yes" if i in typed else "",
            view.scores[line.player] if is_last else "",
            "yes" if is_last and line.player in winners else "",
            "" if line.row is None else _plain(notes.get(line.row, "")),
            _plain(parts.get(line.box, "")),
            ended if i == len(view.sheet) - 1 else "",
        )
    for row in sorted(notes.keys() - {line.row for line in view.sheet}):
        yield (*played, "", row, *[""] * len(COLUMNS[5:-3]), _plain(notes[row]), "", "")


def _parts(match: PlayedMatch) -> dict[str | None, str]:
    """The heading above each box of the paper sheet."""
    parts, heading = dict[str | None, str](), ""
    for row in match.game.form:
        if row.heading:
            heading = row.text
        else:
            parts[row.box] = heading
    return parts


def _plain(text: str) -> str:
    """The text, so that no spreadsheet takes it for a formula."""
    is_number = text.lstrip("+-").replace(".", "", 1).isdecimal()
    return f"'{text}" if text.startswith(FORMULA_STARTS) and not is_number else text
