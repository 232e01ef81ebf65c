"""Down the Danube: the worked examples, all rulings, and all plays of a throw by an independent count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import NamedTuple, Self

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from table.games import game
from table.games.danube.river import NICKELS, PENNIES, RAPIDS, SEA, Position, blocks, runs
from table.games.danube.steps import (
    NONE,
    Step,
    back,
    best_steps,
    can_leave,
    endings,
    forward,
    has_moved,
    most_used,
    steps_back,
)
from table.games.danube.sticks import points_of
from table.games.down_the_danube import CHANCES, DOWN_THE_DANUBE, River, turn
from table.rules.answers import Chosen, Number, Sticks, Throw
from table.rules.game import Outcome, Seat, Table
from table.rules.match import Match
from tests.games import playing
from tests.games.night import Night

STICKS = {n: ("white",) * n + ("black",) * (4 - n) for n in (1, 2, 3, 4)} | {6: ("black",) * 4}
"""The sides of the sticks for each number of points."""


class DanubeNight(Night):
    """A night in which throws are written as points instead of sticks."""

    def sticks(self, *points: int) -> Self:
        for n in points:
            self.throws_sticks(*STICKS[n])
        return self

    def plays(self, *steps: str) -> Self:
        for step in steps:
            self.chooses(step)
        return self

    def corrects_sticks(self, at: int, points: int) -> Self:
        self.match = self.match.after(self.match.corrected(at, Sticks(STICKS[points])))
        return self

    def squares_of_player(self, player: str) -> list[int]:
        """The squares of a player's pieces on the board."""
        board = self.match.view().board
        assert board is not None
        return [
            int(s.id) for s in board.spaces if s.id != str(SEA) and any(p.player == player for p in s.pieces)
        ]

    @property
    def all_options(self) -> dict[str, str]:
        prompt = self.prompt.to_json()
        return {o["id"]: o["text"] for o in prompt.get("options", ())}


def started() -> DanubeNight:
    """Ann has thrown the 1 and has the nickels; Ben has the pennies."""
    return DanubeNight("down_the_danube", "Ann", "Ben").sticks(1)


def with_pieces(
    ann: Iterable[int], ben: Iterable[int], opening: bool = False, nickels: str = "Ann"
) -> DanubeNight:
    """Ann is to throw, with the pieces on these squares."""

    async def play(table: Table) -> Outcome:
        river = River(table, nickels)
        river.pieces = {"Ann": frozenset(ann), "Ben": frozenset(ben)}
        table.board = river.board()
        player, won = "Ann", await turn(table, river, "Ann", opening)
        while not won:
            player = table.after(player)
            won = await turn(table, river, player)
        return Outcome((player,), f"{player} wins.")

    night = DanubeNight.__new__(DanubeNight)
    night.match = Match(replace(DOWN_THE_DANUBE, play=play), [Seat("Ann"), Seat("Ben")])
    return night


def nickels_at(mine: Iterable[int], theirs: Iterable[int]) -> Position:
    return Position(frozenset(mine), frozenset(theirs), NICKELS)


def pennies_at(mine: Iterable[int], theirs: Iterable[int]) -> Position:
    return Position(frozenset(mine), frozenset(theirs), PENNIES)


def step(position: Position, piece: int, points: int) -> Step:
    found = forward(position, piece, points)
    assert found is not None
    return found


# -- throws --------------------------------------------------------------------------------------------------


def test_a_throw_counts_its_white_sides_and_four_black_count_six() -> None:
    assert [points_of(STICKS[n]) for n in (1, 2, 3, 4, 6)] == [1, 2, 3, 4, 6]
    assert points_of(("black", "white", "black", "white")) == 2


def test_the_chances_of_all_throws_are_exact() -> None:
    assert {points: chance * 16 for points, chance in CHANCES.items()} == {1: 4, 2: 6, 3: 4, 4: 1, 6: 1}
    assert sum(CHANCES.values()) == 1


def test_the_coach_gives_the_chance_of_another_throw() -> None:
    night = DanubeNight("down_the_danube", "Ann", "Ben")
    assert [(o.text, o.value) for o in night.prompt.odds] == [("a 1, which begins", Fraction(1, 4))]
    night.sticks(1)
    assert [(o.text, o.value) for o in night.prompt.odds] == [
        ("a 1, 4 or 6, and another throw", Fraction(6, 16))
    ]


def test_the_coach_gives_the_chances_to_leave_and_to_be_blocked() -> None:
    night = with_pieces([34], [29, 32])
    assert night.odds["a piece can leave the board"] == Fraction(12, 16)
    night = with_pieces([28], [29, 32])
    assert night.odds["nothing can move forward"] == Fraction(4, 16)


# -- worked examples -----------------------------------------------------------------------------------------


