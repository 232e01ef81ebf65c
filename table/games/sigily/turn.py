"""A turn: spell, fairy darts, declaration, throw, move, and the extra throws that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from table.games.sigily import coaching, fouls
from table.games.sigily.announced import move_text, riders_home
from table.games.sigily.drawn import moved
from table.games.sigily.extra_throws import (
    MAX_EXTRA_THROWS,
    Turn,
    bound_unit,
    brings_another,
    check_free_turn,
    more_can_follow,
)
from table.games.sigily.fairy_land import fairy_darts, may_enter, veil_opens
from table.games.sigily.landing import Landing, land
from table.games.sigily.magic import cast_after, cast_before, pick_unit
from table.games.sigily.meeting import Meeting
from table.games.sigily.moves import (
    Course,
    Move,
    backward_move,
    course,
    exits,
    forward_move,
    forward_moves,
    must_choose_exit,
)
from table.games.sigily.race import Chariot, Race, Unit, on_gate
from table.games.sigily.sticks import Toss
from table.games.sigily.topology import CENTRE, HOLIDAYS, Place, name
from table.rules import words
from table.rules.prompts import Option


@dataclass(frozen=True)
class Declared:
    """What the player declares for the next throw.

    how: "throw" (nothing), "in", "round" after a veil that stayed shut, "back".
    """

    how: str = "throw"
    unit: Unit | None = None


async def turn(meeting: Meeting, player: str) -> None:
    race = meeting.race
    meeting.table.sheet.begin_turn(player)
    if race.winds:
        race.turn_begins(player)
    if race.thaw(player):
        meeting.says(f"{player} is frozen and loses this turn.")
        return
    on_gates = tuple(u for u in race.units_of(player) if on_gate(u))
    it = Turn(
        player,
        on_gates,
        free_turn=await cast_before(meeting, player, partial(fouls.of_casting, race, player, True)),
    )
    if player in race.done:  # S-30
        return
    await fairy_darts(meeting, player)
    await _throws(meeting, it)
    if not race.over and player not in race.done:
        await cast_after(meeting, player, partial(fouls.of_casting, race, player, False))


async def _throws(meeting: Meeting, it: Turn) -> None:
    """Plays the throw of the turn and all extra throws. The player may decline one (S-35)."""
    while True:
        thrown, landing = await _throw_and_move(meeting, it)
        if meeting.race.over or it.player in meeting.race.done:
            return
        check_free_turn(meeting, it, landing)
        if not brings_another(meeting, it, thrown, landing):
            return
        it.bound_to, it.free_turn = it.free_turn, ()
        if not await _throws_again(meeting, it):
            return
        it.extra += 1


async def _throws_again(meeting: Meeting, it: Turn) -> bool:
    bound = bound_unit(meeting.race, it)
    which = f" for chariot {bound.id}" if bound else ""
    again = Option("again", f"Take extra throw {it.extra + 1} of {MAX_EXTRA_THROWS}{which}")
    free = not it.veil_shut and it.extra + 1 < MAX_EXTRA_THROWS
    moves = partial(_moves, meeting.race, it, Declared())
    coach = meeting.coach(partial(coaching.of_a_throw, meeting.race, moves, free))
    return (
        await meeting.table.choose(it.player, again, Option("stop", "Stop throwing"), coach=coach) == "again"
    )


async def _throw_and_move(meeting: Meeting, it: Turn) -> tuple[Toss, Landing]:
    race = meeting.race
    declared = await _declared(meeting, it)
    again = f", extra throw {it.extra} of {MAX_EXTRA_THROWS}" if it.extra else ""
    free = not it.veil_shut and it.extra < MAX_EXTRA_THROWS
    coach = meeting.coach(partial(coaching.of_a_throw, race, partial(_moves, race, it, declared), free))
    thrown = await meeting.throw(it.player, f"{AFTER[declared.how]}{again}", "", coach)
    moves = _moves(race, it, declared, thrown.value)
    if not moves:
        meeting.says(f"{words.sentence(str(thrown))} {it.player} has nothing that can move.")
        return thrown, Landing()
    move = await _choose_move(meeting, it, thrown, moves)
    forced = len(moves) == 1 and declared.unit is None
    return thrown, await _make_move(meeting, it, thrown, move, forced)


AFTER = {
    "throw": "",
    "in": " to go into the fairy land",
    "round": " to go on round the ring",
    "back": " to go backwards",
}


# -- declarations --------------------------------------------------------------------------------------------


async def _declared(meeting: Meeting, it: Turn) -> Declared:
    """What the player declares before the throw.

    The throw at the veil is made here, and the coin for going backwards is paid here.
    """
    can_enter, can_back = _can_enter(meeting.race, it), _can_back(meeting.race, it)
    options = [Option("throw", "Just throw")]
    options += [Option("enter", _entering_text(meeting.race, it))] if can_enter else []
    options += [Option("back", "Move backwards, for a coin")] if can_back else []
    how = "throw"
    if len(options) > 1:
        text = f"{it.player}: {words.listed((words.lower_first(o.text) for o in options), 'or')}?"
        foul = partial(fouls.of_declaring, meeting.race, it.player, it.on_gates, it.extra)
        how = await meeting.table.choose(it.player, *options, text=text, foul=foul)
    if how == "enter":
        unit = await pick_unit(meeting, it.player, can_enter, "which chariot tries to enter")
        opened = await veil_opens(meeting, unit)
        it.veil_shut = not opened  # S-7
        return Declared("in" if opened else "round", unit)
    if how == "back":
        unit = await pick_unit(meeting, it.player, can_back, "which chariot goes backwards")
        meeting.race.pay(unit, 1)
        meeting.settle(f"coin of chariot {unit.id} to go backwards")
        return Declared("back", unit)
    return Declared()


def _entering_text(race: Race, it: Turn) -> str:
    risk = "; if the veil stays shut, the Free Turn is lost"
    return "Try to enter the fairy land" + (risk if it.free_turn and race.agreed.veil_takes_all else "")


def _can_enter(race: Race, it: Turn) -> list[Unit]:
    """The units that can try to enter, on the first throw only.

    They began the turn on a gate, are still there, and are not barred.
    """
    if it.extra:
        return []
    return [u for u in race.units_of(it.player) if u in it.on_gates and may_enter(u)]


def _can_back(race: Race, it: Turn) -> list[Unit]:
    """The units that can go backwards (S-19).

    They are in their home quadrant, have a coin to pay, and have not gone backwards out of it. There are none
    in a Wind of Speed.
    """
    if race.blows("speed"):
        return []
    bound = bound_unit(race, it)
    return [u for u in race.units_of(it.player) if _may_turn_back(race, u) and u.coins and bound in (None, u)]


def _may_turn_back(race: Race, unit: Unit) -> bool:
    return race.at_home(unit.owner, unit.place) and not any(c.sun_wise for c in unit.chariots)


# -- moves ---------------------------------------------------------------------------------------------------


def _moves(race: Race, it: Turn, declared: Declared, value: int) -> list[Move]:
    unit = declared.unit
    if unit is None:
        bound = bound_unit(race, it)
        return forward_moves(race, it.player, value) if bound is None else [forward_move(race, bound, value)]
    if declared.how == "in":
        return [Move(unit, value, entering=True)]
    return [backward_move(race, unit, value) if declared.how == "back" else forward_move(race, unit, value)]


async def _choose_move(meeting: Meeting, it: Turn, thrown: Toss, moves: Sequence[Move]) -> Move:
    if len(moves) == 1:
        return moves[0]
    options = _options(meeting.race, moves)
    coach = meeting.coach(partial(coaching.of_moving, meeting.race, tuple(moves), meeting.sticks))
    text = f"{it.player}: {thrown}, {thrown.value}. Which chariot moves?"
    foul = partial(fouls.of_moving, meeting.race, it.player)
    chosen = await meeting.table.choose(it.player, *options, text=text, coach=coach, foul=foul)
    return next(m for m, option in zip(moves, options, strict=True) if option.id == chosen)


def _options(race: Race, moves: Sequence[Move]) -> list[Option]:
    """An option for each move: the number of a unit, or "new" for a chariot to introduce.

    A second one, barred elsewhere, has its number too.
    """
    declared, options = set(), []
    for move in moves:
        id_ = move.id
        if isinstance(move.what, Chariot):
            id_ = f"new_{move.what.number}" if "new" in declared else "new"
            declared.add("new")
        options.append(Option(id_, _option_text(race, move), move=moved(move.what, _target(race, move))))
    return options


def _target(race: Race, move: Move) -> Place:
    """Where people put the chariot: on the centre, if the arm by which it leaves is chosen later."""
    if must_choose_exit(move):
        return CENTRE
    if isinstance(move.what, Unit) and not move.steps:
        return move.what.place
    return course(race, move).place


def _option_text(race: Race, move: Move) -> str:
    if isinstance(move.what, Chariot):
        barred = words.listed((HOLIDAYS[g] for g in sorted(move.what.barred)), "and")
        but = f", barred from {barred}" if move.what.barred else ""
        return f"Introduce chariot {move.what.number} on {name(course(race, move).place)}{but}"
    origin = f"Chariot {move.id} from {name(move.what.place)}"
    if must_choose_exit(move):
        return f"{origin}{', out by an arm' if move.what.place == CENTRE else ' through the centre'}"
    if not move.steps:
        return f"{origin}, held up by the wind"
    end = course(race, move)
    return f"{origin} home" if end.home else f"{origin} to {name(end.place)}{riders_home(move, end)}"


async def _make_move(meeting: Meeting, it: Turn, thrown: Toss, move: Move, forced: bool) -> Landing:
    """Moves, says so and lands. forced: whether it was the only move."""
    race, unit = meeting.race, move.what
    if not move.steps:  # S-17
        meeting.says(f"The winds hold chariot {move.id} on its sigil.")
        return Landing()
    end = course(race, move, await _exit_by(meeting, it, move))
    if forced or not end.home:  # one that is home is announced with its coins
        meeting.says(move_text(race, it.player, thrown, move, end, forced))
    if isinstance(unit, Chariot):
        unit = race.introduce(unit, end.place)
    elif move.entering:
        assert isinstance(unit.place, int)
        unit.entered_by = unit.place
    elif move.backwards and not race.at_home(unit.owner, end.place):
        for chariot in unit.chariots:
            chariot.sun_wise = True
    return await land(meeting, it.player, unit, end, more_can_follow(race, it))


async def _exit_by(meeting: Meeting, it: Turn, move: Move) -> int | None:
    """The gate of the arm by which the unit leaves the centre, or None if the move does not go that far."""
    if not must_choose_exit(move):
        return None
    assert isinstance(move.what, Unit)
    options = {HOLIDAYS[gate].lower(): gate for gate in exits(move.what)}
    ends = {arm: course(meeting.race, move, gate) for arm, gate in options.items()}
    declared = [
        Option(
            arm, f"{HOLIDAYS[gate]}, {_end(move, gate, ends[arm])}", move=moved(move.what, ends[arm].place)
        )
        for arm, gate in options.items()
    ]
    chosen = await meeting.table.choose(
        it.player, *declared, text=f"{it.player}: by which arm does chariot {move.id} leave the centre?"
    )
    return options[chosen]


def _end(move: Move, gate: int, end: Course) -> str:
    if end.home:
        return "and home"
    to = "and stop on the gate" if end.place == gate else f"to {name(end.place)}"
    return f"{to}{riders_home(move, end)}"
