"""Sticks on the page: read by the camera, asked about, corrected, or tapped where no camera reads them."""

from __future__ import annotations

from itertools import combinations

import pytest

from table.common.tray import TrayState
from table.paper.sticks import FIGURES, WORDS, strokes
from table.referee import actions
from table.rules.answers import Sticks
from tests.page.browsing import CUT, FITS, KIOSK, LAPTOP, PHONE, SCREENS, SMALL, OpenScreen, Screen, module
from tests.page.conftest import ServeTable
from tests.page.serving import Served
from tests.referee.evening import SIZE
from tests.referee.stick_evening import seen
from tests.vision.sticks import stick
from vision.tracking.stick_tracks import StickOutcome

pytestmark = pytest.mark.browser

WHITES = ("white", "white", "black", "black")
SIGILY = ("sigily", "Ann:green", "Ben:red")
DANUBE = ("down_the_danube", "Ann:green", "Ben:red")
DEER_OR_COW = seen("deer?", 1, [("deer", 0.6), ("cow", 0.3)])


def test_a_throw_that_is_read_is_drawn_and_needs_no_tap(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*SIGILY)
    kiosk = screen(server)
    server.table.throws_sticks("round", "dog", "black", "horse")
    kiosk.sees("#prompt", "the highest begins")
    kiosk.sees("#turn[data-player=Ben]")
    kiosk.sees_count("[data-stick-place][data-part=thrown]", 4)
    assert kiosk.counts(".stick-mark[data-face=round]") == 2
    assert server.table.done == []


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
@pytest.mark.parametrize("game", [SIGILY, DANUBE], ids=["sigily", "danube"])
def test_the_board_is_seen_while_sticks_are_awaited(
    serve: ServeTable, screen: OpenScreen, game: tuple[str, ...], size: tuple[int, int]
) -> None:
    looking = screen(serve(*game), size)
    looking.sees(".tray")
    small, board = looking.box("#glance svg"), looking.counts("#glance [data-spot]")
    assert min(small["width"], small["height"]) > 100
    assert looking.evaluates(FITS) == [True, True]
    looking.page.locator("#glance").click()
    looking.sees_count("#board [data-spot]", board)
    looking.sees_no("#glance")


def test_an_unsure_stick_is_said_with_one_tap(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*SIGILY)
    kiosk = screen(server)
    server.table.throws_sticks("round", DEER_OR_COW, "round", "horse")
    kiosk.sees("#message", "deer or cow?")
    kiosk.taps("[data-stick-place='1']")
    kiosk.sees("#face-dialog")
    offered = [b.get_attribute("data-say") for b in kiosk.page.locator("#face-dialog [data-say]").all()]
    assert offered == ["deer", "cow", "round", "dog", "horse"], "the likeliest faces come first"
    kiosk.taps("#face-dialog [data-say=cow]")
    kiosk.sees_no("#face-dialog")
    assert server.table.evening.thrown_sticks == [("round", "cow", "round", "horse")]


def test_letters_and_animals_are_drawn_as_on_paper(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve(*SIGILY))
    letters, figures = kiosk.evaluates(
        f"{module('ogham.js')}.then(m =>"
        " [Object.entries(m.WORDS).map(([animal, word]) => [animal, m.strokes(word)]), m.FIGURES])"
    )
    assert {animal: [side for side, _ in drawn] for animal, drawn in letters} == {
        animal: [side for side, _ in strokes(word)] for animal, word in WORDS.items()
    }
    for animal, drawn in letters:
        assert [at for _, at in drawn] == pytest.approx([at for _, at in strokes(WORDS[animal])])
    assert figures == {
        animal: [[" ".join(f"{x:g},{y:g}" for x, y in points), width] for points, width in shapes]
        for animal, shapes in FIGURES.items()
    }


def test_the_faces_to_choose_from_show_their_letters(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*SIGILY)
    kiosk = screen(server)
    server.table.throws_sticks("round", DEER_OR_COW, "round", "horse")
    kiosk.taps("#say")
    kiosk.sees("#face-dialog")
    written = [each.get_attribute("d") for each in kiosk.page.locator("#face-dialog .ogham").all()]
    assert len(set(written)) == 4
    assert kiosk.counts("#face-dialog [data-say=round] .ogham") == 0
    assert kiosk.box("#face-dialog .drawn-stick svg")["width"] > 200


