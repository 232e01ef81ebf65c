"""Averages classifiers fine-tuned from the same weights, and interpolates from those weights to the mean:

    python -m models.training.weight_averaging --of models --towards runs/classifier runs/more --share 0.75 \\
        --out runs/mixed

Weights fine-tuned from the same start can be averaged. The mean is more accurate than each of them.
Interpolation keeps more of the start's abilities. Each folder is a run or holds classifier.npz.
The output is classifier.npz, for `models.training.train normal --of`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from models.training.export import write_floats
from models.training.fine_tune import interpolate_weights
from models.training.nets import FLOAT_FILE, ClassifierNet, load_float_classifier
from models.training.train import load_classifier


def mean_weights(nets: Sequence[ClassifierNet]) -> ClassifierNet:
    """The net with the mean of these nets' weights."""
    mean = nets[0]
    for n, net in enumerate(nets[1:], 2):
        mean = interpolate_weights(mean, net, 1 / n)
    return mean


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--of", type=Path, required=True, help="folder with the classifier.npz that all were fine-tuned from"
    )
    parser.add_argument(
        "--towards", type=Path, nargs="+", required=True, help="runs, or folders with classifier.npz"
    )
    parser.add_argument(
        "--share",
        type=float,
        default=1.0,
        help="share of the way from --of to the mean, 0 to 1 (default: %(default)g)",
    )
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    start, temperature = load_float_classifier(args.of)
    args.out.mkdir(parents=True, exist_ok=True)
    write_floats(
        interpolate_weights(
            start, mean_weights([load_classifier(folder) for folder in args.towards]), args.share
        ),
        temperature,
        args.out / FLOAT_FILE,
    )


if __name__ == "__main__":
    main()
