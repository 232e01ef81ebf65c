"""Prompts: what the table waits for. A prompt has a sentence for people and knows which answers it allows.

`answer in prompt` says whether an answer is allowed; `prompt.why_not(answer)` says why it is not. Players
can also answer a choice with the dice. `prompt.answers_shown_by(act)` gives the answers that such an act
can mean. The referee accepts such an answer only if there is exactly one.
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
from table.rules.answers import FACES, Answer, Bet, Bid, Chosen, Die, Kept, Number, Picked, Sticks, Throw
from table.rules.best_play import Advice, BestPlay
from table.rules.board import Move
from table.rules.towers import Placement


@dataclass(frozen=True)
class Act:
    """What a player did with the dice after the last accepted throw.

    left: faces of the dice of that throw that did not move.
    thrown: number of dice thrown now. colours: of those dice, None for each uncertain colour.
    beside: faces of all other dice that did not move.
    """

    left: tuple[int, ...]
    thrown: int
    colours: tuple[str | None, ...] = ()
    beside: tuple[int, ...] = ()

    def may_all_be(self, colour: str | None) -> bool:
        """Whether all thrown dice can have the colour; always true for None."""
        return colour is None or set(self.colours) <= {colour, None}


@dataclass(frozen=True)
class DiceGroup:
    """A number of dice of one colour. colour: None means any.

    either: if not empty, each of the dice has one of these colours, and `colour` is None.
    """

    count: int
    colour: str | None = None
    either: tuple[str, ...] = ()

    @property
    def sample_colour(self) -> str | None:
        """A colour that all dice of the group can have; None for any."""
        return self.either[0] if self.either else self.colour

    @property
    def text(self) -> str:
        """'four green dice', 'one green or white die'."""
        return words.dice(self.count, words.listed(self.either, "or") if self.either else self.colour)

    def to_json(self) -> dict[str, Any]:
        return {"colour": self.colour, "count": self.count} | (
            {"either": list(self.either)} if self.either else {}
        )


@dataclass(frozen=True)
class Option:
    """One option of a choice.

    throws: a throw of this many dice makes the choice; None if only a tap can make it.
    colour: the colour that those dice must have; None for any.
    beside: faces set aside that stay on the tray for that throw; None if it may be made with other dice.
    places: putting this die on this tower makes the choice.
    falls: the choice says that dice fell from the towers.
    move: what the choice does on the board; None if nothing there stands for it.
    hides: the player throws under a cup next.
    """

    id: str
    text: str
    throws: int | None = None
    colour: str | None = None
    beside: tuple[int, ...] | None = None
    places: Placement | None = None
    falls: bool = False
    move: Move | None = None
    hides: bool = False


T = TypeVar("T")


class RandomSource(Protocol):
    """The source of random answers, always passed in. random.Random is one."""

    def random(self) -> float: ...
    def randint(self, least: int, most: int, /) -> int: ...
    def choice(self, seq: Sequence[T]) -> T: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...


@dataclass(frozen=True)
class Odds:
    """One line of the coach. value: a chance (0 to 1) or, if `points` is true, a mean number of points."""

    text: str
    value: Fraction | float
    points: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "value": float(self.value), "points": self.points}


Coach = Callable[[], Iterable[Odds]]
"""Computes the odds of a prompt. It runs only if they are shown, and it never changes what is allowed."""


@dataclass(frozen=True)
class Prompt:
    """What the table waits for.

    player: who answers. text: the sentence for people. coach: computes `odds`.
    """

    kind: ClassVar[str] = ""
    answer_format: ClassVar[str] = ""
    """The JSON of an answer, for `brehon rules`."""

    player: str
    text: str
    coach: Coach | None = field(default=None, kw_only=True, compare=False, repr=False)

    @property
    def answer_hint(self) -> str:
        """The JSON of an answer to this prompt, for a refusal."""
        return self.answer_format

    @cached_property
    def odds(self) -> tuple[Odds, ...]:
        """The odds from the coach; empty without one, or if it fails, because advice must not stop a game."""
        try:
            return tuple(self.coach()) if self.coach else ()
        except Exception:
            return ()

    @property
    def best_play(self) -> BestPlay | None:
        """What best play is worth here, if the coach knows it."""
        return self.coach.best_play if isinstance(self.coach, Advice) else None

    def __contains__(self, answer: Answer) -> bool:
        return self.why_not(answer) is None

    def why_not(self, answer: Answer) -> str | None:
        """Why the answer is not allowed here, as a sentence for people; None if it is allowed."""
        raise NotImplementedError

    def answers_shown_by(self, act: Act) -> tuple[Answer, ...]:
        """The allowed answers that this act can mean. There are none for a Roll: the reading answers it."""
        return ()

    def check(self, answer: Answer) -> None:
        """Raises IllegalAnswer if the answer is not allowed here."""
        why = self.why_not(answer)
        if why is not None:
            raise IllegalAnswer(why)

    def random_answer(self, chance: RandomSource) -> Answer:
        """A random allowed answer. If the allowed answers are too many, it is one of the usual ones."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "player": self.player, "text": self.text}

    @property
    def moves(self) -> list[dict[str, Any]]:
        """The answers that can be given on the board, each with its piece and its place, as JSON."""
        return []

    def shown(self) -> dict[str, Any]:
        """The prompt for the page and for scripts: its JSON, and the moves, which the log does not have."""
        moves = self.moves
        return {**self.to_json(), "moves": moves} if moves else self.to_json()


