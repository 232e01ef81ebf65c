"""`brehon run`: the table itself."""

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

from table.commands.seats import seats_from_text, settings_from_text
from table.common.errors import BrehonError, UnreadableAnswer
from table.defaults import DEFAULT_PORT, data_folder
from table.games import GAMES, game
from table.referee.actions import Start

if TYPE_CHECKING:
    from table.commands.wiring import RunningTable

CAMERAS = "picamera2, webcam[:N], video:FILE, pictures:DIR, simulated, or real: the first real one, waited for"


class PortTaken(BrehonError, OSError):
    """The page cannot be served there."""


class MatchOn(BrehonError, RuntimeError):
    """A match would be ended that nobody said is to end."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "run",
        help="the table: camera, referee and page",
        description="Runs the table until it is stopped with Ctrl-C: watches the tray, referees, and serves the page. A match that was"
        " on when the table stopped goes on.",
    )
    parser.add_argument("--camera", metavar="CAMERA", help=f"{CAMERAS}; default: a real camera if there is one, else simulated")
    add_serving(parser)
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the log (default: ~/.local/share/brehon)")
    parser.add_argument("--record", type=Path, metavar="DIR", help="also keep a recording there, which “brehon watch DIR” plays again")
    parser.add_argument(
        "--calibration", type=Path, metavar="FILE", help="where the tray is, as the page keeps it (default: calibration.json in DIR)"
    )
    parser.add_argument("--game", metavar="GAME", help=f"start a match at once, or go on with it if it is on: {', '.join(GAMES)}")
    parser.add_argument("--players", metavar="Ann,Ben", help="who plays it (default: Ann,Ben); Ann:green gives a colour")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of it, may be given again")
    parser.set_defaults(run=run)


def add_serving(parser: argparse.ArgumentParser) -> None:
    """The options of where the page is served."""
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="port of the page (default: %(default)s)")
    parser.add_argument(
        "--host", default="0.0.0.0", help="address to serve on (default: all, so that phones reach it; 127.0.0.1: this machine alone)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the page here")


def run(args: argparse.Namespace) -> int:
    from table.commands.wiring import running_table
    from vision.cameras import open_camera

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("waitress").setLevel(logging.WARNING)  # every page that is closed is not worth a line
    if not args.game and (args.players or args.set):
        raise UnreadableAnswer("--players and --set belong to a game; name it with --game, or choose all of it on the page")
    check_port(args.host, args.port)
    data, camera = data_folder(args.data), lambda: open_camera(args.camera)
    with stopped_by_signal(), running_table(data, camera, args.record, args.calibration) as table:
        if args.game:
            start_match(table, args.game, args.players or "Ann,Ben", args.set)
        serve_page(table, args)
    return 0


def start_match(table: RunningTable, name: str, players: str, settings: list[str]) -> None:
    """A new match on the table, or the one that is on where it is just this one; MatchOn where it is another."""
    seats, given, on = seats_from_text(players), settings_from_text(settings), table.snapshot.match
    if on is None or on.phase != "play":
        table.do(Start(table.snapshot.number, name, seats, given))
    elif (on.game, on.seats, dict(on.settings)) == (name, seats, game(name).settle(seats, given)):
        print(f"Going on with the match of {on.title} that was on.", flush=True)
    else:
        raise MatchOn(f"another match of {on.title} is on; leave --game out to go on with it, or give another folder with --data")


GOODBYE = "Brehon stops. Everything accepted is in the log."


def serve_page(table: RunningTable, args: argparse.Namespace, goodbye: str = GOODBYE) -> None:
    """Says where the page is, opens it where there is a screen, and serves it until stopped."""
    from table.page.app import create_app, serve

    addresses = page_addresses(args.host, args.port)
    print(f"Brehon watches the {table.snapshot.camera}. The page: {' or '.join(addresses)}", flush=True)
    if not args.no_browser and has_screen():
        webbrowser.open(addresses[0])
    serve(create_app(table), args.host, args.port)
    print(goodbye, flush=True)


def has_screen() -> bool:
    """Whether a browser window could be opened here."""
    return sys.stdout.isatty() and bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def page_addresses(host: str, port: int) -> list[str]:
    """Where the page is found: from this machine, and from phones on the same network where they can reach it."""
    if host not in ("0.0.0.0", "::", ""):
        return [f"http://{f'[{host}]' if ':' in host else host}:{port}/"]
    name = socket.gethostname()
    return [f"http://localhost:{port}/", f"http://{name if '.' in name else name + '.local'}:{port}/"]


def check_port(host: str, port: int) -> None:
    """Raises PortTaken before anything is started that would have to be stopped again."""
    if not 0 < port < 65536:
        raise PortTaken(f"a port is a number from 1 to 65535; got {port}")
    try:
        ((family, _, _, _, address), *_) = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise PortTaken(f"this computer has no address {host!r}; leave --host out, or give 127.0.0.1 for this computer alone") from None
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            raise PortTaken(f"this computer has no address {host!r}; leave --host out, or give 127.0.0.1") from None
        raise PortTaken(
            f"the page cannot be served on port {port} ({error.strerror}); stop what uses it, or give another with --port"
        ) from None


@contextmanager
def stopped_by_signal() -> Iterator[None]:
    """SIGTERM, as systemd sends it, ends the block like Ctrl-C does."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        signal.signal(signal.SIGTERM, before)
