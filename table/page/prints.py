"""What the page gives to print: the kit and the blank sheet of a game, and the paper of all PDFs."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, current_app, request
from flask.typing import ResponseReturnValue

from table.common.errors import BrehonError, UnreadableAnswer
from table.games import GAMES
from table.page.looks import Looks
from table.rules import words
from table.rules.game import Game
from vision.tray.mat import SHEETS

blueprint = Blueprint("prints", __name__, url_prefix="/api")


class NoSuchGame(BrehonError, LookupError):
    """There is no game with this name."""


@blueprint.get("/games/<name>/kit.pdf")
def kit(name: str) -> ResponseReturnValue:
    """The print-and-play kit of a game: rules, board, tray mat, blank sheet and faces of sticks. ?paper=a4 or
    letter."""
    game, paper = game_of(name), paper_asked_for()
    from table.paper.kit import kit_pdf  # reportlab takes a while to load

    return _file(lambda: kit_pdf(game, paper), f"brehon-{game.name}-{paper}.pdf")


@blueprint.get("/games/<name>/sheet.pdf")
def blank_sheet(name: str) -> ResponseReturnValue:
    """A blank score sheet of a game, to fill by hand. ?paper=a4 or letter."""
    game, paper = game_of(name), paper_asked_for()
    from table.paper.blank_sheet import blank_sheet_pdf

    return _file(lambda: blank_sheet_pdf(game, paper), f"brehon-{game.name}-sheet-{paper}.pdf")


def game_of(name: str) -> Game:
    """The game with this name; raises NoSuchGame."""
    if name not in GAMES:
        raise NoSuchGame(
            f"There is no game with the name {words.short(repr(name), 40)}; GET /api/games lists them."
        )
    return GAMES[name]


def paper_asked_for() -> str:
    """The paper of this request, "a4" if it names none; raises UnreadableAnswer for another one."""
    paper = request.args.get("paper", "a4")
    if paper not in SHEETS:
        raise UnreadableAnswer(
            f"“paper” is {words.listed(SHEETS, 'or')}, not {words.short(repr(paper), 20)}."
        )
    return paper


def _file(make: Callable[[], bytes], name: str) -> Response:
    """What `make` makes; raises TooManyLooks if too many were made just now."""
    limit: Looks = current_app.extensions["sheets"]
    pdf = limit.made(make)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(pdf, mimetype="application/pdf", headers=headers)
