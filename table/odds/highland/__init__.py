"""The odds of the eight events of the Highland Dice Games, for the coach and for the tests.

Each event has a file; the two events over a bar share one.
"""
