"""Towers of dice as the camera sees them: the place and the top die of each, and what became of it.

Theory of operation. From above only the top die of a tower is read. The game knows how many dice stand below
it. The place of a tower is learned from the dice that it was built of: each level has the box of the die that
was once on top there. A die that is higher is nearer to the camera. So it looks larger, and stands off from
the base towards the border of the picture. The next die is expected in line with those below.

A tower is in one of few conditions: as it was, higher by a die that the game knows of already, lower, or with
another die on top. Each has a chance that follows from the place, the colour and the faces of the top die.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from table.rules.answers import Die
from table.rules.towers import Tower
from vision.readings import PLAIN_BGR, SeenDie, on_one_another

LEVEL_GROWTH = 1.037
"""How much larger a die looks than the one below it, and how much farther from the picture's centre it is.
A die of 16 mm seen from 43 cm; from 30 cm it is 1.056, from 65 cm 1.025."""

REACH_SIDES = 0.75
"""Maximum distance of a top die from where it is expected, in sides. A die set down askew is off by 0.25, and
the growth of a level is off by 0.1 at the border."""

STRAY_SIDES = 2.5
"""A tower that was pushed as a whole is searched for within this distance, in sides. Towers stand at least
two and a half sides apart."""

PLACE_SIGMA_SIDES, SAME_SIGMA_SIDES, SAME_SIGMA_SIZE = 0.4, 0.12, 0.08
"""Standard deviations: of the distance between a top die and its expected place, in sides; of the distance
between two readings of a tower that nobody touched; and of the ratio of their sizes, which vary by 0.03."""

OTHER_COLOUR, MIN_FACE_CHANCE = 0.001, 0.001
"""Chance that a die is read with the name of another colour of the game, and least chance of any face."""

COLOUR_SCALE = 70.0
"""A colour that no die of the game has is one of the game's by chance exp(-distance / COLOUR_SCALE); BGR
distance between plain colours. Orange is 108 from yellow and 119 from red, and 230 from blue."""

SAME, AHEAD, PLACED, LOWER, OTHER = 0.9, 0.6, 0.4, 0.4, 0.001
"""Weight of each condition of a tower before it is seen: it is as it was; it changed as the game knows
already; a die was put on it, shared by the dice that may be; dice fell, shared by the levels; something else.
"""

NOTHING_NEW, PICKED_UP = 0.3, 0.01
"""Factors of LOWER if no new dice lie on the tray: those that fell may have left it, or lie behind a tower.
If a loose die was picked up meanwhile, it is more likely the die on top."""

UNTOUCHED = 0.1
"""Weight that replaces SAME for towers that do not look as they were, if as many loose dice were picked up
and are not in sight. Those dice may be in a hand; more likely they are on these towers."""

RENAMED, OTHER_BOX = 0.03, 0.02
"""Chances for a tower that nobody touched: that the colour of its top is read with another name than before,
which no die of the game has; and that its box is another, because it includes the sides of lower dice now, or
no longer does."""

STILL_LYING, NOT_SEEN = 0.02, 0.5
"""Weight of a die that may have been put on a tower, if it still lies on the tray, and if it was not seen
lying there before either. A die that has just been picked up has 1."""

SURE_CHANCE, SAME_CHANCE = 0.97, 0.85
"""Lowest chance of a condition that is acted on without a question, and of a tower that is as it was."""

CERTAIN_CHANCE, LEGIBLE = 0.99, 0.9
"""Lowest chance of a condition, and lowest confidence of a level top die that it explains, with which that
die needs not be read surely: the game knows which faces it can show."""

MAX_SPREAD_RATIO = 1.2
"""Another square of towers is taken for possible if it is not larger than the smallest by this ratio."""

MAX_SEARCHED = 20_000
"""Maximum number of ways to match towers with dice that are tried when the places are learned."""


@dataclass(frozen=True)
class TowerSeen:
    """One tower as the camera knows it.

    dice: from base to top, as they stand on the tray. The game may be ahead of that, or behind.
    levels: the die of each level as it was last seen on top; None where it was not seen.
    """

    dice: Tower
    levels: tuple[SeenDie | None, ...]

    @property
    def height(self) -> int:
        return len(self.dice)

    def place(self, level: int, size_wh: tuple[int, int]) -> tuple[tuple[float, float], float]:
        """Centre and side, px, at which the die of this level is expected; the base is level 1."""
        known = [n for n, seen in enumerate(self.levels, start=1) if seen is not None]
        nearest = min(known, key=lambda n: abs(n - level))
        seen = self.levels[nearest - 1]
        assert seen is not None
        growth = LEVEL_GROWTH ** (level - nearest)
        (x, y), middle = seen.centre_xy, (size_wh[0] / 2, size_wh[1] / 2)
        centre = (middle[0] + (x - middle[0]) * growth, middle[1] + (y - middle[1]) * growth)
        return centre, seen.side * growth

    def off_sides(self, die: SeenDie, level: int, size_wh: tuple[int, int]) -> float:
        """Distance of a die from where the die of this level is expected, in sides."""
        (x, y), side = self.place(level, size_wh)
        return math.dist(die.centre_xy, (x, y)) / side

    def holds(self, die: SeenDie, size_wh: tuple[int, int]) -> bool:
        """Whether a die is where some level of this tower is expected, or the next one or two."""
        levels = range(1, self.height + 3)
        return min(self.off_sides(die, level, size_wh) for level in levels) <= REACH_SIDES

    def showing(self, dice: Tower, top: SeenDie) -> TowerSeen:
        """The tower that consists of these dice now, with this die seen on top."""
        kept = (*self.levels, *[None] * len(dice))[: len(dice) - 1]
        return TowerSeen(dice, (*kept, top))


@dataclass(frozen=True)
class Condition:
    """What may have become of a tower.

    kind: "same", "ahead" (as the game has it already), "placed", "lower" or "other". dice: that stand there
        then; as they were for "other".
    chance: 0-1, among all conditions of this tower.
    """

    kind: str
    dice: Tower
    chance: float


@dataclass(frozen=True)
class TowerReading:
    """A tower in one reading. top: the die on top, None if none was seen. conditions: the likeliest first."""

    tower: TowerSeen
    top: SeenDie | None
    conditions: tuple[Condition, ...] = ()

    @property
    def best(self) -> Condition:
        return self.conditions[0] if self.conditions else Condition("same", self.tower.dice, 0.0)

    @property
    def sure(self) -> bool:
        """Whether the likeliest condition is sure, and the top die was read surely if it changed."""
        if self.top is None or self.best.kind == "other":
            return False
        if self.best.kind == "same":
            return self.best.chance >= SAME_CHANCE
        if self.top.sure:
            return self.best.chance >= SURE_CHANCE
        legible = self.top.confidence >= LEGIBLE and not (self.top.cocked or self.top.cut_off)
        return self.best.chance >= CERTAIN_CHANCE and legible and self.top.face == self.best.dice[-1].face

    @property
    def now(self) -> TowerSeen:
        """The tower as it stands if the likeliest condition holds; as it was if it is not sure."""
        if self.top is None or not self.sure:
            return self.tower
        return self.tower.showing(self.best.dice, self.top)


# -- how well a reading fits a die ---------------------------------------------------------------------------


def face_chance(seen: SeenDie, die: Die) -> float:
    """How well the faces of the reading fit this die, 0-1."""
    faces = dict(seen.likely) or {seen.face: seen.confidence}
    return max(faces.get(die.face, 0.0), MIN_FACE_CHANCE)


@cache
def colour_chance(seen: str, colour: str, colours: tuple[str, ...]) -> float:
    """How well a colour's name fits a die of this colour, where the game has only these colours."""
    if seen == colour:
        return 1.0
    if seen in colours:
        return OTHER_COLOUR
    return max(math.exp(-math.dist(PLAIN_BGR[seen], PLAIN_BGR[colour]) / COLOUR_SCALE), OTHER_COLOUR)


