"""Tracks dice through the motion, and decides how each came to rest."""
