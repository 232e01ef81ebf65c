"""How fast the lamps of this place flicker: 50 Hz of mains, or 60."""

from __future__ import annotations

import os
from pathlib import Path

AT_60_HZ = (
    "America/", "US/", "Canada/", "Mexico/", "Pacific/Honolulu", "Pacific/Guam", "Pacific/Saipan", "Asia/Seoul", "Asia/Taipei",
    "Asia/Manila", "Asia/Riyadh", "Cuba", "ROK", "ROC", "EST", "MST", "CST", "PST",
)  # fmt: skip
"""Time zones whose mains have 60 Hz, but for those below. Japan has both; Tokyo has 50. Source: IEC World Plugs."""

AT_50_HZ = (
    "America/Argentina", "America/Buenos_Aires", "America/Santiago", "America/Punta_Arenas", "America/Asuncion", "America/Montevideo",
    "America/La_Paz", "America/Jamaica", "America/Barbados", "America/Cayenne", "America/Martinique", "America/Guadeloupe",
    "America/Grenada", "America/Dominica", "America/St_Lucia", "America/St_Vincent", "America/Nuuk", "America/Godthab",
)  # fmt: skip

LOCALTIME = Path("/etc/localtime")


def mains_hz(zone: str | None = None) -> int:
    """50 or 60, by the time zone that is set here; 50 where none is. zone: such as Europe/Dublin, for tests."""
    zone = time_zone() if zone is None else zone
    return 60 if zone.startswith(AT_60_HZ) and not zone.startswith(AT_50_HZ) else 50


def time_zone(localtime: Path = LOCALTIME) -> str:
    """The name of the time zone that is set here, such as Europe/Dublin; "" where there is none."""
    named = os.environ.get("TZ", "").lstrip(":")
    if named and not named.startswith("/"):
        return named
    _, _, zone = os.path.realpath(named or localtime).partition("zoneinfo/")
    return zone.removeprefix("posix/").removeprefix("right/")