# -- the condition of a tower --------------------------------------------------------------------------------


def read_tower(
    tower: TowerSeen,
    expected: Tower,
    candidates: Sequence[SeenDie],
    placeable: Mapping[Die, float],
    fallen: float,
    colours: Sequence[str],
    size_wh: tuple[int, int],
    same: float = SAME,
) -> TowerReading:
    """The tower as this reading shows it.

    expected: its dice by the rules. candidates: the dice seen where it stands. placeable: dice that may have
    been put on it, with their weights. fallen: the factor of LOWER. same: weight of a tower as it was.
    """
    top = top_die(tower, candidates, size_wh)
    if top is None:
        return TowerReading(tower, None)
    weights = [
        (kind, dice, prior * _fit(tower, dice, top, colours, size_wh))
        for kind, dice, prior in _possible(tower, expected, placeable, fallen, same)
    ]
    weights.append(("other", tower.dice, OTHER))
    total = sum(weight for *_, weight in weights)
    conditions = [Condition(kind, dice, weight / total) for kind, dice, weight in weights]
    return TowerReading(tower, top, tuple(sorted(conditions, key=lambda c: -c.chance)))


def top_die(tower: TowerSeen, candidates: Sequence[SeenDie], size_wh: tuple[int, int]) -> SeenDie | None:
    """The top die of a tower among the dice seen where it stands: a sure one, the nearest to the top."""

    def rank(die: SeenDie) -> tuple[bool, float]:
        off = min(tower.off_sides(die, level, size_wh) for level in (tower.height, tower.height + 1))
        return (not die.sure, off)

    return min(candidates, key=rank, default=None)


def _possible(
    tower: TowerSeen, expected: Tower, placeable: Mapping[Die, float], fallen: float, same: float
) -> Iterator[tuple[str, Tower, float]]:
    """Every condition as (kind, dice, chance before the reading)."""
    dice = tower.dice
    yield "same", dice, same
    if expected != dice:
        yield "ahead", expected, AHEAD
    new = {die: weight for die, weight in placeable.items() if (*dice, die) != expected}
    total = sum(new.values())
    yield from (("placed", (*dice, die), PLACED * weight / max(total, 1)) for die, weight in new.items())
    if dice == expected[: len(dice)]:
        lower = range(1, len(dice))
        yield from (("lower", dice[:level], LOWER * fallen / len(lower)) for level in lower)


