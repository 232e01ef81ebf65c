"""Words for people: numbers, plurals and lists."""

from __future__ import annotations

import re
from collections.abc import Iterable

MINUS = "\N{MINUS SIGN}"
"""As wide as a figure. Numbers for scripts have a hyphen instead."""

MOST_IN_WORDS = 99
"""The largest number that can be put in words."""

_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def number(n: int, most: int = 10) -> str:
    """'four' for 4; digits for negative numbers and those above `most`, which is at most MOST_IN_WORDS."""
    if not 0 <= n <= most:
        return f"{n:,}"
    if n < len(_NUMBERS):
        return _NUMBERS[n]
    ones = f"-{_NUMBERS[n % 10]}" if n % 10 else ""
    return f"{_TENS[n // 10 - 2]}{ones}"


def dice(n: int, colour: str | None = None, most: int = 10) -> str:
    """'one die', 'four green dice'; figures as in number()."""
    return " ".join(w for w in (number(n, most), colour, "die" if n == 1 else "dice") if w)


def listed(items: Iterable[object], last: str = "and") -> str:
    """'1, 4 and 6'; 'nothing' for no items."""
    words = [str(i) for i in items]
    if not words:
        return "nothing"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def hyphenated(items: Iterable[object]) -> str:
    """'1-4-6', for the faces of a throw."""
    return "-".join(map(str, items))


def short(text: str, max_length: int = 60) -> str:
    """The text, cut to `max_length` letters if it is too long to quote in a sentence."""
    return text if len(text) <= max_length else text[: max_length - 3] + "..."


def figures(n: int) -> str:
    """'1,000', or '−5' with a minus sign."""
    return with_minus(f"{n:,}")


def with_minus(text: str) -> str:
    """'−2 in money' for '-2 in money': the text with a minus sign before a number at its beginning."""
    return f"{MINUS}{text[1:]}" if re.match(r"-\d", text) else text


def signed(n: int) -> str:
    """'+1,000', '−5' with a minus sign, or '0'."""
    return f"+{n:,}" if n > 0 else figures(n)


def points(n: int) -> str:
    """'1 point', '25 points'."""
    return f"{n} point" if n == 1 else f"{n} points"


def it_or_them(n: int) -> str:
    """'it' for 1, 'them' for any other number."""
    return "it" if n == 1 else "them"


def it_or_they(n: int) -> str:
    """'it' for 1, 'they' for any other number."""
    return "it" if n == 1 else "they"


def as_they_lie(n: int) -> str:
    """'as it lies' for 1, 'as they lie' for any other number."""
    return "as it lies" if n == 1 else "as they lie"


def was_or_were(n: int) -> str:
    """'was' for 1, 'were' for any other number."""
    return "was" if n == 1 else "were"


def lower_first(text: str) -> str:
    """'throw again' for 'Throw again', for use within a sentence; 'HOT beats NEAR' stays."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def upper_first(text: str) -> str:
    """'Three Magic Ones' for 'three Magic Ones', for the start of a sentence."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """'No camera is found.' for 'no camera is found'."""
    return upper_first(text) + ("" if text.endswith((".", "!", "?")) else ".")
