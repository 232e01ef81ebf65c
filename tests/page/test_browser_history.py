"""The browser's Back, a reload and a shared address: the views are in the history."""

from __future__ import annotations

from typing import Any

import pytest

from table.referee import actions
from tests.page.browsing import PHONE, OpenScreen, Screen, module
from tests.page.conftest import ServeTable
from tests.page.serving import Served

pytestmark = pytest.mark.browser

ENTRIES = "history.length"

DRAWN = "new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))"
"""Script: waits until the page has drawn what it knows."""


def sees_view(screen: Screen, view: str) -> None:
    screen.sees(f".app[data-view={view}]")


def test_back_returns_to_the_view_before(pig_table: Served, screen: OpenScreen) -> None:
    phone = screen(pig_table, PHONE)
    phone.taps("#tab-sheet")
    phone.taps("#tab-rules")
    phone.sees("#shared")
    phone.page.go_back()
    sees_view(phone, "sheet")
    phone.page.go_back()
    sees_view(phone, "play")
    phone.page.go_forward()
    sees_view(phone, "sheet")


def test_back_goes_through_the_steps_of_the_set_up(serve: ServeTable, screen: OpenScreen) -> None:
    phone = screen(serve(), PHONE)
    phone.taps("#set-up")
    phone.taps("#health-done >> xpath=../button[last()]")
    sees_view(phone, "camera")
    phone.page.go_back()
    sees_view(phone, "health")
    phone.page.go_back()
    sees_view(phone, "play")


def test_the_address_names_the_view(pig_table: Served, screen: OpenScreen) -> None:
    phone = screen(pig_table, PHONE)
    phone.taps("#tab-sheet")
    phone.sees("#sheet")
    assert phone.page.url == f"{pig_table.url}#/sheet"
    phone.page.reload()
    phone.sees("#sheet")
    phone.taps("#tab-play")
    sees_view(phone, "play")
    assert phone.page.url == pig_table.url
    phone.page.goto(f"{pig_table.url}#/rules")
    phone.sees("#shared")
    phone.page.goto(f"{pig_table.url}#/nowhere")
    sees_view(phone, "play")


def test_back_closes_a_dialog_first(pig_table: Served, screen: OpenScreen) -> None:
    pig_table.table.throws(4)
    phone = screen(pig_table, PHONE)
    phone.taps("#tab-sheet")
    phone.taps("[data-correct]")
    phone.sees("#face-dialog")
    phone.page.go_back()
    phone.sees_no("#face-dialog")
    sees_view(phone, "sheet")
    phone.page.go_back()
    sees_view(phone, "play")


def test_a_dialog_that_is_still_loading_does_not_open_over_the_view_before(
    pig_table: Served, screen: OpenScreen
) -> None:
    pig_table.table.throws(4)
    phone, held = screen(pig_table, PHONE), list[Any]()
    phone.page.route("**/dialog.js", lambda route: held.append(route))
    phone.taps("#tab-sheet")
    with phone.page.expect_request("**/dialog.js"):
        phone.taps("[data-correct]")
    phone.page.go_back()
    sees_view(phone, "play")
    with phone.page.expect_response("**/dialog.js"):
        held[0].continue_()
    phone.evaluates(module("dialog.js"))
    phone.evaluates(DRAWN)
    assert not phone.counts("#face-dialog")
    phone.taps("#tab-sheet")
    phone.taps("[data-correct]")
    phone.sees("#face-dialog")


def test_a_closed_dialog_costs_no_back(pig_table: Served, screen: OpenScreen) -> None:
    pig_table.table.throws(4)
    phone = screen(pig_table, PHONE)
    phone.taps("#tab-sheet")
    for _ in range(2):  # the second one takes the first one's entry
        phone.taps("[data-correct]")
        phone.page.get_by_text("Cancel").click()
        phone.sees_no("#face-dialog")
    phone.page.go_back()
    sees_view(phone, "play")
    phone.page.go_forward()
    sees_view(phone, "sheet")


def test_a_view_opened_after_a_dialog_takes_its_entry(pig_table: Served, screen: OpenScreen) -> None:
    pig_table.table.throws(4)
    phone = screen(pig_table, PHONE)
    phone.taps("#tab-sheet")
    phone.taps("[data-correct]")
    phone.page.get_by_text("Cancel").click()
    entries = phone.evaluates(ENTRIES)
    phone.taps("#tab-rules")
    sees_view(phone, "rules")
    assert phone.evaluates(ENTRIES) == entries
    phone.page.go_back()
    sees_view(phone, "sheet")


def test_what_happens_at_the_table_adds_nothing_to_the_history(pig_table: Served, screen: OpenScreen) -> None:
    phone = screen(pig_table, PHONE)
    phone.taps("#tab-sheet")
    entries = phone.evaluates(ENTRIES)
    pig_table.table.throws(4)
    phone.sees("[data-correct]")
    pig_table.table.do(actions.End(pig_table.table.snapshot.number))
    phone.sees("#tab-play", "Home")
    sees_view(phone, "sheet")
    assert phone.evaluates(ENTRIES) == entries
