"""The command line of `brehon`."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import TextIO, cast

from table.commands import (
    bench,
    demo,
    doctor,
    export,
    games,
    mat,
    print_kit,
    read,
    referee,
    rules,
    run,
    sticks,
    watch,
)
from table.commands.printing import Output, OutputUnwritable
from table.common.errors import BrehonError, IllegalAnswer, Misused, UnreadableAnswer

COMMANDS = (run, demo, watch, read, referee, games, rules, print_kit, mat, sticks, export, doctor, bench)
"""The commands, in the order that the help lists them."""

OK, FAILED, MISUSED = 0, 1, 2

MISUSES = (Misused, UnreadableAnswer, IllegalAnswer)
"""Errors of the command line. Of answers, only those in its options come this far."""


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    root = argparse.ArgumentParser(
        prog="brehon",
        description="A referee for real dice games:"
        " a camera over the tray, the rules, and a page for the players.",
        epilog="Try “brehon demo” to see it on a simulated tray."
        " Run “brehon doctor” if something does not work.",
    )
    commands = root.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status: 0 for success, 1 if something cannot be done, 2 if the command line is wrong."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without “ or Ó shows them as escapes
            stream.reconfigure(errors="backslashreplace")
    args = parser().parse_args(argv)
    try:
        with redirect_stdout(cast(TextIO, Output(sys.stdout))):
            status: int = args.run(args)
            sys.stdout.flush()
    except OutputUnwritable as error:
        if sys.stdout is not None:
            # Nothing more can be written. Python's own flush at exit must not fail too.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not error.unread:
            print(f"brehon: {error}", file=sys.stderr)
        return FAILED
    except BrehonError as error:
        print(f"brehon: {error}", file=sys.stderr)
        return MISUSED if isinstance(error, MISUSES) else FAILED
    except KeyboardInterrupt:
        return FAILED
    except OSError as error:
        print(
            f"brehon: {error.filename or 'a file or a device'} cannot be used ({error.strerror or error})",
            file=sys.stderr,
        )
        return FAILED
    return status


if __name__ == "__main__":
    sys.exit(main())
