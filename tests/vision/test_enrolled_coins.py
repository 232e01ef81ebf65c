"""Coins in place of sticks: found, shown to the table once, and read by their sides."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from table.common.errors import CannotLearn
from vision.frames import Picture
from vision.reading.coin_finder import find_discs
from vision.reading.enrolled_coins import COIN_FACES, NO_COINS, EnrolledCoinReader, EnrolledCoins
from vision.readings import Reading, SeenStick
from vision.simulation import Scene, SimDie, SimStick, render_still
from vision.simulation.coin_faces import CoinStyle
from vision.simulation.coins import SimCoin
from vision.simulation.view import view_of
from vision.stick_places import same_place

SIZE = (800, 600)
PLACES = ((-70.0, -35.0), (45.0, -40.0), (-50.0, 40.0), (70.0, 30.0))
STYLE = CoinStyle(design=3, metal="brass", diameter_mm=25, wear=0.2, tarnish=0.2)
HOME = Scene(texture_seed=4)
OTHER_LAMP = replace(
    HOME, light_azimuth_rad=5.0, light_elevation_rad=0.8, texture_seed=9, felt_bgr=(90, 50, 40)
)


def laid(faces: Sequence[str], seed: int, scene: Scene = HOME, style: CoinStyle = STYLE) -> Picture:
    """A picture of coins with these sides up, each turned by chance."""
    rng = np.random.default_rng(seed)
    coins = [
        SimCoin(
            coin=replace(style, piece=n),
            x_mm=x,
            y_mm=y,
            yaw_rad=float(rng.uniform(0, 6.28)),
            roll_rad=0.0 if face == "heads" else np.pi,
        )
        for n, (face, (x, y)) in enumerate(zip(faces, PLACES, strict=False))
    ]
    return render_still([], rng, SIZE, scene, coins)


@pytest.fixture(scope="module")
def known() -> EnrolledCoins:
    coins = NO_COINS
    for seed in range(3):
        for face in COIN_FACES:
            picture = laid([face] * 4, seed)
            coins = coins.with_coins(face, picture, find_discs(picture))
    return coins


def read(coins: EnrolledCoins, picture: Picture) -> list[tuple[str, bool]]:
    return [(seen.face, seen.sure) for seen in sorted(coins.read(picture), key=lambda s: s.centre_xy)]


def test_coins_are_found_where_they_lie() -> None:
    view = view_of(HOME, SIZE)
    truth = view.project(np.array([(x, y, 1.9) for x, y in PLACES], np.float32))
    discs = find_discs(laid(["heads", "tails", "heads", "tails"], 1))
    assert len(discs) == 4
    for x, y in truth:
        disc = min(discs, key=lambda d: np.hypot(d.centre_xy[0] - x, d.centre_xy[1] - y))
        assert np.hypot(disc.centre_xy[0] - x, disc.centre_xy[1] - y) < 3
        assert disc.diameter == pytest.approx(25 * view.px_per_mm(1.9), rel=0.07)


def test_dice_and_sticks_are_no_discs() -> None:
    dice = [SimDie(face, "white", -80 + 30 * face, 0, 0.5 * face) for face in (1, 3, 5, 6)]
    sticks = [SimStick("cow", "round", 0, 50, 0.3), SimStick("white", "black", 0, -55, 0.1)]
    assert find_discs(render_still(dice, np.random.default_rng(1), SIZE, HOME, sticks)) == []


@pytest.mark.parametrize("scene", [HOME, OTHER_LAMP])
def test_sides_are_read_by_other_lamps_and_in_other_turns(known: EnrolledCoins, scene: Scene) -> None:
    right = sure = 0
    for seed in (20, 21):
        picture = laid(["heads", "tails", "tails", "heads"], seed, scene)
        seen = read(known, picture)
        faces = ["heads", "tails", "tails", "heads"]
        expected = [faces[PLACES.index(place)] for place in sorted(PLACES)]
        assert len(seen) == 4
        right += sum(face == true for (face, _), true in zip(seen, expected, strict=True))
        sure += sum(certain for _, certain in seen)
        assert all(face == true for (face, certain), true in zip(seen, expected, strict=True) if certain)
    assert right == 8
    assert sure >= 6


def test_a_coin_that_is_worn_smooth_is_never_sure(known: EnrolledCoins) -> None:
    smooth = laid(["heads", "tails"] * 2, 5, style=replace(STYLE, design=42, wear=1.0, tarnish=0.9))
    assert not any(
        seen.sure for seen in known.read(np.asarray(cv2.GaussianBlur(smooth, (0, 0), 3), np.uint8))
    )


def test_coins_on_one_another_are_crossed_and_unsure(known: EnrolledCoins) -> None:
    low = SimCoin(coin=STYLE, x_mm=0, y_mm=0)
    high = SimCoin(coin=STYLE, x_mm=15, y_mm=0, z_mm=2.9)
    seen = known.read(render_still([], np.random.default_rng(1), SIZE, HOME, [low, high]))
    assert seen
    assert len(seen) == 1 or all(coin.crossed and not coin.sure for coin in seen)


def test_unsure_coins_are_asked_about(known: EnrolledCoins) -> None:
    """The referee takes a face without asking from a confidence of 0.95 on."""
    dark = np.asarray(laid(["heads"] * 4, 7) // 8, np.uint8)
    assert all(coin.sure or coin.confidence <= 0.9 for coin in known.read(dark))


def test_the_file_keeps_what_was_shown(known: EnrolledCoins) -> None:
    again = EnrolledCoins.from_json(json.loads(json.dumps(known.to_json())))
    picture = laid(["tails", "heads", "heads", "tails"], 31)
    assert read(again, picture) == read(known, picture)


@pytest.mark.parametrize(
    "damaged", [[], {"dog": {}}, {"heads": [1]}, {"heads": {"edges": [[1]], "diameters": [1]}}]
)
def test_other_json_is_refused(damaged: object) -> None:
    with pytest.raises(ValueError, match="heads"):
        EnrolledCoins.from_json(damaged)


class NoDice:
    """A reader of nothing, which notes whether it was asked for sticks."""

    def __init__(self) -> None:
        self.sticks = False

    def read(self, picture: Picture) -> Reading:
        sticks = (SeenStick("dog", ((0, 0), (90, 0), (90, 12), (0, 12)), 1.0, True),) if self.sticks else ()
        return Reading((picture.shape[1], picture.shape[0]), sticks=sticks)


def test_coins_are_read_only_where_the_game_asks_for_them(known: EnrolledCoins) -> None:
    reader = EnrolledCoinReader(NoDice(), known, lambda _: None)
    picture = laid(["heads"] * 4, 3)
    assert reader.read(picture).sticks == ()
    reader.sticks = True
    assert [stick.face for stick in reader.read(picture).sticks] == ["dog"]
    reader.coins = True
    assert [stick.face for stick in reader.read(picture).sticks] == ["heads"] * 4
    reader.put_back(NO_COINS)
    assert [stick.face for stick in reader.read(picture).sticks] == ["dog"], "coins that nobody showed"


def test_sides_are_learned_and_forgotten() -> None:
    saved: list[EnrolledCoins] = []
    reader = EnrolledCoinReader(NoDice(), NO_COINS, saved.append)
    for face in COIN_FACES:
        picture = laid([face] * 4, 1)
        assert len(reader.learnable(picture).sticks) == 4
        reader.learn(face, [picture, picture])
    assert reader.enrolled.active
    assert len(saved) == 2
    reader.forget("tails")
    assert not reader.enrolled.active


def test_what_cannot_be_learned_is_refused_with_the_reason(known: EnrolledCoins) -> None:
    reader = EnrolledCoinReader(NoDice(), known, lambda _: None)
    empty, heads = render_still([], np.random.default_rng(1), SIZE, HOME), laid(["heads"] * 4, 3)
    with pytest.raises(CannotLearn, match="No coin is seen in the tray"):
        reader.learn("heads", [empty])
    with pytest.raises(CannotLearn, match="The coins moved"):
        reader.learn("heads", [heads, laid(["heads"] * 3, 4)])
    with pytest.raises(CannotLearn, match="shows the heads that the table knows: turn it over"):
        reader.learn("tails", [heads])


def test_a_coin_that_is_read_again_lies_in_the_same_place(known: EnrolledCoins) -> None:
    first, second = (known.read(np.roll(laid(["heads"] * 4, 3), shift, axis=1)) for shift in (0, 2))
    assert all(same_place(a, b) for a, b in zip(first, second, strict=True))
    assert not same_place(first[0], first[1])
