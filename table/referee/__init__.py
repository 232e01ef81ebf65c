"""The referee: it compares the dice on the tray with what the game awaits."""
