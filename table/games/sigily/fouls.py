"""Why a choice that is not offered is wrong. Each text starts a sentence that ends with what is offered."""

from __future__ import annotations

from collections.abc import Sequence

from table.games.sigily.fairy_land import may_enter
from table.games.sigily.magic import FREEZE, SPELLS, Spell
from table.games.sigily.race import Race, Unit, on_gate
from table.games.sigily.topology import name
from table.rules import words


def of_declaring(race: Race, player: str, on_gates: Sequence[Unit], extra: int, option: str) -> str | None:
    """Why the player cannot try to enter the fairy land or go backwards; None for any other option.

    on_gates: units that began the turn on a gate.
    """
    match option:
        case "enter":
            return _no_entering(race, player, on_gates, extra)
        case "back":
            return _no_way_back(race, player)
        case _:
            return None


def _no_entering(race: Race, player: str, on_gates: Sequence[Unit], extra: int) -> str:
    if extra:
        return "Nobody enters the fairy land on an extra throw"
    if any(u in race.units_of(player) and on_gate(u) and not may_enter(u) for u in on_gates):
        return "That chariot is barred from its gate"
    if any(on_gate(u) for u in race.units_of(player)):
        return "A chariot enters from a gate where it began the turn, not in the turn of its arrival"
    return "No chariot of yours stands on a gate"


def _no_way_back(race: Race, player: str) -> str:
    if not race.agreed.home:
        return "Backward moves need the home rule, which is off"
    if race.blows("speed"):
        return "Nobody moves backwards while Winds of Speed blow"
    at_home = [u for u in race.units_of(player) if race.at_home(player, u.place)]
    if not at_home:
        return "No chariot of yours is in its home quadrant"
    if all(any(c.sun_wise for c in u.chariots) for u in at_home):
        return "A chariot that went backwards out of its quadrant moves only sun-wise"
    return "Going backwards costs that chariot a coin, and it has none"


def of_casting(race: Race, player: str, before: bool, option: str) -> str | None:
    """Why the player cannot cast this spell now; None if the option is not a spell."""
    spell = next((s for s in SPELLS if s.id == option), None)
    if spell is None:
        return None
    if spell.id not in race.agreed.spells:
        return f"{spell.name} is turned off"
    if not (spell.before if before else spell.after):
        return f"{spell.name} is cast {'after the moves' if before else 'before the throw'}"
    return _not_castable(race, player, spell)


def _not_castable(race: Race, player: str, spell: Spell) -> str:
    price = f"{spell.name} costs {words.number(spell.cost)} coins"
    if spell.collective:
        if race.coins_of(player) < spell.cost:
            return f"{price}, and you have {race.coins_of(player)}"
        return "Nobody is frozen a third turn running" if spell is FREEZE else "There is no curse to remove"
    if not any(u.coins >= spell.cost for u in race.units_of(player)):
        return f"{price}, and no single chariot of yours has so many"
    return f"No chariot that can pay for {spell.name} {AIMS[spell.id]}"


AIMS = {
    "curse": "stands where a curse may lie: on the ring but not on gates, and one in each territory",
    "fireball": "has an enemy one or two sigils away on the ring",
    "stone_skin": "has none yet",
}
"""What a spell of one chariot needs besides its coins."""


def of_moving(race: Race, player: str, option: str) -> str | None:
    """Why that chariot cannot move by this throw; None if the option is not a chariot of the player."""
    chariots = {str(c.number): c for c in race.home[player]}
    if option in chariots:
        return f"Chariot {option} is home and does not come back"
    if option in {str(c.number) for c in race.off[player]}:
        return f"Chariot {option} is off the board, and comes in as a new one"
    if option == "new":
        return (
            "The winds keep every new chariot out" if race.off[player] else "There is no chariot to introduce"
        )
    for unit in race.units:
        if any(str(c.number) == option and c.owner == player for c in unit.chariots):
            first = unit.chariots[0].number
            return f"Chariot {option} goes with {unit.owner}'s chariot {first} on {name(unit.place)}"
    return None
