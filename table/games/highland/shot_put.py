"""Shot Put: up to four pairs of dice.

Doubles count nothing, and the second doubles is a foul. The best of three attempts counts.
"""

from __future__ import annotations

from table.games.highland.day import ATTEMPTS, Day, best_of, counted, ordinal
from table.games.highland.sets import Dice, dice_of_a_pair, throw_pair
from table.odds.highland import plays
from table.odds.highland import shot_put as odds
from table.rules import words
from table.rules.prompts import Coach, Option

PAIRS = 4
FOUL_DOUBLES = 2


async def shot_put(day: Day, player: str) -> int:
    """The points of the best of three attempts."""
    return await best_of(day, player, "Shot Put", "shot", attempt)


async def attempt(day: Day, player: str, n: int, best: int) -> tuple[int, str]:
    """The points of the nth attempt, and the reason for the sheet. best: the best attempt before it."""
    table = day.table

    def standing() -> plays.ShotPut:
        pips, doubles = day.pips.left(player), doubles_in(pairs)
        state = odds.Attempt(ATTEMPTS - n, best, pips, shot_score(pairs), len(pairs), doubles, lowered)
        return plays.ShotPut(state, lambda: day.rules.shot_put)

    pairs: list[Dice] = []
    lying: Dice = ()
    lowered = False
    while len(pairs) < PAIRS:
        why = f" for Shot Put, attempt {n} of {ATTEMPTS}, {ordinal(len(pairs) + 1)} pair"
        pair = await throw_pair(table, player, why, lying, "shot", _coach_of_pair(day, standing(), n))
        lying += pair  # a lowered die is not turned: the sheet notes the reduction
        if is_doubles(pair) and not lowered and await _lowers(day, player, standing(), pair):  # H-12
            pair, lowered = lower(pair), True
        pairs.append(pair)
        warning = ("doubles count nothing, and again they are a foul",) if doubles_in(pairs) else ()
        worth = f"worth {shot_score(pairs)}"
        day.update_so_far("Shot Put", f"attempt {n}", _throws_text(pairs), worth, *warning)
        if doubles_in(pairs) == FOUL_DOUBLES:
            table.rule(f"Doubles for the second time: a foul, {player}'s {ordinal(n)} attempt is 0.")
            break
        if len(pairs) < PAIRS and not await _throws_on(day, player, standing()):
            break
    day.update_so_far("")
    return shot_score(pairs), _reason(pairs, lowered)


def _coach_of_pair(day: Day, now: plays.ShotPut, n: int) -> Coach | None:
    return day.advised(None, lambda: now.thrown(opens=n == 1 and not now.state.pairs))


async def _lowers(day: Day, player: str, now: plays.ShotPut, pair: Dice) -> bool:
    """Whether the player spends a pip to lower one die of this pair.

    Only one pair in an attempt can be lowered, and a 1 cannot be lowered (H-12).
    """
    pips = day.pips.left(player)
    if not pips or pair[0] == 1:
        return False
    fouls = bool(now.state.doubles)
    spend = Option("spend", f"Spend 1 pip: {_pair(lower(pair))} counts {sum(lower(pair))}")
    leave = Option("leave", "Leave it: a foul" if fouls else "Leave it: it counts nothing")
    again = " again, a foul" if fouls else ""
    text = (
        f"{player}: {_pair(pair)} is doubles{again}; "
        f"spend 1 of {counted(pips)} to lower one die, or leave it?"
    )
    points = sum(lower(pair))
    coach = day.advised(lambda: odds.of_lowering(now.now, points), lambda: now.lowered(points))
    if await day.table.choose(player, spend, leave, text=text, coach=coach) == "leave":
        return False
    day.pips.spend(player, 1, f"{_pair(pair)} becomes {_pair(lower(pair))}, and the dice stay as they lie")
    return True


async def _throws_on(day: Day, player: str, now: plays.ShotPut) -> bool:
    value, nth = now.state.value, ordinal(now.state.pairs + 1)
    stop = Option("stop", f"Stop with {value}")
    on = Option("throw", f"Throw the {nth} pair", throws=2)
    text = (
        f"{player}: stop with {value}, or throw the {nth} pair, "
        f"{dice_of_a_pair(day.table, player)} that you have not used?"
    )
    coach = day.advised(lambda: odds.of_another_pair(now.now), now.chosen)
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
