"""Whether the camera sees the tray, from the frames alone: black, covered, frozen or out of focus.

Theory of operation. A few pixels of every frame tell whether a camera stands behind the frames at all (vision.liveness). Ten times a
second two looks at the tray give its structure without noise (vision.structure), by blocks: brightness, coarse and fine structure.
It is set against absolute bounds, which hold for any tray, and against what this tray was when all was well:
    dark       next to no light, and no block with structure in it;
    covered    the picture as a whole has lost its structure, and nearly every block is another;
    blurred    blocks whose brightness is what it was have lost their fine structure, or no block has any.
A hand, an emptied tray or a throw changes some blocks; a lamp changes all alike, which one gain takes out. Each trouble is named once
it has lasted for a while, and is over once it was gone for a while: single frames say nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from table.common.tray import TrayState
from vision.frames import Frame
from vision.liveness import ROUNDING_S, Dots, Liveness, dots_of
from vision.structure import GRID_WH, Grey, Rows, Structure

Mask = NDArray[np.bool_]

LOOK_S = 0.09
"""Time between looks at the structure: three frames of 30 a second."""

SMOOTHING = 0.3
"""Share of the looks before in one look: single looks are too noisy in dim light."""

BEGINS_S = 1.5
"""After so long what is usual is taken from a tray that does not rest. Exposure has found itself by then."""

NAME_S: Mapping[TrayState, float] = {TrayState.DARK: 1.0, TrayState.COVERED: 1.2, TrayState.FROZEN: 0.0, TrayState.BLURRED: 1.5}
"""How long a trouble lasts before it is named; of several the first counts. A hand that passes right under the lens does so in less;
FROZEN has its own patience."""

OVER_S = 0.8
"""How long it must be gone before it is over."""

MOSTLY = 0.75
"""Share of the looks that says so: in a noisy picture single ones do not."""

DARK_LEVEL = 16.0
"""Brightness of the brightest blocks, grey levels, below which a picture may be dark. The photographs darkened in steps: of what has
more light than this the reader reads seven dice of ten and more."""

DARK_STRUCTURE = 4.0
"""Coarse structure, grey levels rms, of the blocks that have most of it, below which it is. Of 40 photographs darkened in steps with a
noise of sigma 2, 4 % of those the reader still reads are under both bounds, and all of those at a fortieth of their light."""

TOP = 0.98
"""Quantile that stands for the blocks with the most light or structure."""

COVERED_SHARE = 0.3
"""Of its usual contrast, light taken out, a covered picture has less than this."""

COVERED_CONTRAST = 6.0
"""... and less than this, grey levels rms. In good light 242 photographs of trays, empty ones among them, have 14 and more."""

COVERED_BLOCKS = 0.85
"""Share of the blocks that must be others: a hand or an arm leaves more of them as they were."""

BARE_SHARE, BARE_BLOCKS, BARE_LAYOUT = 0.06, 0.5, 0.5
"""With less of its contrast than the first, half of them do: a cover may be as bright as the felt. The blocks' brightness must then go
with what it was by less than the third, as correlation: a clip taken out of focus, hands in it, keeps 0.5 and more."""

FLAT_LEVELS = 0.5
"""Blocks that differ by no more, grey levels rms, have no layout."""

SAME_LAYOUT = 0.9
"""Where the blocks' brightness goes with what it was by more than this, as correlation, the tray is seen, be it dimly or out
of focus."""

CHANGED_LEVELS, CHANGED_SHARE, MIN_CHANGED = 10.0, 0.15, 3.0
"""A block this much brighter or darker than it was is another one, grey levels: in dim light this share of its own, but not less than
that."""

LOST = 0.3
"""A block that has less than this of its structure, as amplitudes, has lost it."""

BLURRED_SHARPNESS = 0.14
"""Fine against coarse structure of the picture, as amplitudes, under which it is out of focus whatever it shows. The photographs have
0.21 and more; blurred by 0.004 of their width, where the reader starts to fail, 0.15 at most."""

MIN_CONTRAST = 3.0
"""... and with less contrast than this, grey levels rms, nothing is said: next to nothing is in the
picture."""

SHARP_SHARPNESS = 0.24
"""Over this a picture is not called out of focus, however sharp it was before."""

BLURRED_SHARE = 0.22
"""Blocks that were left alone have less than this of their fine structure, as amplitudes. Blurred by 0.002 of the width, which
the reader does not mind, the photographs keep 0.27 and more, by 0.004 they keep 0.17 and less."""

SOFT_SHARE = 0.35
"""... and less than this, where the whole picture is as soft as one out of focus: a soft lens has not as much to lose."""

MIN_BLOCKS = 6
"""So many blocks must be left alone and have structure for that."""

CLEAR = 2.5
"""Structure counts from this many times its own uncertainty."""

MIN_FINE = 1.0
"""A block has fine structure from this, grey levels rms: rounding alone makes 0.7."""

LEARNED_UP, LEARNED_DOWN = 0.1, 0.02
"""Share of a look that goes into what is usual, where a block is sharper than it was, and where it is less so: a good look is
believed within a second, a slow loss of focus only after five."""


@dataclass(frozen=True, eq=False)
class _Sample:
    """What is kept of a frame until the next look."""

    at_s: float
    dots: Dots
    rows: Rows


class Health:
    """Feeds on frames, tells what is wrong with the camera or the light; keeps no clock: time is the frames' own."""

    def __init__(self) -> None:
        self._alive = Liveness()
        self._usual = _Baseline()
        self._bouts = {trouble: _Symptom(name_s) for trouble, name_s in NAME_S.items()}
        self._looked: _Sample | None = None
        self._now: Structure | None = None
        self._began_s: float | None = None

    def see(self, frame: Frame, calm: bool, still: bool = False) -> TrayState | None:
        """What is wrong, with this frame; None: all is well. calm: the tray is at rest. still: nothing moves, though a hand may be
        over it."""
        at_s = frame.at_s
        dots, before = dots_of(frame.picture), self._looked
        frozen = self._alive.see(dots, at_s, calm)
        self._bouts[TrayState.FROZEN].see(frozen, at_s)
        if before is None or before.dots.shape != dots.shape or at_s < before.at_s:
            self._looked = _Sample(at_s, dots, Rows.of(frame.picture))
        elif not frozen and at_s - before.at_s >= LOOK_S:
            self._looked = _Sample(at_s, dots, Rows.of(frame.picture))
            rests = calm and self._alive.learned
            learns = (rests or self._begins(at_s)) and not self._alive.repeats(before.dots, dots)
            self._judge(before, self._looked, calm or still, learns)
        return next((trouble for trouble, bout in self._bouts.items() if bout.named), None)

    @property
    def doubts(self) -> bool:
        """Whether the picture may be dark or covered, which has not lasted long enough to be named."""
        return any(bout.shows and not bout.named for bout in (self._bouts[TrayState.DARK], self._bouts[TrayState.COVERED]))

    def _begins(self, at_s: float) -> bool:
        """True when the tray has been watched for a while and never rested: then a first look at it has to do."""
        self._began_s = at_s if self._began_s is None else self._began_s
        return self._usual.rest is None and at_s - self._began_s >= BEGINS_S

    def _judge(self, before: _Sample, look: _Sample, still: bool, learns: bool) -> None:
        """Sets the structure that two looks have in common against what is usual.

        learns: this may become what is usual. Not so a frame that repeats another one: noise and all is what those two have in common.
        """
        if before.rows.grey.shape != look.rows.grey.shape:
            self._usual, self._now = _Baseline(), None
            return
        now = Structure.between(before.rows, look.rows)
        if self._now is not None and look.at_s - before.at_s < OVER_S:
            now = now.smoothed(self._now, SMOOTHING)
        self._now = now
        for trouble, there in self._symptoms(now, still).items():
            if there is not None:
                self._bouts[trouble].see(there, look.at_s)
        if learns and not any(bout.suspected for bout in self._bouts.values()):
            self._usual.learn(now)

    def _symptoms(self, now: Structure, still: bool) -> dict[TrayState, bool | None]:
        """What this look says of each trouble; None: nothing."""
        dark, covered = is_dark(now), self._usual.covered(now)  # a hand before the lens may be both, now this and now that
        blurred = False if dark or covered else self._blurred(now, still)
        return {TrayState.DARK: dark, TrayState.COVERED: covered, TrayState.BLURRED: blurred}

    def _blurred(self, now: Structure, still: bool) -> bool | None:
        """Moving dice are soft as well: a whole picture that is soft says nothing while something moves."""
        if self._usual.blurred(now):
            return True
        return None if is_blurred(now) and not still else is_blurred(now)


