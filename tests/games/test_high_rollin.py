"""High Rollin': whole matches, and single turns that start with given towers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine, Mapping
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.common.errors import IllegalAnswer
from table.games.colours import named
from table.games.high_rollin import match_outcome, over_goal, play_round
from table.games.high_rollin.towers import (
    Round,
    dealt,
    fall_points,
    fits,
    placements,
    taken,
    with_those_above,
)
from table.games.high_rollin.turn import turn
from table.odds import high_rollin as odds
from table.rules.answers import Answer, Chosen, Die, Picked, Throw
from table.rules.entered_prompts import Pick
from table.rules.game import Seat, Table
from table.rules.match import replay
from table.rules.prompts import Choose, Prompt
from table.rules.sheet import Sheet, running_totals
from table.rules.towers import Level
from tests.games import playing
from tests.games.night import Night

LETTERS = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
COLOURS = tuple(LETTERS.values())


def dice(text: str) -> list[Die]:
    """'R3 G5' is a red 3 and a green 5."""
    return [Die(int(d[1]), LETTERS[d[0]]) for d in text.split()]


def pile(text: str) -> Counter[str]:
    """'RRG' is two red dice and a green one."""
    return Counter(LETTERS[letter] for letter in text)


class Turn:
    """One turn of Ann's, or another coroutine of the game. A tower is written from its base to its top."""

    def __init__(
        self, *towers: str, ann: str = "", scores: Mapping[str, int] | None = None, **piles: str
    ) -> None:
        piles = piles or {"ben": "RG"}
        names = ("Ann", *(name.capitalize() for name in piles))
        self.table = Table(
            [Seat(n) for n in names], {"start": "Ann", "colours": "+".join(COLOURS), "match": "three_games"}
        )
        for name, points in (scores or {}).items():
            self.table.sheet.score(name, points, "before")
        self.before = len(self.table.sheet.lines)
        held = {"Ann": pile(ann)} | {name.capitalize(): pile(text) for name, text in piles.items()}
        self.lying = Round(COLOURS, [dice(tower) for tower in towers], held)
        self.prompt: Prompt | None = None
        self.result: object = None
        if towers:
            self.run(turn(self.table, self.lying, "Ann"))

    def run(self, coroutine: Coroutine[Any, Any, object]) -> Turn:
        self._coroutine = coroutine
        self._send(None)
        return self

    def _send(self, answer: Answer | None) -> None:
        try:
            self.prompt = self._coroutine.send(answer)
        except StopIteration as stop:
            self.prompt, self.result = None, stop.value

    def answers(self, answer: Answer) -> Turn:
        assert self.prompt is not None, "the turn is over"
        self.prompt.check(answer)
        self._send(answer)
        return self

    def throws(self, text: str) -> Turn:
        return self.answers(Throw(tuple(dice(text))))

    def chooses(self, *options: str) -> Turn:
        for option in options:
            self.answers(Chosen(option))
        return self

    def picks(self, *items: str) -> Turn:
        return self.answers(Picked(items))

    def refuses(self, answer: Answer) -> str:
        assert self.prompt is not None
        with pytest.raises(IllegalAnswer) as refusal:
            self.prompt.check(answer)
        return str(refusal.value)

    @property
    def asks(self) -> str:
        assert self.prompt is not None, "the turn is over"
        return self.prompt.text

    @property
    def options(self) -> list[str]:
        assert isinstance(self.prompt, Choose)
        return [o.id for o in self.prompt.options]

    @property
    def levels(self) -> Mapping[str, Level]:
        assert isinstance(self.prompt, Pick)
        return self.prompt.levels

    @property
    def over(self) -> bool:
        return self.prompt is None

    @property
    def sheet(self) -> list[tuple[str, int, str]]:
        return [(line.player, line.points, line.reason) for line in self.table.sheet.lines[self.before :]]

    @property
    def points(self) -> dict[str, int]:
        """The points that this turn gave to each player."""
        return {p: sum(n for name, n, _ in self.sheet if name == p) for p in self.table.players}

    @property
    def says(self) -> str:
        return self.table.rulings[-1].text

    @property
    def towers(self) -> list[str]:
        return [" ".join(f"{str(d.colour)[0].upper()}{d.face}" for d in tower) for tower in self.lying.towers]

    def pile_of(self, player: str) -> Counter[str]:
        return self.lying.piles[player]


EXAMPLE = ("R3", "G5", "B1", "Y6")
THROWN = "R5 G5 B3 Y1 R2"


def example(**more: Any) -> Turn:
    """The throw of examples 1 to 3 in the digest. Ann has these five dice and two more."""
    night = Turn(*EXAMPLE, ann="RRGBYGG", **more)
    return night.picks("red1", "red2", "green1", "blue1", "yellow1").throws(THROWN)


def test_the_table_knows_the_towers_and_what_each_option_puts_on_them() -> None:
    night = example()
    assert [tower[-1] for tower in night.table.towers] == dice("R3 G5 B1 Y6")
    assert isinstance(night.prompt, Choose)
    assert [o.places.id for o in night.prompt.options if o.places] == night.options
    night.chooses("blue3>1")
    assert night.table.towers[0] == tuple(dice("R3 B3"))
    assert [o.id for o in night.prompt.options if o.falls] == ["fell"]


# -- setting up a round --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "each", "all_dice"), [(2, 16, 36), (3, 12, 40), (4, 9, 40)])
def test_all_players_get_the_same_number_of_dice(players: int, each: int, all_dice: int) -> None:
    piles = dealt(["Ann", "Ben", "Cal", "Dee"][:players], COLOURS)
    assert [p.total() for p in piles.values()] == [each] * players
    assert sum(p.total() for p in piles.values()) + 4 == all_dice


