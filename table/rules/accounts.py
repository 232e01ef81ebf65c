"""What was luck and what was choice: the account of a player, and what each answer to a prompt costs.

Expected, luck, choices and the choices of the opponent add up to the result. They are added as fractions, so
they add up exactly, also where the worth of a prompt was computed in floating point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from table.rules import words
from table.rules.answers import Answer, Chosen, Number, answer_to_json
from table.rules.best_play import BestPlay, Played
from table.rules.entered_prompts import AskNumber
from table.rules.match import MatchView
from table.rules.prompts import Choose, Keep, Prompt, all_keeps


@dataclass(frozen=True)
class Valued:
    """An allowed answer, in words, and the worth of best play after it."""

    answer: Answer
    text: str
    worth: Fraction


@dataclass(frozen=True)
class Account:
    """The result of a player, by what made it. The aim says what is counted, and the worth of the prompts
    in points or as a chance.

    expected: of best play before any throw. luck: what the dice gave above the mean, also those of an
    opponent. choices: what the player's choices lost against best play, so 0 or less. others: what the
    opponent's choices gave. They add up to the result.
    """

    player: str
    aim: str
    points: bool
    expected: Fraction = Fraction(0)
    luck: Fraction = Fraction(0)
    choices: Fraction = Fraction(0)
    others: Fraction = Fraction(0)

    @property
    def result(self) -> Fraction:
        return self.expected + self.luck + self.choices + self.others

    def to_json(self) -> dict[str, Any]:
        sums = ("expected", "luck", "choices", "others", "result")
        return {"player": self.player, "aim": self.aim, "points": self.points} | {
            name: float(getattr(self, name)) for name in sums
        }


def valued(prompt: Prompt) -> tuple[Valued, ...]:
    """The allowed answers of a choice with their worth, the best first; empty for a throw."""
    play = prompt.best_play
    if play is None or play.before is not None:
        return ()
    answers = [Valued(answer, text, Fraction(play.after(answer))) for answer, text in _answers(prompt)]
    return tuple(sorted(answers, key=lambda each: -each.worth))


def _answers(prompt: Prompt) -> Iterator[tuple[Answer, str]]:
    """The allowed answers of a choice, each in words."""
    match prompt:
        case Choose():
            yield from ((Chosen(o.id), words.lower_first(o.text)) for o in prompt.options)
        case Keep():
            for kept in all_keeps(prompt.faces):
                if kept in prompt:
                    yield kept, f"keep {words.listed(kept.faces)}" if kept.faces else "keep none"
        case AskNumber():
            yield from ((Number(n), str(n)) for n in range(prompt.least, prompt.most + 1))


def worth_of(prompt: Prompt, play: BestPlay) -> Fraction:
    """The worth of the prompt under best play, before it is answered."""
    return Fraction(play.before()) if play.before is not None else valued(prompt)[0].worth


def accounts(played: Iterable[Played]) -> tuple[Account, ...]:
    """One account for each player and aim, in the order of play."""
    books: dict[tuple[str, str], Account] = {}
    for prompt, answer in played:
        play = prompt.best_play
        if play is None:
            continue
        before, after = worth_of(prompt, play), Fraction(play.after(answer))
        thrown = play.before is not None
        opening = before if play.opens else Fraction(0)
        _enter(books, prompt.player, play, opening, after - before, thrown, own=True)
        if play.against:
            opening = 1 - before if play.opens else Fraction(0)
            _enter(books, play.against, play, opening, before - after, thrown, own=False)
    return tuple(books.values())


def _enter(
    books: dict[tuple[str, str], Account],
    player: str,
    play: BestPlay,
    opening: Fraction,
    change: Fraction,
    thrown: bool,
    own: bool,
) -> None:
    """Enters a throw or a choice, which changed the worth for this player by so much."""
    book = books.get((player, play.aim)) or Account(player, play.aim, play.points)
    what = "luck" if thrown else "choices" if own else "others"
    changed = {what: getattr(book, what) + change}
    books[player, play.aim] = replace(book, expected=book.expected + opening, **changed)


# -- for the page and for scripts ----------------------------------------------------------------------------


def accounts_of(match: MatchView) -> tuple[Account, ...]:
    """The accounts of the players after the game; empty before its end, and if the coach fails."""
    try:
        return accounts(match.played) if match.prompt is None else ()
    except Exception:
        return ()


def coach_to_json(match: MatchView) -> dict[str, Any]:
    """Best play at the prompt, or after the game the accounts of the players.

    A coach that fails knows no best play, because advice must not stop a game.
    """
    if match.prompt is None:
        return {"accounts": [account.to_json() for account in accounts_of(match)]}
    try:
        return {"best_play": best_play_to_json(match.prompt)}
    except Exception:
        return {"best_play": None}


def best_play_to_json(prompt: Prompt) -> dict[str, Any] | None:
    """What best play is worth at the prompt, and what each answer costs, the best first.

    None if the coach does not know it.
    """
    play = prompt.best_play
    if play is None:
        return None
    worth = worth_of(prompt, play)
    answers = [
        {
            **answer_to_json(each.answer),
            "text": each.text,
            "worth": float(each.worth),
            "costs": float(worth - each.worth),
        }
        for each in valued(prompt)
    ]
    return {"aim": play.aim, "points": play.points, "worth": float(worth), "answers": answers}
