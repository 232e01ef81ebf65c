"""The real clips beside the checkout as scenarios.

One has throws with known faces; the others only have to run through.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.scenarios.running import Events, pipeline_events, reports_of
from tests.scenarios.truth import EventKind, Result, TrueEvent, Truth, score_reports
from tests.shared_files import CLIPS
from vision.dice_reader import DiceReader
from vision.frames import Frame
from vision.pipeline import Pipeline


@dataclass(frozen=True)
class Clip:
    """A recording and its ground truth. truth: None where no faces are known."""

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
    """Every clip of the index; none where the index is missing."""
    index = CLIPS / "index.jsonl"
    lines = [json.loads(line) for line in index.read_text("utf-8").splitlines()] if index.is_file() else []
    return [Clip(CLIPS / line["file"], line["fps"], _truth(line)) for line in lines]


def _truth(line: dict[str, Any]) -> Truth | None:
    """The throws with their faces. Dice in the first frame were thrown before, so that throw is optional."""
    if not line["final_values"]:
        return None
    rests = line["approx_settled_frames"]
    events = []
    for k, (faces, (first, _)) in enumerate(zip(line["final_values"], rests, strict=True)):
        start = rests[k - 1][1] / line["fps"] if k else 0.0
        events.append(
            TrueEvent(EventKind.THROWN, tuple(sorted(faces)), start, first / line["fps"], optional=k == 0)
        )
    w, h = line["size"]
    return Truth(line["file"], "clip", -1, line["fps"], (w, h), 0.0, line["source"], tuple(events), ())


def run_clip(reader: DiceReader, clip: Clip) -> tuple[Result | None, Events]:
    """The events of the clip through a new pipeline, and the verdict where its faces are known."""
    events = pipeline_events(Pipeline(reader), clip.frames())
    return (score_reports(clip.truth, reports_of(events)) if clip.truth else None), events
