"""The day of the Games as the page draws it: the eight events, and the bar of the two events over one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table.rules.board import Board, Label, Move, Piece, Space, SpaceKind
from table.rules.game import Table
from table.rules.programme import Event, Programme

EVENTS = (
    ("dash", "Farmer's Dash"),
    ("haggis", "Haggis Hurl"),
    ("hammer", "Hammer Throw"),
    ("sheaf", "Sheaf Toss"),
    ("shot", "Shot Put"),
    ("caber", "Caber Toss"),
    ("weight", "Weight for Height"),
    ("tug", "Tug of War"),
)
"""The box of each event's result on the sheet, and its name. The first four are the morning."""

MORNING = 4
CAN_BE_LOST = "dash"
"""The event whose result may be below 0 and still win; in the others 0 wins nothing."""


def results(table: Table, box: str) -> dict[str, int]:
    """The result of each player who has finished the event."""
    return {
        line.player: line.points if line.value is None else int(line.value)
        for line in table.sheet.lines
        if line.box == box
    }


def programme(table: Table, bar: Board | None = None, begun: bool = True) -> Programme:
    """The day as far as the sheet tells it. bar: of the event that is on.

    begun: False while lots are drawn for the order; then no event is on.
    """
    events: list[Event] = []
    on = begun
    for place, (box, title) in enumerate(EVENTS):
        done = results(table, box)
        over = len(done) == len(table.players)
        best = max(done.values(), default=None)
        counts = best is not None and (best > 0 or box == CAN_BE_LOST)
        leaders = tuple(p for p in table.players if counts and done.get(p) == best)
        session = "Morning" if place < MORNING else "Afternoon"
        events.append(Event(box, title, session, "over" if over else "on" if on else "ahead", best, leaders))
        on = on and over
    return Programme(tuple(events), bar)


# -- the bar -------------------------------------------------------------------------------------------------

LEFT, STEP, GROUND, RISE = 5.0, 7.5, 50.0, 3.2
"""Places of the heights, each a step further and higher, in hundredths of the picture's width."""


def bar(
    numbers: Mapping[int, int], best: Mapping[str, int], now: int | None, standing: Sequence[Piece] = ()
) -> Board:
    """All heights, with the number that a pair must exceed below each.

    best: the highest height that each player has cleared in this event, 0 for none. now: the height that is
    tried; None before the first. standing: the piece of the player who tries it.
    """
    spaces = []
    for n, (feet, number) in enumerate(numbers.items()):
        x, y = LEFT + STEP * n, GROUND - 12 - RISE * n
        cleared = tuple(Piece(p) for p, height in best.items() if height == feet)
        kind: SpaceKind = "solar" if feet == now else "green" if cleared else "plain"
        pieces = (*cleared, *(standing if feet == now else ()))
        below = Label(round(x, 2), GROUND + 1.5, "middle", (f">{number}",))
        spaces.append(Space(str(feet), round(x, 2), round(y, 2), kind, str(feet), 0, pieces, below))
    return Board(100, GROUND + 5, tuple(spaces), look="bar")


def start_at(feet: int) -> Move:
    """The choice of a height on the picture of the bar."""
    return Move(to=str(feet))
