"""The HTTP API of the table, with JSON in and JSON out. `GET /api` lists the addresses.

An action has the `number` of the snapshot that it answers. The API refuses it with 409 if the table has a
newer number. A refusal is {"error": "a sentence", "snapshot": {...}}: 400 unreadable, 422 not allowed by the
rules, 409 stale, 429 too many looks at the tray, 503 not possible now. 409 with "drops" is a correction that
would drop that many later answers. It needs a confirmation.
"""

from __future__ import annotations

import threading
import time
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from table.common.colours import COLOURS
from table.common.errors import IllegalAnswer, StaleAction, UnreadableAnswer
from table.common.tray import TrayState
from table.exports.formats import TYPES
from table.exports.played import PlayedMatch
from table.games import GAMES
from table.page.addresses import is_own
from table.page.looks import Looks
from table.page.ports import DiceColours, OwnSticks, TableForPage, TrayPlace
from table.page.prints import game_of, paper_asked_for
from table.referee import actions
from table.referee.fouls import RULES
from table.referee.highlights import highlights
from table.referee.snapshot import Snapshot, match_to_json
from table.rules import words
from table.rules.accounts import coach_to_json
from table.rules.answers import Chosen, Kept, answer_from_json, throw_from_json, thrown_from_json
from table.rules.entered_prompts import StickThrow
from table.rules.game import Game, Seat, Setting
from table.rules.prompts import Choose, Keep, Prompt, Roll
from table.rules.sheet import CardLine
from table.simulated_cups import checked_choice, faces_under_cup, may_look
from table.simulated_hand import (
    ACTS_WITHOUT_HAND,
    CLUMSY_ACTS,
    SimulatedHand,
    choice_before_throw,
    do_clumsy_act,
    places_of,
    plan_throw,
    ready_under_cup,
    throw_by_hand,
)
from table.simulated_towers import place_by_hand, prepare_towers, show_fallen, tower_places
from vision.motion_jpeg import MEDIA_TYPE

blueprint = Blueprint("api", __name__, url_prefix="/api")


def _table() -> TableForPage:
    table: TableForPage = current_app.extensions["table"]
    return table


# -- GET: reading the table ----------------------------------------------------------------------------------


@blueprint.get("")
def listing() -> ResponseReturnValue:
    """This list: each address with its method and what it does."""
    rules = sorted(current_app.url_map.iter_rules(), key=lambda r: r.rule)
    return jsonify(
        [
            {
                "method": method,
                "path": rule.rule,
                "does": _one_line(current_app.view_functions[rule.endpoint].__doc__),
            }
            for rule in rules
            for method in sorted((rule.methods or set()) & {"GET", "POST", "DELETE"})
            if rule.rule.startswith("/api")
        ]
    )


@blueprint.get("/snapshot")
def snapshot() -> ResponseReturnValue:
    """The current snapshot of the table."""
    return jsonify(snapshot_json(_table(), _table().snapshot))


@blueprint.get("/coach")
def coach() -> ResponseReturnValue:
    """What best play is worth now, and what each answer costs: {"number": 7, "best_play": {...}}, or null if
    the coach does not know. After the game what was luck and choice: {"number": 40, "accounts": [...]}."""
    now = _table().snapshot
    return jsonify(number=now.number, **(coach_to_json(now.match) if now.match else {"best_play": None}))


@blueprint.get("/highlights")
def match_highlights() -> ResponseReturnValue:
    """What people tell about the match that is over: {"number": 40, "highlights": [{"title": "Most at once",
    "value": "25", "player": "Ann", "text": "four 5s", "shared": []}, ...]}; player: null for all together,
    and for what several share, whom "shared" lists and the text names."""
    now = _table().snapshot
    over = now.match is not None and now.match.phase == "over"
    told = highlights(now.match, _table().archive.newest_length()) if now.match and over else ()
    return jsonify(number=now.number, highlights=[each.to_json() for each in told])


@blueprint.get("/last")
def last() -> ResponseReturnValue:
    """The match before; null while a game is on, and before the first.

    {"match": as in a snapshot, with "started" and "last": local times of its first and last event, and
    "ended": why it was ended before its end, or null}
    """
    played = _table().archive.newest() if _table().snapshot.match is None else None
    return jsonify(match=played and _played_to_json(played))


def _played_to_json(played: PlayedMatch) -> dict[str, Any]:
    return {"id": played.number, **match_to_json(played.view), **played.times}


@blueprint.get("/tray.jpg")
def tray() -> ResponseReturnValue:
    """The newest picture of the tray; none while dice lie under cups."""
    jpeg = _table().tray_jpeg()
    _check_not_hidden()  # after the picture was taken: a picture from before the cups may be shown
    return _picture(jpeg, "There is no picture of the tray yet.")


