"""High Rollin': Stack your dice on four shared towers, get rid of your pile, and let nothing fall.

Setup: with two players, each takes four dice of each colour; with three players, three; with four players,
two and one more die. One more die of each of the four colours is thrown: these are the bases of towers 1 to
4.
Each player throws one die at the start of a round. The lowest begins; players who tie throw again.
Turn: take five dice of any colours from your pile (all, if you have fewer) and throw them. A die fits on a
tower whose top has another colour and the same face. A 1 fits on any face and any face on a 1, but never on
its own colour. You must stack all that fits, one die after the other, in the order and on the towers that you
like.
If dice are left over, end the turn without a score (they go back to your pile), or throw them again. Once all
five are stacked, you score the sum of the four tops.
Penalty: if nothing of a throw fits, carry dice off the highest tower to your pile: as many as the highest
face thrown, but never the base. Use one hand and touch only the lowest. Your turn is over, and what you had
not stacked goes back to your pile.
Falling dice: after a throw, a placement or a penalty, all wait five seconds. If dice fall from a tower or
your hand, your turn is over without a score. Every other player gets 2 points for each that then shows 4, 5
or 6, and 1 for each other. Those with 4, 5 or 6 go to your pile, and the others leave the round. If only dice
that you carried fall, all of them go to your pile.
Going out: when you have stacked the last die of your pile, you get 1 point for each die in the others' piles,
and also the tops if the turn began with five. That ends the round. Scores are kept for the next.
The first with more than 100 wins the game at once. The first to win two games wins the match. If three
different players have won one, the highest winning score wins it. With match=one_game, you play a single
game.

On the tray: throw your dice there; the table sees each die's colour. Tap which dice you take. Build the
towers where the camera sees them, at least two dice apart, and set up the four bases before you throw. Then
put a die on a tower, and take your hand away: the table sees which die stands where, and you need no tap. If
it is not sure, it asks, the likeliest first. You may also tap a placement before you make it. If something
falls, the table asks about that: one tap confirms the dice and their faces. Otherwise tap that something
fell, then which dice. Going on says that nothing fell. Slide fallen dice onto the tray as they lie. To throw
again, throw all that is left over. Towers out of the camera's view are possible: then tap each placement.
A thrown die that rests on or against a tower is lifted off and read. Only tower dice that move have fallen.
Fouls: a die on its own colour, another face without a 1, a turned die, ending or throwing again while a die
fits, more dice than were taken, a base die removed, a wrong tower or count in a penalty: all are
undone. Touching more than the lowest die that you carry brings only a warning, if nothing falls.

Source: High Rollin' (S1), by Michael Petty.
Rulings: R-1 all that fits must be stacked, but you choose the order and the towers, even if another order
would stack more;
R-2 a wild 1 counts 1 in the sum of the tops and as the highest face of a penalty;
R-3 the colour rule looks only at the die directly beneath;
R-4 among several highest towers, the penalised player chooses;
R-5 a penalty on a tower of height 1 takes nothing, and the turn is still over;
R-6 unstacked dice go back to the pile after a penalty or a fall too;
R-7 when a failed penalty also makes tower dice fall, all fallen dice go by the general rule (4 to 6 to the
pile, 1 to 3 out), and carried dice that did not fall go to the pile;
R-8 a base die is never taken, and one that is tipped or shoved is put back with its former face and does not
count as fallen; the dice that were on it do;
R-9 dice that drop in the five seconds after the last placement cancel the score;
R-10 a game ends with more than 100, so 100 plays on;
R-11 if several players pass 100 at once, the highest score wins, and while they are equal play goes on;
R-12 a pile emptied by a fall ends the round, but nobody goes out;
R-13 a turn begun with fewer than five dice never scores the tops: stacking them all is going out;
R-14 every other player gets the points of a fall in full;
R-15 in each round, a new throw decides who begins;
R-16 equal highest winning scores make joint winners of the match;
R-17 a thrown die that rests on or against a tower is lifted off and read, or thrown again if its face is not
plain; only tower dice that move make a fall;
R-18 what stood on a fallen die fell with it.
"""

from __future__ import annotations

from table.games.colours import coloured, named
from table.games.high_rollin.drawn import PRINTED, show, show_bare
from table.games.high_rollin.towers import DEALT, Round, dealt
from table.games.high_rollin.turn import turn
from table.games.start import first_player, lowest_die
from table.rules import words
from table.rules.entered_prompts import Pick
from table.rules.game import LOWEST, Game, Outcome, Setting, Table
from table.rules.prompts import Choose, DiceGroup, Roll

GOAL = 100
GAMES_WON = 2
"""Won games that win the match. After one more game without that, the highest winning score wins it."""

COLOURS = ("red+green+blue+yellow", "red+green+blue+white", "black+white+red+blue")


async def play(table: Table) -> Outcome:
    if table.settings["match"] == "one_game":
        winner = await play_game(table, first=True)
        return Outcome((winner,), f"{winner} wins with {table.sheet.total(winner)}.")
    won: list[tuple[str, int]] = []
    while True:
        table.games_won = {player: [p for p, _ in won].count(player) for player in table.players}
        outcome = match_outcome(won)
        if outcome:
            return outcome
        if won:
            winner, score = won[-1]
            table.rule(f"{winner} wins game {len(won)} with {score}; all begin at 0 again.")
            table.sheet.begin_again(f"game {len(won) + 1} begins")
        winner = await play_game(table, first=not won)
        won.append((winner, table.sheet.total(winner)))
        table.sheet.note(winner, f"won game {len(won)}", f"with {won[-1][1]}")