A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class PromptFor(Prompt, Generic[A]):
    """A prompt that a game awaits; the answer has the type A.

    `throw = await Roll(...)` passes the prompt to the Match that runs the game. The match sends back an
    answer that the prompt allows. The first check of each `why_not` is the type of the answer.
    """

    def __await__(self) -> Generator[Prompt, A, A]:
        return (yield self)


REVEAL = "reveal"
"""Purpose of the dice that lay under a cup, once it is lifted."""

FELL = "fell"
"""Purpose of the dice that fell from towers, and are shown as they lie."""

PLACED = {REVEAL: "lifted the cup off", "push": "pushed out", FELL: "showed what fell:"}
"""What a player did with dice that are not thrown, but come to the tray as they lay under a cup or where they
fell, by purpose."""


def did(purpose: str) -> str:
    """What a player did with the dice or sticks of a throw for this purpose, as a verb before their faces."""
    return PLACED.get(purpose, "threw")


@dataclass(frozen=True)
class Roll(PromptFor[Throw]):
    """A throw of exactly these dice together.

    beside: faces set aside earlier, which may lie on the tray during the throw.
    purpose: what the throw is for, such as "start"; "" for a turn of the game. A throw for one purpose never
    answers a prompt for another.
    stage: where in the game the throw counts, such as "12 feet". A throw that a correction moves to another
    stage still counts, and a ruling says so.
    again: whether all dice of the turn are picked up and thrown again, so none of those that lie there stays.
    """

    kind: ClassVar[str] = "roll"
    answer_format: ClassVar[str] = '{"roll": [3, 1]} or {"roll": [{"face": 3, "colour": "green"}, ...]}'
    dice: tuple[DiceGroup, ...]
    beside: tuple[int, ...] = ()
    purpose: str = ""
    stage: str = ""
    again: bool = field(default=False, compare=False)

    @property
    def count(self) -> int:
        return sum(g.count for g in self.dice)

    @property
    def placed(self) -> bool:
        """Whether the dice are not thrown, but moved to the tray as they lay."""
        return self.purpose in PLACED

    def why_not(self, answer: Answer) -> str | None:
        if not isinstance(answer, Throw):
            expected = "A throw of dice" if isinstance(answer, Sticks) else "A throw"
            return f"{expected} is expected, not {answer_kind_text(answer)}. {self.text}"
        if len(answer.dice) != self.count:
            came = words.dice(len(answer.dice))
            return f"{words.dice(self.count).capitalize()} expected, {came} came. {self.text}"
        impossible = sorted(set(answer.faces) - set(FACES))
        if impossible:
            return f"A die shows 1 to 6; {words.listed(impossible)} came. {self.text}"
        return self._wrong_colours(answer)

    def _wrong_colours(self, answer: Throw) -> str | None:
        """Why the colours do not fit; None if they fit. A die of unknown colour fits each group."""
        came = Counter(d.colour for d in answer.dice)
        unknown = came.pop(None, 0)
        missing = 0
        for group in sorted(self.dice, key=lambda g: len(g.either)):  # what has one colour comes first
            left = group.count
            for colour in group.either or (group.colour,):
                fits = left if colour is None else min(left, came[colour])
                left -= fits
                came[colour] -= fits
            missing += left
        if missing <= unknown:
            return None
        wanted = words.listed(g.text for g in self.dice)
        got = words.listed(
            words.dice(n, c) for c, n in sorted(Counter(d.colour or "unknown" for d in answer.dice).items())
        )
        return f"Wrong colour: {wanted} expected, {got} came. {self.text}"

    def random_answer(self, chance: RandomSource) -> Throw:
        return Throw(
            tuple(Die(chance.randint(1, 6), g.sample_colour) for g in self.dice for _ in range(g.count))
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "player": self.player,
            "dice": [g.to_json() for g in self.dice],
            "beside": list(self.beside),
            "text": self.text,
        } | {key: text for key, text in (("for", self.purpose), ("stage", self.stage)) if text}


