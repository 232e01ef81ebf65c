"""A game night for tests: throws and answers go in; prompts, rulings and scores come out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Self

import pytest

from table.commands.seats import seats_from_text
from table.common.errors import IllegalAnswer
from table.games import game
from table.rules.answers import Answer, Bet, Bid, Chosen, Die, Kept, Number, Picked, Sticks, Throw
from table.rules.game import Outcome, Seat
from table.rules.match import Match
from table.rules.prompts import Choose, Prompt


class Night:
    """One match in the words of the table.

    A seat is a name, "Ann:green" with a colour, or "Ann:green+white" with two.
    """

    def __init__(self, name: str, *seats: str, **settings: object) -> None:
        given = {k: str(v) for k, v in settings.items()}
        self.match = Match(game(name), [_seat(s) for s in seats], given)

    # -- what players do -------------------------------------------------------------------------------------

    def throws(self, *faces: int) -> Self:
        return self._answers(Throw.of(*faces))

    def throws_each(self, *faces: int) -> Self:
        """Throws of one die, one after the other."""
        for face in faces:
            self.throws(face)
        return self

    def throws_coloured(self, colour: str, *faces: int) -> Self:
        return self._answers(Throw(tuple(Die(f, colour) for f in faces)))

    def chooses(self, option: str) -> Self:
        return self._answers(Chosen(option))

    def keeps(self, *faces: int) -> Self:
        return self._answers(Kept(faces))

    def throws_dice(self, *dice: tuple[str | None, int]) -> Self:
        """Dice with their colours: ("green", 3), ("white", 5)."""
        return self._answers(Throw(tuple(Die(face, colour) for colour, face in dice)))

    def throws_sticks(self, *faces: str) -> Self:
        return self._answers(Sticks(faces))

    def ready(self) -> Self:
        """The dice lie under the cup."""
        return self._answers(Chosen("ready"))

    def enters(self, number: int) -> Self:
        return self._answers(Number(number))

    def bids(self, count: int, face: int) -> Self:
        return self._answers(Bid(count, face))

    def bets(self, player: str, on: str, stake: int) -> Self:
        return self._answers(Bet(player, on, stake))

    def closes(self) -> Self:
        """The betting is closed, also if nothing is at stake."""
        self.chooses("close")
        return self.chooses("close") if self.options == ["bet", "close"] else self

    def picks(self, *items: str) -> Self:
        return self._answers(Picked(items))

    def takes_back(self) -> Self:
        self.match = self.match.after(self.match.taken_back())
        return self

    def corrects(self, at: int, *faces: int) -> Self:
        self.match = self.match.after(self.match.corrected(at, Throw.of(*faces)))
        return self

    def _answers(self, answer: Answer) -> Self:
        self.match = self.match.after(self.match.answered(answer))
        return self

    # -- refusals: each method returns the sentence and checks that nothing changed --------------------------

    def refuses_throw(self, *faces: int) -> str:
        return self._refuses(Throw.of(*faces))

    def refuses_colour(self, colour: str, *faces: int) -> str:
        return self._refuses(Throw(tuple(Die(f, colour) for f in faces)))

    def refuses_choice(self, option: str) -> str:
        return self._refuses(Chosen(option))

    def refuses_keep(self, *faces: int) -> str:
        return self._refuses(Kept(faces))

    def refuses_answer(self, answer: Answer) -> str:
        """Any other answer: Sticks(...), Number(...), Bid(...), Bet(...), Picked(...)."""
        return self._refuses(answer)

    def refuses_take_back(self) -> str:
        return self._refused(self.match.taken_back)

    def refuses_correction(self, at: int, *faces: int) -> str:
        return self._refused(lambda: self.match.corrected(at, Throw.of(*faces)))

    def _refuses(self, answer: Answer) -> str:
        return self._refused(lambda: self.match.answered(answer))

    def _refused(self, attempt: Callable[[], object]) -> str:
        before = self.match.view()
        with pytest.raises(IllegalAnswer) as refusal:
            attempt()
        assert self.match.view() == before
        return str(refusal.value)

    # -- prompts, rulings and scores -------------------------------------------------------------------------

    @property
    def prompt(self) -> Prompt:
        assert self.match.prompt is not None, self.match.broken or "the game is over"
        return self.match.prompt

    @property
    def asks(self) -> str:
        return self.prompt.text

    @property
    def turn(self) -> str:
        return self.prompt.player

    @property
    def awaits(self) -> str:
        """The awaited answer: "roll 3", "keep", or the options as "stop|throw_on"."""
        prompt = self.prompt.to_json()
        if prompt["kind"] == "roll":
            return f"roll {sum(group['count'] for group in prompt['dice'])}"
        return "|".join(self.options) or str(prompt["kind"])

    @property
    def choice(self) -> Choose:
        """The prompt, which must be a choice."""
        assert isinstance(self.prompt, Choose)
        return self.prompt

    @property
    def options(self) -> list[str]:
        """The ids of the options; empty where the prompt is not a choice."""
        return [o.id for o in self.prompt.options] if isinstance(self.prompt, Choose) else []

    @property
    def scores(self) -> dict[str, int]:
        return self.match.scores

    @property
    def sheet(self) -> list[tuple[str, int, str]]:
        return [(line.player, line.points, line.reason) for line in self.match.view().sheet]

    @property
    def says(self) -> str:
        """The last ruling."""
        return self.match.rulings[-1].text if self.match.rulings else ""

    @property
    def rulings(self) -> list[str]:
        return [r.text for r in self.match.rulings]

    @property
    def odds(self) -> dict[str, Fraction | float]:
        """The coach's odds by their texts."""
        return {line.text: line.value for line in self.prompt.odds}

    @property
    def so_far(self) -> str:
        return self.match.view().so_far

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    @property
    def outcome(self) -> Outcome:
        assert self.match.outcome is not None
        return self.match.outcome

    @property
    def winners(self) -> tuple[str, ...]:
        return self.outcome.winners


def _seat(text: str) -> Seat:
    return seats_from_text(text)[0]
