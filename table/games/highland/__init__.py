"""Highland Dice Games: Eight events with eight dice in two clan colours, from the Farmer's Dash to the Tug
of War; the highest total wins.

Eight dice in two clan colours, four of each. Everyone goes through a whole event before the next player does.

Farmer's Dash: four dice of one colour low, then the other four high, with two rerolls of any dice each. High total minus low total.
Haggis Hurl, three attempts, all added: throw all eight. Three in a row are your run-up and lie aside; without them it is a foul and 0.
Throw one of the other five: the burst point. Hurl the last four, all four once more if you like. Dice that show the burst point are
struck; the rest of run-up and hurl is added up.
Hammer Throw, three attempts, all added: throw one colour, reroll one to four dice once. Score, or throw the other colour too, with
one such reroll. Two 1s or more: a foul, 0. A single 1 counts nothing. Three 6s or more count 18, fewer nothing (setting
hammer_excess). Six 6s or more: you are hurt, and your attempts left are lost.
Break: by rank on these three, 1st to 4th get 1 to 4 bonus pips, all others 5. Who ties shares the better rank.
Sheaf Toss: choose a height, every two feet from 10 to 34. A pair, one die of each colour, must be more than its number: 2 for 10
feet, and one more for each next height. Three attempts, then the next height or out. Just the number: spend one pip, or throw the
decider: odd goes over, even misses. Pips may lift a lower roll too (setting height_pips). You may stop before any attempt. The highest
cleared counts.
Morning total: these four, and 5 for each pip you have; you keep the pips.
Shot Put, three attempts, the best counts: up to four pairs added, stop after any. Doubles count nothing, the second doubles is a foul
and 0. Once an attempt a pip lowers one die of a doubles just thrown by 1; then it is none. Only the sheet says so: the die is not
turned.
Caber Toss, three attempts, the best counts: four dice of one colour set 12 o'clock, 9 to 19 (setting caber_outside). Toss the other
four once. Off by 0: 100, 1: 80, 2: 60, 3: 40, 4: 20, 5: 10, more: 0. Each pip brings the toss one nearer.
Break: the same by rank on these two; the pips are added to what you have left.
Weight for Height: as Sheaf Toss.
Tug of War: four dice against four, up to two rerolls of one or two dice each; no pips. The higher total wins and is scored, the loser
has 0. A tie is sudden death: both sides throw their two highest dice together, until one leads. Alone you pull against four dice that
are never rerolled, and score your own, won or lost. Neighbours in the totals pull once, the higher first; an odd number of players
plays all against all, and your best total that won counts (setting tug_format). In a bracket neighbours pull a knock-out; where their
number is no power of two, the highest pass the first round.
Afternoon total: these four, and 5 for each pip left. The best sum of morning and afternoon wins the day.
Whoever throws the highest die begins; players who tie throw again.

On the tray: throw just the dice that are named, and leave those that you keep where they lie, those of your first set too. Picking
dice up and throwing them again says that you keep the others. In the heights and the Shot Put throwing the next pair is the choice to
throw it, and by dice of your own (setting dice) the colour you throw is the colour you choose. Tapped are: stopping, scoring, keeping
a hurl, which run-up, pips, the height you start at. Set used pairs aside; the bonus die and the decider wait off the tray.
Fouls, all void: a wrong number of dice or of colours, a third reroll in Dash or Tug of War or a second one in the Hammer Throw, part
of a hurl thrown again, a die set aside thrown again, more than two dice rerolled in the Tug of War, more pips than you have.

Source: Highland Dice Games (S0).
Rulings: H-1 the printed example of a haggis hurl adds up to 24, not 23; H-2 the printed example of a hammer throw has three 6s, and
its 35 is right; H-3 a Farmer's Dash below nothing stands; H-4 the player picks which of the five dice is thrown for the burst point,
and that die never scores; H-5 a hurl is thrown again with all four dice or not at all; H-6 two 1s foul a hammer throw of one colour
too; H-7 of more than three 6s three count 18 and the others nothing, or with hammer_excess=drop_all none counts; H-8 with six 6s or
more this attempt is scored as any other, and those left are lost; H-9 pips may lift any roll until it is more than the number, or
with height_pips=tie_only only a roll of just that number; H-10 a player may stop before any attempt at a height; H-11 pips are a
number on the sheet, more than six too, and the bonus die shows six of them at most; H-12 one doubles an attempt may be lowered, by
one pip, right when it was thrown, even where it would be a foul, and not a double 1; H-13 a clock outside 9 to 19 is thrown again, or
with caber_outside=lost is an attempt of 0; H-14 a caber six off is worth nothing; H-15 a pip moves the toss one towards the clock;
H-16 who ties shares the better rank, and the next rank is left out; H-17 a lone player is first and gets one pip, or what solo_bonus
says; H-18 pips that are left count 5 each in the morning total, are kept, and count again at the end; H-19 Weight for Height is part
of the afternoon total; H-20 a lone player scores their own dice in the Tug of War even where they lose; H-21 in a sudden death all
four dice of each side are compared; H-22 the higher total pulls first, of equals who plays first in all events, neighbours pull once,
an odd number plays a round robin, or with tug_format=bracket all pull a knock-out, and the best total that won a pull counts; H-23 a
reroll in the Tug of War takes one or two dice, the second time other ones too; H-24 the highest height is that player's own in that
event, 0 if none; H-25 before the first pair the table says which die is the bonus die and which the decider; H-26 the best total wins
the day, and a tie at the top is a joint win.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from table.games.highland.breaks import afternoon, final, first_break, morning, second_break
from table.games.highland.caber import caber_toss
from table.games.highland.dash import farmers_dash
from table.games.highland.day import Day
from table.games.highland.form import FORM
from table.games.highland.haggis import haggis_hurl
from table.games.highland.hammer import hammer_throw
from table.games.highland.sheaf import sheaf_toss
from table.games.highland.shot_put import shot_put
from table.games.highland.tug import tug_of_war
from table.games.highland.weight import weight_for_height
from table.games.start import first_player
from table.rules import words
from table.rules.game import Game, Outcome, Setting, Table
from table.rules.prompts import Choose, Keep, Roll
from table.rules.telling import AskNumber

Event = Callable[[Day, str], Coroutine[Any, Any, int]]


async def play(table: Table) -> Outcome:
    order = table.round_from(await first_player(table)) if len(table.players) > 1 else table.players
    day = Day(table)

    first_break(day, await _events(day, order, farmers_dash, haggis_hurl, hammer_throw))
    await _events(day, order, sheaf_toss)
    mornings = {player: morning(day, player) for player in order}

    second_break(day, await _events(day, order, shot_put, caber_toss))
    await _events(day, order, weight_for_height)
    await tug_of_war(day, order)
    for player in order:
        final(day, player, mornings[player], afternoon(day, player, mornings[player]))
    return _outcome(table)


async def _events(day: Day, order: Sequence[str], *events: Event) -> dict[str, int]:
    """Each player's sum of the events; in each of them everyone goes through all attempts before the next player begins."""
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
    return Outcome(winners, f"{words.listed(winners)} win the day together with {words.points(best)}.")  # H-26


