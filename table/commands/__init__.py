"""The commands of `brehon`, one in each file."""
