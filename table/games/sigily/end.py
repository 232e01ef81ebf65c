"""The end of a race: sharing out the coins on the board, counting all coins and giving two prizes.

One prize is for speed and one for wealth.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.games.sigily.drawn import coins_text
from table.games.sigily.meeting import Meeting
from table.games.sigily.race import Race
from table.rules import words
from table.rules.game import Outcome


def fastest(race: Race) -> tuple[str, ...]:
    """The winner of the race: the first player whose chariots are all home.

    With teams, the first two partners, in the order they finished. Raises ValueError if nobody has finished.
    """
    done: list[str] = []
    for player in race.done:
        done.append(player)
        partner = race.partner(player)
        if partner is None:
            return (player,)
        if partner in done:
            return (partner, player)
    raise ValueError(f"nobody has finished: {race.done}")


def shares(unclaimed: int, winners: Sequence[str], losers: Sequence[str]) -> dict[str, int]:
    """Each player's part of the unclaimed coins (S-16).

    The winners get two thirds, rounded down, which partners halve. The losers get the rest, one by one in the
    order of play.
    """
    won = unclaimed * 2 // 3
    half, odd = divmod(won, len(winners))
    parts = {player: half + (odd if i == 0 else 0) for i, player in enumerate(winners)}
    for i in range(unclaimed - won):
        loser = losers[i % len(losers)]
        parts[loser] = parts.get(loser, 0) + 1
    return parts


def end_of_race(meeting: Meeting) -> Outcome:
    race = meeting.race
    fast = fastest(race)
    _share_out(meeting, fast)
    coins = {p: race.coins_of(p) for p in race.players}
    most = max(coins.values())
    rich = tuple(p for p in meeting.table.players if coins[p] == most)
    won = {p: _prizes(p, fast, rich) for p in meeting.table.players}
    _written(meeting, won, coins)
    if meeting.table.settings["gambling"] == "on":
        meeting.money.pay_out(coins)
    prizes = {p: words.listed(each) for p, each in won.items() if each}
    return Outcome(tuple(prizes), _reason(fast, rich, most) + _money_text(meeting), prizes=prizes)


def _prizes(player: str, fast: tuple[str, ...], rich: tuple[str, ...]) -> list[str]:
    return [prize for prize, who in (("speed", fast), ("wealth", rich)) if player in who]


def _share_out(meeting: Meeting, fast: tuple[str, ...]) -> None:
    race = meeting.race
    losers = [p for p in race.players if p not in fast]
    unclaimed = race.treasure.total
    for place in race.treasure.loose:
        race.treasure.take(place)
    parts = shares(unclaimed, fast, losers)
    for player, coins in parts.items():
        race.stored[player] += coins
    text = words.listed(f"{coins} to {player}" for player, coins in parts.items() if coins)
    meeting.says(f"{coins_text(unclaimed)} left on the board: {text}.")
    meeting.settle("of what was left on the board")


def _written(meeting: Meeting, won: dict[str, list[str]], coins: dict[str, int]) -> None:
    """Writes a line for each player, with the coins at the end. won: the prizes of each."""
    for player, prizes in won.items():
        prize = f", wins the prize of {words.listed(prizes)}" if prizes else ""
        meeting.table.sheet.note(player, coins[player], f"coins at the end{prize}")


def _reason(fast: tuple[str, ...], rich: tuple[str, ...], most: int) -> str:
    speed = f"{words.listed(fast)} {'wins' if len(fast) == 1 else 'win'} the race"
    tie = " tie for the prize of wealth" if len(rich) > 1 else " wins the prize of wealth"
    return f"Speed: {speed}. Wealth: {words.listed(rich)}{tie} with {coins_text(most)}."


def _money_text(meeting: Meeting) -> str:
    agreed = any(meeting.table.settings[name] == "on" for name in ("gambling", "side_bets"))
    return f" In money: {meeting.money.describe()}." if agreed else ""
