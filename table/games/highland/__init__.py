"""Highland Dice Games: Eight events with eight dice, from the Farmer's Dash to the Tug of War. The
highest total wins.

You have four dice of each colour. Each player plays a whole event before the next player starts it. You can
also play alone.
Start: each player throws a die. The highest begins; players who tie throw again.

Farmer's Dash: throw four dice of one colour and aim low, then the other four and aim high. Each set has two
rerolls of any dice. You score the high total minus the low total.
Haggis Hurl: three attempts, added up. Throw all eight dice. Set three in a row aside as your run-up; without
them it is a foul and scores 0. Throw one of the other five dice: its face is the burst point. Hurl the last
four dice, and all four once more if you like. Strike all dice that show the burst point and add up the rest
of the run-up and the hurl.
Hammer Throw: three attempts, added up. Throw one colour; you may reroll one to four dice once. Score, or
throw the other colour too, with one such reroll. Two or more 1s are a foul and score 0; a single 1 counts
nothing. Three or more 6s count 18, fewer count nothing. With hammer_excess=drop_all, more than three count
nothing either. Dice from 2 to 5 count their face. With six or more 6s you are hurt and lose your remaining
attempts.
Break: add up your first three events. The 1st to 4th players get 1 to 4 bonus pips, all others get 5. Players
who tie share the better rank.
Sheaf Toss: choose a starting height from 10 to 34 feet, in steps of two. Throw a pair, one die of each
colour. It must be more than the number of the height: 2 for 10 feet, and one more for each next height. You
have three attempts to clear a height; then go on to the next, or you are out. If the pair equals the number,
spend one pip to clear it, or throw the decider: odd clears, even misses. Pips can raise a lower pair too, but
not with height_pips=tie_only. You may stop before any attempt. You score the highest height that you clear.
Morning total: these four events, and 5 for each pip. You keep the pips.
Shot Put: three attempts, the best counts. Throw up to four pairs and add them up; you may stop after any
pair. Doubles count nothing, and the second doubles is a foul and scores 0. Once in an attempt a pip lowers
one die of doubles just thrown by 1, so that they are no longer doubles. Do not turn the die: the sheet notes
it.
Caber Toss: three attempts, the best counts. Throw four dice of one colour. Their total is 12 o'clock, 9 to
19; throw any other total again. With caber_outside=lost, the attempt scores 0 instead. Toss the other four
dice once. Off by 0 scores 100, 1: 80, 2: 60, 3: 40, 4: 20, 5: 10, more: 0. Each pip you spend brings the toss
one nearer.
Break: the same, by rank in these two events. The pips are added to those you have left.
Weight for Height: the same as Sheaf Toss.
Tug of War: throw four dice against four, with up to two rerolls of one or two dice each. Pips do not help.
The higher total wins and scores; the loser scores 0. A tie is sudden death: both sides throw their two
highest dice at the same time, until one side leads. Neighbours in the totals pull once, the higher first. An
odd number of players plays all against all, and your best winning total counts. If you play alone, you pull
against four dice that are never rerolled, and score your own total even if you lose.
With tug_format=round_robin, all play against all. With tug_format=bracket, neighbours play a knock-out; if
the number of players is not a power of two, the highest skip the first round.
Afternoon total: these four events, and 5 for each pip left. The best sum of morning and afternoon wins the
day.

On the tray: throw only the dice that are named. Leave the dice you keep where they lie, those of your first
set too. Throwing some dice again keeps the others. In Sheaf Toss, Weight for Height and Shot Put, throwing
the next pair is the choice to throw it. With dice=own, the colour you throw is the colour you choose. Set
used pairs aside. The bonus die and the decider wait off the tray.
On the page: tap to stop, to score, to keep a hurl, to choose a run-up or a starting height, and to spend
pips.
Fouls, all void: a wrong number of dice or wrong colours, a third reroll in the Dash or the Tug of War, a
second one in the Hammer Throw, throwing a part of a hurl again, throwing a die that is set aside, rerolling
more than two dice in the Tug of War, spending more pips than you have.

Source: Highland Dice Games (S0).
Rulings: H-1 the printed example of a haggis hurl adds up to 24, not 23;
H-2 the printed example of a hammer throw has three 6s, and its 35 is right;
H-3 a negative Farmer's Dash stands;
H-4 you choose which of the five dice to throw for the burst point, and that die never scores;
H-5 you hurl all four dice again or none;
H-6 two 1s are a foul in a hammer throw of one colour too;
H-7 if there are more than three 6s, three count 18 and the others nothing, or with hammer_excess=drop_all
none counts;
H-8 an attempt with six or more 6s is scored like any other, and the remaining attempts are lost;
H-9 pips can raise any roll until it is more than the number, or with height_pips=tie_only only a roll that
equals it;
H-10 you may stop before any attempt at a height;
H-11 pips are a number on the sheet and can be more than six, and the bonus die shows at most six;
H-12 one pip lowers one doubles in an attempt, right after the throw and even to avoid a foul, but not a
double 1;
H-13 a clock outside 9 to 19 is thrown again, or with caber_outside=lost the attempt is 0;
H-14 a toss that is six off scores nothing;
H-15 a pip moves the toss one towards the clock;
H-16 players who tie share the better rank, and the next rank is skipped;
H-17 a lone player is first and gets one pip, or with solo_bonus=3 three;
H-18 pips that are left count 5 each in the morning total, are kept, and count again at the end;
H-19 Weight for Height is part of the afternoon total;
H-20 a lone player scores their own dice in the Tug of War even after losing;
H-21 in a sudden death all four dice of each side are compared;
H-22 the higher total pulls first, and on a tie the player who plays first in all events. Neighbours pull
once. An odd number of players plays a round robin, or with tug_format=bracket all play a knock-out. The best
winning total counts;
H-23 a reroll in the Tug of War takes one or two dice, and the second reroll may take others;
H-24 the highest height is the player's own in that event, or 0;
H-25 before the first pair the table says which die is the bonus die and which is the decider;
H-26 the best total wins the day, and a tie at the top is a joint win.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from table.games.highland.breaks import MAX_PIPS, afternoon, final, first_break, morning, second_break
from table.games.highland.caber import CLOCK, caber_score, caber_toss
from table.games.highland.dash import farmers_dash
from table.games.highland.day import Day
from table.games.highland.form import CARD, FORM
from table.games.highland.haggis import haggis_hurl
from table.games.highland.hammer import hammer_throw
from table.games.highland.heights import NUMBERS
from table.games.highland.sheaf import sheaf_toss
from table.games.highland.shot_put import shot_put
from table.games.highland.tug import tug_of_war
from table.games.highland.weight import weight_for_height
from table.games.start import first_player
from table.odds.highland.day import DayRules
from table.rules import words
from table.rules.entered_prompts import AskNumber
from table.rules.game import Game, Outcome, Setting, Table
from table.rules.prompts import Choose, Keep, Roll

Event = Callable[[Day, str], Coroutine[Any, Any, int]]


async def play(table: Table) -> Outcome:
    day = Day(table, coach_rules(table))
    day.show(begun=False)
    order = table.round_from(await first_player(table)) if len(table.players) > 1 else table.players
    day.show()

    first_break(day, await _events(day, order, farmers_dash, haggis_hurl, hammer_throw))
    await _events(day, order, sheaf_toss)
    mornings = {player: morning(day, player) for player in order}

    second_break(day, await _events(day, order, shot_put, caber_toss))
    await _events(day, order, weight_for_height)
    await tug_of_war(day, order)
    for player in order:
        final(day, player, mornings[player], afternoon(day, player, mornings[player]))
    return _outcome(table)


def coach_rules(table: Table) -> DayRules:
    """The rules by which the coach counts pips."""
    alone = len(table.players) == 1
    return DayRules(
        tuple(NUMBERS.items()),
        table.settings["height_pips"] == "any",
        caber_score,
        CLOCK,
        table.settings["caber_outside"] == "lost",
        most=table.number("solo_bonus") if alone else min(len(table.players), MAX_PIPS),
        alone=alone,
    )


async def _events(day: Day, order: Sequence[str], *events: Event) -> dict[str, int]:
    """Each player's sum of the events.

    Each player makes all attempts of an event before the next player starts it.
    """
    points = dict.fromkeys(order, 0)
    for event in events:
        for player in order:
            scored = await event(day, player)
            points[player] += scored
    return points


def _outcome(table: Table) -> Outcome:
    winners = table.sheet.leaders
    best = table.sheet.total(winners[0])
    if len(table.players) == 1:
        return Outcome(table.players, f"{table.players[0]} ends the day with {words.points(best)}.")
    if len(winners) == 1:
        return Outcome(winners, f"{winners[0]} wins the day with {words.points(best)}.")
    return Outcome(
        winners, f"{words.listed(winners)} win the day together with {words.points(best)}."
    )  # H-26


HIGHLAND = Game(
    name="highland",
    doc=__doc__,
    players=range(1, 11),
    minutes=(15, 35),
    settings=(
        Setting(
            "hammer_excess",
            ("drop_excess", "drop_all"),
            "a hammer throw with more than three 6s",
            "Hammer Throw",
            ("three count", "none counts"),
        ),
        Setting(
            "height_pips",
            ("any", "tie_only"),
            "which pairs bonus pips may raise at a height",
            "Pips at a height",
            ("any pair", "only a pair that equals the number"),
        ),
        Setting(
            "caber_outside",
            ("reroll", "lost"),
            "a throw for the clock that is below 9 or above 19",
            "Caber Toss",
            ("throw it again", "the attempt scores 0"),
        ),
        Setting(
            "solo_bonus",
            (1, 0, 2, 3, 4, 5),
            "bonus pips at each break if you play alone",
            "Bonus alone",
            players=range(1, 2),
        ),
        Setting(
            "tug_format",
            ("pairs", "round_robin", "bracket"),
            "who pulls against whom in the Tug of War",
            "Tug of War",
            (
                "pairs by the totals; an odd number pulls all against all",
                "all against all",
                "a knock-out",
            ),
            players=range(2, 11),
        ),
    ),
    play=play,
    prompt_types=(Roll, Choose, Keep, AskNumber),
    two_colours=True,
    form=FORM,
    card=CARD,
    best_play="""
