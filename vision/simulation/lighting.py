"""Light that changes over time: mains flicker, a candle, a blinking LED, a screen, a lamp that is switched.

Theory of operation. The tray is rendered in the constant light of its scene. A lamp, a candle or a screen is
a gain per frame, per row or per pixel, applied before lens blur and noise. A rolling shutter turns mains
flicker into bands: the brightness of a row is that of the lamp while the row was exposed.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frames import Picture
from vision.simulation.scene import BGR
from vision.simulation.view import Floats

READOUT_S = 0.026
"""Readout time of a rolling shutter, from first to last row, at 30 frames a second."""

SWITCH_S = 0.06
"""Time of a lamp from dark to bright."""

ADAPT_INTERVAL_S, ADAPT_SHARE = 0.16, 0.45
"""Interval of the auto-exposure's steps, and share of the error that one step corrects."""

CANDLE_HZ = (1.3, 3.1, 7.7)
"""Frequencies of a flame's flicker."""

CANDLE_TINT: BGR = (0.62, 0.86, 1.08)
"""Gain of a candle's light per channel."""

SCREEN_CUTS_HZ = 2.5
"""Rate of scene cuts on a screen in view."""


@dataclass(frozen=True)
class Light:
    """The light, relative to the scene's.

    level: 1 as in the scene, 0.3 with the lamp off, 0.0 pitch dark.
    bands: depth of the mains flicker, 0-0.15.
    mains_hz: 50 or 60.
    candle: strength of a flickering flame, 0-1.
    led_hz: blink rate of an LED in view, 0 for none.
    led_at: its position, shares of width and height.
    screen: brightness of a screen with a film at the picture's left border, 0-1.
    patchy: unevenness of the light, 0-1.
    adapts: the camera's auto-exposure corrects the level, in steps.
    """

    level: float = 1.0
    bands: float = 0.0
    mains_hz: float = 50.0
    candle: float = 0.0
    led_hz: float = 0.0
    led_at: tuple[float, float] = (0.93, 0.08)
    screen: float = 0.0
    patchy: float = 0.0
    adapts: bool = False


class Lighting:
    """Applies changing light to rendered frames."""

    def __init__(self, light: Light, size_wh: tuple[int, int], rng: np.random.Generator) -> None:
        self.light, self.size_wh = light, size_wh
        self._phases: Floats = rng.uniform(0, 2 * np.pi, 8)
        self._from, self._changed_s, self._changed = light, 0.0, False
        self._exposure, self._stepped_s = 1.0, 0.0

    def change(self, light: Light) -> None:
        """Changes the light, from the next frame on."""
        self._from, self.light, self._changed = self.light, light, True

    def apply(self, canvas: Picture, at_s: float) -> Picture:
        """The frame in the light at this time; the same array where the light is the scene's."""
        if self._changed:
            self._changed_s, self._changed = at_s, False
        if self.light == Light() and at_s > self._changed_s + SWITCH_S and self._exposure == 1:
            return canvas
        level = self._level(at_s)
        exposed = np.float32(level * self._exposure_gain(level, at_s))
        gain = self._band_gain(at_s)[:, None, None] * self._flame_gain(at_s) * exposed
        if self.light.patchy:
            gain = gain * self._patch_gain()[..., None]
        if gain.shape[1] == 1:
            gain = np.broadcast_to(gain, canvas.shape)
        bright = np.asarray(
            cv2.multiply(canvas, np.ascontiguousarray(gain, np.float32), dtype=cv2.CV_8U), np.uint8
        )
        if self.light.screen:
            self._draw_screen(bright, at_s)
        if self.light.led_hz:
            self._draw_led(bright, at_s)
        return bright

    def _level(self, at_s: float) -> float:
        share = float(np.clip((at_s - self._changed_s) / SWITCH_S, 0, 1))
        return self._from.level + (self.light.level - self._from.level) * share

    def _exposure_gain(self, level: float, at_s: float) -> float:
        """The gain of the auto-exposure at this time."""
        target = float(np.clip(1 / max(level, 0.15), 0.4, 4)) if self.light.adapts else 1.0
        if at_s - self._stepped_s >= ADAPT_INTERVAL_S:
            self._stepped_s = at_s
            self._exposure += (target - self._exposure) * ADAPT_SHARE
            self._exposure = target if abs(target - self._exposure) < 0.02 else self._exposure
        return self._exposure

    def _band_gain(self, at_s: float) -> Floats:
        """(h,) gain of a rolling shutter's bands: lamps flicker at twice the mains frequency."""
        rows = at_s + np.arange(self.size_wh[1], dtype=np.float32) / self.size_wh[1] * READOUT_S
        return np.asarray(
            1 + self.light.bands * np.sin(4 * np.pi * self.light.mains_hz * rows + self._phases[0]),
            np.float32,
        )

    def _flame_gain(self, at_s: float) -> Floats:
        """(3,) gain of a flame: blue, green, red."""
        phases = 2 * np.pi * np.array(CANDLE_HZ) * at_s + self._phases[1:4]
        flicker = float((np.sin(phases) / (2, 3, 4)).sum())
        tint = 1 + (np.array(CANDLE_TINT) - 1) * self.light.candle
        return np.asarray(tint * (1 + 0.22 * self.light.candle * flicker), np.float32)

    def _patch_gain(self) -> Floats:
        """(h, w) gain of uneven light: a slope across the tray and a soft spot."""
        w, h = self.size_wh
        y, x = np.mgrid[:h, :w].astype(np.float32)
        slope = (x / w - 0.5) * np.cos(self._phases[4]) + (y / h - 0.5) * np.sin(self._phases[4])
        spot = np.exp(-(((x / w - 0.3) ** 2 + (y / h - 0.6) ** 2) / 0.05))
        return np.asarray(1 + self.light.patchy * (0.9 * slope + 0.3 * spot - 0.1), np.float32)

    def _draw_screen(self, canvas: Picture, at_s: float) -> None:
        """Draws a strip of screen along the left border and its light on the tray, in place."""
        h, w = canvas.shape[:2]
        cut = int(at_s * SCREEN_CUTS_HZ)
        tint = np.random.default_rng(cut).uniform(40, 255, (4, 3)).astype(np.float32)
        reach = w // 3
        falloff = np.exp(-np.arange(reach, dtype=np.float32) / (w / 9))[None, :, None] * (
            0.16 * self.light.screen
        )
        region = canvas[:, :reach]
        region[:] = np.minimum(region + falloff * tint.mean(axis=0), 255)
        strip = canvas[:, : max(w // 28, 2)]
        rows = tint[(np.arange(h) * 4 // h + cut) % 4][:, None]
        strip[:] = np.asarray(strip * (1 - self.light.screen) + rows * self.light.screen, np.uint8)

    def _draw_led(self, canvas: Picture, at_s: float) -> None:
        """Draws an LED with its halo, on for half of each period, in place."""
        if (at_s * self.light.led_hz) % 1 >= 0.5:
            return
        h, w = canvas.shape[:2]
        x = round(self.light.led_at[0] * (w - 1))
        y = round(self.light.led_at[1] * (h - 1))
        reach = max(h // 12, 8)
        x0, y0, x1, y1 = max(x - reach, 0), max(y - reach, 0), min(x + reach, w), min(y + reach, h)
        row, column = np.ogrid[y0 - y : y1 - y, x0 - x : x1 - x]
        glow = np.exp(-np.hypot(row, column) / (reach / 6))[..., None] * np.array((90.0, 255.0, 120.0)) * 1.6
        canvas[y0:y1, x0:x1] = np.minimum(canvas[y0:y1, x0:x1] + glow, 255)
