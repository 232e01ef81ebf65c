"""Stakes: a unit that one account gains is a unit that another account loses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.rules.game import Seat, Table
from table.rules.ledger import HOUSE, POT, Account, Ledger

ACCOUNTS = ("Ann", "Ben", POT, HOUSE)


def ann_and_ben() -> Table:
    return Table((Seat("Ann"), Seat("Ben")), {})


def test_a_payment_is_written_on_both_sheets_with_its_reason() -> None:
    table = ann_and_ben()
    Ledger(table).pay("Ann", "Ben", 5, "lost the bet on even")
    assert table.sheet.totals == {"Ann": -5, "Ben": 5}
    assert {line.reason for line in table.sheet.lines} == {"lost the bet on even"}


def test_a_payment_can_settle_the_last_line_of_a_player() -> None:
    table = ann_and_ben()
    ledger = Ledger(table)
    ledger.pay("Ann", POT, 5, "stake")
    ledger.pay("Ben", POT, 5, "stake")
    ledger.pay(POT, "Ann", 10, "won", settles=True)
    assert [(line.player, line.points, line.reason) for line in table.sheet.lines] == [
        ("Ann", 5, "won"),
        ("Ben", -5, "stake"),
    ]
    assert table.sheet.totals == {"Ann": 5, "Ben": -5}


def test_payments_of_a_round_under_one_heading_share_a_line() -> None:
    table = ann_and_ben()
    ledger = Ledger(table)
    table.sheet.begin_round()
    ledger.pay("Ann", "Ben", 5, "5 on even", heading="6-6", payee_reason="Ann 5 on even")
    ledger.pay("Ben", "Ann", 2, "Ann 2 on odd", heading="6-6", payee_reason="2 on odd")
    table.sheet.begin_round()
    ledger.pay("Ann", HOUSE, 1, "1 on odd", heading="6-6")
    assert [(line.player, line.points, line.reason) for line in table.sheet.lines] == [
        ("Ann", -3, "6-6: 5 on even; 2 on odd"),
        ("Ben", 3, "6-6: Ann 5 on even; Ann 2 on odd"),
        ("Ann", -1, "6-6: 1 on odd"),
    ]
    assert ledger.sum == 0


def test_the_pot_and_the_house_have_a_balance_and_no_score_sheet() -> None:
    table = ann_and_ben()
    ledger = Ledger(table)
    ledger.pay("Ann", POT, 5, "stake")
    ledger.pay(POT, HOUSE, 1, "the house's share")
    assert (ledger.balance("Ann"), ledger.balance(POT), ledger.balance(HOUSE)) == (-5, 4, 1)
    assert [line.player for line in table.sheet.lines] == ["Ann"]


@given(st.lists(st.tuples(st.permutations(ACCOUNTS), st.integers(0, 10**6)), max_size=40))
def test_all_balances_always_add_up_to_0(payments: list[tuple[list[str | Account], int]]) -> None:
    ledger = Ledger(ann_and_ben())
    for (payer, payee, *_), units in payments:
        ledger.pay(payer, payee, units, "a stake")
        assert ledger.sum == 0


@pytest.mark.parametrize(("payer", "payee", "units"), [("Ann", "Ann", 5), ("Ann", "Ben", -5)])
def test_a_negative_payment_and_a_payment_to_the_payer_are_refused(
    payer: str, payee: str, units: int
) -> None:
    with pytest.raises(ValueError, match="no payment"):
        Ledger(ann_and_ben()).pay(payer, payee, units, "a stake")


def test_a_player_called_the_house_is_not_the_house() -> None:
    table = Table((Seat("the house"), Seat("the pot")), {})
    ledger = Ledger(table)
    ledger.pay("the house", HOUSE, 5, "lost")
    ledger.pay(POT, "the pot", 2, "won")
    assert table.sheet.totals == {"the house": -5, "the pot": 2}
    assert (ledger.balance(HOUSE), ledger.balance(POT), ledger.sum) == (5, -2, 0)
    assert f"{HOUSE} and {POT}" == "the house and the pot"