@blueprint.get("/throws/<int:at>.jpg")
def throw(at: int) -> ResponseReturnValue:
    """The picture of the throw with the number `at` in the current match."""
    return _throw_picture(_table().snapshot.match_id, at, f"There is no picture of throw {at}.")


@blueprint.get("/throws/<int:at>")
def throw_seen(at: int) -> ResponseReturnValue:
    """The reading of that picture: {"size": [w, h], "dice": [{"face": 5, "box": [x, y, w, h], ...}]},
    with "sticks" for a throw of sticks."""
    return _throw_reading(_table().snapshot.match_id, at, f"There is no picture of throw {at}.")


@blueprint.get("/throws/<int:at>/clip")
def clip(at: int) -> ResponseReturnValue:
    """The seconds before the throw `at`, or with ?foul=1 before the newest foul in its place: a sequence of
    JPEG pictures. Each has a comment “brehon SECONDS BYTES” with its time and its length."""
    _check_not_hidden(at)
    data = _table().replays.clip(at, foul="foul" in request.args) if at < MAX_AT else None
    return _picture(data, f"There is no replay of throw {at}.", MEDIA_TYPE)


@blueprint.get("/colours")
def colours() -> ResponseReturnValue:
    """The dice colours that this table has learned; with ?lying=1 also the dice in the tray."""
    if lying := "lying" in request.args:
        _check_not_hidden()
    return jsonify(_colours_json(lying))


@blueprint.get("/sticks")
def sticks() -> ResponseReturnValue:
    """The sides of sticks that this table has learned; with ?lying=1 also the sticks in the tray."""
    if lying := "lying" in request.args:
        _check_not_hidden()
    return jsonify(_sticks_json(lying))


@blueprint.get("/coins")
def coins() -> ResponseReturnValue:
    """The sides of coins that this table has learned; with ?lying=1 also those in the tray, as /sticks."""
    if lying := "lying" in request.args:
        _check_not_hidden()
    return jsonify(_coins_json(lying))


@blueprint.get("/place")
def place() -> ResponseReturnValue:
    """The place of the tray, in shares of the picture's width and height; with ?find=1 also a proposal."""
    return jsonify(_place_json(find="find" in request.args))


@blueprint.get("/games")
def games() -> ResponseReturnValue:
    """Every game in short, and the colours for players. With ?details=1 every game as /api/games/NAME has it,
    and the rules that all games share."""
    if "details" not in request.args:
        return jsonify(games=[_game_in_short(g) for g in GAMES.values()], colours=COLOURS)
    return jsonify(
        games=[_game_json(g) for g in GAMES.values()], shared=_numbered_rules(RULES.items()), colours=COLOURS
    )


@blueprint.get("/games/<name>")
def game(name: str) -> ResponseReturnValue:
    """One game with its players, settings, rules, rulings and the rows of its paper sheet."""
    return jsonify(_game_json(game_of(name)))


@blueprint.get("/rules")
def rules() -> ResponseReturnValue:
    """The rules that all games share: {"shared": [{"number": "G1", "text": ...}, ...]}."""
    return jsonify(shared=_numbered_rules(RULES.items()))


@blueprint.get("/matches")
def matches() -> ResponseReturnValue:
    """The matches in the log, newest first, each with its number: "match"."""
    return jsonify(matches=_table().archive.to_json())


@blueprint.get("/matches/<int(max=999999999):number>")  # larger ones do not fit into the log
def match(number: int) -> ResponseReturnValue:
    """The match with this number, as in /api/last."""
    limit: Looks = current_app.extensions["sheets"]
    limit.take()
    return jsonify(match=_played_to_json(_table().archive.match(number)))


@blueprint.get("/matches/<int(max=999999999):number>/throws/<int:at>.jpg")
def throw_of_match(number: int, at: int) -> ResponseReturnValue:
    """The picture of the throw with the number `at` in the match with this number."""
    return _throw_picture(number, at, f"There is no picture of throw {at} of match {number}.")


@blueprint.get("/matches/<int(max=999999999):number>/throws/<int:at>")
def throw_of_match_seen(number: int, at: int) -> ResponseReturnValue:
    """The reading of that picture, as in /api/throws."""
    return _throw_reading(number, at, f"There is no picture of throw {at} of match {number}.")


