"""Losses and accuracies of the nets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from models.training.data import ClassifierTargets, DetectorTargets
from models.training.nets import ClassifierOutput, detector_cells

COLOUR_WEIGHT = 0.3
PIP_WEIGHT = 3.0
BOX_WEIGHT = 1.0
"""Weights of the colours, the pips and the boxes in the loss; faces and heatmap have the weight 1."""
LOG_ERROR_RANGE = (-4.5, 1.0)
"""Logarithms of the smallest and the largest expected error of a normal in the loss."""
PEAK_SCORE = 0.5
"""Lowest score of a peak of the heatmap that counts as a detection in the accuracy."""
NORMAL_TOLERANCE = 0.1
"""Largest distance of a normal from the true one that counts as right; 6 degrees near the camera's axis."""


@dataclass(frozen=True)
class Accuracy:
    """Number of right answers, and of all answers that count.

    For the F1 score of the detector: 2 TP, and 2 TP + FP + FN.
    """

    right: float = 0.0
    total: float = 0.0

    def __add__(self, other: Accuracy) -> Accuracy:
        return Accuracy(self.right + other.right, self.total + other.total)

    @property
    def share(self) -> float | None:
        """The share of right answers, 0-1; None if nothing counts."""
        return self.right / self.total if self.total else None


@dataclass(frozen=True)
class Objective:
    """The loss and the accuracy of an output, given the targets of its batch."""

    loss: Callable[[Any, Any], Tensor]
    accuracy: Callable[[Any, Any], Accuracy]


def classifier_loss(out: ClassifierOutput, targets: ClassifierTargets[Tensor]) -> Tensor:
    """Cross-entropy of faces, and of colours and pips where known; the normal has its own `normal_loss`."""
    loss = -(targets.faces * out.faces.float().log_softmax(1)).sum(1).mean()
    if bool((targets.colour >= 0).any()):
        loss = loss + COLOUR_WEIGHT * colour_loss(out, targets)
    known = targets.pips_known
    if bool(known.any()):
        heat = targets.pip_heat[known]
        logits = out.pips.float()[known, 0]
        loss = loss + PIP_WEIGHT * nn.functional.binary_cross_entropy_with_logits(logits, heat, 1 + 4 * heat)
    return loss


def colour_loss(out: ClassifierOutput, targets: ClassifierTargets[Tensor]) -> Tensor:
    """Cross-entropy of the colours where they are known, and of nothing else."""
    return nn.functional.cross_entropy(out.colours.float(), targets.colour, ignore_index=-1)


def normal_loss(out: ClassifierOutput, targets: ClassifierTargets[Tensor]) -> Tensor:
    """Negative log-likelihood of the known true normals. The likelihood falls as exp(-distance / error)."""
    known = ~targets.normal_xy[:, 0].isnan()  # true for at least one
    offset = out.normal_xy.float()[known] - targets.normal_xy[known]
    distance = (offset.pow(2).sum(1) + 1e-4).sqrt()
    log_error = out.normal_log_error.float()[known].clamp(*LOG_ERROR_RANGE)
    return (distance * (-log_error).exp() + 2 * log_error).mean()


def detector_loss(out: Tensor, targets: DetectorTargets[Tensor]) -> Tensor:
    """Focal loss of the heatmap, plus L1 loss of the boxes.

    The focal loss is CornerNet's: false peaks near a centre cost less.
    """
    cells = detector_cells(out)
    score = cells.logit.sigmoid().clamp(1e-5, 1 - 1e-5)
    centre = (targets.heat == 1).float()
    positive_loss = centre * (1 - score) ** 2 * score.log()
    negative_loss = (1 - centre) * (1 - targets.heat) ** 4 * score**2 * (1 - score).log()
    focal = -((positive_loss + negative_loss) * targets.heat_weight).sum() / centre.sum().clamp(min=1)
    known = targets.box_known
    box_error = ((cells.box - targets.box).abs() * known[:, None]).sum() / known.sum().clamp(min=1)
    return focal + BOX_WEIGHT * box_error


def face_accuracy(out: ClassifierOutput, targets: ClassifierTargets[Tensor]) -> Accuracy:
    """Crops of a known class, a face or background, whose class is the most probable one."""
    known = targets.faces.amax(1) == 1
    right = out.faces.argmax(1) == targets.faces.argmax(1)
    return Accuracy(int(right[known].sum()), int(known.sum()))


def colour_accuracy(out: ClassifierOutput, targets: ClassifierTargets[Tensor]) -> Accuracy:
    """Dice of a known colour whose colour is the most probable one."""
    known = targets.colour >= 0
    right = out.colours.argmax(1) == targets.colour
    return Accuracy(int(right[known].sum()), int(known.sum()))


def normal_accuracy(out: ClassifierOutput, targets: ClassifierTargets[Tensor]) -> Accuracy:
    """Dice of a known normal that is given to within NORMAL_TOLERANCE."""
    known = ~targets.normal_xy[:, 0].isnan()
    distance = (out.normal_xy.float()[known] - targets.normal_xy[known]).norm(dim=1)
    return Accuracy(int((distance < NORMAL_TOLERANCE).sum()), int(known.sum()))


def detector_accuracy(out: Tensor, targets: DetectorTargets[Tensor]) -> Accuracy:
    """The F1 score, 2 TP / (2 TP + FP + FN), of peaks within one cell of a die's centre.

    Ignored cells do not count.
    """
    score = detector_cells(out).logit.sigmoid()
    counts = targets.heat_weight > 0
    centres = (targets.heat == 1) & counts
    peaks = (score >= PEAK_SCORE) & (score == _max_of_neighbours(score)) & counts
    found = centres & (_max_of_neighbours(peaks.float()) > 0)
    false = peaks & (_max_of_neighbours(centres.float()) == 0)
    twice = 2 * int(found.sum())
    return Accuracy(twice, twice + int(false.sum()) + int((centres & ~found).sum()))


def _max_of_neighbours(cells: Tensor) -> Tensor:
    """The largest value of each cell (B, H, W) and its eight neighbours."""
    return nn.functional.max_pool2d(cells[:, None], 3, 1, 1)[:, 0]


DETECTOR = Objective(detector_loss, detector_accuracy)
CLASSIFIER = Objective(classifier_loss, face_accuracy)
COLOURS = Objective(colour_loss, colour_accuracy)
NORMALS = Objective(normal_loss, normal_accuracy)