class _Symptom:
    """One trouble: named once it has shown for nearly all of name_s, over once it has hardly shown for OVER_S."""

    def __init__(self, name_s: float) -> None:
        self._name_s = name_s
        self._seen: deque[tuple[float, bool]] = deque()
        self.named = False

    @property
    def shows(self) -> bool:
        """Whether it showed in the last look."""
        return bool(self._seen) and self._seen[-1][1]

    @property
    def suspected(self) -> bool:
        """True when it has shown of late, named or not."""
        return self.named or any(there for _, there in self._seen)

    def see(self, there: bool, at_s: float) -> None:
        self._seen.append((at_s, there))
        from_s = at_s - (OVER_S if self.named else self._name_s) + ROUNDING_S
        while len(self._seen) > 1 and self._seen[1][0] <= from_s:
            self._seen.popleft()
        if self._seen[0][0] > from_s:
            return
        share = sum(there for _, there in self._seen) / len(self._seen)
        if share >= MOSTLY if not self.named else share <= 1 - MOSTLY:
            self.named = not self.named
            self._seen.clear()


def correlation(before: Grey, now: Grey) -> float:
    """How far two fields of brightness go together, -1 to 1; near 0 where either is flat to half a grey level."""
    was, is_ = before - before.mean(), now - now.mean()
    return float((was * is_).mean() / np.sqrt(((was * was).mean() + FLAT_LEVELS**2) * ((is_ * is_).mean() + FLAT_LEVELS**2)))


