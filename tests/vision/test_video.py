"""Video files as cameras: times, damage and the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import CameraUnavailable
from tests.vision.fake_devices import written_clip
from vision.cameras import open_camera
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.video import MAX_GAP_S, Times, VideoFile
from vision.frames import SkipsFrames


def test_every_frame_of_a_video_has_the_time_of_the_file(tmp_path: Path) -> None:
    frames = list(VideoFile(written_clip(tmp_path), speed=None).frames())
    assert [f.at_s for f in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert [round(float(f.picture[..., 0].mean()) / 40) for f in frames] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("stamps", "times"),
    [
        ([0, 0.1, 0.2], [0, 0.1, 0.2]),
        ([5, 5.1, 5.2], [0, 0.1, 0.2]),
        ([0, 0.1, 4.1, 4.2], [0, 0.1, 4.1, 4.2]),
        ([0, 0, 0, 0], [0, 0.04, 0.08, 0.12]),
        ([0, 0.1, 0.1, 0.3], [0, 0.1, 0.14, 0.34]),
        ([0, 0.1, -1, -0.9], [0, 0.1, 0.14, 0.24]),
        ([0, 0.1, MAX_GAP_S + 1, MAX_GAP_S + 1.1], [0, 0.1, 0.14, 0.24]),
    ],
    ids=["even", "late start", "pause", "missing", "repeated", "backwards", "leap"],
)
def test_a_broken_timestamp_changes_no_other_interval(stamps: list[float], times: list[float]) -> None:
    clock = Times(0.04)
    assert [clock.next_s(stamp) for stamp in stamps] == pytest.approx(times)


def test_a_video_can_be_closed_before_and_after_its_end(tmp_path: Path) -> None:
    video = VideoFile(written_clip(tmp_path), speed=None)
    frames = video.frames()
    next(frames)
    video.close()
    assert list(frames) == []
    video.close()


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.mp4").write_text("not a video")
    with pytest.raises(CameraUnavailable, match=r"notes\.mp4 cannot be opened"):
        VideoFile(tmp_path / "notes.mp4")


def test_a_recording_skips_no_frames(tmp_path: Path) -> None:
    """Every frame is processed. A capture loop that skipped time between them would fall behind."""
    assert not isinstance(open_camera(f"video:{written_clip(tmp_path)}"), SkipsFrames)
    assert isinstance(SimulatedCamera(), SkipsFrames)
