"""Changes of camera and light: bumps, lamps, bands, LEDs, screens, a covered lens, a frozen picture."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.scenarios.script import Script, smooth
from tests.scenarios.stage import Failure, FailureKind, Lens, Light, Overlay, Place
from vision.frames import Picture

Floats = NDArray[np.float32]


# --- the camera


def bump(script: Script, sides: float | None = None) -> None:
    """A bump of the camera: it oscillates, and its view is shifted from then on."""
    rng = script.rng
    script.note("bump")
    far = (sides if sides is not None else float(rng.uniform(0.3, 3.0))) * script.side
    dx, dy = shift_within(script, far)
    twist = float(rng.normal(0, 0.012))
    start, lasts = script.now, float(rng.uniform(0.05, 0.3))
    ring, hz, fades = (
        float(rng.uniform(0.02, 0.4)) * script.side,
        float(rng.uniform(6, 14)),
        float(rng.uniform(0.06, 0.3)),
    )
    along = rng.uniform(0, 2 * np.pi)

    def lens(t: float) -> Lens:
        u = float(np.clip((t - start) / lasts, 0, 1))
        u = u * u * (3 - 2 * u)
        since = t - start
        swing = (
            ring * float(np.exp(-since / fades) * np.sin(2 * np.pi * hz * since))
            if 0 < since < 6 * fades
            else 0.0
        )
        return Lens(dx * u + swing * float(np.cos(along)), dy * u + swing * float(np.sin(along)), twist * u)

    script.stage.lenses.append(lens)
    script.shifted(dx, dy)
    script.now = start + max(lasts, 5 * fades)


def shift_within(script: Script, far: float) -> tuple[float, float]:
    """A shift of the picture by this many px that keeps every die, and the ground under it, in view."""
    w, h = script.stage.size_wh
    most = 0.75 * script.stage.margin
    best, least = (0.0, 0.0), 1e9
    x, y = script.looks_at
    for angle in script.rng.uniform(0, 2 * np.pi, 24):
        dx, dy = far * float(np.cos(angle)), far * float(np.sin(angle))
        out = max(abs(x + dx) - most, abs(y + dy) - most, 0.0) * 10
        for a in script.on_tray:
            sx, sy = a.x + x + dx, a.y + y + dy
            out += max(0.8 * script.side - sx, 0) + max(sx - w + 0.8 * script.side, 0)
            out += max(0.8 * script.side - sy, 0) + max(sy - h + 0.8 * script.side, 0)
        if out < least:
            best, least = (dx, dy), out
    return best


def shake(script: Script, seconds: float) -> None:
    """A knock on the table: the picture oscillates for a while and returns to its place."""
    rng = script.rng
    script.note("table trembles")
    start, ring, hz = script.now, float(rng.uniform(0.03, 0.3)) * script.side, float(rng.uniform(5, 12))

    def lens(t: float) -> Lens:
        if not start < t < start + seconds:
            return Lens()
        fade = float(np.sin(np.pi * (t - start) / seconds))
        return Lens(
            ring * fade * float(np.sin(2 * np.pi * hz * t)),
            0.7 * ring * fade * float(np.sin(2 * np.pi * hz * 0.83 * t + 1)),
        )

    script.stage.lenses.append(lens)
    script.now += seconds


def out_of_focus(script: Script, seconds: float) -> None:
    """The lens hunts for focus: the picture is blurred for a while. `now` does not change."""
    script.note(f"out of focus for {seconds:.1f} s")
    start, worst = script.now, float(script.rng.uniform(0.1, 0.25)) * script.side

    def lens(t: float) -> Lens:
        if not start < t < start + seconds:
            return Lens()
        return Lens(blur_px=worst * float(np.clip(min(t - start, start + seconds - t) / 0.3, 0, 1)))

    script.stage.lenses.append(lens)


def fail(script: Script, kind: FailureKind, seconds: float) -> None:
    """A failure of the camera for this long. `now` does not change."""
    script.note(f"{kind} for {seconds:.1f} s")
    picture = lens_cap(script.rng, script.stage.size_wh) if kind == "covered" else None
    script.stage.failures.append(Failure(script.now, script.now + seconds, kind, picture))


def lens_cap(rng: np.random.Generator, size_wh: tuple[int, int]) -> Picture:
    """The picture of a camera with a finger, or a cloth, on its lens."""
    w, h = size_wh
    coarse = cv2.resize(rng.uniform(0.5, 1, (3, 4)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    tone = np.array([(18, 22, 90), (12, 12, 14), (40, 52, 96)][int(rng.integers(3))], np.float32)
    return np.asarray(np.rint(np.clip(tone * coarse[..., None], 0, 255)), np.uint8)


# --- the light


def lamp(start_s: float, gain: float, lasts_s: float = 0.05) -> Light:
    """A lamp is switched on or off, or dimmed: the picture has this gain from then on."""

    def light(t: float, _: tuple[int, int]) -> float:
        u = float(np.clip((t - start_s) / lasts_s, 0, 1))
        return 1 + (gain - 1) * u

    return light


def exposure_steps(start_s: float, gain: float, rng: np.random.Generator) -> Light:
    """A lamp is switched, and the auto-exposure returns to the old brightness in steps."""
    every, share = float(rng.uniform(0.1, 0.35)), float(rng.uniform(0.3, 0.6))

    def light(t: float, _: tuple[int, int]) -> float:
        if t < start_s:
            return 1.0
        return float(gain ** ((1 - share) ** int((t - start_s) / every)))

    return light


def bands(rng: np.random.Generator, depth: float, fps: float) -> Light:
    """Mains flicker under a rolling shutter: bands that stand still or drift with the frame rate."""
    hz = 2 * float(rng.choice([50, 60])) * (1 + float(rng.normal(0, 0.0005)))
    readout, phase = float(rng.uniform(0.4, 0.95)) / max(fps, 15), float(rng.uniform(0, 2 * np.pi))
    warm = np.array([1.0, 1.0, float(rng.uniform(0.6, 1.0))], np.float32)

    def light(t: float, shape: tuple[int, int]) -> Floats:
        rows = np.arange(shape[0], dtype=np.float32) / shape[0] * np.float32(readout)
        wave = depth * np.sin(2 * np.pi * hz * (t + rows.astype(np.float64)) + phase)
        return np.asarray(1 + wave.astype(np.float32)[:, None, None] * warm, np.float32)

    return light


def candle(rng: np.random.Generator, depth: float) -> Light:
    """A candle beside the tray: its light flickers, most near the candle."""
    phases, hz = rng.uniform(0, 2 * np.pi, 6), rng.uniform(0.6, 9, 6)
    at = rng.uniform(-0.2, 1.2, 2)

    @lru_cache(maxsize=1)
    def nearness(shape: tuple[int, int]) -> Floats:
        x, y = grid(*shape, 0, 1)
        return np.asarray(0.3 + 0.7 * np.exp(-2 * ((x - at[0]) ** 2 + (y - at[1]) ** 2)), np.float32)

    def light(t: float, shape: tuple[int, int]) -> Floats:
        waver = depth * float(np.sin(2 * np.pi * hz * t + phases).sum() / 3)
        return np.asarray(1 + np.float32(waver) * nearness(shape), np.float32)

    return light


def leaning_over(script: Script, seconds: float) -> None:
    """Somebody leans over the table: a large soft shadow comes, sways and goes. `now` does not change."""
    rng, start = script.rng, script.now
    script.note(f"somebody leans over the table for {seconds:.1f} s")
    angle, depth = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.25, 0.6))
    reach, hz = float(rng.uniform(0.3, 1.1)), float(rng.uniform(0.2, 0.8))

    def light(t: float, shape: tuple[int, int]) -> float | Floats:
        share = float(np.clip(min(t - start, start + seconds - t) / 0.6, 0, 1))
        if share == 0:
            return 1.0
        border = 1.5 - (1.5 - reach * (1 + 0.2 * float(np.sin(2 * np.pi * hz * (t - start))))) * smooth(share)
        x, y = grid(*shape, -1, 1)
        across = (np.cos(angle) * x + np.sin(angle) * y - border) * 5
        return np.asarray(1 - depth / (1 + np.exp(-across)), np.float32)

    script.stage.lights.append(light)


def stutter(script: Script, seconds: float) -> None:
    """The camera's computer is busy: now and then the picture stands still for a moment."""
    script.note("pictures are late now and then")
    at_s = script.now
    while (at_s := at_s + float(script.rng.uniform(0.3, 2.5))) < script.now + seconds:
        late_s = float(script.rng.uniform(0.05, 0.3))
        script.stage.failures.append(Failure(at_s, at_s + late_s, "frozen"))


