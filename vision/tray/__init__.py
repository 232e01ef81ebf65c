"""Where the tray lies in the picture, and how it is set, found and checked."""
