"""Live scenarios: videos of dice, hands, lamps and things over a tray, composed by seed, each with what is
true about it."""
