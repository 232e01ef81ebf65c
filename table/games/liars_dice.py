"""Liar's Dice: Raise the bid on the dice under all cups, or call it a lie. The last player with dice wins.

Each player has five dice and a cup. Each throws one die for a seat: sit clockwise from the highest to the
lowest. Players who tie throw again for their places. The highest opens.
All throw under their cups and look only at their own dice. The first player bids a face and a number: at
least so many dice under all the cups show it. Aces (1s) are wild and count as every face. Clockwise, each
player then raises the bid or calls it a lie.
Raise: bid more dice of any face, or as many of a higher face. To go over to aces, bid at least half as many,
rounded up: from five 3s to three aces. From aces, bid more aces, or at least twice as many and one of another
face: from three aces to seven 4s.
Call: all the cups are lifted. If there are at least as many dice as were bid, the caller loses a
die. Otherwise the bidder loses one. The player who lost it opens the next round; if that player is out, the
next player to the left opens.
The last player with dice wins.
Reveal round: when you come down to one die, you open the next round. Aces are not wild in it (but may be the
face), and only the number of dice goes up.

On the tray: throw the die for your seat there. After that, keep your cup beside the tray. When the cups are
lifted, slide your dice onto the tray as they lie, one player after the other.
On the page: tap when your dice lie under the cup, and tap your bid or call.
Fouls: a bid that is not higher, another face in a reveal round, a call out of turn or before there is a bid,
and too few or too many dice when the cups are lifted are refused. If dice move under a cup, only you can see
it: put them back as they lay.

Source: Dice Games of Stonewood (S4).
Rulings: L-1 opening on aces is not forbidden, so it is allowed, but not with open_aces=off;
L-2 exactly as many as were bid is right, and the caller loses;
L-3 aces may be the face of a reveal round, where they count as plain 1s; this also holds with open_aces=off;
L-4 each player has one reveal round, right after the loss that leaves them one die, also with two players
left and also if both have one die;
L-5 the order of the seats is that of the dice, from the highest down, and players who tie throw again for
their places;
L-6 a bid has no upper limit;
L-7 half the dice, rounded up, is the least when you go over to aces, and more may be bid;
L-8 nobody can call a bid exact, and lost dice do not come back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from table.games import cups
from table.games.cups import ONE, Called, Dice, dice_in_play, many, players_with_dice
from table.odds.bids import Claim, of_bid, of_claims
from table.rules import words
from table.rules.answers import Bid, Chosen
from table.rules.entered_prompts import AskBid, Hidden
from table.rules.game import HIGHEST, Game, Outcome, Setting, Table
from table.rules.prompts import Coach, Option, Roll


async def play(table: Table) -> Outcome:
    cups.begin(table)
    order = await order_of_play(table)
    opener, reveal = order[0], False
    while len(players := players_with_dice(table, order, opener)) > 1:
        loser = await play_round(table, players, reveal)
        reveal = table.sheet.total(loser) == 1  # L-4: dice never come back, so each player has one
        if reveal:
            table.rule(
                f"{loser} is down to one die: "
                "a reveal round, where aces are not wild and the face of the first bid stays."
            )
        opener = loser  # if out of dice, the next to the left: see living()
    winner = players[0]
    return Outcome(
        (winner,), f"{winner} is the last with dice ({words.dice(table.sheet.total(winner))}) and wins."
    )


async def order_of_play(table: Table) -> tuple[str, ...]:
    """The players clockwise, with the opener first.

    They sit in the order of the dice they throw. If the setting `start` names the opener, nobody throws, and
    they sit as they were entered.
    """
    first = str(table.settings["start"])
    if first != HIGHEST:
        return table.round_from(first)
    order = table.seat_order = await _by_their_dice(table, table.players)
    table.rule(f"Sit clockwise in this order: {words.listed(order)}. {order[0]} opens.")
    return order


async def _by_their_dice(table: Table, players: Sequence[str]) -> tuple[str, ...]:
    """The players from the highest die down; players who tie throw again for their places (L-5)."""
    thrown: dict[str, int] = {}
    for player in players:
        (thrown[player],) = await table.roll(player, 1, why=" for your seat", purpose="start")
        table.so_far = ", ".join(f"{p} threw {face}" for p, face in thrown.items())
    table.so_far = ""
    order: list[str] = []
    for face in sorted(set(thrown.values()), reverse=True):
        tied = [p for p in players if thrown[p] == face]
        if len(tied) > 1:
            table.so_far = f"{words.listed(tied)} tie with {face} and throw again for their places"
            table.rule(f"{table.so_far}.")
            tied = list(await _by_their_dice(table, tied))
        order = order + tied
    return tuple(order)


async def play_round(table: Table, players: Sequence[str], reveal: bool) -> str:
    """The player who loses a die in one round. The first of `players` opens."""
    table.sheet.begin_round()
    await cups.hide_all(table, players)
    called = await bidding(table, players, reveal)
    table.rule(f"{_call(called, reveal)}.")
    shown: dict[str, Dice] = {}
    dice = await cups.lift_all(table, players, shown, partial(_show_count, table, called, reveal))
    _show_lifted(table, called.bid, reveal, shown)
    return _rule_on(table, called, dice, reveal)


def _call(called: Called, reveal: bool) -> str:
    return f"{called.caller} calls {called.bidder}'s {_many(called.bid, reveal)} a lie"


def _show_count(table: Table, called: Called, reveal: bool, shown: Mapping[str, Dice]) -> None:
    """Shows the dice that came to light, and says how many of them count."""
    _show_lifted(table, called.bid, reveal, shown)
    table.so_far = cups.count_so_far_text(_call(called, reveal), table.lifted)


def _show_lifted(table: Table, bid: Bid, reveal: bool, shown: Mapping[str, Dice]) -> None:
    """Shows the dice in view, with those marked that count, until the next bid is asked for."""
    table.lifted = tuple(cups.open_dice(bid.face, shown, _wild(bid, reveal)))


async def bidding(table: Table, players: Sequence[str], reveal: bool) -> Called:
    """The bid that is called at the end of the bidding."""
    table.lifted = ()
    bid = await _opening(table, players[0], reveal)
    bidder = players[0]
    cups.note_opening(table, bidder, _many(bid, reveal))
    while True:
        table.so_far = f"{words.dice(dice_in_play(table))} are in play"
        player = players[(players.index(bidder) + 1) % len(players)]
        said = await _raise_or_call(table, player, bidder, bid, reveal)
        if not isinstance(said, Bid):
            return Called(bid, bidder, player)
        bid, bidder = said, player
        cups.note_raise(table, bidder, _many(bid, reveal))


async def _opening(table: Table, player: str, reveal: bool) -> Bid:
    text = f"{player}: {'reveal round. How' if reveal else 'how'} many dice of which face do you bid?"
    on_aces = reveal or table.settings["open_aces"] == "on"  # L-1, L-3
    coach = partial(of_claims, dice_in_play(table), cups.openings(dice_in_play(table), wild=not reveal))
    return await AskBid.opening(
        player,
        text,
        lambda bid: why_not_open(bid, on_aces),
        coach,
        in_play=dice_in_play(table),
        chance_of=_chance_of(table, reveal),
    )


async def _raise_or_call(table: Table, player: str, bidder: str, bid: Bid, reveal: bool) -> Bid | Chosen:
    call = Option("call", "Call it a lie")
    text = (
        f"{player}: {'reveal round. Raise' if reveal else 'raise'} {bidder}'s {_many(bid, reveal)}, or call?"
    )
    coach = _coach(table, bid, reveal)
    return await AskBid.raising(
        player,
        text,
        lambda b: why_not_raise(b, bid, reveal),
        bid,
        call,
        coach=coach,
        in_play=dice_in_play(table),
        chance_of=_chance_of(table, reveal),
    )


def _rule_on(table: Table, called: Called, dice: tuple[int, ...], reveal: bool) -> str:
    """The player who loses a die by the call; the result is written on the sheet."""
    bid = _many(called.bid, reveal)
    there = cups.counting(called.bid.face, dice, wild=not reveal)
    right = there >= called.bid.count  # L-2
    loser = called.caller if right else called.bidder
    verdict = "was right" if right else "was wrong"
    counted = cups.what_counts_text(called.bid.face, dice, not reveal, ONES[reveal])
    cups.note_end(table, f"{called.caller} called it a lie", counted)
    table.rule(f"{counted}: {called.bidder}'s bid of {bid} {verdict}, and {loser} loses a die.")
    table.sheet.score(loser, -1, "lost a die", told=True)  # the note below the round says why
    if not table.sheet.total(loser):
        table.rule(f"{loser} has no dice left and is out.")
    return loser


# -- legal bids: pure functions ------------------------------------------------------------------------------

ONES = {False: "ace", True: "1"}
"""The name of 1s, by whether this is a reveal round."""


def _many(bid: Bid, reveal: bool) -> str:
    return many(bid, ONES[reveal])


def why_not_open(bid: Bid, on_aces: bool) -> str | None:
    """The reason why this bid cannot open a round; None if it can."""
    if bid.face == ONE and not on_aces:
        return f"Nobody opens on aces here, and {many(bid, ONES[False])} came: bid on a face from 2 to 6."
    return None


def why_not_raise(bid: Bid, above: Bid, reveal: bool) -> str | None:
    """The reason why the bid does not raise the one before; None if it does."""
    if not reveal:
        return cups.why_no_raise(bid, above, fewest, ONES[False], "call")
    if bid.face == above.face and bid.count > above.count:
        return None
    least = _many(Bid(above.count + 1, above.face), reveal)
    return (
        f"In a reveal round only the number of {above.face}s goes up, "
        f"and {_many(bid, reveal)} came: bid at least {least}, or call."
    )


def fewest(face: int, above: Bid) -> int:
    """The lowest number of dice of a face that raises this bid, when aces are wild."""
    if above.face == ONE:
        return above.count + 1 if face == ONE else 2 * above.count + 1
    if face == ONE:
        return (above.count + 1) // 2  # L-7
    return above.count if face > above.face else above.count + 1


def _coach(table: Table, bid: Bid, reveal: bool) -> Coach:
    """The odds of the bid and of the lowest raises."""
    following = (Bid(bid.count + 1, bid.face),) if reveal else cups.raises(bid, fewest)
    claims = [Claim(f"{_many(bid, reveal)}, as bid", bid.count, _wild(bid, reveal))]
    claims += [Claim(f"{_many(b, reveal)}, as a raise", b.count, _wild(b, reveal)) for b in following]
    return partial(of_claims, dice_in_play(table), claims)


def _chance_of(table: Table, reveal: bool) -> Callable[[Bid], Fraction]:
    """The chance of each bid in this round."""
    hidden = dice_in_play(table)
    return lambda bid: of_bid(bid.count, hidden, _wild(bid, reveal))


def _wild(bid: Bid, reveal: bool) -> bool:
    return bid.face != ONE and not reveal


LIARS_DICE = Game(
    name="liars_dice",
    doc=__doc__,
    players=range(2, 11),
    minutes=(5, 25),
    settings=(
        Setting(
            "open_aces", ("on", "off"), "whether you may open a round with a bid on aces", "Opening on aces"
        ),
    ),
    play=play,
    tally=cups.TALLY,
    scores_count=("die", "dice"),
    prompt_types=(Roll, Hidden, AskBid),
    start="highest die thrown for a seat",
    answer_notes="""
A bid is one or more dice of a face from 1 (aces) to 6. It has no upper limit. The ID to call is "call".
The throw with "for": "reveal" is the dice of one player when the cups are lifted. Until the next bid, the
lines have the dice that came to light, {"player": "Ann", "face": 4, "counts": true} if it counts for the bid,
under "lifted".
The prompts go to the players in the order of their seats, and a ruling before the first round gives this
order.
If the setting start names a player, nobody throws for seats, and the players sit in the order in which they
are named.
The score is the number of dice left.
""",
)
