"""The board as the page and the paper draw it: three rows of twelve squares, on a river."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from table.games.danube.river import LANDING, NICKELS, PENNIES, RAPIDS, SAFE, SEA
from table.games.danube.steps import Step
from table.games.danube.sticks import AGAIN, STICKS, points_of
from table.rules.board import Board, Label, Move, PaperBoard, Piece, PrintedThrow, Space, SpaceKind

ROW = 12
SQUARE = 100 / ROW
WIDTH, HEIGHT = 100.0, 3 * SQUARE
KINDS: dict[int, SpaceKind] = {**dict.fromkeys(SAFE, "safe"), RAPIDS: "danger", SEA: "home"}
LINES = tuple((str(square), str(square + 1)) for square in range(1, SEA))


def _space(square: int) -> Space:
    """The place of a square on the board. The second row runs backwards, so that the river never jumps."""
    row, place = divmod(square - 1, ROW)
    column = ROW - 1 - place if row == 1 else place
    x, y = (round((n + 0.5) * SQUARE, 2) for n in (column, row))
    return Space(str(square), x, y, KINDS.get(square, "plain"), str(square))


BARE = Board(WIDTH, HEIGHT, tuple(_space(square) for square in range(1, SEA + 1)), LINES, look="river")
"""The board without pieces. Its spaces are in the order of the squares."""


def moved_on_board(step: Step) -> Move:
    """The step from its square by its points, and where the piece comes to stand."""
    to = step.piece + step.points
    return Move(str(step.piece), str(to), None if step.to == to else str(step.to))


@lru_cache(1000)
def held(square: int, player: str) -> Space:
    """The square with a piece of this player."""
    return replace(BARE.spaces[square - 1], pieces=(Piece(player),))


# -- the board on paper --------------------------------------------------------------------------------------

NAMES = {
    **dict.fromkeys(PENNIES, "penny"),
    **dict.fromkeys(NICKELS, "nickel"),
    **dict.fromkeys(SAFE, "safe"),
    RAPIDS: f"back to {LANDING}",
    SEA: "the sea",
}
"""What stands beside a square: the piece that starts there, or what the square does."""

BESIDE = 1.85
"""Distance of these words from the middle of their square: above the first row and below the last one."""

UPPER_LAND, LOWER_LAND = (45.9, SQUARE), (54.6, 2 * SQUARE)
"""The middles of the land between the first and the second row, and between the second and the third."""

THROW_STEP = 17.0
"""Distance of two throws on the upper land."""

OFF_STEP, OFF_GAP = 7.9, 5.0
"""Distance of two places on the lower land, and the additional one between the two players."""


def _named(space: Space) -> Space:
    square = int(space.id)
    if square not in NAMES:
        return space
    y = space.y + (-BESIDE if square <= ROW else BESIDE)
    return replace(space, label=Label(space.x, y, "middle", (NAMES[square],)))


def _throws() -> Iterator[PrintedThrow]:
    """What every throw is worth, from one point on."""
    by_points = sorted((points_of(["white"] * white), white) for white in range(STICKS + 1))
    for n, (points, white) in enumerate(by_points):
        x = UPPER_LAND[0] + THROW_STEP * (n - (len(by_points) - 1) / 2)
        then = "throw again" if points in AGAIN else "pass on"
        faces = ("white",) * white + ("black",) * (STICKS - white)
        yield PrintedThrow(x, UPPER_LAND[1], faces, str(points), then)


def _off() -> Iterator[Space]:
    """Five places for the pieces of each player that have left, nickels on the left."""
    for side, (coins, starts) in zip((-1, 1), (("Nickels", NICKELS), ("Pennies", PENNIES)), strict=True):
        middle = LOWER_LAND[0] + side * (OFF_GAP + len(starts) * OFF_STEP) / 2
        for n in range(len(starts)):
            x, y = middle + (n - (len(starts) - 1) / 2) * OFF_STEP, LOWER_LAND[1] + 0.35
            label = Label(middle, y - BESIDE, "middle", (f"{coins} off the board",)) if n == 0 else None
            yield Space(f"{coins} {n + 1}", round(x, 2), y, label=label)


PRINTED = PaperBoard(
    replace(BARE, spaces=tuple(map(_named, BARE.spaces))),
    unit_mm=2.62,
    down_mm=7.44,
    space_mm=21,
    scale="a square is 21 mm wide, for nickels and pennies.",
    notes=(
        "The pieces start where their names stand. "
        "Whoever throws the first 1 has the nickels, and plays 10 to 11.",
        "On 29, 32 and 34, with two rings, nobody can be switched. "
        "When none of your pieces is on 1 to 10, they leave by landing on 36 or going beyond.",
    ),
    spare=tuple(_off()),
    spare_mm=20,
    throws=tuple(_throws()),
)
