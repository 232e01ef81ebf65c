"""What chance does: pure functions of the dice, for the coach and for the tests. Nothing here knows of a table."""
