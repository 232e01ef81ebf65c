"""What a choice of dice to keep becomes when the throw that it was made from is corrected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from table.rules.answers import Kept, Throw

Faces = Counter[int]


def kept_after(kept: Kept, offered: Sequence[int], was: Throw, now: Throw) -> Kept:
    """The same dice by their corrected faces. offered: the faces among which they were chosen.

    An answer names faces, not dice, and the dice of a throw have no fixed order. So a face that both throws
    have is the same die. If it cannot be told which of the other dice were kept, the answer stays as it is.
    """
    faces = list(kept.faces)
    for misread, correct in _differences(was, now):
        moved = _kept_of(misread, Counter(kept.faces), Counter(offered))
        if moved is None:
            return kept
        if moved and moved != misread and len(correct) > 1:
            return kept  # each pairing of the misread dice with the correct faces would keep other dice
        for old, new in zip(moved.elements(), correct.elements(), strict=False):
            faces[faces.index(old)] = new
    return Kept(tuple(faces))


def _differences(was: Throw, now: Throw) -> Iterator[tuple[Faces, Faces]]:
    """The faces that only the old throw has, and those that only the new one has, by the colour of the dice.

    If the colours are corrected too, they do not tell the dice apart.
    """
    colours = Counter(d.colour for d in was.dice)
    same = colours == Counter(d.colour for d in now.dice)
    for colour in colours if same else (None,):
        old, new = (Counter(d.face for d in t.dice if not same or d.colour == colour) for t in (was, now))
        yield old - new, new - old


def _kept_of(misread: Faces, kept: Faces, offered: Faces) -> Faces | None:
    """Those of the misread dice that were kept; None if that cannot be told."""
    moved: Faces = Counter()
    for face, count in misread.items():
        most = min(kept[face], count)
        if most > max(0, kept[face] - (offered[face] - count)):
            return None  # perhaps others with this face were kept
        moved[face] = most
    return +moved
