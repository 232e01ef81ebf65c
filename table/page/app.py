"""The Flask app of the page. table/page/server.py serves it."""

from __future__ import annotations

import ipaddress
import re
import socket
from pathlib import Path

from flask import Flask, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from table.common.errors import (
    BrehonError,
    CannotLearn,
    IllegalAnswer,
    StaleAction,
    UnreadableAnswer,
    WouldDropAnswers,
)
from table.exports.played import NotExported
from table.page import api, assets, looks, pages, prints, setup_api, stream
from table.page.compression import compress
from table.page.ports import TableForPage
from table.page.server import MAX_BYTES, TOO_LARGE
from vision.tray.region import RegionUnusable

HOME_DOMAINS = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Domain endings that home routers give to machines. No stranger can own them on the internet, as one can own
a name below the public ending .box, which some routers use."""

CONTENT_POLICY = "default-src 'self'; img-src 'self' blob: data:; frame-ancestors 'none'"
"""Content-Security-Policy of the page."""

DOCUMENT_TYPES = ("text/html", "image/svg+xml", "application/pdf")
"""Types of answers that a browser opens as documents, which may run scripts."""

QUIET_HEADER = "Brehon-Refusals"
"""With "200" in this header of a request, a refusal is an ordinary answer with an "error" in it."""

NAME_WITHOUT_DOTS = re.compile(r"[a-z0-9_-]+")
"""A name without dots."""

SENTENCES = {
    404: "There is nothing at this address; GET /api lists all addresses.",
    405: "This address needs another method; GET /api lists it.",
    413: TOO_LARGE,
    500: "The table had an error. Everything accepted so far is saved. Check the table, then try again.",
}
"""Messages for people, by HTTP status, for errors of the web itself."""

STATUS = {
    StaleAction: 409,
    WouldDropAnswers: 409,
    IllegalAnswer: 422,
    CannotLearn: 422,
    RegionUnusable: 422,
    UnreadableAnswer: 400,
    looks.TooManyLooks: 429,
    NotExported: 404,
    prints.NoSuchGame: 404,
}
"""HTTP status by error. Any other BrehonError is 503: not possible now."""


def create_app(table: TableForPage, host: str = "0.0.0.0", static: Path = assets.FOLDER) -> Flask:
    """The Flask app of this table. host: the address that the server listens at. static: the page's files."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions["table"] = table
    app.extensions["assets"] = assets.assets_in(static)
    app.extensions["looks"] = looks.Looks()
    app.extensions["sheets"] = looks.Looks(done="has made score sheets")
    app.extensions["lights"] = looks.Looks(done="has tried its lights")
    app.extensions["host"] = host
    app.extensions["stream_slots"] = stream.StreamSlots()
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(assets.blueprint)
    app.register_blueprint(api.blueprint)
    app.register_blueprint(setup_api.blueprint)
    app.register_blueprint(prints.blueprint)
    app.register_blueprint(stream.blueprint)
    app.before_request(_refuse_other_sites)
    app.after_request(_answer_quietly)
    app.after_request(_add_security_headers)
    app.after_request(compress)
    app.register_error_handler(BrehonError, _error_response)
    app.register_error_handler(HTTPException, _http_error)
    return app


def _error_response(error: BrehonError) -> ResponseReturnValue:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 503)
    more = {"drops": error.drops} if isinstance(error, WouldDropAnswers) else {}
    return api.refusal(str(error), status, **more)


def _http_error(error: HTTPException) -> ResponseReturnValue:
    if not request.path.startswith("/api"):
        return Response(error.get_body(), status=error.code, mimetype="text/html")
    sentence = SENTENCES.get(error.code or 500, error.description or error.name)
    answer = current_app.make_response(api.refusal(sentence, error.code or 500))
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        answer.headers["Allow"] = ", ".join(error.valid_methods)
    return answer


def _refuse_other_sites() -> ResponseReturnValue | None:
    """Refuses pages of other sites that call the table through a visitor's browser."""
    if not is_own_name(request.host):
        return jsonify(
            error=f"This table is not called {request.host}. Use its address, or its name with .local."
        ), 403
    origin = request.headers.get("Origin")
    if (
        request.method not in ("GET", "HEAD")
        and origin is not None
        and origin.partition("://")[2] != request.host
    ):
        return jsonify(error="Only the table's own page may do that."), 403
    return None


def _answer_quietly(response: Response) -> Response:
    """Answers the page's refusals with 200, because a browser logs every other status as an error."""
    if request.headers.get(QUIET_HEADER) == "200" and response.is_json and response.status_code < 500:
        response.status_code = 200
    return response


def is_own_name(host: str) -> bool:
    """Whether a Host header can mean this computer.

    It does if it is an address, localhost, a name without dots, a name below HOME_DOMAINS, or the computer's
    own full name.

    A foreign page can point its own name at this machine, but none of these.
    """
    name = (host if host.endswith("]") else host.rsplit(":", 1)[0]).lower().removesuffix(".")
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return (
            NAME_WITHOUT_DOTS.fullmatch(name) is not None
            or name.endswith(HOME_DOMAINS)
            or name == socket.gethostname().lower()
        )
    return True


def _add_security_headers(response: Response) -> Response:
    """Adds them to every answer. A browser heeds the policy of a document alone, and it is long."""
    if response.mimetype in DOCUMENT_TYPES:
        response.headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    return response