def test_four_players_get_one_extra_die_each_of_different_colours() -> None:
    piles = dealt(["Ann", "Ben", "Cal", "Dee"], COLOURS)
    assert [[c for c in COLOURS if p[c] == 3] for p in piles.values()] == [
        ["red"],
        ["green"],
        ["blue"],
        ["yellow"],
    ]
    assert all(p[c] in (2, 3) for p in piles.values() for c in COLOURS)


def set_up(*players: str, **settings: object) -> Night:
    """Ann begins; the bases are red 3, green 5, blue 1 and yellow 6."""
    players = players or ("Ann", "Ben")
    return Night("high_rollin", *players, **{"start": "Ann", **settings}).throws(3, 5, 1, 6)


def test_the_tower_bases_are_one_die_of_each_colour() -> None:
    night = Night("high_rollin", "Ann", "Ben", start="Ann")
    assert night.rulings == ["Each player takes four dice of each colour."]
    assert night.asks == "Ann: throw one die of each colour, red, green, blue and yellow, for the towers."
    night.throws_dice(("yellow", 6), ("red", 3), ("blue", 1), ("green", 5))
    where = "tower 1 red 3, tower 2 green 5, tower 3 blue 1 and tower 4 yellow 6"
    how = "an inch or two apart, at the corners of a small square, clockwise"
    assert night.says == f"Set these four dice {how}: {where}."
    assert [ruling.task for ruling in night.match.rulings] == [False, True]
    assert night.asks == "Ann: take five dice from your pile."


def test_the_rulings_name_the_dice_of_three_and_four_players() -> None:
    assert set_up("Ann", "Ben", "Cal").rulings[0] == "Each player takes three dice of each colour."
    one_more = "Ann red, Ben green, Cal blue and Dee yellow"
    assert set_up("Ann", "Ben", "Cal", "Dee").rulings[0] == (
        f"Each player takes two dice of each colour, and one more: {one_more}."
    )


def test_the_board_shows_towers_and_piles() -> None:
    board = set_up().match.view().board
    assert board is not None
    assert [(s.id, s.kind, s.text) for s in board.spaces] == [
        ("tower1", "tower", "1, 1 high: red 3"),
        ("tower2", "tower", "2, 1 high: green 5"),
        ("tower3", "tower", "3, 1 high: blue 1"),
        ("tower4", "tower", "4, 1 high: yellow 6"),
    ]
    assert board.notes[1] == "Ben's pile: 4 red, 4 green, 4 blue and 4 yellow"


def test_the_four_colours_are_a_setting() -> None:
    night = Night("high_rollin", "Ann", "Ben", start="Ann", colours="red+green+blue+white")
    assert "red, green, blue and white" in night.asks
    wanted = "one red die, one green die, one blue die and one white die"
    assert night.refuses_colour("yellow", 1, 2, 3, 4).startswith(
        f"Wrong colour: {wanted} expected, four yellow dice came."
    )


def test_the_lowest_die_begins_and_only_tied_players_throw_again() -> None:
    night = Night("high_rollin", "Ann", "Ben", "Cal").throws(3, 5, 1, 6).throws_each(4, 2, 2)
    assert night.says == "Ben and Cal tie with 2 and throw again."
    night.throws_each(6, 3)
    assert night.says == "Cal begins."
    assert night.turn == "Cal"


# -- A. taking dice ------------------------------------------------------------------------------------------


def test_five_dice_of_any_colours_can_be_taken() -> None:
    night = set_up().picks("red1", "red2", "red3", "red4", "blue2")
    assert night.asks == "Ann: throw four red dice and one blue die."
    board = night.match.view().board
    assert board is not None
    assert board.notes[0] == "Ann's pile: 4 green, 3 blue and 4 yellow"


def test_dice_of_one_colour_are_interchangeable() -> None:
    night = set_up().picks("blue4", "red3", "red1", "blue1", "green2")
    assert night.asks == "Ann: throw two red dice, one green die and two blue dice."


def test_taking_another_number_or_a_missing_die_is_refused() -> None:
    night = set_up()
    four = Picked(("red1", "red2", "red3", "red4"))
    assert night.refuses_answer(four) == "Pick 5, not 4. Ann: take five dice from your pile."
    assert night.refuses_answer(Picked((*four.items, "blue1", "blue2"))) == (
        "Pick 5, not 6. Ann: take five dice from your pile."
    )
    assert night.refuses_answer(Picked((*four.items, "red5"))).startswith("Not “red5”: pick from red1, red2,")


def test_a_pile_of_at_most_five_dice_is_taken_whole() -> None:
    assert Turn(*EXAMPLE, ann="RGB").asks == "Ann: throw one red die, one green die and one blue die."
    assert Turn(*EXAMPLE, ann="RRGGB").asks == "Ann: throw two red dice, two green dice and one blue die."


def test_a_pile_of_one_colour_asks_no_question() -> None:
    night = Turn(*EXAMPLE, ann="RRRRRR")
    assert night.asks == "Ann: throw five red dice."
    assert night.pile_of("Ann") == pile("R")


def test_throwing_again_takes_no_new_dice() -> None:
    night = example().chooses("yellow1>1", "red5>1", "red2>3", "green5>1", "again")
    assert night.asks == "Ann: throw one blue die."
    assert night.refuses(Throw.of(3, 4)) == "One die expected, two dice came. Ann: throw one blue die."