For a lone player, best play has the best total of the day on average. Each event counts its points, and what
the pips that are left are worth in the rest of the day. Several players are only told the odds.
""",
    answer_notes="""
A reroll is a keep: send the dice that you keep out of the four. If you keep all, nothing is rerolled. In
the Tug of War you keep two or more.
Colour (only with dice=own): the name of the colour, such as {"choose": "green"}.
Run-up: "3-4-5". Hurl: "keep" or "again". Hammer: "score" or "throw".
Heights: first the feet, such as "16". Before each attempt: "throw" or "concede". If the pair equals the
number: "spend" or "decider". If it is lower: "spend" or "accept".
Shot Put: "spend" or "leave" after doubles, "stop" or "throw" after a pair. Caber: the number of pips.
A choice with only one possible answer has no prompt, such as spending pips when you have none.
A throw's "for" names it: start, first set, second set, run-up, burst, hurl, second hurl, first colour,
second colour, sheaf, decider, shot, clock, toss, weight, opponent, pull, sudden death.
A throw over a bar has its height in "stage", such as "12 feet".
Sudden death with dice=own is one throw of both colours. Dice without a colour get the missing colours, in
the order of the prompt's "dice", and a ruling says which. A group of "dice" with "either" takes dice of each
of its colours. With dice=any, each side throws its two dice in turn: first the side that pulled
first. If you play alone, you throw before the opponent.
""",
)
