"""Every kind of prompt on the page, and typed throws, the board, the coach and paper sheets."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from table.common.tray import TrayState
from table.games import GAMES
from table.referee import actions
from table.referee.camera_advice import CAMERA_ADVICE
from table.rules.answers import Answer, Bet, Bid, Chosen, Die, Number, Picked, Sticks, Throw
from table.rules.entered_prompts import AskBid
from table.rules.game import Seat
from table.rules.prompts import Choose
from tests.games.sigily.race_night import RaceNight
from tests.page.browsing import (
    CUT,
    FITS,
    KIOSK,
    LAPTOP,
    OUT_OF_SIGHT,
    PHONE,
    SCREENS,
    SMALL,
    OpenScreen,
    Screen,
    box_of,
    module,
)
from tests.page.conftest import ServeTable
from tests.page.prompt_games import PROMPT_GAMES
from tests.page.serving import Served, served
from tests.page.situations import ShowingTable, situations

if TYPE_CHECKING:
    from playwright.sync_api import Request, Route

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("prompt_games")]

ANN_AND_BEN = ("Ann:green", "Ben:red")


def answers_sent(server: Served) -> list[Answer]:
    """The answers that the page sent, in order."""
    return [action.answer for action in server.table.done if isinstance(action, actions.SubmitAnswer)]


# -- each kind of prompt -------------------------------------------------------------------------------------


def test_sticks_are_entered_by_tapping(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("sticks", *ANN_AND_BEN)
    server.table.moves(TrayState.NO_CAMERA)
    kiosk = screen(server)
    kiosk.sees_count("[data-shows=round]", 4)
    for stick in (1, 3, 3, 3):
        kiosk.taps(f"[data-stick='{stick}']")
    kiosk.taps("#lie-so")
    kiosk.sees("#rulings", "Ann answered round deer round horse.")
    assert answers_sent(server) == [Sticks(("round", "deer", "round", "horse"))]
    kiosk.sees_count("[data-shows=round]", 4)


def test_a_throw_of_sticks_can_be_corrected_on_the_sheet(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("sticks", *ANN_AND_BEN)
    server.table.throws_sticks("horse", "round", "dog", "round")
    kiosk = screen(server)
    kiosk.taps("#tab-sheet")
    kiosk.sees(".story", "Ann threw horse, round, dog and round.")
    kiosk.taps("[data-correct='0']")
    kiosk.sees("#face-dialog")
    shown = [stick.get_attribute("data-shows") for stick in kiosk.page.locator("#face-dialog .stick").all()]
    assert shown == ["dog", "round", "round", "horse"], "each stick shows a face that it has"
    kiosk.taps("[data-stick='2']")
    kiosk.taps("#lie-so")
    kiosk.sees(".story", "Ann answered horse round dog cow.")
    kiosk.sees_no("#face-dialog")


def test_the_tray_is_hidden_while_dice_go_under_a_cup(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("hidden", *ANN_AND_BEN)
    server.table.throws(5, 5)
    kiosk = screen(server)
    kiosk.sees("#cup")
    assert not kiosk.counts(".tray img, [data-place]")
    assert "5" not in kiosk.reads("main").replace("G5", "")  # the number of the rule
    kiosk.taps("[data-option=ready]")
    kiosk.sees("#rulings", "Ann answered hid.")
    assert answers_sent(server) == [Chosen("ready")]


def test_a_small_number_is_chosen_by_tapping(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("few", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.taps("[data-number='3']")
    kiosk.taps("[aria-label='one more']")
    kiosk.sees("#send-number", "Enter 4")
    kiosk.taps("#send-number")
    kiosk.sees("#rulings", "Ann answered 4.")
    kiosk.taps("[data-number='5']")
    assert kiosk.counts("[aria-label='one more']:disabled")
    kiosk.taps("#send-number")
    kiosk.sees("#prompt", "Ann wins")
    assert answers_sent(server) == [Number(4), Number(5)]


def test_one_number_of_two_takes_one_tap(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("one", *ANN_AND_BEN)
    kiosk = screen(server)
    buttons = kiosk.page.locator("#prompt-controls button")
    assert buttons.all_inner_texts() == ["0", "1"]
    assert not kiosk.counts("#prompt-controls input")
    kiosk.taps("[data-number='1']")
    kiosk.sees("#rulings", "Ann answered 1.")
    kiosk.taps("[data-number='0']")
    kiosk.sees("#prompt", "Ann wins")
    assert answers_sent(server) == [Number(1), Number(0)]


def test_a_large_number_is_entered_on_the_keypad(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("much", *ANN_AND_BEN)
    kiosk = screen(server)
    assert kiosk.counts("#send-number:disabled")
    for key in (2, 5, 0, 0, 7, "back", 0):
        kiosk.taps(f"[data-key='{key}']")
    kiosk.sees("#send-number", "Enter 25,000")
    kiosk.taps("#send-number")
    kiosk.sees("#rulings", "Ann answered 25000.")


def test_a_number_that_is_too_large_is_refused_and_can_be_changed(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("much", *ANN_AND_BEN)
    phone = screen(server, PHONE)
    phone.page.fill(".amount .count", "1,000,001")
    phone.taps("#send-number")
    phone.sees("#notice", "A whole number from 0 to 1,000,000 is expected, 1,000,001 came.")
    phone.taps("[aria-label='one less']")
    phone.taps("#send-number")
    phone.sees("#rulings", "Ann answered 1000000.")
    phone.console_errors.clear()


def test_the_suggested_bid_is_above_the_current_one(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("bid", *ANN_AND_BEN)
    kiosk = screen(server)
    assert kiosk.reads("#above").startswith("The bid: 4 ×")
    kiosk.taps("#bid")
    kiosk.sees("#rulings", "Ann answered 5 of 6.")
    kiosk.taps("[data-face='2']")
    kiosk.taps("[aria-label='one more']")
    kiosk.taps("#bid")
    kiosk.sees("#rulings", "Ann answered 6 of 2.")
    assert answers_sent(server) == [Bid(5, 6), Bid(6, 2)]


def test_a_bid_that_is_too_low_is_refused_with_the_reason(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("bid", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.taps("[aria-label='one less']")
    kiosk.taps("#bid")
    kiosk.sees("#notice", "Bid more dice, or a higher face.")
    kiosk.taps("[data-option=call]")
    kiosk.sees("#rulings", "Ann answered call.")
    kiosk.console_errors.clear()


def test_bets_are_placed_one_by_one_until_betting_is_closed(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("bets", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.sees("[data-step=who][aria-expanded=true]", "…")
    for tap in ("[data-bettor=Ann]", "[data-on=even]", "[data-key='1']", "[data-key='2']"):
        kiosk.taps(tap)
    kiosk.sees("#bet", "Ann: 12 on even")
    kiosk.sees("[data-option=close].quiet", "without Ann's 12")
    kiosk.taps("#bet")
    kiosk.sees("[data-option=close]:not(.quiet)")
    kiosk.sees("#so-far", "Ann 12 on even")
    kiosk.sees("[data-step=who][aria-expanded=true]", "…")
    kiosk.sees("[data-step=stake]", "12")
    assert kiosk.counts("#bet:disabled"), "the same tap twice is no second bet"
    for tap in ("[data-bettor=Ben]", "[data-on=high]", "[data-key='9']", "[data-key='9']", "#bet"):
        kiosk.taps(tap)
    kiosk.sees("#notice", "The bank takes 50 at the most.")
    kiosk.taps("[data-key=back]")
    kiosk.taps("#bet")
    kiosk.sees("#so-far", "Ann 12 on even; Ben 9 on high")
    kiosk.taps("[data-option=close]")
    kiosk.sees("#rulings", "Ann answered Ann 12 on even; Ben 9 on high.")
    assert answers_sent(server) == [
        Bet("Ann", "even", 12),
        Bet("Ben", "high", 99),
        Bet("Ben", "high", 9),
        Chosen("close"),
    ]
    kiosk.console_errors.clear()


def test_the_focus_moves_to_the_next_question_of_a_bet(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("bets", *ANN_AND_BEN))
    for pressed, focused in (
        ("[data-bettor=Ann]", "[data-on]"),
        ("[data-on=even]", "[data-key='1'], .stake .step"),
    ):
        kiosk.page.locator(pressed).focus()
        kiosk.page.keyboard.press("Enter")
        kiosk.sees(f":is({focused}):focus")


def test_items_are_picked_from_a_list(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pick", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.taps("[data-item='item 3']")
    kiosk.sees("#pick:disabled", "(2 to 3)")
    for item in (0, 4, 3, 2):
        kiosk.taps(f"[data-item='item {item}']")
    assert kiosk.counts("[data-item='item 1']:disabled"), "no more than three"
    kiosk.taps("#pick")
    kiosk.sees("#rulings", "Ann answered item 0, item 2, item 4.")
    assert answers_sent(server) == [Picked(("item 0", "item 2", "item 4"))]


def test_dice_are_taken_from_piles_of_one_colour(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pile", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.sees_count("[data-pile]", 3)
    for kind, count in (("red", 2), ("green", 1), ("blue", 3)):
        kiosk.sees(f"[data-pile={kind}]", f"0 of {count}")
    kiosk.taps("[data-pile=green]")
    kiosk.sees("[data-pile=green]:disabled", "1 of 1")
    kiosk.taps("[data-back=green]")
    kiosk.sees("[data-pile=green]:enabled", "0 of 1")
    for kind in ("red", "blue"):
        kiosk.taps(f"[data-pile={kind}]")
    kiosk.sees("[data-pile=red]:disabled", "1 of 2")
    kiosk.taps("#pick")
    kiosk.sees("#rulings", "Ann answered red 0, blue 3.")
    assert answers_sent(server) == [Picked(("red 0", "blue 3"))]


def test_players_are_picked_by_name(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("people", *ANN_AND_BEN))
    kiosk.sees("#pick", "Nobody")
    kiosk.sees_count("[data-item] .token", 2)
    kiosk.taps("[data-item=ben]")
    kiosk.taps("[data-item=ann]")
    kiosk.sees("#pick", "Ann, Ben")
    kiosk.taps("#pick")
    kiosk.sees("#rulings", "Ann answered ann, ben.")


HIDDEN_OPTIONS = """[...document.querySelectorAll('[data-option]')].filter(e => {
    e.scrollIntoView({block: 'center'});
    const r = e.getBoundingClientRect();
    const there = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
    return !e.contains(there) || r.height < 48 || r.width < 90 || e.scrollWidth > e.clientWidth;
}).map(e => e.innerText)"""


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_every_one_of_forty_options_can_be_tapped(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    """The options come in five groups of eight."""
    server = serve("forty", *ANN_AND_BEN)
    looking = screen(server, size)
    looking.sees_count("[data-group]", 5)
    for chariot in range(1, 6):
        looking.taps(f"[data-group='Chariot {chariot}']")
        looking.sees_count("[data-option]", 8)
        assert looking.evaluates(HIDDEN_OPTIONS) == []
    columns = looking.evaluates(
        "new Set([...document.querySelectorAll('[data-option]')].map(e => e.getBoundingClientRect().x)).size"
    )
    assert columns >= 2
    looking.taps("[data-option='way 39']")
    looking.sees("#rulings", "Ann answered way 39.")


def test_an_option_of_no_group_is_one_button_in_sight(screen: OpenScreen, tmp_path: Path) -> None:
    """Eleven placements of four dice, and “Something fell”."""
    with served(ShowingTable(tmp_path)) as server:
        looking = screen(server)
        many = next(each for each in situations("high_rollin") if each.kind == "choose many")
        server.table.show(many.snapshot())
        looking.sees_count("[data-group]", 4)
        for die in ("Red 1", "Red 3", "Red 4", "Blue 6"):
            looking.taps(f"[data-group='{die}']")
            looking.sees("[data-option=fell]", "Something fell")
        assert looking.evaluates(HIDDEN_OPTIONS) == []


@pytest.mark.parametrize("kind", ["choose", "choose many"])
def test_something_fell_is_quieter_than_the_placements(screen: OpenScreen, tmp_path: Path, kind: str) -> None:
    with served(ShowingTable(tmp_path)) as server:
        looking = screen(server)
        choice = next(each for each in situations("high_rollin") if each.kind == kind)
        server.table.show(choice.snapshot())
        looking.sees("[data-option=fell].quiet", "Something fell")
        looking.sees(".choice[data-option]:not(.quiet)")
        assert looking.counts("[data-option].quiet") == 1
        assert isinstance(choice.match.prompt, Choose)
        seen = replace(choice.match.prompt, options=choice.match.prompt.options[::-1])
        server.table.show(replace(choice, match=replace(choice.match, prompt=seen)).snapshot())
        looking.sees("[data-option=fell]:not(.quiet)")


@pytest.mark.parametrize(
    ("game", "kind", "stage"),
    [("cee_lo", "number", "asking"), ("mia", "choose", "tray"), ("sigily", "choose some", "board")],
)
def test_a_foul_of_hands_comes_before_every_form(
    screen: OpenScreen, tmp_path: Path, game: str, kind: str, stage: str
) -> None:
    """Also where a form takes the place of the tray, or is a list beside the board."""
    with served(ShowingTable(tmp_path)) as server:
        looking = screen(server)
        form = next(each for each in situations(game) if each.kind == kind).snapshot(foul=True)
        solid = """[...document.querySelectorAll('.choice:enabled')]
            .filter(e => getComputedStyle(e).backgroundColor !== 'rgba(0, 0, 0, 0)').map(e => e.innerText)"""
        server.table.show(form)
        looking.sees(".rule", "G5")
        assert looking.evaluates(solid)
        server.table.show(replace(form, tray=replace(form.tray, rule="G6")))
        looking.sees(".rule", "G6")
        looking.sees(f"main[data-stage={stage}]")
        assert looking.evaluates(solid) == []


def test_what_the_hand_was_told_to_place_is_the_answer_to_the_question_what_was_placed(
    screen: OpenScreen, tmp_path: Path
) -> None:
    """The same words had to be tapped twice."""
    with served(ShowingTable(tmp_path, hand=[1])) as server:
        kiosk = screen(server, KIOSK)
        sent: list[str] = []
        kiosk.page.on("request", lambda request: sent.append(said(request)))
        choice = next(each for each in situations("high_rollin") if each.kind == "choose")
        shown = choice.snapshot()
        prompt = choice.match.prompt
        assert isinstance(prompt, Choose)
        tapped, other = prompt.options[0].id, prompt.options[1].id
        for told, answered in ((other, False), (tapped, True)):
            server.table.show(shown)
            kiosk.sees("#prompt", "Which die goes where?")
            kiosk.taps(f"[data-option='{told}']")
            asked = replace(shown.tray, state=TrayState.UNSURE, placed=tapped)
            server.table.show(replace(shown, tray=asked))
            kiosk.sees("#prompt", "Say what was placed.")
            answer = f'answer {{"choose":"{tapped}"}}'
            assert (answer in sent) == answered
            assert f'hand "{told}"' in sent


def test_who_chose_the_tray_stays_there_for_the_next_placement(screen: OpenScreen, tmp_path: Path) -> None:
    with served(ShowingTable(tmp_path)) as server:
        kiosk = screen(server, KIOSK)
        kinds = {each.kind: each.snapshot() for each in situations("high_rollin")}
        server.table.show(kinds["choose some"])
        kiosk.sees("main[data-stage=board]")
        kiosk.taps("#show-tray")
        for kind, stage in (("choose", "tray"), ("over", "end"), ("choose some", "board")):
            server.table.show(kinds[kind])
            kiosk.sees(f"main[data-stage={stage}]")


def said(request: Request) -> str:
    """'answer {"choose":"red5>2"}' of what the page sends."""
    body = request.post_data_json or {}
    what = body.get("answer", body.get("option"))
    return f"{request.url.rpartition('/')[2]} {json.dumps(what, separators=(',', ':'))}"


def test_who_is_asked_which_dice_fell_says_which_fell(screen: OpenScreen, tmp_path: Path) -> None:
    with served(ShowingTable(tmp_path)) as server:
        kiosk = screen(server, KIOSK)
        fall = next(each for each in situations("high_rollin") if each.kind == "pick")
        assert fall.match.prompt is not None
        assert "which dice fell" in fall.match.prompt.text
        server.table.show(fall.snapshot())
        kiosk.taps("[data-tower] >> nth=0")
        kiosk.taps(".in-tower [data-item] >> nth=0")
        kiosk.sees("#pick", "This one fell")
        kiosk.taps("[data-tower] >> nth=1")
        kiosk.taps(".in-tower [data-item] >> nth=1")
        kiosk.sees("#pick", "These 3 fell")
        kiosk.sees("[data-tower] >> nth=1", "2 fell")


def test_the_tower_from_which_dice_seem_to_have_fallen_is_shown_first(
    screen: OpenScreen, tmp_path: Path
) -> None:
    with served(ShowingTable(tmp_path)) as server:
        kiosk = screen(server, KIOSK)
        fall = next(each for each in situations("high_rollin") if each.kind == "pick").snapshot()
        server.table.show(replace(fall, tray=replace(fall.tray, fallen_from=(3, 4))))
        kiosk.sees("[data-tower][aria-pressed=true]", "Tower 3")


@pytest.mark.parametrize("game", ["liars_dice", "bricrius_bluff"])
def test_the_coach_says_the_chance_of_the_bid_that_is_set(
    screen: OpenScreen, tmp_path: Path, game: str
) -> None:
    with served(ShowingTable(tmp_path)) as server:
        kiosk = screen(server, KIOSK)
        kiosk.evaluates("localStorage.setItem('brehon.coach', 'on')")
        opening = next(each for each in situations(game) if each.kind == "bid")
        server.table.show(opening.snapshot())
        prompt = opening.match.prompt
        assert isinstance(prompt, AskBid)
        assert prompt.chance_of is not None
        for face in (5, 1):
            kiosk.taps(f"[data-face='{face}']")
            assert kiosk.reads("#bid small") == said_chance(kiosk, prompt.chance_of(Bid(1, face)))
        kiosk.taps("[aria-label='one more']")
        assert kiosk.reads("#bid small") == said_chance(kiosk, prompt.chance_of(Bid(2, 1)))
        kiosk.evaluates("localStorage.removeItem('brehon.coach')")
        kiosk.taps("[data-face='2']")
        assert not kiosk.counts("#bid small"), "the coach is off"


def said_chance(looking: Screen, chance: Fraction) -> str:
    """The chance as the coach writes it on the button that bids."""
    words = looking.evaluates(f"(async () => (await {module('coach.js')}).shortChance({float(chance)}))()")
    return f"true: {words}"


def test_the_coach_is_offered_after_a_match_only_where_it_knows_what_was_luck(
    screen: OpenScreen, tmp_path: Path
) -> None:
    """It advises only a player who is alone at the Highland games."""
    with served(ShowingTable(tmp_path)) as server:
        kiosk = screen(server)
        for game, offered in (("highland", 0), ("pig", 1)):
            server.table.show(situations(game)[-1].snapshot())
            kiosk.sees(".head h1", GAMES[game].title)
            kiosk.sees("#ending")
            kiosk.sees_count("#switch-coach", offered)


def test_a_winner_without_points_wins(screen: OpenScreen, tmp_path: Path) -> None:
    """A play-off decided: the poster said 0."""
    with served(ShowingTable(tmp_path)) as server:
        kiosk = screen(server, KIOSK)
        over = situations("ship_captain_crew")[-1].snapshot()
        assert over.match is not None
        tied = replace(over.match, scores=dict.fromkeys(over.match.scores, 0))
        for match, said in ((over.match, str(max(over.match.scores.values()))), (tied, "wins")):
            server.table.show(replace(over, match=match))
            kiosk.sees(".poster .points", said)


def test_piles_are_drawn_beside_the_towers(screen: OpenScreen, tmp_path: Path) -> None:
    with served(ShowingTable(tmp_path)) as server:
        kiosk = screen(server, KIOSK)
        pick = next(each for each in situations("high_rollin") if each.kind == "pick")
        server.table.show(pick.snapshot())
        kiosk.sees_count("#notes .pile .token", len(pick.match.seats))
        tiles = kiosk.evaluates(
            "[...document.querySelectorAll('#notes .pile')].map(e => [e.querySelector('.unseen').textContent,"
            " [...e.querySelectorAll('b')].reduce((sum, b) => sum + Number(b.textContent), 0)])"
        )
        assert pick.match.board is not None
        totals = [sum(map(int, re.findall(r"\d+", note))) for note in pick.match.board.notes]
        assert tiles == [list(pair) for pair in zip(pick.match.board.notes, totals, strict=True)]
        signs = "[...document.querySelectorAll('#notes .pile b')].map(e => e.querySelectorAll('path').length)"
        assert set(kiosk.evaluates(signs)) == {1}, "a colour has a sign as well"
        notes = kiosk.box("#notes")
        last = kiosk.box("#notes .pile:last-child b:last-child")
        assert last["x"] + last["width"] <= notes["x"] + notes["width"] + 1
        assert last["y"] + last["height"] <= notes["y"] + notes["height"] + 1


def test_towers_have_their_numbers_in_the_picture(screen: OpenScreen, tmp_path: Path) -> None:
    with served(ShowingTable(tmp_path)) as server:
        looking = screen(server)
        roll = next(each for each in situations("high_rollin") if each.kind == "roll").snapshot()
        boxes = tuple((100.0 + 150 * n, 5.0 if n else 200.0, 40.0, 40.0) for n in range(4))
        server.table.show(replace(roll, tray=replace(roll.tray, size_wh=(640, 480), towers=boxes)))
        looking.sees_count(".tower-names text", 4)
        names = looking.evaluates(
            "[...document.querySelectorAll('.tower-names text')].map(e => e.textContent)"
        )
        assert names == ["tower 1", "tower 2", "tower 3", "tower 4"]
        tray = looking.box(".tray")
        assert looking.box(".tower-names text >> nth=1")["y"] >= tray["y"], "it stays in the picture"


def test_a_tap_switches_between_a_long_choice_and_the_tray(serve: ServeTable, screen: OpenScreen) -> None:
    """The options replace the tray. One tap brings the tray back."""
    kiosk = screen(serve("forty", *ANN_AND_BEN))
    kiosk.sees("[data-option='way 0']")
    assert not kiosk.counts(".tray")
    kiosk.taps("#show-tray")
    kiosk.sees(".tray")
    kiosk.sees("[data-option='way 0']")
    kiosk.taps("#show-asking")
    kiosk.sees_no(".tray")


CONFIRM_SEEN = """(button => {
    const r = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
})(document.getElementById('bet'))"""


def test_the_bet_button_stays_visible_in_a_crowded_prompt(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("bets", *(f"Maximiliane-Charlotte {n}:green" for n in range(4))), (667, 375))
    for tap in ("[data-bettor]", "[data-on=even]", "[data-key='1']"):
        kiosk.taps(tap)
    kiosk.sees("#bet:enabled")
    assert kiosk.evaluates(CONFIRM_SEEN)


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
@pytest.mark.parametrize("game", ["sticks", "hidden", "few", "much", "bid", "bets", "pick", "throw", "odds"])
def test_the_controls_of_a_prompt_fit_the_screen_and_fingers(
    serve: ServeTable, screen: OpenScreen, game: str, size: tuple[int, int]
) -> None:
    looking = screen(serve(game, *ANN_AND_BEN), size)
    assert looking.evaluates(FITS) == [True, True]
    assert looking.evaluates(SMALL) == []
    assert looking.evaluates(CUT) == []


def test_a_bid_can_be_made_with_the_keyboard(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("bid", *ANN_AND_BEN)
    kiosk = screen(server)
    for goal in ("[aria-label='one more']", "[data-face='3']", "#bid"):
        kiosk.page.locator(goal).focus()
        kiosk.page.keyboard.press("Enter")
    kiosk.sees("#rulings", "Ann answered 6 of 3.")


def test_controls_have_names_for_screen_readers(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("bid", *ANN_AND_BEN))
    kiosk.sees_count(kiosk.page.get_by_role("group", name="how many dice").get_by_role("button"), 2)
    kiosk.sees_count(kiosk.page.get_by_role("button", name="face 6", pressed=True), 1)
    kiosk.sees_count(kiosk.page.get_by_role("button", name="bid 5 dice of face 6"), 1)
    server = serve("sticks", *ANN_AND_BEN)
    server.table.moves(TrayState.NO_CAMERA)
    kiosk = screen(server)
    kiosk.sees_count(kiosk.page.get_by_role("button", name="stick 1 shows round: tap to turn it"), 1)


# -- a typed throw -------------------------------------------------------------------------------------------


def test_a_typed_throw_has_its_colours(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("throw", *ANN_AND_BEN)
    server.table.moves(TrayState.NO_CAMERA)
    kiosk = screen(server)
    kiosk.taps("#type-throw")
    for face in (5, 2):
        kiosk.taps(f"#face-dialog [data-say='{face}']")
    kiosk.sees("#confirm:disabled")
    kiosk.page.keyboard.press("6")
    kiosk.taps("[data-die='0']")
    kiosk.taps("#face-dialog [data-say='1']")
    kiosk.sees("#confirm:enabled", "Use this throw")
    assert answers_sent(server) == [], "a typed throw needs a confirmation"
    kiosk.taps("#confirm")
    kiosk.sees("#rulings", "Ann answered green 1 green 2 red 6.")
    kiosk.sees_no("#face-dialog")
    assert answers_sent(server) == [Throw((Die(1, "green"), Die(2, "green"), Die(6, "red")))]


def test_a_table_without_a_camera_offers_typing_first(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    kiosk.sees("#prompt", "Throw")
    assert not kiosk.counts("#type-throw"), "the camera sees the tray"
    server.table.moves(TrayState.NO_CAMERA)
    kiosk.taps("#choices #type-throw")
    kiosk.taps("#face-dialog [data-say='4']")
    kiosk.taps("#confirm")
    kiosk.sees("#turn", "Hold 4 or throw again?")
    assert answers_sent(server) == [Throw.of(4)]


@pytest.mark.parametrize("state", [TrayState.DARK, TrayState.BLURRED, TrayState.NO_CAMERA])
def test_a_blind_camera_is_reported_and_throws_can_be_typed(
    serve: ServeTable, screen: OpenScreen, state: TrayState
) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    kiosk = screen(server)
    server.table.moves(state, CAMERA_ADVICE[state])
    kiosk.sees("#tray-state[data-blind]", state.value)
    kiosk.sees("#message", CAMERA_ADVICE[state])
    kiosk.sees(".tray.blind .marks.faded")
    kiosk.sees("#choices #type-throw")


# -- the board -----------------------------------------------------------------------------------------------


def test_the_board_shows_pieces_and_coins(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("board", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.sees_count("[data-spot]", 12)
    kiosk.sees_count(".joined", 12)
    kiosk.sees_count("[data-spot='spot 1'] [data-piece]", 2)
    assert not kiosk.counts("[data-spot='spot 1'] > text"), "two pieces need the room of a name"
    assert kiosk.page.locator("[data-piece=Ann] text").text_content() == "×2"
    assert kiosk.page.locator("[data-piece=Ann] .piece").get_attribute("fill") == "#2fa45a"
    assert kiosk.page.locator("[data-piece=Ben] text").first.text_content() == "B", (
        "a letter helps people who cannot tell colours apart"
    )
    assert kiosk.page.locator(".coins[data-on='spot 3'] text").text_content() == "3"
    assert not kiosk.counts(".coins[data-on='spot 0']")
    assert " ".join(kiosk.page.locator("[data-kind=tower] > text").all_text_contents()) == "3 red on 2 white"
    assert kiosk.page.locator("[data-spot='spot 11'] [data-piece] text").text_content() == "1+2", (
        "a tap shows the rest"
    )
    assert kiosk.page.locator(".carried[data-on='spot 11'] text").text_content() == "3"
    kiosk.sees("#notes", "The pot holds 12 coins.")
    kiosk.sees("#notes li:has(.token)", "Ann: 1 of 4 home")
    assert "place 1: Ann ×2, Ben, one coin" in kiosk.page.locator("#on-board li").all_text_contents()
    kiosk.taps("[data-option='spot 5']")
    kiosk.sees("[data-spot='spot 5'] [data-piece=Ann]")
    kiosk.sees_count("[data-spot='spot 1'] [data-piece]", 1)


def test_a_tap_on_a_spot_lists_what_is_on_it(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("board", *ANN_AND_BEN))
    kiosk.taps("[data-spot='spot 2'] .spot")
    kiosk.sees("#notes .tapped", "Beltane: 2 coins")
    kiosk.taps("[data-spot='spot 2'] .spot")
    kiosk.sees_no("#notes .tapped")
    kiosk.taps("[data-spot='spot 11'] [data-piece] text")
    kiosk.sees("#notes .tapped", "Tara: Ben 1+2 ×2, 3 coins")


COVERED = """(() => {
    const rings = [...document.querySelectorAll('#board .coins circle')];
    const disc = e => ({ x: +e.getAttribute('cx'), y: +e.getAttribute('cy'), r: +e.getAttribute('r') });
    const box = e => { const b = e.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; };
    const far = (a, [l, t, r, b]) => Math.hypot(Math.max(l - a.x, 0, a.x - r), Math.max(t - a.y, 0, a.y - b));
    return rings.flatMap(ring => {
        const [coin, on] = [disc(ring), ring.parentElement.dataset.on];
        const spots = [...document.querySelectorAll(`[data-spot]:not([data-spot="${on}"]) .spot`)];
        const discs = spots.filter(e => e.tagName === 'circle').map(disc);
        const coins = rings.filter(other => other !== ring).map(disc);
        const boxes = spots.filter(e => e.tagName === 'rect').map(box);
        return [...discs, ...coins].some(d => Math.hypot(d.x - coin.x, d.y - coin.y) < d.r + coin.r)
            || boxes.some(b => far(coin, b) < coin.r) ? [on] : [];
    });
})()"""
"""The spots whose coins touch another spot, or other coins."""


def test_coins_touch_no_other_spot(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("board", *ANN_AND_BEN))
    kiosk.sees(".coins")
    assert kiosk.evaluates(COVERED) == []
    kiosk = screen(serve("sigily", *ANN_AND_BEN))
    kiosk.taps("#show-board")
    kiosk.sees_count(".coins", 33)
    assert kiosk.evaluates(COVERED) == []


def test_phones_say_what_just_happened_in_a_race(tmp_path: Path, screen: OpenScreen) -> None:
    (race,) = [each for each in situations("sigily") if each.kind == "choose"]
    with served(ShowingTable(tmp_path)) as server:
        phone = screen(server, PHONE)
        server.table.show(race.snapshot())
        phone.sees("#board")
        phone.sees("#rulings .news", race.match.rulings[-1].text)


def test_the_second_thrower_of_a_fight_sees_in_bold_what_to_beat(tmp_path: Path, screen: OpenScreen) -> None:
    night = (
        RaceNight(units=[("Ann", [1], 8, 2), ("Ben", [1], 10, 3)]).tosses("dha").chooses("1").tosses("aon")
    )
    with served(ShowingTable(tmp_path)) as server:
        kiosk = screen(server)
        (race,) = [each for each in situations("sigily") if each.kind == "choose"]
        server.table.show(replace(race, match=night.match.view()).snapshot())
        kiosk.sees("#so-far.news", "Ann has aon (dog) + 1 = 2 to beat")


OUTSIDE = """(() => {
    const board = document.querySelector('#board svg').getBoundingClientRect();
    const out = r => r.left < board.left - 1 || r.right > board.right + 1
        || r.top < board.top - 1 || r.bottom > board.bottom + 1;
    return [...document.querySelectorAll('#board svg text, #board svg .spot')]
        .filter(e => out(e.getBoundingClientRect())).map(e => e.outerHTML);
})()"""
LETTER_PX = (
    "Math.min(...[...document.querySelectorAll('#board .beside')].map(e => e.getBoundingClientRect().height))"
)


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_the_board_is_complete_and_its_names_are_readable(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(serve("board", *ANN_AND_BEN), size)
    looking.sees("#board")
    assert looking.evaluates(OUTSIDE) == []
    assert looking.evaluates(LETTER_PX) >= 11
    assert looking.evaluates(FITS) == [True, True]


def test_a_tap_switches_between_board_and_tray(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("board", *ANN_AND_BEN)
    kiosk = screen(server)
    kiosk.sees("#board")
    assert not kiosk.counts(".tray")
    kiosk.taps("#show-tray")
    kiosk.sees(".tray")
    kiosk.taps("[data-option='spot 5']")
    kiosk.sees("#board")
    kiosk.taps("#show-tray")
    kiosk.taps("#show-board")
    kiosk.sees_no(".tray")


# -- the coach -----------------------------------------------------------------------------------------------


def test_the_coach_can_be_switched_on_and_stays_on(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("odds", *ANN_AND_BEN))
    kiosk.sees_count("#switch-coach[aria-pressed=false]", 1)
    assert not kiosk.counts("#coach")
    kiosk.taps("#switch-coach")
    kiosk.sees("#coach dd")
    assert kiosk.page.locator("#coach dd").all_inner_texts() == ["80 %", "2.8 % (1 in 36)", "8.1 points"]
    assert kiosk.page.locator("#coach dt").all_inner_texts() == [
        "A pair or better",
        "The next throw wins",
        "Hold now",
    ]
    kiosk.page.reload()
    kiosk.sees("#coach")
    kiosk.taps("#switch-coach")
    kiosk.sees_no("#coach")
    kiosk.page.reload()
    kiosk.sees_count("#switch-coach[aria-pressed=false]", 1)


def test_the_coach_says_in_one_line_what_best_play_is_and_what_the_rest_costs(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", *ANN_AND_BEN, start="Ann")
    server.table.throws(5)
    laptop = screen(server, LAPTOP)
    assert not laptop.counts("#best-play")
    laptop.taps("#switch-coach")
    laptop.sees("#best-play", "Best: throw again, for the chance to win: 54.6 %. Hold 5 costs 4.0 %.")
    laptop.taps("[data-option='roll']")
    laptop.sees("#best-play", "The chance to win: 54.6 % with best play.")


def test_the_coach_says_what_the_marked_dice_cost(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("midnight", *ANN_AND_BEN, start="Ann", hand=[6])
    server.table.throws(6, 6, 5, 4, 3, 1)
    kiosk = screen(server)
    kiosk.taps("#switch-coach")
    kiosk.sees("#best-play")
    assert "Yours costs" not in kiosk.reads("#best-play")
    kiosk.taps("[data-keep='4']")
    kiosk.sees("#best-play", "Yours costs")


def before_the_last_hold(serve: ServeTable) -> Served:
    """A match of Pig that Ann wins when she holds."""
    server = serve("pig", *ANN_AND_BEN, start="Ann", hand=[6])
    for _ in range(17):
        server.table.throws(6)
    return server


def test_after_the_game_a_table_says_what_was_luck_and_what_was_choice(
    serve: ServeTable, screen: OpenScreen
) -> None:
    kiosk = screen(before_the_last_hold(serve))
    kiosk.taps("#switch-coach")
    kiosk.taps("[data-option='hold']")
    kiosk.sees("#short-accounts", "Ann")
    kiosk.sees("#coach", "How luck and choices moved the chance to win:")
    assert kiosk.reads("#short-accounts li") == "Ann: luck +112.2 %, choices −65.2 %"
    assert kiosk.evaluates(OUT_OF_SIGHT) == []
    kiosk.taps("#tab-sheet")
    kiosk.sees_count("#accounts tbody tr", 2)
    row = kiosk.page.locator("#accounts tbody tr").first.locator("td").all_inner_texts()
    assert row == ["53.1 % the chance to win", "+112.2 %", "−65.2 %", "+0.0 %", "100.0 %"]


def test_large_sums_of_points_are_short_on_the_coach(serve: ServeTable, screen: OpenScreen) -> None:
    server = before_the_last_hold(serve)
    kiosk = screen(server)
    kiosk.taps("[data-option='hold']")
    kiosk.sees("#play-again")
    turn, passing = "the points of a turn, on average", "the chance to pass the best score"
    sums = {"expected": 0.0, "others": 0.0, "result": 0.0}
    told = [
        {"player": "Ann", "aim": turn, "points": True, "luck": -4590.9, "choices": -12526.6, **sums},
        {"player": "Ben", "aim": turn, "points": True, "luck": 31.25, "choices": 0.0, **sums},
        {"player": "Ben", "aim": passing, "points": False, "luck": -0.02, "choices": 0.0, **sums},
    ]
    answer = {"number": server.table.snapshot.number, "accounts": told}
    kiosk.page.route("**/api/coach", lambda route: route.fulfill(json=answer))
    kiosk.taps("#switch-coach")
    kiosk.sees("#short-accounts")
    assert [line.inner_text() for line in kiosk.page.locator("#short-accounts li").all()] == [
        "Ann: luck −4,591, choices −12,527 points",
        "Ben: luck +31.3, choices +0 points",
        "Ben, the chance to pass the best score: luck −2.0 %, choices +0.0 %",
    ]


def test_the_coach_says_that_it_works_out_what_was_luck_after_the_game(
    serve: ServeTable, screen: OpenScreen
) -> None:
    kiosk = screen(before_the_last_hold(serve))
    kiosk.taps("[data-option='hold']")
    kiosk.sees("#play-again")
    held: list[Route] = []
    kiosk.page.route("**/api/coach", lambda route: held.append(route))
    with kiosk.page.expect_request("**/api/coach"):
        kiosk.taps("#switch-coach")
    kiosk.sees("#coach", "One moment")
    held[0].continue_()
    kiosk.sees("#short-accounts", "Ann")
    kiosk.sees_no("#coach:has-text('One moment')")


def test_advice_pushes_no_button_out_of_sight(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("five_dice", *ANN_AND_BEN, start="Ann", hand=[1])
    server.table.throws(1, 5, 2, 3, 3, 4)
    kiosk = screen(server)
    kiosk.taps("#switch-coach")
    kiosk.sees("#coach")
    assert kiosk.counts(".choices button") >= 7
    assert kiosk.evaluates(OUT_OF_SIGHT) == []


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0, "never"), (1, "always"), (0.99999, "over 99.9 %"), (0.00001, "under 0.01 %"),
        (0.5, "50 % (1 in 2)"), (2 / 3, "67 %"),
        (1 / 3, "33 % (1 in 3)"), (0.4, "40 % (1 in 2.5)"), (0.996, "99.6 %"), (1 / 216, "0.46 % (1 in 216)"),
        (1 / 7776, "0.01 % (1 in 7,776)"),
    ],
)  # fmt: skip
def test_a_chance_is_never_rounded_to_certainty(
    serve: ServeTable, screen: OpenScreen, p: float, text: str
) -> None:
    kiosk = screen(serve())
    assert kiosk.evaluates(f"{module('coach.js')}.then(coach => coach.chance({p}))") == text


# -- paper sheets --------------------------------------------------------------------------------------------


@pytest.fixture
def highland(serve: ServeTable) -> Served:
    """A table where two clans play a game with a form."""
    server = serve()
    seats = (Seat("Ann", "green", "white"), Seat("Ben", "red", "black"))
    server.table.do(actions.Start(server.table.snapshot.number, "form", seats, {}))
    return server


def cells(screen: Screen, row: str) -> list[str]:
    return [" ".join(text.split()) for text in screen.page.locator(f"{row} td").all_inner_texts()]


def test_a_form_is_filled_as_on_paper(highland: Served, screen: OpenScreen) -> None:
    kiosk = screen(highland)
    kiosk.taps("#tab-sheet")
    kiosk.sees("#form")
    assert kiosk.page.locator("#form thead th[scope=col]").all_inner_texts() == ["Competitor", "Ann", "Ben"]
    assert kiosk.page.locator("#form thead th[scope=row]").all_inner_texts() == ["Clan", "Clan colours"]
    assert cells(kiosk, "#form .colours") == ["green and white", "red and black"]
    assert kiosk.page.locator("#form .heading").all_inner_texts() == ["First round", "Second round"]
    assert cells(kiosk, "[data-box=ones]") == ["3 three 1s", ""]
    assert cells(kiosk, "[data-box=sprint]") == ["9.2 s second attempt", ""], (
        "the last line of this box counts"
    )
    assert cells(kiosk, "[data-box=chance]")[0].startswith("1,250")
    assert cells(kiosk, "[data-box=rank]") == ["1st", "2nd"]
    assert cells(kiosk, "[data-box=twos]") == ["", ""]
    assert cells(kiosk, "#form tfoot") == ["1,258", "0"]
    assert cells(kiosk, "#sheet tbody tr") == ["5 for good manners", ""], "a line without a box is below"


def test_without_a_form_the_sheet_has_one_row_per_turn(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("pig", *ANN_AND_BEN, start="Ann"))
    kiosk.taps("#tab-sheet")
    kiosk.sees("#sheet tfoot", "Total")
    assert not kiosk.counts("#form")


def test_a_tap_shows_a_reason_on_a_crowded_form(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("form", *(f"Player {n}:green+white" for n in range(4))))
    kiosk.taps("#tab-sheet")
    kiosk.sees("#form")
    kiosk.evaluates("document.querySelector('main.sheet').dataset.many = 'true'")
    reason = kiosk.page.locator("[data-box=ones] small").first
    assert not reason.is_visible()
    kiosk.taps("[data-box=ones] .cell")
    reason.wait_for()


def test_the_printed_form_is_one_page_within_its_margins(highland: Served, screen: OpenScreen) -> None:
    kiosk = screen(highland)
    kiosk.taps("#tab-sheet")
    kiosk.sees("#form")
    assert kiosk.page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
    kiosk.page.emulate_media(media="print")
    kiosk.page.set_viewport_size({"width": 690, "height": 1000})  # A4 between its margins, CSS px
    assert kiosk.evaluates("document.getElementById('form').getBoundingClientRect().right <= innerWidth")
    assert kiosk.evaluates(
        "[...document.querySelectorAll('#form th, #form td')].every(e => e.scrollWidth <= e.clientWidth + 1)"
    )


def test_a_form_of_a_whole_day_is_printed_on_one_page(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("day", *ANN_AND_BEN))
    kiosk.taps("#tab-sheet")
    kiosk.sees("#form")
    assert kiosk.page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1


def test_the_total_is_below_the_form_until_the_form_has_it(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve("day", "Ann:green")
    kiosk = screen(server)
    kiosk.taps("#tab-sheet")
    kiosk.sees("#form tfoot", "Total")
    sent = server.table.snapshot_json()
    total = f"{sent['match']['scores']['Ann']:,}"
    sent["match"]["sheet"].append(
        {"at": 0, "player": "Ann", "points": 0, "reason": "all of it", "box": "attempt 43", "value": total}
    )
    kiosk.page.route("**/api/events", lambda route: route.abort())
    kiosk.page.route("**/api/snapshot", lambda route: route.fulfill(json=sent))
    kiosk.page.reload()
    kiosk.sees("[data-box='attempt 43']", total)
    assert not kiosk.counts("#form tfoot")
    kiosk.console_errors.clear()


# -- a new game ----------------------------------------------------------------------------------------------


def test_a_clan_has_two_colours(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.taps("#new-game")
    assert not kiosk.counts("[aria-label='second colour of player 1']")
    kiosk.taps("input[value=form]")
    kiosk.page.fill("input[name=player-0]", "Ann")
    kiosk.page.get_by_label("second colour of player 1").select_option("blue")
    kiosk.taps("#add-player")
    kiosk.page.fill("input[name=player-1]", "Ben")
    kiosk.taps("#start")
    kiosk.sees(".who", "Ann")
    seats = (Seat("Ann", "green", "blue"), Seat("Ben", "red", "white"))
    assert server.table.done == [actions.Start(0, "form", seats, {})]


def test_a_game_for_one_seats_one_and_the_next_seats_both_again(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve()
    kiosk = screen(server)
    kiosk.taps("#new-game")
    kiosk.page.fill("input[name=player-0]", "Ann")
    kiosk.page.fill("input[name=player-1]", "Ben")
    kiosk.taps("input[value=alone]")
    kiosk.sees("#aim", "For one player.")
    kiosk.sees_count(".player", 1)
    assert not kiosk.counts("#add-player")
    kiosk.taps("#start")
    kiosk.sees(".who", "Ann")
    assert server.table.done == [actions.Start(0, "alone", (Seat("Ann", "green"),), {})]
    kiosk.taps("#tab-new")
    kiosk.taps("input[value=pig]")
    kiosk.sees_count(".player", 2)
    assert kiosk.page.input_value("input[name=player-1]") == "Ben"


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_every_game_in_the_list_can_be_tapped(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    looking = screen(serve(), size)
    looking.taps("#new-game")
    looking.sees_count(".game", len(GAMES))
    assert len(GAMES) >= 4 + len(PROMPT_GAMES)
    assert all(box_of(game)["height"] >= 48 for game in looking.page.locator(".game").all())
    assert looking.evaluates("document.querySelector('main').scrollWidth <= innerWidth")
    looking.page.locator("input[name=game]").last.check()
    assert looking.page.locator("#start").is_visible()


def test_the_rules_view_lists_the_rulings(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("few", *ANN_AND_BEN), KIOSK)
    kiosk.taps("#tab-rules")
    kiosk.sees("#ruled", "T-1")
    assert kiosk.page.locator("#ruled dd").all_inner_texts() == [
        "An answer counts.",
        "A missing answer does not.",
    ]
