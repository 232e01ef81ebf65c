"""The last readings of a tray in motion, to find dice that lie still although something else moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from vision.readings import CONFIDENCE_THRESHOLD, Reading, SeenDie, SeenStick
from vision.stick_places import same_place
from vision.tracking.likeness import SAME_DIE_SIDES, normal_changed, sides_apart

READING_INTERVAL_S = 0.06
"""Minimum time between two readings of a tray in motion: every frame of a camera with ten frames a second,
every second one of thirty."""

MAX_KEPT = 48
"""Readings that are kept: three seconds at sixteen a second."""

MAX_JITTER_SIDES = 0.15
"""Maximum motion between readings of a die that lies still in a picture with motion, in sides of a die."""

SLIP_S, MIN_SLIP_SIDES, MIN_SLIP_PX = 0.15, 0.03, 1.5
"""A die that went further than this in SLIP_S has not come to rest: the centre of one that lies still is read
to half a pixel."""

MAX_STILL_SIDES = 0.06
"""Maximum motion between readings of a die that lies still where nothing moves, in sides of a die. At fifty
frames a second one that still rolls goes MAX_JITTER_SIDES at most."""

MAX_GAP_S = 0.15
"""Two readings that are further apart than this, s, say nothing about motion now."""


class ReadingsInMotion:
    """The last readings of a tray in motion, with their times."""

    def __init__(self) -> None:
        self._readings: deque[tuple[float, Reading]] = deque(maxlen=MAX_KEPT)
        self._tried_s: float | None = None

    @property
    def last(self) -> Reading | None:
        """The last reading; None if there is none."""
        return self._readings[-1][1] if self._readings else None

    def due(self, at_s: float) -> bool:
        """Whether a reading is due at this time, s. Another one is due READING_INTERVAL_S after it."""
        if self._tried_s is not None and 0 <= at_s - self._tried_s < READING_INTERVAL_S:
            return False
        self._tried_s = at_s
        return True

    def add(self, reading: Reading, at_s: float) -> None:
        """Adds a reading of the frame at this time, s."""
        self._readings.append((at_s, reading))

    def clear(self) -> None:
        """Removes all readings."""
        self._readings.clear()

    @property
    def show_motion(self) -> bool:
        """Whether the last two readings show as many dice, but one of them in another place."""
        if len(self._readings) < 2:
            return False
        (earlier_s, earlier), (at_s, last) = self._readings[-2], self._readings[-1]
        return (
            at_s - earlier_s <= MAX_GAP_S
            and len(earlier.dice) == len(last.dice)
            and not all(any(sides_apart(a, b) <= MAX_JITTER_SIDES for a in earlier.dice) for b in last.dice)
        )

    @property
    def slipping(self) -> list[SeenDie]:
        """The dice of the last reading that were a little beside their places up to SLIP_S before: too slow
        for any other sign of motion, they may slide off what they lean on."""
        at_s, last = self._readings[-1]
        earlier = [d for s, r in self._readings if 0 < at_s - s <= SLIP_S for d in r.dice]
        return [
            die
            for die in last.dice
            if any(
                sides_apart(die, d) <= MAX_JITTER_SIDES
                and die.distance_px(d) > max(MIN_SLIP_PX, MIN_SLIP_SIDES * die.side)
                for d in earlier
            )
        ]

    def recent(self, count: int) -> tuple[Reading, ...]:
        """The last readings that show the same dice as the newest one in the same places, at most this many,
        in the order of time."""
        found: list[Reading] = []
        for _, reading in reversed(self._readings):
            if len(found) == count or not same_dice_at_rest(reading.dice, self._readings[-1][1].dice):
                break
            found.append(reading)
        return tuple(reversed(found))

    def vanished(self, reading: Reading, since_s: float) -> list[SeenDie]:
        """The dice with a clear face that at least half of the readings since then, s, two at least, show in
        the same place, but this later reading does not. Where nothing moved, they are still there: the
        detector hardly finds them. What was gone meanwhile, and there again, may be a lamp that blinks."""
        readings = [earlier for at_s, earlier in self._readings if at_s >= since_s]
        found = list[SeenDie]()
        for die in (die for earlier in reversed(readings) for die in earlier.dice):
            shows = [any(sides_apart(die, other) <= MAX_STILL_SIDES for other in r.dice) for r in readings]
            gone = all(sides_apart(die, other) > SAME_DIE_SIDES for other in (*reading.dice, *found))
            blinks = not all(shows[shows.index(True) : len(shows) - shows[::-1].index(True)])
            clear = die.confidence >= CONFIDENCE_THRESHOLD and not blinks
            if gone and clear and sum(shows) >= max(2, len(shows) / 2):
                found.append(die)
        return found

    def steady_for(self, duration_s: float) -> bool:
        """Whether the readings of this last time, s, show the same dice and sticks in the same places.

        False where nothing lies there. Raises IndexError if there are no readings.
        """
        at_s, last = self._readings[-1]
        if not last.dice and not last.sticks:
            return False
        later = last
        for earlier_s, reading in reversed(self._readings):
            if not all(same_dice_at_rest(reading.dice, since.dice) for since in (last, later)):
                return False
            if not same_sticks_at_rest(reading.sticks, last.sticks):
                return False
            if at_s - earlier_s >= duration_s:
                return True
            later = reading
        return False


def gone_since(earlier: Sequence[SeenDie], later: Sequence[SeenDie]) -> list[SeenDie]:
    """The dice that lay still earlier and are not detected in their places later; none if others came."""
    if len(later) > len(earlier):
        return []
    return [die for die in earlier if all(sides_apart(die, other) > MAX_JITTER_SIDES for other in later)]


def same_dice_at_rest(earlier: Sequence[SeenDie], later: Sequence[SeenDie]) -> bool:
    """Whether the same dice are detected in the same places. An unsure die may change its face, but not its
    slope: one that leans on another is about to tip over."""
    return len(earlier) == len(later) and all(
        any(
            sides_apart(other, die) <= MAX_JITTER_SIDES
            and (other.face == die.face or not (other.sure and die.sure))
            and not normal_changed(other, die)
            for other in earlier
        )
        for die in later
    )


def same_sticks_at_rest(earlier: Sequence[SeenStick], later: Sequence[SeenStick]) -> bool:
    """Whether the same sticks are detected in the same places, whatever faces they are given."""
    return len(earlier) == len(later) and all(any(same_place(a, b) for a in earlier) for b in later)
