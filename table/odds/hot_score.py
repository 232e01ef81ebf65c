"""Hot Score: the sum of two dice, the effect of the bonus die, and the winner of a challenge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from table.odds.throws import Dice, throws
from table.rules.answers import FACES
from table.rules.prompts import Odds

Worth = Callable[[Dice], tuple[int, ...]]
"""Value of a throw in a challenge. The higher value wins."""

WIN, CHALLENGE, LOSE = "wins the round", "brings a challenge", "loses the round"
"""Results of a round for the player who ends it, best first."""


def of_two_dice(brackets: Sequence[str], bracket: Callable[[int], str]) -> tuple[Odds, ...]:
    """The chance that two dice fall in each of the brackets. bracket: the bracket of a sum."""
    chances = dict.fromkeys(brackets, Fraction(0))
    for dice, chance in throws(2):
        chances[bracket(sum(dice))] += chance
    return tuple(Odds(f"{name} with two dice", chance) for name, chance in chances.items())


def of_bonus(ends: Callable[[int], Sequence[str]], hot: str) -> tuple[Odds, ...]:
    """The chance that the bonus die makes `hot`. ends: the brackets that its face lets the player choose."""
    return (
        Odds(f"the bonus die makes {hot}", Fraction(sum(hot in ends(face) for face in FACES), len(FACES))),
    )


def of_answer(stuck: str, ends: Callable[[int], Sequence[str]]) -> tuple[Odds, ...]:
    """The result if the second player sticks, and the chances with the bonus die.

    ends: the results that its face allows; the player chooses the best.
    """
    best = Counter(min(ends(face), key=(WIN, CHALLENGE, LOSE).index) for face in FACES)
    chances = [Odds(f"the bonus die {end}", Fraction(best[end], len(FACES))) for end in (WIN, CHALLENGE)]
    return (Odds(f"sticking {stuck}", Fraction(1)), *chances)


def of_challenge(worth: Worth, against: Dice | None = None) -> tuple[Odds, ...]:
    """The chances of a win and of a draw with the next three dice. against: the other's throw, if made."""
    own = _worths(worth)
    others = _worths(worth) if against is None else {worth(against): Fraction(1)}
    win = sum((p * q for mine, p in own.items() for other, q in others.items() if mine > other), Fraction(0))
    draw = sum((p * others.get(mine, Fraction(0)) for mine, p in own.items()), Fraction(0))
    return (
        Odds("these three dice win the challenge", win),
        Odds("they are equal, and the stake goes up", draw),
    )


def _worths(worth: Worth) -> dict[tuple[int, ...], Fraction]:
    chances: dict[tuple[int, ...], Fraction] = {}
    for dice, chance in throws(3):
        chances[worth(dice)] = chances.get(worth(dice), Fraction(0)) + chance
    return chances
