-- A match and what happened in it. Events are only ever added; the match is rebuilt from them.
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    seats TEXT NOT NULL,      -- [{"name": "Ann", "colour": "green"}, ...]
    settings TEXT NOT NULL,   -- {"start": "Ann", ...}: those given, as text
    started_at TEXT NOT NULL  -- UTC, ISO 8601
) STRICT;

CREATE TABLE event (
    match_id INTEGER NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,  -- 0, 1, 2 ... within the match
    kind TEXT NOT NULL CHECK (kind IN ('answered', 'taken_back', 'corrected', 'ended')),
    body TEXT NOT NULL,       -- JSON, see table/log/events.py
    happened_at TEXT NOT NULL,
    PRIMARY KEY (match_id, number)
) STRICT;

-- What the camera saw behind an answer: the reading, and the picture it was made from.
CREATE TABLE evidence (
    match_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,      -- the answer's place in the match, as a correction names it
    reading TEXT NOT NULL,    -- JSON
    jpeg BLOB,
    PRIMARY KEY (match_id, number),
    FOREIGN KEY (match_id, number) REFERENCES event (match_id, number)
) STRICT;

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
