"""`brehon run`: runs the table."""

from __future__ import annotations

import argparse
import errno
import logging
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from table.commands.options import add_match_options
from table.commands.seats import seats_from_text, settings_from_text
from table.common.errors import BrehonError, Misused, UnreadableAnswer
from table.defaults import DEFAULT_PORT, data_folder
from table.games import game
from table.referee.actions import Start

if TYPE_CHECKING:
    from table.commands.wiring import RunningTable

CAMERAS = (
    "picamera2, webcam[:N], video:FILE, pictures:DIR, simulated, or real (wait for the first real camera)"
)


class PortTaken(BrehonError, OSError):
    """The page cannot use this address and port."""


class NoSuchPort(PortTaken, Misused):
    """The number is not that of a port."""


class OtherMatchRunning(BrehonError, RuntimeError):
    """Another match is not over yet."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "run",
        help="run the table: camera, referee and page",
        description="Runs the table until Ctrl-C: watches the tray, referees the game, and serves the page."
        " An unfinished match goes on after a restart.",
    )
    parser.add_argument(
        "--camera",
        metavar="CAMERA",
        help=f"{CAMERAS}; default: a real camera if there is one, else simulated",
    )
    add_server_options(parser)
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder of the log (default: ~/.local/share/brehon)"
    )
    parser.add_argument(
        "--record", type=Path, metavar="DIR", help="also save a recording there; “brehon watch DIR” plays it"
    )
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help="file with the place of the tray (default: calibration.json in the log's folder)",
    )
    add_match_options(parser, "start a match, or go on with the same one")
    parser.set_defaults(run=run)


def add_server_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the address of the page."""
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port of the page (default: %(default)s)"
    )
    parser.add_argument(
        "--host",
        default="0.0.0.0",
        help="address of the page (default: all, so that phones reach it; 127.0.0.1: only this computer)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in a browser here")


def run(args: argparse.Namespace) -> int:
    from table.commands.wiring import running_table
    from vision.cameras import open_camera

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("waitress").setLevel(logging.WARNING)  # no line for each page that is closed
    if not args.game and (args.players or args.set):
        raise UnreadableAnswer(
            "--players and --set need a game; name it with --game, or choose everything on the page"
        )
    check_port(args.host, args.port)
    data, camera = data_folder(args.data), lambda: open_camera(args.camera)
    with stopped_by_signal(), running_table(data, camera, args.record, args.calibration) as table:
        if args.game:
            start_match(table, args.game, args.players or "Ann,Ben", args.set)
        serve_page(table, args)
    return 0


def start_match(table: RunningTable, name: str, players: str, settings: list[str]) -> None:
    """Starts this match, or goes on with it if it is the current one.

    Raises OtherMatchRunning if another one is on.
    """
    seats = seats_from_text(players)
    raw_settings = settings_from_text(settings)
    current = table.snapshot.match
    if current is None or current.phase != "play":
        table.do(Start(table.snapshot.number, name, seats, raw_settings))
    elif (current.game, current.seats, dict(current.settings)) == (
        name,
        seats,
        game(name).parse_settings(seats, raw_settings),
    ):
        print(f"The match of {current.title} goes on.", flush=True)
    else:
        raise OtherMatchRunning(
            f"another match of {current.title} is not over;"
            " leave out --game to go on with it, or give another folder with --data"
        )


GOODBYE = "Brehon has stopped. All accepted throws and choices are saved."


def serve_page(table: RunningTable, args: argparse.Namespace, goodbye: str = GOODBYE) -> None:
    """Prints the addresses of the page, opens it if there is a screen, and serves it until stopped."""
    from table.page.app import create_app
    from table.page.server import serve

    addresses = page_addresses(args.host, args.port)
    print(f"Camera: {table.snapshot.camera}. Page: {' or '.join(addresses)}", flush=True)
    if not args.no_browser and has_screen():
        webbrowser.open(addresses[0])
    serve(create_app(table, args.host), args.host, args.port)
    print(goodbye, flush=True)


def has_screen() -> bool:
    """Whether a browser window can be opened here."""
    return sys.stdout.isatty() and bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def page_addresses(host: str, port: int) -> list[str]:
    """The addresses of the page: for this computer and, if it serves the network, for phones there."""
    if host not in ("0.0.0.0", "::", ""):
        return [f"http://{f'[{host}]' if ':' in host else host}:{port}/"]
    name = socket.gethostname()
    return [f"http://localhost:{port}/", f"http://{name if '.' in name else name + '.local'}:{port}/"]


def check_port(host: str, port: int) -> None:
    """Raises PortTaken if the page cannot be served there. It runs before anything else starts."""
    if not 0 < port < 65536:
        raise NoSuchPort(f"--port must be from 1 to 65535; got {port}")
    try:
        ((family, _, _, _, address), *_) = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError):
        raise PortTaken(
            f"this computer has no address {host!r};"
            " leave out --host, or give 127.0.0.1 for this computer only"
        ) from None
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            raise PortTaken(
                f"this computer has no address {host!r}; leave out --host, or give 127.0.0.1"
            ) from None
        raise PortTaken(
            f"the page cannot use port {port} ({error.strerror});"
            " stop the program that uses it, or give another with --port"
        ) from None


@contextmanager
def stopped_by_signal() -> Iterator[None]:
    """A block that SIGTERM, which systemd sends, ends like Ctrl-C."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        signal.signal(signal.SIGTERM, before)
