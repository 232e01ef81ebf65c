"""Mia: Two dice under one cup, announced higher each time. Believe it or call liar. The first player without
lives loses.

Each player has six lives. Throw two dice under a cup, and hide from the others what they show. The value is
the higher die as tens and the lower as ones.
Values from the top: 21 (Mia), the doubles 66 to 11, then 65, 64, 63, 62, 61, 54, 53, 52, 51, 43, 42, 41, 32,
31.
Announce a value, true or not, and pass the cup clockwise. The first value of a round may be any.
The next player can believe it: throw, look or not, and announce a higher value.
Or the next player calls liar and lifts the cup. If the dice show less than announced, the passer loses a life
and the caller begins the next round. Otherwise the caller loses a life and the player after the caller
begins.
After a Mia: the next player gives up for one life, or looks. A true Mia costs two lives; anything else costs
the passer one.
With pass_on=on, you can also pass the cup on unseen and not thrown, with the same or a higher value. The
player who announced last answers for it.
The first player without lives loses, and all others win. With play=last_standing, the others play on until
one is left.
Start: each player throws a die. The highest begins; players who tie throw again.

On the tray: throw and look beside the tray, where the camera sees nothing. To call liar, lift the cup over
the tray, and the two dice are read as they lie. A die beside the tray may count your lives.
On the page: tap when the dice lie under the cup. Tap the value you announce, that you believe, or that you
give up.
Fouls: a value that is not higher, or that two dice cannot show (56, 12, 60), is refused. After a call nothing
is thrown. Nobody may look under the cup before saying whether they believe; only the players can see that.

Source: Dice Games of Stonewood (S4).
Rulings: M-1 after a Mia, as after any call, the receiver begins if the passer lost, otherwise the player
after the receiver;
M-2 the highest die begins the game, and the first announcement of a round may be anything;
M-3 a player with one life who looks at a true Mia is out;
M-4 passing on is off unless you agree on it; its same or higher value is the exception to always announcing
more, and the player who announced last answers for the dice;
M-5 a throw as high as announced is no lie;
M-6 nothing is above Mia, so you cannot believe it or pass it on, only look or give up;
M-7 nobody has fewer than 0 lives;
M-8 the first player out ends the game, but with play=last_standing the others play on;
M-9 announcing less than the throw is safe against a call.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from table.games.cups import players_with_dice
from table.games.start import first_player
from table.odds import mia as odds
from table.rules import words
from table.rules.entered_prompts import Hidden
from table.rules.game import Game, Outcome, Setting, Table
from table.rules.prompts import Choose, DiceGroup, Option, Roll
from table.rules.sheet import Tally

LIVES = 6
DICE = 2
VALUES = (21, 66, 55, 44, 33, 22, 11, 65, 64, 63, 62, 61, 54, 53, 52, 51, 43, 42, 41, 32, 31)
"""All values, from high to low."""
TOP = VALUES[0]
"""The value of Mia."""


@dataclass(frozen=True)
class Cup:
    """The cup that goes round: who threw the dice, who announced last, and the announced value."""

    thrower: str
    announcer: str
    value: int


async def play(table: Table) -> Outcome:
    table.sheet.begin_start()
    for player in table.players:
        table.sheet.score(player, LIVES, "lives to begin with")
    starter = await first_player(table)  # M-2
    while True:
        starter = await play_round(table, starter)
        if _over(table):
            return _outcome(table)
        starter = players_with_dice(table, table.players, starter)[0]


async def play_round(table: Table, starter: str) -> str:
    """The player who begins the next round, after one round in which a player loses lives.

    This player may have no lives left.
    """
    table.sheet.begin_round()
    cup = await throw(table, starter, VALUES)
    table.sheet.note_row(f"{starter} announced {_named(cup.value)}")
    while True:
        receiver = _next(table, cup.announcer)
        table.so_far = f"{cup.announcer} announces {_named(cup.value)}"
        said = await answer(table, receiver, cup)
        if said == "believe":
            cup = await throw(table, receiver, above(cup.value))
            table.sheet.note_row(f", {receiver} {_named(cup.value)}")
        elif said == "pass":  # M-4
            value = await announce(table, receiver, (*above(cup.value), cup.value))
            cup = replace(cup, announcer=receiver, value=value)
            table.sheet.note_row(f", {receiver} {_named(value)} unseen")
        else:
            table.so_far = f"{receiver} doubts {cup.announcer}'s {_named(cup.value)}"
            starter = await _end_of_round(table, receiver, cup, said)
            table.so_far = ""
            return starter


async def throw(table: Table, player: str, allowed: tuple[int, ...]) -> Cup:
    """The cup after the player throws the dice under it and announces one of these values."""
    text = f"{player}: throw {_dice(table, player)} under the cup, and say when that is done."
    await table.hide(player, DICE, text=text + _to_announce(allowed))
    return Cup(player, player, await announce(table, player, allowed))


def _to_announce(allowed: tuple[int, ...]) -> str:
    """What the player who throws has to announce then, as a sentence; "" where it may be anything."""
    if allowed == VALUES:
        return ""
    return f" Then announce {_named(allowed[-1])}{' or higher' if len(allowed) > 1 else ''}."


async def announce(table: Table, player: str, allowed: tuple[int, ...]) -> int:
    """The value that the player announces. If only Mia is left, there is no choice."""
    if len(allowed) == 1:
        table.rule(f"Only {_named(allowed[0])} is left to announce, so {player} does.")
        return allowed[0]
    options = (Option(str(value), "21, Mia" if value == TOP else str(value)) for value in allowed)
    least = allowed[-1]
    if least == VALUES[-1]:
        return int(await table.choose(player, *options, text=f"{player}: what do you announce?"))
    coach = partial(odds.of_announcing, VALUES, least)
    return int(
        await table.choose(player, *options, text=f"{player}: announce {least} or higher.", coach=coach)
    )


async def answer(table: Table, receiver: str, cup: Cup) -> str:
    """The receiver's choice: believe, liar or pass; after an announced Mia, give_up or look."""
    options: tuple[Option, ...]
    if cup.value == TOP:  # M-6
        options = (
            Option("give_up", "Give up for one life"),
            Option("look", "Look: two lives if it is true", throws=DICE),
        )
        text = f"{receiver}: {cup.announcer} announces Mia. Give up, or look?"
    else:
        options = (
            Option("believe", "Believe it, and throw", hides=True),
            Option("liar", "Call liar, and lift the cup", throws=DICE),
        )
        text = f"{receiver}: {cup.announcer} announces {cup.value}. Believe it, or call liar?"
        if table.settings["pass_on"] == "on":
            options = (*options, Option("pass", "Pass the cup on unseen"))
            text = f"{receiver}: {cup.announcer} announces {cup.value}. Believe it, call liar, or pass it on?"
    return await table.choose(
        receiver, *options, text=text, coach=partial(odds.of_answering, VALUES, cup.value)
    )