def test_example_1_the_throw_for_the_start() -> None:
    night = DanubeNight("down_the_danube", "Ann", "Ben")
    assert night.asks == "Ann: throw the four sticks to see who begins: a 1 does."
    night.sticks(3)
    assert night.turn == "Ben"
    night.sticks(2).sticks(1)
    assert night.says == "Ann begins with the nickels, and plays a 1 from 10 to 11."
    assert night.squares_of_player("Ann") == [2, 4, 6, 8, 11]
    assert night.squares_of_player("Ben") == [1, 3, 5, 7, 9]
    assert night.asks == "Ann: throw the four sticks again, after a 1."


def test_example_2_the_first_point_of_the_pennies_goes_from_9_to_10() -> None:
    night = started().sticks(2).plays("11+2")
    night.sticks(3)
    assert night.says == "Ben's first point goes from 9 to 10."
    assert night.squares_of_player("Ben") == [1, 3, 5, 7, 10]
    assert "10+2" not in night.options
    night.plays("7+2")
    assert night.squares_of_player("Ben") == [1, 3, 5, 9, 10]
    assert night.asks == "Ann: throw the four sticks."


def test_example_3_a_single_piece_is_switched_and_a_group_is_not() -> None:
    position = nickels_at([2, 4, 6, 8, 11], [1, 3, 5, 9, 10])
    switched = step(position, 2, 3).after
    assert (sorted(switched.mine), sorted(switched.theirs)) == ([4, 5, 6, 8, 11], [1, 2, 3, 9, 10])
    assert forward(position, 6, 3) is None
    night = started().sticks(2).plays("11+2").sticks(3).plays("7+2").sticks(3)
    assert night.all_options["2+3"] == "2 to 5, switching with Ben's piece"
    assert night.refuses_choice("6+3").startswith(
        "The piece on 9 has a neighbour and cannot be switched: choose"
    )
    night.plays("2+3")
    assert night.says == "Ann and Ben switch: Ben's piece goes from 5 to 2."
    assert night.squares_of_player("Ben") == [1, 2, 3, 9, 10]
    assert night.squares_of_player("Ann") == [4, 5, 6, 8, 13]
    assert night.turn == "Ben"


def test_example_4_three_pieces_are_a_block_and_two_are_not() -> None:
    assert forward(nickels_at([13], [14, 15, 16]), 13, 4) is None
    assert step(nickels_at([13], [14, 15]), 13, 3).to == 16


def test_example_5_in_the_third_row_two_are_a_block_and_three_are_not() -> None:
    assert forward(nickels_at([25], [26, 27]), 25, 3) is None
    assert step(nickels_at([25], [26, 27, 28]), 25, 4).to == 29
    night = with_pieces([25, 2], [26, 27, 28]).sticks(4).plays("25+4")
    assert (
        "26, 27 and 28 do not stop Ann: in the third row only two side by side are a block." in night.rulings
    )


@pytest.mark.parametrize(
    ("mine", "theirs", "points", "to", "used", "switched"),
    [
        ([27], [29], 2, 28, 1, None),
        ([28], [29], 1, None, 0, None),
        ([26], [28, 29], 3, None, 0, None),
        ([28], [32, 33, 34], 6, 33, 5, 33),
    ],
)
def test_example_6_a_held_safe_square_sends_a_piece_back_one_square(
    mine: list[int], theirs: list[int], points: int, to: int | None, used: int, switched: int | None
) -> None:
    found = forward(nickels_at(mine, theirs), mine[0], points)
    if to is None:
        assert found is None
        return
    assert found is not None
    assert (found.to, found.used, found.switched or None, found.why) == (to, used, switched, "falls back")
    if switched:
        assert found.after.theirs == frozenset(theirs) - {switched} | {mine[0]}


def test_example_6_another_piece_uses_the_spare_point() -> None:
    night = with_pieces([27, 12], [29, 1]).sticks(2)
    assert night.all_options["27+2"] == "27 to 29, which is held, and so back to 28"
    night.plays("27+2")
    assert night.says == "Ann can play 1 point in one way only: 12 to 13."
    assert night.squares_of_player("Ann") == [13, 28]
    night = with_pieces([28, 12], [29, 1]).sticks(1)
    assert night.rulings == ["Ann can play 1 point in one way only: 12 to 13."]
    night = with_pieces([28, 12, 15], [29, 1]).sticks(1)
    assert night.options == ["12+1", "15+1"]


@pytest.mark.parametrize(
    ("position", "to"),
    [
        (nickels_at([28], []), 19),
        (nickels_at([28], [19]), 10),
        (nickels_at([28, 10], [19]), 8),
        (nickels_at([28, 10], [19, 8]), 6),
        (pennies_at([28, 9], [19]), 7),
        (pennies_at([28, 19, 9, 7, 5], [3]), 1),
    ],
)
def test_example_7_the_rapids_send_a_piece_back(position: Position, to: int) -> None:
    lost = step(position, 28, 2)
    assert (lost.to, lost.used, lost.why) == (to, 2, "rapids")
    assert lost.after.mine == position.mine - {28} | {to}
    assert lost.after.theirs == position.theirs


