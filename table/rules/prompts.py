"""Prompts: what the table waits for. Each carries its own legality, its sentence, and how it looks on the tray.

`answer in prompt` is the legality; `prompt.why_not(answer)` says it in words. A camera answers a choice by what lay still and
what was thrown since the last throw: `prompt.shown_by(act)` gives the answers that such an act can mean, and the referee takes
one only where exactly one fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from table.common.errors import IllegalAnswer
from table.rules import words
from table.rules.answers import Answer, Bet, Bid, Chosen, Die, Kept, Number, Picked, Sticks, Throw


@dataclass(frozen=True)
class Act:
    """What a player did with the dice since the last throw was accepted.

    left: faces of that throw's dice that still lie where they lay.
    thrown: how many dice were thrown now. colours: theirs, None where one was not surely seen.
    beside: faces of all other dice that still lie where they lay.
    """

    left: tuple[int, ...]
    thrown: int
    colours: tuple[str | None, ...] = ()
    beside: tuple[int, ...] = ()

    def all_of(self, colour: str | None) -> bool:
        """Whether the dice thrown can all be of the colour; any can where it is None."""
        return colour is None or set(self.colours) <= {colour, None}


@dataclass(frozen=True)
class DiceGroup:
    """So many dice of one colour; colour None means any."""

    count: int
    colour: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"colour": self.colour, "count": self.count}


@dataclass(frozen=True)
class Option:
    """One choice. throws: the number of dice whose throwing makes it, None where only a tap can. colour: theirs, where it matters."""

    id: str
    text: str
    throws: int | None = None
    colour: str | None = None


T = TypeVar("T")


class Chance(Protocol):
    """What decides in play by chance, always passed in: random.Random is one."""

    def random(self) -> float: ...
    def randint(self, least: int, most: int, /) -> int: ...
    def choice(self, seq: Sequence[T]) -> T: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...


@dataclass(frozen=True)
class Odds:
    """One line of the coach: what it tells of, and its chance (0 to 1) or, where `points`, its mean value."""

    text: str
    value: Fraction | float
    points: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "value": float(self.value), "points": self.points}


Coach = Callable[[], Iterable[Odds]]
"""Works out the odds of a prompt, only where somebody looks at them; it never changes what is allowed."""


@dataclass(frozen=True)
class Prompt:
    """What the table waits for, from whom; `text` is the sentence shown to people.

    coach: works out `odds`.
    """

    kind: ClassVar[str] = ""
    answers: ClassVar[str] = ""
    """How an answer is written in JSON, for `brehon rules`."""

    player: str
    text: str
    coach: Coach | None = field(default=None, kw_only=True, compare=False, repr=False)

    @cached_property
    def odds(self) -> tuple[Odds, ...]:
        """What the coach says; nothing where there is none, or where it stumbles: advice must not stop a game."""
        try:
            return tuple(self.coach()) if self.coach else ()
        except Exception:
            return ()

    def __contains__(self, answer: Answer) -> bool:
        return self.why_not(answer) is None

    def why_not(self, answer: Answer) -> str | None:
        """Why the answer is not allowed here, as a sentence to a person; None when it is."""
        raise NotImplementedError

    def shown_by(self, act: Act) -> tuple[Answer, ...]:
        """The legal answers that such an act with the dice can mean; a Roll is answered by its reading instead."""
        return ()

    def check(self, answer: Answer) -> None:
        """Raises IllegalAnswer when the answer is not allowed here."""
        why = self.why_not(answer)
        if why is not None:
            raise IllegalAnswer(why)

    def by_chance(self, chance: Chance) -> Answer:
        """One of the legal answers; any of them can come, or any of the usual ones where there is no end of them."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "player": self.player, "text": self.text}


A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class PromptFor(Prompt, Generic[A]):
    """A prompt that a game awaits; its answer is an A.

    `throw = await Roll(...)` hands the prompt to whoever runs the game (table.rules.match), which sends back an answer that the prompt
    allows. A prompt allows answers of its own type only: that is the first thing its `why_not` looks at.
    """

    def __await__(self) -> Generator[Prompt, A, A]:
        return (yield self)