async def _end_of_round(table: Table, receiver: str, cup: Cup, said: str) -> str:
    """The player who begins the next round, after a player loses lives.

    This is the receiver if the passer lost, otherwise the player after the receiver.
    """
    if said == "give_up":
        table.lift_cups()
        table.rule(f"{receiver} does not look, and loses a life.")
        table.sheet.note_row(f"; {receiver} gave up")
        _lose(table, receiver, 1)
        return table.after(receiver)  # M-1
    real = await _look(table, receiver, cup)
    there = f"{_named(real)} lay under the cup"
    table.sheet.note_row(f"; {receiver} {'looked' if said == 'look' else 'called liar'}: {there}")
    doubt = f"looks at {cup.announcer}'s Mia" if said == "look" else f"calls {cup.announcer} a liar"
    found = f"{receiver} {doubt}: {_ranked(real)} lay under the cup"
    if ranks_below(real, cup.value):
        table.rule(f"{found}, less than {_ranked(cup.value)}, and {cup.announcer} loses a life.")
        _lose(table, cup.announcer, 1)
        return receiver
    # The passer loses nothing: M-5, M-9.
    lost = min(2 if cup.value == TOP else 1, table.sheet.total(receiver))  # M-3, M-7
    enough = "as announced" if real == cup.value else f"more than {_ranked(cup.value)}"
    table.rule(f"{found}, {enough}, and {receiver} loses {_lives(lost)}.")
    _lose(table, receiver, lost)
    return table.after(receiver)


