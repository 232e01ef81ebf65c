"""Where the race starts: at the holiday that falls on the day of play, or at the next one."""

from __future__ import annotations

from dataclasses import dataclass

from table.rules.game import Setting, SettingValue

FIRST_DAYS = {
    (2, 1): 6,
    (3, 21): 9,
    (5, 1): 12,
    (6, 21): 15,
    (8, 1): 18,
    (9, 21): 21,
    (11, 1): 0,
    (12, 21): 3,
}
"""The sigil of each holiday on the ring, by month and day."""

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
DAYS_OF_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
DAYS = tuple(
    f"{month:02}-{day:02}" for month, days in enumerate(DAYS_OF_MONTHS, 1) for day in range(1, days + 1)
)
SAMHAIN = "11-01"


def start_on(date: str) -> int:
    """The sigil of the holiday on this date, MM-DD, or of the next one.

    After the Winter Solstice comes Oimelc.
    """
    month, day = map(int, date.split("-"))
    coming = [sigil for first, sigil in sorted(FIRST_DAYS.items()) if first >= (month, day)]
    return coming[0] if coming else FIRST_DAYS[min(FIRST_DAYS)]


@dataclass(frozen=True)
class DateSetting(Setting):
    """A day of the year. Every day is a value, so the values are described instead of listed."""

    @property
    def allowed(self) -> str:
        return "a day of the year as MM-DD, such as 02-01"

    def plain(self, value: SettingValue) -> str:
        """'1 November' for 11-01."""
        month, day = map(int, str(value).split("-"))
        return f"{day} {MONTHS[month - 1]}"


DATE = DateSetting(
    "date",
    (SAMHAIN, *(day for day in DAYS if day != SAMHAIN)),
    "the day of play; the race starts at the holiday on that day, or at the next one",
)
