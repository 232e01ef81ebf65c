"""Readings, tracks and actions as lossless JSON: the format of recorded evenings, which can be replayed.

`brehon read` prints fewer fields of a die, rounded; here every field is restored exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from table.common.errors import UnreadableAnswer
from table.referee import actions
from table.rules.answers import answer_from_json, answer_to_json, quoted, thrown_from_json
from table.rules.game import Seat
from vision.readings import Reading, SeenDie, SeenStick
from vision.tracking.stick_tracks import StickOutcome, StickTrack, StickTracks
from vision.tracking.tracks import LossReason, LostTrack, Track, TrackOutcome, Tracks

Json = dict[str, Any]


def die_to_json(die: SeenDie) -> Json:
    """Every field of the die; fields with their default value are left out."""
    fields: Json = {
        "face": int(die.face),
        "colour": die.colour,
        "box": _floats(die.box_xywh),
        "confidence": float(die.confidence),
    }
    fields |= {name: True for name in ("sure", "cocked", "stacked", "cut_off") if getattr(die, name)}
    if die.likely:
        fields["likely"] = [[int(face), float(chance)] for face, chance in die.likely]
    if die.normal_xy is not None:  # stored as "facing", in old logs too
        fields["facing"] = _floats((*die.normal_xy, die.normal_error))
    return fields


def die_from_json(data: Mapping[str, Any]) -> SeenDie:
    x, y, w, h = data["box"]
    facing = data.get("facing")
    return SeenDie(
        data["face"],
        data["colour"],
        (x, y, w, h),
        data["confidence"],
        data.get("sure", False),
        data.get("cocked", False),
        tuple((face, chance) for face, chance in data.get("likely", ())),
        data.get("stacked", False),
        data.get("cut_off", False),
        (facing[0], facing[1]) if facing else None,
        facing[2] if facing else 0.0,
    )


def reading_to_json(reading: Reading) -> Json:
    sticks = [_stick_to_json(s) for s in reading.sticks]
    size, dice = [int(v) for v in reading.size_wh], [die_to_json(d) for d in reading.dice]
    return {"size": size, "ms": float(reading.ms), "dice": dice, "sticks": sticks}


def reading_from_json(data: Mapping[str, Any]) -> Reading:
    w, h = data["size"]
    sticks = tuple(_stick_from_json(s) for s in data["sticks"])
    return Reading((w, h), tuple(die_from_json(d) for d in data["dice"]), sticks, data["ms"])


def tracks_to_json(tracks: Tracks) -> Json:
    return {
        "dice": [_track_to_json(t) for t in tracks.dice],
        "gone": [{"id": g.id, "was": die_to_json(g.was), "how": g.reason.value} for g in tracks.lost],
        "outside": [die_to_json(d) for d in tracks.outside],
        "camera_moved": tracks.camera_moved,
        "rolled_off": [die_to_json(d) for d in tracks.rolled_off],
    }


def tracks_from_json(data: Mapping[str, Any]) -> Tracks:
    return Tracks(
        tuple(_track_from_json(t) for t in data["dice"]),
        tuple(LostTrack(g["id"], die_from_json(g["was"]), LossReason(g["how"])) for g in data["gone"]),
        tuple(die_from_json(d) for d in data["outside"]),
        data["camera_moved"],
        tuple(die_from_json(d) for d in data.get("rolled_off", ())),
    )


def stick_tracks_to_json(tracks: StickTracks) -> list[Json]:
    return [{"id": t.id, "seen": _stick_to_json(t.seen), "fate": t.outcome.value} for t in tracks.sticks]


def stick_tracks_from_json(data: Iterable[Mapping[str, Any]]) -> StickTracks:
    return StickTracks(
        tuple(StickTrack(t["id"], _stick_from_json(t["seen"]), StickOutcome(t["fate"])) for t in data)
    )


def action_to_json(action: actions.Action) -> Json:
    """One key, the action's name, with its fields as the value."""
    match action:
        case actions.Start(number, game, seats, raw_settings):
            return {
                "start": {
                    "number": number,
                    "game": game,
                    "seats": [s.to_json() for s in seats],
                    "given": dict(raw_settings),
                }
            }
        case actions.SubmitAnswer(number, answer):
            return {"give": {"number": number, "answer": answer_to_json(answer)}}
        case actions.Correct(number, at, answer, anyway):
            return {"correct": {"number": number, "at": at, "anyway": anyway, **answer_to_json(answer)}}
        case actions.EnterFaces(number, faces):
            return {"settle": {"number": number, "faces": list(faces)}}
        case actions.EnterStickFaces(number, stick_faces):
            return {"settle_sticks": {"number": number, "faces": list(stick_faces)}}
        case actions.ResolveDoubt(number, thrown):
            return {"tell": {"number": number, "thrown": thrown}}
        case actions.TellApart(number):
            return {"tell_apart": {"number": number}}
        case actions.TakeBack(number):
            return {"take_back": {"number": number}}
        case actions.FellOff(number):
            return {"fell_off": {"number": number}}
        case actions.NothingUnderArm(number):
            return {"nothing_under_arm": {"number": number}}
        case actions.NothingFell(number):
            return {"nothing_fell": {"number": number}}
        case actions.End(number):
            return {"end": {"number": number}}
        case actions.Confirm():
            return {"confirm": {}}
        case actions.RereadTray():
            return {"read_again": {}}


