"""The board as the page draws it.

It has 24 sigils in a circle, Samhain at the top, and four arms of two to the centre.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import copysign, cos, pi, sin

from table.games.sigily.race import Chariot, Race, Unit
from table.games.sigily.topology import (
    ARMS,
    CENTRE,
    COINS_AT_START,
    GATES,
    HOLIDAYS,
    PLACES,
    RING,
    SOLAR,
    Place,
    is_green,
    name,
)
from table.rules import words
from table.rules.board import Board, Label, Move, PaperBoard, Piece, Progress, Space, SpaceKind
from table.rules.pieces import Standing

RADIUS = {"ring": 46.0, "outer": 31.0, "inner": 16.0}
"""Radii of the circles on which the sigils lie, in hundredths of the board."""

BESIDE_ARM = 10.0
"""A sigil this near to the board's middle line lies at a gate."""

BESIDE_NAME = 30.5
"""How far above or below the middle the name of such a gate stands, below the next sigils of the ring."""


MOST_CURSES = 4
"""One in each quadrant."""


def laid_out() -> Board:
    """The board before the race, with its coins."""
    spaces = tuple(_space(place, False, coins, ()) for place, coins in COINS_AT_START.items())
    return Board(100, 100, spaces, LINES, look="land")


def drawn(race: Race, cards: int | None) -> Board:
    """The board of this race. cards: the number of question cards left, None without that rule."""
    pieces: dict[Place, tuple[Piece, ...]] = {}
    for unit in race.units:
        pieces[unit.place] = (*pieces.get(unit.place, ()), _piece(unit))
    loose, cursed = race.treasure.loose, race.curses
    spaces = tuple(_space(place, place in cursed, loose[place], pieces.get(place, ())) for place in PLACES)
    return Board(100, 100, spaces, LINES, tuple(_notes(race, cards)), "land", progress=_progress(race))


@lru_cache(maxsize=4096)
def _space(place: Place, cursed: bool, coins: int, pieces: tuple[Piece, ...]) -> Space:
    """One sigil as drawn. It is cached, because most sigils look the same as before."""
    x, y = _xy(place)
    text, label = str(place), None
    if isinstance(place, int) and place in HOLIDAYS:
        text = HOLIDAYS[place].removeprefix("the ")
        label = _label(x, y, text)
    if cursed:
        return Space(str(place), x, y, "danger", text, coins, pieces, label, f"{text}, cursed")
    return Space(str(place), x, y, _kind(place), text, coins, pieces, label)


def _label(x: float, y: float, text: str) -> Label:
    """The name of a sigil of the ring, within the land.

    That of a gate is beside its arm, and that of any other sigil in the middle of its quarter.
    """
    across, down = x - 50, y - 50
    if abs(across) < BESIDE_ARM:
        return Label(58.5, 50 + copysign(BESIDE_NAME, down), "start", (text,))
    if abs(down) < BESIDE_ARM:
        return Label(50 + copysign(34.5, across), 41.5, "end" if across > 0 else "start", (text,))
    return Label(50 + 0.6 * across, 50 + 0.6 * down, "middle", tuple(text.split(" ")))


def _xy(place: Place) -> tuple[float, float]:
    if place == CENTRE:
        return 50.0, 50.0
    if isinstance(place, int):
        return _on_circle(place, RADIUS["ring"])
    gate, arm = next((gate, arm) for gate, arm in ARMS.items() if place in arm)
    return _on_circle(gate, RADIUS["outer" if place == arm[0] else "inner"])


def _on_circle(position: int, radius: float) -> tuple[float, float]:
    angle = 2 * pi * position / RING
    return round(50 + radius * sin(angle), 1), round(50 - radius * cos(angle), 1)


def _kind(place: Place) -> SpaceKind:
    if place == CENTRE:
        return "centre"
    if is_green(place):
        return "green"
    return "gate" if place in GATES else "solar" if place in SOLAR else "plain"