def test_example_7_options_and_rulings_name_the_rapids() -> None:
    night = with_pieces([28, 10], [19, 8]).sticks(2)
    assert night.all_options["28+2"] == "28 to 30, the rapids, and so to 6"
    night.plays("28+2")
    assert night.says == "Ann's boat is lost in the rapids on 30: it begins again on 6."
    assert night.squares_of_player("Ann") == [6, 10]


def test_example_8_pieces_leave_when_none_is_on_1_to_10() -> None:
    assert step(nickels_at([33, 20], []), 33, 3).to == SEA
    assert forward(nickels_at([33, 9], []), 33, 3) is None
    assert forward(nickels_at([34, 9], []), 34, 2) is None
    night = with_pieces([34, 12, 20], [1, 3]).sticks(6)
    assert night.all_options["34+2"] == "34 off the board"
    night.plays("34+2")
    assert night.asks == "Ann: 4 points to move. Which piece goes how far?"
    assert night.sheet == [("Ann", 1, "off the board from 34 with 2 of a 6")]
    assert night.match.view().board is not None
    night.plays("12+4")
    assert night.squares_of_player("Ann") == [16, 20]
    with_a_nickel_behind = with_pieces([34, 9], [1, 3]).sticks(6)
    assert "34+2" not in with_a_nickel_behind.options
    with_a_nickel_behind.plays("9+4")
    assert with_a_nickel_behind.says == "Ann can play 2 points in one way only: 34 off the board."


def test_example_9_a_player_switched_back_to_1_to_10_cannot_leave() -> None:
    switched = step(nickels_at([8, 20], [12, 34]), 8, 4).after
    assert sorted(switched.theirs) == [8, 34]
    theirs = Position(switched.theirs, switched.mine, PENNIES)
    assert forward(theirs, 34, 2) is None
    beyond = step(theirs, 8, 3).after
    assert step(beyond, 34, 2).to == SEA


# -- rulings -------------------------------------------------------------------------------------------------


def test_d1_the_player_who_throws_a_1_begins_with_the_nickels() -> None:
    night = DanubeNight("down_the_danube", "Ann", "Ben").sticks(6, 4, 2, 1)
    assert night.says == "Ben begins with the nickels, and plays a 1 from 10 to 11."
    assert night.squares_of_player("Ben") == [2, 4, 6, 8, 11]
    assert night.turn == "Ben"


def test_d1_the_player_named_by_start_begins_as_if_after_a_1() -> None:
    night = DanubeNight("down_the_danube", "Ann", "Ben", start="Ben")
    assert night.asks == "Ben: throw the four sticks again, after a 1."
    assert night.squares_of_player("Ben") == [2, 4, 6, 8, 11]


def test_d2_the_first_move_can_be_a_switch_and_takes_one_point() -> None:
    night = started().sticks(1).plays("11+1").sticks(2).plays("8+2").sticks(1)
    assert night.says == "Ben and Ann switch: Ann's piece goes from 10 to 9."
    assert night.squares_of_player("Ben") == [1, 3, 5, 7, 10]
    assert night.asks == "Ben: throw the four sticks again, after a 1."


def test_d2_is_waived_when_a_protected_nickel_is_on_10() -> None:
    night = started().sticks(2).plays("8+2").sticks(2)
    assert night.says == "Ben cannot go from 9 to 10, so this throw is free."
    assert {"1+1", "3+1", "5+1", "7+1"} == set(night.options)
    held = with_pieces([1, 3, 5, 7, 9], [2, 4, 6, 10, 11], opening=True, nickels="Ben").sticks(2)
    assert held.says == "Ann cannot go from 9 to 10, so this throw is free."
    assert {"1+1", "7+1"} < set(held.options)
    held.plays("1+1", "3+1")
    assert held.turn == "Ben"


def test_d2_is_waived_when_no_penny_is_on_9() -> None:
    night = started().sticks(1).plays("8+1").sticks(2).plays("11+2")
    assert night.squares_of_player("Ben") == [1, 3, 5, 7, 8]
    night.sticks(3)
    assert night.says == "Ben cannot go from 9 to 10, so this throw is free."
    assert "1+1" in night.options


def test_d2_applies_to_the_first_throw_only() -> None:
    night = started().sticks(2).plays("11+2").sticks(1)
    assert night.squares_of_player("Ben") == [1, 3, 5, 7, 10]
    night.sticks(1)
    assert {"1+1", "3+1", "5+1", "7+1", "10+1"} == set(night.options)


def test_d3_a_piece_moves_once_in_a_throw() -> None:
    night = started().sticks(3).plays("11+1")
    assert night.refuses_choice("12+2").startswith("The piece on 12 has already moved in this throw: choose ")
    assert not [o for o in night.options if o.startswith("12+")]


