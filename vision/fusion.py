"""What several readings of one tray at rest say together.

A camera's noise, a flicker of the lamp or a half-settled die spoils one frame, seldom the next. So a reading is believed after two
in a row that agree and are sure; otherwise more are taken, and what they say on average counts: a die read as a 5 with 0.9, 0.99 and
0.99 is a 5, one that is a 5 in half of the frames and a 6 in the others is asked about, and a gleam seen once in six is nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from vision.reading import CONFIDENCE_THRESHOLD, Reading, SeenDie, SeenStick

SAME_DIE = 0.5
"""Two readings mean the same die when its middles are closer than this share of its shorter side."""

PASSING = 1 / 3
"""What fewer of the readings show than this, and none surely, is no die: a gleam, a moth, a finger's shadow."""

Seen = TypeVar("Seen", SeenDie, SeenStick)


def consistent(first: Reading, second: Reading) -> bool:
    """True when both readings hold the same dice and sticks: faces, colours, and places within half a die."""
    return _all_paired(first.dice, second.dice, _same_die) and _all_paired(first.sticks, second.sticks, _same_stick)


def fused(readings: Sequence[Reading]) -> Reading:
    """One reading out of several of the same tray, at least one; size and time are the last one's.

    A die's chances are averaged over all readings, and are nothing where it was not seen; it is sure when that average is. Its
    colour and lean are what most say, its place the last one seen.
    """
    dice = [_die_of(group, len(readings)) for group in _grouped([r.dice for r in readings])]
    sticks = [_stick_of(group, len(readings)) for group in _grouped([r.sticks for r in readings])]
    kept_dice, kept_sticks = (tuple(thing for thing in things if thing) for things in (dice, sticks))
    return replace(readings[-1], dice=kept_dice, sticks=kept_sticks)  # type: ignore[arg-type]


def _die_of(group: list[SeenDie], readings: int) -> SeenDie | None:
    if len(group) < PASSING * readings and not any(d.sure for d in group):
        return None
    chances: Counter[int] = Counter()
    for die in group:
        for face, chance in _probabilities(die).items():
            chances[face] += chance / readings  # type: ignore[assignment]
    (face, confidence), *_ = ranked = sorted(chances.items(), key=lambda pair: -pair[1])
    total = sum(chances.values()) or 1.0
    colours = Counter(d.colour for d in reversed(group)).most_common()
    one_colour = colours[0][1] > len(group) / 2
    return replace(
        group[-1],
        face=face,
        colour=colours[0][0],
        confidence=float(confidence),
        sure=confidence >= CONFIDENCE_THRESHOLD and one_colour and any(d.sure for d in group),
        cocked=2 * sum(d.cocked for d in group) > len(group),
        likely=tuple((f, chance / total) for f, chance in ranked),
        facing_xy=_facing_of(group),
        facing_error=max((d.facing_error for d in group if d.facing_xy), default=0.0),
    )


def _facing_of(group: list[SeenDie]) -> tuple[float, float] | None:
    known = [d.facing_xy for d in group if d.facing_xy]
    return (sum(x for x, _ in known) / len(known), sum(y for _, y in known) / len(known)) if known else None


def _probabilities(die: SeenDie) -> dict[int, float]:
    """Chance of each face and of its being a die at all."""
    if not die.likely:
        return {die.face: die.confidence}
    scale = die.confidence / max(dict(die.likely).get(die.face, 1.0), 1e-9)
    return {face: chance * scale for face, chance in die.likely}


def _stick_of(group: list[SeenStick], readings: int) -> SeenStick | None:
    if len(group) < PASSING * readings and not any(s.sure for s in group):
        return None
    face, count = Counter(s.face for s in reversed(group)).most_common(1)[0]
    confidence = sum(s.confidence for s in group if s.face == face) / readings
    return replace(group[-1], face=face, confidence=confidence, sure=count == readings and group[-1].sure)


def _grouped(rows: Sequence[Sequence[Seen]]) -> list[list[Seen]]:
    """The things of several readings, those in one place together; in the order of the last reading, then of first sight."""
    groups: list[list[Seen]] = []
    for row in rows:
        free = list(groups)
        for thing in row:
            home = next((g for g in free if _same_place(g[-1], thing)), None)
            if home is None:
                groups.append([thing])
            else:
                free.remove(home)
                home.append(thing)
    last = {id(thing): n for n, thing in enumerate(rows[-1])}
    return sorted(groups, key=lambda g: last.get(id(g[-1]), len(last)))


def _all_paired(ours: Sequence[Seen], theirs: Sequence[Seen], same: Callable[[Seen, Seen], bool]) -> bool:
    free = list(theirs)
    for thing in ours:
        partner = next((other for other in free if same(thing, other)), None)
        if partner is None:
            return False
        free.remove(partner)
    return not free


def _same_die(a: SeenDie, b: SeenDie) -> bool:
    return a.face == b.face and a.colour == b.colour and a.cocked == b.cocked and _same_place(a, b)


def _same_stick(a: SeenStick, b: SeenStick) -> bool:
    return a.face == b.face and _same_place(a, b)


def _same_place(a: SeenDie | SeenStick, b: SeenDie | SeenStick) -> bool:
    (ax, ay, aw, ah), (bx, by, bw, bh) = a.box_xywh, b.box_xywh
    away = ((ax + aw / 2 - bx - bw / 2) ** 2 + (ay + ah / 2 - by - bh / 2) ** 2) ** 0.5
    return bool(away < SAME_DIE * min(aw, ah, bw, bh))
