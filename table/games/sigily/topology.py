"""The board: a ring of 24 sigils, clockwise, and the nine green sigils of the fairy land within it (S-1).

A place is a number, 0 to 23, on the ring (0 is Samhain), or the name of a green sigil. "S1" and "S2" are the
outer and the inner sigil of the arm from Samhain. "O1", "B1" and "L1" are the outer sigils of the arms from
Oimelc, Beltane and Lughnasadh, and "C" is the centre.
"""

from __future__ import annotations

Place = int | str

RING = 24
HOLIDAYS = {
    0: "Samhain",
    3: "the Winter Solstice",
    6: "Oimelc",
    9: "the Spring Equinox",
    12: "Beltane",
    15: "the Summer Solstice",
    18: "Lughnasadh",
    21: "the Fall Equinox",
}
GATES = (0, 6, 12, 18)
SOLAR = (3, 9, 15, 21)
CENTRE = "C"
ARMS = {0: ("S1", "S2"), 6: ("O1", "O2"), 12: ("B1", "B2"), 18: ("L1", "L2")}
"""The outer and the inner sigil of the arm behind each gate."""

GREEN = (*(cell for arm in ARMS.values() for cell in arm), CENTRE)
PLACES: tuple[Place, ...] = (*range(RING), *GREEN)

COINS_AT_START: dict[Place, int] = {
    place: 4 if place == CENTRE else 2 if place in HOLIDAYS or place in GREEN else 1 for place in PLACES
}
ALL_COINS = sum(COINS_AT_START.values())
"""52 pennies: none comes in or goes out during a race."""


def name(place: Place) -> str:
    """The name of a place for people.

    Examples: "Samhain", "the Winter Solstice", "sigil 10", "S2", "the centre".
    """
    if place == CENTRE:
        return "the centre"
    if isinstance(place, str):
        return place
    return HOLIDAYS.get(place, f"sigil {place}")


def is_green(place: Place) -> bool:
    return isinstance(place, str)


def fairies_watch(place: Place) -> bool:
    """Whether the fairies' rules of fighting hold there: on the gates and the nine green sigils."""
    return is_green(place) or place in GATES


def clockwise(start: int, place: int) -> int:
    """Steps clockwise from start to place, 1 to 24. It is a full circuit if they are the same."""
    return (place - start) % RING or RING


def arm_of(cell: Place) -> int | None:
    """The gate of the arm on which a green sigil lies; None for the centre."""
    return next((gate for gate, arm in ARMS.items() if cell in arm), None)


def way_in(gate: int) -> tuple[str, ...]:
    """The way from the gate to the centre: outer sigil, inner sigil, centre."""
    return (*ARMS[gate], CENTRE)


def way_out(gate: int) -> tuple[Place, ...]:
    """The way from the centre out through the gate: inner sigil, outer sigil, gate."""
    outer, inner = ARMS[gate]
    return (inner, outer, gate)


def to_the_centre(place: Place) -> tuple[str, ...]:
    """The places between a gate or a green sigil and the centre, the centre last. Empty for the centre."""
    gate = place if isinstance(place, int) else arm_of(place)
    if gate is None:
        return ()
    whole = way_in(gate)
    return whole[whole.index(place) + 1 :] if isinstance(place, str) else whole


def gate_of_entry(place: Place, entered_by: int | None) -> int:
    """The gate by which a unit came in, or at which it stands before it goes in."""
    gate = place if entered_by is None else entered_by
    assert isinstance(gate, int)
    return gate


def quadrant(place: Place) -> int | None:
    """The gate before the quadrant of a ring sigil (S-2).

    None for gates and green sigils, which belong to nobody.
    """
    if not isinstance(place, int) or place in GATES:
        return None
    return place - place % 6


def first_solar(start: int) -> int:
    """The first solar sigil strictly after the start (S-5)."""
    return min(SOLAR, key=lambda place: clockwise(start, place))
