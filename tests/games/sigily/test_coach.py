"""Sigily: the coach's odds, compared with counts and with played fights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from random import Random

import pytest

from table.games.sigily.fights import chance_to_win
from table.games.sigily.sticks import ANIMALS, STICKS, Toss, higher, toss
from table.odds import sigily as odds
from table.rules.entered_prompts import OGHAM
from tests.games.sigily.race_night import RaceNight, fireball, magic


def test_the_chances_of_four_sticks_are_exact() -> None:
    assert [odds.VALUES[v] * 16 for v in range(1, 6)] == [4, 6, 4, 1, 1]
    assert sum(odds.VALUES.values()) == 1
    assert odds.tosses(STICKS["ogham"], toss)[Toss(1, ANIMALS.index("horse"))] == Fraction(1, 16)
    assert Fraction(1, 8) == odds.FREE_THROW
    assert Fraction(1, 4) == odds.DARTS_HIT
    assert Fraction(5, 8) == odds.VEIL_OPENS


def test_the_chance_to_win_a_fight_matches_a_count() -> None:
    """In 256 pairs of throws the attacker wins `won` and loses `lost`; the other pairs are thrown again."""
    throws = [toss(f) for f in every_throw(OGHAM)]
    assert len(throws) == 16
    won, lost = (sum(sign * higher(a, b, 1) > 0 for a in throws for b in throws) for sign in (1, -1))
    assert chance_to_win("ogham", 1) == Fraction(won, won + lost)
    assert chance_to_win("ogham", -1) == 1 - chance_to_win("ogham", 1)
    assert chance_to_win("coins", 1) > Fraction(1, 2)


def every_throw(sticks: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    first, *rest = sticks
    return [(face, *others) for face in first for others in (every_throw(rest) if rest else [()])]


def test_the_chance_to_win_a_fight_matches_played_fights() -> None:
    rng, won, n = Random(7), 0, 20_000
    throws = [toss(f) for f in every_throw(OGHAM)]
    for _ in range(n):
        verdict = 0
        while not verdict:
            verdict = higher(rng.choice(throws), rng.choice(throws), 1)
        won += verdict > 0
    assert won / n == pytest.approx(float(chance_to_win("ogham", 1)), abs=0.012)


def test_the_chances_of_stacks_and_fireballs_are_exact() -> None:
    half = Fraction(1, 2)
    assert odds.paired(half, 1, 1) == odds.paired(half, 2, 2) == half
    assert odds.paired(half, 2, 1) == Fraction(3, 4)
    assert odds.paired(Fraction(1), 1, 3) == 1
    throws = odds.tosses(STICKS["coins"], toss)
    one = odds.beats_all(throws, partial(higher, plus=1), 1)
    assert one == chance_to_win("coins", 1)
    assert odds.beats_all(throws, partial(higher, plus=1), 2) < one
    target, caster = odds.fireball()
    assert target == Fraction(10, 16) / (1 - Fraction(1, 64))
    assert target + caster < 1


def test_the_coach_gives_odds_for_free_throws_homecoming_and_fights() -> None:
    night = RaceNight(units=[("Ann", [1], 21, 0), ("Ben", [1], 2, 0), ("Ben", [2], 22, 0)])
    assert night.odds == {
        "a ceither or a coig, which gives a free throw": Fraction(1, 8),
        "chariot 1 can come home": Fraction(6, 16),
        "chariot 1 can land on Ben's chariot 2": Fraction(4, 16),
        "the new chariot can land on Ben's chariot 1": Fraction(6, 16),
    }
    night.tosses("aon")
    assert night.odds == {"chariot 1 wins against Ben's chariot 2 on sigil 22": chance_to_win("ogham", 1)}
    night.chooses("1")
    assert night.odds == {"the attacker wins": chance_to_win("ogham", 1)}
    night.shows("horse")
    defends = 1 - odds.wins_with(Toss(1, 4), odds.tosses(OGHAM, toss), partial(higher, plus=1))
    assert night.odds == {"the defender wins": defends}


def test_the_coach_gives_odds_for_darts_veils_and_fireballs() -> None:
    assert RaceNight(units=[("Ann", [1], "S1", 0)], entered={"S1": 0}).odds == {
        "the darts strike": Fraction(1, 4)
    }
    assert RaceNight(units=[("Ann", [1], 12, 0)]).chooses("enter").odds == {"the veil opens": Fraction(5, 8)}
    assert [round(float(v), 4) for v in fireball().odds.values()] == [0.6349, 0.0794]


def test_an_outdated_coach_gives_no_odds() -> None:
    night = RaceNight(units=[("Ann", [1], 21, 0)])
    before = night.prompt
    night.tosses("aon")
    assert before.coach is not None
    assert tuple(before.coach()) == ()


def test_the_coach_gives_odds_for_fights_of_stacks() -> None:
    win = chance_to_win("ogham", 1)
    throws = odds.tosses(OGHAM, toss)
    night = (
        RaceNight(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on")
        .tosses("dha")
        .chooses("1")
    )
    assert night.odds == {"the attackers' side is left": odds.paired(win, 2, 2)}
    night = (
        RaceNight(units=[("Ann", [1], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on").tosses("dha").chooses("1")
    )
    assert night.odds == {"the attacker lives": odds.beats_all(throws, partial(higher, plus=1), 2)}
    night = (
        RaceNight(units=[("Ann", [1, 2], 8, 2), ("Ben", [1], 10, 3)], stacks="on").tosses("dha").chooses("1")
    )
    assert night.odds == {"the defender lives": odds.beats_all(throws, lambda b, a: -higher(a, b, 1), 2)}
    assert night.odds["the defender lives"] < 1 - win


def test_the_odds_of_stacks_include_the_pairs_that_have_fought() -> None:
    win = chance_to_win("ogham", 1)
    night = RaceNight(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on")
    night.tosses("dha").chooses("1").tosses("aon", "coig")
    one_against_two = odds.paired(win, 1, 2)
    assert night.odds == {"the attackers' side is left": win * odds.paired(win, 1, 1)}
    assert night.odds["the attackers' side is left"] == odds.paired(win, 1, 2, 1) == one_against_two
    night.tosses("coig", "aon")
    assert night.odds == {"the attackers' side is left": win}


def test_odds_before_a_move_include_stacks_and_exclude_curses() -> None:
    units = [("Ann", [1], 8, 2), ("Ann", [2], 1, 0), ("Ben", [1, 2], 10, 3)]
    beats_two = odds.beats_all(odds.tosses(OGHAM, toss), partial(higher, plus=1), 2)
    night = RaceNight(units=units, stacks="on").tosses("dha")
    assert night.odds == {"chariot 1 wins against Ben's chariot 1 with one below on sigil 10": beats_two}
    night = RaceNight(units=units).tosses("dha")
    assert night.odds == {
        "chariot 1 wins against Ben's chariot 1 with one below on sigil 10": chance_to_win("ogham", 1)
    }
    night = RaceNight(units=units)
    night.race.curses.append(10)
    assert night.tosses("dha").odds == {}


def test_the_coach_lists_a_free_throw_only_when_one_can_follow() -> None:
    free = "a ceither or a coig, which gives a free throw"
    night = RaceNight(units=[("Ann", [1], 12, 0)]).chooses("enter")
    assert free not in night.tosses("tri").odds, "the veil stayed shut"
    night = RaceNight(units=[("Ann", [1], 1, 0)]).tosses("coig").chooses("1")
    assert free in night.odds
    night.chooses("again")
    assert free in night.odds
    night.tosses("coig").chooses("1").chooses("again").tosses("coig").chooses("1")
    assert night.options == ["again", "stop"]
    assert free not in night.odds, "the third extra throw is the last"
    assert free not in night.chooses("again").odds


def test_the_odds_of_a_fireball_respect_the_stone_skin_of_its_caster() -> None:
    night = magic(("Ann", [1], 8, 2), ("Ben", [1], 9, 4))
    night.unit(8).skin = True
    assert night.chooses("fireball").odds == {"the unit that throws first dies": Fraction(10, 16)}


def test_odds_cover_the_centre_and_the_next_extra_throw() -> None:
    night = RaceNight(
        units=[("Ann", [1], "B2", 0), ("Ann", [2], 1, 0), ("Ben", [1], "L1", 0)], entered={"B2": 12, "L1": 18}
    ).tosses("dha")
    assert night.odds["chariot 1 can come home"] == Fraction(2, 16)
    assert night.odds["chariot 1 can land on Ben's chariot 1"] == Fraction(4, 16)
    night.tosses("ceither").chooses("2")
    assert night.options == ["again", "stop"]
    assert night.odds["chariot 1 can come home"] == Fraction(2, 16)
