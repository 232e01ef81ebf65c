"""Fuses several readings of one tray at rest into one.

Noise, a flicker of the lamp or a half-settled die corrupts one frame, seldom the next. Two successive
readings that are consistent and sure are accepted. Otherwise more frames are read and their probabilities
averaged: a die read as a 5 with 0.9, 0.99 and 0.99 is a 5; one that is a 5 in half of the frames and a 6 in
the others is unsure; a specular reflection in one of six frames is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from vision.boxes import centre_distance
from vision.colours.alike import alike
from vision.readings import CONFIDENCE_THRESHOLD, Face, Reading, SeenDie, SeenStick, face_probabilities
from vision.stick_places import same_place, slides
from vision.turned_box import shared_area

SAME_DIE_SHARE = 0.5
"""Two readings show the same die if its centres are nearer than this share of its shorter side."""

MIN_SHARE = 1 / 3
"""A detection that is never sure and that a smaller share of the readings shows is dropped: a specular
reflection, an insect, a shadow."""

Item = TypeVar("Item", SeenDie, SeenStick)


def consistent(first: Reading, second: Reading) -> bool:
    """Whether both readings show the same dice and sticks: faces, colours, and centres within half a die."""
    same_dice = _all_paired(first.dice, second.dice, _same_die)
    return same_dice and _all_paired(first.sticks, second.sticks, _same_stick)


def fused(readings: Sequence[Reading]) -> Reading:
    """Several readings of one tray, at least one, fused; size and time are the last one's.

    A die's probabilities are averaged over all readings; they are zero where it was not detected. It is sure
    if the average reaches CONFIDENCE_THRESHOLD, most readings have colours alike and at least one is sure.
    Its colour, and whether it is cocked, are those of the majority. Its box is the last one. A stick is fused
    in the same way. Readings from before a stick slid to its place do not count.
    """
    readings = _since_last_slide(readings)
    dice = [_die_of(group, len(readings)) for group in _grouped([r.dice for r in readings])]
    sticks = [_stick_of(group, len(readings)) for group in _grouped([r.sticks for r in readings])]
    kept_dice, kept_sticks = (tuple(item for item in items if item) for items in (dice, sticks))
    return replace(readings[-1], dice=kept_dice, sticks=kept_sticks)  # type: ignore[arg-type]


def _since_last_slide(readings: Sequence[Reading]) -> Sequence[Reading]:
    """The readings after the last one that shows a stick of the last reading where it lay before it slid."""
    slid = [n for n, earlier in enumerate(readings) if _slid(earlier.sticks, readings[-1].sticks)]
    return readings[slid[-1] + 1 :] if slid else readings


def _slid(before: Sequence[SeenStick], now: Sequence[SeenStick]) -> bool:
    """Whether a stick moved a little, or went to a place that overlaps its former one: the same face left one
    and came to the other. One that lies still beside it is another."""
    moved = [a for a in before if not any(_lies_still(a, b) for b in now)]
    there = [b for b in now if not any(_lies_still(a, b) for a in before)]
    if any(slides(a, b) for a in moved for b in there):
        return True
    left = [a for a in before if not any(same_place(a, b) for b in now)]
    came = [b for b in now if not any(same_place(a, b) for a in before)]
    return any(a.face == b.face and shared_area(a.quad, b.quad) > 0 for a in left for b in came)


def _lies_still(before: SeenStick, now: SeenStick) -> bool:
    return same_place(before, now) and not slides(before, now)


def _die_of(group: list[SeenDie], readings: int) -> SeenDie | None:
    if len(group) < MIN_SHARE * readings and not any(d.sure for d in group):
        return None
    (face, confidence), likely = _ranked([(d.face, d.confidence, d.likely) for d in group], readings)
    colours = Counter(d.colour for d in reversed(group)).most_common()
    same_colour = sum(n for colour, n in colours if alike(colour, colours[0][0])) > len(group) / 2
    return replace(
        group[-1],
        face=face,
        colour=colours[0][0],
        confidence=float(confidence),
        sure=confidence >= CONFIDENCE_THRESHOLD and same_colour and any(d.sure for d in group),
        cocked=2 * sum(d.cocked for d in group) > len(group),
        likely=likely,
        normal_xy=_normal_of(group),
        normal_error=max((d.normal_error for d in group if d.normal_xy), default=0.0),
    )


def _normal_of(group: list[SeenDie]) -> tuple[float, float] | None:
    known = [d.normal_xy for d in group if d.normal_xy]
    return (sum(x for x, _ in known) / len(known), sum(y for _, y in known) / len(known)) if known else None


def _ranked(
    reads: Sequence[tuple[Face, float, Sequence[tuple[Face, float]]]], readings: int
) -> tuple[tuple[Face, float], tuple[tuple[Face, float], ...]]:
    """The likeliest face with its mean probability, and all faces with their shares, likeliest first.

    reads: face, confidence and `likely` of each reading that shows the die or stick. readings: number of all.
    """
    mean: dict[Face, float] = {}
    for face, confidence, likely in reads:
        for each, probability in face_probabilities(face, confidence, likely).items():
            mean[each] = mean.get(each, 0.0) + probability / readings
    ranked = sorted(mean.items(), key=lambda pair: -pair[1])
    total = sum(mean.values()) or 1.0
    face, confidence = ranked[0]
    return (face, float(confidence)), tuple((each, share / total) for each, share in ranked)


def _stick_of(group: list[SeenStick], readings: int) -> SeenStick | None:
    if len(group) < MIN_SHARE * readings and not any(s.sure for s in group):
        return None
    (face, confidence), likely = _ranked([(s.face, s.confidence, s.likely) for s in group], readings)
    return replace(
        group[-1],
        face=face,
        confidence=confidence,
        sure=confidence >= CONFIDENCE_THRESHOLD and any(s.sure for s in group),
        crossed=2 * sum(s.crossed for s in group) > len(group),
        likely=likely,
    )


def _grouped(rows: Sequence[Sequence[Item]]) -> list[list[Item]]:
    """The items of several readings, by position, in the last reading's order; then the missing ones."""
    groups: list[list[Item]] = []
    for row in rows:
        unpaired = list(groups)
        for item in row:
            group_here = next((g for g in unpaired if _same_place(g[-1], item)), None)
            if group_here is None:
                groups.append([item])
            else:
                unpaired.remove(group_here)
                group_here.append(item)
    last = {id(item): n for n, item in enumerate(rows[-1])}
    return sorted(groups, key=lambda g: last.get(id(g[-1]), len(last)))


def _all_paired(first: Sequence[Item], second: Sequence[Item], is_same: Callable[[Item, Item], bool]) -> bool:
    unpaired = list(second)
    for item in first:
        partner = next((other for other in unpaired if is_same(item, other)), None)
        if partner is None:
            return False
        unpaired.remove(partner)
    return not unpaired


def _same_die(a: SeenDie, b: SeenDie) -> bool:
    return a.face == b.face and a.colour == b.colour and a.cocked == b.cocked and _same_place(a, b)


def _same_stick(a: SeenStick, b: SeenStick) -> bool:
    return a.face == b.face and same_place(a, b)


def _same_place(a: SeenDie | SeenStick, b: SeenDie | SeenStick) -> bool:
    if isinstance(a, SeenStick):
        return isinstance(b, SeenStick) and same_place(a, b)
    shorter_side = min(*a.box_xywh[2:], *b.box_xywh[2:])
    return centre_distance(a.box_xywh, b.box_xywh) < SAME_DIE_SHARE * shorter_side
