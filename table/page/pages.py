"""The page. All its content comes from the API."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def index() -> ResponseReturnValue:
    return render_template("index.html")
