"""The log: each event is on the disk before it counts."""
