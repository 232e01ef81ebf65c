"""Records of the tray: recordings, instant replays, and playback of a recording through the vision pipeline
and the referee."""
