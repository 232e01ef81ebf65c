"""Haggis Hurl: a run-up of three dice in a row, a burst point, and four dice hurled.

Dice that show the burst point are struck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from table.games.highland.day import ATTEMPTS, Day, ordinal
from table.games.highland.sets import Dice, groups_left, throw_all
from table.odds.highland import haggis as odds
from table.odds.highland import plays
from table.rules import words
from table.rules.answers import Die
from table.rules.prompts import DiceGroup, Option

STRAIGHTS = ((1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6))
HURL = 4


async def haggis_hurl(day: Day, player: str) -> int:
    """The sum of three attempts, written on the sheet."""
    points = [await attempt(day, player, n) for n in range(1, ATTEMPTS + 1)]
    day.table.sheet.note(player, sum(points), f"Haggis Hurl: {' + '.join(map(str, points))}", "haggis")
    return sum(points)


async def attempt(day: Day, player: str, n: int) -> int:
    table = day.table
    coach = day.advised(odds.of_run_up, lambda: plays.haggis_run_up(straights_in, haggis_score))
    why = f" for Haggis Hurl, attempt {n} of {ATTEMPTS}"
    thrown = await throw_all(table, player, why, "run-up", coach)
    dice = thrown.faces
    found = straights_in(dice)
    if not found:
        faces = words.listed(sorted(dice))
        table.rule(f"No three in a row in {faces}: a foul, {player}'s {ordinal(n)} attempt is lost.")
        table.sheet.score(player, 0, f"foul: no three in a row in {faces}", f"haggis_{n}")
        return 0
    run_up = await _run_up(day, player, found)
    day.update_so_far("Haggis Hurl", f"run-up {_in_a_row(run_up)}")
    aside = [{die.colour for die in thrown.dice if die.face == face} for face in run_up]
    burst_die = await _burst(day, player, run_up)
    burst, hurled = burst_die.face, groups_left(table, player, [*aside, {burst_die.colour}])
    hurl = await _hurl(day, player, run_up, burst, hurled)
    points = haggis_score(run_up, hurl, burst)
    table.sheet.score(player, points, _reason(run_up, hurl, burst), f"haggis_{n}")
    day.update_so_far("")
    return points


async def _run_up(day: Day, player: str, found: tuple[Dice, ...]) -> Dice:
    """The three in a row that are set aside.

    A straight that is there must be taken; if there are several, the player chooses.
    """
    if len(found) == 1:
        return found[0]
    options = {_in_a_row(s): s for s in found}
    coach = day.advised(
        partial(odds.of_straights, found, haggis_score), lambda: plays.haggis_straight(options, haggis_score)
    )
    chosen = await day.table.choose(
        player,
        *(Option(name, name) for name in options),
        text=f"{player}: which three in a row do you set aside as your run-up?",
        coach=coach,
    )
    return options[chosen]


async def _burst(day: Day, player: str, run_up: Dice) -> Die:
    """Whichever of the other five dice is thrown.

    Dice that show it are struck later, and this die itself never scores (H-4).
    """
    text = (
        f"{player}: set {words.listed(run_up)} aside, "
        "and throw one of the other five dice for the burst point."
    )
    colours = tuple(c for c in day.table.colours(player) if c)
    groups = (DiceGroup(1, either=colours),)
    coach = day.advised(None, lambda: plays.haggis_burst(run_up, haggis_score))
    (die,) = (await day.table.throw(player, groups, run_up, purpose="burst", text=text, coach=coach)).dice
    return die


async def _hurl(day: Day, player: str, run_up: Dice, burst: int, groups: Sequence[DiceGroup]) -> Dice:
    """The last four dice, in these groups. They may be thrown once more, all four together (H-5)."""
    table, beside = day.table, (*run_up, burst)
    text = f"{player}: leave the burst point {burst} aside, and hurl the last four dice."
    advice = day.advised(None, lambda: plays.haggis_hurl(run_up, burst, haggis_score))
    hurl = (await table.throw(player, groups, beside, purpose="hurl", text=text, coach=advice)).faces
    worth = haggis_score(run_up, hurl, burst)
    day.update_so_far(
        "Haggis Hurl",
        f"run-up {_in_a_row(run_up)}",
        f"burst point {burst}",
        f"hurl {words.listed(hurl)}",
        f"worth {worth}",
    )
    keep = Option("keep", f"Keep it: {words.points(worth)}")
    again = Option("again", "Hurl all four again", throws=HURL)
    coach = day.advised(
        partial(odds.of_hurl, run_up, hurl, burst, haggis_score),
        lambda: plays.haggis_choice(run_up, hurl, burst, haggis_score),
    )
    text = f"{player}: this hurl makes {words.points(worth)}; keep it, or hurl all four again?"
    if await table.choose(player, keep, again, text=text, coach=coach) == "keep":
        return hurl
    text = f"{player}: hurl the four dice again; this throw stands."
    advice = day.advised(None, lambda: plays.haggis_second_hurl(run_up, burst, haggis_score))
    return (await table.throw(player, groups, beside, purpose="second hurl", text=text, coach=advice)).faces


def straights_in(dice: Dice) -> tuple[Dice, ...]:
    """Every three in a row among these dice, the lowest first."""
    return tuple(s for s in STRAIGHTS if set(s) <= set(dice))


def haggis_score(run_up: Dice, hurl: Dice, burst: int) -> int:
    """The sum of run-up and hurl without dice that show the burst point.

    The rulebook's example gives 24 (H-1).
    """
    return sum(face for face in (*run_up, *hurl) if face != burst)


def _in_a_row(straight: Dice) -> str:
    return words.hyphenated(straight)


def _reason(run_up: Dice, hurl: Dice, burst: int) -> str:
    struck = Counter((*run_up, *hurl))[burst]
    without = (
        f"without {words.number(struck)} {burst}{'s' * (struck > 1)}" if struck else f"no {burst} to strike"
    )
    return f"run-up {_in_a_row(run_up)}, hurl {words.listed(hurl)}, burst point {burst}: {without}"
