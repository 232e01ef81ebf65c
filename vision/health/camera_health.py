"""Detects from the frames alone whether the camera sees the tray: black, covered, frozen or out of focus.

Theory of operation. A few pixels of every frame show whether the frames come from a live camera
(vision.health.liveness). Ten times a second, two samples of the tray give its structure without noise
(vision.health.structure), by blocks: brightness, coarse and fine structure. The structure is compared with
absolute limits, which hold for any tray, and with a baseline, which is this tray when all was well:
    dark       next to no light, less than dice were read in, and no block with structure;
    covered    the picture as a whole has lost its structure, and nearly every block has changed; or it never
               had any;
    blurred    blocks of unchanged brightness have lost their fine structure, or no block has any.
A hand, an emptied tray or a throw changes some blocks. A lamp changes all alike, which one gain removes. A
trouble is reported after it has lasted for a while, and is over after it was gone for a while: a single frame
is too noisy to decide.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from table.common.tray import TrayState
from vision.frames import Frame
from vision.health.liveness import ROUNDING_S, Liveness, Pixels, sampled_pixels
from vision.health.structure import GRID_WH, Grey, Rows, Structure

Mask = NDArray[np.bool_]

SAMPLE_INTERVAL_S = 0.09
"""Time between samples of the structure: three frames of 30 a second."""

SMOOTHING = 0.3
"""Weight of the earlier samples in the exponential moving average: in dim light one sample is too noisy."""

START_S = 1.5
"""Time after which the baseline is taken from a tray that does not rest. The exposure is stable by then."""

EXPOSED_S = 1.0
"""Time in which a camera that starts may show nothing, until its exposure fits the light."""

REPORT_AFTER_S: Mapping[TrayState, float] = {
    TrayState.DARK: 1.0,
    TrayState.COVERED: 1.2,
    TrayState.FROZEN: 0.0,
    TrayState.BLURRED: 1.5,
}
"""Time that a trouble lasts before it is reported; the first of several is reported. A hand that passes
close to the lens takes less. FROZEN has its own delay in vision.health.liveness."""

CLEAR_AFTER_S = 0.8
"""Time that a trouble must be gone before it is over."""

MIN_SAMPLE_SHARE = 0.75
"""Minimum share of the samples that agree. A noisy picture gives single outliers."""

MAX_DARK_LEVEL = 16.0
"""Brightness of the brightest blocks in their brightest colour channel, grey levels, below which a picture
may be dark. Of photographs darkened in steps that have more light than this, in green, the reader reads seven
dice of ten and more."""

MAX_DARK_STRUCTURE = 4.0
"""Coarse structure of the blocks with most of it, grey levels rms, below which a picture may be dark; both
conditions are required. Of 40 photographs darkened in steps with a noise of sigma 2, 4 % of those that the
reader still reads are below both, and all of those at a fortieth of their light."""

SAME_LIGHT_SHARE = 0.8
"""A tray on which at least this share of the light lies in which dice were last read is not dark, however
little structure it has since."""

MIN_LIT_SAMPLES = 2
"""Number of samples in a row with far more light and structure than in the dark, after which it is over."""

TOP_QUANTILE = 0.98
"""Quantile that represents the blocks with the most light or structure."""

MAX_COVERED_SHARE = 0.3
"""Maximum contrast of a covered picture, as a share of its usual contrast, corrected for the light."""

MAX_COVERED_CONTRAST = 6.0
"""Maximum contrast of a covered picture, grey levels rms. In good light, 242 photographs of trays, empty ones
among them, have 14 and more."""

MIN_COVERED_BLOCKS = 0.85
"""Minimum share of changed blocks in a covered picture: a hand or an arm leaves more of them unchanged."""

MIN_STILL_COVERED_BLOCKS = 0.6
"""The same share for a picture that was reported as covered: a hand that moves a little while it covers
nearly all of the picture does not uncover the tray."""

MAX_BARE_SHARE, MIN_BARE_BLOCKS, MAX_BARE_CORRELATION = 0.15, 0.5, 0.5
"""With less than the first of its contrast, the second is enough as the share of changed blocks: a cover may
be as bright as the felt. The correlation of the blocks' brightness with the baseline must then be below the
third. A clip that was filmed out of focus, with hands in it, keeps 0.5 and more. A cloth of the felt's colour
leaves 0.07 to 0.1 of the contrast and changes 0.8 of the blocks; a hand over 0.6 of the picture leaves
0.4."""

MIN_HANDLED_BARE_BLOCKS = 0.75
"""The second, if a hand was over the tray since: it may have emptied the tray, and its shadow over half of it
went with it. A cover is often taken for a hand as it comes."""

MAX_FEATURELESS_SHARE, MAX_FEATURELESS_CONTRAST = 0.005, 0.5
"""A picture is covered, although the tray was never seen, if its contrast is below the first, as a share of
its brightness, or below the second, grey levels rms. Palms and cards on the lens have up to 0.35 and 0.6, a
share of 0.003. The plainest of 60 empty grounds have 0.9 to 2.1, shares of 0.017 to 0.03. A cloth with a
weave is not told from a plain felt."""

MIN_FEATURELESS_LEVEL, MAX_DIM_LEVEL = 12.0, 40.0
"""That can be said from this mean brightness on, grey levels: structure is measured in green, of which red
felt has hardly any. It can also be said where the brightest blocks are below the second in every colour, so
that no such felt is in view."""

FLAT_LEVELS = 0.5
"""Blocks whose brightness varies by no more than this, grey levels rms, have no layout."""

SAME_LAYOUT_CORRELATION = 0.9
"""If the brightness of the blocks correlates with the baseline by more than this, the tray is visible, even
if dim or out of focus."""

LIT_CORRELATION, LIT_CONTRAST_SHARE = 0.8, 0.5
"""A tray in other light keeps at least this correlation, and this share of its contrast, corrected for the
light: white dice may be overexposed. A plain cover takes contrast, and not the layout."""

MAX_CHANGED_LEVELS, CHANGED_SHARE, MIN_CHANGED_LEVELS = 10.0, 0.15, 3.0
"""A block has changed if its brightness differs by MAX_CHANGED_LEVELS, grey levels. In dim light the limit is
CHANGED_SHARE of its own brightness, but at least MIN_CHANGED_LEVELS."""

LAMP_GAINS = (0.9, 1.1)
"""Changes of the light that are no cover: the whole picture became at most this much darker or brighter at
once."""

TINT_GAINS = (0.8, 1.25)
"""Changes of the brightest colour channel against green that are no cover: the camera's white balance."""