SHOWN = ("reveal", "push", "fell")
"""Purposes of dice that are not thrown, but put on the tray as they lay: under a cup, or where they fell."""


@dataclass(frozen=True)
class Roll(PromptFor[Throw]):
    """Exactly these dice are thrown together and come to rest.

    beside: faces set aside earlier, which may lie still on the tray meanwhile. purpose: what else than a turn of the game the throw
    is for, such as "start"; a throw made for one purpose is never taken for one of another.
    """

    kind: ClassVar[str] = "roll"
    answers: ClassVar[str] = '{"roll": [3, 1]} or {"roll": [{"face": 3, "colour": "green"}, ...]}'
    dice: tuple[DiceGroup, ...]
    beside: tuple[int, ...] = ()
    purpose: str = ""

    @property
    def count(self) -> int:
        return sum(g.count for g in self.dice)

    @property
    def shown(self) -> bool:
        """Whether the dice are not thrown, but put there as they lay before."""
        return self.purpose in SHOWN

    def why_not(self, answer: Answer) -> str | None:
        if not isinstance(answer, Throw):
            return f"A throw is awaited, not {named(answer)}. {self.text}"
        if len(answer.dice) != self.count:
            came = words.dice(len(answer.dice))
            return f"{words.dice(self.count).capitalize()} expected, {came} came. {self.text}"
        strange = sorted(set(answer.faces) - set(range(1, 7)))
        if strange:
            return f"A die shows 1 to 6; {words.listed(strange)} came. {self.text}"
        return self._wrong_colours(answer)

    def _wrong_colours(self, answer: Throw) -> str | None:
        """A die of unknown colour fits any group, and any die fits a group of any colour."""
        came = Counter(d.colour for d in answer.dice)
        unknown = came.pop(None, 0)
        missing = 0
        for group in self.dice:
            if group.colour is not None:
                missing += max(0, group.count - came[group.colour])
                came[group.colour] -= min(group.count, came[group.colour])
        if missing <= unknown:
            return None
        wanted = words.listed(words.dice(g.count, g.colour) for g in self.dice)
        got = words.listed(words.dice(n, c) for c, n in sorted(Counter(d.colour or "unknown" for d in answer.dice).items()))
        return f"Wrong colour: {wanted} expected, {got} came. {self.text}"

    def by_chance(self, chance: Chance) -> Throw:
        return Throw(tuple(Die(chance.randint(1, 6), g.colour) for g in self.dice for _ in range(g.count)))

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "player": self.player,
            "dice": [g.to_json() for g in self.dice],
            "beside": list(self.beside),
            "text": self.text,
        } | ({"for": self.purpose} if self.purpose else {})


@dataclass(frozen=True)
class Choose(PromptFor[Chosen]):
    """One of the listed options."""

    kind: ClassVar[str] = "choose"
    answers: ClassVar[str] = '{"choose": "ID"}, with an id that the prompt lists (on the tray: the dice that it "throws")'
    options: tuple[Option, ...]
    foul: Callable[[str], str | None] = field(default=lambda option: None, compare=False)
    """What is wrong with an id that is not listed, as the beginning of a sentence; None where there is nothing to say of it."""

    def why_not(self, answer: Answer) -> str | None:
        ids = [o.id for o in self.options]
        if isinstance(answer, Chosen) and answer.option in ids:
            return None
        if isinstance(answer, Chosen):
            return f"{self._foul(answer.option)}: choose {words.listed(ids, 'or')}. {self.text}"
        return f"A choice is awaited, not {named(answer)}. {self.text}"

    def _foul(self, option: str) -> str:
        """A bug in a game's words for a foul must not take the table down."""
        try:
            said = self.foul(option)
        except Exception:
            said = None
        return said or f"Not “{words.short(option)}”"

    def shown_by(self, act: Act) -> tuple[Answer, ...]:
        return tuple(Chosen(o.id) for o in self.options if o.throws == act.thrown and act.all_of(o.colour))

    def by_chance(self, chance: Chance) -> Chosen:
        return Chosen(chance.choice(self.options).id)

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "player": self.player, "options": options_to_json(self.options), "text": self.text}


