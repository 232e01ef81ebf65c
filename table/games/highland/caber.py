"""Caber Toss: four dice set 12 o'clock, and the other four toss.

The nearer the toss is to 12 o'clock, the better; the best of three attempts counts.
"""

from __future__ import annotations

from functools import partial

from table.games.highland.day import ATTEMPTS, Day, best_of, counted, ordinal
from table.games.highland.sets import ClanSet, Dice, choose_sets, throw_set
from table.odds.highland import caber as odds
from table.odds.highland import plays
from table.rules.entered_prompts import AskNumber

CLOCK = range(9, 20)
SCORES = {0: 100, 1: 80, 2: 60, 3: 40, 4: 20, 5: 10}
"""Points by the difference between toss and clock. A difference of 6 or more scores nothing (H-14)."""


async def caber_toss(day: Day, player: str) -> int:
    """The points of the best of three attempts."""
    return await best_of(day, player, "Caber Toss", "caber", attempt)


async def attempt(day: Day, player: str, n: int, best: int) -> tuple[int, str]:
    """The points of the nth attempt, and the reason for the sheet. best: the best attempt before it."""
    table = day.table
    now = odds.Attempt(ATTEMPTS - n, best, day.pips.left(player))
    play = plays.CaberToss(now, lambda: day.rules.caber)
    one, other = await choose_sets(
        table, player, f"Caber Toss, attempt {n} of {ATTEMPTS}: which colour sets the clock?"
    )
    dice = await _clock(day, player, one, n, play)
    clock = sum(dice)
    if clock not in CLOCK:
        return 0, f"lost: a clock of {clock} is outside {CLOCK[0]} to {CLOCK[-1]}"
    day.update_so_far("Caber Toss", f"attempt {n}", f"12 o'clock is {clock}")
    why = f" to toss the caber; 12 o'clock is {clock}"
    coach = day.advised(lambda: odds.of_toss(clock, now, day.rules.caber), lambda: play.toss(clock))
    toss = sum(await throw_set(table, player, other, why, dice, "toss", coach))
    pips = await _pips(day, player, clock, toss, play)
    day.update_so_far("")
    return caber_score(abs(clock - toss) - pips), _reason(clock, toss, pips)


async def _clock(day: Day, player: str, four: ClanSet, n: int, play: plays.CaberToss) -> Dice:
    """The dice of the clock.

    A clock outside 9 to 19 is thrown again; with caber_outside=lost it stands and the attempt is lost (H-13).
    """
    table, lost = day.table, day.table.settings["caber_outside"] == "lost"
    again = ""
    while True:
        why = f"{again} to set the clock, attempt {n} of {ATTEMPTS}"
        coach = day.advised(partial(odds.of_clock, CLOCK), partial(play.clock, opens=n == 1 and not again))
        dice = await throw_set(table, player, four, why, purpose="clock", coach=coach)
        if sum(dice) in CLOCK:
            return dice
        outside = f"{sum(dice)} is no 12 o'clock, which is {CLOCK[0]} to {CLOCK[-1]}"
        table.rule(
            f"{outside}: {player}'s {ordinal(n)} attempt is lost."
            if lost
            else f"{outside}: set the clock again."
        )
        if lost:
            return dice
        again = " again"


async def _pips(day: Day, player: str, clock: int, toss: int, play: plays.CaberToss) -> int:
    """The number of pips that the player spends. Each moves the toss one towards the clock (H-15)."""
    apart, have = abs(clock - toss), day.pips.left(player)
    most = min(apart, have)
    if not most:
        return 0
    text = (
        f"{player}: the toss of {toss} is {apart} off {clock} and worth {caber_score(apart)}; "
        f"you have {counted(have)}; how many do you spend to bring it nearer?"
    )
    each = (f"{caber_score(apart - n)} with {counted(n)}" for n in range(1, most + 1))
    day.update_so_far("Caber Toss", f"worth {caber_score(apart)} as it lies", *each)
    coach = day.advised(
        lambda: odds.of_pips(apart, most, play.now, day.rules.caber), lambda: play.pips(apart)
    )
    pips = (await AskNumber(player, text, 0, most, coach=coach)).value
    if pips:
        moved = toss + pips if toss < clock else toss - pips
        day.pips.spend(player, pips, f"the toss of {toss} becomes {moved}")
    return pips


def caber_score(apart: int) -> int:
    """The points of a toss that is `apart` from 12 o'clock."""
    return SCORES.get(apart, 0)


def _reason(clock: int, toss: int, pips: int) -> str:
    spent = f", {counted(pips)} spent" if pips else ""
    return f"clock {clock}, toss {toss}{spent}: {abs(clock - toss) - pips} off"