LINES = (
    *((str(place), str((place + 1) % RING)) for place in range(RING)),
    *(
        pair
        for gate, (outer, inner) in ARMS.items()
        for pair in ((str(gate), outer), (outer, inner), (inner, CENTRE))
    ),
)


def _piece(unit: Unit) -> Piece:
    numbers = "+".join(
        f"{c.number}" if c.owner == unit.owner else f"{c.owner} {c.number}" for c in unit.chariots
    )
    stack = f" ×{len(unit.chariots)}" if len(unit.chariots) > 1 else ""
    coins = f", {coins_text(unit.coins)}" if unit.coins else ""
    return Piece(unit.owner, f"{numbers}{stack}{coins}{', stone skin' if unit.skin else ''}", unit.coins)


def chosen_unit(unit: Unit) -> Move:
    """The choice of a unit that stays where it is."""
    return Move(piece=str(unit.place))


def moved(what: Unit | Chariot, to: Place) -> Move:
    """A unit, or a chariot that is off the board, that goes to a place."""
    if isinstance(what, Chariot):
        return Move(to=str(to), off=Piece(what.owner, str(what.number)))
    return Move(str(what.place), None if what.place == to else str(to))


def coins_text(n: int) -> str:
    return "1 coin" if n == 1 else f"{n} coins"


def _notes(race: Race, cards: int | None) -> list[str]:
    notes = [_of_player(race, player) for player in race.players]
    notes += [] if race.agreed.territorial else [f"start: {name(race.start)}"]
    notes += [f"curse on {name(place)}" for place in race.curses]
    notes += [
        f"Winds of {wind.kind.capitalize()} of {wind.caster}: {_rounds(wind.rounds)}" for wind in race.winds
    ]
    notes += [
        f"{p} is frozen for {words.number(n)} turn{'s' if n > 1 else ''}"
        for p, n in race.frost_ahead.items()
        if n
    ]
    notes += [_entered_text(c) for u in race.units for c in u.chariots if c.entered_by is not None]
    notes += _barred(race)
    return notes + ([] if cards is None else [f"question cards left: {cards}"])


def standing_pieces(race: Race) -> Iterator[Standing]:
    """Where the chariots, the coins and the curses are, in words for who moves them."""
    for unit in race.units:
        yield from (_chariot(c, name(unit.place)) for c in unit.chariots)
        yield from [Standing("a coin", f"under {unit.owner}'s chariot {unit.id}", "coins")] * unit.coins
    for player in race.players:
        yield from (_chariot(c, "beside the board") for c in race.off[player])
        yield from (_chariot(c, "home") for c in race.home[player])
        yield from [Standing("a coin", f"the coins that {player} has home", "coins")] * race.stored[player]
    for place, coins in race.treasure.loose.items():
        yield from [Standing("a coin", name(place), "coins")] * coins
    curses = [*map(name, race.curses), *["beside the board"] * (MOST_CURSES - len(race.curses))]
    yield from (Standing("a curse", place, "curses") for place in curses)


def _chariot(chariot: Chariot, where: str) -> Standing:
    return Standing(f"{chariot.owner}'s chariot {chariot.number}", where)


def _progress(race: Race) -> tuple[Progress, ...]:
    return tuple(Progress(p, len(race.home[p]), race.chariots, "home") for p in race.players)


def _of_player(race: Race, player: str) -> str:
    """How far the player is, such as “Ann: 2 of 4 home with 9 coins (1 waiting)”."""
    off, home = len(race.off[player]), len(race.home[player])
    coins = f" with {coins_text(race.stored[player])}" if race.stored[player] else ""
    waiting = f" ({off} waiting)" if off else ""
    return f"{player}: {home} of {race.chariots} home{coins}{waiting}{_land(race, player)}"


