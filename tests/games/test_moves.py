"""The moves that people make by tapping the board: one for each option that the board can show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from table.commands.rules import rules_text
from table.games import GAMES
from table.games.bricrius_bluff import bids_on_track
from table.rules.answers import Bid, answer_from_json
from table.rules.entered_prompts import AskBid
from table.rules.match import Match, MatchView
from table.rules.prompts import Choose
from tests.games.playing import make_seats, start

PLAYED: Mapping[str, tuple[int, Mapping[str, str]]] = {
    "sigily": (3, {"magic": "on"}),
    "down_the_danube": (2, {}),
    "bricrius_bluff": (3, {}),
    "high_rollin": (3, {"match": "one_game"}),
}
"""The players and the settings of each game whose board can be tapped."""

BESIDE_THE_BOARD = {"fell", "home", "challenge"}
"""Options of prompts with moves that nothing on the board stands for."""

MOST_ANSWERS = 600


def asked(name: str, seed: int) -> Iterator[tuple[Match, MatchView]]:
    """A random match at each of its prompts."""
    players, settings = PLAYED[name]
    match, chance = start(name, make_seats(players), settings), Random(seed)
    while match.prompt is not None and match.at < MOST_ANSWERS:
        yield match, match.view()
        match = match.after(match.answered(match.prompt.random_answer(chance)))


def moves_of(match: Match) -> list[dict[str, Any]]:
    return match.prompt.shown().get("moves", []) if match.prompt else []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", PLAYED)
def test_each_option_of_a_board_has_its_move_between_spots_of_the_board(name: str, seed: int) -> None:
    shown = 0
    for match, view in asked(name, seed):
        assert view.board is not None
        spots = {space.id: space for space in view.board.spaces}
        moves = moves_of(match)
        for move in moves:
            assert {"piece", "to"} & set(move), "a tap needs something to tap"
            assert {move[key] for key in ("piece", "to", "ends") if key in move} <= set(spots)
            assert "piece" not in move or spots[move["piece"]].pieces, "a piece stands where one is moved"
            assert not {"piece", "off"} <= set(move)
        if isinstance(match.prompt, Choose) and moves:
            options = {o.id for o in match.prompt.options}
            assert {move["choose"] for move in moves} == options - BESIDE_THE_BOARD
            assert len(moves) == len({move["choose"] for move in moves})
        shown += len(moves)
    assert shown > 100


def keys_of(shown: object) -> set[str]:
    """The keys of an object and of all that it holds."""
    if isinstance(shown, list):
        return {key for each in shown for key in keys_of(each)}
    if isinstance(shown, dict):
        return {key for field, value in shown.items() for key in {field} | keys_of(value)}
    return set()


@pytest.mark.parametrize("name", PLAYED)
def test_the_rules_for_scripts_have_each_field_of_the_board_and_of_what_is_asked_on_it(name: str) -> None:
    fields, text = set[str](), rules_text(GAMES[name])
    for match, view in asked(name, seed=3):
        assert view.board is not None
        assert match.prompt is not None
        prompt = match.prompt.shown()
        names = {seat.name for seat in match.seats}
        fields |= keys_of(view.board.to_json()) - names
        fields |= keys_of({key: prompt[key] for key in prompt.keys() - match.prompt.to_json().keys()})
    assert len(fields) > 15
    assert [field for field in sorted(fields) if f'"{field}"' not in text] == []
    assert '{"player": NAME, "text": TEXT, "coins": 3}' in text, "of a piece, as of a spot"


@pytest.mark.parametrize("name", PLAYED)
def test_every_move_is_an_answer_that_the_prompt_takes(name: str) -> None:
    for match, _ in asked(name, seed=7):
        for move in moves_of(match):
            if "choose" in move:
                answers = [{"choose": move["choose"]}]
            else:
                count = move["bid"]["count"]
                answers = [{"bid": {"count": count, "face": face}} for face in move["bid"]["faces"]]
            assert all(answer_from_json(answer) in match.prompt for answer in answers)  # type: ignore[operator]


def test_the_moves_are_no_part_of_the_log() -> None:
    for match, _ in asked("down_the_danube", seed=1):
        assert match.prompt is not None
        assert "moves" not in match.prompt.to_json()


def test_choices_of_where_to_go_can_all_be_tapped() -> None:
    """No choice of a piece is left to the list alone."""
    texts = ("Which piece", "Which chariot", "which die goes", "which chariot", "From which of the highest")
    for name in ("sigily", "down_the_danube", "high_rollin"):
        for match, view in asked(name, seed=11):
            if isinstance(match.prompt, Choose) and any(text in match.prompt.text for text in texts):
                assert moves_of(match), (name, match.prompt.text, view.at)


def test_a_piece_that_falls_back_is_put_on_the_square_that_is_held() -> None:
    """The tapped square is that of the points, so each square stands for one step of a piece."""
    found = []
    for seed in range(12):
        for match, _ in asked("down_the_danube", seed):
            moves = moves_of(match)
            assert len({(m["piece"], m["to"]) for m in moves}) == len(moves)
            found += [m for m in moves if "ends" in m]
    assert any(m["to"] == "30" and m["ends"] != "30" for m in found), "the rapids"
    assert any(m["to"] in ("29", "32", "34") and int(m["ends"]) == int(m["to"]) - 1 for m in found)


def test_the_track_offers_every_raise_of_as_many_dice_as_are_in_play() -> None:
    for match, _ in asked("bricrius_bluff", seed=5):
        if isinstance(match.prompt, AskBid):
            dice = sum(match.scores.values())
            offered = [(m["bid"]["count"], f) for m in moves_of(match) for f in m["bid"]["faces"]]
            faces = range(1, 7)
            legal = {(n, f) for n in range(1, dice + 1) for f in faces if Bid(n, f) in match.prompt}
            assert len(offered) == len(set(offered))
            assert set(offered) <= legal
            assert {f for _, f in offered} == {f for _, f in legal}
            if dice <= 10:  # no shield stands for two bids
                assert set(offered) == legal


def test_a_die_that_may_only_be_turned_stays_on_its_shield() -> None:
    moves = {m.to or m.piece: (n, faces) for n, faces, m in bids_on_track(10, "published", Bid(3, 4))}
    assert moves["w3"] == (3, (5, 6))
    assert moves["w4"] == (4, (2, 3, 4, 5, 6))
    assert "w2" not in moves


def test_the_moves_of_a_view_stay_when_the_match_goes_on() -> None:
    """The page reads a view later, from another thread."""
    views = [(view, moves_of(match)) for match, view in asked("bricrius_bluff", seed=2)]
    for view, moves in views:
        assert view.prompt is not None
        assert view.prompt.moves == moves
