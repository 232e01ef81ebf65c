"""Sequences of JPEG pictures can be read after they are written, also from a truncated file."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames import Picture
from vision.motion_jpeg import decoded, encoded, pictures_in, stamped

TIMES = (0.0, 0.033333, 12.5, 86_400.25)


def tray(n: int) -> Picture:
    picture = np.full((48, 64, 3), (60, 110, 60), np.uint8)
    cv2.rectangle(picture, (10 * n, 10), (10 * n + 12, 22), (230, 230, 230), -1)
    return picture


def file_content() -> bytes:
    return b"".join(stamped(encoded(tray(n), 90), at_s) for n, at_s in enumerate(TIMES))


def test_pictures_are_read_with_their_times() -> None:
    found = list(pictures_in(io.BytesIO(file_content())))
    assert [at_s for at_s, _ in found] == list(TIMES)
    for n, (_, jpeg) in enumerate(found):
        assert float(np.abs(decoded(jpeg).astype(int) - tray(n)).mean()) < 3


def test_a_truncated_file_loses_only_its_last_picture() -> None:
    whole = file_content()
    first_length = len(stamped(encoded(tray(0), 90), 0.0))
    for cut in range(first_length, len(whole), 97):
        found = list(pictures_in(io.BytesIO(whole[:cut])))
        assert 1 <= len(found) < len(TIMES)
        assert [at_s for at_s, _ in found] == list(TIMES[: len(found)])


@pytest.mark.parametrize("other_bytes", [b"", b"\xff\xd8\xff\xe0 a photograph", b"\0" * 100])
def test_a_file_of_another_format_has_no_pictures(other_bytes: bytes) -> None:
    assert list(pictures_in(io.BytesIO(other_bytes))) == []
    assert len(list(pictures_in(io.BytesIO(file_content() + other_bytes)))) == len(TIMES)


def test_other_programs_play_it(tmp_path: Path) -> None:
    path = tmp_path / "a.mjpeg"
    path.write_bytes(file_content())
    capture = cv2.VideoCapture(str(path))
    shown = 0
    while capture.read()[0]:
        shown += 1
    assert shown == len(TIMES)


def test_bytes_that_are_no_jpeg_are_refused() -> None:
    with pytest.raises(ValueError, match="4 bytes are no JPEG"):
        decoded(b"none")
