"""Hot Score: Two dice, and a bonus die if you like, for a 7 or an 11. Exactly 100 points win.

Two players have three dice each. Throw two of your dice. Then stick, or throw the third, the bonus die, and
add it or take it away.
HOT totals: 7 and 11, 15 points.
NEAR totals: 6, 8, 10 and 12, 5 points.
FAR totals: all others, 10 points. With swap_near_far=on, NEAR is worth 10 and FAR 5.
Then the other player does the same, and the scores are compared. Two dice beat three. With the same number of
dice, HOT beats NEAR and NEAR beats FAR. Of two FAR scores, the one closer to 7 or 11 wins. With
precedence=bracket_first, HOT, NEAR and FAR count before the number of dice.
The winner gets the points of their own score, the loser none. If nothing decides, there is a challenge. The
loser throws first in the next round.

Forcing a challenge: against a HOT score of two dice the second player, if their own two are not HOT, can make
the other HOT total with the bonus die: 11 against 7, or 7 against 11.
Three of a kind: a HOT score. Against another HOT score, it brings a double challenge.
Challenge: the first player of the round throws a die for odd or even. Then both throw three dice. The player
with more dice of that kind wins; with the same number, the lower sum of them wins. The winner gains 10 points
and the loser loses 10. After a draw both throw again, for 10 more.
Double challenge: the same, but it begins at 20.

The first to have exactly 100 wins. Above 100, what you win is subtracted. What you lose is always subtracted,
and a score can fall below 0.
Start: each player throws a die. The lowest begins; players who tie throw again.

On the tray: throw two dice. To choose the bonus die, leave the two where they lie and throw the third
alone. Tap stick, plus or minus. In a challenge, pick up all three dice.
Fouls, all void: throwing the bonus die together with the first two, a second bonus die, throwing before the
other player has stuck, changing plus or minus after the other has thrown, a new die for odd or even when a
challenge is repeated.

Source: the dice game of 7 or 11, HOT SCORE (S3); its file has no title, and its two figures are lost.
Rulings: T-1 two dice beat three whatever they show; the only exceptions are the forced and the double
challenge; with precedence=bracket_first, HOT, NEAR and FAR decide first, and two dice beat three only within
a bracket;
T-2 you choose plus or minus after you see the bonus die, and totals run from -4 to 18;
T-3 NEAR earns 5 and FAR 10 as printed, although NEAR beats FAR; with swap_near_far=on it is the other way
round;
T-4 FAR scores with the same number of dice go by their distance to 7 or 11, and only an equal distance brings
a challenge;
T-5 a 7 and an 11 with the same number of dice are the same bracket, so they bring a challenge;
T-6 only the other HOT total forces a challenge, so a 7 of three dice loses to a 7 of two; the player's own
two dice must not be HOT;
T-7 three of a kind is a HOT score of three dice: if the other score is not HOT, it loses to two dice with
precedence=dice_first, and earns 15 where it wins;
T-8 three of a kind needs no plus or minus and comes before a forced challenge;
T-9 the first player of the round throws for odd or even;
T-10 a challenge in which nobody has a matching die is a draw, and repeated;
T-11 the lower sum of the matching dice breaks a tie in their number, for odd as for even;
T-12 scores can fall below 0;
T-13 above 100, what you win is subtracted, and below 100 it is added again; what you lose is always
subtracted;
T-14 if both players reach 100 in one challenge, its winner wins;
T-15 a double challenge begins at 20, and every draw raises any challenge by 10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from table.games.start import first_player, lowest_die
from table.odds import hot_score as odds
from table.odds.hot_score import CHALLENGE, LOSE, WIN
from table.rules import words
from table.rules.game import LOWEST, Game, Outcome, Setting, Table
from table.rules.prompts import Choose, Coach, Option, Roll

GOAL = 100
HOT, NEAR, FAR = BRACKETS = ("HOT", "NEAR", "FAR")
"""From best to worst."""

HOT_TOTALS = (7, 11)
NEAR_TOTALS = (6, 8, 10, 12)
PRINTED = {HOT: 15, NEAR: 5, FAR: 10}
SWAPPED = {HOT: 15, NEAR: 10, FAR: 5}
STAKE = 10
"""The points of a challenge. A double challenge is for twice as many, and every draw adds as many again."""

READINGS = {
    "dice_first": (
        "Two dice beat three here. With as many dice on both sides, HOT beats NEAR, and NEAR beats FAR."
    ),
    "bracket_first": "HOT beats NEAR, and NEAR beats FAR here; two dice beat three only within a bracket.",
}
EVEN, ODD = 0, 1
PARITIES = {EVEN: "even", ODD: "odd"}


# -- scores: pure functions ----------------------------------------------------------------------------------


def bracket_of(total: int) -> str:
    """The bracket of a total: HOT, NEAR or FAR."""
    return HOT if total in HOT_TOTALS else NEAR if total in NEAR_TOTALS else FAR


@dataclass(frozen=True)
class Score:
    """A player's score in a round: two or three dice, and their total."""

    dice: tuple[int, ...]
    total: int

    @property
    def three_of_a_kind(self) -> bool:
        return len(self.dice) == 3 and len(set(self.dice)) == 1

    @property
    def bracket(self) -> str:
        return HOT if self.three_of_a_kind else bracket_of(self.total)  # T-7

    @property
    def distance(self) -> int:
        """The distance of a FAR score to the nearer of 7 and 11; 0 in the other brackets."""
        return min(abs(self.total - hot) for hot in HOT_TOTALS) if self.bracket == FAR else 0  # T-4, T-5

    def __str__(self) -> str:
        shown = f"three {self.dice[0]}s" if self.three_of_a_kind else str(self.total)
        return f"{self.bracket} {shown} with {words.dice(len(self.dice))}"


