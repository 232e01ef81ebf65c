"""JSON lines on standard output, whatever letters it can write."""

from __future__ import annotations

import json
import sys
from typing import Any


def print_json(data: Any) -> None:
    """Prints one object on one line: as it is where the output can write it, else in JSON's own escapes."""
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data)
    print(text, flush=True)