# -- C. and D. what fits -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", ["R3 G3", "R1 G4", "R4 G1", "R1 G1"])
def test_the_same_face_or_a_1_fits_on_another_colour(pair: str) -> None:
    assert fits(*dice(pair))


@pytest.mark.parametrize("pair", ["R3 G4", "R3 R3", "R1 R4", "R4 R1", "R1 R1"])
def test_another_face_or_its_own_colour_does_not_fit(pair: str) -> None:
    assert not fits(*dice(pair))


def test_example_1_lists_the_legal_placements() -> None:
    legal = "red2>3 red5>2 red5>3 green5>3 blue3>1 yellow1>1 yellow1>2 yellow1>3"
    assert example().options == legal.split()


def test_example_2_five_stacked_dice_score_the_tops() -> None:
    night = example().chooses("blue3>1", "red5>2", "green5>2", "yellow1>3", "red2>3")
    assert night.towers == ["R3 B3", "G5 R5 G5", "B1 Y1 R2", "Y6"]
    assert night.asks == "Ann: all your dice are stacked; wait five seconds. Did anything fall?"
    assert night.chooses("nothing").over
    assert night.sheet == [("Ann", 16, "all five stacked: tops 3, 5, 2 and 6")]
    assert night.pile_of("Ann") == pile("GG")


def test_example_3_and_r1_another_order_leaves_one_die_over() -> None:
    night = example().chooses("yellow1>1", "red5>1", "red2>3", "green5>1")
    assert [named(top) for top in night.lying.tops] == ["green 5", "green 5", "red 2", "yellow 6"]
    assert night.asks == "Ann: blue 3 does not fit. End the turn, or throw again?"
    assert night.options == ["end", "again", "fell"]
    night.chooses("end")
    assert night.sheet == [("Ann", 0, "ended with one die left over")]
    assert night.pile_of("Ann") == pile("GGB")
    board = night.table.current_board
    assert board is not None
    assert board.notes[0] == "Ann's pile: 2 green and 1 blue"


def test_example_3_stacking_the_last_die_after_another_throw_scores() -> None:
    night = example().chooses("yellow1>1", "red5>1", "red2>3", "green5>1", "again").throws("B1")
    assert night.options == ["blue1>1", "blue1>2", "blue1>3", "blue1>4", "fell"]
    night.chooses("blue1>4", "nothing")
    assert night.sheet == [("Ann", 13, "all five stacked: tops 5, 5, 2 and 1")]


def test_throwing_the_remaining_dice_chooses_to_throw_again() -> None:
    night = example().chooses("yellow1>1", "red5>1", "red2>3", "green5>1")
    assert isinstance(night.prompt, Choose)
    assert [o.throws for o in night.prompt.options] == [None, 1, None]


def test_equal_dice_are_one_option() -> None:
    night = Turn("R3", "G5", "B5", "Y6", ann="RR").throws("R5 R5")
    assert night.options == ["red5>2", "red5>3"]


def test_a_single_placement_is_made_when_nothing_can_have_fallen() -> None:
    night = Turn("R3", "G5", "B6", "Y6", ann="RG").throws("R5 G2")
    assert night.says == "Only one die fits: Ann puts the red 5 on tower 2."
    assert night.options == ["end", "again", "fell"]
    assert night.towers == ["R3", "G5 R5", "B6", "Y6"]


def test_a_single_placement_is_asked_when_a_die_can_have_fallen() -> None:
    night = Turn("R3 Y3", "G5", "B6", "Y6", ann="RG").throws("R5 G2")
    assert night.asks == "Ann: the red 5 must go on tower 2. Or did something fall?"
    assert night.options == ["red5>2", "fell"]


def test_so_far_names_the_dice_not_stacked() -> None:
    night = example().chooses("blue3>1", "red5>2")
    assert night.table.so_far == "not stacked: red 2, green 5 and yellow 1"


def test_r3_only_the_top_die_decides_what_fits() -> None:
    night = Turn("R3 G3", "G5", "B6", "Y6", ann="R").throws("R3")
    assert night.options == ["red3>1", "fell"]


# -- E. and G. scoring and going out -------------------------------------------------------------------------


def test_example_8_going_out_with_five_dice_scores_tops_and_dice_left() -> None:
    night = Turn("R3", "G1", "B2", "Y6", ann="GRBRB", ben="RRRGGBB", cal="YYYY").throws("G3 R5 R2 B5 B6")
    night.chooses("green3>1", "red5>2", "red2>3", "blue5>2", "blue6>4", "nothing")
    assert night.sheet == [
        ("Ann", 16, "all five stacked: tops 3, 5, 2 and 6"),
        ("Ann", 11, "went out: 11 dice left with the others"),
    ]
    assert night.says == "Ann goes out."


def test_example_8_and_r13_going_out_with_three_dice_scores_no_tops() -> None:
    night = Turn("R3", "G5", "B2", "Y6", ann="GRR", ben="RRRGGBB", cal="YYYY").throws("G3 R5 R2")
    night.chooses("red5>2", "red2>3", "green3>1", "nothing")
    assert night.sheet == [("Ann", 11, "went out: 11 dice left with the others")]
    assert not night.lying.left("Ann")


def test_r9_a_fall_after_the_last_placement_cancels_the_score() -> None:
    night = example().chooses("blue3>1", "red5>2", "green5>2", "yellow1>3", "red2>3", "fell")
    night.picks("t3.2").throws("Y4 R2")
    assert night.points == {"Ann": 0, "Ben": 3}
    assert night.pile_of("Ann") == pile("GGY")


