"""Fouls of hands: each has a name, the shared rule that it breaks, and a sentence.

The sentence says what happened and what to do.

Knocks and tidying are not fouls. Where a foul is not certain, a person is asked, or only informed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

RULES: Mapping[str, str] = {
    "G4": (
        "A die that leans, lies on another die or left the tray is not read."
        " Throw it again alone, before anything else."
    ),
    "G5": "A throw of the wrong dice is void. Put all dice back as they were, and make the right throw.",
    "G6": "Dice that were moved or turned without a throw are put back as they were read. That face counts.",
    "G9": "A throw in place of a choice makes that choice, if it can mean only one. Otherwise it is void.",
    "G10": "An extra throw is void. The throw before it counts.",
}
"""The rules common to all games that the table applies on the tray, by number."""


@dataclass(frozen=True)
class Foul:
    """A foul of hands.

    name: for people. rule: of the shared rules. sentence: what happened and what to do, with placeholders.
    """

    name: str
    rule: str
    sentence: str

    def text(self, **fields: str) -> str:
        return self.sentence.format(**fields).strip()


TURNED = Foul(
    "turned by hand", "G6", "Foul: {dice} turned by hand. {still}: put {it} back with that face up."
)
LAID = Foul("laid down instead of thrown", "G6", "Foul: {dice} laid down instead of thrown. Throw {it}.")
SET_ASIDE = Foul(
    "a set-aside die thrown again",
    "G5",
    "Foul, {dice} set aside {were} thrown again ({faces}). The throw is void: put {it} back as {they} {were}."
    " {prompt}",
)
SET_ASIDE_MISSING = Foul(
    SET_ASIDE.name,
    SET_ASIDE.rule,
    "Foul, a die set aside was thrown again: {faces} should lie aside."
    " The throw is void: put them back as they were. {prompt}",
)
STANDING = Foul(
    "dice that stood thrown again",
    "G5",
    "Foul: dice that stood were thrown again ({faces}). The throw is void: put {it} back as {they} lay,"
    " and throw the rest alone, or type the throw.",
)
WRONG_COUNT = Foul(
    "extra or missing dice",
    "G5",
    "Wrong dice: {came} came to rest, {wanted} expected; the throw is void. {prompt}",
)
NO_SUCH_COUNT = Foul("extra or missing dice", "G5", "Wrong dice: {why} The throw is void. {prompt}")
COLOURS = Foul("another player's colours", "G5", "{why} The throw is void. {prompt}")
OUT_OF_TURN = Foul("out of turn", "G5", "Out of turn: no throw was awaited, so this one is void. {prompt}")
IN_THE_OPEN = Foul(
    "thrown in the open", "G5", "Dice in the open do not count where a cup hides them. {prompt}"
)
TOO_MANY = Foul(
    "too many throws",
    "G10",
    "Too many throws: no throw was awaited, so this one is void; the last one stands. {prompt}",
)
IN_DOUBT = Foul(
    "thrown again while in doubt", "G10", "Foul: thrown again while in doubt. The first throw stands."
)

FOULS = (
    TURNED,
    LAID,
    SET_ASIDE,
    SET_ASIDE_MISSING,
    STANDING,
    WRONG_COUNT,
    NO_SUCH_COUNT,
    COLOURS,
    OUT_OF_TURN,
    IN_THE_OPEN,
    TOO_MANY,
    IN_DOUBT,
)
"""All fouls of hands."""
