"""The rules core: prompts, answers, matches, sheets. Standard library only; no I/O, no clock, no randomness."""
