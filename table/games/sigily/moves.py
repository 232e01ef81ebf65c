"""Where a move leads: along the ring, through the fairy land, and backwards at home.

Nothing is changed here.
"""

from __future__ import annotations

from dataclasses import dataclass

from table.games.sigily.race import Chariot, Race, Unit, on_gate
from table.games.sigily.topology import (
    GATES,
    RING,
    Place,
    arm_of,
    clockwise,
    is_green,
    to_the_centre,
    way_out,
)


@dataclass(frozen=True)
class Course:
    """Where a move ends.

    progress: of each chariot of the unit, after the move.
    """

    place: Place
    progress: tuple[int, ...]

    @property
    def arrives(self) -> tuple[bool, ...]:
        """Whether each chariot is home, because it reaches its own start or passes it (S-38)."""
        return tuple(progress >= RING for progress in self.progress)

    @property
    def home(self) -> bool:
        """Whether the whole unit is home."""
        return all(self.arrives)

    @property
    def exact(self) -> bool:
        """Whether a chariot that is home stops on its start."""
        return RING in self.progress


@dataclass(frozen=True)
class Move:
    """What a throw can move: a unit, or a chariot that is introduced.

    entering: from its gate into the fairy land.
    """

    what: Unit | Chariot
    steps: int
    entering: bool = False
    backwards: bool = False

    @property
    def id(self) -> str:
        return self.what.id if isinstance(self.what, Unit) else "new"


def forward_moves(race: Race, player: str, value: int) -> list[Move]:
    """The moves of every unit of the player, and of chariots to introduce.

    Winds that leave a chariot on the start itself prevent its introduction (S-17).
    """
    moves = [forward_move(race, unit, value) for unit in race.units_of(player)]
    steps = value + race.wind_for(player)
    return moves + ([Move(chariot, steps) for chariot in introducible(race, player)] if steps > 0 else [])


def introducible(race: Race, player: str) -> list[Chariot]:
    """The player's chariots off the board, one for each set of barred gates."""
    different: dict[frozenset[int], Chariot] = {}
    for chariot in race.off[player]:
        different.setdefault(frozenset(chariot.barred), chariot)
    return list(different.values())


def forward_move(race: Race, unit: Unit, value: int) -> Move:
    """The forward move of a unit.

    Winds do not act on a unit in the fairy land (S-18). A unit that starts in its home quadrant moves one
    more (home rule).
    """
    if is_green(unit.place):
        return Move(unit, value)
    return Move(unit, max(0, value + race.at_home(unit.owner, unit.place) + race.wind_for(unit.owner)))


def backward_move(race: Race, unit: Unit, value: int) -> Move:
    """The backward move of a unit: exactly the throw, plus one for each Wind of Sloth of any caster."""
    return Move(unit, value + race.blows("sloth"), backwards=True)


def must_choose_exit(move: Move) -> bool:
    """Whether the move leads beyond the centre."""
    unit = move.what
    if not isinstance(unit, Unit) or not _within(move):
        return False
    return heads_for_the_centre(unit) and move.steps > len(to_the_centre(unit.place))


def exits(unit: Unit) -> tuple[int, ...]:
    """The gates by which a unit on its way to the centre can come out. It cannot turn back (S-37)."""
    behind = {unit.place} if on_gate(unit) else unit.gates_behind
    return tuple(gate for gate in GATES if gate not in behind)


def course(race: Race, move: Move, exit_by: int | None = None) -> Course:
    """Where the move ends.

    exit_by: the gate of the arm by which it leaves the centre, if it goes that far.
    """
    unit = move.what
    if isinstance(unit, Chariot):
        return Course((race.start_of(unit.owner) + move.steps) % RING, (move.steps,))
    assert isinstance(unit, Unit)
    if _within(move):
        return _within_fairy_land(race, unit, move.steps, exit_by)
    assert isinstance(unit.place, int)
    steps = -move.steps if move.backwards else move.steps
    return Course((unit.place + steps) % RING, tuple(c.progress + steps for c in unit.chariots))


def arriving(move: Move, end: Course) -> list[Chariot]:
    """The chariots that are home after the move, from the top."""
    return [c for c, home in zip(_chariots(move), end.arrives, strict=True) if home]


def staying(move: Move, end: Course) -> list[Chariot]:
    """The chariots that the move leaves on the board, from the top."""
    return [c for c, home in zip(_chariots(move), end.arrives, strict=True) if not home]


def _chariots(move: Move) -> list[Chariot]:
    return move.what.chariots if isinstance(move.what, Unit) else [move.what]


def _within(move: Move) -> bool:
    return isinstance(move.what, Unit) and (move.entering or is_green(move.what.place))


def heads_for_the_centre(unit: Unit) -> bool:
    """Whether a unit in the fairy land or on its gate moves towards the centre, or is already there."""
    return on_gate(unit) or arm_of(unit.place) in (None, *unit.gates_behind)


def _within_fairy_land(race: Race, unit: Unit, steps: int, exit_by: int | None) -> Course:
    path = _path(unit, exit_by)
    if steps <= len(path) and is_green(path[steps - 1]):
        return Course(path[steps - 1], tuple(c.progress for c in unit.chariots))
    gate, beyond = path[-1], steps - len(path)
    assert isinstance(gate, int)
    progress = tuple(clockwise(race.start_of(c.owner), gate) + beyond for c in unit.chariots)  # S-8
    return Course((gate + beyond) % RING, progress)


def _path(unit: Unit, exit_by: int | None) -> tuple[Place, ...]:
    """All places ahead of the unit, up to the gate where it comes out."""
    if not heads_for_the_centre(unit):
        arm = arm_of(unit.place)
        assert arm is not None
        out = way_out(arm)
        return out[out.index(unit.place) + 1 :]
    inward = to_the_centre(unit.place)
    return inward if exit_by is None else inward + way_out(exit_by)
