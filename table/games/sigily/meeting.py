"""A race meeting: the table, the race on it, its money and its question cards. All sticks are thrown here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from table.games.sigily.drawn import drawn
from table.games.sigily.money import Money, offer_bets, settle_bets
from table.games.sigily.race import Race
from table.games.sigily.sticks import NAMES, STICKS, Toss, toss
from table.rules.answers import Bet
from table.rules.game import Table
from table.rules.prompts import Coach, Option

ON_A_THROW = tuple(Option(name, f"{name}, {value}") for value, name in NAMES.items())


@dataclass
class Meeting:
    """A race with its table. cards: question cards left, or None without that rule."""

    table: Table
    race: Race
    money: Money
    cards: int | None

    def says(self, text: str) -> None:
        self.table.rule(text)

    def settle(self, reason: str) -> None:
        """Counts the coins (S-36), writes changes on the sheet and draws the board.

        Call it after anything has moved.
        """
        self.race.check()
        for player in self.table.players:
            change = self.race.coins_of(player) - self.table.sheet.total(player)
            if change:
                self.table.sheet.score(player, change, reason)
        self.table.board = partial(drawn, self.race, self.cards)

    async def throw(
        self, player: str, why: str, purpose: str, coach: Coach | None = None, bets: bool = True
    ) -> Toss:
        """A throw of the sticks. bets: whether players can bet on it."""
        taken = await self.bets_on(player, ON_A_THROW, f"{player}'s throw{why}") if bets else []
        thrown = await throw_sticks(self.table, player, why, purpose, coach)
        self.settle_bets(taken, NAMES[thrown.value])
        return thrown

    async def bets_on(self, asked: str, on: Sequence[Option], what: str) -> list[tuple[Bet, str]]:
        """The private bets that two players agree on. Empty unless random gambling is agreed on."""
        return (
            await offer_bets(self.table, asked, on, what) if self.table.settings["side_bets"] == "on" else []
        )

    def settle_bets(self, bets: Sequence[tuple[Bet, str]], happened: str) -> None:
        settle_bets(self.money, bets, happened)

    def coach(self, advice: Coach) -> Coach:
        """Advice on the race as it stands now. It is empty once the race has gone on."""
        at = self.table.sheet.at
        return lambda: advice() if self.table.sheet.at == at else ()

    @property
    def sticks(self) -> str:
        return str(self.table.settings["sticks"])


async def throw_sticks(table: Table, player: str, why: str, purpose: str, coach: Coach | None = None) -> Toss:
    kind = str(table.settings["sticks"])
    what = "sticks" if kind == "ogham" else "coins"
    faces = await table.throw_sticks(
        player, STICKS[kind], purpose=purpose, coach=coach, text=f"{player}: throw the four {what}{why}."
    )
    return toss(faces)
