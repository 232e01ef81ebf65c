"""Detects hands, sleeves and things over the tray, from frame to frame.

vision.settling.occlusion finds them in one picture. HandDetector keeps the backgrounds that the picture is
compared with. It accepts changes of the light as a further background, and keeps a sleeve that rests over the
tray apart from the backgrounds, so that the tray without it is known when it goes.
"""

from __future__ import annotations

import numpy as np

from vision.settling.detected_dice import DetectedDice
from vision.settling.motion import Grey, Mask, MotionHistory
from vision.settling.occlusion import (
    MAX_HAND_SHARE,
    Backgrounds,
    Occlusion,
    Sleeve,
    find_occlusion,
    light_mask,
    rim_mask,
)

SHIFTED_DIE_AREAS, PUSHED_DICE = 3.5, 2
"""Area, in dice, that differs at most where one was pushed: its old place and its new one, turned, with their
shadows; and the number of dice that a finger pushes alike."""

HAND_RESTS_S = 1.2
"""A hand that has not moved for this time is at rest. It no longer keeps dice elsewhere from being read: a
sleeve, or a box."""

FINGER_STOPS_S = 0.15
"""A finger that has not moved for this time has stopped at a die. A die that lands there takes less."""

SLEEVE_PATIENCE_S = 60.0
"""An object that reaches in over the rim and has not moved for this time is no arm."""

MIN_FILLING_SHARE = 0.3
"""A hand that covered this share of the picture in the frame before may cover nearly all of it now."""

MIN_STIRRING_SHARE = 0.1
"""A hand that covers nearly all of the picture moved in at least this share of it within HAND_RESTS_S."""

LIGHT_S = 0.15
"""A foreground component is light if it surrounds a detected die for this time, and the die does not move."""