MAX_DRIFT_RATE = 0.25
"""Maximum rate at which daylight drifts, natural logarithm of the gain per second: a cloud takes seconds, and
what covers the lens under half a second."""

MAX_DRIFT_GAP_S = 0.3
"""Over a longer time without samples, nobody knows whether the light drifted or jumped."""

MAX_LOST_SHARE = 0.3
"""A block with less than this share of its structure, as amplitudes, has lost it."""

MAX_BLURRED_SHARPNESS = 0.14
"""Ratio of fine to coarse structure of the picture, as amplitudes, below which it is out of focus whatever it
shows. The photographs have 0.21 and more; blurred by 0.004 of their width, where the reader starts to fail,
0.15 at most."""

MIN_CONTRAST = 3.0
"""Minimum contrast for that test, grey levels rms. Below it there is next to nothing in the picture."""

MIN_SHARP_SHARPNESS = 0.24
"""Sharpness above which a picture is not called out of focus, however sharp it was before."""

SAME_SHARPNESS_SHARE = 0.75
"""Share of the baseline's sharpness from which the picture as a whole is as sharp as it was: what is missing
from some blocks lies in others, after a bump of the camera. Blurred by 0.004 of the width the photographs
keep 0.42 and less."""

MAX_BLURRED_SHARE = 0.22
"""Unchanged blocks of a blurred picture have less than this share of their fine structure, as amplitudes.
Blurred by 0.002 of the width, which the reader tolerates, the photographs keep 0.27 and more; by 0.004 they
keep 0.17 and less."""

MAX_SOFT_SHARE = 0.35
"""The same limit where the whole picture is as soft as one out of focus: a soft lens has less to lose."""

MAX_TAKEN_SHARE = 0.1
"""A block with less than this share of its coarse structure, as amplitudes, after a hand was over the tray
shows a place from which a die was taken, not a blur. A picture blurred by 0.01 of its width keeps 0.29."""

MIN_BLOCKS = 6
"""Minimum number of unchanged blocks with structure for that test."""

MIN_SIGNAL = 2.5
"""Structure counts from this multiple of its own uncertainty."""

