"""Midnight: scores, rulings and fouls."""

from __future__ import annotations

import pytest

from table.games.midnight import midnight_score
from tests.games.night import Night


def midnight(*players: str, **settings: object) -> Night:
    """The first player begins."""
    players = players or ("Ann", "Ben")
    return Night("midnight", *players, **{"start": players[0], **settings})


def keeps_all(night: Night, *faces: int) -> Night:
    """A turn of one throw in which all dice are kept."""
    return night.throws(*faces).keeps(*faces)


# -- scores of the rulebook ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kept", "score"),
    [
        ((1, 4, 6, 6, 6, 6), 24),
        ((1, 4, 1, 4, 2, 3), 10),
        ((1, 6, 6, 6, 6, 5), 0),
        ((4, 6, 6, 6, 6, 6), 0),
        ((2, 3, 5, 6, 6, 6), 0),
        ((6, 6, 4, 1, 5, 2), 19),
        ((4, 1, 5, 5, 6, 2), 18),
        ((1, 4, 1, 1, 1, 1), 4),
    ],
)
def test_the_other_four_dice_score_with_a_1_and_a_4(kept: tuple[int, ...], score: int) -> None:
    assert midnight_score(kept) == score
    assert keeps_all(midnight(), *kept).scores["Ann"] == score


def test_a_turn_keeps_dice_of_three_throws() -> None:
    night = midnight()
    assert night.asks == "Ann: throw six dice."
    assert night.so_far == "a 1 and a 4 are needed"
    night.throws(6, 6, 3, 2, 4, 1)
    assert night.asks == "Ann: which dice do you keep?"
    night.keeps(6, 6, 4, 1)
    assert night.so_far == "kept 6, 6, 4 and 1"
    assert night.asks == "Ann: throw two dice."
    night.throws(5, 2).keeps(5).throws(2).keeps(2)
    assert night.sheet == [("Ann", 19, "6, 6, 5 and 2, with the 1 and the 4")]
    assert night.turn == "Ben"


def test_all_six_dice_can_be_kept_at_once() -> None:
    assert keeps_all(midnight(), 4, 1, 5, 5, 6, 2).scores["Ann"] == 18


def test_a_tie_for_the_highest_score_carries_the_stakes() -> None:
    night = midnight("Ann", "Ben", "Cal", stake=1)
    keeps_all(night, 1, 4, 6, 6, 6, 6)
    keeps_all(night, 1, 4, 6, 6, 5, 2)
    keeps_all(night, 1, 4, 6, 6, 6, 6)
    assert night.winners == ()
    assert night.outcome.carried == 3
    assert night.outcome.reason == "Ann and Cal tie with 24: no winner, 3 carried to the next game."


# -- rulings -------------------------------------------------------------------------------------------------


def test_n1_only_one_1_and_one_4_qualify_and_the_others_score() -> None:
    night = keeps_all(midnight(), 1, 4, 1, 4, 2, 3)
    assert night.sheet == [("Ann", 10, "1, 4, 2 and 3, with the 1 and the 4")]


@pytest.mark.parametrize(
    ("faces", "reason"),
    [
        ((1, 6, 6, 6, 6, 5), "no 4 in 1, 6, 6, 6, 6 and 5"),
        ((4, 6, 6, 6, 6, 5), "no 1 in 4, 6, 6, 6, 6 and 5"),
        ((2, 6, 6, 6, 6, 5), "no 1 and no 4 in 2, 6, 6, 6, 6 and 5"),
    ],
)
def test_n6_a_turn_without_a_1_and_a_4_scores_0_with_its_reason(faces: tuple[int, ...], reason: str) -> None:
    assert keeps_all(midnight(), *faces).sheet == [("Ann", 0, reason)]


def test_n2_stakes_are_carried_when_nobody_qualifies() -> None:
    night = midnight(stake=5)
    keeps_all(night, 6, 6, 6, 6, 6, 6)
    keeps_all(night, 1, 2, 2, 2, 2, 2)
    assert night.winners == ()
    assert night.outcome.carried == 10
    assert night.outcome.reason == (
        "Nobody has both a 1 and a 4, so all tie with 0: no winner, 10 carried to the next game."
    )


