"""Where the pieces of the real board stand, in words, and what to move when the record of the game changes.

A correction or a choice that is taken back changes the board on the page at once. The real board is moved by
hand, so people are told what to move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from table.rules import words

MOST_MOVES = 5
"""The most ways, from one place to another, that are told one by one."""


@dataclass(frozen=True, order=True)
class Standing:
    """A piece and its place, both in words: "Ann's chariot 1" on "sigil 5".

    many: the name of several that are alike, such as "coins" for "a coin"; "" if there is only one.
    """

    what: str
    where: str
    many: str = ""


def moves_text(before: Iterable[Standing], after: Iterable[Standing]) -> str:
    """' On the real board, move Ann's chariot 1 from sigil 5 to sigil 3.', or "" if all stand as before.

    It is also "" if there was no piece on the board before.
    """
    old, new = Counter(before), Counter(after)
    moves = list(_moves(old, new)) if old else []
    if len(moves) > MOST_MOVES or (old and not new):
        return " On the real board, set everything as the board on the page shows it."
    return f" On the real board, {words.listed(moves)}." if moves else ""


def _moves(before: Counter[Standing], after: Counter[Standing]) -> Iterator[str]:
    """What to move, in words. What is on the board only before or only after is not told: dice that fell are
    in nobody's hand, and the referee asks about them."""
    gone, come = before - after, after - before
    ways = dict[tuple[str, str], list[str]]()
    for what, many in sorted({(each.what, each.many) for each in (gone | come)}):
        alike = Counter(zip(_places(gone, what), _places(come, what), strict=False))
        for way, count in alike.items():
            ways.setdefault(way, []).append(what if count == 1 else f"{words.number(count)} {many}")
    yield from (f"move {words.listed(moved)} from {start} to {end}" for (start, end), moved in ways.items())


def _places(pieces: Counter[Standing], what: str) -> list[str]:
    return [each.where for each in pieces.elements() if each.what == what]
