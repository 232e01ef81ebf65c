"""Hammer Throw: four dice, then four more if the player dares.

Two 1s are a foul, and 6s count only if there are at least three.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from table.games.highland.day import ATTEMPTS, Day, ordinal
from table.games.highland.sets import SET, Dice, choose_sets, rerolled, throw_set
from table.odds.highland import hammer as odds
from table.odds.highland import plays
from table.rules import words
from table.rules.game import Table
from table.rules.prompts import Option

REROLLS = 1
FOUL_ONES = 2
SIXES = 3

Points = Callable[[int, int, int], int]
"""The points of a throw, by its number of 1s, its number of 6s and the sum of its other dice."""


async def hammer_throw(day: Day, player: str) -> int:
    """The sum of three attempts, or of fewer if the player is hurt. They are written on the sheet."""
    table = day.table
    points: list[int] = []
    for n in range(1, ATTEMPTS + 1):
        dice = await attempt(day, player, n, sum(points))
        points.append(_write(table, player, n, dice))
        if dice.count(6) >= odds.HURT_SIXES:  # H-8
            _carried_off(table, player, n, dice.count(6))
            break
    table.sheet.note(player, sum(points), f"Hammer Throw: {' + '.join(map(str, points))}", "hammer")
    return sum(points)


async def attempt(day: Day, player: str, n: int, scored: int) -> Dice:
    """The four or eight final dice of an attempt. scored: the points of the attempts before it."""
    table = day.table
    worth_points = points_for(table)
    best = plays.Hammer(scored, ATTEMPTS - n, worth_points)
    one, other = await choose_sets(
        table, player, f"Hammer Throw, attempt {n} of {ATTEMPTS}: which colour do you throw first?"
    )
    coach = day.advised(None, lambda: best.first().first(REROLLS, best.before, opens=n == 1))
    thrown = await throw_set(
        table, player, one, f" for Hammer Throw, attempt {n} of {ATTEMPTS}", (), "first colour", coach
    )
    dice = await rerolled(
        table, player, one, thrown, REROLLS, partial(_worth, worth_points, ()),
        lambda now, _: odds.of_first_keeps(now, best.worth), purpose="first colour",
        best_play=best.first() if day.rules.alone else None,
    )  # fmt: skip
    if not await _throws_on(day, player, other.name, dice, best):
        day.update_so_far("")
        return dice
    second = best.second(dice)
    coach = day.advised(None, lambda: second.first(REROLLS, partial(best.before_second, dice)))
    thrown = await throw_set(table, player, other, "", dice, "second colour", coach)
    last = await rerolled(
        table, player, other, thrown, REROLLS, partial(_worth, worth_points, dice),
        lambda now, _: odds.of_second_keeps(dice, now, best.worth), beside=dice, purpose="second colour",
        best_play=second if day.rules.alone else None,
    )  # fmt: skip
    day.update_so_far("")
    return dice + last


async def _throws_on(day: Day, player: str, other: str, dice: Dice, best: plays.Hammer) -> bool:
    """Whether the player throws the second colour too. Scoring now follows the same rules (H-6)."""
    value = hammer_score(dice, points_for(day.table))
    score = Option("score", f"Score {value} now")
    on = Option("throw", f"Throw {other}", throws=SET)
    coach = day.advised(lambda: odds.of_throwing_on(dice, best.worth), lambda: best.chosen(dice))
    return await day.table.choose(player, score, on, coach=coach) == "throw"


def _write(table: Table, player: str, n: int, dice: Dice) -> int:
    points = hammer_score(dice, points_for(table))
    reason = hammer_reason(dice, points_for(table))
    if dice.count(1) >= FOUL_ONES:
        table.rule(
            f"{words.number(dice.count(1)).capitalize()} 1s: a foul, {player}'s {ordinal(n)} attempt is 0."
        )
    table.sheet.score(player, points, reason, f"hammer_{n}")
    return points


def _carried_off(table: Table, player: str, n: int, sixes: int) -> None:
    """Writes 0 for the attempts that are left. The attempt itself is already scored (H-8)."""
    table.rule(
        f"{words.number(sixes).capitalize()} 6s: {player} is hurt and cannot throw the hammer again; "
        "medical attention is needed."
    )
    for lost in range(n + 1, ATTEMPTS + 1):
        table.sheet.score(player, 0, f"lost: hurt in the {ordinal(n)} attempt", f"hammer_{lost}")


def points_for(table: Table) -> Points:
    return all_sixes_dropped if table.settings["hammer_excess"] == "drop_all" else excess_dropped


def hammer_score(dice: Dice, points: Points) -> int:
    """The points of four or eight final dice.

    The rulebook's example is 1, 2, three 5s and three 6s, which gives 35 (H-2).
    """
    return points(dice.count(1), dice.count(6), sum(face for face in dice if face not in (1, 6)))


def excess_dropped(ones: int, sixes: int, rest: int) -> int:
    """The points if only surplus 6s are dropped. Three 6s or more count 18, fewer count nothing (H-7)."""
    return 0 if ones >= FOUL_ONES else rest + (6 * SIXES if sixes >= SIXES else 0)


def all_sixes_dropped(ones: int, sixes: int, rest: int) -> int:
    """The points by the other reading of H-7: 6s count only if there are exactly three."""
    return excess_dropped(ones, sixes if sixes == SIXES else 0, rest)


def hammer_reason(dice: Dice, points: Points) -> str:
    text = words.listed(sorted(dice))
    if dice.count(1) >= FOUL_ONES:
        return f"foul: {words.number(dice.count(1))} 1s in {text}"
    sixes = dice.count(6)
    if not sixes:
        return text
    counted = hammer_score(dice, points) - sum(face for face in dice if face not in (1, 6))
    idle = "6s do not count" if sixes > 1 else "6 does not count"
    return f"{text}: three 6s count {counted}" if counted else f"{text}: the {idle}"


def _worth(points: Points, first: Dice, dice: Dice) -> str:
    """The value of the dice as text, such as '1, 4, 5, 6 are worth 9'.

    With the dice of the first colour it is '2, 3, 5, 6, after 1, 2, 5, 6, are worth 35'.
    """
    ones = (first + dice).count(1)
    value = (
        f"make {words.number(ones)} 1s, a foul"
        if ones >= FOUL_ONES
        else f"are worth {hammer_score(first + dice, points)}"
    )
    after = f", after {', '.join(map(str, first))}," if first else ""
    return f"{', '.join(map(str, dice))}{after} {value}"