@dataclass(frozen=True)
class Choose(PromptFor[Chosen]):
    """A choice of one of the options."""

    kind: ClassVar[str] = "choose"
    answer_format: ClassVar[str] = (
        '{"choose": "ID"}, with an id that the prompt lists '
        '(on the tray: a throw of as many dice as its "throws")'
    )
    options: tuple[Option, ...]
    foul: Callable[[str], str | None] = field(default=lambda option: None, compare=False)
    """What is wrong with an id that is not listed, as the start of a sentence; None for the usual text."""
    closed: tuple[tuple[Move, str], ...] = field(default=(), compare=False)
    """Moves of what the options move that are not allowed, each with the reason, as a part of a sentence."""

    def why_not(self, answer: Answer) -> str | None:
        ids = [o.id for o in self.options]
        if isinstance(answer, Chosen) and answer.option in ids:
            return None
        if isinstance(answer, Chosen):
            return f"{self._foul(answer.option)}: choose {words.listed(ids, 'or')}. {self.text}"
        return f"A choice is expected, not {answer_kind_text(answer)}. {self.text}"

    def _foul(self, option: str) -> str:
        """The first part of the refusal of this id. A bug in the game's `foul` must not stop the table."""
        try:
            text = self.foul(option)
        except Exception:
            text = None
        return text or f"Not “{words.short(option)}”"

    def answers_shown_by(self, act: Act) -> tuple[Answer, ...]:
        return tuple(
            Chosen(o.id) for o in self.options if o.throws == act.thrown and act.may_all_be(o.colour)
        )

    @property
    def moves(self) -> list[dict[str, Any]]:
        return [{"choose": o.id, **o.move.to_json()} for o in self.options if o.move]

    def shown(self) -> dict[str, Any]:
        """The JSON, with "closed": the moves that are not allowed, and why."""
        closed = [{**move.to_json(), "why": why} for move, why in self.closed]
        return super().shown() | ({"closed": closed} if closed else {})

    def random_answer(self, chance: RandomSource) -> Chosen:
        return Chosen(chance.choice(self.options).id)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "player": self.player,
            "options": options_to_json(self.options),
            "text": self.text,
        }


def options_to_json(options: Iterable[Option]) -> list[dict[str, Any]]:
    """The options as JSON.

    "throws" is there only if a throw of that many dice makes the choice, "hides" only if a throw under a cup
    follows, and "falls" only if the choice says that dice fell from the towers.
    """
    return [
        {"id": o.id, "text": o.text}
        | ({} if o.throws is None else {"throws": o.throws})
        | ({"hides": True} if o.hides else {})
        | ({"falls": True} if o.falls else {})
        for o in options
    ]


def answer_kind_text(answer: Answer) -> str:
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


def rule_refusal(
    rule: Callable[[], str | None], what: str, instead: str = "Give another answer"
) -> str | None:
    """The result of a game's rule: why an answer is refused, or None. A bug in the rule refuses the answer.

    what: the answer, in words. instead: what the player can do, as the start of a sentence.
    """
    try:
        return rule()
    except Exception as bug:
        return f"The rules failed on {what} ({type(bug).__name__}). {instead}, or start a new game."


KeepRule = Callable[[tuple[int, ...]], str | None]
"""Returns why these dice cannot be kept, or None if they can."""


def keep_at_least_one(kept: tuple[int, ...]) -> str | None:
    """The rule by which a player may keep any dice, but at least one."""
    return None if kept else "Keep at least one die."