@pytest.mark.parametrize(
    ("pieces", "blocking"),
    [
        ([14, 15, 16], [14, 15, 16]),
        ([14, 15], []),
        ([25, 26], [25, 26]),
        ([26, 27, 28], []),
        ([26, 27, 28, 29], []),
        ([25, 26, 27, 28, 29], []),
        ([24, 25], []),
        ([24, 25, 26], [24, 25, 26]),
        ([23, 24, 25], [23, 24, 25]),
        ([31, 32, 34, 35], [31, 32, 34, 35]),
        ([11, 12, 13], [11, 12, 13]),
    ],
)
def test_d4_d12_blocks_depend_on_row_and_size(pieces: list[int], blocking: list[int]) -> None:
    assert sorted(blocks(frozenset(pieces))) == blocking


def test_d4_three_pieces_in_the_third_row_are_still_a_group() -> None:
    assert forward(nickels_at([24], [26, 27, 28]), 24, 3) is None


def test_d4_own_blocks_can_be_passed() -> None:
    assert step(nickels_at([13, 14, 15, 16], []), 13, 4).to == 17


@pytest.mark.parametrize(
    ("theirs", "to"),
    [
        ([28, 29], None),
        ([27, 28, 29], 28),
        ([31, 32], 31),
        ([33, 34], 33),
        ([32, 33, 34], 33),
        ([33, 34, 35], 33),
    ],
)
def test_d5_a_piece_that_falls_back_switches_with_a_group_but_not_a_block(
    theirs: list[int], to: int | None
) -> None:
    safe = next(s for s in theirs if s in (29, 32, 34) and s - 1 in theirs)
    found = forward(
        nickels_at([24 if safe == 29 else 28], theirs),
        24 if safe == 29 else 28,
        safe - (24 if safe == 29 else 28),
    )
    if to is None or len(theirs) == 2:
        assert found is None
    else:
        assert found is not None
        assert (found.to, found.switched) == (to, to)


def test_d5_the_rulings_explain_a_switch_with_a_group() -> None:
    night = with_pieces([28, 12], [32, 33, 34]).sticks(6).plays("28+6")
    assert night.rulings[0] == (
        "32, 33 and 34 do not stop Ann: in the third row only two side by side are a block."
    )
    assert night.rulings[1] == "34 is safe and Ben's, so Ann falls back to 33, with a point to spare."
    assert night.rulings[2] == "Ann and Ben switch: Ben's piece goes from 33 to 28."
    assert night.rulings[3] == (
        "A piece that falls back switches even with a piece of a group, but not with one of a block."
    )


def test_d6_a_piece_that_lands_on_36_leaves_the_board() -> None:
    assert forward(nickels_at([35, 10], []), 35, 1) is None
    assert step(nickels_at([35, 11], []), 35, 1).to == SEA


def test_d7_surplus_points_of_a_leaving_piece_are_lost() -> None:
    night = with_pieces([35], [1, 3]).sticks(6)
    assert night.over
    night = with_pieces([35, 34], [1, 3]).sticks(6)
    assert night.over


def test_d7_points_that_no_piece_can_use_are_lost() -> None:
    night = with_pieces([35, 20], [21, 22, 23, 25, 26]).sticks(3)
    assert night.rulings[0] == "Ann can play 1 point in one way only: 35 off the board."
    assert night.says == "Ann can use no more: 2 points lost."
    assert night.turn == "Ben"


def test_d8_a_piece_sent_back_by_the_rapids_prevents_leaving() -> None:
    night = with_pieces([28, 35], [19, 1]).sticks(2)
    night.plays("28+2")
    assert night.squares_of_player("Ann") == [10, 35]
    assert forward(nickels_at([10, 35], [19, 1]), 35, 1) is None


def test_d9_one_piece_goes_back_by_the_whole_throw() -> None:
    night = with_pieces([20, 16], [17, 18, 19, 21, 22]).sticks(3)
    assert night.rulings == ["Ann can play 3 points in one way only: 20 to 23."]
    night = with_pieces([20, 12], [13, 14, 15, 21, 22, 23]).sticks(3)
    assert night.asks == "Ann: nothing can move forward. Which piece goes back 3?"
    assert night.all_options == {"12-3": "12 back to 9", "20-3": "20 back to 17"}
    night.plays("20-3")
    assert night.squares_of_player("Ann") == [12, 17]
    assert night.turn == "Ben"


