"""Prompts for what the camera cannot see: sticks, dice under cups, numbers, bids, bets and picks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Generic

from table.rules import words
from table.rules.answers import (
    FACES,
    MAX_NUMBER,
    Answer,
    Bet,
    Bid,
    Chosen,
    Number,
    Picked,
    Sticks,
    Throw,
)
from table.rules.board import Move
from table.rules.prompts import (
    A,
    Choose,
    Coach,
    DiceGroup,
    Option,
    PromptFor,
    RandomSource,
    answer_kind_text,
    options_to_json,
    rule_refusal,
)
from table.rules.towers import Level

OGHAM = (("round", "dog"), ("round", "deer"), ("round", "cow"), ("round", "horse"))
"""The faces of four half-round sticks, each with an animal on the flat side."""

COINS = (("round", "flat"),) * 4
"""The faces of four coins in place of the sticks: heads is "flat", and there are no animals."""

OPTION_SHARE = 0.3
"""How often a random answer to a bid takes an option, such as to challenge, as a share (0 to 1)."""

BET_SHARE = 0.6
"""How often a random answer to AskBets is one more bet, as a share (0 to 1)."""

MAX_STAKE = 1_000_000
"""Upper limit of a stake, units."""

TWO_COLOURED = (("white", "black"),) * 4


@dataclass(frozen=True)
class StickThrow(PromptFor[Sticks]):
    """A throw of sticks. sticks: the faces of each stick. purpose: as in Roll."""

    kind: ClassVar[str] = "sticks"
    answer_format: ClassVar[str] = (
        '{"sticks": ["SIDE", "SIDE", "SIDE", "SIDE"]}, the upper side of each stick, in any order'
    )
    sticks: tuple[tuple[str, ...], ...]
    purpose: str = ""

    @property
    def answer_hint(self) -> str:
        """An answer with sides that these sticks have."""
        sides = [stick[i % len(stick)] for i, stick in enumerate(self.sticks)]
        return f'{{"sticks": {json.dumps(sides)}}}, the upper side of each {self.noun}, in any order'

    def why_not(self, answer: Answer) -> str | None:
        if not isinstance(answer, Sticks):
            came = "a throw of dice" if isinstance(answer, Throw) else answer_kind_text(answer)
            return f"A throw of {self.noun}s is expected, not {came}. {self.text}"
        if len(answer.faces) != len(self.sticks):
            expected = words.number(len(self.sticks)).capitalize()
            came = words.number(len(answer.faces)) if answer.faces else "none"
            return f"{expected} {self.noun}s expected, {came} came. {self.text}"
        return self._impossible(Counter(answer.faces))

    def _impossible(self, came: Counter[str]) -> str | None:
        """Why these sticks cannot lie so; None if they can."""
        there = Counter(face for stick in self.sticks for face in dict.fromkeys(stick))
        strange = [face for face in came if face not in there]
        if strange:
            return (
                f"No {self.noun} shows {words.listed(strange, 'or')}; "
                f"they show {words.listed(there, 'or')}. {self.text}"
            )
        often = [self._too_often(face, came[face], there[face]) for face in came if came[face] > there[face]]
        return f"{words.upper_first('; '.join(often))}. {self.text}" if often else None

    def _too_often(self, face: str, came: int, there: int) -> str:
        times = "twice" if came == 2 else f"{words.number(came)} times"
        have = f"{self.noun} shows" if there == 1 else f"{self.noun}s show"
        return f"{face} came {times}, but only {words.number(there)} {have} it"

    @property
    def noun(self) -> str:
        """What is thrown: a stick or a coin."""
        return "coin" if self.sticks == COINS else "stick"

    def random_answer(self, chance: RandomSource) -> Sticks:
        return Sticks(tuple(chance.choice(stick) for stick in self.sticks))

    def to_json(self) -> dict[str, Any]:
        fields = {
            "kind": self.kind,
            "player": self.player,
            "sticks": [list(s) for s in self.sticks],
            "text": self.text,
        }
        return fields | ({"for": self.purpose} if self.purpose else {})


@dataclass(frozen=True)
class Hidden(Choose):
    """A throw under a cup, which only the player sees. The player says when the dice lie there."""

    kind: ClassVar[str] = "hidden"
    answer_format: ClassVar[str] = '{"choose": "ready"}, once the dice lie under the cup'
    dice: tuple[DiceGroup, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "dice": [g.to_json() for g in self.dice]}


@dataclass(frozen=True)
class AskNumber(PromptFor[Number]):
    """A whole number from `least` to `most`.

    purpose: what the number is, such as "stake"; "" if it is about the last throw. usual: the number that is
    offered first, None for no such number.
    """

    kind: ClassVar[str] = "number"
    answer_format: ClassVar[str] = '{"number": 3}, from the prompt\'s "least" to its "most"'
    least: int
    most: int
    purpose: str = ""
    usual: int | None = None

    def why_not(self, answer: Answer) -> str | None:
        if not isinstance(answer, Number):
            return f"A number is expected, not {answer_kind_text(answer)}. {self.text}"
        if not self.least <= answer.value <= self.most:
            return (
                f"A whole number from {self.least:,} to {self.most:,} is expected, "
                f"{answer.value:,} came. {self.text}"
            )
        return None

    def random_answer(self, chance: RandomSource) -> Number:
        return Number(chance.randint(self.least, min(self.most, self.least + 20)))

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "kind": self.kind,
            "player": self.player,
            "least": self.least,
            "most": self.most,
            "text": self.text,
        }
        usual = {} if self.usual is None else {"usual": self.usual}
        return fields | ({"for": self.purpose} if self.purpose else {}) | usual


BidRule = Callable[[Bid], str | None]


Track = Callable[[], Iterable[tuple[int, tuple[int, ...], Move]]]
"""Computes the bids of a track: (count, faces, move of the marker) for each space that it can go to."""


ChanceOf = Callable[[Bid], Fraction]
"""Computes the chance that a bid is true, for who does not see what lies under the cups."""


def any_bid(bid: Bid) -> None:
    """The rule by which a player may bid any number of dice of any face."""


@dataclass(frozen=True)
class AskBid(PromptFor[A], Generic[A]):
    """A bid, or one of the options, such as to call the bid before.

    AskBid.opening makes a prompt whose only answer is a bid. AskBid.raising makes one with options.

    rule: returns why a bid is not allowed, or None if it is. above: the current bid, None at the opening.
    track: computes the bids that can be made on the board: a count, its faces, and the move of the marker.
    in_play: how many dice there are, None if it is not known. The page offers no bid on more.
    chance_of: computes the chance of each bid, for the coach; None if it knows none.
    """

    kind: ClassVar[str] = "bid"
    answer_format: ClassVar[str] = (
        '{"bid": {"count": 5, "face": 3}}, or {"choose": "ID"} with an id that the prompt lists'
    )
    rule: BidRule = field(compare=False)
    above: Bid | None = None
    options: tuple[Option, ...] = ()
    track: Track | None = field(default=None, compare=False, repr=False)
    in_play: int | None = field(default=None, compare=False)
    chance_of: ChanceOf | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def opening(
        player: str,
        text: str,
        rule: BidRule = any_bid,
        coach: Coach | None = None,
        track: Track | None = None,
        in_play: int | None = None,
        chance_of: ChanceOf | None = None,
    ) -> AskBid[Bid]:
        """A prompt for the first bid."""
        return AskBid(player, text, rule, track=track, in_play=in_play, chance_of=chance_of, coach=coach)

    @staticmethod
    def raising(
        player: str,
        text: str,
        rule: BidRule,
        above: Bid,
        *options: Option,
        coach: Coach | None = None,
        track: Track | None = None,
        in_play: int | None = None,
        chance_of: ChanceOf | None = None,
    ) -> AskBid[Bid | Chosen]:
        """A prompt for a bid above the current one, or for one of the options."""
        return AskBid(player, text, rule, above, options, track, in_play, chance_of, coach=coach)

    @property
    def moves(self) -> list[dict[str, Any]]:
        return [
            {"bid": {"count": count, "faces": list(faces)}, **move.to_json()}
            for count, faces, move in (self.track() if self.track else ())
        ]

    def why_not(self, answer: Answer) -> str | None:
        if isinstance(answer, Chosen):
            return _not_listed(self.options, answer, self.text)
        if not isinstance(answer, Bid):
            expected = "A bid or a choice" if self.options else "A bid"
            return f"{expected} is expected, not {answer_kind_text(answer)}. {self.text}"
        if answer.count < 1 or answer.face not in FACES:
            return (
                "A bid names at least one die and a face from 1 to 6; "
                f"{answer.count} dice of face {answer.face} came. {self.text}"
            )
        return rule_refusal(lambda: self.rule(answer), "this bid")

    def random_answer(self, chance: RandomSource) -> Answer:
        if self.options and chance.random() < OPTION_SHARE:
            return Chosen(chance.choice(self.options).id)
        bids = [b for b in self._usual_bids() if b in self][:12]
        return chance.choice(bids) if bids else Chosen(chance.choice(self.options).id)

    def _usual_bids(self) -> list[Bid]:
        """Low bids, and bids around the current count, around its half and around its double."""
        count = self.above.count if self.above else 0
        counts = {n for near in (0, count // 2, count, 2 * count) for n in range(near, near + 5)}
        return [Bid(n, face) for n in sorted(counts) if 1 <= n <= MAX_NUMBER for face in FACES]

    def to_json(self) -> dict[str, Any]:
        above = {"count": self.above.count, "face": self.above.face} if self.above else None
        return {
            "kind": self.kind, "player": self.player, "above": above,
            "options": options_to_json(self.options), "text": self.text,
        }  # fmt: skip

    def shown(self) -> dict[str, Any]:
        """The JSON, with "in_play", "fewest" of each face, and "chances": of each number of dice, by faces
        that share them."""
        if self.in_play is None:
            return super().shown()
        fewest = [self._fewest(face, self.in_play) for face in FACES]
        chances = self._chances(self.in_play)
        shown = super().shown() | {"in_play": self.in_play, "fewest": fewest}
        return shown | ({"chances": chances} if chances else {})

    def _fewest(self, face: int, most: int) -> int | None:
        """The lowest number of dice of this face that may be bid; None if that is more than `most`."""
        return next((count for count in range(1, most + 1) if Bid(count, face) in self), None)

    def _chances(self, most: int) -> list[dict[str, Any]]:
        if self.chance_of is None:
            return []
        faces: dict[tuple[float, ...], list[int]] = {}
        for face in FACES:
            of = (self.chance_of(Bid(count, face)) for count in range(1, most + 1))
            faces.setdefault(tuple(map(_rounded, of)), []).append(face)
        return [{"faces": same, "of": list(of)} for of, same in faces.items()]


def _rounded(chance: Fraction) -> float:
    """Four figures of a chance; only what is certain is 1."""
    return float(chance) if chance == 1 else min(0.9999, float(f"{float(chance):.4g}"))


@dataclass(frozen=True)
class AskBets(PromptFor[Bet | Chosen]):
    """One bet of any of the bettors, or one of the options, such as to close the betting.

    on: what can be bet on. most: the highest stake. rule: returns why a bet is not allowed, or None if it is.
    """

    kind: ClassVar[str] = "bets"
    answer_format: ClassVar[str] = (
        '{"bet": {"player": "Ann", "on": "ID", "stake": 5}}, as often as there are bets, '
        'then {"choose": "ID"}'
    )
    bettors: tuple[str, ...]
    on: tuple[Option, ...]
    options: tuple[Option, ...]
    most: int = MAX_STAKE
    rule: Callable[[Bet], str | None] = field(default=lambda bet: None, compare=False)

    def why_not(self, answer: Answer) -> str | None:
        if isinstance(answer, Chosen):
            return _not_listed(self.options, answer, self.text)
        if not isinstance(answer, Bet):
            return f"A bet or a choice is expected, not {answer_kind_text(answer)}. {self.text}"
        if answer.player not in self.bettors:
            return (
                f"{words.short(answer.player)} is not among those who bet here: "
                f"{words.listed(self.bettors)}. {self.text}"
            )
        ids = [o.id for o in self.on]
        if answer.on not in ids:
            return f"Not “{words.short(answer.on)}”: a bet is on {words.listed(ids, 'or')}. {self.text}"
        if not 1 <= answer.stake <= self.most:
            return f"A stake is a whole number from 1 to {self.most:,}; {answer.stake:,} came. {self.text}"
        return rule_refusal(lambda: self.rule(answer), "this bet")

    def random_answer(self, chance: RandomSource) -> Answer:
        if chance.random() < BET_SHARE:
            bet = Bet(
                chance.choice(self.bettors), chance.choice(self.on).id, chance.randint(1, min(20, self.most))
            )
            if bet in self:
                return bet
        return chance.choice([c for c in (Chosen(o.id) for o in self.options) if c in self])

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "player": self.player, "bettors": list(self.bettors),
            "on": options_to_json(self.on), "options": options_to_json(self.options), "most": self.most,
            "text": self.text,
        }  # fmt: skip


@dataclass(frozen=True)
class Pick(PromptFor[Picked]):
    """A pick of `least` to `most` of the items.

    rule: returns why a pick is not allowed, or None if it is. purpose: what is asked about the items, such as
    "fell"; "" if they are taken. levels: the places of items that stand in towers of the board.
    """

    kind: ClassVar[str] = "pick"
    answer_format: ClassVar[str] = (
        '{"pick": ["ID", ...]}, ids that the prompt lists, from "least" to "most" of them'
    )
    items: tuple[Option, ...]
    least: int
    most: int
    rule: Callable[[tuple[str, ...]], str | None] = field(default=lambda items: None, compare=False)
    purpose: str = ""
    levels: Mapping[str, Level] = field(default_factory=dict, compare=False)

    def why_not(self, answer: Answer) -> str | None:
        if not isinstance(answer, Picked):
            return f"A pick from the list is expected, not {answer_kind_text(answer)}. {self.text}"
        ids = [o.id for o in self.items]
        strange = [item for item in answer.items if item not in ids]
        if strange:
            return f"Not “{words.short(strange[0])}”: pick from {words.listed(ids)}. {self.text}"
        if len(set(answer.items)) < len(answer.items):
            return f"Each can be picked once. {self.text}"
        if not self.least <= len(answer.items) <= self.most:
            wanted = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
            return f"Pick {wanted}, not {len(answer.items)}. {self.text}"
        return rule_refusal(lambda: self.rule(answer.items), "this pick")

    def ids(self, answer: Picked) -> tuple[str, ...]:
        """The ids in the answer, in the order of `items`."""
        return tuple(o.id for o in self.items if o.id in answer.items)

    def random_answer(self, chance: RandomSource) -> Picked:
        ids = [o.id for o in self.items]
        for _ in range(200):
            some = set(chance.sample(ids, chance.randint(self.least, self.most)))
            picked = Picked(tuple(i for i in ids if i in some))
            if picked in self:
                return picked
        raise ValueError(f"no legal pick was found among {ids}")

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "player": self.player, "items": options_to_json(self.items),
            "least": self.least, "most": self.most, "text": self.text,
        } | ({"for": self.purpose} if self.purpose else {})  # fmt: skip

    def shown(self) -> dict[str, Any]:
        """The JSON, with "levels": where items stand on the board."""
        levels = [{"item": item} | level.to_json() for item, level in self.levels.items()]
        return super().shown() | ({"levels": levels} if levels else {})


def _not_listed(options: tuple[Option, ...], answer: Chosen, text: str) -> str | None:
    ids = [o.id for o in options]
    if answer.option in ids:
        return None
    if not ids:
        return f"There is nothing to choose here. {text}"
    return f"Not “{words.short(answer.option)}”: the choice here is {words.listed(ids, 'or')}. {text}"