@blueprint.get("/matches/<which>.<kind>")
def sheet(which: str, kind: str) -> ResponseReturnValue:
    """The score sheet of the match with this number, or of the “last” one, or of “all”, as a file: csv, json
    or pdf, with ?paper=a4 or letter. json has one object a line: the number of the "match", when it "started"
    and its "last" event came, why it "ended" early, and what /api/snapshot has of a match that tells what
    happened."""
    limit: Looks = current_app.extensions["sheets"]
    paper = paper_asked_for()
    file = limit.made(lambda: _table().archive.file(which, kind, paper))
    name = f"{_table().archive.name(which)}.{kind}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(file, mimetype=TYPES[kind], headers=headers)


def _throw_picture(match: int | None, at: int, missing: str) -> ResponseReturnValue:
    _check_not_hidden(at, match)
    jpeg = None if match is None or at >= MAX_AT else _table().archive.throw_jpeg(match, at)
    return _picture(jpeg, missing)


def _throw_reading(match: int | None, at: int, missing: str) -> ResponseReturnValue:
    _check_not_hidden(at, match)
    seen = None if match is None or at >= MAX_AT else _table().archive.throw_seen(match, at)
    return refusal(missing, 404) if seen is None else jsonify(seen)


HIDDEN = "Dice lie under cups. The tray and its pictures are shown again once the cups are lifted."


def _check_not_hidden(at: int | None = None, match: int | None = None) -> None:
    """Raises IllegalAnswer while dice are secret. at: of a throw; one from before the cups is no secret.
    match: its match, by default the one on the table; those of earlier matches are no secrets."""
    now = _table().snapshot
    since = now.hidden_since if match in (None, now.match_id) else None
    if since is not None and (at is None or at >= since):
        raise IllegalAnswer(HIDDEN)


def _one_line(doc: str | None) -> str:
    return " ".join((doc or "").split())


def _looks() -> Looks:
    looks: Looks = current_app.extensions["looks"]
    return looks


def _look(what: str, look: Callable[[], Any]) -> Any:
    """What `look` sees, once for all screens while the tray looks the same."""
    table = _table()
    return _looks().shared(what, (table.snapshot.seq, table.picture), look)


def _colours_json(lying: bool = False) -> dict[str, Any]:
    taught = _table().colours
    return taught.to_json() | ({"lying": _look("colours", taught.learnable_to_json)} if lying else {})


def _sticks_json(lying: bool = False) -> dict[str, Any]:
    taught = _table().sticks
    return taught.to_json() | ({"lying": _look("sticks", taught.learnable_to_json)} if lying else {})


def _coins_json(lying: bool = False) -> dict[str, Any]:
    taught = _table().coins
    return taught.to_json() | ({"lying": _look("coins", taught.learnable_to_json)} if lying else {})


def _place_json(find: bool = False) -> dict[str, Any]:
    place = _table().place
    return place.to_json() | ({"found": _look("place", place.suggestion)} if find else {})


def snapshot_json(table: TableForPage, now: Snapshot) -> dict[str, Any]:
    """A snapshot as JSON for the page. hand: whether the tray is simulated, so that the page can throw.
    may_look: whether the player in turn may look under a simulated cup.
    replays: the throws and fouls that have a clip. picture: as picture_number(). pictured: whether a camera
    has shown the tray since the table was started."""
    return {
        **now.to_json(),
        "hand": table.hand is not None,
        "may_look": table.hand is not None and may_look(now, table.hand),
        "replays": _replays_json(table, now),
        "picture": picture_number(table, now),
        "pictured": table.picture is not None,
    }


def picture_number(table: TableForPage, now: Snapshot) -> int | None:
    """The number of the picture at /api/tray.jpg; None if there is none, or none that may be shown."""
    return table.picture if now.hidden_since is None else None


def _replays_json(table: TableForPage, now: Snapshot) -> dict[str, list[int]]:
    """The numbers of the clips that may be shown."""
    since, clips = now.hidden_since, table.replays.to_json()
    return clips if since is None else {kind: [n for n in ats if n < since] for kind, ats in clips.items()}


def refusal(why: str, status: int, **more: Any) -> ResponseReturnValue:
    """An error response: a sentence for people, and the current snapshot."""
    return jsonify(error=why, snapshot=snapshot_json(_table(), _table().snapshot), **more), status


def _picture(data: bytes | None, why_not: str, mimetype: str = "image/jpeg") -> ResponseReturnValue:
    if data is None:
        return refusal(why_not, 404)
    response = Response(data, mimetype=mimetype, headers={"Cache-Control": "no-store"})
    response.add_etag()
    response.make_conditional(request)  # a page that has this picture does not draw it again
    return response


def _game_in_short(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "aim": game.aim,
        "players": [game.players[0], game.players[-1]],
        "minutes": list(game.minutes) if game.minutes else None,
        "two_colours": game.two_colours,
        "sticks": game.throws_sticks,
        "coached": bool(game.best_play),
    }