# -- P. the penalty ------------------------------------------------------------------------------------------

FOUR_HIGH = ("R3", "G2 R2 B5 G5", "G6 B6", "B2 R2 Y2")


def after_penalty(ann: str = "RRGBYGG") -> Turn:
    """Example 4: nothing fits, the highest face is 4, and tower 2 is four high."""
    night = Turn(*FOUR_HIGH, ann=ann, ben="RG", cal="B").picks("red1", "red2", "green1", "blue1", "yellow1")
    return night.throws("R4 R4 G4 B4 Y4").chooses("nothing")


def test_example_4_a_penalty_takes_three_dice_but_never_the_base() -> None:
    night = after_penalty()
    assert night.says == "Nothing fits, and the highest face is 4: Ann takes three dice off tower 2."
    assert night.asks == (
        "Ann: nothing fits. Carry three dice, red 2 the lowest, from tower 2 to your pile with one hand. "
        "Did anything fall?"
    )
    assert night.options == ["clean", "tipped", "fell"]
    night.chooses("clean")
    assert night.over
    assert night.sheet == [("Ann", 0, "nothing fitted: three dice from tower 2")]
    assert night.towers == ["R3", "G2", "G6 B6", "B2 R2 Y2"]
    assert night.pile_of("Ann") == pile("RRGBYGG" + "RBG")  # the five thrown dice are back as well


def test_a_penalty_takes_the_number_of_the_highest_face() -> None:
    assert [taken(h, 4) for h in range(1, 7)] == [1, 2, 3, 3, 3, 3]
    assert taken(6, 1) == 0
    night = Turn("R3", "G2 R2 B5 G5", "G6 B6", "B3 R2 Y2", ann="GYR").throws("G1 Y4 R4")
    assert "green1>1" in night.options


def test_example_5_a_wild_1_does_not_fit_on_its_own_colour() -> None:
    night = Turn("R3", "G5 R5", "B1 R1", "G6 R6", ann="RR").throws("R1 R1")
    assert night.asks == "Ann: nothing fits; wait five seconds. Did anything fall?"
    night.chooses("nothing")
    assert night.asks == "Ann: nothing fits. From which of the highest towers do you take?"
    assert night.options == ["2", "3", "4"]
    night.chooses("3", "clean")
    assert night.towers == ["R3", "G5 R5", "B1", "G6 R6"]  # the 1 takes one die
    assert night.pile_of("Ann") == pile("RRR")


def test_a_penalty_can_follow_a_placement() -> None:
    night = Turn("R3", "G5", "B6", "Y6", ann="RG")
    night.throws("R5 G2").chooses("again").throws("G2").chooses("nothing")
    assert night.asks == (
        "Ann: nothing fits. Carry the red 5, from tower 2 to your pile with one hand. Did anything fall?"
    )
    assert night.options == ["clean", "tipped"]
    night.chooses("clean")
    assert night.towers == ["R3", "G5", "B6", "Y6"]
    assert night.pile_of("Ann") == pile("RG")


def test_r5_a_penalty_on_bare_bases_takes_nothing() -> None:
    night = Turn("R3", "G5", "B6", "Y6", ann="RG").throws("R2 G4")
    assert night.over
    assert night.says == "Nothing fits, and no tower has a die that can be taken: Ann's turn is over."
    assert night.sheet == [("Ann", 0, "nothing fitted, nothing to take")]
    assert night.pile_of("Ann") == pile("RG")


def test_a_fall_replaces_the_penalty() -> None:
    night = Turn(*FOUR_HIGH, ann="RG").throws("R4 G4").chooses("fell").picks("t2.4").throws("G3")
    assert night.over
    assert night.towers == ["R3", "G2 R2 B5", "G6 B6", "B2 R2 Y2"]
    assert night.points == {"Ann": 0, "Ben": 1}


def test_example_7_a_tipped_carried_stack_goes_to_the_pile() -> None:
    night = after_penalty().chooses("tipped")
    assert night.asks == "Ann: which dice fell? Pick the lowest carried die that fell."
    night.picks("t2.2")
    assert night.asks == (
        "Ann: slide the fallen dice onto the tray as they lie, one red die, one green die and one blue die."
    )
    night.throws("R2 B5 G6")
    assert night.points == {"Ann": 0, "Ben": 5, "Cal": 5}
    assert night.says == (
        "Three dice fell, red 2, green 6 and blue 5: 5 points for Ben and Cal each; three go to Ann's pile."
    )
    assert night.pile_of("Ann") == pile("RRGBYGG" + "RBG")
    assert not night.lying.out


def test_example_7_fallen_dice_score_their_points() -> None:
    assert fall_points((4, 5, 6)) == 6
    assert fall_points((4, 5, 6, 2)) == 7
    night = after_penalty().chooses("tipped").picks("t2.2").throws("R4 B5 G6")
    assert night.points == {"Ann": 0, "Ben": 6, "Cal": 6}


def test_example_7_and_r7_a_fallen_tower_die_makes_the_general_rule_apply() -> None:
    night = after_penalty().chooses("fell").picks("t2.2", "t3.2").throws("R4 B5 G6 B2")
    assert night.points == {"Ann": 0, "Ben": 7, "Cal": 7}
    assert night.lying.out == ["blue"]
    assert night.pile_of("Ann") == pile("RRGBYGG" + "RBG")
    night = after_penalty().chooses("fell").picks("t2.2", "t3.2").throws("R1 B5 G6 B2")
    assert sorted(night.lying.out) == ["blue", "red"]


