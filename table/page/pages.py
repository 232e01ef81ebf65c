"""The page. All its content comes from the API."""

from __future__ import annotations

from flask import Blueprint, current_app, make_response, render_template
from flask.typing import ResponseReturnValue

from table.page.assets import Assets

STYLES = ("tokens.css", "page.css", "views.css", "games.css")

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def index() -> ResponseReturnValue:
    """The page. It lists all modules of the first view, so that a browser need not find them one by one.

    No browser keeps it, because it has the addresses of one version of the files.
    """
    assets: Assets = current_app.extensions["assets"]
    page = render_template(
        "index.html",
        icon=assets.url("icon.svg"),
        styles=[assets.url(name) for name in STYLES],
        modules=[assets.url(name) for name in assets.modules("page.js")],
    )
    response = make_response(page)
    response.headers["Cache-Control"] = "no-store"
    return response
