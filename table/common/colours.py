"""The names of colours: of dice, seats and lights."""

COLOURS = ("white", "black", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown")
"""Body colours that the eyes tell apart; ivory counts as white. The nets answer in this order."""