def test_r7_carried_dice_that_did_not_fall_go_to_the_pile() -> None:
    night = after_penalty().chooses("fell").picks("t4.3").throws("Y3")
    assert night.points == {"Ann": 0, "Ben": 1, "Cal": 1}
    assert night.lying.out == ["yellow"]
    assert night.pile_of("Ann") == pile("RRGBYGG" + "RBG")


def test_r7_it_is_asked_of_the_carried_dice_as_well_which_fell() -> None:
    night = after_penalty().chooses("fell")
    assert night.asks == (
        "Ann: which dice fell? Pick the lowest of each tower, and of the carried dice if some of them fell."
    )
    assert night.levels["t2.2"] == Level("tower2", 2, carried=True)
    assert night.levels["t3.2"] == Level("tower3", 2)


def test_part_of_a_carried_stack_can_tip() -> None:
    night = after_penalty().chooses("tipped").picks("t2.4").throws("G1")
    assert night.points == {"Ann": 0, "Ben": 1, "Cal": 1}
    assert night.pile_of("Ann") == pile("RRGBYGG" + "RBG")


def test_a_single_carried_die_is_picked_automatically() -> None:
    night = Turn("R3", "G5 R5", "B1 R1", "G6 R6", ann="RR")
    night.throws("R1 R1").chooses("nothing", "3", "tipped").throws("R2")
    assert night.points == {"Ann": 0, "Ben": 1}
    assert night.pile_of("Ann") == pile("RRR")


def test_fell_requires_at_least_one_tower_die() -> None:
    night = after_penalty().chooses("fell")
    assert night.refuses(Picked(("t2.3",))) == (
        "Pick a die that fell from a tower too; "
        "if only carried dice fell, take your last answer back and say that."
    )


# -- F. falling dice -----------------------------------------------------------------------------------------


def after_fall(*faces: int, ids: tuple[str, ...] = ("t1.2", "t2.2", "t3.2")) -> Turn:
    """Ann's first throw has knocked off three or four dice, which now show these faces."""
    towers = ("R3 B3", "G5 R5", "B1 Y1", "Y6 G6")
    night = (
        Turn(*towers, ann="RRGBYGG", ben="R", cal="G")
        .picks("red1", "red2", "green1", "blue1", "yellow1")
        .throws(THROWN)
    )
    night.chooses("fell").picks(*ids)
    return night.answers(Throw.of(*faces))


def test_example_6_fallen_dice_count_their_new_faces() -> None:
    night = after_fall(6, 2, 4, 3, ids=("t1.2", "t2.2", "t3.2", "t4.2"))  # red 6, green 2, blue 4, yellow 3
    assert night.over
    assert night.points == {"Ann": 0, "Ben": 6, "Cal": 6}
    assert night.pile_of("Ann") == pile("RRGBYGG" + "RB")
    assert night.lying.out == ["green", "yellow"]
    assert night.towers == ["R3", "G5", "B1", "Y6"]
    assert night.sheet == [
        ("Ben", 6, "Ann let four dice fall, showing 2, 3, 4 and 6"),
        ("Cal", 6, "Ann let four dice fall, showing 2, 3, 4 and 6"),
        ("Ann", 0, "let four dice fall, showing 2, 3, 4 and 6"),
    ]
    assert night.says == (
        "Four dice fell, red 6, green 2, blue 4 and yellow 3: 6 points for Ben and Cal each; "
        "two go to Ann's pile and two go out of the round."
    )


def test_example_6_low_dice_leave_the_round() -> None:
    night = after_fall(1, 1, 2)
    assert night.points == {"Ann": 0, "Ben": 3, "Cal": 3}
    assert night.pile_of("Ann") == pile("RRGBYGG")
    assert len(night.lying.out) == 3


def test_more_than_four_fallen_dice_are_counted_and_not_named() -> None:
    towers = ("R3 B3 R3", "G5 R5 G5", "B1 Y1", "Y6 G6")
    night = Turn(*towers, ann="RRGBYGG", ben="R", cal="G", dee="B")
    night.picks("red1", "red2", "green1", "blue1", "yellow1").throws(THROWN).chooses("fell")
    night.picks("t1.2", "t2.2", "t3.2").throws("R4 R1 B5 G6 Y2")
    assert night.says == (
        "Five dice fell: 8 points for each of the others; three go to Ann's pile and two go out of the round."
    )


def test_r8_bases_cannot_fall() -> None:
    night = Turn("R3 B3", "G5", "B1", "Y6", ann="RR").throws("R1 R4").chooses("fell")
    # no other die can fall
    assert night.asks == "Ann: slide the fallen die onto the tray as it lies, one blue die."
    night = after_fall(1, 1, 2)
    assert [s.id for s in Turn("R3 B3", "G5 R5 G5", "B1", "Y6", ann="R").lying.stacked] == [
        "t1.2",
        "t2.2",
        "t2.3",
    ]


def test_fell_is_offered_only_when_dice_are_stacked() -> None:
    assert "fell" not in example().options
    assert "fell" in example().chooses("blue3>1").options


def test_r18_dice_above_a_fallen_die_fall_too() -> None:
    night = Turn(*FOUR_HIGH, ann="RG").throws("R6 G4").chooses("fell")
    assert night.asks == "Ann: which dice fell? Of each tower pick the lowest die that fell."
    night.picks("t2.3")
    assert (
        night.asks == "Ann: slide the fallen dice onto the tray as they lie, one green die and one blue die."
    )
    standing = Turn(*FOUR_HIGH, ann="RG").lying.stacked
    assert [s.id for s in with_those_above(["t2.3", "t2.4", "t4.2"], standing)] == [
        "t2.3",
        "t2.4",
        "t4.2",
        "t4.3",
    ]


