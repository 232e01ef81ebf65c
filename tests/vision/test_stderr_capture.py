"""Standard error is captured while a library writes to it."""

from __future__ import annotations

import os
import threading

import pytest

from vision.stderr_capture import captured_stderr


def test_standard_error_is_captured_and_not_shown(capfd: pytest.CaptureFixture[str]) -> None:
    with captured_stderr() as captured:
        os.write(2, b"one\ntwo\n")
    os.write(2, b"three\n")
    assert captured == ["one", "two"]
    assert capfd.readouterr().err == "three\n"


def test_two_threads_capture_standard_error_one_after_the_other(capfd: pytest.CaptureFixture[str]) -> None:
    within = threading.Event()

    def write() -> None:
        with captured_stderr():
            within.set()
            os.write(2, b"not to be seen")

    other = threading.Thread(target=write)
    with captured_stderr() as captured:
        other.start()
        assert not within.wait(0.1)
    other.join()
    os.write(2, b"still here")
    assert within.is_set()
    assert captured == []
    assert capfd.readouterr().err == "still here"
