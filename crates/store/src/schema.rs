//! The tables, as steps from the first to the present. A step that was released is never changed: a new one is added.

use rusqlite::{Connection, TransactionBehavior};

/// The steps. The database's `user_version` tells how many it has taken.
const STEPS: &[&str] = &[FIRST, SECOND];

/// Tables that hold what belongs to one session and goes with it, each with a column `session`.
pub(crate) const OF_A_SESSION: &[&str] = &["session", "sighting", "spill"];

/// Paths are bytes, since a file's name need not be text. Times are microseconds since 1970. The journal outlives its
/// sessions. `step.key` waits for the callers' idempotency keys.
const FIRST: &str = "
CREATE TABLE session (
    session TEXT PRIMARY KEY,
    cwd BLOB NOT NULL,
    toolset TEXT,
    updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sighting (
    session TEXT NOT NULL,
    path BLOB NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    first_line INTEGER,
    end_line INTEGER,
    PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE spill (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spill_session ON spill (session);
CREATE TABLE step (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    call TEXT NOT NULL,
    session TEXT,
    batch TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    key TEXT
) STRICT;
CREATE INDEX step_call ON step (call, batch, kind);
CREATE INDEX step_session ON step (session, seq);
CREATE INDEX step_at ON step (at);
CREATE INDEX step_started ON step (seq) WHERE kind = 'started';
CREATE INDEX step_key ON step (key) WHERE key IS NOT NULL;
";

/// Changes of files, for undoing them. They outlive their sessions, like the journal: forgetting a conversation takes
/// from nobody the way back. `before_kept` is a name of [`crate::Kept`].
const SECOND: &str = "
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    call TEXT NOT NULL,
    session TEXT,
    batch TEXT NOT NULL,
    at INTEGER NOT NULL,
    title TEXT NOT NULL,
    undoes INTEGER,
    undone_by INTEGER CHECK (undone_by > id)
) STRICT;
CREATE INDEX change_call ON change (call, id);
CREATE INDEX change_session ON change (session, id);
CREATE TABLE change_file (
    change INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    path BLOB NOT NULL,
    moved_from BLOB,
    before_hash BLOB CHECK (length(before_hash) = 32),
    before_bytes INTEGER,
    before_kept TEXT,
    after_hash BLOB CHECK (length(after_hash) = 32),
    mode_before INTEGER,
    mode_after INTEGER,
    PRIMARY KEY (change, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_file_path ON change_file (path);
CREATE INDEX change_file_moved ON change_file (moved_from) WHERE moved_from IS NOT NULL;
CREATE INDEX change_file_before ON change_file (before_hash) WHERE before_hash IS NOT NULL;
";

/// How many steps this program knows.
pub(crate) fn known() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// How many steps the database has taken.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Takes the steps that are missing, all or none.
pub(crate) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    if version(connection)? >= known() {
        return Ok(());
    }
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let taken = usize::try_from(version(&change)?).unwrap_or(0);
    for step in STEPS.iter().skip(taken) {
        change.execute_batch(step)?;
    }
    change.pragma_update(None, "user_version", known())?;
    change.commit()
}
