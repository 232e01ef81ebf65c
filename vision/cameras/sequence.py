"""A sequence of pictures as a camera: the extracted frames of a recording, at a fixed rate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from table.common.errors import CameraUnavailable, PictureUnreadable
from vision.cameras.picture_folder import ENDINGS
from vision.frames import Frame
from vision.picture_files import load


class PictureSequence:
    """The pictures as frames, 1 / fps s apart. An unreadable picture leaves a gap.

    paths: files in order, or one folder, whose pictures are sorted by the numbers in their names.
    trouble: once the frames have ended, a sentence if pictures were unreadable, else "".
    CameraUnavailable: no pictures.
    """

    def __init__(self, paths: Sequence[Path], fps: float) -> None:
        self.name = f"pictures {paths[0].name}"
        self.trouble = ""
        self._paths = in_order(paths[0]) if len(paths) == 1 else tuple(paths)
        self._fps = fps

    def frames(self) -> Iterator[Frame]:
        unreadable = list[str]()
        for n, path in enumerate(self._paths):
            try:
                picture = load(path).picture
            except PictureUnreadable as error:
                unreadable.append(f"{error}")
                continue
            yield Frame(picture, n / self._fps)
        if unreadable:
            self.trouble = (
                f"{len(unreadable)} of {len(self._paths)} pictures could not be read;"
                f" the first: {unreadable[0]}"
            )

    def close(self) -> None:
        """Does nothing: no file is open."""


def in_order(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder, frame2 before frame10; CameraUnavailable if there are none."""
    pictures = (path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    paths = tuple(sorted(pictures, key=lambda path: _natural_key(path.name)))
    if not paths:
        raise CameraUnavailable(
            f"there are no pictures in {folder}; their names must end in {', '.join(sorted(ENDINGS))}"
        )
    return paths


def _natural_key(name: str) -> tuple[tuple[str, int], ...]:
    """Sort key by the numbers in a name: each run of other characters with the number after it."""
    return tuple((letters, int(digits or -1)) for letters, digits in re.findall(r"(\D*)(\d*)", name))