class HandDetector:
    """Detects hands and things over the tray. It has no clock: times are those of the frames.

    mask: (h, w), where hands and things are; None where none can be.
    changed_mask: (h, w), the same with places that only flicker.
    foreground: (h, w), what differs from the tray at rest, dice among it; None where that is not known.
    view_lost: the foreground covers nearly all of the picture, or something lies on the lens, so that nothing
    can be said about hands.
    """

    def __init__(self, dice: DetectedDice, motion: MotionHistory, enabled: bool = True) -> None:
        """enabled: False where no hand can be in the pictures. dice, motion: updated by the caller."""
        self._dice, self._motion, self._enabled = dice, motion, enabled
        self.mask: Mask | None = None
        self.changed_mask: Mask | None = None
        self.foreground: Mask | None = None
        self.view_lost = False
        self._backgrounds = Backgrounds()
        self._compared: tuple[Grey, Mask | None, bool] | None = None
        self._sleeve: Sleeve | None = None
        self._tray: Mask | None = None
        self._rim: Mask | None = None
        self._light_since: float | None = None
        self._reaching: Mask | None = None
        self._share = 0.0

    @property
    def sleeve_rests(self) -> bool:
        """Whether a hand or a sleeve that came in over the rim rests over the tray while the tray is read."""
        return self._sleeve is not None

    @property
    def newest_background(self) -> Grey | None:
        """The newest picture of the tray at rest, (h, w, 3); None before the first."""
        return self._backgrounds.newest

    def set_tray(self, tray: Mask | None) -> None:
        """Sets the tray's mask, (h, w): hands come in at its rim. None: at the picture's border."""
        self._tray, self._rim, self._compared = tray, None, None

    def reset(self) -> None:
        """Drops everything that has the shape of a picture, except the tray's mask."""
        self.mask = self.changed_mask = self.foreground = self._sleeve = self._rim = self._reaching = None
        self._compared = None
        self._backgrounds.clear()

    def detect(self, small_bgr: Grey, at_s: float) -> tuple[float, float]:
        """Areas, in dice, of the largest moving hand and of the largest resting one. Sets `mask`."""
        self.mask = self.changed_mask = None
        watching = self._enabled and self._backgrounds
        foreground = self.foreground = self._compared_with_backgrounds(small_bgr) if watching else None
        if foreground is None:
            self._reaching = None
            return self._filling_area(small_bgr, at_s) if watching else 0.0, 0.0
        covered = self._covered(foreground, small_bgr)
        foreground, occlusion = self._without_light(foreground, small_bgr, covered, at_s)
        self.changed_mask = occlusion.mask
        flicker_mask = self._motion.flicker.mask
        if flicker_mask is not None and (flicker_mask & foreground).any():
            occlusion = self._occlusion(foreground & ~flicker_mask, at_s, covered)
        self.mask, self._reaching = occlusion.mask, occlusion.reaching
        self._share = float(self.mask.mean())
        return occlusion.moving_area, occlusion.resting_area

    def _compared_with_backgrounds(self, small_bgr: Grey) -> Mask | None:
        """The foreground of this picture, see _foreground. It is known already where only dice were detected
        in the picture since."""
        if self._compared is None or self._compared[0] is not small_bgr:
            self._compared = small_bgr, self._foreground(self._backgrounds, small_bgr), self.view_lost
        _, foreground, self.view_lost = self._compared
        return foreground

    def update_sleeve(self, small_bgr: Grey, at_s: float) -> None:
        """Drops a sleeve that has gone, and restores the backgrounds without it.

        A sleeve that never moves becomes part of the table.
        """
        if self._sleeve is None:
            return
        if not self._sleeve.still_there(small_bgr, self._motion.noise):
            self._compared = None
            self._backgrounds.extend(self._sleeve.backgrounds)
            self._sleeve = None
        elif at_s - float(self._motion.last_moved_s[self._sleeve.mask].max()) > SLEEVE_PATIENCE_S:
            self._sleeve = None

    def add_background(self, small_bgr: Grey, at_s: float) -> None:
        """Adds a picture of the tray at rest to the backgrounds.

        A sleeve that rests there is remembered separately: it is not foreground any more, and no part of the
        tray.
        """
        self._sleeve = self._find_sleeve(small_bgr, at_s) if self._enabled and self._backgrounds else None
        self._compared = None
        self._backgrounds.add(small_bgr)

    def _foreground(self, backgrounds: Backgrounds, small_bgr: Grey) -> Mask | None:
        """The foreground (h, w) within the tray; None if it covers nearly everything, which no hand does."""
        foreground = backgrounds.align_and_subtract(small_bgr, self._motion.noise, self._explained_by_dice())
        covered = backgrounds.are_covered(small_bgr)
        self.view_lost = covered or float(foreground.mean()) > MAX_HAND_SHARE
        if self.view_lost:
            return None
        return foreground if self._tray is None else foreground & self._tray

    def _explained_by_dice(self) -> float:
        """Area, px, that a shift of the whole picture explains if only the dice were pushed, by a hand that
        reaches in; 0 where none does. On smooth cloth nothing else tells a push of the camera from that."""
        if self._reaching is None or not self._reaching.any():
            return 0.0
        return SHIFTED_DIE_AREAS * min(len(self._dice.rest_boxes), PUSHED_DICE) * self._dice.die_px**2

    def _filling_area(self, small_bgr: Grey, at_s: float) -> float:
        """Area, in dice, of a hand that covers nearly all of the picture: a large one did a moment ago, and
        something moved since. 0: the picture is another one. Sets the masks."""
        stirring = float((self._motion.last_moved_s > at_s - HAND_RESTS_S).mean())
        if self._share < MIN_FILLING_SHARE or stirring < MIN_STIRRING_SHARE:
            self._share = 0.0
            return 0.0
        self.view_lost = False
        everywhere = np.ones(small_bgr.shape[:2], bool)
        self.mask = self.changed_mask = everywhere if self._tray is None else self._tray
        return float(self.mask.sum()) / self._dice.die_px**2

    def _covered(self, foreground: Mask, small_bgr: Grey) -> Mask | None:
        """What lies where dice lay, (h, w); None if nothing does that is worth a look."""
        boxes = self._dice.rest_boxes
        vacated = len(self._dice.unmoved_boxes()) < len(boxes) and foreground.any()
        return self._backgrounds.covered(small_bgr, self._motion.noise, boxes) if vacated else None

    def _without_light(
        self, foreground: Mask, small_bgr: Grey, covered: Mask | None, at_s: float
    ) -> tuple[Mask, Occlusion]:
        """The foreground without light that falls around dice, and what lies over the tray in it.

        After LIGHT_S the light becomes part of the backgrounds.
        """
        occlusion = self._occlusion(foreground, at_s, covered)
        light = (
            light_mask(occlusion.mask, self._dice.unmoved_boxes()) if occlusion.mask.any() else occlusion.mask
        )
        if not self._backgrounds.is_light_change(light, small_bgr):
            self._light_since = None
            return foreground, occlusion
        foreground = foreground & ~light
        occlusion = self._occlusion(foreground, at_s, covered)
        self._light_since = at_s if self._light_since is None else self._light_since
        if at_s - self._light_since >= LIGHT_S:
            self._compared = None
            self._backgrounds.add_relit(light, small_bgr)
        return foreground, occlusion

    def _occlusion(self, foreground: Mask, at_s: float, covered: Mask | None = None) -> Occlusion:
        """Hands and things in this foreground. covered: (h, w), what lies where dice lay; None: not known."""
        if self._rim is None:
            self._rim = rim_mask(foreground.shape, self._tray)
        last_moved_s, dice = self._motion.last_moved_s, self._dice
        return find_occlusion(
            foreground,
            dice.boxes,
            dice.rest_boxes,
            dice.die_px,
            self._rim,
            last_moved_s > at_s - HAND_RESTS_S,
            covered,
            self._reaching,
            last_moved_s > at_s - FINGER_STOPS_S,
        )

    def _find_sleeve(self, small_bgr: Grey, at_s: float) -> Sleeve | None:
        """The object that reaches in over the rim, against the tray before it came; None if there is none."""
        backgrounds = self._sleeve.backgrounds if self._sleeve is not None else self._backgrounds
        foreground = self._foreground(backgrounds, small_bgr)
        if foreground is None:
            return None
        if self._motion.flicker.mask is not None:
            foreground &= ~self._motion.flicker.mask
        sleeve = Sleeve(self._occlusion(foreground, at_s).reaching, backgrounds.newest_only)
        return sleeve if sleeve.is_object(small_bgr) else None
