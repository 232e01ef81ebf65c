"""What is kept of the tray: recordings, instant replays, and playing a recording back through the eyes and the referee."""
