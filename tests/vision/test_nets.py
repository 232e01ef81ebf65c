"""The telemetry of onnxruntime is off: reading dice sends and stores no report."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
READ = """
import numpy as np
from vision.reading.reader import Reader
print(len(Reader().read(np.full((200, 300, 3), 90, np.uint8)).dice))
"""
NETS = {"vision/reading/nets.py", "models/training/export.py"}
"""Files that may import onnxruntime. The first turns the telemetry off, the second is imported after it."""


def test_reading_writes_nothing_into_the_home_folder(tmp_path: Path) -> None:
    """onnxruntime stores reports in the user's cache before it sends them."""
    opt_outs = {"CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "XDG_CACHE_HOME"}
    env = {k: v for k, v in os.environ.items() if k not in opt_outs and not k.startswith("GITHUB_")}
    done = subprocess.run(
        [sys.executable, "-c", READ],
        cwd=ROOT,
        env=env | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("0\n", "")
    assert not list(tmp_path.rglob("*")), "nothing is written at home"


def test_no_other_module_imports_onnxruntime() -> None:
    sources = [
        p
        for folder in ("table", "vision", "models", "firmware", "tests")
        for p in (ROOT / folder).rglob("*.py")
    ]
    lines = ((p, line.split()[:2]) for p in sources for line in p.read_text(encoding="utf-8").splitlines())
    importing_files = {
        p.relative_to(ROOT).as_posix()
        for p, words in lines
        if words and words[0] in ("import", "from") and "onnxruntime" in words[-1]
    }
    assert importing_files <= NETS
    assert "vision/reading/nets.py" in importing_files
