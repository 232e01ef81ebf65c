"""What each state of the tray means to those who wait for it: referee, page and lights."""

from __future__ import annotations

from table.common.tray import TrayState


def those(meaning: str) -> set[str]:
    """The words of the states that have this meaning."""
    return {state.value for state in TrayState if getattr(state, meaning)}


def test_a_throw_is_under_way_while_something_moves_or_is_read() -> None:
    assert those("moving") == {"HAND", "ROLLING"}
    assert those("coming_to_rest") == {"SETTLING", "READING"}
    assert those("busy") == {"HAND", "ROLLING", "SETTLING", "READING"}


def test_a_tray_that_nobody_watches_is_blind() -> None:
    assert those("blind") == {"NO CAMERA", "DARK", "COVERED", "FROZEN", "OUT OF FOCUS", "MOVED"}


def test_somebody_has_to_put_right_what_is_wrong_with_the_camera_or_the_dice() -> None:
    assert those("wrong") - those("blind") == {"WRONG DICE", "OUT OF TURN", "COCKED", "STACKED", "OFF THE TRAY", "UNSURE"}
    assert not those("wrong") & those("busy")


def test_an_accepted_or_waiting_tray_asks_for_nothing() -> None:
    assert {state.value for state in TrayState} - those("wrong") - those("busy") == {"EMPTY", "WAITING", "ACCEPTED"}
