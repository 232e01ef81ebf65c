"""Detects when the tray comes to rest, and what lies over it."""