@pytest.mark.parametrize(
    ("mine", "theirs", "piece", "points", "to"),
    [
        ([20], [17], 20, 3, 17),
        ([20], [16, 17], 20, 3, None),
        ([20], [17, 18, 19], 20, 4, None),
        ([20], [18, 19], 20, 3, 17),
        ([20, 17], [], 20, 3, None),
        ([2], [], 2, 2, None),
        ([3], [], 3, 2, 1),
        ([33], [32], 33, 1, None),
        ([33], [29], 33, 4, None),
        ([33], [], 33, 3, 19),
        ([33], [19], 33, 3, 10),
        ([33], [], 33, 4, 29),
    ],
)
def test_d9_all_movement_rules_apply_backwards(
    mine: list[int], theirs: list[int], piece: int, points: int, to: int | None
) -> None:
    found = back(nickels_at(mine, theirs), piece, points)
    assert (found.to if found else None) == to
    if found:
        assert found.used == points


def test_d10_a_throw_that_moves_nothing_ends_the_turn_even_after_a_4() -> None:
    night = with_pieces([1], [2, 3, 4]).sticks(4)
    assert night.says == "Ann cannot move forward or back: the 4 is lost, and the turn is over."
    assert night.turn == "Ben"


def test_a_step_back_with_a_1_4_or_6_gives_another_throw() -> None:
    night = with_pieces([20], [21, 22, 23]).sticks(4)
    assert night.says == "Ann cannot move forward, and can move back in one way only: 20 back to 16."
    assert night.asks == "Ann: throw the four sticks again, after a 4."


def test_d11_a_piece_of_either_colour_takes_19_and_the_starting_squares() -> None:
    assert step(nickels_at([28, 19], []), 28, 2).to == 10
    assert step(nickels_at([28, 19], [10]), 28, 2).to == 8


def test_the_rapids_are_closed_when_no_starting_square_is_free() -> None:
    assert forward(nickels_at([28, 2, 4, 6, 8], [10, 19]), 28, 2) is None


def test_d12_squares_at_the_end_of_rows_are_neighbours() -> None:
    assert forward(nickels_at([10], [12, 13]), 10, 2) is None
    assert forward(nickels_at([22], [24, 25]), 22, 2) is None


def test_d13_a_spare_point_that_no_piece_can_use_is_lost() -> None:
    night = with_pieces([27], [29, 1]).sticks(2)
    assert night.rulings == [
        "Ann can play 1 point in one way only: 27 to 29, which is held, and so back to 28.",
        "29 is safe and Ben's, so Ann falls back to 28, with a point to spare.",
        "Ann can use no more: 1 point lost.",
    ]
    assert night.squares_of_player("Ann") == [28]
    assert night.turn == "Ben"


def test_d13_falling_back_to_its_own_square_is_no_move_so_a_piece_goes_back() -> None:
    night = with_pieces([28], [29, 1]).sticks(1)
    assert night.rulings == [
        "Ann cannot move forward, and can move back in one way only: 28 back to 27.",
    ]
    assert night.squares_of_player("Ann") == [27]
    assert night.asks == "Ann: throw the four sticks again, after a 1."


def test_d13_with_two_pieces_the_player_chooses_which_goes_back() -> None:
    night = with_pieces([28, 31], [29, 32]).sticks(1)
    assert night.options == ["28-1", "31-1"]
    assert night.refuses_choice("28+1").startswith("Nothing can move forward: choose ")
    night.plays("31-1")
    assert night.says == "Ann's boat is lost in the rapids on 30: it begins again on 19."


def test_d10_d13_a_turn_is_over_when_a_piece_could_only_fall_back_to_its_own_square() -> None:
    night = with_pieces([28], [27, 26, 29]).sticks(1)
    assert night.says == "Ann cannot move forward or back: the 1 is lost, and the turn is over."
    assert night.squares_of_player("Ann") == [28]
    assert night.turn == "Ben"


def test_d14_the_most_possible_points_are_used() -> None:
    position = nickels_at([20, 3], [22, 23, 24, 5, 6])
    assert most_used(position, 3) == 2
    assert [s.id for s in best_steps(position, 3)] == ["3+1", "20+1"]
    night = with_pieces([20, 3], [22, 23, 24, 5, 6]).sticks(3)
    assert night.rulings[-1] == "Ann can use no more: 1 point lost."
    assert night.squares_of_player("Ann") == [4, 21]


def test_d14_a_split_that_wastes_points_is_not_offered() -> None:
    position = nickels_at([20, 3], [22, 23, 5, 6, 7])
    assert forward(position, 3, 1)
    assert forward(position, 20, 1)
    assert [s.id for s in best_steps(position, 4)] == ["20+4"]
    night = with_pieces([20, 3], [22, 23, 5, 6, 7]).sticks(4)
    assert night.rulings == ["Ann can play 4 points in one way only: 20 to 24."]


def test_d15_d16_safe_squares_rapids_and_the_end_have_their_numbers() -> None:
    board = started().match.view().board
    assert board is not None
    kinds = {int(s.id): s.kind for s in board.spaces}
    assert [n for n, kind in kinds.items() if kind == "safe"] == [29, 32, 34]
    assert [n for n, kind in kinds.items() if kind == "danger"] == [30]
    assert [n for n, kind in kinds.items() if kind == "home"] == [36]


