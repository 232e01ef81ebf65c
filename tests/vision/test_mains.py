"""The mains frequency of a time zone."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.cameras.mains import mains_hz, time_zone


@pytest.mark.parametrize(
    ("zone", "hz"),
    [
        ("Europe/Dublin", 50),
        ("America/New_York", 60),
        ("America/Argentina/Salta", 50),
        ("Asia/Seoul", 60),
        ("", 50),
    ],
)
def test_the_mains_frequency_follows_from_the_time_zone(zone: str, hz: int) -> None:
    assert mains_hz(zone) == hz


def test_the_time_zone_is_read_from_the_localtime_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TZ", raising=False)
    zone = tmp_path / "zoneinfo" / "America" / "Lima"
    zone.parent.mkdir(parents=True)
    zone.write_bytes(b"TZif")
    (tmp_path / "localtime").symlink_to(zone)
    assert time_zone(tmp_path / "localtime") == "America/Lima"
    monkeypatch.setenv("TZ", ":Europe/Rome")
    assert time_zone(tmp_path / "localtime") == "Europe/Rome"
