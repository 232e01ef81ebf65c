"""The score sheet of the Games, row by row as it is printed.

Names and clan colours come from the seats. The name of the clan is a line to write on.

The row "Best attempt" is an addition: the printed sheet says OR between the attempts, and people have to see
which one counts.
"""

from __future__ import annotations

from table.rules.sheet import Row

FORM = (
    Row("Farmer's Dash"),
    Row("2nd set", "dash_second"),
    Row("- 1st set", "dash_first"),
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