@dataclass(frozen=True)
class Verdict:
    """The result of comparing two scores, and why.

    winner: index of the winning score, 0 or 1; None if there is a challenge. stake: points of the challenge.
    """

    why: str
    winner: int | None = None
    stake: int = 0


def settle(first: Score, second: Score, precedence: str = "dice_first") -> Verdict:
    """The verdict on a round. first: score of the player who threw first."""
    if first.bracket == second.bracket == HOT and (first.three_of_a_kind or second.three_of_a_kind):  # T-8
        return Verdict("three of a kind against a HOT score", stake=2 * STAKE)
    if forces_a_challenge(first, second):
        return Verdict("the other HOT score is forced", stake=STAKE)
    criteria = [_by_dice, _by_bracket] if precedence == "dice_first" else [_by_bracket, _by_dice]  # T-1
    for criterion in (*criteria, _by_distance):
        (mine, why), (theirs, other_why) = criterion(first, second), criterion(second, first)
        if mine != theirs:
            return Verdict(why, 0) if mine < theirs else Verdict(other_why, 1)
    return Verdict(_alike(first, second), stake=STAKE)


def forces_a_challenge(first: Score, second: Score) -> bool:
    """Whether the second player forces a challenge with three dice.

    Their first two dice are not HOT, and with the bonus die they make the other HOT total against two dice.
    """
    two_against_three = (len(first.dice), len(second.dice)) == (2, 3)
    had_none = bracket_of(sum(second.dice[:2])) != HOT
    return (
        two_against_three
        and had_none
        and first.bracket == second.bracket == HOT
        and first.total != second.total
    )  # T-6


def _by_dice(mine: Score, theirs: Score) -> tuple[int, str]:
    """(a rank, the reason in words if it wins); the lower rank wins."""
    return len(mine.dice), "two dice beat three"


def _by_bracket(mine: Score, theirs: Score) -> tuple[int, str]:
    return BRACKETS.index(mine.bracket), f"{mine.bracket} beats {theirs.bracket}"


def _by_distance(mine: Score, theirs: Score) -> tuple[int, str]:
    return mine.distance, f"{mine.total} is nearer to a HOT score than {theirs.total}"