def _game_json(game: Game) -> dict[str, Any]:
    return _game_in_short(game) | {
        "settings": [_setting_json(s) for s in game.settings_for(())],
        "rules": game.for_people(game.rules),
        "rulings": _numbered_rules((number, game.for_people(text)) for number, text in game.rulings),
        "best_play": game.best_play.strip(),
        "form": [{"box": row.box, "text": row.text} for row in game.form],
        "card": [_card_line_json(line) for line in game.card],
    }


def _card_line_json(line: CardLine) -> dict[str, Any]:
    blanks = [{"label": blank.label, "box": blank.box, "best": blank.best} for blank in line.blanks]
    return {"event": line.event, "blanks": blanks}


def _numbered_rules(rules: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"number": number, "text": text} for number, text in rules]


def _setting_json(setting: Setting) -> dict[str, Any]:
    ranged = isinstance(setting.values, range)
    values = None if ranged else [str(v) for v in setting.values]
    bounds = [setting.values[0], setting.values[-1]] if ranged else None
    return {
        "name": setting.name,
        "default": str(setting.default),
        "values": values,
        "range": bounds,
        "help": setting.full_help,
        "title": setting.title_text,
        "about": setting.help.removeprefix(f"{words.lower_first(setting.title_text)}: "),
        "texts": list(setting.value_texts),
        "players": setting.players and [setting.players[0], setting.players[-1]],
    }


# -- POST and DELETE: acting on the table --------------------------------------------------------------------


@blueprint.post("/answer")
def answer() -> ResponseReturnValue:
    """Answers the prompt: {"number": 7, "choose": "hold"}, {"number": 7, "keep": [1, 5]}, or {"number": 7,
    "roll": [3]} for a throw entered by hand; or {"number": 7, "answer": {...}} with any answer that
    `brehon rules` lists, such as {"number": 12}."""
    body, number = _body_and_number()
    return _do(
        actions.SubmitAnswer(number, answer_from_json(body["answer"] if set(body) == {"answer"} else body))
    )


@blueprint.post("/take_back")
def take_back() -> ResponseReturnValue:
    """Takes the last choice back: {"number": 7}."""
    _, number = _body_and_number()
    return _do(actions.TakeBack(number))


@blueprint.post("/correct")
def correct() -> ResponseReturnValue:
    """Corrects the throw `at`: {"number": 7, "at": 5, "roll": [3, 1]}, or "sticks": ["round", "dog", ...].

    "roll" or "sticks" has all its faces in order; dice with their colours may come in any order. "anyway":
    false refuses, with 409 and "drops", if later answers would be lost.
    """
    body, number = _body_and_number()
    anyway = body.get("anyway", True)
    if not isinstance(anyway, bool):
        raise UnreadableAnswer("“anyway” is true or false.")
    return _do(actions.Correct(number, _integer(body, "at"), thrown_from_json(body), anyway))


@blueprint.post("/settle")
def enter_faces() -> ResponseReturnValue:
    """Gives the faces of the dice that the table asks about, in order: {"number": 7, "faces": [3, null]};
    null if there is no die, or if one that seems to lean does; "leans" if another one does. For sticks:
    {"number": 7, "sticks": ["dog", null]}."""
    body, number = _body_and_number()
    if "sticks" in body:
        return _do(actions.EnterStickFaces(number, _stick_faces_from_json(body["sticks"])))
    return _do(actions.EnterFaces(number, _faces_from_json(body.get("faces"))))


@blueprint.post("/tell")
def resolve_doubt() -> ResponseReturnValue:
    """Says whether dice were thrown or only moved, if the table asks: {"number": 7, "thrown": false}."""
    body, number = _body_and_number()
    thrown = body.get("thrown")
    if not isinstance(thrown, bool):
        raise UnreadableAnswer("“thrown” is true or false.")
    return _do(actions.ResolveDoubt(number, thrown))


@blueprint.post("/tell_apart")
def tell_apart() -> ResponseReturnValue:
    """Says that only some of the doubtful dice or sticks were thrown, if the table asks: {"number": 7}."""
    _, number = _body_and_number()
    return _do(actions.TellApart(number))


@blueprint.post("/fell_off")
def fell_off() -> ResponseReturnValue:
    """Says that the missing dice of a throw fell off the tray: {"number": 7}."""
    _, number = _body_and_number()
    return _do(actions.FellOff(number))


@blueprint.post("/nothing_under_arm")
def nothing_under_arm() -> ResponseReturnValue:
    """Says that no die lies under what rests over the tray, where one is missing: {"number": 7}."""
    _, number = _body_and_number()
    return _do(actions.NothingUnderArm(number))


