"""Live scenarios: videos of dice, hands, lamps and things, composed by seed, with their ground truth."""
