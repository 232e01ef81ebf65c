"""`brehon export`: the score sheets of played matches, as CSV, JSON or PDF."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from table.commands.mat import PAPERS
from table.commands.new_file import write_new
from table.commands.printing import print_json
from table.common.errors import BrehonError, Misused
from table.defaults import LOG_NAME, data_folder
from table.games import game
from table.rules import words

if TYPE_CHECKING:
    from table.exports.played import PlayedMatch

FORMATS = ("csv", "json", "pdf")


class NoBlankSheet(Misused, ValueError):
    """A blank sheet that cannot be made."""


class OptionUnusable(Misused, ValueError):
    """An option that does not fit the others."""


class NoLog(BrehonError, FileNotFoundError):
    """The folder has no log."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "export",
        help="export score sheets as CSV, JSON or PDF",
        description="Exports the score sheet of a match, or of all matches: CSV for a spreadsheet, with one"
        " row for each line of the sheet, JSON with one object a line, or PDF to print."
        " The table may be running meanwhile. With --blank it makes a sheet to fill by hand.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("match", nargs="?", type=int, metavar="MATCH", help="its number (default: the newest)")
    which.add_argument("--all", action="store_true", help="all matches, oldest first")
    which.add_argument(
        "--list", action="store_true", help="list the matches with their numbers, newest first"
    )
    which.add_argument("--blank", metavar="GAME", help="a blank sheet of this game to fill by hand, as PDF")
    parser.add_argument(
        "--players", type=int, metavar="N", help="of a blank sheet (default: as many as fit on a page)"
    )
    parser.add_argument("--format", choices=FORMATS, help="default: by the ending of FILE, else csv")
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="of the PDF (default: %(default)s)")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="the file to write (default: the terminal; a PDF needs a file)",
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder of the log (default: ~/.local/share/brehon)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from table.exports.played import list_to_json, played_match

    if args.blank is not None:
        _write_blank(args)
        return 0
    if args.players is not None:
        raise OptionUnusable("--players is for a blank sheet; give --blank GAME too, or leave --players out")
    kind = _kind(args)
    log = data_folder(args.data) / LOG_NAME
    if not log.exists():
        raise NoLog(f"there is no log at {log}; play a match first, or give another folder with --data")
    if args.list:
        for each in list_to_json(log):
            print(f"{each['match']:5} {each['started'][:10]} {each['game']:20} {', '.join(each['players'])}")
        return 0
    matches, failed = _all(log) if args.all else ([played_match(log, args.match)], False)
    _write(args, kind, matches)
    return int(failed)


def _write_blank(args: argparse.Namespace) -> None:
    from table.paper.blank_sheet import blank_sheet_pdf

    blank = game(args.blank)
    if args.format not in (None, "pdf"):
        raise NoBlankSheet(f"a blank sheet is a PDF, not {args.format}; leave --format out")
    if args.players is not None and args.players not in blank.players:
        raise NoBlankSheet(f"{blank.title} is for {blank.player_count_text}; got --players {args.players}")
    if args.out and args.format is None and args.out.suffix.lower() not in ("", ".pdf"):
        raise NoBlankSheet(f"a blank sheet is a PDF, not {args.out.suffix}; change the ending of {args.out}")
    out = args.out or Path(f"brehon-{blank.name}-sheet-{args.paper}.pdf")
    _save(out, blank_sheet_pdf(blank, args.paper, args.players))


def _all(log: Path) -> tuple[list[PlayedMatch], bool]:
    """All matches, and whether one of them cannot be exported, which is said."""
    from table.exports.played import NotExported, played_matches

    matches: list[PlayedMatch] = []
    failed = False
    for each in played_matches(log):
        if isinstance(each, NotExported):
            failed = True
            print(f"brehon: {each}", file=sys.stderr)
        else:
            matches.append(each)
    if not matches:
        raise NotExported("no match was played yet")
    return matches, failed


def _kind(args: argparse.Namespace) -> str:
    """The format that is asked for, by --format or by the ending of the file."""
    ending = args.out.suffix.lstrip(".").lower() if args.out else ""
    if not args.format and ending and ending not in FORMATS:
        raise OptionUnusable(
            f"a sheet is written as {words.listed(FORMATS, 'or')}, not as .{words.short(ending)};"
            " change the ending, or give --format"
        )
    return args.format or ending or "csv"


def _write(args: argparse.Namespace, kind: str, matches: list[PlayedMatch]) -> None:
    from table.exports.formats import as_file

    if args.out is None and kind == "json":
        for match in matches:
            print_json(match.to_json())
    elif args.out is None and kind == "csv":
        print(as_file(matches, kind).decode(), end="")
    else:
        _save(args.out or Path(f"brehon-{_name(matches)}.pdf"), as_file(matches, kind, args.paper))


def _name(matches: list[PlayedMatch]) -> str:
    return f"match-{matches[0].number}" if len(matches) == 1 else "matches"


def _save(out: Path, content: bytes) -> None:
    write_new(out, content)
    print(f"{out} is written.")
