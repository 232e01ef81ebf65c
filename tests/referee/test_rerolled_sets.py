"""Two sets of four dice with rerolls: dice left on the tray are kept, also those of an earlier throw."""

from __future__ import annotations

from pathlib import Path

from table.common.tray import TrayState
from table.referee.actions import Start
from table.rules.game import Seat
from tests.referee.evening import Evening


def highland(folder: Path) -> Evening:
    """A day of the Highland Dice Games, alone, with dice of any colour."""
    return Evening(folder, "highland", "Ann")


def highland_with_own_dice(folder: Path) -> Evening:
    """The same day with green and white dice."""
    table = Evening(folder)
    table.does(Start(table.now.number, "highland", (Seat("Ann", "green", "white"),), {"dice": "own"}))
    return table


def test_dice_left_on_the_tray_are_kept_over_two_rerolls(tmp_path: Path) -> None:
    table = highland(tmp_path)
    _, three, two, _ = table.throws(5, 3, 2, 6)
    one, _ = table.throws(1, 3, leaving=(three, two))
    assert (
        table.prompt == "Ann: which dice do you keep? First set 3, 2, 1, 3 = 9, low is good; one reroll left."
    )
    table.throws(1, 2, leaving=(two, one))
    assert table.state == TrayState.ACCEPTED
    assert table.prompt == "Ann: throw the other four dice for Farmer's Dash, high is good."


def test_a_die_kept_once_can_be_thrown_the_second_time(tmp_path: Path) -> None:
    table = highland(tmp_path)
    _, three, two, _ = table.throws(5, 3, 2, 6)
    one, four = table.throws(1, 4, leaving=(three, two))
    table.throws(1, leaving=(two, one, four))
    assert table.state == TrayState.ACCEPTED
    assert table.prompt == "Ann: throw the other four dice for Farmer's Dash, high is good."


def test_throwing_the_second_set_keeps_the_whole_first_set(tmp_path: Path) -> None:
    table = highland(tmp_path)
    _, three, two, _ = table.throws(5, 3, 2, 6)
    new = table.throws(1, 3, leaving=(three, two))
    table.throws(2, 2, 6, 5, leaving=(three, two, *new))
    assert (
        table.prompt
        == "Ann: which dice do you keep? Second set 2, 2, 6, 5 = 15, high is good; two rerolls left."
    )


def test_the_first_set_can_stay_on_the_tray_during_both_rerolls_of_the_second(tmp_path: Path) -> None:
    table = highland(tmp_path)
    first = table.throws(1, 6, 2, 6)
    _, _, six, five = table.throws(2, 2, 6, 5, leaving=first)
    new_six, _ = table.throws(6, 1, leaving=(*first, six, five))
    assert (
        table.prompt
        == "Ann: which dice do you keep? Second set 6, 5, 6, 1 = 18, high is good; one reroll left."
    )
    table.throws(4, leaving=(*first, six, five, new_six))
    assert table.scores == {"Ann": 21 - 15}


def test_the_first_set_can_be_taken_off_the_tray(tmp_path: Path) -> None:
    table = highland(tmp_path)
    first = table.throws(1, 6, 2, 6)
    _, _, six, five = table.throws(2, 2, 6, 5, leaving=first)
    new_six, _ = table.throws(6, 1, leaving=(*first, six, five))
    table.throws(4, leaving=(six, five, new_six))
    assert table.scores == {"Ann": 21 - 15}


def test_throwing_too_few_dice_again_is_void(tmp_path: Path) -> None:
    table = highland(tmp_path)
    _, three, two, _ = table.throws(5, 3, 2, 6)
    one, _ = table.throws(1, 4, leaving=(three, two))
    table.throws(1, leaving=(two, one))
    assert table.state == TrayState.WRONG_DICE
    assert table.message.startswith("Wrong dice: one die came to rest, two expected; the throw is void.")
    assert (
        table.prompt
        == "Ann: which dice do you keep? First set 3, 2, 1, 4 = 10, low is good; one reroll left."
    )


def test_throwing_a_colour_chooses_it(tmp_path: Path) -> None:
    table = highland_with_own_dice(tmp_path)
    assert table.prompt == "Ann: Farmer's Dash: which colour do you throw first, for a low total?"
    table.throws(1, 2, 2, 1, colour="white")
    assert (
        table.prompt
        == "Ann: which dice do you keep? First set 1, 2, 2, 1 = 6, low is good; two rerolls left."
    )
    table.keeps(1, 2, 2, 1)
    assert table.prompt == "Ann: throw the four green dice for Farmer's Dash, high is good."
    table.throws(6, 6, 6, 5, colour="white")
    assert table.state == TrayState.WRONG_DICE
    assert "Wrong colour: four green dice expected, four white dice came." in table.message


