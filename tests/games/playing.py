"""Legal random play, whole random matches, and illegal answers.

A new kind of prompt needs its illegal answers here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from table.games import game
from table.rules.answers import Answer, Bet, Bid, Chosen, Die, Kept, Number, Picked, Sticks, Throw
from table.rules.entered_prompts import AskBets, AskBid, AskNumber, Pick, StickThrow
from table.rules.game import Seat
from table.rules.match import Answered, Match
from table.rules.prompts import Choose, Keep, Prompt, Roll, all_keeps

COLOURS = ("green", "red", "blue", "yellow", "white", "black", "orange", "purple", "pink", "grey")


def make_seats(count: int, colours: bool = False) -> tuple[Seat, ...]:
    names = ("Ann", "Ben", "Cal", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")[:count]
    return tuple(
        Seat(name, COLOURS[i] if colours else None, COLOURS[i - 1] if colours else None)
        for i, name in enumerate(names)
    )


def logged_without(match: Match, *fields: str) -> list[Answered]:
    """The answers of the match, as a log has them that was written before options had these fields."""
    return [
        replace(
            answer,
            prompt={
                key: [{k: v for k, v in option.items() if k not in fields} for option in value]
                if key == "options"
                else value
                for key, value in answer.prompt.items()
            },
        )
        for answer in match.answers
    ]


def random_answer(prompt: Prompt, rng: Random) -> Answer:
    """A random legal answer; every legal answer is possible."""
    return prompt.random_answer(rng)


def illegal_answers(prompt: Prompt) -> list[Answer]:
    """Several answers that are illegal in any game, and every keep that is illegal in this game."""
    foreign: list[Answer] = [
        Throw(()),
        Throw.of(*[1] * 40),
        Chosen("no such option"),
        Chosen(""),
        Kept((6,) * 40),
    ]
    foreign += [
        Sticks(("round",) * 40),
        Number(10**14),
        Number(-(10**14)),
        Bid(0, 3),
        Bid(-1, 3),
        Bet("Nobody", "nothing", 1),
    ]
    foreign += [Bet("Ann", "nothing", 0), Picked(("no such item",)), Picked(("no such item",) * 2)]
    match prompt:
        case Roll(dice=groups):
            n = prompt.count
            foreign += [
                Throw.of(*[3] * (n + 1)),
                Throw.of(*[3] * (n - 1)),
                Throw.of(*[7] * n),
                Throw.of(*[0] * n),
                Kept((1,)),
                Kept(()),
            ]
            if any(g.colour for g in groups):
                foreign.append(Throw(tuple(Die(3, "brown") for _ in range(n))))
        case Choose():
            foreign += [
                Throw.of(3),
                Kept((1,)),
                Kept(()),
                Chosen(prompt.options[0].text + "?"),
                Number(1),
                Bid(1, 1),
                Picked(()),
            ]
        case Keep(faces=faces):
            foreign += [Throw.of(*faces), Chosen("hold"), Kept((*faces, faces[0]))]
            foreign += [k for k in all_keeps(faces) if k not in prompt]
        case StickThrow(sticks=sticks):
            foreign += [Throw.of(1, 1, 1, 1), Sticks(("horse",) * len(sticks)), Chosen("round")]
            foreign += [Sticks((sticks[0][0],) * (len(sticks) + 1))]
        case AskNumber(least=least, most=most):
            foreign += [Number(least - 1), Number(most + 1), Throw.of(1), Chosen(str(least))]
        case AskBid():
            foreign += [Bid(1, 7), Bid(1, 0), Number(1), Throw.of(1)]
        case AskBets(bettors=bettors, on=on, most=most):
            foreign += [
                Bet(bettors[0], on[0].id, most + 1),
                Bet(bettors[0], on[0].id, 0),
                Bet(bettors[0], "?", 1),
                Number(1),
            ]
        case Pick(items=items):
            foreign += [Chosen(items[0].id), Picked((items[0].id,) * 2), Number(0)]
    return foreign


def start(name: str, seats: Sequence[Seat], given: Mapping[str, str]) -> Match:
    return Match(game(name), seats, given)


def play_to_end(match: Match, rng: Random, most: int) -> list[Answered]:
    """Plays the match to its end and returns the answers; fails after more than `most` answers."""
    events: list[Answered] = []
    while match.prompt is not None:
        assert len(events) < most, (
            f"{match.game.title} is not over after {most} answers; now asks: {match.prompt.text}"
        )
        events.append(match.answered(random_answer(match.prompt, rng)))
        match.after(events[-1])
    assert match.broken is None, match.broken
    return events
