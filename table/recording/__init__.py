"""Recordings of the tray, instant replays, and playback.

A recording is played back through the vision pipeline and the referee.
"""
