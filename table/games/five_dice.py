"""5 Dice: Throw six dice, set scoring dice aside, and throw on or stop. After 10,000 there is one last
round, and the highest score wins.

Throw six dice. Set at least one scoring die aside. Then stop, or throw the others. With all six aside, stop
or throw all six again.
If nothing in a throw scores, you are bust: you lose the points of the turn.
Single dice: a 1 scores 100, a 5 scores 50.
Three of a kind: 100 times the face; three 1s score 1,000. Each further die of the kind doubles it.
All six in one throw: a straight, three pairs, or four of a kind and a pair score 1,500.
If dice can score in two ways, the higher counts. Dice of different throws never combine.
To get on the board, you need a turn of at least 1,000 (or less, such as entry=500). Until then you
may not stop below it, not even in the last round.
When a player stops with 10,000 or more, everybody else has one more turn. Then the highest score
wins. Players who tie for it take one more turn each, in the order of the turns, until one leads.
With exact=on, a stop that would pass 10,000 scores nothing, and exactly 10,000 wins at once.
Start: each player throws a die. The highest begins; players who tie throw again.
More than six players draw lots instead.

On the tray: leave the dice you set aside where they lie, pick up all the others and throw them. You need not
tap.
To set all the dice of a throw aside, tap that before you throw again. To stop, tap it or press the hold
button.
Fouls, all void: setting nothing aside, setting a die aside that does not score, throwing a set-aside die
again.

Source: Dice Games of Stonewood (S4).
Rulings: F-1 the game is played with six dice;
F-2 the entry score is needed until you first make it;
F-3 if dice can score in two ways, the higher counts;
F-4 hot dice (all six aside) may be reached over several throws, and throwing on with them is a choice;
F-5 a bust after hot dice loses the whole turn;
F-6 there is one last round, where the entry score still applies; a tie at its top is played off in the order
of the turns;
F-7 with exact=on, a stop beyond 10,000 scores nothing (and puts nobody on the board), and 10,000 wins at
once;
F-8 two triples are two triples;
F-9 six of a kind is never three pairs;
F-10 three pairs score, although pairs alone do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, partial

from table.games.start import highest_die
from table.odds import five_dice as odds
from table.odds import five_dice_turns as turns
from table.rules import words
from table.rules.best_play import Advice, no_odds
from table.rules.game import Game, Outcome, Setting, Table
from table.rules.prompts import Option

GOAL = 10_000
DICE = 6  # F-1
MAX_PLAYERS_TO_THROW_FOR_START = 6
SINGLE = {1: 100, 5: 50}
ALIKE = 3
"""Number of alike dice that score, whatever their face."""
ALL_SIX = 1500
"""The score of a straight, three pairs, or four of a kind with a pair."""


async def play(table: Table) -> Outcome:
    order = table.round_from(await _first(table))
    on_board: set[str] = set()
    leader = ""
    while not leader:
        for player in order:
            await turn(table, player, on_board)
            if table.sheet.total(player) >= GOAL:
                leader = player
                break
    if table.settings["exact"] == "on":  # F-7
        return Outcome((leader,), f"{leader} has exactly {GOAL:,} and wins.")
    return await _last_round(table, order, leader, on_board)


async def _first(table: Table) -> str:
    named = str(table.settings["start"])
    if named in table.players:
        return named
    if len(table.players) <= MAX_PLAYERS_TO_THROW_FOR_START:
        return await highest_die(table)
    options = (Option(p, p) for p in table.players)
    drawn = await table.choose(
        table.players[0], *options, text="More than six play: draw lots, and tap who begins."
    )
    table.rule(f"{drawn} begins.")
    return drawn


async def _last_round(table: Table, order: Sequence[str], leader: str, on_board: set[str]) -> Outcome:
    """The outcome after the last round (F-6). order: of the turns, also for players who tie."""
    table.rule(f"{leader} has {table.sheet.total(leader):,}: one more turn for everybody else.")
    for player in table.round_from(leader)[1:]:
        await turn(table, player, on_board, passing=True)
    leading = _leaders(table, order)
    while len(leading) > 1:
        table.rule(f"{words.listed(leading)} tie with {table.sheet.total(leading[0]):,}: one more turn each.")
        for player in leading:
            await turn(table, player, on_board, "play-off", passing=player == leading[-1])
        leading = _leaders(table, leading)
    winner = leading[0]
    return Outcome((winner,), f"{winner} wins with {table.sheet.total(winner):,}.")


def _leaders(table: Table, among: Sequence[str]) -> tuple[str, ...]:
    best = max(table.sheet.total(p) for p in among)
    return tuple(p for p in among if table.sheet.total(p) == best)


async def turn(
    table: Table, player: str, on_board: set[str], purpose: str = "", passing: bool = False
) -> None:
    """Plays one turn and writes it on the sheet.

    on_board: the players who have made the entry score; this turn may add the player.
    passing: whether only passing the best score of the others can win.
    """
    best_play = _best_play(table, player, player in on_board, passing)
    lead = f"more than {_lead_over(table, player):,} leads"
    table.so_far = f"The last turn: {lead}" if passing else ""
    needed = f" ({lead})" if passing else ""
    aside: tuple[int, ...] = ()
    points = 0
    reasons: list[str] = []
    while True:
        coach = Advice(no_odds, best_play.thrown(points, DICE - len(aside)))
        hot = bool(points) and not aside
        dice = await table.roll(
            player, DICE - len(aside), beside=aside, purpose=purpose, coach=coach, again=hot
        )
        if not scores_at_all(dice):
            lost = f"{points:,} points lost" if points else "nothing lost"  # F-5
            table.rule(f"Nothing scores in {words.listed(dice)}: {player} is bust, {lost}.")
            table.sheet.score(player, 0, f"bust, {lost}")
            break
        coach = Advice(
            partial(odds.of_the_keeps, best_play, points, len(aside), dice),
            best_play.kept(points, len(aside)),
        )
        kept = await table.keep(
            player,
            dice,
            rule=partial(why_not_set_aside, thrown=dice),
            lying_rule=why_not_left_lying,
            text=_keep_text(player, dice),
            coach=coach,
            worth=five_dice_score,
        )
        value = five_dice_score(kept)
        points += value
        reasons.append(f"{words.hyphenated(sorted(kept))} for {value:,}")
        aside = () if len(aside) + len(kept) == DICE else aside + kept  # F-4
        table.so_far = f"{points:,} so far{needed}: {', '.join(reasons)}"
        if not await _throws_on(table, player, points, aside, player in on_board, best_play):
            _stop(table, player, points, reasons, on_board)
            break
    table.so_far = ""


def _lead_over(table: Table, player: str) -> int:
    """By how much the best of the others is ahead of this player, in points."""
    return max(table.sheet.total(p) for p in table.players if p != player) - table.sheet.total(player)


def _best_play(table: Table, player: str, on_board: bool, passing: bool) -> turns.Turn:
    aim = turns.Aim(
        least=0 if on_board else table.number("entry"),
        most=GOAL - table.sheet.total(player) if table.settings["exact"] == "on" else None,
        to_pass=_lead_over(table, player) if passing else None,
    )
    return turns.Turn(aim, five_dice_score)


async def _throws_on(
    table: Table, player: str, points: int, aside: tuple[int, ...], on_board: bool, best_play: turns.Turn
) -> bool:
    """Whether the player throws on. A player below the entry score, not yet on the board, must do so."""
    entry, dice_left = table.number("entry"), DICE - len(aside)
    if not on_board and points < entry:  # F-2
        needed = f"{player} has {points:,} of the {entry:,} needed to get on the board, and throws on."
        table.rule(needed, task=True)
        return True
    too_many = " (too many, so it scores nothing)" if _passes(table, player, points) else ""
    stop = Option("stop", f"Stop with {points:,}{too_many}")
    on = Option("throw_on", f"Throw {words.dice(dice_left)}", throws=dice_left, beside=aside)
    coach = Advice(
        partial(odds.of_throwing_on, best_play, points, dice_left), best_play.chosen(points, dice_left)
    )
    return await table.choose(player, stop, on, coach=coach) == "throw_on"


def _stop(table: Table, player: str, points: int, reasons: list[str], on_board: set[str]) -> None:
    if _passes(table, player, points):  # F-7
        table.rule(f"{player} would pass {GOAL:,} with {points:,}: the turn scores nothing.")
        table.sheet.score(player, 0, f"{points:,} would pass {GOAL:,}")
        return
    on_board.add(player)
    table.sheet.score(player, points, ", ".join(reasons))


def _passes(table: Table, player: str, points: int) -> bool:
    """Whether a stop would pass the goal, if only exactly the goal wins."""
    return table.settings["exact"] == "on" and table.sheet.total(player) + points > GOAL


# -- scoring: pure functions ---------------------------------------------------------------------------------


def five_dice_score(dice: Sequence[int]) -> int:
    """The best score of dice set aside together; 0 if one of them does not score in the set."""
    return _score(tuple(sorted(dice)))


@cache
def _score(dice: tuple[int, ...]) -> int:
    counts = Counter(dice)
    parts = [_of_a_kind(face, n) for face, n in counts.items()]
    by_groups = sum(parts) if all(parts) else 0
    return max(by_groups, ALL_SIX if _uses_all_six(counts) else 0)  # F-3


def _of_a_kind(face: int, n: int) -> int:
    """The score of n dice of one face.

    Three score 100 times the face (1s: 1,000), and each further die doubles it. Fewer score only as single 1s
    or 5s.
    """
    if n >= ALIKE:
        return (1000 if face == 1 else 100 * face) << (n - ALIKE)
    return SINGLE.get(face, 0) * n


def _uses_all_six(counts: Counter[int]) -> bool:
    shape = sorted(counts.values())
    return shape in ([1] * 6, [2, 2, 2], [2, 4])  # F-8, F-9, F-10


def scores_at_all(dice: Sequence[int]) -> bool:
    """Whether any die of this throw can be set aside."""
    counts = Counter(dice)
    return bool(counts[1] or counts[5] or max(counts.values(), default=0) >= ALIKE or _uses_all_six(counts))


def best_score(dice: Sequence[int]) -> int:
    """The best score of any set of these dice."""
    counts = Counter(dice)
    by_groups = sum(_of_a_kind(face, n) for face, n in counts.items())
    return max(by_groups, ALL_SIX if _uses_all_six(counts) else 0)


def why_not_set_aside(kept: tuple[int, ...], thrown: tuple[int, ...] = ()) -> str | None:
    """The reason why these dice cannot be set aside; None if they can.

    At least one die must be set aside, and each must score in the set. thrown: the throw that they are from.
    """
    too_few = next((f for f in kept if f not in SINGLE and kept.count(f) < ALIKE <= thrown.count(f)), None)
    if too_few and not five_dice_score(kept):
        return f"{too_few}s score from {words.number(ALIKE)} on: keep at least so many of them, or none."
    return _why_not(kept, "leave {them} out")


def why_not_left_lying(kept: tuple[int, ...]) -> str | None:
    """The reason why dice that were left lying, while the others were thrown, are not set aside."""
    return _why_not(kept, "pick {them} up")


def _why_not(kept: tuple[int, ...], instead: str) -> str | None:
    """instead: what to do with "{them}", the dice that do not score."""
    if not kept:
        return "Set at least one scoring die aside."
    if five_dice_score(kept):
        return None
    idle = sorted(f for f in kept if not _of_a_kind(f, kept.count(f)))
    named = words.listed(f"the {f}" if n == 1 else f"the {f}s" for f, n in Counter(idle).items()).capitalize()
    verb, them = ("does", "it") if len(idle) == 1 else ("do", "them")
    among = f" in {words.listed(kept)}" if len(set(kept)) > 1 else ""
    return f"{named} {verb} not score{among}; {instead.format(them=them)}."


def _keep_text(player: str, dice: tuple[int, ...]) -> str:
    if len(dice) == 1:
        return f"{player}: set the {dice[0]} aside. It is worth {best_score(dice):,}."
    return f"{player}: which scoring dice do you set aside? They are worth {best_score(dice):,} at most."


FIVE_DICE = Game(
    name="five_dice",
    doc=__doc__,
    players=range(2, 11),
    minutes=(25, 50),
    settings=(
        Setting(
            "entry", (1000, 750, 500, 0), "points that you need in one turn to get on the board", "Entry"
        ),
        Setting(
            "exact",
            ("off", "on"),
            "on: exactly 10,000 wins at once, and a stop beyond it scores nothing",
            "Exactly 10,000",
        ),
    ),
    best_play="""
Best play has the most points of a turn on average, whatever the others have and however near 10,000 is: the
race has too many scores to be solved. In the last round, and for the last player of a play-off, it has the
best chance to pass the best score so far, where a tie counts half. With exact=on, points beyond 10,000 count
nothing.
""",
    play=play,
    start="highest die thrown, or lots drawn by more than six players",
)