# -- the turn ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "whose"), [(1, "Ann"), (2, "Ben"), (3, "Ben"), (4, "Ann"), (6, "Ann")])
def test_a_1_4_or_6_gives_another_throw_and_a_2_or_3_ends_the_turn(points: int, whose: str) -> None:
    night = started().sticks(points).plays(f"11+{points}")
    assert night.turn == whose


def test_a_throw_can_be_divided_among_pieces() -> None:
    night = started().sticks(4).plays("11+2", "8+1", "2+1")
    assert night.asks == "Ann: throw the four sticks again, after a 4."
    assert night.squares_of_player("Ann") == [3, 4, 6, 9, 13]
    assert night.squares_of_player("Ben") == [1, 2, 5, 7, 8]


def test_the_board_has_three_connected_rows() -> None:
    board = started().match.view().board
    assert board is not None
    at = {int(s.id): (s.x, s.y) for s in board.spaces}
    assert len(at) == 36
    assert at[1][0] < at[12][0] == at[13][0] > at[24][0] == at[25][0] < at[36][0]
    assert at[1][1] == at[12][1] < at[13][1] == at[24][1] < at[25][1] == at[36][1] < board.height
    assert board.notes == ("Ann: nickels, 0 off", "Ben: pennies, 0 off")


def test_the_river_is_shown_without_pieces_until_somebody_begins() -> None:
    board = DanubeNight("down_the_danube", "Ann", "Ben").match.view().board
    assert board is not None
    assert not any(space.pieces for space in board.spaces)
    assert board.notes == ()


def test_pieces_off_the_board_are_shown_on_the_last_square() -> None:
    night = with_pieces([35, 34, 33], [1, 3, 5, 7, 9]).sticks(1)
    assert night.rulings == ["Ann can play 1 point in one way only: 35 off the board."]
    board = night.match.view().board
    assert board is not None
    assert [(p.player, p.text) for p in board.spaces[-1].pieces] == [("Ann", "×3")]


def test_the_fifth_piece_off_wins_at_once() -> None:
    night = with_pieces([35, 34], [20, 22]).sticks(3)
    assert night.over
    assert night.winners == ("Ann",)
    assert night.scores == {"Ann": 2, "Ben": 0}


def test_the_winner_has_five_points_and_the_loser_a_score_line() -> None:
    rng = Random(5)
    night = DanubeNight("down_the_danube", "Ann", "Ben", start="Ben")
    playing.play_to_end(night.match, rng, 5000)
    (winner,) = night.winners
    assert night.scores[winner] == 5
    assert {player for player, _, _ in night.sheet} == {"Ann", "Ben"}
    answer = "yes" if winner == "Ben" else "no"
    assert night.outcome.reason == (
        f"{winner} brings the fifth piece off and wins. If you asked a question, the answer is {answer}."
    )
    assert night.sheet[-1][2].startswith("still on the river: ")


def test_a_step_can_be_taken_back_and_a_throw_corrected() -> None:
    night = started().sticks(2).plays("11+1")
    assert night.options == ["2+1", "4+1", "6+1", "8+1"]
    night.takes_back()
    assert night.squares_of_player("Ann") == [2, 4, 6, 8, 11]
    night.plays("11+2").corrects_sticks(1, 3)
    assert night.says.startswith(
        "Ann's throw is corrected from white, white, black and black to white, white, white and black."
    )
    assert night.squares_of_player("Ann") == [2, 4, 6, 8, 13]
    assert night.asks == "Ann: 1 point to move. Which piece goes how far?"


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_passing_while_a_piece_can_move() -> None:
    night = started().sticks(2)
    assert night.refuses_choice("pass").startswith("Not “pass”: choose 2+1, ")
    assert night.refuses_answer(Number(0)).startswith("A choice is expected, not a number.")


def test_foul_a_first_step_other_than_9_to_10() -> None:
    night = started().sticks(2).plays("11+2").sticks(1)
    assert night.refuses_choice("7+9").startswith("A throw of sticks is expected, not a choice.")


def test_foul_switching_a_piece_on_a_safe_square() -> None:
    night = with_pieces([27, 12, 15], [29, 1]).sticks(2)
    assert night.refuses_choice("27+3").startswith("There are 2 points left, not 3: choose ")
    night.plays("27+2")
    assert 29 in night.squares_of_player("Ben")