HIGHLAND = Game(
    name="highland",
    doc=__doc__,
    players=range(1, 11),
    settings=(
        Setting("hammer_excess", ("drop_excess", "drop_all"), "of more than three 6s of a hammer throw the surplus is dropped, or all"),
        Setting("height_pips", ("any", "tie_only"), "pips at the bar lift any roll, or only a roll of just the number"),
        Setting("caber_outside", ("reroll", "lost"), "a caber clock outside 9 to 19 is thrown again, or loses the attempt"),
        Setting("solo_bonus", (1, 0, 2, 3, 4, 5), "bonus pips of a lone player at each break"),
        Setting("tug_format", ("pairs", "round_robin", "bracket"), "Tug of War; pairs: neighbours, or all against all if they are odd"),
    ),
    play=play,
    asks=(Roll, Choose, Keep, AskNumber),
    two_colours=True,
    form=FORM,
    answers="""
A reroll is a keep: the dice you keep out of the four; all of them is no reroll. In the Tug of War two or more are kept.
Colours, asked with dice=own only: the colour's name, as in {"choose": "green"}. Run-up: "3-4-5". Hurl: "keep" or "again". Hammer:
"score" or "throw". Heights: first the feet, as in "16"; then "throw" or "concede" before each attempt; on just the number "spend" or
"decider", below it "spend" or "accept". Shot Put: doubles "spend" or "leave", after a pair "stop" or "throw". Caber: pips are a number.
A choice with one answer is not asked: no pips, no question.
A throw's "for" tells what it is: start, first set, second set, run-up, burst, hurl, second hurl, first colour, second colour, sheaf,
decider, shot, clock, toss, weight, opponent, pull, sudden death.
Sudden death: with dice=own one throw of both colours; dice without a colour belong to the colours in the order of the prompt's "dice".
With dice=any each side throws its two dice in turn, who pulled first before the other, and alone you before the opponent.
""",
)
