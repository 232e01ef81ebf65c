"""Sigily: what the coach tells, counted and played."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from random import Random

import pytest

from table.games.sigily.fights import chance_to_win
from table.games.sigily.sticks import ANIMALS, STICKS, Toss, higher, toss
from table.odds import sigily as odds
from table.rules.telling import OGHAM
from tests.games.sigily.race_day import Day, fireball, magic


def told(day: Day) -> dict[str, Fraction | float]:
    return {o.text: o.value for o in day.prompt.odds}


def test_four_sticks() -> None:
    assert [odds.VALUES[v] * 16 for v in range(1, 6)] == [4, 6, 4, 1, 1]
    assert sum(odds.VALUES.values()) == 1
    assert odds.tosses(STICKS["ogham"], toss)[Toss(1, ANIMALS.index("horse"))] == Fraction(1, 16)
    assert Fraction(1, 8) == odds.FREE_THROW
    assert Fraction(1, 4) == odds.DARTS_HIT
    assert Fraction(5, 8) == odds.VEIL_OPENS


def test_the_chance_to_win_a_fight_by_counting_every_pair_of_throws() -> None:
    """256 pairs: the attacker wins w, loses l, the others are thrown again."""
    throws = [toss(f) for f in every_throw(OGHAM)]
    assert len(throws) == 16
    won, lost = (sum(sign * higher(a, b, 1) > 0 for a in throws for b in throws) for sign in (1, -1))
    assert chance_to_win("ogham", 1) == Fraction(won, won + lost)
    assert chance_to_win("ogham", -1) == 1 - chance_to_win("ogham", 1)
    assert chance_to_win("coins", 1) > Fraction(1, 2)


def every_throw(sticks: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    first, *rest = sticks
    return [(face, *others) for face in first for others in (every_throw(rest) if rest else [()])]


def test_the_figures_of_fights_by_playing_them() -> None:
    rng, won, n = Random(7), 0, 20_000
    throws = [toss(f) for f in every_throw(OGHAM)]
    for _ in range(n):
        verdict = 0
        while not verdict:
            verdict = higher(rng.choice(throws), rng.choice(throws), 1)
        won += verdict > 0
    assert won / n == pytest.approx(float(chance_to_win("ogham", 1)), abs=0.012)


def test_stacks_and_fireballs() -> None:
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


def test_the_coach_tells_of_a_free_throw_of_coming_home_and_of_enemies_in_reach() -> None:
    day = Day(units=[("Ann", [1], 21, 0), ("Ben", [1], 2, 0), ("Ben", [2], 22, 0)])
    assert told(day) == {
        "a ceither or a coig, which gives a free throw": Fraction(1, 8),
        "chariot 1 can come home": Fraction(6, 16),
        "chariot 1 can land on Ben's chariot 2": Fraction(4, 16),
        "the new chariot can land on Ben's chariot 1": Fraction(6, 16),
    }
    day.tosses("aon")
    assert told(day) == {"chariot 1 wins against Ben's chariot 2 on sigil 22": chance_to_win("ogham", 1)}
    day.chooses("1")
    assert told(day) == {"the attacker wins": chance_to_win("ogham", 1)}
    day.shows("horse")
    defends = 1 - odds.wins_with(Toss(1, 4), odds.tosses(OGHAM, toss), partial(higher, plus=1))
    assert told(day) == {"the defender wins": defends}


def test_the_coach_tells_of_darts_veils_and_fireballs() -> None:
    assert told(Day(units=[("Ann", [1], "S1", 0)], entered={"S1": 0})) == {"the darts strike": Fraction(1, 4)}
    assert told(Day(units=[("Ann", [1], 12, 0)]).chooses("enter")) == {"the veil opens": Fraction(5, 8)}  # type: ignore[arg-type]
    assert [round(float(v), 4) for v in told(fireball()).values()] == [0.6349, 0.0794]


def test_the_coach_says_nothing_of_a_race_that_has_gone_on() -> None:
    day = Day(units=[("Ann", [1], 21, 0)])
    before = day.prompt
    day.tosses("aon")
    assert before.coach is not None
    assert tuple(before.coach()) == ()


def test_the_coach_of_stacks() -> None:
    win = chance_to_win("ogham", 1)
    throws = odds.tosses(OGHAM, toss)
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on").tosses("dha").chooses("1")
    assert told(day) == {"the attackers' side is left": odds.paired(win, 2, 2)}
    day = Day(units=[("Ann", [1], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on").tosses("dha").chooses("1")
    assert told(day) == {"the attacker lives": odds.beats_all(throws, partial(higher, plus=1), 2)}
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1], 10, 3)], stacks="on").tosses("dha").chooses("1")
    assert told(day) == {"the defender lives": odds.beats_all(throws, lambda b, a: -higher(a, b, 1), 2)}
    assert told(day)["the defender lives"] < 1 - win


def test_the_coach_of_stacks_counts_the_pairs_that_have_fought() -> None:
    win = chance_to_win("ogham", 1)
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on").tosses("dha").chooses("1").tosses("aon", "coig")
    one_against_two = odds.paired(win, 1, 2)
    assert told(day) == {"the attackers' side is left": win * odds.paired(win, 1, 1)}
    assert told(day)["the attackers' side is left"] == odds.paired(win, 1, 2, 1) == one_against_two
    day.tosses("coig", "aon")
    assert told(day) == {"the attackers' side is left": win}


def test_before_the_move_the_coach_counts_stacks_too_and_no_fight_on_a_curse() -> None:
    units = [("Ann", [1], 8, 2), ("Ann", [2], 1, 0), ("Ben", [1, 2], 10, 3)]
    beats_two = odds.beats_all(odds.tosses(OGHAM, toss), partial(higher, plus=1), 2)
    day = Day(units=units, stacks="on").tosses("dha")
    assert told(day) == {"chariot 1 wins against Ben's chariot 1 with one below on sigil 10": beats_two}
    day = Day(units=units).tosses("dha")
    assert told(day) == {"chariot 1 wins against Ben's chariot 1 with one below on sigil 10": chance_to_win("ogham", 1)}
    day = Day(units=units)
    day.race.curses.append(10)
    assert told(day.tosses("dha")) == {}


def test_the_coach_promises_no_free_throw_where_none_can_follow() -> None:
    free = "a ceither or a coig, which gives a free throw"
    day = Day(units=[("Ann", [1], 12, 0)]).chooses("enter")  # type: ignore[arg-type]
    assert free not in told(day.tosses("tri")), "the veil stayed shut"
    day = Day(units=[("Ann", [1], 1, 0)]).tosses("coig").chooses("1")
    assert free in told(day)
    day.chooses("again")
    assert free in told(day)
    day.tosses("coig").chooses("1").chooses("again").tosses("coig").chooses("1")
    assert day.options == ["again", "stop"]
    assert free not in told(day), "the third extra throw is the last"
    assert free not in told(day.chooses("again"))


def test_the_coach_sees_that_a_stone_skin_keeps_a_fireball_from_its_caster() -> None:
    day = magic(("Ann", [1], 8, 2), ("Ben", [1], 9, 4))
    day.unit(8).skin = True
    assert told(day.chooses("fireball")) == {"the unit that throws first dies": Fraction(10, 16)}


def test_the_coach_looks_through_the_centre_and_ahead_of_an_extra_throw() -> None:
    day = Day(units=[("Ann", [1], "B2", 0), ("Ann", [2], 1, 0), ("Ben", [1], "L1", 0)], entered={"B2": 12, "L1": 18}).tosses("dha")
    assert told(day)["chariot 1 can come home"] == Fraction(2, 16)
    assert told(day)["chariot 1 can land on Ben's chariot 1"] == Fraction(4, 16)
    day.tosses("ceither").chooses("2")
    assert day.options == ["again", "stop"]
    assert told(day)["chariot 1 can come home"] == Fraction(2, 16)
