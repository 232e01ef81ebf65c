"""The names of the colours of dice, seats and lights."""

COLOURS = ("white", "black", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown")
"""Body colours that the classifier distinguishes; ivory counts as white. Its outputs are in this order."""
