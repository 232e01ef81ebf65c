"""Real money beside the race: the pot, paid out by coins, and private bets.

It never changes the coins of the race or its scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table.rules import words
from table.rules.answers import Bet
from table.rules.entered_prompts import AskBets
from table.rules.game import Table
from table.rules.prompts import Option

STAKES = {2: 26, 3: 17, 4: 14}
"""Units that each player puts into the pot, by the number of players."""

POT = None
"""The key of the pot among those who hold money. No player can have this name."""


class Money:
    """How far each player is ahead in money, in whole units.

    The sum with the pot is always zero. Each payment is noted on the sheet.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._ahead: dict[str | None, int] = dict.fromkeys((*table.players, POT), 0)

    def ahead(self, who: str | None) -> int:
        return self._ahead[who]

    @property
    def sum(self) -> int:
        return sum(self._ahead.values())

    def pay(self, payer: str | None, payee: str | None, units: int, reason: str) -> None:
        for who, change in ((payer, -units), (payee, units)):
            self._ahead[who] += change
            if who is not None and units:
                self._table.sheet.note(who, f"{change:+} in money", reason)

    def all_stake(self) -> None:
        stake = STAKES[len(self._table.players)]
        for player in self._table.players:
            self.pay(player, POT, stake, "put into the pot")

    def pay_out(self, coins: Mapping[str, int]) -> None:
        """Pays the pot out, and says who is paid less if it is short. coins: in the order of play."""
        if shortage(coins):
            self._table.rule(_short_text(coins))
        for player, units in payouts(coins).items():
            self.pay(POT, player, units, "paid from the pot")

    def describe(self) -> str:
        """How far each player is ahead, in the order of the seats."""
        return words.listed(f"{player} {words.signed(self._ahead[player])}" for player in self._table.players)


def payouts(coins: Mapping[str, int]) -> dict[str, int]:
    """What each player gets from the pot: one unit for each coin.

    Three players have 51 in the pot, so the richest gets one less; of several richest, the first in the order
    of play. Four have 56, so each gets one more (S-15). coins: in the order of play.
    """
    over = max(0, _pot(coins) - sum(coins.values()))
    paid = {player: n + over // len(coins) for player, n in coins.items()}
    paid[_richest(coins)[0]] -= shortage(coins)
    return paid


def shortage(coins: Mapping[str, int]) -> int:
    """How many units the pot has less than the players have coins; 0 if it has enough."""
    return max(0, sum(coins.values()) - _pot(coins))


def _pot(coins: Mapping[str, int]) -> int:
    return STAKES[len(coins)] * len(coins)


def _richest(coins: Mapping[str, int]) -> list[str]:
    """The players with the most coins, in the order of play."""
    return [player for player, n in coins.items() if n == max(coins.values())]


def _short_text(coins: Mapping[str, int]) -> str:
    payer, *others = _richest(coins)
    why = (
        f"{words.listed((payer, *others))} are the richest, and {payer} comes first in the order of play"
        if others
        else f"{payer} is the richest"
    )
    return f"The pot is {words.number(shortage(coins))} short: {why}, so {payer} is paid that less."


# -- private bets (random gambling) --------------------------------------------------------------------------


async def offer_bets(table: Table, asked: str, on: Sequence[Option], what: str) -> list[tuple[Bet, str]]:
    """The bets on a throw or a fight that somebody takes, each with the player who takes it.

    The stakes are even.
    """
    agreed: list[tuple[Bet, str]] = []
    while True:
        close = Option("close", "No bets, or no more")
        bet = await AskBets(
            asked, f"{asked}: does anybody bet on {what}?", table.players, tuple(on), (close,)
        )
        if not isinstance(bet, Bet):
            return agreed
        taker = await _taker(table, bet)
        if taker:
            agreed.append((bet, taker))


async def _taker(table: Table, bet: Bet) -> str:
    """The player who bets against it, "" if nobody will. Both sides must agree."""
    others = [Option(p, p) for p in table.round_from(bet.player)[1:]]
    text = f"{bet.player}: does anybody bet {bet.stake:,} against your “{bet.on}”?"
    taken = await table.pick(bet.player, others, text, most=1)
    return taken[0] if taken else ""


def settle_bets(money: Money, bets: Sequence[tuple[Bet, str]], happened: str) -> None:
    for bet, taker in bets:
        won, lost = (bet.player, taker) if bet.on == happened else (taker, bet.player)
        money.pay(lost, won, bet.stake, f"bet of {bet.player} on “{bet.on}”, against {taker}")