def grid(h: int, w: int, low: float, high: float) -> tuple[Floats, Floats]:
    """x and y, (h, w) each, from low to high across the picture."""
    x, y = np.meshgrid(
        np.linspace(low, high, w, dtype=np.float32), np.linspace(low, high, h, dtype=np.float32)
    )
    return x, y


def window_shadow(rng: np.random.Generator, size_wh: tuple[int, int]) -> Light:
    """Light through a window: part of the table in bright sun, with a soft oblique border."""
    angle, offset, depth = (
        float(rng.uniform(0, 2 * np.pi)),
        float(rng.uniform(-0.4, 0.4)),
        float(rng.uniform(0.25, 0.55)),
    )
    w, h = size_wh
    x, y = grid(h, w, -1, 1)
    across = (np.cos(angle) * x + np.sin(angle) * y - offset) * 8
    field = np.asarray(1 - depth / (1 + np.exp(-across)), np.float32)
    return lambda t, shape: field


def hand_dims(script: Script, gain: float) -> Light:
    """Auto-exposure that reacts to hands: while one is in view, the whole picture has this gain."""
    overlays = script.stage.overlays

    def light(t: float, _: tuple[int, int]) -> float:
        moments = (t - 0.05 * k for k in range(8))
        seen = (
            sum(any(o.over and o.is_hand and o.place(m) is not None for o in overlays) for m in moments) / 8
        )
        return 1 + (gain - 1) * seen

    return light


