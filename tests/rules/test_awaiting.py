"""A game awaits a prompt and receives an answer of the prompt's type."""

from __future__ import annotations

import pytest

from table.rules.answers import Answer, Bet, Bid, Chosen, Kept, Number, Picked, Sticks, Throw
from table.rules.entered_prompts import OGHAM, AskBets, AskBid, AskNumber, Hidden, Pick, StickThrow
from table.rules.prompts import Choose, DiceGroup, Keep, Option, Prompt, Roll

ON, OFF = Option("on", "Go on"), Option("off", "Leave off")
ANSWERS: tuple[Answer, ...] = (
    Throw.of(3), Sticks(("round", "dog", "round", "horse")), Chosen("on"), Kept((3,)),
    Number(3), Bid(2, 3), Bet("Ann", "on", 3), Picked(("on",)),
)  # fmt: skip
"""One answer of each type; each is legal for a prompt that allows its type."""

PROMPTS: tuple[tuple[Prompt, set[type]], ...] = (
    (Roll("Ann", "Ann: throw one die.", (DiceGroup(1),)), {Throw}),
    (StickThrow("Ann", "Ann: throw the sticks.", OGHAM), {Sticks}),
    (Choose("Ann", "Ann: on or off?", (ON, OFF)), {Chosen}),
    (Hidden("Ann", "Ann: throw under the cup.", (ON,), dice=(DiceGroup(2),)), {Chosen}),
    (Keep("Ann", "Ann: what do you keep?", (3, 4)), {Kept}),
    (AskNumber("Ann", "Ann: how many?", 1, 6), {Number}),
    (AskBid.opening("Ann", "Ann: what do you bid?"), {Bid}),
    (AskBid.raising("Ann", "Ann: raise, or not?", lambda bid: None, Bid(1, 3), ON), {Bid, Chosen}),
    (AskBets("Ann", "Ann: any bets?", ("Ann", "Ben"), (ON, OFF), (ON,)), {Bet, Chosen}),
    (Pick("Ann", "Ann: which?", (ON, OFF), 0, 2), {Picked}),
)


@pytest.mark.parametrize(
    ("prompt", "types"), PROMPTS, ids=lambda value: value.kind if isinstance(value, Prompt) else ""
)
def test_a_prompt_allows_answers_of_its_own_type_only(prompt: Prompt, types: set[type]) -> None:
    assert {type(answer) for answer in ANSWERS if answer in prompt} == types


def test_awaiting_a_prompt_yields_it_and_returns_its_answer() -> None:
    async def turn() -> int:
        thrown = await Roll("Ann", "Ann: throw one die.", (DiceGroup(1),))
        return sum(thrown.faces) + (await AskNumber("Ann", "Ann: how many?", 1, 6)).value

    game = turn()
    asked = [game.send(None), game.send(Throw.of(5))]
    assert [prompt.kind for prompt in asked] == ["roll", "number"]
    with pytest.raises(StopIteration) as ended:
        game.send(Number(2))
    assert ended.value.value == 7


def test_picked_ids_come_in_the_order_of_the_list() -> None:
    assert Pick("Ann", "Ann: which?", (ON, OFF), 0, 2).ids(Picked(("off", "on"))) == ("on", "off")
