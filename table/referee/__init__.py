"""The referee: what the tray shows, against what the game awaits."""