# --- lights in view


def blinking(script: Script, hz: float, share: float | None = None) -> None:
    """A blinking LED in view."""
    rng = script.rng
    script.note(f"LED at {hz:.1f} Hz")
    w, h = script.stage.size_wh
    radius = float(np.sqrt((share or float(rng.uniform(0.0008, 0.006))) * w * h / np.pi))
    colour = [(40, 40, 255), (60, 255, 60), (255, 120, 40), (230, 240, 255)][int(rng.integers(4))]
    x, y = border_place(script)
    on_share, phase = float(rng.uniform(0.3, 0.7)), float(rng.uniform(0, 1))
    lit = glow(radius, colour)

    def place(t: float) -> Place | None:
        return Place(x, y) if (t * hz + phase) % 1 < on_share else None

    script.stage.overlays.append(
        Overlay(lit, lit[..., 3], (lit.shape[1] / 2, lit.shape[0] / 2), place, shadow_depth=0.0)
    )


def glow(radius: float, bgr: tuple[int, int, int]) -> NDArray[np.uint8]:
    """A bright disc with its halo, premultiplied."""
    size = int(radius * 5) | 1
    x, y = np.meshgrid(np.arange(size) - size // 2, np.arange(size) - size // 2)
    away = np.hypot(x, y) / radius
    alpha = np.clip(np.exp(-np.maximum(away - 0.8, 0) * 1.8) - 0.03, 0, 1)
    white = np.clip(1.2 - away, 0, 1)[..., None]
    bgr_map = np.array(bgr) * (1 - white) + 255 * white
    return np.rint(np.dstack([bgr_map * alpha[..., None], alpha * 255])).astype(np.uint8)


def screen(script: Script, rate: float) -> None:
    """A phone or television at the border, with a picture that changes all the time."""
    rng = script.rng
    script.note(f"screen at {rate:.1f} pictures a second")
    x, y = border_place(script)
    w, h = int(script.side * rng.uniform(2.5, 5)), int(script.side * rng.uniform(2, 3.5))
    pictures = [shown_on_screen(rng, w, h) for _ in range(5)]
    turn = float(rng.uniform(0, 2 * np.pi))

    def slot(k: int) -> Callable[[float], Place | None]:
        return lambda t: Place(x, y, turn) if int(t * rate) % len(pictures) == k else None

    for k, picture in enumerate(pictures):
        script.stage.overlays.append(
            Overlay(picture, picture[..., 3], (w / 2, h / 2), slot(k), shadow_depth=0.0)
        )


def shown_on_screen(rng: np.random.Generator, w: int, h: int) -> NDArray[np.uint8]:
    coarse = rng.uniform(10, 255, (4, 5, 3)).astype(np.float32)
    picture = np.clip(cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC), 0, 255)
    for _ in range(4):
        centre = (int(rng.integers(w)), int(rng.integers(h)))
        ink = tuple(float(v) for v in rng.uniform(0, 255, 3))
        cv2.circle(picture, centre, int(rng.integers(3, max(h // 3, 5))), ink, -1, cv2.LINE_AA)
    frame = cv2.copyMakeBorder(picture[4:-4, 4:-4], 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=(20, 20, 20))
    return np.asarray(np.rint(np.dstack([frame, np.full((h, w), 255.0)])), np.uint8)


def border_place(script: Script) -> tuple[float, float]:
    """A point at the border of the picture, away from dice. No die comes to rest there later."""
    w, h = script.stage.size_wh
    rng, edge = script.rng, 1.2 * script.side
    places = [
        (rng.uniform(0.1, 0.9) * w, edge * 0.6),
        (rng.uniform(0.1, 0.9) * w, h - edge * 0.6),
        (edge * 0.6, rng.uniform(0.1, 0.9) * h),
        (w - edge * 0.6, rng.uniform(0.1, 0.9) * h),
    ]
    x, y = places[int(rng.integers(4))]
    script.avoid.append((float(x), float(y), 3.2 * script.side))
    return float(x), float(y)
