"""The commands of `brehon`, one a file: each adds its parser, and runs."""
