"""Whether two detections may show the same die, and how far apart they are, in sides."""

from __future__ import annotations

import math
from dataclasses import replace

from vision.colours.alike import alike
from vision.readings import SeenDie

SAME_DIE_SIDES = 0.5
"""Detections in one picture, or in one place that did not change, nearer than this in sides are one die."""

MAX_SIDE_APART = 0.6
"""Two detections nearer than this, in sides, in one picture are faces of one die."""

MAX_SIZE_CHANGE = 1.5
"""Limit of the ratio between the sides of one die at rest in two places of the tray."""

BLURRED_FACE_CONFIDENCE = 0.5
"""Confidence below which a moving die shows no readable face: it may tumble or be
smeared, which counts half."""

MIN_NORMAL_CHANGE = 0.27
"""Minimum change of the surface normal, in normal_xy, between motion and rest that shows tumbling (about 15
degrees). Detections of dice that lie or slide differ by up to 0.15."""

MIN_NORMAL_ERRORS = 2.5
"""The change must also be this many times the uncertainty of the normal."""


MIN_LIKELY = 0.1
"""Minimum probability at which an unsure die may show another face than it seems to show. For a die of which
another one hid a quarter, that of its face was 0.35."""


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


def may_still_show(was: SeenDie, seen: SeenDie) -> bool:
    """Whether a die that is not sure, because another hides a part of it, say, may show the face that was
    sure."""
    likely = (face for face, share in seen.likely if share >= MIN_LIKELY)
    return was.sure and not seen.sure and was.face in likely and may_look_alike(was, seen)


def is_as_large(lay: SeenDie, seen: SeenDie) -> bool:
    """Whether a die has about the size of one that lay on the tray; a figure taken for a die has not. The
    longer side of a box that the picture's border cuts is nearly whole."""
    side, lay_side = (max(d.box_xywh[2:]) if d.cut_off else d.side for d in (seen, lay))
    return 1 / MAX_SIZE_CHANGE < side / lay_side < MAX_SIZE_CHANGE


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


def normal_changed(seen: SeenDie, end: SeenDie) -> bool:
    """Whether its upper face is seen to point elsewhere. A face that cannot be read says nothing."""
    if not seen.normal_xy or not end.normal_xy or seen.confidence < BLURRED_FACE_CONFIDENCE:
        return False
    change = math.dist(seen.normal_xy, end.normal_xy)
    error = max(seen.normal_error, end.normal_error)
    return change > MIN_NORMAL_CHANGE and change > MIN_NORMAL_ERRORS * error
