"""What a choice of dice to keep becomes when the throw that it was made from is corrected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from table.rules.answers import Kept, Throw


def kept_after(kept: Kept, offered: Sequence[int], was: Throw, now: Throw) -> Kept:
    """The same dice by their corrected faces. offered: the faces among which they were chosen.

    An answer names faces, not dice. If only some dice of a misread face were kept, nobody knows which: then
    the answer stays as it is.
    """
    chosen, there = Counter(kept.faces), Counter(offered)
    misread = [(old, new) for old, new in zip(was.faces, now.faces, strict=True) if old != new]
    if any(0 < chosen[old] < there[old] for old, _ in misread):
        return kept
    corrected: dict[int, int] = {}  # face by its place in the answer
    for old, new in misread:
        place = next((i for i, f in enumerate(kept.faces) if f == old and i not in corrected), None)
        if place is not None:
            corrected[place] = new
    return Kept(tuple(corrected.get(i, face) for i, face in enumerate(kept.faces)))
