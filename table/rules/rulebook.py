"""The rulebook of a game, parsed from the docstring of its file."""

from __future__ import annotations

import re
from dataclasses import dataclass

SOURCE = "Source: "
"""Start of the last paragraph: the source of the rules, and the rulings on what they leave open."""

NUMBER = r"[A-Z]{1,2}-\d+"
RULING = re.compile(rf"({NUMBER})\b:? (.*?)(?=(?:; |\. |\.$|$)(?:{NUMBER}\b|$))")
"""The number of a ruling, such as P-2 or CA-2, and its text."""

LINE_BREAK = re.compile(r"(?<=[^.:\n])\n(?!\n)")
"""A line break within a sentence, which is none of the text."""
LEAD = re.compile(r"([A-Z][^.:]{3,24}:) (.*)", re.DOTALL)
"""A paragraph that begins with what it is about, such as "On the tray:"."""


@dataclass(frozen=True)
class Rulebook:
    """The parts of a rulebook.

    aim: one or two sentences, for the list of games. rules: how to play, in the lines and paragraphs of the
    docstring. rulings: number and text of each ruling on what the printed rules leave open.
    """

    title: str
    aim: str
    rules: str
    rulings: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, doc: str | None) -> Rulebook:
        """The rulebook from a docstring of this form; raises ValueError if a part is missing.

        Title: the aim.

        The rules, in as many paragraphs as they need.

        Source: where the rules are from.
        Rulings: T-1 a ruling; T-2 another.
        """
        if doc is None:
            raise ValueError(
                "a game has no docstring, which is its rulebook; "
                "run Python without -OO, which removes docstrings"
            )
        head, _, body = doc.strip().partition("\n\n")
        rules, _, source = f"\n\n{body}".partition(f"\n\n{SOURCE}")
        title, _, aim = _unwrapped(head).partition(": ")
        if not (title and aim and rules.strip()):
            raise ValueError(
                "the docstring of a game begins “Title: aim.”, and has its rules after an empty line"
            )
        _, _, rulings = _unwrapped(source).partition("Rulings: ")
        return cls(
            title, aim, rules.strip(), tuple((n, text.strip(" ;.")) for n, text in RULING.findall(rulings))
        )

    @property
    def paragraphs(self) -> tuple[tuple[str, str], ...]:
        """The paragraphs of the rules, each as (lead, text), with a lead such as "On the tray:" or ""."""
        lines = [line for line in LINE_BREAK.sub(" ", self.rules).split("\n") if line]
        found = [(LEAD.fullmatch(line), line) for line in lines]
        return tuple((lead[1], lead[2]) if lead else ("", line) for lead, line in found)


def _unwrapped(text: str) -> str:
    return " ".join(text.split())
