"""Pages to print, drawn in millimetres."""
