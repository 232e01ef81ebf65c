"""Instant replay in a browser: playing, pausing, slow motion and single steps, by finger and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.page.browsing import KIOSK, LAPTOP, PHONE, TELEVISION, OpenScreen
from tests.page.conftest import ServeTable
from tests.page.serving import Served
from vision.motion_jpeg import encoded, stamped

if TYPE_CHECKING:
    from tests.page.browsing import Screen

pytestmark = pytest.mark.browser

PICTURES = 8


def clip(pictures: int = PICTURES, every_s: float = 0.1) -> bytes:
    """A clip of a white die that slides to the right over green felt, 40 px per picture."""
    made = []
    for n in range(pictures):
        picture = np.full((240, 320, 3), (60, 110, 60), np.uint8)
        cv2.rectangle(picture, (40 * n, 100), (40 * n + 30, 130), (255, 255, 255), -1)
        made.append(stamped(encoded(picture, 90), n * every_s))
    return b"".join(made)


@pytest.fixture
def pig(serve: ServeTable) -> Served:
    """A table where Ann threw a 4 and may roll or hold. The throw has a replay."""
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    server.table.replays.clips[0, False] = clip()
    server.table.throws(4)
    return server


WHITE_AT = """() => {
  const shown = document.querySelector("#replay canvas");
  const copy = document.createElement("canvas");
  Object.assign(copy, { width: shown.width, height: shown.height });
  const paper = copy.getContext("2d");
  paper.drawImage(shown, 0, 0);
  const row = paper.getImageData(0, 115, shown.width, 1).data;
  const white = [...Array(shown.width).keys()].filter((x) => row[4 * x] > 200 && row[4 * x + 2] > 200);
  return white.length ? white[Math.floor(white.length / 2)] : -1;
}"""
"""Horizontal centre of the drawn die, in px of the canvas. -1 if no die is drawn."""


def picture_number(screen: Screen) -> int:
    return int(screen.page.locator("#replay").get_attribute("data-place") or -1)


def pause_at(screen: Screen, n: int) -> None:
    """Pauses the replay and goes to picture n with the keyboard."""
    if screen.reads("#replay-play") == "Pause":
        screen.taps("#replay-play")
    screen.page.locator("#replay-at").focus()
    screen.page.keyboard.press("Home")
    for _ in range(n):
        screen.page.keyboard.press("ArrowRight")
    screen.sees(f"#replay[data-place='{n}']")


def test_the_last_throw_is_replayed_beside_its_picture(pig: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig)
    kiosk.taps("#replay-shown")
    kiosk.sees("#picture-dialog", "Ann threw 4.")
    kiosk.sees(f"#replay[data-of='{PICTURES}']")
    kiosk.sees(f"#replay[data-place='{PICTURES - 1}']")
    kiosk.page.wait_for_function(f"() => document.querySelector('#replay').dataset.place < {PICTURES - 1}")
    kiosk.sees("#picture-dialog img")
    kiosk.sees_count("#picture-dialog .boxed .box", 1)
    assert kiosk.page.locator("#picture-dialog .boxed .said").text_content() == "4"
    kiosk.taps("#close-picture")
    kiosk.sees_no("#picture-dialog")


@pytest.mark.parametrize("size", [KIOSK, LAPTOP, TELEVISION], ids=["kiosk", "laptop", "television"])
def test_the_picture_and_the_replay_are_of_one_size_and_use_the_screen(
    pig: Served, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(pig, size)
    looking.taps("#replay-shown")
    looking.sees(f"#replay[data-of='{PICTURES}']")
    looking.sees_count("#picture-dialog .boxed .box", 1)
    picture, replay = looking.box("#picture-dialog img"), looking.box("#replay canvas")
    assert replay["y"] == pytest.approx(picture["y"], abs=1)
    assert replay["width"] == pytest.approx(picture["width"], abs=1)
    assert replay["height"] / replay["width"] == pytest.approx(0.75, abs=0.01), "no black bars"
    assert looking.box("#picture-dialog")["width"] > 0.8 * size[0]
    scrolls = "(e => [e.scrollWidth > e.clientWidth + 1, e.scrollHeight > e.clientHeight + 1])"
    assert looking.evaluates(f"{scrolls}(document.querySelector('.pair'))") == [False, False]


def test_a_replay_of_a_lifted_cup_says_so(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("liars_dice", "Ann:green", "Ben:red", start="Ann", hand=[1, 2, 2, 5, 3])
    server.table.replays.clips |= {(at, False): clip() for at in range(9)}
    kiosk = screen(server)
    for name in ("Ann", "Ben"):
        kiosk.sees(f"#turn[data-player={name}]")
        kiosk.taps("#throw")
    kiosk.page.fill(".amount .count", "9")
    kiosk.taps("#bid")
    kiosk.taps("[data-option=call]")
    kiosk.sees("#turn[data-player=Ann]", "Lift your cup")
    kiosk.taps("#throw")
    kiosk.sees("#turn[data-player=Ben]", "Lift your cup")
    kiosk.taps("#replay-shown")
    kiosk.sees("#picture-dialog", "Ann lifted the cup off")


def test_a_replay_can_be_paused_and_stepped_with_the_keyboard(pig: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig)
    kiosk.taps("#replay-shown")
    kiosk.sees(f"#replay[data-of='{PICTURES}']")
    for n in (2, 5):
        pause_at(kiosk, n)
        kiosk.page.wait_for_function(f"() => Math.abs(({WHITE_AT})() - {40 * n + 15}) <= 2")
    assert kiosk.reads("#replay-play") == "Play"
    kiosk.page.locator("#replay-play").focus()
    kiosk.page.keyboard.press("Space")
    assert kiosk.reads("#replay-play") == "Pause"
    kiosk.sees(f"#replay[data-place='{PICTURES - 1}']")


def test_a_tap_pauses_a_replay_and_slow_is_slower(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    server.table.replays.clips[0, False] = clip(4, every_s=2.0)
    server.table.throws(4)
    phone = screen(server, PHONE)
    phone.taps("#replay-shown")
    phone.sees("#replay[data-of='4']")
    phone.taps("#replay canvas")
    assert phone.reads("#replay-play") == "Play"
    phone.evaluates(
        "() => { window.waits = []; const real = setTimeout;"
        " window.setTimeout = (f, ms) => { waits.push(ms); real(f, ms); }; }"
    )
    phone.taps("#replay-play")
    phone.page.wait_for_function("() => waits.includes(2000)")
    phone.taps("#replay-slow")
    phone.page.wait_for_function("() => waits.includes(8000)")


def test_a_foul_can_be_replayed_until_it_is_put_right(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    server.table.replays.clips[0, True] = clip()
    kiosk = screen(server)
    server.table.throws(4, 2)
    kiosk.sees("#message")
    said = kiosk.reads("#message")
    kiosk.taps("#replay-shown")
    kiosk.sees(f"#replay[data-of='{PICTURES}']")
    assert kiosk.reads("#picture-dialog p").split()[:2] == said.split()[:2]
    assert kiosk.counts("#picture-dialog img") == 0
    kiosk.taps("#close-picture")
    server.table.throws(4)
    kiosk.sees_no("#replay-shown")


def test_the_sheet_shows_the_replay_with_the_picture(pig: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig, KIOSK)
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-picture='0']")
    kiosk.sees("#replay")
    kiosk.sees("#picture-dialog img")
    box = kiosk.box("#picture-dialog")
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= KIOSK[1]


def test_without_a_replay_there_is_no_button(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    kiosk = screen(server)
    server.table.throws(4)
    kiosk.sees("[data-option=hold]")
    assert kiosk.counts("#replay-shown") == 0


def test_a_missing_replay_is_reported(pig: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig)
    kiosk.sees_count("#replay-shown", 1)
    pig.table.replays.clip = lambda at, foul=False: None
    kiosk.taps("#replay-shown")
    kiosk.sees("#picture-dialog", "This replay is no longer stored.")
    kiosk.console_errors.clear()


def test_with_reduced_motion_a_replay_starts_paused(pig: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig)
    kiosk.page.emulate_media(reduced_motion="reduce")
    kiosk.taps("#replay-shown")
    kiosk.sees(f"#replay[data-of='{PICTURES}']")
    assert (kiosk.reads("#replay-play"), picture_number(kiosk)) == ("Play", 0)