@dataclass(frozen=True)
class Keep(PromptFor[Kept]):
    """A choice of the dice to set aside out of the last throw.

    rule: returns why a selection is not allowed, or None if it is.
    lying_rule: the same of dice that were left lying while others were thrown, where it needs other words.
    earlier: the first of `faces`, which were kept from an earlier throw. They may be kept again or thrown.
    beside: faces of unrelated dice that may lie on the tray too.
    least: how many dice the rule lets a player keep at least. Scripts see it if it is more than one.
    worth: what dice that may be kept are worth together, in points, if they are worth any.
    """

    kind: ClassVar[str] = "keep"
    answer_format: ClassVar[str] = (
        '{"keep": [1, 5]}, faces from the prompt\'s "from", at least "least" of them or else one, '
        'or [] if it has "none"; the others are thrown again'
    )
    faces: tuple[int, ...]
    rule: KeepRule = field(default=keep_at_least_one, compare=False)
    earlier: tuple[int, ...] = ()
    beside: tuple[int, ...] = ()
    least: int = 0
    lying_rule: KeepRule | None = field(default=None, compare=False)
    worth: Callable[[tuple[int, ...]], int] | None = field(default=None, compare=False)

    def why_not(self, answer: Answer) -> str | None:
        return self._why_not(answer, self.rule)

    def why_not_left(self, faces: tuple[int, ...]) -> str | None:
        """Why these dice cannot be kept, in words for dice that were left lying; None if they can."""
        return self._why_not(Kept(faces), self.lying_rule or self.rule)

    def _why_not(self, answer: Answer, rule: KeepRule) -> str | None:
        if not isinstance(answer, Kept):
            return f"Dice to keep are expected, not {answer_kind_text(answer)}. {self.text}"
        if len(answer.faces) > len(self.faces):
            most, came = words.dice(len(self.faces)), words.number(len(answer.faces))
            return f"At most {most} can be kept, and {came} came. {self.text}"
        extra = Counter(answer.faces) - Counter(self.faces)
        if extra:
            there = words.listed((self._there_are(face) for face in sorted(extra)), "and there")
            return f"There {there} to keep in {words.listed(self.faces)}. {self.text}"
        what = f"keeping {words.listed(answer.faces)}" if answer.faces else "keeping none"
        return rule_refusal(lambda: rule(answer.faces), what, "Keep other dice")

    def _there_are(self, face: int) -> str:
        """'is no 3', 'is only one 1', 'are only two 6s'."""
        count = self.faces.count(face)
        if count < 2:
            return f"is only one {face}" if count else f"is no {face}"
        return f"are only {words.number(count)} {face}s"

    def answers_shown_by(self, act: Act) -> tuple[Answer, ...]:
        """The dice that did not move are kept. A single die can only be kept, so it is kept in any case."""
        kept = Kept(self.faces if len(self.faces) == 1 else act.left + self._earlier_left(act))
        return (kept,) if kept in self else ()

    def _earlier_left(self, act: Act) -> tuple[int, ...]:
        """The dice kept earlier that still lie on the tray.

        The result is all of them if none lies there and the number of thrown dice shows that the player took
        them out of the tray.
        """
        lying, aside = Counter(act.beside), Counter(self.beside)
        there = (lying - aside if aside <= lying else lying) & Counter(self.earlier)
        if not there and len(self.faces) - act.thrown - len(act.left) == len(self.earlier):
            return self.earlier
        return tuple(there.elements())

    def random_answer(self, chance: RandomSource) -> Kept:
        return chance.choice([kept for kept in all_keeps(self.faces) if kept in self])

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "kind": self.kind,
            "player": self.player,
            "from": list(self.faces),
            "text": self.text,
        }
        return (
            fields
            | ({"earlier": list(self.earlier)} if self.earlier else {})
            | ({"least": self.least} if self.least > 1 else {})
            | ({"none": True} if Kept(()) in self else {})
        )

    def shown(self) -> dict[str, Any]:
        """The JSON, with "all" if all dice may be kept, and "idle": the places of dice that never may be.

        "why_idle" has the reason for each of those, and "worth" the points of each selection that may be
        kept, by its faces in ascending order: {"1-1-5": 250}.
        """
        fields = super().shown() | ({"all": True} if Kept(self.faces) in self else {})
        if len(self.faces) > MOST_TRIED:
            return fields
        legal = [kept.faces for kept in all_keeps(self.faces) if kept in self]
        idle = [i for i, face in enumerate(self.faces) if not any(face in faces for faces in legal)]
        why = [self.why_not(Kept((self.faces[i],))) for i in idle]
        worth = {words.hyphenated(faces): self.worth(faces) for faces in legal} if self.worth else {}
        return (
            fields | ({"idle": idle, "why_idle": why} if idle else {}) | ({"worth": worth} if worth else {})
        )


MOST_TRIED = 8
"""The most dice of which every selection is tried, to find the dice that are in none that is allowed."""


def all_keeps(faces: Sequence[int]) -> list[Kept]:
    """Every subset of these dice once, with the empty one."""
    dice = sorted(faces)
    return [
        Kept(part) for part in sorted({part for n in range(len(dice) + 1) for part in combinations(dice, n)})
    ]
