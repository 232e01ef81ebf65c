"""The odds of the eight events of the Highland Dice Games, for the coach and for the tests; a file an event, and one for both
tosses over a bar."""
