"""Looks at the tray run the nets: screens share them, and nobody gets them at will."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from table.page.looks import BURST, Looks, TooManyLooks
from tests.page.conftest import Guest, SitDown


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_some_looks_follow_at_once_and_then_two_a_second() -> None:
    clock = Clock()
    looks = Looks(clock)
    for _ in range(BURST):
        looks.take()
    with pytest.raises(TooManyLooks, match="Try again in a second"):
        looks.take()
    clock.now_s += 1.0
    looks.take()
    looks.take()
    with pytest.raises(TooManyLooks):
        looks.take()


def test_a_long_rest_earns_no_more_than_the_usual_looks() -> None:
    clock = Clock()
    looks = Looks(clock)
    clock.now_s += 1000.0
    for _ in range(BURST):
        looks.take()
    with pytest.raises(TooManyLooks):
        looks.take()


def test_one_file_is_made_at_a_time_and_who_waits_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, begun, end = Looks(), Event(), Event()

    def make() -> str:
        begun.set()
        end.wait(10)
        return "whole"

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(looks.made, make)
        assert begun.wait(10)
        second = pool.submit(looks.made, lambda: "next")
        assert not second.done()
        monkeypatch.setattr("table.page.looks.MAX_WAIT_S", 0.05)
        with pytest.raises(TooManyLooks, match="is making another file"):
            looks.made(lambda: "refused")
        end.set()
        assert (first.result(10), second.result(10)) == ("whole", "next")


def test_a_file_that_cannot_be_made_holds_up_no_other() -> None:
    looks = Looks()
    with pytest.raises(ZeroDivisionError):
        looks.made(lambda: 1 // 0)
    assert looks.made(lambda: "next") == "next"


def test_screens_share_a_look_until_the_tray_looks_different() -> None:
    looks, seen = Looks(Clock()), list[str]()

    def look(what: str) -> str:
        seen.append(what)
        return what

    assert [looks.shared("dice", 1, lambda: look("first")) for _ in range(50)] == ["first"] * 50
    assert looks.shared("dice", 2, lambda: look("second")) == "second"
    looks.forget()
    assert looks.shared("dice", 2, lambda: look("third")) == "third"
    assert seen == ["first", "second", "third"]


@pytest.mark.parametrize("path", ["/api/colours?lying=1", "/api/sticks?lying=1", "/api/place?find=1"])
def test_asking_again_and_again_does_not_look_again(sit_down: SitDown, path: str) -> None:
    guest = sit_down()
    guest.http.application.extensions["looks"] = Looks(Clock())
    guest.table.throws(1, 4)
    for _ in range(3 * BURST):
        assert guest.http.get(path).status_code == 200
    assert looks_left(guest) == BURST - 1


@pytest.mark.parametrize(
    ("method", "what", "body"),
    [
        ("POST", "read_again", {}),
        ("POST", "colours", {"name": "navy"}),
        ("POST", "sticks", {"face": "dog"}),
        ("DELETE", "place", None),
    ],
)
def test_what_makes_the_table_look_is_limited(sit_down: SitDown, method: str, what: str, body: Any) -> None:
    guest = sit_down()
    guest.http.application.extensions["looks"] = Looks(Clock())
    guest.table.colours.lays("blue", "#203054")
    answers = [guest.http.open(f"/api/{what}", method=method, json=body) for _ in range(3 * BURST)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(answers) - len(refused) == BURST
    assert all("snapshot" in answer.get_json() for answer in refused)


def looks_left(guest: Guest) -> int:
    """The number of looks that the table still grants at once."""
    looks: Looks = guest.http.application.extensions["looks"]
    for left in range(BURST + 1):
        try:
            looks.take()
        except TooManyLooks:
            return left
    return BURST + 1