@pytest.mark.parametrize(("x", "y"), [(60, 60), (740, 300), (400, 590)])
def test_the_picture_of_a_stick_ends_where_the_tray_does(
    serve: ServeTable, screen: OpenScreen, x: int, y: int
) -> None:
    server = serve(*SIGILY)
    kiosk = screen(server)
    server.table.throws_sticks("round", "round", "horse", stick("deer", x, y, sure=False))
    kiosk.taps("#say")
    crop = kiosk.page.locator("#face-dialog .seen").get_attribute("viewBox") or ""
    left, top, width, height = map(float, crop.split())
    assert 0 <= left <= x <= left + width <= SIZE[0]
    assert 0 <= top <= y <= top + height <= SIZE[1]
    assert kiosk.box("#face-dialog .seen")["width"] > 200


def test_two_unsure_sticks_are_said_one_after_the_other(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*SIGILY)
    kiosk = screen(server)
    kiosk.sees("#prompt", "Throw the four sticks")
    server.table.throws_sticks("round", DEER_OR_COW, "round", "horse?")
    kiosk.sees("#prompt", "Say what the sticks show.")
    kiosk.taps("#say")
    kiosk.sees("#face-dialog h2", "(1 of 2)")
    marked = [kiosk.page.locator("#face-dialog .asked-about").get_attribute("points")]
    kiosk.taps("#face-dialog [data-say=deer]")
    kiosk.sees("#face-dialog h2", "(2 of 2)")
    marked.append(kiosk.page.locator("#face-dialog .asked-about").get_attribute("points"))
    asked = [stick for stick in server.table.snapshot_json()["tray"]["sticks"] if stick["part"] == "asked"]
    assert marked == [" ".join(f"{x:g},{y:g}" for x, y in stick["quad"]) for stick in asked]
    kiosk.taps("#face-dialog [data-say=horse]")
    kiosk.sees_no("#face-dialog")
    assert server.table.evening.thrown_sticks == [("round", "deer", "round", "horse")]


CROSSED = {
    "a star": ((10, "round"), (80, "dog"), (130, "horse"), (-20, "round")),
    "along each other": ((0, "round"), (3, "round"), (90, "cow"), (-3, "deer")),
    "a cross": ((45, "dog"), (-45, "deer"), (0, "round"), (90, "round")),
}
"""Throws of sticks that all lie over the middle of the tray: the angle of each, in degrees, and its face."""

NAMES = """[...document.querySelectorAll('.stick-name text')].map(e => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    return { left, top, right, bottom };
})"""
"""Script: the rectangles of the names on the sticks."""

OWN_STICK = """[...document.querySelectorAll('.stick-name text')].map((e, i) => {
    const on = document.querySelectorAll('.stick-mark .hit')[i];
    return on.isPointInFill(new DOMPoint(e.x.baseVal[0].value, e.y.baseVal[0].value));
})"""
"""Script: whether each name is on its own stick."""


@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])
@pytest.mark.parametrize("lying", CROSSED.values(), ids=CROSSED)
def test_the_name_of_each_crossed_stick_can_be_read(
    serve: ServeTable, screen: OpenScreen, lying: tuple[tuple[float, str], ...], size: tuple[int, int]
) -> None:
    server = serve(*SIGILY)
    looking = screen(server, size)
    server.table.throws_sticks(*(stick(face, 400, 300, angle, length=300) for angle, face in lying))
    looking.sees_count(".stick-name text", 4)
    names = looking.evaluates(NAMES)
    over = [
        (a, b)
        for a, b in combinations(names, 2)
        if min(a["right"], b["right"]) > max(a["left"], b["left"]) + 1
        and min(a["bottom"], b["bottom"]) - max(a["top"], b["top"]) > (a["bottom"] - a["top"]) / 3
    ]
    assert over == [], "the rectangle of a line of text is higher than its letters"
    assert looking.evaluates(OWN_STICK) == [True] * 4


def half_answered(serve: ServeTable, screen: OpenScreen) -> tuple[Served, Screen]:
    """A page that was loaded again after the first of two questions about sticks was answered: deer."""
    server = serve(*SIGILY)
    kiosk = screen(server)
    server.table.throws_sticks("round", DEER_OR_COW, "round", "horse?")
    kiosk.taps("#say")
    kiosk.taps("#face-dialog [data-say=deer]")
    kiosk.sees("#face-dialog h2", "(2 of 2)")
    kiosk.page.reload()
    return server, kiosk


def test_answers_about_sticks_outlive_a_reload(serve: ServeTable, screen: OpenScreen) -> None:
    server, kiosk = half_answered(serve, screen)
    kiosk.taps("#say")
    kiosk.sees("#face-dialog h2", "(2 of 2)")
    kiosk.taps("#face-dialog [data-say=horse]")
    kiosk.sees_no("#face-dialog")
    assert server.table.evening.thrown_sticks == [("round", "deer", "round", "horse")]


