"""`brehon read`: reads dice from picture files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.commands.printing import print_json
from table.common.errors import BrehonError, PictureUnreadable

if TYPE_CHECKING:
    from vision.reader import Reader
    from vision.reading import Reading

EPILOG = """\
With --json every line is one object:
  {"file": "a.jpg", "size": [1280, 960], "sure": true, "ms": 11.8,
   "dice": [{"face": 5, "colour": "red", "box": [x, y, w, h], "confidence": 0.998, "sure": true, "cocked": false,
             "stacked": false, "cut_off": false}], "sticks": []}
Boxes are in pixels of the picture after its EXIF rotation. "sure": false means that a person should be asked.
A file that cannot be read gives {"file": ..., "error": "..."}; the others are still read, and the exit status is 1.

A profile is a small JSON file that gives colours your own names:
  {"colours": {"green": "MacLeod", "red": "Fraser"}}
Colours: white black grey red orange yellow green blue purple pink brown (ivory counts as white).

With --overlay the overlay of a.jpg is a.jpg.seen.png, and that of another a.jpg in the same run a.jpg-2.seen.png. An overlay of an
earlier run is replaced; no other file is.
"""
OVERLAY = ".seen.png"
"""How every overlay's name ends. A file with an overlay's name is taken for one of an earlier run."""


class ProfileUnusable(BrehonError, ValueError):
    """A profile that cannot be opened or has not the shape it must have."""


class OverlayUnwritable(BrehonError, OSError):
    """An overlay, or the folder for them, that cannot be written."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "read",
        help="read the dice in picture files",
        description="Reads the faces and colours of the dice in each picture and prints one line a picture.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pictures", metavar="PICTURE", nargs="+", type=Path, help="JPEG, PNG, WebP, BMP or TIFF file")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for scripts")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="JSON file that names colours, see below")
    parser.add_argument("--overlay", type=Path, metavar="DIR", help="also write there what was seen drawn on each picture, see below")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Reads every picture; 1 when one of them could not be read."""
    from vision.reader import Reader

    names = profile_colours(args.profile) if args.profile else {}
    overlays = Overlays(args.overlay) if args.overlay else None
    reader, failed = Reader(), False
    for result in results(reader, args.pictures, names, overlays):
        failed |= "error" in result
        if args.json:
            print_json(result)
        else:
            print(as_line(result), flush=True)
    return int(failed)


class Overlays:
    """The folder for one run's overlays, made where there is none; raises OverlayUnwritable."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._taken = folder, set[str]()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OverlayUnwritable(f"the folder {folder} for overlays cannot be made: {error.strerror}; give another") from None

    def write(self, path: Path, reading: Reading) -> None:
        """Writes the overlay of this picture; raises OverlayUnwritable."""
        from vision.overlay import as_png, draw
        from vision.pictures import load

        shown, target = as_png(draw(load(path).picture, reading)), self._target(path.name)
        try:
            target.unlink(missing_ok=True)  # where it is a link to a photograph, the photograph stays
            target.write_bytes(shown)
        except OSError as error:
            raise OverlayUnwritable(f"the overlay {target} cannot be written: {error.strerror}; give another folder") from None

    def _target(self, name: str) -> Path:
        """Where the overlay of a picture of this name goes: to no other of this run, also on disks that hold A and a for one letter."""
        names = (name if n == 1 else f"{name}-{n}" for n in count(1))
        free = next(n for n in names if n.casefold() not in self._taken)
        self._taken.add(free.casefold())
        return self._folder / f"{free}{OVERLAY}"


def results(
    reader: Reader, pictures: list[Path], names: Mapping[str, str], overlays: Overlays | None = None
) -> Iterator[dict[str, Any]]:
    """For each picture in turn what `--json` prints of it."""
    for path in pictures:
        try:
            yield {"file": str(path), **_read(reader, path, names, overlays)}
        except (PictureUnreadable, OverlayUnwritable) as error:
            yield {"file": str(path), "error": str(error)}


def _read(reader: Reader, path: Path, names: Mapping[str, str], overlays: Overlays | None) -> dict[str, Any]:
    from vision.pictures import read_file

    reading = read_file(reader, path)
    if overlays:
        overlays.write(path, reading)
    found = dict(reading.to_json())
    for die in found["dice"]:
        die["colour"] = names.get(die["colour"], die["colour"])
    return found


def profile_colours(path: Path) -> dict[str, str]:
    """Colour to name, from a profile. ProfileUnusable: no such file, no JSON, another shape, a colour there is not."""
    from table.common.colours import COLOURS

    try:
        profile = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileUnusable(f"the profile {path} cannot be opened: {error.strerror}") from None
    except ValueError:
        raise ProfileUnusable(f"the profile {path} is not JSON; it looks like {EXAMPLE}") from None
    colours = profile.get("colours") if isinstance(profile, dict) else None
    if not isinstance(colours, dict) or not all(isinstance(name, str) for name in colours.values()):
        raise ProfileUnusable(f'the profile {path} has no "colours"; it looks like {EXAMPLE}')
    if unknown := sorted(set(colours) - set(COLOURS)):
        raise ProfileUnusable(f"the profile {path} names the colour {unknown[0]}, which is none of {' '.join(COLOURS)}")
    return colours


EXAMPLE = '{"colours": {"green": "MacLeod"}}'


def as_line(result: Mapping[str, Any]) -> str:
    """For people: `a.jpg: red 5, white 3? (3 or 2)`."""
    if "error" in result:
        return f"{result['file']}: {result['error']}"
    if not result["dice"]:
        return f"{result['file']}: no dice"
    dice = ", ".join(as_word(die) for die in result["dice"])
    return f"{result['file']}: {dice}" + ("" if result["sure"] else "  (? = not sure)" if "?" in dice else "")


def as_word(die: Mapping[str, Any]) -> str:
    return f"{die['colour']} {die['face']}{'' if die['sure'] else '?'}{' (cocked)' if die['cocked'] else ''}"
