"""`brehon watch`: runs the whole table on a recording, without a page, as fast as possible."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from table.commands.options import add_match_options
from table.commands.printing import print_json
from table.commands.read import die_text
from table.commands.seats import seats_from_text, settings_from_text
from table.common.errors import UnreadableAnswer
from table.defaults import CALIBRATION_NAME, LOG_NAME
from table.log.store import Log
from table.recording.recordings import Recording, RecordingUnusable, recording_in, restore_match
from table.referee.actions import Start
from table.referee.events import Opened
from table.referee.referee import Referee
from table.rules import words
from vision.frames import Frame

if TYPE_CHECKING:
    from table.recording.offline_table import Line
    from vision.tray.calibration import Calibration

DESCRIPTION = """\
Runs the table on a recording and prints when dice roll and rest, what they show, and what is
accepted, ruled and asked. Nothing is saved, and there is no page to tap on. For bug reports, tests and
scripts."""

EPILOG = """\
With --json each line is one object. "t" is the time in the recording, seconds:
  {"t": 3.4, "state": "ROLLING"}                      the state of the tray, as on the page
  {"t": 4.1, "reading": {...}}                        as from “brehon read --json”, with "track" and "fate"
  {"t": 4.1, "accepted": {"at": 3, "player": "Ann", "faces": [5], "colours": ["red"]}}
  {"t": 4.1, "accepted": {"at": 3, "player": "Ann", "faces": [], "colours": [], "sticks": ["dog", ...]}}
  {"t": 4.1, "ruling": {"kind": "foul", "rule": "G5", "text": "..."}}
  {"t": 5.0, "asked": "Was the 4 thrown, or only moved?"}
  {"t": 9.9, "ended": true}
Without --game every throw is accepted, with "at" and "player" null. The same recording gives the same lines,
except for "ms".

“brehon watch DIR” plays a recording of “brehon run --record DIR”, with the same taps at the same times. A tap
that no longer fits is {"t": 5.2, "refused": "..."}. With --events only the referee runs again. An event with
another result is followed by {"t": 4.1, "differs": {"was": [...], "is": [...]}}. If there is none, the last
line has "same": true.

