"""Whether two detections may show the same die, and how far apart they are, in sides."""

from __future__ import annotations

from dataclasses import replace

from vision.colours.alike import alike
from vision.readings import SeenDie

BLURRED_FACE_CONFIDENCE = 0.5
"""Confidence below which a moving die shows no readable face: it may tumble or be
smeared, which counts half."""


def may_be_same(earlier: SeenDie, later: SeenDie) -> bool:
    """Whether both show the same face and may have the same colour: a die that is white in the light is grey
    in the shade."""
    return may_have_same_face(earlier, later) and may_be_same_body(earlier, later)


def may_be_same_body(earlier: SeenDie, later: SeenDie) -> bool:
    """Whether both may be one die, by their colours."""
    return may_have_same_colour(earlier, later) or may_look_alike(earlier, later)


def may_look_alike(earlier: SeenDie, later: SeenDie) -> bool:
    """Whether a die of one colour may seem to have the other."""
    return alike(earlier.colour, later.colour)


def may_have_same_colour(earlier: SeenDie, later: SeenDie) -> bool:
    """Whether they may have the same colour. The colour of an unsure die is not reliable."""
    return earlier.colour == later.colour or not (earlier.sure and later.sure)


def may_have_same_face(earlier: SeenDie, later: SeenDie) -> bool:
    """Whether they may show the same face. Where either is not sure, each face must be among the two
    likeliest of the other; where one has no readable face, any face may be the same."""
    if earlier.face == later.face:
        return True
    if earlier.sure and later.sure:
        return False
    if min(earlier.confidence, later.confidence) < BLURRED_FACE_CONFIDENCE:
        return True
    earlier_faces, later_faces = ([face for face, _ in die.likely[:2]] for die in (earlier, later))
    return later.face in earlier_faces and earlier.face in later_faces


def sides_apart(a: SeenDie, b: SeenDie) -> float:
    """Distance of the centres, sides."""
    return a.distance_px(b) / ((a.side + b.side) / 2)


def shifted(die: SeenDie, by_xy: tuple[float, float]) -> SeenDie:
    """The die moved by this vector, px."""
    x, y, w, h = die.box_xywh
    return replace(die, box_xywh=(x + by_xy[0], y + by_xy[1], w, h))


def is_near(a: SeenDie, b: SeenDie, sides: float) -> bool:
    """Whether the centres are at most this many sides apart."""
    return sides_apart(a, b) <= sides
