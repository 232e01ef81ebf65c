"""Coins of the simulated tray: their sides, how they are drawn, and how they fall."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_simulated_hand import Tray
from vision.simulation import Scene, render_still
from vision.simulation.coin_faces import FACES, METALS, CoinStyle, coin_relief
from vision.simulation.coins import SimCoin
from vision.simulation.view import view_of

SIZE = (800, 600)


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.corrcoef(a.ravel(), b.ravel())[0, 1])


@pytest.mark.parametrize("face", FACES)
def test_every_design_has_a_relief_of_its_own(face: str) -> None:
    reliefs = [coin_relief(design, face) for design in range(5)]
    inner = [relief[60:-60, 60:-60] for relief in reliefs]
    assert all(relief.max() > 0.7 and relief.min() < 0.05 for relief in reliefs)
    assert all(likeness(inner[0], other) < 0.9 for other in inner[1:])
    assert np.array_equal(coin_relief(3, face), reliefs[3])


def test_heads_and_tails_differ() -> None:
    assert likeness(coin_relief(1, "heads")[60:-60, 60:-60], coin_relief(1, "tails")[60:-60, 60:-60]) < 0.6


def test_a_coin_lies_where_it_should_and_is_round() -> None:
    coin = SimCoin(x_mm=20, y_mm=-15, yaw_rad=1.0, coin=CoinStyle(metal="nickel", diameter_mm=26))
    bare, shown = (
        render_still([], np.random.default_rng(1), SIZE, Scene(noise_sigma=0, key=0.05), sticks)
        for sticks in ((), (coin,))
    )
    mask = (np.abs(shown.astype(int) - bare).max(axis=2) > 40).astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    (x, y), radius = cv2.minEnclosingCircle(outline)
    view = view_of(Scene(noise_sigma=0, key=0.05), SIZE)
    where = view.project(np.array([[20, -15, 1.9]], np.float32))[0]
    assert np.hypot(x - where[0], y - where[1]) < 2
    assert radius == pytest.approx(13 * view.px_per_mm(1.9), rel=0.06)


def test_metals_have_their_colours() -> None:
    hues = {}
    for metal in METALS:
        coin = SimCoin(coin=CoinStyle(metal=metal, tarnish=0.0))
        picture = render_still([], np.random.default_rng(1), SIZE, sticks=(coin,))
        b, _, r = picture[290:310, 390:410].reshape(-1, 3).mean(axis=0)
        hues[metal] = r / b
    assert hues["copper"] > 1.6 > 1.25 > hues["nickel"]


def test_the_light_on_the_relief_follows_the_lamp() -> None:
    coin = SimCoin(coin=CoinStyle(wear=0.0, scratches=0.0, tarnish=0.0))
    shown = [
        render_still([], np.random.default_rng(1), SIZE, replace(Scene(), light_azimuth_rad=azimuth), (coin,))
        for azimuth in (0.0, 0.0, np.pi)
    ]
    crops = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[278:322, 378:422].astype(float) for picture in shown]
    assert likeness(crops[0], crops[1]) > 0.95 > 0.9 > likeness(crops[0], crops[2])


@pytest.mark.parametrize("seed", range(2))
def test_thrown_coins_come_to_rest_on_a_side(seed: int) -> None:
    tray = Tray(lying=(), seed=seed)
    completed = tray.perform(lambda camera: camera.throw_sticks([("heads", "tails")] * 4))
    lying = tray.camera.answer_sticks()
    assert len(completed.sticks) == 4
    assert all(isinstance(coin, SimCoin) for coin in lying)
    assert all(abs(coin.pitch_rad) < 0.2 and abs(np.sin(coin.roll_rad)) < 0.2 for coin in lying)
    assert {coin.face for coin in lying} <= {"heads", "tails"}
