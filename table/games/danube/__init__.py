"""Down the Danube, as far as it needs no table: the squares and what stands on them, and what a throw can be played as."""