def test_a_fall_while_stacking_ends_the_turn() -> None:
    night = example().chooses("blue3>1", "red5>2", "fell").picks("t1.2").throws("B6")
    assert night.over
    assert night.points == {"Ann": 0, "Ben": 2}
    assert night.towers == ["R3", "G5 R5", "B1", "Y6"]
    assert night.pile_of("Ann") == pile("GG" + "RGY" + "B")


def test_a_fall_can_be_reported_instead_of_throwing_again() -> None:
    night = example().chooses("yellow1>1", "red5>1", "red2>3", "green5>1", "fell").picks("t1.4").throws("G2")
    assert night.points == {"Ann": 0, "Ben": 1}
    assert night.lying.out == ["green"]


def test_r12_a_pile_emptied_by_a_fall_ends_the_round_without_going_out() -> None:
    night = Turn("R3", "G5", "B2", "Y6", ann="R", ben="GGG").throws("R5").chooses("fell").throws("R1")
    assert night.points == {"Ann": 0, "Ben": 1}
    assert night.says == "Ann's pile is empty because of a fall: the round is over, and nobody goes out."
    assert not night.lying.left("Ann")


def test_a_fallen_last_die_can_return_to_the_pile() -> None:
    night = Turn("R3", "G5", "B2", "Y6", ann="R", ben="GGG").throws("R5").chooses("fell").throws("R6")
    assert night.pile_of("Ann") == pile("R")
    assert "goes out" not in " ".join(r.text for r in night.table.rulings)


# -- rounds, games and the match -----------------------------------------------------------------------------


def a_round(ben: int, ann: int = 0) -> Turn:
    """A round with these scores before Ann's first throw; her blue 3 can fall after it is placed."""
    night = Turn(scores={"Ben": ben, "Ann": ann})
    night.run(play_round(night.table, first=True)).throws("R3 G5 B2 Y6")
    return night.picks("red1", "red2", "red3", "red4", "blue1")


def test_example_9_and_r10_the_game_goes_on_at_100() -> None:
    night = a_round(98).throws("R2 R3 R4 R4 B3").chooses("blue3>1", "fell").throws("B5")
    assert night.table.sheet.total("Ben") == 100
    assert night.asks == "Ben: take five dice from your pile."


def test_example_9_101_ends_the_game_at_once() -> None:
    night = a_round(100).throws("R2 R3 R4 R4 B3").chooses("blue3>1", "fell").throws("B3")
    assert night.over
    assert night.result == "Ben"


def test_r11_the_higher_score_past_100_wins() -> None:
    assert over_goal({"Ann": 100, "Ben": 99}) == ()
    assert over_goal({"Ann": 101, "Ben": 104}) == ("Ben",)
    assert over_goal({"Ann": 104, "Ben": 99, "Cal": 104}) == ("Ann", "Cal")


def test_r11_equal_scores_past_100_are_played_on() -> None:
    night = a_round(ben=100, ann=101).throws("R2 R3 R4 R4 B3").chooses("blue3>1", "fell").throws("B3")
    assert night.says == "Ann and Ben tie with 101: play goes on until one leads."
    assert night.asks == "Ben: take five dice from your pile."
    night.picks("red1", "red2", "red3", "red4", "blue1").throws("R2 R3 R4 R4 B3").chooses(
        "blue3>1", "fell"
    ).throws("B3")
    assert night.result == "Ann"


@pytest.mark.parametrize(
    ("won", "winners"),
    [
        ([("Ann", 104)], None),
        ([("Ann", 104), ("Ben", 131)], None),
        ([("Ann", 104), ("Ann", 101)], ("Ann",)),
        ([("Ann", 104), ("Ben", 131), ("Ann", 101)], ("Ann",)),
        ([("Ann", 104), ("Ben", 131), ("Cal", 118)], ("Ben",)),  # example 10
        ([("Ann", 131), ("Ben", 131), ("Cal", 118)], ("Ann", "Ben")),
    ],
)
def test_example_10_two_games_or_the_best_score_win_the_match(
    won: list[tuple[str, int]], winners: tuple[str, ...] | None
) -> None:
    outcome = match_outcome(won)
    assert (outcome.winners if outcome else None) == winners


def play_until_ruling(night: Night, words: str) -> Night:
    """Random play until a ruling contains these words."""
    rng = Random(5)
    while not any(words in ruling for ruling in night.rulings):
        night.match = night.match.after(night.match.answered(playing.random_answer(night.prompt, rng)))
    return night


def test_a_new_round_keeps_the_scores() -> None:
    night = play_until_ruling(set_up(), "The round is over")
    assert "The round is over, and the game is not: a new round is set up." in night.rulings
    assert night.rulings[-1] == "Each player takes four dice of each colour."
    assert night.asks.endswith("for the towers.")
    assert sum(night.scores.values()) > 0
    night.throws(1, 2, 3, 4)
    assert night.asks == "Ann: throw one die, and the lowest begins."  # R-15; start=Ann is for round 1


