"""Stakes: what is owed to whom, in whole units, always adding to zero."""

from __future__ import annotations

from enum import Enum

from table.rules.game import Table


class Account(Enum):
    """Who holds units and is no player; no player's name can be taken for one."""

    HOUSE = "the house"
    POT = "the pot"

    def __str__(self) -> str:
        return self.value


HOUSE, POT = Account.HOUSE, Account.POT


class Ledger:
    """Moves units between players, the pot and the house; each payment is written on the sheet of whoever gains or loses by it.

    A player's score is what they are ahead. The pot and the house are no players, and have no sheet.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._others = dict.fromkeys(Account, 0)

    def pay(self, payer: str | Account, payee: str | Account, units: int, reason: str) -> None:
        """Moves units (0 or more) from payer to payee: names of players, POT or HOUSE."""
        if units < 0 or payer == payee:
            raise ValueError(f"no payment: {units} from {payer} to {payee}")
        self._move(payer, -units, reason)
        self._move(payee, units, reason)

    def balance(self, who: str | Account) -> int:
        """What a player, the pot or the house is ahead."""
        return self._others[who] if isinstance(who, Account) else self._table.sheet.total(who)

    @property
    def sum(self) -> int:
        """Of all balances: always 0."""
        return sum(self._others.values()) + sum(self._table.sheet.totals.values())

    def _move(self, who: str | Account, units: int, reason: str) -> None:
        if isinstance(who, Account):
            self._others[who] += units
        else:
            self._table.sheet.score(who, units, reason)
