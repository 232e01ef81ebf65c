"""The real clips beside the checkout as scenarios: one has throws whose faces are known, the others are to be got through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.scenarios.cutouts import PHOTOS
from tests.scenarios.running import Events, told_by, watched
from tests.scenarios.truth import Deed, Done, Judged, Truth, judged
from vision.frames import Frame
from vision.pipeline import DiceReader, Pipeline

CLIPS = PHOTOS / "clips"


@dataclass(frozen=True)
class Clip:
    """A recording and what is known of it. truth: None where no faces are."""

    file: Path
    fps: float
    truth: Truth | None

    def frames(self) -> Iterator[Frame]:
        video, i = cv2.VideoCapture(str(self.file)), 0
        while True:
            read, picture = video.read()
            if not read:
                break
            yield Frame(np.asarray(picture, np.uint8), i / self.fps)
            i += 1
        video.release()


def clips() -> list[Clip]:
    """Every clip of the index; none where it is missing."""
    index = CLIPS / "index.jsonl"
    lines = [json.loads(line) for line in index.read_text("utf-8").splitlines()] if index.is_file() else []
    return [Clip(CLIPS / line["file"], line["fps"], _truth(line)) for line in lines]


def _truth(line: dict[str, Any]) -> Truth | None:
    """Throws with their faces. What lies there in the first frame was thrown before: it may be told or passed over."""
    if not line["final_values"]:
        return None
    rests = line["approx_settled_frames"]
    done = []
    for k, (faces, (first, _)) in enumerate(zip(line["final_values"], rests, strict=True)):
        start = rests[k - 1][1] / line["fps"] if k else 0.0
        done.append(Done(Deed.THROWN, tuple(sorted(faces)), start, first / line["fps"], optional=k == 0))
    w, h = line["size"]
    return Truth(line["file"], "clip", -1, line["fps"], (w, h), 0.0, line["source"], tuple(done), ())


def run_clip(reader: DiceReader, clip: Clip) -> tuple[Judged | None, Events]:
    """The clip through new eyes: judged where its faces are known."""
    events = watched(Pipeline(reader), clip.frames())
    return (judged(clip.truth, told_by(events)) if clip.truth else None), events
