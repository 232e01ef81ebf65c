"""Whether the camera sees the tray: the health of its pictures, and where the tray lies in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from table.common.tray import TrayState
from vision.frames import Frame
from vision.health.camera_health import Health
from vision.settling.motion import SMALL_W, WINDOW_PX, Mask
from vision.settling.settle import MotionState, SettleDetector
from vision.tray.calibration import Calibration
from vision.tray.drift import Drift
from vision.tray.region import TrayRegion

UNSEEN_GAP_S = 0.5
"""Minimum duration of a gap, without frames or with an uncertain view, in which a throw can be missed."""

HAND_BLUR_S = 1.2
"""A blur is the hand's, which is nearer to the lens than the tray, while a hand and a sharp picture were both
seen within this time. A longer blur is reported. A sudden blur is itself classified as a hand for some 1.4 s,
and has to be on the page within 3 s."""

READABLE_S = 0.5
"""A picture in which all dice were read surely within this time is sharp enough and not covered, whatever its
structure: felt in the dark has none."""

TRAY_CHECK_S = 1.0
"""Interval at which the region of the tray is checked."""


@dataclass(frozen=True)
class ViewCheck:
    """What one frame shows about the view of the tray.

    changed: the trouble is another than before. gap: a throw may have been missed before this frame. unseen:
    the tray was not visible before this frame, or is not now.
    """

    changed: bool
    gap: bool
    unseen: bool


class View:
    """Follows whether the camera sees the tray, frame by frame. calibration: where the tray lies; None:
    everywhere in the picture."""

    def __init__(self, motion: SettleDetector, calibration: Calibration | None) -> None:
        self._motion, self._calibration = motion, calibration
        self._health = Health()
        self._trouble: TrayState | None = None
        self._last_frame_s: float | None = None
        self._uncertain_s = 0.0
        self._hand_s = self._sharp_s = -HAND_BLUR_S
        self._readable_s = -READABLE_S
        self._tray_checked_s: float | None = None
        self._tray_set: tuple[TrayRegion | None, tuple[int, int]] | None = None

    @property
    def trouble(self) -> TrayState | None:
        """Why the camera does not see the tray; None: it does."""
        return self._trouble

    @property
    def uncertain(self) -> bool:
        """Whether the camera may see no tray: too few frames have shown it."""
        return self._health.uncertain

    @property
    def frozen(self) -> bool:
        """Whether the camera is reported to be frozen, and still is: the report is over a little later."""
        return self._trouble is TrayState.FROZEN and self._health.frozen

    @property
    def region(self) -> TrayRegion | None:
        """Where the tray lies in the picture; None: not known."""
        return self._calibration.region if self._calibration else None

    def mark_readable(self, at_s: float) -> None:
        """Notes that dice were read surely in the last picture, of this time, s."""
        self._readable_s = at_s
        self._health.mark_readable()

    def check(self, frame: Frame) -> ViewCheck:
        """Checks the camera's health, and now and then the region of the tray, on this frame."""
        gap_s = frame.at_s - self._last_frame_s if self._last_frame_s is not None else 0.0
        self._last_frame_s = frame.at_s
        trouble = self._trouble_in(frame)
        if self._motion.movement.hand_area:
            self._hand_s = frame.at_s
        if trouble is not TrayState.BLURRED:
            self._sharp_s = frame.at_s
        by_hand = trouble is TrayState.BLURRED and self._may_be_blurred_by_hand(frame.at_s)
        uncertain = by_hand or self._health.uncertain or self._motion.view_lost
        unseen_s = self._uncertain_s + gap_s
        self._uncertain_s = unseen_s if uncertain else 0.0
        before, self._trouble = self._trouble, None if by_hand else trouble
        # A frozen picture is of the tray, and the frame after it shows what is new.
        unseen = self._trouble is not before and not {before, self._trouble} <= {None, TrayState.FROZEN}
        return ViewCheck(
            changed=self._trouble is not before,
            gap=unseen_s >= UNSEEN_GAP_S or unseen,
            unseen=unseen,
        )

    def _trouble_in(self, frame: Frame) -> TrayState | None:
        movement, at_rest = self._motion.movement, self._motion.state is MotionState.AT_REST
        motionless = movement.speed < movement.rest_threshold
        readable = self._readable_at(frame.at_s)
        trouble = self._health.update(
            frame, at_rest, motionless, hand=movement.hand_area > 0, readable=readable
        )
        by_structure = trouble in (TrayState.BLURRED, TrayState.COVERED)
        if by_structure and self._trouble is None and readable:
            trouble = None
        return trouble or self._check_tray(frame)

    def _readable_at(self, at_s: float) -> bool:
        return at_s - self._readable_s < READABLE_S

    def _may_be_blurred_by_hand(self, at_s: float) -> bool:
        """Whether a hand near the lens explains a blur."""
        return self._trouble is None and at_s - min(self._hand_s, self._sharp_s) < HAND_BLUR_S

    def _check_tray(self, frame: Frame) -> TrayState | None:
        """Checks the region of the tray while it is at rest and in view. Returns MOVED while the tray is not
        found."""
        if self._calibration is None:
            return None
        lost = self._trouble is TrayState.MOVED
        due = self._tray_checked_s is None or frame.at_s - self._tray_checked_s >= TRAY_CHECK_S
        at_rest = self._motion.state is MotionState.AT_REST
        if due and (lost or at_rest) and not self._health.doubtful:
            self._tray_checked_s = frame.at_s
            self._calibration.update(frame.picture)
        region = self._calibration.region
        if self._tray_set != (region, frame.size_wh):
            self._tray_set = (region, frame.size_wh)
            self._motion.set_tray(*(_small_tray_mask(region, frame.size_wh) if region else (None, None)))
        return TrayState.MOVED if region and self._calibration.drift is Drift.LOST else None


def _small_tray_mask(region: TrayRegion, size_wh: tuple[int, int]) -> tuple[Mask, float]:
    """The tray's mask in the small picture, and the side of a die there, px."""
    small_wh = (SMALL_W, max(round(SMALL_W * size_wh[1] / size_wh[0]), WINDOW_PX))
    x_share, y_share = np.mean(region.corners, axis=0)
    middle = (float(x_share) * SMALL_W, float(y_share) * small_wh[1])
    return np.asarray(region.mask(small_wh, grow_px=1) > 0), region.die_px_at(middle, small_wh)
