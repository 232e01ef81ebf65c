"""Moves that are made on the board: what can be tapped is marked, and a tap means what is nearest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import Any

import pytest

from table.page.api import snapshot_json
from table.rules.entered_prompts import Pick
from table.rules.game import Ruling
from table.rules.prompts import Choose, Option
from tests.page.browsing import (
    KIOSK,
    LAPTOP,
    PHONE,
    SCREENS,
    SETTLED,
    TIMEOUT_MS,
    OpenScreen,
    Screen,
    Screens,
    box_of,
    module,
)
from tests.page.conftest import ServeTable
from tests.page.serving import served
from tests.page.situations import ShowingTable, Situation, situations

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("prompt_games")]

BOTH = pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])

CAN = """Object.fromEntries(
    [...document.querySelectorAll('[data-can]')].map(e => [e.dataset.spot, e.dataset.can]))"""
"""Script: how each spot can be tapped."""

OFFERED = """[...document.querySelectorAll('[data-option]')]
    .filter(e => e.checkVisibility({visibilityProperty: true})).map(e => e.dataset.option)"""
"""Script: the options that have a button in sight."""


def spot(number: int | str, part: str = "") -> str:
    return f"[data-spot='spot {number}']{part}"


def can(looking: Screen) -> dict[str, str]:
    """How each spot can be tapped, by the number of the spot."""
    return {name.removeprefix("spot "): how for name, how in looking.evaluates(CAN).items()}


@pytest.fixture
def laptop(serve: ServeTable, screen: OpenScreen) -> Screen:
    opened = screen(serve("moves", "Ann:green", "Ben:red"), LAPTOP)
    opened.sees("#board")
    return opened


def test_pieces_that_may_move_and_their_places_are_marked(laptop: Screen) -> None:
    assert can(laptop) == {
        "1": "piece", "3": "piece", "11": "piece",
        "0": "perhaps", "2": "perhaps", "5": "perhaps", "7": "perhaps",
    }  # fmt: skip
    laptop.taps(spot(1))
    assert can(laptop) == {"1": "chosen", "3": "piece", "11": "piece", "2": "place", "5": "place"}
    laptop.taps(spot(1))
    assert can(laptop)["1"] == "piece", "a second tap leaves it"
    assert not laptop.page.locator("#rulings li").count(), "nothing is answered"


@pytest.mark.parametrize(
    ("tapped", "answered"),
    [
        ([spot(1), spot(5)], "1 to 5"),
        ([spot(3), spot(5)], "3 to 5"),
        ([spot(1), spot(3), spot(5)], "3 to 5"),
        ([spot(2)], "1 to 2"),
        ([spot(11)], "11 stays"),
        ([spot(0)], "4 comes in"),
        (["[data-off='4']", spot(0)], "4 comes in"),
        ([spot(5), ".which :text('Chariot 3 to 5')"], "3 to 5"),
        ([spot(3), spot(7), ".which :text-is('Chariot 3 to 7')"], "3 to 7"),
        ([spot(3), spot(7), ".which :text('and back')"], "3 to 7 and back"),
        (["[data-option=none]"], "none"),
    ],
)
def test_taps_on_the_board_answer(laptop: Screen, tapped: list[str], answered: str) -> None:
    for selector in tapped:
        assert not laptop.page.locator("#rulings li").count()
        laptop.taps(selector)
    laptop.sees("#rulings", f"Ann answered {answered}.")


def test_the_squares_of_the_last_move_are_marked(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("down_the_danube", "Ann:green", "Ben:red", start="Ann")
    looking = screen(server, LAPTOP)
    server.table.throws_sticks("white", "black", "black", "black")
    looking.taps("[data-option] >> nth=0")
    looking.sees("#turn", "Throw the four sticks again")
    looking.taps("#show-board")
    looking.sees_count(".board .moved", 2)
    looking.opens(server.url)
    looking.taps("#show-board")
    looking.sees(".board")
    assert not looking.counts(".board .moved"), "a screen that opens later has seen no move"


def test_a_choice_on_the_board_can_be_taken_back(laptop: Screen) -> None:
    laptop.taps(spot(2))
    laptop.sees("#rulings", "Ann answered 1 to 2.")
    laptop.taps("#take-back")
    laptop.sees("#rulings", "Ann takes back")
    assert can(laptop)["1"] == "piece"


def test_a_tap_elsewhere_closes_the_question_and_tells_what_lies_there(laptop: Screen) -> None:
    laptop.taps(spot(5))
    laptop.sees_count(".which button", 2)
    laptop.taps(spot(8, " .spot"))
    laptop.sees_no(".which")
    laptop.sees("#notes .tapped", "White: nothing")


def test_the_board_works_with_the_keyboard_and_has_words_for_a_screen_reader(laptop: Screen) -> None:
    piece = laptop.page.locator(spot(1))
    assert piece.get_attribute("aria-label") == "place 1: Ann 1, one coin; can move"
    piece.focus()
    laptop.page.keyboard.press("Enter")
    laptop.sees(".board [role=status]", "Chariot 1 to 2; Chariot 1 to 5")
    assert piece.get_attribute("aria-pressed") == "true"
    place = laptop.page.locator(spot(5))
    assert place.get_attribute("aria-label") == "Safe: one coin; Chariot 1 to 5"
    laptop.page.keyboard.press("Tab")
    assert laptop.evaluates("document.activeElement.dataset.spot") == "spot 2"
    place.focus()
    laptop.page.keyboard.press(" ")
    laptop.sees("#rulings", "Ann answered 1 to 5.")


def test_a_screen_reader_presses_a_spot_without_a_place_on_the_screen(laptop: Screen) -> None:
    laptop.evaluates(
        f"document.querySelector(\"{spot(2)}\").dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
    )
    laptop.sees("#rulings", "Ann answered 1 to 2.")


# -- real games ----------------------------------------------------------------------------------------------

TAPPED = (
    ("sigily", "choose"),
    ("down_the_danube", "choose many"),
    ("bricrius_bluff", "bid"),
    ("high_rollin", "choose many"),
    ("highland", "choose many"),
)


class Board:
    """A board on a screen that shows played positions, and the answers that its taps send."""

    def __init__(self, screen: Screen, table: ShowingTable) -> None:
        self.screen = screen
        self._table = table
        self._shown = 0
        self.sent: list[Any] = []
        screen.page.route("**/api/answer", self._keep)

    def _keep(self, route: Any) -> None:
        self.sent.append(json.loads(route.request.post_data)["answer"])
        route.fulfill(json=snapshot_json(self._table, self._table.snapshot))

    def shows(self, situation: Situation, same: bool = False) -> list[dict[str, Any]]:
        """Shows the position anew; its moves. same: with the same number as the position before."""
        self._shown += not same
        anew = replace(situation.match, at=situation.match.at + self._shown)
        seq = self._table.show(replace(situation, match=anew).snapshot())
        self.screen.page.wait_for_function(SETTLED, arg=seq, timeout=TIMEOUT_MS)
        assert situation.match.prompt is not None
        return situation.match.prompt.moves

    def answered(self) -> list[Any]:
        """The answers that the page sent, at least one unless none comes in time."""
        for _ in range(100):
            if self.sent:
                break
            self.screen.page.wait_for_timeout(20)
        return self.sent

    def taps(self, id_: str, dx: float = 0, dy: float = 0) -> None:
        """Taps so many px beside the middle of the spot."""
        middle = self.screen.evaluates(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
            f"(document.querySelector(\"[data-spot='{id_}'] .finger\").getBoundingClientRect())"
        )
        self.screen.page.mouse.click(middle[0] + dx, middle[1] + dy)

    def can_be_touched(self) -> dict[str, tuple[float, float]]:
        """The middle of each spot that can be tapped and is on the screen, px."""
        middles = self.screen.evaluates("""Object.fromEntries(
            [...document.querySelectorAll('[data-can]')].map(e => [
                e.dataset.spot, e.querySelector('.finger').getBoundingClientRect()]).map(([name, r]) =>
                [name, [r.x + r.width / 2, r.y + r.height / 2]]).filter(([name, [x, y]]) =>
                document.elementFromPoint(x, y)?.closest('#board svg')))""")
        return {name: (x, y) for name, (x, y) in middles.items()}


@pytest.fixture(scope="module")
def board(screens: Screens, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    table = ShowingTable(tmp_path_factory.mktemp("table"))
    with served(table) as server, screens.one(KIOSK, fresh=True) as looking:
        yield Board(looking.opens(server.url), table)
        assert looking.console_errors == []


def situation_of(game: str, kind: str) -> Situation:
    return next(each for each in situations(game) if each.kind == kind)


def test_the_board_and_the_buttons_beside_it_show_the_same_piece(board: Board) -> None:
    board.screen.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    moves = board.shows(situation_of("down_the_danube", "choose many"))
    first, second, *_ = dict.fromkeys(move["piece"] for move in moves if "piece" in move)
    of = {piece: {m["choose"] for m in moves if m.get("piece") == piece} for piece in (first, second)}
    board.taps(second)
    assert set(board.screen.evaluates(OFFERED)) == of[second]
    assert board.screen.counts("[data-group][aria-pressed=true]") == 1
    board.screen.page.locator("[data-group]").first.click()
    assert set(board.screen.evaluates(OFFERED)) == of[first]
    board.screen.sees(f"[data-spot='{first}'][data-can=chosen]")


def test_a_die_that_is_tapped_on_the_board_leaves_only_its_ways_in_the_list(board: Board) -> None:
    board.screen.page.set_viewport_size({"width": KIOSK[0], "height": KIOSK[1]})
    moves = board.shows(situation_of("high_rollin", "choose some"))
    every = [*(move["choose"] for move in moves), "fell"]
    of_one = {m["choose"] for m in moves if m["off"] == {"colour": "yellow", "face": 1}}
    board.screen.taps("[data-off='yellow 1']")
    assert set(board.screen.evaluates(OFFERED)) == of_one | {"fell"} != set(every)
    board.screen.taps("[data-off='yellow 1']")
    assert board.screen.evaluates(OFFERED) == every


def test_the_only_way_of_a_piece_is_none_of_the_piece_that_is_chosen(board: Board) -> None:
    """It stood among them, and one tap moved another piece."""
    position = situation_of("down_the_danube", "choose many")
    prompt = position.match.prompt
    assert isinstance(prompt, Choose)
    piece = next(o.move.piece for o in reversed(prompt.options) if o.move)
    last = [o for o in prompt.options if o.move and o.move.piece == piece]
    fewer = replace(prompt, options=tuple(o for o in prompt.options if o not in last[1:]))
    moves = board.shows(replace(position, match=replace(position.match, prompt=fewer)))
    ways: dict[str, set[str]] = {}
    for move in moves:
        ways.setdefault(move["piece"], set()).add(move["choose"])
    offered: list[set[str]] = []
    for n in range(board.screen.counts("[data-group]")):
        board.screen.page.locator("[data-group]").nth(n).click()
        offered.append(set(board.screen.evaluates(OFFERED)))
    assert offered == list(ways.values())
    assert len(offered[-1]) == 1


@BOTH
@pytest.mark.parametrize(("game", "kind"), TAPPED, ids=[game for game, _ in TAPPED])
def test_every_move_of_a_game_can_be_made_on_its_board(
    board: Board, size: tuple[int, int], game: str, kind: str
) -> None:
    board.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    position = situation_of(game, kind)
    moves = position.match.prompt.moves if position.match.prompt else []
    assert len(moves) > 1
    for move in moves:
        board.shows(position)
        board.sent.clear()
        make(board, move, alone=len({json.dumps([m.get("piece"), m.get("off")]) for m in moves}) == 1)
        if "choose" in move:
            assert board.answered() == [{"choose": move["choose"]}]
        else:
            count, faces = move["bid"]["count"], move["bid"]["faces"]
            assert not board.sent, "a bid is confirmed"
            board.screen.taps("#bid")
            assert [(b["bid"]["count"], b["bid"]["face"] in faces) for b in board.answered()] == [
                (count, True)
            ]


def make(board: Board, move: dict[str, Any], alone: bool) -> None:
    """Makes the move with taps. alone: all moves are of one piece, which needs no tap."""
    if "off" in move:
        off = move["off"]
        board.screen.taps(f"[data-off='{off.get('text') or '{colour} {face}'.format(**off)}']")
    elif "piece" in move and not alone:
        board.taps(move["piece"])
    if "to" in move or alone:
        board.taps(move["to"] if "to" in move else move["piece"])


@BOTH
@pytest.mark.parametrize(("game", "kind"), TAPPED, ids=[game for game, _ in TAPPED])
def test_what_can_be_tapped_is_as_wide_as_a_finger_or_reaches_half_way_to_the_next(
    board: Board, size: tuple[int, int], game: str, kind: str
) -> None:
    """A tap 20 px beside the middle of a spot, or just before the half of the way to the next, means it."""
    board.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    board.shows(situation_of(game, kind))
    middles = board.screen.evaluates("""[...document.querySelectorAll('[data-can]')].map(e => {
        const r = e.querySelector('.finger').getBoundingClientRect();
        return [e.dataset.spot, r.x + r.width / 2, r.y + r.height / 2];
    })""")
    assert middles
    for name, x, y in middles:
        others = [((x - x2) ** 2 + (y - y2) ** 2) ** 0.5 for n, x2, y2 in middles if n != name]
        reach = min(20.0, 0.48 * min(others, default=100))
        for turn in range(8):
            dx, dy = reach * cos(turn * pi / 4), reach * sin(turn * pi / 4)
            assert hit(board.screen, x + dx, y + dy) == name, (name, dx, dy)


@pytest.fixture
def fallen(board: Board) -> Board:
    board.screen.page.set_viewport_size({"width": KIOSK[0], "height": KIOSK[1]})
    board.shows(situation_of("high_rollin", "pick"))
    return board


MARKED = "[...document.querySelectorAll('[data-item][aria-pressed=true]')].map(e => e.dataset.item)"
"""Script: the items that are picked, in the list beside the board."""

RINGED = "[...document.querySelectorAll('.tower svg:has(.fell)')].map(e => e.dataset.item)"
"""Script: the dice of the towers that are marked as fallen."""


def test_a_tower_on_which_the_chosen_die_does_not_go_says_so(board: Board) -> None:
    board.shows(situation_of("high_rollin", "choose"))
    board.screen.taps("[data-off] >> nth=0")
    board.screen.taps("[data-spot=tower1]")
    board.screen.sees("#notes .tapped", "tower 1, 1 high: red 2; a 4 does not go on a 2")


@pytest.mark.parametrize("finger", [True, False], ids=["finger", "key"])
def test_a_die_that_fell_is_tapped_in_its_tower(fallen: Board, finger: bool) -> None:
    tower = fallen.screen.page.locator("[data-spot=tower3]")
    if finger:
        tower.locator(".mat").tap()
    else:
        tower.focus()
        fallen.screen.page.keyboard.press("Enter")
    buttons = fallen.screen.page.locator(".which [data-item]")
    buttons.first.wait_for()
    levels = [button.get_attribute("data-item") for button in buttons.all()]
    assert levels == ["t3.6", "t3.5", "t3.4", "t3.3", "t3.2"], "from the top, and not the base"
    assert all(min(box_of(button)["width"], box_of(button)["height"]) >= 44 for button in buttons.all())
    if finger:
        buttons.nth(2).tap()
    else:
        fallen.screen.page.keyboard.press("Tab")
        fallen.screen.page.keyboard.press("Tab")
        fallen.screen.page.keyboard.press("Enter")
    fallen.screen.sees("#pick", "These 3 fell")
    assert fallen.screen.evaluates(MARKED) == ["t3.4"]
    assert fallen.screen.evaluates(RINGED) == ["t3.6", "t3.5", "t3.4"], "what stood on it fell too"
    fallen.screen.sees_no(".which")


def test_what_stood_on_a_carried_die_fell_with_it_and_not_with_the_tower(fallen: Board) -> None:
    fell = situation_of("high_rollin", "pick")
    asked = fell.match.prompt
    assert isinstance(asked, Pick)
    levels = {
        item: replace(place, carried=place.spot == "tower3" and place.level > 3)
        for item, place in asked.levels.items()
    }
    match = replace(fell.match, prompt=replace(asked, levels=levels))
    fallen.shows(replace(fell, match=match), same=True)
    fallen.screen.taps("[data-tower=tower3]")
    assert fallen.screen.reads(".in-tower .top") == "carried"
    fallen.screen.taps("[data-item='t3.3']:not(svg)")
    fallen.screen.sees("#pick", "This one fell")
    fallen.screen.taps("[data-item='t3.5']:not(svg)")
    fallen.screen.sees("#pick", "These 3 fell")
    assert fallen.screen.evaluates(RINGED) == ["t3.6", "t3.5", "t3.3"]
    assert fallen.screen.evaluates(
        "document.querySelector('.in-tower [data-item=\"t3.6\"]').matches('[data-fell]')"
    )


def test_the_focus_goes_with_the_keyboard_from_one_tower_to_the_next(fallen: Board) -> None:
    for tower in ("tower3", "tower2"):
        fallen.screen.page.locator(f"[data-spot={tower}]").focus()
        fallen.screen.page.keyboard.press("Enter")
        fallen.screen.sees(".which p", f"Tower {tower[-1]}")
        fallen.screen.sees(".which [data-item]:focus")
        assert fallen.screen.evaluates("document.activeElement.matches('.which button:first-child')")


def test_what_was_marked_for_one_prompt_is_not_marked_for_another_one(fallen: Board) -> None:
    """After a choice was taken back, another prompt can have the same number."""
    fell = situation_of("high_rollin", "pick")
    asked = fell.match.prompt
    assert isinstance(asked, Pick)
    pile = tuple(Option(f"red{i}", "red") for i in range(12))
    taken = replace(asked, items=pile, levels={}, least=5, most=5, purpose="", text="Ann: take five dice.")
    fallen.shows(replace(fell, match=replace(fell.match, prompt=taken)), same=True)
    for _ in range(5):
        fallen.screen.taps("[data-pile=red]")
    fallen.screen.sees("#pick", "Take these 5")
    few = replace(asked, items=asked.items[:3], least=1, most=3)
    for prompt, said in ((few, "Tap the dice"), (taken, "Tap the dice (5)")):
        fallen.shows(replace(fell, match=replace(fell.match, prompt=prompt)), same=True)
        fallen.screen.sees("#pick:disabled", said)
        assert fallen.screen.evaluates(MARKED) == []
        assert fallen.screen.counts("[data-item]:disabled") == 0


def test_a_mouse_taps_a_small_die_in_its_tower_at_once(fallen: Board) -> None:
    fallen.screen.page.locator("[data-spot=tower2] [data-item='t2.4']").click()
    fallen.screen.sees("#pick", "These 5 fell")
    assert fallen.screen.evaluates(MARKED) == ["t2.4"]
    fallen.screen.page.locator("[data-spot=tower2] [data-item='t2.4']").click()
    fallen.screen.sees("#pick", "Tap the dice")


def hit(looking: Screen, x: float, y: float) -> str | None:
    """The spot that a tap there means, asked of the page itself."""
    meant: str | None = looking.page.evaluate(
        f"async ([x, y]) => {{ const {{ spotOf }} = await {module('moves.js')};"
        """
            const svg = document.querySelector('#board svg');
            const there = document.elementFromPoint(x, y);
            if (!there?.closest('#board') || there.closest('.by'))
                return 'beside the board: ' + there?.outerHTML.slice(0, 80);
            const drawn = [...svg.querySelectorAll('[data-spot]')].map(e => {
                const f = e.querySelector('.finger');
                const body = e.querySelector('.spot, .mat').getBBox();
                return { r: body.width / 2, spot: {
                    id: e.dataset.spot, x: body.x + body.width / 2, y: body.y + body.height / 2 } };
            });
            const currentTarget = document.querySelector('#board');
            const event = { currentTarget, target: there, detail: 1, clientX: x, clientY: y };
            return spotOf(event, drawn, id => svg.querySelector(`[data-spot='${id}'][data-can]`) !== null);
        }""",
        [x, y],
    )
    return meant


FINGER = 44
"""Least distance in px of two spots that a finger can tell apart."""


def apart(a: tuple[float, float], b: tuple[float, float]) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])
@pytest.mark.parametrize("game", [game for game, _ in TAPPED])
def test_a_finger_that_could_mean_two_spots_enlarges_them_first(
    board: Board, size: tuple[int, int], game: str
) -> None:
    """For every spot that can be tapped in every kind of position, and for a place of each piece, the first
    of one piece and the second of the next."""
    board.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for position in situations(game):
        if position.match.prompt is None or not position.match.prompt.moves or position.match.board is None:
            continue
        board.shows(position)
        for n, name in enumerate(board.can_be_touched()):
            board.shows(position)
            touch_exactly(board, name)
            chosen = [e for e, how in board.screen.evaluates(CAN).items() if how == "chosen"]
            if places := [p for p in board.screen.evaluates(CAN) if chosen and p not in chosen]:
                board.shows(position)
                touch_exactly(board, name)
                touch_exactly(board, places[n % len(places)])


def touch_exactly(board: Board, name: str) -> None:
    """Touches the spot with a finger. If another one is too near, the touch only enlarges both."""
    if name not in board.can_be_touched() and board.screen.counts(".whole"):
        board.screen.page.locator(".whole").tap()
    middles = board.can_be_touched()
    before = board.screen.evaluates(CAN)
    near = [n for n, at in middles.items() if n != name and apart(at, middles[name]) < FINGER - 0.5]
    board.sent.clear()
    board.screen.page.touchscreen.tap(*middles[name])
    if not near:
        return
    board.screen.sees(".whole")
    assert not board.sent, "a tap that could mean two spots answers nothing"
    assert board.screen.evaluates(CAN) == before, "nor does it choose one"
    larger = board.can_be_touched()
    assert name in larger, "the spot under the finger stays in view"
    gaps = {(a, b): apart(larger[a], larger[b]) for a in larger for b in larger if a < b}
    assert {pair: gap for pair, gap in gaps.items() if gap < FINGER} == {}
    covered = """[...document.querySelectorAll('.off button')].map(e => e.getBoundingClientRect()).filter(r =>
        document.elementFromPoint(r.x + r.width / 2, r.y + 3)?.closest('.whole')).length"""
    assert board.screen.evaluates(covered) == 0, "the button covers nothing that can be tapped"
    board.screen.page.touchscreen.tap(*larger[name])


def test_a_finger_plays_a_move_on_a_crowded_board(board: Board) -> None:
    board.screen.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    position = situation_of("sigily", "choose")
    move = next(m for m in board.shows(position) if m.get("piece") and m.get("to"))
    board.sent.clear()
    touch_exactly(board, move["piece"])
    touch_exactly(board, move["to"])
    if board.screen.counts(".which"):
        board.screen.page.locator(".which button").first.tap()
    assert len(board.answered()) == 1


def test_the_whole_board_is_shown_again(board: Board) -> None:
    board.screen.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    board.shows(situation_of("sigily", "choose"))
    whole = board.can_be_touched()
    board.screen.page.touchscreen.tap(*next(iter(whole.values())))
    board.screen.sees(".whole")
    assert min(board.screen.box(".whole")["width"], board.screen.box(".whole")["height"]) >= FINGER
    board.screen.page.locator(".whole").tap()
    board.screen.sees_no(".whole")
    assert board.can_be_touched() == whole


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_dice_beside_the_board_are_large_enough_to_tap(board: Board, size: tuple[int, int]) -> None:
    board.screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    board.shows(situation_of("high_rollin", "choose many"))
    dice = board.screen.page.locator("[data-off]").all()
    assert len(dice) > 1
    for die in dice:
        box = box_of(die)
        assert min(box["width"], box["height"]) >= 44
        assert box["y"] + box["height"] <= size[1]


@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])
def test_what_to_move_back_is_in_sight_after_a_take_back(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve("down_the_danube", "Ann:green", "Ben:red", start="Ann")
    looking = screen(server, size)
    server.table.throws_sticks("white", "white", "black", "black")
    looking.taps("[data-option='11+1']")
    looking.taps("#take-back")
    looking.sees("#rulings", "On the real board, move a nickel from 12 to 11.")


IN_VIEW = """li => [li, li.parentElement].map(e => e.getBoundingClientRect())
    .reduce((line, all) => line.left < all.right && line.top > all.top - 1 && line.bottom < all.bottom + 1)"""
"""Script: whether a line of what happened is in view, and not in the column for those that do not fit."""


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_what_to_move_back_has_room_beside_any_number_of_choices(
    screen: OpenScreen, tmp_path: Path, size: tuple[int, int]
) -> None:
    with served(ShowingTable(tmp_path)) as server:
        looking = screen(server, size)
        for kind in ("choose", "choose some", "choose many"):
            asked = situation_of("high_rollin", kind)
            back = Ruling(
                asked.match.at,
                "Dagmar takes back: “Yellow 1 on red 1, tower 3”. On the real board, move a yellow die from "
                "tower 3 to the dice of this turn.",
                remark=True,
            )
            match = replace(asked.match, rulings=(*asked.match.rulings, back))
            seq = server.table.show(replace(asked, match=match).snapshot())
            looking.page.wait_for_function(SETTLED, arg=seq, timeout=TIMEOUT_MS)
            line = looking.page.locator("#rulings li", has_text="On the real board")
            assert line.evaluate(IN_VIEW), kind


def test_what_fell_leaves_room_for_all_piles(screen: OpenScreen, tmp_path: Path) -> None:
    asked = situation_of("high_rollin", "pick")
    match, board, pick = asked.match, asked.match.board, asked.match.prompt
    assert board is not None
    assert isinstance(pick, Pick)
    pile = tuple(Option(f"{colour}1", colour) for colour in ("red", "green", "blue", "yellow") for _ in "12")
    piles = [note for note in board.notes if "pile" in note]
    fell = Ruling(
        match.at,
        "Four dice fell, red 1, green 6, blue 5 and yellow 2: 6 points for each of the others; two go to "
        "Gráinne of Shore's pile and two go out of the round.",
    )
    shown = replace(
        match,
        prompt=replace(pick, items=pile, levels={}, least=5, most=5, purpose="", text="Ben: take five dice."),
        board=replace(board, notes=(*piles, "Out of the round: 4 red, 2 yellow and 1 green")),
        rulings=(fell,),
    )
    with served(ShowingTable(tmp_path)) as server:
        kiosk = screen(server)
        server.table.show(replace(asked, match=shown).snapshot())
        kiosk.sees("#notes .news", "Four dice fell")
        assert kiosk.counts("#notes .pile") == len(match.seats) + 1
        assert kiosk.evaluates("(e => e.scrollHeight <= e.clientHeight)(document.getElementById('notes'))")