async def _look(table: Table, receiver: str, cup: Cup) -> int:
    """The value of the dice under the cup, once the receiver lifts it; they may be another player's dice."""
    group = DiceGroup(DICE, table.colour(cup.thrower))
    text = f"{receiver}: lift the cup off the {words.dice(group.count, group.colour)}, as they lie."
    return value_of((await table.throw(receiver, (group,), purpose="reveal", text=text)).faces)


def _lose(table: Table, player: str, lives: int) -> None:
    """Takes lives that a ruling says are lost; the note below the round says why."""
    table.sheet.score(player, -lives, f"lost {_lives(lives)}", told=True)
    if not table.sheet.total(player):
        table.rule(f"{player} has no lives left.")


def _over(table: Table) -> bool:
    """Whether the game is over (M-8)."""
    left = [p for p in table.players if table.sheet.total(p)]
    return len(left) == 1 or (len(left) < len(table.players) and table.settings["play"] == "first_loser")


def _outcome(table: Table) -> Outcome:
    left = tuple(p for p in table.players if table.sheet.total(p))
    if table.settings["play"] == "last_standing":
        return Outcome(left, f"{left[0]} is the last with lives and wins.")
    (loser,) = (p for p in table.players if p not in left)
    win = "wins" if len(left) == 1 else "win"
    return Outcome(left, f"{loser} is the first without lives and loses; {words.listed(left)} {win}.")


def _next(table: Table, player: str) -> str:
    """The next player clockwise who has lives."""
    return players_with_dice(table, table.players, table.after(player))[0]


# -- values: pure functions ----------------------------------------------------------------------------------


def value_of(dice: tuple[int, ...]) -> int:
    """Ten times the higher die, plus the lower die."""
    return 10 * max(dice) + min(dice)


def above(value: int) -> tuple[int, ...]:
    """The higher values, from the highest down."""
    return VALUES[: VALUES.index(value)]


def ranks_below(real: int, announced: int) -> bool:
    return VALUES.index(real) > VALUES.index(announced)


def _named(value: int) -> str:
    return "Mia" if value == TOP else str(value)


def _ranked(value: int) -> str:
    """The value beside another one: a double is above what has the larger number."""
    return f"{value} (a double)" if value % 11 == 0 else _named(value)


def _lives(count: int) -> str:
    return "a life" if count == 1 else "two lives"


def _dice(table: Table, player: str) -> str:
    return words.dice(DICE, table.colour(player))


MIA = Game(
    name="mia",
    doc=__doc__,
    players=range(2, 11),
    minutes=(5, 10),
    settings=(
        Setting(
            "pass_on",
            ("off", "on"),
            "on: you may pass the cup on unseen, with the same or a higher value",
            "Pass on unseen",
        ),
        Setting(
            "play",
            ("first_loser", "last_standing"),
            "",
            "End",
            ("the first player without lives loses, and all others win", "the last player with lives wins"),
        ),
    ),
    play=play,
    tally=Tally(
        "A box is a life. Cross it out when it is lost. The first player without lives loses the match.",
        boxes=LIVES,
        after=("Loser",),
    ),
    scores_count=("life", "lives"),
    one_cup=True,
    prompt_types=(Roll, Hidden, Choose),
    answer_notes="""
The id of a value is the value as written, from high to low: 21 (Mia), 66, 55, 44, 33, 22, 11, 65, 64, 63,
62, 61, 54, 53, 52, 51, 43, 42, 41, 32, 31.
After an announcement, the ids are "believe", "liar" and, with pass_on=on, "pass". After a Mia, they are
"give_up" and "look". After "believe", the throw under the cup comes first, then the announcement. After a
believed 66 there is no prompt for the announcement, because only 21 is left.
The throw with "for": "reveal" is the dice under the lifted cup. The score is the number of lives left.
""",
)