def _alike(first: Score, second: Score) -> str:
    alike = f"both are {first.bracket} with {words.dice(len(first.dice))}"
    return f"{alike}, equally far from a HOT score" if first.bracket == FAR else alike


def bonus_ends(dice: tuple[int, ...], die: int) -> tuple[Score, ...]:
    """The scores that the bonus die can make: plus and minus, or three of a kind."""
    three, total = (*dice, die), sum(dice)
    plus, minus = Score(three, total + die), Score(three, total - die)  # T-2
    return (plus,) if plus.three_of_a_kind else (plus, minus)


def challenge_worth(parity: int, dice: Sequence[int]) -> tuple[int, int]:
    """(number of matching dice, minus their sum) of three dice in a challenge; the higher tuple wins."""
    matching = [d for d in dice if d % 2 == parity]
    return len(matching), -sum(matching)  # T-11


# -- the match -----------------------------------------------------------------------------------------------


async def play(table: Table) -> Outcome:
    table.rule(READINGS[str(table.settings["precedence"])])
    first = await first_player(table, lowest_die)
    while True:
        winner = await play_round(table, first)
        loser = table.after(winner)
        for player in (winner, loser):  # T-14
            if table.sheet.total(player) == GOAL:
                return Outcome((player,), f"{player} has exactly {GOAL} and wins.")
        first = loser


async def play_round(table: Table, first: str) -> str:
    """The winner of one round, which is written on the sheet."""
    table.sheet.begin_round()
    players = (first, table.after(first))
    mine = await score_of(table, players[0], _coach_first)
    table.so_far = f"{players[0]}: {mine}"
    theirs = await score_of(table, players[1], partial(_coach_second, table, mine))
    table.so_far = ""
    verdict = settle(mine, theirs, str(table.settings["precedence"]))
    if verdict.winner is None:
        return await challenge(table, players, verdict)
    winner, loser = players[verdict.winner], players[1 - verdict.winner]
    best, other = (mine, theirs) if verdict.winner == 0 else (theirs, mine)
    _win(table, winner, points_for(table, best), f"{best} against {other}: {verdict.why}")
    table.sheet.score(loser, 0, f"{other} against {best}")
    return winner


def points_for(table: Table, score: Score) -> int:
    return (SWAPPED if table.settings["swap_near_far"] == "on" else PRINTED)[score.bracket]  # T-3


def _win(table: Table, player: str, points: int, reason: str) -> None:
    """Adds the points to the score, or subtracts them if the score is above the goal."""
    if table.sheet.total(player) > GOAL:  # T-13
        table.sheet.score(player, -points, f"{reason}; subtracted because the score is above {GOAL}")
    else:
        table.sheet.score(player, points, reason)
        total = table.sheet.total(player)
        if total > GOAL:
            table.rule(f"{player} is over {GOAL} with {total}: what {player} wins now is subtracted.")


async def score_of(table: Table, player: str, coach: Callable[[tuple[int, ...]], Coach]) -> Score:
    """The player's score with two dice, or with the bonus die. coach: the odds, given the two dice."""
    dice = await table.roll(player, 2, coach=partial(odds.of_two_dice, BRACKETS, bracket_of))
    stuck = Score(dice, sum(dice))
    stick = Option("stick", f"Stick with {stuck.bracket} {stuck.total}")
    bonus = Option("bonus", "Throw the bonus die", throws=1)
    if await table.choose(player, stick, bonus, coach=coach(dice)) == "stick":
        return stuck
    (die,) = await table.roll(player, 1, beside=dice, why=", the bonus die", purpose="bonus")
    return await _with_bonus(table, player, dice, die)


async def _with_bonus(table: Table, player: str, dice: tuple[int, ...], die: int) -> Score:
    ends = bonus_ends(dice, die)
    if len(ends) == 1:
        table.rule(f"{player} has three {die}s, which is as good as a HOT score.")
        return ends[0]
    plus, minus = ends
    up = Option("plus", f"Plus: {plus.bracket} {plus.total}")
    down = Option("minus", f"Minus: {minus.bracket} {minus.total}")
    text = f"{player}: {sum(dice)} plus {die}, or minus {die}?"
    return plus if await table.choose(player, up, down, text=text) == "plus" else minus


