"""What the sticks of one picture tell about one another.

A household makes its sticks alike, and throws several at a time. So what has others of its length and width
beside it is likelier a stick. And the flat sides of a set bear either animals or white paint: among sticks
with letters, what looks white is a pale back in bright light.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.reading.stick_classifier import FACES
from vision.stick_places import may_be_one
from vision.turned_box import TurnedBox

LENGTH_SPREAD, WIDTH_SPREAD = 0.15, 0.2
"""Standard deviations of the logarithms of length and width among the sticks of a set, as the detector and
perspective leave them."""
PLAIN_SCORE = 0.6
"""From this product of the two nets' probabilities on, a thing counts in full as a stick beside another."""
MAX_LIKENESS = 3.0
"""The other sticks of a throw."""
BIAS, DETECTOR_WEIGHT, CLASSIFIER_WEIGHT, LIKENESS_WEIGHT = -1.27, 1.61, 0.66, 0.84
"""A logistic regression of what is a stick, on rendered tables that no net was trained on
(models.training.stick_odds): weights of the two nets' log odds and of the likeness to others."""
ODDS_LIMIT = 1e-6
"""Probabilities are kept this far from 0 and 1 before their log odds are taken."""
OF_ANIMALS = np.array([face != "white" for face in FACES])
OF_COLOURS = np.array([face in ("white", "black", "round") for face in FACES])
"""(7,): the faces of a set with letters, and of one with white and black sides."""
STRANGER = 0.02
"""Chance of a face that the set does not have: a mixed throw, or a household with customs of its own."""
WITNESS_SCORE = 0.3
"""Minimum product of the two probabilities for a thing to tell which set is on the table."""


def likenesses(boxes: Sequence[TurnedBox], scores: Sequence[float]) -> list[float]:
    """For each thing, how many others are of its length and width, 0 to MAX_LIKENESS; weak ones count less,
    and those that may be the same thing do not.

    scores: products of the two nets' probabilities of a stick.
    """
    result = []
    for n, box in enumerate(boxes):
        others = [
            (o, score)
            for m, (o, score) in enumerate(zip(boxes, scores, strict=True))
            if m != n and not may_be_one(box, o)
        ]
        total = sum(_same_make(box, other) * min(1.0, score / PLAIN_SCORE) for other, score in others)
        result.append(min(total, MAX_LIKENESS))
    return result


def _same_make(a: TurnedBox, b: TurnedBox) -> float:
    """1 for two things of the same length and width, falling to 0."""
    longer, wider = math.log(a.length / b.length), math.log(a.width / b.width)
    return math.exp(-((longer / LENGTH_SPREAD) ** 2 + (wider / WIDTH_SPREAD) ** 2) / 2)


def stick_probability(detector: float, classifier: float, likeness: float) -> float:
    """The probability of a stick, from the two nets' probabilities and its likeness to others."""
    odds = BIAS + DETECTOR_WEIGHT * log_odds(detector) + CLASSIFIER_WEIGHT * log_odds(classifier)
    return 1 / (1 + math.exp(-(odds + LIKENESS_WEIGHT * likeness)))


def log_odds(probability: float) -> float:
    """The natural logarithm of p / (1 - p)."""
    p = min(max(probability, ODDS_LIMIT), 1 - ODDS_LIMIT)
    return math.log(p / (1 - p))


def faces_of_one_set(faces: NDArray[np.float64], scores: Sequence[float]) -> NDArray[np.float64]:
    """(n, 7) probabilities of the faces of n sticks -> the same, if the other sticks are of the same set.

    Letters on several sticks count together. White on several counts once: the backs of a set have one
    colour, and if it is pale, all of them look white.
    """
    animals, colours = (np.where(known, 1.0, STRANGER) for known in (OF_ANIMALS, OF_COLOURS))
    evidence = np.log(faces @ animals) - np.log(faces @ colours)
    evidence = np.where(np.array(scores) >= WITNESS_SCORE, evidence, 0.0)
    letters, white = np.maximum(evidence, 0), np.minimum(evidence, 0)
    whitest = [np.delete(white, n).min(initial=0.0) for n in range(len(white))]
    others = np.clip(letters.sum() - letters + whitest, -50, 50)
    of_animals = (1 / (1 + np.exp(-others)))[:, None]
    revised = faces * (of_animals * animals + (1 - of_animals) * colours) / (animals + colours)
    return np.asarray(revised / revised.sum(1, keepdims=True))
