"""Players and settings from the command line."""

from __future__ import annotations

from collections.abc import Sequence

from table.common.colours import COLOURS
from table.common.errors import UnreadableAnswer
from table.rules import words
from table.rules.game import Seat


def seats_from_text(text: str) -> tuple[Seat, ...]:
    """The seats in "Ann,Ben", "Ann:green,Ben:red" or, for two colours each, "Ann:green+white,...".

    Raises UnreadableAnswer if a colour is unknown.
    """
    return tuple(_seat(part.strip()) for part in text.split(",")) if text.strip() else ()


def _seat(text: str) -> Seat:
    name, colon, colours = text.partition(":")
    colour, plus, second = colours.partition("+")
    for each in [colour] * bool(colon) + [second] * bool(plus):
        if each not in COLOURS:
            raise UnreadableAnswer(
                f"a colour is {words.listed(COLOURS, 'or')};"
                f" got “{words.short(each)}” for {words.short(name)}"
            )
    return Seat(name.strip(), colour or None, second or None)


def settings_from_text(pairs: Sequence[str]) -> dict[str, str]:
    """The settings in ["entry=500", ...]; raises UnreadableAnswer if one has no “=” or comes twice."""
    settings: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UnreadableAnswer(
                f"a setting is written name=value, such as entry=500; got “{words.short(pair)}”"
            )
        if name.strip() in settings:
            raise UnreadableAnswer(
                f"a setting is given once; got {words.short(name.strip())}={settings[name.strip()]}"
                f" and {words.short(pair)}; leave one of them out"
            )
        settings[name.strip()] = value.strip()
    return settings
