"""The referee's shell: it holds the log and the state, and carries out the effects of each step.

The steps are pure (table/referee/step.py).

One thread calls it (table/referee/desk.py): `handle` with vision events, `act` with player actions.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from table.common.errors import BrehonError
from table.log.store import Evidence, Log, LoggedMatch
from table.referee import actions
from table.referee.effects import Announcement, Append, Begin, Close, LogWrite, Refused, Reread
from table.referee.events import Acted, Event, Logged, NotLogged, Opened, ResumedMatch
from table.referee.snapshot import Snapshot
from table.referee.state import State
from table.referee.step import resume_error_text, step
from table.referee.view import snapshot_of

logger = logging.getLogger(__name__)

Record = Callable[[Event], None]


class Referee:
    """One table. Not thread-safe."""

    def __init__(
        self,
        log: Log,
        read_again: Callable[[], None] = lambda: None,
        first_number: int = 0,
        trouble: str = "",
        record: Record = lambda event: None,
    ) -> None:
        """Resumes the last match of the log. If that fails, the tray shows why; the match stays in the log.

        read_again: starts another reading of the tray. first_number: of the snapshots; a number that no
        earlier run used prevents a tap made before a restart from counting as a new one. trouble: a sentence
        shown until a game starts. record: gets every event before its step; table.referee.replay replays
        these events.
        """
        self._log, self._read_again, self._record = log, read_again, record
        self._logged: LoggedMatch | None = None
        self._jpeg: bytes | None = None
        self._failed: BrehonError | None = None
        self._state = State()
        self._step(self._opening(first_number, trouble))

    def _opening(self, number: int, trouble: str) -> Opened:
        try:
            self._logged = self._log.current()
            return Opened(number, trouble, self._resumed_match())
        except Exception as error:  # any content of an old or damaged log: the table continues
            logger.warning("the last match cannot be read", exc_info=True)
            return Opened(number, resume_error_text(error))

    def _resumed_match(self) -> ResumedMatch | None:
        logged = self._logged
        if logged is None:
            return None
        evidence = self._log.last_evidence(logged)
        seen = {"at": evidence.at, "reading": evidence.reading} if evidence else None
        return ResumedMatch(logged.game, logged.seats, logged.raw_settings, logged.events, seen)

    @property
    def match_id(self) -> int | None:
        """The log's number of the match on the table."""
        return self._logged.id if self._logged and self._state.match_state else None

    @property
    def state(self) -> State:
        """All that the referee knows now."""
        return self._state

    def snapshot(self) -> Snapshot:
        """The table as it stands; the desk fills in `seq`, `run` and `camera`."""
        return replace(snapshot_of(self._state), match_id=self.match_id)

    def handle(self, event: Event, jpeg: bytes | None = None) -> tuple[Announcement, ...]:
        """The announced effects of an event of the vision pipeline.

        jpeg: the picture that was read, stored with an accepted throw.
        """
        if jpeg is not None and not (self._state.attempt.stands or self._state.sticks.stands):
            self._jpeg = jpeg  # a throw that waits for an answer keeps its own picture
        return self._step(event)

    def act(self, action: actions.Action) -> tuple[Announcement, ...]:
        """The announced effects of this action.

        Raises a BrehonError with a sentence, and changes nothing, if the action is not possible.
        """
        return self._step(Acted(action))

    # -- the step, and its effects ---------------------------------------------------------------------------

    def _step(self, event: Event) -> tuple[Announcement, ...]:
        """The announced effects of this step, and of the steps for the results of its writes."""
        self._record(event)
        self._state, effects = step(self._state, event)
        announced = tuple(effect for effect in effects if isinstance(effect, Announcement))
        for effect in effects:
            match effect:
                case Reread():
                    self._read_again()
                case Refused():
                    assert self._failed is not None
                    raise self._failed
                case Append() | Begin() | Close():
                    announced += self._step(self._written(effect))
        return announced

    def _written(self, effect: LogWrite) -> Logged | NotLogged:
        try:
            self._write(effect)
        except BrehonError as error:
            logger.warning("the log could not be written: %s", error)
            self._failed = error
            return NotLogged(f"{error}")
        return Logged()

    def _write(self, effect: LogWrite) -> None:
        match effect:
            case Append(events, seen, pictured):
                assert self._logged is not None
                evidence = Evidence(seen[0], seen[1], self._jpeg if pictured else None) if seen else None
                self._logged = self._log.append(self._logged, events, evidence)
            case Begin(game, seats, raw_settings):
                self._logged = self._log.start(game, seats, raw_settings, ending=self._logged)
            case Close(why):
                assert self._logged is not None
                self._log.end(self._logged, why)
                self._logged = None