@blueprint.post("/nothing_fell")
def nothing_fell() -> ResponseReturnValue:
    """Says that no die fell from the towers, if the table asks: {"number": 7}."""
    _, number = _body_and_number()
    return _do(actions.NothingFell(number))


@blueprint.post("/start")
def start() -> ResponseReturnValue:
    """Starts a match: {"number": 7, "game": "pig", "players": [{"name": "Ann", "colour": "green"}, ...],
    "settings": {}}."""
    body, number = _body_and_number()
    settings = body.get("settings", {})
    if not isinstance(settings, dict):
        raise UnreadableAnswer('“settings” is an object, such as {"entry": "500"}.')
    raw_settings = {str(name): str(value) for name, value in settings.items()}
    if "start" in raw_settings:
        raw_settings["start"] = _normalized_name(raw_settings["start"])
    return _do(actions.Start(number, str(body.get("game")), _seats(body.get("players")), raw_settings))


@blueprint.post("/end")
def end() -> ResponseReturnValue:
    """Ends the match without an outcome: {"number": 7}."""
    _, number = _body_and_number()
    return _do(actions.End(number))


@blueprint.post("/confirm")
def confirm() -> ResponseReturnValue:
    """Does what the hold/confirm button does: takes the choice `can_confirm` of the snapshot. {}"""
    json_body()
    return _do(actions.Confirm())


@blueprint.post("/read_again")
def read_again() -> ResponseReturnValue:
    """Reads the tray once more. {}"""
    json_body()
    _looks().take()
    return _do(actions.RereadTray())


@blueprint.post("/colours")
def learn() -> ResponseReturnValue:
    """Learns the colour of the dice in the tray, all of one colour: {"name": "Ann's navy", "plays_as":
    "blue"}; without "plays_as" the best fit."""
    body = json_body()
    name, plays_as = body.get("name"), body.get("plays_as")
    if not isinstance(name, str) or not isinstance(plays_as, str | None):
        raise UnreadableAnswer(
            "A colour needs a “name”, and can have a “plays_as”, which is a colour of the games."
        )
    _check_not_hidden()
    _looks().take()
    _table().colours.learn(_normalized_name(name), plays_as or None)
    _looks().forget()
    return jsonify(_colours_json())


@blueprint.delete("/colours/<name>")
def forget(name: str) -> ResponseReturnValue:
    """Forgets the dice colour of this name."""
    try:
        _table().colours.forget(name)
        _looks().forget()
    except LookupError:
        return refusal(
            f"The table has not learned a colour with the name {words.short(repr(name), 40)}.", 404
        )
    return jsonify(_colours_json())


@blueprint.post("/colours/undo")
def undo_colours() -> ResponseReturnValue:
    """Undoes the last change of the dice colours since the table was started. {}"""
    _undo(_table().colours)
    return jsonify(_colours_json())


@blueprint.post("/sticks")
def learn_sticks() -> ResponseReturnValue:
    """Learns the side that lies up on the sticks in the tray, all the same: {"face": "dog"}."""
    face = json_body().get("face")
    if not isinstance(face, str):
        raise UnreadableAnswer('Send the side that lies up, such as {"face": "dog"}.')
    _check_not_hidden()
    _looks().take()
    _table().sticks.learn(face)
    _looks().forget()
    return jsonify(_sticks_json())


@blueprint.delete("/sticks/<face>")
def forget_sticks(face: str) -> ResponseReturnValue:
    """Forgets this side of the sticks."""
    try:
        _table().sticks.forget(face)
        _looks().forget()
    except LookupError:
        return refusal(f"The table has not learned the side {words.short(repr(face), 40)}.", 404)
    return jsonify(_sticks_json())


@blueprint.post("/sticks/undo")
def undo_sticks() -> ResponseReturnValue:
    """Undoes the last change of the sides of sticks since the table was started. {}"""
    _undo(_table().sticks)
    return jsonify(_sticks_json())


@blueprint.post("/coins")
def learn_coins() -> ResponseReturnValue:
    """Learns the side that lies up on the coins in the tray, all the same: {"face": "heads"}, or "tails"."""
    face = json_body().get("face")
    if not isinstance(face, str):
        raise UnreadableAnswer('Send the side that lies up, such as {"face": "heads"}.')
    _check_not_hidden()
    _looks().take()
    _table().coins.learn(face)
    _looks().forget()
    return jsonify(_coins_json())


@blueprint.delete("/coins/<face>")
def forget_coins(face: str) -> ResponseReturnValue:
    """Forgets this side of the coins."""
    try:
        _table().coins.forget(face)
        _looks().forget()
    except LookupError:
        return refusal(f"The table has not learned the side {words.short(repr(face), 40)}.", 404)
    return jsonify(_coins_json())


