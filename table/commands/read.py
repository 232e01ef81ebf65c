"""`brehon read`: reads the dice in picture files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from table.commands.printing import print_json
from table.common.errors import BrehonError, PictureUnreadable

if TYPE_CHECKING:
    from vision.reading.enrolled_coins import EnrolledCoins
    from vision.reading.enrolled_sticks import EnrolledSticks
    from vision.reading.reader import Reader
    from vision.readings import Reading

Known = TypeVar("Known")

EPILOG = """\
With --json each line is one object:
  {"file": "a.jpg", "size": [1280, 960], "sure": true, "ms": 11.8,
   "dice": [{"face": 5, "colour": "red", "box": [x, y, w, h], "confidence": 0.998, "sure": true, \
"cocked": false,
             "stacked": false, "cut_off": false}], "sticks": []}
Boxes are in pixels of the picture after its EXIF rotation. "sure": false means that a person should check.
A file that cannot be read gives {"file": ..., "error": "..."}. The others are read; the exit status is 1.

A profile is a JSON file with your own names for colours:
  {"colours": {"green": "MacLeod", "red": "Fraser"}}
Colours: white black grey red orange yellow green blue purple pink brown (ivory counts as white).

A table that was taught your own sticks keeps them in sticks.json, in its data folder, and your coins in
coins.json. Coins are read only with --coins, in place of sticks: "sticks" then has "heads" and "tails".

The overlay of a.jpg is a.jpg.seen.png, that of a second a.jpg in the same run a.jpg-2.seen.png. Overlays of
earlier runs are replaced, other files are not.
"""
OVERLAY = ".seen.png"
"""The end of each overlay's name. A file with such a name counts as an overlay of an earlier run."""


class ProfileUnusable(BrehonError, ValueError):
    """A profile that cannot be opened or does not have the required form."""


class SticksUnusable(BrehonError, ValueError):
    """A file of taught sticks or coins that cannot be opened or does not have the required form."""


class OverlayUnwritable(BrehonError, OSError):
    """An overlay, or the folder for them, that cannot be written."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "read",
        help="read the dice in picture files",
        description="Reads the faces and colours of the dice and prints one line for each picture.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "pictures", metavar="PICTURE", nargs="+", type=Path, help="JPEG, PNG, WebP, BMP or TIFF file"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, for scripts")
    parser.add_argument(
        "--profile", type=Path, metavar="FILE", help="JSON file with names for colours, see below"
    )
    parser.add_argument(
        "--sticks", type=Path, metavar="FILE", help="sticks.json of a table that was taught your own sticks"
    )
    parser.add_argument(
        "--coins",
        type=Path,
        metavar="FILE",
        help="coins.json of a table that was shown your coins; reads coins in place of sticks",
    )
    parser.add_argument(
        "--overlay",
        type=Path,
        metavar="DIR",
        help="also write each picture there, with its dice and sticks marked, see below",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """The exit status: 1 if one of the pictures cannot be read."""
    from vision.reading.reader import Reader

    names = profile_colours(args.profile) if args.profile else {}
    overlays = Overlays(args.overlay) if args.overlay else None
    sticks = taught_sticks(args.sticks) if args.sticks else None
    coins = taught_coins(args.coins) if args.coins else None
    reader, failed = Reader(sticks=coins is None), False
    for result in results(reader, args.pictures, names, overlays, sticks, coins):
        failed |= "error" in result
        if args.json:
            print_json(result)
        else:
            print(result_text(result), flush=True)
    return int(failed)


class Overlays:
    """The folder for the overlays of one run, created if it is missing; raises OverlayUnwritable."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._used_names = folder, set[str]()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OverlayUnwritable(
                f"the folder {folder} cannot be made ({error.strerror}); give another with --overlay"
            ) from None

    def write(self, path: Path, reading: Reading) -> None:
        """Writes the overlay of this picture; raises OverlayUnwritable."""
        from vision.picture_files import load
        from vision.reading.overlay import as_png, draw

        shown, target = as_png(draw(load(path).picture, reading)), self._target(path.name)
        try:
            target.unlink(missing_ok=True)  # if it is a link to a photograph, the photograph stays
            target.write_bytes(shown)
        except OSError as error:
            raise OverlayUnwritable(
                f"{target} cannot be written ({error.strerror}); give another folder with --overlay"
            ) from None

    def _target(self, name: str) -> Path:
        """A path for the overlay that is new in this run, also on disks that do not distinguish A and a."""
        names = (name if n == 1 else f"{name}-{n}" for n in count(1))
        free = next(n for n in names if n.casefold() not in self._used_names)
        self._used_names.add(free.casefold())
        return self._folder / f"{free}{OVERLAY}"