def _coach_first(dice: tuple[int, ...]) -> Coach:
    return partial(odds.of_bonus, lambda die: [end.bracket for end in bonus_ends(dice, die)], HOT)


def _coach_second(table: Table, against: Score, dice: tuple[int, ...]) -> Coach:
    def goes(score: Score) -> str:
        winner = settle(against, score, str(table.settings["precedence"])).winner
        return CHALLENGE if winner is None else WIN if winner else LOSE

    stuck = goes(Score(dice, sum(dice)))
    return partial(odds.of_answer, stuck, lambda die: [goes(end) for end in bonus_ends(dice, die)])


# -- challenges ----------------------------------------------------------------------------------------------


async def challenge(table: Table, players: tuple[str, str], verdict: Verdict) -> str:
    """The winner of a challenge, which is written on the sheet. players: the first thrower is first."""
    stake = verdict.stake  # T-15
    table.rule(f"{'Challenge' if stake == STAKE else 'Double challenge'} for {stake} points: {verdict.why}.")
    (die,) = await table.roll(players[0], 1, why=" for odd or even", purpose="parity")  # T-9
    parity = die % 2
    while True:
        thrown = await _challenge_throws(table, players, parity, stake)
        mine, theirs = (challenge_worth(parity, dice) for dice in thrown)
        if mine != theirs:
            break
        stake += STAKE
        table.rule(
            f"Both have {_matching(parity, thrown[0])}: "
            f"again for {PARITIES[parity]} dice, now for {stake} points."
        )  # T-10
    table.so_far = ""
    winner, loser = players if mine > theirs else players[::-1]
    best, other = (_matching(parity, dice) for dice in (thrown if mine > theirs else thrown[::-1]))
    _win(table, winner, stake, f"challenge won: {best} against {other}")
    table.sheet.score(loser, -stake, f"challenge lost: {other} against {best}")  # T-12, T-13
    return winner


async def _challenge_throws(
    table: Table, players: tuple[str, str], parity: int, stake: int
) -> list[tuple[int, ...]]:
    """The three dice of each player."""
    worth = partial(challenge_worth, parity)
    table.so_far = f"challenge for {stake} with {PARITIES[parity]} dice"
    thrown: list[tuple[int, ...]] = []
    for player in players:
        coach = partial(odds.of_challenge, worth, *thrown)
        dice = await table.roll(
            player, 3, why=f" for {PARITIES[parity]} numbers", purpose="challenge", coach=coach
        )
        thrown.append(dice)
        table.so_far += f"; {player} {_matching(parity, dice)}"
    return thrown


def _matching(parity: int, dice: Sequence[int]) -> str:
    count, lower = challenge_worth(parity, dice)
    return (
        f"{words.number(count)} {PARITIES[parity]}, sum {-lower}" if count else f"no {PARITIES[parity]} die"
    )


HOT_SCORE = Game(
    name="hot_score",
    doc=__doc__,
    players=range(2, 3),
    minutes=(15, 15),
    settings=(
        Setting(
            "precedence",
            ("dice_first", "bracket_first"),
            "what decides first",
            "Order",
            ("two dice beat three", "HOT beats NEAR, and NEAR beats FAR"),
        ),
        Setting(
            "swap_near_far",
            ("off", "on"),
            "",
            "NEAR and FAR",
            ("NEAR scores 5 and FAR 10, as printed", "NEAR scores 10 and FAR 5"),
        ),
    ),
    play=play,
    start="lowest die thrown",
    start_value=LOWEST,
    prompt_types=(Roll, Choose),
    answer_notes="""
After two dice: "stick" or "bonus". After "bonus": a throw of one die, then "plus" or "minus". After three
of a kind there is no "plus" or "minus".
In a challenge: a throw of one die for odd or even, then a throw of three dice by each player.
The prompt's "for" names these throws: bonus, parity or challenge.
""",
)