def test_a_new_game_starts_at_0_and_the_sheet_lists_the_games_won() -> None:
    night = play_until_ruling(set_up(), "wins game 1")
    assert night.scores == {"Ann": 0, "Ben": 0}
    view = night.match.view()
    (line,) = [line for line in view.sheet if line.value == "won game 1"]
    score = int(line.reason.removeprefix("with "))
    assert score > 100
    assert f"{line.player} wins game 1 with {score}; all begin at 0 again." in night.rulings
    assert view.games_won == {"Ann": 0, "Ben": 0} | {line.player: 1}
    begun = {line.player: line for line in view.sheet if line.reason.startswith("game 2 begins, after ")}
    assert [line.value for line in begun.values()] == ["0", "0"], "the points are not shown as lost"
    assert (begun[line.player].points, begun[line.player].reason) == (-score, f"game 2 begins, after {score}")


def test_the_next_game_begins_below_all_turns_of_the_one_before() -> None:
    sheet = Sheet(["Ann", "Ben"])
    for player in ("Ann", "Ben", "Ann"):
        sheet.begin_turn(player)
        sheet.score(player, 40, "all five stacked")
    sheet.begin_again("game 2 begins")
    sheet.begin_turn("Ben")
    sheet.score("Ben", 5, "all five stacked")
    assert [(line.player, line.points, line.row) for line in sheet.lines[3:]] == [
        ("Ann", -80, 2),
        ("Ben", -40, 2),
        ("Ben", 5, 3),
    ]
    assert sheet.totals == {"Ann": 0, "Ben": 5}


def test_the_total_does_not_stand_beside_the_words_with_it() -> None:
    sheet = Sheet(["Ann", "Ben"])
    for points in (60, 46):
        sheet.begin_turn("Ann")
        sheet.score("Ann", points, "all five stacked")
    assert running_totals(sheet.lines) == [None, 106]
    sheet.note("Ann", "won game 1", "with 106")
    assert running_totals(sheet.lines) == [None, None, None]


@pytest.mark.parametrize(("players", "seed"), list(product((2, 3, 4), range(3))))
def test_a_random_match_ends_by_its_games(players: int, seed: int) -> None:
    match = playing.start("high_rollin", playing.make_seats(players), {})
    playing.play_to_end(match, Random(seed), 20_000)
    won = [
        (line.player, int(line.reason.split()[-1]))
        for line in match.view().sheet
        if (line.value or "").startswith("won")
    ]
    assert Counter(player for player, _ in won) == Counter(match.view().games_won)
    assert all(score > 100 for _, score in won)
    assert match.outcome == match_outcome(won)
    assert all(match_outcome(won[:n]) is None for n in range(1, len(won)))


def test_a_match_can_be_one_game() -> None:
    match = playing.start("high_rollin", playing.make_seats(3), {"match": "one_game"})
    playing.play_to_end(match, Random(1), 20_000)
    assert match.outcome is not None
    (winner,) = match.outcome.winners
    assert match.scores[winner] == max(match.scores.values()) > 100
    assert not match.view().games_won, "no game is one of several"
    assert match.outcome.reason == f"{winner} wins with {match.scores[winner]}."


# -- fouls ---------------------------------------------------------------------------------------------------


LEGAL = (
    "choose red2>3, red5>2, red5>3, green5>3, blue3>1, yellow1>1, yellow1>2 or yellow1>3. "
    "Ann: which die goes where?"
)


def test_foul_stacking_on_the_same_colour() -> None:
    assert example().refuses(Chosen("green5>2")) == (
        f"No green die goes on a green one, and tower 2 shows green 5: {LEGAL}"
    )


def test_foul_stacking_on_another_face() -> None:
    assert (
        example().refuses(Chosen("red2>2")) == f"A 2 does not go on a 5, and tower 2 shows green 5: {LEGAL}"
    )


def test_foul_ending_or_throwing_again_while_something_fits() -> None:
    night = example()
    for option in ("end", "again"):
        assert night.refuses(Chosen(option)) == (
            f"Stack all dice that fit before you end the turn or throw again: {LEGAL}"
        )
    assert night.refuses(Throw.of(1, 2, 3, 4, 5)) == (
        "A choice is expected, not a throw. Ann: which die goes where?"
    )


def test_foul_a_die_turned_to_another_face_or_not_thrown() -> None:
    assert example().refuses(Chosen("green3>1")) == f"No such die is left to stack on tower 1: {LEGAL}"


def test_foul_stacking_on_a_missing_tower() -> None:
    assert example().refuses(Chosen("red5>5")) == f"Not “red5>5”: {LEGAL}"


def test_foul_throwing_other_colours() -> None:
    night = Turn(*EXAMPLE, ann="RG")
    assert night.refuses(Throw(tuple(dice("R3 B4")))) == (
        "Wrong colour: one red die and one green die expected, one blue die and one red die came. "
        "Ann: throw one red die and one green die."
    )


def test_foul_picking_a_base_die_as_fallen() -> None:
    night = after_penalty().chooses("fell")
    assert night.refuses(Picked(("t1.1",))).startswith(
        "Not “t1.1”: pick from t3.2, t4.2, t4.3, t2.2, t2.3 and t2.4."
    )


def test_a_die_is_told_why_it_does_not_go_on_a_tower() -> None:
    night = Turn("R3", "G5", "B1", "Y6", ann="RG").throws("R5 G3")
    assert isinstance(night.prompt, Choose)
    assert {(move.off, move.to): why for move, why in night.prompt.closed} == {
        (Die(5, "red"), "tower1"): "no red die goes on a red one",
        (Die(5, "red"), "tower4"): "a 5 does not go on a 6",
        (Die(3, "green"), "tower2"): "no green die goes on a green one",
        (Die(3, "green"), "tower4"): "a 3 does not go on a 6",
    }


