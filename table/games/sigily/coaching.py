"""What the next throw can bring: chariots home, enemies struck, a free throw.

This advice is computed when the throw is due.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from table.games.sigily.fights import chance_of_a_side, chance_to_win, point_more
from table.games.sigily.moves import (
    Course,
    Move,
    arriving,
    course,
    exits,
    must_choose_exit,
    staying,
)
from table.games.sigily.race import Race, Unit
from table.games.sigily.sticks import NAMES
from table.games.sigily.topology import name
from table.odds import sigily as odds
from table.rules.prompts import Odds

MovesOf = Callable[[int], Sequence[Move]]
"""The moves that each value of the throw allows."""


def of_a_throw(race: Race, moves_of: MovesOf, free: bool) -> tuple[Odds, ...]:
    """The chances of a free throw, of each unit coming home and of landing on each enemy.

    free: whether a ceither or a coig can still give a free throw.
    """
    home: dict[str, list[int]] = {}
    strikes: dict[str, list[int]] = {}
    for value in NAMES:
        for move in moves_of(value):
            for end in _ends(race, move):
                for text in _homecomings(move, end):
                    home.setdefault(text, []).append(value)
                for text in _struck(race, move, end):
                    strikes.setdefault(text, []).append(value)
    lines = (Odds("a ceither or a coig, which gives a free throw", odds.FREE_THROW),) if free else ()
    return lines + tuple(
        Odds(text, odds.chance_of(values)) for text, values in (*home.items(), *strikes.items())
    )


def of_moving(race: Race, moves: Sequence[Move], sticks: str) -> tuple[Odds, ...]:
    """For each move that ends on an enemy, the chance to win there."""
    lines = [
        Odds(
            f"{_mover(move)} wins against {enemy} on {name(end.place)}",
            _chance_against(race, move, end, enemy, sticks),
        )
        for move in moves
        for end in _ends(race, move)
        for enemy in _enemies(race, move, end)
        if end.place not in race.curses and not enemy.skin
    ]
    return tuple(lines)


def _chance_against(race: Race, move: Move, end: Course, enemy: Unit, sticks: str) -> Fraction:
    attackers = staying(move, end)
    plus = point_more(race, attackers[0].owner, enemy.owner, end.place)
    if not race.agreed.stacks:
        return chance_to_win(sticks, plus)
    return chance_of_a_side(sticks, plus, len(attackers), len(enemy.chariots))


def _mover(move: Move) -> str:
    return "the new chariot" if move.id == "new" else f"chariot {move.id}"


def _ends(race: Race, move: Move) -> list[Course]:
    """How the move can end, by any arm. Empty if it does not move at all."""
    if not move.steps:
        return []
    if must_choose_exit(move):
        assert isinstance(move.what, Unit)
        return [course(race, move, arm) for arm in exits(move.what)]
    return [course(race, move)]


def _homecomings(move: Move, end: Course) -> list[str]:
    if end.home:
        return [f"chariot {move.id} can come home"]
    return [f"{c.owner}'s chariot {c.number} can come home" for c in arriving(move, end)]


def _struck(race: Race, move: Move, end: Course) -> list[str]:
    return [f"{_mover(move)} can land on {enemy}" for enemy in _enemies(race, move, end)]


def _enemies(race: Race, move: Move, end: Course) -> list[Unit]:
    """The units that the move attacks; none if all its chariots come home."""
    if end.home:
        return []
    return [u for u in race.at(end.place) if not race.friends(move.what.owner, u.owner)]
