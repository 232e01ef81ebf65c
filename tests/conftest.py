"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("table", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("table")
