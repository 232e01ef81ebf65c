"""The table over HTTP: JSON in, JSON out. `GET /api` lists it.

Every action names the `number` of the snapshot that it answers and is refused with 409 when the table has moved on. A refusal is
{"error": "a sentence", "snapshot": {...}}: 400 could not be read, 422 not allowed by the rules, 409 stale, 503 not just now.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from table.errors import UnreadableAnswer
from table.games import GAMES
from table.hand import places_of, plan_throw
from table.page.ports import TableForPage
from table.referee import actions
from table.referee.snapshot import Snapshot
from table.rules.answers import answer_from_json, throw_from_json
from table.rules.game import Game, Seat, Setting
from vision.reading import COLOURS

blueprint = Blueprint("api", __name__, url_prefix="/api")


def _table() -> TableForPage:
    table: TableForPage = current_app.extensions["table"]
    return table


# -- looking ---------------------------------------------------------------------------------------------------------------


@blueprint.get("")
def listing() -> ResponseReturnValue:
    """This list: every address, its method, and what it does."""
    rules = sorted(current_app.url_map.iter_rules(), key=lambda r: r.rule)
    return jsonify(
        [
            {"method": method, "path": rule.rule, "does": (current_app.view_functions[rule.endpoint].__doc__ or "").strip()}
            for rule in rules
            for method in sorted((rule.methods or set()) & {"GET", "POST"})
            if rule.rule.startswith("/api")
        ]
    )


@blueprint.get("/snapshot")
def snapshot() -> ResponseReturnValue:
    """The table as it stands."""
    return jsonify(snapshot_json(_table(), _table().snapshot))


@blueprint.get("/tray.jpg")
def tray() -> ResponseReturnValue:
    """The newest picture of the tray."""
    return _picture(_table().tray_jpeg(), "There is no picture of the tray yet.")


@blueprint.get("/throws/<int:at>.jpg")
def throw(at: int) -> ResponseReturnValue:
    """The picture behind the throw `at` of the match that is on."""
    kept = _table().throw_jpeg(at) if at < MORE_THAN_ANY else None
    return _picture(kept, f"There is no picture of throw {at}.")


@blueprint.get("/games")
def games() -> ResponseReturnValue:
    """Every game with its players, settings and rules, and the colours that players may have."""
    return jsonify(games=[_game_json(g) for g in GAMES.values()], colours=COLOURS)


def snapshot_json(table: TableForPage, now: Snapshot) -> dict[str, Any]:
    """A snapshot as the page gets it: `hand` tells whether the tray is simulated and can be thrown on from here."""
    return {**now.to_json(), "hand": table.hand is not None}


def refusal(why: str, status: int) -> ResponseReturnValue:
    """An error that a person can read, with the table as it stands."""
    return jsonify(error=why, snapshot=snapshot_json(_table(), _table().snapshot)), status


def _picture(jpeg: bytes | None, why_not: str) -> ResponseReturnValue:
    if jpeg is None:
        return refusal(why_not, 404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


def _game_json(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "aim": game.aim,
        "players": [game.players[0], game.players[-1]],
        "settings": [_setting_json(s) for s in game.settings_for(())],
        "rules": game.rules.strip(),
    }


def _setting_json(setting: Setting) -> dict[str, Any]:
    ranged = isinstance(setting.values, range)
    values = None if ranged else [str(v) for v in setting.values]
    bounds = [setting.values[0], setting.values[-1]] if ranged else None
    return {"name": setting.name, "default": str(setting.default), "values": values, "range": bounds, "help": setting.help}


# -- doing -----------------------------------------------------------------------------------------------------------------


@blueprint.post("/answer")
def answer() -> ResponseReturnValue:
    """Answers the prompt: {"number": 7, "choose": "hold"}, {"number": 7, "keep": [1, 5]}, or {"number": 7, "roll": [3]} by hand."""
    body, number = _numbered()
    return _done(actions.Give(number, answer_from_json(body)))


@blueprint.post("/take_back")
def take_back() -> ResponseReturnValue:
    """Takes the last choice back: {"number": 7}."""
    _, number = _numbered()
    return _done(actions.TakeBack(number))


@blueprint.post("/correct")
def correct() -> ResponseReturnValue:
    """Corrects the throw `at`: {"number": 7, "at": 5, "roll": [3, 1]}, all its faces in their order."""
    body, number = _numbered()
    return _done(actions.Correct(number, _whole(body, "at"), throw_from_json(body.get("roll"))))


@blueprint.post("/settle")
def settle() -> ResponseReturnValue:
    """Says what the dice show that are asked about, in their order: {"number": 7, "faces": [3]}."""
    body, number = _numbered()
    return _done(actions.Settle(number, throw_from_json(body.get("faces")).faces))


@blueprint.post("/fell_off")
def fell_off() -> ResponseReturnValue:
    """Some dice of a throw with too few fell off the tray: {"number": 7}."""
    _, number = _numbered()
    return _done(actions.FellOff(number))


@blueprint.post("/start")
def start() -> ResponseReturnValue:
    """Starts a match: {"number": 7, "game": "pig", "players": [{"name": "Ann", "colour": "green"}, ...], "settings": {}}."""
    body, number = _numbered()
    settings = body.get("settings", {})
    if not isinstance(settings, dict):
        raise UnreadableAnswer('“settings” is an object, such as {"entry": "500"}.')
    given = {str(name): str(value) for name, value in settings.items()}
    return _done(actions.Start(number, str(body.get("game")), _seats(body.get("players")), given))


@blueprint.post("/end")
def end() -> ResponseReturnValue:
    """Ends the match without an outcome: {"number": 7}."""
    _, number = _numbered()
    return _done(actions.End(number))


@blueprint.post("/confirm")
def confirm() -> ResponseReturnValue:
    """What the hold/confirm button does: takes the choice `can_confirm` of the snapshot. {}"""
    _body()
    return _done(actions.Confirm())


@blueprint.post("/read_again")
def read_again() -> ResponseReturnValue:
    """Reads the tray once more. {}"""
    _body()
    return _done(actions.ReadAgain())


@blueprint.post("/hand")
def hand() -> ResponseReturnValue:
    """Throws on the simulated tray: {"picked_up": [0, 2]}, places in tray.dice; with none, what the prompt awaits."""
    picked = _body().get("picked_up", [])
    if not isinstance(picked, list) or any(type(i) is not int for i in picked):
        raise UnreadableAnswer("“picked_up” is a list of places in tray.dice, such as [0, 2].")
    simulated, now = _table().hand, _table().snapshot
    if simulated is None:
        return refusal("Dice can be thrown from here only on a simulated tray.", 422)
    lay = simulated.lay()
    plan = plan_throw(now, lay, places_of(picked, now.tray.dice, lay))
    simulated.throw(plan.colours, plan.leaving)
    return jsonify(snapshot_json(_table(), _table().snapshot))


def _done(action: actions.Action) -> ResponseReturnValue:
    return jsonify(snapshot_json(_table(), _table().do(action)))


def _body() -> dict[str, Any]:
    if not request.is_json:
        raise UnreadableAnswer("Send JSON, with the content type application/json.")
    try:
        body = request.get_json(silent=True)
    except RecursionError:  # brackets in brackets, a few thousand deep
        body = None
    if not isinstance(body, dict):
        raise UnreadableAnswer('Send one JSON object, such as {"number": 7}.')
    return body


def _numbered() -> tuple[dict[str, Any], int]:
    """The body without its number, and the number."""
    body = _body()
    number = _whole(body, "number")
    return {key: value for key, value in body.items() if key != "number"}, number


def _whole(body: dict[str, Any], name: str) -> int:
    value = body.get(name)
    if type(value) is not int:
        raise UnreadableAnswer(f"“{name}” has to be there, a whole number.")
    return value


def _seats(players: Any) -> tuple[Seat, ...]:
    if not isinstance(players, list) or not all(isinstance(p, dict) for p in players):
        raise UnreadableAnswer('“players” is a list, such as [{"name": "Ann", "colour": "green"}, ...].')
    return tuple(_seat(p) for p in players)


def _seat(player: dict[str, Any]) -> Seat:
    name, colour = player.get("name"), player.get("colour") or None
    if not isinstance(name, str):
        raise UnreadableAnswer("Every player needs a name.")
    if any(unicodedata.category(letter) in UNPRINTABLE for letter in name):
        raise UnreadableAnswer("A name is one line of letters; take out what cannot be seen.")
    if colour is not None and colour not in COLOURS:
        raise UnreadableAnswer(f"{name}'s colour is one of {', '.join(COLOURS)}; got {colour!r}.")
    return Seat(name.strip()[:NAME_LENGTH].strip(), colour)


NAME_LENGTH = 24
"""Letters of a player's name that are kept: what fits the page and the sheet."""

UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's control characters, halves of characters, and line ends: no log or terminal takes them. Joined emoji are fine."""

MORE_THAN_ANY = 1_000_000
"""Answers in a match; the log cannot look up a number of any length."""
