"""Shot Put: up to four pairs of dice.

Doubles count nothing, and the second doubles is a foul. The best of three attempts counts.
"""

from __future__ import annotations

from functools import partial

from table.games.highland.day import ATTEMPTS, Day, best_of, counted, ordinal
from table.games.highland.sets import Dice, dice_of_a_pair, throw_pair
from table.odds.highland import shot_put as odds
from table.rules import words
from table.rules.prompts import Option

PAIRS = 4
FOUL_DOUBLES = 2


async def shot_put(day: Day, player: str) -> int:
    """The points of the best of three attempts."""
    return await best_of(day, player, "Shot Put", "shot", attempt)


async def attempt(day: Day, player: str, n: int, best: int) -> tuple[int, str]:
    """The points of the nth attempt, and the reason for the sheet. best: the best attempt before it."""
    table = day.table

    def standing() -> odds.Attempt:
        pips, doubles = day.pips.left(player), doubles_in(pairs)
        return odds.Attempt(ATTEMPTS - n, best, pips, shot_score(pairs), len(pairs), doubles, lowered)

    pairs: list[Dice] = []
    lying: Dice = ()
    lowered = False
    while len(pairs) < PAIRS:
        why = f" for Shot Put, attempt {n} of {ATTEMPTS}, {ordinal(len(pairs) + 1)} pair"
        pair = await throw_pair(table, player, why, lying, "shot")
        lying += pair  # a lowered die is not turned: the sheet notes the reduction
        if is_doubles(pair) and not lowered and await _lowers(day, player, standing(), pair):  # H-12
            pair, lowered = lower(pair), True
        pairs.append(pair)
        day.update_so_far("Shot Put", f"attempt {n}", _throws_text(pairs), f"worth {shot_score(pairs)}")
        if doubles_in(pairs) == FOUL_DOUBLES:
            table.rule(f"Doubles for the second time: a foul, {player}'s {ordinal(n)} attempt is 0.")
            break
        if len(pairs) < PAIRS and not await _throws_on(day, player, standing()):
            break
    day.update_so_far("")
    return shot_score(pairs), _reason(pairs, lowered)


async def _lowers(day: Day, player: str, now: odds.Attempt, pair: Dice) -> bool:
    """Whether the player spends a pip to lower one die of this pair.

    Only one pair in an attempt can be lowered, and a 1 cannot be lowered (H-12).
    """
    pips = day.pips.left(player)
    if not pips or pair[0] == 1:
        return False
    fouls = bool(now.doubles)
    spend = Option("spend", f"Spend 1 pip: {_pair(lower(pair))} counts {sum(lower(pair))}")
    leave = Option("leave", "Leave it: a foul" if fouls else "Leave it: it counts nothing")
    again = " again, a foul" if fouls else ""
    text = (
        f"{player}: {_pair(pair)} is doubles{again}; "
        f"spend 1 of {counted(pips)} to lower one die, or leave it?"
    )
    coach = partial(odds.of_lowering, now, sum(lower(pair)))
    if await day.table.choose(player, spend, leave, text=text, coach=coach) == "leave":
        return False
    day.pips.spend(player, 1, f"{_pair(pair)} becomes {_pair(lower(pair))}, and the dice stay as they lie")
    return True


async def _throws_on(day: Day, player: str, now: odds.Attempt) -> bool:
    stop = Option("stop", f"Stop with {now.value}")
    on = Option("throw", f"Throw the {ordinal(now.pairs + 1)} pair", throws=2)
    text = (
        f"{player}: stop with {now.value}, or throw the {ordinal(now.pairs + 1)} pair, "
        f"{dice_of_a_pair(day.table, player)} that you have not used?"
    )
    coach = partial(odds.of_another_pair, now)
    return await day.table.choose(player, stop, on, text=text, coach=coach) == "throw"


def is_doubles(pair: Dice) -> bool:
    return pair[0] == pair[1]


def doubles_in(pairs: list[Dice]) -> int:
    return sum(map(is_doubles, pairs))


def lower(doubles: Dice) -> Dice:
    """The pair with one die lowered by one pip, so that it is no longer doubles."""
    return doubles[0], doubles[1] - 1


def shot_score(pairs: list[Dice]) -> int:
    """The sum of the pairs that are not doubles; 0 if there are two doubles."""
    return 0 if doubles_in(pairs) >= FOUL_DOUBLES else sum(sum(p) for p in pairs if not is_doubles(p))


def _pair(pair: Dice) -> str:
    return f"{pair[0]}-{pair[1]}"


def _throws_text(pairs: list[Dice]) -> str:
    return words.listed(map(_pair, pairs))


def _reason(pairs: list[Dice], lowered: bool) -> str:
    """The pairs as text for the sheet, which also notes a foul and a lowered die."""
    foul = "foul, doubles twice: " if doubles_in(pairs) >= FOUL_DOUBLES else ""
    return f"{foul}{_throws_text(pairs)}{', one die lowered by a pip' if lowered else ''}"
