"""`brehon referee GAME`: the rules alone, JSON lines in and out, for scripts, bots and tests."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from table.commands.seats import seats_from_text, settings_from_text
from table.errors import BrehonError, IllegalAnswer, UnreadableAnswer
from table.games import GAMES, game
from table.log.store import Log, LoggedMatch
from table.rules.answers import answer_from_json, throw_from_json
from table.rules.game import Ruling
from table.rules.match import Event, Match, new_rulings, replay


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "referee",
        help="referee a game by JSON lines",
        description="Referees a game without camera or page: answers as JSON lines on standard input, one line printed at once"
        " and after each. “brehon rules GAME” tells what may be sent.",
    )
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    parser.add_argument("--players", required=True, metavar="Ann,Ben", help="names in clockwise order; Ann:green gives a colour")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting, may be given again")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="log every answer there before it counts, and go on with the match that is on there"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    seats, given = seats_from_text(args.players), settings_from_text(args.set)
    if args.data is None:
        keeper = Keeper(Match(game(args.game), seats, given))
    else:
        keeper = _kept_in(args.data, Match(game(args.game), seats, given))
    for line in conversation(keeper, sys.stdin.buffer):
        print(json.dumps(line, ensure_ascii=False), flush=True)
    return 0


class Keeper:
    """Keeps a match in memory, and in a log where there is one: an event is committed before it happens."""

    def __init__(self, match: Match, log: Log | None = None, logged: LoggedMatch | None = None) -> None:
        self.match = match
        self._log = log
        self._logged = logged

    def happen(self, event: Event) -> None:
        if self._log is not None and self._logged is not None:
            self._logged = self._log.append(self._logged, [event])
        self.match = self.match.after(event)


def _kept_in(data: Path, new: Match) -> Keeper:
    """The match that is on in that folder if it is of the same game and players, else the new one."""
    log = Log(data / "brehon.sqlite3")
    on = log.current()
    if on is not None and (on.game, on.seats, dict(on.given)) == (new.game.name, new.seats, new.given):
        return Keeper(replay(new.game, on.seats, on.given, on.events), log, on)
    return Keeper(new, log, log.start(new.game.name, new.seats, new.given, ending=on))


def conversation(keeper: Keeper, lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """What is printed: the prompt, then a line for every line that comes. Blank lines are passed over."""
    yield _asked(keeper.match, keeper.match.rulings)
    for raw in lines:
        if raw.strip():
            yield _answered(keeper, raw)


def _answered(keeper: Keeper, raw: bytes) -> dict[str, Any]:
    said = keeper.match.rulings
    try:
        keeper.happen(_event(keeper.match, _parsed(raw)))
    except (IllegalAnswer, UnreadableAnswer) as error:
        kind = "illegal" if isinstance(error, IllegalAnswer) else "unreadable"
        return {"at": keeper.match.at, "refused": {"kind": kind, "why": str(error)}, "prompt": _prompt(keeper.match)}
    return _asked(keeper.match, said)


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        shown = raw.strip()[:60].decode("utf-8", "replace")
        raise UnreadableAnswer(f'expected one JSON object a line, such as {{"roll": [3, 1]}}; got “{shown}”') from None


def _event(match: Match, data: Any) -> Event:
    if not isinstance(data, dict) or len(data) != 1:
        return match.answered(answer_from_json(data))
    if "take_back" in data:
        if data["take_back"] is not True:
            raise UnreadableAnswer('"take_back" takes true')
        return match.taken_back()
    if "correct" in data:
        return _correction(match, data["correct"])
    return match.answered(answer_from_json(data))


def _correction(match: Match, data: Any) -> Event:
    if not isinstance(data, dict) or set(data) != {"at", "roll"} or type(data["at"]) is not int:
        raise UnreadableAnswer('"correct" takes {"at": 5, "roll": [3, 1]}')
    return match.corrected(data["at"], throw_from_json(data["roll"]))


def _asked(match: Match, said: Iterable[Ruling]) -> dict[str, Any]:
    """The line after an answer; its rulings are those that had not been `said` before."""
    line: dict[str, Any] = {"at": match.at}
    if match.broken:
        raise BrehonError(match.broken)
    if match.outcome is not None:
        line |= {"over": True, "winners": list(match.outcome.winners), "why": match.outcome.reason, "carried": match.outcome.carried}
        line |= {"scores": match.scores, "sheet": _sheet(match)}
    else:
        line |= {"prompt": _prompt(match), "scores": match.scores}
    return line | {"rulings": [r.text for r in new_rulings(match.rulings, said)]}


def _prompt(match: Match) -> dict[str, Any] | None:
    return match.prompt.to_json() if match.prompt else None


def _sheet(match: Match) -> dict[str, list[dict[str, Any]]]:
    lines = match.view().sheet
    return {p: [{"points": ln.points, "reason": ln.reason} for ln in lines if ln.player == p] for p in match.scores}
