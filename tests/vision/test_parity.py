"""The same reading on every CPU: 8-bit arithmetic gives the results of floats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.reading.parity import Parity, compare_readings, measure_parity, sample_picture
from vision.reading.reader import Reader
from vision.simulation import random_tray

PICTURES = 24
MISMATCHED_SHARE = 0.02
"""One or two dice near a threshold may be on either side of it. Where products saturate, more dice than this
show another face."""


def test_many_pictures_give_the_same_readings_in_8_bit_and_in_floats() -> None:
    pictures = [
        random_tray(np.random.default_rng((14, n)), 6, size_wh=(640, 480))[0] for n in range(PICTURES)
    ]
    parity = measure_parity(pictures)
    assert parity.dice > 5 * PICTURES
    assert parity.mismatched <= MISMATCHED_SHARE * parity.dice


def test_the_shipped_picture_shows_six_dice_with_equal_readings() -> None:
    parity = measure_parity([sample_picture()])
    assert parity.holds
    assert parity.dice == 6


def test_a_different_face_a_different_sureness_and_a_missed_die_are_mismatches() -> None:
    reading = Reader().read(sample_picture())
    first, second, *others = reading.dice
    changed = (
        replace(first, face=first.face % 6 + 1),
        replace(second, sure=False, confidence=second.confidence - 0.5),
        *others[1:],
    )
    parity = compare_readings([(reading, replace(reading, dice=changed))])
    assert (parity.dice, parity.mismatched) == (6, 3)
    assert parity.difference == 1.0
    assert not parity.holds
    assert compare_readings([(reading, reading)]) == Parity(6, 0, 0.0)


def test_a_die_in_only_one_reading_is_a_mismatch() -> None:
    reading = Reader().read(sample_picture())
    parity = compare_readings([(replace(reading, dice=reading.dice[1:]), reading)])
    assert (parity.dice, parity.mismatched) == (6, 1)
