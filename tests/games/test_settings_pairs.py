"""Every setting beside every other one of its game: it changes something, or there is no other choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

import pytest

from table.games import GAMES
from table.rules.game import Game, Seat, Setting
from table.rules.match import Match
from tests.games import playing
from tests.games.test_contract import fits, values_to_try

pytestmark = pytest.mark.slow

SEEDS = 300
"""The most matches that are compared. A payment for any triple needs most of them."""

MAX_ANSWERS = 3_000


def pairs() -> Iterator[tuple[str, dict[str, str], Setting]]:
    """A game with a setting beside another one, and the setting whose effect is looked for."""
    for name, game in GAMES.items():
        settings = game.settings_for(["Ann", "Ben"])
        for setting in settings:
            for value in tried(setting):
                yield name, {setting.name: value}, setting
                for other in settings:
                    if other is not setting:
                        yield from (
                            (name, {setting.name: value, other.name: v}, setting) for v in tried(other)
                        )


def tried(setting: Setting) -> list[str]:
    return ["Ben"] if setting.name == "start" else [str(value) for value in values_to_try(setting)[-1:]]


PAIRS = [pytest.param(*pair, id=f"{pair[0]} {pair[1]}") for pair in pairs()]


@pytest.mark.parametrize(("name", "given", "setting"), PAIRS)
def test_a_setting_beside_another_has_an_effect_or_no_other_value(
    name: str, given: dict[str, str], setting: Setting
) -> None:
    game, other = GAMES[name], given | {setting.name: str(setting.default)}
    tables = [playing.make_seats(n, "own" in given.values()) for n in game.players if n <= 6]
    tables = [seats for seats in tables if all(fits(game, seats, tuple(g.items())) for g in (given, other))]
    assert not tables or any(differ(game, seats, given, other, s) for s in range(SEEDS) for seats in tables)


def differ(
    game: Game, seats: Sequence[Seat], given: Mapping[str, str], other: Mapping[str, str], seed: int
) -> bool:
    """Whether the same random answers lead to something else with the other settings."""
    rng, settings = Random(seed), (given, other) if seed % 2 else (other, given)
    match, beside = (Match(game, seats, raw) for raw in settings)
    for _ in range(MAX_ANSWERS):
        if seen(match) != seen(beside):
            return True
        if match.prompt is None:
            return False
        answer = playing.random_answer(match.prompt, rng)
        if beside.prompt is None or answer not in beside.prompt:
            return True
        match, beside = (m.after(m.answered(answer)) for m in (match, beside))
    return False


def seen(match: Match) -> object:
    """What players see of the match, but for its board."""
    prompt = match.prompt.to_json() if match.prompt else None
    return prompt, match.scores, match.outcome, [r.text for r in match.rulings[-8:]]
