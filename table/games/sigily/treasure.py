"""The loose pennies on the board, and the fairies' jackpot in the centre with its overflow."""

from __future__ import annotations

from table.games.sigily.topology import ARMS, CENTRE, COINS_AT_START, GATES, RING, Place, clockwise

MAX_IN_THE_JACKPOT = 7


class Treasure:
    """Loose coins by place. start: the sigil from which the overflow goes round."""

    def __init__(self, start: int) -> None:
        self.loose: dict[Place, int] = dict(COINS_AT_START)
        self._overflow = overflow(start)

    @property
    def total(self) -> int:
        return sum(self.loose.values())

    def take(self, place: Place) -> int:
        """The number of coins that lay there. All of them are taken."""
        coins, self.loose[place] = self.loose[place], 0
        return coins

    def drop(self, place: Place, coins: int) -> None:
        self.loose[place] += coins

    def to_jackpot(self, coins: int) -> None:
        """Adds coins one by one: to the centre up to seven, then to the first empty sigil.

        If none is empty, they stay in the centre (S-25).
        """
        for _ in range(coins):
            full = self.loose[CENTRE] >= MAX_IN_THE_JACKPOT
            empty = next((place for place in self._overflow if not self.loose[place]), CENTRE)
            self.loose[empty if full else CENTRE] += 1


def overflow(start: int) -> tuple[Place, ...]:
    """The sigils that the overflow fills, in order: the inner four, the outer four, then the ring.

    Each part goes clockwise from the start.
    """
    gates = sorted(GATES, key=lambda gate: clockwise(start, gate) % RING)
    inner, outer = ([ARMS[gate][i] for gate in gates] for i in (1, 0))
    return (*inner, *outer, *((start + i) % RING for i in range(RING)))
