"""What the next throw can bring: chariots home, enemies struck, a free throw.

This advice is computed when the throw is due.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from table.games.sigily.fights import chance_of_a_side, chance_to_win, point_more
from table.games.sigily.moves import Move, course, exits, forward_moves, must_choose_exit
from table.games.sigily.race import Race, Unit
from table.games.sigily.sticks import NAMES
from table.games.sigily.topology import Place, name
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
            for place, finished in _ends(race, move):
                if finished:
                    home.setdefault(f"chariot {move.id} can come home", []).append(value)
                else:
                    for text in _struck(race, move, place):
                        strikes.setdefault(text, []).append(value)
    lines = (Odds("a ceither or a coig, which gives a free throw", odds.FREE_THROW),) if free else ()
    return lines + tuple(
        Odds(text, odds.chance_of(values)) for text, values in (*home.items(), *strikes.items())
    )


def of_moving(race: Race, moves: Sequence[Move], sticks: str) -> tuple[Odds, ...]:
    """For each move that ends on an enemy, the chance to win there."""
    lines = [
        Odds(
            f"{_mover(move)} wins against {enemy} on {name(place)}",
            _chance_against(race, move, enemy, place, sticks),
        )
        for move in moves
        for place, finished in _ends(race, move)
        for enemy in race.at(place)
        if not finished
        and place not in race.curses
        and not race.friends(_owner(move), enemy.owner)
        and not enemy.skin
    ]
    return tuple(lines)


def _chance_against(race: Race, move: Move, enemy: Unit, place: Place, sticks: str) -> Fraction:
    plus = point_more(race, _owner(move), enemy.owner, place)
    if not race.agreed.stacks:
        return chance_to_win(sticks, plus)
    attackers = len(move.what.chariots) if isinstance(move.what, Unit) else 1
    return chance_of_a_side(sticks, plus, attackers, len(enemy.chariots))


def _mover(move: Move) -> str:
    return "the new chariot" if move.id == "new" else f"chariot {move.id}"


def _owner(move: Move) -> str:
    return move.what.owner


def _ends(race: Race, move: Move) -> list[tuple[Place, bool]]:
    """The places where the move can end, by any arm, and whether it is home there.

    Empty if it does not move at all.
    """
    if not move.steps:
        return []
    if must_choose_exit(move):
        assert isinstance(move.what, Unit)
        ends = [course(race, move, arm) for arm in exits(move.what)]
    else:
        ends = [course(race, move)]
    return [(end.place, end.home) for end in ends]


def _struck(race: Race, move: Move, place: Place) -> list[str]:
    enemies = [u for u in race.at(place) if not race.friends(_owner(move), u.owner)]
    return [f"{_mover(move)} can land on {enemy}" for enemy in enemies]


def of_moving_on(race: Race, player: str, free: bool) -> tuple[Odds, ...]:
    return of_a_throw(race, lambda value: forward_moves(race, player, value), free)
