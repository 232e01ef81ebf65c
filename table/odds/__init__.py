"""Odds: pure functions of the dice, for the coach and for the tests. Nothing here depends on a table."""
