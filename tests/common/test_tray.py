"""What each state of the tray means for the referee, the page and the lights."""

from __future__ import annotations

from table.common.tray import TrayState


def those(meaning: str) -> set[str]:
    """The names of the states with this property."""
    return {state.value for state in TrayState if getattr(state, meaning)}


def test_a_throw_is_under_way_while_something_moves_or_is_read() -> None:
    assert those("moving") == {"HAND", "ROLLING"}
    assert those("coming_to_rest") == {"SETTLING", "READING"}
    assert those("busy") == {"HAND", "ROLLING", "SETTLING", "READING"}


def test_a_tray_is_blind_while_the_camera_does_not_see_it() -> None:
    assert those("blind") == {"NO CAMERA", "DARK", "COVERED", "FROZEN", "OUT OF FOCUS", "MOVED"}


def test_a_person_has_to_act_in_every_wrong_state() -> None:
    assert those("wrong") - those("blind") == {
        "WRONG DICE",
        "OUT OF TURN",
        "COCKED",
        "STACKED",
        "OFF THE TRAY",
        "UNSURE",
    }
    assert not those("wrong") & those("busy")


def test_a_waiting_or_accepted_tray_needs_no_action() -> None:
    assert {state.value for state in TrayState} - those("wrong") - those("busy") == {
        "EMPTY",
        "WAITING",
        "ACCEPTED",
    }
