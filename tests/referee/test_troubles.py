"""What is said where the camera does not see the tray."""

from __future__ import annotations

import re
from pathlib import Path

from table.common.tray import BLIND, TrayState
from table.referee.troubles import TROUBLES
from vision.events import Trouble

PAGE = Path(__file__).parents[2] / "table" / "page" / "static"


def test_every_state_without_sight_says_in_one_sentence_what_is_wrong_and_what_to_do() -> None:
    assert set(TROUBLES) == BLIND
    for state, text in TROUBLES.items():
        assert [bool(part) for part in text.split(": ")] == [True, True], state
        assert text.find(".") == len(text) - 1, state
        assert len(text) <= 90, f"{state}: two lines of the side column at most"


def test_what_the_eyes_call_trouble_people_are_told_by_the_same_word() -> None:
    assert {TrayState(trouble.value.upper()) for trouble in Trouble} == BLIND - {TrayState.NO_CAMERA}


def test_the_page_knows_the_same_states() -> None:
    named = re.findall(r'"([A-Z ]+)"', (PAGE / "blind.js").read_text("utf-8"))
    assert set(named) == set(BLIND)
