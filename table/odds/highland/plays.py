"""Best play of a lone player in each event of the Highland Dice Games.

Every event is played for its own points and for what the pips that are left after it are worth. So the sum of
all events is the best day.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from table.odds.highland import caber, dash, haggis, hammer, heights, keeping, shot_put, tug
from table.odds.highland.pips import Later
from table.odds.throws import Dice, throws
from table.rules.answers import Answer
from table.rules.best_play import (
    After,
    BestPlay,
    Worth,
    after_choice,
    after_keep,
    after_number,
    after_throw,
)

Before = Callable[[], Worth]


def points_of(aim: str, after: After, before: Before | None = None, opens: bool = False) -> BestPlay:
    return BestPlay(aim, after, before, points=True, opens=opens)


@dataclass(frozen=True)
class Keeps:
    """Best play while dice are kept and the others thrown again.

    best: the worth of dice with this many rerolls left. kept: the worth of keeping some of these dice, with
    this many rerolls left.
    """

    aim: str
    best: Callable[[Dice, int], Worth]
    kept: Callable[[Dice, Dice, int], Worth]

    def first(self, rerolls: int, before: Before, opens: bool = False) -> BestPlay:
        """Best play before the first throw."""
        return points_of(self.aim, after_throw(lambda dice: self.best(_sorted(dice), rerolls)), before, opens)

    def chosen(self, dice: Dice, rerolls: int) -> BestPlay:
        """Best play at the choice of the dice to keep."""
        return points_of(self.aim, after_keep(lambda keep: self.kept(_sorted(keep), _sorted(dice), rerolls)))

    def again(self, keep: Dice, dice: Dice, rerolls: int) -> BestPlay:
        """Best play before the other dice are thrown again."""
        return points_of(
            self.aim,
            after_throw(lambda new: self.best(_sorted(keep + new), rerolls - 1)),
            lambda: self.kept(_sorted(keep), _sorted(dice), rerolls),
        )


def _sorted(dice: Sequence[int]) -> Dice:
    return tuple(sorted(dice))


# -- Farmer's Dash -------------------------------------------------------------------------------------------


def dash_set(high: bool, low_total: int = 0, rerolls: int = 2) -> Keeps:
    """The first set, or the second one after a first set of this total."""
    size = 4
    sign, rest = (1, Fraction(-low_total)) if high else (-1, size * dash.thrown(rerolls, True))

    def best(dice: Dice, left: int) -> Fraction:
        return rest + sign * sum((dash.still(face, left, high) for face in dice), Fraction(0))

    def kept(keep: Dice, dice: Dice, left: int) -> Fraction:
        total = Fraction(sum(dice)) if keep == dice else dash.total_after(keep, size, left, high)
        return rest + sign * total

    return Keeps("Farmer's Dash", best, kept)


def dash_before(high: bool, low_total: int = 0, rerolls: int = 2) -> Fraction:
    """The worth before the first throw of a set."""
    second = 4 * dash.thrown(rerolls, True)
    return second - low_total if high else second - 4 * dash.thrown(rerolls, False)


# -- Haggis Hurl ---------------------------------------------------------------------------------------------

HAGGIS = "Haggis Hurl"


def haggis_run_up(found_in: Callable[[Dice], tuple[Dice, ...]], score: haggis.Score) -> BestPlay:
    return points_of(
        HAGGIS,
        after_throw(lambda dice: haggis.best_run_up(found_in(dice), score)),
        lambda: haggis.mean(found_in, score),
        opens=True,
    )


def haggis_straight(found: dict[str, Dice], score: haggis.Score) -> BestPlay:
    return points_of(HAGGIS, after_choice(lambda name: haggis.attempt(found[name], score)))


def haggis_burst(run_up: Dice, score: haggis.Score) -> BestPlay:
    return points_of(
        HAGGIS,
        after_throw(lambda burst: haggis.with_burst(run_up, burst[0], score)),
        lambda: haggis.attempt(run_up, score),
    )


def haggis_hurl(run_up: Dice, burst: int, score: haggis.Score) -> BestPlay:
    again = haggis.hurl_again
    return points_of(
        HAGGIS,
        after_throw(lambda hurl: max(Fraction(score(run_up, hurl, burst)), again(run_up, burst, score))),
        lambda: haggis.with_burst(run_up, burst, score),
    )


def haggis_choice(run_up: Dice, hurl: Dice, burst: int, score: haggis.Score) -> BestPlay:
    def after(option: str) -> Fraction:
        if option == "again":
            return haggis.hurl_again(run_up, burst, score)
        return Fraction(score(run_up, hurl, burst))

    return points_of(HAGGIS, after_choice(after))


def haggis_second_hurl(run_up: Dice, burst: int, score: haggis.Score) -> BestPlay:
    return points_of(
        HAGGIS,
        after_throw(lambda hurl: score(run_up, hurl, burst)),
        lambda: haggis.hurl_again(run_up, burst, score),
    )


# -- Hammer Throw --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hammer:
    """An attempt. scored: the points of the attempts before it. after: attempts after it."""

    scored: int
    after: int
    points: hammer.Points

    @property
    def worth(self) -> hammer.Points:
        return hammer.with_later(self.points, self.after)

    def before(self) -> Fraction:
        return self.scored + Fraction(hammer.event(self.after + 1, self.points))

    def first(self) -> Keeps:
        """The dice of the first colour."""

        def best(dice: Dice, left: int) -> Fraction:
            if not left:
                return self.scored + hammer.going_on_or_not(hammer.state(dice), self.worth)
            return max(kept(keep, dice, left) for keep in keeping.parts_of(dice, 0))

        def kept(keep: Dice, dice: Dice, left: int) -> Fraction:
            return self.scored + hammer.first_kept(keep, self.worth)

        return Keeps("Hammer Throw", best, kept)

    def chosen(self, dice: Dice) -> BestPlay:
        """Best play at the choice between "score" and "throw"."""

        def after(option: str) -> Fraction:
            state = hammer.state(dice)
            if option == "throw":
                return self.scored + hammer.going_on(state, self.worth)
            return self.scored + Fraction(self.worth(*state))

        return points_of("Hammer Throw", after_choice(after))

    def before_second(self, first: Dice) -> Fraction:
        return self.scored + hammer.going_on(hammer.state(first), self.worth)

    def second(self, first: Dice) -> Keeps:
        """The dice of the second colour, after these of the first."""

        def best(dice: Dice, left: int) -> Fraction:
            return max(kept(keep, dice, left) for keep in (keeping.parts_of(dice, 0) if left else (dice,)))

        def kept(keep: Dice, dice: Dice, left: int) -> Fraction:
            thrown = hammer.SET - len(keep)
            return self.scored + hammer.second_kept(
                hammer.state(first), hammer.state(keep), thrown, self.worth
            )

        return Keeps("Hammer Throw", best, kept)


# -- Sheaf Toss and Weight for Height ------------------------------------------------------------------------


@dataclass(frozen=True)
class Heights:
    """An event over a bar, with its title. rules_of: computes its rules, with the worth of pips left."""

    title: str
    rules_of: Callable[[], heights.Rules]

    @property
    def rules(self) -> heights.Rules:
        return self.rules_of()

    @property
    def aim(self) -> str:
        return f"{self.title}, with the worth of pips left"

    def start(self, pips: int) -> BestPlay:
        def after(feet: str) -> float:
            return heights.started(self.rules.place_of(int(feet)), pips, self.rules)

        return replace(points_of(self.aim, after_choice(after)), opens=True)

    def chosen(self, now: heights.Attempt) -> BestPlay:
        """Best play at the choice between "throw" and "concede"."""

        def after(option: str) -> float:
            if option == "throw":
                return heights.throwing(now, self.rules)
            return heights.stopped(now, self.rules)

        return points_of(self.aim, after_choice(after))

    def thrown(self, now: heights.Attempt) -> BestPlay:
        return points_of(
            self.aim,
            after_throw(lambda pair: heights.thrown(sum(pair), now, self.rules)),
            lambda: heights.throwing(now, self.rules),
        )

    def spent(self, price: int, now: heights.Attempt) -> BestPlay:
        """Best play at the choice between "spend" and "accept", or "decider" if one pip is enough."""

        def after(option: str) -> float:
            if option == "spend":
                return heights.cleared(price, now, self.rules)
            return heights.missed(now, self.rules) if price > 1 else heights.decider(now, self.rules)

        return points_of(self.aim, after_choice(after))

    def decider(self, now: heights.Attempt) -> BestPlay:
        def after(faces: Dice) -> float:
            return heights.cleared(0, now, self.rules) if faces[0] % 2 else heights.missed(now, self.rules)

        return points_of(self.aim, after_throw(after), lambda: heights.decider(now, self.rules))


# -- Shot Put ------------------------------------------------------------------------------------------------

SHOT_PUT = "Shot Put, with the worth of pips left"


@dataclass(frozen=True)
class ShotPut:
    """A state of an attempt. later: computes what the pips that are left after the event are worth."""

    state: shot_put.Attempt
    later: Callable[[], Later]

    @property
    def now(self) -> shot_put.Attempt:
        return replace(self.state, later=self.later())

    def thrown(self, opens: bool) -> BestPlay:
        """Best play before a pair."""
        return points_of(SHOT_PUT, after_throw(self._after_pair), lambda: shot_put.thrown_on(self.now), opens)

    def _after_pair(self, pair: Dice) -> float:
        now = self.now
        if pair[0] != pair[1]:
            return shot_put.unequal(now, sum(pair))
        left = shot_put.left(now)
        can = pair[0] > 1 and now.can_lower
        return max(left, shot_put.spent(now, sum(pair) - 1)) if can else left

    def lowered(self, points: int) -> BestPlay:
        """Best play at the choice between "spend" and "leave", after doubles.

        points: what the doubles count with the pip.
        """

        def after(option: str) -> float:
            return shot_put.spent(self.now, points) if option == "spend" else shot_put.left(self.now)

        return points_of(SHOT_PUT, after_choice(after))

    def chosen(self) -> BestPlay:
        """Best play at the choice between "stop" and "throw"."""
        worth = {"stop": shot_put.stopped, "throw": shot_put.thrown_on}
        return points_of(SHOT_PUT, after_choice(lambda option: worth[option](self.now)))


# -- Caber Toss ----------------------------------------------------------------------------------------------

CABER_TOSS = "Caber Toss, with the worth of pips left"


@dataclass(frozen=True)
class CaberToss:
    """An attempt. rules_of: computes the rules, with the worth of pips left."""

    now: caber.Attempt
    rules_of: Callable[[], caber.Rules]

    @property
    def rules(self) -> caber.Rules:
        return self.rules_of()

    def clock(self, opens: bool) -> BestPlay:
        """Best play before the clock is thrown."""
        return points_of(CABER_TOSS, after_throw(self._after_clock), self._event, opens)

    def _event(self) -> Worth:
        return caber.event(self.now.after + 1, self.now.best, self.now.pips, self.rules)

    def _after_clock(self, dice: Dice) -> Worth:
        rules = self.rules
        if sum(dice) in rules.clock:
            return caber.tossing(sum(dice), self.now, rules)
        return caber.ended(self.now, 0, 0, rules) if rules.lost else self._event()

    def toss(self, clock: int) -> BestPlay:
        return points_of(
            CABER_TOSS,
            after_throw(lambda dice: caber.tossed(abs(sum(dice) - clock), self.now, self.rules)),
            lambda: caber.tossing(clock, self.now, self.rules),
        )

    def pips(self, apart: int) -> BestPlay:
        def after(pips: int) -> Worth:
            return caber.ended(self.now, self.rules.score(apart - pips), pips, self.rules)

        return points_of(CABER_TOSS, after_number(after))


# -- Tug of War ----------------------------------------------------------------------------------------------

TUG = "Tug of War"


def tug_pull(against: Dice) -> Keeps:
    """The own dice against these dice."""
    worth = tug.against_dice(_sorted(against), True)

    def best(dice: Dice, left: int) -> Fraction:
        return keeping.best(dice, left, tug.FEWEST_KEPT, worth)

    def kept(keep: Dice, dice: Dice, left: int) -> Fraction:
        return keeping.mean(keep, tug.SIZE, 0 if keep == dice else left - 1, tug.FEWEST_KEPT, worth)

    return Keeps(TUG, best, kept)


def tug_before(against: Dice) -> Fraction:
    """The worth before the first throw of the own dice."""
    worth = tug.against_dice(_sorted(against), True)
    return keeping.mean((), tug.SIZE, tug.REROLLS, tug.FEWEST_KEPT, worth)


def tug_sudden_death(low: Dice, other: Dice, dice: Callable[[Answer], tuple[Dice, Dice]]) -> BestPlay:
    """Best play before both sides throw beside these lowest dice.

    dice: the final dice of both sides after an answer.
    """

    def after(answer: Answer) -> Fraction:
        own, others = dice(answer)
        return tug.points(_sorted(own), _sorted(others), alone=True)

    return points_of(TUG, after, lambda: tug.tied(_sorted(low), _sorted(other), alone=True))


def tug_own_throw(low: Dice, other: Dice) -> BestPlay:
    """Best play before the own throw in a sudden death, if the other side throws after it."""
    return points_of(
        TUG,
        after_throw(lambda new: _before_answer(low + new, other)),
        lambda: tug.tied(_sorted(low), _sorted(other), alone=True),
    )


def tug_answer(own: Dice, other: Dice) -> BestPlay:
    """Best play before the other side throws in a sudden death, beside its lowest dice."""
    return points_of(
        TUG,
        after_throw(lambda new: tug.points(_sorted(own), _sorted(other + new), alone=True)),
        lambda: _before_answer(own, other),
    )


def _before_answer(own: Dice, other: Dice) -> Fraction:
    return sum(
        (p * tug.points(_sorted(own), _sorted(other + new), alone=True) for new, p in throws(tug.LOWEST)),
        Fraction(0),
    )