def results(
    reader: Reader,
    pictures: list[Path],
    names: Mapping[str, str],
    overlays: Overlays | None = None,
    sticks: EnrolledSticks | None = None,
    coins: EnrolledCoins | None = None,
) -> Iterator[dict[str, Any]]:
    """The JSON object of each picture, one after the other. sticks, coins: sides that a table was taught."""
    from vision.picture_files import read_file
    from vision.reading.enrolled_coins import NO_COINS
    from vision.reading.enrolled_sticks import NOTHING_ENROLLED

    for path in pictures:
        try:
            reading = read_file(reader, path, sticks or NOTHING_ENROLLED, coins or NO_COINS)
            if overlays:
                overlays.write(path, reading)
            yield {"file": str(path), **_with_names(reading, names)}
        except (PictureUnreadable, OverlayUnwritable) as error:
            yield {"file": str(path), "error": str(error)}


def _with_names(reading: Reading, names: Mapping[str, str]) -> dict[str, Any]:
    found = dict(reading.to_json())
    for die in found["dice"]:
        die["colour"] = names.get(die["colour"], die["colour"])
    return found


def taught_sticks(path: Path) -> EnrolledSticks:
    """The sticks that a table was taught; raises SticksUnusable."""
    from vision.reading.enrolled_sticks import EnrolledSticks

    return _taught(path, EnrolledSticks.from_json, "sticks")


def taught_coins(path: Path) -> EnrolledCoins:
    """The coins that a table was shown; raises SticksUnusable."""
    from vision.reading.enrolled_coins import EnrolledCoins

    coins = _taught(path, EnrolledCoins.from_json, "coins")
    if not coins.active:
        raise SticksUnusable(f"the file of coins {path} has only one side; show the table heads and tails")
    return coins


def _taught(path: Path, from_json: Callable[[Any], Known], what: str) -> Known:
    """What a table wrote to this file of sticks or coins; raises SticksUnusable."""
    try:
        return from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SticksUnusable(f"the file of {what} {path} cannot be opened: {error.strerror}") from None
    except ValueError:
        raise SticksUnusable(
            f"the file of {what} {path} is not one that a table wrote; give {what}.json of its data folder"
        ) from None


def profile_colours(path: Path) -> dict[str, str]:
    """The names by colour from a profile.

    Raises ProfileUnusable if the file is missing, is not JSON, has another form, or names an unknown colour.
    """
    from table.common.colours import COLOURS

    try:
        profile = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileUnusable(f"the profile {path} cannot be opened: {error.strerror}") from None
    except ValueError:
        raise ProfileUnusable(f"the profile {path} is not JSON; it must look like {EXAMPLE}") from None
    colours = profile.get("colours") if isinstance(profile, dict) else None
    if not isinstance(colours, dict) or not all(isinstance(name, str) for name in colours.values()):
        raise ProfileUnusable(f'the profile {path} has no "colours"; it must look like {EXAMPLE}')
    if unknown := sorted(set(colours) - set(COLOURS)):
        raise ProfileUnusable(
            f"the profile {path} has the colour {unknown[0]}; use one of {' '.join(COLOURS)}"
        )
    return colours


EXAMPLE = '{"colours": {"green": "MacLeod"}}'


def result_text(result: Mapping[str, Any]) -> str:
    """The line for people: `a.jpg: red 5, white 3?  (? = not sure)`."""
    if "error" in result:
        return f"{result['file']}: {result['error']}"
    seen = [die_text(die) for die in result["dice"]] + [stick_text(stick) for stick in result["sticks"]]
    if not seen:
        return f"{result['file']}: no dice"
    text = ", ".join(seen)
    return f"{result['file']}: {text}" + ("" if result["sure"] else "  (? = not sure)" if "?" in text else "")


def die_text(die: Mapping[str, Any]) -> str:
    return f"{die['colour']} {die['face']}{'' if die['sure'] else '?'}{' (cocked)' if die['cocked'] else ''}"


def stick_text(stick: Mapping[str, Any]) -> str:
    noun = "coin" if stick["face"] in ("heads", "tails") else "stick"
    return f"{stick['face']} {noun}{'' if stick['sure'] else '?'}{' (crossed)' if stick['crossed'] else ''}"
