//! A database that is damaged or too new is told, and left as it is.

use std::fs;
use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;
use toolpost_store::{
    JournalFilter, SessionRecord, Step, StepKind, Store, StoreError, StoreErrorKind,
};

fn refused(folder: &Path) -> StoreError {
    let store = Store::open(folder);
    let step = Step {
        call: "c",
        session: None,
        batch: "b",
        at: Timestamp::UNIX_EPOCH,
        what: StepKind::Started,
    };
    let err = store.step(&step).unwrap_err();
    assert_eq!(store.session("s").unwrap_err().kind, err.kind);
    err
}

#[test]
fn a_damaged_database_is_told_and_kept() {
    for bytes in [1, 15, 16, 99, 100, 511, 512, 1_000, 4_095, 4_096, 5_000] {
        let content = "x".repeat(bytes);
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("toolpost.db");
        fs::write(&path, &content).unwrap();
        let err = refused(folder.path());
        assert_eq!(err.kind, StoreErrorKind::Corrupt, "{bytes}");
        let told = err.to_string();
        assert!(told.contains(path.to_str().unwrap()), "{told}");
        assert!(told.contains("Move it aside"), "{told}");
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}

#[test]
fn a_page_that_is_damaged_later_is_told_and_kept() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("toolpost.db");
    let record = SessionRecord {
        name: "s".to_owned(),
        cwd: "/".into(),
        toolset: None,
        updated: Timestamp::UNIX_EPOCH,
    };
    Store::open(folder.path()).save_session(&record).unwrap();
    let mut content = fs::read(&path).unwrap();
    content[4096..].fill(0x5a);
    fs::write(&path, &content).unwrap();
    let store = Store::open(folder.path());
    assert_eq!(
        store.session("s").unwrap_err().kind,
        StoreErrorKind::Corrupt
    );
    let steps = store.steps(&JournalFilter::default());
    assert_eq!(steps.unwrap_err().kind, StoreErrorKind::Corrupt);
    drop(store);
    assert_eq!(fs::read(&path).unwrap(), content);
}

#[test]
fn toolsets_and_spills_do_not_need_the_database() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("toolpost.db"), "not a database").unwrap();
    let store = Store::open(folder.path());
    store.put_toolset("ts", &json!(1)).unwrap();
    assert_eq!(store.toolset("ts").unwrap(), Some(json!(1)));
    let id = store.create_spill(None).unwrap().finish().unwrap();
    assert_eq!(store.spill_len(id.as_str()).unwrap(), 0);
}

#[test]
fn a_newer_database_is_told_and_not_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("toolpost.db");
    let newer = Connection::open(&path).unwrap();
    newer
        .execute_batch("CREATE TABLE future (x); PRAGMA user_version = 99;")
        .unwrap();
    drop(newer);
    let before = fs::read(&path).unwrap();
    let err = refused(folder.path());
    assert_eq!(err.kind, StoreErrorKind::Newer);
    let told = err.to_string();
    assert!(
        told.contains("99") && told.contains("Update toolpost"),
        "{told}"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn an_empty_file_becomes_a_database() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("toolpost.db");
    fs::write(&path, "").unwrap();
    assert_eq!(Store::open(folder.path()).session("s").unwrap(), None);
    let made = Connection::open(&path).unwrap();
    let pragma = |name| made.pragma_query_value(None, name, |row| row.get::<_, String>(0));
    assert_eq!(pragma("journal_mode").unwrap(), "wal");
    let version = made.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0));
    assert_eq!(version.unwrap(), 2);
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let err = refused(&file.join("state"));
    assert_eq!(err.kind, StoreErrorKind::Io);
    assert!(err.fact.contains("make the folder"), "{err}");
}
