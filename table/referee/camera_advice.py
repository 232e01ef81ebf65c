"""Advice for a camera that does not see the tray: one sentence for each state, for page, phones, prints."""

from __future__ import annotations

from collections.abc import Mapping

from table.common.tray import TrayState

CAMERA_ADVICE: Mapping[TrayState, str] = {
    TrayState.NO_CAMERA: "There is no camera: plug it in, or check its cable.",
    TrayState.DARK: "The picture is dark: switch on a lamp, or take the cap off the lens.",
    TrayState.COVERED: "Something covers the camera: clear the view of the tray.",
    TrayState.FROZEN: "The camera's picture stands still: pull its plug, and put it in again.",
    TrayState.BLURRED: (
        "The picture is out of focus: wipe the lens, or turn its ring until the pips are sharp."
    ),
    TrayState.MOVED: "The camera was moved: put it back over the tray, or mark the tray's corners anew.",
}
"""By state, what is wrong and what to do. Each blind state has a sentence."""
