"""How scripts take an answer back and correct a throw, for `brehon rules` and for hints."""

from __future__ import annotations

from table.rules.entered_prompts import StickThrow
from table.rules.game import Game
from table.rules.prompts import Prompt, Roll

TAKE_BACK = '{"take_back": true}'

CORRECT: dict[type[Prompt], str] = {
    Roll: '{"correct": {"at": 5, "roll": [3, 1]}}',
    StickThrow: '{"correct": {"at": 5, "sticks": [...]}}',
}
"""The correction of each kind of throw."""


def corrections_of(game: Game) -> tuple[str, ...]:
    """The corrections of the throws that this game has."""
    return tuple(text for kind, text in CORRECT.items() if kind in game.prompt_types)


def at_any_time(game: Game) -> str:
    """What a script can send besides answers, line by line."""
    correct = corrections_of(game)
    lines = [(TAKE_BACK, "take back the last answer, if it was not a throw")]
    lines += [(text, "correct the throw that was answer 5; the first answer is 0") for text in correct]
    width = max(len(text) for text, _ in lines) + 4
    return "\n".join(
        [
            "At any time:",
            *(f"  {text:{width}}{what}" for text, what in lines),
            "A correction gives every face of the throw, in the form of the answer. Every throw can be",
            "corrected, also dice that were shown when a cup was lifted. Later answers stay while they fit,",
            "and the others must be given again. Any other answer is not corrected, but taken back.",
        ]
    )
