"""Settings of all tests: Hypothesis tries the same examples in every run, without a deadline, and OpenCV uses
one thread, because the tests run in several processes."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("table", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("table")

os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")  # for the programs that tests start as well
