"""How the page looks: it is readable with every colour and name, and it fits every screen."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Literal

import pytest

from table.common.colours import COLOURS
from table.common.tray import TrayState
from table.games import GAMES
from table.referee.actions import Start, SubmitAnswer
from table.rules.answers import Chosen
from table.rules.game import Seat
from tests.page.browsing import (
    KIOSK,
    LAPTOP,
    OVERFLOWS,
    PHONE,
    SCREENS,
    TELEVISION,
    OpenScreen,
    Screen,
    box_of,
    module,
)
from tests.page.conftest import ServeTable
from tests.page.serving import Served, served
from tests.page.situations import ShowingTable, situations
from tests.page.test_browser_fits import WRONG

pytestmark = pytest.mark.browser

TEN_LONG_NAMES = [f"{'Wolfeschlegelsteinhausen'[:-1]}{i}:{colour}" for i, colour in enumerate(COLOURS[:10])]
"""Ten players with names of 24 letters that cannot be broken."""

# -- colours -------------------------------------------------------------------------------------------------

AA = 4.5
"""Smallest contrast of a text with its background: level AA of the WCAG, success criterion 1.4.3."""

AA_EDGE = 3.0
"""Smallest contrast of the edge of a control: success criterion 1.4.11."""


def luminance(rgb: str) -> float:
    """Luminance of a CSS colour such as "rgb(47, 164, 90)", by the WCAG: 0 black to 1 white."""
    parts = [int(part) / 255 for part in rgb.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


STYLE = "e => { const s = getComputedStyle(e); return [s.color, s.backgroundColor]; }"


def readable(screen: Screen, selector: str) -> bool:
    ink, paper = screen.page.locator(selector).first.evaluate(STYLE)
    return contrast(ink, paper) >= AA


def test_the_turn_is_readable_in_every_players_colour(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    unreadable = []
    for colour in (*COLOURS, None):
        seats = (Seat(f"Plays {colour}", colour), Seat("Ben"))
        server.table.do(Start(server.table.snapshot.number, "pig", seats, {"start": seats[0].name}))
        kiosk.sees(".who", seats[0].name)
        if not (readable(kiosk, "#turn") and readable(kiosk, "#scores .now")):
            unreadable.append(colour)
    assert unreadable == []


def test_texts_are_readable(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", "Ann:green", "Ben:red", start="Ann")
    server.table.throws(1, 5, 2, 3, 3)
    kiosk = screen(server)
    kiosk.sees("#message")
    for text in ("#message", "#tray-state"):
        assert readable(kiosk, text)


def test_the_band_is_dark_on_a_dark_page_while_it_is_nobodys_turn(
    serve: ServeTable, screen: OpenScreen
) -> None:
    kiosk = screen(serve())
    kiosk.page.emulate_media(color_scheme="dark")
    kiosk.sees("#turn", "No game on")
    assert (
        luminance(kiosk.evaluates("getComputedStyle(document.querySelector('.band')).backgroundColor")) < 0.1
    )
    assert readable(kiosk, "#turn")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_button_that_says_what_to_do_first_is_readable(
    serve: ServeTable, screen: OpenScreen, scheme: Literal["dark", "light"]
) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ann")
    kiosk = screen(server)
    kiosk.page.emulate_media(color_scheme=scheme)
    server.table.throws(1, 4, 2, 2, 6, 6)
    kiosk.sees("#keep:disabled", "Tap what you keep")
    assert kiosk.evaluates("getComputedStyle(document.querySelector('#keep')).opacity") == "1"
    assert readable(kiosk, "#keep")
    server.table.blind = True
    server.table.do(Start(server.table.snapshot.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    server.table.moves(TrayState.NO_CAMERA, "No camera was found.")
    kiosk.taps("#type-throw")
    kiosk.sees("#confirm:disabled", "Tap what it shows")
    assert kiosk.evaluates("getComputedStyle(document.querySelector('#confirm')).opacity") == "1"
    assert readable(kiosk, "#confirm")


@pytest.mark.parametrize("size", [KIOSK, LAPTOP, TELEVISION], ids=["kiosk", "laptop", "television"])
def test_the_faces_of_one_die_are_a_quarter_of_the_screen_wide(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    """They are tapped and read from where the dice were thrown."""
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    looking = screen(server, size)
    server.table.blind = True
    server.table.moves(TrayState.NO_CAMERA, "No camera was found.")
    looking.taps("#type-throw")
    looking.sees("#face-dialog [data-say]")
    assert looking.box("#face-dialog .faces")["width"] > size[0] / 4
    assert _within_the_screen(looking, "#face-dialog")


def test_few_bettors_stand_below_all_steps_of_a_bet(serve: ServeTable, screen: OpenScreen) -> None:
    television = screen(serve("chuck_a_luck", "Ann:green", "Ben:red", "Cat:blue"), TELEVISION)
    television.sees("[data-bettor=Cat]")
    steps, last = television.box(".steps"), television.box("[data-bettor=Cat]")
    assert abs(last["x"] + last["width"] - steps["x"] - steps["width"]) < 2


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_foul_stands_out_from_the_page(
    serve: ServeTable, screen: OpenScreen, scheme: Literal["dark", "light"]
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    kiosk = screen(server)
    kiosk.page.emulate_media(color_scheme=scheme)
    server.table.throws(4, 3)
    kiosk.sees("#message", "Wrong dice")
    colours = [
        kiosk.evaluates(f"getComputedStyle(document.querySelector('{of}')).backgroundColor")
        for of in ("#message", "body")
    ]
    assert contrast(*colours) >= (1.8 if scheme == "dark" else 1.0)


def test_a_black_players_score_stands_out_from_the_dark_page(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("pig", "Hugh:black", "Ben:red", start="Hugh"))
    ground = kiosk.evaluates("getComputedStyle(document.body).backgroundColor")
    kiosk.sees("#turn")
    ring = kiosk.evaluates(
        "getComputedStyle(document.querySelector('#scores .now')).borderTopColor"
        ".match(/[0-9.]+/g).slice(0, 3)"
    )
    edge = "rgb({}, {}, {})".format(*(round(255 * float(part)) for part in ring))
    assert contrast(edge, ground) >= AA_EDGE


# -- fitting -------------------------------------------------------------------------------------------------


@pytest.fixture
def ten(serve: ServeTable) -> Served:
    """Ten players of Pig. The first threw a 4 and may hold."""
    server = serve("pig", *TEN_LONG_NAMES, start=TEN_LONG_NAMES[0].split(":")[0])
    server.table.throws(4)
    return server


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_no_view_is_wider_than_the_screen(ten: Served, screen: OpenScreen, size: tuple[int, int]) -> None:
    looking = screen(ten, size)
    looking.taps("[data-option=hold]")
    for view, there in (("sheet", "#sheet"), ("rules", "main.text"), ("new", "#start")):
        looking.taps(f"#tab-{view}")
        looking.sees(there)
        assert looking.evaluates(OVERFLOWS) == [False, False], view
    looking.taps("#tab-sheet")
    looking.taps("[data-correct='0']")
    looking.sees("#face-dialog")
    assert _within_the_screen(looking, "#face-dialog")
    looking.page.keyboard.press("Escape")
    looking.taps("[data-picture='0']")
    looking.sees("#picture-dialog img")
    assert _within_the_screen(looking, "#picture-dialog")


def _within_the_screen(screen: Screen, selector: str) -> bool:
    box, size = screen.box(selector), screen.page.viewport_size
    assert size is not None
    return (
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size["width"]
        and box["y"] + box["height"] <= size["height"]
    )


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_the_face_dialog_fits_on_the_screen(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("five_dice", *TEN_LONG_NAMES, start=TEN_LONG_NAMES[0].split(":")[0])
    server.table.throws(1, (5, "unsure"), 2, (3, "unsure"), 3, (4, "unsure"))
    looking = screen(server, size)
    looking.taps("#say")
    looking.sees("#face-dialog")
    assert _within_the_screen(looking, "#face-dialog")


def test_a_phone_shows_the_newest_ruling(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    for face in (1, 4, 1):
        server.table.throws(face)
    phone = screen(server, PHONE)
    phone.sees("#rulings li")
    shown = [ruling.inner_text() for ruling in phone.page.locator("#rulings li").all() if ruling.is_visible()]
    assert shown == ["Ben threw a 1: 4\N{NO-BREAK SPACE}points lost, and the turn is over."]


def test_face_tags_stay_inside_the_picture(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", "Ann:green", "Ben:red", start="Ann")
    server.table.throws(1, 5, 2, 3, 3, 4)  # along the upper edge of the picture
    kiosk = screen(server, KIOSK)
    kiosk.sees_count(".mark", 6)
    tray = kiosk.box(".tray")
    for tag in kiosk.page.locator(".label .tag").all():
        box = box_of(tag)
        assert box["y"] >= tray["y"] - 1
        assert box["x"] + box["width"] <= tray["x"] + tray["width"] + 1


def test_face_tags_of_dice_that_touch_cover_no_die_and_no_tag_where_a_corner_is_free(
    serve: ServeTable, screen: OpenScreen
) -> None:
    """Three dice in a corner of the picture: 50 px wide, side by side and one above the other."""
    kiosk = screen(serve("pig", "Ann:green", "Ben:red"))
    tags = kiosk.evaluates(
        """(async () => {
            const file = [...document.querySelectorAll("link[rel=modulepreload]")]
                .find((link) => link.href.endsWith("/tray.js"));
            const { tagPlaces } = await import(file.href);
            const boxes = [[0, 100, 50, 50], [52, 100, 50, 50], [52, 48, 50, 50]];
            const dice = boxes.map((box) => ({ box }));
            return [tagPlaces(dice, 8, 800, 600), tagPlaces(dice, 8, 800, 600, [14, 14, 14])];
        })()"""
    )
    faces, with_signs = ([(tag["x"], tag["y"]) for tag in each] for each in tags)
    assert faces == [(8, 100), (102, 150), (102, 48)]
    assert with_signs == [(14, 100), (102, 150), (102, 48)], "no tag is over the border of the picture"


CLOSE = {
    "two rows": [(250 + 44 * (i % 3), 180 + 44 * (i // 3)) for i in range(6)],
    "a row": [(200 + 42 * i, 200 + 8 * (i % 2)) for i in range(6)],
    "a heap": [(300, 200), (345, 205), (322, 160), (325, 248), (280, 240), (370, 240)],
}
"""Places of dice that nearly touch, px. Each die is 40 px wide."""


@pytest.mark.parametrize("places", CLOSE.values(), ids=CLOSE)
def test_tags_of_dice_that_lie_close_cover_no_other_die_and_no_other_tag(
    serve: ServeTable, screen: OpenScreen, places: list[tuple[int, int]]
) -> None:
    kiosk = screen(serve("pig", "Ann:green", "Ben:red"))
    boxes = [[x, y, 40, 40] for x, y in places]
    tags = kiosk.evaluates(
        f"(async () => (await {module('tray.js')}).tagPlaces("
        f"{[{'box': box} for box in boxes]}, 16, 640, 480, {[29] * len(boxes)}))()"
    )
    drawn = [[tag["x"] - 29, tag["y"] - 16, 58, 32] for tag in tags]
    for i, tag in enumerate(drawn):
        others = [box for j, box in enumerate(boxes) if j != i] + [
            each for j, each in enumerate(drawn) if j != i
        ]
        assert sum(shared_area(tag, each) for each in others) == 0, i


def shared_area(a: Sequence[float], b: Sequence[float]) -> float:
    """The area that two boxes share, square px."""
    sides = (min(a[k] + a[k + 2], b[k] + b[k + 2]) - max(a[k], b[k]) for k in (0, 1))
    return prod(max(0.0, side) for side in sides)


def test_a_phone_held_sideways_shows_every_choice(ten: Served, screen: OpenScreen) -> None:
    phone = screen(ten, (PHONE[1], PHONE[0]))
    phone.sees("[data-option=roll]")
    side = phone.box(".side")
    for choice in phone.page.locator(".choices .choice").all():
        box = box_of(choice)
        assert box["y"] + box["height"] <= side["y"] + side["height"] + 1
    assert phone.evaluates(OVERFLOWS) == [False, False]


def test_sheet_headings_stay_on_one_line(ten: Served, screen: OpenScreen) -> None:
    kiosk = screen(ten)
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet")
    for cell in ("thead th", "tfoot th"):
        first = kiosk.page.locator(f"#sheet {cell}").first
        lines = first.evaluate(
            "e => { const r = document.createRange(); r.selectNodeContents(e);"
            " return r.getClientRects().length; }"
        )
        assert lines == 1


# -- winners -------------------------------------------------------------------------------------------------

FINISH_ANIMATIONS = (
    "document.getAnimations().filter(a => a.animationName === 'fall').forEach(a => a.finish())"
)


def ann_wins_midnight(server: Served) -> None:
    for faces in ((1, 4, 6, 6, 5, 2), (1, 4, 6, 6, 6, 2)):
        server.table.throws(*faces)
        server.table.keeps(*faces)


def test_the_winner_is_shown_in_their_colour_under_falling_dice(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ben")
    kiosk = screen(server)
    ann_wins_midnight(server)
    kiosk.sees(".who", "★ Ann")
    kiosk.sees("#prompt", "Ann wins with 20.")
    assert kiosk.page.locator("#turn").evaluate(STYLE)[1] == "rgb(47, 164, 90)"
    kiosk.sees(".falling")
    assert kiosk.evaluates(OVERFLOWS) == [False, False]
    kiosk.evaluates(FINISH_ANIMATIONS)
    kiosk.sees_no(".shower")
    kiosk.sees("#play-again")
    kiosk.page.reload()
    kiosk.sees("#play-again")
    assert not kiosk.counts(".shower"), "a page that did not see the end celebrates no more"


CUT_NAMES = """[...document.querySelectorAll('#ending .name, #ending .points')].filter(e =>
    e.scrollHeight > e.clientHeight + 3 || e.scrollWidth > e.clientWidth + 1 ||
    e.getBoundingClientRect().bottom > e.closest('.left').getBoundingClientRect().bottom + 1
).map(e => e.innerText)"""


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_winners_and_long_names_are_readable_beside_their_scores(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    names = [f"Player of the West {n}" for n in range(8)]
    server = serve("midnight", "Ben:red", *(f"{n}:green" for n in names), start="Ben")
    server.table.throws(1, 4, 6, 6, 6, 6)
    server.table.keeps(1, 4, 6, 6, 6, 6)
    for _ in names:
        server.table.throws(1, 4, 6, 6, 5, 2)
        server.table.keeps(1, 4, 6, 6, 5, 2)
    looking = screen(server, size)
    looking.sees("#ending .won .name", "Ben")
    assert looking.evaluates(
        "(t => t.scrollHeight <= t.clientHeight + 1)(document.getElementById('turn'))"
    ), "the winner and the points are visible"
    assert looking.evaluates(CUT_NAMES) == []


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
@pytest.mark.parametrize("game", ["ship_captain_crew", "bricrius_bluff"])
def test_a_games_long_title_is_not_cut(
    serve: ServeTable, screen: OpenScreen, game: str, size: tuple[int, int]
) -> None:
    looking = screen(serve(game, "Gráinne of the West Shor:green", "Ben:red"), size)
    looking.sees("h1", GAMES[game].title)
    assert looking.evaluates(
        "(h => h.scrollHeight <= h.clientHeight + 1 && h.scrollWidth <= h.clientWidth)"
        "(document.querySelector('h1'))"
    )


def test_the_state_stands_clear_of_the_prompt_below_a_long_title(
    serve: ServeTable, screen: OpenScreen
) -> None:
    """A phone has both beside a short name, and the prompt uses the whole width."""
    server = serve("bricrius_bluff", "Ann:green", "Ben:red")
    phone = screen(server, PHONE)
    for state in (TrayState.WAITING, TrayState.HAND):
        server.table.moves(state)
        phone.sees(f"#tray-state[data-state={state.value}]")
        words = phone.evaluates(
            "(r => { r.selectNodeContents(document.querySelector('#prompt'));"
            " const {top, height} = r.getClientRects()[0]; return [top, height]; })(document.createRange())"
        )
        pill = phone.box("#tray-state")
        assert pill["y"] + pill["height"] <= words[0]
        assert phone.box("#prompt")["height"] < 2 * words[1]


def test_reduced_motion_hides_the_falling_dice_and_the_winner_stands_still(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ben")
    kiosk = screen(server)
    kiosk.page.emulate_media(reduced_motion="reduce")
    ann_wins_midnight(server)
    kiosk.sees(".who", "★ Ann")
    kiosk.sees(".poster")
    assert not kiosk.page.locator(".shower").is_visible()
    assert kiosk.evaluates("document.querySelector('#ending').getAnimations({subtree: true}).length") == 0


@pytest.mark.parametrize("size", [*SCREENS.values(), (1920, 1080)], ids=[*SCREENS, "television"])
def test_the_winner_is_a_poster_with_sign_name_and_points(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ben")
    looking = screen(server, size)
    ann_wins_midnight(server)
    looking.sees(".highlights li")
    poster, name = looking.box(".poster"), looking.box(".poster .name")
    assert looking.page.locator(".poster").evaluate(STYLE)[1] == "rgb(47, 164, 90)"
    assert name["height"] > 2 * looking.box(".finish li:not(.poster) .name")["height"] - 1
    assert poster["height"] > 0.25 * size[1]
    assert looking.box(".poster .sign")["height"] > 0.25 * poster["height"]
    assert looking.evaluates("(e => e.scrollHeight <= e.clientHeight)(document.querySelector('#ending'))")


@pytest.mark.parametrize("size", [*SCREENS.values(), TELEVISION], ids=[*SCREENS, "television"])
def test_where_nobody_wins_the_names_use_the_room_of_the_poster(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("ho_han", "Ann:green", "Maximiliane-Charlotte:red", "Siobhán:blue")
    looking = screen(server, size)
    for option in ("ready", "close", "close", "lift"):
        server.table.do(SubmitAnswer(server.table.snapshot.number, Chosen(option)))
    server.table.throws(5, 2)
    server.table.do(SubmitAnswer(server.table.snapshot.number, Chosen("end")))
    looking.sees(".who", "Game over")
    room, name = looking.box("#ending"), looking.box(".finish .name")
    assert name["height"] > min(0.085 * room["height"], 0.08 * room["width"])
    assert looking.evaluates(CUT_NAMES) == []


def test_the_buttons_at_the_end_stand_on_a_phone_where_they_are_below_the_tray(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("midnight", "Ann:green", "Ben:red", start="Ben")
    looking = screen(server, PHONE)
    ann_wins_midnight(server)
    looking.sees("#ending")
    before = {button: looking.box(button) for button in ("#play-again", "#see-sheet")}
    looking.taps("#show-tray")
    looking.sees_no("#ending")
    assert {button: looking.box(button) for button in before} == before


def test_the_buttons_at_the_end_stand_on_a_phone_where_they_are_below_the_board(
    screen: OpenScreen, tmp_path: Path
) -> None:
    table = ShowingTable(tmp_path)
    with served(table) as server:
        looking = screen(server, PHONE)
        table.show(situations("sigily")[-1].snapshot())
        looking.sees("#ending")
        before = {button: looking.box(button) for button in ("#play-again", "#see-sheet")}
        looking.taps("#show-board")
        looking.sees(".board")
        assert {button: looking.box(button) for button in before} == before


def test_the_piles_beside_the_towers_use_the_room_of_a_television(tmp_path: Path, screen: OpenScreen) -> None:
    table = ShowingTable(tmp_path)
    with served(table) as server:
        looking = screen(server, TELEVISION)
        table.show(next(each for each in situations("high_rollin") if each.kind == "pick").snapshot())
        looking.sees(".pile")
        room, row = looking.box(".noted"), looking.box(".pile .row")
        assert 0.65 * room["width"] < row["width"] <= room["width"]
        assert looking.evaluates(WRONG) == []


def test_every_game_has_a_picture_of_its_own_on_its_card(serve: ServeTable, screen: OpenScreen) -> None:
    looking = screen(serve("pig", "Ann:green", "Ben:red"))
    looking.taps("#tab-new")
    looking.sees(".game .emblem")
    looking.sees_count(".game", len(GAMES))
    drawn = looking.evaluates("[...document.querySelectorAll('.game .emblem')].map(e => e.innerHTML)")
    assert len(set(drawn)) == len(GAMES)
    unknown = '<rect width="100" height="100" fill="#2c5f43"></rect><g transform="rotate(0 50 50)">'
    assert not [picture for picture in drawn if picture.startswith(unknown)], "the die of an unknown game"
    box = box_of(looking.page.locator(".game .emblem").first)
    assert min(box["width"], box["height"]) >= 44


VALUES_CUT = """[...document.querySelectorAll('.setting select')].filter(e => {
    if (!e.checkVisibility()) return false;
    const style = getComputedStyle(e), pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
    return pen.measureText(e.selectedOptions[0].text).width > room;
}).map(e => e.selectedOptions[0].text)"""
"""Script: the chosen values of settings that their lists do not show whole. The arrow of a list is 16 px
wide."""


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_settings_show_their_values_whole(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(serve(), size)
    looking.taps("#new-game")
    cut = []
    for name, game in GAMES.items():
        looking.page.locator(f"input[name=game][value={name}]").check(force=True)
        looking.sees(".chosen h2", game.title)
        looking.sees_no(".settings .hint")
        looking.evaluates("document.querySelectorAll('.setup details').forEach(e => { e.open = true })")
        cut += [f"{name}: {value}" for value in looking.evaluates(VALUES_CUT)]
    assert cut == []


def test_a_laptop_shows_the_games_in_two_columns(serve: ServeTable, screen: OpenScreen) -> None:
    laptop = screen(serve(), LAPTOP)
    laptop.taps("#new-game")
    laptop.sees_count(".game", len(GAMES))
    lefts = laptop.evaluates("[...document.querySelectorAll('.game')].map(e => e.offsetLeft)")
    assert len(set(lefts)) >= 2
