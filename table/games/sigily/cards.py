"""Solar sigils: the extra throw for landing on one, and the question cards that go with it."""

from __future__ import annotations

from enum import Enum

from table.games.sigily.meeting import Meeting
from table.games.sigily.topology import SOLAR, Place, first_solar, name
from table.rules import words
from table.rules.prompts import Option


class Bonus(Enum):
    """What a landing adds to the throws of the turn."""

    EXTRA = "an extra throw"
    DENIED = "an extra throw that cannot follow"
    NONE = "nothing"
    LOST = "the end of the turn, whatever else was earned"


async def solar_bonus(meeting: Meeting, player: str, start: int, place: Place, more: bool) -> Bonus:
    """What a landing on this place adds.

    start: the start of the unit that landed (S-5). more: whether an extra throw can follow. If none can, no
    card is drawn.
    """
    if place not in SOLAR:
        return Bonus.NONE
    if meeting.cards is None and place == first_solar(start):
        meeting.says(
            words.sentence(f"{name(place)} is the first solar sigil after the start, and brings no throw.")
        )
        return Bonus.NONE
    if not more:
        return Bonus.DENIED
    if meeting.cards is None:
        return Bonus.EXTRA
    if not meeting.cards:
        meeting.says("No question cards are left, so the extra throw needs none.")
        return Bonus.EXTRA
    return await _question(meeting, player, place)


async def _question(meeting: Meeting, player: str, place: Place) -> Bonus:
    """What the answer to a question card adds.

    The others judge it (S-24), and the card is torn up in either case.
    """
    assert meeting.cards is not None
    players = meeting.race.players
    judge = players[(players.index(player) + 1) % len(players)]
    how = (
        "Do you find it good?"
        if len(players) == 2
        else "Do the others find it good? If they disagree, its author decides."
    )
    text = f"{judge}: {player} draws a question card and answers. {how}"
    good = (
        await meeting.table.choose(
            judge, Option("good", "A good answer"), Option("not_good", "Not good"), text=text
        )
        == "good"
    )
    meeting.cards -= 1
    meeting.settle(f"question card on {name(place)}")
    if good:
        meeting.says(f"{player} answers well on {name(place)} and gets an extra throw.")
        return Bonus.EXTRA
    meeting.says(f"{player} does not answer well on {name(place)}: there is no free throw of any kind.")
    return Bonus.LOST
