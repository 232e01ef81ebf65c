"""The log: one append-only SQLite file. An answer is on the disk before the rules get it.

With write-ahead logging and synchronous=FULL, a finished commit survives kill -9 and a power cut.
Migrations are numbered SQL files. Each runs in one transaction with its number (PRAGMA user_version).
"""

from __future__ import annotations

import json
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any

from table.common.errors import LogDamaged, LogUnusable
from table.log.events import event_from_json, event_to_json
from table.rules.game import Seat
from table.rules.match import Event

LOCK_WAIT_S = 5.0
"""Longest wait of a write for another process, such as a backup."""

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""SQLite's codes for a file that differs from what it wrote."""


@dataclass(frozen=True)
class Evidence:
    """What the camera saw for an answer. reading: the thrown dice as JSON. jpeg: the picture, or None."""

    at: int
    reading: Mapping[str, Any]
    jpeg: bytes | None


@dataclass(frozen=True)
class LoggedMatch:
    """A match in the log: its start and its events in order."""

    id: int
    game: str
    seats: tuple[Seat, ...]
    raw_settings: Mapping[str, str]
    events: tuple[Event, ...]
    written: int
    """Number of rows written for it, which is the number of the next row."""


@dataclass(frozen=True)
class ArchivedMatch:
    """A match in the log, and when it was played, UTC in ISO 8601.

    last_at: the time of its last event. ended: why it was ended before its end, or "".
    """

    logged: LoggedMatch
    started_at: str
    last_at: str
    ended: str


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Log:
    """The log file, open for writing. Only the thread that owns the match uses it."""

    def __init__(self, path: Path, now: Callable[[], str] = _now) -> None:
        """Opens or makes the file and migrates it; raises LogUnusable, which says what to do."""
        self.path = path
        self._now = now
        with _as_log_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                path, timeout=LOCK_WAIT_S, isolation_level=None, check_same_thread=False
            )
            self._closing = weakref.finalize(self, self._db.close)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            _migrate(self._db)

    def close(self) -> None:
        """Closes the file. Deleting the log closes it too."""
        self._closing()

    def start(
        self,
        game: str,
        seats: Sequence[Seat],
        raw_settings: Mapping[str, str],
        ending: LoggedMatch | None = None,
    ) -> LoggedMatch:
        """A new match. ending: the match that it replaces, which ends in the same commit."""
        with self._transaction():
            if ending is not None:
                self._insert(ending.id, ending.written, "ended", {"why": "another match was started"})
            row = self._db.execute(
                "INSERT INTO match (game, seats, settings, started_at) VALUES (?, ?, ?, ?)",
                (game, json.dumps([s.to_json() for s in seats]), json.dumps(dict(raw_settings)), self._now()),
            )
        assert row.lastrowid is not None
        return LoggedMatch(row.lastrowid, game, tuple(seats), dict(raw_settings), (), 0)

    def append(
        self, match: LoggedMatch, events: Sequence[Event], evidence: Evidence | None = None
    ) -> LoggedMatch:
        """The match after these events. The commit holds all events or none, and `evidence` with the last.

        Raises LogUnusable if the disk refuses.
        """
        written = match.written
        with self._transaction():
            for event in events:
                self._insert(match.id, written, *event_to_json(event))
                written += 1
            if evidence is not None:
                self._db.execute(
                    "INSERT INTO evidence (match_id, number, at, reading, jpeg) VALUES (?, ?, ?, ?, ?)",
                    (match.id, written - 1, evidence.at, json.dumps(evidence.reading), evidence.jpeg),
                )
        return LoggedMatch(
            match.id, match.game, match.seats, match.raw_settings, (*match.events, *events), written
        )

    def end(self, match: LoggedMatch, why: str) -> None:
        """Ends the match: it is no longer on the table."""
        with self._transaction():
            self._insert(match.id, match.written, "ended", {"why": why})

    def current(self) -> LoggedMatch | None:
        """The match that was on at the last write, or None."""
        with _as_log_errors(self.path):
            row = self._db.execute(
                "SELECT id, game, seats, settings FROM match WHERE id = (SELECT max(id) FROM match)"
                " AND NOT EXISTS (SELECT 1 FROM event WHERE match_id = match.id AND kind = 'ended')"
            ).fetchone()
            return _loaded(self._db, *row) if row else None

    def last_evidence(self, match: LoggedMatch) -> Evidence | None:
        """The evidence behind the newest throw of the match that has any."""
        return self._evidence("match_id = ? ORDER BY number DESC LIMIT 1", match.id)

    def _evidence(self, where: str, *values: int) -> Evidence | None:
        row = self._db.execute(f"SELECT at, reading, jpeg FROM evidence WHERE {where}", values).fetchone()
        return Evidence(row[0], json.loads(row[1]), row[2]) if row else None

    def _insert(self, match_id: int, number: int, kind: str, body: Mapping[str, Any]) -> None:
        self._db.execute(
            "INSERT INTO event (match_id, number, kind, body, happened_at) VALUES (?, ?, ?, ?, ?)",
            (match_id, number, kind, json.dumps(body), self._now()),
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _as_log_errors(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise


def _loaded(db: sqlite3.Connection, id_: int, game: str, seats: str, settings: str) -> LoggedMatch:
    rows = db.execute("SELECT kind, body FROM event WHERE match_id = ? ORDER BY number", (id_,)).fetchall()
    events = tuple(event_from_json(kind, json.loads(body)) for kind, body in rows if kind != "ended")
    seated = tuple(map(Seat.from_json, json.loads(seats)))
    return LoggedMatch(id_, game, seated, json.loads(settings), events, len(rows))


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A new read-only connection to the log. Any thread may open one."""
    with (
        _as_log_errors(path),
        closing(sqlite3.connect(path.resolve().as_uri() + "?mode=ro", uri=True, timeout=LOCK_WAIT_S)) as db,
    ):
        yield db


def logged_matches(path: Path) -> Iterator[tuple[LoggedMatch, tuple[tuple[int, Evidence], ...]]]:
    """Every match in the log, oldest first, with the pictures of its throws: (row number, evidence).

    A throw that was taken back and repeated has only its last picture.
    """
    with _reading(path) as db:
        for row in db.execute("SELECT id, game, seats, settings FROM match ORDER BY id").fetchall():
            seen = db.execute(
                "SELECT max(number), at, reading, jpeg FROM evidence"
                " WHERE match_id = ? AND jpeg IS NOT NULL GROUP BY at ORDER BY at",
                row[:1],
            )
            yield (
                _loaded(db, *row),
                tuple((n, Evidence(at, json.loads(text), jpeg)) for n, at, text, jpeg in seen),
            )


def throw_jpeg(path: Path, match_id: int, at: int) -> bytes | None:
    """The picture behind the throw that stands at `at`. Any thread may call this."""
    with _reading(path) as db:
        row = db.execute(
            "SELECT jpeg FROM evidence WHERE match_id = ? AND at = ? ORDER BY number DESC LIMIT 1",
            (match_id, at),
        ).fetchone()
        return row[0] if row else None


def throw_seen(path: Path, match_id: int, at: int) -> Mapping[str, Any] | None:
    """The reading of the picture of the throw that stands at `at`: {"size": [w, h], "dice": [...]}.

    Any thread may call this.
    """
    with _reading(path) as db:
        row = db.execute(
            "SELECT reading FROM evidence WHERE match_id = ? AND at = ? AND jpeg IS NOT NULL"
            " ORDER BY number DESC LIMIT 1",
            (match_id, at),
        ).fetchone()
    seen: Mapping[str, Any] | None = json.loads(row[0]) if row else None
    return seen


def archived_matches(path: Path, match_id: int | None = None) -> Iterator[ArchivedMatch]:
    """The matches in the log, oldest first, or only this one. Any thread may call this."""
    with _reading(path) as db:
        rows = db.execute(
            "SELECT id, game, seats, settings, started_at FROM match WHERE ? IS NULL OR id = ? ORDER BY id",
            (match_id, match_id),
        ).fetchall()
        for *match, started_at in rows:
            last_at, ended = db.execute(
                "SELECT max(happened_at), max(CASE kind WHEN 'ended' THEN json_extract(body, '$.why') END)"
                " FROM event WHERE match_id = ?",
                match[:1],
            ).fetchone()
            yield ArchivedMatch(_loaded(db, *match), started_at, last_at or started_at, ended or "")


def newest_match_id(path: Path) -> int | None:
    """The number of the newest match in the log; None if there is none. Any thread may call this."""
    with _reading(path) as db:
        newest: int | None = db.execute("SELECT max(id) FROM match").fetchone()[0]
        return newest


def _migrations() -> list[tuple[int, str]]:
    folder = resources.files("table.log") / "migrations"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return [(int(f.name[:3]), f.read_text("utf-8")) for f in files]


def _migrate(db: sqlite3.Connection) -> None:
    have = db.execute("PRAGMA user_version").fetchone()[0]
    migrations = _migrations()
    newest = migrations[-1][0]
    if have > newest:
        raise LogUnusable(
            f"the log was written by a newer Brehon (version {have}, this one knows {newest}); update Brehon"
        )
    for number, sql in migrations:
        if number > have:
            db.executescript(f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;")


@contextmanager
def _as_log_errors(path: Path) -> Iterator[None]:
    """Turns errors of SQLite and the disk into one sentence that says what to do."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, LogUnusable):
            raise
        if isinstance(error, sqlite3.IntegrityError):
            raise LogUnusable(
                f"another program has written to the log {path}; stop it, and start the table again"
            ) from error
        if (
            isinstance(error, sqlite3.DatabaseError)
            and getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED
        ):
            raise LogDamaged(f"the log {path} is damaged ({error})") from error
        raise LogUnusable(
            f"the log {path} cannot be used: {error}; check that the disk is writable and not full"
        ) from error