def test_an_answer_that_was_kept_can_be_changed(serve: ServeTable, screen: OpenScreen) -> None:
    server, kiosk = half_answered(serve, screen)
    kiosk.taps("[data-stick-place='1']")
    kiosk.sees("#face-dialog h2", "(1 of 2)")
    kiosk.taps("#face-dialog [data-say=cow]")
    kiosk.taps("#face-dialog [data-say=horse]")
    kiosk.sees_no("#face-dialog")
    assert server.table.evening.thrown_sticks == [("round", "cow", "round", "horse")]


def test_answers_about_an_earlier_throw_are_forgotten(serve: ServeTable, screen: OpenScreen) -> None:
    server, kiosk = half_answered(serve, screen)
    server.table.throws_sticks("horse?", "round", DEER_OR_COW, "round")
    kiosk.taps("#say")
    kiosk.sees("#face-dialog h2", "(1 of 2)")


def test_a_thing_is_no_stick_with_one_tap(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*DANUBE, start="Ann")
    kiosk = screen(server)
    server.table.throws_sticks(*WHITES[:3], "black?", "round?")
    kiosk.taps("#say")
    kiosk.taps("#face-dialog [data-say=black]")
    kiosk.taps("#no-stick")
    kiosk.sees_no("#face-dialog")
    assert server.table.evening.thrown_sticks == [WHITES]


def test_a_doubt_about_sticks_is_settled_with_one_tap(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*DANUBE, start="Ann")
    kiosk = screen(server)
    server.table.throws_sticks(*WHITES, outcome=StickOutcome.UNCLEAR)
    kiosk.taps("#was-thrown")
    kiosk.taps("#show-tray")
    kiosk.sees_count("[data-part=thrown]", 4)
    (done,) = server.table.waits_for(1)
    assert isinstance(done, actions.ResolveDoubt)
    assert done.thrown


def test_a_read_stick_is_corrected_by_a_tap_on_it(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*DANUBE, start="Ann")
    kiosk = screen(server)
    server.table.throws_sticks(*WHITES)
    kiosk.taps("#show-tray")
    kiosk.taps("[data-stick-place='1']")
    kiosk.sees_no("#no-stick")
    kiosk.taps("#face-dialog [data-say=black]")
    kiosk.sees_no("#face-dialog")
    (corrected,) = server.table.waits_for(1)
    assert isinstance(corrected, actions.Correct)
    assert corrected.answer == Sticks(("white", "black", "black", "black"))


@pytest.mark.parametrize(
    ("place", "says", "then"),
    [
        (1, "deer", ("dog", "deer", "round", "cow")),
        (
            0,
            "cow",
            ("cow", "round", "round", "dog"),
        ),  # there is one cow, so these two were read the wrong way round
        (3, "round", ("dog", "round", "round", "round")),
    ],
)
def test_the_tapped_stick_is_the_one_that_is_corrected(
    serve: ServeTable, screen: OpenScreen, place: int, says: str, then: tuple[str, ...]
) -> None:
    server = serve(*SIGILY)
    kiosk = screen(server)
    server.table.throws_sticks("dog", "round", "round", "cow")
    kiosk.taps(f"[data-stick-place='{place}']")
    kiosk.taps(f"#face-dialog [data-say={says}]")
    (corrected,) = server.table.waits_for(1)
    assert isinstance(corrected, actions.Correct)
    assert corrected.answer == Sticks(then)


def test_a_correction_in_the_order_of_the_set_leaves_each_face_at_its_place(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve(*SIGILY)
    kiosk = screen(server)
    server.table.throws_sticks("cow", "round", "dog", "round")
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-correct='0']")
    kiosk.sees("#face-dialog [data-stick='0'][data-shows=dog]")
    kiosk.taps("#face-dialog [data-stick='3']")
    kiosk.taps("#face-dialog #lie-so")
    (corrected,) = server.table.waits_for(1)
    assert isinstance(corrected, actions.Correct)
    assert corrected.answer == Sticks(("cow", "round", "dog", "horse"))