MIN_FINE_LEVELS = 1.0
"""Minimum fine structure of a block, grey levels rms: rounding alone makes 0.7."""

EMA_WEIGHT_UP, EMA_WEIGHT_DOWN = 0.1, 0.02
"""Weights of a sample in the baseline, where a block is sharper than before and where it is less sharp. A
sharper picture is learned within a second, a slow loss of focus only after five."""


@dataclass(frozen=True, eq=False)
class _Sample:
    """What is kept of a frame until the next sample."""

    at_s: float
    pixels: Pixels
    rows: Rows


class Health:
    """Detects what is wrong with the camera or the light. It has no clock: times are those of the frames."""

    def __init__(self) -> None:
        self._liveness = Liveness()
        self._baseline = _Baseline()
        self._symptoms = {trouble: _Symptom(after_s) for trouble, after_s in REPORT_AFTER_S.items()}
        self._sample: _Sample | None = None
        self._structure: Structure | None = None
        self._to_learn: Structure | None = None
        self._first_s: float | None = None
        self._lit_samples = 0
        self._light_when_read: float | None = None
        self.frozen = False
        """Whether the last frame was not live, reported or not."""

    def update(
        self,
        frame: Frame,
        at_rest: bool,
        motionless: bool = False,
        hand: bool = False,
        readable: bool = False,
    ) -> TrayState | None:
        """The trouble with this frame; None: all is well. at_rest: the tray is at rest. motionless: nothing
        moves, though a hand may be over the tray. hand: one moves there. readable: dice were just read, so
        this is the tray, whatever is known of its noise."""
        at_s = frame.at_s
        self._baseline.handled |= hand
        pixels, previous = sampled_pixels(frame.picture), self._sample
        self.frozen = self._liveness.update(pixels, at_s, at_rest)
        self._symptoms[TrayState.FROZEN].update(self.frozen, at_s)
        if previous is None or previous.pixels.shape != pixels.shape or at_s < previous.at_s:
            self._sample = _Sample(at_s, pixels, Rows.of(frame.picture))
        elif not self.frozen and at_s - previous.at_s >= SAMPLE_INTERVAL_S:
            self._sample = _Sample(at_s, pixels, Rows.of(frame.picture))
            usable = (at_rest and (self._liveness.learned or readable)) or self._starting(at_s)
            may_learn = usable and not self._liveness.repeats(previous.pixels, pixels)
            self._compare_with_baseline(previous, self._sample, at_rest or motionless, may_learn)
        return next((trouble for trouble, symptom in self._symptoms.items() if symptom.reported), None)

    def mark_readable(self) -> None:
        """Notes that dice were read surely in the last frame: there is light enough."""
        if self._structure is not None:
            self._light_when_read = felt_light(self._structure)

    @property
    def uncertain(self) -> bool:
        """Whether the picture may be dark or covered, but not yet for long enough to be reported. Where the
        tray was never seen, a picture without structure may be a plain cloth."""
        known = self._baseline.reference is not None
        symptoms = [self._symptoms[TrayState.DARK], *[self._symptoms[TrayState.COVERED]] * known]
        return any(symptom.present and not symptom.reported for symptom in symptoms)

    @property
    def doubtful(self) -> bool:
        """Whether the last sample shows a trouble, reported or not."""
        return any(symptom.present for symptom in self._symptoms.values())

    def _starting(self, at_s: float) -> bool:
        """True if the tray never came to rest for START_S. The baseline is then taken from a moving tray."""
        return self._baseline.reference is None and self._seen_for(at_s) >= START_S

    def _seen_for(self, at_s: float) -> float:
        """Time since the first frame, s."""
        self._first_s = at_s if self._first_s is None else self._first_s
        return at_s - self._first_s

    def _compare_with_baseline(
        self, previous: _Sample, sample: _Sample, motionless: bool, may_learn: bool
    ) -> None:
        """Compares the structure that two samples have in common with the baseline.

        may_learn: the structure may become the baseline, if the next one may too: a sample is taken before
        the motion in it is known. This is not so for a repeated frame: it shares its noise with the frame
        before.
        """
        if previous.rows.grey.shape != sample.rows.grey.shape:
            self._baseline, self._structure, self._to_learn = _Baseline(), None, None
            return
        now = Structure.between(previous.rows, sample.rows)
        if self._structure is not None and sample.at_s - previous.at_s < CLEAR_AFTER_S:
            now = now.smoothed(self._structure, SMOOTHING)
        self._structure = now
        self._baseline.follow_light(now, sample.at_s - previous.at_s)
        for trouble, present in self._evaluate(now, motionless, sample.at_s).items():
            if present is not None:
                self._symptoms[trouble].update(present, sample.at_s)
        dark, covered = (self._symptoms[trouble] for trouble in (TrayState.DARK, TrayState.COVERED))
        self._lit_samples = self._lit_samples + 1 if dark.reported and is_well_lit(now) else 0
        if self._lit_samples >= MIN_LIT_SAMPLES:  # dice on black felt, or a hand over it
            dark.end()
            if not covered.present:
                covered.end()
        may_be_tray = self._baseline.reference is not None or not is_featureless(now)
        may_learn = may_learn and may_be_tray and not any(s.recent for s in self._symptoms.values())
        if may_learn and self._to_learn is not None:
            self._baseline.learn(self._to_learn)
        self._to_learn = now if may_learn else None

    def _evaluate(self, now: Structure, motionless: bool, at_s: float) -> dict[TrayState, bool | None]:
        """Whether this sample shows each trouble; None: unknown."""
        # A hand before the lens may alternate between the two.
        dark, covered = is_dark(now) and not self._as_light_as_when_read(now), self._covered(now, at_s)
        blurred = False if dark or covered else self._blurred(now, motionless)
        return {TrayState.DARK: dark, TrayState.COVERED: covered, TrayState.BLURRED: blurred}

    def _as_light_as_when_read(self, now: Structure) -> bool:
        """Whether dice could be read in hardly more light."""
        before = self._light_when_read
        return before is not None and felt_light(now) >= SAME_LIGHT_SHARE * before

    def _covered(self, now: Structure, at_s: float) -> bool:
        """Whether the tray has vanished behind something, or is behind it from the start."""
        if self._baseline.reference is not None:
            return self._baseline.covered(now, self._symptoms[TrayState.COVERED].reported)
        return self._seen_for(at_s) >= EXPOSED_S and is_featureless(now)

    def _blurred(self, now: Structure, motionless: bool) -> bool | None:
        """Whether the picture is out of focus. Moving dice are soft as well, so a soft picture means nothing
        while something moves."""
        if self._baseline.blurred(now):
            return True
        return None if is_blurred(now) and not motionless else is_blurred(now)


