"""The Flask app, and the server that carries it."""

from __future__ import annotations

import ipaddress
import socket

import waitress
from flask import Flask, Response, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from table.errors import BrehonError, IllegalAnswer, StaleAction, UnreadableAnswer
from table.page import api, pages, stream
from table.page.ports import TableForPage

MOST_BYTES = 64 * 1024
"""Of a request; the largest real one, a new game with ten players, is under 2 kB."""

THREADS = 32
"""Of the server: each open event stream holds one, so there must be more than stream.MOST_STREAMS."""

STATUS = {StaleAction: 409, IllegalAnswer: 422, UnreadableAnswer: 400}
"""HTTP status by error; any other BrehonError is 503, the table cannot just now."""


def create_app(table: TableForPage) -> Flask:
    """The app of this table."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["table"] = table
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(api.blueprint)
    app.register_blueprint(stream.blueprint)
    app.before_request(_only_from_here)
    app.after_request(_guarded)
    app.register_error_handler(BrehonError, _refused)
    app.register_error_handler(HTTPException, _http_error)
    return app


def serve(app: Flask, host: str, port: int) -> None:
    """Serves until interrupted."""
    waitress.serve(app, host=host, port=port, threads=THREADS, ident="brehon", clear_untrusted_proxy_headers=True)


def _refused(error: BrehonError) -> ResponseReturnValue:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 503)
    return api.refusal(str(error), status)


def _http_error(error: HTTPException) -> ResponseReturnValue:
    if request.path.startswith("/api"):
        return api.refusal(error.description or error.name, error.code or 500)
    return Response(error.get_body(), status=error.code, mimetype="text/html")


def _only_from_here() -> ResponseReturnValue | None:
    """Turns away pages of other sites that reach for the table through a visitor's browser."""
    if not is_own_name(request.host):
        return jsonify(error=f"This table is not called {request.host}. Use its address, or its name with .local."), 403
    origin = request.headers.get("Origin")
    if request.method == "POST" and origin is not None and origin.partition("://")[2] != request.host:
        return jsonify(error="Only the table's own page may do that."), 403
    return None


def is_own_name(host: str) -> bool:
    """Whether a Host header can mean this machine: an address, localhost, a name without dots, NAME.local or its own full name."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return "." not in name or name.endswith(".local") or name.split(".")[0] == socket.gethostname().split(".")[0]
    return True


def _guarded(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", "default-src 'self'; img-src 'self' blob: data:; frame-ancestors 'none'")
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    return response
