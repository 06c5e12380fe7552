//! A database of an earlier program keeps everything, and can do what is new.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;
use tempfile::TempDir;
use toolpost_host::ContentHash;
use toolpost_store::{ChangeFilter, FileChange, JournalFilter, NewChange, StepKind, Store};

/// What the program of schema 1 made, with a row in each table.
const OLD: &str = "
PRAGMA journal_mode = WAL;
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
INSERT INTO session VALUES ('s', x'2fff', 'ts-1', 7000000);
INSERT INTO sighting VALUES ('s', x'2f61', zeroblob(32), 3, 9);
INSERT INTO spill VALUES ('sp_0123456789abcdef', 's');
INSERT INTO step (call, session, batch, at, kind, body) VALUES ('c', 's', 'b', 5, 'started', '{\"kind\":\"started\"}');
PRAGMA user_version = 1;
";

fn old(folder: &Path) {
    let path = folder.join("toolpost.db");
    Connection::open(path).unwrap().execute_batch(OLD).unwrap();
    std::fs::create_dir(folder.join("spill")).unwrap();
    std::fs::write(folder.join("spill/sp_0123456789abcdef"), "spilled").unwrap();
}

fn tables(folder: &Path) -> Vec<(String, String)> {
    let database = Connection::open(folder.join("toolpost.db")).unwrap();
    let sql = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn an_older_database_keeps_everything() {
    let folder = TempDir::new().unwrap();
    old(folder.path());
    let store = Store::open(folder.path());
    let session = store.session("s").unwrap().unwrap();
    assert_eq!(session.toolset.as_deref(), Some("ts-1"));
    assert_eq!(session.updated.as_second(), 7);
    let seen = store.sightings("s").unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].hash, ContentHash::from_bytes([0; 32]));
    assert_eq!(seen[0].lines, Some((3, 9)));
    let steps = store.steps(&JournalFilter::default()).unwrap();
    assert_eq!(steps.len(), 1);
    assert_eq!((steps[0].seq, &steps[0].what), (1, &StepKind::Started));
    assert_eq!(store.spill_len("sp_0123456789abcdef").unwrap(), 7);
    store.forget_session("s").unwrap();
    assert!(store.spill_len("sp_0123456789abcdef").is_err());
}

#[test]
fn an_older_database_becomes_the_same_as_a_new_one() {
    let (before, new) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    old(before.path());
    for folder in [&before, &new] {
        let store = Store::open(folder.path());
        let image = store.keep_image(&b"x"[..]).unwrap();
        let file = FileChange {
            path: "/f".into(),
            before: Some(image),
            after: None,
            mode_before: None,
            mode_after: None,
            moved_from: None,
        };
        let change = NewChange {
            call: "c",
            session: Some("s"),
            batch: "b",
            at: Timestamp::UNIX_EPOCH,
            title: "t",
            files: &[file],
            undoes: None,
        };
        store.record_change(&change).unwrap();
        let changes = store.changes(&ChangeFilter::default()).unwrap();
        assert_eq!(changes.len(), 1);
    }
    assert_eq!(tables(before.path()), tables(new.path()));
}