class _Symptom:
    """One trouble: reported once nearly all samples of `report_after_s` show it, over once hardly any of
    CLEAR_AFTER_S does."""

    def __init__(self, report_after_s: float) -> None:
        self._report_after_s = report_after_s
        self._samples: deque[tuple[float, bool]] = deque()
        self.reported = False

    @property
    def present(self) -> bool:
        """Whether the last sample shows it."""
        return bool(self._samples) and self._samples[-1][1]

    @property
    def recent(self) -> bool:
        """True if a recent sample shows it, reported or not."""
        return self.reported or any(present for _, present in self._samples)

    def end(self) -> None:
        """Ends it at once, if it is reported."""
        if self.reported:
            self.reported = False
            self._samples.clear()

    def update(self, present: bool, at_s: float) -> None:
        self._samples.append((at_s, present))
        from_s = at_s - (CLEAR_AFTER_S if self.reported else self._report_after_s) + ROUNDING_S
        while len(self._samples) > 1 and self._samples[1][0] <= from_s:
            self._samples.popleft()
        if self._samples[0][0] > from_s:
            return
        share = sum(present for _, present in self._samples) / len(self._samples)
        if share >= MIN_SAMPLE_SHARE if not self.reported else share <= 1 - MIN_SAMPLE_SHARE:
            self.reported = not self.reported
            self._samples.clear()


def correlation(before: Grey, now: Grey) -> float:
    """Correlation of two fields of brightness, -1 to 1; near 0 if either is flat to half a grey level."""
    a, b = before - before.mean(), now - now.mean()
    energy_a, energy_b = ((values * values).mean() + FLAT_LEVELS**2 for values in (a, b))
    return float((a * b).mean() / np.sqrt(energy_a * energy_b))


def is_dark(now: Structure) -> bool:
    """True if there is next to no light, and no structure."""
    light, structure = _light_and_structure(now)
    return light < MAX_DARK_LEVEL and structure < MAX_DARK_STRUCTURE**2