def is_dark(now: Structure) -> bool:
    """True when there is next to no light and nothing to be read by it."""
    light = float(np.quantile(now.level, TOP))
    structure = float(np.quantile(now.coarse, TOP)) - CLEAR * now.coarse_doubt
    return light < DARK_LEVEL and structure < DARK_STRUCTURE**2


def is_blurred(now: Structure) -> bool:
    """True when nothing in the picture is sharp, whatever it shows; never of a picture with next to nothing in it."""
    fine = float(now.fine.mean()) + _doubt(now.fine_doubt)
    return now.contrast > MIN_CONTRAST and fine < BLURRED_SHARPNESS**2 * float(now.coarse.mean())


def is_sharp(now: Structure) -> bool:
    """True when the picture as a whole is in focus, whatever it shows and was."""
    fine = float(now.fine.mean()) - _doubt(now.fine_doubt)
    return fine > SHARP_SHARPNESS**2 * float(now.coarse.mean())


def _doubt(of_block: float) -> float:
    """What noise may make of the whole picture's structure, by what it makes of a block's."""
    return float(CLEAR * of_block / np.sqrt(GRID_WH[0] * GRID_WH[1]))


@dataclass(eq=False)
class _Baseline:
    """What the tray looks like when all is well: brightness and structure by blocks."""

    rest: Structure | None = None

    def learn(self, now: Structure) -> None:
        """Takes over what lies there now; of blocks that lay there before, the fine structure only by and by."""
        if self.rest is not None:
            gain = self._gain(now)
            was = self.rest.fine * gain**2
            learned = was + (now.fine - was) * np.where(now.fine > was, LEARNED_UP, LEARNED_DOWN)
            fine = np.where(self._same(now, gain), learned, now.fine)
            now = replace(now, fine=np.asarray(fine, np.float32))
        self.rest = now

    def covered(self, now: Structure) -> bool:
        """True when the whole picture is another, and has no structure."""
        if self.rest is None:
            return False
        light = float(now.level.mean()) / max(float(self.rest.level.mean()), 1.0)
        had = light * self.rest.contrast
        most, structure = min(COVERED_CONTRAST, COVERED_SHARE * had) ** 2, float(now.coarse.mean())
        layout = correlation(self.rest.level, now.level)
        if structure - _doubt(now.coarse_doubt) > most or layout > SAME_LAYOUT:
            return False
        bare = structure < (BARE_SHARE * had) ** 2 and layout < BARE_LAYOUT
        others = float((~self._same(now, 1.0) | self._lost(now, light)).mean())
        return others >= (BARE_BLOCKS if bare else COVERED_BLOCKS)

    def blurred(self, now: Structure) -> bool:
        """True when what lies there as it did has lost its fine structure."""
        if self.rest is None or is_sharp(now):
            return False
        gain = self._gain(now)
        was = self.rest.fine * gain**2
        known = self._same(now, gain) & (was > max(CLEAR * now.fine_doubt, MIN_FINE**2))
        if known.sum() < MIN_BLOCKS:
            return False
        kept = float(now.fine[known].sum() / was[known].sum())
        return kept < (SOFT_SHARE if now.sharpness < BLURRED_SHARPNESS else BLURRED_SHARE) ** 2

    def _gain(self, now: Structure) -> float:
        """How much brighter most of the tray is than it was."""
        assert self.rest is not None
        return float(np.median((now.level + 1) / (self.rest.level + 1)))

    def _same(self, now: Structure, gain: float) -> Mask:
        """Blocks as bright as they were, but for the gain."""
        assert self.rest is not None
        was = gain * self.rest.level
        return np.asarray(np.abs(now.level - was) < np.clip(CHANGED_SHARE * was, MIN_CHANGED, CHANGED_LEVELS), np.bool_)

    def _lost(self, now: Structure, light: float) -> Mask:
        """Blocks that had structure to be sure of, and have not any more."""
        assert self.rest is not None
        had = self.rest.coarse * light**2
        return np.asarray((had > CLEAR * now.coarse_doubt) & (now.coarse < LOST**2 * had), np.bool_)
