"""The eyes: turns camera frames into Readings. Knows nothing of games."""
