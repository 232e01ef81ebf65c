"""5 Dice: the rows of the coach.

Each row is the worth of the turn after an answer, as best play counts it, so the best answer has the highest
row.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.odds.five_dice_turns import Turn, bust
from table.odds.throws import Dice, keeps
from table.rules import words
from table.rules.prompts import Odds

MAX_KEEPS_SHOWN = 4
"""Number of the best ways to set dice aside that are reported."""

CHOICES = ("stop", "throw_on")


def of_throwing_on(turn: Turn, points: int, dice: int) -> tuple[Odds, ...]:
    """The risk of a throw of these dice, then the worth of each choice with these points, the best first."""
    texts = {"stop": "stop", "throw_on": f"throw {words.dice(dice)}"}
    worths = [(turn.worth_of_choice(points, dice, option), texts[option]) for option in CHOICES]
    risk = Odds(f"nothing scores in {words.dice(dice)}, and the turn is lost", bust(dice, turn.score))
    return (risk, *_rows(turn, points, worths))


def of_the_keeps(turn: Turn, points: int, aside: int, dice: Dice) -> tuple[Odds, ...]:
    """The worth of the turn with each of the best sets of this throw aside, the best first.

    points: of the turn before this throw, in which something scores. aside: number of dice already aside.
    """
    worths = [
        (turn.worth_of_keep(points, aside, kept), f"keep {words.listed(kept)}")
        for kept in keeps(tuple(sorted(dice)))
        if turn.score(kept)
    ]
    return _rows(turn, points, worths)[:MAX_KEEPS_SHOWN]


def _rows(turn: Turn, points: int, worths: Sequence[tuple[float, str]]) -> tuple[Odds, ...]:
    """A row for each answer with its worth, the best first. Only the first says what the worths are."""
    (best, answer), *others = sorted(worths, key=lambda each: -each[0])
    texts = [(best, f"{_measure(turn, points)} if you {answer}")]
    texts += [(worth, f"if you {other}") for worth, other in others]
    return tuple(Odds(text, worth, points=turn.aim.to_pass is None) for worth, text in texts)


def _measure(turn: Turn, points: int) -> str:
    """What the worths are, in words."""
    if turn.aim.to_pass is not None:
        return "the best score is passed"
    least = turn.aim.least
    too_few = f" (less than {least:,} counts as 0)" if points < least else ""
    return f"at the end of the turn, on average{too_few},"