def action_from_json(data: Mapping[str, Any]) -> actions.Action:
    """The action; raises UnreadableAnswer if this Brehon does not know it."""
    ((kind, body),) = data.items()
    if kind not in READERS:
        raise UnreadableAnswer(f"a recorded action is one of {', '.join(READERS)}; got {quoted(kind)}")
    return READERS[kind](body)


READERS: Mapping[str, Callable[[Any], actions.Action]] = {
    "start": lambda b: actions.Start(
        b["number"], b["game"], tuple(map(Seat.from_json, b["seats"])), b["given"]
    ),
    "give": lambda b: actions.SubmitAnswer(b["number"], answer_from_json(b["answer"])),
    "correct": lambda b: actions.Correct(b["number"], b["at"], thrown_from_json(b), b["anyway"]),
    "settle": lambda b: actions.EnterFaces(b["number"], tuple(b["faces"])),
    "settle_sticks": lambda b: actions.EnterStickFaces(b["number"], tuple(b["faces"])),
    "tell": lambda b: actions.ResolveDoubt(b["number"], b["thrown"]),
    "tell_apart": lambda b: actions.TellApart(b["number"]),
    "take_back": lambda b: actions.TakeBack(b["number"]),
    "fell_off": lambda b: actions.FellOff(b["number"]),
    "nothing_under_arm": lambda b: actions.NothingUnderArm(b["number"]),
    "nothing_fell": lambda b: actions.NothingFell(b["number"]),
    "end": lambda b: actions.End(b["number"]),
    "confirm": lambda b: actions.Confirm(),
    "read_again": lambda b: actions.RereadTray(),
}
"""The function that reads each kind of action from its JSON."""


def _track_to_json(track: Track) -> Json:
    fields: Json = {"id": track.id, "seen": die_to_json(track.seen), "fate": track.outcome.value}
    if track.was is not None:
        fields["was"] = die_to_json(track.was)
    return fields | {name: True for name in ("lifted", "aside") if getattr(track, name)}


def _track_from_json(data: Mapping[str, Any]) -> Track:
    was = die_from_json(data["was"]) if "was" in data else None
    return Track(
        data["id"],
        die_from_json(data["seen"]),
        TrackOutcome(data["fate"]),
        was,
        data.get("lifted", False),
        data.get("aside", False),
    )


def _stick_to_json(stick: SeenStick) -> Json:
    return {
        "face": stick.face,
        "quad": [_floats(corner) for corner in stick.quad],
        "confidence": float(stick.confidence),
        "sure": bool(stick.sure),
        "crossed": bool(stick.crossed),
        "likely": [[face, float(chance)] for face, chance in stick.likely],
    }


def _stick_from_json(data: Mapping[str, Any]) -> SeenStick:
    a, b, c, d = ((x, y) for x, y in data["quad"])
    likely = tuple((face, chance) for face, chance in data.get("likely", ()))
    return SeenStick(
        data["face"], (a, b, c, d), data["confidence"], data["sure"], data.get("crossed", False), likely
    )


def _floats(values: Sequence[float]) -> list[float]:
    return [float(v) for v in values]
