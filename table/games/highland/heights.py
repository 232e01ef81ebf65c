"""An event over a bar: Sheaf Toss and Weight for Height.

The player has three attempts at a height, then goes on to the next one. A pair of dice must be higher than
the number of the height. Bonus pips can raise the pair (H-9). If the pair equals the number, the player can
throw the decider.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from table.games.highland import drawn
from table.games.highland.day import ATTEMPTS, Day, counted
from table.games.highland.sets import pair_text, throw_pair
from table.odds.highland import heights as odds
from table.odds.highland import plays
from table.odds.highland.day import DayRules
from table.rules import words
from table.rules.board import Piece
from table.rules.game import Table
from table.rules.prompts import Coach, DiceGroup, Option

NUMBERS = {10: 2, 12: 3, 14: 4, 16: 5, 18: 6, 20: 7, 22: 8, 24: 9, 26: 10, 28: 11, 30: 12, 32: 13, 34: 14}
"""The number that two dice must exceed, by height in feet."""

HEIGHTS = tuple(NUMBERS)


@dataclass(frozen=True)
class Toss:
    """An event over a bar. thing: what is tossed. box: where its height stands on the sheet.

    rules: the rules by which the coach counts pips.
    """

    title: str
    thing: str
    box: str
    rules: Callable[[DayRules], odds.Rules]

    def best_play(self, day: Day) -> plays.Heights:
        return plays.Heights(self.title, partial(self.rules, day.rules))


async def toss_for_height(day: Day, player: str, toss: Toss) -> int:
    """The highest height that this player clears in the whole event, 0 if none (H-24).

    It is written on the sheet.
    """
    _set_dice_aside(day, player, toss)
    _show_bar(day, player, toss)
    start = await _starting_height(day, player, toss)
    cleared: list[int] = []
    ended = ""
    for feet in HEIGHTS[HEIGHTS.index(start) :]:
        ended = await _at_height(day, player, toss, feet, cleared)
        if ended:
            break
        cleared.append(feet)
    best = max(cleared, default=0)
    over = f"{words.listed(cleared)} cleared" if cleared else "nothing cleared"
    day.table.sheet.score(player, best, f"{toss.title}: {over}{ended}", toss.box)
    day.update_so_far("")
    day.show()
    return best


def _show_bar(
    day: Day, player: str, toss: Toss, feet: int | None = None, cleared: Sequence[int] = ()
) -> None:
    """Draws the bar at this height, with the best of every player so far."""
    best = drawn.results(day.table, toss.box) | {player: max(cleared, default=0)}
    day.show(drawn.bar(NUMBERS, best, feet, (Piece(player),)))


def _set_dice_aside(day: Day, player: str, toss: Toss) -> None:
    """Announces before the first pair which die is the bonus die and which is the decider (H-25)."""
    first, second = day.table.colours(player)
    bonus, decider = (f"the {first} one", f"the {second} one") if first else ("one of them", "the other one")
    pips, shows = day.pips.left(player), day.pips.shown(player)
    of = f" of your {pips}" if pips > shows else ""
    shown = f"{bonus} shows {counted(shows)}{of}" if shows else "there are no pips to show"
    day.table.rule(
        f"{toss.title}, {player}: put one die of each colour aside, off the tray; "
        f"{shown}, and {decider} is the decider.",
        task=True,
    )


async def _starting_height(day: Day, player: str, toss: Toss) -> int:
    table, pips, best = day.table, day.pips.left(player), toss.best_play(day)
    table.so_far = day.at_break.pop(player, "")
    options = [
        Option(str(feet), f"{feet} feet, more than {number}", move=drawn.start_at(feet))
        for feet, number in NUMBERS.items()
    ]
    have = counted(pips) if pips else "no pips"
    coach = day.advised(lambda: odds.of_starts(pips, best.rules), lambda: best.start(pips))
    text = f"{player}: {toss.title}, you have {have}: at which height do you start?"
    return int(await table.choose(player, *options, text=text, coach=coach))


async def _at_height(day: Day, player: str, toss: Toss, feet: int, cleared: list[int]) -> str:
    """How the event ends at this height, or "" if the height is cleared.

    The player has up to three attempts.
    """
    table = day.table
    _show_bar(day, player, toss, feet, cleared)
    for attempt in range(1, ATTEMPTS + 1):
        over = f"{cleared[-1]} feet cleared" if cleared else "nothing cleared yet"
        day.update_so_far(
            toss.title,
            over,
            f"now {feet} feet, attempt {attempt} of {ATTEMPTS}",
            f"{counted(day.pips.left(player))} left",
        )
        now = odds.Attempt(
            HEIGHTS.index(feet), max(cleared, default=0), ATTEMPTS + 1 - attempt, day.pips.left(player)
        )
        if not await _throws(day, player, toss, feet, now):  # H-10
            table.rule(f"{player} leaves it at that before {feet} feet.")
            return f", stopped at {feet}"
        why = f" over {feet} feet, attempt {attempt} of {ATTEMPTS}{_unused(attempt)}"
        coach = day.advised(None, partial(toss.best_play(day).thrown, now))
        pair = await throw_pair(table, player, why, (), toss.box, coach, f"{feet} feet")
        if await _goes_over(day, player, toss, feet, sum(pair), now):
            table.rule(f"The {toss.thing} goes over: {player} clears {feet} feet.")
            return ""
        table.rule(_missed(player, feet, attempt))
    return f", out at {feet}"


async def _throws(day: Day, player: str, toss: Toss, feet: int, now: odds.Attempt) -> bool:
    number, attempt, best = NUMBERS[feet], ATTEMPTS + 1 - now.left, toss.best_play(day)
    throw = Option("throw", "Throw", throws=2)
    concede = Option("concede", "Stop here")
    text = (
        f"{player}: {feet} feet, attempt {attempt} of {ATTEMPTS}: throw {pair_text(day.table, player)} "
        f"for more than {number}{_unused(attempt)}, or stop here?"
    )
    coach = day.advised(lambda: odds.of_attempt(now, best.rules), lambda: best.chosen(now))
    return await day.table.choose(player, throw, concede, text=text, coach=coach) == "throw"


def _unused(attempt: int) -> str:
    return ", with dice that you have not used at this height" if attempt > 1 else ""


async def _goes_over(day: Day, player: str, toss: Toss, feet: int, total: int, now: odds.Attempt) -> bool:
    """Whether a pair with this total clears the height.

    It EXCEEDS the number, is EQUAL or is LESS; pips can help the last two.
    """
    price = NUMBERS[feet] + 1 - total
    if price <= 0:
        return True
    if price == 1:
        return await _on_the_bar(day, player, toss, feet, total, now)
    if not _any_roll(day.table) or now.pips < price:
        return False
    spend = Option("spend", f"Spend {counted(price)} and clear it")
    accept = Option("accept", "Take the miss")
    text = (
        f"{player}: {total} is too low for {feet} feet; "
        f"spend {counted(price)} of {now.pips}, or take the miss?"
    )
    coach = _coach_of_pips(day, toss, price, now)
    if await day.table.choose(player, spend, accept, text=text, coach=coach) == "accept":
        return False
    _lift(day, player, total, price)
    return True


def _coach_of_pips(day: Day, toss: Toss, price: int, now: odds.Attempt) -> Coach | None:
    best = toss.best_play(day)
    return day.advised(lambda: odds.of_pips(price, now, best.rules), lambda: best.spent(price, now))


async def _on_the_bar(day: Day, player: str, toss: Toss, feet: int, total: int, now: odds.Attempt) -> bool:
    """Whether a pair equal to the number clears the height.

    The player spends one pip or throws the decider; without pips, only the decider is possible.
    """
    if now.pips:
        spend = Option("spend", "Spend 1 pip and clear it")
        decider = Option("decider", "Throw the decider", throws=1)
        text = (
            f"{player}: {total} equals the number of {feet} feet; "
            f"spend 1 pip of {now.pips}, or throw the decider?"
        )
        coach = _coach_of_pips(day, toss, 1, now)
        if await day.table.choose(player, spend, decider, text=text, coach=coach) == "spend":
            _lift(day, player, total, 1)
            return True
    return await _decider(day, player, toss, feet, now)


def _lift(day: Day, player: str, total: int, pips: int) -> None:
    day.pips.spend(player, pips, f"{total} becomes {total + pips}", on_a_die=True)


async def _decider(day: Day, player: str, toss: Toss, feet: int, now: odds.Attempt) -> bool:
    table, best = day.table, toss.best_play(day)
    colour = table.colours(player)[1]
    decider = f"{colour} decider" if colour else "decider"
    text = f"{player}: the {toss.thing} hits the bar; throw the {decider}: odd goes over."
    throw = await table.throw(
        player,
        (DiceGroup(1, colour),),
        purpose="decider",
        text=text,
        coach=day.advised(odds.of_decider, lambda: best.decider(now)),
        stage=f"{feet} feet",
    )
    (die,) = throw.faces
    if die % 2:
        return True
    table.rule(f"The decider shows {die}, which is even: the {toss.thing} falls below the bar.")
    return False


def _any_roll(table: Table) -> bool:
    """Whether pips can raise any roll, not only one that equals the number (H-9)."""
    return table.settings["height_pips"] == "any"


def _missed(player: str, feet: int, attempt: int) -> str:
    left = ATTEMPTS - attempt
    then = (
        f"{words.number(left)} {'attempt' if left == 1 else 'attempts'} left" if left else f"{player} is out"
    )
    return f"{player} misses {feet} feet: {then}."
