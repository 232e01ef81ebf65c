"""How long the games take, for people who choose one."""

from __future__ import annotations

from collections.abc import Mapping

MINUTES: Mapping[str, tuple[int, int]] = {
    "bricrius_bluff": (30, 40),
    "cee_lo": (1, 3),
    "chuck_a_luck": (1, 1),
    "down_the_danube": (55, 55),
    "drop_dead": (1, 5),
    "five_dice": (25, 50),
    "high_rollin": (45, 90),
    "highland": (15, 35),
    "ho_han": (1, 1),
    "hot_score": (15, 15),
    "liars_dice": (5, 25),
    "mia": (5, 10),
    "midnight": (2, 5),
    "pig": (15, 25),
    "ship_captain_crew": (1, 3),
    "sigily": (20, 70),
    "zambales_pair_o_dice": (1, 2),
}
"""The usual minutes of one match, the shorter and the longer of the fewest players and of four.

Bricriu's Bluff: from its rulebook. The others: as `python -m tests.games.lengths` measures them, to the
nearest five minutes above five. Its players choose at random where the coach does not know best play, and the
seconds of a throw and of an answer are estimates.
"""
