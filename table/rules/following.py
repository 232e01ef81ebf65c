"""Which die is which when a throw is corrected, and what a choice of dice to keep becomes then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from table.common.errors import IllegalAnswer
from table.rules import words
from table.rules.answers import Die, Kept, Throw

Faces = Counter[int]


def as_thrown(was: Throw, now: Throw) -> Throw:
    """The corrected throw, with its colours in the order of the old one, so that each die has its own face.

    Dice without a colour keep the colour that was seen in their place. Raises IllegalAnswer if only faces are
    given, in an order that does not tell which of them belongs to which colour.
    """
    if len(was.dice) != len(now.dice):
        return now
    if not any(d.colour for d in now.dice):
        _check_order_tells(was, now)
    coloured = tuple(Die(d.face, d.colour or w.colour) for d, w in zip(now.dice, was.dice, strict=True))
    colours, seen = ([d.colour for d in dice] for dice in (coloured, was.dice))
    if colours == seen or Counter(colours) != Counter(seen):
        return Throw(coloured)
    pairs = list(zip(was.dice, coloured, strict=True))
    left = Counter(new for old, new in pairs if old != new)
    unchanged = Counter(old for old, new in pairs if old != new) & left
    changed = left - unchanged
    return Throw(tuple(old if old == new else _taken(old, unchanged, changed) for old, new in pairs))


def _check_order_tells(was: Throw, now: Throw) -> None:
    """Raises IllegalAnswer if a face of dice of several colours came back in another place."""
    moved = [(w, d) for w, d in zip(was.dice, now.dice, strict=True) if w.face != d.face]
    again = {w.face for w, _ in moved} & {d.face for _, d in moved}
    if again and len({w.colour for w, _ in moved}) > 1:
        raise IllegalAnswer(
            f"It is not clear which die showed {words.listed(sorted(again))}. Give all faces in the order"
            f" of the throw, {words.listed(was.faces)}, or each die with its colour."
        )


def _taken(die: Die, unchanged: Counter[Die], changed: Counter[Die]) -> Die:
    """What became of a die of the old throw. It is taken from the dice that are left."""
    if unchanged[die]:
        unchanged[die] -= 1
        return die
    found = next(d for d in changed.elements() if d.colour == die.colour)
    changed[found] -= 1
    return found


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