def test_n3_without_stakes_a_tie_is_a_joint_win() -> None:
    night = midnight("Ann", "Ben", "Cal")
    keeps_all(night, 1, 4, 2, 2, 2, 2)
    keeps_all(night, 1, 4, 2, 2, 2, 3)
    keeps_all(night, 1, 4, 3, 2, 2, 2)
    assert night.winners == ("Ben", "Cal")
    assert night.outcome.reason == "Ben and Cal tie with 9: joint winners."
    assert night.outcome.carried == 0


def test_n2_without_stakes_all_win_jointly_when_nobody_qualifies() -> None:
    night = midnight()
    keeps_all(night, 6, 6, 6, 6, 6, 6)
    keeps_all(night, 6, 6, 6, 6, 6, 6)
    assert night.winners == ("Ann", "Ben")
    assert night.outcome.reason == "Nobody has both a 1 and a 4, so all tie with 0: joint winners."


def test_n3_carried_stakes_are_in_the_pot() -> None:
    night = midnight(stake=2, carried=3)
    keeps_all(night, 1, 4, 6, 6, 6, 6)
    keeps_all(night, 1, 4, 6, 6, 6, 5)
    assert night.outcome.reason == "Ann wins with 24 and takes the pot of 7."
    assert night.outcome.carried == 0


def test_large_stakes_have_a_comma() -> None:
    winner_takes_all, tied = midnight(stake=1000, carried=500), midnight(stake=1000)
    keeps_all(winner_takes_all, 1, 4, 6, 6, 6, 6)
    keeps_all(winner_takes_all, 1, 4, 6, 6, 6, 5)
    assert winner_takes_all.outcome.reason == "Ann wins with 24 and takes the pot of 2,500."
    keeps_all(tied, 1, 4, 6, 6, 6, 6)
    keeps_all(tied, 1, 4, 6, 6, 6, 6)
    assert tied.outcome.reason == "Ann and Ben tie with 24: no winner, 2,000 carried to the next game."


def test_n3_a_tie_for_carried_stakes_has_no_winner() -> None:
    night = midnight(carried=3)
    keeps_all(night, 1, 4, 6, 6, 6, 6)
    keeps_all(night, 1, 4, 6, 6, 6, 6)
    assert night.winners == ()
    assert night.outcome.carried == 3


def test_n3_carried_stakes_are_limited_to_the_range_of_the_setting() -> None:
    carried = 999_999_000
    for stays in (carried + 2000, carried + 2000):
        night = midnight(stake=1000, carried=carried)
        keeps_all(night, 6, 6, 6, 6, 6, 6)
        keeps_all(night, 6, 6, 6, 6, 6, 6)
        carried = night.outcome.carried
        assert carried == min(stays, 1_000_000_000)
    assert midnight(stake=1000, carried=carried).match.settings["carried"] == 1_000_000_000


def test_n4_keeping_one_die_at_a_time_gives_six_throws() -> None:
    night = midnight()
    for left, face in zip(range(6, 0, -1), (1, 4, 6, 6, 6, 6), strict=True):
        assert night.awaits == f"roll {left}"
        night.throws(face, *[2] * (left - 1)).keeps(face)
    assert night.scores["Ann"] == 24
    assert night.turn == "Ben"


def test_n5_the_highest_die_begins_and_later_the_last_winner() -> None:
    night = Night("midnight", "Ann", "Ben").throws_each(3, 4)
    assert night.asks == "Ben: throw six dice."
    keeps_all(night, 1, 4, 2, 2, 2, 2)
    keeps_all(night, 1, 4, 3, 3, 3, 3)
    assert night.winners == ("Ann",)
    assert night.outcome.next_first == "Ann"


@pytest.mark.parametrize("stake", [0, 1])
def test_n5_after_a_tie_the_same_player_begins_again(stake: int) -> None:
    night = Night("midnight", "Ann", "Ben", start="Ben", stake=stake)
    keeps_all(night, 1, 4, 3, 3, 3, 3)
    keeps_all(night, 1, 4, 3, 3, 3, 3)
    assert night.outcome.next_first == "Ben"


