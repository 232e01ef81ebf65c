"""`brehon watch`: the whole table on a recording, without a page, as fast as it can."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from table.commands.places import LOG_NAME
from table.commands.printing import print_json
from table.commands.read import as_word
from table.commands.seats import seats_from_text, settings_from_text
from table.errors import BrehonError, UnreadableAnswer
from table.games import GAMES
from table.log.store import Log
from table.referee.actions import Start
from table.referee.referee import Referee
from table.rules import words
from vision.frames import Frame

EPILOG = """\
With --json every line is one object, its "t" in the recording's seconds:
  {"t": 3.4, "state": "ROLLING"}                      what the tray is doing, in the page's words
  {"t": 4.1, "reading": {...}}                        as “brehon read --json” tells it, each die with its "track" and "fate"
  {"t": 4.1, "accepted": {"at": 3, "player": "Ann", "faces": [5], "colours": ["red"]}}
  {"t": 4.1, "ruling": {"kind": "foul", "rule": "G5", "text": "..."}}
  {"t": 5.0, "asked": "Was the 4 thrown, or only moved?"}
  {"t": 9.9, "ended": true}
Without --game every throw is accepted, with "at" and "player" null. The same recording gives the same lines, but for "ms" in a reading.

Dice that have come to rest just before a recording ends are still read; those that still move are not.
"""

MOST_FPS = 1000.0
"""Pictures a second that --fps may say."""

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
"""Endings of files that are one picture: OpenCV would open such a file as a video too, and all others with numbers in their names."""


class RecordingUnusable(BrehonError, ValueError):
    """A recording that cannot be watched, or only in part."""


class Footage(Protocol):
    """Where the frames come from."""

    trouble: str
    """Once the frames have ended: what is wrong with them, in one sentence, or ""."""

    def frames(self) -> Iterator[Frame]: ...

    def close(self) -> None: ...


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "watch",
        help="watch a recording: what was thrown, and every ruling",
        description="Watches a recording as the table would: when dice roll and rest, what they show, what is accepted, ruled"
        " and asked. Nothing is kept, and nobody can tap. For bug reports, tests and scripts.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = "MP4, AVI, GIF or another video; or, with --fps, pictures or a folder of them"
    parser.add_argument("video", metavar="VIDEO", nargs="+", type=Path, help=what)
    parser.add_argument("--game", metavar="GAME", help=f"referee it as this game: {', '.join(GAMES)}")
    parser.add_argument("--players", metavar="Ann,Ben", help="who plays it (default: Ann,Ben); Ann:green gives a colour")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of it, may be given again")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="where the tray lies in the picture")
    parser.add_argument("--fps", type=float, metavar="N", help="of pictures: how many a second")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints what the table says of it; 1 where the recording breaks off."""
    from table.commands.watching import watched
    from vision.eyes import Eyes
    from vision.reader import Reader

    if not args.game and (args.players or args.set):
        raise UnreadableAnswer("--players and --set belong to a game; name it with --game")
    footage = opened(args.video, args.fps)
    eyes = Eyes(Reader())
    try:
        with referee_of_its_own(eyes) as referee:
            if args.game:
                referee.act(game_of(referee, args.game, args.players, args.set))
            for line in watched(frames_of(footage), eyes, referee):
                print_json(line) if args.json else print(as_text(line), flush=True)
    finally:
        footage.close()
    if footage.trouble:
        print(f"brehon: {footage.trouble}", file=sys.stderr)
    return int(bool(footage.trouble))


def opened(paths: Sequence[Path], fps: float | None) -> Footage:
    """The recording: one video, or pictures in a row. BrehonError: neither."""
    from vision.cameras.sequence import PictureSequence
    from vision.cameras.video import VideoFile

    if fps is not None and not 0 < fps <= MOST_FPS:
        raise UnreadableAnswer(f"--fps is more than 0 and at most {MOST_FPS:g}; got {fps:g}")
    pictures = len(paths) > 1 or paths[0].is_dir() or paths[0].suffix.lower() in PICTURES
    if not pictures:
        if fps is not None:
            raise UnreadableAnswer(f"--fps belongs to pictures; {paths[0]} has times of its own")
        return VideoFile(paths[0], speed=None)
    if fps is None:
        raise UnreadableAnswer("pictures have no times; say with --fps how many there are a second, as in --fps 10")
    if any(path.suffix.lower() not in PICTURES for path in paths) and not paths[0].is_dir():
        raise UnreadableAnswer("one video is watched at a time, or pictures in their order")
    return PictureSequence(paths, fps)


def frames_of(footage: Footage) -> Iterator[Frame]:
    """Its frames; RecordingUnusable where there is none."""
    frames = footage.frames()
    first = next(frames, None)
    if first is None:
        raise RecordingUnusable(footage.trouble)
    yield first
    yield from frames


@contextmanager
def referee_of_its_own(eyes: Any) -> Iterator[Referee]:
    """A referee whose log is dropped afterwards."""
    with tempfile.TemporaryDirectory(prefix="brehon-watch-") as folder:
        log = Log(Path(folder) / LOG_NAME)
        try:
            yield Referee(log, eyes.again)
        finally:
            log.close()


def game_of(referee: Referee, name: str, players: str | None, settings: Sequence[str]) -> Start:
    """What starts that game."""
    return Start(referee.snapshot().number, name, seats_from_text(players or "Ann,Ben"), settings_from_text(settings))


def as_text(line: dict[str, Any]) -> str:
    """The line for people."""
    return f"{line['t']:9.2f}  {_said(line)}"


def _said(line: dict[str, Any]) -> str:
    if "state" in line:
        return str(line["state"])
    if "reading" in line:
        return f"read {', '.join(as_word(d) for d in line['reading']['dice']) or 'no dice'}"
    if "accepted" in line:
        thrown = line["accepted"]
        return f"{thrown['player'] or 'somebody'} threw {words.listed(thrown['faces'])}"
    if "ruling" in line:
        rule = line["ruling"]["rule"]
        return f"{line['ruling']['text']}" + (f" ({rule})" if rule else "")
    if "asked" in line:
        return f"asked: {line['asked']}"
    return "the recording ends"
