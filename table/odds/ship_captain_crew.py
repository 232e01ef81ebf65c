"""Ship, Captain, Crew: the chance of a full crew in time, the mean cargo, and best play.

Two players play for the win: the first one against the best answer to each cargo, and after a tie both play
on. Of more players, the last one plays for the win and the others for the cargo itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

from table.odds import winning
from table.odds.throws import Dice, throws
from table.odds.winning import Worths
from table.rules import best_play
from table.rules.best_play import BestPlay
from table.rules.prompts import Odds

Board = Callable[[Sequence[int], Sequence[int]], tuple[Dice, Dice]]
"""The game's own boarding rule: (crew set aside, dice thrown) to (crew, the other dice)."""

DICE = 5
CREW = 3
THROWS = 3


def of_the_crew(left: int, aside: Dice, board: Board) -> tuple[Odds, ...]:
    """The odds of a turn with this many throws left and this crew aboard.

    The mean cargo assumes that the cargo is thrown again while that pays.
    """
    home = Odds("brought home, on average", brought_home(left, aside, board), points=True)
    return (
        (home,)
        if len(aside) == CREW
        else (Odds("a full crew in the throws left", crew_within(left, aside, board)), home)
    )


def of_the_cargo(cargo: int, left: int) -> tuple[Odds, ...]:
    """The odds of throwing a cargo again with this many throws left."""
    higher = sum((p for dice, p in throws(DICE - CREW) if sum(dice) > cargo), Fraction(0))
    return (
        Odds("a higher cargo with the next throw", higher),
        Odds("cargo by throwing again, on average", cargo_of(left), points=True),
    )


@cache
def crew_within(left: int, aside: Dice, board: Board) -> Fraction:
    """Chance of a full crew in this many throws."""
    if len(aside) == CREW:
        return Fraction(1)
    if not left:
        return Fraction(0)
    return sum(
        (p * crew_within(left - 1, board(aside, dice)[0], board) for dice, p in throws(DICE - len(aside))),
        Fraction(0),
    )


def brought_home(left: int, aside: Dice, board: Board) -> Fraction:
    """Mean cargo of a turn with this many throws left, if the cargo is thrown again while that pays.

    The cargo is 0 without a full crew.
    """
    return before_throw(left, aside, board, CARGO) if left else Fraction(0)


def cargo_of(left: int) -> Fraction:
    """Mean cargo of throwing both dice, and again while throws are left and it pays; 0 with no throw left."""
    return before_throw(left, (6, 5, 4), all_cargo, CARGO) if left else Fraction(0)


def all_cargo(crew: Sequence[int], dice: Sequence[int]) -> tuple[Dice, Dice]:
    """The boarding rule for a full crew: all dice are cargo."""
    return tuple(crew), tuple(dice)


# -- best play -----------------------------------------------------------------------------------------------

MOST_CARGO = 12
CARGO = winning.points(MOST_CARGO)


@cache
def before_throw(left: int, aside: Dice, board: Board, worths: Worths) -> Fraction:
    """The worth of best play before a throw, with this many throws left, this one included."""
    return sum(
        (
            p * after_throw(left - 1, *board(aside, dice), board, worths)
            for dice, p in throws(DICE - len(aside))
        ),
        Fraction(0),
    )


def after_throw(left: int, crew: Dice, cargo: Dice, board: Board, worths: Worths) -> Fraction:
    """The worth of best play after a throw, with this many throws left."""
    if len(crew) < CREW:
        return before_throw(left, crew, board, worths) if left else worths[0]
    stays = worths[sum(cargo)]
    return max(stays, before_throw(left, crew, board, worths)) if left else stays


@dataclass(frozen=True)
class Turn:
    """A turn. worths: computes what each cargo is worth in it. points: whether that is the cargo itself.

    start: computes the worth before its first throw, if it is known otherwise. against: as in BestPlay.
    opens: whether an account opens with the turn.
    """

    aim: str
    worths: Callable[[], Worths]
    board: Board
    points: bool = False
    start: Callable[[], Fraction] | None = None
    against: str = ""
    opens: bool = True

    def thrown(self, left: int, aside: Dice) -> BestPlay:
        """Best play before a throw, with this many throws left and this crew aside."""
        first = left == THROWS

        def before() -> Fraction:
            if first and self.start is not None:
                return self.start()
            return before_throw(left, aside, self.board, self.worths())

        def after(dice: Dice) -> Fraction:
            return after_throw(left - 1, *self.board(aside, dice), self.board, self.worths())

        return self._play(best_play.after_throw(after), before, opens=self.opens and first)

    def chosen(self, left: int, crew: Dice, cargo: Dice) -> BestPlay:
        """Best play at the choice between "stay" and "again", with this many throws left."""

        def after(option: str) -> Fraction:
            worths = self.worths()
            return worths[sum(cargo)] if option == "stay" else before_throw(left, crew, self.board, worths)

        return self._play(best_play.after_choice(after))

    def _play(
        self, after: best_play.After, before: Callable[[], Fraction] | None = None, opens: bool = False
    ) -> BestPlay:
        return BestPlay(self.aim, after, before, self.points, opens, self.against)


def for_cargo(board: Board) -> Turn:
    """A turn for the cargo itself."""
    return Turn("the cargo of a turn, on average", lambda: CARGO, board, points=True)


def last_of_several(best: int, leaders: int, board: Board) -> Turn:
    """The turn of the last player, after others who bring home `best`, of whom `leaders` lead."""
    return Turn(winning.AIM, partial(winning.last, best, leaders, MOST_CARGO), board)


def first_of_two(opponent: str, opens: bool, board: Board) -> Turn:
    """The turn of the first of two players."""
    return Turn(
        winning.AIM,
        lambda: _first_worths(second_wins(board), board),
        board,
        start=lambda: 1 - second_wins(board),
        against=opponent,
        opens=opens,
    )


def second_of_two(best: int, opponent: str, board: Board) -> Turn:
    """The turn of the second of two players, after the first one brought home `best`."""
    return Turn(
        winning.AIM,
        lambda: winning.last(best, 1, MOST_CARGO, second_wins(board)),
        board,
        against=opponent,
        opens=False,
    )


@cache
def second_wins(board: Board) -> Fraction:
    """The chance of the second of two best players, who play on after a tie, up to rounding.

    The chance after a tie is the same chance. It is found by the secant method: the chance is a piecewise
    linear function of the chance after a tie.
    """
    tie, before = Fraction(1, 2), Fraction(0)
    chance, chance_before = _second_wins(tie, board), _second_wins(before, board)
    while abs(chance - tie) > ROUNDING:
        slope = (chance - chance_before) / (tie - before)
        before, chance_before = tie, chance
        tie = Fraction(float((chance - slope * tie) / (1 - slope)))
        chance = _second_wins(tie, board)
    return tie


ROUNDING = 1e-14
"""A difference of chances that comes from rounding alone."""


def _second_wins(tie: Fraction, board: Board) -> Fraction:
    return 1 - before_throw(THROWS, (), board, _first_worths(tie, board))


@cache
def _first_worths(tie: Fraction, board: Board) -> Worths:
    """The chance of the first of two players with each cargo. tie: the chance of the second after a tie."""
    return tuple(
        1 - before_throw(THROWS, (), board, winning.last(cargo, 1, MOST_CARGO, tie))
        for cargo in range(MOST_CARGO + 1)
    )
