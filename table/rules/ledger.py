"""Stakes between players, pot and house, in whole units. The sum of all balances is always 0."""

from __future__ import annotations

from enum import Enum

from table.rules.game import Table


class Account(Enum):
    """The holders of units that are not players. An Account never equals the name of a player."""

    HOUSE = "the house"
    POT = "the pot"

    def __str__(self) -> str:
        return self.value


HOUSE, POT = Account.HOUSE, Account.POT


class Ledger:
    """Moves units between players, pot and house, and writes each payment on the sheets of the players.

    A player's score is their gain, negative for a loss. The pot and the house have no sheet.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._others = dict.fromkeys(Account, 0)

    def pay(
        self,
        payer: str | Account,
        payee: str | Account,
        units: int,
        reason: str,
        settles: bool = False,
        heading: str = "",
        payee_reason: str = "",
    ) -> None:
        """Moves units (0 or more) from payer to payee. Both are names of players, POT or HOUSE.

        reason: for the payer's sheet, and for the payee's too unless payee_reason is given.
        settles: whether the payment belongs to the last line of a player, such as a stake, not to a new line.
        heading: all payments of a player in a round under the same heading, such as its dice, share a line.
        """
        if units < 0 or payer == payee:
            raise ValueError(f"no payment: {units} from {payer} to {payee}")
        for who, gain, why in ((payer, -units, reason), (payee, units, payee_reason or reason)):
            if isinstance(who, Account):
                self._others[who] += gain
            else:
                self._write(who, gain, why, settles, heading)

    def balance(self, who: str | Account) -> int:
        """The gain of a player, the pot or the house, units; negative for a loss."""
        return self._others[who] if isinstance(who, Account) else self._table.sheet.total(who)

    @property
    def sum(self) -> int:
        """The sum of all balances: always 0."""
        return sum(self._others.values()) + sum(self._table.sheet.totals.values())

    def _write(self, player: str, units: int, reason: str, settles: bool, heading: str) -> None:
        sheet = self._table.sheet
        if settles:
            sheet.settle(player, units, reason)
        elif heading:
            sheet.score_under(heading, player, units, reason)
        else:
            sheet.score(player, units, reason)
