"""Conversion of events to and from the JSON in the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.common.errors import LogUnusable
from table.rules.answers import answer_from_json, answer_to_json, thrown_from_json
from table.rules.match import Answered, Corrected, Event, TakenBack


def event_to_json(event: Event) -> tuple[str, dict[str, Any]]:
    """(kind, body) of an event."""
    match event:
        case Answered(at, prompt, answer, typed):
            body = {"at": at, "prompt": dict(prompt), "answer": answer_to_json(answer)}
            return "answered", body | ({"typed": True} if typed else {})
        case TakenBack(at):
            return "taken_back", {"at": at}
        case Corrected(at, answer, keeps):
            return "corrected", {"at": at, **answer_to_json(answer)} | ({"keeps": True} if keeps else {})


def event_from_json(kind: str, body: Mapping[str, Any]) -> Event:
    """The event of this kind; raises LogUnusable for a kind that this Brehon does not know."""
    if kind == "answered":
        return Answered(
            body["at"], body["prompt"], answer_from_json(body["answer"]), body.get("typed", False)
        )
    if kind == "taken_back":
        return TakenBack(body["at"])
    if kind == "corrected":
        return Corrected(body["at"], thrown_from_json(body), body.get("keeps", False))
    raise LogUnusable(f"the log has an event “{kind}” that this version does not know; update Brehon")
