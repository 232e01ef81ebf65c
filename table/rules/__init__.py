"""The rules core: prompts, answers, matches and sheets.

It uses the standard library only. It has no I/O, no clock and no randomness.
"""
