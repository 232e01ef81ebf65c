"""The log: what happened, on the disk before it counts."""
