"""The table of luck and choice below a score sheet, in the words of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.platypus import KeepTogether, LongTable, Spacer

from table.paper.text import paragraph
from table.rules.accounts import Account
from table.rules.words import MINUS, with_minus

LETTERS = 9.0
"""Size of the letters, points."""

OTHERS = "The other’s choices"

MEANING = (
    "What best play expects before the first throw, with the luck of the dice and what choices cost, is the "
    "result."
)
"""How the columns belong together."""

FOR_POINTS = "in the turns for points"
"""What points are counted of. The last turns of some games are for the chance to win: a row of their own."""

COLUMNS = {"Player": 2.0, "Best play": 3.2, "Luck": 1.5, "Choices": 1.5, OTHERS: 2.8, "Result": 2.0}
"""The columns with their shares of the width."""


def luck_table(accounts: Sequence[Account], width: float) -> Iterator[Any]:
    """A heading and a row for each account, of this width, points; nothing if there are no accounts."""
    if not accounts:
        return
    others = any(account.others for account in accounts)
    head = [name for name in COLUMNS if others or name != OTHERS]
    parts = [COLUMNS[name] for name in head]
    rows = [head, *(_row(account, others) for account in accounts)]
    last = len(head) - 1
    table = LongTable(
        [
            [paragraph(text, LETTERS, bold=i == 0 or column == last) for column, text in enumerate(row)]
            for i, row in enumerate(rows)
        ],
        colWidths=[width * part / sum(parts) for part in parts],
        repeatRows=1,
        style=[
            ("LINEBELOW", (0, 0), (-1, -1), 0.3, colors.grey),
            ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 3),
            ("RIGHTPADDING", (0, 0), (-1, -1), 3),
            ("TOPPADDING", (0, 0), (-1, -1), 1),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
        ],
    )
    heading, meaning = paragraph("Luck and choice", 11, bold=True, after=3), paragraph(MEANING, LETTERS)
    yield KeepTogether([heading, table, meaning, Spacer(1, 4 * mm)])


def _row(account: Account, others: bool) -> list[str]:
    return [
        account.player,
        f"{_amount(account.expected, account.points)} {FOR_POINTS if account.points else account.aim}",
        _signed(account.luck, account.points),
        _signed(account.choices, account.points),
        *([_signed(account.others, account.points)] if others else []),
        _amount(account.result, account.points),
    ]


def _amount(value: Fraction, points: bool) -> str:
    """'36.5 points', or a chance as '54.6 %'."""
    if not points:
        return with_minus(f"{float(100 * value):.1f} %")
    rounded = f"{float(value):,.{1 if abs(value) < 100 else 0}f}"
    return with_minus(f"{rounded.removesuffix('.0')} points")


def _signed(value: Fraction, points: bool) -> str:
    sign = MINUS if value < 0 else "+"
    return f"{sign}{float(abs(value) * (1 if points else 100)):.1f}{'' if points else ' %'}"
