"""A match with dice of one's own and no camera: what replaces the picture, and how often it is said."""

from __future__ import annotations

import pytest

from table.common.tray import TrayState
from tests.page.browsing import KIOSK, PHONE, OpenScreen
from tests.page.conftest import ServeTable
from tests.page.serving import Served

NO_CAMERA = "No camera was found: plug in a webcam."
ANN_AND_BEN = ("Ann:green", "Ben:red")


def cameraless(serve: ServeTable, game: str = "", *players: str, **settings: str) -> Served:
    """A served table that waits for its first camera."""
    server = serve(game, *players, **settings)
    server.table.blind = True
    server.table.moves(TrayState.NO_CAMERA, NO_CAMERA)
    return server


def gets_a_camera(server: Served) -> None:
    server.table.blind = False
    server.table.moves(TrayState.WAITING)


@pytest.mark.parametrize("size", [KIOSK, PHONE])
def test_the_board_stands_in_place_of_the_picture(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = cameraless(serve, "high_rollin", *ANN_AND_BEN)
    looking = screen(server, size)
    looking.sees("main[data-stage=board] .board")
    looking.sees("#type-throw")
    assert not looking.counts("#show-tray"), "there is nothing to see on the tray"
    gets_a_camera(server)
    looking.sees("main[data-stage=tray] .tray img")
    looking.sees("#show-board")


def test_without_a_board_the_typed_throw_is_drawn(serve: ServeTable, screen: OpenScreen) -> None:
    server = cameraless(serve, "cee_lo", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.sees("#without-picture", "throw your own dice and type what they show")
    before = kiosk.box("#type-throw")
    for tap in ("#type-throw", "[data-say='4']", "#confirm"):
        kiosk.taps(tap)
    kiosk.sees("#without-picture", "Ann threw 4")
    kiosk.sees_count("#without-picture .die", 1)
    assert kiosk.box("#type-throw") == before
    gets_a_camera(server)
    kiosk.sees(".tray img")
    kiosk.sees_no("#without-picture")


def test_home_promises_to_read_dice_only_while_it_sees_them(serve: ServeTable, screen: OpenScreen) -> None:
    server = cameraless(serve)
    kiosk = screen(server)
    kiosk.sees("#prompt", "Choose what to play.")
    gets_a_camera(server)
    kiosk.sees("#prompt", "Throw any dice, and they are read.")
    server.table.moves(TrayState.DARK, "It is too dark: switch on a light.")
    kiosk.sees("#prompt", "Choose what to play.")


def test_that_there_is_no_camera_is_said_at_home_and_until_the_first_answer(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = cameraless(serve)
    kiosk = screen(server)
    kiosk.sees("#message", NO_CAMERA)
    for tap in ("#new-game", "input[value=pig]", "#start"):
        kiosk.taps(tap)
    kiosk.sees("#message", NO_CAMERA)
    for tap in ("#type-throw", "[data-say='4']", "#confirm"):
        kiosk.taps(tap)
    kiosk.sees("#turn[data-player='Red']")
    kiosk.sees_no("#message")
    kiosk.sees("#tray-state", "No camera")
    kiosk.sees("#see-health")
    assert NO_CAMERA not in (kiosk.page.text_content("#heard") or "")


def test_a_camera_that_fails_in_mid_match_is_told_in_full(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    server.table.throws(4)
    kiosk = screen(server)
    server.table.moves(TrayState.NO_CAMERA, NO_CAMERA)
    kiosk.sees("#message", NO_CAMERA)
    kiosk.sees(".tray.blind img")
