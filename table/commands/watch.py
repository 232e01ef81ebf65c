"""`brehon watch`: the whole table on a recording, without a page, as fast as it can."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from table.commands.printing import print_json
from table.commands.read import as_word
from table.commands.seats import seats_from_text, settings_from_text
from table.common.errors import UnreadableAnswer
from table.defaults import CALIBRATION_NAME, LOG_NAME
from table.games import GAMES
from table.log.store import Log
from table.recording.recordings import Recording, RecordingUnusable, recording_in, take_up
from table.referee.actions import Start
from table.referee.events import Opened
from table.referee.referee import Referee
from table.rules import words
from vision.frames import Frame

if TYPE_CHECKING:
    from table.recording.watching import Line
    from vision.calibration import Calibration

EPILOG = """\
With --json every line is one object, its "t" in the recording's seconds:
  {"t": 3.4, "state": "ROLLING"}                      what the tray is doing, in the page's words
  {"t": 4.1, "reading": {...}}                        as “brehon read --json” tells it, each die with its "track" and "fate"
  {"t": 4.1, "accepted": {"at": 3, "player": "Ann", "faces": [5], "colours": ["red"]}}
  {"t": 4.1, "ruling": {"kind": "foul", "rule": "G5", "text": "..."}}
  {"t": 5.0, "asked": "Was the 4 thrown, or only moved?"}
  {"t": 9.9, "ended": true}
Without --game every throw is accepted, with "at" and "player" null. The same recording gives the same lines, but for "ms" in a reading.

A recording that “brehon run --record DIR” kept is played again by “brehon watch DIR”, its players tapping when they tapped; a tap
that no longer fits is {"t": 5.2, "refused": "..."}. With --events the referee alone is asked again: each event that something else
came of is followed by {"t": 4.1, "differs": {"was": [...], "is": [...]}}, and the last line says {"same": true} where none was.

Dice that have come to rest just before a recording ends are still read; those that still move are not.
"""

MOST_FPS = 1000.0
"""Pictures a second that --fps may say."""

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
"""Endings of files that are one picture: OpenCV would open such a file as a video too, and all others with numbers in their names."""


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
    what = "MP4, AVI, GIF or another video; or, with --fps, pictures or a folder of them; or a recording"
    parser.add_argument("video", metavar="VIDEO", nargs="+", type=Path, help=what)
    parser.add_argument("--game", metavar="GAME", help=f"referee it as this game: {', '.join(GAMES)}")
    parser.add_argument("--players", metavar="Ann,Ben", help="who plays it (default: Ann,Ben); Ann:green gives a colour")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of it, may be given again")
    where = "where the tray lies in the picture, as the page keeps it beside the log"
    parser.add_argument("--calibration", type=Path, metavar="FILE", help=where)
    parser.add_argument("--fps", type=float, metavar="N", help="of pictures: how many a second")
    parser.add_argument("--events", action="store_true", help="of a recording by “brehon run --record”: rule on its events alone")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints what the table says of it; 1 where the recording breaks off, or was ruled on otherwise when it was made."""
    if not args.game and (args.players or args.set):
        raise UnreadableAnswer("--players and --set belong to a game; name it with --game")
    recording = recording_in(args.video[0]) if len(args.video) == 1 else None
    if recording is not None:
        return _run_recording(args, recording)
    if args.events:
        raise UnreadableAnswer(f"--events belongs to a recording that “brehon run --record” kept; {args.video[0]} is none")
    return _run_video(args)


def _run_video(args: argparse.Namespace) -> int:
    from table.recording.watching import watched
    from vision.pipeline import Pipeline
    from vision.reader import Reader

    footage = opened(args.video, args.fps)
    eyes = Pipeline(Reader(), calibration=calibrated(args.calibration))
    with closing(footage), referee_of_its_own(Opened(), eyes.read_again) as referee:
        if args.game:
            referee.act(game_of(referee, args.game, args.players, args.set))
        _print(watched(frames_of(footage), eyes, referee), args.json)
    if footage.trouble:
        print(f"brehon: {footage.trouble}", file=sys.stderr)
    return int(bool(footage.trouble))


def _run_recording(args: argparse.Namespace, recording: Recording) -> int:
    if args.game or args.fps is not None:
        raise UnreadableAnswer("a recording brings its game and its times with it; leave --game and --fps out")
    if args.events:
        return _rule_again(args, recording)
    from table.recording.playback import played_again
    from table.recording.watching import Watching
    from table.setup.colours import PALETTE_NAME, open_palette_reader
    from vision.pipeline import Pipeline
    from vision.reader import Reader

    kept = recording.folder / CALIBRATION_NAME
    calibration = args.calibration or (kept if kept.exists() else None)
    palette_reader, trouble = open_palette_reader(recording.folder / PALETTE_NAME, Reader())
    if trouble:
        print(f"brehon: {trouble}", file=sys.stderr)
    with referee_of_its_own(recording.opened, lambda: watching.eyes.read_again()) as referee:

        def eyes() -> Pipeline:
            return Pipeline(palette_reader, calibration=calibrated(calibration))

        watching = Watching(eyes(), referee)
        _print(played_again(recording, watching, eyes), args.json)
    return 0


def _rule_again(args: argparse.Namespace, recording: Recording) -> int:
    from table.recording.playback import ruled_again

    last = _print(ruled_again(recording), args.json)
    if not last["same"]:
        print("brehon: the rulings are not those that were made when this was recorded; each is shown as “differs”", file=sys.stderr)
    return int(not last["same"])


def _print(lines: Iterable[Line], as_json: bool) -> Line:
    """Prints every line as it comes; the last."""
    line: Line = {}
    for line in lines:
        print_json(line) if as_json else print(as_text(line), flush=True)
    return line


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


def calibrated(path: Path | None) -> Calibration:
    """Where the tray lies by this file; without one, where a mat says. Nothing is ever written to the file."""
    from vision.calibration import Calibration, StoredCalibration
    from vision.tray_region import load_region

    if path is None:
        return Calibration()
    load_region(path)
    return Calibration(StoredCalibration.from_json(json.loads(path.read_text("utf-8"))))


def frames_of(footage: Footage) -> Iterator[Frame]:
    """Its frames; RecordingUnusable where there is none."""
    frames = footage.frames()
    first = next(frames, None)
    if first is None:
        raise RecordingUnusable(footage.trouble)
    yield first
    yield from frames


@contextmanager
def referee_of_its_own(opened: Opened, read_again: Callable[[], None]) -> Iterator[Referee]:
    """A referee that begins so, and whose log is dropped afterwards."""
    with tempfile.TemporaryDirectory(prefix="brehon-watch-") as folder, closing(Log(Path(folder) / LOG_NAME)) as log:
        take_up(log, opened)
        yield Referee(log, read_again, opened.number, opened.trouble)


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
    if "refused" in line:
        return f"refused: {line['refused']}"
    if "differs" in line:
        return f"differs: it was {line['differs']['was']} and is {line['differs']['is']}"
    return "the recording ends"