def options_to_json(options: Iterable[Option]) -> list[dict[str, Any]]:
    """Each with "throws" where throwing so many dice says it too; without, only a person can."""
    return [{"id": o.id, "text": o.text} | ({} if o.throws is None else {"throws": o.throws}) for o in options]


def named(answer: Answer) -> str:
    match answer:
        case Throw():
            return "a throw"
        case Sticks():
            return "a throw of sticks"
        case Chosen():
            return "a choice"
        case Kept():
            return "dice to keep"
        case Number():
            return "a number"
        case Bid():
            return "a bid"
        case Bet():
            return "a bet"
        case Picked():
            return "a pick from a list"


def refused(rule: Callable[[], str | None], what: str, instead: str = "Tell something else") -> str | None:
    """What a game's rule says; a bug in it refuses what it was asked about, and must not take the table down."""
    try:
        return rule()
    except Exception as bug:
        return f"The rules stumbled over {what} ({type(bug).__name__}). {instead}, or start a new game."


def any_of_them(kept: tuple[int, ...]) -> str | None:
    """The rule that lets a player keep any dice, but at least one."""
    return None if kept else "Keep at least one die."


@dataclass(frozen=True)
class Keep(PromptFor[Kept]):
    """Some of the dice just thrown are set aside; `rule` says why a set is not allowed, or None when it is.

    earlier: the first of `faces`, which were kept out of a throw before, and may be kept again or thrown after all. beside: faces that
    may lie on the tray besides, and have nothing to do with it.
    """

    kind: ClassVar[str] = "keep"
    answers: ClassVar[str] = '{"keep": [1, 5]}, faces out of the prompt\'s "from", or [] where "none" may be; others are thrown again'
    faces: tuple[int, ...]
    rule: Callable[[tuple[int, ...]], str | None] = field(default=any_of_them, compare=False)
    earlier: tuple[int, ...] = ()
    beside: tuple[int, ...] = ()

    def why_not(self, answer: Answer) -> str | None:
        if not isinstance(answer, Kept):
            return f"Dice to keep are awaited, not {named(answer)}. {self.text}"
        if len(answer.faces) > len(self.faces):
            return f"There are {words.dice(len(self.faces))} to keep some of, not {len(answer.faces)}. {self.text}"
        extra = Counter(answer.faces) - Counter(self.faces)
        if extra:
            return f"There is no {words.listed(sorted(extra.elements()))} to keep in {words.listed(self.faces)}."
        what = f"keeping {words.listed(answer.faces)}" if answer.faces else "keeping none"
        return refused(lambda: self.rule(answer.faces), what, "Keep other dice")

    def shown_by(self, act: Act) -> tuple[Answer, ...]:
        """What was left lying is kept; a single die, which can only be kept, is kept whatever happens to it."""
        kept = Kept(self.faces if len(self.faces) == 1 else act.left + self._earlier_left(act))
        return (kept,) if kept in self else ()

    def _earlier_left(self, act: Act) -> tuple[int, ...]:
        """Of the dice kept before those that still lie; all where none lies and so few were thrown: they were put out of the tray."""
        lying, aside = Counter(act.beside), Counter(self.beside)
        there = (lying - aside if aside <= lying else lying) & Counter(self.earlier)
        if not there and len(self.faces) - act.thrown - len(act.left) == len(self.earlier):
            return self.earlier
        return tuple(there.elements())

    def by_chance(self, chance: Chance) -> Kept:
        return chance.choice([kept for kept in every_keep(self.faces) if kept in self])

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"kind": self.kind, "player": self.player, "from": list(self.faces), "text": self.text}
        return told | ({"earlier": list(self.earlier)} if self.earlier else {}) | ({"none": True} if Kept(()) in self else {})


def every_keep(faces: Sequence[int]) -> list[Kept]:
    """Every part of these dice, the empty one too, once each."""
    dice = sorted(faces)
    return [Kept(part) for part in sorted({part for n in range(len(dice) + 1) for part in combinations(dice, n)})]