@pytest.mark.parametrize(
    ("ann", "ben", "points", "foul", "why"),
    [
        ([13, 2, 5], [4, 16, 17, 18], 6, "13+6", "A block stands between 13 and 19"),
        ([13, 2, 5], [15, 16, 9], 3, "13+3", "The piece on 16 has a neighbour and cannot be switched"),
        ([34, 20, 9], [1], 3, "34+2", "No piece leaves the board while one of yours is on 1 to 10"),
        ([34, 20, 15], [1], 3, "34+3", "From 34 a piece leaves the board with 2 points"),
        ([13, 15, 2], [1], 2, "13+2", "A piece of yours stands on 15"),
        ([26, 12, 2], [28, 29, 1], 3, "26+3", "A block stands between 26 and 29"),
        ([27, 28, 2], [29, 1], 2, "27+2", "29 is safe and held, and nobody can fall back to 28"),
        (
            [28, 12, 2],
            [29, 1],
            2,
            "28+1",
            "29 is safe and held, so the piece would fall back to 28, which is no move",
        ),
        ([13, 2, 5], [1], 2, "14+1", "No piece of yours stands on 14"),
        ([13, 2, 5], [1], 2, "13-2", "Nobody goes back while a piece can move forward"),
        ([25, 35], [1, 22], 3, "25+1", "You must use as many points as you can"),
    ],
)
def test_a_refused_step_has_its_reason(
    ann: list[int], ben: list[int], points: int, foul: str, why: str
) -> None:
    night = with_pieces(ann, ben).sticks(points)
    assert night.refuses_choice(foul).startswith(f"{why}: choose ")


def test_a_refused_step_back_has_its_reason() -> None:
    night = with_pieces([13, 23, 12], [14, 15, 16, 24, 25, 26]).sticks(2)
    assert night.options == ["12-2", "13-2", "23-2"]
    assert night.refuses_choice("13-1").startswith("A step back takes the whole throw, 2 points: choose ")
    assert night.refuses_choice("13+2").startswith("Nothing can move forward: choose ")


def test_the_ruling_names_only_the_points_that_are_used() -> None:
    night = with_pieces([35], [1, 3]).sticks(2)
    assert night.rulings[-1] == "Ann can play 1 point in one way only: 35 off the board."


def test_foul_throwing_again_after_a_2() -> None:
    night = started().sticks(2).plays("11+2")
    assert night.turn == "Ben"
    assert night.refuses_choice("11+1").startswith("A throw of sticks is expected")


def test_foul_throwing_other_sticks_or_dice() -> None:
    night = started()
    refusal = night.refuses_answer(Sticks(("white", "dog", "white", "black")))
    assert refusal == (
        "No stick shows dog; they show white or black. Ann: throw the four sticks again, after a 1."
    )
    assert night.refuses_answer(Sticks(("white",) * 3)).startswith(
        "Four sticks expected, three came. Ann: throw the four sticks"
    )
    assert night.refuses_answer(Throw.of(1, 1, 1, 1)).startswith(
        "A throw of sticks is expected, not a throw of dice."
    )
    assert night.refuses_answer(Chosen("11+1")).startswith("A throw of sticks is expected, not a choice.")


# -- every play of a throw, by an independent count ----------------------------------------------------------


class Piece(NamedTuple):
    side: str
    number: int


Squares = dict[int, Piece]


def all_plays(
    squares: Squares, side: str, left: int, moved: frozenset[int] = frozenset()
) -> Iterator[tuple[int, Squares]]:
    """(points used, squares afterwards) for every order and split of the points, also of fewer points."""
    yield 0, squares
    for square, piece_there in sorted(squares.items()):
        if piece_there.side == side and piece_there.number not in moved:
            for share in range(1, left + 1):
                for spent, then in moved_by(squares, square, share):
                    for more, end in all_plays(then, side, left - spent, moved | {piece_there.number}):
                        yield spent + more, end


def moved_by(squares: Squares, at: int, share: int) -> Iterator[tuple[int, Squares]]:
    piece_there, goal = squares[at], at + share
    opponent = "P" if piece_there.side == "N" else "N"
    opposing = sorted(square for square, other in squares.items() if other.side == opponent)
    if any(at < square < goal and in_block(opposing, square) for square in opposing):
        return
    own = [square for square, other in squares.items() if other.side == piece_there.side]
    rest = {square: other for square, other in squares.items() if square != at}
    if goal >= 36:
        if min(own) > 10:
            yield 36 - at, rest
    elif goal in own:
        return
    elif goal == 30:
        for landing in [19, *((10, 8, 6, 4, 2) if piece_there.side == "N" else (9, 7, 5, 3, 1))]:
            if landing not in squares:
                yield share, {**rest, landing: piece_there}
                return
    elif goal not in opposing:
        yield share, {**rest, goal: piece_there}
    elif goal not in (29, 32, 34):
        if goal - 1 not in opposing and goal + 1 not in opposing:
            yield share, {**rest, goal: piece_there, at: squares[goal]}
    elif goal - 1 in opposing:
        if not in_block(opposing, goal - 1):
            yield share - 1, {**rest, goal - 1: piece_there, at: squares[goal - 1]}
    elif goal - 1 not in own:
        yield share - 1, {**rest, goal - 1: piece_there}


