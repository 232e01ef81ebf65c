"""Stakes: what is owed to whom, in whole units, always adding to zero."""

from __future__ import annotations

from table.rules.game import Table

HOUSE = "the house"
POT = "the pot"


class Ledger:
    """Moves units between players, the pot and the house; each payment is written on the sheet of whoever gains or loses by it.

    A player's score is what they are ahead. The pot and the house are no players, and have no sheet.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._others = {HOUSE: 0, POT: 0}

    def pay(self, payer: str, payee: str, units: int, reason: str) -> None:
        """Moves units (0 or more) from payer to payee: names of players, POT or HOUSE."""
        if units < 0 or payer == payee:
            raise ValueError(f"no payment: {units} from {payer} to {payee}")
        self._move(payer, -units, reason)
        self._move(payee, units, reason)

    def balance(self, who: str) -> int:
        """What a player, the pot or the house is ahead."""
        return self._others[who] if who in self._others else self._table.sheet.total(who)

    @property
    def sum(self) -> int:
        """Of all balances: always 0."""
        return sum(self._others.values()) + sum(self._table.sheet.totals.values())

    def _move(self, who: str, units: int, reason: str) -> None:
        if who in self._others:
            self._others[who] += units
        else:
            self._table.sheet.score(who, units, reason)