def test_foul_taking_from_a_lower_tower() -> None:
    night = Turn("R3", "G5 R5", "B1 R1", "G6 R6", ann="RR").throws("R1 R1").chooses("nothing")
    assert night.refuses(Chosen("1")).startswith("Not “1”: choose 2, 3 or 4.")


# -- dice without a detected colour --------------------------------------------------------------------------


def test_dice_without_a_colour_get_the_missing_colours() -> None:
    night = Turn(*EXAMPLE, ann="RGG").answers(Throw((Die(2), Die(5), Die(6, "green"))))
    assert night.table.so_far == "not stacked: red 2, green 5 and green 6"
    assert night.table.rulings[0].text == (
        "Not every colour was seen: taken as red 2 and green 5. If that is wrong, correct the throw."
    )


def test_a_single_missing_colour_needs_no_ruling() -> None:
    night = Turn("R3", "G5", "B1", "Y6", ann="RGG").answers(Throw((Die(5, "red"), Die(4), Die(6))))
    assert night.table.rulings == []


# -- the odds ------------------------------------------------------------------------------------------------


def test_the_chance_that_a_die_fits_is_exact() -> None:
    tops = dice("R3 G5 B2 Y6")
    assert odds.of_a_die("red", tops, fits) == Fraction(4, 6)  # 5, 2, 6 and any 1
    assert odds.of_a_die("red", dice("R3 R5 R1 R6"), fits) == 0
    assert odds.of_a_die("red", dice("R3 G1 R1 R6"), fits) == 1


@pytest.mark.parametrize("colours", [("red",), ("red", "red", "green"), ("red", "green", "blue", "yellow")])
def test_the_chance_that_a_throw_fits_matches_a_count(colours: tuple[str, ...]) -> None:
    tops = dice("R3 G5 B2 R4")
    throws = list(product(range(1, 7), repeat=len(colours)))
    good = sum(
        bool(placements([Die(f, c) for f, c in zip(faces, colours, strict=True)], tops)) for faces in throws
    )
    (line,) = odds.of_throw(colours, tops, fits)
    assert line.value == Fraction(good, len(throws))


def test_the_coach_gives_odds_before_dice_are_taken_and_thrown() -> None:
    night = Turn(*EXAMPLE, ann="RRGBYGG")
    assert night.prompt is not None
    assert [o.text for o in night.prompt.odds] == [f"a {colour} die can be stacked" for colour in COLOURS]
    night.picks("red1", "red2", "green1", "blue1", "yellow1")
    assert night.prompt is not None
    (line,) = night.prompt.odds
    assert line.text == "at least one of the five dice can be stacked"
    assert line.value == 1  # a blue 1 is on top


# -- random play ---------------------------------------------------------------------------------------------


def all_dice(lying: Round) -> Counter[str]:
    there = Counter(str(die.colour) for tower in lying.towers for die in tower)
    for dice_of in lying.piles.values():
        there.update(dice_of)
    return there + Counter(lying.hand) + Counter(lying.out)


@given(st.integers(2, 4), st.integers(0, 10**6))
def test_the_number_of_dice_of_each_colour_never_changes(players: int, seed: int) -> None:
    rng, names = Random(seed), ["Ann", "Ben", "Cal", "Dee"][:players]
    piles: dict[str, Any] = {name.lower(): "" for name in names[1:]}
    night = Turn(**piles)
    night.lying = Round(
        COLOURS, [[Die(rng.randint(1, 6), colour)] for colour in COLOURS], dealt(names, COLOURS)
    )
    dealt_out = all_dice(night.lying)
    assert dealt_out.total() == {2: 36, 3: 40, 4: 40}[players]
    for number in range(12):
        player = names[number % players]
        night.run(turn(night.table, night.lying, player))
        while night.prompt is not None:
            night.answers(playing.random_answer(night.prompt, rng))
        assert all_dice(night.lying) == dealt_out
        assert not night.lying.hand
        assert [tower[0].colour for tower in night.lying.towers] == list(COLOURS)
        assert all(n >= 0 for held in night.lying.piles.values() for n in held.values())
        if not night.lying.left(player):
            break
    assert all(points >= 0 for points in night.points.values())


@given(
    st.lists(st.builds(Die, st.integers(1, 6), st.sampled_from(COLOURS)), min_size=1, max_size=5),
    st.integers(0, 10**6),
)
def test_stacking_goes_on_until_nothing_fits(thrown: list[Die], seed: int) -> None:
    rng = Random(seed)
    night = Turn(*EXAMPLE, ann="".join(str(d.colour)[0].upper() for d in thrown)).answers(
        Throw(tuple(thrown))
    )
    while isinstance(night.prompt, Choose) and any(">" in option for option in night.options):
        night.chooses(rng.choice([o for o in night.options if ">" in o]))
    stacked = sum(night.lying.heights) - 4
    for tower in night.lying.towers:
        assert all(fits(upper, lower) for lower, upper in pairwise(tower))
    left = Counter(thrown) - Counter(die for tower in night.lying.towers for die in tower[1:])
    assert left.total() == len(thrown) - stacked
    assert not placements(list(left.elements()), night.lying.tops)


def test_a_log_that_does_not_say_which_option_tells_of_a_fall_goes_on() -> None:
    match, chance = playing.start("high_rollin", playing.make_seats(2), {}), Random(1)
    for _ in range(40):
        assert match.prompt is not None
        match = match.after(match.answered(match.prompt.random_answer(chance)))
    logged = playing.logged_without(match, "falls")
    assert logged != list(match.answers)
    assert replay(match.game, match.seats, match.raw_settings, logged).prompt == match.prompt
