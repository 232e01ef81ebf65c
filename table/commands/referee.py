"""`brehon referee GAME`: the rules alone, with JSON lines in and out, for scripts, bots and tests."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from table.commands.corrections import TAKE_BACK, corrections_of
from table.commands.options import add_settings
from table.commands.printing import print_json
from table.commands.seats import seats_from_text, settings_from_text
from table.common.errors import BrehonError, IllegalAnswer, LogUnusable, UnreadableAnswer
from table.defaults import LOG_NAME
from table.games import GAMES, game
from table.log.lock import locked_folder
from table.log.store import Log, LoggedMatch
from table.rules import words
from table.rules.accounts import coach_to_json
from table.rules.answers import ANSWER_READERS, answer_from_json, quoted, thrown_from_json
from table.rules.game import Ruling
from table.rules.match import Event, Match, new_rulings, replay

CORRECTIONS = ("take_back", "correct")
"""The keys of the lines that are not answers."""

QUOTED_BYTES = 240
"""Most bytes of an invalid line that are decoded to quote it: 60 letters of four bytes."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "referee",
        help="referee a game over JSON lines",
        description="Referees a game without camera or page."
        " It reads answers as JSON lines from standard input"
        " and prints one line at the start and one after each answer. “brehon rules GAME” lists the answers.",
    )
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    parser.add_argument(
        "--players",
        required=True,
        metavar="Ann,Ben",
        help="names in clockwise order; Ann:green gives a colour",
    )
    add_settings(parser)
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder of a log: save each answer there, and go on with its match;"
        " if that is over, start a new one",
    )
    parser.add_argument(
        "--coach",
        action="store_true",
        help="say on each line what best play is worth and what the other answers cost, and on the last line"
        " what was luck and what was choice; “brehon rules GAME” says what best play is there",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    match = Match(game(args.game), seats_from_text(args.players), settings_from_text(args.set))
    with ExitStack() as stack:
        session = MatchSession(match) if args.data is None else _logged_session(args.data, match, stack)
        for line in session_lines(session, sys.stdin.buffer if sys.stdin else ()):  # None if it is closed
            print_json(line | coach_to_json(session.match.view()) if args.coach else line)
    return 0


class MatchSession:
    """A match in memory and, optionally, in a log. An event is in the log before it changes the match."""

    def __init__(self, match: Match, log: Log | None = None, logged: LoggedMatch | None = None) -> None:
        self.match = match
        self._log = log
        self._logged = logged

    def apply(self, event: Event) -> None:
        if self._log is not None and self._logged is not None:
            self._logged = self._log.append(self._logged, [event])
        self.match = self.match.after(event)


def _logged_session(data: Path, new: Match, stack: ExitStack) -> MatchSession:
    """The current match of that folder or, without one, the new match.

    stack: keeps the folder's lock and the log until the keeper is no longer used.
    Raises LogUnusable if the current match is another one, or if a table uses the folder.
    """
    stack.enter_context(locked_folder(data))
    log = Log(data / LOG_NAME)
    stack.callback(log.close)
    logged, current = _current_match(log, data)
    if logged is None or current is None or current.outcome is not None:
        return MatchSession(new, log, log.start(new.game.name, new.seats, new.raw_settings, ending=logged))
    if (logged.game, logged.seats, current.settings) != (new.game.name, new.seats, new.settings):
        names = words.listed(s.name for s in logged.seats)
        raise LogUnusable(
            f"{data} has a match of {current.game.title} with {names};"
            " to go on, give the same game, players and settings, or give another folder with --data"
        )
    return MatchSession(current, log, logged)


def _current_match(log: Log, data: Path) -> tuple[LoggedMatch, Match] | tuple[None, None]:
    """The current match of the log, as logged and replayed; raises LogUnusable if it cannot be resumed."""
    try:
        logged = log.current()
        return (
            (logged, replay(game(logged.game), logged.seats, logged.raw_settings, logged.events))
            if logged is not None
            else (None, None)
        )
    except LogUnusable:
        raise
    except BrehonError as error:
        raise LogUnusable(
            f"the match in {data} cannot be resumed: {error}; give another folder with --data"
        ) from error
    except (ValueError, LookupError, TypeError) as error:
        raise LogUnusable(
            f"the match in {data} cannot be resumed: its log is damaged; give another folder with --data"
        ) from error


def session_lines(session: MatchSession, lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The lines to print: first the prompt, then one line for each input line. Blank lines are skipped."""
    opening = () if session.match.at == 0 else session.match.rulings  # before the first answer, all are new
    yield _state_line(session.match, opening)
    for raw in lines:
        if raw.strip():
            yield _reply(session, raw)


def _reply(session: MatchSession, raw: bytes) -> dict[str, Any]:
    known_rulings = session.match.rulings
    try:
        session.apply(_event(session.match, _parsed(raw)))
    except (IllegalAnswer, UnreadableAnswer) as error:
        kind = "illegal" if isinstance(error, IllegalAnswer) else "unreadable"
        return {
            "at": session.match.at,
            "refused": {"kind": kind, "why": str(error)},
            "prompt": _prompt(session.match),
        } | _on_the_table(session.match)
    return _state_line(session.match, known_rulings)


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw, object_pairs_hook=_object)
    except UnreadableAnswer:
        raise
    except (ValueError, RecursionError):
        came = words.short(raw.strip()[:QUOTED_BYTES].decode("utf-8", "replace"))
        raise UnreadableAnswer(
            f'expected one JSON object a line, such as {{"roll": [3, 1]}}; got “{came}”'
        ) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; raises UnreadableAnswer if a key is repeated, because one of them is a mistake."""
    result = dict(pairs)
    if len(result) < len(pairs):
        ((twice, times),) = Counter(key for key, _ in pairs).most_common(1)
        raise UnreadableAnswer(f"a key comes once in an object; got {quoted(twice)} {times} times")
    return result


def _event(match: Match, data: Any) -> Event:
    if not isinstance(data, dict) or len(data) != 1 or not set(data) <= {*ANSWER_READERS, *CORRECTIONS}:
        answer = () if match.prompt is None else (match.prompt.answer_hint,)
        expected = words.listed((*answer, TAKE_BACK, *corrections_of(match.game)), "or")
        raise UnreadableAnswer(f"expected {expected}; got {quoted(data)}")
    if "take_back" in data:
        if data["take_back"] is not True:
            raise UnreadableAnswer(f'"take_back" takes true; got {quoted(data["take_back"])}')
        return match.taken_back()
    if "correct" in data:
        return _correction(match, data["correct"])
    return match.answered(answer_from_json(data))


def _correction(match: Match, data: Any) -> Event:
    if (
        not isinstance(data, dict)
        or set(data) not in ({"at", "roll"}, {"at", "sticks"})
        or type(data["at"]) is not int
    ):
        expected = words.listed(corrections_of(match.game), "or")
        raise UnreadableAnswer(f"a correction is written {expected}; got {quoted(data)}")
    return match.corrected(data["at"], thrown_from_json(data))


def _state_line(match: Match, known_rulings: Iterable[Ruling]) -> dict[str, Any]:
    """The line after an answer. Its rulings are those that are not in `known_rulings`."""
    line: dict[str, Any] = {"at": match.at}
    if match.broken:
        raise BrehonError(match.broken)
    if match.outcome is not None:
        line |= {
            "over": True,
            "winners": list(match.outcome.winners),
            "why": match.outcome.reason,
            "carried": match.outcome.carried,
        }
        line |= {"next_first": match.outcome.next_first, "scores": match.scores, "sheet": _sheet(match)}
        if notes := match.view().row_notes:
            line["row_notes"] = [note.to_json() for note in notes]
    else:
        line |= {"prompt": _prompt(match), "scores": match.scores}
    return (
        line | {"rulings": [r.text for r in new_rulings(match.rulings, known_rulings)]} | _on_the_table(match)
    )


def _prompt(match: Match) -> dict[str, Any] | None:
    """The prompt, with its moves if the lines have the board."""
    if match.prompt is None:
        return None
    return match.prompt.shown() if match.game.board_notes else match.prompt.to_json()


def _on_the_table(match: Match) -> dict[str, Any]:
    """The board and the dice under the lifted cups under their keys, where there are any."""
    view = match.view()
    lifted = {"lifted": [die.to_json() for die in view.lifted]} if view.lifted else {}
    return ({"board": view.board.to_json()} if view.board else {}) | lifted


def _sheet(match: Match) -> dict[str, list[dict[str, Any]]]:
    lines = match.view().sheet
    return {p: [line.to_json() for line in lines if line.player == p] for p in match.scores}
