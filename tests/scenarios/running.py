"""Runs scenarios through the pipeline and scores them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.footage import write_video
from tests.scenarios.making import make_scenario
from tests.scenarios.stage import Stage
from tests.scenarios.truth import Faces, Report, Result, Truth, Verdict, score_reports
from vision.dice_reader import DiceReader
from vision.events import Settled, TrayEvent
from vision.frames import Frame, Picture
from vision.pipeline import Pipeline
from vision.tracking.tracks import Track, TrackOutcome
from vision.tray.calibration import Calibration, StoredCalibration
from vision.tray.region import TrayRegion

SHEET_WIDTH, SHEET_COLUMNS, SHEET_FRAMES = 400, 6, 24
FOULS = (TrackOutcome.PLACED, TrackOutcome.TURNED)

Events = Sequence[tuple[float, TrayEvent]]
"""The events of the pipeline, each with the time of its frame."""


def reports_of(events: Events) -> list[Report]:
    """The reports that follow from the tracks of every settled tray.

    A throw with a leaning or unsure die is no throw yet: the table asks, and waits until the die lies flat.
    """
    reports, waiting = [], set[int]()
    for at_s, event in events:
        if isinstance(event, Settled):
            dice = event.tracks.dice
            fallen = {t.id for t in dice if t.outcome is TrackOutcome.TIPPED and t.id in waiting}
            thrown = [t for t in dice if t.outcome is TrackOutcome.THROWN or (fallen and t.id in waiting)]
            unread = [t for t in thrown if t.seen.cocked or not t.seen.sure or t.seen.stacked]
            waiting = {t.id for t in thrown} if unread else set()
            asked = [t for t in dice if t.outcome is TrackOutcome.UNCLEAR] + unread
            fouls = [t for t in dice if t.outcome in FOULS]
            if thrown or fouls or asked:
                reports.append(Report(at_s, _faces([] if unread else thrown), _faces(fouls), _faces(asked)))
    return reports


def _faces(tracks: Sequence[Track]) -> Faces:
    return tuple(sorted(t.seen.face for t in tracks))


def pipeline_events(pipeline: Pipeline, frames: Iterable[Frame]) -> Events:
    """Every event of the pipeline, with the time of its frame."""
    return [(frame.at_s, event) for frame in frames for event in pipeline.process(frame)]


def run(
    reader: DiceReader, seed: int, kind: str | None = None, drawn: bool | None = None, small: bool = False
) -> tuple[Result, Events]:
    """One scenario through a new pipeline."""
    stage, truth = make_scenario(seed, kind, drawn, small)
    events = pipeline_events(
        Pipeline(reader, calibration=Calibration(StoredCalibration(region_of(truth)))), stage.frames()
    )
    return score_reports(truth, reports_of(events)), events


def region_of(truth: Truth) -> TrayRegion | None:
    """The calibrated region of the tray; None without calibration."""
    if truth.tray is None or not truth.calibrated:
        return None
    (w, h), (x0, y0, x1, y1) = truth.size_wh, truth.tray
    return TrayRegion(((x0 / w, y0 / h), (x1 / w, y0 / h), (x1 / w, y1 / h), (x0 / w, y1 / h)))


# --- to look at ---------------------------------------------------------------------------------------------


def sheet(frames: Sequence[Frame]) -> Picture:
    """A contact sheet of SHEET_FRAMES frames, evenly spaced over the scenario, each with its time."""
    w = SHEET_WIDTH
    tiles = []
    for i in np.linspace(0, len(frames) - 1, SHEET_FRAMES).astype(int):
        picture = frames[i].picture
        tile = cv2.resize(
            picture, (w, round(w * picture.shape[0] / picture.shape[1])), interpolation=cv2.INTER_AREA
        )
        cv2.putText(
            tile, f"{frames[i].at_s:.2f}", (4, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 255), 1, cv2.LINE_AA
        )
        tiles.append(tile)
    rows = [np.hstack(tiles[i : i + SHEET_COLUMNS]) for i in range(0, SHEET_FRAMES, SHEET_COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def write_scenario(stage: Stage, path: Path) -> None:
    """Writes the scenario as an MP4."""
    write_video(path, (frame.picture for frame in stage.frames()), stage.fps, "mp4v")


def event_line(at_s: float, event: TrayEvent) -> str:
    """An event as a line of an event log."""
    line: dict[str, Any] = {"t": round(at_s, 3), "event": type(event).__name__}
    if isinstance(event, Settled):
        line["faces"] = list(event.reading.faces)
        line["unsure"] = sum(not d.sure for d in event.reading.dice)
        line["cocked"] = sum(d.cocked for d in event.reading.dice)
        line["tracks"] = [
            {
                "id": t.id, "face": t.seen.face, "outcome": t.outcome.value,
                "was": t.was and t.was.face, "lifted": t.lifted,
                "at": [round(v) for v in t.seen.centre_xy],
            }
            for t in event.tracks.dice
        ]  # fmt: skip
        line["gone"] = [{"id": g.id, "face": g.was.face, "how": g.reason.value} for g in event.tracks.lost]
        line["outside"] = len(event.tracks.outside)
        line["camera_moved"] = event.tracks.camera_moved
    elif hasattr(event, "trouble"):
        line["trouble"] = event.trouble.value
    elif hasattr(event, "error"):
        line["error"] = repr(event.error)
    return json.dumps(line)


def log_lines(result: Result, events: Events) -> Iterator[str]:
    """The ground truth, the faults and every event, in order of time."""
    truth = result.truth
    head = {
        "name": truth.name,
        "fps": truth.fps,
        "size": truth.size_wh,
        "side": round(truth.side_px),
        "dice": truth.dice_from,
    }
    yield json.dumps(head)
    lines = [(t, json.dumps({"t": t, "ACT": act})) for t, act in truth.acts]
    lines += [
        (d.rest_s, json.dumps({"t": round(d.rest_s, 2), "TRUE": d.kind, "faces": d.faces}))
        for d in truth.events
    ]
    lines += [
        (t, json.dumps({"t": round(t, 2), "FAULT": verdict, "why": why})) for t, verdict, why in result.faults
    ]
    lines += [(t, event_line(t, event)) for t, event in events]
    yield from (line for _, line in sorted(lines, key=lambda pair: pair[0]))


def table(results: Sequence[Result]) -> str:
    """The number of scenarios by kind and verdict."""
    by_kind: dict[str, Counter[Verdict]] = defaultdict(Counter)
    for result in results:
        by_kind[result.truth.kind][result.verdict] += 1
        by_kind["ALL"][result.verdict] += 1
    seen = [v for v in Verdict if by_kind["ALL"][v]]
    lines = [f"{'kind':18}" + "".join(f"{v.value[:16]:>18}" for v in seen)]
    for kind in [*sorted(k for k in by_kind if k != "ALL"), "ALL"]:
        lines.append(f"{kind:18}" + "".join(f"{by_kind[kind][v] or '.':>18}" for v in seen))
    return "\n".join(lines)


def summary_line(result: Result) -> str:
    truth = result.truth
    what = (
        f"{truth.fps:g}/s {truth.size_wh[0]}x{truth.size_wh[1]} die {truth.side_px:.0f} px {truth.dice_from}"
    )
    faults = "; ".join(f"{t:.1f} {verdict}: {why}" for t, verdict, why in result.faults)
    return f"{truth.name:24} {result.verdict:16} {what}" + (f" | {faults}" if faults else "")