Dice that come to rest just before the end of a recording are read. Dice that still move at the end are not.
"""

MAX_FPS = 1000.0
"""Upper limit of --fps, pictures a second."""

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
"""Suffixes of picture files. OpenCV would open such a file, and numbered files beside it, as a video."""


class Footage(Protocol):
    """The source of the frames."""

    trouble: str
    """What is wrong with the frames, in one sentence, or "". Valid after the last frame."""

    def frames(self) -> Iterator[Frame]: ...

    def close(self) -> None: ...


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "watch",
        help="referee a recording and print every throw and ruling",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = (
        "MP4, AVI, GIF or another video; pictures or a folder of them, with --fps;"
        " or a folder from “brehon run --record”"
    )
    parser.add_argument("video", metavar="VIDEO", nargs="+", type=Path, help=what)
    add_match_options(parser, "referee this game")
    where = "file with the place of the tray, such as calibration.json in the log's folder"
    parser.add_argument("--calibration", type=Path, metavar="FILE", help=where)
    parser.add_argument("--fps", type=float, metavar="N", help="for pictures: how many there are a second")
    parser.add_argument(
        "--events",
        action="store_true",
        help="for a folder from “brehon run --record”: run the referee on its events",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """The exit status: 1 if the recording breaks off, or if its rulings now differ from those in it."""
    if not args.game and (args.players or args.set):
        raise UnreadableAnswer("--players and --set need a game; name it with --game")
    recording = recording_in(args.video[0]) if len(args.video) == 1 else None
    if recording is not None:
        return _run_recording(args, recording)
    if args.events:
        raise UnreadableAnswer(
            f"--events needs a folder from “brehon run --record”; {args.video[0]} is not one"
        )
    return _run_video(args)


def _run_video(args: argparse.Namespace) -> int:
    from table.recording.offline_table import output_lines
    from vision.pipeline import Pipeline
    from vision.reading.reader import Reader

    footage = open_footage(args.video, args.fps)
    pipeline = Pipeline(Reader(), calibration=load_calibration(args.calibration))
    with closing(footage), temporary_referee(Opened(), pipeline.read_again) as referee:
        if args.game:
            referee.act(start_action(referee, args.game, args.players, args.set))
        _print(output_lines(frames_in(footage), pipeline, referee), args.json)
    if footage.trouble:
        print(f"brehon: {footage.trouble}", file=sys.stderr)
    return int(bool(footage.trouble))


def _run_recording(args: argparse.Namespace, recording: Recording) -> int:
    if args.game or args.fps is not None:
        raise UnreadableAnswer("this recording has its own game and times; leave out --game and --fps")
    if args.events:
        return _run_events(args, recording)
    from table.recording.offline_table import OfflineTable
    from table.recording.playback import replay_frames
    from table.setup.colours import PALETTE_NAME, open_palette_reader
    from table.setup.emblems import EMBLEMS_NAME, open_emblem_reader
    from table.setup.sticks import COINS_NAME, STICKS_NAME, open_coin_reader, open_stick_reader
    from vision.pipeline import Pipeline
    from vision.reading.reader import Reader

    recorded_calibration = recording.folder / CALIBRATION_NAME
    calibration = args.calibration or (recorded_calibration if recorded_calibration.exists() else None)
    emblem_reader, emblem_trouble = open_emblem_reader(recording.folder / EMBLEMS_NAME, Reader())
    stick_reader, stick_trouble = open_stick_reader(recording.folder / STICKS_NAME, emblem_reader)
    coin_reader, coin_trouble = open_coin_reader(recording.folder / COINS_NAME, stick_reader)
    palette_reader, trouble = open_palette_reader(recording.folder / PALETTE_NAME, coin_reader)
    for each in filter(None, (emblem_trouble, stick_trouble, coin_trouble, trouble)):
        print(f"brehon: {each}", file=sys.stderr)
    with temporary_referee(recording.opened, lambda: table.pipeline.read_again()) as referee:

        def new_pipeline() -> Pipeline:
            return Pipeline(palette_reader, calibration=load_calibration(calibration))

        table = OfflineTable(new_pipeline(), referee)
        _print(replay_frames(recording, table, new_pipeline), args.json)
    return 0


def _run_events(args: argparse.Namespace, recording: Recording) -> int:
    from table.recording.playback import replay_events

    last = _print(replay_events(recording), args.json)
    if not last["same"]:
        print(
            "brehon: some rulings differ from those in the recording; see the lines with “differs”",
            file=sys.stderr,
        )
    return int(not last["same"])


def _print(lines: Iterable[Line], as_json: bool) -> Line:
    """The last line. Each line is printed at once."""
    line: Line = {}
    for line in lines:
        print_json(line) if as_json else print(as_text(line), flush=True)
    return line


def open_footage(paths: Sequence[Path], fps: float | None) -> Footage:
    """The open recording: one video, or pictures in order; raises BrehonError if it is neither."""
    from vision.cameras.sequence import PictureSequence
    from vision.cameras.video import VideoFile

    if fps is not None and not 0 < fps <= MAX_FPS:
        raise UnreadableAnswer(f"--fps must be more than 0 and at most {MAX_FPS:g}; got {fps:g}")
    pictures = len(paths) > 1 or paths[0].is_dir() or paths[0].suffix.lower() in PICTURE_SUFFIXES
    if not pictures:
        if fps is not None:
            raise UnreadableAnswer(f"--fps is for pictures; {paths[0]} has its own times, so leave out --fps")
        return VideoFile(paths[0], speed=None)
    if fps is None:
        raise UnreadableAnswer(
            "pictures have no times; give the number of pictures a second, such as --fps 10"
        )
    if any(path.suffix.lower() not in PICTURE_SUFFIXES for path in paths) and not paths[0].is_dir():
        raise UnreadableAnswer("several files must all be pictures; give one video at a time")
    return PictureSequence(paths, fps)


def load_calibration(path: Path | None) -> Calibration:
    """The place of the tray in this file or, without a file, that of the mat. The file is never written."""
    from vision.tray.calibration import Calibration, StoredCalibration
    from vision.tray.region import load_region

    if path is None:
        return Calibration()
    load_region(path)
    return Calibration(StoredCalibration.from_json(json.loads(path.read_text("utf-8"))))


def frames_in(footage: Footage) -> Iterator[Frame]:
    """The frames of the recording; raises RecordingUnusable if there are none."""
    frames = footage.frames()
    first = next(frames, None)
    if first is None:
        raise RecordingUnusable(footage.trouble)
    yield first
    yield from frames


@contextmanager
def temporary_referee(opened: Opened, read_again: Callable[[], None]) -> Iterator[Referee]:
    """A referee that starts from `opened`. Its log is deleted at the end of the block."""
    with (
        tempfile.TemporaryDirectory(prefix="brehon-watch-") as folder,
        closing(Log(Path(folder) / LOG_NAME)) as log,
    ):
        restore_match(log, opened)
        yield Referee(log, read_again, opened.number, opened.trouble)


def start_action(referee: Referee, name: str, players: str | None, settings: Sequence[str]) -> Start:
    """The action that starts this game."""
    return Start(
        referee.snapshot().number, name, seats_from_text(players or "Ann,Ben"), settings_from_text(settings)
    )


def as_text(line: dict[str, Any]) -> str:
    """The line for people."""
    return f"{line['t']:9.2f}  {_line_text(line)}"


def reading_text(reading: dict[str, Any]) -> str:
    """What lies on the tray, for people."""
    sticks = [f"{s['face']} stick{'' if s['sure'] else '?'}" for s in reading["sticks"]]
    return ", ".join([*(die_text(d) for d in reading["dice"]), *sticks]) or "no dice"


def _line_text(line: dict[str, Any]) -> str:
    if "state" in line:
        return str(line["state"])
    if "reading" in line:
        return f"read {reading_text(line['reading'])}"
    if "accepted" in line:
        thrown = line["accepted"]
        faces = thrown.get("sticks", thrown["faces"])
        return f"{thrown['player'] or 'somebody'} threw {words.listed(faces)}"
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
