"""Setting the tray on the page: what people see, drag and tap."""

from __future__ import annotations

import pytest

from tests.page.browsing import OVERFLOWS, SCREENS, OpenScreen, Screen, box_of
from tests.page.conftest import ServeTable
from tests.page.serving import Served
from tests.vision.mats import laid_mat
from vision.tray.mat import SHEETS

pytestmark = pytest.mark.browser

HANDLE_PX = 44
"""Smallest side of a handle for a finger."""


def open_setting(screen: Screen) -> Screen:
    screen.taps("#tab-new, #new-game")
    screen.taps("#set-tray")
    screen.sees("#save-place")
    screen.sees(".framed img")
    return screen


def corners(server: Served) -> list[list[float]]:
    place = server.table.calibration.region
    assert place is not None
    return [[round(x, 2), round(y, 2)] for x, y in place.corners]


def drag(screen: Screen, handle: str, to: tuple[float, float]) -> None:
    """Drags a corner to a place in the picture, in shares of its size. Grabs it off centre, like a finger."""
    box, frame = screen.box(handle), screen.box(".framed")
    mouse, (dx, dy) = screen.page.mouse, (9, -7)
    mouse.move(box["x"] + box["width"] / 2 + dx, box["y"] + box["height"] / 2 + dy)
    mouse.down()
    mouse.move(frame["x"] + to[0] * frame["width"] + dx, frame["y"] + to[1] * frame["height"] + dy, steps=4)
    mouse.up()


def test_corners_can_be_dragged_and_saved(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = open_setting(screen(server))
    for handle, to in (
        ("#tray-0", (0.2, 0.25)),
        ("#tray-1", (0.8, 0.2)),
        ("#tray-2", (0.85, 0.9)),
        ("#tray-3", (0.15, 0.8)),
    ):
        drag(kiosk, handle, to)
    kiosk.taps("#save-place")
    kiosk.sees("#place-message", "Saved.")
    assert corners(server) == [[pytest.approx(x, abs=0.011), pytest.approx(y, abs=0.011)] for x, y in
                               ([0.2, 0.25], [0.8, 0.2], [0.85, 0.9], [0.15, 0.8])]  # fmt: skip


def test_a_corner_stays_inside_the_picture(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    laptop = open_setting(screen(server, SCREENS["laptop"]))
    drag(laptop, "#tray-0", (-0.04, -0.03))
    laptop.taps("#save-place")
    laptop.sees("#place-message", "Saved.")
    assert corners(server)[0] == [0, 0]


def test_a_corner_can_be_dragged_with_a_finger(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    phone = open_setting(screen(server, SCREENS["phone"], fresh=True))
    phone.page.locator("#tray-2").scroll_into_view_if_needed()
    box = phone.box("#tray-2")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = phone.page.context.new_cdp_session(phone.page)
    for kind, dx in (("touchStart", 0), ("touchMove", -20), ("touchMove", -40), ("touchEnd", None)):
        points = [] if dx is None else [{"x": x + dx, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    phone.taps("#save-place")
    phone.sees("#place-message", "Saved.")
    frame = phone.box(".framed")
    assert corners(server)[2][0] == pytest.approx(0.88 - 40 / frame["width"], abs=0.02)


def test_corners_can_be_moved_with_the_keyboard(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    laptop = open_setting(screen(server, SCREENS["laptop"]))
    laptop.page.focus("#tray-0")
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown"):
        laptop.page.keyboard.press(key)
    assert "13 % across, 14 % down" in (laptop.page.get_attribute("#tray-0", "aria-label") or "")
    laptop.page.focus("#save-place")
    laptop.page.keyboard.press("Enter")
    laptop.sees("#place-message", "Saved.")
    assert corners(server)[0] == [0.13, 0.14]


def test_a_strip_can_be_added_moved_and_saved(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = open_setting(screen(server))
    kiosk.taps("#toggle-strip")
    kiosk.sees_count(".handle.strip", 4)
    kiosk.sees("#save-place:enabled")
    drag(kiosk, "#strip-0", (0.6, 0.12))
    kiosk.taps("#save-place")
    kiosk.sees("#place-message", "Saved.")
    place = server.table.calibration.region
    assert place is not None
    assert place.strip is not None
    assert place.strip[0] == (pytest.approx(0.6, abs=0.011), pytest.approx(0.12, abs=0.011))
    kiosk.taps("#toggle-strip")
    kiosk.taps("#save-place")
    kiosk.sees_count(".handle.strip", 0)
    kiosk.sees("#place-message", "Saved.")
    assert server.table.calibration.region is not None
    assert server.table.calibration.region.strip is None


def test_the_mat_is_found_shown_and_set(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    server.table.shows = laid_mat(SHEETS["a4"], (800, 600), 700)[0]
    kiosk = open_setting(screen(server))
    kiosk.taps("#find-place")
    kiosk.sees("#place-message", "Here is your mat.")
    kiosk.sees_count(".handle", 8)
    assert server.table.calibration.region is None
    kiosk.taps("#save-place")
    kiosk.sees("#place-message", "Saved.")
    assert server.table.calibration.by == "mat"
    assert server.table.calibration.region is not None
    assert len(server.table.calibration.region.markers) == 5


def test_a_failed_search_is_reported(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = open_setting(screen(serve()))
    kiosk.taps("#find-place")
    kiosk.sees("#place-message", "No tray is clearly visible")
    kiosk.taps("#use-mat")
    kiosk.sees("#notice", "No mat is to be seen.")
    kiosk.expected_error("422")


def test_whole_picture_clears_the_corners(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = open_setting(screen(server))
    kiosk.sees_no("#whole-picture")
    kiosk.taps("#save-place")
    kiosk.taps("#whole-picture")
    kiosk.sees("#place-message", "The whole picture is the tray.")
    assert (server.table.calibration.region, server.table.calibration.is_set) == (None, True)


def test_crossed_corners_are_refused(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = open_setting(screen(server))
    drag(kiosk, "#tray-0", (0.9, 0.9))
    kiosk.taps("#save-place")
    kiosk.sees("#notice", "crossed")
    assert server.table.calibration.region is None
    kiosk.expected_error("422")


def test_setting_the_tray_is_offered_until_it_is_set(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.taps("#set-tray")
    kiosk.taps("#save-place")
    kiosk.sees("#place-message", "Saved.")
    kiosk.taps("#place-done")
    kiosk.sees("#new-game")
    kiosk.sees_no("#set-tray")


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_setting_the_tray_fits_every_screen_and_finger(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = open_setting(screen(serve("pig", "Ann:green", "Ben:red", start="Ann"), size))
    looking.taps("#toggle-strip")
    looking.sees_count(".handle", 8)
    assert looking.evaluates(OVERFLOWS) == [False, False]
    for handle in looking.page.locator(".handle").all():
        box = box_of(handle)
        assert min(box["width"], box["height"]) >= HANDLE_PX
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
