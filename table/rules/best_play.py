"""What best play is worth at a prompt and after each answer, for the coach.

Best play has an aim, such as the chance to win or the points of a turn. The difference between the worth of
the best answer and that of another answer is what the other one costs. The difference between the worth after
a throw and before it is luck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from table.rules.answers import Answer, Chosen, Kept, Number, Throw

if TYPE_CHECKING:
    from table.rules.prompts import Coach, Odds, Prompt

Worth = Fraction | float | int
"""A chance (0 to 1), or a mean number of points."""

After = Callable[[Answer], Worth]
"""The worth after an answer."""


@dataclass(frozen=True)
class BestPlay:
    """The worth of a prompt for its player, who plays best from here on.

    aim: what best play is best for, in words. points: whether the worth is points; otherwise it is a chance.
    after: the worth after each allowed answer.
    before: the worth before the answer; None for a choice, where it is the worth after the best answer.
    opens: whether the first prompt of a turn, an event or a game. What best play is worth there is expected
    before any luck and any choice.
    against: the other player, if what the player wins, the other one loses. Both have the same aim, and the
    game is one account for both.
    """

    aim: str
    after: After
    before: Callable[[], Worth] | None = None
    points: bool = False
    opens: bool = False
    against: str = ""


@dataclass(frozen=True)
class Advice:
    """A coach that knows best play besides the odds. It is called like a coach that knows only the odds."""

    odds: Callable[[], Iterable[Odds]]
    best_play: BestPlay

    def __call__(self) -> Iterable[Odds]:
        return self.odds()


Played = tuple["Prompt", Answer]
"""A prompt and the answer that it got."""


def after_throw(worth: Callable[[tuple[int, ...]], Worth]) -> After:
    """The worth after a throw. worth: by its faces."""

    def after(answer: Answer) -> Worth:
        assert isinstance(answer, Throw)
        return worth(answer.faces)

    return after


def after_choice(worth: Callable[[str], Worth]) -> After:
    """The worth after a choice. worth: by the id of the option."""

    def after(answer: Answer) -> Worth:
        assert isinstance(answer, Chosen)
        return worth(answer.option)

    return after


def after_keep(worth: Callable[[tuple[int, ...]], Worth]) -> After:
    """The worth after dice are kept. worth: by their faces."""

    def after(answer: Answer) -> Worth:
        assert isinstance(answer, Kept)
        return worth(answer.faces)

    return after


def after_number(worth: Callable[[int], Worth]) -> After:
    """The worth after a number."""

    def after(answer: Answer) -> Worth:
        assert isinstance(answer, Number)
        return worth(answer.value)

    return after


def advised(odds: Callable[[], Iterable[Odds]] | None, best_play: BestPlay | None) -> Coach | None:
    """A coach with these odds and this best play, if there are any."""
    return odds if best_play is None else Advice(odds or no_odds, best_play)


def no_odds() -> tuple[Odds, ...]:
    """The odds of a coach that knows only best play."""
    return ()