def match_outcome(won: list[tuple[str, int]]) -> Outcome | None:
    """The outcome of the match after these games; None while it goes on. won: (winner, score) of each."""
    winners = [player for player, _ in won]
    if winners and winners.count(winners[-1]) == GAMES_WON:
        return Outcome((winners[-1],), f"{winners[-1]} wins two games, and the match.")
    if len(won) <= GAMES_WON:
        return None
    best = max(score for _, score in won)
    leaders = tuple(player for player, score in won if score == best)
    if len(leaders) > 1:
        return Outcome(
            leaders, f"{words.listed(leaders)} each won a game with {best}: joint winners of the match."
        )
    return Outcome(
        leaders,
        f"Three players won a game each; {leaders[0]} had the highest score, {best}, and wins the match.",
    )


async def play_game(table: Table, first: bool) -> str:
    """The winner of one game of any number of rounds. first: the setting `start` may name who begins."""
    while True:
        winner = await play_round(table, first)
        if winner:
            return winner
        table.rule("The round is over, and the game is not: a new round is set up.")
        first = False


async def play_round(table: Table, first: bool) -> str | None:
    """The winner of the game, if one round brings one; None if the round ends with an empty pile."""
    round_ = await set_up(table)
    player = await (first_player(table, lowest_die) if first else lowest_die(table))
    while True:
        before = table.sheet.totals
        await turn(table, round_, player)
        leaders = over_goal(table.sheet.totals)
        if len(leaders) == 1:
            return leaders[0]
        if len(leaders) > 1 and table.sheet.totals != before:
            total = table.sheet.total(leaders[0])
            table.rule(f"{words.listed(leaders)} tie with {total}: play goes on until one leads.")
        if not round_.left(player):
            return None
        player = table.after(player)


def over_goal(scores: dict[str, int]) -> tuple[str, ...]:
    """The leaders with more than the goal; empty if nobody has more."""
    best = max(scores.values())
    return tuple(p for p, score in scores.items() if score == best > GOAL)


async def set_up(table: Table) -> Round:
    """The round at its start: the piles are dealt and the base dice are thrown."""
    table.towers = ()
    colours = tuple(str(table.settings["colours"]).split("+"))
    piles = dealt(table.players, colours)
    count = words.number(DEALT[len(table.players)])
    table.rule(f"Each player takes {count} dice of each colour{_extras(table, colours)}.")
    groups = [DiceGroup(1, colour) for colour in colours]
    thrower = table.players[0]
    show_bare(table)
    text = f"{thrower}: throw one die of each colour, {words.listed(colours)}, for the towers."
    bases = coloured(table, groups, await table.throw(thrower, groups, purpose="base", text=text))
    round_ = Round(colours, [[die] for die in bases], piles)
    show(table, round_)
    where = words.listed(f"tower {i} {named(die)}" for i, die in enumerate(bases, start=1))
    how = "an inch or two apart, at the corners of a small square, clockwise"
    table.rule(f"Set these four dice {how}: {where}.", task=True)
    return round_


def _extras(table: Table, colours: tuple[str, ...]) -> str:
    if len(table.players) < len(colours):
        return ""
    one_more = words.listed(f"{p} {c}" for p, c in zip(table.players, colours, strict=True))
    return f", and one more: {one_more}"


HIGH_ROLLIN = Game(
    name="high_rollin",
    doc=__doc__,
    players=range(2, 5),
    minutes=(45, 90),
    settings=(
        Setting("colours", COLOURS, "the four colours of the dice"),
        Setting(
            "match",
            ("three_games", "one_game"),
            "",
            "Match",
            ("the first player to win two games wins", "you play a single game"),
        ),
    ),
    play=play,
    start="lowest die thrown in the first round",
    start_value=LOWEST,
    own_dice=False,
    printed_board=PRINTED,
    prompt_types=(Roll, Choose, Pick),
    board_notes="""
A spot is a tower, from tower1 to tower4. Its text has the height and the dice, from the top down. The notes
have the dice in each player's pile by colour, and those out of the round.
""",
    answer_notes="""
To take dice: {"pick": ["red1", "red2", "green1", ...]}, any five ids. An id is a colour and a number. The
prompt is left out if there is nothing to choose.
To stack a die: {"choose": "red5>2"} puts the red 5 on tower 2. After stacking: "end" or "again".
If a die stands on another one and may have fallen since the last answer, "fell" is one more option. Any
other choice says that nothing fell. If there is nothing else to choose, the options are "nothing" and
"fell".
If only one placement is possible and nothing can have fallen, the table makes it, and a ruling says so.
Dice that fell: {"pick": ["t2.3"]} is tower 2, third die from below (die 1 is the base), and all dice above
it. The prompt is left out if only one die can have fallen. A roll with "for": "fell" follows: the faces of
the fallen dice as they lie.
Penalty: choose the tower, "1" to "4", if several are the highest. Then choose "clean" if nothing fell,
"tipped" if only carried dice fell, or "fell" if dice of the towers fell, with or without carried ones. The
same pick and roll follow. Carried dice keep the ids that they had in their tower.
Thrown dice without a colour get the missing colours, in the order of the prompt's dice.
""",
)
