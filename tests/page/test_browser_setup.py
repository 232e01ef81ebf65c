"""The set-up on the page: its steps, the health screen, meters, lights, and the QR code for phones."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Literal

import cv2
import numpy as np
import pytest

from table.common.tray import TrayState
from tests.page.browsing import FITS, KIOSK, PHONE, SCREENS, TELEVISION, TIMEOUT_MS, OpenScreen, Screen
from tests.page.conftest import ServeTable
from tests.page.serving import Served
from tests.page.test_browser_fits import WRONG
from vision.health.image_quality import ImageQuality
from vision.simulation import random_tray

pytestmark = pytest.mark.browser

STEPS = ("health", "camera", "place", "colours", "sticks", "lights", "phones")
SEEN = {
    "health": "#findings li",
    "camera": ".meter",
    "place": ".handle",
    "colours": "#learn",
    "sticks": "#learn",
    "lights": "#light-0",
    "phones": ".qr",
}
"""What each step shows when it is ready."""

GOOD = ImageQuality((800, 600), 30.0, 90.0, 0.0, 0.0, 2.0, 0.3, 0.0)

MAY_NOT_SCROLL = """[...document.querySelectorAll('main, .side, .findings')]
    .filter(e => e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY !== 'visible')
    .map(e => e.className)"""
"""Script: the parts that hide something of a step."""


def open_set_up(screen: Screen, step: str = "health") -> Screen:
    screen.taps("#set-up")
    screen.taps(f"#step-{step}")
    screen.sees(SEEN[step])
    return screen


def at_work(serve: ServeTable, *match: str) -> Served:
    """A table with lights, a learned colour, and dice in good light."""
    server = serve(*match)
    server.table.shows = random_tray(np.random.default_rng(1), 5, size_wh=(800, 600))[0]
    server.table.pins.connects(8)
    server.table.colours.lays("blue", "#203054", 3)
    server.table.colours.learn("navy", "blue")
    return server


# -- the steps -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("size", [*SCREENS.values(), TELEVISION], ids=[*SCREENS, "television"])
def test_every_step_fits_every_screen(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int], scheme: Literal["dark", "light"]
) -> None:
    looking = screen(at_work(serve), size)
    looking.page.emulate_media(color_scheme=scheme)
    open_set_up(looking)
    wrong: dict[str, Any] = {}
    for step in STEPS:
        looking.taps(f"#step-{step}")
        looking.sees(SEEN[step])
        looking.sees("#step-camera .sign")
        found = [looking.evaluates(WRONG), looking.evaluates(MAY_NOT_SCROLL), looking.evaluates(FITS)]
        if found != [[], [], [True, True]]:
            wrong[step] = found
    assert wrong == {}


CUT_MESSAGE = "(e => e && e.scrollHeight > e.clientHeight + 1)(document.querySelector('.side > .message'))"
"""Script: whether a part of the message is not to be seen."""


@pytest.mark.parametrize("size", [PHONE, (390, 664)], ids=["phone", "short phone"])
def test_the_buttons_that_go_on_stand_on_the_lower_edge_of_a_phone(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    """In each step, also beside the warning that a game is on, of which all is read."""
    phone = screen(at_work(serve, "pig", "Ann:green", "Ben:red"), size)
    phone.taps("#more")
    open_set_up(phone)
    for step in STEPS:
        phone.taps(f"#step-{step}")
        phone.sees(SEEN[step])
        tools = phone.box(".tools")
        assert size[1] - 16 <= tools["y"] + tools["height"] <= size[1], step
        assert not phone.evaluates(CUT_MESSAGE)


def test_the_steps_lead_from_one_to_the_next_and_back_home(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = open_set_up(screen(at_work(serve)))
    for step in STEPS[1:]:
        kiosk.taps("#next-step")
        kiosk.sees(f"#step-{step}[aria-current=step]")
        kiosk.sees(SEEN[step])
    kiosk.sees_no("#next-step")
    kiosk.taps("#step-camera")
    kiosk.sees(".meter")
    kiosk.taps("#camera-done")
    kiosk.sees("#new-game")


def test_what_has_no_answer_yet_is_skipped(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = open_set_up(screen(at_work(serve)), "place")
    kiosk.sees("#next-step.skip", "Skip this, next: Dice")
    kiosk.taps("#save-place")
    kiosk.sees("#next-step.next", "Next: Dice")
    kiosk.sees("#step-place .sign.good")


def test_done_leads_back_to_where_the_set_up_was_opened(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(at_work(serve, "pig", "Ann", "Ben"))
    kiosk.taps("#tab-new")
    kiosk.taps("#dice-colours")
    kiosk.taps("#next-step")
    kiosk.taps("#sticks-done")
    kiosk.sees("main.new form")
    kiosk.taps("#tab-play")
    kiosk.taps("#set-up")
    kiosk.taps("#health-done")
    kiosk.sees(".scores")


# -- undoing -------------------------------------------------------------------------------------------------


def test_a_saved_place_is_undone(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    kiosk = open_set_up(screen(server), "place")
    kiosk.sees("#undo-step:disabled")
    kiosk.taps("#save-place")
    kiosk.taps("#undo-step:enabled")
    kiosk.sees("#place-message", "Undone.")
    kiosk.sees("#undo-step:disabled")
    assert not server.table.calibration.is_set


def test_a_forgotten_colour_comes_back(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    kiosk = open_set_up(screen(server), "colours")
    kiosk.taps("[data-colour=navy] button")
    kiosk.taps("[data-colour=navy] button")
    kiosk.sees_no("[data-colour=navy]")
    kiosk.taps("#undo-step")
    kiosk.sees("[data-colour=navy]")
    assert [c["name"] for c in server.table.colours.taught] == ["navy"]


def test_a_learned_side_is_undone(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    server.table.sticks.learn("dog")
    kiosk = open_set_up(screen(server), "sticks")
    kiosk.sees("[data-side=dog]", "✓")
    kiosk.taps("#undo-step")
    kiosk.sees("#undo-step:disabled")
    assert server.table.sticks.samples == {}


# -- health --------------------------------------------------------------------------------------------------


def test_what_is_wrong_comes_first_and_leads_to_its_step(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    server.table.monitor.quality_is = replace(GOOD, sharpness=0.1, banding=0.2)
    kiosk = open_set_up(screen(server))
    kiosk.sees("#summary", "2 things are wrong.")
    first = kiosk.page.locator("#findings li").first
    assert first.get_attribute("data-finding") == "focus"
    assert "wipe the lens" in first.inner_text()
    kiosk.sees("#step-camera .sign.bad")
    kiosk.taps("#fix-focus")
    kiosk.sees("[data-meter=focus]")


def test_a_table_without_a_camera_says_what_is_wrong(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    server.table.blind = True
    server.table.moves(TrayState.NO_CAMERA, "There is no camera: plug it in, or check its cable.")
    kiosk = screen(server)
    kiosk.taps("#see-health")
    kiosk.sees("#summary", "One thing is wrong.")
    kiosk.sees("[data-finding=camera][data-ok=bad]", "plug it in")
    kiosk.taps("#fix-camera")
    kiosk.sees("#camera-says", "plug it in")
    kiosk.sees_no(".meter")
    for step, then in (("colours", "sticks"), ("sticks", "lights")):
        kiosk.taps(f"#step-{step}")
        kiosk.sees("main [role=status]", "plug it in")
        kiosk.sees(f"#{step}-done")
        kiosk.taps("#next-step")
        kiosk.sees(f"#step-{then}[aria-current]")


# -- the camera ----------------------------------------------------------------------------------------------


def test_the_meters_follow_the_camera(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    server.table.monitor.quality_is = replace(GOOD, sharpness=0.12)
    kiosk = open_set_up(screen(server), "camera")
    kiosk.sees("[data-meter=focus][data-ok=bad]", "The picture is blurred")
    blurred = kiosk.box("[data-meter=focus] .full")["width"]
    server.table.monitor.quality_is = GOOD
    kiosk.sees("[data-meter=focus][data-ok=good]", "The picture is sharp.")
    kiosk.page.wait_for_function(
        "than => document.querySelector('[data-meter=focus] .full').getBoundingClientRect().width > than",
        arg=2 * blurred,
        timeout=TIMEOUT_MS,
    )


def test_the_sharpest_so_far_stays_marked(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    server.table.monitor.quality_is = GOOD
    kiosk = open_set_up(screen(server), "camera")
    server.table.monitor.quality_is = replace(GOOD, sharpness=0.12)
    kiosk.sees("[data-meter=focus][data-ok=bad]")
    best = kiosk.box("[data-meter=focus] .best")["x"]
    kiosk.page.wait_for_timeout(400)  # the bar shrinks
    full = kiosk.box("[data-meter=focus] .full")
    assert best > full["x"] + 1.5 * full["width"]
    kiosk.taps("#forget-best")
    kiosk.page.wait_for_function(
        "than => document.querySelector('[data-meter=focus] .best').getBoundingClientRect().x < than",
        arg=best - 20,
        timeout=TIMEOUT_MS,
    )


def test_glare_is_ringed_where_it_is(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    cv2.circle(server.table.shows, (600, 150), 90, (255, 255, 255), -1)
    kiosk = open_set_up(screen(server), "camera")
    kiosk.sees("[data-meter=glare]", "glare at the upper right")
    ring, tray = kiosk.box(".glare-at"), kiosk.box(".camera .tray")
    x = (ring["x"] + ring["width"] / 2 - tray["x"]) / tray["width"]
    y = (ring["y"] + ring["height"] / 2 - tray["y"]) / tray["height"]
    assert (x, y) == (pytest.approx(0.75, abs=0.03), pytest.approx(0.25, abs=0.03))


# -- lights and buttons --------------------------------------------------------------------------------------


def test_a_tap_lights_a_light(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    kiosk = open_set_up(screen(server), "lights")
    kiosk.taps("#light-2")
    kiosk.sees("#light-2[data-lit]")
    kiosk.taps("#light-status")
    kiosk.sees("#light-status[data-lit]")
    assert server.table.pins.lit == [2, None]


def test_a_press_at_the_table_shows(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    kiosk = open_set_up(screen(server), "lights")
    kiosk.sees("[data-button=confirm]", "not pressed yet")
    server.table.pins.presses("confirm")
    kiosk.sees("[data-button=confirm]", "pressed once")
    kiosk.sees("[data-button=read_again]", "not pressed yet")


def test_a_phone_is_told_to_press_a_button_first(serve: ServeTable, screen: OpenScreen) -> None:
    server = at_work(serve)
    phone = screen(server, SCREENS["phone"], fresh=True)
    told = json.dumps(server.table.lights.to_json(own=False))
    phone.page.route("**/api/lights", lambda route: route.fulfill(body=told, content_type="application/json"))
    open_set_up(phone, "lights")
    phone.sees("#try-lights", "Press a button at the table.")
    phone.sees("#light-0:disabled")


def test_a_table_without_lights_says_that_it_needs_none(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve(), KIOSK)
    kiosk.taps("#set-up")
    kiosk.taps("#step-lights")
    kiosk.sees("main", "It works without them.")
    kiosk.sees("#no-lights", "a test table")


# -- phones --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_phone_can_scan_the_address_from_the_screen(
    serve: ServeTable, screen: OpenScreen, scheme: Literal["dark", "light"]
) -> None:
    kiosk = screen(at_work(serve))
    kiosk.page.emulate_media(color_scheme=scheme)
    open_set_up(kiosk, "phones")
    picture = cv2.imdecode(np.frombuffer(kiosk.page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == kiosk.reads("#address")


def test_a_table_that_phones_cannot_reach_says_so(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve(), KIOSK, fresh=True)
    kiosk.page.route(
        "**/api/address",
        lambda route: route.fulfill(body='{"addresses": []}', content_type="application/json"),
    )
    kiosk.taps("#set-up")
    kiosk.taps("#step-phones")
    kiosk.sees("#no-address", "Phones cannot reach this table")
