"""What is said where the camera does not see the tray."""

from __future__ import annotations

from table.common.tray import BLIND
from table.referee.troubles import TROUBLES


def test_every_state_without_sight_says_in_one_sentence_what_is_wrong_and_what_to_do() -> None:
    assert set(TROUBLES) == BLIND
    for state, text in TROUBLES.items():
        assert [bool(part) for part in text.split(": ")] == [True, True], state
        assert text.find(".") == len(text) - 1, state
        assert len(text) <= 90, f"{state}: two lines of the side column at most"