@blueprint.post("/coins/undo")
def undo_coins() -> ResponseReturnValue:
    """Undoes the last change of the sides of coins since the table was started. {}"""
    _undo(_table().coins)
    return jsonify(_coins_json())


@blueprint.post("/place")
def set_place() -> ResponseReturnValue:
    """Sets the place of the tray: {"corners": [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]], "strip": the
    corners of the strip for dice set aside or null, "size_mm": [240, 180] or null}; or {"mat": true} for the
    printed mat."""
    body = json_body()
    _looks().take()
    if body == {"mat": True}:
        _table().place.use_mat()
    elif "corners" in body and body.keys() <= {"corners", "strip", "size_mm"}:
        _table().place.set(body)
    else:
        raise UnreadableAnswer(
            'Send the tray\'s four “corners”, optionally with “strip” and “size_mm”, or {"mat": true}.'
        )
    return jsonify(_place_json())


@blueprint.delete("/place")
def unset_place() -> ResponseReturnValue:
    """Makes the whole picture the tray."""
    _looks().take()
    _table().place.unset()
    return jsonify(_place_json())


@blueprint.post("/place/undo")
def undo_place() -> ResponseReturnValue:
    """Undoes the last change of the tray's place since the table was started. {}"""
    _undo(_table().place)
    return jsonify(_place_json())


def _undo(part: DiceColours | OwnSticks | TrayPlace) -> None:
    json_body()
    _looks().take()  # the tray is read again afterwards
    part.undo()
    _looks().forget()


@blueprint.post("/hand")
def hand() -> ResponseReturnValue:
    """Throws on the simulated tray: {"number": 7, "picked_up": [0, 2]}, indices in tray.dice; if empty, the
    throw that the prompt expects, of dice or of sticks, on the tray, under a cup or from there. In a choice
    that a throw can make in one way, it makes this choice and throws. With "keep": [1, 5], faces that stay
    lying, it is refused where the game does not let these be kept. If nothing is picked up then, because the
    dice no longer lie there, these are kept and the others thrown. {"number": 7, "option": "red5>2"} takes an
    option, and puts the die on the tower that makes it or makes the throw under a cup that follows it.
    {"number": 7, "push": [5, 5]} pushes dice with these faces out of the own cup, on the table's own screen.
    Or does a clumsy act there: {"number": 7, "act":
    "push", "die": 0}. push, knock and turn need a die; without "die" it is a random one. The other acts are
    tidy, turn back, lay, cover, sleeve, bump, lamp and lens."""
    body, number = _body_and_number()
    picked = body.get("picked_up", [])
    if not isinstance(picked, list) or any(type(i) is not int for i in picked):
        raise UnreadableAnswer("“picked_up” is a list of indices in tray.dice, such as [0, 2].")
    simulated = _table().hand
    if simulated is None:
        return refusal("The page can throw dice only on a simulated tray.", 422)
    if "act" in body:
        return _do_clumsy_act(simulated, body)
    with HAND_LOCK:
        now = _at_rest(simulated, number)
        if isinstance(body.get("option"), str):
            return _take_option(simulated, now, body["option"])
        if "keep" in body:
            _check_left(now, body["keep"])
        if not picked:
            prepare_towers(now, simulated)
            if show_fallen(now, simulated):
                return jsonify(snapshot_json(_table(), _table().snapshot))
        in_towers = tower_places(now, simulated)
        if not picked and not in_towers:
            asked, now = now, _choose_before_throw(now, body.get("keep"))
            if now is not asked and not _awaits_throw_of(now, _prompt_of(asked)):
                return jsonify(snapshot_json(_table(), now))
        lay = simulated.lay()
        plan = plan_throw(now, lay, places_of(picked, now.tray.dice, lay), in_towers)
        if "push" in body:
            plan = replace(plan, chosen=_pushed(simulated, now, body["push"]))
        throw_by_hand(simulated, plan)
        if plan.by:  # the camera cannot see dice under a cup
            return _do(actions.SubmitAnswer(number, ready_under_cup(now)))
    return jsonify(snapshot_json(_table(), _table().snapshot))


def _choose_before_throw(now: Snapshot, kept: list[int] | None) -> Snapshot:
    """The table once it knows the choices of this player that a throw means.

    kept: faces of the dice that are not thrown; None where all of them lie on the tray.
    """
    prompt = _prompt_of(now)
    if isinstance(prompt, Keep) and kept is not None:
        now = _table().do(actions.SubmitAnswer(now.number, Kept(tuple(kept))))
    choice = choice_before_throw(now)
    if choice and _is_for_same_player(_prompt_of(now), prompt):
        now = _table().do(actions.SubmitAnswer(now.number, choice))
    return now