def test_so_far_names_the_dice_still_needed() -> None:
    night = midnight().throws(6, 6, 3, 2, 2, 3).keeps(6, 6)
    assert night.so_far == "kept 6 and 6; still needs a 1 and a 4"
    night.throws(4, 1, 2, 2).keeps(4)
    assert night.so_far == "kept 6, 6 and 4; still needs a 1"


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_keeping_none() -> None:
    assert midnight().throws(6, 6, 3, 2, 2, 3).refuses_keep() == "Keep at least one die."


def test_foul_throwing_a_kept_die_again() -> None:
    night = midnight().throws(6, 6, 3, 2, 2, 3).keeps(6, 6)
    assert night.refuses_throw(1, 1, 1, 1, 1) == "Four dice expected, five dice came. Ann: throw four dice."


def test_foul_throwing_too_few_dice() -> None:
    night = midnight().throws(6, 6, 3, 2, 2, 3).keeps(6, 6)
    assert night.refuses_throw(1, 1, 1) == "Four dice expected, three dice came. Ann: throw four dice."


def test_foul_keeping_a_missing_die() -> None:
    night = midnight().throws(6, 6, 3, 2, 2, 3)
    assert night.refuses_keep(6, 1) == (
        "There is no 1 to keep in 6, 6, 3, 2, 2 and 3. Ann: which dice do you keep?"
    )
    assert night.refuses_keep(6, 6, 6) == (
        "There are only two 6s to keep in 6, 6, 3, 2, 2 and 3. Ann: which dice do you keep?"
    )


def test_kept_dice_cannot_be_kept_twice() -> None:
    night = midnight().throws(6, 6, 3, 2, 2, 3).keeps(6, 6).throws(2, 2, 2, 2)
    assert night.refuses_keep(6) == ("There is no 6 to keep in 2, 2, 2 and 2. Ann: which dice do you keep?")


# -- corrections ---------------------------------------------------------------------------------------------


def test_dice_that_were_kept_stay_kept_by_their_corrected_faces() -> None:
    night = keeps_all(midnight(), 1, 4, 6, 6, 5, 2).throws(3, 3, 3, 3, 3, 3)
    night.corrects(0, 1, 4, 6, 6, 5, 3)
    assert night.scores["Ann"] == 20
    assert night.turn == "Ben"
    assert night.awaits == "keep"
    assert night.says == (
        "Ann's throw is corrected from 1, 4, 6, 6, 5 and 2 to 1, 4, 6, 6, 5 and 3. "
        "Ann keeps the same dice: 1, 4, 6, 6, 5 and 3."
    )


def test_a_misread_die_that_was_not_kept_changes_no_keep() -> None:
    night = midnight().throws(1, 4, 2, 2, 3, 5).keeps(1, 4).corrects(0, 1, 4, 2, 2, 3, 6)
    assert night.so_far == "kept 1 and 4"
    assert night.says == "Ann's throw is corrected from 1, 4, 2, 2, 3 and 5 to 1, 4, 2, 2, 3 and 6."


def test_where_the_misread_die_may_not_be_the_kept_one_the_answer_stays_as_it_is() -> None:
    night = midnight().throws(1, 1, 4, 4, 3, 5).keeps(1, 4, 4).corrects(0, 1, 6, 4, 4, 3, 5)
    assert night.so_far == "kept 1, 4 and 4"
    night.corrects(0, 1, 6, 4, 2, 3, 5)
    assert night.so_far == "kept 1, 2 and 4", "both 4s were kept"


def test_a_correction_in_another_order_swaps_no_dice() -> None:
    night = midnight().throws(1, 4, 6, 3, 2, 2).keeps(6).corrects(0, 6, 4, 1, 3, 2, 5)
    assert night.so_far == "kept 6; still needs a 1 and a 4"


def test_the_table_asks_again_where_the_kept_face_is_gone_and_its_new_one_cannot_be_told() -> None:
    night = midnight().throws(1, 2, 4, 3, 3, 5).keeps(2).corrects(0, 1, 6, 4, 3, 5, 5)
    assert night.awaits == "keep", "the 2 was a 5 or a 6"
    assert night.says.endswith(
        "One later answer no longer fits and must be given again: Ann's choice to keep 2."
    )
