"""Photographs, clips and more in ../shared, beside the checkout. Tests that need them skip without them."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"
PHOTOS = SHARED / "photos"
CLIPS = PHOTOS / "clips"

needs_photos = pytest.mark.skipif(not PHOTOS.exists(), reason=f"there are no photographs at {PHOTOS}")
"""Skips a test where the photographs are missing."""


def shared_file(path: str | Path) -> Path:
    """The file at this path from ../shared. Skips the test where it is missing."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"{found} is missing")
    return found