def test_three_read_sticks_are_shown_where_the_rest_is_tapped(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*SIGILY)
    kiosk = screen(server)
    server.table.throws_sticks("dog", "cow", "round")
    kiosk.sees("#message", "Three sticks are seen, four expected")
    kiosk.taps("#show-asking")
    kiosk.sees("[data-stick='0'][data-shows=dog]")
    kiosk.sees("[data-stick='2'][data-shows=cow]")
    kiosk.sees("[data-stick='3'][data-shows='?']")
    kiosk.taps("[data-stick='3']")
    kiosk.taps("[data-stick='3'][data-shows=round]")
    kiosk.sees("[data-stick='3'][data-shows=horse]")
    kiosk.taps("#lie-so")
    kiosk.sees("#turn[data-player=Ben]")
    assert server.table.evening.thrown_sticks == [("dog", "round", "cow", "horse")]


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_sticks_that_were_miscounted_are_read_again_with_one_tap(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    """It was in the menu, where nobody looked for it."""
    server = serve(*DANUBE)
    looking = screen(server, size)
    server.table.throws_sticks("white", "black", "black")
    looking.sees("#message", "Three sticks are seen, four expected")
    looking.sees_no("#more-tools #read-again")
    looking.page.locator("#read-again").click()
    assert server.table.waits_for(1) == [actions.RereadTray()]
    assert looking.evaluates(CUT) == []


@pytest.mark.parametrize("size", [KIOSK, LAPTOP, PHONE])
@pytest.mark.parametrize("game", [SIGILY, DANUBE])
def test_sticks_are_tapped_beside_the_picture_of_the_tray(
    serve: ServeTable, screen: OpenScreen, game: tuple[str, ...], size: tuple[int, int]
) -> None:
    server = serve(*game)
    looking = screen(server, size)
    server.table.throws_sticks("round", "black", "round")
    looking.taps("#show-asking")
    looking.sees(".beside-tray img")
    assert looking.box(".beside-tray img")["height"] > 100
    assert looking.box(".drawn-stick svg")["width"] > 120, "the letters can be told apart"
    assert looking.evaluates(FITS) == [True, True]
    assert looking.evaluates(SMALL) == []
    assert looking.evaluates(CUT) == []


def test_a_throw_is_corrected_beside_its_picture(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*DANUBE, start="Ann")
    kiosk = screen(server)
    server.table.throws_sticks(*WHITES)
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-correct='0']")
    kiosk.sees("#face-dialog .beside-tray img[src='/api/throws/0.jpg']")


def test_untouched_sticks_are_no_throw(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*SIGILY)
    server.table.moves(TrayState.NO_CAMERA, "There is no camera.")
    kiosk = screen(server)
    kiosk.sees("#lie-so:disabled", "Tap how they lie")
    kiosk.taps("#all-first")
    kiosk.sees("#lie-so:enabled", "Use this throw")
    kiosk.taps("#lie-so")
    (done,) = server.table.waits_for(1)
    assert isinstance(done, actions.SubmitAnswer)
    assert done.answer == Sticks(("round",) * 4)


def test_what_was_read_of_a_throw_is_filled_in_and_only_the_rest_is_told(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve(*DANUBE, start="Ann")
    kiosk = screen(server)
    server.table.throws_sticks("white", "black", "black")
    kiosk.taps("#show-asking")
    kiosk.sees("#lie-so:disabled", "Tap how they lie")
    assert kiosk.counts(".stick[data-shows='?']") == 1
    kiosk.taps(".stick[data-shows='?']")
    kiosk.sees("#lie-so:enabled", "Use this throw")
    kiosk.taps("#lie-so")
    (done,) = server.table.waits_for(1)
    assert isinstance(done, actions.SubmitAnswer)
    assert isinstance(done.answer, Sticks)
    assert sorted(done.answer.faces) == ["black", "black", "white", "white"]


def test_the_tray_comes_first_where_a_camera_reads_the_sticks(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*DANUBE, start="Ann")
    kiosk = screen(server)
    kiosk.sees("main[data-stage=tray]")
    server.table.moves(TrayState.NO_CAMERA, "There is no camera.")
    kiosk.sees("main[data-stage=board]")


@pytest.mark.parametrize("size", [KIOSK, LAPTOP])
@pytest.mark.parametrize("camera", [TrayState.WAITING, TrayState.NO_CAMERA])
@pytest.mark.parametrize("game", [SIGILY, DANUBE])
def test_the_sticks_fit_the_screen_and_fingers(
    serve: ServeTable, screen: OpenScreen, game: tuple[str, ...], camera: TrayState, size: tuple[int, int]
) -> None:
    server = serve(*game)
    server.table.moves(camera)
    looking = screen(server, size)
    looking.sees("#lie-so" if camera is TrayState.NO_CAMERA else "main[data-stage=tray]")
    assert looking.evaluates(FITS) == [True, True]
    assert looking.evaluates(SMALL) == []


def test_the_question_about_a_stick_fits_a_phone(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*SIGILY)
    phone = screen(server, PHONE)
    server.table.throws_sticks("round", DEER_OR_COW, "round", "horse")
    phone.taps("#say")
    phone.sees("#face-dialog [data-say=horse]")
    assert phone.evaluates(FITS)[0]
    assert phone.evaluates(CUT) == []


def test_the_picture_of_a_throw_shows_what_was_read(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve(*DANUBE, start="Ann")
    kiosk = screen(server)
    server.table.throws_sticks(*WHITES)
    kiosk.taps("#tab-sheet")
    kiosk.taps("[data-picture='0']")
    kiosk.sees_count("#picture-dialog polygon", 4)
