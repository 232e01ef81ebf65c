"""The score sheet of the Games: its rows, for all competitors side by side, and the printed card of each.

Names and clan colours come from the seats. The name of the clan is a line to write on.

The row "Best attempt" is an addition: the printed sheet says OR between the attempts, and people have to see
which one counts. On the card that attempt has a ring.
"""

from __future__ import annotations

from table.rules.sheet import Blank, CardLine, Row
from table.rules.words import MINUS

FORM = (
    Row("Farmer's Dash"),
    Row("2nd set", "dash_second"),
    Row(f"{MINUS} 1st set", "dash_first"),
    Row("= Farmer's Dash", "dash"),
    Row("Haggis Hurl"),
    Row("Att #1", "haggis_1"),
    Row("+ Att #2", "haggis_2"),
    Row("+ Att #3", "haggis_3"),
    Row("Total", "haggis"),
    Row("Hammer Throw"),
    Row("Att #1", "hammer_1"),
    Row("+ Att #2", "hammer_2"),
    Row("+ Att #3", "hammer_3"),
    Row("Total", "hammer"),
    Row("Break"),
    Row("Total of 3 events", "three_events"),
    Row("Bonus pips/points awarded", "break_1"),
    Row("Sheaf Toss"),
    Row("Height cleared", "sheaf"),
    Row("Morning Total"),
    Row("4 events", "morning_events"),
    Row("+ Bonus pips/points x5", "morning_pips"),
    Row("= Morning Total", "morning"),
    Row("Shot Put"),
    Row("Att #1", "shot_1"),
    Row("OR Att #2", "shot_2"),
    Row("OR Att #3", "shot_3"),
    Row("Best attempt", "shot"),
    Row("Caber Toss"),
    Row("Att #1", "caber_1"),
    Row("OR Att #2", "caber_2"),
    Row("OR Att #3", "caber_3"),
    Row("Best attempt", "caber"),
    Row("Break"),
    Row("Total of 2 events", "two_events"),
    Row("Bonus pips/points awarded", "break_2"),
    Row("Weight for Height"),
    Row("Height cleared", "weight"),
    Row("Tug of War"),
    Row("Score", "tug"),
    Row("Afternoon Total"),
    Row("4 events", "afternoon_events"),
    Row("+ Bonus pips/points x5", "afternoon_pips"),
    Row("= Afternoon Total", "afternoon"),
    Row("Final scoring"),
    Row("Morning Total", "final_morning"),
    Row("+ Afternoon Total", "final_afternoon"),
    Row("= Final score", "final"),
)


def _attempts(event: str, box: str, joined: str, best: str = "") -> CardLine:
    labels = ("Att #1", *(f"{joined} Att #{n}" for n in (2, 3)))
    return CardLine(event, tuple(Blank(label, f"{box}_{n}", best) for n, label in enumerate(labels, 1)))


def _break(events: str, box: str, awarded: str) -> CardLine:
    return CardLine(
        "", (Blank(f"Total of {events}:", box), Blank("Break - Bonus pips/points awarded:", awarded))
    )


def _session(name: str) -> CardLine:
    pips = Blank("+ Bonus pips/points x5:", f"{name}_pips")
    return CardLine(f"{name.capitalize()} Total:", (Blank("", f"{name}_events"), pips, Blank("=", name)))


CARD = (
    CardLine(
        "Farmer's Dash:",
        (Blank("2nd set:", "dash_second"), Blank(f"{MINUS} 1st set:", "dash_first"), Blank("=", "dash")),
    ),
    _attempts("Haggis Hurl:", "haggis", "+"),
    CardLine("", (Blank("Total:", "haggis"),)),
    _attempts("Hammer Throw:", "hammer", "+"),
    CardLine("", (Blank("Total:", "hammer"),)),
    _break("3 events", "three_events", "break_1"),
    CardLine("Sheaf Toss:", (Blank("Height cleared:", "sheaf"),)),
    _session("morning"),
    _attempts("Shot Put:", "shot", "OR", best="shot"),
    _attempts("Caber Toss:", "caber", "OR", best="caber"),
    _break("2 events", "two_events", "break_2"),
    CardLine("Weight for Height:", (Blank("Height cleared:", "weight"),)),
    CardLine("Tug of War:", (Blank("", "tug"),)),
    _session("afternoon"),
    CardLine(
        "Final scoring:",
        (
            Blank("Morning Total:", "final_morning"),
            Blank("+ Afternoon Total:", "final_afternoon"),
            Blank("=", "final"),
        ),
    ),
)
"""The printed sheet of one competitor, line by line. Two of them fit on a page."""