def in_block(opposing: list[int], square: int) -> bool:
    low = high = square
    while low - 1 in opposing:
        low -= 1
    while high + 1 in opposing:
        high += 1
    size = high - low + 1
    return size == 2 if low >= 25 else size >= 3


def squares_of(squares: Squares, side: str) -> frozenset[int]:
    return frozenset(square for square, piece_there in squares.items() if piece_there.side == side)


def positions() -> st.SearchStrategy[Position]:
    """Up to five pieces a side anywhere, often close together near the end."""
    anywhere = [n for n in range(1, SEA) if n != RAPIDS]
    crowded = [n for n in range(22, SEA) if n != RAPIDS]
    squares = st.sampled_from([anywhere, crowded, list(range(8, 20))]).flatmap(
        lambda where: st.lists(st.sampled_from(where), min_size=2, max_size=10, unique=True)
    )
    return st.tuples(squares, st.integers(1, 5), st.booleans()).map(lambda drawn: _shared_out(*drawn))


def _shared_out(squares: list[int], first: int, nickels: bool) -> Position:
    first = max(min(first, len(squares) - 1), len(squares) - 5)
    return Position(frozenset(squares[:first]), frozenset(squares[first:]), NICKELS if nickels else PENNIES)


def as_squares(position: Position) -> tuple[Squares, str, str]:
    side, other = ("N", "P") if position.starts == NICKELS else ("P", "N")
    men = [(square, side) for square in sorted(position.mine)] + [
        (square, other) for square in sorted(position.theirs)
    ]
    return {square: Piece(who, i) for i, (square, who) in enumerate(men)}, side, other


def every_end(position: Position, left: int, moved: frozenset[int] = NONE) -> Iterator[Position]:
    """All positions that the offered steps lead to."""
    if not most_used(position, left, moved):
        yield position
        return
    for offered in best_steps(position, left, moved):
        yield from every_end(offered.after, left - offered.used, has_moved(moved, offered))


@given(positions(), st.sampled_from([1, 2, 3, 4, 6]))
@example(nickels_at([28, 31, 33], [29, 32, 34]), 6)
@example(nickels_at([34, 35, 33, 31], [29, 32, 24, 25]), 6)
@example(nickels_at([28], [32, 33, 34]), 6)
def test_the_offered_steps_are_exactly_those_that_use_the_most_points(
    position: Position, points: int
) -> None:
    squares, side, other = as_squares(position)
    plays = [
        (used, squares_of(end, side), squares_of(end, other))
        for used, end in all_plays(squares, side, points)
    ]
    best = max(used for used, _, _ in plays)
    assert most_used(position, points) == best
    ends = {(end.mine, end.theirs) for end in every_end(position, points)}
    assert ends == {(mine, theirs) for used, mine, theirs in plays if used == best}
    assert (len(endings(position, points)) == 1) == (len(ends) == 1)
    assert can_leave(position, points) == any(len(mine) < len(position.mine) for mine, _ in ends)


@given(positions(), st.sampled_from([1, 2, 3, 4, 6]))
def test_steps_keep_all_pieces_on_separate_squares_and_pass_no_block(position: Position, points: int) -> None:
    for made in (*best_steps(position, points), *steps_back(position, points)):
        mine, theirs, starts = made.after
        assert starts == position.starts
        assert len(mine) == len(position.mine) - (made.to == SEA)
        assert len(theirs) == len(position.theirs)
        assert not mine & theirs
        assert all(1 <= square < SEA and square != RAPIDS for square in mine | theirs)
        low, high = sorted((made.piece, made.piece + made.points))
        assert not [square for square in blocks(position.theirs) if low < square < high]
        assert position.theirs & {29, 32, 34} <= theirs


@given(st.frozensets(st.integers(1, 35), max_size=5))
def test_runs_are_groups_of_neighbouring_pieces(pieces: frozenset[int]) -> None:
    found = list(runs(pieces))
    assert sorted(square for run in found for square in run) == sorted(pieces)
    assert all(run == tuple(range(run[0], run[0] + len(run))) for run in found)
    assert all(later[0] > run[-1] + 1 for run, later in pairwise(found))


@pytest.mark.parametrize("seed", range(6))
def test_every_throw_of_a_whole_match_keeps_all_ten_pieces(seed: int) -> None:
    night = DanubeNight("down_the_danube", "Ann", "Ben", start="Ann")
    rng = Random(seed)
    while night.match.prompt is not None:
        night.match = night.match.after(night.match.answered(night.match.prompt.random_answer(rng)))
        for player in ("Ann", "Ben"):
            assert len(night.squares_of_player(player)) + night.scores[player] == 5
        assert not set(night.squares_of_player("Ann")) & set(night.squares_of_player("Ben"))


def test_the_game_is_for_two() -> None:
    assert game("down_the_danube").player_count_text == "2 players"
