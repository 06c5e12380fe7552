//! Nobody but the owner can read anything.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use jiff::Timestamp;
use serde_json::json;
use tempfile::TempDir;
use toolpost_host::ContentHash;
use toolpost_store::{Step, StepKind, Store};

use crate::child::{self, Again};

/// Uses every part of the store, so that every kind of file is there, and gives what holds the open ones.
fn fill(folder: &Path) -> (Store, toolpost_store::SpillWriter) {
    let store = Store::open(folder);
    let step = Step {
        call: "c",
        session: None,
        batch: "b",
        at: Timestamp::UNIX_EPOCH,
        what: StepKind::Started,
    };
    store.step(&step).unwrap();
    store
        .record_sighting("s", "/a".as_ref(), ContentHash::of(b""), None)
        .unwrap();
    store.put_toolset("ts", &json!({})).unwrap();
    store.create_spill(None).unwrap().finish().unwrap();
    let half_written = store.create_spill(None).unwrap();
    store.keep_image(&b"before"[..]).unwrap();
    (store, half_written)
}

/// Gives what lies in a folder and below, as (path, mode), sorted.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let shown = path.strip_prefix(folder).unwrap().display().to_string();
            found.push((shown, metadata.permissions().mode() & 0o7777));
            if metadata.is_dir() {
                folders.push(path);
            }
        }
    }
    found.sort();
    found
}

fn check(folder: &Path) {
    let found = modes(folder);
    let mode_of = |start: &str| {
        let named = found.iter().filter(|(path, _)| path.starts_with(start));
        named.map(|(_, mode)| *mode).collect::<Vec<_>>()
    };
    assert_eq!(
        mode_of("toolpost.db"),
        [0o600; 3],
        "with -wal and -shm: {found:?}"
    );
    assert_eq!(mode_of("toolpost.lock"), [0o600]);
    assert_eq!(mode_of("toolsets"), [0o700, 0o600]);
    assert_eq!(mode_of("spill.tally"), [0o600]);
    assert_eq!(mode_of("spill"), [0o700, 0o600, 0o600, 0o600]);
    assert_eq!(mode_of("images.tally"), [0o600]);
    assert_eq!(mode_of("images"), [0o700, 0o600, 0o600]);
    assert_eq!(found.len(), 13, "{found:?}");
}

#[test]
fn everything_is_private_whatever_the_umask() {
    if let Some(folder) = child::folder() {
        let state = folder.join("deep/state");
        let _open = fill(&state);
        check(&state);
        let state = fs::metadata(&state).unwrap().permissions().mode();
        assert_eq!(state & 0o7777, 0o700);
        return;
    }
    let test = "modes::everything_is_private_whatever_the_umask";
    for umask in ["000", "022", "077"] {
        let folder = TempDir::new().unwrap();
        Again::start(test, folder.path(), &format!("umask {umask}")).pass();
    }
}

#[test]
fn what_was_left_open_is_made_private() {
    let folder = TempDir::new().unwrap();
    drop(fill(folder.path()));
    let set = |path: &str, mode| {
        fs::set_permissions(folder.path().join(path), Permissions::from_mode(mode)).unwrap();
    };
    set("toolpost.db", 0o644);
    set("spill", 0o755);
    set("images", 0o755);
    set("toolsets", 0o777);
    let _open = fill(folder.path());
    let found = modes(folder.path());
    assert!(found.iter().all(|(_, mode)| mode & 0o077 == 0), "{found:?}");
}

#[test]
fn a_store_that_is_not_used_touches_nothing() {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let store = Store::open(&state);
    assert_eq!(store.toolset("ts").unwrap(), None);
    assert_eq!(store.root(), state);
    drop(store);
    assert!(!state.exists());
}
