"""The complete table on a recording: its frames through the vision pipeline and the referee.

All times are in the recording's seconds.

There is no page, no thread and no clock. The same frames give the same lines, except for "ms", the
duration of a reading. Nobody taps.

A recording often ends just when the dice have come to rest. If they were slow for END_SEEN_S at its end,
the last frame is held for END_HELD_S, so that the throw still gets a ruling. If they were still moving,
their result is unknown, and none is reported. No line is later than the last frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from table.common.errors import BrehonError
from table.common.tray import TrayState
from table.referee.actions import Action, Confirm, RereadTray
from table.referee.effects import Announcement, Effect
from table.referee.events import Event, TrayRead
from table.referee.referee import Referee
from table.referee.tray_events import to_tray_changed
from vision.events import CameraRestored, Settled
from vision.frames import Frame
from vision.pipeline import Pipeline

END_SEEN_S = 0.1
"""Time that dice must be slow at the end of a recording to count as at rest: three frames of a webcam, and
longer than a die stands still at the top of a bounce."""

END_HELD_S = 1.0
"""Longest time that the last frame is held: the settling time, and the readings after it at ten frames a
second."""

END_STEP_S = 0.1
"""Interval between the repeats of the last frame."""

Line = dict[str, Any]


def output_lines(frames: Iterable[Frame], pipeline: Pipeline, referee: Referee) -> Iterator[Line]:
    """The lines of `brehon watch`, with one at the end.

    There is one per change of state, reading, accepted throw, ruling and question.
    """
    table = OfflineTable(pipeline, referee)
    for frame in frames:
        yield from table.process(frame)
    yield from table.end()


class OfflineTable:
    """A vision pipeline and a referee on one recording, frame by frame.

    pipeline: replaced when the camera is reopened.
    """

    def __init__(self, pipeline: Pipeline, referee: Referee) -> None:
        self.pipeline, self._referee = pipeline, referee
        self._state: TrayState | None = None
        self._state_since_s = 0.0
        self._last: Frame | None = None

    @property
    def settling(self) -> bool:
        """Whether the tray is coming to rest and has not been read yet."""
        return self._state is not None and self._state.coming_to_rest

    def process(self, frame: Frame) -> Iterator[Line]:
        """The lines that this frame causes."""
        self._last = frame
        yield from self._process(frame, frame.at_s)

    def handle(self, event: Event, at_s: float) -> Iterator[Line]:
        """The lines of an event that no frame shows."""
        effects = self._referee.handle(event)
        yield from self._state_line(at_s)
        yield from effects_to_lines(effects, at_s)

    def do(self, action: Action, at_s: float) -> Iterator[Line]:
        """The lines of an action on the table as it stands; a refusal is a line of its own."""
        number = self._referee.snapshot().number
        try:
            effects = self._referee.act(
                action if isinstance(action, Confirm | RereadTray) else replace(action, number=number)
            )
        except BrehonError as error:
            yield {"t": seconds(at_s), "refused": f"{error}"}
            return
        yield from self._state_line(at_s)
        yield from effects_to_lines(effects, at_s)

    def end(self) -> Iterator[Line]:
        """The lines of the held last frame, and the final line."""
        last = self._last
        if last is not None:
            for n in range(1, round(END_HELD_S / END_STEP_S) + 1):
                if not self.settling or last.at_s - self._state_since_s < END_SEEN_S:
                    break
                yield from self._process(Frame(last.picture, last.at_s + n * END_STEP_S), last.at_s)
        yield {"t": seconds(last.at_s if last else 0.0), "ended": True}

    def _process(self, frame: Frame, at_s: float) -> Iterator[Line]:
        yield from self._state_line(at_s)
        state = self._referee.state
        self.pipeline.watch_sticks(state.throws_sticks, state.throws_coins)
        for event in self.pipeline.process(frame):
            if isinstance(event, Settled):
                read = TrayRead(event.reading, event.tracks, event.hand_rests, event.stick_tracks)
                yield {"t": seconds(at_s), "reading": reading_json(read)}
                yield from self.handle(read, at_s)
            elif not isinstance(event, CameraRestored):
                yield from self.handle(to_tray_changed(event), at_s)

    def _state_line(self, at_s: float) -> Iterator[Line]:
        tray = self._referee.snapshot().tray
        if tray.state != self._state:
            if not (tray.state.coming_to_rest and self.settling):
                self._state_since_s = at_s
            self._state = tray.state
            yield {"t": seconds(at_s), "state": tray.state.value}


def effects_to_lines(effects: Iterable[Effect], at_s: float) -> Iterator[Line]:
    """One line per announcement."""
    return (
        {"t": seconds(at_s), **effect.to_json()} for effect in effects if isinstance(effect, Announcement)
    )


def seconds(at_s: float) -> float:
    """Seconds as printed: rounded to the millisecond."""
    return round(at_s, 3)


def reading_json(read: TrayRead) -> Line:
    """The reading as `brehon read` prints it; each die or stick that was followed has "track" and "fate".

    Further keys, if any: "outside", dice beside the tray; "gone", dice that are no longer seen;
    "rolled_off", thrown dice that left the picture; "camera_moved".
    """
    reading, tracks = read.reading, read.tracks
    data = dict(reading.to_json())
    tracked = {track.seen: {"track": track.id, "fate": track.outcome.value} for track in tracks.dice}
    data["dice"] = [{**die.to_json(), **tracked.get(die, {})} for die in reading.dice]
    followed = {t.seen: {"track": t.id, "fate": t.outcome.value} for t in read.stick_tracks.sticks}
    data["sticks"] = [{**stick.to_json(), **followed.get(stick, {})} for stick in reading.sticks]
    if tracks.outside:
        data["outside"] = [die.to_json() for die in tracks.outside]
    if tracks.rolled_off:
        data["rolled_off"] = [die.to_json() for die in tracks.rolled_off]
    if tracks.lost:
        data["gone"] = [
            {"track": g.id, "face": g.was.face, "colour": g.was.colour, "how": g.reason.value}
            for g in tracks.lost
        ]
    if tracks.camera_moved:
        data["camera_moved"] = True
    return data
