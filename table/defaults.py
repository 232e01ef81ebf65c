"""Default names and places: the log and its folder, the files beside the log, and the port of the page."""

from __future__ import annotations

import os
from pathlib import Path

DEFAULT_PORT = 8000

LOG_NAME = "brehon.sqlite3"
"""Name of the log in its folder."""

WEIGHTS_NAME = "weights"
"""Name of the folder, beside the log, with the weights that this table learned from its own corrections."""

CALIBRATION_NAME = "calibration.json"
"""Name of the file, beside the log, with the place of the tray in the picture."""

CLIPS_NAME = "clips"
"""Name of the folder, beside the log, with the instant replays."""


def data_folder(option: Path | None) -> Path:
    """The folder of the log: `option` if set, else systemd's STATE_DIRECTORY, else the user's data folder."""
    if option is not None:
        return option
    state = os.environ.get("STATE_DIRECTORY")
    if state:
        return Path(state.split(":")[0])
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "brehon"
