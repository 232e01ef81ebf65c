"""A race from the order of play to the counting of coins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from table.games.sigily.drawn import laid_out, standing_pieces
from table.games.sigily.end import end_of_race
from table.games.sigily.holidays import start_on
from table.games.sigily.magic import SPELLS
from table.games.sigily.meeting import Meeting, throw_sticks
from table.games.sigily.money import Money
from table.games.sigily.race import HOME, AgreedRules, Race
from table.games.sigily.topology import name
from table.games.sigily.turn import turn
from table.games.start import best_throw
from table.rules import words
from table.rules.game import Implied, Outcome, SettingValue, Table

CHARIOTS = {2: 4, 3: 3}
"""Chariots of each player, by the number of players. Four players agree on three or four."""

PLACES_OF_PLAY = ("begins", "is second", "is third")


async def play(table: Table) -> Outcome:
    table.board = laid_out()
    return await raced(opened(table, await _order(table)))


async def raced(meeting: Meeting) -> Outcome:
    """The outcome of the race. Players take turns until play ends."""
    while True:
        for player in meeting.race.players:
            await turn(meeting, player)
            if meeting.race.over:
                return end_of_race(meeting)


def opened(table: Table, players: Sequence[str]) -> Meeting:
    """The race before its first turn. players: in the order of play."""
    settings = table.settings
    chariots = CHARIOTS.get(len(players), int(settings["chariots"]))
    race = Race(players, start_on(str(settings["date"])), chariots, agreed(settings))
    meeting = Meeting(table, race, Money(table), race.agreed.cards)
    table.pieces = partial(standing_pieces, race)
    for player in players:
        table.rule(
            f"{player} drives for {race.province(player)} and starts at {name(race.start_of(player))}."
        )
        if race.agreed.home:
            quadrant = HOME[race.province(player)]
            table.rule(f"{player} is at home on sigils {quadrant + 1} to {quadrant + 5} (ruling S-2).")
    if race.agreed.teams:
        teams = [words.listed((players[i], players[i + 2])) for i in (0, 1)]
        table.rule(f"{teams[0]} are partners, against {teams[1]}.")
    table.sheet.begin_start()
    if settings["gambling"] == "on":
        meeting.money.all_stake()
    meeting.settle("at the start")
    return meeting


def agreed(settings: Mapping[str, SettingValue]) -> AgreedRules:
    """The rules that these settings turn on."""
    cards = settings["cards"]
    return AgreedRules(
        teams=settings["teams"] == "on",
        home=settings["home"] == "on",
        stacks=settings["stacks"] == "on",
        territorial=settings["territorial"] == "on",
        veil_takes_all=settings["shut_veil"] == "all",
        spells=tuple(s.id for s in SPELLS if settings["magic"] == settings[s.id] == "on"),
        cards=cards if isinstance(cards, int) else None,
    )


def settings_error(settings: Mapping[str, SettingValue]) -> str | None:
    """Why the settings do not fit one another, or None."""
    denied = [spell.id for spell in SPELLS if settings[spell.id] == "off"]
    if denied and settings["magic"] == "off":
        return f"magic is off, so no spell is turned off alone: leave {words.listed(denied)} on"
    return None


def implied(players: Sequence[str], settings: Mapping[str, SettingValue]) -> Implied:
    """The number of chariots that two players always have."""
    return {"chariots": (CHARIOTS[2], "two players")} if len(players) == 2 else {}


# -- the order of play ---------------------------------------------------------------------------------------


async def _order(table: Table) -> tuple[str, ...]:
    """The players in the order of play.

    The highest throw goes first, and the others throw again for the next place. The setting `start` can name
    the first player.
    """
    order: list[str] = []
    left = list(table.players)
    if table.settings["start"] in table.players:
        order.append(str(table.settings["start"]))
        left.remove(order[0])
    while len(left) > 1:
        highest = await _highest(table, left, PLACES_OF_PLAY[len(order)])
        order.append(highest)
        left.remove(highest)
    return (*order, *left)


async def _highest(table: Table, players: Sequence[str], place: str) -> str:
    """The player with the highest throw. Players who tie for it throw again."""

    async def sticks(player: str) -> int:
        return (await throw_sticks(table, player, f", and the highest {place}", "start")).value

    return await best_throw(table, players, sticks, wins=place)
