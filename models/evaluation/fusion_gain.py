"""The gain from fusing several frames: `python -m models.evaluation.fusion_gain --photos ../shared/photos`.

Each photograph of a new rig becomes six frames of a simulated live camera: shifted by up to a pixel, brighter
or darker by up to 3 %, with noise of a few grey levels. vision.reading.fusion combines their readings. The
program prints the throws wholly right, sure, and sure and wrong, for one frame and for all six.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.evaluation.datasets import photographs
from models.evaluation.scoring import score_picture
from vision.frames import Picture
from vision.reading.fusion import fused
from vision.reading.reader import Reader
from vision.reading.readings_at_rest import MAX_READINGS

SEED = 31


def next_frame(picture: Picture, noise: float, rng: np.random.Generator) -> Picture:
    """The picture with the shift, gain and noise of the next frame of a static camera."""
    shift = np.array([[1, 0, rng.uniform(-1, 1)], [0, 1, rng.uniform(-1, 1)]], np.float32)
    h, w = picture.shape[:2]
    moved = cv2.warpAffine(picture, shift, (w, h), borderMode=cv2.BORDER_REPLICATE) * rng.uniform(0.97, 1.03)
    noisy: NDArray[np.float64] = np.clip(moved + rng.normal(0, noise, (h, w, 3)), 0, 255)
    return noisy.astype(np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument(
        "--noise",
        type=float,
        default=3.0,
        help="noise, grey levels rms; a cheap webcam in candlelight has 15 (default: %(default)g)",
    )
    args = parser.parse_args()
    reader, tallies = Reader(), (Counter[str](), Counter[str]())
    for n, labelled in enumerate(photographs(args.photos, False, "")):
        picture, rng = labelled.load_picture(), np.random.default_rng((SEED, n))
        readings = [
            reader.read(next_frame(picture, args.noise, rng), thorough=True) for _ in range(MAX_READINGS)
        ]
        for tally, reading in zip(tallies, (readings[0], fused(readings)), strict=True):
            scored = score_picture(labelled, reading)
            if scored.has_scored_dice:
                tally.update(
                    throws=1,
                    right=scored.all_correct,
                    sure=scored.auto_accepted,
                    wrong=scored.auto_accepted and not scored.all_correct,
                )
    for name, t in zip(("one frame", f"{MAX_READINGS} frames"), tallies, strict=True):
        counts = f"{t['right']} wholly right, {t['sure']} sure, {t['wrong']} sure and wrong"
        print(f"{name}: {t['throws']} throws, {counts}")


if __name__ == "__main__":
    main()
