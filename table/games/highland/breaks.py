"""The two breaks with their bonus pips, and the totals of the morning, the afternoon and the day."""

from __future__ import annotations

from collections.abc import Mapping

from table.games.highland.day import Day, counted, ordinal
from table.rules import words

MAX_PIPS = 5
"""Bonus pips for the 5th place and every lower one."""

POINTS_A_PIP = 5


def first_break(day: Day, points: Mapping[str, int]) -> None:
    """Awards bonus pips by rank in the first three events of the morning."""
    _hold(day, points, 3, "break_1")


def second_break(day: Day, points: Mapping[str, int]) -> None:
    """Awards bonus pips by rank in the first two events of the afternoon alone.

    They add to the pips left (H-11).
    """
    _hold(day, points, 2, "break_2")


def _hold(day: Day, points: Mapping[str, int], events: int, box: str) -> None:
    rank = ranks(points)
    for player, total in points.items():
        day.table.sheet.note(player, total, f"total of {events} events", f"{words.number(events)}_events")
        pips = _pips(day, rank[player])
        day.pips.award(player, pips)
        day.table.sheet.note(player, pips, f"{ordinal(rank[player])} with {total}: {counted(pips)}", box)
        now = f", {day.pips.left(player)} in all" if day.pips.left(player) > pips else ""
        place = f"{ordinal(rank[player])} with {total}"
        day.at_break[player] = f"The break: {place}, {counted(pips)}{now}"
        day.table.rule(f"Break: {player} is {place} and gets {counted(pips)}{now}.")


def ranks(points: Mapping[str, int]) -> dict[str, int]:
    """Each player's rank, 1 for the most points.

    Players who tie share the better rank; the next is skipped (H-16).
    """
    return {player: 1 + sum(other > own for other in points.values()) for player, own in points.items()}


def _pips(day: Day, rank: int) -> int:
    """The pips for a rank.

    A lone player is always first and gets the number in the setting `solo_bonus` (H-17).
    """
    return day.table.number("solo_bonus") if len(day.table.players) == 1 else min(rank, MAX_PIPS)


def morning(day: Day, player: str) -> int:
    """The morning total, also written on the sheet.

    It is the points of the four events plus 5 for each pip; the player keeps the pips (H-18).
    """
    return _session(day, player, day.table.sheet.total(player), "morning")


def afternoon(day: Day, player: str, before: int) -> int:
    """The afternoon total, also written on the sheet.

    It is the points of the four events since the morning total, `before`, plus 5 for each pip left (H-19).
    """
    return _session(day, player, day.table.sheet.total(player) - before, "afternoon")


def _session(day: Day, player: str, events: int, session: str) -> int:
    sheet, pips = day.table.sheet, day.pips.left(player)
    sheet.note(player, events, f"the four events of the {session}", f"{session}_events")
    sheet.score(
        player, POINTS_A_PIP * pips, f"{counted(pips)} left, {POINTS_A_PIP} points each", f"{session}_pips"
    )
    total = events + POINTS_A_PIP * pips
    sheet.note(player, total, f"{session} total", session)
    return total


def final(day: Day, player: str, morning: int, afternoon: int) -> None:
    """Writes the last lines of the sheet, which say once more what the outcome and the totals say."""
    sheet = day.table.sheet
    sheet.note(player, morning, "morning total", "final_morning", told=True)
    sheet.note(player, afternoon, "afternoon total", "final_afternoon", told=True)
    sheet.note(player, morning + afternoon, "final score", "final", told=True)
