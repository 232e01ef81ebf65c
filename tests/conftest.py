"""Settings of all tests: Hypothesis tries the same examples in every run, without a deadline."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("table", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("table")