def _prompt_of(now: Snapshot) -> Prompt | None:
    return now.match.prompt if now.match else None


def _awaits_throw_of(now: Snapshot, asked: Prompt | None) -> bool:
    """Whether a throw of the player who was asked is awaited."""
    prompt = _prompt_of(now)
    return isinstance(prompt, Roll | StickThrow) and _is_for_same_player(prompt, asked)


def _is_for_same_player(prompt: Prompt | None, other: Prompt | None) -> bool:
    return prompt is not None and other is not None and prompt.player == other.player


def _check_left(now: Snapshot, faces: Any) -> None:
    """Refuses to leave dice with these faces lying where the game says why not."""
    if not isinstance(faces, list) or any(type(face) is not int for face in faces):
        raise UnreadableAnswer("“keep” is a list of the faces that stay lying, such as [1, 5].")
    prompt = now.match.prompt if now.match else None
    if isinstance(prompt, Keep) and (why := prompt.why_not_left(tuple(faces))):
        raise IllegalAnswer(why)


def _pushed(simulated: SimulatedHand, now: Snapshot, faces: Any) -> tuple[int, ...]:
    """The faces that are pushed out of the cup. Other screens could find out what is there."""
    if not isinstance(faces, list) or any(type(face) is not int for face in faces):
        raise UnreadableAnswer("“push” is a list of faces under the cup, such as [5, 5].")
    if not is_own(request.remote_addr or ""):
        raise IllegalAnswer("Only the own screen of a simulated table chooses dice under a cup.")
    return checked_choice(now, simulated, faces)


def _take_option(simulated: SimulatedHand, now: Snapshot, option: str) -> ResponseReturnValue:
    """Does on the tray what this option says, or takes it if a hand has nothing to do there.

    The throw under the cup that follows the option is made at once.
    """
    if place_by_hand(now, simulated, option):
        return jsonify(snapshot_json(_table(), _table().snapshot))
    after = _table().do(actions.SubmitAnswer(now.number, Chosen(option)))
    prompt = _prompt_of(now)
    if isinstance(prompt, Choose) and any(o.hides for o in prompt.options if o.id == option):
        throw_by_hand(simulated, plan_throw(after, simulated.lay()))
        return _do(actions.SubmitAnswer(after.number, ready_under_cup(after)))
    return jsonify(snapshot_json(_table(), after))


@blueprint.post("/hand/look")
def look() -> ResponseReturnValue:
    """Looks under the cup on a simulated tray: {"dice": [3, 1]}. Only the table's own screen may, and only
    in the turn of the player who threw them. {}"""
    json_body()
    simulated = _table().hand
    if simulated is None or not is_own(request.remote_addr or ""):
        return refusal("Only the own screen of a simulated table shows what lies under a cup.", 422)
    return jsonify(dice=faces_under_cup(_table().snapshot, simulated))


def _do_clumsy_act(simulated: SimulatedHand, body: dict[str, Any]) -> ResponseReturnValue:
    act, die = body["act"], body.get("die")
    if act not in CLUMSY_ACTS:
        raise UnreadableAnswer(f"“act” is one of {', '.join(CLUMSY_ACTS)}.")
    if die is not None and type(die) is not int:
        raise UnreadableAnswer("“die” is an index in tray.dice, such as 0.")
    with HAND_LOCK:
        if not simulated.resting and act not in ACTS_WITHOUT_HAND:
            raise IllegalAnswer("The hand is busy. Wait until it is done.")
        dice = _table().snapshot.tray.dice
        do_clumsy_act(
            simulated, act, None if die is None else next(iter(places_of([die], dice, simulated.lay())), None)
        )
    return jsonify(snapshot_json(_table(), _table().snapshot))


HAND_LOCK = threading.Lock()
"""Held from the check that the simulated hand is free until it throws: only one of two taps throws."""


REST_TIMEOUT_S = 1.5
"""Maximum wait for a tray that is nearly at rest: motion that no camera sees goes on for up to 0.3 s after
a throw is accepted, and a felt that was laid looks like motion for half a second."""


