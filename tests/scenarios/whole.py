"""Scenarios through the whole table: writes a video, runs `brehon watch` on it, and scores its lines."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.scenarios.making import make_scenario
from tests.scenarios.running import region_of, write_scenario
from tests.scenarios.truth import ANY_FACES, EventKind, Report, Result, Truth, score_reports

PATIENCE_S = 600.0
"""Longest run of `brehon watch` on one scenario."""


def run_whole(
    seed: int, kind: str | None = None, drawn: bool | None = None, small: bool = False
) -> tuple[Result, list[str]]:
    """The verdict on one scenario through `brehon watch`, and the lines it printed."""
    stage, truth = make_scenario(seed, kind, drawn, small)
    with tempfile.TemporaryDirectory(prefix="scenario-") as folder:
        video = Path(folder) / "scenario.mp4"
        write_scenario(stage, video)
        lines = watch_lines(truth, video)
    return score_reports(reportable(truth), reports_in(json.loads(line) for line in lines)), lines


def reportable(truth: Truth) -> Truth:
    """The truth that a table can report: without a game only throws matter, and turning a die is no foul."""
    if truth.game:
        return truth
    return replace(
        truth,
        events=tuple(d if d.kind is EventKind.THROWN else replace(d, optional=True) for d in truth.events),
    )


def watch_lines(truth: Truth, video: Path) -> list[str]:
    """The lines that `brehon watch` prints for the video."""
    command = [sys.executable, "-m", "table", "watch", str(video), "--json"]
    if truth.game:
        command += ["--game", truth.game.name, "--players", ",".join(truth.game.players)]
        command += [word for name, value in truth.game.settings for word in ("--set", f"{name}={value}")]
    place = region_of(truth)
    if place:
        calibration = video.with_suffix(".json")
        calibration.write_text(json.dumps(place.to_json()))
        command += ["--calibration", str(calibration)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if done.returncode:
        raise RuntimeError(
            f"brehon watch ended with {done.returncode} on {truth.name}: {done.stderr.strip()}"
        )
    return done.stdout.splitlines()


def reports_in(lines: Iterable[dict[str, Any]]) -> list[Report]:
    """Accepted throws, named fouls (their faces are not reported), and questions."""
    reports = []
    for line in lines:
        at_s = line["t"]
        if "accepted" in line:
            reports.append(Report(at_s, thrown=tuple(sorted(line["accepted"]["faces"]))))
        elif line.get("ruling", {}).get("kind") in ("foul", "void"):
            reports.append(Report(at_s, fouls=ANY_FACES))
        elif "asked" in line:
            reports.append(Report(at_s, asked=ANY_FACES))
    return reports
