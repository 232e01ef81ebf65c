"""The fairy land: the darts at the start of each turn in it, and the veil in front of it."""

from __future__ import annotations

from table.games.sigily.drawn import coins_text
from table.games.sigily.meeting import Meeting
from table.games.sigily.race import Unit, on_gate
from table.games.sigily.topology import is_green, name
from table.odds import sigily as odds
from table.rules import words
from table.rules.prompts import Odds

OPENS_THE_VEIL = (1, 2)
DARTS_STRIKE = 1


async def fairy_darts(meeting: Meeting, player: str) -> None:
    """Throws the darts for each of the player's units that begins the turn on green.

    The centre counts too (S-29). A whole unit has one throw (S-32).
    """
    for unit in [u for u in meeting.race.units_of(player) if is_green(u.place)]:
        why = f" for the fairy darts at chariot {unit.id}, on {name(unit.place)}"
        thrown = await meeting.throw(player, why, "darts", _odds_of_darts)
        if thrown.value == DARTS_STRIKE:
            _struck(meeting, unit)
        else:
            meeting.says(words.sentence(f"{thrown}: the fairy darts miss {unit}."))


def _struck(meeting: Meeting, unit: Unit) -> None:
    coins, place = unit.coins, name(unit.place)
    meeting.race.pay(unit, coins)
    gate = name(meeting.race.send_to_gate(unit))
    lost = f"{coins_text(coins)} go to the jackpot" if coins != 1 else "1 coin goes to the jackpot"
    meeting.says(
        f"Aon: the fairy darts strike {unit}. {words.sentence(lost)} "
        f"It is back on {gate} and may not enter there again."
    )
    meeting.settle(f"fairy darts on {place}")


def may_enter(unit: Unit) -> bool:
    return on_gate(unit) and unit.place not in unit.barred


async def veil_opens(meeting: Meeting, unit: Unit) -> bool:
    """Whether the veil opens. A special throw before the normal one decides it."""
    gate = name(unit.place)
    thrown = await meeting.throw(unit.owner, f" to cross the veil at {gate}", "veil", _odds_of_the_veil)
    if thrown.value in OPENS_THE_VEIL:
        meeting.says(
            words.sentence(f"{thrown}: the veil opens. {unit.owner} throws for chariot {unit.id} to go in.")
        )
        return True
    takes = (
        "no free throw follows"
        if meeting.race.agreed.veil_takes_all
        else "a ceither or a coig brings no free throw"
    )
    meeting.says(
        words.sentence(
            f"{thrown}: the veil stays shut. Chariot {unit.id} goes round by the ring, and {takes}."
        )
    )
    return False


def _odds_of_darts() -> tuple[Odds, ...]:
    return (Odds("the darts strike", odds.DARTS_HIT),)


def _odds_of_the_veil() -> tuple[Odds, ...]:
    return (Odds("the veil opens", odds.VEIL_OPENS),)