def is_well_lit(now: Structure) -> bool:
    """True if something in the picture has far more light and structure than a dark picture."""
    light, structure = _light_and_structure(now)
    return light > 2 * MAX_DARK_LEVEL and structure > (4 * MAX_DARK_STRUCTURE) ** 2


def _light_and_structure(now: Structure) -> tuple[float, float]:
    """Of the blocks with the most: brightness, and energy of the coarse structure without noise."""
    structure = float(np.quantile(now.coarse, TOP_QUANTILE)) - MIN_SIGNAL * now.coarse_sigma
    return float(np.quantile(now.brightest, TOP_QUANTILE)), structure


def felt_light(now: Structure) -> float:
    """Brightness of most blocks in their brightest colour channel, grey levels: dice cover few of them."""
    return float(np.median(now.brightest))


def is_featureless(now: Structure) -> bool:
    """True if the picture has no structure at all, as if something lay on the lens."""
    level, light = float(now.level.mean()), float(np.quantile(now.brightest, TOP_QUANTILE))
    max_contrast = max(MAX_FEATURELESS_SHARE * level, MAX_FEATURELESS_CONTRAST)
    contrast_known = level >= MIN_FEATURELESS_LEVEL or light < MAX_DIM_LEVEL
    structure = float(now.coarse.mean()) - _mean_noise(now.coarse_sigma)
    return contrast_known and structure < max_contrast**2


def is_blurred(now: Structure) -> bool:
    """True if nothing in the picture is sharp, whatever it is. False for a picture with little contrast."""
    fine = float(now.fine.mean()) + _mean_noise(now.fine_sigma)
    return now.contrast > MIN_CONTRAST and fine < MAX_BLURRED_SHARPNESS**2 * float(now.coarse.mean())


def is_sharp(now: Structure) -> bool:
    """True if the picture as a whole is in focus, whatever it shows."""
    fine = float(now.fine.mean()) - _mean_noise(now.fine_sigma)
    return fine > MIN_SHARP_SHARPNESS**2 * float(now.coarse.mean())


def _level_limit(expected: Grey) -> Grey:
    """The difference from its expected brightness from which a block has changed, grey levels."""
    limit = np.clip(CHANGED_SHARE * expected, MIN_CHANGED_LEVELS, MAX_CHANGED_LEVELS)
    return np.asarray(limit, np.float32)


def _mean_noise(block_noise: float) -> float:
    """Uncertainty of the mean structure of the whole picture, from that of one block."""
    return float(MIN_SIGNAL * block_noise / np.sqrt(GRID_WH[0] * GRID_WH[1]))


