"""Maximum assignment of new dice to lost ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def most_assigned(candidates: Sequence[Collection[int]]) -> int:
    """The largest number of dice that can each have a candidate of its own. candidates: those of each die.

    Maximum bipartite matching by augmenting paths (Kuhn's algorithm).
    """
    owner = dict[int, int]()

    def find_one(die: int, tried: set[int]) -> bool:
        for candidate in candidates[die]:
            if candidate in tried:
                continue
            tried.add(candidate)
            if candidate not in owner or find_one(owner[candidate], tried):
                owner[candidate] = die
                return True
        return False

    return sum(find_one(die, set()) for die in range(len(candidates)))