def test_throwing_a_foreign_colour_chooses_nothing(tmp_path: Path) -> None:
    table = highland_with_own_dice(tmp_path)
    table.throws(1, 2, 2, 1, colour="red")
    assert table.at == 0
    assert table.state in (TrayState.WRONG_DICE, TrayState.OUT_OF_TURN)


# -- the other events, played with as few taps as possible ---------------------------------------------------


def after_the_dash(folder: Path) -> Evening:
    table = highland(folder)
    table.throws(1, 1, 1, 1)
    table.keeps(1, 1, 1, 1)
    table.throws(6, 6, 6, 6)
    table.keeps(6, 6, 6, 6)
    return table


def after_the_haggis(folder: Path) -> Evening:
    """Ann has fouled all three attempts of Haggis Hurl."""
    table = after_the_dash(folder)
    for _ in range(3):
        table.throws(1, 1, 2, 2, 4, 4, 5, 5)
    return table


def after_the_hammer(folder: Path) -> Evening:
    """Ann has fouled all three attempts of Hammer Throw, too."""
    table = after_the_haggis(folder)
    for _ in range(3):
        table.throws(1, 1, 5, 5)
        table.keeps(1, 1, 5, 5)
        table.chooses("score")
    return table


def test_a_haggis_is_hurled_with_the_run_up_on_the_tray(tmp_path: Path) -> None:
    table = after_the_dash(tmp_path)
    places = table.throws(2, 3, 4, 4, 4, 6, 6, 6)
    run_up, others = places[:3], places[3:]
    (burst,) = table.throws(1, leaving=(*run_up, *others[1:]))
    assert table.prompt == "Ann: leave the burst point 1 aside, and hurl the last four dice."
    table.throws(6, 2, leaving=(*run_up, burst, *others[3:]))
    assert table.state == TrayState.WRONG_DICE
    table.throws(6, 6, 1, 1, leaving=(*run_up, burst))
    assert table.prompt == "Ann: this hurl makes 21 points; keep it, or hurl all four again?"
    table.throws(6, 6, 5, 5, leaving=(*run_up, burst))
    assert table.prompt == "Ann: throw all eight dice for Haggis Hurl, attempt 2 of 3."
    assert table.scores == {"Ann": 20 + 31}


def test_throwing_a_run_up_die_with_the_hurl_is_a_foul(tmp_path: Path) -> None:
    table = after_the_dash(tmp_path)
    places = table.throws(2, 3, 4, 4, 4, 6, 6, 6)
    (burst,) = table.throws(1, leaving=(*places[:3], *places[4:]))
    table.throws(6, 6, 5, 5, 5, leaving=(*places[:2], burst))
    assert table.state == TrayState.WRONG_DICE
    assert table.message.startswith("Foul, a die set aside was thrown again (4). The throw is void")


def test_throwing_the_other_four_dice_continues_the_hammer(tmp_path: Path) -> None:
    table = after_the_haggis(tmp_path)
    first = table.throws(2, 3, 4, 5)
    assert table.prompt == "Ann: which dice do you keep? 2, 3, 4, 5 are worth 14; one reroll left."
    table.throws(6, 6, 6, 5, leaving=first)
    assert (
        table.prompt
        == "Ann: which dice do you keep? 6, 6, 6, 5, after 2, 3, 4, 5, are worth 37; one reroll left."
    )
    assert table.state == TrayState.ACCEPTED


def test_at_each_height_only_a_pair_is_thrown(tmp_path: Path) -> None:
    table = after_the_hammer(tmp_path)
    table.chooses("16")
    used = table.throws(2, 2)
    assert table.state == TrayState.ACCEPTED
    assert table.prompt == (
        "Ann: 16 feet, attempt 2 of 3: throw a pair (one die of each set) for more than 5,"
        " with dice that you have not used at this height, or stop here?"
    )
    pair = table.throws(3, 2, leaving=used)
    assert table.prompt == "Ann: 5 equals the number of 16 feet; spend 1 pip of 1, or throw the decider?"
    table.throws(5, leaving=(*used, *pair))
    assert (
        table.prompt
        == "Ann: 18 feet, attempt 1 of 3: throw a pair (one die of each set) for more than 6, or stop here?"
    )


def test_a_lowered_pair_stays_on_the_tray_as_it_fell(tmp_path: Path) -> None:
    table = after_the_hammer(tmp_path)
    table.chooses("16")
    table.chooses("concede")
    pair = table.throws(3, 3)
    table.chooses("spend")
    more = table.throws(6, 5, leaving=pair)
    assert table.state == TrayState.ACCEPTED
    assert (
        table.prompt
        == "Ann: stop with 16, or throw the 3rd pair, one die of each set that you have not used?"
    )
    table.throws(2, 1, leaving=(*pair, *more))
    assert (
        table.prompt
        == "Ann: stop with 19, or throw the 4th pair, one die of each set that you have not used?"
    )
