"""Legal play by chance: what can be answered to any prompt, and whole matches of it. A new kind of prompt is taught here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from table.games import game
from table.rules.answers import Answer, Chosen, Die, Kept, Throw
from table.rules.game import Seat
from table.rules.match import Answered, Match
from table.rules.prompts import Choose, Keep, Prompt, Roll

COLOURS = ("green", "red", "blue", "yellow", "white", "black", "orange", "purple", "pink", "grey")


def seated(count: int, colours: bool = False) -> tuple[Seat, ...]:
    names = ("Ann", "Ben", "Cal", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")[:count]
    return tuple(Seat(name, COLOURS[i] if colours else None) for i, name in enumerate(names))


def a_legal_answer(prompt: Prompt, rng: Random) -> Answer:
    """One of the legal answers; every one of them can come."""
    match prompt:
        case Roll():
            return Throw(tuple(Die(rng.randint(1, 6), g.colour) for g in prompt.dice for _ in range(g.count)))
        case Choose():
            return Chosen(rng.choice(prompt.options).id)
        case Keep():
            return rng.choice([k for k in all_keeps(prompt.faces) if k in prompt])
    raise NotImplementedError(f"tests/games/playing.py does not know how to answer a {prompt.kind}")


def all_keeps(faces: Sequence[int]) -> list[Kept]:
    """Every part of these dice, the empty one too."""
    dice = sorted(faces)
    return [Kept(part) for part in sorted({part for n in range(len(dice) + 1) for part in combinations(dice, n)})]


def illegal_answers(prompt: Prompt) -> list[Answer]:
    """Several answers that no rules allow here, and every keep that this game's do not."""
    foreign: list[Answer] = [Throw(()), Throw.of(*[1] * 40), Chosen("no such option"), Chosen(""), Kept((6,) * 40)]
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
            foreign += [Throw.of(3), Kept((1,)), Kept(()), Chosen(prompt.options[0].text + "?")]
        case Keep(faces=faces):
            foreign += [Throw.of(*faces), Chosen("hold"), Kept((*faces, faces[0]))]
            foreign += [k for k in all_keeps(faces) if k not in prompt]
    return foreign


def start(name: str, seats: Sequence[Seat], given: Mapping[str, str]) -> Match:
    return Match(game(name), seats, given)


def played(match: Match, rng: Random, most: int) -> list[Answered]:
    """Plays the match on to its end and returns what was answered; fails past `most` answers."""
    events: list[Answered] = []
    while match.prompt is not None:
        assert len(events) < most, f"{match.game.title} is not over after {most} answers; now asks: {match.prompt.text}"
        events.append(match.answered(a_legal_answer(match.prompt, rng)))
        match.after(events[-1])
    assert match.broken is None, match.broken
    return events
