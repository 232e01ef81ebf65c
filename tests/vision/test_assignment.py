"""Maximum assignment of new dice to lost ones."""

from __future__ import annotations

import pytest

from vision.tracking.assignment import most_assigned


@pytest.mark.parametrize(
    ("candidates", "most"),
    [
        ([], 0),
        ([[]], 0),
        ([[1, 2], [1]], 2),
        ([[1, 2], [1, 3], [1]], 3),
        ([[1, 2], [2, 3], [1], [2]], 3),
        ([[1], [1], [1, 2]], 2),
        ([[1, 2, 3]], 1),
    ],
)
def test_as_many_dice_as_possible_have_a_candidate_of_their_own(
    candidates: list[list[int]], most: int
) -> None:
    assert most_assigned(candidates) == most
