"""`brehon rules GAME`: the rules of a game, its settings, and the answers for scripts."""

from __future__ import annotations

import argparse
from textwrap import indent

from table.commands.corrections import at_any_time
from table.games import GAMES, game
from table.referee.fouls import RULES
from table.rules.game import Game

BOARD = """\
Board, as the page shows it, on every line of “brehon referee” under "board":
  {"width": 100, "height": 100, "spots": [SPOT, ...], "lines": [[ID, ID], ...], "notes": [TEXT, ...],
  "look": LOOK, "progress": {NAME: {"count": 1, "of": 3, "what": "home"}, ...}}
  A spot: {"id": ID, "x": 50, "y": 4, "kind": KIND, "text": NAME, "coins": 2, "pieces": [PIECE, ...]}
  The name of some spots has a place: "label": {"x": 58.5, "y": 15.5, "anchor": "start", "lines": [TEXT, ...]}
  A piece, or several that stand together: {"player": NAME, "text": TEXT, "coins": 3}, if it has any coins
  A spot may have "said": its name for who cannot see its look. "progress", in some games: how many pieces
  of each player have arrived.
  x, y, width and height are in hundredths of the board's longer side. A line joins two spots.
Answers that can be given on the board, in a prompt under "moves": [MOVE, ...]
  A move: {"choose": ID, "piece": ID, "to": ID} moves the piece on the first spot to the second.
  Without "piece", a spot is chosen; without "to", a piece is. "ends": the spot where the piece comes to stand
  if not on "to". "off": a piece or a die from beside the board: {"player": NAME, "text": TEXT} or
  {"face": 3, "colour": COLOUR}. A bid has "bid": {"count": 5, "faces": [2, 3]} in place of "choose".
  "closed": [MOVE, ...] are moves that are not allowed, each with "why".
  A pick of dice that stand in towers has "levels": [{"item": ID, "spot": ID, "level": 2}, ...], from 1 up.
  "carried": true: the die was taken off that tower, and does not fall with what is below it.
  A bid has "in_play": how many dice there are, and "fewest": [2, 3, 3, 3, 3, 4], the lowest number of dice
  that may be bid of each face from 1 to 6, null if none may.
  A bid has "chances": [{"faces": [1], "of": [0.9, 0.6, ...]}, ...]: of one die, two dice and so on."""

COACH = """\
Best play, on every line of “brehon referee --coach” under "best_play":
  {"aim": TEXT, "points": true, "worth": 18.7, "answers": [{"keep": [6, 4, 1], "text": TEXT, "worth": 18.7,
  "costs": 0}, ...]}
  worth: of best play from here on, in points, or with "points": false as a chance from 0 to 1.
  answers: to a choice, the best first, each with what it costs against the best.
  The last line has "accounts", one for each player and aim: {"player": NAME, "aim": TEXT, "points": true,
  "expected": 41, "luck": -3, "choices": -2, "others": 0, "result": 36}
  luck: what the dice gave above the mean. choices: what the player's choices lost. others: what the other
  player's choices gave. With what was expected at the start they add up to the result."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "rules",
        help="print the rules of a game",
        description="Prints the rules of a game, its settings, and the answers that scripts can send.",
    )
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    print(rules_text(game(args.game)))
    return 0


def rules_text(game: Game) -> str:
    """Everything that a player or a script needs to know about a game."""
    settings = "\n".join(
        f"  {s.name} = {s.allowed} ({s.full_help}; default {s.default})" for s in game.settings_for(())
    )
    settings = settings.replace(
        f"start = {game.start_value}", f"start = {game.start_value} or a player's name"
    )
    rulings = "\n".join(f"  {number}  {text}" for number, text in game.rulings)
    kinds = "\n".join(f"  to a {prompt.kind:8}{prompt.answer_format}" for prompt in game.prompt_types)
    return "\n\n".join(
        [
            f"{game.title} ({game.name}), {game.player_count_text}\n\n{game.rules}",
            f"Settings:\n{settings}",
            f"Rulings on what the printed rules leave open:\n{rulings}",
            f"In every game:\n{_shared_rules_text()}",
            f"Answers, one JSON object a line:\n{kinds}{_answers_text(game)}",
            at_any_time(game),
            *([f"{COACH}\n{indent(game.best_play.strip(), '  ')}"] if game.best_play else []),
            *([f"{BOARD}\n{indent(game.board_notes.strip(), '  ')}"] if game.board_notes else []),
        ]
    )


def _shared_rules_text() -> str:
    return "\n".join(f"  {number:4} {text}" for number, text in RULES.items())


def _answers_text(game: Game) -> str:
    return "\n" + indent(game.answer_notes.strip(), "  ") if game.answer_notes else ""
