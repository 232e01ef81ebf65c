"""The HTTP API of the set-up: the table's health, its lights and buttons, and its address for phones.

The places of tray, dice colours and sticks are in table/page/api.py. Nothing here runs the nets.
"""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from table.common.errors import UnreadableAnswer
from table.page.addresses import addresses_for_phones, is_own
from table.page.api import json_body
from table.page.looks import Looks
from table.page.ports import TableForPage
from table.page.qr import qr_rows

blueprint = Blueprint("setup", __name__, url_prefix="/api")


def _table() -> TableForPage:
    table: TableForPage = current_app.extensions["table"]
    return table


def _own() -> bool:
    return is_own(request.remote_addr or "")


@blueprint.get("/health")
def health() -> ResponseReturnValue:
    """What is well and what is wrong: {"ok", "findings": [{"name", "ok": null for an optional part that is
    absent, "says", "figures"}], "picture": {"sharpness", "least_sharpness", ...}}. "picture" is null without
    a camera, and while dice lie under cups."""
    return jsonify(_table().health.to_json())


@blueprint.get("/lights")
def lights() -> ResponseReturnValue:
    """The lights and buttons: {"present", "reason", "seats", "buttons": [{"name", "presses", "held"}],
    "may_try": whether this screen may try the lights now}."""
    return jsonify(_table().lights.to_json(_own()))


@blueprint.post("/lights")
def try_light() -> ResponseReturnValue:
    """Lights the light of one seat for two seconds: {"seat": 0}, or the status light: {"seat": null}. Screens
    other than the table's own may do it for five minutes after a button at the table was pressed."""
    seat = json_body().get("seat", "")
    if seat is not None and type(seat) is not int:
        raise UnreadableAnswer("“seat” is the number of a seat, from 0, or null for the status light.")
    limit: Looks = current_app.extensions["lights"]
    limit.take()
    _table().lights.try_light(seat, _own())
    return lights()


@blueprint.get("/address")
def address() -> ResponseReturnValue:
    """The page's addresses for phones, the surest first: {"addresses": [{"url", "qr": the rows of its QR
    code, "1" is dark}]}. Empty if the page serves this computer alone."""
    host: str = current_app.extensions["host"]
    urls = addresses_for_phones(host, int(request.environ["SERVER_PORT"]), request.host)
    return jsonify(addresses=[{"url": url, "qr": qr_rows(url)} for url in urls])
