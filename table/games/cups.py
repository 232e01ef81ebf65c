"""Dice under cups in the bidding games: players with dice left, bids in words, raises, and lifting the cups.

A player's score is the number of dice they have left. It begins at five, and each lost die takes one off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from table.odds.bids import Claim
from table.rules import words
from table.rules.answers import Bid
from table.rules.board import OpenDie
from table.rules.game import Table
from table.rules.sheet import Tally

DICE = 5

TALLY = Tally(
    "A box is a die. Cross it out when it is lost. The last player with dice wins the match.", boxes=DICE
)
ONE = 1
"""The wild face."""

Dice = tuple[int, ...]

Fewest = Callable[[int, Bid], int]
"""The lowest number of dice of a face that raises the bid."""


@dataclass(frozen=True)
class Called:
    """A bid that another player called or challenged."""

    bid: Bid
    bidder: str
    caller: str


def begin(table: Table) -> None:
    """Writes the dice that each player begins with on the sheet."""
    table.sheet.begin_start()
    for player in table.players:
        table.sheet.score(player, DICE, "dice to begin with")


def players_with_dice(table: Table, order: Sequence[str], first: str) -> tuple[str, ...]:
    """The players who have something left, in this order.

    They begin with `first`, or with the next player if `first` has nothing left.
    """
    i = order.index(first)
    return tuple(p for p in (*order[i:], *order[:i]) if table.sheet.total(p))


def dice_in_play(table: Table) -> int:
    return sum(table.sheet.totals.values())


async def hide_all(table: Table, players: Sequence[str]) -> None:
    """All players throw all their dice under their cups."""
    for player in players:
        await table.hide(player, table.sheet.total(player))


async def lift_all(
    table: Table, players: Sequence[str], shown: dict[str, Dice], show: Callable[[Mapping[str, Dice]], None]
) -> Dice:
    """All dice in play, after the cups are lifted in turn.

    shown: by player, the dice that are already in view; those under the cups go into it.
    show: shows the dice in view to everybody, before the next cup is lifted.
    """
    for player in players:
        show(shown)
        seen = shown.get(player, ())
        under = table.sheet.total(player) - len(seen)
        shown[player] = seen + (await table.reveal(player, under) if under else ())
    table.so_far = ""
    return tuple(chain.from_iterable(shown.values()))


def open_dice(face: int, shown: Mapping[str, Dice], wild: bool) -> Iterator[OpenDie]:
    """The dice in view of each player, the lowest face first, with those marked that count for this face."""
    for player, dice in shown.items():
        for die in sorted(dice):
            yield OpenDie(player, die, counting(face, (die,), wild) > 0)


def count_so_far_text(said: str, dice: Sequence[OpenDie]) -> str:
    """'Ben calls Ann's six 3s a lie: three count so far'; without a count while no die is in view."""
    if not dice:
        return said
    there = sum(die.counts for die in dice)
    counted = _number(there) if there else "none"
    return f"{said}: {counted} {'counts' if there == 1 else 'count'} so far"


def counting(face: int, dice: Sequence[int], wild: bool) -> int:
    """The number of dice that count for a bid on this face. wild: 1s count for every face."""
    return sum(d == face or (wild and d == ONE) for d in dice)


# -- bids as text --------------------------------------------------------------------------------------------

_number = partial(words.number, most=words.MOST_IN_WORDS)
"""The number of a bid, which has no upper limit: in words as far as there are any."""


def many(bid: Bid, ones: str) -> str:
    """'five 3s', 'one ace', 'twelve 6s'.

    Beyond all dice, '1,000 × 3': two numbers side by side are hard to read. ones: the name of 1s.
    """
    face = ones if bid.face == ONE else str(bid.face)
    if bid.count > words.MOST_IN_WORDS and face.isdigit():
        return f"{_number(bid.count)} × {face}"
    return f"{_number(bid.count)} {face}{'' if bid.count == 1 else 's'}"


def note_opening(table: Table, player: str, bid: str) -> None:
    """Writes the first bid of a round, in words, below the row of the round on the sheet."""
    table.sheet.note_row(f"{player} bid {bid}")


def note_raise(table: Table, player: str, bid: str) -> None:
    table.sheet.note_row(f", {player} {bid}")


def note_end(table: Table, call: str, counted: str) -> None:
    """Writes after the bids who called and what came to light: 'Cal called it a lie', 'Two dice count'."""
    table.sheet.note_row(f"; {call}: {words.lower_first(counted)}")


def what_counts_text(face: int, dice: Sequence[int], wild: bool, ones: str) -> str:
    """'Six dice count (four 3s and two aces)': beside a bid, so in words as far as a bid is."""
    count = counting(face, dice, wild)
    aces = dice.count(ONE)
    made = (
        f" ({many(Bid(count - aces, face), ones)} and {many(Bid(aces, ONE), ones)})"
        if wild and face != ONE and aces
        else ""
    )
    counted = words.upper_first(words.dice(count, most=words.MOST_IN_WORDS))
    return f"{counted} {'counts' if count == 1 else 'count'}{made}"


def there_are_text(count: int) -> str:
    """'there are six', 'there is one' or 'there are none'."""
    return f"there {'is' if count == 1 else 'are'} {_number(count) if count else 'none'}"


def why_no_raise(bid: Bid, above: Bid, fewest: Fewest, ones: str, otherwise: str) -> str | None:
    """The reason why the bid does not raise the one before, and what would; None if it does raise it."""
    if bid.count >= fewest(bid.face, above):
        return None
    higher, any_face = fewest(6, above), fewest(2, above)
    ways = [f"{_number(higher)} of a higher face"] * (higher < any_face)
    ways += [
        f"{_number(any_face)} of any face from 2 to 6",
        many(Bid(fewest(ONE, above), ONE), ones),
    ]
    verb = "does" if bid.count == 1 else "do"
    least = words.listed(ways, "or")
    return (
        f"{words.upper_first(many(bid, ones))} {verb} not raise {many(above, ones)}: "
        f"bid at least {least}, or {otherwise}."
    )


# -- odds for the coach --------------------------------------------------------------------------------------


def raises(above: Bid, fewest: Fewest) -> tuple[Bid, Bid]:
    """The lowest raise on a number from 2 to 6, and the lowest on 1s."""
    count = fewest(6, above)  # a higher face never needs more dice
    face = next(f for f in range(2, 7) if fewest(f, above) == count)
    return Bid(count, face), Bid(fewest(ONE, above), ONE)


def openings(dice: int, wild: bool) -> list[Claim]:
    """Claims about one face, around its expected number."""
    usual = dice // (3 if wild else 6)
    return [Claim(f"{_number(n)} of a face", n, wild) for n in range(max(1, usual), usual + 3) if n <= dice]
