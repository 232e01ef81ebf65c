"""After a correction or a choice that is taken back, people are told what to move on the real board."""

from __future__ import annotations

from random import Random

import pytest

from table.rules.answers import Sticks
from table.rules.match import Match, MatchView
from table.rules.pieces import Standing, moves_text
from tests.games import playing
from tests.games.night import Night

WITH_A_BOARD = ("sigily", "down_the_danube", "high_rollin", "bricrius_bluff")


def remark(match: Match) -> str:
    return [ruling.text for ruling in match.rulings if ruling.remark][-1]


def standing(view: MatchView) -> list[object]:
    """What stands on the board, and the piles of High Rollin' beside it."""
    assert view.board is not None
    spaces = [(space.id, space.coins, space.text, space.pieces) for space in view.board.spaces]
    return [*spaces, *(note for note in view.board.notes if "pile" in note)]


@pytest.mark.parametrize("game", WITH_A_BOARD)
def test_a_choice_that_moved_something_says_what_to_move_when_it_is_taken_back(game: str) -> None:
    match = playing.start(game, playing.make_seats(2, colours=True), {})
    chance, told = Random(2), 0
    while match.prompt is not None and match.at < 120:
        if match.view().can_take_back:
            back = match.fork()
            before = back.view()
            back = back.after(back.taken_back())
            says = "On the real board, " in remark(back)
            assert says == (standing(before) != standing(back.view())), remark(back)
            told += says
        match = match.after(match.answered(playing.random_answer(match.prompt, chance)))
    assert told > 5


def test_a_piece_of_the_danube_goes_back_and_the_switched_one_with_it() -> None:
    danube = Night("down_the_danube", "Ann", "Ben", start="Ann")
    danube.throws_sticks("white", "white", "black", "black").chooses("11+1").takes_back()
    assert danube.says.endswith("On the real board, move a nickel from 12 to 11.")


def test_a_correction_that_changes_no_place_says_nothing_about_the_board() -> None:
    danube = Night("down_the_danube", "Ann", "Ben", start="Ann")
    danube.throws_sticks("white", "white", "black", "black")
    corrected = Sticks(("white", "white", "white", "black"))
    danube.match = danube.match.after(danube.match.corrected(0, corrected))
    assert "real board" not in remark(danube.match)


def test_a_misread_base_of_a_tower_moves_nothing() -> None:
    rollin = Night("high_rollin", "Ann", "Ben", start="Ann")
    rollin.throws_dice(("red", 2), ("green", 4), ("blue", 5), ("yellow", 6)).corrects(0, 3, 4, 5, 6)
    assert "is corrected from 2, 4, 5 and 6 to 3, 4, 5 and 6" in remark(rollin.match)
    assert "real board" not in remark(rollin.match)


def test_what_is_alike_is_counted_and_what_stays_is_not_told() -> None:
    before = [Standing("a coin", "sigil 5", "coins")] * 3 + [Standing("Ann's chariot 1", "home")]
    after = [Standing("a coin", "sigil 5", "coins")] + [Standing("a coin", "the centre", "coins")] * 2
    after += [Standing("Ann's chariot 1", "sigil 9")]
    assert moves_text(before, after) == (
        " On the real board, move Ann's chariot 1 from home to sigil 9"
        " and move two coins from sigil 5 to the centre."
    )
    assert moves_text(before, before) == ""


def test_what_goes_the_same_way_is_told_at_once() -> None:
    def hand_to_pile(where: str) -> list[Standing]:
        dice = ("blue", "red", "red")
        return [Standing(f"a {colour} die", where, f"{colour} dice") for colour in dice]

    assert moves_text(hand_to_pile("the dice of this turn"), hand_to_pile("Ben's pile")) == (
        " On the real board, move a blue die and two red dice from the dice of this turn to Ben's pile."
    )


def test_many_moves_are_not_told_one_by_one() -> None:
    before = [Standing(f"piece {n}", "1") for n in range(6)]
    after = [Standing(f"piece {n}", str(n + 2)) for n in range(6)]
    assert moves_text(before, after) == (
        " On the real board, set everything as the board on the page shows it."
    )
    assert moves_text((), after) == ""