@dataclass(eq=False)
class _Baseline:
    """The tray when all is well: brightness and structure by blocks. handled: a hand was over it since.
    drift: the gain of the light since then, without what may be a cover."""

    reference: Structure | None = None
    handled: bool = False
    drift: float = 1.0
    _gain_before: float = 1.0

    def learn(self, now: Structure) -> None:
        """Takes over the current structure. For blocks that have not changed, the fine structure is an
        exponential moving average."""
        if self.reference is not None:
            gain = self._gain(now)
            expected = self.reference.fine * gain**2
            weights = np.where(now.fine > expected, EMA_WEIGHT_UP, EMA_WEIGHT_DOWN)
            learned = expected + (now.fine - expected) * weights
            kept = self._unchanged(now, gain) & ~self._taken(now, gain)
            fine = np.where(kept, learned, now.fine)
            now = replace(now, fine=np.asarray(fine, np.float32))
        self.reference, self.handled = now, False
        self.drift = self._gain_before = 1.0

    def follow_light(self, now: Structure, elapsed_s: float) -> None:
        """Follows the light as long as it changes slowly, and takes over any steady light in which the tray
        is visible: a lamp was switched. elapsed_s: time since the sample before, s."""
        if self.reference is None:
            return
        gain = self._gain(now)
        change = gain / self._gain_before
        if elapsed_s <= MAX_DRIFT_GAP_S and abs(np.log(change)) <= MAX_DRIFT_RATE * elapsed_s:
            self.drift = gain if self._shows_tray(now, gain) else self.drift * change
        self._gain_before = gain

    def _shows_tray(self, now: Structure, gain: float) -> bool:
        """Whether this is surely the tray as it was, in another light."""
        assert self.reference is not None
        same_layout = correlation(self.reference.level, now.level) > LIT_CORRELATION
        return same_layout and now.contrast > LIT_CONTRAST_SHARE * gain * self.reference.contrast

    def covered(self, now: Structure, before: bool = False) -> bool:
        """True if the whole picture has changed, and has no structure. before: it was covered before."""
        if self.reference is None:
            return False
        light = float(now.level.mean()) / max(float(self.reference.level.mean()), 1.0)
        expected = light * self.reference.contrast
        max_structure = min(MAX_COVERED_CONTRAST, MAX_COVERED_SHARE * expected) ** 2
        structure = float(now.coarse.mean())
        layout_correlation = correlation(self.reference.level, now.level)
        if (
            structure - _mean_noise(now.coarse_sigma) > max_structure
            or layout_correlation > SAME_LAYOUT_CORRELATION
        ):
            return False
        bare = structure < (MAX_BARE_SHARE * expected) ** 2 and layout_correlation < MAX_BARE_CORRELATION
        least, most = LAMP_GAINS
        gain = float(np.clip(self._gain(now), least * min(self.drift, 1), most * max(self.drift, 1)))
        changed_blocks = ~self._unchanged(now, gain) | self._lost_structure(now, light)
        changed = float((changed_blocks | self._has_other_colour(now, gain)).mean())
        min_changed = MIN_STILL_COVERED_BLOCKS if before else MIN_COVERED_BLOCKS
        if bare:
            min_changed = min(min_changed, MIN_HANDLED_BARE_BLOCKS if self.handled else MIN_BARE_BLOCKS)
        return changed >= min_changed

    def blurred(self, now: Structure) -> bool:
        """True if unchanged blocks have lost their fine structure."""
        if self.reference is None or is_sharp(now):
            return False
        if now.sharpness > SAME_SHARPNESS_SHARE * self.reference.sharpness:
            return False
        gain = self._gain(now)
        expected = self.reference.fine * gain**2
        min_energy = max(MIN_SIGNAL * now.fine_sigma, MIN_FINE_LEVELS**2)
        comparable = self._unchanged(now, gain) & (expected > min_energy) & ~self._taken(now, gain)
        if comparable.sum() < MIN_BLOCKS:
            return False
        kept = float(now.fine[comparable].sum() / expected[comparable].sum())
        return kept < (MAX_SOFT_SHARE if now.sharpness < MAX_BLURRED_SHARPNESS else MAX_BLURRED_SHARE) ** 2

    def _gain(self, now: Structure) -> float:
        """The median gain of the light against the baseline."""
        assert self.reference is not None
        return float(np.median((now.level + 1) / (self.reference.level + 1)))

    def _unchanged(self, now: Structure, gain: float) -> Mask:
        """Blocks as bright as in the baseline, except for the gain."""
        assert self.reference is not None
        expected = gain * self.reference.level
        return np.asarray(np.abs(now.level - expected) < _level_limit(expected), np.bool_)

    def _has_other_colour(self, now: Structure, gain: float) -> Mask:
        """Blocks whose brightest channel changed in another way than green: skin over red felt may be as
        green as the felt. gain: that of green."""
        assert self.reference is not None
        before = self.reference.brightest
        tint = float(np.clip(np.median((now.brightest + 1) / (before + 1)) / gain, *TINT_GAINS))
        least, most = min(gain, 1.0) * min(tint, 1.0), max(gain, 1.0) * max(tint, 1.0)
        darker = now.brightest <= least * before - _level_limit(least * before)
        brighter = now.brightest >= most * before + _level_limit(most * before)
        return np.asarray(darker | brighter, np.bool_)

    def _taken(self, now: Structure, gain: float) -> Mask:
        """Blocks from which a hand took what lay there: even their coarse structure is gone."""
        assert self.reference is not None
        limit = MAX_TAKEN_SHARE**2 * gain**2 * self.reference.coarse
        return np.asarray((now.coarse < limit) & self.handled, np.bool_)

    def _lost_structure(self, now: Structure, light: float) -> Mask:
        """Blocks that had clear structure and have lost it."""
        assert self.reference is not None
        expected = self.reference.coarse * light**2
        has_signal = expected > MIN_SIGNAL * now.coarse_sigma

        return np.asarray(has_signal & (now.coarse < MAX_LOST_SHARE**2 * expected), np.bool_)
