"""Camera effects: white balance, exposure, cast shadows, blur, sharpening, noise and JPEG."""

from __future__ import annotations

import cv2
import numpy as np


def developed(linear: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(h, w, 3) float32 linear light -> uint8: mostly well exposed, sometimes underexposed or overexposed."""
    level = np.percentile(linear.max(axis=2), rng.uniform(88, 99.7))
    target = float(
        rng.choice(
            [rng.uniform(0.5, 1.1), rng.uniform(0.05, 0.4), rng.uniform(1.1, 2.2)], p=[0.8, 0.12, 0.08]
        )
    )
    shown = np.clip(linear * (target / max(level, 1e-3)), 0, None)
    knee = rng.uniform(0.7, 1.0)
    shown = np.where(
        shown > knee,
        knee + (1 - knee) * (1 - np.exp(-np.maximum(shown - knee, 0) / (1 - knee + 1e-3))),
        shown,
    )
    encoded: np.ndarray = np.clip(shown, 0, 1) ** (1 / 2.2) * 255
    return encoded.astype(np.uint8)


def tinted(linear: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The picture with a slightly wrong white balance, sometimes a very wrong one."""
    warmth, tint = rng.normal(0, 0.09), rng.normal(0, 0.04)
    if rng.random() < 0.1:
        warmth *= 2.5
    gains = np.exp(np.array([-warmth, tint, warmth], np.float32))
    return linear * gains


def relit(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """uint8 -> uint8: the picture under a white balance and exposure so wrong that no colour has a name."""
    warmth, tint, level = rng.uniform(-0.45, 0.45), rng.normal(0, 0.08), rng.uniform(-1.0, 0.5)
    gains = np.exp(level + np.array([-warmth, tint, warmth]))
    shown = np.clip(np.arange(256)[:, None] * gains, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(np.ascontiguousarray(picture), shown[None]))


def in_coloured_light(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """uint8 -> uint8: the picture in light so warm, cold, green or dim that a person still names its colours.

    The warmest light leaves 0.48 of the blue for each red, as an evaluation's warm lamp does.
    """
    warmth, green = rng.uniform(-0.2, 0.37), max(rng.normal(0, 0.09), -0.06)
    gains = np.exp(rng.uniform(-0.8, 0.1) + np.array([-warmth, green, warmth]))
    shown = np.clip(np.arange(256)[:, None] * gains, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(np.ascontiguousarray(picture), shown[None]))


def shaded(linear: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The picture with a person's shadow, a lamp's pool of light, vignetting or glare."""
    h, w = linear.shape[:2]
    if rng.random() < 0.25:
        mask: np.ndarray = np.zeros((h, w), np.float32)
        points = rng.uniform(-0.3, 1.3, (3, 2)) * (w, h)
        cv2.fillPoly(mask, [points.astype(np.int32)], 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 40)))
        linear = linear * (1 - rng.uniform(0.2, 0.75) * mask[..., None])
    if rng.random() < 0.5:
        y, x = np.mgrid[:h, :w].astype(np.float32)
        away = np.hypot(x - w * rng.uniform(0.2, 0.8), y - h * rng.uniform(0.2, 0.8)) / max(h, w)
        linear = linear * (1 - rng.uniform(0, 0.8) * np.clip(away, 0, 1) ** 1.5)[..., None]
    if rng.random() < 0.12:
        y, x = np.mgrid[:h, :w].astype(np.float32)
        spot = np.exp(
            -(
                ((x - w * rng.random()) / (w * rng.uniform(0.05, 0.3))) ** 2
                + ((y - h * rng.random()) / (h * 0.15)) ** 2
            )
        )
        linear = linear + rng.uniform(0.1, 0.8) * spot[..., None].astype(np.float32)
    return linear.astype(np.float32)


def degraded(picture: np.ndarray, rng: np.random.Generator, blur_scale: float = 1.0) -> np.ndarray:
    """uint8 -> uint8: random blur, sharpening, noise and JPEG, in this order; `blur_scale` scales the blur
    (px grow with the dice)."""
    if rng.random() < 0.55:
        picture = _blurred(picture, rng, blur_scale)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.7, 2.0)))
        amount = float(rng.uniform(0.3, 2.0))
        picture = cv2.addWeighted(picture, 1 + amount, soft, -amount, 0)
    if rng.random() < 0.6:
        noise = rng.standard_normal(picture.shape, np.float32) * (
            rng.uniform(0.5, 5) if rng.random() < 0.8 else rng.uniform(5, 16)
        )
        if rng.random() < 0.4:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.8
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.uniform(25, 95))
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
    return picture


def _blurred(picture: np.ndarray, rng: np.random.Generator, blur_scale: float) -> np.ndarray:
    sigma = float(rng.uniform(0.3, 1.0 + 1.2 * blur_scale * rng.random()))
    if rng.random() < 0.75:
        return cv2.GaussianBlur(picture, (0, 0), sigma)
    size = 2 * int(np.ceil(sigma * 1.5)) + 1
    line: np.ndarray = np.zeros((size, size), np.float32)
    line[size // 2] = 1
    turn = cv2.getRotationMatrix2D((size // 2, size // 2), float(rng.uniform(0, 180)), 1.0)
    line = cv2.warpAffine(line, turn, (size, size))
    return cv2.filter2D(picture, -1, line / line.sum())