def _land(race: Race, player: str) -> str:
    """The player's province, where it has advantages or the start. Otherwise it says nothing."""
    if not (race.agreed.home or race.agreed.territorial):
        return ""
    start = f", starts at {name(race.start_of(player))}" if race.agreed.territorial else ""
    return f", {race.province(player)}{start}"


def _rounds(n: int) -> str:
    return "its last round" if n == 1 else f"{words.number(n)} rounds"


def _entered_text(chariot: Chariot) -> str:
    assert chariot.entered_by is not None
    return f"{chariot.owner}: chariot {chariot.number} came in by {name(chariot.entered_by)}"


def _barred(race: Race) -> list[str]:
    """The gates by which chariots may not enter, by player. Chariots at home are left out."""
    chariots = [c for u in race.units for c in u.chariots] + [c for p in race.players for c in race.off[p]]
    barred: dict[tuple[str, tuple[int, ...]], list[int]] = {}
    for c in sorted(chariots, key=lambda c: (race.players.index(c.owner), c.number)):
        if c.barred:
            barred.setdefault((c.owner, tuple(sorted(c.barred))), []).append(c.number)
    return [
        f"{owner}: chariot{'s' * (len(numbers) > 1)} {words.listed(map(str, numbers))} barred from "
        f"{words.listed(HOLIDAYS[gate] for gate in gates)}"
        for (owner, gates), numbers in barred.items()
    ]


# -- the board on paper --------------------------------------------------------------------------------------

AT_GATE, ABOVE_ARM = 0.825, 7.2
"""Where the name of a gate stands: how far from the middle, as a share of the way to the gate, and how far
above the arm in the east and in the west."""

AT_SUN, HALF_LINE = 0.74, 1.1
"""The same share for a solar sigil, and half the distance of the two lines of its name."""

HOMES = {
    "Connaught": (4.5, -11.0),
    "Ulster": (84.5, -11.0),
    "Leinster": (84.5, 100.0),
    "Munster": (4.5, 100.0),
}
"""The first of the four places at home for each province's chariots: outside the ring, at its quadrant."""

HOME_STEP = 11.0


def _home(province: str, x: float, y: float) -> Iterator[Space]:
    beside = Label(x + HOME_STEP / 2, y + (-8 if y < 50 else 20), "middle", (f"{province}: home",))
    for n in range(4):
        row, column = divmod(n, 2)
        place = f"{province} {n + 1}"
        at = x + HOME_STEP * column, y + HOME_STEP * row
        yield Space(place, *at, "plain", "", label=None if n else beside)


def _on_paper(board: Board) -> Board:
    """The board with the number in each sigil of the ring, and with the names close to their sigils."""
    return replace(
        board,
        spaces=tuple(
            replace(s, text=s.id, label=_printed_label(s.x - 50, s.y - 50, s.text)) if s.label else s
            for s in board.spaces
        ),
    )


def _printed_label(across: float, down: float, text: str) -> Label:
    """The name of a holiday within the land, at the rim."""
    if abs(across) < BESIDE_ARM:
        return Label(50 + 1, 50 + AT_GATE * down, "start", (text,))
    if abs(down) < BESIDE_ARM:
        return Label(50 + AT_GATE * across, 50 - ABOVE_ARM, "end" if across > 0 else "start", (text,))
    return Label(50 + AT_SUN * across, 50 + AT_SUN * down - HALF_LINE, "middle", tuple(text.split(" ")))


PRINTED = PaperBoard(
    _on_paper(laid_out()),
    unit_mm=1.85,
    space_mm=20,
    scale="a sigil is 20 mm wide, for pennies and dimes.",
    notes=(
        "A dot is a penny to lay down before the race: 52 in all.",
        "Squares are gates to the fairy land.",
        "Rays mark the solar sigils, which give an extra throw.",
    ),
    wide=False,
    spare=tuple(space for province, at in HOMES.items() for space in _home(province, *at)),
    spare_mm=19,
)
