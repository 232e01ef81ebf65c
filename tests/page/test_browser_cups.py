"""Cups on the simulated tray: the hand throws under them and lifts them, and the thrower looks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from table.referee import actions
from table.rules.answers import Answer, Bid, Chosen
from tests.page.browsing import KIOSK, LAPTOP, PHONE, SCREENS, TELEVISION, OpenScreen, Screen, box_of
from tests.page.conftest import ServeTable, SitDown
from tests.page.serving import Served, served
from tests.page.situations import COLOURS, ShowingTable, situations
from tests.page.test_browser_fits import WRONG

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("game", "began", "one"),
    [
        ("mia", "6 lives", "1 life"),
        ("liars_dice", "5 dice", "1 die"),
        ("bricrius_bluff", "5 dice", "1 die"),
        ("sigily", "9 coins", "1 coin"),
        ("down_the_danube", "4 off", "1 off"),
    ],
)
def test_what_the_scores_count_is_told_on_the_scoreboard_and_at_the_end(
    tmp_path: Path, screen: OpenScreen, game: str, began: str, one: str
) -> None:
    *_, end = situations(game)
    few = replace(end.match, scores=dict.fromkeys(end.match.scores, 1))
    table = ShowingTable(tmp_path)
    with served(table) as server:
        kiosk = screen(server)
        first = situations(game)[0]
        many = dict.fromkeys(first.match.scores, int(began[0]))
        table.show(replace(first, match=replace(first.match, scores=many)).snapshot())
        kiosk.sees("#scores li", began)
        table.show(replace(end, match=few).snapshot())
        kiosk.sees("#ending .points", one)
        noun, of_one = began.split()[1], one.split()[1]
        assert noun == of_one or noun not in kiosk.reads("#ending .finish")


def test_the_games_of_a_match_that_a_player_has_won_are_stars(tmp_path: Path, screen: OpenScreen) -> None:
    first, *_, end = situations("high_rollin")
    ann, ben, *_ = first.match.games_won
    nobody = dict.fromkeys(first.match.games_won, 0)
    table = ShowingTable(tmp_path)
    with served(table) as server:
        kiosk = screen(server)
        table.show(replace(first, match=replace(first.match, games_won=nobody)).snapshot())
        kiosk.sees("#scores .points")
        kiosk.sees_no("#scores .games")
        won = nobody | {ben: 1}
        table.show(replace(first, match=replace(first.match, games_won=won)).snapshot())
        kiosk.sees(f"#scores [data-player='{ben}'] .points [aria-label='1 game won']", "★")
        kiosk.sees_count("#scores .games", 1)
        table.show(replace(end, match=replace(end.match, games_won=won | {ann: 2})).snapshot())
        kiosk.sees("#ending li:not(.poster) [aria-label='1 game won']", "★")


def test_other_scores_have_no_noun(serve: ServeTable, screen: OpenScreen) -> None:
    assert screen(serve("pig", "Ann:green", "Ben:red", start="Ann")).reads("#scores .points") == "0"


def test_mia_is_played_with_the_cup(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("mia", "Ann:green", "Ben:red", start="Ann", hand=[3, 1])
    kiosk = screen(server)
    kiosk.sees("#throw", "Throw under the cup")
    kiosk.sees_count("#choices [data-option=ready]:not(#throw)", 0)
    kiosk.taps("#throw")
    kiosk.taps("#look")
    kiosk.sees("#look [aria-label='Under the cup: 3, 1']")
    kiosk.taps("#look")
    kiosk.sees("#look", "Look under the cup")
    kiosk.taps("[data-option='43']")
    kiosk.sees("#throw", "Call liar, and lift the cup")
    kiosk.sees_no("#look")
    kiosk.taps("#throw")
    kiosk.sees("#rulings", "31 lay under the cup")


def test_believing_in_mia_throws_with_the_same_tap(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("mia", "Ann:green", "Ben:red", start="Ann", hand=[3, 1, 6, 5])
    kiosk = screen(server)
    kiosk.taps("#throw")
    kiosk.taps("[data-option='43']")
    kiosk.sees("#turn[data-player=Ben]")
    kiosk.taps("[data-option=believe]")
    kiosk.sees("#prompt", "Announce 51 or higher.")
    kiosk.taps("#look")
    kiosk.sees("#look [aria-label='Under the cup: 6, 5']")


def test_nobody_is_said_to_throw_the_dice_under_a_lifted_cup(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("mia", "Ann:green", "Ben:red", start="Ann", hand=[3, 1])
    kiosk = screen(server)
    kiosk.taps("#throw")
    kiosk.taps("[data-option='43']")
    kiosk.taps("#throw")
    kiosk.sees("#rulings", "31 lay under the cup")
    kiosk.sees(
        "#heard",
        "Ben lifted the cup off 3 and 1. "
        "Ben calls Ann a liar: 31 lay under the cup, less than 43, and Ann loses a life.",
    )
    kiosk.taps("#tab-sheet")
    kiosk.sees(".story", "Ben lifted the cup off 3 and 1.")
    assert "Ben threw" not in kiosk.reads(".story")


def both_throw_under_their_cups(kiosk: Screen) -> None:
    for name in ("Ann", "Ben"):
        kiosk.sees(f"#turn[data-player={name}]")
        kiosk.taps("#throw")


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_what_happened_is_no_longer_said_after_the_next_turn(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("liars_dice", "Ann:green", "Ben:red", hand=[1, 2, 3, 4, 5])
    looking = screen(server, size)
    for face in (5, 3):
        server.table.throws(face)
    both_throw_under_their_cups(looking)
    looking.sees("#turn[data-player=Ann]", "How many dice")
    assert looking.counts("#rulings li") == 0, "that Ann opens is known by now"


def test_dice_are_covered_again_for_the_next_player(serve: ServeTable, screen: OpenScreen) -> None:
    hand = [1, 2, 3, 4, 5, 6, 6, 6, 6, 6]
    kiosk = screen(serve("liars_dice", "Ann:green", "Ben:red", start="Ann", hand=hand))
    both_throw_under_their_cups(kiosk)
    kiosk.taps("#look")
    kiosk.sees("#look [aria-label='Under the cup: 1, 2, 3, 4, 5']")
    kiosk.page.fill(".amount .count", "11")
    kiosk.sees("#bid:disabled", "Only 10 dice are in play")
    kiosk.taps("[aria-label='one less']")
    assert kiosk.counts("[aria-label='one more']:disabled")
    kiosk.page.fill(".amount .count", "1")
    kiosk.taps("#bid")
    kiosk.sees("#turn[data-player=Ben]")
    kiosk.sees("#look", "Look under the cup")


@pytest.mark.parametrize("size", [*SCREENS.values(), TELEVISION], ids=[*SCREENS, "television"])
@pytest.mark.parametrize(("game", "ends"), [("liars_dice", "call"), ("bricrius_bluff", "challenge")])
def test_the_result_of_a_challenge_is_the_news_of_every_screen(
    serve: ServeTable, screen: OpenScreen, game: str, ends: str, size: tuple[int, int]
) -> None:
    server = serve(game, "Ann:green", "Ben:red", start="Ann", hand=[2, 2, 2, 2, 3])
    looking = screen(server, size)
    both_throw_under_their_cups(looking)
    looking.page.fill(".amount .count", "9")
    looking.taps("#bid")
    looking.taps(f"[data-option={ends}]")
    for name in ("Ann", "Ben"):
        looking.sees(f"#turn[data-player={name}]", "Lift your cup")
        looking.sees(".news", f"{'calls' if ends == 'call' else 'challenges'} Ann's nine 2s")
        looking.taps("#throw")
    looking.sees(".rulings .news", "Ann loses a die")
    assert looking.evaluates("getComputedStyle(document.querySelector('.rulings .news')).fontWeight") == "700"
    assert looking.evaluates(WRONG) == []


@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])
def test_lifted_dice_that_count_are_marked(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("bricrius_bluff", "Ann:green", "Ben:red", start="Ann", hand=[1, 2, 2, 5, 3])
    looking = screen(server, size)
    both_throw_under_their_cups(looking)
    looking.page.fill(".amount .count", "8")
    looking.taps("#bid")
    looking.taps("[data-option=challenge]")
    looking.sees("#turn[data-player=Ann]", "Lift your cup")
    looking.taps("#throw")
    looking.sees(".so-far.news", "Ben challenges Ann's eight 2s: three count so far")
    looking.sees("#lifted", "Ann: 1 counts, 2 counts, 2 counts, 3, 5")
    looking.sees_count("#lifted .counts", 3)
    assert looking.evaluates(WRONG) == []
    looking.taps("#throw")
    looking.sees("#turn", "under your cup")
    looking.sees(".board .bid", "6 of 8 ×")
    looking.sees_count(".board .lying", 10)
    looking.sees_count(".board .lying.counts", 6)
    looking.sees("#so-far", "Ben challenges Ann's eight 2s")
    looking.sees(".rulings .news", "Ann loses two dice")


@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])
def test_the_dice_of_a_called_bid_are_counted_along_without_a_board(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("liars_dice", "Ann:green", "Ben:red", start="Ann", hand=[1, 2, 2, 5, 3])
    looking = screen(server, size)
    both_throw_under_their_cups(looking)
    assert not looking.counts("#lifted")
    looking.page.fill(".amount .count", "8")
    looking.taps("#bid")
    looking.taps("[data-option=call]")
    looking.sees("#turn[data-player=Ann]", "Lift your cup")
    looking.taps("#throw")
    looking.sees(".so-far.news", "Ben calls Ann's eight 2s a lie: three count so far")
    looking.sees("#lifted", "Ann: 1 counts, 2 counts, 2 counts, 3, 5")
    assert looking.evaluates(WRONG) == []
    looking.taps("#throw")
    looking.sees("#turn", "under your cup")
    looking.sees_count("#lifted .counts", 6)
    looking.sees(".rulings .news", "Ann loses a die")
    assert looking.evaluates(WRONG) == []
    both_throw_under_their_cups(looking)
    looking.sees("#bid")
    looking.sees_no("#lifted")


@pytest.mark.parametrize(
    ("players", "size", "share"),
    [(3, LAPTOP, 0.068), (3, TELEVISION, 0.068), (5, LAPTOP, 0.04), (5, TELEVISION, 0.055)],
)
def test_lifted_dice_are_large_on_a_large_screen_and_leave_room_for_the_news(
    serve: ServeTable, screen: OpenScreen, players: int, size: tuple[int, int], share: float
) -> None:
    names = ("Ann", "Maximiliane-Charlotte", "Cal", "Cú Chulainn Mac Sualtam", "Eoghan")[:players]
    seats = [f"{name}:{colour}" for name, colour in zip(names, COLOURS, strict=False)]
    server = serve("liars_dice", *seats)
    for face in (2, 6, 4, 3, 5)[:players]:
        server.table.throws(face)
    answers: list[Answer] = [*[Chosen("ready")] * players, Bid(12, 6), Chosen("call")]
    for answer in answers:
        server.table.do(actions.SubmitAnswer(server.table.snapshot.number, answer))
    for _ in names:
        server.table.throws(6, 6, 1, 2, 2)
    looking = screen(server, size)
    looking.sees_count("#lifted li", players)
    rows = [box_of(die) for die in looking.page.locator("#lifted .counts").all()]
    assert min(row["height"] for row in rows) > share * size[1]
    list_, news = looking.box("#rulings"), looking.box("#rulings .news")
    assert news["x"] < list_["x"] + list_["width"], "the news is not wrapped out of sight"
    assert looking.evaluates(WRONG) == []


def test_a_bid_to_raise_is_large_on_a_television(serve: ServeTable, screen: OpenScreen) -> None:
    looking = screen(serve("liars_dice", "Ann:green", "Ben:red", start="Ann", hand=[1]), TELEVISION)
    both_throw_under_their_cups(looking)
    looking.taps("#bid")
    looking.sees("#turn[data-player=Ben]")
    assert looking.box("#above .inline-die")["height"] > 0.075 * TELEVISION[1]
    assert looking.evaluates(WRONG) == []


def three_are_ready_and_answer(server: Served, *answers: Answer) -> None:
    """Three players throw under their cups, and these answers follow."""
    for answer in (*[Chosen("ready")] * 3, *answers):
        server.table.do(actions.SubmitAnswer(server.table.snapshot.number, answer))


def test_the_scores_stand_as_the_players_sit_and_a_loss_is_told_once(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("liars_dice", "Ann:green", "Ben:red", "Cal:blue")
    kiosk = screen(server)
    for face in (2, 6, 4):
        server.table.throws(face)
    kiosk.sees("#turn[data-player=Ben]")
    assert kiosk.evaluates("[...document.querySelectorAll('#scores li')].map(e => e.dataset.player)") == [
        "Ben", "Cal", "Ann",
    ]  # fmt: skip
    three_are_ready_and_answer(server, Bid(12, 6), Chosen("call"))
    for _ in range(3):
        server.table.throws(6, 6, 1, 2, 2)
    kiosk.sees("#turn[data-player=Ben]", "Throw four dice under your cup")
    assert [li.inner_text() for li in kiosk.page.locator("#rulings li").all()] == [
        "Nine dice count (six 6s and three aces): Ben's bid of twelve 6s was wrong, and Ben loses a die.",
        "Cal calls Ben's twelve 6s a lie.",
        "Sit clockwise in this order: Ben, Cal and Ann. Ben opens.",
    ]


def test_what_several_players_lose_is_told_once(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("bricrius_bluff", "Ann:green", "Ben:red", "Joann:blue", start="Ben")
    kiosk = screen(server)
    three_are_ready_and_answer(server, Bid(3, 6), Chosen("challenge"))
    for _ in range(3):
        server.table.throws(6, 2, 3, 4, 5)
    kiosk.sees("#rulings li", "lose a die each")  # the same prompt stood there at the start
    kiosk.sees("#turn[data-player=Ben]", "Throw five dice under your cup")
    assert [li.inner_text() for li in kiosk.page.locator("#rulings li").all()] == [
        "Three dice count: Ben's bid of three 6s was exactly right. Ann and Joann lose a die each."
    ]


def test_all_dice_of_the_next_face_are_suggested_above_all(serve: ServeTable, screen: OpenScreen) -> None:
    hand = [1, 2, 3, 4, 5, 6, 6, 6, 6, 6]
    kiosk = screen(serve("liars_dice", "Ann:green", "Ben:red", start="Ann", hand=hand))
    both_throw_under_their_cups(kiosk)
    kiosk.page.fill(".amount .count", "10")
    kiosk.taps("#bid")
    kiosk.sees("#turn[data-player=Ben]")
    kiosk.taps("#bid")
    kiosk.sees("#turn[data-player=Ann]")
    assert kiosk.reads("#above").startswith("The bid: 10 ×")
    assert kiosk.counts("#bid[aria-label='bid 10 dice of face 4']")


def test_a_bid_that_is_too_low_is_dim_and_says_why(serve: ServeTable, screen: OpenScreen) -> None:
    hand = [1, 2, 3, 4, 5, 6, 6, 6, 6, 6]
    kiosk = screen(serve("liars_dice", "Ann:green", "Ben:red", start="Ann", hand=hand))
    both_throw_under_their_cups(kiosk)
    kiosk.page.fill(".amount .count", "4")
    kiosk.taps("[data-face='5']")
    assert not kiosk.counts("#bid[aria-disabled]")
    kiosk.taps("#bid")
    kiosk.sees("#above", "The bid: 4 ×")
    kiosk.taps("[aria-label='one less']")
    kiosk.sees("#bid[aria-disabled][aria-label='bid 4 dice of face 5']")
    kiosk.page.locator("#bid").click(force=True)
    kiosk.sees("#notice", "Four 5s do not raise four 5s")
    kiosk.taps("[data-face='6']")
    kiosk.sees("#bid:not([aria-disabled])")
    kiosk.taps("[data-face='1']")
    kiosk.sees("#bid:not([aria-disabled])")
    kiosk.page.fill(".amount .count", "1")
    kiosk.sees("#bid[aria-disabled]")
    kiosk.console_errors.clear()


def test_the_dice_to_push_out_are_chosen(serve: ServeTable, screen: OpenScreen) -> None:
    hand = [6, 6, 6, 6, 6, 1, 2, 3, 4, 5]
    server = serve("bricrius_bluff", "Ann:green", "Ben:red", start="Ann", push="on", hand=hand)
    kiosk = screen(server)
    both_throw_under_their_cups(kiosk)
    kiosk.taps("#bid")
    kiosk.sees("#turn[data-player=Ben]")
    kiosk.taps("#bid")
    kiosk.taps("[data-option='2']")
    kiosk.sees("#throw", "Push them out")
    kiosk.taps("#look")
    kiosk.sees_count("#push-out [data-under]", 5)
    assert kiosk.evaluates(WRONG) == []
    assert kiosk.page.locator("#push").is_disabled()
    kiosk.taps("[data-under='1']")
    kiosk.taps("[data-under='3']")
    kiosk.taps("#push")
    kiosk.sees("#so-far, #rulings", "Ben pushes out 2 and 4")


@pytest.mark.parametrize(
    ("push", "address", "why"),
    [
        ([2, 2], "127.0.0.1", "Choose 2 of the dice that lie under your cup."),
        ([2], "127.0.0.1", "Choose 2 of the dice that lie under your cup."),
        (["2", "4"], "127.0.0.1", "“push” is a list of faces under the cup, such as [5, 5]."),
        ([2, 4], "192.168.1.7", "Only the own screen of a simulated table chooses dice under a cup."),
    ],
)
def test_only_dice_under_the_own_cup_can_be_pushed_out(
    sit_down: SitDown, push: list[object], address: str, why: str
) -> None:
    hand = [6, 6, 6, 6, 6, 1, 2, 3, 4, 5]
    guest = sit_down("bricrius_bluff", "Ann:green", "Ben:red", start="Ann", push="on", hand=hand)
    for _ in ("Ann", "Ben"):
        guest.does("hand")
    for count in (2, 3):
        guest.does("answer", answer={"bid": {"count": count, "face": 5}})
    guest.does("answer", answer={"choose": "2"})
    number = guest.table.snapshot.number
    asked = {"json": {"number": number, "push": push}, "environ_base": {"REMOTE_ADDR": address}}
    assert guest.http.post("/api/hand", **asked).get_json()["error"] == why
    assert guest.does("hand", push=[4, 2])[0] == 200


@pytest.mark.parametrize("size", [*SCREENS.values(), TELEVISION], ids=[*SCREENS, "television"])
@pytest.mark.parametrize(("game", "throws"), [("mia", 1), ("liars_dice", 2), ("bricrius_bluff", 2)])
def test_the_look_under_the_cup_fits_every_screen(
    serve: ServeTable, screen: OpenScreen, game: str, throws: int, size: tuple[int, int]
) -> None:
    hand = [1, 2, 3, 4, 5, 6, 6, 6, 6, 6]
    looking = screen(serve(game, "Ann:green", "Ben:red", start="Ann", hand=hand), size)
    for name in ("Ann", "Ben")[:throws]:
        looking.sees(f"#turn[data-player={name}]")
        looking.taps("#throw")
    looking.taps("#look")
    looking.sees("#look [role=img]")
    assert looking.evaluates(WRONG) == []
