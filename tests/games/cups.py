"""Rounds with dice under cups, for the tests of the bidding games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.games.night import Night


def hide(night: Night) -> Night:
    """All players throw under their cups."""
    while night.prompt.kind == "hidden":
        night.ready()
    return night


def lift(night: Night, dice: Mapping[str, Sequence[int]]) -> Night:
    """All players reveal their dice, in the order of the prompts."""
    while night.match.prompt is not None and night.prompt.to_json().get("for") == "reveal":
        night.throws(*dice[night.turn])
    return night


def dice_of(night: Night) -> int:
    """The number of dice that the prompt awaits."""
    prompt = night.prompt.to_json()
    return int(sum(group["count"] for group in prompt["dice"]))
