"""Where things are by default: the log and its folder, and the port of the page."""

from __future__ import annotations

import os
from pathlib import Path

DEFAULT_PORT = 8000

LOG_NAME = "brehon.sqlite3"
"""Of the log in its folder."""

WEIGHTS_NAME = "weights"
"""Of the folder, beside the log, of weights that this table learnt from its own corrections."""


CALIBRATION_NAME = "calibration.json"
"""Of the file, beside the log, that says where the tray lies in the picture."""

CLIPS_NAME = "clips"
"""Of the folder, beside the log, of instant replays."""


def data_folder(given: Path | None) -> Path:
    """The folder given, else systemd's STATE_DIRECTORY, else the user's own data folder."""
    if given is not None:
        return given
    state = os.environ.get("STATE_DIRECTORY")
    if state:
        return Path(state.split(":")[0])
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "brehon"
