"""Folders of pictures as cameras."""

from __future__ import annotations

import logging
from pathlib import Path

import cv2
import pytest

from table.common.errors import CameraUnavailable
from tests.vision.fake_devices import BLUE, RED, plain
from vision.cameras.picture_folder import PictureFolder


def test_pictures_are_repeated_in_the_order_of_their_names(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "b.png"), plain(RED))
    cv2.imwrite(str(tmp_path / "a.PNG"), plain(BLUE))
    frames = list(PictureFolder(tmp_path, speed=None, hold_s=0.3, fps=10).frames())
    assert [tuple(f.picture[0, 0]) for f in frames] == [BLUE] * 3 + [RED] * 3
    assert [f.at_s for f in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])


def test_unreadable_pictures_are_skipped_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8 no")
    (tmp_path / "empty.jpg").touch()
    cv2.imwrite(str(tmp_path / "good.png"), plain())
    with caplog.at_level(logging.WARNING):
        frames = list(PictureFolder(tmp_path, speed=None, hold_s=0.1, fps=10).frames())
    assert len(frames) == 1
    assert "broken.jpg" in caplog.text
    assert "empty.jpg" in caplog.text


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraUnavailable, match="no pictures"):
        PictureFolder(tmp_path)
