"""Reads a picture: detects the dice, classifies their faces and colours, and says how sure it is."""