def _fit(
    tower: TowerSeen, dice: Tower, top: SeenDie, colours: Sequence[str], size_wh: tuple[int, int]
) -> float:
    """How well the top die fits a tower of these dice, by its look and its place."""
    off = tower.off_sides(top, len(dice), size_wh)
    before = tower.levels[-1] if dice == tower.dice else None
    if before is None:
        place = math.exp(-((off / PLACE_SIGMA_SIDES) ** 2) / 2)
        colour = colour_chance(top.colour, str(dice[-1].colour), tuple(colours))
    else:
        growth = math.log(top.side / before.side)
        error = (off / SAME_SIGMA_SIDES) ** 2 + (growth / SAME_SIGMA_SIZE) ** 2
        place = max(math.exp(-error / 2), OTHER_BOX)
        other = OTHER_COLOUR if top.colour in colours else RENAMED
        colour = 1.0 if top.colour == before.colour else other
    return face_chance(top, dice[-1]) * colour * place


def lies_beside(die: SeenDie, top: SeenDie | None) -> bool:
    """Whether a sure die where a tower stands is no side of one of its lower dice: it lies beside the top."""
    return (
        die.sure
        and top is not None
        and not on_one_another(die, top)
        and die.distance_px(top) > REACH_SIDES * top.side
    )


# -- learning where the towers stand -------------------------------------------------------------------------


def learned(towers: Sequence[Tower], dice: Sequence[SeenDie]) -> tuple[TowerSeen, ...] | None:
    """The towers at the places of dice that look like their tops.

    Where several dice look alike, the towers are those that stand at the corners of the smallest square,
    clockwise. None if a top is not seen surely, or if that leaves more than one way.
    """
    colours = colours_of(towers)
    alike = [[d for d in dice if d.sure and as_die(d, colours) == tower[-1]] for tower in towers]
    if not all(alike) or math.prod(map(len, alike)) > MAX_SEARCHED:
        return None
    ways = [way for way in product(*alike) if len(set(map(id, way))) == len(way)]
    if len(ways) > 1:
        ways = [way for way in ways if _is_clockwise(way)]
    spread = min(map(_spread, ways), default=0.0)
    best = [way for way in ways if _spread(way) < MAX_SPREAD_RATIO * spread]
    if len(best) != 1:
        return None
    pairs = zip(towers, best[0], strict=True)
    return tuple(TowerSeen(tower, (*[None] * (len(tower) - 1), top)) for tower, top in pairs)


def colours_of(towers: Sequence[Tower]) -> tuple[str, ...]:
    """The colours of the game's dice: those of the bases."""
    return tuple(sorted({str(tower[0].colour) for tower in towers}))


@cache
def game_colour(seen: str, colours: tuple[str, ...]) -> str:
    """The colour of the game that a die of this colour's name may be: the nearest one."""
    return (
        seen
        if seen in colours
        else min(colours, key=lambda colour: math.dist(PLAIN_BGR[seen], PLAIN_BGR[colour]))
    )


def as_die(seen: SeenDie, colours: tuple[str, ...]) -> Die:
    """The die of the game that this reading shows."""
    return Die(seen.face, game_colour(seen.colour, colours))


def _is_clockwise(dice: Sequence[SeenDie]) -> bool:
    """Whether these are the corners of a convex polygon, in clockwise order in the picture."""
    points = [d.centre_xy for d in dice]
    corners = zip(points[-1:] + points[:-1], points, points[1:] + points[:1], strict=True)
    return all((bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0 for (ax, ay), (bx, by), (cx, cy) in corners)


def _spread(dice: Sequence[SeenDie]) -> float:
    """Sum of the distances between these dice, px."""
    return sum(a.distance_px(b) for i, a in enumerate(dice) for b in dice[:i])


def followed(tower: TowerSeen, loose: Sequence[SeenDie], colours: tuple[str, ...]) -> TowerSeen | None:
    """A tower that was pushed or set elsewhere as a whole: at the only near die that looks like its top."""
    last = tower.levels[-1] or next((s for s in reversed(tower.levels) if s), None)
    if last is None:
        return None
    reach = math.inf if tower.height == 1 else STRAY_SIDES
    near = [
        d
        for d in loose
        if d.sure and as_die(d, colours) == tower.dice[-1] and d.distance_px(last) <= reach * last.side
    ]
    if len(near) != 1:
        return None
    (dx, dy) = (near[0].centre_xy[i] - last.centre_xy[i] for i in (0, 1))
    return replace(tower, levels=(*(s and _shifted(s, dx, dy) for s in tower.levels[:-1]), near[0]))


def _shifted(die: SeenDie, dx: float, dy: float) -> SeenDie:
    x, y, w, h = die.box_xywh
    return replace(die, box_xywh=(x + dx, y + dy, w, h))
