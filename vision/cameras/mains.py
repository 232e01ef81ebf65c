"""The mains frequency of this place, with which its lamps flicker: 50 or 60 Hz."""

from __future__ import annotations

import os
from pathlib import Path

ZONES_60_HZ = (
    "America/", "US/", "Canada/", "Mexico/", "Pacific/Honolulu", "Pacific/Guam", "Pacific/Saipan",
    "Asia/Seoul", "Asia/Taipei", "Asia/Manila", "Asia/Riyadh", "Cuba",
    "ROK", "ROC", "EST", "MST", "CST", "PST",
)  # fmt: skip
"""Time zones with mains of 60 Hz, except those below. Tokyo has 50, as Japan has both. IEC World Plugs."""

ZONES_50_HZ = (
    "America/Argentina", "America/Buenos_Aires", "America/Santiago", "America/Punta_Arenas",
    "America/Asuncion", "America/Montevideo", "America/La_Paz", "America/Jamaica", "America/Barbados",
    "America/Cayenne",    "America/Martinique", "America/Guadeloupe", "America/Grenada", "America/Dominica",
    "America/St_Lucia", "America/St_Vincent", "America/Nuuk", "America/Godthab",
)  # fmt: skip

LOCALTIME = Path("/etc/localtime")


def mains_hz(zone: str | None = None) -> int:
    """50 or 60, by this machine's time zone; 50 if it has none. zone: such as Europe/Dublin, for tests."""
    zone = time_zone() if zone is None else zone
    return 60 if zone.startswith(ZONES_60_HZ) and not zone.startswith(ZONES_50_HZ) else 50


def time_zone(localtime: Path = LOCALTIME) -> str:
    """The name of this machine's time zone, such as Europe/Dublin; "" if it has none."""
    named = os.environ.get("TZ", "").lstrip(":")
    if named and not named.startswith("/"):
        return named
    _, _, zone = os.path.realpath(named or localtime).partition("zoneinfo/")
    return zone.removeprefix("posix/").removeprefix("right/")
