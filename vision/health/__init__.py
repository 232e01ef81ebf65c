"""Checks that the camera delivers live, usable pictures."""