def _at_rest(simulated: SimulatedHand, number: int) -> Snapshot:
    """The snapshot once the hand is free and the tray is at rest.

    What lies over the tray for longer, as a stick on the rim does, is not taken for a hand: the simulated one
    is known to be free.

    Raises StaleAction if the table has a newer number, and IllegalAnswer during a throw, or if one failed
    meanwhile.
    """
    ends_s, was_busy = time.monotonic() + REST_TIMEOUT_S, False
    while True:
        free, now = simulated.resting, _table().snapshot
        if number != now.number:
            raise StaleAction("Somebody was quicker: the table has moved on. Look again, then throw.")
        state = now.tray.state
        if free and not state.busy and not (was_busy and state.wrong and not now.tray.followed):
            return now
        was_busy |= state.busy
        late = time.monotonic() > ends_s
        if late and free and state is TrayState.HAND:
            return now
        if (was_busy and not (free and state.busy)) or late:
            busy = "A hand is over the tray" if state is TrayState.HAND else "A throw is under way"
            raise IllegalAnswer(f"{busy}. Wait until everything lies still and is read.")
        time.sleep(0.02)


def _do(action: actions.Action) -> ResponseReturnValue:
    return jsonify(snapshot_json(_table(), _table().do(action)))


def json_body() -> dict[str, Any]:
    """The JSON object of this request; raises UnreadableAnswer."""
    if not request.is_json:
        raise UnreadableAnswer("Send JSON, with the content type application/json.")
    try:
        body = request.get_json(silent=True)
    except RecursionError:  # a few thousand nested brackets
        body = None
    if not isinstance(body, dict):
        raise UnreadableAnswer('Send one JSON object, such as {"number": 7}.')
    return body


def _body_and_number() -> tuple[dict[str, Any], int]:
    """The body without its number, and the number."""
    body = json_body()
    number = _integer(body, "number")
    return {key: value for key, value in body.items() if key != "number"}, number


def _integer(body: dict[str, Any], name: str) -> int:
    value = body.get(name)
    if type(value) is not int:
        raise UnreadableAnswer(f"“{name}” is missing or is not a whole number.")
    return value


def _faces_from_json(faces: Any) -> tuple[actions.EnteredFace, ...]:
    """The faces from people for the dice in question; None for a thing that is not a die."""
    if not isinstance(faces, list):
        raise UnreadableAnswer(
            "“faces” is a list of faces, with null for no die or “leans” for one that leans, as [3, null]."
        )
    return tuple(
        face if face in (None, actions.LEANS) else throw_from_json([face]).faces[0] for face in faces
    )


def _stick_faces_from_json(faces: Any) -> tuple[str | None, ...]:
    """The faces from people for the sticks in question; None for a thing that is not a stick."""
    if not isinstance(faces, list):
        raise UnreadableAnswer("“sticks” is a list of faces, with null for no stick, such as [“dog”, null].")
    said = [face for face in faces if face is not None]
    thrown_from_json({"sticks": said})
    return tuple(faces)


def _seats(players: Any) -> tuple[Seat, ...]:
    if not isinstance(players, list) or not all(isinstance(p, dict) for p in players):
        raise UnreadableAnswer('“players” is a list, such as [{"name": "Ann", "colour": "green"}, ...].')
    seats = tuple(_seat(p) for p in players)
    _check_distinct_names([s.name for s in seats])
    return seats


def _check_distinct_names(names: list[str]) -> None:
    """Raises UnreadableAnswer if names differ only in capitals, because people confuse such names."""
    known: dict[str, str] = {}
    for name in names:
        other = known.setdefault(name.casefold(), name)
        if other != name:
            raise UnreadableAnswer(
                f"{other} and {name} differ only in their capitals; give one of them another name."
            )


def _seat(player: dict[str, Any]) -> Seat:
    name, colour, second = player.get("name"), player.get("colour") or None, player.get("second") or None
    if not isinstance(name, str):
        raise UnreadableAnswer("Every player needs a name.")
    if any(unicodedata.category(letter) in UNPRINTABLE for letter in name):
        raise UnreadableAnswer("A name is one line of text; remove the invisible characters.")
    for each in (colour, second):
        if each is not None and each not in COLOURS:
            raise UnreadableAnswer(
                f"A player's colour is one of {', '.join(COLOURS)}; got {words.short(repr(each), 40)}."
            )
    return Seat(_normalized_name(name), colour, second)


def _normalized_name(name: str) -> str:
    """The name in one Unicode form for names that look the same, cut to MAX_NAME_LENGTH."""
    seen = unicodedata.normalize("NFC", name.translate(INVISIBLE_LETTERS))
    return seen.strip()[:MAX_NAME_LENGTH].strip()


MAX_NAME_LENGTH = 24
"""Upper limit of the letters of a name. Longer names do not fit the page and the sheet."""

UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of control characters, surrogates and line ends. No log or terminal accepts them. Joined
emoji are allowed."""

INVISIBLE_LETTERS = dict.fromkeys(
    (0x061C, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF)
)
"""Invisible characters, removed from names: zero-width spaces, and marks that set the writing direction."""

MAX_AT = 1_000_000
"""More than the answers of any match. The log cannot look up a number of any length."""
