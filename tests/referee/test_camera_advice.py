"""The messages for a camera that does not see the tray."""

from __future__ import annotations

from table.common.tray import BLIND
from table.referee.camera_advice import CAMERA_ADVICE


def test_every_blind_state_has_one_sentence_that_names_the_fault_and_what_to_do() -> None:
    assert set(CAMERA_ADVICE) == BLIND
    for state, text in CAMERA_ADVICE.items():
        assert [bool(part) for part in text.split(": ")] == [True, True], state
        assert text.find(".") == len(text) - 1, state
        assert len(text) <= 90, f"{state}: at most two lines in the side column"
